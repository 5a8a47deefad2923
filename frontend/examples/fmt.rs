//! Formats files or all `.fut` files of folders without writing them, and reports where the
//! result is not stable; the formatted text of a single file is printed.
//!
//!     cargo run -p futc-frontend --example fmt -- PATH…

use futc_frontend::diag::{SourceMap, render};
use futc_frontend::fmt::{FormatError, format_file};
use std::path::{Path, PathBuf};

fn main() {
    let run = || {
        let mut files = Vec::new();
        let args: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
        for arg in &args {
            find(arg, &mut files);
        }
        files.sort();
        let single = args.len() == 1 && args[0].is_file();
        let (mut same, mut changed, mut refused, mut defects) = (0, 0, 0, 0);
        for file in files {
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            let mut sources = SourceMap::new();
            let id = sources.add(file.display().to_string(), text.clone());
            match format_file(id, &text) {
                Ok(out) => {
                    if single {
                        print!("{out}");
                    }
                    match format_file(id, &out) {
                        Ok(again) if again == out => {}
                        _ => {
                            defects += 1;
                            println!("{}: not stable", file.display());
                        }
                    }
                    if out == text { same += 1 } else { changed += 1 }
                }
                Err(FormatError::Syntax(errors)) => {
                    refused += 1;
                    if single {
                        eprint!("{}", render(&errors, &sources, false));
                    }
                }
                Err(why) => {
                    defects += 1;
                    println!("{}: {why}", file.display());
                }
            }
        }
        if !single {
            println!(
                "{same} unchanged, {changed} changed, {refused} with errors, {defects} defects"
            );
        }
    };
    let spawned = std::thread::Builder::new().stack_size(256 << 20).spawn(run);
    if spawned.map(std::thread::JoinHandle::join).is_err() {
        std::process::exit(1);
    }
}

fn find(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            find(&entry.path(), files);
        }
    } else if path.extension().is_some_and(|e| e == "fut") || path.is_file() && files.is_empty() {
        files.push(path.to_owned());
    }
}

//! Parses every `.fut` file below a folder and prints what is said about those that no test block
//! expects to be refused: `parse_all DIR`. Ends with a count and the speed of parsing alone.

use futc_frontend::diag::{SourceMap, render_plain};
use futc_frontend::syntax::parser::parse_file;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    let Some(root) = std::env::args_os().nth(1) else {
        eprintln!("usage: parse_all DIR");
        return ExitCode::from(2);
    };
    // Deep nesting is allowed, and a tree is dropped recursively.
    let worker =
        std::thread::Builder::new().stack_size(1 << 30).spawn(move || check(Path::new(&root)));
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(true)) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn check(root: &Path) -> bool {
    let mut files = Vec::new();
    collect(root, &mut files);
    files.sort();
    let (mut bytes, mut spent, mut failed, mut refused) = (0, Duration::ZERO, 0, 0);
    for path in &files {
        // A file that is not UTF-8 is no program.
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let mut sources = SourceMap::new();
        let file = sources.add(path.display().to_string(), text.clone());
        let start = Instant::now();
        let (_tree, diagnostics) = parse_file(file, &text);
        spent += start.elapsed();
        bytes += text.len();
        if diagnostics.is_empty() {
            continue;
        }
        if text.lines().any(|line| line.starts_with("-- error:")) {
            refused += 1;
            continue;
        }
        failed += 1;
        print!("{}", render_plain(&diagnostics, &sources));
    }
    let speed = bytes as f64 / 1e6 / spent.as_secs_f64().max(1e-9);
    println!(
        "{} files: {failed} failed, {refused} refused as expected; {speed:.1} MB/s",
        files.len()
    );
    failed == 0
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "fut") {
            files.push(path);
        }
    }
}

//! Internalises every Futhark program under a folder, or the one named, checks the result, and
//! says what went wrong. 
//!
//! `cargo run --example internalise_all -- DIR [-v] [--run]`; of a single file, prints the Core.

use futc_frontend::db::{CompilerDb, Db, diagnostics, has_errors, program};
use futc_frontend::world::World;
use futc_midend::internalise::{Options, internalise};
use futc_midend::ir::verify::verify;
use futc_midend::ir::Program;
use std::path::{Path, PathBuf};
use std::sync::Arc;

struct Disk;

impl World for Disk {
    fn read(&self, path: &str) -> Result<String, String> {
        std::fs::read_to_string(path).map_err(|e| e.to_string())
    }
}

enum Outcome {
    Refused,
    Done(usize),
    Failed(String),
}

fn run_cases(_: &str, _: &Program) -> Result<(), String> { Ok(()) }

fn one(path: &str, show: bool, run: bool) -> Outcome {
    let db = CompilerDb::new(Arc::new(Disk));
    let root = db.source(path);
    let found = diagnostics(&db, root);
    if has_errors(&found) {
        if show {
            for d in found.iter() {
                eprintln!("{}", d.message);
            }
        }
        return Outcome::Refused;
    }
    let typed = program(&db, root);
    let sources = db.sources();
    match internalise(&typed, &sources, &Options::default()) {
        Ok(core) => {
            if show {
                print!("{core}");
            }
            if let Err(errors) = verify(&core) {
                let first = errors.first().map(|e| e.to_string()).unwrap_or_default();
                return Outcome::Failed(format!("invalid Core: {first}"));
            }
            if run && let Err(e) = run_cases(path, &core) {
                return Outcome::Failed(format!("wrong: {e}"));
            }
            Outcome::Done(core.funs.len())
        }
        Err(e) => Outcome::Failed(e.to_string()),
    }
}

fn walk(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for e in entries.flatten() {
        let p = e.path();
        if p.is_dir() {
            walk(&p, out);
        } else if p.extension().is_some_and(|x| x == "fut") {
            out.push(p);
        }
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(target) = args.first().cloned() else {
        eprintln!("which folder or file?");
        return;
    };
    let verbose = args.iter().any(|a| a == "-v");
    let run = args.iter().any(|a| a == "--run");
    let single = target.ends_with(".fut");
    let mut files = Vec::new();
    if single {
        files.push(PathBuf::from(&target));
    } else {
        walk(Path::new(&target), &mut files);
    }
    files.sort();
    let work = move || {
        let (mut done, mut refused, mut failed, mut crashed) = (0, 0, 0, 0);
        for f in files {
            let path = f.to_string_lossy().into_owned();
            let start = std::time::Instant::now();
            let outcome = std::panic::catch_unwind(|| one(&path, single, run));
            let ms = start.elapsed().as_millis();
            match outcome {
                Ok(Outcome::Done(n)) => {
                    done += 1;
                    if verbose || ms > 2000 {
                        println!("ok      {path}: {n} functions, {ms} ms");
                    }
                }
                Ok(Outcome::Refused) => {
                    refused += 1;
                    if verbose {
                        println!("refused {path}");
                    }
                }
                Ok(Outcome::Failed(why)) => {
                    failed += 1;
                    println!("FAILED  {path}: {why}");
                }
                Err(_) => {
                    crashed += 1;
                    println!("CRASHED {path}");
                }
            }
        }
        println!("{done} done, {refused} refused by the checker, {failed} failed, {crashed} crashed");
    };
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(work);
    if let Ok(t) = thread {
        let _ = t.join();
    }
}

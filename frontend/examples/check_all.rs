//! `check_all DIR [--all] [--reasons]`: checks every `.fut` file below a folder, prints what is
//! refused (the first diagnostic of each) and how many were accepted. Files whose test block
//! expects an error are checked too, but only a panic counts there, as do automatic differentiation
//! and accumulators (folders `ad` and `accs`) unless `--all` is given. `--reasons` prints what is
//! said of the files that expect an error, beside what they expect.

#![allow(clippy::print_stdout, reason = "a tool")]

use futc_frontend::db::{CompilerDb, Db, diagnostics, has_errors, program};
use futc_frontend::diag::render_plain;
use futc_frontend::world::Disk;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn files(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|e| e == "fut") {
            out.push(path);
        }
    }
}

/// The compile-time error that the first test block expects.
fn expects_error(text: &str) -> Option<String> {
    let mut in_block = false;
    for line in text.lines() {
        if line.trim_end() == "-- ==" {
            in_block = true;
        } else if in_block {
            match line.strip_prefix("--") {
                Some(rest) => {
                    let rest = rest.trim();
                    if let Some(expected) = rest.strip_prefix("error:") {
                        return Some(expected.trim().to_owned());
                    }
                    if !rest.is_empty() && !rest.starts_with("tags") {
                        return None;
                    }
                }
                None => return None,
            }
        }
    }
    None
}

struct Outcome {
    path: PathBuf,
    /// The error that the file expects.
    expected: Option<String>,
    said: Option<String>,
    panicked: bool,
    time: Duration,
}

fn check(db: &CompilerDb, path: &Path) -> Outcome {
    if std::env::var_os("CHECK_TRACE").is_some() {
        eprintln!("{}", path.display());
    }
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let expected = expects_error(&text);
    let negative = expected.is_some();
    let started = Instant::now();
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let root = db.source(&path.to_string_lossy());
        let said = diagnostics(db, root);
        if has_errors(&said) {
            let shown = if negative { said.len() } else { 1 };
            let first: Vec<_> = said.iter().take(shown).cloned().collect();
            return Some(render_plain(&first, &db.sources()));
        }
        let _ = program(db, root);
        None
    }));
    Outcome {
        path: path.to_owned(),
        expected,
        panicked: result.is_err(),
        said: result.unwrap_or_else(|_| Some("panic".to_owned())),
        time: started.elapsed(),
    }
}

fn run() {
    let mut args = std::env::args().skip(1);
    let dir = args.next().unwrap_or_else(|| ".".to_owned());
    let options: Vec<String> = args.collect();
    let all = options.iter().any(|a| a == "--all");
    let reasons = options.iter().any(|a| a == "--reasons");
    let mut paths = Vec::new();
    files(Path::new(&dir), &mut paths);
    paths.sort();
    let db = CompilerDb::new(Arc::new(Disk));
    let started = Instant::now();
    if let Some(first) = paths.first() {
        let _ = check(&db, first);
    }
    let first = started.elapsed();
    let (mut accepted, mut total, mut refused, mut negative, mut panics) = (0, 0, 0, 0, 0);
    let mut slowest: Vec<(Duration, PathBuf)> = Vec::new();
    for path in &paths {
        let outcome = check(&db, path);
        if outcome.panicked {
            panics += 1;
            println!("PANIC {}", path.display());
        }
        slowest.push((outcome.time, outcome.path.clone()));
        if let Some(expected) = outcome.expected {
            negative += 1;
            match outcome.said {
                Some(said) => {
                    refused += 1;
                    if reasons {
                        println!("REASON {}\nexpected: {expected}\n{said}", outcome.path.display());
                    }
                }
                None => println!("ACCEPTED {}", outcome.path.display()),
            }
            continue;
        }
        let skip = path.components().any(|c| c.as_os_str() == "ad" || c.as_os_str() == "accs");
        if skip && !all {
            continue;
        }
        total += 1;
        match outcome.said {
            None => accepted += 1,
            Some(said) => println!("REFUSED {}\n{said}", outcome.path.display()),
        }
    }
    slowest.sort();
    for (time, path) in slowest.iter().rev().take(5) {
        println!("slow: {time:?} {}", path.display());
    }
    println!("first file with the prelude: {first:?}; all: {:?}", started.elapsed());
    println!("valid: {accepted} of {total} accepted");
    println!("invalid: {refused} of {negative} refused; {panics} panics");
}

fn main() {
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(run);
    if let Ok(handle) = thread {
        let _ = handle.join();
    }
}

//! Generated programs as compiled code: many of them in one file, with what the interpreter makes of
//! their first Core as expected results, given to `futc test`.

use super::args::{Args, FRESH, SHRINK, TIME_LIMIT};
use super::found::Found;
use crate::guard::{Outcome, guarded, progress};
use futc_frontend::db::CompilerDb;
use futc_frontend::world::Disk;
use futc_generate::oracle::meaning;
use futc_generate::shrink::shrink;
use futc_generate::{Program, generate};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

/// A program with its test block.
struct Tested {
    seed: u64,
    text: String,
}

/// What `futc test` says of one case.
struct Result_ {
    case: String,
    passed: bool,
    detail: String,
}

/// What became of the programs.
pub struct Compiled {
    /// Programs with the same results.
    pub agreed: u64,
    /// Programs left out, as they run too long or show something wrong without being compiled.
    pub left_out: u64,
    /// What is wrong.
    pub found: Vec<Found>,
}

/// Runs programs as compiled for a target.
pub fn run(root: &Path, args: &Args, target: &str) -> Result<Compiled, String> {
    let futc = args.futc.clone().unwrap_or_else(|| root.join("target/debug/futc"));
    let scratch = tempfile::tempdir().map_err(|e| format!("temporary directory: {e}"))?;
    let tester = Tester { futc, target: target.into(), dir: scratch.path().to_owned() };
    let bar = progress(args.number);
    bar.set_message(target.to_owned());
    let mut out = Compiled { agreed: 0, left_out: 0, found: Vec::new() };
    let mut first = args.seed;
    let end = args.seed + args.number;
    while first < end && (args.keep_going || out.found.is_empty()) {
        let last = (first + args.batch.max(1)).min(end);
        let tested = with_blocks(first..last)?;
        out.left_out += (last - first) - tested.len() as u64;
        let before = out.found.len();
        tester.batch(&tested, &mut out)?;
        for f in out.found.iter().skip(before) {
            bar.suspend(|| f.print());
            f.save(args)?;
        }
        bar.inc(last - first);
        first = last;
    }
    bar.finish_and_clear();
    Ok(out)
}

/// Put before names at top level.
fn prefix(seed: u64) -> String {
    format!("p{seed}_")
}

/// Writes the programs of these seeds to files with test blocks, as far as the interpreter has something to
/// say about them.
pub fn write_generated(seeds: std::ops::Range<u64>, dir: &Path) -> Result<Vec<PathBuf>, String> {
    let mut out = Vec::new();
    for t in with_blocks(seeds)? {
        let file = dir.join(format!("seed{}.fut", t.seed));
        std::fs::write(&file, &t.text).map_err(|e| format!("{}: {e}", file.display()))?;
        out.push(file);
    }
    Ok(out)
}

/// The programs of these seeds, as far as the interpreter has something to say about them.
fn with_blocks(seeds: std::ops::Range<u64>) -> Result<Vec<Tested>, String> {
    let jobs: Vec<u64> = seeds.collect();
    let outcomes = guarded(jobs.clone(), TIME_LIMIT, |db, seed: &u64| {
        if seed.is_multiple_of(FRESH) {
            *db = CompilerDb::new(Arc::new(Disk));
        }
        with_block(db, &generate(*seed, &prefix(*seed)))
    })?;
    let tested = jobs.into_iter().zip(outcomes).filter_map(|(seed, outcome)| match outcome {
        Outcome::Done(Some(text)) => Some(Tested { seed, text }),
        Outcome::Done(None) | Outcome::Panicked(_) | Outcome::Hung => None,
    });
    Ok(tested.collect())
}

/// A program behind a test block with what it means.
fn with_block(db: &mut CompilerDb, program: &Program) -> Option<String> {
    let expected = match meaning(db, program).ok()? {
        Ok(values) => {
            let values: Vec<String> = values.iter().map(|v| v.to_text()).collect();
            format!("output {{ {} }}", values.join(" "))
        }
        Err(_) => "error: .".to_owned(),
    };
    let (entry, input) = (&program.entry, program.input());
    let block = format!("-- ==\n-- entry: {entry}\n-- input {{ {input} }}\n-- {expected}\n");
    Some(format!("{block}\n{}", program.text()))
}

struct Tester {
    futc: PathBuf,
    target: String,
    dir: PathBuf,
}

impl Tester {
    /// Tests programs in one file. If it cannot be compiled, each by itself.
    fn batch(&self, tested: &[Tested], out: &mut Compiled) -> Result<(), String> {
        let texts: Vec<&str> = tested.iter().map(|t| t.text.as_str()).collect();
        let results = self.test(&texts.join("\n"))?;
        let uncompiled = |r: &Result_| !r.passed && r.detail.starts_with("compilation");
        if tested.len() > 1 && results.iter().any(uncompiled) {
            for t in tested {
                self.batch(std::slice::from_ref(t), out)?;
            }
            return Ok(());
        }
        for t in tested {
            let entry = format!("{}main ", prefix(t.seed));
            match results.iter().find(|r| r.case.starts_with(&entry)) {
                Some(r) if r.passed => out.agreed += 1,
                Some(r) => {
                    let minimal = self.minimal(t.seed, &r.detail);
                    out.found.push(Found {
                        seed: t.seed,
                        class: format!("{}: {}", self.target, class(&r.detail)),
                        said: r.detail.clone(),
                        program: minimal,
                    });
                }
                None => return Err(format!("futc test says nothing of seed {}", t.seed)),
            }
        }
        Ok(())
    }

    fn test(&self, text: &str) -> Result<Vec<Result_>, String> {
        let (file, json) = (self.dir.join("batch.fut"), self.dir.join("results.json"));
        std::fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))?;
        let done = Command::new(&self.futc)
            .arg("test")
            .arg("--no-terminal")
            .arg(format!("--backend={}", self.target))
            .arg("--timeout=300")
            .arg("--json")
            .arg(&json)
            .arg(&file)
            // No program is compiled twice.
            .env("FUTC_CACHE_SIZE", "0")
            .output()
            .map_err(|e| format!("{}: {e}", self.futc.display()))?;
        let text = std::fs::read_to_string(&json).map_err(|_| {
            format!("futc test ended without results: {}", String::from_utf8_lossy(&done.stderr))
        })?;
        let _ = std::fs::remove_file(&json);
        let rows: Vec<serde_json::Value> =
            serde_json::from_str(&text).map_err(|e| format!("results of futc test: {e}"))?;
        let get = |row: &serde_json::Value, k: &str| {
            row.get(k).and_then(|v| v.as_str()).unwrap_or_default().to_owned()
        };
        let results = rows.iter().map(|row| Result_ {
            case: get(row, "case"),
            passed: get(row, "result") == "passed",
            detail: get(row, "detail"),
        });
        Ok(results.collect())
    }

    /// A smaller program that fails in the same way.
    fn minimal(&self, seed: u64, detail: &str) -> Program {
        let mut db = CompilerDb::new(Arc::new(Disk));
        let wanted = class(detail);
        let program = generate(seed, &prefix(seed));
        shrink(&program, Instant::now() + 4 * SHRINK, &mut |p| {
            // The front end may be what panics; then the program is of no use here.
            let text =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| with_block(&mut db, p)));
            let Ok(Some(text)) = text else { return false };
            let results = self.test(&text).unwrap_or_default();
            results.iter().any(|r| !r.passed && class(&r.detail) == wanted)
        })
    }
}

/// What faults have in common.
fn class(detail: &str) -> String {
    let line = detail.lines().next().unwrap_or_default();
    match line.split_once(',') {
        Some((kind, _)) if kind.starts_with("Value #") => "another result".into(),
        _ => line.chars().filter(|c| !c.is_ascii_digit()).take(60).collect(),
    }
}

//! Programs that somebody wrote, on inputs that nobody thought of: the interpreter and the targets must
//! agree about each.
//!
//! Every entry point gets inputs made from those of the test blocks, and fresh ones (see
//! `tools/generate/src/vary`). A program is compiled once for each target, as a server. Everything
//! depends on the seed but what runs out of time.

mod args;
mod counts;
mod judge;
mod report;
mod save;
mod target;

pub use args::Args;

use crate::guard::{Outcome, guarded, progress};
use crate::random::write_generated;
use counts::Counts;
use futc_frontend::db::CompilerDb;
use futc_frontend::world::Disk;
use futc_generate::oracle::{Verdict, core_at};
use futc_generate::random::Random;
use futc_generate::values::Data;
use futc_generate::vary::inputs;
use futc_generate::vary::levels::{Bounds, Levels};
use futc_generate::vary::signature::Signature;
use futc_midend::internalise::Options;
use futc_testing::block::{self, Input, TestSpec};
use futc_testing::input::input_values;
use futc_testing::programs::programs_in;
use futc_typed::name::Name;
use judge::Judge;
use report::Report;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use target::Target;

/// One program takes no longer.
const TIME_LIMIT: Duration = Duration::from_secs(600);
/// What a run may take in the interpreter.
const BOUNDS: Bounds = Bounds { steps: 200_000, depth: 500, array_bytes: 1 << 26 };
/// Longer inputs of test blocks are not begun with.
const LONGEST_INPUT: u64 = 200_000;

/// Runs it all; fails if anything is wrong.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    let own = [root.join("examples"), root.join("lit-tests/programs")];
    let paths = if args.paths.is_empty() { &own[..] } else { &args.paths };
    let every = args.every.max(1);
    let mut programs: Vec<PathBuf> = programs_in(paths)?.into_iter().step_by(every).collect();
    let made = tempfile::tempdir().map_err(|e| format!("temporary directory: {e}"))?;
    let seeds = args.seed..args.seed.saturating_add(args.generated);
    programs.extend(write_generated(seeds, made.path())?);
    if let Some(dir) = &args.save {
        std::fs::create_dir_all(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    }
    let futc = args.futc.clone().unwrap_or_else(|| root.join("target/debug/futc"));
    let started = Instant::now();
    let bar = progress(programs.len() as u64);
    let jobs = args.jobs.max(1);
    let mut reports: Vec<(PathBuf, Report)> = Vec::new();
    let done = std::thread::scope(|scope| {
        let mut threads = Vec::new();
        for first in 0..jobs {
            let mine: Vec<PathBuf> = programs.iter().skip(first).step_by(jobs).cloned().collect();
            let (bar, args, futc) = (bar.clone(), args.clone(), futc.clone());
            threads.push(scope.spawn(move || {
                let work = move |db: &mut CompilerDb, path: &PathBuf| {
                    // The old one keeps something of each program.
                    *db = CompilerDb::new(Arc::new(Disk));
                    let report = check(db, path, &args, &futc);
                    bar.inc(1);
                    report
                };
                guarded(mine.clone(), TIME_LIMIT, work).map(|o| (mine, o))
            }));
        }
        for t in threads {
            let (paths, outcomes) = t.join().map_err(|_| "a thread ended")??;
            let outcomes = outcomes.into_iter().map(|o| match o {
                Outcome::Done(report) => report,
                Outcome::Panicked(what) => Report::failed(format!("a panic: {what}")),
                Outcome::Hung => Report::failed("no end".into()),
            });
            reports.extend(paths.into_iter().zip(outcomes));
        }
        Ok::<_, String>(())
    });
    bar.finish_and_clear();
    done?;
    reports.sort_by(|a, b| a.0.cmp(&b.0));
    let mut all = Counts::default();
    let (mut ran, mut wrong) = (0, 0);
    for (path, report) in &reports {
        all.add(&report.counts);
        ran += usize::from(report.counts.pairs > 0);
        if let Some(why) = report.left_out.as_ref().filter(|_| args.verbose) {
            println!("{}: left out: {why}", path.display());
        }
        for remark in report.remarks.iter().filter(|_| args.verbose) {
            println!("{}: {remark}", path.display());
        }
        for w in &report.wrong {
            println!("{}: {w}", path.display());
            save::save(args.save.as_deref(), path, w, wrong)?;
            wrong += 1;
        }
    }
    print!("{all}");
    println!(
        "{ran} programs of {}, seed {}; {wrong} pairs show something wrong; {:.1} s",
        reports.len(),
        args.seed,
        started.elapsed().as_secs_f64()
    );
    if wrong == 0 { Ok(()) } else { Err("programs show something wrong".into()) }
}

fn check(db: &mut CompilerDb, path: &Path, args: &Args, futc: &Path) -> Report {
    let Ok(bytes) = std::fs::read(path) else { return Report::left_out("it cannot be read") };
    let text = String::from_utf8_lossy(&bytes);
    if ["#[scratch]", "#[blank]"].iter().any(|a| text.contains(a)) {
        return Report::left_out("it makes arrays whose elements are not defined");
    }
    let spec = match block::parse(&text) {
        Ok(spec) => spec,
        Err(e) => return Report::left_out(e),
    };
    if spec.error.is_some() || spec.tags.iter().any(|t| t == "disable") {
        return Report::left_out("it is not to be compiled");
    }
    let extra_entries = spec.cases.iter().map(|c| Name::new(&c.entry)).collect();
    // What is marked unsafe may do anything.
    let options = Options { extra_entries, safe: true, ..Options::default() };
    let core = match core_at(db, &path.to_string_lossy(), &options) {
        Ok(core) => core,
        Err(Verdict::Wrong(fault)) => return Report::failed(fault.what),
        Err(Verdict::Refused(why)) => return Report::left_out(why),
        Err(Verdict::Agreed(_) | Verdict::TooLong) => return Report::default(),
    };
    let signatures: Vec<Signature> =
        Signature::all(&core).into_iter().filter(|s| !s.params.is_empty()).collect();
    if signatures.is_empty() {
        return Report::left_out("no entry point takes values that can be written down");
    }
    let names: Vec<&str> = spec.cases.iter().map(|c| c.entry.as_str()).collect();
    let scratch = match tempfile::Builder::new().prefix("futc-vary-").tempdir() {
        Ok(dir) => dir,
        Err(e) => return Report::left_out(format!("temporary directory: {e}")),
    };
    let mut targets = Vec::new();
    for name in &args.targets {
        match Target::compile(futc, path, name, &names, args, scratch.path()) {
            Ok(target) => targets.push(target),
            Err(what) if what.contains("limitation") => return Report::left_out(what),
            Err(what) => return Report::failed(format!("{name}: compilation: {what}")),
        }
    }
    let mut judge = Judge::new(Levels::new(core, BOUNDS), targets);
    for s in &signatures {
        let mut random = Random::new(args.seed ^ hash(path, &s.entry));
        for input in inputs(s, &known(&spec, path, &s.entry), &mut random, args.number) {
            if judge.slow() {
                break;
            }
            judge.pair(s, &input);
        }
    }
    judge.report
}

/// The arguments that test blocks give an entry point.
fn known(spec: &TestSpec, path: &Path, entry: &str) -> Vec<Vec<Data>> {
    let cases = spec.cases.iter().filter(|c| c.entry == entry);
    let short = |input: &Input| match input {
        Input::Values(text) => (text.len() as u64) < LONGEST_INPUT,
        Input::File(name) => {
            let file = path.parent().unwrap_or(Path::new("")).join(name);
            std::fs::metadata(file).is_ok_and(|m| m.len() < LONGEST_INPUT)
        }
        // Data sets would be written beside the programs.
        Input::Random(_) | Input::Script(_) | Input::ScriptFile(_) => false,
    };
    let inputs = cases.map(|c| &c.input).filter(|i| short(i));
    inputs.filter_map(|i| input_values(path, i).ok()).take(20).collect()
}

/// The same on every machine, wherever the programs lie.
fn hash(path: &Path, entry: &str) -> u64 {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let bytes = name.bytes().chain(entry.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}

//! The cases of test blocks before and after every pass.

use crate::guard::{Outcome, guarded, progress};
use futc_frontend::db::CompilerDb;
use futc_generate::oracle::{Alone, Bounds, Fault, Run, Verdict, check_core, core_at};
use futc_generate::stats::Stats;
use futc_generate::values::Value;
use futc_midend::internalise::Options;
use futc_midend::ir::{ExtKind, Program};
use futc_testing::block::{self, Case, Input};
use futc_testing::input::input_values;
use futc_testing::programs::programs_in;
use futc_typed::name::Name;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Which programs.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Programs, and folders of them; examples and lit-tests/programs by default.
    paths: Vec<PathBuf>,
    /// Steps that a case may take in the interpreter before any pass; cases that take more are left
    /// out.
    #[arg(long, default_value_t = 200_000)]
    steps: u64,
    /// Name what is left out, and why.
    #[arg(short, long)]
    verbose: bool,
    /// Print what the programs reach: operations, and what passes did.
    #[arg(long)]
    stats: bool,
}

/// One program takes no longer.
const TIME_LIMIT: Duration = Duration::from_secs(300);
/// Bytes of one array.
const ARRAY_BYTES: i64 = 1 << 26;

/// What became of a program.
#[derive(Default)]
struct Report {
    agreed: usize,
    failing: usize,
    /// Cases, and why they were not run.
    left_out: Vec<(String, &'static str)>,
    wrong: Option<String>,
    stats: Stats,
}

impl Report {
    fn wrong(what: String) -> Report {
        Report { wrong: Some(what), ..Report::default() }
    }
}

/// Runs it all; fails if anything differs.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    let own = [root.join("examples"), root.join("lit-tests/programs")];
    let paths = if args.paths.is_empty() { &own[..] } else { &args.paths };
    let programs = programs_in(paths)?;
    let started = Instant::now();
    let bounds = Bounds { steps: args.steps, array_bytes: ARRAY_BYTES };
    let bar = progress(programs.len() as u64);
    let counting = bar.clone();
    let work = move |db: &mut CompilerDb, path: &PathBuf| {
        let report = check(db, path, bounds);
        counting.inc(1);
        report
    };
    let outcomes = guarded(programs.clone(), TIME_LIMIT, work)?;
    bar.finish_and_clear();
    let mut all = Report::default();
    let mut wrong = 0;
    for (path, outcome) in programs.iter().zip(outcomes) {
        let report = match outcome {
            Outcome::Done(report) => report,
            Outcome::Panicked(what) => Report::wrong(format!("a panic: {what}")),
            Outcome::Hung => Report::wrong("no end".into()),
        };
        if let Some(what) = &report.wrong {
            println!("{}: {what}", path.display());
            wrong += 1;
        }
        for (case, why) in report.left_out.iter().filter(|_| args.verbose) {
            println!("{}: {case}: left out: {why}", path.display());
        }
        all.agreed += report.agreed;
        all.failing += report.failing;
        all.left_out.extend(report.left_out);
        all.stats.add(&report.stats);
    }
    if args.stats {
        println!("{}", all.stats);
    }
    println!(
        "{} cases of {} programs agree before and after every pass, {} of them by failing; {} cases are \
         left out; {wrong} programs show something wrong; {:.1} s",
        all.agreed,
        all.stats.programs,
        all.failing,
        all.left_out.len(),
        started.elapsed().as_secs_f64()
    );
    if wrong == 0 { Ok(()) } else { Err("programs show something wrong".into()) }
}

fn check(db: &mut CompilerDb, path: &Path, bounds: Bounds) -> Report {
    let text = match std::fs::read(path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(e) => return Report::wrong(e.to_string()),
    };
    let spec = match block::parse(&text) {
        Ok(spec) => spec,
        Err(e) => return Report::wrong(e),
    };
    if spec.error.is_some() || spec.tags.iter().any(|t| t == "disable") || spec.cases.is_empty() {
        return Report::default();
    }
    let extra_entries = spec.cases.iter().map(|c| Name::new(&c.entry)).collect();
    let options = Options { extra_entries, ..Options::default() };
    let core = match core_at(db, &path.to_string_lossy(), &options) {
        Ok(core) => core,
        Err(Verdict::Refused(why)) => return Report::wrong(why),
        Err(Verdict::Wrong(fault)) => return Report::wrong(said(&fault)),
        Err(Verdict::Agreed(_) | Verdict::TooLong) => return Report::default(),
    };
    let mut report = Report::default();
    let mut runs = Vec::new();
    for case in &spec.cases {
        match run_of(&core, path, case) {
            Ok(run) => runs.push(run),
            Err(why) => report.left_out.push((name(case), why)),
        }
    }
    if runs.is_empty() {
        return report;
    }
    match check_core(&core, &runs, bounds, Alone::Both, &mut report.stats) {
        Ok(outcomes) => {
            for (run, outcome) in runs.into_iter().zip(outcomes) {
                match outcome {
                    Some(truth) => {
                        report.agreed += 1;
                        report.failing += usize::from(truth.is_err());
                    }
                    None => report.left_out.push((run.name, "it takes too many steps")),
                }
            }
        }
        Err(fault) => report.wrong = Some(said(&fault)),
    }
    report
}

fn said(fault: &Fault) -> String {
    format!("{:?} after {}: {}", fault.kind, fault.stage, fault.what)
}

fn name(case: &Case) -> String {
    format!("{} {}", case.entry, case.name)
}

/// A case as a run, or why it is none.
fn run_of(core: &Program, path: &Path, case: &Case) -> Result<Run, &'static str> {
    if matches!(case.input, Input::Script(_) | Input::ScriptFile(_)) {
        return Err("a script needs a server");
    }
    let mut entries = core.funs.iter().filter_map(|f| f.entry.as_ref());
    let entry = entries.find(|e| e.name.as_str() == case.entry);
    let entry = entry.ok_or("there is no such entry point")?;
    let values = input_values(path, &case.input).map_err(|_| "the input cannot be read")?;
    if values.len() != entry.params.len() {
        return Err("the input is of another number of values");
    }
    let mut args = Vec::new();
    for (value, (_, ty)) in values.iter().zip(&entry.params) {
        let ExtKind::Transparent { prim, rank, .. } = &ty.kind else {
            return Err("an argument is opaque");
        };
        let value = value.retyped(*prim).filter(|v| v.shape.len() == *rank);
        args.push(Value(value.ok_or("an argument is of another type")?));
    }
    Ok(Run { name: name(case), entry: case.entry.clone(), args, exact: Vec::new() })
}

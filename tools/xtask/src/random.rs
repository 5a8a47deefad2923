//! Generated programs before and after every pass, and as compiled code.
//!
//! A program is made from a number, its seed, so that a run can be repeated; what goes wrong is shrunk
//! to a minimal program and printed.

mod compiled;
mod edited;

pub use compiled::write_generated;

use crate::guard::{Outcome, guarded_each, progress};
use futc_frontend::db::CompilerDb;
use futc_frontend::world::Disk;
use futc_generate::oracle::{Fault, Verdict, check_program};
use futc_generate::shrink::shrink;
use futc_generate::stats::Stats;
use futc_generate::{Program, generate};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How many programs to make, and what to do with them.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many programs.
    #[arg(short = 'n', long, default_value_t = 1000)]
    number: u64,
    /// The first program's seed; the next ones follow.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// What is to agree: `interpreter` is every pass, the others are targets of the compiler.
    #[arg(long, value_delimiter = ',', default_value = "interpreter")]
    target: Vec<String>,
    /// The compiler, for targets; target/debug/futc by default.
    #[arg(long)]
    futc: Option<PathBuf>,
    /// So many programs are compiled at once.
    #[arg(long, default_value_t = 50)]
    batch: u64,
    /// Edit the programs so many times instead, and compare what is compiled with and without a cache.
    #[arg(long, value_name = "TIMES")]
    edits: Option<u64>,
    /// Go on after something wrong was found.
    #[arg(short, long)]
    keep_going: bool,
    /// Print what the programs reach: operations, and what passes did.
    #[arg(long)]
    stats: bool,
    /// Print the program and its arguments, and do nothing else.
    #[arg(long)]
    show: bool,
    /// Write minimal programs to this folder, which is made if need be; and the one at work as
    /// now.fut, as a stack overflow ends the run.
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
}

/// One program takes no longer, but for shrinking.
const TIME_LIMIT: Duration = Duration::from_secs(60);
/// Shrinking takes no longer.
const SHRINK: Duration = Duration::from_secs(30);
/// A new database after so many programs, as the old one keeps something of each.
const FRESH: u64 = 300;
/// Of one class of faults, no more are printed.
const PRINTED: usize = 2;

/// Runs it all.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    if args.show {
        for seed in args.seed..args.seed + args.number {
            let p = generate(seed, PREFIX);
            println!("-- seed {seed}, input: {}\n{}", p.input(), p.pretty());
        }
        return Ok(());
    }
    if let Some(dir) = &args.save {
        std::fs::create_dir_all(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    }
    if let Some(edits) = args.edits {
        let e = edited::run(root, args, edits)?;
        println!(
            "{} programs from seed {}, edited: {} versions are the same with and without a cache, which \
             had {} of their {} units; {} edits were refused",
            args.number, args.seed, e.versions, e.found, e.units, e.refused
        );
        return Ok(());
    }
    let mut wrong = false;
    for target in &args.target {
        if target == "interpreter" {
            wrong |= !passes(args)?;
            continue;
        }
        let started = Instant::now();
        let c = compiled::run(root, args, target)?;
        println!(
            "{target}: {} programs from seed {}: {} agree with the interpreter, {} are left out, {} do \
             not agree; {:.1} s",
            c.agreed + c.left_out + c.found.len() as u64,
            args.seed,
            c.agreed,
            c.left_out,
            c.found.len(),
            started.elapsed().as_secs_f64()
        );
        wrong |= !c.found.is_empty();
    }
    if wrong { Err("generated programs show something wrong".into()) } else { Ok(()) }
}

/// Something wrong that a program shows.
struct Found {
    seed: u64,
    class: String,
    said: String,
    program: Program,
}

impl Found {
    fn print(&self) {
        println!("seed {}: {}: {}", self.seed, self.class, self.said);
        println!("-- input: {}\n{}", self.program.input(), self.program.pretty());
    }

    fn save(&self, args: &Args) -> Result<(), String> {
        let Some(dir) = &args.save else { return Ok(()) };
        let file = dir.join(format!("{}.fut", self.seed));
        std::fs::write(&file, self.program.pretty()).map_err(|e| format!("{}: {e}", file.display()))
    }
}

/// Put before names at top level.
const PREFIX: &str = "p_";

struct Report {
    verdict: Verdict,
    stats: Stats,
    /// The minimal program, if something is wrong.
    minimal: Option<Box<Program>>,
}

/// Whether all passes agree on all programs.
fn passes(args: &Args) -> Result<bool, String> {
    let seeds: Vec<u64> = (args.seed..args.seed + args.number).collect();
    let bar = progress(args.number);
    let save = args.save.clone();
    let mut stats = Stats::default();
    let mut classes: BTreeMap<String, usize> = BTreeMap::new();
    let (mut agreed, mut long, mut wrong) = (0, 0, 0);
    let started = Instant::now();
    let mut seed = args.seed;
    let work = move |db: &mut CompilerDb, seed: &u64| {
        if seed.is_multiple_of(FRESH) {
            *db = CompilerDb::new(Arc::new(Disk));
        }
        let program = generate(*seed, PREFIX);
        if let Some(dir) = &save {
            let _ = std::fs::write(dir.join("now.fut"), program.text());
        }
        let mut stats = Stats::default();
        let verdict = check_program(db, &program, &mut stats);
        let minimal = match &verdict {
            Verdict::Wrong(fault) => Some(Box::new(minimal(db, &program, fault))),
            Verdict::Agreed(_) | Verdict::Refused(_) | Verdict::TooLong => None,
        };
        Report { verdict, stats, minimal }
    };
    guarded_each(seeds, TIME_LIMIT, work, |outcome| {
        bar.inc(1);
        let done = seed + 1 - args.seed;
        if bar.is_hidden() && done.is_multiple_of(1000) {
            eprintln!("{done} programs, {:.0} s", started.elapsed().as_secs_f64());
        }
        let this = seed;
        seed += 1;
        let (class, said, minimal) = match outcome {
            Outcome::Done(r) => {
                stats.add(&r.stats);
                match r.verdict {
                    Verdict::Agreed(_) => {
                        agreed += 1;
                        return true;
                    }
                    Verdict::TooLong => {
                        long += 1;
                        return true;
                    }
                    Verdict::Refused(why) => {
                        let code = why.split(": ").nth(1).unwrap_or_default();
                        (format!("refused by the front end: {code}"), why, None)
                    }
                    Verdict::Wrong(f) => (class(&f), f.what, r.minimal),
                }
            }
            Outcome::Panicked(what) => ("a panic".to_owned(), what, None),
            Outcome::Hung => ("no end".to_owned(), String::new(), None),
        };
        wrong += 1;
        let count = classes.entry(class.clone()).or_default();
        *count += 1;
        if *count <= PRINTED {
            let program = minimal.map_or_else(|| generate(this, PREFIX), |p| *p);
            let found = Found { seed: this, class, said, program };
            bar.suspend(|| found.print());
            if let Err(e) = found.save(args) {
                bar.suspend(|| eprintln!("{e}"));
            }
        }
        args.keep_going
    })?;
    bar.finish_and_clear();
    if args.stats {
        println!("{stats}");
    }
    println!(
        "{} programs from seed {}: {agreed} agree everywhere, {long} run too long, {wrong} show something \
         wrong; {:.1} s",
        seed - args.seed,
        args.seed,
        started.elapsed().as_secs_f64()
    );
    for (class, n) in &classes {
        println!("{n:>7} {class}");
    }
    Ok(wrong == 0)
}

/// What faults have in common: how and where, without the number of the pass.
fn class(f: &Fault) -> String {
    let stage: String = f.stage.chars().filter(|c| !c.is_ascii_digit()).collect();
    format!("{:?} after {stage}", f.kind)
}

fn minimal(db: &mut CompilerDb, program: &Program, fault: &Fault) -> Program {
    let until = Instant::now() + SHRINK;
    let mut tries: u32 = 0;
    shrink(program, until, &mut |p| {
        tries += 1;
        if tries.is_multiple_of(500) {
            *db = CompilerDb::new(Arc::new(Disk));
        }
        let verdict = check_program(db, p, &mut Stats::default());
        matches!(verdict, Verdict::Wrong(f) if f.kind == fault.kind)
    })
}

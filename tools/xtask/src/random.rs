//! Generated programs before and after every pass, and as compiled code.
//!
//! A program is made from a number, its seed, so that a run can be repeated; what goes wrong is shrunk
//! to a minimal program and printed.

mod args;
mod compiled;
mod edited;
mod found;

pub use args::Args;
pub use compiled::write_generated;

use crate::guard::{Outcome, guarded_each, progress};
use args::{FRESH, SHRINK, TIME_LIMIT};
use found::Found;
use futc_frontend::db::CompilerDb;
use futc_frontend::world::Disk;
use futc_generate::oracle::{Fault, Verdict, check_program};
use futc_generate::shrink::shrink;
use futc_generate::stats::Stats;
use futc_generate::{Program, generate};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

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

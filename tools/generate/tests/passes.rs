//! A bounded slice of `cargo xtask random`.

#![allow(clippy::panic, reason = "tests")]

use futc_frontend::db::CompilerDb;
use futc_frontend::world::Memory;
use futc_generate::generate;
use futc_generate::oracle::{Verdict, check_program};
use futc_generate::shrink::shrink;
use futc_generate::stats::Stats;
use futc_generate::tree::Program;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The compiler recurses: it is given the stack that the driver has.
fn with_stack(f: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 28).spawn(f);
    let done = thread.map(std::thread::JoinHandle::join);
    assert!(matches!(done, Ok(Ok(()))), "the thread failed, see above");
}

/// So many programs are made in any case, and so many until every pass of [`PASSES`] has had something to do.
const FEWEST: u64 = 120;
const MOST: u64 = 360;

/// Passes that a few hundred programs reach.
const PASSES: [&str; 16] = [
    "fuse",
    "inline",
    "hoist-invariant",
    "short-circuit",
    "collapse",
    "fuse-scan",
    "fuse-loops",
    "sink",
    "sink-rows",
    "index-set-splitting",
    "unflatten",
    "flattened-histograms",
    "write-in-loops",
    "propagate-views",
    "reduce-filtered",
    "unroll",
];

/// Whether a pass has changed more than one program.
fn reached(stats: &Stats, pass: &str) -> bool {
    stats.passes.get(pass).is_some_and(|(alone, later)| alone + later > 1)
}

#[test]
fn passes_keep_what_generated_programs_mean() {
    with_stack(|| {
        let mut db = CompilerDb::new(Arc::new(Memory::new()));
        let mut stats = Stats::default();
        // A change of the generator moves what its first programs reach, so rare passes get more of them.
        for seed in 0..MOST {
            if seed >= FEWEST && PASSES.iter().all(|pass| reached(&stats, pass)) {
                break;
            }
            let program = generate(seed, "p_");
            match check_program(&mut db, &program, &mut stats) {
                Verdict::Agreed(_) | Verdict::TooLong => {}
                Verdict::Refused(why) => panic!("seed {seed}: {why}\n{}", program.pretty()),
                Verdict::Wrong(f) => panic!(
                    "seed {seed}: {:?} after {}: {}\n{}",
                    f.kind,
                    f.stage,
                    f.what,
                    program.pretty()
                ),
            }
        }
        // Programs that reach little would show little.
        for op in ["map", "reduce", "scan", "hist", "scatter", "loop", "while", "if", "update"] {
            assert!(stats.operations.get(op).is_some_and(|n| *n > 5), "{op}\n{stats}");
        }
        for pass in PASSES {
            assert!(reached(&stats, pass), "{pass}\n{stats}");
        }
    });
}

#[test]
fn programs_are_the_same_in_every_run() {
    for seed in 0..50 {
        assert_eq!(generate(seed, "p_").text(), generate(seed, "p_").text());
    }
    assert_ne!(generate(1, "p_").text(), generate(2, "p_").text());
}

#[test]
fn programs_shrink_to_what_matters() {
    with_stack(|| {
        let mut db = CompilerDb::new(Arc::new(Memory::new()));
        // Parameters of functions stay as they are, and so do calls of polymorphic functions, of which arguments have types
        // of their own.
        let scatters = |p: &Program| {
            p.text().split_once("entry ").is_some_and(|(_, main)| main.contains("scatter"))
        };
        let suits = |p: &Program| scatters(p) && !p.text().contains(" 't");
        let programs = (0..400).map(|s| generate(s, "p_")).filter(suits).take(3);
        // As if whatever scatters were wrong.
        let minimal: Vec<String> = programs
            .map(|program| {
                let until = Instant::now() + Duration::from_secs(60);
                let minimal = shrink(&program, until, &mut |p| {
                    futc_generate::oracle::core_of(&mut db, p).is_ok() && scatters(p)
                });
                minimal.text()
            })
            .collect();
        // One may stand in functions whose results need others.
        let small = minimal.iter().filter(|text| text.len() < 600).count();
        assert!(minimal.len() == 3 && small >= 2, "{}", minimal.join("\n\n"));
    });
}

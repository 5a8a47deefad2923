//! Programs of target `multicore` against those of `seq`, in turns: with one thread and with as many as there are
//! processors. Of the programs of `benches/programs`, or of the forms of parallelism of `benches/sweep.fut`, at sizes
//! from 1 to 10⁷. Programs whose C version says by OpenMP what is parallel are measured against that, too, and those that have a version with
//! parlaylib against that.

use super::args::Args;
use super::peers::{self, Kind};
use super::process::{all_programs, write};
use super::turns::{self, Builder, Often, Ran, Variant, mean};
use indicatif::ProgressBar;
use std::path::Path;

/// Elements that all rounds of an entry point of the sweep go through together, and rounds at most.
const ELEMENTS: u64 = 20_000_000;
const MOST_ROUNDS: u64 = 100_000;
/// Whom programs are measured against besides.
const OTHERS: [Kind; 2] = [Kind::Openmp, Kind::Parlay];
const SIZES: [u64; 8] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];

fn builders(root: &Path, args: &Args) -> [Builder; 2] {
    ["--target=seq", "--target=multicore"].map(|target| {
        let options = [target.to_owned()].into_iter().chain(args.options.clone());
        Builder { futc: root.join(&args.futc), options: options.collect() }
    })
}

/// Without threads, with one, with all.
fn variants(entry: Option<&str>) -> [Variant; 3] {
    [(0, None), (1, Some("--num-threads=1")), (1, None)].map(|(builder, threads)| {
        let entry = entry.into_iter().flat_map(|e| ["-e", e]);
        Variant { builder, arguments: entry.chain(threads).map(String::from).collect() }
    })
}

/// Measures programs, and prints a table.
pub fn programs(root: &Path, args: &Args, bar: &ProgressBar) -> Result<(), String> {
    let programs = root.join("benches/programs");
    let names = if args.names.is_empty() { all_programs(&programs)? } else { args.names.clone() };
    bar.set_length(names.len() as u64);
    println!(
        "| Program | seq, ms | one thread | all threads | peak: all / seq, MiB | compile time | all / OpenMP | all / parlaylib |"
    );
    println!("|:---|---:|---:|---:|---:|---:|---:|---:|");
    let mut failures = Vec::new();
    let mut ratios = Vec::new();
    let mut others = OTHERS.map(|_| Vec::new());
    for name in &names {
        bar.set_message(name.clone());
        let peers = variants(None);
        let peers = (peers.as_slice(), OTHERS.as_slice());
        match turns::program(args, &builders(root, args), peers, &programs, name) {
            Ok(turns::Program { built, ran, kinds }) => {
                if let ([seq, multicore], [alone, one, all, rest @ ..]) =
                    (built.as_slice(), ran.as_slice())
                {
                    let mut cells = Vec::new();
                    for (kind, ratios) in OTHERS.iter().zip(&mut others) {
                        let place = kinds.iter().position(|k| k == kind);
                        let ratio = place.and_then(|i| rest.get(i)).map(|o| all.time / o.time);
                        cells.push(ratio.map(|r| format!("{r:.2}")).unwrap_or_default());
                        ratios.extend(ratio);
                    }
                    let cells = cells.join(" | ");
                    let over = [one.time / alone.time, all.time / alone.time];
                    let compile = multicore.compile / seq.compile;
                    let mib = |r: &Ran| r.memory as f64 / f64::from(1 << 20);
                    bar.suspend(|| {
                        println!(
                            "| {name} | {:.3} | {:.3} | {:.3} | {:.1} / {:.1} | {compile:.2} | {cells} |",
                            alone.time / 1000.0,
                            over[0],
                            over[1],
                            mib(all),
                            mib(alone)
                        );
                    });
                    ratios.push([over[0], over[1], compile]);
                }
            }
            Err(e) => failures.push(format!("{name}: {e}")),
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let [one, all, compile] = [0, 1, 2].map(|i| mean(ratios.iter().map(|r| r[i])));
    let others = others.map(|r| match r.is_empty() {
        true => String::new(),
        false => format!("{:.2}", mean(r.iter().copied())),
    });
    let others = others.join(" | ");
    println!("| geometric mean | | {one:.3} | {all:.3} | | {compile:.2} | {others} |");
    match failures.is_empty() {
        true => Ok(()),
        false => Err(format!("not everything was measured:\n{}", failures.join("\n"))),
    }
}

/// Measures every entry point of the sweep at every size, and prints a table: in a cell, one thread and all of them
/// over `seq`.
pub fn sweep(root: &Path, args: &Args, wanted: &[String], bar: &ProgressBar) -> Result<(), String> {
    let source = root.join("benches/sweep.fut");
    let text =
        std::fs::read_to_string(&source).map_err(|e| format!("{}: {e}", source.display()))?;
    let entries: Vec<&str> = text
        .lines()
        .filter_map(|l| l.strip_prefix("entry ")?.split_whitespace().next())
        .filter(|e| wanted.is_empty() || wanted.iter().any(|n| n == e))
        .collect();
    bar.set_length((entries.len() * SIZES.len()) as u64);
    let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
    let built = turns::build(&builders(root, args), &source, scratch.path())?;
    peers::build_peak(&root.join("benches/programs"), &scratch.path().join("peak.so"))?;
    println!("| Elements | {} |", SIZES.map(|n| n.to_string()).join(" | "));
    println!("|:---|{}", "---:|".repeat(SIZES.len()));
    let mut worst = (0.0_f64, String::new());
    for entry in entries {
        let variants = variants(Some(entry));
        let peers = variants.iter().map(|w| w.peer(&built)).collect::<Result<Vec<_>, _>>()?;
        let mut cells = Vec::new();
        for size in SIZES {
            bar.set_message(format!("{entry} {size}"));
            let rounds = (ELEMENTS / size).clamp(1, MOST_ROUNDS);
            let input = scratch.path().join("input");
            write(&input, &format!("{rounds}i64 {size}i64\n"))?;
            let ran = turns::run(Often::of(args), &peers, &input, scratch.path())?;
            if let [alone, one, all] = ran.as_slice() {
                let (one, all) = (one.time / alone.time, all.time / alone.time);
                cells.push(format!("{one:.2} {all:.2}"));
                if one.max(all) > worst.0 {
                    worst = (one.max(all), format!("{entry} of {size}"));
                }
            }
            bar.inc(1);
        }
        bar.suspend(|| println!("| {entry} | {} |", cells.join(" | ")));
    }
    bar.finish_and_clear();
    println!("largest: {:.2}, {}", worst.0, worst.1);
    Ok(())
}

//! This compiler against an older one, in turns: how long compiling takes, how large the program is, and
//! how long it runs.

use super::args::Args;
use super::measure::{measure, result};
use super::peers::{self, Peer};
use super::process::{all_programs, median, succeed};
use indicatif::ProgressBar;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Compilations of a program by each compiler.
const COMPILATIONS: usize = 3;

/// What one compiler's program comes to.
struct Side {
    futc: PathBuf,
    program: PathBuf,
    compile: Vec<f64>,
    times: Vec<f64>,
    bytes: u64,
}

/// New over old, of a program.
struct Ratios {
    name: String,
    /// Microseconds that the new one runs.
    time: f64,
    run: f64,
    compile: f64,
    bytes: f64,
}

/// Measures all programs with both compilers, and prints a table. The error names programs that could not
/// be measured.
pub fn run(root: &Path, args: &Args, old: &Path, bar: &ProgressBar) -> Result<(), String> {
    let programs = root.join("benches/programs");
    let names = if args.names.is_empty() { all_programs(&programs)? } else { args.names.clone() };
    bar.set_length(names.len() as u64);
    let mut rows = Vec::new();
    let mut failures = Vec::new();
    for name in &names {
        bar.set_message(name.clone());
        match program(args, &[old.to_owned(), root.join(&args.futc)], &programs, name) {
            Ok(row) => rows.push(row),
            Err(e) => failures.push(format!("{name}: {e}")),
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    println!("| Program | ms | time: new / old | compile time: new / old | bytes: new / old |");
    println!("|:---|---:|---:|---:|---:|");
    for r in &rows {
        let ms = r.time / 1000.0;
        println!("| {} | {ms:.3} | {:.3} | {:.3} | {:.3} |", r.name, r.run, r.compile, r.bytes);
    }
    let mean = |of: fn(&Ratios) -> f64| {
        (rows.iter().map(|r| of(r).ln()).sum::<f64>() / rows.len().max(1) as f64).exp()
    };
    println!(
        "| geometric mean | | {:.3} | {:.3} | {:.3} |",
        mean(|r| r.run),
        mean(|r| r.compile),
        mean(|r| r.bytes)
    );
    match failures.is_empty() {
        true => Ok(()),
        false => Err(format!("not everything was measured:\n{}", failures.join("\n"))),
    }
}

/// Compiles a program by both, checks that they agree, and runs them in turns.
fn program(
    args: &Args,
    futcs: &[PathBuf; 2],
    programs: &Path,
    name: &str,
) -> Result<Ratios, String> {
    let source = programs.join(name).join(format!("{name}.fut"));
    let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
    let at = |file: String| scratch.path().join(file);
    let mut sides: Vec<Side> = Vec::new();
    for (i, futc) in futcs.iter().enumerate() {
        let program = at(format!("program{i}"));
        let (compile, times) = (Vec::new(), Vec::new());
        sides.push(Side { futc: futc.clone(), program, compile, times, bytes: 0 });
    }
    for round in 0..COMPILATIONS {
        for side in turns(&mut sides, round) {
            let start = Instant::now();
            succeed(Command::new(&side.futc).arg(&source).arg("-o").arg(&side.program), None)?;
            side.compile.push(start.elapsed().as_secs_f64());
        }
    }
    let input = at("input".into());
    let new = futcs.last().ok_or("no compiler")?;
    succeed(Command::new(new).arg("dataget").arg(&source).arg("#0"), Some(&input))?;
    peers::build_peak(programs, &at("peak.so".into()))?;
    let mut results = Vec::new();
    for (i, side) in sides.iter_mut().enumerate() {
        let output = at(format!("result{i}"));
        side.bytes = std::fs::metadata(&side.program).map_err(|e| e.to_string())?.len();
        result(&peer(side), &input, &output)?;
        results.push(output);
    }
    succeed(Command::new(new).arg("datacmp").args(&results), None)
        .map_err(|e| format!("the results differ: {e}"))?;
    for round in 0..args.rounds as usize {
        for side in turns(&mut sides, round) {
            let (times, _) = measure(&peer(side), &input, scratch.path(), args.runs)?;
            side.times.extend(times);
        }
    }
    let [old, new] = sides.as_mut_slice() else { return Err("no compiler".into()) };
    let over = |new: &mut [f64], old: &mut [f64]| {
        let (new, old) = (median(new), median(old));
        new.zip(old).map(|(new, old)| new / old).ok_or("no times were written")
    };
    Ok(Ratios {
        name: name.into(),
        run: over(&mut new.times, &mut old.times)?,
        time: median(&mut new.times).ok_or("no times were written")?,
        compile: over(&mut new.compile, &mut old.compile)?,
        bytes: new.bytes as f64 / old.bytes as f64,
    })
}

fn peer(side: &Side) -> Peer {
    Peer { kind: None, command: vec![side.program.clone()] }
}

/// Both, the other first in every other round.
fn turns(sides: &mut [Side], round: usize) -> Vec<&mut Side> {
    let mut turns: Vec<&mut Side> = sides.iter_mut().collect();
    if round % 2 == 1 {
        turns.reverse();
    }
    turns
}

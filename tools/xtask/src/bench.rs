//! Program benchmarks: every `benches/programs/NAME/NAME.fut` against the same algorithm in C,
//! NumPy, JAX and Numba, side by side. Writes `docs/benchmarks.md` and `docs/benchmarks.svg`.
//!
//! A program has one entry point `main` and a test block, whose first data set is the input. Every
//! peer is a process with the command line of futc's executables (`harness/bench.h` gives it to C,
//! `harness/peer.py` to Python). Each peer's result must agree with futc's before its time counts.
//! Peers take turns over several rounds, so that what disturbs the machine disturbs all alike, and
//! the median of all runs of all rounds is reported.

mod against;
mod args;
mod bandwidth;
mod basis;
mod cores;
pub mod measure;
pub mod peers;
mod plot;
pub mod process;
pub mod report;
mod row;
mod stages;
pub mod turns;

pub use args::Args;

use crate::figures;
use indicatif::{ProgressBar, ProgressStyle};
use measure::{measure, result};
use peers::{Kind, Peer};
use process::{all_programs, median, succeed, write};
use row::{Cost, Row};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// Measures, prints the table and writes the page and the plot. The error names every program that
/// could not be measured whole; the others are measured all the same.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    for futc in [Some(&args.futc), args.against.as_ref()].into_iter().flatten() {
        let futc = root.join(futc);
        if !futc.is_file() {
            return Err(format!("{}: there is no such compiler; --futc names one", futc.display()));
        }
    }
    // Looked at, not recorded.
    if args.names == ["bandwidth"] {
        println!("{}", bandwidth::table(root, &root.join(&args.futc))?);
        return Ok(());
    }
    let bar = ProgressBar::new(1);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg} {eta}") {
        bar.set_style(style);
    }
    if let Some(old) = &args.against {
        return against::run(root, args, old, &bar);
    }
    if args.cores {
        return match args.names.split_first() {
            Some((first, entries)) if first == "sweep" => cores::sweep(root, args, entries, &bar),
            _ => cores::programs(root, args, &bar),
        };
    }
    let programs = root.join("benches/programs");
    let names = if args.names.is_empty() { all_programs(&programs)? } else { args.names.clone() };
    let (kinds, missing) = peers::available(&programs, &args.peers, args.installed());
    for m in &missing {
        println!("not measured: {m}");
    }
    bar.set_length(names.len() as u64 * u64::from(args.rounds + 1));
    let mut rows = Vec::new();
    let mut failures = Vec::new();
    for name in &names {
        bar.set_message(name.clone());
        match program(root, args, &programs, name, &kinds, &bar, &mut failures) {
            Ok(row) => rows.push(row),
            Err(e) => failures.push(format!("{name}: {e}")),
        }
    }
    bar.finish_and_clear();
    let table = report::table(&rows, &kinds);
    println!("{table}");
    // A part of the programs is looked at, not recorded.
    if args.names.is_empty() && !rows.is_empty() {
        let futc = root.join(&args.futc);
        let mut also = |title: &str, tables: fn(&Path, &Path) -> Result<String, String>| {
            println!("{title} …");
            let tables = tables(root, &futc).unwrap_or_else(|e| {
                failures.push(format!("{title}: {e}"));
                String::new()
            });
            println!("{tables}");
            tables
        };
        let bandwidth = also("Bandwidth", bandwidth::table);
        let basis = also("The functions of the minimal-basis article", basis::tables);
        let mut page = report::page(&rows, &table, &bandwidth, &basis, &missing, &failures, args);
        page.push_str(&format!("\n{}\n", figures::commit_line(&figures::commit(root)?)));
        let docs = root.join("docs");
        write(&docs.join("benchmarks.md"), &page)?;
        plot::draw(&docs.join("benchmarks.svg"), &rows, &kinds)?;
    }
    if failures.is_empty() {
        Ok(())
    } else {
        Err(format!("not everything was measured:\n{}", failures.join("\n")))
    }
}

/// Builds, checks and measures one program with all its peers. What fails of a peer alone goes to
/// `failures`.
fn program(
    root: &Path,
    args: &Args,
    programs: &Path,
    name: &str,
    kinds: &[Kind],
    bar: &ProgressBar,
    failures: &mut Vec<String>,
) -> Result<Row, String> {
    let dir = programs.join(name);
    let source = dir.join(format!("{name}.fut"));
    let futc = root.join(&args.futc);
    let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
    let at = |file: &str| scratch.path().join(file);
    let (input, expected) = (at("input"), at("futc.out"));
    let start = Instant::now();
    let compiling = Command::new(&futc)
        .arg(&source)
        .args(["--target=seq", "--time-passes"])
        .arg("-o")
        .arg(at("futc"))
        .output()
        .map_err(|e| format!("{}: {e}", futc.display()))?;
    let compile = start.elapsed().as_secs_f64();
    let said = String::from_utf8_lossy(&compiling.stderr);
    if !compiling.status.success() {
        return Err(format!("{}\n{}", compiling.status, said.trim()));
    }
    let costliest = stages::costliest(&said).ok_or("futc told no times of passes")?;
    succeed(Command::new(&futc).arg("dataget").arg(&source).arg("#0"), Some(&input))?;
    peers::build_peak(programs, &at("peak.so"))?;
    let own = Peer { kind: None, command: vec![at("futc")] };
    result(&own, &input, &expected)?;
    let mut group = vec![own];
    for kind in kinds {
        let output = at("peer.out");
        let checked = peers::build(*kind, programs, name, scratch.path(), args.installed())
            .and_then(|peer| {
                let Some(peer) = peer else { return Ok(None) };
                result(&peer, &input, &output)?;
                succeed(Command::new(&futc).arg("datacmp").arg(&expected).arg(&output), None)
                    .map_err(|e| format!("its result is another than futc's: {e}"))?;
                Ok(Some(peer))
            });
        match checked {
            Ok(peer) => group.extend(peer),
            Err(e) => failures.push(format!("{name}, {kind}: {e}")),
        }
    }
    bar.inc(1);
    let mut times = vec![Vec::new(); group.len()];
    let mut memory = vec![0; group.len()];
    for _ in 0..args.rounds {
        for ((peer, times), memory) in group.iter().zip(&mut times).zip(&mut memory) {
            let (t, m) = measure(peer, &input, scratch.path(), args.runs)?;
            times.extend(t);
            *memory = m.max(*memory);
        }
        bar.inc(1);
    }
    let mut costs = BTreeMap::new();
    for ((peer, times), memory) in group.iter().zip(&mut times).zip(&memory) {
        let time = median(times).ok_or("no times were written")?;
        costs.insert(peer.kind, Cost { time, memory: *memory });
    }
    let futc = costs.remove(&None).ok_or("no times were written")?;
    let peers = costs.into_iter().filter_map(|(k, c)| Some((k?, c))).collect();
    let largest = largest_value(&input)?.max(largest_value(&expected)?);
    Ok(Row { name: name.into(), compile, costliest, largest, futc, peers })
}

/// The bytes of the largest value in a file of the binary format.
fn largest_value(path: &Path) -> Result<u64, String> {
    use std::io::{Read as _, Seek as _};
    let failed = |e: std::io::Error| format!("{}: {e}", path.display());
    let mut file = File::open(path).map_err(failed)?;
    let end = file.metadata().map_err(failed)?.len();
    let mut largest = 0;
    while file.stream_position().map_err(failed)? < end {
        let mut head = [0; 7];
        file.read_exact(&mut head).map_err(failed)?;
        let [_, _, rank, kind @ ..] = head;
        let mut size = match kind.as_slice() {
            b"  i8" | b"  u8" | b"bool" => 1,
            b" i16" | b" u16" | b" f16" => 2,
            b" i32" | b" u32" | b" f32" => 4,
            _ => 8,
        };
        for _ in 0..rank {
            let mut dim = [0; 8];
            file.read_exact(&mut dim).map_err(failed)?;
            size *= i64::from_le_bytes(dim);
        }
        file.seek_relative(size).map_err(failed)?;
        largest = size.max(largest);
    }
    Ok(largest.cast_unsigned())
}

//! Recordings: runs of a program that write what the tasks of their loops take.

use super::Args;
use crate::bench::peers::{self, Peer};
use crate::bench::process::{succeed, write};
use crate::bench::turns::{self, Often};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs of a process: the last is recorded, and the runtime learns in those before how long loops take.
const RUNS: &str = "3";

/// Runs of a process that is measured: many, as on a machine that does other things, too, few runs have two processors.
const RUNS_MEASURED: u32 = 30;

/// The recordings of a program for so many workers, as far as there are any.
pub fn files(folder: &Path, workers: u32) -> Vec<PathBuf> {
    (0..).map(|i| file(folder, workers, i)).take_while(|path| path.is_file()).collect()
}

fn file(folder: &Path, workers: u32, i: u32) -> PathBuf {
    folder.join(format!("{workers}.{i}.trace"))
}

/// Where it says what was measured.
fn measured_file(folder: &Path) -> PathBuf {
    folder.join("measured")
}

/// Compiles a program, and records it with one worker and with as many as are asked for, in turns. What was in the folder is
/// removed.
pub fn record(futc: &Path, source: &Path, folder: &Path, args: &Args) -> Result<(), String> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
    let at = |file: &str| scratch.path().join(file);
    let (program, input) = (at("program"), at("input"));
    let mut compile = Command::new(futc);
    compile.args(["-w", "--target=multicore"]).arg(source).arg("-o").arg(&program);
    succeed(&mut compile, None)?;
    succeed(Command::new(futc).arg("dataget").arg(source).arg("#0"), Some(&input))?;
    for i in 0..args.runs {
        for workers in std::iter::once(&1).chain(&args.workers) {
            run(&program, &input, &file(folder, *workers, i), *workers)?;
        }
    }
    if args.measure {
        let threads = std::thread::available_parallelism().map_err(|e| e.to_string())?.get();
        let peak = source.ancestors().nth(2).ok_or("a program outside of a folder")?;
        peers::build_peak(peak, &at("peak.so"))?;
        let speedup = measure(&program, &input, scratch.path(), args, threads)?;
        write(&measured_file(folder), &format!("{threads} {speedup}\n"))?;
    }
    Ok(())
}

fn run(program: &Path, input: &Path, trace: &Path, workers: u32) -> Result<(), String> {
    let input = fs::File::open(input).map_err(|e| format!("{}: {e}", input.display()))?;
    let mut command = Command::new(program);
    command.arg(format!("--num-threads={workers}")).args(["-n", "-r", RUNS]);
    command.arg("--trace-loops").arg(trace).stdin(Stdio::from(input));
    succeed(&mut command, None)
}

/// The speed-up of so many threads over one, of the quickest runs.
fn measure(
    program: &Path,
    input: &Path,
    scratch: &Path,
    args: &Args,
    threads: usize,
) -> Result<f64, String> {
    let peer = |threads: usize| Peer {
        kind: None,
        command: vec![program.to_owned(), format!("--num-threads={threads}").into()],
    };
    let often = Often { rounds: args.runs, runs: RUNS_MEASURED };
    match turns::run(often, &[peer(1), peer(threads)], input, scratch)?.as_slice() {
        [one, all] => Ok(one.least / all.least),
        _ => Err("nothing was run".into()),
    }
}

/// The number of threads, and their speed-up, if it was measured.
pub fn measured(folder: &Path) -> Result<Option<(u32, f64)>, String> {
    let path = measured_file(folder);
    if !path.exists() {
        return Ok(None);
    }
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let (threads, speedup) = text.trim().split_once(' ').unwrap_or_default();
    match (threads.parse(), speedup.parse()) {
        (Ok(threads), Ok(speedup)) => Ok(Some((threads, speedup))),
        _ => Err(format!("{}: '{}' is no measurement", path.display(), text.trim())),
    }
}

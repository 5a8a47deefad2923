//! A program as built and run in several ways, in turns: what disturbs the machine disturbs all alike.

use super::args::Args;
use super::measure::{measure, result};
use super::peers::{self, Kind, Peer};
use super::process::{median, succeed};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Compilations of a program by each builder.
const COMPILATIONS: usize = 3;

/// A compiler with its options.
pub struct Builder {
    pub futc: PathBuf,
    pub options: Vec<String>,
}

/// A way to run a program: a compiler, and arguments.
pub struct Variant {
    /// Which of the builders makes the program.
    pub builder: usize,
    pub arguments: Vec<String>,
}

/// What building comes to.
pub struct Built {
    pub program: PathBuf,
    /// Seconds, of the median of several compilations.
    pub compile: f64,
    /// Of the executable.
    pub bytes: u64,
}

/// What running comes to.
pub struct Ran {
    /// Microseconds, of the median of all runs.
    pub time: f64,
    /// Of the quickest run.
    pub least: f64,
    /// Bytes at the peak.
    pub memory: u64,
}

impl Variant {
    /// The command that runs it.
    pub fn peer(&self, built: &[Built]) -> Result<Peer, String> {
        let built = built.get(self.builder).ok_or("a variant without a builder")?;
        let arguments = self.arguments.iter().map(PathBuf::from);
        Ok(Peer {
            kind: None,
            command: [built.program.clone()].into_iter().chain(arguments).collect(),
        })
    }
}

/// Compiles a source in turns, without a cache of compiled code, into `scratch`.
pub fn build(builders: &[Builder], source: &Path, scratch: &Path) -> Result<Vec<Built>, String> {
    let program = |i: usize| scratch.join(format!("program{i}"));
    let mut times = vec![Vec::new(); builders.len()];
    for round in 0..COMPILATIONS {
        for i in turns(builders.len(), round) {
            let (Some(builder), Some(times)) = (builders.get(i), times.get_mut(i)) else {
                continue;
            };
            let mut compiling = Command::new(&builder.futc);
            compiling.env("FUTC_CACHE_SIZE", "0").args(&builder.options).arg(source);
            let start = Instant::now();
            succeed(compiling.arg("-o").arg(program(i)), None)?;
            times.push(start.elapsed().as_secs_f64());
        }
    }
    let built = times.iter_mut().enumerate().map(|(i, times)| {
        let bytes = std::fs::metadata(program(i)).map_err(|e| e.to_string())?.len();
        let compile = median(times).ok_or("nothing was compiled")?;
        Ok(Built { program: program(i), compile, bytes })
    });
    built.collect()
}

/// How often programs run.
#[derive(Clone, Copy)]
pub struct Often {
    pub rounds: u32,
    /// Runs of a process, after one to warm up.
    pub runs: u32,
}

impl Often {
    /// As the command line says.
    pub fn of(args: &Args) -> Often {
        Often { rounds: args.rounds, runs: args.runs }
    }
}

/// Runs programs in turns.
pub fn run(often: Often, peers: &[Peer], input: &Path, scratch: &Path) -> Result<Vec<Ran>, String> {
    let mut times = vec![Vec::new(); peers.len()];
    let mut memory = vec![0; peers.len()];
    for round in 0..often.rounds as usize {
        for i in turns(peers.len(), round) {
            let (Some(peer), Some(times), Some(memory)) =
                (peers.get(i), times.get_mut(i), memory.get_mut(i))
            else {
                continue;
            };
            let (t, m) = measure(peer, input, scratch, often.runs)?;
            times.extend(t);
            *memory = m.max(*memory);
        }
    }
    let ran = times.iter_mut().zip(memory).map(|(times, memory)| {
        let time = median(times).ok_or("no times were written")?;
        let least = times.first().copied().unwrap_or(time);
        Ok(Ran { time, least, memory })
    });
    ran.collect()
}

/// A program that was built and run.
pub struct Program {
    /// By compilers.
    pub built: Vec<Built>,
    /// By variants and then by other peers.
    pub ran: Vec<Ran>,
    /// Those peers.
    pub kinds: Vec<Kind>,
}

/// Builds a program of `programs`, sees to it that all variants have the same result, and runs them; and its version for
/// other peers, of which those that there are come last.
pub fn program(
    args: &Args,
    builders: &[Builder],
    (variants, others): (&[Variant], &[Kind]),
    programs: &Path,
    name: &str,
) -> Result<Program, String> {
    let source = programs.join(name).join(format!("{name}.fut"));
    let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
    let at = |file: String| scratch.path().join(file);
    let built = build(builders, &source, scratch.path())?;
    let futc = &builders.last().ok_or("no compiler")?.futc;
    let input = at("input".into());
    succeed(Command::new(futc).arg("dataget").arg(&source).arg("#0"), Some(&input))?;
    peers::build_peak(programs, &at("peak.so".into()))?;
    let mut peers = variants.iter().map(|w| w.peer(&built)).collect::<Result<Vec<_>, _>>()?;
    for kind in others.iter().filter(|k| k.compiler().is_some()) {
        peers.extend(peers::build(*kind, programs, name, scratch.path(), args.installed())?);
    }
    let first = at("result0".into());
    for (i, peer) in peers.iter().enumerate() {
        let output = at(format!("result{i}"));
        result(peer, &input, &output)?;
        if i > 0 {
            succeed(Command::new(futc).arg("datacmp").arg(&first).arg(&output), None)
                .map_err(|e| format!("the results differ: {e}"))?;
        }
    }
    let ran = run(Often::of(args), &peers, &input, scratch.path())?;
    let kinds = peers.iter().filter_map(|p| p.kind).collect();
    Ok(Program { built, ran, kinds })
}

/// The geometric mean of ratios.
pub fn mean(ratios: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = ratios.fold((0.0, 0), |(sum, count), r| (sum + r.ln(), count + 1));
    (sum / f64::from(count.max(1))).exp()
}

/// All of so many, from the last on in every other round.
fn turns(count: usize, round: usize) -> Box<dyn Iterator<Item = usize>> {
    if round % 2 == 1 { Box::new((0..count).rev()) } else { Box::new(0..count) }
}

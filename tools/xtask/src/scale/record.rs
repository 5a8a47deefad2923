//! Recordings: runs of a program that write what the tasks of their loops take. And what programs take that are run as they are.

use super::args::Args;
use crate::bench::peers::{self, Peer};
use crate::bench::process::{succeed, write};
use crate::bench::turns::{self, Often};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs of a process: the last is recorded, and the runtime learns in those before how long loops take.
const RUNS: &str = "3";

/// Runs of a process that is measured: many, as on a machine that does other things, too, few runs have all processors.
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

/// A program that is compiled, and its input.
pub struct Recorded {
    program: PathBuf,
    input: PathBuf,
    scratch: tempfile::TempDir,
}

impl Recorded {
    /// Compiles a program.
    pub fn build(futc: &Path, source: &Path) -> Result<Recorded, String> {
        let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
        let (program, input) = (scratch.path().join("program"), scratch.path().join("input"));
        let mut compile = Command::new(futc);
        compile.args(["-w", "--target=multicore"]).arg(source).arg("-o").arg(&program);
        succeed(&mut compile, None)?;
        succeed(Command::new(futc).arg("dataget").arg(source).arg("#0"), Some(&input))?;
        Ok(Recorded { program, input, scratch })
    }

    /// Records it with one worker and with as many as are asked for, in turns. What was in the folder is removed.
    pub fn record(&self, folder: &Path, args: &Args) -> Result<(), String> {
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        }
        fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for i in 0..args.runs {
            for workers in std::iter::once(&1).chain(&args.workers) {
                self.run(&file(folder, *workers, i), *workers)?;
            }
        }
        Ok(())
    }

    fn run(&self, trace: &Path, workers: u32) -> Result<(), String> {
        let input =
            fs::File::open(&self.input).map_err(|e| format!("{}: {e}", self.input.display()))?;
        let mut command = Command::new(&self.program);
        command.arg(format!("--num-threads={workers}")).args(["-n", "-r", RUNS]);
        command.arg("--trace-loops").arg(trace).stdin(Stdio::from(input));
        succeed(&mut command, None)
    }

    /// Runs it with one thread and with as many as the machine has, in turns, and keeps the quickest run of each, also of
    /// those that were measured before.
    pub fn measure(&self, programs: &Path, folder: &Path, args: &Args) -> Result<(), String> {
        let threads = std::thread::available_parallelism().map_err(|e| e.to_string())?.get();
        peers::build_peak(programs, &self.scratch.path().join("peak.so"))?;
        let peer = |threads: usize| Peer {
            kind: None,
            command: vec![self.program.clone(), format!("--num-threads={threads}").into()],
        };
        let often = Often { rounds: args.runs, runs: RUNS_MEASURED };
        let ran = turns::run(often, &[peer(1), peer(threads)], &self.input, self.scratch.path())?;
        let [one, all] = ran.as_slice() else { return Err("nothing was run".into()) };
        let threads = u32::try_from(threads).map_err(|e| e.to_string())?;
        let mut quickest = Measured { threads, one: one.least, all: all.least };
        if let Some(before) = Measured::load(folder)?.filter(|m| m.threads == threads) {
            quickest.one = quickest.one.min(before.one);
            quickest.all = quickest.all.min(before.all);
        }
        write(&measured_file(folder), &format!("{threads} {} {}\n", quickest.one, quickest.all))
    }
}

/// What a program takes with one thread and with so many.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    pub threads: u32,
    one: f64,
    all: f64,
}

impl Measured {
    /// If it was measured.
    pub fn load(folder: &Path) -> Result<Option<Measured>, String> {
        let path = measured_file(folder);
        if !path.exists() {
            return Ok(None);
        }
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let wrong = || format!("{}: '{}' is no measurement", path.display(), text.trim());
        Measured::read(&text).map(Some).ok_or_else(wrong)
    }

    fn read(text: &str) -> Option<Measured> {
        let mut words = text.split_whitespace();
        let threads = words.next()?.parse().ok()?;
        let mut time = || words.next()?.parse().ok().filter(|t| *t > 0.0);
        Some(Measured { threads, one: time()?, all: time()? })
    }

    #[cfg(test)]
    pub fn example() -> Measured {
        Measured { threads: 2, one: 6.0, all: 3.0 }
    }

    pub fn speedup(&self) -> f64 {
        self.one / self.all
    }
}

#[cfg(test)]
mod tests {
    use super::Measured;

    #[test]
    fn measurements_are_read() {
        assert_eq!(Measured::read("2 6 3\n"), Some(Measured::example()));
        assert_eq!(Measured::read("2 6"), None);
        assert_eq!(Measured::read("2 6 0"), None);
    }
}

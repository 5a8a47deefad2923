//! What becomes of a program's recordings.

use super::Args;
use super::bounds::{span, work};
use super::machine::Machine;
use super::record::{file, measured};
use super::simulation::{Lost, Place, simulate};
use super::trace::{Run, Trace, parse};
use std::fs;
use std::path::Path;

/// What is done while nobody computes.
pub const SCHEDULING: &str = "scheduling";

/// A program, simulated.
pub struct Program {
    pub name: String,
    /// Nanoseconds with one thread.
    pub one: f64,
    pub by_workers: Vec<Scaled>,
    /// The number of threads, and their speed-up, if it was measured.
    pub measured: Option<(u32, f64)>,
}

/// With some number of workers.
pub struct Scaled {
    pub workers: u32,
    /// Nanoseconds: of all tasks together, and of the longest path.
    pub work: f64,
    pub span: f64,
    /// Predicted, and predicted without a limit of bandwidth.
    pub time: f64,
    pub unlimited: f64,
    /// Of all workers together, in the scheduler.
    pub scheduling: f64,
    /// What is lost at what, the most first, with lines of the source.
    pub lost: Vec<(String, Lost)>,
}

impl Program {
    pub fn with(&self, workers: u32) -> Option<&Scaled> {
        self.by_workers.iter().find(|s| s.workers == workers)
    }
}

impl Scaled {
    /// Of all workers' time, the share that is `time`.
    pub fn share(&self, time: f64) -> f64 {
        time / (self.time * f64::from(self.workers))
    }
}

/// Simulates a program by the recordings in a folder.
pub fn program(
    name: &str,
    folder: &Path,
    args: &Args,
    machine: &Machine,
) -> Result<Program, String> {
    let one = last(&read(folder, 1)?)?.time;
    let mut by_workers = Vec::new();
    for workers in &args.workers {
        let trace = read(folder, *workers)?;
        if trace.workers != *workers as usize {
            return Err(format!(
                "{} is of {} workers",
                file(folder, *workers).display(),
                trace.workers
            ));
        }
        by_workers.push(scaled(name, &trace, last(&trace)?, machine)?);
    }
    Ok(Program { name: name.to_owned(), one, by_workers, measured: measured(folder)? })
}

fn read(folder: &Path, workers: u32) -> Result<Trace, String> {
    let path = file(folder, workers);
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    parse(&path.display().to_string(), &text)
}

fn last(trace: &Trace) -> Result<&Run, String> {
    trace.runs.last().ok_or_else(|| "nothing was recorded".into())
}

fn scaled(name: &str, trace: &Trace, run: &Run, machine: &Machine) -> Result<Scaled, String> {
    let simulated = |machine: &Machine| {
        simulate(run, &trace.rules, trace.workers, machine)
            .ok_or("all workers of the simulation wait (a mistake of it)")
    };
    let outcome = simulated(machine)?;
    let lost = outcome.lost.iter().map(|(place, lost)| (told(name, &trace.sites, *place), *lost));
    Ok(Scaled {
        workers: u32::try_from(trace.workers).map_err(|e| e.to_string())?,
        work: work(&run.steps),
        span: span(&run.steps),
        time: outcome.time,
        unlimited: simulated(&machine.unlimited())?.time,
        scheduling: outcome.scheduling,
        lost: lost.collect(),
    })
}

/// What a place is called.
fn told(name: &str, sites: &[String], place: Place) -> String {
    let line = |site: usize| sites.get(site).map_or_else(String::new, |s| line(name, s));
    match place {
        Place::Tasks(site) => format!("tasks of {}", line(site)),
        Place::Alone(site) => format!("{}, not forked", line(site)),
        Place::Scheduling => SCHEDULING.into(),
        Place::Between(None, None) => "no loops".into(),
        Place::Between(None, Some(site)) => format!("before {}", line(site)),
        Place::Between(Some(site), None) => format!("behind {}", line(site)),
        Place::Between(Some(a), Some(b)) => format!("between {} and {}", line(a), line(b)),
    }
}

/// Line and column where a place begins, and the file if it is not the program's.
fn line(name: &str, site: &str) -> String {
    let start = site.rsplit_once('-').map_or(site, |(start, _)| start);
    let file = start.rsplit('/').next().unwrap_or(start);
    match file.split_once(".fut:") {
        Some((of, line)) if of == name => line.to_owned(),
        _ => file.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::simulation::Place;
    use super::told;

    #[test]
    fn places_are_lines() {
        let sites = ["a/p.fut:18:6-35", "/b/p-q/soacs.fut:3:1-4:2", "?"].map(String::from);
        let told = |place| told("p", &sites, place);
        assert_eq!(told(Place::Tasks(0)), "tasks of 18:6");
        assert_eq!(told(Place::Alone(1)), "soacs.fut:3:1, not forked");
        assert_eq!(told(Place::Between(Some(0), Some(2))), "between 18:6 and ?");
        assert_eq!(told(Place::Between(None, Some(0))), "before 18:6");
        assert_eq!(told(Place::Between(Some(0), None)), "behind 18:6");
    }
}

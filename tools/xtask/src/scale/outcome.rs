//! What becomes of a program's recordings.

use super::args::Args;
use super::bounds::{span, work};
use super::machine::Machine;
use super::record::{Measured, files};
use super::recordings::together;
use super::simulation::{Lost, Place, simulate};
use super::trace::{Run, Sites, Trace, parse};
use crate::bench::process::median;
use std::fs;
use std::path::{Path, PathBuf};

/// What is done while nobody computes.
pub const SCHEDULING: &str = "scheduling";

/// A program, simulated.
pub struct Program {
    pub name: String,
    /// Nanoseconds with one thread.
    pub one: f64,
    pub by_workers: Vec<Scaled>,
    /// If it was measured.
    pub measured: Option<Measured>,
    /// Nanoseconds that workers look for work before they sleep.
    pub spin: f64,
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
    let mut sites = Sites::default();
    let one = read(folder, 1, &mut sites)?;
    let mut one: Vec<f64> = one.iter().flat_map(|t| &t.runs).map(|r| r.time).collect();
    let one = median(&mut one).ok_or("nothing was recorded")?;
    let (mut by_workers, mut spin) = (Vec::new(), 0.0);
    for workers in &args.workers {
        let mut recorded = read(folder, *workers, &mut sites)?;
        let runs = recorded.iter_mut().flat_map(|t| std::mem::take(&mut t.runs)).collect();
        let (Some(first), Some(run)) = (recorded.first(), together(runs)) else {
            return Err("nothing was recorded".into());
        };
        spin = first.rules.spin;
        by_workers.push(scaled(name, &sites, first, &run, machine)?);
    }
    Ok(Program { name: name.to_owned(), one, by_workers, measured: Measured::load(folder)?, spin })
}

/// The recordings for so many workers.
fn read(folder: &Path, workers: u32, sites: &mut Sites) -> Result<Vec<Trace>, String> {
    let files = files(folder, workers);
    if files.is_empty() {
        return Err(format!("{}: nothing was recorded for {workers} workers", folder.display()));
    }
    let read_one = |path: &PathBuf| {
        let name = path.display().to_string();
        let text = fs::read_to_string(path).map_err(|e| format!("{name}: {e}"))?;
        let trace = parse(&name, &text, sites)?;
        match trace.workers == workers as usize {
            true => Ok(trace),
            false => Err(format!("{name} is of {} workers", trace.workers)),
        }
    };
    files.iter().map(read_one).collect()
}

fn scaled(
    name: &str,
    sites: &Sites,
    trace: &Trace,
    run: &Run,
    machine: &Machine,
) -> Result<Scaled, String> {
    let simulated = |machine: &Machine| {
        simulate(run, &trace.rules, trace.workers, machine)
            .ok_or("all workers of the simulation wait (a mistake of it)")
    };
    let outcome = simulated(machine)?;
    let lost = outcome.lost.iter().map(|(place, lost)| (told(name, sites, *place), *lost));
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
fn told(name: &str, sites: &Sites, place: Place) -> String {
    let line = |site: usize| sites.name(site).map_or_else(String::new, |s| line(name, s));
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
    use super::super::trace::Sites;
    use super::told;

    #[test]
    fn places_are_lines() {
        let sites = Sites::of(&["a/p.fut:18:6-35", "/b/p-q/soacs.fut:3:1-4:2", "?"]);
        let told = |place| told("p", &sites, place);
        assert_eq!(told(Place::Tasks(0)), "tasks of 18:6");
        assert_eq!(told(Place::Alone(1)), "soacs.fut:3:1, not forked");
        assert_eq!(told(Place::Between(Some(0), Some(2))), "between 18:6 and ?");
        assert_eq!(told(Place::Between(None, Some(0))), "before 18:6");
        assert_eq!(told(Place::Between(Some(0), None)), "behind 18:6");
    }
}

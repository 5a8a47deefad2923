//! The experiment that the cost model answers to: for each nest of the programs of `benches/programs`, every legal strategy is
//! timed and compared with the choice. Writes `docs/cost-model.md`.
//!
//! A version of a program has one nest changed, by `--force-schedule`. Versions of a program run in turns, so that what
//! disturbs the machine disturbs all alike, and the quickest run of each counts.

mod args;
mod nests;
mod report;
mod results;

pub use args::Args;

use crate::bench::measure::result;
use crate::bench::peers::{self, Peer};
use crate::bench::process::{all_programs, succeed, write};
use crate::bench::turns::{self, Often};
use indicatif::{ProgressBar, ProgressStyle};
use nests::{Nest, name, nests};
use results::{Measured, Program};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A version that takes less than this of the choice's time is measured again: the best of many is too good by chance.
const SEEMS_BETTER: f64 = 0.97;
/// So many rounds more then.
const AGAIN: u32 = 3;

/// Measures, prints the table, and writes the page if it is about all programs. The error names programs that could not be
/// measured.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    let programs = root.join("benches/programs");
    let results = root.join(&args.results);
    let all = all_programs(&programs)?;
    let names = if args.names.is_empty() { &all } else { &args.names };
    let mut failures = Vec::new();
    if !args.page {
        let bar = ProgressBar::new(names.len() as u64);
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg} {eta}") {
            bar.set_style(style);
        }
        let mut measured = Vec::new();
        for name in names {
            bar.set_message(name.clone());
            match program(root, args, &programs, name, &bar) {
                Ok(program) => {
                    program.save(&results)?;
                    measured.push(program);
                }
                Err(e) => failures.push(format!("{name}: {e}")),
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        println!("{}", report::table(&measured));
    }
    if args.page || args.names.is_empty() {
        let (mut measured, mut missing) = (Vec::new(), Vec::new());
        for name in all {
            match Program::load(&results, &name)? {
                Some(program) => measured.push(program),
                None => missing.push(name),
            }
        }
        write(&root.join("docs/cost-model.md"), &report::page(&measured, &missing))?;
    }
    match failures.is_empty() {
        true => Ok(()),
        false => Err(format!("not everything was measured:\n{}", failures.join("\n"))),
    }
}

/// A version of a program: which nest is changed, and how.
struct Version {
    nest: usize,
    how: String,
    program: PathBuf,
}

/// Measures a program with each of its versions.
fn program(
    root: &Path,
    args: &Args,
    programs: &Path,
    name: &str,
    bar: &ProgressBar,
) -> Result<Program, String> {
    let source = programs.join(name).join(format!("{name}.fut"));
    let futc = root.join(&args.futc);
    let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
    let at = |file: &str| scratch.path().join(file);
    let (input, first, output) = (at("input"), at("first"), at("output"));
    let own = at("program");
    compile(&futc, &source, &[], &own)?;
    let nests = nests(&explained(&futc, &source)?)?;
    let mut versions = Vec::new();
    for (i, nest) in nests.iter().enumerate() {
        for how in &nest.alternatives {
            bar.set_message(format!("{name}: {} {how}", position(nest)));
            let program = at(&format!("program{}", versions.len()));
            let force = format!("--force-schedule={}={how}", nest.place);
            match compile(&futc, &source, &[&force], &program) {
                Ok(()) => {}
                Err(why) if why.contains("not possible:") => continue,
                Err(why) => return Err(format!("{force}: {why}")),
            }
            let mine = || versions.iter().filter(|v: &&Version| v.nest == i).map(|v| &v.program);
            let mut same = false;
            for other in std::iter::once(&own).chain(mine()) {
                same |= bytes(&program)? == bytes(other)?;
            }
            if !same {
                versions.push(Version { nest: i, how: how.clone(), program });
            }
        }
    }
    succeed(Command::new(&futc).arg("dataget").arg(&source).arg("#0"), Some(&input))?;
    peers::build_peak(programs, &at("peak.so"))?;
    let peer = |program: &PathBuf| Peer { kind: None, command: vec![program.clone()] };
    result(&peer(&own), &input, &first)?;
    for v in &versions {
        result(&peer(&v.program), &input, &output)?;
        let same = succeed(Command::new(&futc).arg("datacmp").arg(&first).arg(&output), None);
        let place = nests.get(v.nest).map(position).unwrap_or_default();
        same.map_err(|e| format!("the result by {} at {place} is another one: {e}", v.how))?;
    }
    bar.set_message(format!("{name}: {} versions", versions.len()));
    let often = Often { rounds: args.rounds, runs: args.runs };
    let mut group = vec![peer(&own)];
    group.extend(versions.iter().map(|v| peer(&v.program)));
    let ran = turns::run(often, &group, &input, scratch.path())?;
    let (own_ran, others) = ran.split_first().ok_or("nothing was run")?;
    let mut measured: Vec<Measured> = nests.iter().map(unmeasured).collect();
    for (v, ran) in versions.iter().zip(others) {
        let mut ratio = ran.least / own_ran.least;
        if ratio < SEEMS_BETTER {
            let often = Often { rounds: AGAIN * args.rounds, ..often };
            let pair = [peer(&own), peer(&v.program)];
            if let [own, other] = turns::run(often, &pair, &input, scratch.path())?.as_slice() {
                ratio = other.least / own.least;
            }
        }
        if let Some(nest) = measured.get_mut(v.nest) {
            nest.others.push((v.how.clone(), ratio));
        }
    }
    measured.retain(|nest| !nest.others.is_empty());
    Ok(Program { name: name.to_owned(), time: own_ran.least, nests: measured })
}

fn unmeasured(nest: &Nest) -> Measured {
    Measured {
        place: position(nest),
        kind: nest.kind.clone(),
        chosen: name(&nest.chosen),
        others: Vec::new(),
    }
}

/// Line and column of a nest.
fn position(nest: &Nest) -> String {
    let (_, place) = nest.place.rsplit_once(".fut:").unwrap_or(("", &nest.place));
    place.split('-').next().unwrap_or(place).to_owned()
}

fn bytes(file: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()))
}

/// Compiles without a cache of compiled code, and without warnings.
fn compile(futc: &Path, source: &Path, options: &[&str], to: &Path) -> Result<(), String> {
    let mut command = Command::new(futc);
    command.args(["-w", "--no-cache", "--target=seq"]).args(options).arg(source).arg("-o").arg(to);
    succeed(&mut command, None)
}

/// What is said of the schedules of a program.
fn explained(futc: &Path, source: &Path) -> Result<String, String> {
    let mut command = Command::new(futc);
    command.args(["-w", "--target=seq", "--explain-schedule=json"]).arg(source);
    let done = command.output().map_err(|e| format!("{}: {e}", futc.display()))?;
    match done.status.success() {
        true => Ok(String::from_utf8_lossy(&done.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&done.stderr).trim().to_owned()),
    }
}

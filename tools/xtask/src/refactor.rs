//! Whether refactorings cost anything: programs of `benches/programs` are rewritten in ways that must not matter, and the
//! code and the time of both are compared. Writes `docs/refactorings.md`.
//!
//! A program and its rewritten form must have the same result. If they are the same code they take the same time, and
//! nothing is timed; else they run in turns, so that what disturbs the machine disturbs both alike.

mod args;
mod code;
mod edit;
mod function;
mod maps;
mod module;
mod nodes;
mod partial;
mod record;
mod recursion;
mod report;
mod source;
mod table;
#[cfg(test)]
mod tests;

pub use args::Args;

use crate::bench::measure::result;
use crate::bench::peers::{self, Peer};
use crate::bench::process::{all_programs, succeed, write};
use crate::bench::turns::{self, Often};
use futc_frontend::db::CompilerDb;
use futc_frontend::world::Memory;
use indicatif::{ProgressBar, ProgressStyle};
use report::{LIMIT, Outcome, Row};
use source::Source;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use table::{ALL, Refactored, Refactoring};

/// What seems to take longer, or as much less, is measured again, with so many times the rounds.
const AGAIN: u32 = 3;

/// Measures and prints the table. The error tells of what takes longer, refactorings that are nowhere, and what could not be
/// measured.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    let programs = root.join("benches/programs");
    let all = all_programs(&programs)?;
    let names = if args.names.is_empty() { &all } else { &args.names };
    let wanted = |r: &&Refactoring| args.only.is_empty() || args.only.iter().any(|n| n == r.name);
    let refactorings: Vec<&Refactoring> = ALL.iter().filter(wanted).collect();
    if let Some(name) = args.only.iter().find(|n| ALL.iter().all(|r| r.name != **n)) {
        let all: Vec<&str> = ALL.iter().map(|r| r.name).collect();
        return Err(format!("{name} is no refactoring; there are {}", all.join(", ")));
    }
    let bar = ProgressBar::new((names.len() * refactorings.len()) as u64);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg} {eta}") {
        bar.set_style(style);
    }
    let mut db = CompilerDb::new(Arc::new(Memory::new()));
    let mut rows = Vec::new();
    for name in names {
        let outcomes = match Program::read(root, args, &mut db, name) {
            Ok(program) => {
                let each = refactorings.iter().map(|r| {
                    bar.set_message(format!("{name}: {}", r.name));
                    let outcome = program.outcome(&mut db, args, r);
                    bar.inc(1);
                    outcome
                });
                each.collect()
            }
            Err(e) => refactorings.iter().map(|_| Outcome::Failed(e.clone())).collect(),
        };
        let row = Row { program: name.clone(), outcomes };
        bar.suspend(|| print!("{}", report::line(&row, &refactorings)));
        rows.push(row);
    }
    bar.finish_and_clear();
    println!("{}", report::table(&rows, &refactorings));
    if let Some(file) = &args.out {
        write(file, &report::page(&rows, &refactorings, &commit(root)?))?;
    }
    report::verdict(&rows, &refactorings, args.names.is_empty())
}

/// The commit that is measured, with a word if files differ from it.
fn commit(root: &Path) -> Result<String, String> {
    let mut git = Command::new("git");
    git.current_dir(root).args(["describe", "--always", "--dirty=, with changes"]);
    let done = git.output().map_err(|e| format!("git: {e}"))?;
    Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
}

/// A program that is to be changed.
struct Program {
    name: String,
    source: Source,
    futc: PathBuf,
    scratch: tempfile::TempDir,
}

impl Program {
    fn read(root: &Path, args: &Args, db: &mut CompilerDb, name: &str) -> Result<Program, String> {
        let programs = root.join("benches/programs");
        let file = programs.join(name).join(format!("{name}.fut"));
        let text =
            std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let program = Program {
            name: name.to_owned(),
            source: Source::read(db, &text)?,
            futc: std::path::absolute(root.join(&args.futc)).map_err(|e| e.to_string())?,
            scratch: tempfile::tempdir().map_err(|e| e.to_string())?,
        };
        if !args.dry {
            let mut input = Command::new(&program.futc);
            input.arg("dataget").arg(&file).arg("#0");
            succeed(&mut input, Some(&program.at("input")))?;
            peers::build_peak(&programs, &program.at("peak.so"))?;
        }
        Ok(program)
    }

    fn at(&self, file: &str) -> PathBuf {
        self.scratch.path().join(file)
    }

    /// What becomes of the program by a refactoring.
    fn outcome(&self, db: &mut CompilerDb, args: &Args, refactoring: &Refactoring) -> Outcome {
        let Some(changed) = refactoring.apply(db, &self.source) else { return Outcome::NotThere };
        if let Some(folder) = &args.save
            && let Err(e) = self.save(folder, refactoring, &changed)
        {
            return Outcome::Failed(e);
        }
        if args.dry {
            return Outcome::Unmeasured { made: changed.made, refused: changed.refused };
        }
        match self.ratio(args, &changed) {
            Ok(None) => Outcome::Same { made: changed.made },
            Ok(Some(ratio)) => Outcome::Timed { made: changed.made, ratio },
            Err(e) => Outcome::Failed(e),
        }
    }

    fn save(&self, folder: &Path, r: &Refactoring, changed: &Refactored) -> Result<(), String> {
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let name = format!("{}-{}", self.name, r.name);
        write(&folder.join(format!("{name}.fut")), &changed.text)?;
        write(&folder.join(format!("{name}-original.fut")), &changed.original)
    }

    /// The time of the changed program over that of the original; nothing if they are the same code.
    fn ratio(&self, args: &Args, changed: &Refactored) -> Result<Option<f64>, String> {
        // Both have the same name, which is part of the code.
        let (original, refactored) = (self.at("original"), self.at("refactored"));
        let file = format!("{}.fut", self.name);
        for (folder, text) in [(&original, &changed.original), (&refactored, &changed.text)] {
            std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
            write(&folder.join(&file), text)?;
        }
        let assembly = |folder: &Path| {
            self.compile(folder, &["--emit=asm", "-o", "code.s"])?;
            std::fs::read_to_string(folder.join("code.s")).map_err(|e| e.to_string())
        };
        let same = code::without_places(&assembly(&original)?)
            == code::without_places(&assembly(&refactored)?);
        if same {
            return Ok(None);
        }
        let mut pair = Vec::new();
        for folder in [&original, &refactored] {
            self.compile(folder, &["-o", "program"])?;
            let peer = Peer { kind: None, command: vec![folder.join("program")] };
            result(&peer, &self.at("input"), &folder.join("result"))?;
            pair.push(peer);
        }
        let mut compare = Command::new(&self.futc);
        compare.arg("datacmp").arg(original.join("result")).arg(refactored.join("result"));
        succeed(&mut compare, None).map_err(|e| format!("the result is another one: {e}"))?;
        let often = Often { rounds: args.rounds, runs: args.runs };
        let (median, _) = self.time(often, &pair)?;
        if (LIMIT.recip()..=LIMIT).contains(&median) {
            return Ok(Some(median));
        }
        // What makes a difference does so in the quickest run, too.
        let (median, least) = self.time(Often { rounds: AGAIN * args.rounds, ..often }, &pair)?;
        let (low, high) = (median.min(least), median.max(least));
        Ok(Some(1f64.clamp(low, high)))
    }

    /// Ratios of the medians and of the quickest runs.
    fn time(&self, often: Often, pair: &[Peer]) -> Result<(f64, f64), String> {
        match turns::run(often, pair, &self.at("input"), self.scratch.path())?.as_slice() {
            [a, b] => Ok((b.time / a.time, b.least / a.least)),
            _ => Err("nothing was run".to_owned()),
        }
    }

    /// Compiles in a folder, without a cache of compiled code, and without warnings.
    fn compile(&self, folder: &Path, options: &[&str]) -> Result<(), String> {
        let mut command = Command::new(&self.futc);
        command.current_dir(folder).args(["-w", "--no-cache", "--target=seq"]);
        succeed(command.arg(format!("{}.fut", self.name)).args(options), None)
    }
}

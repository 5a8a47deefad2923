//! Whether every pass keeps what a program means.
//!
//! The truth is what the interpreter makes of the Core that internalisation yields. Against it are
//! compared, each verified and interpreted:
//!
//! - every pass alone, on the first program of the level it works on;
//! - every prefix of the pipelines for one thread and for kernels.
//!
//! At level mem it is the interpreter of memory that runs, which believes nothing, after allocations
//! have left kernels and blocks are counted. Which target's passes are run alone depends on the seed.
//!
//! Integers must be equal to the bit, and so must floats whose value the language fixes. Where sums
//! may be reordered, floats are compared with a tolerance. A program that fails must fail at every
//! stage; which of several failures it meets first may change.

use crate::stats::Stats;
use crate::tree::Program;
use crate::types::Scalar;
use crate::values::{Data, from_memory, outward};
use futc_frontend::db::{CompilerDb, Db, diagnostics, has_errors, lines, program};
use futc_midend::internalise::{Options, internalise};
use futc_midend::interp::mem::{Machine, MemError};
use futc_midend::interp::{Interpreter, Limits};
use futc_midend::ir::{self, ExtKind, Level};
use futc_midend::pipelines::{
    self, DEVICE_MEMORY, KERNELS, MEMORY, Pass, SEQUENTIAL, SOACS, check,
};
use futc_testing::compare::compare_all;
use futc_typed::prim::PrimType;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Steps of the interpreter that a program may take.
const STEPS: u64 = 150_000;
/// How many times more it may take after a pass.
const SLACK: u64 = 20;

/// What became of a program.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// All agree. What comes out, unless it fails.
    Agreed(Option<Vec<Data>>),
    /// The front end does not accept it: the generator is wrong, or the front end.
    Refused(String),
    /// It runs too long to be of use.
    TooLong,
    /// Something is wrong with the compiler.
    Wrong(Fault),
}

/// How something is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A panic.
    Panic,
    /// Internalisation gives up.
    Internalise,
    /// The verifier finds something.
    Invalid,
    /// Other results.
    Difference,
    /// A failure where there was a result.
    Failure,
    /// A result where there was a failure.
    Success,
    /// The interpreter finds a bug.
    Bug,
}

/// Something wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// How.
    pub kind: Kind,
    /// After which passes.
    pub stage: String,
    /// What is said about it.
    pub what: String,
}

/// What a program means: results, or that it fails.
type Outcome = Result<Vec<Data>, String>;

struct Oracle<'a> {
    source: &'a Program,
    entry: Vec<PrimType>,
    truth: Outcome,
    stats: &'a mut Stats,
}

/// Where the program is in the database.
const PATH: &str = "generated.fut";

/// The Core of a program, or why there is none.
pub fn core_of(db: &mut CompilerDb, source: &Program) -> Result<ir::Program, Verdict> {
    db.set_text(PATH, &source.text());
    let root = db.source(PATH);
    let said = diagnostics(db, root);
    if has_errors(&said) {
        let first = said.iter().find(|d| d.severity == futc_frontend::diag::Severity::Error);
        let said = first.map(|d| {
            let place = d.labels.first();
            let place = place.map(|(s, _)| futc_frontend::diag::locate(&db.sources(), *s));
            format!("{}: {}: {}", place.unwrap_or_default(), d.code, d.message)
        });
        return Err(Verdict::Refused(said.unwrap_or_default()));
    }
    internalise(&program(db, root), &lines(db, root), &Options::default()).map_err(|e| {
        let stage = "internalise".to_owned();
        Verdict::Wrong(Fault { kind: Kind::Internalise, stage, what: e.to_string() })
    })
}

/// Runs a program before and after every pass.
pub fn check_program(db: &mut CompilerDb, source: &Program, stats: &mut Stats) -> Verdict {
    let core = match caught("front end", || core_of(db, source)) {
        Ok(Ok(core)) => core,
        Ok(Err(verdict)) => return verdict,
        Err(fault) => return Verdict::Wrong(fault),
    };
    let truth = match caught("internalise", || truth(&core, source)) {
        Ok(Ok(truth)) => truth,
        Ok(Err(verdict)) => return verdict,
        Err(fault) => return Verdict::Wrong(fault),
    };
    stats.program(&core, truth.is_err());
    let results = truth.clone().ok();
    let mut oracle = Oracle { source, entry: prims(&core, source), truth, stats };
    match oracle.passes(&core) {
        Ok(()) => Verdict::Agreed(results),
        Err(fault) => Verdict::Wrong(fault),
    }
}

/// What an accepted program means, by the interpreter of its first Core.
pub fn meaning(db: &mut CompilerDb, source: &Program) -> Result<Outcome, Verdict> {
    let core = core_of(db, source)?;
    truth(&core, source)
}

fn caught<T>(stage: &str, f: impl FnOnce() -> T) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|_| Fault {
        kind: Kind::Panic,
        stage: stage.into(),
        // The hook that the caller has set knows more.
        what: "a panic".into(),
    })
}

/// The element types of the results.
fn prims(core: &ir::Program, source: &Program) -> Vec<PrimType> {
    let mut out = Vec::new();
    let entries = core.funs.iter().filter_map(|f| f.entry.as_ref());
    for e in entries.filter(|e| e.name.as_str() == source.entry) {
        for t in &e.results {
            match &t.kind {
                ExtKind::Transparent { prim, .. } => out.push(*prim),
                ExtKind::Opaque { leaves, .. } => out.extend(leaves.iter().map(|l| l.0)),
            }
        }
    }
    out
}

fn truth(core: &ir::Program, source: &Program) -> Result<Outcome, Verdict> {
    let wrong =
        |kind, what: String| Err(Verdict::Wrong(Fault { kind, stage: "internalise".into(), what }));
    if let Err(e) = check("internalise", core) {
        return wrong(Kind::Invalid, e.what);
    }
    match by_values(core, source, &prims(core, source), STEPS) {
        Ok(values) => Ok(Ok(values)),
        Err(e) if e.contains("compiler bug") => wrong(Kind::Bug, e),
        Err(e) if e.contains("limit") => Err(Verdict::TooLong),
        Err(e) => Ok(Err(e)),
    }
}

fn by_values(core: &ir::Program, source: &Program, prims: &[PrimType], steps: u64) -> Outcome {
    let limits = Limits { steps: Some(steps), depth: 300, array_bytes: 1 << 24 };
    let args = source.args().iter().map(|v| v.inward()).collect();
    let run = Interpreter::new(core, limits).and_then(|mut i| i.run_entry(&source.entry, args));
    let values = run.map_err(|e| e.to_string())?;
    Ok(values.iter().zip(prims).map(|(v, p)| outward(v, *p)).collect())
}

fn in_memory(core: &ir::Program, source: &Program, prims: &[PrimType], steps: u64) -> Outcome {
    let entry = |f: &&ir::Fun| f.entry.as_ref().is_some_and(|e| e.name.as_str() == source.entry);
    let name = core.funs.iter().find(entry).map(|f| f.name).ok_or("no entry point")?;
    let args: Vec<_> = source.args().iter().map(|v| v.to_memory()).collect();
    let run = Machine::new(core, steps).and_then(|mut m| m.call_entry(name.as_str(), &args));
    let values = run.map_err(|e| match e {
        MemError::Failed(what) => what,
        MemError::Bug(what) => format!("compiler bug: {what}"),
        MemError::Fuel => "the limit of steps is reached".into(),
    })?;
    let sizes = values.len().saturating_sub(prims.len());
    Ok(values.iter().skip(sizes).zip(prims).map(|(v, p)| from_memory(v, *p)).collect())
}

/// Passes after which only counting is left to be done before memory can be interpreted.
struct Memory {
    expanded: bool,
    counted: bool,
}

impl Oracle<'_> {
    fn passes(&mut self, core: &ir::Program) -> Result<(), Fault> {
        for pass in distinct(SOACS) {
            self.step("alone", core, pass)?;
        }
        let optimised = self.chain("soacs", core.clone(), SOACS)?;
        for (name, seg, mem, device) in
            [("seq", SEQUENTIAL, MEMORY, false), ("kernels", KERNELS, DEVICE_MEMORY, true)]
        {
            let at = format!("soacs, {name}");
            let segmented = self.chain(&at, optimised.clone(), seg)?;
            self.memory(&at, segmented, mem, device)?;
            // In turn, as this is half of the work.
            if self.source.seed.is_multiple_of(2) == device {
                self.alone(core, name, seg, mem, device)?;
            }
        }
        Ok(())
    }

    /// Each pass behind the first of its pipeline, on what the first makes.
    fn alone(
        &mut self,
        core: &ir::Program,
        name: &str,
        seg: &[Pass],
        mem: &[Pass],
        device: bool,
    ) -> Result<(), Fault> {
        let (Some((first, seg)), Some((explicit, mem))) = (seg.split_first(), mem.split_first())
        else {
            return Ok(());
        };
        let at = format!("alone, {name}");
        let segmented = self.step(&at, core, *first)?;
        for pass in distinct(seg) {
            self.step(&at, &segmented, pass)?;
        }
        let explicit = self.memory(&at, segmented, &[*explicit], device)?;
        // Counting is part of every check of memory, and wants kernels without allocations.
        for pass in distinct(mem).into_iter().filter(|p| p.name != "refcount") {
            self.memory(&at, explicit.clone(), &[pass], device)?;
        }
        Ok(())
    }

    /// Passes one after the other, checked after each.
    fn chain(
        &mut self,
        at: &str,
        mut p: ir::Program,
        passes: &[Pass],
    ) -> Result<ir::Program, Fault> {
        for (i, pass) in passes.iter().enumerate() {
            p = self.step(&format!("{at} {i}"), &p, *pass)?;
        }
        Ok(p)
    }

    /// As [`Oracle::chain`], for passes that yield level mem.
    fn memory(
        &mut self,
        at: &str,
        mut p: ir::Program,
        passes: &[Pass],
        device: bool,
    ) -> Result<ir::Program, Fault> {
        for (i, pass) in passes.iter().enumerate() {
            let stage = format!("{at} {i} {}", pass.name);
            let Some(next) = self.run(&stage, &p, *pass)? else { continue };
            p = next;
            let done = Memory {
                expanded: !device || passes[..=i].iter().any(|p| p.name == "expand"),
                counted: passes[..=i].iter().any(|p| p.name == "refcount"),
            };
            let finished = caught(&stage, || finish(p.clone(), &done))?;
            if let Err(e) = check(pass.name, &finished) {
                return Err(Fault { kind: Kind::Invalid, stage, what: e.what });
            }
            let steps = STEPS * SLACK * 10;
            let out = caught(&stage, || in_memory(&finished, self.source, &self.entry, steps))?;
            self.compare(&format!("{stage} in memory"), out)?;
        }
        Ok(p)
    }

    /// One pass: what it makes, verified; nothing if that is what was there.
    fn run(
        &mut self,
        stage: &str,
        before: &ir::Program,
        pass: Pass,
    ) -> Result<Option<ir::Program>, Fault> {
        let after = caught(stage, || (pass.run)(before.clone()))?;
        let changed = after != *before;
        self.stats.pass(pass.name, stage.starts_with("alone"), changed, before, &after);
        if !changed {
            return Ok(None);
        }
        match check(pass.name, &after) {
            Ok(()) => Ok(Some(after)),
            Err(e) => Err(Fault { kind: Kind::Invalid, stage: stage.into(), what: e.what }),
        }
    }

    /// One pass: what it makes, verified and interpreted by values.
    fn step(&mut self, at: &str, before: &ir::Program, pass: Pass) -> Result<ir::Program, Fault> {
        let stage = format!("{at} {}", pass.name);
        let Some(after) = self.run(&stage, before, pass)? else { return Ok(before.clone()) };
        let out = caught(&stage, || by_values(&after, self.source, &self.entry, STEPS * SLACK))?;
        self.compare(&stage, out)?;
        Ok(after)
    }

    fn compare(&self, stage: &str, out: Outcome) -> Result<(), Fault> {
        let fault = |kind, what| Err(Fault { kind, stage: stage.to_owned(), what });
        match (&self.truth, out) {
            (_, Err(e)) if e.contains("compiler bug") || e.contains("the limit of") => {
                fault(Kind::Bug, e)
            }
            (Err(_), Err(_)) => Ok(()),
            (Err(e), Ok(_)) => fault(Kind::Success, format!("expected failure: {e}")),
            (Ok(_), Err(e)) => fault(Kind::Failure, e),
            (Ok(truth), Ok(out)) => match differences(self.source, truth, &out) {
                None => Ok(()),
                Some(d) => fault(Kind::Difference, d),
            },
        }
    }
}

/// What is left to be done before memory can be interpreted.
fn finish(p: ir::Program, done: &Memory) -> ir::Program {
    let all = pipelines::all();
    let run = |name: &str, p: ir::Program| match all.iter().find(|x| x.name == name) {
        Some(pass) if p.level == Level::Mem => (pass.run)(p),
        _ => p,
    };
    let p = if done.expanded { p } else { run("expand", p) };
    if done.counted { p } else { run("refcount", p) }
}

/// Every pass of a pipeline once.
fn distinct(passes: &[Pass]) -> Vec<Pass> {
    let mut out: Vec<Pass> = Vec::new();
    for p in passes {
        if out.iter().all(|o| o.name != p.name) {
            out.push(*p);
        }
    }
    out
}

/// The first difference between results.
fn differences(source: &Program, truth: &[Data], out: &[Data]) -> Option<String> {
    let found = compare_all(out, truth, 1);
    if let Some(d) = found.first() {
        return Some(d.0.clone());
    }
    for (i, ((e, a), b)) in source.results.iter().zip(truth).zip(out).enumerate() {
        let exact = matches!(e.ty.transparent(), Some((Scalar::Exact(_), _)));
        if !exact || a.data == b.data {
            continue;
        }
        for k in 0..a.count() {
            let (x, y) = (a.float(k).unwrap_or(0.0), b.float(k).unwrap_or(0.0));
            if x.to_bits() != y.to_bits() && !(x.is_nan() && y.is_nan()) {
                return Some(format!("Value #{i}, element {k}: expected {x:?}, got {y:?}"));
            }
        }
    }
    None
}

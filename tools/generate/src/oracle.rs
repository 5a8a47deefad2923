//! Whether every pass keeps what a program means.
//!
//! The truth is what the interpreter makes of the Core that internalisation yields. Against it are
//! compared, each verified and interpreted:
//!
//! - every pass alone, on the first program of the level it works on;
//! - every prefix of the pipelines for one thread and for kernels.
//!
//! At level mem it is the interpreter of memory that runs, which believes nothing, after allocations
//! have left kernels and blocks are counted. Which target's passes are run alone depends on the seed
//! of a generated program; of others both are.
//!
//! Integers must be equal to the bit, and so must floats whose value the language fixes. Where sums
//! may be reordered, floats are compared with a tolerance. A run that fails must fail at every
//! stage; which of several failures it meets first may change.

use crate::stats::Stats;
use crate::tree::{Expr, Program};
use crate::types::Scalar;
use crate::values::{Data, Value, from_memory, outward};
use futc_frontend::db::{CompilerDb, Db, diagnostics, has_errors, lines, program};
use futc_midend::internalise::{Options, internalise};
use futc_midend::interp::mem::{Machine, MemError};
use futc_midend::interp::{Interpreter, Limits};
use futc_midend::ir::{self, ExtKind, Level, MemSpace};
use futc_midend::pipelines::{self, KINDS, Pass, Pipelines, SOACS, check};
use futc_testing::compare::compare_all;
use futc_typed::prim::PrimType;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How many times more steps a run may take after a pass.
const SLACK: u64 = 100;

/// What runs may take.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Steps of the interpreter before any pass; afterwards it may be some times more.
    pub steps: u64,
    /// Bytes of one array.
    pub array_bytes: i64,
}

/// Of generated programs, which are small.
const SMALL: Bounds = Bounds { steps: 150_000, array_bytes: 1 << 24 };

/// An entry point on arguments: what it yields must stay the same.
#[derive(Clone, Debug)]
pub struct Run {
    /// Named where something is wrong.
    pub name: String,
    /// The entry point.
    pub entry: String,
    /// The leaves of its arguments.
    pub args: Vec<Value>,
    /// The leaves of its results that must be equal to the bit; of others floats may differ a bit.
    pub exact: Vec<bool>,
}

/// Which target's passes are run alone, too; those in a row always are of both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alone {
    /// Those for one thread.
    Sequential,
    /// Those for kernels.
    Kernels,
    /// Both.
    Both,
}

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

/// What a run means: results, or that it fails.
pub type Outcome = Result<Vec<Data>, String>;

/// A run with what it means.
struct RunWithOutcome<'a> {
    run: &'a Run,
    /// The element types of the results.
    prims: Vec<PrimType>,
    truth: Outcome,
}

struct Oracle<'a> {
    runs: Vec<RunWithOutcome<'a>>,
    bounds: Bounds,
    alone: Alone,
    stats: &'a mut Stats,
}

/// Where a generated program is in the database.
const PATH: &str = "generated.fut";

/// The Core of a generated program, or why there is none.
pub fn core_of(db: &mut CompilerDb, source: &Program) -> Result<ir::Program, Verdict> {
    db.set_text(PATH, &source.text());
    core_at(db, PATH, &Options::default())
}

/// The Core of the program in a file, or why there is none.
pub fn core_at(db: &CompilerDb, path: &str, options: &Options) -> Result<ir::Program, Verdict> {
    let root = db.source(path);
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
    internalise(&program(db, root), &lines(db, root), options).map_err(|e| {
        let stage = "internalise".to_owned();
        Verdict::Wrong(Fault { kind: Kind::Internalise, stage, what: e.to_string() })
    })
}

/// Runs a generated program before and after every pass.
pub fn check_program(db: &mut CompilerDb, source: &Program, stats: &mut Stats) -> Verdict {
    let core = match caught("front end", || core_of(db, source)) {
        Ok(Ok(core)) => core,
        Ok(Err(verdict)) => return verdict,
        Err(fault) => return Verdict::Wrong(fault),
    };
    // In turn, as passes alone are half of the work.
    let even = source.seed.is_multiple_of(2);
    let alone = if even { Alone::Sequential } else { Alone::Kernels };
    match check_core(&core, &[run_of(source)], SMALL, alone, stats) {
        Ok(outcomes) => match outcomes.into_iter().next().flatten() {
            Some(truth) => Verdict::Agreed(truth.ok()),
            None => Verdict::TooLong,
        },
        Err(fault) => Verdict::Wrong(fault),
    }
}

/// Does the runs before and after every pass. What each means, if all agree; none of those that run
/// too long to be of use.
pub fn check_core(
    core: &ir::Program,
    runs: &[Run],
    bounds: Bounds,
    alone: Alone,
    stats: &mut Stats,
) -> Result<Vec<Option<Outcome>>, Fault> {
    let mut known = Vec::new();
    let mut outcomes = Vec::new();
    for run in runs {
        let outcome = caught("internalise", || truth(core, run, bounds))??;
        if let Some(truth) = &outcome {
            known.push(RunWithOutcome {
                run,
                prims: prims(core, &run.entry),
                truth: truth.clone(),
            });
        }
        outcomes.push(outcome);
    }
    if !known.is_empty() || runs.is_empty() {
        stats.program(core, known.iter().any(|k| k.truth.is_err()));
        Oracle { runs: known, bounds, alone, stats }.passes(core)?;
    }
    Ok(outcomes)
}

/// What a generated program means, by the interpreter of its first Core.
pub fn meaning(db: &mut CompilerDb, source: &Program) -> Result<Outcome, Verdict> {
    let core = core_of(db, source)?;
    let found = truth(&core, &run_of(source), SMALL).map_err(Verdict::Wrong)?;
    found.ok_or(Verdict::TooLong)
}

fn run_of(source: &Program) -> Run {
    let exact = |e: &Expr| matches!(e.ty.transparent(), Some((Scalar::Exact(_), _)));
    Run {
        name: String::new(),
        entry: source.entry.clone(),
        args: source.args(),
        exact: source.results.iter().map(exact).collect(),
    }
}

fn caught<T>(stage: &str, f: impl FnOnce() -> T) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|_| Fault {
        kind: Kind::Panic,
        stage: stage.into(),
        // The hook that the caller has set knows more.
        what: "a panic".into(),
    })
}

/// The element types of an entry point's results.
fn prims(core: &ir::Program, entry: &str) -> Vec<PrimType> {
    let mut out = Vec::new();
    let entries = core.funs.iter().filter_map(|f| f.entry.as_ref());
    for e in entries.filter(|e| e.name.as_str() == entry) {
        for t in &e.results {
            match &t.kind {
                ExtKind::Transparent { prim, .. } => out.push(*prim),
                ExtKind::Opaque { leaves, .. } => out.extend(leaves.iter().map(|l| l.0)),
            }
        }
    }
    out
}

/// What a run means by the first Core; nothing if it takes too long.
fn truth(core: &ir::Program, run: &Run, bounds: Bounds) -> Result<Option<Outcome>, Fault> {
    let wrong = |kind, what: String| Err(Fault { kind, stage: "internalise".into(), what });
    if let Err(e) = check("internalise", core) {
        return wrong(Kind::Invalid, e.what);
    }
    match by_values(core, run, &prims(core, &run.entry), bounds) {
        Ok(values) => Ok(Some(Ok(values))),
        Err(e) if e.contains("compiler bug") => wrong(Kind::Bug, e),
        Err(e) if e.contains("limit") => Ok(None),
        Err(e) => Ok(Some(Err(e))),
    }
}

fn by_values(core: &ir::Program, run: &Run, prims: &[PrimType], bounds: Bounds) -> Outcome {
    let Bounds { steps, array_bytes } = bounds;
    let limits = Limits { steps: Some(steps), depth: 300, array_bytes };
    let args = run.args.iter().map(|v| v.inward()).collect();
    let done = Interpreter::new(core, limits).and_then(|mut i| i.run_entry(&run.entry, args));
    let values = done.map_err(|e| e.to_string())?;
    Ok(values.iter().zip(prims).map(|(v, p)| outward(v, *p)).collect())
}

fn in_memory(core: &ir::Program, run: &Run, prims: &[PrimType], steps: u64) -> Outcome {
    let entry = |f: &&ir::Fun| f.entry.as_ref().is_some_and(|e| e.name.as_str() == run.entry);
    let name = core.funs.iter().find(entry).map(|f| f.name).ok_or("no entry point")?;
    let args: Vec<_> = run.args.iter().map(|v| v.to_memory()).collect();
    let done = Machine::new(core, steps).and_then(|mut m| m.call_entry(name.as_str(), &args));
    let values = done.map_err(|e| match e {
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
        for kind in KINDS {
            let Pipelines { name, seg, mem, space, .. } = **kind;
            let device = space == MemSpace::Device;
            let at = format!("soacs, {name}");
            let segmented = self.chain(&at, optimised.clone(), seg)?;
            self.memory(&at, segmented, mem, device)?;
            let other = if device { Alone::Sequential } else { Alone::Kernels };
            if self.alone != other {
                self.alone(core, name, seg, mem, device)?;
            }
        }
        Ok(())
    }

    /// Each pass behind those of its pipeline that lead to its level, on what these make.
    fn alone(
        &mut self,
        core: &ir::Program,
        name: &str,
        seg: &[Pass],
        mem: &[Pass],
        device: bool,
    ) -> Result<(), Fault> {
        let Some((explicit, mem)) = mem.split_first() else { return Ok(()) };
        let at = format!("alone, {name}");
        let (mut segmented, mut seg) = (core.clone(), seg);
        while segmented.level == Level::Soacs {
            let Some((first, others)) = seg.split_first() else { return Ok(()) };
            segmented = self.step(&at, &segmented, *first)?;
            seg = others;
        }
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
            let steps = self.bounds.steps * SLACK * 10;
            let at = format!("{stage} in memory");
            self.compare(&at, |k| in_memory(&finished, k.run, &k.prims, steps))?;
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
        let bounds = Bounds { steps: self.bounds.steps * SLACK, ..self.bounds };
        self.compare(&stage, |k| by_values(&after, k.run, &k.prims, bounds))?;
        Ok(after)
    }

    /// Does every run again.
    fn compare(
        &self,
        stage: &str,
        again: impl Fn(&RunWithOutcome<'_>) -> Outcome,
    ) -> Result<(), Fault> {
        for known in &self.runs {
            let out = caught(stage, || again(known))?;
            if let Some((kind, what)) = known.differs(out) {
                let name = &known.run.name;
                let what = if name.is_empty() { what } else { format!("{name}: {what}") };
                return Err(Fault { kind, stage: stage.to_owned(), what });
            }
        }
        Ok(())
    }
}

impl RunWithOutcome<'_> {
    /// What is wrong with a run after a pass.
    fn differs(&self, out: Outcome) -> Option<(Kind, String)> {
        match (&self.truth, out) {
            (_, Err(e)) if e.contains("compiler bug") || e.contains("the limit of") => {
                Some((Kind::Bug, e))
            }
            (Err(_), Err(_)) => None,
            (Err(e), Ok(_)) => Some((Kind::Success, format!("expected failure: {e}"))),
            (Ok(_), Err(e)) => Some((Kind::Failure, e)),
            (Ok(truth), Ok(out)) => {
                differences(&self.run.exact, truth, &out).map(|d| (Kind::Difference, d))
            }
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
fn differences(exact: &[bool], truth: &[Data], out: &[Data]) -> Option<String> {
    let found = compare_all(out, truth, 1);
    if let Some(d) = found.first() {
        return Some(d.0.clone());
    }
    for (i, ((exact, a), b)) in exact.iter().zip(truth).zip(out).enumerate() {
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

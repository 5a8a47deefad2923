//! Whether what failed is still needed by a program that has been optimised.
//!
//! A check whose value nothing depends on may go. Which those are shows by running the program again:
//! after dead code has been removed, after all passes that work on whole arrays (elements that nobody
//! reads are not computed any more), and in memory, where every access is checked.

use super::hand_on::hand_on;
use super::kinds::Kind;
use super::signature::Signature;
use crate::values::{Data, Value, from_memory, outward};
use futc_midend::interp::mem::{Machine, MemError};
use futc_midend::interp::{Interpreter, Limits};
use futc_midend::ir::traverse::{Visit, walk};
use futc_midend::ir::{Exp, Program};
use futc_midend::pipelines::{self, HOST, Pipeline};
use futc_typed::name::Name;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

/// What a run yields: the leaves of its results, or what is said.
pub type Outcome = Result<Vec<Data>, String>;

/// What a run may take.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Statements.
    pub steps: u64,
    /// Calls within calls.
    pub depth: u32,
    /// Bytes of one array.
    pub array_bytes: i64,
}

/// Who still needs what failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// Nobody: it is dead code.
    Dead,
    /// Nobody, once arrays are combined: elements that are not read, or a value that cancels out.
    Unread,
    /// The optimised program fails, too.
    Needed,
}

/// A program at several levels of optimisation, each made when it is asked for.
pub struct Levels {
    first: Program,
    live: OnceCell<Program>,
    optimised: OnceCell<Program>,
    memory: OnceCell<Program>,
    bounds: Bounds,
}

impl Levels {
    /// Of the first Core of a program.
    pub fn new(first: Program, bounds: Bounds) -> Levels {
        let cell = OnceCell::new;
        Levels { first, live: cell(), optimised: OnceCell::new(), memory: OnceCell::new(), bounds }
    }

    /// The first Core.
    pub fn first(&self) -> &Program {
        &self.first
    }

    /// Whether functions call themselves, so that a program may need more stack than there is.
    pub fn recursive(&self) -> bool {
        let mut calls: HashMap<Name, Vec<Name>> = HashMap::new();
        for f in &self.first.funs {
            let mut found = Calls(Vec::new());
            found.fun(f);
            calls.insert(f.name, found.0);
        }
        self.first.funs.iter().any(|f| {
            let (mut seen, mut todo) = (HashSet::new(), vec![f.name]);
            while let Some(g) = todo.pop() {
                for called in calls.get(&g).into_iter().flatten() {
                    if *called == f.name {
                        return true;
                    }
                    if seen.insert(*called) {
                        todo.push(*called);
                    }
                }
            }
            false
        })
    }

    /// What a run means.
    pub fn truth(&self, s: &Signature, values: &[Data]) -> Outcome {
        by_values(&self.first, s, values, self.bounds)
    }

    /// Who needs what fails in such a run.
    pub fn need(&self, s: &Signature, values: &[Data]) -> Need {
        let live = self.live.get_or_init(|| {
            let all = pipelines::all();
            let dead_code = all.iter().filter(|p| p.name == "dead-code").take(1);
            dead_code.fold(hand_on(self.first.clone()), |p, pass| (pass.run)(p))
        });
        // As expressions grow when they are combined.
        let bounds = Bounds { steps: self.bounds.steps * 20, ..self.bounds };
        if by_values(live, s, values, bounds).is_ok() {
            return Need::Dead;
        }
        match by_values(self.optimised(), s, values, bounds) {
            Ok(_) => Need::Unread,
            Err(_) => Need::Needed,
        }
    }

    fn optimised(&self) -> &Program {
        self.optimised.get_or_init(|| passed(self.first.clone(), HOST.soacs))
    }

    /// What a run does in memory as the target for one thread lays it out; accesses outside of a block
    /// are bugs of the compiler.
    pub fn in_memory(&self, s: &Signature, values: &[Data]) -> Outcome {
        let program = self
            .memory
            .get_or_init(|| passed(passed(self.optimised().clone(), HOST.seg), HOST.mem));
        let entry = |e: &futc_midend::ir::EntryPoint| e.name.as_str() == s.entry;
        let fun = program.funs.iter().find(|f| f.entry.as_ref().is_some_and(entry));
        let fun = fun.ok_or("no entry point")?;
        let args: Vec<_> = values.iter().map(|v| Value(v.clone()).to_memory()).collect();
        let done = Machine::new(program, self.bounds.steps * 200)
            .and_then(|mut m| m.call_entry(fun.name.as_str(), &args));
        let found = done.map_err(|e| match e {
            MemError::Failed(what) => what,
            MemError::Bug(what) => format!("compiler bug: {what}"),
            MemError::Fuel => "the limit of steps is reached".into(),
        })?;
        let prims: Vec<_> = s.results.iter().flat_map(|r| r.prims.iter().copied()).collect();
        let sizes = found.len().saturating_sub(prims.len());
        Ok(found.iter().skip(sizes).zip(prims).map(|(v, p)| from_memory(v, p)).collect())
    }
}

struct Calls(Vec<Name>);

impl Visit for Calls {
    fn exp(&mut self, e: &Exp) {
        if let Exp::Call { fun, args: _ } = e {
            self.0.push(*fun);
        }
        walk::exp(self, e);
    }
}

/// Whether a run ended since the interpreter gave up.
pub fn gave_up(outcome: &Outcome) -> bool {
    matches!(outcome, Err(e) if matches!(Kind::of(e), Kind::Limit | Kind::Memory))
}

fn passed(program: Program, passes: Pipeline) -> Program {
    passes.iter().fold(program, |p, pass| (pass.run)(p))
}

fn by_values(program: &Program, s: &Signature, values: &[Data], bounds: Bounds) -> Outcome {
    let Bounds { steps, depth, array_bytes } = bounds;
    let limits = Limits { steps: Some(steps), depth, array_bytes };
    let args = values.iter().map(|v| Value(v.clone()).inward()).collect();
    let done = Interpreter::new(program, limits).and_then(|mut i| i.run_entry(&s.entry, args));
    let found = done.map_err(|e| e.to_string())?;
    let prims = s.results.iter().flat_map(|r| r.prims.iter().copied());
    Ok(found.iter().zip(prims).map(|(v, p)| outward(v, p)).collect())
}

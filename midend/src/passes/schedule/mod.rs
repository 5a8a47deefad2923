//! Schedules: how code generation goes through each segmented operation, decided for one machine.
//!
//! ```text
//! let z = segmap seq (i < n) : (f32) { … }
//!   ⟶
//! let z = schedule { stream chunk 128 pages (8, 1024, 128) least 1048576 from 16777216; loops }
//!   segmap seq (i < n) : (f32) { … }
//! ```
//!
//! Stands at the end of level mem, when it is known where arrays lie. What strategies there are is said
//! by [`Strategy`]; which of them an operation may have, by [`legal`], and which it should have, by a
//! file for each kind of operation. A schedule that is there already stays. Changes nothing else. Cost:
//! linear in the program, but for the analysis of lanes, which looks at bodies once for each operation
//! around them.
//!
//! Operations of level `grid` and `block` are mapped to threads by their level and have no schedule;
//! what their threads run goes by loops, and so does what the host of a device runs, but for reductions.

mod legal;
mod map;
mod reduce;
mod scan;

pub use legal::legal;

use crate::analysis::places::Places;
use crate::ir::traverse::{Visit, for_each_block_mut, walk};
use crate::ir::varmap::VarSet;
use crate::ir::{Exp, Level, PatElem, Poly, Program, Schedule, SegKind, SegOp, Stm, SubExp};
use crate::machine::Machine;

/// Gives every segmented operation without one a schedule. `kernels` says that the program is for a
/// device, and what is scheduled is its host's part.
pub fn schedule(mut program: Program, machine: &Machine, kernels: bool) -> Program {
    if program.level != Level::Mem {
        return program;
    }
    let places = Places::of_program(&program);
    let s = Scheduler { machine, kernels, places: &places };
    s.stms(&mut program.consts.stms, Context::default());
    for f in &mut program.funs {
        s.stms(&mut f.body.stms, Context::default());
    }
    program
}

/// What is wrong with the schedules of a program: code generation would not do what the program means.
pub fn check(program: &Program, machine: &Machine) -> Vec<String> {
    struct Check<'a> {
        places: &'a Places,
        machine: &'a Machine,
        wrong: Vec<String>,
    }
    impl Visit for Check<'_> {
        fn stm(&mut self, s: &Stm) {
            if let Some(schedule) = &s.schedule
                && let Err(why) = legal::check(s, schedule, self.places, self.machine)
            {
                let names: Vec<_> = s.pat.iter().map(|p| p.var.to_string()).collect();
                self.wrong.push(format!("{}: {why}", names.join(", ")));
            }
            walk::stm(self, s);
        }
    }
    if program.level != Level::Mem {
        return schedules_above(program);
    }
    let places = Places::of_program(program);
    let mut check = Check { places: &places, machine, wrong: Vec::new() };
    Visit::body(&mut check, &program.consts);
    program.funs.iter().for_each(|f| Visit::fun(&mut check, f));
    check.wrong
}

/// Schedules before it is known where arrays lie.
fn schedules_above(program: &Program) -> Vec<String> {
    struct Any(bool);
    impl Visit for Any {
        fn stm(&mut self, s: &Stm) {
            self.0 |= s.schedule.is_some();
            walk::stm(self, s);
        }
    }
    let mut any = Any(false);
    Visit::body(&mut any, &program.consts);
    program.funs.iter().for_each(|f| Visit::fun(&mut any, f));
    if any.0 { vec!["schedules are of level mem".into()] } else { Vec::new() }
}

/// Where an operation stands.
#[derive(Clone, Copy, Default)]
struct Context {
    /// So many operations are around it.
    depth: usize,
    /// In a kernel.
    kernel: bool,
}

struct Scheduler<'a> {
    machine: &'a Machine,
    kernels: bool,
    places: &'a Places,
}

/// An operation with what it binds.
#[derive(Clone, Copy)]
pub(crate) struct Nest<'a> {
    pat: &'a [PatElem],
    op: &'a SegOp,
}

impl Scheduler<'_> {
    fn stms(&self, stms: &mut [Stm], context: Context) {
        for s in stms {
            let mut inside = context;
            if let Exp::Seg(op) = &s.exp {
                inside.depth += 1;
                inside.kernel |= op.level.is_kernel();
                if s.schedule.is_none() && !op.level.is_kernel() {
                    s.schedule = Some(self.choose(Nest { pat: &s.pat, op }, context));
                }
            }
            for_each_block_mut(&mut s.exp, &mut |b| self.stms(b, inside));
        }
    }

    fn choose(&self, nest: Nest<'_>, context: Context) -> Schedule {
        let plain = |independent| Schedule { independent, ..Schedule::loops() };
        if context.kernel {
            return plain(legal::is_pointwise_in_place(nest, self.places));
        }
        match &nest.op.kind {
            SegKind::Map if self.kernels => plain(legal::is_pointwise_in_place(nest, self.places)),
            SegKind::Map => self.map(nest, context),
            SegKind::Red(ops) => self.reduction(nest, ops, context),
            SegKind::Scan(_) if self.kernels => plain(false),
            SegKind::Scan(ops) => self.scan(nest, ops),
            SegKind::Hist(_) => plain(false),
        }
    }

    /// How many points of the innermost dimension of an operation with checks should stand in an
    /// iteration.
    ///
    /// Where a check may leave a loop, LLVM makes no vectors of it, and if it unrolls it at all, it asks
    /// after each point whether that was the last one. A loop that always runs eight times is unrolled
    /// without these questions, which take about as long as a short body. Rows of matrices and what
    /// else is inside of other points may be short, so that a second loop costs more than the questions.
    /// Branches are left alone: another place of the same branch is no easier to foretell.
    fn unroll(&self, nest: Nest<'_>, context: Context) -> i64 {
        let long = !self.kernels && context.depth == 0;
        if long && legal::unrolls(nest.op) { points_at_once(&nest.op.body.stms) } else { 1 }
    }
}

/// How many points of a straight body with checks an iteration should take.
fn points_at_once(stms: &[Stm]) -> i64 {
    let checked = stms.iter().any(|s| matches!(s.exp, Exp::Assert { .. }));
    let branches = stms.iter().any(|s| matches!(s.exp, Exp::Match { .. }));
    match stms.len() {
        _ if !checked || branches => 1,
        0..9 => 8,
        9..=16 => 4,
        _ => 1,
    }
}

/// A size, if it is known.
fn known(n: SubExp) -> Option<i64> {
    Poly::leaf(n).as_const()
}

/// The blocks of arrays that an operation makes.
fn blocks(nest: Nest<'_>) -> VarSet {
    nest.pat.iter().filter_map(|p| Some(p.mem.as_ref()?.block)).collect()
}

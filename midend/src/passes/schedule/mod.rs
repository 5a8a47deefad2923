//! Schedules: how code generation goes through each segmented operation and each copy, decided for one machine.
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
//! Copies are those of [`crate::analysis::copies`]. Operations of level `grid` and `block` are mapped to threads by their level and have no schedule;
//! what their threads run goes by loops, and so does what the host of a device runs, but for reductions.
//!
//! Each strategy is code of its own. Where code is to be small ([`Aim::small`]) there are none for sizes beyond
//! the caches, nor for what is known to fit these ([`IN_CACHE`]), and in small code no other that some other one could do instead at about the same speed.

mod copy;
mod legal;
mod map;
mod nest;
mod reduce;
mod scan;
mod scheduler;

pub use copy::strategies as strategies_of_copy;
pub use legal::{copy as legal_of_copy, legal};
pub use scheduler::Aim;

use crate::analysis::places::Places;
use crate::ir::traverse::{Visit, for_each_block_mut, walk};
use crate::ir::{Exp, IN_CACHE, Level, Program, Schedule, SegKind, SegLevel, Stm};
use crate::machine::Machine;
use nest::Nest;
use scheduler::{Context, Scheduler};

/// Gives every segmented operation and every copy without one a schedule.
pub fn schedule(mut program: Program, machine: &Machine, aim: Aim) -> Program {
    if program.level != Level::Mem {
        return program;
    }
    let places = Places::of_program(&program);
    let s = Scheduler { machine, aim, places: &places, large: !aim.small };
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

impl Scheduler<'_> {
    fn stms(&self, stms: &mut [Stm], context: Context) {
        for s in stms {
            let in_cache = context.in_cache || s.has_attr(IN_CACHE);
            let context = Context { in_cache, ..context };
            let mut inside = context;
            if let Exp::Seg(op) = &s.exp {
                // A task is a range of what would be one operation.
                let tasks = op.level == SegLevel::Tasks;
                inside.depth += usize::from(!tasks);
                inside.kernel |= op.level.is_kernel();
                if s.schedule.is_none() && !op.level.is_kernel() && !tasks {
                    let large = self.large && !context.in_cache;
                    let scheduler = Scheduler { large, ..*self };
                    s.schedule = Some(scheduler.choose(Nest { pat: &s.pat, op }, context));
                }
            } else if s.schedule.is_none() {
                let large = self.large && !context.in_cache;
                s.schedule =
                    copy::schedule(s, self.places, self.machine, (!self.aim.kernels, large));
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
            SegKind::Map if self.aim.kernels => {
                plain(legal::is_pointwise_in_place(nest, self.places))
            }
            SegKind::Map => self.map(nest, context),
            SegKind::Red(ops) => self.reduction(nest, ops, context),
            SegKind::Scan(_) if self.aim.kernels => plain(false),
            SegKind::Scan(ops) => self.scan(nest, ops),
            SegKind::Hist(_) => plain(false),
        }
    }
}

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
//! file for each kind of operation. A schedule that is there already stays; one that the source asks for ([`forced`]) is made wherever it is legal. Changes nothing else. Cost:
//! linear in the program, but for the analysis of lanes, which looks at bodies once for each operation
//! around them.
//!
//! Copies are those of [`crate::analysis::copies`]. Operations of the levels of kernels are mapped to threads by
//! their level, and tasks by the runtime: only copies of the rows of their results have strategies. What threads of kernels run goes by
//! loops, in functions that kernels call too, and so does what the host of a device runs, but for reductions.
//!
//! Each strategy is code of its own. Where code is to be small ([`Aim::small`]) there are none for sizes beyond
//! the caches, nor for what is known to fit these ([`StmAttr::InCache`]), and in small code no other that some other one could do instead at about the same speed.

mod compaction;
mod copy;
mod decision;
mod forced;
mod legal;
mod map;
mod nest;
mod note;
mod reduce;
mod scan;
mod scheduler;
mod worth;

pub use decision::{Decision, Judged, Kind, Refusal, Within};
pub use legal::{TREE, commutes, copy as legal_of_copy, folds, legal};
pub use reduce::{WORTH_BLOCKS, suits_tree};
pub use scheduler::Aim;

use crate::analysis::callers::called_by_kernels;
use crate::analysis::copies::{Copied, copies};
use crate::analysis::places::Places;
use crate::ir::traverse::{Visit, for_each_block_mut, walk};
use crate::ir::{Exp, Fun, Level, Program, Schedule, SegKind, SegLevel, Stm, StmAttr, Strategy};
use crate::machine::Machine;
use futc_typed::name::Name;
use nest::Nest;
use scheduler::{Context, Scheduler};
use std::cell::{Cell, RefCell};
use std::collections::HashSet;

/// Bytes of the stack of a function for arrays of lanes, which operations have for themselves: LLVM can make registers of
/// these. Later ones share room.
const ROOM: i64 = 256 << 10;
/// Threads of a block: enough for each multiprocessor to have others to run while some wait.
const BLOCK: i64 = 256;

/// Gives every segmented operation and every copy without one a schedule.
pub fn schedule(program: Program, machine: &Machine, aim: Aim) -> Program {
    scheduled(program, machine, aim, None)
}

/// What is decided about each operation of a program, and why, in the order in which they stand.
pub fn decisions(program: Program, machine: &Machine, aim: Aim) -> Vec<Decision> {
    let said = RefCell::default();
    scheduled(program, machine, aim, Some(&said));
    said.into_inner()
}

fn scheduled(
    mut program: Program,
    machine: &Machine,
    aim: Aim,
    said: Option<&RefCell<Vec<Decision>>>,
) -> Program {
    if program.level != Level::Mem {
        return program;
    }
    let places = Places::of_program(&program);
    let room = Cell::new(ROOM);
    let s = Scheduler { machine, aim, places: &places, large: !aim.small, room: &room, said };
    s.stms(&mut program.consts.stms, Context::default());
    let in_kernels = called_by_kernels(&program);
    for f in &mut program.funs {
        room.set(ROOM);
        let kernel = in_kernels.contains(&f.name);
        s.stms(&mut f.body.stms, Context { kernel, fun: Some(f.name), ..Context::default() });
    }
    program
}

/// What is wrong with the schedules of a program: code generation would not do what the program means.
pub fn check(program: &Program, machine: &Machine) -> Vec<String> {
    struct Check<'a> {
        places: &'a Places,
        machine: &'a Machine,
        called_by_kernels: HashSet<Name>,
        in_kernel: bool,
        in_task: bool,
        wrong: Vec<String>,
    }
    impl Visit for Check<'_> {
        fn fun(&mut self, f: &Fun) {
            self.in_kernel = self.called_by_kernels.contains(&f.name);
            walk::fun(self, f);
        }

        fn stm(&mut self, s: &Stm) {
            let checked = s.schedule.as_ref().map_or(Ok(()), |schedule| {
                let of_tasks = |s: &Strategy| matches!(s, Strategy::Stream { tasks: true, .. });
                if !self.in_task && schedule.strategies.iter().any(of_tasks) {
                    return Err("a stream of tasks outside of them".into());
                }
                legal::check(s, schedule, self.in_kernel, self.places, self.machine)
            });
            if let Err(why) = checked {
                let names: Vec<_> = s.pat.iter().map(|p| p.var.to_string()).collect();
                self.wrong.push(format!("{}: {why}", names.join(", ")));
            }
            let outside = (self.in_kernel, self.in_task);
            if let Exp::Seg(op) = &s.exp {
                self.in_kernel |= op.level.is_kernel();
                self.in_task |= op.level == SegLevel::Tasks;
            }
            walk::stm(self, s);
            (self.in_kernel, self.in_task) = outside;
        }
    }
    if program.level != Level::Mem {
        return schedules_above(program);
    }
    let places = Places::of_program(program);
    let called_by_kernels = called_by_kernels(program);
    let mut check = Check {
        places: &places,
        machine,
        called_by_kernels,
        in_kernel: false,
        in_task: false,
        wrong: Vec::new(),
    };
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
            let in_cache = context.in_cache || s.has(StmAttr::InCache);
            let (strip, peeled) = (s.has(StmAttr::Strip), s.has(StmAttr::Peeled));
            let (blocks, rows) = (s.has(StmAttr::Blocks), s.has(StmAttr::Rows));
            let (few_rows, short_rows) = (s.has(StmAttr::FewRows), s.has(StmAttr::ShortRows));
            let context =
                Context { in_cache, strip, peeled, blocks, few_rows, short_rows, rows, ..context };
            let mut inside = context;
            if let (Exp::Loop { .. }, Some(how)) = (&s.exp, s.forced()) {
                self.note_loop(s, context, how);
            }
            if let Exp::Seg(op) = &s.exp {
                // A task is a range of what would be one operation.
                let tasks = op.level == SegLevel::Tasks;
                inside.depth += usize::from(!tasks);
                inside.kernel |= op.level.is_kernel();
                inside.task |= tasks;
                let shared = Refusal::Illegal("the threads of a kernel share its points");
                let of_kernel = s.forced().filter(|_| op.level.is_kernel());
                let mut forced = of_kernel.map(|how| (how, Some(shared)));
                if s.schedule.is_none() && !op.level.is_kernel() && !tasks {
                    let large = self.large && !context.in_cache;
                    let scheduler = Scheduler { large, ..*self };
                    let nest = Nest { pat: &s.pat, op };
                    let asked = s.forced().map(|how| (how, scheduler.forced(nest, context, how)));
                    let schedule = match &asked {
                        Some((_, Ok(Some(schedule)))) => schedule.clone(),
                        _ if legal::scatters_little(op) => scheduler.choose(nest, context).scalar(),
                        _ => scheduler.choose(nest, context),
                    };
                    forced = asked.map(|(how, made)| (how, made.err()));
                    let dummy_slot = !context.kernel && legal::writes_scalars(op);
                    s.schedule = Some(Schedule { dummy_slot, ..schedule });
                }
                if op.level == SegLevel::Grid && !context.kernel {
                    let schedule = s.schedule.get_or_insert_with(|| Schedule::new(Vec::new()));
                    if schedule.strategies.is_empty() {
                        schedule.strategies.push(Strategy::Threads { block: BLOCK });
                    }
                }
                self.note(s, Nest { pat: &s.pat, op }, context, forced);
                inside.lanes |= s.schedule.as_ref().is_some_and(decision::has_lanes);
                self.rows(s, inside);
            } else if s.schedule.is_none() && s.has(StmAttr::Compacts) {
                s.schedule = self.compaction(s, context);
            } else if s.schedule.is_none() {
                let strategies = self.copies(&copies(s, self.places), context);
                s.schedule = match strategies.as_slice() {
                    [] if context.kernel => None,
                    [] => copy::literal(s, self.places),
                    _ => Some(Schedule::new(strategies)),
                };
            }
            for_each_block_mut(&mut s.exp, &mut |b| self.stms(b, inside));
        }
    }

    /// Gives a segmented operation strategies for the rows of its results, if it has none.
    fn rows(&self, s: &mut Stm, inside: Context) {
        if s.schedule.as_ref().is_some_and(|schedule| !schedule.rows.is_empty()) {
            return;
        }
        let rows = self.copies(&copies(s, self.places), inside);
        if !rows.is_empty() {
            s.schedule.get_or_insert_with(|| Schedule::new(Vec::new())).rows = rows;
        }
    }

    fn copies(&self, copies: &[Copied], context: Context) -> Vec<Strategy> {
        let vectors = !self.aim.kernels && !context.kernel;
        let large = self.large && !context.in_cache;
        copy::strategies(copies, &self.places.defs, self.machine, (vectors, large))
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
            SegKind::Map | SegKind::Red(_) if context.peeled => {
                Schedule::new(vec![Strategy::Scalar])
            }
            SegKind::Map => self.map(nest, context),
            SegKind::Red(ops) => self.reduction(nest, ops, context),
            SegKind::Scan(_) if self.aim.kernels => plain(false),
            SegKind::Scan(ops) => self.scan(nest, ops),
            SegKind::Hist(_) => plain(false),
        }
    }
}

//! Cuts operations of the host into tasks, which the CPU's threads share.
//!
//! ```text
//! let ys @ b → {0; (n, 1)} =              let ys @ b → {0; (n, 1)} = scratch
//!   segmap seq (i < n) { … }        →     let () = segmap tasks (t < tasks) {
//!                                           lo = t · size;  len = min(size, n − lo)
//!                                           let part @ b → {lo; (len, 1)} =
//!                                             segmap seq (k < len) { i = k + lo … }
//!                                         }
//! ```
//!
//! Each task is the operation over a range of one of its independent dimensions, which writes its part of
//! the result where that lies; all that follows in the pipeline makes of it what it would make of the
//! whole. How many tasks there are is computed before, from the sizes and an estimate of the work alone: the
//! results are the same bits for any number of threads. Where there is little to do, there is one task,
//! which the thread that comes by runs itself.
//!
//! Fills and copies of whole arrays are cut in the same way ([`bulk`]).
//!
//! Which dimension is cut is chosen when the program runs: the outermost one if it has enough points for
//! all tasks, else the one inside, if there is one. Reductions without segments are cut along what they reduce
//! ([`reduce`]), and what the tasks come to is reduced in order; histograms without segments have destinations for
//! each task ([`hist`]).
//!
//! Cut are operations that the host comes to, in loops and branches or not, and in functions that nothing
//! but the host calls; what stands inside of other operations runs in their tasks. Scans of one row, segmented
//! histograms, and what says `sequential` are left as they are. At level `mem`, before allocations are
//! moved: tasks have blocks of their own.

mod bulk;
mod hist;
mod reduce;
mod space;
mod work;

use super::blocks::Binders;
use crate::analysis::contraction::contraction;
use crate::analysis::places::Places;
use crate::ir::traverse::{Visit, walk};
use crate::ir::{
    Builder, Exp, Fun, KernelBody, KernelResult, Level, NameSource, PatElem, Program, SegKind,
    SegLevel, SegOp, SegSpace, Stm, SubExp, Type, Var,
};
use futc_typed::name::Name;
use space::{Independent, Least};
use std::collections::{HashMap, HashSet};
use work::Estimate;

/// What a task takes at least, in picoseconds, as a power of two: some 17 µs. Handing out a task takes a
/// hundredth of that.
const GRAIN: i64 = 24;
/// The same, for the runtime.
pub const TASK_PICOSECONDS: i64 = 1 << GRAIN;
/// More tasks than this are not made of one operation.
const MOST_TASKS: i64 = 128;
/// Rows of a product of matrices in a task: every task packs the columns anew, which is a fifth of what so many rows
/// take.
const ROWS_OF_PRODUCT: i64 = 256;

/// Cuts the operations of a program.
pub fn cut_tasks(program: Program) -> Program {
    cut(program, Grain::Estimated)
}

/// Cuts the operations of a program into as many tasks as there may be, for tests.
pub fn cut_small_tasks(program: Program) -> Program {
    cut(program, Grain::Smallest)
}

/// How much a task has to do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Grain {
    /// What pays for handing it out.
    Estimated,
    /// Two points, if there are not too many.
    Smallest,
}

fn cut(mut program: Program, grain: Grain) -> Program {
    if program.level != Level::Mem {
        return program;
    }
    let inside = called_inside(&program);
    let places = Places::of_program(&program);
    let mut cut = Cut { b: Builder::new(NameSource::new(program.next_tag)), grain, places };
    cut.list(&mut program.consts.stms);
    for f in program.funs.iter_mut().filter(|f| !inside.contains(&f.name)) {
        cut.list(&mut f.body.stms);
    }
    program.next_tag = cut.b.names.next_tag();
    program
}

/// The functions that segmented operations call, themselves or by others.
fn called_inside(program: &Program) -> HashSet<Name> {
    #[derive(Default)]
    struct Calls {
        depth: usize,
        inside: Vec<Name>,
        all: Vec<Name>,
    }
    impl Visit for Calls {
        fn exp(&mut self, e: &Exp) {
            if let Exp::Call { fun, .. } = e {
                self.all.push(*fun);
                if self.depth > 0 {
                    self.inside.push(*fun);
                }
            }
            let seg = usize::from(matches!(e, Exp::Seg(_)));
            self.depth += seg;
            walk::exp(self, e);
            self.depth -= seg;
        }
    }
    let mut todo = Vec::new();
    let mut calls: HashMap<Name, Vec<Name>> = HashMap::new();
    let mut consts = Calls::default();
    consts.body(&program.consts);
    todo.extend(consts.inside);
    for f in &program.funs {
        let mut c = Calls::default();
        Visit::fun(&mut c, f as &Fun);
        todo.extend(c.inside);
        calls.insert(f.name, c.all);
    }
    let mut seen = HashSet::new();
    while let Some(f) = todo.pop() {
        if seen.insert(f) {
            todo.extend(calls.get(&f).into_iter().flatten());
        }
    }
    seen
}

struct Cut {
    b: Builder,
    grain: Grain,
    places: Places,
}

impl Cut {
    /// A list of statements that the host runs.
    fn list(&mut self, stms: &mut Vec<Stm>) {
        let mut out = Vec::with_capacity(stms.len());
        for mut s in std::mem::take(stms) {
            match &mut s.exp {
                Exp::Match { cases, default, .. } => {
                    cases.iter_mut().for_each(|(_, body)| self.list(&mut body.stms));
                    self.list(&mut default.stms);
                }
                Exp::Loop { body, .. } => self.list(&mut body.stms),
                Exp::Seg(op) if op.level.is_sequential() && !s.attrs.iter().any(is_sequential) => {
                    if let Some(cut) = self.operation(&s) {
                        out.extend(cut);
                        continue;
                    }
                }
                Exp::Replicate { .. } | Exp::Iota { .. } | Exp::Copy(_) => {
                    if let Some(cut) = self.bulk(&s) {
                        out.extend(cut);
                        continue;
                    }
                }
                _ => {}
            }
            out.push(s);
        }
        *stms = out;
    }

    fn operation(&mut self, s: &Stm) -> Option<Vec<Stm>> {
        let Exp::Seg(op) = &s.exp else { return None };
        let independent = op.kind.parallel_dims(&op.space);
        match &op.kind {
            SegKind::Hist(ops) if independent == 0 => self.histogram(s, op, ops),
            SegKind::Hist(_) => None,
            SegKind::Red(ops) if independent == 0 => self.reduction(s, op, ops),
            SegKind::Map | SegKind::Red(_) | SegKind::Scan(_) if independent > 0 => {
                self.segments(s, op, independent)
            }
            SegKind::Map | SegKind::Red(_) | SegKind::Scan(_) => None,
        }
    }

    /// An operation whose outer dimensions are independent of one another.
    fn segments(&mut self, s: &Stm, op: &SegOp, independent: usize) -> Option<Vec<Stm>> {
        let results = Results::of(s, op)?;
        self.b.loc = s.loc;
        self.b.begin();
        let estimate = Estimate::of(op, independent, self.grain, &mut self.b);
        let least = match &op.kind {
            SegKind::Red(ops) if contraction(&op.space, ops, &op.body).is_some() => {
                Least { points: SubExp::i64(ROWS_OF_PRODUCT), even: true }
            }
            _ => Least::one(),
        };
        // Neighbours are in one cache line.
        let whole = estimate.is_cheap() && independent == op.space.dims.len();
        let space =
            Independent { sizes: op.space.dims.iter().take(independent).map(|d| d.1).collect() };
        let Some(chunks) = space.chunks(estimate, least, whole, &mut self.b) else {
            self.b.end();
            return None;
        };
        results.declare(s, &mut self.b);
        self.b.begin();
        let t = self.b.names.fresh("task");
        let ranges = chunks.ranges(t, &mut self.b);
        let part = results.part(&ranges, &mut self.b);
        let exp = Exp::Seg(over(op.clone(), &ranges, &mut self.b));
        self.b.push(Stm { pat: part, exp, schedule: None, ..s.clone() });
        let body = KernelBody { stms: self.b.end(), results: Vec::new(), types: Vec::new() };
        self.b.push(tasks(Vec::new(), t, chunks.count, body, s));
        results.bind(s, &mut self.b);
        Some(self.b.end())
    }
}

fn is_sequential(attr: &Name) -> bool {
    attr.as_str() == "sequential"
}

/// The tasks of a statement.
fn tasks(pat: Vec<PatElem>, t: Var, count: SubExp, body: KernelBody, s: &Stm) -> Stm {
    let space = SegSpace { dims: vec![(t, count)] };
    let exp = Exp::Seg(SegOp { level: SegLevel::Tasks, space, kind: SegKind::Map, body });
    Stm { pat, exp, schedule: None, ..s.clone() }
}

/// A range of a dimension: its first index, and its length.
#[derive(Clone, Copy)]
struct Range {
    first: SubExp,
    len: SubExp,
}

/// The operation over ranges of its outer dimensions.
fn over(mut op: SegOp, ranges: &[Range], b: &mut Builder) -> SegOp {
    let mut first = Vec::with_capacity(ranges.len());
    for ((i, n), range) in op.space.dims.iter_mut().zip(ranges) {
        *n = range.len;
        if range.first != SubExp::i64(0) {
            let k = b.names.like(*i);
            let sum = Exp::BinOp(crate::ir::BinOp::Add(space::I64), k.into(), range.first);
            first.push(Stm::new(vec![PatElem::new(*i, Type::I64)], sum));
            *i = k;
        }
    }
    op.body.stms.splice(0..0, first);
    op
}

/// The arrays that an operation makes or writes to.
struct Results {
    arrays: Vec<(PatElem, Option<Var>)>,
}

impl Results {
    /// Nothing if one of them is dead: all its elements are one place.
    fn of(s: &Stm, op: &SegOp) -> Option<Results> {
        let scalars = s.pat.iter().take_while(|p| p.ty.rank() == 0).count();
        let arrays = s.pat.get(scalars..)?;
        let first = op.body.results.len().checked_sub(arrays.len())?;
        let mut out = Vec::with_capacity(arrays.len());
        for (p, result) in arrays.iter().zip(op.body.results.get(first..)?) {
            let lmad = &p.mem.as_ref()?.lmad;
            let dest = match result {
                KernelResult::Return(_) => None,
                KernelResult::Write { dest, .. } => Some(*dest),
            };
            let zero = SubExp::i64(0);
            let dead = |d: &crate::ir::LmadDim| crate::ir::Poly::of(&d.stride).is_zero();
            if dest.is_none() && lmad.dims.iter().any(|d| dead(d) && d.n != zero) {
                return None;
            }
            out.push((p.clone(), dest));
        }
        Some(Results { arrays: out })
    }

    /// Arrays that tasks fill.
    fn declare(&self, s: &Stm, b: &mut Builder) {
        for (p, dest) in &self.arrays {
            if let (None, Type::Array { elem, shape }) = (dest, &p.ty) {
                let exp = Exp::Scratch { elem: *elem, shape: shape.clone() };
                b.push(Stm { loc: s.loc, ..Stm::new(vec![p.clone()], exp) });
            }
        }
    }

    /// What the operation binds that is over ranges of the outer dimensions.
    fn part(&self, ranges: &[Range], b: &mut Builder) -> Vec<PatElem> {
        let part = |(p, dest): &(PatElem, Option<Var>)| {
            let mut part = p.clone();
            part.var = b.names.like(p.var);
            if dest.is_none() {
                space::narrow(&mut part, ranges);
            }
            part
        };
        self.arrays.iter().map(part).collect()
    }

    /// Arrays that tasks have written to.
    fn bind(&self, s: &Stm, b: &mut Builder) {
        for (p, dest) in &self.arrays {
            if let Some(dest) = dest {
                let exp = Exp::SubExp((*dest).into());
                b.push(Stm { loc: s.loc, ..Stm::new(vec![p.clone()], exp) });
            }
        }
    }
}

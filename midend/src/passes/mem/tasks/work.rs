//! How long the points of an operation take: an estimate, in picoseconds of one thread, by which tasks are made.
//!
//! Scalar code is taken for what it takes without vectors; loops count as often as they run, or at most run
//! ([`super::rounds`]), if that is known before the operation, and else [`UNKNOWN`] times. The runtime corrects by what it measures whether a
//! loop is shared at all; the estimate says into how many tasks it may be.

use super::grain::{GRAIN, Grain, TASK_PICOSECONDS};
use super::rounds::Rounds;
use crate::ir::traverse::{Binders, Visit};
use crate::ir::varmap::VarSet;
use crate::ir::{
    BinOp, Body, Builder, Const, Exp, IntType, Lambda, LoopForm, Reduction, SegKind, SegOp, Soac,
    Stm, SubExp, Type,
};

/// How often a loop runs of which that is not known.
const UNKNOWN: i64 = 256;
/// Loops are taken to run at most so often.
const MOST_ROUNDS: i64 = 1 << 20;
/// Arithmetic; what is read; divisions; mathematical functions; allocations; calls.
const OPERATION: i64 = 100;
const READ: i64 = 200;
const DIVISION: i64 = 2_000;
const FUNCTION: i64 = 3_000;
const ALLOCATION: i64 = 30_000;
const CALL: i64 = 20_000;
/// What a histogram puts into a bucket: often it waits for what was put there before.
const BUCKET: i64 = 1_200;
/// A step of a product of matrices, in blocks.
const STEP: i64 = 32;
/// Points that take less are cheap.
const CHEAP: i64 = 1 << 16;

/// What a point of the dimensions that are cut takes.
#[derive(Clone, Copy)]
pub(in crate::passes) struct Estimate {
    pub(in crate::passes) of_point: SubExp,
    /// What a point of all dimensions takes.
    of_element: SubExp,
}

impl Estimate {
    /// Of a point of the first `outer` dimensions. Emits what it is computed from.
    pub(super) fn of(op: &SegOp, outer: usize, grain: Grain, b: &mut Builder) -> Estimate {
        if grain == Grain::Smallest {
            return Estimate::half_a_task();
        }
        Estimate::inside(op, outer, VarSet::default(), b)
    }

    /// The same of an operation where `around` is bound, too, that is not where the estimate is computed.
    pub(super) fn inside(op: &SegOp, outer: usize, around: VarSet, b: &mut Builder) -> Estimate {
        let mut inside = Binders(around);
        inside.exp(&Exp::Seg(op.clone()));
        let mut work = Work { rounds: Rounds::inside(inside.0), b };
        work.rounds.space(&op.space);
        let mut of_point = work.stms(&op.body.stms);
        for r in op.kind.reductions() {
            let operator = work.stms(&r.op.body.stms);
            of_point = work.b.add(of_point, operator);
        }
        let end = match &op.kind {
            SegKind::Hist(ops) => BUCKET * ops.len() as i64,
            _ => READ,
        };
        of_point = work.b.add(of_point, SubExp::i64(end));
        let of_element = of_point;
        let rounds: Vec<SubExp> = op.space.dims.iter().skip(outer).map(|d| d.1).collect();
        for n in rounds {
            of_point = work.repeated(n, of_point);
        }
        Estimate { of_point, of_element }
    }

    /// Of a point of the first `outer` dimensions of a product of matrices.
    pub(super) fn of_product(op: &SegOp, outer: usize, grain: Grain, b: &mut Builder) -> Estimate {
        if grain == Grain::Smallest {
            return Estimate::half_a_task();
        }
        let sizes: Vec<SubExp> = op.space.dims.iter().skip(outer).map(|d| d.1).collect();
        let of_point = Work { rounds: Rounds::default(), b }.elements(&sizes, STEP);
        Estimate { of_point, of_element: SubExp::i64(STEP) }
    }

    /// Of a round in which functions run, one after the other.
    pub(in crate::passes) fn of_round(
        functions: &[&Lambda],
        grain: Grain,
        b: &mut Builder,
    ) -> Estimate {
        if grain == Grain::Smallest {
            return Estimate::half_a_task();
        }
        let mut inside = Binders::default();
        functions.iter().for_each(|f| inside.lambda(f));
        let mut work = Work { rounds: Rounds::inside(inside.0), b };
        let mut of_point = SubExp::i64(READ);
        for f in functions {
            let one = work.body(&f.body);
            of_point = work.b.add(of_point, one);
        }
        Estimate { of_point, of_element: of_point }
    }

    /// Two points are worth a task.
    fn half_a_task() -> Estimate {
        let half = SubExp::i64(TASK_PICOSECONDS / 2);
        Estimate { of_point: half, of_element: half }
    }

    /// Of filling or copying arrays of a shape.
    pub(super) fn of_elements(shape: &[SubExp], grain: Grain, b: &mut Builder) -> Estimate {
        if grain == Grain::Smallest {
            return Estimate::half_a_task();
        }
        let of_point = Work { rounds: Rounds::default(), b }.elements(shape, READ);
        Estimate { of_point, of_element: SubExp::i64(READ) }
    }

    /// What so many points of all dimensions take.
    pub(super) fn of_elements_of(self, n: SubExp, b: &mut Builder) -> SubExp {
        let n = b.min(n, SubExp::i64(MOST_ROUNDS << 4));
        b.mul(n, self.of_element)
    }

    /// Whether it is known that a point takes little.
    pub(super) fn is_cheap(self) -> bool {
        is_cheap(self.of_point)
    }

    /// Whether that is known of a point of all dimensions.
    pub(super) fn elements_are_cheap(self) -> bool {
        is_cheap(self.of_element)
    }
}

fn is_cheap(picoseconds: SubExp) -> bool {
    matches!(picoseconds, SubExp::Const(Const::I64(c)) if c <= CHEAP)
}

struct Work<'b> {
    rounds: Rounds,
    b: &'b mut Builder,
}

impl Work<'_> {
    fn stms(&mut self, stms: &[Stm]) -> SubExp {
        let mut sum = SubExp::i64(0);
        for s in stms {
            self.rounds.stm(s);
            let one = self.stm(s);
            sum = self.b.add(sum, one);
        }
        sum
    }

    fn body(&mut self, body: &Body) -> SubExp {
        self.stms(&body.stms)
    }

    /// What takes `once`, so often.
    fn repeated(&mut self, n: SubExp, once: SubExp) -> SubExp {
        let n = self.rounds.most(n, self.b).unwrap_or(SubExp::i64(UNKNOWN));
        let n = self.b.min(n, SubExp::i64(MOST_ROUNDS));
        let n = self.b.max(n, SubExp::i64(0));
        let all = self.b.mul(n, once);
        self.b.min(all, SubExp::i64(1 << GRAIN))
    }

    /// All elements of arrays, each of which takes `once`.
    fn elements(&mut self, shape: &[SubExp], once: i64) -> SubExp {
        shape.iter().rev().fold(SubExp::i64(once), |all, n| self.repeated(*n, all))
    }

    fn stm(&mut self, s: &Stm) -> SubExp {
        let shape = s.pat.iter().map(|p| p.ty.shape()).max_by_key(|s| s.len()).unwrap_or_default();
        match &s.exp {
            // By a number that is known, by multiplication.
            Exp::BinOp(op, _, SubExp::Const(_)) if op.is_partial() => SubExp::i64(4 * OPERATION),
            Exp::BinOp(op, ..) if op.is_partial() => SubExp::i64(DIVISION),
            Exp::BinOp(BinOp::FMod(_) | BinOp::FPow(_), ..) | Exp::Math(..) => {
                SubExp::i64(FUNCTION)
            }
            Exp::UnOp(..)
            | Exp::BinOp(..)
            | Exp::CmpOp(..)
            | Exp::ConvOp(..)
            | Exp::Assert { .. } => SubExp::i64(OPERATION),
            Exp::Index { .. } if shape.is_empty() => SubExp::i64(READ),
            Exp::SubExp(_)
            | Exp::Index { .. }
            | Exp::FlatIndex { .. }
            | Exp::Rearrange { .. }
            | Exp::Reshape { .. }
            | Exp::Scratch { .. }
            | Exp::Opaque(_)
            | Exp::Workers
            | Exp::Retain(_)
            | Exp::Release(_) => SubExp::i64(0),
            Exp::Update { value, .. } => match self.b.ty(*value) {
                Type::Array { shape, .. } => self.elements(&shape, READ),
                _ => SubExp::i64(READ),
            },
            Exp::FlatUpdate { dims, .. } => {
                let shape: Vec<SubExp> = dims.iter().map(|d| d.0).collect();
                self.elements(&shape, READ)
            }
            Exp::ArrayLit { .. }
            | Exp::Iota { .. }
            | Exp::Replicate { .. }
            | Exp::Concat { .. }
            | Exp::Copy(_) => self.elements(shape, READ),
            Exp::Trace(_) | Exp::Call { .. } | Exp::Prefix { .. } => SubExp::i64(CALL),
            Exp::Soac(soac) => self.combinator(soac),
            Exp::Alloc { .. } => SubExp::i64(ALLOCATION),
            Exp::Match { cases, default, .. } => {
                let mut most = self.body(default);
                for (_, body) in cases {
                    let one = self.body(body);
                    most = self.b.max(most, one);
                }
                most
            }
            Exp::Loop { form, body, .. } => {
                self.rounds.form(form);
                let once = self.body(body);
                let once = self.b.add(once, SubExp::i64(OPERATION));
                let n = match form {
                    LoopForm::For { bound, ty, .. } if *ty == IntType::I64 => *bound,
                    LoopForm::For { bound: SubExp::Const(c), .. } => SubExp::i64(c.bits() as i64),
                    LoopForm::For { .. } | LoopForm::While { .. } => SubExp::i64(UNKNOWN),
                };
                self.repeated(n, once)
            }
            Exp::Seg(op) => {
                self.rounds.space(&op.space);
                let mut once = self.stms(&op.body.stms);
                for r in op.kind.reductions() {
                    let operator = self.stms(&r.op.body.stms);
                    once = self.b.add(once, operator);
                }
                once = self.b.add(once, SubExp::i64(READ));
                op.space.dims.iter().rev().fold(once, |all, d| self.repeated(d.1, all))
            }
        }
    }
    fn combinator(&mut self, soac: &Soac) -> SubExp {
        let (width, lambda, operators): (_, _, Vec<&Reduction>) = match soac {
            Soac::Screma { width, lambda, scans, reduces, .. } => {
                (width, lambda, scans.iter().chain(reduces).collect())
            }
            Soac::Hist { width, lambda, ops, .. } => {
                (width, lambda, ops.iter().map(|h| &h.op).collect())
            }
            Soac::Scatter { width, lambda, .. } => (width, lambda, Vec::new()),
        };
        let mut once = self.body(&lambda.body);
        for r in operators {
            let operator = self.body(&r.op.body);
            once = self.b.add(once, operator);
        }
        once = self.b.add(once, SubExp::i64(READ));
        self.repeated(*width, once)
    }
}

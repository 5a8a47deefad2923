//! What is known of the signs and bounds of scalars: loop counters and rows of `iota` are between
//! zero and their bound, sizes are not negative. Bounds checks go by these.

use super::Simplifier;
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{BinOp, CmpOp, ConvOp, Exp, IntType, SegOp, SubExp, Type, Var};

/// Facts that hold wherever their variables are in scope.
#[derive(Default)]
pub(super) struct Facts {
    /// Not negative, and below this, in the variable's own type.
    ranges: VarMap<SubExp>,
    /// Sizes of arrays that exist.
    sizes: VarSet,
}

impl Facts {
    /// `0 <= v < bound`.
    pub(super) fn below(&mut self, v: Var, bound: SubExp) {
        self.ranges.insert(v, bound);
    }

    /// The dimensions of a parameter of a function.
    pub(super) fn sizes(&mut self, ty: &Type) {
        self.sizes.extend(ty.shape().iter().filter_map(|x| x.var()));
    }

    /// The indexes of an index space.
    pub(super) fn space(&mut self, op: &SegOp) {
        let (SegOp::Map { space, .. }
        | SegOp::Red { space, .. }
        | SegOp::Scan { space, .. }
        | SegOp::Hist { space, .. }) = op;
        for (v, n) in &space.dims {
            self.below(*v, *n);
        }
    }
}

/// Definitions are followed this far.
const DEPTH: u32 = 4;

impl Simplifier {
    /// Is `x` evidently not negative?
    pub(super) fn nonnegative(&self, x: SubExp) -> bool {
        self.nonneg(x, DEPTH)
    }

    fn nonneg(&self, x: SubExp, depth: u32) -> bool {
        let v = match x {
            SubExp::Const(c) => return c.as_int().is_some_and(|c| c >= 0),
            SubExp::Var(v) => v,
        };
        if self.facts.ranges.contains_key(&v) || self.facts.sizes.contains(&v) {
            return true;
        }
        if depth == 0 {
            return false;
        }
        let nn = |x: SubExp| self.nonneg(x, depth - 1);
        match self.defs.get(&v).map(|d| &d.exp) {
            Some(Exp::SubExp(x)) => nn(*x),
            Some(Exp::BinOp(op, a, b)) => match op {
                BinOp::SMin(_) | BinOp::SQuot(_) | BinOp::SDiv(_) => nn(*a) && nn(*b),
                BinOp::SMax(_) | BinOp::And(_) => nn(*a) || nn(*b),
                BinOp::SMod(_) => nn(*b),
                BinOp::SRem(_) => nn(*a),
                _ => false,
            },
            Some(Exp::ConvOp(ConvOp::SExt(from, to), x)) => from <= to && nn(*x),
            Some(Exp::ConvOp(ConvOp::ZExt(from, to), _)) => from < to,
            _ => false,
        }
    }

    /// Is `x < y`, or not, evidently so? Signed.
    fn less(&self, x: SubExp, y: SubExp) -> Option<bool> {
        if let (SubExp::Const(a), SubExp::Const(b)) = (x, y) {
            return Some(a.as_int()? < b.as_int()?);
        }
        if let SubExp::Const(c) = y
            && c.as_int()? <= 0
            && self.nonnegative(x)
        {
            return Some(false);
        }
        if let SubExp::Const(c) = x
            && c.as_int()? < 0
            && self.nonnegative(y)
        {
            return Some(true);
        }
        self.below(x, y, DEPTH).then_some(true)
    }

    fn below(&self, x: SubExp, y: SubExp, depth: u32) -> bool {
        let SubExp::Var(v) = x else { return false };
        if let Some(&b) = self.facts.ranges.get(&v) {
            return b == y
                || self.at_most(b, y)
                || self.plain(b).is_some_and(|e| match e {
                    Exp::BinOp(BinOp::SMin(_), p, q) => *p == y || *q == y,
                    // An `n - c` that a loop reached is not negative, so it did not wrap.
                    Exp::BinOp(BinOp::Sub(_), n, SubExp::Const(c)) => {
                        *n == y && self.nonnegative(y) && c.as_int().is_some_and(|c| c >= 0)
                    }
                    _ => false,
                });
        }
        if depth == 0 {
            return false;
        }
        match self.defs.get(&v).map(|d| &d.exp) {
            Some(Exp::SubExp(x)) => self.below(*x, y, depth - 1),
            Some(Exp::BinOp(BinOp::SMod(_), _, n)) => *n == y && self.nonnegative(y),
            Some(Exp::BinOp(BinOp::SMin(_), a, b)) => {
                self.below(*a, y, depth - 1) || self.below(*b, y, depth - 1)
            }
            // `n - c` with `n` not negative does not wrap.
            Some(Exp::BinOp(BinOp::Sub(_), n, SubExp::Const(c))) => {
                *n == y && self.nonnegative(y) && c.as_int().is_some_and(|c| c > 0)
            }
            // A counter of another width against its bound of that width.
            Some(Exp::ConvOp(ConvOp::SExt(from, to), a)) if from <= to => match self.plain(y) {
                Some(Exp::ConvOp(ConvOp::SExt(f, t), b)) if (f, t) == (from, to) => {
                    self.below(*a, *b, depth - 1)
                }
                // The other way: the bound was narrowed, and the wide one is not negative. A
                // narrowed bound can only be less, unless it wraps below zero, where nothing runs.
                _ => match (self.facts.ranges.get(&a.var().unwrap_or(v)), a.var()) {
                    (Some(b), Some(_)) => match self.plain(*b) {
                        Some(Exp::ConvOp(ConvOp::SExt(IntType::I64, narrow), n)) => {
                            narrow == from && *n == y && self.nonnegative(y)
                        }
                        _ => false,
                    },
                    _ => false,
                },
            },
            _ => false,
        }
    }

    fn at_most(&self, a: SubExp, b: SubExp) -> bool {
        match (a, b) {
            (SubExp::Const(a), SubExp::Const(b)) => {
                matches!((a.as_int(), b.as_int()), (Some(a), Some(b)) if a <= b)
            }
            _ => false,
        }
    }

    /// What a comparison evidently comes to.
    pub(super) fn decide(&self, op: CmpOp, x: SubExp, y: SubExp) -> Option<bool> {
        match op {
            CmpOp::SLt(_) => self.less(x, y),
            // `x <= y` is not `y < x`.
            CmpOp::SLe(_) => match self.less(y, x) {
                Some(b) => Some(!b),
                None => match self.less(x, y) {
                    Some(true) => Some(true),
                    Some(false) | None => None,
                },
            },
            CmpOp::Eq(_)
            | CmpOp::ULt(_)
            | CmpOp::ULe(_)
            | CmpOp::FLt(_)
            | CmpOp::FLe(_)
            | CmpOp::LLt
            | CmpOp::LLe => None,
        }
    }
}

//! How often loops inside of an operation run at most, from what is known before it.
//!
//! Chunks of an array have `min(size, n − c · size)` elements, and rows of a triangle `i`: what limits them is known, and is
//! taken for what they have. It is an estimate: what is subtracted is taken for 0 and more, and products may overflow.

use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{BinOp, Builder, Exp, IntType, LoopForm, SegSpace, Stm, SubExp};

/// Sums and products inside of one another that are looked through.
const DEPTH: usize = 6;

/// What is known of numbers inside of an operation.
#[derive(Default)]
pub(super) struct Rounds {
    /// What is bound inside.
    inside: VarSet,
    /// Of that, what integers are computed from.
    made: VarMap<(BinOp, SubExp, SubExp)>,
    /// Indexes, and what they are less than.
    indexes: VarMap<SubExp>,
}

impl Rounds {
    /// Where so much is bound.
    pub(super) fn inside(inside: VarSet) -> Rounds {
        Rounds { inside, ..Rounds::default() }
    }

    /// Takes note of indexes.
    pub(super) fn space(&mut self, space: &SegSpace) {
        self.indexes.extend(space.dims.iter().copied());
    }

    /// Takes note of a loop's index.
    pub(super) fn form(&mut self, form: &LoopForm) {
        if let LoopForm::For { var, bound, ty: IntType::I64 } = form {
            self.indexes.insert(*var, *bound);
        }
    }

    /// Takes note of a statement.
    pub(super) fn stm(&mut self, s: &Stm) {
        if let (Exp::BinOp(op, x, y), [p]) = (&s.exp, s.pat.as_slice()) {
            self.made.insert(p.var, (*op, *x, *y));
        }
    }

    /// What a number of 64 bits is at most, if that is known before the operation. Emits what it is computed from.
    pub(super) fn most(&self, n: SubExp, b: &mut Builder) -> Option<SubExp> {
        self.at_most(n, DEPTH, b)
    }

    fn at_most(&self, n: SubExp, depth: usize, b: &mut Builder) -> Option<SubExp> {
        let Some(v) = n.var().filter(|v| self.inside.contains(v)) else { return Some(n) };
        let depth = depth.checked_sub(1)?;
        if let Some(bound) = self.indexes.get(&v) {
            return self.at_most(*bound, depth, b);
        }
        const I64: IntType = IntType::I64;
        let (op, x, y) = *self.made.get(&v)?;
        match op {
            BinOp::SMin(I64) => match (self.at_most(x, depth, b), self.at_most(y, depth, b)) {
                (Some(x), Some(y)) => Some(b.min(x, y)),
                (x, y) => x.or(y),
            },
            BinOp::Sub(I64) => self.at_most(x, depth, b),
            BinOp::SMax(I64) | BinOp::Add(I64) | BinOp::Mul(I64) => {
                let x = self.at_most(x, depth, b)?;
                let y = self.at_most(y, depth, b)?;
                Some(match op {
                    BinOp::SMax(_) => b.max(x, y),
                    BinOp::Add(_) => b.add(x, y),
                    _ => b.mul(x, y),
                })
            }
            _ => None,
        }
    }
}

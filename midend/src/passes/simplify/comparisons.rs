//! What comparisons evidently come to.

use super::deduction::DEPTH;
use super::facts::Said;
use super::simplifier::Simplifier;
use crate::ir::{CmpOp, Prim, SubExp};

impl Simplifier {
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

    /// What a comparison evidently comes to.
    pub(super) fn decide(&self, op: CmpOp, x: SubExp, y: SubExp) -> Option<bool> {
        match op {
            CmpOp::SLt(_) if self.facts.heard(Said::AtMost(y, x)) => Some(false),
            CmpOp::SLt(_) => match self.less(x, y) {
                None if self.less(y, x) == Some(true) => Some(false),
                known => known,
            },
            CmpOp::SLe(_) if self.facts.heard(Said::AtMost(x, y)) => Some(true),
            // `x <= y` is not `y < x`.
            CmpOp::SLe(_) => match self.less(y, x) {
                Some(b) => Some(!b),
                None => match self.less(x, y) {
                    Some(true) => Some(true),
                    Some(false) | None => None,
                },
            },
            CmpOp::Eq(Prim::Int(_))
                if self.facts.heard(Said::Differ(x, y)) || self.facts.heard(Said::Differ(y, x)) =>
            {
                Some(false)
            }
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

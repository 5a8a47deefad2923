//! One of the blocks that a range is cut into, and of which range.

use super::I64;
use crate::ir::{BinOp, Exp, KernelBody, SubExp, Var};

/// Larger bodies stay whole.
pub(super) const MOST_STATEMENTS: usize = 120;
/// Shorter blocks do not pay.
pub(super) const SHORTEST: i64 = 8;

/// A block: its number, which half of a pair it is, the index where it begins, and the index inside.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub(super) number: SubExp,
    pub(super) half: Option<(SubExp, i64)>,
    pub(super) start: SubExp,
    pub(super) k: Var,
}

/// The index of the range that an operation has a part of, and where the part begins: `i = k + first`.
pub(super) fn index_in_whole(k: Var, body: &KernelBody) -> Option<(Var, SubExp)> {
    let mut names = vec![SubExp::Var(k)];
    for s in &body.stms {
        match (&s.exp, s.pat.as_slice()) {
            (Exp::SubExp(x), [p]) if names.contains(x) => names.push(p.var.into()),
            (Exp::BinOp(BinOp::Add(I64), x, first), [i])
                if names.contains(x) && !names.contains(first) =>
            {
                return Some((i.var, *first));
            }
            _ => return None,
        }
    }
    None
}

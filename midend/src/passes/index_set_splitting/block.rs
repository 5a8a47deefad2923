//! One of the blocks that a range is cut into, and of which range.

use super::I64;
use crate::ir::{BinOp, Exp, KernelBody, Stm, SubExp, Var};

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
    let Stm { pat, exp: Exp::BinOp(BinOp::Add(I64), x, first), .. } = body.stms.first()? else {
        return None;
    };
    match pat.as_slice() {
        [i] if *x == k.into() && *first != k.into() => Some((i.var, *first)),
        _ => None,
    }
}

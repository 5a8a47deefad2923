//! One of the blocks that a range is cut into.

use crate::ir::{SubExp, Var};

/// A block: its number, which half of a pair it is, the index where it begins, and the index inside.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub(super) number: SubExp,
    pub(super) half: Option<(SubExp, i64)>,
    pub(super) start: SubExp,
    pub(super) k: Var,
}

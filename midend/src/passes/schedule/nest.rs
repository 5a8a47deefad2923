//! An operation that a schedule is chosen for.

use crate::ir::varmap::VarSet;
use crate::ir::{PatElem, Poly, SegOp, SubExp};

/// An operation with what it binds.
#[derive(Clone, Copy)]
pub(super) struct Nest<'a> {
    pub(super) pat: &'a [PatElem],
    pub(super) op: &'a SegOp,
}

/// A size, if it is known.
pub(super) fn known(n: SubExp) -> Option<i64> {
    Poly::leaf(n).as_const()
}

/// The blocks of arrays that an operation makes.
pub(super) fn blocks(nest: Nest<'_>) -> VarSet {
    nest.pat.iter().filter_map(|p| Some(p.mem.as_ref()?.block)).collect()
}

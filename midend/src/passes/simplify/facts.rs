//! What is said of the signs and bounds of scalars: loop counters and rows of `iota` are between
//! zero and their bound, sizes are not negative, and in a branch its condition is known.

use crate::ir::varmap::{FastMap, VarMap, VarSet};
use crate::ir::{Body, Const, Exp, SegOp, SubExp, Type, Var};

/// Facts that hold wherever their variables are in scope.
#[derive(Default)]
pub(super) struct Facts {
    /// Not negative, and below this, in the variable's own type.
    pub(super) ranges: VarMap<SubExp>,
    /// Sizes of arrays that exist.
    pub(super) sizes: VarSet,
    /// Those of arrays with one dimension that callers have in memory, whose elements have a byte each, or more.
    pub(super) lengths: VarSet,
    /// What the branches around say, and how often: `x < y`, `x <= y`, `x != y`, and the conditions
    /// themselves.
    pub(super) said: FastMap<Said, u32>,
    pub(super) log: Vec<Said>,
}

/// Something that a branch says. Signed integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Said {
    Less(SubExp, SubExp),
    AtMost(SubExp, SubExp),
    Differ(SubExp, SubExp),
    Is(Var, bool),
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

    /// The length of a parameter of an entry point.
    pub(super) fn length(&mut self, ty: &Type) {
        if let [n] = ty.shape() {
            self.lengths.extend(n.var());
        }
    }

    /// The indexes of an index space.
    pub(super) fn space(&mut self, op: &SegOp) {
        let SegOp { space, .. } = op;
        for (v, n) in &space.dims {
            self.below(*v, *n);
        }
    }
}

impl Facts {
    pub(super) fn say(&mut self, what: Said) {
        *self.said.entry(what).or_insert(0) += 1;
        self.log.push(what);
    }

    /// Was this said?
    pub(super) fn heard(&self, what: Said) -> bool {
        self.said.get(&what).is_some_and(|&n| n > 0)
    }

    /// To be given to [`Facts::forget`].
    pub(super) fn mark(&self) -> usize {
        self.log.len()
    }

    /// Forgets what was said since.
    pub(super) fn forget(&mut self, mark: usize) {
        for what in self.log.drain(mark..) {
            if let Some(n) = self.said.get_mut(&what) {
                *n -= 1;
            }
        }
    }
}

/// What a boolean result of a branch being true says of the branch's condition: `if c then x else false`.
pub(super) fn implied(e: &Exp, position: usize) -> Option<(SubExp, bool)> {
    let Exp::Match { scrutinee, cases, default } = e else { return None };
    let [(Const::Bool(wanted), yes)] = cases.as_slice() else { return None };
    let is_false = |b: &Body| b.result.get(position) == Some(&SubExp::bool(false));
    match (is_false(yes), is_false(default)) {
        (false, true) => Some((*scrutinee, *wanted)),
        (true, false) => Some((*scrutinee, !*wanted)),
        _ => None,
    }
}

//! What is known of the main subrange of an index: where it is, and what holds there.

use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{Poly, SubExp, Var};

/// A limit of the main piece, in what is known outside.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Limit {
    /// Indexes from here on.
    From(Poly),
    /// Indexes before this.
    Before(Poly),
    /// Not this index.
    Apart(Poly),
    /// Either all indexes before this, or all others.
    Side(Poly),
}

/// What is said of a comparison that branches do not follow.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Uniform {
    /// Which comparison.
    pub(super) cond: Var,
    /// It is true of index `i` if `factor · i + rest < 0`.
    pub(super) factor: i64,
    /// What does not depend on the index.
    pub(super) rest: Poly,
}

/// A value that is one of two, which differ by what does not depend on the index.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Chosen {
    /// The result of the branch.
    pub(super) var: Var,
    /// The [`Uniform`] condition.
    pub(super) cond: Var,
    /// The factor of the index.
    pub(super) factor: i64,
    /// The rest if the condition holds, and if not.
    pub(super) rests: (Poly, Poly),
}

/// Where one of a comparison's outcomes decides a branch for the side that has less to do.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Aside {
    /// The comparison.
    pub(super) cond: Var,
    /// Its outcome there.
    pub(super) outcome: bool,
    /// `Before` or `From`.
    pub(super) limit: Limit,
}

/// A branch that is decided for the index only where conditions of the row say so.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct ByRow {
    /// The conditions, known outside, and what each of them must be for the row to have a main piece.
    pub(super) conds: Vec<(Var, bool)>,
    /// The condition of the branch.
    pub(super) cond: Var,
    /// What that is for the whole row if one of the others is not as it must be.
    pub(super) outcome: bool,
}

/// A comparison, minimum or maximum that the index decides.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Decided {
    /// What it binds.
    pub(super) var: Var,
    /// Where it has one value: `From` or `Before`.
    pub(super) limit: Limit,
    /// That value.
    pub(super) within: SubExp,
    /// What it is for all other indexes, if that is known.
    pub(super) beyond: Option<SubExp>,
}

/// Where a range lies in another one that it is a part of, as those of tasks are.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Where it begins there: an index that is not negative.
    pub(super) first: Poly,
    /// How many indexes the other one has, if that is known. The part goes no further.
    pub(super) whole: Option<Poly>,
}

/// The main piece.
#[derive(Default, Debug)]
pub(super) struct Main {
    /// Outcomes of comparisons.
    pub(super) outcomes: VarMap<bool>,
    /// How many limits are there for what assertions ask for alone.
    pub(super) checks: usize,
    /// Minima and maxima, and the operand that they are.
    pub(super) same: VarMap<SubExp>,
    /// Where all of that holds.
    pub(super) limits: Vec<Limit>,
    /// What limits leave out before and behind are a few points.
    pub(super) rims_are_short: bool,
    /// What must not be negative at either end of the main piece, in the index and in what is known
    /// outside.
    pub(super) ends: Vec<Poly>,
    /// Comparisons that have one outcome in the main piece, which is known when it runs.
    pub(super) uniform: Vec<Uniform>,
    /// Results of branches on those.
    pub(super) chosen: Vec<Chosen>,
    /// Pieces beside the main one that have less to do.
    pub(super) asides: Vec<Aside>,
    /// A branch that a row may decide for all of its indexes.
    pub(super) by_row: Option<ByRow>,
    /// Conditions known outside, and what they must be for there to be a main piece.
    pub(super) holds: Vec<(Var, bool)>,
    /// Variables that polynomials rely on not to be so large that sums overflow.
    pub(super) leaves: Vec<Var>,
    /// Those of them that are factors of products.
    pub(super) factors: Vec<Var>,
    /// Those that are known to be small enough, if they are no factors.
    pub(super) small: VarSet,
    /// What is known of the other ranges.
    pub(super) decided: Vec<Decided>,
    /// The range that the one of the map is a part of.
    pub(super) part: Option<Part>,
}

impl Main {
    /// Whether the main piece may be another than the whole range.
    pub(super) fn is_whole(&self) -> bool {
        self.limits.is_empty() && self.ends.is_empty()
    }

    /// Whether limits decide anything but assertions.
    pub(super) fn decides(&self) -> bool {
        self.limits.len() > self.checks
    }
}

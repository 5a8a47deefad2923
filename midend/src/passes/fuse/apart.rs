//! Two combinators that could be merged but for what stands between them.
//!
//! ```text
//! s = reduce(n, [xs], +)                  s = reduce(n, [xs], +)
//! mean = s / n                       →    m = reduce(n, [xs], max)
//! m = reduce(n, [xs], max)                mean = s / n
//! ```
//!
//! The second goes up to the first, and with it whatever it needs of what stands between them, and all checks of
//! sizes, as what relies on these need not name them. That may not be the first one's results, and nothing that moves may consume: then all it does is to
//! read earlier, what nobody can have consumed yet as it is read later.

use super::list::List;
use crate::analysis::alias::consumed_by;
use crate::ir::traverse::free_in_stm;
use crate::ir::varmap::{FastMap, VarSet};
use crate::ir::{AssertKind, Class, Stm};
use futc_typed::name::Name;

/// The order in which the statements from `j` to `k` may stand so that the two are neighbours:
/// their indexes. None if there is none, or if they could not be merged all the same. `unique` says which
/// arguments functions consume.
pub(super) fn rearranged(
    list: &List,
    unique: &FastMap<Name, Vec<bool>>,
    j: usize,
    k: usize,
) -> Option<Vec<usize>> {
    let first: VarSet = list.stm(j)?.pat.iter().map(|p| p.var).collect();
    let used_between =
        list.stm(j).map(|s| list.uses_of(s).any(|(_, at)| at > j && at < k)).unwrap_or_default();
    if !used_between {
        return None;
    }
    // From the last to the first: what the second needs, directly or not.
    let mut needed: VarSet = VarSet::default();
    let mut up = vec![false; k - j];
    for at in (j + 1..=k).rev() {
        let Some(s) = list.stm(at) else { continue };
        let wanted = s.is_assert(AssertKind::Size) || s.pat.iter().any(|p| needed.contains(&p.var));
        if at != k && !wanted {
            continue;
        }
        let free = free_in_stm(s);
        if free.iter().any(|v| first.contains(v)) || !movable(s, unique) {
            return None;
        }
        needed.extend(free);
        if let Some(moves) = up.get_mut(at - j) {
            *moves = true;
        }
    }
    let goes = |at: &usize| up.get(at - j).copied().unwrap_or_default();
    let before = (j + 1..k).filter(goes);
    let after = (j + 1..k).filter(|at| !goes(at));
    Some(before.chain([j, k]).chain(after).collect())
}

fn movable(s: &Stm, unique: &FastMap<Name, Vec<bool>>) -> bool {
    if s.exp.class() == Class::Trace {
        return false;
    }
    let unique = |f| unique.get(&f).cloned().unwrap_or_default();
    consumed_by(s, &unique).is_empty()
}

//! Schedules of copies.
//!
//! | copy | schedule |
//! | --- | --- |
//! | of runs that are dense on both sides | runs, unless they are known to be short |
//! | across, and what is read has few columns | these innermost, which LLVM unrolls |
//! | across two dimensions | along, if it turns out that neighbours go to neighbours; panels, if it is large; squares |
//! | of another layout | loops |
//!
//! Where there are no vectors, as in kernels, what goes across goes in tiles.
//!
//! A statement may make several copies: each goes by the first strategy that fits its layouts
//! ([`legal::copy`]) and whose conditions on sizes hold.

use super::legal;
use super::map::{FEW_COLUMNS, TILE, panels};
use crate::analysis::copies::Copied;
use crate::analysis::places::Places;
use crate::ir::{Defs, Exp, Poly, Schedule, Stm, Strategy};
use crate::machine::Machine;

/// Runs of at most this many elements are copied by loops, which LLVM unrolls: a call of memcpy would cost
/// more.
const SHORT_RUN: i64 = 16;
/// Literals of at least this many constants are tables.
const TABLE: usize = 16;
/// So many columns of elements of one or two bytes are few.
const FEW_NARROW: i64 = 8;
/// Rows of a square, at most: registers are no more, and lines of the cache no longer.
const LARGEST_SQUARE: i64 = 16;

/// The schedule of a long literal of constants: as stores it would take LLVM time that grows with the square of its
/// length.
pub(super) fn literal(stm: &Stm, places: &Places) -> Option<Schedule> {
    let Exp::ArrayLit { elems, .. } = &stm.exp else { return None };
    let long = elems.len() >= TABLE && legal::is_constant_literal(stm, places);
    long.then(|| Schedule::new(vec![Strategy::Table]))
}

/// The strategies of some copies, of which each goes by the first that fits it; `vectors` says that they run where
/// there are vectors, `large` that they may be beyond the caches.
pub(super) fn strategies(
    copies: &[Copied],
    defs: &Defs,
    machine: &Machine,
    (vectors, large): (bool, bool),
) -> Vec<Strategy> {
    let mut out: Vec<Strategy> = Vec::new();
    for copied in copies {
        for s in strategies_of_one(copied, defs, machine, vectors) {
            if !out.contains(&s) && (large || !matches!(s, Strategy::Panels { .. })) {
                out.push(s);
            }
        }
    }
    // The longest runs first; loops do for all.
    out.sort_by_key(|s| match s {
        Strategy::Runs { from } => (0, *from),
        Strategy::Loops { .. } => (2, 0),
        _ => (1, 0),
    });
    // A short run may have loops of its own, and go by the longer one's strategy.
    let mut taken = legal::taken(copies, &out, defs).into_iter();
    out.retain(|_| taken.next().unwrap_or_default());
    out
}

/// How a copy should be done.
fn strategies_of_one(
    copied: &Copied,
    defs: &Defs,
    machine: &Machine,
    vectors: bool,
) -> Vec<Strategy> {
    let (target, bytes) = (&copied.target, copied.elem.bytes());
    let known = |d: usize| Poly::leaf(target.dims.get(d)?.n).as_const();
    let rank = target.dims.len();
    let from = copied.dense_from(defs);
    let run = (from..rank).try_fold(1i64, |all, d| Some(all.saturating_mul(known(d)?)));
    let short = from > 0 && run.is_some_and(|n| n <= SHORT_RUN);
    if from < rank && !short {
        return vec![Strategy::Runs { from }];
    }
    let few =
        |d: usize| known(d).is_some_and(|n| n <= if bytes <= 2 { FEW_NARROW } else { FEW_COLUMNS });
    let dims = match copied.crossed() {
        Some((dim, other)) if vectors && few(dim) && !few(other) => {
            return vec![Strategy::Innermost { dim }];
        }
        Some((a, b)) if !few(a) && !few(b) => (a, b),
        _ => return vec![Strategy::Loops { unroll: 1 }],
    };
    let mut out = Vec::new();
    let lanes = machine.lanes(bytes).min(LARGEST_SQUARE);
    if vectors {
        out.extend(target.is_contiguous(defs).then_some(Strategy::Along));
        out.extend(panels(copied.elem, target, dims, machine));
    }
    out.push(if vectors && lanes >= legal::SMALLEST_SQUARE {
        Strategy::Squares { dims, lanes, side: (machine.line / (lanes * bytes)).max(1) }
    } else {
        Strategy::Tiles { dims, size: TILE }
    });
    out
}

//! Where the pieces of a range begin and end, computed before a map runs.

use super::main_piece::{Limit, Main, Part};
use crate::ir::{Builder, CmpOp, Defs, IntType, Poly, SubExp, Var};

/// What indexes are.
pub(super) const I64: IntType = IntType::I64;

/// Pieces at either end that have less to do.
const MOST_ASIDES: usize = 2;
/// What limits are made of is less than this, unless it is made of sizes of arrays ([`super::rims`]), or there is no main piece.
pub(super) const SMALL: i64 = 1 << 40;
/// Factors of products in them, than this.
const SMALL_FACTOR: i64 = 1 << 30;

/// The ends of the pieces, computed.
pub(super) struct Limits {
    /// Where a row ends all of whose indexes have less to do; other rows end where they start.
    pub(super) row: Option<(SubExp, (Var, bool))>,
    /// Where indexes end that have less to do before the main piece, in order, and what decides; where
    /// they begin after it, from the last on.
    pub(super) low: Vec<(SubExp, (Var, bool))>,
    pub(super) high: Vec<(SubExp, (Var, bool))>,
    /// The main piece.
    pub(super) from: SubExp,
    pub(super) to: SubExp,
    /// All.
    pub(super) n: SubExp,
    /// Whether limits are what they seem to be in any case.
    pub(super) certain: bool,
}

/// Emits what a polynomial comes to.
pub(super) fn value(p: &Poly, b: &mut Builder) -> SubExp {
    b.size64(&p.to_size())
}

/// Whether conditions are all what they must be.
fn all_hold(conds: &[(Var, bool)], b: &mut Builder) -> SubExp {
    conds.iter().fold(SubExp::bool(true), |all, (v, wanted)| {
        let one = if *wanted { (*v).into() } else { b.not((*v).into()) };
        b.and(all, one)
    })
}

/// Whether a limit is known not to be above a size.
fn is_below(p: &Poly, n: SubExp, defs: &Defs) -> bool {
    defs.expand(&Poly::leaf(n).sub(p)).as_const().is_some_and(|c| (0..SMALL).contains(&c))
}

/// Whether a variable is known to be less than 2^49 either way: a size that is, or two of these and a constant, as the last index is.
/// Where a part of a range begins is not beyond the range.
fn is_small(v: Var, main: &Main, defs: &Defs) -> bool {
    let p = match &main.part {
        Some(Part { first, whole: Some(whole) }) if *first == Poly::var(v) => whole.clone(),
        _ => Poly::var(v),
    };
    let mut sizes = 0;
    defs.expand(&p).monomials().all(|(m, c)| match m {
        [] => (-SMALL..=SMALL).contains(&c),
        [size] => {
            sizes += c.unsigned_abs().min(3);
            main.small.contains(size) && sizes <= 2
        }
        _ => false,
    })
}

impl Limits {
    /// Emits the limits of an index below `n`.
    pub(super) fn emit(
        main: &Main,
        (index, n): (Var, SubExp),
        defs: &Defs,
        b: &mut Builder,
    ) -> Limits {
        let zero = SubExp::i64(0);
        // Sizes of arrays and limits of loops are small on every machine, other values may not be.
        let mut small = SubExp::bool(true);
        let asked = |v: &&Var| main.factors.contains(v) || !is_small(**v, main, defs);
        for v in main.leaves.iter().filter(asked) {
            let bound = if main.factors.contains(v) { SMALL_FACTOR } else { SMALL };
            let moved = b.add((*v).into(), SubExp::i64(bound));
            let fits = b.cmp(CmpOp::ULt(I64), moved, SubExp::i64(2 * bound));
            small = b.and(small, fits);
        }
        let most = b.choose(small, n, zero);
        let start = match &main.by_row {
            Some(row) => {
                let main = all_hold(&row.conds, b);
                b.choose(main, zero, most)
            }
            None => zero,
        };
        let (mut from, mut to) = (start, most);
        for (i, limit) in main.limits.iter().enumerate() {
            if main.limits.iter().take(i).any(|l| l == limit) {
                continue;
            }
            match limit {
                Limit::From(p) => {
                    let p = value(p, b);
                    from = b.max(from, p);
                }
                Limit::Before(p) => {
                    let ends = to == n && is_below(p, n, defs);
                    let p = value(p, b);
                    to = if ends { p } else { b.min(to, p) };
                }
                Limit::Apart(_) | Limit::Side(_) => {}
            }
        }
        from = b.min(from, most);
        if to != most {
            to = b.max(from, to);
        }
        for limit in &main.limits {
            let (at, gap) = match limit {
                Limit::Apart(p) => (p, 1),
                Limit::Side(p) => (p, 0),
                Limit::From(_) | Limit::Before(_) => continue,
            };
            // The larger side stays.
            let at = value(at, b);
            let past = b.add(at, SubExp::i64(gap));
            let (first, last) = (b.le(from, at), b.lt(at, to));
            let inside = b.and(first, last);
            let (left, right) = (b.sub(at, from), b.sub(to, past));
            let upper = b.lt(left, right);
            let upper = b.and(inside, upper);
            let stays = b.choose(upper, to, at);
            let end = b.choose(inside, stays, to);
            from = b.choose(upper, past, from);
            to = end;
        }
        if !main.ends.is_empty() || !main.holds.is_empty() {
            let last = b.sub(to, SubExp::i64(1));
            let mut holds = all_hold(&main.holds, b);
            for p in &main.ends {
                for end in [from, last] {
                    let at = value(&p.substitute(index, &Poly::leaf(end)), b);
                    let here = b.le(zero, at);
                    holds = b.and(holds, here);
                }
            }
            to = b.choose(holds, to, from);
        }
        let (mut low, mut high) = (Vec::new(), Vec::new());
        let (mut done, mut left) = (start, n);
        for aside in &main.asides {
            let what = (aside.cond, aside.outcome);
            match &aside.limit {
                Limit::Before(p) if low.len() < MOST_ASIDES => {
                    let p = value(p, b);
                    let p = b.max(p, done);
                    done = b.min(p, from);
                    low.push((done, what));
                }
                Limit::From(p) if high.len() < MOST_ASIDES => {
                    let p = value(p, b);
                    // Nothing is known of a large value.
                    let unknown = b.sub(n, most);
                    let p = b.max(p, unknown);
                    let p = b.max(p, to);
                    left = b.min(p, left);
                    high.push((left, what));
                }
                _ => {}
            }
        }
        let row = main.by_row.as_ref().map(|row| (start, (row.cond, row.outcome)));
        let certain = small == SubExp::bool(true);
        Limits { row, low, high, from, to, n, certain }
    }
}

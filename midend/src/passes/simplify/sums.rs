//! Which sums of counters are below what: chunks, rows, halves and windows of arrays are read by such indexes.
//!
//! | index | where |
//! | --- | --- |
//! | `c + k < n` | `k < n - c`, or the lesser of that and a size |
//! | `k + h < n` | `k < h` and `h` is at most half of `n` |
//! | `i * c + d < n` | `i < n / c` and `d < c`, for a constant `c` |
//! | `i * m + j < n` | `i < n / m` and `j < m` |
//! | `i + j < n` | `i < n - m + 1` and `j < m` |
//! | `i + j < n + m`, `i + j < n + m - 1` | `i < n` and `j < m`, and of the former `j <= m` is enough |
//! | `(a + b) / 2 < n`, `a + (b - a) / 2 < n` | `0 <= a < b <= n` |
//!
//! Nothing of it wraps if `n` and what is added are not negative, as is asked in each case.

use super::deduction::{DEPTH, int};
use super::simplifier::Simplifier;
use crate::ir::{BinOp, CmpOp, Exp, SubExp};

impl Simplifier {
    /// Is `x` a sum that is below `y`, or of which the same says that it does not wrap and is not negative, if there is no `y`?
    pub(super) fn sum_fits(&self, x: SubExp, y: Option<SubExp>) -> bool {
        let (a, b) = match self.made(x) {
            Some(&Exp::BinOp(BinOp::Add(_), a, b)) => (a, b),
            Some(&Exp::BinOp(BinOp::Mul(_), ..)) => return y.is_some_and(|y| self.scaled(x, 0, y)),
            _ => return false,
        };
        [(a, b), (b, a)].into_iter().any(|(a, b)| {
            self.offset_fits(x, (a, b), y)
                || self.window_fits(a, b, y)
                || y.is_some_and(|y| {
                    self.half_fits(a, b, y)
                        || self.below_sum(a, b, y)
                        || int(b).is_some_and(|d| self.scaled(a, d, y))
                        || self.row_fits(a, b, y)
                })
        })
    }

    /// Does a counter have so much room behind a start that both together are below `y`?
    fn offset_fits(&self, x: SubExp, (start, k): (SubExp, SubExp), y: Option<SubExp>) -> bool {
        self.counts(k)
            && self.bounds_of(k).any(|bound| self.leaves_room(x, (bound, start), y, DEPTH))
            && self.nonnegative(start)
    }

    /// Is `x` a counter, so that it is not negative?
    fn counts(&self, x: SubExp) -> bool {
        x.var().is_some_and(|v| self.facts.ranges.contains_key(&v))
    }

    /// Is a bound that something is below that is not negative at most `end - start`, where `end` is not negative, and
    /// at most `y`, if there is one? Certificates of `x`, which is counted by that, say which ranges are no less than empty.
    fn leaves_room(
        &self,
        x: SubExp,
        (bound, start): (SubExp, SubExp),
        y: Option<SubExp>,
        depth: u32,
    ) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let leaves = |bound| self.leaves_room(x, (bound, start), y, depth);
        match self.made(bound) {
            Some(&Exp::BinOp(BinOp::Sub(_), end, by)) => {
                by == start
                    && y.is_none_or(|y| self.reaches(end, y, DEPTH))
                    && (self.nonnegative(end) || self.is_certified(x, start, end))
            }
            Some(&Exp::BinOp(BinOp::SMin(_), a, b)) => leaves(a) || leaves(b),
            // There is nothing that is not negative below zero.
            Some(&Exp::BinOp(BinOp::SMax(_), a, b)) => {
                let nothing = |x| int(x).is_some_and(|c| c <= 0);
                nothing(a) && leaves(b) || nothing(b) && leaves(a)
            }
            _ => false,
        }
    }

    /// Does a certificate of `x` say that `start <= end`?
    fn is_certified(&self, x: SubExp, start: SubExp, end: SubExp) -> bool {
        let Some(d) = x.var().and_then(|v| self.defs.get(&v)) else { return false };
        d.certs.iter().any(|c| {
            let Some(Exp::Assert { cond, .. }) = self.made(SubExp::Var(*c)) else { return false };
            matches!(self.made(*cond), Some(&Exp::CmpOp(CmpOp::SLe(_), a, b)) if a == start && b == end)
        })
    }

    /// `k + h` with `k < h` and `h = n / c`.
    fn half_fits(&self, k: SubExp, h: SubExp, n: SubExp) -> bool {
        self.counts(k)
            && self.part(h).is_some_and(|(whole, c)| c >= 2 && whole == n)
            && self.nonnegative(n)
            && self.below(k, h, DEPTH)
    }

    /// `i + j` with `i < n - m + 1` and `j < m`.
    fn window_fits(&self, i: SubExp, j: SubExp, n: Option<SubExp>) -> bool {
        self.counts(i)
            && self.counts(j)
            && self.bounds_of(i).any(|bound| {
                let Some((rest, 1)) = self.plus_constant(bound) else { return false };
                let Some(&Exp::BinOp(BinOp::Sub(_), whole, m)) = self.made(rest) else {
                    return false;
                };
                n.is_none_or(|n| whole == n)
                    && self.nonnegative(whole)
                    && self.nonnegative(m)
                    && self.below(j, m, DEPTH)
            })
    }

    /// `i + j` with `i < n` and `j < m`, where `y` is `n + m`, which does not wrap, or one less; of `n + m`, `j <= m` is enough.
    fn below_sum(&self, i: SubExp, j: SubExp, y: SubExp) -> bool {
        let (sum, less) = match self.plus_constant(y) {
            Some((sum, -1)) => (sum, true),
            _ => (y, false),
        };
        let Some(&Exp::BinOp(BinOp::Add(_), p, q)) = self.made(sum) else { return false };
        let fits = |n, m| {
            self.below(i, n, DEPTH)
                && if less { self.below(j, m, DEPTH) } else { self.reaches(j, m, DEPTH) }
        };
        (fits(p, q) || fits(q, p))
            && self.nonnegative(i)
            && self.nonnegative(j)
            && self.has_no_sign(p)
            && self.has_no_sign(q)
            && self.has_no_sign(sum)
    }

    /// `i * c + d` with `i < n / c` and `0 <= d < c`.
    fn scaled(&self, product: SubExp, d: i64, n: SubExp) -> bool {
        let Some(&Exp::BinOp(BinOp::Mul(_), i, c)) = self.made(product) else { return false };
        let (i, c) = if int(i).is_some() { (c, i) } else { (i, c) };
        let Some(c) = int(c) else { return false };
        (0..c).contains(&d)
            && self.counts(i)
            && self.nonnegative(n)
            && self
                .bounds_of(i)
                .any(|bound| self.part(bound).is_some_and(|(whole, by)| whole == n && by >= c))
    }

    /// `i * m + j` with `i < n / m` and `j < m`.
    fn row_fits(&self, product: SubExp, j: SubExp, n: SubExp) -> bool {
        let Some(&Exp::BinOp(BinOp::Mul(_), a, b)) = self.made(product) else { return false };
        let fits = |i: SubExp, m: SubExp| {
            self.counts(i)
                && self.counts(j)
                && self.nonnegative(n)
                && self.below(j, m, DEPTH)
                && self.bounds_of(i).any(|bound| {
                    matches!(self.made(bound), Some(&Exp::BinOp(BinOp::SDiv(_) | BinOp::SQuot(_), whole, by))
                        if whole == n && by == m)
                })
        };
        fits(a, b) || fits(b, a)
    }

    /// A number as another one divided by a positive constant.
    fn part(&self, x: SubExp) -> Option<(SubExp, i64)> {
        match *self.made(x)? {
            Exp::BinOp(BinOp::SDiv(_) | BinOp::SQuot(_), n, c) => Some((n, int(c)?)),
            Exp::BinOp(BinOp::AShr(_), n, c) => {
                let bits = u32::try_from(int(c)?).ok().filter(|c| *c < 31)?;
                Some((n, 1 << bits))
            }
            _ => None,
        }
        .filter(|(_, c)| *c > 0)
    }

    /// If `x` is `(a + b) / 2` or `a + (b - a) / 2` with `0 <= a < b`, this `b`: `x` is at least `a` and below `b`.
    pub(super) fn halfway(&self, x: SubExp, depth: u32) -> Option<SubExp> {
        let depth = depth.checked_sub(1)?;
        let less = |a, b| self.nonneg(a, depth) && self.below(a, b, depth);
        if let Some((sum, 2)) = self.part(x) {
            let &Exp::BinOp(BinOp::Add(_), a, b) = self.made(sum)? else { return None };
            // What is not negative has not wrapped.
            let larger = if less(a, b) { b } else { less(b, a).then_some(a)? };
            return self.nonnegative(sum).then_some(larger);
        }
        let &Exp::BinOp(BinOp::Add(_), p, q) = self.made(x)? else { return None };
        let end = |a: SubExp, half: SubExp| {
            let (rest, 2) = self.part(half)? else { return None };
            let &Exp::BinOp(BinOp::Sub(_), b, start) = self.made(rest)? else { return None };
            (start == a && less(a, b)).then_some(b)
        };
        end(p, q).or_else(|| end(q, p))
    }
}

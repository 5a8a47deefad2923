//! What follows from the facts about scalars and from how these are made: signs, bounds and
//! comparisons. Bounds checks go by these.

use super::facts::Said;
use super::simplifier::Simplifier;
use crate::ir::{BinOp, CmpOp, Const, ConvOp, Exp, IntType, Prim, SubExp, Type, UnOp, Var};

/// Definitions are followed this far.
pub(super) const DEPTH: u32 = 4;

impl Simplifier {
    /// From now on, until it is forgotten, `x` is `value`.
    pub(super) fn assume(&mut self, x: SubExp, value: bool) {
        self.suppose(x, value, 16);
    }

    fn suppose(&mut self, x: SubExp, value: bool, depth: u32) {
        let Some(v) = x.var() else { return };
        self.facts.say(Said::Is(v, value));
        if value
            && depth > 0
            && let Some((cond, value)) = self.implied.get(&v).copied()
        {
            self.suppose(cond, value, depth - 1);
        }
        let Some(exp) = self.plain(x).filter(|_| depth > 0) else { return };
        match (exp, value) {
            (&Exp::BinOp(BinOp::LogAnd, a, b), true) | (&Exp::BinOp(BinOp::LogOr, a, b), false) => {
                self.suppose(a, value, depth - 1);
                self.suppose(b, value, depth - 1);
            }
            (&Exp::UnOp(UnOp::Not, a), _) => self.suppose(a, !value, depth - 1),
            (&Exp::CmpOp(CmpOp::SLt(_), a, b), true)
            | (&Exp::CmpOp(CmpOp::SLe(_), b, a), false) => {
                self.facts.say(Said::Less(a, b));
                self.facts.say(Said::Differ(a, b));
            }
            (&Exp::CmpOp(CmpOp::SLe(_), a, b), true)
            | (&Exp::CmpOp(CmpOp::SLt(_), b, a), false) => self.facts.say(Said::AtMost(a, b)),
            (&Exp::CmpOp(CmpOp::Eq(Prim::Int(_)), a, b), false) => {
                self.facts.say(Said::Differ(a, b));
                self.facts.say(Said::Differ(b, a));
            }
            _ => {}
        }
    }

    /// What the condition is, or what a branch around says of it.
    pub(super) fn known(&self, x: SubExp) -> Option<bool> {
        let v = match x {
            SubExp::Const(c) => return if let Const::Bool(b) = c { Some(b) } else { None },
            SubExp::Var(v) => v,
        };
        [true, false].into_iter().find(|&b| self.facts.heard(Said::Is(v, b)))
    }

    /// Is `x` evidently positive?
    fn positive(&self, x: SubExp, depth: u32) -> bool {
        if let SubExp::Const(c) = x {
            return c.as_int().is_some_and(|c| c > 0);
        }
        let Some(zero) = self.zero_of(x) else { return false };
        self.facts.heard(Said::Less(zero, x))
            || self.facts.heard(Said::Differ(x, zero)) && self.nonneg(x, depth)
            || depth > 0
                && match self.made(x) {
                    Some(&Exp::BinOp(BinOp::Sub(_), n, i)) => {
                        self.nonneg(i, depth - 1) && self.below(i, n, depth - 1)
                    }
                    // What does not wrap is more than what one and more is added to.
                    Some(&Exp::BinOp(BinOp::Add(_), n, c)) => {
                        int(c).is_some_and(|c| c > 0)
                            && self.nonneg(n, depth - 1)
                            && self.nonnegative(x)
                    }
                    _ => false,
                }
    }

    /// Is `x <= y` evidently so, where something that is not negative is below `x`, or `y` is not negative?
    pub(super) fn reaches(&self, x: SubExp, y: SubExp, depth: u32) -> bool {
        let least = |e: &Exp| matches!(*e, Exp::BinOp(BinOp::SMin(_), a, b) if a == y || b == y);
        if x == y
            || self.at_most(x, y)
            || self.facts.heard(Said::AtMost(x, y))
            || self.made(x).is_some_and(least)
        {
            return true;
        }
        let Some(less) = depth.checked_sub(1) else { return false };
        let reaches = |x| self.reaches(x, y, less);
        let natural = |x| self.nonneg(x, less);
        self.below(x, y, less)
            || match self.made(x) {
                Some(&Exp::BinOp(BinOp::SMin(_), a, b)) => reaches(a) || reaches(b),
                Some(&Exp::BinOp(BinOp::SMax(_), a, b)) => reaches(a) && reaches(b),
                Some(&Exp::BinOp(BinOp::Sub(_), n, i)) => {
                    reaches(n) && (natural(n) || n == y && natural(y)) && natural(i)
                }
                Some(&Exp::BinOp(BinOp::SQuot(_) | BinOp::SDiv(_), n, SubExp::Const(c))) => {
                    c.as_int().is_some_and(|c| c > 0) && natural(n) && reaches(n)
                }
                Some(&Exp::BinOp(BinOp::AShr(_), n, _)) => natural(n) && reaches(n),
                _ => false,
            }
    }

    pub(super) fn zero_of(&self, x: SubExp) -> Option<SubExp> {
        match self.types.get(&x.var()?)? {
            Type::Prim(p) => Some(SubExp::Const(crate::ir::Const::zero(*p))),
            Type::Array { .. } | Type::Cert | Type::Mem(_) => None,
        }
    }

    /// What `x` is evidently the predecessor of, if that is not negative, so that nothing wraps.
    fn successor(&self, x: SubExp) -> Option<SubExp> {
        if let SubExp::Const(c) = x {
            let next = c.as_int()?.checked_add(1).filter(|n| *n > 0)?;
            let Prim::Int(ty) = c.prim() else { return None };
            return Some(SubExp::Const(Const::int(ty, next))).filter(|n| int(*n) == Some(next));
        }
        let (n, back) = match *self.plain(x)? {
            Exp::BinOp(BinOp::Sub(_), n, c) => (n, int(c)?),
            Exp::BinOp(BinOp::Add(_), n, c) => (n, int(c)?.checked_neg()?),
            _ => return None,
        };
        (back == 1 && self.nonnegative(n)).then_some(n)
    }

    /// Is `x` evidently the predecessor of `y`, which is not negative?
    fn precedes(&self, x: SubExp, y: SubExp) -> bool {
        self.successor(x) == Some(y)
    }

    /// Is there something said of `x` by which `x + 1 < y`?
    fn successor_below(&self, x: SubExp, y: SubExp) -> bool {
        self.facts.log.iter().any(|said| match *said {
            Said::Less(a, b) => a == x && self.precedes(b, y),
            Said::Differ(a, b) => a == x && self.precedes(b, y) && self.below(x, y, DEPTH),
            Said::AtMost(..) | Said::Is(..) => false,
        })
    }

    /// Is `x` evidently not negative?
    pub(super) fn nonnegative(&self, x: SubExp) -> bool {
        self.nonneg(x, DEPTH) || self.has_no_sign(x)
    }

    /// Is `x` evidently -1 or more?
    fn reaches_minus_one(&self, x: SubExp, depth: u32) -> bool {
        let both =
            |a, b| self.reaches_minus_one(a, depth - 1) && self.reaches_minus_one(b, depth - 1);
        self.nonneg(x, depth)
            || depth > 0
                && match self.plain(x) {
                    Some(Exp::BinOp(BinOp::SMin(_), a, b)) => both(*a, *b),
                    _ => self.predecessor(x).is_some_and(|n| self.nonneg(n, depth - 1)),
                }
    }

    /// Is `x` evidently not the greatest number of its type?
    fn has_successor(&self, x: SubExp, depth: u32) -> bool {
        if self.halfway(x, depth).is_some() {
            return true;
        }
        depth > 0
            && match self.plain(x) {
                Some(Exp::BinOp(BinOp::SMin(_), a, b)) => {
                    self.has_successor(*a, depth - 1) || self.has_successor(*b, depth - 1)
                }
                _ => self.predecessor(x).is_some_and(|n| self.nonneg(n, depth - 1)),
            }
    }

    /// What `x` is one less than, which may wrap.
    fn predecessor(&self, x: SubExp) -> Option<SubExp> {
        match *self.made(x)? {
            Exp::BinOp(BinOp::Sub(_), n, c) if is_one(c) => Some(n),
            Exp::BinOp(BinOp::Add(_), n, c) if int(c) == Some(-1) => Some(n),
            _ => None,
        }
    }

    /// Is `x` the last index of a range that something `other` is made of counts through? It is not negative
    /// where that counts.
    fn ends_range_of(&self, x: SubExp, other: SubExp) -> bool {
        self.predecessor(x).is_some_and(|n| self.has_counter_below(other, n, DEPTH))
    }

    pub(super) fn nonneg(&self, x: SubExp, depth: u32) -> bool {
        let v = match x {
            SubExp::Const(c) => return c.as_int().is_some_and(|c| c >= 0),
            SubExp::Var(v) => v,
        };
        if self.facts.ranges.contains_key(&v) || self.facts.sizes.contains(&v) {
            return true;
        }
        if let Some(zero) = self.zero_of(x)
            && (self.facts.heard(Said::AtMost(zero, x)) || self.facts.heard(Said::Less(zero, x)))
        {
            return true;
        }
        if depth == 0 {
            return false;
        }
        let nn = |x: SubExp| self.nonneg(x, depth - 1);
        match self.defs.get(&v).map(|d| &d.exp) {
            Some(Exp::SubExp(x)) => nn(*x),
            Some(Exp::BinOp(op, a, b)) => match op {
                BinOp::SMin(_) => {
                    let side = |x, other| nn(x) || self.ends_range_of(x, other);
                    side(*a, *b) && side(*b, *a)
                }
                BinOp::SQuot(_) | BinOp::SDiv(_) => (nn(*a) || self.has_no_sign(*a)) && nn(*b),
                BinOp::SMax(_) | BinOp::And(_) => nn(*a) || nn(*b),
                BinOp::SMod(_) => nn(*b),
                BinOp::SRem(_) | BinOp::AShr(_) => nn(*a),
                BinOp::Sub(_) | BinOp::Add(_) if self.less_than_said(x) => true,
                BinOp::Sub(_) if is_one(*b) => self.positive(*a, depth - 1),
                // What is taken away is less than `n`, or than the `n` of `n - 1`.
                BinOp::Sub(_) => {
                    let whole = |n| nn(*b) && self.below(*b, n, depth - 1);
                    whole(*a)
                        || self.successor(*a).is_some_and(whole)
                        || nn(*a) && self.is_rest_of(*b, *a, depth - 1)
                }
                // What is below something is not the greatest.
                BinOp::Add(_) if is_one(*b) => {
                    a.var().is_some_and(|a| self.facts.ranges.contains_key(&a))
                        || self.reaches_minus_one(*a, depth - 1)
                            && self.has_successor(*a, depth - 1)
                }
                BinOp::Add(_) if int(*b) == Some(-1) => self.positive(*a, depth - 1),
                BinOp::Add(_) => {
                    int(*b).is_some_and(|c| self.counter_plus_fits(*a, c))
                        || self.sum_fits(x, None)
                        || self.halfway(x, depth).is_some()
                }
                _ => false,
            },
            Some(Exp::ConvOp(ConvOp::FPToSI(..), x)) => self.converts_to_natural(*x),
            Some(Exp::ConvOp(ConvOp::SExt(from, to), x)) => from <= to && nn(*x),
            Some(Exp::ConvOp(ConvOp::ZExt(from, to), _)) => from < to,
            _ => false,
        }
    }

    /// Is `0 <= x < y` evidently so?
    pub(super) fn within(&self, x: SubExp, y: SubExp) -> bool {
        self.nonnegative(x) && self.below(x, y, DEPTH)
    }

    /// Does `x` count from zero up to `n`?
    pub(super) fn counts_to(&self, x: SubExp, n: SubExp) -> bool {
        x.var().is_some_and(|v| self.facts.ranges.get(&v) == Some(&n))
    }

    pub(super) fn below(&self, x: SubExp, y: SubExp, depth: u32) -> bool {
        if self.facts.heard(Said::Less(x, y)) {
            return true;
        }
        let v = match x {
            SubExp::Const(c) => return c.as_int().zip(int(y)).is_some_and(|(x, y)| x < y),
            SubExp::Var(v) => v,
        };
        if let Some(&b) = self.facts.ranges.get(&v) {
            return self.reaches(b, y, depth)
                // An `n - c` that a loop reached is not negative, so it did not wrap.
                || matches!(self.plain(b), Some(Exp::BinOp(BinOp::Sub(_), n, SubExp::Const(c)))
                    if *n == y && self.nonnegative(y) && c.as_int().is_some_and(|c| c >= 0));
        }
        if depth == 0 {
            return false;
        }
        // What is said to be at most something that is below.
        let further = |said: &Said| match *said {
            Said::AtMost(a, b) => a == x && b != y && b != x && self.below(b, y, depth - 1),
            Said::Less(a, b) => a == x && b != y && b != x && self.reaches(b, y, depth - 1),
            Said::Differ(..) | Said::Is(..) => false,
        };
        if self.facts.log.iter().any(further)
            || self.counter_below(v, y)
            || self.fits_below(x, y)
            || self.sum_fits(x, Some(y))
            || self.halfway(x, depth).is_some_and(|b| self.reaches(b, y, depth - 1))
        {
            return true;
        }
        match self.defs.get(&v).map(|d| &d.exp) {
            Some(Exp::SubExp(x)) => self.below(*x, y, depth - 1),
            Some(Exp::BinOp(BinOp::SMod(_), _, n)) => *n == y && self.nonnegative(y),
            Some(Exp::BinOp(BinOp::SMin(_), a, b)) => {
                self.below(*a, y, depth - 1) || self.below(*b, y, depth - 1)
            }
            Some(Exp::BinOp(BinOp::SMax(_), a, b)) => {
                // Zero is below what something counts up to.
                let side = |x, other| {
                    self.below(x, y, depth - 1)
                        || int(x) == Some(0)
                            && (self.positive(y, depth - 1)
                                || self.has_counter_below(other, y, DEPTH))
                };
                side(*a, *b) && side(*b, *a)
            }
            // `n - c` with `n` not negative does not wrap.
            Some(Exp::BinOp(BinOp::Sub(_), n, SubExp::Const(c))) => {
                c.as_int().is_some_and(|c| c > 0)
                    && self.nonnegative(*n)
                    && self.reaches(*n, y, depth - 1)
            }
            // Nor does it with `n - 1`.
            Some(Exp::BinOp(BinOp::Sub(_), n, i)) => {
                self.nonneg(*i, depth - 1)
                    && (self.precedes(*n, y)
                        || self.nonneg(*n, depth - 1) && self.below(*n, y, depth - 1))
            }
            Some(Exp::BinOp(BinOp::SQuot(_) | BinOp::SDiv(_), n, SubExp::Const(c))) => {
                c.as_int().is_some_and(|c| c > 0)
                    && self.nonneg(*n, depth - 1)
                    && self.below(*n, y, depth - 1)
            }
            Some(Exp::BinOp(BinOp::AShr(_), n, _)) => {
                self.nonneg(*n, depth - 1) && self.below(*n, y, depth - 1)
            }
            // The bits of what is not negative are no more than it is.
            Some(Exp::BinOp(BinOp::And(_), a, b)) => {
                [a, b].iter().any(|x| self.nonneg(**x, depth - 1) && self.below(**x, y, depth - 1))
            }
            Some(Exp::BinOp(BinOp::Add(_), n, SubExp::Const(c))) => match c.as_int() {
                Some(1) => self.successor_below(*n, y),
                Some(c) if c < 0 && c > i64::MIN => {
                    self.nonnegative(*n) && (*n == y || self.below(*n, y, depth - 1))
                }
                _ => false,
            },
            // A counter of another width against its bound of that width.
            Some(Exp::ConvOp(ConvOp::SExt(from, to), a)) if from <= to => match self.plain(y) {
                Some(Exp::ConvOp(ConvOp::SExt(f, t), b)) if (f, t) == (from, to) => {
                    self.below(*a, *b, depth - 1)
                }
                // The other way: the bound was narrowed, and the wide one is not negative. A
                // narrowed bound can only be less, unless it wraps below zero, where nothing runs.
                _ => match (self.facts.ranges.get(&a.var().unwrap_or(v)), a.var()) {
                    (Some(b), Some(_)) => match self.plain(*b) {
                        Some(Exp::ConvOp(ConvOp::SExt(IntType::I64, narrow), n)) => {
                            narrow == from && *n == y && self.nonnegative(y)
                        }
                        _ => false,
                    },
                    _ => false,
                },
            },
            _ => false,
        }
    }

    /// Is `x` a counter plus `c`, of which the bound says that `x < y`?
    ///
    /// The bound is `n + d` and `y` is `n + e` with `c + d <= e <= 0` and `n` not negative. Where `d` is
    /// positive the bound does not wrap, as the counter is below it; so `x` is at most `n + e - 1`, and does
    /// not wrap, either.
    fn counter_below(&self, x: Var, y: SubExp) -> bool {
        let Some((k, c)) = self.plus_constant(SubExp::Var(x)) else { return false };
        let (m, e) = self.plus_constant(y).filter(|(_, e)| *e < 0).unwrap_or((y, 0));
        self.bounds_of(k).any(|bound| {
            if let (Some(bound), Some(y)) = (int(bound), int(y)) {
                return bound.checked_add(c).is_some_and(|end| end <= y)
                    && (c >= 0 || self.nonnegative(k));
            }
            let plus = self.plus_constant(bound);
            [Some((bound, 0)), plus].into_iter().flatten().any(|(n, d)| {
                n == m
                    && self.nonnegative(n)
                    && c.checked_add(d).is_some_and(|most| most <= e)
                    && (c >= 0 || self.nonnegative(k))
            })
        })
    }

    /// Is `k + c` not negative, as the bound of the counter `k` leaves room for it?
    fn counter_plus_fits(&self, k: SubExp, c: i64) -> bool {
        c >= 0
            && self.nonnegative(k)
            && self.bounds_of(k).any(|bound| {
                // Constants of narrower types could wrap.
                if let SubExp::Const(bound) = bound {
                    let wide = matches!(bound.prim(), Prim::Int(IntType::I32 | IntType::I64));
                    let end = bound.as_int().and_then(|b| b.checked_add(c));
                    return wide && end.is_some_and(|end| end <= i64::from(i32::MAX));
                }
                self.plus_constant(bound).is_some_and(|(n, d)| {
                    self.nonnegative(n) && c.checked_add(d).is_some_and(|most| most <= 1)
                })
            })
    }

    /// Is `rest` what is left of a division of `x`, which is not negative?
    fn is_rest_of(&self, rest: SubExp, x: SubExp, depth: u32) -> bool {
        match self.made(rest) {
            Some(&Exp::BinOp(BinOp::SRem(_), n, _)) => n == x,
            Some(&Exp::BinOp(BinOp::SMod(_), n, c)) => n == x && self.nonneg(c, depth),
            _ => false,
        }
    }

    /// Is `x` an `r - c` of which something said of another `r - e` says that it is not negative?
    fn less_than_said(&self, x: SubExp) -> bool {
        let Some((r, c)) = self.plus_constant(x).filter(|(_, c)| *c < 0) else { return false };
        // So much `y` is at least, if it is made of the same.
        let says = |least: Option<i64>, y: SubExp| {
            self.plus_constant(y).is_some_and(|(s, e)| {
                let least = least.and_then(|l| l.checked_sub(e)?.checked_add(c));
                s == r && e <= 0 && least.is_some_and(|least| least >= 0)
            })
        };
        let log = self.facts.log.iter();
        let mut said = log.filter_map(|said| match *said {
            Said::Less(d, y) => Some((int(d)?.checked_add(1), y)),
            Said::AtMost(d, y) => Some((Some(int(d)?), y)),
            Said::Differ(..) | Said::Is(..) => None,
        });
        said.any(|(least, y)| says(least, y)) && self.nonnegative(r)
    }

    /// What a counter, or another number, is said to be below.
    pub(super) fn bounds_of(&self, k: SubExp) -> impl Iterator<Item = SubExp> {
        let range = k.var().and_then(|v| self.facts.ranges.get(&v)).copied();
        let said = self.facts.log.iter().filter_map(move |said| match *said {
            Said::Less(a, b) if a == k => Some(b),
            Said::Less(..) | Said::AtMost(..) | Said::Differ(..) | Said::Is(..) => None,
        });
        range.into_iter().chain(said)
    }

    /// `x` as another number plus a constant.
    pub(super) fn plus_constant(&self, x: SubExp) -> Option<(SubExp, i64)> {
        match *self.made(x)? {
            Exp::BinOp(BinOp::Add(_), n, c) => Some((n, int(c)?)),
            Exp::BinOp(BinOp::Sub(_), n, c) => Some((n, int(c)?.checked_neg()?)),
            _ => None,
        }
    }

    fn at_most(&self, a: SubExp, b: SubExp) -> bool {
        match (a, b) {
            (SubExp::Const(a), SubExp::Const(b)) => {
                matches!((a.as_int(), b.as_int()), (Some(a), Some(b)) if a <= b)
            }
            _ => false,
        }
    }
}

pub(super) fn int(x: SubExp) -> Option<i64> {
    match x {
        SubExp::Const(c) => c.as_int(),
        SubExp::Var(_) => None,
    }
}

fn is_one(x: SubExp) -> bool {
    int(x) == Some(1)
}

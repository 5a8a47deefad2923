//! Values that are affine in the index, in counters of loops and in what is known outside: as polynomials, and what they say of the index.
//!
//! Counters may be below a value of the body, as the length of a window around the index: one of which the index has gone, or one that grows or
//! shrinks with it, as windows do at the ends of a range.

use super::main_piece::{Decided, Limit, Main, Part};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{BinOp, CmpOp, Defs, Exp, IntType, Poly, SubExp, Var};

/// Sums have at most this many terms with at most this factor, of values below 2^49, and a constant
/// between this and its negative: no overflow.
const MOST_TERMS: usize = 8;
const MOST_FACTOR: i64 = 64;
const MOST_CONSTANT: i64 = 1 << 50;
/// Nor if at most this many of the terms are products, which have no factor and are of values below
/// 2^30; of two sums' difference, twice as many.
const MOST_PRODUCTS: usize = 2;
/// Which values are how small is asked when the map runs, but for constants.
const SMALL_COUNT: i64 = 1 << 30;
/// Neighbours are not farther away than this.
const FARTHEST: u64 = 8;

/// A constant is small enough for a factor of a product. Of variables that is asked later.
fn is_small(x: SubExp) -> bool {
    match x {
        SubExp::Const(c) => c.as_int().is_some_and(|c| (0..=SMALL_COUNT).contains(&c)),
        SubExp::Var(_) => true,
    }
}

/// What is known of a body so far.
pub(super) struct Outcomes<'d> {
    pub(super) index: Var,
    /// What the index is below.
    pub(super) size: SubExp,
    /// Where the range lies in another one that it is a part of.
    pub(super) part: Option<Part>,
    /// What is known of sizes outside.
    pub(super) defs: &'d Defs,
    /// What the body binds.
    pub(super) inside: VarSet,
    pub(super) polys: VarMap<Poly>,
    /// Of these, the ones that are so in the main piece only: what has been bounded or chosen, and what is made of it.
    pub(super) in_main: VarSet,
    /// Counters that start at zero, with what they are below, if that is made of what is known outside and the index.
    pub(super) counters: VarMap<Poly>,
    pub(super) bools: VarMap<Exp>,
    /// What comes now is run for every index of the main piece.
    pub(super) certain: bool,
    pub(super) main: Main,
}

impl Outcomes<'_> {
    /// Whether what is known of an operand holds in the main piece only.
    pub(super) fn is_in_main(&self, x: SubExp) -> bool {
        x.var().is_some_and(|v| self.in_main.contains(&v))
    }

    /// Remembers what a value made of two operands is for indexes within a limit, and for all others.
    pub(super) fn decided(
        &mut self,
        var: Var,
        (limit, of): (&Limit, [SubExp; 2]),
        is: (SubExp, SubExp),
    ) {
        if of.iter().any(|x| self.is_in_main(*x)) {
            return;
        }
        // With counters, a limit is that of the worst case.
        let counts = |x: &SubExp| {
            let p = self.poly(*x);
            p.is_none_or(|p| p.vars().iter().any(|v| self.counters.contains_key(v)))
        };
        let beyond = if of.iter().any(counts) { None } else { Some(is.1) };
        self.main.decided.push(Decided { var, limit: limit.clone(), within: is.0, beyond });
    }

    pub(super) fn count(&mut self, v: Var, bound: SubExp) {
        let below = match bound {
            SubExp::Var(b) if self.inside.contains(&b) => match self.polys.get(&b) {
                // Windows around the index have one length where they are not cut off, and become longer or shorter with it where they are.
                Some(p) if self.is_sum_for_an_index(p) => p.clone(),
                _ => return,
            },
            SubExp::Var(_) => Poly::leaf(bound),
            SubExp::Const(_) if is_small(bound) => Poly::leaf(bound),
            SubExp::Const(_) => return,
        };
        if self.is_in_main(bound) {
            self.in_main.insert(v);
        }
        self.counters.insert(v, below);
    }

    /// Whether a polynomial is a sum of what is known outside, and perhaps the index.
    fn is_sum_for_an_index(&self, p: &Poly) -> bool {
        let known = |v: &Var| *v == self.index || !self.inside.contains(v);
        p.monomials().all(|(m, _)| m.len() <= 1 && m.iter().all(known))
    }

    /// Whether it may be a factor of a product: a variable, or a counter that is below one or a constant, for all indexes the same.
    fn may_be_factor(&self, v: Var) -> bool {
        self.counters.get(&v).is_none_or(|below| {
            match (below.as_const(), below.vars().as_slice()) {
                (Some(c), _) => (0..=SMALL_COUNT).contains(&c),
                (None, [w]) => *w != self.index && *below == Poly::var(*w),
                (None, _) => false,
            }
        })
    }

    pub(super) fn know(&mut self, v: Var, poly: Poly) {
        let (mut terms, mut products) = (0, 0);
        let small = poly.monomials().all(|(m, c)| {
            terms += 1;
            match m {
                [] => (-MOST_CONSTANT..=MOST_CONSTANT).contains(&c),
                [_] => (-MOST_FACTOR..=MOST_FACTOR).contains(&c),
                [v, w] => {
                    products += 1;
                    // Linear in each, and no constant among what they stand for is large.
                    let plain = self.may_be_factor(*v) && self.may_be_factor(*w);
                    matches!(c, 1 | -1) && v != w && plain && is_small(self.size)
                }
                _ => false,
            }
        });
        if small && terms <= MOST_TERMS && products <= MOST_PRODUCTS {
            self.polys.insert(v, poly);
        }
    }

    /// An operand as a polynomial in the index, counters and what is known outside.
    pub(super) fn poly(&self, x: SubExp) -> Option<Poly> {
        match x {
            // Differences of larger ones could overflow.
            SubExp::Const(c) => {
                let small = |c: &i64| (-MOST_CONSTANT..=MOST_CONSTANT).contains(c);
                c.as_int().filter(small).map(Poly::constant)
            }
            SubExp::Var(v) => match self.polys.get(&v) {
                Some(p) => Some(p.clone()),
                None if v == self.index
                    || self.counters.contains_key(&v)
                    || !self.inside.contains(&v) =>
                {
                    Some(Poly::var(v))
                }
                None => None,
            },
        }
    }

    pub(super) fn arithmetic(&mut self, var: Var, op: BinOp, a: SubExp, b: SubExp) -> Option<Poly> {
        let (x, y) = (self.poly(a)?, self.poly(b)?);
        let i64 = IntType::I64;
        match op {
            BinOp::Add(t) if t == i64 => Some(x.add(&y)),
            BinOp::Sub(t) if t == i64 => Some(x.sub(&y)),
            BinOp::Mul(t) if t == i64 => Some(x.mul(&y)),
            BinOp::SMin(t) | BinOp::SMax(t) if t == i64 => {
                let moves = |p: &Poly| p.factor_of(self.index).is_some_and(|(c, _)| c != 0);
                let (operand, this, other, rest) = match (moves(&x), moves(&y)) {
                    (true, false) => (a, x, y, b),
                    (false, true) => (b, y, x, a),
                    _ => return None,
                };
                let difference = match op {
                    BinOp::SMin(_) => this.sub(&other),
                    _ => other.sub(&this),
                };
                // this - other <= 0
                let limit = self.limit(&difference.sub(&Poly::constant(1)), true)?;
                self.relies(&this);
                self.relies(&other);
                if self.excludes(&limit) {
                    // With counters, a limit is that of the worst case.
                    let counts = difference.vars().iter().any(|v| self.counters.contains_key(v));
                    return (!counts).then(|| {
                        self.main.same.insert(var, rest);
                        other
                    });
                }
                self.decided(var, (&limit, [a, b]), (operand, rest));
                self.main.limits.push(limit);
                self.main.same.insert(var, operand);
                Some(this)
            }
            // A neighbour's index goes round at the ends alone.
            BinOp::SMod(t) | BinOp::SRem(t) if t == i64 => {
                let near = |index: Poly| {
                    let distance = x.sub(&index).as_const();
                    distance.is_some_and(|d| d.unsigned_abs() <= FARTHEST)
                };
                let own = Poly::var(self.index);
                let round = match &self.part {
                    // What the range is a part of may go round with it.
                    Some(part) => near(own.add(&part.first)) && self.is_outside(b),
                    None => near(own) && y == Poly::leaf(self.size),
                };
                if !round {
                    return None;
                }
                let limits = [self.limit(&x, false)?, self.limit(&x.sub(&y), true)?];
                self.relies(&x);
                self.relies(&y);
                self.main.limits.extend(limits);
                self.main.same.insert(var, a);
                Some(x)
            }
            _ => None,
        }
    }

    /// Whether an operand is a variable that the body does not bind.
    fn is_outside(&self, x: SubExp) -> bool {
        x.var().is_some_and(|v| !self.inside.contains(&v))
    }

    /// Whether no index in the limits so far is in this one.
    pub(super) fn excludes(&self, limit: &Limit) -> bool {
        let empty = |from: &Poly, before: &Poly| {
            self.defs.expand(&before.sub(from)).as_const().is_some_and(|n| n <= 0)
        };
        self.main.limits.iter().any(|other| match (other, limit) {
            (Limit::From(p), Limit::Before(q)) | (Limit::Before(q), Limit::From(p)) => empty(p, q),
            _ => false,
        })
    }

    /// What is greatest of a polynomial if `p < 0` is `wanted`, or else least, for whatever the counters are.
    fn worst(&self, p: &Poly, wanted: bool) -> Option<Poly> {
        let mut worst = p.clone();
        for v in p.vars() {
            let Some(bound) = self.counters.get(&v) else {
                if v != self.index && self.inside.contains(&v) {
                    return None;
                }
                continue;
            };
            let (c, _) = p.factor_of(v)?;
            let most = bound.sub(&Poly::constant(1));
            let extreme = if (c > 0) == wanted { most } else { Poly::constant(0) };
            worst = worst.substitute(v, &extreme);
        }
        Some(worst)
    }

    /// The limits of the indexes of which `p < 0` is `wanted`, for whatever the counters are: none, if that is so for all.
    pub(super) fn limits(&self, p: &Poly, wanted: bool) -> Option<Vec<Limit>> {
        match self.worst(p, wanted)?.as_const() {
            Some(c) => ((c < 0) == wanted).then(Vec::new),
            None => Some(vec![self.limit(p, wanted)?]),
        }
    }

    /// The only one, if there is one.
    pub(super) fn limit(&self, p: &Poly, wanted: bool) -> Option<Limit> {
        // factor · i + rest < 0, or >= 0.
        let (factor, rest) = self.worst(p, wanted)?.factor_of(self.index)?;
        let minus = Poly::constant(0).sub(&rest);
        match (factor, wanted) {
            (1, true) => Some(Limit::Before(minus)),
            (-1, true) => Some(Limit::From(rest.add(&Poly::constant(1)))),
            (1, false) => Some(Limit::From(minus)),
            (-1, false) => Some(Limit::Before(rest.add(&Poly::constant(1)))),
            _ => None,
        }
    }

    /// What a comparison of `i64` values says: the polynomial that is negative if it is true, and
    /// both operands.
    pub(super) fn negative(&self, exp: &Exp) -> Option<(Poly, [Poly; 2])> {
        let (op, a, b) = match exp {
            Exp::CmpOp(op, a, b) => (op, self.poly(*a)?, self.poly(*b)?),
            _ => return None,
        };
        let difference = a.sub(&b);
        let p = match op {
            CmpOp::SLt(IntType::I64) => difference,
            CmpOp::SLe(IntType::I64) => difference.sub(&Poly::constant(1)),
            _ => return None,
        };
        Some((p, [a, b]))
    }

    pub(super) fn relies(&mut self, p: &Poly) {
        for (m, _) in p.monomials() {
            for v in m {
                let below = match self.counters.get(v) {
                    Some(bound) => bound.vars(),
                    None => [*v].into_iter().collect(),
                };
                for v in below {
                    let v = if v != self.index {
                        v
                    } else if let Some(size) = self.size.var() {
                        size
                    } else {
                        continue;
                    };
                    if !self.main.leaves.contains(&v) {
                        self.main.leaves.push(v);
                    }
                    if m.len() > 1 && !self.main.factors.contains(&v) {
                        self.main.factors.push(v);
                    }
                }
            }
        }
    }
}

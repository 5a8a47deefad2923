//! Which values `i64` variables may take, and what follows for sums of them.
//!
//! Sizes and offsets are wrapping polynomials, so that `a - b ≠ 0` may be concluded only from what
//! holds for the integers that the bits stand for. Two arguments are made:
//!
//! * If every coefficient of a variable is a multiple of `2^k` and the constant is not, the sum is
//!   not zero, whatever the variables are, wrapping or not.
//! * A sum of few variables that are all between 0 and `2^56` does not wrap, so that its least
//!   value is found by putting for every variable, innermost first, its first or last value. What
//!   counts up from zero one by one stays below that bound for want of time, what is the size of an
//!   array with elements for want of memory.
//!
//! No may be answered where the truth is yes, never the other way round. Cost: quadratic in the
//! number of variables, which is a handful.

use super::linear::{Defs, Poly};
use super::types::Var;
use super::varmap::VarMap;

/// Variables below this are as many as there are nanoseconds in two years.
const LIMIT: i64 = 1 << 56;
/// The sum of coefficients for which nothing wraps.
const WEIGHT: i64 = 127;

#[derive(Clone, Debug)]
struct Range {
    /// The greatest value, in terms of variables that are older, if it is known.
    last: Option<Poly>,
    /// How many were known before.
    age: usize,
    /// Less than [`LIMIT`]?
    limited: bool,
}

/// The variables that are not negative, with what else is known of them.
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    known: VarMap<Range>,
}

impl Ranges {
    /// `v` counts from zero in steps of one, to `last` at most.
    pub fn counter(&mut self, v: Var, last: Option<Poly>) {
        let age = self.known.len();
        self.known.entry(v).or_insert(Range { last, age, limited: true });
    }

    /// `v` is not negative.
    pub fn natural(&mut self, v: Var) {
        let age = self.known.len();
        self.known.entry(v).or_insert(Range { last: None, age, limited: false });
    }

    /// Certainly not negative? `sizes` are dimensions of arrays that have elements.
    pub fn never_negative(&self, p: &Poly, defs: &Defs, sizes: &[Var]) -> bool {
        let p = defs.expand(p);
        self.fits(&p, sizes) && self.least(p, defs, sizes).is_some_and(|least| least >= 0)
    }

    /// Certainly not zero? `sizes` are dimensions of arrays that have elements.
    pub fn never_zero(&self, p: &Poly, defs: &Defs, sizes: &[Var]) -> bool {
        let p = defs.expand(p);
        if let Some(c) = p.as_const() {
            return c != 0;
        }
        let Some((constant, rest)) = p.affine() else { return false };
        let zeros = rest.values().map(|c| c.trailing_zeros()).min().unwrap_or(0);
        if zeros > constant.trailing_zeros() {
            return true;
        }
        let one = Poly::constant(1);
        let below = Poly::default().sub(&p).sub(&one);
        self.never_negative(&p.sub(&one), defs, sizes) || self.never_negative(&below, defs, sizes)
    }

    /// Is this the integer that it says, without wrapping?
    fn fits(&self, p: &Poly, sizes: &[Var]) -> bool {
        let Some((constant, rest)) = p.affine() else { return false };
        let limited =
            |v: &Var| sizes.contains(v) || self.known.get(v).is_some_and(|range| range.limited);
        let weight = rest.values().try_fold(0i64, |sum, c| sum.checked_add(c.checked_abs()?));
        (-LIMIT..LIMIT).contains(&constant)
            && rest.keys().all(limited)
            && weight.is_some_and(|w| w <= WEIGHT)
    }

    /// A lower bound, by which the integers of `p` are never less.
    fn least(&self, mut p: Poly, defs: &Defs, sizes: &[Var]) -> Option<i64> {
        loop {
            let (constant, rest) = p.affine()?;
            let age = |v: &Var| self.known.get(v).map(|range| range.age);
            // Of what is only a size, nothing but the sign is known: it goes last.
            let Some((v, c)) = rest.into_iter().max_by_key(|(v, _)| age(v)) else {
                return Some(constant);
            };
            if c > 0 {
                // At least zero.
                if age(&v).is_none() && !sizes.contains(&v) {
                    return None;
                }
                p = p.substitute(v, &Poly::default());
                continue;
            }
            let range = self.known.get(&v)?;
            let stated = range.last.as_ref()?;
            let last = defs.expand(stated);
            // What is written out must be the same integer; a bound as it stands is one by itself.
            if last != *stated && !self.fits(&last, sizes) {
                return None;
            }
            if last.vars().iter().any(|w| age(w) >= Some(range.age)) {
                return None;
            }
            p = p.substitute(v, &last);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futc_typed::name::Name;

    fn var(tag: u32) -> Var {
        Var { base: Name::new("v"), tag }
    }

    fn v(tag: u32) -> Poly {
        Poly::var(var(tag))
    }

    fn c(x: i64) -> Poly {
        Poly::constant(x)
    }

    /// 0: a size; 1: a counter below it; 2: defined as 0 - 1 - 1; 3: a counter below that.
    fn triangle() -> (Ranges, Defs) {
        let mut ranges = Ranges::default();
        let mut defs = Defs::default();
        ranges.counter(var(1), Some(v(0).sub(&c(1))));
        defs.define(var(2), &v(0).sub(&v(1)).sub(&c(1)));
        ranges.counter(var(3), Some(v(2).sub(&c(1))));
        (ranges, defs)
    }

    #[test]
    fn counters_stay_between_zero_and_their_last() {
        let (r, d) = triangle();
        let n = [var(0)];
        assert!(r.never_negative(&v(1), &d, &n));
        assert!(r.never_negative(&v(0).sub(&v(1)).sub(&c(1)), &d, &n));
        assert!(!r.never_negative(&v(0).sub(&v(1)).sub(&c(2)), &d, &n));
        // Row k + 1 + i of n rows.
        let row = v(1).add(&c(1)).add(&v(3));
        assert!(r.never_negative(&v(0).sub(&c(1)).sub(&row), &d, &n));
        assert!(r.never_zero(&row.sub(&v(1)), &d, &n));
        assert!(r.never_zero(&v(1).sub(&row), &d, &n));
        assert!(!r.never_zero(&row.sub(&c(1)).sub(&v(1)), &d, &n));
    }

    #[test]
    fn unknown_variables_and_wrapping_sums_prove_nothing() {
        let (r, d) = triangle();
        assert!(!r.never_negative(&v(9), &d, &[]));
        assert!(!r.never_zero(&v(9).add(&c(1)), &d, &[]));
        // The size may be anything, if no array has it.
        assert!(!r.never_negative(&v(0).sub(&v(1)).sub(&c(1)), &d, &[]));
        assert!(!r.never_negative(&v(1).mul(&c(1 << 40)), &d, &[]));
        assert!(!r.never_negative(&v(1).mul(&v(3)), &d, &[]));
    }

    #[test]
    fn odd_and_even_differ_whatever_the_variables() {
        let (r, d) = (Ranges::default(), Defs::default());
        let even = v(1).mul(&c(2));
        assert!(r.never_zero(&even.sub(&v(2).mul(&c(4))).add(&c(1)), &d, &[]));
        assert!(!r.never_zero(&even.add(&v(2).mul(&c(4))).add(&c(2)), &d, &[]));
        assert!(!r.never_zero(&even, &d, &[]));
        assert!(r.never_zero(&c(-3), &d, &[]));
        assert!(!r.never_zero(&c(0), &d, &[]));
    }

    /// Every answer is checked against all values of two nested counters below a size.
    #[test]
    fn answers_agree_with_brute_force() {
        let mut seed = 7u64;
        let mut below = |n: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((seed >> 33) % n) as i64
        };
        let (r, d) = triangle();
        let mut proved = 0;
        for _ in 0..4000 {
            let coefficients: Vec<i64> = (0..4).map(|_| below(7) - 3).collect();
            let constant = below(9) - 4;
            let p = [0, 1, 2, 3]
                .into_iter()
                .zip(&coefficients)
                .fold(c(constant), |p, (t, k)| p.add(&v(t).mul(&c(*k))));
            let mut values = Vec::new();
            for n in 1..6 {
                for k in 0..n {
                    let m = n - k - 1;
                    for i in 0..m {
                        values.push(p.eval(&|x| [n, k, m, i][x.tag as usize]));
                    }
                }
            }
            let n = [var(0)];
            if r.never_negative(&p, &d, &n) {
                proved += 1;
                assert!(values.iter().all(|x| *x >= 0), "{p:?}");
            }
            if r.never_zero(&p, &d, &n) {
                proved += 1;
                assert!(values.iter().all(|x| *x != 0), "{p:?}");
            }
        }
        assert!(proved > 100, "{proved}");
    }
}

//! The linear form of `i64` numbers: sizes and indexes as sums of products.
//!
//! [`Poly`] is a polynomial with wrapping `i64` coefficients over `i64` variables, the normal form of a
//! [`Size64`] and of what additions, subtractions and multiplications make of numbers. Two numbers are taken
//! for equal only if their normal forms are: who asks may be told no where the answer at run time would be
//! yes, never the other way round. [`Defs`] knows what variables are defined as by the statements of a
//! program. Analyses, passes, verification and code generation gather definitions here and nowhere else.
//!
//! All operations cost time linear in the number of monomials, which is a handful: the degree is
//! bounded by the rank of the arrays at hand.

use super::op::BinOp;
use super::prim::IntType;
use super::syntax::{Exp, PatElem, Program, Stm};
use super::traverse::{Visit, walk};
use super::types::{Size64, SubExp, Type, Var};
use std::collections::{BTreeMap, HashMap};

/// A polynomial over `i64` variables: from monomials (sorted, with repetition) to nonzero
/// coefficients. The order of variables is that of their tags, so conversions are deterministic.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Poly {
    terms: BTreeMap<Vec<Var>, i64>,
}

impl Poly {
    /// The constant `c`.
    pub fn constant(c: i64) -> Poly {
        let mut p = Poly::default();
        p.add_term(Vec::new(), c);
        p
    }

    /// The variable `v`.
    pub fn var(v: Var) -> Poly {
        let mut p = Poly::default();
        p.add_term(vec![v], 1);
        p
    }

    /// An operand; of a constant that is no integer, zero.
    pub fn leaf(e: SubExp) -> Poly {
        match e {
            SubExp::Var(v) => Poly::var(v),
            SubExp::Const(c) => Poly::constant(c.as_int().unwrap_or(0)),
        }
    }

    /// What an operator makes of operands, if that is a polynomial.
    pub fn of_op(op: BinOp, x: &Poly, y: &Poly) -> Option<Poly> {
        match op {
            BinOp::Add(IntType::I64) => Some(x.add(y)),
            BinOp::Sub(IntType::I64) => Some(x.sub(y)),
            BinOp::Mul(IntType::I64) => Some(x.mul(y)),
            _ => None,
        }
    }

    /// What the `i64` that an expression yields is a polynomial of, if it is one.
    pub fn of_exp(e: &Exp) -> Option<Poly> {
        match e {
            Exp::SubExp(x) => Some(Poly::leaf(*x)),
            Exp::BinOp(op, x, y) => Poly::of_op(*op, &Poly::leaf(*x), &Poly::leaf(*y)),
            _ => None,
        }
    }

    /// The normal form of `s`.
    pub fn of(s: &Size64) -> Poly {
        match s {
            Size64::Leaf(e) => Poly::leaf(*e),
            Size64::Add(a, b) => Poly::of(a).add(&Poly::of(b)),
            Size64::Sub(a, b) => Poly::of(a).sub(&Poly::of(b)),
            Size64::Mul(a, b) => Poly::of(a).mul(&Poly::of(b)),
        }
    }

    fn add_term(&mut self, monomial: Vec<Var>, c: i64) {
        if c == 0 {
            return;
        }
        match self.terms.entry(monomial) {
            std::collections::btree_map::Entry::Vacant(e) => {
                e.insert(c);
            }
            std::collections::btree_map::Entry::Occupied(mut e) => {
                let sum = e.get().wrapping_add(c);
                if sum == 0 {
                    e.remove();
                } else {
                    *e.get_mut() = sum;
                }
            }
        }
    }

    /// The sum.
    pub fn add(&self, other: &Poly) -> Poly {
        let mut p = self.clone();
        for (m, c) in &other.terms {
            p.add_term(m.clone(), *c);
        }
        p
    }

    /// The difference.
    pub fn sub(&self, other: &Poly) -> Poly {
        let mut p = self.clone();
        for (m, c) in &other.terms {
            p.add_term(m.clone(), c.wrapping_neg());
        }
        p
    }

    /// The product.
    pub fn mul(&self, other: &Poly) -> Poly {
        let mut p = Poly::default();
        for (m, c) in &self.terms {
            for (n, d) in &other.terms {
                let mut mn: Vec<Var> = m.iter().chain(n).copied().collect();
                mn.sort_unstable();
                p.add_term(mn, c.wrapping_mul(*d));
            }
        }
        p
    }

    /// The constant this is, if it mentions no variable.
    pub fn as_const(&self) -> Option<i64> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Vec::new() as &Vec<Var>).copied(),
            _ => None,
        }
    }

    /// Zero?
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The greatest constant that divides every coefficient; of zero, one.
    pub fn content(&self) -> i64 {
        let gcd = |mut a: u64, mut b: u64| {
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a
        };
        let all = self.terms.values().fold(0, |g, c| gcd(g, c.unsigned_abs()));
        i64::try_from(all.max(1)).unwrap_or(1)
    }

    /// The polynomial divided by `c`, if every coefficient is a multiple.
    pub fn div_exact(&self, c: i64) -> Option<Poly> {
        if c == 0 {
            return None;
        }
        let mut p = Poly::default();
        for (m, d) in &self.terms {
            if d.wrapping_rem(c) != 0 {
                return None;
            }
            p.add_term(m.clone(), d.wrapping_div(c));
        }
        Some(p)
    }

    /// The constant, and the coefficient of every variable, if no variables are multiplied.
    pub fn affine(&self) -> Option<(i64, BTreeMap<Var, i64>)> {
        let mut constant = 0;
        let mut rest = BTreeMap::new();
        for (m, c) in &self.terms {
            match m.as_slice() {
                [] => constant = *c,
                [v] => {
                    rest.insert(*v, *c);
                }
                _ => return None,
            }
        }
        Some((constant, rest))
    }

    /// With a polynomial for a variable.
    pub fn substitute(&self, v: Var, with: &Poly) -> Poly {
        let mut sum = Poly::default();
        for (m, c) in &self.terms {
            let mut t = Poly::default();
            t.add_term(m.iter().filter(|w| **w != v).copied().collect(), *c);
            for _ in m.iter().filter(|w| **w == v) {
                t = t.mul(with);
            }
            sum = sum.add(&t);
        }
        sum
    }

    /// Quotient and rest by a polynomial of one term: `self = quotient · by + rest`. The rest is
    /// what does not divide; of constants by a constant, the remainder that is not negative.
    pub fn divide(&self, by: &Poly) -> Option<(Poly, Poly)> {
        let (monomial, c) = match by.terms.iter().collect::<Vec<_>>().as_slice() {
            [(m, c)] if **c > 0 => ((*m).clone(), **c),
            _ => return None,
        };
        let (mut quotient, mut rest) = (Poly::default(), Poly::default());
        for (m, d) in &self.terms {
            let mut left = m.clone();
            let divides = monomial.iter().all(|v| match left.iter().position(|w| w == v) {
                Some(at) => {
                    left.remove(at);
                    true
                }
                None => false,
            });
            if divides && (m.is_empty() || d % c == 0) {
                quotient.add_term(left, d.div_euclid(c));
                rest.add_term(m.clone(), d.rem_euclid(c));
            } else {
                rest.add_term(m.clone(), *d);
            }
        }
        Some((quotient, rest))
    }

    /// The variables, in order, each once.
    pub fn vars(&self) -> Vec<Var> {
        let mut vs: Vec<Var> = self.terms.keys().flatten().copied().collect();
        vs.sort_unstable();
        vs.dedup();
        vs
    }

    /// The variables that are multiplied, with repetition, and the factor of each product.
    pub fn monomials(&self) -> impl Iterator<Item = (&[Var], i64)> {
        self.terms.iter().map(|(m, c)| (m.as_slice(), *c))
    }

    /// The variables with their factors, and the constant, if no two variables are multiplied.
    pub fn linear(&self) -> Option<(Vec<(Var, i64)>, i64)> {
        let mut terms = Vec::with_capacity(self.terms.len());
        let mut constant = 0;
        for (m, c) in &self.terms {
            match m.as_slice() {
                [] => constant = *c,
                [v] => terms.push((*v, *c)),
                _ => return None,
            }
        }
        Some((terms, constant))
    }

    /// The constant factor of `v`, and what is left without it, if `v` is multiplied with nothing
    /// else.
    pub fn factor_of(&self, v: Var) -> Option<(i64, Poly)> {
        let mut rest = self.clone();
        let factor = rest.terms.remove(&vec![v]).unwrap_or(0);
        rest.terms.keys().all(|m| !m.contains(&v)).then_some((factor, rest))
    }

    /// Back to an expression: monomials in order, the constant last.
    pub fn to_size(&self) -> Size64 {
        fn product(c: i64, m: &[Var]) -> Size64 {
            let mut vars = m.iter().map(|v| Size64::Leaf(SubExp::Var(*v)));
            let Some(first) = vars.next() else {
                return Size64::Leaf(SubExp::i64(c));
            };
            let p = vars.fold(first, |a, b| Size64::Mul(Box::new(a), Box::new(b)));
            if c == 1 {
                p
            } else {
                Size64::Mul(Box::new(p), Box::new(Size64::Leaf(SubExp::i64(c))))
            }
        }
        // The empty monomial sorts first.
        let (consts, rest): (Vec<_>, Vec<_>) = self.terms.iter().partition(|(m, _)| m.is_empty());
        let mut sum: Option<Size64> = None;
        for (m, c) in rest.into_iter().chain(consts) {
            sum = Some(match sum {
                None => product(*c, m),
                Some(s) if *c < 0 && *c != i64::MIN => {
                    Size64::Sub(Box::new(s), Box::new(product(-*c, m)))
                }
                Some(s) => Size64::Add(Box::new(s), Box::new(product(*c, m))),
            });
        }
        sum.unwrap_or_else(|| Size64::Leaf(SubExp::i64(0)))
    }

    /// The value, given those of the variables.
    pub fn eval(&self, value: &impl Fn(Var) -> i64) -> i64 {
        self.terms.iter().fold(0i64, |sum, (m, c)| {
            sum.wrapping_add(m.iter().fold(*c, |p, v| p.wrapping_mul(value(*v))))
        })
    }
}

/// Definitions of `i64` variables by sums, differences and products of others, so that sizes
/// computed apart can be seen to be equal. What a definition mentions must be in scope wherever
/// the variable is.
#[derive(Clone, Debug, Default)]
pub struct Defs {
    polys: HashMap<Var, Poly>,
    /// What minima do not exceed: a few polynomials each.
    bounds: HashMap<Var, Vec<Poly>>,
}

impl Defs {
    /// Definitions longer than this are left opaque: nothing of use is that long, and chains of
    /// products would grow without bound.
    const MAX_TERMS: usize = 8;

    /// Records `v = p`.
    pub fn define(&mut self, v: Var, p: &Poly) {
        let p = self.expand(p);
        if p.terms.len() <= Defs::MAX_TERMS && p.terms.keys().all(|m| m.len() <= Defs::MAX_TERMS) {
            self.polys.insert(v, p);
        }
    }

    /// Records what a statement says of an `i64`.
    pub fn learn(&mut self, pat: &[PatElem], e: &Exp) {
        if let [p] = pat
            && p.ty == Type::I64
            && let Some(poly) = Poly::of_exp(e)
        {
            self.define(p.var, &poly);
        }
        if let ([p], Exp::BinOp(BinOp::SMin(IntType::I64), a, b)) = (pat, e) {
            let bounds = [a, b].into_iter().flat_map(|x| match x.var() {
                Some(v) if !self.at_most(v).is_empty() => self.at_most(v).to_vec(),
                _ => vec![self.expand(&Poly::leaf(*x))],
            });
            let bounds = bounds.take(Defs::MAX_TERMS).collect();
            self.bounds.insert(p.var, bounds);
        }
    }

    /// What a variable does not exceed, as it is a minimum of that.
    pub fn at_most(&self, v: Var) -> &[Poly] {
        self.bounds.get(&v).map_or(&[], Vec::as_slice)
    }

    /// What all statements of a program say.
    pub fn of_program(p: &Program) -> Defs {
        struct All(Defs);
        impl Visit for All {
            fn stm(&mut self, s: &Stm) {
                self.0.learn(&s.pat, &s.exp);
                walk::stm(self, s);
            }
        }
        let mut all = All(Defs::default());
        all.body(&p.consts);
        for f in &p.funs {
            all.fun(f);
        }
        all.0
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.polys.clear();
        self.bounds.clear();
    }

    /// `p` in terms of variables without definitions.
    pub fn expand(&self, p: &Poly) -> Poly {
        if !p.terms.keys().flatten().any(|v| self.polys.contains_key(v)) {
            return p.clone();
        }
        let mut sum = Poly::default();
        for (m, c) in &p.terms {
            let mut t = Poly::constant(*c);
            for v in m {
                t = match self.polys.get(v) {
                    Some(d) => t.mul(d),
                    None => t.mul(&Poly::var(*v)),
                };
            }
            sum = sum.add(&t);
        }
        sum
    }

    /// Certainly equal?
    pub fn equal(&self, a: &Poly, b: &Poly) -> bool {
        a == b || self.expand(&a.sub(b)).is_zero()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse_program;
    use futc_typed::name::Name;

    fn v(tag: u32) -> Var {
        Var { base: Name::new("v"), tag }
    }

    #[test]
    fn sizes_have_a_normal_form() {
        let (n, m) = (Poly::var(v(1)), Poly::var(v(2)));
        let a = n.add(&m).mul(&n.sub(&m));
        let b = n.mul(&n).sub(&m.mul(&m));
        assert_eq!(a, b);
        assert_eq!(Poly::of(&a.to_size()), a);
        assert_eq!(a.sub(&b).as_const(), Some(0));
        assert_eq!(
            Poly::constant(12).add(&n.mul(&Poly::constant(8))).div_exact(4).map(|p| p.eval(&|_| 5)),
            Some(13)
        );
        assert_eq!(Poly::constant(2).add(&n.mul(&Poly::constant(8))).div_exact(4), None);
    }

    #[test]
    fn sums_and_products_are_gathered_from_statements() {
        let p = parse_program(
            "level soacs
             fun f (v_1: i64, v_2: i64, c_3: i32) : (v_8: i64) {
               let v_4: i64 = sub.i64(v_1, 1)
               let v_5: i64 = mul.i64(v_4, v_2)
               let v_6: i64 = v_5
               let v_7: i32 = add.i32(c_3, 1i32)
               in v_6
             }",
        );
        let defs = p.map(|p| Defs::of_program(&p)).unwrap_or_default();
        let product = Poly::var(v(1)).mul(&Poly::var(v(2))).sub(&Poly::var(v(2)));
        assert_eq!(defs.expand(&Poly::var(v(6))), product);
        // Narrower numbers wrap elsewhere.
        assert_eq!(defs.expand(&Poly::var(v(7))), Poly::var(v(7)));
    }
}

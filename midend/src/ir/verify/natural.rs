//! Sizes that a check must have come before.
//!
//! An array whose size is reckoned from scalar parameters of the function alone (`n`, `j - i`,
//! `n * m`) may be made only where something says that the size is not negative: an assertion
//! that was made before in this body or one around it, an array of that size, a branch, or the
//! way the size is made. A pass that lets the check of such a size go, or moves what is made of it
//! before the check, is found here. Sizes that elements of arrays, calls or loops yield are not
//! looked at, nor is what the program says needs no checks (`#[unsafe]`).
//!
//! The proof is by polynomials: `d` is not negative if it is a known size plus what is not
//! negative, or equal to it by an assertion, whose two inequalities stand side by side. Wrapping is not considered, as the checks that internalisation makes exclude it.

use super::Verifier;
use crate::ir::*;

/// Known sizes are put together this often.
const DEPTH: u32 = 3;

impl Verifier<'_> {
    /// What the arrays of these types show: their sizes are not negative.
    pub(super) fn sizes_exist(&mut self, ty: &Type) {
        if self.level() == Level::Soacs {
            for d in ty.shape().iter().filter_map(|d| d.var()) {
                self.naturals.push(Poly::var(d));
            }
        }
    }

    /// In what follows, the condition has this value.
    pub(super) fn suppose(&mut self, cond: SubExp, value: bool) {
        if self.level() == Level::Soacs {
            let said = self.said(cond, value, 16);
            self.naturals.extend(said);
        }
    }

    /// What is not negative if the condition has this value.
    fn said(&self, cond: SubExp, value: bool, depth: u32) -> Vec<Poly> {
        let Some(e) = cond.var().filter(|_| depth > 0).and_then(|v| self.conditions.get(&v)) else {
            return Vec::new();
        };
        let both = |a: SubExp, b: SubExp| {
            let mut all = self.said(a, value, depth - 1);
            all.extend(self.said(b, value, depth - 1));
            all
        };
        // Of a choice, what either side says.
        let either = |a: SubExp, b: SubExp| {
            let (a, b) = (self.said(a, value, depth - 1), self.said(b, value, depth - 1));
            let implied = |p: &Poly, by: &[Poly]| {
                by.iter().any(|q| p.sub(q).as_const().is_some_and(|c| c >= 0))
            };
            let common = a.iter().filter(|p| implied(p, &b));
            common.chain(b.iter().filter(|p| implied(p, &a))).cloned().collect()
        };
        let one = Poly::constant(1);
        match (e, value) {
            (Exp::UnOp(UnOp::Not, a), _) => self.said(*a, !value, depth - 1),
            (Exp::BinOp(BinOp::LogAnd, a, b), true) | (Exp::BinOp(BinOp::LogOr, a, b), false) => {
                both(*a, *b)
            }
            (Exp::BinOp(BinOp::LogAnd, a, b), false) | (Exp::BinOp(BinOp::LogOr, a, b), true) => {
                either(*a, *b)
            }
            (Exp::CmpOp(CmpOp::SLe(IntType::I64), a, b), true) => {
                vec![self.normal(*b).sub(&self.normal(*a))]
            }
            (Exp::CmpOp(CmpOp::SLt(IntType::I64), a, b), true) => {
                vec![self.normal(*b).sub(&self.normal(*a)).sub(&one)]
            }
            (Exp::CmpOp(CmpOp::SLe(IntType::I64), b, a), false) => {
                vec![self.normal(*b).sub(&self.normal(*a)).sub(&one)]
            }
            (Exp::CmpOp(CmpOp::SLt(IntType::I64), b, a), false) => {
                vec![self.normal(*b).sub(&self.normal(*a))]
            }
            (Exp::CmpOp(CmpOp::Eq(Prim::Int(IntType::I64)), a, b), true) => {
                let difference = self.normal(*a).sub(&self.normal(*b));
                vec![Poly::default().sub(&difference), difference]
            }
            _ => Vec::new(),
        }
    }

    /// A counter of a loop of so many rounds.
    pub(super) fn counts(&mut self, v: Var, bound: SubExp) {
        if self.level() == Level::Soacs {
            let left = self.normal(bound).sub(&Poly::var(v)).sub(&Poly::constant(1));
            self.naturals.extend([Poly::var(v), left]);
        }
    }

    /// The sizes of the arrays that a statement makes have been checked.
    pub(super) fn made(&mut self, s: &Stm) {
        if self.level() != Level::Soacs || self.unreachable.is_some() {
            return;
        }
        let makes = matches!(
            s.exp,
            Exp::Iota { .. }
                | Exp::Replicate { .. }
                | Exp::Concat { .. }
                | Exp::Index { .. }
                | Exp::Reshape { .. }
                | Exp::Soac(Soac::Screma { .. })
        );
        let owed = self.owed.len();
        if makes && !s.has(StmAttr::Unsafe) {
            for d in s.pat.iter().flat_map(|p| p.ty.shape()) {
                let p = self.normal(*d);
                if self.is_told(&p) && !self.is_natural(&p, DEPTH) {
                    self.owed.push((self.at.clone(), *d));
                }
            }
        }
        // Of a payload that is not there nothing is known, nor of what remains to be checked.
        let shows = !matches!(
            s.exp,
            Exp::Scratch { .. }
                | Exp::SubExp(_)
                | Exp::Match { .. }
                | Exp::Call { .. }
                | Exp::Soac(Soac::Screma { .. })
        );
        if shows && owed == self.owed.len() {
            for p in &s.pat {
                self.sizes_exist(&p.ty);
            }
        }
    }

    /// What a body has left unchecked to its end. (The sizes of rows are checked behind the map.)
    pub(super) fn settle(&mut self, mark: usize) {
        for (at, d) in self.owed.split_off(mark) {
            let p = self.normal(d);
            if self.unreachable.is_none() && !self.is_natural(&p, DEPTH) {
                self.at = at;
                self.error(format!("nothing says that the size {d} is not negative"));
            }
        }
    }

    /// Is this made of scalars that the function was given, and of nothing else?
    fn is_told(&self, p: &Poly) -> bool {
        let vars = p.vars();
        !vars.is_empty() && vars.iter().all(|v| self.scalars.contains(v))
    }

    fn is_natural(&self, p: &Poly, depth: u32) -> bool {
        if let Some(c) = p.as_const() {
            return c >= 0;
        }
        if let [v] = p.vars().as_slice()
            && *p == Poly::var(*v)
            && let Some(e) = self.conditions.get(v)
        {
            let natural = |x: &SubExp| depth > 0 && self.is_natural(&self.normal(*x), depth - 1);
            match e {
                Exp::BinOp(BinOp::SMax(_), a, b) if natural(a) || natural(b) => return true,
                Exp::BinOp(BinOp::SMin(_) | BinOp::SQuot(_) | BinOp::SDiv(_), a, b)
                    if natural(a) && natural(b) =>
                {
                    return true;
                }
                Exp::BinOp(BinOp::SMod(_), _, b) if natural(b) => return true,
                _ => {}
            }
        }
        // A sum of products of sizes.
        let is_size =
            |v: &Var| self.naturals.iter().any(|q| self.expand(q.clone()) == Poly::var(*v));
        if p.monomials().all(|(vars, c)| c >= 0 && vars.iter().all(is_size)) {
            return true;
        }
        // What equals `p` may have more variables; that there is less to prove otherwise ends the search.
        let equality = |at: usize, q: &Poly| {
            let beside = [at.checked_sub(1), at.checked_add(1)];
            let other = beside.into_iter().flatten().filter_map(|at| self.naturals.get(at));
            other.into_iter().any(|r| q.add(r) == Poly::default())
        };
        self.naturals.iter().enumerate().rev().any(|(at, q)| {
            let rest = p.sub(&self.expand(q.clone()));
            rest.as_const().is_some_and(|c| c >= 0)
                || depth > 0
                    && (rest.vars().len() < p.vars().len() || equality(at, q))
                    && self.is_natural(&rest, depth - 1)
        })
    }
}

//! Sizes by other names: when two types are the same.

use super::{Numbered, Verifier};
use crate::ir::typing::TypeEnv;
use crate::ir::*;

impl Verifier<'_> {
    pub(super) fn normal(&self, x: SubExp) -> Poly {
        self.expand(Poly::leaf(x))
    }

    /// As many equalities may be learnt one after the other of which each is about what the one before says.
    const LONGEST_CHAIN: usize = 1000;

    pub(super) fn expand(&self, mut p: Poly) -> Poly {
        // An equality learnt late may concern what an earlier definition mentions.
        for _ in 0..Self::LONGEST_CHAIN {
            let q = self.defs.expand(&p);
            if q == p {
                break;
            }
            p = q;
        }
        p
    }

    pub(super) fn same_size(&self, a: SubExp, b: SubExp) -> bool {
        if a == b || self.unreachable.is_some() {
            return true;
        }
        let difference = self.normal(a).sub(&self.normal(b));
        difference.is_zero()
            || self.zeros.iter().any(|z| {
                let z = self.expand(z.clone());
                z == difference || z.add(&difference).is_zero()
            })
    }

    pub(super) fn same_type(&self, a: &Type, b: &Type) -> bool {
        match (a, b) {
            (Type::Array { elem: e, shape: s }, Type::Array { elem: f, shape: t }) => {
                e == f && s.len() == t.len() && s.iter().zip(t).all(|(&m, &n)| self.same_size(m, n))
            }
            _ => a == b,
        }
    }

    /// What an assertion of `cond` says about sizes. Behind one that fails, nothing is compared:
    /// constants that a caller passed may contradict each other there.
    pub(super) fn learn(&mut self, cond: SubExp) {
        let c = match cond {
            SubExp::Var(c) => c,
            SubExp::Const(Const::Bool(false)) => return self.reach_no_more(),
            SubExp::Const(_) => return,
        };
        if let Some(&(a, b)) = self.conjunctions.get(&c) {
            self.learn(a);
            self.learn(b);
        }
        if let Some(&(a, b)) = self.disjunctions.get(&c) {
            self.learn_either(a, b);
        }
        let Some(&(a, b)) = self.equations.get(&c) else { return };
        let (p, q) = (self.normal(a), self.normal(b));
        let difference = p.sub(&q);
        match difference.as_const() {
            Some(0) => return,
            Some(_) => return self.reach_no_more(),
            None => {}
        }
        for (p, q) in [(&p, &q), (&q, &p)] {
            if let [v] = p.vars().as_slice()
                && *p == Poly::var(*v)
                && !q.vars().contains(v)
            {
                self.defs.define(*v, q);
                return;
            }
        }
        for v in difference.vars() {
            if let Some((factor @ (1 | -1), rest)) = difference.factor_of(v) {
                self.defs.define(v, &rest.mul(&Poly::constant(-factor)));
                return;
            }
        }
        self.zeros.push(difference);
    }

    fn learn_either(&mut self, a: SubExp, b: SubExp) {
        match (self.is_excluded(a), self.is_excluded(b)) {
            (_, true) => self.learn(a),
            (true, false) => self.learn(b),
            (false, false) => self.open.push((a, b)),
        }
    }

    /// Runs `f` at the points of a space: what was asserted unless it is empty holds there.
    pub(super) fn at_points(&mut self, space: &SegSpace, f: impl FnOnce(&mut Self)) {
        let outside = self.nonempty.len();
        for (_, n) in &space.dims {
            self.know_nonempty(*n, Self::DEPTH_OF_LEAST);
        }
        for (a, b) in std::mem::take(&mut self.open) {
            self.learn_either(a, b);
        }
        f(self);
        self.nonempty.truncate(outside);
    }

    /// How deep the least of several numbers is looked into.
    const DEPTH_OF_LEAST: usize = 4;

    /// `n` is positive; if it is the least of two numbers, so are both.
    fn know_nonempty(&mut self, n: SubExp, depth: usize) {
        self.nonempty.push(n);
        let least = n.var().filter(|_| depth > 0).and_then(|v| self.conditions.get(&v));
        if let Some(&Exp::BinOp(BinOp::SMin(IntType::I64), x, y)) = least {
            self.know_nonempty(x, depth - 1);
            self.know_nonempty(y, depth - 1);
        }
    }

    /// Whether a condition cannot hold here, as it says that a space around has no points.
    fn is_excluded(&self, cond: SubExp) -> bool {
        let SubExp::Var(c) = cond else { return false };
        if let Some(&(a, b)) = self.disjunctions.get(&c) {
            return self.is_excluded(a) && self.is_excluded(b);
        }
        let Some(&(n, zero)) = self.equations.get(&c) else { return false };
        zero == SubExp::i64(0) && self.nonempty.iter().any(|m| self.same_size(*m, n))
    }

    fn reach_no_more(&mut self) {
        self.unreachable.get_or_insert(self.scope.len());
    }

    /// Remembers what the statement says about a scalar.
    pub(super) fn define(&mut self, v: Var, e: &Exp) {
        if matches!(e, Exp::UnOp(..) | Exp::BinOp(..) | Exp::CmpOp(..)) {
            self.conditions.insert(v, e.clone());
        }
        let operands: &[SubExp] = match e {
            Exp::SubExp(x) => &[*x],
            Exp::UnOp(_, x) | Exp::ConvOp(_, x) => &[*x],
            Exp::BinOp(_, x, y) | Exp::CmpOp(_, x, y) => &[*x, *y],
            Exp::Math(_, _, xs) => xs,
            _ => return,
        };
        if let Exp::CmpOp(CmpOp::Eq(Prim::Int(IntType::I64)), x, y) = e {
            self.equations.insert(v, (*x, *y));
            return;
        }
        if let Exp::BinOp(BinOp::LogAnd, x, y) = e {
            self.conjunctions.insert(v, (*x, *y));
            return;
        }
        if let Exp::BinOp(BinOp::LogOr, x, y) = e {
            self.disjunctions.insert(v, (*x, *y));
            return;
        }
        let integer = |x: &SubExp| match x {
            SubExp::Var(v) => matches!(self.type_of(*v), Some(Type::Prim(Prim::Int(_)))),
            SubExp::Const(c) => c.as_int().is_some(),
        };
        if !operands.iter().all(integer)
            || !matches!(self.type_of(v), Some(Type::Prim(Prim::Int(_))))
        {
            return;
        }
        let normals: Vec<Poly> = operands.iter().map(|&x| self.normal(x)).collect();
        // Polynomials wrap at 64 bits: narrower arithmetic must stay opaque.
        let poly = match (e, normals.as_slice()) {
            (Exp::SubExp(_), [p]) => Some(p.clone()),
            (Exp::BinOp(op, ..), [p, q]) => Poly::of_op(*op, p, q),
            _ => None,
        };
        match poly {
            Some(p) => self.defs.define(v, &p),
            None => {
                let op = match e {
                    Exp::UnOp(op, _) => op.to_string(),
                    Exp::BinOp(op, ..) => op.to_string(),
                    Exp::CmpOp(op, ..) => op.to_string(),
                    Exp::ConvOp(op, _) => op.to_string(),
                    Exp::Math(f, t, _) => format!("{}.{t}", f.name()),
                    _ => return,
                };
                let first = *self.numbers.entry(Numbered(op, normals)).or_insert(v);
                if first != v {
                    self.defs.define(v, &Poly::var(first));
                }
            }
        }
    }
}

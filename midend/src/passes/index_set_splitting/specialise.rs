//! A body where more is known: what is decided is gone.

use crate::ir::traverse::{Rewrite, Subst, rewrite};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{BinOp, Body, Const, Exp, IntType, KernelBody, PatElem, Stm, SubExp, UnOp, Var};

/// What is known of the variables of a body.
#[derive(Default, Debug)]
pub(super) struct KnownValues {
    /// Outcomes of comparisons, and operands in place of variables.
    pub(super) values: VarMap<SubExp>,
    /// The variable is `factor · index + distance`.
    pub(super) moving: VarMap<(i64, SubExp)>,
    /// The index.
    pub(super) index: Option<Var>,
}

struct Specialise<'k> {
    known: &'k KnownValues,
    subst: Subst,
    /// Certificates of what holds.
    gone: VarSet,
}

/// The body, as it is where all this is known.
pub(super) fn specialise(body: &KernelBody, known: &KnownValues) -> KernelBody {
    let mut body = body.clone();
    let mut subst = Subst::new();
    // Conditions known outside are not bound here.
    for (v, x) in known.values.iter().filter(|(_, x)| matches!(x, SubExp::Const(_))) {
        subst.insert(*v, *x);
    }
    let mut s = Specialise { known, subst, gone: VarSet::default() };
    s.kernel_body(&mut body);
    body
}

impl Specialise<'_> {
    fn is(&self, x: SubExp) -> Option<bool> {
        match self.subst.lookup(x) {
            SubExp::Const(Const::Bool(b)) => Some(b),
            SubExp::Const(_) | SubExp::Var(_) => None,
        }
    }

    /// What a statement comes to, if that is an operand.
    fn value(&self, s: &Stm, p: &PatElem) -> Option<SubExp> {
        if let Some(x) = self.known.values.get(&p.var) {
            return Some(self.subst.lookup(*x));
        }
        match s.exp {
            Exp::BinOp(op @ (BinOp::LogAnd | BinOp::LogOr), a, b) => {
                // The value that decides.
                let decides = matches!(op, BinOp::LogOr);
                match (self.is(a), self.is(b)) {
                    (Some(x), _) | (_, Some(x)) if x == decides => Some(SubExp::bool(decides)),
                    (Some(_), _) => Some(self.subst.lookup(b)),
                    (_, Some(_)) => Some(self.subst.lookup(a)),
                    (None, None) => None,
                }
            }
            Exp::UnOp(UnOp::Not, a) => self.is(a).map(|x| SubExp::bool(!x)),
            Exp::SubExp(x) if s.certs.iter().all(|c| self.gone.contains(c)) => {
                let x = self.subst.lookup(x);
                matches!(x, SubExp::Const(_)).then_some(x)
            }
            _ => None,
        }
    }

    fn one(&mut self, mut s: Stm, out: &mut Vec<Stm>) {
        if let [p] = s.pat.as_slice() {
            if let Some(x) = self.value(&s, p) {
                self.subst.insert(p.var, x);
                return;
            }
            if let (Exp::Assert { cond, .. }, true) = (&s.exp, s.is_plain())
                && self.is(*cond) == Some(true)
            {
                self.gone.insert(p.var);
                return;
            }
            if let (Some((factor, distance)), Some(index)) =
                (self.known.moving.get(&p.var), self.known.index)
            {
                s.certs.clear();
                s.exp = match factor {
                    1 => Exp::BinOp(BinOp::Add(IntType::I64), index.into(), *distance),
                    _ => Exp::BinOp(BinOp::Sub(IntType::I64), *distance, index.into()),
                };
                out.push(s);
                return;
            }
        }
        if let Exp::Match { scrutinee, cases, default } = &mut s.exp
            && let Some(x) = self.is(*scrutinee)
            && s.pat.iter().all(|p| p.mem.is_none())
            && s.certs.iter().all(|c| self.gone.contains(c))
        {
            let taken: &mut Body = match cases.as_mut_slice() {
                [(Const::Bool(on), case)] if *on == x => case,
                [(Const::Bool(_), _)] => default,
                _ => return self.rest(s, out),
            };
            for s in std::mem::take(&mut taken.stms) {
                self.one(s, out);
            }
            for (p, x) in s.pat.iter().zip(&taken.result) {
                let x = self.subst.lookup(*x);
                self.subst.insert(p.var, x);
            }
            return;
        }
        self.rest(s, out);
    }

    fn rest(&mut self, mut s: Stm, out: &mut Vec<Stm>) {
        s.certs.retain(|c| !self.gone.contains(c));
        self.stm(&mut s);
        out.push(s);
    }
}

impl Rewrite for Specialise<'_> {
    fn var(&mut self, v: &mut Var) {
        self.subst.var(v);
    }

    fn subexp(&mut self, x: &mut SubExp) {
        self.subst.subexp(x);
    }

    fn stm(&mut self, s: &mut Stm) {
        rewrite::stm(self, s);
    }

    fn stms(&mut self, list: &mut Vec<Stm>) {
        let mut out = Vec::with_capacity(list.len());
        for s in std::mem::take(list) {
            self.one(s, &mut out);
        }
        *list = out;
    }
}

//! Which loop-carried arrays stay where they are.
//!
//! A loop parameter is *in place* if the body yields the very array it was given, possibly after
//! updates of its elements: then it needs no block of its own, but lies where its initial value
//! lies in every iteration. This is found by following each array back to its *origin* through
//! operations that yield the same memory. One walk over the program; a loop parameter is its own
//! origin inside the loop, so nested loops need no iteration.

use crate::ir::traverse::{Visit, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    Body, Class, Exp, KernelBody, KernelResult, PatElem, Program, SegKind, SegOp, Stm, SubExp, Var,
};

/// The loop parameters that are in place.
pub(super) fn in_place_params(prog: &Program) -> VarSet {
    let mut o = Origins::default();
    o.body(&prog.consts);
    for f in &prog.funs {
        o.body(&f.body);
    }
    o.in_place
}

#[derive(Default)]
struct Origins {
    /// Of those that are not their own.
    origin: VarMap<Var>,
    in_place: VarSet,
}

impl Origins {
    fn of(&self, v: Var) -> Var {
        self.origin.get(&v).copied().unwrap_or(v)
    }

    fn of_operand(&self, x: SubExp) -> Option<Var> {
        x.var().map(|v| self.of(v))
    }

    fn set(&mut self, p: &PatElem, source: Var) {
        if p.ty.rank() > 0 {
            let o = self.of(source);
            self.origin.insert(p.var, o);
        }
    }

    fn writes(&mut self, pat: &[PatElem], body: &KernelBody) {
        for (p, r) in pat.iter().zip(&body.results) {
            match r {
                KernelResult::Write { dest, writes: _ } => self.set(p, *dest),
                KernelResult::Return(_) => {}
            }
        }
    }
}

impl Visit for Origins {
    fn stm(&mut self, s: &Stm) {
        walk::stm(self, s);
        match &s.exp {
            e if matches!(e.class(), Class::Name | Class::Hidden | Class::Trace) => {
                if let (Some(p), Some(SubExp::Var(v))) = (s.pat.first(), e.shares()) {
                    self.set(p, v);
                }
            }
            Exp::Update { array, .. } | Exp::FlatUpdate { array, .. } => {
                if let Some(p) = s.pat.first() {
                    self.set(p, *array);
                }
            }
            Exp::Match { scrutinee: _, cases, default } => {
                for (i, p) in s.pat.iter().enumerate() {
                    let branch = |b: &Body| b.result.get(i).and_then(|r| self.of_operand(*r));
                    let first = branch(default);
                    if let Some(o) = first
                        && cases.iter().all(|(_, b)| branch(b) == first)
                    {
                        // An array made in one branch is no result of another, so what all have
                        // in common lies outside, if there is more than one.
                        self.set(p, o);
                    }
                }
            }
            Exp::Loop { params, init, form: _, body } => {
                for (((p, q), x), r) in params.iter().zip(&s.pat).zip(init).zip(&body.result) {
                    if p.ty.rank() > 0 && self.of_operand(*r) == Some(p.var) {
                        self.in_place.insert(p.var);
                        if let SubExp::Var(x) = x {
                            self.set(q, *x);
                        }
                    }
                }
            }
            Exp::Seg(op) => match op {
                SegOp { kind: SegKind::Map | SegKind::Red(_) | SegKind::Scan(_), body, .. } => {
                    self.writes(&s.pat, body);
                }
                SegOp { kind: SegKind::Hist(ops), .. } => {
                    for (p, d) in s.pat.iter().zip(ops.iter().flat_map(|h| &h.dests)) {
                        self.set(p, *d);
                    }
                }
            },
            _ => {}
        }
    }
}

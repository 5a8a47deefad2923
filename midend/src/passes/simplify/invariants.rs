//! What holds of the integers that a loop carries, in every round: by induction.
//!
//! ```text
//! loop (lo = 0, hi = n) while lo < hi {          0 <= lo, 0 <= hi <= n, and so 0 <= mid < n
//!   mid = (lo + hi) / 2
//!   … (mid + 1, hi) or (lo, mid) }
//! ```
//!
//! That a number is not negative, and that it is at most what it begins with or is compared with, is supposed of all
//! of which it holds before the first round. Where it does not follow for the next round, it is dropped, until
//! what is left follows from itself.

use super::deduction::DEPTH;
use super::facts::Said;
use super::simplifier::Simplifier;
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{Body, CmpOp, Const, Exp, IntType, LoopForm, Param, Prim, Stm, SubExp, Type};

/// What is supposed is dropped one by one in so many rounds; what has not settled by then is not so.
const MOST_ROUNDS: usize = 6;
/// Bounds that are supposed of each number, at most.
const MOST_BOUNDS: usize = 3;
/// Branches inside of branches.
const MOST_BRANCHES: u32 = 4;

/// What is supposed of the number at a position.
#[derive(Clone, Copy)]
struct Candidate {
    position: usize,
    bound: Bound,
}

#[derive(Clone, Copy)]
enum Bound {
    /// At least zero.
    Natural(SubExp),
    /// At most this, which is not negative.
    Most(SubExp),
}

/// The body of a loop before it is simplified.
struct Round<'b> {
    /// What binds the results of branches, and at which position.
    branches: VarMap<(&'b Exp, usize)>,
    /// What the loop binds.
    bound: VarSet,
    /// What is compared with something, bound by the loop or not.
    compared: Vec<SubExp>,
}

impl<'b> Round<'b> {
    fn learn(&mut self, stms: &'b [Stm], s: &mut Simplifier) {
        for stm in stms {
            self.bound.extend(stm.pat.iter().map(|p| p.var));
            match &stm.exp {
                Exp::Match { cases, default, .. } => {
                    for (i, p) in stm.pat.iter().enumerate() {
                        self.branches.insert(p.var, (&stm.exp, i));
                    }
                    cases.iter().for_each(|(_, body)| self.learn(&body.stms, s));
                    self.learn(&default.stms, s);
                }
                Exp::BinOp(..) | Exp::CmpOp(..) | Exp::ConvOp(..) | Exp::UnOp(..) => {
                    self.scalar(stm, s);
                }
                _ => {}
            }
        }
    }

    /// A statement is known as it is, until it is simplified: other names for its operands are looked up.
    fn scalar(&mut self, stm: &Stm, s: &mut Simplifier) {
        let mut stm = stm.clone();
        match &mut stm.exp {
            Exp::BinOp(_, x, y) | Exp::CmpOp(_, x, y) => {
                (*x, *y) = (s.subst.lookup(*x), s.subst.lookup(*y));
            }
            Exp::ConvOp(_, x) | Exp::UnOp(_, x) => *x = s.subst.lookup(*x),
            _ => {}
        }
        for p in &stm.pat {
            s.types.insert(p.var, p.ty.clone());
        }
        if let Exp::CmpOp(CmpOp::SLt(IntType::I64) | CmpOp::SLe(IntType::I64), x, y) = stm.exp {
            self.compared.extend([x, y]);
        }
        s.define(&stm);
    }
}

impl Simplifier {
    /// Remembers what holds in each round, until it is forgotten. `init` is looked up.
    pub(super) fn invariants(
        &mut self,
        params: &[Param],
        init: &[SubExp],
        form: &LoopForm,
        body: &Body,
    ) {
        if !params.iter().any(|p| is_integer(&p.ty)) {
            return;
        }
        for p in params {
            self.types.insert(p.var, p.ty.clone());
        }
        let mut bound: VarSet = params.iter().map(|p| p.var).collect();
        if let LoopForm::For { var, .. } = form {
            bound.insert(*var);
        }
        let mut round = Round { branches: VarMap::default(), bound, compared: Vec::new() };
        round.learn(&body.stms, self);
        let mut supposed = self.candidates(params, init, &round);
        let before = self.facts.mark();
        for _ in 0..MOST_ROUNDS {
            if supposed.is_empty() {
                return;
            }
            self.suppose_all(params, &supposed);
            let follows = |s: &mut Simplifier, c: &Candidate| {
                let next = body.result.get(c.position).copied();
                next.is_some_and(|next| s.follows(c, params, next, &round, MOST_BRANCHES))
            };
            let left: Vec<Candidate> =
                supposed.iter().filter(|c| follows(self, c)).copied().collect();
            if left.len() == supposed.len() {
                return;
            }
            self.facts.forget(before);
            supposed = left;
        }
    }

    fn suppose_all(&mut self, params: &[Param], supposed: &[Candidate]) {
        for c in supposed {
            let Some(p) = params.get(c.position) else { continue };
            self.facts.say(match c.bound {
                Bound::Natural(zero) => Said::AtMost(zero, p.var.into()),
                Bound::Most(bound) => Said::AtMost(p.var.into(), bound),
            });
        }
    }

    /// What holds before the first round.
    fn candidates(&self, params: &[Param], init: &[SubExp], round: &Round<'_>) -> Vec<Candidate> {
        let mut out = Vec::new();
        let outside = |x: &SubExp| x.var().is_none_or(|v| !round.bound.contains(&v));
        for (position, (p, first)) in params.iter().zip(init).enumerate() {
            let Type::Prim(prim @ Prim::Int(ty)) = p.ty else { continue };
            if self.nonnegative(*first) {
                let zero = SubExp::Const(Const::zero(prim));
                out.push(Candidate { position, bound: Bound::Natural(zero) });
            }
            let mut bounds: Vec<SubExp> = Vec::new();
            let wide: &[SubExp] = if ty == IntType::I64 { &round.compared } else { &[] };
            for bound in std::iter::once(first).chain(wide) {
                let new = outside(bound) && !bounds.contains(bound) && bounds.len() < MOST_BOUNDS;
                if new && self.nonnegative(*bound) && self.reaches(*first, *bound, DEPTH) {
                    bounds.push(*bound);
                }
            }
            out.extend(bounds.into_iter().map(|b| Candidate { position, bound: Bound::Most(b) }));
        }
        out
    }

    /// Does what is supposed of a number follow for the next round?
    fn follows(
        &mut self,
        c: &Candidate,
        params: &[Param],
        next: SubExp,
        round: &Round<'_>,
        depth: u32,
    ) -> bool {
        if params.get(c.position).is_some_and(|p| next == p.var.into()) {
            return true;
        }
        let branch = next.var().and_then(|v| round.branches.get(&v).copied());
        if let Some((Exp::Match { scrutinee, cases, default }, position)) = branch {
            let [(Const::Bool(wanted), yes)] = cases.as_slice() else { return false };
            let Some(depth) = depth.checked_sub(1) else { return false };
            let scrutinee = self.subst.lookup(*scrutinee);
            return [(yes, *wanted), (default, !*wanted)].into_iter().all(|(body, value)| {
                let Some(next) = body.result.get(position).copied() else { return false };
                let mark = self.facts.mark();
                self.assume(scrutinee, value);
                let follows = self.follows(c, params, next, round, depth);
                self.facts.forget(mark);
                follows
            });
        }
        let next = self.subst.lookup(next);
        match c.bound {
            Bound::Natural(_) => self.nonnegative(next),
            Bound::Most(bound) => self.reaches(next, bound, DEPTH),
        }
    }
}

fn is_integer(ty: &Type) -> bool {
    matches!(ty, Type::Prim(Prim::Int(_)))
}

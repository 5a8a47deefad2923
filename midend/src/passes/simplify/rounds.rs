//! What holds in every round of a `while` loop.
//!
//! ```text
//! g = slt 0 m                                    m > 0, as there is a round
//! loop (p = 0, go = g) while go {                0 <= p < m, as the condition says so before each round
//!   …
//!   q = add p 1
//!   h = slt q m
//!   in (q, h) }
//! ```
//!
//! A round follows the initial condition or that of the round before it. What the latter says of results holds for
//! the parameters, if it holds for the initial values, too. A parameter that goes up by one and is below something is not the
//! greatest number, so that it does not wrap: it stays at or above zero if it begins there.

use super::facts::{Said, implied};
use super::simplifier::Simplifier;
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{BinOp, Body, CmpOp, Const, Exp, IntType, Param, Prim, Stm, SubExp, Type, Var};

/// Conditions are followed this far.
const DEPTH: u32 = 16;

/// The body of a loop before it is simplified.
struct Round<'b> {
    params: &'b [Param],
    result: &'b [SubExp],
    /// What binds a scalar, and at which position.
    defs: VarMap<(&'b Exp, usize)>,
    bound: VarSet,
}

impl<'b> Round<'b> {
    fn of(params: &'b [Param], body: &'b Body) -> Round<'b> {
        let mut defs = VarMap::default();
        let mut bound: VarSet = params.iter().map(|p| p.var).collect();
        for Stm { pat, exp, .. } in &body.stms {
            for (i, p) in pat.iter().enumerate() {
                defs.insert(p.var, (exp, i));
                bound.insert(p.var);
            }
        }
        Round { params, result: &body.result, defs, bound }
    }

    fn def(&self, x: SubExp) -> Option<(&'b Exp, usize)> {
        self.defs.get(&x.var()?).copied()
    }

    /// The comparisons of signed integers that hold if `x` is true, or false.
    fn says(&self, x: SubExp, value: bool, depth: u32, out: &mut Vec<(bool, SubExp, SubExp)>) {
        let Some((exp, position)) = self.def(x).filter(|_| depth > 0) else { return };
        match (exp, value) {
            (&Exp::BinOp(BinOp::LogAnd, a, b), true) => {
                self.says(a, true, depth - 1, out);
                self.says(b, true, depth - 1, out);
            }
            (&Exp::CmpOp(CmpOp::SLt(_), a, b), true) => out.push((true, a, b)),
            (&Exp::CmpOp(CmpOp::SLe(_), a, b), true) => out.push((false, a, b)),
            (&Exp::CmpOp(CmpOp::SLt(_), a, b), false) => out.push((false, b, a)),
            (&Exp::CmpOp(CmpOp::SLe(_), a, b), false) => out.push((true, b, a)),
            (exp, true) => {
                if let Some((c, value)) = implied(exp, position) {
                    self.says(c, value, depth - 1, out);
                }
            }
            _ => {}
        }
    }
}

impl Simplifier {
    /// Remembers what holds in a round, until it is forgotten. `init` is looked up.
    pub(super) fn rounds(&mut self, params: &[Param], init: &[SubExp], cond: Var, body: &Body) {
        let Some(position) = params.iter().position(|p| p.var == cond) else { return };
        let (Some(first), Some(next)) = (init.get(position), body.result.get(position)) else {
            return;
        };
        self.assume(*first, true);
        self.assume(cond.into(), true);
        let round = Round::of(params, body);
        let mut said = Vec::new();
        round.says(*next, true, DEPTH, &mut said);
        for (strict, a, b) in said {
            // Before the round, and before the first one.
            let (Some(a), Some(b)) = (self.begins(&round, init, a), self.begins(&round, init, b))
            else {
                continue;
            };
            let op = if strict { CmpOp::SLt } else { CmpOp::SLe };
            if self.decide(op(IntType::I64), a.1, b.1) == Some(true) {
                let what = if strict { Said::Less } else { Said::AtMost };
                self.facts.say(what(a.0, b.0));
            }
        }
        self.counters(&round, init);
    }

    /// What an operand of the next condition is before the round, and before the first one: a parameter, if the round yields
    /// the operand for it, or what the loop does not bind.
    fn begins(&self, round: &Round<'_>, init: &[SubExp], x: SubExp) -> Option<(SubExp, SubExp)> {
        if let Some(i) = round.result.iter().position(|r| *r == x && x.var().is_some()) {
            return Some((round.params.get(i)?.var.into(), *init.get(i)?));
        }
        if x.var().is_some_and(|v| round.bound.contains(&v)) {
            return None;
        }
        let x = self.subst.lookup(x);
        Some((x, x))
    }

    /// Parameters that count up.
    fn counters(&mut self, round: &Round<'_>, init: &[SubExp]) {
        for ((p, first), next) in round.params.iter().zip(init).zip(round.result) {
            let (Type::Prim(prim @ Prim::Int(_)), Some((exp, _))) = (&p.ty, round.def(*next))
            else {
                continue;
            };
            let by_one = match exp {
                Exp::BinOp(BinOp::Add(_), a, b) => {
                    let one = |x: &SubExp| matches!(x, SubExp::Const(c) if c.as_int() == Some(1));
                    let this = |x: &SubExp| *x == SubExp::Var(p.var);
                    this(a) && one(b) || one(a) && this(b)
                }
                _ => false,
            };
            let below = |said: &Said| matches!(said, Said::Less(a, _) if *a == SubExp::Var(p.var));
            if by_one && self.facts.log.iter().any(below) && self.nonnegative(*first) {
                let zero = SubExp::Const(Const::zero(*prim));
                self.facts.say(Said::AtMost(zero, p.var.into()));
            }
        }
    }
}

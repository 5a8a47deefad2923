//! Simplification: small named rules applied until none applies, or a bound is met.
//!
//! Before: `let a = x + 0  let b = iota(n)[a]  in b`. After: `in x`.
//!
//! A round walks the program once, in the order of scopes, with the definitions met so far. What a
//! statement is found to be another name for is put in its place from there on; every other
//! finding is a rule in one of the tables of [`RULES`]. A round is followed by [`dead_code`], since
//! many rules leave dead code behind or wait for it to go. Every rule makes the program smaller or
//! moves it towards a normal form, so the rounds end; they are bounded all the same. A round costs
//! time linear in the size of the program.
//!
//! Certificates: a rule that looks through a definition takes over its certificates, so no check
//! is lost. A value bound under certificates is never replaced by the value without them.
//!
//! Consumption: a rule that would read an array later than its definition did asks [`Aliases`]
//! whether the array may be consumed at all. Views are always looked through: where a
//! view may be used, its array may be used.
//!
//! | file | rules about |
//! | --- | --- |
//! | `scalar`, by `step` | arithmetic, comparisons, conversions |
//! | `index` | indexing, slices, updates |
//! | `array` | making and reshaping arrays |
//! | `control`, `counted` | branches and loops |
//! | `soac` | array combinators |
//!
//! They work on the state of a round (`simplifier`). What branches and bounds say of scalars is kept in
//! `facts`, what `while` loops say is found by `rounds`, and what loops keep so by `invariants`; what follows from it and from definitions, in `deduction`, `sums` and `ranges`, by which `comparisons` are decided. New statements are made by `emit`.
//!
//! [`Aliases`]: crate::analysis::alias::Aliases
//!
//! Works at levels `soacs` and `seg`; at `mem` it does nothing.

use super::dead_code::dead_code;
use crate::ir::traverse::{Rewrite, rewrite};
use crate::ir::*;
use simplifier::{Outcome, Rule, Simplifier};

mod array;
mod comparisons;
mod control;
mod counted;
mod deduction;
mod emit;
mod facts;
mod index;
mod invariants;
mod ranges;
mod rounds;
mod scalar;
mod simplifier;
mod soac;
mod step;
mod sums;
#[cfg(test)]
mod tests;

/// More rounds than this are not made.
const ROUNDS: usize = 12;

/// Simplifies the program.
pub fn simplify(mut program: Program) -> Program {
    if program.level == Level::Mem {
        return program;
    }
    // Functions that the last round left as they were need no other.
    let mut settled = vec![false; program.funs.len()];
    let mut consts_settled = false;
    for _ in 0..ROUNDS {
        let mut s = Simplifier::new(&program);
        if !consts_settled {
            s.body(&mut program.consts);
            consts_settled = !std::mem::take(&mut s.changed);
        }
        s.globals(&mut program);
        let mut changed = !consts_settled;
        for (f, settled) in program.funs.iter_mut().zip(&mut settled) {
            if !*settled {
                s.fun(f);
                *settled = !std::mem::take(&mut s.changed);
                changed |= !*settled;
            }
        }
        program.next_tag = s.names.next_tag();
        let mut left = program.funs.iter().map(|f| f.name).zip(settled).collect::<Vec<_>>();
        program = dead_code(program);
        if !changed {
            break;
        }
        // Dead functions are gone; those left are in the same order.
        let mut kept = program.funs.iter().map(|f| f.name).peekable();
        left.retain(|(n, _)| kept.next_if_eq(n).is_some());
        settled = left.into_iter().map(|(_, s)| s).collect();
    }
    program
}

/// The book of rules, by the kind of expression they are about.
const RULES: [&[Rule]; 5] =
    [scalar::RULES, index::RULES, array::RULES, control::RULES, soac::RULES];

/// Where in [`RULES`] the rules about `e` are.
fn kind(e: &Exp) -> Option<usize> {
    match e.class() {
        Class::Scalar => Some(0),
        Class::Element | Class::InPlace => Some(1),
        Class::View => {
            Some(if matches!(e, Exp::Index { .. } | Exp::FlatIndex { .. }) { 1 } else { 2 })
        }
        Class::Fresh => Some(2),
        Class::Branch | Class::Loop => Some(3),
        Class::Combinator => Some(4),
        Class::Name | Class::Unspecified | Class::Check | Class::Hidden | Class::Trace => None,
        Class::Call | Class::Prefix | Class::Block => None,
    }
}

impl Simplifier {
    /// Functions know constants by value.
    fn globals(&mut self, p: &mut Program) {
        for (g, x) in p.globals.iter_mut().zip(&p.consts.result) {
            self.pat_elem(g);
            if let SubExp::Const(c) = x {
                self.subst.insert(g.var, *c);
            }
        }
    }

    fn certs(&mut self, certs: &mut Vec<Var>) {
        for c in certs.iter_mut() {
            self.var(c);
        }
        let mut seen = 0;
        while seen < certs.len() {
            if self.trivial.contains(&certs[seen]) || certs[..seen].contains(&certs[seen]) {
                certs.remove(seen);
            } else {
                seen += 1;
            }
        }
    }

    fn simplify_stm(&mut self, mut s: Stm, out: &mut Vec<Stm>) {
        self.certs(&mut s.certs);
        match &s.exp {
            Exp::Loop { .. } => {
                if let Some(mut body) = control::only_round(self, &mut s.exp) {
                    self.body(&mut body);
                    for p in &mut s.pat {
                        self.pat_elem(p);
                    }
                    control::splice(self, &mut s, body, out);
                    self.changed = true;
                    return;
                }
                self.changed |= control::before_loop(self, &mut s, out);
            }
            Exp::Soac(_) => self.changed |= soac::before(self, &mut s),
            Exp::Seg(op) => self.facts.space(op),
            _ => {}
        }
        self.exp(&mut s.exp);
        for p in &mut s.pat {
            self.pat_elem(p);
        }
        let mut budget = 16;
        'again: while budget > 0 {
            budget -= 1;
            let Some(kind) = kind(&s.exp) else { break };
            for (_, rule) in RULES[kind] {
                match rule(self, &mut s, out) {
                    Outcome::Kept => {}
                    Outcome::Changed => {
                        self.changed = true;
                        self.certs(&mut s.certs);
                        continue 'again;
                    }
                    Outcome::Gone => {
                        self.changed = true;
                        return;
                    }
                }
            }
            break;
        }
        match (&s.exp, s.pat.as_slice()) {
            (Exp::SubExp(x), [p]) if s.certs.is_empty() => {
                let (p, x) = (p.clone(), *x);
                self.name(p, x, &s, out);
                self.changed = true;
                return;
            }
            (Exp::Assert { cond: SubExp::Const(Const::Bool(true)), .. }, [p]) => {
                self.trivial.insert(p.var);
                self.changed = true;
                return;
            }
            _ => {}
        }
        self.define(&s);
        out.push(s);
    }
}

impl Rewrite for Simplifier {
    fn var(&mut self, v: &mut Var) {
        if let Some(SubExp::Var(w)) = self.subst.get(*v) {
            *v = w;
        }
    }

    fn subexp(&mut self, x: &mut SubExp) {
        *x = self.subst.lookup(*x);
    }

    fn param(&mut self, p: &mut Param) {
        rewrite::param(self, p);
        self.types.insert(p.var, p.ty.clone());
    }

    fn pat_elem(&mut self, p: &mut PatElem) {
        rewrite::pat_elem(self, p);
        self.types.insert(p.var, p.ty.clone());
    }

    fn exp(&mut self, e: &mut Exp) {
        if let Exp::Loop { form: LoopForm::For { var, ty, bound }, .. } = e {
            self.types.insert(*var, Type::Prim(Prim::Int(*ty)));
            let bound = self.subst.lookup(*bound);
            self.facts.below(*var, bound);
        }
        if let Exp::Match { scrutinee, cases, default } = e {
            self.subexp(scrutinee);
            if let [(Const::Bool(wanted), yes)] = cases.as_mut_slice() {
                for (body, value) in [(yes, *wanted), (default, !*wanted)] {
                    let mark = self.facts.mark();
                    self.assume(*scrutinee, value);
                    self.body(body);
                    self.facts.forget(mark);
                }
                return;
            }
        }
        if let Exp::Loop { params, init, form, body } = e {
            let init: Vec<SubExp> = init.iter().map(|x| self.subst.lookup(*x)).collect();
            let mark = self.facts.mark();
            if let LoopForm::While { cond } = form {
                self.rounds(params, &init, *cond, body);
            }
            self.invariants(params, &init, form, body);
            rewrite::exp(self, e);
            self.facts.forget(mark);
            return;
        }
        rewrite::exp(self, e);
    }

    fn stms(&mut self, s: &mut Vec<Stm>) {
        let mut out = Vec::with_capacity(s.len());
        for stm in std::mem::take(s) {
            self.simplify_stm(stm, &mut out);
        }
        *s = out;
    }

    fn fun(&mut self, f: &mut Fun) {
        for p in &f.params {
            self.facts.sizes(&p.ty);
            if f.entry.is_some() {
                self.facts.length(&p.ty);
            }
        }
        rewrite::fun(self, f);
    }
}

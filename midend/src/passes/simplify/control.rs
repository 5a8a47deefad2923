//! Rules about branches and loops.

use super::counted::counted;
use super::simplifier::{Outcome, Rule, Simplifier};
use crate::ir::traverse::Subst;
use crate::ir::varmap::VarSet;
use crate::ir::{BinOp, Body, Const, Exp, LoopForm, PatElem, Stm, SubExp, UnOp};
use crate::passes::dead_code::retain;
use crate::passes::hoist_invariant::cheap;

pub(super) const RULES: &[Rule] = &[
    ("known_branch", known_branch),
    ("negated", negated),
    ("same_results", same_results),
    ("boolean", boolean),
    ("no_rounds", no_rounds),
    ("counted", counted),
];

/// The body in the place of the statement.
pub(super) fn splice(s: &mut Simplifier, stm: &mut Stm, body: Body, out: &mut Vec<Stm>) -> Outcome {
    for mut inner in body.stms {
        for c in &stm.certs {
            if !inner.certs.contains(c) {
                inner.certs.push(*c);
            }
        }
        s.define(&inner);
        out.push(inner);
    }
    bind_results(s, stm, &body.result, out)
}

fn bind_results(
    s: &mut Simplifier,
    stm: &mut Stm,
    results: &[SubExp],
    out: &mut Vec<Stm>,
) -> Outcome {
    for (p, x) in std::mem::take(&mut stm.pat).into_iter().zip(results) {
        s.name(p, *x, stm, out);
    }
    Outcome::Gone
}

/// The branch taken is known.
fn known_branch(s: &mut Simplifier, stm: &mut Stm, out: &mut Vec<Stm>) -> Outcome {
    let Exp::Match { scrutinee, cases, default } = &mut stm.exp else { return Outcome::Kept };
    if let Some(b) = s.known(*scrutinee) {
        *scrutinee = SubExp::bool(b);
    }
    let body = match scrutinee {
        SubExp::Const(c) => match cases.iter_mut().find(|(d, _)| d == c) {
            Some((_, b)) => std::mem::take(b),
            None => std::mem::take(default),
        },
        SubExp::Var(_) => return Outcome::Kept,
    };
    splice(s, stm, body, out)
}

/// `if !c` is `if c` the other way round.
fn negated(s: &mut Simplifier, stm: &mut Stm, _: &mut Vec<Stm>) -> Outcome {
    let Exp::Match { scrutinee, cases, default } = &mut stm.exp else { return Outcome::Kept };
    let [(c, body)] = cases.as_mut_slice() else { return Outcome::Kept };
    let Const::Bool(wanted) = *c else { return Outcome::Kept };
    if !wanted {
        *c = Const::Bool(true);
        std::mem::swap(body, default);
        return Outcome::Changed;
    }
    if let Some(&Exp::UnOp(UnOp::Not, x)) = s.plain(*scrutinee) {
        *scrutinee = x;
        std::mem::swap(body, default);
        return Outcome::Changed;
    }
    Outcome::Kept
}

/// Results that do not depend on the branch taken, and with them the sizes of arrays.
fn same_results(s: &mut Simplifier, stm: &mut Stm, out: &mut Vec<Stm>) -> Outcome {
    let Exp::Match { scrutinee: _, cases, default } = &mut stm.exp else { return Outcome::Kept };
    let same: Vec<Option<SubExp>> = (0..stm.pat.len())
        .map(|i| {
            let x = *default.result.get(i)?;
            // What one branch binds no other can yield: it is bound outside.
            cases.iter().all(|(_, b)| b.result.get(i) == Some(&x)).then_some(x)
        })
        .collect();
    if same.iter().all(Option::is_none) {
        return Outcome::Kept;
    }
    let keep: Vec<bool> = same.iter().map(Option::is_none).collect();
    for b in cases.iter_mut().map(|c| &mut c.1).chain([default]) {
        retain(&mut b.result, &keep);
    }
    let mut sizes = Subst::new();
    let mut left = Vec::new();
    for (mut p, x) in std::mem::take(&mut stm.pat).into_iter().zip(same) {
        p.ty = sizes.in_type(&p.ty);
        s.types.insert(p.var, p.ty.clone());
        match x {
            Some(x) => {
                sizes.insert(p.var, x);
                s.name(p, x, stm, out);
            }
            None => left.push(p),
        }
    }
    stm.pat = left;
    if stm.pat.is_empty() && bodies(&stm.exp).iter().all(|b| b.stms.is_empty()) {
        return Outcome::Gone;
    }
    Outcome::Changed
}

fn bodies(e: &Exp) -> Vec<&Body> {
    match e {
        Exp::Match { scrutinee: _, cases, default } => {
            cases.iter().map(|c| &c.1).chain([default]).collect()
        }
        _ => Vec::new(),
    }
}

/// `if c then true else x` and its like.
///
/// What a branch computes of scalars moves out of it, if it is little and cannot fail: both sides
/// are then evaluated, which costs less than the branch.
fn boolean(s: &mut Simplifier, stm: &mut Stm, out: &mut Vec<Stm>) -> Outcome {
    let Exp::Match { scrutinee, cases, default } = &mut stm.exp else { return Outcome::Kept };
    let ([(Const::Bool(true), yes)], [_]) = (cases.as_mut_slice(), stm.pat.as_slice()) else {
        return Outcome::Kept;
    };
    let ([a], [b]) = (yes.result.as_slice(), default.result.as_slice()) else {
        return Outcome::Kept;
    };
    let c = *scrutinee;
    let (t, f) = (SubExp::bool(true), SubExp::bool(false));
    let exp = match (*a, *b) {
        (a, b) if a == t && b == f => Exp::SubExp(c),
        (a, b) if a == f && b == t => Exp::UnOp(UnOp::Not, c),
        (a, b) if b == f => Exp::BinOp(BinOp::LogAnd, c, a),
        (a, b) if a == t => Exp::BinOp(BinOp::LogOr, c, b),
        _ => return Outcome::Kept,
    };
    let little = |b: &Body| b.stms.len() <= LITTLE && b.stms.iter().all(is_simple);
    if !little(yes) || !little(default) {
        return Outcome::Kept;
    }
    let moved: Vec<Stm> = yes.stms.drain(..).chain(default.stms.drain(..)).collect();
    for inner in moved {
        s.define(&inner);
        out.push(inner);
    }
    stm.exp = exp;
    Outcome::Changed
}

/// This many statements of a branch are little.
const LITTLE: usize = 4;

/// A scalar operation of a cycle or two that cannot fail.
fn is_simple(s: &Stm) -> bool {
    let scalar = matches!(s.exp, Exp::UnOp(..) | Exp::BinOp(..) | Exp::CmpOp(..) | Exp::ConvOp(..));
    let quick = !matches!(
        s.exp,
        Exp::BinOp(BinOp::FDiv(_) | BinOp::FMod(_) | BinOp::FPow(_) | BinOp::Pow(_), ..)
    );
    scalar && quick && cheap(s)
}

/// Loops that do not run.
fn no_rounds(s: &mut Simplifier, stm: &mut Stm, out: &mut Vec<Stm>) -> Outcome {
    let Exp::Loop { params, init, form, body: _ } = &stm.exp else { return Outcome::Kept };
    let never = match form {
        LoopForm::For { bound: SubExp::Const(c), .. } => c.as_int().is_some_and(|n| n <= 0),
        LoopForm::For { .. } => false,
        LoopForm::While { cond } => {
            params.iter().zip(init).any(|(p, x)| p.var == *cond && *x == SubExp::bool(false))
        }
    };
    if !never {
        return Outcome::Kept;
    }
    let init = init.clone();
    bind_results(s, stm, &init, out)
}

/// The body of a loop of one round, whose counter and parameters are what they start as.
pub(super) fn only_round(s: &mut Simplifier, exp: &mut Exp) -> Option<Body> {
    let Exp::Loop { params, init, form: LoopForm::For { var, ty, bound }, body } = exp else {
        return None;
    };
    let SubExp::Const(c) = s.subst.lookup(*bound) else { return None };
    if c.as_int() != Some(1) {
        return None;
    }
    s.subst.insert(*var, Const::int(*ty, 0));
    for (p, x) in params.iter().zip(init.iter()) {
        let x = s.subst.lookup(*x);
        s.subst.insert(p.var, x);
        if let SubExp::Var(x) = x {
            s.aliases.union(p.var, x);
        }
    }
    Some(std::mem::take(body))
}

/// Before the body is walked: parameters that never change become what they start as.
pub(super) fn before_loop(s: &mut Simplifier, stm: &mut Stm, out: &mut Vec<Stm>) -> bool {
    let (loc, certs) = (stm.loc, stm.certs.clone());
    let Exp::Loop { params, init, form, body } = &mut stm.exp else { return false };
    for x in init.iter_mut() {
        *x = s.subst.lookup(*x);
    }
    if let LoopForm::For { bound, .. } = form {
        *bound = s.subst.lookup(*bound);
    }
    let cond = match form {
        LoopForm::While { cond } => Some(*cond),
        LoopForm::For { .. } => None,
    };
    let mut varying: VarSet = params.iter().map(|p| p.var).collect();
    let mut keep = vec![true; params.len()];
    let mut sizes = Subst::new();
    let mut names: Vec<(PatElem, SubExp)> = Vec::new();
    for (i, p) in params.iter().enumerate() {
        let (Some(&x), Some(&r)) = (init.get(i), body.result.get(i)) else { return false };
        let r = s.subst.lookup(r);
        let fixed = (r == SubExp::Var(p.var) || r == x) && Some(p.var) != cond;
        let sized = |v: &SubExp| v.var().is_none_or(|v| !varying.contains(&v));
        if fixed && p.ty.shape().iter().all(sized) {
            keep[i] = false;
            varying.remove(&p.var);
            s.subst.insert(p.var, x);
            if let Some(q) = stm.pat.get(i) {
                sizes.insert(q.var, x);
                names.push((q.clone(), x));
            }
        }
    }
    if names.is_empty() {
        return false;
    }
    retain(params, &keep);
    retain(init, &keep);
    retain(&mut body.result, &keep);
    retain(&mut stm.pat, &keep);
    for p in &mut stm.pat {
        p.ty = sizes.in_type(&p.ty);
    }
    let like = Stm {
        schedule: None,
        pat: Vec::new(),
        exp: Exp::SubExp(SubExp::i64(0)),
        certs,
        attrs: Vec::new(),
        loc,
    };
    for (mut p, x) in names {
        p.ty = sizes.in_type(&p.ty);
        p.ty = s.subst.in_type(&p.ty);
        s.types.insert(p.var, p.ty.clone());
        s.name(p, x, &like, out);
    }
    true
}

//! Functions that call themselves last, as loops.
//!
//! ```text
//! fun f(n, x) {                                  fun f(n, x) {
//!   c = eq n 0                                     c = eq n 0   go = not c
//!   r = if c {                                     (n', x', go') = loop (a = n, y = x, g = go) while g {
//!     in x                                    →      m = sub a 1   z = mul y y
//!   } else {                                         d = eq m 0   h = not d
//!     m = sub n 1   z = mul x x                      in (m, z, h)
//!     s = f(m, z)                                  }
//!     in s }                                       in x' }
//!   in r }
//! ```
//!
//! So such functions can be inlined, their loops are simplified and go by lanes, and need no stack. What comes before the branch
//! stands twice; what the branches read of it goes from round to round. Arguments that a call hands on as they
//! are stay outside of the loop.
//!
//! Stays: calls whose results are used, that stand in several branches, or that go from one function to another and back;
//! what changes an array from call to call or yields one; and what comes before the branch if it is long, or if
//! certificates of it or arrays are used behind.
//!
//! Works at level `soacs`, before inlining. Cost: linear in the program.

use super::unroll::size;
use crate::ir::traverse::{Renamer, Rewrite, Subst, any_exp, free_in_body};
use crate::ir::{
    Body, Builder, Const, Exp, Fun, Level, LoopForm, NameSource, Param, PatElem, Program, Stm,
    SubExp, Type, Var,
};
use futc_typed::name::Name;

/// No more statements come before the branch.
const BEFORE: usize = 64;

/// Makes loops of such functions.
pub fn tail_recursion(mut program: Program) -> Program {
    if program.level != Level::Soacs {
        return program;
    }
    let mut b = Builder::new(NameSource::new(program.next_tag));
    b.know_pat(&program.globals);
    for f in &mut program.funs {
        if let Some(body) = as_loop(f, &mut b) {
            f.body = body;
        }
    }
    program.next_tag = b.names.next_tag();
    program
}

/// A function whose body ends in a branch, one side of which calls it again.
struct Rounds<'f> {
    /// What comes before the branch.
    before: &'f [Stm],
    cond: SubExp,
    /// The outcome of the condition that leads to another call.
    again: bool,
    /// What comes before the call, and yields its arguments.
    round: Body,
    /// The other side.
    end: &'f Body,
}

impl<'f> Rounds<'f> {
    fn of(f: &'f Fun) -> Option<Rounds<'f>> {
        let (last, before) = f.body.stms.split_last()?;
        let Exp::Match { scrutinee, cases, default } = &last.exp else { return None };
        let [(Const::Bool(value), case)] = cases.as_slice() else { return None };
        if !last.certs.is_empty() || !yields(&f.body.result, &last.pat) {
            return None;
        }
        let (again, round, end) = match (call(case, f.name), call(default, f.name)) {
            (Some(round), None) => (*value, round, default),
            (None, Some(round)) => (!*value, round, case),
            _ => return None,
        };
        let others = any_exp(
            |v| {
                before.iter().for_each(|s| v.stm(s));
                v.body(&round);
                v.body(end);
            },
            |e| matches!(e, Exp::Call { fun, .. } if *fun == f.name),
        );
        (!others && size(before) <= BEFORE).then_some(Rounds {
            before,
            cond: *scrutinee,
            again,
            round,
            end,
        })
    }
}

/// Whether a body yields what its last statement binds.
fn yields(result: &[SubExp], pat: &[PatElem]) -> bool {
    result.iter().copied().eq(pat.iter().map(|p| SubExp::Var(p.var)))
}

/// What comes before the call that a body ends in, if it is one of this function.
fn call(body: &Body, name: Name) -> Option<Body> {
    let (last, stms) = body.stms.split_last()?;
    let Exp::Call { fun, args } = &last.exp else { return None };
    let is_last = *fun == name && last.certs.is_empty() && yields(&body.result, &last.pat);
    is_last.then(|| Body { stms: stms.to_vec(), result: args.clone() })
}

/// The body of a function as a loop.
fn as_loop(f: &Fun, b: &mut Builder) -> Option<Body> {
    let rounds = Rounds::of(f)?;
    let scalar = |ty: &Type| matches!(ty, Type::Prim(_));
    if !f.results.iter().all(|r| scalar(&r.ty)) {
        return None;
    }
    let varies = |(p, arg): (&Param, &SubExp)| *arg != SubExp::Var(p.var);
    let varying: Vec<usize> = f
        .params
        .iter()
        .zip(&rounds.round.result)
        .map(varies)
        .enumerate()
        .filter_map(|(i, varies)| varies.then_some(i))
        .collect();
    let params: Vec<&Param> = varying.iter().filter_map(|i| f.params.get(*i)).collect();
    // What the branches read of what comes before them.
    let mut read = free_in_body(&rounds.round);
    read.extend(free_in_body(rounds.end));
    let bound = rounds.before.iter().flat_map(|s| &s.pat);
    let carried: Vec<&PatElem> = bound.filter(|p| read.contains(&p.var)).collect();
    if params.is_empty()
        || !params.iter().all(|p| scalar(&p.ty))
        || !carried.iter().all(|p| scalar(&p.ty))
    {
        return None;
    }

    let state: Vec<(Var, &Type)> = params
        .iter()
        .map(|p| (p.var, &p.ty))
        .chain(carried.iter().map(|p| (p.var, &p.ty)))
        .collect();
    let go = |b: &mut Builder, cond| if rounds.again { cond } else { b.not(cond) };
    b.know_params(&f.params);
    b.begin();
    b.push_all(rounds.before.iter().cloned());
    let mut init: Vec<SubExp> = state.iter().map(|(v, _)| SubExp::Var(*v)).collect();
    init.push(go(b, rounds.cond));
    let mut inside: Vec<Param> =
        state.iter().map(|(v, ty)| Param::new(b.names.like(*v), (*ty).clone())).collect();
    b.know_params(&inside);

    // A round, and what comes before the next branch.
    let as_params: Subst = state.iter().map(|s| s.0).zip(inside.iter().map(|p| p.var)).collect();
    let mut round = rounds.round.clone();
    Renamer::with(&mut b.names, as_params).body(&mut round);
    let mut next: Vec<SubExp> =
        varying.iter().filter_map(|i| round.result.get(*i).copied()).collect();
    let as_next: Subst = params.iter().map(|p| p.var).zip(next.iter().copied()).collect();
    let mut result: Vec<SubExp> = carried.iter().map(|p| SubExp::Var(p.var)).collect();
    result.push(rounds.cond);
    let mut before = Body { stms: rounds.before.to_vec(), result };
    Renamer::with(&mut b.names, as_next).body(&mut before);
    b.begin();
    b.push_all(round.stms);
    b.push_all(before.stms);
    let cond = before.result.pop()?;
    next.extend(before.result);
    next.push(go(b, cond));
    let body = Body { stms: b.end(), result: next };

    let cond = b.param("go", Type::BOOL);
    let form = LoopForm::While { cond: cond.var };
    inside.push(cond);
    let pat: Vec<PatElem> =
        inside.iter().map(|p| PatElem::new(b.names.like(p.var), p.ty.clone())).collect();
    let as_results: Subst = state.iter().map(|s| s.0).zip(pat.iter().map(|p| p.var)).collect();
    b.at(f.loc, |b| b.bind(pat, Exp::Loop { params: inside, init, form, body }));
    let mut end = rounds.end.clone();
    Renamer::with(&mut b.names, as_results).body(&mut end);
    b.push_all(end.stms);
    Some(Body { stms: b.end(), result: end.result })
}

#[cfg(test)]
mod tests {
    use super::tail_recursion;
    use crate::passes::testing::{check, pass};

    #[test]
    fn a_call_at_the_end_is_a_round() {
        check(
            tail_recursion,
            "fun f (n_0: i64, k_1: i64, x_2: i64) : (r_3: i64) {
               let d_4: i64 = sub.i64(n_0, k_1)
               let c_5: bool = eq.i64(d_4, 0)
               let r_6: i64 = if c_5 { in x_2 } else {
                 let m_7: i64 = sub.i64(n_0, 1)
                 let z_8: i64 = mul.i64(x_2, d_4)
                 let s_9: i64 = call f(m_7, k_1, z_8)
                 in s_9
               }
               in r_6
             }",
            "fun f (n_0: i64, k_1: i64, x_2: i64) : (r_3: i64) {
               let d_4: i64 = sub.i64(n_0, k_1)
               let c_5: bool = eq.i64(d_4, 0)
               let g_6: bool = not(c_5)
               let (n_7: i64, x_8: i64, d_9: i64, o_10: bool) =
                 loop (n_11: i64 = n_0, x_12: i64 = x_2, d_13: i64 = d_4, o_14: bool = g_6) while o_14 {
                   let m_15: i64 = sub.i64(n_11, 1)
                   let z_16: i64 = mul.i64(x_12, d_13)
                   let d_17: i64 = sub.i64(m_15, k_1)
                   let c_18: bool = eq.i64(d_17, 0)
                   let g_19: bool = not(c_18)
                   in (m_15, z_16, d_17, g_19)
                 }
               in x_8
             }",
        );
    }

    #[test]
    fn other_calls_stay() {
        let stays = |text: &str| {
            let same = pass(tail_recursion, text).to_string();
            assert!(same.contains("call f") && !same.contains("while"), "{same}");
        };
        // Its result is used.
        stays(
            "fun f (n_0: i64) : (r_1: i64) {
               let c_2: bool = eq.i64(n_0, 0)
               let r_3: i64 = if c_2 { in 1 } else {
                 let m_4: i64 = sub.i64(n_0, 1)
                 let s_5: i64 = call f(m_4)
                 let t_6: i64 = mul.i64(s_5, n_0)
                 in t_6
               }
               in r_3
             }",
        );
        // There is another call.
        stays(
            "fun f (n_0: i64) : (r_1: i64) {
               let c_2: bool = slt.i64(n_0, 0)
               let r_3: i64 = if c_2 { in 1 } else {
                 let m_4: i64 = sub.i64(n_0, 2)
                 let s_5: i64 = call f(m_4)
                 let t_6: i64 = call f(s_5)
                 in t_6
               }
               in r_3
             }",
        );
        // An array changes.
        stays(
            "fun f (n_0: i64, xs_1: [n_0]i64) : (r_2: i64) {
               let x_3: i64 = index xs_1[0]
               let c_4: bool = slt.i64(x_3, 0)
               let r_5: i64 = if c_4 { in x_3 } else {
                 let ys_6: [n_0]i64 = replicate([n_0], x_3)
                 let s_7: i64 = call f(n_0, ys_6)
                 in s_7
               }
               in r_5
             }",
        );
    }
}

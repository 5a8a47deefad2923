//! `while` loops that count, as `for` loops.
//!
//! ```text
//! g = slt 0 n
//! loop (i = 0, x = a, go = g) while go {         loop (x = a) for i < n {
//!   y = f i x                                      y = f i x
//!   j = add i 1                             →      in y }
//!   h = slt j n
//!   in (j, y, h) }                               and max n 0 for the first result
//! ```
//!
//! How often they run is known then: such loops are unrolled, their counters are bounded, and lanes that leave them together
//! need no masks. Loops that start elsewhere stay, as the number of their rounds may be none that the type has.

use super::simplifier::{Outcome, Simplifier};
use crate::ir::traverse::{Rewrite, Subst, free_in};
use crate::ir::{
    BinOp, Body, CmpOp, Const, Exp, IntType, LoopForm, Param, Prim, Stm, SubExp, Type, Var,
};
use crate::passes::dead_code::retain;

/// What counts, and up to where.
struct Counter {
    /// The counter among the parameters.
    at: usize,
    /// The condition among them.
    cond: usize,
    ty: IntType,
    bound: SubExp,
}

/// The rule.
pub(super) fn counted(s: &mut Simplifier, stm: &mut Stm, out: &mut Vec<Stm>) -> Outcome {
    let Some(Counter { at, cond, ty, bound }) = counter(s, stm) else { return Outcome::Kept };
    let like = Stm { pat: Vec::new(), exp: Exp::SubExp(SubExp::i64(0)), ..stm.clone() };
    let Exp::Loop { params, init, form, body } = &mut stm.exp else { return Outcome::Kept };
    let (Some(i), Some(go)) = (params.get(at).map(|p| p.var), params.get(cond).map(|p| p.var))
    else {
        return Outcome::Kept;
    };
    let var = s.names.like(i);
    s.types.insert(var, Type::Prim(Prim::Int(ty)));
    let mut inside = Subst::new();
    inside.insert(i, var);
    inside.insert(go, SubExp::bool(true));
    inside.body(body);
    *form = LoopForm::For { var, ty, bound };
    let keep: Vec<bool> = (0..params.len()).map(|k| k != at && k != cond).collect();
    let mut results = stm.pat.clone().into_iter();
    retain(params, &keep);
    retain(init, &keep);
    retain(&mut body.result, &keep);
    retain(&mut stm.pat, &keep);
    let most = Exp::BinOp(BinOp::SMax(ty), bound, Const::int(ty, 0).into());
    let end = s.emit("n", most, &like, out);
    let (first, second) = (at.min(cond), at.max(cond) - at.min(cond) - 1);
    for p in [results.nth(first), results.nth(second)].into_iter().flatten() {
        let is_counter = s.types.get(&p.var) != Some(&Type::BOOL);
        s.name(p, if is_counter { end } else { SubExp::bool(false) }, &like, out);
    }
    Outcome::Changed
}

/// What a loop counts by, if that is all that ends it.
fn counter(s: &Simplifier, stm: &Stm) -> Option<Counter> {
    let Exp::Loop { params, init, form: LoopForm::While { cond }, body } = &stm.exp else {
        return None;
    };
    let cond = params.iter().position(|p| p.var == *cond)?;
    let &Exp::CmpOp(CmpOp::SLt(ty), next, bound) = defined(body, *body.result.get(cond)?)? else {
        return None;
    };
    let at = body.result.iter().position(|r| *r == next)?;
    let (i, start) = (params.get(at)?.var, *init.get(at)?);
    let one = SubExp::from(Const::int(ty, 1));
    let &Exp::BinOp(BinOp::Add(_), a, b) = defined(body, next)? else { return None };
    let counts = (a, b) == (i.into(), one) || (a, b) == (one, i.into());
    let inside = |v: Var| {
        params.iter().any(|p| p.var == v)
            || body.stms.iter().flat_map(|s| &s.pat).any(|p| p.var == v)
    };
    if !counts || start != Const::int(ty, 0).into() || bound.var().is_some_and(inside) {
        return None;
    }
    let begins = match (*init.get(cond)?, bound) {
        (SubExp::Const(Const::Bool(true)), SubExp::Const(n)) => n.as_int().is_some_and(|n| n > 0),
        (go, _) => s.plain(go) == Some(&Exp::CmpOp(CmpOp::SLt(ty), start, bound)),
    };
    // Types that mention the counter would need another one.
    let mentioned = |p: &Param| free_in(|v| v.param(p)).contains(&i);
    let result = stm.pat.get(at)?.var;
    let free = |p: &crate::ir::PatElem| free_in(|v| v.pat_elem(p)).contains(&result);
    (begins && !params.iter().any(mentioned) && !stm.pat.iter().any(free)).then_some(Counter {
        at,
        cond,
        ty,
        bound,
    })
}

/// What an operand is bound to in a body, under no certificate.
fn defined(body: &Body, x: SubExp) -> Option<&Exp> {
    let v = x.var()?;
    let stm = body.stms.iter().find(|s| s.pat.iter().any(|p| p.var == v))?;
    (stm.pat.len() == 1 && stm.certs.is_empty()).then_some(&stm.exp)
}

#[cfg(test)]
mod tests {
    use crate::passes::simplify::simplify;
    use crate::passes::testing::{check, pass};

    /// A loop with these lines for its first condition, its start and its round.
    fn counting(go: &str, start: &str, round: &str) -> String {
        format!(
            "fun f (n_0: i32, x_1: f32, m_2: i32) : (r_3: i32, s_4: f32, t_5: bool) {{
               let g_6: bool = {go}
               let (i_7: i32, y_8: f32, h_9: bool) =
                 loop (i_10: i32 = {start}, y_11: f32 = x_1, go_12: bool = g_6) while go_12 {{
                   let z_13: f32 = sitofp.i32.f32(i_10)
                   let w_14: f32 = if go_12 {{ in z_13 }} else {{ in y_11 }}
                   let v_15: f32 = fadd.f32(w_14, y_11)
                   {round}
                   in (j_16, v_15, k_17)
                 }}
               in (i_7, y_8, h_9)
             }}"
        )
    }

    const ROUND: &str = "let j_16: i32 = add.i32(i_10, 1i32) let k_17: bool = slt.i32(j_16, n_0)";

    #[test]
    fn what_counts_is_a_for_loop() {
        check(
            simplify,
            &counting("slt.i32(0i32, n_0)", "0i32", ROUND),
            "fun f (n_0: i32, x_1: f32, m_2: i32) : (r_3: i32, s_4: f32, t_5: bool) {
               let t_6: i32 = smax.i32(n_0, 0i32)
               let y_8: f32 = loop (y_11: f32 = x_1) for i_10: i32 < n_0 {
                 let z_13: f32 = sitofp.i32.f32(i_10)
                 let v_15: f32 = fadd.f32(z_13, y_11)
                 in v_15
               }
               in (t_6, y_8, false)
             }",
        );
    }

    #[test]
    fn what_may_run_more_or_less_often_stays() {
        let stays = |go: &str, start: &str, round: &str| {
            let same = pass(simplify, &counting(go, start, round)).to_string();
            assert!(same.contains("while"), "{same}");
        };
        stays("slt.i32(0i32, m_2)", "0i32", ROUND);
        stays("slt.i32(m_2, n_0)", "m_2", ROUND);
        let two = ROUND.replace("1i32", "2i32");
        stays("slt.i32(0i32, n_0)", "0i32", &two);
        let moves = "let b_18: i32 = mul.i32(i_10, n_0) let j_16: i32 = add.i32(i_10, 1i32)
                     let k_17: bool = slt.i32(j_16, b_18)";
        stays("slt.i32(0i32, n_0)", "0i32", moves);
        let unsigned = ROUND.replace("slt", "ult");
        stays("slt.i32(0i32, n_0)", "0i32", &unsigned);
    }
}

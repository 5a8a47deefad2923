//! Invariant statements move out of loops, combinators and segmented operations.
//!
//! Before: `loop … { let a = n * 2  let v = xs[0:a] … }`. After: both before the loop.
//!
//! Moved is what costs next to nothing and cannot fail even if the code it stood in never runs:
//! scalar arithmetic and views, under no certificate. Not moved: divisions by what may be zero,
//! reads of elements, allocations, and anything out of a branch.
//!
//! One walk, innermost first, so that a statement leaves several levels at once.

use crate::ir::traverse::{Visit, for_each_block, for_each_block_mut, free_in_stm};
use crate::ir::varmap::VarSet;
use crate::ir::{BinOp, DimIndex, Exp, Lambda, Level, Param, Program, Stm, SubExp, Var};

/// Moves invariant statements out.
pub fn hoist_invariant(mut program: Program) -> Program {
    if program.level != Level::Mem {
        list(&mut program.consts.stms);
        for f in &mut program.funs {
            list(&mut f.body.stms);
        }
    }
    program
}

fn list(stms: &mut Vec<Stm>) {
    let mut out = Vec::with_capacity(stms.len());
    for mut s in std::mem::take(stms) {
        for_each_block_mut(&mut s.exp, &mut list);
        if matches!(s.exp, Exp::Loop { .. } | Exp::Soac(_) | Exp::Seg(_)) {
            let mut inside = parameters(&s.exp);
            for_each_block(&s.exp, &mut |b| {
                inside.extend(b.iter().flat_map(|s| s.pat.iter().map(|p| p.var)));
            });
            for_each_block_mut(&mut s.exp, &mut |b| leave(b, &mut inside, &mut out));
        }
        out.push(s);
    }
    *stms = out;
}

/// Moves what can leave the list to `out`; `inside` is what cannot be named there.
fn leave(stms: &mut Vec<Stm>, inside: &mut VarSet, out: &mut Vec<Stm>) {
    let movable =
        |s: &Stm, inside: &VarSet| cheap(s) && free_in_stm(s).iter().all(|v| !inside.contains(v));
    if !stms.iter().any(|s| movable(s, inside)) {
        return;
    }
    for s in std::mem::take(stms) {
        if movable(&s, inside) {
            for p in &s.pat {
                inside.remove(&p.var);
            }
            out.push(s);
        } else {
            stms.push(s);
        }
    }
}

/// What an expression binds for the bodies directly below it.
fn parameters(e: &Exp) -> VarSet {
    #[derive(Default)]
    struct Params(VarSet);
    impl Visit for Params {
        fn bind(&mut self, v: &Var) {
            self.0.insert(*v);
        }
        fn param(&mut self, p: &Param) {
            self.bind(&p.var);
        }
        fn stms(&mut self, _: &Vec<Stm>) {}
        fn lambda(&mut self, l: &Lambda) {
            for p in &l.params {
                self.param(p);
            }
        }
    }
    let mut p = Params::default();
    p.exp(e);
    p.0
}

/// Costs next to nothing, cannot fail, and relies on no certificate.
pub(super) fn cheap(s: &Stm) -> bool {
    if !s.certs.is_empty() {
        return false;
    }
    let nonzero = |x: &SubExp| match x {
        SubExp::Const(c) => c.as_int().is_some_and(|c| c != 0),
        SubExp::Var(_) => false,
    };
    match &s.exp {
        Exp::BinOp(op, _, y) => match op {
            // A negative exponent has no meaning.
            BinOp::Pow(_) => matches!(y, SubExp::Const(c) if c.as_int().is_some_and(|c| c >= 0)),
            op if op.is_partial() => nonzero(y),
            _ => true,
        },
        Exp::SubExp(_)
        | Exp::UnOp(..)
        | Exp::CmpOp(..)
        | Exp::ConvOp(..)
        | Exp::Math(..)
        | Exp::Rearrange { .. }
        | Exp::Reshape { .. } => true,
        Exp::Index { dims, .. } => dims.iter().any(|d| matches!(d, DimIndex::Slice { .. })),
        Exp::ArrayLit { .. }
        | Exp::Update { .. }
        | Exp::FlatIndex { .. }
        | Exp::FlatUpdate { .. }
        | Exp::Iota { .. }
        | Exp::Replicate { .. }
        | Exp::Scratch { .. }
        | Exp::Concat { .. }
        | Exp::Copy(_)
        | Exp::Opaque(_)
        | Exp::Trace(_)
        | Exp::Assert { .. }
        | Exp::Match { .. }
        | Exp::Loop { .. }
        | Exp::Call { .. }
        | Exp::Soac(_)
        | Exp::Seg(_)
        | Exp::Alloc { .. }
        | Exp::Retain(_)
        | Exp::Release(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::hoist_invariant;
    use crate::passes::testing::check;

    #[test]
    fn through_several_levels() {
        check(
            hoist_invariant,
            "fun f (n_1: i64, m_2: i64, xs_3: [n_1]i64) : (r_4: [n_1]i64) {
               let r_5: [n_1]i64 = map(n_1, [xs_3], \\(x_6: i64) : (i64) {
                 let s_7: i64 = loop (a_8: i64 = x_6) for i_9: i64 < m_2 {
                   let b_10: i64 = mul.i64(n_1, 2) let c_11: i64 = add.i64(b_10, x_6)
                   let d_12: i64 = add.i64(c_11, a_8) let e_13: i64 = sdiv.i64(d_12, m_2) in e_13 }
                 in s_7 }) in r_5 }",
            "fun f (n_1: i64, m_2: i64, xs_3: [n_1]i64) : (r_4: [n_1]i64) {
               let b_10: i64 = mul.i64(n_1, 2)
               let r_5: [n_1]i64 = map(n_1, [xs_3], \\(x_6: i64) : (i64) {
                 let c_11: i64 = add.i64(b_10, x_6)
                 let s_7: i64 = loop (a_8: i64 = x_6) for i_9: i64 < m_2 {
                   let d_12: i64 = add.i64(c_11, a_8) let e_13: i64 = sdiv.i64(d_12, m_2) in e_13 }
                 in s_7 }) in r_5 }",
        );
    }

    #[test]
    fn what_may_fail_stays() {
        let text = "fun f (n_1: i64, m_2: i64, c_3: bool, xs_4: [n_1]i64) : (r_5: i64) {
            let s_7: i64 = loop (a_8: i64 = 0) for i_9: i64 < m_2 {
              let q_10: i64 = sdiv.i64(n_1, m_2) let e_11: cert = assert(c_3, \"no\")
              let x_12: i64 = <e_11> index xs_4[0] let y_13: i64 = index xs_4[1]
              let b_14: i64 = add.i64(q_10, x_12) let d_15: i64 = add.i64(b_14, y_13) in d_15 }
            in s_7 }";
        check(hoist_invariant, text, text);
    }
}

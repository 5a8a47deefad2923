//! Loops that a program wants unrolled are: the guide's `#[unroll]`. So are short ones of two rounds that carry arrays.
//!
//! ```text
//! y = #[unroll] loop (a = x) for i < 2 {
//!   t = xs[i]                                t0 = xs[0]  b0 = x + t0
//!   b = a + t                            →   t1 = xs[1]  b1 = b0 + t1
//!   in b                                     and b1 for y in what follows
//! }
//! ```
//!
//! Unrolled is what runs a number of times that is known now. The body of a loop that would become
//! more than a limit stays a loop. Loops inside are unrolled before those around them, and only if
//! they say so themselves.
//!
//! An array that a loop carries begins where it was and has to end in one place whatever the number of rounds, so that it is
//! copied before or after. Of two sweeps over a grid in straight code, the second can write where the result goes.

use crate::ir::traverse::{Renamer, Rewrite, Subst, for_each_block};
use crate::ir::{
    Body, Const, Exp, Level, LoopForm, NameSource, Program, Soac, Stm, StmAttr, SubExp, Var,
};

/// No loop becomes more statements than this.
const MOST_STATEMENTS: usize = 20_000;

/// Nor does one of two rounds that does not say so.
const MOST_OF_TWO: usize = 160;

/// Unrolls.
pub fn unroll(mut program: Program) -> Program {
    if program.level != Level::Mem {
        let mut u = Unroller { names: NameSource::new(program.next_tag), results: Subst::new() };
        u.body(&mut program.consts);
        for f in &mut program.funs {
            u.fun(f);
        }
        program.next_tag = u.names.next_tag();
    }
    program
}

struct Unroller {
    names: NameSource,
    /// What stands for the results of the loops that are unrolled.
    results: Subst,
}

impl Unroller {
    /// The rounds in place of a loop; what its certificates hold for, they hold for.
    fn splice(&mut self, stm: Stm, body: Body, out: &mut Vec<Stm>) {
        for mut inner in body.stms {
            inner.certs.extend(stm.certs.iter().copied());
            out.push(inner);
        }
        for (mut p, x) in stm.pat.into_iter().zip(body.result) {
            if stm.certs.is_empty() {
                self.results.insert(p.var, x);
            } else {
                p.ty = self.results.in_type(&p.ty);
                out.push(Stm {
                    pat: vec![p],
                    exp: Exp::SubExp(x),
                    certs: stm.certs.clone(),
                    attrs: Vec::new(),
                    loc: stm.loc,
                    schedule: None,
                });
            }
        }
    }
}

impl Rewrite for Unroller {
    fn var(&mut self, var: &mut Var) {
        self.results.var(var);
    }

    fn subexp(&mut self, x: &mut SubExp) {
        self.results.subexp(x);
    }

    fn stms(&mut self, stms: &mut Vec<Stm>) {
        for mut stm in std::mem::take(stms) {
            self.stm(&mut stm);
            let unrolls = stm.has(StmAttr::Unroll) || carries_arrays_twice(&stm);
            let body = unrolls.then(|| rounds(&stm.exp, &mut self.names));
            match body.flatten() {
                Some(body) => self.splice(stm, body, stms),
                None => stms.push(stm),
            }
        }
    }
}

/// Whether a loop makes arrays of arrays, twice.
fn carries_arrays_twice(stm: &Stm) -> bool {
    let Exp::Loop { params, form: LoopForm::For { bound: SubExp::Const(bound), .. }, body, .. } =
        &stm.exp
    else {
        return false;
    };
    let arrays = params.iter().all(|p| p.ty.rank() > 0);
    let makes = body.stms.iter().any(|s| matches!(s.exp, Exp::Soac(Soac::Screma { .. })));
    bound.as_int() == Some(2) && arrays && makes && 2 * size(&body.stms) <= MOST_OF_TWO
}

/// What the rounds of a loop do, one after the other.
pub(in crate::passes) fn rounds(exp: &Exp, names: &mut NameSource) -> Option<Body> {
    let Exp::Loop { params, init, form, body } = exp else { return None };
    let LoopForm::For { var, ty, bound: SubExp::Const(bound) } = form else { return None };
    let bound = bound.as_int()?.max(0);
    let count = usize::try_from(bound).ok()?;
    if count.checked_mul(size(&body.stms).max(1))? > MOST_STATEMENTS {
        return None;
    }
    let mut out = Body { stms: Vec::new(), result: init.clone() };
    for round in 0..bound {
        let mut subst: Subst = params.iter().map(|p| p.var).zip(out.result).collect();
        subst.insert(*var, Const::int(*ty, round));
        let mut copy = body.clone();
        Renamer::with(names, subst).body(&mut copy);
        out.stms.append(&mut copy.stms);
        out.result = copy.result;
    }
    Some(out)
}

/// Statements, with those inside.
pub(in crate::passes) fn size(stms: &[Stm]) -> usize {
    stms.iter().fold(stms.len(), |n, s| {
        let mut below = 0;
        for_each_block(&s.exp, &mut |b| below += size(b));
        n + below
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod tests {
    use super::unroll;
    use crate::passes::simplify::simplify;
    use crate::passes::testing::check;

    fn both(text: &str, want: &str) {
        check(|p| simplify(unroll(p)), text, want);
    }

    #[test]
    fn rounds_follow_one_another() {
        both(
            "fun f (xs_0: [2]i64, x_1: i64) : (r_2: i64) {
               let y_3: i64 = #[unroll] loop (a_4: i64 = x_1) for i_5: i64 < 2 {
                 let t_6: i64 = index xs_0[i_5]
                 let b_7: i64 = add.i64(a_4, t_6)
                 in b_7
               }
               in y_3
             }",
            "fun f (xs_0: [2]i64, x_1: i64) : (r_2: i64) {
               let t_6: i64 = index xs_0[0]
               let b_7: i64 = add.i64(x_1, t_6)
               let t_8: i64 = index xs_0[1]
               let b_9: i64 = add.i64(b_7, t_8)
               in b_9
             }",
        );
    }

    #[test]
    fn no_rounds_are_what_there_was_before() {
        both(
            "fun f (x_1: i64) : (r_2: i64) {
               let y_3: i64 = #[unroll] loop (a_4: i64 = x_1) for i_5: i64 < -3 {
                 let b_7: i64 = add.i64(a_4, i_5)
                 in b_7
               }
               in y_3
             }",
            "fun f (x_1: i64) : (r_2: i64) { in x_1 }",
        );
    }

    #[test]
    fn loops_inside_say_so_themselves() {
        let text = "fun f (x_1: i64) : (r_2: i64) {
               let y_3: i64 = #[unroll] loop (a_4: i64 = x_1) for i_5: i64 < 2 {
                 let z_6: i64 = loop (b_7: i64 = a_4) for j_8: i64 < 3 {
                   let c_9: i64 = mul.i64(b_7, b_7)
                   in c_9
                 }
                 in z_6
               }
               in y_3
             }";
        let got = crate::passes::testing::pass(|p| simplify(unroll(p)), text).to_string();
        assert_eq!(got.matches("loop").count(), 2, "{got}");
        let inner = text.replace("let z_6: i64 = loop", "let z_6: i64 = #[unroll] loop");
        let got = crate::passes::testing::pass(|p| simplify(unroll(p)), &inner).to_string();
        assert_eq!((got.matches("loop").count(), got.matches("mul").count()), (0, 6), "{got}");
    }

    #[test]
    fn sizes_that_vary_are_carried_along() {
        let got = crate::passes::testing::pass(
            |p| simplify(unroll(p)),
            "fun f (n_0: i64, xs_1: [n_0]i64) : (m_2: i64, r_3: [m_2]i64) {
               let (m_4: i64, ys_5: [m_4]i64) = #[unroll] loop (k_6: i64 = n_0, zs_7: [k_6]i64 = xs_1) \
                for i_8: i64 < 2 {
                 let k_9: i64 = add.i64(k_6, k_6)
                 let c_10: [k_9]i64 = concat(0, [zs_7, zs_7], k_9)
                 in (k_9, c_10)
               }
               in (m_4, ys_5)
             }",
        )
        .to_string();
        assert_eq!((got.matches("loop").count(), got.matches("add.i64").count()), (0, 2), "{got}");
    }

    #[test]
    fn what_nobody_knows_or_is_too_much_stays() {
        for bound in ["x_1", "1000000"] {
            let text = format!(
                "fun f (x_1: i64) : (r_2: i64) {{
                   let y_3: i64 = #[unroll] loop (a_4: i64 = x_1) for i_5: i64 < {bound} {{
                     let b_7: i64 = add.i64(a_4, i_5)
                     in b_7
                   }}
                   in y_3
                 }}"
            );
            let got = crate::passes::testing::pass(|p| simplify(unroll(p)), &text).to_string();
            assert_eq!(got.matches("loop").count(), 1, "{got}");
        }
    }
}

//! Both ends of a range in one comparison.
//!
//! ```text
//! t = sle 0 x                               m = smax n 0
//! u = slt x n                      ⟶        v = ult x m
//! v = logand t u
//! ```
//!
//! So indexes are checked. An `x` below zero is a large number without its sign, and `m` is at most the
//! largest number with one. `m` stays the same where `n` does, and leaves loops with it; where an array that is
//! in scope has the size `n`, `n` is not negative and stands for `m`, which would take a register beside it.
//! One comparison is one branch instead of two, or one mask instead of two that are put together.
//!
//! Left alone are sums with what loops count or carry: LLVM knows how such a number goes up, and often takes
//! one side of the question out of the loop, which it cannot with one comparison for both: a product of a
//! sparse matrix and a vector takes a quarter longer with it.
//!
//! Works at level `mem`, when no pass looks for the comparisons any more. Cost: linear in the program.

use crate::ir::traverse::{Rewrite, Visit, rewrite, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    BinOp, CmpOp, ConvOp, Exp, Fun, IntType, Level, LoopForm, Mentions, NameSource, PatElem,
    Program, SegOp, Stm, SubExp, Type, Var,
};

const I64: IntType = IntType::I64;

/// Compares once.
pub fn bounds(mut prog: Program) -> Program {
    if prog.level != Level::Mem {
        return prog;
    }
    let mentions = Mentions::of_program(&prog);
    let mut counting = Counting::default();
    counting.body(&prog.consts);
    for f in &prog.funs {
        counting.fun(f);
    }
    let mut names = NameSource::new(prog.next_tag);
    let mut b = Bounds {
        mentions: &mentions,
        counting: &counting.0,
        names: &mut names,
        sizes: VarSet::default(),
        found: Vec::new(),
    };
    b.body(&mut prog.consts);
    for f in &mut prog.funs {
        b.fun(f);
    }
    prog.next_tag = names.next_tag();
    prog
}

/// What loops count or carry, and sums with it.
#[derive(Default)]
struct Counting(VarSet);

impl Visit for Counting {
    fn stm(&mut self, s: &Stm) {
        let goes = |x: &SubExp| x.var().is_some_and(|v| self.0.contains(&v));
        let counts = match &s.exp {
            Exp::Loop { params, form, .. } => {
                self.0.extend(params.iter().map(|p| p.var));
                if let LoopForm::For { var, .. } = form {
                    self.0.insert(*var);
                }
                false
            }
            Exp::Seg(SegOp { space, .. }) => {
                self.0.extend(space.dims.iter().map(|(v, _)| *v));
                false
            }
            Exp::SubExp(x) | Exp::ConvOp(ConvOp::SExt(..) | ConvOp::ZExt(..), x) => goes(x),
            Exp::BinOp(BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_), x, y) => goes(x) || goes(y),
            _ => false,
        };
        if counts {
            self.0.extend(s.pat.iter().map(|p| p.var));
        }
        walk::stm(self, s);
    }
}

struct Bounds<'a> {
    mentions: &'a Mentions,
    counting: &'a VarSet,
    names: &'a mut NameSource,
    /// The sizes of the arrays in scope, which are not negative.
    sizes: VarSet,
    /// The same in the order in which they were found, so that those of a scope can go with it.
    found: Vec<Var>,
}

impl Bounds<'_> {
    fn exists(&mut self, ty: &Type) {
        let new = ty.shape().iter().filter_map(|d| d.var()).filter(|v| self.sizes.insert(*v));
        self.found.extend(new);
    }

    /// Forgets what was found behind the first so many.
    fn leave(&mut self, outside: usize) {
        for v in self.found.drain(outside..) {
            self.sizes.remove(&v);
        }
    }

    fn is_natural(&self, n: SubExp) -> bool {
        match n {
            SubExp::Const(c) => c.as_int().is_some_and(|c| c >= 0),
            SubExp::Var(v) => self.sizes.contains(&v),
        }
    }
}

/// What a comparison says.
#[derive(Clone, Copy)]
enum Side {
    Natural(SubExp),
    Below(SubExp, SubExp),
}

impl Rewrite for Bounds<'_> {
    fn fun(&mut self, f: &mut Fun) {
        f.params.iter().for_each(|p| self.exists(&p.ty));
        rewrite::fun(self, f);
        self.leave(0);
    }

    fn stms(&mut self, stms: &mut Vec<Stm>) {
        let outside = self.found.len();
        let mut sides: VarMap<Side> = VarMap::default();
        let mut gone: Vec<Var> = Vec::new();
        let mut out = Vec::with_capacity(stms.len());
        for mut s in std::mem::take(stms) {
            self.stm(&mut s);
            s.pat.iter().for_each(|p| self.exists(&p.ty));
            if let ([p], Some(side)) = (s.pat.as_slice(), side(&s.exp)) {
                sides.insert(p.var, side);
            }
            let found = range(&s.exp, &sides)
                .filter(|(x, ..)| x.var().is_none_or(|v| !self.counting.contains(&v)));
            let Some((x, n, parts)) = found else {
                out.push(s);
                continue;
            };
            gone.extend(parts.into_iter().filter(|v| self.mentions.count(*v) == 1));
            let least = if self.is_natural(n) {
                n
            } else {
                let var = self.names.fresh("least");
                let exp = Exp::BinOp(BinOp::SMax(I64), n, SubExp::i64(0));
                let pat = vec![PatElem::new(var, Type::I64)];
                out.push(Stm { loc: s.loc, ..Stm::new(pat, exp) });
                var.into()
            };
            out.push(Stm { exp: Exp::CmpOp(CmpOp::ULt(I64), x, least), ..s });
        }
        out.retain(|s| !matches!(s.pat.as_slice(), [p] if gone.contains(&p.var)));
        *stms = out;
        self.leave(outside);
    }
}

fn side(exp: &Exp) -> Option<Side> {
    match exp {
        Exp::CmpOp(CmpOp::SLe(t), SubExp::Const(c), x) if *t == I64 && c.as_int() == Some(0) => {
            Some(Side::Natural(*x))
        }
        Exp::CmpOp(CmpOp::SLt(t), x, n) if *t == I64 => Some(Side::Below(*x, *n)),
        _ => None,
    }
}

/// The number and the bound of a question for both sides, and what answers for each.
fn range(exp: &Exp, sides: &VarMap<Side>) -> Option<(SubExp, SubExp, [Var; 2])> {
    let Exp::BinOp(BinOp::LogAnd, SubExp::Var(a), SubExp::Var(b)) = exp else { return None };
    match (sides.get(a)?, sides.get(b)?) {
        (Side::Natural(x), Side::Below(y, n)) | (Side::Below(y, n), Side::Natural(x)) if x == y => {
            Some((*x, *n, [*a, *b]))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::bounds;
    use crate::ir::parse::parse_program;
    use crate::ir::verify::verify;

    fn after(body: &str) -> String {
        let text = format!(
            "level mem
fun main (n_1: i64, x_2: i64, y_3: i64) : (r_4: bool) {{
  {body}
  in r_4
}}"
        );
        let p = parse_program(&text).unwrap_or_else(|e| panic!("{e}"));
        let p = bounds(p);
        verify(&p).unwrap_or_else(|e| panic!("{e:?}\n{p}"));
        p.to_string()
    }

    #[test]
    fn both_sides_are_one_comparison() {
        for (sides, bound) in [
            ("let a_5: bool = sle.i64(0, x_2) let b_6: bool = slt.i64(x_2, n_1)", "least_"),
            ("let b_6: bool = sle.i64(0, x_2) let a_5: bool = slt.i64(x_2, n_1)", "least_"),
            ("let a_5: bool = sle.i64(0, x_2) let b_6: bool = slt.i64(x_2, 7)", "7"),
        ] {
            let out = after(&format!("{sides} let r_4: bool = logand(a_5, b_6)"));
            assert!(out.contains(&format!("ult.i64(x_2, {bound}")), "{out}");
            assert!(!out.contains("sl"), "{out}");
            assert_eq!(out.contains("smax.i64(n_1, 0)"), bound == "least_", "{out}");
        }
    }

    #[test]
    fn a_negative_bound_is_none() {
        let out = after(
            "let a_5: bool = sle.i64(0, x_2) let b_6: bool = slt.i64(x_2, -3)
  let r_4: bool = logand(a_5, b_6)",
        );
        assert!(out.contains("smax.i64(-3, 0)"), "{out}");
    }

    #[test]
    fn a_size_in_scope_is_the_bound() {
        let out = after(
            "let m_9: mem.host = alloc(4, host)
  let xs_7: [n_1]i8 @ m_9 -> {0; (n_1, 1)} = replicate([n_1], 0i8)
  let a_5: bool = sle.i64(0, x_2) let b_6: bool = slt.i64(x_2, n_1)
  let r_4: bool = logand(a_5, b_6)",
        );
        assert!(out.contains("ult.i64(x_2, n_1)"), "{out}");
        // An array of a branch that may not be taken shows nothing after it.
        let out = after(
            "let m_9: mem.host = alloc(4, host)
  let t_8: bool = slt.i64(y_3, n_1)
  let c_7: bool = if t_8 {
    let xs_10: [n_1]i8 @ m_9 -> {0; (n_1, 1)} = replicate([n_1], 0i8)
    in t_8
  } else { in t_8 }
  let a_5: bool = sle.i64(0, x_2) let b_6: bool = slt.i64(x_2, n_1)
  let d_11: bool = logand(a_5, b_6) let r_4: bool = logand(d_11, c_7)",
        );
        assert!(out.contains("smax.i64(n_1, 0)"), "{out}");
    }

    #[test]
    fn other_questions_stay() {
        for body in [
            "let a_5: bool = sle.i64(0, y_3) let b_6: bool = slt.i64(x_2, n_1)
  let r_4: bool = logand(a_5, b_6)",
            "let a_5: bool = sle.i64(1, x_2) let b_6: bool = slt.i64(x_2, n_1)
  let r_4: bool = logand(a_5, b_6)",
            "let a_5: bool = sle.i64(0, x_2) let b_6: bool = slt.i64(x_2, n_1)
  let r_4: bool = logor(a_5, b_6)",
        ] {
            let out = after(body);
            assert!(!out.contains("ult"), "{out}");
        }
    }

    #[test]
    fn sums_with_counters_keep_both_sides() {
        let out = after(
            "let r_4: bool = loop (p_5: bool = true) for i_6: i64 < n_1 {
    let j_7: i64 = add.i64(i_6, x_2)
    let a_8: bool = sle.i64(0, j_7) let b_9: bool = slt.i64(j_7, y_3)
    let c_10: bool = logand(a_8, b_9)
    let k_11: i64 = xor.i64(i_6, x_2)
    let d_12: bool = sle.i64(0, k_11) let e_13: bool = slt.i64(k_11, y_3)
    let f_14: bool = logand(d_12, e_13)
    let g_15: bool = logand(c_10, f_14)
    in g_15
  }",
        );
        assert!(out.contains("slt.i64(j_7, y_3)"), "{out}");
        assert!(out.contains("ult.i64(k_11"), "{out}");
    }

    #[test]
    fn a_side_that_something_else_asks_for_stays() {
        let out = after(
            "let a_5: bool = sle.i64(0, x_2) let b_6: bool = slt.i64(x_2, n_1)
  let c_7: bool = logand(a_5, b_6)
  let r_4: bool = logor(a_5, c_7)",
        );
        assert!(out.contains("ult.i64(x_2") && out.contains("sle.i64(0, x_2)"), "{out}");
        assert!(!out.contains("slt.i64"), "{out}");
    }
}

//! Divisions in loops by what stays the same there: by a multiplication.
//!
//! ```text
//! … for i < n {                             m = (2^64 - 1) udiv max(1, min(y, 2^32))
//!   q = x udiv y                     ⟶      … for i < n {
//!   r = x umod y                              q = umul_hi(m, x + 1)
//!   … }                                       r = x - q * y
//!                                             … }
//! ```
//!
//! A division takes as long as three to six multiplications, and the next one waits for it. If `x` is
//! less than 2^32, one multiplication of 64 bits by `m`, which is made once before the loop, tells the
//! quotient. With `2^64 - 1 = m·y + r` and `x = q·y + s`, where `0 ≤ r, s < y ≤ 2^32`,
//!
//! ```text
//! m·(x + 1) / 2^64 = q + (s + 1) / y - (x + 1)·(1 + r) / (y·2^64)
//! ```
//!
//! What is subtracted is more than nothing and at most `1 / y`, so the result is at least `q` and
//! less than `q + 1`. A greater `y` gives the quotient 0 of `2^32`. (Lemire, Kaser and Kurz,
//! "Faster remainder by direct computation", 2019, have the remainder alone of one multiplication
//! more.)
//!
//! Taken are divisions of unsigned `i32`, and of `i64` made of fewer bits by sizes and the like, which
//! are not negative either. Left alone is what goes by lanes ([`crate::analysis::lanes`]), as vectors have no
//! such multiplication, and division by constants, which LLVM knows. The quotient of zero that nobody
//! asks for, as the check before it fails, is some number.
//!
//! Cost: linear in the program, times the depth of nests.

use crate::analysis::lanes::expected_lanes_of;
use crate::ir::traverse::{Binders, Visit, for_each_block_mut, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    BinOp, ConvOp, Exp, Fun, IntType, Level, MathFn, NameSource, PatElem, Prim, Program, Stm,
    SubExp, Type, Var,
};

/// Multiplies instead of dividing.
pub fn divide_by_invariant(mut prog: Program) -> Program {
    if prog.level != Level::Mem {
        return prog;
    }
    let mut facts = Facts::default();
    facts.body(&prog.consts);
    for f in &prog.funs {
        facts.fun(f);
    }
    let mut names = NameSource::new(prog.next_tag);
    let mut d = Divider { facts, names: &mut names };
    d.list(&mut prog.consts.stms);
    for f in &mut prog.funs {
        d.list(&mut f.body.stms);
    }
    prog.next_tag = names.next_tag();
    prog
}

/// What is known of `i64`s.
#[derive(Default)]
struct Facts {
    /// Less than 2^32, and not negative.
    small: VarSet,
    /// Not negative.
    natural: VarSet,
}

impl Visit for Facts {
    fn fun(&mut self, f: &Fun) {
        for p in &f.params {
            self.natural.extend(p.ty.shape().iter().filter_map(|n| n.var()));
        }
        walk::fun(self, f);
    }

    fn stm(&mut self, s: &Stm) {
        if let [p] = s.pat.as_slice() {
            let small = |x: SubExp| match x {
                SubExp::Var(v) => self.small.contains(&v),
                SubExp::Const(c) => c.as_int().is_some_and(|c| (0..1 << 32).contains(&c)),
            };
            let fits = match s.exp {
                Exp::ConvOp(ConvOp::ZExt(from, IntType::I64), _) => from != IntType::I64,
                Exp::BinOp(BinOp::And(IntType::I64), a, b) => small(a) || small(b),
                Exp::SubExp(x) => small(x),
                _ => false,
            };
            if fits {
                self.small.insert(p.var);
                self.natural.insert(p.var);
            }
        }
        walk::stm(self, s);
    }
}

/// A division, as far as it can be replaced.
#[derive(Clone, Copy)]
struct Division {
    width: IntType,
    remainder: bool,
    dividend: SubExp,
    divisor: Var,
}

/// What stands for a divisor inside a loop: itself as an `i64`, and what to multiply by.
#[derive(Clone, Copy)]
struct Inverse {
    divisor: SubExp,
    factor: Var,
}

/// The inverses made before a loop, in whose body `bound` is what varies.
struct Before {
    bound: VarSet,
    inverses: VarMap<Inverse>,
    stms: Vec<Stm>,
}

struct Divider<'n> {
    facts: Facts,
    names: &'n mut NameSource,
}

impl Divider<'_> {
    fn list(&mut self, stms: &mut Vec<Stm>) {
        let mut out = Vec::with_capacity(stms.len());
        for mut s in std::mem::take(stms) {
            if !goes_by_lanes(&s.exp) {
                if matches!(s.exp, Exp::Loop { .. } | Exp::Seg(_)) {
                    let mut bound = Binders::default();
                    bound.exp(&s.exp);
                    let mut before =
                        Before { bound: bound.0, inverses: VarMap::default(), stms: Vec::new() };
                    for_each_block_mut(&mut s.exp, &mut |b| self.inside(b, &mut before));
                    out.append(&mut before.stms);
                }
                for_each_block_mut(&mut s.exp, &mut |b| self.list(b));
            }
            out.push(s);
        }
        *stms = out;
    }

    /// Replaces divisions by what is bound outside.
    fn inside(&mut self, stms: &mut Vec<Stm>, before: &mut Before) {
        let mut out = Vec::with_capacity(stms.len());
        for mut s in std::mem::take(stms) {
            match self.division(&s) {
                Some(d) if !before.bound.contains(&d.divisor) => {
                    let inverse = self.inverse(d, before);
                    self.multiply(s, d, inverse, &mut out);
                    continue;
                }
                _ => {}
            }
            if !goes_by_lanes(&s.exp) {
                for_each_block_mut(&mut s.exp, &mut |b| self.inside(b, before));
            }
            out.push(s);
        }
        *stms = out;
    }

    fn division(&self, s: &Stm) -> Option<Division> {
        let Exp::BinOp(op, dividend, SubExp::Var(divisor)) = s.exp else { return None };
        let (i32, i64) = (IntType::I32, IntType::I64);
        let (width, remainder) = match op {
            BinOp::UDiv(t) if t == i32 => (i32, false),
            BinOp::UMod(t) if t == i32 => (i32, true),
            BinOp::UDiv(t) | BinOp::SDiv(t) | BinOp::SQuot(t) if t == i64 => (i64, false),
            BinOp::UMod(t) | BinOp::SMod(t) | BinOp::SRem(t) if t == i64 => (i64, true),
            _ => return None,
        };
        let unsigned = matches!(op, BinOp::UDiv(_) | BinOp::UMod(_));
        let fits = width == i32
            || dividend.var().is_some_and(|x| self.facts.small.contains(&x))
                && (unsigned || self.facts.natural.contains(&divisor));
        fits.then_some(Division { width, remainder, dividend, divisor })
    }

    fn inverse(&mut self, d: Division, before: &mut Before) -> Inverse {
        if let Some(known) = before.inverses.get(&d.divisor) {
            return *known;
        }
        let i64 = IntType::I64;
        let mut bind = |base: &str, exp: Exp| -> SubExp {
            let var = self.names.fresh(base);
            before.stms.push(Stm::new(vec![PatElem::new(var, Type::I64)], exp));
            var.into()
        };
        let (divisor, most) = match d.width {
            IntType::I64 => {
                let y = SubExp::from(d.divisor);
                (y, bind("least", Exp::BinOp(BinOp::UMin(i64), y, SubExp::i64(1 << 32))))
            }
            width => {
                let wide = Exp::ConvOp(ConvOp::ZExt(width, i64), d.divisor.into());
                let y = bind("divisor", wide);
                (y, y)
            }
        };
        let positive = bind("positive", Exp::BinOp(BinOp::UMax(i64), most, SubExp::i64(1)));
        let factor = self.names.fresh("inverse");
        let exp = Exp::BinOp(BinOp::UDiv(i64), SubExp::i64(-1), positive);
        before.stms.push(Stm::new(vec![PatElem::new(factor, Type::I64)], exp));
        let inverse = Inverse { divisor, factor };
        before.inverses.insert(d.divisor, inverse);
        inverse
    }

    /// The statement with a multiplication in place of its division.
    fn multiply(&mut self, s: Stm, d: Division, by: Inverse, out: &mut Vec<Stm>) {
        let i64 = IntType::I64;
        let mut bind = |base: &str, exp: Exp| -> SubExp {
            let var = self.names.fresh(base);
            let pat = vec![PatElem::new(var, Type::I64)];
            out.push(Stm { certs: s.certs.clone(), loc: s.loc, ..Stm::new(pat, exp) });
            var.into()
        };
        let x = match d.width {
            IntType::I64 => d.dividend,
            width => bind("dividend", Exp::ConvOp(ConvOp::ZExt(width, i64), d.dividend)),
        };
        let next = bind("next", Exp::BinOp(BinOp::Add(i64), x, SubExp::i64(1)));
        let product = vec![by.factor.into(), next];
        let mut exp = Exp::Math(MathFn::UMulHi, Prim::I64, product);
        if d.remainder {
            let quotient = bind("quotient", exp);
            let multiple = bind("multiple", Exp::BinOp(BinOp::Mul(i64), quotient, by.divisor));
            exp = Exp::BinOp(BinOp::Sub(i64), x, multiple);
        }
        if d.width != i64 {
            let whole = bind("whole", exp);
            exp = Exp::ConvOp(ConvOp::ZExt(i64, d.width), whole);
        }
        out.push(Stm { exp, ..s });
    }
}

/// Whether an operation will be computed by lanes.
fn goes_by_lanes(exp: &Exp) -> bool {
    matches!(exp, Exp::Seg(op) if expected_lanes_of(op).is_some())
}

#[cfg(test)]
mod tests {
    use super::divide_by_invariant;
    use crate::ir::parse::parse_program;
    use crate::ir::verify::verify;

    fn after(body: &str) -> String {
        let text = format!(
            "level mem
fun main (n_1: i64, y_2: i32, z_3: i64, m_4: mem.host, xs_5: [n_1]i32 @ m_4 -> {{0; (n_1, 1)}}) : (r_6: i64) {{
  let r_7: i64 = loop (p_8: i64 = 0) for i_9: i64 < n_1 {{
    let x_10: i32 = index xs_5[i_9]
    let w_11: i64 = zext.i32.i64(x_10)
    {body}
    let q_13: i64 = add.i64(p_8, d_12)
    in q_13
  }}
  in r_7
}}"
        );
        let p = parse_program(&text).unwrap_or_else(|e| panic!("{e}"));
        let p = divide_by_invariant(p);
        verify(&p).unwrap_or_else(|e| panic!("{e:?}\n{p}"));
        p.to_string()
    }

    #[test]
    fn of_unsigned_words_and_of_few_bits_by_sizes() {
        for body in [
            "let e_14: i32 = umod.i32(x_10, y_2) let d_12: i64 = zext.i32.i64(e_14)",
            "let e_14: i32 = udiv.i32(x_10, y_2) let d_12: i64 = zext.i32.i64(e_14)",
            "let d_12: i64 = smod.i64(w_11, n_1)",
            "let d_12: i64 = udiv.i64(w_11, n_1)",
        ] {
            let out = after(body);
            let (before, inside) = out.split_once(" = loop").unwrap();
            assert!(before.contains("udiv.i64(-1, ") && inside.contains("umul_hi"), "{out}");
            assert!(!inside.contains("mod") && !inside.contains("div.i"), "{out}");
        }
    }

    #[test]
    fn one_inverse_for_all_divisions_by_the_same() {
        let out = after(
            "let e_14: i64 = sdiv.i64(w_11, n_1) let f_15: i64 = smod.i64(w_11, n_1)
    let d_12: i64 = add.i64(e_14, f_15)",
        );
        assert_eq!(out.matches("udiv.i64(-1, ").count(), 1, "{out}");
    }

    #[test]
    fn others_stay() {
        for (body, stays) in [
            ("let d_12: i64 = smod.i64(w_11, z_3)", "smod"),
            ("let d_12: i64 = smod.i64(p_8, n_1)", "smod"),
            ("let e_14: i32 = umod.i32(y_2, x_10) let d_12: i64 = zext.i32.i64(e_14)", "umod"),
            ("let e_14: i32 = smod.i32(x_10, y_2) let d_12: i64 = zext.i32.i64(e_14)", "smod"),
        ] {
            let out = after(body);
            assert!(out.contains(stays) && !out.contains("umul_hi"), "{out}");
        }
    }

    #[test]
    fn multiplication_divides() {
        let most = u64::from(u32::MAX);
        let mut divisors: Vec<u64> = (1..200).chain((0..=32).map(|k| 1 << k)).collect();
        divisors.extend([3, 1000, 65_521, 0x7fff_ffff, most - 1, most, most + 2, 1 << 40]);
        for y in divisors {
            let d = y.clamp(1, 1 << 32);
            let m = u64::MAX / d;
            let multiples = [0, 1, 2, 3, most / y, (most / y).saturating_sub(1), most / y / 2];
            let near = multiples.iter().flat_map(|k| {
                let x = k.saturating_mul(y);
                [x.saturating_sub(1), x, x.saturating_add(1)]
            });
            for x in near.chain([most - 1, most]).filter(|x| *x <= most) {
                let q = ((u128::from(m) * u128::from(x + 1)) >> 64) as u64;
                assert_eq!(q, x / y, "{x} / {y}");
            }
        }
    }
}

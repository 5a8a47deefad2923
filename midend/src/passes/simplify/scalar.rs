//! Rules about scalars: [`step`] for all of them, and whole turns.

use super::simplifier::{Outcome, Rule, Simplifier};
use super::step::step;
use crate::ir::{BinOp, Exp, IntType, Poly, Stm, SubExp};

pub(super) const RULES: &[Rule] = &[("fold", fold), ("turn", turn)];

fn fold(s: &mut Simplifier, stm: &mut Stm, _: &mut Vec<Stm>) -> Outcome {
    match step(s, &stm.exp) {
        Some((exp, certs)) => {
            stm.exp = exp;
            stm.certs.extend(certs);
            Outcome::Changed
        }
        None => Outcome::Kept,
    }
}

/// A whole turn less of what goes round: `(i + n - 1) % n` is `(i - 1) % n` for a counter `i` of `n`
/// rounds, which are never so many that `i + n` wraps.
fn turn(s: &mut Simplifier, stm: &mut Stm, out: &mut Vec<Stm>) -> Outcome {
    let Exp::BinOp(BinOp::SMod(IntType::I64), x, n @ SubExp::Var(turn)) = stm.exp else {
        return Outcome::Kept;
    };
    let sum = sum(s, x, 4).sub(&Poly::var(turn));
    let [i] = sum.vars()[..] else { return Outcome::Kept };
    let Some(rest) = sum.sub(&Poly::var(i)).as_const() else { return Outcome::Kept };
    if !s.counts_to(i.into(), n) || rest.unsigned_abs() > 8 {
        return Outcome::Kept;
    }
    let by = Exp::BinOp(BinOp::Add(IntType::I64), i.into(), SubExp::i64(rest));
    let x = s.emit("i", by, stm, out);
    stm.exp = Exp::BinOp(BinOp::SMod(IntType::I64), x, n);
    Outcome::Changed
}

/// What an operand is the sum of, looking through so many operations.
fn sum(s: &Simplifier, x: SubExp, depth: u32) -> Poly {
    match s.plain(x).filter(|_| depth > 0) {
        Some(Exp::BinOp(op @ (BinOp::Add(IntType::I64) | BinOp::Sub(IntType::I64)), a, b)) => {
            Poly::of_op(*op, &sum(s, *a, depth - 1), &sum(s, *b, depth - 1))
                .unwrap_or_else(|| Poly::leaf(x))
        }
        _ => Poly::leaf(x),
    }
}

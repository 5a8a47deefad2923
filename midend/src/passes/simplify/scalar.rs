//! Rules about scalars: [`step`] for all of them, and whole turns.

use super::simplifier::{Outcome, Rule, Simplifier};
use super::step::{int, step};
use crate::ir::{BinOp, Exp, IntType, Stm, SubExp};

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
    let Exp::BinOp(BinOp::SMod(IntType::I64), x, n) = stm.exp else { return Outcome::Kept };
    let mut sum = Sum::default();
    sum.add(s, x, 1, 4);
    sum.terms.retain(|(_, k)| *k != 0);
    let Some(at) = sum.terms.iter().position(|t| *t == (n, 1)) else { return Outcome::Kept };
    sum.terms.swap_remove(at);
    let [(i, 1)] = sum.terms.as_slice() else { return Outcome::Kept };
    if !s.counts_to(*i, n) || sum.rest.unsigned_abs() > 8 {
        return Outcome::Kept;
    }
    let by = Exp::BinOp(BinOp::Add(IntType::I64), *i, SubExp::i64(sum.rest));
    let x = s.emit("i", by, stm, out);
    stm.exp = Exp::BinOp(BinOp::SMod(IntType::I64), x, n);
    Outcome::Changed
}

/// A sum of operands and a constant.
#[derive(Default)]
struct Sum {
    terms: Vec<(SubExp, i64)>,
    rest: i64,
}

impl Sum {
    /// Adds `x`, or takes it away, in as many parts as it is the sum of.
    fn add(&mut self, s: &Simplifier, x: SubExp, sign: i64, depth: u32) {
        if let Some(c) = int(x) {
            self.rest = self.rest.wrapping_add(c.wrapping_mul(sign));
            return;
        }
        match s.plain(x).filter(|_| depth > 0) {
            Some(&Exp::BinOp(BinOp::Add(IntType::I64), a, b)) => {
                self.add(s, a, sign, depth - 1);
                self.add(s, b, sign, depth - 1);
            }
            Some(&Exp::BinOp(BinOp::Sub(IntType::I64), a, b)) => {
                self.add(s, a, sign, depth - 1);
                self.add(s, b, -sign, depth - 1);
            }
            _ => match self.terms.iter_mut().find(|(y, _)| *y == x) {
                Some((_, k)) => *k += sign,
                None => self.terms.push((x, sign)),
            },
        }
    }
}

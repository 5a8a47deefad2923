//! What scalars are at most, whatever comes in: by their width, by masks and shifts, and by what conversions
//! give. Tables of all values of a byte, or of some bits, are read without checks for that.

use super::facts::Said;
use super::simplifier::Simplifier;
use crate::ir::{BinOp, Const, ConvOp, Exp, IntType, MathFn, Prim, SubExp, Type, UnOp};

/// Definitions are followed this far.
const DEPTH: u32 = 7;

/// Bytes that a process can address are fewer.
const MEMORY: u64 = 1 << 56;

fn greatest(ty: IntType) -> u64 {
    u64::MAX >> (64 - ty.bits())
}

fn constant(x: SubExp) -> Option<i64> {
    match x {
        SubExp::Const(c) => c.as_int(),
        SubExp::Var(_) => None,
    }
}

fn float(c: Const) -> Option<f64> {
    match c {
        Const::F16(x) => Some(x.to_f64()),
        Const::F32(x) => Some(f64::from(x)),
        Const::F64(x) => Some(x),
        _ => None,
    }
}

/// The least number of the form `2^k - 1` that is no less.
fn all_bits(most: u64) -> u64 {
    u64::MAX.checked_shr(most.leading_zeros()).unwrap_or(0)
}

impl Simplifier {
    /// What an integer, without its sign, is at most.
    pub(super) fn most(&self, x: SubExp) -> u64 {
        self.most_of(x, DEPTH)
    }

    fn most_of(&self, x: SubExp, depth: u32) -> u64 {
        let (v, ty) = match x {
            SubExp::Const(c) => return c.bits(),
            SubExp::Var(v) => match self.types.get(&v) {
                Some(Type::Prim(Prim::Int(ty))) => (v, *ty),
                _ => return u64::MAX,
            },
        };
        let any = greatest(ty);
        let signed = any / 2;
        if let Some(SubExp::Const(n)) = self.facts.ranges.get(&v)
            && let Some(last) = n.as_int().and_then(|n| n.checked_sub(1))
        {
            return u64::try_from(last).unwrap_or(any).min(any);
        }
        if self.facts.lengths.contains(&v) {
            return MEMORY.min(signed);
        }
        if self.facts.sizes.contains(&v) {
            return signed;
        }
        if depth == 0 {
            return any;
        }
        let most = |x: &SubExp| self.most_of(*x, depth - 1);
        // A counter has no sign, and is less than its bound.
        if let Some(n) = self.facts.ranges.get(&v) {
            return most(n).min(signed);
        }
        if let Some(bounded) = self.most_said(x, depth - 1) {
            return bounded.min(signed);
        }
        let Some(d) = self.defs.get(&v) else { return any };
        let amount = |x: &SubExp| {
            let c = constant(*x)?;
            u32::try_from(c).ok().filter(|c| *c < ty.bits())
        };
        let found = match &d.exp {
            Exp::SubExp(x) => Some(most(x)),
            Exp::ConvOp(ConvOp::ZExt(from, to), x) if from <= to => Some(most(x)),
            // What is cut off makes it less, or leaves it.
            Exp::ConvOp(ConvOp::ZExt(..), x) => Some(most(x).min(any)),
            Exp::ConvOp(ConvOp::SExt(from, _), x) => {
                Some(most(x)).filter(|m| *m <= greatest(*from) / 2)
            }
            Exp::ConvOp(ConvOp::BToI(_), _) => Some(1),
            Exp::BinOp(op, a, b) => match op {
                BinOp::And(_) | BinOp::UMin(_) => Some(most(a).min(most(b))),
                BinOp::Or(_) | BinOp::Xor(_) => Some(all_bits(most(a) | most(b))),
                BinOp::UMax(_) => Some(most(a).max(most(b))),
                BinOp::LShr(_) => amount(b).map(|c| most(a) >> c),
                BinOp::Shl(_) => amount(b).and_then(|c| most(a).checked_mul(1 << c)),
                BinOp::Add(_) => most(a).checked_add(most(b)),
                BinOp::Mul(_) => most(a).checked_mul(most(b)),
                BinOp::UDiv(_) => Some(most(a)),
                BinOp::SDiv(_) | BinOp::SQuot(_) => {
                    let by = constant(*b).and_then(|c| u64::try_from(c).ok()).filter(|c| *c > 0);
                    by.filter(|_| most(a) <= signed).map(|c| most(a) / c)
                }
                BinOp::SMin(_) => {
                    Some(most(a).min(most(b))).filter(|_| most(a).max(most(b)) <= signed)
                }
                // One that is negative is not taken if the other one is not.
                BinOp::SMax(_) => {
                    let natural = most(a).min(most(b)) <= signed;
                    Some(most(a).min(signed).max(most(b).min(signed))).filter(|_| natural)
                }
                BinOp::SMod(_) => constant(*b).filter(|c| *c > 0).map(|c| c as u64 - 1),
                BinOp::UMod(_) => match b {
                    SubExp::Const(c) => c.bits().checked_sub(1),
                    SubExp::Var(_) => Some(most(a)),
                },
                _ => None,
            },
            _ => None,
        };
        // Sums and products of more have gone round.
        found.filter(|m| *m <= any).unwrap_or(any)
    }

    /// The same by what is said of it, if that is that it is not negative. Many numbers may be said to be at most one another, so
    /// what is said is followed less far than definitions.
    fn most_said(&self, x: SubExp, depth: u32) -> Option<u64> {
        let zero = self.zero_of(x)?;
        let natural = [Said::AtMost(zero, x), Said::Less(zero, x)];
        if !natural.into_iter().any(|said| self.facts.heard(said)) {
            return None;
        }
        let bounds = self.facts.log.iter().filter_map(|said| match *said {
            Said::AtMost(a, b) | Said::Less(a, b) if a == x => Some(b),
            _ => None,
        });
        bounds.map(|b| self.most_of(b, depth / 2)).min()
    }

    /// Is the sign of an integer evidently not set?
    pub(super) fn has_no_sign(&self, x: SubExp) -> bool {
        match x.var().and_then(|v| self.types.get(&v)) {
            Some(Type::Prim(Prim::Int(ty))) => self.most(x) <= greatest(*ty) / 2,
            _ => false,
        }
    }

    /// Is `0 <= x < y` so for a constant `y`, whatever comes in? Signed.
    pub(super) fn fits_below(&self, x: SubExp, y: SubExp) -> bool {
        constant(y).is_some_and(|y| y > 0 && self.most(x) < y as u64)
    }

    /// Is what a float is converted to, as a signed integer, not negative? What is no number and what is
    /// infinite comes to zero, everything else is rounded towards zero: all but what is below zero serves.
    pub(super) fn converts_to_natural(&self, x: SubExp) -> bool {
        self.natural_float(x, DEPTH)
    }

    /// Is a float at least zero, of either sign, or no number?
    fn natural_float(&self, x: SubExp, depth: u32) -> bool {
        let v = match x {
            SubExp::Const(c) => return float(c).is_some_and(|c| c >= 0.0 || c.is_nan()),
            SubExp::Var(v) => v,
        };
        let Some(d) = self.defs.get(&v).filter(|_| depth > 0) else { return false };
        let natural = |x: &SubExp| self.natural_float(*x, depth - 1);
        match &d.exp {
            Exp::SubExp(x) => natural(x),
            Exp::ConvOp(ConvOp::SIToFP(..), x) => self.nonnegative(*x),
            Exp::ConvOp(ConvOp::UIToFP(..) | ConvOp::BToF(_), _) => true,
            Exp::ConvOp(ConvOp::FPConv(..), x) => natural(x),
            Exp::UnOp(UnOp::FAbs(_), _) => true,
            Exp::BinOp(op, a, b) => match op {
                // The other operand if one is no number: both must be what is wanted, or one be a number.
                BinOp::FMax(_) => {
                    natural(a) && natural(b) || self.is_natural(*a) || self.is_natural(*b)
                }
                BinOp::FMin(_) | BinOp::FAdd(_) => natural(a) && natural(b),
                BinOp::FMul(_) => a == b || natural(a) && natural(b),
                // What is divided by `-0` is below zero.
                BinOp::FDiv(_) => natural(a) && self.is_natural(*b),
                BinOp::FMod(_) => natural(a),
                _ => false,
            },
            Exp::Math(f, _, xs) => match f {
                MathFn::Sqrt | MathFn::Exp => true,
                MathFn::Floor | MathFn::Ceil | MathFn::Trunc | MathFn::Round => {
                    xs.first().is_some_and(natural)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Is a float evidently a number, and at least zero, which is not `-0`?
    fn is_natural(&self, x: SubExp) -> bool {
        match x {
            SubExp::Const(c) => float(c).is_some_and(|c| c >= 0.0 && c.is_sign_positive()),
            SubExp::Var(v) => match self.defs.get(&v).map(|d| &d.exp) {
                Some(Exp::ConvOp(ConvOp::SIToFP(..), x)) => self.nonnegative(*x),
                Some(Exp::ConvOp(ConvOp::UIToFP(..) | ConvOp::BToF(_), _)) => true,
                _ => false,
            },
        }
    }

    /// Is `x` made of a counter below `n`, so that `n` is positive wherever `x` is?
    pub(super) fn has_counter_below(&self, x: SubExp, n: SubExp, depth: u32) -> bool {
        let Some(v) = x.var() else { return false };
        if let Some(bound) = self.facts.ranges.get(&v) {
            return *bound == n;
        }
        depth > 0
            && match self.defs.get(&v).map(|d| &d.exp) {
                Some(Exp::SubExp(x) | Exp::ConvOp(_, x) | Exp::UnOp(_, x)) => {
                    self.has_counter_below(*x, n, depth - 1)
                }
                Some(Exp::BinOp(_, a, b)) => {
                    self.has_counter_below(*a, n, depth - 1)
                        || self.has_counter_below(*b, n, depth - 1)
                }
                _ => false,
            }
    }
}

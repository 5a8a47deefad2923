//! Division of integers of 64 bits. (Of fewer bits, see [`crate::vector_division`].)
//!
//! Processors divide vectors of floats, not of integers. If `0 <= x` and `0 < y` are less than 2^52,
//! `x / y` in `f64`, rounded down, is the quotient: the exact one is at least `1/y` below the next
//! integer `k`, which is more than half of what `f64` tells apart there, as `k * y < 2^53`. By one divisor
//! for all lanes, less than 2^50, `x + 1/2` is multiplied by its reciprocal: that product is exactly at least `1/2y` away from
//! all integers, and three roundings, of the reciprocal among them, move it by less than `x/y * 2^-51`, so that the quotient is
//! the same if `x` is less than 2^50. Other strips are divided lane by lane, or multiplied by an inverse in integers.
//!
//! Lanes that divide by zero have failed, or do not take part: their divisors are ones.

use super::super::function::Function;
use super::strip::{Quotient, Result, Strip};
use crate::dialect::{Predicate, Val};
use futc_midend::analysis::lanes::{Class, EXACT_QUOTIENTS as EXACT};
use futc_midend::ir::{BinOp, Const, SubExp};
use melior::ir::ValueLike;

/// Dividends and divisors less than this have products with reciprocals that tell the quotient.
const EXACT_PRODUCTS: i64 = 1 << 50;

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// A division that lanes do themselves ([`futc_midend::analysis::lanes::is_divided_by_lanes`]).
    pub(super) fn divide_by_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        op: BinOp,
        x: SubExp,
        y: SubExp,
    ) -> Result<Val<'c>> {
        let (division, remains) = match op {
            BinOp::SMod(t) => (BinOp::SDiv(t), true),
            BinOp::SRem(t) => (BinOp::SQuot(t), true),
            BinOp::UMod(t) => (BinOp::UDiv(t), true),
            op => (op, false),
        };
        let quotient = self.quotient(strip, division, x, y)?;
        if !remains {
            return Ok(quotient);
        }
        let (x, y) = (self.in_lanes(strip, x)?, self.in_lanes(strip, y)?);
        let product = self.b.muli(quotient, y)?;
        self.b.subi(x, product)
    }

    /// Whether lanes with this distance between neighbours lie between the first and the last.
    fn stays_in_order(&self, strip: &Strip<'_, 'c, 'p>, step: i64) -> bool {
        step.checked_mul(strip.width - 1).is_some_and(|d| d.abs() <= EXACT)
    }

    /// `x / y`, by an operator that divides. Negative numbers go the long way.
    fn quotient(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        op: BinOp,
        x: SubExp,
        y: SubExp,
    ) -> Result<Val<'c>> {
        let same = |q: &&Quotient<'c>| (q.op, q.dividend, q.divisor) == (op, x, y);
        if let Some(known) = strip.quotients.borrow().iter().find(same) {
            return Ok(known.value);
        }
        let (vector, divisors) = (self.in_lanes(strip, x)?, self.in_lanes(strip, y)?);
        // Of one divisor for all lanes, a number; else that of each lane, if they are divisors at all.
        let divisor = match strip.classes.of(y) {
            Class::Uniform => Some(self.operand(y)?),
            Class::Linear(_) | Class::Varying => None,
        };
        let bound = self.b.i64(if divisor.is_some() { EXACT_PRODUCTS } else { EXACT })?;
        let bounds = self.spread_to(strip, bound)?;
        let divisors = match divisor {
            Some(_) => divisors,
            None => self.b.maxui(divisors, self.spread_to(strip, self.b.i64(1)?)?)?,
        };
        let exact = match (strip.classes.of(x), divisor) {
            (Class::Linear(step), Some(_)) if self.stays_in_order(strip, step) => {
                let first = self.operand(x)?;
                let distance = self.b.i64(step * (strip.width - 1))?;
                let last = self.b.addi(first, distance)?;
                let first = self.b.cmpi(Predicate::Ult, first, bound)?;
                let last = self.b.cmpi(Predicate::Ult, last, bound)?;
                self.b.andi(first, last)?
            }
            (_, None) => {
                let dividends = self.b.cmpi(Predicate::Ult, vector, bounds)?;
                let divisors = self.b.cmpi(Predicate::Ult, divisors, bounds)?;
                self.all_lanes(self.b.andi(dividends, divisors)?)?
            }
            (_, Some(_)) => {
                let below = self.b.cmpi(Predicate::Ult, vector, bounds)?;
                self.all_lanes(below)?
            }
        };
        let exact = match divisor {
            // Zero is beyond the bound, less one.
            Some(divisor) => {
                let below = self.b.subi(divisor, self.b.i64(1)?)?;
                let most = self.b.subi(bound, self.b.i64(1)?)?;
                self.b.andi(exact, self.b.cmpi(Predicate::Ult, below, most)?)?
            }
            None => exact,
        };
        let floats = self.lanes_type(strip, self.b.types().f64)?;
        let yes = self.region(&[], |f, _| {
            let x = f.b.sitofp(vector, floats)?;
            let quotient = match divisor {
                Some(divisor) => {
                    let one = f.b.constant(Const::F64(1.0))?;
                    let divisor = f.b.sitofp(divisor, f.b.types().f64)?;
                    let reciprocal = f.spread_to(strip, f.b.divf(one, divisor)?)?;
                    let half = f.b.constant_in(floats, Const::F64(0.5))?;
                    f.b.mulf(f.b.addf(x, half)?, reciprocal)?
                }
                None => f.b.divf(x, f.b.sitofp(divisors, floats)?)?,
            };
            Ok(vec![f.b.fptosi(quotient, vector.r#type())?])
        })?;
        // Where no multiple of the divisor lies among the lanes, all have the quotient of the first.
        let yes = match (strip.classes.of(x), divisor) {
            (Class::Linear(1), Some(divisor)) => self.region(&[], |f, _| {
                let first = f.operand(x)?;
                let quotient = f.b.divui(first, divisor)?;
                let multiple = f.b.muli(quotient, divisor)?;
                let rest = f.b.subi(first, multiple)?;
                let end = f.b.i64(strip.width)?;
                let end = f.b.addi(rest, end)?;
                let one = f.b.cmpi(Predicate::Sle, end, divisor)?;
                let all = f.region(&[], |f, _| Ok(vec![f.spread_to(strip, quotient)?]))?;
                f.b.scf_if(one, &[vector.r#type()], all, yes)
            })?,
            _ => yes,
        };
        let no = self.region(&[], |f, _| {
            Ok(vec![f.large_quotient(strip, op, vector, (divisor, divisors))?])
        })?;
        let value = self.b.scf_if_value(exact, vector.r#type(), yes, no)?;
        let quotient = Quotient { op, dividend: x, divisor: y, value };
        strip.quotients.borrow_mut().push(quotient);
        Ok(value)
    }

    /// A quotient of large or negative numbers; of one divisor for all lanes, as a number and spread.
    fn large_quotient(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        op: BinOp,
        x: Val<'c>,
        (divisor, divisors): (Option<Val<'c>>, Val<'c>),
    ) -> Result<Val<'c>> {
        let Some(divisor) = divisor else { return self.bin_op_of(op, x, divisors, None) };
        if matches!(op, BinOp::UDiv(_)) {
            return self.by_inverse(strip, op, x, (divisor, divisors));
        }
        let positive = self.b.cmpi(Predicate::Slt, self.b.i64(0)?, divisor)?;
        let yes =
            self.region(&[], |f, _| Ok(vec![f.by_inverse(strip, op, x, (divisor, divisors))?]))?;
        let no = self.region(&[], |f, _| Ok(vec![f.bin_op_of(op, x, divisors, None)?]))?;
        self.b.scf_if_value(positive, x.r#type(), yes, no)
    }

    /// A quotient of large numbers by one divisor for all lanes, which is not negative, as a number and spread.
    ///
    /// With `m` the quotient of `2^64 - 1` by `y`, the upper half of `x * m` is `x / y` or one less, as `2^64 - m * y` is at
    /// most `y`. Of negative numbers, `-1 - x` is divided, which gives `-1` less the quotient rounded down; or `-x`.
    fn by_inverse(
        &self,
        strip: &Strip<'_, 'c, 'p>,
        op: BinOp,
        x: Val<'c>,
        (y, divisors): (Val<'c>, Val<'c>),
    ) -> Result<Val<'c>> {
        let b = &self.b;
        let one = b.i64(1)?;
        let sign = match op {
            BinOp::UDiv(_) => None,
            _ => Some(b.shrsi(x, self.spread_to(strip, b.i64(63)?)?)?),
        };
        let towards_zero = matches!(op, BinOp::SQuot(_));
        let flipped = |x: Val<'c>| -> Result<Val<'c>> {
            let Some(sign) = sign else { return Ok(x) };
            let x = b.xori(x, sign)?;
            if towards_zero { b.subi(x, sign) } else { Ok(x) }
        };
        let x = flipped(x)?;
        let inverse = b.divui(b.i64(-1)?, b.maxui(y, one)?)?;
        let quotient = self.upper_half(strip, x, inverse)?;
        let rest = b.subi(x, b.muli(quotient, divisors)?)?;
        let fits = b.cmpi(Predicate::Ult, rest, divisors)?;
        let more = b.addi(quotient, self.spread_to(strip, one)?)?;
        flipped(b.select(fits, quotient, more)?)
    }

    /// The upper half of the products of lanes and a number, by halves of both, of which processors multiply vectors.
    fn upper_half(&self, strip: &Strip<'_, 'c, 'p>, x: Val<'c>, m: Val<'c>) -> Result<Val<'c>> {
        let b = &self.b;
        let (half, mask) = (b.i64(32)?, b.i64(0xffff_ffff)?);
        let (m_low, m_high) = (b.andi(m, mask)?, b.shrui(m, half)?);
        let spread = |v| self.spread_to(strip, v);
        let (m_low, m_high) = (spread(m_low)?, spread(m_high)?);
        let (half, mask) = (spread(half)?, spread(mask)?);
        let (low, high) = (b.andi(x, mask)?, b.shrui(x, half)?);
        let first = b.shrui(b.muli(low, m_low)?, half)?;
        let second = b.addi(b.muli(high, m_low)?, first)?;
        let third = b.addi(b.muli(low, m_high)?, b.andi(second, mask)?)?;
        let upper = b.addi(b.muli(high, m_high)?, b.shrui(second, half)?)?;
        b.addi(upper, b.shrui(third, half)?)
    }
}

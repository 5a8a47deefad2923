//! Division of `i64` by what is the same in all lanes.
//!
//! Processors divide vectors of floats, not of integers. If `0 <= x` and `0 < y` are less than 2^52,
//! `x / y` in `f64`, rounded down, is the quotient: the exact one is at least `1/y` below the next
//! integer `k`, which is more than half of what `f64` tells apart there, as `k * y < 2^53`. Other
//! strips are divided lane by lane.

use super::super::function::Function;
use super::strip::{Quotient, Result, Strip};
use crate::dialect::{Predicate, Val};
use futc_midend::analysis::lanes::Class;
use futc_midend::ir::{BinOp, IntType, SubExp};
use melior::ir::ValueLike;

/// Dividends and divisors are below.
const EXACT: i64 = 1 << 52;

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// Whether an operator is a division that goes by way of floats.
    pub(super) fn divides(&self, strip: &Strip<'_, 'c, 'p>, op: BinOp, divisor: SubExp) -> bool {
        let i64 = IntType::I64;
        let divides = [BinOp::SDiv(i64), BinOp::SMod(i64), BinOp::SQuot(i64), BinOp::SRem(i64)];
        divides.contains(&op)
            && divisor.var().is_some()
            && strip.classes.of(divisor) == Class::Uniform
    }

    /// Such a division.
    pub(super) fn divide_by_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        op: BinOp,
        x: SubExp,
        y: SubExp,
    ) -> Result<Val<'c>> {
        let floors = matches!(op, BinOp::SDiv(_) | BinOp::SMod(_));
        let quotient = self.quotient(strip, floors, x, y)?;
        if matches!(op, BinOp::SDiv(_) | BinOp::SQuot(_)) {
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

    /// `x / y`, rounded down or towards zero. Negative numbers go the long way.
    fn quotient(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        floors: bool,
        x: SubExp,
        y: SubExp,
    ) -> Result<Val<'c>> {
        let same = |q: &&Quotient<'c>| (q.floors, q.dividend, q.divisor) == (floors, x, y);
        if let Some(known) = strip.quotients.borrow().iter().find(same) {
            return Ok(known.value);
        }
        let divisor = self.operand(y)?;
        let (vector, divisors) = (self.in_lanes(strip, x)?, self.in_lanes(strip, y)?);
        let bound = self.b.i64(EXACT)?;
        let one = self.b.i64(1)?;
        // Zero is beyond the bound, less one.
        let below = self.b.subi(divisor, one)?;
        let most = self.b.subi(bound, one)?;
        let exact_divisor = self.b.cmpi(Predicate::Ult, below, most)?;
        let exact = match strip.classes.of(x) {
            Class::Linear(step) if self.stays_in_order(strip, step) => {
                let first = self.operand(x)?;
                let distance = self.b.i64(step * (strip.width - 1))?;
                let last = self.b.addi(first, distance)?;
                let first = self.b.cmpi(Predicate::Ult, first, bound)?;
                let last = self.b.cmpi(Predicate::Ult, last, bound)?;
                self.b.andi(first, last)?
            }
            Class::Uniform | Class::Varying | Class::Linear(_) => {
                let bounds = self.spread_to(strip, bound)?;
                let below = self.b.cmpi(Predicate::Ult, vector, bounds)?;
                self.all_lanes(below)?
            }
        };
        let exact = self.b.andi(exact, exact_divisor)?;
        let floats = self.lanes_type(strip, self.b.types().f64)?;
        let yes = self.region(&[], |f, _| {
            let x = f.b.sitofp(vector, floats)?;
            let y = f.b.sitofp(divisor, f.b.types().f64)?;
            let y = f.spread_to(strip, y)?;
            let quotient = f.b.divf(x, y)?;
            Ok(vec![f.b.fptosi(quotient, vector.r#type())?])
        })?;
        // Where no multiple of the divisor lies among the lanes, all have the quotient of the first.
        let yes = match strip.classes.of(x) {
            Class::Linear(1) => self.region(&[], |f, _| {
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
        let op = if floors { BinOp::SDiv(IntType::I64) } else { BinOp::SQuot(IntType::I64) };
        let no = self.region(&[], |f, _| Ok(vec![f.bin_op_of(op, vector, divisors, None)?]))?;
        let value = self.b.scf_if_value(exact, vector.r#type(), yes, no)?;
        let quotient = Quotient { floors, dividend: x, divisor: y, value };
        strip.quotients.borrow_mut().push(quotient);
        Ok(value)
    }
}

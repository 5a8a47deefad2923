//! Division of `i64` by what is the same in all lanes.
//!
//! Processors divide vectors of floats, not of integers. If `0 <= x` and `0 < y` are less than 2^52,
//! `x / y` in `f64`, rounded down, is the quotient: the exact one is at least `1/y` below the next
//! integer `k`, which is more than half of what `f64` tells apart there, as `k * y < 2^53`. Other
//! strips are divided lane by lane.

use super::super::builder::{Predicate, Val, result_of};
use super::super::function::Function;
use super::{Quotient, Result, Strip};
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
        strip.classes.straight
            && divides.contains(&op)
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
        let product = self.b.same("arith.muli", &[quotient, y])?;
        self.b.same("arith.subi", &[x, product])
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
        let below = self.b.same("arith.subi", &[divisor, one])?;
        let most = self.b.same("arith.subi", &[bound, one])?;
        let exact_divisor = self.b.cmpi(Predicate::Ult, below, most)?;
        let exact = match strip.classes.of(x) {
            Class::Linear(step) => {
                let first = self.operand(x)?;
                let distance = self.b.i64(step.wrapping_mul(strip.width - 1))?;
                let last = self.b.same("arith.addi", &[first, distance])?;
                let first = self.b.cmpi(Predicate::Ult, first, bound)?;
                let last = self.b.cmpi(Predicate::Ult, last, bound)?;
                self.b.same("arith.andi", &[first, last])?
            }
            Class::Uniform | Class::Varying => {
                let bounds = self.spread_to(strip, bound)?;
                let below = self.b.cmpi(Predicate::Ult, vector, bounds)?;
                self.all_lanes(below)?
            }
        };
        let exact = self.b.same("arith.andi", &[exact, exact_divisor])?;
        let floats = self.lanes_type(strip, self.b.types().f64)?;
        let yes = self.region(&[], "scf.yield", |f, _| {
            let x = f.b.value("arith.sitofp", &[vector], floats)?;
            let y = f.b.value("arith.sitofp", &[divisor], f.b.types().f64)?;
            let y = f.spread_to(strip, y)?;
            let quotient = f.b.same("arith.divf", &[x, y])?;
            Ok(vec![f.b.value("arith.fptosi", &[quotient], vector.r#type())?])
        })?;
        // Where no multiple of the divisor lies among the lanes, all have the quotient of the first.
        let yes = match strip.classes.of(x) {
            Class::Linear(1) => self.region(&[], "scf.yield", |f, _| {
                let first = f.operand(x)?;
                let quotient = f.b.same("arith.divui", &[first, divisor])?;
                let multiple = f.b.same("arith.muli", &[quotient, divisor])?;
                let rest = f.b.same("arith.subi", &[first, multiple])?;
                let end = f.b.i64(strip.width)?;
                let end = f.b.same("arith.addi", &[rest, end])?;
                let one = f.b.cmpi(Predicate::Sle, end, divisor)?;
                let all =
                    f.region(&[], "scf.yield", |f, _| Ok(vec![f.spread_to(strip, quotient)?]))?;
                let types = [vector.r#type()];
                let operation = f.b.operation("scf.if", &[one], &types, &[], vec![all, yes])?;
                Ok(vec![result_of(operation, 0)?])
            })?,
            _ => yes,
        };
        let op = if floors { BinOp::SDiv(IntType::I64) } else { BinOp::SQuot(IntType::I64) };
        let no = self
            .region(&[], "scf.yield", |f, _| Ok(vec![f.bin_op_of(op, vector, divisors, None)?]))?;
        let types = [vector.r#type()];
        let operation = self.b.operation("scf.if", &[exact], &types, &[], vec![yes, no])?;
        let value = result_of(operation, 0)?;
        let quotient = Quotient { floors, dividend: x, divisor: y, value };
        strip.quotients.borrow_mut().push(quotient);
        Ok(value)
    }
}

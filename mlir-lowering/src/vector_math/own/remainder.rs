//! The remainder of a division of floats, `x - y · trunc(x / y)` without any rounding.
//!
//! The C library goes bit by bit. But a quotient that is rounded is at most one too large as long as it has
//! fewer bits than the mantissa, and the product of such a quotient and the divisor, subtracted in one
//! rounding, is exact. Larger quotients, infinities, and what is not a number are left to the C library,
//! lane by lane.

use super::ir::{Ir, Result, Shape, Width};
use crate::abi::remainder_symbol;
use crate::dialect::{FPredicate, Math, Val};
use futc_midend::ir::FloatType;

/// `fmod(x, y)`.
pub(super) fn fmod<'c>(ir: &Ir<'c, '_>, x: Val<'c>, y: Val<'c>) -> Result<Val<'c>> {
    let (mantissa, _) = ir.width.format();
    let ax = ir.math(Math::AbsF, &[x])?;
    let ay = ir.math(Math::AbsF, &[y])?;
    let quotient = ir.div(ax, ay)?;
    let whole = ir.math(Math::Trunc, &[quotient])?;
    let minus = ir.minus(whole)?;
    let r = ir.fma(minus, ay, ax)?;
    let zero = ir.float(0.0)?;
    let more = ir.add(r, ay)?;
    let r = ir.choose(FPredicate::Olt, r, zero, more, r)?;
    let r = ir.math(Math::CopySign, &[r, x])?;
    let limit = ir.float((1u64 << (mantissa - 1)) as f64)?;
    let infinity = ir.float(f64::INFINITY)?;
    // Neither holds of what is not a number.
    let small = ir.holds(FPredicate::Olt, quotient, limit)?;
    let finite = ir.holds(FPredicate::Olt, ay, infinity)?;
    let plain = ir.andi(small, finite)?;
    let special = ir.not(plain)?;
    ir.rarely(special, r, |ir| exact(ir, x, y))
}

/// What the C library says.
fn exact<'c>(ir: &Ir<'c, '_>, x: Val<'c>, y: Val<'c>) -> Result<Val<'c>> {
    if ir.shape == Shape::One {
        let float = if ir.width == Width::F64 { FloatType::F64 } else { FloatType::F32 };
        return ir.call(remainder_symbol(float), ir.scalar(), &[x, y]);
    }
    ir.lane_by_lane(if ir.width == Width::F64 { "fmod" } else { "fmodf" }, &[x, y])
}

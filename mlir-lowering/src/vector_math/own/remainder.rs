//! The remainder of a division of floats, `x - y · trunc(x / y)` without any rounding.
//!
//! The C library goes bit by bit. But a quotient that is rounded is at most one too large as long as it has
//! fewer bits than the mantissa, and the product of such a quotient and the divisor, subtracted in one
//! rounding, is exact. Larger quotients, infinities, and what is not a number are left to the C library,
//! lane by lane.

use super::ir::{Ir, Result, Shape, Width};
use crate::abi::remainder_symbol;
use crate::dialect::{Builder, FPredicate, Linkage, Math, Val};
use crate::ffi;
use futc_midend::ir::FloatType;
use melior::ir::block::BlockLike;

/// What the names of functions begin with that call the C library's remainder for each lane. LLVM leaves them as
/// they are.
pub(in super::super) const EXACT_REMAINDER: &str = "futc.fmod.exact";

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

/// What the C library says; of lanes, by a function that calls it for each. It is left as it is, with the
/// arguments it has: see [`remainder_symbol`].
fn exact<'c>(ir: &Ir<'c, '_>, x: Val<'c>, y: Val<'c>) -> Result<Val<'c>> {
    let (vector, scalar) = (ir.floats(), ir.scalar());
    let Shape::Lanes(lanes, _) = ir.shape else {
        let float = if ir.width == Width::F64 { FloatType::F64 } else { FloatType::F32 };
        return ir.call(remainder_symbol(float), scalar, &[x, y]);
    };
    let name = format!("{EXACT_REMAINDER}.v{lanes}{scalar}");
    if ir.declared.borrow_mut().insert(name.clone()) {
        let (region, entry) = ffi::region_with_block(&[vector; 2], ir.b.location);
        let inside = Ir { b: Builder::new(ir.b.shared, entry, ir.b.location), ..ir.clone() };
        let x = ffi::detach_value(entry.argument(0)?.into());
        let y = ffi::detach_value(entry.argument(1)?.into());
        let mut result = inside.b.llvm_poison(vector)?;
        let symbol = if ir.width == Width::F64 { "fmod" } else { "fmodf" };
        for i in 0..lanes.cast_signed() {
            let (x, y) = (inside.b.llvm_extractelement(x, i)?, inside.b.llvm_extractelement(y, i)?);
            let r = inside.call(symbol, scalar, &[x, y])?;
            result = inside.b.llvm_insertelement(result, r, i)?;
        }
        inside.b.func_return(&[result])?;
        ir.module.func(&name, &[vector; 2], &[vector], Linkage::External, region)?;
    }
    let values = ir.b.func_call(&name, &[x, y], &[vector])?;
    values.first().copied().ok_or_else(|| crate::Error::bug("a function without a result"))
}

//! `exp`, and the logarithms.

use super::ir::{Ir, Result, Width};
use crate::dialect::{FPredicate, Val};

/// `exp x = 2^n · exp r` with `n` the integer nearest to `x / ln 2`, so that `|r| ≤ ln 2 / 2`. The
/// series of `exp r` has as many terms as count. What is multiplied by are two halves of `2^n`, since
/// results of the ends of the range have a power that is no normal number.
pub(super) fn exp<'c>(ir: &Ir<'c, '_>, x: Val<'c>) -> Result<Val<'c>> {
    // From here on results are infinite, or zero; the half of `n` is still an exponent. The last
    // term is the power of `r` whose share of the sum is below its rounding.
    let (greatest, least, terms) = match ir.width {
        Width::F32 => (104.0, -104.0, 7u32),
        Width::F64 => (746.0, -746.0, 13),
    };
    let (greatest, least) = (ir.float(greatest)?, ir.float(least)?);
    // No number passes both unchanged, as comparisons with it fail.
    let x = ir.choose(FPredicate::Ogt, x, greatest, greatest, x)?;
    let x = ir.choose(FPredicate::Olt, x, least, least, x)?;
    // Adding a large number rounds to an integer, which is then in the low bits.
    let (mantissa, _) = ir.width.format();
    let large = 1.5 * (mantissa as f64).exp2();
    let shifted = ir.fma(x, ir.float(std::f64::consts::LOG2_E)?, ir.float(large)?)?;
    let n = ir.sub(shifted, ir.float(large)?)?;
    let (high, low) = ir.ln2();
    let r = ir.fma(n, ir.float(-high)?, x)?;
    let r = ir.fma(n, ir.float(-low)?, r)?;
    // 1/terms!, …, 1/2!
    let coefficients: Vec<f64> =
        (2..=terms).rev().map(|k| 1.0 / (2..=k).map(f64::from).product::<f64>()).collect();
    let p = ir.horner(r, &coefficients)?;
    let square = ir.mul(r, r)?;
    let y = ir.fma(p, square, r)?;
    let y = ir.add(y, ir.float(1.0)?)?;
    if ir.is_wide() {
        return ir.scaled(y, n);
    }
    let bits = ir.bits_of(shifted)?;
    let n = ir.subi(bits, ir.int(ir.width.bits(large))?)?;
    let half = ir.shrsi(n, ir.int(1)?)?;
    let rest = ir.subi(n, half)?;
    let (half, rest) = (ir.power(half)?, ir.power(rest)?);
    let y = ir.mul(y, half)?;
    ir.mul(y, rest)
}

/// The natural logarithm, of `f32`.
pub(super) fn log<'c>(ir: &Ir<'c, '_>, x: Val<'c>) -> Result<Val<'c>> {
    logarithm(ir, x, None)
}

/// The logarithm to the base 2, of `f32`.
pub(super) fn log2<'c>(ir: &Ir<'c, '_>, x: Val<'c>) -> Result<Val<'c>> {
    logarithm(ir, x, Some((std::f64::consts::LOG2_E, 1.0)))
}

/// The logarithm to the base 10, of `f32`.
pub(super) fn log10<'c>(ir: &Ir<'c, '_>, x: Val<'c>) -> Result<Val<'c>> {
    logarithm(ir, x, Some((std::f64::consts::LOG10_E, std::f64::consts::LOG10_2)))
}

/// `log x = k · log 2 + log m` with `m = 1 + f` between `√½` and `√2`, and `ln m = 2 · artanh s` with
/// `s = f / (2 + f)`, in a form whose largest part is `f` itself. Of a base there are the logarithms of
/// *e* and of 2; without one it is *e*.
fn logarithm<'c>(ir: &Ir<'c, '_>, x: Val<'c>, base: Option<(f64, f64)>) -> Result<Val<'c>> {
    let (k, m) = if ir.is_wide() { wide_parts(ir, x)? } else { parts(ir, x)? };
    let f = ir.add(m, ir.float(-1.0)?)?;
    let divisor = ir.add(f, ir.float(2.0)?)?;
    let s = ir.div(f, divisor)?;
    let z = ir.mul(s, s)?;
    let p = ir.horner(z, &[2.0 / 9.0, 2.0 / 7.0, 2.0 / 5.0, 2.0 / 3.0])?;
    let p = ir.mul(z, p)?;
    // ln (1 + f) = f − (f²/2 − s · (f²/2 + p))
    let half = ir.mul(f, ir.float(0.5)?)?;
    let half = ir.mul(f, half)?;
    let inner = ir.add(half, p)?;
    let inner = ir.mul(s, inner)?;
    let y = match base {
        None => {
            let (high, low) = ir.ln2();
            let inner = ir.fma(k, ir.float(low)?, inner)?;
            let rest = ir.sub(half, inner)?;
            let y = ir.sub(f, rest)?;
            ir.fma(k, ir.float(high)?, y)?
        }
        Some((of_e, of_2)) => {
            // The small parts first; `k` times the first 16 bits is a number without rounding.
            let (scale, less) = apart(of_e, 24);
            let (high, low) = apart(of_2, 16);
            let rest = ir.sub(inner, half)?;
            let small = ir.mul(k, ir.float(low)?)?;
            let small = ir.fma(f, ir.float(less)?, small)?;
            let small = ir.fma(rest, ir.float(scale)?, small)?;
            let y = ir.fma(f, ir.float(scale)?, small)?;
            ir.fma(k, ir.float(high)?, y)?
        }
    };
    if ir.is_wide() {
        return ir.logarithm_or_special(y, x);
    }
    let infinite = ir.float(f64::INFINITY)?;
    let zero = ir.float(0.0)?;
    let y = ir.choose(FPredicate::Oeq, x, infinite, x, y)?;
    let y = ir.choose(FPredicate::Oeq, x, zero, ir.float(f64::NEG_INFINITY)?, y)?;
    ir.choose(FPredicate::Ult, x, zero, ir.float(f64::NAN)?, y)
}

/// `k` and `m` of positive numbers.
fn parts<'c>(ir: &Ir<'c, '_>, x: Val<'c>) -> Result<(Val<'c>, Val<'c>)> {
    let (mantissa, _) = ir.width.format();
    // Numbers below the normal ones are made larger first.
    let least = ir.float(f64::from(f32::MIN_POSITIVE))?;
    let up = ir.mul(x, ir.float((mantissa as f64).exp2())?)?;
    let normal = ir.choose(FPredicate::Olt, x, least, up, x)?;
    let extra =
        ir.choose(FPredicate::Olt, x, least, ir.float(-(mantissa as f64))?, ir.float(0.0)?)?;
    let root = ir.int(ir.width.bits(std::f64::consts::FRAC_1_SQRT_2))?;
    let bits = ir.bits_of(normal)?;
    let bits = ir.subi(bits, root)?;
    let k = ir.shrsi(bits, ir.int(mantissa)?)?;
    let m = ir.andi(bits, ir.int((1 << mantissa) - 1)?)?;
    let m = ir.addi(m, root)?;
    let m = ir.float_of(m)?;
    let k = ir.float_from(k)?;
    let k = ir.add(k, extra)?;
    Ok((k, m))
}

/// The same by instructions of AVX-512.
fn wide_parts<'c>(ir: &Ir<'c, '_>, x: Val<'c>) -> Result<(Val<'c>, Val<'c>)> {
    let (k, m) = ir.exponent_and_mantissa(x)?;
    let small = ir.holds(FPredicate::Olt, m, ir.float(std::f64::consts::SQRT_2)?)?;
    let (less, more) = (ir.mul(m, ir.float(0.5)?)?, ir.add(k, ir.float(1.0)?)?);
    Ok((ir.select(small, k, more)?, ir.select(small, m, less)?))
}

/// A number as one of so many bits, for one between 1/4 and 2, and the rest.
fn apart(x: f64, bits: i32) -> (f64, f64) {
    let unit = f64::from(bits - 1).exp2();
    let high = (x * unit).round() / unit;
    (high, x - high)
}

//! What scalar operators mean: the one definition, shared by the interpreter and the simplifier,
//! and the reference for every lowering.
//!
//! `None` is the answer where the operands have the wrong types, and where the operation has no
//! meaning: division and remainder by zero.
//!
//! Decisions beyond what the operators' own documentation says:
//!
//! - `f16` is computed in `f32` and rounded; `f32` and `f64` each in themselves. `fma` rounds once
//!   at every width.
//! - `sinpi x` is `sin (pi * x)` and `asinpi x` is `asin x / pi`, both in the type's own
//!   arithmetic, likewise their relatives; `rsqrt x` is `1 / sqrt x`; `lerp a b t` is
//!   `a + (b - a) * t`; `mad a b c` is `a * b + c`, rounded twice.
//! - `round` takes ties to even.
//! - Transcendental functions are those of the host's mathematics library, so that a program
//!   gives the same when its constants are folded.

use super::op::{BinOp, CmpOp, ConvOp, MathFn, UnOp};
use super::prim::{FloatType, IntType, Prim};
use super::syntax::Exp;
use super::types::{Const, SubExp};
use ::half::f16;
use futc_typed::half;

/// A float of any width as the type it is computed in.
#[derive(Clone, Copy)]
enum Float {
    F16(f32),
    F32(f32),
    F64(f64),
}

fn float(t: FloatType, c: Const) -> Option<Float> {
    match (t, c) {
        (FloatType::F16, Const::F16(x)) => Some(Float::F16(x.to_f32())),
        (FloatType::F32, Const::F32(x)) => Some(Float::F32(x)),
        (FloatType::F64, Const::F64(x)) => Some(Float::F64(x)),
        _ => None,
    }
}

fn int(t: IntType, c: Const) -> Option<i64> {
    if c.prim() == Prim::Int(t) { c.as_int() } else { None }
}

/// The value zero-extended.
fn uint(t: IntType, c: Const) -> Option<u64> {
    if c.prim() == Prim::Int(t) { Some(c.bits()) } else { None }
}

fn boolean(c: Const) -> Option<bool> {
    match c {
        Const::Bool(b) => Some(b),
        _ => None,
    }
}

fn map_float(t: FloatType, c: Const, f32s: fn(f32) -> f32, f64s: fn(f64) -> f64) -> Option<Const> {
    Some(match float(t, c)? {
        Float::F16(x) => Const::F16(f16::from_f32(f32s(x))),
        Float::F32(x) => Const::F32(f32s(x)),
        Float::F64(x) => Const::F64(f64s(x)),
    })
}

fn zip_float(
    t: FloatType,
    a: Const,
    b: Const,
    f32s: fn(f32, f32) -> f32,
    f64s: fn(f64, f64) -> f64,
) -> Option<Const> {
    Some(match (float(t, a)?, float(t, b)?) {
        (Float::F16(x), Float::F16(y)) => Const::F16(f16::from_f32(f32s(x, y))),
        (Float::F32(x), Float::F32(y)) => Const::F32(f32s(x, y)),
        (Float::F64(x), Float::F64(y)) => Const::F64(f64s(x, y)),
        (Float::F16(_) | Float::F32(_) | Float::F64(_), _) => return None,
    })
}

macro_rules! both {
    ($t:expr, $a:expr, |$x:ident| $e:expr) => {
        map_float($t, $a, |$x: f32| $e, |$x: f64| $e)
    };
    ($t:expr, $a:expr, $b:expr, |$x:ident, $y:ident| $e:expr) => {
        zip_float($t, $a, $b, |$x: f32, $y: f32| $e, |$x: f64, $y: f64| $e)
    };
}

/// Applies a unary operator.
pub fn un_op(op: UnOp, c: Const) -> Option<Const> {
    Some(match op {
        UnOp::Not => Const::Bool(!boolean(c)?),
        UnOp::Complement(t) => Const::int(t, !int(t, c)?),
        UnOp::Neg(t) => Const::int(t, int(t, c)?.wrapping_neg()),
        UnOp::Abs(t) => Const::int(t, int(t, c)?.wrapping_abs()),
        UnOp::SSignum(t) => Const::int(t, int(t, c)?.signum()),
        UnOp::USignum(t) => Const::int(t, i64::from(uint(t, c)? != 0)),
        UnOp::FNeg(t) => both!(t, c, |x| -x)?,
        UnOp::FAbs(t) => both!(t, c, |x| x.abs())?,
        UnOp::FSignum(t) => map_float(
            t,
            c,
            |x| if x.is_nan() { x } else { f32::from(i8::from(x > 0.0) - i8::from(x < 0.0)) },
            |x| if x.is_nan() { x } else { f64::from(i8::from(x > 0.0) - i8::from(x < 0.0)) },
        )?,
    })
}

fn floor_div(a: i64, b: i64) -> i64 {
    let q = a.wrapping_div(b);
    if a.wrapping_rem(b) != 0 && (a < 0) != (b < 0) { q - 1 } else { q }
}

fn floor_mod(a: i64, b: i64) -> i64 {
    let r = a.wrapping_rem(b);
    if r != 0 && (r < 0) != (b < 0) { r + b } else { r }
}

fn pow(mut base: i64, mut exponent: u64) -> i64 {
    let mut result = 1i64;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent >>= 1;
    }
    result
}

/// Applies a binary operator.
pub fn bin_op(op: BinOp, a: Const, b: Const) -> Option<Const> {
    let signed = |t: IntType, f: fn(i64, i64) -> i64| -> Option<Const> {
        Some(Const::int(t, f(int(t, a)?, int(t, b)?)))
    };
    let unsigned = |t: IntType, f: fn(u64, u64) -> u64| -> Option<Const> {
        Some(Const::int(t, f(uint(t, a)?, uint(t, b)?) as i64))
    };
    let nonzero = |t: IntType| int(t, b).filter(|&y| y != 0);
    match op {
        BinOp::Add(t) => signed(t, i64::wrapping_add),
        BinOp::Sub(t) => signed(t, i64::wrapping_sub),
        BinOp::Mul(t) => signed(t, i64::wrapping_mul),
        BinOp::SDiv(t) => nonzero(t).and_then(|_| signed(t, floor_div)),
        BinOp::SMod(t) => nonzero(t).and_then(|_| signed(t, floor_mod)),
        BinOp::SQuot(t) => nonzero(t).and_then(|_| signed(t, i64::wrapping_div)),
        BinOp::SRem(t) => nonzero(t).and_then(|_| signed(t, i64::wrapping_rem)),
        BinOp::UDiv(t) => nonzero(t).and_then(|_| unsigned(t, |x, y| x / y)),
        BinOp::UMod(t) => nonzero(t).and_then(|_| unsigned(t, |x, y| x % y)),
        BinOp::Shl(t) => {
            let (x, y) = (uint(t, a)?, uint(t, b)?);
            Some(Const::int(t, if y >= u64::from(t.bits()) { 0 } else { (x << y) as i64 }))
        }
        BinOp::LShr(t) => {
            let (x, y) = (uint(t, a)?, uint(t, b)?);
            Some(Const::int(t, if y >= u64::from(t.bits()) { 0 } else { (x >> y) as i64 }))
        }
        BinOp::AShr(t) => {
            let (x, y) = (int(t, a)?, uint(t, b)?);
            Some(Const::int(t, x >> y.min(63)))
        }
        BinOp::And(t) => signed(t, |x, y| x & y),
        BinOp::Or(t) => signed(t, |x, y| x | y),
        BinOp::Xor(t) => signed(t, |x, y| x ^ y),
        BinOp::SMin(t) => signed(t, i64::min),
        BinOp::SMax(t) => signed(t, i64::max),
        BinOp::UMin(t) => unsigned(t, u64::min),
        BinOp::UMax(t) => unsigned(t, u64::max),
        BinOp::Pow(t) => Some(Const::int(t, pow(int(t, a)?, uint(t, b)?))),
        BinOp::FAdd(t) => both!(t, a, b, |x, y| x + y),
        BinOp::FSub(t) => both!(t, a, b, |x, y| x - y),
        BinOp::FMul(t) => both!(t, a, b, |x, y| x * y),
        BinOp::FDiv(t) => both!(t, a, b, |x, y| x / y),
        BinOp::FMod(t) => both!(t, a, b, |x, y| x % y),
        BinOp::FPow(t) => both!(t, a, b, |x, y| x.powf(y)),
        BinOp::FMin(t) => both!(t, a, b, |x, y| x.min(y)),
        BinOp::FMax(t) => both!(t, a, b, |x, y| x.max(y)),
        BinOp::LogAnd => Some(Const::Bool(boolean(a)? & boolean(b)?)),
        BinOp::LogOr => Some(Const::Bool(boolean(a)? | boolean(b)?)),
    }
}

fn float_order(t: FloatType, a: Const, b: Const) -> Option<Option<std::cmp::Ordering>> {
    Some(match (float(t, a)?, float(t, b)?) {
        (Float::F16(x), Float::F16(y)) | (Float::F32(x), Float::F32(y)) => x.partial_cmp(&y),
        (Float::F64(x), Float::F64(y)) => x.partial_cmp(&y),
        (Float::F16(_) | Float::F32(_) | Float::F64(_), _) => return None,
    })
}

/// Applies a comparison.
pub fn cmp_op(op: CmpOp, a: Const, b: Const) -> Option<bool> {
    Some(match op {
        CmpOp::Eq(p) => {
            if a.prim() != p || b.prim() != p {
                return None;
            }
            match p {
                Prim::Bool | Prim::Int(_) => a.bits() == b.bits(),
                Prim::Float(t) => float_order(t, a, b)?.is_some_and(|o| o.is_eq()),
            }
        }
        CmpOp::ULt(t) => uint(t, a)? < uint(t, b)?,
        CmpOp::ULe(t) => uint(t, a)? <= uint(t, b)?,
        CmpOp::SLt(t) => int(t, a)? < int(t, b)?,
        CmpOp::SLe(t) => int(t, a)? <= int(t, b)?,
        CmpOp::FLt(t) => float_order(t, a, b)?.is_some_and(|o| o.is_lt()),
        CmpOp::FLe(t) => float_order(t, a, b)?.is_some_and(|o| o.is_le()),
        CmpOp::LLt => !boolean(a)? & boolean(b)?,
        CmpOp::LLe => !boolean(a)? | boolean(b)?,
    })
}

/// An `f64` with exactly the value of the constant.
fn widen(t: FloatType, c: Const) -> Option<f64> {
    Some(match float(t, c)? {
        Float::F16(x) | Float::F32(x) => f64::from(x),
        Float::F64(x) => x,
    })
}

fn narrow(t: FloatType, x: f64) -> Const {
    match t {
        FloatType::F16 => Const::F16(half::from_f64(x)),
        FloatType::F32 => Const::F32(x as f32),
        FloatType::F64 => Const::F64(x),
    }
}

/// Rust's `as` truncates and saturates.
fn saturate_signed(t: IntType, x: f64) -> i64 {
    match t {
        IntType::I8 => i64::from(x as i8),
        IntType::I16 => i64::from(x as i16),
        IntType::I32 => i64::from(x as i32),
        IntType::I64 => x as i64,
    }
}

fn saturate_unsigned(t: IntType, x: f64) -> u64 {
    match t {
        IntType::I8 => u64::from(x as u8),
        IntType::I16 => u64::from(x as u16),
        IntType::I32 => u64::from(x as u32),
        IntType::I64 => x as u64,
    }
}

/// Applies a conversion.
pub fn conv_op(op: ConvOp, c: Const) -> Option<Const> {
    Some(match op {
        ConvOp::ZExt(a, b) => Const::int(b, uint(a, c)? as i64),
        ConvOp::SExt(a, b) => Const::int(b, int(a, c)?),
        ConvOp::FPConv(a, b) => {
            if a == b {
                float(a, c)?;
                c
            } else {
                narrow(b, widen(a, c)?)
            }
        }
        ConvOp::FPToUI(a, b) => {
            let x = widen(a, c)?;
            if x.is_finite() && x >= 0.0 {
                Const::int(b, saturate_unsigned(b, x) as i64)
            } else {
                return conv_op(ConvOp::FPToSI(a, b), c);
            }
        }
        ConvOp::FPToSI(a, b) => {
            let x = widen(a, c)?;
            Const::int(b, if x.is_finite() { saturate_signed(b, x) } else { 0 })
        }
        // Straight to the width asked for: going by way of f64 would round twice.
        ConvOp::UIToFP(a, b) => {
            let x = uint(a, c)?;
            match b {
                FloatType::F16 => Const::F16(f16::from_f32(x as f32)),
                FloatType::F32 => Const::F32(x as f32),
                FloatType::F64 => Const::F64(x as f64),
            }
        }
        ConvOp::SIToFP(a, b) => {
            let x = int(a, c)?;
            match b {
                FloatType::F16 => Const::F16(f16::from_f32(x as f32)),
                FloatType::F32 => Const::F32(x as f32),
                FloatType::F64 => Const::F64(x as f64),
            }
        }
        ConvOp::IToB(a) => Const::Bool(int(a, c)? != 0),
        ConvOp::BToI(a) => Const::int(a, i64::from(boolean(c)?)),
        ConvOp::FToB(a) => Const::Bool(widen(a, c)? != 0.0),
        ConvOp::BToF(a) => narrow(a, f64::from(u8::from(boolean(c)?))),
        ConvOp::FToBits(_) | ConvOp::BitsToF(_) => {
            let (from, to) = op.types();
            if c.prim() != from {
                return None;
            }
            Const::from_bits(to, c.bits())
        }
    })
}

/// The neighbour of `x` in the direction of `y`, on the bits of a float with `width` bits.
fn next_after_bits(x: u64, width: u32, up: bool) -> u64 {
    let sign = 1u64 << (width - 1);
    if x & !sign == 0 {
        return if up { 1 } else { sign | 1 };
    }
    if (x & sign == 0) == up { x + 1 } else { x - 1 }
}

fn next_after(t: FloatType, a: Const, b: Const) -> Option<Const> {
    let (x, y) = (widen(t, a)?, widen(t, b)?);
    if x.is_nan() {
        return Some(a);
    }
    if y.is_nan() || x == y {
        return Some(b);
    }
    Some(Const::from_bits(Prim::Float(t), next_after_bits(a.bits(), t.bits(), y > x)))
}

fn float_fn(f: MathFn, t: FloatType, xs: &[Const]) -> Option<Const> {
    use std::f32::consts::PI as PI32;
    use std::f64::consts::PI as PI64;
    let &x = xs.first()?;
    let y = xs.get(1).copied();
    let z = xs.get(2).copied();
    match f {
        MathFn::Sqrt => both!(t, x, |x| x.sqrt()),
        MathFn::Rsqrt => both!(t, x, |x| 1.0 / x.sqrt()),
        MathFn::Cbrt => both!(t, x, |x| x.cbrt()),
        MathFn::Exp => both!(t, x, |x| x.exp()),
        MathFn::Log => both!(t, x, |x| x.ln()),
        MathFn::Log2 => both!(t, x, |x| x.log2()),
        MathFn::Log10 => both!(t, x, |x| x.log10()),
        MathFn::Log1p => both!(t, x, |x| x.ln_1p()),
        MathFn::Sin => both!(t, x, |x| x.sin()),
        MathFn::Cos => both!(t, x, |x| x.cos()),
        MathFn::Tan => both!(t, x, |x| x.tan()),
        MathFn::SinPi => map_float(t, x, |x| (PI32 * x).sin(), |x| (PI64 * x).sin()),
        MathFn::CosPi => map_float(t, x, |x| (PI32 * x).cos(), |x| (PI64 * x).cos()),
        MathFn::TanPi => map_float(t, x, |x| (PI32 * x).tan(), |x| (PI64 * x).tan()),
        MathFn::Asin => both!(t, x, |x| x.asin()),
        MathFn::Acos => both!(t, x, |x| x.acos()),
        MathFn::Atan => both!(t, x, |x| x.atan()),
        MathFn::AsinPi => map_float(t, x, |x| x.asin() / PI32, |x| x.asin() / PI64),
        MathFn::AcosPi => map_float(t, x, |x| x.acos() / PI32, |x| x.acos() / PI64),
        MathFn::AtanPi => map_float(t, x, |x| x.atan() / PI32, |x| x.atan() / PI64),
        MathFn::Sinh => both!(t, x, |x| x.sinh()),
        MathFn::Cosh => both!(t, x, |x| x.cosh()),
        MathFn::Tanh => both!(t, x, |x| x.tanh()),
        // Rust's own inverse hyperbolic functions are formulas, less exact than the library's.
        MathFn::Asinh => map_float(t, x, libm::asinhf, libm::asinh),
        // Theirs gives numbers where there is no result.
        MathFn::Acosh => map_float(
            t,
            x,
            |x| if x < 1.0 { f32::NAN } else { libm::acoshf(x) },
            |x| if x < 1.0 { f64::NAN } else { libm::acosh(x) },
        ),
        MathFn::Atanh => map_float(t, x, libm::atanhf, libm::atanh),
        MathFn::Atan2 => both!(t, x, y?, |x, y| x.atan2(y)),
        MathFn::Atan2Pi => zip_float(t, x, y?, |x, y| x.atan2(y) / PI32, |x, y| x.atan2(y) / PI64),
        MathFn::Hypot => both!(t, x, y?, |x, y| x.hypot(y)),
        MathFn::Gamma => map_float(t, x, libm::tgammaf, libm::tgamma),
        MathFn::Lgamma => map_float(t, x, |x| libm::lgamma(f64::from(x)) as f32, libm::lgamma),
        MathFn::Erf => map_float(t, x, libm::erff, libm::erf),
        MathFn::Erfc => map_float(t, x, libm::erfcf, libm::erfc),
        MathFn::Ceil => both!(t, x, |x| x.ceil()),
        MathFn::Floor => both!(t, x, |x| x.floor()),
        MathFn::Trunc => both!(t, x, |x| x.trunc()),
        MathFn::Round => both!(t, x, |x| x.round_ties_even()),
        MathFn::Lerp => {
            let (x, y, z) = (x, y?, z?);
            let d = bin_op(BinOp::FSub(t), y, x)?;
            bin_op(BinOp::FAdd(t), x, bin_op(BinOp::FMul(t), d, z)?)
        }
        MathFn::Mad => bin_op(BinOp::FAdd(t), bin_op(BinOp::FMul(t), x, y?)?, z?),
        MathFn::Fma => Some(match (float(t, x)?, float(t, y?)?, float(t, z?)?) {
            // The product of two f16 is exact in f64, and so is nearly every sum.
            (Float::F16(x), Float::F16(y), Float::F16(z)) => {
                Const::F16(half::from_f64(f64::from(x).mul_add(f64::from(y), f64::from(z))))
            }
            (Float::F32(x), Float::F32(y), Float::F32(z)) => Const::F32(x.mul_add(y, z)),
            (Float::F64(x), Float::F64(y), Float::F64(z)) => Const::F64(x.mul_add(y, z)),
            (Float::F16(_) | Float::F32(_) | Float::F64(_), _, _) => return None,
        }),
        MathFn::NextAfter => next_after(t, x, y?),
        MathFn::Ldexp => {
            let n = i32::try_from(int(IntType::I32, y?)?).ok()?;
            match float(t, x)? {
                Float::F16(x) => Some(Const::F16(half::from_f64(libm::scalbn(f64::from(x), n)))),
                Float::F32(x) => Some(Const::F32(libm::scalbnf(x, n))),
                Float::F64(x) => Some(Const::F64(libm::scalbn(x, n))),
            }
        }
        MathFn::CopySign => both!(t, x, y?, |x, y| x.copysign(y)),
        MathFn::IsNan => Some(Const::Bool(widen(t, x)?.is_nan())),
        MathFn::IsInf => Some(Const::Bool(widen(t, x)?.is_infinite())),
        MathFn::Popc
        | MathFn::Clz
        | MathFn::Ctz
        | MathFn::SMulHi
        | MathFn::UMulHi
        | MathFn::SMadHi
        | MathFn::UMadHi => None,
    }
}

fn signed_mul_hi(t: IntType, a: i64, b: i64) -> i64 {
    ((i128::from(a) * i128::from(b)) >> t.bits()) as i64
}

fn unsigned_mul_hi(t: IntType, a: u64, b: u64) -> i64 {
    ((u128::from(a) * u128::from(b)) >> t.bits()) as i64
}

fn int_fn(f: MathFn, t: IntType, xs: &[Const]) -> Option<Const> {
    let &x = xs.first()?;
    let y = xs.get(1).copied();
    let z = xs.get(2).copied();
    let count = |n: u32| Some(Const::I32(n as i32));
    match f {
        MathFn::Popc => count(uint(t, x)?.count_ones()),
        MathFn::Clz => count(uint(t, x)?.leading_zeros() - (64 - t.bits())),
        MathFn::Ctz => count(uint(t, x)?.trailing_zeros().min(t.bits())),
        MathFn::SMulHi => Some(Const::int(t, signed_mul_hi(t, int(t, x)?, int(t, y?)?))),
        MathFn::UMulHi => Some(Const::int(t, unsigned_mul_hi(t, uint(t, x)?, uint(t, y?)?))),
        MathFn::SMadHi => {
            let hi = signed_mul_hi(t, int(t, x)?, int(t, y?)?);
            Some(Const::int(t, hi.wrapping_add(int(t, z?)?)))
        }
        MathFn::UMadHi => {
            let hi = unsigned_mul_hi(t, uint(t, x)?, uint(t, y?)?);
            Some(Const::int(t, hi.wrapping_add(int(t, z?)?)))
        }
        _ => None,
    }
}

/// What a scalar expression comes to, of operands that have these values; of others, nothing.
pub fn scalar(exp: &Exp, value: impl Fn(SubExp) -> Option<Const>) -> Option<Const> {
    match exp {
        Exp::SubExp(x) => value(*x),
        Exp::UnOp(op, x) => un_op(*op, value(*x)?),
        Exp::BinOp(op, x, y) => bin_op(*op, value(*x)?, value(*y)?),
        Exp::CmpOp(op, x, y) => cmp_op(*op, value(*x)?, value(*y)?).map(Const::Bool),
        Exp::ConvOp(op, x) => conv_op(*op, value(*x)?),
        Exp::Math(f, ty, xs) => {
            let xs: Vec<Const> = xs.iter().map(|x| value(*x)).collect::<Option<_>>()?;
            math_fn(*f, *ty, &xs)
        }
        _ => None,
    }
}

/// Applies a scalar function at a type.
pub fn math_fn(f: MathFn, ty: Prim, xs: &[Const]) -> Option<Const> {
    if xs.len() != f.arity() {
        return None;
    }
    match ty {
        Prim::Float(t) => float_fn(f, t, xs),
        Prim::Int(t) => int_fn(f, t, xs),
        Prim::Bool => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{FloatType::*, IntType::*};

    fn bin(op: BinOp, a: Const, b: Const) -> Const {
        bin_op(op, a, b).unwrap_or(Const::Bool(false))
    }

    #[test]
    fn integer_arithmetic_wraps() {
        assert_eq!(bin(BinOp::Add(I8), Const::I8(127), Const::I8(1)), Const::I8(-128));
        assert_eq!(bin(BinOp::Mul(I32), Const::I32(1 << 30), Const::I32(4)), Const::I32(0));
        assert_eq!(
            bin(BinOp::SDiv(I64), Const::I64(i64::MIN), Const::I64(-1)),
            Const::I64(i64::MIN)
        );
        assert_eq!(bin(BinOp::SQuot(I8), Const::I8(-128), Const::I8(-1)), Const::I8(-128));
        assert_eq!(bin(BinOp::SMod(I8), Const::I8(-128), Const::I8(-1)), Const::I8(0));
        assert_eq!(un_op(UnOp::Abs(I16), Const::I16(i16::MIN)), Some(Const::I16(i16::MIN)));
    }

    #[test]
    fn division_rounds_down_and_quotient_towards_zero() {
        for (a, b, d, m, q, r) in [
            (7, 3, 2, 1, 2, 1),
            (-7, 3, -3, 2, -2, -1),
            (7, -3, -3, -2, -2, 1),
            (-7, -3, 2, -1, 2, -1),
        ] {
            let (a, b) = (Const::I32(a), Const::I32(b));
            assert_eq!(bin(BinOp::SDiv(I32), a, b), Const::I32(d));
            assert_eq!(bin(BinOp::SMod(I32), a, b), Const::I32(m));
            assert_eq!(bin(BinOp::SQuot(I32), a, b), Const::I32(q));
            assert_eq!(bin(BinOp::SRem(I32), a, b), Const::I32(r));
        }
        assert_eq!(bin_op(BinOp::SDiv(I32), Const::I32(1), Const::I32(0)), None);
        assert_eq!(bin(BinOp::UDiv(I8), Const::I8(-1), Const::I8(2)), Const::I8(127));
    }

    #[test]
    fn shifts_beyond_the_width() {
        assert_eq!(bin(BinOp::Shl(I8), Const::I8(1), Const::I8(8)), Const::I8(0));
        assert_eq!(bin(BinOp::LShr(I8), Const::I8(-1), Const::I8(7)), Const::I8(1));
        assert_eq!(bin(BinOp::AShr(I64), Const::I64(-5), Const::I64(64)), Const::I64(-1));
        assert_eq!(bin(BinOp::AShr(I8), Const::I8(-128), Const::I8(-1)), Const::I8(-1));
    }

    #[test]
    fn floats_to_integers_saturate() {
        let to = |t, x| conv_op(ConvOp::FPToSI(F64, t), Const::F64(x));
        assert_eq!(to(I8, 300.7), Some(Const::I8(127)));
        assert_eq!(to(I64, f64::NAN), Some(Const::I64(0)));
        assert_eq!(to(I32, -2.9), Some(Const::I32(-2)));
        assert_eq!(to(I32, f64::INFINITY), Some(Const::I32(0)));
        assert_eq!(conv_op(ConvOp::FPToUI(F32, I8), Const::F32(-1.0)), Some(Const::I8(-1)));
        assert_eq!(conv_op(ConvOp::FPToUI(F32, I8), Const::F32(-300.0)), Some(Const::I8(-128)));
        assert_eq!(conv_op(ConvOp::FPToUI(F32, I8), Const::F32(300.0)), Some(Const::I8(-1)));
        assert_eq!(conv_op(ConvOp::FPToUI(F32, I8), Const::F32(255.0)), Some(Const::I8(-1)));
    }

    #[test]
    fn floats_follow_c() {
        assert_eq!(bin(BinOp::FMod(F64), Const::F64(-5.5), Const::F64(2.0)), Const::F64(-1.5));
        assert_eq!(bin(BinOp::FMin(F32), Const::F32(f32::NAN), Const::F32(1.0)), Const::F32(1.0));
        assert_eq!(
            cmp_op(CmpOp::Eq(Prim::Float(F64)), Const::F64(0.0), Const::F64(-0.0)),
            Some(true)
        );
        assert_eq!(
            cmp_op(CmpOp::FLe(F64), Const::F64(f64::NAN), Const::F64(f64::NAN)),
            Some(false)
        );
        let m = |f, xs: &[Const]| math_fn(f, Prim::Float(F64), xs);
        assert_eq!(m(MathFn::Round, &[Const::F64(2.5)]), Some(Const::F64(2.0)));
        assert_eq!(m(MathFn::Gamma, &[Const::F64(5.0)]), Some(Const::F64(24.0)));
        assert_eq!(
            m(MathFn::NextAfter, &[Const::F64(0.0), Const::F64(-1.0)]),
            Some(Const::F64(-5e-324))
        );
        assert_eq!(m(MathFn::Ldexp, &[Const::F64(1.5), Const::I32(3)]), Some(Const::F64(12.0)));
    }

    #[test]
    fn bit_counts_and_high_products() {
        let f = |f, t, xs: &[Const]| math_fn(f, Prim::Int(t), xs);
        assert_eq!(f(MathFn::Clz, I8, &[Const::I8(1)]), Some(Const::I32(7)));
        assert_eq!(f(MathFn::Ctz, I16, &[Const::I16(0)]), Some(Const::I32(16)));
        assert_eq!(f(MathFn::Popc, I32, &[Const::I32(-1)]), Some(Const::I32(32)));
        assert_eq!(f(MathFn::UMulHi, I8, &[Const::I8(-1), Const::I8(-1)]), Some(Const::I8(-2)));
        assert_eq!(f(MathFn::SMulHi, I8, &[Const::I8(-1), Const::I8(-1)]), Some(Const::I8(0)));
    }

    #[test]
    fn halves_round_once() {
        let h = |x: f32| Const::F16(f16::from_f32(x));
        assert_eq!(bin(BinOp::FAdd(F16), h(2048.0), h(1.0)), h(2048.0));
        assert_eq!(conv_op(ConvOp::SIToFP(I32, F16), Const::I32(70000)), Some(h(f32::INFINITY)));
    }

    #[test]
    fn functions_have_no_value_outside_of_their_domain() {
        let outside = |f, x: f64| {
            for (t, x) in [
                (F16, Const::F16(half::from_f64(x))),
                (F32, Const::F32(x as f32)),
                (F64, Const::F64(x)),
            ] {
                let y = math_fn(f, Prim::Float(t), &[x]).and_then(|y| widen(t, y));
                assert!(y.is_some_and(f64::is_nan), "{f:?} {x:?} is {y:?}");
            }
        };
        for x in [-1e4, -100.0, -2.0, -1.0, -0.5, 0.0, 0.5] {
            outside(MathFn::Acosh, x);
        }
        for x in [-100.0, -1.5, 1.5, 100.0] {
            outside(MathFn::Atanh, x);
            outside(MathFn::Asin, x);
            outside(MathFn::Acos, x);
        }
        for x in [-100.0, -1.5] {
            outside(MathFn::Log, x);
            outside(MathFn::Log1p, x);
            outside(MathFn::Sqrt, x);
        }
    }

    #[test]
    fn wrong_types_have_no_answer() {
        assert_eq!(bin_op(BinOp::Add(I32), Const::I64(1), Const::I32(1)), None);
        assert_eq!(un_op(UnOp::Not, Const::I32(1)), None);
    }
}

//! The values of literals at their types.
//!
//! A literal whose type is inferred must be in its range, with its minus if it has one: as an `i8`,
//! `-128` is, `128` is not. A float literal is rounded, and must not become infinite. A literal with
//! a suffix overflows, as the guide has it: `257u8` is `1u8`. It is warned of, but for those in
//! hexadecimal or binary that give the bits of the value, as `0xffi8`, and the negation of what is
//! unsigned, as `-1u8`.

use super::errors::FinishError;
use crate::check::infer::checker::Checker;
use crate::syntax::ast::Literal;
use futc_typed::prim::{PrimType, PrimValue};
use futc_typed::types::Type;
use half::f16;

impl Checker<'_> {
    /// The value of the literal of that number; reports it if its type has no such value.
    pub(crate) fn literal_value(&mut self, index: usize, ty: &Type) -> PrimValue {
        let Some((literal, at)) = self.literals.get(index) else { return PrimValue::Bool(false) };
        let Type::Prim(p) = ty else {
            // A mismatch, reported where it was found.
            self.failed = true;
            return PrimValue::Bool(false);
        };
        if let Some(value) = literal_of(literal, *p) {
            return value;
        }
        let written = crate::check::infer::show_ast::literal(literal);
        if let Some(value) = overflowed(literal) {
            if !is_negation_of_unsigned(literal) && !self.cx.applying {
                let (value, range) = (value.to_string(), range(*p));
                self.cx.warn(FinishError::Overflows { written, ty: *p, value, range }.at(*at));
            }
            return value;
        }
        let bits = p.is_int()
            && matches!(literal, Literal::Int { negative: false, bits: true, suffix: None, .. });
        let range = range(*p);
        self.report(FinishError::OutOfBounds { written, ty: *p, range, bits }.at(*at));
        PrimValue::Bool(false)
    }
}

/// The bounds of a type, in words.
fn range(p: PrimType) -> String {
    match p {
        PrimType::F16 => format!("the largest finite f16 is {}", f16::MAX),
        PrimType::F32 => format!("the largest finite f32 is {:?}", f32::MAX),
        PrimType::F64 => format!("the largest finite f64 is {:?}", f64::MAX),
        PrimType::Bool => "a bool is true or false".to_owned(),
        _ => {
            let (low, high) = bounds(p);
            format!("a value of type {p} is from {low} to {high}")
        }
    }
}

/// The least and the greatest value of an integer type.
fn bounds(p: PrimType) -> (i128, i128) {
    if p.is_signed() {
        let half = 1i128 << (p.bits() - 1);
        (-half, half - 1)
    } else {
        (0, (1i128 << p.bits()) - 1)
    }
}

/// The value of a literal at a type, if it has one there.
fn literal_of(literal: &Literal, p: PrimType) -> Option<PrimValue> {
    match literal {
        Literal::Bool(b) => (p == PrimType::Bool).then_some(PrimValue::Bool(*b)),
        Literal::Char(c) if p.is_float() => float(&u32::from(*c).to_string(), false, p),
        Literal::Char(c) => integer(i128::from(u32::from(*c)), p),
        Literal::Int { negative, digits, .. } if p.is_float() => float(digits, *negative, p),
        Literal::Int { negative, digits, suffix, bits } => {
            let magnitude: i128 = digits.parse().ok()?;
            if *bits && suffix.is_some() && !*negative && magnitude < 1 << p.bits() {
                return Some(truncated(magnitude as u64, p));
            }
            integer(if *negative { -magnitude } else { magnitude }, p)
        }
        Literal::Float { negative, text, .. } => float(text, *negative, p),
    }
}

/// The value of a literal with a suffix that is not in the range of that type.
fn overflowed(literal: &Literal) -> Option<PrimValue> {
    let (Literal::Int { suffix: Some(p), .. } | Literal::Float { suffix: Some(p), .. }) = literal
    else {
        return None;
    };
    match (literal, p) {
        (Literal::Int { digits, negative, .. }, p) if p.is_int() => {
            let low = digits.bytes().fold(0u64, |low, digit| {
                low.wrapping_mul(10).wrapping_add(u64::from(digit.wrapping_sub(b'0')))
            });
            Some(truncated(if *negative { low.wrapping_neg() } else { low }, *p))
        }
        (Literal::Int { negative, .. } | Literal::Float { negative, .. }, p) => {
            let x = if *negative { f64::NEG_INFINITY } else { f64::INFINITY };
            match p {
                PrimType::F16 => Some(PrimValue::F16(f16::from_f64(x))),
                PrimType::F32 => Some(PrimValue::F32(x as f32)),
                PrimType::F64 => Some(PrimValue::F64(x)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether this is a minus before a literal in the range of an unsigned type.
fn is_negation_of_unsigned(literal: &Literal) -> bool {
    let Literal::Int { negative: true, digits, suffix: Some(p), .. } = literal else {
        return false;
    };
    let magnitude = digits.parse::<i128>();
    p.is_int() && !p.is_signed() && magnitude.is_ok_and(|m| m <= bounds(*p).1)
}

fn integer(value: i128, p: PrimType) -> Option<PrimValue> {
    if !p.is_int() {
        return None;
    }
    let (low, high) = bounds(p);
    (low <= value && value <= high).then(|| truncated(value as u64, p))
}

/// The value with these bits.
fn truncated(bits: u64, p: PrimType) -> PrimValue {
    match p {
        PrimType::I8 => PrimValue::I8(bits as i8),
        PrimType::I16 => PrimValue::I16(bits as i16),
        PrimType::I32 => PrimValue::I32(bits as i32),
        PrimType::I64 => PrimValue::I64(bits as i64),
        PrimType::U8 => PrimValue::U8(bits as u8),
        PrimType::U16 => PrimValue::U16(bits as u16),
        PrimType::U32 => PrimValue::U32(bits as u32),
        PrimType::U64 => PrimValue::U64(bits),
        PrimType::F16 => PrimValue::F16(f16::from_bits(bits as u16)),
        PrimType::F32 => PrimValue::F32(f32::from_bits(bits as u32)),
        PrimType::F64 => PrimValue::F64(f64::from_bits(bits)),
        PrimType::Bool => PrimValue::Bool(bits != 0),
    }
}

fn float(text: &str, negative: bool, p: PrimType) -> Option<PrimValue> {
    match p {
        PrimType::F16 => {
            let x = futc_typed::half::from_decimal(text)?;
            x.is_finite().then_some(PrimValue::F16(if negative { -x } else { x }))
        }
        PrimType::F32 => {
            let x: f32 = text.parse().ok()?;
            x.is_finite().then_some(PrimValue::F32(if negative { -x } else { x }))
        }
        PrimType::F64 => {
            let x: f64 = text.parse().ok()?;
            x.is_finite().then_some(PrimValue::F64(if negative { -x } else { x }))
        }
        _ => None,
    }
}

//! The values of literals at their types.
//!
//! A literal must be in the range of its type, with its minus if it has one: `-128i8` is, `128i8`
//! is not. One in hexadecimal or binary with an integer type for its suffix may also give the bits
//! of the value: `0xffi8` is `-1i8`. A float literal is rounded, and must not become infinite.

use super::terms::Checker;
use crate::diag::Diagnostic;
use crate::syntax::ast::Literal;
use futc_typed::prim::{PrimType, PrimValue};
use futc_typed::types::Type;
use half::f16;

impl Checker<'_> {
    /// The value of the literal of that number; reports it if its type has no such value.
    pub(super) fn literal_value(&mut self, index: usize, ty: &Type) -> PrimValue {
        let Some((literal, at)) = self.literals.get(index) else { return PrimValue::Bool(false) };
        let Type::Prim(p) = ty else {
            // A mismatch, reported where it was found.
            self.failed = true;
            return PrimValue::Bool(false);
        };
        if let Some(value) = literal_of(literal, *p) {
            return value;
        }
        let written = super::show_ast::literal(literal);
        let mut d = Diagnostic::error(
            "literal-out-of-bounds",
            *at,
            format!("the literal {written} is out of bounds for type {p}"),
        )
        .hint(range(*p));
        if let Literal::Int { negative: false, bits: true, suffix: None, .. } = literal
            && p.is_int()
        {
            d = d.hint(format!("write {written}{p} if these are the bits of the value"));
        }
        self.report(d);
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
            let x = f16::from_f64(text.parse().ok()?);
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

//! Primitive types and values of the source language (guide, "Primitive Types").

use ::half::f16;
use std::fmt;

/// A primitive type of the source language.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum PrimType {
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    F32,
    F64,
    Bool,
}

impl PrimType {
    /// All of them, in the order of the guide.
    pub const ALL: [PrimType; 12] = [
        PrimType::I8,
        PrimType::I16,
        PrimType::I32,
        PrimType::I64,
        PrimType::U8,
        PrimType::U16,
        PrimType::U32,
        PrimType::U64,
        PrimType::F16,
        PrimType::F32,
        PrimType::F64,
        PrimType::Bool,
    ];

    /// The name in source text.
    pub fn name(self) -> &'static str {
        match self {
            PrimType::I8 => "i8",
            PrimType::I16 => "i16",
            PrimType::I32 => "i32",
            PrimType::I64 => "i64",
            PrimType::U8 => "u8",
            PrimType::U16 => "u16",
            PrimType::U32 => "u32",
            PrimType::U64 => "u64",
            PrimType::F16 => "f16",
            PrimType::F32 => "f32",
            PrimType::F64 => "f64",
            PrimType::Bool => "bool",
        }
    }

    /// The type of that name.
    pub fn from_name(name: &str) -> Option<PrimType> {
        PrimType::ALL.into_iter().find(|t| t.name() == name)
    }

    /// Signed integer.
    pub fn is_signed(self) -> bool {
        matches!(self, PrimType::I8 | PrimType::I16 | PrimType::I32 | PrimType::I64)
    }

    /// Unsigned integer.
    pub fn is_unsigned(self) -> bool {
        matches!(self, PrimType::U8 | PrimType::U16 | PrimType::U32 | PrimType::U64)
    }

    /// Any integer.
    pub fn is_int(self) -> bool {
        self.is_signed() || self.is_unsigned()
    }

    /// Any float.
    pub fn is_float(self) -> bool {
        matches!(self, PrimType::F16 | PrimType::F32 | PrimType::F64)
    }

    /// Width in bits; a `bool` takes 8 in memory.
    pub fn bits(self) -> u32 {
        match self {
            PrimType::I8 | PrimType::U8 | PrimType::Bool => 8,
            PrimType::I16 | PrimType::U16 | PrimType::F16 => 16,
            PrimType::I32 | PrimType::U32 | PrimType::F32 => 32,
            PrimType::I64 | PrimType::U64 | PrimType::F64 => 64,
        }
    }
}

impl fmt::Display for PrimType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A primitive value. Floats compare and hash by bits, so that a program holding them can be a
/// key.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum PrimValue {
    I8(i8),
    I16(i16),
    I32(i32),
    I64(i64),
    U8(u8),
    U16(u16),
    U32(u32),
    U64(u64),
    F16(f16),
    F32(f32),
    F64(f64),
    Bool(bool),
}

impl PrimValue {
    /// Its type.
    pub fn ty(self) -> PrimType {
        match self {
            PrimValue::I8(_) => PrimType::I8,
            PrimValue::I16(_) => PrimType::I16,
            PrimValue::I32(_) => PrimType::I32,
            PrimValue::I64(_) => PrimType::I64,
            PrimValue::U8(_) => PrimType::U8,
            PrimValue::U16(_) => PrimType::U16,
            PrimValue::U32(_) => PrimType::U32,
            PrimValue::U64(_) => PrimType::U64,
            PrimValue::F16(_) => PrimType::F16,
            PrimValue::F32(_) => PrimType::F32,
            PrimValue::F64(_) => PrimType::F64,
            PrimValue::Bool(_) => PrimType::Bool,
        }
    }

    /// The bits, zero-extended.
    pub fn bits(self) -> u64 {
        match self {
            PrimValue::I8(x) => u64::from(x as u8),
            PrimValue::I16(x) => u64::from(x as u16),
            PrimValue::I32(x) => u64::from(x as u32),
            PrimValue::I64(x) => x as u64,
            PrimValue::U8(x) => u64::from(x),
            PrimValue::U16(x) => u64::from(x),
            PrimValue::U32(x) => u64::from(x),
            PrimValue::U64(x) => x,
            PrimValue::F16(x) => u64::from(x.to_bits()),
            PrimValue::F32(x) => u64::from(x.to_bits()),
            PrimValue::F64(x) => x.to_bits(),
            PrimValue::Bool(x) => u64::from(x),
        }
    }
}

impl PartialEq for PrimValue {
    fn eq(&self, other: &PrimValue) -> bool {
        self.ty() == other.ty() && self.bits() == other.bits()
    }
}

impl Eq for PrimValue {}

impl std::hash::Hash for PrimValue {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.ty().hash(state);
        self.bits().hash(state);
    }
}

impl fmt::Display for PrimValue {
    /// Source syntax with a type suffix, such as `3i32`, `-1.5f64`, `f32.nan`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn float(f: &mut fmt::Formatter<'_>, ty: &str, x: f64, text: String) -> fmt::Result {
            if x.is_nan() {
                write!(f, "{ty}.nan")
            } else if x.is_infinite() {
                write!(f, "{}{ty}.inf", if x < 0.0 { "-" } else { "" })
            } else {
                write!(f, "{text}{ty}")
            }
        }
        match *self {
            PrimValue::I8(x) => write!(f, "{x}i8"),
            PrimValue::I16(x) => write!(f, "{x}i16"),
            PrimValue::I32(x) => write!(f, "{x}i32"),
            PrimValue::I64(x) => write!(f, "{x}i64"),
            PrimValue::U8(x) => write!(f, "{x}u8"),
            PrimValue::U16(x) => write!(f, "{x}u16"),
            PrimValue::U32(x) => write!(f, "{x}u32"),
            PrimValue::U64(x) => write!(f, "{x}u64"),
            PrimValue::F16(x) => float(f, "f16", x.to_f64(), format!("{:?}", x.to_f32())),
            PrimValue::F32(x) => float(f, "f32", f64::from(x), format!("{x:?}")),
            PrimValue::F64(x) => float(f, "f64", x, format!("{x:?}")),
            PrimValue::Bool(x) => write!(f, "{x}"),
        }
    }
}

//! Primitive types.

use std::fmt;

/// An integer width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum IntType {
    I8,
    I16,
    I32,
    I64,
}

impl IntType {
    /// Every width.
    pub const ALL: [IntType; 4] = [IntType::I8, IntType::I16, IntType::I32, IntType::I64];

    /// Width in bits.
    pub fn bits(self) -> u32 {
        match self {
            IntType::I8 => 8,
            IntType::I16 => 16,
            IntType::I32 => 32,
            IntType::I64 => 64,
        }
    }
}

impl fmt::Display for IntType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "i{}", self.bits())
    }
}

/// A float width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum FloatType {
    F16,
    F32,
    F64,
}

impl FloatType {
    /// Every width.
    pub const ALL: [FloatType; 3] = [FloatType::F16, FloatType::F32, FloatType::F64];

    /// Width in bits.
    pub fn bits(self) -> u32 {
        match self {
            FloatType::F16 => 16,
            FloatType::F32 => 32,
            FloatType::F64 => 64,
        }
    }
}

impl fmt::Display for FloatType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "f{}", self.bits())
    }
}

/// A primitive type. Integers have no sign.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Prim {
    /// One byte in memory, 0 or 1.
    Bool,
    /// An integer.
    Int(IntType),
    /// A float.
    Float(FloatType),
}

impl Prim {
    /// `i64`, the type of every size and index.
    pub const I64: Prim = Prim::Int(IntType::I64);

    /// Bytes in memory.
    pub fn bytes(self) -> i64 {
        match self {
            Prim::Bool => 1,
            Prim::Int(t) => i64::from(t.bits()) / 8,
            Prim::Float(t) => i64::from(t.bits()) / 8,
        }
    }
}

impl fmt::Display for Prim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Prim::Bool => f.write_str("bool"),
            Prim::Int(t) => t.fmt(f),
            Prim::Float(t) => t.fmt(f),
        }
    }
}

//! Variables, constants, types, and where arrays lie in memory.

use super::prim::{FloatType, IntType, Prim};
use futc_typed::name::Name;
use half::f16;
use std::fmt;

/// A variable. Prints as `base_tag`; the tag alone identifies it.
#[derive(Clone, Copy, Debug)]
pub struct Var {
    /// For readers.
    pub base: Name,
    /// Unique in the program.
    pub tag: u32,
}

impl PartialEq for Var {
    fn eq(&self, other: &Var) -> bool {
        self.tag == other.tag
    }
}
impl Eq for Var {}
impl std::hash::Hash for Var {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.tag.hash(state);
    }
}
impl PartialOrd for Var {
    fn partial_cmp(&self, other: &Var) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Var {
    fn cmp(&self, other: &Var) -> std::cmp::Ordering {
        self.tag.cmp(&other.tag)
    }
}
impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.base, self.tag)
    }
}

/// A constant. Floats compare and hash by bits.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Const {
    Bool(bool),
    I8(i8),
    I16(i16),
    I32(i32),
    I64(i64),
    F16(f16),
    F32(f32),
    F64(f64),
}

impl Const {
    /// Its type.
    pub fn prim(self) -> Prim {
        match self {
            Const::Bool(_) => Prim::Bool,
            Const::I8(_) => Prim::Int(IntType::I8),
            Const::I16(_) => Prim::Int(IntType::I16),
            Const::I32(_) => Prim::Int(IntType::I32),
            Const::I64(_) => Prim::Int(IntType::I64),
            Const::F16(_) => Prim::Float(FloatType::F16),
            Const::F32(_) => Prim::Float(FloatType::F32),
            Const::F64(_) => Prim::Float(FloatType::F64),
        }
    }

    /// The bits, zero-extended.
    pub fn bits(self) -> u64 {
        match self {
            Const::Bool(x) => u64::from(x),
            Const::I8(x) => u64::from(x as u8),
            Const::I16(x) => u64::from(x as u16),
            Const::I32(x) => u64::from(x as u32),
            Const::I64(x) => x as u64,
            Const::F16(x) => u64::from(x.to_bits()),
            Const::F32(x) => u64::from(x.to_bits()),
            Const::F64(x) => x.to_bits(),
        }
    }

    /// The constant of type `ty` with these (low) bits.
    pub fn from_bits(ty: Prim, bits: u64) -> Const {
        match ty {
            Prim::Bool => Const::Bool(bits & 1 == 1),
            Prim::Int(IntType::I8) => Const::I8(bits as i8),
            Prim::Int(IntType::I16) => Const::I16(bits as i16),
            Prim::Int(IntType::I32) => Const::I32(bits as i32),
            Prim::Int(IntType::I64) => Const::I64(bits as i64),
            Prim::Float(FloatType::F16) => Const::F16(f16::from_bits(bits as u16)),
            Prim::Float(FloatType::F32) => Const::F32(f32::from_bits(bits as u32)),
            Prim::Float(FloatType::F64) => Const::F64(f64::from_bits(bits)),
        }
    }

    /// An integer constant, wrapped to the width.
    pub fn int(ty: IntType, x: i64) -> Const {
        Const::from_bits(Prim::Int(ty), x as u64)
    }

    /// The value of an integer constant, sign-extended.
    pub fn as_int(self) -> Option<i64> {
        match self {
            Const::I8(x) => Some(i64::from(x)),
            Const::I16(x) => Some(i64::from(x)),
            Const::I32(x) => Some(i64::from(x)),
            Const::I64(x) => Some(x),
            Const::Bool(_) | Const::F16(_) | Const::F32(_) | Const::F64(_) => None,
        }
    }

    /// Zero, or `false`.
    pub fn zero(ty: Prim) -> Const {
        Const::from_bits(ty, 0)
    }
}

impl PartialEq for Const {
    fn eq(&self, other: &Const) -> bool {
        self.prim() == other.prim() && self.bits() == other.bits()
    }
}
impl Eq for Const {}
impl std::hash::Hash for Const {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.prim().hash(state);
        self.bits().hash(state);
    }
}

/// An operand: a variable or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SubExp {
    /// A variable.
    Var(Var),
    /// A constant.
    Const(Const),
}

impl SubExp {
    /// The `i64` constant `x`.
    pub fn i64(x: i64) -> SubExp {
        SubExp::Const(Const::I64(x))
    }

    /// The constant `x`.
    pub fn bool(x: bool) -> SubExp {
        SubExp::Const(Const::Bool(x))
    }

    /// The variable, if it is one.
    pub fn var(self) -> Option<Var> {
        match self {
            SubExp::Var(v) => Some(v),
            SubExp::Const(_) => None,
        }
    }

    /// The constant, if it is one.
    pub fn constant(self) -> Option<Const> {
        match self {
            SubExp::Var(_) => None,
            SubExp::Const(c) => Some(c),
        }
    }
}

impl From<Var> for SubExp {
    fn from(v: Var) -> SubExp {
        SubExp::Var(v)
    }
}

impl From<Const> for SubExp {
    fn from(c: Const) -> SubExp {
        SubExp::Const(c)
    }
}

/// The type of a variable.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// A scalar.
    Prim(Prim),
    /// An array; at least one dimension, outermost first, each an `i64`.
    Array {
        /// The element.
        elem: Prim,
        /// The shape.
        shape: Vec<SubExp>,
    },
    /// A certificate: what an assertion yields. No bits at run time.
    Cert,
    /// A memory block (level mem).
    Mem(MemSpace),
}

impl Type {
    /// `i64`
    pub const I64: Type = Type::Prim(Prim::I64);
    /// `bool`
    pub const BOOL: Type = Type::Prim(Prim::Bool);

    /// `elem` with `shape` around it; a scalar if the shape is empty.
    pub fn array(elem: Prim, shape: Vec<SubExp>) -> Type {
        if shape.is_empty() { Type::Prim(elem) } else { Type::Array { elem, shape } }
    }

    /// The shape; empty for what is no array.
    pub fn shape(&self) -> &[SubExp] {
        match self {
            Type::Array { shape, .. } => shape,
            Type::Prim(_) | Type::Cert | Type::Mem(_) => &[],
        }
    }

    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape().len()
    }

    /// The element type of a scalar or array.
    pub fn elem(&self) -> Option<Prim> {
        match self {
            Type::Prim(p) | Type::Array { elem: p, .. } => Some(*p),
            Type::Cert | Type::Mem(_) => None,
        }
    }

    /// The type of a row: one dimension less. Of a scalar, itself.
    pub fn row(&self) -> Type {
        match self {
            Type::Array { elem, shape } => {
                Type::array(*elem, shape.iter().skip(1).copied().collect())
            }
            t => t.clone(),
        }
    }

    /// `[n]self`.
    pub fn outer(&self, n: SubExp) -> Type {
        match self {
            Type::Array { elem, shape } => Type::Array {
                elem: *elem,
                shape: std::iter::once(n).chain(shape.iter().copied()).collect(),
            },
            Type::Prim(elem) => Type::Array { elem: *elem, shape: vec![n] },
            t @ (Type::Cert | Type::Mem(_)) => t.clone(),
        }
    }
}

/// Where a block lies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum MemSpace {
    /// Memory the host computes on.
    Host,
    /// Memory kernels compute on; at this stage the host can read and write it too.
    Device,
    /// The stack of the function call or kernel thread that allocates. Such a block is of constant
    /// size, allocated before any other code of the function or kernel, never passed on, and has
    /// no owners.
    Local,
}

/// A symbolic `i64` expression: offsets, strides and sizes at level mem.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Size64 {
    /// A variable or constant.
    Leaf(SubExp),
    /// Sum.
    Add(Box<Size64>, Box<Size64>),
    /// Difference.
    Sub(Box<Size64>, Box<Size64>),
    /// Product.
    Mul(Box<Size64>, Box<Size64>),
}

/// One dimension of an LMAD.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LmadDim {
    /// Number of elements.
    pub n: SubExp,
    /// Distance between neighbours, in elements; may be negative or zero.
    pub stride: Size64,
}

/// A linear memory access descriptor: element `(i1 … iq)` lies at `offset + i1·s1 + … + iq·sq`,
/// counted in elements (array-representation article).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Lmad {
    /// Of the element `(0 … 0)`.
    pub offset: Size64,
    /// Outermost first; as many as the array has dimensions.
    pub dims: Vec<LmadDim>,
}

/// Where an array lies (level mem).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MemBind {
    /// A variable of type [`Type::Mem`].
    pub block: Var,
    /// Where in the block.
    pub lmad: Lmad,
}

//! How Core IR types look in MLIR.
//!
//! | Core IR | SSA value | in memory |
//! | --- | --- | --- |
//! | `bool` | `i1` | `i8`, 0 or 1 |
//! | `i8` … `i64` | the same | the same, naturally aligned |
//! | `f16` `f32` `f64` | the same | the same, naturally aligned |
//! | array | nothing: its block and LMAD say all | elements in its block |
//! | certificate | nothing | |
//! | block | `!llvm.ptr` | |
//!
//! See Note [Blocks are pointers].

use futc_midend::ir::{FloatType, IntType, Prim, Type};
use melior::Context;
use melior::ir::r#type::IntegerType;

// Note [Blocks are pointers]
// --------------------------
// A block is an `!llvm.ptr`, and an access is address arithmetic on `i64` (offset + Σ index·stride,
// constants folded), one `llvm.getelementptr` (in bounds) and one `llvm.load` or `llvm.store`. The
// alternative, `memref<?xi8>` with `memref.view` and `memref.reinterpret_cast` to a strided layout,
// says the same with more words, and costs where it matters:
//
// - a memref is a five-word structure: it becomes a structure-typed phi in every loop that carries
//   a block (double buffering), and five parameters at every call;
// - `memref.load` and `memref.store` cannot carry alias scopes, alignment or invariance, all of
//   which level mem knows;
// - the descriptors are made and taken apart again in the conversion to LLVM, per access, which is
//   most of the time the conversion takes.
//
// LLVM sees the same loops either way and vectorises them.

/// The MLIR types in use, made once per context.
#[derive(Clone, Copy)]
pub struct Types<'c> {
    /// `i1`
    pub i1: melior::ir::Type<'c>,
    /// `i8`
    pub i8: melior::ir::Type<'c>,
    /// `i16`
    pub i16: melior::ir::Type<'c>,
    /// `i32`
    pub i32: melior::ir::Type<'c>,
    /// `i64`
    pub i64: melior::ir::Type<'c>,
    /// `f16`
    pub f16: melior::ir::Type<'c>,
    /// `f32`
    pub f32: melior::ir::Type<'c>,
    /// `f64`
    pub f64: melior::ir::Type<'c>,
    /// `!llvm.ptr`
    pub ptr: melior::ir::Type<'c>,
    /// `index`
    pub index: melior::ir::Type<'c>,
}

impl<'c> Types<'c> {
    /// The types of `context`.
    pub fn new(context: &'c Context) -> Types<'c> {
        let int = |bits| melior::ir::Type::from(IntegerType::new(context, bits));
        Types {
            i1: int(1),
            i8: int(8),
            i16: int(16),
            i32: int(32),
            i64: int(64),
            f16: melior::ir::Type::float16(context),
            f32: melior::ir::Type::float32(context),
            f64: melior::ir::Type::float64(context),
            ptr: melior::dialect::llvm::r#type::pointer(context, 0),
            index: melior::ir::Type::index(context),
        }
    }

    /// An integer.
    pub fn int(&self, ty: IntType) -> melior::ir::Type<'c> {
        match ty {
            IntType::I8 => self.i8,
            IntType::I16 => self.i16,
            IntType::I32 => self.i32,
            IntType::I64 => self.i64,
        }
    }

    /// A float.
    pub fn float(&self, ty: FloatType) -> melior::ir::Type<'c> {
        match ty {
            FloatType::F16 => self.f16,
            FloatType::F32 => self.f32,
            FloatType::F64 => self.f64,
        }
    }

    /// A scalar as an SSA value.
    pub fn prim(&self, ty: Prim) -> melior::ir::Type<'c> {
        match ty {
            Prim::Bool => self.i1,
            Prim::Int(t) => self.int(t),
            Prim::Float(t) => self.float(t),
        }
    }

    /// A scalar in memory.
    pub fn stored(&self, ty: Prim) -> melior::ir::Type<'c> {
        match ty {
            Prim::Bool => self.i8,
            Prim::Int(_) | Prim::Float(_) => self.prim(ty),
        }
    }

    /// The SSA value of a variable, if it has one.
    pub fn value(&self, ty: &Type) -> Option<melior::ir::Type<'c>> {
        match ty {
            Type::Prim(p) => Some(self.prim(*p)),
            Type::Mem(_) => Some(self.ptr),
            Type::Array { .. } | Type::Cert => None,
        }
    }
}

/// Whether variables of this type have an SSA value.
pub fn has_value(ty: &Type) -> bool {
    match ty {
        Type::Prim(_) | Type::Mem(_) => true,
        Type::Array { .. } | Type::Cert => false,
    }
}

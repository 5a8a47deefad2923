//! How Core IR types look in MLIR.
//!
//! | Core IR | SSA value | in memory |
//! | --- | --- | --- |
//! | `bool` | `i1` | `i8`, 0 or 1 |
//! | `i8` … `i64` | the same | the same, naturally aligned |
//! | `f16` `f32` `f64` | the same | the same, naturally aligned |
//! | array | nothing: its block and LMAD say all | elements in its block |
//! | certificate | nothing | |
//! | block | `memref<?xi8>`; after our conversions a pointer | |
//!
//! See Note [Memrefs become bare pointers].

use crate::abi::CType;
use futc_midend::ir::{FloatType, IntType, Prim, Type};
use melior::Context;
use melior::ir::r#type::{FunctionType, IntegerType, MemRefType};

// Note [Memrefs become bare pointers]
// -----------------------------------
// A block is a `memref<?xi8>`, an array is made of it once, where it is bound, by `memref.view` or
// `memref.reinterpret_cast`, and its elements are read and written by `memref.load`, `vector.load` and
// their like. MLIR's own conversion would make a structure of five or more words of each: one would
// be carried by every loop that exchanges blocks and passed to every function, and it would be taken
// apart at every access; and it drops the alias scopes and loop-parallel groups that level mem knows.
//
// So the conversions of `convert` go before it. A memref that is passed about becomes a pointer to its
// first element. One that is made of another becomes nothing: its offset and strides are known, and an
// access is address arithmetic on `i64` (offset + Σ index·stride, constants folded), one
// `llvm.getelementptr`, and one load or store with the alignment and the scopes that stand as
// attributes on the memref's. No descriptor ever is.

// Note [Pointers]
// ---------------
// What is `!llvm.ptr` before conversion: the runtime's context, the failure record of kernels, texts of
// messages. The runtime lays them out; no type of MLIR's says what they are. Where launches become calls,
// so are the arguments of kernels: an array of pointers to words of any type.

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
    /// `memref<?xi8>`: a block of memory
    pub block: melior::ir::Type<'c>,
    /// A function that runs tasks: of the context, its room, the first task and the one behind the last one, and the
    /// number of the worker.
    pub task: melior::ir::Type<'c>,
    /// An operator of a scan over tasks: of the context, the tasks' room, two values and the place of the result.
    pub combine: melior::ir::Type<'c>,
    /// `index`
    pub index: melior::ir::Type<'c>,
}

impl<'c> Types<'c> {
    /// The types of `context`.
    pub fn new(context: &'c Context) -> Types<'c> {
        let int = |bits| melior::ir::Type::from(IntegerType::new(context, bits));
        let ptr = melior::dialect::llvm::r#type::pointer(context, 0);
        let block = MemRefType::contiguous(int(8), &[i64::MIN], None).into();
        let task = FunctionType::new(context, &[ptr, block, int(64), int(64), int(64)], &[]);
        let combine = FunctionType::new(context, &[ptr, block, block, block, block], &[]);
        Types {
            i1: int(1),
            i8: int(8),
            i16: int(16),
            i32: int(32),
            i64: int(64),
            f16: melior::ir::Type::float16(context),
            f32: melior::ir::Type::float32(context),
            f64: melior::ir::Type::float64(context),
            ptr,
            block,
            task: task.into(),
            combine: combine.into(),
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

    /// What C passes or returns.
    pub fn of_c(&self, ty: CType) -> melior::ir::Type<'c> {
        match ty {
            CType::Ptr => self.ptr,
            CType::Block => self.block,
            CType::Task => self.task,
            CType::Combine => self.combine,
            CType::I32 => self.i32,
            CType::I64 => self.i64,
            CType::F32 => self.f32,
            CType::F64 => self.f64,
        }
    }

    /// The SSA value of a variable, if it has one.
    pub fn value(&self, ty: &Type) -> Option<melior::ir::Type<'c>> {
        match ty {
            Type::Prim(p) => Some(self.prim(*p)),
            Type::Mem(_) => Some(self.block),
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

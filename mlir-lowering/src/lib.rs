//! From memory-annotated Core IR through MLIR and LLVM to objects and programs.
//!
//! ```text
//! Core IR, level mem
//!   │ lower        one file per family of operations
//!   ▼
//! MLIR: func, memref, linalg, vector, scf, arith, math, gpu Compiled::mlir
//!   │ convert      linalg to loops, memrefs to bare pointers
//!   │ emu          kernels become host functions (gpu-emu)
//!   │ nvptx        kernels become PTX (nvptx)                Compiled::kernels
//!   │ pipeline     passes as strings
//!   ▼
//! LLVM dialect                                              Compiled::llvm_dialect
//!   │ ffi, llvm, tables
//!   ▼
//! LLVM IR ─ O3 ─► assembly, object ─ link ─► program        Compiled::{llvm, asm, object}, link
//! ```
//!
//! Nothing here knows syntax or queries.

pub mod abi;
mod accumulated_extrema;
mod compiled;
pub mod convert;
pub mod cpu;
mod dialect;
mod emu;
mod error;
mod estimates;
mod ffi;
mod half_vectors;
mod host;
mod link;
mod lld;
mod llvm;
mod llvm_passes;
pub mod lower;
mod missing_operations;
mod number_extrema;
mod nvptx;
mod options;
mod partition;
pub mod pipeline;
mod saturating_conversions;
mod shifted_copies;
mod stack_alignment;
mod stack_checks;
mod stages;
mod symbols;
mod tables;
pub mod target;
pub mod types;
mod uniform_divisions;
mod unit;
mod vector_division;
mod vector_math;
mod vector_values;
pub mod wasm_ld;

pub use compiled::Compiled;
pub use error::Error;
pub use host::{host_processor, llvm_version, try_processor};
pub use link::{Library, Output, compile_c, compiler as linker, link, merge};
pub use nvptx::libclc;
pub use options::{COMPILER, OptLevel, Options, Sanitizer, Target};
pub use unit::{Joined, UnitCode, join};

//! From memory-annotated Core IR through MLIR and LLVM to objects and programs.

pub mod abi;
mod error;
mod ffi;
pub mod lower;
pub mod types;

pub use error::Error;

/// What the code is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// One thread of the host.
    Seq,
    /// NVIDIA GPUs.
    Nvptx,
    /// The kernels, run on the host.
    GpuEmu,
}

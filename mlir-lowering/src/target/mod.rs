//! What programs are compiled for.
//!
//! A target is a record in a file of its own and a line in [`ALL`]. Command line, drivers of tests and
//! benchmarks, and code generation ask the record; none of them knows a target by its name.

mod gpu_emu;
mod multicore;
mod nvptx;
mod seq;
mod small_tasks;
mod wasm;
mod wasm_multicore;

pub use gpu_emu::GPU_EMU;
pub use multicore::MULTICORE;
pub use nvptx::NVPTX;
pub use seq::SEQ;
pub use small_tasks::SMALL_TASKS;
pub use wasm::WASM;
pub use wasm_multicore::WASM_MULTICORE;

pub use crate::options::{Device, Kernels, Lower, Replaced, Target, VirtualMachine};

/// All targets; the first is the reference.
pub static ALL: &[&Target] =
    &[&SEQ, &MULTICORE, &NVPTX, &GPU_EMU, &SMALL_TASKS, &WASM, &WASM_MULTICORE];

impl Target {
    /// The target of this name.
    pub fn named(name: &str) -> Option<&'static Target> {
        ALL.iter().copied().find(|t| t.name == name)
    }

    /// What is compiled for unless a target is named.
    pub fn default_target() -> &'static Target {
        &MULTICORE
    }

    /// What the others are compared with: tests without expected results take its results for right, and
    /// measurements are given over its times.
    pub fn reference() -> &'static Target {
        &SEQ
    }
}

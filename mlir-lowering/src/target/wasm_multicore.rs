//! WebAssembly, several threads of it: instances of one module on one memory.

use super::wasm::machine;
use super::{MULTICORE, Replaced, Target, VirtualMachine, WASM};
use futc_midend::pipelines;

/// The stacks of all threads but one come behind one another.
static MACHINE: VirtualMachine =
    machine("+simd128,+bulk-memory,+nontrapping-fptoint,+sign-ext,+mutable-globals,+atomics", true);

/// As [`WASM`], on as many threads as there are.
pub static WASM_MULTICORE: Target = Target {
    name: "wasm-multicore",
    help: "WebAssembly as with wasm, for several threads: workers of browsers and Node.js",
    pipelines: &pipelines::TASKS,
    code: MULTICORE.code,
    machine: Some(&MACHINE),
    kernels: None,
    vector_math: WASM.vector_math,
    sanitizer: WASM.sanitizer,
    threads: MULTICORE.threads,
    backend: MULTICORE.backend,
    replaces: &[Replaced { backend: "wasm-multicore", instead: None }],
    tags: &["no_wasm"],
};

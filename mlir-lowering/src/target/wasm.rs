//! WebAssembly, one thread of it.

use super::{Replaced, Target, VirtualMachine};
use crate::cpu::{Cpu, OURS};
use futc_midend::pipelines;
use inkwell::targets::{self, InitializationConfig};

/// What all browsers of today and Node.js have: vectors of 16 bytes, but no product that is added to a sum
/// without being rounded.
pub(super) const fn machine(features: &'static str, stack_checks: bool) -> VirtualMachine {
    VirtualMachine {
        triple: "wasm32-unknown-wasi",
        processor: "generic",
        features,
        initialise: || targets::Target::initialize_webassembly(&InitializationConfig::default()),
        cpu: Cpu {
            vector_bytes: 16,
            fma: false,
            gathers: false,
            quick_gathers: false,
            number_extrema: false,
            page_streams: false,
            divides: false,
            compresses: false,
            permutes_bytes: false,
            wide_stencils: false,
            interfaces: &[(OURS, 16)],
        },
        wide_products: false,
        half_vectors: false,
        stack_checks,
    }
}

/// The stack comes first in memory.
static MACHINE: VirtualMachine =
    machine("+simd128,+bulk-memory,+nontrapping-fptoint,+sign-ext,+mutable-globals", false);

/// WebAssembly with JavaScript around it, for browsers and Node.js.
pub static WASM: Target = Target {
    name: "wasm",
    help: "WebAssembly with JavaScript around it, for browsers and Node.js",
    pipelines: &pipelines::HOST,
    code: 0,
    machine: Some(&MACHINE),
    kernels: None,
    vector_math: true,
    sanitizer: false,
    threads: false,
    backend: "c",
    replaces: &[Replaced { backend: "wasm", instead: None }],
    tags: &["no_wasm"],
};

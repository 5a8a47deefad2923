//! Kernels as functions of the host, so that they can be tested without a GPU.

use super::{Kernels, Target};
use crate::emu;
use futc_midend::pipelines;

/// The kernels, run block by block on the host.
pub static GPU_EMU: Target = Target {
    name: "gpu-emu",
    help: "The GPU's kernels, run block by block on the host",
    pipelines: &pipelines::DEVICE,
    code: 3,
    machine: None,
    kernels: Some(Kernels {
        lower: |shared, _| emu::kernels_to_host(shared).map(|()| None),
        host_symbol: Some(emu::wrapper_symbol),
        device: None,
    }),
    vector_math: false,
    sanitizer: true,
    threads: false,
    backend: "c",
    replaces: &[],
    tags: &["no_opencl"],
};

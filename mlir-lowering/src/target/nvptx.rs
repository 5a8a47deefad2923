//! NVIDIA GPUs.

use super::{Device, Kernels, Replaced, Target};
use crate::nvptx;
use futc_midend::pipelines;

/// NVIDIA GPUs: PTX inside the program, loaded through the CUDA driver.
pub static NVPTX: Target = Target {
    name: "nvptx",
    help: "NVIDIA GPUs: PTX inside the program, loaded through the CUDA driver",
    pipelines: &pipelines::DEVICE,
    code: 2,
    machine: None,
    kernels: Some(Kernels {
        lower: |shared, options| match nvptx::extract_kernels(shared)? {
            Some(mut kernels) => nvptx::ptx(shared.context, &mut kernels, options).map(Some),
            None => Ok(None),
        },
        host_symbol: None,
        device: Some(Device { try_processor: |options| nvptx::machine(options).map(drop) }),
    }),
    vector_math: false,
    sanitizer: false,
    threads: false,
    backend: "cuda",
    replaces: &[
        Replaced { backend: "cuda", instead: None },
        Replaced { backend: "opencl", instead: Some("code for CUDA") },
        Replaced { backend: "hip", instead: Some("code for CUDA") },
    ],
    tags: &["no_cuda"],
};

//! All threads of the host.

use super::{Replaced, Target};
use futc_midend::pipelines;

/// All threads of the host.
pub static MULTICORE: Target = Target {
    name: "multicore",
    help: "All threads of the host",
    pipelines: &pipelines::TASKS,
    code: 1,
    machine: None,
    kernels: None,
    vector_math: true,
    sanitizer: true,
    threads: true,
    backend: "multicore",
    replaces: &[
        Replaced { backend: "multicore", instead: None },
        Replaced { backend: "ispc", instead: Some("code for all cores") },
    ],
    tags: &["no_c", "no_multicore"],
};

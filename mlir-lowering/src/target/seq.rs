//! One thread of the host.

use super::{Replaced, Target};
use futc_midend::pipelines;

/// One thread of the host.
pub static SEQ: Target = Target {
    name: "seq",
    help: "One thread of the host",
    pipelines: &pipelines::HOST,
    code: 0,
    machine: None,
    kernels: None,
    vector_math: true,
    sanitizer: true,
    threads: false,
    backend: "c",
    replaces: &[Replaced { backend: "c", instead: None }],
    tags: &["no_c"],
};

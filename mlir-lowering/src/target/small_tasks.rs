//! All threads of the host, with everything in tasks that can be, so that tests need no large inputs.

use super::{MULTICORE, Target};
use futc_midend::pipelines;

/// As [`MULTICORE`], with everything in tasks that can be.
pub static SMALL_TASKS: Target = Target {
    name: "small-tasks",
    help: "As multicore, but everything that can be is cut into tasks: for tests",
    pipelines: &pipelines::SMALL_TASKS,
    code: MULTICORE.code,
    machine: None,
    kernels: None,
    vector_math: MULTICORE.vector_math,
    sanitizer: MULTICORE.sanitizer,
    threads: MULTICORE.threads,
    backend: MULTICORE.backend,
    replaces: &[],
    tags: MULTICORE.tags,
};

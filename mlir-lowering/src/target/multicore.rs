//! All threads of the host.

use super::Target;
use futc_midend::pipelines;

/// All threads of the host.
pub static MULTICORE: Target = Target {
    name: "multicore",
    help: "All threads of the host",
    pipelines: &pipelines::TASKS,
    code: 1,
    kernels: None,
    vector_math: true,
    sanitizer: true,
    tags: &["no_c", "no_multicore"],
};

/// The same, with everything in tasks that can be, so that tests need no large inputs.
pub static SMALL_TASKS: Target = Target {
    name: "small-tasks",
    help: "As multicore, but everything that can be is cut into tasks: for tests",
    pipelines: &pipelines::SMALL_TASKS,
    code: MULTICORE.code,
    kernels: None,
    vector_math: MULTICORE.vector_math,
    sanitizer: MULTICORE.sanitizer,
    tags: MULTICORE.tags,
};

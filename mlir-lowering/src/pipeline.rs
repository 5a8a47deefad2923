//! The MLIR tail as data: pass pipelines as `mlir-opt` accepts them.

use crate::{Error, ffi};
use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::Module;
use melior::ir::operation::OperationLike;
use melior::pass::{PassManager, conversion, llvm};
use melior::utility::{parse_pass_pipeline, register_all_dialects};
use std::sync::Once;

/// Host code to the LLVM dialect. `convert-to-llvm` converts every dialect that is left in one go,
/// which is several times faster than a pass per dialect.
pub const HOST_TO_LLVM: &str =
    "builtin.module(convert-scf-to-cf,convert-to-llvm,reconcile-unrealized-casts)";

/// All of a host's program, as `--emit=mlir` prints it, to the LLVM dialect by MLIR's conversions alone:
/// without ours, memrefs are descriptors. futc does not go this way; it shows that what it prints is plain
/// MLIR, of which others may make something else.
pub const STANDARD: &str = "builtin.module(func.func(convert-linalg-to-loops),expand-strided-metadata,\
     lower-affine,convert-vector-to-scf,convert-scf-to-cf,convert-vector-to-llvm,convert-math-to-llvm,\
     convert-math-to-libm,finalize-memref-to-llvm,convert-to-llvm,reconcile-unrealized-casts)";

/// Functions become scopes of debug information, so that the positions of operations are told.
pub const LINE_TABLES: &str =
    "builtin.module(ensure-debug-info-scope-on-llvm-func{emission-kind=LineTablesOnly})";

/// Kernels to the LLVM and NVVM dialects. Structured control flow goes first, since
/// `convert-gpu-to-nvvm` knows branches only.
pub const KERNELS_TO_NVVM: &str = "builtin.module(gpu.module(convert-scf-to-cf,\
     convert-gpu-to-nvvm{index-bitwidth=64},reconcile-unrealized-casts))";

/// Dialects that lowering builds operations of; passes load what else they need.
const DIALECTS: &[&str] =
    &["arith", "func", "gpu", "linalg", "llvm", "math", "memref", "scf", "ub", "vector"];

/// Dialects of which nothing may be left after the pipelines.
const LOWERED: &[&str] =
    &["arith", "func", "math", "scf", "cf", "index", "memref", "vector", "linalg", "ub"];

/// Makes the passes of our pipelines known by name. All of MLIR's would take several milliseconds.
fn register_passes() {
    conversion::register_scf_to_control_flow();
    conversion::register_to_llvm();
    conversion::register_reconcile_unrealized_casts();
    conversion::register_gpu_ops_to_nvvm_ops();
    llvm::register_di_scope_for_llvm_func_op_pass();
}

/// A context with the dialects in use.
pub fn context() -> Context {
    static PASSES: Once = Once::new();
    PASSES.call_once(register_passes);
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = Context::new_with_registry(&registry, false);
    for dialect in DIALECTS {
        context.get_or_load_dialect(dialect);
    }
    context
}

/// Runs a pipeline.
pub fn run(context: &Context, module: &mut Module<'_>, pipeline: &str) -> Result<(), Error> {
    let manager = PassManager::new(context);
    manager.enable_verifier(cfg!(debug_assertions));
    parse_pass_pipeline(manager.as_operation_pass_manager(), pipeline)?;
    manager
        .run(module)
        .map_err(|_| Error::bug(format_args!("the MLIR pipeline failed: {pipeline}")))
}

/// Refuses operations of dialects that should be gone.
pub fn verify_lowered(module: &Module<'_>) -> Result<(), Error> {
    let left = ffi::descendants(module.as_operation()).into_iter().find_map(|operation| {
        let name = operation.name();
        let name = name.as_string_ref().as_str().unwrap_or("").to_owned();
        let dialect = name.split('.').next().unwrap_or("");
        LOWERED.contains(&dialect).then_some(name)
    });
    match left {
        None => Ok(()),
        Some(name) => Err(Error::bug(format_args!("{name} was not lowered"))),
    }
}

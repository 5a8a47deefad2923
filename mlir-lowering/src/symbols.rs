//! The symbols of what is made for a program.

use futc_midend::ir::{Fun, Linkage};

/// The name of the `gpu.module`.
pub const KERNEL_MODULE: &str = "kernels";
/// Begins the symbols of texts.
pub const TEXT_PREFIX: &str = "string_";
/// The function that evaluates the globals.
pub const INIT_SYMBOL: &str = "futc_init";
/// The function that releases them.
pub const FINI_SYMBOL: &str = "futc_fini";
/// Begins the symbols of functions that run tasks.
pub const TASK_PREFIX: &str = "task_";
/// Ends the symbols of those that run one task.
pub const TASK_BODY_SUFFIX: &str = "_body";
/// Begins the symbols of functions that run points of which one fails.
pub const FAILING_PREFIX: &str = "failing_points_";
/// Begins the symbols of functions that run an operation of a function.
pub const APART_PREFIX: &str = "apart_";
/// Begins the symbols of functions that transpose arrays.
pub const TRANSPOSITION_PREFIX: &str = "transposition_";
/// Begins the symbols of functions on the host.
pub const HOST_PREFIX: &str = "fut";
/// Begins the symbols of entry functions.
pub const ENTRY_PREFIX: &str = "futc_entry";

/// The symbol of a function on the host, which is that `index` of the program.
pub fn host_symbol(fun: &Fun, index: usize) -> String {
    match &fun.linkage {
        Linkage::Internal => mangle(HOST_PREFIX, fun.name.as_str(), index),
        Linkage::Exported(symbol) => symbol.to_string(),
        Linkage::Imported(import) => import.symbol.to_string(),
    }
}

/// A symbol that assemblers of all targets accept; the index keeps it unique where characters had
/// to be replaced.
pub fn mangle(prefix: &str, name: &str, index: usize) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.chars().all(plain) {
        format!("{prefix}_{name}")
    } else {
        let name: String = name.chars().map(|c| if plain(c) { c } else { '_' }).collect();
        format!("{prefix}_{name}_x{index}")
    }
}

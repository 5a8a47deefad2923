//! The layers of crates: what stands below may not import what stands above, nor call its methods.

/// A layer of a crate.
pub struct Layer {
    /// What it is called in messages and documents.
    pub name: &'static str,
    /// Its files and folders, from the crate's folder, without `.rs`; of two that hold a file, the longer
    /// one counts.
    pub files: &'static [&'static str],
}

/// Crates with layers: the crate's folder, and its layers, the lowest first.
pub const LAYERS: &[(&str, &[Layer])] = &[];

/// Crates with files that still import each other in a circle. A crate that no longer has any must leave
/// this list.
pub const STILL_WITH_CYCLES: &[&str] = &[
    "frontend",
    "frontend/typed",
    "midend",
    "mlir-lowering",
    "tools/generate",
    "tools/testing",
    "tools/xtask",
];

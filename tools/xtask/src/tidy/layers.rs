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
pub const LAYERS: &[(&str, &[Layer])] =
    &[("frontend", FRONTEND), ("midend", MIDEND), ("mlir-lowering", MLIR)];

const FRONTEND: &[Layer] = &[
    Layer { name: "texts and diagnostics", files: &["src/diag", "src/lines", "src/world"] },
    Layer { name: "syntax", files: &["src/syntax"] },
    Layer {
        name: "types and environments",
        files: &["src/check/types", "src/check/print", "src/check/verify"],
    },
    Layer { name: "inference", files: &["src/check/infer"] },
    Layer { name: "reporting of mismatches", files: &["src/check/mismatch"] },
    Layer { name: "rules", files: &["src/check/rules"] },
    Layer { name: "expressions", files: &["src/check/exps"] },
    Layer { name: "ends of definitions", files: &["src/check/finish"] },
    Layer { name: "uniqueness", files: &["src/check/unique"] },
    Layer { name: "AUTOMAP", files: &["src/check/automap"] },
    Layer { name: "definitions", files: &["src/check/definition"] },
    Layer { name: "modules", files: &["src/check/modules", "src/check/mod"] },
    Layer { name: "queries", files: &["src/db", "src/reach"] },
    Layer {
        name: "what uses the queries",
        files: &["src/explain", "src/fmt", "src/index", "src/lib", "src/lint"],
    },
];

const MIDEND: &[Layer] = &[
    Layer { name: "the IR", files: &["src/ir"] },
    Layer { name: "machines", files: &["src/machine"] },
    Layer { name: "analyses", files: &["src/analysis"] },
    Layer { name: "interpreters", files: &["src/interp"] },
    Layer { name: "passes", files: &["src/passes"] },
    Layer { name: "internalisation", files: &["src/internalise"] },
    Layer { name: "units", files: &["src/units"] },
    Layer {
        name: "pipelines and remarks",
        files: &["src/pipelines", "src/explain", "src/forcing", "src/remarks", "src/lib"],
    },
];

const MLIR: &[Layer] = &[
    Layer {
        name: "what is outside",
        files: &[
            "src/abi",
            "src/dialect/functions",
            "src/error",
            "src/ffi",
            "src/stages",
            "src/symbols",
            "src/types",
        ],
    },
    Layer { name: "operations of MLIR", files: &["src/dialect"] },
    Layer {
        name: "options and the host",
        files: &["src/cpu", "src/host", "src/llvm", "src/options", "src/pipeline"],
    },
    Layer { name: "vector mathematics", files: &["src/vector_math"] },
    Layer { name: "lowering", files: &["src/lower"] },
    Layer { name: "conversions and kernels", files: &["src/convert", "src/emu", "src/nvptx"] },
    Layer {
        name: "objects and programs",
        files: &[
            "src/compiled",
            "src/half_vectors",
            "src/missing_operations",
            "src/number_extrema",
            "src/accumulated_extrema",
            "src/estimates",
            "src/saturating_conversions",
            "src/shifted_copies",
            "src/uniform_divisions",
            "src/vector_division",
            "src/vector_values",
            "src/lib",
            "src/link",
            "src/lld",
            "src/llvm_passes",
            "src/partition",
            "src/stack_alignment",
            "src/stack_checks",
            "src/tables",
            "src/target",
            "src/unit",
            "src/wasm_ld",
        ],
    },
];

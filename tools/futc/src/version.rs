//! Which futc this is.

use futc_mlir::target;
use std::sync::LazyLock;

static SHORT: LazyLock<String> = LazyLock::new(|| match env!("FUTC_COMMIT") {
    "" => env!("CARGO_PKG_VERSION").to_owned(),
    commit => format!("{} ({commit})", env!("CARGO_PKG_VERSION")),
});

static LONG: LazyLock<String> = LazyLock::new(|| {
    let targets: Vec<&str> = target::ALL.iter().map(|target| target.name).collect();
    format!(
        "{}\nLLVM: {}\nprocessor: {}\ntargets: {}",
        short(),
        futc_mlir::llvm_version(),
        futc_mlir::host_processor(),
        targets.join(", ")
    )
});

/// In one line, for `-V`: the version and the commit.
pub fn short() -> &'static str {
    &SHORT
}

/// For `--version`: LLVM, the processor at hand and the targets, too. The first line is that of `-V`, as with
/// other compilers.
pub fn long() -> &'static str {
    &LONG
}

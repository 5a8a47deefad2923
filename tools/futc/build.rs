//! Tells of which commit the compiler is, and tells it by a hash of its sources, so that code which another one made is not taken for its
//! own (`src/cache/identity.rs`).

use std::error::Error;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;

/// All that goes into the compiler, but for the dependencies, which the lock file tells.
const SOURCES: &[&str] = &[
    "Cargo.lock",
    "Cargo.toml",
    "frontend/src",
    "frontend/prelude",
    "frontend/typed/src",
    "midend/src",
    "midend/queries/src",
    "mlir-lowering/src",
    "runtime-c/include",
    "runtime-c/src",
    "tools/futc/src",
];

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new("../..");
    let mut files = Vec::new();
    for source in SOURCES {
        let path = root.join(source);
        println!("cargo::rerun-if-changed={}", path.display());
        collect(&path, &mut files)?;
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        file.hash(&mut hasher);
        std::fs::read(&file)?.hash(&mut hasher);
    }
    println!("cargo::rustc-env=FUTC_SOURCES={:016x}", hasher.finish());
    println!("cargo::rustc-env=FUTC_COMMIT={}", commit(root));
    Ok(())
}

/// Of which commit the sources are: what `FUTC_COMMIT` says, which packages are made with, or git, when sources
/// were last compiled. (A commit alone compiles nothing anew.) Empty where neither knows.
fn commit(root: &Path) -> String {
    println!("cargo::rerun-if-env-changed=FUTC_COMMIT");
    if let Ok(commit) = std::env::var("FUTC_COMMIT") {
        return commit;
    }
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).current_dir(root).output().ok()?;
        let said = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| said.trim().to_owned())
    };
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]);
    match (git(&["rev-parse", "--short=12", "HEAD"]), changed) {
        (Some(commit), Some(changed)) if changed.is_empty() => commit,
        (Some(commit), _) => format!("{commit}, changed"),
        (None, _) => String::new(),
    }
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(path)? {
        collect(&entry?.path(), files)?;
    }
    Ok(())
}

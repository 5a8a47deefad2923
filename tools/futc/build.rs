//! Tells the compiler by a hash of its sources, so that code which another one made is not taken for its
//! own (`src/cache/identity.rs`).

use std::error::Error;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

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
    Ok(())
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

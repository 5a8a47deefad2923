//! Compiles `src/*.c` into the archive that the crate embeds.

use std::error::Error;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=include");
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir("src")? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "c") {
            files.push(path);
        }
    }
    // Directory order differs between machines; the archive should not.
    files.sort();
    let include = Path::new("include");
    cc::Build::new()
        .files(&files)
        .include(include)
        .std("c11")
        .define("_GNU_SOURCE", None)
        .opt_level(2)
        .debug(false)
        .pic(true)
        .warnings(true)
        .extra_warnings(true)
        .flag("-fvisibility=hidden")
        .flag("-ffunction-sections")
        .flag("-fdata-sections")
        // The archive goes into compiled programs, not into this crate.
        .cargo_metadata(false)
        .try_compile("futc_runtime")?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    println!("cargo::rustc-env=FUTC_RUNTIME_ARCHIVE={}", out.join("libfutc_runtime.a").display());
    Ok(())
}

//! Makes the MLIR C API linkable where the distribution ships it as static archives only.
//!
//! mlir-sys asks for one shared `libMLIR-C.so`, which Debian's packages lack: they have the
//! archives `libMLIRCAPI*.a` beside the shared `libMLIR.so`. A linker script of that name, which
//! groups the archives with the shared library, serves; search paths that a build script names
//! hold for every program that depends on this crate, so nothing needs to be set outside.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Archives of the C API that drag in libraries outside `libMLIR.so`, and which nobody calls.
const UNUSED: &[&str] = &["MLIRCAPIExecutionEngine", "MLIRCAPIExportSMTLIB"];

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    let prefix = env::var("MLIR_SYS_220_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".to_owned());
    let lib = PathBuf::from(prefix).join("lib");
    if lib.join("libMLIR-C.so").exists() {
        return Ok(());
    }
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    let archives = capi_archives(&lib)?;
    let script = format!("GROUP({} -lMLIR -lLLVM-22)\n", archives.join(" "));
    fs::write(out.join("libMLIR-C.so"), script)?;
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-search=native={}", lib.display());
    Ok(())
}

/// `-l` options for the archives of the C API, sorted so that the script is reproducible.
fn capi_archives(lib: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(lib)? {
        let name = entry?.file_name();
        let Some(stem) = name.to_str().and_then(|n| n.strip_prefix("lib")?.strip_suffix(".a"))
        else {
            continue;
        };
        if stem.starts_with("MLIRCAPI") && !UNUSED.contains(&stem) {
            names.push(format!("-l{stem}"));
        }
    }
    names.sort();
    Ok(names)
}

//! Links LLVM and MLIR from the archives that Debian's packages have beside the shared libraries.
//!
//! The crates `llvm-sys` and `mlir-sys` ask for the shared `libLLVM-22`, `libMLIR` and `libMLIR-C`
//! (the last of which Debian lacks). Loading the first two takes 40 ms, most of it for symbols that
//! each looks up in the other, before `main` begins: a third of what a small program takes to compile.
//! Linker scripts of these names that stand for the archives serve; search paths that a build script
//! names hold for every program that depends on this crate, and come before those of the crates that
//! it depends on, so nothing needs to be set outside. (The static modes of these crates would put copies of
//! the archives, 1.1 GB, into their rlibs.)

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Archives that drag in what nobody calls, and libraries that the packages lack.
const UNUSED: &[&str] = &["MLIRCAPIExecutionEngine", "MLIRCAPIExportSMTLIB", "MLIRExportSMTLIB"];

/// What LLVM needs besides (`llvm-config --link-static --system-libs`, without what is for archives that nobody calls;
/// its link-time optimiser, which the linker has, knows Polly).
const SYSTEM: &str = "-lPolly -lPollyISL -l:libz.a -l:libzstd.a";

/// What `llvm-sys` and `mlir-sys` ask for besides, so that futc needs no more of a machine than the C library.
const BESIDES: &[&str] = &["ffi", "stdc++"];

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    let prefix = env::var("MLIR_SYS_220_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".to_owned());
    let prefix = PathBuf::from(prefix);
    let lib = prefix.join("lib");
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    let llvm = archives(&lib, "LLVM")?;
    let mlir = archives(&lib, "MLIR")?;
    let script = |name: &str, libraries: &str| {
        fs::write(out.join(format!("lib{name}.so")), format!("GROUP({libraries})\n"))
    };
    script("LLVM-22", &format!("{llvm} {SYSTEM}"))?;
    script("MLIR", &mlir)?;
    script("MLIR-C", &format!("{mlir} {llvm} {SYSTEM}"))?;
    for name in BESIDES {
        script(name, &format!("-l:lib{name}.a"))?;
    }
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-search=native={}", lib.display());
    linker(&prefix);
    Ok(())
}

/// The linker, with what stands between it and Rust.
fn linker(prefix: &Path) {
    println!("cargo:rerun-if-changed=src/lld.cpp");
    let mut build = cc::Build::new();
    if env::var_os("CXX").is_none() {
        build.compiler(prefix.join("bin/clang++"));
    }
    build
        .cpp(true)
        .cpp_link_stdlib(None)
        .std("c++17")
        .include(prefix.join("include"))
        .flag("-fno-exceptions")
        .flag("-fno-rtti")
        .warnings(false)
        .file("src/lld.cpp")
        .compile("futc_lld");
    for name in ["lldELF", "lldWasm", "lldCommon"] {
        println!("cargo:rustc-link-lib=static:-bundle={name}");
    }
}

/// `-l` options for the archives whose names begin with `lib` and `prefix`, sorted so that scripts are reproducible.
fn archives(lib: &Path, prefix: &str) -> io::Result<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(lib)? {
        let name = entry?.file_name();
        let Some(stem) = name.to_str().and_then(|n| n.strip_prefix("lib")?.strip_suffix(".a"))
        else {
            continue;
        };
        if stem.starts_with(prefix) && !UNUSED.contains(&stem) {
            names.push(format!("-l{stem}"));
        }
    }
    names.sort();
    Ok(names.join(" "))
}

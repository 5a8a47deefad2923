//! Compiles `src/*.c` into the archives that the crate embeds, and makes one C file of them.

mod amalgamate;
mod wasm;

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
    archive(&files, "futc_runtime", &[])?;
    // For `--sanitize=address`. The positions of its reports are worth the bytes.
    archive(
        &files,
        "futc_runtime_asan",
        &["-fsanitize=address", "-fno-omit-frame-pointer", "-g1"],
    )?;
    // For `--sanitize=thread`.
    archive(&files, "futc_runtime_tsan", &["-fsanitize=thread", "-g1"])?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    wasm::archives(&files, &out)?;
    let file = |name: &str| out.join(format!("lib{name}.a"));
    let source = amalgamate::amalgamate(&files, Path::new("include"))?;
    std::fs::write(out.join("runtime.c"), source)?;
    println!("cargo::rustc-env=FUTC_RUNTIME_SOURCE={}", out.join("runtime.c").display());
    println!("cargo::rustc-env=FUTC_RUNTIME_ARCHIVE={}", file("futc_runtime").display());
    println!("cargo::rustc-env=FUTC_RUNTIME_ASAN_ARCHIVE={}", file("futc_runtime_asan").display());
    println!("cargo::rustc-env=FUTC_RUNTIME_TSAN_ARCHIVE={}", file("futc_runtime_tsan").display());
    Ok(())
}

fn archive(files: &[PathBuf], name: &str, flags: &[&str]) -> Result<(), cc::Error> {
    let mut build = cc::Build::new();
    for flag in flags {
        build.flag(flag);
    }
    // One section for all functions of a file: programs take whole members of the archive, and a
    // linker's time grows with the number of sections.
    build
        .files(files)
        .include(Path::new("include"))
        .std("c11")
        .define("_GNU_SOURCE", None)
        .opt_level(2)
        .debug(false)
        .pic(true)
        .warnings(true)
        .extra_warnings(true)
        .flag("-fvisibility=hidden")
        // The archive goes into compiled programs, not into this crate.
        .cargo_metadata(false)
        .try_compile(name)
}

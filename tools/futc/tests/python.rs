//! Packages for Python (docs/python.md): what programs in Python do with them.
//!
//! The tests are in `python/`, for `unittest`. They need a Python with NumPy: the one that FUTC_PYTHON names, or
//! else `python3`, or else the distribution's, for which `./x setup` installs NumPy.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod common;
#[path = "common/interpreter.rs"]
mod interpreter;

use common::{all_arrays, succeeded};
use interpreter::python;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python")
}

/// The package of a program, in a folder that is on the path of modules.
fn package(dir: &Path, program: &Path, options: &[&str]) {
    let name = program.file_stem().unwrap();
    succeeded(
        Command::new(env!("CARGO_BIN_EXE_futc"))
            .args(["-w", "-O1", "--no-cache", "--python"])
            .args(options)
            .arg(program)
            .arg("-o")
            .arg(dir.join(name)),
    );
}

/// The packages that tests import.
fn packages(options: &[&str]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    package(dir.path(), &folder().join("values.fut"), options);
    let arrays = dir.path().join("arrays.fut");
    std::fs::write(&arrays, all_arrays("xs")).unwrap();
    package(dir.path(), &arrays, options);
    dir
}

fn unittest(dir: &Path) -> Command {
    let mut command = Command::new(python());
    command.args(["-B", "-m", "unittest"]).current_dir(folder()).env("PYTHONPATH", dir);
    command
}

/// All tests for a target.
fn check(target: &str) {
    let dir = packages(&[&format!("--target={target}")]);
    succeeded(unittest(dir.path()).args(["test_arrays", "test_calls", "test_values"]));
}

#[test]
fn one_thread() {
    check("seq");
}

#[test]
fn all_cores() {
    check("multicore");
}

#[test]
fn everything_in_tasks() {
    check("small-tasks");
}

#[test]
fn the_emulator() {
    check("gpu-emu");
}

/// With the runtime's driver for tests, which has no kernels.
#[test]
fn a_device() {
    let dir = tempfile::tempdir().unwrap();
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime-c");
    succeeded(
        Command::new("cc")
            .args(["-std=c11", "-D_GNU_SOURCE", "-shared", "-fPIC", "-I"])
            .arg(runtime.join("src"))
            .arg("-I")
            .arg(runtime.join("include"))
            .arg(runtime.join("tests/fake_cuda.c"))
            .arg("-o")
            .arg(dir.path().join("libcuda.so.1")),
    );
    package(dir.path(), &folder().join("device.fut"), &["--target=nvptx"]);
    succeeded(unittest(dir.path()).arg("test_device").env("LD_LIBRARY_PATH", dir.path()));
}

/// Of the package `futc`, with a cache of its own.
fn check_futc(tests: &str) {
    let dir = tempfile::tempdir().unwrap();
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../python");
    succeeded(
        unittest(&package)
            .arg(tests)
            .env("FUTC", env!("CARGO_BIN_EXE_futc"))
            .env("FUTC_PYTHON_CACHE", dir.path())
            .env("PYTHONDONTWRITEBYTECODE", "1"),
    );
}

#[test]
fn programs_are_compiled_from_python() {
    check_futc("test_futc");
}

#[test]
fn entry_points_run_in_dask() {
    check_futc("test_dask");
}

#[test]
fn the_manual_says_what_happens() {
    check_futc("test_docs");
}

/// Whatever reaches outside of memory that is lent, or uses what was freed, ends the test. (How much memory there
/// is cannot be told with the sanitizer, nor what leaks from what Python keeps until its end.)
#[test]
fn under_the_address_sanitizer() {
    let runtime = Command::new("cc").arg("-print-file-name=libasan.so").output().unwrap();
    let runtime = String::from_utf8(runtime.stdout).unwrap();
    for target in ["seq", "small-tasks"] {
        let dir = packages(&[&format!("--target={target}"), "--sanitize=address"]);
        succeeded(
            unittest(dir.path())
                .args(["test_arrays", "test_values", "test_calls.Arguments", "test_calls.Errors"])
                .arg("test_calls.Results.test_they_own_their_memory")
                .env("LD_PRELOAD", runtime.trim())
                .env("PYTHONMALLOC", "malloc")
                .env("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1"),
        );
    }
}

#[test]
fn names_that_cannot_be_imported_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_futc"))
        .args(["-w", "--python"])
        .arg(folder().join("values.fut"))
        .arg("-o")
        .arg(dir.path().join("no-name"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("'no-name' cannot be imported"), "{said}");
}

//! Runs the C unit tests under sanitizers, and those where it matters as users get the runtime.

use crate::support::{Build, link};
use std::process::Command;

fn check(command: &mut Command) {
    let output = command.output().expect("the test program runs");
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
}

fn unit(name: &str, build: Build) {
    check(&mut Command::new(link(name, name, build, &[], &[])));
}

#[test]
fn decimal() {
    unit("decimal", Build::Sanitized);
}

#[test]
fn math() {
    unit("math", Build::Sanitized);
}

#[test]
fn blocks() {
    unit("blocks", Build::Sanitized);
}

/// Freed blocks are used again only without AddressSanitizer.
#[test]
fn blocks_with_reuse() {
    unit("blocks", Build::Plain);
}

/// What a test of parallel loops finds depends on timing, and so on the build.
const PARALLEL: &[&str] = &["loops", "loop_failures", "scans", "pool"];

#[test]
fn parallel_loops() {
    for name in PARALLEL {
        unit(name, Build::Plain);
    }
}

#[test]
fn parallel_loops_under_sanitizers() {
    for name in PARALLEL {
        unit(name, Build::Sanitized);
    }
}

#[test]
fn parallel_loops_without_races() {
    for name in PARALLEL {
        unit(name, Build::Threads);
    }
}

#[test]
fn parallel_loops_without_futexes() {
    for name in PARALLEL {
        unit(name, Build::PlainNoFutex);
    }
}

/// The test has definitions of its own of what the runtime has, too.
#[test]
fn parallel_loops_interleaved_in_all_ways() {
    let flags = ["-Wl,--allow-multiple-definition"];
    check(&mut Command::new(link("model", "model", Build::Plain, &[], &flags)));
}

#[test]
fn values() {
    unit("values", Build::Sanitized);
}

#[test]
fn values_fuzzed() {
    unit("fuzz", Build::Sanitized);
}

#[test]
fn emulated_kernels() {
    unit("emu", Build::Sanitized);
}

#[test]
fn emulated_kernels_by_ucontext() {
    unit("emu", Build::SanitizedUcontext);
}

#[test]
fn emulated_kernels_without_sanitizers() {
    unit("emu", Build::Plain);
}

#[test]
fn cuda_driver_absent() {
    unit("cuda", Build::Plain);
}

/// Without sanitizers: they would have to be loaded before the fake driver.
#[test]
fn cuda_driver_present() {
    let library = crate::support::shared_library("fake_cuda", "libcuda.so.1", Build::Plain);
    let program = link("cuda", "cuda_present", Build::Plain, &[], &[]);
    check(Command::new(program).arg(&library).env("LD_LIBRARY_PATH", crate::support::scratch()));
}

/// Every header compiles by itself.
#[test]
fn headers_stand_alone() {
    for folder in ["include", "src"] {
        for entry in std::fs::read_dir(crate::support::root().join(folder)).expect("folder") {
            let path = entry.expect("entry").path();
            if path.extension().is_some_and(|e| e == "h") {
                check(
                    Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".into()))
                        .args(["-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror"])
                        .args(["-fsyntax-only", "-x", "c", "-I"])
                        .arg(crate::support::root().join("include"))
                        .arg(&path),
                );
            }
        }
    }
}

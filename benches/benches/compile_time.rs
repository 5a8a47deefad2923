//! How long futc takes, as a process, start to end. `FUTC` names the compiler; without it the
//! release build of this repository is used.
#![allow(missing_docs, clippy::expect_used, reason = "criterion's macros; a benchmark may stop")]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn futc() -> PathBuf {
    std::env::var_os("FUTC").map_or_else(|| root().join("target/release/futc"), PathBuf::from)
}

/// Compiles from nothing.
fn succeed(command: &mut Command) {
    command.env("FUTC_CACHE_SIZE", "0");
    let output = command.output().expect("futc starts");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn check(c: &mut Criterion) {
    let scratch = tempfile::tempdir().expect("a temporary directory");
    let mut group = c.benchmark_group("check");
    group.sample_size(20).measurement_time(Duration::from_secs(5));
    for lines in [10, 100, 1_000, 10_000] {
        let file = scratch.path().join(format!("p{lines}.fut"));
        std::fs::write(&file, futc_benches::generated_program(lines)).expect("written");
        group.bench_with_input(BenchmarkId::from_parameter(lines), &file, |b, file| {
            b.iter(|| succeed(Command::new(futc()).arg("check").arg(file)));
        });
    }
    group.finish();
}

fn compile(c: &mut Criterion) {
    let scratch = tempfile::tempdir().expect("a temporary directory");
    let out = scratch.path().join("out");
    let mut group = c.benchmark_group("compile");
    group.sample_size(10).measurement_time(Duration::from_secs(4));
    let mut examples: Vec<PathBuf> = std::fs::read_dir(root().join("examples"))
        .expect("examples")
        .filter_map(Result::ok)
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|e| e == "fut"))
        .collect();
    examples.sort();
    for example in examples {
        let name = example.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        group.bench_with_input(BenchmarkId::from_parameter(name), &example, |b, example| {
            b.iter(|| succeed(Command::new(futc()).arg(example).arg("-o").arg(&out)));
        });
    }
    group.finish();
}

/// The whole way to an object, of programs of which every function is reached: the time per line is
/// the throughput, and should not depend on the number of lines.
fn lines(c: &mut Criterion) {
    let scratch = tempfile::tempdir().expect("a temporary directory");
    let out = scratch.path().join("out.o");
    let mut group = c.benchmark_group("object");
    group.sample_size(10).measurement_time(Duration::from_secs(20));
    for lines in [1_000, 2_500, 5_000, 10_000] {
        let text = futc_benches::reached_program(lines);
        let file = scratch.path().join(format!("p{lines}.fut"));
        group.throughput(Throughput::Elements(text.lines().count() as u64));
        std::fs::write(&file, text).expect("written");
        group.bench_with_input(BenchmarkId::from_parameter(lines), &file, |b, file| {
            b.iter(|| {
                succeed(Command::new(futc()).args(["--emit=obj", "-o"]).arg(&out).arg(file));
            });
        });
    }
    group.finish();
}

/// Many small functions behind some entry points, to an executable, at the levels of `-O`.
fn functions(c: &mut Criterion) {
    let scratch = tempfile::tempdir().expect("a temporary directory");
    let (file, out) = (scratch.path().join("p.fut"), scratch.path().join("p"));
    std::fs::write(&file, futc_benches::small_functions(50)).expect("written");
    let mut group = c.benchmark_group("600 functions");
    group.sample_size(10).measurement_time(Duration::from_secs(20));
    for level in ["-O1", "-O3"] {
        group.bench_function(level, |b| {
            b.iter(|| succeed(Command::new(futc()).arg(level).arg("-o").arg(&out).arg(&file)));
        });
    }
    group.finish();
}

criterion_group!(benches, check, compile, lines, functions);
criterion_main!(benches);

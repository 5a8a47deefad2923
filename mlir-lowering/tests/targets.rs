//! A target is a record: one that nothing else has heard of compiles and runs.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "a test")]

mod common;
use common::run_on;
use futc_midend::pipelines;
use futc_mlir::{Target, target};
use std::collections::BTreeSet;

/// As a back end for one thread without vector mathematics would be.
static PLAIN: Target = Target {
    name: "plain",
    help: "One thread of the host, scalar mathematics",
    pipelines: &pipelines::HOST,
    code: 0,
    machine: None,
    kernels: None,
    vector_math: false,
    sanitizer: true,
    threads: false,
    backend: "c",
    replaces: &[],
    tags: &["no_plainc"],
};

#[test]
fn a_new_target_needs_nothing_but_its_record() {
    let text = r##"
fun main (n_1: i64) : (rm_2: mem.host, r_3: [n_1]i64 @ rm_2 -> {0; (n_1, 1)})
  entry "main" ("n": "i64" i64) -> ("[]i64" []i64)
{
  let m_4: mem.host = alloc((8 * n_1), host)
  let r_5: [n_1]i64 @ m_4 -> {0; (n_1, 1)} = iota.i64(n_1, 0, 1)
  in (m_4, r_5)
}
"##;
    assert_eq!(run_on(&PLAIN, text, "3i64"), Ok("[0i64, 1i64, 2i64]".to_owned()));
    assert!(PLAIN.is_excluded_by("no_plain") && PLAIN.is_excluded_by("no_plainc"));
    assert!(!PLAIN.is_excluded_by("no_c"));
}

#[test]
fn targets_are_told_apart_by_name() {
    let names: BTreeSet<&str> = target::ALL.iter().map(|t| t.name).collect();
    assert_eq!(names.len(), target::ALL.len());
    for t in target::ALL {
        assert_eq!(Target::named(t.name), Some(*t));
    }
    assert_eq!(target::ALL.first().copied(), Some(Target::reference()));
    // Programs are for the machine at hand unless something else is asked for, and without a device.
    let default = Target::default_target();
    assert!(default.threads && default.machine.is_none() && default.device().is_none());
}

//! The runtime as one file of C.

use crate::support::scratch;
use std::process::Command;

/// The standards that bindings compile it with, after headers of others or before.
#[test]
fn one_file_compiles() {
    let file = scratch().join("one_file.c");
    std::fs::write(&file, futc_runtime::SOURCE).expect("the file is written");
    for standard in ["c99", "gnu99", "c11", "gnu11", "gnu17"] {
        for before in ["stddef.h", "stdio.h"] {
            let output = Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".into()))
                .args(["-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-D_GNU_SOURCE"])
                .args([&format!("-std={standard}"), "-include", before])
                .arg(&file)
                .output()
                .expect("the C compiler runs");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{standard}, {before}: {said}");
        }
    }
}

#[test]
fn one_file_includes_nothing_of_ours() {
    let ours =
        futc_runtime::SOURCE.lines().filter(|line| line.trim_start().starts_with("#include \""));
    assert_eq!(ours.collect::<Vec<_>>(), Vec::<&str>::new());
}

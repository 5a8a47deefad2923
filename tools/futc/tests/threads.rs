//! ThreadSanitizer watches what compiled programs share: it reports the race of a program that has one, and nothing of
//! one that has none.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

/// A program as run by several threads on one input.
fn run(text: &str, input: &str) -> Output {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("program.fut");
    std::fs::write(&source, text).unwrap();
    let program = dir.path().join("program");
    let compiled = Command::new(env!("CARGO_BIN_EXE_futc"))
        .args(["--target=small-tasks", "--sanitize=thread", "--no-cache"])
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let mut child = Command::new(&program)
        .arg("--num-threads=7")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn a_race_is_reported() {
    // All write to four places.
    let text =
        "entry main (n: i64) : [4]i64 = scatter (replicate 4 0) (map (% 4) (iota n)) (iota n)";
    let output = run(text, "30000000i64");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("WARNING: ThreadSanitizer: data race"), "{said}");
    assert!(!output.status.success(), "{said}");
}

#[test]
fn tasks_that_wait_for_one_another_have_no_race() {
    let text = "\
entry main (n: i64) : (i64, i64, i64, i64) =
  let xs = map (\\i -> i * 7919 % 1009) (iota n)
  let upto = scan (+) 0 xs
  let odd = filter (\\x -> x % 2 == 1) xs
  let halves = scan (+) 0 (map (% 2) xs)
  let place i x h = if x % 2 == 1 then h - 1 else length odd + i - h
  let sorted = scatter (replicate n 0) (map3 place (iota n) xs halves) xs
  let counts = hist (+) 0 1009 xs (replicate n 1)
  let rows = tabulate_2d 2 n (\\i j -> i + xs[j])
  in (upto[n - 1], sorted[0], i64.maximum counts, i64.sum (map (\\r -> (scan (+) 0 r)[n - 1]) rows))";
    let output = run(text, "300000i64");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.is_empty(), "{said}");
}

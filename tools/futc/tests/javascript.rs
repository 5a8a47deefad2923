//! WebAssembly with JavaScript around it (docs/javascript.md): what programs in JavaScript do with it, in Node.js and
//! in a browser. `./x setup` installs both.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod common;

use common::{all_arrays, succeeded};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/javascript")
}

/// One thread, and several.
const TARGETS: [&str; 2] = ["wasm", "wasm-multicore"];

/// Makes a library of a program.
fn library(target: &str, program: &Path, output: &Path) {
    succeeded(
        Command::new(env!("CARGO_BIN_EXE_futc"))
            .args(["-w", "-O1", "--no-cache", "--library"])
            .arg(format!("--target={target}"))
            .arg(program)
            .arg("-o")
            .arg(output),
    );
}

/// Runs a file of tests with the modules of a folder.
fn tests(name: &str, modules: &Path) {
    let mut command = Command::new("node");
    succeeded(command.arg("--test").arg(folder().join(name)).env("MODULES", modules));
}

#[test]
fn values_go_in_and_out() {
    for target in TARGETS {
        let dir = tempfile::tempdir().unwrap();
        library(target, &folder().join("values.fut"), &dir.path().join("values"));
        let arrays = dir.path().join("arrays.fut");
        std::fs::write(&arrays, all_arrays("xs")).unwrap();
        library(target, &arrays, &dir.path().join("arrays"));
        tests("values.mjs", dir.path());
    }
}

#[test]
fn libraries_have_as_many_threads_as_wanted() {
    let dir = tempfile::tempdir().unwrap();
    library("wasm-multicore", &folder().join("threads.fut"), &dir.path().join("threads"));
    tests("threads.mjs", dir.path());
}

/// What an executable says, on standard output and then on standard error, and its status.
fn said(program: &Path, arguments: &[&str], variable: Option<&str>, input: &str) -> (String, i32) {
    let mut command = Command::new("node");
    command.arg(program).args(arguments).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).env_remove("FUTHARK_NUM_THREADS");
    if let Some(threads) = variable {
        command.env("FUTHARK_NUM_THREADS", threads);
    }
    let mut child = command.spawn().unwrap();
    // Who finds a wrong option reads nothing.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let mut text = String::from_utf8(output.stdout).unwrap();
    text += &String::from_utf8(output.stderr).unwrap();
    (text, output.status.code().unwrap())
}

#[test]
fn executables_have_as_many_threads_as_wanted() {
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("threads");
    succeeded(
        Command::new(env!("CARGO_BIN_EXE_futc"))
            .args(["-w", "--no-cache", "--target=wasm-multicore"])
            .arg(folder().join("threads.fut"))
            .arg("-o")
            .arg(&program),
    );
    let sum = |arguments: &[&str], variable: Option<&str>| {
        let arguments = [&["-e", "sum"], arguments].concat();
        said(&program, &arguments, variable, "7000000i64")
    };
    let right = ("14000000i64\n".to_owned(), 0);
    for threads in ["--num-threads=0", "--num-threads=1", "--num-threads=2", "--num-threads=9"] {
        assert_eq!(sum(&[threads], None), right, "{threads}");
    }
    assert_eq!(sum(&[], None), right);
    assert_eq!(sum(&[], Some("3")), right);
    for (arguments, variable, error) in [
        (&["--num-threads=x"][..], None, "--num-threads: 'x' is not an integer"),
        (&["--num-threads=2000"], None, "limitation: 2000 threads are more than 1024"),
        (&[], Some("many"), "FUTHARK_NUM_THREADS: 'many' is not an integer"),
    ] {
        let (text, status) = sum(arguments, variable);
        assert!(text.contains(error) && status == 1, "{status}: {text}");
    }
    // Nothing more and nothing twice, as other threads may end while the message is written.
    let source = folder().join("threads.fut");
    let failure = format!(
        "{0}: Error: Index [3500000] out of bounds for array of shape [2000000].\n\nBacktrace:\n\
         -> #0  {1}:10:26-56\n-> #1  {1}:10:15-70\n",
        program.display(),
        source.display()
    );
    for _ in 0..10 {
        let arguments = ["-e", "pick", "--num-threads=4"];
        let outcome = said(&program, &arguments, None, "2000000i64 1500000i64");
        assert_eq!(outcome, (failure.clone(), 1));
    }
    // A thread does come, if there is time.
    let helped = (0..5).any(|_| {
        let arguments = ["-e", "sum", "--num-threads=3", "-P", "--runs=5"];
        let (text, _) = said(&program, &arguments, None, "200000000i64");
        let count = text.split(" of them assisted").next().and_then(|t| t.rsplit(' ').next());
        count.and_then(|count| count.parse::<u64>().ok()).is_some_and(|count| count > 0)
    });
    assert!(helped);
}

#[test]
fn the_page_says_what_happens() {
    let dir = tempfile::tempdir().unwrap();
    succeeded(
        Command::new("node")
            .arg(folder().join("docs.mjs"))
            .arg(repository().join("docs/javascript.md"))
            .current_dir(dir.path())
            .env("FUTC", env!("CARGO_BIN_EXE_futc")),
    );
}

/// What headless Chromium shows of the page of a folder once that is done; `host` is another name for this machine.
fn shown(served: &Path, query: &str, host: Option<&str>) -> String {
    let scratch = tempfile::tempdir().unwrap();
    let mut command = Command::new("node");
    command.arg(folder().join("page.mjs")).arg(repository().join("examples/web/serve.mjs"));
    command.arg(served).arg(query).arg(scratch.path()).args(host);
    let page = String::from_utf8(succeeded(&mut command).stdout).unwrap();
    assert!(page.contains("data-done=\"yes\""), "{page}");
    page
}

/// `examples/web` in headless Chromium: after some generations, as many cells live as elsewhere.
#[test]
fn the_example_runs_in_a_browser() {
    let dir = tempfile::tempdir().unwrap();
    let web = repository().join("examples/web");
    let program = dir.path().join("life_here");
    let compiler = env!("CARGO_BIN_EXE_futc");
    succeeded(
        Command::new(compiler).arg("--no-cache").arg(web.join("life.fut")).arg("-o").arg(&program),
    );
    let input = dir.path().join("input");
    std::fs::write(&input, "100i64 64i64 64i64").unwrap();
    let input = std::fs::File::open(input).unwrap();
    let there = succeeded(Command::new(program).args(["-e", "alive_after"]).stdin(input));
    let there = String::from_utf8(there.stdout).unwrap();
    for target in TARGETS {
        let dir = tempfile::tempdir().unwrap();
        std::fs::copy(web.join("index.html"), dir.path().join("index.html")).unwrap();
        library(target, &web.join("life.fut"), &dir.path().join("life"));
        let page = shown(dir.path(), "?size=64&generations=100", None);
        let alive = page.split("<output id=\"alive\">").nth(1).unwrap().split('<').next().unwrap();
        assert_eq!(there.trim(), format!("{alive}i64"), "{target}");
    }
}

/// A page with threads, and one that may have none.
#[test]
fn a_page_has_threads_if_it_may() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::copy(folder().join("threads.html"), dir.path().join("index.html")).unwrap();
    library("wasm-multicore", &folder().join("threads.fut"), &dir.path().join("threads"));
    let page = shown(dir.path(), "", None);
    let said = page.split("<pre id=\"said\">").nth(1).unwrap().split('<').next().unwrap();
    assert_eq!(
        said,
        "sum 14000000\n\
         Error: Index [1600000] out of bounds for array of shape [1000000].\n\
         pick 2100000"
    );
    // Headers are heeded only where nobody can have changed them: on this machine, or by HTTPS.
    let page = shown(dir.path(), "", Some("elsewhere.test"));
    assert!(page.contains("threads need SharedArrayBuffer"), "{page}");
}

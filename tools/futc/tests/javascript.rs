//! WebAssembly with JavaScript around it (docs/javascript.md): what programs in JavaScript do with it, in Node.js and
//! in a browser. `./x setup` installs both.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod common;

use common::{all_arrays, succeeded};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/javascript")
}

/// Makes a library of a program.
fn library(program: &Path, output: &Path) {
    succeeded(
        Command::new(env!("CARGO_BIN_EXE_futc"))
            .args(["-w", "-O1", "--no-cache", "--target=wasm", "--library"])
            .arg(program)
            .arg("-o")
            .arg(output),
    );
}

#[test]
fn values_go_in_and_out() {
    let dir = tempfile::tempdir().unwrap();
    library(&folder().join("values.fut"), &dir.path().join("values"));
    let arrays = dir.path().join("arrays.fut");
    std::fs::write(&arrays, all_arrays("xs")).unwrap();
    library(&arrays, &dir.path().join("arrays"));
    succeeded(
        Command::new("node")
            .arg("--test")
            .arg(folder().join("values.mjs"))
            .env("MODULES", dir.path()),
    );
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

/// A process that ends with the test.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// `examples/web` in headless Chromium: after some generations, as many cells live as elsewhere.
#[test]
fn the_example_runs_in_a_browser() {
    let dir = tempfile::tempdir().unwrap();
    let web = repository().join("examples/web");
    std::fs::copy(web.join("index.html"), dir.path().join("index.html")).unwrap();
    library(&web.join("life.fut"), &dir.path().join("life"));
    let mut command = Command::new("node");
    command.arg(web.join("serve.mjs")).arg(dir.path()).arg("0").stdout(Stdio::piped());
    let mut server = Ended(command.spawn().unwrap());
    let mut url = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut url).unwrap();
    // Chromium's clock for such runs is not that of this machine: on a busy one its budget can end while the program is
    // still being compiled. So it is asked again, a few times.
    let mut page = String::new();
    for attempt in 0..5 {
        let profile = dir.path().join(format!("profile{attempt}"));
        let shown = succeeded(
            Command::new("chromium")
                .args([
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--virtual-time-budget=100000",
                ])
                .arg(format!("--user-data-dir={}", profile.display()))
                .arg("--dump-dom")
                .arg(format!("{}?size=64&generations=100", url.trim())),
        );
        page = String::from_utf8(shown.stdout).unwrap();
        if page.contains("data-done=\"yes\"") {
            break;
        }
    }
    assert!(page.contains("data-done=\"yes\""), "{page}");
    let alive = page.split("<output id=\"alive\">").nth(1).unwrap().split('<').next().unwrap();

    let program = dir.path().join("life_here");
    let compiler = env!("CARGO_BIN_EXE_futc");
    succeeded(
        Command::new(compiler).arg("--no-cache").arg(web.join("life.fut")).arg("-o").arg(&program),
    );
    let input = dir.path().join("input");
    std::fs::write(&input, "100i64 64i64 64i64").unwrap();
    let input = std::fs::File::open(input).unwrap();
    let there = succeeded(Command::new(program).args(["-e", "alive_after"]).stdin(input));
    assert_eq!(String::from_utf8(there.stdout).unwrap().trim(), format!("{alive}i64"));
}

//! Programs called from Rust: the crate in `examples/rust`, and the one in docs/rust.md.

#![allow(clippy::unwrap_used, reason = "tests")]

#[expect(dead_code, reason = "a part of it is for libraries")]
mod common;

use common::succeeded;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Cargo, in a crate of its own, with this futc.
fn cargo(words: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(words.split_whitespace()).current_dir(folder);
    // What is built is kept, as dependencies of the workspace are.
    command.env("CARGO_TARGET_DIR", root().join("target/rust-examples"));
    command.env("FUTC", env!("CARGO_BIN_EXE_futc"));
    // Those that cargo sets for this test are not for the crate.
    command.env_remove("CARGO_MANIFEST_DIR").env_remove("OUT_DIR");
    command
}

#[test]
fn the_example_runs_and_passes_its_tests() {
    let folder = root().join("examples/rust");
    let output = succeeded(&mut cargo("run --quiet --locked", &folder));
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said, "y = 1.98 x + 1.03\n[1.03, 3.01, 4.99, 6.97], 0.067 off\n");
    let output = succeeded(&mut cargo("test --quiet --locked --features ndarray", &folder));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("8 passed"), "{said}");
}

/// The blocks of the page, each with the file that the line before it names.
fn files(page: &str) -> Vec<(&str, &str)> {
    let (mut files, mut rest) = (Vec::new(), page);
    while let Some((before, after)) = rest.split_once("`:\n\n```") {
        let name = before.rsplit('`').next().unwrap();
        let (_, body) = after.split_once('\n').unwrap();
        let (text, behind) = body.split_once("```").unwrap();
        files.push((name, text));
        rest = behind;
    }
    files
}

#[test]
fn the_page_does_what_it_says() {
    let page = std::fs::read_to_string(root().join("docs/rust.md")).unwrap();
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("src")).unwrap();
    let files = files(&page);
    assert_eq!(files.len(), 4);
    for (name, text) in files {
        let package = "[package]\nname = \"page\"\nedition = \"2024\"\n\n[workspace]\n\n";
        let text = match name {
            "Cargo.toml" => package.to_owned() + &text.replace('…', &root().display().to_string()),
            _ => text.to_owned(),
        };
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    // The versions of dependencies are those of the example.
    let output = succeeded(&mut cargo("run --quiet --offline", dir.path()));
    let said = String::from_utf8(output.stdout).unwrap();
    let (_, wanted) = page.split_once("```text\n").unwrap();
    assert_eq!(said, wanted.split_once("```").unwrap().0);
}

#[test]
fn what_is_wrong_is_told_when_a_crate_is_built() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    std::fs::create_dir(dir.path().join("src")).unwrap();
    let library = root().join("tools/futc-build");
    write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"wrong\"\nedition = \"2024\"\n[workspace]\n[build-dependencies]\n\
             futc-build = {{ path = {library:?} }}\n"
        ),
    );
    write(
        "build.rs",
        "fn main() -> Result<(), futc_build::Error> { futc_build::compile(\"p.fut\") }",
    );
    write("src/main.rs", "fn main() {}");
    write("p.fut", "entry f (x: i32) : bool = x\n");
    let said = |command: &mut Command| {
        let output = command.output().unwrap();
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let refused = said(&mut cargo("build --offline", dir.path()));
    assert!(refused.contains("futc refuses p.fut") && refused.contains("p.fut:1:"), "{refused}");
    let absent = said(cargo("build --offline", dir.path()).env("FUTC", "/nonexistent/futc"));
    assert!(absent.contains("install futc so that it is on the path"), "{absent}");
}

//! The user's manual: what its chapters say that commands print, they print.
//!
//! Each chapter that docs/SUMMARY.md lists is gone through in a folder of its own: blocks that are files are written
//! there, and commands are run, in the order of the page ([`futc_testing::pages`]). Programs that are not written to a
//! file must be right. With `UPDATE_EXPECT=1` in the environment, what commands print is written to the pages.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[path = "common/interpreter.rs"]
mod interpreter;

use futc_testing::pages::{Step, blocks, prints};
use std::fmt::Write as _;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Chapters that other tests go through: installation in a system of its own (`cargo xtask smoke-install`), Python, Rust
/// and JavaScript by their own machinery.
const ELSEWHERE: &[&str] = &["install.md", "python.md", "rust.md", "javascript.md"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The files of the chapters.
fn chapters(summary: &str) -> Vec<&str> {
    let links = summary.lines().filter_map(|line| line.split_once("]("));
    let files = links.map(|(_, rest)| rest.trim_end().trim_end_matches(')'));
    files.filter(|f| !f.is_empty() && !ELSEWHERE.contains(f)).collect()
}

/// The commands that pages call: this futc, and a Python that has NumPy.
fn commands() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_futc"), folder.path().join("futc")).unwrap();
    // Under the name that pages call it by, where that is another one.
    let python = interpreter::python();
    if python != "python3" {
        let file = folder.path().join("python3");
        std::fs::write(&file, format!("#!/bin/sh\nexec {python} \"$@\"\n")).unwrap();
        std::fs::set_permissions(&file, Permissions::from_mode(0o755)).unwrap();
    }
    folder
}

/// A shell in a folder, with these commands and nothing of the user's.
fn run(commands: &Path, folder: &Path, command: &str) -> (bool, String) {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(commands.to_owned()).chain(std::env::split_paths(&path));
    let output = Command::new("bash")
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .current_dir(folder)
        .env("PATH", std::env::join_paths(path).unwrap())
        .env("HOME", folder)
        .env("XDG_CACHE_HOME", folder.join(".cache"))
        .env("PYTHONPATH", root().join("tools/python"))
        .env_remove("FUTC")
        .output()
        .unwrap();
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What a page says that is not so, and the page as it would be right.
fn walk(commands: &Path, name: &str, page: &str) -> (Vec<String>, String) {
    let folder = tempfile::tempdir().unwrap();
    let (mut wrong, mut lines) = (Vec::new(), page.lines().map(str::to_owned).collect::<Vec<_>>());
    let mut corrections: Vec<(Step, String)> = Vec::new();
    for block in blocks(page) {
        if let Some(file) = block.file() {
            let file = folder.path().join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, block.text).unwrap();
        } else if block.language == "futhark" {
            std::fs::write(folder.path().join("block.fut"), block.text).unwrap();
            let (right, said) = run(commands, folder.path(), "futc check -w block.fut");
            if !right {
                wrong.push(format!("{name}:{}: this program is refused:\n{said}", block.line));
            }
        }
        for step in block.steps() {
            let (success, said) = run(commands, folder.path(), &step.command);
            // Where the page shows what is printed, a failure may be what it is about.
            let right = prints(&step.prints, &said.lines().collect::<Vec<_>>());
            if !right || step.prints.is_empty() && !success {
                wrong.push(format!("{name}:{}: {}\n{said}", step.line, step.command));
                if !right {
                    corrections.push((step, said));
                }
            }
        }
    }
    for (step, said) in corrections.into_iter().rev() {
        let said = said.lines().map(|line| line.trim_end().to_owned());
        lines.splice(step.line..step.line + step.prints.len(), said);
    }
    (wrong, lines.join("\n") + "\n")
}

#[test]
fn chapters_do_what_they_say() {
    let docs = root().join("docs");
    let summary = std::fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let chapters = chapters(&summary);
    assert!(chapters.len() > 12, "{chapters:?}");
    let commands = commands();
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut all = String::new();
    for chapter in chapters {
        let file = docs.join(chapter);
        let page = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{chapter}: {e}"));
        let (wrong, right) = walk(commands.path(), chapter, &page);
        if update && right != page {
            std::fs::write(&file, right).unwrap();
        }
        for what in wrong {
            let _ = writeln!(all, "{what}");
        }
    }
    assert!(all.is_empty() || update, "{all}");
}

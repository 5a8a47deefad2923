//! futc installed (docs/install.md), where its sources cannot be seen.

#![allow(clippy::unwrap_used, reason = "tests")]

#[expect(dead_code, reason = "a part of it is for libraries")]
mod common;

use common::succeeded;
use std::path::Path;
use std::process::{Command, Output};

fn install(prefix: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_futc"));
    command.args(["install", "--prefix"]).arg(prefix).args(more);
    command
}

/// Runs a shell's text with an empty folder in the place of the repository.
fn without_sources(text: &str, folder: &Path) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let text = format!(
        "set -e; mount -t tmpfs none '{}'; test ! -e '{}/Cargo.toml'; {text}",
        root.display(),
        root.display()
    );
    // In a name space of its own, by whoever may make one.
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "sh", "-c", &text]).current_dir(folder);
    succeeded(command.env("XDG_CACHE_HOME", folder.join("cache")))
}

#[test]
fn it_works_without_its_sources() {
    let dir = tempfile::tempdir().unwrap();
    let prefix = dir.path().join("prefix with a space");
    succeeded(&mut install(&prefix, &["--futhark"]));
    let bin = prefix.join("bin");
    let text = format!(
        "export PATH='{}':$PATH
         echo 'entry main [n] (xs: [n]f64) = f64.sum (map f64.sqrt xs)' > p.fut
         futc p.fut -o p && echo '[4.0, 9.0]' | ./p
         futc p.fut --target=multicore -o p && echo '[4.0, 9.0]' | ./p
         futc p.fut --target=gpu-emu -o p && echo '[4.0, 9.0]' | ./p
         echo '[4.0, 9.0]' | futc run p.fut
         futhark c --library p.fut -o lib && cc -c lib.c -o lib.o
         futc --python p.fut -o package && test -e package/__init__.py
         futc p.fut --target=nvptx -o gpu && test -x gpu
         futc check p.fut && futc explain type-mismatch > /dev/null",
        bin.display()
    );
    let output = without_sources(&text, dir.path());
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said, "5.0f64\n".repeat(4));
}

#[test]
fn pages_and_completions_come_with_it() {
    let dir = tempfile::tempdir().unwrap();
    succeeded(&mut install(dir.path(), &[]));
    let read = |name: &str| std::fs::read_to_string(dir.path().join("share").join(name)).unwrap();
    assert!(read("man/man1/futc.1").contains("Compiles Futhark programs"));
    assert!(read("man/man1/futc-check.1").contains("Type"));
    for completions in [
        "bash-completion/completions/futc",
        "zsh/site-functions/_futc",
        "fish/vendor_completions.d/futc.fish",
    ] {
        let text = read(completions);
        assert!(text.contains("doctor") && text.contains("lib-kind"), "{completions}");
    }
    assert!(!dir.path().join("bin/futhark").exists());
    // Again, by the one that is installed, and over a command that is somebody else's.
    let mut installed = Command::new(dir.path().join("bin/futc"));
    succeeded(installed.args(["install", "--futhark", "--prefix"]).arg(dir.path()));
    let link = dir.path().join("bin/futhark");
    assert_eq!(std::fs::read_link(&link).unwrap(), Path::new("futc"));
    std::fs::remove_file(&link).unwrap();
    std::fs::write(&link, "another").unwrap();
    let refused = install(dir.path(), &["--futhark"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&link).unwrap(), "another");
}

#[test]
fn what_is_missing_is_told() {
    let futc = || Command::new(env!("CARGO_BIN_EXE_futc"));
    let well = succeeded(futc().arg("doctor"));
    let said = String::from_utf8(well.stdout).unwrap();
    assert!(
        said.contains("LLVM: ") && said.contains("Programs can be compiled and run."),
        "{said}"
    );
    let ill = futc().arg("doctor").env("CC", "/nonexistent/cc").output().unwrap();
    assert_eq!(ill.status.code(), Some(1));
    let said = String::from_utf8(ill.stdout).unwrap();
    assert!(said.contains("MISSING    C compiler") && said.contains("install gcc"), "{said}");
}

#[test]
fn versions_are_short_and_long() {
    let said = |option: &str| {
        let output = succeeded(Command::new(env!("CARGO_BIN_EXE_futc")).arg(option));
        String::from_utf8(output.stdout).unwrap()
    };
    let (short, long) = (said("-V"), said("--version"));
    assert_eq!(short.lines().count(), 1);
    assert!(long.starts_with(&short), "{long}");
    for part in ["LLVM: 22.", "targets: seq, ", "processor: "] {
        assert!(long.contains(part), "{long}");
    }
}

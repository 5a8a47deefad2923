//! futc as `futhark` (docs/libraries.md): command lines and files of the reference compiler.

#![allow(clippy::unwrap_used, reason = "tests")]

#[expect(dead_code, reason = "a part of it is for libraries")]
mod common;

use common::succeeded;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const PROGRAM: &str = "-- ==\n-- input { 20 } output { 21 }\nentry main (x: i32) : i32 = x + 1\n";

/// A folder with a program and a link to futc.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("p.fut"), PROGRAM).unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_futc"), dir.path().join("futhark")).unwrap();
        Folder(dir)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Of words in the folder.
    fn futhark(&self, line: &str) -> Command {
        let mut command = Command::new(self.path().join("futhark"));
        command.current_dir(self.path()).env("FUTC_CACHE_SIZE", "0");
        command.args(line.split_whitespace());
        command
    }

    fn run(&self, program: &str, input: &str) -> String {
        let mut command = Command::new(self.path().join(program));
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        process.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        String::from_utf8(process.wait_with_output().unwrap().stdout).unwrap()
    }
}

fn notes(output: &Output) -> Vec<String> {
    String::from_utf8_lossy(&output.stderr).lines().map(str::to_owned).collect()
}

#[test]
fn libraries_are_three_files() {
    let folder = Folder::new();
    for (line, name, backend) in [
        ("c --library -o made/lib p.fut", "made/lib", "c"),
        ("multicore --lib -w p.fut", "p", "multicore"),
        ("opencl --library p.fut -o gpu", "gpu", "cuda"),
    ] {
        std::fs::create_dir_all(folder.path().join("made")).unwrap();
        let output = succeeded(&mut folder.futhark(line));
        assert_eq!(notes(&output).len(), usize::from(name == "gpu"), "{line}");
        let read = |extension: &str| {
            std::fs::read_to_string(folder.path().join(name).with_extension(extension)).unwrap()
        };
        assert!(read("h").contains(&format!("#define FUTHARK_BACKEND_{backend}\n")), "{line}");
        assert!(read("json").contains(&format!("\"backend\": \"{backend}\"")), "{line}");
        let object = folder.path().join("object");
        let mut cc = Command::new("cc");
        cc.args(["-std=c99", "-c", "-o"]).arg(object);
        succeeded(cc.arg(folder.path().join(name).with_extension("c")));
    }
}

#[test]
fn programs_and_servers_are_made() {
    let folder = Folder::new();
    for (line, program, notes_of) in [
        ("c p.fut", "p", 0),
        ("multicore -o many p.fut --executable", "many", 0),
        ("ispc -o vectors p.fut", "vectors", 1),
    ] {
        let output = succeeded(&mut folder.futhark(line));
        assert_eq!(notes(&output).len(), notes_of, "{line}");
        assert_eq!(folder.run(program, "4\n"), "5i32\n", "{line}");
    }
    succeeded(&mut folder.futhark("c --server -o server p.fut"));
    assert_eq!(folder.run("server", "inputs main\n"), "%%% OK\ni32\n%%% OK\n");
}

#[test]
fn other_commands_are_futc_s() {
    let folder = Folder::new();
    succeeded(&mut folder.futhark("test --backend=c --no-terminal p.fut"));
    succeeded(&mut folder.futhark("test -i p.fut"));
    succeeded(&mut folder.futhark("bench --backend=c --runs=2 --no-convergence-phase p.fut"));
    succeeded(&mut folder.futhark("check -w p.fut"));
    succeeded(&mut folder.futhark("dataset -g [10]i32"));
    let version = succeeded(&mut folder.futhark("-V"));
    assert_eq!(version.stdout, succeeded(&mut folder.futhark("c -V")).stdout);
}

#[test]
fn what_is_not_there_is_said_in_a_line() {
    let folder = Folder::new();
    for line in ["autotune p.fut", "python p.fut", "pkg add x", "test --backend=pyopencl p.fut"] {
        let output = folder.futhark(line).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(!output.stderr.is_empty(), "{line}");
    }
    let output = folder.futhark("autotune p.fut").output().unwrap();
    assert_eq!(notes(&output).len(), 1);
}

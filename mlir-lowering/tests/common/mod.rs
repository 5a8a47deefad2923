//! Compiles programs in text form, links them with the runtime and runs them.

#![allow(dead_code, clippy::panic, clippy::unwrap_used, reason = "shared by tests")]

use futc_midend::ir::Program;
use futc_midend::ir::parse::parse_program;
use futc_mlir::{Compiled, Options, Output, Target, target};
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// Reads a program at level mem.
pub fn program(text: &str) -> Program {
    parse_program(&format!("level mem\n{text}")).unwrap_or_else(|e| panic!("{e}"))
}

/// Compiles and runs a program; what it prints, or what it complains about.
pub fn run_on(target: &'static Target, text: &str, input: &str) -> Result<String, String> {
    run_program_on(target, &program(text), input)
}

/// The same of a program that is there already.
pub fn run_program_on(
    target: &'static Target,
    program: &Program,
    input: &str,
) -> Result<String, String> {
    run_with(Options::new(target), program, input)
}

/// The same with options.
pub fn run_with(options: Options, program: &Program, input: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let mut objects = Vec::new();
    for bytes in Compiled::new(program, options).objects().map_err(|e| e.to_string())? {
        let object = folder.path().join(format!("program{}.o", objects.len()));
        std::fs::write(&object, bytes).unwrap();
        objects.push(object);
    }
    let binary = folder.path().join("program");
    let mut child = {
        // The linker writes in this process: a child that another thread has just made would have the file open, so that it
        // could not be run.
        static ONE: Mutex<()> = Mutex::new(());
        let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        futc_mlir::link(
            &objects,
            futc_runtime::ARCHIVE,
            futc_runtime::LINK_FLAGS,
            Output::Executable,
            folder.path(),
            &binary,
        )
        .map_err(|e| e.to_string())?;
        Command::new(&binary)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

/// Runs on one thread of the host.
pub fn run(text: &str, input: &str) -> Result<String, String> {
    run_on(&target::SEQ, text, input)
}

/// Expects the same of every target that needs no GPU.
pub fn expect(text: &str, input: &str, output: &str) {
    for target in [&target::SEQ, &target::GPU_EMU] {
        assert_eq!(run_on(target, text, input), Ok(output.to_owned()), "{target:?}");
    }
}

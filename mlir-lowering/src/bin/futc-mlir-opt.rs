//! Runs conversions of ours over MLIR text, so that each can be tested alone:
//! `futc-mlir-opt --convert=linalg-to-loops,memref-to-pointers in.mlir | FileCheck in.mlir`.
//!
//! `--list` names the conversions; `--target-cpu=NAME` is the processor whose vectors they use;
//! `--standard-pipeline` prints the passes that take what futc emits to the LLVM dialect without them, as
//! an option of `mlir-opt`.

use futc_mlir::{Options, convert, pipeline, target};
use std::io::{self, Read, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(text) => match io::stdout().write_all(text.as_bytes()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
        Err(message) => {
            eprintln!("futc-mlir-opt: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<String, String> {
    let mut options = Options::new(target::ALL.first().ok_or("there is no target")?);
    let (mut conversions, mut file) = (String::new(), None);
    for argument in std::env::args().skip(1) {
        if argument == "--list" {
            let line = |s: &convert::Step| format!("{:<20} {}\n", s.name, s.description);
            return Ok(convert::STEPS.iter().chain(convert::OF_TARGETS).map(line).collect());
        } else if argument == "--standard-pipeline" {
            return Ok(format!("--pass-pipeline={}\n", pipeline::STANDARD));
        } else if let Some(names) = argument.strip_prefix("--convert=") {
            conversions = names.to_owned();
        } else if let Some(cpu) = argument.strip_prefix("--target-cpu=") {
            options.target_cpu = Some(cpu.to_owned());
        } else if argument.starts_with("--") || file.is_some() {
            return Err(format!("what is {argument}?"));
        } else {
            file = Some(argument);
        }
    }
    let mut text = String::new();
    match file {
        Some(file) if file != "-" => {
            text = std::fs::read_to_string(&file).map_err(|e| format!("{file}: {e}"))?;
        }
        _ => {
            io::stdin().read_to_string(&mut text).map_err(|e| e.to_string())?;
        }
    }
    let names: Vec<&str> = conversions.split(',').filter(|n| !n.is_empty()).collect();
    convert::run_on_text(&text, &names, &options).map_err(|e| e.to_string())
}

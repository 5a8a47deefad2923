//! Whether LLVM knows a processor by its name, and the names it knows.
//!
//! LLVM's C interface tells neither. It says so on standard error when it is too late, or ends the
//! process; so a process of our own tries, and what it says is read.

use crate::args::{ProcessorArgs, Target};
use crate::exit::{Exit, Failure};
use futc_frontend::check::typeexp::closest_text;
use futc_mlir::Options;
use std::process::{Command, Output};

/// The name that asks for a list of names.
pub const HELP: &str = "help";

fn options(gpu: bool, name: &str) -> Options {
    let target = if gpu { futc_mlir::Target::Nvptx } else { futc_mlir::Target::Seq };
    Options {
        target_cpu: Some(name.to_owned()),
        gpu_arch: Some(name.to_owned()),
        ..Options::new(target)
    }
}

/// Tries a processor in this process.
pub fn attempt(args: &ProcessorArgs) -> Result<Exit, Failure> {
    futc_mlir::try_processor(&options(args.gpu, &args.name))
        .map_err(|e| Failure::new(e.to_string()))?;
    Ok(Exit::Success)
}

/// Tries it in another.
fn attempted(gpu: bool, name: &str) -> Result<Output, Failure> {
    let failed = |e: std::io::Error| Failure::new(format!("cannot run futc: {e}"));
    let this = std::env::current_exe().map_err(failed)?;
    let mut command = Command::new(this);
    command.arg("processor").arg(name);
    if gpu {
        command.arg("--gpu");
    }
    command.output().map_err(failed)
}

/// The processors that LLVM knows.
pub fn names(target: Target) -> Result<Vec<String>, Failure> {
    let said = attempted(target == Target::Nvptx, HELP)?.stderr;
    // A heading, the names with a remark each, and another list, of features.
    let said = String::from_utf8_lossy(&said);
    let list = said.lines().skip_while(|l| !l.starts_with("Available CPUs")).skip(1);
    let list = list.take_while(|l| !l.starts_with("Available features"));
    Ok(list.filter_map(|l| l.split_whitespace().next()).map(str::to_owned).collect())
}

/// Refuses a name that LLVM does not know, or knows as that of a processor without our kind of code.
pub fn check(target: Target, option: &str, name: &str) -> Result<(), Failure> {
    let tried = attempted(target == Target::Nvptx, name)?;
    let unknown = String::from_utf8_lossy(&tried.stderr).contains("not a recognized processor");
    if tried.status.success() && !unknown {
        return Ok(());
    }
    let names = names(target)?;
    let known = names.iter().any(|n| n == name);
    let what = match (known, closest_text(name, names.iter().map(String::as_str))) {
        (true, _) => format!("no code can be generated for the processor '{name}'"),
        (false, Some(like)) => {
            format!("there is no processor '{name}'; did you mean '{like}'?")
        }
        (false, None) => format!("there is no processor '{name}'"),
    };
    Err(Failure::usage(format!("{option}: {what} {option}={HELP} lists all")))
}

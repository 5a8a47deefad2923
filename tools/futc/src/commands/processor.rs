//! Whether LLVM knows a processor by its name, and the names it knows.
//!
//! LLVM's C interface tells neither. It says so on standard error when it is too late, or ends the
//! process; so a process of our own tries, and what it says is read.

use crate::args::ProcessorArgs;
use crate::exit::{Exit, Failure};
use futc_frontend::check::types::alike::closest_text;
use futc_mlir::{Options, Target};
use std::process::{Command, Output};

/// The name that asks for a list of names.
pub const HELP: &str = "help";

/// Whose processor.
#[derive(Clone, Copy, Debug)]
pub enum Of {
    /// The one that the host's code for this target runs on.
    Host(&'static Target),
    /// The one that the kernels of this target run on.
    Kernels(&'static Target),
}

/// Tries a processor in this process.
pub fn attempt(args: &ProcessorArgs) -> Result<Exit, Failure> {
    let name = Some(args.name.clone());
    let options = Options::new(args.target.unwrap_or(Target::default_target()));
    let tried = match args.target.and_then(Target::device) {
        Some(device) => (device.try_processor)(&Options { gpu_arch: name, ..options }),
        None => futc_mlir::try_processor(&Options { target_cpu: name, ..options }),
    };
    tried.map_err(|e| Failure::new(e.to_string()))?;
    Ok(Exit::Success)
}

/// Tries it in another.
fn attempted(of: Of, name: &str) -> Result<Output, Failure> {
    let failed = |e: std::io::Error| Failure::new(format!("cannot run futc: {e}"));
    let this = std::env::current_exe().map_err(failed)?;
    let mut command = Command::new(this);
    command.arg("processor").arg(name);
    let target = match of {
        Of::Kernels(target) => Some(target),
        // Of the machine at hand whose kernels nobody asks for, nothing is said.
        Of::Host(target) => target.machine.is_some().then_some(target),
    };
    if let Some(target) = target {
        command.args(["--target", target.name]);
    }
    command.output().map_err(failed)
}

/// The processors that LLVM knows.
pub fn names(of: Of) -> Result<Vec<String>, Failure> {
    let said = attempted(of, HELP)?.stderr;
    // A heading, the names with a remark each, and another list, of features.
    let said = String::from_utf8_lossy(&said);
    let list = said.lines().skip_while(|l| !l.starts_with("Available CPUs")).skip(1);
    let list = list.take_while(|l| !l.starts_with("Available features"));
    Ok(list.filter_map(|l| l.split_whitespace().next()).map(str::to_owned).collect())
}

/// Refuses a name that LLVM does not know, or knows as that of a processor without our kind of code.
pub fn check(of: Of, option: &str, name: &str) -> Result<(), Failure> {
    let tried = attempted(of, name)?;
    let unknown = String::from_utf8_lossy(&tried.stderr).contains("not a recognized processor");
    if tried.status.success() && !unknown {
        return Ok(());
    }
    let names = names(of)?;
    let known = names.iter().any(|n| n == name);
    let what = match (known, closest_text(name, names.iter().map(String::as_str))) {
        (true, _) => format!("no code can be generated for the processor '{name}'"),
        (false, Some(like)) => {
            format!("there is no processor '{name}'; did you mean '{like}'?")
        }
        (false, None) => format!("there is no processor '{name}'"),
    };
    Err(Failure::usage(format!("{option}: {what} ({option}={HELP} lists all)")))
}

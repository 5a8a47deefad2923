//! `futc doctor`: what futc needs and has on this machine. Where it can, it tries a thing instead of looking for
//! a file: a program is compiled and run, and a CUDA program is what knows whether there is a driver.

use crate::exit::{Exit, Failure};
use crate::output::put;
use crate::version;
use futc_mlir::target::{self, Target};
use futc_testing::files::Scratch;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A thing that is looked for.
struct Finding {
    what: &'static str,
    /// What it does for futc.
    purpose: String,
    /// Whether futc compiles nothing without it.
    needed: bool,
    /// What was found, or how to get it.
    found: Result<String, String>,
}

/// Looks for everything.
pub fn run() -> Result<Exit, Failure> {
    let scratch = Scratch::new("futc-doctor").map_err(Failure::new)?;
    let mut findings = vec![c_compiler(), program(scratch.path())];
    findings.extend(target::ALL.iter().filter(|t| t.device().is_some()).flat_map(|target| {
        [driver(target, scratch.path()), mathematics(target), assembler(target)]
    }));
    findings.extend([python(), numpy()]);
    let with_machines = target::ALL.iter().filter(|t| t.machine.is_some());
    findings.extend(with_machines.map(|target| machine(target, scratch.path())));
    put(&shown(&findings))?;
    let lacking = findings.iter().any(|f| f.needed && f.found.is_err());
    Ok(if lacking { Exit::Failed } else { Exit::Success })
}

fn shown(findings: &[Finding]) -> String {
    let mut out = format!("futc {}\n\n", version::long());
    for f in findings {
        let (mark, text) = match &f.found {
            Ok(found) => ("found", found.clone()),
            Err(how) if f.needed => ("MISSING", how.clone()),
            Err(how) => ("not there", how.clone()),
        };
        let _ = writeln!(out, "{mark:<9}  {}: {}", f.what, f.purpose);
        for line in text.lines() {
            let _ = writeln!(out, "{:11}{line}", "");
        }
    }
    let lacking = findings.iter().filter(|f| f.needed && f.found.is_err());
    let names: Vec<&str> = lacking.map(|f| f.what).collect();
    match names.as_slice() {
        [] => out.push_str("\nPrograms can be compiled and run.\n"),
        _ => {
            let _ = writeln!(out, "\nPrograms cannot be compiled: see {}.", names.join(" and "));
        }
    }
    out
}

// ---- Running things. ----

fn output(program: impl AsRef<OsStr>, arguments: &[&str]) -> Result<Output, String> {
    let output = Command::new(program.as_ref()).args(arguments).stdin(Stdio::null()).output();
    output.map_err(|e| format!("cannot run {}: {e}", program.as_ref().display()))
}

/// The first line that something says of itself.
fn says(program: impl AsRef<OsStr>, arguments: &[&str]) -> Result<String, String> {
    let output = output(program, arguments)?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = said.lines().find(|line| !line.trim().is_empty());
    match line.filter(|_| output.status.success()) {
        Some(line) => Ok(line.trim().to_owned()),
        None => Err(first_line(&output)),
    }
}

fn first_line(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    said.lines().next().map_or_else(|| output.status.to_string(), str::to_owned)
}

/// A program on the path.
fn on_path(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Compiles a small program for a target and runs it; the error of the first that fails.
fn try_target(target: &Target, folder: &Path) -> Result<(), String> {
    let source = folder.join("doctor.fut");
    let made = folder.join(target.name);
    let failed = |e: std::io::Error| e.to_string();
    std::fs::write(&source, "entry main (x: i32) : i32 = x + 1\n").map_err(failed)?;
    let this = std::env::current_exe().map_err(failed)?;
    let compiled = Command::new(this)
        .arg(&source)
        .args(["--no-cache", "--target", target.name, "-o"])
        .arg(&made)
        .output()
        .map_err(failed)?;
    if !compiled.status.success() {
        return Err(first_line(&compiled));
    }
    let pipes = |command: &mut Command| {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
    };
    let mut process = pipes(&mut Command::new(&made)).map_err(failed)?;
    if let Some(mut input) = process.stdin.take() {
        // A program that ends at once does not read.
        let _ = input.write_all(b"41\n");
    }
    let ran = process.wait_with_output().map_err(failed)?;
    match ran.status.success() && ran.stdout == b"42i32\n" {
        true => Ok(()),
        false => Err(first_line(&ran)),
    }
}

// ---- What is looked for. ----

fn c_compiler() -> Finding {
    let compiler = futc_mlir::linker();
    let how = "install gcc or clang (Debian: apt install gcc libc6-dev), or name one in CC";
    Finding {
        what: "C compiler",
        purpose: "links programs and libraries".into(),
        needed: true,
        found: says(&compiler, &["--version"]).map_err(|why| format!("{why}; {how}")),
    }
}

fn program(folder: &Path) -> Finding {
    let how = "the C library's files for linking may be missing (Debian: apt install libc6-dev)";
    let target = Target::default_target();
    Finding {
        what: "a program",
        purpose: format!("is compiled for {} and run", target.name),
        needed: true,
        found: try_target(target, folder)
            .map(|()| "it gave 42".to_owned())
            .map_err(|why| format!("{why}\n{how}")),
    }
}

fn driver(target: &Target, folder: &Path) -> Finding {
    Finding {
        what: "GPU driver",
        purpose: format!(
            "runs programs of --target={}, which are compiled without it",
            target.name
        ),
        needed: false,
        found: try_target(target, folder).map(|()| "a program ran on the GPU".to_owned()).map_err(
            |why| {
                format!(
                    "{why}\ninstall NVIDIA's driver, which has libcuda.so.1 (Debian: nvidia-driver)"
                )
            },
        ),
    }
}

fn mathematics(target: &Target) -> Finding {
    Finding {
        what: "libclc",
        purpose: format!("is the mathematical functions of kernels of --target={}", target.name),
        needed: false,
        found: futc_mlir::libclc()
            .map(|path| path.display().to_string())
            .ok_or_else(|| "install it (Debian: apt install libclc-22)".to_owned()),
    }
}

fn assembler(target: &Target) -> Finding {
    let named = std::env::var_os("PTXAS").map(PathBuf::from);
    let found = named.or_else(|| on_path("ptxas"));
    let how = "it comes with CUDA's toolkit; name it in PTXAS if it is not on the path";
    Finding {
        what: "ptxas",
        purpose: format!(
            "checks the code of --target={} in tests; users do not need it",
            target.name
        ),
        needed: false,
        found: found
            .filter(|path| path.is_file())
            .map(|path| path.display().to_string())
            .ok_or_else(|| how.to_owned()),
    }
}

fn python() -> Finding {
    Finding {
        what: "Python",
        purpose: "uses packages that futc --python makes (3.9 or later)".into(),
        needed: false,
        found: says("python3", &["--version"])
            .map_err(|why| format!("{why}; install it (Debian: apt install python3)")),
    }
}

fn numpy() -> Finding {
    Finding {
        what: "NumPy",
        purpose: "has the arrays of such packages".into(),
        needed: false,
        found: says("python3", &["-c", "import numpy; print('NumPy', numpy.__version__)"])
            .map_err(|_| "install it (Debian: apt install python3-numpy)".to_owned()),
    }
}

/// What runs programs of a target that has a machine of its own.
fn machine(target: &Target, folder: &Path) -> Finding {
    Finding {
        what: "Node.js",
        purpose: format!("runs programs of --target={} (20 or later)", target.name),
        needed: false,
        found: says("node", &["--version"])
            .map_err(|why| format!("{why}; install it (Debian: apt install nodejs)"))
            .and_then(|version| {
                try_target(target, folder).map(|()| format!("{version}; a program gave 42"))
            }),
    }
}

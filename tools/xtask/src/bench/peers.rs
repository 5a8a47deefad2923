//! Whom futc is measured against: which of them are there, and how each is built and started.

use super::process::succeed;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A peer's language and compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Kind {
    /// The C version, by gcc.
    Gcc,
    /// The C version, by clang.
    Clang,
    /// The C version with OpenMP, by gcc, on all cores; of programs that say what is parallel.
    Openmp,
    /// The C++ version with parlaylib, by g++, on all cores; of programs that have one.
    Parlay,
    /// The Python version over NumPy.
    Numpy,
    /// The Python version over JAX, compiled whole.
    Jax,
    /// The Python version that Numba compiles.
    Numba,
}

impl Kind {
    /// The name in options and of the harness's flavours.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Gcc => "gcc",
            Kind::Clang => "clang",
            Kind::Openmp => "openmp",
            Kind::Parlay => "parlay",
            Kind::Numpy => "numpy",
            Kind::Jax => "jax",
            Kind::Numba => "numba",
        }
    }

    /// The compilers of a C or C++ version, best first.
    fn compilers(self) -> &'static [&'static str] {
        match self {
            Kind::Gcc | Kind::Openmp => &["gcc"],
            Kind::Parlay => &["g++"],
            Kind::Clang => &["clang-22", "/usr/lib/llvm-22/bin/clang"],
            Kind::Numpy | Kind::Jax | Kind::Numba => &[],
        }
    }

    /// The first compiler of such a version that runs.
    pub fn compiler(self) -> Option<&'static str> {
        let runs = |c: &&&str| succeed(Command::new(c).arg("--version"), None).is_ok();
        self.compilers().iter().find(runs).copied()
    }

    /// Whether the peer is a C or C++ version.
    pub fn is_c(self) -> bool {
        !self.compilers().is_empty()
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A program that is ready to run.
pub struct Peer {
    /// None: futc's own.
    pub kind: Option<Kind>,
    /// Executable and first arguments.
    pub command: Vec<PathBuf>,
}

impl Peer {
    /// The command to run it, to which options and input are added.
    pub fn start(&self) -> Result<Command, String> {
        let (program, arguments) = self.command.split_first().ok_or("an empty command")?;
        let mut command = Command::new(program);
        command.args(arguments);
        if matches!(self.kind, Some(Kind::Openmp | Kind::Parlay)) {
            return Ok(command);
        }
        // One core each.
        for threads in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"] {
            command.env(threads, "1");
        }
        command.env("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false");
        Ok(command)
    }
}

impl fmt::Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.map_or("futc", Kind::name))
    }
}

/// Where what peers need is.
#[derive(Clone, Copy)]
pub struct Installed<'a> {
    /// The Python of NumPy, JAX and Numba.
    pub python: &'a Path,
    /// The sources of parlaylib.
    pub parlaylib: Option<&'a Path>,
}

/// Those of `wanted` that are installed; and of the others, why they are not measured.
pub fn available(
    programs: &Path,
    wanted: &[Kind],
    installed: Installed<'_>,
) -> (Vec<Kind>, Vec<String>) {
    let mut there = Vec::new();
    let mut missing = Vec::new();
    for kind in wanted {
        let found = if *kind == Kind::Parlay && installed.parlaylib.is_none() {
            Err("where its sources are is said by --parlaylib".into())
        } else if kind.is_c() {
            kind.compiler().map(|_| ()).ok_or_else(|| "not installed".to_string())
        } else {
            let harness = programs.join("harness/peer.py");
            succeed(Command::new(installed.python).arg(harness).args(["--has", kind.name()]), None)
                .map_err(|e| e.lines().last().unwrap_or("not installed").to_string())
        };
        match found {
            Ok(()) => there.push(*kind),
            Err(e) => missing.push(format!("{kind} ({e})")),
        }
    }
    (there, missing)
}

/// Builds what notes the peak of memory of the programs that it is loaded into.
pub fn build_peak(programs: &Path, library: &Path) -> Result<(), String> {
    let compiler = Kind::Gcc.compiler().or_else(|| Kind::Clang.compiler());
    let mut command = Command::new(compiler.ok_or("there is no C compiler")?);
    command.args(["-O2", "-shared", "-fPIC"]).arg(programs.join("harness/peak.c"));
    succeed(command.arg("-o").arg(library), None)
}

/// The program `name` for a peer, compiled into `scratch` where it must be. None: there is no such
/// version of the program. Every program has a C version, not all of them with OpenMP.
pub fn build(
    kind: Kind,
    programs: &Path,
    name: &str,
    scratch: &Path,
    installed: Installed<'_>,
) -> Result<Option<Peer>, String> {
    let source = |extension: &str| programs.join(name).join(format!("{name}.{extension}"));
    let command = if kind == Kind::Parlay {
        let (source, Some(parlaylib)) = (source("parlay.cpp"), installed.parlaylib) else {
            return Ok(None);
        };
        if !source.exists() {
            return Ok(None);
        }
        let executable = scratch.join(kind.name());
        let mut command = Command::new(kind.compiler().ok_or("there is no g++")?);
        // Contraction changes on which side of an edge a point of a hull lies; what lives until the end is not freed.
        command.args(["-std=c++17", "-O3", "-march=native", "-ffp-contract=off", "-pthread"]);
        command.arg("-DPARLAY_ALLOC_ALLOW_LEAK");
        for folder in ["include", "examples"] {
            command.arg("-isystem").arg(parlaylib.join(folder));
        }
        succeed(command.arg(source).arg("-o").arg(&executable), None)?;
        vec![executable]
    } else if let Some(compiler) = kind.compiler() {
        let executable = scratch.join(kind.name());
        let mut command = Command::new(compiler);
        if kind == Kind::Openmp {
            let text = std::fs::read_to_string(source("c")).map_err(|e| e.to_string())?;
            if !text.contains("#pragma omp") {
                return Ok(None);
            }
            command.arg("-fopenmp");
        }
        command.args(["-std=gnu17", "-O3", "-march=native", "-I"]);
        command.arg(programs.join("harness")).arg(source("c")).arg("-o").arg(&executable);
        succeed(command.arg("-lm"), None)?;
        vec![executable]
    } else {
        match std::fs::read_to_string(source("py")) {
            Ok(text) if text.contains(&format!("{kind}_main")) => {}
            _ => return Ok(None),
        }
        let harness = programs.join("harness/peer.py");
        vec![installed.python.into(), harness, name.into(), kind.name().into()]
    };
    Ok(Some(Peer { kind: Some(kind), command }))
}

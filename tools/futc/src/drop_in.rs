//! The command line of the reference compiler, for those who call it: what futc does if it is started as
//! `futhark`, by a link.
//!
//! Such a command line becomes one of futc's, which then is read as any other. A command line that is not the
//! reference compiler's is left alone, as futc starts itself by the name that it was started by.

use futc_mlir::target::{self, Target};
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// What the command is called.
const NAME: &str = "futhark";

/// What a backend of the reference compiler becomes.
struct Backend {
    name: &'static str,
    made: Made,
    /// What is said if it is not the same.
    instead: Option<&'static str>,
}

enum Made {
    /// Code for this target.
    Code(&'static Target),
    /// A package for Python.
    Package,
}

/// Backends that become packages for Python.
const PACKAGES: &[&str] = &["python", "pyopencl"];

impl Backend {
    /// The backend of this name.
    fn named(name: &str) -> Option<Backend> {
        if let Some(name) = PACKAGES.iter().copied().find(|package| *package == name) {
            let instead = Some("a package of machine code (see docs/python.md)");
            return Some(Backend { name, made: Made::Package, instead });
        }
        target::ALL.iter().find_map(|target| {
            let replaced = target.replaces.iter().find(|replaced| replaced.backend == name)?;
            let made = Made::Code(target);
            Some(Backend { name: replaced.backend, made, instead: replaced.instead })
        })
    }
}

/// Commands that know backends by `--backend`.
const WITH_BACKENDS: &[&str] = &["bench", "test"];

/// Options of the reference compiler when it compiles, and ours.
const OPTIONS: &[(&str, &[&str])] = &[
    ("--lib", LIBRARY),
    ("--library", LIBRARY),
    // Not ours, which says what to warn of.
    ("-W", &["-w"]),
    ("-V", &["--version"]),
    // They say more of the compiler.
    ("-v", &[]),
    ("--verbose", &[]),
];

const LIBRARY: &[&str] = &["--library", "--lib-kind=source"];

/// A command line of futc's.
#[derive(PartialEq, Eq, Debug)]
pub struct Translated {
    /// Behind the name of the command.
    pub arguments: Vec<OsString>,
    /// To be said, a line each.
    pub notes: Vec<String>,
}

/// Whether this is how a process is called that is to be the reference compiler.
pub fn is_meant(command: &OsStr) -> bool {
    Path::new(command).file_stem().is_some_and(|name| name == NAME)
}

/// The command line of futc's that does what this one of the reference compiler's asks for; an error is a line
/// that says why none does.
pub fn translate(arguments: &[OsString]) -> Result<Translated, String> {
    let same = || Translated { arguments: arguments.to_vec(), notes: Vec::new() };
    let Some((first, rest)) = arguments.split_first() else {
        return Ok(same());
    };
    if let Some(backend) = first.to_str().and_then(Backend::named) {
        return compiling(&backend, rest);
    }
    match first.to_str() {
        Some(command) if WITH_BACKENDS.contains(&command) => with_backend(first, rest),
        Some("-V") => Ok(Translated { arguments: vec!["--version".into()], notes: Vec::new() }),
        _ => Ok(same()),
    }
}

impl Backend {
    fn note(&self) -> Option<String> {
        self.instead
            .map(|instead| format!("{NAME}: '{}' is not there; this makes {instead}", self.name))
    }
}

fn compiling(backend: &Backend, arguments: &[OsString]) -> Result<Translated, String> {
    let mut made: Vec<OsString> = Vec::new();
    let mut library = false;
    for argument in arguments {
        let found = OPTIONS.iter().find(|(option, _)| argument == option);
        library |= found.is_some_and(|(_, ours)| *ours == LIBRARY);
        match (found, &backend.made) {
            (Some((_, ours)), Made::Package) if *ours == LIBRARY => made.push("--python".into()),
            // Not for C.
            (Some((_, ours)), Made::Code(target))
                if *ours == LIBRARY && target.machine.is_some() =>
            {
                made.push("--library".into());
            }
            (Some((_, ours)), _) => made.extend(ours.iter().map(OsString::from)),
            (None, _) => made.push(argument.clone()),
        }
    }
    match backend.made {
        Made::Code(target) => made.insert(0, format!("--target={}", target.name).into()),
        Made::Package if library => {}
        Made::Package => {
            return Err(format!(
                "{NAME}: '{}' makes no programs yet: --library makes a package for Python",
                backend.name
            ));
        }
    }
    Ok(Translated { arguments: made, notes: backend.note().into_iter().collect() })
}

/// Backends in the form `--backend=NAME` or `--backend NAME` are replaced; others are left to be refused.
fn with_backend(command: &OsStr, arguments: &[OsString]) -> Result<Translated, String> {
    let mut made = vec![command.to_owned()];
    let mut notes = Vec::new();
    let mut is_name = false;
    for argument in arguments {
        let text = argument.to_string_lossy();
        let name = match is_name {
            true => Some(text.as_ref()),
            false => text.strip_prefix("--backend="),
        };
        let backend = name.and_then(Backend::named);
        let before = if is_name { "" } else { "--backend=" };
        is_name = text == "--backend";
        match backend {
            Some(ref backend @ Backend { made: Made::Code(target), .. }) => {
                made.push(format!("{before}{}", target.name).into());
                notes.extend(backend.note());
            }
            Some(Backend { name, made: Made::Package, .. }) => {
                return Err(format!("{NAME}: '{name}' makes no programs yet"));
            }
            None => made.push(argument.clone()),
        }
    }
    Ok(Translated { arguments: made, notes })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::Parser as _;

    fn translated(line: &str) -> Result<(String, usize), String> {
        let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let translated = translate(&arguments)?;
        let words: Vec<String> =
            translated.arguments.iter().map(|a| a.to_string_lossy().into_owned()).collect();
        Ok((words.join(" "), translated.notes.len()))
    }

    #[test]
    fn command_lines_become_ours() {
        for (theirs, ours, notes) in [
            ("c p.fut", "--target=seq p.fut", 0),
            ("c -o out -w p.fut --server", "--target=seq -o out -w p.fut --server", 0),
            (
                "multicore --lib -o x p.fut",
                "--target=multicore --library --lib-kind=source -o x p.fut",
                0,
            ),
            ("opencl -v --executable p.fut", "--target=nvptx --executable p.fut", 1),
            ("python --library p.fut", "--python p.fut", 1),
            ("wasm --library p.fut", "--target=wasm --library p.fut", 0),
            ("wasm-multicore --server p.fut", "--target=wasm-multicore --server p.fut", 0),
            ("test --backend=multicore p.fut", "test --backend=multicore p.fut", 0),
            ("bench --backend c --runs=3 p.fut", "bench --backend seq --runs=3 p.fut", 0),
            ("bench --backend=ispc p.fut", "bench --backend=multicore p.fut", 1),
            ("check -w p.fut", "check -w p.fut", 0),
            ("p.fut --target=multicore", "p.fut --target=multicore", 0),
        ] {
            assert_eq!(translated(theirs), Ok((ours.into(), notes)), "{theirs}");
            let line = format!("futc {ours}");
            assert!(Cli::try_parse_from(line.split_whitespace()).is_ok(), "{ours}");
        }
        for refused in ["python p.fut", "test --backend=pyopencl p.fut"] {
            assert!(translated(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn the_command_is_known_by_its_name() {
        assert!(is_meant(OsStr::new("/usr/bin/futhark")));
        assert!(!is_meant(OsStr::new("/usr/futhark/futc")));
    }
}

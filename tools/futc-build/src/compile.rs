//! From a program to a library of C that cargo links, and the module's text.
//!
//! What a library shows begins with `futhark_`, in every library: each gets names of its own, so that a program can
//! hold several. That is why it is compiled from C, in which names are easily replaced.

use crate::error::Error;
use crate::manifest::Manifest;
use crate::{generate, names};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Names the compiler.
const FUTC: &str = "FUTC";
/// What the names of a library begin with.
const PREFIX: &str = "futhark_";
/// How names begin that the runtime and the code of a library share, before a hash of so many digits.
const SHARED: &str = "futc_";
const HASH: usize = 8;
/// The feature of the crate that wants conversions.
const NDARRAY: &str = "CARGO_FEATURE_NDARRAY";

/// A program to be compiled, and how.
#[derive(Clone, Debug)]
pub struct Job {
    /// Where it is.
    pub path: PathBuf,
    /// What the module's file is called, if not as the program.
    pub name: Option<String>,
    /// What to compile for, if not for the default.
    pub target: Option<String>,
    /// More arguments for futc.
    pub arguments: Vec<String>,
}

impl Job {
    /// A program, with nothing said of it.
    pub fn new(path: &Path) -> Job {
        Job { path: path.to_owned(), name: None, target: None, arguments: Vec::new() }
    }
}

/// Does everything.
pub fn run(program: &Job) -> Result<(), Error> {
    let stem = program.path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = match (&program.name, stem) {
        (Some(name), _) => name.clone(),
        (None, Some(stem)) => stem,
        (None, None) => return Err(Error(format!("{} names no file", program.path.display()))),
    };
    let out = variable("OUT_DIR")?;
    // A crate may hold programs of one name, and a program crates with programs of one name.
    let prefix = names::snake(&format!("{}_{name}_", variable("CARGO_PKG_NAME")?.display()));
    println!("cargo::rerun-if-env-changed={FUTC}");
    imports(program)?;
    let made = PathBuf::from(&out).join(format!("futc-{name}"));
    std::fs::create_dir_all(&made).map_err(|e| Error(format!("{}: {e}", made.display())))?;
    let base = made.join(&name);
    compiled(program, &base)?;
    let code = read(&base.with_extension("c"))?;
    let source = base.with_extension("renamed.c");
    write(&source, &renamed(&code, &prefix))?;
    archive(&source, &made, &prefix)?;
    let manifest = Manifest::read(&read(&base.with_extension("json"))?).map_err(|e| {
        Error(format!("the manifest of {} is not understood: {e}", program.path.display()))
    })?;
    let header = read(&base.with_extension("h"))?;
    let ndarray = std::env::var_os(NDARRAY).is_some();
    let module = generate::module(&manifest, &header, &prefix, ndarray).map_err(Error)?;
    write(&PathBuf::from(&out).join(format!("{name}.rs")), &module)
}

/// The library's C with a prefix before the names that programs call, and before those that the runtime and the code share:
/// these carry a hash of the library, which is the same for two modules of one program.
fn renamed(code: &str, prefix: &str) -> String {
    let renamed = code.replace(PREFIX, &format!("{prefix}{PREFIX}"));
    match shared(code) {
        Some(shared) => renamed.replace(shared, &format!("{prefix}{shared}")),
        None => renamed,
    }
}

/// How names that the runtime and the code share begin: `futc_`, eight digits of the hash, and `_`.
fn shared(code: &str) -> Option<&str> {
    code.match_indices(SHARED).find_map(|(at, _)| {
        let name = code.get(at..at + SHARED.len() + HASH + 1)?;
        let hash = name.strip_prefix(SHARED)?.strip_suffix('_')?;
        hash.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')).then_some(name)
    })
}

fn futc() -> OsString {
    std::env::var_os(FUTC).unwrap_or_else(|| "futc".into())
}

/// Has cargo look at the program's files.
fn imports(program: &Job) -> Result<(), Error> {
    println!("cargo::rerun-if-changed={}", program.path.display());
    // A program that is wrong has none: what is wrong is said when it is compiled.
    let output = command(&futc()).arg("imports").arg(&program.path).output().map_err(no_futc)?;
    for file in String::from_utf8_lossy(&output.stdout).lines() {
        println!("cargo::rerun-if-changed={file}");
    }
    Ok(())
}

fn no_futc(e: std::io::Error) -> Error {
    let futc = futc();
    Error(format!(
        "cannot run {}: {e}; install futc so that it is on the path, or name it in {FUTC}",
        futc.display()
    ))
}

/// `NAME.c`, `NAME.h` and `NAME.json`.
fn compiled(program: &Job, base: &Path) -> Result<(), Error> {
    let mut command = command(&futc());
    command.args(["--library", "--lib-kind=source", "-o"]).arg(base);
    command.args(program.target.iter().map(|target| format!("--target={target}")));
    command.args(&program.arguments).arg(&program.path);
    let output = command.output().map_err(no_futc)?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(Error(format!("futc refuses {}:\n{said}", program.path.display())));
    }
    for line in said.lines().filter(|line| !line.trim().is_empty()) {
        println!("cargo::warning={line}");
    }
    Ok(())
}

/// Compiles C and has cargo link it.
fn archive(source: &Path, folder: &Path, prefix: &str) -> Result<(), Error> {
    println!("cargo::rerun-if-env-changed=CC");
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let object = source.with_extension("o");
    let mut compile = command(&compiler);
    compile.args(["-O2", "-fPIC", "-w", "-c", "-o"]).arg(&object).arg(source);
    succeed(&mut compile, "install a C compiler, such as gcc, or name one in CC")?;
    let library = format!("{prefix}futc");
    let path = folder.join(format!("lib{library}.a"));
    match std::fs::remove_file(&path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            return Err(Error(format!("{}: {e}", path.display())));
        }
        _ => {}
    }
    let mut pack = command(&"ar".into());
    succeed(pack.arg("crs").arg(&path).arg(&object), "install binutils, which has it")?;
    println!("cargo::rustc-link-search=native={}", folder.display());
    println!("cargo::rustc-link-lib=static={library}");
    for library in ["m", "pthread", "dl"] {
        println!("cargo::rustc-link-lib=dylib={library}");
    }
    Ok(())
}

fn command(name: &OsString) -> Command {
    Command::new(name)
}

fn succeed(command: &mut Command, hint: &str) -> Result<(), Error> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| Error(format!("cannot run {name}: {e}; {hint}")))?;
    if output.status.success() {
        return Ok(());
    }
    Err(Error(format!("{name} failed:\n{}", String::from_utf8_lossy(&output.stderr))))
}

fn variable(name: &str) -> Result<OsString, Error> {
    std::env::var_os(name)
        .ok_or_else(|| Error(format!("{name} is not set: this is for build scripts of cargo")))
}

fn read(path: &Path) -> Result<String, Error> {
    std::fs::read_to_string(path).map_err(|e| Error(format!("{}: {e}", path.display())))
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text).map_err(|e| Error(format!("{}: {e}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::renamed;

    #[test]
    fn two_modules_of_one_program_have_no_name_in_common() {
        let code =
            "int futhark_f(void) { return futc_0a1b2c3d_g(futc_local); } \"call futc_0a1b2c3d_h\"";
        let expected = "int p_futhark_f(void) { return p_futc_0a1b2c3d_g(futc_local); } \"call p_futc_0a1b2c3d_h\"";
        assert_eq!(renamed(code, "p_"), expected);
        assert_eq!(renamed("int futhark_f;", "p_"), "int p_futhark_f;");
    }
}

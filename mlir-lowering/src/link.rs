//! From objects to a program or library, by the system's C compiler as linker driver. What it would have its linker do, LLVM's
//! linker does inside of this process, unless `CC` names the compiler that is to link, or `LD_RUN_PATH` says what only others read.

use crate::Error;
use crate::lld;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is made of objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output<'a> {
    /// A program with the runtime's `main`.
    Executable,
    /// An archive with one object, in which is what its users call and all that they need of the runtime.
    StaticLibrary(Library<'a>),
    /// The same to be loaded when a program starts or later.
    SharedLibrary(Library<'a>),
}

/// What is particular to a library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Library<'a> {
    /// The name of the file.
    pub name: &'a str,
    /// Takes the runtime's functions for libraries out of its archive.
    pub roots: &'a str,
    /// The names that users see begin so.
    pub prefix: &'a str,
}

/// Makes one object of several.
pub fn merge(objects: &[PathBuf], output: &Path) -> Result<(), Error> {
    let mut command = compiler_command();
    command.args(["-r", "-nostdlib"]).args(objects).arg("-o").arg(output);
    run(&mut command)?;
    // What the objects show each other is not for those who link the one object.
    let mut command = Command::new("objcopy");
    command.arg("--localize-hidden").arg(output);
    run(&mut command)
}

/// Compiles C.
pub fn compile_c(
    source: &Path,
    headers: &Path,
    flags: &[&str],
    output: &Path,
) -> Result<(), Error> {
    let mut command = compiler_command();
    command.args(["-c", "-std=c11", "-O2", "-fPIC", "-I"]).arg(headers).args(flags).arg(source);
    run(command.arg("-o").arg(output))
}

/// Links objects with the runtime's archive (its bytes, put in a file in `scratch`, a folder that
/// the caller cleans up) into `output`.
pub fn link(
    objects: &[PathBuf],
    archive: &[u8],
    flags: &[&str],
    kind: Output<'_>,
    scratch: &Path,
    output: &Path,
) -> Result<(), Error> {
    let runtime = scratch.join("libfutc_runtime.a");
    write(&runtime, archive)?;
    let mut command = compiler_command();
    match kind {
        Output::Executable => {
            // Nothing in a program unwinds through frames of others, so it has no use for the shared
            // libgcc, which the linker would look through three times.
            command.arg("-static-libgcc").args(objects).arg(&runtime);
        }
        Output::StaticLibrary(library) => {
            let object = together(objects, &runtime, library, scratch)?;
            let archiver = std::env::var_os("AR").unwrap_or_else(|| "ar".into());
            return run(Command::new(archiver).arg("rcsD").arg(output).arg(object));
        }
        Output::SharedLibrary(library) => {
            let object = together(objects, &runtime, library, scratch)?;
            let shown = scratch.join("shown.map");
            write(&shown, format!("{{ global: {}*; local: *; }};", library.prefix).as_bytes())?;
            let mut script = OsString::from("-Wl,--version-script=");
            script.push(shown);
            command.arg("-shared").arg(object).arg(script);
            command.arg(format!("-Wl,-soname,{}", library.name));
        }
    }
    command.args(flags).arg("-o").arg(output);
    // What these say LLVM's linker does not know.
    let has = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if !has("CC") && !has("LD_RUN_PATH") && lld::instead_of(&command) {
        return Ok(());
    }
    run(&mut command)
}

/// One object of a library's objects and of what they need of the runtime.
fn together(
    objects: &[PathBuf],
    runtime: &Path,
    library: Library<'_>,
    scratch: &Path,
) -> Result<PathBuf, Error> {
    let output = scratch.join("library.o");
    let mut command = compiler_command();
    command.args(["-r", "-nostdlib", library.roots]).args(objects).arg(runtime);
    run(command.arg("-o").arg(&output))?;
    Ok(output)
}

/// Writes a file for one.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    std::fs::write(path, bytes)
        .map_err(|e| Error::Io(format!("cannot write {}", path.display()), e))
}

/// The C compiler that links, by name or path: what `CC` names, as make has it, without the arguments that it may have behind.
pub fn compiler() -> OsString {
    compiler_command().get_program().to_owned()
}

/// A call of the C compiler, with the arguments that `CC` has behind its name.
fn compiler_command() -> Command {
    let named = std::env::var_os("CC").filter(|cc| !cc.is_empty());
    let named = named.unwrap_or_else(|| "cc".into());
    match named.to_str() {
        Some(text) if !Path::new(text).exists() => {
            let mut words = text.split_whitespace();
            let mut command = Command::new(words.next().unwrap_or("cc"));
            command.args(words);
            command
        }
        _ => Command::new(named),
    }
}

/// Runs a linker or compiler.
pub fn run(command: &mut Command) -> Result<(), Error> {
    let name = command.get_program().to_string_lossy().into_owned();
    let result = command.output().map_err(|e| Error::Io(format!("cannot run {name}"), e))?;
    if result.status.success() {
        Ok(())
    } else {
        let said = String::from_utf8_lossy(&result.stderr);
        Err(Error::Link(match said.trim() {
            "" => format!("{name}: {}", result.status),
            said => said.to_owned(),
        }))
    }
}

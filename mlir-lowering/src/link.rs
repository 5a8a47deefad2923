//! From an object to a program or library, by the system's C compiler as linker driver.

use crate::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is made of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    /// A program with the runtime's `main`.
    Executable,
    /// A shared library.
    SharedLibrary,
}

/// Makes one object of several.
pub fn merge(objects: &[PathBuf], output: &Path) -> Result<(), Error> {
    let mut command = Command::new(compiler());
    command.args(["-r", "-nostdlib"]).args(objects).arg("-o").arg(output);
    run(&mut command)
}

/// Links objects with the runtime's archive (its bytes, put in a file in `scratch`, a folder that
/// the caller cleans up) into `output`.
pub fn link(
    objects: &[PathBuf],
    archive: &[u8],
    flags: &[&str],
    kind: Output,
    scratch: &Path,
    output: &Path,
) -> Result<(), Error> {
    let library = scratch.join("libfutc_runtime.a");
    std::fs::write(&library, archive)
        .map_err(|e| Error::Io(format!("cannot write {}", library.display()), e))?;
    let mut command = Command::new(compiler());
    match kind {
        Output::Executable => {
            command.args(objects).arg(&library);
        }
        Output::SharedLibrary => {
            command.arg("-shared").args(objects);
            command.arg("-Wl,--whole-archive").arg(&library).arg("-Wl,--no-whole-archive");
        }
    }
    command.args(flags).arg("-o").arg(output);
    run(&mut command)
}

/// The C compiler that links, by name or path.
pub fn compiler() -> OsString {
    std::env::var_os("CC").unwrap_or_else(|| "cc".into())
}

fn run(command: &mut Command) -> Result<(), Error> {
    let name = command.get_program().to_string_lossy().into_owned();
    let result = command.output().map_err(|e| Error::Io(format!("cannot run {name}"), e))?;
    if result.status.success() {
        Ok(())
    } else {
        Err(Error::Link(String::from_utf8_lossy(&result.stderr).trim().to_owned()))
    }
}

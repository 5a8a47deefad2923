//! From an object to a program or library, by the system's C compiler as linker driver.

use crate::Error;
use std::path::Path;
use std::process::Command;

/// What is made of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    /// A program with the runtime's `main`.
    Executable,
    /// A shared library.
    SharedLibrary,
}

/// Links `object` with the runtime's archive (its bytes, put in a file in `scratch`, a folder that
/// the caller cleans up) into `output`.
pub fn link(
    object: &Path,
    archive: &[u8],
    flags: &[&str],
    kind: Output,
    scratch: &Path,
    output: &Path,
) -> Result<(), Error> {
    let library = scratch.join("libfutc_runtime.a");
    std::fs::write(&library, archive)
        .map_err(|e| Error::Io(format!("cannot write {}", library.display()), e))?;
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(&compiler);
    match kind {
        Output::Executable => {
            command.arg(object).arg(&library);
        }
        Output::SharedLibrary => {
            command.arg("-shared").arg(object);
            command.arg("-Wl,--whole-archive").arg(&library).arg("-Wl,--no-whole-archive");
        }
    }
    command.args(flags).arg("-o").arg(output);
    let result = command
        .output()
        .map_err(|e| Error::Io(format!("cannot run {}", compiler.to_string_lossy()), e))?;
    if result.status.success() {
        Ok(())
    } else {
        Err(Error::Link(String::from_utf8_lossy(&result.stderr).trim().to_owned()))
    }
}

//! From objects to a WebAssembly module, by LLVM's linker.

use crate::Error;
use crate::link::{run, write};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What C's own stack has: as much as processes of Linux.
const STACK: u32 = 8 << 20;

/// The most memory, in bytes. Addresses just below zero are nobody's, so that what reaches below the stack, which
/// comes first in memory, is an error.
const MEMORY: u64 = (1 << 32) - (1 << 24);

/// What a module is linked with besides the program.
#[derive(Clone, Copy, Debug)]
pub struct Libraries<'a> {
    /// The runtime's archive.
    pub runtime: &'a [u8],
    /// The C library.
    pub libc: &'a [u8],
    /// What the code generator calls.
    pub builtins: &'a [u8],
    /// What begins it.
    pub start: &'a [u8],
}

/// Makes one object of several.
pub fn merge(objects: &[PathBuf], output: &Path) -> Result<(), Error> {
    run(Command::new(linker()).arg("-r").args(objects).arg("-o").arg(output))
}

/// Links a module. Beside what `start` has for the machine around it, that sees `exports`.
pub fn link(
    objects: &[PathBuf],
    libraries: Libraries<'_>,
    exports: &[&str],
    flags: &[&str],
    scratch: &Path,
    output: &Path,
) -> Result<(), Error> {
    let mut command = Command::new(linker());
    let files = [
        ("start.o", libraries.start),
        ("libfutc_runtime.a", libraries.runtime),
        ("libc.a", libraries.libc),
        ("libbuiltins.a", libraries.builtins),
    ];
    command.args(objects);
    for (name, bytes) in files {
        let path = scratch.join(name);
        write(&path, bytes)?;
        command.arg(path);
    }
    command.args(["--stack-first", "--gc-sections", "-O2", "--export-table"]);
    command.arg("-z").arg(format!("stack-size={STACK}")).arg(format!("--max-memory={MEMORY}"));
    command.arg("--export=__stack_pointer");
    command.args(exports.iter().map(|name| format!("--export={name}")));
    command.args(flags).arg("-o").arg(output);
    run(&mut command)
}

/// The linker, by name or path: the one that `WASM_LD` names, that of LLVM's packages, or what is on the path.
pub fn linker() -> OsString {
    const INSTALLED: &str = "/usr/lib/llvm-22/bin/wasm-ld";
    std::env::var_os("WASM_LD").unwrap_or_else(|| match Path::new(INSTALLED).exists() {
        true => INSTALLED.into(),
        false => "wasm-ld".into(),
    })
}

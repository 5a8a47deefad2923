//! From objects to a WebAssembly module, by LLVM's linker.

use crate::link::write;
use crate::{Error, lld};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The name by which the linker knows what it is to link.
const LINKER: &str = "wasm-ld";

/// What C's own stack has: as much as processes of Linux.
const STACK: u32 = 8 << 20;

/// The most memory, in bytes. Addresses just below zero are nobody's, so that what reaches below the stack, which
/// comes first in memory, is an error.
pub const MEMORY: u64 = (1 << 32) - (1 << 24);

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
    let mut arguments = vec!["-r".into(), "-o".into(), output.into()];
    arguments.extend(objects.iter().map(OsString::from));
    lld::run(LINKER, arguments)
}

/// What makes a module one that several threads run, each as an instance of its own on one memory: that is made
/// outside, and what the first instance has put there no other overwrites. Neither the C library nor what begins a
/// program were compiled for that, which the linker is told to ignore: the runtime keeps threads apart that call them.
const SHARED: &[&str] = &[
    "--shared-memory",
    "--import-memory",
    "--export-memory",
    "--no-check-features",
    "--export=__wasm_init_tls",
];

/// Links a module. Beside what `start` has for the machine around it, that sees `exports`.
pub fn link(
    objects: &[PathBuf],
    libraries: Libraries<'_>,
    threads: bool,
    exports: &[&str],
    flags: &[&str],
    scratch: &Path,
    output: &Path,
) -> Result<(), Error> {
    let files = [
        ("start.o", libraries.start),
        ("libfutc_runtime.a", libraries.runtime),
        ("libc.a", libraries.libc),
        ("libbuiltins.a", libraries.builtins),
    ];
    let mut arguments: Vec<OsString> = objects.iter().map(OsString::from).collect();
    for (name, bytes) in files {
        let path = scratch.join(name);
        write(&path, bytes)?;
        arguments.push(path.into());
    }
    let mut say = |words: &[&str]| arguments.extend(words.iter().map(OsString::from));
    say(&["--stack-first", "--gc-sections", "-O2", "--export-table"]);
    say(&["-z", &format!("stack-size={STACK}"), &format!("--max-memory={MEMORY}")]);
    say(&["--export=__stack_pointer"]);
    if threads {
        say(SHARED);
    }
    exports.iter().for_each(|name| say(&[&format!("--export={name}")]));
    say(flags);
    arguments.extend(["-o".into(), output.into()]);
    lld::run(LINKER, arguments)
}

/// The kind of an imported memory.
const KIND_MEMORY: u8 = 2;
/// The section of imports.
const IMPORTS: u8 = 2;

/// The pages that a memory must have which a module imports as its first import, where the linker puts it. Nothing if
/// there is none.
pub fn imported_pages(module: &[u8]) -> Option<u64> {
    let mut rest = module.get(8..)?;
    loop {
        let (kind, after) = rest.split_first()?;
        rest = after;
        let length = usize::try_from(number(&mut rest)?).ok()?;
        let (section, after) = rest.split_at_checked(length)?;
        if *kind == IMPORTS {
            return first_memory(section);
        }
        rest = after;
    }
}

/// Of the section of imports: a count, then two names and what is imported of each.
fn first_memory(mut section: &[u8]) -> Option<u64> {
    number(&mut section)?;
    for _ in 0..2 {
        let length = usize::try_from(number(&mut section)?).ok()?;
        section = section.get(length..)?;
    }
    // Then whether there is a limit, and whether it is shared.
    let ([KIND_MEMORY, _], mut pages) = section.split_first_chunk()? else { return None };
    number(&mut pages)
}

/// A number in LEB128.
fn number(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..35).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::imported_pages;

    #[test]
    fn pages_stand_in_the_section_of_imports() {
        let header = *b"\0asm\x01\0\0\0";
        let module = |sections: &[u8]| [&header[..], sections].concat();
        let types = [1, 4, 1, 0x60, 0, 0];
        let memory = b"\x02\x13\x01\x03env\x06memory\x02\x03\x91\x01\x80\x80\x04";
        assert_eq!(imported_pages(&module(&[&types[..], memory].concat())), Some(145));
        assert_eq!(imported_pages(&module(memory)), Some(145));
        let function = b"\x02\x0b\x01\x03env\x03abc\x00\x00";
        assert_eq!(imported_pages(&module(function)), None);
        assert_eq!(imported_pages(&module(&types)), None);
        assert_eq!(imported_pages(&header), None);
        assert_eq!(imported_pages(b""), None);
    }
}

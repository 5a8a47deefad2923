//! Programs for machines that live inside of JavaScript (docs/javascript.md).
//!
//! ```text
//! PROG          a script for Node.js, with the module inside      machine.js, command.js
//!
//! NAME.wasm     the module
//! NAME.mjs      contexts, arrays and entry points                 machine.js, console.js, library.js
//! NAME.d.ts     the same for TypeScript                           declarations.rs
//!
//! for both, if there are threads                                  threads.js, and as a text in that
//!                                                                 machine.js, console.js, worker.js
//! and if not                                                      single.js
//! ```
//!
//! All of these speak to the runtime's functions for libraries (`runtime-c/include/futc_library.h`), which know
//! types by their numbers; what a program has of its own is a table of these in the script.

mod declarations;

use crate::args::CompileArgs;
use crate::cache::{Cache, Hasher};
use crate::exit::Failure;
use crate::linked::linked;
use crate::output::write_file;
use crate::python::Docs;
use futc_midend::ir::{EntryPoint, ExtKind, ExtType, Program, interface};
use futc_mlir::wasm_ld;
use futc_testing::files::Kind;
use std::fmt::Write as _;
use std::path::Path;

/// What stands around a module.
const MACHINE: &str = include_str!("machine.js");
/// What runs it as a program.
const COMMAND: &str = include_str!("command.js");
/// What makes a library of it.
const LIBRARY: &str = include_str!("library.js");

/// What starts threads.
const THREADS: &str = include_str!("threads.js");
/// What threads do.
const WORKER: &str = include_str!("worker.js");
/// What does without.
const SINGLE: &str = include_str!("single.js");
/// What of a system libraries and threads have.
const CONSOLE: &str = include_str!("console.js");

/// The bytes that memory grows by.
const PAGE: u64 = 1 << 16;

/// What the library calls.
const EXPORTS: &[&str] = &[
    "futhark_context_config_new",
    "futhark_context_config_free",
    "futhark_context_new",
    "futhark_context_free",
    "futhark_context_get_error",
    "futhark_context_report",
    "futc_library_call",
    "futc_library_free",
    "futc_library_new_array",
    "futc_library_project",
    "futc_library_shape",
    "futc_library_values_raw",
];

/// What it calls besides, if there are no threads.
const SINGLE_EXPORTS: &[&str] = &["malloc", "free"];

/// And if there are: what allocates is exported by what takes its place.
const THREADS_EXPORTS: &[&str] = &["futhark_context_config_set_num_threads"];

/// What is made of a program.
#[derive(Debug)]
pub enum Made {
    /// A script that runs it.
    Command,
    /// A module that others import: its table, and its declarations.
    Library(String, String),
}

impl Made {
    /// Of a program, before or after any pass.
    pub fn of(args: &CompileArgs, program: &Program, docs: &Docs) -> Result<Made, Failure> {
        if !args.library {
            return Ok(Made::Command);
        }
        let entries: Vec<&EntryPoint> =
            program.funs.iter().filter_map(|f| f.entry.as_ref()).collect();
        let types = interface::types(entries.iter().copied());
        for entry in &entries {
            if declarations::is_taken(entry.name.as_str(), &types) {
                return Err(Failure::usage(format!(
                    "--library: the entry point '{}' has a name that contexts have for something else; rename it",
                    entry.name
                )));
            }
        }
        let declarations = declarations::text(&entries, &types, args.target.threads, docs);
        Ok(Made::Library(table(&entries, &types), declarations))
    }

    /// Writes what is made of a program's objects.
    pub fn write(
        &self,
        args: &CompileArgs,
        cache: &Cache,
        objects: &[Vec<u8>],
        output: &Path,
    ) -> Result<(), Failure> {
        let module = self.link(args, cache, objects)?;
        let threads = threads(args, &module)?;
        let Made::Library(table, declarations) = self else {
            let script = format!(
                "#!/usr/bin/env node\n// Made by {}.\n(() => {{\n{MACHINE}\n{threads}\nconst MODULE = \"{}\";\n\n{COMMAND}}})();\n",
                futc_mlir::COMPILER,
                base64(&module)
            );
            return write_file(output, script.as_bytes(), Kind::Program);
        };
        let Some(name) = output.file_name().map(|name| name.to_string_lossy().into_owned()) else {
            return Err(Failure::usage(format!("-o: {} does not end in a name", output.display())));
        };
        let file = |ending: &str| output.with_file_name(format!("{name}{ending}"));
        let script = format!(
            "// Made by {}.\n\nconst FILE = {};\nconst PROGRAM = {table};\nconst THREADS = {};\n\n{MACHINE}\n{threads}\n{CONSOLE}\n{LIBRARY}",
            futc_mlir::COMPILER,
            serde_json::Value::from(format!("./{name}.wasm")),
            args.target.threads,
        );
        write_file(&file(".wasm"), &module, Kind::Data)?;
        write_file(&file(".d.ts"), declarations.as_bytes(), Kind::Data)?;
        write_file(&file(".mjs"), script.as_bytes(), Kind::Data)
    }

    fn link(
        &self,
        args: &CompileArgs,
        cache: &Cache,
        objects: &[Vec<u8>],
    ) -> Result<Vec<u8>, Failure> {
        let is_library = matches!(self, Made::Library(..));
        let mut hasher = Hasher::new("javascript");
        let threads = args.target.threads;
        hasher
            .part(format!("{is_library} {threads} {} {}", args.server, args.debug_info).as_bytes());
        let (start, mut exports, mut flags) = match is_library {
            true => (futc_runtime::wasm::REACTOR, EXPORTS.to_vec(), vec!["--entry=_initialize"]),
            false => (futc_runtime::wasm::COMMAND, Vec::new(), Vec::new()),
        };
        if threads {
            flags.extend(futc_runtime::wasm::THREADS_FLAGS);
        }
        if is_library {
            exports.extend(if threads { THREADS_EXPORTS } else { SINGLE_EXPORTS });
        }
        if args.server {
            flags.push(futc_runtime::wasm::SERVER_FLAG);
        }
        if !args.debug_info {
            flags.push("--strip-all");
        }
        let libraries = wasm_ld::Libraries {
            runtime: match threads {
                true => futc_runtime::wasm::THREADS_ARCHIVE,
                false => futc_runtime::wasm::ARCHIVE,
            },
            libc: futc_runtime::wasm::LIBC,
            builtins: futc_runtime::wasm::BUILTINS,
            start,
        };
        linked(cache, hasher, objects, |files, dir, to| {
            wasm_ld::link(&files, libraries, threads, &exports, &flags, dir, to)
                .map_err(|e| Failure::new(e.to_string()))
        })
    }
}

/// The part of a script that knows whether there are threads.
fn threads(args: &CompileArgs, module: &[u8]) -> Result<String, Failure> {
    if !args.target.threads {
        return Ok(SINGLE.to_owned());
    }
    let Some(initial) = wasm_ld::imported_pages(module) else {
        return Err(Failure::new("the linked module imports no memory (compiler bug)"));
    };
    let worker = serde_json::Value::from(format!("{MACHINE}\n{CONSOLE}\n{WORKER}"));
    let maximum = wasm_ld::MEMORY / PAGE;
    Ok(format!(
        "const PAGES = {{ initial: {initial}, maximum: {maximum} }};\nconst WORKER = {worker};\n\n{THREADS}"
    ))
}

/// The types and entry points of a program, for `library.js`.
fn table(entries: &[&EntryPoint], types: &[ExtType]) -> String {
    let number = |ty: &ExtType| types.iter().position(|t| t.name == ty.name);
    let row = |ty: &ExtType| match &ty.kind {
        ExtKind::Transparent { prim, rank: 0 } => {
            serde_json::json!({ "name": ty.name, "kind": "scalar", "prim": prim.to_string() })
        }
        ExtKind::Transparent { prim, rank } => {
            let prim = prim.to_string();
            serde_json::json!({ "name": ty.name, "kind": "array", "prim": prim, "rank": rank })
        }
        ExtKind::Opaque { .. } => match declarations::tuple(ty) {
            Some(fields) => {
                let fields: Vec<_> = fields.iter().map(number).collect();
                serde_json::json!({ "name": ty.name, "kind": "tuple", "fields": fields })
            }
            None => serde_json::json!({ "name": ty.name, "kind": "opaque" }),
        },
    };
    let entry = |e: &&EntryPoint| {
        let inputs: Vec<_> = e.params.iter().map(|(_, ty)| number(ty)).collect();
        let result = number(&e.result());
        serde_json::json!({ "name": e.name.to_string(), "inputs": inputs, "result": result })
    };
    let list = |rows: Vec<serde_json::Value>| {
        let mut out = String::new();
        for row in rows {
            let _ = writeln!(out, "    {row},");
        }
        out
    };
    format!(
        "{{\n  types: [\n{}  ],\n  entries: [\n{}  ],\n}}",
        list(types.iter().map(row).collect()),
        list(entries.iter().map(entry).collect())
    )
}

/// Bytes as letters, as JavaScript reads them.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |i: usize| u32::from(group.get(i).copied().unwrap_or(0));
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let six = (word >> (18 - 6 * i) & 63) as usize;
            let letter = LETTERS.get(six).copied().filter(|_| i <= group.len());
            out.push(char::from(letter.unwrap_or(b'=')));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn bytes_are_letters() {
        for (bytes, letters) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
        {
            assert_eq!(base64(bytes.as_bytes()), letters);
        }
    }
}

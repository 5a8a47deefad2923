//! Programs as libraries for C: a header, the functions that it declares, and a manifest that describes them to
//! other tools.
//!
//! ```text
//! entry points, types ──► Interface: functions with their bodies, and the manifest   interface.rs
//!                           │
//!              ┌────────────┼────────────┐
//!              ▼            ▼            ▼
//!           NAME.h        shim.c      NAME.json
//! ```
//!
//! What a function does is in the runtime (`runtime-c/include/futc_library.h`), for values of any type; a
//! function of the shim says which type and hands its arguments on:
//!
//! ```c
//! int futhark_values_i32_1d(struct futhark_context *ctx, struct futhark_i32_1d *arr, int32_t *data) {
//!   return futc_library_values(ctx, 3, arr, data);
//! }
//! ```
//!
//! The shim is C and not made directly as an object, since the C compiler then checks it against the header that
//! users get, and knows how each platform passes small integers and structures; it is there anyway, as it links.
//!
//! Refused: two types or functions whose names are the same in C; arrays of `()`, whose shape the program does
//! not keep.

mod assembly;
mod interface;
mod md5;
pub mod names;
pub mod source;

use crate::exit::Failure;
use futc_midend::ir::{EntryPoint, Program};
use futc_mlir::Target;
use futc_typed::name::Name;
use interface::{Function, Interface, Section};
use std::fmt::Write as _;

/// The texts of a library.
#[derive(Debug)]
pub struct Library {
    /// To be included by users.
    pub header: String,
    /// Functions in C. It includes the header as [`HEADER`].
    pub shim: String,
    /// In JSON.
    pub manifest: String,
}

/// What the shim calls the header.
pub const HEADER: &str = "library.h";

/// Describes a program, before or after any pass; if `several`, the parts of a tuple are results of their own.
pub fn describe(program: &Program, target: &Target, several: bool) -> Result<Library, Failure> {
    let entries: Vec<(&EntryPoint, &[Name])> = (program.funs.iter())
        .filter_map(|f| f.entry.as_ref().map(|entry| (entry, f.attrs.as_slice())))
        .collect();
    let interface = Interface::of(&entries, target, several)?;
    Ok(Library {
        header: header(&interface, target),
        shim: shim(&interface),
        manifest: format!("{:#}\n", interface.manifest),
    })
}

/// Comments are on lines that begin with `#`, which does nothing there: tools drop such lines and read the rest,
/// not all of them knowing comments. For the same reason, and as they know nothing of C++ either, what encloses
/// the declarations in C++ is hidden in structures that C takes for declarations of no use.
const BEGIN: &str = "\
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#ifdef __cplusplus
#define futhark_declarations_begin futhark_declarations; extern \"C\" { struct futhark_declarations
#define futhark_declarations_end futhark_declarations; } struct futhark_declarations
#endif
struct futhark_declarations_begin;
";

const END: &str = "
struct futhark_declarations_end;
#ifdef __cplusplus
#undef futhark_declarations_begin
#undef futhark_declarations_end
#endif
";

fn header(interface: &Interface, target: &Target) -> String {
    let mut out = format!("# /* Made by {}. */\n{BEGIN}", futc_mlir::COMPILER);
    let _ = write!(
        out,
        "\n# /* Error codes; other codes that are not 0 are errors too. */\n\
         #define FUTHARK_BACKEND_{}\n\
         #define FUTHARK_SUCCESS 0\n\
         #define FUTHARK_PROGRAM_ERROR 2\n\
         #define FUTHARK_OUT_OF_MEMORY 3\n\
         \n# /* Configurations and contexts */\n{}",
        target.backend,
        futc_runtime::CONTEXT_API
    );
    if target.threads {
        out += futc_runtime::THREADS_API;
    }
    if target.device().is_some() {
        out += futc_runtime::DEVICE_API;
    }
    for (section, title) in [
        (Section::Arrays, "Arrays"),
        (Section::Opaque, "Opaque values"),
        (Section::Entries, "Entry points"),
    ] {
        let _ = write!(out, "\n# /* {title} */\n");
        for name in interface.structs.iter().filter(|(s, _)| *s == section).map(|(_, n)| n) {
            let _ = writeln!(out, "struct {name};");
        }
        for function in interface.functions.iter().filter(|f| f.section == section) {
            let _ = writeln!(out, "{};", prototype(function));
        }
    }
    out + END
}

fn shim(interface: &Interface) -> String {
    let mut out = format!("#include \"{HEADER}\"\n\n#include \"futc_library.h\"\n");
    for function in &interface.functions {
        let _ = write!(out, "\n{} {{\n", prototype(function));
        for line in &function.body {
            let _ = writeln!(out, "  {line}");
        }
        out += "}\n";
    }
    out
}

fn prototype(function: &Function) -> String {
    let Function { result, name, params, .. } = function;
    let space = if result.ends_with('*') { "" } else { " " };
    format!("{result}{space}{name}({})", params.join(", "))
}

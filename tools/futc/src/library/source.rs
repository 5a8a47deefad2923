//! Libraries as one file of C, which compilers of C take without anything else of ours.
//!
//! ```text
//! header, runtime, shim: C ────────────┐ names of ours
//!                                      ├────────────────► NAME.c
//! LLVM's assembly ──► assembly.rs ─────┘ made the library's
//! ```
//!
//! The program's code is assembly between functions in C. The runtime is C, and not assembly too, so that it
//! is compiled for the headers and the sanitizers of those who use it.
//!
//! Names that the runtime and the code share are global, as assembly cannot see what is static in C in all
//! compilers and with all options; they are hidden, and carry the library's hash, so that several libraries
//! can be linked into one program. All others in the assembly get it too, as compilers have labels of their own.

use super::{HEADER, Library, assembly, md5};

/// How names of ours begin.
const OURS: &str = "futc_";

/// The file, from the library and the assembly of its code.
pub fn source(library: &Library, code: &str) -> String {
    let hash =
        md5::md5([&library.header, &library.shim, code].map(str::to_owned).concat().as_bytes());
    let unique = format!("{OURS}{}_", hash.get(..8).unwrap_or(&hash));
    let included = [HEADER, "futc_library.h"].map(|header| format!("#include \"{header}\"\n"));
    let shim = included.iter().fold(library.shim.clone(), |shim, line| shim.replace(line, ""));
    let header = library.header.replace("#pragma once\n", "");
    // Feature macros come before the first header.
    let mut out = String::from("#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n");
    out += "#pragma GCC visibility push(default)\n";
    out += &header;
    out += "#pragma GCC visibility pop\n\n";
    out += &rename(futc_runtime::SOURCE, &unique);
    out += &rename(&shim, &unique);
    out += "\n__asm__(\n";
    for line in assembly::embedded(code, OURS, &unique).lines() {
        out += "\"";
        for c in line.chars() {
            match c {
                '"' => out += "\\\"",
                '\\' => out += "\\\\",
                '\t' => out += "\\t",
                // Two of these in a row may begin a trigraph, which is looked for in strings too.
                '?' => out += "\\?",
                c => out.push(c),
            }
        }
        out += "\\n\"\n";
    }
    out + ");\n"
}

/// C with other names for ours; they stand in strings too where these are assembly.
fn rename(text: &str, unique: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut rest = text;
    while let Some(at) = rest.find(OURS) {
        let (before, after) = rest.split_at(at);
        out += before;
        let inside = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        out += if inside { OURS } else { unique };
        rest = after.get(OURS.len()..).unwrap_or_default();
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::rename;

    #[test]
    fn names_of_ours_are_renamed() {
        let text = "int futc_f(struct futc_a *x, int not_futc_b); \".globl futc_c\\n\"";
        let renamed = "int futc_1_f(struct futc_1_a *x, int not_futc_b); \".globl futc_1_c\\n\"";
        assert_eq!(rename(text, "futc_1_"), renamed);
    }
}

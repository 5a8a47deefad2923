//! What TypeScript is told of a library.

use crate::python::Docs;
use futc_midend::ir::{EntryPoint, ExtKind, ExtStructure, ExtType};
use futc_typed::prim::PrimType;
use std::fmt::Write as _;

/// What contexts have besides entry points and `new_…`.
const TAKEN: &[&str] = &[
    "call",
    "constructor",
    "elementsOf",
    "free",
    "freeValue",
    "newArray",
    "newNestedArray",
    "report",
    "shapeOf",
];

/// What cannot be the name of a parameter.
const RESERVED: &[&str] = &[
    "_",
    "arguments",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

/// The fields of a tuple: of a record, all of whose fields are numbered.
pub fn tuple(ty: &ExtType) -> Option<Vec<ExtType>> {
    let ExtKind::Opaque { structure: ExtStructure::Record(fields), .. } = &ty.kind else {
        return None;
    };
    let numbered = fields.iter().enumerate().all(|(i, (name, _))| *name == i.to_string());
    numbered.then(|| fields.iter().map(|(_, ty)| ty.clone()).collect())
}

/// The element type and rank of an array.
fn array(ty: &ExtType) -> Option<(PrimType, usize)> {
    match &ty.kind {
        ExtKind::Transparent { prim, rank } if *rank > 0 => Some((*prim, *rank)),
        _ => None,
    }
}

/// What makes an array of a type.
fn maker(prim: PrimType, rank: usize) -> String {
    format!("new_{prim}_{rank}d")
}

/// Whether an entry point of this name would stand in the place of something else.
pub fn is_taken(name: &str, types: &[ExtType]) -> bool {
    let makes = |ty: &ExtType| {
        array(ty).is_some_and(|(prim, rank)| {
            let maker = maker(prim, rank);
            name.strip_prefix(&maker).is_some_and(|rest| ["", "_from_jsarray"].contains(&rest))
        })
    };
    TAKEN.contains(&name) || types.iter().any(makes)
}

fn typed_array(prim: PrimType) -> &'static str {
    match prim {
        PrimType::I8 => "Int8Array",
        PrimType::I16 => "Int16Array",
        PrimType::I32 => "Int32Array",
        PrimType::I64 => "BigInt64Array",
        PrimType::U8 | PrimType::Bool => "Uint8Array",
        PrimType::U16 | PrimType::F16 => "Uint16Array",
        PrimType::U32 => "Uint32Array",
        PrimType::U64 => "BigUint64Array",
        PrimType::F32 => "Float32Array",
        PrimType::F64 => "Float64Array",
    }
}

fn scalar(prim: PrimType) -> &'static str {
    match prim {
        PrimType::Bool => "boolean",
        PrimType::I64 | PrimType::U64 => "bigint",
        _ => "number",
    }
}

/// A scalar that is handed in.
fn argument(prim: PrimType) -> &'static str {
    match prim {
        PrimType::I64 | PrimType::U64 => "bigint | number",
        _ => scalar(prim),
    }
}

fn array_type(prim: PrimType, rank: usize) -> String {
    format!(
        "FutharkArray<\"{prim}\", {rank}, {}, {}>",
        typed_array(prim),
        nested(scalar(prim), rank)
    )
}

fn nested(element: &str, rank: usize) -> String {
    format!("{element}{}", "[]".repeat(rank))
}

fn type_of(ty: &ExtType, scalars: fn(PrimType) -> &'static str) -> String {
    match (&ty.kind, array(ty)) {
        (_, Some((prim, rank))) => array_type(prim, rank),
        (ExtKind::Transparent { prim, .. }, None) => scalars(*prim).to_owned(),
        (ExtKind::Opaque { .. }, None) => format!("FutharkOpaque<{}>", quoted(&ty.name)),
    }
}

fn result_of(ty: &ExtType) -> String {
    match tuple(ty) {
        None => type_of(ty, scalar),
        Some(fields) => {
            let fields: Vec<String> = fields.iter().map(result_of).collect();
            format!("[{}]", fields.join(", "))
        }
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn is_identifier(name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.chars().all(is_letter) && name.starts_with(|c: char| !c.is_ascii_digit())
}

/// What every library declares.
const COMMON: &str = "\
/** Failing calls and wrong arguments; the message of a failing call has Futhark's backtrace. */
export class FutharkError extends Error {}
export class FutharkOutOfMemory extends FutharkError {}

/** An array of elements E with rank R, in the memory of a context. */
export class FutharkArray<E extends string, R extends number, T, N> {
  private readonly element: E;
  private readonly rank: R;
  /** The elements as nested arrays. */
  toArray(): N;
  /** A flat copy of the elements. */
  toTypedArray(): T;
  shape(): bigint[];
  free(): void;
}

/** A value of any other type. */
export class FutharkOpaque<Name extends string> {
  private readonly name: Name;
  free(): void;
}

export type FutharkSource = WebAssembly.Module | ArrayBuffer | ArrayBufferView | URL | string;

export interface FutharkOptions {
  /** The module, its bytes, or where it is, if that is not beside this file. */
  source?: FutharkSource;
";

/// What stands behind the options.
const CONTEXT: &str = "\
}

/** Makes a context. */
export function newFutharkContext(given?: FutharkSource | FutharkOptions): Promise<FutharkContext>;

export class FutharkContext {
  private constructor();
  /** Frees all memory of the context; it and its values cannot be used after that. */
  free(): void;
  /** What was counted of memory and calls, as text for people. */
  report(): string;
";

/// What a context is made with, as a member of the options.
const THREADS: &str =
    "  /** With the one that calls; as many as there are processors, if absent. */
  threads?: number;
";

/// The declarations.
pub fn text(entries: &[&EntryPoint], types: &[ExtType], threads: bool, docs: &Docs) -> String {
    let mut out = format!(
        "// Made by {}.\n\n{COMMON}{}{CONTEXT}",
        futc_mlir::COMPILER,
        if threads { THREADS } else { "" }
    );
    for (prim, rank) in types.iter().filter_map(array) {
        let (maker, made) = (maker(prim, rank), array_type(prim, rank));
        let sizes: Vec<String> = (1..=rank).map(|i| format!("dim{i}: number | bigint")).collect();
        let _ = writeln!(
            out,
            "  {maker}(array: {}, {}): {made};\n  {maker}_from_jsarray(array: {}): {made};",
            typed_array(prim),
            sizes.join(", "),
            nested(&format!("({})", argument(prim)), rank)
        );
    }
    for entry in entries {
        let name = entry.name.as_str();
        if let Some(doc) = docs.entries.get(name) {
            let lines: Vec<String> =
                doc.trim().lines().map(|line| line.replace("*/", "* /")).collect();
            let _ = writeln!(out, "  /** {} */", lines.join("\n   * "));
        }
        let mut names: Vec<String> = Vec::new();
        let mut params: Vec<String> = Vec::new();
        for (i, (name, ty)) in entry.params.iter().enumerate() {
            let mut name = name.as_str().replace('\'', "_prime");
            if !is_identifier(&name) || RESERVED.contains(&name.as_str()) || names.contains(&name) {
                name = format!("arg{i}");
            }
            params.push(format!("{name}: {}", type_of(ty, argument)));
            names.push(name);
        }
        let name = if is_identifier(name) { name.to_owned() } else { quoted(name) };
        let _ = writeln!(out, "  {name}({}): {};", params.join(", "), result_of(&entry.result()));
    }
    out + "}\n"
}

//! The module of a package, and its stub for type checkers.

use super::names::{Scope, escape, literal};
use crate::exit::Failure;
use crate::library::names::of_type;
use futc_midend::ir::{EntryPoint, ExtKind, ExtStructure, ExtType, interface};
use futc_typed::prim::PrimType;
use std::collections::HashMap;
use std::fmt::Write as _;

/// What a module and its programs have of their own.
const TAKEN: &[&str] = &[
    "ENTRY_POINTS",
    "Error",
    "OutOfMemory",
    "Program",
    "annotations",
    "clear_caches",
    "numpy",
    "pause_profiling",
    "report",
    "self",
    "unpause_profiling",
];

/// An entry point's name: what begins with an underscore is the module's own.
fn function_name(external: &str) -> String {
    let name = escape(external.trim_start_matches('_'));
    let taken = TAKEN.contains(&name.as_str()) || external.starts_with('_');
    if taken { name + "_" } else { name }
}

/// The comments of a program.
#[derive(Debug, Default)]
pub struct Docs {
    /// At the head of the file.
    pub file: Option<String>,
    /// Of entry points, by name.
    pub entries: HashMap<String, String>,
}

/// A type with a class.
struct Class {
    ty: ExtType,
    name: String,
    shape: Shape,
}

/// What its class derives from.
enum Shape {
    Atomic,
    Record(Vec<(String, ExtType)>),
    Sum(Vec<(String, Vec<ExtType>)>),
    Array(usize, ExtType),
    RecordArray(usize, ExtType, Vec<(String, ExtType)>),
}

/// An entry point.
struct Function {
    name: String,
    params: Vec<(String, ExtType)>,
    result: ExtType,
    doc: Option<String>,
    external: String,
}

/// What stands in a module.
pub struct Module {
    doc: Option<String>,
    /// All types, for arguments of unusual form.
    table: Vec<(String, String)>,
    classes: Vec<Class>,
    names: HashMap<String, String>,
    functions: Vec<Function>,
}

/// The fields of a tuple: of a record, all of whose fields are numbered.
fn tuple(ty: &ExtType) -> Option<Vec<ExtType>> {
    let ExtKind::Opaque { structure: ExtStructure::Record(fields), .. } = &ty.kind else {
        return None;
    };
    let numbered = fields.iter().enumerate().all(|(i, (name, _))| *name == i.to_string());
    numbered.then(|| fields.iter().map(|(_, ty)| ty.clone()).collect())
}

/// Without brackets, the parts of a tuple of Python.
fn parts(items: impl IntoIterator<Item = String>) -> String {
    let mut out = String::new();
    for item in items {
        let _ = write!(out, "{item}, ");
    }
    out.trim_end().to_owned()
}

fn pairs(fields: &[(String, ExtType)]) -> String {
    parts(fields.iter().map(|(name, ty)| format!("({}, {})", literal(name), literal(&ty.name))))
}

/// A row of the table: what values of the type are made of.
fn row(ty: &ExtType) -> String {
    match &ty.kind {
        ExtKind::Transparent { prim, rank: 0 } => format!("(\"scalar\", \"{prim}\")"),
        ExtKind::Transparent { prim, rank } => format!("(\"array\", \"{prim}\", {rank})"),
        ExtKind::Opaque { structure, .. } => match structure {
            ExtStructure::Atomic => "(\"atomic\",)".to_owned(),
            ExtStructure::Record(fields) => {
                let kind = if tuple(ty).is_some() { "tuple" } else { "record" };
                format!("(\"{kind}\", ({}))", pairs(fields))
            }
            ExtStructure::Sum(_) => "(\"sum\",)".to_owned(),
            ExtStructure::Array(rank, _) => {
                let kind = if ty.fields().is_some() { "record_array" } else { "opaque_array" };
                format!("(\"{kind}\", {rank})")
            }
        },
    }
}

fn shape(ty: &ExtType) -> Option<Shape> {
    let ExtKind::Opaque { structure, .. } = &ty.kind else { return None };
    Some(match structure {
        ExtStructure::Atomic => Shape::Atomic,
        ExtStructure::Record(_) if tuple(ty).is_some() => return None,
        ExtStructure::Record(fields) => Shape::Record(fields.clone()),
        ExtStructure::Sum(cases) => Shape::Sum(
            cases
                .iter()
                .map(|(name, payloads)| {
                    (name.clone(), payloads.iter().map(|(ty, _)| ty.clone()).collect())
                })
                .collect(),
        ),
        ExtStructure::Array(rank, element) => match ty.fields() {
            Some(fields) => Shape::RecordArray(*rank, (**element).clone(), fields),
            None => Shape::Array(*rank, (**element).clone()),
        },
    })
}

/// The name of a class, as C has it where that says something; `state []` is `state`.
fn class_name(ty: &ExtType) -> String {
    let element = ty.name.trim_start_matches("[]");
    let rank = (ty.name.len() - element.len()) / 2;
    let prefix = if rank == 0 { String::new() } else { format!("arr{rank}d_") };
    if let Some((name, sizes)) = element.split_once(' ')
        && sizes.split(' ').all(|size| size == "[]")
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.'".contains(c))
    {
        return prefix + &name.replace('.', "_");
    }
    let name = of_type(ty);
    match name.strip_prefix("opaque_") {
        Some(short) if !short.starts_with(|c: char| c.is_ascii_digit()) && short.len() != 32 => {
            short.to_owned()
        }
        _ => name,
    }
}

impl Module {
    /// Of entry points in the order of the program's tables.
    pub fn of(entries: &[&EntryPoint], docs: &Docs) -> Result<Module, Failure> {
        let types = interface::types(entries.iter().copied());
        let mut scope = Scope::with(TAKEN);
        let mut functions = Vec::new();
        for entry in entries {
            let external = entry.name.to_string();
            let wanted = function_name(&external);
            let name = scope.add(&wanted);
            if name != wanted {
                return Err(Failure::usage(format!(
                    "--python: the entry point '{external}' would be called '{wanted}', as another one is; \
                     rename it"
                )));
            }
            let mut inner = Scope::with(&["self"]);
            let params = entry.params.iter().enumerate().map(|(i, (name, ty))| {
                let name = match name.as_str() {
                    "_" => format!("arg{i}"),
                    name => name.to_owned(),
                };
                (inner.add(&name), ty.clone())
            });
            functions.push(Function {
                name,
                params: params.collect(),
                result: entry.result(),
                doc: docs.entries.get(&external).cloned(),
                external,
            });
        }
        let mut names = HashMap::new();
        let mut classes = Vec::new();
        for ty in &types {
            if let Some(shape) = shape(ty) {
                let name = scope.add(&class_name(ty));
                names.insert(ty.name.clone(), name.clone());
                classes.push(Class { ty: ty.clone(), name, shape });
            }
        }
        let table = types.iter().map(|ty| (ty.name.clone(), row(ty))).collect();
        Ok(Module { doc: docs.file.clone(), table, classes, names, functions })
    }

    /// How annotations call a type.
    fn annotation(&self, ty: &ExtType, precise: bool) -> String {
        self.named(ty, precise, "")
    }

    /// The same, where classes go by other names.
    fn named(&self, ty: &ExtType, precise: bool, prefix: &str) -> String {
        match &ty.kind {
            ExtKind::Transparent { prim, rank: 0 } => match prim {
                PrimType::Bool => "bool".to_owned(),
                PrimType::F16 | PrimType::F32 | PrimType::F64 => "float".to_owned(),
                _ => "int".to_owned(),
            },
            ExtKind::Transparent { .. } if !precise => "numpy.ndarray".to_owned(),
            ExtKind::Transparent { prim, .. } => {
                format!("numpy.typing.NDArray[numpy.{}]", numpy_name(*prim))
            }
            ExtKind::Opaque { .. } => match tuple(ty) {
                Some(fields) if fields.is_empty() => "tuple[()]".to_owned(),
                Some(fields) => {
                    let fields: Vec<String> =
                        fields.iter().map(|f| self.named(f, precise, prefix)).collect();
                    format!("tuple[{}]", fields.join(", "))
                }
                None => {
                    let name = self.names.get(&ty.name).map_or("", String::as_str);
                    format!("{prefix}{name}")
                }
            },
        }
    }

    /// How stubs call what is given for a type: more than what is returned.
    fn given(&self, ty: &ExtType, prefix: &str) -> String {
        let nested = |rank: usize, element: &str| {
            (0..rank).fold(element.to_owned(), |inner, _| format!("Sequence[{inner}]"))
        };
        let itself = self.named(ty, true, prefix);
        match &ty.kind {
            ExtKind::Transparent { rank: 0, .. } => itself,
            ExtKind::Transparent { prim, rank } => {
                let element = ExtKind::Transparent { prim: *prim, rank: 0 };
                let element = self.named(&ExtType { kind: element, ..ty.clone() }, true, prefix);
                format!("{itself} | {}", nested(*rank, &element))
            }
            ExtKind::Opaque { structure, .. } => match (tuple(ty), structure) {
                (Some(fields), _) if !fields.is_empty() => {
                    let fields: Vec<String> =
                        fields.iter().map(|f| self.given(f, prefix)).collect();
                    format!("tuple[{}]", fields.join(", "))
                }
                (None, ExtStructure::Record(_)) => format!("{itself} | dict[str, Any]"),
                (None, ExtStructure::Array(rank, element)) => {
                    format!("{itself} | {}", nested(*rank, &self.given(element, prefix)))
                }
                _ => itself,
            },
        }
    }

    fn signature(&self, function: &Function, before: &str, precise: bool) -> String {
        let given = |ty: &ExtType| match precise {
            true => self.given(ty, ""),
            false => self.annotation(ty, precise),
        };
        let params = function.params.iter();
        let params: Vec<String> = std::iter::once(before.to_owned())
            .filter(|b| !b.is_empty())
            .chain(params.map(|(name, ty)| format!("{name}: {}", given(ty))))
            .collect();
        let result = self.annotation(&function.result, precise);
        format!("def {}({}) -> {result}:", function.name, params.join(", "))
    }

    /// What a function says of itself.
    fn doc(function: &Function) -> String {
        let types: Vec<String> = (function.params.iter())
            .map(|(_, ty)| format!("{}{}", if ty.unique { "*" } else { "" }, ty.name))
            .chain([function.result.name.clone()])
            .collect();
        let signature = format!("{}: {}", function.external, types.join(" -> "));
        match &function.doc {
            Some(doc) => format!("{}\n\n{signature}", doc.trim()),
            None => signature,
        }
    }

    /// The module.
    pub fn text(&self, package: &str) -> String {
        let doc = self.doc.clone().unwrap_or_else(|| format!("The Futhark program {package}."));
        let mut out = format!(
            "{}\n# Made by {}.\n\nfrom __future__ import annotations\n\nimport os as _os\n\nimport numpy\n\n\
             from . import _support\nfrom ._support import Error, OutOfMemory\n\nENTRY_POINTS = ({})\n_TYPES = {{\n",
            literal(doc.trim()),
            futc_mlir::COMPILER,
            parts(self.functions.iter().map(|f| literal(&f.name)))
        );
        for (name, row) in &self.table {
            let _ = writeln!(out, "    {}: {row},", literal(name));
        }
        let _ = write!(
            out,
            "}}\n_CLASSES = {{}}\n_library = _support.Library(\n    \
             _os.path.join(_os.path.dirname(_os.path.abspath(__file__)), {}), _TYPES, _CLASSES\n)\n",
            literal(&format!("_{package}.so"))
        );
        for class in &self.classes {
            self.class(&mut out, class);
        }
        let _ = write!(
            out,
            "\n\nclass Program(_support.Program):\n    \"\"\"The program in a context of its own.\"\"\"\n\n    \
             _library = _library\n    _num_entries = {}\n",
            self.functions.len()
        );
        for (i, function) in self.functions.iter().enumerate() {
            self.function(&mut out, function, "self", &format!("self._entry{i}"), "    ");
        }
        out += "\n\n_default = _support.Default(Program, globals())\n\
                _support.declare(_library, _default, _CLASSES.values())\n";
        for i in 0..self.functions.len() {
            let _ = writeln!(out, "_entry{i} = _default.first({i})");
        }
        for (i, function) in self.functions.iter().enumerate() {
            self.function(&mut out, function, "", &format!("_entry{i}"), "");
        }
        out
    }

    fn function(
        &self,
        out: &mut String,
        function: &Function,
        before: &str,
        call: &str,
        indent: &str,
    ) {
        let names: Vec<&str> = function.params.iter().map(|(name, _)| name.as_str()).collect();
        let gap = if indent.is_empty() { "\n\n" } else { "\n" };
        let _ = write!(
            out,
            "{gap}{indent}{}\n{indent}    {}\n{indent}    return {call}({})\n",
            self.signature(function, before, false),
            literal(&Self::doc(function)),
            names.join(", ")
        );
    }

    fn class(&self, out: &mut String, class: &Class) {
        let Class { ty, name, shape } = class;
        let base = match shape {
            Shape::Atomic => "Opaque",
            Shape::Record(_) => "Record",
            Shape::Sum(_) => "Sum",
            Shape::Array(..) => "Array",
            Shape::RecordArray(..) => "RecordArray",
        };
        let doc = literal(&format!("Values of the type {}.", ty.name));
        let _ = write!(
            out,
            "\n\nclass {name}(_support.{base}):\n    {doc}\n\n    __slots__ = ()\n    _type = {}\n",
            literal(&ty.name)
        );
        match shape {
            Shape::Atomic => {}
            Shape::Record(fields) => {
                let names = parts(attributes(fields).iter().map(|n| literal(n)));
                let _ = writeln!(out, "    _fields = ({names})\n    __match_args__ = ({names})");
                Self::properties(out, fields);
            }
            Shape::Array(rank, _) => {
                let _ = writeln!(out, "    _rank = {rank}");
            }
            Shape::RecordArray(rank, _, fields) => {
                let _ = writeln!(out, "    _rank = {rank}\n    _parts = {}", fields.len());
                Self::properties(out, fields);
            }
            Shape::Sum(_) => {}
        }
        let _ = writeln!(out, "\n\n_CLASSES[{}] = {name}", literal(&ty.name));
        if let Shape::Sum(cases) = shape {
            let cases = cases.iter().zip(variants(cases)).map(|((_, payloads), name)| {
                let types = parts(payloads.iter().map(|ty| literal(&ty.name)));
                format!("({}, ({types}))", literal(&name))
            });
            let _ = writeln!(out, "_support.variants({name}, ({}))", parts(cases));
        }
    }

    fn properties(out: &mut String, fields: &[(String, ExtType)]) {
        for (i, (name, (_, ty))) in attributes(fields).iter().zip(fields).enumerate() {
            let _ = writeln!(out, "    {name} = _support.field({i}, {})", literal(&ty.name));
        }
    }

    /// The stub.
    pub fn stub(&self) -> String {
        let mut out = String::from(
            "from typing import Any, Iterator, Sequence\n\nimport numpy\nimport numpy.typing\n\n\
             class Error(RuntimeError):\n    @property\n    def message(self) -> str: ...\n    @property\n    \
             def backtrace(self) -> str: ...\n\nclass OutOfMemory(Error, MemoryError): ...\n\n\
             ENTRY_POINTS: tuple[str, ...]\n",
        );
        for class in &self.classes {
            self.class_stub(&mut out, class);
        }
        out.push('\n');
        for Class { name, .. } in &self.classes {
            let _ = writeln!(out, "{ALIAS}{name} = {name}");
        }
        out += "\nclass Program:\n    def __init__(\n        self,\n        *,\n        num_threads: int = ...,\n        \
                device: str | None = ...,\n        debugging: bool = ...,\n        profiling: bool = ...,\n        \
                logging: bool = ...,\n    ) -> None: ...\n    def report(self) -> str: ...\n    \
                def clear_caches(self) -> None: ...\n    def pause_profiling(self) -> None: ...\n    \
                def unpause_profiling(self) -> None: ...\n";
        for function in &self.functions {
            let _ = writeln!(out, "    {} ...", self.signature(function, "self", true));
        }
        out.push('\n');
        for function in &self.functions {
            let _ = writeln!(out, "{} ...", self.signature(function, "", true));
        }
        out
    }

    fn class_stub(&self, out: &mut String, class: &Class) {
        let Class { name, shape, .. } = class;
        let _ = writeln!(out, "\nclass {name}:");
        let typed = |fields: &[(String, ExtType)]| -> Vec<(String, String)> {
            let types = fields.iter().map(|(_, ty)| self.named(ty, true, ALIAS));
            attributes(fields).into_iter().zip(types).collect()
        };
        let list = |fields: &[(String, ExtType)]| {
            let names = attributes(fields);
            let given = fields.iter().zip(names);
            given
                .map(|((_, ty), n)| format!(", {n}: {}", self.given(ty, ALIAS)))
                .collect::<String>()
        };
        let properties = |out: &mut String, fields: &[(String, String)], indent: &str| {
            for (name, ty) in fields {
                let _ = writeln!(out, "{indent}@property\n{indent}def {name}(self) -> {ty}: ...");
            }
        };
        match shape {
            Shape::Atomic => *out += "    ...\n",
            Shape::Record(fields) => {
                let of = list(fields);
                let fields = typed(fields);
                let names = parts(fields.iter().map(|(name, _)| literal(name)));
                let _ = writeln!(out, "    __match_args__ = ({names})");
                let _ = writeln!(out, "    def __init__(self{of}) -> None: ...");
                let _ = writeln!(
                    out,
                    "    @classmethod\n    def of(cls, program: Program, /{of}) -> {ALIAS}{name}: ..."
                );
                properties(out, &fields, "    ");
            }
            Shape::Sum(cases) => {
                for ((_, payloads), case) in cases.iter().zip(variants(cases)) {
                    let fields: Vec<(String, ExtType)> = (payloads.iter().enumerate())
                        .map(|(i, ty)| (format!("v{i}"), ty.clone()))
                        .collect();
                    let of = list(&fields);
                    let fields = typed(&fields);
                    let names = parts(fields.iter().map(|(name, _)| literal(name)));
                    let _ = writeln!(
                        out,
                        "    class {case}({name}):\n        __match_args__ = ({names})\n        def __init__(self{of}) -> None: \
                         ...\n        @classmethod\n        def of(cls, program: Program, /{of}) -> {ALIAS}{name}: ..."
                    );
                    properties(out, &fields, "        ");
                }
            }
            Shape::Array(rank, element) | Shape::RecordArray(rank, element, _) => {
                let nested =
                    (0..*rank).fold(self.given(element, ALIAS), |t, _| format!("Sequence[{t}]"));
                let element = self.named(element, true, ALIAS);
                let _ = write!(
                    out,
                    "    def __init__(self, elements: {nested}) -> None: ...\n    @classmethod\n    def of(cls, program: \
                     Program, /, elements: {nested}) -> {ALIAS}{name}: ...\n    @property\n    def shape(self) -> \
                     tuple[int, ...]: ...\n    def __len__(self) -> int: ...\n    def __getitem__(self, index: int | \
                     tuple[int, ...]) -> {element}: ...\n    def __iter__(self) -> Iterator[{element}]: ...\n"
                );
                if let Shape::RecordArray(_, _, fields) = shape {
                    let fields = typed(fields);
                    let types: Vec<String> = fields.iter().map(|(_, ty)| ty.clone()).collect();
                    let _ = write!(
                        out,
                        "    @classmethod\n    def zip(cls, *arrays: Any) -> {ALIAS}{name}: ...\n    @classmethod\n    def \
                         zip_of(cls, program: Program, /, *arrays: Any) -> {ALIAS}{name}: ...\n    def unzip(self) -> \
                         tuple[{}]: ...\n",
                        types.join(", ")
                    );
                    properties(out, &fields, "    ");
                }
            }
        }
    }
}

/// What stands before the names of classes inside of classes, whose fields may be called as a class is.
const ALIAS: &str = "_class_";

/// What values have besides their fields.
const OF_VALUES: &[&str] = &[
    "_default", "_fields", "_fill", "_handle", "_library", "_restore", "_type", "_wrap", "of",
    "shape", "unzip", "zip", "zip_of",
];

fn attributes(fields: &[(String, ExtType)]) -> Vec<String> {
    let mut scope = Scope::with(OF_VALUES);
    fields.iter().map(|(name, _)| scope.add(name)).collect()
}

fn variants(cases: &[(String, Vec<ExtType>)]) -> Vec<String> {
    let mut scope = Scope::with(OF_VALUES);
    cases.iter().map(|(name, _)| scope.add(name)).collect()
}

fn numpy_name(prim: PrimType) -> &'static str {
    match prim {
        PrimType::I8 => "int8",
        PrimType::I16 => "int16",
        PrimType::I32 => "int32",
        PrimType::I64 => "int64",
        PrimType::U8 => "uint8",
        PrimType::U16 => "uint16",
        PrimType::U32 => "uint32",
        PrimType::U64 => "uint64",
        PrimType::F16 => "float16",
        PrimType::F32 => "float32",
        PrimType::F64 => "float64",
        PrimType::Bool => "bool_",
    }
}

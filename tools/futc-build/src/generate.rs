//! The module of a library.
//!
//! Each function of C is called at one place, which is where its types are known; what is the same for all programs
//! stands in support.rs, whose text is part of the module.

use crate::manifest::{Entry, Manifest, Type, What};
use crate::names::{OPAQUE, Scope, camel, snake};
use crate::types::{Rust, scalar};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// An error is a line.
pub type Result<T> = std::result::Result<T, String>;

/// What every module has.
const SUPPORT: &str = include_str!("support.rs");
/// What modules of crates that know ndarray have besides.
const NDARRAY: &str = include_str!("ndarray.rs");

/// Functions that every library has, which support.rs calls.
const COMMON: &str = "
    fn futhark_context_config_new() -> *mut c_void;
    fn futhark_context_config_free(configuration: *mut c_void);
    fn futhark_context_config_set_logging(configuration: *mut c_void, flag: c_int);
    fn futhark_context_config_set_profiling(configuration: *mut c_void, flag: c_int);
    fn futhark_context_new(configuration: *mut c_void) -> *mut c_void;
    fn futhark_context_free(context: *mut c_void);
    fn futhark_context_get_error(context: *mut c_void) -> *mut c_char;
    fn futhark_context_report(context: *mut c_void) -> *mut c_char;
    fn futhark_context_clear_caches(context: *mut c_void) -> c_int;
";

/// One that only programs for several threads have.
const SET_THREADS: &str = "futhark_context_config_set_num_threads";

/// Names in a module that are no types of the program.
const TAKEN: &[&str] = &[
    "Array",
    "CStr",
    "Context",
    "Element",
    "Error",
    "F16",
    "Functions",
    "PhantomData",
    "Settings",
];

/// Methods of a context that are no entry points.
const CONTEXT: &[&str] =
    &["new", "with", "report", "clear_caches", "message", "done", "error", "missing"];

/// A module that is being written.
pub struct Generator<'m> {
    /// What the library has.
    pub manifest: &'m Manifest,
    /// The structs of opaque types.
    names: BTreeMap<String, String>,
    /// The names of the module's types.
    pub scope: Scope,
    /// Declarations of functions of C.
    declared: Vec<String>,
    text: String,
}

/// The module's text, for an `include!` in a module of any name.
pub fn module(manifest: &Manifest, header: &str, prefix: &str, ndarray: bool) -> Result<String> {
    let mut scope = Scope::new(TAKEN);
    let names = manifest.types.iter().filter_map(|(name, ty)| match ty {
        Type::Opaque { suffix, .. } => Some((name, suffix)),
        Type::Array { .. } => None,
    });
    let names = names
        .map(|(name, suffix)| {
            let plain = suffix.strip_prefix("opaque_").unwrap_or(suffix);
            (name.clone(), scope.give(camel(plain)))
        })
        .collect();
    let mut g =
        Generator { manifest, names, scope, declared: Vec::new(), text: SUPPORT.to_owned() };
    let threads = header.contains(SET_THREADS);
    g.threads(threads);
    for (name, ty) in &manifest.types {
        match ty {
            Type::Array { element, rank, suffix } => g.array(name, element, *rank, suffix)?,
            Type::Opaque { suffix, what } => g.opaque(name, suffix, what)?,
        }
    }
    g.entries()?;
    if ndarray {
        let _ = write!(g.text, "\nmod conversions {{\n{NDARRAY}}}\n");
    }
    let mut declarations = COMMON.to_owned();
    g.declared.iter().for_each(|d| {
        let _ = writeln!(declarations, "    {d};");
    });
    // The library's names have a prefix; those here do not.
    let linked = declarations.lines().map(|line| match line.trim().strip_prefix("fn ") {
        Some(rest) => {
            let name = rest.split('(').next().unwrap_or_default();
            format!("    #[link_name = \"{prefix}{name}\"]\n{line}\n")
        }
        None => format!("{line}\n"),
    });
    let linked: String = linked.collect();
    let allowed = "unsafe_code, unused, missing_docs, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction";
    Ok(format!(
        "#[allow(unused_imports)]\npub use program::*;\n\n#[allow({allowed})]\nmod program {{\n{}\nunsafe extern \"C\" {{{linked}}}\n}}\n",
        g.text
    ))
}

impl Generator<'_> {
    /// How a type is written in Rust.
    pub fn rust(&self, name: &str) -> Result<Rust> {
        if let Some(scalar) = scalar(name) {
            return Ok(Rust::Scalar(scalar));
        }
        match self.manifest.types.get(name) {
            Some(Type::Array { element, rank, .. }) => {
                let element = scalar(element).ok_or_else(|| format!("no scalar: {element}"))?;
                Ok(Rust::Array(element, *rank))
            }
            Some(Type::Opaque { .. }) => {
                let name = self.names.get(name).ok_or_else(|| format!("no type {name}"))?;
                Ok(Rust::Opaque(name.clone()))
            }
            None => Err(format!("no type {name}")),
        }
    }

    /// Adds a function of C.
    pub fn declare(&mut self, name: &str, parameters: &str, result: &str) {
        self.declared.push(format!("fn {name}({parameters}) -> {result}"));
    }

    /// Adds text to the module.
    pub fn add(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn threads(&mut self, has: bool) {
        let body = if has {
            self.declared.push(format!("fn {SET_THREADS}(configuration: *mut c_void, n: c_int)"));
            format!("if n > 0 {{ unsafe {{ {SET_THREADS}(configuration, n) }} }}")
        } else {
            String::new()
        };
        self.add(&format!(
            "\nunsafe fn set_threads(configuration: *mut c_void, n: c_int) {{ {body} }}\n"
        ));
    }

    fn array(&mut self, name: &str, element: &str, rank: usize, suffix: &str) -> Result<()> {
        let element = scalar(element).ok_or_else(|| format!("{name}: no scalar: {element}"))?;
        let of = |f: &str| format!("futhark_{f}_{suffix}");
        let (new, free, values, shape) = (of("new"), of("free"), of("values"), of("shape"));
        let sizes: String = (0..rank).map(|i| format!(", n{i}: i64")).collect();
        let given: String = (0..rank).map(|i| format!(", n[{i}]")).collect();
        let ctx = "context: *mut c_void";
        self.declare(&new, &format!("{ctx}, elements: *const {element}{sizes}"), "*mut c_void");
        self.declare(&free, &format!("{ctx}, array: *mut c_void"), "c_int");
        self.declare(&values, &format!("{ctx}, array: *mut c_void, to: *mut {element}"), "c_int");
        self.declare(&shape, &format!("{ctx}, array: *mut c_void"), "*const i64");
        self.add(&format!(
            "
impl Element<{rank}> for {element} {{
    const FUNCTIONS: Functions<Self, {rank}> = Functions {{
        // SAFETY: whoever calls it has as many elements as the sizes say.
        new: |context, elements, n| unsafe {{ {new}(context, elements{given}) }},
        free: {free},
        values: {values},
        shape: {shape},
    }};
}}
"
        ));
        Ok(())
    }

    fn entries(&mut self) -> Result<()> {
        let mut methods = Scope::new(CONTEXT);
        for (name, entry) in &self.manifest.entries {
            let method = methods.give(snake(name));
            self.entry(name, &method, entry)?;
        }
        Ok(())
    }

    fn entry(&mut self, name: &str, method: &str, entry: &Entry) -> Result<()> {
        let mut scope = Scope::new(&["out"]);
        let (mut parameters, mut raw, mut passed) = (String::new(), String::new(), String::new());
        for (i, input) in entry.inputs.iter().enumerate() {
            let ty = self.rust(&input.ty)?;
            let parameter = scope.give(snake(&input.name));
            let _ = write!(parameters, ", {parameter}: {}", ty.parameter(input.unique));
            let _ = write!(raw, ", in{i}: {}", ty.raw());
            let _ = write!(passed, ", {}", ty.passed(&parameter));
        }
        let output = self.rust(&entry.output)?;
        let signature = format!("context: *mut c_void, out: *mut {}{raw}", output.raw());
        self.declare(&entry.function, &signature, "c_int");
        let doc: String = match entry.doc.trim() {
            "" => format!("    /// The entry point `{name}`.\n"),
            doc => doc.lines().map(|line| format!("    /// {}\n", line.trim_end())).collect(),
        };
        let (result, value) = self.result(&entry.output, &output)?;
        self.add(&format!(
            "
impl Context {{
{doc}    pub fn {method}(&self{parameters}) -> Result<{result}, Error> {{
        {}
        // SAFETY: all arguments live; those of another context are refused.
        self.done(unsafe {{ {}(self.pointer, &mut out{passed}) }})?;
        {value}
    }}
}}
",
            output.variable("out"),
            entry.function,
        ));
        Ok(())
    }

    /// The type of a result, and how it comes of `out`. A tuple is one of Rust's.
    fn result(&self, name: &str, output: &Rust) -> Result<(String, String)> {
        let value = output.taken("out", "self");
        let fields = match self.manifest.types.get(name) {
            Some(Type::Opaque { what: What::Record(fields), .. }) => Some(fields),
            Some(Type::Opaque { what: What::Nothing, .. }) if name == "()" => {
                return Ok(("()".into(), format!("drop({value}); Ok(())")));
            }
            _ => None,
        };
        let Some(fields) = fields.filter(|_| name.starts_with('(')) else {
            return Ok((output.owned(), format!("Ok({value})")));
        };
        let mut types = Vec::new();
        let mut values = Vec::new();
        let mut scope = Scope::new(OPAQUE);
        for field in fields {
            types.push(self.rust(&field.ty)?.owned());
            values.push(format!("out.{}()?", scope.give(snake(&field.name))));
        }
        let comma = if types.len() == 1 { "," } else { "" };
        Ok((
            format!("({}{comma})", types.join(", ")),
            format!("let out = {value}; Ok(({}{comma}))", values.join(", ")),
        ))
    }
}

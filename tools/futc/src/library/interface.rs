//! The functions of a library and its manifest, from one walk over types and entry points.

use super::names;
use crate::exit::Failure;
use futc_midend::ir::{EntryPoint, ExtKind, ExtStructure, ExtType, Payload, interface};
use futc_mlir::Target;
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use serde_json::{Map, Value, json};
use std::collections::HashSet;

/// Where in the header something stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Section {
    /// Arrays of scalars.
    Arrays,
    /// Values of other types.
    Opaque,
    /// Entry points.
    Entries,
}

/// A function in C.
#[derive(Debug)]
pub struct Function {
    /// Where it is declared.
    pub section: Section,
    /// The type of its result.
    pub result: String,
    /// Its name.
    pub name: String,
    /// Its parameters, with their types.
    pub params: Vec<String>,
    /// Its statements.
    pub body: Vec<String>,
}

/// What users see of a program.
#[derive(Debug)]
pub struct Interface {
    /// Structures, which are declared only.
    pub structs: Vec<(Section, String)>,
    /// Functions.
    pub functions: Vec<Function>,
    /// The manifest.
    pub manifest: Value,
}

/// A type that values are made of.
#[derive(Clone, Copy)]
struct Item<'t> {
    ty: &'t ExtType,
    /// Its number in the program's tables.
    number: usize,
}

struct Builder {
    /// The type of addresses of elements.
    raw: &'static str,
    /// Whether the parts of a tuple are results of their own.
    several: bool,
    section: Section,
    functions: Vec<Function>,
}

const CONTEXT: &str = "struct futhark_context *ctx";

impl Interface {
    /// Of entry points with their attributes, in the order of the program's tables. If `several`, the parts of a tuple
    /// are results of their own.
    pub fn of(
        entries: &[(&EntryPoint, &[Name])],
        target: &Target,
        several: bool,
    ) -> Result<Interface, Failure> {
        let types = interface::types(entries.iter().map(|(entry, _)| *entry));
        // Addresses of devices are numbers for the host.
        let raw = if target.device().is_some() { "unsigned long long " } else { "unsigned char *" };
        let section = Section::Arrays;
        let mut builder = Builder { raw, several, section, functions: Vec::new() };
        let mut structs = Vec::new();
        let mut described = Map::new();
        for (number, ty) in types.iter().enumerate().filter(|(_, ty)| !ty.is_scalar()) {
            let description = builder.ty(Item { ty, number })?;
            structs.push((builder.section, struct_name(ty)));
            described.insert(ty.name.clone(), description);
        }
        let mut entry_points = Map::new();
        for (number, (entry, attributes)) in entries.iter().enumerate() {
            let result = types.iter().position(|ty| ty.name == entry.result().name).unwrap_or(0);
            let description = builder.entry(number, entry, attributes, result);
            entry_points.insert(entry.name.to_string(), description);
        }
        let manifest = json!({
            "backend": target.backend,
            "version": futc_mlir::COMPILER,
            "entry_points": entry_points,
            "types": described,
        });
        let interface = Interface { structs, functions: builder.functions, manifest };
        interface.check_names()?;
        Ok(interface)
    }

    fn check_names(&self) -> Result<(), Failure> {
        let structs = self.structs.iter().map(|(_, name)| format!("struct {name}"));
        let mut seen = HashSet::new();
        let all = structs.chain(self.functions.iter().map(|f| f.name.clone()));
        match all.into_iter().find(|name| !seen.insert(name.clone())) {
            None => Ok(()),
            Some(name) => Err(Failure::usage(format!(
                "--library: types or entry points of different names would both be {name} in C; rename one"
            ))),
        }
    }
}

fn c_scalar(prim: PrimType) -> &'static str {
    match prim {
        PrimType::I8 => "int8_t",
        PrimType::I16 => "int16_t",
        PrimType::I32 => "int32_t",
        PrimType::I64 => "int64_t",
        PrimType::U8 => "uint8_t",
        // C has no type for halves: their bits.
        PrimType::U16 | PrimType::F16 => "uint16_t",
        PrimType::U32 => "uint32_t",
        PrimType::U64 => "uint64_t",
        PrimType::F32 => "float",
        PrimType::F64 => "double",
        PrimType::Bool => "bool",
    }
}

fn struct_name(ty: &ExtType) -> String {
    format!("futhark_{}", names::of_type(ty))
}

/// The type of values, with what stands before a name: a scalar's, or a pointer's.
fn c_type(ty: &ExtType) -> String {
    match ty.kind {
        ExtKind::Transparent { prim, rank: 0 } => format!("{} ", c_scalar(prim)),
        _ => format!("struct {} *", struct_name(ty)),
    }
}

/// As functions of the runtime take an argument.
fn argument(ty: &ExtType, name: &str) -> String {
    if ty.is_scalar() { format!("&{name}") } else { name.to_owned() }
}

/// An array of C; C has none without elements.
fn c_array(element: &str, name: &str, values: &[String]) -> (Vec<String>, String) {
    if values.is_empty() {
        return (Vec::new(), "NULL".to_owned());
    }
    (vec![format!("{element}{name}[] = {{{}}};", values.join(", "))], name.to_owned())
}

/// `int64_t i0, int64_t i1`, and the array of them.
fn numbered(rank: usize, prefix: &str, name: &str) -> (Vec<String>, Vec<String>, String) {
    let names: Vec<String> = (0..rank).map(|i| format!("{prefix}{i}")).collect();
    let (lines, array) = c_array("const int64_t ", name, &names);
    (names.iter().map(|n| format!("int64_t {n}")).collect(), lines, array)
}

impl Builder {
    fn add(
        &mut self,
        result: &str,
        name: String,
        params: impl IntoIterator<Item = String>,
        body: Vec<String>,
    ) -> Value {
        let params = std::iter::once(CONTEXT.to_owned()).chain(params).collect();
        let (section, result) = (self.section, result.to_owned());
        self.functions.push(Function { section, result, name: name.clone(), params, body });
        Value::String(name)
    }

    fn ty(&mut self, item: Item<'_>) -> Result<Value, Failure> {
        let Item { ty, number } = item;
        let ctype = c_type(ty);
        match &ty.kind {
            ExtKind::Transparent { prim, rank } => {
                self.section = Section::Arrays;
                Ok(json!({
                    "kind": "array",
                    "ctype": ctype,
                    "rank": rank,
                    "elemtype": prim.to_string(),
                    "ops": self.array(item, *prim, *rank),
                }))
            }
            ExtKind::Opaque { leaves, structure } => {
                self.section = Section::Opaque;
                let ops = self.opaque(item);
                let mut out = Map::new();
                out.insert("kind".into(), "opaque".into());
                out.insert("ctype".into(), ctype.into());
                out.insert("ops".into(), ops);
                match structure {
                    ExtStructure::Atomic => {}
                    ExtStructure::Record(fields) => {
                        out.insert("record".into(), self.record(item, fields));
                    }
                    ExtStructure::Sum(cases) => {
                        out.insert("sum".into(), self.sum(item, cases));
                    }
                    ExtStructure::Array(..) if leaves.is_empty() => {
                        return Err(Failure::usage(format!(
                            "--library: limitation: entry points with values of type {}, whose elements have \
                             no contents",
                            ty.name
                        )));
                    }
                    ExtStructure::Array(rank, element) => {
                        let mut ops = self.elements(item, *rank, element);
                        let kind = match ty.fields() {
                            Some(fields) => {
                                ops.insert("zip".into(), self.together(item, "zip", &fields));
                                ops.insert("fields".into(), self.projections(number, ty, &fields));
                                "record_array"
                            }
                            None => "opaque_array",
                        };
                        out.insert(kind.into(), ops.into());
                    }
                }
                Ok(out.into())
            }
        }
    }

    fn array(&mut self, item: Item<'_>, prim: PrimType, rank: usize) -> Value {
        let Item { ty, number } = item;
        let (name, pointer, element) = (names::of_type(ty), c_type(ty), c_scalar(prim));
        let array = format!("{pointer}arr");
        let (sizes, shape, shape_array) = numbered(rank, "dim", "shape");
        let (places, index, index_array) = numbered(rank, "i", "index");
        let new = |data: &str| {
            let call =
                format!("return futc_library_new_array(ctx, {number}, {data}, {shape_array});");
            [shape.clone(), vec![call]].concat()
        };
        let raw = self.raw;
        let (to_pointer, from_pointer) = match raw.ends_with('*') {
            true => ("data", ""),
            false => ("(const void *)(uintptr_t)data", "(uintptr_t)"),
        };
        let with = |first: String| std::iter::once(first).chain(sizes.iter().cloned());
        let call = |what: &str| vec![format!("return futc_library_{what};")];
        json!({
            "new": self.add(
                &pointer,
                format!("futhark_new_{name}"),
                with(format!("const {element} *data")),
                new("data"),
            ),
            "new_raw": self.add(
                &pointer,
                format!("futhark_new_raw_{name}"),
                with(format!("{raw}data")),
                new(to_pointer),
            ),
            "free": self.free(item, "arr"),
            "values": self.add(
                "int",
                format!("futhark_values_{name}"),
                [array.clone(), format!("{element} *data")],
                call(&format!("values(ctx, {number}, arr, data)")),
            ),
            "index": self.add(
                "int",
                format!("futhark_index_{name}"),
                [format!("{element} *out"), array.clone()].into_iter().chain(places),
                [index, call(&format!("index(ctx, {number}, out, arr, {index_array})"))].concat(),
            ),
            "values_raw": self.add(
                raw.trim_end(),
                format!("futhark_values_raw_{name}"),
                [array],
                vec![format!("return {from_pointer}futc_library_values_raw(ctx, {number}, arr);")],
            ),
            "shape": self.shape(item),
        })
    }

    fn free(&mut self, item: Item<'_>, param: &str) -> Value {
        self.add(
            "int",
            format!("futhark_free_{}", names::of_type(item.ty)),
            [format!("{}{param}", c_type(item.ty))],
            vec![format!("return futc_library_free(ctx, {}, {param});", item.number)],
        )
    }

    fn shape(&mut self, item: Item<'_>) -> Value {
        self.add(
            "const int64_t *",
            format!("futhark_shape_{}", names::of_type(item.ty)),
            [format!("{}arr", c_type(item.ty))],
            vec![format!("return futc_library_shape(ctx, {}, arr);", item.number)],
        )
    }

    fn opaque(&mut self, item: Item<'_>) -> Value {
        let Item { ty, number } = item;
        let (name, pointer) = (names::of_type(ty), c_type(ty));
        json!({
            "free": self.free(item, "obj"),
            "store": self.add(
                "int",
                format!("futhark_store_{name}"),
                [format!("const {pointer}obj"), "void **p".to_owned(), "size_t *n".to_owned()],
                vec![format!("return futc_library_store(ctx, {number}, obj, p, n);")],
            ),
            "restore": self.add(
                &pointer,
                format!("futhark_restore_{name}"),
                ["const void *p".to_owned()],
                vec![format!("return futc_library_restore(ctx, {number}, p);")],
            ),
        })
    }

    fn record(&mut self, item: Item<'_>, fields: &[(String, ExtType)]) -> Value {
        json!({
            "new": self.together(item, "new", fields),
            "fields": self.projections(item.number, item.ty, fields),
        })
    }

    /// Makes a value of its fields.
    fn together(&mut self, item: Item<'_>, what: &str, fields: &[(String, ExtType)]) -> Value {
        let param = |name: &String| format!("f_{}", names::of_part(name));
        let params = fields.iter().map(|(n, t)| format!("const {}{}", c_type(t), param(n)));
        let values: Vec<String> = fields.iter().map(|(n, t)| argument(t, &param(n))).collect();
        let (mut body, array) = c_array("const void *const ", "fields", &values);
        body.push(format!("return futc_library_record(ctx, {}, out, {array});", item.number));
        self.add(
            "int",
            format!("futhark_{what}_{}", names::of_type(item.ty)),
            std::iter::once(format!("{}*out", c_type(item.ty))).chain(params),
            body,
        )
    }

    fn projections(&mut self, number: usize, ty: &ExtType, fields: &[(String, ExtType)]) -> Value {
        let mut out = Vec::new();
        for (i, (name, field)) in fields.iter().enumerate() {
            let project = self.add(
                "int",
                format!("futhark_project_{}_{}", names::of_type(ty), names::of_part(name)),
                [format!("{}*out", c_type(field)), format!("const {}obj", c_type(ty))],
                vec![format!("return futc_library_project(ctx, {number}, {i}, out, obj);")],
            );
            out.push(json!({ "name": name, "type": field.name, "project": project }));
        }
        out.into()
    }

    fn sum(&mut self, item: Item<'_>, cases: &[(String, Vec<Payload>)]) -> Value {
        let Item { ty, number } = item;
        let (name, pointer) = (names::of_type(ty), c_type(ty));
        let mut variants = Vec::new();
        for (variant, (case, payloads)) in cases.iter().enumerate() {
            let types: Vec<&ExtType> = payloads.iter().map(|(ty, _)| ty).collect();
            let params = types.iter().enumerate();
            let given = params.clone().map(|(i, t)| format!("const {}v{i}", c_type(t)));
            let taken = params.clone().map(|(i, t)| format!("{}*v{i}", c_type(t)));
            let values: Vec<String> =
                params.clone().map(|(i, t)| argument(t, &format!("v{i}"))).collect();
            let places: Vec<String> = (0..types.len()).map(|i| format!("v{i}")).collect();
            let (mut construct, array) = c_array("const void *const ", "payloads", &values);
            construct.push(format!(
                "return futc_library_construct(ctx, {number}, {variant}, out, {array});"
            ));
            let (mut destruct, array) = c_array("void *const ", "payloads", &places);
            destruct.push(format!(
                "return futc_library_destruct(ctx, {number}, {variant}, {array}, obj);"
            ));
            let case_name = names::of_part(case);
            let construct = self.add(
                "int",
                format!("futhark_new_{name}_{case_name}"),
                std::iter::once(format!("{pointer}*out")).chain(given),
                construct,
            );
            let destruct = self.add(
                "int",
                format!("futhark_destruct_{name}_{case_name}"),
                taken.chain([format!("const {pointer}obj")]),
                destruct,
            );
            let payload: Vec<&str> = types.iter().map(|t| t.name.as_str()).collect();
            variants.push(json!({
                "name": case,
                "construct": construct,
                "destruct": destruct,
                "payload": payload,
            }));
        }
        let variant = self.add(
            "int",
            format!("futhark_variant_{name}"),
            [format!("const {pointer}v")],
            vec![format!("return futc_library_variant(ctx, {number}, v);")],
        );
        json!({ "variant": variant, "variants": variants })
    }

    fn elements(&mut self, item: Item<'_>, rank: usize, element: &ExtType) -> Map<String, Value> {
        let Item { ty, number } = item;
        let (name, pointer, of) = (names::of_type(ty), c_type(ty), c_type(element));
        let array = format!("{pointer}arr");
        let (sizes, shape, shape_array) = numbered(rank, "dim", "shape");
        let (places, index, index_array) = numbered(rank, "i", "index");
        let with = |mut lines: Vec<String>, call: String| {
            lines.push(call);
            lines
        };
        let mut ops = Map::new();
        ops.insert("rank".into(), rank.into());
        ops.insert("elemtype".into(), element.name.clone().into());
        let op = self.add(
            "int",
            format!("futhark_index_{name}"),
            [format!("{of}*out"), array.clone()].into_iter().chain(places.clone()),
            with(
                index.clone(),
                format!("return futc_library_index(ctx, {number}, out, arr, {index_array});"),
            ),
        );
        ops.insert("index".into(), op);
        let op = self.shape(item);
        ops.insert("shape".into(), op);
        let op = self.add(
            "int",
            format!("futhark_new_{name}"),
            [format!("{pointer}*out"), format!("{of}*elems")].into_iter().chain(sizes),
            with(
                shape,
                format!(
                    "return futc_library_gather(ctx, {number}, out, (const void *const *)elems, \
                     {shape_array});"
                ),
            ),
        );
        ops.insert("new".into(), op);
        let op = self.add(
            "int",
            format!("futhark_set_{name}"),
            [array, format!("{of}elem")].into_iter().chain(places),
            with(
                index,
                format!("return futc_library_set(ctx, {number}, arr, elem, {index_array});"),
            ),
        );
        ops.insert("set".into(), op);
        ops
    }

    /// An entry point, whose result has the type of the number `tuple`.
    fn entry(
        &mut self,
        number: usize,
        entry: &EntryPoint,
        attributes: &[Name],
        tuple: usize,
    ) -> Value {
        self.section = Section::Entries;
        let result = entry.result();
        let params = entry.params.iter().enumerate();
        let given = params.clone().map(|(i, (_, t))| format!("const {}in{i}", c_type(t)));
        let values: Vec<String> =
            params.map(|(i, (_, t))| argument(t, &format!("in{i}"))).collect();
        let (mut body, array) = c_array("const void *const ", "in", &values);
        let several = self.several && entry.results.len() > 1;
        let outputs = if several { entry.results.clone() } else { vec![result.clone()] };
        let out = |i: usize| if several { format!("out{i}") } else { "out".to_owned() };
        let outs = outputs.iter().enumerate();
        let places: Vec<String> =
            outs.map(|(i, ty)| format!("{}*{}", c_type(ty), out(i))).collect();
        if several {
            let there: Vec<String> =
                (0..outputs.len()).map(|i| format!("out{i} != NULL")).collect();
            body.push(format!("{}all = NULL;", c_type(&result)));
            body.push(format!("void *place = {} ? (void *)&all : NULL;", there.join(" && ")));
            body.push(format!("int code = futc_library_call(ctx, {number}, place, {array});"));
            for i in 0..outputs.len() {
                body.push(format!(
                    "code = code != 0 ? code : futc_library_project(ctx, {tuple}, {i}, out{i}, all);"
                ));
            }
            body.push(format!(
                "return all == NULL || futc_library_free(ctx, {tuple}, all) == 0 ? code : 1;"
            ));
        } else {
            body.push(format!("return futc_library_call(ctx, {number}, out, {array});"));
        }
        let function = self.add(
            "int",
            format!("futhark_entry_{}", names::escape(entry.name.as_str())),
            places.into_iter().chain(given),
            body,
        );
        let outputs: Vec<Value> =
            (outputs.iter()).map(|ty| json!({ "type": ty.name, "unique": ty.unique })).collect();
        let inputs: Vec<Value> = (entry.params.iter())
            .map(
                |(name, t)| json!({ "name": name.to_string(), "type": t.name, "unique": t.unique }),
            )
            .collect();
        let attributes: Vec<&str> = attributes.iter().map(|a| a.as_str()).collect();
        let mut description = json!({
            "cfun": function,
            "tuning_params": [],
            "attributes": attributes,
            // Older tools know only the list.
            "outputs": outputs,
            "inputs": inputs,
        });
        if let [output] = outputs.as_slice() {
            description["output"] = output.clone();
        }
        description
    }
}

//! What a program says about itself, as LLVM constants: `struct futc_program` and all it points to
//! (`runtime-c/include/futc_program.h`).
//!
//! Types are shared by name and contents, so that the runtime may compare addresses.

use crate::abi::ABI_VERSION;
use crate::lower::{self, FINI_SYMBOL, INIT_SYMBOL, Outline};
use crate::{Error, Options};
use futc_midend::ir::{ExtKind, ExtStructure, ExtType, Fun, Program, interface};
use futc_typed::prim::PrimType;
use inkwell::AddressSpace;
use inkwell::context::Context;
use inkwell::module::{Linkage, Module};
use inkwell::values::{BasicValueEnum, FunctionValue, PointerValue};
use std::collections::HashMap;

type Result<T> = std::result::Result<T, Error>;

/// `enum futc_prim`
pub fn prim_code(ty: PrimType) -> u64 {
    match ty {
        PrimType::I8 => 0,
        PrimType::I16 => 1,
        PrimType::I32 => 2,
        PrimType::I64 => 3,
        PrimType::U8 => 4,
        PrimType::U16 => 5,
        PrimType::U32 => 6,
        PrimType::U64 => 7,
        PrimType::F16 => 8,
        PrimType::F32 => 9,
        PrimType::F64 => 10,
        PrimType::Bool => 11,
    }
}

/// `enum futc_type_kind`
#[derive(Clone, Copy)]
enum Kind {
    Transparent = 0,
    Atomic = 1,
    Record = 2,
    Sum = 3,
    Array = 4,
}

struct Tables<'l, 'm> {
    context: &'l Context,
    module: &'m Module<'l>,
    strings: HashMap<String, PointerValue<'l>>,
    types: HashMap<String, PointerValue<'l>>,
}

/// What there is to say about a program.
pub struct Description<'l, 'p> {
    /// Functions that are entry points, with what the runtime calls.
    pub entries: Vec<(&'p Fun, FunctionValue<'l>)>,
    /// Words of globals.
    pub words: u64,
    /// What sets up the globals.
    pub init: FunctionValue<'l>,
    /// What releases them.
    pub fini: FunctionValue<'l>,
    /// Kernels and where they fail.
    pub outline: &'p Outline,
    /// The kernels' code, unless it is the host's.
    pub ptx: Option<&'p str>,
}

impl<'l, 'p> Description<'l, 'p> {
    /// Of a program all of whose functions are in `module`.
    pub fn of(
        module: &Module<'l>,
        program: &'p Program,
        outline: &'p Outline,
        ptx: Option<&'p str>,
    ) -> Result<Description<'l, 'p>> {
        let mut entries = Vec::new();
        for (index, fun) in program.funs.iter().enumerate().filter(|(_, f)| f.entry.is_some()) {
            let symbol = lower::mangle(lower::ENTRY_PREFIX, fun.name.as_str(), index);
            entries.push((fun, function(module, &symbol)?));
        }
        Ok(Description {
            entries,
            words: program.globals.len() as u64,
            init: function(module, INIT_SYMBOL)?,
            fini: function(module, FINI_SYMBOL)?,
            outline,
            ptx,
        })
    }
}

/// A function of a module.
pub fn function<'l>(module: &Module<'l>, symbol: &str) -> Result<FunctionValue<'l>> {
    module
        .get_function(symbol)
        .ok_or_else(|| Error::bug(format_args!("no function {symbol} in the module")))
}

/// Adds the tables to a module that has or declares the program's functions.
pub fn add_tables<'l>(
    context: &'l Context,
    module: &Module<'l>,
    description: &Description<'l, '_>,
    options: &Options,
) -> Result<()> {
    let mut t = Tables { context, module, strings: HashMap::new(), types: HashMap::new() };
    let outline = description.outline;
    let mut entries = Vec::new();
    for (fun, code) in &description.entries {
        let Some(entry) = &fun.entry else { continue };
        let mut inputs = Vec::new();
        for (name, ty) in &entry.params {
            let name = t.string(name.as_str());
            inputs.push(t.value_spec(name, ty)?);
        }
        let mut outputs = Vec::new();
        for ty in &entry.results {
            let name = t.null();
            outputs.push(t.value_spec(name, ty)?);
        }
        let attributes: Vec<_> = fun.attrs.iter().map(|a| t.string(a.as_str()).into()).collect();
        let fields = [
            t.string(entry.name.as_str()).into(),
            code.as_global_value().as_pointer_value().into(),
            t.i64(inputs.len() as u64),
            t.array(&inputs).into(),
            t.i64(outputs.len() as u64),
            t.array(&outputs).into(),
            t.i64(attributes.len() as u64),
            t.array(&attributes).into(),
            t.ext_type(&entry.result())?.into(),
        ];
        entries.push(t.record(&fields));
    }
    let mut kernels = Vec::new();
    let host_symbol = options.target.kernels.as_ref().and_then(|k| k.host_symbol);
    for kernel in &outline.kernels {
        let emulation = match host_symbol {
            Some(symbol) => {
                function(module, &symbol(&kernel.name))?.as_global_value().as_pointer_value()
            }
            None => t.null(),
        };
        let fields = [
            t.string(&kernel.name).into(),
            emulation.into(),
            t.i64(kernel.num_args as u64),
            t.i64(0),
        ];
        kernels.push(t.record(&fields));
    }
    let mut points = Vec::new();
    for point in &outline.failures {
        let loc = match &point.loc {
            Some(loc) => t.string(loc),
            None => t.null(),
        };
        let format = t.string(&point.format);
        points.push(t.record(&[format.into(), loc.into()]));
    }
    if points.is_empty() {
        // An array of no elements is no C; nobody reads this one.
        points.push(t.record(&[t.null().into(), t.null().into()]));
    }
    let ptx = match description.ptx {
        Some(ptx) => t.string(ptx),
        None => t.null(),
    };
    let mut types = Vec::new();
    let shown = description.entries.iter().filter_map(|(fun, _)| fun.entry.as_ref());
    for ty in interface::types(shown) {
        types.push(t.ext_type(&ty)?.into());
    }
    let fields = [
        t.i64(ABI_VERSION as u64),
        t.string(crate::COMPILER).into(),
        t.string(&options.source).into(),
        t.i64(options.target.code),
        t.i64(entries.len() as u64),
        t.array(&entries).into(),
        t.i64(0),
        t.null().into(),
        t.i64(kernels.len() as u64),
        t.array(&kernels).into(),
        ptx.into(),
        t.i64(description.words * 8),
        description.init.as_global_value().as_pointer_value().into(),
        description.fini.as_global_value().as_pointer_value().into(),
        t.i64(types.len() as u64),
        t.array(&types).into(),
    ];
    let record = t.record(&fields);
    t.public("futc_program", record);
    let all = t.constant_array(&points);
    t.public("futc_failure_points", all);
    t.public("futc_num_failure_points", t.i64(outline.failures.len() as u64));
    Ok(())
}

impl<'l> Tables<'l, '_> {
    fn null(&self) -> PointerValue<'l> {
        self.context.ptr_type(AddressSpace::default()).const_null()
    }

    fn i64(&self, x: u64) -> BasicValueEnum<'l> {
        self.context.i64_type().const_int(x, false).into()
    }

    fn i32(&self, x: u64) -> BasicValueEnum<'l> {
        self.context.i32_type().const_int(x, false).into()
    }

    fn record(&self, fields: &[BasicValueEnum<'l>]) -> BasicValueEnum<'l> {
        self.context.const_struct(fields, false).into()
    }

    /// A constant nobody else sees.
    fn private(&self, value: BasicValueEnum<'l>) -> PointerValue<'l> {
        let global = self.module.add_global(value.get_type(), None, "table");
        global.set_initializer(&value);
        global.set_constant(true);
        global.set_linkage(Linkage::Private);
        global.as_pointer_value()
    }

    fn public(&self, name: &str, value: BasicValueEnum<'l>) {
        let global = self.module.add_global(value.get_type(), None, name);
        global.set_initializer(&value);
        global.set_constant(true);
    }

    fn string(&mut self, text: &str) -> PointerValue<'l> {
        if let Some(pointer) = self.strings.get(text) {
            return *pointer;
        }
        let value = self.context.const_string(text.as_bytes(), true);
        let pointer = self.private(value.into());
        self.strings.insert(text.to_owned(), pointer);
        pointer
    }

    /// Values of one type as a constant array.
    fn constant_array(&self, values: &[BasicValueEnum<'l>]) -> BasicValueEnum<'l> {
        match values.first() {
            Some(BasicValueEnum::StructValue(first)) => {
                let all: Vec<_> = values.iter().map(|v| v.into_struct_value()).collect();
                first.get_type().const_array(&all).into()
            }
            Some(BasicValueEnum::IntValue(first)) => {
                let all: Vec<_> = values.iter().map(|v| v.into_int_value()).collect();
                first.get_type().const_array(&all).into()
            }
            _ => {
                let all: Vec<_> = values.iter().map(|v| v.into_pointer_value()).collect();
                self.context.ptr_type(AddressSpace::default()).const_array(&all).into()
            }
        }
    }

    /// The address of an array of values; of no values, NULL.
    fn array(&self, values: &[BasicValueEnum<'l>]) -> PointerValue<'l> {
        if values.is_empty() { self.null() } else { self.private(self.constant_array(values)) }
    }

    fn value_spec(&mut self, name: PointerValue<'l>, ty: &ExtType) -> Result<BasicValueEnum<'l>> {
        let described = self.ext_type(ty)?;
        Ok(self.record(&[name.into(), described.into(), self.i64(u64::from(ty.unique))]))
    }

    fn ext_type(&mut self, ty: &ExtType) -> Result<PointerValue<'l>> {
        // Uniqueness is the value's, not the type's.
        let key = format!("{}\n{:?}", ty.name, ty.kind);
        if let Some(pointer) = self.types.get(&key) {
            return Ok(*pointer);
        }
        let (kind, rank) = match &ty.kind {
            ExtKind::Transparent { rank, .. } => (Kind::Transparent, *rank),
            ExtKind::Opaque { structure, .. } => match structure {
                ExtStructure::Atomic => (Kind::Atomic, 0),
                ExtStructure::Record(_) => (Kind::Record, 0),
                ExtStructure::Sum(_) => (Kind::Sum, 0),
                ExtStructure::Array(rank, _) => (Kind::Array, *rank),
            },
        };
        let mut fields = Vec::new();
        for (name, part) in ty.fields().into_iter().flatten() {
            let part = self.ext_type(&part)?;
            let name = self.string(&name);
            fields.push(self.record(&[name.into(), part.into()]));
        }
        let mut constructors = Vec::new();
        let mut element = self.null();
        if let ExtKind::Opaque { structure, .. } = &ty.kind {
            match structure {
                ExtStructure::Atomic | ExtStructure::Record(_) => {}
                ExtStructure::Sum(cases) => {
                    for (name, payloads) in cases {
                        let mut types = Vec::new();
                        let mut positions = Vec::new();
                        for (payload, leaves) in payloads {
                            types.push(self.ext_type(payload)?.into());
                            positions.extend(leaves.iter().map(|l| self.i64(*l as u64)));
                        }
                        let name = self.string(name);
                        constructors.push(self.record(&[
                            name.into(),
                            self.i64(types.len() as u64),
                            self.array(&types).into(),
                            self.array(&positions).into(),
                        ]));
                    }
                }
                ExtStructure::Array(_, inner) => element = self.ext_type(inner)?,
            }
        }
        let leaves: Vec<_> = (ty.leaves().iter())
            .map(|(prim, rank)| self.record(&[self.i32(prim_code(*prim)), self.i32(*rank as u64)]))
            .collect();
        let name = self.string(&ty.name);
        let record = self.record(&[
            name.into(),
            self.i32(kind as u64),
            self.i32(rank as u64),
            self.i64(leaves.len() as u64),
            self.array(&leaves).into(),
            self.i64(fields.len().max(constructors.len()) as u64),
            self.array(&fields).into(),
            self.array(&constructors).into(),
            element.into(),
        ]);
        let pointer = self.private(record);
        self.types.insert(key, pointer);
        Ok(pointer)
    }
}

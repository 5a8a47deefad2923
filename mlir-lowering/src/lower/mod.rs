//! Level mem to MLIR.
//!
//! ```text
//! module {
//!   llvm.func @futc_alloc …                what the runtime provides
//!   llvm.mlir.global @string_0 …           texts of error messages
//!   func.func private @fut_f(%ctx, …)      one per function
//!   func.func @futc_entry_f(%ctx, %in, %out)
//!   func.func @futc_init / @futc_fini
//!   gpu.module @kernels { gpu.func @kernel_0 … }
//! }
//! ```
//!
//! One file per family of operations; [`function::Function::stm`] dispatches. The cost is linear in
//! the size of the program.

pub mod alloc;
pub mod array;
pub mod builder;
pub mod contraction;
pub mod control;
pub mod entry;
pub mod function;
mod interleave;
pub mod kernel;
pub mod lanewise;
pub mod panels;
mod position;
pub mod reduce;
pub mod scalar;
pub mod scan;
pub mod seg;
mod spmd;
pub mod squares;
pub mod stream;
pub mod tiles;
pub mod tree;
mod unroll;
pub mod vector;

use crate::abi::{self, CType, Runtime};
use crate::cpu::Cpu;
use crate::ffi;
use crate::{Error, Target};
use builder::{Builder, Predicate, Shared, Val};
use function::{Function, Site};
use futc_midend::ir::{Fun, IntType, Level, Program};
use futc_typed::name::Name;
use kernel::KERNEL_MODULE;
use melior::ir::attribute::{ArrayAttribute, IntegerAttribute, StringAttribute, TypeAttribute};
use melior::ir::operation::OperationLike;
use melior::ir::r#type::FunctionType;
use melior::ir::{Attribute, BlockRef, Location, Module, Region, Type};
use position::Positions;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

type Result<T> = std::result::Result<T, Error>;

/// A kernel of the program.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its symbol.
    pub name: String,
    /// Parameters, without the failure record.
    pub num_args: usize,
}

/// A place in a kernel that can fail.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FailurePoint {
    /// The message.
    pub format: String,
    /// The position.
    pub loc: Option<String>,
}

/// What the tables of the object need to know besides the program.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// Kernels, by index.
    pub kernels: Vec<Kernel>,
    /// Failure points, by code.
    pub failures: Vec<FailurePoint>,
}

/// The machine that host code is for, and what may be asked of it.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// Its vector units.
    pub cpu: Cpu,
    /// A product may be added to a sum without being rounded first.
    pub fuse: bool,
}

/// A program on its way to MLIR.
pub struct Lowering<'c, 'p, 's> {
    /// Context and types.
    pub shared: &'s Shared<'c>,
    /// The position of the function at hand; unknown if positions are not wanted.
    pub location: Location<'c>,
    positions: Positions<'c>,
    /// What the host can do.
    pub machine: Machine,
    program: &'p Program,
    target: &'static Target,
    body: BlockRef<'c, 'c>,
    device: Option<BlockRef<'c, 'c>>,
    declared: HashSet<(bool, &'static str)>,
    strings: HashMap<String, String>,
    /// Symbols of the tables of constants.
    tables: HashMap<Vec<u8>, String>,
    functions: HashMap<Name, (usize, &'p Fun)>,
    device_functions: HashSet<Name>,
    pending: Vec<Name>,
    num_scopes: usize,
    /// Kernels so far.
    pub kernels: Vec<Kernel>,
    failures: Vec<FailurePoint>,
    failure_codes: HashMap<FailurePoint, i64>,
}

/// Lowers a whole program. `positions` names its source, if operations are to have positions.
pub fn lower<'c>(
    shared: &Shared<'c>,
    program: &Program,
    target: &'static Target,
    machine: Machine,
    positions: Option<&str>,
) -> Result<(Module<'c>, Outline)> {
    if program.level != Level::Mem {
        return Err(Error::bug("code generation begins at level mem"));
    }
    let location = match positions {
        Some(source) => Location::new(shared.context, source, 1, 1),
        None => Location::unknown(shared.context),
    };
    let module = Module::new(location);
    let mut functions = HashMap::new();
    for (i, fun) in program.funs.iter().enumerate() {
        functions.insert(fun.name, (i, fun));
    }
    let mut lowering = Lowering {
        shared,
        location,
        positions: positions.map(|_| HashMap::new()),
        machine,
        program,
        target,
        body: ffi::module_block(&module),
        device: None,
        declared: HashSet::new(),
        strings: HashMap::new(),
        tables: HashMap::new(),
        functions,
        device_functions: HashSet::new(),
        pending: Vec::new(),
        num_scopes: 0,
        kernels: Vec::new(),
        failures: Vec::new(),
        failure_codes: HashMap::new(),
    };
    for fun in &program.funs {
        lowering.host_function(fun)?;
    }
    for fun in &program.funs {
        lowering.at(fun, |m| m.entry_point(fun))?;
    }
    lowering.globals()?;
    while let Some(name) = lowering.pending.pop() {
        lowering.lower_device_function(name)?;
    }
    let outline = Outline { kernels: lowering.kernels, failures: lowering.failures };
    if !module.as_operation().verify() {
        return Err(Error::bug("invalid MLIR"));
    }
    Ok((module, outline))
}

impl<'c, 'p, 's> Lowering<'c, 'p, 's> {
    /// Whether device operations become kernels.
    pub fn has_kernels(&self) -> bool {
        self.target.kernels.is_some()
    }

    fn builder(&self) -> Builder<'c, 's> {
        Builder { shared: self.shared, block: self.body, location: self.location }
    }

    /// Appends to the `gpu.module`, which begins to exist when it is first used.
    pub fn device_builder(&mut self) -> Result<Builder<'c, 's>> {
        let block = match self.device {
            Some(block) => block,
            None => {
                let (region, block) = ffi::region_with_block(&[], self.location);
                let name = StringAttribute::new(self.shared.context, KERNEL_MODULE).into();
                self.builder().operation(
                    "gpu.module",
                    &[],
                    &[],
                    &[("sym_name", name)],
                    vec![region],
                )?;
                self.device = Some(block);
                block
            }
        };
        Ok(Builder { shared: self.shared, block, location: self.location })
    }

    /// A type of C.
    pub fn c_type(&self, ty: CType) -> Type<'c> {
        let types = self.shared.types;
        match ty {
            CType::Ptr => types.ptr,
            CType::I32 => types.i32,
            CType::I64 => types.i64,
            CType::F32 => types.f32,
            CType::F64 => types.f64,
        }
    }

    /// Declares a C function once, on the host or in the `gpu.module`.
    fn declare(
        &mut self,
        device: bool,
        symbol: &'static str,
        parameters: &[CType],
        result: Option<CType>,
    ) -> Result<()> {
        if !self.declared.insert((device, symbol)) {
            return Ok(());
        }
        let parameters: Vec<_> = parameters.iter().map(|t| self.c_type(*t)).collect();
        let result = match result {
            Some(t) => self.c_type(t),
            None => melior::dialect::llvm::r#type::void(self.shared.context),
        };
        let ty = melior::dialect::llvm::r#type::function(result, &parameters, false);
        let attributes = [
            ("sym_name", StringAttribute::new(self.shared.context, symbol).into()),
            ("function_type", TypeAttribute::new(ty).into()),
            ("linkage", self.shared.attribute("#llvm.linkage<external>")?),
        ];
        let builder = if device { self.device_builder()? } else { self.builder() };
        builder.operation("llvm.func", &[], &[], &attributes, vec![Region::new()])?;
        Ok(())
    }

    /// Declares a C function in the `gpu.module`.
    pub fn declare_device(
        &mut self,
        symbol: &'static str,
        parameters: &[CType],
        result: Option<CType>,
    ) -> Result<()> {
        self.declare(true, symbol, parameters, result)
    }

    /// The symbol of a table of bytes. The same bytes are one table.
    pub fn table(&mut self, bytes: &[u8]) -> Result<String> {
        if let Some(symbol) = self.tables.get(bytes) {
            return Ok(symbol.clone());
        }
        let symbol = format!("table_{}", self.tables.len());
        // Bytes are no text; an attribute is written with escapes for them.
        let mut text = String::with_capacity(bytes.len() * 3 + 2);
        text.push('"');
        for b in bytes {
            let _ = write!(text, "\\{b:02X}");
        }
        text.push('"');
        let value = Attribute::parse(self.shared.context, &text)
            .ok_or_else(|| Error::bug("a table of constants"))?;
        let ty = melior::dialect::llvm::r#type::array(
            self.shared.types.i8,
            u32::try_from(bytes.len()).map_err(Error::bug)?,
        );
        let attributes: Vec<(&str, Attribute<'c>)> = vec![
            ("sym_name", StringAttribute::new(self.shared.context, &symbol).into()),
            ("global_type", TypeAttribute::new(ty).into()),
            ("constant", self.shared.attribute("unit")?),
            ("linkage", self.shared.attribute("#llvm.linkage<internal>")?),
            ("value", value),
            ("alignment", IntegerAttribute::new(self.shared.types.i64, 64).into()),
            ("unnamed_addr", IntegerAttribute::new(self.shared.types.i64, 2).into()),
        ];
        self.builder().operation("llvm.mlir.global", &[], &[], &attributes, vec![Region::new()])?;
        self.tables.insert(bytes.to_vec(), symbol.clone());
        Ok(symbol)
    }

    /// The symbol of a text.
    pub fn string(&mut self, text: &str) -> Result<String> {
        if let Some(symbol) = self.strings.get(text) {
            return Ok(symbol.clone());
        }
        let symbol = format!("{TEXT_PREFIX}{}", self.strings.len());
        let context = self.shared.context;
        let terminated = format!("{text}\0");
        let ty = melior::dialect::llvm::r#type::array(
            self.shared.types.i8,
            u32::try_from(terminated.len()).map_err(Error::bug)?,
        );
        let attributes: Vec<(&str, Attribute<'c>)> = vec![
            ("sym_name", StringAttribute::new(context, &symbol).into()),
            ("global_type", TypeAttribute::new(ty).into()),
            ("constant", self.shared.attribute("unit")?),
            ("linkage", self.shared.attribute("#llvm.linkage<internal>")?),
            ("value", StringAttribute::new(context, &terminated).into()),
            ("unnamed_addr", IntegerAttribute::new(self.shared.types.i64, 2).into()),
        ];
        self.builder().operation("llvm.mlir.global", &[], &[], &attributes, vec![Region::new()])?;
        self.strings.insert(text.to_owned(), symbol.clone());
        Ok(symbol)
    }

    /// A new scope for what lies in one block and no other.
    pub fn alias_scope(&mut self) -> Result<Attribute<'c>> {
        let id = self.num_scopes;
        self.num_scopes += 1;
        let text = format!(
            "#llvm.alias_scope<id = \"block{id}\", domain = #llvm.alias_scope_domain<id = \"futc\">>"
        );
        Attribute::parse(self.shared.context, &text).ok_or_else(|| Error::bug("an alias scope"))
    }

    /// A new group of accesses, and the annotation of a loop of which no iteration reads what
    /// another writes by accesses of that group.
    pub fn parallel(&self) -> Result<(Attribute<'c>, Attribute<'c>)> {
        let group = "#llvm.access_group<id = distinct[0]<>>";
        let text = format!("[{group}, #llvm.loop_annotation<parallelAccesses = {group}>]");
        let both = Attribute::parse(self.shared.context, &text)
            .and_then(|a| ArrayAttribute::try_from(a).ok())
            .ok_or_else(|| Error::bug("a group of accesses"))?;
        Ok((both.element(0).map_err(Error::bug)?, both.element(1).map_err(Error::bug)?))
    }

    /// The code of a failure in a kernel.
    pub fn failure_point(&mut self, format: &str, loc: Option<&str>) -> Result<i64> {
        let point = FailurePoint { format: format.to_owned(), loc: loc.map(str::to_owned) };
        if let Some(code) = self.failure_codes.get(&point) {
            return Ok(*code);
        }
        let code = i64::try_from(self.failures.len()).map_err(Error::bug)?;
        self.failures.push(point.clone());
        self.failure_codes.insert(point, code);
        Ok(code)
    }

    /// A function of the program.
    pub fn function(&self, name: Name) -> Result<&'p Fun> {
        self.functions
            .get(&name)
            .map(|(_, f)| *f)
            .ok_or_else(|| Error::bug(format_args!("there is no function {name}")))
    }

    fn symbol(&self, prefix: &str, name: Name) -> Result<String> {
        let (i, _) = self
            .functions
            .get(&name)
            .ok_or_else(|| Error::bug(format_args!("there is no function {name}")))?;
        Ok(mangle(prefix, name.as_str(), *i))
    }

    /// The symbol of a function on the host.
    pub fn host_symbol(&self, name: Name) -> Result<String> {
        self.symbol("fut", name)
    }

    /// The symbol of a function in the `gpu.module`, which is lowered there if it has not been.
    pub fn device_function(&mut self, name: Name) -> Result<String> {
        if self.device_functions.insert(name) {
            self.pending.push(name);
        }
        self.symbol("dev", name)
    }

    /// A `func.func` around a region.
    fn func(
        &self,
        builder: Builder<'c, 's>,
        symbol: &str,
        parameters: &[Type<'c>],
        results: &[Type<'c>],
        internal: bool,
        region: Region<'c>,
    ) -> Result<()> {
        let context = self.shared.context;
        let ty = FunctionType::new(context, parameters, results).into();
        let mut attributes = vec![
            ("sym_name", StringAttribute::new(context, symbol).into()),
            ("function_type", TypeAttribute::new(ty).into()),
        ];
        if internal {
            attributes.push(("sym_visibility", StringAttribute::new(context, "private").into()));
            attributes.push(("llvm.linkage", self.shared.attribute("#llvm.linkage<internal>")?));
        }
        builder.operation("func.func", &[], &[], &attributes, vec![region])?;
        Ok(())
    }

    fn parameter_types(&self, fun: &Fun) -> Vec<Type<'c>> {
        let types = self.shared.types;
        std::iter::once(types.ptr)
            .chain(fun.params.iter().filter_map(|p| types.value(&p.ty)))
            .collect()
    }

    fn lower_function(
        &mut self,
        builder: Option<Builder<'c, 's>>,
        symbol: &str,
        fun: &'p Fun,
    ) -> Result<()> {
        let types = self.shared.types;
        let parameters = self.parameter_types(fun);
        let results: Vec<_> = fun.results.iter().filter_map(|r| types.value(&r.ty)).collect();
        let program = self.program;
        let device = builder.is_some();
        let region = self.code(&parameters, device, |f, values| {
            if !device {
                f.load_globals(program)?;
            }
            f.bind(&fun.params, values.iter().copied())?;
            f.body(&fun.body, fun.results.iter().map(|r| &r.ty))
        })?;
        let builder = builder.unwrap_or_else(|| self.builder());
        self.func(builder, symbol, &parameters, &results, true, region)
    }

    /// A region with the code of a function: its first parameter is the context or the failure
    /// record, the others are given to `f`.
    fn code(
        &mut self,
        parameters: &[Type<'c>],
        device: bool,
        f: impl FnOnce(&mut Function<'c, 'p, 's, '_>, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
    ) -> Result<Region<'c>> {
        use melior::ir::block::BlockLike;
        let (region, entry) = ffi::region_with_block(parameters, self.location);
        let mut values = Vec::with_capacity(parameters.len());
        for i in 0..parameters.len() {
            values.push(ffi::detach_value(entry.argument(i)?.into()));
        }
        let (first, rest) =
            values.split_first().ok_or_else(|| Error::bug("a function without context"))?;
        let site = if device { Site::Device(*first) } else { Site::Host(*first) };
        let mut function = Function::new(self, entry, site);
        let results = f(&mut function, rest)?;
        function.b.effect("func.return", &results, &[])?;
        Ok(region)
    }

    /// Runs `f` at the position of a function.
    fn at<T>(&mut self, fun: &Fun, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let outer = self.location;
        self.location = self.position(fun.loc).unwrap_or(outer);
        let result = f(self);
        self.location = outer;
        result
    }

    fn host_function(&mut self, fun: &'p Fun) -> Result<()> {
        let symbol = self.host_symbol(fun.name)?;
        self.at(fun, |m| m.lower_function(None, &symbol, fun))
    }

    fn lower_device_function(&mut self, name: Name) -> Result<()> {
        let fun = self.function(name)?;
        let symbol = self.symbol("dev", name)?;
        let builder = self.device_builder()?;
        self.at(fun, |m| m.lower_function(Some(builder), &symbol, fun))
    }

    fn entry_point(&mut self, fun: &'p Fun) -> Result<()> {
        let Some(entry) = &fun.entry else { return Ok(()) };
        let ptr = self.shared.types.ptr;
        let program = self.program;
        let region = self.code(&[ptr, ptr, ptr], false, |f, values| {
            let [input, output] = *values else { return Err(Error::bug("entry parameters")) };
            f.load_globals(program)?;
            f.entry_function(fun, entry, input, output)?;
            Ok(Vec::new())
        })?;
        let symbol = self.entry_symbol(fun)?;
        self.func(self.builder(), &symbol, &[ptr, ptr, ptr], &[], true, region)
    }

    /// The symbol of an entry function.
    fn entry_symbol(&self, fun: &Fun) -> Result<String> {
        self.symbol(ENTRY_PREFIX, fun.name)
    }

    fn globals(&mut self) -> Result<()> {
        let ptr = self.shared.types.ptr;
        let program = self.program;
        let init = self.code(&[ptr, ptr], false, |f, values| {
            let [globals] = *values else { return Err(Error::bug("init parameters")) };
            f.init_function(program, globals)?;
            Ok(Vec::new())
        })?;
        self.func(self.builder(), INIT_SYMBOL, &[ptr, ptr], &[], true, init)?;
        let fini = self.code(&[ptr, ptr], false, |f, values| {
            let [globals] = *values else { return Err(Error::bug("fini parameters")) };
            f.fini_function(program, globals)?;
            Ok(Vec::new())
        })?;
        self.func(self.builder(), FINI_SYMBOL, &[ptr, ptr], &[], true, fini)
    }
}

/// Begins the symbols of texts.
pub const TEXT_PREFIX: &str = "string_";
/// The function that evaluates the globals.
pub const INIT_SYMBOL: &str = "futc_init";
/// The function that releases them.
pub const FINI_SYMBOL: &str = "futc_fini";
/// Begins the symbols of entry functions.
pub const ENTRY_PREFIX: &str = "futc_entry";

/// A symbol that assemblers of all targets accept; the index keeps it unique where characters had
/// to be replaced.
pub fn mangle(prefix: &str, name: &str, index: usize) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.chars().all(plain) {
        format!("{prefix}_{name}")
    } else {
        let name: String = name.chars().map(|c| if plain(c) { c } else { '_' }).collect();
        format!("{prefix}_{name}_x{index}")
    }
}

impl<'c> Function<'c, '_, '_, '_> {
    /// Declares a function of the runtime.
    pub fn declare_runtime(&mut self, which: Runtime) -> Result<()> {
        let (parameters, result) = which.signature();
        self.m.declare(false, which.symbol(), parameters, result)
    }

    /// Declares a C function on floats where the code at hand runs.
    pub fn declare_scalar_function(&mut self, symbol: &'static str) -> Result<()> {
        let device = matches!(self.site, Site::Device(_));
        if self.m.declared.contains(&(device, symbol)) {
            return Ok(());
        }
        let (_, parameters, result) = abi::scalar_functions()
            .into_iter()
            .find(|(s, _, _)| *s == symbol)
            .ok_or_else(|| Error::bug(format_args!("no scalar function {symbol}")))?;
        self.m.declare(device, symbol, &parameters, Some(result))
    }

    /// Words on the stack, allocated where the function begins: once, whatever loops surround the
    /// code that uses them.
    pub fn stack_in_entry(&mut self, words: usize) -> Result<Val<'c>> {
        use melior::ir::block::BlockLike;
        let (region, block) = ffi::region_with_block(&[], self.b.location);
        let here = Builder { block, ..self.b };
        let slots = here.stack_words(words)?;
        let mut operations = Vec::new();
        let mut next = block.first_operation();
        while let Some(operation) = next {
            next = operation.next_in_block();
            operations.push(ffi::detach_operation(operation));
        }
        ffi::move_to_front(self.entry, &operations);
        drop(region);
        Ok(slots)
    }

    /// The function that raises integers of a width to a power; made when first used.
    ///
    /// ```text
    /// r = 1; while e != 0 { if e & 1 { r *= x }; x *= x; e >>= 1 }
    /// ```
    pub fn power_function(&mut self, t: IntType) -> Result<&'static str> {
        let symbol = match t {
            IntType::I8 => "futc_pow_i8",
            IntType::I16 => "futc_pow_i16",
            IntType::I32 => "futc_pow_i32",
            IntType::I64 => "futc_pow_i64",
        };
        let device = matches!(self.site, Site::Device(_));
        if !self.m.declared.insert((device, symbol)) {
            return Ok(symbol);
        }
        let ty = self.b.types().int(t);
        let builder = if device { self.m.device_builder()? } else { self.m.builder() };
        let (region, entry) = ffi::region_with_block(&[ty, ty], self.b.location);
        let here = self.b;
        self.b.block = entry;
        let code = self.power_code(ty, entry);
        self.b = here;
        code?;
        self.m.func(builder, symbol, &[ty, ty], &[ty], true, region)?;
        Ok(symbol)
    }

    fn power_code(&mut self, ty: Type<'c>, entry: BlockRef<'c, 'c>) -> Result<()> {
        use melior::ir::block::BlockLike;
        let x = ffi::detach_value(entry.argument(0)?.into());
        let e = ffi::detach_value(entry.argument(1)?.into());
        let one = self.b.int(ty, 1)?;
        let zero = self.b.int(ty, 0)?;
        let carried = [ty; 3];
        let before = self.region(&carried, "scf.condition", |f, values| {
            let [_, _, e] = *values else { return Err(Error::bug("power")) };
            let more = f.b.cmpi(Predicate::Ne, e, zero)?;
            Ok(std::iter::once(more).chain(values.iter().copied()).collect())
        })?;
        let after = self.region(&carried, "scf.yield", |f, values| {
            let [r, x, e] = *values else { return Err(Error::bug("power")) };
            let low = f.b.same("arith.andi", &[e, one])?;
            let odd = f.b.cmpi(Predicate::Ne, low, zero)?;
            let product = f.b.same("arith.muli", &[r, x])?;
            let r = f.b.select(odd, product, r)?;
            let x = f.b.same("arith.muli", &[x, x])?;
            let e = f.b.same("arith.shrui", &[e, one])?;
            Ok(vec![r, x, e])
        })?;
        let operation =
            self.b.operation("scf.while", &[one, x, e], &carried, &[], vec![before, after])?;
        let result = builder::result_of(operation, 0)?;
        self.b.effect("func.return", &[result], &[])
    }
}

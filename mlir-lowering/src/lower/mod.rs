//! Level mem to MLIR.
//!
//! ```text
//! module {
//!   func.func private @futc_alloc(…)       what the runtime provides
//!   llvm.mlir.global @string_0 …           texts of error messages
//!   memref.global @table_0 …               constant arrays
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
pub mod contraction;
pub mod control;
pub mod copy;
pub mod entry;
pub mod function;
mod interleave;
pub mod kernel;
pub mod lanewise;
pub mod memory;
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
use crate::dialect::{Builder, InsertionPoint, Linkage, Predicate, Shared, Val};
use crate::ffi;
use crate::{Error, Target};
use function::{Function, Site};
use futc_midend::ir::{Fun, IntType, Level, Prim, Program};
use futc_typed::name::Name;
use kernel::KERNEL_MODULE;
use melior::ir::operation::OperationLike;
use melior::ir::{Attribute, BlockRef, Location, Module, Region, Type};
use position::Positions;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

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
    has_kernels: bool,
    body: BlockRef<'c, 'c>,
    device: Option<BlockRef<'c, 'c>>,
    declared: HashSet<(bool, &'static str)>,
    strings: HashMap<String, String>,
    /// Symbols of the tables of constants.
    tables: HashMap<(Prim, Vec<u8>), String>,
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
        has_kernels: target.kernels.is_some(),
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
    /// Of no program: for code that is put into a module that is there.
    pub fn bare(
        shared: &'s Shared<'c>,
        module: &Module<'c>,
        program: &'p Program,
        machine: Machine,
    ) -> Lowering<'c, 'p, 's> {
        Lowering {
            shared,
            location: Location::unknown(shared.context),
            positions: None,
            machine,
            program,
            has_kernels: false,
            body: ffi::module_block(module),
            device: None,
            declared: HashSet::new(),
            strings: HashMap::new(),
            tables: HashMap::new(),
            functions: HashMap::new(),
            device_functions: HashSet::new(),
            pending: Vec::new(),
            num_scopes: 0,
            kernels: Vec::new(),
            failures: Vec::new(),
            failure_codes: HashMap::new(),
        }
    }

    /// Whether device operations become kernels.
    pub fn has_kernels(&self) -> bool {
        self.has_kernels
    }

    fn builder(&self) -> Builder<'c, 's> {
        Builder::new(self.shared, self.body, self.location)
    }

    /// Appends to the `gpu.module`, which begins to exist when it is first used.
    pub fn device_builder(&mut self) -> Result<Builder<'c, 's>> {
        let block = match self.device {
            Some(block) => block,
            None => {
                let (region, block) = ffi::region_with_block(&[], self.location);
                self.builder().gpu_module(KERNEL_MODULE, region)?;
                self.device = Some(block);
                block
            }
        };
        Ok(Builder::new(self.shared, block, self.location))
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
        let types = self.shared.types;
        let parameters: Vec<_> = parameters.iter().map(|t| types.of_c(*t)).collect();
        let result = result.map(|t| types.of_c(t));
        let builder = if device { self.device_builder()? } else { self.builder() };
        if parameters.contains(&types.block) || result == Some(types.block) {
            let results: Vec<_> = result.into_iter().collect();
            builder.func(symbol, &parameters, &results, Linkage::External, Region::new())?;
            return Ok(());
        }
        builder.llvm_func(symbol, &parameters, result)
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

    /// The symbol of a table of constants, and its type. The same constants are one table.
    pub fn table(&mut self, elem: Prim, bytes: &[u8]) -> Result<(String, Type<'c>)> {
        let (builder, element) = (self.builder(), self.shared.types.stored(elem));
        let n = i64::try_from(bytes.len()).map_err(Error::bug)? / elem.bytes();
        let ty = builder.dense_memref(element, &[n]);
        let count = self.tables.len();
        let symbol = match self.tables.entry((elem, bytes.to_vec())) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(new) => {
                let symbol = format!("table_{count}");
                builder.memref_global(&symbol, element, bytes, elem.bytes())?;
                new.insert(symbol).clone()
            }
        };
        Ok((symbol, ty))
    }

    /// The symbol of a text.
    pub fn string(&mut self, text: &str) -> Result<String> {
        if let Some(symbol) = self.strings.get(text) {
            return Ok(symbol.clone());
        }
        let symbol = format!("{TEXT_PREFIX}{}", self.strings.len());
        self.builder().llvm_bytes(&symbol, format!("{text}\0").as_bytes(), None)?;
        self.strings.insert(text.to_owned(), symbol.clone());
        Ok(symbol)
    }

    /// A new scope for what lies in one block and no other.
    pub fn alias_scope(&mut self) -> Result<Attribute<'c>> {
        let id = self.num_scopes;
        self.num_scopes += 1;
        self.builder().alias_scope(id)
    }

    /// A new group of accesses, and the annotation of a loop of which no iteration reads what
    /// another writes by accesses of that group.
    pub fn parallel(&self) -> Result<(Attribute<'c>, Attribute<'c>)> {
        self.builder().parallel_accesses()
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
        builder.func(symbol, &parameters, &results, Linkage::Internal, region)?;
        Ok(())
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
        function.b.func_return(&results)?;
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
        let types = self.shared.types;
        let parameters = [types.ptr, types.block, types.block];
        let program = self.program;
        let region = self.code(&parameters, false, |f, values| {
            let [input, output] = *values else { return Err(Error::bug("entry parameters")) };
            f.load_globals(program)?;
            f.entry_function(fun, entry, input, output)?;
            Ok(Vec::new())
        })?;
        let symbol = self.entry_symbol(fun)?;
        self.builder().func(&symbol, &parameters, &[], Linkage::Internal, region)?;
        Ok(())
    }

    /// The symbol of an entry function.
    fn entry_symbol(&self, fun: &Fun) -> Result<String> {
        self.symbol(ENTRY_PREFIX, fun.name)
    }

    fn globals(&mut self) -> Result<()> {
        let parameters = [self.shared.types.ptr, self.shared.types.block];
        let program = self.program;
        let init = self.code(&parameters, false, |f, values| {
            let [globals] = *values else { return Err(Error::bug("init parameters")) };
            f.init_function(program, globals)?;
            Ok(Vec::new())
        })?;
        self.builder().func(INIT_SYMBOL, &parameters, &[], Linkage::Internal, init)?;
        let fini = self.code(&parameters, false, |f, values| {
            let [globals] = *values else { return Err(Error::bug("fini parameters")) };
            f.fini_function(program, globals)?;
            Ok(Vec::new())
        })?;
        self.builder().func(FINI_SYMBOL, &parameters, &[], Linkage::Internal, fini)?;
        Ok(())
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
        let (parameters, result) = abi::scalar_signature(symbol)
            .ok_or_else(|| Error::bug(format_args!("no scalar function {symbol}")))?;
        self.m.declare(device, symbol, &parameters, Some(result))
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
        let here = self.b.go(InsertionPoint::at_end(entry));
        let code = self.power_code(ty, entry);
        self.b.go(here);
        code?;
        builder.func(symbol, &[ty, ty], &[ty], Linkage::Internal, region)?;
        Ok(symbol)
    }

    fn power_code(&mut self, ty: Type<'c>, entry: BlockRef<'c, 'c>) -> Result<()> {
        use melior::ir::block::BlockLike;
        let x = ffi::detach_value(entry.argument(0)?.into());
        let e = ffi::detach_value(entry.argument(1)?.into());
        let one = self.b.int(ty, 1)?;
        let zero = self.b.int(ty, 0)?;
        let carried = [ty; 3];
        let before = self.condition_region(&carried, |f, values| {
            let [_, _, e] = *values else { return Err(Error::bug("power")) };
            let more = f.b.cmpi(Predicate::Ne, e, zero)?;
            Ok(std::iter::once(more).chain(values.iter().copied()).collect())
        })?;
        let after = self.region(&carried, |f, values| {
            let [r, x, e] = *values else { return Err(Error::bug("power")) };
            let low = f.b.andi(e, one)?;
            let odd = f.b.cmpi(Predicate::Ne, low, zero)?;
            let product = f.b.muli(r, x)?;
            let r = f.b.select(odd, product, r)?;
            let x = f.b.muli(x, x)?;
            let e = f.b.shrui(e, one)?;
            Ok(vec![r, x, e])
        })?;
        let values = self.b.scf_while(&[one, x, e], before, after)?;
        self.b.func_return(values.get(..1).unwrap_or_default())
    }
}

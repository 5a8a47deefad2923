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
mod apart;
pub mod array;
mod captured;
mod compress;
pub mod contraction;
pub mod control;
pub mod copy;
mod declare;
pub mod entry;
mod float_to_integer;
pub mod function;
mod funnel;
mod interleave;
pub mod kernel;
pub mod lanewise;
pub mod lowering;
pub mod memory;
pub mod memrefs;
mod nest;
pub mod panels;
mod position;
pub mod reduce;
pub mod scalar;
pub mod scan;
pub mod seg;
mod spmd;
pub mod squares;
pub mod stream;
mod tasks;
pub mod tiles;
pub mod tree;
mod unroll;
pub mod vector;

pub use crate::symbols::{
    APART_PREFIX, ENTRY_PREFIX, FAILING_PREFIX, FINI_SYMBOL, INIT_SYMBOL, KERNEL_MODULE,
    TASK_BODY_SUFFIX, TASK_PREFIX, TEXT_PREFIX, host_symbol, mangle,
};
pub use lowering::{FailurePoint, Kernel, Lowering, Outline};

use crate::dialect::{Builder, Linkage, Shared, Val};
use crate::ffi::Region;
use crate::host::Machine;
use crate::{Error, Target, ffi};
use captured::integers;
use function::{Function, Site};
use futc_midend::analysis::decisions::decisive;
use futc_midend::ir::{Fun, Level, Program};
use futc_typed::name::Name;
use melior::ir::block::BlockLike;
use melior::ir::operation::OperationLike;
use melior::ir::{Attribute, Type};
use std::collections::HashMap;

type Result<T> = std::result::Result<T, Error>;

/// Lowers a whole program. `positions` names its source, if operations are to have positions.
pub fn lower<'c>(
    shared: &Shared<'c>,
    program: &Program,
    target: &'static Target,
    machine: Machine,
    positions: Option<&str>,
) -> Result<Outline> {
    if program.level != Level::Mem {
        return Err(Error::bug("code generation begins at level mem"));
    }
    let module = shared.building.module;
    let mut functions = HashMap::new();
    for (i, fun) in program.funs.iter().enumerate() {
        functions.insert(fun.name, (i, fun));
    }
    let mut lowering = Lowering::bare(shared, program, machine);
    lowering.location = module.as_operation().location();
    lowering.positions = positions.map(|_| HashMap::new());
    lowering.has_kernels = target.kernels.is_some();
    lowering.functions = functions;
    lowering.decisive = machine.fast.then(|| decisive(program));
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
    if lowering.device.is_some() {
        // Else kernels cannot be launched by their names.
        let whole = module.as_operation();
        ffi::set_attribute(whole, "gpu.container_module", Attribute::unit(shared.context));
    }
    let outline = Outline { kernels: lowering.kernels, failures: lowering.failures };
    if !module.as_operation().verify() {
        return Err(Error::bug("invalid MLIR"));
    }
    Ok(outline)
}

impl<'c, 'p, 's> Lowering<'c, 'p, 's> {
    fn lower_function(
        &mut self,
        builder: Option<Builder<'c, 's>>,
        symbol: &str,
        fun: &'p Fun,
    ) -> Result<()> {
        let (parameters, results) = (self.parameter_types(fun), self.result_types(fun));
        let program = self.program;
        let device = builder.is_some();
        let region = self.code(&parameters, device, |f, values| {
            if !device {
                f.m.integers = integers(&fun.body.stms);
                f.load_globals(program)?;
                f.find_many(&fun.body.stms);
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
        if fun.is_imported() {
            let (parameters, results) = (self.parameter_types(fun), self.result_types(fun));
            self.builder().func(
                &symbol,
                &parameters,
                &results,
                Linkage::External,
                Region::new(),
            )?;
            return Ok(());
        }
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
        self.integers = integers(&program.consts.stms);
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

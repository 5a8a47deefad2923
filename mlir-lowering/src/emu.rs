//! Emulated kernels: the very `gpu.func`s of the program, made functions of the host.
//!
//! | in the kernel | on the host |
//! | --- | --- |
//! | `gpu.thread_id x` … | `futc_emu_thread_id(0)` … |
//! | `gpu.barrier` | `futc_emu_barrier()` |
//! | `futc_kernel_fail` | `futc_emu_fail` |
//! | `gpu.func @k(a, …, failure)` | `func.func @k`, and `futc_emu_k(void **args)` that calls it |

use crate::abi::{KERNEL_FAIL, Runtime};
use crate::dialect::{Builder, Ix, Linkage, Shared, name_of, result_of, symbol_of};
use crate::lower::KERNEL_MODULE;
use crate::{Error, ffi};
use melior::ir::block::BlockLike;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Module, Type, ValueLike};

type Result<T> = std::result::Result<T, Error>;

/// The symbol of the function the runtime calls.
pub fn wrapper_symbol(kernel: &str) -> String {
    format!("futc_emu_{kernel}")
}

/// Turns the kernels of a module into functions beside its own.
pub fn kernels_to_host<'c>(shared: &Shared<'c>) -> Result<()> {
    let module = shared.building.module;
    let body = module.body();
    let location = module.as_operation().location();
    let builder = Builder::new(shared, body, location);
    let Some(kernels) = top_level(module, |name, op| {
        name == "gpu.module" && symbol_of(op).as_deref() == Some(KERNEL_MODULE)
    }) else {
        return Ok(());
    };
    let inside = kernels.region(0)?;
    let inside = melior::ir::RegionLike::first_block(&inside)
        .ok_or_else(|| Error::bug("an empty gpu.module"))?;
    let mut operations = Vec::new();
    let mut next = inside.first_operation();
    while let Some(operation) = next {
        next = operation.next_in_block();
        operations.push(ffi::detach_operation(operation));
    }
    declare(&builder, module)?;
    for operation in operations {
        match operation.name().as_string_ref().as_str().unwrap_or("") {
            "gpu.func" => kernel(&builder, operation)?,
            // Functions that kernels call, and declarations that the host lacks.
            _ => {
                let symbol = symbol_of(operation).unwrap_or_default();
                let known = top_level(module, |_, op| symbol_of(op).as_deref() == Some(&symbol));
                if known.is_none() {
                    ffi::move_to_end(body, operation);
                    replace_gpu_operations(shared, operation)?;
                }
            }
        }
    }
    shared.building.erase(kernels)?;
    Ok(())
}

fn top_level<'c>(
    module: &'c Module<'c>,
    wanted: impl Fn(&str, OperationRef<'c, 'c>) -> bool,
) -> Option<OperationRef<'c, 'c>> {
    let mut next = module.body().first_operation();
    while let Some(operation) = next {
        next = operation.next_in_block();
        let operation = ffi::detach_operation(operation);
        let name = operation.name();
        if wanted(name.as_string_ref().as_str().unwrap_or(""), operation) {
            return Some(operation);
        }
    }
    None
}

/// What kernels call, declared on the host.
fn declare<'c>(builder: &Builder<'c, '_>, module: &'c Module<'c>) -> Result<()> {
    let types = builder.types();
    for which in [
        Runtime::EmuThreadId,
        Runtime::EmuBlockId,
        Runtime::EmuBlockDim,
        Runtime::EmuGridDim,
        Runtime::EmuBarrier,
        Runtime::EmuFail,
    ] {
        let known = |_: &str, op| symbol_of(op).as_deref() == Some(which.symbol());
        if top_level(module, known).is_some() {
            continue;
        }
        let (parameters, result) = which.signature();
        let parameters: Vec<_> = parameters.iter().map(|t| types.of_c(*t)).collect();
        builder.llvm_func(which.symbol(), &parameters, result.map(|t| types.of_c(t)))?;
    }
    Ok(())
}

/// One kernel.
fn kernel<'c>(builder: &Builder<'c, '_>, operation: OperationRef<'c, 'c>) -> Result<()> {
    let types = builder.types();
    let name = symbol_of(operation).ok_or_else(|| Error::bug("a kernel without name"))?;
    let region = ffi::take_body(operation)?;
    let entry = region.first_block().ok_or_else(|| Error::bug("a kernel without body"))?;
    let parameters: Vec<Type<'c>> = (0..entry.argument_count())
        .map(|i| entry.argument(i).map(|a| a.r#type()))
        .collect::<std::result::Result<_, _>>()?;
    let function = builder.func(&name, &parameters, &[], Linkage::Internal, region)?;
    replace_gpu_operations(builder.shared, function)?;

    // The wrapper loads the arguments.
    let (region, block) = ffi::region_with_block(&[types.ptr], builder.location);
    let inner = Builder::new(builder.shared, block, builder.location);
    let args = ffi::detach_value(block.argument(0)?.into());
    let mut operands = Vec::with_capacity(parameters.len());
    for (i, ty) in parameters.iter().enumerate() {
        let i = Ix::Const(i64::try_from(i).map_err(Error::bug)?);
        let slot = inner.element_pointer(args, i, types.ptr)?;
        let pointer = inner.llvm_load(slot, types.ptr, 8, &[])?;
        operands.push(inner.llvm_load(pointer, *ty, 1, &[])?);
    }
    inner.func_call(&name, &operands, &[])?;
    inner.func_return(&[])?;
    builder.func(&wrapper_symbol(&name), &[types.ptr], &[], Linkage::Internal, region)?;
    Ok(())
}

/// Replaces the operations of the gpu dialect inside `function`.
fn replace_gpu_operations<'c>(shared: &Shared<'c>, function: OperationRef<'c, 'c>) -> Result<()> {
    let mut found = Vec::new();
    for operation in ffi::descendants(function) {
        let name = name_of(operation);
        if name.starts_with("gpu.") || name == "llvm.call" {
            found.push((name, operation));
        }
    }
    for (name, operation) in found {
        let b = Builder::before(shared, operation)?;
        let id = |which: Runtime| -> Result<()> {
            let dimension = operation.attribute("dimension")?.to_string();
            let dimension = match dimension.as_str() {
                "#gpu<dim x>" => 0,
                "#gpu<dim y>" => 1,
                _ => 2,
            };
            let types = b.types();
            let dimension = b.int(types.i32, dimension)?;
            let value = b
                .llvm_call(which.symbol(), &[dimension], Some(types.i64))?
                .ok_or_else(|| Error::bug("an index without value"))?;
            let index = b.index_cast(value, types.index)?;
            ffi::replace_uses(result_of(operation, 0)?, index);
            Ok(())
        };
        match name.as_str() {
            "gpu.thread_id" => id(Runtime::EmuThreadId)?,
            "gpu.block_id" => id(Runtime::EmuBlockId)?,
            "gpu.block_dim" => id(Runtime::EmuBlockDim)?,
            "gpu.grid_dim" => id(Runtime::EmuGridDim)?,
            "gpu.barrier" => {
                b.llvm_call(Runtime::EmuBarrier.symbol(), &[], None)?;
            }
            "gpu.return" => b.func_return(&[])?,
            "llvm.call" => {
                let callee = operation.attribute("callee").map(|a| a.to_string());
                if callee.ok() != Some(format!("@{KERNEL_FAIL}")) {
                    continue;
                }
                let operands =
                    [operation.operand(0)?, operation.operand(1)?, operation.operand(2)?];
                b.llvm_call(Runtime::EmuFail.symbol(), &operands, None)?;
            }
            _ => return Err(Error::limitation(format_args!("{name} in an emulated kernel"))),
        }
        shared.building.erase(operation)?;
    }
    Ok(())
}

//! Mathematical functions of kernels: where one of ours is as good as the library's, it is called, and becomes a
//! function of the `gpu.module`.
//!
//! ```text
//! gpu.module @kernels {                     gpu.module @kernels {
//!   gpu.func @kernel_0(…) kernel {            func.func @futc.exp.f32(%x: f32) -> f32 { … }
//!     %y = math.exp %x : f32          ⟶      gpu.func @kernel_0(…) kernel {
//!                                               %y = func.call @futc.exp.f32(%x)
//! ```

use super::conversion::{Result, operands};
use crate::Error;
use crate::dialect::{Builder, Linkage, Math, Meaning, Shared, Val, name_of, result_of, symbol_of};
use crate::ffi;
use crate::host::Machine;
use crate::vector_math::Own;
use melior::ir::attribute::FlatSymbolRefAttribute;
use melior::ir::block::BlockLike;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{RegionLike, ValueLike};
use std::cell::RefCell;
use std::collections::HashSet;

/// Has kernels call functions of ours.
pub(super) fn to_own<'c>(shared: &Shared<'c>, machine: Machine) -> Result<()> {
    if machine.exact {
        return Ok(());
    }
    for operation in ffi::descendants(shared.building.module.as_operation()) {
        if name_of(operation) == "gpu.module" {
            in_module(shared, operation)?;
        }
    }
    Ok(())
}

fn in_module<'c>(shared: &Shared<'c>, kernels: OperationRef<'c, 'c>) -> Result<()> {
    let body = kernels.region(0)?.first_block().map(ffi::detach_block);
    let body = body.ok_or_else(|| Error::bug("an empty gpu.module"))?;
    let first = body.first_operation().map(ffi::detach_operation);
    let first = first.ok_or_else(|| Error::bug("an empty gpu.module"))?;
    let mut symbols = HashSet::new();
    let mut next = Some(first);
    while let Some(operation) = next {
        symbols.extend(symbol_of(operation));
        next = operation.next_in_block().map(ffi::detach_operation);
    }
    let (symbols, at_start) = (RefCell::new(symbols), Builder::before(shared, first)?);
    for operation in ffi::descendants(kernels) {
        let Some(own) = function_of(shared, operation).and_then(|f| Own::of_kernels(&f)) else {
            continue;
        };
        let symbol = own.symbol();
        if symbols.borrow_mut().insert(symbol.clone()) {
            own.define(&at_start, &symbols, Linkage::Internal)?;
        }
        let b = Builder::before(shared, operation)?;
        let result: Val<'c> = result_of(operation, 0)?;
        let called = b.func_call(&symbol, &operands(operation, 0)?, &[result.r#type()])?;
        let called = called.first().ok_or_else(|| Error::bug("a function without a result"))?;
        ffi::replace_uses(result, *called);
        shared.building.erase(operation)?;
    }
    Ok(())
}

/// Which function of the C library an operation on one float stands for or calls, if it does.
fn function_of<'c>(shared: &Shared<'c>, operation: OperationRef<'c, 'c>) -> Option<String> {
    let name = name_of(operation);
    if name == "llvm.call" {
        let callee = operation.attribute("callee").ok()?;
        return FlatSymbolRefAttribute::try_from(callee)
            .ok()
            .map(|symbol| symbol.value().to_owned());
    }
    let Meaning::Function(double, float) = Math::of_name(name.strip_prefix("math.")?)?.meaning()
    else {
        return None;
    };
    let ty = result_of(operation, 0).ok()?.r#type();
    let widths = [(shared.types.f64, double), (shared.types.f32, float)];
    widths.into_iter().find(|(float, _)| *float == ty).map(|(_, symbol)| symbol.to_owned())
}

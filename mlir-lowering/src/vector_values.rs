//! Vectors in LLVM's IR, for passes of ours over it.

use crate::Error;
use crate::ffi::put_in_place;
use inkwell::builder::Builder;
use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use inkwell::types::VectorType;
use inkwell::values::{BasicValueEnum, InstructionValue, VectorValue};

/// Puts what `make` yields, in front of it, in the place of each instruction of which `find` finds something; on x86 alone.
pub fn replace_on_x86<'l, T>(
    module: &Module<'l>,
    machine: &TargetMachine,
    find: impl Fn(InstructionValue<'l>) -> Option<T>,
    make: impl Fn(&Builder<'l>, T) -> Result<VectorValue<'l>, Error>,
) -> Result<(), Error> {
    if !machine.get_triple().as_str().to_bytes().starts_with(b"x86_64") {
        return Ok(());
    }
    let builder = module.get_context().create_builder();
    for function in module.get_functions().filter(|f| f.count_basic_blocks() > 0) {
        let instructions = function.get_basic_block_iter().flat_map(|b| b.get_instructions());
        let found: Vec<_> = instructions.filter(|i| find(*i).is_some()).collect();
        for i in found {
            // Its operands may have been replaced since.
            let Some(what) = find(i) else { continue };
            builder.position_before(&i);
            put(make(&builder, what)?, i)?;
        }
    }
    Ok(())
}

/// A float in all lanes of a vector type.
pub fn splat(ty: VectorType<'_>, x: f64) -> VectorValue<'_> {
    let x = ty.get_element_type().into_float_type().const_float(x);
    VectorType::const_vector(&vec![x; ty.get_size() as usize])
}

/// An operand that is a vector.
pub fn operand<'l>(i: InstructionValue<'l>, index: u32) -> Result<VectorValue<'l>, Error> {
    match i.get_operand(index).and_then(|operand| operand.value()) {
        Some(BasicValueEnum::VectorValue(x)) => Ok(x),
        _ => Err(Error::bug("an operand that is no vector")),
    }
}

/// Puts a value in the place of an instruction.
pub fn put(value: VectorValue<'_>, of: InstructionValue<'_>) -> Result<(), Error> {
    put_in_place(value, of)
}

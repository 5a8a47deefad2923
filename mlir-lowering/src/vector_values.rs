//! Vectors in LLVM's IR, for passes of ours over it.

use crate::Error;
use inkwell::types::VectorType;
use inkwell::values::{BasicValue as _, BasicValueEnum, InstructionValue, VectorValue};

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
    let value = value.as_instruction_value().ok_or_else(|| Error::bug("a constant"))?;
    of.replace_all_uses_with(&value);
    of.erase_from_basic_block();
    Ok(())
}

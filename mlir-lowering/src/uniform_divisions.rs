//! Divisions that LLVM's loop vectoriser takes for the same in all lanes, though only some of them do one.
//!
//! In a loop that becomes vectors, a division by something that may be zero is done for each lane for which its block is
//! entered (or by one for the others). Scalar evolution sees through `udiv` and `urem`, so that an address made of
//! the quotient of two values that are the same in all rounds is itself the same: of it the vectoriser makes one, of the first
//! lane's quotient, which is poison if that lane does not divide (LLVM 22: `collectLoopUniforms` in `LoopVectorize.cpp`).
//! What is frozen scalar evolution does not see through. Later passes drop what was frozen for nothing.

use crate::{Error, ffi};
use inkwell::module::Module;
use inkwell::values::{BasicValueEnum, InstructionOpcode};

/// Freezes the divisors that are not constant, before loops become vectors.
pub fn hide(module: &Module<'_>) -> Result<(), Error> {
    use InstructionOpcode::{UDiv, URem};
    let builder = module.get_context().create_builder();
    let divisions = module
        .get_functions()
        .flat_map(|function| function.get_basic_block_iter())
        .flat_map(|block| block.get_instructions())
        .filter(|i| matches!(i.get_opcode(), UDiv | URem));
    for division in divisions.collect::<Vec<_>>() {
        let divisor = division.get_operand(1).and_then(|operand| operand.value());
        let Some(BasicValueEnum::IntValue(divisor)) = divisor else { continue };
        if divisor.is_const() {
            continue;
        }
        builder.position_before(&division);
        let frozen = ffi::freeze(&builder, divisor);
        if !division.set_operand(1, frozen) {
            return Err(Error::bug("a division has one operand"));
        }
    }
    Ok(())
}

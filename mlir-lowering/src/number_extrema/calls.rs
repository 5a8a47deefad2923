//! What instructions are: minima, maxima, and calls of LLVM's intrinsics.

use inkwell::values::{
    BasicValueEnum, CallSiteValue, FunctionValue, InstructionOpcode, InstructionValue,
};

/// All of a function, in order.
pub fn instructions<'l>(function: FunctionValue<'l>) -> impl Iterator<Item = InstructionValue<'l>> {
    function.get_basic_block_iter().flat_map(|block| block.get_instructions())
}

/// Whether a call is of a minimum; nothing if it is of no maximum either. With `nnan`, too: of what is no number it makes poison.
pub fn extremum(call: InstructionValue<'_>) -> Option<bool> {
    let name = intrinsic(call)?;
    match name.split_once('.')?.0 {
        "minnum" => Some(true),
        "maxnum" => Some(false),
        _ => None,
    }
}

/// Whether an intrinsic of this name yields the least element of a vector, or the greatest.
pub fn reduction(name: &str) -> Option<bool> {
    match name.strip_prefix("vector.reduce.")?.split_once('.')?.0 {
        "fmin" => Some(true),
        "fmax" => Some(false),
        _ => None,
    }
}

/// The name of the intrinsic that is called, behind `llvm.`.
pub fn intrinsic(call: InstructionValue<'_>) -> Option<String> {
    if call.get_opcode() != InstructionOpcode::Call {
        return None;
    }
    let function = CallSiteValue::try_from(call).ok()?.get_called_fn_value()?;
    let name = function.get_name().to_bytes().strip_prefix(b"llvm.")?;
    String::from_utf8(name.to_vec()).ok()
}

/// An operand that is a value.
pub fn operand(i: InstructionValue<'_>, index: u32) -> Option<BasicValueEnum<'_>> {
    i.get_operand(index)?.value()
}

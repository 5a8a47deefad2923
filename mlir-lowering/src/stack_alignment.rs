//! Functions whose vectors may be spilled begin their frames at a multiple of the vectors' size.
//!
//! LLVM decides whether a frame is aligned before it allocates registers, by the variables in it. Vectors that are spilled
//! afterwards find that it is too late, as the frame pointer is in use for something else, and lie across two lines
//! of the cache each: of a loop around calls, 1.3 times as slow. With the attribute the frame pointer is kept.

use inkwell::attributes::AttributeLoc;
use inkwell::module::Module;
use inkwell::types::{AnyTypeEnum, BasicTypeEnum, VectorType};
use inkwell::values::FunctionValue;

/// Bits that stacks are aligned for in any case.
const ALIGNED: u32 = 128;

/// Asks for aligned frames of functions with vectors of more than 16 bytes.
pub fn align(module: &Module<'_>) {
    let realign = module.get_context().create_string_attribute("stackrealign", "");
    for function in module.get_functions().filter(|f| has_wide_vectors(*f)) {
        function.add_attribute(AttributeLoc::Function, realign);
    }
}

fn has_wide_vectors(function: FunctionValue<'_>) -> bool {
    function.get_basic_block_iter().any(|block| {
        block.get_instructions().any(|instruction| match instruction.get_type() {
            AnyTypeEnum::VectorType(vector) => bits(vector) > ALIGNED,
            _ => false,
        })
    })
}

fn bits(vector: VectorType<'_>) -> u32 {
    let element = match vector.get_element_type() {
        BasicTypeEnum::IntType(element) => element.get_bit_width(),
        BasicTypeEnum::FloatType(element) => element.get_bit_width(),
        _ => 64,
    };
    vector.get_size().saturating_mul(element)
}

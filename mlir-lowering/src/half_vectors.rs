//! Functions without vectors of `f16`, for machines whose code generator cannot have them.
//!
//! LLVM 22's for WebAssembly goes on forever over
//!
//! ```text
//! %equal = fcmp oeq <8 x half> %x, %y
//! %all = bitcast <8 x i1> %equal to i8
//! ```
//!
//! and the machine has no instructions for such vectors in the first place. What LLVM makes of loops is seen only
//! behind its other passes, so this comes last. All vectors of a function with some of `f16` become scalars.

use crate::Error;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::TargetMachine;
use inkwell::types::{AnyTypeEnum, BasicTypeEnum};
use inkwell::values::FunctionValue;

const PASSES: &str = "scalarizer<load-store>";

/// Leaves no vectors of `f16` in a module.
pub fn scalarise(module: &Module<'_>, machine: &TargetMachine) -> Result<(), Error> {
    for function in module.get_functions().filter(|f| f.count_basic_blocks() > 0) {
        if has_some(function) {
            let options = PassBuilderOptions::create();
            function.run_passes(PASSES, machine, options).map_err(Error::bug)?;
        }
    }
    Ok(())
}

fn has_some(function: FunctionValue<'_>) -> bool {
    function.get_basic_block_iter().any(|block| {
        block.get_instructions().any(|instruction| match instruction.get_type() {
            AnyTypeEnum::VectorType(vector) => match vector.get_element_type() {
                BasicTypeEnum::FloatType(element) => element.get_bit_width() == 16,
                _ => false,
            },
            _ => false,
        })
    })
}

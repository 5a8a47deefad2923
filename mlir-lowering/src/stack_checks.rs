//! Stacks that end in the middle of memory, where no access to what is below them fails: functions that may call
//! themselves ask the runtime whether there is room.
//!
//! Behind all optimisation, what is left of the program's own functions are those that are large or recursive; each
//! that calls anything begins with a call of `futc_check_stack`. What they call besides, the runtime and tasks, has
//! room that the check leaves (`runtime-c/wasm/threads/threads.c`). JavaScript's own stack has an end that engines
//! watch; but it need not come first.

use crate::Error;
use crate::symbols::{ENTRY_PREFIX, FINI_SYMBOL, HOST_PREFIX, INIT_SYMBOL};
use inkwell::module::{Linkage, Module};
use inkwell::values::{CallSiteValue, FunctionValue, InstructionOpcode, InstructionValue};

/// The function of the runtime that ends the call if there is no room.
const CHECK: &str = "futc_check_stack";

/// Puts the calls into a module.
pub fn insert(module: &Module<'_>) -> Result<(), Error> {
    let context = module.get_context();
    let checked: Vec<FunctionValue<'_>> =
        module.get_functions().filter(|f| may_recur(*f)).collect();
    if checked.is_empty() {
        return Ok(());
    }
    let ty = context.void_type().fn_type(&[], false);
    let check = module.add_function(CHECK, ty, Some(Linkage::External));
    let builder = context.create_builder();
    for function in checked {
        let first =
            function.get_first_basic_block().and_then(|block| block.get_first_instruction());
        let Some(first) = first else { continue };
        builder.position_before(&first);
        builder.build_call(check, &[], "").map_err(Error::bug)?;
    }
    Ok(())
}

/// Whether this is a function of the program's that calls others, as it is called by its own name.
fn may_recur(function: FunctionValue<'_>) -> bool {
    let name = function.get_name().to_string_lossy().into_owned();
    let begins = |prefix: &str| name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('_'));
    let own = begins(HOST_PREFIX)
        || (function.get_linkage() == Linkage::External
            && !begins(ENTRY_PREFIX)
            && ![INIT_SYMBOL, FINI_SYMBOL].contains(&name.as_str()));
    let calls = || {
        let blocks = function.get_basic_block_iter();
        blocks.flat_map(|block| block.get_instructions()).any(calls_a_function)
    };
    own && calls()
}

fn calls_a_function(instruction: InstructionValue<'_>) -> bool {
    instruction.get_opcode() == InstructionOpcode::Call
        && CallSiteValue::try_from(instruction).is_ok_and(|call| {
            call.get_called_fn_value()
                .is_none_or(|f| !f.get_name().to_bytes().starts_with(b"llvm."))
        })
}

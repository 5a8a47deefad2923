//! Minima and maxima of floats that loops accumulate, where LLVM's vectoriser (LLVM 22) is not right about them.
//!
//! Of a loop whose number of rounds is constant and one more than vectors have elements, or a multiple of these, it forgets the
//! last round: the largest of 5 or 13 elements is that of the first 4 or 12. So where loops compare with a constant, the operations
//! become comparisons and selections, before loops become vectors; such a loop stays one of scalars.
//!
//! The same is done for those of different types:
//! LLVM's vectoriser stops such a loop where an accumulator may be no number. Of several accumulators it merges the
//! questions, `x != x || y != y`, into one comparison of `x` and `y`, without asking whether their types are the same (LLVM 22,
//! `VPlanTransforms.cpp`): what comes out is refused. So of all types but one, the operations become comparisons and
//! selections, before loops become vectors; a loop with these stays one of scalars.
//!
//! Those that may make anything of what is no number (`nnan`, of `--fast-math`) stay: loops with them need not stop, LLVM
//! makes other loops of them, and neither mistake.

use crate::Error;
use inkwell::FloatPredicate;
use inkwell::basic_block::BasicBlock;
use inkwell::builder::Builder;
use inkwell::module::Module;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{
    BasicValue as _, BasicValueEnum, CallSiteValue, FastMathFlags, FloatValue, InstructionOpcode,
    InstructionValue, PhiValue,
};

type Result<T> = std::result::Result<T, Error>;

/// Leaves one type of float to the minima and maxima that loops accumulate, and none where they have a constant end.
pub fn take_apart(module: &Module<'_>) -> Result<()> {
    let builder = module.get_context().create_builder();
    for function in module.get_functions() {
        for block in function.get_basic_block_iter() {
            let phis = block.get_instructions().map_while(|i| PhiValue::try_from(i).ok());
            let mut found = Vec::new();
            phis.for_each(|phi| accumulated(phi, &mut found));
            let Some((_, _, first)) = found.first().copied() else { continue };
            let constant = ends_at_constant(block);
            for (call, less, ty) in found {
                if constant || ty != first {
                    replace(&builder, call, less)?;
                }
            }
        }
    }
    Ok(())
}

/// Whether something in a loop's first block, or in one that goes there, is compared with a constant.
fn ends_at_constant(block: BasicBlock<'_>) -> bool {
    let phis = block.get_instructions().map_while(|i| PhiValue::try_from(i).ok());
    let before = phis.flat_map(|phi| phi.get_incomings().map(|(_, b)| b).collect::<Vec<_>>());
    let compares = |i: InstructionValue<'_>| {
        let constant = |k| match i.get_operand(k).and_then(|operand| operand.value()) {
            Some(BasicValueEnum::IntValue(x)) => x.is_constant_int(),
            _ => false,
        };
        i.get_opcode() == InstructionOpcode::ICmp && (constant(0) || constant(1))
    };
    before.chain([block]).any(|b| b.get_instructions().any(compares))
}

/// A minimum or maximum, whether it is a minimum, and its type.
type Extremum<'l> = (InstructionValue<'l>, bool, BasicTypeEnum<'l>);

/// Notes the minima and maxima that come into a block as one value, each once, though several values may be it.
fn accumulated<'l>(phi: PhiValue<'l>, found: &mut Vec<Extremum<'l>>) {
    for (value, _) in phi.get_incomings() {
        let Some(call) = value.as_instruction_value().filter(|i| !seen(found, *i)) else {
            continue;
        };
        if let Some(less) = extremum(call) {
            found.push((call, less, value.get_type()));
        }
    }
}

fn seen(found: &[Extremum<'_>], i: InstructionValue<'_>) -> bool {
    found.iter().any(|(call, ..)| *call == i)
}

/// Whether a call is of a minimum; nothing if it is of no maximum either, or of one that makes no difference between
/// what is no number and what is.
fn extremum(call: InstructionValue<'_>) -> Option<bool> {
    if call.get_opcode() != InstructionOpcode::Call {
        return None;
    }
    if call.get_fast_math_flags().is_ok_and(|flags| flags.contains(FastMathFlags::NoNaNs)) {
        return None;
    }
    let function = CallSiteValue::try_from(call).ok()?.get_called_fn_value()?;
    match function.get_name().to_bytes() {
        name if name.starts_with(b"llvm.minnum.f") => Some(true),
        name if name.starts_with(b"llvm.maxnum.f") => Some(false),
        _ => None,
    }
}

/// Puts a comparison and a selection in the place of a call. The second operand is chosen unless it is no number.
fn replace<'l>(builder: &Builder<'l>, call: InstructionValue<'l>, less: bool) -> Result<()> {
    builder.position_before(&call);
    let (x, y) = (operand(call, 0)?, operand(call, 1)?);
    let by = if less { FloatPredicate::OLT } else { FloatPredicate::OGT };
    let before = builder.build_float_compare(by, x, y, "").map_err(Error::bug)?;
    let none = builder.build_float_compare(FloatPredicate::UNO, y, y, "").map_err(Error::bug)?;
    let first = builder.build_or(before, none, "").map_err(Error::bug)?;
    let chosen: BasicValueEnum<'l> = builder.build_select(first, x, y, "").map_err(Error::bug)?;
    let other = chosen.as_instruction_value().ok_or_else(|| Error::bug("a constant"))?;
    call.replace_all_uses_with(&other);
    call.erase_from_basic_block();
    Ok(())
}

fn operand(call: InstructionValue<'_>, index: u32) -> Result<FloatValue<'_>> {
    match call.get_operand(index).and_then(|operand| operand.value()) {
        Some(BasicValueEnum::FloatValue(x)) => Ok(x),
        _ => Err(Error::bug("a minimum of what is no float")),
    }
}

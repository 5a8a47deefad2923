//! Minima and maxima of floats that loops accumulate, where LLVM's vectoriser (LLVM 22) is not right about them.
//!
//! Of a loop whose number of rounds is constant and one more than vectors have elements, or a multiple of these, it forgets the
//! last round: the largest of 5 or 13 elements is that of the first 4 or 12. So where loops compare with a constant, the operations
//! become comparisons and selections, before loops become vectors; such a loop stays one of scalars. Where what is
//! compared goes up in one round and down in another, as the top of a stack does, the number of rounds is not constant.
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
use crate::ffi::put_in_place;
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
fn ends_at_constant<'l>(block: BasicBlock<'l>) -> bool {
    let phis = block.get_instructions().map_while(|i| PhiValue::try_from(i).ok());
    let before = phis.flat_map(|phi| phi.get_incomings().map(|(_, b)| b).collect::<Vec<_>>());
    let compares = |i: InstructionValue<'l>| {
        i.get_opcode() == InstructionOpcode::ICmp
            && (constant(i, 0).is_some() && !goes_both_ways(block, i, 1)
                || constant(i, 1).is_some() && !goes_both_ways(block, i, 0))
    };
    before.chain([block]).any(|b| b.get_instructions().any(compares))
}

/// Whether an operand is what a loop carries, and different rounds add different constants to it.
fn goes_both_ways<'l>(header: BasicBlock<'l>, i: InstructionValue<'l>, index: u32) -> bool {
    let Some(compared) = defined(i, index) else { return false };
    carried(header, vec![compared]).into_iter().any(|(phi, _)| {
        let next = phi.get_incomings().filter_map(|(x, _)| x.as_instruction_value()).collect();
        let steps: Vec<i64> =
            carried(header, next).into_iter().filter(|(x, _)| *x == phi).map(|(_, s)| s).collect();
        steps.windows(2).any(|pair| pair[0] != pair[1])
    })
}

/// What these values may be of that a loop carries: each with the constant that is added to it.
fn carried<'l>(
    header: BasicBlock<'l>,
    values: Vec<InstructionValue<'l>>,
) -> Vec<(PhiValue<'l>, i64)> {
    use InstructionOpcode::{Add, SExt, Trunc, ZExt};
    let mut left: Vec<_> = values.into_iter().map(|x| (x, 0_i64)).collect();
    let (mut seen, mut found) = (Vec::new(), Vec::new());
    while let Some((x, step)) = left.pop() {
        // A loop inside may add again and again.
        if seen.len() == 64 {
            break;
        }
        if seen.contains(&(x, step)) {
            continue;
        }
        seen.push((x, step));
        match (x.get_opcode(), constant(x, 1), PhiValue::try_from(x)) {
            (Add, Some(c), _) => {
                left.extend(defined(x, 0).map(|x| (x, step.wrapping_add(c))));
            }
            (SExt | ZExt | Trunc, ..) => left.extend(defined(x, 0).map(|x| (x, step))),
            (_, _, Ok(phi)) if x.get_parent() == Some(header) => found.push((phi, step)),
            (_, _, Ok(phi)) => {
                let merged = phi.get_incomings().filter_map(|(x, _)| x.as_instruction_value());
                left.extend(merged.map(|x| (x, step)));
            }
            _ => {}
        }
    }
    found
}

/// The instruction that makes an operand.
fn defined(i: InstructionValue<'_>, index: u32) -> Option<InstructionValue<'_>> {
    i.get_operand(index)?.value()?.as_instruction_value()
}

/// An operand that is a constant number.
fn constant(i: InstructionValue<'_>, index: u32) -> Option<i64> {
    match i.get_operand(index).and_then(|operand| operand.value()) {
        Some(BasicValueEnum::IntValue(x)) => x.get_sign_extended_constant(),
        _ => None,
    }
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
    put_in_place(chosen, call)
}

fn operand(call: InstructionValue<'_>, index: u32) -> Result<FloatValue<'_>> {
    match call.get_operand(index).and_then(|operand| operand.value()) {
        Some(BasicValueEnum::FloatValue(x)) => Ok(x),
        _ => Err(Error::bug("a minimum of what is no float")),
    }
}

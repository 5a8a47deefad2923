//! Operations that the machine of a target lacks, where LLVM would call functions or make long code of them.
//!
//! | operation | becomes |
//! | --- | --- |
//! | a product of two `i128`, mostly half of one of two `i64` | sums of products of halves |
//! | `llvm.minimum` and `llvm.maximum` | comparisons and selections |
//!
//! LLVM makes products of `i128` itself, of programs that make them of halves, and takes what is here for such a
//! program. So this comes behind all of its passes. The code generator has a short instruction for the selections
//! (`pmin`, `pmax`), and what they make of numbers that are none is not asked for: see `extremum` in
//! `convert/functions.rs`, which makes these operations.

use crate::Error;
use crate::ffi::put_in_place;
use inkwell::FloatPredicate;
use inkwell::builder::Builder;
use inkwell::context::ContextRef;
use inkwell::module::Module;
use inkwell::types::VectorType;
use inkwell::values::{
    BasicValueEnum, CallSiteValue, FloatValue, InstructionOpcode, InstructionValue, IntValue,
};

type Result<T> = std::result::Result<T, Error>;

/// Puts others in the place of the operations above.
pub fn replace(module: &Module<'_>) -> Result<()> {
    let context = module.get_context();
    let builder = context.create_builder();
    let instructions: Vec<InstructionValue<'_>> = module
        .get_functions()
        .flat_map(|function| function.get_basic_block_iter())
        .flat_map(|block| block.get_instructions())
        .collect();
    for instruction in instructions {
        builder.position_before(&instruction);
        let other = match instruction.get_opcode() {
            InstructionOpcode::Mul => product(&context, &builder, instruction)?,
            InstructionOpcode::Call => extremum(&context, &builder, instruction)?,
            _ => None,
        };
        if let Some(other) = other {
            put_in_place(other, instruction)?;
        }
    }
    Ok(())
}

/// The lower 128 bits of a product, of which the factors are mostly known to have no upper half.
fn product<'l>(
    context: &ContextRef<'l>,
    builder: &Builder<'l>,
    instruction: InstructionValue<'l>,
) -> Result<Option<BasicValueEnum<'l>>> {
    let (wide, narrow) = (context.i128_type(), context.i64_type());
    if instruction.get_type() != wide.into() {
        return Ok(None);
    }
    let b = Arithmetic { builder };
    let word = wide.const_int(64, false);
    let halves = |index| -> Result<(IntValue<'l>, IntValue<'l>)> {
        let x = operand(instruction, index)?.into_int_value();
        let high = b.shifted(x, word)?;
        let narrowed = |x| builder.build_int_truncate(x, narrow, "").map_err(Error::bug);
        Ok((narrowed(x)?, narrowed(high)?))
    };
    let ((x, x_high), (y, y_high)) = (halves(0)?, halves(1)?);
    let high = b.sum(b.high_product(x, y)?, b.product(x_high, y)?)?;
    let high = b.sum(high, b.product(x, y_high)?)?;
    let widened = |x| builder.build_int_z_extend(x, wide, "").map_err(Error::bug);
    let high = builder.build_left_shift(widened(high)?, word, "").map_err(Error::bug)?;
    let whole = builder.build_or(high, widened(b.product(x, y)?)?, "").map_err(Error::bug)?;
    Ok(Some(whole.into()))
}

/// Integers that wrap.
struct Arithmetic<'b, 'l> {
    builder: &'b Builder<'l>,
}

impl<'l> Arithmetic<'_, 'l> {
    fn sum(&self, x: IntValue<'l>, y: IntValue<'l>) -> Result<IntValue<'l>> {
        self.builder.build_int_add(x, y, "").map_err(Error::bug)
    }

    fn product(&self, x: IntValue<'l>, y: IntValue<'l>) -> Result<IntValue<'l>> {
        self.builder.build_int_mul(x, y, "").map_err(Error::bug)
    }

    fn shifted(&self, x: IntValue<'l>, by: IntValue<'l>) -> Result<IntValue<'l>> {
        self.builder.build_right_shift(x, by, false, "").map_err(Error::bug)
    }

    /// The upper half of the whole product of two `i64`. No sum overflows, as `(2^32 - 1)² + 2^32 - 1 < 2^64`.
    fn high_product(&self, x: IntValue<'l>, y: IntValue<'l>) -> Result<IntValue<'l>> {
        let (half, mask) =
            (x.get_type().const_int(32, false), x.get_type().const_int(u64::from(u32::MAX), false));
        let high = |x| self.shifted(x, half);
        let low = |x| self.builder.build_and(x, mask, "").map_err(Error::bug);
        let (x_low, x_high, y_low, y_high) = (low(x)?, high(x)?, low(y)?, high(y)?);
        let upper = self.sum(self.product(x_high, y_low)?, high(self.product(x_low, y_low)?)?)?;
        let lower = self.sum(self.product(x_low, y_high)?, low(upper)?)?;
        let most = self.sum(self.product(x_high, y_high)?, high(upper)?)?;
        self.sum(most, high(lower)?)
    }
}

/// The lesser or the greater of two floats or of the lanes of two vectors. Engines have a branch in it for floats,
/// which is not foretold, and none for vectors: floats become lanes of some.
fn extremum<'l>(
    context: &ContextRef<'l>,
    builder: &Builder<'l>,
    instruction: InstructionValue<'l>,
) -> Result<Option<BasicValueEnum<'l>>> {
    let call =
        CallSiteValue::try_from(instruction).map_err(|()| Error::bug("a call that is none"))?;
    let Some(function) = call.get_called_fn_value() else { return Ok(None) };
    let less = match function.get_name().to_bytes() {
        name if name.starts_with(b"llvm.minimum.") => true,
        name if name.starts_with(b"llvm.maximum.") => false,
        _ => return Ok(None),
    };
    let chosen = |x, y| {
        let (a, b) = if less { (y, x) } else { (x, y) };
        let second = builder.build_float_compare(FloatPredicate::OLT, a, b, "");
        let chosen = builder.build_select(second.map_err(Error::bug)?, y, x, "");
        chosen.map(BasicValueEnum::into_vector_value).map_err(Error::bug)
    };
    let zero = context.i32_type().const_zero();
    let in_vector = |x: FloatValue<'l>, vector: VectorType<'l>| {
        builder.build_insert_element(vector.get_poison(), x, zero, "").map_err(Error::bug)
    };
    let (x, y) = (operand(instruction, 0)?, operand(instruction, 1)?);
    let value = match (x, y) {
        (BasicValueEnum::VectorValue(x), BasicValueEnum::VectorValue(y)) => chosen(x, y)?.into(),
        (BasicValueEnum::FloatValue(x), BasicValueEnum::FloatValue(y)) => {
            let bits = x.get_type().get_bit_width();
            if bits < 32 {
                return Ok(None);
            }
            let vector = x.get_type().vec_type(128 / bits);
            let lanes = chosen(in_vector(x, vector)?, in_vector(y, vector)?)?;
            builder.build_extract_element(lanes, zero, "").map_err(Error::bug)?
        }
        _ => return Ok(None),
    };
    Ok(Some(value))
}

fn operand<'l>(instruction: InstructionValue<'l>, index: u32) -> Result<BasicValueEnum<'l>> {
    let operand = instruction.get_operand(index).and_then(|operand| operand.value());
    operand.ok_or_else(|| Error::bug("an operation without operands"))
}

//! Operations that the machine of a target lacks, where LLVM would call functions or make long code of them.
//!
//! | operation | becomes |
//! | --- | --- |
//! | a product of two `i128`, mostly half of one of two `i64` | sums of products of halves |
//! | `llvm.minimum` and `llvm.maximum` | comparisons and selections |
//! | 32 or 64 bits of a comparison as an integer, or whether any or all are set | the same of 16 each |
//!
//! The third is there, but LLVM 22 makes one comparison of bytes of it, whatever is compared, and stops
//! ("Cannot select: v16i8 = setcc").
//!
//! LLVM makes products of `i128` itself, of programs that make them of halves, and takes what is here for such a
//! program. So this comes behind all of its passes. The code generator has a short instruction for the selections
//! (`pmin`, `pmax`), and what they make of numbers that are none is not asked for: see `extremum` in
//! `convert/functions.rs`, which makes these operations.

use crate::Error;
use crate::ffi::put_in_place;
use inkwell::builder::Builder;
use inkwell::context::ContextRef;
use inkwell::module::Module;
use inkwell::types::{AnyTypeEnum, BasicTypeEnum, IntType, VectorType};
use inkwell::values::{
    BasicValueEnum, CallSiteValue, FloatValue, InstructionOpcode, InstructionValue, IntValue,
    VectorValue,
};
use inkwell::{FloatPredicate, IntPredicate};

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
            InstructionOpcode::Call => match extremum(&context, &builder, instruction)? {
                None => any_or_all(&context, &builder, instruction)?,
                other => other,
            },
            InstructionOpcode::BitCast => many_bits(&context, &builder, instruction)?,
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
    let less = match called(instruction)? {
        Some(name) if name.starts_with(b"llvm.minimum.") => true,
        Some(name) if name.starts_with(b"llvm.maximum.") => false,
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

/// The lanes whose bits the machine collects at once.
const COLLECTED: u32 = 16;

/// The operand, if it is a comparison of 32 or 64 lanes that are no bytes.
fn wide_comparison<'l>(instruction: InstructionValue<'l>) -> Result<Option<VectorValue<'l>>> {
    let BasicValueEnum::VectorValue(bits) = operand(instruction, 0)? else { return Ok(None) };
    let Some(comparison) = bits.as_instruction() else { return Ok(None) };
    let compared = match comparison.get_opcode() {
        InstructionOpcode::ICmp | InstructionOpcode::FCmp => operand(comparison, 0)?,
        _ => return Ok(None),
    };
    let BasicValueEnum::VectorValue(compared) = compared else { return Ok(None) };
    let bytes = match compared.get_type().get_element_type() {
        BasicTypeEnum::IntType(element) => element.get_bit_width() == 8,
        _ => false,
    };
    Ok((!bytes && matches!(bits.get_type().get_size(), 32 | 64)).then_some(bits))
}

/// The bits of a comparison as an integer.
fn many_bits<'l>(
    context: &ContextRef<'l>,
    builder: &Builder<'l>,
    instruction: InstructionValue<'l>,
) -> Result<Option<BasicValueEnum<'l>>> {
    let AnyTypeEnum::IntType(integer) = instruction.get_type() else { return Ok(None) };
    let Some(comparison) = wide_comparison(instruction)? else { return Ok(None) };
    Ok(Some(collected(context, builder, comparison, integer)?.into()))
}

/// Whether any of a comparison's lanes is set, or all are.
fn any_or_all<'l>(
    context: &ContextRef<'l>,
    builder: &Builder<'l>,
    instruction: InstructionValue<'l>,
) -> Result<Option<BasicValueEnum<'l>>> {
    let any = match called(instruction)? {
        Some(name) if name.starts_with(b"llvm.vector.reduce.or.") => true,
        Some(name) if name.starts_with(b"llvm.vector.reduce.and.") => false,
        _ => return Ok(None),
    };
    let Some(comparison) = wide_comparison(instruction)? else { return Ok(None) };
    let integer = context.i64_type();
    let bits = collected(context, builder, comparison, integer)?;
    let (predicate, with) = match any {
        true => (IntPredicate::NE, 0),
        false => (IntPredicate::EQ, u64::MAX >> (u64::BITS - comparison.get_type().get_size())),
    };
    let with = integer.const_int(with, false);
    let answer = builder.build_int_compare(predicate, bits, with, "").map_err(Error::bug)?;
    Ok(Some(answer.into()))
}

/// The lanes of a vector of bits as an integer, the first one lowest.
fn collected<'l>(
    context: &ContextRef<'l>,
    builder: &Builder<'l>,
    bits: VectorValue<'l>,
    integer: IntType<'l>,
) -> Result<IntValue<'l>> {
    let mut all = integer.const_zero();
    for first in (0..bits.get_type().get_size()).step_by(COLLECTED as usize) {
        let place = |i: u32| context.i32_type().const_int(u64::from(i), false);
        let places: Vec<IntValue<'l>> = (first..first + COLLECTED).map(place).collect();
        let part = builder.build_shuffle_vector(
            bits,
            bits.get_type().get_poison(),
            VectorType::const_vector(&places),
            "",
        );
        let part = builder.build_bit_cast(part.map_err(Error::bug)?, context.i16_type(), "");
        let part = part.map_err(Error::bug)?.into_int_value();
        let part = builder.build_int_z_extend(part, integer, "").map_err(Error::bug)?;
        let by = integer.const_int(u64::from(first), false);
        let part = builder.build_left_shift(part, by, "").map_err(Error::bug)?;
        all = builder.build_or(all, part, "").map_err(Error::bug)?;
    }
    Ok(all)
}

/// The name of the function that a call with a fixed callee names.
fn called(call: InstructionValue<'_>) -> Result<Option<Vec<u8>>> {
    let call = CallSiteValue::try_from(call).map_err(|()| Error::bug("a call that is none"))?;
    Ok(call.get_called_fn_value().map(|function| function.get_name().to_bytes().to_vec()))
}

fn operand<'l>(instruction: InstructionValue<'l>, index: u32) -> Result<BasicValueEnum<'l>> {
    let operand = instruction.get_operand(index).and_then(|operand| operand.value());
    operand.ok_or_else(|| Error::bug("an operation without operands"))
}

//! Quotients and remainders of vectors of integers of up to 32 bits by way of floats, on x86, which divides no vectors of
//! integers.
//!
//! ```text
//! q = sdiv <16 x i32> x, y      →      q = fptosi (sitofp x to <16 x double>) / (sitofp y to <16 x double>)
//! r = srem <16 x i32> x, y             r = x - q · y
//! ```
//!
//! That is exact: where the quotient is no integer, it lies at least `1 / y` below the next one, and what the division rounds
//! to that is closer than `2^-53 · x / y`, which is less than `2^-21 / y` (of up to 16 bits, `f32` does: `2^-8 / y`). LLVM's
//! code generation divides one lane after the other, which takes 7 to 30 times as long. Constant divisors stay, as it
//! multiplies by their inverses.
//!
//! Where all lanes have one divisor, they are multiplied by the quotient of `1 + 2^-40` and it (of up to 16 bits, `1 + 2^-19`): what
//! that adds is more than what two roundings take away, and less than `1 / x`, so that it leads from nowhere to the next integer.

use crate::Error;
use crate::ffi::splatted;
use crate::vector_values::{operand, replace_on_x86};
use inkwell::builder::Builder;
use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use inkwell::types::VectorType;
use inkwell::values::{InstructionOpcode, InstructionValue, IntValue, VectorValue};

type Result<T> = std::result::Result<T, Error>;

/// Puts divisions of floats in the place of those of integers.
pub fn replace(module: &Module<'_>, machine: &TargetMachine) -> Result<()> {
    replace_on_x86(module, machine, Division::of, |builder, d| d.value(builder))
}

struct Division<'l> {
    dividend: VectorValue<'l>,
    divisor: VectorValue<'l>,
    signed: bool,
    remainder: bool,
}

impl<'l> Division<'l> {
    fn of(i: InstructionValue<'l>) -> Option<Self> {
        let (signed, remainder) = match i.get_opcode() {
            InstructionOpcode::SDiv => (true, false),
            InstructionOpcode::SRem => (true, true),
            InstructionOpcode::UDiv => (false, false),
            InstructionOpcode::URem => (false, true),
            _ => return None,
        };
        let (dividend, divisor) = (operand(i, 0).ok()?, operand(i, 1).ok()?);
        let bits = dividend.get_type().get_element_type().into_int_type().get_bit_width();
        let division = Self { dividend, divisor, signed, remainder };
        ([8, 16, 32].contains(&bits) && !divisor.is_const()).then_some(division)
    }

    fn value(&self, b: &Builder<'l>) -> Result<VectorValue<'l>> {
        let (x, y) = (self.dividend, self.divisor);
        let ty = x.get_type();
        let (lanes, element) = (ty.get_size(), ty.get_element_type().into_int_type());
        let context = element.get_context();
        let quotient = if element.get_bit_width() == 32 {
            self.by_floats(b, (x, y), context.f64_type().vec_type(lanes), self.signed)?
        } else {
            // All of both are signed numbers of 32 bits.
            let wide = context.i32_type().vec_type(lanes);
            let widened = |v| match self.signed {
                true => b.build_int_s_extend(v, wide, ""),
                false => b.build_int_z_extend(v, wide, ""),
            };
            let (x, y) = (widened(x).map_err(Error::bug)?, widened(y).map_err(Error::bug)?);
            let floats = context.f32_type().vec_type(lanes);
            let quotient = self.by_floats(b, (x, y), floats, true)?;
            b.build_int_truncate(quotient, ty, "").map_err(Error::bug)?
        };
        if !self.remainder {
            return Ok(quotient);
        }
        let product = b.build_int_mul(quotient, y, "").map_err(Error::bug)?;
        b.build_int_sub(x, product, "").map_err(Error::bug)
    }

    fn by_floats(
        &self,
        b: &Builder<'l>,
        (x, y): (VectorValue<'l>, VectorValue<'l>),
        floats: VectorType<'l>,
        signed: bool,
    ) -> Result<VectorValue<'l>> {
        let ty = x.get_type();
        let float = |v| match signed {
            true => b.build_signed_int_to_float(v, floats, ""),
            false => b.build_unsigned_int_to_float(v, floats, ""),
        };
        let x = float(x).map_err(Error::bug)?;
        let quotient = match splatted(self.divisor) {
            Some(one) => b.build_float_mul(x, self.reciprocal(one, floats)?, ""),
            None => b.build_float_div(x, float(y).map_err(Error::bug)?, ""),
        };
        let quotient = quotient.map_err(Error::bug)?;
        match signed {
            true => b.build_float_to_signed_int(quotient, ty, ""),
            false => b.build_float_to_unsigned_int(quotient, ty, ""),
        }
        .map_err(Error::bug)
    }

    /// The reciprocal of one divisor, and a little more, where lanes get that: before a loop around if it stays the same there.
    fn reciprocal(
        &self,
        (splat, y): (InstructionValue<'l>, IntValue<'l>),
        floats: VectorType<'l>,
    ) -> Result<VectorValue<'l>> {
        let element = floats.get_element_type().into_float_type();
        let context = element.get_context();
        let b = context.create_builder();
        let behind = splat.get_next_instruction();
        b.position_before(&behind.ok_or_else(|| Error::bug("a block without terminator"))?);
        let y = match self.signed {
            true => b.build_signed_int_to_float(y, element, ""),
            false => b.build_unsigned_int_to_float(y, element, ""),
        };
        let more = 2f64.powi(if element == context.f64_type() { -40 } else { -19 });
        let reciprocal =
            b.build_float_div(element.const_float(1.0 + more), y.map_err(Error::bug)?, "");
        let reciprocal = reciprocal.map_err(Error::bug)?;
        let first = context.i32_type().const_zero();
        let one = b.build_insert_element(floats.get_poison(), reciprocal, first, "");
        let all = vec![first; floats.get_size() as usize];
        let all = VectorType::const_vector(&all);
        b.build_shuffle_vector(one.map_err(Error::bug)?, floats.get_poison(), all, "")
            .map_err(Error::bug)
    }
}

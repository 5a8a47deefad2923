//! Vectors of floats as integers with saturation, on x86, which has no instruction for that.
//!
//! ```text
//! y = llvm.fptosi.sat.v16i32.v16f32(x)      →      n = x == x ? x : 0              z = n > -2^31 ? n : -2^31
//!                                                  y = z < 2^31 ? fptosi(z < 2^31 ? z : 0) : 2^31 - 1
//! ```
//!
//! LLVM's code generation converts, compares and selects one lane after the other: `map i32.f32` takes eight times as long,
//! and `map u8.f32` twenty times. Scalars stay: there its code is shorter. What loops become is seen only
//! behind LLVM's other passes, so this comes last.

use crate::Error;
use crate::vector_values::{operand, put, splat};
use inkwell::FloatPredicate;
use inkwell::builder::Builder;
use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use inkwell::types::{IntType, VectorType};
use inkwell::values::{CallSiteValue, InstructionOpcode, InstructionValue, VectorValue};

type Result<T> = std::result::Result<T, Error>;

/// Pairs, which LLVM makes of scalars that are neighbours, become scalars again.
const LEAST_LANES: u32 = 4;

/// Puts operations that are defined for what is in range in the place of saturating conversions of vectors.
pub fn replace(module: &Module<'_>, machine: &TargetMachine) -> Result<()> {
    if !machine.get_triple().as_str().to_bytes().starts_with(b"x86_64") {
        return Ok(());
    }
    let context = module.get_context();
    let builder = context.create_builder();
    for function in module.get_functions().filter(|f| f.count_basic_blocks() > 0) {
        let instructions = function.get_basic_block_iter().flat_map(|b| b.get_instructions());
        let conversions: Vec<_> =
            instructions.filter_map(|i| Some((i, Conversion::of(i, &builder)?))).collect();
        for (i, conversion) in conversions {
            builder.position_before(&i);
            put(conversion.of_any(operand(i, 0)?)?, i)?;
        }
    }
    Ok(())
}

/// A conversion of a vector of `f32` or `f64`.
struct Conversion<'b, 'l> {
    builder: &'b Builder<'l>,
    signed: bool,
    to: VectorType<'l>,
}

impl<'b, 'l> Conversion<'b, 'l> {
    fn of(i: InstructionValue<'l>, builder: &'b Builder<'l>) -> Option<Self> {
        if i.get_opcode() != InstructionOpcode::Call {
            return None;
        }
        let function = CallSiteValue::try_from(i).ok()?.get_called_fn_value()?;
        let name = function.get_name().to_bytes();
        let signed = match name {
            _ if name.starts_with(b"llvm.fptosi.sat.v") => true,
            _ if name.starts_with(b"llvm.fptoui.sat.v") => false,
            _ => return None,
        };
        let is_half = name.ends_with(b"f16");
        let to = function.get_type().get_return_type()?;
        let to = to.is_vector_type().then(|| to.into_vector_type())?;
        (!is_half && to.get_size() >= LEAST_LANES).then_some(Self { builder, signed, to })
    }

    fn of_any(&self, x: VectorValue<'l>) -> Result<VectorValue<'l>> {
        let from = x.get_type();
        let constant = |x| splat(from, x);
        let element = self.to.get_element_type().into_int_type();
        let bits = element.get_bit_width();
        let power = |exponent: u32| 2f64.powf(f64::from(exponent));
        let least = if self.signed { -power(bits - 1) } else { 0.0 };
        let beyond = power(bits - u32::from(self.signed));
        let is_number = self.compare(FloatPredicate::ORD, x, x)?;
        let x = self.select(is_number, x, constant(0.0))?;
        let above = self.compare(FloatPredicate::OGT, x, constant(least))?;
        let x = self.select(above, x, constant(least))?;
        let digits =
            if from.get_element_type().into_float_type().get_bit_width() == 32 { 24 } else { 53 };
        if bits - u32::from(self.signed) <= digits {
            let most = constant(beyond - 1.0);
            let x = self.select(self.compare(FloatPredicate::OLT, x, most)?, x, most)?;
            return self.of_small(x, element);
        }
        let inside = self.compare(FloatPredicate::OLT, x, constant(beyond))?;
        let y = self.of_small(self.select(inside, x, constant(0.0))?, element)?;
        let ones = element.const_all_ones();
        let greatest =
            if self.signed { element.const_int(u64::MAX >> (65 - bits), false) } else { ones };
        self.select(
            inside,
            y,
            VectorType::const_vector(&vec![greatest; self.to.get_size() as usize]),
        )
    }

    /// Of what is in range.
    fn of_small(&self, x: VectorValue<'l>, element: IntType<'l>) -> Result<VectorValue<'l>> {
        let b = self.builder;
        let word = element.get_context().i32_type();
        if element.get_bit_width() < word.get_bit_width() {
            let wide = word.vec_type(self.to.get_size());
            let y = b.build_float_to_signed_int(x, wide, "").map_err(Error::bug)?;
            return b.build_int_truncate(y, self.to, "").map_err(Error::bug);
        }
        match self.signed {
            true => b.build_float_to_signed_int(x, self.to, ""),
            false => b.build_float_to_unsigned_int(x, self.to, ""),
        }
        .map_err(Error::bug)
    }

    fn compare(
        &self,
        by: FloatPredicate,
        x: VectorValue<'l>,
        y: VectorValue<'l>,
    ) -> Result<VectorValue<'l>> {
        self.builder.build_float_compare(by, x, y, "").map_err(Error::bug)
    }

    fn select(
        &self,
        condition: VectorValue<'l>,
        x: VectorValue<'l>,
        y: VectorValue<'l>,
    ) -> Result<VectorValue<'l>> {
        let chosen = self.builder.build_select(condition, x, y, "").map_err(Error::bug)?;
        Ok(chosen.into_vector_value())
    }
}

//! Vectors of floats as integers of 32 and 64 bits with saturation, on x86, which has no instruction for that.
//!
//! ```text
//! y = llvm.fptosi.sat.v16i32.v16f32(x)      →      n = x == x ? x : 0              z = n > -2^31 ? n : -2^31
//!                                                  y = z < 2^31 ? fptosi(z < 2^31 ? z : 0) : 2^31 - 1
//! ```
//!
//! LLVM's code generation converts, compares and selects one lane after the other: `map i32.f32` takes six to eight times as
//! long. Scalars stay: there its code is shorter. What loops become is seen only behind LLVM's other passes, so
//! this comes last. (Integers of fewer bits need no saturation, see [`crate::lower`].)

use crate::Error;
use crate::vector_values::{operand, replace_on_x86, splat};
use inkwell::FloatPredicate;
use inkwell::builder::Builder;
use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use inkwell::types::VectorType;
use inkwell::values::{CallSiteValue, InstructionOpcode, InstructionValue, VectorValue};

type Result<T> = std::result::Result<T, Error>;

/// Pairs, which LLVM makes of scalars that are neighbours, become scalars again.
const LEAST_LANES: u32 = 4;
/// Bits of the integers.
const LEAST_BITS: u32 = 32;

/// Puts operations that are defined for what is in range in the place of saturating conversions of vectors.
pub fn replace(module: &Module<'_>, machine: &TargetMachine) -> Result<()> {
    replace_on_x86(module, machine, Conversion::of, |builder, c| c.value(builder))
}

/// A conversion of a vector of `f32` or `f64`.
struct Conversion<'l> {
    x: VectorValue<'l>,
    signed: bool,
    to: VectorType<'l>,
}

impl<'l> Conversion<'l> {
    fn of(i: InstructionValue<'l>) -> Option<Self> {
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
        let bits = to.get_element_type().into_int_type().get_bit_width();
        let suits = !is_half && to.get_size() >= LEAST_LANES && bits >= LEAST_BITS;
        suits.then_some(Self { x: operand(i, 0).ok()?, signed, to })
    }

    fn value(&self, b: &Builder<'l>) -> Result<VectorValue<'l>> {
        let from = self.x.get_type();
        let constant = |x| splat(from, x);
        let compare = |by, x, y| b.build_float_compare(by, x, y, "").map_err(Error::bug);
        let select = |c: VectorValue<'l>, x: VectorValue<'l>, y: VectorValue<'l>| {
            let chosen = b.build_select(c, x, y, "").map_err(Error::bug)?;
            Ok::<_, Error>(chosen.into_vector_value())
        };
        let in_range = |x| {
            match self.signed {
                true => b.build_float_to_signed_int(x, self.to, ""),
                false => b.build_float_to_unsigned_int(x, self.to, ""),
            }
            .map_err(Error::bug)
        };
        let element = self.to.get_element_type().into_int_type();
        let bits = element.get_bit_width();
        let power = |exponent: u32| 2f64.powf(f64::from(exponent));
        let least = constant(if self.signed { -power(bits - 1) } else { 0.0 });
        let beyond = power(bits - u32::from(self.signed));
        let is_number = compare(FloatPredicate::ORD, self.x, self.x)?;
        let x = select(is_number, self.x, constant(0.0))?;
        let x = select(compare(FloatPredicate::OGT, x, least)?, x, least)?;
        let float = from.get_element_type().into_float_type().get_bit_width();
        let digits = if float == 32 { 24 } else { 53 };
        if bits <= digits {
            // The greatest integer is a float, too.
            let most = constant(beyond - 1.0);
            return in_range(select(compare(FloatPredicate::OLT, x, most)?, x, most)?);
        }
        let inside = compare(FloatPredicate::OLT, x, constant(beyond))?;
        let y = in_range(select(inside, x, constant(0.0))?)?;
        let greatest = match self.signed {
            true => element.const_int(u64::MAX >> (65 - bits), false),
            false => element.const_all_ones(),
        };
        let greatest = VectorType::const_vector(&vec![greatest; self.to.get_size() as usize]);
        select(inside, y, greatest)
    }
}

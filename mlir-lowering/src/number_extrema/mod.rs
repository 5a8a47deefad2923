//! Minima and maxima of floats on x86, whose instructions yield their second operand where either is no number.
//!
//! ```text
//! z = llvm.minnum(x, y)      →      z = x < y ? x : y                    if y is a number: one instruction
//!                            →      z = y == y ? (x < y ? x : y) : x     of other vectors, if selections are masks
//! ```
//!
//! The second form is two instructions with AVX-512, as the selection is a mask of the minimum, and that which a chain of minima
//! waits for is one of them. LLVM's own has three, of which two wait, as it asks whether the first operand is a number.
//!
//! LLVM's code generation knows of constants that they are numbers, and otherwise compares, selects and takes
//! the minimum. What a loop accumulates from a number by minima it does not know to be one: that takes induction, see [`numbers`].
//!
//! LLVM's loop vectoriser knows minima as operations alone, so this comes behind all its passes. Those with `nnan` (of
//! `--fast-math`) stay, and so do those of `f16`. Which zero is less is left open, as by `llvm.minnum`.

mod calls;
mod numbers;

use crate::Error;
use crate::cpu::Cpu;
use crate::ffi::put_in_place;
use calls::{extremum, instructions, intrinsic, operand, reduction};
use inkwell::FloatPredicate;
use inkwell::builder::Builder;
use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use inkwell::types::VectorType;
use inkwell::values::{
    BasicValue as _, BasicValueEnum, FastMathFlags, FloatMathValue, InstructionOpcode,
    InstructionValue, VectorValue,
};
use numbers::Numbers;

type Result<T> = std::result::Result<T, Error>;

/// Puts comparisons and selections that are instructions of x86 in the place of minima and maxima.
pub fn replace(module: &Module<'_>, machine: &TargetMachine, cpu: Cpu) -> Result<()> {
    // Those of AVX-512.
    let masks = cpu.vector_bytes == 64;
    if !machine.get_triple().as_str().to_bytes().starts_with(b"x86_64") {
        return Ok(());
    }
    let builder = module.get_context().create_builder();
    for function in module.get_functions() {
        let found: Vec<_> = instructions(function).filter_map(Extremum::of).collect();
        if found.is_empty() {
            continue;
        }
        let mut numbers = Numbers::of(function);
        for extremum in found {
            extremum.replace(&builder, &mut numbers, masks)?;
        }
    }
    Ok(())
}

/// A minimum or maximum of two floats or vectors of these, or of the elements of a vector.
struct Extremum<'l> {
    call: InstructionValue<'l>,
    least: bool,
    of_elements: bool,
}

impl<'l> Extremum<'l> {
    fn of(call: InstructionValue<'l>) -> Option<Self> {
        let any = |f: FastMathFlags| f.contains(FastMathFlags::NoNaNs);
        let name = intrinsic(call)?;
        if name.ends_with("f16") || call.get_fast_math_flags().is_ok_and(any) {
            return None;
        }
        let of_elements = reduction(&name);
        let least = of_elements.or_else(|| extremum(call))?;
        Some(Self { call, least, of_elements: of_elements.is_some() })
    }

    fn replace(self, b: &Builder<'l>, numbers: &mut Numbers<'l>, masks: bool) -> Result<()> {
        b.position_before(&self.call);
        let value = match self.of_elements {
            true => self.element(b, numbers)?,
            false => self.either(b, numbers, masks)?,
        };
        let Some(value) = value else { return Ok(()) };
        numbers.replaced(self.call, value.as_instruction_value());
        put_in_place(value, self.call)
    }

    /// The lesser (or greater) of two.
    fn either(
        &self,
        b: &Builder<'l>,
        numbers: &Numbers<'l>,
        masks: bool,
    ) -> Result<Option<BasicValueEnum<'l>>> {
        let (x, y) = match [operand(self.call, 0), operand(self.call, 1)] {
            [Some(x), Some(y)] if numbers.contains(x) => (y, x),
            [Some(x), Some(y)] => (x, y),
            _ => return Err(Error::bug("an extremum without operands")),
        };
        match (x, y) {
            (BasicValueEnum::FloatValue(x), BasicValueEnum::FloatValue(y))
                if numbers.contains(y.into()) =>
            {
                self.chosen(b, x, y).map(Some)
            }
            (BasicValueEnum::VectorValue(x), BasicValueEnum::VectorValue(y))
                if numbers.contains(y.into()) =>
            {
                self.chosen(b, x, y).map(Some)
            }
            (BasicValueEnum::VectorValue(x), BasicValueEnum::VectorValue(y)) if masks => {
                let swap = is_accumulated(y) && !is_accumulated(x);
                let (sum, y) = if swap { (y, x) } else { (x, y) };
                let BasicValueEnum::VectorValue(z) = self.chosen(b, sum, y)? else {
                    return Err(Error::bug("an extremum of vectors that is none"));
                };
                let is_number =
                    b.build_float_compare(FloatPredicate::ORD, y, y, "").map_err(Error::bug)?;
                b.build_select(is_number, z, sum, "").map(Some).map_err(Error::bug)
            }
            _ => Ok(None),
        }
    }

    /// The least (or greatest) element of a vector of numbers: of its halves, element by element, and so on.
    fn element(
        &self,
        b: &Builder<'l>,
        numbers: &Numbers<'l>,
    ) -> Result<Option<BasicValueEnum<'l>>> {
        let all = operand(self.call, 0).filter(|all| numbers.contains(*all));
        let Some(BasicValueEnum::VectorValue(mut all)) = all else { return Ok(None) };
        let index = b.get_insert_block().map(|block| block.get_context().i32_type());
        let index = index.ok_or_else(|| Error::bug("no block"))?;
        let mut left = all.get_type().get_size();
        if !left.is_power_of_two() {
            return Ok(None);
        }
        while left > 1 {
            left /= 2;
            let half = |from: u32| {
                let at: Vec<_> =
                    (from..from + left).map(|k| index.const_int(k.into(), false)).collect();
                b.build_shuffle_vector(all, all, VectorType::const_vector(&at), "")
            };
            let (low, high) = (half(0).map_err(Error::bug)?, half(left).map_err(Error::bug)?);
            all = self.chosen(b, low, high)?.into_vector_value();
        }
        b.build_extract_element(all, index.const_zero(), "").map(Some).map_err(Error::bug)
    }

    /// The first one if it is less (or greater, of maxima), and otherwise the second one.
    fn chosen<T: Copy + FloatMathValue<'l>>(
        &self,
        b: &Builder<'l>,
        x: T,
        y: T,
    ) -> Result<BasicValueEnum<'l>> {
        let by = if self.least { FloatPredicate::OLT } else { FloatPredicate::OGT };
        let before = b.build_float_compare(by, x, y, "").map_err(Error::bug)?;
        b.build_select(before, x, y, "").map_err(Error::bug)
    }
}

/// Whether a value is one of those that a chain of minima waits for: another one, or what a loop carries.
fn is_accumulated(x: VectorValue<'_>) -> bool {
    let is = |i: InstructionValue<'_>| {
        matches!(i.get_opcode(), InstructionOpcode::Phi | InstructionOpcode::Select)
            || extremum(i).is_some()
    };
    x.as_instruction_value().is_some_and(is)
}

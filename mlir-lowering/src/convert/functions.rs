//! Functions on numbers. MLIR's own conversions would make calls of NVIDIA's library of them on the way
//! to NVVM, and operations whose names LLVM's vectoriser does not know on the way to LLVM.

use super::conversion::{Conversion, Result, operand, operands};
use crate::Error;
use crate::dialect::{Builder, FPredicate, Intrinsic, Math, Meaning, result_of};
use crate::ffi;
use crate::vector_math::by_lanes;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Type, ValueLike};

impl<'c> Conversion<'c, '_> {
    pub(super) fn math(&mut self, name: &str, operation: OperationRef<'c, 'c>) -> Result<()> {
        let b = self.before(operation)?;
        let x = operand(operation, 0)?;
        let value = match name {
            "ctpop" => b.ctpop(x)?,
            "ctlz" => b.ctlz(x)?,
            "cttz" => b.cttz(x)?,
            _ => {
                let function = Math::of_name(name)
                    .ok_or_else(|| Error::bug(format_args!("math.{name} has no conversion")))?;
                let operands = operands(operation, 0)?;
                let ty = x.r#type();
                match function.meaning() {
                    Meaning::Intrinsic(which) => {
                        b.llvm_intrinsic(which, &operands, ty, b.flags_of(operation)?)?
                    }
                    Meaning::Function(double, float) => {
                        let is_double = ffi::element_of(ty) == b.types().f64;
                        let function = if is_double { double } else { float };
                        let symbol = self.declare(function, ty, operands.len(), operation)?;
                        self.before(operation)?
                            .llvm_call(&symbol, &operands, Some(ty))?
                            .ok_or_else(|| Error::bug("a function without result"))?
                    }
                }
            }
        };
        self.replace(operation, value)
    }

    /// A minimum or maximum of which a NaN is not one, if there is another number. On processors without such an
    /// operation LLVM would call the C library's function for each lane: there it is the operation whose result a
    /// NaN makes one, and then the other operand in place of each that is none.
    pub(super) fn extremum(&mut self, name: &str, operation: OperationRef<'c, 'c>) -> Result<()> {
        let (number, any) = match name {
            "minnumf" => (Intrinsic::MinNum, Intrinsic::Minimum),
            _ => (Intrinsic::MaxNum, Intrinsic::Maximum),
        };
        let ty = result_of(operation, 0)?.r#type();
        let (x, y) = (operand(operation, 0)?, operand(operation, 1)?);
        let b = self.before(operation)?;
        let flags = b.flags_of(operation)?;
        let value = if self.cpu.number_extrema {
            b.llvm_intrinsic(number, &[x, y], ty, flags)?
        } else if flags.is_some() {
            // Whichever it is that a NaN makes of it.
            b.llvm_intrinsic(any, &[x, y], ty, flags)?
        } else {
            let either = b.llvm_intrinsic(any, &[x, y], ty, None)?;
            let other = |is_none, other, value| {
                b.select(b.cmpf(FPredicate::Uno, is_none, is_none)?, other, value)
            };
            other(x, y, other(y, x, either)?)?
        };
        self.replace(operation, value)
    }

    /// Declares a function of the C library in the module around, before the function at hand; or its
    /// version for vectors of so many lanes, which gets a body once the processor is known. Returns its name.
    fn declare(
        &mut self,
        function: &'static str,
        ty: Type<'c>,
        arity: usize,
        operation: OperationRef<'c, 'c>,
    ) -> Result<String> {
        let lanes = ffi::vector_length(ty);
        let symbol = lanes.map_or_else(|| function.to_owned(), |n| by_lanes::symbol(function, n));
        let around = self.function.unwrap_or(operation);
        let module = around.block().map_or(0, ffi::address_of_block);
        if self.declared.insert((module, symbol.clone())) {
            let b = Builder::before(self.shared, around)?;
            b.llvm_func(&symbol, &vec![ty; arity], Some(ty))?;
        }
        Ok(symbol)
    }
}

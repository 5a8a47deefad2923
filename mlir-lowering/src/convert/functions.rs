//! Functions on numbers. MLIR's own conversions would make calls of NVIDIA's library of them on the way
//! to NVVM, and operations whose names LLVM's vectoriser does not know on the way to LLVM.

use super::{Conversion, Result, operand, operands};
use crate::Error;
use crate::abi;
use crate::dialect::{Builder, Intrinsic, Math, Meaning, result_of};
use crate::ffi;
use melior::ir::ValueLike;
use melior::ir::operation::{OperationLike, OperationRef};

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
                    Meaning::Intrinsic(which) => b.llvm_intrinsic(which, &operands, ty)?,
                    Meaning::Function(double, float) => {
                        let symbol = if ty == b.types().f64 { double } else { float };
                        self.declare(symbol, operation)?;
                        self.before(operation)?
                            .llvm_call(symbol, &operands, Some(ty))?
                            .ok_or_else(|| Error::bug("a function without result"))?
                    }
                }
            }
        };
        self.replace(operation, value)
    }

    /// A minimum or maximum of which a NaN is not one, if there is another number.
    pub(super) fn extremum(&mut self, name: &str, operation: OperationRef<'c, 'c>) -> Result<()> {
        let which = if name == "minnumf" { Intrinsic::MinNum } else { Intrinsic::MaxNum };
        let ty = result_of(operation, 0)?.r#type();
        let b = self.before(operation)?;
        let value = b.llvm_intrinsic(which, &operands(operation, 0)?, ty)?;
        self.replace(operation, value)
    }

    /// Declares a function of the C library in the module around, before the function at hand.
    fn declare(&mut self, symbol: &'static str, operation: OperationRef<'c, 'c>) -> Result<()> {
        let function = self.function.unwrap_or(operation);
        let module = function.block().map_or(0, ffi::address_of_block);
        if !self.declared.insert((module, symbol)) {
            return Ok(());
        }
        let b = Builder::before(self.shared, function)?;
        let (parameters, result) = abi::scalar_signature(symbol)
            .ok_or_else(|| Error::bug(format_args!("no scalar function {symbol}")))?;
        let ty = |t| self.shared.types.of_c(t);
        let parameters: Vec<_> = parameters.into_iter().map(ty).collect();
        b.llvm_func(symbol, &parameters, Some(ty(result)))
    }
}

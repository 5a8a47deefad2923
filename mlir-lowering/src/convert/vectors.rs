//! Vectors: what is between their accesses, as it is in the `llvm` dialect.

use super::conversion::{Conversion, Result, numbers, operand};
use crate::Error;
use crate::dialect::{Intrinsic, TABLE, result_of};
use crate::ffi;
use melior::ir::ValueLike;
use melior::ir::operation::{OperationLike, OperationRef};

impl<'c> Conversion<'c, '_> {
    /// Any value.
    pub(super) fn poison(&mut self, operation: OperationRef<'c, 'c>) -> Result<()> {
        let value = self.before(operation)?.llvm_poison(result_of(operation, 0)?.r#type())?;
        self.replace(operation, value)
    }

    pub(super) fn vector(&mut self, name: &str, operation: OperationRef<'c, 'c>) -> Result<()> {
        match name {
            "load" => self.load(operation),
            "store" => self.store(operation),
            "maskedload" => self.maskedload(operation),
            "maskedstore" => self.maskedstore(operation),
            "gather" if operation.has_attribute(TABLE) => self.lookup(operation),
            "gather" => self.gather(operation),
            "scatter" => self.scatter(operation),
            "compressstore" => self.compressstore(operation),
            "broadcast" => {
                let ty = result_of(operation, 0)?.r#type();
                let value = self.before(operation)?.llvm_broadcast(operand(operation, 0)?, ty)?;
                self.replace(operation, value)
            }
            "extract" => {
                let lane = numbers(operation, "static_position")?;
                let lane = lane.first().copied().ok_or_else(|| Error::bug("no lane"))?;
                let b = self.before(operation)?;
                let value = b.llvm_extractelement(operand(operation, 0)?, lane)?;
                self.replace(operation, value)
            }
            "shuffle" => {
                let lanes = numbers(operation, "mask")?
                    .into_iter()
                    .map(i32::try_from)
                    .collect::<std::result::Result<Vec<_>, _>>()
                    .map_err(Error::bug)?;
                let (a, b) = (operand(operation, 0)?, operand(operation, 1)?);
                let value = self.before(operation)?.llvm_shufflevector(a, b, &lanes)?;
                self.replace(operation, value)
            }
            "reduction" => {
                let which = match operation.attribute("kind")?.to_string().as_str() {
                    "#vector.kind<add>" => Intrinsic::ReduceAdd,
                    "#vector.kind<and>" => Intrinsic::ReduceAnd,
                    "#vector.kind<or>" => Intrinsic::ReduceOr,
                    kind => return Err(Error::bug(format_args!("a reduction by {kind}"))),
                };
                let x = operand(operation, 0)?;
                let b = self.before(operation)?;
                let value = b.llvm_intrinsic(which, &[x], ffi::element_of(x.r#type()), None)?;
                self.replace(operation, value)
            }
            _ => Err(Error::bug(format_args!("vector.{name} has no conversion"))),
        }
    }
}

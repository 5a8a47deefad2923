//! Launches of kernels, as calls of the runtime: it knows kernels by their numbers, and takes their arguments as
//! pointers to words. The words are on the stack of the function around, `n` values and `n` pointers to them.
//!
//! ```text
//! gpu.launch_func @kernels::@kernel_1 blocks in (%x, %y, %z) threads in (%u, %v, %w) args(%a, %b, %failure)
//!   ⟶
//! words[0] = %a; words[2] = &words[0]; words[1] = %b; words[3] = &words[1]
//! futc_launch(%context, 1, %x, %y, %z, %u, %v, %w, 0, &words[2])
//! ```
//!
//! The last argument is the failure record, which the runtime has.

use super::conversion::{Result, entry_of, host, lowering_into, operand, operands};
use crate::abi::Runtime;
use crate::dialect::{InsertionPoint, Ix, Shared, Val, name_of, symbol_of};
use crate::host::Machine;
use crate::lower::KERNEL_MODULE;
use crate::lower::function::Function;
use crate::{Error, ffi};
use melior::ir::ValueLike;
use melior::ir::attribute::DenseI32ArrayAttribute;
use melior::ir::operation::{OperationLike, OperationRef};

/// Makes calls of all launches.
pub fn to_calls<'c>(shared: &Shared<'c>, machine: Machine) -> Result<()> {
    let (mut kernels, mut launches) = (Vec::new(), Vec::new());
    for operation in ffi::descendants(shared.building.module.as_operation()) {
        match name_of(operation).as_str() {
            "gpu.func" if operation.has_attribute("gpu.kernel") => {
                kernels.extend(symbol_of(operation));
            }
            "gpu.launch_func" => launches.push(operation),
            _ => {}
        }
    }
    if launches.is_empty() {
        return Ok(());
    }
    lowering_into(shared, machine, |lowering| {
        for launch in launches {
            let entry = entry_of(launch)?;
            let site = host(shared, entry)?;
            let mut f = Function::new(lowering, entry, site);
            f.b.location = launch.location();
            f.b.go(InsertionPoint::before(launch)?);
            let symbol = ffi::innermost_symbol(launch.attribute("kernel")?)?;
            let number = kernels.iter().position(|k| *k == symbol);
            let number = number.ok_or_else(|| {
                Error::bug(format_args!("@{KERNEL_MODULE} has no kernel @{symbol}"))
            })?;
            f.launch_by_number(i64::try_from(number).map_err(Error::bug)?, launch)?;
            shared.building.erase(launch)?;
        }
        Ok(())
    })
}

impl<'c> Function<'c, '_, '_, '_> {
    fn launch_by_number(&mut self, kernel: i64, launch: OperationRef<'c, 'c>) -> Result<()> {
        let segments = DenseI32ArrayAttribute::try_from(launch.attribute("operandSegmentSizes")?)?;
        let simple = (0..segments.len()).all(|i| match i {
            1..=6 => segments.element(i).is_ok_and(|n| n == 1),
            ARGUMENTS => true,
            _ => segments.element(i).is_ok_and(|n| n == 0),
        });
        if !simple {
            return Err(Error::bug("a launch that waits, or has clusters or shared memory"));
        }
        let mut sizes = Vec::with_capacity(6);
        for i in 0..6 {
            let size = operand(launch, i)?;
            if size.r#type() != self.b.types().i64 {
                return Err(Error::bug("a grid whose sizes are not of type i64"));
            }
            sizes.push(size);
        }
        let mut arguments = operands(launch, 6)?;
        arguments.pop().ok_or_else(|| Error::bug("a kernel without a failure record"))?;
        let pointers = self.pointers_to(&arguments)?;
        let kernel = self.b.i64(kernel)?;
        let mut operands = vec![kernel];
        operands.extend(sizes);
        operands.extend([self.b.i64(0)?, pointers]);
        self.runtime(Runtime::Launch, &operands)?;
        Ok(())
    }

    /// Pointers to words with these values, one behind the other. See Note [Pointers].
    fn pointers_to(&mut self, values: &[Val<'c>]) -> Result<Val<'c>> {
        let types = self.b.types();
        let count = i64::try_from(values.len()).map_err(Error::bug)?;
        let here = self.b.go(InsertionPoint::at_start(self.entry));
        let words = self.b.llvm_alloca(2 * count.max(1), types.i64, 8);
        self.b.go(here);
        let words = words?;
        let pointers = self.b.element_pointer(words, Ix::Const(count), types.i64)?;
        for (i, value) in (0..count).zip(values) {
            let slot = self.b.element_pointer(words, Ix::Const(i), types.i64)?;
            let value = match value.r#type() {
                ty if ty == types.block => self.b.pointer_to(*value)?,
                _ => *value,
            };
            self.b.llvm_store(slot, value, 8, &[])?;
            let pointer = self.b.element_pointer(pointers, Ix::Const(i), types.i64)?;
            self.b.llvm_store(pointer, slot, 8, &[])?;
        }
        Ok(pointers)
    }
}

/// Where kernels' arguments are among the kinds of operands of a launch.
const ARGUMENTS: usize = 11;

//! Two halves of a wide product shifted into one word.
//!
//! ```text
//! high = mul_hi(a, b)  low = a * b       x = llvm.intr.fshl(high, low, 3)
//! x = (high << 3) | (low >> 61)      →
//! ```
//!
//! So hash functions and products modulo `2^61 - 1` fold the upper bits of a product onto the lower ones. LLVM's
//! InstCombine makes `high << 3` a shift of the whole product and a mask, which it does not see to be superfluous as the
//! lower half is a product of its own, and which stand in the chain from one product to the next (0.82 of the time without
//! them). A funnel shift it leaves alone.

use super::function::Function;
use crate::Error;
use crate::dialect::{Val, name_of};
use crate::ffi::{detach_value, made_by};
use melior::ir::ValueLike;
use melior::ir::attribute::IntegerAttribute;
use melior::ir::operation::OperationLike;
use melior::ir::r#type::IntegerType;

impl<'c> Function<'c, '_, '_, '_> {
    /// `x | y` as a funnel shift, if it is one of the upper half of a product.
    pub(super) fn funnel_shift(&self, x: Val<'c>, y: Val<'c>) -> Result<Option<Val<'c>>, Error> {
        let Ok(ty) = IntegerType::try_from(x.r#type()) else { return Ok(None) };
        for (upper, lower) in [(x, y), (y, x)] {
            if let (Some((high, up)), Some((low, down))) =
                (shifted(upper, "arith.shli"), shifted(lower, "arith.shrui"))
                && up + down == i64::from(ty.width())
                && made_by(high).is_some_and(|o| name_of(o) == "arith.trunci")
            {
                let by = self.b.int(x.r#type(), up)?;
                return self.b.llvm_funnel_shift_left(high, low, by).map(Some);
            }
        }
        Ok(None)
    }
}

/// What is shifted by an operation of this name, and by how many bits, if that is known.
fn shifted<'c>(value: Val<'c>, name: &str) -> Option<(Val<'c>, i64)> {
    let shift = made_by(value).filter(|o| name_of(*o) == name)?;
    let operand = |i| shift.operand(i).ok().map(detach_value);
    let (x, by) = (operand(0)?, operand(1)?);
    let by = made_by(by).filter(|o| name_of(*o) == "arith.constant")?;
    let bits = IntegerAttribute::try_from(by.attribute("value").ok()?).ok()?;
    Some((x, bits.value()))
}

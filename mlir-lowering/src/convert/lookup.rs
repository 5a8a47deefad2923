//! Gathers from tables of bytes, at indexes that are bytes: the table is loaded, 64 bytes to a vector, and its vectors are permuted.
//!
//! | bytes of the table | instructions for 64 lanes |
//! | --- | --- |
//! | 64 | `vpermb` |
//! | 128 | `vpermi2b`, which chooses from two vectors |
//! | 256 | two of these, and a choice by the highest bit |
//!
//! LLVM loads the table before a loop around, if it knows that nobody writes to it there.

use super::conversion::{Conversion, Result, operand};
use super::views::access_of;
use crate::dialect::{Builder, Intrinsic, Ix, Predicate, TABLE, Val, result_of};
use crate::{Error, ffi};
use melior::ir::attribute::IntegerAttribute;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Type, ValueLike};

/// Bytes of a vector.
const VECTOR: i64 = 64;

impl<'c> Conversion<'c, '_> {
    pub(super) fn lookup(&mut self, operation: OperationRef<'c, 'c>) -> Result<()> {
        let slots = IntegerAttribute::try_from(operation.attribute(TABLE)?)?.value();
        let ty = result_of(operation, 0)?.r#type();
        let lanes = ffi::vector_length(ty).and_then(|n| i64::try_from(n).ok());
        let lanes = lanes.ok_or_else(|| Error::bug("a lookup of no vector"))?;
        let b = self.before(operation)?;
        let element = b.types().i8;
        let (pointer, rest) = self.accessed(&b, operation, 0, element)?;
        // Where distances are not what they are known to have been, it is a gather as any other.
        let (true, Some(bytes)) =
            (self.cpu.permutes_bytes, rest.first().and_then(|x| narrow(*x, element)))
        else {
            return self.gather(operation);
        };
        let access = access_of(operation)?;
        let vector = Type::vector(&[VECTOR.unsigned_abs()], element);
        let mut table = Vec::new();
        for from in (0..slots).step_by(VECTOR.unsigned_abs() as usize) {
            let place = b.element_pointer(pointer, Ix::Const(from), element)?;
            table.push(b.llvm_load(place, vector, 1, &access.known)?);
        }
        if lanes == VECTOR {
            let value = permuted(&b, &table, bytes)?;
            return self.replace(operation, value);
        }
        let mut value = b.llvm_poison(ty)?;
        for from in (0..lanes).step_by(VECTOR.unsigned_abs() as usize) {
            let some = lanes_from(&b, bytes, VECTOR, |lane| from + lane)?;
            let some = permuted(&b, &table, some)?;
            let some = lanes_from(&b, some, lanes, |lane| lane - from)?;
            let which =
                |lane: i64| if (from..from + VECTOR).contains(&lane) { lanes + lane } else { lane };
            let which = (0..lanes).map(|lane| i32::try_from(which(lane)));
            let which = which.collect::<std::result::Result<Vec<_>, _>>().map_err(Error::bug)?;
            value = b.llvm_shufflevector(value, some, &which)?;
        }
        self.replace(operation, value)
    }
}

/// The bytes that wider integers were made of.
fn narrow<'c>(x: Val<'c>, byte: Type<'c>) -> Option<Val<'c>> {
    let made_by = ffi::made_by(x)?;
    let extended = made_by.name().as_string_ref().as_str() == Ok("arith.extui");
    let from = operand(made_by, 0).ok().filter(|_| extended)?;
    (ffi::element_of(from.r#type()) == byte).then_some(from)
}

/// So many lanes of a vector; those outside of it are anything.
fn lanes_from<'c>(
    b: &Builder<'c, '_>,
    x: Val<'c>,
    lanes: i64,
    from: impl Fn(i64) -> i64,
) -> Result<Val<'c>> {
    let n = ffi::vector_length(x.r#type()).and_then(|n| i64::try_from(n).ok()).unwrap_or(0);
    let inside = |lane: i64| if (0..n).contains(&lane) { lane } else { -1 };
    let which = (0..lanes).map(|lane| i32::try_from(inside(from(lane))));
    let which = which.collect::<std::result::Result<Vec<_>, _>>().map_err(Error::bug)?;
    b.llvm_shufflevector(x, x, &which)
}

/// What 64 indexes choose from a table.
fn permuted<'c>(b: &Builder<'c, '_>, table: &[Val<'c>], bytes: Val<'c>) -> Result<Val<'c>> {
    let ty = bytes.r#type();
    match *table {
        [only] => b.llvm_intrinsic(Intrinsic::PermuteBytes, &[only, bytes], ty, None),
        [low, high] => {
            b.llvm_intrinsic(Intrinsic::PermuteBytesOfTwo, &[low, bytes, high], ty, None)
        }
        [ref low @ .., x, y] if low.len() == 2 => {
            let (low, high) = (permuted(b, low, bytes)?, permuted(b, &[x, y], bytes)?);
            let zero = b.int(ty, 0)?;
            let upper = b.cmpi(Predicate::Slt, bytes, zero)?;
            b.select(upper, high, low)
        }
        _ => Err(Error::bug("a table of other than 64, 128 or 256 bytes")),
    }
}

//! What AVX-512 has instructions for: powers of two, exponents, mantissas, and results of special arguments.

use super::ir::{Ir, Result, Shape, Width};
use crate::dialect::{Intrinsic, Val};

/// Rounds as elsewhere.
const CURRENT_DIRECTION: i64 = 4;

/// What `fixupimm` makes of a number of some class, four bits each.
#[derive(Clone, Copy)]
enum Response {
    Keep = 0,
    QuietArgument = 2,
    NoNumber = 3,
    MinusInfinity = 4,
    Infinity = 5,
}

impl<'c> Ir<'c, '_> {
    /// Whether vectors are those of AVX-512, of which [`Ir::scaled`] and the others are instructions.
    pub(super) fn is_wide(&self) -> bool {
        let Shape::Lanes(lanes, ('e', bytes)) = self.shape else { return false };
        lanes.cast_signed() * self.width.bytes() == bytes
    }

    /// `x · 2^n`, of which `n` is an integer as a float, with a single rounding (`vscalef`).
    pub(super) fn scaled(&self, x: Val<'c>, n: Val<'c>) -> Result<Val<'c>> {
        let which = match self.width {
            Width::F32 => Intrinsic::ScaleF32,
            Width::F64 => Intrinsic::ScaleF64,
        };
        self.masked(which, &[x, n, x])
    }

    /// `k` and `m` with `x = m · 2^k` and `1 ≤ m < 2`, of positive numbers (`vgetexp`, `vgetmant`).
    pub(super) fn exponent_and_mantissa(&self, x: Val<'c>) -> Result<(Val<'c>, Val<'c>)> {
        let (exponent, mantissa) = match self.width {
            Width::F32 => (Intrinsic::ExponentF32, Intrinsic::MantissaF32),
            Width::F64 => (Intrinsic::ExponentF64, Intrinsic::MantissaF64),
        };
        let from_1_to_2 = self.b.int(self.b.types().i32, 0)?;
        Ok((self.masked(exponent, &[x, x])?, self.masked(mantissa, &[x, from_1_to_2, x])?))
    }

    /// `y`, the logarithm of `x`, but for infinity, zero and what has no logarithm (`vfixupimm`).
    pub(super) fn logarithm_or_special(&self, y: Val<'c>, x: Val<'c>) -> Result<Val<'c>> {
        use Response::{Infinity, Keep, MinusInfinity, NoNumber, QuietArgument};
        let which = match self.width {
            Width::F32 => Intrinsic::SpecialF32,
            Width::F64 => Intrinsic::SpecialF64,
        };
        let of_zero = MinusInfinity;
        let [of_one, of_positive] = [Keep; 2];
        let [of_minus_infinity, of_negative] = [NoNumber; 2];
        // In the order of Intel's manual, quiet and signalling NaN first.
        let table = [
            QuietArgument,
            QuietArgument,
            of_zero,
            of_one,
            of_minus_infinity,
            Infinity,
            of_negative,
            of_positive,
        ];
        let table = table.iter().rev().fold(0, |all, response| (all << 4) | *response as i64);
        let no_exceptions = self.b.int(self.b.types().i32, 0)?;
        self.masked(which, &[y, x, self.int(table)?, no_exceptions])
    }

    /// An instruction in all lanes.
    fn masked(&self, which: Intrinsic, operands: &[Val<'c>]) -> Result<Val<'c>> {
        let types = self.b.types();
        let mask = match self.width {
            Width::F32 => types.i16,
            Width::F64 => types.i8,
        };
        let mut operands = operands.to_vec();
        operands.push(self.b.int(mask, -1)?);
        operands.push(self.b.int(types.i32, CURRENT_DIRECTION)?);
        self.b.llvm_intrinsic(which, &operands, self.floats(), None)
    }
}

//! Floats to integers: rounded towards zero, what is beyond the range to its ends, and infinities and what is not a number
//! to 0. What is negative becomes what it would become as a signed integer.
//!
//! The intrinsics of LLVM saturate (the operations of MLIR that stand for them do not translate), and take what is not a
//! number to 0, but not infinities.

use super::function::Function;
use crate::Error;
use crate::dialect::{FPredicate, Intrinsic, Math, Val};
use futc_midend::ir::{Const, FloatType, IntType};
use melior::ir::ValueLike;

type Result<T> = std::result::Result<T, Error>;

impl<'c> Function<'c, '_, '_, '_> {
    /// A float, or a vector of them, as an integer of a type.
    pub(super) fn float_to_integer(
        &self,
        signed: bool,
        from: FloatType,
        x: Val<'c>,
        to: IntType,
    ) -> Result<Val<'c>> {
        let (x, from) = match from {
            FloatType::F16 => {
                let wide = self.b.shaped(x.r#type(), self.b.types().f32);
                (self.b.extf(x, wide)?, FloatType::F32)
            }
            FloatType::F32 | FloatType::F64 => (x, from),
        };
        let constant = |v: f64| {
            let c = match from {
                FloatType::F64 => Const::F64(v),
                FloatType::F16 | FloatType::F32 => Const::F32(v as f32),
            };
            self.b.constant_in(x.r#type(), c)
        };
        let infinity = constant(f64::INFINITY)?;
        let finite = self.b.cmpf(FPredicate::Olt, self.b.math(Math::AbsF, &[x])?, infinity)?;
        if to.bits() <= 16 {
            let x = self.b.select(finite, x, constant(0.0)?)?;
            return self.of_few_bits(signed, x, to, constant);
        }
        let y = match (signed, to) {
            (true, _) => self.saturated(Intrinsic::FpToSiSat, x, to)?,
            (false, IntType::I64) => {
                let positive = self.saturated(Intrinsic::FpToUiSat, x, to)?;
                let negative = self.saturated(Intrinsic::FpToSiSat, x, to)?;
                let below = self.b.cmpf(FPredicate::Olt, x, constant(0.0)?)?;
                self.b.select(below, negative, positive)?
            }
            (false, _) => self.unsigned(x, to)?,
        };
        self.b.select(finite, y, self.b.int(y.r#type(), 0)?)
    }

    /// Of a number, to an integer whose range, signed and unsigned, floats have: what is beyond it is as its ends.
    fn of_few_bits(
        &self,
        signed: bool,
        x: Val<'c>,
        to: IntType,
        constant: impl Fn(f64) -> Result<Val<'c>>,
    ) -> Result<Val<'c>> {
        let b = &self.b;
        let half = f64::from(1u32 << (to.bits() - 1));
        let least = constant(-half)?;
        let x = b.select(b.cmpf(FPredicate::Ogt, x, least)?, x, least)?;
        let most = constant(if signed { half } else { 2.0 * half } - 1.0)?;
        let x = b.select(b.cmpf(FPredicate::Olt, x, most)?, x, most)?;
        let shaped = |ty| b.shaped(x.r#type(), b.types().int(ty));
        b.trunci(b.fptosi(x, shaped(IntType::I32))?, shaped(to))
    }

    fn saturated(&self, intrinsic: Intrinsic, x: Val<'c>, to: IntType) -> Result<Val<'c>> {
        let to = self.b.shaped(x.r#type(), self.b.types().int(to));
        self.b.llvm_intrinsic(intrinsic, &[x], to, None)
    }

    /// By way of a signed type that holds the ranges of both, signed and unsigned.
    fn unsigned(&self, x: Val<'c>, to: IntType) -> Result<Val<'c>> {
        let y = self.saturated(Intrinsic::FpToSiSat, x, IntType::I64)?;
        let least = self.b.int(y.r#type(), -(1 << (to.bits() - 1)))?;
        let most = self.b.int(y.r#type(), (1 << to.bits()) - 1)?;
        let y = self.b.minsi(self.b.maxsi(y, least)?, most)?;
        self.b.trunci(y, self.b.shaped(y.r#type(), self.b.types().int(to)))
    }
}

//! Floats to integers: rounded towards zero, what is beyond the range to its ends, and infinities and what is not a number
//! to 0. What is negative becomes what it would become as a signed integer.
//!
//! The intrinsics of LLVM saturate (the operations of MLIR that stand for them do not translate), and take what is not a
//! number to 0, but not infinities.

use super::function::Function;
use crate::Error;
use crate::dialect::{FPredicate, Intrinsic, Math, Val};
use futc_midend::ir::{Const, FloatType, IntType, Prim};
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
        let y = match (signed, to) {
            (true, _) => self.saturated(Intrinsic::FpToSiSat, x, to)?,
            (false, IntType::I64) => {
                let positive = self.saturated(Intrinsic::FpToUiSat, x, to)?;
                let negative = self.saturated(Intrinsic::FpToSiSat, x, to)?;
                let zero = self.b.constant_in(x.r#type(), Const::zero(Prim::Float(from)))?;
                self.b.select(self.b.cmpf(FPredicate::Olt, x, zero)?, negative, positive)?
            }
            (false, _) => self.unsigned(x, to)?,
        };
        let infinity = match from {
            FloatType::F64 => Const::F64(f64::INFINITY),
            FloatType::F16 | FloatType::F32 => Const::F32(f32::INFINITY),
        };
        let infinity = self.b.constant_in(x.r#type(), infinity)?;
        let finite = self.b.cmpf(FPredicate::Olt, self.b.math(Math::AbsF, &[x])?, infinity)?;
        self.b.select(finite, y, self.b.int(y.r#type(), 0)?)
    }

    fn saturated(&self, intrinsic: Intrinsic, x: Val<'c>, to: IntType) -> Result<Val<'c>> {
        let to = self.b.shaped(x.r#type(), self.b.types().int(to));
        self.b.llvm_intrinsic(intrinsic, &[x], to, None)
    }

    /// By way of a signed type that holds the ranges of both, signed and unsigned.
    fn unsigned(&self, x: Val<'c>, to: IntType) -> Result<Val<'c>> {
        let wide = if to == IntType::I32 { IntType::I64 } else { IntType::I32 };
        let y = self.saturated(Intrinsic::FpToSiSat, x, wide)?;
        let least = self.b.int(y.r#type(), -(1 << (to.bits() - 1)))?;
        let most = self.b.int(y.r#type(), (1 << to.bits()) - 1)?;
        let y = self.b.minsi(self.b.maxsi(y, least)?, most)?;
        self.b.trunci(y, self.b.shaped(y.r#type(), self.b.types().int(to)))
    }
}

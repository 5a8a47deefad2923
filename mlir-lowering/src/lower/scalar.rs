//! Scalar operators: total and free of undefined behaviour, as the scalar evaluator of the Core IR
//! defines them.
//!
//! | operator | lowered to |
//! | --- | --- |
//! | `+ - *`, bits, min, max | one `arith` operation |
//! | division, remainder | `arith.divsi` and relatives on a divisor that is never 0 or -1 |
//! | shifts | the shift, and a `select` for amounts beyond the width; see [`super::funnel`] for halves of products |
//! | `Pow` | a call of a small loop, one function per width |
//! | `FPow` | a mathematical function, but squares, cubes and fourth powers are products |
//! | floats | `arith` and intrinsics of the LLVM dialect; what has no instruction calls libm (see [`crate::abi::math_impl`]) |
//! | float to integer | see [`super::float_to_integer`] |
//!
//! `f16` is computed in `f32` and rounded, one operation at a time.

use super::function::Function;
use crate::Error;
use crate::abi::{self, MathImpl};
use crate::dialect::{Builder, FPredicate, FloatOp, Math, Meaning, Predicate, Val};
use crate::ffi;
use futc_midend::ir::{
    BinOp, CmpOp, Const, ConvOp, FloatType, IntType, MathFn, Prim, SubExp, UnOp,
};
use melior::ir::operation::OperationLike;
use melior::ir::r#type::IntegerType;
use melior::ir::{TypeLike, ValueLike};

type Result<T> = std::result::Result<T, Error>;

/// An operation on an operand, to a type.
type Conversion<'c, 's> = fn(&Builder<'c, 's>, Val<'c>, melior::ir::Type<'c>) -> Result<Val<'c>>;

impl<'c, 's> Function<'c, '_, 's, '_> {
    /// A unary operator.
    pub fn un_op(&mut self, op: UnOp, x: Val<'c>) -> Result<Val<'c>> {
        let ty = x.r#type();
        match op {
            UnOp::Not => {
                let one = self.b.int(ty, 1)?;
                self.b.xori(x, one)
            }
            UnOp::Complement(_) => {
                let ones = self.b.int(ty, -1)?;
                self.b.xori(x, ones)
            }
            UnOp::Neg(_) => {
                let zero = self.b.int(ty, 0)?;
                self.b.subi(zero, x)
            }
            UnOp::Abs(_) => {
                let zero = self.b.int(ty, 0)?;
                let negated = self.b.subi(zero, x)?;
                // Of the least integer, both are itself.
                self.b.maxsi(x, negated)
            }
            UnOp::SSignum(_) => {
                let zero = self.b.int(ty, 0)?;
                let positive = self.b.cmpi(Predicate::Slt, zero, x)?;
                let negative = self.b.cmpi(Predicate::Slt, x, zero)?;
                let positive = self.widen_bool(positive, ty)?;
                let negative = self.widen_bool(negative, ty)?;
                self.b.subi(positive, negative)
            }
            UnOp::USignum(_) => {
                let zero = self.b.int(ty, 0)?;
                let nonzero = self.b.cmpi(Predicate::Ne, x, zero)?;
                self.widen_bool(nonzero, ty)
            }
            UnOp::FNeg(_) => self.b.negf(x),
            UnOp::FAbs(_) => self.b.math(Math::AbsF, &[x]),
            UnOp::FSignum(t) => {
                let zero = self.b.constant_in(ty, Const::zero(Prim::Float(t)))?;
                let positive = self.b.cmpf(FPredicate::Ogt, x, zero)?;
                let negative = self.b.cmpf(FPredicate::Olt, x, zero)?;
                let nan = self.b.cmpf(FPredicate::Uno, x, x)?;
                let one = self.float_constant(ty, t, 1.0)?;
                let minus_one = self.float_constant(ty, t, -1.0)?;
                let r = self.b.select(nan, x, zero)?;
                let r = self.b.select(negative, minus_one, r)?;
                self.b.select(positive, one, r)
            }
        }
    }

    fn widen_bool(&self, x: Val<'c>, ty: melior::ir::Type<'c>) -> Result<Val<'c>> {
        self.b.extui(x, ty)
    }

    /// A constant, in every lane if `ty` is a vector.
    pub(super) fn float_constant(
        &self,
        ty: melior::ir::Type<'c>,
        t: FloatType,
        x: f64,
    ) -> Result<Val<'c>> {
        let c = match t {
            FloatType::F16 => Const::F16(half::f16::from_f64(x)),
            FloatType::F32 => Const::F32(x as f32),
            FloatType::F64 => Const::F64(x),
        };
        self.b.constant_in(ty, c)
    }

    /// A scalar type, or the vector of it with the lanes of `x`.
    fn like(&self, x: Val<'c>, scalar: melior::ir::Type<'c>) -> melior::ir::Type<'c> {
        self.b.shaped(x.r#type(), scalar)
    }

    /// A binary operator. The operands as written say whether a divisor is a harmless constant.
    pub fn bin_op(&mut self, op: BinOp, a: SubExp, b: SubExp) -> Result<Val<'c>> {
        let x = self.operand(a)?;
        let y = self.operand(b)?;
        self.bin_op_of(op, x, y, known_integer(b))
    }

    /// Whether a power is as exact by multiplications: a square is rounded once, and two roundings more are within 2 ulp. Products
    /// overflow, or come to nothing, where the power does. `f16` is rounded once from `f32`.
    fn is_product(&self, t: FloatType, n: i64) -> bool {
        let most = if t == FloatType::F16 || self.m.machine.exact { 2 } else { 4 };
        (2..=most).contains(&n)
    }

    /// `x` times itself, so often that it stands there two to four times.
    fn multiplied(&self, mul: BinOp, x: Val<'c>, n: i64) -> Result<Val<'c>> {
        let square = self.lanewise(mul, x, x)?;
        match n {
            2 => Ok(square),
            3 => self.lanewise(mul, square, x),
            _ => self.lanewise(mul, square, square),
        }
    }

    /// A binary operator on values, of which the second may be a whole number that is known.
    pub fn bin_op_of(
        &mut self,
        op: BinOp,
        x: Val<'c>,
        y: Val<'c>,
        known: Option<i64>,
    ) -> Result<Val<'c>> {
        let ty = x.r#type();
        match op {
            BinOp::SQuot(_) => self.signed_division(x, y, known, false),
            BinOp::SRem(_) => self.signed_remainder(x, y, known, false),
            BinOp::SDiv(_) => self.signed_division(x, y, known, true),
            BinOp::SMod(_) => self.signed_remainder(x, y, known, true),
            BinOp::UDiv(_) => {
                let y = self.nonzero(y, known)?;
                self.b.divui(x, y)
            }
            BinOp::UMod(_) => {
                let y = self.nonzero(y, known)?;
                self.b.remui(x, y)
            }
            BinOp::Shl(t) => self.logical_shift(Builder::shli, t, x, y, known),
            BinOp::LShr(t) => self.logical_shift(Builder::shrui, t, x, y, known),
            BinOp::AShr(t) => {
                let most = self.b.int(ty, i64::from(t.bits()) - 1)?;
                let y = match known {
                    Some(k) if (0..i64::from(t.bits())).contains(&k) => y,
                    _ => self.b.minui(y, most)?,
                };
                self.b.shrsi(x, y)
            }
            BinOp::Pow(_) => self.integer_power(x, y),
            BinOp::FMod(t) => {
                let symbol = abi::remainder_symbol(t);
                self.in_f32(t, &[x, y], |f, xs| f.c_function(symbol, xs))
            }
            BinOp::FPow(t) => match known.filter(|n| self.is_product(t, *n)) {
                Some(n) => self.multiplied(BinOp::FMul(t), x, n),
                None => self.in_f32(t, &[x, y], |f, xs| f.math_operation(Math::PowF, xs)),
            },
            BinOp::Or(_) => match self.funnel_shift(x, y)? {
                Some(shifted) => Ok(shifted),
                None => self.lanewise(op, x, y),
            },
            BinOp::Add(_)
            | BinOp::Sub(_)
            | BinOp::Mul(_)
            | BinOp::And(_)
            | BinOp::Xor(_)
            | BinOp::LogAnd
            | BinOp::LogOr
            | BinOp::SMin(_)
            | BinOp::SMax(_)
            | BinOp::UMin(_)
            | BinOp::UMax(_)
            | BinOp::FAdd(_)
            | BinOp::FSub(_)
            | BinOp::FMul(_)
            | BinOp::FDiv(_)
            | BinOp::FMin(_)
            | BinOp::FMax(_) => self.lanewise(op, x, y),
        }
    }

    /// An operator that is one operation, on scalars as on vectors.
    pub fn lanewise(&self, op: BinOp, x: Val<'c>, y: Val<'c>) -> Result<Val<'c>> {
        match op {
            BinOp::Add(_) => self.b.addi(x, y),
            BinOp::Sub(_) => self.b.subi(x, y),
            BinOp::Mul(_) => self.b.muli(x, y),
            BinOp::And(_) | BinOp::LogAnd => self.b.andi(x, y),
            BinOp::Or(_) | BinOp::LogOr => self.b.ori(x, y),
            BinOp::Xor(_) => self.b.xori(x, y),
            BinOp::SMin(_) => self.b.minsi(x, y),
            BinOp::SMax(_) => self.b.maxsi(x, y),
            BinOp::UMin(_) => self.b.minui(x, y),
            BinOp::UMax(_) => self.b.maxui(x, y),
            BinOp::FAdd(_) => self.b.float(FloatOp::Add, x, y, self.licence),
            BinOp::FSub(_) => self.b.float(FloatOp::Sub, x, y, self.licence),
            BinOp::FMul(_) => self.b.float(FloatOp::Mul, x, y, self.licence),
            BinOp::FDiv(_) => self.b.float(FloatOp::Div, x, y, self.licence),
            BinOp::FMin(t) => self.extremum(FloatOp::Min, t, x, y),
            BinOp::FMax(t) => self.extremum(FloatOp::Max, t, x, y),
            BinOp::SQuot(_)
            | BinOp::SRem(_)
            | BinOp::SDiv(_)
            | BinOp::SMod(_)
            | BinOp::UDiv(_)
            | BinOp::UMod(_)
            | BinOp::Shl(_)
            | BinOp::LShr(_)
            | BinOp::AShr(_)
            | BinOp::Pow(_)
            | BinOp::FMod(_)
            | BinOp::FPow(_) => Err(Error::bug("an operator that is several operations")),
        }
    }

    /// Of `f16`, LLVM would call a function of the C library for each pair.
    fn extremum(&self, op: FloatOp, t: FloatType, x: Val<'c>, y: Val<'c>) -> Result<Val<'c>> {
        if t != FloatType::F16 {
            return self.b.float(op, x, y, self.licence);
        }
        let by = if matches!(op, FloatOp::Min) { FPredicate::Olt } else { FPredicate::Ogt };
        let chosen = self.b.select(self.b.cmpf(by, x, y)?, x, y)?;
        self.b.select(self.b.cmpf(FPredicate::Uno, y, y)?, x, chosen)
    }

    /// A divisor that is not zero, where a certificate has not been able to say so: the quotient
    /// is then of no meaning, but the program does not stop.
    fn nonzero(&self, y: Val<'c>, known: Option<i64>) -> Result<Val<'c>> {
        if known.is_some_and(|k| k != 0) {
            return Ok(y);
        }
        if let Some(number) = spread_number(y) {
            return self.b.vector_broadcast(self.nonzero(number, known)?, y.r#type());
        }
        let one = self.b.int(y.r#type(), 1)?;
        self.b.maxui(y, one)
    }

    /// Whether the divisor is -1 or 0, and a divisor that is neither. Of one for all lanes it is made before they get it, so that
    /// [`crate::vector_division`] sees that they have one.
    fn proper_divisor(&self, y: Val<'c>) -> Result<(Val<'c>, Val<'c>)> {
        let ty = y.r#type();
        let one = self.b.int(ty, 1)?;
        let above = self.b.addi(y, one)?;
        let improper = self.b.cmpi(Predicate::Ule, above, one)?;
        let divisor = match spread_number(y) {
            Some(number) => self.b.vector_broadcast(self.proper_divisor(number)?.1, ty)?,
            None => self.b.select(improper, one, y)?,
        };
        Ok((improper, divisor))
    }

    fn signed_division(
        &self,
        x: Val<'c>,
        y: Val<'c>,
        known: Option<i64>,
        floor: bool,
    ) -> Result<Val<'c>> {
        if let Some(bits) = known.filter(|_| floor).and_then(power_of_two) {
            let bits = self.b.int(x.r#type(), bits)?;
            return self.b.shrsi(x, bits);
        }
        let zero = self.b.int(x.r#type(), 0)?;
        if known.is_some_and(|k| k != 0 && k != -1) {
            return if floor { self.floor_quotient(x, y) } else { self.b.divsi(x, y) };
        }
        let (improper, divisor) = self.proper_divisor(y)?;
        let quotient =
            if floor { self.floor_quotient(x, divisor)? } else { self.b.divsi(x, divisor)? };
        let negated = self.b.subi(zero, x)?;
        self.b.select(improper, negated, quotient)
    }

    fn signed_remainder(
        &self,
        x: Val<'c>,
        y: Val<'c>,
        known: Option<i64>,
        floor: bool,
    ) -> Result<Val<'c>> {
        if let Some(by) = known.filter(|k| floor && power_of_two(*k).is_some()) {
            let mask = self.b.int(x.r#type(), by - 1)?;
            return self.b.andi(x, mask);
        }
        // The remainder by 1, which stands for -1 here, is the remainder by -1.
        let y =
            if known.is_some_and(|k| k != 0 && k != -1) { y } else { self.proper_divisor(y)?.1 };
        let r = self.b.remsi(x, y)?;
        if !floor {
            return Ok(r);
        }
        let zero = self.b.int(x.r#type(), 0)?;
        if known.is_some_and(|k| k > 0) {
            // The remainder comes soon then: what it may have to be is computed beside the question.
            let more = self.b.addi(r, y)?;
            let negative = self.b.cmpi(Predicate::Slt, r, zero)?;
            return self.b.select(negative, more, r);
        }
        let differ = self.signs_differ(x, y)?;
        let missing = self.b.select(differ, y, zero)?;
        let nonzero = self.b.cmpi(Predicate::Ne, r, zero)?;
        let missing = self.b.select(nonzero, missing, zero)?;
        self.b.addi(r, missing)
    }

    /// `x / y` rounded down.
    fn floor_quotient(&self, x: Val<'c>, y: Val<'c>) -> Result<Val<'c>> {
        let ty = x.r#type();
        let q = self.b.divsi(x, y)?;
        let r = self.b.remsi(x, y)?;
        let zero = self.b.int(ty, 0)?;
        let nonzero = self.b.cmpi(Predicate::Ne, r, zero)?;
        let differ = self.signs_differ(x, y)?;
        let adjust = self.b.andi(nonzero, differ)?;
        let one = self.b.int(ty, 1)?;
        let less = self.b.subi(q, one)?;
        self.b.select(adjust, less, q)
    }

    /// Whether a quotient is negative or zero: the signs of dividend and divisor differ. The sign of the
    /// remainder, if it is not zero, is that of the dividend, which is known while the processor still divides.
    fn signs_differ(&self, x: Val<'c>, y: Val<'c>) -> Result<Val<'c>> {
        let zero = self.b.int(x.r#type(), 0)?;
        let mixed = self.b.xori(x, y)?;
        self.b.cmpi(Predicate::Slt, mixed, zero)
    }

    fn logical_shift(
        &self,
        shift: fn(&Builder<'c, 's>, Val<'c>, Val<'c>) -> Result<Val<'c>>,
        t: IntType,
        x: Val<'c>,
        y: Val<'c>,
        known: Option<i64>,
    ) -> Result<Val<'c>> {
        if known.is_some_and(|k| (0..i64::from(t.bits())).contains(&k)) {
            return shift(&self.b, x, y);
        }
        let ty = x.r#type();
        let width = self.b.int(ty, i64::from(t.bits()))?;
        let inside = self.b.cmpi(Predicate::Ult, y, width)?;
        let shifted = shift(&self.b, x, y)?;
        let zero = self.b.int(ty, 0)?;
        self.b.select(inside, shifted, zero)
    }

    fn integer_power(&mut self, x: Val<'c>, y: Val<'c>) -> Result<Val<'c>> {
        let ty = x.r#type();
        let symbol = self.power_function(ty)?;
        let values = self.b.func_call(&symbol, &[x, y], &[ty])?;
        values.first().copied().ok_or_else(|| Error::bug("a power without a result"))
    }

    /// A comparison.
    pub fn cmp_op(&mut self, op: CmpOp, x: Val<'c>, y: Val<'c>) -> Result<Val<'c>> {
        match op {
            CmpOp::Eq(Prim::Bool | Prim::Int(_)) => self.b.cmpi(Predicate::Eq, x, y),
            CmpOp::Eq(Prim::Float(_)) => self.b.cmpf(FPredicate::Oeq, x, y),
            CmpOp::ULt(_) => self.b.cmpi(Predicate::Ult, x, y),
            CmpOp::ULe(_) => self.b.cmpi(Predicate::Ule, x, y),
            CmpOp::SLt(_) => self.b.cmpi(Predicate::Slt, x, y),
            CmpOp::SLe(_) => self.b.cmpi(Predicate::Sle, x, y),
            CmpOp::FLt(_) => self.b.cmpf(FPredicate::Olt, x, y),
            CmpOp::FLe(_) => self.b.cmpf(FPredicate::Ole, x, y),
            CmpOp::LLt => self.b.cmpi(Predicate::Ult, x, y),
            CmpOp::LLe => self.b.cmpi(Predicate::Ule, x, y),
        }
    }

    /// A conversion.
    pub fn conv_op(&mut self, op: ConvOp, x: Val<'c>) -> Result<Val<'c>> {
        let to = self.like(x, self.b.types().prim(op.types().1));
        match op {
            ConvOp::ZExt(a, b) => self.resize(Builder::extui, a, b, x),
            ConvOp::SExt(a, b) => self.resize(Builder::extsi, a, b, x),
            ConvOp::FPConv(a, b) => match a.bits().cmp(&b.bits()) {
                std::cmp::Ordering::Less => self.b.extf(x, to),
                std::cmp::Ordering::Equal => Ok(x),
                std::cmp::Ordering::Greater => self.b.truncf(x, to),
            },
            ConvOp::FPToUI(a, to) => self.float_to_integer(false, a, x, to),
            ConvOp::FPToSI(a, to) => self.float_to_integer(true, a, x, to),
            ConvOp::UIToFP(_, b) => self.integer_to_float(Builder::uitofp, b, x),
            ConvOp::SIToFP(_, b) => self.integer_to_float(Builder::sitofp, b, x),
            ConvOp::IToB(_) => {
                let zero = self.b.int(x.r#type(), 0)?;
                self.b.cmpi(Predicate::Ne, x, zero)
            }
            ConvOp::BToI(_) => self.widen_bool(x, to),
            ConvOp::FToB(t) => {
                let zero = self.b.constant_in(x.r#type(), Const::zero(Prim::Float(t)))?;
                self.b.cmpf(FPredicate::Une, x, zero)
            }
            ConvOp::BToF(_) => self.b.uitofp(x, to),
            ConvOp::FToBits(_) | ConvOp::BitsToF(_) => self.b.bitcast(x, to),
        }
    }

    fn resize(
        &self,
        extend: Conversion<'c, 's>,
        a: IntType,
        b: IntType,
        x: Val<'c>,
    ) -> Result<Val<'c>> {
        let to = self.like(x, self.b.types().int(b));
        match a.bits().cmp(&b.bits()) {
            std::cmp::Ordering::Less => extend(&self.b, x, to),
            std::cmp::Ordering::Equal => Ok(x),
            std::cmp::Ordering::Greater => self.b.trunci(x, to),
        }
    }

    fn integer_to_float(
        &self,
        convert: Conversion<'c, 's>,
        to: FloatType,
        x: Val<'c>,
    ) -> Result<Val<'c>> {
        let types = self.b.types();
        match to {
            FloatType::F16 => {
                let wide = convert(&self.b, x, self.like(x, types.f32))?;
                self.b.truncf(wide, self.like(x, types.f16))
            }
            FloatType::F32 | FloatType::F64 => convert(&self.b, x, self.like(x, types.float(to))),
        }
    }

    /// Runs `f` on the operands widened to `f32` if they are `f16`, and rounds its result.
    fn in_f32(
        &mut self,
        t: FloatType,
        xs: &[Val<'c>],
        f: impl FnOnce(&mut Self, &[Val<'c>]) -> Result<Val<'c>>,
    ) -> Result<Val<'c>> {
        match t {
            FloatType::F32 | FloatType::F64 => f(self, xs),
            FloatType::F16 => {
                let types = self.b.types();
                let mut wide = Vec::with_capacity(xs.len());
                for x in xs {
                    // The exponent of `ldexp` is an integer.
                    let half = x.r#type() == self.like(*x, types.f16);
                    wide.push(if half { self.b.extf(*x, self.like(*x, types.f32))? } else { *x });
                }
                let result = f(self, &wide)?;
                self.b.truncf(result, self.like(result, types.f16))
            }
        }
    }

    /// An operation of the `math` dialect.
    fn math_operation(&mut self, operation: Math, xs: &[Val<'c>]) -> Result<Val<'c>> {
        let scalar = xs.first().is_some_and(|x| ffi::vector_length(x.r#type()).is_none());
        match (self.as_lane_of, operation.meaning()) {
            (Some(lanes), Meaning::Function(..)) if scalar => {
                self.in_a_lane(lanes, xs, |f, xs| f.b.math(operation, xs))
            }
            _ => self.b.math(operation, xs),
        }
    }

    /// What a function of vectors makes of scalars in all of so many lanes.
    fn in_a_lane(
        &mut self,
        lanes: i64,
        xs: &[Val<'c>],
        f: impl FnOnce(&mut Self, &[Val<'c>]) -> Result<Val<'c>>,
    ) -> Result<Val<'c>> {
        let lanes = u64::try_from(lanes).map_err(Error::bug)?;
        let mut vectors = Vec::with_capacity(xs.len());
        for x in xs {
            let ty = melior::ir::Type::vector(&[lanes], x.r#type());
            vectors.push(self.b.vector_broadcast(*x, ty)?);
        }
        let result = f(self, &vectors)?;
        self.b.vector_extract(result, 0)
    }

    /// A call of a C function on floats, or of its version for vectors.
    fn c_function(&mut self, symbol: &'static str, xs: &[Val<'c>]) -> Result<Val<'c>> {
        let ty = xs.first().ok_or_else(|| Error::bug("no operands"))?.r#type();
        if let Some(lanes) = self.as_lane_of
            && ffi::vector_length(ty).is_none()
        {
            return self.in_a_lane(lanes, xs, |f, xs| f.c_function(symbol, xs));
        }
        let called = if ffi::vector_length(ty).is_some() {
            let types: Vec<_> = xs.iter().map(ValueLike::r#type).collect();
            let version = self.declare_vector_function(symbol, &types, ty)?;
            self.b.llvm_call(&version, xs, Some(ty))
        } else {
            self.declare_scalar_function(symbol)?;
            self.b.llvm_call(symbol, xs, Some(ty))
        };
        called?.ok_or_else(|| Error::bug("a function without result"))
    }

    /// A scalar function.
    pub fn math(&mut self, function: MathFn, ty: Prim, xs: &[Val<'c>]) -> Result<Val<'c>> {
        match ty {
            Prim::Float(t) => self.float_function(function, t, xs),
            Prim::Int(t) => self.integer_function(function, t, xs),
            Prim::Bool => Err(Error::bug(format_args!("{} at bool", function.name()))),
        }
    }

    fn float_function(
        &mut self,
        function: MathFn,
        t: FloatType,
        xs: &[Val<'c>],
    ) -> Result<Val<'c>> {
        if function == MathFn::NextAfter && t == FloatType::F16 {
            let [x, y] = *xs else { return Err(Error::bug("nextafter takes two")) };
            return self.next_after_half(x, y);
        }
        match abi::math_impl(function) {
            MathImpl::Operation(operation) => match (function, t) {
                // In f64, where the product is exact and the sum nearly always.
                (MathFn::Fma, FloatType::F16) => {
                    let types = self.b.types();
                    let mut wide = Vec::with_capacity(3);
                    for x in xs {
                        wide.push(self.b.extf(*x, self.like(*x, types.f64))?);
                    }
                    let sum = self.b.math(operation, &wide)?;
                    self.b.truncf(sum, self.like(sum, types.f16))
                }
                (MathFn::Sqrt, _) => self.in_f32(t, xs, |f, xs| {
                    f.b.root(*xs.first().ok_or_else(|| Error::bug("no operands"))?, f.licence)
                }),
                _ => self.in_f32(t, xs, |f, xs| f.math_operation(operation, xs)),
            },
            MathImpl::Function(double, float) => {
                let symbol = if t == FloatType::F64 { double } else { float };
                self.in_f32(t, xs, |f, xs| f.c_function(symbol, xs))
            }
            MathImpl::Inline => self.inline_float_function(function, t, xs),
        }
    }

    fn inline_float_function(
        &mut self,
        function: MathFn,
        t: FloatType,
        xs: &[Val<'c>],
    ) -> Result<Val<'c>> {
        let wide = if t == FloatType::F16 { FloatType::F32 } else { t };
        let pi = |f: &Self, like: Val<'c>| match wide {
            FloatType::F16 | FloatType::F32 => {
                f.b.constant_in(like.r#type(), Const::F32(std::f32::consts::PI))
            }
            FloatType::F64 => f.b.constant_in(like.r#type(), Const::F64(std::f64::consts::PI)),
        };
        // Functions of an angle in half turns.
        let turns = |f: &mut Self, of: MathFn| {
            f.in_f32(t, xs, |f, xs| {
                let x = *xs.first().ok_or_else(|| Error::bug("no operands"))?;
                let pi = pi(f, x)?;
                let x = f.b.mulf(pi, x)?;
                f.float_function(of, wide, &[x])
            })
        };
        let angle = |f: &mut Self, of: MathFn| {
            f.in_f32(t, xs, |f, xs| {
                let angle = f.float_function(of, wide, xs)?;
                let pi = pi(f, angle)?;
                f.b.divf(angle, pi)
            })
        };
        match (function, xs) {
            (MathFn::Rsqrt, _) => self.in_f32(t, xs, |f, xs| {
                let x = *xs.first().ok_or_else(|| Error::bug("no operands"))?;
                let root = f.b.root(x, f.licence)?;
                let one = f.float_constant(root.r#type(), wide, 1.0)?;
                f.b.float(FloatOp::Div, one, root, f.licence)
            }),
            (MathFn::SinPi, _) => turns(self, MathFn::Sin),
            (MathFn::CosPi, _) => turns(self, MathFn::Cos),
            (MathFn::TanPi, _) => turns(self, MathFn::Tan),
            (MathFn::AsinPi, _) => angle(self, MathFn::Asin),
            (MathFn::AcosPi, _) => angle(self, MathFn::Acos),
            (MathFn::AtanPi, _) => angle(self, MathFn::Atan),
            (MathFn::Atan2Pi, _) => angle(self, MathFn::Atan2),
            (MathFn::Lerp, &[x, y, s]) => {
                let d = self.b.float(FloatOp::Sub, y, x, self.licence)?;
                let d = self.b.float(FloatOp::Mul, d, s, self.licence)?;
                self.b.float(FloatOp::Add, x, d, self.licence)
            }
            (MathFn::Mad, &[x, y, z]) => {
                let p = self.b.float(FloatOp::Mul, x, y, self.licence)?;
                self.b.float(FloatOp::Add, p, z, self.licence)
            }
            (MathFn::IsNan, &[x]) => self.b.cmpf(FPredicate::Uno, x, x),
            (MathFn::IsInf, &[x]) => {
                let magnitude = self.b.math(Math::AbsF, &[x])?;
                let infinity = self.float_constant(x.r#type(), t, f64::INFINITY)?;
                self.b.cmpf(FPredicate::Oeq, magnitude, infinity)
            }
            _ => Err(Error::bug(format_args!("{} at {t}", function.name()))),
        }
    }

    /// `nextafter` on the bits, since there is no f16 version to call.
    fn next_after_half(&mut self, x: Val<'c>, y: Val<'c>) -> Result<Val<'c>> {
        let types = self.b.types();
        let (half, int) = (x.r#type(), self.like(x, types.i16));
        let zero = self.b.constant_in(half, Const::zero(Prim::Float(FloatType::F16)))?;
        let bits = self.b.bitcast(x, int)?;
        let up = self.b.cmpf(FPredicate::Olt, x, y)?;
        let negative = self.b.int(int, 0)?;
        let negative = self.b.cmpi(Predicate::Slt, bits, negative)?;
        let away = self.b.xori(up, negative)?;
        let one = self.b.int(int, 1)?;
        let minus_one = self.b.int(int, -1)?;
        let step = self.b.select(away, one, minus_one)?;
        let next = self.b.addi(bits, step)?;
        let least = self.b.int(int, i64::from(0x8001_u16 as i16))?;
        let least = self.b.select(up, one, least)?;
        let at_zero = self.b.cmpf(FPredicate::Oeq, x, zero)?;
        let next = self.b.select(at_zero, least, next)?;
        let next = self.b.bitcast(next, half)?;
        // Equal: the second; NaN: whichever is.
        let equal = self.b.cmpf(FPredicate::Oeq, x, y)?;
        let y_nan = self.b.cmpf(FPredicate::Uno, y, y)?;
        let x_nan = self.b.cmpf(FPredicate::Uno, x, x)?;
        let second = self.b.ori(equal, y_nan)?;
        let result = self.b.select(second, y, next)?;
        self.b.select(x_nan, x, result)
    }

    fn integer_function(
        &mut self,
        function: MathFn,
        t: IntType,
        xs: &[Val<'c>],
    ) -> Result<Val<'c>> {
        match (function, xs) {
            (MathFn::Popc, &[x]) => {
                let n = self.b.math_ctpop(x)?;
                self.resize(Builder::extui, t, IntType::I32, n)
            }
            (MathFn::Clz | MathFn::Ctz, &[x]) => {
                let n = if function == MathFn::Clz {
                    self.b.math_ctlz(x)
                } else {
                    self.b.math_cttz(x)
                }?;
                self.resize(Builder::extui, t, IntType::I32, n)
            }
            (MathFn::SMulHi, &[x, y]) => self.high_product(Builder::extsi, t, x, y),
            (MathFn::UMulHi, &[x, y]) => self.high_product(Builder::extui, t, x, y),
            (MathFn::SMadHi, &[x, y, z]) => {
                let high = self.high_product(Builder::extsi, t, x, y)?;
                self.b.addi(high, z)
            }
            (MathFn::UMadHi, &[x, y, z]) => {
                let high = self.high_product(Builder::extui, t, x, y)?;
                self.b.addi(high, z)
            }
            _ => Err(Error::bug(format_args!("{} at {t}", function.name()))),
        }
    }

    /// The upper half of the full product.
    fn high_product(
        &self,
        extend: Conversion<'c, 's>,
        t: IntType,
        x: Val<'c>,
        y: Val<'c>,
    ) -> Result<Val<'c>> {
        let narrow = x.r#type();
        let wide = self.like(x, IntegerType::new(self.b.shared.context, 2 * t.bits()).into());
        let x = extend(&self.b, x, wide)?;
        let y = extend(&self.b, y, wide)?;
        let product = self.b.muli(x, y)?;
        let bits = self.b.int(wide, i64::from(t.bits()))?;
        let high = self.b.shrui(product, bits)?;
        self.b.trunci(high, narrow)
    }
}

/// The whole number that an operand is known to be.
pub fn known_integer(x: SubExp) -> Option<i64> {
    let whole = |x: f64| (x.trunc() == x && x.abs() < 1024.0).then_some(x as i64);
    match x {
        SubExp::Const(Const::F16(x)) => whole(x.to_f64()),
        SubExp::Const(Const::F32(x)) => whole(x.into()),
        SubExp::Const(Const::F64(x)) => whole(x),
        SubExp::Const(c) => c.as_int(),
        SubExp::Var(_) => None,
    }
}

/// Which power of two a divisor is, from 2 on: to round down is to shift then, whatever the sign.
fn power_of_two(divisor: i64) -> Option<i64> {
    (divisor > 1 && divisor.cast_unsigned().is_power_of_two()).then(|| divisor.ilog2().into())
}

/// The number that all lanes of a vector are.
fn spread_number<'c>(x: Val<'c>) -> Option<Val<'c>> {
    let made_by = ffi::made_by(x)?;
    let spread = made_by.name().as_string_ref().as_str() == Ok("vector.broadcast");
    let number = made_by.operand(0).ok().filter(|_| spread)?;
    (!number.r#type().is_vector()).then_some(ffi::detach_value(number))
}

//! Scalar operators. Their meaning is fixed once, in the constant evaluator that the interpreter
//! and the simplifier share.

use super::prim::{FloatType, IntType, Prim};

/// Unary operators; the result has the operand's type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnOp {
    /// Logical not.
    Not,
    /// Bitwise complement.
    Complement(IntType),
    /// Integer negation, wrapping.
    Neg(IntType),
    /// Float negation.
    FNeg(FloatType),
    /// Absolute value of a signed integer, wrapping.
    Abs(IntType),
    /// Absolute value of a float.
    FAbs(FloatType),
    /// -1, 0 or 1.
    SSignum(IntType),
    /// 0 or 1.
    USignum(IntType),
    /// -1, 0 or 1; NaN of NaN.
    FSignum(FloatType),
}

macro_rules! binary_operators {
    ($($(#[doc = $doc:literal])* $variant:ident $kind:ident $type:ident $name:literal,)*) => {
        /// Binary operators; both operands and the result have the same type. Integer arithmetic wraps.
        ///
        /// Division and remainder by zero have no meaning: a certificate guards every such statement
        /// whose divisor is not evidently nonzero. The least integer divided by -1 wraps.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum BinOp {
            $($(#[doc = $doc])* $variant($type),)*
            /// Logical and, both sides evaluated.
            LogAnd,
            /// Logical or, both sides evaluated.
            LogOr,
        }

        impl BinOp {
            /// Every operator, at every type.
            pub fn all() -> Vec<BinOp> {
                let mut all = vec![BinOp::LogAnd, BinOp::LogOr];
                $(all.extend($type::ALL.iter().copied().map(BinOp::$variant));)*
                all
            }

            /// The name, without the type.
            pub fn name(self) -> &'static str {
                match self {
                    $(BinOp::$variant(_) => $name,)*
                    BinOp::LogAnd => "logand",
                    BinOp::LogOr => "logor",
                }
            }

            /// The operands' and result's type.
            pub fn prim(self) -> Prim {
                match self {
                    $(BinOp::$variant(t) => Prim::$kind(t),)*
                    BinOp::LogAnd | BinOp::LogOr => Prim::Bool,
                }
            }
        }
    };
}

// A row for each: what it does, its kind of type, and its name in the text.
binary_operators! {
    /// Addition.
    Add Int IntType "add",
    /// Subtraction.
    Sub Int IntType "sub",
    /// Multiplication.
    Mul Int IntType "mul",
    /// Signed division, rounding towards negative infinity: `/`.
    SDiv Int IntType "sdiv",
    /// Signed modulus, sign of the divisor: `%`.
    SMod Int IntType "smod",
    /// Signed division, rounding towards zero: `//`.
    SQuot Int IntType "squot",
    /// Signed remainder, sign of the dividend: `%%`.
    SRem Int IntType "srem",
    /// Unsigned division.
    UDiv Int IntType "udiv",
    /// Unsigned modulus.
    UMod Int IntType "umod",
    /// Left shift; 0 beyond the width.
    Shl Int IntType "shl",
    /// Logical right shift; 0 beyond the width.
    LShr Int IntType "lshr",
    /// Arithmetic right shift; the sign beyond the width.
    AShr Int IntType "ashr",
    /// Bitwise and.
    And Int IntType "and",
    /// Bitwise or.
    Or Int IntType "or",
    /// Bitwise exclusive or.
    Xor Int IntType "xor",
    /// Signed minimum.
    SMin Int IntType "smin",
    /// Signed maximum.
    SMax Int IntType "smax",
    /// Unsigned minimum.
    UMin Int IntType "umin",
    /// Unsigned maximum.
    UMax Int IntType "umax",
    /// Integer power by repeated multiplication; the exponent is unsigned.
    Pow Int IntType "pow",
    /// Float addition.
    FAdd Float FloatType "fadd",
    /// Float subtraction.
    FSub Float FloatType "fsub",
    /// Float multiplication.
    FMul Float FloatType "fmul",
    /// Float division.
    FDiv Float FloatType "fdiv",
    /// Float remainder, sign of the dividend, as C's `fmod`.
    FMod Float FloatType "fmod",
    /// As C's `pow`.
    FPow Float FloatType "fpow",
    /// As C's `fmin`: the other one if one is NaN.
    FMin Float FloatType "fmin",
    /// As C's `fmax`.
    FMax Float FloatType "fmax",
}

impl BinOp {
    /// Whether there are second operands for which it has no result: a divisor of zero, a negative
    /// exponent.
    pub fn is_partial(self) -> bool {
        use BinOp::{Pow, SDiv, SMod, SQuot, SRem, UDiv, UMod};
        matches!(self, SDiv(_) | SMod(_) | SQuot(_) | SRem(_) | UDiv(_) | UMod(_) | Pow(_))
    }

    /// Whether it is a minimum or maximum.
    pub fn is_extreme(self) -> bool {
        use BinOp::{FMax, FMin, SMax, SMin, UMax, UMin};
        matches!(self, SMin(_) | SMax(_) | UMin(_) | UMax(_) | FMin(_) | FMax(_))
    }

    /// Whether it takes many cycles; all others take a few.
    pub fn is_slow(self) -> bool {
        self.is_partial() || matches!(self, BinOp::FDiv(_) | BinOp::FMod(_) | BinOp::FPow(_))
    }
}

/// Comparisons; the result is `bool`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CmpOp {
    /// Equality at any primitive type; of floats as IEEE says.
    Eq(Prim),
    /// Unsigned less.
    ULt(IntType),
    /// Unsigned less or equal.
    ULe(IntType),
    /// Signed less.
    SLt(IntType),
    /// Signed less or equal.
    SLe(IntType),
    /// Ordered float less.
    FLt(FloatType),
    /// Ordered float less or equal.
    FLe(FloatType),
    /// `false < true`.
    LLt,
    /// Less or equal.
    LLe,
}

/// Conversions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ConvOp {
    /// Zero-extend or truncate.
    ZExt(IntType, IntType),
    /// Sign-extend or truncate.
    SExt(IntType, IntType),
    /// Between floats, to nearest.
    FPConv(FloatType, FloatType),
    /// Truncate towards zero. NaN and the infinities give 0; a negative number is converted as if
    /// to the signed type of the same width (so -1 gives the greatest), others saturate.
    FPToUI(FloatType, IntType),
    /// Truncate towards zero. NaN and the infinities give 0, others out of range saturate.
    FPToSI(FloatType, IntType),
    /// To nearest.
    UIToFP(IntType, FloatType),
    /// To nearest.
    SIToFP(IntType, FloatType),
    /// Nonzero.
    IToB(IntType),
    /// 0 or 1.
    BToI(IntType),
    /// Not equal to zero.
    FToB(FloatType),
    /// 0 or 1.
    BToF(FloatType),
    /// The bits of a float.
    FToBits(FloatType),
    /// The float of these bits.
    BitsToF(FloatType),
}

impl ConvOp {
    /// Operand and result type.
    pub fn types(self) -> (Prim, Prim) {
        fn bits(t: FloatType) -> IntType {
            match t {
                FloatType::F16 => IntType::I16,
                FloatType::F32 => IntType::I32,
                FloatType::F64 => IntType::I64,
            }
        }
        match self {
            ConvOp::ZExt(a, b) | ConvOp::SExt(a, b) => (Prim::Int(a), Prim::Int(b)),
            ConvOp::FPConv(a, b) => (Prim::Float(a), Prim::Float(b)),
            ConvOp::FPToUI(a, b) | ConvOp::FPToSI(a, b) => (Prim::Float(a), Prim::Int(b)),
            ConvOp::UIToFP(a, b) | ConvOp::SIToFP(a, b) => (Prim::Int(a), Prim::Float(b)),
            ConvOp::IToB(a) => (Prim::Int(a), Prim::Bool),
            ConvOp::BToI(a) => (Prim::Bool, Prim::Int(a)),
            ConvOp::FToB(a) => (Prim::Float(a), Prim::Bool),
            ConvOp::BToF(a) => (Prim::Bool, Prim::Float(a)),
            ConvOp::FToBits(a) => (Prim::Float(a), Prim::Int(bits(a))),
            ConvOp::BitsToF(a) => (Prim::Int(bits(a)), Prim::Float(a)),
        }
    }
}

macro_rules! math_fns {
    ($($variant:ident $name:literal $arity:literal,)*) => {
        /// Scalar functions other than operators. The type they are used at stands beside them in
        /// [`super::Exp::Math`]: the type of the arguments and, but for the exceptions of
        /// [`MathFn::result`], of the result.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[allow(missing_docs, reason = "the names are those of the prelude")]
        pub enum MathFn { $($variant,)* }

        impl MathFn {
            /// Every function.
            pub const ALL: &[MathFn] = &[$(MathFn::$variant,)*];

            /// The name, as in the intrinsics.
            pub fn name(self) -> &'static str {
                match self { $(MathFn::$variant => $name,)* }
            }

            /// Number of arguments.
            pub fn arity(self) -> usize {
                match self { $(MathFn::$variant => $arity,)* }
            }
        }
    };
}

math_fns! {
    Sqrt "sqrt" 1, Rsqrt "rsqrt" 1, Cbrt "cbrt" 1, Exp "exp" 1, Log "log" 1, Log2 "log2" 1,
    Log10 "log10" 1, Log1p "log1p" 1, Sin "sin" 1, Cos "cos" 1, Tan "tan" 1, SinPi "sinpi" 1,
    CosPi "cospi" 1, TanPi "tanpi" 1, Asin "asin" 1, Acos "acos" 1, Atan "atan" 1,
    AsinPi "asinpi" 1, AcosPi "acospi" 1, AtanPi "atanpi" 1, Sinh "sinh" 1, Cosh "cosh" 1,
    Tanh "tanh" 1, Asinh "asinh" 1, Acosh "acosh" 1, Atanh "atanh" 1, Atan2 "atan2" 2,
    Atan2Pi "atan2pi" 2, Hypot "hypot" 2, Gamma "gamma" 1, Lgamma "lgamma" 1, Erf "erf" 1,
    Erfc "erfc" 1, Ceil "ceil" 1, Floor "floor" 1, Trunc "trunc" 1, Round "round" 1,
    Lerp "lerp" 3, Mad "mad" 3, Fma "fma" 3, NextAfter "nextafter" 2, Ldexp "ldexp" 2,
    CopySign "copysign" 2, IsNan "isnan" 1, IsInf "isinf" 1,
    Popc "popc" 1, Clz "clz" 1, Ctz "ctz" 1, SMulHi "smul_hi" 2, UMulHi "umul_hi" 2,
    SMadHi "smad_hi" 3, UMadHi "umad_hi" 3,
}

impl MathFn {
    /// The result type at argument type `ty`: `bool` for the predicates, `i32` for the bit
    /// counts, `ty` otherwise. The second argument of `ldexp` is an `i32`.
    pub fn result(self, ty: Prim) -> Prim {
        match self {
            MathFn::IsNan | MathFn::IsInf => Prim::Bool,
            MathFn::Popc | MathFn::Clz | MathFn::Ctz => Prim::Int(IntType::I32),
            _ => ty,
        }
    }
}

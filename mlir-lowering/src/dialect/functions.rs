//! Functions on numbers: operations of `math`, intrinsics of LLVM, and functions of the C library.

/// Functions that have an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "named after the operations")]
pub enum Math {
    Sqrt,
    Ceil,
    Floor,
    Trunc,
    RoundEven,
    Fma,
    CopySign,
    AbsF,
    Cbrt,
    Exp,
    Log,
    Log2,
    Log10,
    Log1p,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Atan2,
    Erf,
    Erfc,
    PowF,
}

impl Math {
    /// Every function, by the operation's name, with the intrinsic of LLVM that all targets have as an
    /// instruction or a short sequence; or with the function of the C library.
    pub(super) const ALL: &[(Math, &str, Meaning)] = &[
        (Math::Sqrt, "math.sqrt", Meaning::Intrinsic(Intrinsic::Sqrt)),
        (Math::Ceil, "math.ceil", Meaning::Intrinsic(Intrinsic::Ceil)),
        (Math::Floor, "math.floor", Meaning::Intrinsic(Intrinsic::Floor)),
        (Math::Trunc, "math.trunc", Meaning::Intrinsic(Intrinsic::Trunc)),
        (Math::RoundEven, "math.roundeven", Meaning::Intrinsic(Intrinsic::RoundEven)),
        (Math::Fma, "math.fma", Meaning::Intrinsic(Intrinsic::Fma)),
        (Math::CopySign, "math.copysign", Meaning::Intrinsic(Intrinsic::CopySign)),
        (Math::AbsF, "math.absf", Meaning::Intrinsic(Intrinsic::FAbs)),
        (Math::Cbrt, "math.cbrt", Meaning::Function("cbrt", "cbrtf")),
        (Math::Exp, "math.exp", Meaning::Function("exp", "expf")),
        (Math::Log, "math.log", Meaning::Function("log", "logf")),
        (Math::Log2, "math.log2", Meaning::Function("log2", "log2f")),
        (Math::Log10, "math.log10", Meaning::Function("log10", "log10f")),
        (Math::Log1p, "math.log1p", Meaning::Function("log1p", "log1pf")),
        (Math::Sin, "math.sin", Meaning::Function("sin", "sinf")),
        (Math::Cos, "math.cos", Meaning::Function("cos", "cosf")),
        (Math::Tan, "math.tan", Meaning::Function("tan", "tanf")),
        (Math::Asin, "math.asin", Meaning::Function("asin", "asinf")),
        (Math::Acos, "math.acos", Meaning::Function("acos", "acosf")),
        (Math::Atan, "math.atan", Meaning::Function("atan", "atanf")),
        (Math::Sinh, "math.sinh", Meaning::Function("sinh", "sinhf")),
        (Math::Cosh, "math.cosh", Meaning::Function("cosh", "coshf")),
        (Math::Tanh, "math.tanh", Meaning::Function("tanh", "tanhf")),
        (Math::Asinh, "math.asinh", Meaning::Function("asinh", "asinhf")),
        (Math::Acosh, "math.acosh", Meaning::Function("acosh", "acoshf")),
        (Math::Atanh, "math.atanh", Meaning::Function("atanh", "atanhf")),
        (Math::Atan2, "math.atan2", Meaning::Function("atan2", "atan2f")),
        (Math::Erf, "math.erf", Meaning::Function("erf", "erff")),
        (Math::Erfc, "math.erfc", Meaning::Function("erfc", "erfcf")),
        (Math::PowF, "math.powf", Meaning::Function("pow", "powf")),
    ];

    /// The function that an operation of the dialect stands for.
    pub fn of_name(name: &str) -> Option<Math> {
        let found = Math::ALL.iter().find(|(_, n, _)| n.strip_prefix("math.") == Some(name));
        found.map(|(function, ..)| *function)
    }

    /// What becomes of it.
    pub fn meaning(self) -> Meaning {
        let found = Math::ALL.iter().find(|(function, ..)| *function == self);
        found.map_or(Meaning::Function("", ""), |(.., meaning)| *meaning)
    }

    /// The function of the C library for `double` that an operation stands for, if it does.
    pub fn c_name(self) -> Option<&'static str> {
        match self.meaning() {
            Meaning::Function(double, _) => Some(double),
            Meaning::Intrinsic(_) => None,
        }
    }

    /// The operation that stands for a function of the C library for `double`.
    pub fn of_c_name(double: &str) -> Option<Math> {
        let mut all = Math::ALL.iter().map(|(function, ..)| *function);
        all.find(|function| function.c_name() == Some(double))
    }

    /// The functions of the C library: for `double`, for `float`, and how many arguments they take.
    pub fn c_functions() -> impl Iterator<Item = (&'static str, &'static str, usize)> {
        Math::ALL.iter().filter_map(|(function, _, meaning)| match meaning {
            Meaning::Function(double, float) => {
                let two = matches!(function, Math::Atan2 | Math::PowF);
                Some((*double, *float, if two { 2 } else { 1 }))
            }
            Meaning::Intrinsic(_) => None,
        })
    }
}

/// What is called in the place of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// An intrinsic of LLVM.
    Intrinsic(Intrinsic),
    /// A function of the C library: for `double`, and for `float`.
    Function(&'static str, &'static str),
}

/// Intrinsics of LLVM that are called by their names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "named after the intrinsics")]
pub enum Intrinsic {
    Sqrt,
    Ceil,
    Floor,
    Trunc,
    RoundEven,
    Fma,
    CopySign,
    FAbs,
    MinNum,
    MaxNum,
    Minimum,
    Maximum,
    FpToSiSat,
    FpToUiSat,
    ReduceAdd,
    ReduceOr,
    ReduceAnd,
    Compress,
    PermuteWords,
    PermuteBytes,
    PermuteBytesOfTwo,
    ScaleF32,
    ScaleF64,
    ExponentF32,
    ExponentF64,
    MantissaF32,
    MantissaF64,
    SpecialF32,
    SpecialF64,
}

impl Intrinsic {
    pub(super) fn name(self) -> &'static str {
        match self {
            Intrinsic::Sqrt => "llvm.sqrt",
            Intrinsic::Ceil => "llvm.ceil",
            Intrinsic::Floor => "llvm.floor",
            Intrinsic::Trunc => "llvm.trunc",
            Intrinsic::RoundEven => "llvm.roundeven",
            Intrinsic::Fma => "llvm.fma",
            Intrinsic::CopySign => "llvm.copysign",
            Intrinsic::FAbs => "llvm.fabs",
            Intrinsic::MinNum => "llvm.minnum",
            Intrinsic::MaxNum => "llvm.maxnum",
            Intrinsic::Minimum => "llvm.minimum",
            Intrinsic::Maximum => "llvm.maximum",
            Intrinsic::FpToSiSat => "llvm.fptosi.sat",
            Intrinsic::FpToUiSat => "llvm.fptoui.sat",
            Intrinsic::ReduceAdd => "llvm.vector.reduce.add",
            Intrinsic::ReduceOr => "llvm.vector.reduce.or",
            Intrinsic::ReduceAnd => "llvm.vector.reduce.and",
            Intrinsic::PermuteWords => "llvm.x86.avx2.permd",
            Intrinsic::PermuteBytes => "llvm.x86.avx512.permvar.qi.512",
            Intrinsic::PermuteBytesOfTwo => "llvm.x86.avx512.vpermi2var.qi.512",
            Intrinsic::ScaleF32 => "llvm.x86.avx512.mask.scalef.ps.512",
            Intrinsic::ScaleF64 => "llvm.x86.avx512.mask.scalef.pd.512",
            Intrinsic::ExponentF32 => "llvm.x86.avx512.mask.getexp.ps.512",
            Intrinsic::ExponentF64 => "llvm.x86.avx512.mask.getexp.pd.512",
            Intrinsic::MantissaF32 => "llvm.x86.avx512.mask.getmant.ps.512",
            Intrinsic::MantissaF64 => "llvm.x86.avx512.mask.getmant.pd.512",
            Intrinsic::SpecialF32 => "llvm.x86.avx512.mask.fixupimm.ps.512",
            Intrinsic::SpecialF64 => "llvm.x86.avx512.mask.fixupimm.pd.512",
            Intrinsic::Compress => "llvm.experimental.vector.compress",
        }
    }
}

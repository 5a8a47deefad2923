//! The names that compiled code shares with the C runtime (`runtime-c/include/futc_program.h`).
//!
//! Every function that compiled code may call is listed here with its signature, and a test
//! compares the list with the header. The tables that describe a program are in `tables`.

use futc_midend::ir::{FloatType, MathFn};

/// `FUTC_ABI_VERSION`
pub const ABI_VERSION: i64 = 2;

/// The type of a C parameter or result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum CType {
    Ptr,
    I32,
    I64,
    F32,
    F64,
}

/// Functions of the runtime.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "named after the functions")]
pub enum Runtime {
    Alloc,
    Retain,
    Release,
    Globals,
    Fail,
    Trace,
    Launch,
    EmuThreadId,
    EmuBlockId,
    EmuBlockDim,
    EmuGridDim,
    EmuBarrier,
    EmuExit,
}

impl Runtime {
    /// Every function.
    pub const ALL: &[Runtime] = &[
        Runtime::Alloc,
        Runtime::Retain,
        Runtime::Release,
        Runtime::Globals,
        Runtime::Fail,
        Runtime::Trace,
        Runtime::Launch,
        Runtime::EmuThreadId,
        Runtime::EmuBlockId,
        Runtime::EmuBlockDim,
        Runtime::EmuGridDim,
        Runtime::EmuBarrier,
        Runtime::EmuExit,
    ];

    /// The C name.
    pub fn symbol(self) -> &'static str {
        match self {
            Runtime::Alloc => "futc_alloc",
            Runtime::Retain => "futc_retain",
            Runtime::Release => "futc_release",
            Runtime::Globals => "futc_globals",
            Runtime::Fail => "futc_fail",
            Runtime::Trace => "futc_trace",
            Runtime::Launch => "futc_launch",
            Runtime::EmuThreadId => "futc_emu_thread_id",
            Runtime::EmuBlockId => "futc_emu_block_id",
            Runtime::EmuBlockDim => "futc_emu_block_dim",
            Runtime::EmuGridDim => "futc_emu_grid_dim",
            Runtime::EmuBarrier => "futc_emu_barrier",
            Runtime::EmuExit => "futc_emu_exit",
        }
    }

    /// Parameters and result.
    pub fn signature(self) -> (&'static [CType], Option<CType>) {
        use CType::{I32, I64, Ptr};
        match self {
            Runtime::Alloc => (&[Ptr, I64, I32], Some(Ptr)),
            Runtime::Retain | Runtime::Release => (&[Ptr, Ptr], None),
            Runtime::Globals => (&[Ptr], Some(Ptr)),
            Runtime::Fail => (&[Ptr, Ptr, Ptr, Ptr], None),
            Runtime::Trace => (&[Ptr, I32, I64], None),
            Runtime::Launch => (&[Ptr, I64, I64, I64, I64, I64, I64, I64, I64, Ptr], None),
            Runtime::EmuThreadId
            | Runtime::EmuBlockId
            | Runtime::EmuBlockDim
            | Runtime::EmuGridDim => (&[I32], Some(I64)),
            Runtime::EmuBarrier | Runtime::EmuExit => (&[], None),
        }
    }

    /// Never returns.
    pub fn diverges(self) -> bool {
        matches!(self, Runtime::Fail | Runtime::EmuExit)
    }
}

/// What a kernel calls after it has recorded a failure: becomes the target's way to end a thread.
pub const KERNEL_EXIT: &str = "futc_kernel_exit";

/// How a scalar function is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MathImpl {
    /// An LLVM intrinsic that all targets have as an instruction or a short sequence. Operations of
    /// the `math` dialect (or of LLVM's own) in its place would become calls of NVIDIA's library
    /// on the way to NVVM.
    Intrinsic(crate::dialect::Intrinsic),
    /// A C function of libm, or of the runtime where it begins with `futc_`; the name for `double`,
    /// and that for `float`. Of f16, the argument is widened.
    Function(&'static str, &'static str),
    /// Written out in `lower::scalar`.
    Inline,
}

/// How `function` is computed on floats.
pub fn math_impl(function: MathFn) -> MathImpl {
    use MathImpl::{Function, Inline, Intrinsic};
    match function {
        MathFn::Sqrt => Intrinsic(crate::dialect::Intrinsic::Sqrt),
        MathFn::Ceil => Intrinsic(crate::dialect::Intrinsic::Ceil),
        MathFn::Floor => Intrinsic(crate::dialect::Intrinsic::Floor),
        MathFn::Trunc => Intrinsic(crate::dialect::Intrinsic::Trunc),
        MathFn::Round => Intrinsic(crate::dialect::Intrinsic::RoundEven),
        MathFn::Fma => Intrinsic(crate::dialect::Intrinsic::Fma),
        MathFn::CopySign => Intrinsic(crate::dialect::Intrinsic::CopySign),
        MathFn::Cbrt => Function("cbrt", "cbrtf"),
        MathFn::Exp => Function("exp", "expf"),
        MathFn::Log => Function("log", "logf"),
        MathFn::Log2 => Function("log2", "log2f"),
        MathFn::Log10 => Function("log10", "log10f"),
        MathFn::Log1p => Function("log1p", "log1pf"),
        MathFn::Sin => Function("sin", "sinf"),
        MathFn::Cos => Function("cos", "cosf"),
        MathFn::Tan => Function("tan", "tanf"),
        MathFn::Asin => Function("asin", "asinf"),
        MathFn::Acos => Function("acos", "acosf"),
        MathFn::Atan => Function("atan", "atanf"),
        MathFn::Sinh => Function("sinh", "sinhf"),
        MathFn::Cosh => Function("cosh", "coshf"),
        MathFn::Tanh => Function("tanh", "tanhf"),
        MathFn::Asinh => Function("asinh", "asinhf"),
        MathFn::Acosh => Function("acosh", "acoshf"),
        MathFn::Atanh => Function("atanh", "atanhf"),
        MathFn::Atan2 => Function("atan2", "atan2f"),
        MathFn::Hypot => Function("hypot", "hypotf"),
        MathFn::Gamma => Function("futc_f64_gamma", "futc_f32_gamma"),
        MathFn::Lgamma => Function("lgamma", "lgammaf"),
        MathFn::Erf => Function("erf", "erff"),
        MathFn::Erfc => Function("erfc", "erfcf"),
        MathFn::NextAfter => Function("nextafter", "nextafterf"),
        MathFn::Ldexp => Function("ldexp", "ldexpf"),
        MathFn::Rsqrt
        | MathFn::SinPi
        | MathFn::CosPi
        | MathFn::TanPi
        | MathFn::AsinPi
        | MathFn::AcosPi
        | MathFn::AtanPi
        | MathFn::Atan2Pi
        | MathFn::Lerp
        | MathFn::Mad
        | MathFn::IsNan
        | MathFn::IsInf
        | MathFn::Popc
        | MathFn::Clz
        | MathFn::Ctz
        | MathFn::SMulHi
        | MathFn::UMulHi
        | MathFn::SMadHi
        | MathFn::UMadHi => Inline,
    }
}

/// C's power function.
pub fn power_symbol(ty: FloatType) -> &'static str {
    match ty {
        FloatType::F64 => "pow",
        FloatType::F16 | FloatType::F32 => "powf",
    }
}

/// C's float remainder. LLVM's `frem` is the same on hosts, but an approximation on NVIDIA's GPUs.
pub fn remainder_symbol(ty: FloatType) -> &'static str {
    match ty {
        FloatType::F64 => "fmod",
        FloatType::F16 | FloatType::F32 => "fmodf",
    }
}

/// Every C function on floats that compiled code may call: name, parameters, result.
pub fn scalar_functions() -> Vec<(&'static str, Vec<CType>, CType)> {
    let mut functions = vec![
        ("pow", vec![CType::F64; 2], CType::F64),
        ("powf", vec![CType::F32; 2], CType::F32),
        ("fmod", vec![CType::F64; 2], CType::F64),
        ("fmodf", vec![CType::F32; 2], CType::F32),
    ];
    for function in MathFn::ALL {
        if let MathImpl::Function(double, float) = math_impl(*function) {
            for (symbol, ty) in [(double, CType::F64), (float, CType::F32)] {
                let mut parameters = vec![ty; function.arity()];
                if *function == MathFn::Ldexp {
                    parameters[1] = CType::I32;
                }
                functions.push((symbol, parameters, ty));
            }
        }
    }
    functions
}

#[cfg(test)]
#[allow(clippy::panic, clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::*;

    const HEADER: &str = include_str!("../../runtime-c/include/futc_program.h");

    /// The declaration of `symbol`, without line breaks.
    fn declaration(symbol: &str) -> Option<String> {
        let start = HEADER.find(&format!("{symbol}("))?;
        let line = HEADER[..start].rfind(['\n', ';']).map_or(0, |i| i + 1);
        let end = start + HEADER[start..].find(';')?;
        Some(HEADER[line..end].split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn c_type(text: &str) -> Option<CType> {
        let text = text.trim();
        if text.contains('*') {
            Some(CType::Ptr)
        } else {
            match text.split(' ').next()? {
                "int64_t" | "uint64_t" => Some(CType::I64),
                "int32_t" => Some(CType::I32),
                "float" => Some(CType::F32),
                "double" => Some(CType::F64),
                _ => None,
            }
        }
    }

    fn check(symbol: &str, parameters: &[CType], result: Option<CType>) {
        let text = declaration(symbol).unwrap_or_else(|| panic!("{symbol} is not in the header"));
        let (head, tail) = text.split_once('(').unwrap();
        let found: Vec<_> = tail.trim_end_matches(')').split(',').filter_map(c_type).collect();
        assert_eq!(found, parameters, "parameters of {symbol}");
        assert_eq!(c_type(head), result, "result of {symbol}");
    }

    #[test]
    fn functions_agree_with_the_header() {
        for f in Runtime::ALL {
            let (parameters, result) = f.signature();
            check(f.symbol(), parameters, result);
            assert_eq!(
                declaration(f.symbol()).unwrap().contains("_Noreturn"),
                f.diverges(),
                "{f:?}"
            );
        }
        for (symbol, parameters, result) in scalar_functions() {
            if symbol.starts_with("futc_") {
                check(symbol, &parameters, Some(result));
            }
        }
    }

    #[test]
    fn version_agrees_with_the_header() {
        assert!(HEADER.contains(&format!("#define FUTC_ABI_VERSION {ABI_VERSION}\n")));
    }
}

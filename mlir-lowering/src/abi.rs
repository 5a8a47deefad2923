//! The names that compiled code shares with the C runtime (`runtime-c/include/futc_program.h`).
//!
//! Every function that compiled code may call is listed here with its signature, and a test
//! compares the list with the header. The tables that describe a program are in `tables`.

use crate::dialect::Math;
use futc_midend::ir::{FloatType, MathFn};

/// `FUTC_ABI_VERSION`
pub const ABI_VERSION: i64 = 5;

/// The type of a C parameter or result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum CType {
    /// A pointer to what compiled code does not look into.
    Ptr,
    /// A pointer to a block of memory: a memref.
    Block,
    /// A function that runs tasks: `futc_body_fn`.
    Task,
    /// An operator of a scan over tasks: `futc_combine_fn`.
    Combine,
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
    DummySlot,
    Fail,
    Trace,
    Launch,
    ParallelFor,
    ParallelChain,
    ChainStart,
    Workers,
    EmuThreadId,
    EmuBlockId,
    EmuBlockDim,
    EmuGridDim,
    EmuBarrier,
    EmuFail,
}

impl Runtime {
    /// Every function.
    pub const ALL: &[Runtime] = &[
        Runtime::Alloc,
        Runtime::Retain,
        Runtime::Release,
        Runtime::Globals,
        Runtime::DummySlot,
        Runtime::Fail,
        Runtime::Trace,
        Runtime::Launch,
        Runtime::ParallelFor,
        Runtime::ParallelChain,
        Runtime::ChainStart,
        Runtime::Workers,
        Runtime::EmuThreadId,
        Runtime::EmuBlockId,
        Runtime::EmuBlockDim,
        Runtime::EmuGridDim,
        Runtime::EmuBarrier,
        Runtime::EmuFail,
    ];

    /// The C name.
    pub fn symbol(self) -> &'static str {
        match self {
            Runtime::Alloc => "futc_alloc",
            Runtime::Retain => "futc_retain",
            Runtime::Release => "futc_release",
            Runtime::Globals => "futc_globals",
            Runtime::DummySlot => "futc_dummy_slot",
            Runtime::Fail => "futc_fail",
            Runtime::Trace => "futc_trace",
            Runtime::Launch => "futc_launch",
            Runtime::ParallelFor => "futc_parallel_for",
            Runtime::ParallelChain => "futc_parallel_chain",
            Runtime::ChainStart => "futc_chain_start",
            Runtime::Workers => "futc_num_workers",
            Runtime::EmuThreadId => "futc_emu_thread_id",
            Runtime::EmuBlockId => "futc_emu_block_id",
            Runtime::EmuBlockDim => "futc_emu_block_dim",
            Runtime::EmuGridDim => "futc_emu_grid_dim",
            Runtime::EmuBarrier => "futc_emu_barrier",
            Runtime::EmuFail => "futc_emu_fail",
        }
    }

    /// Parameters and result.
    pub fn signature(self) -> (&'static [CType], Option<CType>) {
        use CType::{Block, Combine, I32, I64, Ptr, Task};
        match self {
            Runtime::Alloc => (&[Ptr, I64, I32], Some(Block)),
            Runtime::Retain | Runtime::Release => (&[Ptr, Block], None),
            Runtime::Globals | Runtime::DummySlot => (&[Ptr], Some(Block)),
            Runtime::Fail => (&[Ptr, Ptr, Ptr, Block], None),
            Runtime::Trace => (&[Ptr, I32, I64], None),
            Runtime::Launch => (&[Ptr, I64, I64, I64, I64, I64, I64, I64, I64, Ptr], None),
            Runtime::ParallelFor => (&[Ptr, Ptr, Task, Block, I64, I64], None),
            Runtime::ParallelChain => {
                (&[Ptr, Ptr, Task, Block, I64, I64, Block, Combine, Block, I64], None)
            }
            Runtime::ChainStart => (&[Ptr, Block, I64, Block, Block], None),
            Runtime::Workers => (&[Ptr], Some(I64)),
            Runtime::EmuThreadId
            | Runtime::EmuBlockId
            | Runtime::EmuBlockDim
            | Runtime::EmuGridDim => (&[I32], Some(I64)),
            Runtime::EmuBarrier => (&[], None),
            Runtime::EmuFail => (&[Ptr, I32, Ptr], None),
        }
    }

    /// Whether it takes or gives blocks, which are memrefs: then it is declared as a `func.func`.
    pub fn takes_blocks(self) -> bool {
        let (parameters, result) = self.signature();
        parameters.contains(&CType::Block) || result == Some(CType::Block)
    }

    /// Never returns.
    pub fn diverges(self) -> bool {
        matches!(self, Runtime::Fail | Runtime::EmuFail)
    }
}

/// What a thread of a kernel calls when it fails, with the failure record, the failure's code and the address of the values of its message.
/// It does not return.
pub const KERNEL_FAIL: &str = "futc_kernel_fail";

/// Values an error message can show: what fits into a kernel's failure record.
pub const MAX_MESSAGE_VALUES: usize = 14;

/// How a scalar function is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MathImpl {
    /// An operation of the `math` dialect. What becomes of it is said by [`Math::meaning`].
    Operation(Math),
    /// A C function of libm, or of the runtime where it begins with `futc_`, of which there is no
    /// operation; the name for `double`, and that for `float`. Of f16, the argument is widened.
    Function(&'static str, &'static str),
    /// Written out in `lower::scalar`.
    Inline,
}

/// How `function` is computed on floats.
pub fn math_impl(function: MathFn) -> MathImpl {
    use MathImpl::{Function, Inline, Operation};
    match function {
        MathFn::Sqrt => Operation(Math::Sqrt),
        MathFn::Ceil => Operation(Math::Ceil),
        MathFn::Floor => Operation(Math::Floor),
        MathFn::Trunc => Operation(Math::Trunc),
        MathFn::Round => Operation(Math::RoundEven),
        MathFn::Fma => Operation(Math::Fma),
        MathFn::CopySign => Operation(Math::CopySign),
        MathFn::Cbrt => Operation(Math::Cbrt),
        MathFn::Exp => Operation(Math::Exp),
        MathFn::Log => Operation(Math::Log),
        MathFn::Log2 => Operation(Math::Log2),
        MathFn::Log10 => Operation(Math::Log10),
        MathFn::Log1p => Operation(Math::Log1p),
        MathFn::Sin => Operation(Math::Sin),
        MathFn::Cos => Operation(Math::Cos),
        MathFn::Tan => Operation(Math::Tan),
        MathFn::Asin => Operation(Math::Asin),
        MathFn::Acos => Operation(Math::Acos),
        MathFn::Atan => Operation(Math::Atan),
        MathFn::Sinh => Operation(Math::Sinh),
        MathFn::Cosh => Operation(Math::Cosh),
        MathFn::Tanh => Operation(Math::Tanh),
        MathFn::Asinh => Operation(Math::Asinh),
        MathFn::Acosh => Operation(Math::Acosh),
        MathFn::Atanh => Operation(Math::Atanh),
        MathFn::Atan2 => Operation(Math::Atan2),
        MathFn::Erf => Operation(Math::Erf),
        MathFn::Erfc => Operation(Math::Erfc),
        MathFn::Hypot => Function("hypot", "hypotf"),
        MathFn::Gamma => Function("futc_f64_gamma", "futc_f32_gamma"),
        MathFn::Lgamma => Function("futc_f64_lgamma", "futc_f32_lgamma"),
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

/// C's float remainder. LLVM's `frem` is the same on hosts, but an approximation on NVIDIA's GPUs. Not by the name
/// of the C library: LLVM takes a call of that whose dividend is finite and whose divisor is not zero for one
/// without NaN, though either may be.
pub fn remainder_symbol(ty: FloatType) -> &'static str {
    match ty {
        FloatType::F64 => "futc_fmod",
        FloatType::F16 | FloatType::F32 => "futc_fmodf",
    }
}

/// Every C function on floats that compiled code may call: name, parameters, result.
pub fn scalar_functions() -> Vec<(&'static str, Vec<CType>, CType)> {
    let mut functions: Vec<_> = [(FloatType::F64, CType::F64), (FloatType::F32, CType::F32)]
        .map(|(t, c)| (remainder_symbol(t), vec![c; 2], c))
        .into();
    for (double, float, arity) in Math::c_functions() {
        functions.push((double, vec![CType::F64; arity], CType::F64));
        functions.push((float, vec![CType::F32; arity], CType::F32));
    }
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

/// Parameters and result of one of them.
pub fn scalar_signature(symbol: &str) -> Option<(Vec<CType>, CType)> {
    let found = scalar_functions().into_iter().find(|(s, ..)| *s == symbol);
    found.map(|(_, parameters, result)| (parameters, result))
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
                "futc_body_fn" => Some(CType::Task),
                "futc_combine_fn" => Some(CType::Combine),
                _ => None,
            }
        }
    }

    fn check(symbol: &str, parameters: &[CType], result: Option<CType>) {
        let text = declaration(symbol).unwrap_or_else(|| panic!("{symbol} is not in the header"));
        let (head, tail) = text.split_once('(').unwrap();
        let found: Vec<_> = tail.trim_end_matches(')').split(',').filter_map(c_type).collect();
        let in_c = |t: CType| if t == CType::Block { CType::Ptr } else { t };
        let parameters: Vec<_> = parameters.iter().map(|t| in_c(*t)).collect();
        assert_eq!(found, parameters, "parameters of {symbol}");
        assert_eq!(c_type(head), result.map(in_c), "result of {symbol}");
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

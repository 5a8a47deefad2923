//! What the processor that code is generated for can do with vectors.
//!
//! Of the processor at hand, LLVM lists the features. Of one by name its C interface does not tell them. So
//! a function on vectors of each width is compiled for that, and the registers that its assembly names give the
//! answer. That takes several milliseconds, most of them for the first use of LLVM's assembly printer.

pub use crate::options::{Cpu, OURS};

use crate::{Error, Options, llvm};
use futc_midend::machine::Machine;
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::targets::{FileType, TargetMachine};

impl Cpu {
    /// What schedules are made for. LLVM does not tell how large caches are.
    pub fn machine(&self) -> Machine {
        let Cpu {
            vector_bytes,
            fma,
            gathers,
            quick_gathers,
            page_streams,
            divides,
            compresses,
            permutes_bytes,
            wide_stencils,
            ..
        } = *self;
        let stencil_bytes = if wide_stencils { vector_bytes } else { vector_bytes.min(32) };
        Machine {
            vector_bytes,
            stencil_bytes,
            fma,
            gathers,
            quick_gathers,
            page_streams,
            divides,
            compresses,
            masks: vector_bytes == MASKED_BYTES,
            permutes_bytes,
            ..Machine::COMMON
        }
    }
}

/// Vectors of AVX-512, with which masks came.
const MASKED_BYTES: i64 = 64;

/// What every processor has.
const BASE: Cpu = Cpu {
    vector_bytes: 16,
    fma: false,
    gathers: false,
    quick_gathers: false,
    number_extrema: true,
    page_streams: true,
    divides: false,
    compresses: false,
    permutes_bytes: false,
    wide_stencils: false,
    interfaces: &[],
};

/// Additions of floats and of integers, since the first AVX had registers for the former only; and some permutation
/// of bytes.
const PROBE: &str = "
define <16 x float> @wide(<16 x float> %a, <16 x float> %b) {
  %r = fadd <16 x float> %a, %b
  ret <16 x float> %r
}
define <8 x i32> @integers(<8 x i32> %a, <8 x i32> %b) {
  %r = add <8 x i32> %a, %b
  ret <8 x i32> %r
}
define <4 x float> @fused(<4 x float> %a, <4 x float> %b, <4 x float> %c) {
  %r = call <4 x float> @llvm.fma.v4f32(<4 x float> %a, <4 x float> %b, <4 x float> %c)
  ret <4 x float> %r
}
define <64 x i8> @bytes(<64 x i8> %a) {
  %r = shufflevector <64 x i8> %a, <64 x i8> poison, <64 x i32> <
  i32 3, i32 8, i32 13, i32 18, i32 23, i32 28, i32 33, i32 38, i32 43, i32 48, i32 53, i32 58,
  i32 63, i32 4, i32 9, i32 14, i32 19, i32 24, i32 29, i32 34, i32 39, i32 44, i32 49, i32 54,
  i32 59, i32 0, i32 5, i32 10, i32 15, i32 20, i32 25, i32 30, i32 35, i32 40, i32 45, i32 50,
  i32 55, i32 60, i32 1, i32 6, i32 11, i32 16, i32 21, i32 26, i32 31, i32 36, i32 41, i32 46,
  i32 51, i32 56, i32 61, i32 2, i32 7, i32 12, i32 17, i32 22, i32 27, i32 32, i32 37, i32 42,
  i32 47, i32 52, i32 57, i32 62>
  ret <64 x i8> %r
}
declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, <4 x float>)
";

/// Asks the machine that code is for.
pub fn of(options: &Options) -> Result<Cpu, Error> {
    match options.target.machine {
        Some(elsewhere) => Ok(elsewhere.cpu),
        None => {
            let machine = llvm::host_machine(options)?;
            match listed(&machine.get_feature_string().to_string_lossy()) {
                Some(cpu) => Ok(measured(cpu, &machine)),
                None => asked(&machine),
            }
        }
    }
}

/// Generates a little code for the machine that the options name.
pub fn attempt(options: &Options) -> Result<(), Error> {
    asked(&llvm::host_machine(options)?).map(drop)
}

fn asked(machine: &TargetMachine) -> Result<Cpu, Error> {
    let context = Context::create();
    let text = MemoryBuffer::create_from_memory_range_copy(PROBE.as_bytes(), "probe");
    let module = context.create_module_from_ir(text).map_err(Error::bug)?;
    llvm::prepare(&module, machine);
    let asm = llvm::emit(&module, machine, FileType::Assembly)?;
    Ok(measured(read(&String::from_utf8_lossy(&asm)), machine))
}

/// What a list of features of x86 says, if it is a whole one.
fn listed(features: &str) -> Option<Cpu> {
    let has = |feature: &str| {
        features.split(',').any(|f| f.strip_prefix('+').is_some_and(|name| name == feature))
    };
    let (vector_bytes, interfaces) = if has("avx512f") {
        of_bytes(64, true)
    } else if has("avx2") {
        of_bytes(32, true)
    } else if has("avx") {
        of_bytes(32, false)
    } else if has("sse2") {
        of_bytes(16, false)
    } else {
        return None;
    };
    let cpu = with(has("fma"), vector_bytes, interfaces);
    Some(Cpu { permutes_bytes: vector_bytes == 64 && has("avx512vbmi"), ..cpu })
}

/// What is known of a processor by measurements on it, besides what LLVM says.
fn measured(cpu: Cpu, machine: &TargetMachine) -> Cpu {
    let name = machine.get_cpu();
    // What LLVM does not tell: its costs are the same for all processors with such vectors.
    let zen = llvm::is_zen(&name.to_string_lossy());
    Cpu {
        // Zen 4 and 5 make dozens of operations of one gather. On Zen 5, `map (\i -> xs[i]) is` takes 1.5 times
        // as long with gathers.
        quick_gathers: cpu.gathers && !zen,
        // On Zen 5, maps of one to three arrays that write several pages side by side take 1.25 to 1.6 times as long
        // as from end to end, more than with ordinary stores, and sums of one or two arrays 1.3 to 2.3 times. On
        // Emerald Rapids, maps and sums of one array of 120 MB take 0.85 of the time by page streams, others as long as without.
        page_streams: !zen,
        // Zen 5 loads 64 bytes at a time: gray_scott takes 0.71 of the time by vectors of so many, life and edge_laplacian 0.77,
        // heat_adi 0.96, but heat_2d 1.09; Emerald Rapids, too: life and gray_scott 0.76, edge_laplacian 0.81, fluid_2d 0.83, sobel 0.88,
        // heat_adi 1.02. On Zen 4 vectors of 32 bytes are quicker.
        wide_stencils: name.to_bytes().starts_with(b"znver5")
            || llvm::gains_by_wide_vectors(machine),
        ..cpu
    }
}

/// What assembly of the probe says.
fn read(asm: &str) -> Cpu {
    let function = |name: &str| {
        let start = asm.find(&format!("{name}:")).unwrap_or(asm.len());
        let rest = &asm[start..];
        &rest[..rest.find("ret").unwrap_or(rest.len())]
    };
    let fused = function("fused");
    let fma = fused.contains("vfmadd") || fused.contains("fmla");
    let (vector_bytes, interfaces) = if function("wide").contains("%zmm") {
        of_bytes(64, true)
    } else if function("integers").lines().any(|l| l.contains("vpadd") && l.contains("%ymm")) {
        // Arguments are in %ymm with the first AVX too, whose integers are half as wide.
        of_bytes(32, true)
    } else if function("wide").contains("%ymm") {
        of_bytes(32, false)
    } else if function("wide").contains("%xmm") {
        of_bytes(16, false)
    } else {
        (BASE.vector_bytes, BASE.interfaces)
    };
    let permutes_bytes = vector_bytes == 64 && function("bytes").contains("vpermb");
    Cpu { permutes_bytes, ..with(fma, vector_bytes, interfaces) }
}

/// The letters by which the C library's vector functions are named on x86 (and their bytes), of a processor with
/// vectors of so many bytes, of integers or of floats alone.
fn of_bytes(bytes: i64, integers: bool) -> (i64, &'static [(char, i64)]) {
    let interfaces: &[_] = match (bytes, integers) {
        (64, _) => &[('b', 16), ('d', 32), ('e', 64)],
        (32, true) => &[('b', 16), ('d', 32)],
        (32, false) => &[('b', 16), ('c', 32)],
        _ => &[('b', 16)],
    };
    (bytes, interfaces)
}

fn with(fma: bool, vector_bytes: i64, interfaces: &'static [(char, i64)]) -> Cpu {
    let gathers = vector_bytes >= 64;
    // On x86, of which alone there are interfaces (vector_division.rs).
    let divides = !interfaces.is_empty();
    // By an instruction of AVX-512, or by permutations of AVX2 (convert/compression.rs).
    let compresses = interfaces.iter().any(|i| i.0 == 'd');
    Cpu {
        fma,
        vector_bytes,
        gathers,
        quick_gathers: gathers,
        divides,
        compresses,
        interfaces,
        ..BASE
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::*;
    use crate::target;

    fn named(cpu: &str) -> Cpu {
        let options = Options { target_cpu: Some(cpu.to_owned()), ..Options::new(&target::SEQ) };
        of(&options).unwrap()
    }

    #[test]
    fn features_say_what_code_shows() {
        let machine = llvm::host_machine(&Options::new(&target::SEQ)).unwrap();
        let by_features = listed(&machine.get_feature_string().to_string_lossy());
        assert_eq!(by_features.is_some(), cfg!(target_arch = "x86_64"));
        if let Some(cpu) = by_features {
            assert_eq!(measured(cpu, &machine), asked(&machine).unwrap());
        }
        let bytes = |features| listed(features).map(|cpu| cpu.vector_bytes);
        assert_eq!(bytes("+sse2,+avx,+avx2,-avx512f,+fma"), Some(32));
        assert_eq!(bytes("+sse2,-avx,+avx10"), Some(16));
        assert_eq!(bytes(""), None);
        assert_eq!(bytes("+slow-shld"), None);
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn levels_of_x86_are_told_apart() {
        let letters = |cpu: Cpu| cpu.interfaces.iter().map(|i| i.0).collect::<String>();
        let expected = [
            ("x86-64", 16, false, "b"),
            ("sandybridge", 32, false, "bc"),
            ("x86-64-v3", 32, true, "bd"),
            ("x86-64-v4", 64, true, "bde"),
            ("znver4", 64, true, "bde"),
            ("znver5", 64, true, "bde"),
        ];
        for (name, bytes, fma, interfaces) in expected {
            let cpu = named(name);
            assert_eq!((cpu.vector_bytes, cpu.fma), (bytes, fma), "{name}");
            assert_eq!(letters(cpu), interfaces, "{name}");
            assert_eq!(cpu.gathers, bytes == 64, "{name}");
            assert_eq!(cpu.quick_gathers, name == "x86-64-v4", "{name}");
            assert!(cpu.divides, "{name}");
            assert_eq!(cpu.permutes_bytes, name.starts_with("znver"), "{name}");
            assert_eq!(cpu.compresses, letters(cpu).contains('d'), "{name}");
            let stencil = if name == "znver5" { 64 } else { bytes.min(32) };
            assert_eq!(cpu.machine().stencil_bytes, stencil, "{name}");
        }
    }
}

//! The texts at each station, one family of operations at a time.

#![allow(missing_docs, clippy::panic, clippy::unwrap_used, reason = "a test")]

mod common;
use common::program;
use futc_mlir::{Compiled, Options, Target, target};

const KERNEL: &str = r##"
fun main (m_1: mem.host, n_2: i64, xs_3: [n_2]f32 @ m_1 -> {0; (n_2, 1)}) : (rm_4: mem.host, r_5: [n_2]f32 @ rm_4 -> {0; (n_2, 1)})
  entry "main" ("xs": "[]f32" []f32) -> ("[]f32" []f32)
{
  let b_6: mem.device = alloc((4 * n_2), device)
  let y_7: [n_2]f32 @ b_6 -> {0; (n_2, 1)} = segmap grid (i_8 < n_2) : (f32) {
    let x_9: f32 = index xs_3[i_8]
    let ok_10: bool = flt.f32(0.0f32, x_9)
    let c_11: cert = assert(ok_10, "not positive: ", x_9: f32) at "k.fut:1:1"
    let y_12: f32 = <c_11> math.sin.f32(x_9)
    let z_13: f32 = fpow.f32(y_12, x_9)
    let w_14: f32 = math.sqrt.f32(z_13)
    in (return w_14)
  }
  in (b_6, y_7)
}
"##;

const MATHS: &str = r##"
fun main (x_1: f32, x_2: f64, x_3: f16, n_4: i64) : (rm_5: mem.host, r_6: [n_4]f64 @ rm_5 -> {0; (n_4, 1)})
  entry "main" ("x": "f32" f32, "y": "f64" f64, "z": "f16" f16, "n": "i64" i64) -> ("[]f64" []f64)
{
  let m_7: mem.device = alloc((8 * n_4), device)
  let r_8: [n_4]f64 @ m_7 -> {0; (n_4, 1)} = segmap grid (i_9 < n_4) : (f64) {
    let a_20: f32 = math.rsqrt.f32(x_1)
    let a_21: f32 = math.cbrt.f32(a_20)
    let a_22: f32 = math.exp.f32(a_21)
    let a_23: f32 = math.log.f32(a_22)
    let a_24: f32 = math.log2.f32(a_23)
    let a_25: f32 = math.log10.f32(a_24)
    let a_26: f32 = math.log1p.f32(a_25)
    let a_27: f32 = math.sin.f32(a_26)
    let a_28: f32 = math.cos.f32(a_27)
    let a_29: f32 = math.tan.f32(a_28)
    let a_30: f32 = math.sinpi.f32(a_29)
    let a_31: f32 = math.asin.f32(a_30)
    let a_32: f32 = math.acos.f32(a_31)
    let a_33: f32 = math.atan.f32(a_32)
    let a_34: f32 = math.sinh.f32(a_33)
    let a_35: f32 = math.cosh.f32(a_34)
    let a_36: f32 = math.tanh.f32(a_35)
    let a_37: f32 = math.asinh.f32(a_36)
    let a_38: f32 = math.acosh.f32(a_37)
    let a_39: f32 = math.atanh.f32(a_38)
    let a_40: f32 = math.gamma.f32(a_39)
    let a_41: f32 = math.lgamma.f32(a_40)
    let a_42: f32 = math.erf.f32(a_41)
    let a_43: f32 = math.erfc.f32(a_42)
    let a_44: f32 = math.ceil.f32(a_43)
    let a_45: f32 = math.floor.f32(a_44)
    let a_46: f32 = math.trunc.f32(a_45)
    let a_47: f32 = math.round.f32(a_46)
    let a_48: f32 = math.atan2.f32(a_47, x_1)
    let a_49: f32 = math.hypot.f32(a_48, x_1)
    let a_50: f32 = math.nextafter.f32(a_49, x_1)
    let a_51: f32 = math.copysign.f32(a_50, x_1)
    let a_52: f32 = math.fma.f32(a_51, x_1, a_51)
    let a_53: f32 = fmod.f32(a_52, x_1)
    let a_54: f32 = fpow.f32(a_53, x_1)
    let a_55: f32 = fmin.f32(a_54, x_1)
    let a_56: f32 = fmax.f32(a_55, x_1)
    let a_57: f32 = fdiv.f32(a_56, x_1)
    let a_58: f32 = math.ldexp.f32(a_57, 3i32)
    let b_901: f64 = fpconv.f32.f64(a_58)
    let a_59: f64 = math.rsqrt.f64(x_2)
    let a_60: f64 = math.cbrt.f64(a_59)
    let a_61: f64 = math.exp.f64(a_60)
    let a_62: f64 = math.log.f64(a_61)
    let a_63: f64 = math.log2.f64(a_62)
    let a_64: f64 = math.log10.f64(a_63)
    let a_65: f64 = math.log1p.f64(a_64)
    let a_66: f64 = math.sin.f64(a_65)
    let a_67: f64 = math.cos.f64(a_66)
    let a_68: f64 = math.tan.f64(a_67)
    let a_69: f64 = math.sinpi.f64(a_68)
    let a_70: f64 = math.asin.f64(a_69)
    let a_71: f64 = math.acos.f64(a_70)
    let a_72: f64 = math.atan.f64(a_71)
    let a_73: f64 = math.sinh.f64(a_72)
    let a_74: f64 = math.cosh.f64(a_73)
    let a_75: f64 = math.tanh.f64(a_74)
    let a_76: f64 = math.asinh.f64(a_75)
    let a_77: f64 = math.acosh.f64(a_76)
    let a_78: f64 = math.atanh.f64(a_77)
    let a_79: f64 = math.gamma.f64(a_78)
    let a_80: f64 = math.lgamma.f64(a_79)
    let a_81: f64 = math.erf.f64(a_80)
    let a_82: f64 = math.erfc.f64(a_81)
    let a_83: f64 = math.ceil.f64(a_82)
    let a_84: f64 = math.floor.f64(a_83)
    let a_85: f64 = math.trunc.f64(a_84)
    let a_86: f64 = math.round.f64(a_85)
    let a_87: f64 = math.atan2.f64(a_86, x_2)
    let a_88: f64 = math.hypot.f64(a_87, x_2)
    let a_89: f64 = math.nextafter.f64(a_88, x_2)
    let a_90: f64 = math.copysign.f64(a_89, x_2)
    let a_91: f64 = math.fma.f64(a_90, x_2, a_90)
    let a_92: f64 = fmod.f64(a_91, x_2)
    let a_93: f64 = fpow.f64(a_92, x_2)
    let a_94: f64 = fmin.f64(a_93, x_2)
    let a_95: f64 = fmax.f64(a_94, x_2)
    let a_96: f64 = fdiv.f64(a_95, x_2)
    let a_97: f64 = math.ldexp.f64(a_96, 3i32)
    let b_902: f64 = fpconv.f64.f64(a_97)
    let a_98: f16 = math.rsqrt.f16(x_3)
    let a_99: f16 = math.cbrt.f16(a_98)
    let a_100: f16 = math.exp.f16(a_99)
    let a_101: f16 = math.log.f16(a_100)
    let a_102: f16 = math.log2.f16(a_101)
    let a_103: f16 = math.log10.f16(a_102)
    let a_104: f16 = math.log1p.f16(a_103)
    let a_105: f16 = math.sin.f16(a_104)
    let a_106: f16 = math.cos.f16(a_105)
    let a_107: f16 = math.tan.f16(a_106)
    let a_108: f16 = math.sinpi.f16(a_107)
    let a_109: f16 = math.asin.f16(a_108)
    let a_110: f16 = math.acos.f16(a_109)
    let a_111: f16 = math.atan.f16(a_110)
    let a_112: f16 = math.sinh.f16(a_111)
    let a_113: f16 = math.cosh.f16(a_112)
    let a_114: f16 = math.tanh.f16(a_113)
    let a_115: f16 = math.asinh.f16(a_114)
    let a_116: f16 = math.acosh.f16(a_115)
    let a_117: f16 = math.atanh.f16(a_116)
    let a_118: f16 = math.gamma.f16(a_117)
    let a_119: f16 = math.lgamma.f16(a_118)
    let a_120: f16 = math.erf.f16(a_119)
    let a_121: f16 = math.erfc.f16(a_120)
    let a_122: f16 = math.ceil.f16(a_121)
    let a_123: f16 = math.floor.f16(a_122)
    let a_124: f16 = math.trunc.f16(a_123)
    let a_125: f16 = math.round.f16(a_124)
    let a_126: f16 = math.atan2.f16(a_125, x_3)
    let a_127: f16 = math.hypot.f16(a_126, x_3)
    let a_128: f16 = math.nextafter.f16(a_127, x_3)
    let a_129: f16 = math.copysign.f16(a_128, x_3)
    let a_130: f16 = math.fma.f16(a_129, x_3, a_129)
    let a_131: f16 = fmod.f16(a_130, x_3)
    let a_132: f16 = fpow.f16(a_131, x_3)
    let a_133: f16 = fmin.f16(a_132, x_3)
    let a_134: f16 = fmax.f16(a_133, x_3)
    let a_135: f16 = fdiv.f16(a_134, x_3)
    let a_136: f16 = math.ldexp.f16(a_135, 3i32)
    let b_903: f64 = fpconv.f16.f64(a_136)
    let p_910: i64 = fptosi.f64.i64(b_902)
    let q_911: i64 = pow.i64(p_910, i_9)
    let r_912: f64 = sitofp.i64.f64(q_911)
    let s_913: f64 = fadd.f64(b_901, r_912)
    let t_914: f64 = fadd.f64(s_913, b_903)
    in (return t_914)
  }
  in (m_7, r_8)
}
"##;

#[test]
fn kernels_become_ptx() {
    let ptx = Compiled::new(&program(KERNEL), Options::new(&target::NVPTX)).kernels().unwrap();
    assert!(ptx.contains(".visible .entry kernel_0"), "{ptx}");
    // Everything is inside: nothing is left to be linked.
    assert!(!ptx.contains(".extern"), "{ptx}");
    assert!(ptx.contains("exit;"), "{ptx}");
}

/// All operators that kernels can hold, assembled for real.
#[test]
#[ignore = "needs the path of ptxas in PTXAS; `./x test` runs it where there is one"]
fn ptx_assembles() {
    let ptxas = std::env::var_os("PTXAS").unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (i, text) in [KERNEL.to_owned(), MATHS.to_owned()].into_iter().enumerate() {
        let ptx = Compiled::new(&program(&text), Options::new(&target::NVPTX)).kernels().unwrap();
        let file = folder.path().join(format!("{i}.ptx"));
        std::fs::write(&file, &ptx).unwrap();
        let status = std::process::Command::new(&ptxas)
            .args(["-arch=sm_80", "-o"])
            .arg(folder.path().join("out.cubin"))
            .arg(&file)
            .status()
            .unwrap();
        assert!(status.success(), "{ptx}");
    }
}

/// The function of the program, as MLIR prints it.
fn function_in_mlir(text: &str, target: &'static Target, name: &str) -> String {
    let program = program(text);
    let mlir = Compiled::new(&program, Options::new(target)).mlir().unwrap();
    let start = mlir.find(name).unwrap_or_else(|| panic!("no {name} in {mlir}"));
    let end = mlir[start..].find("\n  }\n").unwrap_or(mlir.len() - start);
    mlir[start..start + end].to_owned()
}

/// Lines that must occur in this order.
fn in_order(text: &str, wanted: &[&str]) {
    let mut rest = text;
    for want in wanted {
        let Some(at) = rest.find(want) else { panic!("no {want:?} (in order) in\n{text}") };
        rest = &rest[at + want.len()..];
    }
}

#[test]
fn a_reduction_carries_its_accumulator() {
    let mlir = function_in_mlir(
        r##"
fun sum (m_1: mem.host, n_2: i64, xs_3: [n_2]f32 @ m_1 -> {0; (n_2, 1)}) : (r_4: f32)
{
  let s_5: f32 = segred seq (i_6 < n_2) op [0.0f32] \(a_7: f32, b_8: f32) : (f32) {
    let c_9: f32 = fadd.f32(a_7, b_8)
    in c_9
  } : (f32) {
    let x_10: f32 = index xs_3[i_6]
    in (return x_10)
  }
  in s_5
}
"##,
        &target::SEQ,
        "func.func private @fut_sum",
    );
    in_order(
        &mlir,
        &[
            "scf.for",
            "iter_args(",
            "memref.load",
            "arith.addf",
            "fastmath<reassoc>",
            "scf.yield",
            "return",
        ],
    );
}

#[test]
fn dense_copies_go_at_once_and_copies_onto_themselves_are_nothing() {
    let text = r##"
fun f (m_1: mem.host, n_2: i64, xs_3: [n_2][n_2]i8 @ m_1 -> {0; (n_2, n_2), (n_2, 1)}) : (rm_4: mem.host, r_5: [n_2][n_2]i8 @ rm_4 -> {0; (n_2, n_2), (n_2, 1)})
{
  let b_6: mem.host = alloc((n_2 * n_2), host)
  let c_7: [n_2][n_2]i8 @ b_6 -> {0; (n_2, n_2), (n_2, 1)} = copy(xs_3)
  let d_8: [n_2][n_2]i8 @ b_6 -> {0; (n_2, n_2), (n_2, 1)} = copy(c_7)
  in (b_6, d_8)
}
"##;
    let mlir = function_in_mlir(text, &target::SEQ, "func.func private @fut_f");
    in_order(&mlir, &["llvm.intr.smul.with.overflow", "@futc_alloc", "linalg.copy", "return"]);
    assert_eq!(mlir.matches("linalg.copy {futc.runs = 0").count(), 1, "{mlir}");
    assert!(!mlir.contains("scf.for"), "{mlir}");
}

#[test]
fn kernels_are_in_the_gpu_dialect() {
    let mlir = function_in_mlir(KERNEL, &target::GPU_EMU, "gpu.func @kernel_0");
    in_order(
        &mlir,
        &[
            "kernel",
            "gpu.block_id",
            "gpu.thread_id",
            "scf.if",
            "llvm.call @futc_kernel_fail",
            "math.sin",
            "gpu.return",
        ],
    );
}

/// A copy goes by the schedule that stands in the program; without one, by what suits its layouts.
#[test]
fn copies_go_by_their_schedules() {
    let mlir = |schedule: &str| {
        let text = r##"
fun main (n_1: i64, x_2: mem.host, xs_3: [n_1][n_1]f32 @ x_2 -> {0; (n_1, n_1), (n_1, 1)}) : (r_5: f32)
  entry "main" ("xs": "[][]f32" [][]f32) -> ("f32" f32)
{
  let y_4: mem.host = alloc(((n_1 * n_1) * 4), host)
  let ys_6: [n_1][n_1]f32 @ y_4 -> {0; (n_1, n_1), (n_1, 1)} = SCHEDULE copy(xs_3)
  let r_7: f32 = index ys_6[0, 0]
  in r_7
}
"##;
        let program = program(&text.replace("SCHEDULE", schedule));
        Compiled::new(&program, Options::new(&target::SEQ)).mlir().unwrap()
    };
    assert!(mlir("").contains("linalg.copy {futc.runs = 0"));
    assert!(mlir("schedule { runs 1 }").contains("linalg.copy {futc.runs = 1"));
    assert!(mlir("schedule { loops }").contains("linalg.copy ins("));
}

/// A reduction of floats is vectorised: the contract of operators allows another order.
#[test]
fn sums_of_floats_are_vectorised() {
    let program = program(
        r##"
fun main (m_1: mem.host, n_2: i64, xs_3: [n_2]f32 @ m_1 -> {0; (n_2, 1)}) : (r_4: f32)
  entry "main" ("xs": "[]f32" []f32) -> ("f32" f32)
{
  let s_5: f32 = segred seq (i_6 < n_2) op [0.0f32] \(a_7: f32, b_8: f32) : (f32) {
    let c_9: f32 = fadd.f32(a_7, b_8)
    in c_9
  } : (f32) {
    let x_10: f32 = index xs_3[i_6]
    in (return x_10)
  }
  in s_5
}
"##,
    );
    let llvm = Compiled::new(&program, Options::new(&target::SEQ)).llvm().unwrap();
    assert!(llvm.contains("vector.reduce.fadd"), "{llvm}");
}

/// Every text is what the tools of MLIR accept.
#[test]
fn texts_parse_again() {
    let program = program(KERNEL);
    for target in [&target::SEQ, &target::GPU_EMU, &target::NVPTX] {
        let compiled = Compiled::new(&program, Options::new(target));
        for text in [compiled.mlir().unwrap(), compiled.llvm_dialect().unwrap()] {
            let context = futc_mlir::pipeline::context();
            assert!(melior::ir::Module::parse(&context, &text).is_some(), "{text}");
        }
        assert!(compiled.asm().unwrap().contains("futc_program"));
    }
}

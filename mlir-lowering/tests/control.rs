//! Control flow, checks, calls and globals.

#![allow(missing_docs, clippy::unwrap_used, reason = "a test")]

mod common;
use common::{expect, run, run_on};
use futc_mlir::target;

#[test]
fn loops_count_in_their_own_type() {
    expect(
        r##"
fun main (n_1: i8, m_2: i64) : (r_3: i32, s_4: i64)
  entry "main" ("n": "i8" i8, "m": "i64" i64) -> ("i32" i32, "i64" i64)
{
  let r_5: i32 = loop (a_6: i32 = 0i32) for i_7: i8 < n_1 {
    let j_8: i32 = sext.i8.i32(i_7)
    let b_9: i32 = add.i32(a_6, j_8)
    in b_9
  }
  let c_10: bool = slt.i64(1, m_2)
  let (w_11: bool, x_12: i64, s_13: i64) = loop (c_14: bool = c_10, x_15: i64 = m_2, k_16: i64 = 0) while c_14 {
    let h_17: i64 = sdiv.i64(x_15, 2)
    let k_18: i64 = add.i64(k_16, 1)
    let d_19: bool = slt.i64(1, h_17)
    in (d_19, h_17, k_18)
  }
  in (r_5, s_13)
}
"##,
        "127i8 1000i64",
        "8001i32\n9i64",
    );
}

#[test]
fn match_takes_the_first_case() {
    let program = r##"
fun main (x_1: i32) : (r_2: i64)
  entry "main" ("x": "i32" i32) -> ("i64" i64)
{
  let r_3: i64 = match x_1 case 1i32 {
    in 10
  } case -1i32 {
    in 20
  } default {
    in 30
  }
  in r_3
}
"##;
    for (x, r) in [("1", "10i64"), ("-1", "20i64"), ("7", "30i64")] {
        expect(program, x, r);
    }
}

#[test]
fn match_looks_at_all_bits() {
    let program = r##"
fun main (x_1: i64) : (r_2: i64)
  entry "main" ("x": "i64" i64) -> ("i64" i64)
{
  let r_3: i64 = match x_1 case 0 {
    in 10
  } case 4294967297 {
    in 20
  } case 4294967297 {
    in 25
  } default {
    in 30
  }
  in r_3
}
"##;
    for (x, r) in [
        ("0", "10i64"),
        ("4294967297", "20i64"),
        ("1", "30i64"),
        ("4294967296", "30i64"),
        ("-9223372036854775808", "30i64"),
    ] {
        expect(program, x, r);
    }
}

#[test]
fn existential_results_of_branches() {
    expect(
        r##"
fun main (c_1: bool) : (rm_2: mem.host, k_3: i64, r_4: [k_3]i32 @ rm_2 -> {0; (k_3, 1)})
  entry "main" ("c": "bool" bool) -> ("[]i32" []i32)
{
  let (b_5: mem.host, k_6: i64, a_7: [k_6]i32 @ b_5 -> {0; (k_6, 1)}) = if c_1 {
    let m_8: mem.host = alloc(12, host)
    let a_9: [3]i32 @ m_8 -> {0; (3, 1)} = iota.i32(3, 5i32, 2i32)
    in (m_8, 3, a_9)
  } else {
    let m_10: mem.host = alloc(4, host)
    let a_11: [1]i32 @ m_10 -> {0; (1, 1)} = replicate([1], 8i32)
    in (m_10, 1, a_11)
  }
  in (b_5, k_6, a_7)
}
"##,
        "true",
        "[5i32, 7i32, 9i32]",
    );
}

#[test]
fn double_buffering_swaps_blocks() {
    expect(
        r##"
fun main (n_1: i64, s_2: i64) : (rm_3: mem.host, r_4: [n_1]i64 @ rm_3 -> {0; (n_1, 1)})
  entry "main" ("n": "i64" i64, "s": "i64" i64) -> ("[]i64" []i64)
{
  let a_5: mem.host = alloc((8 * n_1), host)
  let b_6: mem.host = alloc((8 * n_1), host)
  let x_7: [n_1]i64 @ a_5 -> {0; (n_1, 1)} = iota.i64(n_1, 0, 1)
  let (p_8: mem.host, q_9: mem.host, y_10: [n_1]i64 @ p_8 -> {0; (n_1, 1)}) = loop (p_11: mem.host = a_5, q_12: mem.host = b_6, y_13: [n_1]i64 @ p_11 -> {0; (n_1, 1)} = x_7) for i_14: i64 < s_2 {
    let z_15: [n_1]i64 @ q_12 -> {0; (n_1, 1)} = segmap seq (j_16 < n_1) : (i64) {
      let v_17: i64 = index y_13[j_16]
      let w_18: i64 = add.i64(v_17, v_17)
      in (return w_18)
    }
    in (q_12, p_11, z_15)
  }
  let () = release(q_9)
  in (p_8, y_10)
}
"##,
        "4i64 3i64",
        "[0i64, 8i64, 16i64, 24i64]",
    );
}

const CHECKED: &str = r##"
fun main (m_1: mem.host, n_2: i64, xs_3: [n_2]i32 @ m_1 -> {0; (n_2, 1)}, i_4: i64) : (r_5: i32)
  entry "main" ("xs": "[]i32" []i32, "i": "i64" i64) -> ("i32" i32)
{
  let ok_6: bool = ult.i64(i_4, n_2)
  let c_7: cert = assert(ok_6, "Index [", i_4: i64, "] out of bounds for array of shape [", n_2: i64, "] 100%.") at "a.fut:3:5-9"
  let x_8: i32 = <c_7> index xs_3[i_4]
  in x_8
}
"##;

#[test]
fn failed_checks_say_what_and_where() {
    expect(CHECKED, "[4i32,5i32] 1i64", "5i32");
    let error = run(CHECKED, "[4i32,5i32] 2i64").unwrap_err();
    assert!(error.contains("Index [2] out of bounds for array of shape [2] 100%."), "{error}");
    assert!(error.contains("a.fut:3:5-9"), "{error}");
}

#[test]
fn checks_fail_in_kernels_too() {
    let program = r##"
fun main (m_1: mem.host, n_2: i64, xs_3: [n_2]i64 @ m_1 -> {0; (n_2, 1)}) : (rm_4: mem.host, r_5: [n_2]i64 @ rm_4 -> {0; (n_2, 1)})
  entry "main" ("xs": "[]i64" []i64) -> ("[]i64" []i64)
{
  let b_6: mem.device = alloc((8 * n_2), device)
  let y_7: [n_2]i64 @ b_6 -> {0; (n_2, 1)} = segmap grid (i_8 < n_2) : (i64) {
    let j_9: i64 = index xs_3[i_8]
    let ok_10: bool = ult.i64(j_9, n_2)
    let c_11: cert = assert(ok_10, "bad index ", j_9: i64) at "k.fut:1:1"
    let x_12: i64 = <c_11> index xs_3[j_9]
    in (return x_12)
  }
  in (b_6, y_7)
}
"##;
    for target in [&target::SEQ, &target::GPU_EMU] {
        assert_eq!(run_on(target, program, "[1i64,0i64]"), Ok("[0i64, 1i64]".to_owned()));
        let error = run_on(target, program, "[1i64,7i64]").unwrap_err();
        assert!(error.contains("bad index 7") && error.contains("k.fut:1:1"), "{error}");
    }
}

/// Functions call one another, in kernels too; a name that no assembler accepts is no problem.
#[test]
fn calls() {
    for level in ["seq", "grid"] {
        expect(
            &r##"
fun `fib'` (n_1: i32) : (r_2: i32)
{
  let c_3: bool = slt.i32(n_1, 2i32)
  let r_4: i32 = if c_3 {
    in n_1
  } else {
    let a_5: i32 = sub.i32(n_1, 1i32)
    let b_6: i32 = sub.i32(n_1, 2i32)
    let x_7: i32 = call `fib'`(a_5)
    let y_8: i32 = call `fib'`(b_6)
    let z_9: i32 = add.i32(x_7, y_8)
    in z_9
  }
  in r_4
}

fun main (n_10: i64) : (rm_11: mem.host, r_12: [n_10]i32 @ rm_11 -> {0; (n_10, 1)})
  entry "main" ("n": "i64" i64) -> ("[]i32" []i32)
{
  let b_13: mem.host = alloc((4 * n_10), host)
  let y_14: [n_10]i32 @ b_13 -> {0; (n_10, 1)} = segmap LEVEL (i_15 < n_10) : (i32) {
    let i_16: i32 = sext.i64.i32(i_15)
    let x_17: i32 = call `fib'`(i_16)
    in (return x_17)
  }
  in (b_13, y_14)
}
"##
            .replace("LEVEL", level),
            "8i64",
            "[0i32, 1i32, 1i32, 2i32, 3i32, 5i32, 8i32, 13i32]",
        );
    }
}

#[test]
fn globals_are_evaluated_once() {
    for level in ["seq", "grid"] {
        expect(
            &r##"
global (k_1: i64, tm_2: mem.host, t_3: [k_1]f32 @ tm_2 -> {0; (k_1, 1)}, d_4: f32) = {
  let k_5: i64 = add.i64(2, 1)
  let m_6: mem.host = alloc((4 * k_5), host)
  let t_7: [k_5]f32 @ m_6 -> {0; (k_5, 1)} = replicate([k_5], 1.5f32)
  let x_8: f32 = call third(7i32)
  in (k_5, m_6, t_7, x_8)
}

fun third (x_9: i32) : (r_10: f32)
{
  let y_11: f32 = sitofp.i32.f32(x_9)
  let z_12: f32 = index t_3[2]
  let w_13: f32 = fadd.f32(y_11, z_12)
  in w_13
}

fun main (n_14: i64) : (rm_15: mem.host, r_16: [n_14]f32 @ rm_15 -> {0; (n_14, 1)})
  entry "main" ("n": "i64" i64) -> ("[]f32" []f32)
{
  let b_17: mem.host = alloc((4 * n_14), host)
  let y_18: [n_14]f32 @ b_17 -> {0; (n_14, 1)} = segmap LEVEL (i_19 < n_14) : (f32) {
    let a_20: f32 = index t_3[i_19]
    let b_21: f32 = fmul.f32(a_20, d_4)
    in (return b_21)
  }
  in (b_17, y_18)
}
"##
            .replace("LEVEL", level),
            "2i64",
            "[12.75f32, 12.75f32]",
        );
    }
}

//! Operations on arrays, from Core IR text to what the program prints.

#![allow(missing_docs, clippy::unwrap_used, reason = "a test")]

mod common;
use common::{expect, run};

#[test]
fn map_stores_into_its_result() {
    for level in ["seq", "grid"] {
        expect(
            &r##"
fun main (m_2: mem.host, n_1: i64, xs_3: [n_1]f32 @ m_2 -> {0; (n_1, 1)}) : (rm_4: mem.host, r_5: [n_1]f32 @ rm_4 -> {0; (n_1, 1)})
  entry "main" ("xs": "[]f32" []f32) -> ("[]f32" []f32)
{
  let b_6: mem.host = alloc((4 * n_1), host)
  let y_7: [n_1]f32 @ b_6 -> {0; (n_1, 1)} = segmap LEVEL (i_8 < n_1) : (f32) {
    let x_9: f32 = index xs_3[i_8]
    let z_10: f32 = fmul.f32(x_9, x_9)
    in (return z_10)
  }
  in (b_6, y_7)
}
"##
            .replace("LEVEL", level),
            "[1f32,2f32,-3f32]",
            "[1.0f32, 4.0f32, 9.0f32]",
        );
    }
}

/// A kernel over two dimensions that reads a scalar and a bool of the host, and a reduction and a
/// scan beside it.
#[test]
fn kernels_capture_what_they_need() {
    for level in ["seq", "grid"] {
        expect(
            &r##"
fun main (n_1: i64, m_2: i64, a_3: i32, c_4: bool) : (rm_5: mem.host, r_6: [n_1][m_2]i32 @ rm_5 -> {0; (n_1, m_2), (m_2, 1)}, sm_7: mem.host, s_8: [n_1]i32 @ sm_7 -> {0; (n_1, 1)}, tm_9: mem.host, t_10: [n_1]i32 @ tm_9 -> {0; (n_1, 1)}, u_11: i32)
  entry "main" ("n": "i64" i64, "m": "i64" i64, "a": "i32" i32, "c": "bool" bool) -> ("[][]i32" [][]i32, "[]i32" []i32, "[]i32" []i32, "i32" i32)
{
  let nm_12: i64 = mul.i64(n_1, m_2)
  let b_13: mem.host = alloc((4 * nm_12), host)
  let y_14: [n_1][m_2]i32 @ b_13 -> {0; (n_1, m_2), (m_2, 1)} = segmap LEVEL (i_15 < n_1, j_16 < m_2) : (i32) {
    let i_17: i32 = sext.i64.i32(i_15)
    let j_18: i32 = sext.i64.i32(j_16)
    let x_19: i32 = mul.i32(i_17, a_3)
    let z_20: i32 = add.i32(x_19, j_18)
    let w_21: i32 = if c_4 { in z_20 } else { in 0i32 }
    in (return w_21)
  }
  let b_22: mem.host = alloc((4 * n_1), host)
  let s_23: [n_1]i32 @ b_22 -> {0; (n_1, 1)} = segred LEVEL (i_24 < n_1, j_25 < m_2) op [0i32] \(p_26: i32, q_27: i32) : (i32) {
    let r_28: i32 = add.i32(p_26, q_27)
    in r_28
  } : (i32) {
    let x_29: i32 = index y_14[i_24, j_25]
    in (return x_29)
  }
  let b_30: mem.host = alloc((4 * n_1), host)
  let t_31: [n_1]i32 @ b_30 -> {0; (n_1, 1)} = segscan LEVEL (i_32 < n_1) op [0i32] \(p_33: i32, q_34: i32) : (i32) {
    let r_35: i32 = add.i32(p_33, q_34)
    in r_35
  } : (i32) {
    let x_36: i32 = index s_23[i_32]
    in (return x_36)
  }
  let u_37: i32 = segred LEVEL (i_38 < n_1) op [0i32] \(p_39: i32, q_40: i32) : (i32) {
    let r_41: i32 = smax.i32(p_39, q_40)
    in r_41
  } : (i32) {
    let x_42: i32 = index t_31[i_38]
    in (return x_42)
  }
  in (b_13, y_14, b_22, s_23, b_30, t_31, u_37)
}
"##
            .replace("LEVEL", level),
            "2i64 3i64 10i32 true",
            "[[0i32, 1i32, 2i32], [10i32, 11i32, 12i32]]\n[3i32, 33i32]\n[3i32, 36i32]\n36i32",
        );
    }
}

#[test]
fn histograms_and_writes_ignore_what_is_outside() {
    for level in ["seq", "grid"] {
        expect(
            &r##"
fun main (m_1: mem.host, n_2: i64, is_3: [n_2]i64 @ m_1 -> {0; (n_2, 1)}) : (rm_4: mem.host, r_5: [4]i32 @ rm_4 -> {0; (4, 1)}, sm_6: mem.host, s_7: [4]i64 @ sm_6 -> {0; (4, 1)})
  entry "main" ("is": "[]i64" []i64) -> ("[]i32" []i32, "[]i64" []i64)
{
  let b_8: mem.host = alloc(16, host)
  let z_9: [4]i32 @ b_8 -> {0; (4, 1)} = replicate([4], 0i32)
  let h_10: [4]i32 @ b_8 -> {0; (4, 1)} = seghist seq (i_11 < n_2) into [4] [z_9] op [0i32] \(p_12: i32, q_13: i32) : (i32) {
    let r_14: i32 = add.i32(p_12, q_13)
    in r_14
  } : (i64, i32) {
    let k_15: i64 = index is_3[i_11]
    in (return k_15, return 1i32)
  }
  let b_16: mem.host = alloc(32, host)
  let d_17: [4]i64 @ b_16 -> {0; (4, 1)} = iota.i64(4, 100, -1)
  let e_18: [4]i64 @ b_16 -> {0; (4, 1)} = segmap LEVEL (i_19 < n_2) : ([4]i64) {
    let k_20: i64 = index is_3[i_19]
    let v_21: i64 = mul.i64(k_20, 7)
    in (write d_17 {[k_20] = v_21})
  }
  in (b_8, h_10, b_16, e_18)
}
"##
            .replace("LEVEL", level),
            "[1i64, 1i64, 3i64, 4i64, -1i64]",
            "[0i32, 2i32, 0i32, 1i32]\n[100i64, 7i64, 98i64, 21i64]",
        );
    }
}

/// Slices, transposition and reshaping are views; copies go through them; updates are in place.
#[test]
fn views_and_copies() {
    expect(
        r##"
fun main (m_1: mem.host, n_2: i64, k_3: i64, xs_4: [n_2][k_3]i16 @ m_1 -> {0; (n_2, k_3), (k_3, 1)}) : (s_10: i64, am_5: mem.host, a_6: [k_3][n_2]i16 @ am_5 -> {0; (k_3, n_2), (n_2, 1)}, bm_7: mem.host, b_8: [n_2]i16 @ bm_7 -> {0; (n_2, 1)}, cm_9: mem.host, c_11: [s_10]i16 @ cm_9 -> {0; (s_10, 1)})
  entry "main" ("xs": "[][]i16" [][]i16) -> ("[][]i16" [][]i16, "[]i16" []i16, "[]i16" []i16)
{
  let t_12: [k_3][n_2]i16 @ m_1 -> {0; (k_3, 1), (n_2, k_3)} = rearrange(xs_4, [1, 0])
  let nk_13: i64 = mul.i64(n_2, k_3)
  let am_14: mem.host = alloc((2 * nk_13), host)
  let a_15: [k_3][n_2]i16 @ am_14 -> {0; (k_3, n_2), (n_2, 1)} = copy(t_12)
  let l_16: i64 = sub.i64(n_2, 1)
  let r_17: [n_2]i16 @ m_1 -> {(l_16 * k_3); (n_2, (0 - k_3))} = index xs_4[l_16 :+ n_2 * -1, 0]
  let bm_18: mem.host = alloc((2 * n_2), host)
  let b_19: [n_2]i16 @ bm_18 -> {0; (n_2, 1)} = copy(r_17)
  let b_20: [n_2]i16 @ bm_18 -> {0; (n_2, 1)} = update b_19[0] with 99i16
  let s_21: i64 = add.i64(nk_13, n_2)
  let cm_22: mem.host = alloc((2 * s_21), host)
  let f_23: [nk_13]i16 @ m_1 -> {0; (nk_13, 1)} = reshape(xs_4, [nk_13])
  let c_24: [s_21]i16 @ cm_22 -> {0; (s_21, 1)} = concat(0, [f_23, b_20], s_21)
  let c_25: [s_21]i16 @ cm_22 -> {0; (s_21, 1)} = update c_24[0 :+ n_2 * 2] with r_17
  in (s_21, am_14, a_15, bm_18, b_20, cm_22, c_25)
}
"##,
        "[[1i16,2i16,3i16],[4i16,5i16,6i16]]",
        "[[1i16, 4i16], [2i16, 5i16], [3i16, 6i16]]\n[99i16, 1i16]\n\
         [4i16, 2i16, 1i16, 4i16, 5i16, 6i16, 99i16, 1i16]",
    );
}

#[test]
fn array_literals_and_replication_of_rows() {
    expect(
        r##"
fun main (x_1: f64) : (am_2: mem.host, a_3: [2][3]f64 @ am_2 -> {0; (2, 3), (3, 1)}, bm_4: mem.host, b_5: [2][3]bool @ bm_4 -> {0; (2, 3), (3, 1)})
  entry "main" ("x": "f64" f64) -> ("[][]f64" [][]f64, "[][]bool" [][]bool)
{
  let m_6: mem.host = alloc(24, host)
  let r_7: [3]f64 @ m_6 -> {0; (3, 1)} = array [x_1, 2.5f64, f64.inf] of f64
  let am_8: mem.host = alloc(48, host)
  let a_9: [2][3]f64 @ am_8 -> {0; (2, 3), (3, 1)} = replicate([2], r_7)
  let a_10: [2][3]f64 @ am_8 -> {0; (2, 3), (3, 1)} = update a_9[1, 1] with -0.5f64
  let bm_11: mem.host = alloc(6, host)
  let m_12: mem.host = alloc(3, host)
  let p_13: [3]bool @ m_12 -> {0; (3, 1)} = replicate([3], true)
  let q_14: [3]bool @ bm_11 -> {0; (3, 1)} = array [true, false, true] of bool
  let b_15: [2][3]bool @ bm_11 -> {0; (2, 3), (3, 1)} = array [q_14, p_13] of [3]bool
  let () = release(m_6)
  let () = release(m_12)
  in (am_8, a_10, bm_11, b_15)
}
"##,
        "1.5",
        "[[1.5f64, 2.5f64, f64.inf], [1.5f64, -0.5f64, f64.inf]]\n\
         [[true, false, true], [true, true, true]]",
    );
}

#[test]
fn arguments_must_agree_about_sizes() {
    let program = r##"
fun main (m_1: mem.host, k_2: mem.host, n_3: i64, xs_4: [n_3]i8 @ m_1 -> {0; (n_3, 1)}, ys_5: [n_3]i8 @ k_2 -> {0; (n_3, 1)}) : (r_6: i64)
  entry "main" ("xs": "[]i8" []i8, "ys": "[]i8" []i8) -> ("i64" i64)
{
  in n_3
}
"##;
    expect(program, "[1i8,2i8] [3i8,4i8]", "2i64");
    let error = run(program, "[1i8,2i8] [3i8]").unwrap_err();
    assert!(error.contains("disagree about a size: 1 where 2 is expected"), "{error}");
}

#[test]
fn sizes_that_overflow_are_refused() {
    let program = r##"
fun main (n_1: i64) : (r_2: i64)
  entry "main" ("n": "i64" i64) -> ("i64" i64)
{
  let m_3: mem.host = alloc(((4 * n_1) * n_1), host)
  let a_4: [n_1][n_1]i32 @ m_3 -> {0; (n_1, n_1), (n_1, 1)} = replicate([n_1, n_1], 1i32)
  let x_5: i32 = index a_4[0, 0]
  let r_6: i64 = sext.i32.i64(x_5)
  let () = release(m_3)
  in r_6
}
"##;
    expect(program, "3i64", "1i64");
    // 4·n² is 0 in 64 bits.
    assert!(run(program, "4294967296i64").is_err());
}

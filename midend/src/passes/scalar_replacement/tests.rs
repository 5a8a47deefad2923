//! What becomes scalars, what stays, and that both are limited.

use super::scalar_replacement;
use crate::passes::dead_code::dead_code;
use crate::passes::testing::{check, pass};

fn scalars(text: &str) -> String {
    pass(|p| dead_code(scalar_replacement(p)), text).to_string()
}

/// A map whose body folds up so many rows of its point, with so many statements for each.
fn folded(rows: usize, statements: usize) -> String {
    let steps: String = (0..statements)
        .map(|i| {
            let x = if i == 0 { "y_8".to_owned() } else { format!("z_{}", 99 + i) };
            format!("let z_{}: f32 = fmul.f32({x}, 3.0f32)\n", 100 + i)
        })
        .collect();
    let last = 99 + statements;
    format!(
        "fun f (n_1: i64, xs_2: [n_1]f32) : (r_3: [n_1]f32) {{
           let r_4: [n_1]f32 = map(n_1, [xs_2], \\(x_5: f32) : (f32) {{
             let a_6: [{rows}]f32 = replicate([{rows}], x_5)
             let s_7: f32 = redomap({rows}, [a_6], \\(y_8: f32) : (f32) {{
               {steps} in z_{last}
             }}, op [0.0f32] \\(t_9: f32, u_10: f32) : (f32) {{
               let t_11: f32 = fadd.f32(t_9, u_10) in t_11 }})
             in s_7 }})
           in r_4 }}"
    )
}

#[test]
fn code_becomes_no_larger_than_it_may() {
    assert!(!scalars(&folded(4, 2)).contains("redomap"));
    assert!(!scalars(&folded(16, 40)).contains("redomap"));
    assert!(scalars(&folded(16, 80)).contains("redomap"), "too large");
    assert!(scalars(&folded(17, 2)).contains("redomap"), "too many rows");
}

#[test]
fn scans_yield_every_value() {
    check(
        |p| dead_code(scalar_replacement(p)),
        "fun f (n_1: i64, xs_2: [n_1]i64) : (r_3: [n_1]i64, s_30: [n_1]i64) {
           let (r_4: [n_1]i64, s_31: [n_1]i64) = map(n_1, [xs_2], \\(x_5: i64) : (i64, i64) {
             let a_6: [3]i64 = array [x_5, 2, x_5] of i64
             let (s_7: [3]i64, m_8: [3]i64) = scanomap(3, [a_6], \\(y_9: i64) : (i64, i64) {
               let z_10: i64 = mul.i64(y_9, y_9) in (y_9, z_10)
             }, op [0] \\(t_11: i64, u_12: i64) : (i64) {
               let t_13: i64 = add.i64(t_11, u_12) in t_13 })
             let p_14: i64 = index s_7[2]
             let q_15: i64 = index m_8[1]
             in (p_14, q_15) })
           in (r_4, s_31) }",
        "fun f (n_1: i64, xs_2: [n_1]i64) : (r_3: [n_1]i64, s_30: [n_1]i64) {
           let (r_4: [n_1]i64, s_31: [n_1]i64) = map(n_1, [xs_2], \\(x_5: i64) : (i64, i64) {
             let t_13: i64 = add.i64(0, x_5)
             let t_14: i64 = add.i64(t_13, 2)
             let t_15: i64 = add.i64(t_14, x_5)
             in (t_15, 4) })
           in (r_4, s_31) }",
    );
}

#[test]
fn rows_that_are_written_into_are_their_own() {
    let got = scalars(
        "fun f (n_1: i64, xs_2: [n_1][2][2]i64) : (r_3: [n_1]i64) {
           let r_4: [n_1]i64 = map(n_1, [xs_2], \\(x_5: [2][2]i64) : (i64) {
             let m_6: [2]i64 = map(2, [x_5], \\(y_7: [2]i64) : (i64) {
               let k_8: [2]i64 = copy(y_7)
               let u_9: [2]i64 = update k_8[0] with 5
               let a_10: i64 = index u_9[0]
               let b_11: i64 = index y_7[1]
               let c_12: i64 = add.i64(a_10, b_11) in c_12 })
             let p_13: i64 = index m_6[0]
             let q_14: i64 = index m_6[1]
             let s_15: i64 = sub.i64(p_13, q_14)
             in s_15 })
           in r_4 }",
    );
    assert_eq!((got.matches("map(").count(), got.matches("update").count()), (1, 0), "{got}");
}

#[test]
fn what_is_run_once_is_left_alone() {
    let text = "fun f (n_9: i64, x_1: [4]f32, y_10: [n_9]f32) : (r_2: [4]f32) {
        let s_3: [4]f32 = map(4, [x_1], \\(y_4: f32) : (f32) {
          let z_5: f32 = math.exp.f32(y_4) in z_5 })
        let t_6: [4]f32 = map(4, [s_3], \\(y_7: f32) : (f32) {
          let z_8: f32 = fadd.f32(y_7, 1.0f32) in z_8 })
        in t_6 }";
    check(|p| dead_code(scalar_replacement(p)), text, text);
}

#[test]
fn loops_without_known_ends_are_not_copied() {
    let got = scalars(
        "fun f (n_1: i64, xs_2: [n_1]i64) : (r_3: [n_1]i64) {
           let r_4: [n_1]i64 = map(n_1, [xs_2], \\(x_5: i64) : (i64) {
             let a_6: [2]i64 = array [x_5, 2] of i64
             let s_7: i64 = redomap(2, [a_6], \\(y_8: i64) : (i64) {
               let z_9: i64 = loop (b_10: i64 = y_8) for i_11: i64 < x_5 {
                 let c_12: i64 = mul.i64(b_10, b_10) in c_12 }
               in z_9
             }, op [0] \\(t_13: i64, u_14: i64) : (i64) {
               let t_15: i64 = add.i64(t_13, u_14) in t_15 })
             in s_7 })
           in r_4 }",
    );
    assert_eq!(got.matches("loop").count(), 1, "{got}");
}

#[test]
fn what_branches_yield_is_used_where_their_results_are() {
    // The map on the right is of an iota, so that it would stay for its own sake.
    let got = scalars(
        "fun f (n_1: i64, xs_2: [n_1]i64) : (r_3: [n_1]i64) {
           let r_4: [n_1]i64 = map(n_1, [xs_2], \\(x_5: i64) : (i64) {
             let a_6: [3]i64 = array [x_5, 2, 7] of i64
             let c_7: bool = slt.i64(x_5, 9)
             let b_8: [3]i64 = if c_7 {
               in a_6
             } else {
               let i_9: [3]i64 = iota.i64(3, 0, 1)
               let m_10: [3]i64 = map(3, [i_9], \\(j_11: i64) : (i64) {
                 let y_12: i64 = mul.i64(j_11, x_5) in y_12 })
               in m_10
             }
             let s_13: i64 = index b_8[2]
             in s_13 })
           in r_4 }",
    );
    assert_eq!(got.matches("map(").count(), 1, "{got}");
}

//! What is merged, and what is not.

use super::fuse;
use crate::passes::testing::check;

fn f(results: &str, body: &str) -> String {
    format!(
        "fun f (n_1: i64, xs_2: [n_1]i32, *ys_3: [n_1]i32, c_4: i32) : ({results}) {{ {body} }}"
    )
}

#[track_caller]
fn fused(results: &str, before: &str, after: &str) {
    check(fuse, &f(results, before), &f(results, after));
}

#[track_caller]
fn unfused(results: &str, body: &str) {
    fused(results, body, body);
}

const SUM: &str =
    "op [0i32] \\(a_90: i32, b_91: i32) : (i32) { let c_92: i32 = add.i32(a_90, b_91) in c_92 }";
const INC: &str = "let m_10: [n_1]i32 = map(n_1, [xs_2], \\(x_11: i32) : (i32) { let y_12: i32 = add.i32(x_11, 1i32) in y_12 })";

#[test]
fn a_reduction_of_a_map() {
    fused(
        "r_5: i32",
        &format!("{INC} let s_13: i32 = reduce(n_1, [m_10], \\(z_14: i32) id, {SUM}) in s_13"),
        &format!(
            "let s_13: i32 = redomap(n_1, [xs_2], \\(x_11: i32) : (i32) {{ let y_12: i32 = add.i32(x_11, 1i32) in y_12 }}, {SUM}) in s_13"
        ),
    );
}

#[test]
fn a_chain_with_a_result_that_stays() {
    fused(
        "r_5: i32, q_6: [n_1]i32",
        &format!("{INC} let l_20: [n_1]i32 = map(n_1, [m_10, xs_2], \\(z_14: i32, w_15: i32) : (i32) {{ let v_16: i32 = mul.i32(z_14, w_15) in v_16 }})
          let s_13: i32 = reduce(n_1, [l_20], \\(z_17: i32) id, {SUM}) in (s_13, m_10)"),
        &format!("let (s_13: i32, m_10: [n_1]i32) = redomap(n_1, [xs_2, xs_2], \\(x_11: i32, w_15: i32) : (i32, i32) {{ let y_12: i32 = add.i32(x_11, 1i32) let v_16: i32 = mul.i32(y_12, w_15) in (v_16, y_12) }}, {SUM}) in (s_13, m_10)"),
    );
}

#[test]
fn into_scatter() {
    fused(
        "r_5: [n_1]i32",
        "let is_30: [n_1]i64 = map(n_1, [xs_2], \\(x_31: i32) : (i64) { let i_32: i64 = sext.i32.i64(x_31) in i_32 })
         let z_33: [n_1]i32 = scatter(n_1, [is_30, xs_2], \\(i_34: i64, v_35: i32) : (i64, i32) { in (i_34, v_35) }, into 1 ys_3) in z_33",
        "let z_33: [n_1]i32 = scatter(n_1, [xs_2, xs_2], \\(x_31: i32, v_35: i32) : (i64, i32) { let i_32: i64 = sext.i32.i64(x_31) in (i_32, v_35) }, into 1 ys_3) in z_33",
    );
}

#[test]
fn not_into_scatter_of_what_the_producer_reads() {
    unfused(
        "r_5: [n_1]i32",
        "let is_30: [n_1]i64 = map(n_1, [ys_3], \\(x_31: i32) : (i64) { let i_32: i64 = sext.i32.i64(x_31) in i_32 })
         let z_33: [n_1]i32 = scatter(n_1, [is_30, xs_2], \\(i_34: i64, v_35: i32) : (i64, i32) { in (i_34, v_35) }, into 1 ys_3) in z_33",
    );
}

#[test]
fn not_past_an_update_of_what_the_producer_reads() {
    unfused(
        "r_5: i32",
        &format!("let m_10: [n_1]i32 = map(n_1, [ys_3], \\(x_11: i32) : (i32) {{ let y_12: i32 = add.i32(x_11, 1i32) in y_12 }})
          let u_15: [n_1]i32 = update ys_3[0] with 1i32
          let s_13: i32 = reduce(n_1, [m_10], \\(z_14: i32) id, {SUM}) in s_13"),
    );
}

#[test]
fn not_when_used_in_between_or_otherwise_than_as_input() {
    unfused(
        "r_5: i32, q_6: i32",
        &format!(
            "{INC} let e_20: i32 = index m_10[0] let s_13: i32 = reduce(n_1, [m_10], \\(z_14: i32) id, {SUM}) in (s_13, e_20)"
        ),
    );
    unfused(
        "r_5: [n_1]i32",
        &format!(
            "{INC} let l_20: [n_1]i32 = map(n_1, [m_10], \\(z_14: i32) : (i32) {{ let v_16: i32 = index m_10[0] let w_17: i32 = mul.i32(v_16, z_14) in w_17 }}) in l_20"
        ),
    );
}

#[test]
fn not_a_scan_into_its_consumer() {
    unfused(
        "r_5: [n_1]i32",
        &format!("let m_10: [n_1]i32 = scan(n_1, [xs_2], \\(x_11: i32) id, {SUM})
          let l_20: [n_1]i32 = map(n_1, [m_10], \\(z_14: i32) : (i32) {{ let w_17: i32 = mul.i32(c_4, z_14) in w_17 }}) in l_20"),
    );
}

#[test]
fn side_by_side() {
    let max = "op [0i32] \\(a_70: i32, b_71: i32) : (i32) { let c_72: i32 = smax.i32(a_70, b_71) in c_72 }";
    fused(
        "r_5: i32, q_6: i32",
        &format!(
            "let s_10: i32 = reduce(n_1, [xs_2], \\(x_11: i32) id, {SUM})
          let t_12: i32 = reduce(n_1, [xs_2], \\(y_13: i32) id, {max}) in (s_10, t_12)"
        ),
        &format!(
            "let (s_10: i32, t_12: i32) = reduce(n_1, [xs_2, xs_2], \\(x_11: i32, y_13: i32) id, {SUM}, {max}) in (s_10, t_12)"
        ),
    );
}

const MAX: &str =
    "op [0i32] \\(a_70: i32, b_71: i32) : (i32) { let c_72: i32 = smax.i32(a_70, b_71) in c_72 }";

#[test]
fn side_by_side_past_a_use_of_the_first() {
    // What the second needs goes up with it.
    fused(
        "r_5: i32, q_6: i32, p_7: i32",
        &format!(
            "let s_10: i32 = reduce(n_1, [xs_2], \\(x_11: i32) id, {SUM})
          let d_14: i32 = mul.i32(s_10, 3i32)
          let e_15: i32 = mul.i32(c_4, 5i32)
          let t_12: i32 = redomap(n_1, [xs_2], \\(y_13: i32) : (i32) {{ let z_16: i32 = mul.i32(y_13, e_15) in z_16 }}, {MAX}) in (s_10, d_14, t_12)"
        ),
        &format!(
            "let e_15: i32 = mul.i32(c_4, 5i32)
          let (s_10: i32, t_12: i32) = redomap(n_1, [xs_2, xs_2], \\(x_11: i32, y_13: i32) : (i32, i32) {{ let z_16: i32 = mul.i32(y_13, e_15) in (x_11, z_16) }}, {SUM}, {MAX})
          let d_14: i32 = mul.i32(s_10, 3i32) in (s_10, d_14, t_12)"
        ),
    );
}

#[test]
fn a_map_and_a_reduction_side_by_side() {
    fused(
        "r_5: i32, q_6: [n_1]i32, p_7: i32",
        &format!(
            "let s_10: i32 = reduce(n_1, [xs_2], \\(x_11: i32) id, {SUM})
          let d_14: i32 = mul.i32(s_10, 3i32) {INC_2} in (s_10, m_20, d_14)"
        ),
        &format!(
            "let (s_10: i32, m_20: [n_1]i32) = redomap(n_1, [xs_2, xs_2], \\(x_11: i32, x_21: i32) : (i32, i32) {{ let y_22: i32 = add.i32(x_21, 1i32) in (x_11, y_22) }}, {SUM})
          let d_14: i32 = mul.i32(s_10, 3i32) in (s_10, m_20, d_14)"
        ),
    );
}

const INC_2: &str = "let m_20: [n_1]i32 = map(n_1, [xs_2], \\(x_21: i32) : (i32) { let y_22: i32 = add.i32(x_21, 1i32) in y_22 })";

#[test]
fn not_side_by_side_if_the_second_needs_the_first() {
    unfused(
        "r_5: i32, q_6: i32",
        &format!(
            "let s_10: i32 = reduce(n_1, [xs_2], \\(x_11: i32) id, {SUM})
          let e_15: i32 = mul.i32(s_10, 5i32)
          let t_12: i32 = redomap(n_1, [xs_2], \\(y_13: i32) : (i32) {{ let z_16: i32 = mul.i32(y_13, e_15) in z_16 }}, {MAX}) in (s_10, t_12)"
        ),
    );
}

#[test]
fn not_past_a_consumption_that_the_second_needs() {
    unfused(
        "r_5: i32, q_6: i32, p_7: i32",
        &format!(
            "let s_10: i32 = reduce(n_1, [xs_2], \\(x_11: i32) id, {SUM})
          let d_14: i32 = mul.i32(s_10, 3i32)
          let u_15: [n_1]i32 = update ys_3[0] with 1i32
          let e_16: i32 = index u_15[0]
          let t_12: i32 = redomap(n_1, [xs_2], \\(y_13: i32) : (i32) {{ let z_17: i32 = mul.i32(y_13, e_16) in z_17 }}, {MAX}) in (s_10, d_14, t_12)"
        ),
    );
}

#[test]
fn inside_of_what_was_merged() {
    fused(
        "r_5: [n_1]i32",
        &format!(
            "let r_40: [n_1]i32 = map(n_1, [xs_2], \\(q_41: i32) : (i32) {{ {INC} let s_13: i32 = reduce(n_1, [m_10], \\(z_14: i32) id, {SUM}) in s_13 }}) in r_40"
        ),
        &format!(
            "let r_40: [n_1]i32 = map(n_1, [xs_2], \\(q_41: i32) : (i32) {{ let s_13: i32 = redomap(n_1, [xs_2], \\(x_11: i32) : (i32) {{ let y_12: i32 = add.i32(x_11, 1i32) in y_12 }}, {SUM}) in s_13 }}) in r_40"
        ),
    );
}

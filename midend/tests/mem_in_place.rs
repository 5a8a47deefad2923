//! Values of updates are built in the array that they update where nothing can tell, and apart where
//! something could.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test")]

mod support;

use support::*;

/// `main` over a copy `a_1` of its `[n][m]` argument, of which it yields `r_2` or what the body
/// calls so.
fn over_copy(body: &str) -> String {
    format!(
        "level soacs
fun main (n_10: i64, m_11: i64, xs_12: [n_10][m_11]i32, k_13: i64) : (r_14: [n_10][m_11]i32) {{
  let a_1: [n_10][m_11]i32 = copy(xs_12)
{body}
  in r_2
}}"
    )
}

/// The elimination step of a factorisation, `k` from outside or as a loop's counter.
const ELIMINATE: &str = "    let p_20: i32 = index a_15[k_16, k_16]
    let k1_21: i64 = add.i64(k_16, 1)
    let rest_22: i64 = sub.i64(n_10, k1_21)
    let f_23: [rest_22]i32 = index a_15[k1_21 :+ rest_22 * 1, k_16]
    let row_24: [rest_22]i32 = index a_15[k_16, k1_21 :+ rest_22 * 1]
    let t_25: [rest_22][rest_22]i32 = index a_15[k1_21 :+ rest_22 * 1, k1_21 :+ rest_22 * 1]
    let (g_26: [rest_22]i32, u_27: [rest_22][rest_22]i32) = map(rest_22, [f_23, t_25], \\(x_28: i32, r_29: [rest_22]i32) : (i32, [rest_22]i32) {
      let y_30: i32 = sub.i32(x_28, p_20)
      let s_31: [rest_22]i32 = map(rest_22, [r_29, row_24], \\(v_32: i32, w_33: i32) : (i32) {
        let m_34: i32 = mul.i32(y_30, w_33)
        let z_35: i32 = sub.i32(v_32, m_34)
        in z_35
      })
      in (y_30, s_31)
    })
    let b_36: [n_10][n_10]i32 = update a_15[k1_21 :+ rest_22 * 1, k_16] with g_26
    let c_37: [n_10][n_10]i32 = update b_36[k1_21 :+ rest_22 * 1, k1_21 :+ rest_22 * 1] with u_27
";

fn eliminated(mut a: Vec<Vec<i32>>) -> Vec<i32> {
    for k in 0..a.len() {
        for i in k + 1..a.len() {
            a[i][k] = a[i][k].wrapping_sub(a[k][k]);
            for j in k + 1..a.len() {
                a[i][j] = a[i][j].wrapping_sub(a[i][k].wrapping_mul(a[k][j]));
            }
        }
    }
    a.concat()
}

#[test]
fn a_factorisation_needs_no_memory_but_its_matrix() {
    let text = format!(
        "level soacs
fun main (n_10: i64, xs_12: [n_10][n_10]i32) : (r_14: [n_10][n_10]i32) {{
  let a_1: [n_10][n_10]i32 = copy(xs_12)
  let r_2: [n_10][n_10]i32 = loop (a_15: [n_10][n_10]i32 = a_1) for k_16: i64 < n_10 {{
{ELIMINATE}    in c_37
  }}
  in r_2
}}"
    );
    let xs = [3, 1, -4, 1, 5, -9, 2, 6, 5, 3, 5, -8, 9, 7, 9, 3];
    let rows: Vec<Vec<i32>> = xs.chunks(4).map(<[i32]>::to_vec).collect();
    let s = check(&text, &[i32s(&[4, 4], xs)], &[i32s(&[4, 4], eliminated(rows))]);
    assert_eq!((s.allocs, s.copied), (1, 16));
}

#[test]
fn a_single_step_of_it_neither() {
    // Nothing says that `k` is not negative, but that it is in bounds.
    let text = format!(
        "level soacs
fun main (n_10: i64, xs_12: [n_10][n_10]i32, k_16: i64) : (r_14: [n_10][n_10]i32) {{
  let a_15: [n_10][n_10]i32 = copy(xs_12)
{ELIMINATE}  in c_37
}}"
    );
    let s = check(&text, &[i32s(&[2, 2], [1, 2, 3, 4]), i64v(0)], &[i32s(&[2, 2], [1, 2, 2, 0])]);
    assert_eq!((s.allocs, s.copied), (1, 4));
}

#[test]
fn a_map_over_what_it_replaces_is_in_place() {
    let s = check(
        &over_copy(
            "  let row_20: [m_11]i32 = index a_1[k_13, 0 :+ m_11 * 1]
  let v_21: [m_11]i32 = map(m_11, [row_20], \\(x_22: i32) : (i32) {
    let y_23: i32 = mul.i32(x_22, 10i32)
    in y_23
  })
  let r_2: [n_10][m_11]i32 = update a_1[k_13, 0 :+ m_11 * 1] with v_21",
        ),
        &[i32s(&[2, 3], [1, 2, 3, 4, 5, 6]), i64v(1)],
        &[i32s(&[2, 3], [1, 2, 3, 40, 50, 60])],
    );
    assert_eq!((s.allocs, s.copied), (1, 6));
}

#[test]
fn a_transposed_slice_is_replaced_in_place_through_its_view() {
    let s = check(
        &over_copy(
            "  let t_19: [m_11][n_10]i32 = rearrange(a_1, [1, 0])
  let col_20: [n_10]i32 = index t_19[k_13, 0 :+ n_10 * 1]
  let v_21: [n_10]i32 = map(n_10, [col_20], \\(x_22: i32) : (i32) {
    let y_23: i32 = mul.i32(x_22, 10i32)
    in y_23
  })
  let r_2: [n_10][m_11]i32 = update a_1[0 :+ n_10 * 1, k_13] with v_21",
        ),
        &[i32s(&[2, 3], [1, 2, 3, 4, 5, 6]), i64v(1)],
        &[i32s(&[2, 3], [1, 20, 3, 4, 50, 6])],
    );
    assert_eq!((s.allocs, s.copied), (1, 6));
}

#[test]
fn a_map_over_neighbours_of_what_it_replaces_is_built_apart() {
    let s = check(
        &over_copy(
            "  let last_19: i64 = sub.i64(m_11, 1)
  let row_20: [last_19]i32 = index a_1[k_13, 0 :+ last_19 * 1]
  let v_21: [last_19]i32 = map(last_19, [row_20], \\(x_22: i32) : (i32) {
    let y_23: i32 = mul.i32(x_22, 10i32)
    in y_23
  })
  let r_2: [n_10][m_11]i32 = update a_1[k_13, 1 :+ last_19 * 1] with v_21",
        ),
        &[i32s(&[2, 3], [1, 2, 3, 4, 5, 6]), i64v(1)],
        &[i32s(&[2, 3], [1, 2, 3, 4, 40, 50])],
    );
    assert_eq!(s.allocs, 2);
}

#[test]
fn a_point_that_reads_what_another_writes_is_built_apart() {
    let s = check(
        &over_copy(
            "  let row_20: [m_11]i32 = index a_1[k_13, 0 :+ m_11 * 1]
  let v_21: [m_11]i32 = map(m_11, [row_20], \\(x_22: i32) : (i32) {
    let first_23: i32 = index a_1[k_13, 0]
    let y_24: i32 = add.i32(x_22, first_23)
    in y_24
  })
  let r_2: [n_10][m_11]i32 = update a_1[k_13, 0 :+ m_11 * 1] with v_21",
        ),
        &[i32s(&[2, 3], [1, 2, 3, 4, 5, 6]), i64v(1)],
        &[i32s(&[2, 3], [1, 2, 3, 8, 9, 10])],
    );
    assert_eq!(s.allocs, 2);
}

#[test]
fn what_is_read_after_it_would_be_replaced_is_built_apart() {
    let text = over_copy(
        "  let row_20: [m_11]i32 = index a_1[k_13, 0 :+ m_11 * 1]
  let v_21: [m_11]i32 = map(m_11, [row_20], \\(x_22: i32) : (i32) {
    let y_23: i32 = mul.i32(x_22, 10i32)
    in y_23
  })
  let h_24: i32 = reduce(m_11, [row_20], \\(x_25: i32) id, op [0i32] \\(p_26: i32, q_27: i32) : (i32) {
    let s_28: i32 = add.i32(p_26, q_27)
    in s_28
  })
  let b_29: [n_10][m_11]i32 = update a_1[k_13, 0 :+ m_11 * 1] with v_21
  let r_2: [n_10][m_11]i32 = update b_29[0, 0] with h_24",
    );
    let s = check(
        &text,
        &[i32s(&[2, 3], [1, 2, 3, 4, 5, 6]), i64v(1)],
        &[i32s(&[2, 3], [15, 2, 3, 40, 50, 60])],
    );
    assert_eq!(s.allocs, 2);
}

#[test]
fn rows_of_a_table_are_made_of_earlier_ones_in_place() {
    let s = check(
        "level soacs
fun main (n_10: i64, m_11: i64) : (r_14: [n_10][m_11]i32) {
  let a_1: [n_10][m_11]i32 = replicate([n_10, m_11], 1i32)
  let k_2: i64 = sub.i64(n_10, 1)
  let r_3: [n_10][m_11]i32 = loop (a_4: [n_10][m_11]i32 = a_1) for i_5: i64 < k_2 {
    let next_6: i64 = add.i64(i_5, 1)
    let row_7: [m_11]i32 = index a_4[i_5, 0 :+ m_11 * 1]
    let new_8: [m_11]i32 = scan(m_11, [row_7], \\(x_9: i32) id, op [0i32] \\(p_26: i32, q_27: i32) : (i32) {
      let s_28: i32 = add.i32(p_26, q_27)
      in s_28
    })
    let b_29: [n_10][m_11]i32 = update a_4[next_6, 0 :+ m_11 * 1] with new_8
    in b_29
  }
  in r_3
}",
        &[i64v(3), i64v(3)],
        &[i32s(&[3, 3], [1, 1, 1, 1, 2, 3, 1, 3, 6])],
    );
    assert_eq!((s.allocs, s.copied), (1, 0));
}

#[test]
fn two_halves_are_made_of_each_other_in_place() {
    let text = "level soacs
fun main (n_10: i64, h_11: i64, xs_12: [n_10]i32) : (r_14: [n_10]i32) {
  let a_1: [n_10]i32 = copy(xs_12)
  let h_20: i64 = squot.i64(n_10, 2)
  let lo_2: [h_20]i32 = index a_1[0 :+ h_20 * 1]
  let hi_3: [h_20]i32 = index a_1[h_20 :+ h_20 * 1]
  let (s_4: [h_20]i32, d_5: [h_20]i32) = map(h_20, [lo_2, hi_3], \\(x_6: i32, y_7: i32) : (i32, i32) {
    let p_8: i32 = add.i32(x_6, y_7)
    let q_9: i32 = sub.i32(x_6, y_7)
    in (p_8, q_9)
  })
  let b_15: [n_10]i32 = update a_1[0 :+ h_20 * 1] with s_4
  let c_16: [n_10]i32 = update b_15[h_20 :+ h_20 * 1] with d_5
  in c_16
}";
    let s = check(text, &[i64v(0), i32s(&[4], [1, 2, 3, 4])], &[i32s(&[4], [4, 6, -2, -2])]);
    assert_eq!((s.allocs, s.copied), (1, 4));
}

#[test]
fn even_elements_are_made_of_odd_ones_in_place() {
    let s = check(
        "level soacs
fun main (n_10: i64, h_11: i64, xs_12: [n_10]i32) : (r_14: [n_10]i32) {
  let a_1: [n_10]i32 = copy(xs_12)
  let odd_2: [h_11]i32 = index a_1[1 :+ h_11 * 2]
  let v_4: [h_11]i32 = map(h_11, [odd_2], \\(x_6: i32) : (i32) {
    let p_8: i32 = mul.i32(x_6, 2i32)
    in p_8
  })
  let b_15: [n_10]i32 = update a_1[0 :+ h_11 * 2] with v_4
  in b_15
}",
        &[i64v(2), i32s(&[4], [1, 2, 3, 4])],
        &[i32s(&[4], [4, 2, 8, 4])],
    );
    assert_eq!((s.allocs, s.copied), (1, 4));
}

#[test]
fn elements_at_indexes_from_elsewhere_are_read_apart() {
    let s = check(
        "level soacs
fun main (n_10: i64, xs_12: [n_10]i32, is_13: [n_10]i64) : (r_14: [n_10]i32) {
  let a_1: [n_10]i32 = copy(xs_12)
  let v_4: [n_10]i32 = map(n_10, [is_13], \\(i_6: i64) : (i32) {
    let p_8: i32 = index a_1[i_6]
    in p_8
  })
  let b_15: [n_10]i32 = update a_1[0 :+ n_10 * 1] with v_4
  in b_15
}",
        &[i32s(&[3], [1, 2, 3]), i64s(&[1, 2, 0])],
        &[i32s(&[3], [2, 3, 1])],
    );
    assert_eq!(s.allocs, 2);
}

#[test]
fn a_row_that_is_read_again_after_its_inner_map_is_built_apart() {
    let s = check(
        "level soacs
fun main (n_10: i64, m_11: i64, xs_12: [n_10][m_11]i32) : (r_14: [n_10][m_11]i32, s_15: [n_10]i32) {
  let a_1: [n_10][m_11]i32 = copy(xs_12)
  let (u_2: [n_10][m_11]i32, h_3: [n_10]i32) = map(n_10, [a_1], \\(row_4: [m_11]i32) : ([m_11]i32, i32) {
    let v_5: [m_11]i32 = map(m_11, [row_4], \\(x_6: i32) : (i32) {
      let y_7: i32 = mul.i32(x_6, 10i32)
      in y_7
    })
    let f_8: i32 = index row_4[0]
    in (v_5, f_8)
  })
  let b_15: [n_10][m_11]i32 = update a_1[0 :+ n_10 * 1, 0 :+ m_11 * 1] with u_2
  in (b_15, h_3)
}",
        &[i32s(&[2, 2], [1, 2, 3, 4])],
        &[i32s(&[2, 2], [10, 20, 30, 40]), i32s(&[2], [1, 3])],
    );
    assert_eq!(s.allocs, 3);
}

#[test]
fn a_row_that_is_read_before_its_inner_map_is_in_place() {
    let s = check(
        "level soacs
fun main (n_10: i64, m_11: i64, xs_12: [n_10][m_11]i32) : (r_14: [n_10][m_11]i32) {
  let a_1: [n_10][m_11]i32 = copy(xs_12)
  let u_2: [n_10][m_11]i32 = map(n_10, [a_1], \\(row_4: [m_11]i32) : ([m_11]i32) {
    let h_8: i32 = reduce(m_11, [row_4], \\(x_25: i32) id, op [0i32] \\(p_26: i32, q_27: i32) : (i32) {
      let s_28: i32 = add.i32(p_26, q_27)
      in s_28
    })
    let v_5: [m_11]i32 = map(m_11, [row_4], \\(x_6: i32) : (i32) {
      let y_7: i32 = mul.i32(x_6, h_8)
      in y_7
    })
    in v_5
  })
  let b_15: [n_10][m_11]i32 = update a_1[0 :+ n_10 * 1, 0 :+ m_11 * 1] with u_2
  in b_15
}",
        &[i32s(&[2, 2], [1, 2, 3, 4])],
        &[i32s(&[2, 2], [3, 6, 21, 28])],
    );
    assert_eq!((s.allocs, s.copied), (1, 4));
}

#[test]
fn parts_of_a_concatenation_are_built_in_it() {
    let text = "level soacs
fun main (n_10: i64, m_11: i64, xs_12: [n_10]i32, ys_13: [m_11]i32) : (s_9: i64, r_14: [s_9]i32) {
  let a_1: [n_10]i32 = map(n_10, [xs_12], \\(x_6: i32) : (i32) {
    let p_8: i32 = mul.i32(x_6, 2i32)
    in p_8
  })
  let b_2: [m_11]i32 = scan(m_11, [ys_13], \\(x_20: i32) id, op [0i32] \\(p_26: i32, q_27: i32) : (i32) {
    let s_28: i32 = add.i32(p_26, q_27)
    in s_28
  })
  let s_3: i64 = add.i64(n_10, m_11)
  let c_4: [s_3]i32 = concat(0, [a_1, b_2], s_3)
  in (s_3, c_4)
}";
    let s =
        check(text, &[i32s(&[2], [1, 2]), i32s(&[3], [3, 4, 5])], &[i32s(&[5], [2, 4, 3, 7, 12])]);
    assert_eq!((s.allocs, s.copied), (1, 0));
}

#[test]
fn one_array_twice_in_a_concatenation_is_copied_from_where_it_was_made() {
    let text = "level soacs
fun main (n_10: i64, xs_12: [n_10]i32) : (s_9: i64, r_14: [s_9]i32) {
  let a_1: [n_10]i32 = map(n_10, [xs_12], \\(x_6: i32) : (i32) {
    let p_8: i32 = mul.i32(x_6, 2i32)
    in p_8
  })
  let s_3: i64 = add.i64(n_10, n_10)
  let c_4: [s_3]i32 = concat(0, [a_1, a_1], s_3)
  in (s_3, c_4)
}";
    let s = check(text, &[i32s(&[2], [1, 2])], &[i32s(&[4], [2, 4, 2, 4])]);
    assert_eq!(s.allocs, 2);
}

#[test]
fn a_part_that_is_wanted_later_is_copied() {
    let text = "level soacs
fun main (n_10: i64, xs_12: [n_10]i32) : (s_9: i64, r_14: [s_9]i32, u_15: [n_10]i32) {
  let a_1: [n_10]i32 = map(n_10, [xs_12], \\(x_6: i32) : (i32) {
    let p_8: i32 = mul.i32(x_6, 2i32)
    in p_8
  })
  let s_3: i64 = add.i64(n_10, n_10)
  let c_4: [s_3]i32 = concat(0, [xs_12, a_1], s_3)
  in (s_3, c_4, a_1)
}";
    let s = check(text, &[i32s(&[2], [1, 2])], &[i32s(&[4], [1, 2, 2, 4]), i32s(&[2], [2, 4])]);
    assert_eq!(s.allocs, 2);
}

#[test]
fn chains_of_concatenations_and_rows_are_built_at_their_end() {
    let text = "level soacs
fun main (n_10: i64, xs_12: [n_10]i32) : (r_14: [n_10][3]i32) {
  let r_15: [n_10][3]i32 = map(n_10, [xs_12], \\(x_6: i32) : ([3]i32) {
    let one_7: [1]i32 = replicate([1], x_6)
    let two_8: [2]i32 = iota.i32(2, x_6, 1i32)
    let both_9: [3]i32 = concat(0, [one_7, two_8], 3)
    in both_9
  })
  in r_15
}";
    let s = check(text, &[i32s(&[2], [5, 8])], &[i32s(&[2, 3], [5, 5, 6, 8, 8, 9])]);
    assert_eq!((s.allocs, s.copied), (1, 0));
}

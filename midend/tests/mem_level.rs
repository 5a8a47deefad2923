//! Programs at level `soacs` taken through every back-end pass and run by the level-mem
//! interpreter, for both targets, with and without the optional passes.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test")]

mod support;

use futc_midend::interp::mem::MemValue;
use futc_midend::ir::*;
use support::*;

fn kernels_in(p: &Program) -> usize {
    p.to_string().matches("segmap grid").count()
}

#[test]
fn a_map_allocates_its_result_and_nothing_else() {
    let s = check(
        "level soacs
fun main (n_1: i64, xs_2: [n_1]i32) : (r_3: [n_1]i32) {
  let ys_4: [n_1]i32 = map(n_1, [xs_2], \\(x_5: i32) : (i32) {
    let y_6: i32 = add.i32(x_5, 1i32)
    in y_6
  })
  in ys_4
}",
        &[i32s(&[3], [1, 2, 3])],
        &[i32s(&[3], [2, 3, 4])],
    );
    assert_eq!((s.allocs, s.copied), (1, 0));
}

#[test]
fn rows_of_nested_maps_are_built_in_place() {
    let text = "level soacs
fun main (n_1: i64, m_2: i64, xs_3: [n_1][m_2]i32) : (r_4: [n_1][m_2]i32) {
  let ys_5: [n_1][m_2]i32 = map(n_1, [xs_3], \\(row_6: [m_2]i32) : ([m_2]i32) {
    let h_7: i32 = reduce(m_2, [row_6], \\(x_8: i32) id, op [0i32] \\(a_9: i32, b_10: i32) : (i32) {
      let c_11: i32 = add.i32(a_9, b_10)
      in c_11
    })
    let t_12: [m_2]i32 = map(m_2, [row_6], \\(x_13: i32) : (i32) {
      let y_14: i32 = add.i32(x_13, h_7)
      in y_14
    })
    let u_15: [m_2]i32 = map(m_2, [t_12], \\(x_16: i32) : (i32) {
      let y_17: i32 = mul.i32(x_16, 2i32)
      in y_17
    })
    in u_15
  })
  in ys_5
}";
    let s = check(
        text,
        &[i32s(&[2, 3], [1, 2, 3, 4, 5, 6])],
        &[i32s(&[2, 3], [14, 16, 18, 38, 40, 42])],
    );
    // The result, and one row of `t` for all iterations.
    assert_eq!((s.allocs, s.copied), (2, 0));
    let gpu = lower(text, Target::Gpu, true);
    assert_eq!(kernels_in(&gpu), 1, "{gpu}");
}

#[test]
fn perfect_nests_become_kernels_of_several_dimensions() {
    let text = "level soacs
fun main (n_1: i64, m_2: i64, xs_3: [n_1][m_2]i32, ys_4: [m_2]i32) : (r_5: [n_1][m_2]i32, s_6: [n_1][m_2]i32) {
  let (a_7: [n_1][m_2]i32, b_8: [n_1][m_2]i32) = map(n_1, [xs_3], \\(row_9: [m_2]i32) : ([m_2]i32, [m_2]i32) {
    let h_10: i32 = index row_9[0]
    let (c_11: [m_2]i32, d_12: [m_2]i32) = map(m_2, [row_9, ys_4], \\(x_13: i32, y_14: i32) : (i32, i32) {
      let z_15: i32 = add.i32(x_13, h_10)
      in (z_15, y_14)
    })
    in (d_12, c_11)
  })
  in (a_7, b_8)
}";
    check(
        text,
        &[i32s(&[2, 2], [1, 2, 3, 4]), i32s(&[2], [8, 9])],
        &[i32s(&[2, 2], [8, 9, 8, 9]), i32s(&[2, 2], [2, 3, 6, 7])],
    );
    let gpu = lower(text, Target::Gpu, true).to_string();
    assert!(gpu.contains("segmap grid (i_") && gpu.contains("< n_1, i_"), "{gpu}");
}

#[test]
fn loops_update_their_array_where_it_lies() {
    let s = check(
        "level soacs
fun main (n_1: i64, k_2: i32) : (r_3: [n_1]i32) {
  let xs_4: [n_1]i32 = replicate([n_1], 7i32)
  let ys_5: [n_1]i32 = loop (a_6: [n_1]i32 = xs_4) for i_7: i64 < n_1 {
    let odd_8: i64 = and.i64(i_7, 1)
    let c_9: bool = eq.i64(odd_8, 1)
    let b_10: [n_1]i32 = if c_9 {
      let u_11: [n_1]i32 = update a_6[i_7] with k_2
      in u_11
    } else {
      in a_6
    }
    in b_10
  }
  in ys_5
}",
        &[i64v(4), i32v(1)],
        &[i32s(&[4], [7, 1, 7, 1])],
    );
    assert_eq!((s.allocs, s.copied), (1, 0));
}

#[test]
fn swapped_loop_arrays_carry_their_blocks() {
    let s = check(
        "level soacs
fun main (n_1: i64, xs_2: [n_1]i32, k_3: i64) : (r_4: [n_1]i32, s_5: [n_1]i32) {
  let ys_6: [n_1]i32 = copy(xs_2)
  let ys_7: [n_1]i32 = update ys_6[0] with 9i32
  let (p_8: [n_1]i32, q_9: [n_1]i32) = loop (a_10: [n_1]i32 = xs_2, b_11: [n_1]i32 = ys_7) for i_12: i64 < k_3 {
    in (b_11, a_10)
  }
  in (p_8, q_9)
}",
        &[i32s(&[2], [1, 2]), i64v(3)],
        &[i32s(&[2], [9, 2]), i32s(&[2], [1, 2])],
    );
    assert_eq!((s.allocs, s.copied), (1, 2));
}

#[test]
fn loops_in_threads_carry_arrays_through_buffers() {
    let text = "level soacs
fun main (n_1: i64, m_2: i64, xs_3: [n_1][m_2]i32, k_4: i64) : (r_5: [n_1][m_2]i32, s_6: [n_1][m_2]i32) {
  let (ys_7: [n_1][m_2]i32, zs_8: [n_1][m_2]i32) = map(n_1, [xs_3], \\(row_9: [m_2]i32) : ([m_2]i32, [m_2]i32) {
    let z_10: [m_2]i32 = replicate([m_2], 0i32)
    let (p_11: [m_2]i32, q_12: [m_2]i32) = loop (a_13: [m_2]i32 = row_9, b_14: [m_2]i32 = z_10) for i_15: i64 < k_4 {
      let t_16: [m_2]i32 = map(m_2, [a_13, b_14], \\(x_17: i32, y_18: i32) : (i32) {
        let w_19: i32 = add.i32(x_17, y_18)
        let v_20: i32 = add.i32(w_19, 1i32)
        in v_20
      })
      in (t_16, a_13)
    }
    in (p_11, q_12)
  })
  in (ys_7, zs_8)
}";
    // Fibonacci with a twist.
    check(
        text,
        &[i32s(&[2, 2], [0, 1, 2, 3]), i64v(3)],
        &[i32s(&[2, 2], [4, 7, 10, 13]), i32s(&[2, 2], [2, 4, 6, 8])],
    );
    assert_eq!(kernels_in(&lower(text, Target::Gpu, true)), 1);
}

#[test]
fn branches_pass_contiguous_arrays_and_copy_others() {
    let text = "level soacs
fun main (n_1: i64, xs_2: [n_1][n_1]i32, c_3: bool, d_4: bool) : (r_5: [n_1]i32, s_6: [n_1][n_1]i32) {
  let a_7: [n_1]i32 = if c_3 {
    let r_8: [n_1]i32 = index xs_2[1, 0 :+ n_1 * 1]
    in r_8
  } else {
    let z_9: [n_1]i32 = iota.i32(n_1, 0i32, 1i32)
    in z_9
  }
  let t_10: [n_1][n_1]i32 = rearrange(xs_2, [1, 0])
  let b_11: [n_1][n_1]i32 = if d_4 {
    in xs_2
  } else {
    in t_10
  }
  let e_12: [n_1]i32 = map(n_1, [a_7], \\(x_13: i32) : (i32) {
    let y_14: i32 = mul.i32(x_13, 10i32)
    in y_14
  })
  in (e_12, b_11)
}";
    let xs = i32s(&[2, 2], [1, 2, 3, 4]);
    let t = |b| MemValue::Scalar(Const::Bool(b));
    check(
        text,
        &[xs.clone(), t(true), t(false)],
        &[i32s(&[2], [30, 40]), i32s(&[2, 2], [1, 3, 2, 4])],
    );
    check(text, &[xs.clone(), t(false), t(true)], &[i32s(&[2], [0, 10]), xs]);
}

#[test]
fn scans_reductions_and_maps_of_one_combinator() {
    check(
        "level soacs
fun main (n_1: i64, xs_2: [n_1]i32) : (r_3: [n_1]i32, s_4: i32, t_5: [n_1]i32) {
  let (a_6: [n_1]i32, b_7: i32, c_8: [n_1]i32) = screma(n_1, [xs_2], \\(x_9: i32) : (i32, i32, i32) {
    let y_10: i32 = mul.i32(x_9, x_9)
    in (x_9, y_10, y_10)
  }, scans, op [0i32] \\(a_11: i32, b_12: i32) : (i32) {
    let c_13: i32 = add.i32(a_11, b_12)
    in c_13
  }, reduces, op [1i32] \\(a_14: i32, b_15: i32) : (i32) {
    let c_16: i32 = mul.i32(a_14, b_15)
    in c_16
  })
  in (a_6, b_7, c_8)
}",
        &[i32s(&[3], [1, 2, 3])],
        &[i32s(&[3], [1, 3, 6]), i32v(36), i32s(&[3], [1, 4, 9])],
    );
}

#[test]
fn operators_on_arrays_become_loops() {
    check(
        "level soacs
fun main (n_1: i64, m_2: i64, xs_3: [n_1][m_2]i32) : (r_4: [n_1][m_2]i32, s_5: [m_2]i32) {
  let z_6: [m_2]i32 = replicate([m_2], 0i32)
  let (a_7: [n_1][m_2]i32, b_8: [m_2]i32) = screma(n_1, [xs_3], \\(x_9: [m_2]i32) : ([m_2]i32, [m_2]i32) {
    in (x_9, x_9)
  }, scans, op [z_6] \\(a_11: [m_2]i32, b_12: [m_2]i32) : ([m_2]i32) {
    let c_13: [m_2]i32 = map(m_2, [a_11, b_12], \\(d_14: i32, e_15: i32) : (i32) {
      let f_16: i32 = add.i32(d_14, e_15)
      in f_16
    })
    in c_13
  }, reduces, op [z_6] \\(a_17: [m_2]i32, b_18: [m_2]i32) : ([m_2]i32) {
    in b_18
  })
  in (a_7, b_8)
}",
        &[i32s(&[3, 2], [1, 2, 3, 4, 5, 6])],
        &[i32s(&[3, 2], [1, 2, 4, 6, 9, 12]), i32s(&[2], [5, 6])],
    );
}

#[test]
fn scatters_and_histograms_ignore_what_is_out_of_bounds() {
    let text = "level soacs
fun main (n_1: i64, is_2: [n_1]i64, m_3: i64, vs_4: [n_1][m_3]i32) : (a_5: [3]i32, b_6: [3][m_3]i32, c_7: [3]i32, d_8: [3][m_3]i32) {
  let z_9: [3]i32 = replicate([3], 0i32)
  let zz_10: [3][m_3]i32 = replicate([3, m_3], 0i32)
  let zc_11: [3]i32 = copy(z_9)
  let zzc_12: [3][m_3]i32 = copy(zz_10)
  let a_13: [3]i32 = scatter(n_1, [is_2, is_2], \\(i_14: i64, x_15: i64) : (i64, i32) {
    let y_16: i32 = sext.i64.i32(x_15)
    in (i_14, y_16)
  }, into 1 z_9)
  let b_17: [3][m_3]i32 = scatter(n_1, [is_2, vs_4], \\(i_18: i64, x_19: [m_3]i32) id, into 1 zz_10)
  let c_20: [3]i32 = hist(n_1, [is_2], \\(i_21: i64) : (i64, i32) {
    in (i_21, 1i32)
  }, into [3] [zc_11] op [0i32] \\(a_22: i32, b_23: i32) : (i32) {
    let c_24: i32 = add.i32(a_22, b_23)
    in c_24
  })
  let zr_25: [m_3]i32 = replicate([m_3], 0i32)
  let d_26: [3][m_3]i32 = hist(n_1, [is_2, vs_4], \\(i_27: i64, x_28: [m_3]i32) id, into [3] [zzc_12] op [zr_25] \\(a_29: [m_3]i32, b_30: [m_3]i32) : ([m_3]i32) {
    let c_31: [m_3]i32 = map(m_3, [a_29, b_30], \\(d_32: i32, e_33: i32) : (i32) {
      let f_34: i32 = add.i32(d_32, e_33)
      in f_34
    })
    in c_31
  })
  in (a_13, b_17, c_20, d_26)
}";
    check(
        text,
        &[i64s(&[2, -1, 0, 3, 0]), i32s(&[5, 2], 1..=10)],
        &[
            i32s(&[3], [0, 0, 2]),
            i32s(&[3, 2], [9, 10, 0, 0, 1, 2]),
            i32s(&[3], [2, 0, 1]),
            i32s(&[3, 2], [14, 16, 0, 0, 1, 2]),
        ],
    );
    assert_eq!(kernels_in(&lower(text, Target::Gpu, true)), 2);
}

#[test]
fn views_share_and_reshapes_copy_when_they_must() {
    let s = check(
        "level soacs
fun main (n_1: i64, m_2: i64, xs_3: [n_1][m_2]i32) : (r_4: [m_2]i32, s_5: i64) {
  let nm_6: i64 = mul.i64(n_1, m_2)
  let f_7: [nm_6]i32 = reshape(xs_3, [nm_6])
  let g_8: [n_1][m_2]i32 = reshape(f_7, [n_1, m_2])
  let t_9: [m_2][n_1]i32 = rearrange(g_8, [1, 0])
  let tf_10: [nm_6]i32 = reshape(t_9, [nm_6])
  let last_11: i64 = sub.i64(nm_6, 1)
  let rev_12: [nm_6]i32 = index tf_10[last_11 :+ nm_6 * -1]
  let fst_13: [m_2]i32 = index rev_12[0 :+ m_2 * 1]
  in (fst_13, nm_6)
}",
        &[i32s(&[2, 3], [1, 2, 3, 4, 5, 6])],
        &[i32s(&[3], [6, 3, 5]), i64v(6)],
    );
    // The flattened transpose, and the reversed result.
    assert_eq!((s.allocs, s.copied), (2, 9));
}

#[test]
fn calls_pass_blocks_and_unique_arguments_are_taken_over() {
    let s = check(
        "level soacs
fun main (n_1: i64, xs_2: [n_1]i32) : (r_3: [n_1]i32, s_4: [n_1]i32, t_5: [n_1]i32) {
  let ys_6: [n_1]i32 = copy(xs_2)
  let zs_7: [n_1]i32 = call bump(n_1, ys_6)
  let ws_8: [n_1]i32 = call same(n_1, xs_2)
  let k_9: i64 = sub.i64(n_1, 1)
  let rv_10: [n_1]i32 = index xs_2[k_9 :+ n_1 * -1]
  let vs_11: [n_1]i32 = call same(n_1, rv_10)
  in (zs_7, ws_8, vs_11)
}

fun bump (n_12: i64, *xs_13: [n_12]i32) : (r_14: [n_12]i32) {
  let ys_15: [n_12]i32 = update xs_13[0] with 5i32
  in ys_15
}

fun same (n_16: i64, xs_17: [n_16]i32) : (r_18: [n_16]i32) {
  in xs_17
}",
        &[i32s(&[3], [1, 2, 3])],
        &[i32s(&[3], [5, 2, 3]), i32s(&[3], [1, 2, 3]), i32s(&[3], [3, 2, 1])],
    );
    assert_eq!(s.allocs, 2);
}

#[test]
fn globals_are_shared_but_not_given_away() {
    let text = "level soacs
global (k_1: i64, tab_2: [k_1]i32) = {
  let t_3: [3]i32 = iota.i32(3, 1i32, 1i32)
  in (3, t_3)
}

fun main (x_4: i32) : (r_5: [k_1]i32, s_6: i32)
  entry \"main\" (\"x\": \"i32\" i32) -> (\"[]i32\" []i32, \"i32\" i32)
{
  let y_7: i32 = index tab_2[1]
  let z_8: i32 = add.i32(x_4, y_7)
  in (tab_2, z_8)
}";
    let s = check(text, &[i32v(1)], &[i32s(&[3], [1, 2, 3]), i32v(3)]);
    assert_eq!((s.allocs, s.copied), (1, 3));
}

#[test]
fn sizes_that_branches_and_loops_find_out() {
    check(
        "level soacs
fun main (n_1: i64, xs_2: [n_1]i32, c_3: bool) : (k_4: i64, r_5: [k_4]i32, s_6: i64) {
  let (m_7: i64, ys_8: [m_7]i32) = if c_3 {
    let h_9: i64 = squot.i64(n_1, 2)
    let ys_10: [h_9]i32 = index xs_2[1 :+ h_9 * 1]
    in (h_9, ys_10)
  } else {
    in (n_1, xs_2)
  }
  let (p_11: i64, zs_12: [p_11]i32) = loop (q_13: i64 = m_7, as_14: [q_13]i32 = ys_8) for i_15: i64 < 2 {
    let r_16: i64 = add.i64(q_13, q_13)
    let bs_17: [r_16]i32 = concat(0, [as_14, as_14], r_16)
    in (r_16, bs_17)
  }
  in (p_11, zs_12, m_7)
}",
        &[i32s(&[2], [4, 5]), MemValue::Scalar(Const::Bool(true))],
        &[i32s(&[4], [5, 5, 5, 5]), i64v(1)],
    );
}

#[test]
fn allocations_of_varying_size_keep_a_nest_on_the_host() {
    let text = "level soacs
fun main (n_1: i64, ks_2: [n_1]i64) : (r_3: [n_1]i64) {
  let ys_4: [n_1]i64 = map(n_1, [ks_2], \\(k_5: i64) : (i64) {
    let is_6: [k_5]i64 = iota.i64(k_5, 0, 1)
    let js_7: [k_5]i64 = map(k_5, [is_6], \\(x_8: i64) : (i64) {
      let y_9: i64 = mul.i64(x_8, x_8)
      in y_9
    })
    let s_10: i64 = reduce(k_5, [js_7], \\(x_11: i64) id, op [0] \\(a_12: i64, b_13: i64) : (i64) {
      let c_14: i64 = add.i64(a_12, b_13)
      in c_14
    })
    in s_10
  })
  in ys_4
}";
    check(text, &[i64s(&[3, 0, 4])], &[i64s(&[5, 0, 14])]);
    assert_eq!(kernels_in(&lower(text, Target::Gpu, true)), 0);
}

#[test]
fn rows_stored_by_updates_are_built_in_place() {
    let s = check(
        "level soacs
fun main (n_1: i64, m_2: i64) : (r_3: [n_1][m_2]i32) {
  let s_4: [n_1][m_2]i32 = scratch(i32, [n_1, m_2])
  let t_5: [n_1][m_2]i32 = loop (a_6: [n_1][m_2]i32 = s_4) for i_7: i64 < n_1 {
    let k_8: i32 = sext.i64.i32(i_7)
    let row_9: [m_2]i32 = iota.i32(m_2, k_8, 2i32)
    let b_10: [n_1][m_2]i32 = update a_6[i_7, 0 :+ m_2 * 1] with row_9
    in b_10
  }
  in t_5
}",
        &[i64v(2), i64v(3)],
        &[i32s(&[2, 3], [0, 2, 4, 1, 3, 5])],
    );
    assert_eq!((s.allocs, s.copied), (1, 0));
}

#[test]
fn values_that_read_what_they_replace_are_built_apart() {
    check(
        "level soacs
fun main (n_1: i64, xs_2: [2][n_1]i32) : (r_3: [2][n_1]i32) {
  let a_4: [2][n_1]i32 = copy(xs_2)
  let row_5: [n_1]i32 = index a_4[0, 0 :+ n_1 * 1]
  let k_6: i64 = sub.i64(n_1, 1)
  let rev_7: [n_1]i32 = index row_5[k_6 :+ n_1 * -1]
  let new_8: [n_1]i32 = map(n_1, [rev_7], \\(x_9: i32) : (i32) {
    let y_10: i32 = add.i32(x_9, 1i32)
    in y_10
  })
  let b_11: [2][n_1]i32 = update a_4[0, 0 :+ n_1 * 1] with new_8
  in b_11
}",
        &[i32s(&[2, 3], [1, 2, 3, 4, 5, 6])],
        &[i32s(&[2, 3], [4, 3, 2, 4, 5, 6])],
    );
}

#[test]
fn while_loops_and_unused_results_release_what_they_hold() {
    check(
        "level soacs
fun main (n_1: i64) : (r_2: i64) {
  let xs_3: [n_1]i64 = iota.i64(n_1, 0, 1)
  let (go_4: bool, i_5: i64, ys_6: [n_1]i64) = loop (g_7: bool = true, i_8: i64 = 0, a_9: [n_1]i64 = xs_3) while g_7 {
    let j_10: i64 = add.i64(i_8, 1)
    let b_11: [n_1]i64 = map(n_1, [a_9], \\(x_12: i64) : (i64) {
      let y_13: i64 = add.i64(x_12, j_10)
      in y_13
    })
    let h_14: bool = slt.i64(j_10, 4)
    in (h_14, j_10, b_11)
  }
  let z_15: i64 = index ys_6[1]
  in z_15
}",
        &[i64v(3)],
        &[i64v(11)],
    );
}

//! Which scans and writes become one loop.

use super::compact;
use crate::ir::parse::parse_program;
use crate::ir::verify::verify;

const ADD: &str = "op [0] \\(a_90: i64, b_91: i64) : (i64) {
    let c_92: i64 = add.i64(a_90, b_91)
    in c_92
  }";

/// A scan that counts what is positive, and what writes by it.
fn program(place: &str, size: &str, rest: &str) -> String {
    format!(
        "level seg
fun main (n_1: i64, xs_2: [n_1]i32, z_3: i64) : (q_4: i64, r_5: [q_4]i32) {{
  let (upto_6: [n_1]i64, ps_7: [n_1]bool) = segscan seq (i_8 < n_1) {ADD} : (i64, bool) {{
    let x_9: i32 = index xs_2[i_8]
    let p_10: bool = slt.i32(0i32, x_9)
    let f_11: i64 = btoi.i64(p_10)
    in (return f_11, return p_10)
  }}
  let e_12: bool = eq.i64(n_1, 0)
  let k_13: i64 = if e_12 {{
    in 0
  }} else {{
    let m_14: i64 = add.i64(n_1, -1)
    let l_15: i64 = index upto_6[m_14]
    in l_15
  }}
  let others_16: i64 = sub.i64(n_1, k_13)
  let buffer_17: [{size}]i32 = scratch(i32, [{size}])
  let out_18: [{size}]i32 = segmap seq (j_19 < n_1) : ([{size}]i32) {{
    let p_20: bool = index ps_7[j_19]
    let c_21: i64 = index upto_6[j_19]
    let x_22: i32 = index xs_2[j_19]
    {place}
    in (write buffer_17 {{[t_23] = x_22}})
  }}
  {rest}
}}"
    )
}

#[track_caller]
fn after(text: &str) -> String {
    let p = parse_program(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    verify(&p).unwrap_or_else(|e| panic!("{e:?}\n{p}"));
    let p = compact(p);
    verify(&p).unwrap_or_else(|e| panic!("{e:?}\n{p}"));
    p.to_string()
}

#[track_caller]
fn one_loop(text: &str) -> String {
    let out = after(text);
    assert!(out.contains("loop") && !out.contains("segscan") && !out.contains("segmap"), "{out}");
    out
}

#[track_caller]
fn stays(text: &str) {
    let out = after(text);
    assert!(out.contains("segscan") && out.contains("segmap"), "{out}");
}

const KEPT: &str = "let t_23: i64 = if p_20 {
      let t_24: i64 = sub.i64(c_21, 1)
      in t_24
    } else {
      in -1
    }";

const BOTH: &str = "let t_23: i64 = if p_20 {
      let t_24: i64 = sub.i64(c_21, 1)
      in t_24
    } else {
      let t_25: i64 = add.i64(k_13, j_19)
      let t_26: i64 = sub.i64(t_25, c_21)
      in t_26
    }";

const SLICES: &str = "let a_30: [k_13]i32 = index out_18[0 :+ k_13 * 1]
  let b_31: [others_16]i32 = index out_18[k_13 :+ others_16 * 1]
  let s_32: i32 = index a_30[z_3]
  let b_33: [others_16]i32 = copy(b_31)
  let b_34: [others_16]i32 = update b_33[z_3] with s_32
  in (others_16, b_34)";

#[test]
fn what_is_kept() {
    let out = one_loop(&program(KEPT, "k_13", "in (k_13, out_18)"));
    assert_eq!(out.matches("scratch").count(), 1, "{out}");
    assert!(!out.contains("if "), "{out}");
}

#[test]
fn the_others_alone() {
    let place = KEPT.replace("in -1", "let u_27: i64 = sub.i64(j_19, c_21) in u_27");
    let place = place.replace("in t_24", "in -1");
    let out = one_loop(&program(&place, "others_16", "in (others_16, out_18)"));
    assert!(out.contains("sub.i64(i_8, kept_"), "{out}");
}

#[test]
fn both_parts() {
    let out = one_loop(&program(BOTH, "n_1", SLICES));
    assert_eq!(out.matches("scratch").count(), 2, "{out}");
    assert!(!out.contains("concat") && !out.contains("k_13, i_8"), "{out}");
}

#[test]
fn both_parts_put_together() {
    let out = one_loop(&program(BOTH, "n_1", "in (n_1, out_18)"));
    assert!(out.contains("concat"), "{out}");
    let other = SLICES.replace("out_18[0 :+ k_13 * 1]", "out_18[z_3 :+ k_13 * 1]");
    assert!(one_loop(&program(BOTH, "n_1", &other)).contains("concat"));
}

#[test]
fn widths_that_are_sums() {
    let wide = |text: &str| {
        let text = text
            .replace("n_1", "w_40")
            .replace("main (w_40: i64, xs_2: [w_40]i32,", "main (n_1: i64, xs_2: [n_1]i32,");
        text.replacen("  let (upto_6", "  let w_40: i64 = add.i64(n_1, -1)\n  let (upto_6", 1)
            .replace("eq.i64(w_40, 0)", "eq.i64(n_1, 1)")
            .replace("add.i64(w_40, -1)", "add.i64(n_1, -2)")
    };
    let text = wide(&program(KEPT, "k_13", "in (k_13, out_18)"));
    assert!(text.contains("eq.i64(n_1, 1)") && text.contains("i_8 < w_40"), "{text}");
    one_loop(&text);
    stays(&text.replace("add.i64(n_1, -2)", "add.i64(n_1, -3)"));
    stays(&text.replace("eq.i64(n_1, 1)", "eq.i64(n_1, 2)"));
}

#[test]
fn places_that_are_none_of_parts() {
    for (was, is) in [
        ("sub.i64(c_21, 1)", "sub.i64(c_21, 0)"),
        ("add.i64(k_13, j_19)", "add.i64(z_3, j_19)"),
        ("sub.i64(t_25, c_21)", "add.i64(t_25, c_21)"),
        ("if p_20", "if e_12"),
    ] {
        stays(&program(&BOTH.replace(was, is), "n_1", "in (n_1, out_18)"));
    }
    // Some elements would have nothing written to them.
    stays(&program(KEPT, "n_1", "in (n_1, out_18)"));
    // Each part would be written to the beginning.
    stays(&program(
        &BOTH.replace("add.i64(k_13, j_19)", "add.i64(0, j_19)"),
        "n_1",
        "in (n_1, out_18)",
    ));
}

#[test]
fn what_others_need_of_the_scan() {
    let read =
        "let y_50: i64 = index upto_6[z_3] let y_51: [k_13]i32 = copy(out_18) in (k_13, y_51)";
    stays(&program(KEPT, "k_13", read));
    // How many are kept is known too late.
    let place = format!("{KEPT} let v_27: i32 = sext.i64.i32(k_13)");
    let text = program(&place, "k_13", "in (k_13, out_18)").replace("= x_22}", "= v_27}");
    stays(&text);
}

#[test]
fn three_parts_of_two_counts() {
    let text = "level seg
fun main (n_1: i64, xs_2: [n_1]i32, z_3: i64) : (r_4: i32, r_5: i32, r_6: i32) {
  let (one_7: [n_1]i64, two_8: [n_1]i64, fs_9: [n_1]i64, gs_10: [n_1]i64) = segscan seq (i_11 < n_1)
      op [0, 0] \\(a_12: i64, b_13: i64, x_14: i64, y_15: i64) : (i64, i64) {
    let s_16: i64 = add.i64(a_12, x_14)
    let t_17: i64 = add.i64(b_13, y_15)
    in (s_16, t_17)
  } : (i64, i64, i64, i64) {
    let x_18: i32 = index xs_2[i_11]
    let p_19: bool = slt.i32(0i32, x_18)
    let (f_20: i64, g_21: i64) = if p_19 {
      in (1, 0)
    } else {
      let q_22: bool = eq.i32(x_18, 0i32)
      let g_23: i64 = if q_22 {
        in 1
      } else {
        in 0
      }
      in (0, g_23)
    }
    in (return f_20, return g_21, return f_20, return g_21)
  }
  let e_24: bool = eq.i64(n_1, 0)
  let (k_25: i64, l_26: i64) = if e_24 {
    in (0, 0)
  } else {
    let m_27: i64 = sub.i64(n_1, 1)
    let k_28: i64 = index one_7[m_27]
    let l_29: i64 = index two_8[m_27]
    in (k_28, l_29)
  }
  let buffer_30: [n_1]i32 = scratch(i32, [n_1])
  let out_31: [n_1]i32 = segmap seq (j_32 < n_1) : ([n_1]i32) {
    let f_33: i64 = index fs_9[j_32]
    let g_34: i64 = index gs_10[j_32]
    let c_35: i64 = index one_7[j_32]
    let d_36: i64 = index two_8[j_32]
    let x_37: i32 = index xs_2[j_32]
    let p_38: bool = eq.i64(f_33, 1)
    let t_39: i64 = if p_38 {
      let t_40: i64 = sub.i64(c_35, 1)
      in t_40
    } else {
      let q_41: bool = eq.i64(g_34, 1)
      let t_42: i64 = if q_41 {
        let t_43: i64 = add.i64(k_25, d_36)
        let t_44: i64 = sub.i64(t_43, 1)
        in t_44
      } else {
        let t_45: i64 = add.i64(k_25, l_26)
        let t_46: i64 = add.i64(t_45, j_32)
        let t_47: i64 = sub.i64(t_46, c_35)
        let t_48: i64 = sub.i64(t_47, d_36)
        in t_48
      }
      in t_42
    }
    in (write buffer_30 {[t_39] = x_37})
  }
  let both_50: i64 = add.i64(k_25, l_26)
  let rest_51: i64 = sub.i64(n_1, both_50)
  let a_52: [k_25]i32 = index out_31[0 :+ k_25 * 1]
  let b_53: [l_26]i32 = index out_31[k_25 :+ l_26 * 1]
  let c_54: [rest_51]i32 = index out_31[both_50 :+ rest_51 * 1]
  let x_55: i32 = index a_52[z_3]
  let y_56: i32 = index b_53[z_3]
  let z_57: i32 = index c_54[z_3]
  in (x_55, y_56, z_57)
}";
    let out = one_loop(text);
    assert_eq!(out.matches("scratch").count(), 3, "{out}");
    assert!(!out.contains("concat"), "{out}");
    stays(&text.replace("in (0, g_23)", "in (1, g_23)"));
}

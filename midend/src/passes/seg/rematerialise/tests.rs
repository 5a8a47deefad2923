//! What is made again, and what is not.

use super::*;
use crate::ir::parse::parse_program;
use crate::ir::verify::verify;
use crate::passes::dead_code::dead_code;

fn after(body: &str) -> String {
    let text = format!(
        "level seg
fun main (n_1: i64, xs_2: [n_1]i8, is_3: [n_1]i64) : (r_4: [n_1]i64, s_5: [n_1]i64) {{
{body}
}}"
    );
    let p = parse_program(&text).unwrap_or_else(|e| panic!("{e}"));
    let p = dead_code(rematerialise(p));
    verify(&p).unwrap_or_else(|e| panic!("{e:?}\n{p}"));
    p.to_string()
}

const SCAN: &str = "  let (s_10: [n_1]i64, ys_11: [n_1]i64) = segscan seq (i_12 < n_1) op [0] \\(a_13: i64, b_14: i64) : (i64) {
    let c_15: i64 = add.i64(a_13, b_14)
    in c_15
  } : (i64, i64) {
    let x_16: i8 = index xs_2[i_12]
    let y_17: i64 = zext.i8.i64(x_16)
    in (return y_17, return y_17)
  }
";

#[test]
fn conversions_are_made_again_where_they_are_read() {
    let out = after(&format!(
        "{SCAN}  let t_20: [n_1]i64 = segmap seq (j_21 < n_1) : (i64) {{
    let k_22: i64 = index is_3[j_21]
    let b_23: i64 = index ys_11[k_22]
    let d_24: i64 = sub.i64(b_23, j_21)
    in (return d_24)
  }}
  in (s_10, t_20)"
    ));
    assert!(out.contains("let s_10: [n_1]i64 = segscan"), "{out}");
    assert!(out.contains("index xs_2[k_22]"), "{out}");
    assert!(out.contains("let b_23: i64 = zext.i8.i64("), "{out}");
}

#[test]
fn what_is_wanted_as_an_array_is_collected() {
    let out = after(&format!("{SCAN}  in (s_10, ys_11)"));
    assert!(out.contains("(s_10: [n_1]i64, ys_11: [n_1]i64) = segscan"), "{out}");
}

#[test]
fn divisions_are_made_once() {
    for (divisor, made) in [("n_1", "index ys_30[j_21]"), ("8", "index is_3[j_21]")] {
        let out = after(&format!(
            "  let ys_30: [n_1]i64 = segmap seq (i_12 < n_1) : (i64) {{
    let v_31: i64 = index is_3[i_12]
    let y_33: i64 = umod.i64(v_31, {divisor})
    in (return y_33)
  }}
  let t_20: [n_1]i64 = segmap seq (j_21 < n_1) : (i64) {{
    let b_23: i64 = index ys_30[j_21]
    in (return b_23)
  }}
  in (t_20, is_3)"
        ));
        assert!(out.contains(made), "{out}");
    }
}

#[test]
fn divisions_of_few_bits_are_made_where_elements_are_read_in_no_order() {
    let text = |read: &str| {
        after(&format!(
            "  let ys_30: [n_1]i64 = segmap seq (i_12 < n_1) : (i64) {{
    let v_31: i8 = index xs_2[i_12]
    let w_32: i64 = zext.i8.i64(v_31)
    let y_33: i64 = umod.i64(w_32, n_1)
    in (return y_33)
  }}
  let t_20: [n_1]i64 = segmap seq (j_21 < n_1) : (i64) {{
    let k_22: i64 = index is_3[j_21]
    let b_23: i64 = index ys_30[{read}]
    in (return b_23)
  }}
  in (t_20, is_3)"
        ))
    };
    let out = text("k_22");
    assert!(out.contains("index xs_2[k_22]") && out.contains("umod.i64("), "{out}");
    assert!(text("j_21").contains("index ys_30[j_21]"));
}

#[test]
fn checks_that_are_the_same_everywhere_are_made_again() {
    let text = |checked: &str| {
        after(&format!(
            "  let t_40: bool = slt.i64(0, n_1)
  let ys_30: [n_1]i64 = segmap seq (i_12 < n_1) : (i64) {{
    let v_31: i8 = index xs_2[i_12]
    let w_32: i64 = zext.i8.i64(v_31)
    let u_41: bool = slt.i64(0, w_32)
    let c_42: cert = assert({checked}, \"no\")
    let y_33: i64 = <c_42> umod.i64(w_32, n_1)
    in (return y_33)
  }}
  let t_20: [n_1]i64 = segmap seq (j_21 < n_1) : (i64) {{
    let k_22: i64 = index is_3[j_21]
    let b_23: i64 = index ys_30[k_22]
    in (return b_23)
  }}
  in (t_20, is_3)"
        ))
    };
    let out = text("t_40");
    assert!(out.contains("index xs_2[k_22]") && out.contains("= assert(t_40"), "{out}");
    assert!(text("u_41").contains("index ys_30[k_22]"));
}

#[test]
fn what_is_consumed_later_is_collected() {
    let out = after(
        "  let zs_9: [n_1]i64 = copy(is_3)
  let ys_30: [n_1]i64 = segmap seq (i_12 < n_1) : (i64) {
    let v_31: i64 = index zs_9[i_12]
    let y_33: i64 = add.i64(v_31, 1)
    in (return y_33)
  }
  let us_34: [n_1]i64 = update zs_9[0] with 5
  let t_20: [n_1]i64 = segmap seq (j_21 < n_1) : (i64) {
    let b_23: i64 = index ys_30[j_21]
    in (return b_23)
  }
  in (t_20, us_34)",
    );
    assert!(out.contains("index ys_30[j_21]"), "{out}");
}

/// A map of floats beside indexes, made by these statements, and a map that reads both.
fn indexed(made: &str, read: &str) -> String {
    after(
        &format!(
            "  let ps_6: [n_1]i64, is_7: [n_1]i64 = segmap seq (k_8 < n_1) : (i64, i64) {{
    let p_9: i64 = index is_3[k_8]
{made}
    in (return p_9, return i_10)
  }}
  let t_20: [n_1]i64 = segmap seq (j_21 < n_1) : (i64) {{
    let p_22: i64 = index ps_6[j_21]
    let i_23: i64 = index is_7[j_21]
    let a_24: i64 = add.i64(i_23, 1)
{read}
    let s_26: i64 = add.i64(p_22, x_25)
    in (return s_26)
  }}
  in (t_20, ps_6)"
        )
        .replace("let ps_6: [n_1]i64, is_7: [n_1]i64", "let (ps_6: [n_1]i64, is_7: [n_1]i64)"),
    )
}

const RIM: &str = "    let c_11: bool = eq.i64(k_8, 0)
    let (q_12: i64, i_10: i64) = if c_11 {
      let d_13: i64 = add.i64(k_8, 2)
      let e_14: i64 = index is_3[d_13]
      in (e_14, d_13)
    } else {
      let f_15: i64 = sub.i64(k_8, 1)
      in (p_9, f_15)
    }";

#[test]
fn indexes_of_counters_are_made_where_they_are_used() {
    let out = indexed(RIM, "    let x_25: i64 = index is_3[a_24]");
    assert!(!out.contains("is_7"), "{out}");
    assert!(out.contains(": bool = eq.i64(j_21, 0)") && out.contains("sub.i64(j_21, 1)"), "{out}");
    assert!(!out.contains("index is_3[d_"), "what is not wanted of a branch is not made: {out}");
}

#[test]
fn what_is_no_index_is_read() {
    assert!(indexed(RIM, "    let x_25: i64 = add.i64(a_24, 0)").contains("index is_7[j_21]"));
}

#[test]
fn what_reads_memory_divides_or_is_long_is_read() {
    let read = "    let x_25: i64 = index is_3[a_24]";
    let chain = (0..13).fold(String::new(), |text, k| {
        let operand = if k == 0 { "k_8".to_owned() } else { format!("m_{}", 39 + k) };
        let name = if k == 12 { "i_10".to_owned() } else { format!("m_{}", 40 + k) };
        format!("{text}    let {name}: i64 = xor.i64({operand}, {})\n", 3 * k + 5)
    });
    for made in [
        "    let q_16: i64 = index is_3[p_9]\n    let i_10: i64 = add.i64(q_16, p_9)",
        "    let i_10: i64 = smod.i64(k_8, 7)",
        chain.trim_end(),
    ] {
        assert!(indexed(made, read).contains("index is_7[j_21]"), "{made}");
    }
}

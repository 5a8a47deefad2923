//! What leaves, and what stays.

use super::split;
use crate::ir::parse::parse_program;
use crate::ir::verify::verify;
use crate::passes::seg::collapse;

/// The body of a function of `x` [n][m], `w` [m][p], `v` [p][q] and a vector `u` [m], after the pass.
#[track_caller]
fn after(result: &str, body: &str) -> String {
    let text = format!(
        "level seg
fun main (n_1: i64, m_2: i64, p_3: i64, q_4: i64, x_5: [n_1][m_2]f32, w_6: [m_2][p_3]f32, \
         v_7: [p_3][q_4]f32, u_8: [m_2]f32) : (r_9: {result}) {{
{body}
}}"
    );
    let program = parse_program(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    verify(&program).unwrap_or_else(|e| panic!("{e:?}\n{program}"));
    let program = collapse(split(program));
    verify(&program).unwrap_or_else(|e| panic!("{e:?}\n{program}"));
    program.to_string()
}

/// The lines that begin operations and read elements, without names' numbers, spaces and types.
fn outline(text: &str) -> Vec<String> {
    let interesting = ["seg", "index"];
    let lines = text.lines().filter_map(|l| {
        let (_, what) = l.trim().split_once(" = ")?;
        let begins = interesting.iter().any(|w| what.starts_with(w));
        let what = what.split(" op ").next()?.split(" : (").next()?;
        begins.then(|| what.trim_end_matches(" {").to_owned())
    });
    lines.collect()
}

/// A sum of products over `k`, of the element of `row` and of `column`.
fn product(to: &str, own: &str, row: &str, column: &str) -> String {
    format!(
        "{to} = segred seq ({own}) op [0.0f32] \\(a_90: f32, b_91: f32) : (f32) {{
  let c_92: f32 = fadd.f32(a_90, b_91)
  in c_92
}} : (f32) {{
  let y_93: f32 = index {row}
  let z_94: f32 = index {column}
  let t_95: f32 = fmul.f32(y_93, z_94)
  in (return t_95)
}}
"
    )
}

fn row_of_functions(size: &str, function: &str) -> String {
    let inner = product("let t_21: f32", "k_22 < m_2", "x_5[i_10, k_22]", "w_6[k_22, j_20]");
    format!(
        "let h_11: [{size}]f32 = segmap seq (j_20 < {size}) : (f32) {{
{inner}  let e_23: f32 = {function}
  in (return e_23)
}}
"
    )
}

#[test]
fn a_reduction_down_columns_leaves_functions() {
    let inner = product("let t_21: f32", "k_22 < m_2", "u_8[k_22]", "w_6[k_22, j_20]");
    let map = |function: &str| {
        after(
            "[p_3]f32",
            &format!(
                "let r_11: [p_3]f32 = segmap seq (j_20 < p_3) : (f32) {{
{inner}  let e_23: f32 = {function}
  in (return e_23)
}}
in r_11"
            ),
        )
    };
    let out = map("math.tanh.f32(t_21)");
    let [red, .., rest, read] = &outline(&out)[..] else { panic!("{out}") };
    assert!(red.starts_with("segred seq (") && red.contains(" < p_3, "), "{out}");
    assert!(rest.starts_with("segmap seq ("), "{out}");
    assert!(read.starts_with("index t_"), "{out}");
    // Vectors of arithmetic take it along.
    let out = map("math.sqrt.f32(t_21)");
    assert!(outline(&out)[0].starts_with("segmap"), "{out}");
}

#[test]
fn a_reduction_along_rows_stays() {
    let inner = product("let t_21: f32", "k_22 < m_2", "u_8[k_22]", "x_5[j_20, k_22]");
    let out = after(
        "[n_1]f32",
        &format!(
            "let r_11: [n_1]f32 = segmap seq (j_20 < n_1) : (f32) {{
{inner}  let e_23: f32 = math.tanh.f32(t_21)
  in (return e_23)
}}
in r_11"
        ),
    );
    assert!(outline(&out)[0].starts_with("segmap"), "{out}");
}

const SUM: &str = "commutative op [0.0f32] \\(a_30: f32, b_31: f32) : (f32) {
  let c_32: f32 = fadd.f32(a_30, b_31)
  in c_32
}";

#[test]
fn a_product_leaves_a_reduction_that_collects_it() {
    let inner = product("let t_21: f32", "k_22 < m_2", "x_5[i_10, k_22]", "w_6[k_22, j_20]");
    let out = after(
        "[n_1][p_3]f32",
        &format!(
            "let r_11: [n_1][p_3]f32 = segmap seq (i_10 < n_1) : ([p_3]f32) {{
let (s_12: f32, ts_13: [p_3]f32) = segred seq (j_20 < p_3) {SUM} : (f32, f32) {{
{inner}  in (return t_21, return t_21)
}}
let d_14: [p_3]f32 = segmap seq (j_25 < p_3) : (f32) {{
  let x_26: f32 = index ts_13[j_25]
  let y_27: f32 = fdiv.f32(x_26, s_12)
  in (return y_27)
}}
in (return d_14)
}}
in r_11"
        ),
    );
    let lines = outline(&out);
    assert!(lines[0].contains(" < n_1, ") && lines[0].contains(" < m_2)"), "{out}");
    assert_eq!(lines.iter().filter(|l| l.starts_with("seg")).count(), 4, "{out}");
    let array = out.split("let ").nth(1).and_then(|s| s.split(':').next()).unwrap();
    assert_eq!(out.matches(&format!("index {array}[i_10, j_2")).count(), 2, "{out}");
    assert!(!out.contains("ts_13: [p_3]"), "{out}");
}

#[test]
fn layers_leave_with_the_rows_between_them() {
    let first = row_of_functions("p_3", "math.exp.f32(t_21)");
    let second =
        product("let o_12: [q_4]f32", "l_40 < q_4, k_41 < p_3", "h_11[k_41]", "v_7[k_41, l_40]");
    let second = ["_90", "_91", "_92", "_93", "_94", "_95"]
        .iter()
        .fold(second, |s, tag| s.replace(tag, &tag.replace('9', "7")));
    let out = after(
        "[n_1][q_4]f32",
        &format!(
            "let r_16: [n_1][q_4]f32 = segmap seq (i_10 < n_1) : ([q_4]f32) {{
{first}{second}in (return o_12)
}}
in r_16"
        ),
    );
    let lines: Vec<String> = outline(&out).into_iter().filter(|l| l.starts_with("seg")).collect();
    let [x, h, y] = &lines[..] else { panic!("{out}") };
    assert!(x.starts_with("segred") && x.contains("< n_1, ") && x.contains("< m_2)"), "{out}");
    assert!(h.starts_with("segmap") && h.contains("< n_1, ") && h.contains("< p_3)"), "{out}");
    assert!(y.starts_with("segred") && y.contains("< n_1, ") && y.contains("< p_3)"), "{out}");
    // The last one is the result itself.
    assert!(out.contains("let r_16: [n_1][q_4]f32 = segred"), "{out}");
}

#[test]
fn layers_of_plain_arithmetic_leave_too() {
    let first = row_of_functions("p_3", "fmax.f32(t_21, 0.0f32)");
    let out = after(
        "[n_1][p_3]f32",
        &format!(
            "let r_16: [n_1][p_3]f32 = segmap seq (i_10 < n_1) : ([p_3]f32) {{
{first}let s_12: f32 = index h_11[0]
let o_13: [p_3]f32 = segmap seq (j_30 < p_3) : (f32) {{
  let x_31: f32 = index h_11[j_30]
  let y_32: f32 = fadd.f32(x_31, s_12)
  in (return y_32)
}}
in (return o_13)
}}
in r_16"
        ),
    );
    let lines = outline(&out);
    assert!(lines[0].starts_with("segred") && lines[0].contains("< n_1, "), "{out}");
}

#[test]
fn rows_that_no_product_needs_stay() {
    let out = after(
        "[n_1][m_2]f32",
        "let r_16: [n_1][m_2]f32 = segmap seq (i_10 < n_1) : ([m_2]f32) {
  let h_11: [m_2]f32 = segmap seq (k_20 < m_2) : (f32) {
    let x_21: f32 = index x_5[i_10, k_20]
    let e_22: f32 = math.exp.f32(x_21)
    in (return e_22)
  }
  let s_12: f32 = index h_11[0]
  let o_13: [m_2]f32 = segmap seq (j_30 < m_2) : (f32) {
    let x_31: f32 = index h_11[j_30]
    let y_32: f32 = fadd.f32(x_31, s_12)
    in (return y_32)
  }
  in (return o_13)
}
in r_16",
    );
    assert!(outline(&out)[0].starts_with("segmap seq (i_10 < n_1)"), "{out}");
}

#[test]
fn rows_that_are_consumed_stay() {
    let row = |update: &str, result: &str| {
        let own = product(
            "let o_12: [p_3]f32",
            "j_20 < p_3, k_22 < m_2",
            "h_11[k_22]",
            "w_6[k_22, j_20]",
        );
        after(
            "[n_1][p_3]f32",
            &format!(
                "let r_16: [n_1][p_3]f32 = segmap seq (i_10 < n_1) : ([p_3]f32) {{
let h_11: [m_2]f32 = segmap seq (k_23 < m_2) : (f32) {{
  let x_24: f32 = index x_5[i_10, k_23]
  let e_25: f32 = math.exp.f32(x_24)
  in (return e_25)
}}
{own}{update}in (return {result})
}}
in r_16"
            ),
        )
    };
    let all = row("", "o_12");
    assert!(all.contains("let r_16: [n_1][p_3]f32 = segred"), "{all}");
    let of_result = row("let u_13: [p_3]f32 = update o_12[0] with 1.0f32\n", "u_13");
    assert!(outline(&of_result)[0].starts_with("segmap seq (i_10 < n_1)"), "{of_result}");
    let of_row = row(
        "let u_13: [m_2]f32 = update h_11[0] with 1.0f32
let e_14: f32 = index u_13[0]
let o_15: [p_3]f32 = segmap seq (j_30 < p_3) : (f32) {
  let x_31: f32 = index o_12[j_30]
  let y_32: f32 = fadd.f32(x_31, e_14)
  in (return y_32)
}
",
        "o_15",
    );
    assert!(outline(&of_row)[0].starts_with("segmap seq (i_10 < n_1)"), "{of_row}");
}

#[test]
fn small_products_of_every_point_stay() {
    let row = |size: &str| {
        let own = format!("j_20 < {size}, k_22 < {size}");
        let own =
            product(&format!("let o_12: [{size}]f32"), &own, "x_5[i_10, k_22]", "w_6[k_22, j_20]");
        after(
            &format!("[n_1][{size}]f32"),
            &format!(
                "let r_16: [n_1][{size}]f32 = segmap seq (i_10 < n_1) : ([{size}]f32) {{
{own}let e_14: f32 = index o_12[0]
let o_15: [{size}]f32 = segmap seq (j_30 < {size}) : (f32) {{
  let x_31: f32 = index o_12[j_30]
  let y_32: f32 = fadd.f32(x_31, e_14)
  in (return y_32)
}}
in (return o_15)
}}
in r_16"
            ),
        )
    };
    let out = row("4");
    assert!(outline(&out)[0].starts_with("segmap seq (i_10 < n_1)"), "{out}");
    let out = row("64");
    assert!(outline(&out)[0].starts_with("segred"), "{out}");
}

#[test]
fn checks_and_their_certificates_keep_products() {
    let own = product(
        "let o_12: [p_3]f32",
        "j_20 < p_3, k_22 < m_2",
        "x_5[i_10, k_22]",
        "w_6[k_22, j_20]",
    );
    let own = own.replace("= segred", "= <c_41> segred");
    let out = after(
        "[n_1][p_3]f32",
        &format!(
            "let r_16: [n_1][p_3]f32 = segmap seq (i_10 < n_1) : ([p_3]f32) {{
  let b_40: bool = slt.i64(i_10, 7)
  let c_41: cert = assert(b_40, \"no\")
{own}in (return o_12)
}}
in r_16"
        ),
    );
    assert!(outline(&out)[0].starts_with("segmap seq (i_10 < n_1)"), "{out}");
}

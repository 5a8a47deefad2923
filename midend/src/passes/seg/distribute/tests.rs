//! What leaves, and what stays.

use super::distribute;
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
    let program = collapse(distribute(program));
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

/// Rows of `x` divided by their sums, `between` the two, and a product of them, of rows of `size`;
/// then `rest`.
fn by_sums(size: &str, between: &str, rest: &str, result: &str) -> String {
    let own = format!("j_20 < {size}, k_22 < m_2");
    let own = product(&format!("let o_14: [{size}]f32"), &own, "h_13[k_22]", "w_6[k_22, j_20]");
    after(
        &format!("[n_1][{size}]f32"),
        &format!(
            "let r_16: [n_1][{size}]f32 = segmap seq (i_10 < n_1) : ([{size}]f32) {{
  let s_11: f32 = segred seq (k_33 < m_2) {SUM} : (f32) {{
    let x_34: f32 = index x_5[i_10, k_33]
    in (return x_34)
  }}
{between}let h_13: [m_2]f32 = segmap seq (k_35 < m_2) : (f32) {{
    let x_36: f32 = index x_5[i_10, k_35]
    let y_37: f32 = fdiv.f32(x_36, d_12)
    in (return y_37)
  }}
{own}{rest}in (return {result})
}}
in r_16"
        ),
    )
}

/// A scalar between the sum and the row.
const ONE_MORE: &str = "let d_12: f32 = fadd.f32(s_11, 1.0f32)\n";

/// The lines that begin operations, without names' numbers, spaces and types.
fn operations(text: &str) -> Vec<String> {
    outline(text).into_iter().filter(|l| l.starts_with("seg")).collect()
}

#[test]
fn rows_of_reductions_are_made_before_products() {
    let out = by_sums("p_3", ONE_MORE, "", "o_14");
    let [rows, sum, row, product] = &operations(&out)[..] else { panic!("{out}") };
    assert!(rows.starts_with("segmap seq (i_") && rows.ends_with("< n_1)"), "{out}");
    assert!(sum.starts_with("segred seq (k_33 < m_2)"), "{out}");
    assert!(row.starts_with("segmap seq (k_35 < m_2)"), "{out}");
    assert!(product.contains(" < n_1, ") && product.contains(" < m_2)"), "{out}");
    assert!(out.contains("let r_16: [n_1][p_3]f32 = segred"), "{out}");
}

#[test]
fn what_is_read_after_the_product_is_made_once() {
    let scaled = |by: &str| {
        format!(
            "let o_15: [p_3]f32 = segmap seq (j_38 < p_3) : (f32) {{
  let x_39: f32 = index o_14[j_38]
  let y_40: f32 = fmul.f32(x_39, {by})
  in (return y_40)
}}
"
        )
    };
    for (by, added) in [("s_11", 1), ("d_12", 2)] {
        let out = by_sums("p_3", ONE_MORE, &scaled(by), "o_15");
        assert_eq!(operations(&out).len(), 5, "{out}");
        assert_eq!(out.matches("segred").count(), 2, "{out}");
        // Scalar code is computed where it is needed.
        assert_eq!(out.matches(", 1.0f32)").count(), added, "{out}");
        let sums = out.lines().filter(|l| l.contains(": f32 = index s_") && l.contains("[i_10]"));
        assert_eq!(sums.count(), 1, "{out}");
    }
}

#[test]
fn rows_of_reductions_are_made_before_functions_of_products() {
    let function = row_of_functions("p_3", "math.exp.f32(t_21)");
    let function = function.replace("x_5[i_10, k_22]", "h_13[k_22]").replace("h_11", "o_15");
    let renamed = |s: String| {
        let tags = ["j_20", "k_22", "_90", "_91", "_92", "_93", "_94", "_95"];
        tags.iter().zip(50..).fold(s, |s, (tag, new)| {
            let base = tag.trim_end_matches(|c: char| c.is_ascii_digit());
            s.replace(tag, &format!("{base}{new}"))
        })
    };
    let out = by_sums("p_3", ONE_MORE, &renamed(function), "o_15");
    // Both products leave, once.
    let products = operations(&out);
    let products = products.iter().filter(|l| l.starts_with("segred") && l.contains(" < n_1, "));
    assert_eq!(products.count(), 2, "{out}");
    assert_eq!(out.matches(": f32 = fdiv").count(), 1, "{out}");
}

#[test]
fn products_of_rows_of_products_follow_each_other() {
    let rest = "let s_41: f32 = segred seq (k_42 < p_3) OP : (f32) {
    let x_43: f32 = index o_14[k_42]
    in (return x_43)
  }
let h_44: [p_3]f32 = segmap seq (k_45 < p_3) : (f32) {
    let x_46: f32 = index o_14[k_45]
    let y_47: f32 = fdiv.f32(x_46, s_41)
    in (return y_47)
  }
";
    let op = SUM.replace("_3", "_6");
    let second =
        product("let o_48: [p_3]f32", "j_50 < p_3, k_51 < p_3", "h_44[k_51]", "v_7[k_51, j_50]");
    let second = ["_90", "_91", "_92", "_93", "_94", "_95"]
        .iter()
        .fold(second, |s, tag| s.replace(tag, &tag.replace('9', "7")));
    let out = by_sums("p_3", ONE_MORE, &(rest.replace("OP", &op) + &second), "o_48");
    let around: Vec<String> =
        operations(&out).into_iter().filter(|l| l.contains(" < n_1")).collect();
    let [rows, first, next, second] = &around[..] else { panic!("{out}") };
    assert!(rows.starts_with("segmap") && next.starts_with("segmap"), "{out}");
    assert!(first.starts_with("segred") && second.starts_with("segred"), "{out}");
}

#[test]
fn rows_of_reductions_stay() {
    let stays = |out: String| assert!(operations(&out)[0].starts_with("segmap seq (i_10"), "{out}");
    // Before small products.
    stays(by_sums("4", ONE_MORE, "", "o_14"));
    // If they are consumed.
    let update = "let u_15: [m_2]f32 = update h_13[0] with 1.0f32
let e_17: f32 = index u_15[0]
let o_18: [p_3]f32 = segmap seq (j_38 < p_3) : (f32) {
  let x_39: f32 = index o_14[j_38]
  let y_40: f32 = fadd.f32(x_39, e_17)
  in (return y_40)
}
";
    stays(by_sums("p_3", ONE_MORE, update, "o_18"));
    // If they are checked.
    let check = "let b_41: bool = slt.i64(i_10, 7)
let c_42: cert = assert(b_41, \"no\")
let d_12: f32 = <c_42> fadd.f32(s_11, 1.0f32)
";
    stays(by_sums("p_3", check, "", "o_14"));
    // If something beside them that is read later is of another size at each point.
    let other = "let z_41: i64 = smin.i64(i_10, m_2)
let g_42: [z_41]f32 = segmap seq (k_43 < z_41) : (f32) {
    let x_44: f32 = index x_5[i_10, k_43]
    in (return x_44)
  }
let t_45: f32 = index g_42[0]
let d_12: f32 = fadd.f32(s_11, t_45)
";
    let read = "let o_15: [p_3]f32 = segmap seq (j_38 < p_3) : (f32) {
  let x_39: f32 = index o_14[j_38]
  let y_40: f32 = index g_42[j_38]
  let y_46: f32 = fadd.f32(x_39, y_40)
  in (return y_46)
}
";
    stays(by_sums("p_3", other, read, "o_15"));
    // Which may be so of what goes with them.
    let out = by_sums("p_3", other, "", "o_14");
    assert!(out.contains("let r_16: [n_1][p_3]f32 = segred"), "{out}");
}

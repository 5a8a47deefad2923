//! The reference interpreter on programs as text.

#![allow(clippy::panic, reason = "a test")]

use futc_midend::interp::{Interpreter, Limits, RunError, Value, run_entry};
use futc_midend::ir::parse::parse_program;
use futc_midend::ir::verify::verify;
use futc_midend::ir::{Const, Prim, Program};
use futc_typed::name::Name;

fn program(text: &str) -> Program {
    let p = parse_program(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    if let Err(es) = verify(&p) {
        let es: Vec<String> = es.iter().map(|e| e.to_string()).collect();
        panic!("{}\n{text}", es.join("\n"));
    }
    p
}

fn try_run(text: &str, args: Vec<Value>) -> Result<String, RunError> {
    let p = program(text);
    let mut it = Interpreter::new(&p, Limits { steps: Some(10_000_000), ..Limits::default() })?;
    let out = it.run_fun(Name::new("f"), args)?;
    Ok(out.iter().map(|v| v.to_string()).collect::<Vec<_>>().join("; "))
}

#[track_caller]
fn run(text: &str, args: Vec<Value>) -> String {
    try_run(text, args).unwrap_or_else(|e| panic!("{e}"))
}

fn ints(shape: &[i64], xs: &[i64]) -> Value {
    Value::array(Prim::I64, shape.to_vec(), xs.iter().map(|&x| Const::I64(x)))
}

const PLUS: &str =
    "\\(a_90: i64, b_91: i64) : (i64) { let c_92: i64 = add.i64(a_90, b_91) in c_92 }";

#[test]
fn scremas() {
    let text = format!(
        "level soacs fun f (n_1: i64, xs_2: [n_1]i64) : (s_3: [n_1]i64, r_4: i64, m_5: [n_1]bool) {{
           let (a_6: [n_1]i64, b_7: i64, c_8: [n_1]bool) = screma(n_1, [xs_2], \\(x_9: i64) : (i64, i64, bool) {{
             let y_10: i64 = mul.i64(x_9, x_9)
             let z_11: bool = slt.i64(x_9, 2)
             in (x_9, y_10, z_11)
           }}, scans, op [0] {PLUS}, reduces, op [100] {PLUS})
           in (a_6, b_7, c_8) }}"
    );
    assert_eq!(
        run(&text, vec![Value::i64(3), ints(&[3], &[1, 2, 3])]),
        "[1i64, 3i64, 6i64]; 114i64; [true, false, false]"
    );
    assert_eq!(run(&text, vec![Value::i64(0), ints(&[0], &[])]), "[]; 100i64; []");
}

#[test]
fn nested_maps_and_views() {
    let text = "level soacs fun f (n_1: i64, m_2: i64, xs_3: [n_1][m_2]i64) : (t_4: [m_2][n_1]i64) {
       let t_5: [m_2][n_1]i64 = rearrange(xs_3, [1, 0])
       let u_6: [m_2][n_1]i64 = map(m_2, [t_5], \\(r_7: [n_1]i64) : ([n_1]i64) {
         let q_8: [n_1]i64 = map(n_1, [r_7], \\(x_9: i64) : (i64) { let y_10: i64 = neg.i64(x_9) in y_10 })
         in q_8 })
       in u_6 }";
    assert_eq!(
        run(text, vec![Value::i64(2), Value::i64(3), ints(&[2, 3], &[1, 2, 3, 4, 5, 6])]),
        "[[-1i64, -4i64], [-2i64, -5i64], [-3i64, -6i64]]"
    );
}

#[test]
fn loops_update_in_place() {
    // Quadratic time if the array were copied in every iteration.
    let text = "level soacs fun f (n_1: i64) : (r_2: i64) {
       let a_3: [n_1]i64 = iota.i64(n_1, 0, 1)
       let b_4: [n_1]i64 = loop (c_5: [n_1]i64 = a_3) for i_6: i64 < n_1 {
         let x_7: i64 = index c_5[i_6]
         let y_8: i64 = mul.i64(x_7, 2)
         let d_9: [n_1]i64 = update c_5[i_6] with y_8
         in d_9 }
       let k_10: i64 = sub.i64(n_1, 1)
       let z_11: i64 = index b_4[k_10]
       in z_11 }";
    assert_eq!(run(text, vec![Value::i64(200_000)]), "399998i64");
}

#[test]
fn what_is_still_needed_is_copied() {
    let text = "level soacs fun f () : (r_1: i64, s_2: i64) {
       let a_3: [3]i64 = iota.i64(3, 0, 1)
       let b_4: [3]i64 = copy(a_3)
       let c_5: [3]i64 = update b_4[0 :+ 2 * 2] with a_6x_0
       in (0, 0) }"
        .replace("a_6x_0", "z_6")
        .replace("let c_5", "let z_6: [2]i64 = array [7, 8] of i64 let c_5")
        .replace(
            "in (0, 0)",
            "let p_7: i64 = index a_3[2] let q_8: i64 = index c_5[2] in (p_7, q_8)",
        );
    assert_eq!(run(&text, vec![]), "2i64; 8i64");
}

#[test]
fn while_and_existentials() {
    let text = "level soacs fun f (n_1: i64) : (k_2: i64, r_3: [k_2]i64) {
       let (b_4: bool, k_5: i64, xs_6: [k_5]i64) =
         loop (c_7: bool = true, m_8: i64 = n_1, ys_9: [m_8]i64 = zs_10) while c_7 {
           let p_11: i64 = mul.i64(m_8, 2)
           let qs_12: [p_11]i64 = concat(0, [ys_9, ys_9], p_11)
           let d_13: bool = slt.i64(p_11, 10)
           in (d_13, p_11, qs_12) }
       in (k_5, xs_6) }"
        .replace(
            ") {\n       let (b_4",
            ") {\n let z_20: bool = sle.i64(0, n_1) let z_21: cert = assert(z_20, \"negative\")
             let zs_10: [n_1]i64 = <z_21> iota.i64(n_1, 5, 1) let (b_4",
        );
    assert_eq!(
        run(&text, vec![Value::i64(3)]),
        "12i64; [5i64, 6i64, 7i64, 5i64, 6i64, 7i64, 5i64, 6i64, 7i64, 5i64, 6i64, 7i64]"
    );
}

#[test]
fn scatters_and_histograms() {
    let text = format!(
        "level soacs fun f (n_1: i64, is_2: [n_1]i64, vs_3: [n_1]i64) : (a_4: [4]i64, b_5: [4]i64) {{
           let z_6: [4]i64 = replicate([4], 0)
           let y_7: [4]i64 = replicate([4], 10)
           let s_8: [4]i64 = scatter(n_1, [is_2, vs_3], \\(i_9: i64, v_10: i64) id, into 1 z_6)
           let h_11: [4]i64 = hist(n_1, [is_2, vs_3], \\(i_12: i64, v_13: i64) id, into [4] [y_7] op [0] {PLUS})
           in (s_8, h_11) }}"
    );
    assert_eq!(
        run(
            &text,
            vec![Value::i64(5), ints(&[5], &[1, 3, -1, 4, 1]), ints(&[5], &[7, 8, 9, 9, 5])]
        ),
        "[0i64, 5i64, 0i64, 8i64]; [10i64, 22i64, 10i64, 18i64]"
    );
}

#[test]
fn recursion_and_globals() {
    let text = "level soacs
       global (one_1: i64) = { let o_2: i64 = sub.i64(3, 2) in o_2 }
       fun f (n_3: i64) : (r_4: i64) {
         let z_5: bool = sle.i64(n_3, 1)
         let r_6: i64 = if z_5 { in one_1 } else {
           let m_7: i64 = sub.i64(n_3, one_1)
           let q_8: i64 = call f(m_7)
           let s_9: i64 = mul.i64(n_3, q_8)
           in s_9 }
         in r_6 }";
    assert_eq!(run(text, vec![Value::i64(10)]), "3628800i64");
}

#[test]
fn failures_say_where() {
    let text = "level soacs fun f (n_1: i64) : (r_2: i64) {
       let ok_3: bool = slt.i64(n_1, 3)
       let c_4: cert = assert(ok_3, \"Index [\", n_1: i64, \"] out of bounds for array of shape [3].\") at \"a.fut:1:2-3\"
       let a_5: [3]i64 = iota.i64(3, 0, 1)
       let x_6: i64 = <c_4> index a_5[n_1]
       in x_6 }";
    assert_eq!(run(text, vec![Value::i64(2)]), "2i64");
    let e = try_run(text, vec![Value::i64(7)]).map_err(|e| e.to_string());
    assert_eq!(
        e,
        Err("Error: Index [7] out of bounds for array of shape [3].\n\nBacktrace:\n-> #0  a.fut:1:2-3\n"
            .to_string())
    );
}

#[test]
fn entry_points_take_leaves() {
    let p = program(
        "level soacs fun main_9 (n_1: i64, xs_2: [n_1]i64, ys_3: [n_1]i64) : (k_4: i64, r_5: [k_4]i64)
           entry \"main\" (\"xs\": \"[]i64\" []i64, \"ys\": \"[]i64\" []i64) -> (\"[]i64\" []i64) {
           let z_6: [n_1]i64 = map(n_1, [xs_2, ys_3], \\(x_7: i64, y_8: i64) : (i64) { let s_10: i64 = add.i64(x_7, y_8) in s_10 })
           in (n_1, z_6) }",
    );
    let out = run_entry(&p, "main", vec![ints(&[2], &[1, 2]), ints(&[2], &[10, 20])]);
    assert_eq!(out, Ok(vec![ints(&[2], &[11, 22])]));
    assert!(run_entry(&p, "main", vec![ints(&[2], &[1, 2]), ints(&[1], &[10])]).is_err());
    assert!(run_entry(&p, "other", vec![]).is_err());
}

#[test]
fn segmented_operations() {
    let text = format!(
        "level seg fun f (n_1: i64, xs_2: [n_1][3]i64) : (m_3: [n_1][3]i64, r_4: [n_1]i64, s_5: [n_1][3]i64, h_6: [n_1][2]i64, w_7: [4]i64) {{
           let a_8: [n_1][3]i64 = segmap grid (i_9 < n_1, j_10 < 3) : (i64) {{
             let x_11: i64 = index xs_2[i_9, j_10] let y_12: i64 = mul.i64(x_11, 10) in (return y_12) }}
           let b_13: [n_1]i64 = segred seq (i_14 < n_1, j_15 < 3) op [0] {PLUS} : (i64) {{
             let x_16: i64 = index xs_2[i_14, j_15] in (return x_16) }}
           let c_17: [n_1][3]i64 = segscan seq (i_18 < n_1, j_19 < 3) op [0] {PLUS} : (i64) {{
             let x_20: i64 = index xs_2[i_18, j_19] in (return x_20) }}
           let z_21: [n_1][2]i64 = replicate([n_1, 2], 0)
           let d_22: [n_1][2]i64 = seghist seq (i_23 < n_1, j_24 < 3) into [2] [z_21] op [0] {PLUS} : (i64, i64) {{
             let x_25: i64 = index xs_2[i_23, j_24] let k_26: i64 = smod.i64(x_25, 2) in (return k_26, return x_25) }}
           let y_27: [4]i64 = replicate([4], 0)
           let e_28: [4]i64 = segmap seq (i_29 < 10) : ([4]i64) {{ in (write y_27 {{[i_29] = i_29}}) }}
           in (a_8, b_13, c_17, d_22, e_28) }}"
    );
    assert_eq!(
        run(&text, vec![Value::i64(2), ints(&[2, 3], &[1, 2, 3, 4, 5, 6])]),
        "[[10i64, 20i64, 30i64], [40i64, 50i64, 60i64]]; [6i64, 15i64]; \
         [[1i64, 3i64, 6i64], [4i64, 9i64, 15i64]]; [[2i64, 4i64], [10i64, 5i64]]; \
         [0i64, 1i64, 2i64, 3i64]"
    );
}

#[test]
fn limits() {
    let text = "level soacs fun f () : () { let c_1: bool = loop (c_2: bool = true) while c_2 { in true } in () }";
    let looping = program(text);
    let limits = Limits { steps: Some(1000), ..Limits::default() };
    let mut it = Interpreter::new(&looping, limits).unwrap_or_else(|e| panic!("{e}"));
    assert!(it.run_fun(Name::new("f"), vec![]).is_err());
}

#[test]
fn an_array_may_be_two_results_of_one_segmap() {
    let text = "level seg fun f (n_1: i64) : (a_2: [n_1][2]i64, b_3: [n_1][2]i64) {
       let (a_4: [n_1][2]i64, b_5: [n_1][2]i64) = segmap seq (i_6 < n_1) : ([2]i64, [2]i64) {
         let r_7: [2]i64 = replicate([2], i_6)
         in (return r_7, return r_7) }
       in (a_4, b_5) }";
    assert_eq!(
        run(text, vec![Value::i64(2)]),
        "[[0i64, 0i64], [1i64, 1i64]]; [[0i64, 0i64], [1i64, 1i64]]"
    );
}

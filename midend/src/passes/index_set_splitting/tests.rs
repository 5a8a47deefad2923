//! Tests of what is found out about the indexes of a map.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use super::main_piece::{Aside, Limit, Main};
use super::outcomes::main_piece;
use crate::ir::parse::parse_program;
use crate::ir::{Defs, Exp, SegKind, SegOp, Var};

/// The main piece of the only map of a program. Outside are `n_0`, the size, and `a_1`, `b_2`,
/// `p_23`.
fn main_of(body: &str, size: &str) -> Main {
    let text = format!(
        "level seg\nfun f (n_0: i64, a_1: i64, b_2: i64, p_23: bool, xs_3: [n_0]i64, ys_4: [a_1]i64) : \
         (r_5: [{size}]i64) {{\n let r_6: [{size}]i64 = segmap seq (i_7 < {size}) : (i64) {{\n\
         {body}\n in (return y_9)\n }}\n in r_6\n}}\n"
    );
    let p = parse_program(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let Exp::Seg(SegOp { space, kind: SegKind::Map, body, .. }) = &p.funs[0].body.stms[0].exp
    else {
        panic!("no map")
    };
    let (index, size) = space.dims[0];
    main_piece(&[(index, size)], &body.stms, &Defs::default())
}

fn main(body: &str) -> Main {
    main_of(body, "n_0")
}

/// Limits in words.
fn limits(m: &Main) -> Vec<String> {
    let word = |l: &Limit| match l {
        Limit::From(p) => format!("from {}", p.to_size()),
        Limit::Before(p) => format!("before {}", p.to_size()),
        Limit::Apart(p) => format!("apart from {}", p.to_size()),
        Limit::Side(p) => format!("a side of {}", p.to_size()),
    };
    m.limits.iter().map(word).collect()
}

fn ends(m: &Main) -> Vec<String> {
    m.ends.iter().map(|p| p.to_size().to_string()).collect()
}

fn names(vs: &[Var]) -> Vec<String> {
    let mut names: Vec<String> = vs.iter().map(ToString::to_string).collect();
    names.sort();
    names
}

/// Reads `xs` at `j_10`, with the check of the index.
fn checked(before: &str) -> String {
    format!("{before}\n{CHECK}\nlet y_9: i64 = <c_14> index xs_3[j_10]")
}

const CHECK: &str = "let l_11: bool = sle.i64(0, j_10)
     let u_12: bool = slt.i64(j_10, n_0)
     let t_13: bool = logand(l_11, u_12)
     let c_14: cert = assert(t_13, \"no\")";

#[test]
fn assertions_want_to_hold() {
    let m = main(&checked("let j_10: i64 = sub.i64(i_7, a_1)"));
    assert_eq!(limits(&m), ["from a_1", "before (n_0 + a_1)"]);
    assert_eq!(m.outcomes.values().copied().collect::<Vec<_>>(), [true; 3]);
    assert_eq!(names(&m.leaves), ["a_1", "n_0"]);
    assert!(m.ends.is_empty() && m.factors.is_empty());
    // The other way round.
    let m = main(&checked("let j_10: i64 = sub.i64(a_1, i_7)"));
    assert_eq!(limits(&m), ["before (a_1 + 1)", "from (((n_0 * -1) + a_1) + 1)"]);
}

#[test]
fn constant_factors_have_no_limits_but_ends() {
    let m = main(&checked("let j_10: i64 = mul.i64(i_7, 2)"));
    assert_eq!(limits(&m), Vec::<String>::new());
    assert_eq!(ends(&m), ["(i_7 * 2)", "((n_0 - (i_7 * 2)) - 1)"]);
    assert!(m.factors.is_empty());
    assert!(!m.is_whole());
}

#[test]
fn factors_of_the_run_are_looked_at_where_the_piece_ends() {
    let m = main(&checked(
        "let s_15: i64 = mul.i64(i_7, a_1)
         let j_10: i64 = add.i64(s_15, b_2)",
    ));
    assert_eq!(limits(&m), Vec::<String>::new());
    assert_eq!(ends(&m), ["((a_1 * i_7) + b_2)", "(((n_0 - (a_1 * i_7)) - b_2) - 1)"]);
    assert_eq!(names(&m.leaves), ["a_1", "b_2", "n_0"]);
    // The size, since the index is below it.
    assert_eq!(names(&m.factors), ["a_1", "n_0"]);
}

#[test]
fn counters_are_at_their_ends_too() {
    let body = |j: &str| {
        format!(
            "let y_9: i64 = loop (p_16: i64 = 0) for d_17: i64 < b_2 {{
               {j}
               {CHECK}
               let x_18: i64 = <c_14> index xs_3[j_10]
               let q_19: i64 = add.i64(p_16, x_18)
               in q_19
             }}"
        )
    };
    let m = main(&body("let j_10: i64 = add.i64(i_7, d_17)"));
    assert_eq!(limits(&m), ["from 0", "before ((n_0 - b_2) + 1)"]);
    // Times what is not known: both ends of the counter.
    let m = main(&body("let s_15: i64 = mul.i64(d_17, a_1)\nlet j_10: i64 = add.i64(i_7, s_15)"));
    assert_eq!(
        ends(&m),
        [
            "i_7",
            "(((a_1 * -1) + (a_1 * b_2)) + i_7)",
            "((n_0 - i_7) - 1)",
            "((((n_0 + a_1) - (a_1 * b_2)) - i_7) - 1)"
        ]
    );
    assert_eq!(names(&m.factors), ["a_1", "b_2"]);
}

#[test]
fn what_may_overflow_is_not_followed() {
    let whole = |before: &str| main(&checked(before)).is_whole();
    assert!(whole("let j_10: i64 = mul.i64(i_7, 1000)"));
    assert!(whole("let j_10: i64 = mul.i64(i_7, i_7)"));
    assert!(whole("let s_15: i64 = mul.i64(i_7, a_1)\nlet j_10: i64 = mul.i64(s_15, b_2)"));
    assert!(whole("let s_15: i64 = mul.i64(i_7, a_1)\nlet j_10: i64 = mul.i64(s_15, 3)"));
    // What is computed inside may be anything.
    assert!(whole("let x_15: i64 = index xs_3[i_7]\nlet j_10: i64 = mul.i64(i_7, x_15)"));
    let product = checked("let j_10: i64 = mul.i64(i_7, a_1)");
    assert!(!main_of(&product, "1000").is_whole());
    assert!(main_of(&product, "5000000000").is_whole());
}

#[test]
fn assertions_in_branches_do_not_ask_for_ends() {
    let body = |j: &str| {
        format!(
            "let w_20: i64 = index xs_3[i_7]
             let q_21: bool = slt.i64(w_20, 0)
             let y_9: i64 = if q_21 {{
               let j_10: i64 = {j}
               {CHECK}
               let x_18: i64 = <c_14> index xs_3[j_10]
               in x_18
             }} else {{
               in 0
             }}"
        )
    };
    assert!(main(&body("mul.i64(i_7, a_1)")).is_whole());
    assert!(!main(&body("add.i64(i_7, a_1)")).is_whole());
}

#[test]
fn branches_take_the_side_with_more_to_do() {
    let body = |heavy_if: bool| {
        let (yes, no) = ("let x_18: i64 = index ys_4[0]\nin x_18", "in 0");
        let (yes, no) = if heavy_if { (yes, no) } else { (no, yes) };
        format!(
            "let q_21: bool = slt.i64(i_7, a_1)
             let y_9: i64 = if q_21 {{ {yes} }} else {{ {no} }}"
        )
    };
    let m = main(&body(true));
    assert_eq!(limits(&m), ["before a_1"]);
    assert_eq!(m.asides.len(), 1);
    assert!(matches!(m.asides[0], Aside { outcome: false, limit: Limit::From(_), .. }));
    let m = main(&body(false));
    assert_eq!(limits(&m), ["from a_1"]);
    // A branch does not ask for ends.
    let m = main(&body(true).replace("slt.i64(i_7, a_1)", "slt.i64(s_22, b_2)").replacen(
        "let q_21",
        "let s_22: i64 = mul.i64(i_7, a_1)\nlet q_21",
        1,
    ));
    assert!(m.is_whole());
}

#[test]
fn an_index_apart_from_all_others() {
    let m = main(
        "let q_21: bool = eq.i64(i_7, a_1)
         let y_9: i64 = if q_21 { in 0 } else { let x_18: i64 = index ys_4[0] in x_18 }",
    );
    assert_eq!(limits(&m), ["apart from a_1"]);
}

#[test]
fn minima_and_maxima_are_the_operand_that_moves() {
    let m = main(
        "let s_15: i64 = add.i64(i_7, 1)
         let t_22: i64 = sub.i64(n_0, 1)
         let j_10: i64 = smin.i64(s_15, t_22)
         let y_9: i64 = index xs_3[j_10]",
    );
    assert_eq!(limits(&m), ["before (n_0 - 1)"]);
    assert_eq!(m.same.len(), 1);
}

#[test]
fn neighbours_that_go_round_do_so_at_the_ends() {
    let round = |shift: &str, size: &str| {
        main(&format!(
            "let s_15: i64 = {shift}
             let j_10: i64 = smod.i64(s_15, {size})
             let y_9: i64 = index xs_3[j_10]"
        ))
    };
    let m = round("sub.i64(i_7, 1)", "n_0");
    assert_eq!(limits(&m), ["from 1", "before (n_0 + 1)"]);
    assert_eq!(m.same.len(), 1);
    assert_eq!(limits(&round("add.i64(i_7, 2)", "n_0")), ["from -2", "before (n_0 - 2)"]);
    // Of what goes round often, or who knows where, no piece is worth having.
    assert!(round("sub.i64(i_7, 1)", "4").is_whole());
    assert!(round("add.i64(i_7, a_1)", "n_0").is_whole());
}

#[test]
fn two_values_at_a_distance_want_one_side() {
    let m = main(
        "let s_15: i64 = add.i64(i_7, a_1)
         let q_21: bool = slt.i64(s_15, n_0)
         let t_22: i64 = sub.i64(s_15, n_0)
         let j_10: i64 = if q_21 { in s_15 } else { in t_22 }
         let y_9: i64 = index xs_3[j_10]",
    );
    assert_eq!(limits(&m), ["a side of (n_0 - a_1)"]);
    assert_eq!((m.uniform.len(), m.chosen.len()), (1, 1));
}

#[test]
fn a_value_that_moves_is_better_than_one_that_stays() {
    let m = main(
        "let q_21: bool = eq.i64(i_7, 0)
         let j_10: i64 = if q_21 { in a_1 } else { let s_15: i64 = sub.i64(i_7, 1) in s_15 }
         let l_11: bool = sle.i64(0, j_10)
         let c_14: cert = assert(l_11, \"no\")
         let y_9: i64 = <c_14> index xs_3[j_10]",
    );
    assert_eq!(limits(&m), ["from 1", "from 1"]);
}

#[test]
fn a_row_may_decide_a_branch() {
    let body = |cond: &str| {
        format!(
            "let q_21: bool = slt.i64(i_7, a_1)
             let r_22: bool = {cond}
             let y_9: i64 = if r_22 {{ let x_18: i64 = index ys_4[0] in x_18 }} else {{ in 0 }}"
        )
    };
    let m = main(&body("logand(p_23, q_21)"));
    assert_eq!(limits(&m), ["before a_1"]);
    let row = m.by_row.as_ref().unwrap();
    assert_eq!((row.cond.to_string().as_str(), row.outcome), ("r_22", false));
    assert!(matches!(row.conds.as_slice(), [(v, true)] if v.to_string() == "p_23"));
    // The index is enough.
    let m = main(&body("logor(p_23, q_21)"));
    assert_eq!(limits(&m), ["before a_1"]);
    assert!(m.by_row.is_none());
}

#[test]
fn checks_of_the_row_must_hold_for_there_to_be_a_main_piece() {
    let checked = |cond: &str| {
        format!(
            "let q_21: bool = slt.i64(i_7, a_1)
             let r_22: bool = logand(q_21, p_23)
             let c_14: cert = assert({cond}, \"no\")
             let y_9: i64 = <c_14> index xs_3[i_7]"
        )
    };
    let m = main(&checked("r_22"));
    assert_eq!(limits(&m), ["before a_1"]);
    assert!(matches!(m.holds.as_slice(), [(v, true)] if v.to_string() == "p_23"));
    assert!(main(&checked("p_23")).is_whole());
}

#[test]
fn a_branch_for_one_index_is_seldom_taken() {
    let m = main(
        "let q_21: bool = eq.i64(i_7, 0)
         let r_22: bool = logand(p_23, q_21)
         let y_9: i64 = if r_22 { in a_1 } else { let s_15: i64 = add.i64(a_1, 1) in s_15 }",
    );
    assert_eq!(limits(&m), ["from 1"]);
    assert!(m.by_row.is_none() && m.holds.is_empty());
}

#[test]
fn windows_have_one_length_in_the_main_piece() {
    let m = main(&format!(
        "let f_15: i64 = sub.i64(i_7, a_1)
         let s_16: i64 = smax.i64(f_15, 0)
         let f_17: i64 = add.i64(i_7, a_1)
         let e_18: i64 = smin.i64(f_17, n_0)
         let w_19: i64 = sub.i64(e_18, s_16)
         let y_9: i64 = loop (p_20: i64 = 0) for d_21: i64 < w_19 {{
           let j_10: i64 = add.i64(s_16, d_21)
           {CHECK}
           let x_22: i64 = <c_14> index xs_3[j_10]
           let q_23: i64 = add.i64(p_20, x_22)
           in q_23
         }}"
    ));
    assert_eq!(
        limits(&m),
        ["from a_1", "before ((n_0 - a_1) + 1)", "from a_1", "before ((n_0 - a_1) + 1)"]
    );
}

#[test]
fn a_limit_that_holds_decides_what_excludes_it() {
    let m = main(
        "let c_10: bool = sle.i64(a_1, i_7)
         let x_11: i64 = if c_10 {
           let j_12: i64 = sub.i64(i_7, a_1)
           let x_13: i64 = index xs_3[j_12]
           in x_13
         } else {
           in 0
         }
         let s_14: i64 = add.i64(i_7, 1)
         let y_9: i64 = smin.i64(a_1, s_14)",
    );
    assert_eq!(limits(&m), ["from a_1"]);
    let same: Vec<String> = m.same.values().map(ToString::to_string).collect();
    assert_eq!(same, ["a_1"]);
}

//! One small case for each rule: statements before, statements after.

use super::simplify;
use crate::passes::testing::check;

/// Within a function of some parameters, with one result of type `ty`.
#[track_caller]
fn rule(ty: &str, before: &str, after: &str) {
    let f = |body: &str| {
        format!(
            "fun f (n_1: i64, m_2: i64, xs_3: [n_1]i32, *ys_4: [n_1]i32, c_5: bool, x_6: i32, a_7: [n_1][m_2]i32) : (r_8: {ty}) {{ {body} }}"
        )
    };
    check(simplify, &f(before), &f(after));
}

#[track_caller]
fn scalar(before: &str, after: &str) {
    rule("i32", before, after);
}

#[test]
fn constants_are_folded() {
    scalar(
        "let a_9: i32 = add.i32(1i32, 2i32) let b_10: i32 = mul.i32(a_9, a_9) in b_10",
        "in 9i32",
    );
    scalar(
        "let a_9: i32 = sdiv.i32(1i32, 0i32) in a_9",
        "let a_9: i32 = sdiv.i32(1i32, 0i32) in a_9",
    );
    rule("f32", "let a_9: f32 = math.sqrt.f32(4f32) in a_9", "in 2f32");
    rule("bool", "let a_9: bool = slt.i64(1, 2) in a_9", "in true");
    scalar("let a_9: i32 = sext.i64.i32(5) in a_9", "in 5i32");
}

#[test]
fn algebra() {
    for e in [
        "add.i32(x_6, 0i32)",
        "add.i32(0i32, x_6)",
        "mul.i32(1i32, x_6)",
        "sdiv.i32(x_6, 1i32)",
        "or.i32(x_6, x_6)",
        "smin.i32(x_6, x_6)",
    ] {
        scalar(&format!("let a_9: i32 = {e} in a_9"), "in x_6");
    }
    scalar("let a_9: i32 = sub.i32(x_6, x_6) in a_9", "in 0i32");
    scalar(
        "let a_9: i32 = add.i32(x_6, 3i32) let b_10: i32 = sub.i32(a_9, 5i32) in b_10",
        "let b_10: i32 = add.i32(x_6, -2i32) in b_10",
    );
    rule(
        "i64",
        "let a_9: i64 = add.i64(n_1, m_2) let b_10: i64 = sub.i64(a_9, n_1) in b_10",
        "in m_2",
    );
    rule("bool", "let a_9: bool = not(c_5) let b_10: bool = not(a_9) in b_10", "in c_5");
    rule(
        "bool",
        "let a_9: bool = slt.i64(n_1, m_2) let b_10: bool = not(a_9) in b_10",
        "let b_10: bool = sle.i64(m_2, n_1) in b_10",
    );
}

#[test]
fn floats_stay_exact() {
    rule(
        "f32",
        "let f_9: f32 = sitofp.i32.f32(x_6) let g_10: f32 = fmul.f32(f_9, 1f32) let h_11: f32 = fsub.f32(g_10, 0f32) in h_11",
        "let f_9: f32 = sitofp.i32.f32(x_6) in f_9",
    );
    let same = "let f_9: f32 = sitofp.i32.f32(x_6) let g_10: f32 = fadd.f32(f_9, 0f32) let h_11: f32 = fsub.f32(g_10, g_10) in h_11";
    rule("f32", same, same);
}

#[test]
fn facts_about_counters_and_sizes_remove_checks() {
    scalar(
        "let s_9: i32 = loop (s_10: i32 = 0i32) for i_11: i64 < n_1 {
           let lo_12: bool = sle.i64(0, i_11) let hi_13: bool = slt.i64(i_11, n_1)
           let ok_14: bool = logand(lo_12, hi_13) let c_15: cert = assert(ok_14, \"out\")
           let e_16: i32 = <c_15> index xs_3[i_11] let t_17: i32 = add.i32(s_10, e_16) in t_17 } in s_9",
        "let s_9: i32 = loop (s_10: i32 = 0i32) for i_11: i64 < n_1 {
           let e_16: i32 = index xs_3[i_11] let t_17: i32 = add.i32(s_10, e_16) in t_17 } in s_9",
    );
    rule(
        "[n_1]i32",
        "let is_9: [n_1]i64 = iota.i64(n_1, 0, 1)
         let r_10: [n_1]i32 = map(n_1, [is_9], \\(i_11: i64) : (i32) {
           let hi_13: bool = slt.i64(i_11, n_1) let c_15: cert = assert(hi_13, \"out\")
           let e_16: i32 = <c_15> index xs_3[i_11] in e_16 }) in r_10",
        "let is_9: [n_1]i64 = iota.i64(n_1, 0, 1)
         let r_10: [n_1]i32 = map(n_1, [is_9], \\(i_11: i64) : (i32) {
           let e_16: i32 = index xs_3[i_11] in e_16 }) in r_10",
    );
    rule("bool", "let a_9: bool = sle.i64(0, n_1) in a_9", "in true");
}

#[test]
fn bounds_of_counters_leave_room_for_constants() {
    // A sweep that reads both neighbours.
    let sweep = |ahead: i64, checks: &str, cert: &str| {
        format!(
            "let l_9: i64 = sub.i64(n_1, 2)
             let s_10: i32 = loop (s_11: i32 = 0i32) for k_12: i64 < l_9 {{
               let j_13: i64 = add.i64(k_12, {ahead}) {checks}
               let e_18: i32 = {cert}index xs_3[j_13] let t_19: i32 = add.i32(s_11, e_18) in t_19 }} in s_10"
        )
    };
    let whole = "let lo_14: bool = sle.i64(0, j_13) let hi_15: bool = slt.i64(j_13, n_1)
        let ok_16: bool = logand(lo_14, hi_15) let c_17: cert = assert(ok_16, \"out\")";
    scalar(&sweep(1, whole, "<c_17> "), &sweep(1, "", ""));
    scalar(&sweep(2, whole, "<c_17> "), &sweep(2, "", ""));
    let high = "let hi_15: bool = slt.i64(j_13, n_1) let c_17: cert = assert(hi_15, \"out\")";
    scalar(&sweep(3, whole, "<c_17> "), &sweep(3, high, "<c_17> "));
}

#[test]
fn values_under_certificates_stay_under_them() {
    let same = "let d_9: cert = assert(c_5, \"no\") let a_10: i32 = <d_9> x_6 in a_10";
    scalar(same, same);
    scalar(
        "let d_9: cert = assert(c_5, \"no\") let s_10: [n_1]i32 = <d_9> index xs_3[0 :+ n_1 * 1]
         let e_11: i32 = index s_10[0] in e_11",
        "let d_9: cert = assert(c_5, \"no\") let e_11: i32 = <d_9> index xs_3[0] in e_11",
    );
}

#[test]
fn indexing_what_was_made() {
    rule(
        "i64",
        "let a_9: [n_1]i64 = iota.i64(n_1, 5, 3) let b_10: i64 = index a_9[2] in b_10",
        "in 11",
    );
    scalar(
        "let a_9: [n_1]i32 = replicate([n_1], x_6) let b_10: i32 = index a_9[2] in b_10",
        "in x_6",
    );
    scalar(
        "let a_9: [n_1][n_1]i32 = replicate([n_1], xs_3) let b_10: i32 = index a_9[2, 3] in b_10",
        "let b_10: i32 = index xs_3[3] in b_10",
    );
    scalar(
        "let t_9: [m_2][n_1]i32 = rearrange(a_7, [1, 0]) let b_10: i32 = index t_9[2, 3] in b_10",
        "let b_10: i32 = index a_7[3, 2] in b_10",
    );
    scalar(
        "let s_9: [5]i32 = index xs_3[1 :+ 5 * 2] let t_10: [2]i32 = index s_9[1 :+ 2 * 3] let b_11: i32 = index t_10[1] in b_11",
        "let b_11: i32 = index xs_3[9] in b_11",
    );
    scalar("let k_9: i64 = mul.i64(2, 3) let l_10: [6]i32 = replicate([6], x_6) let u_11: [6]i32 = update l_10[0] with 1i32
            let m_12: [2][3]i32 = reshape(u_11, [2, 3]) let b_13: i32 = index m_12[1, 2] in b_13",
        "let l_10: [6]i32 = replicate([6], x_6) let u_11: [6]i32 = update l_10[0] with 1i32 let b_13: i32 = index u_11[5] in b_13");
    scalar(
        "let l_9: [3]i32 = array [x_6, 2i32, 3i32] of i32 let b_10: i32 = index l_9[1] in b_10",
        "in 2i32",
    );
    scalar(
        "let u_9: [n_1]i32 = update ys_4[m_2] with x_6 let b_10: i32 = index u_9[m_2] in b_10",
        "in x_6",
    );
    scalar(
        "let y_9: [n_1]i32 = copy(xs_3) let b_10: i32 = index y_9[0] in b_10",
        "let b_10: i32 = index xs_3[0] in b_10",
    );
}

#[test]
fn a_copy_of_what_is_consumed_is_not_looked_through() {
    let same = "let y_9: [n_1]i32 = copy(ys_4) let u_10: [n_1]i32 = update ys_4[0] with 1i32
        let b_11: i32 = index y_9[0] let d_12: i32 = index u_10[1] let e_13: i32 = add.i32(b_11, d_12) in e_13";
    scalar(same, same);
}

#[test]
fn shapes() {
    rule("[n_1]i32", "let a_9: [n_1]i32 = reshape(xs_3, [n_1]) in a_9", "in xs_3");
    rule(
        "[n_1][m_2]i32",
        "let t_9: [m_2][n_1]i32 = rearrange(a_7, [1, 0]) let u_10: [n_1][m_2]i32 = rearrange(t_9, [1, 0]) in u_10",
        "in a_7",
    );
    rule("[n_1]i32", "let a_9: [n_1]i32 = index xs_3[0 :+ n_1 * 1] in a_9", "in xs_3");
    rule(
        "[2][3]i32",
        "let a_9: [6]i32 = replicate([6], x_6) let b_10: [2][3]i32 = reshape(a_9, [2, 3]) in b_10",
        "let b_10: [2][3]i32 = replicate([2, 3], x_6) in b_10",
    );
    rule(
        "[2]i32",
        "let a_9: [2]i32 = array [x_6, x_6] of i32 in a_9",
        "let a_9: [2]i32 = replicate([2], x_6) in a_9",
    );
    rule(
        "[n_1]i32",
        "let a_9: [n_1]i32 = replicate([], xs_3) in a_9",
        "let a_9: [n_1]i32 = copy(xs_3) in a_9",
    );
}

#[test]
fn rows_of_constants_are_tables() {
    let elems =
        |from: i32| (from..from + 40).map(|i| format!("{i}i32")).collect::<Vec<_>>().join(", ");
    rule(
        "[2][40]i32",
        &format!(
            "let a_9: [40]i32 = array [{}] of i32 let b_10: [40]i32 = array [{}] of i32
             let c_11: [2][40]i32 = array [a_9, b_10] of [40]i32 in c_11",
            elems(0),
            elems(40)
        ),
        &format!(
            "let t_12: [80]i32 = array [{}, {}] of i32 let c_11: [2][40]i32 = reshape(t_12, [2, 40]) in c_11",
            elems(0),
            elems(40)
        ),
    );
    // Few elements, and those that are not known.
    let few = "let a_9: [2]i32 = array [1i32, 2i32] of i32 let c_11: [2][2]i32 = array [a_9, a_9] of [2]i32 in c_11";
    rule("[2][2]i32", few, few);
    let unknown = format!(
        "let a_9: [41]i32 = array [{}, x_6] of i32 let c_11: [2][41]i32 = array [a_9, a_9] of [41]i32 in c_11",
        elems(0)
    );
    rule("[2][41]i32", &unknown, &unknown);
}

#[test]
fn branches() {
    scalar(
        "let a_9: i32 = if true { let b_10: i32 = add.i32(x_6, 1i32) in b_10 } else { in 2i32 } in a_9",
        "let b_10: i32 = add.i32(x_6, 1i32) in b_10",
    );
    scalar("let a_9: i32 = if c_5 { in x_6 } else { in x_6 } in a_9", "in x_6");
    rule("bool", "let a_9: bool = if c_5 { in true } else { in false } in a_9", "in c_5");
    scalar(
        "let d_8: bool = not(c_5) let a_9: i32 = if d_8 { in x_6 } else { in 2i32 } in a_9",
        "let a_9: i32 = if c_5 { in 2i32 } else { in x_6 } in a_9",
    );
}

#[test]
fn sizes_that_both_branches_agree_on() {
    scalar("let (k_9: i64, a_10: [k_9]i32) = if c_5 { in (n_1, xs_3) } else { let z_11: [n_1]i32 = replicate([n_1], x_6) in (n_1, z_11) }
         let e_15: i32 = index a_10[0] in e_15",
        "let a_10: [n_1]i32 = if c_5 { in xs_3 } else { let z_11: [n_1]i32 = replicate([n_1], x_6) in z_11 } let e_15: i32 = index a_10[0] in e_15");
}

#[test]
fn loops() {
    scalar(
        "let (a_9: i32, b_10: i32) = loop (p_11: i32 = x_6, q_12: i32 = 0i32) for i_13: i64 < n_1 {
              let r_14: i32 = add.i32(q_12, p_11) in (p_11, r_14) } in b_10",
        "let b_10: i32 = loop (q_12: i32 = 0i32) for i_13: i64 < n_1 { let r_14: i32 = add.i32(q_12, x_6) in r_14 } in b_10",
    );
    scalar(
        "let a_9: i32 = loop (p_11: i32 = x_6) for i_13: i64 < 0 { let r_14: i32 = add.i32(p_11, 1i32) in r_14 } in a_9",
        "in x_6",
    );
    scalar(
        "let a_9: i32 = loop (p_11: i32 = x_6) for i_13: i64 < 1 { let r_14: i32 = add.i32(p_11, 1i32) in r_14 } in a_9",
        "let r_14: i32 = add.i32(x_6, 1i32) in r_14",
    );
    // The size goes with the parameter that gave it.
    scalar("let (k_9: i64, a_10: [k_9]i32) = loop (k_11: i64 = n_1, b_12: [k_11]i32 = ys_4) for i_13: i64 < m_2 {
              let c_14: [k_11]i32 = update b_12[i_13] with x_6 in (k_11, c_14) } let e_15: i32 = index a_10[0] in e_15",
        "let a_10: [n_1]i32 = loop (b_12: [n_1]i32 = ys_4) for i_13: i64 < m_2 { let c_14: [n_1]i32 = update b_12[i_13] with x_6 in c_14 } let e_15: i32 = index a_10[0] in e_15");
}

#[test]
fn combinators() {
    // A row of equal elements is free in the lambda; so is an input given twice.
    rule("[n_1]i32",
        "let k_9: [n_1]i32 = replicate([n_1], x_6)
         let r_10: [n_1]i32 = map(n_1, [xs_3, k_9, xs_3], \\(a_11: i32, b_12: i32, c_13: i32) : (i32) {
           let d_14: i32 = add.i32(a_11, b_12) let e_15: i32 = mul.i32(d_14, c_13) in e_15 }) in r_10",
        "let r_10: [n_1]i32 = map(n_1, [xs_3], \\(a_11: i32) : (i32) {
           let d_14: i32 = add.i32(a_11, x_6) let e_15: i32 = mul.i32(d_14, a_11) in e_15 }) in r_10");
    // Results that need no lambda.
    rule(
        "[n_1]i32",
        "let r_10: [n_1]i32 = map(n_1, [xs_3], \\(a_11: i32) : (i32) { in a_11 }) in r_10",
        "let r_10: [n_1]i32 = copy(xs_3) in r_10",
    );
    rule(
        "[n_1]i32",
        "let r_10: [n_1]i32 = map(n_1, [xs_3], \\(a_11: i32) : (i32) { in 3i32 }) in r_10",
        "let r_10: [n_1]i32 = replicate([n_1], 3i32) in r_10",
    );
    // Another name for the size, by a check.
    rule("[m_2]i32",
        "let e_9: bool = eq.i64(n_1, m_2) let c_10: cert = assert(e_9, \"sizes\") let z_11: [m_2]i32 = <c_10> reshape(xs_3, [m_2])
         let r_12: [m_2]i32 = map(m_2, [z_11], \\(a_13: i32) : (i32) { let b_14: i32 = add.i32(a_13, 1i32) in b_14 }) in r_12",
        "let e_9: bool = eq.i64(n_1, m_2) let c_10: cert = assert(e_9, \"sizes\")
         let r_12: [m_2]i32 = <c_10> map(m_2, [xs_3], \\(a_13: i32) : (i32) { let b_14: i32 = add.i32(a_13, 1i32) in b_14 }) in r_12");
}

#[test]
fn constants_of_the_program_are_known_in_functions() {
    check(
        simplify,
        "global (a_1: i64) = { let c_3: i64 = add.i64(1, 2) in c_3 }
         fun f (x_5: i64) : (r_6: i64) { let y_7: i64 = add.i64(x_5, a_1) in y_7 }",
        "fun f (x_5: i64) : (r_6: i64) { let y_7: i64 = add.i64(x_5, 3) in y_7 }",
    );
}

#[test]
fn once_is_enough() {
    let text = "fun f (n_1: i64, xs_3: [n_1]i32) : (r_8: i32) {
        let s_9: i32 = loop (s_10: i32 = 0i32) for i_11: i64 < n_1 {
           let e_16: i32 = index xs_3[i_11] let t_17: i32 = add.i32(s_10, e_16) in t_17 } in s_9 }";
    check(|p| simplify(simplify(p)), text, text);
}

#[test]
fn facts_about_what_is_made_of_counters_remove_checks() {
    // Within a loop of `n` rounds: `j` as it is made of the counter, and what is left of its check.
    let check = |made: &str, bound: &str, left: &str| {
        let before = format!(
            "let s_9: i32 = loop (s_10: i32 = 0i32) for i_11: i64 < {bound} {{ {made}
               let lo_12: bool = sle.i64(0, j_20) let hi_13: bool = slt.i64(j_20, n_1)
               let ok_14: bool = logand(lo_12, hi_13) let c_15: cert = assert(ok_14, \"out\")
               let e_16: i32 = <c_15> index xs_3[j_20] let t_17: i32 = add.i32(s_10, e_16) in t_17 }} in s_9"
        );
        let after = format!(
            "let s_9: i32 = loop (s_10: i32 = 0i32) for i_11: i64 < {bound} {{ {made} {left}
               let t_17: i32 = add.i32(s_10, e_16) in t_17 }} in s_9"
        );
        scalar(&before, &after);
    };
    let none = "let e_16: i32 = index xs_3[j_20]";
    let all = "let lo_12: bool = sle.i64(0, j_20) let hi_13: bool = slt.i64(j_20, n_1)
        let ok_14: bool = logand(lo_12, hi_13) let c_15: cert = assert(ok_14, \"out\")
        let e_16: i32 = <c_15> index xs_3[j_20]";
    let low = "let lo_12: bool = sle.i64(0, j_20) let c_15: cert = assert(lo_12, \"out\")
        let e_16: i32 = <c_15> index xs_3[j_20]";
    let high = "let hi_13: bool = slt.i64(j_20, n_1) let c_15: cert = assert(hi_13, \"out\")
        let e_16: i32 = <c_15> index xs_3[j_20]";
    // From the end: `n - 1 - i` and `n - i - 1`.
    let last = "let l_19: i64 = sub.i64(n_1, 1)";
    check(&format!("{last} let j_20: i64 = sub.i64(l_19, i_11)"), "n_1", none);
    check("let l_19: i64 = sub.i64(n_1, i_11) let j_20: i64 = sub.i64(l_19, 1)", "n_1", none);
    // One too far, and counted by something else.
    check("let j_20: i64 = sub.i64(n_1, i_11)", "n_1", high);
    check(&format!("{last} let j_20: i64 = sub.i64(l_19, i_11)"), "m_2", low);
    check("let j_20: i64 = sub.i64(m_2, i_11)", "n_1", all);
    // Parts of a counter; what is not negative only.
    check("let j_20: i64 = squot.i64(i_11, 2)", "n_1", none);
    check("let j_20: i64 = ashr.i64(i_11, 1)", "n_1", none);
    check("let j_20: i64 = and.i64(i_11, m_2)", "n_1", none);
    check("let l_19: i64 = sub.i64(i_11, 3) let j_20: i64 = squot.i64(l_19, 2)", "n_1", all);
    check("let j_20: i64 = squot.i64(i_11, -2)", "n_1", all);
}

/// A check of `j` as an index of `n` elements, inside of a loop, and what is left of it.
#[track_caller]
fn checked(outside: &str, bound: &str, made: &str, left: Left) {
    let text = |check: &str, cert: &str| {
        format!(
            "{outside} let s_9: i32 = loop (s_10: i32 = 0i32) for i_11: i64 < {bound} {{ {made} {check}
               let e_16: i32 = {cert}index xs_3[j_20] let t_17: i32 = add.i32(s_10, e_16) in t_17 }} in s_9"
        )
    };
    let (low, high) =
        ("let lo_12: bool = sle.i64(0, j_20)", "let hi_13: bool = slt.i64(j_20, n_1)");
    let assert = |of: &str| format!("let c_15: cert = assert({of}, \"out\")");
    let whole = format!("{low} {high} let ok_14: bool = logand(lo_12, hi_13) {}", assert("ok_14"));
    let (check, cert) = match left {
        Left::Nothing => (String::new(), ""),
        Left::Low => (format!("{low} {}", assert("lo_12")), "<c_15> "),
        Left::High => (format!("{high} {}", assert("hi_13")), "<c_15> "),
        Left::Both => (whole.clone(), "<c_15> "),
    };
    scalar(&text(&whole, "<c_15> "), &text(&check, cert));
}

#[derive(Clone, Copy)]
enum Left {
    Nothing,
    Low,
    High,
    Both,
}

#[test]
fn sums_of_counters_are_below_what_their_bounds_leave_room_for() {
    use Left::{Both, High, Low, Nothing};
    // Chunks: behind a start, the lesser of a size and of what is left.
    let chunk = "let a_22: i64 = sdiv.i64(m_2, 3) let r_23: i64 = sub.i64(n_1, a_22)
        let k_24: i64 = smin.i64(m_2, r_23) let k_25: i64 = smax.i64(k_24, 0)";
    let sum = "let j_20: i64 = add.i64(i_11, a_22)";
    checked(chunk, "k_25", sum, Nothing);
    let start = "let q_26: i64 = sext.i32.i64(x_6) ";
    let rest = "let r_23: i64 = sub.i64(n_1, q_26)";
    // A start that may be negative, and one too far.
    checked(&format!("{start}{rest}"), "r_23", "let j_20: i64 = add.i64(i_11, q_26)", Both);
    let far = "let a_22: i64 = sdiv.i64(m_2, 3) let r_23: i64 = sub.i64(n_1, a_22) let k_27: i64 = add.i64(r_23, 1)";
    checked(far, "k_27", sum, Both);
    // Where a block begins.
    let begin = "let q_21: i64 = smod.i64(i_11, 8) let j_20: i64 = sub.i64(i_11, q_21)";
    checked("", "n_1", begin, Nothing);
    checked("", "n_1", &begin.replace("smod.i64(i_11, 8)", "smod.i64(m_2, 8)"), Low);
    // Halves, pairs, rows of so many.
    let half = "let h_21: i64 = sdiv.i64(n_1, 2)";
    checked(half, "h_21", "let j_20: i64 = add.i64(i_11, h_21)", Nothing);
    checked("", "n_1", "let j_20: i64 = add.i64(i_11, n_1)", Both);
    let pair =
        |d: i64| format!("let p_22: i64 = mul.i64(i_11, 2) let j_20: i64 = add.i64(p_22, {d})");
    checked(half, "h_21", &pair(1), Nothing);
    checked(half, "h_21", &pair(2), Both);
    checked("let h_21: i64 = sdiv.i64(n_1, 3)", "h_21", "let j_20: i64 = mul.i64(i_11, 4)", Both);
    // What begins behind another counter, or is below it.
    checked(
        "let h_21: i64 = smin.i64(m_2, n_1)",
        "h_21",
        "let j_20: i64 = squot.i64(i_11, 2)",
        Nothing,
    );
    checked(
        "let h_21: i64 = smax.i64(m_2, n_1)",
        "h_21",
        "let j_20: i64 = squot.i64(i_11, 2)",
        High,
    );
}

#[test]
fn ranges_under_certificates_are_no_less_than_empty() {
    let range = |what: &str, left: &str, cert: &str| {
        format!(
            "let a_9: i64 = sdiv.i64(m_2, 3) let q_26: i64 = sext.i32.i64(x_6) let e_10: i64 = smin.i64(n_1, q_26)
             let t_11: bool = {what} let c_12: cert = assert(t_11, \"range\") let r_13: i64 = sub.i64(e_10, a_9)
             let s_14: i32 = loop (s_15: i32 = 0i32) for i_16: i64 < r_13 {{
               let j_17: i64 = <c_12> add.i64(i_16, a_9) {left}
               let x_22: i32 = {cert}index xs_3[j_17] let t_23: i32 = add.i32(s_15, x_22) in t_23 }} in s_14"
        )
    };
    let check = "let lo_18: bool = sle.i64(0, j_17) let hi_19: bool = slt.i64(j_17, n_1)
        let ok_20: bool = logand(lo_18, hi_19) let c_21: cert = assert(ok_20, \"out\")";
    let (says, other) = ("sle.i64(a_9, e_10)", "sle.i64(a_9, q_26)");
    scalar(&range(says, check, "<c_21> "), &range(says, "", ""));
    scalar(&range(other, check, "<c_21> "), &range(other, check, "<c_21> "));
}

#[test]
fn what_loops_keep_removes_checks() {
    // A binary search: of `lo` and `hi` it is known that 0 <= lo < hi <= n, by induction.
    let search = |next: &str, check: &str, cert: &str| {
        format!(
            "let g_9: bool = slt.i64(0, n_1)
             let (lo_10: i64, hi_11: i64, go_12: bool) = loop (lo_13: i64 = 0, hi_14: i64 = n_1, go_15: bool = g_9) while go_15 {{
               let d_16: i64 = sub.i64(hi_14, lo_13) let h_17: i64 = sdiv.i64(d_16, 2) let mid_18: i64 = add.i64(lo_13, h_17)
               {check} let e_22: i32 = {cert}index xs_3[mid_18] let less_23: bool = slt.i32(e_22, x_6)
               let (lo_24: i64, hi_25: i64) = if less_23 {{ let up_26: i64 = add.i64(mid_18, 1) in (up_26, hi_14) }} else {{ in (lo_13, {next}) }}
               let go_27: bool = slt.i64(lo_24, hi_25) in (lo_24, hi_25, go_27) }} in lo_10"
        )
    };
    let both = "let l_19: bool = sle.i64(0, mid_18) let u_20: bool = slt.i64(mid_18, n_1) let ok_30: bool = logand(l_19, u_20)
        let c_21: cert = assert(ok_30, \"out\")";
    let out = |text: &str| {
        let f = format!(
            "fun f (n_1: i64, m_2: i64, xs_3: [n_1]i32, x_6: i32) : (r_8: i64) {{ {text} }}"
        );
        let p = crate::ir::parse::parse_program(&format!("level soacs\n{f}"))
            .unwrap_or_else(|e| panic!("{e}"));
        super::simplify(p).to_string()
    };
    let good = out(&search("mid_18", both, "<c_21> "));
    assert!(!good.contains("slt.i64(mid_18, n_1)"), "{good}");
    // Where `hi` may be more than `n`, that is still asked.
    let bad = out(&search("m_2", both, "<c_21> "));
    assert!(bad.contains("slt.i64(mid_18, n_1)"), "{bad}");
}

#[test]
fn whole_turns_are_left_out_of_what_goes_round() {
    let round = |made: &str, bound: &str, left: &str| {
        let body = |made: &str| {
            format!(
                "let s_9: i64 = loop (s_10: i64 = 0) for i_11: i64 < {bound} {{ {made}
                   let t_17: i64 = add.i64(s_10, j_20) in t_17 }} in s_9"
            )
        };
        rule("i64", &body(made), &body(left));
    };
    let left = "let k_19: i64 = add.i64(i_11, -1) let j_20: i64 = smod.i64(k_19, n_1)";
    round(
        "let l_18: i64 = add.i64(i_11, n_1) let k_19: i64 = sub.i64(l_18, 1)
         let j_20: i64 = smod.i64(k_19, n_1)",
        "n_1",
        left,
    );
    round(
        "let l_18: i64 = sub.i64(n_1, 1) let k_19: i64 = add.i64(i_11, l_18)
         let j_20: i64 = smod.i64(k_19, n_1)",
        "n_1",
        left,
    );
    // Of something else, and by how much nobody knows.
    let all = "let k_19: i64 = add.i64(i_11, n_1) let j_20: i64 = smod.i64(k_19, n_1)";
    round(all, "m_2", all);
    let all = "let l_18: i64 = add.i64(i_11, n_1) let k_19: i64 = add.i64(l_18, m_2)
        let j_20: i64 = smod.i64(k_19, n_1)";
    round(all, "n_1", all);
    // What does not go round at all.
    let body = |e: &str, x: &str| {
        format!(
            "let s_9: i64 = loop (s_10: i64 = 0) for i_11: i64 < n_1 {{ {e}
               let t_17: i64 = add.i64(s_10, {x}) in t_17 }} in s_9"
        )
    };
    rule("i64", &body("let j_20: i64 = smod.i64(i_11, n_1)", "j_20"), &body("", "i_11"));
}

#[test]
fn branches_say_what_holds_in_them() {
    // A stencil: the neighbours of what is not on the edge.
    rule(
        "[n_1]i32",
        "let is_9: [n_1]i64 = iota.i64(n_1, 0, 1)
         let r_10: [n_1]i32 = map(n_1, [is_9], \\(i_11: i64) : (i32) {
           let z_12: bool = eq.i64(i_11, 0)
           let q_13: bool = if z_12 { in true } else { let l_14: i64 = sub.i64(n_1, 1) let e_15: bool = eq.i64(i_11, l_14) in e_15 }
           let v_16: i32 = if q_13 { in 0i32 } else {
             let a_17: i64 = sub.i64(i_11, 1) let b_18: bool = sle.i64(0, a_17) let c_19: bool = slt.i64(a_17, n_1) let d_20: bool = logand(b_18, c_19)
             let e_21: cert = assert(d_20, \"out\") let f_22: i32 = <e_21> index xs_3[a_17]
             let g_23: i64 = add.i64(i_11, 1) let h_24: bool = sle.i64(0, g_23) let j_25: bool = slt.i64(g_23, n_1) let k_26: bool = logand(h_24, j_25)
             let l_27: cert = assert(k_26, \"out\") let m_28: i32 = <l_27> index xs_3[g_23]
             let o_29: i32 = add.i32(f_22, m_28) in o_29 } in v_16 }) in r_10",
        "let is_9: [n_1]i64 = iota.i64(n_1, 0, 1)
         let r_10: [n_1]i32 = map(n_1, [is_9], \\(i_11: i64) : (i32) {
           let z_12: bool = eq.i64(i_11, 0) let l_14: i64 = sub.i64(n_1, 1) let e_15: bool = eq.i64(i_11, l_14)
           let q_13: bool = logor(z_12, e_15)
           let v_16: i32 = if q_13 { in 0i32 } else {
             let a_17: i64 = sub.i64(i_11, 1) let f_22: i32 = index xs_3[a_17]
             let g_23: i64 = add.i64(i_11, 1) let m_28: i32 = index xs_3[g_23]
             let o_29: i32 = add.i32(f_22, m_28) in o_29 } in v_16 }) in r_10",
    );
    // Not after the branch.
    let same = "let g_9: bool = slt.i64(m_2, n_1) let v_10: i32 = if g_9 { let t_11: i32 = index xs_3[m_2] in t_11 } else { in 0i32 }
        let h_12: bool = sle.i64(n_1, m_2) let w_13: i32 = if h_12 { in v_10 } else { in 2i32 } in w_13";
    scalar(same, same);
}

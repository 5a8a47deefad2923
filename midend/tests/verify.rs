//! The verifier accepts what is right and says what is wrong.

#![allow(clippy::panic, reason = "a test")]

use futc_midend::ir::parse::parse_program;
use futc_midend::ir::verify::verify;

fn errors(text: &str) -> String {
    let p = parse_program(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    match verify(&p) {
        Ok(()) => String::new(),
        Err(es) => es.iter().map(|e| format!("{e}\n")).collect(),
    }
}

/// A function at level soacs with this text as statements and result.
fn soacs(body: &str) -> String {
    errors(&format!(
        "level soacs
         fun f (n_1: i64, m_2: i64, xs_3: [n_1]f32, *ys_4: [n_1]f32, c_5: bool) : () {{ {body} }}"
    ))
}

#[track_caller]
fn rejected(body: &str, why: &str) {
    let es = soacs(body);
    assert!(es.contains(why), "wanted {why:?}, got {es:?}");
}

#[track_caller]
fn accepted(body: &str) {
    assert_eq!(soacs(body), "");
}

#[test]
fn names() {
    rejected("let a_9: i64 = zz_99 in ()", "zz_99 is not bound");
    rejected(
        "let a_9: i64 = if c_5 { let b_10: i64 = 1 in b_10 } else { in b_10 } in ()",
        "b_10 is out of scope",
    );
    assert!(
        errors("level soacs fun f () : () { let a_1: i64 = call g() in () }")
            .contains("no function g")
    );
    assert!(
        errors("level soacs fun f () : () { in () } fun f () : () { in () }")
            .contains("another function")
    );
}

#[test]
fn results_have_no_names_in_the_body() {
    let body = errors(
        "level soacs fun f (n_1: i64) : (r_2: i64) { let a_3: i64 = add.i64(r_2, 1) in a_3 }",
    );
    assert!(body.contains("in f, a_3: r_2 is not bound"), "{body}");
    let result = errors("level soacs fun f (n_1: i64) : (r_2: i64, q_3: i64) { in (n_1, r_2) }");
    assert!(result.contains("r_2 is not bound"), "{result}");
    let lambda = errors(
        "level soacs
         fun f (n_1: i64, xs_2: [n_1]i64) : (r_3: i64, ys_4: [n_1]i64) {
           let zs_5: [n_1]i64 = map(n_1, [xs_2], \\(x_6: i64) : (i64) { in r_3 })
           in (n_1, zs_5) }",
    );
    assert!(lambda.contains("r_3 is not bound"), "{lambda}");
    let types = "level soacs fun f (n_1: i64) : (r_2: i64, ys_3: [r_2]i64) { let xs_4: [n_1]i64 = replicate([n_1], 0) in (n_1, xs_4) }";
    assert!(!errors(types).contains("r_2"), "{}", errors(types));
}

#[test]
fn scalar_types() {
    rejected("let a_9: i64 = add.i64(n_1, 1i32) in ()", "1i32 has type i32, where i64 is wanted");
    rejected("let a_9: i32 = add.i64(n_1, 1) in ()", "a_9 has type i32, its expression i64");
    rejected("let a_9: cert = assert(n_1) in ()", "where bool is wanted");
    rejected("let a_9: i64 = <c_5> n_1 in ()", "where cert is wanted");
    rejected("let (a_9: i64, b_10: i64) = n_1 in ()", "1 results bound to 2 names");
}

#[test]
fn array_types() {
    rejected("let a_9: f32 = index xs_3[0, 1] in ()", "2 indexes into 1 dimensions");
    rejected("let a_9: [m_2]f32 = xs_3 in ()", "a_9 has type [m_2]f32, its expression [n_1]f32");
    rejected("let a_9: [n_1]f32 = rearrange(xs_3, [1]) in ()", "no permutation");
    rejected("let a_9: [n_1]f32 = update xs_3[0] with 1i32 in ()", "where f32 is wanted");
    rejected(
        "let a_9: f32 = reduce(m_2, [xs_3], \\(x_10: f32) id, op [0f32] \\(x_11: f32, y_12: f32) : (f32) { in x_11 }) in ()",
        "has n_1 rows, not m_2",
    );
    rejected(
        "let a_9: [n_1]f32 = map(n_1, [xs_3], \\(x_10: i32) : (f32) { in 1f32 }) in ()",
        "parameter x_10 has type i32, gets f32",
    );
    rejected(
        "let a_9: [n_1]f32 = map(n_1, [xs_3], \\(x_10: f32) : (f32) { in 1 }) in ()",
        "1 has type i64, where f32 is wanted",
    );
}

#[test]
fn sizes_by_other_names() {
    accepted(
        "let a_9: i64 = add.i64(n_1, m_2) let b_10: i64 = add.i64(m_2, n_1)
              let c_11: [a_9]f32 = replicate([a_9], 0f32) let d_12: [b_10]f32 = c_11 in ()",
    );
    accepted(
        "let a_9: i64 = squot.i64(n_1, m_2) let b_10: i64 = squot.i64(n_1, m_2)
              let c_11: [a_9]f32 = replicate([a_9], 0f32) let d_12: [b_10]f32 = c_11 in ()",
    );
    accepted(
        "let e_9: bool = eq.i64(n_1, m_2) let c_10: cert = assert(e_9)
              let d_12: [m_2]f32 = <c_10> xs_3 in ()",
    );
    rejected("let e_9: bool = eq.i64(n_1, m_2) let d_12: [m_2]f32 = xs_3 in ()", "d_12 has type");
}

#[test]
fn dependent_patterns() {
    accepted(
        "let (k_9: i64, a_10: [k_9]f32) = if c_5 { in (n_1, xs_3) } else {
                let z_11: [2]f32 = replicate([2], 1f32) in (2, z_11) } in ()",
    );
    rejected(
        "let (k_9: i64, a_10: [k_9]f32) = if c_5 { in (m_2, xs_3) } else { in (n_1, xs_3) } in ()",
        "xs_3 has type [n_1]f32, where [m_2]f32 is wanted",
    );
    rejected("let (k_9: i64, a_10: [k_9]f32) = loop (k_11: i64 = n_1, b_12: [k_11]f32 = xs_3) for i_13: i64 < 3 {
                let k_14: i64 = add.i64(k_11, 1) in (k_14, b_12) } in ()", "b_12 has type [k_11]f32, where [k_14]f32 is wanted");
    rejected(
        "let w_9: i64 = loop (k_11: i64 = n_1) while c_5 { in k_11 } in ()",
        "no bool parameter",
    );
}

#[test]
fn arrays_that_change_places_in_a_loop() {
    let start =
        "let a_10: [n_1]i32 = replicate([n_1], 1i32) let b_11: [n_1]i32 = replicate([n_1], 2i32)";
    let swapped = "let (x_20: [n_1]i32, y_21: [n_1]i32) =
        loop (p_12: [n_1]i32 = a_10, q_13: [n_1]i32 = b_11) for i_14: i64 < m_2 { in (q_13, p_12) }";
    let update = "let u_22: [n_1]i32 = update y_21[0] with 1i32";
    accepted(&format!("{start} {swapped} {update} let e_23: i32 = index x_20[0] in ()"));
    // What they started as is either of them.
    for gone in ["a_10", "b_11", "y_21"] {
        rejected(
            &format!("{start} {swapped} {update} let e_23: i32 = index {gone}[0] in ()"),
            "was consumed",
        );
    }
    let first = "let u_22: [n_1]i32 = update a_10[0] with 1i32";
    for gone in ["x_20", "y_21"] {
        rejected(
            &format!("{start} {swapped} {first} let e_23: i32 = index {gone}[0] in ()"),
            "was consumed",
        );
    }
    // Those that only stand beside them are not what they started as.
    let beside = "let (x_20: [n_1]i32, y_21: [n_1]i32) =
        loop (p_12: [n_1]i32 = a_10, q_13: [n_1]i32 = b_11) for i_14: i64 < m_2 {
          let r_15: [n_1]i32 = replicate([n_1], 3i32) let s_16: [n_1]i32 = update q_13[0] with 1i32 in (r_15, s_16) }";
    accepted(&format!("{start} {beside} {update} let e_23: i32 = index a_10[0] in ()"));
    // One array under two names is not apart from itself.
    let both = "let (x_20: [n_1]i32, y_21: [n_1]i32) =
        loop (p_12: [n_1]i32 = a_10, q_13: [n_1]i32 = a_10) for i_14: i64 < m_2 { in (q_13, p_12) }";
    rejected(
        &format!("{start} {both} {update} let e_23: i32 = index x_20[0] in ()"),
        "was consumed",
    );
    let one = "let (x_20: [n_1]i32, y_21: [n_1]i32) =
        loop (p_12: [n_1]i32 = a_10, q_13: [n_1]i32 = b_11) for i_14: i64 < m_2 { in (p_12, p_12) }";
    rejected(
        &format!("{start} {one} {update} let e_23: i32 = index x_20[0] in ()"),
        "was consumed",
    );
}

#[test]
fn consumption() {
    accepted(
        "let a_9: [n_1]f32 = update ys_4[0] with 1f32 let b_10: [n_1]f32 = update a_9[1] with 2f32 in ()",
    );
    rejected(
        "let a_9: [n_1]f32 = update ys_4[0] with 1f32 let b_10: f32 = index ys_4[0] in ()",
        "ys_4 is used after it was consumed",
    );
    rejected(
        "let v_8: [n_1]f32 = reshape(ys_4, [n_1]) let a_9: [n_1]f32 = update ys_4[0] with 1f32 let b_10: f32 = index v_8[0] in ()",
        "v_8 is used after ys_4",
    );
    rejected(
        "let a_9: [n_1]f32 = update xs_3[0] with 1f32 in ()",
        "xs_3 is consumed and not marked so",
    );
    rejected("let a_9: [n_1]f32 = if c_5 { let b_10: [n_1]f32 = update ys_4[0] with 1f32 in b_10 } else { in xs_3 }
              let d_11: f32 = index ys_4[0] in ()", "ys_4 is used after");
    rejected(
        "let a_9: [3]f32 = map(3, [], \\() : (f32) { let b_10: [n_1]f32 = update ys_4[0] with 1f32 in 0f32 }) in ()",
        "may run many times",
    );
    accepted("let a_9: [n_1]f32 = loop (b_10: [n_1]f32 = ys_4) for i_11: i64 < n_1 {
               let d_12: [n_1]f32 = update b_10[i_11] with 0f32 in d_12 } let e_13: f32 = index a_9[0] in ()");
    rejected("let a_9: [n_1]f32 = loop (b_10: [n_1]f32 = ys_4) for i_11: i64 < n_1 {
               let d_12: [n_1]f32 = update b_10[i_11] with 0f32 in d_12 } let e_13: f32 = index ys_4[0] in ()", "ys_4 is used after");
}

#[test]
fn levels() {
    rejected(
        "let a_9: [n_1]i64 = segmap seq (i_10 < n_1) : (i64) { in (return i_10) } in ()",
        "at level soacs",
    );
    assert!(
        errors(
            "level seg fun f () : () { let a_1: [3]i64 = map(3, [], \\() : (i64) { in 1 }) in () }"
        )
        .contains("below level soacs")
    );
    assert!(
        errors("level seg fun f () : () { let a_1: mem.host = alloc(8, host) in () }")
            .contains("above level mem")
    );
}

#[test]
fn memory() {
    let mem = |s: &str| {
        errors(&format!(
            "level mem fun f (n_1: i64) : () {{ let m_2: mem.host = alloc((n_1 * 8), host) {s} in () }}"
        ))
    };
    assert_eq!(
        mem("let a_3: [n_1]i64 @ m_2 -> {0; (n_1, 1)} = iota.i64(n_1, 0, 1) let () = release(m_2)"),
        ""
    );
    assert!(mem("let a_3: [n_1]i64 = iota.i64(n_1, 0, 1)").contains("a_3 lies nowhere"));
    assert!(
        mem("let a_3: [n_1]i64 @ n_1 -> {0; (n_1, 1)} = iota.i64(n_1, 0, 1)")
            .contains("n_1 is no block")
    );
    assert!(
        mem("let a_3: [n_1]i64 @ m_2 -> {0; (3, 1)} = iota.i64(n_1, 0, 1)")
            .contains("other dimensions")
    );
}

#[test]
fn entry_points() {
    let e = |entry: &str| {
        errors(&format!(
            "level soacs fun f (n_1: i64, xs_2: [n_1]i32) : (r_3: i64) {entry} {{ in n_1 }}"
        ))
    };
    assert_eq!(e(r#"entry "f" ("xs": "[]u32" []u32) -> ("i64" i64)"#), "");
    assert!(
        e(r#"entry "f" ("xs": "[]u8" []u8) -> ("i64" i64)"#)
            .contains("leaf []u8 has type [n_1]i32")
    );
    assert!(
        e(r#"entry "f" ("xs": "[]u32" []u32) -> ("i64" i64, "i8" i8)"#)
            .contains("more result leaves")
    );
}

#[test]
fn globals() {
    assert_eq!(
        errors("level soacs global (n_1: i64, t_2: [n_1]f32) = { let u_3: [3]f32 = replicate([3], 1f32) in (3, u_3) }
                fun f () : (r_4: [n_1]f32) { in t_2 }"),
        ""
    );
}

#[test]
fn sizes_are_checked_before_arrays_are_made_of_them() {
    let why = "nothing says that the size";
    let checked = "let ok_20: bool = sle.i64(0, m_2) let d_21: cert = assert(ok_20, \"negative\")";
    rejected("let a_9: [m_2]i64 = iota.i64(m_2, 0, 1) in ()", why);
    accepted(&format!("{checked} let a_9: [m_2]i64 = iota.i64(m_2, 0, 1) in ()"));
    // The size of an array that is there, and what a branch says.
    accepted("let a_9: [n_1]i64 = replicate([n_1], 0) in ()");
    accepted(
        "let c_8: bool = slt.i64(0, m_2)
         let a_9: i64 = if c_8 { let b_10: [m_2]i64 = replicate([m_2], 0) in 1 } else { in 0 } in ()",
    );
    // A slice: its size is a difference.
    let slice = "let l_10: i64 = sub.i64(m_2, 7) let b_11: [l_10]i64 = replicate([l_10], 0)";
    rejected(&format!("{slice} in ()"), why);
    accepted(&format!(
        "let ok_20: bool = sle.i64(7, m_2) let d_21: cert = assert(ok_20, \"short\") {slice} in ()"
    ));
}

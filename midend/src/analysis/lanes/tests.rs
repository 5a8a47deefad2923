//! Tests of the analysis.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use super::*;
use crate::analysis::places::Places;
use crate::ir::parse::parse_program;

/// The lanes of the only map of a program, and the classes of variables by their names.
fn analysed(body: &str, gathers: bool) -> Option<(Lanes, Vec<(String, Class)>)> {
    let text = format!(
        "level seg\nfun f (n_0: i64, k_1: i64, xs_2: [n_0]f32, is_3: [n_0]i64, c_4: bool) : \
         (r_5: [n_0]f32) {{\n let r_6: [n_0]f32 = segmap seq (i_7 < n_0) : (f32) {{\n{body}\n \
         in (return y_9)\n }}\n in r_6\n}}\n"
    );
    let p = parse_program(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let Exp::Seg(SegOp { space, kind: SegKind::Map, body, .. }) = &p.funs[0].body.stms[0].exp
    else {
        panic!("no map")
    };
    let lanes = expected_lanes(space.dims[0].0, body, gathers)?;
    let mut classes: Vec<(String, Class)> =
        lanes.classes.iter().map(|(v, c)| (v.base.as_str().to_owned(), *c)).collect();
    classes.sort_by(|a, b| a.0.cmp(&b.0));
    Some((lanes, classes))
}

fn class(classes: &[(String, Class)], name: &str) -> Class {
    classes.iter().find(|(n, _)| n == name).unwrap().1
}

#[test]
fn what_does_not_depend_on_the_index_is_uniform() {
    let (lanes, classes) = analysed(
        "let x_8: f32 = index xs_2[i_7]
         let j_10: i64 = sub.i64(k_1, i_7)
         let y_9: f32 = loop (p_11: f32 = 0.0f32, q_12: f32 = 1.0f32) for d_13: i64 < k_1 {
           let e_14: i64 = add.i64(j_10, d_13)
           let z_15: f32 = index xs_2[d_13]
           let s_16: f32 = fmul.f32(x_8, z_15)
           let t_17: f32 = fadd.f32(q_12, z_15)
           let u_18: f32 = fadd.f32(p_11, s_16)
           in (u_18, t_17)
         }"
        .replace("let y_9: f32", "let (y_9: f32, w_19: f32)")
        .as_str(),
        true,
    )
    .unwrap();
    assert_eq!(class(&classes, "i"), Class::Linear(1));
    assert_eq!(class(&classes, "j"), Class::Linear(-1));
    assert_eq!(class(&classes, "e"), Class::Linear(-1));
    for uniform in ["d", "z", "q", "t", "w"] {
        assert_eq!(class(&classes, uniform), Class::Uniform, "{uniform}");
    }
    for varying in ["x", "s", "p", "u", "y"] {
        assert_eq!(class(&classes, varying), Class::Varying, "{varying}");
    }
    assert_eq!((lanes.widest, lanes.carried, lanes.diverges), (4, 1, false));
}

#[test]
fn what_stops_for_some_varies() {
    let (lanes, classes) = analysed(
        "let x_8: f32 = index xs_2[i_7]
         let (y_9: f32, k_10: i32, g_11: bool) = loop (p_12: f32 = x_8, m_13: i32 = 0i32, \
          g_14: bool = true) while g_14 {
           let h_15: f32 = fmul.f32(p_12, 0.5f32)
           let m_16: i32 = add.i32(m_13, 1i32)
           let g_17: bool = flt.f32(1.0f32, h_15)
           in (h_15, m_16, g_17)
         }
         let l_18: i32 = add.i32(k_10, 1i32)",
        false,
    )
    .unwrap();
    assert!(lanes.diverges);
    // All lanes in the loop have gone through as many rounds.
    assert_eq!(class(&classes, "m"), Class::Uniform);
    for varying in ["k", "l", "p"] {
        assert_eq!(class(&classes, varying), Class::Varying, "{varying}");
    }
    assert!(lanes.uses(body_var(&lanes, "y")) && !lanes.uses(body_var(&lanes, "g")));
}

#[test]
fn what_a_loop_leaves_to_nobody_has_no_width() {
    let body = |used: &str| {
        format!(
            "let x_8: f32 = index xs_2[i_7]
             let (p_19: f32, k_10: i64, g_11: bool) = loop (p_12: f32 = x_8, m_13: i64 = i_7, \
              g_14: bool = true) while g_14 {{
               let h_15: f32 = index xs_2[m_13]
               let m_16: i64 = add.i64(m_13, 2)
               let g_17: bool = flt.f32(1.0f32, h_15)
               in (h_15, m_16, g_17)
             }}
             let z_18: f32 = sitofp.i64.f32({used})
             let y_9: f32 = fadd.f32(p_19, z_18)"
        )
    };
    let (lanes, classes) = analysed(&body("k_1"), true).unwrap();
    assert_eq!((class(&classes, "m"), lanes.widest), (Class::Linear(1), 4));
    let (lanes, _) = analysed(&body("k_10"), true).unwrap();
    assert_eq!(lanes.widest, 8);
}

/// The variable of this name with the lowest tag.
fn body_var(lanes: &Lanes, name: &str) -> Var {
    *lanes.classes.keys().filter(|v| v.base.as_str() == name).min().unwrap()
}

#[test]
fn straight_code_is_left_to_llvm_unless_it_checks_what_it_computes() {
    let plain = "let x_8: f32 = index xs_2[i_7]  let y_9: f32 = fadd.f32(x_8, x_8)";
    assert!(analysed(plain, true).is_none());
    let checked = "let j_8: i64 = index is_3[i_7]
         let b_10: bool = ult.i64(j_8, n_0)
         let c_11: cert = assert(b_10, \"no\")
         let y_9: f32 = <c_11> index xs_2[j_8]";
    assert!(analysed(checked, true).unwrap().0.straight);
    assert!(analysed(checked, false).is_none());
}

#[test]
fn lanes_that_are_masked_may_check() {
    let body = "let x_8: f32 = index xs_2[i_7]
         let y_9: f32 = loop (p_10: f32 = x_8) for d_11: i64 < k_1 {
           let b_12: bool = flt.f32(p_10, 1.0f32)
           let q_13: f32 = if b_12 { let c_16: cert = assert(c_4, \"no\")
             let z_15: f32 = fmul.f32(p_10, 2.0f32) in z_15 } else { in p_10 }
           in q_13
         }";
    assert!(analysed(body, true).is_some());
}

#[test]
fn functions_without_vector_versions_are_calls_for_each_lane() {
    let body = |f: &str| {
        format!(
            "let x_8: f32 = index xs_2[i_7]
             let y_9: f32 = loop (p_10: f32 = x_8) for d_11: i64 < k_1 {{
               let q_13: f32 = math.{f}.f32(p_10) in q_13
             }}"
        )
    };
    assert!(analysed(&body("exp"), true).is_some());
    assert!(analysed(&body("lgamma"), true).is_none());
}

#[test]
fn reductions_of_rows_are_for_lanes_if_they_are_short() {
    let body = "let y_9: f32 = segred seq (j_8 < k_1) commutative op [0.0f32] \
         \\(a_10: f32, b_11: f32) : (f32) { let s_12: f32 = fadd.f32(a_10, b_11) in s_12 } \
         : (f32) {
           let l_13: i64 = mul.i64(i_7, 8)
           let m_14: i64 = add.i64(l_13, j_8)
           let x_15: f32 = index xs_2[m_14]
           in (return x_15)
         }";
    let (lanes, classes) = analysed(body, true).unwrap();
    assert_eq!(class(&classes, "m"), Class::Linear(8));
    assert_eq!(lanes.short.iter().map(|s| s.1).collect::<Vec<_>>(), [SHORT]);
    assert!(analysed(body, false).is_none());
}

#[test]
fn sums_of_what_is_computed_are_for_lanes_if_they_are_short() {
    let sum = |element: &str| {
        format!(
            "let y_9: f32 = segred seq (j_8 < k_1) commutative op [0.0f32] \\(a_10: f32, b_11: f32) : \
             (f32) {{ let s_12: f32 = fadd.f32(a_10, b_11) in s_12 }} : (f32) {{
               let m_14: i64 = xor.i64(i_7, j_8)
               {element}
               in (return x_15)
             }}"
        )
    };
    let (lanes, _) = analysed(&sum("let x_15: f32 = sitofp.i64.f32(m_14)"), true).unwrap();
    assert_eq!(lanes.short.iter().map(|s| s.1).collect::<Vec<_>>(), [SHORT]);
    // What all lanes read is as good in longer sums.
    let (lanes, _) = analysed(
        &sum("let z_16: f32 = index xs_2[j_8] let w_17: f32 = sitofp.i64.f32(m_14)
              let x_15: f32 = fmul.f32(w_17, z_16)"),
        true,
    )
    .unwrap();
    assert!(lanes.short.is_empty());
}

#[test]
fn reductions_that_wait_for_each_step_may_be_longer() {
    let body = "let (y_9: f32, z_16: i64) = segred seq (j_8 < k_1) op [0.0f32, 0] \
         \\(a_10: f32, k_17: i64, b_11: f32, l_18: i64) : (f32, i64) {
           let c_12: bool = flt.f32(a_10, b_11)
           let (r_19: f32, s_20: i64) = if c_12 { in (b_11, l_18) } else { in (a_10, k_17) }
           in (r_19, s_20)
         } : (f32, i64) {
           let l_13: i64 = mul.i64(i_7, 8)
           let m_14: i64 = add.i64(l_13, j_8)
           let x_15: f32 = index xs_2[m_14]
           in (return x_15, return j_8)
         }";
    let (lanes, _) = analysed(body, true).unwrap();
    assert_eq!(lanes.short.iter().map(|s| s.1).collect::<Vec<_>>(), [MIDDLING]);
}

/// The lanes of a map of bytes `p_10`, read from neighbours, that ends in a read of a table whose size is a variable or not.
fn looking_up(size: &str, body: &str, permutes_bytes: bool) -> Lanes {
    let text = format!(
        "level mem\nfun f (n_0: i64, m_1: i64, t_mem_2: mem.host, t_3: [{size}]i8 @ t_mem_2 -> {{0; \
         ({size}, 1)}}, xs_mem_4: mem.host, xs_5: [n_0]i8 @ xs_mem_4 -> {{0; (n_0, 1)}}, out_6: mem.host) : \
         (r_7: [n_0]i8 @ out_6 -> {{0; (n_0, 1)}}) {{\n let r_8: [n_0]i8 @ out_6 -> {{0; (n_0, 1)}} = \
         segmap seq (i_9 < n_0) : (i8) {{\n let p_10: i8 = index xs_5[i_9]\n{body}\n in (return y_11)\n }}\n \
         in r_8\n}}\n"
    );
    let p = parse_program(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let Exp::Seg(SegOp { space, body, .. }) = &p.funs[0].body.stms[0].exp else { panic!("no map") };
    let places = Places::of_program(&p);
    let place_of = |v: Var| places.of(v).map(|place| place.mem.clone());
    let instructions = Instructions { gathers: true, permutes_bytes };
    lanes(space.dims[0].0, body, instructions, &place_of).unwrap()
}

const BYTE: &str = "let t_12: i64 = zext.i8.i64(p_10)  let y_11: i8 = index t_3[t_12]";

#[test]
fn lookups_in_tables_of_bytes_pay_where_bytes_are_permuted() {
    let found = looking_up("256", BYTE, true);
    assert_eq!((found.estimate.rule, found.widest), (Rule::Tables, 1));
    let lookup = *found.lookup(body_var(&found, "y")).unwrap();
    assert_eq!((lookup.mask, lookup.slots, lookup.dim), (255, 256, 0));
    assert!(found.tables.is_empty());
    assert!(!looking_up("256", BYTE, false).looks_up());
    assert!(!looking_up("255", BYTE, true).looks_up());
    // A size that is a variable is to be asked for.
    let tables = looking_up("m_1", BYTE, true).tables;
    assert_eq!(tables.iter().map(|(v, n)| (v.base.as_str(), *n)).collect::<Vec<_>>(), [("m", 256)]);
}

#[test]
fn bits_of_indexes_bound_them() {
    let slots = |index: &str| {
        let found = looking_up("256", &format!("{index} let y_11: i8 = index t_3[t_12]"), true);
        found.lookup(body_var(&found, "y")).map(|l| (l.mask, l.slots))
    };
    let of_byte = |op: &str, widen: &str| {
        slots(&format!("let q_13: i8 = {op}  let t_12: i64 = {widen}.i8.i64(q_13)"))
    };
    assert_eq!(of_byte("and.i8(p_10, 63i8)", "zext"), Some((255, 64)));
    assert_eq!(of_byte("and.i8(p_10, 100i8)", "sext"), Some((255, 128)));
    assert_eq!(of_byte("lshr.i8(p_10, 1i8)", "sext"), Some((255, 128)));
    // These may be negative.
    assert_eq!(of_byte("and.i8(p_10, -2i8)", "sext"), None);
    assert_eq!(of_byte("add.i8(p_10, 1i8)", "sext"), None);
    assert_eq!(of_byte("add.i8(p_10, 1i8)", "zext"), Some((255, 256)));
    let wide = "let q_13: i32 = zext.i8.i32(p_10)  let r_14: i32 = and.i32(q_13, 21i32)
         let t_12: i64 = sext.i32.i64(r_14)";
    assert_eq!(slots(wide), Some((21, 64)));
    // More than a byte.
    assert_eq!(slots("let q_13: i64 = zext.i8.i64(p_10)  let t_12: i64 = add.i64(q_13, 1)"), None);
}

#[test]
fn indexes_that_something_else_uses_are_words() {
    let also = "let t_12: i64 = zext.i8.i64(p_10)  let z_13: i8 = index t_3[t_12]
         let u_14: i64 = mul.i64(t_12, t_12)  let v_15: i8 = zext.i64.i8(u_14)
         let y_11: i8 = add.i8(z_13, v_15)";
    assert_eq!(looking_up("256", also, true).widest, 8);
}

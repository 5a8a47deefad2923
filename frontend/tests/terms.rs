//! Invalid terms: that each is refused for its reason, and that their valid neighbours are not.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use futc_frontend::db::{CompilerDb, Db, diagnostics};
use futc_frontend::diag::{Diagnostic, Severity};
use futc_frontend::world::Memory;
use std::sync::Arc;

fn said(text: &str) -> Vec<Diagnostic> {
    let text = text.to_owned();
    let work = move || {
        let db = CompilerDb::new(Arc::new(Memory::new().with("main.fut", &text)));
        diagnostics(&db, db.source("main.fut")).to_vec()
    };
    std::thread::Builder::new().stack_size(256 << 20).spawn(work).unwrap().join().unwrap()
}

/// The codes of the errors in a program.
fn errors(text: &str) -> Vec<&'static str> {
    said(text).iter().filter(|d| d.severity == Severity::Error).map(|d| d.code.name()).collect()
}

/// The message of the only error in a program.
fn message(text: &str) -> String {
    let mut said = said(text);
    said.retain(|d| d.severity == Severity::Error);
    assert_eq!(said.len(), 1, "{said:#?}");
    said[0].message.clone()
}

fn accepted(text: &str) {
    let mut said = said(text);
    said.retain(|d| d.severity == Severity::Error);
    assert!(said.is_empty(), "{text}\n{said:#?}");
}

fn missing(text: &str) -> String {
    let message = message(text);
    message.split_once("any case: ").expect(&message).1.to_owned()
}

#[test]
fn missing_cases_are_given_in_source_syntax() {
    let planets = "type planet = #mercury | #venus | #earth\ndef f (p: planet) = match p ";
    assert_eq!(missing(&format!("{planets} case #venus -> 1")), "#earth, #mercury");
    assert_eq!(missing("def f (x: i32) = match x case 0 -> 1 case 2 -> 3"), "1");
    assert_eq!(missing("def f (x: i8) = match x case -1 -> 1 case 0 -> 3"), "1");
    assert_eq!(missing("def f (x: f32) = match x case 0.0 -> 1 case -0.0 -> 2"), "1.0");
    assert_eq!(missing("def f (x: bool) = match x case true -> 1"), "false");
    assert_eq!(
        missing("def f (x: bool, y: bool) = match (x, y) case (true, true) -> 1"),
        "(true, false), (false, _)"
    );
    assert_eq!(
        missing("def f (x: {a: bool, b: i32}) = match x case {a = true, b = _} -> 1"),
        "{a = false, b = _}"
    );
    let option = "type option 'a = #some a | #none\n";
    assert_eq!(
        missing(&format!(
            "{option}def f (x: option (option i32)) =
               match x case #none -> 1 case #some (#some 3) -> 2"
        )),
        "#some (#some 0), #some #none"
    );
    assert_eq!(
        missing(&format!(
            "{option}def f (x: option i32, y: option i32) =
               match (x, y) case (#some _, #none) -> 1 case (#none, _) -> 2"
        )),
        "(#some _, #some _)"
    );
    assert_eq!(
        missing("type t = #a i32 | #b\ndef f (x: t) = match x case #b -> 0 case #a -1 -> 1"),
        "#a 0"
    );
}

#[test]
fn matches_that_cover_all_are_accepted() {
    accepted("def f (x: bool) = match x case true -> 1i32 case false -> 2");
    accepted("def f (x: i32) = match x case 0 -> 1i32 case _ -> 2");
    accepted("def f (x: (bool, i32)) = match x case (true, _) -> 1i32 case (_, y) -> y");
    let all = (0..=255).map(|i| format!("case {i} -> {i}i32")).collect::<Vec<_>>().join(" ");
    accepted(&format!("def f (x: u8) = match x {all}"));
    accepted("def f (#only x: #only i32) = x");
    accepted("def f (x: #only i32) = let #only y = x in y");
}

#[test]
fn many_missing_cases_are_cut_short() {
    let constructors = (0..40).map(|i| format!("#c{i}")).collect::<Vec<_>>().join(" | ");
    let text = format!("type t = {constructors}\ndef f (x: t) = match x case #c0 -> 1i32");
    assert!(missing(&text).ends_with(", ..."));
}

#[test]
fn large_matches_take_time_linear_in_their_size() {
    let mut text = String::from("def f (x: i32) (y: i32) : i32 = match (x, y)\n");
    for i in 0..3_000 {
        text.push_str(&format!("case ({i}, {i}) -> {i}\n"));
    }
    text.push_str("case _ -> 0");
    accepted(&text);
}

#[test]
fn entangled_matches_end() {
    // Each case tests another column: the tree of tests is exponential.
    let columns = 40;
    let params = vec!["bool"; columns].join(", ");
    let mut text = format!("def f (x: ({params})) : i32 = match x\n");
    for i in 0..columns {
        let row: Vec<&str> = (0..columns)
            .map(|j| if j == i || j == (i + 7) % columns { "true" } else { "_" })
            .collect();
        text.push_str(&format!("case ({}) -> {i}\n", row.join(", ")));
    }
    let codes = errors(&text);
    assert!(codes == ["unmatched-cases"] || codes == ["match-too-large"], "{codes:?}");
}

#[test]
fn unreachable_cases_are_warned_of() {
    let warnings = |text: &str| {
        let said = said(text);
        assert!(said.iter().all(|d| d.severity == Severity::Warning), "{said:#?}");
        said.iter().map(|d| d.code.name()).collect::<Vec<_>>()
    };
    assert_eq!(
        warnings("def f (x: i32) = match x case _ -> 1i32 case 0 -> 2"),
        ["unreachable-case"]
    );
    assert_eq!(
        warnings(
            "def f (x: bool) (y: bool) =
               match (x, y) case (true, _) -> 1i32 case (_, true) -> 2 case (true, false) -> 3
               case (false, false) -> 4"
        ),
        ["unreachable-case"]
    );
    assert_eq!(
        warnings("def f (x: i32) = match x case 1 -> 1i32 case 2 -> 2 case 1 -> 3 case _ -> 4"),
        ["unreachable-case"]
    );
}

#[test]
fn patterns_without_alternatives_are_irrefutable() {
    assert_eq!(errors("def f (x: (i32, i32)) = let (1, y) = x in y"), ["refutable-pattern"]);
    assert_eq!(errors("def f (1: i32) = 2i32"), ["refutable-pattern"]);
    assert_eq!(
        errors("def f = map (\\(#a x) -> x) : [](#a i32 | #b) -> []i32"),
        ["refutable-pattern"]
    );
    assert_eq!(
        errors("def f (xs: [](#a i32 | #b)) = map (\\(p: #a i32 | #b) -> let #a x = p in x) xs"),
        ["refutable-pattern"]
    );
    assert_eq!(
        errors("def f (xs: []bool) = loop s = 0i32 for true in xs do s + 1"),
        ["refutable-pattern"]
    );
    assert_eq!(
        errors("def f (n: i32) = loop (1, s) = (1i32, 0i32) for i < n do (1, s + i)"),
        ["refutable-pattern"]
    );
}

#[test]
fn names_are_bound_once() {
    assert_eq!(errors("def f (x: i32) (x: i32) = x"), ["duplicate-parameter"]);
    assert_eq!(errors("def f [n] (n: [n]i32) = n"), ["duplicate-parameter"]);
    assert_eq!(errors("def f 'a 'a (x: a) = x"), ["duplicate-parameter"]);
    assert_eq!(errors("def f = \\x (y, x: i32) -> x + y"), ["duplicate-parameter"]);
    assert_eq!(errors("def f (p: (i32, i32)) = let (x, x) = p in x"), ["duplicate-name"]);
    assert_eq!(
        errors("def f (p: [](i32, i32)) = loop a = 0 for (x, x) in p do a + x"),
        ["duplicate-name"]
    );
    assert_eq!(errors("def f (p: (i32, i32)) = match p case (x, x) -> x"), ["duplicate-name"]);
    assert_eq!(errors("def f (xs: []i32) = let [n] (n: [n]i32) = xs in n"), ["duplicate-name"]);
    accepted("def f (_: i32) (_: i32) = 1i32");
    accepted("def f (x: i32) = let (y, z) = (x, x) in let y = y + z in y");
}

#[test]
fn reserved_names_are_not_used() {
    assert_eq!(errors("def f (_x: i32) = _x"), ["underscore-use"]);
    assert_eq!(errors("def f (_x: {a: i32}) = _x.a"), ["underscore-use"]);
    accepted("def f (_x: i32) = 1i32");
    assert_eq!(errors("def (&&) (x: i32) (y: i32) = x"), ["may-not-be-redefined"]);
    assert_eq!(errors("def f (x: i32) = let (||) y z = y + z in x"), ["may-not-be-redefined"]);
}

#[test]
fn literals_are_in_range() {
    for good in [
        "-128i8",
        "127i8",
        "255u8",
        "0xffu8",
        "0xffi8",
        "-0x80i8",
        "65535u16",
        "-32768i16",
        "4294967295u32",
        "-2147483648i32",
        "18446744073709551615u64",
        "-9223372036854775808i64",
        "0b1111_1111u8",
        "65504f16",
        "3.4e38f32",
        "-1.7e308",
        "1e-400",
        "-0.0f32",
        "'\u{ff}' : u8",
    ] {
        accepted(&format!("def f = {good}"));
    }
    for bad in [
        "128 : i8",
        "-129 : i8",
        "256 : u8",
        "-1 : u8",
        "0x100 : u8",
        "0xff : i8",
        "1e5 : f16",
        "3.5e38 : f32",
        "-1e39 : f32",
        "1.8e308",
        "1e400",
        "300 : u8",
        "70000 : f16",
        "99999999999999999999999999999999999999999999999999 : i64",
    ] {
        assert_eq!(errors(&format!("def f = {bad}")), ["literal-out-of-bounds"], "{bad}");
    }
    assert_eq!(
        errors("def f (x: u8) = match x case -1 -> 1i32 case _ -> 2"),
        ["literal-out-of-bounds"]
    );
    assert_eq!(
        errors("def f (x: i8) = match x case 128 -> 1i32 case _ -> 2"),
        ["literal-out-of-bounds"]
    );
    accepted("def f (x: i8) = match x case -128 -> 1i32 case _ -> 2");
}

#[test]
fn functions_stay_where_they_can_be_known() {
    for (bad, code) in [
        ("def f = [\\(x: i32) -> x]", "lifted-array-element"),
        ("def f '^t (x: t) = [x]", "lifted-array-element"),
        ("def f x = ([x], x 2i32)", "lifted-array-element"),
        ("def f x = (x 2i32, [x])", "lifted-array-element"),
        ("def f (b: bool) = if b then \\(x: i32) -> x else \\x -> x + 1", "functional-branch"),
        ("def f (b: bool) = match b case _ -> \\(x: i32) -> x", "functional-branch"),
        ("def f '^t (b: bool) (x: t) (y: t) = if b then x else y", "functional-branch"),
        (
            "def f (b: bool) = (if b then {g = \\(x: i32) -> x, y = 1i32} else {g = \\x -> x, y = 2}).y",
            "functional-branch",
        ),
        ("def f (n: i32) = loop g = (\\(x: i32) -> x) for i < n do g", "functional-loop"),
        ("def one 't (x: t) = x\ndef f = one (\\(x: i32) -> x) 2", "lifted-type-argument"),
        ("def f (xs: []i32) = map (\\x -> (\\y -> x + y)) xs", "lifted-type-argument"),
    ] {
        assert_eq!(errors(bad), [code], "{bad}");
    }
    accepted("def f '^t (x: t) = (x, x)\ndef g = (f (\\(x: i32) -> x)).0 2");
    accepted("def f '~t (b: bool) (x: t) (y: t) = if b then x else y");
    accepted("def f x y = (y, x)\ndef g = (f 1i32 (\\(x: i32) -> x)).0 2");
    // Inferred parameters are as lifted as their uses allow.
    assert_eq!(errors("def f x = [x]\ndef g = f (\\(x: i32) -> x)"), ["lifted-type-argument"]);
}

#[test]
fn equality_needs_types_whose_values_can_be_compared() {
    assert_eq!(errors("def f 't (x: t) (y: t) = x == y"), ["no-equality"]);
    assert_eq!(errors("def f (x: i32 -> i32) = x == x"), ["no-equality"]);
    assert_eq!(errors("def f x = (x == x, x 2i32)"), ["no-equality"]);
    assert_eq!(errors("def f x = (x 2i32, x != x)"), ["no-equality"]);
    assert_eq!(errors("def f 't (x: t) = (x, 1i32) == (x, 2)"), ["no-equality"]);
    assert_eq!(errors("def f x y = x == y"), ["ambiguous-type"]);
    accepted("def f (x: (i32, [2]bool)) = x == x");
    accepted("def f (x: i32) y = x == y");
    accepted("def f (x: #a i32 | #b) = x == #b");
}

#[test]
fn types_must_be_known_in_the_end() {
    assert_eq!(errors("def f r = r.x"), ["ambiguous-type"]);
    assert_eq!(errors("def f = (.x)"), ["ambiguous-type"]);
    assert_eq!(errors("def f = match #a case #a -> 1i32 case #b -> 2"), ["ambiguous-type"]);
    assert_eq!(errors("def f (x: bool) = #some x"), ["ambiguous-type"]);
    assert_eq!(errors("def f r : {x: i32} = r with x = 0"), ["record-type-not-known"]);
    assert_eq!(errors("def f x = x x"), ["occurs-check"]);
    accepted("def f (r: {x: i32}) = let g s = s.x in g r + 1");
    accepted("def f (x: bool) : #some bool | #none = #some x");
}

#[test]
fn recursion_is_restricted() {
    accepted("def f (n: i64) : i64 = if n == 0 then 1 else n * f (n - 1)");
    accepted(
        "def f (n: i64) (g: i64 -> i64) (x: i64) : i64 = if n == 0 then x else f (n - 1) g (g x)",
    );
    assert_eq!(
        errors("def f (n: i64) : i64 -> i64 = \\x -> if n == 0 then x else f (n - 1) x"),
        ["recursion-not-first-order"]
    );
    for (call, code) in [
        ("f (\\x -> g x) (n - 1)", "recursion-changes-function"),
        ("(let h = f g in h (n - 1))", "recursion-not-saturated"),
        ("(let h = f in h g n)", "recursion-not-saturated"),
    ] {
        let text = format!("def f (g: i64 -> i64) (n: i64) : i64 = if n == 0 then g n else {call}");
        assert_eq!(errors(&text), [code], "{call}");
    }
    // First-order definitions are values like others.
    accepted("def f (n: i64) : i64 = if n <= 0 then 0 else i64.sum (map f [n - 1, n - 2])");
}

#[test]
fn literals_with_suffixes_overflow() {
    for (overflows, value) in [
        ("257u8", "1u8"),
        ("128i8", "-128i8"),
        ("-129i8", "127i8"),
        ("511u8", "255u8"),
        ("18446744073709551617u64", "1u64"),
        ("9223372036854775808i64", "-9223372036854775808i64"),
        ("1e5f16", "f16.inf"),
        ("-1e39f32", "-f32.inf"),
        ("1e400f64", "f64.inf"),
    ] {
        let said = said(&format!("def f = {overflows}"));
        let said: Vec<_> = said.iter().map(|d| (d.code.name(), d.message.as_str())).collect();
        let ty = value.trim_end_matches(".inf").trim_start_matches(|c: char| !c.is_alphabetic());
        let message = format!("{overflows} is not in the range of {ty}: its value is {value}");
        assert_eq!(said, [("overflowing-literal", message.as_str())]);
    }
    for fine in ["-1u8", "-255u8", "0xffi8", "-1u64"] {
        assert!(said(&format!("def f = {fine}")).is_empty(), "{fine}");
    }
}

#[test]
fn own_names_mean_what_they_meant_before() {
    // Operators, functions and modules of the prelude.
    accepted("def (<=) (a: (i32, i32)) (b: (i32, i32)) = a.0 < b.0 || (a.0 == b.0 && a.1 <= b.1)");
    accepted("def ((a, b): (f32, f32)) + ((c, d): (f32, f32)) = (a + c, b + d)");
    accepted("module m = { def map f m = map (\\(k: i32, v) -> (k, f v)) m }");
    accepted("module m = { def f64 (x: f64) = {raw = f64.round (x f64.* 16)} }");
    accepted("def f (x: i32) = x + x\nmodule m = { def f (x: i32) : i32 = f (f x) + 1 }");
    // Where maps are inserted, too.
    accepted("def (+) (xs: []i32) (ys: []i32) : []i32 = xs + ys");
    // What calls itself by a name that meant something else.
    accepted("def flip (n: i32) : i32 = if n == 0 then 0 else flip (n - 1)");
    accepted("module m = { def f32 (n: i32) : i32 = if n == 0 then 0 else f32 (n - 1) }");
    assert_eq!(errors("def flip (n: i32) : i32 = if n then 0 else flip (n - 1)").len(), 2);
}

#[test]
fn messages_show_types_as_they_were_before_the_failed_equation() {
    assert_eq!(
        message("def f (x: {a: i32, b: bool}) = x : {a: i32, b: i32}"),
        "this expression should have type {a: i32, b: i32}, but has type {a: i32, b: bool}"
    );
    assert_eq!(
        message("def f : bool = 3"),
        "the result of f should have type bool, but has a numeric type"
    );
    let said = said("def f (x: {a: i32, b: bool}) = x : {a: i32, c: bool}");
    assert!(said[0].hints[0].contains("unshared fields"), "{said:#?}");
}

#[test]
fn one_refused_definition_does_not_silence_or_drown_the_others() {
    assert_eq!(
        errors("def f = [\\(x: i32) -> x]\ndef g = f\ndef h (x: i32) : bool = x"),
        ["lifted-array-element", "type-mismatch"]
    );
    assert_eq!(errors("type t = unknown\ndef g (x: t) : []t = [x]\ndef h = g"), ["unknown-type"]);
    assert_eq!(errors("module m = { def f : i32 = true }\ndef g = m.f + m.f"), ["type-mismatch"]);
    assert_eq!(errors("open nothing\ndef g = x + y"), ["unknown-module"]);
    assert_eq!(
        errors("module type S = { val f : t }\nmodule m : S = { def f = 1i32 }\ndef g = m.f"),
        ["unknown-type"]
    );
    // The same inside of definitions.
    assert_eq!(errors("def f (y: wrong) : i32 = y.a + y[0] + f y"), ["unknown-type"]);
    assert_eq!(errors("def f = map (\\(x: wrong) -> (x.a, x + 1)) [1, 2]"), ["unknown-type"]);
    assert_eq!(
        errors("def f (x: i32) = let g (y: wrong) : i32 = y.a in (g x, g true)"),
        ["unknown-type"]
    );
    assert_eq!(errors("def f = let x = nowhere in (x + 1i32, x && true)"), ["unknown-name"]);
    assert_eq!(
        errors(
            "module m = { type t = wrong module n = { type u = t def f (x: u) = x } }
             def f (x: m.n.u) = m.n.f x + 1
             module type s = s2 with t = i32
             module k : s = { def v = 2i32 }
             module p (X: s) = { def q = X.v }
             module r = p k
             def g : k.t = (k.v, r.q)"
        ),
        ["unknown-type", "unknown-module-type"]
    );
    // What a refused definition shadows is not what is meant.
    assert_eq!(errors("def map (x: i32) : bool = x\ndef g = map 1"), ["type-mismatch"]);
    // A name of another name space is.
    assert_eq!(
        errors("type t = unknown\ndef t = 1i32\ndef g : bool = t"),
        ["unknown-type", "type-mismatch"]
    );
}

#[test]
fn ascriptions_that_fail_show_both_sides() {
    assert_eq!(
        message("module m : { val f : i32 -> bool } = { def f (x: i32) = x }"),
        "the module has val f : i32 -> i32, but the module type asks for val f : i32 -> bool"
    );
    assert_eq!(
        message("module m : { type t = bool val x : t } = { type t = i32 def x = 1i32 }"),
        "the module has type t = i32, but the module type asks for type t = bool"
    );
    assert_eq!(
        message("module m : { type t } = { type^ t = i32 -> i32 }"),
        "the module has type^ t = i32 -> i32, but the module type asks for type t"
    );
    assert_eq!(
        message("module m : { type t 'a } = { type t = i32 }"),
        "the module has type t = i32, but the module type asks for type t 'a"
    );
    assert_eq!(
        errors(
            "module m : { val x : i32 val y : i32 val z : i32 } = { def x = true def y = false }"
        ),
        ["module-value-mismatch", "module-value-mismatch", "missing-value"]
    );
}

#[test]
fn sums_have_at_most_256_constructors() {
    let sum = |n: usize| {
        let all = (0..n).map(|i| format!("#c{i}")).collect::<Vec<_>>().join(" | ");
        format!("type t = {all}")
    };
    accepted(&sum(256));
    assert_eq!(errors(&sum(257)), ["too-many-constructors"]);
}

#[test]
fn derivatives_are_said_not_to_be_there_yet() {
    for name in ["jvp", "vjp", "jvp2", "vjp2", "jmp", "mjp", "with_vjp"] {
        let text = format!("def f (x: f64) = {name} (\\y -> y) x 1");
        assert_eq!(errors(&text), ["not-implemented"]);
        assert!(message(&text).contains("automatic differentiation is not there yet"));
        accepted(&format!("def {name} (x: i32) = x def f (x: i32) = {name} x"));
    }
}

//! What is warned of, and what is not.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use futc_frontend::db::{CompilerDb, Db};
use futc_frontend::diag::{Severity, render_plain};
use futc_frontend::lint::{WARNINGS, all_diagnostics};
use futc_frontend::world::Memory;
use std::sync::Arc;

/// The codes and places of the warnings about a program, which must be free of errors.
fn warnings_of(files: &[(&str, &str)]) -> Vec<String> {
    let world = files.iter().fold(Memory::new(), |w, (path, text)| w.with(path, text));
    let db = CompilerDb::new(Arc::new(world));
    let said = all_diagnostics(&db, db.source("main.fut"));
    let sources = db.sources();
    assert!(
        said.iter().all(|d| d.severity == Severity::Warning && WARNINGS.contains(&d.code)),
        "{}",
        render_plain(&said, &sources)
    );
    said.iter()
        .map(|d| {
            let place = futc_frontend::diag::locate(&sources, d.labels[0].0);
            format!("{} {}", d.code.name(), place.trim_start_matches("main.fut:"))
        })
        .collect()
}

fn warnings(text: &str) -> Vec<String> {
    warnings_of(&[("main.fut", text)])
}

fn quiet(text: &str) {
    assert_eq!(warnings(text), Vec::<String>::new(), "{text}");
}

#[test]
fn local_names_that_nothing_uses_are_reported() {
    assert_eq!(warnings("def f (x: i32) = let y = x in x"), ["unused-name 1:22"]);
    assert_eq!(warnings("def f (x: i32) = let (a, b) = (x, x) in a"), ["unused-name 1:26"]);
    assert_eq!(warnings("def f (x: i32) = let g (y: i32) = x + y in x"), ["unused-name 1:22"]);
    assert_eq!(warnings("def f (x: {a: i32, b: i32}) = let {a, b} = x in a"), ["unused-name 1:39"]);
    assert_eq!(
        warnings("def f (x: #a i32 | #b) = match x case #a y -> 1i32 case #b -> 2"),
        ["unused-name 1:42"]
    );
    assert_eq!(warnings("def f (n: i64) = loop x = 1i32 for i < n do 2 * x"), ["unused-name 1:36"]);
    assert_eq!(warnings("def f (xs: *[]i32) = let xs[0] = 1 in 2i32"), ["unused-name 1:26-27"]);
}

#[test]
fn hidden_names_are_not_used_by_those_who_use_what_hides_them() {
    assert_eq!(warnings("def f (x: i32) = let y = x let y = x in y"), ["unused-name 1:22"]);
    quiet("def f (x: i32) = let y = x let y = y + 1 in y");
    quiet("def f (x: i32) = let x = x + 1 in x");
}

#[test]
fn parameters_that_nothing_uses_are_reported() {
    assert_eq!(warnings("def f (x: i32) (y: i32) = x"), ["unused-parameter 1:17"]);
    assert_eq!(warnings("def f (xs: []i32) = map (\\x -> 1i32) xs"), ["unused-parameter 1:27"]);
    assert_eq!(warnings("def f 't (x: i32) = x"), ["unused-parameter 1:8"]);
    assert_eq!(warnings("module k (P: {val x: i32}) = {def y = 1i32}"), ["unused-parameter 1:11"]);
}

#[test]
fn underscores_say_that_nothing_uses_a_name() {
    quiet("def f (x: i32) (_y: i32) = let _z = x in x");
    quiet("def f (n: i64) = loop x = 1i32 for _i < n do 2 * x");
    quiet("def f (x: i32) = let (a, _) = (x, x) in a");
}

#[test]
fn names_in_types_are_used() {
    quiet("def f (n: i64) (xs: [n]i32) = xs[0]");
    quiet("def f 't (x: t) = x");
    quiet("def f (n: i64) : [n]i64 = iota n");
    quiet("def f (xs: []i32) = let n = length xs in xs :> [n]i32");
    quiet("def f [n] (xs: [n]i32) = xs[0]");
}

#[test]
fn names_are_used_by_operators_sections_updates_and_records() {
    quiet("def f (x: i32) = let (<+>) (a: i32) (b: i32) = a + b in x <+> x");
    quiet("def f (x: i32) = let g (a: i32) (b: i32) = a + b in x `g` x");
    quiet("def f (x: i32) (ys: []i32) = map (+ x) ys");
    quiet("def f (x: i32) = {x}");
    quiet("def f (xs: *[]i32) (i: i64) (v: i32) = xs with [i] = v");
    quiet("def f (xs: *[]i32) (i: i64) = let xs[i] = 1 in xs");
    quiet("def f (i: i64) (xs: [][]i32) = map (.[i]) xs");
    quiet("def f (x: i32) = loop x while x < 10 do x + 1");
}

#[test]
fn names_that_an_opened_module_may_provide_are_left_alone() {
    // Which `x` is meant, the tree does not tell.
    quiet("module m = {def x = 1i32} def f (x: i32) = m.(x)");
    quiet("local def x = 1i32 module m = {def x = 2i32} open m def f = x");
}

#[test]
fn local_definitions_that_nothing_uses_are_reported() {
    assert_eq!(warnings("local def f (x: i32) = x"), ["unused-definition 1:11"]);
    assert_eq!(warnings("local type t = i32 def f = 1i32"), ["unused-definition 1:12"]);
    assert_eq!(
        warnings("module m = {local def f = 1i32 def g = 2i32}"),
        ["unused-definition 1:23"]
    );
    quiet("local def f (x: i32) = x def g = f 1");
    quiet("local type t = i32 def g (x: t) = x");
    quiet("local module m = {def x = 1i32} def g = m.x");
    quiet("local module type S = {val x: i32} module m : S = {def x = 1i32}");
    quiet("def f = 1i32 module m = {def g = 2i32}");
}

#[test]
fn imports_that_nothing_uses_are_reported() {
    let lib = ("lib.fut", "def one = 1i32 type t = i32 module m = {def x = 1i32}");
    let with = |text| warnings_of(&[("main.fut", text), lib]);
    assert_eq!(with("import \"lib\" def f = 1i32"), ["unused-import 1:8-12"]);
    assert_eq!(with("import \"lib\" def one = 2i32 def f = one"), ["unused-import 1:8-12"]);
    assert_eq!(with("import \"lib\" def f = one"), Vec::<String>::new());
    assert_eq!(with("import \"lib\" def f (x: t) = x"), Vec::<String>::new());
    assert_eq!(with("import \"lib\" def f = m.x"), Vec::<String>::new());
    assert_eq!(with("module l = import \"lib\" def f = 1i32"), Vec::<String>::new());
}

#[test]
fn warnings_about_imported_files_are_shown_too() {
    assert_eq!(
        warnings_of(&[
            ("main.fut", "import \"lib\" def f = g 1 2"),
            ("lib.fut", "def g (x: i32) (y: i32) = x")
        ]),
        ["unused-parameter lib.fut:1:17"]
    );
}

#[test]
fn names_that_hide_a_size_are_reported() {
    assert_eq!(
        warnings("def f [n] (xs: [n]i32) = let n = length xs in n + 1"),
        ["shadowed-size 1:30"]
    );
    assert_eq!(warnings("def f [n] (xs: [n]i32) = \\(n: i32) -> (xs, n)"), ["shadowed-size 1:28"]);
    quiet("def f [n] (xs: [n]i32) = let m = length xs in m + n");
}

#[test]
fn sizes_that_cannot_be_written_are_reported() {
    assert_eq!(
        warnings("def f (n: i64) = iota (let m = n + 2 in m * m)"),
        ["size-expression-bind 1:24-45"]
    );
    quiet("def g (n: i64) = n * n def f (n: i64) = g (let m = n + 2 in m * m)");
    quiet("def f (n: i64) = let k = (let m = n + 2 in m * m) in iota k");
}

#[test]
fn erroneous_programs_are_not_warned_of() {
    let db = CompilerDb::new(Arc::new(
        Memory::new().with("main.fut", "def f (x: i32) = nowhere def g (y: i32) = 1i32"),
    ));
    let said = all_diagnostics(&db, db.source("main.fut"));
    assert_eq!(said.iter().map(|d| d.code.name()).collect::<Vec<_>>(), ["unknown-name"]);
}

#[test]
fn parametric_modules_are_warned_of_once() {
    assert_eq!(
        warnings(
            "module k (P: {val x: i32}) = {def f (y: i32) = P.x}
             module a = k {def x = 1i32}
             module b = k {def x = 2i32}"
        ),
        ["unused-parameter 1:38"]
    );
}

#[test]
fn types_of_definitions_that_nothing_determines_are_reported() {
    assert_eq!(warnings("def x = 2"), ["defaulted-type 1:5"]);
    assert_eq!(warnings("def f x y = x + y"), ["defaulted-type 1:5"]);
    quiet("def x = 2i64");
    quiet("def f (x: i32) y = x + y");
    // What is inside of a definition does not matter to others.
    quiet("def f (x: i32) = let y = 2 in if y == 2 then x else 0");
    // Once, not for each application.
    assert_eq!(
        warnings("module m (_P: {}) = { def x = 2 } module a = m {} module b = m {}"),
        ["defaulted-type 1:27"]
    );
}

#[test]
fn stars_without_effect_are_reported() {
    assert_eq!(warnings("def f (xs: *[]i32) : i32 = xs[0]"), ["unused-uniqueness 1:8-9"]);
    assert_eq!(warnings("def f (x: *i32) : i32 = x"), ["unused-uniqueness 1:12-14"]);
    quiet("def f (xs: *[]i32) : *[]i32 = xs");
    quiet("def f (xs: *[]i32) : *[]i32 = xs with [0] = 1");
    quiet("def f (c: bool) (xs: *[]i32) : *[]i32 = if c then xs with [0] = 1 else [1]");
    quiet("def g (xs: *[]i32) : *[]i32 = xs def f (xs: *[]i32) : i32 = (g xs)[0]");
    quiet("def f (p: (*[]i32, *[]i32)) : i32 = (p.0 with [0] = 1)[0]");
    // The caller of an entry point is no Futhark program.
    quiet("entry f (xs: *[]i32) : i32 = xs[0]");
    quiet("module type s = { val f [n] : *[n]i32 -> i32 }");
}

#[test]
fn includes_that_hide_are_reported() {
    assert_eq!(
        warnings(
            "module type a = { type t }
module type b = { type t val x : t }
module type c = { include a include b }"
        ),
        ["hidden-by-include 3:37"]
    );
    quiet("module type a = { type t } module type c = { include a val x : t }");
}

#[test]
fn opened_modules_of_which_nothing_is_used_are_reported() {
    assert_eq!(
        warnings("module m = { def x = 1i32 } local open m def y = 2i32"),
        ["unused-open 1:40"]
    );
    quiet("module m = { def x = 1i32 } local open m def y = x");
    // Its names are for others.
    quiet("module m = { def x = 1i32 } open m def y = 2i32");
}

#[test]
fn attributes_that_nobody_knows_are_reported() {
    assert_eq!(warnings("def f (x: i32) = #[reassoc] (x + x)"), ["unknown-attribute 1:20-26"]);
    assert_eq!(warnings("#[sequental] def f (x: i32) = x"), ["unknown-attribute 1:3-11"]);
    assert_eq!(warnings("#[7] def f (x: i32) = x"), ["unknown-attribute 1:3"]);
    assert_eq!(warnings("def f (#[inn] x: i32) = x"), ["unknown-attribute 1:10-12"]);
    assert_eq!(
        warnings(
            "module type s = { #[a] val x : i32 }\nmodule m = { #[b] local #[c] def x = 1i32 def y = x }"
        ),
        ["unknown-attribute 1:21", "unknown-attribute 2:16", "unknown-attribute 2:27"]
    );
    assert_eq!(warnings("def f (x: i32) = #[warn(speed)] x"), ["unknown-attribute 1:20-30"]);
}

#[test]
fn attributes_without_effect_say_so() {
    for (attribute, place) in [
        ("incremental_flattening(only_inner)", "1:20-53"),
        ("sequential_outer", "1:20-35"),
        ("break", "1:20-24"),
        ("param(x)", "1:20-27"),
        ("unroll(4)", "1:20-28"),
    ] {
        let text = format!("def f (x: i32) = #[{attribute}] x");
        assert_eq!(warnings(&text), [format!("attribute-without-effect {place}")]);
    }
}

#[test]
fn attributes_that_are_known_are_quiet() {
    let attributes =
        "trace trace(here) opaque noinline sequential unroll unsafe warn(safety_checks)";
    for attribute in attributes.split(' ') {
        quiet(&format!("def f (x: i32) = #[{attribute}] x"));
    }
    quiet("#[noinline] def f (x: i32) = x\n#[inline] def g (x: i32) = x");
}

#[test]
fn a_byte_order_mark_does_not_move_warnings() {
    let main = "\u{feff}import \"b\"\ndef f (x: i32) = let y = x in z";
    let found = warnings_of(&[("main.fut", main), ("b.fut", "\u{feff}def z = 1i32")]);
    assert_eq!(found, ["unused-parameter 2:8", "unused-name 2:22"].map(String::from)[1..]);
}

//! Modules: what is accepted, what is refused and how it is said, and what is left of them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use futc_frontend::db::{CompilerDb, Db, diagnostics, has_errors, program};
use futc_frontend::diag::{Severity, render_plain};
use futc_frontend::world::Memory;
use futc_typed::program::{Program, TypeId};
use futc_typed::types::Type;
use std::sync::Arc;

fn db(files: &[(&str, &str)]) -> CompilerDb {
    let world = files.iter().fold(Memory::new(), |w, (path, text)| w.with(path, text));
    CompilerDb::new(Arc::new(world))
}

/// The program of `main.fut`, which must be accepted.
fn accept_files(files: &[(&str, &str)]) -> Arc<Program> {
    let db = db(files);
    let root = db.source("main.fut");
    let said = diagnostics(&db, root);
    assert!(!has_errors(&said), "{}", render_plain(&said, &db.sources()));
    program(&db, root)
}

fn accept(text: &str) -> Arc<Program> {
    accept_files(&[("main.fut", text)])
}

/// The codes of what is said about `main.fut`.
fn codes_files(files: &[(&str, &str)]) -> Vec<&'static str> {
    let db = db(files);
    let root = db.source("main.fut");
    let said = diagnostics(&db, root);
    said.iter().filter(|d| d.severity == Severity::Error).map(|d| d.code.name()).collect()
}

fn refuse(text: &str, code: &str) {
    let codes = codes_files(&[("main.fut", text)]);
    assert_eq!(codes, [code], "{text}");
}

fn names(program: &Program) -> Vec<&'static str> {
    program.defs.iter().map(|d| d.name.as_str()).collect()
}

#[test]
fn definitions_are_named_after_their_modules() {
    let p = accept("module a = { module b = { def x = 1i32 } def y = b.x } def z = a.y + a.b.x");
    assert_eq!(names(&p), ["a.b.x", "a.y", "z"]);
}

#[test]
fn each_application_makes_its_own_definitions() {
    let p = accept(
        "module twice (P: {type t val f: t -> t}) = { def g x = P.f (P.f x) }
         module a = twice {type t = i32 def f (x: i32) = x + 1}
         module b = twice {type t = bool def f (x: bool) = !x}
         def h (x: i32) (y: bool) = (a.g x, b.g y)",
    );
    assert_eq!(names(&p), ["a.P.f", "a.g", "b.P.f", "b.g", "h"]);
}

#[test]
fn types_of_arguments_are_known_in_definitions() {
    let p = accept(
        "module k (P: {type t val x: t}) = { def y = P.x }
         module a = k {type t = i32 def x = 1i32}
         def z : i32 = a.y",
    );
    let y = p.defs.iter().find(|d| d.name.as_str() == "a.y").unwrap();
    assert_eq!(y.fun.ret, Type::Prim(futc_typed::prim::PrimType::I32));
}

#[test]
fn ascription_makes_new_types_with_representations() {
    let p = accept(
        "module m : {type t val mk: i32 -> t val get: t -> i32} =
           {type t = i32 def mk (x: i32) = x def get (x: i32) = x}
         def f (x: i32) = m.get (m.mk x)",
    );
    assert_eq!(p.opaques.len(), 1);
    assert_eq!(p.opaques[0].name.as_str(), "m.t");
    assert_eq!(p.opaques[0].rep, Type::Prim(futc_typed::prim::PrimType::I32));
    let _: TypeId = p.opaques[0].id;
}

#[test]
fn abstract_types_are_not_what_they_stand_for() {
    let codes = codes_files(&[(
        "main.fut",
        "module m : {type t val mk: i32 -> t} = {type t = i32 def mk (x: i32) = x}
         def f (x: i32) : i32 = m.mk x",
    )]);
    assert_eq!(codes.len(), 1, "{codes:?}");
}

#[test]
fn two_ascriptions_make_two_types() {
    let codes = codes_files(&[(
        "main.fut",
        "module type S = {type t val x: t val f: t -> t}
         module a : S = {type t = i32 def x = 1i32 def f (x: i32) = x}
         module b : S = a
         def g = b.f a.x",
    )]);
    assert_eq!(codes.len(), 1, "{codes:?}");
}

#[test]
fn two_parameters_of_one_signature_are_told_apart() {
    let codes = codes_files(&[(
        "main.fut",
        "module type S = {type t val x: t val f: t -> t}
         module k (A: S) (B: S) = { def y = A.f B.x }",
    )]);
    assert_eq!(codes.len(), 1, "{codes:?}");
}

#[test]
fn refinement_makes_types_known() {
    accept(
        "module type S = {type t val x: t}
         module m : S with t = i32 = {type t = i32 def x = 1i32}
         def y = m.x + 1",
    );
    accept(
        "module type S = {module i: {type t}}
         module m : S with i.t = i32 = {module i = {type t = i32}}
         def y : m.i.t = 2i32",
    );
    accept(
        "module type S = {type t 'a}
         module m : (S with t 'a = a) = {type t 'a = a}
         def y (x: i32) : m.t i32 = x",
    );
    accept(
        "module type S = {type t val x: t}
         module k (A: {type t}) (B: S with t = A.t) = { def y : A.t = B.x }
         module m = k {type t = i32} {type t = i32 def x = 1i32}
         def z : i32 = m.y",
    );
}

#[test]
fn refinement_of_what_is_not_abstract_is_refused() {
    refuse("module type S = {type t = i32} module type T = S with t = bool", "type-not-abstract");
    refuse("module type S = {type t} module type T = S with u = bool", "unknown-type");
    refuse("module type S = {type t 'a} module type T = S with t = bool", "type-argument-count");
    refuse("module type S = {type t '^a} module type T = S with t 'a = a", "liftedness-mismatch");
    accept("module type S = {type t 'a} module type T = S with t '^a = a");
}

#[test]
fn signatures_include_others() {
    accept(
        "module type S = {type t val x: t}
         module type T = {include S val y: t}
         module m : T with t = i32 = {type t = i32 def x = 1i32 def y = 2i32}
         def z = m.x + m.y",
    );
    accept(
        "module type S = {type t}
         module type T = {type t include S with t = t}
         module k (V: {type t}) : T = {type t = V.t}
         module m = k {type t = bool}",
    );
}

#[test]
fn what_a_module_lacks_is_said() {
    refuse("module m : {val x: i32} = {}", "missing-value");
    refuse("module m : {type t} = {}", "missing-type");
    refuse("module m : {type t = i32} = {}", "missing-type");
    refuse("module m : {module n: {}} = {}", "missing-module");
    refuse("module m : {val x: i32} = {def x = true}", "module-value-mismatch");
    refuse("module m : {type t = i32} = {type t = bool}", "module-type-mismatch");
    refuse("module m : {type t 'a} = {type t = bool}", "module-type-mismatch");
    refuse("module m : {type t} = {type^ t = i32 -> i32}", "module-type-mismatch");
    refuse("module m : {type t [n]} = {type t [n] = [n + 1]bool}", "module-type-mismatch");
    refuse("module m : {module n: {}} = {module n (P: {}) = {}}", "module-mismatch");
}

#[test]
fn a_mismatch_shows_both_types() {
    let db = db(&[("main.fut", "module m : {val f [n]: [n]i32 -> i64} = {def f (x: i32) = x}")]);
    let said = diagnostics(&db, db.source("main.fut"));
    let labels: Vec<&str> = said[0].labels.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(labels, ["", "val f : i32 -> i32", "val f [n] : [n]i32 -> i64"]);
}

#[test]
fn values_may_be_more_polymorphic_than_specified() {
    let p = accept(
        "module m : {val id: i32 -> i32 val k 'a: a -> bool -> a} =
           {def id 'a (x: a) = x def k 'b 'a (x: a) (_: b) = x}
         def y = m.id (m.k 1 true)",
    );
    // The definitions behind the specifications, then those of their types.
    assert_eq!(names(&p), ["m.id", "m.k", "m.id", "m.k", "y"]);
    let made = p.defs.iter().rev().find(|d| d.name.as_str() == "m.k").unwrap();
    assert_eq!(made.fun.type_params.len(), 1);
    assert_eq!(made.fun.params.len(), 2);
}

#[test]
fn values_may_not_be_less_polymorphic_than_specified() {
    refuse("module m : {val id 'a: a -> a} = {def id (x: i32) = x}", "module-value-mismatch");
    refuse(
        "module m : {val f [n]: [n]i32 -> [n]i32} = {def f (x: [2]i32) = x}",
        "module-value-mismatch",
    );
    refuse("module m : {val id '^a: a -> a} = {def id 'a (x: a) : a = x}", "module-value-mismatch");
}

#[test]
fn specifications_may_forget_sizes() {
    accept(
        "module m : {val f: (n: i64) -> []i64 val g [n]: [n]i64 -> []i64} =
           {def f (n: i64) : [n]i64 = intrinsics.iota n def g [n] (x: [n]i64) = x}
         def y = (m.f 3, m.g (m.f 2))",
    );
    refuse(
        "module m : {val f: (n: i64) -> [n]i64} =
           {def f (n: i64) : []i64 = intrinsics.iota (n + 1)}",
        "module-value-mismatch",
    );
}

#[test]
fn sizes_are_compared_as_polynomials() {
    accept(
        "module m : {val f: i32 -> ?[n][m].([n]i32, [m]i32, [n + m]i32)
                     val g [n] [m]: [n + m]i32 -> [2 * n]i32 -> [m + n]i32} =
           {def f (x: i32) = ([x], [x, x], [x, x, x])
            def g [m] [n] (x: [n + m]i32) (_: [n + n]i32) = x :> [n + m]i32}",
    );
}

#[test]
fn sizes_in_specifications_may_be_values_of_the_module() {
    accept(
        "module m : {val n: i64 val xs: [n]i64} = {def n = 3i64 def xs = intrinsics.iota n}
         def y = m.xs[0]",
    );
    accept(
        "module type S = {type t val n: i64 val f: [n]t -> t}
         module k (B: S) : {module B: S} = {module B = B}",
    );
    accept(
        "module k (P: {val n: i64}) : {type t = [P.n]i32} = {type t = [P.n]i32}
         module m = k {def n = 2i64}",
    );
}

#[test]
fn uniqueness_is_part_of_a_specification() {
    refuse(
        "module m : {val f [n]: [n]i32 -> *[n]i32} = {def f [n] (x: [n]i32) = x}",
        "module-value-mismatch",
    );
    refuse(
        "module m : {val f [n]: [n]i32 -> bool} = {def f [n] (_: *[n]i32) = true}",
        "module-value-mismatch",
    );
    accept("module m : {val f [n]: *[n]i32 -> [n]i32} = {def f [n] (x: [n]i32) = x}");
}

#[test]
fn abstract_types_may_have_unknown_sizes() {
    accept(
        "module m : {type~ t val mk: i64 -> t val len: t -> i64} =
           {type~ t = []i64 def mk (n: i64) = intrinsics.iota n
            def len [n] (_: [n]i64) = n}
         def f (x: i64) = m.len (m.mk x)",
    );
    accept(
        "module k (P: {type~ t val mk: i64 -> t val len: t -> i64}) = { def f x = P.len (P.mk x) }
         module m = k {type~ t = []i64 def mk (n: i64) = intrinsics.iota n
                       def len [n] (_: [n]i64) = n}
         def y = m.f 3",
    );
    accept(
        "module type S = {type t type u 'a val mk: t -> u t}
         module k (P: {type~ t}) : S with t = P.t =
           {type~ t = P.t type u 'a = (i32, a) def mk x = (0i32, x)}
         module m = k {type~ t = ?[k].[k]bool}
         def y = m.mk [true, false]",
    );
    accept("type^ f 'a = {f: a} def g (x: f (i32 -> i32)) = x.f 1");
    refuse("module m : {type t} = {type~ t = []i64}", "module-type-mismatch");
    refuse("type t = []i64", "liftedness-mismatch");
    refuse("type~ t = i64 -> i64", "liftedness-mismatch");
}

#[test]
fn parametric_modules_take_and_give_parametric_modules() {
    accept(
        "module type S = {val f: i32 -> i32 -> i32}
         module type T = {val g: i32 -> i32}
         module type U = {module M: S -> T}
         module twice : U = {module M (P: S) : T = {def g (x: i32) = P.f x x}}
         module plus : S = {def f (x: i32) (y: i32) = x + y}
         module m = twice.M plus
         def y = m.g 3",
    );
    accept(
        "module type S = {type t val x: t}
         module use (F: (P: S) -> {val y: P.t}) = {
           module m = F {type t = i32 def x = 1i32}
           def z : i32 = m.y
         }
         module f (P: S) = {def y = P.x}
         module n = use f
         def w = n.z + 1",
    );
    accept(
        "module f = \\(P: {val x: i32}) : {val y: i32} -> {def y = P.x} module m = f {def x = 1i32}",
    );
    refuse(
        "module use (F: {val x: i32} -> {val y: i32}) = {}
         module f (P: {val x: i32}) = {def y = true}
         module m = use f",
        "module-value-mismatch",
    );
}

#[test]
fn parametric_modules_inside_of_sealed_ones_take_the_new_types() {
    let p = accept(
        "module m : {type t val mk: i32 -> t val get: t -> i32
                     module F: (P: {val x: t}) -> {val y: t}} =
           {type t = i32 def mk (x: i32) = x def get (x: i32) = x
            module F (P: {val x: i32}) = {def y = P.x + 1}}
         module n = m.F {def x = m.mk 1}
         def z = m.get n.y",
    );
    assert!(names(&p).contains(&"n.y"));
    let codes = codes_files(&[(
        "main.fut",
        "module m : {type t module F: (P: {val x: t}) -> {val y: t}} =
           {type t = i32 module F (P: {val x: i32}) = {def y = P.x + 1}}
         module n = m.F {def x = 1i32}",
    )]);
    assert_eq!(codes, ["module-value-mismatch"]);
}

#[test]
fn errors_in_parametric_modules_show_where_they_are_and_once() {
    refuse(
        "module k (P: {type t val x: t}) = {def y = P.z}
         module a = k {type t = i32 def x = 1i32}
         module b = k {type t = i32 def x = 1i32}",
        "unknown-name",
    );
    // Of several parameters, too: what the first application makes has the error inside.
    refuse(
        "module k (P: {type t}) (Q: {val x: P.t}) = {def y = Q.x + 1i64}
         module m = {type t = u64}
         module a = k m {def x = 1u64}",
        "type-mismatch",
    );
}

#[test]
fn type_parameters_may_have_the_names_they_have_in_the_module_type() {
    for (provided, asked) in [
        ("type c 'a = a", "type c 'a"),
        ("type c 'x = x", "type c 'x"),
        ("type c 'a 'b = (b, a)", "type c 'a 'b"),
        ("type c 'a 'b = b", "type c 'b 'a"),
        ("module n = {type k 'a = a}", "module n: {type k 'a}"),
    ] {
        accept(&format!(
            "module a = {{{provided}}} module f (P: {{{asked}}}) = {{}} module g = f a"
        ));
    }
    accept(
        "module type mt = {type c 'a} module f (P: mt) = {} module b : mt = {type c 'b = b}
         module n = f b",
    );
    let p = accept(
        "module a = {type f 'a = (i32, a)}
         module c (P: {type f 'a}) = {type f 'a = P.f a}
         module r = c a module s = c r
         def x : s.f bool = (1i32, true)",
    );
    assert!(names(&p).contains(&"x"));
    refuse(
        "module a = {type c 'a 'b = (a, b)} module f (P: {type c 'a 'b = (b, a)}) = {} module g = f a",
        "module-type-mismatch",
    );
}

#[test]
fn parametric_modules_are_no_modules() {
    refuse("module k (P: {}) = {} open k", "module-is-parametric");
    refuse("module m = {} module n = m {}", "module-not-parametric");
    refuse("module k (P: {}) = {} type t = k.t", "module-is-parametric");
}

#[test]
fn scopes() {
    accept("module m = {local def x = 1i32 def y = x} open m def z = y");
    let codes = codes_files(&[("main.fut", "module m = {local def x = 1i32} def y = m.x")]);
    assert_eq!(codes.len(), 1);
    accept("def x = 1i32 module m = {def x = true} open m def y = !x");
    accept("local open {def x = 1i32} def y = x");
    refuse("def x = 1i32 def x = 2i32", "duplicate-definition");
    refuse("type t = i32 type t = i32", "duplicate-definition");
    refuse("module m = {} def m = 1i32", "duplicate-definition");
    refuse("module type S = {val x: i32 val x: i32}", "duplicate-definition");
    refuse("module type S = {val f: (x: i32) -> (x: i32) -> i32}", "duplicate-parameter");
    refuse("module m = {entry f (x: i32) = x}", "nested-entry");
    refuse("module m = intrinsics", "intrinsics-module");
}

#[test]
fn operators_in_modules() {
    accept(
        "module type S = {type t val (+): t -> t -> t}
         module m : S with t = (i32, i32) =
           {type t = (i32, i32) def (a: i32, b: i32) + (c: i32, d: i32) = (a - c, b - d)}
         def x = (1, 2) m.+ (3, 4)",
    );
}

#[test]
fn imports() {
    accept_files(&[
        ("main.fut", "import \"lib/a\" module b = import \"lib/b\" def z = x + b.y"),
        ("lib/a.fut", "import \"b\" def x = y + 1i32"),
        ("lib/b.fut", "def y = 1i32"),
    ]);
    let codes = codes_files(&[
        ("main.fut", "import \"a\" def z = y"),
        ("a.fut", "import \"b\""),
        ("b.fut", "def y = 1i32"),
    ]);
    assert_eq!(codes.len(), 1, "an import is not exported: {codes:?}");
    accept_files(&[
        ("main.fut", "import \"a\" def z = y + 1i32"),
        ("a.fut", "open import \"b\""),
        ("b.fut", "def y = 1i32"),
    ]);
    assert_eq!(codes_files(&[("main.fut", "import \"a\"")]), ["file-not-found"]);
    let codes = codes_files(&[("main.fut", "import \"a\""), ("a.fut", "import \"main\"")]);
    assert_eq!(codes, ["import-cycle", "import-cycle"]);
    assert_eq!(codes_files(&[("main.fut", "import \"main\"")]), ["import-cycle"]);
}

#[test]
fn entry_points() {
    let p = accept("def f (x: i32) = x entry g (x: *[]i32) (y: bool) : ([]i32, bool) = (x, y)");
    let g = p.defs.last().unwrap();
    let entry = g.entry.as_ref().unwrap();
    assert_eq!(entry.name.as_str(), "g");
    assert_eq!(entry.params[0].ty.written.as_deref(), Some("[]i32"));
    assert!(entry.params[0].ty.unique);
    assert_eq!(entry.result.written.as_deref(), Some("([]i32, bool)"));
    let p = accept("def main (x: i32) = x");
    assert!(p.defs.last().unwrap().entry.is_some());
    refuse("entry f 'a (x: a) = x", "polymorphic-entry");
    refuse("entry f (g: i32 -> i32) = g 1", "higher-order-entry");
    refuse("entry f (x: i32) = (x, \\(y: i32) -> x)", "higher-order-entry");
    let p = accept("def main (x: i32) = \\(y: i32) -> x");
    assert_eq!(p.defs.last().unwrap().entry.as_ref().unwrap().params.len(), 2);
    refuse("entry f [n] (_: [n + 1]i32) = n", "nonconstructive-entry");
    refuse(
        "module m : {type^ t val f: t -> i32} = {type^ t = i32 -> i32 def f (g: t) = g 1}
         entry e (x: m.t) = m.f x",
        "higher-order-entry",
    );
    accept_files(&[("main.fut", "import \"a\" def x = 1i32"), ("a.fut", "def main 'a (x: a) = x")]);
    let p = accept_files(&[("main.fut", "import \"a\" def x = 1i32"), ("a.fut", "entry e = 1i32")]);
    assert!(p.defs.iter().all(|d| d.entry.is_none()));
}

#[test]
fn variables_of_different_declarations_are_told_apart() {
    // Each declaration counts its variables from nothing.
    for param in ["'a", "'^b"] {
        let name = &param[param.len() - 1..];
        let text = format!(
            "module type vec = {{ val id {param} : {name} -> {name} }}\n\
             module unit : vec = {{ def id {param} (x: {name}) : {name} = x }}\n\
             module f (X: vec) : vec = X\n\
             module two = f unit\n\
             entry main (x: i32) = two.id x\n"
        );
        accept(&text);
    }
}

/// The typed program is well-formed too.
fn well_formed(text: &str) -> Arc<Program> {
    let p = accept(text);
    let wrong = futc_frontend::check::verify::verify(&p);
    assert!(wrong.is_empty(), "{text}\n{wrong:#?}");
    p
}

#[test]
fn what_is_found_for_a_value_mentions_no_size_of_its_result() {
    // The type parameter is an array type of a size that only the result has.
    well_formed(
        "module m : { type t [n] val f : i64 -> ?[n].(t [n] -> i64, t [n]) } =
           { type t [n] = [n]() def f (k: i64) = (\\_ -> k, replicate 3 ()) }
         entry main (k: i64) : i64 = let (f, x) = m.f k in f x",
    );
    well_formed(
        "module m : { type t [n] val f : i64 -> ?[n].(t [n] -> i64, t [n]) } =
           { type t [n] = [n]() def f (k: i64) = (\\_ -> k, replicate k ()) }
         entry main (k: i64) : i64 = let (f, x) = m.f k in f x",
    );
    // A constructor that is not used has any size.
    well_formed(
        "module m : { type~ t val mk : i64 -> t } =
           { type~ t = #foo ([]i32) | #bar ([]i32) def mk (n: i64) : t = #foo (replicate n 0) }
         entry main (n: i64) = m.mk n",
    );
    // An array has not.
    refuse(
        "module m : { val f : i32 -> ?[n].[n]i32 } = { def f [n] (x: i32) : [n]i32 = rep x }",
        "module-value-mismatch",
    );
    // A size that is another one at each application is not that of a type.
    refuse(
        "module m : { val f : (i64 -> ?[n].[n]i64) -> i64 } =
           { def f 't (g: i64 -> t) : i64 = length [g 0, g 1] }",
        "module-value-mismatch",
    );
    well_formed(
        "module m : { val f : (i64 -> ?[n].[n]i64) -> i64 } =
           { def f '^t (g: i64 -> t) : i64 = let _ = g 0 in 1 }
         entry main (n: i64) = m.f (\\_ -> iota n)",
    );
}

#[test]
fn constants_that_are_specified_without_sizes_have_sizes_of_their_own() {
    let signature = "module type named = { val name : []u8 val rows : [][]i32 val n : i64 }\n";
    accept(&format!(
        "{signature}
         module mk (P: named) = {{
           def long = length P.name
           def next = map (+ 1) P.name
           def both = zip P.name next
           def shown = P.name ++ \"=\" ++ next
           def sums = map i32.sum P.rows
           def columns = map2 zip P.rows P.rows
         }}
         module a = mk {{ def name = \"a\" def rows = [[1i32, 2]] def n = 1i64 }}
         module b : named = {{ def name = filter (> 'a') \"abc\" def rows = [[1i32]] def n = 2i64 }}
         module c = mk b
         def x = length b.name + length c.shown
         def y = zip b.name (map (+ 1) b.name)"
    ));
    for wrong in ["zip P.name (iota P.n)", "zip P.rows (iota (length P.name))"] {
        let text = format!("{signature}module mk (P: named) = {{ def f = {wrong} }}");
        refuse(&text, "size-mismatch");
    }
}

#[test]
fn imports_in_parametric_modules_mean_what_they_mean_where_the_module_is_defined() {
    let square = ("square.fut", "def square (x: i32) = x * x type t = {side: i32}");
    for main in [
        "module mk (P: {}) = { import \"square\" def f = square 3 }
         module a = mk {} def z = a.f",
        "module mk (P: {}) = { local import \"square\" def f (x: t) = square x.side }
         module a = mk {} def z = a.f {side = 3}",
        "module mk (P: {}) = { open import \"square\" }
         module a = mk {} def z = a.square 3",
        "module mk (P: {}) = { module inner = import \"square\" def f = inner.square }
         module a = mk {} def z = a.inner.square (a.f 3)",
        "module mk (P: {}) (Q: {}) = { module inner (R: {}) = { import \"square\" def f = square } }
         module a = mk {} {} module b = a.inner {} def z = b.f 3",
        "module mk = \\(P: {}) -> import \"square\"
         module a = mk {} def z = a.square 3",
        "module type squares = { val square : i32 -> i32 }
         module mk (P: squares) = { import \"square\" def f = P.square (square 3) }
         module a = mk (import \"square\") def z = a.f",
        "module type made = { val f : i32 -> i32 }
         module mk (P: {}) : made = { import \"square\" def f = square }
         module use (F: (P: {}) -> made) = { module a = F {} def f = a.f }
         module b = use mk def z = b.f 3",
    ] {
        accept_files(&[("main.fut", main), square]);
    }
    // Applied in another file, where the same path names another file.
    let p = accept_files(&[
        ("main.fut", "import \"lib/mk\" import \"x\" module a = mk {} def z = a.f == 1i32 && x"),
        ("x.fut", "def x = true"),
        ("lib/mk.fut", "module mk (P: {}) = { import \"x\" def f = x }"),
        ("lib/x.fut", "def x = 1i32"),
    ]);
    assert!(names(&p).contains(&"a.f"));
    // What the module imports is neither its own nor its user's.
    for (main, code) in [
        (
            "module mk (P: {}) = { import \"square\" } module a = mk {} def z = a.square 3",
            "unknown-name",
        ),
        (
            "module mk (P: {}) = { import \"square\" def f = 1i32 } module a = mk {} def z = square 3",
            "unknown-name",
        ),
        ("module mk (P: {}) = { import \"square\" def f = squaer 3 }", "unknown-name"),
        (
            "module mk (P: {}) = { import \"nothing\" def f = square 3 } module a = mk {}",
            "file-not-found",
        ),
    ] {
        assert_eq!(codes_files(&[("main.fut", main), square]), [code], "{main}");
    }
}

#[test]
fn types_hold_what_their_arguments_hold() {
    for text in [
        "type~ t = i32 type boxed 'a = {x: a} def f (b: boxed t) : i32 = b.x def z = f {x = 1}",
        "type f 'a = {f: a} def g (x: f (i32 -> i32)) = x.f 1 def z = g {f = \\y -> y + 1}",
        "type pair 'a 'b = (a, b) type~ t = ?[n].[n]i32 def f (p: pair t t) = length p.0",
        "type maybe 'a = #none | #some a type~ t = i32 def f (m: maybe t) = match m case #some x -> x case #none -> 0",
        "type inner 'a = {x: a} type outer 'a = {y: inner a} type~ t = i32 def f (o: outer t) = o.y.x",
    ] {
        accept(text);
    }
    // Elements of arrays hold none of that, nor do branches hold functions.
    for (text, code) in [
        ("type many 'a = [3]a type~ t = i32 def f (m: many t) = m[0]", "lifted-type-argument"),
        ("type many 'a = {m: [3]a} def f (m: many (i32 -> i32)) = 1i32", "lifted-type-argument"),
        (
            "type boxed 'a = {x: a} type~ t = i32 def f (b: [3](boxed t)) = b[0].x",
            "lifted-array-element",
        ),
        ("type boxed 'a = {x: a} type~ t = i32 type u = boxed t", "liftedness-mismatch"),
        ("type boxed 'a = {x: a} type~ u = boxed (i32 -> i32)", "liftedness-mismatch"),
        ("module k (P: {type t 'a}) = { def f (x: P.t (i32 -> i32)) = x }", "lifted-type-argument"),
    ] {
        refuse(text, code);
    }
}

#[test]
fn modules_in_place_of_values_are_told_behind_what_was_refused() {
    let codes = codes_files(&[("main.fut", "open nosuch\ndef f (x: i64) = i64 + x")]);
    assert_eq!(codes, ["unknown-module", "unknown-name"]);
}

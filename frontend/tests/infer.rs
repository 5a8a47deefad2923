//! What is inferred for terms: types with sizes, instantiations, where sizes are bound; and what
//! is said of terms that are wrong.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use futc_frontend::check::print::definition;
use futc_frontend::check::verify::verify;
use futc_frontend::db::{CompilerDb, Db, diagnostics, has_errors, program};
use futc_frontend::world::Memory;
use std::sync::Arc;

/// The definitions of a program as text, or the codes of what is wrong with it. What is in the
/// prelude is called by its name.
fn infer(text: &str) -> Result<String, Vec<&'static str>> {
    let text = text.to_owned();
    let work = move || {
        let db = CompilerDb::new(Arc::new(Memory::new().with("test.fut", &text)));
        let root = db.source("test.fut");
        let said = diagnostics(&db, root);
        if has_errors(&said) {
            return Err(said.iter().map(|d| d.code.name()).collect());
        }
        let program = program(&db, root);
        let wrong = verify(&program);
        assert!(wrong.is_empty(), "{wrong:#?}");
        let mut out = String::new();
        for def in &program.defs {
            if db.file_of(def.id.file) == Some(root) {
                out.push_str(&definition(def));
            }
        }
        // Long numbers first, or a shorter one would be found in them.
        let mut names: Vec<(String, String)> = program
            .defs
            .iter()
            .map(|d| (format!("@{}.{}", d.id.file.0, d.id.index), d.name.to_string()))
            .collect();
        names.sort_by_key(|(id, _)| std::cmp::Reverse(id.len()));
        for (id, name) in names {
            out = out.replace(&id, &name);
        }
        Ok(out)
    };
    std::thread::Builder::new().stack_size(256 << 20).spawn(work).unwrap().join().unwrap()
}

/// The type of `f`, which must be the first definition: what is between its name and `=`.
fn type_of(text: &str) -> String {
    let all = infer(text).unwrap();
    let (head, _) = all.split_once(" =\n").unwrap();
    head.trim_start_matches("def f").trim_start_matches("entry f").trim().to_owned()
}

fn errors(text: &str) -> Vec<&'static str> {
    infer(text).unwrap_err()
}

#[test]
fn unknown_types_and_sizes_become_parameters() {
    assert_eq!(type_of("def f xs = length xs"), "[d] 't (xs: [d]t) : i64");
    assert_eq!(type_of("def f x y = (y, x)"), "'t 't_1 (x: t) (y: t_1) : (t_1, t)");
    assert_eq!(
        type_of("def f xs ys = xs ++ ys"),
        "[d] [d_1] 't (xs: [d]t) (ys: [d_1]t) : [d + d_1]t"
    );
    assert_eq!(type_of("def f g x = g (g x)"), "'t (g: t -> t) (x: t) : t");
}

#[test]
fn literals_and_operators_default() {
    assert_eq!(type_of("def f = 1 + 2"), ": i32");
    assert_eq!(type_of("def f = 1.0 / 2"), ": f64");
    assert_eq!(type_of("def f (x: u8) = x + 1"), "(x: u8) : u8");
    assert_eq!(type_of("def f x = x < 3i64"), "(x: i64) : bool");
    assert_eq!(type_of("def f (c: u8) = c == 'a'"), "(c: u8) : bool");
}

#[test]
fn an_argument_is_the_size_of_a_result() {
    assert_eq!(type_of("def f (n: i64) = replicate n 0u8"), "(n: i64) : [n]u8");
    assert_eq!(type_of("def f (n: i64) = iota (n + 1)"), "(n: i64) : [n + 1i64]i64");
    assert_eq!(
        type_of("def f (n: i64) = let m = n * 2 in zip (iota m) (iota (2 * n))"),
        "(n: i64) : [n * 2i64](i64, i64)"
    );
    assert_eq!(
        type_of("def f (n: i64, m: i64) = replicate n m"),
        "((n, m): (i64, i64)) : ?[n_1].[n_1]i64"
    );
}

#[test]
fn results_that_only_the_value_tells_are_existential() {
    assert_eq!(
        type_of("def f [n] (xs: [n]i32) = xs |> filter (> 0)"),
        "[n] (xs: [n]i32) : ?[k].[k]i32"
    );
    assert_eq!(
        type_of("def f (b: bool) (n: i64) = if b then iota n else iota 10"),
        "(b: bool) (n: i64) : ?[k].[k]i64"
    );
    assert_eq!(
        type_of("def f [n] (xs: [n]i32) = partition (> 0) xs"),
        "[n] (xs: [n]i32) : ?[k].([k]i32, [n - k]i32)"
    );
}

#[test]
fn sizes_are_bound_where_they_come_into_being() {
    let text = "def f [n] (xs: [n]i64) = let ys = filter (> 2) xs in map (+ length ys) ys";
    assert_eq!(
        infer(text).unwrap(),
        "def f [n] (xs: [n]i64) : ?[k].[k]i64 =
  let ys: [k_1]i64 = ?[k_1].filter{i64}[n] (\\(x: i64) : bool ->
      x > 2i64) xs
  in map{i64, i64}[k_1] (let y: i64 = length{i64}[k_1] ys
  in \\(x_1: i64) : i64 ->
    x_1 + y) ys
"
    );
}

#[test]
fn loops_keep_sizes_or_vary_them() {
    assert_eq!(
        type_of("def f (n: i64) = loop xs = iota n for i < n do map (+ i) xs"),
        "(n: i64) : [n]i64"
    );
    assert_eq!(
        infer("def f (n: i64) = loop xs = [1i64] for i < n do xs ++ xs").unwrap(),
        "def f (n: i64) : ?[k].[k]i64 =
  ?[k_1].loop [k_2] xs: [k_2]i64 = [1i64] for i < n do
    ++{i64}[k_2][k_2] xs xs
"
    );
    assert_eq!(
        type_of("def f [n] (a: [n]i32) (b: [n]i32) = loop (x, y) = (a, b) for _i < n do (y, x)"),
        "[n] (a: [n]i32) (b: [n]i32) : ([n]i32, [n]i32)"
    );
}

#[test]
fn slices_and_ranges_have_sizes() {
    assert_eq!(type_of("def f [n] (xs: [n]u8) = xs[1:]"), "[n] (xs: [n]u8) : [n - 1i64]u8");
    assert_eq!(type_of("def f [n] (xs: [n]u8) = xs[::-1]"), "[n] (xs: [n]u8) : [n]u8");
    assert_eq!(
        type_of("def f [n] (xs: [n]u8) (i: i64) = xs[i:i + 2]"),
        "[n] (xs: [n]u8) (i: i64) : [2]u8"
    );
    assert_eq!(type_of("def f (n: i64) = 0..<n"), "(n: i64) : [n]i64");
    assert_eq!(type_of("def f (n: i64) = 1...n"), "(n: i64) : [n]i64");
    assert_eq!(type_of("def f (n: i32) = 0..<n"), "(n: i32) : ?[k].[k]i32");
}

#[test]
fn size_parameters_of_let() {
    assert_eq!(
        infer("def f (xs: []i32) = let [n] (ys: [n]i32) = filter (> 0) xs in zip ys (iota n)")
            .unwrap(),
        "def f [d] (xs: [d]i32) : ?[k].[k](i32, i64) =
  let [n] ys: [n]i32 = ?[k_1].filter{i32}[d] (\\(x: i32) : bool ->
      x > 0i32) xs
  in zip{i32, i64}[n] ys (iota n)
"
    );
    assert_eq!(errors("def f (xs: []i32) = let [n] ys = xs in n"), ["unused-size"]);
}

#[test]
fn sums_records_and_projections() {
    assert_eq!(
        type_of("def f (x: i32) : #some i32 | #none = if x > 0 then #some x else #none"),
        "(x: i32) : #none | #some i32"
    );
    assert_eq!(
        type_of("def f (x: #some i32 | #none) = match x case #some y -> y case #none -> 0"),
        "(x: #none | #some i32) : i32"
    );
    assert_eq!(
        type_of("def f (r: {a: i32, b: []f32}) = (r with b = [1, 2]).b"),
        "[d] (r: {a: i32, b: [d]f32}) : [2]f32"
    );
    assert_eq!(
        type_of("def f [n] (xs: [n](i32, bool)) = map (.1) xs"),
        "[n] (xs: [n](i32, bool)) : [n]bool"
    );
}

#[test]
fn updates_through_records_and_arrays() {
    assert_eq!(
        type_of("def f (a: *[10]{x: i32, y: i32}) = a with [2].y = 7"),
        "(a: *[10]{x: i32, y: i32}) : [10]{x: i32, y: i32}"
    );
}

#[test]
fn local_functions_are_polymorphic_in_what_they_say() {
    assert_eq!(
        type_of(
            "def f (x: i32) (y: bool) =
               let pair 'a 'b (a: a) (b: b) = (a, b) in (pair x y, pair y x)"
        ),
        "(x: i32) (y: bool) : ((i32, bool), (bool, i32))"
    );
    assert_eq!(
        errors("def f (x: i32) (y: bool) = let pair a b = (a, b) in (pair x y, pair y x)"),
        ["type-mismatch", "type-mismatch"]
    );
}

#[test]
fn functions_without_written_parameters() {
    assert_eq!(type_of("def f = \\(x: i32) -> x + 1"), ": i32 -> i32");
    assert_eq!(type_of("def f (n: i64) = map (+ n)"), "[d] (n: i64) : [d]i64 -> *[d]i64");
}

#[test]
fn recursion() {
    assert_eq!(
        type_of("def f (n: i64) : i64 = if n == 0 then 1 else n * f (n - 1)"),
        "(n: i64) : i64"
    );
    assert_eq!(
        type_of("def f [n] (xs: [n]i32) : i32 = if n == 0 then 0 else xs[0] + f (drop 1 xs)"),
        "[n] (xs: [n]i32) : i32"
    );
}

#[test]
fn operators_may_be_defined_anew() {
    assert_eq!(
        type_of("def f x = let (+) (a: i32) (b: bool) = (b, a) in x + true"),
        "(x: i32) : (bool, i32)"
    );
    assert_eq!(type_of("def f = i32.(sum [1, 2] + 3)"), ": i32");
}

#[test]
fn what_is_wrong_is_said() {
    assert_eq!(errors("def f (x: i32) (y: i64) = x + y"), ["type-mismatch"]);
    assert_eq!(errors("def f (x: i32) = y"), ["unknown-name"]);
    assert_eq!(errors("def f (x: i32) = x 2"), ["not-a-function"]);
    assert_eq!(errors("def f = length [1] 2"), ["too-many-arguments"]);
    assert_eq!(errors("def f (x: {a: i32}) = x.b"), ["unknown-field"]);
    assert_eq!(errors("def f [n] [m] (x: [n]i32) (y: [m]i32) = zip x y"), ["size-mismatch"]);
    assert_eq!(errors("def f = [1, true]"), ["type-mismatch"]);
    assert_eq!(errors("def f = if true then 1 else false"), ["type-mismatch"]);
    assert_eq!(errors("def f : u8 = 256"), ["literal-out-of-bounds"]);
    assert_eq!(errors("def f (x: i32) = x[0]"), ["not-an-array"]);
}

#[test]
fn normal_forms_do_not_explode() {
    let mut text = String::from("def f (x0: i64) =\n");
    for i in 0..60 {
        text.push_str(&format!("  let x{} = x{i} * x{i} + x{i}\n", i + 1));
    }
    text.push_str("  in zip (replicate x60 0) (replicate x60 true)");
    assert_eq!(type_of(&text), "(x0: i64) : ?[k].[k](i32, bool)");
}

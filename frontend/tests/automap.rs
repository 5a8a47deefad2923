//! AUTOMAP: what is inserted, that it is what one would have written, and what is said where it
//! cannot be decided.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use futc_frontend::check::verify::verify;
use futc_frontend::db::{CompilerDb, Db, diagnostics, elaborated, has_errors, program};
use futc_frontend::diag::Diagnostic;
use futc_frontend::world::Memory;
use std::sync::Arc;

/// Checks a program: its text with all insertions, or what is wrong with it.
fn check(text: &str) -> Result<String, Vec<Diagnostic>> {
    let text = text.to_owned();
    let work = move || {
        let db = CompilerDb::new(Arc::new(Memory::new().with("test.fut", &text)));
        let root = db.source("test.fut");
        let said = diagnostics(&db, root);
        if has_errors(&said) {
            return Err(said.to_vec());
        }
        let wrong = verify(&program(&db, root));
        assert!(wrong.is_empty(), "{wrong:#?}");
        Ok(elaborated(&db, root).unwrap())
    };
    std::thread::Builder::new().stack_size(256 << 20).spawn(work).unwrap().join().unwrap()
}

/// The program with its insertions, which must be a program that needs none.
fn elaborate(text: &str) -> String {
    let out = check(text).unwrap_or_else(|said| panic!("{text}\n{said:#?}"));
    let again = check(&out).unwrap_or_else(|said| panic!("{out}\n{said:#?}"));
    assert_eq!(again, out, "what is elaborated is complete");
    out
}

/// The body of the last definition, after `=`, on one line.
#[track_caller]
fn body(text: &str, expected: &str) {
    let out = elaborate(text);
    let last = out.rfind("def ").map_or("", |at| &out[at..]);
    let body = last.split_once(" = ").or_else(|| last.split_once(" =\n")).unwrap().1;
    assert_eq!(body.split_whitespace().collect::<Vec<_>>().join(" "), expected, "{text}");
}

#[track_caller]
fn unchanged(text: &str) {
    assert_eq!(elaborate(text), text);
}

/// The candidates listed for an ambiguous program.
#[track_caller]
fn ambiguous(text: &str, candidates: &[&str]) {
    let said = check(text).unwrap_err();
    let [d] = &said[..] else { panic!("{said:#?}") };
    assert_eq!(d.code.name(), "ambiguous-automap", "{d:#?}");
    let mut listed: Vec<&str> =
        d.hints.iter().filter(|h| h.starts_with('(')).map(|h| &h[4..]).collect();
    listed.sort_unstable();
    let mut candidates = candidates.to_vec();
    candidates.sort_unstable();
    assert_eq!(listed, candidates, "{d:#?}");
}

#[track_caller]
fn errors(text: &str, codes: &[&str]) -> Vec<Diagnostic> {
    let said = check(text).unwrap_err();
    let found: Vec<&str> = said.iter().map(|d| d.code.name()).collect();
    assert_eq!(found, codes, "{said:#?}");
    said
}

// The article's examples.

#[test]
fn two_vectors_are_added() {
    body("def f : [3]i32 = [1, 2, 3] + [4, 5, 6]", "map2 (+) [1, 2, 3] [4, 5, 6]");
}

#[test]
fn two_matrices_are_subtracted() {
    body(
        "def f : [3][3]i32 = [[1,2,3], [4,5,6], [7,8,9]] - [[9,8,7], [6,5,4], [3,2,1]]",
        "map2 (map2 (-)) [[1,2,3], [4,5,6], [7,8,9]] [[9,8,7], [6,5,4], [3,2,1]]",
    );
}

#[test]
fn a_matrix_and_a_vector_are_added() {
    body(
        "def f : [3][3]i32 = [[1,2,3], [4,5,6], [7,8,9]] + [10,20,30]",
        "map2 (map2 (+)) [[1,2,3], [4,5,6], [7,8,9]] (rep [10,20,30])",
    );
}

#[test]
fn three_applications_of_one_call_are_each_for_themselves() {
    let g = "def g [n] [m] [k] (_: [n]i32) (_: [m][k]i32) (x: i32) : i32 = x\n";
    body(
        &format!("{g}def f [n] (xss: [n][n]i32) : [n][n]i32 = g xss xss xss"),
        "map (map3 g xss (rep xss)) xss",
    );
}

#[test]
fn the_length_of_an_array_of_any_rank_needs_nothing() {
    unchanged("def f (ysss: [][][]i32) : i64 = length ysss");
}

#[test]
fn the_sum_of_a_length_is_ambiguous() {
    ambiguous(
        "def f (xss: [][]i64) : i64 = i64.sum (length xss)",
        &["i64.sum (rep (length xss))", "i64.sum (map length xss)"],
    );
}

#[test]
fn an_ambiguity_is_settled_by_writing_a_map() {
    unchanged("def f (xss: [][]i64) : i64 = i64.sum (map length xss)");
    body(
        "def f (xss: [][]i64) : []i64 = i64.sum (map (map id) xss)",
        "map i64.sum (map (map id) xss)",
    );
}

#[test]
fn a_scalar_function_goes_below_all_dimensions() {
    body("def g (x: i32) = x + 1 def f (xss: [][]i32) : [][]i32 = g xss", "map (map g) xss");
}

#[test]
fn a_function_of_matrices_takes_a_vector_by_rep() {
    body("def g (xss: [2][]i32) : i32 = xss[0, 0] def f (xs: []i32) : i32 = g xs", "g (rep xs)");
    body("def g (xss: [2][3]i32) : i32 = xss[0, 0] def f (x: i32) : i32 = g x", "g (rep (rep x))");
}

// Broadcasting as NumPy has it.

#[test]
fn scalars_meet_arrays() {
    body("def f (xs: []f64) = xs * 2", "map2 (*) xs (rep 2)");
    body("def f (xs: []f64) = 2 * xs", "map ((*) 2) xs");
    body("def f (xss: [][]f64) (c: f64) = c / xss", "map (map ((/) c)) xss");
    body("def f (xss: [][]f64) (c: f64) = xss / c", "map2 (map2 (/)) xss (rep (rep c))");
}

#[test]
fn rows_and_columns_broadcast() {
    let params = "[n] [m] (xss: [n][m]i32) (row: [m]i32) (column: [n]i32)";
    body(&format!("def f {params} = xss + row"), "map2 (map2 (+)) xss (rep row)");
    body(&format!("def f {params} = row + xss"), "map (map2 (+) row) xss");
    body(
        &format!("def f {params} = transpose (transpose xss + column)"),
        "transpose (map2 (map2 (+)) (transpose xss) (rep column))",
    );
    errors(&format!("def f {params} = xss + column"), &["size-mismatch"]);
}

#[test]
fn whole_formulas_are_lifted() {
    body(
        "def f [n] (a: f64) (xs: [n]f64) (ys: [n]f64) = a * xs + ys",
        "map2 (+) (map ((*) a) xs) ys",
    );
    body(
        "def f [n] (xs: [n]f64) (mean: f64) = f64.sqrt (f64.sum ((xs - mean) ** 2) / f64.i64 n)",
        "f64.sqrt (f64.sum (map2 (**) (map2 (-) xs (rep mean)) (rep 2)) / f64.i64 n)",
    );
    body(
        "def f [n] (xs: [n]f32) = 1 / (1 + f32.exp (-xs))",
        "map ((/) 1) (map ((+) 1) (map f32.exp (map (\\x -> -x) xs)))",
    );
}

#[test]
fn conversions_and_comparisons_are_lifted() {
    body("def f (xs: []i32) : []f64 = f64.i32 xs", "map f64.i32 xs");
    body("def f (xs: []i32) : []bool = xs < 3", "map2 (<) xs (rep 3)");
    body("def f (xs: []i32) : bool = xs == 3", "xs == rep 3");
    body("def f (xs: []i32) : []bool = xs == 3", "map2 (==) xs (rep 3)");
}

#[test]
fn prefix_and_logical_operators_are_lifted() {
    body("def f (xs: [][]i32) = -xs", "map (map (\\x -> -x)) xs");
    body("def f (bs: []bool) = !bs", "map (\\x -> !x) bs");
    body("def f [n] (as: [n]bool) (bs: [n]bool) = as && bs", "map2 (&&) as bs");
    body("def f (bs: []bool) = bs || true", "map2 (||) bs (rep true)");
}

#[test]
fn backticks_are_applications() {
    body("def f [n] (xs: [n]i32) (ys: [n]i32) = xs `i32.max` ys", "map2 i32.max xs ys");
    body("def f (xs: []i32) = 3 `i32.max` xs", "map (i32.max 3) xs");
}

// Sections, pipes, compositions.

#[test]
fn sections_are_lifted() {
    body("def f (xss: [][]i32) = (+ 1) xss", "map (map (+ 1)) xss");
    body("def f [n] (v: [n]i32) (xss: [][n]i32) = map (+ v) xss", "map (flip (map2 (+)) v) xss");
    body("def f [n] (v: [n]i32) (xss: [][n]i32) = map (v -) xss", "map (map2 (-) v) xss");
    body(
        "def g (x: [2]i32) (y: i32) = x[0] + y def f (xs: []i32) = map (3 `g`) xs",
        "map (rep 3 `g`) xs",
    );
    body(
        "def g (y: i32) (x: [2]i32) = x[0] + y def f (xs: []i32) = map (`g` 3) xs",
        "map (`g` rep 3) xs",
    );
}

#[test]
fn pipes_apply() {
    body("def f (xs: []f64) = xs |> f64.sqrt", "xs |> map f64.sqrt");
    body("def f (xs: []f64) = f64.sqrt <| xs", "map f64.sqrt <| xs");
    body(
        "def f (xss: [][]i32) = xss |> (+ 1) |> i32.sum |> i32.f64 <-< f64.i32",
        "xss |> map (map (+ 1)) |> map i32.sum |> map (i32.f64 <-< f64.i32)",
    );
    body("def f (x: i32) : i32 = x |> i32.sum <-< replicate 3", "x |> i32.sum <-< replicate 3");
}

#[test]
fn compositions_are_lifted() {
    body("def f : [3]i32 -> [3]f64 = map (+ 1) >-> f64.i32", "map (+ 1) >-> map f64.i32");
    body("def f : [3]i32 -> [3]f64 = f64.i32 <-< map (+ 1)", "map f64.i32 <-< map (+ 1)");
    body("def g (xs: [2]i32) = xs[0] def f : i32 -> i32 = (+ 1) >-> g", "((+ 1) >-> rep) >-> g");
    body("def g (xs: [2]i32) = xs[0] def f : i32 -> i32 = g <-< (+ 1)", "g <-< (rep <-< (+ 1))");
}

// Records, tuples, sums.

#[test]
fn components_of_records_are_lifted() {
    body(
        "def f [n] (p: {x: [n]f32, y: [n]f32}) = f32.sqrt (p.x * p.x + p.y * p.y)",
        "map f32.sqrt (map2 (+) (map2 (*) p.x p.x) (map2 (*) p.y p.y))",
    );
    body(
        "def f [n] ((xs, k): ([n]i32, i32)) = let (ys, zs) = (xs + k, xs) in ys * zs",
        "let (ys, zs) = (map2 (+) xs (rep k), xs) in map2 (*) ys zs",
    );
}

#[test]
fn arrays_of_tuples_have_a_rank() {
    body("def add (x: i32, y: i32) : i32 = x + y\ndef f (ps: [](i32, i32)) = add ps", "map add ps");
    body(
        "type v = {x: f32, y: f32}\ndef norm (p: v) = f32.sqrt (p.x * p.x + p.y * p.y)\n\
         def f (ps: [][]v) : [][]f32 = norm ps",
        "map (map norm) ps",
    );
}

#[test]
fn functions_of_sums_are_lifted() {
    body(
        "def get (o: #some i32 | #none) : i32 = match o case #some x -> x case #none -> 0\n\
         def f (os: [](#some i32 | #none)) : []i32 = get os",
        "map get os",
    );
}

// Functions of functions.

#[test]
fn combinators_are_lifted() {
    body("def f (xss: [][]i32) = reduce (+) 0 xss", "map (reduce (+) 0) xss");
    body("def f (xss: [][]i32) = map i32.abs xss", "map (map i32.abs) xss");
    body(
        "def f [n] (xss: [n][n]i32) (ys: [n]i32) = map2 i32.max xss ys",
        "map2 (map2 i32.max) xss (rep ys)",
    );
    body("def f (xss: [][]i32) = scan (+) 0 xss", "map (scan (+) 0) xss");
}

#[test]
fn a_function_parameter_is_applied_as_any() {
    body("def f (g: i32 -> i32 -> i32) (xs: []i32) = g 1 xs", "map (g 1) xs");
    body(
        "def twice (g: i32 -> i32) (x: i32) = g (g x) def f (xs: []i32) = twice (+ 1) xs",
        "map (twice (+ 1)) xs",
    );
}

#[test]
fn polymorphic_functions_take_any_rank() {
    unchanged("def dup 't (x: t) = (x, x) def f (xs: [][]i32) = dup xs");
    body(
        "def pick 't (b: bool) (x: t) (y: t) : t = if b then x else y\n\
         def f [n] (bs: [n]bool) (xs: [n]i32) (ys: [n]i32) : [n]i32 = pick bs xs ys",
        "map3 pick bs xs ys",
    );
    body(
        "def f [n] (xs: [n]i32) : [n](i32, i64) = zip xs (map (const 1) (iota n)) |> (\\(x: i32, y: i64) -> (x, y))",
        "zip xs (map (const 1) (iota n)) |> map (\\(x: i32, y: i64) -> (x, y))",
    );
}

#[test]
fn functions_of_many_parameters_are_lifted() {
    let params = "[n] (a: [n]i32) (b: [n]i32) (c: [n]i32) (d: [n]i32)";
    let add = |n: usize| {
        let names: Vec<String> = (0..n).map(|i| format!("x{i}")).collect();
        format!(
            "def g {} = {}\n",
            names.iter().map(|x| format!("({x}: i32) ")).collect::<String>(),
            names.join(" + ")
        )
    };
    body(&format!("{}def f {params} = g a b c d", add(4)), "map4 g a b c d");
    body(&format!("{}def f {params} = g a b c d 5", add(5)), "map5 g a b c d (rep 5)");
    body(&format!("{}def f {params} = g 1 a 2 b c d", add(6)), "map5 (g 1) a (rep 2) b c d");
    body(
        &format!("{}def f {params} = g a b c d 5 6", add(6)),
        "(\\a1' a2' a3' a4' a5' a6' -> map (\\(a1', (a2', (a3', (a4', (a5', a6'))))) -> g a1' a2' \
         a3' a4' a5' a6') (zip a1' (zip a2' (zip a3' (zip a4' (zip a5' a6')))))) a b c d (rep 5) \
         (rep 6)",
    );
}

#[test]
fn partial_applications_are_lifted() {
    body(
        "def f [n] (xs: [n]i32) (ys: [n]i32) = let g = i32.max xs in g ys",
        "let g = map2 i32.max xs in g ys",
    );
}

// Within definitions.

#[test]
fn control_flow_is_walked() {
    body(
        "def f [n] (b: bool) (xs: [n]i32) : [n]i32 = if b then xs + 1 else xs * 2",
        "if b then map2 (+) xs (rep 1) else map2 (*) xs (rep 2)",
    );
    body(
        "def f [n] (xs: [n]i32) = loop ys = xs for _i < 3i32 do ys + xs",
        "loop ys = xs for _i < 3i32 do map2 (+) ys xs",
    );
    body(
        "def f [n] (xs: *[n]i32) (ys: [n]i32) : [n]i32 = xs with [0:n] = ys + 1",
        "xs with [0:n] = map2 (+) ys (rep 1)",
    );
    body("def f (xss: [][]i64) = (length xss)[0]", "(map length xss)[0]");
    body(
        "def f (xs: []i32) = assert (i32.sum xs == 3) (xs + 1)",
        "assert (i32.sum xs == 3) (map2 (+) xs (rep 1))",
    );
}

#[test]
fn local_functions_are_walked() {
    body(
        "def f (xs: []i32) = let inc (x: i32) = x + 1 in inc xs",
        "let inc (x: i32) = x + 1 in map inc xs",
    );
    body(
        "def f (xs: []i32) = let both 't (x: t) = (x, x) in both (both (xs + 1))",
        "let both 't (x: t) = (x, x) in both (both (map2 (+) xs (rep 1)))",
    );
    body(
        "def f [n] (xs: [n]i32) = let add (ys: [n]i32) = xs + ys in add (add xs)",
        "let add (ys: [n]i32) = map2 (+) xs ys in add (add xs)",
    );
}

#[test]
fn lambdas_are_walked() {
    body(
        "def f (xss: [][]i32) = map (\\(xs: []i32) -> xs + 1) xss",
        "map (\\(xs: []i32) -> map2 (+) xs (rep 1)) xss",
    );
    body("def f (xs: []i32) = (\\(x: i32) -> x * x) xs", "map (\\(x: i32) -> x * x) xs");
}

#[test]
fn unannotated_parameters_can_be_ambiguous() {
    ambiguous(
        "def f (xs: []i32) = (\\x -> -x) xs",
        &["map (\\x -> -x) xs", "(\\x -> map (\\x -> -x) x) xs"],
    );
    ambiguous("def f x = x * [1, 2, 3]", &["map ((*) x) [1, 2, 3]", "map2 (*) x [1, 2, 3]"]);
    body("def f (xs: []i32) = (\\x -> x + 1) xs", "map (\\x -> x + 1) xs");
}

#[test]
fn modules_and_parametric_modules() {
    body(
        "module m = { def scale (c: f64) (x: f64) = c * x }\n\
         def f (xs: []f64) = m.(scale 2 xs)",
        "m.(map (scale 2) xs)",
    );
    let out = elaborate(
        "module scaled (P: { type t val * : t -> t -> t val two : t }) = {\n  \
         def double [n] (xs: [n]P.t) : [n]P.t = P.two P.* xs\n}\n\
         module d = scaled { type t = f64 def (*) (x: f64) (y: f64) = x * y def two = 2f64 }\n\
         def f (xss: [][]f64) = d.double xss",
    );
    assert!(out.contains("= map ((P.*) P.two) xs"), "{out}");
    assert!(out.contains("def f (xss: [][]f64) = map d.double xss"), "{out}");
}

#[test]
fn what_is_inserted_is_the_preludes() {
    let text = "def map (x: i32) = x\ndef map2 (x: bool) = x\ndef rep (x: bool) = x\n\
                def f (xs: []i32) : []i32 = map xs + 1";
    assert!(check(text).is_ok());
}

#[test]
fn comments_and_layout_stay() {
    assert_eq!(
        elaborate(
            "-- Before.\ndef f (xs: []i32) = -- here\n  let ys = xs + 1 -- one more\n  in ys\n"
        ),
        "-- Before.\ndef f (xs: []i32) = -- here\n  let ys = map2 (+) xs (rep 1) -- one more\n  in ys\n"
    );
}

// What is not to be mended.

#[test]
fn sizes_of_what_is_inserted_are_checked() {
    errors("def f : []i32 = [1, 2, 3] + [4, 5]", &["size-mismatch"]);
    errors("def f [n] [m] (xs: [n]i32) (ys: [m]i32) = xs + ys", &["size-mismatch"]);
}

#[test]
fn what_differs_in_more_than_rank_is_refused() {
    errors("def f (xs: []i32) (b: bool) = xs + b", &["type-mismatch"]);
    errors("def f (xs: []i32) : i32 = xs + 1", &["type-mismatch"]);
    errors("def f (xs: []i32) : i32 = xs", &["type-mismatch"]);
    errors("def f (xs: []i32) = if xs then 1 else 2", &["type-mismatch"]);
}

#[test]
fn an_error_beside_an_insertion_is_the_only_one_said() {
    let said = errors("def f (xs: []i32) (b: bool) = (xs + 1, i32.abs b)", &["type-mismatch"]);
    assert!(said[0].message.contains("bool"), "{said:#?}");
}

/// A product of parameters without types, and of an array.
fn product_of(parameters: usize) -> String {
    let names: Vec<String> = (0..parameters).map(|i| format!("x{i}")).collect();
    format!("def f {} = {} * [1, 2]", names.join(" "), names.join(" * "))
}

#[test]
fn the_solver_is_not_given_too_much() {
    errors(&product_of(200), &["automap-too-large"]);
}

#[test]
fn the_solver_solves_what_it_is_given() {
    let times = |n: usize, between: &str| {
        let names: Vec<String> = (0..n).map(|i| format!("x{i}")).collect();
        (names.join(" "), names.join(between))
    };
    for n in [2, 30, 90] {
        let out = elaborate(&product_of(n));
        assert!(out.contains("= map ((*) (x0 * x1") && out.ends_with(") [1, 2]"), "{out}");
        let (params, pipes) = times(n, " |> ");
        unchanged(&format!("def f {params} = [1, 2] |> {pipes}"));
    }
    let (params, sums) = times(60, " + g * ");
    let out = elaborate(&format!("def f {params} = let g = [1, 2] + x0 + x1 in {sums}"));
    assert_eq!(out.matches("map2").count(), 2 + 2 * 59);
    let (params, product) = times(60, " * ");
    errors(&format!("def f {params} = [1, 2] * ({product})"), &["ambiguous-automap"]);
}

#[test]
fn strange_programs_are_refused_calmly() {
    for text in [
        "def f x = x x + [1]",
        "def f (xs: []i32) = xs xs",
        "def f (xs: []i32) = f xs + f",
        "def f (xs: []i32) = (xs + 1).foo",
        "def f (xs: []i32) = let g x = g x + xs in g",
        "def f (xs: []i32) = map (+ xs) (+ xs)",
        "def f (xs: []i32) = xs |> |> xs",
        "def f (xs: []i32) = nothing xs + 1",
        "def f (xs: [](i32 -> i32)) = xs 1",
        "def f = flip (+) [1] (flip id)",
        "def f (xs: []t) = xs + 1",
    ] {
        assert!(check(text).is_err(), "{text}");
    }
}

// Sizes that are known only once an array is there.

#[test]
fn an_array_of_unknown_size_is_added_to_a_scalar() {
    let named = "let a1' = filter (> 0) xs in map2 (+) a1'";
    body("def f (xs: []i32) = filter (> 0) xs + 1", &format!("{named} (rep 1)"));
    body("def f (xs: []i32) = 1 + filter (> 0) xs", "map ((+) 1) (filter (> 0) xs)");
    body("def f (xs: []i32) (x: i32) = filter (> 0) xs + x", &format!("{named} (rep x)"));
    elaborate("def f (b: bool) (xs: []i32) = (if b then xs else [1, 2]) * 2");
    elaborate("def f (n: i64) = (0..2..<n) * 2");
    elaborate("def f (n: i64) (xs: []i32) = xs[n:] * 2");
}

#[test]
fn results_of_unknown_size_are_computed_with_further() {
    elaborate("def f (xs: []i32) = (filter (> 0) xs + 1) * 2 - 3");
    elaborate("def f (xs: []i32) = 3 - 2 * (filter (> 0) xs + 1)");
    elaborate("def f (xs: []i32) = let ys = filter (> 0) xs + 1 in ys * 2");
    elaborate("def f (xs: []i32) = let ys = filter (> 0) xs in ys + ys * 2");
    elaborate("def f (xs: []i32) = i32.sum (filter (> 0) xs + 1)");
    elaborate("def f (xs: []i32) = -(filter (> 0) xs) + 1");
    elaborate("def f (xss: [][]i32) = map (\\xs -> i32.sum (filter (> 0) xs + 1)) xss");
}

#[test]
fn functions_are_applied_to_an_array_of_unknown_size_and_a_scalar() {
    let g = "def g (x: i32) (y: i32) (z: i32): i32 = x + y * z\n";
    body(
        &format!("{g}def f (xs: []i32) = g 1 (filter (> 0) xs) 2"),
        "let a1' = (filter (> 0) xs) in map2 (g 1) a1' (rep 2)",
    );
    elaborate(&format!("{g}def f (xs: []i32) = g (filter (> 0) xs) 1 2"));
}

#[test]
fn names_that_are_given_hide_nothing() {
    let out = elaborate("def f (a1': i32) (xs: []i32) = filter (> 0) xs + a1'");
    assert!(out.contains("let a2' = filter (> 0) xs in map2 (+) a2' (rep a1')"), "{out}");
}

#[test]
fn arrays_of_two_unknown_sizes_are_not_added() {
    for text in [
        "def f (xs: []i32) (ys: []i32) = filter (> 0) xs + filter (> 0) ys",
        "def f (xs: []i32) = filter (> 0) xs + filter (< 0) xs + 1",
        "def f (xs: []i32) = (filter (> 0) xs + 1) * filter (< 0) xs",
        "def f (n: i64) (xs: []i32) = (filter (> 0) xs + 1) * xs[n:]",
    ] {
        assert!(check(text).is_err(), "{text}");
    }
}

#[test]
fn messages_name_what_was_written_and_not_the_maps() {
    for (text, role) in [
        ("def f = [1, 2, 3] + [1, 2]", "the right operand of +"),
        ("def f (x: [3][2]i32) = x * [1, 2, 3]", "the right operand of *"),
        ("def g (x: i32) (y: i32) = x + y def f = g [1, 2, 3] [1, 2]", "the 2nd argument of g"),
        (
            "def g (x: i32) (y: i32) (z: i32) = x + y + z def f = g 1 [1, 2, 3] [1, 2]",
            "the 3rd argument of g",
        ),
    ] {
        let said = check(text).unwrap_err();
        let [d] = &said[..] else { panic!("{said:#?}") };
        assert!(d.message.starts_with(role), "{d:#?}");
        let texts = d.labels.iter().map(|(_, text)| text).chain([&d.message]);
        for text in texts {
            assert!(!text.contains("map") && !text.contains("rep "), "{d:#?}");
        }
    }
}

//! Each refactoring on a few lines: what becomes of them, and that they still mean the same.

use super::source::Source;
use super::table::{ALL, Refactored};
use futc_frontend::db::CompilerDb;
use futc_frontend::world::Memory;
use futc_generate::oracle::core_at;
use futc_midend::internalise::Options;
use futc_midend::interp::{Value, run_entry};
use futc_midend::ir::Const;
use std::sync::Arc;

fn database() -> CompilerDb {
    CompilerDb::new(Arc::new(Memory::new()))
}

/// What a program means: the scalars that its entry point yields for a number.
fn meaning(db: &mut CompilerDb, text: &str) -> String {
    db.set_text("test.fut", text);
    let core = core_at(db, "test.fut", &Options::default());
    let core = core.unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let argument = Value::Scalar(Const::I64(5));
    let results = run_entry(&core, "main", vec![argument]);
    let results = results.unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    assert!(results.iter().all(|v| matches!(v, Value::Scalar(_))), "{results:?}");
    format!("{results:?}")
}

/// A program refactored, with no change refused; nothing if there is nothing to change.
fn refactored(db: &mut CompilerDb, name: &str, text: &str) -> Option<Refactored> {
    let source = Source::read(db, text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let refactoring = ALL.iter().find(|r| r.name == name);
    let refactoring = refactoring.unwrap_or_else(|| panic!("there is no refactoring {name}"));
    let done = refactoring.apply(db, &source)?;
    assert!(done.refused.is_empty(), "{:?}\n{text}", done.refused);
    Some(done)
}

/// A program becomes one that has these parts, and means the same.
fn becomes(name: &str, text: &str, parts: &[&str]) {
    let mut db = database();
    let done = refactored(&mut db, name, text);
    let done = done.unwrap_or_else(|| panic!("nothing changes in\n{text}"));
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in parts {
        assert!(words(&done.text).contains(part), "no {part} in\n{}", done.text);
    }
    let before = meaning(&mut db, text);
    assert_eq!(before, meaning(&mut db, &done.text), "{}", done.text);
    assert_eq!(before, meaning(&mut db, &done.original), "{}", done.original);
}

/// There is nothing to change in a program.
fn stays(name: &str, text: &str) {
    let done = refactored(&mut database(), name, text);
    assert!(done.is_none(), "{}", done.map(|d| d.text).unwrap_or_default());
}

#[test]
fn scalar_expressions_become_functions() {
    becomes(
        "function",
        "module m = { def f (n: i64) : i64 =\n  let k = n + 2\n  let j = k * n - n % 3 + k\n  let z = j + 1 in z - j * k / 2 + n }\n\
         entry main (n: i64) = m.f n",
        &[
            "def refactored_function_0 (k: i64) (n: i64) : i64 = let j = k * n - n % 3 + k let z",
            "let k = n + 2 in (refactored_function_0 k n)",
            "entry refactored_entry_0 (k: i64) (n: i64) : i64 = m.refactored_function_0 k n",
        ],
    );
    // What uses an array, or a function of the surroundings, stays.
    stays("function", "entry main (n: i64) = let xs = iota n in xs[0] + n * n - 2 * n + xs[1]");
    stays("function", "entry main (n: i64) = let f x = x + n in 1 + f n");
}

#[test]
fn tuples_become_records() {
    becomes(
        "record",
        "def f (a: i64, b: i64) : (i64, i64) = (a * b, a - b)\n\
         entry main (n: i64) =\n  let (b, a) = if n > 3 then (n, 1) else let m = n + 1 in (m, n)\n  in f (b, a)",
        &[
            "def f {0 = a: i64, 1 = b: i64} : {0: i64, 1: i64} = {0 = a * b, 1 = a - b}",
            "let {b = b, a = a} = if n > 3 then {b = n, a = 1} else let m = n + 1 in {b = m, a = n}",
            "f {0 = b, 1 = a}",
        ],
    );
    becomes(
        "record",
        "entry main (n: i64) = loop (x, _, _y) = (n, 2, 3) for i < n do (x + i, i, 2)",
        &[
            "(let {x = part_0, field_1 = part_1, field_2 = part_2} = loop {x = x, field_1 = _, field_2 = _y} = \
             {x = n, field_1 = 2, field_2 = 3} for i < n do {x = x + i, field_1 = i, field_2 = 2} \
             in (part_0, part_1, part_2))",
        ],
    );
    // What comes from elsewhere has numbers for fields.
    becomes(
        "record",
        "def f (n: i64) = (n, n + 1)\nentry main (n: i64) = let (a, b) = f n in a * b",
        &["let {0 = a, 1 = b} = f n"],
    );
    stays("record", "entry main (n: i64) = n");
}

#[test]
fn definitions_become_modules() {
    let text =
        "#[inline]\ndef f (n: i64) : f64 = 0.5 + 2 * f64.i64 n\nentry main (n: i64) = f n + 1.5";
    becomes("module", text, &["module refactored = { #[inline] def f", "} open refactored entry"]);
    becomes(
        "functor",
        text,
        &[
            "module refactored (refactored_literals: { val literal_0 : f64 val literal_1 : f64 })",
            "= refactored_literals.literal_0 + refactored_literals.literal_1 * f64.i64 n",
            "open refactored { def literal_0 : f64 = 0.5 def literal_1 : f64 = 2 }",
            "f n + 1.5",
        ],
    );
    stays("module", "entry main (n: i64) = n");
    stays("functor", "def f (n: i64) = n + 1\nentry main (n: i64) = f n");
}

#[test]
fn arrays_become_arrays_of_pairs() {
    becomes(
        "pairs",
        "entry main (n: i64) =\n  let (xs, ys) = unzip (map2 (\\x y -> (x * y, x + y)) (iota n) (iota n))\n\
         in i64.sum (map3 (\\x y z -> x + y * z) xs ys (iota n))",
        &[
            "(let tuples = ((map (\\(element_0, element_1) -> (\\x y -> (x * y, x + y)) element_0 element_1) \
             (zip (iota n) (iota n)))) in (map (\\(x, _) -> x) tuples, map (\\(_, x) -> x) tuples))",
            "(\\x y z -> x + y * z) element_0 element_1 element_2) (zip3 xs ys (iota n))",
        ],
    );
    becomes(
        "pairs",
        "entry main (n: i64) = let xs = map2 (map2 (*)) [iota n] [iota n] in i64.sum xs[0]",
        &[
            "(map (\\(element_0, element_1) -> ((\\array_0 array_1 -> map (\\(element_0, element_1) -> (*) \
           element_0 element_1) (zip array_0 array_1))) element_0 element_1) (zip [iota n] [iota n]))",
        ],
    );
    // Another function of that name.
    stays("pairs", "def map2 (n: i64) (m: i64) = n + m\nentry main (n: i64) = map2 n n");
}

#[test]
fn tabulations_become_nested_maps() {
    becomes(
        "nested-maps",
        "entry main (n: i64) = let xs = tabulate_2d n 3 (\\i j -> i * j + n) in i64.sum (tabulate n (\\i -> xs[i, 2]))",
        &[
            "(map (\\index_0 -> map (\\index_1 -> (\\i j -> i * j + n) index_0 index_1) (iota 3)) (iota n))",
            "(map (\\index_0 -> (\\i -> xs[i, 2]) index_0) (iota n))",
        ],
    );
    stays("nested-maps", "entry main (n: i64) = i64.sum (map (+ 1) (iota n))");
}

#[test]
fn loops_become_recursive_functions() {
    becomes(
        "recursion",
        "entry main (n: i64) =\n  let xs = iota n\n  let (s, _) = loop (s, k) = (0, n) while k > 0 do\n\
         let t = loop t = s for j in 1..<k do t * 3 + xs[j]\n    in (s + t, k - 1)\n  in loop s for _i < n do s + 1",
        &[
            "def refactored_loop_1 (xs: []i64) (bound: i64) (j: i64) (state: i64) : i64 = if j < bound \
             then let t = state in refactored_loop_1 xs bound (j + 1) (t * 3 + xs[j]) else state",
            "(state: (i64, i64)) : (i64, i64) = let (s, k) = state in if k > 0 then refactored_loop_2 xs (let t = \
             (refactored_loop_1 xs (k) (1) (s))",
            "in (refactored_loop_0 (n) (0) (s))",
        ],
    );
    stays(
        "recursion",
        "entry main (n: i64) = let xs = loop xs = iota n for i < n do reverse xs in xs[0]",
    );
    stays("recursion", "entry main (n: i64) = let f x = x + n in loop s = n for i < n do f s");
}

#[test]
fn lambdas_become_partial_applications() {
    becomes(
        "partial",
        "entry main (n: i64) = i64.sum (map (\\x -> x * n) (iota n)) + i64.sum (map2 (\\(x: i64) y -> x + y) (iota n) (iota n))",
        &[
            "map (let refactored_partial_0 (n: i64) (x: i64) = x * n in refactored_partial_0 n) (iota n)",
            "(let refactored_partial_1 (_: i32) ((x: i64): i64) (y: i64) = x + y in refactored_partial_1 0)",
        ],
    );
    stays("partial", "entry main (n: i64) = i64.sum (map (+ 1) (iota n))");
}

#[test]
fn arguments_are_expanded() {
    becomes(
        "expansion",
        "def f (n: i64) (x: i64) = n + x\nentry main (n: i64) = reduce (+) 0 (map2 f (iota n) (iota n))",
        &[
            "reduce (\\ argument_0 argument_1 -> (+) argument_0 argument_1) 0",
            "(map2 (\\ argument_0 argument_1 -> f argument_0 argument_1) (iota n)",
        ],
    );
    stays("expansion", "entry main (n: i64) = i64.sum (iota n)");
}

#[test]
fn what_is_refused_is_left_out() {
    let mut db = database();
    // The module does not show the new function.
    let text = "module m : {val f : i64 -> i64} = { def f (n: i64) : i64 = let k = n in n * n + n * k - 1 }\n\
                def g (n: i64) = let k = n + 1 in n * n + n * k - 1\nentry main (n: i64) = m.f n + g n";
    let source = Source::read(&mut db, text).unwrap_or_else(|e| panic!("{e}"));
    let function = ALL.iter().find(|r| r.name == "function");
    let done = function.and_then(|r| r.apply(&mut db, &source));
    let done = done.unwrap_or_else(|| panic!("nothing changes"));
    assert_eq!((done.made, done.refused.len()), (1, 1), "{:?}", done.refused);
    assert_eq!(meaning(&mut db, text), meaning(&mut db, &done.text));
}

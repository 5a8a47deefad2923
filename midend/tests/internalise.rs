//! Source programs through the checker, internalisation, the verifier and the interpreter.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use futc_frontend::db::{CompilerDb, Db, diagnostics, has_errors, lines, program};
use futc_frontend::world::Memory;
use futc_midend::internalise::{Options, internalise};
use futc_midend::interp::{Value, run_entry};
use futc_midend::ir::verify::verify;
use futc_midend::ir::{Const, IntType, Prim, Program};
use std::sync::Arc;

fn compile(text: &str) -> Result<Program, String> {
    let db = CompilerDb::new(Arc::new(Memory::new().with("t.fut", text)));
    let root = db.source("t.fut");
    let found = diagnostics(&db, root);
    if has_errors(&found) {
        return Err(found.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("\n"));
    }
    let core = internalise(&program(&db, root), &lines(&db, root), &Options::default())
        .map_err(|e| e.to_string())?;
    match verify(&core) {
        Ok(()) => Ok(core),
        Err(errors) => Err(format!("{}\n{core}", errors[0])),
    }
}

fn run(text: &str, args: Vec<Value>) -> String {
    let core = match compile(text) {
        Ok(core) => core,
        Err(e) => return e,
    };
    match run_entry(&core, "main", args) {
        Ok(out) => out.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        Err(e) => e.message,
    }
}

fn i32s(xs: &[i32]) -> Value {
    let n = xs.len() as i64;
    Value::array(Prim::Int(IntType::I32), vec![n], xs.iter().map(|x| Const::I32(*x)))
}

fn i64(x: i64) -> Value {
    Value::i64(x)
}

/// A name, a program, its arguments, and the result.
type Case = (&'static str, &'static str, fn() -> Vec<Value>, &'static str);

/// Runs `main` of each program on its arguments in a thread with the stack of the driver.
fn table(cases: Vec<Case>) {
    let work = move || {
        for (name, text, args, expected) in cases {
            assert_eq!(run(text, args()), expected, "{name}");
        }
    };
    let thread = std::thread::Builder::new().stack_size(1 << 28).spawn(work);
    if let Err(e) = thread.expect("a thread").join() {
        std::panic::resume_unwind(e);
    }
}

#[test]
fn values() {
    table(vec![
        (
            "arrays of tuples are tuples of arrays",
            "def main (xs: []i32) = let ys = zip xs (map (+1) xs)
             in map (\\(a, b) -> a * b) (reverse ys)",
            || vec![i32s(&[1, 2, 3])],
            "[12i32, 6i32, 2i32]",
        ),
        (
            "records in any order, updated",
            "def main (x: i64) = let r = {b = x, a = {c = x + 1}} in
             let s = r with a.c = r.b * 10 in s.a.c + s.b",
            || vec![i64(2)],
            "22i64",
        ),
        (
            "sums with shared and unshared payload",
            "type t = #a i32 | #b i32 i64 | #c [2]i32
             def f (v: t): i64 = match v case #a x -> i64.i32 x case #b x y -> i64.i32 x + y
                                 case #c xs -> i64.i32 xs[1]
             def main (x: i32) = map f [#a x, #b x 5, #c [1, x]]",
            || vec![Value::Scalar(Const::I32(7))],
            "[7i64, 12i64, 7i64]",
        ),
        (
            "nested patterns and literals in order",
            "def f (p: (i32, i32)): i32 = match p case (0, 0) -> 1 case (0, y) -> y
                                          case (x, 0) -> -x case (x, y) -> x * y
             def main (n: i32) = (f (0, 0), f (0, n), f (n, 0), f (n, n))",
            || vec![Value::Scalar(Const::I32(3))],
            "1i32 3i32 -3i32 9i32",
        ),
        (
            "arrays of units keep their size",
            "def main (n: i64) = length (map (\\_ -> ()) (iota n))",
            || vec![i64(5)],
            "5i64",
        ),
        (
            "equality at records, sums and arrays",
            "def main (n: i64) = ((iota n, {a = n}) == (iota n, {a = n}),
               ([#some n, #none]: [2](#none | #some i64)) != [#some n, #some 1],
               iota n == sized n (iota (n + 1))[1:])",
            || vec![i64(3)],
            "true true false",
        ),
    ]);
}

#[test]
fn functions() {
    table(vec![
        (
            "closures, partial application, composition",
            "def twice 'a (f: a -> a) = f >-> f
             def main (n: i64) = let k = n * 2 let add x y = x + y + k in twice (add 1) n",
            || vec![i64(3)],
            "17i64",
        ),
        (
            "functions in records and tuples",
            "def ops (k: i64) = {inc = (+ k), dec = (\\x -> x - k)}
             def main (n: i64) = let o = ops 10 in o.inc (o.dec (o.inc n))",
            || vec![i64(1)],
            "11i64",
        ),
        (
            "recursion, first-order and with a function",
            "def fac (n: i64): i64 = if n <= 1 then 1 else n * fac (n - 1)
             def rep (n: i64) (f: i64 -> i64) (x: i64): i64 =
               if n == 0 then x else rep (n - 1) f (f x)
             def main (n: i64) = (fac n, rep n (\\x -> x * 2 + n) 1)",
            || vec![i64(5)],
            "120i64 187i64",
        ),
        (
            "size parameters of local polymorphic functions",
            "def main (n: i64) = let len [m] 't (_: [m]t) = m in (len (iota n), len [true])",
            || vec![i64(4)],
            "4i64 1i64",
        ),
        (
            "constants, evaluated once, and functions that use them",
            "def xs = map (* 2) (iota 4)
             def at (i: i64) = xs[i]
             def total = at 3 + i64.sum xs
             def main (i: i64) = at i + total",
            || vec![i64(2)],
            "22i64",
        ),
    ]);
}

#[test]
fn control() {
    table(vec![
        (
            "existential sizes of branches",
            "def main (n: i64) = let xs = if n > 3 then iota n else replicate 2 n
             in (length xs, i64.sum xs)",
            || vec![i64(4)],
            "4i64 6i64",
        ),
        (
            "loops whose arrays grow",
            "def main (n: i64) = loop xs = [1i64] for i < n do xs ++ [i]",
            || vec![i64(3)],
            "[1i64, 0i64, 1i64, 2i64]",
        ),
        (
            "while, for-in and unsigned bounds",
            "def main (n: i64) =
               let a = loop x = 1 while x < n do x * 2
               let b = loop s = 0 for (x, y) in zip (iota n) (iota n) do s + x * y
               let c = loop s = 0i64 for i < 200u8 do s + i64.u8 i
               in (a, b, c)",
            || vec![i64(5)],
            "8i64 30i64 19900i64",
        ),
        (
            "short circuits",
            "def main (n: i64) = let xs = iota n in n > 2 && xs[2] == 2 || n == 0 || xs[0] == 1",
            || vec![i64(0)],
            "true",
        ),
        (
            "in-place updates, chained, of slices and of fields",
            "def main (n: i64) =
               let a = replicate n (replicate n 0i64)
               let a = a with [1][0] = 7
               let a[0, 1:3] = [8, 9]
               let r = {f = a, g = n}
               let r.f[2][2] = 5
               in flatten r.f",
            || vec![i64(3)],
            "[0i64, 8i64, 9i64, 7i64, 0i64, 0i64, 0i64, 0i64, 5i64]",
        ),
    ]);
}

#[test]
fn arrays() {
    table(vec![
        (
            "filter, partition and their sizes",
            "def main (xs: []i32) = let (a, b) = partition (> 2) xs in (filter (< 3) xs, a, b)",
            || vec![i32s(&[3, 1, 2, 5])],
            "[1i32, 2i32] [3i32, 5i32] [1i32, 2i32]",
        ),
        (
            "scan, reduce and histogram of pairs",
            "def main (xs: []i32) =
               let (s, m) = unzip (scan (\\(a, b) (c, d) -> (a + c, i32.max b d)) (0, -1)
                                        (zip xs xs))
               in (s, m, hist (+) 0 3 (map (\\x -> i64.i32 x % 3) xs) xs)",
            || vec![i32s(&[3, 1, 2, 5])],
            "[3i32, 4i32, 6i32, 11i32] [3i32, 3i32, 3i32, 5i32] [3i32, 1i32, 7i32]",
        ),
        (
            "ranges and slices with strides",
            "def main (n: i64) = (n..n-2..>0, (iota n)[::-2], (0..3...n)[1:])",
            || vec![i64(7)],
            "[7i64, 5i64, 3i64, 1i64] [6i64, 4i64, 2i64, 0i64] [3i64, 6i64]",
        ),
        (
            "reshaping",
            "def main (n: i64) =
               (transpose (unflatten (iota (2 * n) :> [2 * n]i64)) :> [n][2]i64, n)",
            || vec![i64(2)],
            "[[0i64, 2i64], [1i64, 3i64]] 2i64",
        ),
        (
            "rows of a size computed inside",
            "def main (n: i64) = map (\\i -> reduce (+) 0 (iota (i + 1))) (iota n)",
            || vec![i64(4)],
            "[0i64, 1i64, 3i64, 6i64]",
        ),
    ]);
}

#[test]
fn checks() {
    table(vec![
        (
            "index",
            "def main (n: i64) = (iota n)[n]",
            || vec![i64(3)],
            "Index [3] out of bounds for array of shape [3].",
        ),
        (
            "slice",
            "def main (n: i64) = (iota n)[1:n+1]",
            || vec![i64(3)],
            "Index [1:4] out of bounds for array of shape [3].",
        ),
        ("iota", "def main (n: i64) = iota n", || vec![i64(-2)], "Range 0..1..<-2 is invalid."),
        ("division", "def main (n: i64) = 1 / n", || vec![i64(0)], "division by zero"),
        (
            "coercion",
            "def main (n: i64) = iota n :> [2]i64",
            || vec![i64(3)],
            "Value of (desugared) shape [3] cannot match shape of type \"[2]i64\".",
        ),
        (
            "assertion",
            "def main (n: i64) = assert (n > 3) n",
            || vec![i64(3)],
            "Assertion is false: (n > 3)",
        ),
        (
            "entry sizes",
            "def main (n: i64) (xs: [n]i32) = i32.sum xs",
            || vec![i64(3), i32s(&[1])],
            "Entry point arguments have invalid sizes.",
        ),
        ("hole", "def main (_: i64): i32 = ???", || vec![i64(0)], "Reached hole of type: i32"),
    ]);
}

#[test]
fn unsafe_drops_checks_unless_safe() {
    let text = "def main (xs: []i32) (i: i64) = #[unsafe] xs[i]";
    let core = compile(text).map(|p| p.to_string()).unwrap_or_else(|e| e);
    assert!(!core.contains("assert"), "{core}");
}

#[test]
fn chains_of_higher_order_functions_do_not_blow_up() {
    let mut text = String::from("def f0 (g: i64 -> i64) (x: i64) = g x + g (x + 1)\n");
    for i in 1..24 {
        let j = i - 1;
        text.push_str(&format!(
            "def f{i} (g: i64 -> i64) (x: i64) = f{j} g x + f{j} g (x + 1) * f{j} g (x - 1)\n"
        ));
    }
    text.push_str("def main (n: i64) = f23 (\\x -> x * n) n\n");
    match compile(&text) {
        Ok(core) => assert!(core.to_string().len() < 1_000_000),
        Err(e) => panic!("{e}"),
    }
}

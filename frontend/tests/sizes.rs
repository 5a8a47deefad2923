//! Rules about sizes: which programs are refused, by which name, and their nearest relatives that
//! are not.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use futc_frontend::db::{CompilerDb, Db, diagnostics};
use futc_frontend::diag::{Severity, Sources};
use futc_frontend::world::Memory;
use futc_typed::span::Span;
use std::sync::Arc;

/// What was said: the name, the message, what each label says of which text, and the hints.
#[derive(Debug)]
struct Said {
    code: &'static str,
    message: String,
    labels: Vec<(String, String)>,
    hints: Vec<String>,
}

fn check(text: &str) -> Vec<Said> {
    let text = text.to_owned();
    let work = move || {
        let db = CompilerDb::new(Arc::new(Memory::new().with("main.fut", &text)));
        let said = diagnostics(&db, db.source("main.fut"));
        let sources = db.sources();
        let written = |span: Span| {
            let span = sources.absolute(span);
            let text = sources.text(span.file).unwrap_or_default();
            text[span.start as usize..span.end as usize].to_owned()
        };
        let errors = said.iter().filter(|d| d.severity == Severity::Error);
        let said: Vec<Said> = errors
            .map(|d| Said {
                code: d.code.name(),
                message: d.message.clone(),
                labels: d.labels.iter().map(|(s, t)| (written(*s), t.clone())).collect(),
                hints: d.hints.clone(),
            })
            .collect();
        said
    };
    std::thread::Builder::new().stack_size(256 << 20).spawn(work).unwrap().join().unwrap()
}

#[track_caller]
fn accepted(text: &str) {
    let said = check(text);
    assert!(said.is_empty(), "{text}\n{said:#?}");
}

#[track_caller]
fn refused(text: &str, code: &str) -> Said {
    let mut said = check(text);
    match said.iter().position(|d| d.code == code) {
        Some(i) => said.swap_remove(i),
        None => panic!("{text}\nexpected {code}, got {said:#?}"),
    }
}

/// Whether some label says something of this text.
fn labelled(d: &Said, text: &str) -> bool {
    d.labels.iter().any(|(at, said)| at == text && !said.is_empty())
}

#[test]
fn sizes_that_differ_are_shown_with_where_they_come_from() {
    let text = "def f [n] (xs: [n]i32) (ys: []i32) = map2 (+) xs (filter (> 0) ys)";
    let d = refused(text, "size-mismatch");
    assert!(d.message.contains("[n]i32"), "{}", d.message);
    assert!(labelled(&d, "n"), "{d:#?}");
    assert!(labelled(&d, "filter"), "{d:#?}");
    assert!(d.hints.iter().any(|h| h.contains(":> [n]i32")), "{d:#?}");
    accepted("def f [n] (xs: [n]i32) (ys: []i32) = map2 (+) xs (filter (> 0) ys :> [n]i32)");
}

#[test]
fn sums_of_unknown_sizes_are_no_constants() {
    refused("def f (xs: []i32) (ys: []i32) : [10]i32 = xs ++ ys", "size-mismatch");
    accepted("def f (xs: [4]i32) (ys: [6]i32) : [10]i32 = xs ++ ys");
}

#[test]
fn a_difference_in_rank_matters_more_than_one_in_size() {
    refused("def f [n] [m] (g: [n]i32 -> i32) (xss: [m][n]bool) = g xss", "type-mismatch");
}

#[test]
fn what_an_empty_array_needs_must_be_known() {
    refused(
        "def main (xs: []i32) = let a = [] : [][]i32 let b = [filter (> 0) xs] in a[0] == b[0]",
        "causality-check",
    );
    refused(
        "def main (b: bool) (xs: []i32) = if b then filter (> 0) xs else ???",
        "causality-check",
    );
    accepted("def main (b: bool) (xs: []i32) = if b then filter (> 0) xs else (??? : [10]i32)");
}

#[test]
fn what_a_function_needs_must_be_known() {
    let g = "def f [n] (_: [n]i32 -> i32) : [n]i32 -> i64 = \\_ -> n\n";
    let program = format!("{g}def main xs = f (\\_ -> 0) <| filter (> 0) xs");
    let d = refused(&program, "causality-check");
    assert!(labelled(&d, "filter"), "{d:#?}");
    accepted(&format!("{g}def main xs = let ys = filter (> 0) xs in f (\\_ -> 0) <| ys"));
    // An argument comes before the function, and before the arguments before it.
    accepted("def main (xs: []i32) = map (\\x -> x + 1) (filter (> 0) xs)");
}

#[test]
fn what_a_constructor_needs_must_be_known() {
    let t = "type option 'a = #none | #some a\n";
    refused(
        &format!(
            "{t}def main (b: bool) xs : option ([]i32) = if b then #none else #some (filter (> 0) xs)"
        ),
        "causality-check",
    );
    accepted(&format!(
        "{t}def main (b: bool) xs : option ([]i32) =
           let ys = filter (> 0) xs in if b then #none else #some ys"
    ));
}

#[test]
fn sizes_that_nothing_tells_are_ambiguous() {
    refused("def main = f32.sum ???", "ambiguous-size");
    refused("def main = let [n] [m] (xss: [n][m]i64) = [] in (n, m)", "ambiguous-size");
    refused(
        "def f [n] (g: [n]i64 -> i64) : i64 = n\ndef main = f (\\xs -> xs[0])",
        "ambiguous-size",
    );
    accepted("def f [n] (g: [n]i64 -> i64) : i64 = n\ndef main = f (\\(xs: [1]i64) -> xs[0])");
    let sum = "type~ sum = #foo ([]i32) | #bar ([]i32)\n";
    refused(&format!("{sum}def main (xs: []i32) = let v: sum = #foo xs in xs"), "ambiguous-size");
    let opt = "type opt 't = #some t | #none\n";
    refused(
        &format!("{opt}def f b (x: i64) = if b then #some (iota x) else #none :> opt ([2]i64)"),
        "ambiguous-size",
    );
}

#[test]
fn names_do_not_escape_into_what_is_outside() {
    refused("def f x = let g 'b (y: b) = if true then y else x in g", "scope-violation");
    refused(
        "def f x = let g 'b (y: b) = if true then y else x.0 let (_, _: i32) = x in g",
        "scope-violation",
    );
    refused("def f (ys: []i32) = \\(n: i64) (xs: [n]i32) -> zip xs ys", "scope-violation");
    refused("def f (ys: []i32) = let g [n] (xs: [n]i32) = zip xs ys in g", "scope-violation");
    refused("def f xs n = zip xs (iota n)", "scope-violation");
    let text = "def f (xs: []i32) = let n = 2 + 3 in zip (iota n) xs";
    let d = refused(text, "scope-violation");
    assert!(labelled(&d, "n"), "{d:#?}");
    accepted("def f n xs = zip xs (iota n)");
    accepted("def f [n] (xs: [n]i32) = zip (iota n) xs");
}

#[test]
fn elements_have_one_size() {
    refused("def f (ns: []i64) = map iota ns", "anonymous-size-instance");
    refused("def f [n] (xss: [n][10]i32) = map (filter (> 0)) xss", "anonymous-size-instance");
    accepted("def f (ns: []i64) = map (\\n -> iota n :> [3]i64) ns");
    accepted("def f [n] (xss: [n][10]i32) = map (\\xs -> reverse xs) xss");
}

#[test]
fn composition_needs_sizes_that_are_there() {
    refused("def f (xs: []i32) = (filter (> 0) >-> length) xs", "existential-param-ret");
    refused(
        "def f (n: i64) (m: i64) (b: [n][m]bool) = b[0, 0]\ndef g = uncurry f",
        "existential-param-ret",
    );
    accepted("def f (xs: []i32) = xs |> filter (> 0) |> map (+ 1) |> length");
    accepted("def f (n: i64) = n |> iota |> filter (> 3) |> map (\\x -> (x, x)) |> unzip");
}

#[test]
fn a_size_lifted_type_is_of_another_size_each_time() {
    accepted(
        "def iterate '~a (n: i32) (f: (() -> a) -> a) (x: () -> a) =
           loop x = x () for _i < n do f (\\() -> x)
         def main n (xs: []i32) = iterate n (\\(p: () -> []i32) -> p () ++ p ()) (\\() -> xs)",
    );
}

#[test]
fn sizes_in_brackets_are_sizes_of_something() {
    refused("def f [n] (x: i32) = (n, x)", "unused-size");
    refused(
        "def main = let [n] (f: [n]bool -> [n]bool) = \\(xs: [10]bool) -> xs in n",
        "unused-size",
    );
    accepted("def f [n] (g: [n]i32 -> i32) (xs: [n]i32) = g xs");
    accepted("def f [n] : [0][n]i32 = []");
}

#[test]
fn no_parameter_has_a_size_nobody_knows() {
    refused(
        "def f (x: bool) = let (n, _) = if x then (10, 1i32) else (20, 1) in \\(_: [n]bool) -> true",
        "unknown-param-def",
    );
    refused("def f (x: i64, y: i64) (a: [x]bool) = (y, a)", "inaccessible-size");
    refused("def f (x: i64, _: bool) : [0][x]i32 = []", "inaccessible-size");
    accepted("def f (x: i64) (y: i64) (a: [x]bool) = (y, a)");
}

#[test]
fn constants_have_one_value() {
    refused("def f [n] = (iota n, filter (> 5) (iota n))", "size-polymorphic-value");
    accepted("def f (n: i64) = (iota n, filter (> 5) (iota n))");
}

#[test]
fn abbreviations_have_sizes_that_are_there() {
    refused("type^ t = []bool -> bool", "anonymous-nonconstructive");
    accepted("type~ t = []bool");
    accepted("type^ t [n] = [n]bool -> bool");
}

#[test]
fn loops_know_their_sizes_before_each_iteration() {
    refused(
        "def hide [m] (xs: [m]i32) : ?[k].[k]i32 = filter (!= 0) xs
         def f [n] (iv: [n]bool) =
           loop (w, s) = (iv, [1i32]) for _i < 2 do
             let flags = hide s let _ = zip flags w in (w ++ w, s ++ s)",
        "causality-check",
    );
    let grow = "def grow [d] (a: [d]f64) (b: [d + 1]f64) : [d + 1]f64 = b\n";
    refused(
        &format!("{grow}def f [n] (a: [n]f64) (b: []f64) = loop c = a for i < 1 do grow c b"),
        "loop-variant-escape",
    );
    accepted("def f (n: i64) = loop (xs: []i64) = iota n for _i < 3 do xs ++ xs");
    accepted("def f = loop (n, xs: [n]i64) = (10, iota 10) for _i < 3 do (n + n, xs ++ xs)");
}

#[test]
fn size_lifted_types_are_no_elements() {
    let apply = "def apply 'a '~b (f: i64 -> a -> b) (x: a)";
    refused(&format!("{apply} = [f 0 x, f 1 x]"), "lifted-array-element");
    refused(&format!("{apply} = tabulate 10 (\\i -> f i x)"), "lifted-type-argument");
    accepted(&format!("{apply} = (f 0 x, f 1 x)"));
    refused(
        "module type s = { type~ t val mk : i64 -> t }
         module m : s = { type~ t = []i64 def mk = iota }
         def main = copy (m.mk 3)",
        "lifted-type-argument",
    );
}

#[test]
fn abstract_types_do_not_tell_sizes_of_their_arguments() {
    let m = "module m : { type const 'a 'b val mk 'a 'b : a -> b -> const a b }
               = { type const 'a 'b = a def mk x _ = x }\n";
    refused(
        &format!("{m}entry f [n] [k] (_: m.const ([n]i64) ([k]i64)) = k"),
        "nonconstructive-entry",
    );
    refused(
        &format!("{m}def g = let [n] [k] (_: m.const ([n]i64) ([k]i64)) = m.mk [1i64] [2i64] in k"),
        "unused-size",
    );
}

#[test]
fn constants_of_a_module_do_not_hide_their_size() {
    refused(
        "module m : { type~ t val x : t } = { type~ t = []bool def x = [true] }",
        "module-value-mismatch",
    );
    accepted("module m : { type~ t val x : () -> t } = { type~ t = []bool def x () = [true] }");
}

#[test]
fn consuming_functions_are_not_given_where_others_are_expected() {
    refused(
        "def f (a: *[][]f64) : [][]f64 = map (\\(r: *[]f64) : *[]f64 -> r) a",
        "consuming-argument",
    );
}

#[test]
fn local_functions_have_the_types_they_are_first_used_at() {
    refused("def f x = let apply f x = f x in apply (apply (i32.+) x) x", "type-mismatch");
    accepted("def f (x: i32) = let pair 't (y: t) = (y, y) in pair (pair x)");
    accepted("def f (xs: []i32) = let g (ys: []i32) = length ys in g xs + g [1, 2]");
}

#[test]
fn branches_of_sums_keep_their_own_sizes() {
    // The result is of neither size, so none may be taken for the other.
    refused(
        "type opt 't = #some t | #none
         def f b (x: i64) : opt ([1]i64) = if b then #some (iota x) else (#none : opt ([1]i64))",
        "size-mismatch",
    );
    accepted(
        "type opt 't = #some t | #none
         def f b (x: i64) = if b then #some (iota x) else (#none : opt ([1]i64)) :> opt ([]i64)",
    );
}

const OPTION: &str = "type option [n] = #some ([n]i64) | #none\n";

#[test]
fn constructors_over_arrays_of_different_sizes_are_branches() {
    for text in [
        "def f (c: bool) (n: i64) (m: i64) : ?[k].option [k] =
           if c then #some (iota n) else #some (iota m)",
        "def f (i: i32) (n: i64) (m: i64) : ?[k].option [k] =
           match i case 0 -> #some (iota n) case 1 -> #some (iota m) case _ -> #none",
        "def f (i: i32) (n: i64) (m: i64) : ?[k].option [k] =
           match i case 0 -> #none case 1 -> #some (iota m) case _ -> #some (iota n)",
        "def f (c: bool) (d: bool) (n: i64) (m: i64) (l: i64) : ?[k].option [k] =
           if c then if d then #some (iota n) else #some (iota m) else #some (iota l)",
        "def f (c: bool) (n: i64) (m: i64) : ?[k].(option [k], i32) =
           if c then (#some (iota n), 1) else (#some (iota m), 2)",
        "def f (c: bool) (n: i64) (m: i64) : ?[k].{o: option [k], x: [k]i64} =
           if c then {o = #some (iota n), x = iota n} else {o = #some (iota m), x = iota m}",
        "def f (c: bool) (n: i64) (m: i64) : ?[k].[3](option [k]) =
           if c then replicate 3 (#some (iota n)) else replicate 3 (#some (iota m))",
        "def f (c: bool) (x: option []) (n: i64) : ?[k].option [k] = if c then x else #some (iota n)",
        "def f (c: bool) (n: i64) : option [n] = if c then #none else #some (iota n)",
        "def f (c: bool) (n: i64) (m: i64) : i64 =
           let r : ?[k].option [k] = if c then #some (iota n) else #some (iota m)
           in match r case #some xs -> i64.sum xs case #none -> 0",
        "module m : { type t [n] val mk : (n: i64) -> t [n] } =
           { type t [n] = [n]i64 def mk n = iota n }
         def f (c: bool) (n: i64) (k: i64) = if c then m.mk n else m.mk k
         def g (c: bool) (n: i64) (k: i64) : ?[d].#a (m.t [d]) = if c then #a (m.mk n) else #a (m.mk k)",
    ] {
        accepted(&format!("{OPTION}{text}"));
    }
    // One size for both fields, and two in one branch.
    refused(
        &format!(
            "{OPTION}def f (c: bool) (n: i64) (m: i64) : ?[k].{{o: option [k], x: [k]i64}} =
               if c then {{o = #some (iota n), x = iota n}} else {{o = #some (iota m), x = iota n}}"
        ),
        "size-mismatch",
    );
    refused(
        &format!(
            "{OPTION}def f (c: bool) (n: i64) (m: i64) : option [n] =
               if c then #some (iota n) else #some (iota m)"
        ),
        "size-mismatch",
    );
    refused(
        "def f (c: bool) (n: i64) (m: i64) : ?[k].(#some ([k]i64) | #none) =
           if c then #some (iota n) else #some (replicate m true)",
        "type-mismatch",
    );
}

#[test]
fn loops_may_tie_their_sizes_to_those_that_their_parameters_start_from() {
    for text in [
        "def f (x: []i32) : []i32 = loop a = x for _i < 5i64 do map2 (+) a x",
        "def f x = loop a = x for _i < 5i64 do map2 (+) a (x: []i32)",
        "def f (x: []i32) = loop a = x while a[0] < 9 do map2 (+) x a",
        "def f (x: []i32) = loop a = x for e in x do map2 (+) (map (+ e) a) x",
        "def f (x: []i32) (y: []i32) =
           loop (a, b) = (x, y) for _i < 5i64 do (map2 (+) a y, map2 (+) b x)",
        "def f (x: []i32) (y: []i32) (z: []i32) =
           loop (a, b, c) = (x, y, z) for _i < 5i64 do (map2 (+) b x, map2 (+) c y, map2 (+) a z)",
        "def f (x: []i32) =
           loop r = {a = x, b = x} for _i < 5i64 do r with a = map2 (+) r.a x with b = r.a",
        "def f (x: []i32) =
           loop a = x for _i < 5i64 do loop b = a for _k < 3i32 do map2 (+) b x",
        "def f (x: [][]i32) = loop a = x for _i < 5i64 do map2 (map2 (+)) (transpose a) x",
        "def f (x: []i32) =
           let g y = loop a = y for _i < 5i64 do map2 (+) a y in (g x, g (x ++ x))",
        // Sizes that vary, and start as ones made of those from outside.
        "def f (x: []i32) = loop a = x ++ x for _i < 5i64 do x",
        "def f (x: []i32) (y: []i32) = loop (a, b) = (x, y) while length a > 3 do (b, a)",
    ] {
        accepted(text);
    }
    refused("def f (x: []i32) = loop a = x ++ x for _i < 5i64 do map2 (+) a x", "size-mismatch");
    refused(
        "def f (x: []i32) = loop a = x for _i < 5i64 do filter (> 0) (map2 (+) a x)",
        "loop-variant-escape",
    );
    refused(
        "def f [n] [m] (x: [n]i32) (y: [m]i32) =
           loop (a, b) = (x, y) for _i < 5i64 do (map2 (+) a y, map2 (+) b x)",
        "size-mismatch",
    );
}

#[test]
fn sizes_may_be_made_of_what_is_no_size_itself() {
    const SUM: &str = "def sum (r: i32) (x: [i64.i32 r]i64) = i64.sum x\n";
    for text in [
        "def f (r: i32) = sum r (replicate (i64.i32 r) 1)",
        "def f r x = sum r x\ndef g (r: i32) = f r (replicate (i64.i32 r) 1)",
        "def f r = \\x -> sum r x\ndef g (r: i32) = f r (replicate (i64.i32 r) 1)",
        "def f (r: i32) (x: [i64.i32 r]i64) = let g y = sum r y in g x",
        "def f (r: i32) (x: [i64.i32 r]i64) = x |> sum r",
        "def f (x: []i32) (y: [i64.i32 x[0]]i64) = sum x[0] y",
        "def f (p: (i32, i32)) (y: [i64.i32 p.1]i64) = sum p.1 y",
        "module m = { def f r x = sum r x }\ndef g (r: i32) = m.f r (replicate (i64.i32 r) 1)",
    ] {
        accepted(&format!("{SUM}{text}"));
    }
    for text in [
        "def f (r: i32) (s: i32) = sum r (replicate (i64.i32 s) 1)",
        "def f r x = sum r x\ndef g (r: i32) (s: i32) = f s (replicate (i64.i32 r) 1)",
        "def f (r: i32) = sum r (replicate (i64.i32 (r + 1)) 1)",
        "def f (p: (i32, i32)) (y: [i64.i32 p.1]i64) = sum p.0 y",
    ] {
        refused(&format!("{SUM}{text}"), "size-mismatch");
    }
}

#[test]
fn results_with_named_unknown_sizes_say_which_they_are_if_that_is_known() {
    for text in [
        "def f [n] (xs: [n]i32) : ?[m].[m]i32 = map (+ 1) xs
         def g [n] (xs: [n]i32) = map2 (+) xs (f xs)",
        "def f [n] (xs: [n]i32) : ?[m].([m]i32, [m]i32) = (xs, xs)
         def g [n] (xs: [n]i32) = map2 (+) xs (f xs).1",
        "def g [n] (xs: [n]i32) = let f (ys: [n]i32) : ?[m].[m]i32 = ys in zip xs (f xs)",
        "def f (xs: []i32) : ?[m].[m]i32 = filter (> 0) xs\ndef g xs = length (f xs)",
        "def f (n: i64) : ?[m].[m]i64 = iota (n + 1)\ndef g n = zip (f n) (iota (n + 1))",
    ] {
        accepted(text);
    }
    refused(
        "def f (xs: []i32) : ?[m].[m]i32 = filter (> 0) xs
         def g [n] (xs: [n]i32) = map2 (+) xs (f xs)",
        "size-mismatch",
    );
    refused(
        "def f [n] [k] (x: [n]i32) (y: [k]i32) : ?[m].([m]i32, [m]i32) = (x, y)",
        "size-mismatch",
    );
    // A specification forgets what its text does not say.
    refused(
        "module m : { val f [n] : [n]i32 -> ?[m].[m]i32 } =
           { def f [n] (xs: [n]i32) : ?[m].[m]i32 = xs }
         def g [n] (xs: [n]i32) = zip xs (m.f xs)",
        "size-mismatch",
    );
}

#[test]
fn local_functions_may_have_parameters_of_unknown_sizes_from_around_them() {
    for text in [
        "def f (n: i64) = let xs = filter (> 2) (iota n) let g ys = map2 (+) xs ys in g xs",
        "def f (n: i64) =
           let xs = filter (> 2) (iota n) let g (a, b) c = map3 (\\x y z -> x + y + z) a b c in
           let h ys = g (xs, ys) xs in h xs",
        "def f (n: i64) =
           let xs = filter (> 2) (iota n) let g ys = let h zs = map3 (\\a b c -> a + b + c) xs ys zs in h ys
           in g xs",
        "def f (n: i64) = let xs = filter (> 2) (iota n) let g r = map2 (+) xs r.a in g {a = xs}",
    ] {
        accepted(text);
    }
    refused(
        "def f (n: i64) = let g ys = map2 (+) (filter (> 2) (iota n)) ys in g (iota n)",
        "unknown-param-def",
    );
    refused(
        "def f (n: i64) = let g ys = let xs = filter (> 2) (iota n) in map2 (+) xs ys in g (iota n)",
        "unknown-param-def",
    );
    refused(
        "def f (n: i64) = let xs = filter (> 2) (iota n) let g ys = map2 (+) xs ys in g (iota n)",
        "size-mismatch",
    );
}

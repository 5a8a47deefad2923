//! Uniqueness and aliasing: what is consumed, and what may not be used, returned or passed then.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use futc_frontend::db::{CompilerDb, Db, diagnostics};
use futc_frontend::diag::{Diagnostic, Severity, render_plain};
use futc_frontend::world::Memory;
use futc_typed::span::Span;
use std::sync::Arc;

/// The errors in a program, and all as text.
fn errors(text: &str) -> (Vec<Diagnostic>, String) {
    let db = CompilerDb::new(Arc::new(Memory::new().with("a.fut", text)));
    let said: Vec<_> = diagnostics(&db, db.source("a.fut"))
        .iter()
        .filter(|d| d.severity == Severity::Error)
        .cloned()
        .collect();
    let shown = render_plain(&said, &db.sources());
    (said, shown)
}

/// The program is refused, for this reason alone; returns the diagnostic.
fn refused(code: &str, text: &str) -> Diagnostic {
    let (said, shown) = errors(text);
    assert!(said.len() == 1 && said[0].code.name() == code, "{code} in\n{text}\n{shown}");
    said[0].clone()
}

fn accepted(text: &str) {
    let (said, shown) = errors(text);
    assert!(said.is_empty(), "{text}\n{shown}");
}

/// The parts of the source that a diagnostic points at, with what it says there.
fn labels<'t>(text: &'t str, d: &Diagnostic) -> Vec<(&'t str, String)> {
    let part = |s: &Span| &text[s.start as usize..s.end as usize];
    d.labels.iter().map(|(s, said)| (part(s), said.clone())).collect()
}

#[test]
fn consumed_variables_and_their_aliases_are_gone() {
    refused("use-after-consume", "def f (xs: *[]i32) = let ys = xs with [0] = 1 in (ys, xs)");
    refused("use-after-consume", "def f (xs: *[]i32) = let ys = xs let xs[0] = 1 in (xs, ys)");
    refused("use-after-consume", "def f (xs: *[]i32) = let ys = xs let ys[0] = 1 in (xs, ys)");
    refused("use-after-consume", "def f (xs: *[]i32) = let r = xs[1:] let xs[0] = 1 in (xs, r)");
    refused(
        "use-after-consume",
        "def f (xs: *[][]i32) = let t = transpose xs let xs[0] = [1] in t",
    );
    accepted("def f (xs: *[]i32) = let y = xs[0] let xs[0] = 1 in (xs, y)");
    accepted("def f (xs: *[]i32) = let ys = copy xs let xs[0] = 1 in (xs, ys)");
    accepted("def f (xs: *[]i32) = let xs[0] = 1 let xs[1] = 2 in xs");
}

#[test]
fn the_message_shows_consumption_use_and_where_the_alias_came_from() {
    let text = "def f (xs: *[]i32) =\n  let ys = xs[1:]\n  let zs = xs with [0] = 1\n  in (zs, ys)";
    let d = refused("use-after-consume", text);
    assert!(d.message.contains("`ys`") && d.message.contains("`xs`"), "{}", d.message);
    let labels = labels(text, &d);
    assert_eq!(labels[0].0, "ys");
    assert_eq!(labels[1].0, "xs with [0] = 1");
    assert!(labels[1].1.contains("`xs` is consumed here"), "{labels:?}");
    assert_eq!(labels[2].0, "xs[1:]");
    assert_eq!(labels[2].1, "`ys` aliases `xs` because of this");
    assert!(d.hints.iter().any(|h| h.contains("`copy xs`")), "{:?}", d.hints);
}

#[test]
fn aliases_are_followed_from_binding_to_binding() {
    let text =
        "def f (xs: *[]i32) =\n  let ys = xs[1:]\n  let zs = ys[1:]\n  let xs[0] = 1\n  in zs[0]";
    let d = refused("use-after-consume", text);
    let said: Vec<_> = labels(text, &d).into_iter().map(|(_, said)| said).collect();
    assert!(said.contains(&"`zs` aliases `ys` because of this".to_owned()), "{said:?}");
    assert!(said.contains(&"`ys` aliases `xs` because of this".to_owned()), "{said:?}");
}

#[test]
fn several_misuses_are_several_errors() {
    let (said, shown) = errors(
        "def f (xs: *[]i32) = let a = xs with [0] = 1 in (a, xs)\n\
         def g (xs: []i32) = xs with [0] = 1\n\
         def h (xs: []i32) : *[]i32 = xs",
    );
    let codes: Vec<_> = said.iter().map(|d| d.code.name()).collect();
    assert_eq!(codes, ["use-after-consume", "not-consumable", "return-aliased"], "{shown}");
}

#[test]
fn parameters_are_consumable_if_marked() {
    let text = "def f (xs: []i32) = xs with [0] = 1";
    let d = refused("not-consumable", text);
    assert!(labels(text, &d).iter().any(|(_, s)| s.contains("without `*`")), "{d:?}");
    refused("not-consumable", "def f xs = xs with [0] = 1i32");
    refused("not-consumable", "def f (xs: []i32) = let ys = xs[1:] in ys with [0] = 1");
    refused("not-consumable", "def g (xs: *[]i32) = xs def f (xs: []i32) = g xs");
    refused("not-consumable", "def id 't (x: t) = x def f (xs: []i32) = id xs with [0] = 1");
    accepted("def g (xs: *[]i32) = xs def f (xs: []i32) = g (copy xs)");
    accepted("def f (xs: *[]i32) = xs with [0] = 1");
}

#[test]
fn components_are_consumed_one_by_one() {
    accepted("def f (t: *([]i32, []i32)) = (t with 0[0] = 0) with 1[0] = 0");
    accepted("def f (xs: *[]i32, ys: []i32) = (xs with [0] = ys[0], ys)");
    accepted("def f (t: *([]i32, []i32)) = let (a, b) = t let b[0] = 1 in (a, b)");
    accepted("def f (t: *([]i32, []i32)) = let a = t.0 with [0] = 1 in (a, t.1)");
    accepted("def f (r: *{a: []i32, b: i32}) = let x = r.a with [0] = 1 in x[0] + r.b");
    refused("use-after-consume", "def f (t: *([]i32, []i32)) = let a = t.0 with [0] = 1 in (a, t)");
    refused("not-consumable", "def f (xs: *[]i32, ys: []i32) = ys with [0] = xs[0]");
    refused("not-consumable", "def f (t: (*[]i32, []i32)) = let (a, b) = t in b with [0] = a[0]");
    accepted("def f (t: (*[]i32, []i32)) = let (a, b) = t in (a with [0] = b[0], b)");
    // Of the arguments only the marked component is gone.
    accepted(
        "def f (xs: *[]i32, ys: []i32) = xs with [0] = ys[0]\n\
         def g (xs: *[]i32) (ys: []i32) = (f (xs, ys), ys)",
    );
    refused(
        "use-after-consume",
        "def f (xs: *[]i32, ys: []i32) = xs with [0] = ys[0]\n\
         def g (xs: *[]i32) (ys: []i32) = (f (xs, ys), xs)",
    );
}

#[test]
fn sums_hold_aliases_in_their_payload() {
    refused(
        "use-after-consume",
        "def f (xs: *[]i32) = let v: #a ([]i32) | #b = #a xs let xs[0] = 1 in (xs, v)",
    );
    refused(
        "use-after-consume",
        "def f (v: *(#a ([2]i32) | #b)) =\n\
         let x = match v case #a xs -> xs with [0] = 1 case #b -> [0, 0] in (x, v)",
    );
    accepted(
        "def f (v: *(#a ([2]i32) | #b)) = match v case #a xs -> xs with [0] = 1 case #b -> [0, 0]",
    );
}

#[test]
fn each_path_consumes_for_itself() {
    accepted("def f (b: bool) (xs: *[]i32) = if b then xs with [0] = 1 else xs with [0] = 2");
    accepted(
        "def g (xs: *[]i32) : *[]i32 = xs\n\
         def f (b: bool) (xs: *[]i32) : *[]i32 = let ys = if b then xs else g xs in ys with [0] = 1",
    );
    refused(
        "use-after-consume",
        "def f (b: bool) (xs: *[]i32) = let y = if b then (xs with [0] = 1)[0] else 2 in (y, xs)",
    );
    refused(
        "use-after-consume",
        "def f (b: bool) (xs: *[]i32) (ys: *[]i32) =\n\
         let zs = if b then xs else ys let zs[0] = 1 in (zs, ys)",
    );
    // One of three may be taken although another is gone.
    accepted(
        "def f b c (x: *[]i32) (y: *[]i32) (z: *[]i32) =\n\
         let v = if b then x else y let _w = if c then y else z let v[0] = 0 in (v, z)",
    );
    // What one path consumes is another's result: both components are still one.
    refused(
        "unique-return-aliased",
        "def g (xs: *[]i32) = xs[0]\n\
         def f b (x: *[]i32) (y: *[]i32) (z: *[]i32) : (*[]i32, *[]i32) =\n\
         if b then (x, x) else let _ = g x in (y, z)",
    );
    refused(
        "use-after-consume",
        "def f (b: bool) (xs: *[]i32) = (b && (xs with [0] = 1)[0] == 1, xs)",
    );
}

#[test]
fn values_at_hand_are_not_consumed_by_what_follows() {
    refused("use-after-consume", "def f (xs: *[]i32) = (xs, xs with [0] = 1)");
    refused(
        "use-after-consume",
        "def g (a: []i32) (b: []i32) = a[0] + b[0]\n\
         def f (xs: *[]i32) = g xs (xs with [0] = 1)",
    );
    accepted("def f (xs: *[]i32) = (xs[0], xs with [0] = 1)");
    accepted("def f (xs: *[]i32) = xs[0] + (xs with [0] = 1)[0]");
    refused("use-after-consume", "def f (xs: *[]i32) = (xs with [0] = 1)[0] + xs[0]");
}

#[test]
fn updates_do_not_write_an_array_into_itself() {
    refused("update-aliases-source", "def f (xss: *[][]i32) = xss with [0] = xss[1]");
    refused("update-aliases-source", "def f 't (xs: *[]t) = xs with [0] = xs[1]");
    accepted("def f (xss: *[][]i32) = xss with [0] = copy xss[1]");
    accepted("def f (xs: *[]i32) = xs with [0] = xs[1]");
    accepted("def f (xs: *[]i32) = (xs with [1] = xs[0]) with [1] = xs[1]");
    accepted("def f [n] (xs: *[n]f32) = xs with [0:n] = map (/ xs[0]) xs[0:n]");
}

#[test]
fn chained_updates_take_a_row_and_put_it_back() {
    accepted("def f (xs: *[]{a: i32, b: [2]i32}) = xs with [0].a = 1");
    accepted("def f (xs: *[]{a: i32, b: [2]i32}) = xs with [0].b[1] = xs[1].b[0]");
    refused(
        "update-aliases-source",
        "def f (xs: *[]{a: i32, b: [2]i32}) = xs with [0].b = xs[1].b",
    );
    refused("not-consumable", "def f (xs: []{a: i32, b: [2]i32}) = xs with [0].b[1] = 1");
    accepted("def f (r: *{a: []i32, b: []i32}) = (r with a[0] = 1) with b = r.b");
    refused("use-after-consume", "def f (r: *{a: []i32, b: []i32}) = (r with a[0] = 1, r)");
}

#[test]
fn results_alias_what_they_are_made_of() {
    refused("return-aliased", "def f (xs: []i32) : *[]i32 = xs");
    refused("return-aliased", "def f (xs: []i32) : *[]i32 = let y: *[]i32 = xs in y");
    refused("return-aliased", "def f (xs: []i32) : *[]i32 = xs : *[]i32");
    refused("return-aliased", "def id (x: []i32) : []i32 = x def f (xs: []i32) : *[]i32 = id xs");
    refused("return-aliased", "def f (g: i64 -> []i32) : *[]i32 = g 1");
    accepted("def id (x: []i32) : []i32 = x def f (xs: *[]i32) : *[]i32 = id xs");
    accepted("def f (xs: []i32) : *[]i32 = map (+ 1) xs");
    accepted("def f (xs: []i32) : ([]i32, *[]i32) = (xs, copy xs)");
    refused("return-aliased", "def f (xs: []i32) : ([]i32, *[]i32) = (xs, xs)");
    refused("unique-return-aliased", "def f (xs: *[]i32) : (*[]i32, *[]i32) = (xs, xs)");
    refused("unique-return-aliased", "def f (xs: *[]i32) : ([]i32, *[]i32) = (xs, xs)");
    refused(
        "unique-return-aliased",
        "def dup x = (x, x) def f (xs: []i32) : (*[]i32, *[]i32) = dup (copy xs)",
    );
}

#[test]
fn what_of_a_result_is_unique_is_found_out() {
    accepted("def inc xs = map (+ 1i32) xs def f (xs: []i32) = inc xs with [0] = 1");
    accepted("def two (n: i64) = (iota n, iota n) def f n : (*[]i64, *[]i64) = two n");
    accepted("def f (xs: []i32) = let g (x: i32) = map (+ x) xs in g 1 with [0] = 2");
    accepted("def f (xs: []i32) = (\\x -> map (+ x) xs) 1 with [0] = 2");
    // A result type that is written says what holds.
    refused(
        "use-after-consume",
        "def two (n: i64) : ([]i64, []i64) = (iota n, iota n)\n\
         def f n = let (a, b) = two n let a[0] = 1 in (a, b)",
    );
    refused("not-consumable", "def f xs = xs def g (xs: []i32) = f xs with [0] = 1");
    accepted("module m : { val f [n] : [n]i32 -> *[n]i32 } = { def f (xs: []i32) = map (+ 1) xs }");
}

#[test]
fn constants_belong_to_all() {
    refused("not-consumable", "def c = [1, 2, 3] def f () = c with [0] = 1");
    refused("not-consumable", "def c = ([1, 2, 3], 1) def f () = c.0 with [0] = 1");
    refused("alias-free-variable", "def c = [1, 2, 3] def f () = c");
    refused("alias-free-variable", "def c = [1, 2, 3] def f () = c[1:]");
    refused("alias-free-variable", "def c = [1, 2, 3] def f = \\(b: bool) -> if b then c else []");
    accepted("def at 't (xs: []t) (i: i64) = xs[i] def c = [1, 2] def f = at c");
    accepted("def c = [1, 2, 3] def f () = copy c");
    accepted("def c = [1, 2, 3] def d = c def f (i: i64) = d[i]");
    refused("unique-constant", "def c : *[]i32 = [1, 2, 3]");
    // One with a size of its user's choice is made anew for each.
    accepted("def up [n] : [n]i64 = 0..1..<n def f n : *[n]i64 = up");
}

#[test]
fn functions_hold_what_they_use() {
    refused(
        "use-after-consume",
        "def f (y: i64) (xs: *[]i64) = let g i = i + xs[0] let xs[1] = 2 in (g y, xs)",
    );
    refused(
        "use-after-consume",
        "def f (y: i64) (xs: *[]i64) = let g = \\i -> i + xs[0] let xs[1] = 2 in (g y, xs)",
    );
    refused(
        "use-after-consume",
        "def at (xs: []i64) i = xs[i]\n\
         def f (xs: *[]i64) = let g = at xs let xs[1] = 2 in (g 0, xs)",
    );
    refused(
        "use-after-consume",
        "def f (xs: *[]i64) = let z = xs with [0] = 1 in (map (+ xs[0]) z)",
    );
    accepted("def f (xs: *[]i64) = let _g i = i + xs[0] let xs[1] = 2 in xs");
    // What it yields may be what it holds.
    refused("not-consumable", "def f (xs: []i64) = let g (_: i64) = xs in g 0 with [0] = 1");
    refused(
        "use-after-consume",
        "def f (xs: *[]i64) = let g (_: i64) = xs let ys = g 0 with [0] = 1 in (xs, ys)",
    );
}

#[test]
fn functions_and_loops_do_not_consume_what_is_outside() {
    let text = "def f (xs: *[]i32) = map (\\x -> (xs with [0] = x)[0]) [1, 2]";
    let d = refused("not-consumable", text);
    assert!(labels(text, &d).iter().any(|(_, s)| s.contains("any number of times")), "{d:?}");
    refused("not-consumable", "def f (xs: *[]i32) = let g x = xs with [0] = x in g 1");
    refused("not-consumable", "def f (xs: *[]i32) = loop y = 0 for _i < 9 do (xs with [0] = y)[0]");
    refused(
        "not-consumable",
        "def eat (xs: *[]i64) = xs[0]\n\
         def f [n] (ns: *[n]i64) (xs: [eat ns]f32) = xs[0] + f32.i64 n",
    );
    accepted("def f (xs: []i32) = map (\\x -> (copy xs with [0] = x)[0]) [1, 2]");
    accepted("def f (n: i64) = loop ys = iota n for i < n do let z = copy ys in z with [i] = 0");
}

#[test]
fn consuming_functions_go_only_where_they_are_expected() {
    let apply = "def apply 'a 'b (f: a -> b) (x: a) = f x\n\
                 def zero (xs: *[]i32) = xs with [0] = 0\n";
    refused("consuming-argument", &format!("{apply}def f (xs: *[]i32) = apply zero xs"));
    refused("consuming-argument", &format!("{apply}def f (xss: [][2]i32) = map zero xss"));
    refused(
        "consuming-argument",
        &format!("{apply}def f (xss: [][2]i32) = map (\\(xs: *[2]i32) -> xs with [0] = 0) xss"),
    );
    accepted(
        "def apply 'a 'b (f: *a -> b) (x: *a) = f x\n\
         def zero (xs: *[]i32) = xs with [0] = 0\n\
         def f (xs: *[]i32) = apply zero xs",
    );
    refused("unify-consuming-param", &format!("{apply}def g : []i32 -> []i32 = zero"));
    refused("unify-consuming-param", &format!("{apply}def g = (zero : []i32 -> []i32)"));
    refused(
        "result-not-unique",
        "def g (f: () -> *[2]i32) = f () with [0] = 1\n\
         def h (xs: [2]i32) = let f () : [2]i32 = xs in g f",
    );
    accepted(
        "def g (f: () -> *[2]i32) = f () with [0] = 1\n\
         def h (xs: [2]i32) = let f () = copy xs in g f",
    );
}

#[test]
fn expressions_of_functions_do_not_consume() {
    let set = "def set (xs: *[]i32) (i: i64) = xs with [i] = 0\n";
    refused("contains-consumption", &format!("{set}def f (xs: *[]i32) = let g = set xs in g 0"));
    refused(
        "consuming-argument",
        &format!("{set}def f (xs: *[]i32) = map (\\g -> g[0]) (map (set xs) [1, 2])"),
    );
    accepted(&format!("{set}def f (xs: *[]i32) = (set xs) 0"));
    // What nobody else has can go into a function that is applied once.
    accepted(&format!("{set}def f (n: i64) = let g = set (replicate n 0) in g 0"));
    refused(
        "use-after-consume",
        &format!("{set}def f (n: i64) = let g = set (replicate n 0) in (g 0, g 1)"),
    );
    refused(
        "not-consumable",
        &format!(
            "{set}def f (n: i64) = let g = set (replicate n 0) in map (\\i -> (g i)[0]) (iota n)"
        ),
    );
}

#[test]
fn calls_do_not_get_twice_what_they_consume() {
    refused("use-after-consume", "def f (xs: *[]i64) = scatter xs xs xs");
    refused(
        "self-aliasing-arg",
        "def g (t: *([]i64, []i64)) = t.0[0] + t.1[0] def f n = let x = iota n in g (x, x)",
    );
    refused(
        "self-aliasing-arg",
        "def g (t: (*[]i64, []i64)) = t.0[0] + t.1[0] def f n = let x = iota n in g (x, x)",
    );
    accepted("def g (t: *([]i64, []i64)) = t.0[0] + t.1[0] def f n = g (iota n, iota n)");
    refused(
        "use-after-consume",
        "def f (xs: *[]i64) = let g (ys: *[]i64) = ys with [0] = xs[0] in g xs",
    );
}

#[test]
fn bulk_updates_consume_their_destination() {
    refused("not-consumable", "def f (xs: []i32) = scatter xs [0] [1]");
    refused("not-consumable", "def f (xs: []i32) = reduce_by_index xs (+) 0 [0] [1]");
    accepted("def f (xs: *[]i32) = scatter xs [0] [1]");
    accepted("def f (xs: *[]i32) = let xs = reduce_by_index xs (+) 0 [0] [1] in xs with [0] = 1");
    refused("use-after-consume", "def f (xs: *[]i32) = let y = scatter xs [0] [1] in (xs, y)");
}

#[test]
fn loops_consume_what_their_body_consumes() {
    accepted("def f (xs: *[]i32) = loop ys = xs for i < 10 do ys with [i] = 0");
    accepted(
        "def f (n: i64) = loop (a, b) = (iota n, iota n) for i < n do\n\
              let a[i] = b[i] let b[i] = 1 in (a, b)",
    );
    refused(
        "use-after-consume",
        "def f (xs: *[]i32) = let ys = loop ys = xs for i < 10 do ys with [i] = 0 in (xs, ys)",
    );
    refused("not-consumable", "def f (xs: []i32) = loop ys = xs for i < 10 do ys with [i] = 0");
    // A type says whether it may be; `*`, that it is, if it is handed on.
    refused(
        "not-consumable",
        "def f (xs: *[]i32) = loop ys: []i32 = xs for i < 9 do ys with [i] = 0",
    );
    refused("not-consumable", "def f (xs: []i32) = loop ys: *[]i32 = xs for _i < 9 do ys");
    // The initial value under another name.
    refused(
        "use-after-consume",
        "def f (xs: *[]i32) = loop ys = xs for i < 9 do ys with [i] = xs[9 - i]",
    );
    refused(
        "use-after-consume",
        "def f [n] (xs: *[n]i64) = let g i = xs[i] in loop ys = xs for i < n do ys with [i] = g i",
    );
    refused(
        "use-after-consume",
        "def f [n] (xs: *[n]i64) = loop ys = xs for x in xs do ys with [x] = 0",
    );
    refused(
        "self-aliasing-arg",
        "def f n = let x = iota n in loop (a, b) = (x, x) for i < n do (a with [i] = 0, b)",
    );
}

#[test]
fn the_next_round_gets_memory_of_its_own() {
    refused(
        "consuming-loop-param-aliases",
        "def f n (ys: *[]i64) = loop xs = iota n for i < n do let _ = xs with [i] = 0 in ys :> [n]i64",
    );
    refused(
        "consuming-loop-param-aliases",
        "def f (n: i64) = loop (xs: []i64, ys: *[]i64) = (iota n, iota n) for _i < 9 do (xs, xs)",
    );
    refused(
        "loop-parameter-aliases-other",
        "def f (n: i64) = loop (xs: *[]i64, ys: *[]i64) = (iota n, iota n) for _i < 9 do (xs, xs)",
    );
    refused(
        "aliases-previously-returned",
        "def f (n: i64) = loop (a, b) = (iota n, replicate n (iota n)) for i < n do\n\
         let b[i] = copy a in (b[0], b)",
    );
    // What becomes a consumed parameter is consumed a round later.
    refused(
        "not-consumable",
        "def f (n: i64) (xs: []i64) = loop (a, b) = (xs :> [n]i64, iota n) for i < n do\n\
         let b[i] = 0 in (b, a)",
    );
    accepted("def f (n: i64) = loop (a, b) = (iota n, iota n) for i < n do let b[i] = 0 in (b, a)");
}

#[test]
fn results_of_loops_alias_what_went_in() {
    refused(
        "not-consumable",
        "def g (xs: []i32) : []i32 = xs\n\
         def f (xs: []i32) = let ys = loop ys = xs for _i < 9 do g ys in ys with [0] = 0",
    );
    refused(
        "return-aliased",
        "def g [m] (_: [m]i32) (ys: [m]i32) : [m]i32 = ys\n\
         def f [m] k (xss: [k][m]i32) : *[m]i32 =\n\
         loop acc = replicate m 0 for i < k do g acc xss[i]",
    );
    accepted("def f (xs: []i32) = let ys = loop ys = copy xs for _i < 9 do ys in ys with [0] = 0");
    refused(
        "unique-return-aliased",
        "def f n : (*[]i64, *[]i64) =\n\
         loop _ = (iota 10, iota 10) for _i < n do let a = iota 10 in (a, a)",
    );
    refused(
        "unique-return-aliased",
        "def f (n: i64) : (*[]i64, *[]i64) = loop (a, _b) = (iota n, iota n) for _i < n do (a, a)",
    );
    // The values of two rounds are not the same.
    accepted(
        "def f (n: i64) : (*[]i64, *[]i64) =\n\
         loop (a, _b) = (iota n, iota n) for i < n do (map (+ i) a, a)",
    );
}

#[test]
fn modules_promise_what_their_values_keep() {
    refused(
        "module-value-mismatch",
        "module m : { val f [n] : [n]i32 -> i32 } = { def f (xs: *[]i32) = xs[0] }",
    );
    accepted("module m : { val f [n] : *[n]i32 -> i32 } = { def f (xs: []i32) = xs[0] }");
    refused(
        "module-value-mismatch",
        "module m : { val f [n] : [n]i32 -> *[n]i32 } = { def f [n] (xs: [n]i32) : [n]i32 = xs }",
    );
    refused(
        "module-value-mismatch",
        "module m : { val f [n] : (*[n]i32, [n]i32) -> i32 } =\n\
         { def f (xs: *[]i32, ys: *[]i32) = xs[0] + ys[0] }",
    );
    accepted(
        "module m : { val f [n] : (*[n]i32, [n]i32) -> i32 } = { def f (xs: *[]i32, ys: []i32) = xs[0] + ys[0] }",
    );
    refused(
        "not-consumable",
        "module m : { type t val new : t val put : *t -> t } =\n\
         { type t = [1]i32 def new = [1i32] def put (x: *t) = x with [0] = 1 }\n\
         def f (x: m.t) = m.put x",
    );
}

#[test]
fn parametric_modules_are_checked_once() {
    refused(
        "not-consumable",
        "module F (P: { val n : i64 }) = { def f (xs: []i64) = xs with [0] = P.n }\n\
         module a = F { def n = 1i64 }\n\
         module b = F { def n = 2i64 }",
    );
    // Constants of abstract type are mostly scalars.
    accepted(
        "module F (P: { type t val zero : t val (+) : t -> t -> t }) =\n\
         { def sum (xs: []P.t) = reduce (P.+) P.zero xs }\n\
         module a = F { type t = i32 def zero = 0i32 def (+) (a: i32) (b: i32) = a + b }",
    );
}

#[test]
fn recursion_and_holes_are_no_obstacle() {
    accepted("def f (xs: *[]i32) : *[]i32 = ???");
    refused("use-after-consume", "def f (xs: *[]i32) : []i32 = let y = xs with [0] = ??? in xs");
}

const SET: &str = "def set (xs: *[]i32) (i: i64) = xs with [i] = 0\n";

#[test]
fn functions_that_consume_what_they_hold_go_where_they_are_applied_once() {
    for text in [
        "def f [n] (is: [n]i64) (vs: [n]i32) : [n]i32 = vs |> scatter (replicate n 0) is",
        "def f [n] (is: [n]i64) (vs: [n]i32) = scatter (replicate 3 0) is <| vs",
        "def f [n] (is: [n]i64) (vs: [n]i32) =
           vs |> (scatter (replicate 3 0) is >-> map (+ 1)) |> reduce (+) 0",
        "def f [n] (is: [n]i64) (vs: [n]i32) = flip (scatter (copy vs)) vs is",
        "def f [n] (is: [n]i64) (vs: [n]i32) = vs |> (\\g x -> g x) (scatter (replicate 3 0) is)",
        "def app 'a 'b (f: a -> b) (x: a) = f x
         def f [n] (is: [n]i64) (vs: [n]i32) = app (scatter (replicate 3 0) is) vs",
        "def pick 'a 'b (c: bool) (f: a -> b) (x: a) (y: a) = if c then f x else f y
         def f [n] (is: [n]i64) (vs: [n]i32) = pick true (scatter (replicate 3 0) is) vs vs",
        "def f [n] (is: [n]i64) (vs: [n]i32) =
           let app g x = g x in app (scatter (replicate 3 0) is) vs",
        "def f [n] (is: [n]i64) (vs: [n]i32) = let g = scatter (replicate 3 0) is in g vs",
        "def f [n] (is: [n]i64) (vs: [n]i32) =
           let g = scatter (replicate 3 0) let h = g is in vs |> h",
        "module m = { def app 'a 'b (f: a -> b) (x: a) = f x }
         module seen : { val app 'a 'b : (a -> b) -> a -> b } = m
         def f [n] (is: [n]i64) (vs: [n]i32) = seen.app (scatter (replicate 3 0) is) vs",
    ] {
        accepted(text);
    }
    // What it gives out, when it is applied, is nobody else's.
    accepted(
        "def put (xs: *[]i32) (i: i64) : []i32 = xs with [i] = 7
         def f (n: i64) = let g = put (replicate n 0) in let r = g 1 in r with [0] = 2",
    );
}

#[test]
fn functions_that_consume_what_they_hold_are_applied_once() {
    let once = "use-after-consume";
    let argument = "consuming-argument";
    for (code, text) in [
        (once, "def f (n: i64) = let g = set (replicate n 0) in (0 |> g, 1 |> g)"),
        (once, "def f (n: i64) = let g = set (replicate n 0) in (0 |> g, g 1)"),
        (once, "def f (n: i64) = let g = set (replicate n 0) >-> map (+ 1) in (g 0, g 1)"),
        (once, "def f (n: i64) = let r = {g = set (replicate n 0)} in (r.g 0, r.g 1)"),
        (once, "def f (n: i64) = let g = set (replicate n 0) let h = g in (g 0, h 1)"),
        (
            once,
            "def app 'a 'b (f: a -> b) (x: a) = f x
             def f (n: i64) = let h = app (set (replicate n 0)) in (h 0, h 1)",
        ),
        // The result of a function is such a function.
        (
            once,
            "def mk (n: i64) = set (replicate n 0)
             def f (n: i64) = let g = mk n in (g 0, g 1)",
        ),
        (
            once,
            "def mk = set (replicate 3 0)
             def f = let g = mk in (g 0, g 1)",
        ),
        (once, "def f (n: i64) = let mk () = set (replicate n 0) let g = mk () in (g 0, g 1)"),
        (argument, "def f (n: i64) = map (set (replicate n 0)) (iota 2)"),
        (argument, "def f (n: i64) = iterate 2 (scatter (replicate n 0) (iota n)) (replicate n 1)"),
        (
            argument,
            "def both 'a 'b (f: a -> b) (x: a) = (f x, f x)
             def f (n: i64) = both (set (replicate n 0)) 0",
        ),
        (
            argument,
            "def later 'a 'b (f: a -> b) (x: a) = \\() -> f x
             def f (n: i64) = (later (set (replicate n 0)) 0) ()",
        ),
        (
            argument,
            "def app (r: {g: i64 -> []i32}) = (r.g 0, r.g 1)
             def f (n: i64) = app {g = set (replicate n 0)}",
        ),
        (
            argument,
            "def twice (mk: () -> i64 -> []i32) = let g = mk () in (g 0, g 1)
             def f (n: i64) = twice (\\() -> set (replicate n 0))",
        ),
        (
            argument,
            "module k (P: { val app 'a 'b : (a -> b) -> a -> b }) =
               { def f (n: i64) = P.app (set (replicate n 0)) 0 }",
        ),
        ("not-consumable", "def f (n: i64) = let g = set (replicate n 0) in \\i -> i |> g"),
        (
            "not-consumable",
            "def f (n: i64) =
               let g = set (replicate n 0) in loop s = 0 for i < 3 do s + (i |> g)[0]",
        ),
        (
            "contains-consumption",
            "def f (n: i64) = let g = set (replicate n 0) let h () = g in (h () 0, h () 1)",
        ),
    ] {
        refused(code, &format!("{SET}{text}"));
    }
    accepted(&format!("{SET}def mk (n: i64) = set (replicate n 0)\ndef f n = (mk n 0, mk n 1)"));
}

const OR_EMPTY: &str = "def table : [3]i32 = [1, 2, 3]
def or_empty (c: []i32) (b: bool) : []i32 = if b then c else []
def partial = or_empty table
";

#[test]
fn functions_without_parameters_may_give_out_constants() {
    for text in [
        "def f b = copy (partial b)",
        "def f b = partial b",
        "def other = partial\ndef f b = let g x = other x in copy (g b) with [0] = 1",
        "def f b = let r = partial b in r[0] + length r |> i64.i32",
        "def r = {f = or_empty table, n = 1i32}\ndef f b = copy (r.f b)",
    ] {
        let text = text.replace(" + length r |> i64.i32", "");
        accepted(&format!("{OR_EMPTY}{text}"));
    }
    // But nobody may consume these.
    for text in [
        "def f b = partial b with [0] = 1",
        "def other = partial\ndef f b = other b with [0] = 1",
        "def other b = partial b\ndef f b = other b with [0] = 1",
        "def other (b: bool) = let g x = partial x in g b\ndef f b = other b with [0] = 1",
        "def r = {f = or_empty table}\ndef f b = r.f b with [0] = 1",
        "module m : { val g : bool -> []i32 } = { def g = partial }\ndef f b = m.g b with [0] = 1",
        "module k (P: { val g : bool -> []i32 }) = { def f b = P.g b with [0] = 1 }
         module a = k { def g = partial }",
    ] {
        refused("not-consumable", &format!("{OR_EMPTY}{text}"));
    }
    refused("return-aliased", &format!("{OR_EMPTY}def f b : *[]i32 = partial b"));
    // Those with parameters say what they return.
    refused("alias-free-variable", &format!("{OR_EMPTY}def f b = or_empty table b"));
    refused("alias-free-variable", &format!("{OR_EMPTY}def f = \\b -> or_empty table b"));
}

#[test]
fn results_are_as_unique_as_module_types_ask_if_they_are_so_in_fact() {
    let finder =
        "module type finder = { val f [n] [u] : *[n]i64 -> [u]i64 -> *([n]i64, [u]i64) }\n";
    let with = |ret: &str, body: &str| {
        format!(
            "{finder}module m : finder = {{ def f [n] [u] (a: *[n]i64) (h: [u]i64) : {ret} = {body} }}"
        )
    };
    accepted(&with("(*[n]i64, [u]i64)", "(a, map (+ 1) h)"));
    accepted(&with("([n]i64, [u]i64)", "(a, copy h)"));
    accepted(&with("*([n]i64, [u]i64)", "(a, copy h)"));
    let mismatch = "module-value-mismatch";
    refused(mismatch, &with("(*[n]i64, [u]i64)", "(a, h)"));
    refused(mismatch, &with("([n]i64, [u]i64)", "(copy h :> [n]i64, h)"));
    refused(
        mismatch,
        "module m : { val f : (n: i64) -> *([n]i64, [n]i64) } =
           { def f (n: i64) : ([n]i64, [n]i64) = let x = iota n in (x, x) }",
    );
}

#[test]
fn loops_that_may_consume_need_not() {
    accepted(
        "def f [n] (xs: [n]i32) =
           loop (a: *[n]i32, b: *[]i32) = (replicate n 5, xs)
           while length b != 0 do (scatter a (map i64.i32 b) b, (copy b)[:0])",
    );
    accepted("def f [n] (xs: [n]i32) = loop (a: *[n]i32) = xs for _i < 3 do map (+ 1) a");
    accepted("def f [n] (xs: [n]i32) = loop (a: *[n]i32) = xs for x in xs do map (+ x) a");
    // Those that do, or hand it on, are given what is theirs.
    for body in ["a with [0] = 1", "let b = a in b with [0] = 1", "scatter a [0] [1]", "a", "a[:]"]
    {
        refused(
            "not-consumable",
            &format!("def f [n] (xs: [n]i32) = loop (a: *[n]i32) = xs for _i < 3 do {body}"),
        );
    }
    refused(
        "not-consumable",
        "def f [n] (xs: [n]i32) =
           loop (a: *[n]i32, b: *[n]i32) = (copy xs, xs) for _i < 3 do (b, a with [0] = 1)",
    );
    // What has not been consumed is an alias.
    refused(
        "not-consumable",
        "def f [n] (xs: [n]i32) =
           let r = loop (a: *[n]i32) = xs for _i < 3 do map (+ 1) a in r with [0] = 1",
    );
    refused(
        "return-aliased",
        "def f [n] (xs: [n]i32) : *[n]i32 = loop (a: *[n]i32) = xs for _i < 3 do map (+ 1) a",
    );
}

//! Programs whose types are small graphs that stand for trees of exponential size. Where a check
//! followed the tree, these tests would not end.

#![allow(clippy::unwrap_used, reason = "a test")]

use futc_frontend::check::verify::verify;
use futc_frontend::db::{CompilerDb, Db, diagnostics, program};
use futc_frontend::world::Memory;
use futc_typed::shared::steps;
use std::sync::Arc;

/// The codes of what is said of a program.
fn said(text: String) -> Vec<&'static str> {
    let work = move || {
        let world = Memory::new().with("a.fut", &text);
        let db = CompilerDb::new(Arc::new(world));
        let root = db.source("a.fut");
        diagnostics(&db, root).iter().map(|d| d.code.name()).collect()
    };
    std::thread::Builder::new().stack_size(256 << 20).spawn(work).unwrap().join().unwrap()
}

/// `type t0 = i32`, `type t1 = (t0, t0)` and so on.
fn doubled(base: &str, to: usize) -> String {
    let mut text = format!("type t0 = {base}\n");
    for i in 1..=to {
        text.push_str(&format!("type t{i} = (t{p}, t{p})\n", p = i - 1));
    }
    text
}

fn nested(function: &str, times: usize, inner: &str) -> String {
    format!("{}{inner}{}", format!("{function} (").repeat(times), ")".repeat(times))
}

/// The steps of walks over types that it takes to check a program, in which nothing is wrong, and to
/// verify what is made of it.
fn steps_of(text: String) -> (u64, u64) {
    let work = move || {
        let world = Memory::new().with("a.fut", &text).with("empty.fut", "");
        let db = CompilerDb::new(Arc::new(world));
        // The prelude is not what is measured.
        let (empty, root) = (db.source("empty.fut"), db.source("a.fut"));
        diagnostics(&db, empty);
        let start = steps();
        assert!(diagnostics(&db, root).is_empty(), "{text}");
        let checked = steps() - start;
        let verified = |root| {
            let program = program(&db, root);
            let start = steps();
            assert_eq!(verify(&program), [""; 0]);
            steps() - start
        };
        (checked, verified(root) - verified(empty))
    };
    std::thread::Builder::new().stack_size(256 << 20).spawn(work).unwrap().join().unwrap()
}

/// A chain that is ten times as long takes no more than eleven times as many steps.
fn is_linear(what: &str, text: impl Fn(u64) -> String) {
    let all = [30, 100, 300, 1000, 3000].map(|n| (n, steps_of(text(n))));
    for ((n, few), (_, many)) in all.iter().zip(all.iter().skip(2)) {
        // Or they would not have been counted.
        assert!(few.0.min(few.1) > *n, "{what}: {all:?}");
        assert!(many.0 <= few.0 * 11 && many.1 <= few.1 * 11, "{what}: {all:?}");
    }
}

#[test]
fn chains_are_checked_in_a_number_of_steps_linear_in_their_length() {
    let ids = |n: u64| "id ".repeat(n as usize);
    let composed = |n: u64| vec!["id"; n as usize].join(" >-> ");
    is_linear("id id … x", |n| format!("def f (x: i32) = {}x", ids(n)));
    is_linear("id id … xs", |n| format!("def f [n] (xs: [n]i32): [n]i32 = {}xs", ids(n)));
    is_linear("(id >-> id …) x", |n| format!("def f (x: i32) = ({}) x", composed(n)));
    is_linear("(id >-> id …) xs", |n| format!("def f [n] (xs: [n]i32) = ({}) xs", composed(n)));
}

#[test]
fn a_function_applied_to_itself_three_thousand_times_is_checked() {
    let chain = "id ".repeat(3000);
    assert!(said(format!("def f (x: i32) = {chain}x")).is_empty());
}

#[test]
fn a_function_is_applied_to_itself_and_then_to_an_array() {
    let chain = "id ".repeat(500);
    assert!(said(format!("def f [n] (xs: [n]i32): [n]i32 = {chain}xs")).is_empty());
}

#[test]
fn functions_composed_of_themselves_are_checked() {
    let chain = vec!["id"; 300].join(" >-> ");
    assert!(said(format!("def f (x: i32) = ({chain}) x")).is_empty());
    let chain = vec!["id"; 300].join(" <| ");
    assert!(said(format!("def f (x: i32) = {chain} <| x")).is_empty());
}

#[test]
fn the_type_of_a_wrong_argument_is_shown_in_part() {
    let chain = "id ".repeat(200);
    assert_eq!(said(format!("def f (g: i32 -> i32) = (({chain} g): bool)")), ["type-mismatch"]);
}

#[test]
fn abbreviations_double_without_cost_while_no_value_has_their_type() {
    let types = doubled("i32", 60);
    assert!(said(format!("{types}def f (x: i32) = x")).is_empty());
    let types = doubled("[2]i32", 60);
    assert!(said(format!("{types}def f (x: i32) = x")).is_empty());
}

#[test]
fn abbreviations_of_functions_double_without_cost() {
    let mut text = "type^ t0 = i32 -> i32\n".to_owned();
    for i in 1..=60 {
        text.push_str(&format!("type^ t{i} = t{p} -> t{p}\n", p = i - 1));
    }
    text.push_str("def f (g: t60) (x: t59): t59 = g x\n");
    text.push_str("module m: { val h: t60 -> t60 } = { def h (g: t60): t60 = g }\n");
    assert!(said(text).is_empty());
}

#[test]
fn a_module_with_doubled_types_is_matched_and_applied() {
    let text = format!(
        "module type s = {{ type t0\n{} val x: t3 }}\n\
         module f (m: s) = {{ type t = m.t60 def y: m.t3 = m.x }}\n\
         module a: s = {{ {} def x: t3 = (((1, 2), (3, 4)), ((5, 6), (7, 8))) }}\n\
         module b = f a",
        doubled("", 60).split_once('\n').map_or("", |(_, rest)| rest),
        doubled("i32", 60)
    );
    assert!(said(text).is_empty());
}

#[test]
fn values_of_too_many_parts_are_refused() {
    let types = doubled("i32", 60);
    for text in [
        "def f (x: t60) = x",
        "def f (g: i32 -> t60) = g 1",
        "def f (g: t60 -> i32): i32 = 1",
        "def f (x: i32): t60 = ???",
        "module type s = { val x: t60 }",
    ] {
        assert_eq!(said(format!("{types}{text}")), ["type-too-large"], "{text}");
    }
}

#[test]
fn pairs_of_pairs_are_refused_where_they_become_too_large() {
    let pair = "def p 'a (x: a): (a, a) = (x, x)\n";
    for times in [20, 60, 500] {
        let text = format!("{pair}def f (x: i32) = {}", nested("p", times, "x"));
        assert_eq!(said(text), ["type-too-large"]);
        let chain = vec!["p"; times].join(" >-> ");
        assert_eq!(said(format!("{pair}def f (x: i32) = ({chain}) x")), ["type-too-large"]);
    }
    let ten = nested("p", 10, "x");
    let text = format!("{pair}def g 'a (x: a) = {ten}\ndef f (x: i32) = g (g x)");
    assert_eq!(said(text), ["type-too-large"]);
    let text = format!("{pair}def f (x: i32) = {ten}");
    assert!(said(text).is_empty());
}

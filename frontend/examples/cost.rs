//! Prints how long programs take to be checked whose types, written out, are of exponential size.

#![allow(clippy::print_stdout, reason = "a tool")]

use futc_frontend::db::{CompilerDb, Db, diagnostics};
use futc_frontend::world::Memory;
use std::sync::Arc;
use std::time::Instant;

/// Says how long checking `text` takes, and what is said about it.
fn measure(what: &str, n: usize, text: &str) {
    let world = Memory::new().with("a.fut", text).with("empty.fut", "");
    let db = CompilerDb::new(Arc::new(world));
    // The prelude is not what is measured.
    let empty = db.source("empty.fut");
    diagnostics(&db, empty);
    let root = db.source("a.fut");
    let start = Instant::now();
    let said = diagnostics(&db, root);
    let time = start.elapsed();
    let outcome = said.first().map_or("accepted", |d| d.code);
    println!("{what:28} {n:5} {:10.1} ms  {outcome}", time.as_secs_f64() * 1000.0);
}

fn run() {
    for n in [10, 100, 1000, 3000] {
        measure("id id … x", n, &format!("def f (x: i32) = {}x", "id ".repeat(n)));
    }
    for n in [10, 100, 1000] {
        let text = format!("def f [n] (xs: [n]i32): [n]i32 = {}xs", "id ".repeat(n));
        measure("id id … xs", n, &text);
    }
    for n in [10, 100, 1000] {
        let text = format!("def f (x: i32) = ({}) x", vec!["id"; n].join(" >-> "));
        measure("(id >-> id …) x", n, &text);
    }
    for n in [10, 20, 40, 60] {
        let mut text = "type t0 = i32\n".to_owned();
        for i in 1..=n {
            text.push_str(&format!("type t{i} = (t{p}, t{p})\n", p = i - 1));
        }
        measure("type tN = (tM, tM)", n, &text);
        measure("… as a parameter", n, &format!("{text}def f (x: t{n}) = x"));
    }
    for n in [10, 20, 40, 60] {
        let pair = "def p 'a (x: a): (a, a) = (x, x)\n";
        let (open, close) = ("p (".repeat(n), ")".repeat(n));
        measure("p (p … x)", n, &format!("{pair}def f (x: i32) = {open}x{close}"));
    }
}

fn main() {
    if let Ok(handle) = std::thread::Builder::new().stack_size(1 << 30).spawn(run) {
        let _ = handle.join();
    }
}

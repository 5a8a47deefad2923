//! Prints how long programs take to be checked whose types, written out, are of exponential size.
//!
//! Of the chains, whose cost is to be linear, it prints the time for each link too: the medians of
//! several runs, as machines have other things to do. `cost 3000` measures chains of that length
//! alone, many times, for profilers.

#![allow(clippy::print_stdout, reason = "a tool")]

use futc_frontend::db::{CompilerDb, Db, diagnostics};
use futc_frontend::world::Memory;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long checking `text` takes, and what is said about it first.
fn time(text: &str) -> (Duration, &'static str) {
    let world = Memory::new().with("a.fut", text).with("empty.fut", "");
    let db = CompilerDb::new(Arc::new(world));
    // The prelude is not what is measured.
    let empty = db.source("empty.fut");
    diagnostics(&db, empty);
    let root = db.source("a.fut");
    let start = Instant::now();
    let said = diagnostics(&db, root);
    (start.elapsed(), said.first().map_or("accepted", |d| d.code.name()))
}

/// Says how long checking `text` takes, `runs` times over, and what is said about it.
fn measure(what: &str, n: usize, text: &str, runs: usize) {
    let mut all: Vec<_> = (0..runs).map(|_| time(text)).collect();
    all.sort();
    let Some((median, outcome)) = all.get(runs / 2) else { return };
    let ms = median.as_secs_f64() * 1000.0;
    let each = ms * 1000.0 / n as f64;
    println!("{what:28} {n:5} {ms:10.2} ms {each:8.2} µs/n  {outcome}");
}

/// The three chains of `n` identities.
fn chains(n: usize) -> [(&'static str, String); 3] {
    let (ids, composed) = ("id ".repeat(n), vec!["id"; n].join(" >-> "));
    [
        ("id id … x", format!("def f (x: i32) = {ids}x")),
        ("id id … xs", format!("def f [n] (xs: [n]i32): [n]i32 = {ids}xs")),
        ("(id >-> id …) x", format!("def f (x: i32) = ({composed}) x")),
    ]
}

fn run() {
    if let Some(n) = std::env::args().nth(1).and_then(|n| n.parse().ok()) {
        let only = std::env::args().nth(2).and_then(|n| n.parse().ok());
        for (i, (what, text)) in chains(n).iter().enumerate() {
            if only.is_none_or(|only: usize| only == i) {
                measure(what, n, text, 51);
            }
        }
        return;
    }
    for chain in 0..3 {
        for n in [10, 30, 100, 300, 1000, 3000] {
            if let Some((what, text)) = chains(n).get(chain) {
                measure(what, n, text, 7);
            }
        }
    }
    for n in [10, 20, 40, 60] {
        let mut text = "type t0 = i32\n".to_owned();
        for i in 1..=n {
            text.push_str(&format!("type t{i} = (t{p}, t{p})\n", p = i - 1));
        }
        measure("type tN = (tM, tM)", n, &text, 1);
        measure("… as a parameter", n, &format!("{text}def f (x: t{n}) = x"), 1);
    }
    for n in [10, 20, 40, 60] {
        let pair = "def p 'a (x: a): (a, a) = (x, x)\n";
        let (open, close) = ("p (".repeat(n), ")".repeat(n));
        measure("p (p … x)", n, &format!("{pair}def f (x: i32) = {open}x{close}"), 1);
    }
}

fn main() {
    if let Ok(handle) = std::thread::Builder::new().stack_size(1 << 30).spawn(run) {
        let _ = handle.join();
    }
}

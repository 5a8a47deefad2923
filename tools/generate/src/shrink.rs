//! Smaller programs that still show what is wrong: statements and definitions are deleted, and
//! expressions replaced by parts of themselves or by constants, as long as the fault stays. What
//! then is no program any more is refused by the front end, and not taken.

use crate::parts;
use crate::tree::{Expr, Part, Program};
use std::time::Instant;

/// Shrinks until nothing gets smaller, or time is up. `fails` says whether a program still shows
/// the fault.
pub fn shrink(
    program: &Program,
    until: Instant,
    fails: &mut dyn FnMut(&Program) -> bool,
) -> Program {
    let mut best = program.clone();
    loop {
        let before = best.text().len();
        for step in [results, extracted, statements, definitions, expressions, parameters] {
            step(&mut best, until, fails);
        }
        if best.text().len() >= before || Instant::now() >= until {
            return best;
        }
    }
}

type Fails<'a> = &'a mut dyn FnMut(&Program) -> bool;

/// Takes a candidate that is smaller and still fails.
fn take(best: &mut Program, candidate: Program, fails: Fails<'_>) -> bool {
    let smaller = candidate.text().len() < best.text().len();
    if smaller && fails(&candidate) {
        *best = candidate;
        return true;
    }
    false
}

fn results(best: &mut Program, until: Instant, fails: Fails<'_>) {
    let mut i = 0;
    while i < best.results.len() && best.results.len() > 1 && Instant::now() < until {
        let mut c = best.clone();
        c.results.remove(i);
        if !take(best, c, fails) {
            i += 1;
        }
    }
}

/// Makes a part of the program its only result, with no statements before it or all of them.
fn extracted(best: &mut Program, until: Instant, fails: Fails<'_>) {
    let mut all = Vec::new();
    best.clone().visit(&mut |e| {
        if e.ty.transparent().is_some() {
            all.push(e.clone());
        }
    });
    // Inner ones come last and are smaller.
    for e in all.into_iter().rev() {
        if Instant::now() >= until {
            return;
        }
        for stms in [Vec::new(), best.stms.clone()] {
            let c = Program { stms, results: vec![e.clone()], ..best.clone() };
            if take(best, c, fails) {
                break;
            }
        }
    }
}

fn definitions(best: &mut Program, until: Instant, fails: Fails<'_>) {
    for i in (0..best.defs.len()).rev() {
        if Instant::now() >= until {
            return;
        }
        let mut c = best.clone();
        c.defs.remove(i);
        take(best, c, fails);
    }
}

fn parameters(best: &mut Program, until: Instant, fails: Fails<'_>) {
    for i in (0..best.params.len()).rev() {
        if Instant::now() >= until {
            return;
        }
        let mut c = best.clone();
        c.params.remove(i);
        take(best, c, fails);
    }
    for i in (0..best.sizes.len()).rev() {
        let mut c = best.clone();
        c.sizes.remove(i);
        take(best, c, fails);
    }
}

/// Deletes statements, first halves of blocks, then single ones, later ones first.
fn statements(best: &mut Program, until: Instant, fails: Fails<'_>) {
    let mut block = 0;
    loop {
        let mut len = None;
        let mut at = 0;
        best.clone().visit_stms(&mut |s| {
            if at == block {
                len = Some(s.len());
            }
            at += 1;
        });
        let Some(len) = len else { return };
        let mut width = len.max(1);
        while width > 0 {
            let mut from = len;
            while from > 0 {
                if Instant::now() >= until {
                    return;
                }
                from = from.saturating_sub(width);
                let mut c = best.clone();
                let mut at = 0;
                c.visit_stms(&mut |s| {
                    if at == block {
                        let end = (from + width).min(s.len());
                        if from < end {
                            s.drain(from..end);
                        }
                    }
                    at += 1;
                });
                take(best, c, fails);
            }
            width /= 2;
        }
        block += 1;
    }
}

/// Replaces expressions by constants or by parts of themselves.
fn expressions(best: &mut Program, until: Instant, fails: Fails<'_>) {
    let mut i = 0;
    loop {
        let mut found = None;
        let mut at = 0;
        best.clone().visit(&mut |e| {
            if at == i {
                found = Some(e.clone());
            }
            at += 1;
        });
        let Some(e) = found else { return };
        let mut smaller = Vec::new();
        if let Some(text) = e.ty.plain() {
            smaller.push(Expr::new(&e.ty, parts![text]));
        }
        inner(&e, &mut smaller);
        smaller.extend(unblocked(&e));
        let mut taken = false;
        for replacement in smaller {
            if Instant::now() >= until {
                return;
            }
            let mut c = best.clone();
            let mut at = 0;
            c.visit(&mut |e| {
                if at == i {
                    *e = replacement.clone();
                }
                at += 1;
            });
            if take(best, c, fails) {
                taken = true;
                break;
            }
        }
        if !taken {
            i += 1;
        }
    }
}

/// Expressions inside of one that have its type.
fn inner(e: &Expr, out: &mut Vec<Expr>) {
    let ty = e.ty.clone();
    let mut copy = e.clone();
    let mut first = true;
    let mut visit = |e: &mut Expr| {
        if !first && e.ty == ty {
            out.push(e.clone());
        }
        first = false;
    };
    let mut p = Program {
        seed: 0,
        defs: Vec::new(),
        entry: String::new(),
        sizes: Vec::new(),
        params: Vec::new(),
        stms: Vec::new(),
        results: vec![std::mem::replace(&mut copy, Expr::new(&ty, Vec::new()))],
    };
    p.visit(&mut visit);
}

/// The result of a block without its statements.
fn unblocked(e: &Expr) -> Option<Expr> {
    match e.parts.as_slice() {
        [Part::Block(b)] => Some((*b.result).clone()),
        _ => None,
    }
}

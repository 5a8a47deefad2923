//! Loop distribution of scans: several that have become one go by themselves again, where vectors scan each of them.
//!
//! ```text
//! s, t = segscan (i < n) op [0] (+) op [0] (+) {        s = segscan (i < n) op [0] (+) { x = xs[i]  in (return 1 - x) }
//!   x = xs[i]                                      →    t = segscan (j < n) op [0] (+) { y = xs[j]  in (return y) }
//!   in (return 1 - x, return x) }
//! ```
//!
//! Fusion puts scans over the same elements into one loop, as those of counts by which a radix sort moves its elements. One thread scans one
//! element after the other there, while vectors scan a single array several at a time, and what little there is to compute is
//! computed again. Taken are scans by one operation of vectors each, of what is short, straight and cannot fail, over more than a few elements.
//!
//! Linear in the program; the body stands once for each scan.

use crate::analysis::bodies::{is_straight, returns};
use crate::analysis::contraction::accumulation;
use crate::ir::traverse::{Renamer, Rewrite, any_exp, for_each_block_mut};
use crate::ir::{
    Class, Exp, KernelBody, Level, NameSource, Program, Reduction, SegKind, SegLevel, SegOp, Stm,
    SubExp,
};

/// Longer bodies are not computed again.
const MOST_STATEMENTS: usize = 12;
/// Of fewer elements, each is scanned in order.
const SHORT: i64 = 32;

/// Distributes scans.
pub fn distribute_scans(mut program: Program) -> Program {
    if program.level == Level::Seg {
        let mut names = NameSource::new(program.next_tag);
        list(&mut program.consts.stms, &mut names);
        for f in &mut program.funs {
            list(&mut f.body.stms, &mut names);
        }
        program.next_tag = names.next_tag();
    }
    program
}

fn list(stms: &mut Vec<Stm>, names: &mut NameSource) {
    let mut out = Vec::with_capacity(stms.len());
    for mut s in std::mem::take(stms) {
        if pays(&s) {
            out.extend(distributed(&s, names));
        } else {
            for_each_block_mut(&mut s.exp, &mut |b| list(b, names));
            out.push(s);
        }
    }
    *stms = out;
}

/// Whether a statement is several scans that are better off as several.
fn pays(s: &Stm) -> bool {
    let Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Scan(ops), body }) = &s.exp
    else {
        return false;
    };
    let few = |n: &SubExp| matches!(n, SubExp::Const(c) if c.as_int().is_some_and(|n| n < SHORT));
    let short = space.dims.last().is_none_or(|(_, n)| few(n));
    let fails = |e: &Exp| matches!(e.class(), Class::Check | Class::Call | Class::Trace);
    ops.len() > 1
        && !short
        && s.forced().is_none()
        && ops.iter().all(|op| accumulation(op).is_some())
        && returns(body)
        && body.stms.len() <= MOST_STATEMENTS
        && body.stms.iter().all(is_straight)
        && !any_exp(|v| v.kernel_body(body), fails)
}

/// A scan for each operator. What the body stores besides goes with the first.
fn distributed(s: &Stm, names: &mut NameSource) -> Vec<Stm> {
    let Exp::Seg(SegOp { level, space, kind: SegKind::Scan(ops), body }) = &s.exp else {
        return Vec::new();
    };
    let scan = |(i, op): (usize, &Reduction)| {
        // Each operator has one result.
        let of = |k: usize| k == i || i == 0 && k >= ops.len();
        let chosen = KernelBody {
            stms: body.stms.clone(),
            results: kept(&body.results, of),
            types: kept(&body.types, of),
        };
        let kind = SegKind::Scan(vec![op.clone()]);
        let mut exp = Exp::Seg(SegOp { level: *level, space: space.clone(), kind, body: chosen });
        if i > 0 {
            Renamer::new(names).exp(&mut exp);
        }
        Stm { pat: kept(&s.pat, of), exp, ..s.clone() }
    };
    ops.iter().enumerate().map(scan).collect()
}

fn kept<T: Clone>(all: &[T], of: impl Fn(usize) -> bool) -> Vec<T> {
    all.iter().enumerate().filter(|(k, _)| of(*k)).map(|(_, x)| x.clone()).collect()
}

//! Filters, which are loops by then, in pieces: of those that ask for the neighbours of an element.
//!
//! ```text
//! r = loop (c = 0, out) for i < n {           lo = max 0 (min n 1)
//!   first = eq(i, 0)                          p = loop (c = 0, out) for i < lo { … as before … }
//!   f = if first { in true } else {     →     r = loop (c, out = p) for j < n - lo {
//!     x = xs[i - 1] …  in y                     i = j + lo
//!   }                                           x = xs[i - 1] …
//!   … update out[c] with … }                    … update out[c] with … }
//! ```
//!
//! LLVM peels the first round off a loop that starts at zero, but not off one over a task's range, nor the last one.
//! What the loop carries is handed on from piece to piece. Only loops of straight code that write to where a carried value says
//! are split: they are short, run for many elements, and every question counts.

use super::limits::Limits;
use super::outcomes::main_piece;
use super::pieces::{SplitNest, points, size};
use super::specialise::specialise;
use super::{I64, SHORT};
use crate::analysis::bodies::is_straight;
use crate::ir::traverse::{Renamer, Rewrite, Subst};
use crate::ir::{
    Body, Builder, Defs, DimIndex, Exp, KernelBody, KernelResult, LoopForm, Param, PatElem, Stm,
    StmAttr, SubExp, Type, Var,
};

/// Larger bodies stay whole.
const MOST_STATEMENTS: usize = 60;

/// A loop in pieces, if that gains anything.
pub(super) fn pieces(stm: &Stm, defs: &Defs, b: &mut Builder) -> Option<Vec<Stm>> {
    let Exp::Loop { params, init, form, body } = &stm.exp else { return None };
    let LoopForm::For { var: index, ty: I64, bound: n } = *form else { return None };
    let short = points(n).is_some_and(|n| n < SHORT);
    let straight = body.stms.iter().all(is_straight) && size(&body.stms) <= MOST_STATEMENTS;
    let in_place = |(p, q): (&Param, &PatElem)| match p.ty {
        Type::Prim(_) => true,
        Type::Array { .. } => p.mem.is_some() && p.mem == q.mem,
        Type::Cert | Type::Mem(_) => false,
    };
    let fits = straight && fills(params, body) && params.iter().zip(&stm.pat).all(in_place);
    if short || !fits || stm.has(StmAttr::Unroll) {
        return None;
    }
    let main = main_piece(&[(index, n)], &with_params(params, body), defs);
    if !main.decides() {
        return None;
    }
    let whole = KernelBody {
        stms: body.stms.clone(),
        results: body.result.iter().copied().map(KernelResult::Return).collect(),
        types: params.iter().map(|p| p.ty.clone()).collect(),
    };
    b.loc = stm.loc;
    b.begin();
    let limits = Limits::emit(&main, (index, n), defs, b);
    let (certs, attrs) = (stm.certs.as_slice(), stm.attrs.as_slice());
    let work =
        SplitNest { index, point: &[], ops: &[], body: &whole, main: &main, defs, certs, attrs };
    let Some(ranges) = work.ranges(&limits, b) else {
        b.end();
        return None;
    };
    let mut carried = init.clone();
    for (at, piece) in ranges.iter().enumerate() {
        let last = at + 1 == ranges.len();
        let pat = if last { stm.pat.clone() } else { b.renamed(&stm.pat) };
        let next = pat.iter().map(|p| p.var.into()).collect();
        let init = std::mem::replace(&mut carried, next);
        let body = specialise(&whole, &piece.known);
        let n = b.sub(piece.end, piece.start);
        let exp = over((index, params, body), init, (piece.start, n), b);
        b.push(Stm { pat, exp, schedule: None, ..stm.clone() });
    }
    Some(b.end())
}

/// Whether a loop writes to where a value that it carries says, as filters do.
fn fills(params: &[Param], body: &Body) -> bool {
    let carried = |v: Var| params.iter().any(|p| p.var == v);
    body.stms.iter().any(|s| match &s.exp {
        Exp::Update { dims, .. } => {
            matches!(*dims.as_slice(), [DimIndex::Fix(SubExp::Var(place))] if carried(place))
        }
        _ => false,
    })
}

/// The body behind what binds the loop's parameters, of which nothing is known.
fn with_params(params: &[Param], body: &Body) -> Vec<Stm> {
    let pat = params.iter().map(|p| PatElem::new(p.var, p.ty.clone())).collect();
    let bound = Stm::new(pat, Exp::Opaque(SubExp::i64(0)));
    std::iter::once(bound).chain(body.stms.iter().cloned()).collect()
}

/// The loop over `n` rounds from `start` on.
fn over(
    (index, params, mut body): (Var, &[Param], KernelBody),
    init: Vec<SubExp>,
    (start, n): (SubExp, SubExp),
    b: &mut Builder,
) -> Exp {
    let k = b.names.like(index);
    if start == SubExp::i64(0) {
        let mut renamed = Subst::new();
        renamed.insert(index, k);
        renamed.kernel_body(&mut body);
    } else {
        body.stms.insert(0, Stm::index_in_whole(index, k, start));
    }
    let returned = body.results.iter().filter_map(|r| match r {
        KernelResult::Return(x) => Some(*x),
        KernelResult::Write { .. } => None,
    });
    let body = Body { result: returned.collect(), stms: body.stms };
    let form = LoopForm::For { var: k, ty: I64, bound: n };
    let mut exp = Exp::Loop { params: params.to_vec(), init, form, body };
    Renamer::new(&mut b.names).exp(&mut exp);
    exp
}

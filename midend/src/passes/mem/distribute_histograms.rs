//! Loop distribution of histograms: what points compute goes by chunks that stay in the first cache, apart from the updates of
//! buckets.
//!
//! ```text
//! h = seghist (i < n) into [d] {        p @ m = alloc 8 · 128
//!   x = index xs[i]                     h = loop (d) for c < (n + 127) / 128 {
//!   t = x * scale                         first = c * 128, length = min 128 (n - first)
//!   k = fptosi t                 →        ks @ p = segmap (j < length) {
//!   w = index ws[i]                         i = j + first, x = index xs[i], …, return k }
//!   return k, return w }                  seghist (j < length) into [d] {
//!                                           i = j + first, w = index ws[i]
//!                                           return ks[j], return w } }
//! ```
//!
//! Points of a histogram go one after the other, as buckets of two may be the same, and nothing that they compute becomes
//! vectors. In chunks of their own it does, by lanes or by LLVM, if it is worth it: conversions, divisions by constants,
//! mathematical functions, loops. What is read or known at once is not kept. The same updates are made in the same order, and
//! what fails first does.
//!
//! Left alone: bodies that divide by what varies from run to run, for which there is strip-mining
//! ([`strip_mine`](crate::passes::index_set_splitting::strip_mine())); that make arrays; and whatever is not for one thread.
//! At level `mem`, before small blocks are promoted to the stack. Cost: linear; the code of a loop for each.

use super::chunks::{
    CHUNK, Kept, barred, block, chunk_of_map, elements_of_chunk, results_of_chunk,
};
use crate::analysis::bodies::{is_straight, takes_long};
use crate::analysis::lanes::expected_lanes;
use crate::ir::traverse::{Renamer, Rewrite, any_exp};
use crate::ir::{
    Body, Builder, Exp, HistOp, IntType, KernelBody, KernelResult, LoopForm, Param, PatElem,
    Program, SegKind, SegLevel, SegOp, SegSpace, Stm, StmAttr, SubExp, Type, Var,
};
use crate::passes::index_set_splitting::each_statement;

const I64: IntType = IntType::I64;

/// Distributes the histograms for which it pays.
pub fn distribute_histograms(program: Program) -> Program {
    each_statement(program, |s, _, b| distribute(s, b))
}

fn distribute(stm: &Stm, b: &mut Builder) -> Option<Vec<Stm>> {
    let Exp::Seg(op) = &stm.exp else { return None };
    let SegOp { level: SegLevel::Seq, space, kind: SegKind::Hist(ops), body } = op else {
        return None;
    };
    let [(index, n)] = *space.dims.as_slice() else { return None };
    let placed = stm.pat.iter().all(|p| p.mem.is_some());
    if !placed || stm.has(StmAttr::Rest) || !pays(index, body) || n == SubExp::i64(0) {
        return None;
    }
    let kept = Kept::of(index, body).filter(|k| !k.results.is_empty())?;
    b.loc = stm.loc;
    b.begin();
    let blocks: Vec<PatElem> = kept.types.iter().map(|t| block(*t, b)).collect();
    let rounded = b.add(n, SubExp::i64(CHUNK - 1));
    let count = b.quot(rounded, SubExp::i64(CHUNK));
    let chunk = b.names.fresh("chunk");
    b.begin();
    let first = b.mul(chunk.into(), SubExp::i64(CHUNK));
    let left = b.sub(n, first);
    let length = b.min(left, SubExp::i64(CHUNK));
    let results = results_of_chunk(&kept, &blocks, length, b);
    let made = chunk_of_map(stm, (index, first, length), (body, &kept), results.clone(), b);
    b.push(made);
    let params: Vec<Param> = (b.renamed(&stm.pat).into_iter())
        .map(|p| Param { mem: p.mem, ..Param::new(p.var, p.ty) })
        .collect();
    let updates =
        chunk_of_updates(stm, (index, first, length), (ops, body, &kept), (&results, &params), b);
    let result = updates.pat.iter().map(|p| p.var.into()).collect();
    b.push(updates);
    let body = Body { stms: b.end(), result };
    let init = ops.iter().flat_map(|h| &h.dests).map(|v| SubExp::from(*v)).collect();
    let form = LoopForm::For { var: chunk, ty: I64, bound: count };
    let mut exp = Exp::Loop { params, init, form, body };
    Renamer::new(&mut b.names).exp(&mut exp);
    b.push(Stm { loc: stm.loc, ..Stm::new(stm.pat.clone(), exp) });
    Some(b.end())
}

/// Whether what points compute is worth a place between.
fn pays(index: Var, body: &KernelBody) -> bool {
    let scalars = body.types.iter().all(|t| matches!(t, Type::Prim(_)));
    let divides = |e: &Exp| match e {
        Exp::BinOp(op, _, by) => op.is_partial() && by.var().is_some(),
        _ => false,
    };
    if !scalars || any_exp(|v| v.kernel_body(body), |e| barred(e) || divides(e)) {
        return false;
    }
    if !body.stms.iter().all(is_straight) {
        return expected_lanes(index, body, true).is_some();
    }
    body.stms.iter().any(takes_long)
}

/// The histogram of a chunk.
fn chunk_of_updates(
    stm: &Stm,
    (index, first, length): (Var, SubExp, SubExp),
    (ops, body, kept): (&[HistOp], &KernelBody, &Kept),
    (made, params): (&[PatElem], &[Param]),
    b: &mut Builder,
) -> Stm {
    let j = b.names.fresh("j");
    let (stms, elements) = elements_of_chunk((index, j, first), (body, kept), made, b);
    let results = elements.into_iter().map(KernelResult::Return).collect();
    let mut into = ops.to_vec();
    let mut next = params.iter().map(|p| p.var);
    for (dest, param) in into.iter_mut().flat_map(|h| &mut h.dests).zip(&mut next) {
        *dest = param;
    }
    let body = KernelBody { stms, results, types: body.types.clone() };
    let space = SegSpace { dims: vec![(j, length)] };
    let op = SegOp { level: SegLevel::Seq, space, kind: SegKind::Hist(into), body };
    let mut exp = Exp::Seg(op);
    Renamer::new(&mut b.names).exp(&mut exp);
    Stm { pat: b.renamed(&stm.pat), exp, schedule: None, ..stm.clone() }
}

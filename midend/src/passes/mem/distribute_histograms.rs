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

use crate::analysis::bodies::{is_straight, takes_long};
use crate::analysis::lanes::expected_lanes;
use crate::ir::traverse::{Renamer, Rewrite, any_exp, free_in_stm};
use crate::ir::varmap::VarSet;
use crate::ir::{
    Body, Builder, Class, DimIndex, Exp, HistOp, IntType, KernelBody, KernelResult, Lmad, LoopForm,
    MemBind, MemSpace, Param, PatElem, Prim, Program, SegKind, SegLevel, SegOp, SegSpace, Size64,
    Stm, StmAttr, SubExp, Type, Var,
};
use crate::passes::index_set_splitting::each_statement;

/// Points of a chunk: blocks of as many may be on the stack.
const CHUNK: i64 = 128;
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
    let kept = Kept::of(index, body)?;
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
    let results: Vec<PatElem> = (kept.types.iter().zip(&blocks))
        .map(|(t, block)| {
            let mem = MemBind { block: block.var, lmad: Lmad::row_major(&[length]) };
            PatElem::in_mem(b.names.fresh("kept"), Type::array(*t, vec![length]), mem)
        })
        .collect();
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
    let barred = |e: &Exp| match e {
        Exp::Call { .. } | Exp::Alloc { .. } => true,
        Exp::BinOp(op, _, by) => op.is_partial() && by.var().is_some(),
        _ => false,
    };
    if !scalars || any_exp(|v| v.kernel_body(body), barred) {
        return false;
    }
    if !body.stms.iter().all(is_straight) {
        return expected_lanes(index, body, true).is_some();
    }
    body.stms.iter().any(takes_long)
}

/// The results of a body that are kept between.
struct Kept {
    /// Of each result, which one of those that are kept.
    of: Vec<Option<usize>>,
    results: Vec<SubExp>,
    types: Vec<Prim>,
    /// Reads that are made where the buckets are updated.
    reads: Vec<Stm>,
}

impl Kept {
    /// Nothing if nothing has to be kept.
    fn of(index: Var, body: &KernelBody) -> Option<Kept> {
        let bound: VarSet =
            body.stms.iter().flat_map(|s| s.pat.iter().map(|p| p.var)).chain([index]).collect();
        let mut k =
            Kept { of: Vec::new(), results: Vec::new(), types: Vec::new(), reads: Vec::new() };
        for (r, t) in body.results.iter().zip(&body.types) {
            let (KernelResult::Return(x), Type::Prim(t)) = (r, t) else { return None };
            let inside = x.var().filter(|v| bound.contains(v) && *v != index);
            let Some(v) = inside else {
                k.of.push(None);
                continue;
            };
            let makes = |s: &&Stm| s.pat.iter().any(|p| p.var == v);
            let read = body.stms.iter().find(makes).filter(|s| is_read_at(s, index, &bound));
            if let Some(read) = read {
                if !k.reads.contains(read) {
                    k.reads.push(read.clone());
                }
                k.of.push(None);
                continue;
            }
            let place = k.results.iter().position(|y| y == x).unwrap_or_else(|| {
                k.results.push(*x);
                k.types.push(*t);
                k.results.len() - 1
            });
            k.of.push(Some(place));
        }
        (!k.results.is_empty()).then_some(k)
    }
}

/// Whether a statement reads an element whose place needs nothing but the index.
fn is_read_at(s: &Stm, index: Var, bound: &VarSet) -> bool {
    let Exp::Index { dims, .. } = &s.exp else { return false };
    let fixed = dims.iter().all(|d| matches!(d, DimIndex::Fix(_)));
    fixed && s.certs.is_empty() && free_in_stm(s).iter().all(|v| *v == index || !bound.contains(v))
}

/// The block for what is kept of a chunk, whose allocation is emitted.
fn block(elem: Prim, b: &mut Builder) -> PatElem {
    let p = PatElem::new(b.names.fresh("kept_mem"), Type::Mem(MemSpace::Host));
    let bytes = Size64::bytes(elem, &[SubExp::i64(CHUNK)]);
    b.push(Stm::new(vec![p.clone()], Exp::Alloc { bytes, space: MemSpace::Host }));
    p
}

/// The statements that make some results: reads of what has none of its own would only be in the way of lanes.
fn needed(stms: &[Stm], results: &[SubExp]) -> Vec<Stm> {
    let mut wanted: VarSet = results.iter().filter_map(|x| x.var()).collect();
    let mut out = Vec::with_capacity(stms.len());
    for s in stms.iter().rev() {
        let idle = matches!(s.exp.class(), Class::Name | Class::Scalar | Class::Element);
        if !idle || s.pat.iter().any(|p| wanted.contains(&p.var)) {
            wanted.extend(free_in_stm(s));
            out.push(s.clone());
        }
    }
    out.reverse();
    out
}

/// The map that computes a chunk.
fn chunk_of_map(
    stm: &Stm,
    (index, first, length): (Var, SubExp, SubExp),
    (body, kept): (&KernelBody, &Kept),
    pat: Vec<PatElem>,
    b: &mut Builder,
) -> Stm {
    let j = b.names.fresh("j");
    let mut stms = vec![Stm::index_in_whole(index, j, first)];
    stms.extend(needed(&body.stms, &kept.results));
    let results = kept.results.iter().map(|x| KernelResult::Return(*x)).collect();
    let types = kept.types.iter().map(|t| Type::Prim(*t)).collect();
    let body = KernelBody { stms, results, types };
    let space = SegSpace { dims: vec![(j, length)] };
    let op = SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body };
    let mut exp = Exp::Seg(op);
    Renamer::new(&mut b.names).exp(&mut exp);
    let attrs = vec![StmAttr::InCache];
    Stm { pat, exp, attrs, schedule: None, ..stm.clone() }
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
    let mut stms = vec![Stm::index_in_whole(index, j, first)];
    stms.extend(kept.reads.iter().cloned());
    let elements: Vec<SubExp> = (made.iter().zip(&kept.types))
        .map(|(array, t)| {
            let v = b.names.fresh("x");
            let dims = vec![DimIndex::Fix(j.into())];
            let exp = Exp::Index { array: array.var, dims };
            stms.push(Stm::new(vec![PatElem::new(v, Type::Prim(*t))], exp));
            v.into()
        })
        .collect();
    let results = (body.results.iter().zip(&kept.of))
        .map(|(r, place)| match place.and_then(|k| elements.get(k)) {
            Some(x) => KernelResult::Return(*x),
            None => r.clone(),
        })
        .collect();
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

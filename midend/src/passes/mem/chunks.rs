//! Chunks of what points compute, in blocks that stay in the first cache, for passes that distribute loops
//! ([`super::distribute_histograms`], [`super::distribute_filters`]).

use crate::ir::traverse::{Renamer, Rewrite, free_in_stm};
use crate::ir::varmap::VarSet;
use crate::ir::{
    Builder, Class, DimIndex, Exp, KernelBody, KernelResult, Lmad, MemBind, MemSpace, PatElem,
    Prim, SegKind, SegLevel, SegOp, SegSpace, Size64, Stm, StmAttr, SubExp, Type, Var,
};

/// Points of a chunk: blocks of as many may be on the stack.
pub(super) const CHUNK: i64 = 128;

/// What keeps points from going by lanes, so that chunks of them gain nothing.
pub(super) fn barred(e: &Exp) -> bool {
    matches!(e, Exp::Call { .. } | Exp::Alloc { .. })
}

/// The results of a body that are kept between.
pub(super) struct Kept {
    /// Of each result of the body, which one of those that are kept.
    pub(super) of: Vec<Option<usize>>,
    pub(super) results: Vec<SubExp>,
    /// Of each of these, its type.
    pub(super) types: Vec<Prim>,
    /// Reads that are made where the buckets are updated.
    pub(super) reads: Vec<Stm>,
}

impl Kept {
    /// Nothing if a result is no scalar.
    pub(super) fn of(index: Var, body: &KernelBody) -> Option<Kept> {
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
        Some(k)
    }
}

/// Whether a statement reads an element whose place needs nothing but the index.
fn is_read_at(s: &Stm, index: Var, bound: &VarSet) -> bool {
    let Exp::Index { dims, .. } = &s.exp else { return false };
    let fixed = dims.iter().all(|d| matches!(d, DimIndex::Fix(_)));
    fixed && s.certs.is_empty() && free_in_stm(s).iter().all(|v| *v == index || !bound.contains(v))
}

/// The block for what is kept of a chunk, whose allocation is emitted.
pub(super) fn block(elem: Prim, b: &mut Builder) -> PatElem {
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
pub(super) fn chunk_of_map(
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

/// The arrays of a chunk of so many points, in their blocks.
pub(super) fn results_of_chunk(
    kept: &Kept,
    blocks: &[PatElem],
    length: SubExp,
    b: &mut Builder,
) -> Vec<PatElem> {
    let array = |(t, block): (&Prim, &PatElem)| {
        let mem = MemBind { block: block.var, lmad: Lmad::row_major(&[length]) };
        PatElem::in_mem(b.names.fresh("kept"), Type::array(*t, vec![length]), mem)
    };
    kept.types.iter().zip(blocks).map(array).collect()
}

/// Statements that yield the results of the point `j` of a chunk, which its map has made or which are read at once; and
/// the results.
pub(super) fn elements_of_chunk(
    (index, j, first): (Var, Var, SubExp),
    (body, kept): (&KernelBody, &Kept),
    made: &[PatElem],
    b: &mut Builder,
) -> (Vec<Stm>, Vec<SubExp>) {
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
    let result = |(r, place): (&KernelResult, &Option<usize>)| match (r, place) {
        (_, Some(k)) => elements.get(*k).copied(),
        (KernelResult::Return(x), None) => Some(*x),
        (KernelResult::Write { .. }, None) => None,
    };
    let results = body.results.iter().zip(&kept.of).filter_map(result).collect();
    (stms, results)
}

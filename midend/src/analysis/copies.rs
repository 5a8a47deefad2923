//! The copies that statements make, at level mem: from which place to which.
//!
//! | statement | copies |
//! | --- | --- |
//! | on whole arrays | what the operation says, and views that lie in another block than the array |
//! | segmented operation | arrays that a point yields, unless they lie in their rows of the results |

use super::places::{Place, Places};
use crate::ir::{
    Defs, DimIndex, Exp, KernelResult, Lmad, LmadDim, Prim, SegKind, SegOp, Stm, SubExp, Var,
};

/// A copy. Offsets are not told.
#[derive(Clone, PartialEq, Debug)]
pub struct Copied {
    /// The type of the elements.
    pub elem: Prim,
    /// Where they go.
    pub target: Lmad,
    /// Where they come from.
    pub source: Lmad,
}

impl Copied {
    /// The dimension from which on both sides are dense, so that they are runs of neighbours: its rank if
    /// there are none.
    pub fn dense_from(&self, defs: &Defs) -> usize {
        let rank = self.target.dims.len();
        let dense = |lmad: &Lmad, from: usize| {
            let dims = lmad.dims.get(from..).unwrap_or_default().to_vec();
            Lmad { offset: lmad.offset.clone(), dims }.is_contiguous(defs)
        };
        let both = |from: &usize| dense(&self.target, *from) && dense(&self.source, *from);
        (0..rank).rev().take_while(both).last().unwrap_or(rank)
    }

    /// The dimensions along which neighbours are read, and along which they are written, if these are two.
    pub fn crossed(&self) -> Option<(usize, usize)> {
        let (from, to) = (self.source.unit_dim()?, self.target.unit_dim()?);
        (from != to).then_some((from, to))
    }
}

/// The copies that a statement makes, in order; those that are alike, once.
pub fn copies(stm: &Stm, places: &Places) -> Vec<Copied> {
    if let Exp::Seg(op) = &stm.exp {
        return rows_of_results(stm, op, places);
    }
    let mut out = Vec::new();
    let Some(to) = stm.pat.first().and_then(|p| places.of(p.var)) else { return out };
    let lmad = &to.mem.lmad;
    let mut copy = |target: Lmad, from: &Place, source: Lmad| {
        let there = to.mem.block == from.mem.block && target.same_place(&source, &places.defs);
        let copied = Copied { elem: to.elem, target, source };
        if !there && !out.contains(&copied) {
            out.push(copied);
        }
    };
    // What is in another block already is a view of it.
    let elsewhere = |array: Var| places.of(array).filter(|from| from.mem.block != to.mem.block);
    let array = |x: &SubExp| x.var().and_then(|v| places.of(v));
    match &stm.exp {
        Exp::Copy(from) => {
            if let Some(from) = places.of(*from) {
                copy(lmad.clone(), from, from.mem.lmad.clone());
            }
        }
        Exp::SubExp(SubExp::Var(from))
        | Exp::Opaque(SubExp::Var(from))
        | Exp::Trace(SubExp::Var(from)) => {
            if let Some(from) = elsewhere(*from) {
                copy(lmad.clone(), from, from.mem.lmad.clone());
            }
        }
        Exp::Index { array, dims } => {
            if let Some(from) = elsewhere(*array) {
                copy(lmad.clone(), from, from.mem.lmad.slice(dims));
            }
        }
        Exp::FlatIndex { array, offset, dims } => {
            if let Some(from) = elsewhere(*array) {
                copy(lmad.clone(), from, from.mem.lmad.flat_index(*offset, dims));
            }
        }
        Exp::Rearrange { array, perm } => {
            if let Some(from) = elsewhere(*array) {
                copy(lmad.clone(), from, from.mem.lmad.permute(perm));
            }
        }
        Exp::Reshape { array, .. } => {
            if let Some(from) = elsewhere(*array) {
                let source = &from.mem.lmad;
                if let Some(source) = source.reshape(&lmad.shape(), &places.defs) {
                    copy(lmad.clone(), from, source);
                } else if let Some(target) = lmad.reshape(&source.shape(), &places.defs) {
                    copy(target, from, source.clone());
                }
            }
        }
        Exp::Concat { dim, arrays, .. } => {
            for from in arrays.iter().filter_map(|v| places.of(*v)) {
                let source = from.mem.lmad.clone();
                let mut part = lmad.clone();
                if let (Some(to), Some(from)) = (part.dims.get_mut(*dim), source.dims.get(*dim)) {
                    to.n = from.n;
                }
                copy(part, from, source);
            }
        }
        Exp::Update { array: whole, dims, value } => {
            if let Some(from) = elsewhere(*whole) {
                copy(lmad.clone(), from, from.mem.lmad.clone());
            }
            let view = dims.iter().any(|d| matches!(d, DimIndex::Slice { .. }));
            if let (true, Some(from)) = (view, array(value)) {
                copy(lmad.slice(dims), from, from.mem.lmad.clone());
            }
        }
        Exp::FlatUpdate { array: whole, offset, dims, value } => {
            if let Some(from) = elsewhere(*whole) {
                copy(lmad.clone(), from, from.mem.lmad.clone());
            }
            if let Some(from) = places.of(*value) {
                copy(lmad.flat_index(*offset, dims), from, from.mem.lmad.clone());
            }
        }
        Exp::Replicate { shape, value } => {
            if let Some(from) = array(value) {
                copy(rows(lmad, shape.len()), from, from.mem.lmad.clone());
            }
        }
        Exp::ArrayLit { elems, .. } => {
            for from in elems.iter().filter_map(array) {
                copy(rows(lmad, 1), from, from.mem.lmad.clone());
            }
        }
        _ => {}
    }
    out
}

/// What the points of a segmented operation yield to rows of its results.
fn rows_of_results(stm: &Stm, op: &SegOp, places: &Places) -> Vec<Copied> {
    let mut out = Vec::new();
    // Buckets are updated by scalars.
    if let SegKind::Hist(_) = op.kind {
        return out;
    }
    let here: Vec<SubExp> = op.space.dims.iter().map(|(v, _)| SubExp::Var(*v)).collect();
    let mut copy = |to: &Place, indexes: &[SubExp], value: SubExp| {
        let Some(from) = value.var().and_then(|v| places.of(v)) else { return };
        if indexes.len() > to.rank() {
            return;
        }
        let (target, source) = (to.mem.lmad.row(indexes), from.mem.lmad.clone());
        let there = to.mem.block == from.mem.block && source.same_place(&target, &places.defs);
        let copied = Copied { elem: to.elem, target, source };
        if !there && !out.contains(&copied) {
            out.push(copied);
        }
    };
    for (p, result) in stm.pat.iter().zip(&op.body.results) {
        let Some(to) = places.of(p.var) else { continue };
        match result {
            KernelResult::Return(x) => copy(to, &here, *x),
            KernelResult::Write { dest: _, writes } => {
                writes.iter().for_each(|(indexes, x)| copy(to, indexes, *x));
            }
        }
    }
    out
}

/// The rows of an array at any indexes of its outer dimensions.
fn rows(lmad: &Lmad, outer: usize) -> Lmad {
    let dims: Vec<LmadDim> = lmad.dims.get(outer..).unwrap_or_default().to_vec();
    Lmad { offset: lmad.offset.clone(), dims }
}

//! Rows of arrays that the points of a map read, each its own, element after element.
//!
//! `xs[i, j]` of the point `i`, at indexes `j` that are the same for all points at a time: lanes would read what lies a row
//! apart. Whole rows of the points of a strip are transposed before instead, which moves as many elements by vectors. That
//! is no more than what a point does anyway, if it fills an array of as many elements itself, or has a loop of as many
//! rounds, or more, or a few less. Rows that are gone through again and again, in the rounds of a loop around, are worth it for that alone.

use super::super::rebase::Moved;
use crate::analysis::places::Places;
use crate::ir::traverse::{Rewrite, Visit, rewrite, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    DimIndex, Exp, KernelBody, LoopForm, MemBind, NameSource, Param, PatElem, Poly, Prim, Stm,
    SubExp, Type, Var,
};
use crate::ir::{Lmad, SegOp};

/// So many elements of a row may be left out: a loop over the others still takes as long as transposing it.
const FEW: i64 = 8;

/// The rows of an array that points read.
pub(super) struct Row {
    pub(super) array: Var,
    pub(super) elem: Prim,
    /// Where it lies.
    pub(super) mem: MemBind,
    /// The indexes of a read: which dimension is that of points, and which that of elements.
    pub(super) dims: Vec<DimIndex>,
    pub(super) point: usize,
    pub(super) element: usize,
    /// Elements of a row.
    pub(super) size: SubExp,
    /// It is gone through in each round of a loop.
    pub(super) again: bool,
    /// The transposed rows of a strip, and the block they lie in.
    pub(super) copy: Var,
    pub(super) block: Var,
}

impl Row {
    /// Where the transposed rows of a strip lie.
    pub(super) fn place(&self, width: i64) -> MemBind {
        MemBind { block: self.block, lmad: Lmad::row_major(&[self.size, SubExp::i64(width)]) }
    }
}

/// The rows that points read, of arrays that are not theirs.
pub(super) fn rows_read(
    index: Var,
    lane: Var,
    body: &KernelBody,
    places: &Places,
    moved: &VarMap<Moved>,
    names: &mut NameSource,
) -> Vec<Row> {
    let mut found = Found::of(body, moved);
    found.bound.insert(lane);
    let mut rows: Vec<Row> = Vec::new();
    let mut arrays: Vec<Var> = Vec::new();
    for Read { array, .. } in &found.reads {
        if !arrays.contains(array) {
            arrays.push(*array);
        }
    }
    for array in arrays {
        let Some(place) = places.of(array).filter(|_| !found.bound.contains(&array)) else {
            continue;
        };
        let reads: Vec<&Read> = found.reads.iter().filter(|r| r.array == array).collect();
        let mut shapes = reads.iter().filter_map(|r| found.shape(index, &r.dims));
        let Some((point, element, outer)) = shapes.next() else { continue };
        let alike = |r: &&Read| match found.shape(index, &r.dims) {
            Some(shape) => shape == (point, element, outer.clone()),
            None => found.is_certain(index, &r.dims, (point, element, &outer)),
        };
        if !reads.iter().all(alike) {
            continue;
        }
        let Some(size) = place.mem.lmad.dims.get(element).map(|d| d.n) else { continue };
        let as_long = |n: &Poly| {
            let less = places.defs.expand(&Poly::leaf(size).sub(n)).as_const();
            less.is_some_and(|less| less <= FEW)
        };
        let across = place.stride(element) == Some(1) && place.stride(point) != Some(1);
        if !across || !found.sizes.iter().any(as_long) {
            continue;
        }
        rows.push(Row {
            array,
            elem: place.elem,
            mem: place.mem.clone(),
            dims: outer,
            point,
            element,
            size,
            again: reads.iter().any(|r| r.is_again(element)),
            copy: names.like(array),
            block: names.fresh("rows_mem"),
        });
    }
    rows
}

/// Whether a body seems to go through a row in each round of a loop.
pub(super) fn reads_again(index: Var, body: &KernelBody) -> bool {
    let moved = VarMap::default();
    let found = Found::of(body, &moved);
    found.reads.iter().any(|r| {
        let shape = found.shape(index, &r.dims);
        shape.is_some_and(|(_, element, _)| r.is_again(element))
    })
}

/// An element that is read.
struct Read {
    array: Var,
    dims: Vec<DimIndex>,
    /// The counters of the loops around, from the outermost on.
    counters: Vec<Option<Var>>,
}

impl Read {
    /// Whether a loop around that over the elements repeats it: what else its indexes are is the same for all points.
    fn is_again(&self, element: usize) -> bool {
        let Some(DimIndex::Fix(SubExp::Var(j))) = self.dims.get(element) else { return false };
        self.counters.iter().position(|c| c.as_ref() == Some(j)).is_some_and(|depth| depth > 0)
    }
}

/// What a body reads element by element, and how much it does.
struct Found<'m> {
    moved: &'m VarMap<Moved>,
    bound: VarSet,
    reads: Vec<Read>,
    /// The counters of the loops around.
    counters: Vec<Option<Var>>,
    /// Sizes of arrays that it makes, and bounds of loops.
    sizes: Vec<Poly>,
}

impl<'m> Found<'m> {
    fn of(body: &KernelBody, moved: &'m VarMap<Moved>) -> Self {
        let (bound, counters) = (VarSet::default(), Vec::new());
        let mut found = Found { moved, bound, reads: Vec::new(), counters, sizes: Vec::new() };
        found.kernel_body(body);
        found
    }

    /// The dimension of points, that of elements, and the indexes of the others, which are the same for all.
    fn shape(&self, index: Var, dims: &[DimIndex]) -> Option<(usize, usize, Vec<DimIndex>)> {
        let (mut point, mut element) = (None, None);
        let mut outer = dims.to_vec();
        for (d, at) in dims.iter().enumerate() {
            let DimIndex::Fix(x) = at else { return None };
            let of = match x {
                SubExp::Var(v) if *v == index => &mut point,
                SubExp::Var(v) if self.bound.contains(v) => &mut element,
                _ => continue,
            };
            if of.replace(d).is_some() {
                return None;
            }
            *outer.get_mut(d)? = DimIndex::Fix(SubExp::i64(0));
        }
        Some((point?, element?, outer))
    }

    /// Whether indexes are those of a certain element of each point's row, such as the first one.
    fn is_certain(
        &self,
        index: Var,
        dims: &[DimIndex],
        (point, element, outer): (usize, usize, &[DimIndex]),
    ) -> bool {
        let known = |x: &SubExp| match x {
            SubExp::Var(v) => *v != index && !self.bound.contains(v),
            SubExp::Const(_) => true,
        };
        dims.iter().zip(outer).enumerate().all(|(d, (at, of_row))| match at {
            DimIndex::Fix(x) if d == point => *x == index.into(),
            DimIndex::Fix(x) if d == element => known(x),
            at => at == of_row,
        })
    }

    fn made(&mut self, ty: &Type, mem: Option<&MemBind>) {
        if mem.is_some_and(|m| self.moved.contains_key(&m.block)) {
            self.sizes.extend(ty.shape().iter().map(|n| Poly::leaf(*n)));
        }
    }
}

impl Visit for Found<'_> {
    fn bind(&mut self, v: &Var) {
        self.bound.insert(*v);
    }

    fn stm(&mut self, s: &Stm) {
        let around = self.counters.len();
        match &s.exp {
            Exp::Index { array, dims } if s.pat.iter().all(|p| p.ty.rank() == 0) => {
                let (dims, counters) = (dims.clone(), self.counters.clone());
                self.reads.push(Read { array: *array, dims, counters });
            }
            Exp::Loop { form: LoopForm::For { var, bound, .. }, .. } => {
                self.sizes.push(Poly::leaf(*bound));
                self.counters.push(Some(*var));
            }
            Exp::Loop { form: LoopForm::While { .. }, .. } => self.counters.push(None),
            Exp::Seg(SegOp { space, .. }) => {
                self.sizes.extend(space.dims.iter().map(|(_, n)| Poly::leaf(*n)));
                self.counters.extend(space.dims.iter().map(|(i, _)| Some(*i)));
            }
            _ => {}
        }
        walk::stm(self, s);
        self.counters.truncate(around);
    }

    fn pat_elem(&mut self, p: &PatElem) {
        self.made(&p.ty, p.mem.as_ref());
        walk::pat_elem(self, p);
    }

    fn param(&mut self, p: &Param) {
        self.made(&p.ty, p.mem.as_ref());
        walk::param(self, p);
    }
}

/// Reads what has been transposed instead.
pub(super) struct Instead<'r> {
    pub(super) rows: &'r [Row],
    pub(super) lane: Var,
}

impl Rewrite for Instead<'_> {
    fn exp(&mut self, e: &mut Exp) {
        if let Exp::Index { array, dims } = e
            && let Some(row) = self.rows.iter().find(|r| r.array == *array)
            && let Some(DimIndex::Fix(j)) = dims.get(row.element).cloned()
            && dims.iter().all(|d| matches!(d, DimIndex::Fix(_)))
        {
            *array = row.copy;
            *dims = vec![DimIndex::Fix(j), DimIndex::Fix(self.lane.into())];
        }
        rewrite::exp(self, e);
    }
}

//! What a map reads of the array that its result is to replace.

use super::super::blocks::Blocks;
use super::super::section::Sections;
use crate::analysis::lanes::expected_lanes;
use crate::ir::traverse::{Binders, Visit, any_exp, for_each_block};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    DimIndex, Exp, KernelBody, KernelResult, Lmad, PatElem, Prim, SegKind, SegLevel, SegOp,
    SegSpace, Stm, SubExp, Type, Var,
};

/// Elements with the same indexes in some dimensions at all points.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Slice {
    /// The array, in the block that is taken over.
    pub(super) array: Var,
    /// These indexes, by dimension; nothing of a dimension that the points go along.
    pub(super) fixed: Vec<Option<SubExp>>,
}

/// What is read of a block, besides what a point may still read when others have written.
#[derive(Default, Debug)]
pub(super) struct Reads {
    /// Each once.
    pub(super) slices: Vec<Slice>,
    /// Which of them a statement reads an element of, by the variable that it binds.
    pub(super) of: VarMap<usize>,
}

/// A map of one thread that collects what its points make.
pub(super) fn collecting(s: &Stm) -> Option<(&SegSpace, &KernelBody)> {
    let Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body }) = &s.exp else {
        return None;
    };
    let returns = body.results.iter().all(|r| matches!(r, KernelResult::Return(_)));
    (returns && !space.dims.is_empty()).then_some((space, body))
}

/// What a map that makes `p` reads of the block `old`, if `p` could take its place: nobody but a point itself reads what the
/// point replaces, and before it does so, and all else are slices.
pub(super) fn reads(
    (blocks, sections): (&Blocks, &Sections),
    s: &Stm,
    p: &PatElem,
    old: Var,
) -> Option<Reads> {
    let place = p.mem.as_ref()?;
    let (space, body) = collecting(s)?;
    let mut bound = Binders::default();
    bound.exp(&s.exp);
    let mut r = Reader {
        blocks,
        sections,
        old,
        new: place.block,
        place: &place.lmad,
        elem: p.ty.elem()?,
        bound: bound.0,
        accounted: 0,
        fine: true,
        reads: Reads::default(),
    };
    r.points(space, body, &[], false);
    // What goes in strips for lanes, or along the points, reads and writes in an order of its own.
    let rows = body.types.iter().any(|t| matches!(t, Type::Array { .. }));
    let fine = r.fine && r.accounted == mentions(blocks, &s.exp, old) && !(rows && has_loops(body));
    fine.then_some(r.reads)
}

struct Reader<'r> {
    blocks: &'r Blocks,
    sections: &'r Sections,
    /// The block to be taken over, the one of the result, and where in it the result lies.
    old: Var,
    new: Var,
    place: &'r Lmad,
    elem: Prim,
    /// What differs from point to point.
    bound: VarSet,
    /// How many mentions of the old block are known to be harmless.
    accounted: usize,
    fine: bool,
    reads: Reads,
}

impl Reader<'_> {
    /// The points of a map, of which each makes its part of the result: `at` the indexes around it. `written`: whether
    /// something of that part may have been made before.
    fn points(&mut self, space: &SegSpace, body: &KernelBody, at: &[Var], written: bool) {
        let here: Vec<Var> = at.iter().copied().chain(space.dims.iter().map(|d| d.0)).collect();
        let by_lanes =
            space.dims.last().is_some_and(|(i, _)| expected_lanes(*i, body, true).is_some());
        let before = self.accounted;
        self.list(&body.stms, &here, written);
        // The last strip of lanes computes points twice.
        self.fine &= !(by_lanes && self.accounted > before);
    }

    /// A list of statements at the point `at`.
    fn list(&mut self, stms: &[Stm], at: &[Var], mut written: bool) {
        for s in stms {
            let writes = s.pat.iter().any(|p| self.is_new(p));
            if writes {
                self.fine &= s.pat.iter().filter(|p| self.is_new(p)).all(|p| self.is_part(p, at));
            }
            match &s.exp {
                Exp::Index { array, dims } if self.blocks.used_by(*array) == Some(self.old) => {
                    self.read(s, *array, dims, at, written);
                }
                Exp::Match { .. } => {
                    for_each_block(&s.exp, &mut |b| self.list(b, at, written));
                }
                Exp::Seg(_) if writes => {
                    let alone = s.pat.iter().filter(|p| self.is_new(p)).count() == 1;
                    match collecting(s).filter(|_| alone) {
                        Some((space, body)) => self.points(space, body, at, written),
                        None => for_each_block(&s.exp, &mut |b| self.list(b, at, true)),
                    }
                }
                // Rounds of a loop write before others read.
                other => for_each_block(other, &mut |b| self.list(b, at, written || writes)),
            }
            written |= writes;
        }
    }

    fn is_new(&self, p: &PatElem) -> bool {
        p.mem.as_ref().is_some_and(|m| m.block == self.new)
    }

    /// Whether an array is the part of the result that belongs to a point.
    fn is_part(&self, p: &PatElem, at: &[Var]) -> bool {
        let point: Vec<SubExp> = at.iter().map(|i| (*i).into()).collect();
        let part = |m: &Lmad| {
            at.len() <= self.place.dims.len()
                && m.same_place(&self.place.row(&point), &self.sections.defs)
        };
        p.mem.as_ref().is_some_and(|m| part(&m.lmad))
    }

    /// An element is read.
    fn read(&mut self, s: &Stm, array: Var, dims: &[DimIndex], at: &[Var], written: bool) {
        let alike = self.sections.place(array).is_some_and(|(ty, m)| {
            ty.elem().is_some_and(|e| e.bytes() == self.elem.bytes())
                && m.lmad.same_place(self.place, &self.sections.defs)
        });
        let index: Option<Vec<SubExp>> = dims
            .iter()
            .map(|d| match d {
                DimIndex::Fix(i) => Some(*i),
                DimIndex::Slice { .. } => None,
            })
            .collect();
        let (true, Some(index), [p]) = (alike, index, s.pat.as_slice()) else {
            self.fine = false;
            return;
        };
        self.accounted += 1;
        let own = index.len() >= at.len() && index.iter().zip(at).all(|(x, i)| *x == (*i).into());
        if own && !written {
            return;
        }
        let same = |x: &SubExp| x.var().is_none_or(|v| !self.bound.contains(&v));
        let fixed: Vec<Option<SubExp>> = index.iter().map(|x| Some(*x).filter(same)).collect();
        if fixed.iter().all(Option::is_none) {
            self.fine = false;
            return;
        }
        let known = self.reads.slices.iter().position(|k| k.fixed == fixed);
        let slice = known.unwrap_or(self.reads.slices.len());
        if known.is_none() {
            self.reads.slices.push(Slice { array, fixed });
        }
        self.reads.of.insert(p.var, slice);
    }
}

/// How often an expression mentions a block or an array in it.
fn mentions(blocks: &Blocks, e: &Exp, block: Var) -> usize {
    struct Mentions<'m>(&'m Blocks, Var, usize);
    impl Visit for Mentions<'_> {
        fn var(&mut self, v: &Var) {
            self.2 += usize::from(self.0.used_by(*v) == Some(self.1));
        }
    }
    let mut m = Mentions(blocks, block, 0);
    m.exp(e);
    m.2
}

fn has_loops(body: &KernelBody) -> bool {
    any_exp(|v| v.kernel_body(body), |e| matches!(e, Exp::Loop { .. }))
}

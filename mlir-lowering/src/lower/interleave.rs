//! The order in which large arrays are walked.
//!
//! One core waits for memory unless it has many lines on their way. The hardware fetches ahead, but
//! only inside of a page of memory, and in each page it has to learn anew; so a walk from end to end
//! reads with half of the bandwidth there is. Of several concurrent page streams all are fetched ahead:
//!
//! ```text
//! page   0        1        2        3        4     …
//! chunk  0 4 8 …  1 5 9 …  2 6 10 … 3 7 11 …
//! ```
//!
//! The points of a map may be visited so, and those of a reduction whose operators commute. Which are, is
//! said by schedules ([`PageStreams`]).

use super::function::Function;
use crate::Error;
use crate::dialect::{Ix, Predicate};
use futc_midend::ir::{DimIndex, Exp, KernelBody, PageStreams, SegSpace, SubExp};

type Result<T> = std::result::Result<T, Error>;

/// Bytes of a line of the cache.
pub(super) const LINE: i64 = 64;

impl<'c> Function<'c, '_, '_, '_> {
    /// Has what a body reads at `count` points from `first` on brought to the cache, if it lies in
    /// neighbours: processors guess only what is read next in the same page. There need not be such
    /// points.
    pub fn fetch(
        &mut self,
        space: &SegSpace,
        first: Ix<'c>,
        count: i64,
        body: &KernelBody,
    ) -> Result<()> {
        let (var, _) = Self::innermost(space)?;
        let first = self.b.ix(first)?;
        self.env.insert(var, first);
        let inner = space.dims.len().saturating_sub(1);
        for stm in &body.stms {
            let Exp::Index { array, dims } = &stm.exp else { continue };
            // What is asked for is a part of the last dimension.
            if dims.last() != Some(&DimIndex::Fix(var.into()))
                || self.unit_dim(space, stm)? != Some(inner)
            {
                continue;
            }
            let array = self.array(*array)?;
            let mut at = Vec::with_capacity(dims.len());
            for d in dims {
                match d {
                    DimIndex::Fix(SubExp::Var(v)) if space.dims.iter().any(|(w, _)| w == v) => {
                        at.push(self.index((*v).into())?);
                    }
                    DimIndex::Fix(SubExp::Const(c)) => at.push(self.index((*c).into())?),
                    _ => break,
                }
            }
            if at.len() < dims.len() {
                continue;
            }
            let (memref, at) = self.vectors_at(&array, &at)?;
            let neighbours = self.b.memref_subview(memref, &at, &[Ix::Const(count)])?;
            let of_line = LINE / array.elem.bytes();
            let lines = (count * array.elem.bytes() / LINE).max(1);
            self.for_each(Ix::Const(lines), |f, line| {
                let distance = f.b.mul(line, Ix::Const(of_line))?;
                f.b.memref_prefetch(neighbours, &[distance])
            })?;
        }
        Ok(())
    }

    /// Where the `k`th chunk of `n` elements begins: concurrent page streams as long as they last, then one
    /// chunk after the other.
    pub fn start_of_chunk(&mut self, way: PageStreams, n: Ix<'c>, k: Ix<'c>) -> Result<Ix<'c>> {
        let PageStreams { pages, page, chunk, least } = way;
        let (block, in_page) = (pages * page / chunk, page / chunk);
        let (n, k) = (self.b.ix(n)?, self.b.ix(k)?);
        let constant = |f: &Self, x: i64| f.b.i64(x);
        let (by, of) = (constant(self, pages * page)?, constant(self, block)?);
        let blocks = self.b.divui(n, by)?;
        let whole = self.b.muli(blocks, of)?;
        let (first, rest) = (self.b.divui(k, of)?, self.b.remui(k, of)?);
        let side = constant(self, pages)?;
        let (row, which) = (self.b.divui(rest, side)?, self.b.remui(rest, side)?);
        let first = self.b.mul(Ix::Val(first), Ix::Const(block))?;
        let which = self.b.mul(Ix::Val(which), Ix::Const(in_page))?;
        let there = self.b.add(first, which)?;
        let there = self.b.add(there, Ix::Val(row))?;
        let there = self.b.ix(there)?;
        let (least, none) = (constant(self, least)?, constant(self, 0)?);
        let many = self.b.cmpi(Predicate::Sle, least, n)?;
        let whole = self.b.select(many, whole, none)?;
        let inside = self.b.cmpi(Predicate::Ult, k, whole)?;
        let at = self.b.select(inside, there, k)?;
        self.b.mul(Ix::Val(at), Ix::Const(chunk))
    }
}

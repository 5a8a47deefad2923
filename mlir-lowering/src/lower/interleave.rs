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
//! The points of a map may be visited so, and those of a reduction whose operators commute.

use super::function::Function;
use crate::Error;
use crate::dialect::{Ix, Predicate};
use futc_midend::ir::{DimIndex, Exp, KernelBody, SegSpace, Stm, SubExp};

type Result<T> = std::result::Result<T, Error>;

/// Bytes that the hardware fetches ahead in at a time.
const PAGE: i64 = 4096;
/// Bytes of a line of the cache.
pub(super) const LINE: i64 = 64;
/// Less than this lies in a cache from which lines come soon enough, but of which concurrent page
/// streams fill the sets unevenly.
const LEAST_BYTES: i64 = 4 << 20;
/// Larger bodies do not wait for memory.
const MOST_STATEMENTS: usize = 24;

/// Concurrent page streams.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interleaving {
    /// How many.
    pub pages: i64,
    /// Elements of each.
    pub page: i64,
    /// Elements visited of a page before the next one's turn.
    pub chunk: i64,
    /// Fewer elements than this are walked from end to end.
    pub least: i64,
}

impl Interleaving {
    /// Of arrays that are read, whose elements have so many bytes, and a number that is written;
    /// nothing if they are none or too many.
    fn of(elements: &[i64], written: usize, chunk: i64) -> Option<Interleaving> {
        let smallest = elements.iter().copied().min()?;
        // More streams are more than a processor keeps track of.
        let pages = match elements.len() + written {
            1 | 2 => 8,
            3 | 4 => 4,
            5..=8 => 2,
            _ => return None,
        };
        let page = PAGE / smallest;
        let least = (LEAST_BYTES / elements.iter().sum::<i64>()).max(2 * pages * page);
        Some(Interleaving { pages, page, chunk, least })
    }
}

impl<'c> Function<'c, '_, '_, '_> {
    /// How to walk what a body reads, if that is a few arrays from neighbour to neighbour along the
    /// innermost dimension; `written` arrays are written along it. Chunks have `chunk` elements, a
    /// power of two and at most [`PAGE`] bytes.
    pub fn interleaving(
        &mut self,
        space: &SegSpace,
        stms: &[Stm],
        written: usize,
        chunk: i64,
    ) -> Result<Option<Interleaving>> {
        if stms.len() > MOST_STATEMENTS {
            return Ok(None);
        }
        let innermost = space.dims.len().saturating_sub(1);
        let mut read = Vec::new();
        for stm in stms {
            match &stm.exp {
                Exp::Index { array, .. } if self.unit_dim(space, stm)? == Some(innermost) => {
                    let place = self.array(*array)?;
                    let entry = (place.block, place.elem.bytes());
                    if !read.contains(&entry) {
                        read.push(entry);
                    }
                }
                Exp::SubExp(_)
                | Exp::UnOp(..)
                | Exp::BinOp(..)
                | Exp::CmpOp(..)
                | Exp::ConvOp(..)
                | Exp::Math(..) => {}
                _ => return Ok(None),
            }
        }
        let elements: Vec<i64> = read.iter().map(|(_, bytes)| *bytes).collect();
        Ok(Interleaving::of(&elements, written, chunk))
    }

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
            if self.unit_dim(space, stm)? != Some(inner) {
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
    pub fn start_of_chunk(&mut self, way: Interleaving, n: Ix<'c>, k: Ix<'c>) -> Result<Ix<'c>> {
        let Interleaving { pages, page, chunk, least } = way;
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

#[cfg(test)]
mod tests {
    use super::Interleaving;

    #[test]
    fn more_arrays_fewer_pages() {
        let of = |elements: &[i64], written| Interleaving::of(elements, written, 64);
        let some = |pages, page, least| Some(Interleaving { pages, page, chunk: 64, least });
        assert_eq!(of(&[4], 0), some(8, 1024, 1 << 20));
        assert_eq!(of(&[4, 4], 1), some(4, 1024, 1 << 19));
        assert_eq!(of(&[8, 8], 0), some(8, 512, 1 << 18));
        assert_eq!(of(&[4; 5], 0).map(|way| way.pages), Some(2));
        assert_eq!(of(&[4; 9], 0), None);
        assert_eq!(of(&[], 1), None);
    }
}

//! Large transpositions, by panels.
//!
//! Tiles ([`super::tiles`]) use up the lines of the cache that they touch. But where both sides are
//! larger than the caches, the processor stalls for every line: processors guess what is read next only in the
//! same page, and a row is often longer. And every line that is written is read first. So a panel, as
//! wide as a line and some thousand rows high, is read row by row, rows further down being asked for
//! early, into a buffer where its columns are rows; and these go to memory past the caches:
//!
//! ```text
//! for each panel of `width` columns, in it for each chunk of rows:
//!   for i < rows:                    prefetch the panel's row i + ahead
//!     for j < width:                 buffer[j][i] = the element at (i, j)
//!   for j < width:                   result[j][first ..] = buffer[j]
//! ```
//!
//! Rows of the buffer are a line longer than what they hold, since those of a power of two would push
//! one another out of the cache.

use super::function::{Array, Function};
use super::interleave::LINE;
use super::nest::Nest;
use super::vector::lanes;
use crate::Error;
use crate::dialect::{Ix, Predicate, Val};
use futc_midend::analysis::places::reads_along;
use futc_midend::ir::{DimIndex, Exp, KernelBody, KernelResult, Prim, SegOp, SegSpace, SubExp};

type Result<T> = std::result::Result<T, Error>;

/// Panels of two dimensions.
#[derive(Clone, Copy)]
pub struct Panels {
    /// Neighbours are read along the first one, and written along the second one.
    pub dims: (usize, usize),
    /// Rows that stay in the buffer.
    pub rows: i64,
    /// So many rows ahead are asked for.
    pub ahead: i64,
    /// Shorter rows of the result are not worth the buffer.
    pub least: i64,
    /// Smaller results, in bytes, stay in the caches.
    pub from: i64,
}

/// Something of every point.
type OfPoint<'f, 'c, F, T> = &'f mut dyn FnMut(&mut F, &[Ix<'c>]) -> Result<T>;

/// A memref, and indexes in it.
pub type Element<'c> = (Val<'c>, Vec<Ix<'c>>);

/// What there is to do with the points of a panel.
pub struct Points<'f, 'c, F> {
    /// Gives the element.
    pub value: OfPoint<'f, 'c, F, Val<'c>>,
    /// Gives what is read for it: elements of memrefs.
    pub reads: OfPoint<'f, 'c, F, Vec<Element<'c>>>,
}

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// Fills `target`, whose neighbours are along the second dimension while what is read has its own
    /// along the first, by panels if it is large, else by `plain`.
    pub fn across(
        &mut self,
        target: &Array<'c>,
        panels: Panels,
        points: Points<'_, 'c, Self>,
        plain: &mut dyn FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let Some(large) = self.pays_panels(target, panels)? else { return plain(self) };
        self.either(large, |f| f.panels(target, panels, points), plain)
    }

    /// Whether an array is beyond the caches and long both ways; nothing if it is known not to be.
    fn pays_panels(
        &mut self,
        target: &Array<'c>,
        Panels { dims: (a, b), least, from, .. }: Panels,
    ) -> Result<Option<Val<'c>>> {
        let Some(mut large) = self.exceeds_caches(target, (from, None))? else { return Ok(None) };
        for (d, least) in [(a, LINE / target.elem.bytes()), (b, least)] {
            match target.shape.get(d) {
                Some(Ix::Const(n)) if *n < least => return Ok(None),
                Some(Ix::Val(n)) => {
                    let least = self.b.i64(least)?;
                    let long = self.b.cmpi(Predicate::Sle, least, *n)?;
                    large = self.b.andi(large, long)?;
                }
                Some(Ix::Const(_)) | None => {}
            }
        }
        Ok(Some(large))
    }

    fn panels(
        &mut self,
        target: &Array<'c>,
        Panels { dims: (a, b), rows: height, ahead, .. }: Panels,
        points: Points<'_, 'c, Self>,
    ) -> Result<()> {
        let shape = target.shape.clone();
        let (Some(n), Some(m)) = (shape.get(a).copied(), shape.get(b).copied()) else {
            return Err(Error::bug("panels of dimensions that are none"));
        };
        let width = LINE / target.elem.bytes();
        let pitch = height + width;
        let buffer = self.stack_in_entry(target.elem, &[width, pitch])?;
        let others: Vec<usize> = (0..shape.len()).filter(|d| *d != a && *d != b).collect();
        let outer: Vec<Ix<'c>> = others.iter().filter_map(|d| shape.get(*d).copied()).collect();
        let last = self.b.sub(m, Ix::Const(1))?;
        self.nest(&outer, &mut |f, at| {
            let mut point = vec![Ix::Const(0); shape.len()];
            for (d, i) in others.iter().zip(at) {
                point[*d] = *i;
            }
            f.each_block(n, width, &mut |f, first_a, columns| {
                f.each_block(m, height, &mut |f, first_b, rows| {
                    let mut fill = |f: &mut Self, columns: Ix<'c>| {
                        f.for_each(rows, |f, i| {
                            let row = f.b.add(first_b, i)?;
                            let later = f.b.add(row, Ix::Const(ahead))?;
                            point[b] = f.min(later, last)?;
                            point[a] = first_a;
                            for (memref, at) in (points.reads)(f, &point)? {
                                f.b.memref_prefetch(memref, &at)?;
                            }
                            point[b] = row;
                            f.for_each(columns, |f, j| {
                                point[a] = f.b.add(first_a, j)?;
                                let value = (points.value)(f, &point)?;
                                f.set(buffer, &[j, i], target.elem, value)
                            })
                        })
                    };
                    // A loop of known length over the columns is none in the end.
                    let (count, all) = (f.b.ix(columns)?, f.b.i64(width)?);
                    let whole = f.b.cmpi(Predicate::Eq, count, all)?;
                    let yes =
                        f.region(&[], |f, _| fill(f, Ix::Const(width)).map(|()| Vec::new()))?;
                    let no = f.region(&[], |f, _| fill(f, columns).map(|()| Vec::new()))?;
                    f.b.scf_if(whole, &[], yes, no)?;
                    f.for_each(columns, |f, j| {
                        point[a] = f.b.add(first_a, j)?;
                        point[b] = first_b;
                        let (memref, at) = f.vectors_at(target, &point)?;
                        let to = f.b.memref_subview(memref, &at, &[rows])?;
                        let from = f.b.memref_subview(buffer, &[j, Ix::Const(0)], &[rows])?;
                        f.row_past_caches(target.elem, from, to, rows)
                    })
                })
            })
        })
    }

    /// Moves neighbours past the caches, wherever they begin.
    fn row_past_caches(
        &mut self,
        elem: Prim,
        from: Val<'c>,
        to: Val<'c>,
        count: Ix<'c>,
    ) -> Result<()> {
        let width = lanes(self.m.machine.cpu.vector_bytes, elem);
        let vector = self.vector_type(elem, width)?;
        let one = |f: &mut Self, i: Ix<'c>| {
            let value = f.get(from, &[i], elem)?;
            f.set(to, &[i], elem, value)
        };
        // As many elements as are missing to the next whole vector.
        let address = self.b.memref_address(to)?;
        let (zero, mask) = (self.b.i64(0)?, self.b.i64(self.m.machine.cpu.vector_bytes - 1)?);
        let missing = self.b.subi(zero, address)?;
        let missing = self.b.andi(missing, mask)?;
        let size = self.b.i64(elem.bytes())?;
        let lead = Ix::Val(self.b.divui(missing, size)?);
        let lead = self.min(lead, count)?;
        self.for_each(lead, |f, i| one(f, i))?;
        let left = self.b.sub(count, lead)?;
        let (left, by) = (self.b.ix(left)?, self.b.i64(width)?);
        let vectors = Ix::Val(self.b.divui(left, by)?);
        self.for_each(vectors, |f, v| {
            let distance = f.b.mul(v, Ix::Const(width))?;
            let i = f.b.add(lead, distance)?;
            let value = f.load_vector(vector, from, &[i])?;
            f.store_vector_past_caches(to, &[i], value)
        })?;
        let done = self.b.mul(vectors, Ix::Const(width))?;
        let done = self.b.add(lead, done)?;
        let rest = self.b.sub(count, done)?;
        self.for_each(rest, |f, i| {
            let i = f.b.add(done, i)?;
            one(f, i)
        })
    }

    /// A map that goes across, of one result.
    pub fn map_across(
        &mut self,
        nest: Nest<'p>,
        panels: Panels,
        plain: &mut dyn FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let SegOp { space, body, .. } = nest.op;
        let ([element], [KernelResult::Return(x)]) = (nest.pat, body.results.as_slice()) else {
            return Err(Error::bug("panels of several results"));
        };
        let target = self.array(element.var)?;
        let mut value = |f: &mut Self, point: &[Ix<'c>]| {
            f.bind_indexes(space, point)?;
            f.stms(&body.stms)?;
            f.operand(*x)
        };
        let mut reads = |f: &mut Self, point: &[Ix<'c>]| {
            f.bind_indexes(space, point)?;
            f.places_across(space, body, panels.dims)
        };
        let points = Points { value: &mut value, reads: &mut reads };
        self.across(&target, panels, points, plain)
    }

    /// Where the elements lie that a map reads along the first dimension, at the point that is bound.
    fn places_across(
        &mut self,
        space: &'p SegSpace,
        body: &'p KernelBody,
        (from, to): (usize, usize),
    ) -> Result<Vec<Element<'c>>> {
        let mut places = Vec::new();
        for stm in &body.stms {
            let Exp::Index { array, dims } = &stm.exp else { continue };
            let of_point = dims.iter().all(|d| match d {
                DimIndex::Fix(SubExp::Var(v)) => space.dims.iter().any(|(w, _)| w == v),
                DimIndex::Fix(SubExp::Const(_)) => true,
                DimIndex::Slice { .. } => false,
            });
            if !of_point || self.unit_dim(space, stm)? != Some(from) || !reads_along(space, stm, to)
            {
                continue;
            }
            let array = self.array(*array)?;
            let mut at = Vec::with_capacity(dims.len());
            for d in dims {
                if let DimIndex::Fix(i) = d {
                    at.push(self.index(*i)?);
                }
            }
            places.push((self.memref(&array)?, at));
        }
        Ok(places)
    }
}

//! Maps whose bodies have loops, by lanes: neighbouring points together, each in a lane of vectors.
//!
//! ```text
//! for k < ceil(n / W):
//!   i = min(k · W, n - W)            the last strip overlaps the one before it
//!   … the body, of the points i .. i + W: see futc_midend::ir::lanes for what becomes a vector
//! ```
//!
//! | the body | by lanes |
//! | --- | --- |
//! | what is uniform or linear | scalar, as of the first lane |
//! | operators on what varies | the same on vectors |
//! | a branch on what is uniform | a branch |
//! | a branch on what varies | both sides and a selection; a side with loads or loops only if some lane takes it, masked |
//! | a loop that ends for all lanes together | a loop that carries vectors |
//! | a loop that does not | goes on while some lane does; what the others carry stays |
//! | reading neighbours | a vector, masked where lanes do not take part |
//! | reading otherwise | a gather |
//!
//! Computing points twice in the last strip is harmless, since results go to blocks that the body does
//! not read. Fewer points than lanes go one by one.

mod control;
mod memory;
mod values;

use super::builder::{Ix, Predicate, Val};
use super::function::{Function, Site};
use crate::Error;
use futc_midend::ir::lanes::{Lanes, lanes};
use futc_midend::ir::traverse::free_in;
use futc_midend::ir::{KernelBody, KernelResult, PatElem, SegSpace};

type Result<T> = std::result::Result<T, Error>;

/// More lanes than this gain nothing.
const MOST_LANES: i64 = 64;

/// A strip of points under construction.
#[derive(Clone, Copy)]
pub(super) struct Strip<'l, 'c> {
    classes: &'l Lanes,
    /// How many points.
    width: i64,
    /// The lanes that take part; all of them, if absent.
    mask: Option<Val<'c>>,
}

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// The lanes of a map, if it is to go by lanes. The arrays of the pattern are bound.
    pub(super) fn lanes_of(
        &mut self,
        pat: &'p [PatElem],
        space: &'p SegSpace,
        body: &'p KernelBody,
    ) -> Result<Option<Lanes>> {
        let (Site::Host(_), false) = (self.site, self.m.has_kernels()) else { return Ok(None) };
        let (index, _) = Self::innermost(space)?;
        let Some(lanes) = lanes(index, body) else { return Ok(None) };
        let mut targets = Vec::with_capacity(pat.len());
        for element in pat {
            let target = self.array(element.var)?;
            if target.strides.len() != space.dims.len()
                || !matches!(target.strides.last(), Some(Ix::Const(1)))
            {
                return Ok(None);
            }
            targets.push(target.block);
        }
        for v in free_in(|f| f.kernel_body(body)) {
            if self.is_array(v) && targets.contains(&self.array(v)?.block) {
                return Ok(None);
            }
        }
        Ok(Some(lanes))
    }

    /// As many as fill some registers: so that operations need not wait for one another, but what a
    /// loop carries still fits.
    fn strip_width(&self, lanes: &Lanes) -> i64 {
        let registers = match lanes.carried {
            _ if lanes.diverges => 2,
            0..=2 => 4,
            3..=4 => 2,
            _ => 1,
        };
        (self.m.machine.cpu.vector_bytes / lanes.widest * registers).clamp(2, MOST_LANES)
    }

    /// A row of a map by lanes; the index variables of the outer dimensions are bound.
    pub(super) fn map_by_lanes(
        &mut self,
        pat: &'p [PatElem],
        space: &'p SegSpace,
        body: &'p KernelBody,
        lanes: &Lanes,
    ) -> Result<()> {
        let (index, n) = Self::innermost(space)?;
        let n = self.index(n)?;
        let width = self.strip_width(lanes);
        let outside = self.env.clone();
        let strips = |f: &mut Self| {
            let count = f.ceil_div(n, width)?;
            let last = f.b.sub(n, Ix::Const(width))?;
            f.for_each(count, |f, k| {
                let first = f.b.mul(k, Ix::Const(width))?;
                let first = f.min(first, last)?;
                let first = f.b.ix(first)?;
                f.env.insert(index, first);
                let strip = Strip { classes: lanes, width, mask: None };
                f.stms_by_lanes(&strip, &body.stms)?;
                f.collect_by_lanes(&strip, pat, space, &body.results)
            })
        };
        let points = |f: &mut Self| {
            f.env = outside.clone();
            f.for_each(n, |f, i| {
                let i = f.b.ix(i)?;
                f.env.insert(index, i);
                f.stms(&body.stms)?;
                f.collect(pat, space, &body.results, &body.types)
            })
        };
        match n {
            Ix::Const(n) if n < width => points(self)?,
            Ix::Const(_) => strips(self)?,
            Ix::Val(length) => {
                let least = self.b.i64(width)?;
                let long = self.b.cmpi(Predicate::Sle, least, length)?;
                self.either(long, strips, points)?;
            }
        }
        self.env = outside;
        Ok(())
    }

    /// Stores the results of a strip.
    fn collect_by_lanes(
        &mut self,
        strip: &Strip<'_, 'c>,
        pat: &'p [PatElem],
        space: &'p SegSpace,
        results: &'p [KernelResult],
    ) -> Result<()> {
        for (element, result) in pat.iter().zip(results) {
            let KernelResult::Return(x) = result else {
                return Err(Error::bug("a write by lanes"));
            };
            let target = self.array(element.var)?;
            let value = self.in_lanes(strip, *x)?;
            let mut at = Vec::with_capacity(space.dims.len());
            for (v, _) in &space.dims {
                at.push(Ix::Val(self.lookup(*v)?));
            }
            self.store_neighbours(&target, &at, value)?;
        }
        Ok(())
    }
}

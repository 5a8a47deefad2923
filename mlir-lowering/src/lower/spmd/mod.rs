//! Maps whose bodies have loops or checks, by lanes: neighbouring points together, each in a lane of
//! vectors.
//!
//! ```text
//! for k < ceil(n / W):
//!   i = min(k · W, n - W)            the last strip overlaps the one before it
//!   … the body, of the points i .. i + W: see futc_midend::analysis::lanes for what becomes a vector
//! ```
//!
//! Where lanes are `aligned`, the first strip overlaps the second, too, which begins where the first result is aligned.
//!
//! | the body | by lanes |
//! | --- | --- |
//! | what is uniform or linear | scalar, as of the first lane |
//! | operators on what varies | the same on vectors |
//! | a branch on what is uniform | a branch |
//! | a branch on what varies | both sides and a selection; a side with loads or loops only if some lane takes it, masked |
//! | a loop that ends for all lanes together | a loop that carries vectors |
//! | a loop that does not | goes on while some lane does; what the others carry stays, but scalars where lanes in the loop agree |
//! | reading neighbours | a vector, masked where lanes do not take part |
//! | reading what is a few elements apart | vectors of all that lies between, and a choice: see [`window`] |
//! | reading where bits of the lane's number are flipped | neighbours that change places |
//! | reading a table of bytes at indexes that are bytes | a gather of vectors: see [`table`] |
//! | reading otherwise | a gather, unless they happen to be neighbours |
//! | an array of a point | interleaved with those of the other lanes, or rows of a result: see [`arrays`] |
//! | a check of what varies | if a lane fails, all points of the strip one by one, in a function apart, which tells the first that fails |
//! | an element written anywhere | a scatter, in the order of the lanes, if some lane writes inside of the array |
//!
//! Computing points twice in the last strip is harmless, since results go to blocks that the body does
//! not read: where they do, as in looking up bytes in place, what is left goes one by one. What is written where the body says is written again in the same order. Fewer points than lanes go by as many lanes as fit in a register, if the body is small.
//! Fewer than those are one strip in which the lanes behind the last point take no part, where vectors have masks (`partial`), or go one by one.

mod arrays;
mod control;
mod division;
mod failing;
mod fold;
mod inner;
mod memory;
mod strip;
mod table;
mod values;
mod window;

use super::function::{Array, Function};
use super::nest::{LoopHint, Nest};
use crate::Error;
use crate::dialect::{Ix, Predicate, Val};
use futc_midend::analysis::lanes::{Lanes, lanes};
use futc_midend::ir::Var;
use futc_midend::ir::traverse::free_in;
use futc_midend::ir::{KernelResult, PatElem, SegOp, SegSpace, SubExp};
use melior::ir::ValueLike;
use std::cell::RefCell;
use strip::Result;

pub(super) use strip::{ByLanes, Strip};

/// Whether to go by lanes.
enum Profitability<'c> {
    Always,
    Never,
    If(Val<'c>),
}

/// Folds the points from one index to another into accumulators, in order.
type Points<'f, 'c, F> = dyn Fn(&mut F, Ix<'c>, Ix<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>> + 'f;

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// A row of a map by lanes; the index variables of the outer dimensions are bound.
    pub(super) fn map_by_lanes(&mut self, nest: Nest<'p>) -> Result<()> {
        let Nest { pat, op: SegOp { space, body, .. }, .. } = nest;
        let (index, n) = Self::innermost(space)?;
        let place_of = |v: Var| self.arrays.get(&v).and_then(Array::place);
        let instructions = self.m.machine.cpu.machine().instructions();
        let lanes = &lanes(index, body, instructions, &place_of)
            .map_err(|_| Error::bug("a map that cannot go by lanes"))?;
        let n = self.index(n)?;
        let in_place = self.reads_written(nest);
        let widths: Vec<ByLanes> = nest.strategies.iter().filter_map(|s| ByLanes::of(*s)).collect();
        let masked = widths.iter().any(|by| by.partial > 0);
        let outside = self.env.clone();
        let points = |f: &mut Self, from: Ix<'c>| {
            f.env = outside.clone();
            let rest = f.b.sub(n, from)?;
            f.with_loop_hint(nest.hint(), |f| {
                f.for_each(rest, |f, k| {
                    f.with_loop_hint(LoopHint::None, |f| {
                        let i = f.b.add(from, k)?;
                        let i = f.b.ix(i)?;
                        f.env.insert(index, i);
                        f.stms(&body.stms)?;
                        f.collect(pat, space, &body.results, &body.types)
                    })
                })
            })
        };
        let strips = |f: &mut Self, by: ByLanes| {
            let ByLanes { width, aligned, speculate, shared, partial } = by;
            f.env = outside.clone();
            // Of all lanes, or of so many points.
            let strip_of = |f: &mut Self, first: Ix<'c>, points: Option<Ix<'c>>| {
                let (mask, points) = match points {
                    Some(points) => {
                        let points = f.b.ix(points)?;
                        (Some(f.lanes_of_points(width, points)?), Some(points))
                    }
                    None => (None, None),
                };
                let first = f.b.ix(first)?;
                f.env.insert(index, first);
                let (quotients, arrays) = (RefCell::default(), RefCell::default());
                let failing = RefCell::default();
                let strip = Strip {
                    classes: lanes,
                    whole: &body.stms,
                    width,
                    speculate,
                    first: (index, first),
                    points,
                    quotients: &quotients,
                    mask,
                    arrays: &arrays,
                    failing: &failing,
                };
                f.private_blocks(&strip, shared)?;
                f.stms_by_lanes(&strip, strip.whole)?;
                f.collect_by_lanes(&strip, pat, space, &body.results)
            };
            if partial > 0 {
                return strip_of(f, Ix::Const(0), Some(n));
            }
            let strip_from = |f: &mut Self, first: Ix<'c>| strip_of(f, first, None);
            if aligned {
                let lead = f.misalignment(pat, space, width)?;
                return f.aligned_strips(n, width, lead, &strip_from);
            }
            if in_place {
                let count = match n {
                    Ix::Const(n) => Ix::Const(n / width),
                    Ix::Val(n) => Ix::Val(f.b.divui(n, f.b.i64(width)?)?),
                };
                f.for_each(count, |f, k| {
                    let first = f.b.mul(k, Ix::Const(width))?;
                    strip_from(f, first)
                })?;
                let done = f.b.mul(count, Ix::Const(width))?;
                if !masked {
                    return points(f, done);
                }
                let rest = f.b.sub(n, done)?;
                let (left, zero) = (f.b.ix(rest)?, f.b.i64(0)?);
                let some = f.b.cmpi(Predicate::Slt, zero, left)?;
                return f.when(some, |f| strip_of(f, done, Some(rest)));
            }
            let count = f.ceil_div(n, width)?;
            let last = f.b.sub(n, Ix::Const(width))?;
            f.for_each(count, |f, k| {
                let first = f.b.mul(k, Ix::Const(width))?;
                let first = f.min(first, last)?;
                strip_from(f, first)
            })
        };
        self.by_widths(lanes, n, &widths, &strips, &|f| points(f, Ix::Const(0)))?;
        self.env = outside;
        Ok(())
    }

    /// The lanes that have one of so many points.
    fn lanes_of_points(&mut self, width: i64, points: Val<'c>) -> Result<Val<'c>> {
        let numbers: Vec<i64> = (0..width).collect();
        let numbers = self.b.words(&numbers)?;
        let points =
            self.b.vector_broadcast(points, self.b.shaped(numbers.r#type(), points.r#type()))?;
        self.b.cmpi(Predicate::Slt, numbers, points)
    }

    /// Whether the body reads blocks that it writes.
    fn reads_written(&self, nest: Nest<'p>) -> bool {
        let block = |v: Var| self.arrays.get(&v).map(|array| array.block);
        let written: Vec<Var> = nest.pat.iter().filter_map(|p| block(p.var)).collect();
        let read = free_in(|f| f.stms(&nest.op.body.stms));
        read.iter().filter_map(|v| block(*v)).any(|b| written.contains(&b))
    }

    /// How many elements the first result of a row begins behind a place that is aligned to a vector of so many.
    fn misalignment(
        &mut self,
        pat: &'p [PatElem],
        space: &'p SegSpace,
        width: i64,
    ) -> Result<Ix<'c>> {
        let first = pat.first().ok_or_else(|| Error::bug("aligned lanes without a result"))?;
        let target = self.array(first.var)?;
        let outer = space.dims.len().saturating_sub(1);
        let mut at = Vec::with_capacity(outer + 1);
        for (v, _) in space.dims.iter().take(outer) {
            at.push(Ix::Val(self.lookup(*v)?));
        }
        at.push(Ix::Const(0));
        match self.position(&target, &at)? {
            Ix::Const(position) => Ok(Ix::Const(position & (width - 1))),
            Ix::Val(position) => {
                let mask = self.b.i64(width - 1)?;
                Ok(Ix::Val(self.b.andi(position, mask)?))
            }
        }
    }

    /// Strips of at least as many points as are in one: the first, those from the next aligned place on, and the
    /// last, if something is left. They stand apart, as bounds of what they begin at would take longer than a short body.
    fn aligned_strips(
        &mut self,
        n: Ix<'c>,
        width: i64,
        lead: Ix<'c>,
        strip_from: &dyn Fn(&mut Self, Ix<'c>) -> Result<()>,
    ) -> Result<()> {
        strip_from(self, Ix::Const(0))?;
        let done = self.b.sub(Ix::Const(width), lead)?;
        let rest = self.b.sub(n, done)?;
        let (points, by) = (self.b.ix(rest)?, self.b.i64(width)?);
        let count = Ix::Val(self.b.divui(points, by)?);
        self.for_each(count, |f, k| {
            let first = f.b.mul(k, Ix::Const(width))?;
            let first = f.b.add(first, done)?;
            strip_from(f, first)
        })?;
        let whole = self.b.mul(count, Ix::Const(width))?;
        let whole = self.b.ix(whole)?;
        let left = self.b.cmpi(Predicate::Slt, whole, points)?;
        let last = self.b.sub(n, Ix::Const(width))?;
        self.when(left, |f| strip_from(f, last))
    }

    /// Strips of the first of several widths that there are enough points for, else points.
    fn by_widths(
        &mut self,
        lanes: &Lanes,
        n: Ix<'c>,
        widths: &[ByLanes],
        strips: &dyn Fn(&mut Self, ByLanes) -> Result<()>,
        points: &dyn Fn(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let Some((width, fewer)) = widths.split_first() else { return points(self) };
        match self.pays(lanes, n, width.points())? {
            Profitability::Always => strips(self, *width),
            Profitability::Never => self.by_widths(lanes, n, fewer, strips, points),
            Profitability::If(cond) => self.either(
                cond,
                |f| strips(f, *width),
                |f| f.by_widths(lanes, n, fewer, strips, points),
            ),
        }
    }

    /// Whether there are enough points and not too many, reductions inside are as short as they must be, and tables as large.
    fn pays(
        &mut self,
        lanes: &Lanes,
        n: Ix<'c>,
        (least, most): (i64, Option<i64>),
    ) -> Result<Profitability<'c>> {
        let mut conditions = Vec::new();
        match n {
            Ix::Const(n) if n < least || most.is_some_and(|most| n > most) => {
                return Ok(Profitability::Never);
            }
            Ix::Const(_) => {}
            Ix::Val(n) => {
                let least = self.b.i64(least)?;
                conditions.push(self.b.cmpi(Predicate::Sle, least, n)?);
                if let Some(most) = most {
                    let most = self.b.i64(most)?;
                    conditions.push(self.b.cmpi(Predicate::Sle, n, most)?);
                }
            }
        }
        for (n, most) in &lanes.short {
            let n = self.operand(*n)?;
            let most = self.b.i64(*most)?;
            conditions.push(self.b.cmpi(Predicate::Sle, n, most)?);
        }
        for (n, least) in &lanes.tables {
            let n = self.operand(SubExp::Var(*n))?;
            let least = self.b.i64(*least)?;
            conditions.push(self.b.cmpi(Predicate::Sle, least, n)?);
        }
        let Some(mut all) = conditions.pop() else { return Ok(Profitability::Always) };
        for c in conditions {
            all = self.b.andi(all, c)?;
        }
        Ok(Profitability::If(all))
    }

    /// Stores the results of a strip.
    fn collect_by_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        pat: &'p [PatElem],
        space: &'p SegSpace,
        results: &'p [KernelResult],
    ) -> Result<()> {
        for (element, result) in pat.iter().zip(results) {
            let x = match result {
                KernelResult::Return(x) => x,
                KernelResult::Write { dest: _, writes } => {
                    let target = self.array(element.var)?;
                    for (indexes, value) in writes {
                        self.write_by_lanes(strip, &target, indexes, *value)?;
                    }
                    continue;
                }
            };
            if element.ty.rank() > space.dims.len() {
                let source = x.var().ok_or_else(|| Error::bug("an array that is a constant"))?;
                let at = Self::indexes(space, space.dims.len());
                self.collect_array_by_lanes(strip, element, &at, source)?;
                continue;
            }
            let target = self.array(element.var)?;
            let value = self.in_lanes(strip, *x)?;
            let mut at = Vec::with_capacity(space.dims.len());
            for (v, _) in &space.dims {
                at.push(Ix::Val(self.lookup(*v)?));
            }
            self.store_neighbours(strip, &target, &at, value)?;
        }
        Ok(())
    }
}

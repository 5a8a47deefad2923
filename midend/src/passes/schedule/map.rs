//! Schedules of maps.

use super::legal;
use super::nest::{Nest, known};
use super::scheduler::{Context, Scheduler, points_at_once};
use super::worth::{divisions_do_not_pay, gathers_do_not_pay, long_operations_do_not_pay};
use crate::analysis::bodies::{is_straight, returns, size};
use crate::analysis::lanes::{Estimate, FEW, Lanes, ROW, STRIDES};
use crate::analysis::places::{Place, reads_along};
use crate::ir::traverse::for_each_block;
use crate::ir::{
    DimIndex, Exp, KernelBody, Lmad, PageStreams, Poly, Prim, Schedule, SegKind, SegOp, SegSpace,
    Stm, StmAttr, Strategy, SubExp, Var,
};
use crate::machine::Machine;

/// Points that are computed into a buffer on the way past the caches.
pub(super) const CHUNK: i64 = 128;
/// The code of a body stands twice; larger ones do not wait for memory anyway.
const MOST_STREAMED: usize = 60;
/// Points of a tile each way: a line of the cache or two.
pub(super) const TILE: i64 = 32;
/// Columns, known to be no more, that are read one after the other: LLVM unrolls their loop, and reads whole rows by vectors.
pub(super) const FEW_COLUMNS: i64 = 7;
/// Rows of a panel.
const PANEL: i64 = 1024;
/// So many rows ahead are asked for: as far as memory is slow.
const AHEAD: i64 = 32;
/// Shorter rows of the result are not worth a panel's buffer.
const SHORTEST: i64 = 64;
/// Less than this lies in a cache from which lines come soon enough, but of which concurrent page
/// streams fill the sets unevenly.
const LEAST_BYTES: i64 = 4 << 20;
/// Larger bodies do not wait for memory.
const MOST_INTERLEAVED: usize = 24;
/// Points of a short row, at most.
const SHORT_ROW: i64 = 16;
/// Bytes of elements that processors gather.
const LEAST_GATHERED: i64 = 4;
/// Elements that points without loops read from anywhere, from which on vectors lose by gathers that are not quick: reading rows of 12
/// takes 0.4 of the time point by point. Of one or two the time is the same, and the vectors are of use to what comes after.
const MANY_GATHERS: usize = 8;
/// Lanes of so many registers leave over more points than go one by one, as of rows of a hundred.
const MANY_REGISTERS: i64 = 4;
/// Larger bodies have no second version by shorter vectors all the same.
const MOST_TWICE: usize = 48;
/// Larger bodies have no version by half a register.
const MOST_BY_HALVES: usize = 16;
/// Fewer points without loops are computed one by one: a quotient of floats takes as long as three of a whole vector.
const LEAST_IN_SHORT_ROWS: i64 = 3;
/// Larger bodies do not stand once more for the sake of short rows.
const MOST_IN_SHORT_ROWS: usize = 24;
/// Points of elements of one or two bytes that go by lanes in loops, at least.
const LEAST_BYTES_TOGETHER: i64 = 16;
/// Shorter vectors gain little.
const LEAST_LANES: i64 = 4;
/// Sides of branches with no more statements cost less for all lanes than to ask whether a lane takes them.
const CHEAP: usize = 8;
/// The code of a stencil by aligned lanes stands three times. Larger bodies wait for what they compute, not for what they read.
const MOST_OF_STENCIL: usize = 100;

impl Scheduler<'_> {
    pub(super) fn map(&self, nest: Nest<'_>, context: Context) -> Schedule {
        let body = &nest.op.body;
        let lanes = legal::lanes_of_map(nest, self.places, self.machine).ok();
        // LLVM would make gathers, too: of few it takes as long so as one by one.
        let gathers = self.machine.gathers
            && lanes.as_ref().is_some_and(|l| {
                l.estimate.anywhere >= MANY_GATHERS
                    && l.widest >= LEAST_GATHERED
                    && gathers_do_not_pay(l, body, self.machine)
            });
        // What went in strips did so for the sake of lanes.
        let lanes = lanes.filter(|l| context.strip || l.pays());
        // Lanes go along rows: of many rows side by side, neighbours lie rows apart.
        let lanes = lanes.filter(|l| {
            !context.rows
                && !gathers_do_not_pay(l, body, self.machine)
                && !divisions_do_not_pay(l, self.machine)
                && !long_operations_do_not_pay(l, self.machine)
        });
        let mut out = Vec::new();
        // Points on the way past the caches are not computed by lanes, which gain more.
        if !lanes.as_ref().is_some_and(Lanes::looks_up) {
            out.extend(self.stream(nest, context));
        }
        if let Some(lanes) = lanes {
            let register = (self.machine.vector_bytes / lanes.widest).max(2);
            let mut width =
                if context.short_rows { register } else { self.strip_width(&lanes, body) };
            let points = nest.op.space.dims.last().and_then(|(_, n)| known(*n));
            // No more lanes than points, if their number is known, but as many registers as they fill: one alone waits for itself.
            while !context.strip && width > register && points.is_some_and(|n| n < width) {
                width /= 2;
            }
            out.extend(self.by_lanes(nest, &lanes, width, points));
            let all = points.is_some_and(|n| n >= width && n % width == 0);
            let twice = body.stms.len() <= FEW
                || width >= MANY_REGISTERS * register && size(&body.stms) <= MOST_TWICE;
            if register < width && twice && !all && !self.aim.small {
                // One register alone waits for itself from round to round.
                let waits = !lanes.straight && size(&body.stms) <= MOST_BY_HALVES;
                if waits && width >= 2 * MANY_REGISTERS * register {
                    out.extend(self.by_lanes(nest, &lanes, 2 * register, points));
                }
                out.extend(self.by_lanes(nest, &lanes, register, points));
                // Of bytes, many points are fewer than those.
                if waits && lanes.widest < LEAST_GATHERED && register > LEAST_BYTES_TOGETHER {
                    out.extend(self.by_lanes(nest, &lanes, LEAST_BYTES_TOGETHER, points));
                }
            }
            // Rows of fewer points than a register has lanes.
            let is_row = context.depth > 0 || nest.op.space.dims.len() > 1;
            let half = register / 2;
            let few = context.short_rows || !lanes.straight && size(&body.stms) <= MOST_BY_HALVES;
            let of_words = lanes.widest >= LEAST_GATHERED && half >= LEAST_LANES;
            let mut shortest = register;
            if is_row && points.is_none() && few && of_words && !self.aim.small {
                out.extend(self.by_lanes(nest, &lanes, half, points));
                shortest = half;
            }
            if is_row {
                out.extend(self.row_in_a_strip(nest, &lanes, (shortest, points)));
            }
            // What is left are fewer points than lanes.
            out.push(Strategy::Scalar);
            return Schedule::new(out);
        }
        if let Some(lanes) = self.stencil(nest, context) {
            out.extend([lanes, Strategy::Scalar]);
            return Schedule::new(out);
        }
        if let Some(row) = self.row_of_points(nest) {
            let points = nest.op.space.dims.last().and_then(|(_, n)| known(*n));
            let alone = row.is_none() && points >= Some(ROW);
            out.extend(row);
            out.push(if alone { points_apart(nest.op) } else { Strategy::Scalar });
            return Schedule::new(out);
        }
        let few = |d: usize| {
            let n = nest.op.space.dims.get(d).and_then(|(_, n)| known(*n));
            n.is_some_and(|n| n <= FEW_COLUMNS)
        };
        let crossed = self.crossed(nest);
        if let Some((dim, _)) = crossed.filter(|(a, b)| few(*a) && !few(*b)) {
            out.push(Strategy::Innermost { dim });
        } else if let Some(dims) = crossed.filter(|(_, b)| !few(*b)) {
            out.extend(self.panels(nest, dims));
            out.push(Strategy::Tiles { dims, size: TILE });
        } else if gathers {
            out.push(Strategy::Scalar);
        } else {
            out.extend(self.short_row_of_straight_points(nest, context));
            out.push(match self.unroll(nest, context) {
                1 => points_apart(nest.op),
                unroll => Strategy::Loops { unroll },
            });
        }
        let independent = legal::is_pointwise_in_place(nest, self.places);
        Schedule { independent, ..Schedule::new(out) }
    }

    /// Lanes, unless it is known that there are fewer points.
    pub(super) fn by_lanes(
        &self,
        nest: Nest<'_>,
        lanes: &Lanes,
        width: i64,
        points: Option<i64>,
    ) -> Option<Strategy> {
        if points.is_some_and(|n| n < width) {
            return None;
        }
        let room = width * lanes.private_bytes();
        let left = self.room.get() - room;
        if left >= 0 {
            self.room.set(left);
        }
        let speculate = if has_branches(&nest.op.body.stms) { CHEAP } else { 0 };
        let shared = left < 0;
        Some(Strategy::Lanes { width, aligned: false, speculate, shared, partial: 0 })
    }

    /// A row of fewer points than so many lanes, in one strip: as many lanes as points if that is a power of two, or more,
    /// where there are masks to tell them by. It takes as long as a whole one, and what lanes lose is lost by all of them.
    fn row_in_a_strip(
        &self,
        nest: Nest<'_>,
        lanes: &Lanes,
        (lanes_of_whole, points): (i64, Option<i64>),
    ) -> Option<Strategy> {
        let Estimate { gained, lost, .. } = lanes.estimate;
        let least = 1 + i64::try_from(lost.div_ceil(gained.max(1))).ok()?;
        let most = points.map_or(lanes_of_whole, |n| n + 1);
        if self.aim.small || lanes.widest < LEAST_GATHERED || least >= most || most > lanes_of_whole
        {
            return None;
        }
        let width = points.map_or(lanes_of_whole, |n| {
            LEAST_LANES.max(n.unsigned_abs().next_power_of_two().cast_signed())
        });
        let partial = if points == Some(width) { 0 } else { least };
        if partial > 0 && (!self.machine.masks || !legal::may_be_partial(nest)) {
            return None;
        }
        let whole = self.by_lanes(nest, lanes, width, None)?;
        let Strategy::Lanes { width, aligned, speculate, shared, .. } = whole else {
            return None;
        };
        Some(Strategy::Lanes { width, aligned, speculate, shared, partial })
    }

    /// Rows whose length is not known, of points without loops that LLVM makes vectors of, but not of a few: fewer than lanes of a
    /// register are one strip, where there are masks.
    fn short_row_of_straight_points(&self, nest: Nest<'_>, context: Context) -> Option<Strategy> {
        let SegOp { space, body, .. } = nest.op;
        let is_row = context.depth > 0 || space.dims.len() > 1;
        let is_known = space.dims.last().is_none_or(|(_, n)| known(*n).is_some());
        let large = self.aim.small || context.peeled || size(&body.stms) > MOST_IN_SHORT_ROWS;
        if !is_row || is_known || large || context.kernel {
            return None;
        }
        let lanes = legal::lanes_of_map(nest, self.places, self.machine).ok()?;
        if !lanes.estimate.plain {
            return None;
        }
        let register = (self.machine.vector_bytes / lanes.widest).max(2);
        match self.row_in_a_strip(nest, &lanes, (register, None))? {
            Strategy::Lanes { width, aligned, speculate, shared, partial } if partial > 0 => {
                let partial = partial.max(LEAST_IN_SHORT_ROWS);
                Some(Strategy::Lanes { width, aligned, speculate, shared, partial })
            }
            _ => None,
        }
    }

    /// Aligned lanes of a stencil's rows whose length is not known. LLVM's vectors begin with the rows, so that most
    /// of them lie across two lines of the cache, and of rows of a few hundred points many are left over from its unrolled
    /// loops, which go by shorter vectors and one by one.
    fn stencil(&self, nest: Nest<'_>, context: Context) -> Option<Strategy> {
        let SegOp { space, body, .. } = nest.op;
        let (_, length) = space.dims.last()?;
        let is_row = context.depth > 0 || space.dims.len() > 1;
        // Shorter vectors seldom lie across lines.
        let long = self.machine.stencil_bytes >= 32;
        if self.aim.small || !long || !is_row || known(*length).is_some() {
            return None;
        }
        if size(&body.stms) > MOST_OF_STENCIL || !self.is_stencil(&body.stms) {
            return None;
        }
        let lanes = legal::lanes_of_map(nest, self.places, self.machine).ok()?;
        let width = self.machine.stencil_bytes / lanes.widest;
        if !lanes.estimate.plain || width < 2 || !legal::aligns(nest, self.places) {
            return None;
        }
        match self.by_lanes(nest, &lanes, width, None)? {
            Strategy::Lanes { width, speculate, shared, partial, .. } => {
                Some(Strategy::Lanes { width, aligned: true, speculate, shared, partial })
            }
            other => Some(other),
        }
    }

    /// Of short rows whose points read what is far apart from row to row, as of products of many small matrices: lanes for a whole row,
    /// if these read by vectors, or else points by themselves, of which LLVM makes vectors within a row. Of several rows it makes gathers, where
    /// processors have them for the elements; where they do not, it makes vectors of whole matrices, which is better where rows read columns.
    fn row_of_points(&self, nest: Nest<'_>) -> Option<Option<Strategy>> {
        let SegOp { space, body, .. } = nest.op;
        let points = space.dims.last().and_then(|(_, n)| known(*n))?;
        let &(outer, _) = space.dims.iter().rev().find(|(_, n)| !is_few(*n))?;
        let far = |s: &Stm| {
            let Exp::Index { array, dims } = &s.exp else { return false };
            let stride = self.places.of(*array).and_then(|p| stride_along(p, dims, outer));
            stride.is_some_and(|s| !(0..=*STRIDES.end()).contains(&s))
        };
        let straight = body.stms.iter().all(is_straight);
        if !is_few(SubExp::i64(points)) || !straight || !body.stms.iter().any(far) {
            return None;
        }
        let lanes = legal::lanes_of_map(nest, self.places, self.machine).ok()?;
        let gathers = self.machine.gathers && lanes.widest >= LEAST_GATHERED;
        let fits = points > 2
            && points * lanes.widest <= 2 * self.machine.vector_bytes
            && (points & (points - 1) == 0 || legal::is_row(nest.op, &lanes, points));
        let estimate = lanes.estimate;
        let row =
            Some(lanes).filter(|_| fits && (estimate.plain || estimate.by_vectors && gathers));
        if row.is_none() && !gathers {
            return None;
        }
        Some(row.and_then(|l| self.by_lanes(nest, &l, points, Some(points))))
    }

    /// Whether neighbours are read again and again in one block: two whose distance is known, or three.
    fn is_stencil(&self, stms: &[Stm]) -> bool {
        let mut read: Vec<(Var, Poly)> = Vec::new();
        for s in stms {
            let Exp::Index { array, dims } = &s.exp else { continue };
            let Some(place) = self.places.of(*array) else { continue };
            let fixed = |d: &DimIndex| match d {
                DimIndex::Fix(i) => Some(*i),
                DimIndex::Slice { .. } => None,
            };
            let Some(indexes) = dims.iter().map(fixed).collect::<Option<Vec<SubExp>>>() else {
                continue;
            };
            let at = Poly::of(&place.mem.lmad.offset_of(&indexes));
            let at = self.places.defs.expand(&at);
            let block = place.mem.block;
            let others = || read.iter().filter(|(b, _)| *b == block).map(|(_, at)| at);
            if others().any(|other| at == *other) {
                continue;
            }
            if others().count() == 2 || others().any(|other| at.sub(other).as_const().is_some()) {
                return true;
            }
            read.push((block, at));
        }
        false
    }

    /// Large results past the caches. An ordinary store reads the line of memory that it writes to first,
    /// so a map of an array larger than the caches moves half as much again as a copy does. Smaller
    /// results stay in the caches, so that what reads them next hits there. What a task writes is a part of a result.
    fn stream(&self, nest: Nest<'_>, context: Context) -> Option<Strategy> {
        if !self.large {
            return None;
        }
        let op = nest.op;
        let results = legal::streams(nest, self.places)?;
        if size(&op.body.stms) > MOST_STREAMED {
            return None;
        }
        let from = self.machine.beyond_caches;
        let tasks = context.task && context.depth == 0 && is_part(op);
        if !tasks && results.first()?.bytes().is_some_and(|n| n < from) {
            return None;
        }
        let unroll = points_at_once(&op.body.stms);
        let pages = (self.machine.page_streams)
            .then(|| self.page_streams(&op.space, &op.body.stms, results.len(), CHUNK))
            .flatten();
        Some(Strategy::Stream { chunk: CHUNK, unroll, pages, from, tasks })
    }

    /// Panels, if the result may be beyond the caches and is long both ways.
    fn panels(&self, nest: Nest<'_>, dims: (usize, usize)) -> Option<Strategy> {
        if !self.large {
            return None;
        }
        let to = self.places.of(nest.pat.first()?.var)?;
        let panels = panels(to.elem, &to.mem.lmad, dims, self.machine);
        panels.filter(|_| legal::panels(nest, self.places))
    }

    /// The dimensions in which a map goes across: some result is written along the second one, something
    /// is read along the first.
    pub(super) fn crossed(&self, nest: Nest<'_>) -> Option<(usize, usize)> {
        let (space, body) = (&nest.op.space, &nest.op.body);
        if space.dims.len() < 2 || !returns(body) || !body.stms.iter().all(is_straight) {
            return None;
        }
        let mut to = None;
        for p in nest.pat {
            let target: &Place = self.places.of(p.var)?;
            if target.rank() != space.dims.len() {
                return None;
            }
            to = target.unit_dim();
        }
        let to = to?;
        body.stms.iter().find_map(|s| {
            let from = self.places.unit_dim(space, s)?;
            (from != to && reads_along(space, s, to)).then_some((from, to))
        })
    }

    /// How to walk what a body reads, if that is a few arrays from neighbour to neighbour along the
    /// innermost dimension; `written` arrays are written along it.
    pub(super) fn page_streams(
        &self,
        space: &SegSpace,
        stms: &[Stm],
        written: usize,
        chunk: i64,
    ) -> Option<PageStreams> {
        if !self.large || stms.len() > MOST_INTERLEAVED {
            return None;
        }
        let innermost = space.dims.len().checked_sub(1)?;
        let mut elements: Vec<(Var, i64)> = Vec::new();
        for stm in stms {
            match &stm.exp {
                Exp::Index { array, .. } if self.places.unit_dim(space, stm) == Some(innermost) => {
                    let place = self.places.of(*array)?;
                    let entry = (place.mem.block, place.elem.bytes());
                    if !elements.contains(&entry) {
                        elements.push(entry);
                    }
                }
                Exp::SubExp(_)
                | Exp::UnOp(..)
                | Exp::BinOp(..)
                | Exp::CmpOp(..)
                | Exp::ConvOp(..)
                | Exp::Math(..) => {}
                _ => return None,
            }
        }
        let bytes: Vec<i64> = elements.iter().map(|(_, bytes)| *bytes).collect();
        concurrent(&bytes, written, chunk, self.machine.page)
    }

    /// As many points as fill some registers.
    pub(super) fn strip_width(&self, lanes: &Lanes, body: &KernelBody) -> i64 {
        let bytes = self.machine.vector_bytes;
        let mut width = lanes.width(body.stms.len(), bytes);
        // No more than one register, if what lanes have for themselves would not stay in the cache.
        while width > bytes / lanes.widest
            && width * lanes.private_bytes() > self.machine.first_cache / 2
        {
            width /= 2;
        }
        width
    }
}

/// Plain loops, or loops around rows whose length is known and worth a vector. LLVM unrolls what goes along these, and would make vectors of
/// the loop around them then, of elements of neighbouring rows that it reads one by one.
fn points_apart(op: &SegOp) -> Strategy {
    let long = |n: Option<&SubExp>| n.and_then(|n| known(*n)) >= Some(ROW);
    let rank = op.space.dims.len();
    let rows = op.body.types.iter().any(|ty| long(ty.shape().last()))
        || op.body.stms.iter().any(|s| match &s.exp {
            Exp::Seg(SegOp { space, kind: SegKind::Map, .. }) => {
                long(space.dims.last().map(|(_, n)| n))
            }
            _ => false,
        });
    let dims = match op.space.dims.last() {
        _ if rows => rank,
        Some((_, n)) if long(Some(n)) => rank.saturating_sub(1),
        _ => 0,
    };
    if dims > 0 { Strategy::Outer { dims } } else { Strategy::Loops { unroll: 1 } }
}

/// Whether a size is known and that of a short row.
fn is_few(n: SubExp) -> bool {
    known(n).is_some_and(|n| n <= SHORT_ROW)
}

/// How far apart in memory what is read is along an index, if that is known and it is among the indexes.
fn stride_along(place: &Place, dims: &[DimIndex], index: Var) -> Option<i64> {
    let by_index = |d: &DimIndex| matches!(d, DimIndex::Fix(SubExp::Var(v)) if *v == index);
    place.stride(dims.iter().position(by_index)?)
}

fn has_branches(stms: &[Stm]) -> bool {
    stms.iter().any(|s| {
        let mut inside = matches!(s.exp, Exp::Match { .. });
        for_each_block(&s.exp, &mut |b| inside |= has_branches(b));
        inside
    })
}

/// Panels of what goes across to a place, unless it is known to be small or short one way.
pub(super) fn panels(
    elem: Prim,
    to: &Lmad,
    dims: (usize, usize),
    machine: &Machine,
) -> Option<Strategy> {
    let from = machine.beyond_caches;
    let size = |d: usize| Poly::leaf(to.dims.get(d)?.n).as_const();
    let short = |d: usize, least: i64| size(d).is_some_and(|n| n < least);
    let small = to.known_bytes(elem).is_some_and(|n| n < from)
        || short(dims.0, machine.line / elem.bytes())
        || short(dims.1, SHORTEST);
    (!small).then_some(Strategy::Panels { dims, rows: PANEL, ahead: AHEAD, least: SHORTEST, from })
}

/// Whether an operation is over a part of a range, as that of a task.
fn is_part(op: &SegOp) -> bool {
    op.body.stms.first().is_some_and(|s| s.has(StmAttr::Index))
}

/// Concurrent page streams of arrays whose elements have so many bytes, and of a number that is written;
/// nothing if they are none or too many.
fn concurrent(elements: &[i64], written: usize, chunk: i64, page: i64) -> Option<PageStreams> {
    let smallest = elements.iter().copied().min()?;
    // More streams are more than a processor keeps track of.
    let pages = match elements.len() + written {
        1 | 2 => 8,
        3 | 4 => 4,
        5..=8 => 2,
        _ => return None,
    };
    let page = page / smallest;
    let least = (LEAST_BYTES / elements.iter().sum::<i64>()).max(2 * pages * page);
    Some(PageStreams { pages, page, chunk, least })
}

#[cfg(test)]
mod tests {
    use super::concurrent;
    use crate::ir::PageStreams;

    #[test]
    fn more_arrays_fewer_pages() {
        let of = |elements: &[i64], written| concurrent(elements, written, 64, 4096);
        let some = |pages, page, least| Some(PageStreams { pages, page, chunk: 64, least });
        assert_eq!(of(&[4], 0), some(8, 1024, 1 << 20));
        assert_eq!(of(&[4, 4], 1), some(4, 1024, 1 << 19));
        assert_eq!(of(&[8, 8], 0), some(8, 512, 1 << 18));
        assert_eq!(of(&[4; 5], 0).map(|way| way.pages), Some(2));
        assert_eq!(of(&[4; 9], 0), None);
        assert_eq!(of(&[], 1), None);
    }
}

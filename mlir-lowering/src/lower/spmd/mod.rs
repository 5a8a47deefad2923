//! Maps whose bodies have loops or checks, by lanes: neighbouring points together, each in a lane of
//! vectors.
//!
//! ```text
//! for k < ceil(n / W):
//!   i = min(k · W, n - W)            the last strip overlaps the one before it
//!   … the body, of the points i .. i + W: see futc_midend::analysis::lanes for what becomes a vector
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
//! | reading where bits of the lane's number are flipped | neighbours that change places |
//! | reading otherwise | a gather, unless they happen to be neighbours |
//! | a check of what varies | if a lane fails, all points of the strip one by one, which tells the first that fails |
//!
//! Computing points twice in the last strip is harmless, since results go to blocks that the body does
//! not read. Fewer points than lanes go by as many lanes as fit in a register, if the body is small, and
//! fewer than those one by one.

mod control;
mod division;
mod memory;
mod values;

use super::function::Function;
use super::seg::Nest;
use crate::Error;
use crate::dialect::{Ix, Predicate, Val};
use futc_midend::analysis::contraction::accumulation;
use futc_midend::analysis::lanes::{Lanes, lanes};
use futc_midend::ir::{KernelResult, PatElem, Reduction, SegOp, SegSpace, Stm, Strategy};
use futc_midend::ir::{SubExp, Var};
use melior::ir::ValueLike;
use std::cell::RefCell;

type Result<T> = std::result::Result<T, Error>;

/// A strip of points under construction.
#[derive(Clone, Copy)]
pub(super) struct Strip<'l, 'c, 'p> {
    classes: &'l Lanes,
    /// The statements of the points, all of them.
    whole: &'p [Stm],
    /// How many points.
    width: i64,
    /// The index, and the first of the points.
    first: (Var, Val<'c>),
    /// Quotients by what is uniform, met in straight code.
    quotients: &'l RefCell<Vec<Quotient<'c>>>,
    /// The lanes that take part; all of them, if absent.
    mask: Option<Val<'c>>,
}

/// Whether to go by lanes.
enum Profitability<'c> {
    Always,
    Never,
    If(Val<'c>),
}

/// A quotient of integers.
struct Quotient<'c> {
    /// Rounded down, not towards zero.
    floors: bool,
    dividend: SubExp,
    divisor: SubExp,
    value: Val<'c>,
}

/// Folds the points from one index to another into accumulators, in order.
type Points<'f, 'c, F> = dyn Fn(&mut F, Ix<'c>, Ix<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>> + 'f;

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// A row of a map by lanes; the index variables of the outer dimensions are bound.
    pub(super) fn map_by_lanes(&mut self, nest: Nest<'p>) -> Result<()> {
        let Nest { pat, op: SegOp { space, body, .. }, .. } = nest;
        let (index, n) = Self::innermost(space)?;
        let lanes = &lanes(index, body, self.m.machine.cpu.gathers)
            .ok_or_else(|| Error::bug("a map that cannot go by lanes"))?;
        let n = self.index(n)?;
        let outside = self.env.clone();
        let strips = |f: &mut Self, width: i64| {
            f.env = outside.clone();
            let count = f.ceil_div(n, width)?;
            let last = f.b.sub(n, Ix::Const(width))?;
            f.for_each(count, |f, k| {
                let first = f.b.mul(k, Ix::Const(width))?;
                let first = f.min(first, last)?;
                let first = f.b.ix(first)?;
                f.env.insert(index, first);
                let quotients = RefCell::default();
                let strip = Strip {
                    classes: lanes,
                    whole: &body.stms,
                    width,
                    first: (index, first),
                    quotients: &quotients,
                    mask: None,
                };
                f.stms_by_lanes(&strip, strip.whole)?;
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
        let mut widths = Vec::new();
        for strategy in nest.strategies {
            if let Strategy::Lanes { width } = strategy {
                widths.push(*width);
            }
        }
        self.by_widths(lanes, n, &widths, &strips, &points)?;
        self.env = outside;
        Ok(())
    }

    /// Strips of the first of several widths that there are enough points for, else points.
    fn by_widths(
        &mut self,
        lanes: &Lanes,
        n: Ix<'c>,
        widths: &[i64],
        strips: &dyn Fn(&mut Self, i64) -> Result<()>,
        points: &dyn Fn(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let Some((width, fewer)) = widths.split_first() else { return points(self) };
        match self.pays(lanes, n, *width)? {
            Profitability::Always => strips(self, *width),
            Profitability::Never => self.by_widths(lanes, n, fewer, strips, points),
            Profitability::If(cond) => self.either(
                cond,
                |f| strips(f, *width),
                |f| f.by_widths(lanes, n, fewer, strips, points),
            ),
        }
    }

    /// Whether there are enough points, and reductions inside are as short as they must be.
    fn pays(&mut self, lanes: &Lanes, n: Ix<'c>, width: i64) -> Result<Profitability<'c>> {
        let mut conditions = Vec::new();
        match n {
            Ix::Const(n) if n < width => return Ok(Profitability::Never),
            Ix::Const(_) => {}
            Ix::Val(n) => {
                let least = self.b.i64(width)?;
                conditions.push(self.b.cmpi(Predicate::Sle, least, n)?);
            }
        }
        for (n, most) in &lanes.short {
            let n = self.operand(*n)?;
            let most = self.b.i64(*most)?;
            conditions.push(self.b.cmpi(Predicate::Sle, n, most)?);
        }
        let Some(mut all) = conditions.pop() else { return Ok(Profitability::Always) };
        for c in conditions {
            all = self.b.andi(all, c)?;
        }
        Ok(Profitability::If(all))
    }

    /// A reduction by lanes, each of which accumulates its points, if there are enough; else by the
    /// strategies that are left. The index variables of the outer dimensions are bound.
    pub(super) fn red_of_lanes(
        &mut self,
        nest: Nest<'p>,
        ops: &'p [Reduction],
        width: i64,
        n: Ix<'c>,
        neutral: &[Val<'c>],
        points: &Points<'_, 'c, Self>,
    ) -> Result<Vec<Val<'c>>> {
        let SegOp { space, body, .. } = nest.op;
        let (index, _) = Self::innermost(space)?;
        let cannot = || Error::bug("a reduction that cannot go by lanes");
        let adds: Vec<_> =
            ops.iter().map(accumulation).collect::<Option<_>>().ok_or_else(cannot)?;
        let lanes = lanes(index, body, false).ok_or_else(cannot)?;
        let types: Vec<_> = neutral.iter().map(ValueLike::r#type).collect();
        let outside = self.env.clone();
        let strips = |f: &mut Self| {
            let (length, by) = (f.b.ix(n)?, f.b.i64(width)?);
            let count = f.b.divui(length, by)?;
            let quotients = RefCell::default();
            let zero = f.b.i64(0)?;
            let mut strip = Strip {
                classes: &lanes,
                whole: &body.stms,
                width,
                first: (index, zero),
                quotients: &quotients,
                mask: None,
            };
            let init =
                neutral.iter().map(|x| f.spread_to(&strip, *x)).collect::<Result<Vec<_>>>()?;
            let sums = f.for_carrying(count, &init, |f, k, sums| {
                let first = f.b.mul(Ix::Val(k), Ix::Const(width))?;
                let first = f.b.ix(first)?;
                f.env.insert(index, first);
                strip.first = (index, first);
                f.stms_by_lanes(&strip, strip.whole)?;
                let mut next = Vec::with_capacity(sums.len());
                for ((add, sum), result) in adds.iter().zip(sums).zip(&body.results) {
                    let KernelResult::Return(x) = result else {
                        return Err(Error::bug("a write in a reduction by lanes"));
                    };
                    let x = f.in_lanes(&strip, *x)?;
                    next.push(f.lanewise(*add, *sum, x)?);
                }
                Ok(next)
            })?;
            let mut totals = neutral.to_vec();
            for ((total, sum), add) in totals.iter_mut().zip(sums).zip(&adds) {
                for lane in 0..width {
                    let x = f.b.vector_extract(sum, lane)?;
                    *total = f.lanewise(*add, *total, x)?;
                }
            }
            let done = f.b.mul(Ix::Val(count), Ix::Const(width))?;
            f.env = outside.clone();
            points(f, done, n, &totals)
        };
        let totals = match self.pays(&lanes, n, width)? {
            Profitability::Never => points(self, Ix::Const(0), n, neutral)?,
            Profitability::Always => strips(self)?,
            Profitability::If(cond) => {
                let yes = self.region(&[], |f, _| strips(f))?;
                self.env = outside.clone();
                let no = self.region(&[], |f, _| points(f, Ix::Const(0), n, neutral))?;
                self.b.scf_if(cond, &types, yes, no)?
            }
        };
        self.env = outside;
        Ok(totals)
    }

    /// A check that some lanes may fail, or that all lanes fail with different words. Wherever it
    /// stands, points before the first lane that fails may fail at a later check.
    fn check_by_lanes(&mut self, strip: &Strip<'_, 'c, 'p>, cond: SubExp) -> Result<()> {
        let cond = self.in_lanes(strip, cond)?;
        let all = self.all_lanes(cond)?;
        self.either(all, |_| Ok(()), |f| f.one_by_one(strip))
    }

    /// The points of a strip one after the other, for what they have to say.
    fn one_by_one(&mut self, strip: &Strip<'_, 'c, 'p>) -> Result<()> {
        let outside = self.env.clone();
        let (index, first) = strip.first;
        let width = self.b.i64(strip.width)?;
        self.for_carrying(width, &[], |f, lane, _| {
            let i = f.b.add(Ix::Val(first), Ix::Val(lane))?;
            let i = f.b.ix(i)?;
            f.env.insert(index, i);
            f.stms(strip.whole)?;
            Ok(Vec::new())
        })?;
        self.env = outside;
        Ok(())
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

//! Products of matrices: tasks have blocks of rows and columns.
//!
//! ```text
//! let c = segred seq (i < m, j < n, k < d) …   →   let c = scratch
//!                                                  let () = segmap tasks (t < rows · columns) {
//!                                                    r = t / columns;  s = t % columns
//!                                                    let part = segred seq (i < mᵣ, j < nₛ, k < d) …
//!                                                  }
//! ```
//!
//! Every task packs the rows and the columns that it has, so that columns are packed as often as there are blocks of
//! rows, and the reverse. Rows are cut first, as columns go by long vectors, and columns if blocks of rows would become too low for
//! what packing takes. Blocks are equal but for one unit, so that none is smaller than what is done by another strategy,
//! whose results might have other bits.

use super::cutter::{Cut, Results};
use super::grain::Grain;
use super::space::{self, Range, Wanted, one_or_more, quotient_up, range_from};
use super::versions::{self, Alone};
use super::work::Estimate;
use super::{asks_of_indexes, is_few};
use crate::analysis::contraction::Contraction;
use crate::ir::{Builder, SegOp, Stm, SubExp, Var};
use crate::passes::schedule::WORTH_BLOCKS;

/// Tasks for each thread: more would pack more, and fewer leave threads idle when one is interrupted.
const TASKS_OF_WORKER: i64 = 2;
/// Rows and columns of a block at least: of twice as many rows, packing the columns takes a seventh of the time, but
/// two blocks of 64 to 100 rows take 0.58 of the time of one.
const LEAST: i64 = 64;
/// Rows of a block at least if rows and columns are too few for as many blocks as are wanted otherwise: two of 24 to 60 rows take 0.55 to 0.8
/// of the time of one, but two of 20 rows and 1,000 columns, of which each packs all columns, 1.25.
const FEWEST_ROWS: i64 = 16;
/// Rows and columns of a block at least if there are two for each thread.
const HIGH: i64 = 256;
/// Rows of a block are a multiple of those of register tiles, with the longest vectors,
const ROWS: i64 = 8;
/// and columns, too.
const COLUMNS: i64 = 48;

/// A dimension in parts.
struct Dim {
    n: SubExp,
    parts: SubExp,
    unit: i64,
}

/// How a dimension may be cut.
#[derive(Clone, Copy)]
struct Limits {
    least: i64,
    /// The same where there are too few blocks.
    fewest: i64,
    unit: i64,
    /// Of so many in a part, there may be several parts for each thread.
    high: i64,
}

impl Cut {
    /// A product, whose arrays are `results`.
    pub(super) fn product(
        &mut self,
        s: &Stm,
        op: &SegOp,
        c: &Contraction<'_>,
        results: &Results,
    ) -> Option<()> {
        // As of other operations: what a body asks of its inner index stays as it is.
        let inner = op.space.dims.get(1).is_some_and(|(_, n)| is_few(*n));
        let cut = if inner || asks_of_indexes(&op.body) { 1 } else { 2 };
        let estimate = Estimate::of_product(op, cut, self.grain, &mut self.b);
        let limits = |d: usize| match self.grain {
            Grain::Smallest => Limits { least: 2, fewest: 2, unit: 2, high: 4 },
            Grain::Estimated if d == c.row => {
                Limits { least: LEAST, fewest: FEWEST_ROWS, unit: ROWS, high: HIGH }
            }
            Grain::Estimated if d == c.column => {
                Limits { least: LEAST, fewest: LEAST, unit: COLUMNS, high: HIGH }
            }
            Grain::Estimated => Limits { least: 1, fewest: 1, unit: 1, high: 2 },
        };
        let dims: Vec<_> =
            op.space.dims.iter().take(cut).enumerate().map(|(d, (_, n))| (*n, limits(d))).collect();
        let sizes: Vec<SubExp> = dims.iter().map(|(n, _)| *n).collect();
        let wanted = space::tasks_of(&sizes, estimate, &mut self.b)?;
        let in_tasks = |cut: &mut Cut, s: &Stm, results: &Results| {
            let wanted = Wanted { tasks: wanted, several: false };
            let wanted = match cut.grain {
                Grain::Estimated => space::for_workers(wanted, Some(TASKS_OF_WORKER), &mut cut.b),
                Grain::Smallest => wanted,
            };
            let (count, dims) = grid(wanted.tasks, &dims, &mut cut.b);
            cut.segments_in_tasks(s, op, (count, &|t, b| ranges(count, &dims, t, b)), results);
        };
        if self.repeated && versions::pay(op, estimate) {
            // What is too small for blocks goes by loops, and has none of their code.
            let volume = self.b.product(&op.space.dims.iter().map(|d| d.1).collect::<Vec<_>>());
            let small = self.b.lt(volume, SubExp::i64(WORTH_BLOCKS));
            self.versions(s, (small, Alone::Little), |cut, s| {
                in_tasks(cut, s, &results.renamed(&s.pat));
                Some(s.pat.iter().map(|p| p.var.into()).collect())
            })
        } else {
            in_tasks(self, s, results);
            Some(())
        }
    }
}

/// Emits into how many parts dimensions are cut, of about as many blocks as are wanted.
fn grid(wanted: SubExp, dims: &[(SubExp, Limits)], b: &mut Builder) -> (SubExp, Vec<Dim>) {
    let one = SubExp::i64(1);
    let mut values = one_or_more(wanted, vec![one; dims.len() + 1], b, |b| {
        let mut wanted = wanted;
        if let Some((n, Limits { high, .. })) = dims.first() {
            let most = b.quot(*n, SubExp::i64(*high));
            let high = b.le(wanted, most);
            let half = quotient_up(wanted, SubExp::i64(2), b);
            wanted = b.choose(high, wanted, half);
        }
        let (mut count, mut out) = (one, Vec::with_capacity(dims.len() + 1));
        for (n, Limits { least, .. }) in dims {
            let most = b.quot(*n, SubExp::i64(*least));
            let wanted = if count == one { wanted } else { quotient_up(wanted, count, b) };
            let parts = b.min(wanted, most);
            let parts = b.max(parts, one);
            count = b.mul(count, parts);
            out.push(parts);
        }
        if let Some(k) = dims.iter().position(|(_, limits)| limits.fewest < limits.least)
            && let (Some((n, limits)), Some(parts)) = (dims.get(k), out.get_mut(k))
        {
            let others = b.quot(count, *parts);
            let most = b.quot(*n, SubExp::i64(limits.fewest));
            let more = quotient_up(wanted, others, b);
            let more = b.min(more, most);
            *parts = b.max(*parts, more);
            count = b.mul(others, *parts);
        }
        out.push(count);
        out
    });
    let count = values.pop().unwrap_or(one);
    let dims = dims.iter().zip(values);
    (count, dims.map(|((n, limits), parts)| Dim { n: *n, parts, unit: limits.unit }).collect())
}

/// The block that a task has, of so many.
fn ranges(count: SubExp, dims: &[Dim], task: Var, b: &mut Builder) -> Vec<Range> {
    let zero = SubExp::i64(0);
    let whole = dims.iter().flat_map(|d| [zero, d.n]).collect();
    let values = one_or_more(count, whole, b, |b| {
        let mut rest = SubExp::from(task);
        let mut out = Vec::with_capacity(2 * dims.len());
        for (d, Dim { n, parts, unit }) in dims.iter().enumerate().rev() {
            let (part, left) = match d {
                0 => (rest, rest),
                _ => (b.rem(rest, *parts), b.quot(rest, *parts)),
            };
            rest = left;
            let unit = SubExp::i64(*unit);
            let units = quotient_up(*n, unit, b);
            let begin = |part: SubExp, b: &mut Builder| {
                let all = b.mul(part, units);
                let first = b.quot(all, *parts);
                b.mul(first, unit)
            };
            let first = begin(part, b);
            let next = b.add(part, SubExp::i64(1));
            let next = begin(next, b);
            out.splice(0..0, [first, b.sub(next, first)]);
        }
        out
    });
    let parts = values.chunks_exact(2).zip(dims);
    parts.filter_map(|(v, d)| Some(range_from(*v.first()?, *v.last()?, d.n, b))).collect()
}

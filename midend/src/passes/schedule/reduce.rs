//! Schedules of reductions.
//!
//! | reduction | schedule |
//! | --- | --- |
//! | a product of matrices | in blocks, if it is large |
//! | of what is not neighbours, where columns are | columns |
//! | of neighbours, by operations that LLVM splits over lanes itself | loops |
//! | of neighbours, by a minimum or maximum of floats among others, or of many | accumulators |
//! | of neighbours, by what commutes, and LLVM does not split | accumulators |
//! | of neighbours, by what need not commute | a tree |
//! | of few neighbours, whose number is known, by operations that LLVM splits | rolled |
//! | of quotients of integers, or of rows of few elements, whose number is known | lanes |
//! | of neighbours that are also stored, by a minimum or maximum of floats among others | lanes |
//!
//! LLVM takes apart no minimum or maximum of floats unless it is told that there are no NaNs. But these
//! operations commute, and the operator is associative by contract.

use super::legal;
use super::nest::{Nest, known};
use super::scheduler::{Context, Scheduler};
use super::worth::{divisions_do_not_pay, long_operations_do_not_pay};
use crate::analysis::bodies::{is_accumulated_by_parts, is_arithmetic, size};
use crate::analysis::contraction::{accumulation, contraction, lanewise_accumulation};
use crate::analysis::lanes::{FEW, Lanes, SOME};

use crate::ir::{
    BinOp, Exp, KernelBody, Prim, Reduction, Schedule, SegOp, Stm, Strategy, Tile, Type,
};

/// The least number of multiplications that blocks pay for.
pub const WORTH_BLOCKS: i64 = 8192;
/// Accumulators that take the elements of one reduction in turn.
pub(super) const ACCUMULATORS: i64 = 64;
/// Elements in a vector that accumulators of operators of several statements want: trees need no more registers than one.
const LEAST_LANES: i64 = 4;
/// Choices between arguments that a vector should have room for, and more: few elements are chosen, so that branches foretell them well.
const LEAST_CHOICES: i64 = 3;
/// Fewer do not fill vectors.
const LEAST_ACCUMULATORS: i64 = 16;
/// Fewer elements than this do not pay for setting up accumulators of minima and maxima and reducing them.
const MANY: i64 = 512;
/// Elements of rows that are reduced in one vector or a few.
const SHORT_ROWS: std::ops::RangeInclusive<i64> = 8..=64;
/// Bytes of such a row: of shorter ones LLVM loads several and changes the places of their elements.
const LEAST_ROW: i64 = 32;
/// Rounds of loops that LLVM unrolls, but for those that unrolled are as quick.
const UNROLLED: std::ops::RangeInclusive<i64> = 9..=64;
/// Columns that are reduced at a time.
pub(super) const COLUMNS: i64 = 1024;
/// Operators of more statements are not for vectors: there are not enough registers.
const MOST_STATEMENTS: usize = 40;

impl Scheduler<'_> {
    pub(super) fn reduction(
        &self,
        nest: Nest<'_>,
        ops: &[Reduction],
        context: Context,
    ) -> Schedule {
        let op = nest.op;
        let mut out = Vec::new();
        if !self.aim.kernels {
            // Products that are said to be in the caches are too small for blocks.
            if !context.in_cache
                && !context.few_rows
                && let Some(c) = contraction(&op.space, ops, &op.body)
            {
                let sizes = [c.row, c.column, c.depth].map(|d| known(op.space.dims.get(d)?.1));
                let volume = sizes.iter().try_fold(1i64, |v, n| Some(v.saturating_mul((*n)?)));
                if volume.is_none_or(|v| v >= WORTH_BLOCKS) {
                    let tile = self.tile(c.elem);
                    let least = if context.blocks { 0 } else { tile.least };
                    out.push(Strategy::Contract(Tile { least, ..tile }));
                }
            }
            if context.blocks && !out.is_empty() {
                return Schedule::new(out);
            }
            let columns = legal::folds(op).then(|| self.places.columns(&op.space, &op.body.stms));
            if let Some(dim) = columns.flatten() {
                out.push(Strategy::Columns { dim, block: COLUMNS });
                return Schedule::new(out);
            }
        }
        let points = op.space.dims.last().and_then(|(_, n)| known(*n));
        // What is left by blocks has fewer elements than the strategies for many of them want.
        let in_blocks = !out.is_empty();
        let apart = self.apart(op, ops).filter(|(_, least)| {
            points.is_none_or(|n| n >= *least) && !(in_blocks && *least >= WORTH_BLOCKS)
        });
        match apart {
            Some((strategy, _)) => {
                out.push(strategy);
                if points.is_none() && op.space.dims.len() > 1 {
                    out.extend(self.shorter_rows(nest, ops));
                }
            }
            None if self.aim.kernels => {}
            None => {
                let lanes = legal::lanes_of_reduction(nest, ops, self.places, self.machine).ok();
                out.extend(lanes.into_iter().flat_map(|l| {
                    let mut width = self.strip_width(&l, &op.body);
                    if let Some(row) = self.short_row(op, &l, points) {
                        width = row;
                    } else if !l.pays()
                        || divisions_do_not_pay(&l, self.machine)
                        || long_operations_do_not_pay(&l, self.machine)
                    {
                        if !self.stores_beside_extreme(nest, ops, &l) {
                            return Vec::new();
                        }
                        // Rows may be short.
                        width = width.min(2 * self.machine.vector_bytes / l.widest);
                    }
                    let mut widths = vec![width];
                    // Points with loops are worth a vector, if there are fewer than fill several.
                    let register = (self.machine.vector_bytes / l.widest).max(2);
                    if !l.straight
                        && register < width
                        && op.body.stms.len() <= FEW
                        && !self.aim.small
                    {
                        widths.push(register);
                    }
                    widths.iter().filter_map(|w| self.by_lanes(nest, &l, *w, points)).collect()
                }));
            }
        }
        // Behind lanes are fewer points than these.
        out.push(if out.iter().any(|s| matches!(s, Strategy::Lanes { .. })) {
            Strategy::Scalar
        } else {
            match self.unroll(nest, context) {
                1 if self.becomes_vectors(nest, ops, points) => Strategy::Rolled,
                unroll => Strategy::Loops { unroll },
            }
        });
        Schedule::new(out)
    }

    /// More than one accumulator, and from how many elements on. Many accumulators gain something if
    /// one of several operations that commute is a minimum or maximum of floats, if LLVM does not split the operator,
    /// or if there is much to read; a tree if the operator need not commute.
    fn apart(&self, op: &SegOp, ops: &[Reduction]) -> Option<(Strategy, i64)> {
        if !legal::folds(op) {
            return None;
        }
        let operations: Option<Vec<BinOp>> = ops.iter().map(accumulation).collect();
        if operations.is_none() {
            if !suits_tree(ops, &op.body) {
                return None;
            }
            if !ops.iter().all(legal::commutes) || !self.fills_lanes(ops, &op.body) {
                return Some((Strategy::Tree { block: legal::TREE }, legal::TREE));
            }
        }
        let count = if operations.is_some() { ACCUMULATORS } else { self.accumulators(ops) };
        let pages = (self.machine.page_streams)
            .then(|| self.page_streams(&op.space, &op.body.stms, 0, count))
            .flatten();
        let least = match (operations, pages) {
            (None, _) => SOME,
            (Some(operations), _) if operations.iter().copied().any(is_float_extreme) => MANY,
            (Some(_), Some(pages)) => pages.least,
            (Some(_), None) => return None,
        };
        Some((Strategy::Accumulators { count, least, pages }, least))
    }

    /// Whether accumulators of operators of several statements fill vectors with enough elements, which the body makes by vectors.
    fn fills_lanes(&self, ops: &[Reduction], body: &KernelBody) -> bool {
        let bytes = |t: &Type| t.elem().map_or(1, Prim::bytes);
        let all = || ops.iter().flat_map(|r| &r.op.ret).map(bytes);
        let fills = if ops.iter().all(chooses) {
            self.machine.vector_bytes > LEAST_CHOICES * all().sum::<i64>()
        } else {
            self.machine.vector_bytes >= LEAST_LANES * all().max().unwrap_or(1)
        };
        let divides = |s: &Stm| matches!(s.exp, Exp::BinOp(op, ..) if op.is_partial());
        fills && !body.stms.iter().any(divides)
    }

    /// As many accumulators as fill half of the registers, but no more than gain something: operators need
    /// registers, too.
    fn accumulators(&self, ops: &[Reduction]) -> i64 {
        let bytes = |t: &Type| t.elem().map_or(1, Prim::bytes);
        let all: i64 = ops.iter().flat_map(|r| &r.op.ret).map(bytes).sum();
        let registers = if self.machine.vector_bytes == 64 { 32 } else { 16 };
        let most = registers / 2 * self.machine.vector_bytes / all.max(1);
        let mut count = ACCUMULATORS;
        while count > LEAST_ACCUMULATORS && count > most {
            count /= 2;
        }
        count
    }

    /// The elements of a row, if they are few, as many as fill vectors, and each row is reduced: one vector is loaded and
    /// reduced. Of loops of so few rounds LLVM makes straight code, and vectors of elements of several rows, which it gathers.
    fn short_row(&self, op: &SegOp, lanes: &Lanes, points: Option<i64>) -> Option<i64> {
        let n = points.filter(|n| SHORT_ROWS.contains(n) && n & (n - 1) == 0)?;
        let pays = lanes.estimate.plain && n * lanes.widest >= LEAST_ROW;
        (op.space.dims.len() > 1 && pays && legal::folds(op)).then_some(n)
    }

    /// Whether LLVM makes vectors of a loop of few rounds, unless it unrolls that before: of straight code it makes vectors badly, if
    /// the rounds are no power of two (rows of 12 to 48 floats take 3 to 8 times as long so).
    fn becomes_vectors(&self, nest: Nest<'_>, ops: &[Reduction], points: Option<i64>) -> bool {
        let lanes = || legal::lanes_of_reduction(nest, ops, self.places, self.machine).ok();
        !self.aim.kernels
            && points.is_some_and(|n| UNROLLED.contains(&n))
            && legal::folds(nest.op)
            && ops.iter().all(|r| lanewise_accumulation(r).is_some_and(|op| !is_float_extreme(op)))
            && contraction(&nest.op.space, ops, &nest.op.body).is_none()
            && lanes().is_some_and(|l| l.estimate.plain)
    }

    /// Of extrema of rows that are too short for many accumulators: by one vector, as LLVM goes point by point.
    fn shorter_rows(&self, nest: Nest<'_>, ops: &[Reduction]) -> Option<Strategy> {
        let extreme = |r: &Reduction| accumulation(r).is_some_and(is_float_extreme);
        let lanes = legal::lanes_of_reduction(nest, ops, self.places, self.machine).ok();
        let lanes = lanes.filter(|l| l.estimate.plain && ops.iter().any(extreme))?;
        self.by_lanes(nest, &lanes, (self.machine.vector_bytes / lanes.widest).max(2), None)
    }

    /// Whether a straight body also stores what it reduces, of neighbours, and LLVM makes no vectors of it, as it takes apart no
    /// minimum or maximum of floats.
    fn stores_beside_extreme(&self, nest: Nest<'_>, ops: &[Reduction], lanes: &Lanes) -> bool {
        let SegOp { space, body, .. } = nest.op;
        let innermost = space.dims.len().checked_sub(1);
        let neighbours = |s: &Stm| match s.exp {
            Exp::Index { .. } => self.places.unit_dim(space, s) == innermost,
            _ => is_arithmetic(s),
        };
        lanes.straight
            && !legal::folds(nest.op)
            && ops.iter().filter_map(accumulation).any(is_float_extreme)
            && body.stms.iter().all(neighbours)
    }

    /// The blocks of a product: a tile fills the registers but for a vector of each column and one of a
    /// row; a panel of rows stays in the first cache and a block of rows in the second (K. Goto, "Anatomy
    /// of high-performance matrix multiplication", 2008).
    pub(super) fn tile(&self, elem: Prim) -> Tile {
        let bytes = elem.bytes();
        let lanes = self.machine.lanes(bytes);
        let (high, vectors) = match self.machine.vector_bytes {
            64 => (8, 3),
            32 => (6, 2),
            _ => (4, 2),
        };
        let wide = vectors * lanes;
        let depth = 1024 / bytes;
        let rows = 192 * 1024 / (depth * bytes) / high * high;
        let columns = (self.machine.second_cache / (depth * bytes) / wide).max(1) * wide;
        Tile { lanes, high, wide, depth, rows, columns, least: WORTH_BLOCKS }
    }
}

fn is_float_extreme(op: BinOp) -> bool {
    matches!(op, BinOp::FMin(_) | BinOp::FMax(_))
}

/// Whether an operator only compares, and chooses.
fn chooses(r: &Reduction) -> bool {
    let compares = |s: &Stm| match &s.exp {
        Exp::SubExp(_) | Exp::CmpOp(..) | Exp::Match { .. } => true,
        Exp::BinOp(op, ..) => matches!(op, BinOp::LogAnd | BinOp::LogOr),
        _ => false,
    };
    r.op.body.stms.iter().all(compares)
}

/// Whether operators and body are small, and do nothing that keeps LLVM from making vectors of them.
/// Operators of parts that are each accumulated by themselves are split by LLVM.
pub fn suits_tree(ops: &[Reduction], body: &KernelBody) -> bool {
    let bodies = || ops.iter().map(|op| &op.op.body);
    let operators: usize = bodies().map(|b| size(&b.stms)).sum();
    operators <= MOST_STATEMENTS
        && size(&body.stms) <= MOST_STATEMENTS
        && body.stms.iter().all(|s| matches!(s.exp, Exp::Index { .. }) || is_arithmetic(s))
        && bodies().all(|b| b.stms.iter().all(is_arithmetic))
        && !ops.iter().all(is_accumulated_by_parts)
}

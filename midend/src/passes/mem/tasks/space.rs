//! Which dimension of an index space is cut, and where.

use super::Range;
use super::work::Estimate;
use super::{GRAIN, MOST_TASKS};
use crate::ir::{BinOp, Builder, Const, IntType, PatElem, Poly, SubExp, Type, Var};

pub(super) const I64: IntType = IntType::I64;

/// Points of what is cheap that a task has a multiple of.
const LINE: i64 = 64;
/// Sizes are taken for no larger than this, so that products do not overflow.
const LARGE: i64 = 1 << 38;

/// Dimensions that are independent of one another.
pub(super) struct Independent {
    pub(super) dims: Vec<(Var, SubExp)>,
}

/// A dimension in chunks: of those that are not cut there is one.
struct Dim {
    n: SubExp,
    /// The length of a chunk.
    chunk: SubExp,
    /// The distance from chunk to chunk: 0 if there is one only.
    step: SubExp,
}

/// Where an index space is cut.
pub(super) struct Chunks {
    /// How many there are.
    pub(super) count: SubExp,
    dims: Vec<Dim>,
}

impl Independent {
    /// Emits where to cut; nothing if it is known that there is little to do. A chunk has `least`
    /// points of the dimension that is cut, or more, and whole cache lines if that is wanted.
    pub(super) fn chunks(
        &self,
        estimate: Estimate,
        least: i64,
        whole: bool,
        b: &mut Builder,
    ) -> Option<Chunks> {
        let sizes: Vec<SubExp> = self.dims.iter().map(|d| d.1).collect();
        let wanted = tasks_of(&sizes, estimate, b)?;
        let chunk = |n: SubExp, round: bool, b: &mut Builder| {
            let most = b.quot(n, SubExp::i64(least));
            let most = b.max(most, SubExp::i64(1));
            let tasks = b.min(wanted, most);
            let chunk = quotient_up(n, tasks, b);
            let chunk = if round {
                let up = b.add(chunk, SubExp::i64(LINE - 1));
                b.binop(BinOp::And(I64), up, SubExp::i64(-LINE))
            } else {
                chunk
            };
            b.max(chunk, SubExp::i64(1))
        };
        let (zero, one) = (SubExp::i64(0), SubExp::i64(1));
        match *sizes.as_slice() {
            [] => None,
            [n] => {
                let chunk = chunk(n, whole, b);
                let count = quotient_up(n, chunk, b);
                Some(Chunks { count, dims: vec![Dim { n, chunk, step: chunk }] })
            }
            [n, m, ..] => {
                let enough = b.le(wanted, n);
                let longer = b.le(m, n);
                let outer = b.or(enough, longer);
                let rows = chunk(n, false, b);
                let columns = chunk(m, whole && sizes.len() == 2, b);
                let count_of_rows = quotient_up(n, rows, b);
                let count_of_columns = quotient_up(m, columns, b);
                // Without rows there is nothing to do for columns.
                let some = b.min(n, one);
                let count_of_columns = b.mul(count_of_columns, some);
                let count = b.choose(outer, count_of_rows, count_of_columns);
                let first =
                    Dim { n, chunk: b.choose(outer, rows, n), step: b.choose(outer, rows, zero) };
                let second = Dim {
                    n: m,
                    chunk: b.choose(outer, m, columns),
                    step: b.choose(outer, zero, columns),
                };
                Some(Chunks { count, dims: vec![first, second] })
            }
        }
    }
}

/// How many tasks the work is worth; nothing if that is known to be one.
pub(super) fn tasks_of(sizes: &[SubExp], estimate: Estimate, b: &mut Builder) -> Option<SubExp> {
    let mut points = SubExp::i64(1);
    for n in sizes {
        let n = b.min(*n, SubExp::i64(LARGE));
        points = b.mul(points, n);
        points = b.min(points, SubExp::i64(LARGE));
    }
    let work = b.mul(points, estimate.of_point);
    let tasks = b.binop(BinOp::AShr(I64), work, SubExp::i64(GRAIN));
    let tasks = b.min(tasks, SubExp::i64(MOST_TASKS));
    match b.max(tasks, SubExp::i64(1)) {
        SubExp::Const(Const::I64(..=1)) => None,
        tasks => Some(tasks),
    }
}

/// `⌈n / by⌉` of what is not negative, by what is positive.
pub(super) fn quotient_up(n: SubExp, by: SubExp, b: &mut Builder) -> SubExp {
    let less = b.sub(by, SubExp::i64(1));
    let sum = b.add(n, less);
    b.quot(sum, by)
}

impl Chunks {
    /// Along one dimension.
    pub(super) fn of_dim(n: SubExp, chunk: SubExp, b: &mut Builder) -> Chunks {
        Chunks { count: quotient_up(n, chunk, b), dims: vec![Dim { n, chunk, step: chunk }] }
    }

    /// The ranges of the outer dimensions that a task has.
    pub(super) fn ranges(&self, task: Var, b: &mut Builder) -> Vec<Range> {
        let range = |d: &Dim| {
            let first = b.mul(task.into(), d.step);
            let rest = b.sub(d.n, first);
            Range { first, len: b.min(d.chunk, rest) }
        };
        self.dims.iter().map(range).collect()
    }
}

/// Makes of an array the part of it that ranges of its outer dimensions have.
pub(super) fn narrow(p: &mut PatElem, ranges: &[Range]) {
    if let Type::Array { shape, .. } = &mut p.ty {
        for (n, range) in shape.iter_mut().zip(ranges) {
            *n = range.len;
        }
    }
    if let Some(mem) = &mut p.mem {
        let mut distance = Poly::constant(0);
        for (d, range) in mem.lmad.dims.iter_mut().zip(ranges) {
            distance = distance.add(&Poly::of(&d.stride).mul(&Poly::leaf(range.first)));
            d.n = range.len;
        }
        mem.lmad = mem.lmad.shifted(&distance);
    }
}

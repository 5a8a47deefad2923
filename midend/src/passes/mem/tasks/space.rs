//! Which dimension of an index space is cut, and where.

use super::grain::{GRAIN, MOST_TASKS};
use super::work::Estimate;
use crate::ir::{BinOp, Body, Builder, Const, Exp, IntType, PatElem, Poly, SubExp, Type, Var};

pub(super) const I64: IntType = IntType::I64;

/// Points of what is cheap that a task has a multiple of: whole cache lines.
pub(super) const LINE: i64 = 64;
/// Points that a task has a multiple of if they go by lanes.
pub(super) const LANES: i64 = 128;
/// Tasks for each thread, of what takes the same time everywhere: a thread that is interrupted leaves some to others.
pub(super) const TASKS_OF_WORKER: i64 = 8;
/// Sizes are taken for no larger than this, so that products do not overflow.
const LARGE: i64 = 1 << 38;

/// A range of a dimension: its first index, and its length.
#[derive(Clone, Copy)]
pub(in crate::passes) struct Range {
    pub(in crate::passes) first: SubExp,
    pub(in crate::passes) len: SubExp,
}

/// Gives the ranges of outer dimensions that a task has.
pub(super) type RangesOf<'f> = &'f dyn Fn(Var, &mut Builder) -> Vec<Range>;

/// How many chunks there should be.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    pub(super) tasks: SubExp,
    /// It is known that this is more than one.
    pub(super) several: bool,
}

/// Dimensions that are independent of one another.
pub(super) struct Independent {
    pub(super) sizes: Vec<SubExp>,
    /// Of two dimensions, the second one is cut.
    pub(super) innermost: bool,
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
    /// One dimension.
    pub(super) fn row(n: SubExp) -> Independent {
        Independent { sizes: vec![n], innermost: false }
    }

    /// Emits where to cut, into about as many chunks as are wanted. Along the innermost dimension, chunks are multiples
    /// of a unit.
    pub(super) fn chunks(
        &self,
        wanted: Wanted,
        least: Least,
        unit: i64,
        b: &mut Builder,
    ) -> Option<Chunks> {
        let Wanted { tasks: wanted, several } = wanted;
        let one_or_more = |one, b: &mut Builder, more: &dyn Fn(&mut Builder) -> Vec<SubExp>| {
            if several { more(b) } else { one_or_more(wanted, one, b, more) }
        };
        let (zero, one) = (SubExp::i64(0), SubExp::i64(1));
        match *self.sizes.as_slice() {
            [] => None,
            [n] => {
                let cut = Cut { wanted, least, unit };
                let values = one_or_more(vec![one, n, zero], b, &|b| {
                    let (count, chunk) = cut.dim(n, b);
                    vec![count, chunk, chunk]
                });
                let [count, chunk, step] = values.try_into().ok()?;
                Some(Chunks { count, dims: vec![Dim { n, chunk, step }] })
            }
            [n, m] if self.innermost => {
                let cut = Cut { wanted, least, unit };
                let values = one_or_more(vec![one, m, zero], b, &|b| {
                    let (count, chunk) = cut.dim(m, b);
                    vec![count, chunk, chunk]
                });
                let [count, chunk, step] = values.try_into().ok()?;
                let whole = Dim { n, chunk: n, step: zero };
                Some(Chunks { count, dims: vec![whole, Dim { n: m, chunk, step }] })
            }
            [n, m, ..] => {
                let unit = if self.sizes.len() == 2 { unit } else { 1 };
                let values = one_or_more(vec![one, n, zero, m, zero], b, &|b| {
                    let enough = b.le(wanted, n);
                    let longer = b.le(m, n);
                    let outer = b.or(enough, longer);
                    let (row_count, rows) = Cut { wanted, least, unit: 1 }.dim(n, b);
                    let (column_count, columns) = Cut { wanted, least, unit }.dim(m, b);
                    vec![
                        b.choose(outer, row_count, column_count),
                        b.choose(outer, rows, n),
                        b.choose(outer, rows, zero),
                        b.choose(outer, m, columns),
                        b.choose(outer, zero, columns),
                    ]
                });
                let [count, rows, row_step, columns, column_step] = values.try_into().ok()?;
                let first = Dim { n, chunk: rows, step: row_step };
                let second = Dim { n: m, chunk: columns, step: column_step };
                Some(Chunks { count, dims: vec![first, second] })
            }
        }
    }
}

/// What a task has of the dimension that is cut.
#[derive(Clone, Copy)]
pub(super) struct Least {
    /// So many points and more.
    pub(super) points: SubExp,
    /// There is an even number of tasks if there are several: these are few and long.
    pub(super) even: bool,
    /// A multiple of so many points.
    pub(super) strip: Option<SubExp>,
}

impl Least {
    /// Any number.
    pub(super) fn one() -> Least {
        Least::points(SubExp::i64(1))
    }

    /// So many points, and an even number of tasks.
    pub(super) fn even(points: i64) -> Least {
        Least { points: SubExp::i64(points), even: true, strip: None }
    }

    /// So many points.
    pub(super) fn points(points: SubExp) -> Least {
        Least { points, even: false, strip: None }
    }
}

/// How a dimension is to be cut.
struct Cut {
    /// So many tasks.
    wanted: SubExp,
    least: Least,
    /// Of a multiple of so many points.
    unit: i64,
}

impl Cut {
    /// How many chunks there are of a dimension, and the length of each but the last one.
    fn dim(&self, n: SubExp, b: &mut Builder) -> (SubExp, SubExp) {
        let mut most = b.quot(n, self.least.points);
        if self.least.even {
            most = b.binop(BinOp::And(I64), most, SubExp::i64(-2));
        }
        let most = b.max(most, SubExp::i64(1));
        let tasks = b.min(self.wanted, most);
        let mut chunk = quotient_up(n, tasks, b);
        if self.unit > 1 {
            let up = b.add(chunk, SubExp::i64(self.unit - 1));
            chunk = b.binop(BinOp::And(I64), up, SubExp::i64(-self.unit));
        }
        if let Some(strip) = self.least.strip {
            let strips = quotient_up(chunk, strip, b);
            chunk = b.mul(strips, strip);
        }
        // So it stays a multiple of the unit, which says where vectors are aligned.
        let chunk = b.max(chunk, SubExp::i64(self.unit.max(1)));
        (quotient_up(n, chunk, b), chunk)
    }
}

/// Values for one task, or what is computed for more: most operations are small, and dividing takes longer than
/// many of them.
pub(super) fn one_or_more(
    wanted: SubExp,
    one: Vec<SubExp>,
    b: &mut Builder,
    more: impl FnOnce(&mut Builder) -> Vec<SubExp>,
) -> Vec<SubExp> {
    let single = b.le(wanted, SubExp::i64(1));
    let pat: Vec<PatElem> = one.iter().map(|_| b.pat("t", Type::I64)).collect();
    let default = b.body(more);
    let cases = vec![(Const::Bool(true), Body { stms: Vec::new(), result: one })];
    let values = pat.iter().map(|p| p.var.into()).collect();
    b.bind(pat, Exp::Match { scrutinee: single, cases, default });
    values
}

/// How many tasks the work is worth; nothing if that is known to be one.
pub(in crate::passes) fn tasks_of(
    sizes: &[SubExp],
    estimate: Estimate,
    b: &mut Builder,
) -> Option<SubExp> {
    let large = SubExp::i64(LARGE);
    let points = sizes.iter().fold(SubExp::i64(1), |points, n| {
        let n = b.min(*n, large);
        let all = b.mul(points, n);
        if all == n { n } else { b.min(all, large) }
    });
    let work = b.mul(points, estimate.of_point);
    let tasks = b.binop(BinOp::AShr(I64), work, SubExp::i64(GRAIN));
    let tasks = b.min(tasks, SubExp::i64(MOST_TASKS));
    match b.max(tasks, SubExp::i64(1)) {
        SubExp::Const(Const::I64(..=1)) => None,
        tasks => Some(tasks),
    }
}

/// Of what is the same however it is cut, as many tasks as threads have a use for: one if there is one thread, as parts have
/// a cost and less is known of them, and at most so many for each thread.
pub(super) fn for_workers(wanted: Wanted, of_worker: Option<i64>, b: &mut Builder) -> Wanted {
    let workers = b.pat("workers", Type::I64);
    let count = workers.var.into();
    b.bind(vec![workers], Exp::Workers);
    let single = b.le(count, SubExp::i64(1));
    let several = match of_worker {
        Some(tasks) => {
            let most = b.mul(count, SubExp::i64(tasks));
            b.min(wanted.tasks, most)
        }
        None => wanted.tasks,
    };
    Wanted { tasks: b.choose(single, SubExp::i64(1), several), several: false }
}

/// Whether what is the same for any number of threads is done by one: if no more than one task is wanted, or there are no more
/// than so many threads, as tasks of a chain take longer than what they are made of.
pub(in crate::passes) fn alone((wanted, threads): (SubExp, i64), b: &mut Builder) -> SubExp {
    let single = b.le(wanted, SubExp::i64(1));
    let no_others = b.body(|b| {
        let workers = b.pat("workers", Type::I64);
        let count = workers.var.into();
        b.bind(vec![workers], Exp::Workers);
        vec![b.le(count, SubExp::i64(threads))]
    });
    let alone = b.pat("alone", Type::BOOL);
    let yes = Body { stms: Vec::new(), result: vec![Const::Bool(true).into()] };
    let result = alone.var.into();
    let cases = vec![(Const::Bool(true), yes)];
    b.bind(vec![alone], Exp::Match { scrutinee: single, cases, default: no_others });
    result
}

/// `⌈n / by⌉` of what is not negative, by what is positive. The sum may be more than the largest number with a sign.
pub(in crate::passes) fn quotient_up(n: SubExp, by: SubExp, b: &mut Builder) -> SubExp {
    if by == SubExp::i64(1) {
        return n;
    }
    let less = b.sub(by, SubExp::i64(1));
    let sum = b.add(n, less);
    b.binop(BinOp::UDiv(I64), sum, by)
}

impl Chunks {
    /// The ranges of the outer dimensions that a task has.
    pub(super) fn ranges(&self, task: Var, b: &mut Builder) -> Vec<Range> {
        let range = |d: &Dim| {
            let first = b.mul(task.into(), d.step);
            range_from(first, d.chunk, d.n, b)
        };
        self.dims.iter().map(range).collect()
    }
}

/// A chunk of a dimension of `n` points. It is no longer than the whole, which is said so that the verifier can tell: what
/// was asserted of bodies unless the whole has no points holds where a part of it has some.
pub(in crate::passes) fn range_from(
    first: SubExp,
    chunk: SubExp,
    n: SubExp,
    b: &mut Builder,
) -> Range {
    let rest = b.sub(n, first);
    let len = b.min(chunk, rest);
    Range { first, len: b.min(n, len) }
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

//! Reductions of few columns of many rows: every task reduces all columns over a range of rows, and what they come to is reduced
//! in order.
//!
//! ```text
//! let s = segred seq (j < m, i < n) op {      let ss = segmap tasks (t < tasks) {
//!   x = xss[i, j]                        →      lo = t · size;  len = min(size, n − lo)
//!   in (return x)                               ss[t, :] = segred seq (j < m, k < len) op { i = k + lo … }
//! }                                           }
//!                                             let s = segred seq (j < m, t < tasks) op { in (return ss[t, j]) }
//! ```
//!
//! Cut across, a task would read a short part of each row, or there would be one task. As many ranges for given sizes
//! whoever runs them: the result is the same for any number of threads.

use super::cutter::{self, Cut, block, over, tasks};
use super::grain::Grain;
use super::space::{self, Independent, Least, Range, Wanted};
use super::work::Estimate;
use crate::ir::traverse::{Renamer, Rewrite};
use crate::ir::{
    DimIndex, Exp, KernelBody, KernelResult, Lmad, MemBind, PatElem, Poly, Reduction, SegKind,
    SegLevel, SegOp, SegSpace, Size64, Stm, SubExp, Type,
};

/// Fewer columns than this are few: each of many threads would have a short part of a row.
const FEW: i64 = 8192;
/// Fewer columns, if it is known how many, stay together.
const UNROLLED: i64 = 64;
/// Rows of a task, at least, so that the sums of tasks are few beside them.
const ROWS: i64 = 64;
/// More tasks than this are not made of one reduction, for the same reason.
const MOST: i64 = 64;

impl Cut {
    /// Whether columns are few and long; nothing if there is no version for that.
    pub(super) fn few_columns(&mut self, s: &Stm, op: &SegOp) -> Option<SubExp> {
        let ([(_, m), (_, n)], SegKind::Red(ops)) = (op.space.dims.as_slice(), &op.kind) else {
            return None;
        };
        let reduced: usize = ops.iter().map(|r| r.neutral.len()).sum();
        let returns = op.body.results.iter().all(|r| matches!(r, KernelResult::Return(_)));
        let placed = s.pat.iter().all(|p| p.ty.rank() == 1 && p.mem.is_some());
        let columns = self.places.columns(&op.space, &op.body.stms).is_some();
        if reduced != s.pat.len() || !returns || !placed || !columns {
            return None;
        }
        // Where there are none, nothing is read of the rows that tasks would have.
        let some = self.b.le(SubExp::i64(1), *m);
        if self.grain == Grain::Smallest {
            let few = self.few_in_tests(*m)?;
            return Some(self.b.and(some, few));
        }
        // Loops over so few are unrolled.
        if Poly::leaf(*m).as_const().is_some_and(|m| m < UNROLLED) {
            return None;
        }
        let b = &mut self.b;
        let estimate = Estimate::of(op, 2, self.grain, b);
        let wanted = space::tasks_of(&[*m, *n], estimate, b)?;
        let few = b.lt(*m, SubExp::i64(FEW));
        let few = b.and(some, few);
        let long = b.le(SubExp::i64(2 * ROWS), *n);
        let worth = b.le(SubExp::i64(2), wanted);
        let long = b.and(long, worth);
        Some(b.and(few, long))
    }

    /// The tasks, each with a range of the rows.
    pub(super) fn columns_in_tasks(
        &mut self,
        s: &Stm,
        op: &SegOp,
        ops: &[Reduction],
    ) -> Option<()> {
        let [(j, m), (_, n)] = *op.space.dims.as_slice() else { return None };
        let smallest = self.grain == Grain::Smallest;
        let b = &mut self.b;
        let estimate = Estimate::of(op, 2, self.grain, b);
        let wanted = space::tasks_of(&[m, n], estimate, b).unwrap_or(SubExp::i64(1));
        let wanted = Wanted { tasks: b.min(wanted, SubExp::i64(MOST)), several: false };
        // Of operators that are not exact, the ranges decide the result.
        let exact = !smallest && ops.iter().all(|r| cutter::is_exact(&r.op));
        let wanted = if exact { space::for_workers(wanted, None, b) } else { wanted };
        let least = if smallest { Least::one() } else { Least::points(SubExp::i64(ROWS)) };
        let chunks = Independent::row(n).chunks(wanted, least, 1, b)?;
        let mut parts = Vec::with_capacity(s.pat.len());
        for p in &s.pat {
            let elem = p.ty.elem()?;
            let shape = vec![chunks.count, m];
            let block = block(&Size64::bytes(elem, &shape), b);
            let lmad = Lmad::row_major(&shape);
            let ty = Type::array(elem, shape.clone());
            let part = PatElem::in_mem(b.fresh("parts", ty.clone()), ty, MemBind { block, lmad });
            let exp = Exp::Scratch { elem, shape };
            b.push(Stm { loc: s.loc, ..Stm::new(vec![part.clone()], exp) });
            parts.push(part);
        }
        b.begin();
        let t = b.names.fresh("task");
        let mut ranges = vec![Range { first: SubExp::i64(0), len: m }];
        ranges.extend(chunks.ranges(t, b));
        let row = |p: &PatElem| {
            let mem = p.mem.as_ref()?;
            let lmad = mem.lmad.slice(&[DimIndex::Fix(t.into()), DimIndex::full(m)]);
            let ty = Type::array(p.ty.elem()?, vec![m]);
            Some((ty, MemBind { block: mem.block, lmad }))
        };
        let rows: Vec<_> = parts.iter().map(row).collect::<Option<_>>()?;
        let rows =
            rows.into_iter().map(|(ty, mem)| PatElem::in_mem(b.names.fresh("sums"), ty, mem));
        let pat = rows.collect();
        let exp = Exp::Seg(over(op.clone(), &ranges, &self.places, b));
        b.push(Stm { pat, exp, schedule: None, ..s.clone() });
        let body = KernelBody { stms: b.end(), results: Vec::new(), types: Vec::new() };
        b.push(tasks(Vec::new(), t, chunks.count, body, s));
        // In order.
        b.begin();
        let (t, column) = (b.names.fresh("task"), b.names.like(j));
        let sums = parts.iter().map(|p| b.index("part", p.var, &[t.into(), column.into()]));
        let results = sums.map(|v| KernelResult::Return(v.into())).collect();
        let body = KernelBody { stms: b.end(), results, types: op.body.types.clone() };
        let space = SegSpace { dims: vec![(column, m), (t, chunks.count)] };
        let mut ops = ops.to_vec();
        ops.iter_mut().for_each(|r| Renamer::new(&mut b.names).lambda(&mut r.op));
        let whole = SegOp { level: SegLevel::Seq, space, kind: SegKind::Red(ops), body };
        b.push(Stm { exp: Exp::Seg(whole), schedule: None, ..s.clone() });
        Some(())
    }
}

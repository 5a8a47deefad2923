//! Scans of one row: every task scans a range, and combines what it has with what all tasks before come to.
//!
//! ```text
//! let ys = segscan seq (i < n) op { … }      if tasks ≤ 1 { … as before … } else {
//!                                       →      segmap tasks (t < tasks) {
//!                                                lo = t · size;  len = min(size, n − lo)
//!                                                part = segscan seq (k < len) op { i = k + lo … }
//!                                                last = part[len − 1]
//!                                                start = prefix(last) op
//!                                                part = segmap seq (k < len) { op start part[k] }
//!                                              }
//!                                            }
//! ```
//!
//! A range is so short that it is in the second cache when it is gone through again: arrays are read from memory once, and
//! written once (D. Merrill, M. Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016). How long it is
//! follows from the size alone, and elements are combined in the same way whoever scans them: results are the same bits
//! for any number of threads. Of several values that are scanned together, those that nobody wants are in blocks of the
//! tasks' own. One thread alone scans the whole where the operator is exact, so that it makes no difference.

use super::cutter::{Cut, Results, block, is_dead, is_exact, over, tasks};
use super::grain::Grain;
use super::space;
use super::versions::Alone;
use super::work::Estimate;
use crate::ir::traverse::{apply_lambda, rename_reduction};
use crate::ir::{
    BinOp, Builder, DimIndex, Exp, KernelBody, KernelResult, Lmad, MemBind, PatElem, Reduction,
    SegKind, SegLevel, SegOp, SegSpace, Size64, Stm, SubExp, Type, Var,
};

/// Bytes of results that a task scans at most: a part of a second cache. Of a quarter of that, quick scans take hardly longer than what
/// tasks tell each other.
const RANGE_BYTES: i64 = 256 << 10;
/// Values that the runtime has room for in a prefix.
const MOST_VALUES: usize = 32;

impl Cut {
    /// A scan of one row of scalars, if it may be worth tasks.
    pub(super) fn scan(&mut self, s: &Stm, op: &SegOp, ops: &[Reduction]) -> Option<Vec<Stm>> {
        let [(_, n)] = *op.space.dims.as_slice() else { return None };
        let results = Results::of(s, op)?;
        let values: usize = ops.iter().map(|r| r.op.ret.len()).sum();
        let scanned = results.arrays.get(..values)?;
        let elems: Option<Vec<i64>> =
            scanned.iter().map(|(p, _)| Some(p.ty.elem()?.bytes())).collect();
        let bytes: i64 = elems?.iter().sum();
        if values > MOST_VALUES || !scanned.iter().all(|(p, _)| p.ty.rank() == 1) {
            return None;
        }
        let b = &mut self.b;
        b.loc = s.loc;
        b.begin();
        let estimate = Estimate::of(op, 1, self.grain, b);
        let Some(wanted) = space::tasks_of(&[n], estimate, b) else {
            b.end();
            return None;
        };
        let exact = ops.iter().all(|r| is_exact(&r.op));
        let single =
            if exact { space::alone((wanted, 1), b) } else { b.le(wanted, SubExp::i64(1)) };
        self.versions(s, (single, Alone::AnySize), |cut, s| {
            cut.scan_in_tasks(s, op, ops, results.renamed(&s.pat), (n, wanted, bytes))
        })?;
        Some(self.b.end())
    }

    fn scan_in_tasks(
        &mut self,
        s: &Stm,
        op: &SegOp,
        ops: &[Reduction],
        results: Results,
        (n, wanted, bytes): (SubExp, SubExp, i64),
    ) -> Option<Vec<SubExp>> {
        let b = &mut self.b;
        let values: usize = ops.iter().map(|r| r.op.ret.len()).sum();
        let mut size = space::quotient_up(n, wanted, b);
        if self.grain != Grain::Smallest {
            let up = b.add(size, SubExp::i64(space::LINE - 1));
            size = b.binop(BinOp::And(space::I64), up, SubExp::i64(-space::LINE));
            size = b.min(size, SubExp::i64(RANGE_BYTES / bytes.max(1)));
        }
        let size = b.max(size, SubExp::i64(1));
        let count = space::quotient_up(n, size, b);
        results.declare(s, b);
        b.begin();
        let t = b.names.fresh("task");
        let first = b.mul(t.into(), size);
        let range = space::range_from(first, size, n, b);
        let mut part = results.part(&[range], b);
        for p in part.iter_mut().take(values).filter(|p| is_dead(p)) {
            own(p, size, b);
        }
        let exp = Exp::Seg(over(op.clone(), &[range], &self.places, b));
        b.push(Stm { pat: part.clone(), exp, schedule: None, ..s.clone() });
        let scanned =
            results.arrays.get(..values)?.iter().map(|(p, _)| !is_dead(p)).collect::<Vec<_>>();
        self.add_prefix(s, ops, (part.get(..values)?, &scanned), range.len);
        let b = &mut self.b;
        let body = KernelBody { stms: b.end(), results: Vec::new(), types: Vec::new() };
        b.push(tasks(Vec::new(), t, count, body, s));
        results.bind(s, b);
        Some(s.pat.iter().map(|p| p.var.into()).collect())
    }

    /// Combines all elements of scanned parts, of those that are wanted, with what the tasks before come to.
    fn add_prefix(
        &mut self,
        s: &Stm,
        ops: &[Reduction],
        (parts, wanted): (&[PatElem], &[bool]),
        len: SubExp,
    ) {
        let b = &mut self.b;
        for p in parts {
            b.types.insert(p.var, p.ty.clone());
        }
        let last = b.sub(len, SubExp::i64(1));
        let values = parts.iter().map(|p| b.index("last", p.var, &[last]).into()).collect();
        let starts: Vec<PatElem> = ops
            .iter()
            .flat_map(|r| &r.op.ret)
            .map(|t| PatElem::new(b.names.fresh("start"), t.clone()))
            .collect();
        let renamed = ops.iter().map(|r| rename_reduction(r, &mut b.names)).collect();
        let prefix = Exp::Prefix { ops: renamed, values };
        b.push(Stm { loc: s.loc, ..Stm::new(starts.clone(), prefix) });
        let k = b.names.fresh("i");
        let mut stms = Vec::new();
        let (mut combined, mut types): (Vec<SubExp>, Vec<Type>) = (Vec::new(), Vec::new());
        let (mut starts, mut elements) = (starts.iter(), parts.iter());
        for r in ops {
            let width = r.op.ret.len();
            let mut args: Vec<SubExp> = starts.by_ref().take(width).map(|p| p.var.into()).collect();
            for (p, t) in elements.by_ref().take(width).zip(&r.op.ret) {
                let x: Var = b.names.fresh("x");
                let exp = Exp::Index { array: p.var, dims: vec![DimIndex::Fix(k.into())] };
                stms.push(Stm { loc: s.loc, ..Stm::new(vec![PatElem::new(x, t.clone())], exp) });
                args.push(x.into());
            }
            let body = apply_lambda(&r.op, &args, &mut b.names);
            stms.extend(body.stms);
            combined.extend(body.result);
            types.extend(r.op.ret.iter().cloned());
        }
        let mut keep = wanted.iter();
        combined.retain(|_| keep.next().is_some_and(|k| *k));
        let mut keep = wanted.iter();
        types.retain(|_| keep.next().is_some_and(|k| *k));
        let results = combined.into_iter().map(KernelResult::Return).collect();
        let pat = (parts.iter().zip(wanted))
            .filter(|(_, wanted)| **wanted)
            .map(|(p, _)| PatElem { var: b.names.like(p.var), ..p.clone() })
            .collect();
        let exp = Exp::Seg(SegOp {
            level: SegLevel::Seq,
            space: SegSpace { dims: vec![(k, len)] },
            kind: SegKind::Map,
            body: KernelBody { stms, results, types },
        });
        b.push(Stm { loc: s.loc, ..Stm::new(pat, exp) });
    }
}

/// Gives a part that nobody else reads a block of the task's own, as it is read here.
fn own(p: &mut PatElem, most: SubExp, b: &mut Builder) {
    if let Type::Array { elem, shape } = &p.ty {
        let block = block(&Size64::bytes(*elem, &[most]), b);
        p.mem = Some(MemBind { block, lmad: Lmad::row_major(shape) });
    }
}

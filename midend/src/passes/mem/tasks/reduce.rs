//! Reductions without segments: every task reduces a range, and what they come to is reduced in order.
//!
//! ```text
//! let s = segred seq (i < n) op { … }      let ss = segmap tasks (t < tasks) {
//!                                     →      lo = t · size;  len = min(size, n − lo)
//!                                            p = segred seq (k < len) op { i = k + lo … }
//!                                            in (return p)
//!                                          }
//!                                          let s = segred seq (t < tasks) op { in (return ss[t]) }
//! ```
//!
//! As many ranges for a given size whoever runs them: the result is the same for any number of threads.

use super::cutter::{self, Cut, Results, over, tasks};
use super::grain::{Grain, MOST_TASKS};
use super::space::{self, Chunks, Independent, Least, Wanted};
use super::unit_of_lanes;
use super::work::Estimate;
use crate::analysis::lanes::expected_lanes_of;
use crate::ir::traverse::{Renamer, Rewrite};
use crate::ir::{
    Exp, KernelBody, KernelResult, Lmad, MemBind, MemSpace, PatElem, Reduction, Schedule, SegKind,
    SegLevel, SegOp, SegSpace, Size64, Stm, SubExp, Type,
};

/// Elements of what is cheap that a task has a multiple of: so many are reduced as a tree.
const UNIT: i64 = 1024;

impl Cut {
    pub(super) fn reduction(&mut self, s: &Stm, op: &SegOp, ops: &[Reduction]) -> Option<Vec<Stm>> {
        let results = Results::of(s, op)?;
        let (_, n) = *op.space.dims.first()?;
        let totals = s.pat.get(..s.pat.len() - results.arrays.len())?;
        totals.iter().map(|p| p.ty.elem()).collect::<Option<Vec<_>>>()?;
        let b = &mut self.b;
        b.loc = s.loc;
        b.begin();
        let estimate = Estimate::of(op, 1, self.grain, b);
        let space = Independent::row(n);
        let unit = match estimate {
            _ if self.grain == Grain::Smallest => 1,
            e if e.is_cheap() => UNIT,
            _ => unit_of_lanes(expected_lanes_of(op), &op.body),
        };
        let Some(wanted) = space::tasks_of(&space.sizes, estimate, b) else {
            b.end();
            return None;
        };
        // Of operators that are not exact, the ranges decide the result.
        let exact = self.grain == Grain::Estimated && ops.iter().all(|r| cutter::is_exact(&r.op));
        let chunks = |several, cut: &mut Cut| {
            let wanted = Wanted { tasks: wanted, several };
            let wanted = if exact { space::for_workers(wanted, None, &mut cut.b) } else { wanted };
            let least = Least { strip: cut.unit_of_strips(s, n), ..Least::one() };
            space.chunks(wanted, least, unit, &mut cut.b)
        };
        if let Some(alone) = self.pays_version(op, (wanted, estimate)) {
            self.versions(s, alone, |cut, s| {
                let chunks = chunks(true, cut)?;
                cut.reduce_in_tasks(s, op, ops, &chunks, results.renamed(&s.pat))
            })?;
        } else {
            let chunks = chunks(false, self)?;
            self.reduce_in_tasks(s, op, ops, &chunks, results)?;
        }
        Some(self.b.end())
    }

    fn reduce_in_tasks(
        &mut self,
        s: &Stm,
        op: &SegOp,
        ops: &[Reduction],
        chunks: &Chunks,
        results: Results,
    ) -> Option<Vec<SubExp>> {
        let b = &mut self.b;
        let totals = s.pat.get(..s.pat.len() - results.arrays.len())?;
        results.declare(s, b);
        // What tasks come to; there is room for as many as there may be, which small blocks have on the stack.
        let mut parts = Vec::with_capacity(totals.len());
        for p in totals {
            let elem = p.ty.elem()?;
            let block = b.names.fresh("mem");
            let bytes = Size64::constant(MOST_TASKS * elem.bytes());
            let room = PatElem { var: block, ty: Type::Mem(MemSpace::Host), mem: None };
            b.push(Stm::new(vec![room], Exp::Alloc { bytes, space: MemSpace::Host }));
            let lmad = Lmad::row_major(&[chunks.count]);
            let ty = Type::array(elem, vec![chunks.count]);
            let var = b.names.like(p.var);
            b.types.insert(var, ty.clone());
            parts.push(PatElem::in_mem(var, ty, MemBind { block, lmad }));
        }
        b.begin();
        let t = b.names.fresh("task");
        let ranges = chunks.ranges(t, b);
        let mut pat: Vec<PatElem> =
            totals.iter().map(|p| PatElem::new(b.names.like(p.var), p.ty.clone())).collect();
        let returned = pat.iter().map(|p| KernelResult::Return(p.var.into())).collect();
        pat.extend(results.part(&ranges, b));
        let part = over(op.clone(), &ranges, &self.places, b);
        b.push(Stm { pat, exp: Exp::Seg(part), schedule: None, ..s.clone() });
        let types = totals.iter().map(|p| p.ty.clone()).collect();
        let body = KernelBody { stms: b.end(), results: returned, types };
        b.push(tasks(parts.clone(), t, chunks.count, body, s));
        // In order.
        b.begin();
        let t = b.names.fresh("task");
        let parts = parts.iter().map(|p| b.index("part", p.var, &[t.into()]));
        let returned = parts.map(|v| KernelResult::Return(v.into())).collect();
        let types = totals.iter().map(|p| p.ty.clone()).collect();
        let body = KernelBody { stms: b.end(), results: returned, types };
        let space = SegSpace { dims: vec![(t, chunks.count)] };
        let mut ops = SegKind::Red(ops.to_vec());
        if let SegKind::Red(ops) = &mut ops {
            ops.iter_mut().for_each(|r| Renamer::new(&mut b.names).lambda(&mut r.op));
        }
        let whole = SegOp { level: SegLevel::Seq, space, kind: ops, body };
        // They are few.
        let schedule = Some(Schedule::loops().scalar());
        b.push(Stm { pat: totals.to_vec(), exp: Exp::Seg(whole), schedule, ..s.clone() });
        results.bind(s, b);
        Some(s.pat.iter().map(|p| p.var.into()).collect())
    }
}

//! Places in segmented operations: results are allocated before, and an array that a point yields
//! is copied into its part of the result at the end of the body, unless it lies there.

use super::explicit::{Explicit, with_shape};
use crate::ir::{
    Body, Exp, HistOp, KernelBody, KernelResult, MemBind, PatElem, Reduction, SegKind, SegLevel,
    SegOp, SegSpace, StmAttr, SubExp, Type,
};

impl Explicit {
    pub(super) fn seg(&mut self, mut pat: Vec<PatElem>, op: SegOp, attrs: Vec<StmAttr>) {
        let SegOp { level, space, kind, body } = op;
        let made: &mut [PatElem] = match &kind {
            SegKind::Map | SegKind::Red(_) | SegKind::Scan(_) => &mut pat,
            SegKind::Hist(ops) => {
                for (p, d) in pat.iter_mut().zip(ops.iter().flat_map(|h| &h.dests)) {
                    let m = self.place(*d);
                    let lmad = with_shape(&m.lmad, p.ty.shape());
                    p.mem = Some(MemBind { block: m.block, lmad });
                }
                &mut []
            }
        };
        let body = self.points(level, made, &space, body);
        let mut placed = |r| self.reduction(r, level);
        let kind = match kind {
            SegKind::Map => SegKind::Map,
            SegKind::Red(ops) => SegKind::Red(ops.into_iter().map(placed).collect()),
            SegKind::Scan(ops) => SegKind::Scan(ops.into_iter().map(placed).collect()),
            SegKind::Hist(ops) => {
                SegKind::Hist(ops.into_iter().map(|h| HistOp { op: placed(h.op), ..h }).collect())
            }
        };
        self.bind(pat, Exp::Seg(SegOp { level, space, kind, body }), attrs);
    }

    /// Places the results, then what is in the body.
    fn points(
        &mut self,
        level: SegLevel,
        pat: &mut [PatElem],
        space: &SegSpace,
        body: KernelBody,
    ) -> KernelBody {
        for (p, r) in pat.iter_mut().zip(&body.results) {
            if p.ty.rank() > 0 {
                p.mem = Some(match r {
                    KernelResult::Return(_) => self.alloc(p.var, &p.ty),
                    KernelResult::Write { dest, writes: _ } => {
                        let m = self.place(*dest);
                        let lmad = with_shape(&m.lmad, p.ty.shape());
                        MemBind { block: m.block, lmad }
                    }
                });
            }
        }
        let outer = self.kernel;
        self.kernel |= level.is_kernel();
        let point: Vec<SubExp> = space.dims.iter().map(|(i, _)| SubExp::Var(*i)).collect();
        let KernelBody { stms, results, types } = body;
        let (stms, results) = self.deeper(|e| {
            for (i, _) in &space.dims {
                e.know(*i, Type::I64);
            }
            e.stms(stms);
            results
                .into_iter()
                .enumerate()
                .map(|(k, r)| {
                    let KernelResult::Return(x) = r else { return r };
                    let place = pat.get(k).and_then(|p| p.mem.as_ref());
                    let (Some(v), Some(m)) = (e.array(x), place) else { return r };
                    let target = MemBind { block: m.block, lmad: m.lmad.row(&point) };
                    let there = e.same_place(&e.place(v), &target);
                    let v = if there { v } else { e.copy_to(v, target) };
                    KernelResult::Return(v.into())
                })
                .collect()
        });
        self.kernel = outer;
        KernelBody { stms, results, types }
    }

    fn reduction(&mut self, mut r: Reduction, level: SegLevel) -> Reduction {
        let outer = self.kernel;
        self.kernel |= level.is_kernel();
        let Body { stms, result } = std::mem::take(&mut r.op.body);
        let params = &r.op.params;
        let (stms, ()) = self.deeper(|e| {
            for p in params {
                e.know(p.var, p.ty.clone());
            }
            e.stms(stms);
        });
        self.kernel = outer;
        r.op.body = Body { stms, result };
        r
    }
}

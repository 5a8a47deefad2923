//! Few long segments, and few points with long operations inside: a task for each, in which it is cut again.
//!
//! ```text
//! let ys = segred seq (i < n, j < m) op { … }   →   let ys = if n is small and m large {
//!                                                     let ys₁ = segmap tasks (r < n) {
//!                                                       y = … segred seq (j < m) op { i = r … } in tasks …
//!                                                       in (return y)
//!                                                     }
//!                                                     in ys₁
//!                                                   } else { … tasks of some segments each … }
//! ```
//!
//! Of a map, what stands in its body is cut, in loops and branches, too. Sizes decide, so that the result is the same for any
//! number of threads. There is such a version of small bodies only, and none of products, which
//! are cut across; of sums of columns there is one of another kind ([`super::columns`]).

use super::cutter::{Cut, Results, is_dead, tasks};
use super::grain::{GRAIN, Grain};
use super::space;
use super::versions;
use super::work::Estimate;
use crate::analysis::bodies::size;
use crate::analysis::contraction::contraction;
use crate::ir::traverse::{Binders, Renamer, Rewrite, Visit};
use crate::ir::{
    BinOp, Body, Const, DimIndex, Exp, KernelBody, KernelResult, MemBind, PatElem, SegKind, SegOp,
    SegSpace, Stm, SubExp, Type,
};

/// So many segments are few: fewer than processors have threads.
const FEW_SEGMENTS: i64 = 16;
/// Tasks that a long segment is worth at least.
const TASKS_OF_SEGMENT: i64 = 8;
/// Statements of the bodies of maps that are there twice, at most, and operations in them.
const MOST_STATEMENTS: usize = 24;
const MOST_INSIDE: usize = 2;
/// Operations are taken for no larger than this.
const MOST_ELEMENTS: i64 = 1 << 20;
/// What few segments are in tests.
const FEW_IN_TESTS: i64 = 3;

impl Cut {
    /// Emits an operation with a version for few long segments, where that may come to be; `many` emits the other one.
    pub(super) fn by_segments(
        &mut self,
        s: &Stm,
        op: &SegOp,
        (results, estimate): (&Results, Estimate),
        many: impl FnOnce(&mut Cut, &Stm, &Results) -> Option<()>,
    ) -> Option<()> {
        let Some(few) = self.few_long_segments(s, op, estimate) else {
            return many(self, s, results);
        };
        let renamed = |cut: &mut Cut| {
            let mut copy = s.clone();
            copy.pat.iter_mut().for_each(|p| p.var = cut.b.names.like(p.var));
            // What nothing reads has no place, so that it does not leave its version.
            let result = copy.pat.iter().filter(|p| !is_dead(p)).map(|p| p.var.into()).collect();
            (copy, result)
        };
        let (one, result) = renamed(self);
        self.b.begin();
        match &op.kind {
            SegKind::Map => self.point_by_point(&one, op)?,
            SegKind::Red(ops) if self.goes_down_columns(op) => {
                self.columns_in_tasks(&one, op, ops)?
            }
            _ => self.segment_by_segment(&one, op)?,
        }
        let cases = vec![(Const::Bool(true), Body { stms: self.b.end(), result })];
        let (other, result) = renamed(self);
        self.b.begin();
        many(self, &other, &results.renamed(&other.pat))?;
        let mut default = Body { stms: self.b.end(), result };
        Renamer::new(&mut self.b.names).body(&mut default);
        let exp = Exp::Match { scrutinee: few, cases, default };
        let pat = s.pat.iter().filter(|p| !is_dead(p)).cloned().collect();
        self.b.push(Stm { loc: s.loc, ..Stm::new(pat, exp) });
        Some(())
    }

    /// Whether segments are few and long; nothing if there is no version for that.
    fn few_long_segments(&mut self, s: &Stm, op: &SegOp, estimate: Estimate) -> Option<SubExp> {
        if let ([(_, n)], SegKind::Map) = (op.space.dims.as_slice(), &op.kind) {
            return self.few_long_points(*n, op);
        }
        if self.goes_down_columns(op) {
            return self.few_columns(s, op);
        }
        let [(_, n), (_, m)] = *op.space.dims.as_slice() else { return None };
        let suits = match &op.kind {
            SegKind::Red(ops) => contraction(&op.space, ops, &op.body).is_none(),
            SegKind::Scan(_) => true,
            SegKind::Map | SegKind::Hist(_) => false,
        };
        let returns = op.body.results.iter().all(|r| matches!(r, KernelResult::Return(_)));
        let scalars = op.body.types.iter().all(|t| t.rank() == 0);
        if !suits || !returns || !scalars {
            return None;
        }
        if self.grain == Grain::Smallest {
            return self.few_in_tests(n);
        }
        if !versions::pay(op, estimate) {
            return None;
        }
        let worth = estimate.of_elements_of(m, &mut self.b);
        self.few_and_long(n, worth)
    }

    /// The same for points of a map with operations inside whose sizes are known before.
    fn few_long_points(&mut self, n: SubExp, op: &SegOp) -> Option<SubExp> {
        let body = &op.body;
        struct Inside<'a>(Vec<&'a SegOp>);
        impl<'a> Inside<'a> {
            fn stms(&mut self, stms: &'a [Stm]) {
                for s in stms {
                    match &s.exp {
                        Exp::Seg(op) => self.0.push(op),
                        Exp::Loop { body, .. } => self.stms(&body.stms),
                        _ => {}
                    }
                }
            }
        }
        let mut inside = Inside(Vec::new());
        inside.stms(&body.stms);
        let writes = body.results.iter().any(|r| matches!(r, KernelResult::Write { .. }));
        if inside.0.is_empty() || writes {
            return None;
        }
        if self.grain == Grain::Smallest {
            return self.few_in_tests(n);
        }
        if inside.0.len() > MOST_INSIDE || size(&body.stms) > MOST_STATEMENTS {
            return None;
        }
        let mut bound = Binders::default();
        bound.exp(&Exp::Seg(op.clone()));
        let known = |n: &SubExp| n.var().is_none_or(|v| !bound.0.contains(&v));
        let mut worth = SubExp::i64(0);
        for op in inside.0 {
            let sizes: Vec<SubExp> = op.space.dims.iter().map(|d| d.1).collect();
            if !sizes.iter().all(known) {
                continue;
            }
            let dims = op.space.dims.len();
            let estimate = Estimate::inside(op, dims, bound.0.clone(), &mut self.b);
            let elements = sizes.iter().fold(SubExp::i64(1), |all, n| {
                let all = self.b.mul(all, *n);
                self.b.min(all, SubExp::i64(MOST_ELEMENTS))
            });
            let work = estimate.of_elements_of(elements, &mut self.b);
            worth = self.b.max(worth, work);
        }
        self.few_and_long(n, worth)
    }

    pub(super) fn few_in_tests(&mut self, n: SubExp) -> Option<SubExp> {
        let most = SubExp::i64(FEW_IN_TESTS);
        (!is_more(n, FEW_IN_TESTS)).then(|| self.b.le(n, most))
    }

    fn few_and_long(&mut self, n: SubExp, worth: SubExp) -> Option<SubExp> {
        let short = matches!(worth, SubExp::Const(Const::I64(w)) if w >> GRAIN < TASKS_OF_SEGMENT);
        if is_more(n, FEW_SEGMENTS) || short {
            return None;
        }
        let b = &mut self.b;
        let tasks = b.binop(BinOp::AShr(space::I64), worth, SubExp::i64(GRAIN));
        let few = b.le(n, SubExp::i64(FEW_SEGMENTS));
        let long = b.le(SubExp::i64(TASKS_OF_SEGMENT), tasks);
        Some(b.and(few, long))
    }

    /// The tasks, one for each segment.
    fn segment_by_segment(&mut self, s: &Stm, op: &SegOp) -> Option<()> {
        let [(i, n), (j, m)] = *op.space.dims.as_slice() else { return None };
        let b = &mut self.b;
        let r = b.names.fresh("segment");
        b.begin();
        let mut one = op.clone();
        one.space = SegSpace { dims: vec![(j, m)] };
        one.body.stms.insert(0, Stm::new(vec![PatElem::new(i, Type::I64)], Exp::SubExp(r.into())));
        let exp = Exp::Seg(one);
        // What a reduction comes to is a scalar, all else is in the segment's place.
        let totals = match &op.kind {
            SegKind::Red(ops) => ops.iter().map(|r| r.op.ret.len()).sum(),
            _ => 0,
        };
        let mut pat = Vec::with_capacity(s.pat.len());
        for (k, p) in s.pat.iter().enumerate() {
            let elem = p.ty.elem()?;
            let var = b.names.like(p.var);
            if k < totals {
                pat.push(PatElem::new(var, Type::Prim(elem)));
                continue;
            }
            let row = |mem: &MemBind| {
                let lmad = mem.lmad.slice(&[DimIndex::Fix(r.into()), DimIndex::full(m)]);
                MemBind { block: mem.block, lmad }
            };
            pat.push(PatElem { var, ty: Type::array(elem, vec![m]), mem: p.mem.as_ref().map(row) });
        }
        let results = pat.iter().take(totals).map(|p| KernelResult::Return(p.var.into())).collect();
        let types = pat.iter().take(totals).map(|p| p.ty.clone()).collect();
        let segment = Stm { pat, exp, schedule: None, ..s.clone() };
        // It is known to be long.
        let repeated = std::mem::replace(&mut self.repeated, false);
        match self.operation(&segment) {
            Some(cut) => cut.into_iter().for_each(|s| self.b.push(s)),
            None => self.b.push(segment),
        }
        self.repeated = repeated;
        let b = &mut self.b;
        let body = KernelBody { stms: b.end(), results, types };
        let (made, filled) = s.pat.split_at_checked(totals)?;
        for p in filled.iter().filter(|p| !is_dead(p)) {
            let Type::Array { elem, shape } = &p.ty else { return None };
            let exp = Exp::Scratch { elem: *elem, shape: shape.clone() };
            b.push(Stm { loc: s.loc, ..Stm::new(vec![p.clone()], exp) });
        }
        b.push(tasks(made.to_vec(), r, n, body, s));
        Some(())
    }
    /// The tasks, one for each point of a map.
    fn point_by_point(&mut self, s: &Stm, op: &SegOp) -> Option<()> {
        let (point, n) = *op.space.dims.first()?;
        let mut body = op.body.clone();
        self.list_that_is(false, &mut body.stms);
        self.b.push(tasks(s.pat.clone(), point, n, body, s));
        Some(())
    }
}

/// Whether a size is known to be more.
fn is_more(n: SubExp, most: i64) -> bool {
    matches!(n, SubExp::Const(Const::I64(n)) if n > most)
}

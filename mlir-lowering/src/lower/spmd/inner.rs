//! Operations inside of points: every lane goes through its own.

use super::super::function::Function;
use super::arrays::At;
use super::strip::{Result, Strip};
use crate::Error;
use crate::dialect::{Ix, Val};
use futc_midend::analysis::lanes::Class;
use futc_midend::ir::{
    IntType, KernelBody, KernelResult, Param, PatElem, Reduction, SegKind, SegOp, SubExp, Var,
};

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// An operation inside with arrays as its results, which every lane goes through by itself.
    pub(super) fn segmented_by_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        pat: &'p [PatElem],
        op: &'p SegOp,
    ) -> Result<()> {
        self.bind_lane_arrays(strip, pat)?;
        let SegOp { space, kind, body, .. } = op;
        let shape = self.outer_shape(space, kind.parallel_dims(space))?;
        self.nest(&shape, &mut |f, indexes| {
            f.bind_indexes(space, indexes)?;
            let known = strip.quotients.borrow().len();
            let outer: Vec<At<'c>> = indexes.iter().copied().map(At::Same).collect();
            match kind {
                SegKind::Map => {
                    f.stms_by_lanes(strip, &body.stms)?;
                    f.collect_in_lanes(
                        strip,
                        pat,
                        &Self::indexes(space, indexes.len()),
                        &body.results,
                    )?;
                }
                SegKind::Red(ops) => {
                    let values = f.folded_by_lanes(strip, pat, op, ops, &outer)?;
                    for ((p, value), param) in pat.iter().zip(values).zip(accumulators(ops)) {
                        if p.ty.rank() == 0 {
                            f.bind_lanes(std::slice::from_ref(p), &[value]);
                            continue;
                        }
                        let value = f.vector_of(strip, param, value)?;
                        f.store_element(strip, p.var, &outer, value)?;
                    }
                }
                SegKind::Scan(ops) => {
                    f.folded_by_lanes(strip, pat, op, ops, &outer)?;
                }
                SegKind::Hist(_) => return Err(Error::bug("a histogram by lanes")),
            }
            strip.quotients.borrow_mut().truncate(known);
            Ok(())
        })
    }

    /// An accumulator as a vector.
    fn vector_of(
        &self,
        strip: &Strip<'_, 'c, 'p>,
        accumulator: &Param,
        value: Val<'c>,
    ) -> Result<Val<'c>> {
        match strip.classes.class(accumulator.var) {
            Class::Varying => Ok(value),
            Class::Uniform | Class::Linear(_) => self.spread_to(strip, value),
        }
    }

    fn store_element(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        array: Var,
        at: &[At<'c>],
        value: Val<'c>,
    ) -> Result<()> {
        let target =
            self.lane_array(strip, array).ok_or_else(|| Error::bug("no array of lanes"))?;
        self.set_of_lanes(strip, &target, at, value)
    }

    /// The results of an operation inside at some indexes.
    fn collect_in_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        pat: &'p [PatElem],
        indexes: &[SubExp],
        results: &'p [KernelResult],
    ) -> Result<()> {
        for (p, result) in pat.iter().zip(results) {
            let KernelResult::Return(x) = result else {
                return Err(Error::bug("a write by lanes"));
            };
            let missing = || Error::bug("no array of lanes");
            let target = self.lane_array(strip, p.var).ok_or_else(missing)?;
            if target.array.shape.len() > indexes.len() {
                self.put_array(strip, &target, indexes, x.var().ok_or_else(missing)?)?;
                continue;
            }
            let value = self.in_lanes(strip, *x)?;
            let mut at = Vec::with_capacity(indexes.len());
            for i in indexes {
                at.push(self.lane_index(strip, *i)?);
            }
            self.set_of_lanes(strip, &target, &at, value)?;
        }
        Ok(())
    }

    /// Elements that a reduction or scan stores besides what it folds up, at an index that is bound.
    fn store_besides(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        pat: &'p [PatElem],
        (ops, body): (&'p [Reduction], &'p KernelBody),
        at: &[At<'c>],
    ) -> Result<()> {
        let folded = accumulators(ops).count();
        for (p, result) in pat.iter().zip(&body.results).skip(folded) {
            let KernelResult::Return(x) = result else {
                return Err(Error::bug("a write by lanes"));
            };
            if p.mem.is_some() {
                let value = self.in_lanes(strip, *x)?;
                self.store_element(strip, p.var, at, value)?;
            }
        }
        Ok(())
    }

    /// A reduction or a row of a scan inside, which is a loop: every lane folds up its own, and stores what the operation stores besides, and
    /// what is scanned. The index variables of outer dimensions are bound.
    pub(super) fn folded_by_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        pat: &'p [PatElem],
        op: &'p SegOp,
        ops: &'p [Reduction],
        outer: &[At<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let (index, n) = Self::innermost(&op.space)?;
        let n = self.operand(n)?;
        let init = self.neutral_by_lanes(strip, ops)?;
        let is_scan = matches!(op.kind, SegKind::Scan(_));
        self.for_carrying(n, &init, |f, i, carried| {
            f.env.insert(index, i);
            let next = f.step_by_lanes(strip, ops, &op.body, carried)?;
            let at: Vec<At<'c>> = outer.iter().copied().chain([At::Same(Ix::Val(i))]).collect();
            let scanned = pat.iter().zip(&next).zip(accumulators(ops));
            for ((p, value), param) in scanned.filter(|((p, _), _)| is_scan && p.mem.is_some()) {
                let value = f.vector_of(strip, param, *value)?;
                f.store_element(strip, p.var, &at, value)?;
            }
            f.store_besides(strip, pat, (ops, &op.body), &at)?;
            Ok(next)
        })
    }

    /// A reduction of as many elements as each lane has: as a loop that lanes leave each in its own round.
    pub(super) fn folded_apart(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        pat: &'p [PatElem],
        op: &'p SegOp,
        ops: &'p [Reduction],
    ) -> Result<()> {
        let (index, n) = Self::innermost(&op.space)?;
        let bound = self.in_lanes(strip, n)?;
        let init = self.neutral_by_lanes(strip, ops)?;
        let classes: Vec<Class> = accumulators(ops).map(|p| strip.classes.class(p.var)).collect();
        self.rounds_by_lanes(
            strip,
            (pat, &classes),
            &init,
            (IntType::I64, bound),
            &mut |f, inside, i, old| {
                f.env.insert(index, i);
                f.step_by_lanes(inside, ops, &op.body, old)
            },
        )
    }

    /// Accumulators to begin with.
    pub(super) fn neutral_by_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        ops: &'p [Reduction],
    ) -> Result<Vec<Val<'c>>> {
        let mut init = Vec::new();
        for op in ops {
            for (x, p) in op.neutral.iter().zip(&op.op.params) {
                init.push(self.as_class(strip, *x, strip.classes.class(p.var))?);
            }
        }
        Ok(init)
    }

    /// Accumulators with one more element in them, at an index that is bound.
    pub(super) fn step_by_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        ops: &'p [Reduction],
        body: &'p KernelBody,
        carried: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        self.stms_by_lanes(strip, &body.stms)?;
        let mut elements = body.results.iter();
        let mut accumulators = carried.iter();
        let mut out = Vec::with_capacity(carried.len());
        for op in ops {
            let (left, right) = op.op.params.split_at(op.neutral.len().min(op.op.params.len()));
            self.env.extend(left.iter().zip(accumulators.by_ref()).map(|(p, v)| (p.var, *v)));
            for p in right {
                let Some(KernelResult::Return(x)) = elements.next() else {
                    return Err(Error::bug("a reduction without elements"));
                };
                let value = self.as_class(strip, *x, strip.classes.class(p.var))?;
                self.env.insert(p.var, value);
            }
            let classes: Vec<Class> = left.iter().map(|p| strip.classes.class(p.var)).collect();
            out.extend(self.body_by_lanes(strip, &op.op.body, &classes)?);
        }
        Ok(out)
    }
}

/// The parameters of operators that stand for accumulators.
fn accumulators(ops: &[Reduction]) -> impl Iterator<Item = &Param> {
    ops.iter().flat_map(|op| op.op.params.iter().take(op.neutral.len()))
}

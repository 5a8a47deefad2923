//! Reductions by lanes, each of which accumulates its points; in the end halves of the vector go onto one another.
//!
//! | the operator | what lanes do |
//! | --- | --- |
//! | an operation that commutes | the same on vectors |
//! | a connective of truth values | lanes have one accumulator together |
//! | of straight code, said to commute | both sides of its branches, and a choice ([`crate::lower::lanewise`]) |

use super::super::function::{Array, Function};
use super::super::nest::Nest;
use super::strip::{ByLanes, Result, Strip};
use super::{Points, Profitability};
use crate::Error;
use crate::dialect::{Ix, Val};
use futc_midend::analysis::contraction::lanewise_accumulation;
use futc_midend::analysis::lanes::lanes;
use futc_midend::ir::{BinOp, KernelResult, Reduction, SegOp, Var};
use futc_midend::machine::Instructions;
use melior::ir::ValueLike;
use std::cell::RefCell;

/// The operator of a reduction.
#[derive(Clone, Copy)]
enum Fold<'p> {
    Operation(BinOp),
    Connective(BinOp),
    Operator(&'p Reduction),
}

impl<'p> Fold<'p> {
    fn of(r: &'p Reduction) -> Fold<'p> {
        match lanewise_accumulation(r) {
            Some(op @ (BinOp::LogAnd | BinOp::LogOr)) => Fold::Connective(op),
            Some(op) => Fold::Operation(op),
            None => Fold::Operator(r),
        }
    }

    fn results(self) -> usize {
        match self {
            Fold::Operation(_) | Fold::Connective(_) => 1,
            Fold::Operator(r) => r.neutral.len(),
        }
    }
}

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// A reduction by lanes of the points from an index on and before another, onto what there is, if there are enough; what is left
    /// goes by the strategies that are left. The index variables of the outer dimensions are bound.
    pub(in super::super) fn red_of_lanes(
        &mut self,
        nest: Nest<'p>,
        ops: &'p [Reduction],
        ByLanes { width, speculate, shared, .. }: ByLanes,
        (from, to): (Ix<'c>, Ix<'c>),
        (neutral, before): (&[Val<'c>], &[Val<'c>]),
        points: &Points<'_, 'c, Self>,
    ) -> Result<Vec<Val<'c>>> {
        let SegOp { space, body, .. } = nest.op;
        let (index, _) = Self::innermost(space)?;
        let cannot = || Error::bug("a reduction that cannot go by lanes");
        let folds: Vec<Fold<'p>> = ops.iter().map(Fold::of).collect();
        let place_of = |v: Var| self.arrays.get(&v).and_then(Array::place);
        let (folded, written) = body.results.split_at_checked(neutral.len()).ok_or_else(cannot)?;
        let stored = nest.pat.get(neutral.len()..).unwrap_or_default();
        let gathers = self.m.machine.cpu.gathers && !written.is_empty();
        let gathers = Instructions::gathering(gathers);
        let lanes = lanes(index, body, gathers, &place_of).map_err(|_| cannot())?;
        let n = self.b.sub(to, from)?;
        let outside = self.env.clone();
        let strips = |f: &mut Self| {
            let (length, by) = (f.b.ix(n)?, f.b.i64(width)?);
            let count = f.b.divui(length, by)?;
            let (quotients, arrays) = (RefCell::default(), RefCell::default());
            let failing = RefCell::default();
            let zero = f.b.i64(0)?;
            let mut strip = Strip {
                classes: &lanes,
                whole: &body.stms,
                width,
                speculate,
                first: (index, zero),
                points: None,
                quotients: &quotients,
                mask: None,
                arrays: &arrays,
                failing: &failing,
            };
            let init = f.accumulators_of_lanes(&strip, &folds, neutral)?;
            let sums = f.for_carrying(count, &init, |f, k, sums| {
                let first = f.b.mul(Ix::Val(k), Ix::Const(width))?;
                let first = f.b.add(from, first)?;
                let first = f.b.ix(first)?;
                f.env.insert(index, first);
                strip.first = (index, first);
                f.private_blocks(&strip, shared)?;
                f.stms_by_lanes(&strip, strip.whole)?;
                let mut elements = Vec::with_capacity(sums.len());
                for result in folded {
                    let KernelResult::Return(x) = result else {
                        return Err(Error::bug("a write in a reduction by lanes"));
                    };
                    elements.push(f.in_lanes(&strip, *x)?);
                }
                let next = f.accumulate_lanes(&folds, sums, &elements, width)?;
                f.collect_by_lanes(&strip, stored, space, written)?;
                Ok(next)
            })?;
            let mut reached = f.fold_lanes(&folds, before, &sums, width)?;
            let done = f.b.mul(Ix::Val(count), Ix::Const(width))?;
            let done = f.b.add(from, done)?;
            reached.push(f.b.ix(done)?);
            Ok(reached)
        };
        let mut none = before.to_vec();
        none.push(self.b.ix(from)?);
        let mut reached = match self.pays(&lanes, n, (width, None))? {
            Profitability::Never => none,
            Profitability::Always => strips(self)?,
            Profitability::If(cond) => {
                let types: Vec<_> = none.iter().map(ValueLike::r#type).collect();
                let yes = self.region(&[], |f, _| strips(f))?;
                let no = self.region(&[], |_, _| Ok(none))?;
                self.b.scf_if(cond, &types, yes, no)?
            }
        };
        self.env.clone_from(&outside);
        let done = reached.pop().ok_or_else(cannot)?;
        let totals = points(self, Ix::Val(done), to, &reached)?;
        self.env = outside;
        Ok(totals)
    }

    /// What accumulators begin with: a vector of each neutral element. Of connectives lanes have one truth value
    /// together: a mask that a loop carries past gathers takes twice the time of the rest on Zen.
    fn accumulators_of_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        folds: &[Fold<'p>],
        neutral: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let mut out = Vec::with_capacity(neutral.len());
        for fold in folds {
            for x in neutral.iter().skip(out.len()).take(fold.results()) {
                out.push(match fold {
                    Fold::Connective(_) => *x,
                    _ => self.spread_to(strip, *x)?,
                });
            }
        }
        Ok(out)
    }

    /// Accumulators with the elements of one strip.
    fn accumulate_lanes(
        &mut self,
        folds: &[Fold<'p>],
        sums: &[Val<'c>],
        elements: &[Val<'c>],
        width: i64,
    ) -> Result<Vec<Val<'c>>> {
        let mut out = Vec::with_capacity(sums.len());
        for fold in folds {
            let part = out.len()..out.len() + fold.results();
            let (a, x) = (parts(sums, &part)?, parts(elements, &part)?);
            match *fold {
                Fold::Operator(r) => out.extend(self.apply_lanewise(&r.op, a, x, width)?),
                Fold::Operation(op) | Fold::Connective(op) => {
                    let ([a], [x]) = (a, x) else {
                        return Err(Error::bug("an operation of several accumulators"));
                    };
                    let x = match op {
                        BinOp::LogOr => self.any_lane(*x)?,
                        BinOp::LogAnd => self.all_lanes(*x)?,
                        _ => *x,
                    };
                    out.push(self.lanewise(op, *a, x)?);
                }
            }
        }
        Ok(out)
    }

    /// What the accumulators of all lanes come to, onto what there was before.
    fn fold_lanes(
        &mut self,
        folds: &[Fold<'p>],
        before: &[Val<'c>],
        sums: &[Val<'c>],
        width: i64,
    ) -> Result<Vec<Val<'c>>> {
        let mut out = Vec::with_capacity(sums.len());
        for fold in folds {
            let part = out.len()..out.len() + fold.results();
            let (before, lanes) = (parts(before, &part)?, parts(sums, &part)?);
            if let Fold::Connective(op) = *fold {
                for (before, lanes) in before.iter().zip(lanes) {
                    out.push(self.lanewise(op, *before, *lanes)?);
                }
                continue;
            }
            let (mut lanes, mut width) = (lanes.to_vec(), width);
            while width > 1 && width % 2 == 0 {
                width /= 2;
                let (mut lower, mut upper) = (Vec::new(), Vec::new());
                for x in &lanes {
                    lower.push(self.shuffle(*x, *x, 0..width)?);
                    upper.push(self.shuffle(*x, *x, width..2 * width)?);
                }
                lanes = self.accumulate_lanes(std::slice::from_ref(fold), &lower, &upper, width)?;
            }
            let mut totals = before.to_vec();
            for lane in 0..width {
                let mut elements = Vec::with_capacity(lanes.len());
                for x in &lanes {
                    elements.push(self.b.vector_extract(*x, lane)?);
                }
                totals = match *fold {
                    Fold::Operator(r) => self.apply(&r.op, &totals, &elements)?,
                    _ => {
                        self.accumulate_lanes(std::slice::from_ref(fold), &totals, &elements, 1)?
                    }
                };
            }
            out.extend(totals);
        }
        Ok(out)
    }
}

fn parts<'v, 'c>(values: &'v [Val<'c>], part: &std::ops::Range<usize>) -> Result<&'v [Val<'c>]> {
    values.get(part.clone()).ok_or_else(|| Error::bug("an operator of the wrong width"))
}

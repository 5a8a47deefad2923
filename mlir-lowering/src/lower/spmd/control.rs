//! Branches, loops and reductions by lanes.

use super::super::function::Function;
use super::{Result, Strip};
use crate::Error;
use crate::dialect::{Predicate, Val};
use futc_midend::analysis::lanes::Class;
use futc_midend::ir::{
    Body, Const, Exp, IntType, KernelBody, KernelResult, LoopForm, Param, PatElem, Reduction,
    SegSpace, Stm, SubExp, Var,
};
use melior::ir::ValueLike;

/// Branches with no more statements than this are computed for all lanes.
const CHEAP: usize = 8;

/// Pure arithmetic, and little of it.
fn is_cheap(body: &Body) -> bool {
    let pure = |s: &Stm| {
        matches!(
            s.exp,
            Exp::SubExp(_) | Exp::UnOp(..) | Exp::BinOp(..) | Exp::CmpOp(..) | Exp::ConvOp(..)
        )
    };
    body.stms.len() <= CHEAP && body.stms.iter().all(pure)
}

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    fn classes(strip: &Strip<'_, 'c, 'p>, pat: &[PatElem]) -> Vec<Class> {
        pat.iter().map(|p| strip.classes.class(p.var)).collect()
    }

    fn bind_lanes(&mut self, pat: &[PatElem], values: &[Val<'c>]) {
        self.env.extend(pat.iter().zip(values).map(|(p, v)| (p.var, *v)));
    }

    /// A branch on a `bool`.
    pub(super) fn match_by_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        pat: &'p [PatElem],
        scrutinee: SubExp,
        cases: &'p [(Const, Body)],
        default: &'p Body,
    ) -> Result<()> {
        let [(Const::Bool(on), case)] = cases else {
            return Err(Error::bug("a branch of many ways by lanes"));
        };
        let (yes, no) = if *on { (case, default) } else { (default, case) };
        let classes = Self::classes(strip, pat);
        if strip.classes.of(scrutinee) == Class::Uniform {
            let cond = self.operand(scrutinee)?;
            let types = pat
                .iter()
                .zip(&classes)
                .map(|(p, c)| self.class_type(strip, &p.ty, *c))
                .collect::<Result<Vec<_>>>()?;
            let yes = self.region(&[], |f, _| f.body_by_lanes(strip, yes, &classes))?;
            let no = self.region(&[], |f, _| f.body_by_lanes(strip, no, &classes))?;
            let values = self.b.scf_if(cond, &types, yes, no)?;
            self.bind_lanes(pat, &values);
            return Ok(());
        }
        let cond = self.in_lanes(strip, scrutinee)?;
        let ones =
            self.b.constant_in(self.lanes_type(strip, self.b.types().i1)?, Const::Bool(true))?;
        let other = self.b.xori(cond, ones)?;
        let yes = self.side(strip, pat, yes, cond, &classes)?;
        let no = self.side(strip, pat, no, other, &classes)?;
        let mut values = Vec::with_capacity(pat.len());
        for (yes, no) in yes.iter().zip(&no) {
            values.push(self.blend(cond, *yes, *no)?);
        }
        self.bind_lanes(pat, &values);
        Ok(())
    }

    /// One side of a branch, for the lanes that take it.
    fn side(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        pat: &'p [PatElem],
        body: &'p Body,
        mask: Val<'c>,
        classes: &[Class],
    ) -> Result<Vec<Val<'c>>> {
        if is_cheap(body) {
            return self.body_by_lanes(strip, body, classes);
        }
        let mask = self.masked(strip, mask)?;
        let any = self.any_lane(mask)?;
        let inside = Strip { mask: Some(mask), ..*strip };
        let types = pat
            .iter()
            .zip(classes)
            .map(|(p, c)| self.class_type(strip, &p.ty, *c))
            .collect::<Result<Vec<_>>>()?;
        let yes = self.region(&[], |f, _| f.body_by_lanes(&inside, body, classes))?;
        let no = self.region(&[], |f, _| types.iter().map(|t| f.b.ub_poison(*t)).collect())?;
        self.b.scf_if(any, &types, yes, no)
    }

    /// A loop.
    pub(super) fn loop_by_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        pat: &'p [PatElem],
        (params, init): (&'p [Param], &'p [SubExp]),
        form: &'p LoopForm,
        body: &'p Body,
    ) -> Result<()> {
        let classes: Vec<Class> = params.iter().map(|p| strip.classes.class(p.var)).collect();
        let init = init
            .iter()
            .zip(&classes)
            .map(|(x, c)| self.as_class(strip, *x, *c))
            .collect::<Result<Vec<_>>>()?;
        let bind = |f: &mut Self, values: &[Val<'c>]| {
            f.env.extend(params.iter().zip(values).map(|(p, v)| (p.var, *v)));
        };
        let results = match form {
            LoopForm::For { var, ty, bound } => match strip.classes.of(*bound) {
                Class::Uniform => {
                    let bound = self.operand(*bound)?;
                    self.for_carrying(bound, &init, |f, i, carried| {
                        f.env.insert(*var, i);
                        bind(f, carried);
                        f.body_by_lanes(strip, body, &classes)
                    })?
                }
                Class::Linear(_) | Class::Varying => {
                    let bound = self.in_lanes(strip, *bound)?;
                    return self.count_by_lanes(
                        strip,
                        pat,
                        params,
                        &init,
                        (*var, *ty, bound),
                        body,
                    );
                }
            },
            LoopForm::While { cond } => {
                let position = params
                    .iter()
                    .position(|p| p.var == *cond)
                    .ok_or_else(|| Error::bug("a while loop without its condition"))?;
                let diverges = classes.get(position) != Some(&Class::Uniform);
                if diverges {
                    return self.while_by_lanes(strip, pat, params, &init, position, body);
                }
                let carried: Vec<_> = init.iter().map(ValueLike::r#type).collect();
                let before = self.condition_region(&carried, |_, values| {
                    let cond = values.get(position).copied();
                    Ok(cond.into_iter().chain(values.iter().copied()).collect())
                })?;
                let after = self.region(&carried, |f, values| {
                    bind(f, values);
                    f.body_by_lanes(strip, body, &classes)
                })?;
                self.b.scf_while(&init, before, after)?
            }
        };
        self.bind_lanes(pat, &results);
        Ok(())
    }

    /// What is carried on: by lanes that have come to the end, what they had.
    fn carry_on(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        pat: &'p [PatElem],
        mask: Val<'c>,
        old: &[Val<'c>],
        new: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let mut values = Vec::with_capacity(new.len());
        for ((p, old), new) in pat.iter().zip(old).zip(new) {
            // Whatever is left where nobody looks.
            let kept = strip.classes.uses(p.var);
            values.push(if kept { self.blend(mask, *new, *old)? } else { *new });
        }
        Ok(values)
    }

    /// A loop while some lane's condition holds: carries the lanes that take part, then what the
    /// loop carries.
    fn while_by_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        pat: &'p [PatElem],
        params: &'p [Param],
        init: &[Val<'c>],
        position: usize,
        body: &'p Body,
    ) -> Result<()> {
        let missing = || Error::bug("a while loop without its condition");
        let first = *init.get(position).ok_or_else(missing)?;
        let mask = self.masked(strip, first)?;
        let all: Vec<Val<'c>> = std::iter::once(mask).chain(init.iter().copied()).collect();
        let types: Vec<_> = all.iter().map(ValueLike::r#type).collect();
        let before = self.condition_region(&types, |f, values| {
            let mask = values.first().copied().ok_or_else(missing)?;
            let any = f.any_lane(mask)?;
            Ok(std::iter::once(any).chain(values.iter().copied()).collect())
        })?;
        let classes = vec![Class::Varying; params.len()];
        let after = self.region(&types, |f, values| {
            let (mask, old) = values.split_first().ok_or_else(missing)?;
            f.env.extend(params.iter().zip(old).map(|(p, v)| (p.var, *v)));
            let inside = Strip { mask: Some(*mask), ..*strip };
            let new = f.body_by_lanes(&inside, body, &classes)?;
            let go_on = new.get(position).copied().ok_or_else(missing)?;
            let next = f.b.andi(*mask, go_on)?;
            let carried = f.carry_on(strip, pat, *mask, old, &new)?;
            Ok(std::iter::once(next).chain(carried).collect())
        })?;
        let values = self.b.scf_while(&all, before, after)?;
        self.bind_lanes(pat, values.get(1..).unwrap_or_default());
        Ok(())
    }

    /// A loop that counts to a bound of each lane: carries the counter, then what the loop carries.
    fn count_by_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        pat: &'p [PatElem],
        params: &'p [Param],
        init: &[Val<'c>],
        (counter, ty, bound): (Var, IntType, Val<'c>),
        body: &'p Body,
    ) -> Result<()> {
        let missing = || Error::bug("a loop without a counter");
        let int = self.b.types().int(ty);
        let zero = self.b.int(int, 0)?;
        let all: Vec<Val<'c>> = std::iter::once(zero).chain(init.iter().copied()).collect();
        let types: Vec<_> = all.iter().map(ValueLike::r#type).collect();
        let taking_part = |f: &mut Self, i: Val<'c>| {
            let i = f.spread_to(strip, i)?;
            let below = f.b.cmpi(Predicate::Slt, i, bound)?;
            f.masked(strip, below)
        };
        let before = self.condition_region(&types, |f, values| {
            let i = values.first().copied().ok_or_else(missing)?;
            let mask = taking_part(f, i)?;
            let any = f.any_lane(mask)?;
            Ok(std::iter::once(any).chain(values.iter().copied()).collect())
        })?;
        let classes = vec![Class::Varying; params.len()];
        let after = self.region(&types, |f, values| {
            let (i, old) = values.split_first().ok_or_else(missing)?;
            let mask = taking_part(f, *i)?;
            f.env.insert(counter, *i);
            f.env.extend(params.iter().zip(old).map(|(p, v)| (p.var, *v)));
            let inside = Strip { mask: Some(mask), ..*strip };
            let new = f.body_by_lanes(&inside, body, &classes)?;
            let carried = f.carry_on(strip, pat, mask, old, &new)?;
            let one = f.b.int(int, 1)?;
            let next = f.b.addi(*i, one)?;
            Ok(std::iter::once(next).chain(carried).collect())
        })?;
        let values = self.b.scf_while(&all, before, after)?;
        self.bind_lanes(pat, values.get(1..).unwrap_or_default());
        Ok(())
    }

    /// A reduction inside, which is a loop: every lane reduces its own.
    pub(super) fn red_by_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        pat: &'p [PatElem],
        space: &'p SegSpace,
        ops: &'p [Reduction],
        body: &'p KernelBody,
    ) -> Result<()> {
        let (index, n) = Self::innermost(space)?;
        let n = self.operand(n)?;
        let mut init = Vec::new();
        for op in ops {
            for (x, p) in op.neutral.iter().zip(&op.op.params) {
                init.push(self.as_class(strip, *x, strip.classes.class(p.var))?);
            }
        }
        let values = self.for_carrying(n, &init, |f, i, carried| {
            f.env.insert(index, i);
            f.stms_by_lanes(strip, &body.stms)?;
            let mut elements = body.results.iter();
            let mut accumulators = carried.iter();
            let mut out = Vec::with_capacity(carried.len());
            for op in ops {
                let (left, right) = op.op.params.split_at(op.neutral.len().min(op.op.params.len()));
                f.env.extend(left.iter().zip(accumulators.by_ref()).map(|(p, v)| (p.var, *v)));
                for p in right {
                    let Some(KernelResult::Return(x)) = elements.next() else {
                        return Err(Error::bug("a reduction without elements"));
                    };
                    let value = f.as_class(strip, *x, strip.classes.class(p.var))?;
                    f.env.insert(p.var, value);
                }
                let classes: Vec<Class> = left.iter().map(|p| strip.classes.class(p.var)).collect();
                out.extend(f.body_by_lanes(strip, &op.op.body, &classes)?);
            }
            Ok(out)
        })?;
        self.bind_lanes(pat, &values);
        Ok(())
    }
}

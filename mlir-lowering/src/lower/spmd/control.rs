//! Branches, loops and reductions by lanes.

use super::super::function::{Binder, Function};
use super::strip::{Result, Strip};
use crate::Error;
use crate::dialect::{Predicate, Val};
use futc_midend::analysis::lanes::Class;
use futc_midend::ir::{Body, Const, Exp, IntType, LoopForm, Param, PatElem, Stm, SubExp};
use melior::ir::ValueLike;

/// Pure arithmetic.
fn is_arithmetic(body: &Body) -> bool {
    let pure = |s: &Stm| {
        matches!(
            s.exp,
            Exp::SubExp(_) | Exp::UnOp(..) | Exp::BinOp(..) | Exp::CmpOp(..) | Exp::ConvOp(..)
        )
    };
    body.stms.iter().all(pure)
}

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    fn classes(strip: &Strip<'_, 'c, 'p>, binders: &[impl Binder]) -> Vec<Class> {
        scalars(binders).map(|p| strip.classes.class(p.var())).collect()
    }

    pub(super) fn bind_lanes(&mut self, binders: &[impl Binder], values: &[Val<'c>]) {
        self.env.extend(scalars(binders).zip(values).map(|(p, v)| (p.var(), *v)));
    }

    /// A branch.
    pub(super) fn match_by_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        pat: &'p [PatElem],
        scrutinee: SubExp,
        cases: &'p [(Const, Body)],
        default: &'p Body,
    ) -> Result<()> {
        let classes = Self::classes(strip, pat);
        let values = if strip.classes.of(scrutinee) == Class::Uniform {
            let scrutinee = self.operand(scrutinee)?;
            self.uniform_branch(strip, pat, scrutinee, cases, default, &classes)?
        } else {
            let scrutinee = self.in_lanes(strip, scrutinee)?;
            self.divergent_branch(strip, pat, scrutinee, cases, default, &classes)?
        };
        self.bind_lanes(pat, &values);
        self.bind_lane_arrays(strip, pat)
    }

    /// Where a value is a constant.
    fn equals(&self, x: Val<'c>, c: Const) -> Result<Val<'c>> {
        if c == Const::Bool(true) {
            return Ok(x);
        }
        let c = self.b.constant_in(x.r#type(), c)?;
        self.b.cmpi(Predicate::Eq, x, c)
    }

    /// A branch that all lanes take the same way.
    fn uniform_branch(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        pat: &'p [PatElem],
        scrutinee: Val<'c>,
        cases: &'p [(Const, Body)],
        default: &'p Body,
        classes: &[Class],
    ) -> Result<Vec<Val<'c>>> {
        let Some(((c, case), others)) = cases.split_first() else {
            return self.body_by_lanes(strip, default, classes);
        };
        let (on, yes, no) = match (c, others) {
            (Const::Bool(false), []) => (scrutinee, default, Some(case)),
            (_, []) => (self.equals(scrutinee, *c)?, case, Some(default)),
            _ => (self.equals(scrutinee, *c)?, case, None),
        };
        let types = scalars(pat)
            .zip(classes)
            .map(|(p, c)| self.class_type(strip, &p.ty, *c))
            .collect::<Result<Vec<_>>>()?;
        let yes = self.region(&[], |f, _| f.body_by_lanes(strip, yes, classes))?;
        let no = self.region(&[], |f, _| match no {
            Some(body) => f.body_by_lanes(strip, body, classes),
            None => f.uniform_branch(strip, pat, scrutinee, others, default, classes),
        })?;
        self.b.scf_if(on, &types, yes, no)
    }

    /// A branch on what varies: its sides one after the other, each for the lanes that take it.
    fn divergent_branch(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        pat: &'p [PatElem],
        scrutinee: Val<'c>,
        cases: &'p [(Const, Body)],
        default: &'p Body,
        classes: &[Class],
    ) -> Result<Vec<Val<'c>>> {
        let mut taken = Vec::with_capacity(cases.len());
        let mut rest: Option<Val<'c>> = None;
        for (c, case) in cases {
            // No two constants are the same, so the others do not take it.
            let on = self.equals(scrutinee, *c)?;
            taken.push((on, self.side(strip, pat, case, on, classes)?));
            let others = self.not_lanes(strip, on)?;
            rest = Some(rest.map_or(Ok(others), |rest| self.b.andi(rest, others))?);
        }
        let rest = rest.ok_or_else(|| Error::bug("a branch without cases by lanes"))?;
        let mut values = self.side(strip, pat, default, rest, classes)?;
        for (on, case) in taken {
            for (value, this) in values.iter_mut().zip(case) {
                *value = self.blend(on, this, *value)?;
            }
        }
        Ok(values)
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
        if body.stms.len() <= strip.speculate && is_arithmetic(body) {
            return self.body_by_lanes(strip, body, classes);
        }
        let mask = self.masked(strip, mask)?;
        let any = self.any_lane(mask)?;
        let inside = Strip { mask: Some(mask), ..*strip };
        let types = scalars(pat)
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
        // Arrays stay where they are, unless what is carried says where they begin.
        let moves = moves(params);
        if !moves {
            self.bind_lane_arrays(strip, params)?;
            self.bind_lane_arrays(strip, pat)?;
        }
        let classes = Self::classes(strip, params);
        let init = params.iter().zip(init).filter(|(p, _)| p.ty.rank() == 0);
        let init = init
            .zip(&classes)
            .map(|((_, x), c)| self.as_class(strip, *x, *c))
            .collect::<Result<Vec<_>>>()?;
        let bind = |f: &mut Self, values: &[Val<'c>]| {
            f.bind_lanes(params, values);
            if moves { f.bind_lane_arrays(strip, params) } else { Ok(()) }
        };
        let results = match form {
            LoopForm::For { var, ty, bound } => match strip.classes.of(*bound) {
                Class::Uniform => {
                    let bound = self.operand(*bound)?;
                    self.for_carrying(bound, &init, |f, i, carried| {
                        f.env.insert(*var, i);
                        bind(f, carried)?;
                        f.body_by_lanes(strip, body, &classes)
                    })?
                }
                Class::Linear(_) | Class::Varying => {
                    let bound = self.in_lanes(strip, *bound)?;
                    let carries = (pat, classes.as_slice());
                    return self.rounds_by_lanes(
                        strip,
                        carries,
                        &init,
                        (*ty, bound),
                        &mut |f, inside, i, old| {
                            f.env.insert(*var, i);
                            f.bind_lanes(params, old);
                            f.body_by_lanes(inside, body, &classes)
                        },
                    );
                }
            },
            LoopForm::While { cond } => {
                let position = scalars(params)
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
                    bind(f, values)?;
                    f.body_by_lanes(strip, body, &classes)
                })?;
                self.b.scf_while(&init, before, after)?
            }
        };
        self.bind_lanes(pat, &results);
        if moves { self.bind_lane_arrays(strip, pat) } else { Ok(()) }
    }

    /// What a loop carries that lanes leave each in its own round: the values of its parameters, then, of those that are the same
    /// or linear in the lanes that take part, what each lane has had last, if anything behind the loop asks for it.
    fn with_last(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        pat: &'p [PatElem],
        classes: &[Class],
        init: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let mut values = init.to_vec();
        for ((p, class), x) in scalars(pat).zip(classes).zip(init) {
            if *class != Class::Varying && strip.classes.uses(p.var) {
                values.push(self.spread_class(strip, *x, *class)?);
            }
        }
        Ok(values)
    }

    /// What is carried on: by lanes that have come to the end, what they had.
    fn carry_on(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        pat: &'p [PatElem],
        classes: &[Class],
        mask: Val<'c>,
        old: &[Val<'c>],
        new: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let (old, last) = old.split_at(classes.len().min(old.len()));
        let mut last = last.iter();
        let mut values = Vec::with_capacity(new.len());
        let mut left = Vec::new();
        for (((p, class), old), new) in scalars(pat).zip(classes).zip(old).zip(new) {
            // Whatever is left where nobody looks.
            let kept = strip.classes.uses(p.var);
            if *class == Class::Varying {
                values.push(if kept { self.blend(mask, *new, *old)? } else { *new });
                continue;
            }
            values.push(*new);
            if kept {
                let last = last.next().ok_or_else(|| Error::bug("nothing to leave a loop with"))?;
                let new = self.spread_class(strip, *new, *class)?;
                left.push(self.blend(mask, new, *last)?);
            }
        }
        values.extend(left);
        Ok(values)
    }

    /// Binds what lanes have left a loop with.
    fn bind_left(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        pat: &'p [PatElem],
        classes: &[Class],
        values: &[Val<'c>],
    ) {
        let (values, last) = values.split_at(classes.len().min(values.len()));
        let mut last = last.iter();
        for ((p, class), value) in scalars(pat).zip(classes).zip(values) {
            if *class == Class::Varying {
                self.env.insert(p.var, *value);
            } else if strip.classes.uses(p.var) {
                self.env.extend(last.next().map(|value| (p.var, *value)));
            }
        }
    }

    /// A loop while some lane's condition holds: carries the lanes that take part, then what the
    /// loop carries and leaves behind.
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
        let classes = Self::classes(strip, params);
        let carried = self.with_last(strip, pat, &classes, init)?;
        let all: Vec<Val<'c>> = std::iter::once(mask).chain(carried).collect();
        let types: Vec<_> = all.iter().map(ValueLike::r#type).collect();
        let before = self.condition_region(&types, |f, values| {
            let mask = values.first().copied().ok_or_else(missing)?;
            let any = f.any_lane(mask)?;
            Ok(std::iter::once(any).chain(values.iter().copied()).collect())
        })?;
        let after = self.region(&types, |f, values| {
            let (mask, old) = values.split_first().ok_or_else(missing)?;
            f.bind_lanes(params, old);
            let inside = Strip { mask: Some(*mask), ..*strip };
            let new = f.body_by_lanes(&inside, body, &classes)?;
            let go_on = new.get(position).copied().ok_or_else(missing)?;
            let next = f.chosen(*mask, go_on, false)?;
            let carried = f.carry_on(strip, pat, &classes, *mask, old, &new)?;
            Ok(std::iter::once(next).chain(carried).collect())
        })?;
        let values = self.b.scf_while(&all, before, after)?;
        self.bind_left(strip, pat, &classes, values.get(1..).unwrap_or_default());
        Ok(())
    }

    /// A loop that counts to a bound of each lane: carries the counter, then what the loop carries and leaves behind. A round makes of
    /// the counter and what was carried what is carried on, by the lanes that take part.
    pub(super) fn rounds_by_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        (pat, classes): (&'p [PatElem], &[Class]),
        init: &[Val<'c>],
        (ty, bound): (IntType, Val<'c>),
        round: &mut Round<'_, 'c, 'p, Self>,
    ) -> Result<()> {
        let missing = || Error::bug("a loop without a counter");
        let int = self.b.types().int(ty);
        let zero = self.b.int(int, 0)?;
        let carried = self.with_last(strip, pat, classes, init)?;
        let all: Vec<Val<'c>> = std::iter::once(zero).chain(carried).collect();
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
        let after = self.region(&types, |f, values| {
            let (i, old) = values.split_first().ok_or_else(missing)?;
            let mask = taking_part(f, *i)?;
            let inside = Strip { mask: Some(mask), ..*strip };
            let new = round(f, &inside, *i, old)?;
            let carried = f.carry_on(strip, pat, classes, mask, old, &new)?;
            let one = f.b.int(int, 1)?;
            let next = f.b.addi(*i, one)?;
            Ok(std::iter::once(next).chain(carried).collect())
        })?;
        let values = self.b.scf_while(&all, before, after)?;
        self.bind_left(strip, pat, classes, values.get(1..).unwrap_or_default());
        Ok(())
    }
}

/// What a round of a loop makes of its counter and of what it carries.
type Round<'r, 'c, 'p, F> =
    dyn FnMut(&mut F, &Strip<'_, 'c, 'p>, Val<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>> + 'r;

/// Whether an array lies where what is carried with it says.
fn moves(params: &[Param]) -> bool {
    let carried = |x: &SubExp| params.iter().any(|p| *x == p.var.into());
    params.iter().filter_map(|p| p.mem.as_ref()).any(|m| m.lmad.leaves().iter().any(carried))
}

/// What has a value of its own.
fn scalars<B: Binder>(binders: &[B]) -> impl Iterator<Item = &B> {
    binders.iter().filter(|b| b.ty().rank() == 0)
}

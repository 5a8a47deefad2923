//! Statements by lanes, and values as vectors.

use super::super::function::Function;
use super::super::scalar::known_integer;
use super::strip::{Result, Strip};
use crate::Error;
use crate::dialect::{Combining, Val};
use futc_midend::analysis::lanes::{Class, is_divided_by_lanes};
use futc_midend::ir::traverse::for_each_block;
use futc_midend::ir::{Body, Const, Exp, MsgPart, Prim, SegKind, SegOp, Stm, SubExp, Type};
use melior::ir::ValueLike;

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// The vector type of a scalar type.
    pub(super) fn lanes_type(
        &self,
        strip: &Strip<'_, 'c, 'p>,
        scalar: melior::ir::Type<'c>,
    ) -> Result<melior::ir::Type<'c>> {
        let width = u64::try_from(strip.width).map_err(Error::bug)?;
        Ok(melior::ir::Type::vector(&[width], scalar))
    }

    /// A scalar in all lanes.
    pub(super) fn spread_to(&self, strip: &Strip<'_, 'c, 'p>, x: Val<'c>) -> Result<Val<'c>> {
        let ty = self.lanes_type(strip, x.r#type())?;
        self.b.vector_broadcast(x, ty)
    }

    /// The numbers of the lanes, times a constant.
    pub(super) fn distances(&self, strip: &Strip<'_, 'c, 'p>, step: i64) -> Result<Val<'c>> {
        let steps: Vec<i64> = (0..strip.width).map(|i| i.wrapping_mul(step)).collect();
        self.b.words(&steps)
    }

    /// An operand as a vector.
    pub(super) fn in_lanes(&mut self, strip: &Strip<'_, 'c, 'p>, x: SubExp) -> Result<Val<'c>> {
        let class = strip.classes.of(x);
        if let SubExp::Const(c) = x {
            let ty = self.lanes_type(strip, self.b.types().prim(c.prim()))?;
            return self.b.constant_in(ty, c);
        }
        let value = self.operand(x)?;
        self.spread_class(strip, value, class)
    }

    /// A value of a class as a vector.
    pub(super) fn spread_class(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        value: Val<'c>,
        class: Class,
    ) -> Result<Val<'c>> {
        match class {
            Class::Varying => Ok(value),
            Class::Uniform => self.spread_to(strip, value),
            Class::Linear(step) => {
                let first = self.spread_to(strip, value)?;
                let distances = self.distances(strip, step)?;
                self.b.addi(first, distances)
            }
        }
    }

    /// An operand as values of a class are.
    pub(super) fn as_class(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        x: SubExp,
        class: Class,
    ) -> Result<Val<'c>> {
        match class {
            Class::Varying => self.in_lanes(strip, x),
            Class::Uniform | Class::Linear(_) => self.operand(x),
        }
    }

    /// The type of values of a class.
    pub(super) fn class_type(
        &self,
        strip: &Strip<'_, 'c, 'p>,
        ty: &Type,
        class: Class,
    ) -> Result<melior::ir::Type<'c>> {
        let scalar =
            self.b.types().value(ty).ok_or_else(|| Error::bug("a lane of what is no value"))?;
        match class {
            Class::Varying => self.lanes_type(strip, scalar),
            Class::Uniform | Class::Linear(_) => Ok(scalar),
        }
    }

    /// A selection by lanes.
    pub(super) fn blend(&self, mask: Val<'c>, yes: Val<'c>, no: Val<'c>) -> Result<Val<'c>> {
        self.b.select(mask, yes, no)
    }

    /// Whether any lane is set.
    pub(super) fn any_lane(&self, mask: Val<'c>) -> Result<Val<'c>> {
        self.b.vector_reduction(Combining::Or, mask)
    }

    /// Whether all lanes are set.
    pub(super) fn all_lanes(&self, mask: Val<'c>) -> Result<Val<'c>> {
        self.b.vector_reduction(Combining::And, mask)
    }

    /// The lanes of a mask that take part. Others may have any value, and `and` would spread that.
    pub(super) fn masked(&self, strip: &Strip<'_, 'c, 'p>, mask: Val<'c>) -> Result<Val<'c>> {
        match strip.mask {
            Some(outside) => self.chosen(outside, mask, false),
            None => Ok(mask),
        }
    }

    /// A condition in the lanes of a mask, and a constant in others.
    pub(super) fn chosen(&self, mask: Val<'c>, cond: Val<'c>, otherwise: bool) -> Result<Val<'c>> {
        let otherwise = self.b.constant_in(cond.r#type(), Const::Bool(otherwise))?;
        self.b.select(mask, cond, otherwise)
    }

    /// All lanes that take part.
    pub(super) fn whole_mask(&self, strip: &Strip<'_, 'c, 'p>) -> Result<Val<'c>> {
        match strip.mask {
            Some(mask) => Ok(mask),
            None => {
                let ty = self.lanes_type(strip, self.b.types().i1)?;
                self.b.constant_in(ty, Const::Bool(true))
            }
        }
    }

    fn is_array_of_lanes(&self, strip: &Strip<'_, 'c, 'p>, x: SubExp) -> bool {
        x.var().is_some_and(|v| strip.classes.home(v).is_some())
    }

    /// Statements in order.
    pub(super) fn stms_by_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        stms: &'p [Stm],
    ) -> Result<()> {
        // What is computed in a branch or loop is not there after it.
        let known = strip.quotients.borrow().len();
        stms.iter().try_for_each(|stm| self.stm_by_lanes(strip, stm))?;
        strip.quotients.borrow_mut().truncate(known);
        Ok(())
    }

    /// A body, whose scalar results are to be of some classes.
    pub(super) fn body_by_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        body: &'p Body,
        classes: &[Class],
    ) -> Result<Vec<Val<'c>>> {
        self.stms_by_lanes(strip, &body.stms)?;
        // Arrays are where they are to be.
        let scalars = body.result.iter().filter(|x| !self.is_array_of_lanes(strip, **x));
        let scalars: Vec<SubExp> = scalars.copied().collect();
        scalars.iter().zip(classes).map(|(x, c)| self.as_class(strip, *x, *c)).collect()
    }

    pub(super) fn stm_by_lanes(&mut self, strip: &Strip<'_, 'c, 'p>, stm: &'p Stm) -> Result<()> {
        self.at(stm.loc, |f| f.licensed(stm, |f| f.expression_by_lanes(strip, stm)))
    }

    fn expression_by_lanes(&mut self, strip: &Strip<'_, 'c, 'p>, stm: &'p Stm) -> Result<()> {
        // What is the same in all lanes is computed once. But if not all take part, those before may yet
        // fail another check, which would come first.
        if strip.classes.is_uniform(stm) && (strip.mask.is_none() || !checks(stm)) {
            return self.stm(stm);
        }
        match &stm.exp {
            Exp::Match { scrutinee, cases, default } => {
                return self.match_by_lanes(strip, &stm.pat, *scrutinee, cases, default);
            }
            Exp::Loop { params, init, form, body } => {
                return self.loop_by_lanes(strip, &stm.pat, (params, init), form, body);
            }
            Exp::Seg(op) if stm.pat.iter().any(|p| p.ty.rank() > 0) => {
                return self.segmented_by_lanes(strip, &stm.pat, op);
            }
            Exp::Seg(op @ SegOp { kind: SegKind::Red(ops), space, .. })
                if space.dims.iter().any(|(_, n)| strip.classes.of(*n) != Class::Uniform) =>
            {
                return self.folded_apart(strip, &stm.pat, op, ops);
            }
            Exp::Seg(op @ SegOp { kind: SegKind::Red(ops), .. }) => {
                let values = self.folded_by_lanes(strip, &stm.pat, op, ops, &[])?;
                self.bind_lanes(&stm.pat, &values);
                return Ok(());
            }
            Exp::Assert { kind: _, cond, msg } => {
                let class = |x: &SubExp| x.var().map_or(Class::Uniform, |v| strip.classes.class(v));
                let told = msg.iter().all(|part| match part {
                    MsgPart::Value(x, _) => class(x) != Class::Varying,
                    MsgPart::Text(_) => true,
                });
                // If one lane fails all do, and the first says so, whose values are at hand.
                if class(cond) == Class::Uniform && told && strip.mask.is_none() {
                    return self.stm(stm);
                }
                return self.check_by_lanes(strip, *cond);
            }
            _ => {}
        }
        if stm.pat.iter().any(|p| p.ty.rank() > 0) {
            return self.array_by_lanes(strip, stm);
        }
        let [element] = stm.pat.as_slice() else {
            return Err(Error::bug("several values by lanes"));
        };
        if strip.classes.class(element.var) != Class::Varying {
            return self.stm(stm);
        }
        let value = match &stm.exp {
            Exp::SubExp(x) => self.in_lanes(strip, *x)?,
            Exp::UnOp(op, x) => {
                let x = self.in_lanes(strip, *x)?;
                self.un_op(*op, x)?
            }
            Exp::BinOp(op, a, b) if is_divided_by_lanes(*op, *b) => {
                self.divide_by_lanes(strip, *op, *a, *b)?
            }
            Exp::BinOp(op, a, b) => {
                let known = known_integer(*b);
                let (a, b) = (self.in_lanes(strip, *a)?, self.in_lanes(strip, *b)?);
                self.bin_op_of(*op, a, b, known)?
            }
            Exp::CmpOp(op, a, b) => {
                let (a, b) = (self.in_lanes(strip, *a)?, self.in_lanes(strip, *b)?);
                self.cmp_op(*op, a, b)?
            }
            Exp::ConvOp(op, x) => {
                let x = self.in_lanes(strip, *x)?;
                self.conv_op(*op, x)?
            }
            Exp::Math(function, ty, xs) => {
                let xs = xs.iter().map(|x| self.in_lanes(strip, *x)).collect::<Result<Vec<_>>>()?;
                self.math(*function, *ty, &xs)?
            }
            Exp::Index { array, dims } => match strip.classes.lookup(element.var) {
                Some(lookup) => self.look_up(strip, *array, dims, lookup)?,
                None => self.read_by_lanes(strip, *array, dims)?,
            },
            _ => return Err(Error::bug("an operation that does not go by lanes")),
        };
        self.env.insert(element.var, value);
        Ok(())
    }

    /// What elements of a type are in memory, as vectors.
    pub(super) fn stored_lanes(
        &self,
        strip: &Strip<'_, 'c, 'p>,
        elem: Prim,
    ) -> Result<melior::ir::Type<'c>> {
        self.lanes_type(strip, self.b.types().stored(elem))
    }
}

/// Whether a check is somewhere in a statement.
fn checks(stm: &Stm) -> bool {
    let mut found = matches!(stm.exp, Exp::Assert { .. });
    for_each_block(&stm.exp, &mut |stms| found |= stms.iter().any(checks));
    found
}

//! Checks by lanes.
//!
//! ```text
//! if some lane that takes part fails:                failing_points_0(captured…, context, first, n):
//!   call failing_points_0(captured…, context, first, n)  for lane < n:
//!                                                           the body, of point first + lane
//! ```
//!
//! The points of a program are computed in order, and the first check that the first failing point fails
//! is what is to be reported. Lanes meet checks in another order. So if a lane fails, the points of the
//! strip are computed again, one by one, by a function apart, which ends with that report. Nothing has
//! been stored until then. Its arithmetic is that of lanes to the last bit ([`Function::as_lane_of`]),
//! so a check that a lane fails is failed there, too.

use super::super::FAILING_PREFIX;
use super::super::function::{Function, Outer, Site};
use super::strip::{Failing, Result, Strip};
use crate::Error;
use crate::dialect::{Ix, Linkage, Val};
use crate::ffi;
use futc_midend::ir::SubExp;
use melior::ir::ValueLike;
use melior::ir::block::BlockLike;

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// A check that some lanes may fail, or that all lanes fail with different words.
    pub(super) fn check_by_lanes(&mut self, strip: &Strip<'_, 'c, 'p>, cond: SubExp) -> Result<()> {
        let mut passes = self.in_lanes(strip, cond)?;
        if let Some(mask) = strip.mask {
            passes = self.chosen(mask, passes, true)?;
        }
        let all = self.all_lanes(passes)?;
        self.either(all, |_| Ok(()), |f| f.fail_one_by_one(strip))
    }

    /// Does not return.
    fn fail_one_by_one(&mut self, strip: &Strip<'_, 'c, 'p>) -> Result<()> {
        let Site::Host(context) = self.site else {
            return Err(Error::bug("points by lanes in a kernel"));
        };
        let known = strip.failing.borrow().clone();
        let function = match known {
            Some(function) => function,
            None => {
                let function = self.failing_function(strip)?;
                strip.failing.replace(Some(function.clone()));
                function
            }
        };
        let types = self.b.types();
        let points = match strip.points {
            Some(points) => points,
            None => self.b.i64(strip.width)?,
        };
        let mut arguments = Vec::with_capacity(function.captured.len() + 3);
        arguments.extend([context, strip.first.1, points]);
        for value in &function.captured {
            let bool_ = value.r#type() == types.i1;
            arguments.push(if bool_ { self.b.extui(*value, types.i8)? } else { *value });
        }
        self.b.func_call(&function.symbol, &arguments, &[])?;
        Ok(())
    }

    fn failing_function(&mut self, strip: &Strip<'_, 'c, 'p>) -> Result<Failing<'c>> {
        let types = self.b.types();
        let (region, entry) =
            ffi::region_with_block(&[types.ptr, types.i64, types.i64], self.b.location);
        let context = ffi::detach_value(entry.argument(0)?.into());
        let first = ffi::detach_value(entry.argument(1)?.into());
        let points = ffi::detach_value(entry.argument(2)?.into());
        let outer = Outer { others: 3, ..Outer::new(&self.env, &self.arrays, entry) };
        let mut code = Function::new(&mut *self.m, entry, Site::Host(context));
        code.b.location = self.b.location;
        code.defs = self.defs.clone();
        code.as_lane_of = Some(strip.width);
        code.outer = Some(outer);
        code.for_carrying(points, &[], |f, lane, _| {
            let i = f.b.add(Ix::Val(first), Ix::Val(lane))?;
            let i = f.b.ix(i)?;
            f.env.insert(strip.first.0, i);
            f.stms(strip.whole)?;
            Ok(Vec::new())
        })?;
        code.fail_with("Points that failed together did not fail one by one.", None, &[])?;
        code.b.func_return(&[])?;
        let captured = code.outer.take().map(|o| o.captured).unwrap_or_default();
        let parameters: Vec<_> = (0..entry.argument_count())
            .map(|i| entry.argument(i).map(|a| a.r#type()))
            .collect::<std::result::Result<_, _>>()?;
        let symbol = format!("{FAILING_PREFIX}{}", self.m.failing);
        self.m.failing += 1;
        self.m.builder().func(&symbol, &parameters, &[], Linkage::Internal, region)?;
        Ok(Failing { symbol, captured })
    }

    /// Lanes that are not set.
    pub(super) fn not_lanes(&self, strip: &Strip<'_, 'c, 'p>, mask: Val<'c>) -> Result<Val<'c>> {
        let ty = self.lanes_type(strip, self.b.types().i1)?;
        let ones = self.b.int(ty, 1)?;
        self.b.xori(mask, ones)
    }
}

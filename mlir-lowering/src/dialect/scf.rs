//! `scf`: branches and loops. Their regions are made before them.

use super::{Builder, Val};
use crate::Error;
use crate::ffi::Region;
use melior::ir::attribute::DenseI64ArrayAttribute;
use melior::ir::{Attribute, Type, ValueLike};

impl<'c> Builder<'c, '_> {
    /// `scf.yield`
    pub fn scf_yield(&self, values: &[Val<'c>]) -> Result<(), Error> {
        self.effect("scf.yield", values, &[])
    }

    /// `scf.condition`: whether the loop goes on, and what it carries.
    pub fn scf_condition(&self, values: &[Val<'c>]) -> Result<(), Error> {
        self.effect("scf.condition", values, &[])
    }

    /// `scf.if`
    pub fn scf_if(
        &self,
        condition: Val<'c>,
        results: &[Type<'c>],
        yes: Region<'c>,
        no: Region<'c>,
    ) -> Result<Vec<Val<'c>>, Error> {
        self.values("scf.if", &[condition], results, &[], vec![yes, no])
    }

    /// `scf.if` with one result.
    pub fn scf_if_value(
        &self,
        condition: Val<'c>,
        result: Type<'c>,
        yes: Region<'c>,
        no: Region<'c>,
    ) -> Result<Val<'c>, Error> {
        let values = self.scf_if(condition, &[result], yes, no)?;
        values.first().copied().ok_or_else(|| Error::bug("a branch without a result"))
    }

    /// `scf.if` without results and without another side.
    pub fn scf_when(&self, condition: Val<'c>, yes: Region<'c>) -> Result<(), Error> {
        self.scf_if(condition, &[], yes, Region::new()).map(|_| ())
    }

    /// `scf.index_switch`: the first region is for what is no case.
    pub fn scf_index_switch(
        &self,
        index: Val<'c>,
        cases: &[i64],
        results: &[Type<'c>],
        regions: Vec<Region<'c>>,
    ) -> Result<Vec<Val<'c>>, Error> {
        let cases = DenseI64ArrayAttribute::new(self.shared.context, cases).into();
        self.values("scf.index_switch", &[index], results, &[("cases", cases)], regions)
    }

    /// `scf.for`, from zero by ones; `annotation` is for LLVM's loop.
    pub fn scf_for(
        &self,
        n: Val<'c>,
        init: &[Val<'c>],
        annotation: Option<Attribute<'c>>,
        body: Region<'c>,
    ) -> Result<Vec<Val<'c>>, Error> {
        let counter = n.r#type();
        let (zero, one) = (self.int(counter, 0)?, self.int(counter, 1)?);
        let operands: Vec<_> = [zero, n, one].into_iter().chain(init.iter().copied()).collect();
        let carried: Vec<_> = init.iter().map(ValueLike::r#type).collect();
        let attributes: Vec<_> = annotation.map(|a| ("loop_annotation", a)).into_iter().collect();
        self.values("scf.for", &operands, &carried, &attributes, vec![body])
    }

    /// `scf.while`
    pub fn scf_while(
        &self,
        init: &[Val<'c>],
        before: Region<'c>,
        after: Region<'c>,
    ) -> Result<Vec<Val<'c>>, Error> {
        let carried: Vec<_> = init.iter().map(ValueLike::r#type).collect();
        self.values("scf.while", init, &carried, &[], vec![before, after])
    }
}

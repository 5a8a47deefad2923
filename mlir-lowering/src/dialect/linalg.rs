//! `linalg`: operations on whole arrays. Attributes of ours say how each is to be done.

use super::{Attributes, Builder, Val};
use crate::{Error, ffi};
use melior::ir::attribute::{DenseI32ArrayAttribute, DenseI64ArrayAttribute};
use melior::ir::block::BlockLike;
use melior::ir::{Attribute, Region, ValueLike};

impl<'c> Builder<'c, '_> {
    /// `linalg.fill`: a scalar in every place.
    pub fn linalg_fill(
        &self,
        value: Val<'c>,
        to: Val<'c>,
        how: Attributes<'_, 'c>,
    ) -> Result<(), Error> {
        self.pointwise("linalg.fill", value, to, how)
    }

    /// `linalg.copy`
    pub fn linalg_copy(
        &self,
        from: Val<'c>,
        to: Val<'c>,
        how: Attributes<'_, 'c>,
    ) -> Result<(), Error> {
        self.pointwise("linalg.copy", from, to, how)
    }

    fn pointwise(
        &self,
        name: &str,
        from: Val<'c>,
        to: Val<'c>,
        how: Attributes<'_, 'c>,
    ) -> Result<(), Error> {
        let segments = DenseI32ArrayAttribute::new(self.shared.context, &[1, 1]).into();
        let segments = [("operandSegmentSizes", segments)];
        let attributes: Vec<_> = segments.into_iter().chain(how.iter().copied()).collect();
        let region = self.yielding_first(from, to)?;
        self.operation(name, &[from, to], &[], &attributes, vec![region])?;
        Ok(())
    }

    /// `linalg.transpose`: a dimension of the result is that one of the operand.
    pub fn linalg_transpose(
        &self,
        from: Val<'c>,
        to: Val<'c>,
        permutation: &[i64],
        how: Attributes<'_, 'c>,
    ) -> Result<(), Error> {
        let permutation = [("permutation", self.numbers(permutation))];
        let attributes: Vec<_> = permutation.into_iter().chain(how.iter().copied()).collect();
        let region = self.yielding_first(from, to)?;
        self.operation("linalg.transpose", &[from, to], &[], &attributes, vec![region])?;
        Ok(())
    }

    /// An attribute that is a number.
    pub fn number(&self, x: i64) -> Attribute<'c> {
        self.shared.word(x)
    }

    /// An attribute that lists numbers.
    pub fn numbers(&self, xs: &[i64]) -> Attribute<'c> {
        DenseI64ArrayAttribute::new(self.shared.context, xs).into()
    }

    /// An attribute that is there or not.
    pub fn flag(&self) -> Attribute<'c> {
        self.shared.unit()
    }

    /// What is computed of an element of each operand: the first.
    fn yielding_first(&self, from: Val<'c>, to: Val<'c>) -> Result<Region<'c>, Error> {
        let arguments = [ffi::element_of(from.r#type()), ffi::element_of(to.r#type())];
        let (region, block) = ffi::region_with_block(&arguments, self.location);
        let first = ffi::detach_value(block.argument(0)?.into());
        Builder::new(self.shared, block, self.location).effect("linalg.yield", &[first], &[])?;
        Ok(region)
    }
}

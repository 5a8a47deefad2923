//! `linalg`: operations on whole arrays. Attributes of ours say how each is to be done.

use super::{Attributes, Builder, Val};
use crate::ffi::Region;
use crate::{Error, ffi};
use melior::ir::attribute::{ArrayAttribute, DenseI32ArrayAttribute, DenseI64ArrayAttribute};
use melior::ir::block::BlockLike;
use melior::ir::{AffineExpr, AffineMap, Attribute, ValueLike};

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

    /// `linalg.generic` over loops of which the last ones are reduced: for each operand, of which the last
    /// one is the result, the loops that its dimensions are walked by.
    pub fn linalg_generic(
        &self,
        operands: &[Val<'c>],
        maps: &[Vec<usize>],
        (parallel, reduced): (usize, usize),
        body: Region<'c>,
        how: Attributes<'_, 'c>,
    ) -> Result<(), Error> {
        let context = self.shared.context;
        let loops = parallel + reduced;
        let map = |dims: &Vec<usize>| {
            let dims: Vec<_> = dims.iter().map(|d| AffineExpr::dim(context, *d)).collect();
            ffi::attribute_of_map(AffineMap::new(context, loops, 0, &dims))
        };
        let maps: Vec<_> = maps.iter().map(map).collect();
        let mut iterators =
            vec![self.shared.attribute("#linalg.iterator_type<parallel>")?; parallel];
        iterators.resize(loops, self.shared.attribute("#linalg.iterator_type<reduction>")?);
        let inputs = i32::try_from(operands.len()).map_err(Error::bug)? - 1;
        let attributes: Vec<_> = [
            ("indexing_maps", ArrayAttribute::new(context, &maps).into()),
            ("iterator_types", ArrayAttribute::new(context, &iterators).into()),
            ("operandSegmentSizes", DenseI32ArrayAttribute::new(context, &[inputs, 1]).into()),
        ]
        .into_iter()
        .chain(how.iter().copied())
        .collect();
        self.operation("linalg.generic", operands, &[], &attributes, vec![body])?;
        Ok(())
    }

    /// `linalg.index`: where the point at hand is in a loop of the operation around.
    pub fn linalg_index(&self, loop_: usize) -> Result<Val<'c>, Error> {
        let dim = self.shared.word(i64::try_from(loop_).map_err(Error::bug)?);
        self.value_with("linalg.index", &[], self.types().index, &[("dim", dim)])
    }

    /// `linalg.yield`
    pub fn linalg_yield(&self, values: &[Val<'c>]) -> Result<(), Error> {
        self.effect("linalg.yield", values, &[])
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
        Builder::new(self.shared, block, self.location).linalg_yield(&[first])?;
        Ok(region)
    }
}

//! Memrefs that are passed about: parameters, results, and what loops and branches carry.
//!
//! They are as dense as their types say, or distances are given by their types; and they begin where
//! their first element is.

use super::conversion::{Conversion, MemrefLayout, Result, key, operands};
use crate::dialect::{DYNAMIC, Ix, Val, layout_of, result_of};
use crate::{Error, ffi};
use melior::ir::attribute::TypeAttribute;
use melior::ir::block::BlockLike;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::r#type::{FunctionType, MemRefType};
use melior::ir::{RegionLike, Type, TypeLike, ValueLike};

impl<'c> Conversion<'c, '_> {
    /// Makes pointers of the memrefs among results and the arguments of blocks.
    pub(super) fn retype(&mut self, name: &str, operation: OperationRef<'c, 'c>) -> Result<()> {
        if matches!(name, "func.func" | "gpu.func") {
            self.function = Some(operation);
            self.signature(operation)?;
        }
        for i in 0..operation.result_count() {
            self.carried(result_of(operation, i)?)?;
        }
        for region in operation.regions() {
            let mut block = region.first_block();
            while let Some(b) = block {
                for i in 0..b.argument_count() {
                    self.carried(ffi::detach_value(b.argument(i)?.into()))?;
                }
                block = b.next_in_region();
            }
        }
        if matches!(name, "func.call" | "func.return" | "scf.yield" | "scf.condition") {
            self.hand_over(operation)?;
        }
        Ok(())
    }

    /// A memref that becomes a pointer.
    fn carried(&mut self, value: Val<'c>) -> Result<()> {
        if let Ok(function) = FunctionType::try_from(value.r#type()) {
            ffi::set_type(value, self.bare(function)?);
            return Ok(());
        }
        if !is_memref(value.r#type()) {
            return Ok(());
        }
        let place = MemrefLayout::passed(value, value.r#type())?;
        ffi::set_type(value, self.shared.types.ptr);
        self.places.insert(key(value), place);
        Ok(())
    }

    /// Memrefs that go to where a pointer is expected: where their first element is.
    fn hand_over(&mut self, operation: OperationRef<'c, 'c>) -> Result<()> {
        for (i, value) in operands(operation, 0)?.into_iter().enumerate() {
            if let Some(pointer) = self.first_element(operation, value)? {
                ffi::set_operand(operation, i, pointer)?;
            }
        }
        Ok(())
    }

    /// Where a memref begins, computed before an operation; of what is no memref, nothing.
    pub(super) fn first_element(
        &self,
        operation: OperationRef<'c, 'c>,
        value: Val<'c>,
    ) -> Result<Option<Val<'c>>> {
        let Some(place) = self.places.get(&key(value)) else { return Ok(None) };
        if let Ix::Const(0) = place.offset {
            return Ok(Some(place.base));
        }
        let b = self.before(operation)?;
        b.element_pointer(place.base, place.offset, place.element).map(Some)
    }

    fn signature(&self, function: OperationRef<'c, 'c>) -> Result<()> {
        let ty = TypeAttribute::try_from(function.attribute("function_type")?)?.value();
        let ty = self.bare(FunctionType::try_from(ty)?)?;
        ffi::set_attribute(function, "function_type", TypeAttribute::new(ty).into());
        Ok(())
    }

    /// The type of a function, with pointers for memrefs.
    fn bare(&self, ty: FunctionType<'c>) -> Result<Type<'c>> {
        let pointer = |ty: Type<'c>| -> Result<Type<'c>> {
            match FunctionType::try_from(ty) {
                Ok(function) => self.bare(function),
                Err(_) if is_memref(ty) => Ok(self.shared.types.ptr),
                Err(_) => Ok(ty),
            }
        };
        let inputs: Vec<_> =
            (0..ty.input_count()).map(|i| pointer(ty.input(i)?)).collect::<Result<_>>()?;
        let results: Vec<_> =
            (0..ty.result_count()).map(|i| pointer(ty.result(i)?)).collect::<Result<_>>()?;
        Ok(FunctionType::new(self.shared.context, &inputs, &results).into())
    }

    /// A choice between memrefs: between where they begin, and between distances that are not the
    /// same.
    pub(super) fn select(&mut self, operation: OperationRef<'c, 'c>) -> Result<()> {
        let result = result_of(operation, 0)?;
        if !is_memref(result.r#type()) {
            return Ok(());
        }
        let [c, yes, no] = *operands(operation, 0)? else {
            return Err(Error::bug("a choice between other than two"));
        };
        let (of_yes, of_no) = (self.place(yes)?, self.place(no)?);
        let missing = || Error::bug("a memref without a place");
        let yes = self.first_element(operation, yes)?.ok_or_else(missing)?;
        let no = self.first_element(operation, no)?.ok_or_else(missing)?;
        let b = self.before(operation)?;
        let base = b.select(c, yes, no)?;
        let mut strides = Vec::with_capacity(of_yes.strides.len());
        for (x, y) in of_yes.strides.iter().zip(&of_no.strides) {
            strides.push(match (x, y) {
                (Ix::Const(x), Ix::Const(y)) if x == y => Ix::Const(*x),
                (x, y) => Ix::Val(b.select(c, b.ix(*x)?, b.ix(*y)?)?),
            });
        }
        let place = MemrefLayout { base, offset: Ix::Const(0), strides, ..of_yes };
        self.places.insert(key(result), place);
        self.leftovers.push(operation);
        Ok(())
    }
}

impl<'c> MemrefLayout<'c> {
    /// Of a memref of a type that begins where a pointer says.
    pub(super) fn passed(base: Val<'c>, ty: Type<'c>) -> Result<MemrefLayout<'c>> {
        let shape = ffi::shape_of(MemRefType::try_from(ty)?)?;
        let shape = shape.into_iter().map(|n| n.map(Ix::Const)).collect();
        let (element, strides) = (ffi::element_of(ty), fixed_strides(ty)?);
        Ok(MemrefLayout { element, base, offset: Ix::Const(0), strides, shape })
    }
}

/// Whether a type is a memref.
pub(super) fn is_memref(ty: Type<'_>) -> bool {
    ty.is_mem_ref()
}

/// The distances of a memref whose type tells them.
fn fixed_strides<'c>(ty: Type<'c>) -> Result<Vec<Ix<'c>>> {
    let (_, strides) = layout_of(ty)?;
    if strides.contains(&DYNAMIC) {
        return Err(Error::bug(format_args!("a memref is passed about of unknown strides: {ty}")));
    }
    Ok(strides.into_iter().map(Ix::Const).collect())
}

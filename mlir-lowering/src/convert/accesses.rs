//! Loads, stores and prefetches, of elements and of vectors.

use super::conversion::{Conversion, MemrefLayout, Result, key, operand, operands, position};
use super::narrow_gather;
use super::types::is_memref;
use super::views::access_of;
use crate::dialect::{Access, Builder, Ix, Val, result_of};
use crate::lower::copy::DENSE;
use crate::{Error, ffi};
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Type, ValueLike};

impl<'c> Conversion<'c, '_> {
    /// The address of an access whose memref is an operand, followed by as many indexes as it has
    /// dimensions; and what comes behind.
    pub(super) fn accessed(
        &self,
        b: &Builder<'c, '_>,
        operation: OperationRef<'c, 'c>,
        memref: usize,
        element: Type<'c>,
    ) -> Result<(Val<'c>, Vec<Val<'c>>)> {
        let place = self.place(operand(operation, memref)?)?;
        let mut rest = operands(operation, memref + 1)?;
        let behind = rest.split_off(place.strides.len().min(rest.len()));
        let indexes = rest.into_iter().map(|i| position(b, i)).collect::<Result<Vec<Ix<'c>>>>()?;
        Ok((self.element(b, &place, &indexes, element)?, behind))
    }

    pub(super) fn load(&mut self, operation: OperationRef<'c, 'c>) -> Result<()> {
        let ty = result_of(operation, 0)?.r#type();
        let b = self.before(operation)?;
        let (pointer, _) = self.accessed(&b, operation, 0, ffi::element_of_access(ty))?;
        let access = access_of(operation)?;
        if !is_memref(ty) {
            let value = b.llvm_load(pointer, ty, alignment(&access, ty)?, &access.known)?;
            return self.replace(operation, value);
        }
        // A block, which is a pointer.
        let value = b.llvm_load(pointer, b.types().ptr, 8, &access.known)?;
        let place = MemrefLayout::passed(value, ty)?;
        ffi::set_type(result_of(operation, 0)?, b.types().ptr);
        self.places.insert(key(value), place);
        self.replace(operation, value)
    }

    pub(super) fn store(&mut self, operation: OperationRef<'c, 'c>) -> Result<()> {
        let value = operand(operation, 0)?;
        let access = access_of(operation)?;
        let block = self.first_element(operation, value)?;
        let value = block.unwrap_or(value);
        let ty = value.r#type();
        let b = self.before(operation)?;
        let (pointer, _) = self.accessed(&b, operation, 1, ffi::element_of_access(ty))?;
        let alignment = if block.is_some() { 8 } else { alignment(&access, ty)? };
        if access.nontemporal {
            b.llvm_store_nontemporal(pointer, value, alignment)?;
        } else {
            b.llvm_store(pointer, value, alignment, &access.known)?;
        }
        self.shared.building.erase(operation)?;
        Ok(())
    }

    /// A copy of what is dense on both sides, which somebody knows, since types do not say it.
    pub(super) fn copy(&mut self, operation: OperationRef<'c, 'c>) -> Result<()> {
        if !operation.has_attribute(DENSE) {
            return Err(Error::bug("a memref.copy of what may not be dense"));
        }
        let (from, to) = (operand(operation, 0)?, operand(operation, 1)?);
        let (source, target) = (self.place(from)?, self.place(to)?);
        let element = target.element;
        let b = self.before(operation)?;
        let to = self.element(&b, &target, &[], element)?;
        let from = self.element(&b, &source, &[], element)?;
        let mut bytes = Ix::Const(1);
        for (n, m) in target.shape.iter().zip(&source.shape) {
            let n = n.or(*m).ok_or_else(|| Error::bug("a copy of unknown size"))?;
            bytes = b.mul(bytes, n)?;
        }
        bytes = b.mul(bytes, Ix::Const(ffi::bytes_of_scalar(element)?))?;
        b.llvm_memcpy(to, from, b.ix(bytes)?)?;
        self.shared.building.erase(operation)?;
        Ok(())
    }

    pub(super) fn prefetch(&mut self, operation: OperationRef<'c, 'c>) -> Result<()> {
        let b = self.before(operation)?;
        let element = self.place(operand(operation, 0)?)?.element;
        let (pointer, _) = self.accessed(&b, operation, 0, element)?;
        b.llvm_prefetch(pointer)?;
        self.shared.building.erase(operation)?;
        Ok(())
    }

    pub(super) fn maskedload(&mut self, operation: OperationRef<'c, 'c>) -> Result<()> {
        let element = ffi::element_of(result_of(operation, 0)?.r#type());
        let b = self.before(operation)?;
        let (pointer, rest) = self.accessed(&b, operation, 0, element)?;
        let [mask, otherwise] = *rest else { return Err(Error::bug("a masked load")) };
        let value = b.llvm_masked_load(pointer, mask, otherwise, ffi::bytes_of_scalar(element)?)?;
        self.replace(operation, value)
    }

    pub(super) fn gather(&mut self, operation: OperationRef<'c, 'c>) -> Result<()> {
        let element = ffi::element_of(result_of(operation, 0)?.r#type());
        let b = self.before(operation)?;
        let (pointer, rest) = self.accessed(&b, operation, 0, element)?;
        let [distances, mask, otherwise] = *rest else { return Err(Error::bug("a gather")) };
        let bytes = ffi::bytes_of_scalar(element)?;
        if self.by_words && narrow_gather::pays(self.cpu, bytes, mask) {
            let value = narrow_gather::gather(&b, (pointer, distances), (mask, otherwise), bytes)?;
            return self.replace(operation, value);
        }
        let pointers = b.element_pointers(pointer, distances, element)?;
        let value = b.llvm_masked_gather(pointers, mask, otherwise, bytes)?;
        self.replace(operation, value)
    }
}

impl<'c> Conversion<'c, '_> {
    pub(super) fn maskedstore(&mut self, operation: OperationRef<'c, 'c>) -> Result<()> {
        let value = operand(operation, operation.operand_count() - 1)?;
        let element = ffi::element_of(value.r#type());
        let b = self.before(operation)?;
        let (pointer, rest) = self.accessed(&b, operation, 0, element)?;
        let [mask, value] = *rest else { return Err(Error::bug("a masked store")) };
        b.llvm_masked_store(value, pointer, mask, ffi::bytes_of_scalar(element)?)?;
        self.shared.building.erase(operation)?;
        Ok(())
    }

    pub(super) fn scatter(&mut self, operation: OperationRef<'c, 'c>) -> Result<()> {
        let value = operand(operation, operation.operand_count() - 1)?;
        let element = ffi::element_of(value.r#type());
        let b = self.before(operation)?;
        let (pointer, rest) = self.accessed(&b, operation, 0, element)?;
        let [distances, mask, value] = *rest else { return Err(Error::bug("a scatter")) };
        let pointers = b.element_pointers(pointer, distances, element)?;
        b.llvm_masked_scatter(value, pointers, mask, ffi::bytes_of_scalar(element)?)?;
        self.shared.building.erase(operation)?;
        Ok(())
    }
}

/// What an access is aligned to: what it says, else the size of an element.
fn alignment(access: &Access<'_>, ty: Type<'_>) -> Result<i64> {
    match access.alignment {
        Some(bytes) => Ok(bytes),
        None => ffi::bytes_of_scalar(ffi::element_of_access(ty)),
    }
}

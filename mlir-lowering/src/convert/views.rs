//! Memrefs made of others: what they are is remembered, and computed where it is used. Only the part
//! of an array that begins at some indexes has an address of its own, computed once.

use super::conversion::{
    Conversion, MemrefLayout, Result, key, made_of, operand, operands, position,
};
use super::types::is_memref;
use crate::dialect::{Access, Builder, Ix, Val, layout_of, result_of};
use crate::{Error, ffi};
use melior::ir::ValueLike;
use melior::ir::attribute::{
    DenseI64ArrayAttribute, FlatSymbolRefAttribute, IntegerAttribute, StringAttribute,
};
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::r#type::MemRefType;

/// Stack memory is counted in words, but for what is aligned to more.
const WORD: i64 = 8;

impl<'c> Conversion<'c, '_> {
    pub(super) fn memref(&mut self, name: &str, operation: OperationRef<'c, 'c>) -> Result<()> {
        match name {
            "load" => self.load(operation),
            "store" => self.store(operation),
            "copy" => self.copy(operation),
            "prefetch" => self.prefetch(operation),
            "view" => self.view(operation),
            "reinterpret_cast" => self.reinterpret_cast(operation),
            "subview" => self.subview(operation),
            "cast" => {
                let place = self.place(operand(operation, 0)?)?;
                self.remember(operation, place)
            }
            // Of blocks, whose size is nowhere: only views want it.
            "dim" => {
                self.leftovers.push(operation);
                Ok(())
            }
            "alloca" => self.alloca(operation),
            "global" => self.global(operation),
            "get_global" => self.get_global(operation),
            "extract_aligned_pointer_as_index" => self.address(operation),
            _ => Err(Error::bug(format_args!("memref.{name} has no conversion"))),
        }
    }

    /// The result of an operation lies there, and the operation will not be needed.
    fn remember(&mut self, operation: OperationRef<'c, 'c>, place: MemrefLayout<'c>) -> Result<()> {
        self.places.insert(key(result_of(operation, 0)?), place);
        self.leftovers.push(operation);
        Ok(())
    }

    /// Bytes of a block as a dense array of something.
    fn view(&mut self, operation: OperationRef<'c, 'c>) -> Result<()> {
        let result = result_of(operation, 0)?.r#type();
        let block = self.place(operand(operation, 0)?)?;
        let b = self.before(operation)?;
        let shift = position(&b, operand(operation, 1)?)?;
        // Words are counted as such.
        let base = match shift {
            Ix::Const(bytes) if bytes % WORD == 0 => {
                b.element_pointer(block.base, Ix::Const(bytes / WORD), b.types().i64)?
            }
            bytes => b.element_pointer(block.base, bytes, b.types().i8)?,
        };
        let sizes = operands(operation, 2)?;
        let ty = MemRefType::try_from(result)?;
        let shape = sizes_of(&b, ty, &sizes)?;
        let strides = dense_strides(&b, &shape)?;
        let element = ffi::element_of(result);
        self.remember(
            operation,
            MemrefLayout { element, base, offset: Ix::Const(0), strides, shape },
        )
    }

    fn reinterpret_cast(&mut self, operation: OperationRef<'c, 'c>) -> Result<()> {
        let source = self.place(operand(operation, 0)?)?;
        let b = self.before(operation)?;
        let [offset, shape, strides] = parts(&b, operation)?;
        let offset = offset.first().copied().unwrap_or(Ix::Const(0));
        let shape = shape.into_iter().map(Some).collect();
        self.remember(operation, MemrefLayout { offset, strides, shape, ..source })
    }

    fn subview(&mut self, operation: OperationRef<'c, 'c>) -> Result<()> {
        let source = operand(operation, 0)?;
        let place = self.place(source)?;
        let result = result_of(operation, 0)?.r#type();
        let rank = layout_of(result)?.1.len();
        let b = self.before(operation)?;
        let [offsets, sizes, steps] = parts(&b, operation)?;
        let base = self.element(&b, &place, &offsets, ffi::element_of(result))?;
        let gone = place.strides.len().saturating_sub(rank);
        let mut strides = Vec::with_capacity(rank);
        for (stride, step) in place.strides.iter().zip(steps).skip(gone) {
            strides.push(b.mul(*stride, step)?);
        }
        let shape = sizes.into_iter().skip(gone).map(Some).collect();
        self.remember(
            operation,
            MemrefLayout { base, offset: Ix::Const(0), strides, shape, ..place },
        )
    }

    fn alloca(&mut self, operation: OperationRef<'c, 'c>) -> Result<()> {
        let result = result_of(operation, 0)?.r#type();
        let bytes = ffi::bytes_of(result)?;
        let alignment = IntegerAttribute::try_from(operation.attribute("alignment")?)?.value();
        let b = self.before(operation)?;
        let base = if alignment == WORD {
            b.llvm_alloca(((bytes + WORD - 1) / WORD).max(1), b.types().i64, alignment)?
        } else {
            b.llvm_alloca(bytes.max(1), b.types().i8, alignment)?
        };
        self.remember(operation, MemrefLayout::passed(base, result)?)
    }

    fn global(&mut self, operation: OperationRef<'c, 'c>) -> Result<()> {
        let symbol = StringAttribute::try_from(operation.attribute("sym_name")?)?;
        let alignment = IntegerAttribute::try_from(operation.attribute("alignment")?)?.value();
        let elements = ffi::raw_elements(operation.attribute("initial_value")?)?;
        self.before(operation)?.llvm_bytes(symbol.value(), &elements, Some(alignment))?;
        self.shared.building.erase(operation)?;
        Ok(())
    }

    fn get_global(&mut self, operation: OperationRef<'c, 'c>) -> Result<()> {
        let symbol = FlatSymbolRefAttribute::try_from(operation.attribute("name")?)?;
        let base = self.before(operation)?.address_of(symbol.value())?;
        let place = MemrefLayout::passed(base, result_of(operation, 0)?.r#type())?;
        self.remember(operation, place)
    }

    /// The address of a memref as a number, which is cast to `i64`.
    fn address(&mut self, operation: OperationRef<'c, 'c>) -> Result<()> {
        let memref = operand(operation, 0)?;
        let missing = || Error::bug("the address of what is no memref");
        let pointer = self.first_element(operation, memref)?.ok_or_else(missing)?;
        self.addresses.insert(key(result_of(operation, 0)?), pointer);
        self.leftovers.push(operation);
        Ok(())
    }

    /// The cast of an index, which may be an address.
    pub(super) fn index_cast(&mut self, operation: OperationRef<'c, 'c>) -> Result<()> {
        if let Some(pointer) = self.addresses.get(&key(operand(operation, 0)?)).copied() {
            let number = self.before(operation)?.llvm_ptrtoint(pointer)?;
            ffi::replace_uses(result_of(operation, 0)?, number);
            self.addresses.insert(key(number), pointer);
            self.leftovers.extend(ffi::made_by(number));
        }
        self.leftovers.push(operation);
        Ok(())
    }

    /// A pointer, of a number that may be the address of a memref.
    pub(super) fn inttoptr(&mut self, operation: OperationRef<'c, 'c>) -> Result<()> {
        match self.addresses.get(&key(operand(operation, 0)?)).copied() {
            Some(pointer) => self.replace(operation, pointer),
            None => Ok(()),
        }
    }

    /// The address of an element.
    pub(super) fn element(
        &self,
        b: &Builder<'c, '_>,
        place: &MemrefLayout<'c>,
        indexes: &[Ix<'c>],
        element: melior::ir::Type<'c>,
    ) -> Result<Val<'c>> {
        let mut at = place.offset;
        for (i, stride) in indexes.iter().zip(&place.strides) {
            let distance = b.mul(*i, *stride)?;
            at = b.add(at, distance)?;
        }
        let element = if is_memref(element) { b.types().ptr } else { element };
        b.element_pointer(place.base, at, element)
    }
}

/// Offsets, sizes and strides of an operation that has them, in order.
pub(super) fn parts<'c>(
    b: &Builder<'c, '_>,
    operation: OperationRef<'c, 'c>,
) -> Result<[Vec<Ix<'c>>; 3]> {
    let mut dynamic = operands(operation, 1)?.into_iter();
    let mut part = |name: &str| -> Result<Vec<Ix<'c>>> {
        let known = DenseI64ArrayAttribute::try_from(operation.attribute(name)?)?;
        let mut out = Vec::with_capacity(known.len());
        for i in 0..known.len() {
            let x = known.element(i)?;
            out.push(if x == crate::dialect::DYNAMIC {
                let value = dynamic.next().ok_or_else(|| Error::bug("a size that is nowhere"))?;
                position(b, value)?
            } else {
                Ix::Const(x)
            });
        }
        Ok(out)
    };
    Ok([part("static_offsets")?, part("static_sizes")?, part("static_strides")?])
}

/// The sizes of an array of a type, of which some are operands.
fn sizes_of<'c>(
    b: &Builder<'c, '_>,
    ty: MemRefType<'c>,
    sizes: &[Val<'c>],
) -> Result<Vec<Option<Ix<'c>>>> {
    let shape = ffi::shape_of(ty)?;
    let mut dynamic = sizes.iter();
    let mut known = Vec::with_capacity(shape.len());
    for n in shape {
        known.push(match n {
            Some(n) => Some(Ix::Const(n)),
            None => {
                let n = dynamic.next().ok_or_else(|| Error::bug("a size that is nowhere"))?;
                made_of(b, *n)?
            }
        });
    }
    Ok(known)
}

/// The strides of a dense array.
pub(super) fn dense_strides<'c>(
    b: &Builder<'c, '_>,
    shape: &[Option<Ix<'c>>],
) -> Result<Vec<Ix<'c>>> {
    let mut strides = vec![Ix::Const(1); shape.len()];
    for d in (1..shape.len()).rev() {
        let n = shape[d].ok_or_else(|| Error::bug("a dense array of unknown size"))?;
        strides[d - 1] = b.mul(strides[d], n)?;
    }
    Ok(strides)
}

/// What an operation says of its access.
pub(super) fn access_of<'c>(operation: OperationRef<'c, 'c>) -> Result<Access<'c>> {
    let mut access = Access::default();
    for (name, value) in operation.attributes() {
        let name = name.as_string_ref().as_str().map_err(Error::bug)?;
        match name {
            "alignment" => access.alignment = Some(IntegerAttribute::try_from(value)?.value()),
            "nontemporal" => access.nontemporal = value.to_string() == "true",
            "futc.alias_scopes" => access.known.push(("alias_scopes", value)),
            "futc.noalias_scopes" => access.known.push(("noalias_scopes", value)),
            "futc.access_groups" => access.known.push(("access_groups", value)),
            _ => {}
        }
    }
    Ok(access)
}

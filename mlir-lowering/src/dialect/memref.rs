//! `memref`: blocks, arrays in them, and their elements.

use super::{Attributes, Builder, Ix, Val, type_attribute};
use crate::Error;
use crate::ffi;
use melior::ir::attribute::{
    BoolAttribute, DenseElementsAttribute, DenseI32ArrayAttribute, DenseI64ArrayAttribute,
    FlatSymbolRefAttribute, IntegerAttribute, StridedLayoutAttribute,
};
use melior::ir::r#type::MemRefType;
use melior::ir::{Attribute, Type, ValueLike};

/// In the type of a memref: not known before the program runs.
pub const DYNAMIC: i64 = i64::MIN;
/// On a `vector.compressstore`: the whole vector may be stored, since nobody reads what lies behind the lanes that are.
pub const ROOM: &str = "futc.room";

/// On a `vector.gather`: it reads a table of so many bytes, at indexes that are bytes extended by zeros and inside of the table in all lanes.
pub const TABLE: &str = "futc.table";

/// What is known of an access besides its type.
#[derive(Clone, Default)]
pub struct Access<'c> {
    /// Of the address, in bytes; that of the element if absent.
    pub alignment: Option<i64>,
    /// What is written goes past the caches.
    pub nontemporal: bool,
    /// Attributes of ours, such as alias scopes.
    pub known: Vec<(&'static str, Attribute<'c>)>,
}

impl<'c> Access<'c> {
    /// An access at any address.
    pub fn unaligned() -> Access<'c> {
        Access { alignment: Some(1), ..Access::default() }
    }

    /// An access at multiples of a size that passes the caches by.
    pub fn past_caches(bytes: i64) -> Access<'c> {
        Access { alignment: Some(bytes), nontemporal: true, known: Vec::new() }
    }
}

/// Numbers, as far as they are known, and values for the others.
struct Mixed<'c> {
    known: Vec<i64>,
    values: Vec<Val<'c>>,
}

impl<'c> Builder<'c, '_> {
    fn mixed(&self, xs: &[Ix<'c>]) -> Result<Mixed<'c>, Error> {
        let mut mixed = Mixed { known: Vec::with_capacity(xs.len()), values: Vec::new() };
        for x in xs {
            match x {
                Ix::Const(x) => mixed.known.push(*x),
                Ix::Val(_) => {
                    mixed.known.push(DYNAMIC);
                    mixed.values.push(self.index(*x)?);
                }
            }
        }
        Ok(mixed)
    }

    /// Sizes of an array. One that is known to be negative, in code that never runs, is a value: the types
    /// of memrefs have no word for it.
    fn sizes(&self, xs: &[Ix<'c>]) -> Result<Mixed<'c>, Error> {
        let size = |x: &Ix<'c>| match x {
            Ix::Const(n) if *n < 0 => self.index(*x).map(Ix::Val),
            x => Ok(*x),
        };
        self.mixed(&xs.iter().map(size).collect::<Result<Vec<_>, _>>()?)
    }

    /// A memref of a shape, of which neighbours of the last dimension are neighbours in memory.
    pub fn dense_memref(&self, element: Type<'c>, shape: &[i64]) -> Type<'c> {
        MemRefType::contiguous(element, shape, None).into()
    }

    /// A memref of a shape with distances of its own, which begins somewhere.
    pub fn strided_memref(
        &self,
        element: Type<'c>,
        shape: &[i64],
        offset: i64,
        strides: &[i64],
    ) -> Type<'c> {
        let layout = StridedLayoutAttribute::new(self.shared.context, offset, strides);
        MemRefType::new(element, shape, Some(layout.into()), None).into()
    }

    /// An element of a type some bytes behind the beginning of a block.
    pub fn memref_view(
        &self,
        block: Val<'c>,
        bytes: i64,
        element: Type<'c>,
    ) -> Result<Val<'c>, Error> {
        let ty = self.dense_memref(element, &[]);
        let operands = [block, self.index(Ix::Const(bytes))?];
        self.value("memref.view", &operands, ty)
    }

    /// A whole block as elements of a type.
    pub fn memref_elements(
        &self,
        block: Val<'c>,
        element: Type<'c>,
        size: i64,
    ) -> Result<Val<'c>, Error> {
        let index = self.types().index;
        let zero = self.index(Ix::Const(0))?;
        let bytes = self.value("memref.dim", &[block, zero], index)?;
        let n = match size {
            1 => bytes,
            _ => self.divui(bytes, self.index(Ix::Const(size))?)?,
        };
        let ty = self.dense_memref(element, &[DYNAMIC]);
        self.value("memref.view", &[block, zero, n], ty)
    }

    /// A block as a dense array of a shape that begins where the block does.
    pub fn memref_array(
        &self,
        block: Val<'c>,
        element: Type<'c>,
        shape: &[Ix<'c>],
    ) -> Result<Val<'c>, Error> {
        let shape = self.sizes(shape)?;
        let mut operands = vec![block, self.index(Ix::Const(0))?];
        operands.extend(shape.values);
        self.value("memref.view", &operands, self.dense_memref(element, &shape.known))
    }

    /// An array with an offset and distances, in elements, from where `source` begins.
    pub fn memref_reinterpret_cast(
        &self,
        source: Val<'c>,
        offset: Ix<'c>,
        shape: &[Ix<'c>],
        strides: &[Ix<'c>],
    ) -> Result<Val<'c>, Error> {
        // An offset that is told must not be negative, even where nothing is read.
        let offset = match offset {
            Ix::Const(x) if x < 0 => Ix::Val(self.index(offset)?),
            offset => offset,
        };
        let (offset, shape) = (self.mixed(&[offset])?, self.sizes(shape)?);
        let strides = self.mixed(strides)?;
        let first = offset.known.first().copied().unwrap_or(0);
        let element = ffi::element_of(source.r#type());
        let ty = self.strided_memref(element, &shape.known, first, &strides.known);
        self.windowing("memref.reinterpret_cast", source, ty, [offset, shape, strides])
    }

    /// The part of an array from some indexes on, of the last dimensions of a shape; the dimensions
    /// before are gone.
    pub fn memref_subview(
        &self,
        source: Val<'c>,
        indexes: &[Ix<'c>],
        shape: &[Ix<'c>],
    ) -> Result<Val<'c>, Error> {
        let (_, strides) = layout_of(source.r#type())?;
        let gone = indexes.len().saturating_sub(shape.len());
        let sizes: Vec<_> =
            std::iter::repeat_n(Ix::Const(1), gone).chain(shape.iter().copied()).collect();
        let ones = vec![Ix::Const(1); indexes.len()];
        // A constant that is told is compared with the size, of which it may be beyond where nothing is
        // read.
        let size = ffi::shape_of(MemRefType::try_from(source.r#type())?)?;
        let mut offsets = Vec::with_capacity(indexes.len());
        for (i, n) in indexes.iter().zip(size) {
            offsets.push(match (*i, n) {
                (Ix::Const(0), n) if n != Some(0) => Ix::Const(0),
                (i, _) => Ix::Val(self.index(i)?),
            });
        }
        let (offsets, sizes, ones) =
            (self.mixed(&offsets)?, self.sizes(&sizes)?, self.mixed(&ones)?);
        let inner = |xs: &[i64]| xs.get(gone..).unwrap_or_default().to_vec();
        let element = ffi::element_of(source.r#type());
        let offset = offset_of(source.r#type(), &offsets.known)?;
        let ty = self.strided_memref(element, &inner(&sizes.known), offset, &inner(&strides));
        self.windowing("memref.subview", source, ty, [offsets, sizes, ones])
    }

    fn windowing(
        &self,
        name: &str,
        source: Val<'c>,
        ty: Type<'c>,
        parts: [Mixed<'c>; 3],
    ) -> Result<Val<'c>, Error> {
        let context = self.shared.context;
        let mut operands = vec![source];
        let mut segments = vec![1];
        let mut attributes = Vec::with_capacity(4);
        for (name, part) in ["static_offsets", "static_sizes", "static_strides"].iter().zip(parts) {
            segments.push(i32::try_from(part.values.len()).map_err(Error::bug)?);
            operands.extend(part.values);
            attributes.push((*name, DenseI64ArrayAttribute::new(context, &part.known).into()));
        }
        let segments = DenseI32ArrayAttribute::new(context, &segments).into();
        attributes.push(("operandSegmentSizes", segments));
        self.value_with(name, &operands, ty, &attributes)
    }

    /// A memref as one of which the type says less.
    pub fn memref_cast(&self, source: Val<'c>, ty: Type<'c>) -> Result<Val<'c>, Error> {
        if source.r#type() == ty {
            return Ok(source);
        }
        self.value("memref.cast", &[source], ty)
    }

    fn access<'a>(&self, access: &'a Access<'c>) -> Vec<(&'a str, Attribute<'c>)> {
        let mut attributes = access.known.clone();
        attributes.extend(access.alignment.map(|a| ("alignment", self.shared.word(a))));
        if access.nontemporal {
            attributes.push(("nontemporal", BoolAttribute::new(self.shared.context, true).into()));
        }
        attributes
    }

    /// An access: its memref and indexes behind other operands.
    pub(super) fn at(
        &self,
        before: &[Val<'c>],
        memref: Val<'c>,
        indexes: &[Ix<'c>],
    ) -> Result<Vec<Val<'c>>, Error> {
        let mut operands = before.to_vec();
        operands.push(memref);
        for i in indexes {
            operands.push(self.index(*i)?);
        }
        Ok(operands)
    }

    /// `memref.load`
    pub fn memref_load(
        &self,
        memref: Val<'c>,
        indexes: &[Ix<'c>],
        access: &Access<'c>,
    ) -> Result<Val<'c>, Error> {
        let operands = self.at(&[], memref, indexes)?;
        let ty = ffi::element_of(memref.r#type());
        self.value_with("memref.load", &operands, ty, &self.access(access))
    }

    /// `memref.store`
    pub fn memref_store(
        &self,
        value: Val<'c>,
        memref: Val<'c>,
        indexes: &[Ix<'c>],
        access: &Access<'c>,
    ) -> Result<(), Error> {
        let operands = self.at(&[value], memref, indexes)?;
        self.effect("memref.store", &operands, &self.access(access))
    }

    /// `memref.copy`
    pub fn memref_copy(
        &self,
        from: Val<'c>,
        to: Val<'c>,
        known: Attributes<'_, 'c>,
    ) -> Result<(), Error> {
        self.effect("memref.copy", &[from, to], known)
    }

    /// `vector.load`
    pub fn vector_load(
        &self,
        vector: Type<'c>,
        memref: Val<'c>,
        indexes: &[Ix<'c>],
        access: &Access<'c>,
    ) -> Result<Val<'c>, Error> {
        let operands = self.at(&[], memref, indexes)?;
        self.value_with("vector.load", &operands, vector, &self.access(access))
    }

    /// `vector.store`
    pub fn vector_store(
        &self,
        value: Val<'c>,
        memref: Val<'c>,
        indexes: &[Ix<'c>],
        access: &Access<'c>,
    ) -> Result<(), Error> {
        let operands = self.at(&[value], memref, indexes)?;
        self.effect("vector.store", &operands, &self.access(access))
    }

    /// `vector.maskedload`
    pub fn vector_maskedload(
        &self,
        memref: Val<'c>,
        indexes: &[Ix<'c>],
        mask: Val<'c>,
        otherwise: Val<'c>,
    ) -> Result<Val<'c>, Error> {
        let mut operands = self.at(&[], memref, indexes)?;
        operands.extend([mask, otherwise]);
        self.value("vector.maskedload", &operands, otherwise.r#type())
    }

    /// `vector.gather` at some distances from an element.
    pub fn vector_gather(
        &self,
        memref: Val<'c>,
        indexes: &[Ix<'c>],
        distances: Val<'c>,
        mask: Val<'c>,
        otherwise: Val<'c>,
    ) -> Result<Val<'c>, Error> {
        let mut operands = self.at(&[], memref, indexes)?;
        operands.extend([distances, mask, otherwise]);
        self.value("vector.gather", &operands, otherwise.r#type())
    }

    /// The same of a table of so many bytes ([`TABLE`]), at indexes that are no wider.
    pub fn vector_lookup(
        &self,
        memref: Val<'c>,
        indexes: &[Ix<'c>],
        bytes: Val<'c>,
        (mask, otherwise): (Val<'c>, Val<'c>),
        (slots, access): (i64, &Access<'c>),
    ) -> Result<Val<'c>, Error> {
        let distances = self.extui(bytes, self.shaped(bytes.r#type(), self.types().i64))?;
        let mut operands = self.at(&[], memref, indexes)?;
        operands.extend([distances, mask, otherwise]);
        let mut attributes = self.access(access);
        attributes.push((TABLE, self.shared.word(slots)));
        self.value_with("vector.gather", &operands, otherwise.r#type(), &attributes)
    }

    /// `vector.maskedstore` from an element on.
    pub fn vector_maskedstore(
        &self,
        value: Val<'c>,
        memref: Val<'c>,
        indexes: &[Ix<'c>],
        mask: Val<'c>,
    ) -> Result<(), Error> {
        let mut operands = self.at(&[], memref, indexes)?;
        operands.extend([mask, value]);
        self.effect("vector.maskedstore", &operands, &[])
    }

    /// `vector.compressstore` from an element on, where vectors may be stored whole: what lies behind the lanes of the mask
    /// is nobody's ([`ROOM`]).
    pub fn vector_compressstore(
        &self,
        value: Val<'c>,
        memref: Val<'c>,
        indexes: &[Ix<'c>],
        mask: Val<'c>,
    ) -> Result<(), Error> {
        let mut operands = self.at(&[], memref, indexes)?;
        operands.extend([mask, value]);
        self.effect("vector.compressstore", &operands, &[(ROOM, self.flag())])
    }

    /// `vector.scatter` to some distances from an element.
    pub fn vector_scatter(
        &self,
        value: Val<'c>,
        memref: Val<'c>,
        indexes: &[Ix<'c>],
        distances: Val<'c>,
        mask: Val<'c>,
    ) -> Result<(), Error> {
        let mut operands = self.at(&[], memref, indexes)?;
        operands.extend([distances, mask, value]);
        self.effect("vector.scatter", &operands, &[])
    }

    /// Has an element, if there is one, brought to the cache to be read.
    pub fn memref_prefetch(&self, memref: Val<'c>, indexes: &[Ix<'c>]) -> Result<(), Error> {
        let operands = self.at(&[], memref, indexes)?;
        let context = self.shared.context;
        let attributes = [
            ("isWrite", BoolAttribute::new(context, false).into()),
            ("localityHint", IntegerAttribute::new(self.types().i32, 3).into()),
            ("isDataCache", BoolAttribute::new(context, true).into()),
        ];
        self.effect("memref.prefetch", &operands, &attributes)
    }

    /// Memory on the stack.
    pub fn memref_alloca(
        &self,
        element: Type<'c>,
        shape: &[i64],
        alignment: i64,
    ) -> Result<Val<'c>, Error> {
        let segments = DenseI32ArrayAttribute::new(self.shared.context, &[0, 0]).into();
        let attributes =
            [("operandSegmentSizes", segments), ("alignment", self.shared.word(alignment))];
        self.value_with("memref.alloca", &[], self.dense_memref(element, shape), &attributes)
    }

    /// A constant array that only the program sees.
    pub fn memref_global(
        &self,
        symbol: &str,
        element: Type<'c>,
        elements: &[u8],
        bytes: i64,
    ) -> Result<(), Error> {
        let n = i64::try_from(elements.len()).map_err(Error::bug)? / bytes;
        let ty = self.dense_memref(element, &[n]);
        let tensor = ffi::tensor_like(ty)?;
        let value = DenseElementsAttribute::raw_buffer(tensor, elements).into();
        let attributes = [
            ("sym_name", self.shared.string(symbol)),
            ("sym_visibility", self.shared.string("private")),
            ("type", type_attribute(ty)),
            ("initial_value", value),
            ("constant", self.shared.unit()),
            ("alignment", self.shared.word(64)),
        ];
        self.effect("memref.global", &[], &attributes)
    }

    /// Such an array.
    pub fn memref_get_global(&self, symbol: &str, ty: Type<'c>) -> Result<Val<'c>, Error> {
        let symbol = FlatSymbolRefAttribute::new(self.shared.context, symbol).into();
        self.value_with("memref.get_global", &[], ty, &[("name", symbol)])
    }

    /// Where a memref begins, as a number.
    pub fn memref_address(&self, memref: Val<'c>) -> Result<Val<'c>, Error> {
        let types = self.types();
        let address =
            self.value("memref.extract_aligned_pointer_as_index", &[memref], types.index)?;
        self.index_cast(address, types.i64)
    }

    /// Where a memref begins, for what only pointers can say. See Note [Pointers].
    pub fn pointer_to(&self, memref: Val<'c>) -> Result<Val<'c>, Error> {
        let address = self.memref_address(memref)?;
        self.llvm_inttoptr(address)
    }
}

/// The offset and the strides of a memref, as far as its type tells.
pub fn layout_of(ty: Type<'_>) -> Result<(i64, Vec<i64>), Error> {
    let (strides, offset) = MemRefType::try_from(ty)?.strides_and_offset();
    Ok((offset, strides))
}

/// Where an element lies, as far as types tell.
fn offset_of(ty: Type<'_>, indexes: &[i64]) -> Result<i64, Error> {
    let (offset, strides) = layout_of(ty)?;
    let mut sum = Some(offset).filter(|o| *o != DYNAMIC);
    for (i, s) in indexes.iter().zip(strides) {
        sum = match (sum, *i, s) {
            (sum, 0, _) => sum,
            (Some(sum), i, s) if i != DYNAMIC && s != DYNAMIC => Some(sum + i * s),
            _ => None,
        };
    }
    Ok(sum.unwrap_or(DYNAMIC))
}

//! Arrays as memrefs, and what is read from and written to them.
//!
//! The memref of an array is made where the array is bound, when something first wants it: a dense one
//! at the beginning of its block by `memref.view`, others by `memref.reinterpret_cast`. Vectors need
//! neighbours in the last dimension, so an array whose neighbours are in another one has a second
//! memref, with that dimension moved to the end.

use super::function::{Array, Function};
use crate::Error;
use crate::dialect::{Access, Builder, InsertionPoint, Ix, Val};
use futc_midend::ir::{MemBind, Prim};
use melior::ir::{Type, ValueLike};
use std::cell::Cell;
use std::rc::Rc;

type Result<T> = std::result::Result<T, Error>;

impl<'c> Array<'c> {
    /// Where it lies, if a variable stands for it.
    pub fn place(&self) -> Option<MemBind> {
        let lmad = self.symbolic.place()?.clone();
        Some(MemBind { block: self.block, lmad })
    }

    /// The dimension whose neighbours are neighbours in memory.
    pub fn unit(&self) -> Option<usize> {
        self.strides.iter().rposition(|s| matches!(s, Ix::Const(1)))
    }

    /// Whether rows lie one behind the other from the beginning of the block on, as can be seen
    /// without arithmetic.
    fn is_plain(&self) -> bool {
        let mut stride = Some(Ix::Const(1));
        let mut plain = matches!(self.offset, Ix::Const(0));
        for (s, n) in self.strides.iter().zip(&self.shape).rev() {
            plain &= match (stride, *s) {
                (Some(Ix::Const(a)), Ix::Const(b)) => a == b,
                (Some(Ix::Val(a)), Ix::Val(b)) => a == b,
                _ => false,
            };
            stride = match (stride, *n) {
                (Some(Ix::Const(1)), n) => Some(n),
                (Some(Ix::Const(a)), Ix::Const(b)) => Some(Ix::Const(a.wrapping_mul(b))),
                _ => None,
            };
        }
        plain
    }
}

impl<'c> Function<'c, '_, '_, '_> {
    /// Runs `f` where the memrefs of an array are made, unless it has been run.
    fn once(
        &mut self,
        array: &Array<'c>,
        made: &Cell<Option<Val<'c>>>,
        f: impl FnOnce(&Builder<'c, '_>) -> Result<Val<'c>>,
    ) -> Result<Val<'c>> {
        if let Some(value) = made.get() {
            return Ok(value);
        }
        let here = self.b.go(InsertionPoint::behind(array.memrefs.anchor));
        let value = f(&self.b);
        self.b.go(here);
        let value = value?;
        made.set(Some(value));
        Ok(value)
    }

    /// An array, as MLIR sees it.
    pub fn memref(&mut self, array: &Array<'c>) -> Result<Val<'c>> {
        let memrefs = Rc::clone(&array.memrefs);
        self.once(array, &memrefs.strided, |b| {
            let element = b.types().stored(array.elem);
            if array.is_plain() {
                return b.memref_array(array.base, element, &array.shape);
            }
            let first = b.memref_view(array.base, 0, element)?;
            b.memref_reinterpret_cast(first, array.offset, &array.shape, &array.strides)
        })
    }

    /// The block of an array, as elements of its type.
    pub fn elements_of_block(&mut self, array: &Array<'c>) -> Result<Val<'c>> {
        let memrefs = Rc::clone(&array.memrefs);
        self.once(array, &memrefs.elements, |b| {
            b.memref_elements(array.base, b.types().stored(array.elem), array.elem.bytes())
        })
    }

    /// A memref and the indexes in it from which on vectors of neighbours are read or written.
    pub fn vectors_at(
        &mut self,
        array: &Array<'c>,
        indexes: &[Ix<'c>],
    ) -> Result<(Val<'c>, Vec<Ix<'c>>)> {
        let Some(unit) = array.unit() else {
            let position = self.position(array, indexes)?;
            return Ok((self.elements_of_block(array)?, vec![position]));
        };
        if unit + 1 == array.strides.len() {
            return Ok((self.memref(array)?, indexes.to_vec()));
        }
        let last = |xs: &[Ix<'c>]| {
            let mut xs = xs.to_vec();
            let x = xs.remove(unit);
            xs.push(x);
            xs
        };
        let memrefs = Rc::clone(&array.memrefs);
        let memref = self.once(array, &memrefs.by_rows, |b| {
            let first = b.memref_view(array.base, 0, b.types().stored(array.elem))?;
            let (shape, strides) = (last(&array.shape), last(&array.strides));
            b.memref_reinterpret_cast(first, array.offset, &shape, &strides)
        })?;
        Ok((memref, last(indexes)))
    }

    /// The number of an element in its block.
    pub fn position(&mut self, array: &Array<'c>, indexes: &[Ix<'c>]) -> Result<Ix<'c>> {
        if indexes.len() != array.strides.len() {
            return Err(Error::bug("an element access of the wrong rank"));
        }
        let mut position = array.offset;
        for (i, stride) in indexes.iter().zip(&array.strides) {
            let distance = self.b.mul(*i, *stride)?;
            position = self.b.add(position, distance)?;
        }
        Ok(position)
    }

    /// What is known of the accesses to an array.
    fn to(&self, array: &Array<'c>) -> Access<'c> {
        Access { known: self.access(array), ..Access::default() }
    }

    /// Reads an element.
    pub fn load(&mut self, array: &Array<'c>, indexes: &[Ix<'c>]) -> Result<Val<'c>> {
        let memref = self.memref(array)?;
        self.load_from(memref, indexes, array.elem, &self.to(array))
    }

    /// Writes an element.
    pub fn store(&mut self, array: &Array<'c>, indexes: &[Ix<'c>], value: Val<'c>) -> Result<()> {
        let memref = self.memref(array)?;
        self.store_to(memref, indexes, array.elem, value, &self.to(array))
    }

    /// Reads an element as it is stored, whatever else is there.
    pub fn load_raw(&mut self, array: &Array<'c>, indexes: &[Ix<'c>]) -> Result<Val<'c>> {
        let memref = self.memref(array)?;
        self.b.memref_load(memref, indexes, &Access::default())
    }

    /// Writes an element as it is stored.
    pub fn store_raw(
        &mut self,
        array: &Array<'c>,
        indexes: &[Ix<'c>],
        value: Val<'c>,
    ) -> Result<()> {
        let memref = self.memref(array)?;
        self.b.memref_store(value, memref, indexes, &Access::default())
    }

    /// Reads a scalar.
    pub fn load_from(
        &self,
        memref: Val<'c>,
        indexes: &[Ix<'c>],
        prim: Prim,
        access: &Access<'c>,
    ) -> Result<Val<'c>> {
        let value = self.b.memref_load(memref, indexes, access)?;
        match prim {
            Prim::Bool => self.b.trunci(value, self.b.types().i1),
            Prim::Int(_) | Prim::Float(_) => Ok(value),
        }
    }

    /// Writes a scalar.
    pub fn store_to(
        &self,
        memref: Val<'c>,
        indexes: &[Ix<'c>],
        prim: Prim,
        value: Val<'c>,
        access: &Access<'c>,
    ) -> Result<()> {
        let value = match prim {
            Prim::Bool => self.b.extui(value, self.b.types().i8)?,
            Prim::Int(_) | Prim::Float(_) => value,
        };
        self.b.memref_store(value, memref, indexes, access)
    }

    /// Reads a scalar from memory of our own.
    pub fn get(&self, memref: Val<'c>, indexes: &[Ix<'c>], prim: Prim) -> Result<Val<'c>> {
        self.load_from(memref, indexes, prim, &Access::default())
    }

    /// Writes a scalar to memory of our own.
    pub fn set(
        &self,
        memref: Val<'c>,
        indexes: &[Ix<'c>],
        prim: Prim,
        value: Val<'c>,
    ) -> Result<()> {
        self.store_to(memref, indexes, prim, value, &Access::default())
    }

    /// Reads a vector of elements as they are stored, wherever it begins.
    pub fn load_vector(
        &self,
        ty: Type<'c>,
        memref: Val<'c>,
        indexes: &[Ix<'c>],
    ) -> Result<Val<'c>> {
        self.b.vector_load(ty, memref, indexes, &Access::unaligned())
    }

    /// Writes a vector of elements as they are stored, wherever it begins.
    pub fn store_vector(&self, memref: Val<'c>, indexes: &[Ix<'c>], value: Val<'c>) -> Result<()> {
        self.b.vector_store(value, memref, indexes, &Access::unaligned())
    }

    /// Writes a vector, which must be aligned, without a line of the cache.
    pub fn store_vector_past_caches(
        &self,
        memref: Val<'c>,
        indexes: &[Ix<'c>],
        value: Val<'c>,
    ) -> Result<()> {
        let access = Access::past_caches(self.m.machine.cpu.vector_bytes);
        self.b.vector_store(value, memref, indexes, &access)
    }

    /// Reads a vector of neighbours of an array, aligned as its elements are.
    pub fn load_neighbours(
        &mut self,
        ty: Type<'c>,
        array: &Array<'c>,
        indexes: &[Ix<'c>],
    ) -> Result<Val<'c>> {
        let (memref, indexes) = self.vectors_at(array, indexes)?;
        self.b.vector_load(ty, memref, &indexes, &self.to(array))
    }

    /// Writes a vector of neighbours of an array, aligned as its elements are.
    pub fn write_neighbours(
        &mut self,
        array: &Array<'c>,
        indexes: &[Ix<'c>],
        value: Val<'c>,
    ) -> Result<()> {
        let (memref, indexes) = self.vectors_at(array, indexes)?;
        self.b.vector_store(value, memref, &indexes, &self.to(array))
    }

    /// Memory for elements of a shape on the stack, allocated where the function begins: once,
    /// whatever loops surround the code that uses it.
    pub fn stack_in_entry(&mut self, elem: Prim, shape: &[i64]) -> Result<Val<'c>> {
        let here = self.b.go(InsertionPoint::at_start(self.entry));
        let alignment = self.alignment_of_room(elem.bytes() * shape.iter().product::<i64>());
        let memref = self.b.memref_alloca(self.b.types().stored(elem), shape, alignment);
        self.b.go(here);
        memref
    }

    /// How room on the stack is aligned: as vectors where one fits, since what crosses a line of the cache
    /// takes two accesses.
    fn alignment_of_room(&self, bytes: i64) -> i64 {
        let vector = self.m.machine.cpu.vector_bytes;
        if bytes >= vector { vector.max(WORD) } else { WORD }
    }

    /// Bytes on the stack, as a block.
    pub fn block_in_entry(&mut self, bytes: i64) -> Result<Val<'c>> {
        let here = self.b.go(InsertionPoint::at_start(self.entry));
        let types = self.b.types();
        let block = self
            .b
            .memref_alloca(types.i8, &[bytes], self.alignment_of_room(bytes))
            .and_then(|room| self.b.memref_cast(room, types.block));
        self.b.go(here);
        block
    }

    /// A word of a block that the runtime lays out, as a value of some type.
    pub fn word_of(&self, block: Val<'c>, i: i64, ty: Type<'c>) -> Result<Val<'c>> {
        self.b.memref_view(block, i * WORD, ty)
    }

    /// Reads a word of such a block.
    pub fn get_word(&self, block: Val<'c>, i: i64, ty: Type<'c>) -> Result<Val<'c>> {
        let word = self.word_of(block, i, ty)?;
        self.b.memref_load(word, &[], &Access::default())
    }

    /// Writes a word of such a block.
    pub fn set_word(&self, block: Val<'c>, i: i64, value: Val<'c>) -> Result<()> {
        let word = self.word_of(block, i, value.r#type())?;
        self.b.memref_store(value, word, &[], &Access::default())
    }
}

/// The alignment of memory on the stack.
const WORD: i64 = 8;

//! Stores of some lanes of a vector, side by side: `vector.compressstore` where whole vectors may be stored.
//!
//! | processor | lanes are put together by |
//! | --- | --- |
//! | with vectors of 64 bytes | an instruction, `llvm.experimental.vector.compress`: of 32 bits and more, as LLVM 22 crashes on eight bytes |
//! | with AVX2 | a permutation of 32-bit words that a table has for each mask |
//!
//! ```text
//! mask      1 0 0 1              bits 0b1001  →  table[9] = 0 3 _ _
//! value     a b c d                              a d _ _
//! ```

use super::conversion::{Conversion, Result, operand};
use crate::dialect::{Builder, Intrinsic, Ix, ROOM, Val};
use crate::{Error, ffi};
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::r#type::IntegerType;
use melior::ir::{Type, ValueLike};

/// 32-bit words of a vector of AVX2.
const WORDS: i64 = 8;
const BITS_OF_WORD: i64 = 32;

impl<'c> Conversion<'c, '_> {
    pub(super) fn compressstore(&mut self, operation: OperationRef<'c, 'c>) -> Result<()> {
        if !operation.has_attribute(ROOM) {
            return Err(Error::bug("a vector.compressstore without room for whole vectors"));
        }
        let value = operand(operation, operation.operand_count() - 1)?;
        let ty = value.r#type();
        let element = ffi::element_of(ty);
        let b = self.before(operation)?;
        let (pointer, rest) = self.accessed(&b, operation, 0, element)?;
        let [mask, value] = *rest else { return Err(Error::bug("a compressing store")) };
        let instruction = self.cpu.vector_bytes * 8 > WORDS * BITS_OF_WORD;
        let wide = if instruction { BITS_OF_WORD } else { WORDS * BITS_OF_WORD / lanes_of(ty)? };
        let lanes = self.widened(&b, value, wide)?;
        let packed = if instruction {
            let ty = lanes.r#type();
            let poison = b.llvm_poison(ty)?;
            b.llvm_intrinsic(Intrinsic::Compress, &[lanes, mask, poison], ty, None)?
        } else {
            self.permuted(operation, lanes, mask)?
        };
        let b = self.before(operation)?;
        let packed = self.narrowed(&b, packed, ty)?;
        b.llvm_store(pointer, packed, ffi::bytes_of_scalar(element)?, &[])?;
        self.shared.building.erase(operation)?;
        Ok(())
    }

    /// The lanes of a mask first, by a permutation of words; lanes fill a vector.
    fn permuted(
        &mut self,
        operation: OperationRef<'c, 'c>,
        value: Val<'c>,
        mask: Val<'c>,
    ) -> Result<Val<'c>> {
        let ty = value.r#type();
        let lanes = lanes_of(ty)?;
        let table = self.permutations(operation, lanes)?;
        let b = self.before(operation)?;
        let bits = b.llvm_bitcast(mask, self.integer(lanes)?)?;
        let bits = b.extui(bits, b.types().i64)?;
        let place = b.mul(Ix::Val(bits), Ix::Const(WORDS))?;
        let place = b.element_pointer(b.address_of(&table)?, place, b.types().i8)?;
        let which = b.llvm_load(place, self.integers(WORDS, 8)?, WORDS, &[])?;
        let words = self.integers(WORDS, BITS_OF_WORD)?;
        let which = b.extui(which, words)?;
        let x = b.llvm_bitcast(value, words)?;
        let x = b.llvm_intrinsic(Intrinsic::PermuteWords, &[x, which], words, None)?;
        b.llvm_bitcast(x, ty)
    }

    /// A vector as integers of so many bits at least.
    fn widened(&self, b: &Builder<'c, '_>, x: Val<'c>, bits: i64) -> Result<Val<'c>> {
        let ty = x.r#type();
        let (lanes, narrow) = (lanes_of(ty)?, bits_of(ty)?);
        let x = b.llvm_bitcast(x, self.integers(lanes, narrow)?)?;
        if narrow < bits { b.extui(x, self.integers(lanes, bits)?) } else { Ok(x) }
    }

    /// A vector of integers as one of a type that may be narrower.
    fn narrowed(&self, b: &Builder<'c, '_>, x: Val<'c>, ty: Type<'c>) -> Result<Val<'c>> {
        let narrow = self.integers(lanes_of(ty)?, bits_of(ty)?)?;
        let x = if x.r#type() == narrow { x } else { b.trunci(x, narrow)? };
        b.llvm_bitcast(x, ty)
    }

    fn integers(&self, lanes: i64, bits: i64) -> Result<Type<'c>> {
        let n = u64::try_from(lanes).map_err(Error::bug)?;
        Ok(Type::vector(&[n], self.integer(bits)?))
    }

    fn integer(&self, bits: i64) -> Result<Type<'c>> {
        let bits = u32::try_from(bits).map_err(Error::bug)?;
        Ok(IntegerType::new(self.shared.context, bits).into())
    }

    /// The table of permutations for masks of so many lanes.
    fn permutations(&mut self, operation: OperationRef<'c, 'c>, lanes: i64) -> Result<String> {
        let symbol = format!("permutations_{lanes}");
        let around = self.function.unwrap_or(operation);
        let module = around.block().map_or(0, ffi::address_of_block);
        if self.declared.insert((module, symbol.clone())) {
            let b = Builder::before(self.shared, around)?;
            b.llvm_bytes(&symbol, &table(lanes), Some(WORDS))?;
        }
        Ok(symbol)
    }
}

fn lanes_of(ty: Type<'_>) -> Result<i64> {
    let lanes = ffi::vector_length(ty).and_then(|n| i64::try_from(n).ok());
    lanes.ok_or_else(|| Error::bug("lanes of no vector"))
}

fn bits_of(ty: Type<'_>) -> Result<i64> {
    Ok(8 * ffi::bytes_of_scalar(ffi::element_of(ty))?)
}

/// For each mask, the numbers of its lanes' words, and then zeros.
fn table(lanes: i64) -> Vec<u8> {
    let of_lane = WORDS / lanes.clamp(1, WORDS);
    let word = |w: i64| u8::try_from(w).unwrap_or(0);
    let mut out = Vec::new();
    for mask in 0..1_i64 << lanes {
        let kept = (0..lanes).filter(|lane| mask >> lane & 1 == 1);
        let words = kept.flat_map(|lane| (0..of_lane).map(move |k| lane * of_lane + k));
        let filled = words.chain(std::iter::repeat(0)).map(word);
        out.extend(filled.take(usize::try_from(WORDS).unwrap_or(0)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_name_the_words_of_their_lanes() {
        let of = |lanes, mask: usize| table(lanes).get(8 * mask..8 * mask + 8).map(<[u8]>::to_vec);
        assert_eq!(of(8, 0b1000_0101), Some(vec![0, 2, 7, 0, 0, 0, 0, 0]));
        assert_eq!(of(4, 0b1010), Some(vec![2, 3, 6, 7, 0, 0, 0, 0]));
        assert_eq!(table(8).len(), 8 << 8);
    }
}

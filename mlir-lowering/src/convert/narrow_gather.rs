//! Gathers of elements of one or two bytes: processors gather words of four bytes at least, and LLVM makes a load of each lane
//! of what is narrower, behind a branch where there is a mask. So the aligned words around the elements are gathered and
//! shifted. No aligned word crosses a page, and what it holds beside the element is dropped, so that reading it is harmless
//! where the element may be read.

use super::conversion::Result;
use crate::dialect::{Builder, Ix, Val};
use crate::ffi;
use crate::options::Cpu;
use melior::ir::ValueLike;
use melior::ir::operation::OperationLike;

/// Bytes of a word that is gathered.
const WORD: i64 = 4;

/// Whether elements of so many bytes are gathered as words: where there are branches otherwise, and gathers are quick.
pub(super) fn pays(cpu: Cpu, bytes: i64, mask: Val<'_>) -> bool {
    let whole = ffi::made_by(mask)
        .is_some_and(|o| o.name().as_string_ref().as_str() == Ok("arith.constant"));
    bytes < WORD && cpu.quick_gathers && !whole
}

/// Elements of `bytes` bytes at `distances`, counted in elements, from a pointer; `otherwise` in lanes that the mask leaves
/// out.
pub(super) fn gather<'c>(
    b: &Builder<'c, '_>,
    (pointer, distances): (Val<'c>, Val<'c>),
    (mask, otherwise): (Val<'c>, Val<'c>),
    bytes: i64,
) -> Result<Val<'c>> {
    let wide = distances.r#type();
    let words = b.shaped(wide, b.types().i32);
    // Counted in bytes from the word that the pointer lies in.
    let inside = b.i64(WORD - 1)?;
    let address = b.llvm_ptrtoint(pointer)?;
    let offset = b.andi(address, inside)?;
    let back = b.sub(Ix::Const(0), Ix::Val(offset))?;
    let aligned = b.element_pointer(pointer, back, b.types().i8)?;
    let size = b.int(wide, bytes)?;
    let position = b.muli(distances, size)?;
    let offset = b.llvm_broadcast(offset, wide)?;
    let position = b.addi(position, offset)?;
    let of_word = b.int(wide, -WORD)?;
    let word = b.andi(position, of_word)?;
    let pointers = b.element_pointers(aligned, word, b.types().i8)?;
    let nothing = b.int(words, 0)?;
    let gathered = b.llvm_masked_gather(pointers, mask, nothing, WORD)?;
    let position = b.trunci(position, words)?;
    let inside = b.int(words, WORD - 1)?;
    let position = b.andi(position, inside)?;
    let bits = b.int(words, 3)?;
    let bits = b.shli(position, bits)?;
    let shifted = b.shrui(gathered, bits)?;
    let integer = if bytes == 1 { b.types().i8 } else { b.types().i16 };
    let value = b.trunci(shifted, b.shaped(wide, integer))?;
    let value = b.llvm_bitcast(value, otherwise.r#type())?;
    b.select(mask, value, otherwise)
}

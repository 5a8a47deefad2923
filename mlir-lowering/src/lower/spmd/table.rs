//! Looking bytes up in tables of 256: four vectors of the table, of which permutations choose for 64 lanes at a time.
//!
//! ```text
//! low  = permute(table[0 .. 128], byte & 127)
//! high = permute(table[128 .. 256], byte & 127)
//! byte < 128 ? low : high
//! ```

use super::super::function::{Array, Function};
use super::strip::{Result, Strip};
use crate::dialect::{Intrinsic, Ix, Predicate, Val};
use futc_midend::analysis::lanes::TABLE;
use futc_midend::ir::SubExp;
use melior::ir::Type;

/// Bytes of a vector.
const LANES: i64 = 64;

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// The bytes at which a table is read, if it is one and the processor permutes bytes.
    pub(super) fn looked_up(
        &self,
        strip: &Strip<'_, 'c, 'p>,
        array: &Array<'c>,
        indexes: &[SubExp],
    ) -> Option<SubExp> {
        let table = array.elem.bytes() == 1
            && matches!(array.shape.as_slice(), [Ix::Const(TABLE)])
            && matches!(array.strides.as_slice(), [Ix::Const(1)]);
        let ([index], true) = (indexes, table && self.m.machine.cpu.permutes_bytes) else {
            return None;
        };
        strip.classes.byte(*index)
    }

    /// Elements of a table at bytes.
    pub(super) fn elements_of_table(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        array: &Array<'c>,
        bytes: SubExp,
    ) -> Result<Val<'c>> {
        let bytes = self.in_lanes(strip, bytes)?;
        let ty = Type::vector(&[LANES as u64], self.b.types().i8);
        let mut parts = Vec::new();
        for first in (0..TABLE).step_by(LANES as usize) {
            parts.push(self.load_neighbours(ty, array, &[Ix::Const(first)])?);
        }
        let &[a, b, c, d] = parts.as_slice() else {
            return Err(crate::Error::bug("a table of another size"));
        };
        let zero = self.b.int(ty, 0)?;
        let mut found = Vec::new();
        for first in (0..strip.width).step_by(LANES as usize) {
            // Fewer lanes go round.
            let these = (0..LANES).map(|lane| (first + lane) % strip.width);
            let these = self.shuffle(bytes, bytes, these)?;
            let permute =
                |x, y| self.b.llvm_intrinsic(Intrinsic::PermuteBytes, &[x, these, y], ty, None);
            let (low, high) = (permute(a, b)?, permute(c, d)?);
            let is_high = self.b.cmpi(Predicate::Slt, these, zero)?;
            found.push(self.b.select(is_high, high, low)?);
        }
        // Vectors side by side, two of the same length at a time.
        let mut length = LANES;
        while found.len() > 1 {
            let pairs = found.chunks(2).map(|pair| match *pair {
                [x, y] => self.shuffle(x, y, 0..2 * length),
                _ => Err(crate::Error::bug("lanes that are no power of two")),
            });
            found = pairs.collect::<Result<_>>()?;
            length *= 2;
        }
        let all = found.first().copied().ok_or_else(|| crate::Error::bug("no lanes"))?;
        if strip.width < LANES { self.shuffle(all, all, 0..strip.width) } else { Ok(all) }
    }
}

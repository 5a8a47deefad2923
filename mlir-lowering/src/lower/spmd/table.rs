//! Reading tables of bytes: gathers that say so, of which conversion makes permutations of vectors.

use super::super::function::Function;
use super::strip::{Result, Strip};
use crate::Error;
use crate::dialect::{Access, Ix, Val};
use futc_midend::analysis::lanes::Lookup;
use futc_midend::ir::{Const, DimIndex, SubExp, Var};
use melior::ir::ValueLike;

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// Elements of a table: of all lanes, as an index is inside even where a lane does not take part.
    pub(super) fn look_up(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        array: Var,
        dims: &'p [DimIndex],
        lookup: &Lookup,
    ) -> Result<Val<'c>> {
        let Lookup { byte, mask, dim, slots, .. } = *lookup;
        let array = self.array(array)?;
        let mut first = Vec::with_capacity(dims.len());
        for (d, index) in dims.iter().enumerate() {
            first.push(match index {
                _ if d == dim => Ix::Const(0),
                DimIndex::Fix(i) => self.index(*i)?,
                DimIndex::Slice { .. } => return Err(Error::bug("a view by lanes")),
            });
        }
        let place = self.position(&array, &first)?;
        let block = self.elements_of_block(&array)?;
        let bytes = self.kept_bits(strip, byte, mask)?;
        let all = self.whole_mask(&Strip { mask: None, ..*strip })?;
        let nothing = self.nothing(strip, array.elem)?;
        let access = Access { known: self.access(&array), ..Access::default() };
        let value =
            self.b.vector_lookup(block, &[place], bytes, (all, nothing), (slots, &access))?;
        self.unstored(strip, array.elem, value)
    }

    /// Some bits of a byte.
    fn kept_bits(&mut self, strip: &Strip<'_, 'c, 'p>, byte: SubExp, mask: i64) -> Result<Val<'c>> {
        let bytes = self.in_lanes(strip, byte)?;
        let [mask, ..] = mask.to_le_bytes();
        if mask == u8::MAX {
            return Ok(bytes);
        }
        let mask = self.b.constant_in(bytes.r#type(), Const::I8(mask.cast_signed()))?;
        self.b.andi(bytes, mask)
    }
}

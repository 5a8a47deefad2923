//! Reading elements a few apart: vectors of all that lies between, of which lanes choose theirs.
//!
//! ```text
//! four lanes, three apart          a . . | b . . | c . . | d      the row's elements at one index
//! vectors                          [a . . b] [. . c .] [. d . .]
//! ```
//!
//! Where the rows' length is the distance, vectors begin with the first row and end with the last, so that reads of other elements of
//! these rows have the same ones. Else they begin with the first element and end with the last, and the last vector overlaps the
//! one before. So nothing is read but what lies between elements of the block that lanes read, or in their rows.

use super::super::function::{Array, Function};
use super::strip::{Result, Strip};
use crate::dialect::{Ix, Val};
use futc_midend::analysis::lanes::STRIDES;
use futc_midend::ir::SubExp;

/// Bytes of all vectors of a window: of more, one element after the other is as quick.
const MOST_BYTES: i64 = 512;

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// Whether elements so far apart are chosen of vectors.
    pub(super) fn has_windows(
        &self,
        strip: &Strip<'_, 'c, 'p>,
        array: &Array<'c>,
        step: i64,
    ) -> bool {
        STRIDES.contains(&step)
            && strip.mask.is_none()
            && strip.width * step * array.elem.bytes() <= MOST_BYTES
    }

    /// The elements from `first` on, so far apart.
    pub(super) fn chosen_of_window(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        array: &Array<'c>,
        (indexes, first): (&[SubExp], &[Ix<'c>]),
        step: i64,
    ) -> Result<Val<'c>> {
        let width = strip.width;
        let mut first = first.to_vec();
        let in_row = place_in_row(array, indexes, step);
        if let (Some(_), Some(last)) = (in_row, first.last_mut()) {
            *last = Ix::Const(0);
        }
        let (place, length) = match in_row {
            Some(place) => (place, width * step),
            None => (0, (width - 1) * step + 1),
        };
        let begin = self.position(array, &first)?;
        let begins: Vec<i64> = (0..step).map(|k| (k * width).min(length - width)).collect();
        // Of each lane, the vector that has its element.
        let vector = |lane: i64| {
            let at = lane * step + place;
            begins.iter().position(|b| (*b..b + width).contains(&at)).map(|k| (k, at))
        };
        let mut value: Option<Val<'c>> = None;
        for (k, from) in begins.iter().enumerate() {
            if !(0..width).any(|lane| vector(lane).is_some_and(|(v, _)| v == k)) {
                continue;
            }
            let position = self.b.add(begin, Ix::Const(*from))?;
            let position = self.b.ix(position)?;
            let loaded = self.neighbours_in_block(strip, array, position)?;
            let (before, second) = value.map_or((loaded, 0), |v| (v, width));
            // Lanes whose vector is yet to come take anything.
            let chosen = |lane: i64| match vector(lane) {
                Some((v, at)) if v == k => second + at - from,
                _ => lane,
            };
            value = Some(self.shuffle(before, loaded, (0..width).map(chosen))?);
        }
        value.ok_or_else(|| crate::Error::bug("a window without vectors"))
    }
}

/// The index along the last dimension, if that has as many elements as lanes are apart.
fn place_in_row(array: &Array<'_>, indexes: &[SubExp], step: i64) -> Option<i64> {
    let Some(SubExp::Const(c)) = indexes.last() else { return None };
    let place = c.as_int().filter(|place| (0..step).contains(place))?;
    let row = matches!(array.strides.last(), Some(Ix::Const(1)))
        && matches!(array.shape.last(), Some(Ix::Const(n)) if *n == step);
    row.then_some(place)
}

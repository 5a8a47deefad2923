//! The memrefs of an array that have been made.

use crate::dialect::{Anchor, Builder, Val};
use std::cell::Cell;
use std::rc::Rc;

/// The memrefs of an array that have been made, and where they belong.
pub struct Memrefs<'c> {
    pub(super) anchor: Anchor<'c>,
    pub(super) strided: Cell<Option<Val<'c>>>,
    /// With neighbours in the last dimension.
    pub(super) by_rows: Cell<Option<Val<'c>>>,
    /// The block, as elements.
    pub(super) elements: Cell<Option<Val<'c>>>,
}

impl<'c> Memrefs<'c> {
    /// None so far: they will be made at the place that a builder has reached.
    pub fn here(b: &Builder<'c, '_>) -> Rc<Memrefs<'c>> {
        let (strided, by_rows, elements) = (Cell::default(), Cell::default(), Cell::default());
        Rc::new(Memrefs { anchor: b.anchor(), strided, by_rows, elements })
    }

    /// Of an array that is a memref.
    pub fn made(b: &Builder<'c, '_>, memref: Val<'c>) -> Rc<Memrefs<'c>> {
        let memrefs = Memrefs::here(b);
        memrefs.strided.set(Some(memref));
        memrefs
    }
}

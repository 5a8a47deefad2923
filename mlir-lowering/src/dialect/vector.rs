//! Vectors: lanes, and moving them about.

use super::{Builder, Val};
use crate::Error;
use melior::ir::attribute::DenseI32ArrayAttribute;
use melior::ir::{Type, ValueLike};

impl<'c> Builder<'c, '_> {
    /// A scalar in every lane of a vector.
    pub fn broadcast(&self, x: Val<'c>, vector: Type<'c>, lanes: i64) -> Result<Val<'c>, Error> {
        let none = self.poison(vector)?;
        let zero = self.i64(0)?;
        let first = self.value("llvm.insertelement", &[none, x, zero], vector)?;
        let lanes = usize::try_from(lanes).map_err(Error::bug)?;
        self.shuffle(first, none, &vec![0; lanes])
    }

    /// The lane of a vector.
    pub fn extract(&self, x: Val<'c>, lane: i64) -> Result<Val<'c>, Error> {
        let lane = self.i64(lane)?;
        let scalar = crate::ffi::element_of(x.r#type());
        self.value("llvm.extractelement", &[x, lane], scalar)
    }

    /// Lanes of two vectors of one type, numbered through.
    pub fn shuffle(&self, a: Val<'c>, b: Val<'c>, lanes: &[i32]) -> Result<Val<'c>, Error> {
        let mask = DenseI32ArrayAttribute::new(self.shared.context, lanes).into();
        self.value_with("llvm.shufflevector", &[a, b], a.r#type(), &[("mask", mask)])
    }
}

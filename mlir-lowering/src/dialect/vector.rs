//! `vector`: lanes, and moving them about. Accesses are beside those of `memref`.

use super::{Builder, Val};
use crate::{Error, ffi};
use melior::ir::attribute::DenseI64ArrayAttribute;
use melior::ir::{Type, ValueLike};

/// How lanes are combined.
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "the names are MLIR's")]
pub enum Combining {
    Add,
    And,
    Or,
}

impl<'c> Builder<'c, '_> {
    /// A scalar in every lane of a vector.
    pub fn vector_broadcast(&self, x: Val<'c>, vector: Type<'c>) -> Result<Val<'c>, Error> {
        self.value("vector.broadcast", &[x], vector)
    }

    /// Any value of a type.
    pub fn ub_poison(&self, ty: Type<'c>) -> Result<Val<'c>, Error> {
        self.value("ub.poison", &[], ty)
    }

    /// The lane of a vector.
    pub fn vector_extract(&self, x: Val<'c>, lane: i64) -> Result<Val<'c>, Error> {
        let lane = DenseI64ArrayAttribute::new(self.shared.context, &[lane]).into();
        let scalar = ffi::element_of(x.r#type());
        self.value_with("vector.extract", &[x], scalar, &[("static_position", lane)])
    }

    /// Lanes of two vectors of one type, numbered through.
    pub fn vector_shuffle(&self, a: Val<'c>, b: Val<'c>, lanes: &[i64]) -> Result<Val<'c>, Error> {
        let mask = DenseI64ArrayAttribute::new(self.shared.context, lanes).into();
        let n = u64::try_from(lanes.len()).map_err(Error::bug)?;
        let ty = Type::vector(&[n], ffi::element_of(a.r#type()));
        self.value_with("vector.shuffle", &[a, b], ty, &[("mask", mask)])
    }

    /// All lanes in one.
    pub fn vector_reduction(&self, how: Combining, x: Val<'c>) -> Result<Val<'c>, Error> {
        let kind = match how {
            Combining::Add => "#vector.kind<add>",
            Combining::And => "#vector.kind<and>",
            Combining::Or => "#vector.kind<or>",
        };
        let kind = self.shared.attribute(kind)?;
        let scalar = ffi::element_of(x.r#type());
        self.value_with("vector.reduction", &[x], scalar, &[("kind", kind)])
    }
}

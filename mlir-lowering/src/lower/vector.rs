//! Vectors of scalars, where lowering writes them itself; most are LLVM's doing.

use super::function::Function;
use crate::Error;
use crate::dialect::{Ix, Val};
use crate::ffi::Region;
use futc_midend::ir::Prim;
use melior::ir::Type;

type Result<T> = std::result::Result<T, Error>;

/// How many elements of a type a register holds.
pub fn lanes(vector_bytes: i64, elem: Prim) -> i64 {
    (vector_bytes / elem.bytes()).max(1)
}

impl<'c> Function<'c, '_, '_, '_> {
    /// A vector of elements as they are in memory.
    pub fn vector_type(&self, elem: Prim, lanes: i64) -> Result<Type<'c>> {
        let lanes = u64::try_from(lanes).map_err(Error::bug)?;
        Ok(Type::vector(&[lanes], self.b.types().stored(elem)))
    }

    /// Lanes of two vectors of one type, numbered through.
    pub fn shuffle(
        &self,
        a: Val<'c>,
        b: Val<'c>,
        lanes: impl IntoIterator<Item = i64>,
    ) -> Result<Val<'c>> {
        self.b.vector_shuffle(a, b, &lanes.into_iter().collect::<Vec<_>>())
    }

    /// The smaller one.
    pub fn min(&mut self, a: Ix<'c>, b: Ix<'c>) -> Result<Ix<'c>> {
        match (a, b) {
            (Ix::Const(a), Ix::Const(b)) => Ok(Ix::Const(a.min(b))),
            (a, b) => {
                let (a, b) = (self.b.ix(a)?, self.b.ix(b)?);
                self.b.minsi(a, b).map(Ix::Val)
            }
        }
    }

    /// `a / b` rounded up, of what is not negative.
    pub fn ceil_div(&mut self, a: Ix<'c>, b: i64) -> Result<Ix<'c>> {
        match a {
            Ix::Const(a) => Ok(Ix::Const((a + b - 1) / b)),
            Ix::Val(_) => {
                let above = self.b.add(a, Ix::Const(b - 1))?;
                let (above, by) = (self.b.ix(above)?, self.b.i64(b)?);
                self.b.divui(above, by).map(Ix::Val)
            }
        }
    }

    /// `if c { yes } else { no }`
    pub fn either(
        &mut self,
        c: Val<'c>,
        yes: impl FnOnce(&mut Self) -> Result<()>,
        no: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let yes: Region<'c> = self.region(&[], |f, _| yes(f).map(|()| Vec::new()))?;
        let no: Region<'c> = self.region(&[], |f, _| no(f).map(|()| Vec::new()))?;
        self.b.scf_if(c, &[], yes, no)?;
        Ok(())
    }
}

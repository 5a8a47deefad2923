//! `math`: functions on numbers, of scalars as of vectors.

use super::{Builder, Math, Val};
use crate::Error;

impl<'c> Builder<'c, '_> {
    /// A function of operands of its result's type.
    pub fn math(&self, function: Math, xs: &[Val<'c>]) -> Result<Val<'c>, Error> {
        let found = Math::ALL.iter().find(|(f, ..)| *f == function);
        let (_, name, _) = found.ok_or_else(|| Error::bug("a function without a name"))?;
        self.same(name, xs)
    }

    /// How many bits are set.
    pub fn math_ctpop(&self, x: Val<'c>) -> Result<Val<'c>, Error> {
        self.same("math.ctpop", &[x])
    }

    /// How many bits are zero before the first one that is not.
    pub fn math_ctlz(&self, x: Val<'c>) -> Result<Val<'c>, Error> {
        self.same("math.ctlz", &[x])
    }

    /// How many bits are zero behind the last one that is not.
    pub fn math_cttz(&self, x: Val<'c>) -> Result<Val<'c>, Error> {
        self.same("math.cttz", &[x])
    }
}

//! Vectors of scalars, where lowering writes them itself; most are LLVM's doing.

use super::builder::{Ix, Val};
use super::function::Function;
use crate::Error;
use futc_midend::ir::Prim;
use melior::ir::attribute::{DenseI32ArrayAttribute, IntegerAttribute};
use melior::ir::{Region, Type, ValueLike};

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

    /// Reads a vector, wherever it begins.
    pub fn load_vector(&self, ty: Type<'c>, from: Val<'c>) -> Result<Val<'c>> {
        let alignment = IntegerAttribute::new(self.b.types().i64, 1).into();
        self.b.value_with("llvm.load", &[from], ty, &[("alignment", alignment)])
    }

    /// Writes a vector, wherever it begins.
    pub fn store_vector(&self, to: Val<'c>, value: Val<'c>) -> Result<()> {
        let alignment = IntegerAttribute::new(self.b.types().i64, 1).into();
        self.b.effect("llvm.store", &[value, to], &[("alignment", alignment)])
    }

    /// A scalar in every lane.
    pub fn spread(&self, vector: Type<'c>, lanes: i64, x: Val<'c>) -> Result<Val<'c>> {
        let none = self.b.value("llvm.mlir.poison", &[], vector)?;
        let zero = self.b.i64(0)?;
        let first = self.b.value("llvm.insertelement", &[none, x, zero], vector)?;
        self.shuffle(first, none, (0..lanes).map(|_| 0))
    }

    /// The lane of a vector.
    pub fn lane(&self, x: Val<'c>, lane: i64, elem: Prim) -> Result<Val<'c>> {
        let lane = self.b.i64(lane)?;
        self.b.value("llvm.extractelement", &[x, lane], self.b.types().stored(elem))
    }

    /// Lanes of two vectors of one type, numbered through.
    pub fn shuffle(
        &self,
        a: Val<'c>,
        b: Val<'c>,
        lanes: impl IntoIterator<Item = i64>,
    ) -> Result<Val<'c>> {
        let lanes: Vec<i32> = lanes
            .into_iter()
            .map(i32::try_from)
            .collect::<std::result::Result<_, _>>()
            .map_err(Error::bug)?;
        let mask = DenseI32ArrayAttribute::new(self.b.shared.context, &lanes).into();
        self.b.value_with("llvm.shufflevector", &[a, b], a.r#type(), &[("mask", mask)])
    }

    /// The smaller one.
    pub fn min(&mut self, a: Ix<'c>, b: Ix<'c>) -> Result<Ix<'c>> {
        match (a, b) {
            (Ix::Const(a), Ix::Const(b)) => Ok(Ix::Const(a.min(b))),
            (a, b) => {
                let (a, b) = (self.b.ix(a)?, self.b.ix(b)?);
                self.b.same("arith.minsi", &[a, b]).map(Ix::Val)
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
                self.b.same("arith.divui", &[above, by]).map(Ix::Val)
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
        let yes: Region<'c> = self.region(&[], "scf.yield", |f, _| yes(f).map(|()| Vec::new()))?;
        let no: Region<'c> = self.region(&[], "scf.yield", |f, _| no(f).map(|()| Vec::new()))?;
        self.b.operation("scf.if", &[c], &[], &[], vec![yes, no])?;
        Ok(())
    }
}

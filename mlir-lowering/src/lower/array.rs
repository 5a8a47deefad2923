//! Operations on arrays: filling the place that the pattern names, and views, which emit nothing.
//! Copies are in [`super::copy`].

use super::copy::RUNS;
use super::function::{Array, Function, Symbolic};
use super::memrefs::Memrefs;
use crate::Error;
use crate::dialect::Ix;
use futc_midend::ir::{Const, DimIndex, IntType, PatElem, Poly, Stm, Strategy, SubExp, Type, Var};

type Result<T> = std::result::Result<T, Error>;

/// Where the next source of a concatenation goes.
pub struct Start<'c> {
    index: Ix<'c>,
    symbolic: Poly,
}

impl Default for Start<'_> {
    fn default() -> Self {
        Start { index: Ix::Const(0), symbolic: Poly::constant(0) }
    }
}

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// `[start, start + stride, …]`
    pub fn iota(
        &mut self,
        pat: &'p [PatElem],
        start: SubExp,
        stride: SubExp,
        ty: IntType,
    ) -> Result<()> {
        let target = self.target(pat)?;
        let (start, stride) = (self.operand(start)?, self.operand(stride)?);
        let ty = self.b.types().int(ty);
        let shape = target.shape.clone();
        self.nest(&shape, &mut |f, i| {
            let counter = i.first().copied().unwrap_or(Ix::Const(0));
            let counter = f.b.ix(counter)?;
            let counter = if ty == f.b.types().i64 { counter } else { f.b.trunci(counter, ty)? };
            let distance = f.b.muli(counter, stride)?;
            let value = f.b.addi(start, distance)?;
            f.store(&target, i, value)
        })
    }

    /// A value in every place.
    pub fn replicate(
        &mut self,
        pat: &'p [PatElem],
        shape: &'p [SubExp],
        value: SubExp,
    ) -> Result<()> {
        let target = self.target(pat)?;
        if target.strides.len() == shape.len() {
            let value = self.operand(value)?;
            return self.fill(&target, value);
        }
        let value = value.var().ok_or_else(|| Error::bug("an array that is a constant"))?;
        let source = self.array(value)?;
        let outer: Vec<_> = target.shape.iter().take(shape.len()).copied().collect();
        self.nest(&outer, &mut |f, i| {
            let row = f.row(&target, i)?;
            f.copy_elements(&row, &source)
        })
    }

    /// The row of an array at some outer indexes.
    pub fn row(&mut self, array: &Array<'c>, indexes: &[Ix<'c>]) -> Result<Array<'c>> {
        let mut offset = array.offset;
        for (i, stride) in indexes.iter().zip(&array.strides) {
            let distance = self.b.mul(*i, *stride)?;
            offset = self.b.add(offset, distance)?;
        }
        let k = indexes.len();
        let inner = |xs: &[Ix<'c>]| xs.get(k..).unwrap_or_default().to_vec();
        let symbolic = match array.symbolic.dims().and_then(|dims| dims.get(k..)) {
            Some(dims) => Symbolic::Layout(dims.to_vec()),
            None => Symbolic::Unknown,
        };
        Ok(Array {
            symbolic,
            offset,
            strides: inner(&array.strides),
            shape: inner(&array.shape),
            memrefs: Memrefs::here(&self.b),
            ..array.clone()
        })
    }

    /// Rows one after the other.
    pub fn array_literal(&mut self, pat: &'p [PatElem], elems: &'p [SubExp]) -> Result<()> {
        let target = self.target(pat)?;
        if self.constant_literal(&target, elems)? {
            return Ok(());
        }
        for (i, elem) in elems.iter().enumerate() {
            let at = [Ix::Const(i64::try_from(i).map_err(Error::bug)?)];
            if target.strides.len() == 1 {
                let value = self.operand(*elem)?;
                self.store(&target, &at, value)?;
            } else {
                let row = self.row(&target, &at)?;
                let elem = elem.var().ok_or_else(|| Error::bug("an array that is a constant"))?;
                let source = self.array(elem)?;
                // In place already?
                let place = target.lmad()?.row(&[SubExp::Const(Const::I64(i as i64))]);
                if !source.lies_at(target.block, &place, &self.defs) {
                    self.copy_elements(&row, &source)?;
                }
            }
        }
        Ok(())
    }

    /// Copies a literal from a table of constants in the object, if its schedule says so. Returns whether it does.
    fn constant_literal(&mut self, target: &Array<'c>, elems: &[SubExp]) -> Result<bool> {
        if *self.copies != [Strategy::Table] {
            return Ok(false);
        }
        let width = usize::try_from(target.elem.bytes()).map_err(Error::bug)?;
        let mut bytes = Vec::with_capacity(elems.len() * width);
        for elem in elems {
            match elem {
                SubExp::Const(c) => bytes.extend(c.bits().to_le_bytes().iter().take(width)),
                SubExp::Var(_) => return Err(Error::bug("a table of what is not constant")),
            }
        }
        let (symbol, ty) = self.m.table(target.elem, &bytes)?;
        let to = self.memref(target)?;
        let from = self.b.memref_get_global(&symbol, ty)?;
        self.b.linalg_copy(from, to, &[(RUNS, self.b.number(0))])?;
        Ok(true)
    }

    /// An element, or a view.
    pub fn index_array(&mut self, stm: &'p Stm, array: Var, dims: &'p [DimIndex]) -> Result<()> {
        let source = self.array(array)?;
        let mut indexes = Vec::with_capacity(dims.len());
        for dim in dims {
            match dim {
                DimIndex::Fix(i) => indexes.push(self.index(*i)?),
                DimIndex::Slice { .. } => break,
            }
        }
        if indexes.len() == dims.len() {
            let value = self.load(&source, &indexes)?;
            return self.bind(&stm.pat, [value]);
        }
        let target = self.target(&stm.pat)?;
        if target.block != source.block {
            let lmad = source.lmad()?.slice(dims);
            let source = self.view(&source, lmad)?;
            self.copy(&target, &source)?;
        }
        Ok(())
    }

    /// Part of an array replaced, in place.
    pub fn update(
        &mut self,
        pat: &'p [PatElem],
        array: Var,
        dims: &'p [DimIndex],
        value: SubExp,
    ) -> Result<()> {
        let target = self.target(pat)?;
        let source = self.array(array)?;
        self.copy_to_other_block(&target, &source)?;
        let mut indexes = Vec::with_capacity(dims.len());
        for dim in dims {
            match dim {
                DimIndex::Fix(i) => indexes.push(self.index(*i)?),
                DimIndex::Slice { .. } => break,
            }
        }
        if indexes.len() == dims.len() {
            let value = self.operand(value)?;
            return self.store(&target, &indexes, value);
        }
        let lmad = target.lmad()?.slice(dims);
        let target = self.view(&target, lmad)?;
        self.write(&target, value)
    }

    /// Writes a scalar or array value into a whole place.
    fn write(&mut self, target: &Array<'c>, value: SubExp) -> Result<()> {
        match value {
            SubExp::Var(v) if self.is_array(v) => {
                let source = self.array(v)?;
                self.copy(target, &source)
            }
            SubExp::Var(_) | SubExp::Const(_) => {
                let value = self.operand(value)?;
                self.fill(target, value)
            }
        }
    }

    /// Whether a variable is an array.
    pub fn is_array(&self, v: Var) -> bool {
        self.arrays.contains_key(&v)
            || self.outer.as_ref().is_some_and(|o| o.arrays.contains_key(&v))
    }

    /// A view of a one-dimensional array.
    pub fn flat_index(
        &mut self,
        pat: &'p [PatElem],
        array: Var,
        offset: SubExp,
        dims: &'p [(SubExp, SubExp)],
    ) -> Result<()> {
        let source = self.array(array)?;
        if let Some(PatElem { ty: Type::Prim(_), .. }) = pat.first() {
            let offset = self.index(offset)?;
            let value = self.load(&source, &[offset])?;
            return self.bind(pat, [value]);
        }
        let target = self.target(pat)?;
        if target.block != source.block {
            let lmad = source.lmad()?.flat_index(offset, dims);
            let source = self.view(&source, lmad)?;
            self.copy(&target, &source)?;
        }
        Ok(())
    }

    /// An update of such a view.
    pub fn flat_update(
        &mut self,
        pat: &'p [PatElem],
        array: Var,
        offset: SubExp,
        dims: &'p [(SubExp, SubExp)],
        value: Var,
    ) -> Result<()> {
        let target = self.target(pat)?;
        let source = self.array(array)?;
        self.copy_to_other_block(&target, &source)?;
        let lmad = target.lmad()?.flat_index(offset, dims);
        let target = self.view(&target, lmad)?;
        self.write(&target, SubExp::Var(value))
    }

    /// The same elements in another shape.
    pub fn reshape(&mut self, pat: &'p [PatElem], array: Var) -> Result<()> {
        let source = self.array(array)?;
        let target = self.target(pat)?;
        if target.block == source.block {
            return Ok(());
        }
        let reshaped = |f: &Self, from: &Array<'c>, to: &Array<'c>| {
            let shape: Vec<_> = to.symbolic.place()?.dims.iter().map(|d| d.n).collect();
            from.symbolic.place()?.reshape(&shape, &f.defs)
        };
        if let Some(lmad) = reshaped(self, &source, &target) {
            let source = self.view(&source, lmad)?;
            return self.copy(&target, &source);
        }
        if let Some(lmad) = reshaped(self, &target, &source) {
            let target = self.view(&target, lmad)?;
            return self.copy(&target, &source);
        }
        // Neither is dense: count elements, and take the count apart for each side.
        let mut n = Ix::Const(1);
        for m in &source.shape {
            n = self.b.mul(n, *m)?;
        }
        self.for_each(n, |f, i| {
            let from = f.unflatten(i, &source.shape)?;
            let to = f.unflatten(i, &target.shape)?;
            let value = f.load(&source, &from)?;
            f.store(&target, &to, value)
        })
    }

    /// The indexes of the element with a row-major number.
    pub fn unflatten(&mut self, number: Ix<'c>, shape: &[Ix<'c>]) -> Result<Vec<Ix<'c>>> {
        let mut indexes = vec![Ix::Const(0); shape.len()];
        let mut rest = number;
        for (k, n) in shape.iter().enumerate().rev() {
            if matches!(n, Ix::Const(1)) {
                continue;
            }
            if shape.iter().take(k).all(|n| matches!(n, Ix::Const(1))) {
                indexes[k] = rest;
                break;
            }
            let (r, n) = (self.b.ix(rest)?, self.b.ix(*n)?);
            indexes[k] = Ix::Val(self.b.remui(r, n)?);
            rest = Ix::Val(self.b.divui(r, n)?);
        }
        Ok(indexes)
    }

    /// Dimensions in another order.
    pub fn rearrange(&mut self, pat: &'p [PatElem], array: Var, perm: &'p [usize]) -> Result<()> {
        let source = self.array(array)?;
        let target = self.target(pat)?;
        if target.block != source.block {
            let lmad = source.lmad()?.permute(perm);
            let source = self.view(&source, lmad)?;
            self.copy(&target, &source)?;
        }
        Ok(())
    }

    /// Arrays one after the other along a dimension.
    pub fn concat(&mut self, pat: &'p [PatElem], dim: usize, arrays: &'p [Var]) -> Result<()> {
        let target = self.target(pat)?;
        let mut start = Start::default();
        for array in arrays {
            let source = self.array(*array)?;
            let part = self.next_part(&target, dim, &mut start, &source)?;
            self.copy(&part, &source)?;
        }
        Ok(())
    }

    /// The part of an array in which a source of a concatenation goes, behind those before.
    pub fn next_part(
        &mut self,
        target: &Array<'c>,
        dim: usize,
        start: &mut Start<'c>,
        source: &Array<'c>,
    ) -> Result<Array<'c>> {
        let mut lmad = target.lmad()?.clone();
        let (Some(n), Some(stride), Some(target_dim), Some(source_dim)) = (
            source.shape.get(dim).copied(),
            target.strides.get(dim).copied(),
            lmad.dims.get_mut(dim),
            source.lmad()?.dims.get(dim),
        ) else {
            return Err(Error::bug("concat rank"));
        };
        target_dim.n = source_dim.n;
        let distance = start.symbolic.mul(&Poly::of(&target_dim.stride));
        let moved = self.b.mul(start.index, stride)?;
        let mut part = target.clone();
        part.offset = self.b.add(target.offset, moved)?;
        if let Some(m) = part.shape.get_mut(dim) {
            *m = n;
        }
        part.memrefs = Memrefs::here(&self.b);
        part.symbolic = Symbolic::Place(lmad.shifted(&distance));
        start.symbolic = start.symbolic.add(&Poly::leaf(source_dim.n));
        start.index = self.b.add(start.index, n)?;
        Ok(part)
    }

    /// Copies between blocks; within one block, both are the same array by contract.
    pub fn copy_to_other_block(&mut self, target: &Array<'c>, source: &Array<'c>) -> Result<()> {
        if target.block == source.block { Ok(()) } else { self.copy(target, source) }
    }

    /// Copies unless both are certainly one place.
    pub fn copy(&mut self, target: &Array<'c>, source: &Array<'c>) -> Result<()> {
        if source.lies_at(target.block, target.lmad()?, &self.defs) {
            return Ok(());
        }
        self.copy_elements(target, source)
    }
}

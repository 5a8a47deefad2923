//! Filling, copying and transposing whole arrays.
//!
//! What is known of the places decides here how it is to be done, and stands on an operation of linalg:
//!
//! | operation, attributes | how |
//! | --- | --- |
//! | `linalg.fill` | a loop per dimension; with `futc.dense` one over all |
//! | `linalg.copy` | a loop per dimension |
//! | `linalg.copy`, `futc.rows = k` | rows that are dense on both sides from dimension `k` on, each by `memref.copy` |
//! | `linalg.transpose` | what goes across: in tiles |
//! | `linalg.transpose`, `futc.vectors` | in squares that registers hold ([`super::squares`]); large ones by panels ([`super::panels`]); with `futc.dense`, along rows if it turns out that they are |
//!
//! [`crate::convert`] has it done by the second half of this file.

use super::function::{Array, Function, Site};
use super::memory::Memrefs;
use super::panels::{Panels, Points};
use crate::Error;
use crate::dialect::{Access, Ix, Val};
use futc_midend::ir::{Lmad, Prim};
use melior::ir::Attribute;

type Result<T> = std::result::Result<T, Error>;

/// Dense rows of at most this many elements are copied by loops, which LLVM unrolls: a call of
/// memcpy would cost more.
const SHORT_ROW: i64 = 16;

/// Attributes of the operations: dimensions from this one on are dense on both sides.
pub const ROWS: &str = "futc.rows";
/// The result is dense.
pub const DENSE: &str = "futc.dense";
/// By vectors, on a processor that has them.
pub const VECTORS: &str = "futc.vectors";

/// How a copy that goes across is done.
#[derive(Clone, Copy)]
pub struct Across {
    /// The dimension along which what is read has its neighbours, and that of what is written.
    pub dims: (usize, usize),
    /// The result is dense.
    pub dense: bool,
}

impl<'c> Function<'c, '_, '_, '_> {
    /// Whether code here may use vectors and panels: on the host, of a program that is all host.
    fn has_vectors(&self) -> bool {
        matches!(self.site, Site::Host(_)) && !self.m.has_kernels()
    }

    /// A scalar in every place of `target`.
    pub fn fill(&mut self, target: &Array<'c>, value: Val<'c>) -> Result<()> {
        if is_empty(target) {
            return Ok(());
        }
        let value = match target.elem {
            Prim::Bool => self.b.extui(value, self.b.types().i8)?,
            Prim::Int(_) | Prim::Float(_) => value,
        };
        let mut how = self.access(target);
        if target.strides.len() > 1 && target.lmad.is_contiguous(&self.defs) {
            how.push((DENSE, self.b.flag()));
        }
        let to = self.memref(target)?;
        self.b.linalg_fill(value, to, &how)
    }

    /// Copies. Source and target do not overlap, or are one place.
    pub fn copy_elements(&mut self, target: &Array<'c>, source: &Array<'c>) -> Result<()> {
        let rank = target.strides.len();
        if rank != source.strides.len() {
            return Err(Error::bug("a copy between ranks"));
        }
        if is_empty(target) {
            return Ok(());
        }
        // The dimensions from here on are dense on both sides.
        let mut rows = rank;
        while rows > 0 && {
            let inner = |a: &Array<'c>| {
                let dims = a.lmad.dims.get(rows - 1..).unwrap_or_default().to_vec();
                Lmad { offset: a.lmad.offset.clone(), dims }.is_contiguous(&self.defs)
            };
            inner(target) && inner(source)
        } {
            rows -= 1;
        }
        let known = |n: &Ix<'c>| match n {
            Ix::Const(n) => Some(*n),
            Ix::Val(_) => None,
        };
        let count = target.shape.get(rows..).unwrap_or_default().iter().map(known);
        let count: Option<i64> = count.product();
        let short = rows > 0 && count.is_some_and(|n| n <= SHORT_ROW);
        // Sizes are those of the result, whatever else is known of the source's.
        let memrefs = Memrefs::here(&self.b);
        let source = Array { shape: target.shape.clone(), memrefs, ..source.clone() };
        let to = self.memref(target)?;
        if rows < rank && !short {
            let from = self.memref(&source)?;
            let rows = self.b.number(i64::try_from(rows).map_err(Error::bug)?);
            return self.b.linalg_copy(from, to, &[(ROWS, rows)]);
        }
        match self.crossed(target, &source) {
            Some((along, _)) => self.transpose(target, to, &source, along),
            None => {
                let from = self.memref(&source)?;
                self.b.linalg_copy(from, to, &[])
            }
        }
    }

    /// The operation of a copy whose source has its neighbours along a dimension of the result that
    /// is not the last.
    fn transpose(
        &mut self,
        target: &Array<'c>,
        to: Val<'c>,
        source: &Array<'c>,
        along: usize,
    ) -> Result<()> {
        let rank = target.strides.len();
        let (from, _) = self.vectors_at(source, &vec![Ix::Const(0); rank])?;
        // The operand has that dimension last.
        let order: Vec<usize> = (0..rank).filter(|d| *d != along).chain([along]).collect();
        let mut permutation = vec![0; rank];
        for (i, d) in order.iter().enumerate() {
            permutation[*d] = i64::try_from(i).map_err(Error::bug)?;
        }
        let mut how: Vec<(&str, Attribute<'c>)> = Vec::new();
        if self.has_vectors() {
            how.push((VECTORS, self.b.flag()));
        }
        if target.lmad.is_contiguous(&self.defs) {
            how.push((DENSE, self.b.flag()));
        }
        self.b.linalg_transpose(from, to, &permutation, &how)
    }

    /// Does a `linalg.fill`: of values as they are stored.
    pub fn do_fill(
        &mut self,
        target: &Array<'c>,
        value: Val<'c>,
        dense: bool,
        access: &Access<'c>,
    ) -> Result<()> {
        let target = if dense { self.flattened(target)? } else { target.clone() };
        let memref = self.memref(&target)?;
        self.nest(&target.shape, &mut |f, i| f.b.memref_store(value, memref, i, access))
    }

    /// A dense array as a one-dimensional one.
    fn flattened(&mut self, array: &Array<'c>) -> Result<Array<'c>> {
        let mut n = Ix::Const(1);
        for m in &array.shape {
            n = self.b.mul(n, *m)?;
        }
        let memrefs = Memrefs::here(&self.b);
        Ok(Array { strides: vec![Ix::Const(1)], shape: vec![n], memrefs, ..array.clone() })
    }

    /// Does a `linalg.copy`, by rows from a dimension on if there are any.
    pub fn do_copy(
        &mut self,
        target: &Array<'c>,
        source: &Array<'c>,
        rows: Option<usize>,
    ) -> Result<()> {
        match rows {
            Some(rows) => self.copy_rows(target, source, rows),
            None => self.nest(&target.shape, &mut |f, i| f.copy_element(target, source, i)),
        }
    }

    fn copy_element(
        &mut self,
        target: &Array<'c>,
        source: &Array<'c>,
        at: &[Ix<'c>],
    ) -> Result<()> {
        let value = self.load_raw(source, at)?;
        self.store_raw(target, at, value)
    }

    /// Does a `linalg.transpose`, of which the source is indexed as the result is.
    pub fn do_transpose(
        &mut self,
        target: &Array<'c>,
        source: &Array<'c>,
        how: Across,
    ) -> Result<()> {
        let mut point = |f: &mut Self, i: &[Ix<'c>]| f.copy_element(target, source, i);
        let mut value = |f: &mut Self, i: &[Ix<'c>]| f.load_raw(source, i);
        let mut reads = |f: &mut Self, i: &[Ix<'c>]| Ok(vec![(f.memref(source)?, i.to_vec())]);
        let points = Points { value: &mut value, reads: &mut reads };
        let mut plain = |f: &mut Self| f.copy_across(target, source, how.dims, &mut point);
        let along = if how.dense { self.goes_along(target, source)? } else { None };
        match along {
            Some(along) => self.either(
                along,
                |f| f.copy_rows(target, source, 0),
                |f| f.across(target, Panels::of_copy(how.dims), points, &mut plain),
            ),
            None => self.across(target, Panels::of_copy(how.dims), points, &mut plain),
        }
    }

    /// Copies rows that are dense on both sides from a dimension on.
    fn copy_rows(&mut self, target: &Array<'c>, source: &Array<'c>, rows: usize) -> Result<()> {
        let rank = target.strides.len();
        let outer: Vec<_> = target.shape.iter().take(rows).copied().collect();
        let shape = target.shape.get(rows..).unwrap_or_default();
        self.nest(&outer, &mut |f, i| {
            let (mut to, mut from) = (f.memref(target)?, f.memref(source)?);
            if rows > 0 {
                let mut i = i.to_vec();
                i.resize(rank, Ix::Const(0));
                to = f.b.memref_subview(to, &i, shape)?;
                from = f.b.memref_subview(from, &i, shape)?;
            }
            f.b.memref_copy(from, to, &[(DENSE, f.b.flag())])
        })
    }
}

/// Whether an array is known to have no elements; then linalg refuses it.
fn is_empty(array: &Array<'_>) -> bool {
    array.shape.iter().any(|n| matches!(n, Ix::Const(n) if *n <= 0))
}

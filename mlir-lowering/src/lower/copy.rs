//! Filling, copying and transposing whole arrays.
//!
//! How a copy is done is said by the schedule of its statement ([`futc_midend::passes::schedule`]), of which
//! the first strategies that fit are written on an operation of linalg; rows of results by what stands behind
//! `rows`. What has no schedule goes by loops; so do results of entry points that are not dense, which only
//! programs written by hand have.
//!
//! | operation, attributes | how |
//! | --- | --- |
//! | `linalg.fill` | a loop per dimension; with `futc.dense` one over all |
//! | `linalg.copy` | a loop per dimension |
//! | `linalg.copy`, `futc.runs = k` | what is dense on both sides from dimension `k` on by `memref.copy` |
//! | `linalg.transpose` | what goes across: a loop per dimension |
//! | `futc.along` on it | at once, if it turns out that neighbours go to neighbours |
//! | `futc.panels = [rows, ahead, least, from]` | else what is larger by panels ([`super::panels`]) |
//! | `futc.innermost` on it | what is read one after the other in the innermost loop |
//! | `futc.squares = [lanes, side]` | else in squares that registers hold ([`super::squares`]) |
//! | `futc.tiles = size` | else in tiles ([`super::tiles`]) |
//!
//! [`crate::convert`] has it done by the second half of this file.

use super::function::{Array, Function, Site, Symbolic};
use super::memrefs::Memrefs;
use super::panels::{Panels, Points};
use crate::Error;
use crate::dialect::{Access, Ix, Val};
use futc_midend::analysis::copies::Copied;
use futc_midend::ir::{Prim, Strategy};
use futc_midend::passes::schedule::legal_of_copy;
use melior::ir::Attribute;

type Result<T> = std::result::Result<T, Error>;

/// Attributes of the operations: dimensions from this one on are dense on both sides.
pub const RUNS: &str = "futc.runs";
/// The result is dense.
pub const DENSE: &str = "futc.dense";
/// See above.
pub const ALONG: &str = "futc.along";
/// See above.
pub const PANELS: &str = "futc.panels";
/// See above.
pub const INNERMOST: &str = "futc.innermost";
/// See above.
pub const SQUARES: &str = "futc.squares";
/// See above.
pub const TILES: &str = "futc.tiles";

/// How a copy that goes across is done.
#[derive(Clone, Copy)]
pub struct Across {
    /// The dimension along which what is read has its neighbours, and that of what is written.
    pub dims: (usize, usize),
    /// At once, if neighbours go to neighbours.
    pub along: bool,
    /// The dimension along which is read is the innermost one.
    pub innermost: bool,
    /// What is large.
    pub panels: Option<Panels>,
    /// Elements of a square each way, and squares that are done together each way.
    pub squares: Option<(i64, i64)>,
    /// Points of a tile each way, of what goes in no squares.
    pub tiles: Option<i64>,
}

impl<'c> Function<'c, '_, '_, '_> {
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
        let layout = target.symbolic.layout();
        if target.strides.len() > 1 && layout.is_some_and(|l| l.is_contiguous(&self.defs)) {
            how.push((DENSE, self.b.flag()));
        }
        let to = self.memref(target)?;
        self.b.linalg_fill(value, to, &how)
    }

    /// The strategies of a copy that fit it, of which only the last one does for all sizes.
    fn strategies(&self, target: &Array<'c>, source: &Array<'c>) -> Result<Vec<Strategy>> {
        if self.copies.is_empty() {
            return Ok(vec![Strategy::Loops { unroll: 1 }]);
        }
        let layouts = target.symbolic.layout().zip(source.symbolic.layout());
        let elem = target.elem;
        let copied = layouts.map(|(target, source)| Copied { elem, target, source });
        let fits = |s: &&Strategy| {
            copied.as_ref().is_some_and(|c| legal_of_copy(c, **s, &self.defs).is_ok())
        };
        let mut chosen: Vec<Strategy> = self.copies.iter().filter(fits).copied().collect();
        let end = chosen.iter().position(|s| s.is_unconditional());
        let end = end.ok_or_else(|| Error::bug("a copy that its schedule does not foresee"))?;
        chosen.truncate(end + 1);
        Ok(chosen)
    }

    /// Copies. Source and target do not overlap, or are one place.
    pub fn copy_elements(&mut self, target: &Array<'c>, source: &Array<'c>) -> Result<()> {
        if target.strides.len() != source.strides.len() {
            return Err(Error::bug("a copy between ranks"));
        }
        if is_empty(target) {
            return Ok(());
        }
        let inner = match (self.in_points, &self.site) {
            (false, Site::Host(_)) => target.shape.get(1..).unwrap_or_default(),
            _ => &[],
        };
        match self.all_positive(inner)? {
            Some(some) => self.when(some, |f| f.copy_all(target, source)),
            None => self.copy_all(target, source),
        }
    }

    /// Copies what is not empty, or not known to be. See Note [Empty results].
    fn copy_all(&mut self, target: &Array<'c>, source: &Array<'c>) -> Result<()> {
        let strategies = self.strategies(target, source)?;
        // Sizes are those of the result, whatever else is known of the source's.
        let memrefs = Memrefs::here(&self.b);
        let source = Array { shape: target.shape.clone(), memrefs, ..source.clone() };
        let to = self.memref(target)?;
        let mut how: Vec<(&str, Attribute<'c>)> = Vec::new();
        let mut across = false;
        for strategy in strategies {
            match strategy {
                Strategy::Runs { from } => {
                    let from = i64::try_from(from).map_err(Error::bug)?;
                    how.push((RUNS, self.b.number(from)));
                }
                Strategy::Along => {
                    across = true;
                    how.push((ALONG, self.b.flag()));
                }
                Strategy::Panels { rows, ahead, least, from, .. } => {
                    across = true;
                    how.push((PANELS, self.b.numbers(&[rows, ahead, least, from])));
                }
                Strategy::Innermost { .. } => {
                    across = true;
                    how.push((INNERMOST, self.b.flag()));
                }
                Strategy::Squares { lanes, side, .. } => {
                    across = true;
                    how.push((SQUARES, self.b.numbers(&[lanes, side])));
                }
                Strategy::Tiles { size, .. } => {
                    across = true;
                    how.push((TILES, self.b.number(size)));
                }
                _ => {}
            }
        }
        match (across, source.unit()) {
            (true, Some(along)) => self.transpose(target, to, &source, along, &how),
            (true, None) => Err(Error::bug("a copy across that reads no neighbours")),
            (false, _) => {
                let from = self.memref(&source)?;
                self.b.linalg_copy(from, to, &how)
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
        how: &[(&str, Attribute<'c>)],
    ) -> Result<()> {
        let rank = target.strides.len();
        let (from, _) = self.vectors_at(source, &vec![Ix::Const(0); rank])?;
        // The operand has that dimension last.
        let order: Vec<usize> = (0..rank).filter(|d| *d != along).chain([along]).collect();
        let mut permutation = vec![0; rank];
        for (i, d) in order.iter().enumerate() {
            permutation[*d] = i64::try_from(i).map_err(Error::bug)?;
        }
        self.b.linalg_transpose(from, to, &permutation, how)
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
        let (strides, shape) = (vec![Ix::Const(1)], vec![n]);
        Ok(Array { symbolic: Symbolic::Unknown, strides, shape, memrefs, ..array.clone() })
    }

    /// Does a `linalg.copy`, by runs from a dimension on if there are any.
    pub fn do_copy(
        &mut self,
        target: &Array<'c>,
        source: &Array<'c>,
        runs: Option<usize>,
    ) -> Result<()> {
        match runs {
            Some(from) => self.copy_runs(target, source, from),
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
        let shape = target.shape.clone();
        let mut plain = |f: &mut Self| match (how.squares, how.tiles) {
            (Some(sizes), _) => f.copy_in_squares(target, source, how.dims, sizes, &mut point),
            (None, Some(size)) => f.tiled_nest(&shape, how.dims, size, &mut point),
            (None, None) if how.innermost => f.nest_around(&shape, how.dims.0, &mut point),
            (None, None) => f.nest(&shape, &mut point),
        };
        let rest = |f: &mut Self| match how.panels {
            Some(panels) => f.across(target, panels, points, &mut plain),
            None => plain(f),
        };
        let along = if how.along { self.goes_along(target, source)? } else { None };
        match along {
            Some(along) => self.either(along, |f| f.copy_runs(target, source, 0), rest),
            None => rest(self),
        }
    }

    /// Copies runs that are dense on both sides from a dimension on.
    fn copy_runs(&mut self, target: &Array<'c>, source: &Array<'c>, rows: usize) -> Result<()> {
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

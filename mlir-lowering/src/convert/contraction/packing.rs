//! Factors evaluated into panels: by vectors, in squares that registers hold, or one element after the other.

use super::operation::{Factor, Product, index_cast_of_loop, index_of_loop};
use crate::convert::conversion::{Result, key, operand, operands};
use crate::dialect::{Ix, Predicate, Val, layout_of, name_of, result_of};
use crate::lower::function::{Array, Function};
use crate::{Error, ffi};
use futc_midend::ir::Prim;
use melior::ir::ValueLike;
use melior::ir::block::BlockLike;
use melior::ir::operation::OperationLike;
use std::collections::HashMap;

/// Smaller squares gain nothing over elements one by one.
const LEAST_LANES: i64 = 4;

/// A factor on its way into panels.
pub(super) struct Packing<'a, 'c> {
    pub(super) factor: &'a Factor<'c>,
    /// The loop that runs along a panel's width.
    pub(super) across: usize,
    pub(super) buffer: Val<'c>,
    pub(super) width: i64,
}

/// A product under construction: inside its outer loops.
pub(super) struct Blocks<'a, 'c> {
    pub(super) p: &'a Product<'c>,
    pub(super) target: &'a Array<'c>,
    pub(super) rows: Packing<'a, 'c>,
    pub(super) columns: Packing<'a, 'c>,
    /// Numbers of rows, columns and steps.
    pub(super) m: Ix<'c>,
    pub(super) n: Ix<'c>,
    pub(super) k: Ix<'c>,
    /// Where the outer loops are.
    pub(super) outer: Vec<Ix<'c>>,
    /// Room for a tile at an edge.
    pub(super) scratch: Val<'c>,
}

impl<'c> Blocks<'_, 'c> {
    /// The indexes of a result.
    pub(super) fn place(&self, i: Ix<'c>, j: Ix<'c>) -> Vec<Ix<'c>> {
        let mut outer = self.outer.iter();
        (0..self.p.depth)
            .map(|d| {
                if d == self.p.row {
                    i
                } else if d == self.p.column {
                    j
                } else {
                    outer.next().copied().unwrap_or(Ix::Const(0))
                }
            })
            .collect()
    }
}

impl<'c> Function<'c, '_, '_, '_> {
    /// A panel.
    pub(super) fn panel(
        &mut self,
        p: &Packing<'_, 'c>,
        i: Ix<'c>,
        steps: Ix<'c>,
    ) -> Result<Val<'c>> {
        let length = self.b.mul(steps, Ix::Const(p.width))?;
        let distance = self.b.mul(i, length)?;
        self.b.memref_subview(p.buffer, &[distance], &[length])
    }

    /// Evaluates a factor into panels: from the first of some number of panels on, of a dimension
    /// of some size; from the first of some steps on.
    pub(super) fn pack(
        &mut self,
        blocks: &Blocks<'_, 'c>,
        p: &Packing<'_, 'c>,
        (start, panels, n): (Ix<'c>, Ix<'c>, Ix<'c>),
        first: Ix<'c>,
        steps: Ix<'c>,
    ) -> Result<()> {
        let depth_inside = runs_along(blocks.p, p)?;
        let neighbours = if depth_inside { blocks.p.depth } else { p.across };
        let vectors = vectors_along(blocks.p, p, neighbours)?;
        self.for_each(panels, |f, i| {
            let panel = f.panel(p, i, steps)?;
            let distance = f.b.mul(i, Ix::Const(p.width))?;
            let start = f.b.add(start, distance)?;
            let last = f.b.sub(n, Ix::Const(1))?;
            let fill = |f: &mut Self, whole: bool| {
                let (done, steps) = match vectors.filter(|_| whole) {
                    Some(side) if depth_inside => {
                        f.pack_squares(blocks, p, side, (panel, start), first, steps)?
                    }
                    Some(lanes) => {
                        return f.pack_vectors(blocks, p, lanes, (panel, start), first, steps);
                    }
                    None => (Ix::Const(0), steps),
                };
                let shape = [steps, Ix::Const(p.width)];
                let shape = if depth_inside { [shape[1], shape[0]] } else { shape };
                f.nest(&shape, &mut |f, at| {
                    let [outer, inner] = *at else { return Err(Error::bug("a panel")) };
                    let (step, lane) = if depth_inside { (inner, outer) } else { (outer, inner) };
                    let step = f.b.add(done, step)?;
                    let mut across = f.b.add(start, lane)?;
                    if !whole {
                        across = f.min(across, last)?;
                    }
                    let along = f.b.add(first, step)?;
                    let mut point = blocks.place(across, across);
                    point.push(along);
                    let value = f.factor(blocks.p, p.factor, &point)?;
                    let row = f.b.mul(step, Ix::Const(p.width))?;
                    let position = f.b.add(row, lane)?;
                    f.set(panel, &[position], blocks.p.elem, value)
                })
            };
            let end = f.b.add(start, Ix::Const(p.width))?;
            let (end, n) = (f.b.ix(end)?, f.b.ix(n)?);
            let whole = f.b.cmpi(Predicate::Sle, end, n)?;
            f.either(whole, |f| fill(f, true), |f| fill(f, false))
        })
    }

    /// Reads a factor that lies depth by depth into a panel, as many steps as there are whole squares of; so many, and how
    /// many are left.
    fn pack_squares(
        &mut self,
        blocks: &Blocks<'_, 'c>,
        p: &Packing<'_, 'c>,
        square: i64,
        (panel, start): (Val<'c>, Ix<'c>),
        first: Ix<'c>,
        steps: Ix<'c>,
    ) -> Result<(Ix<'c>, Ix<'c>)> {
        let (squares, whole) = self.whole_squares(steps, square)?;
        self.for_each(squares, |f, q| {
            let step = f.b.mul(q, Ix::Const(square))?;
            let along = f.b.add(first, step)?;
            let row = f.b.mul(step, Ix::Const(p.width))?;
            for part in (0..p.width).step_by(usize::try_from(square).map_err(Error::bug)?) {
                let mut rows = Vec::new();
                for lane in part..part + square {
                    let across = f.b.add(start, Ix::Const(lane))?;
                    rows.push(f.vector_of_factor(blocks, p, square, (across, along))?);
                }
                for (step, value) in (0..square).zip(f.transposed(rows)?) {
                    let position = f.b.add(row, Ix::Const(step * p.width + part))?;
                    f.store_vector(panel, &[position], value)?;
                }
            }
            Ok(())
        })?;
        Ok((whole, self.b.sub(steps, whole)?))
    }

    /// Reads a factor that lies across into a panel, by vectors. LLVM would make them of the loop only where it knows that
    /// the panel is not what is read, which tasks do not tell it.
    fn pack_vectors(
        &mut self,
        blocks: &Blocks<'_, 'c>,
        p: &Packing<'_, 'c>,
        lanes: i64,
        (panel, start): (Val<'c>, Ix<'c>),
        first: Ix<'c>,
        steps: Ix<'c>,
    ) -> Result<()> {
        self.for_each(steps, |f, step| {
            let along = f.b.add(first, step)?;
            let row = f.b.mul(step, Ix::Const(p.width))?;
            let parts = (0..p.width).step_by(usize::try_from(lanes).map_err(Error::bug)?);
            for part in parts {
                let across = f.b.add(start, Ix::Const(part))?;
                let value = f.vector_of_factor(blocks, p, lanes, (across, along))?;
                let position = f.b.add(row, Ix::Const(part))?;
                f.store_vector(panel, &[position], value)?;
            }
            Ok(())
        })
    }

    /// Neighbours of a factor that is nothing but read, from an index across and one along the depth on.
    fn vector_of_factor(
        &mut self,
        blocks: &Blocks<'_, 'c>,
        p: &Packing<'_, 'c>,
        lanes: i64,
        (across, along): (Ix<'c>, Ix<'c>),
    ) -> Result<Val<'c>> {
        let read = p.factor.reads.first().copied();
        let read = read.and_then(|i| blocks.p.arrays.get(i).zip(blocks.p.maps.get(i)));
        let (array, map) = read.ok_or_else(|| Error::bug("a factor of no operand"))?;
        let vector = self.vector_type(blocks.p.elem, lanes)?;
        let mut point = blocks.place(across, across);
        point.push(along);
        let indexes: Option<Vec<_>> = map.iter().map(|d| point.get(*d).copied()).collect();
        let indexes = indexes.ok_or_else(|| Error::bug("an index of a loop that is none"))?;
        let (from, at) = self.vectors_at(array, &indexes)?;
        self.load_vector(vector, from, &at)
    }

    /// The value of a factor where the loops are at a point.
    fn factor(
        &mut self,
        p: &Product<'c>,
        factor: &Factor<'c>,
        point: &[Ix<'c>],
    ) -> Result<Val<'c>> {
        let at = |d: usize| {
            point.get(d).copied().ok_or_else(|| Error::bug("an index of a loop that is none"))
        };
        let mut values: HashMap<usize, Val<'c>> = HashMap::new();
        let block = p.product.block().map(ffi::detach_block);
        let block = block.ok_or_else(|| Error::bug("an operation in no block"))?;
        for read in &factor.reads {
            let (Some(array), Some(map)) = (p.arrays.get(*read), p.maps.get(*read)) else {
                return Err(Error::bug("a factor of no operand"));
            };
            let indexes = map.iter().map(|d| at(*d)).collect::<Result<Vec<_>>>()?;
            let value = self.load(array, &indexes)?;
            values.insert(key(ffi::detach_value(block.argument(*read)?.into())), value);
        }
        for operation in &factor.code {
            let result = result_of(*operation, 0)?;
            let value = match (index_of_loop(*operation)?, index_cast_of_loop(*operation)?) {
                (Some(d), _) => self.b.index(at(d)?)?,
                (None, Some(d)) => self.b.ix(at(d)?)?,
                (None, None) => {
                    let copy = self.b.copy_of(*operation, &|v| values.get(&key(v)).copied())?;
                    for i in 1..operation.result_count() {
                        values.insert(key(result_of(*operation, i)?), result_of(copy, i)?);
                    }
                    result_of(copy, 0)?
                }
            };
            values.insert(key(result), value);
        }
        values
            .get(&key(factor.value))
            .copied()
            .ok_or_else(|| Error::bug("a factor that is the same everywhere"))
    }
}

/// The longest vectors that a panel's width is a whole number of, if a factor is nothing but read, and its neighbours are those
/// along a loop.
fn vectors_along<'c>(
    p: &Product<'c>,
    packing: &Packing<'_, 'c>,
    dim: usize,
) -> Result<Option<i64>> {
    let ([read], []) = (packing.factor.reads.as_slice(), packing.factor.code.as_slice()) else {
        return Ok(None);
    };
    let (Some(array), Some(map)) = (p.arrays.get(*read), p.maps.get(*read)) else {
        return Err(Error::bug("a factor of no operand"));
    };
    let along = map
        .iter()
        .zip(&array.strides)
        .any(|(d, stride)| *d == dim && matches!(stride, Ix::Const(1)));
    let mut lanes = p.sizes.lanes;
    while packing.width % lanes != 0 {
        lanes /= 2;
    }
    let suits = along && array.elem == p.elem && p.elem != Prim::Bool;
    let suits = suits && lanes >= LEAST_LANES && lanes & (lanes - 1) == 0;
    Ok(suits.then_some(lanes))
}

/// Whether steps of the depth are neighbours in memory, rather than what lies across.
fn runs_along<'c>(p: &Product<'c>, packing: &Packing<'_, 'c>) -> Result<bool> {
    let mut along = false;
    for read in &packing.factor.reads {
        let (Some(array), Some(map)) = (p.arrays.get(*read), p.maps.get(*read)) else { continue };
        for (d, stride) in map.iter().zip(&array.strides) {
            if let Ix::Const(1) = stride {
                if *d == packing.across {
                    return Ok(false);
                }
                along |= *d == p.depth;
            }
        }
    }
    // What is read at computed indexes may have the loop's in its last dimension.
    for load in packing.factor.code.iter().filter(|o| name_of(**o) == "memref.load") {
        let ty = operand(*load, 0)?.r#type();
        let last = operands(*load, 1)?.pop();
        let (Some(1), Some(index)) = (layout_of(ty)?.1.last().copied(), last) else {
            continue;
        };
        let mut by = ffi::made_by(index);
        while let Some(cast) = by.filter(|by| name_of(*by) == "arith.index_cast") {
            by = ffi::made_by(operand(cast, 0)?);
        }
        let of = by.map(index_of_loop).transpose()?.flatten();
        if of == Some(packing.across) {
            return Ok(false);
        }
        along |= of == Some(p.depth);
    }
    Ok(along)
}

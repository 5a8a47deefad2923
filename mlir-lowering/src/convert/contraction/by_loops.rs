//! Products that are too small for blocks: by loops.
//!
//! ```text
//! linalg.generic …                             for i, j: s = initial
//!                                                for k: s = region(a[i, k], b[k, j], s)
//!                                                c[i, j] = s
//! linalg.generic … {futc.columns = [1, 512]}   for i, for each block of columns:
//!                                                for j: acc[j] = initial
//!                                                for k, j: acc[j] = region(a[i, k], b[k, j], acc[j])
//!                                                for j: c[i, j] = acc[j]
//! ```

use super::super::conversion::{Result, key, numbers, operand};
use super::Initial;
use super::operation::{index_cast_of_loop, index_of_loop, maps_of, sizes_of_loops};
use crate::dialect::{Access, Ix, Val, result_of};
use crate::lower::contraction::{ACCESSES, COLUMNS, OF_OPERANDS};
use crate::lower::function::{Array, Function};
use crate::{Error, ffi};
use melior::ir::attribute::ArrayAttribute;
use melior::ir::block::BlockLike;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{BlockRef, RegionLike};
use std::collections::HashMap;

/// A product as its operation says it.
pub(in super::super) struct Loops<'c> {
    /// Operands, of which the last one is the result.
    arrays: Vec<Array<'c>>,
    /// What they are in MLIR, and what is known of accesses to them.
    memrefs: Vec<(Val<'c>, Access<'c>)>,
    /// The loops that their dimensions are walked by.
    maps: Vec<Vec<usize>>,
    /// How often each loop runs; the innermost one is reduced.
    sizes: Vec<Ix<'c>>,
    /// The loop that becomes the innermost one, and how much of it at a time.
    columns: Option<(usize, i64)>,
    body: BlockRef<'c, 'c>,
}

impl<'c> Loops<'c> {
    pub(in super::super) fn of(
        f: &mut Function<'c, '_, '_, '_>,
        operation: OperationRef<'c, 'c>,
        arrays: Vec<Array<'c>>,
    ) -> Result<Loops<'c>> {
        let maps = maps_of(operation)?;
        let rank = arrays.last().map_or(0, |target| target.strides.len());
        if !maps.last().is_some_and(|map| map.iter().copied().eq(0..rank)) {
            return Err(Error::bug("a product whose result is turned"));
        }
        if maps.iter().flatten().max() != Some(&rank) {
            return Err(Error::bug(
                "linalg.generic that is no product: its last loop must be reduced",
            ));
        }
        let sizes = sizes_of_loops(rank + 1, &maps, &arrays)?;
        let columns = match operation.has_attribute(COLUMNS) {
            true => Some(columns_of(operation, rank)?),
            false => None,
        };
        let body = operation.region(0)?.first_block().map(ffi::detach_block);
        let body = body.ok_or_else(|| Error::bug("an operation without a body"))?;
        let mut memrefs = Vec::with_capacity(arrays.len());
        for (i, array) in arrays.iter().enumerate() {
            memrefs.push((f.memref(array)?, access_of(operation, i)?));
        }
        Ok(Loops { arrays, memrefs, maps, sizes, columns, body })
    }
}

impl<'c> Function<'c, '_, '_, '_> {
    /// Does a product, of results that are what `initial` says, or what they are.
    pub(in super::super) fn do_product_by_loops(
        &mut self,
        p: &Loops<'c>,
        initial: Option<&Initial<'c>>,
    ) -> Result<()> {
        let (steps, outer) =
            p.sizes.split_last().ok_or_else(|| Error::bug("a product without loops"))?;
        match p.columns {
            Some((columns, block)) => self.by_columns(p, columns, block, initial),
            None => self.nest(outer, &mut |f, at| {
                let start = f.start(p, at, initial)?;
                let steps = f.b.ix(*steps)?;
                let sum = f.for_carrying(steps, &[start], |f, step, sum| {
                    let point: Vec<_> = at.iter().copied().chain([Ix::Val(step)]).collect();
                    let sum = sum.first().copied().ok_or_else(|| Error::bug("no sum"))?;
                    f.region_at(p, &point, sum).map(|next| vec![next])
                })?;
                let sum = sum.first().copied().ok_or_else(|| Error::bug("no sum"))?;
                f.finish(p, at, sum)
            }),
        }
    }

    fn by_columns(
        &mut self,
        p: &Loops<'c>,
        columns: usize,
        block: i64,
        initial: Option<&Initial<'c>>,
    ) -> Result<()> {
        let rank = p.sizes.len() - 1;
        let size =
            |d: usize| p.sizes.get(d).copied().ok_or_else(|| Error::bug("a loop without a size"));
        let (steps, n) = (size(rank)?, size(columns)?);
        let outer = (0..rank).filter(|d| *d != columns).map(size).collect::<Result<Vec<_>>>()?;
        let target = p.arrays.last().ok_or_else(|| Error::bug("a product without a result"))?;
        let acc = self.stack_in_entry(target.elem, &[block])?;
        let plain = Access::default();
        self.nest_outside(&outer, &mut |f, at| {
            let place = |j: Ix<'c>| {
                let mut place = at.to_vec();
                place.insert(columns, j);
                place
            };
            f.each_block(n, block, &mut |f, first, count| {
                f.for_each(count, |f, lane| {
                    let j = f.b.add(first, lane)?;
                    let start = f.start(p, &place(j), initial)?;
                    f.b.memref_store(start, acc, &[lane], &plain)
                })?;
                f.nest_outside(&[steps], &mut |f, at| {
                    let [step] = *at else { return Err(Error::bug("columns")) };
                    f.for_each(count, |f, lane| {
                        let j = f.b.add(first, lane)?;
                        let mut point = place(j);
                        point.push(step);
                        let sum = f.b.memref_load(acc, &[lane], &plain)?;
                        let next = f.region_at(p, &point, sum)?;
                        f.b.memref_store(next, acc, &[lane], &plain)
                    })
                })?;
                f.for_each(count, |f, lane| {
                    let sum = f.b.memref_load(acc, &[lane], &plain)?;
                    let j = f.b.add(first, lane)?;
                    f.finish(p, &place(j), sum)
                })
            })
        })
    }

    /// What a result is before anything is added to it.
    fn start(
        &mut self,
        p: &Loops<'c>,
        at: &[Ix<'c>],
        initial: Option<&Initial<'c>>,
    ) -> Result<Val<'c>> {
        match (initial, p.memrefs.last()) {
            (Some((value, _)), _) => Ok(*value),
            (None, Some((memref, access))) => self.b.memref_load(*memref, at, access),
            (None, None) => Err(Error::bug("a product without a result")),
        }
    }

    fn finish(&mut self, p: &Loops<'c>, at: &[Ix<'c>], value: Val<'c>) -> Result<()> {
        let (memref, access) =
            p.memrefs.last().ok_or_else(|| Error::bug("a product without a result"))?;
        self.b.memref_store(value, *memref, at, access)
    }

    /// What the region yields where the loops are at a point, of a sum so far.
    fn region_at(&mut self, p: &Loops<'c>, point: &[Ix<'c>], sum: Val<'c>) -> Result<Val<'c>> {
        let at = |d: usize| {
            point.get(d).copied().ok_or_else(|| Error::bug("an index of a loop that is none"))
        };
        let argument =
            |i: usize| -> Result<usize> { Ok(key(ffi::detach_value(p.body.argument(i)?.into()))) };
        let mut values = HashMap::new();
        let inputs = p.memrefs.len().saturating_sub(1);
        for (i, ((memref, access), map)) in p.memrefs.iter().zip(&p.maps).take(inputs).enumerate() {
            // One that only tells how many steps there are is not read.
            if ffi::is_used(ffi::detach_value(p.body.argument(i)?.into())) {
                let indexes = map.iter().map(|d| at(*d)).collect::<Result<Vec<_>>>()?;
                values.insert(argument(i)?, self.b.memref_load(*memref, &indexes, access)?);
            }
        }
        values.insert(argument(inputs)?, sum);
        let mut next = p.body.first_operation().map(ffi::detach_operation);
        while let Some(operation) = next {
            next = operation.next_in_block().map(ffi::detach_operation);
            if next.is_none() {
                let result = operand(operation, 0)?;
                return values
                    .get(&key(result))
                    .copied()
                    .ok_or_else(|| Error::bug("a sum that is the same everywhere"));
            }
            match (index_of_loop(operation)?, index_cast_of_loop(operation)?) {
                (Some(d), _) => {
                    values.insert(key(result_of(operation, 0)?), self.b.index(at(d)?)?);
                }
                (None, Some(d)) => {
                    values.insert(key(result_of(operation, 0)?), self.b.ix(at(d)?)?);
                }
                (None, None) => {
                    let copy = self.b.copy_of(operation, &|v| values.get(&key(v)).copied())?;
                    for i in 0..operation.result_count() {
                        values.insert(key(result_of(operation, i)?), result_of(copy, i)?);
                    }
                }
            }
        }
        Err(Error::bug("a body without an end"))
    }
}

/// The loop that becomes the innermost one, of so many that are not reduced, and how much of it at a time.
fn columns_of(operation: OperationRef<'_, '_>, rank: usize) -> Result<(usize, i64)> {
    let [dim, block] = *numbers(operation, COLUMNS)? else {
        return Err(Error::bug("columns of other than a dimension and a block"));
    };
    let dim = usize::try_from(dim).map_err(Error::bug)?;
    if dim >= rank || block <= 0 {
        return Err(Error::bug("columns of a dimension that there is not, or of none"));
    }
    Ok((dim, block))
}

/// What is known of accesses to an operand.
fn access_of<'c>(operation: OperationRef<'c, 'c>, operand: usize) -> Result<Access<'c>> {
    let mut access = Access::default();
    let Ok(all) = operation.attribute(OF_OPERANDS) else { return Ok(access) };
    let lists = ArrayAttribute::try_from(ArrayAttribute::try_from(all)?.element(operand)?)?;
    for (i, name) in ACCESSES.into_iter().enumerate() {
        let list = lists.element(i)?;
        if !ArrayAttribute::try_from(list)?.is_empty() {
            access.known.push((name, list));
        }
    }
    Ok(access)
}

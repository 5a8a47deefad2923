//! The operation of a product, taken apart: which operands and which code of the region make each factor.

use super::super::conversion::{Result, key, numbers, operand, operands};
use crate::dialect::{Ix, Val, name_of, result_of};
use crate::lower::contraction::{BLOCK, DIMS, LANES, TILE};
use crate::lower::function::{Array, Function};
use crate::{Error, ffi};
use futc_midend::ir::Prim;
use melior::ir::attribute::{ArrayAttribute, IntegerAttribute};
use melior::ir::block::BlockLike;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{BlockRef, RegionLike, Type};
use std::collections::HashSet;

/// A factor of the product: the code of the region that computes it.
pub(super) struct Factor<'c> {
    pub(super) value: Val<'c>,
    /// In order.
    pub(super) code: Vec<OperationRef<'c, 'c>>,
    /// The operands whose elements it is computed of.
    pub(super) reads: Vec<usize>,
}

/// Sizes of tiles and blocks, in elements.
pub(super) struct Sizes {
    pub(super) lanes: i64,
    pub(super) high: i64,
    pub(super) wide: i64,
    pub(super) rows: i64,
    pub(super) columns: i64,
    pub(super) depth: i64,
}

/// A product as its operation says it.
pub(in super::super) struct Product<'c> {
    /// All operands, of which the last one is the result, and the loops that their dimensions are walked by.
    pub(super) arrays: Vec<Array<'c>>,
    pub(super) maps: Vec<Vec<usize>>,
    /// How often each loop runs.
    pub(super) loops: Vec<Ix<'c>>,
    /// The loops along rows, columns and the depth.
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) depth: usize,
    pub(super) row_factor: Factor<'c>,
    pub(super) column_factor: Factor<'c>,
    pub(super) row_first: bool,
    /// The operations that join the factors, and that product with the sum.
    pub(super) product: OperationRef<'c, 'c>,
    pub(super) sum: OperationRef<'c, 'c>,
    /// Which operand of the latter is the sum so far.
    pub(super) so_far: usize,
    pub(super) sizes: Sizes,
    pub(super) elem: Prim,
    pub(super) vector: Type<'c>,
}

impl<'c> Product<'c> {
    /// Takes a `linalg.generic` apart that has the attributes of a product.
    pub(in super::super) fn of(
        f: &Function<'c, '_, '_, '_>,
        operation: OperationRef<'c, 'c>,
        arrays: Vec<Array<'c>>,
    ) -> Result<Product<'c>> {
        let maps = maps_of(operation)?;
        let [row, column] = *numbers(operation, DIMS)? else {
            return Err(Error::bug("tiles of other than two loops"));
        };
        let [high, wide] = *numbers(operation, TILE)? else {
            return Err(Error::bug("tiles of other than two dimensions"));
        };
        let [rows, columns, depth] = *numbers(operation, BLOCK)? else {
            return Err(Error::bug("blocks of other than three dimensions"));
        };
        let lanes = IntegerAttribute::try_from(operation.attribute(LANES)?)?.value();
        let sizes = Sizes { lanes, high, wide, rows, columns, depth };
        let (row, column) = (
            usize::try_from(row).map_err(Error::bug)?,
            usize::try_from(column).map_err(Error::bug)?,
        );
        let target = arrays.last().ok_or_else(|| Error::bug("a product without a result"))?;
        let depth = target.strides.len();
        if !maps.last().is_some_and(|map| map.iter().copied().eq(0..depth)) {
            return Err(Error::bug("a product whose result is turned"));
        }
        let loops = sizes_of_loops(depth + 1, &maps, &arrays)?;

        let block = operation.region(0)?.first_block().map(ffi::detach_block);
        let block = block.ok_or_else(|| Error::bug("an operation without a body"))?;
        let end = ffi::last_operation(block).ok_or_else(|| Error::bug("a body without an end"))?;
        let so_far = ffi::detach_value(block.argument(arrays.len().saturating_sub(1))?.into());
        let sum = binary(operand(end, 0)?)?;
        let (at, product) = match (operand(sum, 0)?, operand(sum, 1)?) {
            (a, b) if a == so_far => (0, b),
            (a, b) if b == so_far => (1, a),
            _ => return Err(Error::bug("a product that is added to nothing")),
        };
        let product = binary(product)?;
        let first = Factor::of(block, operand(product, 0)?, arrays.len())?;
        let second = Factor::of(block, operand(product, 1)?, arrays.len())?;
        let goes = |factor: &Factor<'c>, along: usize, not: usize| -> Result<bool> {
            let loops = factor.loops(&maps)?;
            Ok(loops.contains(&along) && !loops.contains(&not))
        };
        let row_first = goes(&first, row, column)? && goes(&second, column, row)?;
        let column_first = goes(&first, column, row)? && goes(&second, row, column)?;
        if !row_first && !column_first {
            return Err(Error::bug("a product whose factors are not one of rows, one of columns"));
        }
        let (row_factor, column_factor) = if row_first { (first, second) } else { (second, first) };
        let elem = target.elem;
        let vector = f.vector_type(elem, lanes)?;
        Ok(Product {
            arrays,
            maps,
            loops,
            row,
            column,
            depth,
            row_factor,
            column_factor,
            row_first,
            product,
            sum,
            so_far: at,
            sizes,
            elem,
            vector,
        })
    }

    pub(super) fn size(&self, of: usize) -> Result<Ix<'c>> {
        self.loops.get(of).copied().ok_or_else(|| Error::bug("a loop without a size"))
    }
}

impl<'c> Factor<'c> {
    /// What computes a value of a block with so many arguments.
    fn of(block: BlockRef<'c, 'c>, value: Val<'c>, arguments: usize) -> Result<Factor<'c>> {
        let mut needed = HashSet::new();
        let mut used = HashSet::new();
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            used.insert(key(value));
            let Some(by) = ffi::made_by(value) else { continue };
            if by.block() != Some(block) || !needed.insert(key(result_of(by, 0)?)) {
                continue;
            }
            for inside in ffi::descendants(by) {
                pending.extend(operands(inside, 0)?);
            }
        }
        let mut code = Vec::new();
        let mut next = block.first_operation().map(ffi::detach_operation);
        while let Some(operation) = next {
            next = operation.next_in_block().map(ffi::detach_operation);
            if operation.result_count() > 0 && needed.contains(&key(result_of(operation, 0)?)) {
                code.push(operation);
            }
        }
        let mut reads = Vec::new();
        for i in 0..arguments {
            let argument = ffi::detach_value(block.argument(i)?.into());
            if used.contains(&key(argument)) {
                reads.push(i);
            }
        }
        Ok(Factor { value, code, reads })
    }

    /// The loops that it depends on.
    fn loops(&self, maps: &[Vec<usize>]) -> Result<HashSet<usize>> {
        let mut loops: HashSet<usize> =
            self.reads.iter().filter_map(|i| maps.get(*i)).flatten().copied().collect();
        for operation in self.code.iter().flat_map(|o| ffi::descendants(*o)) {
            loops.extend(index_of_loop(operation)?);
        }
        Ok(loops)
    }
}

/// The operation with two operands and one result that makes a value.
fn binary<'c>(value: Val<'c>) -> Result<OperationRef<'c, 'c>> {
    ffi::made_by(value)
        .filter(|by| by.operand_count() == 2 && by.result_count() == 1)
        .ok_or_else(|| Error::bug("a product that is none of two factors"))
}

/// The loop that a `linalg.index` is the index of.
pub(super) fn index_of_loop(operation: OperationRef<'_, '_>) -> Result<Option<usize>> {
    if name_of(operation) != "linalg.index" {
        return Ok(None);
    }
    let dim = IntegerAttribute::try_from(operation.attribute("dim")?)?.value();
    usize::try_from(dim).map(Some).map_err(Error::bug)
}

/// The same of the cast of one to `i64`.
pub(super) fn index_cast_of_loop<'c>(operation: OperationRef<'c, 'c>) -> Result<Option<usize>> {
    if name_of(operation) != "arith.index_cast" {
        return Ok(None);
    }
    ffi::made_by(operand(operation, 0)?).map_or(Ok(None), index_of_loop)
}

/// The loops that the dimensions of each operand are walked by.
pub(super) fn maps_of(operation: OperationRef<'_, '_>) -> Result<Vec<Vec<usize>>> {
    let maps = ArrayAttribute::try_from(operation.attribute("indexing_maps")?)?;
    let mut out = Vec::with_capacity(maps.len());
    for i in 0..maps.len() {
        let map = ffi::map_of_attribute(maps.element(i)?);
        let map = map.ok_or_else(|| Error::bug("an operand without a map"))?;
        let mut dims = Vec::with_capacity(map.result_count());
        for d in 0..map.result_count() {
            let expression = map.result(d)?;
            if !expression.is_dim() {
                return Err(Error::bug("a dimension that goes along no loop"));
            }
            dims.push(expression.dim_position());
        }
        out.push(dims);
    }
    Ok(out)
}

/// How often loops run: as the shapes of operands say.
pub(super) fn sizes_of_loops<'c>(
    loops: usize,
    maps: &[Vec<usize>],
    arrays: &[Array<'c>],
) -> Result<Vec<Ix<'c>>> {
    let size = |d: usize| {
        let dimensions = maps.iter().zip(arrays).flat_map(|(map, a)| map.iter().zip(&a.shape));
        let mut of_loop = dimensions.filter(|(e, _)| **e == d).map(|(_, n)| *n);
        of_loop.next().ok_or_else(|| Error::bug("a loop without a size"))
    };
    (0..loops).map(size).collect()
}

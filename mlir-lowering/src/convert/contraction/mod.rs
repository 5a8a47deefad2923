//! Products of matrices: cache-blocked, packed, and with a tile of results in registers.
//!
//! ```text
//! linalg.generic … attrs = {futc.block = [rows, columns, depth], futc.tile = [high, wide], …}
//!   ⟶
//! every result = neutral, if a fill of the result stands before
//! for each block of columns, for each block of the depth:
//!   pack the column factor: panels of as many columns as a tile is wide, depth by depth
//!   for each block of rows:
//!     pack the row factor: panels of as many rows as a tile is high, depth by depth
//!     for each panel of columns, for each panel of rows:
//!       tile = results; for each depth: tile[r][c] = tile[r][c] + row[r] * column[c]; results = tile
//! ```
//!
//! The tile's rows are vectors, so a step of the innermost loop loads a few vectors of columns,
//! spreads one element of each row over a vector, and multiplies and adds each with each. At the
//! edges a panel repeats the last row or column, and the tile lies in a scratch place that what
//! exists is copied into and out of, unless what is missing are whole vectors. Of these a tile at the right edge has only as many
//! as it needs. Packing evaluates the factors ([`Factor`]); so layouts
//! are no concern of the innermost loop, and conversions or functions in a factor cost nothing
//! there. A factor that is only read, and lies depth by depth, is packed in squares that registers hold.
//!
//! Each result is accumulated in order. Floats are multiplied and added in one rounding where the
//! processor can, unless `--exact-math` is given.

mod by_loops;
mod operation;
mod packing;

pub(super) use by_loops::Loops;
pub(super) use operation::Product;

use super::conversion::Result;
use crate::dialect::{Access, Ix, Math, Predicate, Val, name_of, result_of};
use crate::lower::function::Function;
use crate::{Error, abi, ffi};
use futc_midend::ir::MemSpace;
use melior::ir::ValueLike;
use melior::ir::operation::OperationRef;
use packing::{Blocks, Packing};

/// A block for panels.
#[derive(Clone, Copy)]
struct Room<'c> {
    block: Val<'c>,
    panels: Val<'c>,
}

/// What results are before anything is added to them.
pub(super) type Initial<'c> = (Val<'c>, Access<'c>);

impl<'c> Function<'c, '_, '_, '_> {
    /// Does a product, of results that are what `initial` says, or what they are.
    pub(super) fn do_product(
        &mut self,
        p: &Product<'c>,
        initial: Option<&Initial<'c>>,
    ) -> Result<()> {
        let s = &p.sizes;
        let target = p.arrays.last().ok_or_else(|| Error::bug("a product without a result"))?;
        let (m, n, k) = (p.size(p.row)?, p.size(p.column)?, p.size(p.depth)?);
        // No larger than the matrices are.
        let steps = self.min(k, Ix::Const(s.depth))?;
        let buffer = |f: &mut Self, n: Ix<'c>, width: i64, most: i64| -> Result<Room<'c>> {
            let panels = f.ceil_div(n, width)?;
            let padded = f.b.mul(panels, Ix::Const(width))?;
            let length = f.min(padded, Ix::Const(most))?;
            let elements = f.b.mul(length, steps)?;
            let bytes = f.b.mul(elements, Ix::Const(p.elem.bytes()))?;
            let bytes = f.b.ix(bytes)?;
            let block = f.alloc_bytes(bytes, MemSpace::Host)?;
            let panels = f.b.memref_array(block, f.b.types().stored(p.elem), &[elements])?;
            Ok(Room { block, panels })
        };
        let row_buffer = buffer(self, m, s.high, s.rows)?;
        let column_buffer = buffer(self, n, s.wide, s.columns)?;
        let scratch = self.stack_in_entry(p.elem, &[s.high, s.wide])?;
        let packing = |factor, across, buffer, width| Packing { factor, across, buffer, width };
        let rows = packing(&p.row_factor, p.row, row_buffer.panels, s.high);
        let columns = packing(&p.column_factor, p.column, column_buffer.panels, s.wide);
        let mut blocks = Blocks { p, target, rows, columns, m, n, k, outer: Vec::new(), scratch };
        let outer: Vec<_> = (0..p.depth)
            .filter(|d| *d != p.row && *d != p.column)
            .map(|d| p.size(d))
            .collect::<Result<_>>()?;
        self.nest(&outer, &mut |f, indexes| {
            blocks.outer = indexes.to_vec();
            f.blocks(&blocks, initial)
        })?;
        for buffer in [row_buffer, column_buffer] {
            self.runtime(abi::Runtime::Release, &[buffer.block])?;
        }
        Ok(())
    }

    /// The loops over blocks, and over the tiles in them.
    fn blocks(&mut self, p: &Blocks<'_, 'c>, initial: Option<&Initial<'c>>) -> Result<()> {
        if let Some((value, access)) = initial {
            let memref = self.memref(p.target)?;
            self.nest(&[p.m, p.n], &mut |f, at| {
                let [i, j] = *at else { return Err(Error::bug("a matrix of another rank")) };
                f.b.memref_store(*value, memref, &p.place(i, j), access)
            })?;
        }
        let s = &p.p.sizes;
        self.each_block(p.n, s.columns, &mut |f, first_column, columns| {
            let column_panels = f.ceil_div(columns, s.wide)?;
            f.each_block(p.k, s.depth, &mut |f, first, steps| {
                f.pack(p, &p.columns, (first_column, column_panels, p.n), first, steps)?;
                f.each_block(p.m, s.rows, &mut |f, first_row, rows| {
                    let row_panels = f.ceil_div(rows, s.high)?;
                    f.pack(p, &p.rows, (first_row, row_panels, p.m), first, steps)?;
                    f.nest(&[column_panels, row_panels], &mut |f, at| {
                        let [jp, ip] = *at else { return Err(Error::bug("panels")) };
                        let (down, right) =
                            (f.b.mul(ip, Ix::Const(s.high))?, f.b.mul(jp, Ix::Const(s.wide))?);
                        let row_panel = f.panel(&p.rows, ip, steps)?;
                        let column_panel = f.panel(&p.columns, jp, steps)?;
                        let i = f.b.add(first_row, down)?;
                        let j = f.b.add(first_column, right)?;
                        f.tile(p, (i, j), (row_panel, column_panel), steps)
                    })
                })
            })
        })
    }

    /// A tile of the result at a row and column, updated by panels.
    fn tile(
        &mut self,
        p: &Blocks<'_, 'c>,
        (i, j): (Ix<'c>, Ix<'c>),
        panels: (Val<'c>, Val<'c>),
        steps: Ix<'c>,
    ) -> Result<()> {
        let s = &p.p.sizes;
        let at = p.place(i, j);
        let (Some(stride), Some(unit)) =
            (p.target.strides.get(p.p.row).copied(), p.target.strides.get(p.p.column))
        else {
            return Err(Error::bug("a product of another rank"));
        };
        let rows_left = self.b.sub(p.m, i)?;
        let columns_left = self.b.sub(p.n, j)?;
        let rows = self.min(rows_left, Ix::Const(s.high))?;
        let columns = self.min(columns_left, Ix::Const(s.wide))?;
        let copy = |f: &mut Self, out: bool| {
            f.nest(&[rows, columns], &mut |f, at| {
                let [r, c] = *at else { return Err(Error::bug("a tile")) };
                let (i, j) = (f.b.add(i, r)?, f.b.add(j, c)?);
                if out {
                    let value = f.get(p.scratch, &[r, c], p.p.elem)?;
                    f.store(p.target, &p.place(i, j), value)
                } else {
                    let value = f.load(p.target, &p.place(i, j))?;
                    f.set(p.scratch, &[r, c], p.p.elem, value)
                }
            })
        };
        if !matches!(unit, Ix::Const(1)) {
            copy(self, false)?;
            self.kernels(p.p, p.scratch, panels, steps, (columns, s.wide / s.lanes))?;
            return copy(self, true);
        }
        let (r, c) = (self.b.ix(rows)?, self.b.ix(columns)?);
        let (high, lanes) = (self.b.i64(s.high)?, self.b.i64(s.lanes)?);
        let low = self.b.cmpi(Predicate::Slt, r, high)?;
        let in_part = self.b.remui(c, lanes)?;
        let none = self.b.i64(0)?;
        let ragged = self.b.cmpi(Predicate::Ne, in_part, none)?;
        let edge = self.b.ori(low, ragged)?;
        self.when(edge, |f| copy(f, false))?;
        let here = self.tile_at(p, &at, stride)?;
        let scratch = self.b.memref_cast(p.scratch, here.r#type())?;
        let place = self.b.select(edge, scratch, here)?;
        self.kernels(p.p, place, panels, steps, (columns, s.wide / s.lanes))?;
        self.when(edge, |f| copy(f, true))
    }

    /// The innermost loop, for as many vectors of a row as have columns, of so many at most.
    fn kernels(
        &mut self,
        p: &Product<'c>,
        place: Val<'c>,
        panels: (Val<'c>, Val<'c>),
        steps: Ix<'c>,
        (columns, vectors): (Ix<'c>, i64),
    ) -> Result<()> {
        let fewer = (vectors - 1) * p.sizes.lanes;
        let all = match columns {
            _ if vectors == 1 => return self.kernel_of_tile(p, place, panels, steps, vectors),
            Ix::Const(n) if n > fewer => {
                return self.kernel_of_tile(p, place, panels, steps, vectors);
            }
            Ix::Const(_) => return self.kernels(p, place, panels, steps, (columns, vectors - 1)),
            Ix::Val(n) => {
                let fewer = self.b.i64(fewer)?;
                self.b.cmpi(Predicate::Slt, fewer, n)?
            }
        };
        self.either(
            all,
            |f| f.kernel_of_tile(p, place, panels, steps, vectors),
            |f| f.kernels(p, place, panels, steps, (columns, vectors - 1)),
        )
    }

    /// A whole tile of the result.
    fn tile_at(&mut self, p: &Blocks<'_, 'c>, at: &[Ix<'c>], stride: Ix<'c>) -> Result<Val<'c>> {
        let first = self.position(p.target, at)?;
        let element = self.b.types().stored(p.target.elem);
        let block = self.b.memref_view(p.target.base, 0, element)?;
        let stride = Ix::Val(self.b.ix(stride)?);
        let first = Ix::Val(self.b.ix(first)?);
        let shape = [Ix::Const(p.p.sizes.high), Ix::Const(p.p.sizes.wide)];
        self.b.memref_reinterpret_cast(block, first, &shape, &[stride, Ix::Const(1)])
    }

    /// The innermost loop: a tile in registers, of so many vectors each row.
    fn kernel_of_tile(
        &mut self,
        p: &Product<'c>,
        place: Val<'c>,
        (row_panel, column_panel): (Val<'c>, Val<'c>),
        steps: Ix<'c>,
        vectors: i64,
    ) -> Result<()> {
        let s = &p.sizes;
        let mut places = Vec::new();
        for r in 0..s.high {
            for v in 0..vectors {
                let at = [Ix::Const(r), Ix::Const(v * s.lanes)];
                places.push(self.b.memref_subview(place, &at, &[Ix::Const(s.lanes)])?);
            }
        }
        let init = places
            .iter()
            .map(|place| self.load_vector(p.vector, *place, &[Ix::Const(0)]))
            .collect::<Result<Vec<_>>>()?;
        let steps = self.b.ix(steps)?;
        let tile = self.for_carrying(steps, &init, |f, step, tile| {
            let step = Ix::Val(step);
            let at_row = f.b.mul(step, Ix::Const(s.high))?;
            let at_column = f.b.mul(step, Ix::Const(s.wide))?;
            let mut columns = Vec::new();
            for v in 0..vectors {
                let position = f.b.add(at_column, Ix::Const(v * s.lanes))?;
                columns.push(f.load_vector(p.vector, column_panel, &[position])?);
            }
            let mut next = Vec::with_capacity(tile.len());
            let mut tile = tile.iter();
            for r in 0..s.high {
                let position = f.b.add(at_row, Ix::Const(r))?;
                let value = f.get(row_panel, &[position], p.elem)?;
                let row = f.b.vector_broadcast(value, p.vector)?;
                for (column, acc) in columns.iter().zip(tile.by_ref()) {
                    next.push(f.accumulate(p, *acc, row, *column)?);
                }
            }
            Ok(next)
        })?;
        for (place, value) in places.iter().zip(tile) {
            self.store_vector(*place, &[Ix::Const(0)], value)?;
        }
        Ok(())
    }

    /// `acc + row * column` on vectors.
    fn accumulate(
        &mut self,
        p: &Product<'c>,
        acc: Val<'c>,
        row: Val<'c>,
        column: Val<'c>,
    ) -> Result<Val<'c>> {
        let (x, y) = if p.row_first { (row, column) } else { (column, row) };
        let machine = &self.m.machine;
        let types = self.b.types();
        let element = types.stored(p.elem);
        let fused = !machine.exact
            && machine.cpu.fma
            && (element == types.f32 || element == types.f64)
            && name_of(p.product) == "arith.mulf"
            && name_of(p.sum) == "arith.addf";
        if fused {
            return self.b.math(Math::Fma, &[x, y, acc]);
        }
        let product = self.on_vectors(p, p.product, [x, y])?;
        let operands = if p.so_far == 0 { [acc, product] } else { [product, acc] };
        self.on_vectors(p, p.sum, operands)
    }

    /// What an operation of the region does, on every lane.
    fn on_vectors(
        &self,
        p: &Product<'c>,
        operation: OperationRef<'c, 'c>,
        operands: [Val<'c>; 2],
    ) -> Result<Val<'c>> {
        let copy = self.b.copy_of(operation, &|_| None)?;
        for (i, value) in operands.into_iter().enumerate() {
            ffi::set_operand(copy, i, value)?;
        }
        let result = result_of(copy, 0)?;
        ffi::set_type(result, p.vector);
        Ok(result)
    }
}

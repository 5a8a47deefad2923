//! Products of matrices: cache-blocked, packed, and with a tile of results in registers.
//!
//! ```text
//! every result = neutral
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
//! exists is copied into and out of. Packing evaluates the factors ([`Contraction`]); so layouts
//! are no concern of the innermost loop, and conversions or functions in a factor cost nothing
//! there.
//!
//! Each result is accumulated in order. Floats are multiplied and added in one rounding where the
//! processor can, unless `--exact-math` is given.
//!
//! Sizes are those of the schedule. What is too small for blocks to pay goes by the strategies that are
//! left, chosen at run time.

use super::function::{Array, Function};
use super::seg::Nest;
use crate::Error;
use crate::dialect::{Ix, Math, Predicate, Val};
use futc_midend::analysis::contraction::{Contraction, contraction};
use futc_midend::ir::{
    BinOp, DimIndex, Exp, FloatType, PatElem, Prim, Reduction, SegOp, SegSpace, Space, Stm, SubExp,
    Tile, Var,
};
use melior::ir::ValueLike;

type Result<T> = std::result::Result<T, Error>;

/// A factor on its way into panels.
struct Packing<'a, 'c, 'p> {
    factor: &'a (SubExp, Vec<&'p Stm>),
    /// The index that runs along a panel's width, and that of the depth.
    across: Var,
    along: Var,
    buffer: Val<'c>,
    width: i64,
    elem: Prim,
}

/// A block for panels.
#[derive(Clone, Copy)]
struct Room<'c> {
    block: Val<'c>,
    panels: Val<'c>,
}

/// A product under construction: inside its outer dimensions.
struct Product<'a, 'c, 'p> {
    c: &'a Contraction<'p>,
    sizes: Tile,
    vector: melior::ir::Type<'c>,
    target: Array<'c>,
    outer: Vec<Ix<'c>>,
    rows: Packing<'a, 'c, 'p>,
    columns: Packing<'a, 'c, 'p>,
    /// Numbers of rows, columns and steps.
    m: Ix<'c>,
    n: Ix<'c>,
    k: Ix<'c>,
    /// Room for a tile at an edge.
    scratch: Val<'c>,
}

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// A reduction that is a contraction. The arrays of the pattern are bound.
    pub fn contraction(&mut self, nest: Nest<'p>, ops: &'p [Reduction], tile: Tile) -> Result<()> {
        let Nest { pat, op: SegOp { space, body, .. }, .. } = nest;
        let c =
            &contraction(space, ops, body).ok_or_else(|| Error::bug("no product of matrices"))?;
        let mut volume = Ix::Const(1);
        for d in [c.row, c.column, c.depth] {
            let n = self.index(dim(space, d)?.1)?;
            volume = self.b.mul(volume, n)?;
        }
        let volume = match volume {
            Ix::Const(v) if v >= tile.least => return self.blocked(pat, space, c, tile),
            Ix::Const(_) => return self.scheduled(nest.rest()),
            Ix::Val(v) => v,
        };
        let least = self.b.i64(tile.least)?;
        let worth = self.b.cmpi(Predicate::Sle, least, volume)?;
        let yes = self.region(&[], |f, _| f.blocked(pat, space, c, tile).map(|()| Vec::new()))?;
        let no = self.region(&[], |f, _| f.scheduled(nest.rest()).map(|()| Vec::new()))?;
        self.b.scf_if(worth, &[], yes, no)?;
        Ok(())
    }

    /// All of it, whatever its size.
    fn blocked(
        &mut self,
        pat: &'p [PatElem],
        space: &'p SegSpace,
        c: &Contraction<'p>,
        sizes: Tile,
    ) -> Result<()> {
        let element = pat.first().ok_or_else(|| Error::bug("a product without a result"))?;
        let target = self.array(element.var)?;
        let vector = self.vector_type(c.elem, sizes.lanes)?;
        let (row, column) = (dim(space, c.row)?, dim(space, c.column)?);
        let depth = dim(space, c.depth)?;
        let (m, n, k) = (self.index(row.1)?, self.index(column.1)?, self.index(depth.1)?);
        // No larger than the matrices are.
        let steps = self.min(k, Ix::Const(sizes.depth))?;
        let buffer = |f: &mut Self, n: Ix<'c>, width: i64, most: i64| -> Result<Room<'c>> {
            let panels = f.ceil_div(n, width)?;
            let padded = f.b.mul(panels, Ix::Const(width))?;
            let length = f.min(padded, Ix::Const(most))?;
            let elements = f.b.mul(length, steps)?;
            let bytes = f.b.mul(elements, Ix::Const(c.elem.bytes()))?;
            let bytes = f.b.ix(bytes)?;
            let block = f.alloc_bytes(bytes, Space::Host)?;
            let panels = f.b.memref_array(block, f.b.types().stored(c.elem), &[elements])?;
            Ok(Room { block, panels })
        };
        let row_buffer = buffer(self, m, sizes.high, sizes.rows)?;
        let column_buffer = buffer(self, n, sizes.wide, sizes.columns)?;
        let scratch = self.stack_in_entry(c.elem, &[sizes.high, sizes.wide])?;
        let packing = |factor, across, buffer, width| Packing {
            factor,
            across,
            along: depth.0,
            buffer,
            width,
            elem: c.elem,
        };
        let rows = packing(&c.row_factor, row.0, row_buffer.panels, sizes.high);
        let columns = packing(&c.column_factor, column.0, column_buffer.panels, sizes.wide);
        let outer = Vec::new();
        let mut product =
            Product { c, sizes, vector, target, outer, rows, columns, m, n, k, scratch };
        let mut shape = Vec::with_capacity(c.outer.len());
        for d in &c.outer {
            shape.push(self.index(dim(space, *d)?.1)?);
        }
        self.nest(&shape, &mut |f, indexes| {
            for (d, i) in c.outer.iter().zip(indexes) {
                let i = f.b.ix(*i)?;
                f.env.insert(dim(space, *d)?.0, i);
            }
            product.outer = indexes.to_vec();
            f.blocks(&product)
        })?;
        for buffer in [row_buffer, column_buffer] {
            self.runtime(crate::abi::Runtime::Release, &[buffer.block])?;
        }
        Ok(())
    }

    /// The loops over blocks, and over the tiles in them.
    fn blocks(&mut self, p: &Product<'_, 'c, 'p>) -> Result<()> {
        let neutral = self.operand(p.c.neutral)?;
        self.nest(&[p.m, p.n], &mut |f, at| {
            let [i, j] = *at else { return Err(Error::bug("a matrix of another rank")) };
            let at = p.place(i, j);
            f.store(&p.target, &at, neutral)
        })?;
        let s = &p.sizes;
        self.each_block(p.n, s.columns, &mut |f, first_column, columns| {
            let column_panels = f.ceil_div(columns, s.wide)?;
            f.each_block(p.k, s.depth, &mut |f, first, steps| {
                f.pack(&p.columns, (first_column, column_panels, p.n), first, steps)?;
                f.each_block(p.m, s.rows, &mut |f, first_row, rows| {
                    let row_panels = f.ceil_div(rows, s.high)?;
                    f.pack(&p.rows, (first_row, row_panels, p.m), first, steps)?;
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

    /// A panel.
    fn panel(&mut self, p: &Packing<'_, 'c, 'p>, i: Ix<'c>, steps: Ix<'c>) -> Result<Val<'c>> {
        let length = self.b.mul(steps, Ix::Const(p.width))?;
        let distance = self.b.mul(i, length)?;
        self.b.memref_subview(p.buffer, &[distance], &[length])
    }

    /// Evaluates a factor into panels: from the first of some number of panels on, of a dimension
    /// of some size; from the first of some steps on.
    fn pack(
        &mut self,
        p: &Packing<'_, 'c, 'p>,
        (start, panels, n): (Ix<'c>, Ix<'c>, Ix<'c>),
        first: Ix<'c>,
        steps: Ix<'c>,
    ) -> Result<()> {
        let depth_inside = self.runs_along(p)?;
        self.for_each(panels, |f, i| {
            let panel = f.panel(p, i, steps)?;
            let distance = f.b.mul(i, Ix::Const(p.width))?;
            let start = f.b.add(start, distance)?;
            let last = f.b.sub(n, Ix::Const(1))?;
            let fill = |f: &mut Self, whole: bool| {
                let shape = [steps, Ix::Const(p.width)];
                let shape = if depth_inside { [shape[1], shape[0]] } else { shape };
                f.nest(&shape, &mut |f, at| {
                    let [outer, inner] = *at else { return Err(Error::bug("a panel")) };
                    let (step, lane) = if depth_inside { (inner, outer) } else { (outer, inner) };
                    let mut across = f.b.add(start, lane)?;
                    if !whole {
                        across = f.min(across, last)?;
                    }
                    let along = f.b.add(first, step)?;
                    let (across, along) = (f.b.ix(across)?, f.b.ix(along)?);
                    f.env.insert(p.across, across);
                    f.env.insert(p.along, along);
                    for stm in &p.factor.1 {
                        f.stm(stm)?;
                    }
                    let value = f.operand(p.factor.0)?;
                    let row = f.b.mul(step, Ix::Const(p.width))?;
                    let position = f.b.add(row, lane)?;
                    f.set(panel, &[position], p.elem, value)
                })
            };
            let end = f.b.add(start, Ix::Const(p.width))?;
            let (end, n) = (f.b.ix(end)?, f.b.ix(n)?);
            let whole = f.b.cmpi(Predicate::Sle, end, n)?;
            f.either(whole, |f| fill(f, true), |f| fill(f, false))
        })
    }

    /// Whether steps of the depth are neighbours in memory, rather than what lies across.
    fn runs_along(&mut self, p: &Packing<'_, 'c, 'p>) -> Result<bool> {
        let mut along = false;
        for stm in &p.factor.1 {
            let Exp::Index { array, dims } = &stm.exp else { continue };
            let array = self.array(*array)?;
            for (dim, stride) in dims.iter().zip(&array.strides) {
                if let (DimIndex::Fix(SubExp::Var(v)), Ix::Const(1)) = (dim, stride) {
                    if *v == p.across {
                        return Ok(false);
                    }
                    along |= *v == p.along;
                }
            }
        }
        Ok(along)
    }

    /// A tile of the result at a row and column, updated by panels.
    fn tile(
        &mut self,
        p: &Product<'_, 'c, 'p>,
        (i, j): (Ix<'c>, Ix<'c>),
        panels: (Val<'c>, Val<'c>),
        steps: Ix<'c>,
    ) -> Result<()> {
        let s = &p.sizes;
        let at = p.place(i, j);
        let (Some(stride), Some(unit)) =
            (p.target.strides.get(p.c.row).copied(), p.target.strides.get(p.c.column))
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
                    let value = f.get(p.scratch, &[r, c], p.c.elem)?;
                    f.store(&p.target, &p.place(i, j), value)
                } else {
                    let value = f.load(&p.target, &p.place(i, j))?;
                    f.set(p.scratch, &[r, c], p.c.elem, value)
                }
            })
        };
        if !matches!(unit, Ix::Const(1)) {
            copy(self, false)?;
            self.kernel_of_tile(p, p.scratch, panels, steps)?;
            return copy(self, true);
        }
        let (r, c) = (self.b.ix(rows)?, self.b.ix(columns)?);
        let (high, wide) = (self.b.i64(s.high)?, self.b.i64(s.wide)?);
        let low = self.b.cmpi(Predicate::Slt, r, high)?;
        let narrow = self.b.cmpi(Predicate::Slt, c, wide)?;
        let edge = self.b.ori(low, narrow)?;
        self.when(edge, |f| copy(f, false))?;
        let here = self.tile_at(p, &at, stride)?;
        let scratch = self.b.memref_cast(p.scratch, here.r#type())?;
        let place = self.b.select(edge, scratch, here)?;
        self.kernel_of_tile(p, place, panels, steps)?;
        self.when(edge, |f| copy(f, true))
    }

    /// A whole tile of the result.
    fn tile_at(
        &mut self,
        p: &Product<'_, 'c, 'p>,
        at: &[Ix<'c>],
        stride: Ix<'c>,
    ) -> Result<Val<'c>> {
        let first = self.position(&p.target, at)?;
        let element = self.b.types().stored(p.target.elem);
        let block = self.b.memref_view(p.target.base, 0, element)?;
        let stride = Ix::Val(self.b.ix(stride)?);
        let first = Ix::Val(self.b.ix(first)?);
        let shape = [Ix::Const(p.sizes.high), Ix::Const(p.sizes.wide)];
        self.b.memref_reinterpret_cast(block, first, &shape, &[stride, Ix::Const(1)])
    }

    /// The innermost loop: a tile in registers.
    fn kernel_of_tile(
        &mut self,
        p: &Product<'_, 'c, 'p>,
        place: Val<'c>,
        (row_panel, column_panel): (Val<'c>, Val<'c>),
        steps: Ix<'c>,
    ) -> Result<()> {
        let s = &p.sizes;
        let vectors = s.wide / s.lanes;
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
                let value = f.get(row_panel, &[position], p.c.elem)?;
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
        p: &Product<'_, 'c, 'p>,
        acc: Val<'c>,
        row: Val<'c>,
        column: Val<'c>,
    ) -> Result<Val<'c>> {
        let (x, y) = if p.c.row_first { (row, column) } else { (column, row) };
        let machine = &self.m.machine;
        match (p.c.multiply, p.c.add) {
            (
                BinOp::FMul(FloatType::F32 | FloatType::F64),
                BinOp::FAdd(FloatType::F32 | FloatType::F64),
            ) if machine.fuse && machine.cpu.fma => self.b.math(Math::Fma, &[x, y, acc]),
            (multiply, add) => {
                let product = self.lanewise(multiply, x, y)?;
                self.lanewise(add, acc, product)
            }
        }
    }
}

impl<'c> Product<'_, 'c, '_> {
    /// The indexes of a result.
    fn place(&self, i: Ix<'c>, j: Ix<'c>) -> Vec<Ix<'c>> {
        let mut outer = self.outer.iter();
        (0..self.c.depth)
            .map(|d| {
                if d == self.c.row {
                    i
                } else if d == self.c.column {
                    j
                } else {
                    outer.next().copied().unwrap_or(Ix::Const(0))
                }
            })
            .collect()
    }
}

fn dim(space: &SegSpace, d: usize) -> Result<(Var, SubExp)> {
    space.dims.get(d).copied().ok_or_else(|| Error::bug("a product without that dimension"))
}

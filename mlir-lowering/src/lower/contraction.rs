//! Products of matrices, as operations of linalg.
//!
//! ```text
//! linalg.fill ins(neutral) outs(result)
//! linalg.generic {
//!   indexing_maps = [(i, j, k) -> (i, k), (i, j, k) -> (k, j), (i, j, k) -> (i, j)],
//!   iterator_types = ["parallel", "parallel", "reduction"]
//! } ins(a, b) outs(result) attrs = {futc.block = …, futc.dims = …, futc.lanes = …, futc.tile = …} {
//! ^bb0(%x, %y, %sum):
//!   the scalar code of both factors, their product, and its sum with %sum
//! }
//! ```
//!
//! The arrays that factors read at the indexes of the space are operands, in whatever layout; what is read
//! at computed indexes is read in the region. The attributes are the schedule:
//!
//! | strategy | attribute | what |
//! | --- | --- | --- |
//! | `contract` | `futc.dims` | the loops that rows and columns of tiles go along |
//! | | `futc.lanes` | elements of a vector |
//! | | `futc.tile` | rows and columns of the register tile |
//! | | `futc.block` | rows, columns and steps of the blocks that are packed |
//! | `columns` | `futc.columns` | the loop that becomes the innermost one, and how much of it at a time |
//! | `loops` | none | the loops as they stand |
//!
//! [`crate::convert`] makes loops of it. What is too small for `contract` goes by the strategies that are
//! left, chosen at run time. What is known of accesses to the operands ([`Function::access`]) is kept in
//! `futc.accesses`, three lists for each operand.

use super::function::{Array, Function, Symbolic};
use super::memrefs::Memrefs;
use super::nest::Nest;
use crate::Error;
use crate::dialect::{Ix, Predicate, Val};
use futc_midend::analysis::contraction::{Contraction, contraction};
use futc_midend::ir::traverse::free_in_stm;
use futc_midend::ir::varmap::VarSet;
use futc_midend::ir::{
    DimIndex, Exp, KernelBody, Prim, Reduction, SegOp, SegSpace, Stm, SubExp, Tile, Var,
};

use melior::ir::Attribute;
use melior::ir::attribute::ArrayAttribute;

type Result<T> = std::result::Result<T, Error>;

/// Lists of attributes of an access, in the order of `futc.accesses`.
pub const ACCESSES: [&str; 3] = ["futc.alias_scopes", "futc.noalias_scopes", "futc.access_groups"];
/// Attributes of a product: see above.
pub const OF_OPERANDS: &str = "futc.accesses";
/// See above.
pub const COLUMNS: &str = "futc.columns";
/// See above.
pub const DIMS: &str = "futc.dims";
/// See above.
pub const LANES: &str = "futc.lanes";
/// See above.
pub const TILE: &str = "futc.tile";
/// See above.
pub const BLOCK: &str = "futc.block";

/// The operands of a product under construction.
#[derive(Default)]
struct Operands<'c, 'p> {
    /// Memrefs.
    values: Vec<Val<'c>>,
    /// The loops that their dimensions are walked by.
    maps: Vec<Vec<usize>>,
    /// The types of their elements.
    elements: Vec<Prim>,
    /// What is known of accesses to them.
    accesses: Vec<Attribute<'c>>,
    /// What the region begins with: statements in order, and which operand they read, if it is one.
    stms: Vec<(&'p Stm, Option<usize>)>,
}

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// A reduction that is a contraction. The arrays of the pattern are bound.
    pub fn contraction(&mut self, nest: Nest<'p>, ops: &'p [Reduction], tile: Tile) -> Result<()> {
        let Nest { op: SegOp { space, body, .. }, .. } = nest;
        let c =
            &contraction(space, ops, body).ok_or_else(|| Error::bug("no product of matrices"))?;
        let mut volume = Ix::Const(1);
        for d in [c.row, c.column, c.depth] {
            let (_, n) =
                space.dims.get(d).ok_or_else(|| Error::bug("a product without that dimension"))?;
            let n = self.index(*n)?;
            volume = self.b.mul(volume, n)?;
        }
        let volume = match volume {
            _ if tile.least == 0 => return self.in_blocks(nest, ops, c, tile),
            Ix::Const(v) if v >= tile.least => return self.in_blocks(nest, ops, c, tile),
            Ix::Const(_) => return self.scheduled(nest.rest()),
            Ix::Val(v) => v,
        };
        let least = self.b.i64(tile.least)?;
        let worth = self.b.cmpi(Predicate::Sle, least, volume)?;
        let yes = self.region(&[], |f, _| f.in_blocks(nest, ops, c, tile).map(|()| Vec::new()))?;
        let no = self.region(&[], |f, _| f.scheduled(nest.rest()).map(|()| Vec::new()))?;
        self.b.scf_if(worth, &[], yes, no)?;
        Ok(())
    }

    /// Whatever its size, in blocks.
    fn in_blocks(
        &mut self,
        nest: Nest<'p>,
        ops: &'p [Reduction],
        c: &Contraction<'p>,
        tile: Tile,
    ) -> Result<()> {
        let number = |d: usize| i64::try_from(d).map_err(Error::bug);
        let how = [
            (BLOCK, self.b.numbers(&[tile.rows, tile.columns, tile.depth])),
            (DIMS, self.b.numbers(&[number(c.row)?, number(c.column)?])),
            (LANES, self.b.number(tile.lanes)),
            (TILE, self.b.numbers(&[tile.high, tile.wide])),
        ];
        self.product(nest, ops, c, false, &how)
    }

    /// By loops, with another dimension than the reduced one innermost if one is given.
    pub fn product_by_loops(
        &mut self,
        nest: Nest<'p>,
        ops: &'p [Reduction],
        c: &Contraction<'p>,
        columns: Option<(usize, i64)>,
    ) -> Result<()> {
        let mut how = Vec::new();
        if let Some((dim, block)) = columns {
            let dim = i64::try_from(dim).map_err(Error::bug)?;
            how.push((COLUMNS, self.b.numbers(&[dim, block])));
        }
        self.product(nest, ops, c, true, &how)
    }

    /// The operation. If `licensed`, sums may be reassociated where the operator gives the licence.
    fn product(
        &mut self,
        nest: Nest<'p>,
        ops: &'p [Reduction],
        c: &Contraction<'p>,
        licensed: bool,
        how: &[(&'static str, Attribute<'c>)],
    ) -> Result<()> {
        let Nest { pat, op: SegOp { space, body, .. }, .. } = nest;
        let ([element], [op]) = (pat, ops) else {
            return Err(Error::bug("a product without a result"));
        };
        let target = self.array(element.var)?;
        let sizes = self.outer_shape(space, space.dims.len())?;
        let operands = self.operands(space, body, c, &target, &sizes)?;
        let neutral = self.operand(c.neutral)?;
        self.fill(&target, neutral)?;
        if sizes.iter().any(|n| matches!(n, Ix::Const(n) if *n <= 0)) {
            return Ok(());
        }
        let arguments: Vec<_> =
            operands.elements.iter().map(|e| self.b.types().stored(*e)).collect();
        let region = self.linalg_region(&arguments, |f, values| {
            let Some((sum, elements)) = values.split_last() else {
                return Err(Error::bug("a product without a sum"));
            };
            f.bind_loops(space, &operands)?;
            for (stm, read) in &operands.stms {
                let Some(read) = read else {
                    f.stm(stm)?;
                    continue;
                };
                let value = elements.get(*read).copied();
                let value = value.ok_or_else(|| Error::bug("a factor of no operand"))?;
                let value = match operands.elements.get(*read) {
                    Some(Prim::Bool) => f.b.trunci(value, f.b.types().i1)?,
                    _ => value,
                };
                f.bind(&stm.pat, [value])?;
            }
            f.stm(c.product)?;
            let product = c.product.pat.first().ok_or_else(|| Error::bug("no product"))?;
            let product = f.lookup(product.var)?;
            if licensed {
                return f.apply(&op.op, &[*sum], &[product]);
            }
            // In order: no operation says that it may be reassociated.
            f.bind(&op.op.params, [*sum, product])?;
            f.body(&op.op.body, &op.op.ret)
        })?;
        let mut how = how.to_vec();
        if licensed {
            let accesses = ArrayAttribute::new(self.b.shared.context, &operands.accesses);
            how.push((OF_OPERANDS, accesses.into()));
        }
        self.b.linalg_generic(&operands.values, &operands.maps, (c.depth, 1), region, &how)
    }

    /// What is known of accesses to an array, as lists.
    fn lists_of_access(&self, array: &Array<'c>) -> Attribute<'c> {
        let context = self.b.shared.context;
        let known = self.access(array);
        let list = |name: &&str| known.iter().find(|(n, _)| n == name).map(|(_, list)| *list);
        let empty: Attribute<'c> = ArrayAttribute::new(context, &[]).into();
        let lists: Vec<_> = ACCESSES.iter().map(|n| list(n).unwrap_or(empty)).collect();
        ArrayAttribute::new(context, &lists).into()
    }

    /// What a product reads, and its result behind.
    fn operands(
        &mut self,
        space: &'p SegSpace,
        body: &'p KernelBody,
        c: &Contraction<'p>,
        target: &Array<'c>,
        sizes: &[Ix<'c>],
    ) -> Result<Operands<'c, 'p>> {
        let mut operands = Operands::default();
        let inside: VarSet = body.stms.iter().flat_map(|s| s.pat.iter().map(|p| p.var)).collect();
        let mut seen = VarSet::default();
        for stm in c.row_factor.1.iter().chain(&c.column_factor.1).copied() {
            if stm.pat.first().is_some_and(|p| !seen.insert(p.var)) {
                continue;
            }
            let read = match &stm.exp {
                Exp::Index { array, dims } => {
                    self.read_by_loops(space, &inside, *array, dims, sizes)?
                }
                _ => None,
            };
            let Some((array, map)) = read else {
                operands.stms.push((stm, None));
                continue;
            };
            operands.stms.push((stm, Some(operands.values.len())));
            operands.values.push(self.memref(&array)?);
            operands.maps.push(map);
            operands.elements.push(array.elem);
            operands.accesses.push(self.lists_of_access(&array));
        }
        // How many steps there are is told by shapes alone: if none tells, by one that is there for it.
        if !operands.maps.iter().any(|map| map.contains(&c.depth)) {
            let steps = sizes.get(c.depth).copied();
            let steps = steps.ok_or_else(|| Error::bug("a product without depth"))?;
            let (offset, strides) = (Ix::Const(0), vec![Ix::Const(0)]);
            let memrefs = Memrefs::here(&self.b);
            let (symbolic, shape) = (Symbolic::Unknown, vec![steps]);
            let shape = Array { symbolic, offset, strides, shape, memrefs, ..target.clone() };
            operands.values.push(self.memref(&shape)?);
            operands.maps.push(vec![c.depth]);
            operands.elements.push(c.elem);
            operands.accesses.push(self.lists_of_access(target));
        }
        operands.values.push(self.memref(target)?);
        operands.maps.push((0..c.depth).collect());
        operands.elements.push(c.elem);
        operands.accesses.push(self.lists_of_access(target));
        Ok(operands)
    }

    /// The array whose element at some indexes of the space is what is read from `array`, and these indexes
    /// in the order of its dimensions. Nothing if other indexes than those of the space vary.
    fn read_by_loops(
        &mut self,
        space: &SegSpace,
        inside: &VarSet,
        array: Var,
        dims: &[DimIndex],
        sizes: &[Ix<'c>],
    ) -> Result<Option<(Array<'c>, Vec<usize>)>> {
        let array = self.array(array)?;
        let (mut map, mut shape, mut strides) = (Vec::new(), Vec::new(), Vec::new());
        let mut fixed = Vec::new();
        for (dim, stride) in dims.iter().zip(&array.strides) {
            let DimIndex::Fix(i) = dim else { return Ok(None) };
            let of_space = i.var().and_then(|v| space.dims.iter().position(|(w, _)| *w == v));
            match (of_space, i) {
                (Some(d), _) if map.contains(&d) => return Ok(None),
                (Some(d), _) => {
                    map.push(d);
                    shape.extend(sizes.get(d).copied());
                    strides.push(*stride);
                }
                (None, SubExp::Var(v)) if inside.contains(v) => return Ok(None),
                (None, i) => fixed.push((*i, *stride)),
            }
        }
        if map.is_empty() {
            return Ok(None);
        }
        let as_it_is = fixed.is_empty()
            && shape.iter().zip(&array.shape).all(|(n, m)| match (n, m) {
                (Ix::Const(n), Ix::Const(m)) => n == m,
                (Ix::Val(n), Ix::Val(m)) => n == m,
                _ => false,
            });
        if as_it_is {
            return Ok(Some((array, map)));
        }
        let mut offset = array.offset;
        for (i, stride) in fixed {
            let i = self.index(i)?;
            let distance = self.b.mul(i, stride)?;
            offset = self.b.add(offset, distance)?;
        }
        let memrefs = Memrefs::here(&self.b);
        let symbolic = Symbolic::Unknown;
        Ok(Some((Array { symbolic, offset, shape, strides, memrefs, ..array }, map)))
    }

    /// Binds the index variables of the space that the code of a region uses.
    fn bind_loops(&mut self, space: &SegSpace, operands: &Operands<'c, 'p>) -> Result<()> {
        let mut used = VarSet::default();
        for (stm, _) in operands.stms.iter().filter(|(_, read)| read.is_none()) {
            used.extend(free_in_stm(stm));
        }
        for (d, (var, _)) in space.dims.iter().enumerate() {
            if used.contains(var) {
                let i = self.b.linalg_index(d)?;
                let i = self.b.index_cast(i, self.b.types().i64)?;
                self.env.insert(*var, i);
            }
        }
        Ok(())
    }
}

//! Reading and writing by lanes.

use super::super::function::{Array, Function};
use super::strip::{Result, Strip};
use crate::Error;
use crate::dialect::{Access, Ix, Predicate, Val};
use futc_midend::analysis::lanes::Class;
use futc_midend::ir::{Const, DimIndex, Prim, SubExp, Var};
use melior::ir::ValueLike;

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// Elements of an array.
    pub(super) fn read_by_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        array: Var,
        dims: &'p [DimIndex],
    ) -> Result<Val<'c>> {
        if let Some(own) = self.lane_array(strip, array) {
            return self.read_of_lanes(strip, &own, dims);
        }
        let array = self.array(array)?;
        let mut indexes = Vec::with_capacity(dims.len());
        for d in dims {
            match d {
                DimIndex::Fix(i) => indexes.push(*i),
                DimIndex::Slice { .. } => return Err(Error::bug("a view by lanes")),
            }
        }
        let value = match (self.walk(strip, &array, &indexes)?, unit_stride(&array)) {
            (Some((first, Ix::Const(1))), _) => self.neighbours(strip, &array, &first)?,
            (Some((mut first, Ix::Const(-1))), Some((unit, stride))) => {
                if let Some(i) = first.get_mut(unit) {
                    *i = self.b.add(*i, Ix::Const((1 - strip.width) * stride))?;
                }
                let backwards = Strip { mask: self.reversed_mask(strip)?, ..*strip };
                let value = self.neighbours(&backwards, &array, &first)?;
                self.reverse(strip, value)?
            }
            (Some((first, Ix::Const(step))), _) if self.has_windows(strip, &array, step) => {
                self.chosen_of_window(strip, &array, (&indexes, &first), step)?
            }
            (Some((first, step)), _) => {
                let step = self.b.ix(step)?;
                let step = self.spread_to(strip, step)?;
                let lanes = self.distances(strip, 1)?;
                let distances = self.b.muli(lanes, step)?;
                let place = self.position(&array, &first)?;
                self.gather(strip, &array, place, distances)?
            }
            (None, _) => match self.flipped(strip, &array, &indexes) {
                Some((lanes, bits)) => {
                    self.perhaps_permuted(strip, &array, &indexes, (lanes, bits))?
                }
                None => self.scattered(strip, &array, &indexes)?,
            },
        };
        self.unstored(strip, array.elem, value)
    }

    /// Values of what is read.
    pub(super) fn unstored(
        &self,
        strip: &Strip<'_, 'c, 'p>,
        elem: Prim,
        value: Val<'c>,
    ) -> Result<Val<'c>> {
        match elem {
            Prim::Bool => {
                let ty = self.lanes_type(strip, self.b.types().i1)?;
                self.b.trunci(value, ty)
            }
            Prim::Int(_) | Prim::Float(_) => Ok(value),
        }
    }

    /// Elements anywhere.
    fn scattered(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        array: &Array<'c>,
        indexes: &[SubExp],
    ) -> Result<Val<'c>> {
        let positions = self.positions(strip, array, indexes)?;
        if strip.classes.straight || strip.classes.goes_round(indexes) {
            let rims = strip.classes.straight && strip.classes.nearly_linear(indexes);
            self.perhaps_neighbours(strip, array, positions, rims)
        } else {
            self.gather(strip, array, Ix::Const(0), positions)
        }
    }

    /// The index that neighbours are read at but for some bits that are flipped in it, and these bits.
    fn flipped(
        &self,
        strip: &Strip<'_, 'c, 'p>,
        array: &Array<'c>,
        indexes: &[SubExp],
    ) -> Option<(SubExp, SubExp)> {
        let ([SubExp::Var(i)], [Ix::Const(1)]) = (indexes, array.strides.as_slice()) else {
            return None;
        };
        let whole = strip.mask.is_none() && strip.width & (strip.width - 1) == 0;
        strip.classes.flipped.get(i).copied().filter(|_| whole)
    }

    /// What lies at indexes of which some bits are flipped: if these are the bits that number the
    /// lanes, it is a vector of neighbours that change places, as in a butterfly or a sorting network.
    fn perhaps_permuted(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        array: &Array<'c>,
        indexes: &[SubExp],
        (lanes, bits): (SubExp, SubExp),
    ) -> Result<Val<'c>> {
        let (first, bits) = (self.index(lanes)?, self.index(bits)?);
        let (first, bits) = (self.b.ix(first)?, self.b.ix(bits)?);
        let (width, zero) = (self.b.i64(strip.width)?, self.b.i64(0)?);
        let low = self.b.i64(strip.width - 1)?;
        let below = self.b.andi(first, low)?;
        let begins = self.b.cmpi(Predicate::Eq, below, zero)?;
        let inside = self.b.cmpi(Predicate::Ult, bits, width)?;
        let permuted = self.b.andi(begins, inside)?;
        let yes = self.region(&[], |f, _| {
            let mut value = f.neighbours(strip, array, &[Ix::Val(first)])?;
            for bit in (0..i64::BITS).map(|b| 1 << b).take_while(|bit| *bit < strip.width) {
                let flipped = f.shuffle(value, value, (0..strip.width).map(|lane| lane ^ bit))?;
                let this = f.b.i64(bit)?;
                let this = f.b.andi(bits, this)?;
                let is_flipped = f.b.cmpi(Predicate::Ne, this, zero)?;
                value = f.b.select(is_flipped, flipped, value)?;
            }
            Ok(vec![value])
        })?;
        let no = self.region(&[], |f, _| Ok(vec![f.scattered(strip, array, indexes)?]))?;
        let ty = self.stored_lanes(strip, array.elem)?;
        self.b.scf_if_value(permuted, ty, yes, no)
    }

    /// Where the first lane reads, and how far the next is, if all are that far apart.
    fn walk(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        array: &Array<'c>,
        indexes: &[SubExp],
    ) -> Result<Option<(Vec<Ix<'c>>, Ix<'c>)>> {
        let mut step = Ix::Const(0);
        let mut first = Vec::with_capacity(indexes.len());
        for (i, stride) in indexes.iter().zip(&array.strides) {
            match strip.classes.of(*i) {
                Class::Varying => return Ok(None),
                Class::Uniform => {}
                Class::Linear(by) => {
                    let distance = self.b.mul(Ix::Const(by), *stride)?;
                    step = self.b.add(step, distance)?;
                }
            }
            first.push(self.index(*i)?);
        }
        Ok(Some((first, step)))
    }

    /// The positions of elements in the block.
    fn positions(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        array: &Array<'c>,
        indexes: &[SubExp],
    ) -> Result<Val<'c>> {
        let offset = self.b.ix(array.offset)?;
        let mut position = self.spread_to(strip, offset)?;
        for (i, stride) in indexes.iter().zip(&array.strides) {
            let i = self.in_lanes(strip, *i)?;
            let stride = self.b.ix(*stride)?;
            let stride = self.spread_to(strip, stride)?;
            let distance = self.b.muli(i, stride)?;
            position = self.b.addi(position, distance)?;
        }
        Ok(position)
    }

    /// Lanes that do not take part are zero, wherever they would read.
    pub(super) fn nothing(&self, strip: &Strip<'_, 'c, 'p>, elem: Prim) -> Result<Val<'c>> {
        let stored = self.stored_lanes(strip, elem)?;
        match elem {
            Prim::Bool => self.b.int(stored, 0),
            Prim::Int(_) | Prim::Float(_) => self.b.constant_in(stored, Const::zero(elem)),
        }
    }

    /// A vector from here on.
    fn neighbours(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        array: &Array<'c>,
        first: &[Ix<'c>],
    ) -> Result<Val<'c>> {
        let stored = self.stored_lanes(strip, array.elem)?;
        let Some(mask) = strip.mask else {
            return self.load_neighbours(stored, array, first);
        };
        let (memref, first) = self.vectors_at(array, first)?;
        let nothing = self.nothing(strip, array.elem)?;
        self.b.vector_maskedload(memref, &first, mask, nothing)
    }

    /// A vector from a position in the block on.
    pub(super) fn neighbours_in_block(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        array: &Array<'c>,
        position: Val<'c>,
    ) -> Result<Val<'c>> {
        let stored = self.stored_lanes(strip, array.elem)?;
        let block = self.elements_of_block(array)?;
        let at = [Ix::Val(position)];
        match strip.mask {
            Some(mask) => {
                let nothing = self.nothing(strip, array.elem)?;
                self.b.vector_maskedload(block, &at, mask, nothing)
            }
            None => {
                let access = Access { known: self.access(array), ..Access::default() };
                self.b.vector_load(stored, block, &at, &access)
            }
        }
    }

    /// Elements at positions that often are neighbours: of indexes that go round or are computed with
    /// bits, or that turn inwards at the rims, where the first or the last lane goes elsewhere. The tests cost little beside a
    /// gather.
    fn perhaps_neighbours(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        array: &Array<'c>,
        positions: Val<'c>,
        rims: bool,
    ) -> Result<Val<'c>> {
        let rims = rims && strip.mask.is_none() && strip.width > 2 && array.elem != Prim::Bool;
        let known = i64::from(rims);
        let first = self.b.vector_extract(positions, known)?;
        let back = self.b.i64(known)?;
        let first = self.b.subi(first, back)?;
        let firsts = self.spread_to(strip, first)?;
        let distances = self.distances(strip, 1)?;
        let expected = self.b.addi(firsts, distances)?;
        let equal = self.b.cmpi(Predicate::Eq, positions, expected)?;
        let neighbours = self.all_lanes(equal)?;
        let ty = self.stored_lanes(strip, array.elem)?;
        let yes =
            self.region(&[], |f, _| f.neighbours_in_block(strip, array, first).map(|x| vec![x]))?;
        let no = self.region(&[], |f, _| {
            let gather =
                |f: &mut Self| Ok(vec![f.gather(strip, array, Ix::Const(0), positions)?]);
            if !rims {
                return gather(f);
            }
            let outer = f.lanes_where(strip, |lane| lane == 0 || lane == strip.width - 1)?;
            let inner = f.b.select(outer, outer, equal)?;
            let inner = f.all_lanes(inner)?;
            let yes = f.region(&[], |f, _| {
                f.neighbours_but_outer(strip, array, first, positions).map(|x| vec![x])
            })?;
            let no = f.region(&[], |f, _| gather(f))?;
            Ok(vec![f.b.scf_if_value(inner, ty, yes, no)?])
        })?;
        self.b.scf_if_value(neighbours, ty, yes, no)
    }

    /// Neighbours from a position on, but for the first and the last lane, which read elsewhere.
    fn neighbours_but_outer(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        array: &Array<'c>,
        first: Val<'c>,
        positions: Val<'c>,
    ) -> Result<Val<'c>> {
        let last = strip.width - 1;
        let inner = self.lanes_where(strip, |lane| lane != 0 && lane != last)?;
        let within = Strip { mask: Some(inner), ..*strip };
        let mut value = self.neighbours_in_block(&within, array, first)?;
        let block = self.elements_of_block(array)?;
        for lane in [0, last] {
            let at = self.b.vector_extract(positions, lane)?;
            let access = Access { known: self.access(array), ..Access::default() };
            let x = self.load_from(block, &[Ix::Val(at)], array.elem, &access)?;
            let x = self.spread_to(strip, x)?;
            let this = self.lanes_where(strip, |l| l == lane)?;
            value = self.blend(this, x, value)?;
        }
        Ok(value)
    }

    /// A constant mask.
    fn lanes_where(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        set: impl Fn(i64) -> bool,
    ) -> Result<Val<'c>> {
        let lanes: Vec<i64> = (0..strip.width).map(|lane| i64::from(set(lane))).collect();
        let lanes = self.b.words(&lanes)?;
        let ty = self.lanes_type(strip, self.b.types().i1)?;
        self.b.trunci(lanes, ty)
    }

    /// Elements at some distances from a place.
    pub(super) fn gather(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        array: &Array<'c>,
        place: Ix<'c>,
        distances: Val<'c>,
    ) -> Result<Val<'c>> {
        let block = self.elements_of_block(array)?;
        let nothing = self.nothing(strip, array.elem)?;
        let Some(mask) = strip.mask.filter(|_| self.branches_to_gather(array.elem)) else {
            let mask = self.whole_mask(strip)?;
            return self.b.vector_gather(block, &[place], distances, mask, nothing);
        };
        // If any lane takes part, the block has a first element, which others read.
        let any = self.any_lane(mask)?;
        let yes = self.region(&[], |f, _| {
            let first = f.b.sub(Ix::Const(0), place)?;
            let first = f.b.ix(first)?;
            let first = f.spread_to(strip, first)?;
            let distances = f.b.select(mask, distances, first)?;
            let whole = f.whole_mask(&Strip { mask: None, ..*strip })?;
            let value = f.b.vector_gather(block, &[place], distances, whole, nothing)?;
            Ok(vec![f.b.select(mask, value, nothing)?])
        })?;
        let no = self.region(&[], |_, _| Ok(vec![nothing]))?;
        let ty = self.stored_lanes(strip, array.elem)?;
        self.b.scf_if_value(any, ty, yes, no)
    }

    /// Whether LLVM makes a branch for each lane of a gather with a mask: processors gather four bytes at least. Those whose gathers
    /// are quick gather the words around narrower elements (see `convert/narrow_gather.rs`). Sanitizers take it for a race
    /// that lanes read what others write and nobody uses.
    fn branches_to_gather(&self, elem: Prim) -> bool {
        let machine = &self.m.machine;
        elem.bytes() < 4 && !machine.cpu.quick_gathers && !machine.sanitized
    }

    fn reverse(&mut self, strip: &Strip<'_, 'c, 'p>, x: Val<'c>) -> Result<Val<'c>> {
        self.shuffle(x, x, (0..strip.width).rev())
    }

    fn reversed_mask(&mut self, strip: &Strip<'_, 'c, 'p>) -> Result<Option<Val<'c>>> {
        strip.mask.map(|mask| self.reverse(strip, mask)).transpose()
    }

    /// Writes an element of each lane that takes part and whose indexes lie inside of an array: in the order of the
    /// lanes, which is that of the points.
    pub(super) fn write_by_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        target: &Array<'c>,
        indexes: &[SubExp],
        value: SubExp,
    ) -> Result<()> {
        let mut inside = self.whole_mask(strip)?;
        for (i, n) in indexes.iter().zip(&target.shape) {
            let (i, n) = (self.in_lanes(strip, *i)?, self.b.ix(*n)?);
            let n = self.spread_to(strip, n)?;
            let this = self.in_bounds(i, n)?;
            inside = self.b.andi(inside, this)?;
        }
        let some = self.any_lane(inside)?;
        self.when(some, |f| {
            let positions = f.positions(strip, target, indexes)?;
            let value = f.in_lanes(strip, value)?;
            let value = f.stored(target.elem, value)?;
            let block = f.elements_of_block(target)?;
            f.b.vector_scatter(value, block, &[Ix::Const(0)], positions, inside)
        })
    }

    /// Writes a vector to the elements from these indexes on, of the lanes that take part.
    pub(super) fn store_neighbours(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        target: &Array<'c>,
        at: &[Ix<'c>],
        value: Val<'c>,
    ) -> Result<()> {
        let value = match target.elem {
            Prim::Bool => {
                let stored = self.b.shaped(value.r#type(), self.b.types().i8);
                self.b.extui(value, stored)?
            }
            Prim::Int(_) | Prim::Float(_) => value,
        };
        match strip.mask {
            Some(mask) => {
                let (memref, at) = self.vectors_at(target, at)?;
                self.b.vector_maskedstore(value, memref, &at, mask)
            }
            None => self.write_neighbours(target, at, value),
        }
    }
}

/// The last dimension whose neighbours are neighbours in memory, in the same order or the other way round, and its
/// stride.
fn unit_stride(array: &Array<'_>) -> Option<(usize, i64)> {
    let unit = |(d, stride): (usize, &Ix<'_>)| match stride {
        Ix::Const(1) => Some((d, 1)),
        Ix::Const(-1) => Some((d, -1)),
        _ => None,
    };
    array.strides.iter().enumerate().rev().find_map(unit)
}

//! Arrays that the points of a body make, by lanes: see [`futc_midend::analysis::lanes`].
//!
//! | where it lies | an element of all lanes |
//! | --- | --- |
//! | private | a vector: the block has room for all lanes, whose elements lie side by side |
//! | a row of a result | a stride apart: gathered, scattered; the elements of a short literal change places in registers |

use super::super::array::Start;
use super::super::function::{Binder, Function};
use super::strip::{LaneArray, Result, Strip};
use crate::Error;
use crate::dialect::{Access, Ix, Val};
use futc_midend::analysis::lanes::{Class, Home};
use futc_midend::ir::{Const, DimIndex, Exp, IntType, PatElem, Prim, Stm, SubExp, Var};
use melior::ir::ValueLike;
use std::slice;

/// An index.
#[derive(Clone, Copy)]
pub(super) enum At<'c> {
    /// The same in all lanes.
    Same(Ix<'c>),
    Lanes(Val<'c>),
}

/// Literals of at most so many elements change places in registers, if they are rows of a result.
const MOST_IN_REGISTERS: usize = 4;

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// Room for the private blocks of a strip, which stand for the blocks of one point.
    pub(super) fn private_blocks(&mut self, strip: &Strip<'_, 'c, 'p>, shared: bool) -> Result<()> {
        let blocks: Vec<_> = strip.classes.private_blocks().collect();
        for (slot, (block, elem, n)) in blocks.into_iter().enumerate() {
            let bytes = n * elem.bytes() * strip.width;
            // LLVM can make registers of room of its own.
            let room =
                if shared { self.shared_block(slot, bytes) } else { self.block_in_entry(bytes) };
            let room = room?;
            self.env.insert(block, room);
        }
        Ok(())
    }

    /// Room that several nests have for a block of each.
    fn shared_block(&mut self, slot: usize, bytes: i64) -> Result<Val<'c>> {
        if let Some((room, size)) = self.shared_room.get(slot)
            && *size >= bytes
        {
            return Ok(*room);
        }
        // Twice as much as is asked for at least, so that there are few.
        let size = bytes.saturating_mul(2);
        let room = self.block_in_entry(size)?;
        let shared = &mut self.shared_room;
        match shared.get_mut(slot) {
            Some(known) => *known = (room, size),
            None => shared.push((room, size)),
        }
        Ok(room)
    }

    /// Binds the arrays of a pattern or of parameters.
    pub(super) fn bind_lane_arrays(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        binders: &[impl Binder],
    ) -> Result<()> {
        for binder in binders.iter().filter(|b| b.ty().rank() > 0) {
            let Some(home) = strip.classes.home(binder.var()) else {
                self.bind_arrays(slice::from_ref(binder))?;
                continue;
            };
            let missing = || Error::bug("an array without a place by lanes");
            let mut array = self.place(
                binder.ty().elem().ok_or_else(missing)?,
                binder.mem().ok_or_else(missing)?,
            )?;
            let step = match home {
                Home::Private => {
                    array.offset = self.b.mul(array.offset, Ix::Const(strip.width))?;
                    for stride in &mut array.strides {
                        *stride = self.b.mul(*stride, Ix::Const(strip.width))?;
                    }
                    Ix::Const(1)
                }
                Home::Row(step) => self.size(&step.to_size())?,
            };
            strip.arrays.borrow_mut().insert(binder.var(), LaneArray { array, step });
        }
        Ok(())
    }

    /// The array of each lane, if a variable is one.
    pub(super) fn lane_array(&self, strip: &Strip<'_, 'c, 'p>, v: Var) -> Option<LaneArray<'c>> {
        strip.arrays.borrow().get(&v).cloned()
    }

    fn target_of_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        pat: &'p [PatElem],
    ) -> Result<LaneArray<'c>> {
        self.bind_lane_arrays(strip, pat)?;
        let target = pat.first().and_then(|p| self.lane_array(strip, p.var));
        target.ok_or_else(|| Error::bug("an array by lanes without a pattern"))
    }

    pub(super) fn lane_index(&mut self, strip: &Strip<'_, 'c, 'p>, i: SubExp) -> Result<At<'c>> {
        match strip.classes.of(i) {
            Class::Uniform => self.index(i).map(At::Same),
            Class::Linear(_) | Class::Varying => self.in_lanes(strip, i).map(At::Lanes),
        }
    }

    fn fixed(&mut self, strip: &Strip<'_, 'c, 'p>, dims: &[DimIndex]) -> Result<Vec<At<'c>>> {
        let mut at = Vec::with_capacity(dims.len());
        for d in dims {
            match d {
                DimIndex::Fix(i) => at.push(self.lane_index(strip, *i)?),
                DimIndex::Slice { .. } => return Err(Error::bug("a slice by lanes")),
            }
        }
        Ok(at)
    }

    /// Where the first lane's element lies, and how far the others' are from it; in all lanes one
    /// behind the other if there are no distances.
    fn spots(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        from: &LaneArray<'c>,
        at: &[At<'c>],
    ) -> Result<(Ix<'c>, Option<Val<'c>>)> {
        let mut place = from.array.offset;
        let mut distances = None;
        for (i, stride) in at.iter().zip(&from.array.strides) {
            match i {
                At::Same(i) => {
                    let distance = self.b.mul(*i, *stride)?;
                    place = self.b.add(place, distance)?;
                }
                At::Lanes(i) => {
                    let stride = self.b.ix(*stride)?;
                    let stride = self.spread_to(strip, stride)?;
                    let distance = self.b.muli(*i, stride)?;
                    distances = Some(match distances {
                        Some(sum) => self.b.addi(sum, distance)?,
                        None => distance,
                    });
                }
            }
        }
        if distances.is_none() && matches!(from.step, Ix::Const(1)) {
            return Ok((place, None));
        }
        let step = self.b.ix(from.step)?;
        let step = self.spread_to(strip, step)?;
        let lanes = self.distances(strip, 1)?;
        let own = self.b.muli(lanes, step)?;
        let distances = match distances {
            Some(sum) => self.b.addi(sum, own)?,
            None => own,
        };
        Ok((place, Some(distances)))
    }

    /// An element of each lane's array.
    pub(super) fn read_of_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        from: &LaneArray<'c>,
        dims: &[DimIndex],
    ) -> Result<Val<'c>> {
        let at = self.fixed(strip, dims)?;
        self.get_of_lanes(strip, from, &at)
    }

    fn get_of_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        from: &LaneArray<'c>,
        at: &[At<'c>],
    ) -> Result<Val<'c>> {
        let (place, distances) = self.spots(strip, from, at)?;
        let value = match distances {
            Some(distances) => self.gather(strip, &from.array, place, distances)?,
            None => {
                let place = self.b.ix(place)?;
                // All lanes have the room, whether or not they take part.
                let all = Strip { mask: None, ..*strip };
                self.neighbours_in_block(&all, &from.array, place)?
            }
        };
        match from.array.elem {
            Prim::Bool => {
                let ty = self.lanes_type(strip, self.b.types().i1)?;
                self.b.trunci(value, ty)
            }
            Prim::Int(_) | Prim::Float(_) => Ok(value),
        }
    }

    pub(super) fn set_of_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        to: &LaneArray<'c>,
        at: &[At<'c>],
        value: Val<'c>,
    ) -> Result<()> {
        let value = self.stored(to.array.elem, value)?;
        let (place, distances) = self.spots(strip, to, at)?;
        let block = self.elements_of_block(&to.array)?;
        match (distances, strip.mask) {
            (Some(distances), _) => {
                let mask = self.whole_mask(strip)?;
                self.b.vector_scatter(value, block, &[place], distances, mask)
            }
            (None, Some(mask)) => self.b.vector_maskedstore(value, block, &[place], mask),
            (None, None) => {
                let access = Access { known: self.access(&to.array), ..Access::default() };
                self.b.vector_store(value, block, &[place], &access)
            }
        }
    }

    pub(super) fn stored(&self, elem: Prim, value: Val<'c>) -> Result<Val<'c>> {
        match elem {
            Prim::Bool => {
                let stored = self.b.shaped(value.r#type(), self.b.types().i8);
                self.b.extui(value, stored)
            }
            Prim::Int(_) | Prim::Float(_) => Ok(value),
        }
    }

    /// Visits all elements of an array; the indexes are the same in all lanes.
    fn each_element(
        &mut self,
        shape: &[Ix<'c>],
        f: &mut dyn FnMut(&mut Self, &[At<'c>]) -> Result<()>,
    ) -> Result<()> {
        self.nest(shape, &mut |fun, indexes| {
            let at: Vec<At<'c>> = indexes.iter().copied().map(At::Same).collect();
            f(fun, &at)
        })
    }

    /// A copy of an array of each lane, or of one that all share, to the part of another at some indexes.
    fn copy_by_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        to: &LaneArray<'c>,
        outer: &[At<'c>],
        source: Var,
    ) -> Result<()> {
        let inner: Vec<Ix<'c>> = to.array.shape.iter().skip(outer.len()).copied().collect();
        let own = self.lane_array(strip, source);
        self.each_element(&inner, &mut |f, i| {
            let value = match &own {
                Some(from) => f.get_of_lanes(strip, from, i)?,
                None => {
                    let from = f.array(source)?;
                    let at: Vec<Ix<'c>> = i
                        .iter()
                        .filter_map(|i| match i {
                            At::Same(i) => Some(*i),
                            At::Lanes(_) => None,
                        })
                        .collect();
                    let value = f.load(&from, &at)?;
                    f.spread_to(strip, value)?
                }
            };
            let at: Vec<At<'c>> = outer.iter().chain(i).copied().collect();
            f.set_of_lanes(strip, to, &at, value)
        })
    }

    /// A copy, unless the array is there already.
    pub(super) fn put_array(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        to: &LaneArray<'c>,
        outer: &[SubExp],
        source: Var,
    ) -> Result<()> {
        if let Some(from) = self.lane_array(strip, source) {
            let place = to.array.lmad()?.row(outer);
            if from.array.lies_at(to.array.block, &place, &self.defs) {
                return Ok(());
            }
        }
        let mut at = Vec::with_capacity(outer.len());
        for i in outer {
            at.push(self.lane_index(strip, *i)?);
        }
        self.copy_by_lanes(strip, to, &at, source)
    }

    /// A statement that makes an array of each lane.
    pub(super) fn array_by_lanes(&mut self, strip: &Strip<'_, 'c, 'p>, stm: &'p Stm) -> Result<()> {
        match &stm.exp {
            Exp::SubExp(_) | Exp::Index { .. } | Exp::Reshape { .. } | Exp::Rearrange { .. } => {
                self.bind_lane_arrays(strip, &stm.pat)
            }
            Exp::Scratch { .. } => self.bind_lane_arrays(strip, &stm.pat),
            Exp::ArrayLit { elems, .. } => self.literal_by_lanes(strip, &stm.pat, elems),
            Exp::Replicate { shape, value } => {
                let target = self.target_of_lanes(strip, &stm.pat)?;
                if target.array.shape.len() == shape.len() {
                    let value = self.in_lanes(strip, *value)?;
                    let all = target.array.shape.clone();
                    return self
                        .each_element(&all, &mut |f, i| f.set_of_lanes(strip, &target, i, value));
                }
                let source =
                    value.var().ok_or_else(|| Error::bug("an array that is a constant"))?;
                let outer: Vec<_> = target.array.shape.iter().take(shape.len()).copied().collect();
                self.each_element(&outer, &mut |f, i| f.copy_by_lanes(strip, &target, i, source))
            }
            Exp::Iota { start, stride, ty, .. } => {
                self.iota_by_lanes(strip, &stm.pat, *start, *stride, *ty)
            }
            Exp::Copy(source) => {
                let target = self.target_of_lanes(strip, &stm.pat)?;
                self.put_array(strip, &target, &[], *source)
            }
            Exp::Concat { dim, arrays, .. } => {
                let target = self.target_of_lanes(strip, &stm.pat)?;
                self.concat_by_lanes(strip, &target, *dim, arrays)
            }
            Exp::Update { dims, value, .. } => {
                let target = self.target_of_lanes(strip, &stm.pat)?;
                let at = self.fixed(strip, dims)?;
                let value = self.in_lanes(strip, *value)?;
                self.set_of_lanes(strip, &target, &at, value)
            }
            _ => Err(Error::bug("an operation on arrays that does not go by lanes")),
        }
    }

    fn concat_by_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        target: &LaneArray<'c>,
        dim: usize,
        arrays: &[Var],
    ) -> Result<()> {
        let mut start = Start::default();
        for source in arrays {
            let own = self.lane_array(strip, *source);
            let from = match &own {
                Some(from) => from.array.clone(),
                None => self.array(*source)?,
            };
            let array = self.next_part(&target.array, dim, &mut start, &from)?;
            let there = from.lies_at(array.block, array.lmad()?, &self.defs);
            if own.is_none() || !there {
                let part = LaneArray { array, step: target.step };
                self.copy_by_lanes(strip, &part, &[], *source)?;
            }
        }
        Ok(())
    }

    fn iota_by_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        pat: &'p [PatElem],
        start: SubExp,
        stride: SubExp,
        ty: IntType,
    ) -> Result<()> {
        let target = self.target_of_lanes(strip, pat)?;
        let (start, stride) = (self.in_lanes(strip, start)?, self.in_lanes(strip, stride)?);
        let ty = self.b.types().int(ty);
        let shape = target.array.shape.clone();
        self.nest(&shape, &mut |f, i| {
            let i = i.first().copied().unwrap_or(Ix::Const(0));
            let counter = f.b.ix(i)?;
            let counter = if ty == f.b.types().i64 { counter } else { f.b.trunci(counter, ty)? };
            let counter = f.spread_to(strip, counter)?;
            let distance = f.b.muli(counter, stride)?;
            let value = f.b.addi(start, distance)?;
            f.set_of_lanes(strip, &target, &[At::Same(i)], value)
        })
    }

    fn literal_by_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        pat: &'p [PatElem],
        elems: &'p [SubExp],
    ) -> Result<()> {
        let target = self.target_of_lanes(strip, pat)?;
        if target.array.strides.len() > 1 {
            for (i, elem) in elems.iter().enumerate() {
                let row = elem.var().ok_or_else(|| Error::bug("an array that is a constant"))?;
                let i = SubExp::Const(Const::I64(i64::try_from(i).map_err(Error::bug)?));
                self.put_array(strip, &target, &[i], row)?;
            }
            return Ok(());
        }
        let values = elems.iter().map(|x| self.in_lanes(strip, *x)).collect::<Result<Vec<_>>>()?;
        if self.in_registers(strip, &target, &values)? {
            return Ok(());
        }
        for (i, value) in values.into_iter().enumerate() {
            let i = Ix::Const(i64::try_from(i).map_err(Error::bug)?);
            self.set_of_lanes(strip, &target, &[At::Same(i)], value)?;
        }
        Ok(())
    }

    /// Rows that lie one behind the other as a whole: `a b c a b c …` of `a a …`, `b b …` and `c c …`.
    /// Returns whether they do.
    fn in_registers(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        target: &LaneArray<'c>,
        values: &[Val<'c>],
    ) -> Result<bool> {
        let n = i64::try_from(values.len()).map_err(Error::bug)?;
        let dense = matches!(target.array.strides.as_slice(), [Ix::Const(1)])
            && matches!(target.step, Ix::Const(step) if step == n);
        let (true, None, Some((first, others))) = (
            dense && (1..=MOST_IN_REGISTERS).contains(&values.len()),
            strip.mask,
            values.split_first(),
        ) else {
            return Ok(false);
        };
        let first = self.stored(target.array.elem, *first)?;
        let block = self.elements_of_block(&target.array)?;
        let access = Access { known: self.access(&target.array), ..Access::default() };
        for part in 0..n {
            let mut row = first;
            let of = |lane: i64| ((part * strip.width + lane) % n, (part * strip.width + lane) / n);
            for (value, k) in others.iter().zip(1..) {
                let value = self.stored(target.array.elem, *value)?;
                let from = (0..strip.width).map(|lane| match of(lane) {
                    (element, point) if element == k => strip.width + point,
                    // What comes from the first vector goes to its place in the first step.
                    (0, point) if k == 1 => point,
                    _ if k == 1 => 0,
                    _ => lane,
                });
                row = self.shuffle(row, value, from)?;
            }
            let at = self.b.add(target.array.offset, Ix::Const(part * strip.width))?;
            self.b.vector_store(row, block, &[at], &access)?;
        }
        Ok(true)
    }

    /// Collects the array results of a strip, where they are not made in place.
    pub(super) fn collect_array_by_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        element: &'p PatElem,
        at: &[SubExp],
        source: Var,
    ) -> Result<()> {
        let array = self.array(element.var)?;
        let stride = array.strides.get(at.len().wrapping_sub(1)).copied();
        let step =
            stride.ok_or_else(|| Error::bug("an array result without a dimension of points"))?;
        let target = LaneArray { array, step };
        // The first lane's row; other lanes are `step` further.
        if let Some(from) = self.lane_array(strip, source) {
            let place = target.array.lmad()?.row(at);
            if from.array.lies_at(target.array.block, &place, &self.defs) {
                return Ok(());
            }
        }
        let mut outer = Vec::with_capacity(at.len());
        for i in at {
            outer.push(At::Same(self.index(*i)?));
        }
        self.copy_by_lanes(strip, &target, &outer, source)
    }
}

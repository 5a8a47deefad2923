//! Reading and writing by lanes.

use super::super::builder::{Ix, Predicate, Val, result_of};
use super::super::function::{Array, Function};
use super::{Result, Strip};
use crate::Error;
use futc_midend::analysis::lanes::Class;
use futc_midend::ir::{Const, DimIndex, Prim, SubExp, Var};
use melior::ir::attribute::{DenseI32ArrayAttribute, IntegerAttribute, TypeAttribute};
use melior::ir::{Attribute, ValueLike};

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// Elements of an array.
    pub(super) fn read_by_lanes(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        array: Var,
        dims: &'p [DimIndex],
    ) -> Result<Val<'c>> {
        let array = self.array(array)?;
        let mut indexes = Vec::with_capacity(dims.len());
        for d in dims {
            match d {
                DimIndex::Fix(i) => indexes.push(*i),
                DimIndex::Slice { .. } => return Err(Error::bug("a view by lanes")),
            }
        }
        let value = match self.walk(strip, &array, &indexes)? {
            Some((place, Ix::Const(1))) => self.neighbours(strip, &array, place)?,
            Some((place, Ix::Const(-1))) => {
                let back = self.b.types().stored(array.elem);
                let place = self.b.element_pointer(place, Ix::Const(1 - strip.width), back)?;
                let backwards = Strip { mask: self.reversed_mask(strip)?, ..*strip };
                let value = self.neighbours(&backwards, &array, place)?;
                self.reverse(strip, value)?
            }
            Some((place, step)) => {
                let step = self.b.ix(step)?;
                let step = self.spread_to(strip, step)?;
                let lanes = self.distances(strip, 1)?;
                let distances = self.b.same("arith.muli", &[lanes, step])?;
                self.gather(strip, &array, place, distances)?
            }
            None => match self.flipped(strip, &array, &indexes) {
                Some((lanes, bits)) => {
                    self.perhaps_permuted(strip, &array, &indexes, (lanes, bits))?
                }
                None => self.scattered(strip, &array, &indexes)?,
            },
        };
        match array.elem {
            Prim::Bool => {
                let ty = self.lanes_type(strip, self.b.types().i1)?;
                self.b.value("arith.trunci", &[value], ty)
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
        if strip.classes.straight {
            self.perhaps_neighbours(strip, array, positions)
        } else {
            self.gather(strip, array, array.base, positions)
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
        let below = self.b.same("arith.andi", &[first, low])?;
        let begins = self.b.cmpi(Predicate::Eq, below, zero)?;
        let inside = self.b.cmpi(Predicate::Ult, bits, width)?;
        let permuted = self.b.same("arith.andi", &[begins, inside])?;
        let yes = self.region(&[], "scf.yield", |f, _| {
            let place = f.element(array, &[Ix::Val(first)])?;
            let mut value = f.neighbours(strip, array, place)?;
            for bit in (0..i64::BITS).map(|b| 1 << b).take_while(|bit| *bit < strip.width) {
                let flipped = f.shuffle(value, value, (0..strip.width).map(|lane| lane ^ bit))?;
                let this = f.b.i64(bit)?;
                let this = f.b.same("arith.andi", &[bits, this])?;
                let is_flipped = f.b.cmpi(Predicate::Ne, this, zero)?;
                value = f.b.select(is_flipped, flipped, value)?;
            }
            Ok(vec![value])
        })?;
        let no =
            self.region(&[], "scf.yield", |f, _| Ok(vec![f.scattered(strip, array, indexes)?]))?;
        let types = [self.stored_lanes(strip, array.elem)?];
        let operation = self.b.operation("scf.if", &[permuted], &types, &[], vec![yes, no])?;
        result_of(operation, 0)
    }

    /// Where the first lane reads, and how far the next is, if all are that far apart.
    fn walk(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        array: &Array<'c>,
        indexes: &[SubExp],
    ) -> Result<Option<(Val<'c>, Ix<'c>)>> {
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
        let place = self.element(array, &first)?;
        Ok(Some((place, step)))
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
            let distance = self.b.same("arith.muli", &[i, stride])?;
            position = self.b.same("arith.addi", &[position, distance])?;
        }
        Ok(position)
    }

    fn alignment(&self, elem: Prim) -> Attribute<'c> {
        IntegerAttribute::new(self.b.types().i32, elem.bytes()).into()
    }

    /// Lanes that do not take part are zero, wherever they would read.
    fn nothing(&self, strip: &Strip<'_, 'c, 'p>, elem: Prim) -> Result<Val<'c>> {
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
        place: Val<'c>,
    ) -> Result<Val<'c>> {
        let stored = self.stored_lanes(strip, array.elem)?;
        let Some(mask) = strip.mask else {
            let alignment = IntegerAttribute::new(self.b.types().i64, array.elem.bytes()).into();
            let known = self.access(array);
            let attributes: Vec<_> =
                std::iter::once(("alignment", alignment)).chain(known).collect();
            return self.b.value_with("llvm.load", &[place], stored, &attributes);
        };
        let nothing = self.nothing(strip, array.elem)?;
        let attributes = [("alignment", self.alignment(array.elem))];
        let operands = [place, mask, nothing];
        self.b.value_with("llvm.intr.masked.load", &operands, stored, &attributes)
    }

    /// Elements at positions that often are neighbours: of indexes that go round or are computed with
    /// bits. The test costs little beside a gather.
    fn perhaps_neighbours(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        array: &Array<'c>,
        positions: Val<'c>,
    ) -> Result<Val<'c>> {
        let first = self.lane(positions, 0, Prim::I64)?;
        let firsts = self.spread_to(strip, first)?;
        let distances = self.distances(strip, 1)?;
        let expected = self.b.same("arith.addi", &[firsts, distances])?;
        let equal = self.b.cmpi(Predicate::Eq, positions, expected)?;
        let neighbours = self.all_lanes(equal)?;
        let yes = self.region(&[], "scf.yield", |f, _| {
            let stored = f.b.types().stored(array.elem);
            let place = f.b.element_pointer(array.base, Ix::Val(first), stored)?;
            Ok(vec![f.neighbours(strip, array, place)?])
        })?;
        let no = self.region(&[], "scf.yield", |f, _| {
            Ok(vec![f.gather(strip, array, array.base, positions)?])
        })?;
        let types = [self.stored_lanes(strip, array.elem)?];
        let operation = self.b.operation("scf.if", &[neighbours], &types, &[], vec![yes, no])?;
        result_of(operation, 0)
    }

    /// Elements at some distances from a place.
    fn gather(
        &mut self,
        strip: &Strip<'_, 'c, 'p>,
        array: &Array<'c>,
        place: Val<'c>,
        distances: Val<'c>,
    ) -> Result<Val<'c>> {
        let pointers = self.lanes_type(strip, self.b.types().ptr)?;
        let raw = DenseI32ArrayAttribute::new(self.b.shared.context, &[i32::MIN]).into();
        let elem = self.b.types().stored(array.elem);
        let attributes =
            [("elem_type", TypeAttribute::new(elem).into()), ("rawConstantIndices", raw)];
        let places =
            self.b.value_with("llvm.getelementptr", &[place, distances], pointers, &attributes)?;
        let mask = self.whole_mask(strip)?;
        let nothing = self.nothing(strip, array.elem)?;
        let stored = self.stored_lanes(strip, array.elem)?;
        let attributes = [("alignment", self.alignment(array.elem))];
        let operands = [places, mask, nothing];
        self.b.value_with("llvm.intr.masked.gather", &operands, stored, &attributes)
    }

    fn reverse(&mut self, strip: &Strip<'_, 'c, 'p>, x: Val<'c>) -> Result<Val<'c>> {
        self.shuffle(x, x, (0..strip.width).rev())
    }

    fn reversed_mask(&mut self, strip: &Strip<'_, 'c, 'p>) -> Result<Option<Val<'c>>> {
        strip.mask.map(|mask| self.reverse(strip, mask)).transpose()
    }

    /// Writes a vector to the elements from these indexes on.
    pub(super) fn store_neighbours(
        &mut self,
        target: &Array<'c>,
        at: &[Ix<'c>],
        value: Val<'c>,
    ) -> Result<()> {
        let place = self.element(target, at)?;
        let value = match target.elem {
            Prim::Bool => {
                let stored = self.b.shaped(value.r#type(), self.b.types().i8)?;
                self.b.value("arith.extui", &[value], stored)?
            }
            Prim::Int(_) | Prim::Float(_) => value,
        };
        let alignment = IntegerAttribute::new(self.b.types().i64, target.elem.bytes()).into();
        let known = self.access(target);
        let attributes: Vec<_> = std::iter::once(("alignment", alignment)).chain(known).collect();
        self.b.effect("llvm.store", &[value, place], &attributes)
    }
}

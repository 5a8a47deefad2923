//! Loops that put elements side by side ([`Compaction`]), by vectors: of each, the lanes whose flags are set are stored from the
//! count on, which grows by as many.
//!
//! ```text
//! flags      1  0  0  1        count = 7
//! values     a  b  c  d        out[7 ..] = a d _ _,  count = 9
//! ```
//!
//! Vectors are stored whole, so there must be room for as many elements as the loop has from the count on: the loop is asked for that
//! once, before it begins, and else goes element by element, as it does for what fills no vector. What lies
//! behind the last element that is kept is nobody's, as the loop's attribute says.

use super::function::Function;
use crate::Error;
use crate::dialect::{Combining, Ix, Predicate, Val};
use futc_midend::analysis::compaction::{Compaction, Kind, Source};
use futc_midend::ir::{Body, Const, DimIndex, Exp, Param, Prim, Stm, SubExp, Type};

type Result<T> = std::result::Result<T, Error>;

/// Such a loop.
struct Loop<'p> {
    params: &'p [Param],
    init: &'p [SubExp],
    body: &'p Body,
    found: Compaction<'p>,
    lanes: i64,
}

impl Loop<'_> {
    /// The position of a count among the values that are carried, which arrays are not.
    fn position(&self, kind: &Kind) -> usize {
        self.params.iter().take(kind.count).filter(|p| p.ty == Type::I64).count()
    }
}

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// A loop that compacts arrays, so many elements at a time.
    pub fn compress(&mut self, stm: &'p Stm, lanes: i64) -> Result<()> {
        let unknown = || Error::bug("a loop that compacts nothing");
        let Exp::Loop { params, init, body, .. } = &stm.exp else { return Err(unknown()) };
        let found = Compaction::find(stm).ok_or_else(unknown)?;
        let l = Loop { params, init, body, found, lanes };
        let counts = self.values(l.init, l.params.iter().map(|p| &p.ty))?;
        self.bind(l.params, counts.iter().copied())?;
        let n = self.operand(l.found.n)?;
        let room = self.room(&l, n, &counts)?;
        let zero = self.b.i64(0)?;
        let vectors = self.b.divui(n, self.b.i64(lanes)?)?;
        let vectors = self.b.select(room, vectors, zero)?;
        let counts = self.for_carrying(vectors, &counts, |f, v, counts| {
            let first = f.b.mul(Ix::Val(v), Ix::Const(lanes))?;
            let first = f.b.ix(first)?;
            f.env.insert(l.found.index, first);
            f.bind(l.params, counts.iter().copied())?;
            f.compress_vector(&l, counts)
        })?;
        let done = self.b.mul(Ix::Val(vectors), Ix::Const(lanes))?;
        let rest = self.b.sub(Ix::Val(n), done)?;
        let rest = self.b.ix(rest)?;
        let results = self.for_carrying(rest, &counts, |f, j, counts| {
            let i = f.b.add(done, Ix::Val(j))?;
            let i = f.b.ix(i)?;
            f.env.insert(l.found.index, i);
            f.bind(l.params, counts.iter().copied())?;
            f.body(l.body, l.params.iter().map(|p| &p.ty))
        })?;
        self.bind(&stm.pat, results)
    }

    /// Whether all arrays have room for so many elements behind those that are there.
    fn room(&mut self, l: &Loop<'p>, n: Val<'c>, counts: &[Val<'c>]) -> Result<Val<'c>> {
        let mut room = self.b.constant(Const::Bool(true))?;
        for kind in &l.found.kinds {
            let count = count_of(l, kind, counts)?;
            let zero = self.b.i64(0)?;
            let counted = self.b.cmpi(Predicate::Sle, zero, count)?;
            room = self.b.andi(room, counted)?;
            let end = self.b.add(Ix::Val(count), Ix::Val(n))?;
            let end = self.b.ix(end)?;
            for (at, _) in &kind.outputs {
                let array = self.array(param(l, *at)?.var)?;
                let size = array.shape.first().copied().ok_or_else(|| Error::bug("no array"))?;
                let size = self.b.ix(size)?;
                let fits = self.b.cmpi(Predicate::Sle, end, size)?;
                room = self.b.andi(room, fits)?;
            }
        }
        Ok(room)
    }

    /// The elements of a vector; the counts behind it.
    fn compress_vector(&mut self, l: &Loop<'p>, counts: &[Val<'c>]) -> Result<Vec<Val<'c>>> {
        for sum in &l.found.sums {
            self.stm(sum)?;
        }
        let mut next = counts.to_vec();
        for kind in &l.found.kinds {
            let mask = self.mask(l, kind.flag)?;
            let count = count_of(l, kind, counts)?;
            for (at, value) in &kind.outputs {
                let array = self.array(param(l, *at)?.var)?;
                let value = self.source_vector(l, *value, array.elem)?;
                let (memref, place) = self.vectors_at(&array, &[Ix::Val(count)])?;
                self.b.vector_compressstore(value, memref, &place, mask)?;
            }
            let words = self.lanes_of(l, self.b.types().i64)?;
            let ones = self.b.extui(mask, words)?;
            let kept = self.b.vector_reduction(Combining::Add, ones)?;
            let after = self.b.add(Ix::Val(count), Ix::Val(kept))?;
            let after = self.b.ix(after)?;
            *next.get_mut(l.position(kind)).ok_or_else(|| Error::bug("a count that is none"))? =
                after;
        }
        Ok(next)
    }

    /// In which lanes a flag is set.
    fn mask(&mut self, l: &Loop<'p>, flag: SubExp) -> Result<Val<'c>> {
        let bits = self.lanes_of(l, self.b.types().i1)?;
        match l.found.source(flag) {
            Source::Read { .. } => {
                let flags = self.source_vector(l, flag, Prim::Bool)?;
                self.b.trunci(flags, bits)
            }
            Source::Not(x) => {
                let x = self.mask(l, x)?;
                let all = self.b.constant_in(bits, Const::Bool(true))?;
                self.b.xori(x, all)
            }
            Source::Or(x, y) => {
                let (x, y) = (self.mask(l, x)?, self.mask(l, y)?);
                self.b.ori(x, y)
            }
            Source::Same | Source::Counter => {
                let flag = self.operand(flag)?;
                self.b.vector_broadcast(flag, bits)
            }
        }
    }

    /// The values of a vector's elements, as they are stored.
    fn source_vector(&mut self, l: &Loop<'p>, value: SubExp, elem: Prim) -> Result<Val<'c>> {
        let ty = self.vector_type(elem, l.lanes)?;
        match l.found.source(value) {
            Source::Read { array, dims } => {
                let array = self.array(array)?;
                let mut at = Vec::with_capacity(dims.len());
                for d in dims {
                    let DimIndex::Fix(x) = d else { return Err(Error::bug("a slice of elements")) };
                    at.push(self.index(*x)?);
                }
                self.load_neighbours(ty, &array, &at)
            }
            Source::Counter => {
                let first = self.operand(value)?;
                let first = self.b.vector_broadcast(first, ty)?;
                let lanes: Vec<i64> = (0..l.lanes).collect();
                self.b.addi(first, self.b.words(&lanes)?)
            }
            Source::Not(_) | Source::Or(..) => Err(Error::bug("a flag is no element")),
            Source::Same => {
                let x = self.operand(value)?;
                let x = match elem {
                    Prim::Bool => self.b.extui(x, self.b.types().stored(elem))?,
                    Prim::Int(_) | Prim::Float(_) => x,
                };
                self.b.vector_broadcast(x, ty)
            }
        }
    }

    fn lanes_of(&self, l: &Loop<'_>, scalar: melior::ir::Type<'c>) -> Result<melior::ir::Type<'c>> {
        let lanes = u64::try_from(l.lanes).map_err(Error::bug)?;
        Ok(melior::ir::Type::vector(&[lanes], scalar))
    }
}

/// The count of a kind, of those that are carried.
fn count_of<'c>(l: &Loop<'_>, kind: &Kind, counts: &[Val<'c>]) -> Result<Val<'c>> {
    counts.get(l.position(kind)).copied().ok_or_else(|| Error::bug("a count that is none"))
}

fn param<'p>(l: &Loop<'p>, at: usize) -> Result<&'p Param> {
    l.params.get(at).ok_or_else(|| Error::bug("no such parameter"))
}

//! Reductions: with one accumulator each, with many, or for many columns at a time.
//!
//! | reduction | accumulators | loops |
//! | --- | --- | --- |
//! | of neighbours, by operations that LLVM splits over lanes itself | one | the points |
//! | of neighbours, by a minimum or maximum of floats among others, or of many | an array | `n / count`, in it the accumulators |
//! | of neighbours, by what need not commute | a tree | see [`super::tree`] |
//! | of what is not neighbours, where columns are | an array | blocks of columns, in them the depth, in it the columns |
//!
//! LLVM takes apart no minimum or maximum of floats unless it is told that there are no NaNs. But
//! these operations commute, and the operator is associative by contract: so an array of
//! accumulators takes the elements in turn. The loop over it has no dependences, becomes a few
//! vectors, and these stay in registers. Down columns the same array has an accumulator for each
//! column, and rows are read as they lie in memory.

use super::function::Function;
use super::nest::{LoopHint, Nest, ScalarResults};
use super::spmd::ByLanes;
use super::unroll::Apart;
use crate::Error;
use crate::dialect::{Access, Ix, Predicate, Val};
use futc_midend::ir::{
    ConvOp, DimIndex, Exp, IntType, KernelBody, KernelResult, PageStreams, PatElem, Prim,
    Reduction, SegOp, SegSpace, Stm, Strategy, SubExp, Type, Var,
};
use melior::ir::attribute::ArrayAttribute;
use melior::ir::{Attribute, ValueLike};

type Result<T> = std::result::Result<T, Error>;

/// So many accumulators or fewer are put together one after the other.
const LAST: i64 = 8;

/// Arrays of accumulators on the stack, one per result of the operators.
pub(super) struct Accumulators<'c> {
    places: Vec<(Val<'c>, Prim)>,
    /// What tells LLVM that they lie in no array; it cannot always see that itself.
    scope: Option<Attribute<'c>>,
}

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// The reduction along the innermost dimension; the others' index variables are bound.
    pub fn reduce(
        &mut self,
        nest: Nest<'p>,
        ops: &'p [Reduction],
        scalars: &ScalarResults<'c>,
    ) -> Result<Vec<(Var, Val<'c>)>> {
        let Nest { pat, op: SegOp { space, .. }, .. } = nest;
        let (_, n) = Self::innermost(space)?;
        let neutral = self.neutral(ops)?;
        let n = self.index(n)?;
        let totals = self.fold(nest, ops, n, &neutral)?;
        let outer = Self::indexes(space, space.dims.len().saturating_sub(1));
        let mut values = Vec::new();
        for (i, (element, total)) in pat.iter().zip(&totals).enumerate() {
            match (&element.ty, scalars) {
                (Type::Array { .. }, _) => {
                    let target = self.array(element.var)?;
                    let mut at = Vec::with_capacity(outer.len());
                    for i in &outer {
                        at.push(self.index(*i)?);
                    }
                    self.store(&target, &at, *total)?;
                }
                (Type::Prim(_), ScalarResults::Values) => values.push((element.var, *total)),
                (Type::Prim(prim), ScalarResults::Slots(slots)) => {
                    let i = i64::try_from(i).map_err(Error::bug)?;
                    let word = self.word_of(*slots, i, self.b.types().stored(*prim))?;
                    self.set(word, &[], *prim, *total)?;
                }
                (Type::Cert | Type::Mem(_), _) => {
                    return Err(Error::bug("a reduction to what is no value"));
                }
            }
        }
        Ok(values)
    }

    /// The accumulators after `n` elements, by the first strategy that applies.
    fn fold(
        &mut self,
        nest: Nest<'p>,
        ops: &'p [Reduction],
        n: Ix<'c>,
        neutral: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let SegOp { space, body, .. } = nest.op;
        let (least, strategy) = match nest.first()? {
            Strategy::Lanes { .. } => {
                return self.fold_range(nest, ops, (Ix::Const(0), n), (neutral, neutral));
            }
            strategy @ Strategy::Accumulators { least, .. } => (least, strategy),
            strategy @ Strategy::Tree { block } => (block, strategy),
            _ => return self.reduce_range(nest, ops, (Ix::Const(0), n), neutral),
        };
        let apart = |f: &mut Self| match strategy {
            Strategy::Accumulators { count, pages, .. } => {
                f.reduce_by_accumulators(space, n, ops, body, neutral, count, pages)
            }
            _ => f.reduce_by_tree(space, n, ops, body, neutral),
        };
        match n {
            Ix::Const(n) if n >= least => apart(self),
            Ix::Const(_) => self.fold(nest.rest(), ops, n, neutral),
            Ix::Val(length) => {
                let many = self.b.i64(least)?;
                let many = self.b.cmpi(Predicate::Sle, many, length)?;
                let yes = self.region(&[], |f, _| apart(f))?;
                let no = self.region(&[], |f, _| f.fold(nest.rest(), ops, n, neutral))?;
                let types: Vec<_> = neutral.iter().map(|v| v.r#type()).collect();
                self.b.scf_if(many, &types, yes, no)
            }
        }
    }

    /// The elements from an index on and before another, onto what there is, by lanes as long as these are preferred.
    fn fold_range(
        &mut self,
        nest: Nest<'p>,
        ops: &'p [Reduction],
        range: (Ix<'c>, Ix<'c>),
        (neutral, before): (&[Val<'c>], &[Val<'c>]),
    ) -> Result<Vec<Val<'c>>> {
        let Some(by) = ByLanes::of(nest.first()?) else {
            return self.reduce_range(nest, ops, range, before);
        };
        let rest = |f: &mut Self, from: Ix<'c>, to: Ix<'c>, totals: &[Val<'c>]| {
            f.fold_range(nest.rest(), ops, (from, to), (neutral, totals))
        };
        self.red_of_lanes(nest, ops, by, range, (neutral, before), &rest)
    }

    /// The elements from an index on and before another, onto what there is.
    fn reduce_range(
        &mut self,
        nest: Nest<'p>,
        ops: &'p [Reduction],
        (from, to): (Ix<'c>, Ix<'c>),
        before: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let Nest { pat, op: SegOp { space, body, .. }, .. } = nest;
        let (var, _) = Self::innermost(space)?;
        let n = self.b.sub(to, from)?;
        let n = self.b.ix(n)?;
        let mut step = |f: &mut Self, i: Ix<'c>, accumulators: &[Val<'c>]| {
            f.with_loop_hint(LoopHint::None, |f| {
                let i = f.b.add(from, i)?;
                let i = f.b.ix(i)?;
                f.env.insert(var, i);
                let elements = f.elements(pat, space, body, before.len())?;
                f.apply_all(ops, accumulators, &elements)
            })
        };
        let unroll = nest.unroll();
        if unroll == 1 || self.as_lane_of.is_some() {
            return self.with_loop_hint(nest.hint(), |f| {
                f.for_points_carrying(n, unroll, before, &mut step, None)
            });
        }
        let neutral = self.neutral(ops)?;
        let mut join =
            |f: &mut Self, before: &[Val<'c>], next: &[Val<'c>]| f.apply_all(ops, before, next);
        let apart = Apart { neutral: &neutral, join: &mut join };
        self.for_points_carrying(n, unroll, before, &mut step, Some(apart))
    }

    /// Elements in turn to an array of accumulators, which is then reduced itself; concurrent page streams
    /// if an order says so.
    #[allow(clippy::too_many_arguments, reason = "the parts of a reduction and of its strategy")]
    fn reduce_by_accumulators(
        &mut self,
        space: &'p SegSpace,
        n: Ix<'c>,
        ops: &'p [Reduction],
        body: &'p KernelBody,
        neutral: &[Val<'c>],
        all: i64,
        order: Option<PageStreams>,
    ) -> Result<Vec<Val<'c>>> {
        let (var, _) = Self::innermost(space)?;
        let mut acc = self.accumulators(ops, all)?;
        let outside = self.scopes.len();
        acc.scope = Some(self.open_scope(None)?);
        self.for_each(Ix::Const(all), |f, lane| f.put_accumulators(&acc, lane, neutral))?;
        let step = |f: &mut Self, start: Ix<'c>, lane: Ix<'c>| {
            let i = f.b.add(start, lane)?;
            let elements = f.element_at((var, i), (start, lane), body)?;
            f.step(&acc, lane, &elements, ops)
        };
        let (n, by) = (self.b.ix(n)?, self.b.i64(all)?);
        let blocks = Ix::Val(self.b.divui(n, by)?);
        self.for_each(blocks, |f, block| {
            let start = match order {
                Some(order) => {
                    let start = f.start_of_chunk(order, Ix::Val(n), block)?;
                    let least = f.b.i64(order.least)?;
                    let many = f.b.cmpi(Predicate::Sle, least, n)?;
                    // What the same place of the next of the concurrent page streams holds, of which nothing has
                    // been guessed yet.
                    f.when(many, |f| {
                        let next = f.b.add(start, Ix::Const(order.pages * order.page))?;
                        f.fetch(space, next, all, body)
                    })?;
                    start
                }
                None => f.b.mul(block, Ix::Const(all))?,
            };
            f.for_each(Ix::Const(all), |f, lane| step(f, start, lane))
        })?;
        let done = self.b.mul(blocks, Ix::Const(all))?;
        let rest = self.b.sub(Ix::Val(n), done)?;
        self.for_each(rest, |f, lane| step(f, done, lane))?;
        // The operators commute: halves are put together by vectors, which one after the other would not be.
        let mut left = all;
        while left % 2 == 0 && left > LAST {
            left /= 2;
            self.for_each(Ix::Const(left), |f, lane| {
                let other = f.b.add(lane, Ix::Const(left))?;
                let elements = f.get_accumulators(&acc, other)?;
                f.step(&acc, lane, &elements, ops)
            })?;
        }
        self.scopes.truncate(outside);
        let lanes = self.b.i64(left)?;
        self.for_carrying(lanes, neutral, |f, lane, totals| {
            let elements = f.get_accumulators(&acc, Ix::Val(lane))?;
            f.apply_all(ops, totals, &elements)
        })
    }

    /// One element into one accumulator.
    fn step(
        &mut self,
        acc: &Accumulators<'c>,
        lane: Ix<'c>,
        elements: &[Val<'c>],
        ops: &'p [Reduction],
    ) -> Result<()> {
        let before = self.get_accumulators(acc, lane)?;
        let next = self.apply_all(ops, &before, elements)?;
        self.put_accumulators(acc, lane, &next)
    }

    pub(super) fn accumulators(&mut self, ops: &[Reduction], n: i64) -> Result<Accumulators<'c>> {
        let mut places = Vec::new();
        for ty in ops.iter().flat_map(|op| &op.op.ret) {
            let Type::Prim(prim) = ty else {
                return Err(Error::limitation("an operator on arrays"));
            };
            places.push((self.stack_in_entry(*prim, &[n])?, *prim));
        }
        Ok(Accumulators { places, scope: None })
    }

    pub(super) fn get_accumulators(
        &mut self,
        acc: &Accumulators<'c>,
        lane: Ix<'c>,
    ) -> Result<Vec<Val<'c>>> {
        acc.places
            .iter()
            .map(|(place, prim)| self.load_from(*place, &[lane], *prim, &self.in_scope(acc)))
            .collect()
    }

    pub(super) fn put_accumulators(
        &mut self,
        acc: &Accumulators<'c>,
        lane: Ix<'c>,
        values: &[Val<'c>],
    ) -> Result<()> {
        for ((place, prim), value) in acc.places.iter().zip(values) {
            self.store_to(*place, &[lane], *prim, *value, &self.in_scope(acc))?;
        }
        Ok(())
    }

    fn in_scope(&self, acc: &Accumulators<'c>) -> Access<'c> {
        let scopes = |scope| ArrayAttribute::new(self.b.shared.context, &[scope]).into();
        let known = acc.scope.map(|scope| ("futc.alias_scopes", scopes(scope)));
        Access { known: known.into_iter().collect(), ..Access::default() }
    }

    /// The dimension along which a read goes from neighbour to neighbour.
    pub fn unit_dim(&mut self, space: &SegSpace, stm: &Stm) -> Result<Option<usize>> {
        let Exp::Index { array, dims } = &stm.exp else { return Ok(None) };
        let array = self.array(*array)?;
        for (index, stride) in dims.iter().zip(&array.strides) {
            if let (DimIndex::Fix(SubExp::Var(v)), Ix::Const(1)) = (index, stride)
                && let Some(d) = space.dims.iter().position(|(w, _)| w == v)
            {
                return Ok(Some(d));
            }
        }
        Ok(None)
    }

    /// A reduction down columns.
    pub fn reduce_columns(
        &mut self,
        pat: &'p [PatElem],
        space: &'p SegSpace,
        ops: &'p [Reduction],
        body: &'p KernelBody,
        columns: usize,
        block: i64,
    ) -> Result<()> {
        let depth = space.dims.len().saturating_sub(1);
        let dim = |d: usize| {
            space.dims.get(d).copied().ok_or_else(|| Error::bug("a reduction without dimension"))
        };
        let neutral = self.neutral(ops)?;
        let acc = self.accumulators(ops, block)?;
        let (row, k) = dim(depth)?;
        let (column, n) = dim(columns)?;
        let (k, n) = (self.index(k)?, self.index(n)?);
        let outer: Vec<usize> = (0..depth).filter(|d| *d != columns).collect();
        let mut shape = Vec::with_capacity(outer.len());
        for d in &outer {
            shape.push(self.index(dim(*d)?.1)?);
        }
        self.nest_outside(&shape, &mut |f, at| {
            for (d, i) in outer.iter().zip(at) {
                let i = f.b.ix(*i)?;
                f.env.insert(dim(*d)?.0, i);
            }
            f.each_block(n, block, &mut |f, first, count| {
                f.for_each(count, |f, lane| f.put_accumulators(&acc, lane, &neutral))?;
                f.nest_outside(&[k], &mut |f, at| {
                    let [i] = *at else { return Err(Error::bug("columns")) };
                    f.for_each(count, |f, lane| {
                        let j = f.b.add(first, lane)?;
                        let j = f.b.ix(j)?;
                        f.env.insert(column, j);
                        let elements = f.element_at((row, i), (i, Ix::Const(0)), body)?;
                        f.step(&acc, lane, &elements, ops)
                    })
                })?;
                f.for_each(count, |f, lane| {
                    let totals = f.get_accumulators(&acc, lane)?;
                    let j = f.b.add(first, lane)?;
                    for (element, total) in pat.iter().zip(totals) {
                        let target = f.array(element.var)?;
                        let mut outer = at.iter();
                        let mut place = Vec::with_capacity(depth);
                        for d in 0..depth {
                            let i = if d == columns { Some(j) } else { outer.next().copied() };
                            place.push(i.ok_or_else(|| Error::bug("columns"))?);
                        }
                        f.store(&target, &place, total)?;
                    }
                    Ok(())
                })
            })
        })
    }

    /// The element at an index, which is the sum of two parts. Its lower half is made of those of the parts, so that LLVM counts
    /// in 32 bits where that is all that is wanted.
    pub(super) fn element_at(
        &mut self,
        (var, i): (Var, Ix<'c>),
        (start, offset): (Ix<'c>, Ix<'c>),
        body: &'p KernelBody,
    ) -> Result<Vec<Val<'c>>> {
        let i = self.b.ix(i)?;
        self.env.insert(var, i);
        for stm in &body.stms {
            match (&stm.exp, stm.pat.as_slice()) {
                (Exp::ConvOp(ConvOp::ZExt(IntType::I64, IntType::I32), SubExp::Var(x)), [p])
                    if *x == var =>
                {
                    let (start, offset) = (self.lower_half(start)?, self.lower_half(offset)?);
                    let half = self.b.addi(start, offset)?;
                    self.env.insert(p.var, half);
                }
                _ => self.stm(stm)?,
            }
        }
        self.scalar_results(&body.results)
    }

    fn lower_half(&mut self, i: Ix<'c>) -> Result<Val<'c>> {
        let i = self.b.ix(i)?;
        self.b.trunci(i, self.b.types().i32)
    }

    /// The scalars that a body gives to operators.
    pub(super) fn scalar_results(&mut self, results: &'p [KernelResult]) -> Result<Vec<Val<'c>>> {
        let mut values = Vec::with_capacity(results.len());
        for result in results {
            match result {
                KernelResult::Return(x) => values.push(self.operand(*x)?),
                KernelResult::Write { .. } => {
                    return Err(Error::bug("a write where an operand is expected"));
                }
            }
        }
        Ok(values)
    }
}

//! Segmented operations by one thread: loop nests that store into the result arrays.
//!
//! | operation | loops |
//! | --- | --- |
//! | map | one per dimension, or tiles of two ([`super::tiles`]), or strips of lanes ([`super::spmd`]), or past the caches ([`super::stream`]) |
//! | reduction | one per dimension, the innermost carrying the accumulators; see [`super::reduce`] for others, and [`super::contraction`] for products of matrices |
//! | scan | see [`super::scan`] |
//! | histogram | one per dimension, updating the destinations |
//!
//! Which it is, is said by the operation's schedule ([`futc_midend::passes::schedule`]); nothing is decided
//! here. The threads of a kernel go by loops.
//!
//! Operators are on scalars; operators on arrays have been turned into loops by the passes before.

// Note [Empty results]
//
// `map transpose xs` of an array of type `[n][m][0]u8` has nothing to do, but loops over all n and m would be gone
// through, and n may be whatever the input says: an array without elements takes no memory. So before what stands in
// no other operation it is asked whether sizes inside of the outermost loop are zero. Where that is a size of rows, the
// points must have nothing to do besides: no checks, which are made whether or not rows have elements. What stands
// in other operations is not asked, as it would cost time at each point.

use super::function::{Array, Function, Site};
use super::nest::{LOOPS, LoopHint, Nest, ScalarResults};
use super::panels::Panels;
use crate::Error;
use crate::abi::Runtime;
use crate::dialect::{Access, InsertionPoint, Ix, Predicate, Val};
use futc_midend::analysis::contraction::{Contraction, contraction};
use futc_midend::ir::traverse::any_exp;
use futc_midend::ir::{
    BinOp, Class, Exp, HistOp, KernelBody, KernelResult, Lambda, PatElem, Prim, Reduction, SegKind,
    SegLevel, SegOp, SegSpace, Stm, Strategy, SubExp, Type, Var,
};
use melior::ir::ValueLike;

type Result<T> = std::result::Result<T, Error>;

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// A segmented operation, of what it is not known that there is nothing to do.
    pub fn segmented(&mut self, stm: &'p Stm, op: &'p SegOp) -> Result<()> {
        if let Site::Host(_) = self.site {
            self.bring_in(stm)?;
        }
        if self.goes_apart(stm, op) {
            return self.apart(stm, op);
        }
        let some = self.has_results(op)?;
        let apart = self.is_one_of_many(stm);
        let outside = std::mem::replace(&mut self.in_points, true);
        let points = |f: &mut Self| if apart { f.apart(stm, op) } else { f.all_points(stm, op) };
        let done = match some {
            Some(some) => self.when(some, points),
            None => points(self),
        };
        self.in_points = outside;
        done?;
        match some {
            // What stands for them was made where they are written.
            Some(_) => self.bind_arrays(&stm.pat),
            None => Ok(()),
        }
    }

    /// Whether any point has results, if that is not for the loops to find out. See Note [Empty results].
    fn has_results(&mut self, op: &SegOp) -> Result<Option<Val<'c>>> {
        if self.in_points || !matches!(self.site, Site::Host(_)) {
            return Ok(None);
        }
        let dims = op.space.dims.iter().map(|(_, n)| *n);
        let outer: Vec<SubExp> = match op.kind {
            SegKind::Map | SegKind::Scan(_) => dims.collect(),
            SegKind::Red(_) | SegKind::Hist(_) => {
                dims.take(op.kind.parallel_dims(&op.space)).collect()
            }
        };
        if outer.is_empty() {
            return Ok(None);
        }
        // If the outermost is empty, so is the loop.
        let points = self.indices(outer.iter().skip(1))?;
        let points = self.all_positive(&points)?;
        let Some(rows) = self.has_rows(op)? else { return Ok(points) };
        Ok(Some(match points {
            None => rows,
            Some(points) => self.b.andi(points, rows)?,
        }))
    }

    /// Whether rows that the points of a map yield, which do nothing else, have elements; if that is not known.
    fn has_rows(&mut self, op: &SegOp) -> Result<Option<Val<'c>>> {
        let returned = |r: &KernelResult| matches!(r, KernelResult::Return(_));
        let rows = op.kind == SegKind::Map && op.body.results.iter().all(returned);
        if !rows || !op.body.stms.iter().all(is_needless) {
            return Ok(None);
        }
        let mut shapes: Vec<&[SubExp]> = Vec::new();
        for ty in &op.body.types {
            let Type::Array { shape, .. } = ty else { return Ok(None) };
            if !shapes.contains(&shape.as_slice()) {
                shapes.push(shape);
            }
        }
        let mut any = None;
        for shape in shapes {
            let shape = self.indices(shape.iter())?;
            let Some(this) = self.all_positive(&shape)? else { return Ok(None) };
            any = Some(match any {
                None => this,
                Some(before) => self.b.ori(before, this)?,
            });
        }
        Ok(any)
    }

    /// Sizes as they are computed with.
    fn indices<'x>(&mut self, sizes: impl Iterator<Item = &'x SubExp>) -> Result<Vec<Ix<'c>>> {
        sizes.map(|n| self.index(*n)).collect()
    }

    /// Whether none of these sizes is zero, if that is not known.
    pub(super) fn all_positive(&mut self, sizes: &[Ix<'c>]) -> Result<Option<Val<'c>>> {
        let mut all = None;
        for n in sizes.iter().filter(|n| matches!(n, Ix::Val(_))) {
            let (n, zero) = (self.b.ix(*n)?, self.b.i64(0)?);
            let this = self.b.cmpi(Predicate::Sgt, n, zero)?;
            all = Some(match all {
                None => this,
                Some(before) => self.b.andi(before, this)?,
            });
        }
        Ok(all)
    }

    /// The points of a segmented operation.
    pub(super) fn all_points(&mut self, stm: &'p Stm, op: &'p SegOp) -> Result<()> {
        let mut nest = Nest { pat: &stm.pat, op, strategies: &LOOPS, independent: false };
        if let Some(schedule) = &stm.schedule {
            nest.independent = schedule.independent;
            // Lanes reduce in order: that is what their schedule means. What threads of a kernel run has only loops.
            if self.as_lane_of.is_none() && !schedule.strategies.is_empty() {
                nest.strategies = &schedule.strategies;
            }
        }
        let dummy_slot = stm.schedule.as_ref().is_some_and(|schedule| schedule.dummy_slot);
        let outside = std::mem::replace(&mut self.writes_anywhere, dummy_slot);
        let done = self.by_level(stm, nest);
        self.writes_anywhere = outside;
        done
    }

    /// A segmented operation as its level says.
    fn by_level(&mut self, stm: &'p Stm, nest: Nest<'p>) -> Result<()> {
        let op = nest.op;
        // Others, which only tests have, are run where they stand.
        if op.level == SegLevel::Tasks && op.kind == SegKind::Map && op.space.dims.len() == 1 {
            return self.tasks(nest, stm.loc);
        }
        match self.site {
            // A block of threads has one thread as yet, which runs what its threads would.
            Site::Host(_) if op.level.is_kernel() && self.m.has_kernels() => self.kernel(nest),
            Site::Host(_) if !self.m.has_kernels() => {
                self.bind_arrays(nest.pat)?;
                let mut arrays = Vec::new();
                for element in nest.pat.iter().filter(|p| p.mem.is_some()) {
                    arrays.push(self.array(element.var)?);
                }
                self.writing(&arrays, |f| f.scheduled(nest))
            }
            Site::Host(_) | Site::Device(_) => {
                self.bind_arrays(nest.pat)?;
                self.scheduled(nest)
            }
        }
    }

    /// An operation by the first of its strategies that applies. The arrays of the pattern are bound.
    pub(super) fn scheduled(&mut self, nest: Nest<'p>) -> Result<()> {
        let SegOp { space, kind, body, .. } = nest.op;
        match (kind, nest.first()?) {
            (SegKind::Map, Strategy::Stream { .. }) => self.stream(nest),
            (SegKind::Map, Strategy::Panels { .. } | Strategy::Tiles { .. })
            | (SegKind::Map, Strategy::Innermost { .. }) => self.across_points(nest),
            (SegKind::Map, Strategy::Lanes { .. }) => {
                let shape = self.outer_shape(space, space.dims.len().saturating_sub(1))?;
                self.nest(&shape, &mut |f, indexes| {
                    f.bind_indexes(space, indexes)?;
                    f.map_by_lanes(nest)
                })
            }
            (SegKind::Red(ops), Strategy::Contract(tile)) => self.contraction(nest, ops, tile),
            (SegKind::Red(ops), Strategy::Columns { dim, block }) => match self.product_of(nest) {
                Some(c) => self.product_by_loops(nest, ops, &c, Some((dim, block))),
                None => self.reduce_columns(nest.pat, space, ops, body, dim, block),
            },
            (SegKind::Red(ops), Strategy::Loops { unroll: 1 }) => match self.product_of(nest) {
                Some(c) => self.product_by_loops(nest, ops, &c, None),
                None => self.over_points(nest),
            },
            _ => self.over_points(nest),
        }
    }

    /// The product of matrices that an operation is, which linalg has an operation for. What goes as a lane does
    /// is computed by the operations of the lane.
    fn product_of(&self, nest: Nest<'p>) -> Option<Contraction<'p>> {
        let SegOp { space, kind: SegKind::Red(ops), body, .. } = nest.op else { return None };
        contraction(space, ops, body).filter(|c| self.as_lane_of.is_none() && c.elem != Prim::Bool)
    }

    /// Loops over the dimensions that are independent of one another.
    fn over_points(&mut self, nest: Nest<'p>) -> Result<()> {
        let Nest { pat, op: SegOp { space, kind, .. }, .. } = nest;
        let shape = self.outer_shape(space, kind.parallel_dims(space))?;
        let mut scalars = Vec::new();
        let mut point = |f: &mut Self, indexes: &[Ix<'c>]| {
            f.with_loop_hint(LoopHint::None, |f| {
                f.bind_indexes(space, indexes)?;
                scalars = f.work(nest, &ScalarResults::Values)?;
                Ok(())
            })
        };
        let hint = if *kind == SegKind::Map { nest.hint() } else { LoopHint::None };
        self.with_loop_hint(hint, |f| {
            f.independently(nest, |f| match (kind, shape.as_slice(), nest.first()?) {
                (SegKind::Map, [n], Strategy::Loops { unroll }) if unroll > 1 => {
                    f.for_each_point(*n, unroll, &mut |f, i| point(f, &[i]))
                }
                (SegKind::Map, shape, Strategy::Outer { dims }) => {
                    let (outer, inner) = shape.split_at_checked(dims).unwrap_or((shape, &[]));
                    f.nest_outside(outer, &mut |f, at| {
                        f.nest(inner, &mut |f, inner| point(f, &[at, inner].concat()))
                    })
                }
                _ => f.nest(&shape, &mut point),
            })
        })?;
        self.bind_scalars(pat, &scalars)
    }

    /// A map whose points go across two dimensions of the space: by panels if it is large, else by the
    /// strategies that are left; or in tiles.
    fn across_points(&mut self, nest: Nest<'p>) -> Result<()> {
        let space = &nest.op.space;
        self.independently(nest, |f| match nest.first()? {
            Strategy::Panels { dims, rows, ahead, least, from } => {
                let panels = Panels { dims, rows, ahead, least, from };
                f.map_across(nest, panels, &mut |f| f.scheduled(nest.rest()))
            }
            Strategy::Tiles { dims, size } => {
                let shape = f.outer_shape(space, space.dims.len())?;
                f.tiled_nest(&shape, dims, size, &mut |f, indexes| {
                    f.bind_indexes(space, indexes)?;
                    f.work(nest, &ScalarResults::Values).map(drop)
                })
            }
            Strategy::Innermost { dim } => {
                let shape = f.outer_shape(space, space.dims.len())?;
                f.nest_around(&shape, dim, &mut |f, indexes| {
                    f.bind_indexes(space, indexes)?;
                    f.work(nest, &ScalarResults::Values).map(drop)
                })
            }
            _ => Err(Error::bug("another strategy than to go across")),
        })
    }

    /// Runs `f`, whose loops carry nothing from point to point if the points are independent. See Note
    /// [Independent points].
    fn independently(
        &mut self,
        nest: Nest<'p>,
        f: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let outside = self.independent;
        self.independent = if nest.independent { Some(self.m.parallel()?) } else { None };
        let done = f(self);
        self.independent = outside;
        done
    }

    /// The sizes of the outer dimensions of a space.
    pub(super) fn outer_shape(&mut self, space: &SegSpace, dims: usize) -> Result<Vec<Ix<'c>>> {
        space.dims.iter().take(dims).map(|(_, n)| self.index(*n)).collect()
    }

    /// Binds the results of a reduction without segments.
    fn bind_scalars(&mut self, pat: &[PatElem], scalars: &[(Var, Val<'c>)]) -> Result<()> {
        for (var, value) in scalars {
            self.env.insert(*var, *value);
        }
        // What is left unbound has no use for a value.
        debug_assert!(pat.len() >= scalars.len());
        Ok(())
    }

    /// Binds the index variables of the outer dimensions.
    pub fn bind_indexes(&mut self, space: &SegSpace, indexes: &[Ix<'c>]) -> Result<()> {
        for ((var, _), i) in space.dims.iter().zip(indexes) {
            let i = self.b.ix(*i)?;
            self.env.insert(*var, i);
        }
        Ok(())
    }

    /// The work at one point of the outer dimensions, whose index variables are bound. Returns the
    /// scalar results of a reduction without segments.
    pub fn work(
        &mut self,
        nest: Nest<'p>,
        scalars: &ScalarResults<'c>,
    ) -> Result<Vec<(Var, Val<'c>)>> {
        let Nest { pat, op: SegOp { space, kind, body, .. }, .. } = nest;
        match kind {
            SegKind::Map => {
                let (before, after) = body.parts();
                self.stms(before)?;
                self.collect(pat, space, &body.results, &body.types)?;
                self.stms(after)?;
                Ok(Vec::new())
            }
            SegKind::Red(ops) => self.reduce(nest, ops, scalars),
            SegKind::Scan(ops) => {
                self.scan(nest, ops)?;
                Ok(Vec::new())
            }
            SegKind::Hist(ops) => {
                self.histogram(pat, space, ops, body)?;
                Ok(Vec::new())
            }
        }
    }

    /// The index variables of the first `n` dimensions, as operands.
    pub(super) fn indexes(space: &SegSpace, n: usize) -> Vec<SubExp> {
        space.dims.iter().take(n).map(|(v, _)| SubExp::Var(*v)).collect()
    }

    /// Stores results of a point.
    pub(super) fn collect(
        &mut self,
        pat: &'p [PatElem],
        space: &'p SegSpace,
        results: &'p [KernelResult],
        types: &'p [Type],
    ) -> Result<()> {
        let here = Self::indexes(space, space.dims.len());
        for ((element, result), ty) in pat.iter().zip(results).zip(types) {
            let target = self.array(element.var)?;
            match result {
                KernelResult::Return(x) => self.put(&target, &here, *x, ty)?,
                KernelResult::Write { dest, writes } => {
                    let source = self.array(*dest)?;
                    if source.block != target.block {
                        return Err(Error::bug("a write into another block than the result's"));
                    }
                    for (indexes, value) in writes {
                        let mut row = ty.clone();
                        for _ in indexes {
                            row = row.row();
                        }
                        if matches!(row, Type::Prim(_)) && self.writes_anywhere {
                            self.put_or_drop(&target, indexes, *value)?;
                            continue;
                        }
                        self.put_if_inside(&target, indexes, |f| {
                            f.put(&target, indexes, *value, &row)
                        })?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Stores a scalar or array at outer indexes of `target`.
    fn put(
        &mut self,
        target: &Array<'c>,
        indexes: &[SubExp],
        value: SubExp,
        ty: &Type,
    ) -> Result<()> {
        match ty {
            Type::Prim(_) => {
                let value = self.operand(value)?;
                let mut at = Vec::with_capacity(indexes.len());
                for i in indexes {
                    at.push(self.index(*i)?);
                }
                self.store(target, &at, value)
            }
            Type::Array { .. } => {
                let source =
                    value.var().ok_or_else(|| Error::bug("an array that is a constant"))?;
                let source = self.array(source)?;
                let lmad = target.lmad()?.row(indexes);
                if source.lies_at(target.block, &lmad, &self.defs) {
                    return Ok(());
                }
                let row = self.view(target, lmad)?;
                self.copy_elements(&row, &source)
            }
            Type::Cert | Type::Mem(_) => Err(Error::bug("a result that is no value")),
        }
    }

    /// Whether indexes lie inside an array; nothing if there are none.
    fn inside(&mut self, target: &Array<'c>, indexes: &[SubExp]) -> Result<Option<Val<'c>>> {
        let mut inside = None;
        for (i, n) in indexes.iter().zip(&target.shape) {
            let (i, n) = (self.operand(*i)?, self.b.ix(*n)?);
            let this = self.in_bounds(i, n)?;
            inside = Some(match inside {
                None => this,
                Some(before) => self.b.andi(before, this)?,
            });
        }
        Ok(inside)
    }

    /// Writes a scalar, if the indexes lie outside to a dummy slot.
    fn put_or_drop(&mut self, target: &Array<'c>, indexes: &[SubExp], value: SubExp) -> Result<()> {
        let value = self.operand(value)?;
        let mut at = Vec::with_capacity(indexes.len());
        for i in indexes {
            // Not as a constant: the type of the place would say where it lies, and the dummy slot lies elsewhere.
            let i = self.index(*i)?;
            at.push(Ix::Val(self.b.ix(i)?));
        }
        let Some(inside) = self.inside(target, indexes)? else {
            return self.store(target, &at, value);
        };
        let dummy_slot = self.dummy_slot_for(target.elem)?;
        let array = self.memref(target)?;
        let place = self.b.memref_subview(array, &at, &[])?;
        let dummy = self.word_of(dummy_slot, 0, self.b.types().stored(target.elem))?;
        let dummy = self.b.memref_cast(dummy, place.r#type())?;
        let place = self.b.select(inside, place, dummy)?;
        let access = Access { known: self.access(target), ..Access::default() };
        self.store_to(place, &[], target.elem, value, &access)
    }

    /// A word on the stack, which LLVM sees that nothing reads: it makes a scatter under a mask of it. Elements for which
    /// processors have none would have a branch each, so that these go to a word of the runtime's.
    fn dummy_slot_for(&mut self, elem: Prim) -> Result<Val<'c>> {
        let on_stack = elem.bytes() >= 4 || matches!(self.site, Site::Device(_));
        let known = if on_stack { self.dummy_slot } else { self.runtime_dummy_slot };
        if let Some(slot) = known {
            return Ok(slot);
        }
        if on_stack {
            let slot = self.block_in_entry(8)?;
            self.dummy_slot = Some(slot);
            return Ok(slot);
        }
        let here = self.b.go(InsertionPoint::at_start(self.entry));
        let slot = self.runtime(Runtime::DummySlot, &[]);
        self.b.go(here);
        let slot = slot?.ok_or_else(|| Error::bug("a dummy slot that is none"))?;
        self.runtime_dummy_slot = Some(slot);
        Ok(slot)
    }

    /// Runs `f` if the indexes lie inside the array.
    fn put_if_inside(
        &mut self,
        target: &Array<'c>,
        indexes: &[SubExp],
        f: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        match self.inside(target, indexes)? {
            None => f(self),
            Some(inside) => self.when(inside, f),
        }
    }

    /// Applies an operator.
    pub fn apply(
        &mut self,
        op: &'p Lambda,
        accumulators: &[Val<'c>],
        elements: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let licence = accumulates(op) && self.as_lane_of.is_none();
        self.apply_licensed(op, accumulators, elements, licence)
    }

    fn apply_licensed(
        &mut self,
        op: &'p Lambda,
        accumulators: &[Val<'c>],
        elements: &[Val<'c>],
        licence: bool,
    ) -> Result<Vec<Val<'c>>> {
        let outside = std::mem::replace(&mut self.reassociate, licence);
        let values = accumulators.iter().chain(elements).copied();
        let results = self.bind(&op.params, values).and_then(|()| self.body(&op.body, &op.ret));
        self.reassociate = outside;
        results
    }

    pub(super) fn neutral(&mut self, ops: &'p [Reduction]) -> Result<Vec<Val<'c>>> {
        let mut values = Vec::new();
        for op in ops {
            for (x, ty) in op.neutral.iter().zip(&op.op.ret) {
                if ty.rank() > 0 {
                    return Err(Error::limitation("an operator on arrays"));
                }
                values.push(self.operand(*x)?);
            }
        }
        Ok(values)
    }

    /// Applies each operator to its part of the accumulators and elements.
    pub(super) fn apply_all(
        &mut self,
        ops: &'p [Reduction],
        accumulators: &[Val<'c>],
        elements: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let mut results = Vec::with_capacity(accumulators.len());
        for op in ops {
            let from = results.len();
            let part = from..from + op.neutral.len();
            let (Some(a), Some(e)) = (accumulators.get(part.clone()), elements.get(part)) else {
                return Err(Error::bug("an operator of the wrong width"));
            };
            let r = self.apply(&op.op, a, e)?;
            results.extend(r);
        }
        Ok(results)
    }

    pub(super) fn innermost(space: &SegSpace) -> Result<(Var, SubExp)> {
        space.dims.last().copied().ok_or_else(|| Error::bug("a segmented operation without space"))
    }

    fn histogram(
        &mut self,
        pat: &'p [PatElem],
        space: &'p SegSpace,
        ops: &'p [HistOp],
        body: &'p KernelBody,
    ) -> Result<()> {
        let (var, n) = Self::innermost(space)?;
        let n = self.operand(n)?;
        let segments = Self::indexes(space, space.dims.len().saturating_sub(1));
        self.for_carrying(n, &[], |f, i, _| {
            f.env.insert(var, i);
            f.stms(&body.stms)?;
            let mut operands = Vec::with_capacity(body.results.len());
            for result in &body.results {
                match result {
                    KernelResult::Return(x) => operands.push(*x),
                    KernelResult::Write { .. } => {
                        return Err(Error::bug("a write in a histogram"));
                    }
                }
            }
            let mut indexes = operands.as_slice();
            let mut values = operands
                .get(ops.iter().map(|op| op.shape.len()).sum::<usize>()..)
                .unwrap_or_default();
            let mut pat = pat;
            for op in ops {
                let split = |xs: &mut &'_ [SubExp], n: usize| -> Vec<SubExp> {
                    let (head, tail) = xs.split_at(n.min(xs.len()));
                    let head = head.to_vec();
                    *xs = tail;
                    head
                };
                let at = split(&mut indexes, op.shape.len());
                let new = split(&mut values, op.dests.len());
                let (dests, rest) = pat.split_at(op.dests.len().min(pat.len()));
                pat = rest;
                f.update_bucket(dests, &segments, op, &at, &new)?;
            }
            Ok(Vec::new())
        })?;
        Ok(())
    }

    fn update_bucket(
        &mut self,
        dests: &'p [PatElem],
        segments: &[SubExp],
        op: &'p HistOp,
        at: &[SubExp],
        new: &[SubExp],
    ) -> Result<()> {
        let mut targets = Vec::with_capacity(dests.len());
        for dest in dests {
            targets.push(self.array(dest.var)?);
        }
        let first = targets.first().ok_or_else(|| Error::bug("a histogram of nothing"))?.clone();
        let place: Vec<_> = segments.iter().chain(at).copied().collect();
        if first.strides.len() != place.len() {
            return Err(Error::limitation("an operator on arrays"));
        }
        self.put_if_inside(&first, &place, |f| {
            let mut at = Vec::with_capacity(place.len());
            for i in &place {
                at.push(f.index(*i)?);
            }
            let mut old = Vec::with_capacity(targets.len());
            for target in &targets {
                old.push(f.load(target, &at)?);
            }
            let mut values = Vec::with_capacity(new.len());
            for x in new {
                values.push(f.operand(*x)?);
            }
            // In order: where the bucket stays the same for many points, LLVM would add them up by vectors, and what they come
            // to would depend on how the range is cut.
            let results = f.apply_licensed(&op.op.op, &old, &values, false)?;
            for (target, value) in targets.iter().zip(results) {
                f.store(target, &at, value)?;
            }
            Ok(())
        })
    }
}

/// Whether nobody misses a statement if nothing comes of what it yields.
fn is_needless(stm: &Stm) -> bool {
    let is_seen = |e: &Exp| {
        matches!(e.class(), Class::Check | Class::Call | Class::Trace | Class::Prefix)
            || e.effects().diverges
    };
    !any_exp(|v| v.stm(stm), is_seen)
}

/// Whether every operation of an operator combines an accumulator with an element, so that it may
/// be reassociated: the contract of operators allows it, and LLVM then splits the accumulator over
/// lanes. Of larger operators, only the accumulating operations could be marked, and which they
/// are is not evident.
fn accumulates(op: &Lambda) -> bool {
    let k = op.params.len() / 2;
    op.body.stms.iter().all(|stm| match &stm.exp {
        Exp::BinOp(
            BinOp::FAdd(_) | BinOp::FMul(_) | BinOp::FMin(_) | BinOp::FMax(_),
            SubExp::Var(a),
            SubExp::Var(b),
        ) => {
            let position = |v: &Var| op.params.iter().position(|p| p.var == *v);
            match (position(a), position(b)) {
                (Some(a), Some(b)) => (a < k) != (b < k),
                _ => false,
            }
        }
        _ => false,
    })
}

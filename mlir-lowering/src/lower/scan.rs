//! Scans: in order, or many lanes at a time.
//!
//! A scan with a single operator that vectors have too goes in chunks that the first cache holds.
//! First the elements of a chunk are computed into buffers, by a loop that LLVM vectorises; then the
//! chunk is scanned on its way to the results, a vector at a time:
//!
//! ```text
//! x          a      b      c      d
//! x ⊕ x»1    a      ab     bc     cd
//! x ⊕ x»2    a      ab     abc    abcd
//! carry ⊕ x; carry = carry ⊕ last lane of x
//! ```
//!
//! The only chain from vector to vector is the operator on the carry, where the plain loop has
//! one per element; if it takes long, its last lane is carried rather than computed twice. The operator is associative by contract, so floats may be grouped thus. It may be
//! of several values, as that of a segmented scan is, whose flags and sums are a vector each. Those
//! of its results that nobody wants ([`futc_midend::passes::mem::dead_results()`]) are not stored.

use super::function::{Array, Function};
use super::nest::Nest;
use crate::Error;
use crate::dialect::{Ix, Predicate, Val};
use futc_midend::analysis::bodies::size;
use futc_midend::analysis::contraction::accumulation;
use futc_midend::ir::traverse::any_exp;
use futc_midend::ir::{
    BinOp, Const, Exp, KernelBody, Lambda, PastCaches, PatElem, Prim, Reduction, SegOp, SegSpace,
    Strategy,
};

type Result<T> = std::result::Result<T, Error>;

/// Bytes of a register of AVX-512.
const LONGEST: i64 = 64;
/// Operators of no more statements may be done twice rather than wait for lanes to move.
const MOST_QUICK: usize = 4;

/// What moves into vectors of one of the values that are scanned.
#[derive(Clone, Copy)]
struct MovedIn<'c> {
    /// Neutral elements.
    value: Val<'c>,
    /// They are floats without a bit, beside which LLVM moves lanes by `vexpandps`, unless they are selected: Zen 4 takes several times as
    /// long for that as for other permutations (scans of `f32` took 1.6, of `f64` 2.2 of the time).
    zeros: bool,
}

/// Whether an operator takes no longer than moving a lane to all others: of integers and flags.
fn is_quick(op: &Lambda) -> bool {
    let slow = |e: &Exp| match e {
        Exp::BinOp(op, ..) => op.is_slow(),
        Exp::Math(..) | Exp::Call { .. } => true,
        _ => false,
    };
    let exact = op.ret.iter().all(|t| !matches!(t.elem(), Some(Prim::Float(_))));
    exact && size(&op.body.stms) <= MOST_QUICK && !any_exp(|v| v.lambda(op), slow)
}

/// A scan that can be done by vectors.
struct Lanes<'c, 'p> {
    op: &'p Reduction,
    /// The operator, if it is one operation.
    operation: Option<BinOp>,
    /// It takes no longer than moving a lane to all others.
    is_quick: bool,
    lanes: i64,
    /// Elements scanned at a time.
    chunk: i64,
    /// Chunks that are fetched ahead side by side, where results go past the caches.
    ahead: i64,
    /// The values that the operator is of.
    parts: Vec<ScannedValue<'c>>,
    segment: Vec<Ix<'c>>,
    /// Whether the results go past the caches.
    large: Option<Val<'c>>,
}

/// One of the values that a scan accumulates.
struct ScannedValue<'c> {
    elem: Prim,
    /// A vector of them in memory, and in registers.
    stored: melior::ir::Type<'c>,
    vector: melior::ir::Type<'c>,
    /// Where they go, if they are stored.
    target: Option<Array<'c>>,
    /// Room for a chunk of elements.
    buffer: Val<'c>,
}

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// The scan along the innermost dimension; the others' index variables are bound.
    pub fn scan(&mut self, nest: Nest<'p>, ops: &'p [Reduction]) -> Result<()> {
        let Nest { pat, op: SegOp { space, body, .. }, .. } = nest;
        match (nest.first()?, ops) {
            (Strategy::Vectors { lanes, chunk, rows, past_caches }, [op]) => {
                let by_vectors = |f: &mut Self| {
                    let lanes = f.lanes_of_scan(pat, space, op, lanes, chunk, past_caches)?;
                    f.scan_by_vectors(pat, space, ops, body, &lanes)
                };
                let (_, n) = Self::innermost(space)?;
                match self.index(n)? {
                    Ix::Val(n) if rows > 0 => {
                        let outside = self.env.clone();
                        let least = self.b.i64(rows)?;
                        let long = self.b.cmpi(Predicate::Sle, least, n)?;
                        let yes = self.region(&[], |f, _| by_vectors(f).map(|()| Vec::new()))?;
                        self.env = outside;
                        let no = self.region(&[], |f, _| {
                            f.scan_in_order(pat, space, ops, body).map(|()| Vec::new())
                        })?;
                        self.b.scf_if(long, &[], yes, no).map(drop)
                    }
                    _ => by_vectors(self),
                }
            }
            _ => self.scan_in_order(pat, space, ops, body),
        }
    }

    fn scan_in_order(
        &mut self,
        pat: &'p [PatElem],
        space: &'p SegSpace,
        ops: &'p [Reduction],
        body: &'p KernelBody,
    ) -> Result<()> {
        let (var, n) = Self::innermost(space)?;
        let neutral = self.neutral(ops)?;
        let k = neutral.len();
        let n = self.operand(n)?;
        let here = Self::indexes(space, space.dims.len());
        self.for_carrying(n, &neutral, |f, i, accumulators| {
            f.env.insert(var, i);
            let elements = f.elements(pat, space, body, k)?;
            let next = f.apply_all(ops, accumulators, &elements)?;
            for (element, value) in pat.iter().zip(&next).filter(|(p, _)| p.mem.is_some()) {
                let target = f.array(element.var)?;
                let mut at = Vec::with_capacity(here.len());
                for i in &here {
                    at.push(f.index(*i)?);
                }
                f.store(&target, &at, *value)?;
            }
            Ok(next)
        })?;
        Ok(())
    }

    /// Runs a point: collects what is not folded, and yields the rest.
    pub fn elements(
        &mut self,
        pat: &'p [PatElem],
        space: &'p SegSpace,
        body: &'p KernelBody,
        folded: usize,
    ) -> Result<Vec<Val<'c>>> {
        self.stms(&body.stms)?;
        let (first, mapped) = body.results.split_at(folded.min(body.results.len()));
        let elements = self.scalar_results(first)?;
        let pat = pat.get(folded..).unwrap_or_default();
        self.collect(pat, space, mapped, body.types.get(folded..).unwrap_or_default())?;
        Ok(elements)
    }

    /// Room for the vectors of a scan, and where they go.
    fn lanes_of_scan(
        &mut self,
        pat: &'p [PatElem],
        space: &'p SegSpace,
        op: &'p Reduction,
        lanes: i64,
        chunk: i64,
        past_caches: Option<PastCaches>,
    ) -> Result<Lanes<'c, 'p>> {
        let mut results = Vec::new();
        for element in pat.iter().take(op.neutral.len()) {
            // What nobody reads has no place.
            let target = element.mem.is_some().then(|| self.array(element.var)).transpose()?;
            let elem = element.ty.elem().ok_or_else(|| Error::bug("a scan of no arrays"))?;
            results.push((elem, target));
        }
        let bytes = self.m.machine.cpu.vector_bytes;
        let operation = accumulation(op);
        let mut segment = Vec::new();
        for i in Self::indexes(space, space.dims.len().saturating_sub(1)) {
            segment.push(self.index(i)?);
        }
        let mut large = None;
        let mut parts = Vec::with_capacity(results.len());
        for (elem, target) in results {
            // Past the caches go whole vectors.
            if let (Some(PastCaches { least, from, .. }), Some(target)) = (past_caches, &target)
                && lanes * elem.bytes() == bytes
                && large.is_none()
            {
                large = self.is_large(target, (from, None), least)?;
            }
            let buffer = self.stack_in_entry(elem, &[chunk])?;
            let width = u64::try_from(lanes).map_err(Error::bug)?;
            parts.push(ScannedValue {
                elem,
                stored: self.vector_type(elem, lanes)?,
                vector: melior::ir::Type::vector(&[width], self.b.types().prim(elem)),
                target,
                buffer,
            });
        }
        let ahead = past_caches.map_or(1, |past| past.ahead);
        let is_quick = operation.is_some() || is_quick(&op.op);
        Ok(Lanes { op, operation, is_quick, lanes, chunk, ahead, parts, segment, large })
    }

    /// What moves into vectors from before their first lane: neutral elements.
    fn moved_in(&mut self, l: &Lanes<'c, 'p>, neutral: &[Val<'c>]) -> Result<Vec<MovedIn<'c>>> {
        let mut out = Vec::with_capacity(neutral.len());
        for ((part, value), x) in l.parts.iter().zip(neutral).zip(&l.op.neutral) {
            let zero = |c: Const| matches!(part.elem, Prim::Float(_)) && c == Const::zero(c.prim());
            let zeros =
                x.constant().is_some_and(zero) && self.m.machine.cpu.vector_bytes == LONGEST;
            out.push(match (l.operation, part.elem) {
                // For sums, -0 is as neutral, and is more than no bits.
                (Some(BinOp::FAdd(_)), Prim::Float(t)) if zeros => {
                    MovedIn { value: self.float_constant(part.vector, t, -0.0)?, zeros: false }
                }
                _ => MovedIn { value: *value, zeros },
            });
        }
        Ok(out)
    }

    /// Each lane's element from `by` lanes before, and neutral ones before these.
    fn lanes_moved(
        &mut self,
        lanes: i64,
        MovedIn { value: neutral, zeros }: MovedIn<'c>,
        x: Val<'c>,
        by: i64,
    ) -> Result<Val<'c>> {
        if !zeros {
            let from = (0..lanes).map(|i| if i < by { i } else { lanes + i - by });
            return self.shuffle(neutral, x, from);
        }
        let round = self.shuffle(x, x, (0..lanes).map(|i| (lanes + i - by) % lanes))?;
        let inside: Vec<i64> = (0..lanes).map(|i| i64::from(i >= by)).collect();
        let inside = self.b.words(&inside)?;
        let width = u64::try_from(lanes).map_err(Error::bug)?;
        let ty = melior::ir::Type::vector(&[width], self.b.types().i1);
        let inside = self.b.trunci(inside, ty)?;
        self.b.select(inside, round, neutral)
    }

    fn scan_by_vectors(
        &mut self,
        pat: &'p [PatElem],
        space: &'p SegSpace,
        ops: &'p [Reduction],
        body: &'p KernelBody,
        l: &Lanes<'c, 'p>,
    ) -> Result<()> {
        let (var, n) = Self::innermost(space)?;
        let n = self.index(n)?;
        let mut neutral = Vec::with_capacity(l.parts.len());
        for (part, x) in l.parts.iter().zip(self.neutral(ops)?) {
            neutral.push(self.b.vector_broadcast(x, part.vector)?);
        }
        let moved_in = self.moved_in(l, &neutral)?;
        let chunks = self.ceil_div(n, l.chunk)?;
        let chunks = self.b.ix(chunks)?;
        let types: Vec<_> = l.parts.iter().map(|p| p.vector).collect();
        self.for_carrying(chunks, &neutral, |f, chunk, carry| {
            let start = f.b.mul(Ix::Val(chunk), Ix::Const(l.chunk))?;
            let left = f.b.sub(n, start)?;
            let count = f.min(left, Ix::Const(l.chunk))?;
            f.for_each(count, |f, j| {
                let i = f.b.add(start, j)?;
                let i = f.b.ix(i)?;
                f.env.insert(var, i);
                let elements = f.elements(pat, space, body, l.parts.len())?;
                for (part, element) in l.parts.iter().zip(elements) {
                    f.set(part.buffer, &[j], part.elem, element)?;
                }
                Ok(())
            })?;
            let Some(large) = l.large else {
                return f.scan_chunk(l, start, count, &moved_in, carry, None);
            };
            // Loops of their own: LLVM would take two kinds of stores for one.
            let mut chunk = |past_caches: bool| {
                f.region(&[], |f, _| {
                    let ahead = past_caches.then_some((space, body));
                    f.scan_chunk(l, start, count, &moved_in, carry, ahead)
                })
            };
            let (past, plain) = (chunk(true)?, chunk(false)?);
            f.b.scf_if(large, &types, past, plain)
        })?;
        Ok(())
    }

    /// Where to fetch from while a vector of a chunk is written: in turn from each of the next chunks,
    /// the later ones from their beginning and the next one at its end, so that several pages are
    /// fetched from side by side and each from end to end.
    fn fetched_meanwhile(&mut self, start: Ix<'c>, v: Ix<'c>, l: &Lanes<'c, 'p>) -> Result<Ix<'c>> {
        let (v, ahead) = (self.b.ix(v)?, self.b.i64(l.ahead)?);
        let which = Ix::Val(self.b.remui(v, ahead)?);
        let place = Ix::Val(self.b.divui(v, ahead)?);
        let chunk = self.b.mul(which, Ix::Const(l.chunk - l.chunk / l.ahead))?;
        let first = self.b.add(start, Ix::Const(2 * l.chunk - l.chunk / l.ahead))?;
        let first = self.b.add(first, chunk)?;
        let distance = self.b.mul(place, Ix::Const(l.lanes))?;
        self.b.add(first, distance)
    }

    /// Scans what lies in the buffers to the results' places, past the caches if the operation is given,
    /// so that what it reads next can be fetched; yields the carry, in every lane.
    fn scan_chunk(
        &mut self,
        l: &Lanes<'c, 'p>,
        start: Ix<'c>,
        count: Ix<'c>,
        neutral: &[MovedIn<'c>],
        carry: &[Val<'c>],
        past_caches: Option<(&'p SegSpace, &'p KernelBody)>,
    ) -> Result<Vec<Val<'c>>> {
        let (count, by) = (self.b.ix(count)?, self.b.i64(l.lanes)?);
        let vectors = self.b.divui(count, by)?;
        let carried = self.for_carrying(vectors, carry, |f, v, carry| {
            let distance = f.b.mul(Ix::Val(v), Ix::Const(l.lanes))?;
            let i = f.b.add(start, distance)?;
            if let Some((space, body)) = past_caches {
                let next = f.fetched_meanwhile(start, Ix::Val(v), l)?;
                f.fetch(space, next, l.lanes, body)?;
            }
            let mut x = Vec::with_capacity(l.parts.len());
            for part in &l.parts {
                let value = f.load_vector(part.stored, part.buffer, &[distance])?;
                x.push(match part.elem {
                    Prim::Bool => f.b.trunci(value, part.vector)?,
                    Prim::Int(_) | Prim::Float(_) => value,
                });
            }
            let mut by = 1;
            while by < l.lanes {
                // The first lanes come from the neutral element, the others from `by` lanes before.
                let mut moved = Vec::with_capacity(x.len());
                for (moved_in, x) in neutral.iter().zip(&x) {
                    moved.push(f.lanes_moved(l.lanes, *moved_in, *x, by)?);
                }
                x = f.combine(l, &moved, &x)?;
                by *= 2;
            }
            let results = f.combine(l, carry, &x)?;
            for (part, result) in l.parts.iter().zip(&results) {
                let Some(target) = &part.target else { continue };
                let (place, at) = f.vectors_at(target, &l.at(i))?;
                let value = match part.elem {
                    Prim::Bool => f.b.extui(*result, part.stored)?,
                    Prim::Int(_) | Prim::Float(_) => *result,
                };
                let whole = l.lanes * part.elem.bytes() == f.m.machine.cpu.vector_bytes;
                if past_caches.is_some() && whole {
                    f.store_vector_past_caches(place, &at, value)?;
                } else {
                    f.store_vector(place, &at, value)?;
                }
            }
            // What is few operations had better not wait for lanes to move.
            let from = if l.is_quick { &x } else { &results };
            let mut last = Vec::with_capacity(from.len());
            for x in from {
                last.push(f.shuffle(*x, *x, (0..l.lanes).map(|_| l.lanes - 1))?);
            }
            if l.is_quick { f.combine(l, carry, &last) } else { Ok(last) }
        })?;
        let done = self.b.mul(Ix::Val(vectors), Ix::Const(l.lanes))?;
        let rest = self.b.sub(Ix::Val(count), done)?;
        let rest = self.b.ix(rest)?;
        let from = self.b.add(start, done)?;
        let mut acc = Vec::with_capacity(l.parts.len());
        for carry in &carried {
            acc.push(self.b.vector_extract(*carry, 0)?);
        }
        let acc = self.for_carrying(rest, &acc, |f, j, acc| {
            let i = f.b.add(from, Ix::Val(j))?;
            let j = f.b.add(done, Ix::Val(j))?;
            let mut x = Vec::with_capacity(l.parts.len());
            for part in &l.parts {
                x.push(f.get(part.buffer, &[j], part.elem)?);
            }
            let next = f.apply(&l.op.op, acc, &x)?;
            for (part, value) in l.parts.iter().zip(&next) {
                if let Some(target) = &part.target {
                    f.store(target, &l.at(i), *value)?;
                }
            }
            Ok(next)
        })?;
        let some = self.b.cmpi(Predicate::Ne, rest, self.b.i64(0)?)?;
        let mut next = Vec::with_capacity(acc.len());
        for ((part, acc), carry) in l.parts.iter().zip(acc).zip(carried) {
            let spread = self.b.vector_broadcast(acc, part.vector)?;
            next.push(self.b.select(some, spread, carry)?);
        }
        Ok(next)
    }

    /// The operator, on vectors.
    fn combine(
        &mut self,
        l: &Lanes<'c, 'p>,
        accumulators: &[Val<'c>],
        elements: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        match (l.operation, accumulators, elements) {
            (Some(operation), &[a], &[x]) => self.lanewise(operation, a, x).map(|v| vec![v]),
            _ => self.apply_lanewise(&l.op.op, accumulators, elements, l.lanes),
        }
    }
}

impl<'c> Lanes<'c, '_> {
    fn at(&self, i: Ix<'c>) -> Vec<Ix<'c>> {
        self.segment.iter().copied().chain([i]).collect()
    }
}

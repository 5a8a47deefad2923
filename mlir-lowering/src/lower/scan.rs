//! Scans: in order, or many lanes at a time.
//!
//! A scan with a single lanewise operator goes in chunks that the first cache holds. First the
//! elements of a chunk are computed into a buffer, by a loop that LLVM vectorises; then the chunk is
//! scanned on its way to the result, a vector at a time:
//!
//! ```text
//! x          a      b      c      d
//! x ⊕ x»1    a      ab     bc     cd
//! x ⊕ x»2    a      ab     abc    abcd
//! carry ⊕ x; carry = carry ⊕ last lane of x
//! ```
//!
//! The only chain from vector to vector is one operation on the carry, where the plain loop has
//! one per element. The operator is associative by contract, so floats may be grouped thus.

use super::builder::{Ix, Predicate, Val, result_of};
use super::function::{Array, Function, Site};
use super::vector::lanes;
use crate::Error;
use futc_midend::ir::contraction::accumulation;
use futc_midend::ir::traverse::for_each_block;
use futc_midend::ir::{
    BinOp, Exp, KernelBody, KernelResult, PatElem, Prim, Reduction, SegSpace, Stm,
};

type Result<T> = std::result::Result<T, Error>;

/// Elements scanned at a time: few enough to stay in the first cache.
const CHUNK: i64 = 1024;

/// A scan that can be done by vectors.
struct Lanes<'c> {
    op: BinOp,
    elem: Prim,
    lanes: i64,
    vector: melior::ir::Type<'c>,
    target: Array<'c>,
    segment: Vec<Ix<'c>>,
    /// Room for a chunk.
    buffer: Val<'c>,
    /// Whether the results go past the caches.
    large: Option<Val<'c>>,
}

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// The scan along the innermost dimension; the others' index variables are bound.
    pub fn scan(
        &mut self,
        pat: &'p [PatElem],
        space: &'p SegSpace,
        ops: &'p [Reduction],
        body: &'p KernelBody,
    ) -> Result<()> {
        match self.lanes_of_scan(pat, space, ops, body)? {
            Some(lanes) => self.scan_by_vectors(pat, space, ops, body, &lanes),
            None => self.scan_in_order(pat, space, ops, body),
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
            for (element, value) in pat.iter().zip(&next) {
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

    /// Whether vectors can do it: one operator that is one operation, results that are neighbours
    /// in memory, and a body without loops, which would take all the time anyway.
    fn lanes_of_scan(
        &mut self,
        pat: &'p [PatElem],
        space: &'p SegSpace,
        ops: &'p [Reduction],
        body: &'p KernelBody,
    ) -> Result<Option<Lanes<'c>>> {
        let ([op], Some(element), Site::Host(_), false) =
            (ops, pat.first(), self.site, self.m.has_kernels())
        else {
            return Ok(None);
        };
        let (Some(operation), Some(elem)) = (accumulation(op), element.ty.elem()) else {
            return Ok(None);
        };
        let target = self.array(element.var)?;
        let inner = target.strides.last();
        let small = matches!(target.shape.last(), Some(Ix::Const(n)) if *n < 32);
        let plain = body.results.iter().all(|r| matches!(r, KernelResult::Return(_)))
            && body.stms.iter().all(is_straight);
        if !plain || small || elem == Prim::Bool || !matches!(inner, Some(Ix::Const(1))) {
            return Ok(None);
        }
        let lanes = lanes(self.m.machine.cpu.vector_bytes, elem);
        let vector = self.vector_type(elem, lanes)?;
        let mut segment = Vec::new();
        for i in Self::indexes(space, space.dims.len().saturating_sub(1)) {
            segment.push(self.index(i)?);
        }
        let large = if self.streams(&target) { self.is_large(&target)? } else { None };
        let buffer = self.buffer(target.clone(), CHUNK)?.base;
        Ok(Some(Lanes { op: operation, elem, lanes, vector, target, segment, buffer, large }))
    }

    fn scan_by_vectors(
        &mut self,
        pat: &'p [PatElem],
        space: &'p SegSpace,
        ops: &'p [Reduction],
        body: &'p KernelBody,
        l: &Lanes<'c>,
    ) -> Result<()> {
        let (var, n) = Self::innermost(space)?;
        let n = self.index(n)?;
        let neutral = self.neutral(ops)?;
        let neutral = *neutral.first().ok_or_else(|| Error::bug("a scan without an operator"))?;
        let neutral = self.spread(l.vector, l.lanes, neutral)?;
        let chunks = self.ceil_div(n, CHUNK)?;
        let chunks = self.b.ix(chunks)?;
        self.for_carrying(chunks, &[neutral], |f, chunk, carry| {
            let start = f.b.mul(Ix::Val(chunk), Ix::Const(CHUNK))?;
            let left = f.b.sub(n, start)?;
            let count = f.min(left, Ix::Const(CHUNK))?;
            f.for_each(count, |f, j| {
                let i = f.b.add(start, j)?;
                let i = f.b.ix(i)?;
                f.env.insert(var, i);
                let elements = f.elements(pat, space, body, 1)?;
                let element =
                    elements.first().ok_or_else(|| Error::bug("a scan without an element"))?;
                let to = f.b.element_pointer(l.buffer, j, f.b.types().stored(l.elem))?;
                f.b.store(to, l.elem, *element)
            })?;
            let carry = *carry.first().ok_or_else(|| Error::bug("a scan without a carry"))?;
            let Some(large) = l.large else {
                let carry = f.scan_chunk(l, start, count, neutral, carry, false)?;
                return Ok(vec![carry]);
            };
            // Loops of their own: LLVM would take two kinds of stores for one.
            let mut chunk = |past_caches: bool| {
                f.region(&[], "scf.yield", |f, _| {
                    let carry = f.scan_chunk(l, start, count, neutral, carry, past_caches)?;
                    Ok(vec![carry])
                })
            };
            let regions = vec![chunk(true)?, chunk(false)?];
            let operation = f.b.operation("scf.if", &[large], &[l.vector], &[], regions)?;
            result_of(operation, 0).map(|carry| vec![carry])
        })?;
        Ok(())
    }

    /// Scans what lies in the buffer to the result's place; yields the carry, in every lane.
    fn scan_chunk(
        &mut self,
        l: &Lanes<'c>,
        start: Ix<'c>,
        count: Ix<'c>,
        neutral: Val<'c>,
        carry: Val<'c>,
        past_caches: bool,
    ) -> Result<Val<'c>> {
        let (count, by) = (self.b.ix(count)?, self.b.i64(l.lanes)?);
        let vectors = self.b.same("arith.divui", &[count, by])?;
        let carried = self.for_carrying(vectors, &[carry], |f, v, carry| {
            let carry = *carry.first().ok_or_else(|| Error::bug("a scan without a carry"))?;
            let distance = f.b.mul(Ix::Val(v), Ix::Const(l.lanes))?;
            let i = f.b.add(start, distance)?;
            let place = f.element(&l.target, &l.at(i))?;
            let from = f.b.element_pointer(l.buffer, distance, f.b.types().stored(l.elem))?;
            let mut x = f.load_vector(l.vector, from)?;
            let mut by = 1;
            while by < l.lanes {
                // The first lanes come from the neutral element, the others from `by` lanes before.
                let moved = (0..l.lanes).map(|i| if i < by { i } else { l.lanes + i - by });
                let moved = f.shuffle(neutral, x, moved)?;
                x = f.lanewise(l.op, moved, x)?;
                by *= 2;
            }
            let result = f.lanewise(l.op, carry, x)?;
            if past_caches {
                f.store_vector_past_caches(place, result)?;
            } else {
                f.store_vector(place, result)?;
            }
            let last = f.shuffle(x, x, (0..l.lanes).map(|_| l.lanes - 1))?;
            f.lanewise(l.op, carry, last).map(|carry| vec![carry])
        })?;
        let carry = *carried.first().ok_or_else(|| Error::bug("a scan without a carry"))?;
        let done = self.b.mul(Ix::Val(vectors), Ix::Const(l.lanes))?;
        let rest = self.b.sub(Ix::Val(count), done)?;
        let rest = self.b.ix(rest)?;
        let from = self.b.add(start, done)?;
        let acc = self.lane(carry, 0, l.elem)?;
        let acc = self.for_carrying(rest, &[acc], |f, j, acc| {
            let acc = *acc.first().ok_or_else(|| Error::bug("a scan without a carry"))?;
            let i = f.b.add(from, Ix::Val(j))?;
            let j = f.b.add(done, Ix::Val(j))?;
            let from = f.b.element_pointer(l.buffer, j, f.b.types().stored(l.elem))?;
            let x = f.b.load(from, l.elem)?;
            let next = f.lanewise(l.op, acc, x)?;
            f.store(&l.target, &l.at(i), next)?;
            Ok(vec![next])
        })?;
        let acc = *acc.first().ok_or_else(|| Error::bug("a scan without a carry"))?;
        let none = self.b.i64(0)?;
        let some = self.b.cmpi(Predicate::Ne, rest, none)?;
        let spread = self.spread(l.vector, l.lanes, acc)?;
        self.b.select(some, spread, carry)
    }
}

impl<'c> Lanes<'c> {
    fn at(&self, i: Ix<'c>) -> Vec<Ix<'c>> {
        self.segment.iter().copied().chain([i]).collect()
    }
}

/// Code without loops.
pub fn is_straight(stm: &Stm) -> bool {
    let mut straight = !matches!(stm.exp, Exp::Loop { .. } | Exp::Seg(_) | Exp::Call { .. });
    for_each_block(&stm.exp, &mut |b| {
        straight = straight && b.iter().all(is_straight);
    });
    straight
}

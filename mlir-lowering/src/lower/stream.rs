//! Large results past the caches.
//!
//! An ordinary store reads the line of memory that it writes to first, so a map of an array larger
//! than the caches moves half as much again as a copy does. Stores that bypass the caches do not,
//! but only whole, aligned vectors of them pay, which LLVM's vectoriser does not make of scalar
//! ones. So such a map goes in chunks: computed into a buffer in the first cache, by a loop that
//! LLVM vectorises, and from there to memory in vectors. Smaller results are better off in the
//! caches, where their reader finds them: which it is, is decided at run time.

use super::function::{Array, Function, Site};
use super::interleave::Interleaving;
use super::scan::is_straight;
use super::seg::SegKind;
use super::vector::lanes;
use crate::Error;
use crate::dialect::{Ix, Predicate, Val};
use futc_midend::ir::traverse::for_each_block;
use futc_midend::ir::{KernelBody, KernelResult, PatElem, Prim, SegSpace, Stm};

type Result<T> = std::result::Result<T, Error>;

/// Bytes of results from which on they go past the caches: beyond what one core can count on.
const FROM_BYTES: i64 = 16 << 20;
/// Elements computed at a time.
const CHUNK: i64 = 128;
/// The code of a body stands twice; larger ones do not wait for memory anyway.
const MOST_STATEMENTS: usize = 60;

/// Room for a chunk, and where it goes.
pub struct Buffer<'c> {
    /// The chunk.
    pub chunk: Val<'c>,
    /// Its elements' type.
    pub elem: Prim,
    /// The place of all chunks.
    pub target: Array<'c>,
}

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// A map, past the caches if it is large. Whether that has been done; if not, nothing has.
    pub fn stream(
        &mut self,
        pat: &'p [PatElem],
        space: &'p SegSpace,
        body: &'p KernelBody,
        work: SegKind<'p>,
        plain: &mut dyn FnMut(&mut Self) -> Result<()>,
    ) -> Result<bool> {
        let (SegKind::Map, Site::Host(_), false) = (work, self.site, self.m.has_kernels()) else {
            return Ok(false);
        };
        let returns = body.results.iter().all(|r| matches!(r, KernelResult::Return(_)));
        if !returns || !body.stms.iter().all(is_straight) || size(&body.stms) > MOST_STATEMENTS {
            return Ok(false);
        }
        let mut buffers = Vec::new();
        for element in pat {
            let target = self.array(element.var)?;
            if target.strides.len() != space.dims.len() || !self.streams(&target) {
                return Ok(false);
            }
            buffers.push(target);
        }
        let Some(first) = buffers.first() else { return Ok(false) };
        let Some(large) = self.is_large(first)? else { return Ok(false) };
        let yes =
            self.region(&[], |f, _| f.stream_chunks(space, body, buffers).map(|()| Vec::new()))?;
        let no = self.region(&[], |f, _| plain(f).map(|()| Vec::new()))?;
        self.b.scf_if(large, &[], yes, no)?;
        Ok(true)
    }

    /// Whether an array begins where its block does and is dense, so that chunks are aligned.
    pub fn streams(&self, target: &Array<'c>) -> bool {
        matches!(target.offset, Ix::Const(0)) && target.lmad.is_contiguous(&self.defs)
    }

    /// Whether an array is larger than the caches; nothing if that is known not to be so.
    pub fn exceeds_caches(&mut self, target: &Array<'c>) -> Result<Option<Val<'c>>> {
        let mut total = Ix::Const(target.elem.bytes());
        for n in &target.shape {
            total = self.b.mul(total, *n)?;
        }
        if matches!(total, Ix::Const(n) if n < FROM_BYTES) {
            return Ok(None);
        }
        let (total, least) = (self.b.ix(total)?, self.b.i64(FROM_BYTES)?);
        self.b.cmpi(Predicate::Sle, least, total).map(Some)
    }

    /// Whether an array is large enough; nothing if that is known not to be so.
    pub fn is_large(&mut self, target: &Array<'c>) -> Result<Option<Val<'c>>> {
        let bytes = target.elem.bytes();
        let Some(mut large) = self.exceeds_caches(target)? else { return Ok(None) };
        if let (Some(row), true) = (target.shape.last(), target.shape.len() > 1) {
            // Rows must be aligned each, and long enough for chunks.
            let row = self.b.ix(*row)?;
            let vector = self.m.machine.cpu.vector_bytes / bytes - 1;
            let (mask, zero, chunk) = (self.b.i64(vector)?, self.b.i64(0)?, self.b.i64(CHUNK)?);
            let rest = self.b.andi(row, mask)?;
            let aligned = self.b.cmpi(Predicate::Eq, rest, zero)?;
            let long = self.b.cmpi(Predicate::Sle, chunk, row)?;
            large = self.b.andi(large, aligned)?;
            large = self.b.andi(large, long)?;
        }
        Ok(Some(large))
    }

    fn stream_chunks(
        &mut self,
        space: &'p SegSpace,
        body: &'p KernelBody,
        targets: Vec<Array<'c>>,
    ) -> Result<()> {
        let mut buffers = Vec::with_capacity(targets.len());
        for target in targets {
            buffers.push(self.buffer(target, CHUNK)?);
        }
        let (var, n) = Self::innermost(space)?;
        let n = self.index(n)?;
        let order = self.interleaving(space, &body.stms, buffers.len(), CHUNK)?;
        let outer = space.dims.len().saturating_sub(1);
        let mut shape = Vec::with_capacity(outer);
        for (_, n) in space.dims.iter().take(outer) {
            shape.push(self.index(*n)?);
        }
        self.nest(&shape, &mut |f, row| {
            f.bind_indexes(space, row)?;
            f.each_chunk(n, CHUNK, order, &mut |f, first, count| {
                f.for_each_point(count, body, &mut |f, j| {
                    let i = f.b.add(first, j)?;
                    let i = f.b.ix(i)?;
                    f.env.insert(var, i);
                    f.stms(&body.stms)?;
                    let values = f.scalar_results(&body.results)?;
                    for (buffer, value) in buffers.iter().zip(values) {
                        f.set(buffer.chunk, &[j], buffer.elem, value)?;
                    }
                    Ok(())
                })?;
                for buffer in &buffers {
                    f.drain(buffer, row, first, count)?;
                }
                Ok(())
            })
        })
    }

    /// Runs `f` at the first element and the length of each chunk.
    fn each_chunk(
        &mut self,
        n: Ix<'c>,
        chunk: i64,
        order: Option<Interleaving>,
        f: &mut dyn FnMut(&mut Self, Ix<'c>, Ix<'c>) -> Result<()>,
    ) -> Result<()> {
        let Some(order) = order else { return self.each_block(n, chunk, f) };
        let (all, by) = (self.b.ix(n)?, self.b.i64(chunk)?);
        let chunks = Ix::Val(self.b.divui(all, by)?);
        self.for_each(chunks, |fun, k| {
            let first = fun.start_of_chunk(order, n, k)?;
            f(fun, first, Ix::Const(chunk))
        })?;
        let done = self.b.mul(chunks, Ix::Const(chunk))?;
        let rest = self.b.sub(n, done)?;
        f(self, done, rest)
    }

    /// Room on the stack for a chunk of an array.
    pub fn buffer(&mut self, target: Array<'c>, chunk: i64) -> Result<Buffer<'c>> {
        let chunk = self.stack_in_entry(target.elem, &[chunk])?;
        Ok(Buffer { chunk, elem: target.elem, target })
    }

    /// Moves a chunk to its place, past the caches.
    fn drain(
        &mut self,
        buffer: &Buffer<'c>,
        row: &[Ix<'c>],
        first: Ix<'c>,
        count: Ix<'c>,
    ) -> Result<()> {
        let lanes = lanes(self.m.machine.cpu.vector_bytes, buffer.elem);
        let vector = self.vector_type(buffer.elem, lanes)?;
        let at = |i: Ix<'c>| row.iter().copied().chain([i]).collect::<Vec<_>>();
        let (count, by) = (self.b.ix(count)?, self.b.i64(lanes)?);
        let vectors = Ix::Val(self.b.divui(count, by)?);
        self.for_each(vectors, |f, v| {
            let j = f.b.mul(v, Ix::Const(lanes))?;
            let value = f.load_vector(vector, buffer.chunk, &[j])?;
            let i = f.b.add(first, j)?;
            let (to, at) = f.vectors_at(&buffer.target, &at(i))?;
            f.store_vector_past_caches(to, &at, value)
        })?;
        let done = self.b.mul(vectors, Ix::Const(lanes))?;
        let rest = self.b.sub(Ix::Val(count), done)?;
        self.for_each(rest, |f, j| {
            let j = f.b.add(done, j)?;
            let value = f.get(buffer.chunk, &[j], buffer.elem)?;
            let i = f.b.add(first, j)?;
            let to = f.memref(&buffer.target)?;
            f.set(to, &at(i), buffer.elem, value)
        })
    }
}

/// Statements, also those below others.
fn size(stms: &[Stm]) -> usize {
    stms.iter().fold(stms.len(), |n, stm| {
        let mut below = 0;
        for_each_block(&stm.exp, &mut |b| below += size(b));
        n + below
    })
}

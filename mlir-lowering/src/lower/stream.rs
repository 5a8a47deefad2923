//! Large results past the caches.
//!
//! An ordinary store reads the line of memory that it writes to first, so a map of an array larger
//! than the caches moves half as much again as a copy does. Stores that bypass the caches do not,
//! but only whole, aligned vectors of them pay, which LLVM's vectoriser does not make of scalar
//! ones. So such a map goes in chunks: computed into a buffer in the first cache, by a loop that
//! LLVM vectorises, and from there to memory in vectors. Smaller results stay in the
//! caches, so that what reads them next hits there: their size is compared at run time.

use super::function::{Array, Function};
use super::nest::Nest;
use super::vector::lanes;
use crate::Error;
use crate::dialect::{Ix, Predicate, Val};
use futc_midend::ir::{PageStreams, Prim, SegOp, Strategy, SubExp};

type Result<T> = std::result::Result<T, Error>;

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
    /// A map, past the caches if it is large, else by the strategies that are left.
    pub(super) fn stream(&mut self, nest: Nest<'p>) -> Result<()> {
        let Strategy::Stream { chunk, unroll, pages, from, tasks } = nest.first()? else {
            return Err(Error::bug("another strategy than to stream"));
        };
        let targets: Vec<_> = nest.pat.iter().map(|p| self.array(p.var)).collect::<Result<_>>()?;
        let first = targets.first().ok_or_else(|| Error::bug("a map without results"))?;
        let parts = self.tasks.filter(|_| tasks);
        let Some(large) = self.is_large(first, (from, parts), chunk)? else {
            return self.scheduled(nest.rest());
        };
        let yes = self.region(&[], |f, _| {
            f.stream_chunks(nest, targets, chunk, unroll, pages).map(|()| Vec::new())
        })?;
        let no = self.region(&[], |f, _| f.scheduled(nest.rest()).map(|()| Vec::new()))?;
        self.b.scf_if(large, &[], yes, no)?;
        Ok(())
    }

    /// Whether so many arrays as one have at least `from` bytes; nothing if that is known not to be so.
    pub fn exceeds_caches(
        &mut self,
        target: &Array<'c>,
        (from, parts): (i64, Option<SubExp>),
    ) -> Result<Option<Val<'c>>> {
        let mut total = Ix::Const(target.elem.bytes());
        if let Some(parts) = parts {
            let parts = self.index(parts)?;
            total = self.b.mul(total, parts)?;
        }
        for n in &target.shape {
            total = self.b.mul(total, *n)?;
        }
        if matches!(total, Ix::Const(n) if n < from) {
            return Ok(None);
        }
        let (total, least) = (self.b.ix(total)?, self.b.i64(from)?);
        self.b.cmpi(Predicate::Sle, least, total).map(Some)
    }

    /// Whether so many arrays as one have at least `from` bytes, and rows are long enough for chunks; nothing if that
    /// is known not to be so.
    pub fn is_large(
        &mut self,
        target: &Array<'c>,
        from: (i64, Option<SubExp>),
        chunk: i64,
    ) -> Result<Option<Val<'c>>> {
        let bytes = target.elem.bytes();
        let Some(mut large) = self.exceeds_caches(target, from)? else { return Ok(None) };
        if let (Some(row), true) = (target.shape.last(), target.shape.len() > 1) {
            // Rows must be aligned each, and long enough for chunks.
            let row = self.b.ix(*row)?;
            let vector = self.m.machine.cpu.vector_bytes / bytes - 1;
            let (mask, zero, chunk) = (self.b.i64(vector)?, self.b.i64(0)?, self.b.i64(chunk)?);
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
        nest: Nest<'p>,
        targets: Vec<Array<'c>>,
        chunk: i64,
        unroll: i64,
        order: Option<PageStreams>,
    ) -> Result<()> {
        let SegOp { space, body, .. } = nest.op;
        let mut buffers = Vec::with_capacity(targets.len());
        for target in targets {
            buffers.push(self.buffer(target, chunk)?);
        }
        let (var, n) = Self::innermost(space)?;
        let n = self.index(n)?;
        let outer = space.dims.len().saturating_sub(1);
        let mut shape = Vec::with_capacity(outer);
        for (_, n) in space.dims.iter().take(outer) {
            shape.push(self.index(*n)?);
        }
        self.nest(&shape, &mut |f, row| {
            f.bind_indexes(space, row)?;
            f.each_chunk(n, chunk, order, &mut |f, first, count| {
                f.for_each_point(count, unroll, &mut |f, j| {
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
        order: Option<PageStreams>,
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

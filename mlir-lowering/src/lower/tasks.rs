//! Tasks: an operation of level tasks is a parallel loop of the runtime.
//!
//! ```text
//! task_0(context, room, lo, hi, worker):       room[0..] = captured…
//!   captured… = room[0..]                      futc_parallel_for(context, site_0, task_0, room, n, cost)
//!   for t in lo .. hi: the body
//! ```
//!
//! The body is a function apart. What it needs from outside is met as it is emitted, and is handed over in words
//! on the stack of the thread that comes to the operation, which waits until all tasks are done.

use super::TASK_PREFIX;
use super::function::{Function, Outer, Site};
use super::nest::{Nest, ScalarResults};
use crate::Error;
use crate::abi::Runtime;
use crate::dialect::{Ix, Linkage, Val};
use crate::ffi;
use futc_midend::ir::{Loc, SegOp};
use futc_midend::passes::mem::TASK_PICOSECONDS;
use melior::ir::ValueLike;
use melior::ir::block::BlockLike;

type Result<T> = std::result::Result<T, Error>;

/// The alignment of `struct futc_site`.
const SITE_ALIGNMENT: i64 = 64;
/// Bytes of a word.
const WORD: i64 = 8;

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// The tasks of an operation, and the loop over them.
    pub fn tasks(&mut self, nest: Nest<'p>, loc: Option<Loc>) -> Result<()> {
        let SegOp { space, .. } = nest.op;
        let [(_, n)] = space.dims.as_slice() else {
            return Err(Error::bug("tasks of other than one dimension"));
        };
        self.bind_arrays(nest.pat)?;
        let n = self.index(*n)?;
        let n = self.b.ix(n)?;
        let (symbol, captured) = self.task_function(nest)?;
        let types = self.b.types();
        let words = i64::try_from(captured.len().max(1)).map_err(Error::bug)?;
        let room = self.block_in_entry(words * WORD)?;
        for (i, value) in (0..).zip(&captured) {
            let bool_ = value.r#type() == types.i1;
            let value = if bool_ { self.b.extui(*value, types.i8)? } else { *value };
            self.set_word(room, i, value)?;
        }
        let site = format!("site_{symbol}");
        let loc = loc.map(|loc| self.m.string(loc.as_str())).transpose()?;
        // Schedule, unit, scale, and what is reserved.
        let rest = [types.i32, types.i32, types.f32, types.i32];
        self.m.builder().llvm_variable(&site, loc.as_deref(), &rest, SITE_ALIGNMENT)?;
        let site = self.b.address_of(&site)?;
        let task = self.b.func_constant(&symbol, types.task)?;
        let cost = self.b.i64(TASK_PICOSECONDS)?;
        self.runtime(Runtime::ParallelFor, &[site, task, room, n, cost]).map(drop)
    }

    /// Builds the function of the tasks; returns its symbol, and the values that it finds in its room.
    fn task_function(&mut self, nest: Nest<'p>) -> Result<(String, Vec<Val<'c>>)> {
        let types = self.b.types();
        let parameters = [types.ptr, types.block, types.i64, types.i64, types.i64];
        let (region, entry) = ffi::region_with_block(&parameters, self.b.location);
        let parameter = |i| entry.argument(i).map(|a| ffi::detach_value(a.into()));
        let (context, room) = (parameter(0)?, parameter(1)?);
        let (lo, hi) = (parameter(2)?, parameter(3)?);
        let outer = Outer {
            env: &self.env,
            arrays: &self.arrays,
            entry,
            room: Some(room),
            captured: Vec::new(),
        };
        let mut code = Function::new(&mut *self.m, entry, Site::Host(context));
        code.b.location = self.b.location;
        code.defs = self.defs.clone();
        code.outer = Some(outer);
        let count = code.b.sub(Ix::Val(hi), Ix::Val(lo))?;
        let count = code.b.ix(count)?;
        code.for_carrying(count, &[], |f, k, _| {
            let task = f.b.add(Ix::Val(lo), Ix::Val(k))?;
            f.bind_indexes(&nest.op.space, &[task])?;
            f.work(nest.by_loops(), &ScalarResults::Values)?;
            Ok(Vec::new())
        })?;
        code.b.func_return(&[])?;
        let captured = code.outer.take().map(|o| o.captured).unwrap_or_default();
        let symbol = format!("{TASK_PREFIX}{}", self.m.tasks);
        self.m.tasks += 1;
        self.m.builder().func(&symbol, &parameters, &[], Linkage::Internal, region)?;
        Ok((symbol, captured))
    }
}

//! Tasks: an operation of level tasks is a parallel loop of the runtime.
//!
//! ```text
//! task_0(context, room, lo, hi, worker):       room[0..] = captured…
//!   for t in lo .. hi:                         futc_parallel_for(context, site_0, task_0, room, n, cost)
//!     task_0_body(context, room, t)
//! task_0_body(context, room, t):
//!   captured… = room[0..]
//!   the body
//! ```
//!
//! The body of a task stays a function of its own: its loops are no deeper than they are without tasks, and little is live
//! around them.
//!
//! Tasks that ask what those before them come to are a chain:
//!
//! ```text
//! task_0:                                        neutral[0..] = the neutral elements
//!   …                                            futc_parallel_chain(context, site_0, task_0, room, n, cost,
//!   aggregate[0..] = values…                                         chain, task_0_combine, neutral, bytes)
//!   futc_chain_start(context, chain, t, aggregate, start)
//!   … = start[0..]
//! ```
//!
//! The body is a function apart, and so is the operator. What they need from outside is met as it is emitted, and is handed over in words
//! on the stack of the thread that comes to the operation, which waits until all tasks are done.

use super::function::{Function, Outer, Site};
use super::nest::{Nest, ScalarResults};
use super::{TASK_BODY_SUFFIX, TASK_PREFIX};
use crate::Error;
use crate::abi::Runtime;
use crate::dialect::{Ix, Linkage, Val};
use crate::ffi;
use futc_midend::ir::traverse::free_in;
use futc_midend::ir::{Exp, Loc, Prim, Reduction, SegOp, Stm, SubExp, Type};
use futc_midend::passes::mem::TASK_PICOSECONDS;
use melior::ir::ValueLike;
use melior::ir::block::BlockLike;

type Result<T> = std::result::Result<T, Error>;

/// The alignment of `struct futc_site`.
const SITE_ALIGNMENT: i64 = 64;
/// Bytes of a word.
const WORD: i64 = 8;

/// Words of `struct futc_chain`.
const CHAIN_WORDS: i64 = 6;

/// The symbol of the operators of tasks.
fn combine_symbol(task: &str) -> String {
    format!("{task}_combine")
}

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// The tasks of an operation, and the loop over them.
    pub fn tasks(&mut self, nest: Nest<'p>, loc: Option<Loc>) -> Result<()> {
        let SegOp { space, .. } = nest.op;
        let [(_, n)] = space.dims.as_slice() else {
            return Err(Error::bug("tasks of other than one dimension"));
        };
        self.bind_arrays(nest.pat)?;
        if self.outer.is_some() {
            self.hand_on(nest.op);
        }
        let n = self.index(*n)?;
        let n = self.b.ix(n)?;
        let operators = nest.op.body.stms.iter().find_map(|s| match &s.exp {
            Exp::Prefix { ops, .. } => Some(ops.as_slice()),
            _ => None,
        });
        let chain = operators.map(|_| self.block_in_entry(CHAIN_WORDS * WORD)).transpose()?;
        let (symbol, mut captured) = self.task_function(nest, chain)?;
        if let Some(ops) = operators {
            captured = self.combine_function(&symbol, ops, captured)?;
        }
        let room = self.words(&captured)?;
        let site = format!("site_{symbol}");
        let loc = loc.map(|loc| self.m.string(loc.as_str())).transpose()?;
        // Schedule, unit, and what belongs to the runtime.
        let types = self.b.types();
        let rest = [types.i32, types.i32, types.f32, types.i32, types.f32, types.f32];
        self.m.builder().llvm_variable(&site, loc.as_deref(), &rest, SITE_ALIGNMENT)?;
        let site = self.b.address_of(&site)?;
        let task = self.b.func_constant(&symbol, types.task)?;
        let cost = self.b.i64(TASK_PICOSECONDS)?;
        let (Some(ops), Some(chain)) = (operators, chain) else {
            return self.runtime(Runtime::ParallelFor, &[site, task, room, n, cost]).map(drop);
        };
        let neutral = self.neutral(ops)?;
        let bytes = self.b.i64(WORD * i64::try_from(neutral.len()).map_err(Error::bug)?)?;
        let neutral = self.words(&neutral)?;
        let combine = self.b.func_constant(&combine_symbol(&symbol), types.combine)?;
        let operands = [site, task, room, n, cost, chain, combine, neutral, bytes];
        self.runtime(Runtime::ParallelChain, &operands).map(drop)
    }

    /// Has tasks inside of a task find here what that one finds outside.
    fn hand_on(&mut self, op: &SegOp) {
        for v in free_in(|visit| visit.kernel_body(&op.body)) {
            // What is neither is a certificate.
            if self.lookup(v).is_err() {
                let _ = self.array(v);
            }
        }
    }

    /// Words on the stack with these values.
    fn words(&mut self, values: &[Val<'c>]) -> Result<Val<'c>> {
        let count = i64::try_from(values.len().max(1)).map_err(Error::bug)?;
        let room = self.block_in_entry(count * WORD)?;
        self.set_words(room, values)?;
        Ok(room)
    }

    /// Writes values to words of a block. A `bool` is a byte.
    fn set_words(&mut self, room: Val<'c>, values: &[Val<'c>]) -> Result<()> {
        let types = self.b.types();
        for (i, value) in (0..).zip(values) {
            let bool_ = value.r#type() == types.i1;
            let value = if bool_ { self.b.extui(*value, types.i8)? } else { *value };
            self.set_word(room, i, value)?;
        }
        Ok(())
    }

    /// Reads scalars from words of a block.
    fn get_words(&mut self, room: Val<'c>, prims: &[Prim]) -> Result<Vec<Val<'c>>> {
        let types = self.b.types();
        let mut values = Vec::with_capacity(prims.len());
        for (i, prim) in (0..).zip(prims) {
            let value = self.get_word(room, i, types.stored(*prim))?;
            let bool_ = *prim == Prim::Bool;
            values.push(if bool_ { self.b.trunci(value, types.i1)? } else { value });
        }
        Ok(values)
    }

    /// What the tasks before this one come to, where this one comes to `values`.
    pub fn prefix(&mut self, stm: &'p Stm, values: &[SubExp]) -> Result<()> {
        let (chain, task) = self.chain.ok_or_else(|| Error::bug("a prefix outside of tasks"))?;
        let task = self.lookup(task)?;
        let values = values.iter().map(|x| self.operand(*x)).collect::<Result<Vec<_>>>()?;
        let aggregate = self.words(&values)?;
        let start = self.block_in_entry(WORD * i64::try_from(values.len()).map_err(Error::bug)?)?;
        self.runtime(Runtime::ChainStart, &[chain, task, aggregate, start])?;
        let prims: Option<Vec<Prim>> = stm.pat.iter().map(|p| p.ty.elem()).collect();
        let prims = prims.ok_or_else(|| Error::bug("a prefix of blocks"))?;
        let values = self.get_words(start, &prims)?;
        self.bind(&stm.pat, values)
    }

    /// Builds the function of the operators of tasks that wait for one another; returns all that is found in their
    /// room.
    fn combine_function(
        &mut self,
        task: &str,
        ops: &'p [Reduction],
        captured: Vec<Val<'c>>,
    ) -> Result<Vec<Val<'c>>> {
        let types = self.b.types();
        let parameters = [types.ptr, types.block, types.block, types.block, types.block];
        let (region, entry) = ffi::region_with_block(&parameters, self.b.location);
        let parameter = |i| entry.argument(i).map(|a| ffi::detach_value(a.into()));
        let (context, room) = (parameter(0)?, parameter(1)?);
        let (left, right, result) = (parameter(2)?, parameter(3)?, parameter(4)?);
        let outer = Outer::new(&self.env, &self.arrays, entry);
        let outer = Outer { room: Some(room), remakes: true, captured, ..outer };
        let mut code = Function::new(&mut *self.m, entry, Site::Host(context));
        code.b.location = self.b.location;
        code.defs = self.defs.clone();
        code.outer = Some(outer);
        let prims: Option<Vec<Prim>> = ops.iter().flat_map(|r| &r.op.ret).map(Type::elem).collect();
        let prims = prims.ok_or_else(|| Error::bug("an operator on blocks"))?;
        let left = code.get_words(left, &prims)?;
        let right = code.get_words(right, &prims)?;
        let values = code.apply_all(ops, &left, &right)?;
        code.set_words(result, &values)?;
        code.b.func_return(&[])?;
        let captured = code.outer.take().map(|o| o.captured).unwrap_or_default();
        let symbol = combine_symbol(task);
        self.m.builder().func(&symbol, &parameters, &[], Linkage::Internal, region)?;
        Ok(captured)
    }

    /// Builds the function of the tasks; returns its symbol, and the values that it finds in its room.
    fn task_function(
        &mut self,
        nest: Nest<'p>,
        chain: Option<Val<'c>>,
    ) -> Result<(String, Vec<Val<'c>>)> {
        let types = self.b.types();
        let parameters = [types.ptr, types.block, types.i64];
        let (region, entry) = ffi::region_with_block(&parameters, self.b.location);
        let parameter = |i| entry.argument(i).map(|a| ffi::detach_value(a.into()));
        let (context, room, task) = (parameter(0)?, parameter(1)?, parameter(2)?);
        let outer = Outer::new(&self.env, &self.arrays, entry);
        let outer = Outer { room: Some(room), remakes: true, ..outer };
        let mut code = Function::new(&mut *self.m, entry, Site::Host(context));
        code.b.location = self.b.location;
        code.defs = self.defs.clone();
        code.copies = self.copies;
        code.outer = Some(outer);
        if let (Some(chain), Some((task, _))) = (chain, nest.op.space.dims.first()) {
            code.chain = Some((code.capture(chain)?, *task));
        }
        code.tasks = nest.op.space.dims.first().map(|(_, n)| *n);
        code.bind_indexes(&nest.op.space, &[Ix::Val(task)])?;
        code.work(nest.by_loops(), &ScalarResults::Values)?;
        code.b.func_return(&[])?;
        let captured = code.outer.take().map(|o| o.captured).unwrap_or_default();
        let symbol = format!("{TASK_PREFIX}{}", self.m.tasks);
        self.m.tasks += 1;
        let body = format!("{symbol}{TASK_BODY_SUFFIX}");
        self.m.builder().func(&body, &parameters, &[], Linkage::Internal, region)?;
        self.loop_function(&symbol, &body)?;
        Ok((symbol, captured))
    }

    /// Builds the function that the runtime calls for a range of tasks.
    fn loop_function(&mut self, symbol: &str, body: &str) -> Result<()> {
        let types = self.b.types();
        let parameters = [types.ptr, types.block, types.i64, types.i64, types.i64];
        let (region, entry) = ffi::region_with_block(&parameters, self.b.location);
        let parameter = |i| entry.argument(i).map(|a| ffi::detach_value(a.into()));
        let (context, room) = (parameter(0)?, parameter(1)?);
        let (lo, hi) = (parameter(2)?, parameter(3)?);
        let mut code = Function::new(&mut *self.m, entry, Site::Host(context));
        code.b.location = self.b.location;
        let count = code.b.sub(Ix::Val(hi), Ix::Val(lo))?;
        let count = code.b.ix(count)?;
        code.for_carrying(count, &[], |f, k, _| {
            let task = f.b.add(Ix::Val(lo), Ix::Val(k))?;
            let task = f.b.ix(task)?;
            f.b.func_call(body, &[context, room, task], &[])?;
            Ok(Vec::new())
        })?;
        code.b.func_return(&[])?;
        self.m.builder().func(symbol, &parameters, &[], Linkage::Internal, region)?;
        Ok(())
    }
}

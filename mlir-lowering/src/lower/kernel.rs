//! Kernels: a segmented operation of level grid becomes a `gpu.func` and a launch.
//!
//! ```text
//! gpu.func @kernel_0(captured…, %failure) kernel {        host:
//!   places of captured arrays                               total = Π dims
//!   i = blockIdx·block + threadIdx                          if total > 0:
//!   if i < total { indexes from i; the thread's work }        gpu.launch_func @kernels::@kernel_0 …
//! }
//! ```
//!
//! Every thread does the work of one point of the dimensions that are independent of one another
//! (see [`futc_midend::ir::SegKind::parallel_dims`]). What the work needs from outside becomes a parameter as it is
//! met: scalars and blocks only, as arrays are described by them.

use super::function::{Function, Outer, Site};
use super::lowering::Kernel;
use super::nest::{Nest, ScalarResults};
use crate::Error;
use crate::abi::Runtime;
use crate::dialect::{InsertionPoint, Ix, Predicate, Val};
use crate::ffi;
use crate::symbols::KERNEL_MODULE;
use futc_midend::ir::{MemSpace, SegOp, Strategy, Type};
use melior::ir::ValueLike;
use melior::ir::block::BlockLike;

type Result<T> = std::result::Result<T, Error>;

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// A kernel and its launch.
    pub fn kernel(&mut self, nest: Nest<'p>) -> Result<()> {
        let Nest { pat, op: SegOp { space, kind: work, .. }, .. } = nest;
        let Strategy::Threads { block } = nest.first()? else {
            return Err(Error::bug("a grid whose blocks have no size"));
        };
        self.bind_arrays(pat)?;
        let outer = work.parallel_dims(space);
        let mut total = Ix::Const(1);
        for (_, n) in space.dims.iter().take(outer) {
            let n = self.index(*n)?;
            total = self.b.mul(total, n)?;
        }
        // Scalar results come back through memory.
        let scalars: Vec<_> = pat
            .iter()
            .enumerate()
            .filter_map(|(i, e)| match e.ty {
                Type::Prim(p) => Some((i, e.var, p)),
                Type::Array { .. } | Type::Cert | Type::Mem(_) => None,
            })
            .collect();
        let slots = if scalars.is_empty() {
            None
        } else {
            let bytes = i64::try_from(pat.len() * 8).map_err(Error::bug)?;
            let bytes = self.b.i64(bytes)?;
            Some(self.alloc_bytes(bytes, MemSpace::Device)?)
        };
        let total = self.b.ix(total)?;
        let (kernel, captured) = self.kernel_function(nest, block, total, slots)?;
        let zero = self.b.i64(0)?;
        let any = self.b.cmpi(Predicate::Slt, zero, total)?;
        self.when(any, |f| f.launch(&kernel, block, total, &captured))?;
        if let Some(slots) = slots {
            for (i, var, prim) in scalars {
                let i = i64::try_from(i).map_err(Error::bug)?;
                let word = self.word_of(slots, i, self.b.types().stored(prim))?;
                let value = self.get(word, &[], prim)?;
                self.env.insert(var, value);
            }
            self.runtime(Runtime::Release, &[slots])?;
        }
        Ok(())
    }

    /// Builds the `gpu.func`; returns its name and the host's values for its parameters.
    fn kernel_function(
        &mut self,
        nest: Nest<'p>,
        block: i64,
        total: Val<'c>,
        slots: Option<Val<'c>>,
    ) -> Result<(String, Vec<Val<'c>>)> {
        let SegOp { space, kind: work, .. } = nest.op;
        let types = self.b.types();
        let (region, entry) = ffi::region_with_block(&[types.ptr], self.b.location);
        let failure = ffi::detach_value(entry.argument(0)?.into());
        let outer = Outer::new(&self.env, &self.arrays, entry);
        let mut kernel = Function::new(&mut *self.m, entry, Site::Device(failure));
        kernel.b.location = self.b.location;
        kernel.defs = self.defs.clone();
        kernel.copies = self.copies;
        kernel.outer = Some(outer);
        let thread = kernel.thread_number(block)?;
        let total = kernel.capture(total)?;
        let slots = slots.map(|s| kernel.capture(s)).transpose()?;
        let parallel = work.parallel_dims(space);
        let then = kernel.region(&[], |f, _| {
            let mut shape = Vec::with_capacity(parallel);
            for (_, n) in space.dims.iter().take(parallel) {
                shape.push(f.index(*n)?);
            }
            let indexes = f.unflatten(Ix::Val(thread), &shape)?;
            f.bind_indexes(space, &indexes)?;
            let scalars = match slots {
                Some(slots) => ScalarResults::Slots(slots),
                None => ScalarResults::Values,
            };
            f.work(nest.by_loops(), &scalars)?;
            Ok(Vec::new())
        })?;
        let inside = kernel.b.cmpi(Predicate::Slt, thread, total)?;
        kernel.b.scf_when(inside, then)?;
        kernel.b.gpu_return()?;
        let captured = kernel.outer.take().map(|o| o.captured).unwrap_or_default();

        let parameters: Vec<_> = (0..entry.argument_count())
            .map(|i| entry.argument(i).map(|a| a.r#type()))
            .collect::<std::result::Result<_, _>>()?;
        let name = format!("kernel_{}", self.m.kernels.len());
        let threads = i32::try_from(block).map_err(Error::bug)?;
        self.m.device_builder()?.gpu_func(&name, &parameters, threads, region)?;
        self.m.kernels.push(Kernel { name: name.clone(), num_args: captured.len() });
        Ok((name, captured))
    }

    /// The number of this thread among all, in blocks of so many.
    fn thread_number(&self, size: i64) -> Result<Val<'c>> {
        let i64 = self.b.types().i64;
        let block = self.b.index_cast(self.b.gpu_block_id()?, i64)?;
        let thread = self.b.index_cast(self.b.gpu_thread_id()?, i64)?;
        let first = self.b.mul(Ix::Val(block), Ix::Const(size))?;
        let number = self.b.add(first, Ix::Val(thread))?;
        self.b.ix(number)
    }

    /// Makes a value of the host a parameter of the kernel, before the failure record, or of a function of the host, behind its
    /// others, or a word in the room of a task.
    pub fn capture(&mut self, value: Val<'c>) -> Result<Val<'c>> {
        let location = self.b.location;
        let types = self.b.types();
        let outer = self.outer.as_mut().ok_or_else(|| Error::bug("a capture outside a kernel"))?;
        let position = outer.captured.len();
        outer.captured.push(value);
        let (room, parameter) = (outer.room, outer.others + position);
        // A `bool` travels as a byte.
        let bool_ = value.r#type() == types.i1;
        let ty = if bool_ { types.i8 } else { value.r#type() };
        let here = self.b.go(InsertionPoint::at_end(self.entry));
        let argument = match room {
            Some(room) => {
                let word = i64::try_from(position).map_err(Error::bug)?;
                self.get_word(room, word, ty)
            }
            None => Ok(ffi::detach_value(self.entry.insert_argument(parameter, ty, location))),
        };
        let argument = match argument {
            Ok(argument) if bool_ => self.b.trunci(argument, types.i1),
            argument => argument,
        };
        self.b.go(here);
        argument
    }

    /// Launches a kernel. Its failure record is that of the runtime, which puts it in the place of null.
    fn launch(
        &mut self,
        kernel: &str,
        size: i64,
        total: Val<'c>,
        captured: &[Val<'c>],
    ) -> Result<()> {
        let types = self.b.types();
        let mut arguments = Vec::with_capacity(captured.len() + 1);
        for value in captured {
            let bool_ = value.r#type() == types.i1;
            arguments.push(if bool_ { self.b.extui(*value, types.i8)? } else { *value });
        }
        arguments.push(self.b.null()?);
        let block = self.b.i64(size)?;
        let one = self.b.i64(1)?;
        let rounded = self.b.add(Ix::Val(total), Ix::Const(size - 1))?;
        let rounded = self.b.ix(rounded)?;
        let grid = self.b.divui(rounded, block)?;
        let kernel = (KERNEL_MODULE, kernel);
        self.b.gpu_launch_func(kernel, [grid, one, one], [block, one, one], &arguments)
    }
}

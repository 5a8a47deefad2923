//! How threads of kernels on NVIDIA GPUs record failures and end: the body of what kernels call.
//!
//! Threads fail in any order, and the failure that is told is that of the first point, as it would be if points went one after the other:
//! the lowest thread's. A thread that is behind the one whose failure is recorded ends at once. Any other takes the record's lock,
//! writes, and gives it back, all in one round of a loop: threads of a warp that wait for each other at the loop's end
//! never wait for one that has the lock.
//!
//! ```text
//! fail(record, code, args):
//!   while self < record.thread:
//!     if compare-and-swap(record.lock, 0, 1):
//!       if self < record.thread:
//!         record.thread = self; record.code = code; record.args = args
//!       record.lock = 0
//!   end this thread
//! ```

use crate::Error;
use crate::abi::{KERNEL_FAIL, MAX_MESSAGE_VALUES};
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::basic_block::BasicBlock;
use inkwell::builder::Builder;
use inkwell::context::Context;
use inkwell::intrinsics::Intrinsic;
use inkwell::module::Module;
use inkwell::types::ArrayType;
use inkwell::values::{
    BasicValue, BasicValueEnum, FunctionValue, InstructionValue, IntValue, PointerValue,
};
use inkwell::{AtomicOrdering, IntPredicate};

type Result<T> = std::result::Result<T, Error>;

/// Places in a record, `struct futc_failure` of `futc_program.h`.
const CODE: u32 = 0;
const LOCK: u32 = 1;
const THREAD: u32 = 2;
const ARGS: u32 = 3;

/// Gives a body to what kernels of a module call when they fail.
pub fn define<'l>(context: &'l Context, module: &Module<'l>) -> Result<()> {
    let Some(function) = module.get_function(KERNEL_FAIL) else { return Ok(()) };
    let code = Code { context, module, builder: context.create_builder() };
    code.fail(function)?;
    // It seldom runs, and is code once for a whole module.
    for name in ["noinline", "cold", "nounwind", "noreturn"] {
        let kind = Attribute::get_named_enum_kind_id(name);
        let attribute = context.create_enum_attribute(kind, 0);
        function.add_attribute(AttributeLoc::Function, attribute);
    }
    Ok(())
}

struct Code<'l, 'm> {
    context: &'l Context,
    module: &'m Module<'l>,
    builder: Builder<'l>,
}

impl<'l> Code<'l, '_> {
    fn fail(&self, function: FunctionValue<'l>) -> Result<()> {
        let i32 = self.context.i32_type();
        let (record, args) = (pointer(function, 0)?, pointer(function, 2)?);
        let code = integer(parameter(function, 1)?)?;
        let [entry, test, lock, locked, write, unlock, end] =
            ["entry", "test", "lock", "locked", "write", "unlock", "end"]
                .map(|name| self.context.append_basic_block(function, name));
        let b = &self.builder;
        let (free, taken) = (i32.const_zero(), i32.const_int(1, false));
        let (acquire, monotonic) = (AtomicOrdering::Acquire, AtomicOrdering::Monotonic);

        b.position_at_end(entry);
        let myself = self.thread_number()?;
        let [code_place, lock_place, thread_place, args_place] = [
            self.place(record, CODE)?,
            self.place(record, LOCK)?,
            self.place(record, THREAD)?,
            self.place(record, ARGS)?,
        ];
        self.jump(test)?;

        b.position_at_end(test);
        self.branch_if_lower(myself, thread_place, lock, end)?;

        b.position_at_end(lock);
        let swapped =
            b.build_cmpxchg(lock_place, free, taken, acquire, monotonic).map_err(Error::bug)?;
        let mine = b.build_extract_value(swapped, 1, "").map_err(Error::bug)?;
        b.build_conditional_branch(integer(mine)?, locked, test).map_err(Error::bug)?;

        b.position_at_end(locked);
        self.branch_if_lower(myself, thread_place, write, unlock)?;

        b.position_at_end(write);
        atomic(b.build_store(thread_place, myself).map_err(Error::bug)?, monotonic, 8)?;
        b.build_store(code_place, code).map_err(Error::bug)?;
        let values = b.build_load(self.args_type(), args, "").map_err(Error::bug)?;
        b.build_store(args_place, values).map_err(Error::bug)?;
        self.jump(unlock)?;

        b.position_at_end(unlock);
        atomic(b.build_store(lock_place, free).map_err(Error::bug)?, AtomicOrdering::Release, 4)?;
        self.jump(test)?;

        b.position_at_end(end);
        self.intrinsic("llvm.nvvm.exit")?;
        b.build_unreachable().map_err(Error::bug)?;
        Ok(())
    }

    /// The number of the thread among all. Grids have one dimension.
    fn thread_number(&self) -> Result<IntValue<'l>> {
        let b = &self.builder;
        let register = |name: &str| -> Result<IntValue<'l>> {
            let value = self.intrinsic(&format!("llvm.nvvm.read.ptx.sreg.{name}"))?;
            let value = integer(value.ok_or_else(|| Error::bug("a register without value"))?)?;
            b.build_int_z_extend(value, self.context.i64_type(), "").map_err(Error::bug)
        };
        let (block, size, thread) = (register("ctaid.x")?, register("ntid.x")?, register("tid.x")?);
        let first = b.build_int_mul(block, size, "").map_err(Error::bug)?;
        b.build_int_add(first, thread, "").map_err(Error::bug)
    }

    fn branch_if_lower(
        &self,
        myself: IntValue<'l>,
        thread_place: PointerValue<'l>,
        then: BasicBlock<'l>,
        otherwise: BasicBlock<'l>,
    ) -> Result<()> {
        let b = &self.builder;
        let recorded = b.build_load(myself.get_type(), thread_place, "").map_err(Error::bug)?;
        if let Some(load) = recorded.as_instruction_value() {
            atomic(load, AtomicOrdering::Monotonic, 8)?;
        }
        let lower = b
            .build_int_compare(IntPredicate::ULT, myself, integer(recorded)?, "")
            .map_err(Error::bug)?;
        b.build_conditional_branch(lower, then, otherwise).map_err(Error::bug)?;
        Ok(())
    }

    fn args_type(&self) -> ArrayType<'l> {
        self.context.i64_type().array_type(MAX_MESSAGE_VALUES as u32)
    }

    fn place(&self, record: PointerValue<'l>, field: u32) -> Result<PointerValue<'l>> {
        let (i32, i64) = (self.context.i32_type(), self.context.i64_type());
        let args = self.args_type();
        let layout =
            self.context.struct_type(&[i32.into(), i32.into(), i64.into(), args.into()], false);
        self.builder.build_struct_gep(layout, record, field, "").map_err(Error::bug)
    }

    fn jump(&self, to: BasicBlock<'l>) -> Result<()> {
        self.builder.build_unconditional_branch(to).map(|_| ()).map_err(Error::bug)
    }

    fn intrinsic(&self, name: &str) -> Result<Option<BasicValueEnum<'l>>> {
        let function = Intrinsic::find(name)
            .and_then(|i| i.get_declaration(self.module, &[]))
            .ok_or_else(|| Error::bug(format_args!("LLVM has no {name}")))?;
        let call = self.builder.build_call(function, &[], "").map_err(Error::bug)?;
        Ok(call.try_as_basic_value().basic())
    }
}

fn atomic(instruction: InstructionValue<'_>, order: AtomicOrdering, alignment: u32) -> Result<()> {
    instruction.set_atomic_ordering(order).map_err(Error::bug)?;
    instruction.set_alignment(alignment).map_err(Error::bug)
}

fn parameter(function: FunctionValue<'_>, k: u32) -> Result<BasicValueEnum<'_>> {
    function.get_nth_param(k).ok_or_else(|| Error::bug("a function of kernels lacks a parameter"))
}

fn pointer(function: FunctionValue<'_>, k: u32) -> Result<PointerValue<'_>> {
    match parameter(function, k)? {
        BasicValueEnum::PointerValue(p) => Ok(p),
        _ => Err(Error::bug("a record that is no pointer")),
    }
}

fn integer(value: BasicValueEnum<'_>) -> Result<IntValue<'_>> {
    match value {
        BasicValueEnum::IntValue(x) => Ok(x),
        _ => Err(Error::bug("a word that is no integer")),
    }
}

//! A conversion under way: where memrefs lie, and what is asked of operations.

use crate::cpu::Cpu;
use crate::dialect::{Builder, Ix, Shared, Val, name_of, result_of};
use crate::host::Machine;
use crate::lower::Lowering;
use crate::lower::function::Site;
use crate::{Error, ffi};
use futc_midend::ir::{Body, Level, Program};
use melior::ir::attribute::{DenseI64ArrayAttribute, IntegerAttribute};
use melior::ir::block::BlockLike;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{BlockRef, RegionLike, Type, ValueLike};
use std::collections::{HashMap, HashSet};

pub(super) type Result<T> = std::result::Result<T, Error>;

/// Where the elements of a memref lie.
#[derive(Clone)]
pub(super) struct MemrefLayout<'c> {
    /// The type of an element, which a value that has become a pointer does not tell.
    pub(super) element: Type<'c>,
    pub(super) base: Val<'c>,
    pub(super) offset: Ix<'c>,
    pub(super) strides: Vec<Ix<'c>>,
    /// What is known of its sizes: of what is passed about, only what its type tells.
    pub(super) shape: Vec<Option<Ix<'c>>>,
}

pub(super) struct Conversion<'c, 's> {
    pub(super) shared: &'s Shared<'c>,
    pub(super) cpu: Cpu,
    /// Reads may touch what lies beside an element in its word.
    pub(super) by_words: bool,
    /// Of memrefs, by the addresses of their values.
    pub(super) places: HashMap<usize, MemrefLayout<'c>>,
    /// Pointers, by the numbers that are their addresses.
    pub(super) addresses: HashMap<usize, Val<'c>>,
    /// What nobody needs once all accesses are converted, in order.
    pub(super) leftovers: Vec<OperationRef<'c, 'c>>,
    /// The function at hand, and what the module around it declares.
    pub(super) function: Option<OperationRef<'c, 'c>>,
    pub(super) declared: HashSet<(usize, String)>,
}

impl<'c> Conversion<'c, '_> {
    pub(super) fn before(&self, operation: OperationRef<'c, 'c>) -> Result<Builder<'c, '_>> {
        Builder::before(self.shared, operation)
    }

    /// Puts a value in the place of the only result of an operation, which is gone then.
    pub(super) fn replace(&mut self, operation: OperationRef<'c, 'c>, with: Val<'c>) -> Result<()> {
        ffi::replace_uses(result_of(operation, 0)?, with);
        self.shared.building.erase(operation)?;
        Ok(())
    }

    pub(super) fn place(&self, memref: Val<'c>) -> Result<MemrefLayout<'c>> {
        self.places
            .get(&key(memref))
            .cloned()
            .ok_or_else(|| Error::bug(format_args!("a memref of unknown place: {memref}")))
    }
}

/// Runs `f`, which puts code into a module by what makes code of programs.
pub(super) fn lowering_into<'c>(
    shared: &Shared<'c>,
    machine: Machine,
    f: impl FnOnce(&mut Lowering<'c, '_, '_>) -> Result<()>,
) -> Result<()> {
    let nothing = Program {
        level: Level::Mem,
        next_tag: 0,
        consts: Body { stms: Vec::new(), result: Vec::new() },
        globals: Vec::new(),
        funs: Vec::new(),
    };
    shared.forget();
    f(&mut Lowering::bare(shared, &nothing, machine))?;
    shared.forget();
    Ok(())
}

/// The first block of the function around an operation.
pub(super) fn entry_of<'c>(operation: OperationRef<'c, 'c>) -> Result<BlockRef<'c, 'c>> {
    let mut around = operation.parent_operation();
    while let Some(outer) = around {
        if matches!(name_of(outer).as_str(), "func.func" | "gpu.func") {
            let block = outer.region(0)?.first_block();
            return block.map(ffi::detach_block).ok_or_else(|| Error::bug("an empty function"));
        }
        around = outer.parent_operation();
    }
    Err(Error::bug("an operation outside of functions"))
}

/// The host, in a function that begins with a block, whose first argument is the context.
pub(super) fn host<'c>(shared: &Shared<'c>, entry: BlockRef<'c, 'c>) -> Result<Site<'c>> {
    let context = entry.argument(0).ok().map(|argument| ffi::detach_value(argument.into()));
    let context = context.filter(|context| context.r#type() == shared.types.ptr);
    context.map(Site::Host).ok_or_else(|| Error::bug("a function without a context"))
}

/// An operand.
pub(super) fn operand<'c>(operation: OperationRef<'c, 'c>, i: usize) -> Result<Val<'c>> {
    Ok(ffi::detach_value(operation.operand(i)?))
}

/// All operands from one on.
pub(super) fn operands<'c>(operation: OperationRef<'c, 'c>, from: usize) -> Result<Vec<Val<'c>>> {
    (from..operation.operand_count()).map(|i| operand(operation, i)).collect()
}

/// Numbers that an attribute lists.
pub(super) fn numbers(operation: OperationRef<'_, '_>, name: &str) -> Result<Vec<i64>> {
    let numbers = DenseI64ArrayAttribute::try_from(operation.attribute(name)?)?;
    (0..numbers.len()).map(|i| numbers.element(i).map_err(Error::bug)).collect()
}

pub(super) fn key(value: Val<'_>) -> usize {
    ffi::address_of_value(value)
}

/// An index as the `i64` that it was made of.
pub(super) fn position<'c>(b: &Builder<'c, '_>, index: Val<'c>) -> Result<Ix<'c>> {
    match made_of(b, index)? {
        Some(x) => Ok(x),
        None => b.index_cast(index, b.types().i64).map(Ix::Val),
    }
}

/// The `i64` that an index was made of, if it was.
pub(super) fn made_of<'c>(b: &Builder<'c, '_>, index: Val<'c>) -> Result<Option<Ix<'c>>> {
    let Some(made_by) = ffi::made_by(index) else { return Ok(None) };
    let name = made_by.name();
    Ok(match name.as_string_ref().as_str() {
        Ok("arith.constant") => {
            let value = IntegerAttribute::try_from(made_by.attribute("value")?)?;
            Some(Ix::Const(value.value()))
        }
        Ok("arith.index_cast") => {
            let source = operand(made_by, 0)?;
            (source.r#type() == b.types().i64).then_some(Ix::Val(source))
        }
        _ => None,
    })
}

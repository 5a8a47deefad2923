//! Operations, one file per dialect: the only place where operations have names that are text.
//!
//! A [`Builder`] appends to a block, or inserts before an operation. Its methods are named as the
//! operations are (`addi`, `memref_load`, `vector_store`), take what is typed, and make attributes by
//! constructors. melior's own generated builders lack operations and properties that are needed here,
//! and would say every type twice. [`Ix`] folds constant index arithmetic on the way, which keeps the
//! text readable.

mod arith;
mod func;
mod functions;
mod gpu;
mod linalg;
mod llvm;
mod math;
mod memref;
mod scf;
mod vector;

pub use arith::{FPredicate, FloatOp, Licence, Predicate};
pub use func::Linkage;
pub use functions::{Intrinsic, Math, Meaning};
pub use llvm::Checked;
pub use memref::{Access, DYNAMIC, ROOM, TABLE, layout_of};
pub use vector::Combining;

use crate::Error;
use crate::ffi;
use crate::ffi::{Building, Region};
use crate::types::Types;
use melior::Context;
use melior::ir::attribute::{IntegerAttribute, StringAttribute, TypeAttribute};
use melior::ir::block::BlockArgument;
use melior::ir::block::BlockLike;
use melior::ir::operation::OperationResult;
use melior::ir::operation::{Operation, OperationBuilder, OperationLike, OperationRef};
use melior::ir::{Attribute, BlockRef, Identifier, Location, Type, TypeLike, Value, ValueLike};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// An SSA value of the module under construction.
pub type Val<'c> = Value<'c, 'c>;

/// A list of named attributes.
type Attributes<'a, 'c> = &'a [(&'a str, Attribute<'c>)];

/// An `i64` that may be known.
#[derive(Clone, Copy)]
pub enum Ix<'c> {
    /// Known.
    Const(i64),
    /// Not known.
    Val(Val<'c>),
}

/// What is made once per module and shared by all builders.
pub struct Shared<'c> {
    /// What is built.
    pub building: &'c Building<'c>,
    /// The context.
    pub context: &'c Context,
    /// Its types.
    pub types: Types<'c>,
    /// Attributes by their text, where the C interface has no constructor.
    attributes: RefCell<HashMap<&'static str, Attribute<'c>>>,
    /// What values of type `i64` are as `index`: made once, where the value is.
    indexes: RefCell<HashMap<usize, Val<'c>>>,
    /// Constants of type `index`, by their block.
    constants: RefCell<HashMap<(usize, i64), Val<'c>>>,
}

impl<'c> Shared<'c> {
    /// For a module.
    pub fn new(building: &'c Building<'c>) -> Shared<'c> {
        let context = building.context;
        let (attributes, indexes) = (RefCell::default(), RefCell::default());
        let constants = RefCell::default();
        Shared { building, context, types: Types::new(context), attributes, indexes, constants }
    }

    /// Forgets values, of which some may be erased.
    pub fn forget(&self) {
        self.indexes.borrow_mut().clear();
        self.constants.borrow_mut().clear();
    }

    /// The attribute written so, for those that the C interface has no constructor of.
    fn attribute(&self, text: &'static str) -> Result<Attribute<'c>, Error> {
        if let Some(a) = self.attributes.borrow().get(text) {
            return Ok(*a);
        }
        let a = Attribute::parse(self.context, text)
            .ok_or_else(|| Error::bug(format_args!("no such attribute: {text}")))?;
        self.attributes.borrow_mut().insert(text, a);
        Ok(a)
    }

    fn string(&self, text: &str) -> Attribute<'c> {
        StringAttribute::new(self.context, text).into()
    }

    fn word(&self, x: i64) -> Attribute<'c> {
        IntegerAttribute::new(self.types.i64, x).into()
    }

    fn unit(&self) -> Attribute<'c> {
        Attribute::unit(self.context)
    }
}

/// Puts operations into a block: at its end, or before one of its operations.
#[derive(Clone)]
pub struct Builder<'c, 's> {
    /// Shared things.
    pub shared: &'s Shared<'c>,
    /// Their position in the source.
    pub location: Location<'c>,
    at: InsertionPoint<'c>,
    /// The last operation made here, if any was.
    last: Cell<Option<OperationRef<'c, 'c>>>,
}

/// Where a builder puts operations.
#[derive(Clone, Copy, Debug)]
pub struct InsertionPoint<'c> {
    block: BlockRef<'c, 'c>,
    before: Option<OperationRef<'c, 'c>>,
    last: Option<OperationRef<'c, 'c>>,
}

/// A point between operations that later ones do not move: behind an operation, else before one, else
/// where a block begins.
#[derive(Clone, Copy)]
pub struct Anchor<'c> {
    block: BlockRef<'c, 'c>,
    after: Option<OperationRef<'c, 'c>>,
    before: Option<OperationRef<'c, 'c>>,
}

impl<'c, 's> Builder<'c, 's> {
    /// Appends to a block.
    pub fn new(
        shared: &'s Shared<'c>,
        block: BlockRef<'c, 'c>,
        location: Location<'c>,
    ) -> Builder<'c, 's> {
        Builder { shared, location, at: InsertionPoint::at_end(block), last: Cell::default() }
    }

    /// Inserts before an operation that is in a block, at its position in the source.
    pub fn before(
        shared: &'s Shared<'c>,
        operation: OperationRef<'c, 'c>,
    ) -> Result<Builder<'c, 's>, Error> {
        let at = InsertionPoint::before(operation)?;
        Ok(Builder { shared, location: operation.location(), at, last: Cell::default() })
    }

    /// The types.
    pub fn types(&self) -> Types<'c> {
        self.shared.types
    }

    /// Goes elsewhere, and tells where it was.
    pub fn go(&mut self, point: InsertionPoint<'c>) -> InsertionPoint<'c> {
        let here = InsertionPoint { last: self.last.get(), ..self.at };
        let same = point.block == here.block && point.before.is_none() && here.before.is_none();
        self.at = point;
        // What has been made at the end of this very block in the meantime counts.
        self.last.set(if same { here.last.or(point.last) } else { point.last });
        here
    }

    /// Inserts right behind what makes a value.
    fn behind(&self, value: Val<'c>) -> Result<Builder<'c, 's>, Error> {
        let anchor = match OperationResult::try_from(value) {
            Ok(result) => {
                let operation = ffi::detach_operation(result.owner());
                let block = operation.block().ok_or_else(|| Error::bug("a value in no block"))?;
                Anchor { block: ffi::detach_block(block), after: Some(operation), before: None }
            }
            Err(_) => {
                let argument = BlockArgument::try_from(value)?;
                Anchor { block: ffi::detach_block(argument.owner()), after: None, before: None }
            }
        };
        let at = InsertionPoint::behind(anchor);
        // At the end of a block, others append too.
        if at.before.is_none() && at.block == self.at.block && self.at.before.is_none() {
            return Ok(self.clone());
        }
        Ok(Builder { shared: self.shared, location: self.location, at, last: Cell::default() })
    }

    /// The last operation so far, to go behind later.
    pub fn anchor(&self) -> Anchor<'c> {
        let after = match (self.last.get(), self.at.before) {
            (Some(operation), _) => Some(operation),
            (None, Some(_)) => None,
            (None, None) => ffi::last_operation(self.at.block),
        };
        Anchor { block: self.at.block, after, before: self.at.before }
    }

    /// Any operation.
    fn operation(
        &self,
        name: &str,
        operands: &[Val<'c>],
        results: &[Type<'c>],
        attributes: Attributes<'_, 'c>,
        regions: Vec<Region<'c>>,
    ) -> Result<OperationRef<'c, 'c>, Error> {
        let attributes: Vec<_> = attributes
            .iter()
            .map(|(name, value)| (Identifier::new(self.shared.context, name), *value))
            .collect();
        let operation = OperationBuilder::new(name, self.location)
            .add_operands(operands)
            .add_results(results)
            .add_attributes(&attributes)
            .add_regions_vec(regions.into_iter().map(Region::into_owned).collect())
            .build()?;
        Ok(self.insert(operation))
    }

    /// A copy of an operation, of which operands, also inside, are what `with` says, if it says anything.
    pub fn copy_of(
        &self,
        operation: OperationRef<'c, 'c>,
        with: &dyn Fn(Val<'c>) -> Option<Val<'c>>,
    ) -> Result<OperationRef<'c, 'c>, Error> {
        let copy = self.insert(ffi::copy(operation));
        for inside in ffi::descendants(copy) {
            for i in 0..inside.operand_count() {
                if let Some(other) = with(ffi::detach_value(inside.operand(i)?)) {
                    ffi::set_operand(inside, i, other)?;
                }
            }
        }
        Ok(copy)
    }

    /// Puts an operation where this builder is.
    fn insert(&self, operation: Operation<'c>) -> OperationRef<'c, 'c> {
        let operation = ffi::detach_operation(match self.at.before {
            None => self.at.block.append_operation(operation),
            Some(before) => self.at.block.insert_operation_before(before, operation),
        });
        self.last.set(Some(operation));
        operation
    }

    /// An operation without results and regions.
    fn effect(
        &self,
        name: &str,
        operands: &[Val<'c>],
        attributes: Attributes<'_, 'c>,
    ) -> Result<(), Error> {
        self.operation(name, operands, &[], attributes, Vec::new())?;
        Ok(())
    }

    /// An operation with results.
    fn values(
        &self,
        name: &str,
        operands: &[Val<'c>],
        results: &[Type<'c>],
        attributes: Attributes<'_, 'c>,
        regions: Vec<Region<'c>>,
    ) -> Result<Vec<Val<'c>>, Error> {
        let operation = self.operation(name, operands, results, attributes, regions)?;
        (0..results.len()).map(|i| result_of(operation, i)).collect()
    }

    /// An operation with one result.
    fn value_with(
        &self,
        name: &str,
        operands: &[Val<'c>],
        result: Type<'c>,
        attributes: Attributes<'_, 'c>,
    ) -> Result<Val<'c>, Error> {
        let operation = self.operation(name, operands, &[result], attributes, Vec::new())?;
        result_of(operation, 0)
    }

    /// An operation with one result and no attributes.
    fn value(&self, name: &str, operands: &[Val<'c>], result: Type<'c>) -> Result<Val<'c>, Error> {
        self.value_with(name, operands, result, &[])
    }

    /// An operation with one result of the type of its first operand.
    fn same(&self, name: &str, operands: &[Val<'c>]) -> Result<Val<'c>, Error> {
        let first = operands.first().ok_or_else(|| Error::bug("operation without operands"))?;
        self.value(name, operands, first.r#type())
    }

    /// `scalar`, or a vector of it if `ty` is a vector, of as many lanes.
    pub fn shaped(&self, ty: Type<'c>, scalar: Type<'c>) -> Type<'c> {
        match lanes_of(ty) {
            Some(lanes) => Type::vector(&[lanes], scalar),
            None => scalar,
        }
    }
}

impl<'c> InsertionPoint<'c> {
    /// Where a block ends.
    pub fn at_end(block: BlockRef<'c, 'c>) -> InsertionPoint<'c> {
        InsertionPoint { block, before: None, last: None }
    }

    /// Before an operation that is in a block.
    pub fn before(operation: OperationRef<'c, 'c>) -> Result<InsertionPoint<'c>, Error> {
        let block = operation.block().ok_or_else(|| Error::bug("an operation in no block"))?;
        Ok(InsertionPoint { block, before: Some(operation), last: None })
    }

    /// Where a block begins.
    pub fn at_start(block: BlockRef<'c, 'c>) -> InsertionPoint<'c> {
        InsertionPoint::behind(Anchor { block, after: None, before: None })
    }

    /// Behind an anchor.
    pub fn behind(anchor: Anchor<'c>) -> InsertionPoint<'c> {
        let mut before = match anchor.after {
            Some(operation) => operation.next_in_block().map(ffi::detach_operation),
            None if anchor.before.is_some() => anchor.before,
            None => anchor.block.first_operation().map(ffi::detach_operation),
        };
        // Indexes are made where their values are, so there may be some by now.
        while let Some(next) = before
            && next.name().as_string_ref().as_str() == Ok("arith.index_cast")
        {
            before = next.next_in_block().map(ffi::detach_operation);
        }
        InsertionPoint { block: anchor.block, before, last: None }
    }
}

/// How many lanes a vector has; of a scalar, nothing.
pub fn lanes_of(ty: Type<'_>) -> Option<u64> {
    if ty.is_vector() { ffi::vector_length(ty) } else { None }
}

/// A result of an operation.
pub fn result_of<'c>(operation: OperationRef<'c, 'c>, index: usize) -> Result<Val<'c>, Error> {
    Ok(ffi::detach_value(operation.result(index)?.into()))
}

/// The name of an operation, such as `memref.load`.
pub fn name_of(operation: OperationRef<'_, '_>) -> String {
    operation.name().as_string_ref().as_str().unwrap_or("").to_owned()
}

/// The symbol that an operation defines, if it does.
pub fn symbol_of(operation: OperationRef<'_, '_>) -> Option<String> {
    let attribute = operation.attribute("sym_name").ok()?;
    StringAttribute::try_from(attribute).ok().map(|s| s.value().to_owned())
}

fn type_attribute(ty: Type<'_>) -> Attribute<'_> {
    TypeAttribute::new(ty).into()
}

//! Appending operations to a block.
//!
//! A thin layer over melior's `OperationBuilder`: its generated builders lack operations and
//! attributes that are needed here, so every operation is made by name, with properties as
//! attributes. [`Ix`] folds constant index arithmetic on the way, which keeps the text readable.

use crate::Error;
use crate::ffi;
use crate::types::Types;
use futc_midend::ir::{Const, Prim};
use melior::Context;
use melior::ir::attribute::{
    DenseI32ArrayAttribute, FlatSymbolRefAttribute, IntegerAttribute, StringAttribute,
    TypeAttribute,
};
use melior::ir::block::BlockLike;
use melior::ir::operation::{OperationBuilder, OperationRef};
use melior::ir::{
    Attribute, BlockRef, Identifier, Location, Region, Type, TypeLike, Value, ValueLike,
};
use std::cell::RefCell;
use std::collections::HashMap;

/// An SSA value of the module under construction.
pub type Val<'c> = Value<'c, 'c>;

/// An `i64` that may be known.
#[derive(Clone, Copy)]
pub enum Ix<'c> {
    /// Known.
    Const(i64),
    /// Not known.
    Val(Val<'c>),
}

/// What is made once per context and shared by all builders.
pub struct Shared<'c> {
    /// The context.
    pub context: &'c Context,
    /// Its types.
    pub types: Types<'c>,
    /// Attributes by their text.
    attributes: RefCell<HashMap<&'static str, Attribute<'c>>>,
}

impl<'c> Shared<'c> {
    /// For a context.
    pub fn new(context: &'c Context) -> Shared<'c> {
        Shared { context, types: Types::new(context), attributes: RefCell::default() }
    }

    /// The attribute written so.
    pub fn attribute(&self, text: &'static str) -> Result<Attribute<'c>, Error> {
        if let Some(a) = self.attributes.borrow().get(text) {
            return Ok(*a);
        }
        let a = Attribute::parse(self.context, text)
            .ok_or_else(|| Error::bug(format_args!("no such attribute: {text}")))?;
        self.attributes.borrow_mut().insert(text, a);
        Ok(a)
    }

    /// The type written so.
    pub fn parse_type(&self, text: &str) -> Result<Type<'c>, Error> {
        Type::parse(self.context, text)
            .ok_or_else(|| Error::bug(format_args!("no such type: {text}")))
    }
}

/// Appends to a block.
#[derive(Clone, Copy)]
pub struct Builder<'c, 's> {
    /// Shared things.
    pub shared: &'s Shared<'c>,
    /// Where operations go.
    pub block: BlockRef<'c, 'c>,
    /// Their position in the source.
    pub location: Location<'c>,
}

/// In `rawConstantIndices` of `llvm.getelementptr`: the index is an operand.
const DYNAMIC_INDEX: i32 = i32::MIN;

impl<'c, 's> Builder<'c, 's> {
    /// The types.
    pub fn types(&self) -> Types<'c> {
        self.shared.types
    }

    /// Any operation.
    pub fn operation(
        &self,
        name: &str,
        operands: &[Val<'c>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
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
            .add_regions_vec(regions)
            .build()?;
        Ok(ffi::detach_operation(self.block.append_operation(operation)))
    }

    /// An operation without results and regions.
    pub fn effect(
        &self,
        name: &str,
        operands: &[Val<'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> Result<(), Error> {
        self.operation(name, operands, &[], attributes, Vec::new())?;
        Ok(())
    }

    /// An operation with one result.
    pub fn value_with(
        &self,
        name: &str,
        operands: &[Val<'c>],
        result: Type<'c>,
        attributes: &[(&str, Attribute<'c>)],
    ) -> Result<Val<'c>, Error> {
        let operation = self.operation(name, operands, &[result], attributes, Vec::new())?;
        result_of(operation, 0)
    }

    /// An operation with one result and no attributes.
    pub fn value(
        &self,
        name: &str,
        operands: &[Val<'c>],
        result: Type<'c>,
    ) -> Result<Val<'c>, Error> {
        self.value_with(name, operands, result, &[])
    }

    /// An operation with one result of the type of its first operand.
    pub fn same(&self, name: &str, operands: &[Val<'c>]) -> Result<Val<'c>, Error> {
        let first = operands.first().ok_or_else(|| Error::bug("operation without operands"))?;
        self.value(name, operands, first.r#type())
    }

    /// `scalar`, or a vector of it if `ty` is a vector, of as many lanes.
    pub fn shaped(&self, ty: Type<'c>, scalar: Type<'c>) -> Result<Type<'c>, Error> {
        match lanes_of(ty)? {
            Some(lanes) => Ok(Type::vector(&[lanes], scalar)),
            None => Ok(scalar),
        }
    }

    /// A constant, in every lane if `ty` is a vector.
    pub fn constant_in(&self, ty: Type<'c>, c: Const) -> Result<Val<'c>, Error> {
        if lanes_of(ty)?.is_none() {
            return self.constant(c);
        }
        let ty = self.shaped(ty, self.types().prim(c.prim()))?;
        let text = match c.prim() {
            Prim::Bool => format!("dense<{}> : {ty}", c.bits() != 0),
            Prim::Int(_) => format!("dense<{}> : {ty}", c.as_int().unwrap_or(0)),
            Prim::Float(f) => {
                format!("dense<0x{:0width$X}> : {ty}", c.bits(), width = f.bits() as usize / 4)
            }
        };
        self.dense(ty, &text)
    }

    /// A constant vector, as its attribute is written.
    pub fn dense(&self, ty: Type<'c>, text: &str) -> Result<Val<'c>, Error> {
        let attribute = Attribute::parse(self.shared.context, text)
            .ok_or_else(|| Error::bug(format_args!("no such vector: {text}")))?;
        self.value_with("arith.constant", &[], ty, &[("value", attribute)])
    }

    /// A scalar constant.
    pub fn constant(&self, c: Const) -> Result<Val<'c>, Error> {
        let ty = self.types().prim(c.prim());
        let attribute = match c.prim() {
            Prim::Bool => IntegerAttribute::new(ty, i64::from(c.bits() != 0)).into(),
            Prim::Int(_) => IntegerAttribute::new(ty, c.as_int().unwrap_or(0)).into(),
            // By bits, so that every NaN is itself.
            Prim::Float(f) => {
                let text = format!("0x{:0width$X} : {f}", c.bits(), width = f.bits() as usize / 4);
                Attribute::parse(self.shared.context, &text)
                    .ok_or_else(|| Error::bug(format_args!("no such float: {text}")))?
            }
        };
        self.value_with("arith.constant", &[], ty, &[("value", attribute)])
    }

    /// An integer constant of an MLIR integer type, or of a vector of such.
    pub fn int(&self, ty: Type<'c>, x: i64) -> Result<Val<'c>, Error> {
        if lanes_of(ty)?.is_some() {
            let bool_ = ty == self.shaped(ty, self.types().i1)?;
            let text = if bool_ { (x != 0).to_string() } else { x.to_string() };
            return self.dense(ty, &format!("dense<{text}> : {ty}"));
        }
        let attribute = IntegerAttribute::new(ty, x).into();
        self.value_with("arith.constant", &[], ty, &[("value", attribute)])
    }

    /// An `i64` constant.
    pub fn i64(&self, x: i64) -> Result<Val<'c>, Error> {
        self.int(self.types().i64, x)
    }

    /// The value of an index.
    pub fn ix(&self, x: Ix<'c>) -> Result<Val<'c>, Error> {
        match x {
            Ix::Const(x) => self.i64(x),
            Ix::Val(v) => Ok(v),
        }
    }

    /// `a + b`, which does not overflow.
    pub fn add(&self, a: Ix<'c>, b: Ix<'c>) -> Result<Ix<'c>, Error> {
        match (a, b) {
            (Ix::Const(x), Ix::Const(y)) => Ok(Ix::Const(x.wrapping_add(y))),
            (x, Ix::Const(0)) | (Ix::Const(0), x) => Ok(x),
            (x, y) => self.index_arithmetic("arith.addi", x, y),
        }
    }

    /// `a - b`, which does not overflow.
    pub fn sub(&self, a: Ix<'c>, b: Ix<'c>) -> Result<Ix<'c>, Error> {
        match (a, b) {
            (Ix::Const(x), Ix::Const(y)) => Ok(Ix::Const(x.wrapping_sub(y))),
            (x, Ix::Const(0)) => Ok(x),
            (x, y) => self.index_arithmetic("arith.subi", x, y),
        }
    }

    /// `a · b`, which does not overflow.
    pub fn mul(&self, a: Ix<'c>, b: Ix<'c>) -> Result<Ix<'c>, Error> {
        match (a, b) {
            (Ix::Const(x), Ix::Const(y)) => Ok(Ix::Const(x.wrapping_mul(y))),
            (_, Ix::Const(0)) | (Ix::Const(0), _) => Ok(Ix::Const(0)),
            (x, Ix::Const(1)) | (Ix::Const(1), x) => Ok(x),
            (x, y) => self.index_arithmetic("arith.muli", x, y),
        }
    }

    fn index_arithmetic(&self, name: &str, a: Ix<'c>, b: Ix<'c>) -> Result<Ix<'c>, Error> {
        let flags = self.shared.attribute("#arith.overflow<nsw>")?;
        let operands = [self.ix(a)?, self.ix(b)?];
        self.value_with(name, &operands, self.types().i64, &[("overflowFlags", flags)]).map(Ix::Val)
    }

    /// Integer comparison; the predicates are those of `arith.cmpi`.
    pub fn cmpi(&self, predicate: Predicate, a: Val<'c>, b: Val<'c>) -> Result<Val<'c>, Error> {
        let attribute = IntegerAttribute::new(self.types().i64, predicate as i64).into();
        let bool_ = self.shaped(a.r#type(), self.types().i1)?;
        self.value_with("arith.cmpi", &[a, b], bool_, &[("predicate", attribute)])
    }

    /// Float comparison; the predicates are those of `arith.cmpf`.
    pub fn cmpf(&self, predicate: FPredicate, a: Val<'c>, b: Val<'c>) -> Result<Val<'c>, Error> {
        let attribute = IntegerAttribute::new(self.types().i64, predicate as i64).into();
        let bool_ = self.shaped(a.r#type(), self.types().i1)?;
        self.value_with("arith.cmpf", &[a, b], bool_, &[("predicate", attribute)])
    }

    /// `if c then a else b` of values.
    pub fn select(&self, c: Val<'c>, a: Val<'c>, b: Val<'c>) -> Result<Val<'c>, Error> {
        self.value("arith.select", &[c, a, b], a.r#type())
    }

    /// The address of element `index` of type `element` from `base`, inside its block. MLIR's C
    /// interface cannot set the flag that says so; `llvm::addresses_in_bounds` does, later.
    pub fn element_pointer(
        &self,
        base: Val<'c>,
        index: Ix<'c>,
        element: Type<'c>,
    ) -> Result<Val<'c>, Error> {
        let (raw, operands) = match index {
            Ix::Const(0) => return Ok(base),
            Ix::Const(x) => match i32::try_from(x) {
                Ok(x) if x != DYNAMIC_INDEX => (x, vec![base]),
                _ => (DYNAMIC_INDEX, vec![base, self.i64(x)?]),
            },
            Ix::Val(v) => (DYNAMIC_INDEX, vec![base, v]),
        };
        let raw = DenseI32ArrayAttribute::new(self.shared.context, &[raw]).into();
        let attributes =
            [("elem_type", TypeAttribute::new(element).into()), ("rawConstantIndices", raw)];
        self.value_with("llvm.getelementptr", &operands, self.types().ptr, &attributes)
    }

    /// Reads a scalar.
    pub fn load(&self, pointer: Val<'c>, prim: Prim) -> Result<Val<'c>, Error> {
        self.load_with(pointer, prim, &[])
    }

    /// Reads a scalar of which more is known.
    pub fn load_with(
        &self,
        pointer: Val<'c>,
        prim: Prim,
        known: &[(&str, Attribute<'c>)],
    ) -> Result<Val<'c>, Error> {
        let alignment = IntegerAttribute::new(self.types().i64, prim.bytes()).into();
        let stored = self.types().stored(prim);
        let attributes: Vec<_> =
            std::iter::once(("alignment", alignment)).chain(known.iter().copied()).collect();
        let value = self.value_with("llvm.load", &[pointer], stored, &attributes)?;
        match prim {
            Prim::Bool => self.value("arith.trunci", &[value], self.types().i1),
            Prim::Int(_) | Prim::Float(_) => Ok(value),
        }
    }

    /// Writes a scalar.
    pub fn store(&self, pointer: Val<'c>, prim: Prim, value: Val<'c>) -> Result<(), Error> {
        self.store_with(pointer, prim, value, &[])
    }

    /// Writes a scalar to where more is known of.
    pub fn store_with(
        &self,
        pointer: Val<'c>,
        prim: Prim,
        value: Val<'c>,
        known: &[(&str, Attribute<'c>)],
    ) -> Result<(), Error> {
        let value = match prim {
            Prim::Bool => self.value("arith.extui", &[value], self.types().i8)?,
            Prim::Int(_) | Prim::Float(_) => value,
        };
        let alignment = IntegerAttribute::new(self.types().i64, prim.bytes()).into();
        let attributes: Vec<_> =
            std::iter::once(("alignment", alignment)).chain(known.iter().copied()).collect();
        self.effect("llvm.store", &[value, pointer], &attributes)
    }

    /// Reads a word or pointer of an 8-byte slot.
    pub fn load_word(&self, pointer: Val<'c>, ty: Type<'c>) -> Result<Val<'c>, Error> {
        let alignment = self.shared.attribute("8 : i64")?;
        self.value_with("llvm.load", &[pointer], ty, &[("alignment", alignment)])
    }

    /// Writes a word or pointer to an 8-byte slot.
    pub fn store_word(&self, pointer: Val<'c>, value: Val<'c>) -> Result<(), Error> {
        let alignment = self.shared.attribute("8 : i64")?;
        self.effect("llvm.store", &[value, pointer], &[("alignment", alignment)])
    }

    /// A call of a C function declared in the LLVM dialect.
    pub fn llvm_call(
        &self,
        symbol: &str,
        operands: &[Val<'c>],
        result: Option<Type<'c>>,
    ) -> Result<Option<Val<'c>>, Error> {
        let count = i32::try_from(operands.len()).map_err(Error::bug)?;
        let context = self.shared.context;
        let attributes = [
            ("callee", FlatSymbolRefAttribute::new(context, symbol).into()),
            ("op_bundle_sizes", self.shared.attribute("array<i32>")?),
            ("operandSegmentSizes", DenseI32ArrayAttribute::new(context, &[count, 0]).into()),
        ];
        let results: Vec<_> = result.into_iter().collect();
        let operation = self.operation("llvm.call", operands, &results, &attributes, Vec::new())?;
        if results.is_empty() { Ok(None) } else { result_of(operation, 0).map(Some) }
    }

    /// A call of an LLVM intrinsic by name.
    pub fn intrinsic(
        &self,
        name: &str,
        operands: &[Val<'c>],
        result: Type<'c>,
    ) -> Result<Val<'c>, Error> {
        let count = i32::try_from(operands.len()).map_err(Error::bug)?;
        let context = self.shared.context;
        let attributes = [
            ("intrin", StringAttribute::new(context, name).into()),
            ("op_bundle_sizes", self.shared.attribute("array<i32>")?),
            ("operandSegmentSizes", DenseI32ArrayAttribute::new(context, &[count, 0]).into()),
        ];
        self.value_with("llvm.call_intrinsic", operands, result, &attributes)
    }

    /// Has what lies at an address, if there is memory, brought to the cache to be read.
    pub fn prefetch(&self, pointer: Val<'c>) -> Result<(), Error> {
        let attributes = [
            ("rw", self.shared.attribute("0 : i32")?),
            ("hint", self.shared.attribute("3 : i32")?),
            ("cache", self.shared.attribute("1 : i32")?),
        ];
        self.effect("llvm.intr.prefetch", &[pointer], &attributes)
    }

    /// The address of a global.
    pub fn address_of(&self, symbol: &str) -> Result<Val<'c>, Error> {
        let symbol = FlatSymbolRefAttribute::new(self.shared.context, symbol).into();
        self.value_with("llvm.mlir.addressof", &[], self.types().ptr, &[("global_name", symbol)])
    }

    /// Memory for `n` words on the stack.
    pub fn stack_words(&self, n: usize) -> Result<Val<'c>, Error> {
        let n = self.i64(i64::try_from(n.max(1)).map_err(Error::bug)?)?;
        let attributes = [
            ("elem_type", TypeAttribute::new(self.types().i64).into()),
            ("alignment", self.shared.attribute("8 : i64")?),
        ];
        self.value_with("llvm.alloca", &[n], self.types().ptr, &attributes)
    }
}

/// How many lanes a vector has; of a scalar, nothing. The C interface's accessor is not safe to call,
/// so its text is read: `vector<16xf32>`.
pub fn lanes_of(ty: Type<'_>) -> Result<Option<u64>, Error> {
    if !ty.is_vector() {
        return Ok(None);
    }
    let text = ty.to_string();
    let digits = text.trim_start_matches("vector<").split('x').next().unwrap_or_default();
    digits.parse().map(Some).map_err(|_| Error::bug(format_args!("not a vector of lanes: {text}")))
}

/// A result of an operation.
pub fn result_of<'c>(operation: OperationRef<'c, 'c>, index: usize) -> Result<Val<'c>, Error> {
    Ok(ffi::detach_value(operation.result(index)?.into()))
}

/// Predicates of `arith.cmpi`.
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "the names are MLIR's")]
pub enum Predicate {
    Eq = 0,
    Ne = 1,
    Slt = 2,
    Sle = 3,
    Sgt = 4,
    Ult = 6,
    Ule = 7,
}

/// Predicates of `arith.cmpf`.
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "the names are MLIR's")]
pub enum FPredicate {
    Oeq = 1,
    Ogt = 2,
    Olt = 4,
    Ole = 5,
    Une = 13,
    Uno = 14,
}

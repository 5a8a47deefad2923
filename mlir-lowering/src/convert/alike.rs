//! Transpositions that are done alike, as calls of one function.
//!
//! ```text
//! linalg.transpose ins(%a : A) outs(%x : X) {squares}     func.call @transposition_0(block of %x, block of %a, sizes of %x …)
//! linalg.transpose ins(%b : A) outs(%y : X) {squares}  →  func.call @transposition_0(block of %y, block of %b, sizes of %y …)
//! ```
//!
//! By squares, a transposition is some hundred instructions, and a nest by strips transposes each array that it reads. A call takes
//! nothing beside it. One that has no like stays where it is.

use super::conversion::Result;
use crate::dialect::{Builder, Ix, Linkage, Val, name_of};
use crate::ffi;
use crate::lower::Lowering;
use crate::lower::copy::{ALONG, Across, INNERMOST, PANELS, SQUARES, TILES};
use crate::lower::function::{Array, Function, Site};
use crate::lower::memrefs::Memrefs;
use crate::symbols::TRANSPOSITION_PREFIX;
use melior::ir::ValueLike;
use melior::ir::block::BlockLike;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::r#type::MemRefType;
use std::collections::HashMap;

/// What says how a transposition is done.
const HOW: &[&str] = &["permutation", ALONG, INNERMOST, PANELS, SQUARES, TILES];

/// The transpositions of a module.
pub(super) struct Alike {
    times: HashMap<String, usize>,
    symbols: HashMap<String, String>,
}

impl Alike {
    /// Counts those among operations that look alike.
    pub(super) fn of(operations: &[OperationRef<'_, '_>]) -> Result<Alike> {
        let mut times = HashMap::new();
        for operation in operations {
            if let Some(looks) = looks(*operation)? {
                *times.entry(looks).or_insert(0) += 1;
            }
        }
        Ok(Alike { times, symbols: HashMap::new() })
    }

    /// Puts a call of the function of a transposition before it, if there are several like it, and says whether it did. The source is
    /// indexed as the result is.
    pub(super) fn call<'c>(
        &mut self,
        lowering: &mut Lowering<'c, '_, '_>,
        operation: OperationRef<'c, 'c>,
        [target, source]: [&Array<'c>; 2],
        how: Across,
    ) -> Result<bool> {
        let Some(looks) = looks(operation)?.filter(|l| self.times.get(l).is_some_and(|n| *n > 1))
        else {
            return Ok(false);
        };
        let types = lowering.shared.types;
        // A parameter takes the place of a block, not that of a memref with sizes of its own.
        for array in [target, source] {
            let base = MemRefType::try_from(array.base.r#type())?;
            if ffi::shape_of(base)?.len() != 1 || ffi::element_of(base.into()) != types.i8 {
                return Ok(false);
            }
        }
        let mut arguments = Vec::new();
        let mut key = looks;
        for array in [target, source] {
            arguments.push(array.base);
            key = format!("{key} {}", array.base.r#type());
            for x in numbers_of(array) {
                match x {
                    Ix::Const(x) => key = format!("{key} {x}"),
                    Ix::Val(x) => {
                        key.push_str(" ?");
                        arguments.push(x);
                    }
                }
            }
        }
        let symbol = match self.symbols.get(&key) {
            Some(symbol) => symbol.clone(),
            None => {
                let symbol = format!("{TRANSPOSITION_PREFIX}{}", self.symbols.len());
                function(lowering, operation, &symbol, &arguments, [target, source], how)?;
                self.symbols.insert(key, symbol.clone());
                symbol
            }
        };
        Builder::before(lowering.shared, operation)?.func_call(&symbol, &arguments, &[])?;
        Ok(true)
    }
}

/// Types and attributes of a transposition by squares that the host does.
fn looks(operation: OperationRef<'_, '_>) -> Result<Option<String>> {
    if name_of(operation) != "linalg.transpose" || !operation.has_attribute(SQUARES) {
        return Ok(None);
    }
    let mut around = operation.parent_operation();
    while let Some(outer) = around {
        match name_of(outer).as_str() {
            "func.func" => break,
            "gpu.func" => return Ok(None),
            _ => around = outer.parent_operation(),
        }
    }
    let mut text = format!("{} {}", operation.operand(0)?.r#type(), operation.operand(1)?.r#type());
    for name in HOW.iter().filter(|name| operation.has_attribute(name)) {
        text = format!("{text} {name} {}", operation.attribute(name)?);
    }
    Ok(Some(text))
}

/// Where an array is in its block.
fn numbers_of<'c>(array: &Array<'c>) -> impl Iterator<Item = Ix<'c>> {
    let first = std::iter::once(array.offset);
    first.chain(array.strides.iter().copied()).chain(array.shape.iter().copied())
}

/// Adds the function, whose parameters are such arguments.
fn function<'c>(
    lowering: &mut Lowering<'c, '_, '_>,
    operation: OperationRef<'c, 'c>,
    symbol: &str,
    arguments: &[Val<'c>],
    [target, source]: [&Array<'c>; 2],
    how: Across,
) -> Result<()> {
    let parameters: Vec<_> = arguments.iter().map(|a| a.r#type()).collect();
    let (region, entry) = ffi::region_with_block(&parameters, operation.location());
    let mut next = 0;
    let mut parameter = || -> Result<Val<'c>> {
        let value = ffi::detach_value(entry.argument(next)?.into());
        next += 1;
        Ok(value)
    };
    let mut inside = |array: &Array<'c>| -> Result<Array<'c>> {
        let base = parameter()?;
        let mut inner = |x: &Ix<'c>| match x {
            Ix::Const(x) => Ok(Ix::Const(*x)),
            Ix::Val(_) => parameter().map(Ix::Val),
        };
        let offset = inner(&array.offset)?;
        let strides = array.strides.iter().map(&mut inner).collect::<Result<_>>()?;
        let shape = array.shape.iter().map(&mut inner).collect::<Result<_>>()?;
        Ok(Array { base, offset, strides, shape, ..array.clone() })
    };
    let [target, source] = [inside(target)?, inside(source)?];
    let mut code = Function::new(lowering, entry, Site::Device(target.base));
    code.b.location = operation.location();
    let here = |array: Array<'c>| Array { memrefs: Memrefs::here(&code.b), ..array };
    let [target, source] = [here(target), here(source)];
    code.do_transpose(&target, &source, how)?;
    code.b.func_return(&[])?;
    lowering.builder().func(symbol, &parameters, &[], Linkage::Internal, region)?;
    Ok(())
}

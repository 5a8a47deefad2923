//! Functions that code calls: those of the runtime and of the C library, and those that are made when first
//! used.

use super::function::{Function, Site};
use crate::Error;
use crate::abi::{self, Runtime};
use crate::dialect::{Combining, InsertionPoint, Linkage, Predicate};
use crate::ffi;
use crate::vector_math::by_lanes;
use melior::ir::block::BlockLike;
use melior::ir::{BlockRef, Type};

type Result<T> = std::result::Result<T, Error>;

impl<'c> Function<'c, '_, '_, '_> {
    /// Declares a function of the runtime.
    pub fn declare_runtime(&mut self, which: Runtime) -> Result<()> {
        let (parameters, result) = which.signature();
        self.m.declare(false, which.symbol(), parameters, result)
    }

    /// Declares a C function on floats where the code at hand runs.
    pub fn declare_scalar_function(&mut self, symbol: &'static str) -> Result<()> {
        let device = matches!(self.site, Site::Device(_));
        if self.m.declared.contains(&(device, symbol.to_owned())) {
            return Ok(());
        }
        let (parameters, result) = abi::scalar_signature(symbol)
            .ok_or_else(|| Error::bug(format_args!("no scalar function {symbol}")))?;
        self.m.declare(device, symbol, &parameters, Some(result))
    }

    /// Declares the version for vectors of a C function, of as many lanes as its operands. Its body is written
    /// once the processor is known.
    pub fn declare_vector_function(
        &mut self,
        function: &str,
        operands: &[Type<'c>],
        result: Type<'c>,
    ) -> Result<String> {
        let lanes = ffi::vector_length(result);
        let lanes = lanes.ok_or_else(|| Error::bug("a function of lanes without vectors"))?;
        let symbol = by_lanes::symbol(function, lanes);
        if self.m.declared.insert((false, symbol.clone())) {
            self.m.builder().llvm_func(&symbol, operands, Some(result))?;
        }
        Ok(symbol)
    }

    /// The function that raises integers of a type, or vectors of them, to a power; made when first used.
    ///
    /// ```text
    /// r = 1; while e != 0 { if e & 1 { r *= x }; x *= x; e >>= 1 }
    /// ```
    pub fn power_function(&mut self, ty: Type<'c>) -> Result<String> {
        let lanes = ffi::vector_length(ty).map_or_else(String::new, |n| format!("_x{n}"));
        let symbol = format!("futc_pow_{}{lanes}", ffi::element_of(ty));
        let device = matches!(self.site, Site::Device(_));
        if !self.m.declared.insert((device, symbol.clone())) {
            return Ok(symbol);
        }
        let builder = if device { self.m.device_builder()? } else { self.m.builder() };
        let (region, entry) = ffi::region_with_block(&[ty, ty], self.b.location);
        let here = self.b.go(InsertionPoint::at_end(entry));
        let code = self.power_code(ty, entry);
        self.b.go(here);
        code?;
        builder.func(&symbol, &[ty, ty], &[ty], Linkage::Internal, region)?;
        Ok(symbol)
    }

    fn power_code(&mut self, ty: Type<'c>, entry: BlockRef<'c, 'c>) -> Result<()> {
        let x = ffi::detach_value(entry.argument(0)?.into());
        let e = ffi::detach_value(entry.argument(1)?.into());
        let one = self.b.int(ty, 1)?;
        let zero = self.b.int(ty, 0)?;
        let carried = [ty; 3];
        let before = self.condition_region(&carried, |f, values| {
            let [_, _, e] = *values else { return Err(Error::bug("power")) };
            let mut more = f.b.cmpi(Predicate::Ne, e, zero)?;
            if ffi::vector_length(ty).is_some() {
                more = f.b.vector_reduction(Combining::Or, more)?;
            }
            Ok(std::iter::once(more).chain(values.iter().copied()).collect())
        })?;
        let after = self.region(&carried, |f, values| {
            let [r, x, e] = *values else { return Err(Error::bug("power")) };
            let low = f.b.andi(e, one)?;
            let odd = f.b.cmpi(Predicate::Ne, low, zero)?;
            let product = f.b.muli(r, x)?;
            let r = f.b.select(odd, product, r)?;
            let x = f.b.muli(x, x)?;
            let e = f.b.shrui(e, one)?;
            Ok(vec![r, x, e])
        })?;
        let values = self.b.scf_while(&[one, x, e], before, after)?;
        self.b.func_return(values.get(..1).unwrap_or_default())
    }
}

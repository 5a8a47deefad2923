//! Vector functions of our own, where the C library's err by more than two units in the last place.
//! Ours err by less than one, but for `tan` and the logarithms to the bases 2 and 10, which stay below
//! two. Kernels call them, too, one float at a time.
//!
//! ```text
//! func.func @futc.exp.v8f32(%x: vector<8xf32>) -> vector<8xf32> {    func.func @futc.exp.f32(%x: f32) -> f32 {
//!   … = math.fma … : vector<8xf32>                                     … = math.fma … : f32
//! ```
//!
//! They are written once, as MLIR over one float or a vector of any number of lanes, mostly for processors that
//! multiply and add in one instruction; some do without ([`unfused`]). The methods are the textbook's (J.-M. Muller, *Elementary Functions*): the
//! argument is reduced, by powers of two or by right angles, and a polynomial does the rest. Functions
//! of `f32` for which that is not worth it are those of `f64`, rounded.

mod circle;
mod ir;
mod powers;
mod remainder;
mod wide;

pub(super) use ir::{Interface, LANE_BY_LANE};

use crate::abi::remainder_symbol;
use crate::cpu::OURS;
use crate::dialect::{Builder, Linkage, Math, Shared, Val};
use crate::{Error, ffi};
use futc_midend::ir::FloatType;
use ir::{Ir, Result, Shape, Width};
use melior::ir::Location;
use melior::ir::block::BlockLike;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};

/// A function of our own.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Own {
    /// What it is called for `double`.
    name: String,
    width: Width,
    shape: Shape,
    /// For processors that multiply and add in one instruction.
    fused: bool,
}

/// Makes the body of a function of one argument.
type Body = for<'c, 's> fn(&Ir<'c, 's>, Val<'c>) -> Result<Val<'c>>;

/// What the body of a function of `f64` is.
fn double(name: &str) -> Option<Body> {
    Some(match name {
        "exp" => powers::exp,
        "sin" => circle::sin,
        "cos" => circle::cos,
        "tan" => circle::tan,
        "asin" => circle::asin,
        "atan" => circle::atan,
        _ => return None,
    })
}

/// What the body of a function of `f32` is.
fn single(name: &str) -> Option<Body> {
    Some(match name {
        "exp" => powers::exp,
        "log" => powers::log,
        "log2" => powers::log2,
        "log10" => powers::log10,
        "tan" => circle::tan,
        "asin" => circle::asin,
        "acos" => circle::acos,
        "atan" => circle::atan,
        _ => return None,
    })
}

/// What the body of a function is on processors without fused products and sums: of those that err by less than one
/// unit there, too. `exp` of two `f64` takes longer than two of the C library's, which look it up in tables (1.4 of
/// the time of the program asian_option as WebAssembly).
fn unfused(name: &str, width: Width) -> Option<Body> {
    Some(match (name, width) {
        ("sin", Width::F32) => circle::sin_in_double,
        ("cos", Width::F32) => circle::cos_in_double,
        ("exp" | "log", Width::F32) => single(name)?,
        ("sin" | "cos", Width::F64) => double(name)?,
        _ => return None,
    })
}

/// Functions of `f32` by way of `f64`, and of which of the C library's interfaces they are better.
const THROUGH_DOUBLE: &[(&str, &str)] =
    &[("cosh", "e"), ("asinh", "bcd"), ("acosh", "bcd"), ("cbrt", "bcd"), ("erf", "e")];

impl Own {
    /// The function that stands for the C library's `symbol` in an interface, if there is one.
    pub(super) fn of_interface(symbol: &str, interface: Interface, fused: bool) -> Option<Own> {
        let (letter, bytes) = interface;
        let (name, width) = named(symbol);
        let better = |(n, letters): &(&str, &str)| *n == name && letters.contains(letter);
        let known = match fused {
            true => {
                has_body(name, width) || (width == Width::F32 && THROUGH_DOUBLE.iter().any(better))
            }
            false => letter == OURS && unfused(name, width).is_some(),
        };
        let lanes = (bytes / width.bytes()).cast_unsigned();
        let shape = Shape::Lanes(lanes, interface);
        known.then(|| Own { name: name.to_owned(), width, shape, fused })
    }

    /// The function that stands for the C library's `symbol` in kernels, if there is one that is as good as
    /// libclc's: it errs by less than that or than one unit in the last place, and is no longer, but for
    /// `atan` (fewer divisions) and remainders (exact, too) of `f32`.
    pub fn of_kernels(symbol: &str) -> Option<Own> {
        let (name, width) = named(symbol);
        // libclc's errs by 1.1 units, ours by 1.9.
        let worse = (name, width) == ("tan", Width::F64);
        (has_body(name, width) && !worse).then(|| Own {
            name: name.to_owned(),
            width,
            shape: Shape::One,
            fused: true,
        })
    }

    /// Its name.
    pub fn symbol(&self) -> String {
        let Own { name, width, shape, .. } = self;
        let bits = 8 * width.bytes();
        match shape {
            Shape::One => format!("futc.{name}.f{bits}"),
            Shape::Lanes(lanes, _) => format!("futc.{name}.v{lanes}f{bits}"),
        }
    }

    /// Adds the function to a module, with what it calls that the module does not declare yet.
    pub fn define<'c>(
        &self,
        module: &Builder<'c, '_>,
        declared: &RefCell<HashSet<String>>,
        linkage: Linkage,
    ) -> Result<()> {
        let Own { name, width, shape, fused } = self;
        let (width, shape, fused) = (*width, *shape, *fused);
        let ir = Ir { b: module.clone(), module, declared, width, shape, fused };
        let two = is_remainder(name);
        let parameters = vec![ir.floats(); if two { 2 } else { 1 }];
        let (region, entry) = ffi::region_with_block(&parameters, module.location);
        let ir = Ir { b: Builder::new(module.shared, entry, module.location), ..ir };
        let argument = |i| -> Result<Val<'c>> { Ok(ffi::detach_value(entry.argument(i)?.into())) };
        let body = if fused { body(name, width) } else { unfused(name, width) };
        let result = match body {
            _ if two => remainder::fmod(&ir, argument(0)?, argument(1)?)?,
            Some(body) => body(&ir, argument(0)?)?,
            None => {
                let function = Math::of_c_name(name);
                let function = function.ok_or_else(|| Error::bug(format_args!("no {name}")))?;
                ir.library(function, argument(0)?)?
            }
        };
        ir.b.func_return(&[result])?;
        module.func(&self.symbol(), &parameters, &[ir.floats()], linkage, region)?;
        Ok(())
    }
}

/// Puts functions into a module.
pub fn define(shared: &Shared<'_>, functions: &BTreeSet<Own>) -> Result<()> {
    let location = Location::unknown(shared.context);
    let builder = Builder::new(shared, shared.building.module.body(), location);
    let declared = RefCell::default();
    for function in functions {
        function.define(&builder, &declared, Linkage::External)?;
    }
    Ok(())
}

/// What a function of the C library is called for `double`, and of what width it is.
fn named(symbol: &str) -> (&str, Width) {
    match symbol.strip_suffix('f') {
        // `erf` is one of `double`.
        Some(name) if Math::of_c_name(symbol).is_none() => (name, Width::F32),
        _ => (symbol, Width::F64),
    }
}

fn is_remainder(name: &str) -> bool {
    name == remainder_symbol(FloatType::F64)
}

fn body(name: &str, width: Width) -> Option<Body> {
    match width {
        Width::F32 => single(name),
        Width::F64 => double(name),
    }
}

fn has_body(name: &str, width: Width) -> bool {
    is_remainder(name) || body(name, width).is_some()
}

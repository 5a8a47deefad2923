//! Vector functions of our own, where the C library's err by more than two units in the last place.
//! Ours err by less than one, but for `tan` and the logarithms to the bases 2 and 10, which stay below
//! two.
//!
//! They are written as LLVM IR over vectors of any number of lanes, for processors that multiply and
//! add in one instruction. The methods are the textbook's (J.-M. Muller, *Elementary Functions*): the
//! argument is reduced, by powers of two or by right angles, and a polynomial does the rest. Functions
//! of `f32` for which that is not worth it are those of `f64`, rounded.

mod circle;
mod ir;
mod powers;
mod remainder;

pub(super) use ir::Interface;

use ir::{Ir, Width};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A function of LLVM IR.
pub(super) struct Definition {
    /// Its name.
    pub symbol: String,
    /// A module with nothing else.
    pub text: String,
}

/// Makes the body of a function of what is named, and says what its result is.
type Body = fn(&mut Ir, &str) -> String;

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

/// Functions of `f32` by way of `f64`, and of which of the C library's interfaces they are better.
const THROUGH_DOUBLE: &[(&str, &str)] =
    &[("cosh", "e"), ("asinh", "bcd"), ("acosh", "bcd"), ("cbrt", "bcd"), ("erf", "e")];

/// The function that stands for the C library's `symbol` in an interface, if there is one.
pub(super) fn definition(symbol: &str, interface: Interface) -> Option<Definition> {
    let (letter, bytes) = interface;
    let ir = |width: Width| Ir {
        width,
        lanes: (bytes / width.bytes()) as u32,
        interface,
        text: String::new(),
        declarations: BTreeSet::new(),
        functions: String::new(),
        next: 0,
    };
    let (mut ir, name) = match symbol.strip_suffix('f') {
        Some(name) => (ir(Width::F32), name),
        None => (ir(Width::F64), symbol),
    };
    let two = name == "futc_fmod";
    let result = match ir.width {
        _ if two => remainder::fmod(&mut ir, "%x", "%y"),
        Width::F64 => double(name)?(&mut ir, "%x"),
        Width::F32 => match single(name) {
            Some(body) => body(&mut ir, "%x"),
            None => {
                let better = |(n, letters): &&(&str, &str)| *n == name && letters.contains(letter);
                THROUGH_DOUBLE.iter().find(better)?;
                ir.library(name, "%x")
            }
        },
    };
    let (v, f, lanes) = (ir.floats(), ir.width.suffix(), ir.lanes);
    let symbol = format!("futc.{name}.v{lanes}{f}");
    let parameters = if two { format!("{v} %x, {v} %y") } else { format!("{v} %x") };
    let mut text = format!(
        "define {v} @{symbol}({parameters}) nounwind willreturn memory(none) {{\nentry:\n{}  ret \
         {v} {result}\n}}\n{}",
        ir.text, ir.functions
    );
    for d in &ir.declarations {
        let _ = writeln!(text, "declare {d} nounwind willreturn memory(none)");
    }
    text.push_str("!0 = !{!\"branch_weights\", i32 1, i32 100000}\n");
    Some(Definition { symbol, text })
}

//! The remainder of a division of floats, `x - y · trunc(x / y)` without any rounding.
//!
//! The C library goes bit by bit. But a quotient that is rounded is at most one too large as long as it has
//! fewer bits than the mantissa, and the product of such a quotient and the divisor, subtracted in one
//! rounding, is exact. Larger quotients, infinities, and what is not a number are left to the C library,
//! lane by lane.

use super::ir::{Ir, Width};
use std::fmt::Write as _;

/// `fmod(x, y)`.
pub(super) fn fmod(ir: &mut Ir, x: &str, y: &str) -> String {
    let (mantissa, _) = ir.width.format();
    let ax = ir.intrinsic("fabs", &[x]);
    let ay = ir.intrinsic("fabs", &[y]);
    let quotient = ir.f("fdiv", &ax, &ay);
    let whole = ir.intrinsic("trunc", &[&quotient]);
    let minus = ir.minus(&whole);
    let r = ir.fma(&minus, &ay, &ax);
    let zero = ir.float(0.0);
    let more = ir.f("fadd", &r, &ay);
    let r = ir.choose("olt", &r, &zero, &more, &r);
    let r = ir.intrinsic("copysign", &[&r, x]);
    let limit = ir.float((1u64 << (mantissa - 1)) as f64);
    let infinity = ir.float(f64::INFINITY);
    // Neither holds of what is not a number.
    let small = ir.holds("olt", &quotient, &limit);
    let finite = ir.holds("olt", &ay, &infinity);
    let bits = format!("<{} x i1>", ir.lanes);
    let plain = ir.emit(&format!("and {bits} {small}, {finite}"));
    let special = ir.emit(&format!("xor {bits} {plain}, splat (i1 true)"));
    let exact = exact(ir);
    let ty = ir.floats();
    let (x, y) = (x.to_owned(), y.to_owned());
    ir.rarely(&special, &r, |ir| ir.emit(&format!("call {ty} @{exact}({ty} {x}, {ty} {y})")))
}

/// A function that calls the C library's for each lane; its name. It is left as it is, with the arguments it has:
/// see [`crate::abi::remainder_symbol`].
fn exact(ir: &mut Ir) -> String {
    let (v, t, lanes) = (ir.floats(), ir.width.float(), ir.lanes);
    let scalar = if ir.width == Width::F64 { "fmod" } else { "fmodf" };
    let name = format!("futc.fmod.exact.v{lanes}{}", ir.width.suffix());
    ir.declarations.insert(format!("{t} @{scalar}({t}, {t})"));
    let f = &mut ir.functions;
    // A `String` takes whatever is written.
    let _ = writeln!(
        f,
        "define internal {v} @{name}({v} %x, {v} %y) noinline optnone cold nounwind {{"
    );
    let mut result = "poison".to_owned();
    for i in 0..lanes {
        let _ = writeln!(f, "  %x{i} = extractelement {v} %x, i32 {i}");
        let _ = writeln!(f, "  %y{i} = extractelement {v} %y, i32 {i}");
        let _ = writeln!(f, "  %r{i} = call {t} @{scalar}({t} %x{i}, {t} %y{i})");
        let _ = writeln!(f, "  %v{i} = insertelement {v} {result}, {t} %r{i}, i32 {i}");
        result = format!("%v{i}");
    }
    let _ = writeln!(f, "  ret {v} {result}\n}}");
    name
}

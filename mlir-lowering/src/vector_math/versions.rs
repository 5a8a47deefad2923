//! Which functions of the C library have vector versions: its own, or ours.

use super::names::variant;
use super::own::Own;
use crate::cpu::{Cpu, OURS};
use crate::{Error, llvm};
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::values::FunctionValue;

/// Functions with vector versions, by their names for `double`, and how many arguments they take.
const FUNCTIONS: &[(&str, usize)] = &[
    ("exp", 1),
    ("log", 1),
    ("log2", 1),
    ("log10", 1),
    ("log1p", 1),
    ("sin", 1),
    ("cos", 1),
    ("tan", 1),
    ("asin", 1),
    ("acos", 1),
    ("atan", 1),
    ("sinh", 1),
    ("cosh", 1),
    ("tanh", 1),
    ("asinh", 1),
    ("acosh", 1),
    ("atanh", 1),
    ("cbrt", 1),
    ("erf", 1),
    ("erfc", 1),
    ("pow", 2),
    ("atan2", 2),
    ("hypot", 2),
    ("futc_fmod", 2),
];

/// Of which the C library has no vector versions: what is not ours is scalar.
const OURS_ONLY: &[&str] = &["futc_fmod"];

/// Which vector version of a function there is for an interface.
pub(super) enum Version {
    /// One of ours.
    Own(Own),
    /// The C library's, by its name.
    Library(String),
}

/// A vector version of a function of the C library.
pub(super) struct Variant<'l> {
    pub(super) function: FunctionValue<'l>,
    pub(super) lanes: u32,
    /// As one entry of the attribute that tells LLVM's vectoriser of it.
    pub(super) mapping: String,
}

/// The bytes of a lane of a function of the C library that has vector versions.
fn lane_of(symbol: &str, arity: usize) -> Option<i64> {
    let (double, lane) = match symbol.strip_suffix('f') {
        Some(double) if FUNCTIONS.iter().any(|(name, _)| *name == double) => (double, 4),
        _ => (symbol, 8),
    };
    FUNCTIONS.contains(&(double, arity)).then_some(lane)
}

/// The vector version of a function for an interface.
pub(super) fn version_of(
    symbol: &str,
    arity: usize,
    cpu: Cpu,
    (letter, bytes): (char, i64),
) -> Option<Version> {
    let lane = lane_of(symbol, arity)?;
    if let Some(own) = Own::of_interface(symbol, (letter, bytes), cpu.fma) {
        return Some(Version::Own(own));
    }
    let ours_only =
        letter == OURS || OURS_ONLY.iter().any(|name| symbol.strip_prefix(name).is_some());
    (!ours_only).then(|| Version::Library(variant(symbol, arity, lane, letter, bytes).0))
}

/// The vector version of a function for an interface, which the module has from then on; those of ours it has
/// already.
pub(super) fn variant_of<'l>(
    context: &'l Context,
    module: &Module<'l>,
    symbol: &str,
    arity: usize,
    cpu: Cpu,
    interface: (char, i64),
) -> Result<Option<Variant<'l>>, Error> {
    let Some(lane) = lane_of(symbol, arity) else { return Ok(None) };
    let (letter, bytes) = interface;
    let (_, lanes) = variant(symbol, arity, lane, letter, bytes);
    Ok(match version_of(symbol, arity, cpu, interface) {
        None => None,
        Some(Version::Own(own)) => {
            let own = own.symbol();
            let mapping = format!("_ZGV_LLVM_N{lanes}{}_{symbol}({own})", "v".repeat(arity));
            let function = module.get_function(&own);
            let function = function.ok_or_else(|| Error::bug(format_args!("no function {own}")))?;
            Some(Variant { function, lanes, mapping })
        }
        Some(Version::Library(name)) => {
            let function = module.get_function(&name).unwrap_or_else(|| {
                let element = if lane == 8 { context.f64_type() } else { context.f32_type() };
                let vector = element.vec_type(lanes);
                let ty = vector.fn_type(&vec![vector.into(); arity], false);
                let declared = module.add_function(&name, ty, None);
                llvm::annotate_scalar_function(context, declared);
                declared
            });
            Some(Variant { function, lanes, mapping: name })
        }
    })
}

/// Functions of the C library that a module calls and that have vector versions, with how many arguments they
/// take.
pub(super) fn called(module: &Module<'_>) -> impl Iterator<Item = (String, usize)> {
    FUNCTIONS
        .iter()
        .flat_map(|(double, arity)| {
            [(*double).to_owned(), format!("{double}f")].map(|symbol| (symbol, *arity))
        })
        .filter(|(symbol, _)| module.get_function(symbol).is_some())
}

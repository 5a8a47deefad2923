//! Scalar functions of the C library, many lanes at a time.
//!
//! ```text
//! call float @expf(float %x)        call float @expf(float %x) #0
//!                                   declare <8 x float> @_ZGVdN8v_expf(<8 x float>)
//!                                   attributes #0 = { "vector-function-abi-variant"=
//!                                                     "_ZGVbN4v_expf,_ZGVdN8v_expf" }
//! ```
//!
//! glibc has vector versions of the functions below under the names of the x86 vector function
//! ABI. LLVM's loop vectoriser takes them where a call says that they exist. `libm.so` is a linker
//! script that adds `libmvec` where it is needed, so linking asks for nothing more.
//!
//! Vector versions err by more than scalar ones: glibc promises 4 units in the last place, and most
//! stay within 2. Those that do not are functions of our own, see [`own`], but for a few of `f64` that
//! err by less than 3. `--exact-math` asks for scalar ones.
//!
//! Those of our own are built as MLIR, in a module apart, which is lowered as all others are and linked before LLVM
//! sees the loops.

pub mod by_lanes;
mod own;

pub use own::Own;

use crate::cpu::Cpu;
use crate::dialect::Shared;
use crate::{Error, ffi, llvm};
use inkwell::AddressSpace;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::context::Context;
use inkwell::module::{Linkage, Module};
use inkwell::targets::TargetMachine;
use inkwell::values::{CallSiteValue, FunctionValue, InstructionOpcode};
use std::collections::BTreeSet;

/// What is in LLVM's list of this name is not removed.
const KEPT: &str = "llvm.compiler.used";

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

/// The name of the version of `symbol` for a vector interface, and its lanes.
fn variant(symbol: &str, arity: usize, lane: i64, letter: char, bytes: i64) -> (String, u32) {
    let lanes = (bytes / lane) as u32;
    (format!("_ZGV{letter}N{lanes}{}_{symbol}", "v".repeat(arity)), lanes)
}

/// Which vector version of a function there is for an interface.
enum Version {
    /// One of ours.
    Own(Own),
    /// The C library's, by its name.
    Library(String),
}

/// A vector version of a function of the C library.
struct Variant<'l> {
    function: FunctionValue<'l>,
    lanes: u32,
    /// As one entry of the attribute that tells LLVM's vectoriser of it.
    mapping: String,
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
fn version_of(
    symbol: &str,
    arity: usize,
    cpu: Cpu,
    (letter, bytes): (char, i64),
) -> Option<Version> {
    let lane = lane_of(symbol, arity)?;
    if cpu.fma
        && let Some(own) = Own::of_interface(symbol, (letter, bytes))
    {
        return Some(Version::Own(own));
    }
    let ours_only = OURS_ONLY.iter().any(|name| symbol.strip_prefix(name).is_some());
    (!ours_only).then(|| Version::Library(variant(symbol, arity, lane, letter, bytes).0))
}

/// The vector version of a function for an interface, which the module has from then on; those of ours it has
/// already.
fn variant_of<'l>(
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
fn called(module: &Module<'_>) -> impl Iterator<Item = (String, usize)> {
    FUNCTIONS
        .iter()
        .flat_map(|(double, arity)| {
            [(*double).to_owned(), format!("{double}f")].map(|symbol| (symbol, *arity))
        })
        .filter(|(symbol, _)| module.get_function(symbol).is_some())
}

/// The functions of ours that a module wants, as MLIR; nothing if it wants none.
pub fn own_functions<'c>(
    shared: &Shared<'c>,
    module: &Module<'_>,
    cpu: Cpu,
) -> Result<Option<melior::ir::Module<'c>>, Error> {
    let mut wanted = BTreeSet::new();
    let mut want = |symbol: &str, arity: usize, interface: (char, i64)| {
        if let Some(Version::Own(own)) = version_of(symbol, arity, cpu, interface) {
            wanted.insert(own);
        }
    };
    for (symbol, arity) in called(module) {
        cpu.interfaces.iter().for_each(|interface| want(&symbol, arity, *interface));
    }
    for (function, symbol) in by_lanes::declared(module) {
        if let Some(interface) = by_lanes::interface(function, cpu)? {
            want(&symbol, function.count_params() as usize, interface);
        }
    }
    if wanted.is_empty() { Ok(None) } else { own::module(shared, &wanted).map(Some) }
}

/// Adds functions of ours to a module. Their widest vectors are legal, whatever width is preferred,
/// since they are their arguments.
pub fn link<'l>(context: &'l Context, module: &Module<'l>, own: Module<'l>) -> Result<(), Error> {
    let (mut defined, mut declared) = (Vec::new(), Vec::new());
    for function in own.get_functions() {
        let names = if function.count_basic_blocks() > 0 { &mut defined } else { &mut declared };
        names.push(function.get_name().to_string_lossy().into_owned());
        if function.get_intrinsic_id() == 0 {
            llvm::annotate_scalar_function(context, function);
        }
    }
    own.set_data_layout(&module.get_data_layout());
    own.set_triple(&module.get_triple());
    module.link_in_module(own).map_err(Error::bug)?;
    for name in defined {
        let function = module.get_function(&name);
        let function = function.ok_or_else(|| Error::bug(format_args!("no function {name}")))?;
        // Only now, as nothing calls it yet: private functions are not linked in for their own sake.
        function.set_linkage(Linkage::Internal);
        let add = |attribute| function.add_attribute(AttributeLoc::Function, attribute);
        let flag = |name| {
            let id = Attribute::get_named_enum_kind_id(name);
            context.create_enum_attribute(id, 0)
        };
        if name.starts_with(own::EXACT_REMAINDER) {
            ["noinline", "optnone", "cold"].into_iter().map(flag).for_each(add);
            continue;
        }
        for name in ["prefer-vector-width", "min-legal-vector-width"] {
            add(context.create_string_attribute(name, "512"));
        }
        add(flag("alwaysinline"));
    }
    Ok(())
}

/// Tells LLVM of the vector versions of the functions that a module calls.
pub fn offer<'l>(context: &'l Context, module: &Module<'l>, cpu: Cpu) -> Result<(), Error> {
    let mut variants: Vec<FunctionValue<'l>> = Vec::new();
    for (symbol, arity) in called(module) {
        let Some(scalar) = module.get_function(&symbol) else { continue };
        let mut names = Vec::new();
        for interface in cpu.interfaces {
            let found = variant_of(context, module, &symbol, arity, cpu, *interface)?;
            let Some(Variant { function, mapping, .. }) = found else { continue };
            variants.push(function);
            names.push(mapping);
        }
        // LLVM's verifier takes a list that begins with a name in brackets for one such name.
        names.sort_by_key(|n: &String| n.ends_with(')'));
        if !names.is_empty() {
            mark_calls(context, module, scalar, &names.join(","))?;
        }
    }
    keep(context, module, &variants);
    Ok(())
}

/// After loops are vectorised: what they call of our own becomes part of them, and what nothing calls
/// goes.
pub fn finish(module: &Module<'_>, machine: &TargetMachine) -> Result<(), Error> {
    let Some(kept) = module.get_global(KEPT) else { return Ok(()) };
    ffi::delete(kept);
    llvm::optimise(module, machine, "always-inline,globaldce", false)
}

/// Puts the list of vector versions on every call of a function.
fn mark_calls<'l>(
    context: &'l Context,
    module: &Module<'l>,
    scalar: FunctionValue<'l>,
    names: &str,
) -> Result<(), Error> {
    let attribute = context.create_string_attribute("vector-function-abi-variant", names);
    for function in module.get_functions() {
        for block in function.get_basic_block_iter() {
            for instruction in block.get_instructions() {
                if instruction.get_opcode() != InstructionOpcode::Call {
                    continue;
                }
                let call = CallSiteValue::try_from(instruction)
                    .map_err(|()| Error::bug("a call that is none"))?;
                if call.get_called_fn_value() == Some(scalar) {
                    call.add_attribute(AttributeLoc::Function, attribute);
                }
            }
        }
    }
    Ok(())
}

/// Declarations that nothing calls yet would be removed before loops are vectorised.
fn keep<'l>(context: &'l Context, module: &Module<'l>, functions: &[FunctionValue<'l>]) {
    if functions.is_empty() {
        return;
    }
    let pointer = context.ptr_type(AddressSpace::default());
    let values: Vec<_> = functions.iter().map(|f| f.as_global_value().as_pointer_value()).collect();
    let array = pointer.const_array(&values);
    let global = module.add_global(array.get_type(), None, KEPT);
    global.set_initializer(&array);
    global.set_linkage(Linkage::Appending);
    global.set_section(Some("llvm.metadata"));
}

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

pub mod by_lanes;
mod own;

use crate::cpu::Cpu;
use crate::{Error, ffi, llvm};
use inkwell::AddressSpace;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::{Linkage, Module};
use inkwell::targets::TargetMachine;
use inkwell::values::{CallSiteValue, FunctionValue, InstructionOpcode};

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

/// A vector version of a function of the C library.
struct Variant<'l> {
    function: FunctionValue<'l>,
    lanes: u32,
    /// As one entry of the attribute that tells LLVM's vectoriser of it.
    mapping: String,
}

/// The vector version of a function for an interface, which the module has from then on.
fn variant_of<'l>(
    context: &'l Context,
    module: &Module<'l>,
    symbol: &str,
    arity: usize,
    cpu: Cpu,
    (letter, bytes): (char, i64),
) -> Result<Option<Variant<'l>>, Error> {
    let (double, lane) = match symbol.strip_suffix('f') {
        Some(double) if FUNCTIONS.iter().any(|(name, _)| *name == double) => (double, 4),
        _ => (symbol, 8),
    };
    if !FUNCTIONS.contains(&(double, arity)) {
        return Ok(None);
    }
    let (name, lanes) = variant(symbol, arity, lane, letter, bytes);
    if cpu.fma
        && let Some(ours) = own::definition(symbol, (letter, bytes))
    {
        let mapping = format!("_ZGV_LLVM_N{lanes}{}_{symbol}({})", "v".repeat(arity), ours.symbol);
        let function = match module.get_function(&ours.symbol) {
            Some(function) => function,
            None => define(context, module, &ours)?,
        };
        return Ok(Some(Variant { function, lanes, mapping }));
    }
    if OURS_ONLY.contains(&double) {
        return Ok(None);
    }
    let function = match module.get_function(&name) {
        Some(function) => function,
        None => {
            let element = if lane == 8 { context.f64_type() } else { context.f32_type() };
            let vector = element.vec_type(lanes);
            let ty = vector.fn_type(&vec![vector.into(); arity], false);
            let declared = module.add_function(&name, ty, None);
            llvm::annotate_scalar_function(context, declared);
            declared
        }
    };
    Ok(Some(Variant { function, lanes, mapping: name }))
}

/// Tells LLVM of the vector versions of the functions that a module calls.
pub fn offer<'l>(context: &'l Context, module: &Module<'l>, cpu: Cpu) -> Result<(), Error> {
    let mut variants: Vec<FunctionValue<'l>> = Vec::new();
    for (double, arity) in FUNCTIONS {
        for symbol in [(*double).to_owned(), format!("{double}f")] {
            let Some(scalar) = module.get_function(&symbol) else { continue };
            let mut names = Vec::new();
            for interface in cpu.interfaces {
                let found = variant_of(context, module, &symbol, *arity, cpu, *interface)?;
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
    }
    keep(context, module, &variants);
    Ok(())
}

/// Adds a function of our own to a module. Its widest vectors are legal, whatever width is preferred,
/// since they are its arguments.
fn define<'l>(
    context: &'l Context,
    module: &Module<'l>,
    ours: &own::Definition,
) -> Result<FunctionValue<'l>, Error> {
    let text = MemoryBuffer::create_from_memory_range_copy(ours.text.as_bytes(), &ours.symbol);
    let other = context.create_module_from_ir(text).map_err(Error::bug)?;
    module.link_in_module(other).map_err(Error::bug)?;
    let function = module
        .get_function(&ours.symbol)
        .ok_or_else(|| Error::bug(format_args!("no function {}", ours.symbol)))?;
    // Only now, as nothing calls it yet: private functions are not linked in for their own sake.
    function.set_linkage(Linkage::Internal);
    for name in ["prefer-vector-width", "min-legal-vector-width"] {
        let attribute = context.create_string_attribute(name, "512");
        function.add_attribute(AttributeLoc::Function, attribute);
    }
    let inline = Attribute::get_named_enum_kind_id("alwaysinline");
    function.add_attribute(AttributeLoc::Function, context.create_enum_attribute(inline, 0));
    Ok(function)
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

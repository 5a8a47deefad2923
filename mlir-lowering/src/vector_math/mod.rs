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

mod own;

use crate::cpu::Cpu;
use crate::{Error, ffi, llvm};
use inkwell::AddressSpace;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::{Linkage, Module};
use inkwell::targets::TargetMachine;
use inkwell::types::BasicTypeEnum;
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
];

/// The name of the version of `symbol` for a vector interface, and its lanes.
fn variant(symbol: &str, arity: usize, lane: i64, letter: char, bytes: i64) -> (String, u32) {
    let lanes = (bytes / lane) as u32;
    (format!("_ZGV{letter}N{lanes}{}_{symbol}", "v".repeat(arity)), lanes)
}

/// Tells LLVM of the vector versions of the functions that a module calls.
pub fn offer<'l>(context: &'l Context, module: &Module<'l>, cpu: Cpu) -> Result<(), Error> {
    let mut variants: Vec<FunctionValue<'l>> = Vec::new();
    for (double, arity) in FUNCTIONS {
        for (symbol, lane) in [((*double).to_owned(), 8), (format!("{double}f"), 4)] {
            let Some(scalar) = module.get_function(&symbol) else { continue };
            let element: BasicTypeEnum<'l> = match lane {
                8 => context.f64_type().into(),
                _ => context.f32_type().into(),
            };
            let mut names = Vec::new();
            for (letter, bytes) in cpu.interfaces {
                let (name, lanes) = variant(&symbol, *arity, lane, *letter, *bytes);
                if cpu.fma
                    && let Some(ours) = own::definition(&symbol, (*letter, *bytes))
                {
                    variants.push(define(context, module, &ours)?);
                    let parameters = "v".repeat(*arity);
                    names.push(format!("_ZGV_LLVM_N{lanes}{parameters}_{symbol}({})", ours.symbol));
                    continue;
                }
                let vector = match element {
                    BasicTypeEnum::FloatType(t) => t.vec_type(lanes),
                    _ => continue,
                };
                let ty = vector.fn_type(&vec![vector.into(); *arity], false);
                let declared = module.add_function(&name, ty, None);
                for attribute in scalar.attributes(AttributeLoc::Function) {
                    declared.add_attribute(AttributeLoc::Function, attribute);
                }
                variants.push(declared);
                names.push(name);
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

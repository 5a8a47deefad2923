//! Scalar functions of the C library, many lanes at a time.
//!
//! ```text
//! call float @expf(float %x)        call float @expf(float %x) #0
//!                                   declare <8 x float> @_ZGVdN8v_expf(<8 x float>)
//!                                   attributes #0 = { "vector-function-abi-variant"=
//!                                                     "_ZGVbN4v_expf,_ZGVdN8v_expf" }
//! ```
//!
//! glibc has vector versions of the functions of [`versions`] under the names of the x86 vector function
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
mod names;
mod own;
mod versions;

pub use own::{Own, define as define_own};

use crate::cpu::Cpu;
use crate::{Error, ffi, llvm};
use inkwell::AddressSpace;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::context::Context;
use inkwell::module::{Linkage, Module};
use inkwell::targets::TargetMachine;
use inkwell::values::{CallSiteValue, FunctionValue, InstructionOpcode};
use std::collections::BTreeSet;
use versions::{Variant, Version, called, variant_of, version_of};

/// What is in LLVM's list of this name is not removed.
const KEPT: &str = "llvm.compiler.used";

/// The functions of ours that a module wants.
pub fn own_functions(module: &Module<'_>, cpu: Cpu) -> Result<BTreeSet<Own>, Error> {
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
    Ok(wanted)
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
        if name.starts_with(own::LANE_BY_LANE) {
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
    // SAFETY: there is no other copy of it.
    #[allow(unsafe_code, reason = "LLVM frees what is deleted")]
    unsafe {
        ffi::delete(kept)?;
    }
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

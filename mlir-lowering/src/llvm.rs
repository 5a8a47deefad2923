//! LLVM modules: attributes that MLIR cannot say, optimisation, emission.

use crate::abi::{self, Runtime};
use crate::{Error, OptLevel, Options, Sanitizer, ffi};
use futc_midend::ir::Program;
use inkwell::OptimizationLevel;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{
    CodeModel, FileType, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple,
};
use inkwell::values::{FunctionValue, InstructionOpcode};
use std::ffi::CStr;

type Result<T> = std::result::Result<T, Error>;

/// Which memory a function may touch, as LLVM encodes it: two bits (read, write) per kind of
/// memory, arguments lowest, then memory that no pointer of the module reaches.
const TOUCHES_NOTHING: u64 = 0;
const TOUCHES_ARGUMENTS_AND_INACCESSIBLE: u64 = 0b1111;

/// The machine the host code is for.
pub fn host_machine(options: &Options) -> Result<TargetMachine> {
    if let Some(elsewhere) = options.target.machine {
        (elsewhere.initialise)();
        let triple = TargetTriple::create(elsewhere.triple);
        let target = Target::from_triple(&triple).map_err(Error::bug)?;
        let cpu = options.target_cpu.as_deref().unwrap_or(elsewhere.processor);
        // Its programs are not moved about in memory.
        let moved = RelocMode::Static;
        return machine(&target, &triple, cpu, elsewhere.features, options.level, moved);
    }
    Target::initialize_native(&InitializationConfig::default()).map_err(Error::bug)?;
    let triple = TargetMachine::get_default_triple();
    let target = Target::from_triple(&triple).map_err(Error::bug)?;
    let (cpu, features) = match &options.target_cpu {
        Some(cpu) => (cpu.clone(), String::new()),
        None => (
            TargetMachine::get_host_cpu_name().to_string(),
            TargetMachine::get_host_cpu_features().to_string(),
        ),
    };
    let features = match shifts_double_words_slowly(&cpu) {
        true if features.is_empty() => "+slow-shld".to_owned(),
        true => format!("{features},+slow-shld"),
        false => features,
    };
    machine(&target, &triple, &cpu, &features, options.level, RelocMode::PIC)
}

/// Whether a processor, by LLVM's name of it, is one of AMD's since Zen.
pub fn is_zen(cpu: &str) -> bool {
    cpu.starts_with("znver")
}

/// Zen makes half a dozen operations of `shld`, which takes three cycles; two shifts and an `or` take two. LLVM
/// knows the first of these processors for it, not the later ones. On Zen 5, a chain of products modulo
/// 2^61 - 1 takes 1.08 times as long with it.
fn shifts_double_words_slowly(cpu: &str) -> bool {
    is_zen(cpu)
}

/// A machine whose code generation does as much as the level says.
pub fn machine(
    target: &Target,
    triple: &TargetTriple,
    cpu: &str,
    features: &str,
    level: OptLevel,
    addresses: RelocMode,
) -> Result<TargetMachine> {
    let level = match level {
        OptLevel::O0 => OptimizationLevel::None,
        OptLevel::O1 => OptimizationLevel::Less,
        OptLevel::O2 => OptimizationLevel::Default,
        OptLevel::O3 => OptimizationLevel::Aggressive,
    };
    target
        .create_target_machine(triple, cpu, features, level, addresses, CodeModel::Default)
        .ok_or_else(|| Error::bug(format_args!("LLVM has no target machine for {cpu}")))
}

struct Attributes<'l> {
    context: &'l Context,
}

impl Attributes<'_> {
    fn flag(&self, name: &str) -> Attribute {
        self.number(name, 0)
    }

    fn number(&self, name: &str, value: u64) -> Attribute {
        self.context.create_enum_attribute(Attribute::get_named_enum_kind_id(name), value)
    }

    fn add(&self, function: FunctionValue<'_>, names: &[&str]) {
        for name in names {
            function.add_attribute(AttributeLoc::Function, self.flag(name));
        }
    }
}

/// States what is known of the functions of a host module.
pub fn annotate<'l>(context: &'l Context, module: &Module<'l>, program: &Program) {
    let a = Attributes { context };
    for which in Runtime::ALL {
        let Some(f) = module.get_function(which.symbol()) else { continue };
        let memory = match which {
            Runtime::Alloc
            | Runtime::Retain
            | Runtime::Release
            | Runtime::Trace
            | Runtime::Workers => Some(TOUCHES_ARGUMENTS_AND_INACCESSIBLE),
            Runtime::Globals
            | Runtime::DummySlot
            | Runtime::EmuThreadId
            | Runtime::EmuBlockId
            | Runtime::EmuBlockDim
            | Runtime::EmuGridDim => Some(TOUCHES_NOTHING),
            Runtime::Fail
            | Runtime::Launch
            | Runtime::ParallelFor
            | Runtime::ParallelChain
            | Runtime::ChainStart
            | Runtime::EmuBarrier
            | Runtime::EmuFail => None,
        };
        if let Some(memory) = memory {
            f.add_attribute(AttributeLoc::Function, a.number("memory", memory));
        }
        a.add(f, &["nounwind"]);
        if which.diverges() {
            a.add(f, &["noreturn", "cold"]);
        }
        match which {
            // May fail, so it need not return.
            Runtime::Alloc => {
                f.add_attribute(AttributeLoc::Return, a.flag("noalias"));
                f.add_attribute(AttributeLoc::Return, a.flag("nonnull"));
                f.add_attribute(AttributeLoc::Return, a.number("align", 64));
            }
            Runtime::Retain
            | Runtime::Release
            | Runtime::Globals
            | Runtime::DummySlot
            | Runtime::Trace
            | Runtime::Workers => a.add(f, &["willreturn"]),
            Runtime::EmuThreadId
            | Runtime::EmuBlockId
            | Runtime::EmuBlockDim
            | Runtime::EmuGridDim => a.add(f, &["willreturn"]),
            Runtime::Fail
            | Runtime::Launch
            | Runtime::ParallelFor
            | Runtime::ParallelChain
            | Runtime::ChainStart
            | Runtime::EmuBarrier
            | Runtime::EmuFail => {}
        }
    }
    annotate_scalar_functions(context, module);
    for f in module.get_functions() {
        if f.get_name().to_bytes().starts_with(crate::lower::FAILING_PREFIX.as_bytes()) {
            // It runs once at most, and is as long as what it is called from.
            a.add(f, &["noinline", "optnone", "cold", "noreturn", "nounwind"]);
        }
        let of_its_own = [crate::lower::APART_PREFIX, crate::symbols::TRANSPOSITION_PREFIX];
        if of_its_own.iter().any(|p| f.get_name().to_bytes().starts_with(p.as_bytes())) {
            a.add(f, &["noinline", "nounwind"]);
        }
        if f.get_name().to_bytes().starts_with(crate::lower::TASK_PREFIX.as_bytes()) {
            a.add(f, &["nounwind"]);
            if f.get_name().to_bytes().ends_with(crate::lower::TASK_BODY_SUFFIX.as_bytes()) {
                a.add(f, &["noinline"]);
            }
        }
    }
    for (index, fun) in program.funs.iter().enumerate() {
        let device = crate::lower::mangle("dev", fun.name.as_str(), index);
        for symbol in [crate::lower::host_symbol(fun, index), device] {
            let Some(f) = module.get_function(&symbol) else { continue };
            a.add(f, &["nounwind"]);
            for attribute in &fun.attrs {
                match attribute.as_str() {
                    // A hint only: LLVM refuses to inline what calls itself anyway.
                    "inline" => a.add(f, &["inlinehint"]),
                    "noinline" => a.add(f, &["noinline"]),
                    _ => {}
                }
            }
        }
    }
}

/// Processors for which LLVM prefers half of their vectors, after predecessors that slowed down when
/// they used them whole. These do not.
const WIDE: &[&str] = &["sapphirerapids", "emeraldrapids", "graniterapids", "graniterapids-d"];
/// What they have and their predecessors do not. Virtual machines give processors other names.
const WIDE_FEATURE: &str = "+avx512fp16";

/// Whether a processor computes as quickly with vectors of 64 bytes as with shorter ones, and loads as many in a cycle.
pub fn gains_by_wide_vectors(machine: &TargetMachine) -> bool {
    let features = machine.get_feature_string().to_string_lossy();
    WIDE.iter().any(|cpu| machine.get_cpu().to_bytes() == cpu.as_bytes())
        || features.split(',').any(|f| f == WIDE_FEATURE)
}

/// Has the loop vectoriser use the whole vectors of a processor that gains by it.
pub fn prefer_wide_vectors<'l>(context: &'l Context, module: &Module<'l>, machine: &TargetMachine) {
    if !gains_by_wide_vectors(machine) {
        return;
    }
    let attribute = context.create_string_attribute("prefer-vector-width", "512");
    for function in module.get_functions().filter(|f| f.count_basic_blocks() > 0) {
        function.add_attribute(AttributeLoc::Function, attribute);
    }
}

/// Has a sanitizer check the functions of a module, and the optimiser not load what the program
/// does not.
pub fn sanitize<'l>(context: &'l Context, module: &Module<'l>, sanitizer: Sanitizer) {
    let a = Attributes { context };
    for function in module.get_functions().filter(|f| f.count_basic_blocks() > 0) {
        a.add(function, &[sanitizer.attribute()]);
    }
}

/// Functions on floats neither touch memory (we do not look at `errno`) nor fail.
pub fn annotate_scalar_functions<'l>(context: &'l Context, module: &Module<'l>) {
    for (symbol, _, _) in abi::scalar_functions() {
        if let Some(f) = module.get_function(symbol) {
            annotate_scalar_function(context, f);
        }
    }
}

/// States that a function computes its result from its arguments and does nothing else.
pub fn annotate_scalar_function<'l>(context: &'l Context, f: FunctionValue<'l>) {
    let a = Attributes { context };
    f.add_attribute(AttributeLoc::Function, a.number("memory", TOUCHES_NOTHING));
    a.add(f, &["nounwind", "willreturn", "nocallback", "nosync"]);
}

/// States that every address computed lies in its block, which holds by construction: arrays,
/// slots and stack memory are addressed element by element.
pub fn addresses_in_bounds(module: &Module<'_>) -> Result<()> {
    for function in module.get_functions() {
        for block in function.get_basic_block_iter() {
            for instruction in block.get_instructions() {
                if instruction.get_opcode() == InstructionOpcode::GetElementPtr {
                    instruction.set_in_bounds_flag(true).map_err(Error::bug)?;
                }
            }
        }
    }
    Ok(())
}

/// Sets triple and layout.
pub fn prepare(module: &Module<'_>, machine: &TargetMachine) {
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
}

/// A stride that only the run knows is anything but one: futc's arrays have strides of one where that
/// is known. The vectoriser would bet on one, and leave all others to a scalar loop.
///
/// Functions with more accesses than this call the sanitizer for each, instead of a test and a branch
/// at each: tiles in registers are long blocks, over which code generation takes minutes otherwise.
///
/// `loop-unroll-full` by its name takes the threshold of `-O2`; that of `-O3` is wanted. See Note [LLVM's passes by name].
///
/// Selections of what differs from element to element would become branches again, which are foretold wrongly as often as not: a step of a radix sort
/// that selects where its elements go takes 3.6 times as long, and none of the benchmarks more than it does without.
///
/// Branch folding compares all blocks that end in failures with one another, which of hundreds takes a tenth of code generation.
const LLVM_OPTIONS: &[&CStr] = &[
    c"--enable-mem-access-versioning=false",
    c"--asan-instrumentation-with-call-threshold=150",
    c"--unroll-threshold-default=300",
    c"--x86-cmov-converter=false",
    c"--tail-merge-threshold=48",
];

/// Runs a pipeline of LLVM's passes. With `unroll`, several rounds of loops may stand one behind the other,
/// or be interleaved.
pub fn optimise(
    module: &Module<'_>,
    machine: &TargetMachine,
    passes: &str,
    unroll: bool,
) -> Result<()> {
    ffi::set_llvm_options(LLVM_OPTIONS);
    if cfg!(debug_assertions) {
        module.verify().map_err(|e| Error::bug(format_args!("invalid LLVM IR: {e}")))?;
    }
    let options = PassBuilderOptions::create();
    options.set_loop_vectorization(true);
    options.set_loop_slp_vectorization(true);
    options.set_loop_unrolling(unroll);
    options.set_loop_interleaving(unroll);
    module.run_passes(passes, machine, options).map_err(Error::bug)
}

/// The same, while the processor is said to read no vectors from places that are not neighbours.
pub fn optimise_without_gathers(
    module: &Module<'_>,
    machine: &TargetMachine,
    passes: &str,
    unroll: bool,
) -> Result<()> {
    const FEATURES: &str = "target-features";
    let x86 = machine.get_triple().as_str().to_bytes().starts_with(b"x86_64");
    if !x86 {
        return optimise(module, machine, passes, unroll);
    }
    let features = machine.get_feature_string().to_string_lossy();
    let comma = if features.is_empty() { "" } else { "," };
    let features = format!("{features}{comma}+prefer-no-gather");
    let attribute = module.get_context().create_string_attribute(FEATURES, &features);
    let functions: Vec<_> = module.get_functions().filter(|f| f.count_basic_blocks() > 0).collect();
    for f in &functions {
        f.add_attribute(AttributeLoc::Function, attribute);
    }
    optimise(module, machine, passes, unroll)?;
    for f in &functions {
        f.remove_string_attribute(AttributeLoc::Function, FEATURES);
    }
    Ok(())
}

/// Assembly or object code.
pub fn emit(module: &Module<'_>, machine: &TargetMachine, kind: FileType) -> Result<Vec<u8>> {
    let buffer = machine.write_to_memory_buffer(module, kind).map_err(Error::bug)?;
    Ok(buffer.as_slice().to_vec())
}

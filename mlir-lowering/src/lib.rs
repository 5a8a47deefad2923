//! From memory-annotated Core IR through MLIR and LLVM to objects and programs.
//!
//! ```text
//! Core IR, level mem
//!   │ lower        one file per family of operations
//!   ▼
//! MLIR: func, memref, linalg, vector, scf, arith, math, gpu Compiled::mlir
//!   │ convert      linalg to loops, memrefs to bare pointers
//!   │ emu          kernels become host functions (gpu-emu)
//!   │ nvptx        kernels become PTX (nvptx)                Compiled::kernels
//!   │ pipeline     passes as strings
//!   ▼
//! LLVM dialect                                              Compiled::llvm_dialect
//!   │ ffi, llvm, tables
//!   ▼
//! LLVM IR ─ O3 ─► assembly, object ─ link ─► program        Compiled::{llvm, asm, object}, link
//! ```
//!
//! Nothing here knows syntax or queries.

pub mod abi;
pub mod convert;
pub mod cpu;
mod dialect;
mod emu;
mod error;
mod ffi;
mod link;
mod llvm;
pub mod lower;
mod nvptx;
mod partition;
pub mod pipeline;
mod stages;
mod tables;
pub mod target;
pub mod types;
mod unit;
mod vector_math;

/// Generates a little code for the host's processor that the options name. LLVM says on standard
/// error if it does not know the name, and of the name `help` all the names it knows; of some names
/// it ends the process. For the processor of kernels see [`target::Device::try_processor`].
pub fn try_processor(options: &Options) -> Result<(), Error> {
    cpu::of(&llvm::host_machine(options)?).map(drop)
}

pub use error::Error;
pub use link::{Output, compiler as linker, link, merge};
pub use target::Target;
pub use unit::{Joined, UnitCode, join};

use dialect::Shared;
use futc_midend::ir::Program;
use futc_midend::passes::schedule;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::targets::FileType;
use lower::{Machine, Outline};
use melior::ir::Module;
use stages::Stages;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tables::Description;

/// How to compile.
#[derive(Clone, Debug)]
pub struct Options {
    /// What for.
    pub target: &'static Target,
    /// The host's processor as LLVM names it; the one at hand if absent.
    pub target_cpu: Option<String>,
    /// The GPU, such as `sm_90`.
    pub gpu_arch: Option<String>,
    /// The name of the program's source.
    pub source: String,
    /// Mathematical functions as exact as the C library's scalar ones, and every product rounded
    /// before it is added to a sum: neither vector versions nor fused operations.
    pub exact_math: bool,
    /// Tell debuggers and profilers which lines the host's instructions come from.
    pub debug_info: bool,
    /// Check every access of the host's code with AddressSanitizer.
    pub sanitize_address: bool,
    /// How much work code generation is worth.
    pub level: OptLevel,
    /// Programs of more LLVM instructions than this, before they are optimised, become several objects
    /// of about this size, which are made on all cores.
    pub object_size: usize,
}

/// How much work code generation is worth (`-O`). The passes of the mid-end run at every level: they make
/// programs smaller.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum OptLevel {
    /// None: for debuggers.
    O0,
    /// What pays while a program is being written: loops are neither unrolled nor made vectors of by LLVM.
    O1,
    /// All but what makes code larger: loops are not unrolled.
    O2,
    /// Everything; of a long program, as [`OptLevel::O2`].
    O3,
}

/// What LLVM is asked to do.
#[derive(Clone, Copy, Debug)]
struct Effort {
    pipeline: &'static str,
    unroll: bool,
}

impl OptLevel {
    /// Unrolling multiplies code. In a long program most of it is run once or never, and nobody would wait
    /// for it.
    fn effort(self, long: bool, instructions: usize) -> Effort {
        let unroll = self == OptLevel::O3 && !long && instructions <= LONG;
        let pipeline = match self {
            OptLevel::O0 => "default<O0>",
            OptLevel::O1 => "default<O1>",
            OptLevel::O2 => "default<O2>",
            OptLevel::O3 => "default<O3>",
        };
        Effort { pipeline, unroll }
    }
}

/// LLVM recurses over deep expressions.
const STACK: usize = 256 << 20;
/// More instructions than this make a program long, before they are optimised. The largest of
/// `benches/programs`, sha256, has about a sixth of them.
const LONG: usize = 30_000;
/// See [`Options::object_size`].
const OBJECT_SIZE: usize = 12_000;

impl Options {
    /// The defaults for a target.
    pub fn new(target: &'static Target) -> Options {
        Options {
            target,
            target_cpu: None,
            gpu_arch: None,
            source: String::new(),
            exact_math: false,
            debug_info: false,
            sanitize_address: false,
            level: OptLevel::O3,
            object_size: OBJECT_SIZE,
        }
    }
}

impl Options {
    /// All that the code depends on besides the program, as text: two programs that are the same and have
    /// the same text are compiled to the same code. The name of the source is in it only where code has it.
    pub fn identity(&self) -> Result<String, Error> {
        let Options {
            target,
            target_cpu: _,
            gpu_arch,
            source,
            exact_math,
            debug_info,
            sanitize_address,
            level,
            object_size,
        } = self;
        let machine = llvm::host_machine(self)?;
        let (cpu, features) = (machine.get_cpu(), machine.get_feature_string());
        let source = if *debug_info { source.as_str() } else { "" };
        Ok(format!(
            "{} {:?} {cpu:?} {features:?} {gpu_arch:?} {source:?} {exact_math} {debug_info} \
             {sanitize_address} {level:?} {object_size}",
            target.name,
            machine.get_triple(),
        ))
    }
}

/// The compiler's name and version, told to whoever asks a program.
pub const COMPILER: &str = concat!("futc ", env!("CARGO_PKG_VERSION"));

/// A program at level mem on its way down: each method goes from there to one station.
#[derive(Clone, Debug)]
pub struct Compiled<'p> {
    program: &'p Program,
    options: Options,
    stages: Stages,
}

impl<'p> Compiled<'p> {
    /// Nothing is done yet.
    pub fn new(program: &'p Program, options: Options) -> Compiled<'p> {
        Compiled { program, options, stages: Stages::default() }
    }

    /// How long each stage took so far, in order.
    pub fn times(&self) -> Vec<(&'static str, Duration)> {
        self.stages.times()
    }

    /// The program with the schedules that code generation obeys.
    pub fn sched(&self) -> Result<String, Error> {
        scheduled(self.program, &self.options, machine(&self.options)?).map(|p| p.to_string())
    }

    /// The program in MLIR, before any pass.
    pub fn mlir(&self) -> Result<String, Error> {
        let context = pipeline::context();
        let shared = Shared::new(&context);
        let (module, _) = mlir(&shared, self.program, &self.options)?;
        Ok(format!("{}\n", module.as_operation()))
    }

    /// The host's part in the LLVM dialect.
    pub fn llvm_dialect(&self) -> Result<String, Error> {
        let context = pipeline::context();
        let shared = Shared::new(&context);
        let (module, _, _) = self.host_dialect(&context, &shared)?;
        Ok(format!("{}\n", module.as_operation()))
    }

    /// The host's part in LLVM IR, optimised.
    pub fn llvm(&self) -> Result<String, Error> {
        self.with_llvm(|module, _| Ok(module.print_to_string().to_string()))
    }

    /// The kernels as text for the processor they run on, such as PTX; empty without kernels, or if
    /// they become code of the host.
    pub fn kernels(&self) -> Result<String, Error> {
        let Some(kernels) = &self.options.target.kernels else { return Ok(String::new()) };
        let context = pipeline::context();
        let shared = Shared::new(&context);
        let (module, _) = mlir(&shared, self.program, &self.options)?;
        convert::run(&shared, &module, machine(&self.options)?)?;
        Ok((kernels.lower)(&context, &shared, &module, &self.options)?.unwrap_or_default())
    }

    /// The host's part in assembly.
    pub fn asm(&self) -> Result<String, Error> {
        self.with_llvm(|module, machine| {
            String::from_utf8(llvm::emit(module, machine, FileType::Assembly)?).map_err(Error::bug)
        })
    }

    /// The objects, one unless the program is long; PTX is inside of the first.
    pub fn objects(&self) -> Result<Vec<Vec<u8>>, Error> {
        self.with_tables(|module, machine| self.objects_of(module, machine, false))
    }

    /// The objects of a module; `long` if it is part of a long program.
    fn objects_of(
        &self,
        module: &inkwell::module::Module<'_>,
        machine: &inkwell::targets::TargetMachine,
        long: bool,
    ) -> Result<Vec<Vec<u8>>, Error> {
        let effort = self.options.level.effort(long, partition::size(module));
        let plan = partition::plan(module, self.options.object_size);
        if plan.parts == 1 {
            self.optimise(module, machine, effort)?;
            let object = self
                .stages
                .time("llvm-object", || llvm::emit(module, machine, FileType::Object))?;
            return Ok(vec![object]);
        }
        let bitcode = module.write_bitcode_to_memory();
        self.stages.time("llvm-objects", || self.parts(bitcode.as_slice(), &plan, effort))
    }

    /// The objects of the parts of a module, on all cores.
    fn parts(
        &self,
        bitcode: &[u8],
        plan: &partition::Plan,
        effort: Effort,
    ) -> Result<Vec<Vec<u8>>, Error> {
        let options = &self.options;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let next = AtomicUsize::new(0);
        let worker = || -> Result<Vec<(usize, Vec<u8>)>, Error> {
            let mut done = Vec::new();
            loop {
                let part = next.fetch_add(1, Ordering::Relaxed);
                if part >= plan.parts {
                    return Ok(done);
                }
                let context = inkwell::context::Context::create();
                let buffer = MemoryBuffer::create_from_memory_range_copy(bitcode, "program");
                let module = inkwell::module::Module::parse_bitcode_from_buffer(&buffer, &context)
                    .map_err(Error::bug)?;
                let machine = llvm::host_machine(options)?;
                partition::keep(&module, plan, part)?;
                optimise(&module, &machine, options, effort)?;
                done.push((part, llvm::emit(&module, &machine, FileType::Object)?));
            }
        };
        let mut objects = std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for _ in 0..cores.min(plan.parts) {
                let thread = std::thread::Builder::new().stack_size(STACK);
                let spawned = thread.spawn_scoped(scope, worker);
                threads.push(spawned.map_err(|e| Error::Io("cannot start a thread".into(), e))?);
            }
            let mut all = Vec::new();
            for thread in threads {
                all.extend(thread.join().map_err(|_| Error::bug("a thread ended"))??);
            }
            Ok::<_, Error>(all)
        })?;
        objects.sort_by_key(|(part, _)| *part);
        Ok(objects.into_iter().map(|(_, object)| object).collect())
    }

    /// Goes all the way to an optimised LLVM module.
    fn with_llvm<T>(
        &self,
        f: impl FnOnce(
            &inkwell::module::Module<'_>,
            &inkwell::targets::TargetMachine,
        ) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.with_tables(|module, machine| {
            let effort = self.options.level.effort(false, partition::size(module));
            self.optimise(module, machine, effort)?;
            f(module, machine)
        })
    }

    /// Goes all the way to an LLVM module of the whole program as it is before any optimisation.
    fn with_tables<T>(
        &self,
        f: impl FnOnce(
            &inkwell::module::Module<'_>,
            &inkwell::targets::TargetMachine,
        ) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let (program, options) = (self.program, &self.options);
        self.before_optimisation(
            |context, module, outline, ptx| {
                let description = Description::of(module, program, outline, ptx)?;
                tables::add_tables(context, module, &description, options)
            },
            f,
        )
    }

    fn optimise(
        &self,
        module: &inkwell::module::Module<'_>,
        machine: &inkwell::targets::TargetMachine,
        effort: Effort,
    ) -> Result<(), Error> {
        self.stages.time("llvm-optimise", || optimise(module, machine, &self.options, effort))
    }

    /// Goes all the way to an LLVM module, which `finish` completes, as it is before any optimisation.
    fn before_optimisation<T>(
        &self,
        finish: impl for<'l> FnOnce(
            &'l inkwell::context::Context,
            &inkwell::module::Module<'l>,
            &Outline,
            Option<&str>,
        ) -> Result<(), Error>,
        f: impl FnOnce(
            &inkwell::module::Module<'_>,
            &inkwell::targets::TargetMachine,
        ) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let context = pipeline::context();
        let shared = Shared::new(&context);
        let (program, options) = (self.program, &self.options);
        let (module, outline, ptx) = self.host_dialect(&context, &shared)?;
        let llvm_context = inkwell::context::Context::create();
        let (llvm_module, machine) = self.stages.time("llvm-translate", || {
            let llvm_module = ffi::translate(&context, &llvm_context, module.as_operation())?;
            let machine = llvm::host_machine(options)?;
            llvm::prepare(&llvm_module, &machine);
            llvm::addresses_in_bounds(&llvm_module)?;
            llvm::annotate(&llvm_context, &llvm_module, program);
            llvm::prefer_wide_vectors(&llvm_context, &llvm_module, &machine);
            if options.sanitize_address {
                llvm::sanitize_address(&llvm_context, &llvm_module);
            }
            if options.target.vector_math && !options.exact_math {
                vector_math::offer(&llvm_context, &llvm_module, cpu::of(&machine)?)?;
            }
            finish(&llvm_context, &llvm_module, &outline, ptx.as_deref())?;
            Ok::<_, Error>((llvm_module, machine))
        })?;
        f(&llvm_module, &machine)
    }

    /// Lowers to the LLVM dialect; kernels leave as PTX, or become host functions.
    fn host_dialect<'c>(
        &self,
        context: &melior::Context,
        shared: &Shared<'c>,
    ) -> Result<(Module<'c>, Outline, Option<String>), Error> {
        let options = &self.options;
        let (mut module, outline, ptx) = self.stages.time("mlir-build", || {
            let (module, outline) = mlir(shared, self.program, options)?;
            convert::run(shared, &module, machine(options)?)?;
            let ptx = match &options.target.kernels {
                Some(kernels) => (kernels.lower)(context, shared, &module, options)?,
                None => None,
            };
            Ok::<_, Error>((module, outline, ptx))
        })?;
        self.stages
            .time("mlir-passes", || pipeline::run(context, &mut module, pipeline::HOST_TO_LLVM))?;
        if cfg!(debug_assertions) {
            pipeline::verify_lowered(&module)?;
        }
        if options.debug_info {
            pipeline::run(context, &mut module, pipeline::LINE_TABLES)?;
        }
        Ok((module, outline, ptx))
    }
}

/// Optimises a module of the host.
fn optimise(
    module: &inkwell::module::Module<'_>,
    machine: &inkwell::targets::TargetMachine,
    options: &Options,
    effort: Effort,
) -> Result<(), Error> {
    llvm::optimise(module, machine, effort.pipeline, effort.unroll)?;
    vector_math::finish(module, machine)?;
    // Behind all else, as in C compilers: what is checked is what will run.
    match options.sanitize_address {
        true => llvm::optimise(module, machine, "asan", false),
        false => Ok(()),
    }
}

/// What lowering may use of the host.
fn machine(options: &Options) -> Result<Machine, Error> {
    let cpu = cpu::of(&llvm::host_machine(options)?)?;
    Ok(Machine { cpu, fuse: !options.exact_math })
}

/// Lowers to MLIR.
fn mlir<'c>(
    shared: &Shared<'c>,
    program: &Program,
    options: &Options,
) -> Result<(Module<'c>, Outline), Error> {
    let positions = options.debug_info.then_some(options.source.as_str());
    let machine = machine(options)?;
    let program = scheduled(program, options, machine)?;
    lower::lower(shared, &program, options.target, machine, positions)
}

/// A program with schedules for the host; those that it has are checked and kept.
fn scheduled(program: &Program, options: &Options, machine: Machine) -> Result<Program, Error> {
    let cpu = machine.cpu.machine();
    let wrong = schedule::check(program, &cpu);
    if !wrong.is_empty() {
        return Err(Error::limitation(format_args!("this schedule: {}", wrong.join("; "))));
    }
    Ok(schedule::schedule(program.clone(), &cpu, options.target.kernels.is_some()))
}

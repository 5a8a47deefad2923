//! A program at level mem on its way down, station by station.

use crate::dialect::Shared;
use crate::host::{Machine, machine};
use crate::lower::Outline;
use crate::stages::Stages;
use crate::tables::Description;
use crate::{
    Error, OptLevel, Options, accumulated_extrema, convert, cpu, estimates, ffi, half_vectors,
    llvm, llvm_passes, lower, missing_operations, number_extrema, partition, pipeline,
    saturating_conversions, shifted_copies, stack_alignment, stack_checks, tables,
    uniform_divisions, vector_division, vector_math,
};
use futc_midend::ir::Program;
use futc_midend::passes::schedule::{self, Aim, Decision};
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::targets::FileType;
use melior::ir::{Location, Module};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// What LLVM is asked to do.
#[derive(Clone, Copy, Debug)]
struct Effort {
    level: OptLevel,
    unroll: bool,
}

impl Options {
    /// Whether nothing may make code larger for the sake of speed.
    fn code_is_small(&self) -> bool {
        self.of_long || self.level < OptLevel::O3
    }

    /// Unrolling multiplies code. In a long program most of it is run once or never, and nobody would wait
    /// for it.
    fn effort(&self, instructions: usize) -> Effort {
        let unroll = !self.code_is_small() && instructions <= LONG;
        Effort { level: self.level, unroll }
    }
}

/// LLVM recurses over deep expressions.
const STACK: usize = 256 << 20;
/// More instructions than this make a program long, before they are optimised. The largest of
/// `benches/programs`, sha256, has about a sixth of them.
const LONG: usize = 30_000;

/// A program at level mem on its way down: each method goes from there to one station.
#[derive(Clone, Debug)]
pub struct Compiled<'p> {
    pub(crate) program: &'p Program,
    pub(crate) options: Options,
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

    /// What schedules were chosen for each operation, and why.
    pub fn decisions(&self) -> Result<Vec<Decision>, Error> {
        let cpu = machine(&self.options)?.cpu.machine();
        Ok(schedule::decisions(self.program.clone(), &cpu, aim(&self.options)))
    }

    /// The program in MLIR, before any pass.
    pub fn mlir(&self) -> Result<String, Error> {
        let context = pipeline::context();
        let (module, _) = self.building(&context, |shared| self.lowered(shared))?;
        Ok(format!("{}\n", module.as_operation()))
    }

    /// The host's part in the LLVM dialect.
    pub fn llvm_dialect(&self) -> Result<String, Error> {
        let context = pipeline::context();
        let (module, _, _) = self.host_dialect(&context)?;
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
        let (_, text) = self.building(&context, |shared| {
            self.lowered(shared)?;
            convert::run(shared, machine(&self.options)?)?;
            (kernels.lower)(shared, &self.options)
        })?;
        Ok(text.unwrap_or_default())
    }

    /// The host's part in assembly.
    pub fn asm(&self) -> Result<String, Error> {
        self.with_llvm(|module, machine| {
            String::from_utf8(llvm::emit(module, machine, FileType::Assembly)?).map_err(Error::bug)
        })
    }

    /// The objects, one unless the program is large enough for several threads; PTX is inside of the first.
    pub fn objects(&self) -> Result<Vec<Vec<u8>>, Error> {
        self.with_tables(|module, machine| self.objects_of(module, machine))
    }

    /// The objects of a module.
    pub(crate) fn objects_of(
        &self,
        module: &inkwell::module::Module<'_>,
        machine: &inkwell::targets::TargetMachine,
    ) -> Result<Vec<Vec<u8>>, Error> {
        let effort = self.options.effort(partition::size(module));
        let plan = partition::plan(module, self.options.object_size);
        if plan.parts() == 1 {
            self.optimise(module, machine, effort)?;
            let object = self
                .stages
                .time("llvm-object", || llvm::emit(module, machine, FileType::Object))?;
            return Ok(vec![object]);
        }
        partition::make_names_distinct(module);
        let plan = partition::plan(module, self.options.object_size);
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
        let parts = plan.largest_first();
        let worker = || -> Result<Vec<(usize, Vec<u8>)>, Error> {
            let mut done = Vec::new();
            loop {
                let Some(&part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) else {
                    return Ok(done);
                };
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
            for _ in 0..cores.min(parts.len()) {
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
            let effort = self.options.effort(partition::size(module));
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
    pub(crate) fn before_optimisation<T>(
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
        let (program, options) = (self.program, &self.options);
        let (module, outline, ptx) = self.host_dialect(&context)?;
        let llvm_context = inkwell::context::Context::create();
        let (llvm_module, machine) = self.stages.time("llvm-translate", || {
            let llvm_module = ffi::translate(&context, &llvm_context, module.as_operation())?;
            let machine = llvm::host_machine(options)?;
            llvm::prepare(&llvm_module, &machine);
            llvm::addresses_in_bounds(&llvm_module)?;
            llvm::annotate(&llvm_context, &llvm_module, program);
            llvm::prefer_wide_vectors(&llvm_context, &llvm_module, &machine);
            if let Some(sanitizer) = options.sanitizer {
                llvm::sanitize(&llvm_context, &llvm_module, sanitizer);
            }
            let cpu = cpu::of(options)?;
            let vectors = options.target.vector_math && !options.exact_math;
            let own = match vectors {
                true => vector_math::own_functions(&llvm_module, cpu)?,
                false => BTreeSet::new(),
            };
            if !own.is_empty() {
                let module = Module::new(Location::unknown(&context));
                let (mut own, ()) = ffi::building(&context, module, |building| {
                    let shared = Shared::new(building);
                    vector_math::define_own(&shared, &own)?;
                    convert::run(&shared, crate::host::machine(options)?)
                })?;
                pipeline::run(&context, &mut own, pipeline::HOST_TO_LLVM)?;
                let own = ffi::translate(&context, &llvm_context, own.as_operation())?;
                vector_math::link(&llvm_context, &llvm_module, own)?;
            }
            vector_math::by_lanes::define(&llvm_context, &llvm_module, cpu, !vectors)?;
            if vectors {
                vector_math::offer(&llvm_context, &llvm_module, cpu)?;
            }
            finish(&llvm_context, &llvm_module, &outline, ptx.as_deref())?;
            Ok::<_, Error>((llvm_module, machine))
        })?;
        f(&llvm_module, &machine)
    }

    /// Lowers to the LLVM dialect; kernels leave as PTX, or become host functions.
    fn host_dialect<'c>(
        &self,
        context: &'c melior::Context,
    ) -> Result<(Module<'c>, Outline, Option<String>), Error> {
        let options = &self.options;
        let (mut module, (outline, ptx)) = self.stages.time("mlir-build", || {
            self.building(context, |shared| {
                let outline = self.lowered(shared)?;
                convert::run(shared, machine(options)?)?;
                let ptx = match &options.target.kernels {
                    Some(kernels) => (kernels.lower)(shared, options)?,
                    None => None,
                };
                Ok((outline, ptx))
            })
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

    /// A module that `f` fills.
    fn building<'c, T>(
        &self,
        context: &'c melior::Context,
        f: impl FnOnce(&Shared<'_>) -> Result<T, Error>,
    ) -> Result<(Module<'c>, T), Error> {
        let location = match self.positions() {
            Some(source) => Location::new(context, source, 1, 1),
            None => Location::unknown(context),
        };
        ffi::building(context, Module::new(location), |building| f(&Shared::new(building)))
    }

    /// Lowers to MLIR.
    fn lowered(&self, shared: &Shared<'_>) -> Result<Outline, Error> {
        let machine = machine(&self.options)?;
        let program = scheduled(self.program, &self.options, machine)?;
        lower::lower(shared, &program, self.options.target, machine, self.positions())
    }

    /// The name of the source, if operations are to have positions.
    fn positions(&self) -> Option<&str> {
        self.options.debug_info.then_some(self.options.source.as_str())
    }
}

/// Optimises a module of the host.
fn optimise(
    module: &inkwell::module::Module<'_>,
    machine: &inkwell::targets::TargetMachine,
    options: &Options,
    effort: Effort,
) -> Result<(), Error> {
    for group in llvm_passes::pipeline(effort.level, effort.unroll) {
        if group.vectorises {
            accumulated_extrema::take_apart(module)?;
            uniform_divisions::hide(module)?;
        }
        match group.gathers {
            true => llvm::optimise(module, machine, &group.passes, effort.unroll),
            false => llvm::optimise_without_gathers(module, machine, &group.passes, effort.unroll),
        }?;
    }
    vector_math::finish(module, machine)?;
    saturating_conversions::replace(module, machine)?;
    vector_division::replace(module, machine)?;
    number_extrema::replace(module, machine, cpu::of(options)?)?;
    shifted_copies::replace(module, machine)?;
    stack_alignment::align(module);
    if options.fast_math && options.target.machine.is_none() {
        estimates::replace(module, machine, cpu::of(options)?)?;
    }
    if options.target.machine.is_some_and(|m| !m.half_vectors) {
        half_vectors::scalarise(module, machine)?;
    }
    if options.target.machine.is_some_and(|m| !m.wide_products) {
        missing_operations::replace(module)?;
    }
    if options.target.machine.is_some_and(|m| m.stack_checks) {
        stack_checks::insert(module)?;
    }
    // Behind all else, as in C compilers: what is checked is what will run.
    match options.sanitizer {
        Some(sanitizer) => llvm::optimise(module, machine, sanitizer.passes(), false),
        None => Ok(()),
    }
}

/// A program with schedules for the host; those that it has are checked and kept.
fn scheduled(program: &Program, options: &Options, machine: Machine) -> Result<Program, Error> {
    let cpu = machine.cpu.machine();
    let wrong = schedule::check(program, &cpu);
    if !wrong.is_empty() {
        return Err(Error::limitation(format_args!("this schedule: {}", wrong.join("; "))));
    }
    Ok(schedule::schedule(program.clone(), &cpu, aim(options)))
}

/// What schedules are for.
fn aim(options: &Options) -> Aim {
    Aim { kernels: options.target.kernels.is_some(), small: options.code_is_small() }
}

//! The host that code is for, as options name it.

use crate::cpu::Cpu;
use crate::{Error, Options, cpu, llvm};

/// The machine that host code is for, and what may be asked of it.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// Its vector units.
    pub cpu: Cpu,
    /// Products are rounded before they are added to sums, and functions are those of the C library.
    pub exact: bool,
    /// Floats that decide nothing may be computed in other ways than the program says.
    pub fast: bool,
    /// A sanitizer reports reads of what lies beside an element in its word.
    pub sanitized: bool,
}

/// What code may use of the host.
pub fn machine(options: &Options) -> Result<Machine, Error> {
    let cpu = cpu::of(options)?;
    Ok(Machine {
        cpu,
        exact: options.exact_math,
        fast: options.fast_math,
        sanitized: options.sanitizer.is_some(),
    })
}

/// Generates a little code for the host's processor that the options name. LLVM says on standard
/// error if it does not know the name, and of the name `help` all the names it knows; of some names
/// it ends the process. For the processor of kernels see [`target::Device::try_processor`].
pub fn try_processor(options: &Options) -> Result<(), Error> {
    cpu::attempt(options)
}

/// The version of LLVM and MLIR at work.
pub fn llvm_version() -> String {
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    format!("{major}.{minor}.{patch}")
}

/// The processor that `--target-cpu=native` means, as LLVM names it.
pub fn host_processor() -> String {
    inkwell::targets::TargetMachine::get_host_cpu_name().to_string()
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
            fast_math,
            debug_info,
            sanitizer,
            level,
            of_long,
            object_size,
        } = self;
        let machine = llvm::host_machine(self)?;
        let (cpu, features) = (machine.get_cpu(), machine.get_feature_string());
        let source = if *debug_info { source.as_str() } else { "" };
        Ok(format!(
            "{} {:?} {cpu:?} {features:?} {gpu_arch:?} {source:?} {exact_math} {fast_math} {debug_info} \
             {sanitizer:?} {level:?} {of_long} {object_size}",
            target.name,
            machine.get_triple(),
        ))
    }
}

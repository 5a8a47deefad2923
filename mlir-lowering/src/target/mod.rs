//! What programs are compiled for.
//!
//! A target is a record in a file of its own and a line in [`ALL`]. Command line, drivers of tests and
//! benchmarks, and code generation ask the record; none of them knows a target by its name.

mod gpu_emu;
mod nvptx;
mod seq;

pub use gpu_emu::GPU_EMU;
pub use nvptx::NVPTX;
pub use seq::SEQ;

use crate::dialect::Shared;
use crate::{Error, Options};
use futc_midend::pipelines::Pipelines;
use melior::ir::Module;
use std::fmt;

/// Everything that is particular to a target.
pub struct Target {
    /// What it is called by `--target`, `--backend` and the `no_…` tags of tests.
    pub name: &'static str,
    /// What it is, in a line.
    pub help: &'static str,
    /// The passes of the mid-end at each level, and the memory that arrays lie in.
    pub pipelines: &'static Pipelines,
    /// Its number in the runtime: `enum futc_target`.
    pub code: u64,
    /// How kernels become code; a target without has only code of the host.
    pub kernels: Option<Kernels>,
    /// The host's loops do the mathematics, and may do so by vectors.
    pub vector_math: bool,
    /// AddressSanitizer sees all of the program's code.
    pub sanitizer: bool,
    /// Tags by which tests leave out the target of the reference compiler that corresponds to it.
    pub tags: &'static [&'static str],
}

/// How kernels become code.
pub struct Kernels {
    /// Replaces the `gpu.module` of a module by what the host needs in its place; code of another
    /// processor is returned as text, to be put into the program.
    pub lower: Lower,
    /// The symbol that the runtime calls a kernel by, of a kernel that has become a function of the
    /// host.
    pub host_symbol: Option<fn(&str) -> String>,
    /// The processor that kernels run on, unless it is the host's.
    pub device: Option<Device>,
}

/// See [`Kernels::lower`].
pub type Lower = for<'c> fn(
    &melior::Context,
    &Shared<'c>,
    &Module<'c>,
    &Options,
) -> Result<Option<String>, Error>;

/// A processor other than the host's, which `--gpu-arch` names.
pub struct Device {
    /// Makes LLVM look for the processor that the options name; see [`crate::try_processor`].
    pub try_processor: fn(&Options) -> Result<(), Error>,
}

/// All targets; the first is the default.
pub static ALL: &[&Target] = &[&SEQ, &NVPTX, &GPU_EMU];

impl Target {
    /// The target of this name.
    pub fn named(name: &str) -> Option<&'static Target> {
        ALL.iter().copied().find(|t| t.name == name)
    }

    /// What is compiled for unless a target is named; tests take its results as reference.
    pub fn reference() -> &'static Target {
        &SEQ
    }

    /// Whether a test with this tag is not for this target.
    pub fn is_excluded_by(&self, tag: &str) -> bool {
        tag.strip_prefix("no_") == Some(self.name) || self.tags.contains(&tag)
    }

    /// The processor of its kernels, unless it is the host's.
    pub fn device(&self) -> Option<&Device> {
        self.kernels.as_ref().and_then(|k| k.device.as_ref())
    }
}

impl PartialEq for Target {
    fn eq(&self, other: &Target) -> bool {
        self.name == other.name
    }
}

impl Eq for Target {}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

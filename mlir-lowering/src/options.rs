//! How to compile, and what for: options, and what targets are, which mention each other.

use crate::Error;
use crate::dialect::Shared;
use futc_midend::pipelines::Pipelines;
use std::fmt;

/// The compiler's name and version, told to whoever asks a program.
pub const COMPILER: &str = concat!("futc ", env!("CARGO_PKG_VERSION"));

/// What checks every access of a program to memory as it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sanitizer {
    /// AddressSanitizer: whether it is inside of a live block.
    Address,
    /// ThreadSanitizer: whether another thread may access the same at the same time.
    Thread,
}

impl Sanitizer {
    /// The attribute of functions that are checked.
    pub fn attribute(self) -> &'static str {
        match self {
            Sanitizer::Address => "sanitize_address",
            Sanitizer::Thread => "sanitize_thread",
        }
    }

    /// LLVM's passes that check.
    pub fn passes(self) -> &'static str {
        match self {
            Sanitizer::Address => "asan",
            Sanitizer::Thread => "tsan-module,function(tsan)",
        }
    }
}

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
    /// before it is added to a sum: neither vector versions nor fused operations, and no functions of ours in kernels.
    pub exact_math: bool,
    /// Floats that decide nothing (see [`futc_midend::analysis::decisions`]) may be computed in other ways than
    /// the program says: see [`crate::dialect::Licence::Fast`].
    pub fast_math: bool,
    /// Tell debuggers and profilers which lines the host's instructions come from.
    pub debug_info: bool,
    /// Check every access of the host's code.
    pub sanitizer: Option<Sanitizer>,
    /// How much work code generation is worth.
    pub level: OptLevel,
    /// The program is a part of a long one, see [`Options::of_part`].
    pub of_long: bool,
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
    /// All but what makes code larger: loops are not unrolled, and there are no versions of them for arrays
    /// beyond the caches.
    O2,
    /// Everything; of a long program, as [`OptLevel::O2`].
    O3,
}

/// See [`Options::object_size`]. Each part costs some milliseconds: in eleven programs, parts of this size take 1.02 of
/// the processors' time of a whole, parts of 400 instructions 1.05.
const OBJECT_SIZE: usize = 1_000;
/// The same for parts of a long program, which go on all cores already.
const OBJECT_SIZE_OF_LONG: usize = 12_000;

impl Options {
    /// The defaults for a target.
    pub fn new(target: &'static Target) -> Options {
        Options {
            target,
            target_cpu: None,
            gpu_arch: None,
            source: String::new(),
            exact_math: false,
            fast_math: false,
            debug_info: false,
            sanitizer: None,
            level: OptLevel::O3,
            of_long: false,
            object_size: OBJECT_SIZE,
        }
    }

    /// The same for one of several parts of a program.
    pub fn of_part(&self) -> Options {
        Options { of_long: true, object_size: OBJECT_SIZE_OF_LONG, ..self.clone() }
    }
}

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
    /// The machine that the host's code is for, unless it is the one at hand.
    pub machine: Option<&'static VirtualMachine>,
    /// How kernels become code; a target without has only code of the host.
    pub kernels: Option<Kernels>,
    /// The host's loops do the mathematics, and may do so by vectors.
    pub vector_math: bool,
    /// Sanitizers see all of the program's code.
    pub sanitizer: bool,
    /// The host's loops run in several threads.
    pub threads: bool,
    /// The backend of the reference compiler whose C interface libraries have.
    pub backend: &'static str,
    /// The backends of the reference compiler that this target is chosen for.
    pub replaces: &'static [Replaced],
    /// Tags by which tests leave out the target of the reference compiler that corresponds to it.
    pub tags: &'static [&'static str],
}

/// The letter of an interface that only functions of our own have.
pub const OURS: char = 'o';

/// The vector units of a processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cpu {
    /// Bytes in the widest register that floats are computed in.
    pub vector_bytes: i64,
    /// Whether `a · b + c` of floats is one instruction.
    pub fma: bool,
    /// What are not neighbours in memory is read as a vector by an instruction.
    pub gathers: bool,
    /// And that is quicker than to read one after the other.
    pub quick_gathers: bool,
    /// The lesser and the greater of two floats of which one may not be a number is an operation.
    pub number_extrema: bool,
    /// Rows that are read beside each other go by the widest vectors, not by those of half a line of the cache.
    pub wide_stencils: bool,
    /// Vectors of integers are divided by way of floats.
    pub divides: bool,
    /// Some elements of a vector are put side by side within few operations.
    pub compresses: bool,
    /// The bytes of vectors of 64 are permuted by an instruction.
    pub permutes_bytes: bool,
    /// To walk large arrays in several pages side by side is not slower than from end to end.
    pub page_streams: bool,
    /// Which of the x86 vector interfaces of the C library the processor can use, narrowest first:
    /// the letter by which names tell them apart, and the bytes of its vectors. Where the C library has none, that
    /// of our own functions is [`OURS`].
    pub interfaces: &'static [(char, i64)],
}

/// A machine that programs run on wherever they are, inside of another program: they come with what joins the
/// two, and libraries are for its language instead of C.
pub struct VirtualMachine {
    /// As LLVM names it.
    pub triple: &'static str,
    /// Its processor, unless another is named.
    pub processor: &'static str,
    /// What it has besides.
    pub features: &'static str,
    /// Makes LLVM know it.
    pub initialise: fn(),
    /// Its vector units.
    pub cpu: Cpu,
    /// The whole product of two `i64` is an instruction.
    pub wide_products: bool,
    /// Code can be generated for vectors of `f16`.
    pub half_vectors: bool,
    /// Stacks end in the middle of memory: functions ask whether there is room.
    pub stack_checks: bool,
}

/// A backend of the reference compiler, in whose place a target is used.
pub struct Replaced {
    /// What its command line calls it.
    pub backend: &'static str,
    /// What is made instead, to be told to the user; nothing if it is the same.
    pub instead: Option<&'static str>,
}

/// How kernels become code.
pub struct Kernels {
    /// Replaces the `gpu.module` of the module by what the host needs in its place; code of another
    /// processor is returned as text, to be put into the program.
    pub lower: Lower,
    /// The symbol that the runtime calls a kernel by, of a kernel that has become a function of the
    /// host.
    pub host_symbol: Option<fn(&str) -> String>,
    /// The processor that kernels run on, unless it is the host's.
    pub device: Option<Device>,
}

/// See [`Kernels::lower`].
pub type Lower = for<'c> fn(&Shared<'c>, &Options) -> Result<Option<String>, Error>;

/// A processor other than the host's, which `--gpu-arch` names.
pub struct Device {
    /// Makes LLVM look for the processor that the options name; see [`crate::try_processor`].
    pub try_processor: fn(&Options) -> Result<(), Error>,
}

impl Target {
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

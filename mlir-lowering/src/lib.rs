//! From memory-annotated Core IR through MLIR and LLVM to objects and programs.
//!
//! ```text
//! Core IR, level mem
//!   │ lower        one file per family of operations
//!   ▼
//! MLIR: func, scf, arith, math, gpu, llvm for memory        emit_mlir
//!   │ emu          kernels become host functions (GpuEmu)
//!   │ nvptx        kernels become PTX (Nvptx)                emit_ptx
//!   │ pipeline     passes as strings
//!   ▼
//! LLVM dialect                                              emit_llvm_dialect
//!   │ ffi, llvm, tables
//!   ▼
//! LLVM IR ─ O3 ─► assembly, object ─ link ─► program        emit_llvm, emit_asm, emit_obj, link
//! ```
//!
//! Nothing here knows syntax or queries.

pub mod abi;
mod emu;
mod error;
mod ffi;
mod link;
mod llvm;
pub mod lower;
mod nvptx;
pub mod pipeline;
mod tables;
pub mod types;

pub use error::Error;
pub use link::{Output, link};

use futc_midend::ir::Program;
use inkwell::targets::FileType;
use lower::Outline;
use lower::builder::Shared;
use melior::ir::Module;
use std::path::{Path, PathBuf};

/// What the code is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// One thread of the host.
    Seq,
    /// NVIDIA GPUs.
    Nvptx,
    /// The kernels, run on the host.
    GpuEmu,
}

/// How to compile.
#[derive(Clone, Debug)]
pub struct Options {
    /// What for.
    pub target: Target,
    /// The host's processor as LLVM names it; the one at hand if absent.
    pub target_cpu: Option<String>,
    /// The GPU, such as `sm_90`.
    pub gpu_arch: Option<String>,
    /// libclc's bitcode for NVPTX.
    pub libclc: Option<PathBuf>,
    /// The compiler's name and version, told to whoever asks the program.
    pub compiler: String,
    /// The name of the program's source.
    pub source: String,
}

impl Options {
    /// The defaults for a target.
    pub fn new(target: Target) -> Options {
        Options {
            target,
            target_cpu: None,
            gpu_arch: None,
            libclc: None,
            compiler: concat!("futc ", env!("CARGO_PKG_VERSION")).to_owned(),
            source: String::new(),
        }
    }
}

/// What comes out of [`compile`].
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The object.
    pub object: Vec<u8>,
    /// The kernels' PTX, which the object also holds.
    pub ptx: Option<String>,
}

/// Compiles a program at level mem to an object.
pub fn compile(program: &Program, options: &Options) -> Result<Compiled, Error> {
    with_llvm(program, options, |module, machine, ptx| {
        let object = llvm::emit(module, machine, FileType::Object)?;
        Ok(Compiled { object, ptx: ptx.map(str::to_owned) })
    })
}

/// The program in MLIR, before any pass.
pub fn emit_mlir(program: &Program, options: &Options) -> Result<String, Error> {
    let context = pipeline::context();
    let shared = Shared::new(&context);
    let (module, _) = lower::lower(&shared, program, options.target)?;
    Ok(module.as_operation().to_string())
}

/// The host's part in the LLVM dialect.
pub fn emit_llvm_dialect(program: &Program, options: &Options) -> Result<String, Error> {
    let context = pipeline::context();
    let shared = Shared::new(&context);
    let (module, _, _) = host_dialect(&context, &shared, program, options)?;
    Ok(module.as_operation().to_string())
}

/// The host's part in LLVM IR, optimised.
pub fn emit_llvm(program: &Program, options: &Options) -> Result<String, Error> {
    with_llvm(program, options, |module, _, _| Ok(module.print_to_string().to_string()))
}

/// The kernels in PTX; of a program without kernels, an empty text.
pub fn emit_ptx(program: &Program, options: &Options) -> Result<String, Error> {
    let context = pipeline::context();
    let shared = Shared::new(&context);
    let (module, _) = lower::lower(&shared, program, Target::Nvptx)?;
    match nvptx::extract_kernels(&shared, &module)? {
        Some(mut kernels) => nvptx::ptx(&context, &mut kernels, options),
        None => Ok(String::new()),
    }
}

/// The host's part in assembly.
pub fn emit_asm(program: &Program, options: &Options) -> Result<String, Error> {
    with_llvm(program, options, |module, machine, _| {
        String::from_utf8(llvm::emit(module, machine, FileType::Assembly)?).map_err(Error::bug)
    })
}

/// Writes the object to a file.
pub fn emit_obj(program: &Program, options: &Options, path: &Path) -> Result<(), Error> {
    let compiled = compile(program, options)?;
    std::fs::write(path, compiled.object)
        .map_err(|e| Error::Io(format!("cannot write {}", path.display()), e))
}

/// Lowers to the LLVM dialect; kernels leave as PTX, or become host functions.
fn host_dialect<'c>(
    context: &melior::Context,
    shared: &Shared<'c>,
    program: &Program,
    options: &Options,
) -> Result<(Module<'c>, Outline, Option<String>), Error> {
    let (mut module, outline) = lower::lower(shared, program, options.target)?;
    let ptx = match options.target {
        Target::Seq => None,
        Target::GpuEmu => {
            emu::kernels_to_host(shared, &module)?;
            None
        }
        Target::Nvptx => match nvptx::extract_kernels(shared, &module)? {
            Some(mut kernels) => Some(nvptx::ptx(context, &mut kernels, options)?),
            None => None,
        },
    };
    pipeline::run(context, &mut module, pipeline::HOST_TO_LLVM)?;
    if cfg!(debug_assertions) {
        pipeline::verify_lowered(&module)?;
    }
    Ok((module, outline, ptx))
}

/// Goes all the way to an optimised LLVM module.
fn with_llvm<T>(
    program: &Program,
    options: &Options,
    f: impl FnOnce(
        &inkwell::module::Module<'_>,
        &inkwell::targets::TargetMachine,
        Option<&str>,
    ) -> Result<T, Error>,
) -> Result<T, Error> {
    let context = pipeline::context();
    let shared = Shared::new(&context);
    let (module, outline, ptx) = host_dialect(&context, &shared, program, options)?;
    let llvm_context = inkwell::context::Context::create();
    let llvm_module = ffi::translate(&context, &llvm_context, module.as_operation())?;
    let machine = llvm::host_machine(options)?;
    llvm::prepare(&llvm_module, &machine);
    llvm::annotate(&llvm_context, &llvm_module, program);
    tables::add_tables(&llvm_context, &llvm_module, program, &outline, options, ptx.as_deref())?;
    llvm::optimise(&llvm_module, &machine, "default<O3>")?;
    f(&llvm_module, &machine, ptx.as_deref())
}

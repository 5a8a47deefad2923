//! Kernels to PTX.
//!
//! The `gpu.module` goes through `convert-gpu-to-nvvm` and becomes an LLVM module of its own.
//! Functions on floats keep their C names up to here; each gets a body that calls the OpenCL
//! function of the same meaning, and libclc, which defines those, is linked in. A kernel that needs
//! none of them needs no libclc.

mod failures;

use crate::abi::{self, CType};
use crate::dialect::{Shared, name_of, symbol_of};
use crate::lower::KERNEL_MODULE;
use crate::{Error, OptLevel, Options, ffi, llvm, pipeline};
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::{Linkage, Module as LlvmModule};
use inkwell::targets::{
    FileType, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple,
};
use inkwell::values::{BasicMetadataValueEnum, FunctionValue};
use melior::ir::block::BlockLike;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Location, Module};
use std::path::Path;

type Result<T> = std::result::Result<T, Error>;

/// The GPU that code is for unless options say otherwise: the oldest with all that is used.
pub const DEFAULT_ARCH: &str = "sm_80";

/// Where distributions put libclc.
const LIBCLC: &[&str] =
    &["/usr/lib/clc/nvptx64--.bc", "/usr/share/clc/nvptx64--.bc", "/usr/lib64/clc/nvptx64--.bc"];

/// The mathematical functions of kernels, if they are installed.
pub fn libclc() -> Option<&'static Path> {
    LIBCLC.iter().map(Path::new).find(|path| path.exists())
}

/// The `gpu.module` of a module, taken out of it.
pub fn extract_kernels<'c>(shared: &Shared<'c>) -> Result<Option<Module<'c>>> {
    let mut next = shared.building.module.body().first_operation();
    while let Some(operation) = next {
        next = operation.next_in_block();
        if is_kernels(operation) {
            let copy = ffi::module_of_copy(Location::unknown(shared.context), operation);
            shared.building.erase(operation)?;
            return Ok(Some(copy));
        }
    }
    Ok(None)
}

fn is_kernels(operation: OperationRef<'_, '_>) -> bool {
    name_of(operation) == "gpu.module" && symbol_of(operation).as_deref() == Some(KERNEL_MODULE)
}

/// Lowers kernels to PTX.
pub fn ptx(mlir: &melior::Context, kernels: &mut Module<'_>, options: &Options) -> Result<String> {
    pipeline::run(mlir, kernels, pipeline::KERNELS_TO_NVVM)?;
    let context = Context::create();
    let operation = kernels.body().first_operation().ok_or_else(|| Error::bug("no gpu.module"))?;
    let module = ffi::translate(mlir, &context, operation)?;
    let machine = machine(options)?;
    llvm::prepare(&module, &machine);
    llvm::addresses_in_bounds(&module)?;
    failures::define(&context, &module)?;
    define_scalar_functions(&context, &module)?;
    // Whatever is no kernel may vanish.
    let mut function = module.get_first_function();
    while let Some(f) = function {
        function = f.get_next_function();
        if f.count_basic_blocks() > 0 && !is_kernel(f) {
            f.set_linkage(Linkage::Internal);
        }
    }
    for global in module.get_globals() {
        if global.get_initializer().is_some() {
            global.set_linkage(Linkage::Internal);
        }
    }
    llvm::optimise(&module, &machine, "default<O3>", true)?;
    let text = llvm::emit(&module, &machine, FileType::Assembly)?;
    String::from_utf8(text).map_err(Error::bug)
}

fn is_kernel(f: FunctionValue<'_>) -> bool {
    f.get_name().to_bytes().starts_with(b"kernel_")
}

/// The GPU that kernels are for.
pub fn machine(options: &Options) -> Result<TargetMachine> {
    Target::initialize_nvptx(&InitializationConfig::default());
    let triple = TargetTriple::create("nvptx64-nvidia-cuda");
    let target = Target::from_triple(&triple).map_err(Error::bug)?;
    let arch = options.gpu_arch.as_deref().unwrap_or(DEFAULT_ARCH);
    llvm::machine(&target, &triple, arch, "", OptLevel::O3, RelocMode::PIC)
}

/// The name of the OpenCL function with the meaning of a C function, mangled as OpenCL C is.
fn opencl_name(symbol: &str, parameters: &[CType]) -> String {
    let base = match symbol {
        "futc_f32_gamma" | "futc_f64_gamma" => "tgamma",
        "futc_f32_lgamma" | "futc_f64_lgamma" => "lgamma",
        "futc_fmod" | "futc_fmodf" => "fmod",
        _ if parameters.first() == Some(&CType::F32) => symbol.strip_suffix('f').unwrap_or(symbol),
        _ => symbol,
    };
    let letters: String = parameters
        .iter()
        .map(|t| match t {
            CType::F32 => 'f',
            CType::F64 => 'd',
            CType::I32 => 'i',
            CType::I64 => 'l',
            CType::Ptr | CType::Block | CType::Task | CType::Combine => 'p',
        })
        .collect();
    format!("_Z{}{base}{letters}", base.len())
}

fn define_scalar_functions<'l>(context: &'l Context, module: &LlvmModule<'l>) -> Result<()> {
    let mut any = false;
    for (symbol, parameters, _) in abi::scalar_functions() {
        let Some(function) = module.get_function(symbol) else { continue };
        any = true;
        let name = opencl_name(symbol, &parameters);
        let callee = module
            .get_function(&name)
            .unwrap_or_else(|| module.add_function(&name, function.get_type(), None));
        let builder = context.create_builder();
        builder.position_at_end(context.append_basic_block(function, "entry"));
        let arguments: Vec<BasicMetadataValueEnum<'_>> =
            function.get_param_iter().map(Into::into).collect();
        let call = builder.build_call(callee, &arguments, "").map_err(Error::bug)?;
        let value = call.try_as_basic_value().basic().ok_or_else(|| Error::bug("no result"))?;
        builder.build_return(Some(&value)).map_err(Error::bug)?;
    }
    if !any {
        return Ok(());
    }
    let path = libclc().ok_or_else(|| {
        Error::Limitation(format!(
            "kernels that call mathematical functions need libclc, which is at none of {}",
            LIBCLC.join(", ")
        ))
    })?;
    let buffer = MemoryBuffer::create_from_file(path).map_err(Error::bug)?;
    let library = LlvmModule::parse_bitcode_from_buffer(&buffer, context).map_err(Error::bug)?;
    library.set_triple(&module.get_triple());
    library.set_data_layout(&module.get_data_layout());
    module.link_in_module(library).map_err(Error::bug)
}

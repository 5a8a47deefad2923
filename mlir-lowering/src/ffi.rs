//! Everything in this crate that Rust cannot check, in one place.
//!
//! melior ties the life of a block to the region that holds it, which makes it impossible to build
//! a region while values of it are in use, and it has no way from an MLIR module into inkwell's
//! LLVM.
//!
//! # Note [References while a module is built]
//!
//! References to operations, blocks and values of a module have the lifetime `'c` of [`Building`], which [`building`]
//! brands: they cannot leave the function that it calls. Until that function is done nothing that they may refer to is
//! freed: the module is [`building`]'s, what is erased waits in the `Building`, and a [`Region`] that no operation takes is
//! left behind. So they may be copied and kept at will, and none of the functions here that hand them out asks its
//! callers for anything. Passes of MLIR, which free operations, run on a whole module behind it.
//!
//! Functions that delete what LLVM has are `unsafe`, as inkwell's are: its values are copied freely, too.

#![allow(unsafe_code, reason = "what Rust cannot check is here")]

use crate::Error;
use inkwell::GlobalVisibility;
use inkwell::attributes::AttributeLoc;
use inkwell::builder::Builder as LlvmBuilder;
use inkwell::llvm_sys::core::{
    LLVMBuildFreeze, LLVMGetMaskValue, LLVMGetNumMaskElements, LLVMGlobalClearMetadata,
    LLVMIsAConstantFP, LLVMReplaceAllUsesWith,
};
use inkwell::llvm_sys::support::LLVMParseCommandLineOptions;
use inkwell::module::{Linkage, Module as LlvmModule};
use inkwell::types::{AnyType, BasicTypeEnum};
use inkwell::values::{
    AsValueRef, BasicValue, FloatValue, FunctionValue, GlobalValue, InstructionOpcode,
    InstructionValue, IntValue, PointerValue, VectorValue,
};
use melior::Context;
use melior::StringRef;
use melior::ir::attribute::{AttributeLike, DenseElementsAttribute, FlatSymbolRefAttribute};
use melior::ir::block::BlockLike;
use melior::ir::operation::OperationResult;
use melior::ir::operation::{Operation, OperationLike, OperationRef};
use melior::ir::r#type::{DimSize, MemRefType, RankedTensorType, ShapedTypeLike};
use melior::ir::{
    AffineMap, Attribute, Block, BlockRef, Location, Module, RegionLike, Type, TypeLike, Value,
    ValueLike,
};
use mlir_sys::{
    MlirOperation, mlirAffineMapAttrGet, mlirAffineMapAttrGetValue, mlirOpOperandIsNull,
    mlirOperationClone, mlirOperationDestroy, mlirOperationRemoveFromParent,
    mlirOperationSetAttributeByName, mlirOperationSetOperand, mlirOperationSetOperands,
    mlirRegionTakeBody, mlirShapedTypeGetDimSize, mlirShapedTypeGetElementType,
    mlirShapedTypeGetRank, mlirSymbolRefAttrGet, mlirSymbolRefAttrGetLeafReference,
    mlirTranslateModuleToLLVMIR, mlirValueGetFirstUse, mlirValueReplaceAllUsesOfWith,
    mlirValueSetType,
};
use std::cell::RefCell;
use std::ffi::{CStr, CString, OsString, c_char, c_int, c_void};
use std::mem::ManuallyDrop;
use std::os::unix::ffi::OsStrExt as _;
use std::sync::{Mutex, Once, PoisonError};

/// A module that is being built or converted: See Note [References while a module is built].
pub struct Building<'c> {
    /// The context of the module.
    pub context: &'c Context,
    /// The module.
    pub module: &'c Module<'c>,
    /// Operations that are erased, which nothing in the module refers to.
    erased: RefCell<Vec<MlirOperation>>,
}

impl Drop for Building<'_> {
    fn drop(&mut self) {
        for operation in self.erased.get_mut().drain(..) {
            // SAFETY: nothing else owns it, uses it or, as `building` is done, refers to it.
            unsafe { mlirOperationDestroy(operation) }
        }
    }
}

/// Runs `f`, which puts operations into a module or replaces them, and hands the module back with what comes out.
pub fn building<'m, T>(
    context: &'m Context,
    module: Module<'m>,
    f: impl for<'c> FnOnce(&'c Building<'c>) -> Result<T, Error>,
) -> Result<(Module<'m>, T), Error> {
    let building = Building { context, module: &module, erased: RefCell::default() };
    let done = f(&building);
    drop(building);
    Ok((module, done?))
}

/// A region that no operation has yet. One that none takes, as building fails, is not freed: references to
/// what is in it may be left.
pub struct Region<'c>(ManuallyDrop<melior::ir::Region<'c>>);

impl<'c> Region<'c> {
    /// An empty one.
    pub fn new() -> Region<'c> {
        Region(ManuallyDrop::new(melior::ir::Region::new()))
    }

    /// Its first block.
    pub fn first_block(&self) -> Option<BlockRef<'c, 'c>> {
        self.0.first_block().map(detach_block)
    }

    /// For an operation.
    pub fn into_owned(self) -> melior::ir::Region<'c> {
        ManuallyDrop::into_inner(self.0)
    }
}

/// A new region with one block of these arguments.
pub fn region_with_block<'c>(
    arguments: &[Type<'c>],
    location: Location<'c>,
) -> (Region<'c>, BlockRef<'c, 'c>) {
    let region = Region::new();
    let arguments: Vec<_> = arguments.iter().map(|t| (*t, location)).collect();
    let block = detach_block(region.0.append_block(Block::new(&arguments)));
    (region, block)
}

/// A value of the module that is being built, its life unbound from the reference it was reached by.
pub fn detach_value<'c>(value: Value<'c, '_>) -> Value<'c, 'c> {
    // SAFETY: See Note [References while a module is built].
    unsafe { Value::from_raw(value.to_raw()) }
}

/// As [`detach_value`], of an operation.
pub fn detach_operation<'c>(operation: OperationRef<'c, '_>) -> OperationRef<'c, 'c> {
    // SAFETY: See Note [References while a module is built].
    unsafe { OperationRef::from_raw(operation.to_raw()) }
}

/// As [`detach_value`], of a block.
pub fn detach_block<'c>(block: BlockRef<'c, '_>) -> BlockRef<'c, 'c> {
    // SAFETY: See Note [References while a module is built].
    unsafe { BlockRef::from_raw(block.to_raw()) }
}

/// Whether an operation uses a value.
pub fn is_used(value: Value<'_, '_>) -> bool {
    // SAFETY: the value is valid.
    unsafe { !mlirOpOperandIsNull(mlirValueGetFirstUse(value.to_raw())) }
}

/// The operation whose result a value is; of the argument of a block, none.
pub fn made_by<'c>(value: Value<'c, 'c>) -> Option<OperationRef<'c, 'c>> {
    OperationResult::try_from(value).ok().map(|result| detach_operation(result.owner()))
}

/// What tells a value from others as long as it is there.
pub fn address_of_value(value: Value<'_, '_>) -> usize {
    value.to_raw().ptr as usize
}

/// What tells a block from others as long as it is there.
pub fn address_of_block(block: BlockRef<'_, '_>) -> usize {
    block.to_raw().ptr as usize
}

/// Gives a value another type. What makes it and what uses it must be mended to agree.
pub fn set_type<'c>(value: Value<'c, 'c>, ty: Type<'c>) {
    // SAFETY: both are valid, of one context.
    unsafe { mlirValueSetType(value.to_raw(), ty.to_raw()) }
}

/// Gives an operation another operand; an error if it has no such operand.
pub fn set_operand<'c>(
    operation: OperationRef<'c, 'c>,
    i: usize,
    value: Value<'c, 'c>,
) -> Result<(), Error> {
    if i >= operation.operand_count() {
        return Err(Error::bug(format_args!("an operation without an operand {i}")));
    }
    // SAFETY: the operation has that many operands.
    unsafe { mlirOperationSetOperand(operation.to_raw(), i as isize, value.to_raw()) }
    Ok(())
}

/// Sets an attribute of an operation.
pub fn set_attribute<'c>(operation: OperationRef<'c, 'c>, name: &str, value: Attribute<'c>) {
    // SAFETY: the name is copied.
    unsafe {
        mlirOperationSetAttributeByName(
            operation.to_raw(),
            StringRef::new(name).to_raw(),
            value.to_raw(),
        );
    }
}

/// The shape of a memref, as far as its type tells.
pub fn shape_of(ty: MemRefType<'_>) -> Result<Vec<Option<i64>>, Error> {
    let size = |d| match ty.dim_size(d)? {
        DimSize::Static(n) => Ok(i64::try_from(n).ok()),
        DimSize::Dynamic => Ok(None),
    };
    (0..ty.rank()).map(size).collect()
}

/// How many bytes a number takes in memory.
pub fn bytes_of_scalar(ty: Type<'_>) -> Result<i64, Error> {
    let text = ty.to_string();
    let bits: Option<i64> = text.strip_prefix(['i', 'f']).and_then(|bits| bits.parse().ok());
    bits.map(|bits| (bits + 7) / 8)
        .ok_or_else(|| Error::bug(format_args!("an element of type {text}")))
}

/// How many bytes an array of known shape takes.
pub fn bytes_of(ty: Type<'_>) -> Result<i64, Error> {
    let memref = MemRefType::try_from(ty)?;
    let mut bytes = bytes_of_scalar(memref.element())?;
    for n in shape_of(memref)? {
        bytes *= n.ok_or_else(|| Error::bug("an array of unknown size"))?;
    }
    Ok(bytes)
}

/// The elements of a constant as they lie in memory. Those of truth values take a byte.
pub fn raw_elements(attribute: Attribute<'_>) -> Result<Vec<u8>, Error> {
    let dense = DenseElementsAttribute::try_from(attribute)?;
    let element = usize::try_from(bytes_of_scalar(element_of(dense.r#type()))?);
    let element = element.map_err(Error::bug)?;
    let bytes = dense.len() * element;
    let stored = if dense.is_splat() { element.min(bytes) } else { bytes };
    // SAFETY: MLIR stores all elements in whole bytes, or one that stands for all.
    let data = unsafe { std::slice::from_raw_parts(dense.raw_data().cast::<u8>(), stored) };
    Ok(data.iter().copied().cycle().take(bytes).collect())
}

/// The type of an element that an access is of: of a vector, its lanes'.
pub fn element_of_access(ty: Type<'_>) -> Type<'_> {
    if ty.is_vector() { element_of(ty) } else { ty }
}

/// The last operation of a block.
pub fn last_operation<'c>(block: BlockRef<'c, 'c>) -> Option<OperationRef<'c, 'c>> {
    let mut last = block.terminator().map(detach_operation);
    if last.is_none() {
        let mut next = block.first_operation().map(detach_operation);
        while let Some(operation) = next {
            last = Some(operation);
            next = operation.next_in_block().map(detach_operation);
        }
    }
    last
}

/// How many lanes a vector of one dimension has.
pub fn vector_length(ty: Type<'_>) -> Option<u64> {
    if !ty.is_vector() {
        return None;
    }
    // SAFETY: a vector is shaped, and has a dimension or none.
    let length = unsafe {
        match mlirShapedTypeGetRank(ty.to_raw()) {
            1 => mlirShapedTypeGetDimSize(ty.to_raw(), 0),
            _ => return None,
        }
    };
    u64::try_from(length).ok()
}

/// The tensor type with the shape and elements of a memref type.
pub fn tensor_like(ty: Type<'_>) -> Result<Type<'_>, Error> {
    let memref = MemRefType::try_from(ty)?;
    let mut shape = Vec::with_capacity(memref.rank());
    for d in 0..memref.rank() {
        match memref.dim_size(d)? {
            DimSize::Static(n) => shape.push(n),
            DimSize::Dynamic => return Err(Error::bug("a constant of unknown size")),
        }
    }
    Ok(RankedTensorType::new(&shape, memref.element(), None).into())
}

/// The type of the elements of a vector or memref; of others, themselves.
pub fn element_of(ty: Type<'_>) -> Type<'_> {
    if !ty.is_shaped() {
        return ty;
    }
    // SAFETY: the type is shaped.
    unsafe { Type::from_raw(mlirShapedTypeGetElementType(ty.to_raw())) }
}

/// Takes the blocks out of the first region of `operation` into a new region.
pub fn take_body<'c>(operation: OperationRef<'c, '_>) -> Result<Region<'c>, Error> {
    let source = operation.region(0)?;
    let region = Region::new();
    // SAFETY: both regions are valid and distinct.
    unsafe { mlirRegionTakeBody(region.0.to_raw(), source.to_raw()) };
    Ok(region)
}

/// Puts `with` in the place of `value` everywhere.
pub fn replace_uses<'c>(value: Value<'c, '_>, with: Value<'c, '_>) {
    // SAFETY: both values are valid.
    unsafe { mlirValueReplaceAllUsesOfWith(value.to_raw(), with.to_raw()) }
}

/// Sets options of LLVM that nothing but its command line reaches, for the whole process. What LLVM
/// does not know is passed over.
pub fn set_llvm_options(options: &[&CStr]) {
    static ONCE: Once = Once::new();
    // LLVM refuses to hear of an option twice.
    ONCE.call_once(|| {
        let arguments: Vec<_> = [c"futc"].iter().chain(options).map(|o| o.as_ptr()).collect();
        let count = i32::try_from(arguments.len()).unwrap_or(0);
        // SAFETY: the strings end with zero, and live until the call is over; LLVM copies them.
        unsafe {
            LLVMParseCommandLineOptions(count, arguments.as_ptr(), c"".as_ptr());
        }
    });
}

impl<'c> Building<'c> {
    /// Takes an operation out of the module; an error if a result of it is used.
    pub fn erase(&self, operation: OperationRef<'c, '_>) -> Result<(), Error> {
        if operation.results().any(|result| is_used(result.into())) {
            return Err(Error::bug("an operation is erased whose results are used"));
        }
        if operation.block().is_none() {
            return Err(Error::bug("an operation is erased that is not in a block"));
        }
        // It uses nothing any more, so that what it has used can be erased, too.
        for inside in descendants(operation) {
            // SAFETY: the operation is valid, and wants no array of no operands.
            unsafe { mlirOperationSetOperands(inside.to_raw(), 0, std::ptr::null()) }
        }
        // SAFETY: the operation is valid, in a block, and nothing in the module refers to it.
        unsafe { mlirOperationRemoveFromParent(operation.to_raw()) }
        self.erased.borrow_mut().push(operation.to_raw());
        Ok(())
    }
}

/// The same number, or some number where it is poison or undefined (`freeze`).
pub fn freeze<'l>(builder: &LlvmBuilder<'l>, x: IntValue<'l>) -> IntValue<'l> {
    // SAFETY: the builder stands in a block and the value is of the same context, which `'l` says; the result has its type.
    unsafe { IntValue::new(LLVMBuildFreeze(builder.as_mut_ptr(), x.as_value_ref(), c"".as_ptr())) }
}

/// Puts a value in the place of an instruction of its type. What builders make of constants is a constant, and no instruction.
pub fn put_in_place<'l>(value: impl BasicValue<'l>, of: InstructionValue<'l>) -> Result<(), Error> {
    let value = value.as_basic_value_enum();
    if of.get_type() != value.get_type().as_any_type_enum() {
        return Err(Error::bug("a value of another type"));
    }
    // SAFETY: both are values of one type; the instruction has no uses afterwards.
    unsafe { LLVMReplaceAllUsesWith(of.as_value_ref(), value.as_value_ref()) }
    of.erase_from_basic_block();
    Ok(())
}

/// The integer that all lanes of a vector are, where an instruction puts it there, and that instruction.
pub fn splatted(x: VectorValue<'_>) -> Option<(InstructionValue<'_>, IntValue<'_>)> {
    let shuffle =
        x.as_instruction().filter(|i| i.get_opcode() == InstructionOpcode::ShuffleVector)?;
    let inserted = shuffle.get_operand(0)?.value()?.into_vector_value().as_instruction()?;
    if inserted.get_opcode() != InstructionOpcode::InsertElement {
        return None;
    }
    let lane = inserted.get_operand(2)?.value()?.into_int_value().get_zero_extended_constant()?;
    // SAFETY: asks a `shufflevector` for its mask, of as many lanes as it has.
    let same = unsafe {
        let x = shuffle.as_value_ref();
        (0..LLVMGetNumMaskElements(x)).all(|k| u64::try_from(LLVMGetMaskValue(x, k)) == Ok(lane))
    };
    let element = inserted.get_operand(1)?.value()?;
    (same && element.is_int_value()).then(|| (shuffle, element.into_int_value()))
}

/// A float that is written as a number or as none: constants without value and expressions are not.
pub fn constant(x: FloatValue<'_>) -> Option<f64> {
    // SAFETY: asks what a value is.
    let written = unsafe { !LLVMIsAConstantFP(x.as_value_ref()).is_null() };
    written.then(|| x.get_constant())?.map(|(x, _)| x)
}

/// Deletes a global variable of LLVM; an error if something refers to it.
///
/// # Safety
///
/// No copy of `global` is used afterwards.
pub unsafe fn delete(global: GlobalValue<'_>) -> Result<(), Error> {
    if global.as_pointer_value().get_first_use().is_some() {
        return Err(Error::bug("a variable is deleted that is used"));
    }
    // SAFETY: the variable is valid and nothing in the module refers to it, nor do callers.
    unsafe { global.delete() }
    Ok(())
}

/// Puts a declaration in the place of a function, whose body is gone afterwards. It is looked for in other modules
/// of the same program.
///
/// # Safety
///
/// No copy of `function` is used afterwards.
pub unsafe fn declare_instead<'l>(
    module: &LlvmModule<'l>,
    function: FunctionValue<'l>,
) -> FunctionValue<'l> {
    let name = function.get_name().to_string_lossy().into_owned();
    let declared = module.add_function("", function.get_type(), Some(Linkage::External));
    let parameters = (0..function.count_params()).map(AttributeLoc::Param);
    for at in [AttributeLoc::Function, AttributeLoc::Return].into_iter().chain(parameters) {
        for attribute in function.attributes(at) {
            declared.add_attribute(at, attribute);
        }
    }
    function.replace_all_uses_with(declared);
    // SAFETY: the function is valid, and nothing of the module refers to it any more, nor do callers.
    unsafe { function.delete() };
    declared.as_global_value().set_name(&name);
    declared.as_global_value().set_visibility(GlobalVisibility::Hidden);
    declared
}

/// Deletes a function if nothing refers to it.
///
/// # Safety
///
/// No copy of `function` is used afterwards.
pub unsafe fn delete_unused_function(function: FunctionValue<'_>) {
    if function.as_global_value().as_pointer_value().get_first_use().is_none() {
        // SAFETY: as above.
        unsafe { function.delete() }
    }
}

/// Takes the metadata from a function: that of a declaration must not stay when it gets a body.
pub fn clear_metadata(function: FunctionValue<'_>) {
    // SAFETY: the function is valid; metadata is not referred to from here.
    unsafe { LLVMGlobalClearMetadata(function.as_value_ref()) }
}

/// As [`declare_instead`], of a global variable.
///
/// # Safety
///
/// No copy of `global` is used afterwards.
pub unsafe fn declare_global_instead<'l>(
    module: &LlvmModule<'l>,
    global: GlobalValue<'l>,
) -> Result<(), Error> {
    let name = global.get_name().to_string_lossy().into_owned();
    let ty = BasicTypeEnum::try_from(global.get_value_type())
        .map_err(|_| Error::bug(format_args!("the variable {name} has no size")))?;
    // SAFETY: as of this function.
    unsafe { declare_global_as(module, global, ty, &name) }
}

/// As [`declare_global_instead`], with another type and name.
///
/// # Safety
///
/// No copy of `global` is used afterwards.
pub unsafe fn declare_global_as<'l>(
    module: &LlvmModule<'l>,
    global: GlobalValue<'l>,
    ty: BasicTypeEnum<'l>,
    name: &str,
) -> Result<(), Error> {
    let declared = module.add_global(ty, None, "");
    declared.set_constant(global.is_constant());
    declared.set_alignment(global.get_alignment());
    global.as_pointer_value().replace_all_uses_with(declared.as_pointer_value());
    // SAFETY: as of this function.
    unsafe { delete(global)? };
    declared.set_name(name);
    declared.set_visibility(GlobalVisibility::Hidden);
    Ok(())
}

/// The address of an element of an array of which it is known that it has that element.
pub fn element<'l>(
    builder: &LlvmBuilder<'l>,
    ty: BasicTypeEnum<'l>,
    array: PointerValue<'l>,
    index: IntValue<'l>,
) -> Result<PointerValue<'l>, Error> {
    // SAFETY: it is the compiled program that must not reach outside of the array.
    unsafe { builder.build_in_bounds_gep(ty, array, &[index], "").map_err(Error::bug) }
}

/// Translates an operation in the LLVM dialect (a module, or a `gpu.module` after conversion) into
/// an LLVM module of inkwell's context.
pub fn translate<'l>(
    mlir: &Context,
    llvm: &'l inkwell::context::Context,
    operation: OperationRef<'_, '_>,
) -> Result<LlvmModule<'l>, Error> {
    use inkwell::context::AsContextRef;
    melior::utility::register_all_llvm_translations(mlir);
    // SAFETY: melior and inkwell are linked against one LLVM, so the context is what MLIR expects;
    // the module returned belongs to it and is owned by nobody else.
    unsafe {
        let raw = mlirTranslateModuleToLLVMIR(operation.to_raw(), llvm.as_ctx_ref().cast());
        if raw.is_null() {
            return Err(Error::bug("MLIR could not be translated to LLVM IR"));
        }
        Ok(LlvmModule::new(raw.cast()))
    }
}

/// Moves an operation to the end of a block.
pub fn move_to_end<'c>(block: BlockRef<'c, 'c>, operation: OperationRef<'c, 'c>) {
    // SAFETY: the operation is valid, and has one owner at any time.
    unsafe {
        mlirOperationRemoveFromParent(operation.to_raw());
        mlir_sys::mlirBlockAppendOwnedOperation(block.to_raw(), operation.to_raw());
    }
}

/// A module holding a copy of `operation`.
pub fn module_of_copy<'c>(location: Location<'c>, operation: OperationRef<'c, '_>) -> Module<'c> {
    let module = Module::new(location);
    // SAFETY: the copy is a new operation, which the module's block takes over.
    unsafe {
        let copy = mlirOperationClone(operation.to_raw());
        mlir_sys::mlirBlockAppendOwnedOperation(module.body().to_raw(), copy);
    }
    module
}

/// A copy of an operation and of what is inside of it, which is in no block yet.
pub fn copy<'c>(operation: OperationRef<'c, '_>) -> Operation<'c> {
    // SAFETY: the copy is a new operation, of which the caller becomes the owner.
    unsafe { Operation::from_raw(mlirOperationClone(operation.to_raw())) }
}

/// An affine map as an attribute.
pub fn attribute_of_map<'c>(map: AffineMap<'c>) -> Attribute<'c> {
    // SAFETY: the map is valid, of the context that the attribute is of.
    unsafe { Attribute::from_raw(mlirAffineMapAttrGet(map.to_raw())) }
}

/// The affine map that an attribute is, if it is one.
pub fn map_of_attribute(attribute: Attribute<'_>) -> Option<AffineMap<'_>> {
    // SAFETY: the attribute is valid, and a map.
    attribute
        .is_affine_map()
        .then(|| unsafe { AffineMap::from_raw(mlirAffineMapAttrGetValue(attribute.to_raw())) })
}

/// A reference to a symbol inside of another one, such as `@kernels::@kernel_0`.
pub fn nested_symbol<'c>(context: &'c Context, outer: &str, inner: &str) -> Attribute<'c> {
    let inner = FlatSymbolRefAttribute::new(context, inner).to_raw();
    // SAFETY: the name is copied, and so are the references, of which there is one.
    unsafe {
        let outer = StringRef::new(outer).to_raw();
        Attribute::from_raw(mlirSymbolRefAttrGet(context.to_raw(), outer, 1, &raw const inner))
    }
}

/// The innermost symbol of a reference to one.
pub fn innermost_symbol(attribute: Attribute<'_>) -> Result<String, Error> {
    if !attribute.is_symbol_ref() {
        return Err(Error::bug("what should be a symbol is none"));
    }
    // SAFETY: it is a reference, whose text lives as long as the context.
    let symbol =
        unsafe { StringRef::from_raw(mlirSymbolRefAttrGetLeafReference(attribute.to_raw())) };
    symbol.as_str().map(str::to_owned).map_err(Error::bug)
}

/// All operations inside an operation, and itself, outermost first.
pub fn descendants<'c, 'a>(root: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    use melior::ir::operation::{WalkOrder, WalkResult};
    let mut found = Vec::new();
    root.walk(WalkOrder::PreOrder, |operation| {
        found.push(operation.to_raw());
        WalkResult::Advance
    });
    // SAFETY: they are there as long as the outermost one is.
    found.into_iter().map(|raw| unsafe { OperationRef::from_raw(raw) }).collect()
}

unsafe extern "C" {
    /// In `lld.cpp`.
    fn futc_lld(arguments: *const *const c_char, count: usize, said: *mut *mut c_char) -> c_int;
    fn free(block: *mut c_void);
}

/// Links as LLVM's `ld.lld` or `wasm-ld` does that is given these arguments, its name the first of them. An error is what
/// it says. One thread after the other: it has global variables.
pub fn lld(arguments: &[OsString]) -> Result<(), String> {
    /// Whether the linker may be called.
    static USABLE: Mutex<bool> = Mutex::new(true);
    let mut usable = USABLE.lock().unwrap_or_else(PoisonError::into_inner);
    if !*usable {
        return Err("the linker failed before".to_owned());
    }
    let texts: Result<Vec<CString>, _> =
        arguments.iter().map(|text| CString::new(text.as_bytes())).collect();
    let texts = texts.map_err(|e| e.to_string())?;
    let pointers: Vec<*const c_char> = texts.iter().map(|text| text.as_ptr()).collect();
    let mut said: *mut c_char = std::ptr::null_mut();
    // SAFETY: the arguments live until it returns; no other thread is in it; what it says is a text of its own, or null.
    let (result, said) = unsafe {
        let result = futc_lld(pointers.as_ptr(), pointers.len(), &raw mut said);
        let text = match said.is_null() {
            true => String::new(),
            false => CStr::from_ptr(said).to_string_lossy().into_owned(),
        };
        free(said.cast());
        (result, text)
    };
    *usable = result != 2;
    if result == 0 { Ok(()) } else { Err(said) }
}

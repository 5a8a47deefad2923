//! Functions of vectors that map bodies call when they go by lanes (`lower::spmd`).
//!
//! ```text
//! declare <32 x float> @futc.lanes.expf.32(<32 x float>)
//!   ⟶
//! define internal <32 x float> @futc.lanes.expf.32(<32 x float> %x) alwaysinline {
//!   … the vector function of 16 lanes for each half }
//! ```
//!
//! How many lanes there are is decided by the schedule, and which vector functions there are by the
//! processor. So what is called is a function of exactly as many lanes, and its body is written here: it calls
//! the widest vector function that does not have more lanes, as often as it takes. Where there is none, or exact
//! results are asked for, it calls the scalar function for each lane.

use super::versions::variant_of;
use crate::cpu::Cpu;
use crate::ffi;
use crate::{Error, llvm};
use inkwell::IntPredicate;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::builder::Builder;
use inkwell::context::Context;
use inkwell::module::{Linkage, Module};
use inkwell::types::{BasicTypeEnum, VectorType};
use inkwell::values::{BasicMetadataValueEnum, BasicValue, FunctionValue, VectorValue};

type Result<T> = std::result::Result<T, Error>;

/// What names of such functions begin with.
const PREFIX: &str = "futc.lanes.";

/// The name of a function of the C library over so many lanes.
pub fn symbol(function: &str, lanes: u64) -> String {
    format!("{PREFIX}{function}.{lanes}")
}

/// The function of the C library that a name is of.
fn function_of(symbol: &str) -> Option<&str> {
    symbol.strip_prefix(PREFIX)?.rsplit_once('.').map(|(function, _)| function)
}

/// All such functions that a module declares, and of which function of the C library they are.
pub(super) fn declared<'l>(module: &Module<'l>) -> Vec<(FunctionValue<'l>, String)> {
    let named = |f: FunctionValue<'l>| {
        Some((f, function_of(f.get_name().to_str().ok()?).map(str::to_owned)?))
    };
    module.get_functions().filter_map(named).collect()
}

/// Writes the bodies of all such functions of a module. With `exact` results are those of scalar functions.
pub fn define<'l>(context: &'l Context, module: &Module<'l>, cpu: Cpu, exact: bool) -> Result<()> {
    for (function, scalar) in declared(module) {
        let scalar = scalar.as_str();
        // With `-g`, MLIR gives declarations positions, which a definition may not have.
        ffi::clear_metadata(function);
        let widest = if exact { None } else { widest(context, module, function, scalar, cpu)? };
        match widest {
            Some((variant, lanes)) => in_parts(context, function, variant, lanes)?,
            None => one_by_one(context, module, function, scalar)?,
        }
        function.set_linkage(Linkage::Internal);
        let kind = if widest.is_some() { "alwaysinline" } else { "noinline" };
        let id = Attribute::get_named_enum_kind_id(kind);
        function.add_attribute(AttributeLoc::Function, context.create_enum_attribute(id, 0));
        llvm::annotate_scalar_function(context, function);
    }
    Ok(())
}

/// The interface whose vector functions have the most lanes of those that a function needs, or else the narrowest.
pub(super) fn interface(function: FunctionValue<'_>, cpu: Cpu) -> Result<Option<(char, i64)>> {
    let ty = vector(function.get_type().get_return_type())?;
    let bits = match ty.get_element_type() {
        BasicTypeEnum::FloatType(t) => i64::from(t.get_bit_width()),
        _ => return Ok(None),
    };
    let fits = |(_, bytes): &&(char, i64)| 8 * bytes / bits <= i64::from(ty.get_size());
    Ok(cpu.interfaces.iter().rfind(fits).or(cpu.interfaces.first()).copied())
}

/// The vector function of that interface, and its lanes.
fn widest<'l>(
    context: &'l Context,
    module: &Module<'l>,
    function: FunctionValue<'l>,
    scalar: &str,
    cpu: Cpu,
) -> Result<Option<(FunctionValue<'l>, u32)>> {
    let arity = function.count_params() as usize;
    let Some(interface) = interface(function, cpu)? else { return Ok(None) };
    let found = variant_of(context, module, scalar, arity, cpu, interface)?;
    Ok(found.map(|variant| (variant.function, variant.lanes)))
}

/// Calls a function of fewer lanes for one part after the other; or one of more, of which nobody looks at the
/// rest.
fn in_parts<'l>(
    context: &'l Context,
    function: FunctionValue<'l>,
    part: FunctionValue<'l>,
    of_part: u32,
) -> Result<()> {
    let builder = context.create_builder();
    builder.position_at_end(context.append_basic_block(function, ""));
    let lanes = vector(function.get_type().get_return_type())?.get_size();
    let mut results = Vec::new();
    for first in (0..lanes).step_by(of_part as usize) {
        // Lanes beyond the last are some others.
        let taken: Vec<u32> = (first..first + of_part).map(|i| i % lanes).collect();
        let mut arguments: Vec<BasicMetadataValueEnum<'l>> = Vec::new();
        for x in function.get_params() {
            arguments.push(shuffle(context, &builder, x.into_vector_value(), None, &taken)?.into());
        }
        let called = builder.build_call(part, &arguments, "").map_err(Error::bug)?;
        let called = called.try_as_basic_value().basic();
        results.push(
            called.ok_or_else(|| Error::bug("a function without result"))?.into_vector_value(),
        );
    }
    while let [a, b, ..] = results.as_slice() {
        let (a, b) = (*a, *b);
        let both: Vec<u32> = (0..2 * a.get_type().get_size()).collect();
        // Pairs of neighbours, all of the same length: their number is a power of two.
        let joined = shuffle(context, &builder, a, Some(b), &both)?;
        results.drain(..2);
        results.push(joined);
    }
    let result = *results.first().ok_or_else(|| Error::bug("a vector of no lanes"))?;
    let wanted: Vec<u32> = (0..lanes).collect();
    let result = shuffle(context, &builder, result, None, &wanted)?;
    builder.build_return(Some(&result.as_basic_value_enum())).map_err(Error::bug)?;
    Ok(())
}

/// Lanes of one or two vectors in another order.
fn shuffle<'l>(
    context: &'l Context,
    builder: &Builder<'l>,
    x: VectorValue<'l>,
    y: Option<VectorValue<'l>>,
    lanes: &[u32],
) -> Result<VectorValue<'l>> {
    let i32 = context.i32_type();
    let mask: Vec<_> = lanes.iter().map(|i| i32.const_int(u64::from(*i), false)).collect();
    let y = y.unwrap_or_else(|| x.get_type().get_poison());
    builder.build_shuffle_vector(x, y, VectorType::const_vector(&mask), "").map_err(Error::bug)
}

/// Calls the scalar function in a loop over the lanes, which lie in memory meanwhile.
fn one_by_one<'l>(
    context: &'l Context,
    module: &Module<'l>,
    function: FunctionValue<'l>,
    scalar: &str,
) -> Result<()> {
    let builder = context.create_builder();
    let [entry, round, done] =
        ["", "round", "done"].map(|n| context.append_basic_block(function, n));
    builder.position_at_end(entry);
    let result_type = vector(function.get_type().get_return_type())?;
    let mut places = Vec::new();
    for x in function.get_params() {
        let place = builder.build_alloca(x.get_type(), "").map_err(Error::bug)?;
        builder.build_store(place, x).map_err(Error::bug)?;
        places.push((vector(Some(x.get_type()))?.get_element_type(), place));
    }
    let results = builder.build_alloca(result_type, "").map_err(Error::bug)?;
    builder.build_unconditional_branch(round).map_err(Error::bug)?;

    builder.position_at_end(round);
    let i64 = context.i64_type();
    let lane = builder.build_phi(i64, "").map_err(Error::bug)?;
    let i = lane.as_basic_value().into_int_value();
    let mut arguments: Vec<BasicMetadataValueEnum<'l>> = Vec::new();
    let mut types = Vec::new();
    for (ty, place) in places {
        let at = crate::ffi::element(&builder, ty, place, i)?;
        arguments.push(builder.build_load(ty, at, "").map_err(Error::bug)?.into());
        types.push(ty.into());
    }
    let element = result_type.get_element_type();
    let callee = match module.get_function(scalar) {
        Some(callee) => callee,
        None => module.add_function(scalar, fn_type(element, &types)?, None),
    };
    llvm::annotate_scalar_function(context, callee);
    let called = builder.build_call(callee, &arguments, "").map_err(Error::bug)?;
    let called = called.try_as_basic_value().basic();
    let called = called.ok_or_else(|| Error::bug("a function without result"))?;
    let at = crate::ffi::element(&builder, element, results, i)?;
    builder.build_store(at, called).map_err(Error::bug)?;
    let next = builder.build_int_add(i, i64.const_int(1, false), "").map_err(Error::bug)?;
    lane.add_incoming(&[(&i64.const_zero(), entry), (&next, round)]);
    let lanes = i64.const_int(u64::from(result_type.get_size()), false);
    let more = builder.build_int_compare(IntPredicate::ULT, next, lanes, "").map_err(Error::bug)?;
    builder.build_conditional_branch(more, round, done).map_err(Error::bug)?;

    builder.position_at_end(done);
    let result = builder.build_load(result_type, results, "").map_err(Error::bug)?;
    builder.build_return(Some(&result)).map_err(Error::bug)?;
    Ok(())
}

fn fn_type<'l>(
    result: BasicTypeEnum<'l>,
    parameters: &[inkwell::types::BasicMetadataTypeEnum<'l>],
) -> Result<inkwell::types::FunctionType<'l>> {
    match result {
        BasicTypeEnum::FloatType(t) => Ok(t.fn_type(parameters, false)),
        BasicTypeEnum::IntType(t) => Ok(t.fn_type(parameters, false)),
        _ => Err(Error::bug("a function of numbers without a number as its result")),
    }
}

fn vector(ty: Option<BasicTypeEnum<'_>>) -> Result<VectorType<'_>> {
    match ty {
        Some(BasicTypeEnum::VectorType(t)) => Ok(t),
        _ => Err(Error::bug("a function of lanes that is not one of vectors")),
    }
}

//! Operations of linalg, each as its attributes say: by the code of [`crate::lower`] that makes loops,
//! at the place of the operation.

use super::alike::Alike;
use super::contraction::{Loops, Product};
use super::conversion::{self, Result, entry_of, host, lowering_into, made_of, operand};
use crate::Error;
use crate::dialect::{Access, Builder, InsertionPoint, Ix, Shared, Val, layout_of, name_of};
use crate::host::Machine;
use crate::lower::Lowering;
use crate::lower::contraction::TILE;
use crate::lower::copy::{ALONG, Across, DENSE, INNERMOST, PANELS, RUNS, SQUARES, TILES};
use crate::lower::function::{Array, Function, Site, Symbolic};
use crate::lower::memrefs::Memrefs;
use crate::lower::panels::Panels;
use crate::{dialect, ffi};
use futc_midend::ir::{FloatType, IntType, Prim, Var};
use futc_typed::name::Name;
use melior::ir::ValueLike;
use melior::ir::attribute::{DenseI64ArrayAttribute, IntegerAttribute};
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::r#type::MemRefType;

/// Makes loops of all operations of linalg.
pub fn to_loops<'c>(shared: &Shared<'c>, machine: Machine) -> Result<()> {
    let whole = |operation: &OperationRef<'c, 'c>| {
        let name = operation.name();
        name.as_string_ref()
            .as_str()
            .is_ok_and(|n| n.starts_with("linalg.") && n != "linalg.yield" && n != "linalg.index")
    };
    let found: Vec<_> =
        ffi::descendants(shared.building.module.as_operation()).into_iter().filter(whole).collect();
    if found.is_empty() {
        return Ok(());
    }
    let mut alike = Alike::of(&found)?;
    lowering_into(shared, machine, |lowering| {
        let mut fill = None;
        for operation in found {
            // A product does it matrix by matrix.
            if name_of(operation) == "linalg.fill" && next_is_product(operation)? {
                fill = Some(operation);
            } else if name_of(operation) == "linalg.generic" {
                product(lowering, operation, fill)?;
                shared.building.erase(operation)?;
                fill.take().map_or(Ok(()), |fill| shared.building.erase(fill))?;
            } else {
                expand(lowering, &mut alike, operation)?;
                shared.building.erase(operation)?;
            }
        }
        Ok(())
    })
}

/// Puts loops before an operation that do what it does.
fn expand<'c>(
    lowering: &mut Lowering<'c, '_, '_>,
    alike: &mut Alike,
    operation: OperationRef<'c, 'c>,
) -> Result<()> {
    let (source, to) = (operand(operation, 0)?, operand(operation, 1)?);
    let entry = entry_of(operation)?;
    // Nothing is asked of the runtime, so it does not matter who runs it.
    let mut f = Function::new(lowering, entry, Site::Device(to));
    f.b.location = operation.location();
    f.b.go(InsertionPoint::before(operation)?);
    let target = array_of(&f.b, to)?;
    let dense = operation.has_attribute(DENSE);
    match name_of(operation).as_str() {
        "linalg.fill" => f.do_fill(&target, source, dense, &access_of_fill(operation)),
        "linalg.copy" => {
            let source = array_of(&f.b, source)?;
            let runs = number(operation, RUNS)?.map(usize::try_from).transpose();
            f.do_copy(&target, &source, runs.map_err(Error::bug)?)
        }
        "linalg.transpose" => {
            let permutation =
                DenseI64ArrayAttribute::try_from(operation.attribute("permutation")?)?;
            let mut from = Vec::with_capacity(permutation.len());
            for d in 0..permutation.len() {
                from.push(usize::try_from(permutation.element(d)?).map_err(Error::bug)?);
            }
            let rank = from.len();
            let source = array_of(&f.b, source)?;
            let of_result =
                |xs: &[Ix<'c>]| from.iter().filter_map(|d| xs.get(*d).copied()).collect();
            let source = Array {
                strides: of_result(&source.strides),
                shape: of_result(&source.shape),
                memrefs: Memrefs::here(&f.b),
                ..source
            };
            let along = from.iter().position(|d| d + 1 == rank);
            let unit = target.strides.iter().rposition(|s| matches!(s, Ix::Const(1)));
            let dims = along.zip(unit).filter(|(a, b)| a != b);
            match dims {
                Some(dims) => {
                    let how = across(operation, dims)?;
                    if alike.call(&mut *f.m, operation, [&target, &source], how)? {
                        return Ok(());
                    }
                    f.do_transpose(&target, &source, how)
                }
                None => f.do_copy(&target, &source, None),
            }
        }
        name => Err(Error::bug(format_args!("{name} has no conversion"))),
    }
}

/// What a transposition says of how it is done.
fn across(operation: OperationRef<'_, '_>, dims: (usize, usize)) -> Result<Across> {
    let panels = match *numbers(operation, PANELS)? {
        [] => None,
        [rows, ahead, least, from] => Some(Panels { dims, rows, ahead, least, from }),
        _ => return Err(Error::bug("panels of other than four sizes")),
    };
    let squares = match *numbers(operation, SQUARES)? {
        [] => None,
        [lanes, side] if lanes > 0 && side > 0 => Some((lanes, side)),
        _ => return Err(Error::bug("squares of other than two sizes")),
    };
    let along = operation.has_attribute(ALONG);
    let innermost = operation.has_attribute(INNERMOST);
    Ok(Across { dims, along, innermost, panels, squares, tiles: number(operation, TILES)? })
}

/// An attribute that is a number, if it is there.
fn number(operation: OperationRef<'_, '_>, name: &str) -> Result<Option<i64>> {
    let Ok(attribute) = operation.attribute(name) else { return Ok(None) };
    Ok(Some(IntegerAttribute::try_from(attribute)?.value()))
}

/// Numbers that an attribute lists; none if it is not there.
fn numbers(operation: OperationRef<'_, '_>, name: &str) -> Result<Vec<i64>> {
    if operation.has_attribute(name) {
        conversion::numbers(operation, name)
    } else {
        Ok(Vec::new())
    }
}

fn access_of_fill<'c>(operation: OperationRef<'c, 'c>) -> Access<'c> {
    let mut access = Access::default();
    for name in ["futc.alias_scopes", "futc.noalias_scopes", "futc.access_groups"] {
        access.known.extend(operation.attribute(name).ok().map(|value| (name, value)));
    }
    access
}

/// Whether what stands behind a fill is a product whose results it fills.
fn next_is_product(fill: OperationRef<'_, '_>) -> Result<bool> {
    let Some(next) = fill.next_in_block().filter(|next| name_of(*next) == "linalg.generic") else {
        return Ok(false);
    };
    let result = next.operand(next.operand_count().saturating_sub(1))?;
    Ok(result == fill.operand(1)?)
}

/// Puts the loops of a product before it, of results that a fill is for if there is one.
fn product<'c>(
    lowering: &mut Lowering<'c, '_, '_>,
    operation: OperationRef<'c, 'c>,
    fill: Option<OperationRef<'c, 'c>>,
) -> Result<()> {
    let entry = entry_of(operation)?;
    // Blocks are asked of the runtime; without any it does not matter who runs it.
    let site = match operation.has_attribute(TILE) {
        true => host(lowering.shared, entry)?,
        false => Site::Device(operand(operation, 0)?),
    };
    let mut f = Function::new(lowering, entry, site);
    f.b.location = operation.location();
    f.b.go(InsertionPoint::before(operation)?);
    let arrays = conversion::operands(operation, 0)?;
    let arrays = arrays.into_iter().map(|a| array_of(&f.b, a)).collect::<Result<Vec<_>>>()?;
    let initial = match fill {
        Some(fill) => Some((operand(fill, 0)?, access_of_fill(fill))),
        None => None,
    };
    if operation.has_attribute(TILE) {
        let product = Product::of(&f, operation, arrays)?;
        f.do_product(&product, initial.as_ref())
    } else {
        let product = Loops::of(&mut f, operation, arrays)?;
        f.do_product_by_loops(&product, initial.as_ref())
    }
}

/// What a memref is made of: a view of a block, or a dense array by its type.
fn array_of<'c>(b: &Builder<'c, '_>, memref: Val<'c>) -> Result<Array<'c>> {
    let ty = memref.r#type();
    let elem = match ffi::element_of(ty) {
        e if e == b.types().i8 => Prim::Int(IntType::I8),
        e if e == b.types().i16 => Prim::Int(IntType::I16),
        e if e == b.types().i32 => Prim::Int(IntType::I32),
        e if e == b.types().i64 => Prim::Int(IntType::I64),
        e if e == b.types().f16 => Prim::Float(FloatType::F16),
        e if e == b.types().f32 => Prim::Float(FloatType::F32),
        e if e == b.types().f64 => Prim::Float(FloatType::F64),
        e => return Err(Error::bug(format_args!("an array of {e}"))),
    };
    let mut array = Array {
        elem,
        block: Var { base: Name::new("memref"), tag: 0 },
        base: memref,
        symbolic: Symbolic::Unknown,
        offset: Ix::Const(0),
        strides: Vec::new(),
        shape: Vec::new(),
        memrefs: Memrefs::made(b, memref),
    };
    let sizes = ffi::shape_of(MemRefType::try_from(ty)?)?;
    let made_by = ffi::made_by(memref);
    match made_by.map(name_of).as_deref() {
        Some("memref.reinterpret_cast") => {
            let Some(made_by) = made_by else { return Err(Error::bug("a memref of nothing")) };
            let [offset, shape, strides] = super::views::parts(b, made_by)?;
            array.offset = offset.first().copied().unwrap_or(Ix::Const(0));
            (array.shape, array.strides) = (shape, strides);
            array.base = block_under(operand(made_by, 0)?)?;
            return Ok(array);
        }
        Some("memref.view") => {
            let Some(made_by) = made_by else { return Err(Error::bug("a memref of nothing")) };
            let mut dynamic = conversion::operands(made_by, 2)?.into_iter();
            for n in sizes {
                array.shape.push(match n {
                    Some(n) => Ix::Const(n),
                    None => dynamic
                        .next()
                        .map(|n| made_of(b, n))
                        .transpose()?
                        .flatten()
                        .ok_or_else(|| Error::bug("an array of unknown size"))?,
                });
            }
            array.base = operand(made_by, 0)?;
        }
        _ => {
            for n in sizes {
                let n = n.ok_or_else(|| Error::bug("an array of unknown size"))?;
                array.shape.push(Ix::Const(n));
            }
            let (_, strides) = layout_of(ty)?;
            if strides.contains(&dialect::DYNAMIC) {
                return Err(Error::bug("an array of unknown strides"));
            }
            array.strides = strides.into_iter().map(Ix::Const).collect();
            return Ok(array);
        }
    }
    let shape: Vec<_> = array.shape.iter().copied().map(Some).collect();
    array.strides = super::views::dense_strides(b, &shape)?;
    Ok(array)
}

/// The block that an element at its beginning is a view of.
fn block_under<'c>(first: Val<'c>) -> Result<Val<'c>> {
    match ffi::made_by(first) {
        Some(view) if name_of(view) == "memref.view" => operand(view, 0),
        _ => Err(Error::bug("an array that is not in a block")),
    }
}

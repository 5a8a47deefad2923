//! Operations of linalg, each as its attributes say: by the code of [`crate::lower`] that makes loops,
//! at the place of the operation.

use super::{Result, made_of, operand};
use crate::Error;
use crate::dialect::{Access, Builder, InsertionPoint, Ix, Shared, Val, layout_of, name_of};
use crate::lower::copy::{Across, DENSE, ROWS, VECTORS};
use crate::lower::function::{Array, Function, Site};
use crate::lower::memory::Memrefs;
use crate::lower::{Lowering, Machine};
use crate::{dialect, ffi};
use futc_midend::ir::{Body, FloatType, IntType, Level, Lmad, Prim, Program, Var};
use futc_typed::name::Name;
use melior::ir::attribute::{DenseI64ArrayAttribute, IntegerAttribute};
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::r#type::MemRefType;
use melior::ir::{Module, RegionLike, ValueLike};

/// Makes loops of all operations of linalg.
pub fn to_loops<'c>(shared: &Shared<'c>, module: &Module<'c>, machine: Machine) -> Result<()> {
    shared.forget();
    let whole = |operation: &OperationRef<'c, 'c>| {
        let name = operation.name();
        name.as_string_ref().as_str().is_ok_and(|n| n.starts_with("linalg.") && n != "linalg.yield")
    };
    let found: Vec<_> = ffi::descendants(module.as_operation()).into_iter().filter(whole).collect();
    let nothing = Program {
        level: Level::Mem,
        next_tag: 0,
        consts: Body { stms: Vec::new(), result: Vec::new() },
        globals: Vec::new(),
        funs: Vec::new(),
    };
    for operation in found {
        let mut lowering = Lowering::bare(shared, module, &nothing, machine);
        expand(&mut lowering, operation)?;
        ffi::erase(operation);
    }
    shared.forget();
    Ok(())
}

/// Puts loops before an operation that do what it does.
fn expand<'c>(lowering: &mut Lowering<'c, '_, '_>, operation: OperationRef<'c, 'c>) -> Result<()> {
    let (source, to) = (operand(operation, 0)?, operand(operation, 1)?);
    let entry = entry_of(operation)?;
    // Where there are no vectors, code is as that of kernels: the site says so.
    let vectors = operation.has_attribute(VECTORS);
    let site = if vectors { Site::Host(to) } else { Site::Device(to) };
    let mut f = Function::new(lowering, entry, site);
    f.b.location = operation.location();
    f.b.go(InsertionPoint::before(operation)?);
    let target = array_of(&f.b, to)?;
    let dense = operation.has_attribute(DENSE);
    match name_of(operation).as_str() {
        "linalg.fill" => {
            let mut access = Access::default();
            for name in ["futc.alias_scopes", "futc.noalias_scopes", "futc.access_groups"] {
                access.known.extend(operation.attribute(name).ok().map(|value| (name, value)));
            }
            f.do_fill(&target, source, dense, &access)
        }
        "linalg.copy" => {
            let source = array_of(&f.b, source)?;
            let rows = match operation.attribute(ROWS) {
                Ok(rows) => {
                    let rows = IntegerAttribute::try_from(rows)?.value();
                    Some(usize::try_from(rows).map_err(Error::bug)?)
                }
                Err(_) => None,
            };
            f.do_copy(&target, &source, rows)
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
                Some(dims) => f.do_transpose(&target, &source, Across { dims, dense }),
                None => f.do_copy(&target, &source, None),
            }
        }
        name => Err(Error::bug(format_args!("{name} has no conversion"))),
    }
}

/// The first block of the function around an operation.
fn entry_of<'c>(operation: OperationRef<'c, 'c>) -> Result<melior::ir::BlockRef<'c, 'c>> {
    let mut around = operation.parent_operation();
    while let Some(outer) = around {
        if matches!(name_of(outer).as_str(), "func.func" | "gpu.func") {
            let block = outer.region(0)?.first_block();
            return block.map(ffi::detach_block).ok_or_else(|| Error::bug("an empty function"));
        }
        around = outer.parent_operation();
    }
    Err(Error::bug("an operation outside of functions"))
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
        lmad: Lmad::row_major(&[]),
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
            let mut dynamic = super::operands(made_by, 2)?.into_iter();
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

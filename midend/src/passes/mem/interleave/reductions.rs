//! Reductions whose points would go in strips, as maps do: what they reduce is stored first.
//!
//! ```text
//! r, ys = segred op (i < n) {           xs = segmap (i < n) { a: [m] @ alloc m … x …  in (return x) }
//!   a: [m] @ alloc m               →    r = segred op (i < n) { x = index xs[i]  in (return x) }
//!   … x …
//!   in (return x, return y) }
//! ```
//!
//! A value that is stored and read again costs nothing beside what such points do. What is reduced and stored anyway is stored
//! once.

use crate::analysis::bodies::{results_of, returns};
use crate::ir::traverse::{Renamer, Rewrite};
use crate::ir::{
    Builder, DimIndex, Exp, KernelBody, KernelResult, Lmad, MemBind, MemSpace, PatElem, Prim,
    SegKind, SegLevel, SegOp, SegSpace, Size64, Stm, SubExp, Type,
};

/// Room for what is stored, if any has none; the map; and the reduction of what that stores.
pub(super) struct Stored {
    pub(super) room: Vec<Stm>,
    pub(super) map: Stm,
    pub(super) reduction: Stm,
}

/// A reduction of scalars over one dimension as a map and the reduction of what that stores.
pub(super) fn stored(stm: &Stm, b: &mut Builder) -> Option<Stored> {
    let Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Red(ops), body }) = &stm.exp
    else {
        return None;
    };
    let [(index, n)] = *space.dims.as_slice() else { return None };
    if !returns(body) || stm.schedule.is_some() || !stm.attrs.is_empty() {
        return None;
    }
    let reduced = results_of(ops);
    let (totals, arrays) = stm.pat.split_at_checked(reduced)?;
    let (operands, results) = body.results.split_at_checked(reduced)?;
    let (types, of_results) = body.types.split_at_checked(reduced)?;
    let types: Vec<Prim> = types
        .iter()
        .map(|t| if let Type::Prim(p) = t { Some(*p) } else { None })
        .collect::<Option<_>>()?;
    b.loc = stm.loc;
    let mut pat = arrays.to_vec();
    let mut made = KernelBody {
        stms: body.stms.clone(),
        results: results.to_vec(),
        types: of_results.to_vec(),
    };
    let mut sources = Vec::with_capacity(reduced);
    b.begin();
    for (x, elem) in operands.iter().zip(types) {
        let there = made.results.iter().position(|r| r == x);
        let Some(at) = there.and_then(|at| pat.get(at)) else {
            let room = PatElem::new(b.names.fresh("reduced_mem"), Type::Mem(MemSpace::Host));
            let bytes = Size64::bytes(elem, &[n]);
            b.push(Stm::new(vec![room.clone()], Exp::Alloc { bytes, space: MemSpace::Host }));
            let mem = MemBind { block: room.var, lmad: Lmad::row_major(&[n]) };
            let array = PatElem::in_mem(b.names.fresh("reduced"), Type::array(elem, vec![n]), mem);
            sources.push((array.var, elem));
            pat.push(array);
            made.results.push(x.clone());
            made.types.push(Type::Prim(elem));
            continue;
        };
        sources.push((at.var, elem));
    }
    let room = b.end();
    let map = SegOp { level: SegLevel::Seq, space: space.clone(), kind: SegKind::Map, body: made };
    let i = b.names.like(index);
    let mut read = KernelBody { stms: Vec::new(), results: Vec::new(), types: Vec::new() };
    for (array, elem) in sources {
        let x = PatElem::new(b.names.fresh("x"), Type::Prim(elem));
        read.results.push(KernelResult::Return(SubExp::Var(x.var)));
        read.types.push(Type::Prim(elem));
        let dims = vec![DimIndex::Fix(i.into())];
        read.stms.push(Stm { loc: stm.loc, ..Stm::new(vec![x], Exp::Index { array, dims }) });
    }
    let space = SegSpace { dims: vec![(i, n)] };
    let kind = SegKind::Red(ops.clone());
    let mut reduction = Exp::Seg(SegOp { level: SegLevel::Seq, space, kind, body: read });
    Renamer::new(&mut b.names).exp(&mut reduction);
    Some(Stored {
        room,
        map: Stm { pat, exp: Exp::Seg(map), ..stm.clone() },
        reduction: Stm { pat: totals.to_vec(), exp: reduction, ..stm.clone() },
    })
}

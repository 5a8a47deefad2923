//! Reductions to scalars: in pieces, or in two versions.
//!
//! ```text
//! segred (i < n) op [ne] {               a = segred (i < lo) op [ne] { … as before … }
//!   j = max 0 (i - 1)                    b = segred (k < n - lo) op [ne] {
//!   x = xs[j] …                    →       i = k + lo
//!   in (return x)                          x = xs[i - 1] …
//! }                                        in (return x)
//!                                        }
//!                                        op a b
//! ```
//!
//! What clamps, goes round or chooses by the index has LLVM gather, or go element by element. Operators are associative and
//! the pieces stay in order, so that what they come to is put together by the operator. A reduction over rows becomes a map over
//! them, with the pieces inside.
//!
//! A reduction that only checks its index has two versions: one for when the main piece is all of its range, and one for
//! when it is not, as mostly it is.
//!
//! Where rows are decided alike by their own index, as windows are that end at the borders, the rows are split as those of a map
//! ([`as_map`]).
//!
//! Left in one piece are reductions whose pieces would be of other lengths for each point of a map around them: such points go by
//! lanes, which go through all pieces as often as the longest of theirs asks for. So are those that go down columns, and
//! operators that are long or may fail.

use super::limits::Limits;
use super::main_piece::Limit;
use super::outcomes::main_piece;
use super::pieces::{SHORT, SplitNest, has_loops, points, reduced, size, total};
use super::rows;
use super::specialise::specialise;
use super::varying::Surroundings;
use crate::ir::traverse::{Renamer, Rewrite};
use crate::ir::{
    Body, Builder, Const, Defs, Effects, Exp, KernelBody, KernelResult, PatElem, Reduction,
    SegKind, SegLevel, SegOp, SegSpace, Stm, StmAttr, SubExp, Type,
};

/// Larger bodies stay whole, as LLVM often does well by reductions as they are.
const MOST_STATEMENTS: usize = 120;
/// Larger operators do.
const MOST_OF_OPERATOR: usize = 24;

/// A reduction that yields scalars alone.
fn nest(stm: &Stm, most: usize) -> Option<(&SegSpace, &[Reduction], &KernelBody)> {
    let Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Red(ops), body }) = &stm.exp
    else {
        return None;
    };
    let scalars = body.types.iter().all(|t| matches!(t, Type::Prim(_)));
    let yields = !ops.is_empty() && body.results.len() == reduced(ops);
    let small = size(&body.stms) <= MOST_STATEMENTS.min(most);
    (scalars && yields && small).then_some((space, ops, body))
}

/// Whether operators can be applied once more for each piece: they are short, and cannot fail.
pub(super) fn can_be_applied_again(ops: &[Reduction]) -> bool {
    let all = || ops.iter().flat_map(|r| &r.op.body.stms);
    ops.iter().map(|r| size(&r.op.body.stms)).sum::<usize>() <= MOST_OF_OPERATOR
        && all().all(|s| Effects::of(s).is_none())
}

/// A reduction in pieces, if something but checks depends on its index.
pub(super) fn pieces(
    stm: &Stm,
    most: usize,
    (defs, around): (&Defs, &Surroundings),
    b: &mut Builder,
) -> Option<Vec<Stm>> {
    let (space, ops, body) = nest(stm, most)?;
    let outer = space.dims.len().checked_sub(1)?;
    let row = space.dims.get(outer..)?;
    let [(index, n)] = *row else { return None };
    if points(n).is_some_and(|n| n < SHORT) || !can_be_applied_again(ops) {
        return None;
    }
    let (before, body) = rows::of_row(outer, row, body, &mut b.names);
    let mut main = main_piece(row, &body.stms, defs);
    let down_columns = || outer > 0 && around.places.columns(space, &body.stms).is_some();
    if !main.decides() || around.vary(&main, space, &before) || down_columns() {
        return None;
    }
    main.small = around.shapes.small(stm, space);
    b.loc = stm.loc;
    b.begin();
    b.push_all(before);
    let limits = Limits::emit(&main, (index, n), defs, b);
    let (certs, attrs) = (stm.certs.as_slice(), stm.attrs.as_slice());
    let work = SplitNest { index, point: &[], ops, body: &body, main: &main, defs, certs, attrs };
    let Some(parts) = work.pieces(&limits, &[], &|_, _| None, b) else {
        b.end();
        return None;
    };
    if outer == 0 {
        total(&stm.pat, ops, &parts, b);
        return Some(b.end());
    }
    let totals: Vec<PatElem> = (ops.iter().flat_map(|r| &r.op.ret))
        .map(|t| PatElem::new(b.names.fresh("total"), t.clone()))
        .collect();
    total(&totals, ops, &parts, b);
    let results = totals.iter().map(|p| KernelResult::Return(p.var.into())).collect();
    let body = KernelBody { stms: b.end(), results, types: body.types.clone() };
    let space = SegSpace { dims: space.dims.iter().take(outer).copied().collect() };
    let exp = Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body });
    let attrs = [attrs, &[StmAttr::Rows]].concat();
    Some(vec![Stm { exp, attrs, ..stm.clone() }])
}

/// A reduction over rows with loops inside as a map over rows, if what is the same along a row, as the bounds of a window around
/// its index are, is decided in most rows: the map is then split, and its points go by lanes.
pub(super) fn as_map(
    stm: &Stm,
    most: usize,
    (defs, around): (&Defs, &Surroundings),
    b: &mut Builder,
) -> Option<Stm> {
    let (space, ops, body) = nest(stm, most)?;
    let outer = space.dims.len().checked_sub(1).filter(|outer| *outer > 0)?;
    let (rows, row) = space.dims.split_at_checked(outer)?;
    if !body.stms.iter().any(has_loops) || around.places.columns(space, &body.stms).is_some() {
        return None;
    }
    let (mut before, body) = rows::of_row(outer, row, body, &mut b.names);
    let main = main_piece(rows.get(outer - 1..)?, &before, defs);
    if !main.decides() {
        return None;
    }
    let totals = ops.iter().flat_map(|r| &r.op.ret);
    let pat: Vec<PatElem> =
        totals.map(|t| PatElem::new(b.names.fresh("total"), t.clone())).collect();
    let results = pat.iter().map(|p| KernelResult::Return(p.var.into())).collect();
    let types = body.types.clone();
    let kind = SegKind::Red(ops.to_vec());
    let inner = SegSpace { dims: row.to_vec() };
    let exp = Exp::Seg(SegOp { level: SegLevel::Seq, space: inner, kind, body: body.into_owned() });
    before.push(Stm { pat, exp, attrs: Vec::new(), ..stm.clone() });
    let body = KernelBody { stms: before, results, types };
    let space = SegSpace { dims: rows.to_vec() };
    let exp = Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body });
    Some(Stm { exp, ..stm.clone() })
}

/// A reduction, twice: for when all of its range is the main piece, and for when it is not.
pub(super) fn versions(stm: &Stm, most: usize, defs: &Defs, b: &mut Builder) -> Option<Vec<Stm>> {
    let Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Red(ops), body }) = &stm.exp
    else {
        return None;
    };
    let [(index, n)] = space.dims.as_slice() else { return None };
    let scalars = stm.pat.iter().all(|p| p.ty.rank() == 0) && !stm.pat.is_empty();
    if !scalars || size(&body.stms) > MOST_STATEMENTS.min(most) {
        return None;
    }
    let main = main_piece(&space.dims, &body.stms, defs);
    let ends = |l: &Limit| matches!(l, Limit::From(_) | Limit::Before(_));
    // Branches that are decided for some of the points only are better left to the loop.
    if main.is_whole()
        || !main.limits.iter().all(ends)
        || !main.asides.is_empty()
        || main.by_row.is_some()
    {
        return None;
    }
    b.loc = stm.loc;
    b.begin();
    let limits = Limits::emit(&main, (*index, *n), defs, b);
    let work = SplitNest {
        index: *index,
        point: &[],
        ops,
        body,
        main: &main,
        defs,
        certs: &stm.certs,
        attrs: &stm.attrs,
    };
    let known = work.known(&limits, b);
    let first = b.le(limits.from, SubExp::i64(0));
    let last = b.le(*n, limits.to);
    let all = b.and(first, last);
    let mut version = |body: KernelBody| {
        let exp = Exp::Seg(SegOp {
            level: SegLevel::Seq,
            space: space.clone(),
            kind: SegKind::Red(ops.clone()),
            body,
        });
        let pat = stm.pat.iter().map(|p| PatElem::new(b.names.like(p.var), p.ty.clone())).collect();
        let mut copy = Stm { pat, exp, ..stm.clone() };
        let result = copy.pat.iter().map(|p| p.var.into()).collect();
        Renamer::new(&mut b.names).exp(&mut copy.exp);
        Body { stms: vec![copy], result }
    };
    let cases = vec![(Const::Bool(true), version(specialise(body, &known)))];
    let default = version(body.clone());
    b.bind(stm.pat.clone(), Exp::Match { scrutinee: all, cases, default });
    Some(b.end())
}

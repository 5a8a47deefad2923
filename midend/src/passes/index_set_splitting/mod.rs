//! Index-set splitting: maps are cut into subranges in which comparisons of the index have one outcome
//! each.
//!
//! ```text
//! segmap (i < n) {                       lo = max 0 (min n 1)
//!   first = eq(i, 0)                     a = segmap (i < lo) { … as before … }
//!   r = if first { in 0 } else {    →    b = segmap (j < n - lo) {
//!     x = xs[i - 1] …  in y                i = j + lo
//!   }                                      x = xs[i - 1] …
//!   in (return r)                          in (return y)
//! }                                      }
//!                                        concat a b
//! ```
//!
//! A branch on the index, an index that is clamped or goes round, and a bounds check that depends on
//! the index keep a loop from being vectorised, and cost where they are made for nearly every index
//! in vain. [`outcomes`] finds the *main subrange*, where all of them go one way; there the body is
//! [`specialise`]d. In the peeled subranges before and after it the body stays as it was, but for one at
//! either end where the branch goes the way that has little to do, if that is more than a few points. Those of a few points are
//! marked ([`StmAttr::Peeled`]), as code for them is to be small. Bounds are computed when the map runs,
//! so a subrange may be empty.
//!
//! The subranges are built in the places they had, in order, so that nothing changes for what a map
//! reads and writes. A map over several dimensions becomes one over all but the innermost, with the
//! subranges inside; what is the same all along a row is computed before it ([`rows`]), and a branch on
//! both row and index has rows that are one subrange in which it goes the way that has less to do. The map over rows is
//! marked ([`StmAttr::Rows`]), as lanes go along rows. Dimensions of
//! a few points, such as the channels of a pixel, are no rows: the innermost of the others is split, and points go
//! with all that is inside of them.
//!
//! Reductions are split as well, and what the subranges come to is put together by their operators, in order. One that
//! has only checks to decide has two versions instead: one for when they hold in all of its range ([`reductions`]).
//!
//! Filters are split as well, one piece after the other ([`loops`]).
//!
//! The pieces beside the main one are split once more if they may be long and their points have loops, as at the ends of full
//! convolutions; their bodies are small, as they stand up to seven times.
//!
//! Refused: maps whose results are arrays of more than a few elements, or writes, and large bodies, since a body stands up to
//! three times. Index arithmetic may overflow, and bounds are then wrong: there is no main subrange
//! unless all values that bounds are made of are small. At level `mem`, for one thread.

mod affine;
mod bits;
mod block;
mod conditions;
mod limits;
mod loops;
mod main_piece;
mod modulo_unroll;
mod outcomes;
mod pieces;
mod quotients;
mod reductions;
mod rims;
mod rows;
mod specialise;
mod strip_carried;
mod strip_mine;
#[cfg(test)]
mod tests;
mod varying;

pub use modulo_unroll::modulo_unroll;
pub use strip_carried::strip_histograms;
pub(in crate::passes) use strip_mine::strip;
pub use strip_mine::strip_mine;

use crate::ir::traverse::for_each_block_mut;
use crate::ir::{
    Builder, Defs, Exp, KernelBody, KernelResult, Level, Linkage, NameSource, Poly, Program,
    Reduction, SegKind, SegLevel, SegOp, SegSpace, Stm, StmAttr, SubExp, Type, Var,
};
use limits::{I64, Limits, SMALL};
use main_piece::Main;
use outcomes::main_piece;
use pieces::{Row, SHORT, SplitNest, has_loops, points, reduced, rows_of, size, total};
use specialise::{KnownValues, specialise};
use varying::Surroundings;

/// Larger bodies stay whole.
const MOST_STATEMENTS: usize = 300;
/// Programs of more statements, and those that are compiled in parts, are long: most of their code is run rarely, and copies of it are not worth
/// the time to compile them.
const LONG: usize = 10_000;
/// In long programs, larger bodies stay whole.
const MOST_IN_LONG: usize = 20;
/// Larger bodies stay whole in rims, where they would stand four more times.
const MOST_IN_RIMS: usize = 60;
/// Points with a few elements have fewer than this: so many may go by lanes.
const FULL_POINT: i64 = 8;

/// Splits the ranges of maps.
pub fn split_index_sets(program: Program) -> Program {
    let all: usize = program.funs.iter().map(|f| size(&f.body.stms)).sum();
    let in_parts = program.funs.iter().any(|f| f.linkage != Linkage::Internal);
    let most = if all > LONG || in_parts { MOST_IN_LONG } else { MOST_STATEMENTS };
    let around = Surroundings::of_program(&program);
    each_statement(program, |s, defs, b| {
        let known = (defs, &around);
        split(s, (most, true), known, b)
            .or_else(|| split(&reductions::as_map(s, most, known, b)?, (most, true), known, b))
            .or_else(|| reductions::pieces(s, most, known, b))
            .or_else(|| reductions::versions(s, most, defs, b))
            .or_else(|| loops::pieces(s, defs, b))
    })
}

/// At level `mem`, puts what `f` makes of statements in their place, from the outermost on; it makes nothing of those that stay.
pub(in crate::passes) fn each_statement(
    mut program: Program,
    mut f: impl FnMut(&Stm, &Defs, &mut Builder) -> Option<Vec<Stm>>,
) -> Program {
    if program.level != Level::Mem {
        return program;
    }
    let defs = Defs::of_program(&program);
    let mut f = |s: &Stm, b: &mut Builder| f(s, &defs, b);
    let mut b = Builder::new(NameSource::new(program.next_tag));
    list(&mut program.consts.stms, &mut f, &mut b);
    for fun in &mut program.funs {
        list(&mut fun.body.stms, &mut f, &mut b);
    }
    program.next_tag = b.names.next_tag();
    program
}

fn list(
    stms: &mut Vec<Stm>,
    f: &mut dyn FnMut(&Stm, &mut Builder) -> Option<Vec<Stm>>,
    b: &mut Builder,
) {
    let mut out = Vec::with_capacity(stms.len());
    for mut s in std::mem::take(stms) {
        // The points of a strip go together, whatever they are.
        if s.has(StmAttr::Strip) {
            out.push(s);
            continue;
        }
        if let Some(made) = f(&s, b) {
            out.extend(made);
            continue;
        }
        for_each_block_mut(&mut s.exp, &mut |stms| list(stms, f, b));
        out.push(s);
    }
    *stms = out;
}

/// A map of this thread, or a reduction that also stores something for each of its points: with the
/// operators, of which a map has none.
fn nest(stm: &Stm) -> Option<(&SegSpace, &[Reduction], &KernelBody)> {
    match &stm.exp {
        Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body }) => {
            Some((space, [].as_slice(), body))
        }
        Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Red(ops), body })
            if space.dims.len() == 1 && body.results.len() > reduced(ops) =>
        {
            Some((space, ops.as_slice(), body))
        }
        _ => None,
    }
}

/// One that may be split along its innermost dimension, of at most so many statements.
fn splits(stm: &Stm, most: usize) -> Option<(&SegSpace, &[Reduction], &KernelBody)> {
    let (space, ops, body) = nest(stm)?;
    let (_, n) = space.dims.last()?;
    let long = points(*n).is_none_or(|n| n >= SHORT);
    (long && are_stored(body, most)).then_some((space, ops, body))
}

/// The innermost dimension that is not short. Rows of a few points, as the channels of a pixel are, go with the point
/// of the dimension around.
fn dimension(space: &SegSpace) -> Option<usize> {
    let mut few = 1;
    for (d, (_, n)) in space.dims.iter().enumerate().rev() {
        match points(*n) {
            Some(n) if n > 0 && n * few < FULL_POINT => few *= n,
            Some(n) if n < SHORT => return None,
            _ => return Some(d),
        }
    }
    None
}

/// Whether each result of a body of at most so many statements is a scalar or a few of them, which are stored
/// where the index says.
fn are_few(body: &KernelBody, most: usize) -> bool {
    let few = |t: &Type| match t {
        Type::Prim(_) => true,
        Type::Array { .. } => {
            let mut each = t.shape().iter().map(|n| points(*n));
            let all = each.try_fold(1_i64, |all, n| all.checked_mul(n.filter(|n| *n > 0)?));
            all.is_some_and(|n| n < FULL_POINT)
        }
        Type::Cert | Type::Mem(_) => false,
    };
    body.types.iter().all(few)
        && body.results.iter().all(|r| matches!(r, KernelResult::Return(_)))
        && size(&body.stms) <= most
}

/// Whether the results of a body of at most so many statements are scalars that are stored where their index says.
fn are_stored(body: &KernelBody, most: usize) -> bool {
    body.types.iter().all(|t| matches!(t, Type::Prim(_))) && are_few(body, most)
}

/// The map over what one of its dimensions has been split into: the arrays of each part, whose
/// statements are in the open list.
fn whole(
    stm: &Stm,
    (space, outer): (&SegSpace, usize),
    rows: &[Row],
    parts: &[Vec<Var>],
    b: &mut Builder,
) -> Vec<Stm> {
    let n = space.dims.get(outer).map_or(SubExp::i64(0), |d| d.1);
    let pat = if outer == 0 {
        stm.pat.clone()
    } else {
        rows.iter().map(|r| r.part(n, r.lmad.clone(), b)).collect()
    };
    for (i, p) in pat.iter().enumerate() {
        let arrays = parts.iter().filter_map(|vs| vs.get(i)).copied().collect();
        b.bind(vec![p.clone()], Exp::Concat { dim: 0, arrays, size: n });
    }
    let stms = b.end();
    if outer == 0 {
        return stms;
    }
    let results = pat.iter().map(|p| KernelResult::Return(p.var.into())).collect();
    let types = pat.iter().map(|p| p.ty.clone()).collect();
    let space = SegSpace { dims: space.dims.iter().take(outer).copied().collect() };
    let body = KernelBody { stms, results, types };
    let exp = Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body });
    let attrs = [stm.attrs.as_slice(), &[StmAttr::Rows]].concat();
    vec![Stm { exp, attrs, ..stm.clone() }]
}

/// The map or reduction in pieces, if that gains anything; the rims of points with loops, in pieces themselves, if they may be long
/// as those of convolutions are.
fn split(
    stm: &Stm,
    (most, rims): (usize, bool),
    (defs, around): (&Defs, &Surroundings),
    b: &mut Builder,
) -> Option<Vec<Stm>> {
    let (space, ops, body) = nest(stm).filter(|(_, _, body)| are_few(body, most))?;
    let outer = dimension(space)?;
    let (_, row) = space.dims.split_at_checked(outer)?;
    let [(index, n), point @ ..] = row else { return None };
    let (index, n) = (*index, *n);
    let (before, body) = rows::of_row(outer, row, body, &mut b.names);
    let mut main = main_piece(row, &body.stms, defs);
    if main.is_whole() {
        return None;
    }
    main.small = around.shapes.small(stm, space);
    // Sizes of arrays are not negative. Where nothing else cuts the range, what relies on that has a main piece all the same.
    if !main.limits.is_empty() {
        main.ends.retain(|p| !main.small.iter().any(|size| *p == Poly::var(*size)));
    }
    let (totals, arrays) = stm.pat.split_at_checked(reduced(ops))?;
    let rows = rows_of(arrays, space, outer)?;
    b.loc = stm.loc;
    b.begin();
    b.push_all(before);
    let limits = Limits::emit(&main, (index, n), defs, b);
    let (certs, attrs) = (stm.certs.as_slice(), stm.attrs.as_slice());
    let work = SplitNest { index, point, ops, body: &body, main: &main, defs, certs, attrs };
    let in_rims = rims && size(&body.stms) <= MOST_IN_RIMS && body.stms.iter().any(has_loops);
    let again = |s: &Stm, b: &mut Builder| {
        in_rims.then(|| split(s, (MOST_IN_RIMS, false), (defs, around), b)).flatten()
    };
    let Some(parts) = work.pieces(&limits, &rows, &again, b) else {
        b.end();
        return None;
    };
    if ops.is_empty() {
        return Some(whole(stm, (space, outer), &rows, &parts, b));
    }
    let (mut reduced, mut stored) = (Vec::new(), Vec::new());
    for mut part in parts {
        stored.push(part.split_off(totals.len().min(part.len())));
        reduced.push(part);
    }
    total(totals, ops, &reduced, b);
    let stm = Stm { pat: arrays.to_vec(), ..stm.clone() };
    Some(whole(&stm, (space, outer), &rows, &stored, b))
}

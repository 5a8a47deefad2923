//! Loops go out of strips of the maps around them.
//!
//! ```text
//! ys = segmap (i < n) {                      zs = segmap (s < n / 32) {
//!   x = xs[i, 0 :+ m]                          v = xs[32 · s :+ 32, 0 :+ m]
//!   y = loop (a = x) for k < r {               x: [m][32] = copy(rearrange v (1, 0))
//!     b = segmap (j < m) {                     y = loop (a: [m][32] = x) for k < r {
//!       p = rem(j, …)                            b = segmap (j < m) {
//!       v = a[p] …                                 p = rem(j, …)
//!       in (return …) }                  →         row = segmap (t < 32) { v = a[p, t] … }
//!     in b }                                       in (return row) }
//!   in (return y) }                              in b }
//!                                              in (return rearrange y (1, 0)) }
//!                                            concat(reshape zs, all other points as before)
//! ```
//!
//! Each point carries arrays of its own through a loop that goes alike for all points, as the transforms of the lines of a
//! matrix do. Inside, elements are read in another order than they are made: index arithmetic and reads that are not of
//! neighbours keep that from being vectors. The same element of several points at a time, one beside the other, is:
//! what is computed of indexes, and checks, are then made once for all points of a strip ([`lines`]).
//!
//! Taken are maps whose control flow, sizes and checks are the same for all points, so that what fails first fails first for the
//! first point, and whose loops read what they carry elsewhere than at neighbours ([`reads`]). What stays in no strip, as there are few points or they
//! are too large for the cache, goes as before: sizes decide at run time, and the body stands twice. No reductions of
//! what differs from point to point: their order is theirs.
//!
//! At level `seg`, for one thread and for tasks, which get whole strips. Linear, but for loops in loops.

mod lines;
mod reads;
mod varying;

use super::outside_kernels;
use crate::analysis::bodies::{returns, size};
use crate::analysis::lanes::expected_lanes;
use crate::ir::traverse::{Binders, Renamer, Rewrite, Visit};
use crate::ir::varmap::VarSet;
use crate::ir::{
    BinOp, Builder, Exp, IntType, KernelBody, KernelResult, Level, NameSource, PatElem, Poly,
    Program, SegKind, SegLevel, SegOp, SegSpace, Stm, StmAttr, SubExp, Type, Var,
};
use crate::passes::strips::{FEWEST, MOST_BYTES, fits, width};
use lines::Lines;

/// Larger bodies do not stand twice.
const MOST_STATEMENTS: usize = 200;

/// Takes loops out of strips of maps.
pub fn interchange_loops(mut prog: Program) -> Program {
    if prog.level == Level::Seg {
        let mut b = Builder::new(NameSource::new(prog.next_tag));
        stms(&mut prog.consts.stms, &mut b);
        for f in &mut prog.funs {
            stms(&mut f.body.stms, &mut b);
        }
        prog.next_tag = b.names.next_tag();
    }
    prog
}

fn stms(list: &mut Vec<Stm>, b: &mut Builder) {
    for mut stm in std::mem::take(list) {
        if let Some(strips) = strips(&stm, b) {
            list.extend(strips);
            continue;
        }
        outside_kernels(&mut stm.exp, &mut |inner| stms(inner, b));
        list.push(stm);
    }
}

/// A map in strips, if it can go so and is better so.
fn strips(stm: &Stm, b: &mut Builder) -> Option<Vec<Stm>> {
    let Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body }) = &stm.exp else {
        return None;
    };
    let [(point, n)] = space.dims.as_slice() else { return None };
    let few = Poly::leaf(*n).as_const().is_some_and(|n| n < FEWEST);
    let rows = body.types.iter().all(|t| t.rank() > 0) && returns(body);
    if few || !rows || stm.forced().is_some() || !reads::in_loops(&body.stms) {
        return None;
    }
    if size(&body.stms) > MOST_STATEMENTS || expected_lanes(*point, body, true).is_some() {
        return None;
    }
    let mut body = body.clone();
    Renamer::new(&mut b.names).kernel_body(&mut body);
    let varying = varying::varying(*point, &body.stms);
    if !reads::elsewhere(&body.stms, &varying) {
        return None;
    }
    let mut bound = Binders::default();
    bound.kernel_body(&body);
    let mut widest = Widest { varying: &varying, bytes: 0 };
    widest.kernel_body(&body);
    let width = width(widest.bytes);
    let first = b.names.fresh("first");
    b.begin();
    let mut lines = Lines::new(b, *point, first, width, (&varying, &bound.0));
    let results = lines.body(&body);
    let sizes = std::mem::take(&mut lines.sizes);
    let of_strip = b.end();
    let results = results?;
    let inside = |p: &Poly| p.vars().iter().any(|v| bound.0.contains(v));
    if sizes.iter().any(inside) {
        return None;
    }
    Some(assemble(stm, *n, (width, &sizes), (first, of_strip, results), b))
}

/// The widest elements of what varies.
struct Widest<'v> {
    varying: &'v VarSet,
    bytes: i64,
}

impl Visit for Widest<'_> {
    fn pat_elem(&mut self, p: &PatElem) {
        if let Type::Array { elem, .. } = &p.ty
            && self.varying.contains(&p.var)
        {
            self.bytes = self.bytes.max(elem.bytes());
        }
    }
}

/// The strips, the points in none of them, and both together.
fn assemble(
    stm: &Stm,
    n: SubExp,
    (width, sizes): (i64, &[Poly]),
    (first, mut of_strip, results): (Var, Vec<Stm>, Vec<SubExp>),
    b: &mut Builder,
) -> Vec<Stm> {
    let lanes = SubExp::i64(width);
    b.begin();
    b.loc = stm.loc;
    let fits = fits(sizes, width, n, MOST_BYTES, b);
    let count = b.quot(n, lanes);
    let count = b.choose(fits, count, SubExp::i64(0));
    let done = b.mul(count, lanes);
    let rest = b.sub(n, done);
    let strip = b.fresh("strip", Type::I64);
    b.begin();
    let start = b.mul(strip.into(), lanes);
    b.bind(vec![PatElem::new(first, Type::I64)], Exp::SubExp(start));
    b.push_all(std::mem::take(&mut of_strip));
    let types: Vec<Type> = stm.pat.iter().map(|p| p.ty.row().outer(lanes)).collect();
    let results = results.into_iter().map(KernelResult::Return).collect();
    let body = KernelBody { stms: b.end(), results, types };
    let pat: Vec<PatElem> = body.types.iter().map(|t| b.pat("strips", t.outer(count))).collect();
    let space = SegSpace { dims: vec![(strip, count)] };
    let op = SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body };
    let mut strips = Stm { pat: pat.clone(), exp: Exp::Seg(op), ..like(stm) };
    strips.attrs.push(StmAttr::Strips);
    b.push(strips);
    let others = others(stm, done, rest, b);
    for ((p, strips), other) in stm.pat.iter().zip(pat).zip(others) {
        let ty = p.ty.row().outer(done);
        let shape = ty.shape().to_vec();
        let flat = b.emit_as("strips", ty, Exp::Reshape { array: strips.var, shape });
        let exp = Exp::Concat { dim: 0, arrays: vec![flat, other], size: n };
        b.bind(vec![p.clone()], exp);
    }
    b.loc = None;
    b.end()
}

/// A statement of nothing, with all else that another has.
fn like(stm: &Stm) -> Stm {
    Stm {
        certs: stm.certs.clone(),
        attrs: stm.attrs.clone(),
        loc: stm.loc,
        ..Stm::new(Vec::new(), Exp::SubExp(SubExp::i64(0)))
    }
}

/// The points that are in no strip.
fn others(stm: &Stm, done: SubExp, rest: SubExp, b: &mut Builder) -> Vec<Var> {
    let Exp::Seg(SegOp { space, body, .. }) = &stm.exp else { return Vec::new() };
    let Some((point, _)) = space.dims.first() else { return Vec::new() };
    let other = b.names.like(*point);
    b.begin();
    let sum = Exp::BinOp(BinOp::Add(IntType::I64), other.into(), done);
    b.bind(vec![PatElem::new(*point, Type::I64)], sum);
    b.push_all(body.stms.iter().cloned());
    let body = KernelBody { stms: b.end(), ..body.clone() };
    let pat: Vec<PatElem> =
        stm.pat.iter().map(|p| b.pat("others", p.ty.row().outer(rest))).collect();
    let made = pat.iter().map(|p| p.var).collect();
    let space = SegSpace { dims: vec![(other, rest)] };
    let op = SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body };
    let mut rest = Stm { pat, exp: Exp::Seg(op), ..like(stm) };
    rest.attrs.push(StmAttr::Rest);
    b.push(rest);
    made
}

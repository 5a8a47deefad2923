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
//! A reduction to scalars has two versions instead: one for when the main subrange is all of its range.
//! One that stores something for each of its points as well is split as a map is, and what the
//! subranges come to is put together by its operators.
//!
//! Refused: maps whose results are arrays of more than a few elements, or writes, and large bodies, since a body stands up to
//! three times. Index arithmetic may overflow, and bounds are then wrong: there is no main subrange
//! unless all values that bounds are made of are small. At level `mem`, for one thread.

mod bits;
mod block;
mod limits;
mod modulo_unroll;
mod outcomes;
mod quotients;
mod rows;
mod specialise;
mod strip_histogram;
mod strip_mine;
#[cfg(test)]
mod tests;

pub use modulo_unroll::modulo_unroll;
pub(in crate::passes) use strip_mine::strip;
pub use strip_mine::strip_mine;

use crate::ir::traverse::{
    Renamer, Rewrite, Subst, apply_lambda, for_each_block, for_each_block_mut,
};
use crate::ir::{
    BinOp, Body, Builder, Const, Defs, Exp, KernelBody, KernelResult, Level, Linkage, Lmad,
    MemBind, NameSource, PatElem, Poly, Prim, Program, Reduction, SegKind, SegLevel, SegOp,
    SegSpace, Stm, StmAttr, SubExp, Type, Var,
};
use limits::{I64, Limits, SMALL, value};
use outcomes::{Limit, Main, main_piece};
use specialise::{KnownValues, specialise};

/// Larger bodies stay whole.
const MOST_STATEMENTS: usize = 300;
/// And of reductions, which LLVM often does well by as they are.
const MOST_OF_REDUCTIONS: usize = 120;
/// Programs of more statements, and those that are compiled in parts, are long: most of their code is run rarely, and copies of it are not worth
/// the time to compile them.
const LONG: usize = 10_000;
/// In long programs, larger bodies stay whole.
const MOST_IN_LONG: usize = 20;
/// Ranges known to be shorter stay whole.
const SHORT: i64 = 16;
/// Points with a few elements have fewer than this: so many may go by lanes.
const FULL_POINT: i64 = 8;

/// Splits the ranges of maps.
pub fn split_index_sets(program: Program) -> Program {
    let all: usize = program.funs.iter().map(|f| size(&f.body.stms)).sum();
    let in_parts = program.funs.iter().any(|f| f.linkage != Linkage::Internal);
    let most = if all > LONG || in_parts { MOST_IN_LONG } else { MOST_STATEMENTS };
    each_statement(program, |s, defs, b| {
        split(s, most, defs, b).or_else(|| versions(s, most, defs, b))
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

fn size(stms: &[Stm]) -> usize {
    stms.iter().fold(stms.len(), |n, s| {
        let mut below = 0;
        for_each_block(&s.exp, &mut |b| below += size(b));
        n + below
    })
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

/// A number of points that is known.
fn points(n: SubExp) -> Option<i64> {
    match n {
        SubExp::Const(c) => c.as_int(),
        SubExp::Var(_) => None,
    }
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

/// How many results operators have.
fn reduced(ops: &[Reduction]) -> usize {
    ops.iter().map(|r| r.neutral.len()).sum()
}

/// Where the rows of arrays that are stored go that lie along a dimension.
fn rows_of(pat: &[PatElem], space: &SegSpace, dimension: usize) -> Option<Vec<Row>> {
    let here: Vec<SubExp> = space.dims.iter().take(dimension).map(|d| d.0.into()).collect();
    let row = |p: &PatElem| {
        let mem = p.mem.as_ref()?;
        let lmad = mem.lmad.row(&here);
        let point = p.ty.shape().get(dimension + 1..)?.to_vec();
        Some(Row { elem: p.ty.elem()?, point, base: p.var, block: mem.block, lmad })
    };
    pat.iter().map(row).collect()
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

/// The map or reduction in pieces, if that gains anything.
fn split(stm: &Stm, most: usize, defs: &Defs, b: &mut Builder) -> Option<Vec<Stm>> {
    let (space, ops, body) = nest(stm).filter(|(_, _, body)| are_few(body, most))?;
    let outer = dimension(space)?;
    let (_, row) = space.dims.split_at_checked(outer)?;
    let [(index, n), point @ ..] = row else { return None };
    let (index, n) = (*index, *n);
    let (before, apart);
    let body = if outer > 0 {
        (before, apart) = rows::apart(row, body, &mut b.names);
        &apart
    } else {
        before = Vec::new();
        body
    };
    let main = main_piece(row, &body.stms, defs);
    if main.is_whole() {
        return None;
    }
    let (totals, arrays) = stm.pat.split_at_checked(reduced(ops))?;
    let rows = rows_of(arrays, space, outer)?;
    b.loc = stm.loc;
    b.begin();
    b.push_all(before);
    let limits = Limits::emit(&main, (index, n), b);
    let (certs, attrs) = (stm.certs.as_slice(), stm.attrs.as_slice());
    let work = SplitNest { index, point, ops, body, main: &main, certs, attrs };
    let Some(parts) = work.pieces(&limits, &rows, b) else {
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

/// Binds what the reductions of the pieces come to together.
fn total(pat: &[PatElem], ops: &[Reduction], parts: &[Vec<Var>], b: &mut Builder) {
    let mut parts = parts.iter().map(|vs| vs.iter().map(|v| SubExp::from(*v)).collect::<Vec<_>>());
    let mut sums = parts.next().unwrap_or_default();
    for part in parts {
        let mut next = Vec::with_capacity(sums.len());
        for r in ops {
            let these = next.len()..next.len() + r.neutral.len();
            let operands = [&sums, &part].into_iter().flat_map(|xs| xs.get(these.clone()));
            let operands: Vec<SubExp> = operands.flatten().copied().collect();
            let body = apply_lambda(&r.op, &operands, &mut b.names);
            for s in body.stms {
                b.push(s);
            }
            next.extend(body.result);
        }
        sums = next;
    }
    for (p, x) in pat.iter().zip(sums) {
        b.bind(vec![p.clone()], Exp::SubExp(x));
    }
}

/// A reduction, twice: for when all of its range is the main piece, and for when it is not.
fn versions(stm: &Stm, most: usize, defs: &Defs, b: &mut Builder) -> Option<Vec<Stm>> {
    let Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Red(ops), body }) = &stm.exp
    else {
        return None;
    };
    let [(index, n)] = space.dims.as_slice() else { return None };
    let scalars = stm.pat.iter().all(|p| p.ty.rank() == 0) && !stm.pat.is_empty();
    if !scalars || size(&body.stms) > MOST_OF_REDUCTIONS.min(most) {
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
    let limits = Limits::emit(&main, (*index, *n), b);
    let work = SplitNest {
        index: *index,
        point: &[],
        ops,
        body,
        main: &main,
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

/// Where a row of results goes.
struct Row {
    elem: Prim,
    /// What there is of each point.
    point: Vec<SubExp>,
    base: Var,
    block: Var,
    lmad: Lmad,
}

impl Row {
    fn part(&self, n: SubExp, lmad: Lmad, b: &mut Builder) -> PatElem {
        self.array([&[n], self.point.as_slice()].concat(), lmad, b)
    }

    fn array(&self, shape: Vec<SubExp>, lmad: Lmad, b: &mut Builder) -> PatElem {
        let ty = Type::array(self.elem, shape);
        PatElem::in_mem(b.names.like(self.base), ty, MemBind { block: self.block, lmad })
    }

    /// The pattern element for `n` indexes from `start`.
    fn piece(&self, start: SubExp, n: SubExp, b: &mut Builder) -> PatElem {
        let mut lmad = self.lmad.clone();
        if let Some(d) = lmad.dims.first_mut() {
            let distance = Poly::of(&d.stride).mul(&Poly::leaf(start));
            d.n = n;
            lmad = lmad.shifted(&distance);
        }
        self.part(n, lmad, b)
    }
}

/// The body and what is known of it.
struct SplitNest<'w> {
    index: Var,
    /// The dimensions inside of that which is split.
    point: &'w [(Var, SubExp)],
    ops: &'w [Reduction],
    body: &'w KernelBody,
    main: &'w Main,
    certs: &'w [Var],
    attrs: &'w [StmAttr],
}

impl SplitNest<'_> {
    /// The pieces, in order: what each is reduced to, and its arrays. Nothing if there would be
    /// only one.
    fn pieces(&self, limits: &Limits, rows: &[Row], b: &mut Builder) -> Option<Vec<Vec<Var>>> {
        let zero = SubExp::i64(0);
        let known = self.known(limits, b);
        let aside = |(cond, outcome): (Var, bool)| KnownValues {
            values: [(cond, SubExp::bool(outcome))].into_iter().collect(),
            ..KnownValues::default()
        };
        let mut ends: Vec<(SubExp, SubExp, KnownValues, &[StmAttr])> = Vec::new();
        let rim = if self.main.rims_are_short { [StmAttr::Peeled].as_slice() } else { &[] };
        let mut start = zero;
        if let Some((end, what)) = limits.row {
            ends.push((start, end, aside(what), &[]));
            start = end;
        }
        for (end, what) in &limits.low {
            ends.push((start, *end, aside(*what), &[]));
            start = *end;
        }
        ends.push((start, limits.from, KnownValues::default(), rim));
        ends.push((limits.from, limits.to, known, &[]));
        let end = limits.high.last().map_or(limits.n, |h| h.0);
        ends.push((limits.to, end, KnownValues::default(), rim));
        for (i, (start, what)) in limits.high.iter().enumerate().rev() {
            let end = i.checked_sub(1).and_then(|i| limits.high.get(i)).map_or(limits.n, |h| h.0);
            ends.push((*start, end, aside(*what), &[]));
        }
        ends.retain(|(start, end, _, _)| start != end);
        (ends.len() > 1).then(|| {
            let piece = |(start, end, known, attrs): &(SubExp, SubExp, KnownValues, &[StmAttr])| {
                let n = b.sub(*end, *start);
                self.piece((*start, n), known, attrs, rows, b)
            };
            ends.iter().map(piece).collect()
        })
    }

    /// What holds in the main piece.
    fn known(&self, limits: &Limits, b: &mut Builder) -> KnownValues {
        let mut known = KnownValues { index: Some(self.index), ..KnownValues::default() };
        for (v, outcome) in &self.main.outcomes {
            known.values.insert(*v, SubExp::bool(*outcome));
        }
        known.values.extend(self.main.same.iter().map(|(v, x)| (*v, *x)));
        for u in &self.main.uniform {
            let first = Poly::leaf(limits.from).mul(&Poly::constant(u.factor)).add(&u.rest);
            let first = value(&first, b);
            let cond = b.lt(first, SubExp::i64(0));
            known.values.insert(u.cond, cond);
        }
        for c in &self.main.chosen {
            let Some(cond) = known.values.get(&c.cond).copied() else { continue };
            let (yes, no) = (value(&c.rests.0, b), value(&c.rests.1, b));
            let distance = b.choose(cond, yes, no);
            if matches!(c.factor, 1 | -1) {
                known.moving.insert(c.var, (c.factor, distance));
            }
        }
        known
    }

    /// The map or reduction over `n` indexes from `start`; what it is reduced to, and its arrays.
    fn piece(
        &self,
        (start, n): (SubExp, SubExp),
        known: &KnownValues,
        attrs: &[StmAttr],
        rows: &[Row],
        b: &mut Builder,
    ) -> Vec<Var> {
        let totals = self.ops.iter().flat_map(|r| &r.op.ret);
        let mut pat: Vec<PatElem> =
            totals.map(|t| PatElem::new(b.names.fresh("total"), t.clone())).collect();
        pat.extend(rows.iter().map(|r| r.piece(start, n, b)));
        let mut body = specialise(self.body, known);
        let index = b.names.like(self.index);
        let space = SegSpace { dims: [&[(index, n)], self.point].concat() };
        let mut renamer = Subst::new();
        if start == SubExp::i64(0) {
            renamer.insert(self.index, index);
        } else {
            let sum = Exp::BinOp(BinOp::Add(I64), index.into(), start);
            body.stms.insert(0, Stm::new(vec![PatElem::new(self.index, Type::I64)], sum));
        }
        renamer.kernel_body(&mut body);
        let mut exp = Exp::Seg(if self.ops.is_empty() {
            SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body }
        } else {
            SegOp { level: SegLevel::Seq, space, kind: SegKind::Red(self.ops.to_vec()), body }
        });
        Renamer::new(&mut b.names).exp(&mut exp);
        let vars = pat.iter().map(|p| p.var).collect();
        let stm = Stm {
            schedule: None,
            pat,
            exp,
            certs: self.certs.to_vec(),
            attrs: [self.attrs, attrs].concat(),
            loc: b.loc,
        };
        b.push(stm);
        vars
    }
}

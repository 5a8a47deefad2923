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
//! both row and index has rows that are one subrange in which it goes the way that has less to do.
//!
//! A reduction to scalars has two versions instead: one for when the main subrange is all of its range.
//! One that stores something for each of its points as well is split as a map is, and what the
//! subranges come to is put together by its operators.
//!
//! Refused: maps whose results are arrays or writes, and large bodies, since a body stands up to
//! three times. Index arithmetic may overflow, and bounds are then wrong: there is no main subrange
//! unless all values that bounds are made of are small. At level `mem`, for one thread.

mod bits;
mod block;
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
    BinOp, Body, Builder, CmpOp, Const, Defs, Exp, IntType, KernelBody, KernelResult, Level,
    Linkage, Lmad, MemBind, NameSource, PatElem, Poly, Prim, Program, Reduction, SegKind, SegLevel,
    SegOp, SegSpace, Stm, StmAttr, SubExp, Type, Var,
};
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
/// Pieces at either end that have less to do.
const MOST_ASIDES: usize = 2;
/// What limits are made of is less than this, or there is no main piece.
const SMALL: i64 = 1 << 40;
/// Factors of products in them, than this.
const SMALL_FACTOR: i64 = 1 << 30;

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
fn each_statement(
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

/// A map of this thread that may be split, or a reduction that also stores something for each of its
/// points, of at most so many statements: with the operators, of which a map has none.
fn splits(stm: &Stm, most: usize) -> Option<(&SegSpace, &[Reduction], &KernelBody)> {
    let (space, ops, body) = match &stm.exp {
        Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body }) => {
            (space, [].as_slice(), body)
        }
        Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Red(ops), body })
            if space.dims.len() == 1 && body.results.len() > reduced(ops) =>
        {
            (space, ops.as_slice(), body)
        }
        _ => return None,
    };
    let (_, n) = space.dims.last()?;
    let short = matches!(n, SubExp::Const(Const::I64(n)) if *n < SHORT);
    (!short && are_stored(body, most)).then_some((space, ops, body))
}

/// Whether the results of a body of at most so many statements are scalars that are stored where their index says.
fn are_stored(body: &KernelBody, most: usize) -> bool {
    body.types.iter().all(|t| matches!(t, Type::Prim(_)))
        && body.results.iter().all(|r| matches!(r, KernelResult::Return(_)))
        && size(&body.stms) <= most
}

/// How many results operators have.
fn reduced(ops: &[Reduction]) -> usize {
    ops.iter().map(|r| r.neutral.len()).sum()
}

/// Where the innermost rows of arrays that are stored go.
fn rows_of(pat: &[PatElem], space: &SegSpace) -> Option<Vec<Row>> {
    let outer = space.dims.len() - 1;
    let here: Vec<SubExp> = space.dims.iter().take(outer).map(|d| d.0.into()).collect();
    let row = |p: &PatElem| {
        let mem = p.mem.as_ref()?;
        let lmad = mem.lmad.row(&here);
        Some(Row { elem: p.ty.elem()?, base: p.var, block: mem.block, lmad })
    };
    pat.iter().map(row).collect()
}

/// The map over what its innermost dimension has been split into: the arrays of each part, whose
/// statements are in the open list.
fn whole(
    stm: &Stm,
    space: &SegSpace,
    rows: &[Row],
    parts: &[Vec<Var>],
    b: &mut Builder,
) -> Vec<Stm> {
    let outer = space.dims.len() - 1;
    let n = space.dims.last().map_or(SubExp::i64(0), |d| d.1);
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
    vec![Stm { exp, ..stm.clone() }]
}

/// The map or reduction in pieces, if that gains anything.
fn split(stm: &Stm, most: usize, defs: &Defs, b: &mut Builder) -> Option<Vec<Stm>> {
    let (space, ops, body) = splits(stm, most)?;
    let (index, n) = *space.dims.last()?;
    let (before, apart);
    let body = if space.dims.len() > 1 {
        (before, apart) = rows::apart(index, body, &mut b.names);
        &apart
    } else {
        before = Vec::new();
        body
    };
    let main = main_piece(index, n, &body.stms, defs);
    if main.is_whole() {
        return None;
    }
    let (totals, arrays) = stm.pat.split_at_checked(reduced(ops))?;
    let rows = rows_of(arrays, space)?;
    b.loc = stm.loc;
    b.begin();
    b.push_all(before);
    let limits = Limits::emit(&main, (index, n), b);
    let work = SplitNest { index, ops, body, main: &main, certs: &stm.certs, attrs: &stm.attrs };
    let Some(parts) = limits.pieces(&work, &rows, b) else {
        b.end();
        return None;
    };
    if ops.is_empty() {
        return Some(whole(stm, space, &rows, &parts, b));
    }
    let (mut reduced, mut stored) = (Vec::new(), Vec::new());
    for mut part in parts {
        stored.push(part.split_off(totals.len().min(part.len())));
        reduced.push(part);
    }
    total(totals, ops, &reduced, b);
    let stm = Stm { pat: arrays.to_vec(), ..stm.clone() };
    Some(whole(&stm, space, &rows, &stored, b))
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
    let main = main_piece(*index, *n, &body.stms, defs);
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
    let work =
        SplitNest { index: *index, ops, body, main: &main, certs: &stm.certs, attrs: &stm.attrs };
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
    base: Var,
    block: Var,
    lmad: Lmad,
}

impl Row {
    fn part(&self, n: SubExp, lmad: Lmad, b: &mut Builder) -> PatElem {
        self.array(vec![n], lmad, b)
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
    ops: &'w [Reduction],
    body: &'w KernelBody,
    main: &'w Main,
    certs: &'w [Var],
    attrs: &'w [StmAttr],
}

/// The ends of the pieces, computed.
struct Limits {
    /// Where a row ends all of whose indexes have less to do; other rows end where they start.
    row: Option<(SubExp, (Var, bool))>,
    /// Where indexes end that have less to do before the main piece, in order, and what decides; where
    /// they begin after it, from the last on.
    low: Vec<(SubExp, (Var, bool))>,
    high: Vec<(SubExp, (Var, bool))>,
    /// The main piece.
    from: SubExp,
    to: SubExp,
    /// All.
    n: SubExp,
}

const I64: IntType = IntType::I64;

/// Whether conditions are all what they must be.
fn all_hold(conds: &[(Var, bool)], b: &mut Builder) -> SubExp {
    conds.iter().fold(SubExp::bool(true), |all, (v, wanted)| {
        let one = if *wanted { (*v).into() } else { b.not((*v).into()) };
        b.and(all, one)
    })
}

fn value(p: &Poly, b: &mut Builder) -> SubExp {
    b.size64(&p.to_size())
}

impl Limits {
    fn emit(main: &Main, (index, n): (Var, SubExp), b: &mut Builder) -> Limits {
        let zero = SubExp::i64(0);
        // Sizes of arrays and limits of loops are small on every machine, other values may not be.
        let mut small = SubExp::bool(true);
        for v in &main.leaves {
            let bound = if main.factors.contains(v) { SMALL_FACTOR } else { SMALL };
            let moved = b.add((*v).into(), SubExp::i64(bound));
            let fits = b.cmp(CmpOp::ULt(I64), moved, SubExp::i64(2 * bound));
            small = b.and(small, fits);
        }
        let most = b.choose(small, n, zero);
        let start = match &main.by_row {
            Some(row) => {
                let main = all_hold(&row.conds, b);
                b.choose(main, zero, most)
            }
            None => zero,
        };
        let (mut from, mut to) = (start, most);
        for limit in &main.limits {
            match limit {
                Limit::From(p) => {
                    let p = value(p, b);
                    from = b.max(from, p);
                }
                Limit::Before(p) => {
                    let p = value(p, b);
                    to = b.min(to, p);
                }
                Limit::Apart(_) | Limit::Side(_) => {}
            }
        }
        from = b.min(from, most);
        to = b.max(from, to);
        for limit in &main.limits {
            let (at, gap) = match limit {
                Limit::Apart(p) => (p, 1),
                Limit::Side(p) => (p, 0),
                Limit::From(_) | Limit::Before(_) => continue,
            };
            // The larger side stays.
            let at = value(at, b);
            let past = b.add(at, SubExp::i64(gap));
            let (first, last) = (b.le(from, at), b.lt(at, to));
            let inside = b.and(first, last);
            let (left, right) = (b.sub(at, from), b.sub(to, past));
            let upper = b.lt(left, right);
            let upper = b.and(inside, upper);
            let stays = b.choose(upper, to, at);
            let end = b.choose(inside, stays, to);
            from = b.choose(upper, past, from);
            to = end;
        }
        if !main.ends.is_empty() || !main.holds.is_empty() {
            let last = b.sub(to, SubExp::i64(1));
            let mut holds = all_hold(&main.holds, b);
            for p in &main.ends {
                for end in [from, last] {
                    let at = value(&p.substitute(index, &Poly::leaf(end)), b);
                    let here = b.le(zero, at);
                    holds = b.and(holds, here);
                }
            }
            to = b.choose(holds, to, from);
        }
        let (mut low, mut high) = (Vec::new(), Vec::new());
        let (mut done, mut left) = (start, n);
        for aside in &main.asides {
            let what = (aside.cond, aside.outcome);
            match &aside.limit {
                Limit::Before(p) if low.len() < MOST_ASIDES => {
                    let p = value(p, b);
                    let p = b.max(p, done);
                    done = b.min(p, from);
                    low.push((done, what));
                }
                Limit::From(p) if high.len() < MOST_ASIDES => {
                    let p = value(p, b);
                    // Nothing is known of a large value.
                    let unknown = b.sub(n, most);
                    let p = b.max(p, unknown);
                    let p = b.max(p, to);
                    left = b.min(p, left);
                    high.push((left, what));
                }
                _ => {}
            }
        }
        let row = main.by_row.as_ref().map(|row| (start, (row.cond, row.outcome)));
        Limits { row, low, high, from, to, n }
    }

    /// The pieces, in order: what each is reduced to, and its arrays. Nothing if there would be
    /// only one.
    fn pieces(&self, w: &SplitNest<'_>, rows: &[Row], b: &mut Builder) -> Option<Vec<Vec<Var>>> {
        let zero = SubExp::i64(0);
        let known = w.known(self, b);
        let aside = |(cond, outcome): (Var, bool)| KnownValues {
            values: [(cond, SubExp::bool(outcome))].into_iter().collect(),
            ..KnownValues::default()
        };
        let mut ends: Vec<(SubExp, SubExp, KnownValues, &[StmAttr])> = Vec::new();
        let rim = if w.main.rims_are_short { [StmAttr::Peeled].as_slice() } else { &[] };
        let mut start = zero;
        if let Some((end, what)) = self.row {
            ends.push((start, end, aside(what), &[]));
            start = end;
        }
        for (end, what) in &self.low {
            ends.push((start, *end, aside(*what), &[]));
            start = *end;
        }
        ends.push((start, self.from, KnownValues::default(), rim));
        ends.push((self.from, self.to, known, &[]));
        let end = self.high.last().map_or(self.n, |h| h.0);
        ends.push((self.to, end, KnownValues::default(), rim));
        for (i, (start, what)) in self.high.iter().enumerate().rev() {
            let end = i.checked_sub(1).and_then(|i| self.high.get(i)).map_or(self.n, |h| h.0);
            ends.push((*start, end, aside(*what), &[]));
        }
        ends.retain(|(start, end, _, _)| start != end);
        (ends.len() > 1).then(|| {
            let piece = |(start, end, known, attrs): &(SubExp, SubExp, KnownValues, &[StmAttr])| {
                let n = b.sub(*end, *start);
                w.piece((*start, n), known, attrs, rows, b)
            };
            ends.iter().map(piece).collect()
        })
    }
}

impl SplitNest<'_> {
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
        let space = SegSpace { dims: vec![(index, n)] };
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

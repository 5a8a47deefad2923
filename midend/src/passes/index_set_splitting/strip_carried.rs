//! Strip-mining of histograms, reductions and maps over chunks: a loop over pieces of the range in which quotients of the index have one value each.
//!
//! ```text
//! h = seghist (k < n) into [d] {        s = first % y
//!   i = k + first                       h = loop (d) for p < (s + n + y - 1) / y {
//!   q = i / y                             lo = max 0 (p * y - s), hi = min n ((p + 1) * y - s)
//!   r = i % y                      →      seghist (j < hi - lo) into [d] {
//!   … q … r … }                             k = j + lo, i = k + first
//!                                           q = first / y + p
//!                                           r = j + (p == 0 ? s : 0)
//!                                           … q … r … } }
//! ```
//!
//! As for maps ([`strip_mine`](super::strip_mine())), a division costs more than most of what a point does. But points of a
//! histogram go in order, one after the other, so no place has to be found for what a piece yields: the first and the last
//! piece are as long as they come out, wherever the range begins that a task has, and all have the same code. The same updates are
//! made in the same order. Points that take long are distributed in each piece: [`strip_histograms`] comes before that.
//!
//! A reduction to scalars is carried from piece to piece, as destinations are, and the operator adds what a piece comes to. It is
//! associative, and pieces stay in order.
//!
//! So are the places of a map over a chunk of a range, as filters compute them, which begins anywhere in a piece and has few of them.
//!
//! Where `y` is small, or numbers are so large that products might wrap, all goes as before: the body stands twice.
//! Left alone are larger bodies, small constants, and what is not for one thread. At level `mem`.

use super::block::{Block, MOST_STATEMENTS, SHORTEST, begin_of, indexes_in_whole};
use super::quotients::Quotients;
use super::reductions::can_be_applied_again;
use super::{I64, SMALL, are_stored, each_statement, reduced, rows_of, size, total};
use crate::analysis::bodies::{is_straight, takes_long};
use crate::ir::traverse::{Renamer, Rewrite};
use crate::ir::{
    BinOp, Body, Builder, Const, Defs, DimIndex, Exp, HistOp, KernelBody, LoopForm, Param, PatElem,
    Program, Reduction, SegKind, SegLevel, SegOp, SegSpace, Stm, StmAttr, SubExp, Type, Var,
};

/// Those whose points take long in pieces, which are then distributed
/// ([`distribute_histograms`](crate::passes::mem::distribute_histograms)).
pub fn strip_histograms(program: Program) -> Program {
    each_statement(program, |s, defs, b| {
        let Exp::Seg(SegOp { kind, body, .. }) = &s.exp else { return None };
        let divides = |s: &Stm| matches!(s.exp, Exp::BinOp(op, ..) if op.is_partial());
        let long = body.stms.iter().any(|s| takes_long(s) && !divides(s));
        let histogram = matches!(kind, SegKind::Hist(_));
        if histogram && long && body.stms.iter().all(is_straight) {
            split_carried(s, defs, b)
        } else {
            None
        }
    })
}

/// What goes from a piece to the next.
#[derive(Clone, Copy)]
enum Carried<'s> {
    /// The destinations.
    Histograms(&'s [HistOp]),
    /// What the points before come to.
    Reductions(&'s [Reduction]),
    /// The arrays that chunks of maps make.
    Chunks,
}

impl<'s> Carried<'s> {
    fn of(stm: &Stm, op: &'s SegOp) -> Option<Carried<'s>> {
        match &op.kind {
            SegKind::Hist(ops) if stm.pat.iter().all(|p| p.mem.is_some()) => {
                Some(Carried::Histograms(ops))
            }
            SegKind::Red(ops)
                if !ops.is_empty()
                    && op.body.results.len() == reduced(ops)
                    && can_be_applied_again(ops) =>
            {
                Some(Carried::Reductions(ops))
            }
            SegKind::Map if is_chunk(stm, op) => Some(Carried::Chunks),
            _ => None,
        }
    }

    /// Emits what there is before the first piece.
    fn init(self, stm: &Stm, b: &mut Builder) -> Vec<SubExp> {
        match self {
            Carried::Chunks => {
                let pat = b.renamed(&stm.pat);
                for p in &pat {
                    if let Type::Array { elem, shape } = &p.ty {
                        let (elem, shape) = (*elem, shape.clone());
                        b.bind(vec![p.clone()], Exp::Scratch { elem, shape });
                    }
                }
                results(&pat)
            }
            Carried::Histograms(ops) => {
                ops.iter().flat_map(|h| &h.dests).map(|v| SubExp::from(*v)).collect()
            }
            Carried::Reductions(ops) => ops.iter().flat_map(|r| &r.neutral).copied().collect(),
        }
    }

    /// Emits a piece of `n` points from `lo` on, after which `pat` is carried.
    fn piece(
        self,
        stm: &Stm,
        (lo, n): (SubExp, SubExp),
        (space, body): (SegSpace, KernelBody),
        (params, pat): (&[Param], &[PatElem]),
        b: &mut Builder,
    ) {
        let seg = |kind, pat| {
            let exp = Exp::Seg(SegOp { level: SegLevel::Seq, space, kind, body });
            Stm { pat, exp, ..stm.clone() }
        };
        match self {
            Carried::Histograms(ops) => {
                let mut into = ops.to_vec();
                for (dest, p) in into.iter_mut().flat_map(|h| &mut h.dests).zip(params) {
                    *dest = p.var;
                }
                b.push(seg(SegKind::Hist(into), pat.to_vec()));
            }
            Carried::Reductions(ops) => {
                let part = b.renamed(&stm.pat);
                let parts: Vec<Var> = part.iter().map(|p| p.var).collect();
                b.push(seg(SegKind::Red(ops.to_vec()), part));
                let before = params.iter().map(|p| p.var).collect();
                total(pat, ops, &[before, parts], b);
            }
            Carried::Chunks => {
                let rows = rows_of(&stm.pat, &SegSpace { dims: Vec::new() }, 0).unwrap_or_default();
                let part: Vec<PatElem> = rows.iter().map(|row| row.piece(lo, n, b)).collect();
                let parts: Vec<Var> = part.iter().map(|p| p.var).collect();
                b.push(seg(SegKind::Map, part));
                // Each piece is where it goes.
                let slice = DimIndex::Slice { start: lo, n, stride: SubExp::i64(1) };
                for ((p, param), part) in pat.iter().zip(params).zip(parts) {
                    let (array, dims, value) = (param.var, vec![slice], part.into());
                    b.bind(vec![p.clone()], Exp::Update { array, dims, value });
                }
            }
        }
    }
}

/// Whether a map goes through a chunk of a range, whose places need not be arrays that others read meanwhile.
pub(super) fn is_chunk(stm: &Stm, op: &SegOp) -> bool {
    stm.has(StmAttr::InCache)
        && op.space.dims.len() == 1
        && are_stored(&op.body, MOST_STATEMENTS)
        && stm.pat.iter().all(|p| p.mem.is_some() && p.ty.rank() == 1)
}

/// The histogram, reduction or chunk of a map in pieces, if it divides its index.
pub(super) fn split_carried(stm: &Stm, defs: &Defs, b: &mut Builder) -> Option<Vec<Stm>> {
    let Exp::Seg(op) = &stm.exp else { return None };
    let SegOp { level: SegLevel::Seq, space, body, .. } = op else { return None };
    let [(index, n)] = *space.dims.as_slice() else { return None };
    let scalars = body.types.iter().all(|t| matches!(t, Type::Prim(_)));
    if !scalars || stm.has(StmAttr::Rest) || size(&body.stms) > MOST_STATEMENTS {
        return None;
    }
    let carried = Carried::of(stm, op)?;
    let (firsts, quotients) = indexes_in_whole(index, body)
        .into_iter()
        .find_map(|(i, firsts)| Some((firsts, Quotients::of(i, index, body, defs)?)))?;
    b.loc = stm.loc;
    b.begin();
    let first = begin_of(&firsts, b);
    let pays = pays(&quotients, first, n, b);
    let mut whole = Stm { pat: b.renamed(&stm.pat), ..stm.clone() };
    whole.attrs.push(StmAttr::Rest);
    Renamer::new(&mut b.names).exp(&mut whole.exp);
    let default = Body { result: results(&whole.pat), stms: vec![whole] };
    let range = Range { index, first, n };
    b.begin();
    let made = pieces(stm, (carried, body), range, &quotients, b);
    let result = results(&made.pat);
    b.push(made);
    let in_pieces = Body { stms: b.end(), result };
    let cases = vec![(Const::Bool(true), in_pieces)];
    b.bind(stm.pat.clone(), Exp::Match { scrutinee: pays, cases, default });
    Some(b.end())
}

/// The range that is gone through: `n` indexes of a larger one from `first`.
#[derive(Clone, Copy)]
struct Range {
    index: Var,
    first: SubExp,
    n: SubExp,
}

/// Whether pieces are long enough, and no number that tells where they lie can wrap.
fn pays(quotients: &Quotients, first: SubExp, n: SubExp, b: &mut Builder) -> SubExp {
    let mut pays = b.le(SubExp::i64(SHORTEST), quotients.by);
    let fits = quotients.fits(b);
    pays = b.and(pays, fits);
    for x in [quotients.by, n, first] {
        let small = b.le(x, SubExp::i64(SMALL));
        pays = b.and(pays, small);
    }
    let positive = b.le(SubExp::i64(0), first);
    b.and(pays, positive)
}

/// The loop over pieces.
fn pieces(
    stm: &Stm,
    (carried, body): (Carried, &KernelBody),
    Range { index, first, n }: Range,
    quotients: &Quotients,
    b: &mut Builder,
) -> Stm {
    let (zero, one, by) = (SubExp::i64(0), SubExp::i64(1), quotients.by);
    // A whole range begins with a piece.
    let (before, start) =
        if first == zero { (zero, zero) } else { (b.quot(first, by), b.rem(first, by)) };
    let past = b.add(start, n);
    let rounded = b.sub(by, one);
    let rounded = b.add(past, rounded);
    let count = b.quot(rounded, by);

    let piece = b.names.fresh("piece");
    b.begin();
    let at = b.mul(piece.into(), by);
    let lo = b.sub(at, start);
    let hi = b.add(lo, by);
    let lo = b.max(zero, lo);
    let hi = b.min(n, hi);
    let length = b.sub(hi, lo);
    let is_first = b.eq(piece.into(), zero);
    let from = b.choose(is_first, start, zero);
    let number = b.add(before, piece.into());

    let (j, k) = (b.names.fresh("j"), b.names.fresh("k"));
    let mut body = body.clone();
    quotients.divide(&mut body, Block { number, half: None, start: lo, k }, b);
    let sum = |v: Var, x: SubExp| {
        Stm::new(vec![PatElem::new(v, Type::I64)], Exp::BinOp(BinOp::Add(I64), j.into(), x))
    };
    // The piece is a part of the range of remainders, round which neighbours go.
    let mut in_piece = sum(k, from);
    in_piece.attrs.push(StmAttr::Index);
    body.stms.splice(0..0, [in_piece, sum(index, lo)]);
    let params: Vec<Param> = (b.renamed(&stm.pat).into_iter())
        .map(|p| Param { mem: p.mem, ..Param::new(p.var, p.ty) })
        .collect();
    let space = SegSpace { dims: vec![(j, length)] };
    let pat = b.renamed(&stm.pat);
    carried.piece(stm, (lo, length), (space, body), (&params, &pat), b);
    let body = Body { result: results(&pat), stms: b.end() };
    let init = carried.init(stm, b);
    let form = LoopForm::For { var: piece, ty: I64, bound: count };
    let mut exp = Exp::Loop { params, init, form, body };
    Renamer::new(&mut b.names).exp(&mut exp);
    Stm { loc: stm.loc, ..Stm::new(b.renamed(&stm.pat), exp) }
}

fn results(pat: &[PatElem]) -> Vec<SubExp> {
    pat.iter().map(|p| p.var.into()).collect()
}

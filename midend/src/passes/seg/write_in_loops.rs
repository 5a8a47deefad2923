//! Writes of rows that loops make go into the loops.
//!
//! ```text
//! rows = segmap (c < k) {                      out = loop (d = dest) for c < k {
//!   r0 = replicate([m], -1)                      …
//!   …                                            at = c · m
//!   row = loop (r = r0, …) for i < len {         d' = loop (e = d, …) for i < len {
//!     … p …                                        … p …
//!     r' = update r[i] with p                      j = at + i
//!     in (r', …) }                       ⟶         e' = if j < n {
//!   in (return row) }                                x = xs[j]
//! ps = reshape(rows, [k · m])                        in if p <u h { update e[p] with x } else { e }
//! out = segmap (j < n) {                           } else { e }
//!   p = ps[j]; x = xs[j]                           in (e', …) }
//!   in (write dest {[p] = x}) }                  in d' }
//! ```
//!
//! Sorts by counting, and whatever else finds places in sequence, go in chunks, each of which makes a row of the places of
//! its elements for one `scatter` of everything. The places need not be anywhere: what is written is no other than with the map, as
//! points of which no round makes the place have one outside (-1), where nothing is written. The loop is one of scatters
//! ([`StmAttr::Scatters`]), whose rounds tasks may share.
//!
//! Rows may be several of one length, such as places and values. Each round must write the element of its counter of each, and read
//! none; the map that writes must be all that reads them, at the elements of its own index, and neither fail nor
//! read what it writes to, nor must the loops. Of what stands between only checks may fail, which then are made before
//! those of the loops. Cost: linear in the program.

use super::in_turn::{WritesInTurn, all_read_in_turn, elements_for_reads, map_of, writes_in_turn};
use crate::analysis::alias::{Aliases, consumed_by};
use crate::ir::traverse::{Rewrite, Subst, Visit, for_each_block_mut, free_in_exp};
use crate::ir::varmap::VarMap;
use crate::ir::{
    BinOp, Body, CmpOp, Const, DimIndex, Effects, Exp, IntType, KernelBody, KernelResult, Level,
    LoopForm, Mentions, NameSource, Param, PatElem, Prim, Program, SegOp, Stm, StmAttr, SubExp,
    Type, Var,
};
use std::cell::Cell;

/// Puts writes of rows into the loops that make them.
pub fn write_in_loops(mut prog: Program) -> Program {
    if prog.level != Level::Seg {
        return prog;
    }
    let mut names = NameSource::new(prog.next_tag);
    let mut w = Writer {
        aliases: Aliases::of_program(&prog),
        mentions: Mentions::of_program(&prog),
        names: &mut names,
    };
    w.list(&mut prog.consts.stms);
    for f in &mut prog.funs {
        w.list(&mut f.body.stms);
    }
    prog.next_tag = names.next_tag();
    prog
}

struct Writer<'n> {
    aliases: Aliases,
    mentions: Mentions,
    names: &'n mut NameSource,
}

/// A row that a loop makes.
struct Row {
    /// Which of the loop's parameters it is.
    param: usize,
    /// Where in the loop's body an element is written, and the element.
    update: usize,
    element: SubExp,
    /// Elements that no round writes are negative.
    begins_outside: bool,
    /// All rows, one behind the other, and where in the list that is said.
    flat: Var,
    flattened: usize,
    /// What that relies on.
    certs: Vec<Var>,
}

/// A map of rows and what writes them.
struct Found {
    /// The loop in the map's body.
    maker: usize,
    rows: Vec<Row>,
    /// Where the map that writes is.
    writer: usize,
}

impl Writer<'_> {
    fn list(&mut self, stms: &mut Vec<Stm>) {
        for s in stms.iter_mut() {
            for_each_block_mut(&mut s.exp, &mut |b| self.list(b));
        }
        let mut at = 0;
        while at < stms.len() {
            let Some((found, new)) = self.fused(stms, at) else {
                at += 1;
                continue;
            };
            if let Some(writer) = stms.get_mut(found.writer) {
                *writer = new;
            }
            let gone = |i| i == at || found.rows.iter().any(|r| r.flattened == i);
            keep(stms, |i| !gone(*i));
        }
    }

    /// The map of rows at `at` with what writes them, and the loop that both are.
    fn fused(&mut self, stms: &[Stm], at: usize) -> Option<(Found, Stm)> {
        let found = self.find(stms, at)?;
        let new = self.joined(stms.get(at)?, stms.get(found.writer)?, &found)?;
        Some((found, new))
    }

    /// The map of rows at `at` with what writes them, if that can go there.
    fn find(&mut self, stms: &[Stm], at: usize) -> Option<Found> {
        let producer = stms.get(at)?;
        let (_, _, body) = map_of(producer)?;
        let mut maker = None;
        let mut rows = Vec::new();
        let mut length = None;
        let mut last = at;
        for (p, r) in producer.pat.iter().zip(&body.results) {
            let KernelResult::Return(SubExp::Var(row)) = r else { return None };
            let made = body.stms.iter().position(|s| s.pat.iter().any(|p| p.var == *row))?;
            if *maker.get_or_insert(made) != made || self.mentions.count(*row) != 1 {
                return None;
            }
            let flattens =
                |s: &Stm| matches!(&s.exp, Exp::Reshape { array, .. } if *array == p.var);
            let flattened = (at + 1..stms.len()).find(|i| stms.get(*i).is_some_and(flattens))?;
            let [q] = stms.get(flattened)?.pat.as_slice() else { return None };
            let ([_, n], [_]) = (p.ty.shape(), q.ty.shape()) else { return None };
            // An element has one place among all, whichever row it is of.
            if *length.get_or_insert(*n) != *n || self.mentions.count(p.var) != 1 {
                return None;
            }
            last = last.max(flattened);
            rows.push(self.row(&body.stms, made, *row, (flattened, stms.get(flattened)?))?);
        }
        let mentions =
            |s: &Stm| free_in_exp(&s.exp).iter().any(|v| rows.iter().any(|r| r.flat == *v));
        let writer = (at + 1..stms.len()).find(|i| stms.get(*i).is_some_and(mentions))?;
        let consumer = stms.get(writer)?;
        let (k, _, writes) = map_of(consumer)?;
        let read_in_turn = |flat: &Stm| all_read_in_turn(consumer, k, flat, &self.mentions);
        let all = rows.iter().all(|r| stms.get(r.flattened).is_some_and(read_in_turn));
        let fits = all && last < writer && leaves_out(writes, &rows);
        let moves = fits && self.may_move(producer, consumer, stms.get(at + 1..writer)?)?;
        moves.then_some(Found { maker: maker?, rows, writer })
    }

    /// A row that the loop at a place of a body makes, of those that a statement of the list around flattens.
    fn row(&self, stms: &[Stm], maker: usize, row: Var, flat: (usize, &Stm)) -> Option<Row> {
        let s = stms.get(maker)?;
        let Exp::Loop { params, init, form: LoopForm::For { var, ty: IntType::I64, .. }, body } =
            &s.exp
        else {
            return None;
        };
        let param = s.pat.iter().position(|p| p.var == row)?;
        let (this, next) = (params.get(param)?.var, body.result.get(param)?.var()?);
        let update = body.stms.iter().position(|s| s.pat.iter().any(|p| p.var == next))?;
        let Exp::Update { array, dims, value } = &body.stms.get(update)?.exp else { return None };
        let only = self.mentions.count(this) == 1 && self.mentions.count(next) == 1;
        if *array != this || **dims != [DimIndex::Fix((*var).into())] || !only {
            return None;
        }
        let first = init.get(param)?.var()?;
        let filled = stms.iter().find(|s| s.pat.iter().any(|p| p.var == first))?;
        let begins_outside = match &filled.exp {
            Exp::Replicate { value: SubExp::Const(c), .. } => c.as_int().is_some_and(|c| c < 0),
            _ => false,
        };
        let (flattened, whole) = flat;
        let (flat, certs) = (whole.pat.first()?.var, whole.certs.clone());
        Some(Row { param, update, element: *value, begins_outside, flat, flattened, certs })
    }

    /// Whether the map of rows can be computed where they are written, and both at once.
    fn may_move(&mut self, producer: &Stm, consumer: &Stm, between: &[Stm]) -> Option<bool> {
        let (made, written) = (Effects::of(producer), Effects::of(consumer));
        if made.pinned || made.diverges || written.pinned || written.diverges || written.fails {
            return Some(false);
        }
        let Exp::Seg(SegOp { body, .. }) = &consumer.exp else { return None };
        let mut reads = free_in_exp(&producer.exp);
        let mut here = Mentions::default();
        body.stms.iter().for_each(|s| here.stm(s));
        reads.extend(free_in_exp(&consumer.exp).into_iter().filter(|v| here.count(*v) > 0));
        for r in &body.results {
            let KernelResult::Write { dest, .. } = r else { return Some(false) };
            let to = self.aliases.id(*dest)?;
            if reads.iter().any(|v| self.aliases.id(*v) == Some(to)) {
                return Some(false);
            }
        }
        let called = Cell::new(false);
        let unknown = |_| {
            called.set(true);
            Vec::new()
        };
        let quiet = between.iter().all(|s| {
            let other = Effects::of(s);
            let checks = matches!(s.exp, Exp::Assert { .. });
            consumed_by(s, &unknown).is_empty()
                && !other.pinned
                && !other.diverges
                && (!other.fails || !made.fails || checks)
        });
        Some(quiet && !called.get())
    }

    /// The loop that writes.
    fn joined(&mut self, producer: &Stm, consumer: &Stm, found: &Found) -> Option<Stm> {
        let (chunk, chunks, made) = map_of(producer)?;
        let (k, many, point) = map_of(consumer)?;
        let length = *producer.pat.first()?.ty.shape().get(1)?;
        let mut stms = made.stms.clone();
        let maker = stms.get_mut(found.maker)?;
        let loc = maker.loc;
        let Exp::Loop { params, init, form: LoopForm::For { var, .. }, body } = &mut maker.exp
        else {
            return None;
        };
        let [at, j, inside] = ["at", "j", "inside"].map(|n| self.names.fresh(n));
        // What the map that writes does at the element of this round.
        let mut point = point.clone();
        let mut subst = Subst::new();
        subst.insert(k, j);
        subst.kernel_body(&mut point);
        let KernelBody { stms: mut now, results, .. } = point;
        let elements: VarMap<SubExp> = found.rows.iter().map(|r| (r.flat, r.element)).collect();
        elements_for_reads(elements, &mut now);
        let WritesInTurn { params: dests, init: before, result } =
            writes_in_turn(&consumer.pat, &results, consumer.loc, &mut now, self.names)?;
        let mut certs = consumer.certs.clone();
        certs.extend(
            found
                .rows
                .iter()
                .filter_map(|r| body.stms.get(r.update))
                .flat_map(|s| s.certs.iter().copied()),
        );
        // In place of the rows the destinations are carried.
        let gone: Vec<usize> = found.rows.iter().map(|r| r.update).collect();
        let mut position = 0..;
        body.stms.retain(|_| !gone.contains(&position.next().unwrap_or_default()));
        let int = |v, exp| Stm { loc, ..Stm::new(vec![PatElem::new(v, Type::I64)], exp) };
        let add = BinOp::Add(IntType::I64);
        body.stms.push(int(j, Exp::BinOp(add, at.into(), (*var).into())));
        let within = Exp::CmpOp(CmpOp::SLt(IntType::I64), j.into(), many);
        let pat = vec![PatElem::new(inside, Type::Prim(Prim::Bool))];
        body.stms.push(Stm { loc, ..Stm::new(pat, within) });
        let default =
            Body { stms: Vec::new(), result: dests.iter().map(|p| p.var.into()).collect() };
        let cases = vec![(Const::Bool(true), Body { stms: now, result })];
        let after = self.like(&consumer.pat);
        let next: Vec<SubExp> = after.iter().map(|p| p.var.into()).collect();
        let choice = Exp::Match { scrutinee: inside.into(), cases, default };
        body.stms.push(Stm { loc, certs, ..Stm::new(after, choice) });
        let outer = self.like(&consumer.pat);
        let rows: Vec<usize> = found.rows.iter().map(|r| r.param).collect();
        let stays = |i: &usize| !rows.contains(i);
        keep(params, stays);
        keep(init, stays);
        keep(&mut body.result, stays);
        keep(&mut maker.pat, stays);
        params.extend(dests);
        init.extend(outer.iter().map(|p| SubExp::from(p.var)));
        body.result.extend(next);
        let written = self.like(&consumer.pat);
        let result = written.iter().map(|p| p.var.into()).collect();
        maker.pat.extend(written);
        let first = Exp::BinOp(BinOp::Mul(IntType::I64), chunk.into(), length);
        stms.insert(found.maker, int(at, first));
        let form = LoopForm::For { var: chunk, ty: IntType::I64, bound: chunks };
        let params = outer.into_iter().map(|p| Param::new(p.var, p.ty)).collect();
        let exp = Exp::Loop { params, init: before, form, body: Body { stms, result } };
        let mut write = Stm { exp, ..consumer.clone() };
        let flat = found.rows.iter().flat_map(|r| &r.certs);
        write.certs.extend(producer.certs.iter().chain(flat));
        write.attrs.push(StmAttr::Scatters);
        Some(write)
    }

    fn like(&mut self, pat: &[PatElem]) -> Vec<PatElem> {
        pat.iter().map(|p| PatElem::new(self.names.like(p.var), p.ty.clone())).collect()
    }
}

/// Keeps what is at places that stay.
fn keep<T>(xs: &mut Vec<T>, stays: impl Fn(&usize) -> bool) {
    let mut at = 0..;
    xs.retain(|_| stays(&at.next().unwrap_or_default()));
}

/// Whether nothing is written for elements that no round makes.
fn leaves_out(writes: &KernelBody, rows: &[Row]) -> bool {
    let is_place = |x: &SubExp| {
        writes.stms.iter().any(|s| match (&s.exp, s.pat.as_slice()) {
            (Exp::Index { array, .. }, [p]) => {
                *x == p.var.into() && rows.iter().any(|r| r.begins_outside && r.flat == *array)
            }
            _ => false,
        })
    };
    writes.results.iter().all(|r| match r {
        KernelResult::Return(_) => false,
        KernelResult::Write { writes, .. } => {
            writes.iter().all(|(index, _)| index.iter().any(is_place))
        }
    })
}

//! Nests that are only flattened for a histogram are computed where it reads them.
//!
//! ```text
//! ys = segmap (i < n, j < m) {              h = seghist (k < q) into [d] {
//!   … in (return y) }                         i = k / m
//! q = n * m                                   j = k % m
//! zs = reshape(ys, [q])                →      …
//! h = seghist (k < q) into [d] {              in (return y, …) }
//!   z = zs[k]
//!   in (return z, …) }
//! ```
//!
//! So votes of points for cells, of which each point has several, take no memory. Strip-mining makes a loop over rows of it
//! ([`strip_histogram`](crate::passes::index_set_splitting::strip_histograms)), in which nothing is divided, whatever part of the range a
//! task has; and what takes long is computed in chunks there.
//!
//! Refused: elements that something else reads, checks, as an element that nobody reads must fail, too; loops; bodies that are done better by vectors but
//! are not distributed from the histogram again; and what reads arrays that are consumed by then.
//!
//! At level `seg`, behind [`collapse`](super::collapse). Cost: linear in the program.

use crate::analysis::alias::{Aliases, consumed_by};
use crate::analysis::bodies::{is_straight, size, takes_long};
use crate::ir::traverse::{Rewrite, Subst, for_each_block_mut, free_in_exp};
use crate::ir::varmap::VarSet;
use crate::ir::{
    BinOp, DimIndex, Effects, Exp, IntType, KernelBody, KernelResult, Level, Mentions, PatElem,
    Program, SegKind, SegLevel, SegOp, SegSpace, Stm, Type, Var,
};
use std::cell::Cell;

/// Larger bodies stay, unless the histogram's points are distributed.
const MOST_STATEMENTS: usize = 8;
/// Those stay as well that are larger than this.
const MOST_OF_LONG: usize = 40;

/// Puts flattened nests into the histograms that read them.
pub fn flattened_histograms(mut prog: Program) -> Program {
    if prog.level != Level::Seg {
        return prog;
    }
    let mut f =
        Flattened { aliases: Aliases::of_program(&prog), mentions: Mentions::of_program(&prog) };
    f.list(&mut prog.consts.stms);
    for fun in &mut prog.funs {
        f.list(&mut fun.body.stms);
    }
    prog
}

struct Flattened {
    aliases: Aliases,
    mentions: Mentions,
}

/// A nest's flattened results, and who reads them.
struct Found {
    /// Positions of the reshapes.
    flat: Vec<usize>,
    /// The flattened arrays.
    arrays: Vec<Var>,
    /// The position of the histogram.
    reader: usize,
}

impl Flattened {
    fn list(&mut self, stms: &mut Vec<Stm>) {
        for s in stms.iter_mut() {
            for_each_block_mut(&mut s.exp, &mut |b| self.list(b));
        }
        let mut at = 0;
        while at < stms.len() {
            let Some((found, new)) =
                self.find(stms, at).and_then(|f| joined(stms, at, &f).map(|new| (f, new)))
            else {
                at += 1;
                continue;
            };
            if let Some(reader) = stms.get_mut(found.reader) {
                *reader = new;
            }
            let mut here = 0..;
            stms.retain(|_| {
                let i = here.next().unwrap_or_default();
                i != at && !found.flat.contains(&i)
            });
        }
    }

    /// What reads the nest at `at`, if that is a histogram that it can be put into.
    fn find(&mut self, stms: &[Stm], at: usize) -> Option<Found> {
        let producer = stms.get(at)?;
        let (level, _, body) = nest(producer)?;
        if !is_worth_it(body) {
            return None;
        }
        let (mut flat, mut arrays, mut width) = (Vec::new(), Vec::new(), None);
        for p in &producer.pat {
            let of = |s: &Stm| matches!(&s.exp, Exp::Reshape { array, .. } if *array == p.var);
            let i = (at + 1..stms.len()).find(|i| stms.get(*i).is_some_and(of))?;
            let [q] = stms.get(i)?.pat.as_slice() else { return None };
            let [n] = q.ty.shape() else { return None };
            if self.mentions.count(p.var) != 1 || *width.get_or_insert(*n) != *n {
                return None;
            }
            flat.push(i);
            arrays.push(q.var);
        }
        let mentions = |s: &Stm| free_in_exp(&s.exp).iter().any(|v| arrays.contains(v));
        let reader = (at + 1..stms.len()).find(|i| stms.get(*i).is_some_and(mentions))?;
        let Exp::Seg(SegOp { level: at_level, space, kind: SegKind::Hist(ops), body: updates }) =
            &stms.get(reader)?.exp
        else {
            return None;
        };
        let [(index, n)] = *space.dims.as_slice() else { return None };
        let reads = updates.stms.iter().filter(|s| is_read(s, index, &arrays)).count();
        if *at_level != level
            || Some(n) != width
            || flat.iter().any(|i| *i > reader)
            || reads != self.mentions.total(arrays.iter().copied())
        {
            return None;
        }
        let read = free_in_exp(&producer.exp);
        for dest in ops.iter().flat_map(|h| &h.dests) {
            let written = self.aliases.id(*dest)?;
            if read.iter().any(|v| self.aliases.id(*v) == Some(written)) {
                return None;
            }
        }
        let called = Cell::new(false);
        let unknown = |_| {
            called.set(true);
            Vec::new()
        };
        let between = stms.get(at + 1..reader)?;
        let quiet = between.iter().all(|s| consumed_by(s, &unknown).is_empty()) && !called.get();
        quiet.then_some(Found { flat, arrays, reader })
    }
}

/// A map over two dimensions of scalars, which cannot fail.
fn nest(stm: &Stm) -> Option<(SegLevel, &SegSpace, &KernelBody)> {
    let Exp::Seg(SegOp { level, space, kind: SegKind::Map, body }) = &stm.exp else { return None };
    let scalars = body.types.iter().all(|t| matches!(t, Type::Prim(_)));
    let returned = body.results.iter().all(|r| matches!(r, KernelResult::Return(_)));
    let safe = body.stms.iter().all(|s| is_straight(s) && Effects::of(s).is_none());
    (space.dims.len() == 2 && scalars && returned && safe).then_some((*level, space, body))
}

/// Whether nothing is lost if each element is computed by itself.
fn is_worth_it(body: &KernelBody) -> bool {
    let size = size(&body.stms);
    size <= MOST_STATEMENTS || size <= MOST_OF_LONG && body.stms.iter().any(takes_long)
}

/// Whether a statement reads one of some arrays at this index.
fn is_read(s: &Stm, index: Var, arrays: &[Var]) -> bool {
    match &s.exp {
        Exp::Index { array, dims } => {
            arrays.contains(array)
                && *dims == [DimIndex::Fix(index.into())]
                && s.certs.is_empty()
                && s.pat.len() == 1
        }
        _ => false,
    }
}

/// The histogram that computes what it reads.
fn joined(stms: &[Stm], at: usize, found: &Found) -> Option<Stm> {
    let (producer, reader) = (stms.get(at)?, stms.get(found.reader)?);
    let (_, nest, body) = nest(producer)?;
    let [(i, _), (j, m)] = *nest.dims.as_slice() else { return None };
    let Exp::Seg(SegOp { level, space, kind, body: updates }) = &reader.exp else { return None };
    let [(index, _)] = *space.dims.as_slice() else { return None };
    let i64 = IntType::I64;
    let bind = |v: Var, exp: Exp| Stm::new(vec![PatElem::new(v, Type::I64)], exp);
    let mut inner = vec![
        bind(i, Exp::BinOp(BinOp::SQuot(i64), index.into(), m)),
        bind(j, Exp::BinOp(BinOp::SRem(i64), index.into(), m)),
    ];
    inner.extend(body.stms.iter().cloned());
    let mut subst = Subst::new();
    for s in &updates.stms {
        let (Exp::Index { array, .. }, [p]) = (&s.exp, s.pat.as_slice()) else {
            inner.push(s.clone());
            continue;
        };
        match found.arrays.iter().position(|a| a == array) {
            Some(which) => {
                let KernelResult::Return(x) = body.results.get(which)? else { return None };
                subst.insert(p.var, *x);
            }
            None => inner.push(s.clone()),
        }
    }
    let (results, types) = (updates.results.clone(), updates.types.clone());
    let mut body = KernelBody { stms: inner, results, types };
    subst.kernel_body(&mut body);
    let mut new = reader.clone();
    new.exp = Exp::Seg(SegOp { level: *level, space: space.clone(), kind: kind.clone(), body });
    let flat = found.flat.iter().filter_map(|i| stms.get(*i));
    let mut known: VarSet = new.certs.iter().copied().collect();
    for c in flat.chain([producer]).flat_map(|s| &s.certs) {
        if known.insert(*c) {
            new.certs.push(*c);
        }
    }
    Some(new)
}

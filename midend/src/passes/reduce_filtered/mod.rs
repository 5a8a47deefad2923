//! Filters and partitions of which all is reduced, as reductions of everything.
//!
//! ```text
//! flags = map p xs                               s = reduce op ne (map h (flags, xs))
//! upto = scan (+) 0 (map count flags)              where h (f, x) = if f then g x else ne
//! k = if n == 0 then 0 else upto[n - 1]
//! is = map place (flags, upto)           →       k = reduce (+) 0 (map count flags), if somebody asks
//! kept = scatter (scratch [k]) is xs
//! s = reduce op ne (map g kept)
//! ```
//!
//! where `count f` is `if f then 1 else 0`, and `place (f, c)` is `if f then c - 1 else -1`. Both parts of a
//! partition, which scatters all and takes two slices of it, are filters. The neutral element changes nothing by the
//! contract of `reduce`, which tasks and lanes rely on as well. `g` stays under the condition, as it may fail for what
//! is not kept, or take long. Histograms and scatters of what is kept are such of everything, with the index `-1` for
//! what is not.
//!
//! All that reads what is kept must stand in the same list of statements and be maps, reductions, histograms and
//! scatters with all of their inputs from there. A map with one reader becomes part of that; others become maps of
//! everything, which hold zeros in the places of what is not kept. What is computed must be scalars. Operators
//! must be arithmetic, as they are applied for every element now; and there must be no more than two passes over the
//! elements that wait for one another, as those over few elements are quicker. A loop that goes through what was
//! filtered before it keeps the filter.
//!
//! Works at level `soacs`, behind `scan-to-reduce`, so that the count of what is filtered from what is filtered is
//! no scan, and before fusion. Cost: linear in the program, and in the length of a list for each filter.

use crate::analysis::alias::Aliases;
use crate::analysis::bodies::is_arithmetic;
use crate::analysis::size_facts::SizeFacts;
use crate::ir::traverse::{Rewrite, Visit, free_in_stm, rewrite};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    Body, Const, Exp, Lambda, Level, Mentions, NameSource, Param, PatElem, Program, Soac, Stm,
    SubExp, Type, Var,
};
use crate::passes::fuse::merge_map;
use find::{Filter, Finder, Part};

mod find;

/// So many reductions may wait for one another.
const MAX_PASSES: usize = 2;

/// Makes reductions of everything of reductions of what is kept.
pub fn reduce_filtered(mut prog: Program) -> Program {
    if prog.level == Level::Soacs {
        let mut r = Reducer {
            names: NameSource::new(prog.next_tag),
            mentions: Mentions::of_program(&prog),
            known: SizeFacts::of_program(&prog),
            aliases: Aliases::of_program(&prog),
        };
        r.stms(&mut prog.consts.stms);
        for f in &mut prog.funs {
            r.stms(&mut f.body.stms);
        }
        prog.next_tag = r.names.next_tag();
    }
    prog
}

struct Reducer {
    names: NameSource,
    mentions: Mentions,
    known: SizeFacts,
    aliases: Aliases,
}

impl Rewrite for Reducer {
    fn stms(&mut self, list: &mut Vec<Stm>) {
        rewrite::stms(self, list);
        // The last first: what is filtered from what is filtered is gone before that is looked at.
        for at in (0..list.len()).rev() {
            let finder =
                Finder { list: list.as_slice(), known: &self.known, mentions: &self.mentions };
            if let Some(filter) = finder.filter(at)
                && let Some(new) = self.readers(list, &filter)
            {
                self.replace(list, &filter, new);
            }
        }
    }
}

/// What is known of an array of what is kept.
#[derive(Clone, Copy)]
struct Kept {
    /// The part that it is of.
    part: usize,
    /// The array of everything in its place.
    of: Var,
}

impl Reducer {
    /// The statements in the place of all that reads what is kept, by position; nothing where a map has gone
    /// into its reader.
    fn readers(&mut self, list: &[Stm], f: &Filter) -> Option<Vec<(usize, Option<Stm>)>> {
        let mut kept: VarMap<Kept> = VarMap::default();
        for (i, part) in f.parts.iter().enumerate() {
            for (v, of) in &part.of {
                if self.aliases.consumed(*v) || self.aliases.consumed(*of) {
                    return None;
                }
                kept.insert(*v, Kept { part: i, of: *of });
            }
        }
        let mut passes: VarMap<usize> = VarMap::default();
        let mut maps: Vec<Stm> = Vec::new();
        let mut new: Vec<(usize, Option<Stm>)> = Vec::new();
        for (at, stm) in list.iter().enumerate().skip(f.scatter + 1) {
            let free = free_in_stm(stm);
            let read: Vec<Var> = free.iter().copied().filter(|v| kept.contains_key(v)).collect();
            let waits = free.iter().filter_map(|v| passes.get(v)).max().copied().unwrap_or(0);
            let mut pass = waits;
            if !read.is_empty() && !f.slices.contains(&at) {
                let part = self.reads_only(stm, &read, &kept, f)?;
                pass += usize::from(!is_map(stm));
                if pass > MAX_PASSES {
                    return None;
                }
                let mut merged = stm.clone();
                // The maps that it reads, the last first.
                for m in maps.iter().rev() {
                    if m.pat.iter().any(|p| inputs(&merged).contains(&p.var)) {
                        merged = merge_map(m.clone(), merged);
                    }
                }
                maps.retain(|m| !m.pat.iter().any(|p| read.contains(&p.var)));
                if is_map(&merged) && self.has_one_reader(list, at) {
                    // Its part of the condition is its reader's.
                    for p in &merged.pat {
                        kept.insert(p.var, Kept { part, of: p.var });
                    }
                    maps.push(merged);
                    new.push((at, None));
                } else {
                    let results = merged.pat.clone();
                    let all = self.under_condition(merged, f, part, &kept)?;
                    if let Exp::Soac(Soac::Screma { reduces, .. }) = &all.exp {
                        let folded: usize = reduces.iter().map(|r| r.neutral.len()).sum();
                        for p in results.iter().skip(folded) {
                            kept.insert(p.var, Kept { part, of: p.var });
                        }
                    }
                    new.push((at, Some(all)));
                }
            }
            if pass > 0 {
                passes.extend(stm.pat.iter().map(|p| (p.var, pass)));
            }
        }
        // Nobody else.
        let here = || new.iter().map(|(at, _)| at).chain(&f.slices).filter_map(|at| list.get(*at));
        let only = kept.keys().all(|v| self.mentions.only_in(*v, here()));
        let reduced = new.iter().any(|(_, s)| s.as_ref().is_some_and(|s| !is_map(s)));
        (only && maps.is_empty() && reduced).then_some(new)
    }

    /// The part that a statement goes through, if it is one that can go through everything.
    fn reads_only(
        &mut self,
        stm: &Stm,
        read: &[Var],
        kept: &VarMap<Kept>,
        f: &Filter,
    ) -> Option<usize> {
        let Exp::Soac(soac) = &stm.exp else { return None };
        let (width, inputs, lambda) = match soac {
            Soac::Screma { width, inputs, lambda, scans, reduces } => {
                let simple = reduces.iter().all(|r| is_simple(&r.op));
                if !scans.is_empty() || !simple {
                    return None;
                }
                (width, inputs, lambda)
            }
            Soac::Hist { width, inputs, lambda, .. }
            | Soac::Scatter { width, inputs, lambda, .. } => (width, inputs, lambda),
        };
        let part = kept.get(inputs.first()?)?.part;
        let of_part = |v: &Var| kept.get(v).is_some_and(|k| k.part == part);
        if *width != f.parts.get(part)?.size
            || !inputs.iter().all(of_part)
            || !lambda.ret.iter().all(is_scalar)
        {
            return None;
        }
        // No other use within.
        let mut uses = Mentions::default();
        uses.stm(stm);
        let as_input = |v: Var| inputs.iter().filter(|w| **w == v).count();
        if read.iter().any(|v| uses.count(*v) != as_input(*v) || self.aliases.consumed(*v)) {
            return None;
        }
        Some(part)
    }

    /// Whether the map at this position can move down to the only statement that reads its results.
    fn has_one_reader(&mut self, list: &[Stm], at: usize) -> bool {
        let Some((map, behind)) = list.get(at..).and_then(<[Stm]>::split_first) else {
            return false;
        };
        let made: VarSet = map.pat.iter().map(|p| p.var).collect();
        let mut readers = behind.iter().filter(|s| free_in_stm(s).iter().any(|v| made.contains(v)));
        let Some(reader) = readers.next() else { return false };
        readers.next().is_none()
            && reader.attrs == map.attrs
            && made.iter().all(|v| self.mentions.only_in(*v, [reader]))
            && free_in_stm(map)
                .iter()
                .all(|v| self.aliases.id(*v).is_none() || !self.aliases.consumed(*v))
    }

    /// A map, reduction, histogram or scatter of what is kept as one of everything.
    fn under_condition(
        &mut self,
        mut stm: Stm,
        f: &Filter,
        part: usize,
        kept: &VarMap<Kept>,
    ) -> Option<Stm> {
        let Part { holds, .. } = f.parts.get(part)?;
        let Exp::Soac(soac) = &mut stm.exp else { return None };
        let blanks = blanks(soac)?;
        let (Soac::Screma { width, inputs, lambda, .. }
        | Soac::Hist { width, inputs, lambda, .. }
        | Soac::Scatter { width, inputs, lambda, .. }) = soac;
        for v in inputs.iter_mut() {
            *v = kept.get(v)?.of;
        }
        *width = f.width;
        inputs.push(f.flags);
        self.guard(lambda, *holds, blanks);
        if let Exp::Soac(Soac::Screma { reduces, lambda, .. }) = &stm.exp {
            let folded: usize = reduces.iter().map(|r| r.neutral.len()).sum();
            for (p, t) in stm.pat.iter_mut().zip(&lambda.ret).skip(folded) {
                p.ty = t.outer(f.width);
            }
        }
        for c in &f.certs {
            if !stm.certs.contains(c) {
                stm.certs.push(*c);
            }
        }
        Some(stm)
    }

    /// Puts the body of a lambda under the condition that a further parameter `holds`.
    fn guard(&mut self, lambda: &mut Lambda, holds: bool, blanks: Vec<SubExp>) {
        let flag = Param::new(self.names.fresh("kept"), Type::BOOL);
        let condition = flag.var.into();
        lambda.params.push(flag);
        let pat: Vec<PatElem> =
            lambda.ret.iter().map(|t| PatElem::new(self.names.fresh("x"), t.clone())).collect();
        let result = pat.iter().map(|p| p.var.into()).collect();
        let inner = std::mem::replace(&mut lambda.body, Body { stms: Vec::new(), result });
        let none = Body { stms: Vec::new(), result: blanks };
        let (yes, no) = if holds { (inner, none) } else { (none, inner) };
        lambda.body.stms.push(Stm::new(pat, Exp::if_then_else(condition, yes, no)));
    }

    /// Puts what reads everything in the places of what read what is kept, makes a sum of the count, and takes
    /// the rest of the filter away.
    fn replace(&mut self, list: &mut Vec<Stm>, f: &Filter, new: Vec<(usize, Option<Stm>)>) {
        let mut gone: Vec<usize> = vec![f.scatter];
        gone.extend(&f.slices);
        for (at, stm) in new {
            match stm {
                Some(stm) => self.put(list, at, stm),
                None => gone.push(at),
            }
        }
        for s in gone.iter().filter_map(|at| list.get(*at)) {
            self.mentions.forget(s);
        }
        for at in &f.beside {
            gone.extend(self.unread(list, *at));
        }
        let total = self.unread(list, f.count.total);
        if total.is_none()
            && let Some(sum) = self.sum(list, f)
        {
            self.put(list, f.count.total, sum);
        }
        gone.extend(total);
        for at in [f.count.scan, f.count.ones] {
            gone.extend(self.unread(list, at));
        }
        let mut at = 0;
        list.retain(|_| {
            at += 1;
            !gone.contains(&(at - 1))
        });
    }

    fn put(&mut self, list: &mut [Stm], at: usize, new: Stm) {
        if let Some(old) = list.get_mut(at) {
            self.mentions.forget(old);
            self.mentions.stm(&new);
            *old = new;
        }
    }

    /// The position itself if nobody reads what is bound there, which is no longer counted then.
    fn unread(&mut self, list: &[Stm], at: usize) -> Option<usize> {
        let stm = list.get(at)?;
        if stm.pat.iter().any(|p| self.mentions.count(p.var) > 0) {
            return None;
        }
        self.mentions.forget(stm);
        Some(at)
    }

    /// The count as a sum of what is scanned, if the scan has no other reader.
    fn sum(&mut self, list: &[Stm], f: &Filter) -> Option<Stm> {
        let (scan, total) = (list.get(f.count.scan)?, list.get(f.count.total)?);
        let Exp::Soac(Soac::Screma { width, inputs, lambda, scans, .. }) = &scan.exp else {
            return None;
        };
        let only = scan.pat.iter().all(|p| self.mentions.only_in(p.var, [total]));
        if !only || inputs.iter().any(|v| self.aliases.consumed(*v)) {
            return None;
        }
        let exp = Exp::Soac(Soac::Screma {
            width: *width,
            inputs: inputs.clone(),
            lambda: lambda.clone(),
            scans: Vec::new(),
            reduces: scans.clone(),
        });
        let mut certs = scan.certs.clone();
        certs.extend(total.certs.iter().filter(|c| !scan.certs.contains(c)));
        Some(Stm { exp, certs, pat: total.pat.clone(), ..scan.clone() })
    }
}

fn is_scalar(t: &Type) -> bool {
    matches!(t, Type::Prim(_))
}

/// Whether an operator is quick, and never fails.
fn is_simple(op: &Lambda) -> bool {
    op.body.stms.iter().all(|s| is_arithmetic(s) && s.certs.is_empty())
}

/// Whether a statement only maps.
fn is_map(s: &Stm) -> bool {
    matches!(&s.exp, Exp::Soac(Soac::Screma { scans, reduces, .. }) if scans.is_empty() && reduces.is_empty())
}

fn inputs(s: &Stm) -> &[Var] {
    match &s.exp {
        Exp::Soac(
            Soac::Screma { inputs, .. } | Soac::Hist { inputs, .. } | Soac::Scatter { inputs, .. },
        ) => inputs,
        _ => &[],
    }
}

/// What a lambda yields for what is not kept: neutral elements and indexes out of bounds, and where
/// nothing depends on it, zeros.
fn blanks(soac: &Soac) -> Option<Vec<SubExp>> {
    let nowhere = |n: usize| vec![SubExp::i64(-1); n];
    let (mut out, lambda) = match soac {
        Soac::Screma { reduces, lambda, .. } => {
            (reduces.iter().flat_map(|r| r.neutral.iter().copied()).collect(), lambda)
        }
        Soac::Hist { ops, lambda, .. } => {
            (nowhere(ops.iter().map(|h| h.shape.len()).sum()), lambda)
        }
        Soac::Scatter { dests, lambda, .. } => {
            (nowhere(dests.iter().map(|(rank, _)| *rank).sum()), lambda)
        }
    };
    for t in lambda.ret.get(out.len()..)? {
        let Type::Prim(ty) = t else { return None };
        out.push(SubExp::Const(Const::zero(*ty)));
    }
    Some(out)
}

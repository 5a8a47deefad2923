//! Maps go into the map that reads their rows by index.
//!
//! ```text
//! ys = map(n, [xs], \(x) {                  zs = map(n, [iota], \(i) {
//!   y = map(k, [x], f)                        j = …
//!   in y })                                   x = index xs[j, 0 :+ k]
//! zs = map(n, [iota], \(i) {          →       y = map(k, [x], f)
//!   j = …                                     in y })
//!   y = index ys[j, 0 :+ k]
//!   in y })
//! ```
//!
//! Fusion takes a map into what reads all of its rows in their order. One of which the rows are read in another
//! order, as `rotate` does, is no input of its reader, and would be stored. It goes there if that is no more work:
//! the reader has as many points, or a few more ([`RIM`]), and reads one row at each, whose index is made of
//! the reader's own index, so that memory is read in order but for some steps. Both maps are one nest
//! then, which what reads the reader is fused with. Of several results each must be read so, at the same index.
//!
//! Refused are maps with loops, reductions or functions of mathematics in them, which go better by themselves; with checks, as
//! an element that nobody reads must fail, too; with reads at places that elements say; and those of arrays that are
//! consumed, as these may be other by then. Elements that are read inside of nests are left to [`sink`](super::seg::sink).
//!
//! At level `soacs`, before fusion. Cost: linear in the program and in what is moved.

use crate::analysis::alias::Aliases;
use crate::ir::traverse::{Renamer, Rewrite, Subst, Visit, for_each_block_mut, free_in_stm};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    Body, Defs, DimIndex, Exp, Lambda, Level, Mentions, NameSource, PatElem, Poly, Program, Soac,
    Stm, StmAttr, SubExp, Var,
};

mod search;

use search::{Counters, Read, is_in_order, learn};

/// Maps of more statements stay.
const MOST_STATEMENTS: usize = 80;
/// A reader may have this many points more.
const RIM: i64 = 16;

/// Moves maps into the maps that read their rows.
pub fn sink_rows(mut program: Program) -> Program {
    if program.level != Level::Soacs {
        return program;
    }
    let mut s = Sinker {
        aliases: Aliases::of_program(&program),
        mentions: Mentions::of_program(&program),
        sums: Defs::of_program(&program),
        names: NameSource::new(program.next_tag),
        counters: Counters::default(),
    };
    s.list(&mut program.consts.stms);
    for f in &mut program.funs {
        s.list(&mut f.body.stms);
    }
    program.next_tag = s.names.next_tag();
    program
}

struct Sinker {
    aliases: Aliases,
    mentions: Mentions,
    sums: Defs,
    names: NameSource,
    counters: Counters,
}

impl Sinker {
    fn list(&mut self, stms: &mut Vec<Stm>) {
        let mut producers: VarMap<usize> = VarMap::default();
        let mut moved = VarSet::default();
        for at in 0..stms.len() {
            let (before, rest) = stms.split_at_mut(at);
            let Some(s) = rest.first_mut() else { continue };
            self.counters.note(s);
            if let Exp::Soac(Soac::Screma { width, inputs, lambda, .. }) = &mut s.exp {
                while let Some((producer, reads)) =
                    self.reads(*width, inputs, lambda, before, &producers)
                {
                    self.insert(producer, &reads, &mut lambda.body);
                    for p in &producer.pat {
                        producers.remove(&p.var);
                        moved.insert(p.var);
                    }
                }
            }
            for_each_block_mut(&mut s.exp, &mut |b| self.list(b));
            if self.may_move(s) {
                producers.extend(s.pat.iter().map(|p| (p.var, at)));
            }
        }
        stms.retain(|s| !s.pat.iter().any(|p| moved.contains(&p.var)));
    }

    /// Whether a statement is a map whose results are each mentioned once at most, and that may be computed elsewhere.
    fn may_move(&mut self, s: &Stm) -> bool {
        let Exp::Soac(Soac::Screma { inputs, lambda, scans, reduces, .. }) = &s.exp else {
            return false;
        };
        if !scans.is_empty() || !reduces.is_empty() || !s.attrs.is_empty() {
            return false;
        }
        if s.pat.iter().any(|p| self.mentions.count(p.var) > 1) {
            return false;
        }
        // Also its own rows must not be: an array in which a reader writes is not made of others' elements.
        let made = s.pat.iter().map(|p| p.var);
        let changes = free_in_stm(s)
            .into_iter()
            .chain(made)
            .any(|v| self.aliases.id(v).is_some() && self.aliases.consumed(v));
        let mut left = MOST_STATEMENTS;
        !changes && self.plain_lambda(inputs, lambda, &mut left)
    }

    fn plain_lambda(&mut self, inputs: &[Var], lambda: &Lambda, left: &mut usize) -> bool {
        let mut in_order = self.counters.of(inputs, lambda);
        self.plain(&lambda.body, &mut in_order, left)
    }

    /// Whether a body has no more statements than are `left`, which cannot fail and read elements in order. Of numbers
    /// that are known to vary, `in_order` says whether they are made of indexes alone.
    fn plain(&mut self, body: &Body, in_order: &mut VarMap<bool>, left: &mut usize) -> bool {
        body.stms.iter().all(|s| {
            if *left == 0 || s.attrs.iter().any(|a| *a != StmAttr::Unsafe) {
                return false;
            }
            *left -= 1;
            let plain = match &s.exp {
                Exp::SubExp(_)
                | Exp::UnOp(..)
                | Exp::BinOp(..)
                | Exp::CmpOp(..)
                | Exp::ConvOp(..)
                | Exp::Iota { .. }
                | Exp::Replicate { .. }
                | Exp::Rearrange { .. }
                | Exp::Reshape { .. } => true,
                Exp::Index { dims, .. } => dims.iter().all(|d| match d {
                    DimIndex::Fix(x) => is_in_order(in_order, *x),
                    DimIndex::Slice { .. } => true,
                }),
                Exp::Match { cases, default, .. } => cases
                    .iter()
                    .map(|c| &c.1)
                    .chain([default])
                    .all(|b| self.plain(b, in_order, left)),
                Exp::Soac(Soac::Screma { inputs, lambda, scans, reduces, .. }) => {
                    in_order.extend(self.counters.of(inputs, lambda));
                    scans.is_empty()
                        && reduces.is_empty()
                        && self.plain(&lambda.body, in_order, left)
                }
                _ => false,
            };
            learn(in_order, s);
            plain
        })
    }

    /// A map whose rows a map reads, one at each point, and where it does.
    fn reads<'s>(
        &mut self,
        width: SubExp,
        inputs: &[Var],
        lambda: &Lambda,
        before: &'s [Stm],
        producers: &VarMap<usize>,
    ) -> Option<(&'s Stm, Vec<Read>)> {
        if producers.is_empty() {
            return None;
        }
        let mut found = search::reads(&mut self.counters, producers, inputs, lambda);
        found.retain(|read| {
            let Some(stm) = producers.get(&read.array).and_then(|at| before.get(*at)) else {
                return false;
            };
            self.fits(stm, width, read)
        });
        let first = found.iter().find_map(|read| {
            let stm = before.get(*producers.get(&read.array)?)?;
            let of_it =
                |r: &&Read| r.index == read.index && stm.pat.iter().any(|p| p.var == r.array);
            let mentions = self.mentions.total(stm.pat.iter().map(|p| p.var));
            (found.iter().filter(of_it).count() == mentions).then_some((stm, read.index))
        });
        let (stm, index) = first?;
        found.retain(|r| r.index == index && stm.pat.iter().any(|p| p.var == r.array));
        Some((stm, found))
    }

    /// Whether a map over so many points reads a map of about as many at each level of the nest.
    fn fits(&self, producer: &Stm, width: SubExp, read: &Read) -> bool {
        let Some(mut result) = producer.pat.iter().position(|p| p.var == read.array) else {
            return false;
        };
        let mut made = producer;
        for (level, readers) in std::iter::once(width).chain(read.nest.iter().copied()).enumerate()
        {
            let Exp::Soac(Soac::Screma { width: rows, lambda, .. }) = &made.exp else {
                return false;
            };
            let extra = self.sums.expand(&Poly::leaf(readers).sub(&Poly::leaf(*rows)));
            let most = if level == 0 && !read.nest.is_empty() { 0 } else { RIM };
            if extra.as_const().is_none_or(|c| c > most) {
                return false;
            }
            let row = lambda.body.result.get(result).and_then(|x| x.var());
            let maker = lambda.body.stms.iter().rev().find_map(|s| {
                let at = s.pat.iter().position(|p| Some(p.var) == row)?;
                Some((s, at))
            });
            match maker {
                // A view costs nothing, whatever is read of it.
                Some((Stm { exp: Exp::Index { .. }, .. }, _)) => return true,
                Some(maker) => (made, result) = maker,
                None => return level == read.nest.len(),
            }
        }
        true
    }

    /// Computes a row where it is read.
    fn insert(&mut self, producer: &Stm, reads: &[Read], body: &mut Body) {
        let Exp::Soac(Soac::Screma { inputs, lambda, .. }) = &producer.exp else { return };
        let Some((first, index)) = reads.iter().map(|r| (r.at, r.index)).min_by_key(|r| r.0) else {
            return;
        };
        let Some(read) = body.stms.get(first) else { return };
        // What certifies the index of the first read does so for all. Reads in nests need no certificates, see [`search`].
        let (mut certs, mut attrs, loc) = (producer.certs.clone(), Vec::new(), read.loc);
        if let Exp::Index { .. } = read.exp {
            certs.extend(&read.certs);
            attrs.clone_from(&read.attrs);
        }

        let mut renamer = Renamer::with(&mut self.names, Subst::new());
        let mut copy = Vec::new();
        for (p, array) in lambda.params.iter().zip(inputs) {
            let mut var = p.var;
            renamer.bind(&mut var);
            let mut dims = vec![DimIndex::Fix(index)];
            dims.extend(p.ty.shape().iter().map(|n| whole(*n)));
            copy.push(Stm {
                pat: vec![PatElem::new(var, p.ty.clone())],
                exp: Exp::Index { array: *array, dims },
                certs: certs.clone(),
                attrs: attrs.clone(),
                loc,
                schedule: None,
            });
        }
        let mut stms = lambda.body.stms.clone();
        Rewrite::stms(&mut renamer, &mut stms);
        for s in &mut stms {
            s.certs.extend(certs.iter().copied());
        }
        copy.append(&mut stms);

        let results = producer.pat.iter().zip(&lambda.body.result);
        let made: VarMap<SubExp> =
            results.map(|(p, x)| (p.var, renamer.subst().lookup(*x))).collect();
        self.mentions.forget(producer);
        copy.iter().for_each(|s| self.mentions.stm(s));
        let mut rows = Rows { made, names: Subst::new(), mentions: &mut self.mentions };
        for read in reads {
            body.stms.get_mut(read.at).into_iter().for_each(|s| rows.read(s));
        }
        // A second name for a row would keep what makes it apart from what reads it.
        let mut names = rows.names;
        body.stms.retain(|s| !s.pat.iter().any(|p| names.get(p.var).is_some()));
        names.body(body);
        body.stms.splice(first..first, copy);
    }
}

/// Puts what rows are made of in the place of reads.
struct Rows<'m> {
    made: VarMap<SubExp>,
    /// What stands for results of reads that have gone.
    names: Subst,
    mentions: &'m mut Mentions,
}

impl Rows<'_> {
    fn read(&mut self, s: &mut Stm) {
        let (Exp::Index { array, dims }, [p]) = (&mut s.exp, s.pat.as_slice()) else {
            return for_each_block_mut(&mut s.exp, &mut |b| {
                b.iter_mut().for_each(|s| self.read(s))
            });
        };
        let Some(x) = self.made.get(array).copied() else { return };
        let rest = dims.split_off(1);
        let all = p.ty.shape().iter().map(|n| whole(*n));
        let mentioned = match x {
            SubExp::Var(row) if !rest.iter().copied().eq(all) => {
                s.exp = Exp::Index { array: row, dims: rest };
                1
            }
            x => {
                self.names.insert(p.var, x);
                self.mentions.count(p.var)
            }
        };
        if let SubExp::Var(row) = x {
            (0..mentioned).for_each(|_| self.mentions.var(&row));
        }
    }
}

fn whole(n: SubExp) -> DimIndex {
    DimIndex::Slice { start: SubExp::i64(0), n, stride: SubExp::i64(1) }
}

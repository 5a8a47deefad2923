//! Filters and partitions in one pass over their input.
//!
//! A filter counts, with a scan, how many elements are kept up to each place, and then writes each
//! that is kept to where the count says. One thread knows the count when it comes to an element:
//!
//! ```text
//! (upto, flags) = segscan (i < n) op [0] (+) {    buffer = scratch [n]
//!   …                                             (k, kept) = loop (c = 0, out = buffer) for i < n {
//!   f = if p then 1 else 0                          …
//!   in (return f, return p)                         out' = update out[c] with x
//! }                                                 f = if p then 1 else 0
//! k = if n == 0 then 0 else upto[n - 1]       →     in (c + f, out')
//! out = scratch [k]                               }
//! kept = segmap (i < n) {                         kept = index kept[0 :+ k]
//!   p = flags[i]; c = upto[i]
//!   j = if p then c - 1 else -1
//!   in (write out {[j] = x})
//! }
//! ```
//!
//! What is stored at `c` though it is not kept is overwritten by what comes next, so that nothing
//! hangs on a branch that cannot be guessed. The price is a buffer for all elements, which is less than
//! the counts took. Only scalar code may stand between the two operations, and what they pass to
//! each other must not be used elsewhere.
//!
//! A partition writes the rest behind what is kept, where it cannot go before all is counted. Each
//! part gets an output buffer of its own, into which every element is stored: of `c` elements kept among `i`,
//! the next of the rest goes to `i - c`. Slices of the destination that are parts of it are then
//! slices of the buffers; the destination itself is put together if somebody else wants it. There may
//! be several counts, and as many parts and one more ([`places`]).

use crate::analysis::size_facts::SizeFacts;
use crate::ir::traverse::{Rewrite, for_each_block_mut, rewrite};
use crate::ir::varmap::VarMap;
use crate::ir::{
    DimIndex, Exp, Level, Mentions, NameSource, PatElem, Program, Stm, SubExp, Type, Var,
};
use filter::{Compacter, Filter};
use find::{flags, last_elements};
use places::Partition;
use rounds::sum;

mod filter;
mod find;
mod places;
mod rounds;
#[cfg(test)]
mod tests;

/// Puts scans of flags and the writes that they place into one loop.
pub fn compact(mut prog: Program) -> Program {
    if prog.level == Level::Seg {
        let mut c = Compacter {
            names: NameSource::new(prog.next_tag),
            mentions: Mentions::of_program(&prog),
            known: SizeFacts::of_program(&prog),
        };
        c.list(&mut prog.consts.stms);
        for f in &mut prog.funs {
            c.list(&mut f.body.stms);
        }
        prog.next_tag = c.names.next_tag();
    }
    prog
}

impl Compacter {
    fn list(&mut self, list: &mut Vec<Stm>) {
        for stm in list.iter_mut() {
            for_each_block_mut(&mut stm.exp, &mut |b| self.list(b));
        }
        let mut at = 0;
        while at < list.len() {
            if let Some(filter) = Filter::find(list, at, self) {
                filter.apply(list, self);
            }
            at += 1;
        }
    }
}

impl Filter {
    /// Replaces both operations and what stands for the counts and the buffers.
    fn apply(self, list: &mut Vec<Stm>, c: &mut Compacter) {
        let (Some(scan), Some(writer)) = (list.get(self.scan), list.get(self.writes)) else {
            return;
        };
        let Some(made) = self.one_loop(scan, writer, &mut c.names) else { return };
        let mut new = made.stms;
        let gone = |at: usize| {
            at == self.scan
                || at == self.writes
                || [&self.counters, &self.late, &self.buffers].iter().any(|l| l.contains(&at))
        };
        // The counts in the end, and what is made of them.
        for counter in self.counters.iter().filter_map(|j| list.get(*j)) {
            for (count, total) in last_elements(counter, &self.counts, self.width(scan), &c.known)
                .into_iter()
                .flatten()
            {
                let Some(end) = made.ends.get(count) else { return };
                let pat = vec![PatElem::new(total, Type::I64)];
                let exp = Exp::SubExp((*end).into());
                new.push(Stm { pat, exp, attrs: Vec::new(), ..counter.clone() });
            }
        }
        new.extend(self.late.iter().filter_map(|j| list.get(*j)).cloned());
        let mut slices = Slices { of: VarMap::default(), known: &c.known };
        let mut put_together = Vec::new();
        for ((element, written), buffers) in
            writer.pat.iter().zip(&self.writes_of).zip(made.buffers)
        {
            if let ([_], [buffer]) = (written.parts.as_slice(), buffers.as_slice()) {
                let dims = vec![DimIndex::full(written.size)];
                let exp = Exp::Index { array: *buffer, dims };
                new.push(Stm { loc: writer.loc, ..Stm::new(vec![element.clone()], exp) });
            } else {
                let parts = written.parts.iter().zip(buffers).collect();
                slices.of.insert(element.var, Sliced { parts, slices: 0 });
                put_together.push((element.clone(), written.size, writer.loc));
            }
        }
        let after = list.len() - self.writes - 1;
        let old = std::mem::take(list);
        list.extend(old.into_iter().enumerate().filter(|(at, _)| !gone(*at)).map(|(_, s)| s));
        let here = list.len() - after;
        for s in list.iter_mut().skip(here) {
            slices.stm(s);
        }
        for (element, size, loc) in put_together {
            let Some(sliced) = slices.of.remove(&element.var) else { continue };
            if sliced.slices == c.mentions.count(element.var) {
                continue;
            }
            let mut arrays = Vec::new();
            for (part, buffer) in sliced.parts {
                let n = sum(&part.total, &mut new, &mut c.names, &|v| v);
                let ty = element.ty.elem().map(|e| Type::array(e, vec![n]));
                let part = PatElem::new(c.names.like(buffer), ty.unwrap_or(Type::I64));
                arrays.push(part.var);
                let exp = Exp::Index { array: buffer, dims: vec![DimIndex::full(n)] };
                new.push(Stm { loc, ..Stm::new(vec![part], exp) });
            }
            let exp = Exp::Concat { dim: 0, arrays, size };
            new.push(Stm { loc, ..Stm::new(vec![element], exp) });
        }
        list.splice(here..here, new);
    }

    fn width(&self, scan: &Stm) -> SubExp {
        flags(&scan.exp).map_or(SubExp::i64(0), |(n, ..)| n)
    }
}

/// Slices of destinations that are parts of them become slices of the buffers.
struct Slices<'a> {
    of: VarMap<Sliced<'a>>,
    known: &'a SizeFacts,
}

/// A destination: its parts with the buffers where they lie, and how many slices were parts.
struct Sliced<'a> {
    parts: Vec<(&'a Partition, Var)>,
    slices: usize,
}

impl Rewrite for Slices<'_> {
    fn stm(&mut self, s: &mut Stm) {
        if let Exp::Index { array, dims } = &mut s.exp
            && let Some(sliced) = self.of.get_mut(array)
            && let [DimIndex::Slice { start, n, stride }] = dims.as_mut_slice()
            && *stride == SubExp::i64(1)
        {
            let (from, size) = (self.known.sum(*start), self.known.sum(*n));
            let same = |p: &Partition| p.start == from && p.total == size;
            if let Some((_, buffer)) = sliced.parts.iter().find(|(p, _)| same(p)) {
                *array = *buffer;
                *start = SubExp::i64(0);
                sliced.slices += 1;
            }
        }
        rewrite::stm(self, s);
    }
}

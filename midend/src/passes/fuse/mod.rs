//! Fusion of array combinators with the ones that consume their results.
//!
//! Before: `let ys = map(n, [xs], f)  let s = reduce(n, [ys], op)`. After: `let s = redomap(n,
//! [xs], f, op)`.
//!
//! A producer (any `screma`) is merged into a consumer (any combinator) of the same body, at the
//! place of the consumer, if
//!
//! * the consumer uses the producer's results as whole inputs only, and only such as are mapped,
//!   not scanned or reduced;
//! * no statement between them uses any of the producer's results, nor consumes what it reads;
//! * the consumer itself consumes nothing that the producer reads, nor the rows it gets from it.
//!
//! Work is never duplicated: a result also used later stays a result of the merged combinator
//! (which only a `screma` can have), so the producer always goes. After that, combinators of equal
//! width that read the same array are merged in the same way (horizontally). What stands between the
//! two and uses the first one's results does not keep them apart, as long as the second needs none of
//! it: `let s = reduce(n, [xs], +)  let mean = s / n  let m = reduce(n, [xs], max)` is one reduction
//! and a division ([`apart`]).
//!
//! Not merged: scans with reductions, operators over scalars with operators over arrays (later
//! stages would treat the whole as the worse of the two), and statements whose attributes differ.
//!
//! Each body costs one walk, and each attempt to merge the free variables of the two statements.

use crate::analysis::alias::{Aliases, consumed_by};
use crate::ir::traverse::{Visit, free_in, free_in_stm};
use crate::ir::varmap::{FastMap, FastSet, OrderedVars, VarMap, VarSet};
use crate::ir::{Body, Exp, Level, Program, Reduction, Soac, Stm, StmAttr, SubExp, Type, Var};
use futc_typed::name::Name;
use list::{List, places};

mod apart;
mod list;
mod merge;
#[cfg(test)]
mod tests;

/// Fuses array combinators.
pub fn fuse(mut program: Program) -> Program {
    if program.level != Level::Soacs {
        return program;
    }
    let unique: FastMap<Name, Vec<bool>> = program
        .funs
        .iter()
        .map(|f| (f.name, f.params.iter().map(|p| p.unique).collect()))
        .collect();
    let mut f = Fuser { aliases: Aliases::of_program(&program), unique };
    f.body(&mut program.consts);
    for fun in &mut program.funs {
        f.body(&mut fun.body);
    }
    program
}

/// A map, of which nothing else is wanted, and what reads its results, as one. Whether that is right
/// is the caller's to know.
pub(crate) fn merge_map(map: Stm, reader: Stm) -> Stm {
    merge::merge(map, reader, &VarSet::default())
}

struct Fuser {
    aliases: Aliases,
    /// Which arguments functions consume.
    unique: FastMap<Name, Vec<bool>>,
}

impl Fuser {
    fn body(&mut self, b: &mut Body) {
        self.list(&mut b.stms, &b.result);
    }

    fn list(&mut self, stms: &mut Vec<Stm>, result: &[SubExp]) {
        let combinators = stms.iter().filter(|s| matches!(s.exp, Exp::Soac(_))).count();
        if combinators > 1 {
            let mut list = List::new(std::mem::take(stms), result);
            loop {
                self.vertical(&mut list);
                if !self.horizontal(&mut list) {
                    break;
                }
            }
            *stms = list.slots.into_iter().flatten().collect();
        }
        for s in stms {
            self.nested(&mut s.exp);
        }
    }

    fn nested(&mut self, e: &mut Exp) {
        match e {
            Exp::Match { scrutinee: _, cases, default } => {
                for (_, b) in cases {
                    self.body(b);
                }
                self.body(default);
            }
            Exp::Loop { body, .. } => self.body(body),
            Exp::Soac(s) => {
                for b in soac_bodies(s) {
                    self.body(b);
                }
            }
            _ => {}
        }
    }

    fn vertical(&mut self, list: &mut List) {
        for k in 0..list.slots.len() {
            // Producers that were tried in vain for the consumer as it was.
            let mut refused: FastSet<usize> = FastSet::default();
            while let Some(j) = self.producer(list, k, &refused) {
                if !self.merge(list, j, k) {
                    refused.insert(j);
                }
            }
        }
    }

    /// The last producer of an input of the combinator at `k`.
    fn producer(&self, list: &List, k: usize, refused: &FastSet<usize>) -> Option<usize> {
        let Exp::Soac(s) = &list.stm(k)?.exp else { return None };
        s.inputs()
            .iter()
            .filter_map(|v| list.bound.get(v).copied())
            .filter(|j| *j < k && !refused.contains(j))
            .max()
    }

    /// Merges `j` into `k` if that is right. They need not have to do with each other.
    fn merge(&mut self, list: &mut List, j: usize, k: usize) -> bool {
        let (Some(p), Some(c)) = (list.stm(j), list.stm(k)) else { return false };
        let Some(kept) = self.allowed(list, p, c, j, k) else { return false };
        let (Some(p), Some(c)) = (
            list.slots.get_mut(j).and_then(Option::take),
            list.slots.get_mut(k).and_then(Option::take),
        ) else {
            return false;
        };
        let merged = merge::merge(p, c, &kept);
        list.moved(j, k, merged);
        true
    }

    /// The mapped results of `p` that have to stay results, if merging is right.
    fn allowed(&mut self, list: &List, p: &Stm, c: &Stm, j: usize, k: usize) -> Option<VarSet> {
        let Exp::Soac(Soac::Screma { scans: p_scans, reduces: p_reds, .. }) = &p.exp else {
            return None;
        };
        let Exp::Soac(consumer) = &c.exp else { return None };
        let asked = |s: &Stm| {
            let of = |a: &&StmAttr| !matches!(a, StmAttr::Schedule(_));
            s.attrs.iter().filter(of).copied().collect::<Vec<_>>()
        };
        if asked(p) != asked(c) {
            return None;
        }
        let folded = fold_count(p_scans) + fold_count(p_reds);
        if !compatible(p_scans, p_reds, consumer) {
            return None;
        }
        // Uses: none in between, and in the consumer as inputs alone.
        let pats: VarSet = p.pat.iter().map(|q| q.var).collect();
        let mut kept = VarSet::default();
        for (v, at) in list.uses_of(p) {
            if at > j && at < k {
                return None;
            }
            if at > k {
                kept.insert(v);
            }
        }
        let inputs = consumer.inputs();
        if inputs.iter().any(|v| p.pat.iter().take(folded).any(|q| q.var == *v)) {
            return None;
        }
        if beside_inputs(c).iter().any(|v| pats.contains(v)) {
            return None;
        }
        let screma = matches!(consumer, Soac::Screma { .. });
        if !screma && (folded > 0 || !kept.is_empty()) {
            return None;
        }
        if !screma && !p.pat.iter().any(|q| inputs.contains(&q.var)) {
            return None;
        }
        self.undisturbed(list, p, c, j, k).then_some(kept)
    }

    /// Nothing that `p` reads is consumed from there to `c`, nor by it.
    fn undisturbed(&mut self, list: &List, p: &Stm, c: &Stm, j: usize, k: usize) -> bool {
        let mut read: FastSet<u32> = FastSet::default();
        for v in free_in_stm(p) {
            if let Some(id) = self.aliases.id(v)
                && self.aliases.consumed(v)
            {
                read.insert(id);
            }
        }
        if !read.is_empty() {
            for s in (j + 1..k).filter_map(|i| list.stm(i)) {
                if self.consumes_any(s, &read) {
                    return false;
                }
            }
        }
        // The rows the consumer gets, if it changes them in place.
        for q in p.pat.iter().filter(|q| q.ty.rank() > 1) {
            read.extend(self.aliases.id(q.var));
        }
        read.is_empty() || !self.consumes_any(c, &read)
    }

    fn consumes_any(&mut self, s: &Stm, classes: &FastSet<u32>) -> bool {
        let unique = &self.unique;
        let consumed = consumed_by(s, &|f| unique.get(&f).cloned().unwrap_or_default());
        consumed.into_iter().any(|v| self.aliases.id(v).is_none_or(|id| classes.contains(&id)))
    }

    /// Merges combinators that read the same array. True if any were.
    fn horizontal(&mut self, list: &mut List) -> bool {
        let mut reader: VarMap<usize> = VarMap::default();
        let mut any = false;
        for k in 0..list.slots.len() {
            let Some(Stm { exp: Exp::Soac(Soac::Screma { width, inputs, scans, .. }), .. }) =
                list.stm(k)
            else {
                continue;
            };
            if !scans.is_empty() {
                continue;
            }
            let (width, inputs) = (*width, inputs.clone());
            let mut at = k;
            let mut tried = OrderedVars::new();
            for v in &inputs {
                if !tried.insert(*v) {
                    continue;
                }
                let Some(&j) = reader.get(v) else { continue };
                let same = match list.stm(j).map(|s| &s.exp) {
                    Some(Exp::Soac(Soac::Screma { width: w, .. })) => *w == width,
                    _ => false,
                };
                if !same || j == k {
                    continue;
                }
                if self.merge(list, j, k) {
                    any = true;
                    break;
                }
                let Some(order) = apart::rearranged(list, &self.unique, j, k) else { continue };
                list.rearrange(j, &order);
                let new = places(j, &order);
                for r in reader.values_mut() {
                    *r = r.checked_sub(j).and_then(|i| new.get(i)).copied().unwrap_or(*r);
                }
                // The two are neighbours now.
                let first = new.first().copied().unwrap_or(j);
                at = first + 1;
                if self.merge(list, first, at) {
                    any = true;
                }
                break;
            }
            if let Some(Stm { exp: Exp::Soac(s), .. }) = list.stm(at) {
                reader.extend(s.inputs().iter().map(|v| (*v, at)));
            }
        }
        any
    }
}

fn fold_count(ops: &[Reduction]) -> usize {
    ops.iter().map(|r| r.op.ret.len()).sum()
}

fn scalar(ops: &[Reduction]) -> bool {
    ops.iter().all(|r| r.op.ret.iter().all(|t| matches!(t, Type::Prim(_))))
}

/// May the operators stand side by side?
fn compatible(p_scans: &[Reduction], p_reds: &[Reduction], consumer: &Soac) -> bool {
    let Soac::Screma { scans, reduces, .. } = consumer else { return true };
    let some_scan = !p_scans.is_empty() || !scans.is_empty();
    let some_reduce = !p_reds.is_empty() || !reduces.is_empty();
    if some_scan && some_reduce {
        return false;
    }
    let p_folds = !p_scans.is_empty() || !p_reds.is_empty();
    let c_folds = !scans.is_empty() || !reduces.is_empty();
    !(p_folds && c_folds)
        || (scalar(p_scans) && scalar(p_reds)) == (scalar(scans) && scalar(reduces))
}

/// What a combinator uses other than as inputs.
fn beside_inputs(c: &Stm) -> Vec<Var> {
    fn operators(v: &mut dyn Visit, ops: &[Reduction]) {
        for r in ops {
            r.neutral.iter().for_each(|x| v.subexp(x));
            v.lambda(&r.op);
        }
    }
    let Exp::Soac(s) = &c.exp else { return Vec::new() };
    free_in(|v| {
        c.certs.iter().for_each(|c| v.var(c));
        match s {
            Soac::Screma { width, inputs: _, lambda, scans, reduces } => {
                v.subexp(width);
                v.lambda(lambda);
                operators(v, scans);
                operators(v, reduces);
            }
            Soac::Hist { width, inputs: _, ops, lambda } => {
                v.subexp(width);
                v.lambda(lambda);
                for h in ops {
                    h.shape.iter().for_each(|x| v.subexp(x));
                    h.dests.iter().for_each(|d| v.var(d));
                    operators(v, std::slice::from_ref(&h.op));
                }
            }
            Soac::Scatter { width, inputs: _, dests, lambda } => {
                v.subexp(width);
                v.lambda(lambda);
                dests.iter().for_each(|(_, d)| v.var(d));
            }
        }
    })
}

fn soac_bodies(s: &mut Soac) -> Vec<&mut Body> {
    match s {
        Soac::Screma { lambda, scans, reduces, .. } => std::iter::once(&mut lambda.body)
            .chain(scans.iter_mut().chain(reduces).map(|r| &mut r.op.body))
            .collect(),
        Soac::Hist { lambda, ops, .. } => std::iter::once(&mut lambda.body)
            .chain(ops.iter_mut().map(|h| &mut h.op.op.body))
            .collect(),
        Soac::Scatter { lambda, .. } => vec![&mut lambda.body],
    }
}

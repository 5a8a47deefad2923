//! Maps into the writes and reductions that read what they make: one pass over a space in place of several.
//!
//! ```text
//! (is, xs) = segmap (i < n) { … in (return j, return x) }     old = copy(dest)
//! out = segmap (i < n) {                                      (more, out) = segred (i < n) op {
//!   j = is[i]  x = xs[i]                                        …                    dest is old here
//!   in (write dest {[j] = x})                            →      p = sle(0, j)
//! }                                                             in (return p, write dest {[j] = x})
//! more = segred (i < n) op {                                  }
//!   j = is[i]  p = sle(0, j)  in (return p)
//! }
//! ```
//!
//! [`fuse`](crate::passes::fuse()) merges a map with one consumer. A map whose results are scattered *and* reduced stays by
//! itself, its results are stored, and two more passes read them. So it does if it reads the array that is
//! written to, as what a point writes must not be seen by others: graph searches that give vertices new levels do both.
//! Here the map (or reduction with collected results) and all that reads its results become one reduction that writes.
//!
//! If the map reads the array that is written, it reads a copy of it. That is less work only if the array takes no more
//! memory than the results that are no longer stored, which is known when the program runs: then both versions stand in
//! a branch.
//!
//! Refused are maps whose results somebody else wants, or are read other than at their own index; writers and reductions
//! that compute more than a few scalars; operators other than one operation on integers or truth values, as a
//! loop that writes has one accumulator; anything but scalar code and fresh arrays between the operations; and whatever stands in
//! another segmented operation. Runs before rematerialisation, which would compute what is cheap in each reader. Cost: linear in the
//! program, and what is in both versions.

use crate::analysis::alias::Aliases;
use crate::analysis::contraction::lanewise_accumulation;
use crate::ir::traverse::{
    Renamer, Rewrite, Subst, for_each_block, for_each_block_mut, free_in_stm,
};
use crate::ir::varmap::{OrderedVars, VarSet};
use crate::ir::{
    Body, Builder, Const, DimIndex, Exp, KernelBody, KernelResult, Level, Mentions, NameSource,
    PatElem, Prim, Program, Reduction, SegKind, SegLevel, SegOp, SegSpace, Stm, SubExp, Type, Var,
};

/// Statements of a reader, at most.
const MOST_STATEMENTS: usize = 16;

/// Puts maps into the writes and reductions that read their results.
pub fn fuse_writes(mut prog: Program) -> Program {
    if prog.level != Level::Seg {
        return prog;
    }
    let mut f = Fuser {
        aliases: Aliases::of_program(&prog),
        mentions: Mentions::of_program(&prog),
        b: Builder::new(NameSource::new(prog.next_tag)),
    };
    f.list(&mut prog.consts.stms);
    for fun in &mut prog.funs {
        f.list(&mut fun.body.stms);
    }
    prog.next_tag = f.b.names.next_tag();
    prog
}

/// A map or reduction with those that read what it collects: positions in a list of statements.
struct Found {
    producer: usize,
    /// The readers, in order; exactly one of them writes.
    readers: Vec<usize>,
    /// What is written to and read by others than the writer.
    read: Vec<(Var, Type)>,
    /// Bytes of the producer's results at a point.
    bytes: i64,
}

struct Fuser {
    aliases: Aliases,
    mentions: Mentions,
    b: Builder,
}

/// An operation of one thread over one dimension, and how many of its results it folds.
struct Nest<'s> {
    index: Var,
    n: SubExp,
    ops: &'s [Reduction],
    body: &'s KernelBody,
    folded: usize,
}

impl<'s> Nest<'s> {
    fn of(stm: &'s Stm) -> Option<Nest<'s>> {
        let Exp::Seg(SegOp { level: SegLevel::Seq, space, kind, body }) = &stm.exp else {
            return None;
        };
        let ops: &[Reduction] = match kind {
            SegKind::Map => &[],
            SegKind::Red(ops) => ops,
            SegKind::Scan(_) | SegKind::Hist(_) => return None,
        };
        let &[(index, n)] = space.dims.as_slice() else { return None };
        let folded = ops.iter().map(|r| r.neutral.len()).sum();
        (stm.is_plain() && ops.iter().all(is_cheap)).then_some(Nest { index, n, ops, body, folded })
    }

    fn writes(&self) -> bool {
        self.body.results.iter().any(|r| matches!(r, KernelResult::Write { .. }))
    }
}

/// An operator that needs no more than one accumulator to be quick.
fn is_cheap(op: &Reduction) -> bool {
    let exact = |t: &Type| matches!(t, Type::Prim(Prim::Bool | Prim::Int(_)));
    lanewise_accumulation(op).is_some() && op.op.ret.iter().all(exact)
}

impl Fuser {
    fn list(&mut self, stms: &mut Vec<Stm>) {
        for s in stms.iter_mut().filter(|s| !matches!(s.exp, Exp::Seg(_) | Exp::Soac(_))) {
            for_each_block_mut(&mut s.exp, &mut |b| self.list(b));
        }
        let mut at = 0;
        while at < stms.len() {
            match self.find(stms, at) {
                Some(found) if self.apply(stms, &found).is_some() => {}
                _ => at += 1,
            }
        }
    }

    /// The producer at `at` with its readers, if they can be one operation.
    fn find(&mut self, stms: &[Stm], at: usize) -> Option<Found> {
        let producer = stms.get(at)?;
        let made = Nest::of(producer)?;
        let scalars = made.body.types.iter().all(|t| matches!(t, Type::Prim(_)));
        if made.writes() || !scalars || made.body.results.len() <= made.folded {
            return None;
        }
        let arrays: VarSet = producer.pat.iter().skip(made.folded).map(|p| p.var).collect();
        let reads = |s: &Stm| free_in_stm(s).iter().any(|v| arrays.contains(v));
        let readers: Vec<usize> =
            (at + 1..stms.len()).filter(|j| stms.get(*j).is_some_and(reads)).collect();
        let ends = || readers.iter().filter_map(|j| stms.get(*j));
        if !arrays.iter().all(|v| self.mentions.only_in(*v, ends())) {
            return None;
        }
        let mut writer = None;
        for s in ends() {
            let nest = Nest::of(s)?;
            if nest.n != made.n || !is_reader(&nest, &arrays) {
                return None;
            }
            if nest.writes() && writer.replace((s, nest)).is_some() {
                return None;
            }
        }
        let (writer, write) = writer?;
        let elements = |(r, t): (&KernelResult, &Type)| match r {
            KernelResult::Return(_) => false,
            KernelResult::Write { writes, .. } => writes.iter().all(|w| w.0.len() == t.rank()),
        };
        if write.folded > 0 || !write.body.results.iter().zip(&write.body.types).all(elements) {
            return None;
        }
        // What stands between is computed before, and so must need none of the results.
        let last = *readers.last()?;
        let late: VarSet =
            ends().chain([producer]).flat_map(|s| s.pat.iter().map(|p| p.var)).collect();
        let between = (at + 1..last).filter(|j| !readers.contains(j)).filter_map(|j| stms.get(j));
        let early = |s: &Stm| makes_anew(s) && !free_in_stm(s).iter().any(|v| late.contains(v));
        if !between.into_iter().all(early) {
            return None;
        }
        // A reader that needs what another makes comes after it.
        let made_by_readers: VarSet = ends().flat_map(|s| s.pat.iter().map(|p| p.var)).collect();
        if ends().any(|s| free_in_stm(s).iter().any(|v| made_by_readers.contains(v))) {
            return None;
        }
        let others = ends().filter(|s| !std::ptr::eq(*s, writer)).chain([producer]);
        let read = self.written_and_read(write.body, others)?;
        if read.is_empty() && readers.len() < 2 {
            return None;
        }
        let collected = made.body.types.iter().skip(made.folded);
        let bytes = collected.filter_map(|t| Some(t.elem()?.bytes())).sum();
        Some(Found { producer: at, readers, read, bytes })
    }

    /// The arrays that are written to and read by these statements. None if they are read under other names, too.
    fn written_and_read<'s>(
        &mut self,
        writes: &KernelBody,
        others: impl Iterator<Item = &'s Stm>,
    ) -> Option<Vec<(Var, Type)>> {
        let mut free = OrderedVars::new();
        for v in others.flat_map(free_in_stm) {
            free.insert(v);
        }
        let mut read = Vec::new();
        for (result, ty) in writes.results.iter().zip(&writes.types) {
            let KernelResult::Write { dest, .. } = result else { return None };
            let id = self.aliases.id(*dest)?;
            for v in free.iter() {
                if v == *dest {
                    read.push((v, ty.clone()));
                } else if self.aliases.id(v) == Some(id) {
                    return None;
                }
            }
        }
        Some(read)
    }

    fn apply(&mut self, stms: &mut Vec<Stm>, found: &Found) -> Option<()> {
        let all: Vec<usize> = [found.producer].iter().chain(&found.readers).copied().collect();
        let last = all.last().copied()?;
        let old: Vec<Stm> = all.iter().filter_map(|j| stms.get(*j)).cloned().collect();
        let (producer, readers) = old.split_first()?;
        let n = Nest::of(producer)?.n;
        let fused = fused(producer, readers)?;
        self.b.begin();
        self.b.loc = producer.loc;
        match found.read.is_empty() {
            true => self.b.push(fused),
            false => self.versions(found, &old, n, fused),
        }
        let new = self.b.end();
        let mut here = 0..;
        let mut new = Some(new);
        let mut out = Vec::with_capacity(stms.len());
        for s in stms.drain(..) {
            let at = here.next().unwrap_or_default();
            if !all.contains(&at) {
                out.push(s);
            }
            if at == last {
                out.extend(new.take().into_iter().flatten());
            }
        }
        *stms = out;
        Some(())
    }

    /// The one operation, whose reads are of copies, if these are no larger than what is stored otherwise.
    fn versions(&mut self, found: &Found, old: &[Stm], n: SubExp, mut fused: Stm) {
        let pat = fused.pat.clone();
        let result: Vec<SubExp> = pat.iter().map(|p| p.var.into()).collect();
        let mut copied = SubExp::i64(0);
        for (_, ty) in &found.read {
            let elements = self.b.product(ty.shape());
            let bytes = ty.elem().map_or(1, |e| e.bytes());
            let bytes = self.b.mul(elements, SubExp::i64(bytes));
            copied = self.b.add(copied, bytes);
        }
        let stored = self.b.mul(n, SubExp::i64(found.bytes));
        let small = self.b.le(copied, stored);
        let mut copies = Vec::new();
        let mut subst = Subst::new();
        for (v, ty) in &found.read {
            let before = self.b.names.like(*v);
            let pat = vec![PatElem::new(before, ty.clone())];
            copies.push(Stm { loc: fused.loc, ..Stm::new(pat, Exp::Copy(*v)) });
            subst.insert(*v, before);
        }
        // What is written to keeps its name.
        if let Exp::Seg(SegOp { body, .. }) = &mut fused.exp {
            subst.stms(&mut body.stms);
        }
        copies.push(fused);
        let one = self.renamed(Body { stms: copies, result: result.clone() });
        let several = self.renamed(Body { stms: old.to_vec(), result });
        let cases = vec![(Const::Bool(true), one)];
        self.b.bind(pat, Exp::Match { scrutinee: small, cases, default: several });
    }

    fn renamed(&mut self, mut body: Body) -> Body {
        Renamer::new(&mut self.b.names).body(&mut body);
        body
    }
}

/// Whether an operation computes a few scalars of elements of arrays, those among `arrays` at its own index, and yields
/// scalars.
fn is_reader(nest: &Nest<'_>, arrays: &VarSet) -> bool {
    let own = [DimIndex::Fix(nest.index.into())];
    let reads = |s: &Stm| match &s.exp {
        Exp::Index { array, dims } if arrays.contains(array) => *dims == own,
        _ => is_scalar(s) && !free_in_stm(s).iter().any(|v| arrays.contains(v)),
    };
    let results = &nest.body.results;
    // What a reader collects beside reductions would be one more array.
    let folds = results.len() == nest.folded;
    let writes_there = |r: &KernelResult| match r {
        KernelResult::Return(_) => false,
        KernelResult::Write { dest, .. } => arrays.contains(dest),
    };
    let operators = nest.ops.iter().all(|r| r.op.body.stms.iter().all(is_scalar));
    (folds || nest.writes())
        && operators
        && !results.iter().any(writes_there)
        && nest.body.stms.len() <= MOST_STATEMENTS
        && nest.body.stms.iter().all(reads)
}

/// Code that yields scalars or arrays of its own, and writes to no array.
fn makes_anew(stm: &Stm) -> bool {
    let fresh = |e: &Exp| {
        matches!(e, Exp::Copy(_) | Exp::Replicate { .. } | Exp::Iota { .. } | Exp::Scratch { .. })
    };
    is_scalar(stm) || fresh(&stm.exp)
}

/// Code that yields scalars and writes nothing.
fn is_scalar(stm: &Stm) -> bool {
    let scalars = stm.pat.iter().all(|p| matches!(p.ty, Type::Prim(_) | Type::Cert));
    scalars
        && match &stm.exp {
            Exp::Match { .. } => {
                let mut scalar = true;
                for_each_block(&stm.exp, &mut |b| scalar &= b.iter().all(is_scalar));
                scalar
            }
            Exp::SubExp(_)
            | Exp::UnOp(..)
            | Exp::BinOp(..)
            | Exp::CmpOp(..)
            | Exp::ConvOp(..)
            | Exp::Math(..)
            | Exp::Index { .. }
            | Exp::Assert { .. } => true,
            _ => false,
        }
}

/// One operation of all of them: the results that are folded, then what is written.
fn fused(producer: &Stm, readers: &[Stm]) -> Option<Stm> {
    let made = Nest::of(producer)?;
    let (index, n) = (made.index, made.n);
    let mut ops = Vec::new();
    let mut certs = producer.certs.clone();
    let mut stms = made.body.stms.clone();
    let mut folded = Part::default();
    let mut written = Part::default();
    ops.extend(made.ops.iter().cloned());
    folded.extend(&producer.pat, made.body, made.folded);
    for s in readers {
        let nest = Nest::of(s)?;
        let mut subst = Subst::new();
        subst.insert(nest.index, index);
        for stm in &nest.body.stms {
            let element = match &stm.exp {
                Exp::Index { array, .. } => producer.pat.iter().position(|p| p.var == *array),
                _ => None,
            };
            if let (Some(element), [p]) = (element, stm.pat.as_slice()) {
                let KernelResult::Return(x) = made.body.results.get(element)? else { return None };
                subst.insert(p.var, *x);
                certs.extend(&stm.certs);
            } else {
                let mut stm = stm.clone();
                subst.stm(&mut stm);
                stms.push(stm);
            }
        }
        ops.extend(nest.ops.iter().cloned());
        certs.extend(&s.certs);
        let part = if nest.writes() { &mut written } else { &mut folded };
        let from = part.results.len();
        part.extend(&s.pat, nest.body, nest.body.results.len());
        for result in part.results.iter_mut().skip(from) {
            match result {
                KernelResult::Return(x) => *x = subst.lookup(*x),
                KernelResult::Write { dest: _, writes } => {
                    for x in writes.iter_mut().flat_map(|(at, x)| at.iter_mut().chain([x])) {
                        *x = subst.lookup(*x);
                    }
                }
            }
        }
    }
    certs.sort_unstable();
    certs.dedup();
    folded.pat.append(&mut written.pat);
    folded.results.append(&mut written.results);
    folded.types.append(&mut written.types);
    let body = KernelBody { stms, results: folded.results, types: folded.types };
    let kind = if ops.is_empty() { SegKind::Map } else { SegKind::Red(ops) };
    let space = SegSpace { dims: vec![(index, n)] };
    let exp = Exp::Seg(SegOp { level: SegLevel::Seq, space, kind, body });
    Some(Stm { pat: folded.pat, exp, certs, ..producer.clone() })
}

/// Results of the same kind.
#[derive(Default)]
struct Part {
    pat: Vec<PatElem>,
    results: Vec<KernelResult>,
    types: Vec<Type>,
}

impl Part {
    /// The first `count` of an operation.
    fn extend(&mut self, pat: &[PatElem], body: &KernelBody, count: usize) {
        self.pat.extend(pat.iter().take(count).cloned());
        self.results.extend(body.results.iter().take(count).cloned());
        self.types.extend(body.types.iter().take(count).cloned());
    }
}

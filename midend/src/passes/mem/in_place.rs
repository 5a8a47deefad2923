//! Builds the values of updates in the array that they update, though that array is read meanwhile.
//!
//! ```text
//! m = alloc 4·k
//! v @ m → 0 + (k,1) = segmap (i < k) {      v @ a → j + (k,1) = segmap (i < k) {
//!   x = index a[j+i]                          x = index a[j+i]
//!   y = index a[0]                            y = index a[0]
//!   … }                                       … }
//! b = update a[j :+ k] with v               b = update a[j :+ k] with v      (no code)
//! ```
//!
//! [`super::short_circuit()`] does this where nobody mentions the array from the allocation to the
//! update. Here it may be mentioned. From the first statement that writes the value on, up to the
//! update,
//!
//! * every write to the block of the array is of elements that the update does not replace;
//! * every read of it is of such elements, or happens before they are replaced: in a map that makes
//!   the value, what is read at a point before the point writes is the point's own part (the very
//!   element, or the row of which an inner map writes an element), which no other point writes;
//! * no other name of the block is in use, and the block is not passed on.
//!
//! The block of the value must be allocated in the same list, hold nothing else than the value,
//! which has no gaps, and be dead after the update. If the slice that is replaced has gaps, every
//! array in the block must be parts of rows that can be found again in the slice.
//!
//! Which elements are meant is compared index by index, see `section`. What cannot be shown is not
//! done. Two values that are built at a time must go to different elements; a value into whose
//! array another one goes waits for another round.
//!
//! Cost: for every update with an array that short-circuiting left, one walk over the statements
//! between the value's creation and the update.

use super::blocks::Blocks;
use super::rebase::{Moved, Rebase};
use super::section::{Section, Sections};
use crate::ir::traverse::{Rewrite, Visit, for_each_block, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    Body, DimIndex, Exp, KernelBody, KernelResult, Lmad, MemBind, PatElem, Poly, Program, SegKind,
    SegOp, Size64, Stm, SubExp, Type, Var,
};
use std::collections::HashMap;

/// Values are built in arrays that are themselves built in others, but seldom deeper than this.
const ROUNDS: usize = 4;

/// Builds in place what can be.
pub fn in_place(mut prog: Program) -> Program {
    for _ in 0..ROUNDS {
        let moved = Finder::moves(&prog);
        if moved.is_empty() {
            break;
        }
        let mut rebase = Rebase { moved };
        rebase.body(&mut prog.consts);
        for f in &mut prog.funs {
            rebase.fun(f);
        }
    }
    prog
}

struct Finder {
    blocks: Blocks,
    sections: Sections,
    /// The arrays of each block.
    arrays: VarMap<Vec<Var>>,
    moved: VarMap<Moved>,
    /// Blocks that something is moved to in this round.
    targets: VarSet,
}

/// An update whose value is to be built where it goes.
struct Candidate<'p> {
    /// The value's block.
    block: Var,
    /// The value's place there.
    value: MemBind,
    /// The first statement that mentions the block after its allocation, and the update.
    from: usize,
    at: usize,
    /// What is replaced: where, which elements, and the variables for the indexes of the value.
    target: MemBind,
    section: Section,
    counters: Vec<Var>,
    /// See [`Finder::chain`].
    chain: Vec<Link<'p>>,
}

/// A statement that makes the value, or a part of it.
#[derive(Clone, Copy)]
struct Link<'p> {
    stm: &'p Stm,
    /// Of a map whose points each make their part: the body.
    points: Option<(&'p [(Var, SubExp)], &'p KernelBody)>,
}

/// Of a map: space, body, and the type of one result at a point.
type Rows<'p> = (&'p [(Var, SubExp)], &'p KernelBody, &'p Type);

impl Finder {
    fn moves(prog: &Program) -> VarMap<Moved> {
        let mut f = Finder {
            blocks: Blocks::of_program(prog),
            sections: Sections::of_program(prog),
            arrays: VarMap::default(),
            moved: VarMap::default(),
            targets: VarSet::default(),
        };
        let mut all = Arrays::default();
        all.body(&prog.consts);
        for fun in &prog.funs {
            all.fun(fun);
        }
        for v in all.0 {
            if let Some(block) = f.sections.block(v) {
                f.arrays.entry(block).or_default().push(v);
            }
        }
        f.body(&prog.consts);
        for fun in &prog.funs {
            f.fun(fun);
        }
        f.moved
    }

    fn list(&mut self, stms: &[Stm], result: &[SubExp]) {
        let mut allocs: VarMap<(usize, &Size64)> = VarMap::default();
        let mut found: Vec<(usize, Var, usize)> = Vec::new();
        for (at, s) in stms.iter().enumerate() {
            match (&s.exp, s.pat.as_slice()) {
                (Exp::Alloc { bytes, .. }, [p]) => {
                    allocs.insert(p.var, (at, bytes));
                }
                (Exp::Update { array: _, dims, value: SubExp::Var(v) }, [p]) => {
                    let steps = dims.iter().all(|d| match d {
                        DimIndex::Fix(_) => true,
                        DimIndex::Slice { stride, .. } => {
                            matches!(stride, SubExp::Const(c) if c.as_int().is_some_and(|s| s != 0))
                        }
                    });
                    let Some((ty, m)) = self.sections.place(*v) else { continue };
                    let Some((alloc, bytes)) = allocs.get(&m.block) else { continue };
                    let Some(elem) = ty.elem() else { continue };
                    let whole = Poly::of(&Size64::bytes(elem, ty.shape()));
                    if steps
                        && p.mem.as_ref().is_some_and(|t| t.block != m.block)
                        && m.lmad.is_row_major(&self.sections.defs)
                        && self.sections.defs.equal(&Poly::of(bytes), &whole)
                        && !self.blocks.escaped.contains(&m.block)
                    {
                        found.push((at, *v, *alloc));
                    }
                }
                _ => {}
            }
        }
        if found.is_empty() {
            return;
        }
        let used: Vec<VarSet> = stms.iter().map(|s| self.blocks.used_in(s)).collect();
        let mut bound_at: VarMap<usize> = VarMap::default();
        for (at, s) in stms.iter().enumerate() {
            bound_at.extend(s.pat.iter().map(|p| (p.var, at)));
        }
        let in_result: VarSet =
            result.iter().filter_map(|r| r.var()).filter_map(|v| self.blocks.used_by(v)).collect();
        let mut done: Vec<Candidate<'_>> = Vec::new();
        for (at, v, alloc) in found {
            let Some(c) = self.candidate(stms, &used, (at, v, alloc)) else { continue };
            let in_scope = |x: &Var| bound_at.get(x).is_none_or(|at| *at < c.from);
            let dead_after = !in_result.contains(&c.block)
                && !used[at + 1..].iter().any(|u| u.contains(&c.block));
            let no_other_name = used[c.from..at].iter().all(|u| {
                let is = c.target.block;
                u.iter().all(|b| *b == c.block || *b == is || self.blocks.distinct(*b, is))
            });
            let ready = dead_after
                && no_other_name
                && in_scope(&c.target.block)
                && leaves(&c.target.lmad).iter().all(in_scope)
                && stms[at].certs.iter().all(in_scope)
                && !self.moved.contains_key(&c.block)
                && !self.moved.contains_key(&c.target.block)
                && !self.targets.contains(&c.block);
            if !ready || !self.undisturbed(&stms[c.from..at], &c) {
                continue;
            }
            let together = |d: &&Candidate<'_>| {
                d.target.block == c.target.block && d.from < c.at && c.from < d.at
            };
            let sections = &mut self.sections;
            if !done.iter().filter(together).all(|d| sections.apart(&d.section, &c.section)) {
                continue;
            }
            let Some(moved) = self.moved_to(&c) else { continue };
            self.targets.insert(c.target.block);
            self.moved.insert(c.block, moved);
            done.push(c);
        }
    }

    fn candidate<'p>(
        &mut self,
        stms: &'p [Stm],
        used: &[VarSet],
        (at, v, alloc): (usize, Var, usize),
    ) -> Option<Candidate<'p>> {
        let s = stms.get(at)?;
        let Exp::Update { array, dims, .. } = &s.exp else { return None };
        let (_, value) = self.sections.place(v)?.clone();
        let (_, whole) = self.sections.place(*array)?.clone();
        let target = MemBind { block: whole.block, lmad: whole.lmad.slice(dims) };
        let (section, counters) = self.sections.slice(*array, dims)?;
        let block = value.block;
        let from = alloc + 1 + used.get(alloc + 1..at)?.iter().position(|u| u.contains(&block))?;
        let chain = self.chain(stms.get(from)?, block, &value.lmad);
        Some(Candidate { block, value, from, at, target, section, counters, chain })
    }

    /// The statements that make the value in `block`, of which this one is the first: a map, in its
    /// body the first that makes part of a row, and so on, up to a map of scalars or something
    /// else, which may write at any time.
    fn chain<'p>(&self, first: &'p Stm, block: Var, whole: &Lmad) -> Vec<Link<'p>> {
        let mut out = Vec::new();
        let (mut stm, mut lmad) = (first, whole.clone());
        loop {
            let Some((space, body, result)) = self.makes_rows(stm, block, &lmad) else {
                out.push(Link { stm, points: None });
                return out;
            };
            out.push(Link { stm, points: Some((space, body)) });
            let point: Vec<SubExp> = space.iter().map(|(i, _)| SubExp::Var(*i)).collect();
            lmad = lmad.row(&point);
            let mut below = body.stms.iter();
            let next = below.find(|s| self.blocks.used_in(s).contains(&block));
            match (result, next) {
                (Type::Prim(_), None) => return out,
                (Type::Array { .. }, Some(next)) => stm = next,
                _ => {
                    // Not in the way that is known.
                    out.clear();
                    out.push(Link { stm: first, points: None });
                    return out;
                }
            }
        }
    }

    /// Of a map with exactly one result in `block`, which lies at `lmad`: space, body, and the type
    /// of that result at a point.
    fn makes_rows<'p>(&self, stm: &'p Stm, block: Var, lmad: &Lmad) -> Option<Rows<'p>> {
        let Exp::Seg(SegOp { space, kind: SegKind::Map, body, .. }) = &stm.exp else { return None };
        let here = |p: &PatElem| p.mem.as_ref().is_some_and(|m| m.block == block);
        let k = stm.pat.iter().position(here)?;
        let p = stm.pat.get(k)?;
        let alone = stm.pat.iter().filter(|p| here(p)).count() == 1;
        let exact = p.mem.as_ref().is_some_and(|m| m.lmad.same_place(lmad, &self.sections.defs));
        match body.results.get(k)? {
            KernelResult::Return(_) if alone && exact => {
                Some((&space.dims, body, body.types.get(k)?))
            }
            KernelResult::Return(_) | KernelResult::Write { .. } => None,
        }
    }

    /// Does nothing between the value's creation and the update stand in the way?
    fn undisturbed(&mut self, stms: &[Stm], c: &Candidate<'_>) -> bool {
        let mut w = Watch { sections: &mut self.sections, c, fine: true };
        w.list(stms, Some(0));
        w.fine
    }

    /// How the arrays in the value's block lie afterwards.
    fn moved_to(&mut self, c: &Candidate<'_>) -> Option<Moved> {
        let MemBind { block, lmad } = &c.target;
        if lmad.is_contiguous(&self.sections.defs) {
            return Some(Moved::To(*block, Poly::of(&lmad.offset)));
        }
        let sizes = self.sections.sizes(&c.section);
        let mut places = HashMap::new();
        for v in self.arrays.get(&c.block)? {
            let (_, m) = self.sections.place(*v)?;
            let inside = self.sections.within(&m.lmad, &c.value.lmad, &sizes)?;
            places.insert(m.lmad.clone(), inside.moved(&m.lmad, lmad)?);
        }
        Some(Moved::Onto(*block, places))
    }
}

impl Visit for Finder {
    fn body(&mut self, b: &Body) {
        walk::body(self, b);
        self.list(&b.stms, &b.result);
    }

    fn kernel_body(&mut self, b: &KernelBody) {
        walk::kernel_body(self, b);
        let mut results = Vec::new();
        for r in &b.results {
            match r {
                KernelResult::Return(x) => results.push(*x),
                KernelResult::Write { dest, writes } => {
                    results.push((*dest).into());
                    results.extend(writes.iter().map(|(_, x)| *x));
                }
            }
        }
        self.list(&b.stms, &results);
    }
}

/// The variables that the place, not the shape, depends on.
fn leaves(l: &Lmad) -> Vec<Var> {
    let strides = l.dims.iter().flat_map(|d| d.stride.leaves());
    l.offset.leaves().into_iter().chain(strides).filter_map(|x| x.var()).collect()
}

/// Every array, in the order of the text.
#[derive(Default)]
struct Arrays(Vec<Var>);

impl Visit for Arrays {
    fn bind(&mut self, v: &Var) {
        self.0.push(*v);
    }
}

/// What happens to the block of the array while the value is made.
struct Watch<'s, 'c> {
    sections: &'s mut Sections,
    c: &'c Candidate<'c>,
    fine: bool,
}

impl Watch<'_, '_> {
    /// A list of statements. `before`: how many maps of the chain are around it, whose points have
    /// not written yet; `None` if anything may have been written.
    fn list(&mut self, stms: &[Stm], mut before: Option<usize>) {
        for s in stms {
            let link = before.and_then(|n| self.c.chain.get(n).map(|link| (n, *link)));
            match link {
                Some((n, link)) if std::ptr::eq(link.stm, s) => {
                    before = None;
                    match link.points {
                        Some((_, body)) => {
                            self.written(s);
                            self.list(&body.stms, Some(n + 1));
                            self.values_written(body);
                        }
                        None => self.stm(s, None),
                    }
                }
                _ => self.stm(s, before),
            }
        }
    }

    fn in_block(&self, v: Var) -> bool {
        self.sections.block(v) == Some(self.c.target.block)
    }

    fn read(&mut self, section: Option<Section>, before: Option<usize>) {
        let Some(section) = section else {
            self.fine = false;
            return;
        };
        // Before any map of the chain, nothing has been written: the list begins with the first.
        if let Some(n) = before.filter(|n| *n > 0) {
            let maps = self.c.chain.iter().take(n).filter_map(|link| link.points);
            let point: Vec<Var> = maps.flat_map(|(dims, _)| dims.iter().map(|d| d.0)).collect();
            if self.sections.follows(&section, (&self.c.section, &self.c.counters), &point) {
                return;
            }
        }
        self.fine &= self.sections.apart(&section, &self.c.section);
    }

    fn write(&mut self, section: Option<Section>) {
        self.read(section, None);
    }

    /// All of an operand is read, if it is an array in the block.
    fn whole(&mut self, x: SubExp, before: Option<usize>) {
        if let SubExp::Var(v) = x {
            // The block itself is passed on: from then on it has another name.
            self.fine &= v != self.c.target.block;
            if self.in_block(v) {
                let section = self.sections.whole(v);
                self.read(section, before);
            }
        }
    }

    /// The arrays that a statement fills are written.
    fn written(&mut self, s: &Stm) {
        for p in &s.pat {
            if self.in_block(p.var) {
                let section = self.sections.whole(p.var);
                self.write(section);
            }
        }
    }

    fn values_written(&mut self, body: &KernelBody) {
        for r in &body.results {
            match r {
                KernelResult::Return(_) => {}
                KernelResult::Write { dest: _, writes } => {
                    for (_, x) in writes {
                        self.whole(*x, None);
                    }
                }
            }
        }
    }

    fn passed(&mut self, x: SubExp) {
        self.fine &= x != SubExp::Var(self.c.target.block);
    }

    fn stm(&mut self, s: &Stm, before: Option<usize>) {
        match &s.exp {
            Exp::Index { array, dims } => {
                if self.in_block(*array) && s.pat.iter().all(|p| p.ty.rank() == 0) {
                    let section = self.sections.slice(*array, dims).map(|(section, _)| section);
                    self.read(section, before);
                }
            }
            // Views.
            Exp::SubExp(x) | Exp::Opaque(x) => self.passed(*x),
            Exp::FlatIndex { .. } | Exp::Rearrange { .. } | Exp::Reshape { .. } => {}
            Exp::Update { array, dims, value } => {
                self.whole(*value, before);
                if self.in_block(*array) {
                    let section = self.sections.slice(*array, dims).map(|(section, _)| section);
                    self.write(section);
                }
            }
            Exp::FlatUpdate { array, offset: _, dims: _, value } => {
                self.whole((*value).into(), before);
                self.fine &= !self.in_block(*array);
            }
            Exp::Copy(v) => {
                self.whole((*v).into(), before);
                self.written(s);
            }
            Exp::Concat { arrays, .. } => {
                for v in arrays {
                    self.whole((*v).into(), before);
                }
                self.written(s);
            }
            Exp::ArrayLit { elems, row: _ } => {
                for x in elems {
                    self.whole(*x, before);
                }
                self.written(s);
            }
            Exp::Replicate { shape: _, value } => {
                self.whole(*value, before);
                self.written(s);
            }
            Exp::Iota { .. } | Exp::Scratch { .. } => self.written(s),
            Exp::Trace(x) => self.whole(*x, before),
            Exp::Match { scrutinee: _, cases, default } => {
                for b in cases.iter().map(|(_, b)| b).chain([default]) {
                    b.result.iter().for_each(|x| self.passed(*x));
                    self.list(&b.stms, before);
                }
            }
            Exp::Loop { params: _, init, form: _, body } => {
                init.iter().chain(&body.result).for_each(|x| self.passed(*x));
                self.list(&body.stms, before);
            }
            Exp::Seg(op) => {
                self.written(s);
                for_each_block(&s.exp, &mut |stms| self.list(stms, before));
                self.values_written(&op.body);
            }
            // Scalars only.
            Exp::UnOp(..)
            | Exp::BinOp(..)
            | Exp::CmpOp(..)
            | Exp::ConvOp(..)
            | Exp::Math(..)
            | Exp::Assert { .. }
            | Exp::Prefix { .. }
            | Exp::Workers
            | Exp::Alloc { .. } => {}
            Exp::Call { fun: _, args } => {
                for x in args {
                    self.passed(*x);
                    self.fine &= x.var().is_none_or(|v| !self.in_block(v));
                }
            }
            Exp::Soac(_) | Exp::Retain(_) | Exp::Release(_) => self.fine = false,
        }
    }
}

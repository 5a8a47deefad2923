//! Builds arrays where they would be copied to.
//!
//! ```text
//! ys_mem = alloc …                      ys @ res → i·m + (m,1) = segmap …
//! ys @ ys_mem → 0 + (m,1) = segmap …    r @ res → i·m + (m,1) = copy ys    (no code)
//! r @ res → i·m + (m,1) = copy ys
//! ```
//!
//! A block that is allocated in a statement list, whose only contents are copied (or stored by an
//! update, or made part of a concatenation or an array literal) as a whole to a contiguous place
//! later in the same list, and which is not mentioned after that, is not allocated: everything in
//! it is put at the destination at once. That is allowed if
//!
//! * the destination's block and offset are in scope where the block was allocated, or where it is
//!   first mentioned: allocations are moved for that, see `alloc_order`;
//! * nothing between the allocation and the copy mentions the destination's block, or a block that
//!   may be the same one under another name;
//! * the block is not passed on (to a loop, a call, out of a `match`);
//! * of the operands of a concatenation or literal, no other lies in the block;
//! * the certificates of the statement that copies are there before the first mention: see `checks`.
//!
//! What a chunk comes to stays in a block of its own if it is small: LLVM keeps such accumulators in registers, and not what lies in
//! a place that others have parts of.
//!
//! The block may also be one that a `match` binds, as its branches yield arrays in different
//! blocks. Then every branch copies, and the next round looks at its copy: see `branches`.
//!
//! Chains need no iteration: a destination may itself move. Cost: one scan of the uses in every
//! list that has a candidate, so linear times the nesting depth; and that for every level of nested
//! branches.

use super::alloc_order::{raise, sink};
use super::blocks::Blocks;
use super::branches::{Sunk, copy_in_branches, only_in_places};
use super::checks::checks_first;
use super::rebase::{Moved, Rebase};
use crate::ir::traverse::{Rewrite, Visit, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    Body, Defs, Exp, KernelBody, KernelResult, MemBind, Param, PatElem, Poly, Prim, Program,
    Size64, Stm, StmAttr, SubExp, Type, Var,
};

/// Joins within joins deeper than this yield their blocks.
const ROUNDS: usize = 16;

/// Accumulators of chunks are small up to this size.
const SMALL_BYTES: i64 = 512;

/// Elides the copies it can.
pub fn short_circuit(mut prog: Program) -> Program {
    raise(&mut prog);
    checks_first(&mut prog);
    for _ in 0..ROUNDS {
        let mut finder = Finder {
            blocks: Blocks::of_program(&prog),
            places: VarMap::default(),
            moved: VarMap::default(),
            sunk: Vec::new(),
            offsets: only_in_places(&prog),
            apart: VarSet::default(),
            defs: Defs::of_program(&prog),
        };
        finder.body(&prog.consts);
        for f in &prog.funs {
            finder.fun(f);
        }
        let Finder { moved, sunk, .. } = finder;
        let again = !sunk.is_empty();
        copy_in_branches(&mut prog, sunk);
        let mut rebase = Rebase { moved };
        rebase.body(&mut prog.consts);
        for f in &mut prog.funs {
            rebase.fun(f);
        }
        if !again {
            break;
        }
    }
    sink(&mut prog);
    prog
}

struct Finder {
    blocks: Blocks,
    places: VarMap<(Prim, MemBind)>,
    moved: VarMap<Moved>,
    /// The joins whose branches are to copy, in the order of the copies.
    sunk: Vec<Sunk>,
    /// The variables that nothing but places mentions.
    offsets: VarSet,
    /// Copies of small arrays that are what chunks come to.
    apart: VarSet,
    defs: Defs,
}

impl Visit for Finder {
    fn stm(&mut self, s: &Stm) {
        if let (true, Exp::Seg(op)) = (s.has(StmAttr::Chunks), &s.exp) {
            let small = |t: &Type| {
                t.elem().is_some_and(|e| {
                    let bytes = Poly::of(&Size64::bytes(e, t.shape()));
                    bytes.as_const().is_some_and(|n| n <= SMALL_BYTES)
                })
            };
            let results = op.body.results.iter().zip(&op.body.types);
            self.apart.extend(results.filter(|(_, t)| small(t)).filter_map(|(r, _)| match r {
                KernelResult::Return(x) => x.var(),
                KernelResult::Write { .. } => None,
            }));
        }
        walk::stm(self, s);
    }

    fn param(&mut self, p: &Param) {
        if let (Some(m), Some(e)) = (&p.mem, p.ty.elem()) {
            self.places.insert(p.var, (e, m.clone()));
        }
    }

    fn pat_elem(&mut self, p: &PatElem) {
        if let (Some(m), Some(e)) = (&p.mem, p.ty.elem()) {
            self.places.insert(p.var, (e, m.clone()));
        }
    }

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

/// Where a block comes from.
#[derive(Clone, Copy)]
enum Home<'p> {
    /// Allocated, of that size.
    Alloc(&'p Size64),
    /// Bound by a join.
    Join(&'p Stm),
}

/// A block that might move: allocated or bound at `from`, copied to `target` at `at`.
struct Candidate<'p> {
    block: Var,
    place: MemBind,
    home: Home<'p>,
    from: usize,
    at: usize,
    target: MemBind,
}

impl Finder {
    fn list(&mut self, stms: &[Stm], result: &[SubExp]) {
        let mut homes: VarMap<(usize, Home<'_>)> = VarMap::default();
        let mut candidates: Vec<Candidate<'_>> = Vec::new();
        for (at, s) in stms.iter().enumerate() {
            let home = match &s.exp {
                Exp::Alloc { bytes, .. } => Some(Home::Alloc(bytes)),
                Exp::Match { .. } => Some(Home::Join(s)),
                _ => None,
            };
            if let Some(home) = home {
                let blocks = s.pat.iter().filter(|p| matches!(p.ty, Type::Mem(_)));
                homes.extend(blocks.map(|p| (p.var, (at, home))));
            }
            for (v, target) in self.destinations(s) {
                let Some((elem, place)) = self.places.get(&v) else { continue };
                let Some((from, home)) = homes.get(&place.block) else { continue };
                let whole = match home {
                    Home::Alloc(bytes) => {
                        let whole = Size64::bytes(*elem, &place.lmad.shape());
                        place.lmad.is_row_major(&self.defs)
                            && self.defs.equal(&Poly::of(bytes), &Poly::of(&whole))
                    }
                    Home::Join(join) => self.yields(join, place, &target),
                };
                let fits = whole
                    && target.lmad.is_contiguous(&self.defs)
                    && place.block != target.block
                    && !self.blocks.escaped.contains(&place.block)
                    && !self.moved.contains_key(&place.block);
                if fits {
                    candidates.push(Candidate {
                        block: place.block,
                        place: place.clone(),
                        home: *home,
                        from: *from,
                        at,
                        target,
                    });
                }
            }
        }
        if candidates.is_empty() {
            return;
        }
        let used: Vec<VarSet> = stms.iter().map(|s| self.blocks.used_in(s)).collect();
        let mut bound_at: VarMap<usize> = VarMap::default();
        for (at, s) in stms.iter().enumerate() {
            bound_at.extend(s.pat.iter().map(|p| (p.var, at)));
        }
        let in_result: VarSet =
            result.iter().filter_map(|r| r.var()).filter_map(|v| self.blocks.used_by(v)).collect();
        let mut starts: VarMap<usize> = VarMap::default();
        for mut c in candidates {
            // The statements that must not disturb. The branches of a join copy after all else.
            let between = match c.home {
                Home::Alloc(_) => {
                    // Nothing is in the block before its first mention, or that of what moves there.
                    let mentions = |u: &VarSet| u.contains(&c.block);
                    let first = used[c.from + 1..].iter().position(mentions).unwrap_or(0);
                    let earlier = starts.get(&c.block).copied().unwrap_or(usize::MAX);
                    c.from = (c.from + 1 + first).min(earlier);
                    &used[c.from..c.at]
                }
                Home::Join(_) => &used[c.from + 1..c.at],
            };
            let in_scope = |x: Var| bound_at.get(&x).is_none_or(|at| *at < c.from);
            let offset = Poly::of(&c.target.lmad.offset);
            let dead_after = !in_result.contains(&c.block)
                && !used[c.at + 1..].iter().any(|u| u.contains(&c.block));
            let undisturbed = between.iter().all(|u| {
                u.iter().all(|b| *b == c.block || self.blocks.distinct(*b, c.target.block))
            });
            if dead_after
                && undisturbed
                && in_scope(c.target.block)
                && offset.vars().into_iter().all(in_scope)
                && stms[c.at].certs.iter().copied().all(in_scope)
                && !self.moved.contains_key(&c.block)
            {
                let start = starts.entry(c.target.block).or_insert(usize::MAX);
                *start = c.from.min(*start);
                let shift = match c.home {
                    Home::Alloc(_) => offset,
                    Home::Join(_) => {
                        let shift = offset.sub(&Poly::of(&c.place.lmad.offset));
                        self.sunk.push(Sunk { block: c.block, target: c.target.block, offset });
                        shift
                    }
                };
                self.moved.insert(c.block, Moved::To(c.target.block, shift));
            }
        }
    }

    /// Does the join yield, in the block that it binds for it, all of this array and nothing else,
    /// that can be copied to `target` in every branch?
    fn yields(&self, join: &Stm, place: &MemBind, target: &MemBind) -> bool {
        let Exp::Match { scrutinee: _, cases, default } = &join.exp else { return false };
        let inside = |p: &&PatElem| p.mem.as_ref().is_some_and(|m| m.block == place.block);
        let mut arrays = join.pat.iter().enumerate().filter(|(_, p)| inside(p));
        let (Some((k, bound)), None) = (arrays.next(), arrays.next()) else { return false };
        let Some(all) = &bound.mem else { return false };
        let size = |m: &MemBind| {
            m.lmad.dims.iter().fold(Poly::constant(1), |p, d| p.mul(&Poly::leaf(d.n)))
        };
        // What is copied may be the first part of it.
        if !self.defs.equal(&size(all), &size(place)) {
            return false;
        }
        // An offset that is bound with it goes with it.
        let offset = Poly::of(&place.lmad.offset);
        let offset_goes = match offset.vars().as_slice() {
            [] => offset.is_zero(),
            [o] => {
                let bound = join.pat.iter().any(|p| p.var == *o);
                offset == Poly::var(*o) && bound && self.offsets.contains(o)
            }
            _ => false,
        };
        let apart = |b: &Body| {
            let Some((_, from)) = b.result.get(k).and_then(|r| self.places.get(&r.var()?)) else {
                return false;
            };
            from.lmad.is_contiguous(&self.defs)
                && (from.block != target.block
                    || self
                        .defs
                        .equal(&Poly::of(&from.lmad.offset), &Poly::of(&target.lmad.offset)))
        };
        place.lmad.is_contiguous(&self.defs)
            && offset_goes
            && cases.iter().map(|(_, b)| b).chain([default]).all(apart)
    }

    /// The arrays that a statement stores as a whole, and where.
    fn destinations(&self, s: &Stm) -> Vec<(Var, MemBind)> {
        let [p] = s.pat.as_slice() else { return Vec::new() };
        let Some(place) = p.mem.as_ref() else { return Vec::new() };
        if self.apart.contains(&p.var) {
            return Vec::new();
        }
        match &s.exp {
            Exp::Copy(v) => vec![(*v, place.clone())],
            Exp::Update { array: _, dims, value: SubExp::Var(v) } => {
                let lmad = place.lmad.slice(dims);
                if lmad.dims.is_empty() {
                    return Vec::new();
                }
                vec![(*v, MemBind { block: place.block, lmad })]
            }
            Exp::Concat { dim, arrays, size: _ } => {
                let Some(along) = place.lmad.dims.get(*dim) else { return Vec::new() };
                let stride = Poly::of(&along.stride);
                let mut offset = Poly::default();
                let mut out = Vec::new();
                for v in arrays {
                    let Some((_, from)) = self.places.get(v) else { return Vec::new() };
                    let Some(n) = from.lmad.dims.get(*dim).map(|d| d.n) else {
                        return Vec::new();
                    };
                    let mut lmad = place.lmad.shifted(&offset);
                    if let Some(d) = lmad.dims.get_mut(*dim) {
                        d.n = n;
                    }
                    out.push((*v, MemBind { block: place.block, lmad }));
                    offset = offset.add(&stride.mul(&Poly::leaf(n)));
                }
                self.alone(out)
            }
            Exp::ArrayLit { elems, row: Type::Array { .. } } => {
                let rows = elems.iter().enumerate().filter_map(|(i, x)| {
                    let at = SubExp::i64(i64::try_from(i).ok()?);
                    let lmad = place.lmad.row(&[at]);
                    Some((x.var()?, MemBind { block: place.block, lmad }))
                });
                self.alone(rows.collect())
            }
            _ => Vec::new(),
        }
    }

    /// Those that share their block with no other.
    fn alone(&self, all: Vec<(Var, MemBind)>) -> Vec<(Var, MemBind)> {
        let block = |v: &Var| self.places.get(v).map(|(_, m)| m.block);
        let blocks: Vec<Option<Var>> = all.iter().map(|(v, _)| block(v)).collect();
        all.into_iter()
            .filter(|(v, _)| blocks.iter().filter(|b| **b == block(v)).count() == 1)
            .collect()
    }
}

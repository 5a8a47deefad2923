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
//! * of the operands of a concatenation or literal, no other lies in the block.
//!
//! Chains need no iteration: a destination may itself move. Cost: one scan of the uses in every
//! list that has a candidate, so linear times the nesting depth.

use super::alloc_order::{raise, sink};
use super::blocks::Blocks;
use super::rebase::{Moved, Rebase};
use crate::ir::traverse::{Rewrite, Visit, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    Body, Defs, Exp, KernelBody, KernelResult, MemBind, Param, PatElem, Poly, Prim, Program,
    Size64, Stm, SubExp, Type, Var,
};

/// Elides the copies it can, all in one go.
pub fn short_circuit(mut prog: Program) -> Program {
    raise(&mut prog);
    let mut finder = Finder {
        blocks: Blocks::of_program(&prog),
        places: VarMap::default(),
        moved: VarMap::default(),
        defs: Defs::default(),
    };
    finder.body(&prog.consts);
    for f in &prog.funs {
        finder.fun(f);
    }
    let mut rebase = Rebase { moved: finder.moved };
    rebase.body(&mut prog.consts);
    for f in &mut prog.funs {
        rebase.fun(f);
    }
    sink(&mut prog);
    prog
}

struct Finder {
    blocks: Blocks,
    places: VarMap<(Prim, MemBind)>,
    moved: VarMap<Moved>,
    defs: Defs,
}

impl Visit for Finder {
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

/// A block that might move: allocated at `from`, copied to `target` at `at`.
struct Candidate {
    block: Var,
    from: usize,
    at: usize,
    target: MemBind,
}

impl Finder {
    fn list(&mut self, stms: &[Stm], result: &[SubExp]) {
        let mut allocs: VarMap<(usize, &Size64)> = VarMap::default();
        let mut candidates: Vec<Candidate> = Vec::new();
        for (at, s) in stms.iter().enumerate() {
            if let (Exp::Alloc { bytes, .. }, [p]) = (&s.exp, s.pat.as_slice()) {
                allocs.insert(p.var, (at, bytes));
            }
            for (v, target) in self.destinations(s) {
                let Some((elem, place)) = self.places.get(&v) else { continue };
                let Some((from, bytes)) = allocs.get(&place.block) else { continue };
                let whole = Size64::bytes(*elem, &place.lmad.shape());
                let fits = place.lmad.is_row_major(&self.defs)
                    && target.lmad.is_contiguous(&self.defs)
                    && self.defs.equal(&Poly::of(bytes), &Poly::of(&whole))
                    && place.block != target.block
                    && !self.blocks.escaped.contains(&place.block)
                    && !self.moved.contains_key(&place.block);
                if fits {
                    candidates.push(Candidate { block: place.block, from: *from, at, target });
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
            // Nothing is in the block before its first mention, or that of what moves there.
            let mentions = |u: &VarSet| u.contains(&c.block);
            let first = used[c.from + 1..].iter().position(mentions).unwrap_or(0);
            let earlier = starts.get(&c.block).copied().unwrap_or(usize::MAX);
            c.from = (c.from + 1 + first).min(earlier);
            let in_scope = |x: Var| bound_at.get(&x).is_none_or(|at| *at < c.from);
            let offset = Poly::of(&c.target.lmad.offset);
            let dead_after = !in_result.contains(&c.block)
                && !used[c.at + 1..].iter().any(|u| u.contains(&c.block));
            let undisturbed = used[c.from..c.at].iter().all(|u| {
                u.iter().all(|b| *b == c.block || self.blocks.distinct(*b, c.target.block))
            });
            if dead_after
                && undisturbed
                && in_scope(c.target.block)
                && offset.vars().into_iter().all(in_scope)
                && !self.moved.contains_key(&c.block)
            {
                let start = starts.entry(c.target.block).or_insert(usize::MAX);
                *start = c.from.min(*start);
                self.moved.insert(c.block, Moved::To(c.target.block, offset));
            }
        }
    }

    /// The arrays that a statement stores as a whole, and where.
    fn destinations(&self, s: &Stm) -> Vec<(Var, MemBind)> {
        let [p] = s.pat.as_slice() else { return Vec::new() };
        let Some(place) = p.mem.as_ref() else { return Vec::new() };
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

//! Blocks that loops of a point carry become slots of one block.
//!
//! ```text
//! m0 = alloc 8·n                             b = alloc 16·n   s0 = 0   s1 = n
//! x0 @ m0 = …                                x0 @ b -> {s0; (n, 1)} = …
//! loop (m = m0, x @ m = x0) … {              loop (m = s0, x @ b -> {m; (n, 1)} = x0, t = s1) … {
//!   m' = alloc 8·n                      →
//!   x' @ m' = … x …                            x' @ b -> {t; (n, 1)} = … x …
//!   in (m', x') }                              in (t, x', m) }
//! ```
//!
//! A loop that makes an array in each round of the one before carries its block, and lanes cannot: blocks of a point are
//! interleaved with those of its neighbours, and so are allocated before. What is carried instead is where in one block the array
//! begins, which is the same for all points. A slot that a round no longer needs is the next round's, so that there
//! are as many slots as blocks at a time; several arrays may change places.
//!
//! Blocks that are handed on to one another (a *group*) must be of one size that is known before the points, and of one element
//! type, and each must be handed on only once, by the list of statements that binds it, and not be used behind that. The first block of a loop
//! that is not so, as another array that the loop begins with, is copied.
//!
//! Cost: linear in the body, times the nesting depth of loops.

use super::groups::{CopyFirst, Facts, Found, Groups, Way, is_block};
use crate::ir::traverse::{Rewrite, Visit, for_each_block_mut, rewrite};
use crate::ir::varmap::VarSet;
use crate::ir::{
    Builder, Defs, Exp, KernelBody, MemBind, MemSpace, Param, PatElem, Poly, Stm, SubExp, Type, Var,
};

/// A body none of whose loops carries a block, and the blocks that have slots.
pub(super) fn in_slots(
    body: &KernelBody,
    defs: &Defs,
    b: &mut Builder,
) -> Option<(KernelBody, VarSet)> {
    let mut body = body.clone();
    if !carries_blocks(&body) {
        return Some((body, VarSet::default()));
    }
    let facts = Facts::of(&body);
    let mut copies = CopyFirst { facts, defs, b };
    copies.list(&mut body.stms, &VarSet::default())?;
    let mut found = Found::default();
    found.list(&body.stms, &[])?;
    let facts = Facts::of(&body);
    let groups = found.groups(&facts, defs)?;
    let mut slots = Slots { groups, b };
    let (left, _) = slots.list(&mut body.stms, &[], Vec::new())?;
    if !left.is_empty() {
        return None;
    }
    slots.kernel_body(&mut body);
    let blocks = slots.groups.all.iter().map(|g| g.block).collect();
    Some((body, blocks))
}

fn carries_blocks(body: &KernelBody) -> bool {
    struct Carries(bool);
    impl Visit for Carries {
        fn param(&mut self, p: &Param) {
            self.0 |= is_block(&p.ty);
        }
    }
    let mut carries = Carries(false);
    carries.kernel_body(body);
    carries.0
}

struct Slots<'b> {
    groups: Groups,
    b: &'b mut Builder,
}

impl Slots<'_> {
    fn group(&self, v: Var) -> Option<usize> {
        self.groups.of.get(&v).copied()
    }

    /// Makes slots of the blocks of a list, in which some are in use when it begins: the slots that it needs besides, and those in
    /// use when it ends.
    fn list(
        &mut self,
        stms: &mut Vec<Stm>,
        way: &[usize],
        mut live: Vec<Var>,
    ) -> Option<(Vec<Var>, Vec<Var>)> {
        let (mut needed, mut free) = (Vec::new(), Vec::new());
        let mut out = Vec::with_capacity(stms.len());
        for (k, mut s) in std::mem::take(stms).into_iter().enumerate() {
            let inner = |j: usize| -> Way { way.iter().copied().chain([k, j]).collect() };
            if let (Exp::Alloc { .. }, [p]) = (&s.exp, s.pat.as_slice())
                && let Some(g) = self.group(p.var)
            {
                let slot = p.var;
                match self.taken(&mut free, &mut live, g) {
                    Some(v) => {
                        let exp = Exp::SubExp(v.into());
                        out.push(Stm::new(vec![PatElem::new(slot, Type::I64)], exp));
                    }
                    None => needed.push(slot),
                }
                live.push(slot);
                continue;
            }
            if let Exp::Loop { params, init, body, .. } = &mut s.exp {
                let mut begins = Vec::new();
                for ((p, first), left) in params.iter_mut().zip(&*init).zip(&mut s.pat) {
                    if self.group(p.var).is_some() && is_block(&p.ty) {
                        (p.ty, left.ty) = (Type::I64, Type::I64);
                        begins.push(p.var);
                        live.retain(|v| SubExp::Var(*v) != *first);
                        live.push(left.var);
                    }
                }
                let (needs, mut ends) = self.list(&mut body.stms, &inner(0), begins)?;
                ends.retain(|v| !body.result.contains(&SubExp::Var(*v)));
                // What a loop leaves is free behind it, and not when it begins.
                let mut lefts = Vec::new();
                for slot in needs {
                    let g = self.group(slot)?;
                    let next = self.taken(&mut ends, &mut Vec::new(), g)?;
                    let first = match self.taken(&mut free, &mut live, g) {
                        Some(v) => v,
                        None => {
                            let v = self.like(slot, g);
                            needed.push(v);
                            v
                        }
                    };
                    let left = self.like(slot, g);
                    params.push(Param { var: slot, ty: Type::I64, unique: false, mem: None });
                    init.push(first.into());
                    body.result.push(next.into());
                    s.pat.push(PatElem::new(left, Type::I64));
                    live.push(left);
                    lefts.push(left);
                }
                free.extend(lefts);
            } else {
                let (mut j, mut possible) = (0, Some(()));
                for_each_block_mut(&mut s.exp, &mut |b| {
                    let none_needed = self.list(b, &inner(j), Vec::new());
                    possible = possible.and(none_needed.filter(|(n, _)| n.is_empty()).map(|_| ()));
                    j += 1;
                });
                possible?;
            }
            out.push(s);
        }
        *stms = self.allocated(&mut needed, way);
        stms.extend(out);
        Some((needed, live))
    }

    fn like(&mut self, slot: Var, group: usize) -> Var {
        let v = self.b.names.like(slot);
        self.groups.of.insert(v, group);
        v
    }

    /// A slot of a group that is free, which is so no more.
    fn taken(&self, free: &mut Vec<Var>, live: &mut Vec<Var>, group: usize) -> Option<Var> {
        let at = free.iter().position(|v| self.group(*v) == Some(group))?;
        let v = free.remove(at);
        live.retain(|w| *w != v);
        Some(v)
    }

    /// The blocks of the groups that a list is the root of, and the slots in them that it needs.
    fn allocated(&mut self, needed: &mut Vec<Var>, way: &[usize]) -> Vec<Stm> {
        self.b.begin();
        for g in 0..self.groups.all.len() {
            let of = &self.groups.of;
            let Some(group) = self.groups.all.get_mut(g).filter(|g| g.root == way) else {
                continue;
            };
            let (mine, others) = needed.iter().partition(|v| of.get(v) == Some(&g));
            *needed = others;
            let mine: Vec<Var> = mine;
            let Ok(many) = i64::try_from(mine.len()) else { continue };
            group.block = self.b.names.fresh("slots_mem");
            let (bytes, space) = (group.bytes.mul(&Poly::constant(many)), MemSpace::Host);
            let pat = vec![PatElem::new(group.block, Type::Mem(space))];
            self.b.bind(pat, Exp::Alloc { bytes: bytes.to_size(), space });
            for (at, slot) in (0..many).zip(mine) {
                let first = group.elements.mul(&Poly::constant(at)).to_size();
                let first = self.b.size64(&first);
                self.b.bind(vec![PatElem::new(slot, Type::I64)], Exp::SubExp(first));
            }
        }
        self.b.end()
    }
}

impl Rewrite for Slots<'_> {
    fn mem_bind(&mut self, m: &mut MemBind) {
        let group = self.group(m.block).and_then(|g| self.groups.all.get(g));
        if let Some(group) = group {
            m.lmad = m.lmad.shifted(&Poly::var(m.block));
            m.block = group.block;
        }
        rewrite::mem_bind(self, m);
    }
}

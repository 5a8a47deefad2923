//! Blocks that the loops of a point hand on to one another.

use super::super::blocks::Blocks;
use crate::ir::traverse::{Visit, for_each_block, for_each_block_mut};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    Builder, Defs, Exp, KernelBody, Lmad, MemBind, MemSpace, Param, PatElem, Poly, Prim, Size64,
    Stm, SubExp, Type, Var,
};

pub(super) fn is_block(ty: &Type) -> bool {
    matches!(ty, Type::Mem(_))
}

/// What a body does with blocks.
pub(super) struct Facts {
    blocks: Blocks,
    operands: VarMap<usize>,
    /// The element types of the arrays in a block.
    elems: VarMap<Vec<Prim>>,
}

impl Facts {
    pub(super) fn of(body: &KernelBody) -> Facts {
        let mut blocks = Blocks::default();
        blocks.kernel_body(body);
        let (operands, elems) = (VarMap::default(), VarMap::default());
        let mut facts = Facts { blocks, operands, elems };
        facts.kernel_body(body);
        facts
    }

    fn lies(&mut self, ty: &Type, mem: Option<&MemBind>) {
        if let (Some(elem), Some(mem)) = (ty.elem(), mem) {
            let elems = self.elems.entry(mem.block).or_default();
            if !elems.contains(&elem) {
                elems.push(elem);
            }
        }
    }

    fn handed_on(&self, v: Var) -> usize {
        self.operands.get(&v).copied().unwrap_or(0)
    }
}

impl Visit for Facts {
    fn subexp(&mut self, x: &SubExp) {
        if let SubExp::Var(v) = x {
            *self.operands.entry(*v).or_default() += 1;
        }
    }

    fn pat_elem(&mut self, p: &PatElem) {
        self.lies(&p.ty, p.mem.as_ref());
    }

    fn param(&mut self, p: &Param) {
        self.lies(&p.ty, p.mem.as_ref());
    }
}

/// Copies what loops begin with where they cannot have its block.
pub(super) struct CopyFirst<'a> {
    pub(super) facts: Facts,
    pub(super) defs: &'a Defs,
    pub(super) b: &'a mut Builder,
}

impl CopyFirst<'_> {
    pub(super) fn list(&mut self, stms: &mut Vec<Stm>, params: &VarSet) -> Option<()> {
        let mut bound = params.clone();
        let mut at = 0;
        while at < stms.len() {
            let copies = self.copies(stms, at, &bound)?;
            let many = copies.len();
            stms.splice(at..at, copies);
            at += many;
            let s = stms.get_mut(at)?;
            let mut possible = Some(());
            let mut inner = VarSet::default();
            if let Exp::Loop { params, .. } = &s.exp {
                inner.extend(params.iter().filter(|p| is_block(&p.ty)).map(|p| p.var));
            }
            for_each_block_mut(&mut s.exp, &mut |b| possible = possible.and(self.list(b, &inner)));
            possible?;
            bound.extend(s.pat.iter().filter(|p| is_block(&p.ty)).map(|p| p.var));
            at += 1;
        }
        Some(())
    }

    /// The copies before the statement at some place of a list, which begins with them.
    fn copies(&mut self, stms: &mut [Stm], at: usize, bound: &VarSet) -> Option<Vec<Stm>> {
        let (s, after) = stms.get_mut(at..)?.split_first_mut()?;
        let Exp::Loop { params, init, body, .. } = &mut s.exp else { return Some(Vec::new()) };
        let mut out = Vec::new();
        for k in 0..params.len() {
            let p = params.get(k).filter(|p| is_block(&p.ty));
            let (Some(p), Some(SubExp::Var(first))) = (p, init.get(k).copied()) else { continue };
            let used = |s: &Stm| self.facts.blocks.used_in(s).contains(&first);
            let own = bound.contains(&first) && self.facts.handed_on(first) == 1;
            if own && !body.stms.iter().any(used) && !after.iter().any(used) {
                continue;
            }
            let in_it = |q: &Param| q.mem.as_ref().is_some_and(|m| m.block == p.var);
            let mut arrays = params.iter().enumerate().filter(|(_, q)| in_it(q));
            let (Some((array, q)), None) = (arrays.next(), arrays.next()) else { return None };
            let (lmad, elem) = (&q.mem.as_ref()?.lmad, q.ty.elem()?);
            let fixed = |x: &SubExp| !params.iter().any(|p| *x == p.var.into());
            if !lmad.is_row_major(self.defs) || !lmad.leaves().iter().all(fixed) {
                return None;
            }
            let block = self.b.names.like(first);
            let source = init.get(array)?.var()?;
            let (bytes, space) = (Size64::bytes(elem, q.ty.shape()), MemSpace::Host);
            let alloc = Exp::Alloc { bytes, space };
            out.push(Stm::new(vec![PatElem::new(block, Type::Mem(space))], alloc));
            let mem = MemBind { block, lmad: Lmad::row_major(q.ty.shape()) };
            let copy = PatElem::in_mem(self.b.names.like(source), q.ty.clone(), mem);
            *init.get_mut(k)? = block.into();
            *init.get_mut(array)? = copy.var.into();
            out.push(Stm { loc: s.loc, ..Stm::new(vec![copy], Exp::Copy(source)) });
        }
        Some(out)
    }
}

/// Which list of statements something stands in: the way to it from the body.
pub(super) type Way = Vec<usize>;

/// The blocks of a body.
#[derive(Default)]
pub(super) struct Found {
    /// Which list binds each, in the order of the text.
    bound: Vec<(Var, Way)>,
    bytes: VarMap<Poly>,
    /// Those that are handed on to one another.
    ties: Vec<(Var, Var)>,
}

impl Found {
    pub(super) fn list(&mut self, stms: &[Stm], way: &[usize]) -> Option<()> {
        for (k, s) in stms.iter().enumerate() {
            for p in s.pat.iter().filter(|p| is_block(&p.ty)) {
                self.bound.push((p.var, way.to_vec()));
            }
            match (&s.exp, s.pat.as_slice()) {
                (Exp::Alloc { bytes, space: MemSpace::Host }, [p]) => {
                    self.bytes.insert(p.var, Poly::of(bytes));
                }
                (Exp::Loop { params, init, body, .. }, pat) => {
                    let inner: Way = way.iter().copied().chain([k, 0]).collect();
                    let carried = params.iter().zip(init).zip(&body.result).zip(pat);
                    for (((p, first), last), left) in
                        carried.filter(|(((p, ..), _), _)| is_block(&p.ty))
                    {
                        self.bound.push((p.var, inner.clone()));
                        let handed = [first.var()?, last.var()?, left.var];
                        self.ties.extend(handed.map(|v| (p.var, v)));
                    }
                }
                (_, pat) if pat.iter().any(|p| is_block(&p.ty)) => return None,
                _ => {}
            }
            let (mut j, mut possible) = (0, Some(()));
            for_each_block(&s.exp, &mut |b| {
                let inner: Way = way.iter().copied().chain([k, j]).collect();
                possible = possible.and_then(|()| self.list(b, &inner));
                j += 1;
            });
            possible?;
            // What a round hands on it binds itself.
            if let Exp::Loop { params, body, .. } = &s.exp {
                let inner: Way = way.iter().copied().chain([k, 0]).collect();
                for (p, last) in params.iter().zip(&body.result) {
                    let own = |v| self.bound.iter().any(|(w, at)| *w == v && *at == inner);
                    if is_block(&p.ty) && !last.var().is_some_and(own) {
                        return None;
                    }
                }
            }
        }
        Some(())
    }

    /// The groups, if all of their blocks can be slots.
    pub(super) fn groups(&self, facts: &Facts, defs: &Defs) -> Option<Groups> {
        let mut groups = Groups::default();
        let mut alike: Vec<VarSet> = Vec::new();
        for (a, b) in &self.ties {
            let mut tied: VarSet = [*a, *b].into_iter().collect();
            alike.retain(|g| {
                let other = !g.contains(a) && !g.contains(b);
                if !other {
                    tied.extend(g.iter().copied());
                }
                other
            });
            alike.push(tied);
        }
        for members in alike {
            let mut root: Option<Way> = None;
            let mut elem: Option<Prim> = None;
            let mut size: Option<Poly> = None;
            let mut first = None;
            for (v, way) in self.bound.iter().filter(|(v, _)| members.contains(v)) {
                first = first.or(Some(*v));
                if facts.handed_on(*v) > 1 {
                    return None;
                }
                root = Some(match root {
                    None => way.clone(),
                    Some(r) => {
                        // Each step is a statement and one of its lists.
                        let steps = r.chunks(2).zip(way.chunks(2));
                        let common = steps.take_while(|(a, b)| a == b).count();
                        way.iter().take(2 * common).copied().collect()
                    }
                });
                for e in facts.elems.get(v).into_iter().flatten() {
                    if elem.replace(*e).is_some_and(|other| other != *e) {
                        return None;
                    }
                }
                if let Some(bytes) = self.bytes.get(v) {
                    if size.as_ref().is_some_and(|other| !defs.equal(other, bytes)) {
                        return None;
                    }
                    size = size.or(Some(bytes.clone()));
                }
            }
            let (root, bytes, first) = (root?, size?, first?);
            // Blocks without arrays have no room.
            let elements = bytes.div_exact(elem?.bytes())?;
            let at = groups.all.len();
            groups.of.extend(members.iter().map(|v| (*v, at)));
            groups.all.push(Group { root, bytes, elements, block: first });
        }
        Some(groups)
    }
}

/// Blocks that are slots of one.
pub(super) struct Group {
    /// The innermost list that all stand in.
    pub(super) root: Way,
    /// Of a slot.
    pub(super) bytes: Poly,
    pub(super) elements: Poly,
    /// The block that has the slots.
    pub(super) block: Var,
}

#[derive(Default)]
pub(super) struct Groups {
    pub(super) all: Vec<Group>,
    /// Of each block, and of each variable that is a slot.
    pub(super) of: VarMap<usize>,
}

//! Which block each array lies in, and what happens to blocks.

use crate::ir::traverse::{Binders, Visit, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    Exp, Fun, KernelBody, MemSpace, Param, PatElem, Program, SegSpace, Size64, Stm, SubExp, Type,
    Var,
};

/// Facts about the blocks of a program at level mem.
#[derive(Default)]
pub(super) struct Blocks {
    /// The block of each array.
    of: VarMap<Var>,
    /// Every variable that stands for a block.
    blocks: VarSet,
    /// Those bound by an allocation. Two of them are never the same block.
    pub(super) allocated: VarSet,
    /// Those used as operands: passed on, so that other variables may stand for the same block.
    pub(super) escaped: VarSet,
    /// Parameters of functions, and those that are consumed.
    params: VarSet,
    consumed: VarSet,
    /// The variables that stand for blocks, in the order of the text.
    order: VarMap<usize>,
}

impl Blocks {
    pub(super) fn of_program(prog: &Program) -> Blocks {
        let mut b = Blocks::default();
        b.body(&prog.consts);
        for p in &prog.globals {
            b.pat_elem(p);
        }
        for f in &prog.funs {
            b.fun(f);
        }
        b
    }

    pub(super) fn is_block(&self, v: Var) -> bool {
        self.blocks.contains(&v)
    }

    /// The block that a mention of `v` uses: its own if it is an array, itself if it is a block.
    pub(super) fn used_by(&self, v: Var) -> Option<Var> {
        match self.of.get(&v) {
            Some(b) => Some(*b),
            None => self.is_block(v).then_some(v),
        }
    }

    /// The blocks that a statement mentions, in itself or below, bound there or not.
    pub(super) fn used_in(&self, s: &Stm) -> VarSet {
        let mut u = Used { blocks: self, used: VarSet::default() };
        u.stm(s);
        u.used
    }

    /// Whether `fresh` is allocated while `other`, which is in scope there, stands for a block
    /// already: then they are not the same one.
    fn allocated_after(&self, fresh: Var, other: Var) -> bool {
        self.allocated.contains(&fresh)
            && match (self.order.get(&other), self.order.get(&fresh)) {
                (Some(other), Some(fresh)) => other < fresh,
                _ => false,
            }
    }

    /// Certainly not the same block? Both are in scope at one place.
    pub(super) fn distinct(&self, a: Var, b: Var) -> bool {
        let private = |v| self.allocated.contains(&v) && !self.escaped.contains(&v);
        // What a caller gives up it passes once.
        let given = |v, w| self.consumed.contains(&v) && self.params.contains(&w);
        a != b
            && (private(a)
                || private(b)
                || given(a, b)
                || given(b, a)
                || self.allocated.contains(&a) && self.allocated.contains(&b)
                || self.allocated_after(a, b)
                || self.allocated_after(b, a))
    }

    fn learn(&mut self, v: Var, ty: &Type, block: Option<Var>) {
        if let Some(b) = block {
            self.of.insert(v, b);
        }
        if matches!(ty, Type::Mem(_)) {
            self.blocks.insert(v);
            let next = self.order.len();
            self.order.entry(v).or_insert(next);
        }
    }
}

impl Visit for Blocks {
    fn param(&mut self, p: &Param) {
        self.learn(p.var, &p.ty, p.mem.as_ref().map(|m| m.block));
    }

    fn pat_elem(&mut self, p: &PatElem) {
        self.learn(p.var, &p.ty, p.mem.as_ref().map(|m| m.block));
    }

    fn subexp(&mut self, x: &SubExp) {
        if let SubExp::Var(v) = x
            && self.blocks.contains(v)
        {
            self.escaped.insert(*v);
        }
    }

    fn fun(&mut self, f: &Fun) {
        for p in &f.params {
            self.params.insert(p.var);
            if p.unique {
                self.consumed.insert(p.var);
            }
        }
        walk::fun(self, f);
    }

    fn stm(&mut self, s: &Stm) {
        if let (Exp::Alloc { .. }, [p]) = (&s.exp, s.pat.as_slice()) {
            self.allocated.insert(p.var);
        }
        walk::stm(self, s);
    }
}

struct Used<'b> {
    blocks: &'b Blocks,
    used: VarSet,
}

impl Visit for Used<'_> {
    fn var(&mut self, v: &Var) {
        self.used.extend(self.blocks.used_by(*v));
    }

    fn bind(&mut self, v: &Var) {
        self.used.extend(self.blocks.used_by(*v));
    }
}

/// The blocks that the points of an operation allocate, anywhere in its body, if their sizes are known before it and
/// nothing else binds blocks there.
pub(super) fn own_blocks(
    space: &SegSpace,
    body: &KernelBody,
) -> Option<Vec<(Var, Size64, MemSpace)>> {
    struct Inside {
        allocs: Vec<(Var, Size64, MemSpace)>,
        /// A block is bound by something else than an allocation.
        carried: bool,
    }
    impl Visit for Inside {
        fn stm(&mut self, s: &Stm) {
            match (&s.exp, s.pat.as_slice()) {
                (Exp::Alloc { bytes, space }, [p]) => {
                    self.allocs.push((p.var, bytes.clone(), *space));
                }
                _ => {
                    self.carried |= s.pat.iter().any(|p| matches!(p.ty, Type::Mem(_)));
                    walk::stm(self, s);
                }
            }
        }

        fn param(&mut self, p: &Param) {
            self.carried |= matches!(p.ty, Type::Mem(_));
        }
    }
    let mut binders = Binders::default();
    binders.kernel_body(body);
    binders.0.extend(space.dims.iter().map(|d| d.0));
    let mut inside = Inside { allocs: Vec::new(), carried: false };
    inside.kernel_body(body);
    let invariant = inside.allocs.iter().all(|(_, bytes, _)| {
        bytes.leaves().iter().all(|x| x.var().is_none_or(|v| !binders.0.contains(&v)))
    });
    (!inside.carried && invariant).then_some(inside.allocs)
}

//! Double buffering: loops that make an array in each round of the one before exchange two blocks.
//!
//! ```text
//! m0 = alloc n; x0 @ m0 = …                 m0 = alloc n; x0 @ m0 = …   s0 = alloc n
//! loop (m = m0, x @ m = x0) … {             loop (m = m0, x @ m = x0, s = s0) … {
//!   m' = alloc n                       →
//!   x' @ m' = … x …                           x' @ s = … x …
//!   in (m', x') }                             in (s, x', m) }
//! ```
//!
//! A block of known size that is allocated in each round, and handed on in place of the one that the round was given, could
//! as well be the one that the round before was given: nothing is there any more that anybody reads. Allocating and
//! releasing takes as long as a row of some hundred elements.
//!
//! The first block must be the loop's own, of the same size, and what a round is given must not be known under another name.
//! At level `mem`, on the host, before allocations are moved out of loops. Cost: linear times the nesting depth of loops.

use super::blocks::Blocks;
use crate::ir::traverse::{Binders, Rewrite, Subst, Visit, for_each_block_mut};
use crate::ir::varmap::VarMap;
use crate::ir::{
    Body, Exp, Level, MemSpace, NameSource, Param, PatElem, Poly, Program, Size64, Stm, SubExp,
    Type, Var,
};

/// Exchanges blocks in loops.
pub fn double_buffer(mut prog: Program) -> Program {
    if prog.level != Level::Mem {
        return prog;
    }
    let blocks = Blocks::of_program(&prog);
    let mut uses = Operands::default();
    uses.body(&prog.consts);
    prog.funs.iter().for_each(|f| uses.fun(f));
    let names = NameSource::new(prog.next_tag);
    let mut d = DoubleBuffer { blocks, uses, names, sizes: VarMap::default() };
    d.list(&mut prog.consts.stms);
    for f in &mut prog.funs {
        d.list(&mut f.body.stms);
    }
    prog.next_tag = d.names.next_tag();
    prog
}

struct DoubleBuffer {
    blocks: Blocks,
    /// In the whole program.
    uses: Operands,
    names: NameSource,
    /// The sizes of blocks that have been allocated.
    sizes: VarMap<Poly>,
}

/// A block that a loop carries, and that each round allocates anew.
struct Carried {
    /// Its place among the parameters.
    at: usize,
    fresh: Var,
    bytes: Size64,
}

impl DoubleBuffer {
    fn list(&mut self, stms: &mut Vec<Stm>) {
        let mut at = 0;
        while let Some(s) = stms.get_mut(at) {
            if !matches!(&s.exp, Exp::Seg(op) if op.level.is_kernel()) {
                for_each_block_mut(&mut s.exp, &mut |b| self.list(b));
            }
            if let (Exp::Alloc { bytes, .. }, [p]) = (&s.exp, s.pat.as_slice()) {
                self.sizes.insert(p.var, Poly::of(bytes));
            }
            for carried in self.carried(stms, at) {
                let spare = self.names.like(carried.fresh);
                if let Some(s) = stms.get_mut(at) {
                    self.exchange(s, &carried, spare);
                }
                let pat = vec![PatElem::new(spare, Type::Mem(MemSpace::Host))];
                let exp = Exp::Alloc { bytes: carried.bytes, space: MemSpace::Host };
                stms.insert(at, Stm::new(pat, exp));
                at += 1;
            }
            at += 1;
        }
    }

    /// The blocks that the loop at some place of a list can exchange.
    fn carried(&self, stms: &[Stm], at: usize) -> Vec<Carried> {
        let Some((s, after)) = stms.get(at..).and_then(<[Stm]>::split_first) else {
            return Vec::new();
        };
        let Exp::Loop { params, init, body, .. } = &s.exp else { return Vec::new() };
        let mut bound = Binders::default();
        bound.exp(&s.exp);
        let mut uses = Operands::default();
        uses.stms(&body.stms);
        let mut out = Vec::new();
        for (k, ((p, first), last)) in params.iter().zip(init).zip(&body.result).enumerate() {
            let (SubExp::Var(first), SubExp::Var(fresh)) = (first, last) else { continue };
            if p.ty != Type::Mem(MemSpace::Host) {
                continue;
            }
            let allocated = body.stms.iter().find_map(|s| match (&s.exp, s.pat.as_slice()) {
                (Exp::Alloc { bytes, space: MemSpace::Host }, [p]) if p.var == *fresh => {
                    Some(bytes)
                }
                _ => None,
            });
            let Some(bytes) = allocated else { continue };
            let invariant = |x: &SubExp| x.var().is_none_or(|v| !bound.0.contains(&v));
            let handed_on = |v: Var| {
                let results = body.result.iter().filter(|x| **x == SubExp::Var(v)).count();
                results + uses.count(v)
            };
            // Neither is known under another name, in the loop or behind it.
            let own = handed_on(*fresh) == 1 && handed_on(p.var) == 0;
            let alone = self.uses.count(*first) == 1
                && after.iter().all(|s| !self.blocks.used_in(s).contains(first))
                && !body.stms.iter().any(|s| self.blocks.used_in(s).contains(first));
            let as_large = self.sizes.get(first) == Some(&Poly::of(bytes));
            let here = stms
                .get(..at)
                .is_some_and(|before| before.iter().any(|s| s.pat.iter().any(|p| p.var == *first)));
            if own && alone && as_large && here && bytes.leaves().iter().all(invariant) {
                out.push(Carried { at: k, fresh: *fresh, bytes: bytes.clone() });
            }
        }
        out
    }

    /// Lets a loop fill the `spare` block, and hand on the one that it was given as the next.
    fn exchange(&mut self, s: &mut Stm, carried: &Carried, spare: Var) {
        let Exp::Loop { params, init, body, .. } = &mut s.exp else { return };
        let Some(given) = params.get(carried.at).map(|p| p.var) else { return };
        let other = self.names.like(spare);
        let Body { stms, result } = body;
        stms.retain(|s| !s.pat.iter().any(|p| p.var == carried.fresh));
        let mut subst: Subst = [(carried.fresh, SubExp::from(other))].into_iter().collect();
        subst.stms(stms);
        if let Some(x) = result.get_mut(carried.at) {
            *x = other.into();
        }
        result.push(given.into());
        params.push(Param { var: other, ty: Type::Mem(MemSpace::Host), unique: false, mem: None });
        init.push(spare.into());
        s.pat.push(PatElem::new(self.names.like(spare), Type::Mem(MemSpace::Host)));
    }
}

/// How often variables are operands, but for the places of arrays.
#[derive(Default)]
struct Operands(VarMap<usize>);

impl Operands {
    fn count(&self, v: Var) -> usize {
        self.0.get(&v).copied().unwrap_or(0)
    }
}

impl Visit for Operands {
    fn subexp(&mut self, x: &SubExp) {
        if let SubExp::Var(v) = x {
            *self.0.entry(*v).or_default() += 1;
        }
    }
}

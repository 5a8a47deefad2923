//! Blocks that each round of a loop hands on as it was given them are no parameters of it.
//!
//! ```text
//! loop (m = m0, x @ m = x0) … {             loop (x @ m0 = x0) … {
//!   y @ m = … x …                    ⟶        y @ m0 = … x …
//!   in (m, y) }                               in y }
//! ```
//!
//! A loop is given the block of each array that it carries, as the next one may lie in another block. Where
//! [`overwrite`](super::overwrite) has put it over the one before, it does not. What lies in a block that is known may be
//! built where it is copied to ([`short_circuit`](super::short_circuit)): the row that a loop inside of a map makes, in the map's result.
//!
//! At level `mem`. Cost: linear.

use crate::ir::traverse::{Rewrite, Subst, rewrite};
use crate::ir::varmap::VarMap;
use crate::ir::{Exp, Level, Program, Stm, Type, Var};

/// Takes blocks that stay the same from what loops carry.
pub fn loop_blocks(mut prog: Program) -> Program {
    if prog.level != Level::Mem {
        return prog;
    }
    let mut l = LoopBlocks::default();
    l.body(&mut prog.consts);
    prog.funs.iter_mut().for_each(|f| l.fun(f));
    if l.same.is_empty() {
        return prog;
    }
    let mut subst: Subst = l.same.keys().map(|v| (*v, l.last(*v))).collect();
    subst.body(&mut prog.consts);
    prog.funs.iter_mut().for_each(|f| subst.fun(f));
    prog
}

#[derive(Default)]
struct LoopBlocks {
    /// What block parameters and results of loops are.
    same: VarMap<Var>,
}

impl LoopBlocks {
    fn last(&self, mut v: Var) -> Var {
        while let Some(w) = self.same.get(&v) {
            v = *w;
        }
        v
    }
}

impl Rewrite for LoopBlocks {
    fn stm(&mut self, s: &mut Stm) {
        // What loops inside yield is known first.
        rewrite::stm(self, s);
        let Exp::Loop { params, init, body, .. } = &mut s.exp else { return };
        let mut kept = Vec::with_capacity(params.len());
        for (k, p) in params.iter().enumerate() {
            let next = body.result.get(k).and_then(|x| x.var()).map(|v| self.last(v));
            let first = init.get(k).and_then(|x| x.var());
            let same = matches!(p.ty, Type::Mem(_)) && next == Some(p.var);
            if let (true, Some(first), Some(result)) = (same, first, s.pat.get(k)) {
                self.same.extend([(p.var, first), (result.var, first)]);
            }
            kept.push(!same || first.is_none());
        }
        keep(params, &kept);
        keep(init, &kept);
        keep(&mut body.result, &kept);
        keep(&mut s.pat, &kept);
    }
}

fn keep<T>(all: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    all.retain(|_| kept.next().copied().unwrap_or(true));
}

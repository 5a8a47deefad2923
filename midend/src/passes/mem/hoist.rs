//! Moves allocations out of loops.
//!
//! ```text
//! loop … do { m = alloc n; … }          m = alloc n; loop … do { … }
//! ```
//!
//! An allocation of invariant size in the body of a loop or sequential segmented operation goes
//! before it, unless the block is passed on to anything that may keep it for another iteration.
//! Every iteration then fills the same block. Allocations in the branches of a `match` stay: they
//! may never be executed. Cost: linear times the nesting depth of loops.

use super::blocks::{Binders, Blocks};
use crate::ir::traverse::{Visit, for_each_block_mut};
use crate::ir::varmap::VarSet;
use crate::ir::{Exp, Program, Stm, SubExp};

/// Hoists through as many loops as possible.
pub fn hoist(mut prog: Program) -> Program {
    let escaped = Blocks::of_program(&prog).escaped;
    list(&mut prog.consts.stms, &escaped);
    for f in &mut prog.funs {
        list(&mut f.body.stms, &escaped);
    }
    prog
}

fn list(stms: &mut Vec<Stm>, escaped: &VarSet) {
    let mut out = Vec::with_capacity(stms.len());
    for mut s in std::mem::take(stms) {
        for_each_block_mut(&mut s.exp, &mut |b| list(b, escaped));
        match &s.exp {
            Exp::Loop { .. } | Exp::Seg(_) => {
                let mut bound = Binders::default();
                bound.exp(&s.exp);
                for_each_block_mut(&mut s.exp, &mut |b| {
                    lift(b, &bound.0, escaped, &mut out);
                });
            }
            // Anything else has no bodies, or not repeated ones.
            _ => {}
        }
        out.push(s);
    }
    *stms = out;
}

/// Moves what can leave `stms`, which is repeated, to the end of `out`.
fn lift(stms: &mut Vec<Stm>, bound: &VarSet, escaped: &VarSet, out: &mut Vec<Stm>) {
    let free = |s: &Stm| match (&s.exp, s.pat.as_slice()) {
        (Exp::Alloc { bytes, .. }, [p]) => {
            !escaped.contains(&p.var)
                && !s.certs.iter().any(|c| bound.contains(c))
                && !bytes.leaves().iter().any(|x| match x {
                    SubExp::Var(v) => bound.contains(v),
                    SubExp::Const(_) => false,
                })
        }
        _ => false,
    };
    if stms.iter().any(free) {
        let (hoisted, rest): (Vec<Stm>, Vec<Stm>) =
            std::mem::take(stms).into_iter().partition(|s| free(s));
        out.extend(hoisted);
        *stms = rest;
    }
}

//! Moves allocations out of loops.
//!
//! ```text
//! loop … do { m = alloc n; … }          m = alloc n; loop … do { … }
//! ```
//!
//! An allocation of invariant size in the body of a loop or sequential segmented operation goes
//! before it, unless the block is passed on to anything that may keep it for another iteration.
//! Every iteration then fills the same block. Allocations in the branches of a `match` stay: they
//! may never be executed. Those of kernels go to the start of the kernel's body: out of it moves
//! `expand` what does not belong to a thread. What is hoisted out of a loop that never runs may have
//! a negative size, of which no block is made.
//!
//! What leaves a list of statements is there for longer, so that it is the last time to let
//! arrays that are needed in turn share a block: see `colour`.
//!
//! Cost: linear times the nesting depth of loops.

use super::colour::Colours;
use super::promote_to_stack::is_kernel;
use crate::ir::traverse::{Binders, Visit, for_each_block_mut};
use crate::ir::varmap::VarSet;
use crate::ir::{Exp, Program, SegLevel, Stm, SubExp};

/// Hoists through as many loops as possible.
pub fn hoist(mut prog: Program) -> Program {
    let mut colours = Colours::of_program(&prog);
    list(&mut prog.consts.stms, &mut colours, false);
    for f in &mut prog.funs {
        list(&mut f.body.stms, &mut colours, false);
    }
    colours.apply(&mut prog);
    prog
}

/// A list of statements; in a kernel, all that it allocates leaves it.
fn list(stms: &mut Vec<Stm>, colours: &mut Colours, kernel: bool) {
    let mut out = Vec::with_capacity(stms.len());
    for mut s in std::mem::take(stms) {
        let launch = is_kernel(&s.exp);
        for_each_block_mut(&mut s.exp, &mut |b| list(b, colours, kernel || launch));
        match &s.exp {
            // Blocks of tasks are their own.
            Exp::Seg(op) if op.level == SegLevel::Tasks => {}
            Exp::Loop { .. } | Exp::Seg(_) if !launch => {
                let mut bound = Binders::default();
                bound.exp(&s.exp);
                for_each_block_mut(&mut s.exp, &mut |b| {
                    lift(b, &bound.0, colours, &mut out);
                });
            }
            // Anything else has no bodies, or not repeated ones.
            _ if kernel || launch => {
                for_each_block_mut(&mut s.exp, &mut |b| colours.share(b, |_, _| true));
            }
            _ => {}
        }
        out.push(s);
    }
    *stms = out;
}

/// Moves what can leave `stms`, which is repeated, to the end of `out`.
fn lift(stms: &mut Vec<Stm>, bound: &VarSet, colours: &mut Colours, out: &mut Vec<Stm>) {
    let leaves = |s: &Stm, colours: &Colours| match (&s.exp, s.pat.as_slice()) {
        (Exp::Alloc { bytes, .. }, [p]) => {
            !colours.escapes(p.var)
                && !s.certs.iter().any(|c| bound.contains(c))
                && !bytes.leaves().iter().any(|x| match x {
                    SubExp::Var(v) => bound.contains(v),
                    SubExp::Const(_) => false,
                })
        }
        _ => false,
    };
    if stms.iter().any(|s| leaves(s, colours)) {
        colours.share(stms, leaves);
        let (hoisted, rest): (Vec<Stm>, Vec<Stm>) =
            std::mem::take(stms).into_iter().partition(|s| leaves(s, colours));
        out.extend(hoisted);
        *stms = rest;
    }
}

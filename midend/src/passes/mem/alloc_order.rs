//! Where in a list of statements allocations stand.
//!
//! A value can be built where it goes only if that block is there when it is made, and allocations
//! stand where the array is that they were made for. So before such passes they are *raised*, with
//! the sums and products that are their sizes, as far as what those are made of allows, and
//! afterwards *sunk* to the first statement that needs them, so that no block lives longer than it
//! must:
//!
//! ```text
//! a @ m = segmap …                 c = alloc 4·(n+k)                c = alloc 4·(n+k)
//! c = alloc 4·(n+k)         ⟶      a @ m = segmap …          ⟶      a @ c → 0 + (n,1) = segmap …
//! … @ c = concat(a, b)             … @ c = concat(a, b)             … @ c = concat(a, b)
//! ```
//!
//! Cost: linear times the nesting depth.

use super::blocks::Blocks;
use crate::ir::traverse::{Rewrite, free_in_exp, rewrite};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{BinOp, Exp, IntType, Program, Stm, Var};

/// Puts every allocation, and every sum and product, directly after the last statement of its list
/// that it depends on.
pub(super) fn raise(prog: &mut Program) {
    over(prog, &mut Raise);
}

/// Puts every allocation directly before the first statement of its list that mentions the block.
pub(super) fn sink(prog: &mut Program) {
    let blocks = Blocks::of_program(prog);
    over(prog, &mut Sink { blocks });
}

fn over(prog: &mut Program, r: &mut impl Rewrite) {
    r.body(&mut prog.consts);
    for f in &mut prog.funs {
        r.fun(f);
    }
}

struct Raise;

impl Rewrite for Raise {
    fn stms(&mut self, stms: &mut Vec<Stm>) {
        rewrite::stms(self, stms);
        if !stms.iter().any(|s| matches!(s.exp, Exp::Alloc { .. })) {
            return;
        }
        // Where each variable is bound: after how many statements that stay.
        let mut bound: VarMap<usize> = VarMap::default();
        let mut keyed: Vec<(usize, bool, Stm)> = Vec::with_capacity(stms.len());
        for (at, s) in std::mem::take(stms).into_iter().enumerate() {
            let moves = is_raised(&s);
            let key = if moves {
                let free = free_in_exp(&s.exp).into_iter().chain(s.certs.iter().copied());
                free.filter_map(|v| bound.get(&v).copied()).max().unwrap_or(0)
            } else {
                at + 1
            };
            bound.extend(s.pat.iter().map(|p| (p.var, key)));
            keyed.push((key, moves, s));
        }
        // Stable, so that what is raised to one place keeps its order.
        keyed.sort_by_key(|(key, moves, _)| (*key, *moves));
        stms.extend(keyed.into_iter().map(|(_, _, s)| s));
    }
}

/// Allocations, and what sizes are made of.
fn is_raised(s: &Stm) -> bool {
    matches!(
        s.exp,
        Exp::Alloc { .. }
            | Exp::BinOp(
                BinOp::Add(IntType::I64) | BinOp::Sub(IntType::I64) | BinOp::Mul(IntType::I64),
                ..,
            )
    )
}

struct Sink {
    blocks: Blocks,
}

impl Rewrite for Sink {
    fn stms(&mut self, stms: &mut Vec<Stm>) {
        rewrite::stms(self, stms);
        let of = |s: &Stm| match (&s.exp, s.pat.as_slice()) {
            (Exp::Alloc { .. }, [p]) => Some(p.var),
            _ => None,
        };
        if !stms.iter().any(|s| of(s).is_some()) {
            return;
        }
        let mut out: Vec<Stm> = Vec::with_capacity(stms.len());
        let mut waiting: Vec<(Var, Stm)> = Vec::new();
        for s in std::mem::take(stms) {
            if let Some(block) = of(&s) {
                waiting.push((block, s));
                continue;
            }
            if !waiting.is_empty() {
                let used: VarSet = self.blocks.used_in(&s);
                let (now, later): (Vec<_>, Vec<_>) =
                    waiting.into_iter().partition(|(block, _)| used.contains(block));
                out.extend(now.into_iter().map(|(_, s)| s));
                waiting = later;
            }
            out.push(s);
        }
        out.extend(waiting.into_iter().map(|(_, s)| s));
        *stms = out;
    }
}

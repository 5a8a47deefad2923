//! Moving the arrays of one block into another.

use crate::ir::traverse::Rewrite;
use crate::ir::varmap::VarMap;
use crate::ir::{Exp, Lmad, MemBind, Poly, Stm, Var};
use std::collections::HashMap;

/// Where the contents of a block now are.
pub(super) enum Moved {
    /// In one piece, from this element of that block, which may have moved too.
    To(Var, Poly),
    /// In another layout: this block, and for every LMAD what it has become.
    Onto(Var, HashMap<Lmad, Lmad>),
    /// One of `count` shares that are interleaved element by element.
    Share {
        /// Which one.
        index: Poly,
        /// Of how many.
        count: Poly,
    },
}

/// Rewrites every place in a moved block.
pub(super) struct Rebase {
    pub(super) moved: VarMap<Moved>,
}

impl Rewrite for Rebase {
    fn mem_bind(&mut self, m: &mut MemBind) {
        while let Some(to) = self.moved.get(&m.block) {
            match to {
                Moved::To(block, offset) => {
                    m.lmad = m.lmad.shifted(offset);
                    m.block = *block;
                }
                Moved::Onto(block, lmads) => {
                    if let Some(lmad) = lmads.get(&m.lmad) {
                        m.lmad = lmad.clone();
                    }
                    m.block = *block;
                }
                Moved::Share { index, count } => {
                    m.lmad = m.lmad.interleaved(index, count);
                    break;
                }
            }
        }
    }

    fn stms(&mut self, s: &mut Vec<Stm>) {
        // The allocation of what lies elsewhere now is dead.
        s.retain(|s| match (&s.exp, s.pat.as_slice()) {
            (Exp::Alloc { .. }, [p]) => {
                !matches!(self.moved.get(&p.var), Some(Moved::To(..) | Moved::Onto(..)))
            }
            _ => true,
        });
        crate::ir::traverse::rewrite::stms(self, s);
    }
}

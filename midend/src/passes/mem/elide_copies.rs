//! Copy elision: removes copies whose source is built where they go.
//!
//! ```text
//! ys @ res → i·m + (m,1) = segmap …     ys @ res → i·m + (m,1) = segmap …
//! r @ res → i·m + (m,1) = copy ys       (ys wherever r was)
//! ```
//!
//! Building arrays in their destinations leaves such copies behind. Copies whose type is written in
//! another way than that of the source stay; they are no code either. Cost: linear.

use super::section::Sections;
use crate::ir::traverse::{Rewrite, Subst, rewrite};
use crate::ir::{Exp, Program, Stm};

/// Removes the copies that are none.
pub fn elide_copies(mut prog: Program) -> Program {
    let sections = Sections::of_program(&prog);
    let mut s = Settle { sections: &sections, subst: Subst::new() };
    s.body(&mut prog.consts);
    for f in &mut prog.funs {
        s.fun(f);
    }
    let mut subst = s.subst;
    if !subst.is_empty() {
        subst.body(&mut prog.consts);
        for f in &mut prog.funs {
            subst.fun(f);
        }
    }
    prog
}

struct Settle<'s> {
    sections: &'s Sections,
    subst: Subst,
}

impl Rewrite for Settle<'_> {
    fn stms(&mut self, stms: &mut Vec<Stm>) {
        stms.retain(|s| {
            let (Exp::Copy(v), [p]) = (&s.exp, s.pat.as_slice()) else { return true };
            let Some((ty, from)) = self.sections.place(*v) else { return true };
            let Some(to) = &p.mem else { return true };
            let there = from.block == to.block
                && *ty == p.ty
                && from.lmad.same_place(&to.lmad, &self.sections.defs);
            if there {
                // Copies of copies: sources are met before.
                let source = self.subst.lookup((*v).into());
                self.subst.insert(p.var, source);
            }
            !there
        });
        rewrite::stms(self, stms);
    }
}

//! Views that stand between combinators go to where they do not keep them apart.
//!
//! Fusion looks for combinators that consume what others produce. A `reshape` or a `rearrange` in between hides that.
//! So
//!
//! * maps and reductions over a flattened array become nests over the array itself ([`expansion`]: in MLIR's words, fusion
//!   by expansion);
//! * transposed nests become nests over transposed inputs ([`transpositions`]), where that ends transpositions also maps
//!   that are nests but for what is computed of a whole row before ([`mod@split`]).
//!
//! What is left are views of inputs, of which no copy is made, and of results.
//!
//! Works at level `soacs`, before fusion. Cost: linear in the program, but for chains of transposed nests.

use crate::ir::traverse::{Rewrite, rewrite};
use crate::ir::{Exp, Level, Mentions, NameSource, Program, Stm};

mod expansion;
mod maps;
mod split;
mod transpositions;

/// Moves reshapes and transpositions away from between combinators.
pub fn propagate_views(mut prog: Program) -> Program {
    if prog.level == Level::Soacs {
        let mut expand = Expand { names: NameSource::new(prog.next_tag) };
        all(&mut expand, &mut prog);
        let mut transpose =
            Transpose { mentions: Mentions::of_program(&prog), names: expand.names };
        all(&mut transpose, &mut prog);
        prog.next_tag = transpose.names.next_tag();
    }
    prog
}

fn all(r: &mut impl Rewrite, prog: &mut Program) {
    r.body(&mut prog.consts);
    for f in &mut prog.funs {
        r.body(&mut f.body);
    }
}

struct Expand {
    names: NameSource,
}

impl Rewrite for Expand {
    fn stms(&mut self, stms: &mut Vec<Stm>) {
        expansion::expand(stms, &mut self.names);
        rewrite::stms(self, stms);
    }
}

struct Transpose {
    mentions: Mentions,
    names: NameSource,
}

impl Rewrite for Transpose {
    fn stms(&mut self, stms: &mut Vec<Stm>) {
        // What nobody reads any more would keep combinators apart, too.
        let read = |s: &Stm| self.mentions.total(s.pat.iter().map(|p| p.var)) > 0;
        stms.retain(|s| !matches!(s.exp, Exp::Reshape { .. }) || read(s));
        transpositions::to_inputs(stms, &self.mentions, &mut self.names);
        rewrite::stms(self, stms);
    }
}

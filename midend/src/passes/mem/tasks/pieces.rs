//! Arrays that a loop is given and replaces piece by piece, as a table of which each round makes a row or an element.
//!
//! ```text
//! let ys = replicate [n][m] x
//! loop (table = ys) for i < n do … update table[i, 0 :+ m] with row …
//! ```
//!
//! One thread runs the rounds, or several share each row. Either way, if several have filled the array, its lines are in other
//! cores' caches than those that write to them next, and come late from there: the loop takes up to twice as long for a table of
//! 1 MB and 16 threads.

use crate::ir::traverse::{Visit, walk};
use crate::ir::varmap::VarSet;
use crate::ir::{Body, DimIndex, Exp, Program, Stm, SubExp};

/// What loops of a program are given and replace piece by piece.
pub(super) fn replaced_in_pieces(program: &Program) -> VarSet {
    struct Given(VarSet);
    impl Visit for Given {
        fn stm(&mut self, s: &Stm) {
            if let Exp::Loop { params, init, body, .. } = &s.exp {
                let pieces = blocks_of_pieces(body);
                let given = params.iter().zip(init).filter_map(|(p, x)| match (x, &p.mem) {
                    (SubExp::Var(x), Some(mem)) if pieces.contains(&mem.block) => Some(*x),
                    _ => None,
                });
                self.0.extend(given);
            }
            walk::stm(self, s);
        }
    }
    let mut given = Given(VarSet::default());
    given.body(&program.consts);
    program.funs.iter().for_each(|f| given.fun(f));
    given.0
}

/// The blocks in which a body updates a place, by itself or in loops of its own.
fn blocks_of_pieces(body: &Body) -> VarSet {
    struct Pieces(VarSet);
    impl Visit for Pieces {
        fn stm(&mut self, s: &Stm) {
            if let Exp::Update { dims, .. } = &s.exp
                && dims.iter().any(|d| matches!(d, DimIndex::Fix(_)))
            {
                self.0.extend(s.pat.iter().filter_map(|p| p.mem.as_ref()).map(|m| m.block));
            }
            // The points of an operation may be any thread's.
            if !matches!(s.exp, Exp::Seg(_)) {
                walk::stm(self, s);
            }
        }
    }
    let mut pieces = Pieces(VarSet::default());
    pieces.body(body);
    pieces.0
}

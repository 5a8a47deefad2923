//! Long programs in units that are compiled by themselves, so that of an edited program only the
//! units that the edit reaches need be compiled again.
//!
//! A unit is a program: some of the entry points, and all that they reach. What two units reach is in
//! both of them, and has to be little; where it is much, their entry points are in one unit. Nothing
//! that a pass finds out about one unit is told to another, so the code of a unit depends on nothing
//! but the unit, whose text can be the key by which its code is kept.
//!
//! That holds only if nothing in a unit depends on the rest of the program:
//!
//! * Variables are numbered anew, function by function, in the order of their old numbers.
//! * Positions are numbers into a list beside the unit, since a line more at the head of a file would
//!   change all of them. The program fills them in after compilation.
//! * Functions stand in the order in which the unit's entry points reach them.
//! * Which entry points share a unit is decided by what they share, and, for small ones, by their names
//!   and their neighbours; never by sums over all that stands before.
//!
//! Refused (as one unit): programs without entry points; those of which the constants write to the
//! outside or check what must be checked whether it is used or not, as such a constant must be
//! evaluated exactly once; and short programs, which gain nothing. Constants that are costly to compute
//! or to store put all who reach them into one unit, for the same reason; the others are computed by
//! each unit for itself. The cost is that of a walk of the program for each entry point.

mod canonical;
mod graph;
mod groups;
mod parts;
mod slice;
mod unit;

pub use canonical::{MARK, Places};
pub use parts::{PART, parts};
pub use unit::Unit;

use crate::ir::Program;
use graph::Graph;

/// Programs of at least this many statements are worth splitting.
pub const LONG: usize = 2500;

/// The units of a program at level soacs: at least one, and one if it has fewer than `long` statements or
/// there is nothing to be gained.
///
/// The program as it is if the text of a message could be taken for a position.
pub fn units(program: Program, long: usize) -> Result<Vec<Unit>, Box<Program>> {
    if canonical::says_mark(&program) {
        return Err(Box::new(program));
    }
    let graph = Graph::of(&program);
    let parts = match graph.weight() >= long && !graph.has_effects {
        true => groups::groups(&program, &graph),
        false => Vec::new(),
    };
    let programs = match parts.len() {
        0 | 1 => vec![program],
        _ => parts.iter().map(|entries| slice::slice(&program, &graph, entries)).collect(),
    };
    let unit = |mut program: Program| {
        let places = canonical::canonical(&mut program);
        let first = program.funs.iter().find(|f| f.entry.is_some());
        Unit {
            name: first.map_or_else(String::new, |f| f.name.to_string()),
            program,
            places,
            is_part: false,
        }
    };
    Ok(programs.into_iter().map(unit).collect())
}

#[cfg(test)]
mod tests;

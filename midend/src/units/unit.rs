//! What is compiled by itself.

use super::canonical::Places;
use crate::analysis::bodies::size;
use crate::ir::Program;

/// A program that is compiled by itself.
#[derive(Clone, PartialEq, Debug)]
pub struct Unit {
    /// What no other unit of the program is called: the name of the function of its first entry point.
    pub name: String,
    /// Of level soacs, in canonical form.
    pub program: Program,
    /// What the positions in it stand for.
    pub places: Places,
    /// It is a part of a large unit, and behind the passes that look into callees (see [`super::parts()`]).
    pub is_part: bool,
}

impl Unit {
    /// How many statements it has.
    pub fn weight(&self) -> usize {
        self.program.funs.iter().map(|f| size(&f.body.stms)).sum()
    }
}

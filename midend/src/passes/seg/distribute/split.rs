//! The state of the pass.

use crate::analysis::alias::Aliases;
use crate::ir::varmap::VarSet;
use crate::ir::{NameSource, Var};

/// The pass over a program.
pub struct Split {
    pub aliases: Aliases,
    pub names: NameSource,
    /// What the pass has made.
    pub made: VarSet,
}

impl Split {
    /// Whether an array is consumed somewhere. What the pass itself makes is only ever read.
    pub fn consumed(&mut self, array: Var) -> bool {
        !self.made.contains(&array) && self.aliases.consumed(array)
    }
}

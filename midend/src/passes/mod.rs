//! The passes: pure functions from program to program, one concern a file.

pub mod alias;
pub mod bounds;
pub mod copy_elim;
pub mod cse;
pub mod dead_code;
pub mod divide;
pub mod fuse;
pub mod hoist_invariant;
pub mod inline;
mod known;
pub mod last;
pub mod mem;
pub mod pieces;
pub mod seg;
pub mod simplify;
#[cfg(test)]
#[allow(clippy::panic, reason = "tests")]
mod testing;
pub mod unroll;

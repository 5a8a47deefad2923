//! The passes: pure functions from program to program, one concern a file.

pub mod mem;
pub mod seg;

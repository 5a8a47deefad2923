//! Interpreters of the Core IR: what a program means, whatever a target does with it.

pub mod mem;

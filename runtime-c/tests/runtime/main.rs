//! The C runtime's tests: units in C, and executables made from a hand-written program.
#![allow(clippy::expect_used, reason = "a test may panic")]

mod executables;
mod hostile;
mod one_file;
mod support;
mod units;

//! Running the test blocks of programs.

pub mod case;
pub mod input;
pub mod process;
pub mod report;

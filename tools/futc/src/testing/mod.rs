//! Running the test blocks of programs.

pub mod build;
pub mod case;
pub mod node;
pub mod process;
pub mod report;

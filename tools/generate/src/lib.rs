//! Random programs, well-typed by construction, and the check that every pass keeps what they mean.
//!
//! - [`make`]: a program of the source language from a seed, with arguments for its entry point;
//! - [`oracle`]: what the program means is what the interpreter makes of its Core before any
//!   optimisation; every pass, alone and in its pipeline, must agree with that;
//! - [`shrink`]: a smaller program that still shows a difference;
//! - [`stats`]: how much of the language and of the optimiser the programs reach;
//! - [`vary`]: inputs for programs that somebody wrote, likely and unlikely ones.
//!
//! Nothing here needs LLVM. Compiled code is compared by `cargo xtask random --target=seq`, which
//! writes generated programs to files with test blocks.

pub mod make;
pub mod oracle;
pub mod random;
pub mod shrink;
pub mod stats;
pub mod tree;
pub mod types;
pub mod values;
pub mod vary;

pub use make::generate;
pub use tree::Program;

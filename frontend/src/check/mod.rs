//! Modules, types and terms: from syntax trees to the typed program.
//!
//! The layers, the lowest first; `cargo xtask tidy` refuses imports and calls that go up
//! (`tools/xtask/src/tidy/layers.rs`).
//!
//! | layer | what it holds |
//! | --- | --- |
//! | [`types`] | types and environments |
//! | `print`, `verify` | typed programs as text, and whether they are well-formed |
//! | [`infer`] | unknown types and sizes, equations, names in scope |
//! | `mismatch` | reporting equations that fail |
//! | `rules` | what sizes, cases and recursion obey besides |
//! | `exps` | inference for expressions |
//! | `finish` | what is still open at the end of a definition |
//! | `unique` | uniqueness and aliasing, of a finished definition |
//! | `automap` | maps and reps inserted where ranks differ |
//! | `definition` | definitions: all of the above, in order |
//! | [`modules`] | declarations and modules |

mod automap;
mod definition;
mod exps;
mod finish;
pub mod infer;
mod mismatch;
pub mod modules;
pub mod print;
mod rules;
pub mod types;
mod unique;
pub mod verify;

//! The front end: from source text to the typed program of [`futc_typed`].
//!
//! Nothing here knows the mid-end, MLIR or the file system.

pub mod check;
pub mod db;
pub mod diag;
pub mod explain;
pub mod fmt;
pub mod index;
pub mod lines;
pub mod lint;
pub mod reach;
pub mod syntax;
pub mod world;

//! The mid-end: from the typed program to memory-annotated Core IR.
//!
//! Nothing here knows syntax nodes, queries, MLIR or the file system. Passes are pure functions
//! from program to program; [`ir`] is what they work on.

pub mod analysis;
pub mod explain;
pub mod forcing;
pub mod internalise;
pub mod interp;
pub mod ir;
pub mod machine;
pub mod passes;
pub mod pipelines;
pub mod remarks;
pub mod units;

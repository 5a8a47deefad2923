//! The passes: pure functions from program to program, one concern a file.

pub mod bounds;
pub mod chunk;
pub mod copy_elim;
pub mod cse;
pub mod dead_code;
pub mod divide_by_invariant;
pub mod fuse;
pub mod hoist_copies;
pub mod hoist_invariant;
pub mod index_set_splitting;
pub mod inline;
pub mod interchange_maps;
pub mod interchange_reduce;
pub mod loops;
pub mod mem;
pub mod propagate_views;
pub mod reduce_filtered;
pub mod scalar_replacement;
pub mod scan_to_reduce;
pub mod schedule;
pub mod seg;
pub mod simplify;
pub mod sink_reads;
pub mod sink_rows;
mod strips;
#[cfg(test)]
#[allow(clippy::panic, reason = "tests")]
mod testing;

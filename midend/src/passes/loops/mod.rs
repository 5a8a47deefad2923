//! Loops of the source, before nests are looked for: functions that call themselves last become some, those of known length go
//! apart.

mod split;
mod tail_recursion;
mod unroll;

pub use split::split_loops;
pub use tail_recursion::tail_recursion;
pub use unroll::unroll;
pub(in crate::passes) use unroll::{rounds, size};

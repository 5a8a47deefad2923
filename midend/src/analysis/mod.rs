//! What passes and code generation ask about programs. Nothing here changes any.

pub mod alias;
pub mod bodies;
pub(crate) mod callers;
pub mod compaction;
pub mod contraction;
pub mod copies;
pub mod decisions;
pub(crate) mod filters;
pub mod lanes;
pub mod places;
pub(crate) mod size_facts;
pub(crate) mod sums;

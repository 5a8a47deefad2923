//! One file a subcommand.

pub mod check;
pub mod data;
pub mod dataset;
pub mod source;
pub mod test;

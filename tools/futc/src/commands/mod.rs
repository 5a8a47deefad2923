//! One file a subcommand.

pub mod bench;
pub mod benchcmp;
pub mod check;
pub mod compile;
pub mod data;
pub mod dataset;
pub mod doctor;
pub mod explain;
pub mod fmt;
pub mod install;
pub mod processor;
pub mod query;
pub mod run;
pub mod show;
pub mod source;
mod structured;
pub mod test;
pub mod watch;

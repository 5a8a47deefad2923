//! Measuring programs (guide, `futhark-bench`).

pub mod measure;
pub mod results;
pub mod statistics;

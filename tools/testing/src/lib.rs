//! Values, test blocks, data sets and their comparison: what `futc test`, `dataset`, `datacmp`
//! and `dataget` are made of. Nothing here knows the compiler.

pub mod block;
pub mod compare;
pub mod dataset;
pub mod ending;
pub mod files;
pub mod input;
pub mod pages;
pub mod programs;
pub mod property;
pub mod script;
pub mod server;
pub mod value;

//! Reporting equations that fail: what the two types differ in, what the expression is for that has the wrong
//! one, and where the expectation comes from.
//!
//! It imports inference, and is used by what makes equations of expressions.

pub(crate) mod difference;
mod errors;
pub(crate) mod expect;
pub(crate) mod role;
pub(crate) mod sizes;

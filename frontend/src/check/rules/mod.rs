//! Rules that a definition obeys besides that its types agree: of sizes ([`sizes`], [`causality`]), of cases
//! that cover everything, and of recursion.
//!
//! It imports inference and the reporting of mismatches, and knows nothing of how expressions are inferred.

pub(crate) mod causality;
pub(crate) mod coverage;
mod errors;
pub(crate) mod recursion;
pub(crate) mod sizes;

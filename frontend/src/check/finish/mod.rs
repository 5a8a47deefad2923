//! What is still open at the end of a definition: unknowns that are left, literals, choices; then types with
//! everything put in, and sizes bound where they come into being.
//!
//! It imports inference, the rules, and the patterns of expressions.

pub(crate) mod choices;
pub(crate) mod definition;
pub(crate) mod errors;
pub(crate) mod literal;
mod scope;

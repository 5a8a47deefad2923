//! Types and environments: what names mean (`env`), the state of elaborating a declaration ([`elab`]), and
//! what is done with types of which all is known: substitution, matching, reading type expressions.
//!
//! The lowest layer of the checker: nothing here infers anything. It imports the syntax tree and diagnostics.

pub mod alike;
pub(crate) mod arrow;
pub(crate) mod attribute;
pub mod edit;
pub mod elab;
pub mod env;
pub(crate) mod errors;
pub(crate) mod lookup;
pub mod matching;
pub mod note;
pub(crate) mod own_name;
pub(crate) mod sizes;
pub mod subst;
pub mod typeexp;

//! Modules, types and terms: from syntax trees to the typed program.
//!
//! | file | what it does |
//! | --- | --- |
//! | [`env`] | what names mean, and the state of elaborating one file |
//! | [`subst`] | substitution in types and sizes |
//! | [`typeexp`] | type expressions to types |

pub mod env;
pub mod subst;
pub mod typeexp;

//! Modules, types and terms: from syntax trees to the typed program.
//!
//! | file | what it does |
//! | --- | --- |
//! | [`env`] | what names mean, and the state of elaborating one file |

pub mod env;

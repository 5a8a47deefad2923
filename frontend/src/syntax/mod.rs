//! Source text, tokens and the syntax tree.

pub mod ast;
mod errors;
pub mod lexer;
mod literal;
pub mod parser;
mod print;

pub use print::{print_ast, print_tokens};

/// So many errors are reported for one file; the rest would only repeat them.
pub(crate) const MAX_ERRORS: usize = 100;

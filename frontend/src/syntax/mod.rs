//! Source text, tokens and the syntax tree.

pub mod ast;

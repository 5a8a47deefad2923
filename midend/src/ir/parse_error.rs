//! What is wrong with a text that is no IR.

use thiserror::Error;

/// Why the text is no IR.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{line}:{column}: {message}")]
pub struct ParseError {
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

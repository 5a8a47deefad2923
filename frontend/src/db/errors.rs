//! What is wrong with files, and with imports of them.

use crate::diag::{Code, Diagnostic};
use futc_typed::span::Span;
use std::sync::Arc;

/// What is wrong with a file.
pub(super) enum FileError {
    /// The file itself cannot be read.
    Unreadable { path: Arc<str>, why: String },
    /// A file that is imported cannot be read.
    ImportUnreadable { path: Arc<str>, why: String },
    /// A file that is imported imports this one.
    ImportCycle { path: Arc<str> },
}

impl FileError {
    /// The diagnostic, of what is at `span`.
    pub(super) fn at(self, span: Span) -> Diagnostic {
        let (code, message) = match self {
            FileError::Unreadable { path, why } => {
                (Code::FileNotFound, format!("{path} cannot be read: {why}"))
            }
            FileError::ImportUnreadable { path, why } => {
                (Code::FileNotFound, format!("the file {path} cannot be read: {why}"))
            }
            FileError::ImportCycle { path } => {
                (Code::ImportCycle, format!("the import of {path} leads back to this file"))
            }
        };
        Diagnostic::error(code, span, message)
    }
}

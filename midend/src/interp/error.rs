//! How runs fail.

use crate::ir::Loc;
use std::fmt;

/// Why a run ended without a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunError {
    /// What happened, without position.
    pub message: String,
    /// Where; may hold further lines of the backtrace.
    pub loc: Option<Loc>,
}

impl RunError {
    pub(super) fn new(message: impl Into<String>) -> RunError {
        RunError { message: message.into(), loc: None }
    }

    /// What only a wrong program or a wrong pass can cause.
    pub(super) fn bug(message: impl Into<String>) -> RunError {
        RunError::new(format!("compiler bug: {}", message.into()))
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error: {}", self.message)?;
        if let Some(loc) = self.loc {
            write!(f, "\n\nBacktrace:\n-> #0  {loc}\n")?;
        }
        Ok(())
    }
}

impl std::error::Error for RunError {}

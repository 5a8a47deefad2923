//! Why a property does not pass.

use crate::server::ServerError;

/// Why a property does not pass.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Trouble {
    /// It does not hold, or it cannot be tested.
    #[error("{0}")]
    Failed(String),
    /// The program is gone.
    #[error("{0}")]
    Crashed(String),
}

impl From<ServerError> for Trouble {
    fn from(e: ServerError) -> Trouble {
        match e {
            ServerError::Failure(_) => Trouble::Failed(e.to_string()),
            ServerError::Gone(_) => Trouble::Crashed(e.to_string()),
        }
    }
}

pub(super) fn failed<T>(why: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Failed(why.into()))
}

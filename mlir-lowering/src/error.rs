//! What can go wrong below the Core IR. None of it is the user's fault but for linking.

use std::fmt;

/// Why no code came out.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input breaks the contract of level mem, or this crate does not honour it.
    #[error("compiler bug: {0}")]
    Bug(String),
    /// Something that is allowed and not supported.
    #[error("limitation: {0}")]
    Limitation(String),
    /// The system's linker refused.
    #[error("linking failed: {0}")]
    Link(String),
    /// A file could not be read or written.
    #[error("{0}: {1}")]
    Io(String, std::io::Error),
    /// From MLIR.
    #[error("compiler bug: MLIR says: {0}")]
    Mlir(#[from] melior::Error),
}

impl Error {
    /// A broken contract.
    pub fn bug(message: impl fmt::Display) -> Error {
        Error::Bug(message.to_string())
    }

    /// An unsupported thing.
    pub fn limitation(message: impl fmt::Display) -> Error {
        Error::Limitation(message.to_string())
    }
}

//! Why there is no Core program.

/// Why there is no Core program.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// Something we cannot compile yet.
    #[error("limitation at {loc}: {what}")]
    Limitation {
        /// Where.
        loc: String,
        /// What.
        what: String,
    },
    /// Something that must not happen.
    #[error("compiler bug at {loc}: {what}")]
    Bug {
        /// Where.
        loc: String,
        /// What.
        what: String,
    },
}

/// What internalisation yields, or why it cannot.
pub(super) type R<T> = Result<T, Error>;

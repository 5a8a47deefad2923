//! The inputs of the queries, and what they need of a database.

use crate::syntax::parser::{ChunkKey, ChunkedFile};
use futc_typed::span::FileId;
use std::sync::Arc;

#[allow(missing_docs, reason = "salsa makes functions without documentation")]
mod source_file {
    use futc_typed::span::FileId;
    use std::sync::Arc;

    /// A source file.
    #[salsa::input]
    pub struct SourceFile {
        /// Its canonical path.
        #[returns(clone)]
        pub path: Arc<str>,
        /// Its number.
        #[returns(copy)]
        pub id: FileId,
        /// Its text, or why it cannot be read.
        #[returns(ref)]
        pub text: Result<Arc<str>, String>,
    }
}
pub use source_file::SourceFile;

/// What queries need beside salsa: files by path.
#[salsa::db]
pub trait Db: salsa::Database {
    /// The file at a canonical path, read when first asked for.
    fn source(&self, path: &str) -> SourceFile;

    /// The number of a chunk: the same whenever it is asked for.
    fn chunk(&self, key: ChunkKey) -> FileId;

    /// The file that a number stands for or that the chunk is of.
    fn file_of(&self, id: FileId) -> Option<SourceFile>;

    /// The text of a file that was parsed last, and what that gave: of which what an edit leaves is
    /// taken over. It must decide nothing but how long parsing takes.
    fn last_parse(&self, file: FileId) -> Option<(Arc<str>, Arc<ChunkedFile>)>;

    /// Sets what [`Db::last_parse`] returns.
    fn keep_parse(&self, file: FileId, text: Arc<str>, parsed: Arc<ChunkedFile>);
}

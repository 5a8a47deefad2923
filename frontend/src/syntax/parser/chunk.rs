//! Chunks: what spans are relative to, so that an edit moves nothing but what it is in.
//!
//! Each declaration is a chunk of its own, also inside of modules, with a number that does not
//! depend on where it stands: [`ChunkKey`] is what it stands in, kind and name, and how many like
//! it came before. A declaration therefore keeps its spans when the text before it changes, and
//! its syntax tree is then equal to the one before. What stands between the declarations of a
//! file, such as what is skipped after an error, belongs to the file itself.

use crate::diag::Diagnostic;
use crate::syntax::ast::Dec;
use futc_typed::name::Name;
use futc_typed::span::{FileId, Span};
use std::collections::HashMap;
use std::sync::Arc;

/// What tells one chunk from another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ChunkKey {
    /// The file, or the chunk it is inside of.
    pub parent: FileId,
    /// What kind of declaration it is.
    pub kind: ChunkKind,
    /// Its name; of one without, the word behind its keyword.
    pub name: Name,
    /// How many of the same kind and name there are before it in the parent.
    pub occurrence: u32,
}

/// The kind of declaration a chunk is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ChunkKind {
    /// `def`, `let` and `entry`.
    Value,
    /// `type`
    Type,
    /// `module type`
    ModType,
    /// `module`
    Module,
    /// `open`
    Open,
    /// `import`
    Import,
    /// Something with a syntax error at its very beginning.
    Unknown,
}

/// A chunk, and where it is at the moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chunk {
    /// Its number, by which spans name it.
    pub id: FileId,
    /// Its first byte in the file: that of the declaration's first attribute or keyword.
    pub start: u32,
    /// One past its last.
    pub end: u32,
}

/// A declaration of a file that is not inside another, and where it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsedDec {
    /// Where it is.
    pub chunk: Chunk,
    /// Its tree, without the documentation comment before it.
    pub tree: Arc<Dec>,
    /// That comment.
    pub doc: Option<Arc<str>>,
    /// The text of the chunk.
    pub text: Arc<str>,
    /// Where in it the chunks inside of it begin.
    pub inner: Arc<[(FileId, u32)]>,
}

/// A stretch of a file that begins with a chunk of the file itself and ends where the next does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Segment {
    pub(super) key: ChunkKey,
    pub(super) chunk: Chunk,
    /// The declaration, if it was one.
    pub(super) dec: Option<ParsedDec>,
    /// The chunks inside of it.
    pub(super) inner: Vec<Chunk>,
    /// The syntax errors found from its beginning up to that of the next.
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// A file as `parse_chunks` returns it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChunkedFile {
    /// The documentation comment at its head.
    pub doc: Option<String>,
    pub(super) segments: Vec<Segment>,
    /// What is no token.
    pub(super) lexical: Vec<Diagnostic>,
}

impl ChunkedFile {
    /// The declarations in order; not those inside of modules.
    pub fn decs(&self) -> impl Iterator<Item = &ParsedDec> {
        self.segments.iter().filter_map(|segment| segment.dec.as_ref())
    }

    /// The chunks inside of these, and those of which nothing but errors came, by their beginnings.
    pub fn inner(&self) -> Vec<Chunk> {
        let mut out = Vec::new();
        for segment in &self.segments {
            if segment.dec.is_none() {
                out.push(segment.chunk);
            }
            out.extend(&segment.inner);
        }
        out
    }

    /// Syntax errors, in order.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut out = self.lexical.clone();
        out.extend(self.segments.iter().flat_map(|segment| &segment.diagnostics).cloned());
        if out.len() > 1 {
            let chunks = self.segments.iter().map(|segment| segment.chunk).chain(self.inner());
            let starts: HashMap<FileId, u32> =
                chunks.map(|chunk| (chunk.id, chunk.start)).collect();
            out.sort_by_key(|d| {
                let start = |span: &Span| starts.get(&span.file).copied().unwrap_or(0);
                d.labels.first().map(|(span, _)| start(span) + span.start)
            });
        }
        out
    }
}

/// How many chunks there are of each parent, kind and name.
pub(super) type Seen = HashMap<(FileId, ChunkKind, Name), u32>;

/// The chunks of a file on their way.
pub(crate) struct Chunks<'a> {
    pub(super) number: &'a mut dyn FnMut(ChunkKey) -> FileId,
    pub(super) seen: Seen,
    /// The chunk that was left last, and its key.
    pub(super) last: Option<(ChunkKey, Chunk)>,
    /// Those inside of the chunk of the file itself that is being parsed.
    pub(super) inner: Vec<Chunk>,
}

impl<'a> Chunks<'a> {
    pub(super) fn new(number: &'a mut dyn FnMut(ChunkKey) -> FileId, seen: Seen) -> Chunks<'a> {
        Chunks { number, seen, last: None, inner: Vec::new() }
    }
}

/// What is around a chunk, and the key of that.
pub(super) struct Outer {
    pub(super) file: FileId,
    pub(super) base: u32,
    pub(super) key: Option<ChunkKey>,
}

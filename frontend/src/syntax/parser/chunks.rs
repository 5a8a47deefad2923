//! Chunks: what spans are relative to, so that an edit moves nothing but what it is in.
//!
//! Each declaration is a chunk of its own, also inside of modules, with a number that does not
//! depend on where it stands: [`ChunkKey`] is what it stands in, kind and name, and how many like
//! it came before. A declaration therefore keeps its spans when the text before it changes, and
//! its syntax tree is then equal to the one before. What stands between the declarations of a
//! file, such as what is skipped after an error, belongs to the file itself.

use super::Parser;
use crate::diag::Diagnostic;
use crate::syntax::ast::Dec;
use crate::syntax::lexer::TokenKind;
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
pub(super) struct Segment {
    pub(super) key: ChunkKey,
    pub(super) chunk: Chunk,
    /// The declaration, if it was one.
    pub(super) dec: Option<ParsedDec>,
    /// The chunks inside of it.
    pub(super) inner: Vec<Chunk>,
    /// The syntax errors found from its beginning up to that of the next.
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// A file as [`parse_chunks`] returns it.
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

/// Parses a file with spans relative to chunks, which `number` gives their numbers: always the
/// same to the same key.
pub fn parse_chunks(
    file: FileId,
    text: &str,
    number: &mut dyn FnMut(ChunkKey) -> FileId,
) -> ChunkedFile {
    let mut parser = Parser::new(file, text);
    parser.chunks = Some(Chunks::new(number, HashMap::new()));
    let doc = parser.file_doc();
    // To the end there is nothing in the way.
    let segments = parser.segments(None).unwrap_or_default();
    ChunkedFile { doc, segments, lexical: parser.lexical() }
}

/// How many chunks there are of each parent, kind and name.
pub(super) type Seen = HashMap<(FileId, ChunkKind, Name), u32>;

/// The chunks of a file on their way.
pub(super) struct Chunks<'a> {
    number: &'a mut dyn FnMut(ChunkKey) -> FileId,
    seen: Seen,
    /// The chunk that was left last, and its key.
    last: Option<(ChunkKey, Chunk)>,
    /// Those inside of the chunk of the file itself that is being parsed.
    inner: Vec<Chunk>,
}

impl<'a> Chunks<'a> {
    pub(super) fn new(number: &'a mut dyn FnMut(ChunkKey) -> FileId, seen: Seen) -> Chunks<'a> {
        Chunks { number, seen, last: None, inner: Vec::new() }
    }
}

/// What is around a chunk, and the key of that.
pub(super) struct Outer {
    file: FileId,
    base: u32,
    key: Option<ChunkKey>,
}

impl Parser<'_> {
    /// What is no token, of the text that was given.
    pub(super) fn lexical(&self) -> Vec<Diagnostic> {
        self.diagnostics.get(..self.lexical).unwrap_or(&[]).to_vec()
    }

    /// Parses segments up to the end, or until one would begin at byte `until`; `None` if none
    /// does.
    pub(super) fn segments(&mut self, until: Option<u32>) -> Option<Vec<Segment>> {
        let mut segments = Vec::new();
        // Which diagnostics are of which segment.
        let mut marks = Vec::new();
        while !self.at(TokenKind::Eof) {
            let start = self.token().start;
            if until.is_some_and(|until| start >= until) {
                break;
            }
            marks.push(self.diagnostics.len());
            let dec = self.dec_and_gap(TokenKind::Eof);
            let chunks = self.chunks.as_mut()?;
            let inner = std::mem::take(&mut chunks.inner);
            let (key, chunk) = chunks.last.take()?;
            segments.push(self.segment(key, chunk, dec, inner));
        }
        if until.is_some_and(|until| self.at(TokenKind::Eof) || self.token().start != until) {
            return None;
        }
        marks.push(self.diagnostics.len());
        for (segment, mark) in segments.iter_mut().zip(marks.windows(2)) {
            if let &[from, to] = mark {
                segment.diagnostics = self.diagnostics.get(from..to)?.to_vec();
            }
        }
        Some(segments)
    }

    fn segment(
        &self,
        key: ChunkKey,
        chunk: Chunk,
        dec: Option<Dec>,
        mut inner: Vec<Chunk>,
    ) -> Segment {
        inner.sort_unstable_by_key(|chunk| chunk.start);
        let dec = dec.map(|mut dec| ParsedDec {
            chunk,
            doc: dec.doc.take().map(Arc::from),
            tree: Arc::new(dec),
            text: Arc::from(self.text.get(chunk.start as usize..chunk.end as usize).unwrap_or("")),
            inner: inner.iter().map(|inner| (inner.id, inner.start - chunk.start)).collect(),
        });
        Segment { key, chunk, dec, inner, diagnostics: Vec::new() }
    }

    /// What begins here is a chunk, if chunks are to be made. Returns the one around it.
    pub(super) fn enter_chunk(&mut self) -> Outer {
        let mut outer = Outer { file: self.file, base: self.base, key: None };
        if self.chunks.is_none() {
            return outer;
        }
        let (kind, name) = self.head();
        let start = self.token().start;
        if let Some(chunks) = &mut self.chunks {
            let parent = self.file;
            let seen = chunks.seen.entry((parent, kind, name)).or_default();
            let key = ChunkKey { parent, kind, name, occurrence: *seen };
            *seen += 1;
            outer.key = Some(key);
            (self.file, self.base) = ((chunks.number)(key), start);
        }
        outer
    }

    /// Goes back to the chunk around the one that was entered last.
    pub(super) fn leave_chunk(&mut self, outer: Outer) {
        let end = self.pos.checked_sub(1).map_or(0, |last| self.tokens[last].end);
        if let (Some(chunks), Some(key)) = (&mut self.chunks, outer.key) {
            let chunk = Chunk { id: self.file, start: self.base, end: end.max(self.base) };
            // Those inside of it have been left before.
            chunks.inner.extend(chunks.last.replace((key, chunk)).map(|(_, chunk)| chunk));
        }
        (self.file, self.base) = (outer.file, outer.base);
    }

    /// Kind and name of the declaration that begins here, without reading it. It need not be
    /// right: it only decides which declaration of the last version this one is taken for.
    fn head(&self) -> (ChunkKind, Name) {
        let mut at = 0;
        let mut depth = 0;
        // Attributes and `local`; not further than an attribute can be, so that what is taken for
        // one does not depend on what comes behind the next declaration.
        loop {
            match self.nth(at) {
                TokenKind::HashBracket => depth += 1,
                TokenKind::LBracket if depth > 0 => depth += 1,
                TokenKind::RBracket if depth > 0 => depth -= 1,
                TokenKind::Local => {}
                TokenKind::Ident
                | TokenKind::Nat
                | TokenKind::Int
                | TokenKind::LParen
                | TokenKind::RParen
                | TokenKind::Comma
                    if depth > 0 => {}
                _ if depth > 0 => return (ChunkKind::Unknown, Name::new("")),
                _ => break,
            }
            at += 1;
        }
        let kind = match self.nth(at) {
            TokenKind::Def | TokenKind::Let | TokenKind::Entry => ChunkKind::Value,
            TokenKind::Type => ChunkKind::Type,
            TokenKind::Module if self.nth(at + 1) == TokenKind::Type => ChunkKind::ModType,
            TokenKind::Module => ChunkKind::Module,
            TokenKind::Open => ChunkKind::Open,
            TokenKind::Import => ChunkKind::Import,
            _ => ChunkKind::Unknown,
        };
        at += match kind {
            ChunkKind::ModType => 2,
            ChunkKind::Unknown => 0,
            _ => 1,
        };
        // `type~` and `type^`; an operator in parentheses.
        if matches!(self.nth(at), TokenKind::Tilde | TokenKind::Hat | TokenKind::LParen) {
            at += 1;
        }
        (kind, Name::new(self.text_of(self.nth_token(at))))
    }
}

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

/// A file as [`parse_chunks`] returns it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChunkedFile {
    /// The documentation comment at its head.
    pub doc: Option<String>,
    /// The declarations in order; not those inside of modules.
    pub decs: Vec<(Chunk, Dec)>,
    /// The chunks inside of these, and those of which nothing but errors came.
    pub inner: Vec<Chunk>,
    /// Syntax errors, in order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a file with spans relative to chunks, which `number` gives their numbers: always the
/// same to the same key.
pub fn parse_chunks(
    file: FileId,
    text: &str,
    number: &mut dyn FnMut(ChunkKey) -> FileId,
) -> ChunkedFile {
    let mut parser = Parser::new(file, text);
    parser.chunks = Some(Chunks {
        file,
        number,
        seen: HashMap::new(),
        made: Vec::new(),
        inner: Vec::new(),
        starts: HashMap::new(),
    });
    let tree = parser.file();
    let Some(chunks) = parser.chunks.take() else { return ChunkedFile::default() };
    let mut diagnostics = parser.diagnostics;
    diagnostics.sort_by_key(|d| {
        let start = |span: &Span| chunks.starts.get(&span.file).copied().unwrap_or(0);
        d.labels.first().map(|(span, _)| start(span) + span.start)
    });
    let decs = chunks.made.into_iter().zip(tree.decs).collect();
    ChunkedFile { doc: tree.doc, decs, inner: chunks.inner, diagnostics }
}

/// The chunks of a file on their way.
pub(super) struct Chunks<'a> {
    file: FileId,
    number: &'a mut dyn FnMut(ChunkKey) -> FileId,
    /// How many there are of each parent, kind and name.
    seen: HashMap<(FileId, ChunkKind, Name), u32>,
    /// Those in the file itself that hold a declaration.
    made: Vec<Chunk>,
    /// All others.
    inner: Vec<Chunk>,
    /// Where each begins, also those of which nothing came.
    starts: HashMap<FileId, u32>,
}

impl Parser<'_> {
    /// What begins here is a chunk, if chunks are to be made. Returns the one around it, and where
    /// that begins.
    pub(super) fn enter_chunk(&mut self) -> (FileId, u32) {
        let outer = (self.file, self.base);
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
            let id = (chunks.number)(key);
            chunks.starts.insert(id, start);
            (self.file, self.base) = (id, start);
        }
        outer
    }

    /// Goes back to the chunk around the one that was entered last; `kept` if that holds a
    /// declaration.
    pub(super) fn leave_chunk(&mut self, outer: (FileId, u32), kept: bool) {
        let end = self.pos.checked_sub(1).map_or(0, |last| self.tokens[last].end);
        if let Some(chunks) = &mut self.chunks {
            let chunk = Chunk { id: self.file, start: self.base, end: end.max(self.base) };
            if kept && outer.0 == chunks.file {
                chunks.made.push(chunk);
            } else {
                chunks.inner.push(chunk);
            }
        }
        (self.file, self.base) = outer;
    }

    /// Kind and name of the declaration that begins here, without reading it. It need not be
    /// right: it only decides which declaration of the last version this one is taken for.
    fn head(&self) -> (ChunkKind, Name) {
        let mut at = 0;
        let mut depth = 0;
        // Attributes and `local`.
        loop {
            match self.nth(at) {
                TokenKind::Eof => return (ChunkKind::Unknown, Name::new("")),
                TokenKind::HashBracket => depth += 1,
                TokenKind::LBracket if depth > 0 => depth += 1,
                TokenKind::RBracket if depth > 0 => depth -= 1,
                TokenKind::Local => {}
                _ if depth > 0 => {}
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

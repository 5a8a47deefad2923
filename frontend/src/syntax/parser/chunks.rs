//! Parsing into chunks ([`super::chunk`]).

use super::Parser;
use super::chunk::{Chunk, ChunkKey, ChunkKind, ChunkedFile, Chunks, Outer, ParsedDec, Segment};
use crate::diag::Diagnostic;
use crate::syntax::ast::Dec;
use crate::syntax::lexer::TokenKind;
use futc_typed::name::Name;
use futc_typed::span::FileId;
use std::collections::HashMap;
use std::sync::Arc;

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

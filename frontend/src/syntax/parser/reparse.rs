//! Parsing a file of which an earlier text has been parsed: what is the same is taken over.
//!
//! Texts before and after an edit mostly have a long beginning and a long end in common. The
//! parser is at the same point of its work at the first token of any declaration of the file: what
//! came before decides nothing but how often a name has been seen. So it is enough to parse from a
//! declaration before the first difference up to one behind the last, and what follows is moved.
//!
//! What the parser looks at beyond the end of a declaration lies in the next. So one declaration is
//! left between the difference and what is taken over, on both sides. Whether parsing really comes
//! to rest at the declaration where it is to stop is seen when it does; where it does not, as
//! where a string is not closed, there is nothing to be taken over. The result is always that of
//! [`super::parse_chunks`].

use super::chunk::{Chunk, ChunkKey, ChunkKind, ChunkedFile, Chunks, ParsedDec, Seen, Segment};
use super::{Parser, parse_chunks};
use crate::diag::Diagnostic;
use crate::syntax::MAX_ERRORS;
use futc_typed::span::FileId;
use std::collections::HashMap;

/// Parses `text` as [`parse_chunks`] does, of which `before` was a version that was parsed as
/// `old`. `number` must give the numbers it gave then.
pub fn reparse_chunks(
    file: FileId,
    (old, before): (&ChunkedFile, &str),
    text: &str,
    number: &mut dyn FnMut(ChunkKey) -> FileId,
) -> ChunkedFile {
    match (Edit { file, old, before, text }).reparse(number) {
        Some(new) => new,
        None => parse_chunks(file, text, number),
    }
}

struct Edit<'a> {
    file: FileId,
    old: &'a ChunkedFile,
    before: &'a str,
    text: &'a str,
}

impl Edit<'_> {
    /// `None` if nothing can be taken over.
    fn reparse(&self, number: &mut dyn FnMut(ChunkKey) -> FileId) -> Option<ChunkedFile> {
        let old_len = u32::try_from(self.before.len()).ok()?;
        let new_len = u32::try_from(self.text.len()).ok()?;
        let (head, tail) = common(self.before.as_bytes(), self.text.as_bytes());
        let by = new_len.wrapping_sub(old_len);
        let segments = &self.old.segments;
        let (first, rest) = self.parsed_anew(head as u32, old_len - tail as u32);
        let from = if first == 0 { 0 } else { segments.get(first)?.chunk.start };
        let stop = segments.get(rest).map(|s| s.chunk);
        let to = stop.map_or(new_len, |chunk| chunk.end.wrapping_add(by));
        let until = stop.map(|chunk| chunk.start.wrapping_add(by));

        let mut seen = Seen::new();
        for Segment { key, .. } in segments.get(..first)? {
            seen.insert((key.parent, key.kind, key.name), key.occurrence + 1);
        }
        let text = self.text.get(..to as usize)?;
        let mut parser = Parser::of_range(self.file, text, from as usize);
        parser.chunks = Some(Chunks::new(number, seen));
        let doc = if first == 0 { parser.file_doc() } else { self.old.doc.clone() };
        let parsed = parser.segments(until)?;
        if self.renumbers(segments.get(first..rest.min(segments.len()))?, &parsed, rest) {
            return None;
        }

        let mut new = ChunkedFile { doc, ..ChunkedFile::default() };
        let at = |d: &Diagnostic| d.labels.first().map_or(0, |(span, _)| span.start);
        let lexical = &self.old.lexical;
        new.lexical.extend(lexical.iter().filter(|d| at(d) < from).cloned());
        let found = parser.lexical().into_iter();
        new.lexical.extend(found.filter(|d| until.is_none_or(|until| at(d) < until)));
        if let Some(stop) = stop {
            let behind = lexical.iter().filter(|d| at(d) >= stop.start).cloned();
            new.lexical.extend(behind.map(|d| self.moved(d, by)));
        }
        new.segments.reserve_exact(segments.len() + parsed.len());
        // The comment before the first is not in what was parsed, so that one is taken over.
        let kept = if first == 0 { 0 } else { 1 };
        new.segments.extend_from_slice(segments.get(..first + kept)?);
        new.segments.extend(parsed.into_iter().skip(kept));
        let behind = segments.get(rest..).unwrap_or(&[]).iter().cloned();
        new.segments.extend(behind.map(|segment| self.moved_segment(segment, by)));
        // Where errors are cut off depends on all of them.
        let complete = |file: &ChunkedFile| {
            let of_segments: usize = file.segments.iter().map(|s| s.diagnostics.len()).sum();
            file.lexical.len() + of_segments < MAX_ERRORS
        };
        (complete(self.old) && complete(&new)).then_some(new)
    }

    /// The segments of the old text that have to be parsed again, given that all is the same
    /// before `head` and from `tail` on: the first, and the one behind the last.
    fn parsed_anew(&self, head: u32, tail: u32) -> (usize, usize) {
        let segments = &self.old.segments;
        // A place to begin or to stop at: a keyword that nothing before it can be a part of.
        let is_place = |s: &Segment| s.dec.is_some() && s.key.kind != ChunkKind::Unknown;
        // The last of these is changed; of the one before, what follows it is changed.
        let mut first = segments.partition_point(|s| s.chunk.start < head).saturating_sub(3);
        while first > 0 && !segments.get(first).is_some_and(is_place) {
            first -= 1;
        }
        // Of the first of these the comment before it may be changed.
        let mut rest = segments.partition_point(|s| s.chunk.start < tail) + 1;
        while segments.get(rest).is_some_and(|s| !is_place(s)) {
            rest += 1;
        }
        (first, rest)
    }

    /// Whether what is behind the parsed segments has other keys than before, because there are
    /// more or fewer of its name before it.
    fn renumbers(&self, old: &[Segment], new: &[Segment], rest: usize) -> bool {
        let mut surplus: HashMap<_, i64> = HashMap::new();
        let name = |s: &Segment| (s.key.kind, s.key.name);
        new.iter().for_each(|s| *surplus.entry(name(s)).or_default() += 1);
        old.iter().for_each(|s| *surplus.entry(name(s)).or_default() -= 1);
        surplus.retain(|_, surplus| *surplus != 0);
        let behind = self.old.segments.get(rest..).unwrap_or(&[]);
        !surplus.is_empty() && behind.iter().any(|s| surplus.contains_key(&name(s)))
    }

    /// With the places that are of the file moved; those in chunks stay.
    fn moved(&self, mut d: Diagnostic, by: u32) -> Diagnostic {
        for (span, _) in d.labels.iter_mut().filter(|(span, _)| span.file == self.file) {
            span.start = span.start.wrapping_add(by);
            span.end = span.end.wrapping_add(by);
        }
        d
    }

    fn moved_segment(&self, segment: Segment, by: u32) -> Segment {
        let moved = |chunk: Chunk| Chunk {
            id: chunk.id,
            start: chunk.start.wrapping_add(by),
            end: chunk.end.wrapping_add(by),
        };
        let Segment { key, chunk, dec, mut inner, diagnostics } = segment;
        inner.iter_mut().for_each(|chunk| *chunk = moved(*chunk));
        Segment {
            key,
            chunk: moved(chunk),
            dec: dec.map(|dec| ParsedDec { chunk: moved(chunk), ..dec }),
            inner,
            diagnostics: diagnostics.into_iter().map(|d| self.moved(d, by)).collect(),
        }
    }
}

/// How many bytes two texts have in common at their beginnings and at their ends.
fn common(a: &[u8], b: &[u8]) -> (usize, usize) {
    // Whole blocks are compared much faster than bytes are.
    const BLOCK: usize = 256;
    let blocks = a.chunks_exact(BLOCK).zip(b.chunks_exact(BLOCK));
    let mut head = BLOCK * blocks.take_while(|(a, b)| a == b).count();
    let rest = |text: &'_ [u8]| text.get(head..).map_or(0, <[u8]>::len);
    let (a_rest, b_rest) = (rest(a), rest(b));
    let same = a.iter().skip(head).zip(b.iter().skip(head)).take_while(|(a, b)| a == b).count();
    head += same;
    let most = a_rest.min(b_rest) - same;
    let blocks = a.rchunks_exact(BLOCK).zip(b.rchunks_exact(BLOCK));
    let blocks = blocks.take(most / BLOCK).take_while(|(a, b)| a == b).count();
    let bytes = a.iter().rev().zip(b.iter().rev()).skip(BLOCK * blocks);
    let bytes = bytes.take(most - BLOCK * blocks).take_while(|(a, b)| a == b).count();
    (head, BLOCK * blocks + bytes)
}

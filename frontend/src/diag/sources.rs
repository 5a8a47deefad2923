//! Names and texts of files, and positions in them as people read them.

use crate::lines::BYTE_ORDER_MARK;
use futc_typed::span::{FileId, Locate, Span};

/// Names and texts of files, to show spans with.
pub trait Sources {
    /// The name users know the file by.
    fn name(&self, file: FileId) -> Option<&str>;
    /// Its text.
    fn text(&self, file: FileId) -> Option<&str>;

    /// The span relative to a file, of one that may be relative to a chunk of it. Whoever looks
    /// at a span's bytes or file asks for this first.
    fn absolute(&self, span: Span) -> Span {
        span
    }
}

/// Files in memory, numbered from 0 in the order they were added.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceMap {
    files: Vec<(String, String)>,
}

impl SourceMap {
    /// No files.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a file and says its number.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.files.push((name.into(), text.into()));
        FileId(self.files.len() as u32 - 1)
    }
}

impl Sources for SourceMap {
    fn name(&self, file: FileId) -> Option<&str> {
        self.files.get(file.0 as usize).map(|(name, _)| name.as_str())
    }

    fn text(&self, file: FileId) -> Option<&str> {
        self.files.get(file.0 as usize).map(|(_, text)| text.as_str())
    }
}

impl Locate for SourceMap {
    fn locate(&self, span: Span) -> String {
        locate(self, span)
    }
}

/// Where a byte of `text` is: the byte, moved to the beginning of its character and into the text,
/// its line and its column in characters, both from 1.
pub fn position(text: &str, byte: usize) -> (usize, usize, usize) {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    let before = &text.as_bytes()[..byte];
    let start = before.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
    // A byte order mark takes no room.
    let start = start.max(mark_len(text)).min(byte);
    let line = before.iter().filter(|b| **b == b'\n').count() + 1;
    (byte, line, text[start..byte].chars().count() + 1)
}

/// How long the byte order mark is at the beginning of a text, if there is one.
pub(super) fn mark_len(text: &str) -> usize {
    if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 }
}

/// The readable form of `span`: `file.fut:3:4-17` or `file.fut:3:4-5:2`, lines and columns from 1,
/// the last column included; columns count characters. Takes time linear in the file.
pub fn locate(sources: &dyn Sources, span: Span) -> String {
    let span = sources.absolute(span);
    let name = sources.name(span.file).unwrap_or("<unknown file>");
    let Some(text) = sources.text(span.file) else { return name.to_owned() };
    let (_, line, column) = position(text, span.start as usize);
    // An empty span stands for the one position.
    let last = span.end.max(span.start.saturating_add(1)) - 1;
    let (_, end_line, end_column) = position(text, last as usize);
    if (end_line, end_column) <= (line, column) {
        format!("{name}:{line}:{column}")
    } else if end_line == line {
        format!("{name}:{line}:{column}-{end_column}")
    } else {
        format!("{name}:{line}:{column}-{end_line}:{end_column}")
    }
}

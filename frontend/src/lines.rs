//! Lines and columns of byte offsets, without reading the text each time.
//!
//! A table is made once per file, in linear time; a position is found by binary search. Tables
//! know where lines begin and which characters are wider than a byte, not the text, so that an
//! edit which moves nothing leaves them as they are.

use futc_typed::span::{FileId, Locate, Span};
use std::collections::HashMap;
use std::sync::Arc;

/// What some editors write at the beginning of a file.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

/// Where the lines of one file begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineTable {
    name: Arc<str>,
    len: u32,
    /// Of each line, the first byte.
    starts: Vec<u32>,
    /// Of each character of more than one byte, the first byte and how many more there are.
    wide: Vec<(u32, u32)>,
}

impl LineTable {
    /// The table of a file.
    pub fn new(name: Arc<str>, text: &str) -> LineTable {
        let mut starts = vec![0];
        let mut wide = Vec::new();
        for (at, c) in text.char_indices() {
            if c == '\n' {
                starts.push(at as u32 + 1);
            } else if c.len_utf8() > 1 {
                wide.push((at as u32, c.len_utf8() as u32 - 1));
            }
        }
        LineTable { name, len: text.len() as u32, starts, wide }
    }

    /// Line and column of a byte, from 1; columns count characters.
    pub fn position(&self, byte: u32) -> (u32, u32) {
        let mut byte = byte.min(self.len);
        let line = self.starts.partition_point(|start| *start <= byte).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        let first_wide = self.wide.partition_point(|(at, _)| *at < start);
        let mut surplus = 0;
        for (at, more) in self.wide.iter().skip(first_wide) {
            if *at >= byte {
                break;
            }
            if at + more >= byte {
                // Inside of a character: that character's place.
                byte = *at;
                break;
            }
            surplus += more;
        }
        (line as u32, byte - start - surplus + 1)
    }

    /// The byte at a line and column, from 1, of the text that the table is of. Just behind the
    /// last character of a line is a place too; what is further there is none.
    pub fn offset(&self, text: &str, line: u32, column: u32) -> Option<u32> {
        let start = *self.starts.get(line.checked_sub(1)? as usize)?;
        let rest = text.get(start as usize..)?.split('\n').next()?;
        let column = column.checked_sub(1)? as usize;
        let end = rest.char_indices().map(|(at, _)| at).chain([rest.len()]).nth(column)?;
        Some(start + end as u32)
    }

    /// `file.fut:3:4-17`, `file.fut:3:4-5:2`, or `file.fut:3:4` for a single character.
    pub fn locate(&self, span: Span) -> String {
        let name = &self.name;
        let (line, column) = self.position(span.start);
        let (end_line, end_column) = self.position(span.end.max(span.start + 1) - 1);
        if (end_line, end_column) <= (line, column) {
            format!("{name}:{line}:{column}")
        } else if end_line == line {
            format!("{name}:{line}:{column}-{end_column}")
        } else {
            format!("{name}:{line}:{column}-{end_line}:{end_column}")
        }
    }
}

/// The tables of several files.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// By file and by chunk: the file's table, and where the chunk begins.
    pub tables: HashMap<FileId, (Arc<LineTable>, u32)>,
}

impl Locate for Lines {
    fn locate(&self, span: Span) -> String {
        match self.tables.get(&span.file) {
            Some((table, start)) => table.locate(span.moved_to(span.file, *start)),
            None => "<unknown file>".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::{SourceMap, locate};

    #[test]
    fn agrees_with_reading_the_text() {
        let text = "let x = 1\n  → y ≠ z\n\nlast";
        let mut sources = SourceMap::new();
        let file = sources.add("a.fut", text);
        let table = LineTable::new(Arc::from("a.fut"), text);
        for start in 0..=text.len() as u32 {
            for end in start..=text.len() as u32 {
                let span = Span::new(file, start, end);
                if text.is_char_boundary(start as usize) {
                    let (line, column) = table.position(start);
                    assert_eq!(table.offset(text, line, column), Some(start), "{start}");
                }
                assert_eq!(table.locate(span), locate(&sources, span), "{start}..{end}");
            }
        }
    }
}

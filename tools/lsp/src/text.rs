//! Positions of the protocol and byte offsets; texts under edit.

use lsp_types::{Position, PositionEncodingKind, Range, TextDocumentContentChangeEvent};

/// What the columns of positions count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of UTF-16, as every client understands.
    Utf16,
}

impl Encoding {
    /// UTF-8 if the client takes it, as it costs nothing; else UTF-16.
    pub fn negotiate(offered: Option<&[PositionEncodingKind]>) -> Encoding {
        match offered {
            Some(kinds) if kinds.contains(&PositionEncodingKind::UTF8) => Encoding::Utf8,
            _ => Encoding::Utf16,
        }
    }

    /// Its name in the protocol.
    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    fn units(self, c: char) -> u32 {
        match self {
            Encoding::Utf8 => c.len_utf8() as u32,
            Encoding::Utf16 => c.len_utf16() as u32,
        }
    }
}

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<u32>,
    encoding: Encoding,
}

impl Lines {
    /// The lines of a text.
    pub fn new(text: &str, encoding: Encoding) -> Lines {
        let mut starts = vec![0];
        starts.extend(text.match_indices('\n').map(|(at, _)| at as u32 + 1));
        Lines { starts, encoding }
    }

    /// The byte at a position; a column behind the end of its line is that end, a line behind the
    /// last the end of the text, and a place inside of a character that character's.
    pub fn offset(&self, text: &str, position: Position) -> u32 {
        let Some(&start) = self.starts.get(position.line as usize) else {
            return text.len() as u32;
        };
        let mut units = 0;
        let mut at = start;
        for c in text.get(start as usize..).unwrap_or("").chars() {
            units += self.encoding.units(c);
            if c == '\n' || units > position.character {
                break;
            }
            at += c.len_utf8() as u32;
        }
        at
    }

    /// The position of a byte.
    pub fn position(&self, text: &str, byte: u32) -> Position {
        let byte = byte.min(text.len() as u32);
        let line = self.starts.partition_point(|start| *start <= byte).max(1) - 1;
        let start = self.starts.get(line).copied().unwrap_or(0);
        let mut character = 0;
        let mut at = start;
        for c in text.get(start as usize..).unwrap_or("").chars() {
            at += c.len_utf8() as u32;
            if at > byte {
                break;
            }
            character += self.encoding.units(c);
        }
        Position { line: line as u32, character }
    }

    /// The range of bytes `start..end`.
    pub fn range(&self, text: &str, start: u32, end: u32) -> Range {
        Range { start: self.position(text, start), end: self.position(text, end) }
    }
}

/// Puts edits into a text, in order; each sees what those before it have made.
pub fn apply(text: &mut String, changes: Vec<TextDocumentContentChangeEvent>, encoding: Encoding) {
    for change in changes {
        match change.range {
            None => *text = change.text,
            Some(range) => {
                let lines = Lines::new(text, encoding);
                let start = lines.offset(text, range.start) as usize;
                let end = lines.offset(text, range.end) as usize;
                text.replace_range(start.min(end)..end.max(start), &change.text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_bytes_agree() {
        let text = "a→b\n𝒳y\n\nlast";
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            let lines = Lines::new(text, encoding);
            for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
                let position = lines.position(text, at as u32);
                assert_eq!(lines.offset(text, position), at as u32, "{encoding:?} {at}");
            }
        }
        let lines = Lines::new(text, Encoding::Utf16);
        assert_eq!(lines.position(text, 10), Position { line: 1, character: 2 });
        // In the middle of a surrogate pair, and behind ends.
        assert_eq!(lines.offset(text, Position { line: 1, character: 1 }), 6);
        assert_eq!(lines.offset(text, Position { line: 0, character: 99 }), 5);
        assert_eq!(lines.offset(text, Position { line: 99, character: 0 }), text.len() as u32);
    }

    #[test]
    fn edits_follow_each_other() {
        let mut text = "def f = 1\n".to_owned();
        let at = |line, from, to| {
            Some(Range { start: Position::new(line, from), end: Position::new(line, to) })
        };
        let change = |range, text: &str| TextDocumentContentChangeEvent {
            range,
            range_length: None,
            text: text.to_owned(),
        };
        let changes = vec![change(at(0, 8, 9), "→2"), change(at(0, 9, 10), "3")];
        apply(&mut text, changes, Encoding::Utf16);
        assert_eq!(text, "def f = →3\n");
        apply(&mut text, vec![change(None, "x")], Encoding::Utf16);
        assert_eq!(text, "x");
    }
}

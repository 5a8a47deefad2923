//! Source positions: byte ranges in numbered files.

use std::fmt;

/// What a span is relative to: a source file or a chunk of one, such as a declaration. The number
/// is the front end's; the prelude's files are files as any other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub u32);

/// A half-open range of bytes `start..end` in a file or a chunk of one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Span {
    /// The file or chunk.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span of `file`, which may be a chunk.
    pub fn new(file: FileId, start: u32, end: u32) -> Span {
        Span { file, start, end }
    }

    /// The span of a chunk that begins at byte `start` of `file`, as a span of that file.
    pub fn moved_to(self, file: FileId, start: u32) -> Span {
        let (from, to) = (self.start.saturating_add(start), self.end.saturating_add(start));
        Span { file, start: from, end: to }
    }

    /// The smallest span covering both; they must be of the same file or chunk, else `self` is returned.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// Turns spans into what people read: `file.fut:3:4-17` or `file.fut:3:4-5:2` (lines and columns
/// from 1, both ends included), as in the guide's error messages.
pub trait Locate {
    /// The readable form of `span`.
    fn locate(&self, span: Span) -> String;
}

/// A place as people read it, which is what [`Locate`] makes of a span: lines and columns from 1,
/// the last character included.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SourceRange {
    /// The file's name.
    pub file: String,
    /// Line and column of the first character.
    pub first: (u32, u32),
    /// Those of the last.
    pub last: (u32, u32),
}

impl fmt::Display for SourceRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SourceRange { file, first: (line, column), last } = self;
        write!(f, "{file}:{line}:{column}")?;
        match last {
            last if *last == self.first => Ok(()),
            (end, last) if end == line => write!(f, "-{last}"),
            (end, last) => write!(f, "-{end}:{last}"),
        }
    }
}

impl SourceRange {
    /// What `file.fut:3:4`, `file.fut:3:4-17` and `file.fut:3:4-5:2` say.
    pub fn parse(text: &str) -> Option<SourceRange> {
        let pair = |text: &str| {
            let (line, column) = text.split_once(':')?;
            Some((line.parse().ok()?, column.parse().ok()?))
        };
        // The file's name may have colons and hyphens in it, too.
        let (rest, end) = match text.rsplit_once('-') {
            Some((rest, end)) if !end.is_empty() && end.bytes().all(is_place) => (rest, Some(end)),
            _ => (text, None),
        };
        let (rest, column) = rest.rsplit_once(':')?;
        let (file, line) = rest.rsplit_once(':')?;
        let first = (line.parse().ok()?, column.parse().ok()?);
        let last = match end {
            None => first,
            Some(end) if end.contains(':') => pair(end)?,
            Some(end) => (first.0, end.parse().ok()?),
        };
        Some(SourceRange { file: file.to_owned(), first, last })
    }

    /// Whether all of it lies in `other`.
    pub fn is_in(&self, other: &SourceRange) -> bool {
        self.file == other.file && self.first >= other.first && self.last <= other.last
    }
}

fn is_place(b: u8) -> bool {
    b.is_ascii_digit() || b == b':'
}

#[cfg(test)]
mod tests {
    use super::SourceRange;

    #[test]
    fn places_are_read() {
        let place = |first, last| Some(SourceRange { file: "a-1:b.fut".to_owned(), first, last });
        assert_eq!(SourceRange::parse("a-1:b.fut:3:4"), place((3, 4), (3, 4)));
        assert_eq!(SourceRange::parse("a-1:b.fut:3:4-17"), place((3, 4), (3, 17)));
        assert_eq!(SourceRange::parse("a-1:b.fut:3:4-5:2"), place((3, 4), (5, 2)));
        for wrong in ["", "a.fut", "a.fut:3", "a.fut:x:4", "a.fut:3:4-", "<unknown file>"] {
            assert_eq!(SourceRange::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn places_lie_in_others() {
        let read = |text: &str| SourceRange::parse(text).unwrap_or_else(|| panic!("{text}"));
        let outer = read("a:3:4-5:2");
        for (text, inside) in [
            ("a:3:4-5:2", true),
            ("a:4:1-90", true),
            ("a:3:3-9", false),
            ("a:5:1-3", false),
            ("b:4:1", false),
        ] {
            assert_eq!(read(text).is_in(&outer), inside, "{text}");
        }
    }
}

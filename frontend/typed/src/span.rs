//! Source positions: byte ranges in numbered files.

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

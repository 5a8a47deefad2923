//! Source positions: byte ranges in numbered files.

/// A source file. The number is the driver's; the prelude's files are files as any other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub u32);

/// A half-open range of bytes `start..end` in a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span of `file`.
    pub fn new(file: FileId, start: u32, end: u32) -> Span {
        Span { file, start, end }
    }

    /// The smallest span covering both; they must be of the same file, else `self` is returned.
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

//! Changes of a text by places of its syntax tree. Edits may stand inside of each other: what an edit keeps of the text
//! has the edits that are inside of it.

use super::nodes::Place;

/// What takes the place of a part of the text.
#[derive(Clone, Debug)]
pub enum Piece {
    New(String),
    /// A part of the text, with the edits inside of it.
    Old(Place),
    /// A part of the text as it was.
    Copy(Place),
}

/// A new text.
pub fn new(text: impl Into<String>) -> Piece {
    Piece::New(text.into())
}

/// A place and what is to stand there; at an empty place something is put in.
#[derive(Clone, Debug)]
pub struct Edit {
    pub at: Place,
    pub with: Vec<Piece>,
}

/// Edits that need one another.
#[derive(Clone, Debug, Default)]
pub struct Change {
    pub edits: Vec<Edit>,
    /// Edits of the program that the changed one is compared with.
    pub original: Vec<Edit>,
}

impl Change {
    /// One edit by itself.
    pub fn one(at: Place, with: Vec<Piece>) -> Change {
        Change { edits: vec![Edit { at, with }], original: Vec::new() }
    }
}

/// The text with some edits; nothing if a place is not one of the text.
pub fn apply<'e>(text: &str, edits: impl Iterator<Item = &'e Edit>) -> Option<String> {
    let end = u32::try_from(text.len()).ok()?;
    let mut edits: Vec<&Edit> = edits.collect();
    if edits.iter().any(|e| e.at.1 > end) {
        return None;
    }
    // Outer ones first; what is put in at a place keeps its order.
    edits.sort_by_key(|e| (e.at.0, e.at.0 != e.at.1, std::cmp::Reverse(e.at.1)));
    let mut out = String::new();
    Rendering { text, edits }.place((0, end), 0, &mut out)?;
    Some(out)
}

struct Rendering<'e> {
    text: &'e str,
    edits: Vec<&'e Edit>,
}

impl Rendering<'_> {
    fn copy(&self, (start, end): Place, out: &mut String) -> Option<()> {
        out.push_str(self.text.get(start as usize..end as usize)?);
        Some(())
    }

    /// Writes a part of the text with those edits inside of it that come after the first `from`.
    fn place(&self, (start, end): Place, from: usize, out: &mut String) -> Option<()> {
        let mut at = start;
        for (i, edit) in self.edits.iter().enumerate().skip(from) {
            let (first, last) = edit.at;
            if first < at || last > end {
                continue;
            }
            self.copy((at, first), out)?;
            for piece in &edit.with {
                match piece {
                    Piece::New(text) => out.push_str(text),
                    Piece::Old(place) => self.place(*place, i + 1, out)?,
                    Piece::Copy(place) => self.copy(*place, out)?,
                }
            }
            at = last;
        }
        self.copy((at, end), out)
    }
}

#[cfg(test)]
mod tests {
    use super::{Edit, Piece, apply, new};

    #[test]
    fn edits_nest() {
        let text = "f (g x) y";
        let edits = [
            Edit { at: (3, 6), with: vec![new("h "), Piece::Old((5, 6))] },
            Edit {
                at: (0, 9),
                with: vec![new("["), Piece::Old((2, 7)), new("]"), Piece::Copy((2, 7))],
            },
            Edit { at: (5, 6), with: vec![new("z")] },
            Edit { at: (0, 0), with: vec![new("1")] },
            Edit { at: (0, 0), with: vec![new("2")] },
        ];
        assert_eq!(apply(text, edits.iter()).as_deref(), Some("12[(h z)](g x)"));
        assert_eq!(apply("x", edits.iter()), None);
    }
}

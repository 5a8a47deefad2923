//! What a failure is about, read off its message.

use std::fmt;

/// What a failure is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// An index outside of its array.
    Index,
    /// A slice outside of its array.
    Slice,
    /// A size that is negative.
    NegativeSize,
    /// A range that never ends or goes the wrong way.
    Range,
    /// Sizes that must be equal and are not.
    Mismatch,
    /// The same of arguments, before anything is done.
    Arguments,
    /// An integer divided by zero.
    Division,
    /// An integer to a negative power.
    Exponent,
    /// What the program asserts.
    Assertion,
    /// More memory than there is.
    Memory,
    /// Steps, calls or bytes beyond what the interpreter is given.
    Limit,
    /// What only a wrong compiler says.
    Bug,
    /// Anything else.
    Other,
}

impl Kind {
    /// Of a message.
    pub fn of(message: &str) -> Kind {
        let has = |what: &str| message.contains(what);
        if has("compiler bug") {
            Kind::Bug
        } else if has("the limit of") || has("'s limit of") || has("Stack overflow") {
            Kind::Limit
        } else if has("out of memory") || has("Cannot allocate") {
            Kind::Memory
        } else if has("arguments have invalid sizes")
            || has("disagree about")
            || has("does not fit")
        {
            Kind::Arguments
        } else if has("Flat slice out of bounds") {
            Kind::Slice
        } else if has("out of bounds for array") {
            let index = message.split("] out of bounds").next().unwrap_or_default();
            if index.contains(':') { slice_or_index(index) } else { Kind::Index }
        } else if has("is negative") || has("negative size") {
            Kind::NegativeSize
        } else if has("Range ") && has("is invalid") {
            Kind::Range
        } else if has("division by zero") {
            Kind::Division
        } else if has("Negative exponent") {
            Kind::Exponent
        } else if has("Assertion") || has("assertion") {
            Kind::Assertion
        } else if has("hape") || has("differ") || has("mismatch") || has("unflatten") {
            Kind::Mismatch
        } else {
            Kind::Other
        }
    }

    /// Whether it is about how large something is.
    pub fn is_of_size(self) -> bool {
        matches!(
            self,
            Kind::Slice | Kind::NegativeSize | Kind::Range | Kind::Mismatch | Kind::Arguments
        )
    }

    /// Whether elements could not be read for it.
    pub fn is_of_index(self) -> bool {
        matches!(self, Kind::Index | Kind::Slice)
    }
}

/// `Error: Index [1:2` has a colon of its own.
fn slice_or_index(text: &str) -> Kind {
    match text.rsplit_once('[') {
        Some((_, inside)) if inside.contains(':') => Kind::Slice,
        _ => Kind::Index,
    }
}

/// Where a failure is, by its message; the innermost place.
pub fn place(message: &str) -> Option<&str> {
    let (_, rest) = message.split_once("-> #0  ")?;
    rest.lines().next().map(str::trim_end)
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Index => "index out of bounds",
            Kind::Slice => "slice out of bounds",
            Kind::NegativeSize => "negative size",
            Kind::Range => "invalid range",
            Kind::Mismatch => "sizes differ",
            Kind::Arguments => "sizes of arguments differ",
            Kind::Division => "division by zero",
            Kind::Exponent => "negative exponent",
            Kind::Assertion => "assertion",
            Kind::Memory => "out of memory",
            Kind::Limit => "beyond the interpreter's limits",
            Kind::Bug => "compiler bug",
            Kind::Other => "another failure",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_tell_their_kind_and_place() {
        let at = "\n\nBacktrace:\n-> #0  a.fut:1:2-3\n-> #1  b.fut:4:5-6\n";
        for (message, kind) in [
            ("Error: Index [5] out of bounds for array of shape [3].", Kind::Index),
            ("Error: Index [1, 5] out of bounds for array of shape [3][2].", Kind::Index),
            ("Error: Index [1:5] out of bounds for array of shape [3].", Kind::Slice),
            ("Error: Number of elements to replicate is negative: -1.", Kind::NegativeSize),
            ("Error: Range 0..1..<-1 is invalid.", Kind::Range),
            ("Error: division by zero", Kind::Division),
            ("Error: Entry point arguments have invalid sizes.", Kind::Arguments),
            ("Error: Rows of the result differ in shape.", Kind::Mismatch),
            ("Error: Cannot allocate 9 bytes: out of memory.", Kind::Memory),
            ("Error: the limit of steps is reached", Kind::Limit),
            ("Error: compiler bug: an array of negative size", Kind::Bug),
        ] {
            let text = format!("{message}{at}");
            assert_eq!(Kind::of(&text), kind, "{message}");
            assert_eq!(place(&text), Some("a.fut:1:2-3"));
        }
    }
}

//! Changes to a source text, as AUTOMAP makes them, and how inserted names are spelled.

use futc_typed::span::Span;

/// The module in which inserted names are looked up. No name in a program is spelled like this.
pub const PRELUDE: &str = "$prelude";

/// The names of the prelude that AUTOMAP inserts, or tells from others of the same name: what is checked of the
/// prelude for every declaration.
pub const FROM_PRELUDE: &[&str] =
    &["flip", "map", "map2", "map3", "map4", "map5", "rep", "zip", "|>", "<|", ">->", "<-<"];

/// A change to the source: the text at `span` becomes `text`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// What is replaced.
    pub span: Span,
    /// By what.
    pub text: String,
}

/// The text from `within` with the edits made, which are sorted and inside of it.
pub fn apply_edits(source: &str, within: Span, edits: &[Edit]) -> String {
    let mut out = String::new();
    let mut at = within.start as usize;
    for edit in edits {
        out.push_str(source.get(at..edit.span.start as usize).unwrap_or_default());
        out.push_str(&edit.text);
        at = edit.span.end as usize;
    }
    out.push_str(source.get(at..within.end as usize).unwrap_or_default());
    out
}

//! Types at places: what the checker notes of a declaration when it is asked to.

pub use crate::check::types::note::{Field, Note, NoteKind};
use crate::db::{Db, SourceFile, absolute, declaration_at, file_env};
use futc_typed::span::Span;

/// The notes of the declaration at a byte of a file; inner expressions come before those they are
/// in. The spans are of the file as a whole.
pub fn notes(db: &dyn Db, file: SourceFile, at: u32) -> Vec<Note> {
    let Some((dec, _)) = declaration_at(db, file, at) else { return Vec::new() };
    // What it uses is checked before, in order, so that queries do not nest deeply.
    let _ = file_env(db, file);
    let found = crate::db::notes(db, dec).iter();
    found
        .filter_map(|note| {
            let (_, span) = absolute(db, note.span)?;
            Some(Note { span, ..note.clone() })
        })
        .collect()
}

/// What is noted of exactly this span, the innermost first.
pub fn types_at(db: &dyn Db, file: SourceFile, span: Span) -> Vec<Note> {
    let mut out = notes(db, file, span.start);
    out.retain(|n| n.span.start == span.start && n.span.end == span.end);
    // The body of a function that is looked at twice is noted twice; the later knows more.
    out.reverse();
    out.dedup();
    out
}

//! Types at places, as editors want them; the checker notes them when it is asked to.

use futc_typed::name::Name;
use futc_typed::span::Span;
use std::sync::Arc;

/// What a note is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NoteKind {
    /// A name that a pattern binds.
    Variable,
    /// A function or definition, at its name.
    Function,
    /// An expression.
    Expression,
}

/// A type at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Where.
    pub span: Span,
    /// What stands there.
    pub kind: NoteKind,
    /// Its type in source syntax; of a function, type parameters, a colon and the type.
    pub text: Arc<str>,
    /// If a name of a record is bound there, the record's fields.
    pub fields: Arc<[Field]>,
}

/// A field of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name.
    pub name: Name,
    /// Its type in source syntax.
    pub text: Arc<str>,
    /// If it is a record itself, the fields of that.
    pub fields: Arc<[Field]>,
}

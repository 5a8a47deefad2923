//! What is wrong, at the end of a definition, with what it leaves open and with its literals.

use crate::diag::{Code, Diagnostic};
use futc_typed::prim::PrimType;
use futc_typed::span::Span;

/// What is wrong, or worth a warning.
pub(super) enum FinishError {
    /// A type that nothing determines; what is known of it, in words.
    AmbiguousType { what: String },
    /// A literal with a suffix that is not in the range of its type; its value.
    Overflows { written: String, ty: PrimType, value: String, range: String },
    /// A literal that is not in the range of its type; `bits` if it may be meant as the bits of one.
    OutOfBounds { written: String, ty: PrimType, range: String, bits: bool },
}

impl FinishError {
    /// The diagnostic, of what is at `span`.
    pub(super) fn at(self, span: Span) -> Diagnostic {
        match self {
            FinishError::AmbiguousType { what } => Diagnostic::error(
                Code::AmbiguousType,
                span,
                format!("the type of this is ambiguous: it {what}"),
            )
            .hint("say which type is meant, as in (x : t), here or where a parameter is bound"),
            FinishError::Overflows { written, ty, value, range } => Diagnostic::warning(
                Code::OverflowingLiteral,
                span,
                format!("{written} is not in the range of {ty}: its value is {value}"),
            )
            .hint(range),
            FinishError::OutOfBounds { written, ty, range, bits } => {
                let d = Diagnostic::error(
                    Code::LiteralOutOfBounds,
                    span,
                    format!("the literal {written} is out of bounds for type {ty}"),
                )
                .hint(range);
                match bits {
                    true => {
                        d.hint(format!("write {written}{ty} if these are the bits of the value"))
                    }
                    false => d,
                }
            }
        }
    }
}

//! What is wrong, at the end of a definition, with what it leaves open and with its literals.

use crate::check::infer::unknown::PrimSet;
use crate::diag::{Code, Diagnostic};
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use futc_typed::span::Span;

/// What is wrong, or worth a warning.
pub(crate) enum FinishError {
    /// A type that nothing determines; what is known of it, in words.
    AmbiguousType { what: String },
    /// A literal with a suffix that is not in the range of its type; its value.
    Overflows { written: String, ty: PrimType, value: String, range: String },
    /// A literal that is not in the range of its type; `bits` if it may be meant as the bits of one.
    OutOfBounds { written: String, ty: PrimType, range: String, bits: bool },
    /// One of these types is in that of a definition, which nothing determines, and one is taken; `constant`
    /// if it has no parameters.
    Defaulted { name: Name, constant: bool, from: PrimSet, to: PrimType },
}

impl FinishError {
    /// The diagnostic, of what is at `span`.
    pub(crate) fn at(self, span: Span) -> Diagnostic {
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
            FinishError::Defaulted { name, constant, from, to } => {
                let advice = if constant {
                    format!("say which type is meant, as in def {name}: {to} = …")
                } else {
                    format!("say which type is meant, as in def {name} (x: {to}) … : {to} = …")
                };
                Diagnostic::warning(
                    Code::DefaultedType,
                    span,
                    format!(
                        "the type of {name} is ambiguous: it has {} in it that nothing determines, \
                         and {to} is taken",
                        from.describe()
                    ),
                )
                .hint(advice)
            }
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

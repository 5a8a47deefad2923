//! What is said of types that do not meet what is asked of them.

use crate::check::infer::demand::DemandReason;
use crate::diag::{Code, Diagnostic};
use crate::syntax::ast::Liftedness;
use futc_typed::name::Name;
use futc_typed::span::Span;

/// What kind of type it is that does not meet a demand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// One of functions.
    Function,
    /// A type parameter.
    Param,
    /// Another one: an abstract type.
    Abstract,
}

/// What is wrong with a type. Texts of types are in source syntax.
pub(super) enum DemandError {
    /// Values of a type are compared there that cannot be.
    NoEquality { shown: String, kind: Kind, compared: Span },
    /// A type would be a part of itself.
    Infinite { part: String, whole: String },
    /// A type may hold more than it must, as `is` says, which is asked for there, for this place if it is
    /// known.
    Lifted { shown: String, kind: Kind, is: Liftedness, place: Option<DemandReason>, asked: Span },
    /// A value of a type would have this many parts, more than are possible.
    TooLarge { parts: u64, most: u64 },
}

impl DemandError {
    /// The diagnostic, of what is at `span`.
    pub(super) fn at(self, span: Span) -> Diagnostic {
        let error = |code, message: String| Diagnostic::error(code, span, message);
        match self {
            DemandError::NoEquality { shown, kind, compared } => {
                let why = match kind {
                    Kind::Function => "is a function",
                    Kind::Param => "is a type parameter, which may stand for any type",
                    Kind::Abstract => "is an abstract type",
                };
                let d = error(
                    Code::NoEquality,
                    format!("values of type {shown} cannot be compared with == or !="),
                )
                .at(format!("{shown} {why}"));
                let d = if compared == span { d } else { d.label(compared, "compared here") };
                match kind {
                    Kind::Function => d,
                    Kind::Param | Kind::Abstract => d.hint(
                        "take the comparison as a parameter, as in \
                         def same 't (eq: t -> t -> bool) (x: t) (y: t) = eq x y",
                    ),
                }
            }
            DemandError::Infinite { part, whole } => error(
                Code::OccursCheck,
                format!("the type {part} would have to be {whole}, of which it is a part"),
            )
            .hint("write down the types that are meant, to see where they do not agree"),
            DemandError::Lifted { shown, kind, is, place, asked } => {
                let what = match (kind, is) {
                    (Kind::Function, _) => format!("functions, here of type {shown},"),
                    (_, Liftedness::Lifted) => {
                        format!("values of type {shown}, which may be functions,")
                    }
                    (_, Liftedness::SizeLifted | Liftedness::Unlifted) => {
                        format!("values of type {shown}, which may be arrays of different sizes,")
                    }
                };
                let code = match place {
                    Some(DemandReason::Element) => Code::LiftedArrayElement,
                    Some(DemandReason::Branch) => Code::FunctionalBranch,
                    Some(DemandReason::Loop) => Code::FunctionalLoop,
                    Some(DemandReason::Param(_)) | None => Code::LiftedTypeArgument,
                };
                let (rule, label, hint) = match place {
                    Some(DemandReason::Element) => (
                        "cannot be elements of an array".to_owned(),
                        "an element of an array",
                        "keep functions in a record or tuple, or use a sum type that says which \
                         function is meant",
                    ),
                    Some(DemandReason::Branch) => (
                        "cannot be the result of if or match".to_owned(),
                        "the result of this",
                        "apply the functions inside of the branches",
                    ),
                    Some(DemandReason::Loop) => (
                        "cannot be the parameter of a loop".to_owned(),
                        "the parameter of this loop",
                        "have the loop compute what the function is made from",
                    ),
                    Some(DemandReason::Param(name)) => type_argument(Some(name)),
                    None => type_argument(None),
                };
                let d = error(code, format!("{what} {rule}"));
                let d = if asked == span { d } else { d.label(asked, label) };
                d.hint(hint)
            }
            DemandError::TooLarge { parts, most } => {
                let parts =
                    if parts > 1 << 32 { "more than 2^32".to_owned() } else { parts.to_string() };
                error(
                    Code::TypeTooLarge,
                    format!(
                        "the type of this is too large: a value would consist of {parts} parts, \
                         and {most} are possible"
                    ),
                )
                .hint("use an array where the parts are alike")
            }
        }
    }
}

/// The rule for what is put for a type parameter of this name, what is at the place, and what to do.
fn type_argument(name: Option<Name>) -> (String, &'static str, &'static str) {
    let rule = match name {
        Some(name) => {
            format!("cannot be put for the type parameter {name}, which is not lifted")
        }
        None => "cannot be put for a type parameter that is not lifted".to_owned(),
    };
    (
        rule,
        "the type is inferred here",
        "declare the parameter as '^t if the function's body allows it",
    )
}

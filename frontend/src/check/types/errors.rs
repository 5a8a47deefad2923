//! What is wrong with type expressions, and with names of types and modules.

use crate::diag::{Code, Diagnostic};
use futc_typed::name::Name;
use futc_typed::span::Span;
use futc_typed::types::Liftedness;

/// What is wrong, or worth a warning.
pub(crate) enum TypeError {
    /// There is no type of this name, with its modules; another name is like it.
    UnknownType { shown: String, like: Option<Name> },
    /// There is no module of this name; another name is like it.
    UnknownModule { name: Name, like: Option<Name> },
    /// A value stands where a module must.
    ValueAsModule { name: Name },
    /// A parametric module is used without being applied.
    Parametric,
    /// No array is of an existential size.
    UnusedExistential { name: Name },
    /// `*` on what holds no arrays.
    NothingToConsume,
    /// Elements of an array that may be functions or of unknown size.
    LiftedElement,
    /// Two fields of one name.
    FieldTwice { name: Name },
    /// Two constructors of one name.
    ConstructorTwice { name: Name },
    /// More constructors than a sum type may have.
    TooManyConstructors { most: usize },
    /// Two parameters of one name.
    ParameterTwice { name: Name },
    /// Arguments for what is no name of a type.
    NotApplicable,
    /// Arguments for a type parameter.
    ParameterApplied { name: Name },
    /// Another number of arguments than the type takes.
    ArgumentCount { name: Name, takes: usize, given: usize },
    /// An argument that holds more than the parameter allows.
    LiftedArgument { param: Name, holds: Liftedness },
    /// A type for a size.
    TypeForSize { param: Name },
    /// A size for a type.
    SizeForType { param: Name },
}

impl TypeError {
    /// The diagnostic, of what is at `span`.
    pub(crate) fn at(self, span: Span) -> Diagnostic {
        use TypeError as E;
        let error = |code, message: String| Diagnostic::error(code, span, message);
        let meant = |d: Diagnostic, like: Option<Name>| match like {
            Some(like) => d.hint(format!("did you mean {like}?")),
            None => d,
        };
        match self {
            E::UnknownType { shown, like } => {
                meant(error(Code::UnknownType, format!("there is no type {shown} here")), like)
            }
            E::UnknownModule { name, like } => {
                meant(error(Code::UnknownModule, format!("there is no module {name} here")), like)
            }
            E::ValueAsModule { name } => {
                error(Code::UnknownModule, format!("{name} is a value, and no module"))
            }
            E::Parametric => error(Code::ModuleIsParametric, "this module is parametric".into())
                .hint("apply it to an argument first"),
            E::UnusedExistential { name } => error(
                Code::UnusedExistential,
                format!("the existential size {name} is not the size of any array in this type"),
            )
            .hint(
                "a size must be the size of an array outside of function types, to be known at run \
                 time",
            ),
            E::NothingToConsume => Diagnostic::warning(
                Code::UnusedUniqueness,
                span,
                "* has no effect on this type: its values hold no arrays to consume",
            )
            .hint("leave out the *"),
            E::LiftedElement => error(
                Code::LiftedArrayElement,
                "the elements of an array may hold neither functions nor arrays of unknown size"
                    .into(),
            ),
            E::FieldTwice { name } => error(
                Code::DuplicateField,
                format!("the field {name} is named twice in this record type"),
            ),
            E::ConstructorTwice { name } => error(
                Code::DuplicateConstructor,
                format!("the constructor #{name} is named twice in this sum type"),
            ),
            E::TooManyConstructors { most } => error(
                Code::TooManyConstructors,
                format!("a sum type has at most {most} constructors; this is one more"),
            ),
            E::ParameterTwice { name } => error(
                Code::DuplicateParameter,
                format!("the parameter {name} is named twice in this function type"),
            ),
            E::NotApplicable => error(
                Code::TypeNotApplicable,
                "this type takes no arguments; only a named type does".into(),
            ),
            E::ParameterApplied { name } => error(
                Code::TypeArgumentCount,
                format!("the type parameter {name} takes no arguments"),
            ),
            E::ArgumentCount { name, takes, given } => error(
                Code::TypeArgumentCount,
                format!("the type {name} takes {} and is given {given}", arguments(takes)),
            ),
            E::LiftedArgument { param, holds } => {
                let what = match holds {
                    Liftedness::Lifted => "functions",
                    Liftedness::SizeLifted | Liftedness::Unlifted => "arrays of unknown size",
                };
                error(
                    Code::LiftedTypeArgument,
                    format!("the parameter {param} takes no type that may hold {what}"),
                )
            }
            E::TypeForSize { param } => error(
                Code::TypeArgumentKind,
                format!("the parameter {param} is a size; write the argument in brackets"),
            ),
            E::SizeForType { param } => error(
                Code::TypeArgumentKind,
                format!("the parameter {param} is a type, and a size is given"),
            ),
        }
    }
}

fn arguments(n: usize) -> String {
    match n {
        0 => "no arguments".into(),
        1 => "1 argument".into(),
        n => format!("{n} arguments"),
    }
}

//! What the lints warn of.

use crate::diag::{Code, Diagnostic};
use futc_typed::forced::Forced;
use futc_typed::name::Name;
use futc_typed::span::Span;

/// What is unused, and may be removed or renamed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unused {
    /// A variable.
    Local,
    /// A variable bound to a field of its name.
    Field,
    /// The new value of an update.
    Updated,
    /// A parameter.
    Param,
    /// A type parameter.
    TypeParam,
    /// A parameter of a module.
    ModParam,
    /// A definition that no one else can use.
    LocalDef,
}

/// A warning, with what it is about.
pub(super) enum Lint {
    /// A name is not used.
    Unused { name: Name, what: Unused },
    /// A name hides the size of that name, which is bound there.
    HidesSize { name: Name, size: Span },
    /// Nothing of an import is used.
    UnusedImport { path: String },
    /// Nothing of an opened module is used.
    UnusedOpen,
    /// There is no such attribute; another is like it.
    UnknownAttribute { name: String, like: Option<&'static str> },
    /// There is no such schedule; another is like it.
    UnknownSchedule { name: String, like: Option<&'static str> },
    /// A schedule without its one argument.
    ScheduleArguments,
    /// An attribute that is not there yet.
    AttributeNotYet { name: &'static str },
    /// The arguments of an attribute have no effect.
    AttributeArguments { name: &'static str },
    /// An attribute has no effect.
    AttributeWithoutEffect { name: &'static str },
}

impl Lint {
    /// The warning, of what is at `span`.
    pub(super) fn at(self, span: Span) -> Diagnostic {
        let warning = |code, message: String| Diagnostic::warning(code, span, message);
        match self {
            Lint::Unused { name, what } => {
                let (code, said) = match what {
                    Unused::Local | Unused::Field => (Code::UnusedName, ""),
                    Unused::Updated => (Code::UnusedName, "the updated "),
                    Unused::Param => (Code::UnusedParameter, "the parameter "),
                    Unused::TypeParam => (Code::UnusedParameter, "the type parameter "),
                    Unused::ModParam => (Code::UnusedParameter, "the module parameter "),
                    Unused::LocalDef => (Code::UnusedDefinition, "the local definition "),
                };
                let hint = match what {
                    Unused::Field => format!("if that is meant, write {name} = _"),
                    Unused::Updated => {
                        "an update makes a new array; what it was made from is gone".to_owned()
                    }
                    Unused::LocalDef | Unused::TypeParam => "remove it".to_owned(),
                    Unused::Local | Unused::Param | Unused::ModParam => {
                        format!("if that is meant, call it _{name}")
                    }
                };
                warning(code, format!("{said}{name} is never used")).hint(hint)
            }
            Lint::HidesSize { name, size } => warning(
                Code::ShadowedSize,
                format!("{name} hides the size {name}, which types still speak of"),
            )
            .label(size, "this size cannot be named from here on")
            .hint("give one of the two another name"),
            Lint::UnusedImport { path } => {
                warning(Code::UnusedImport, format!("nothing of the import {path:?} is used"))
                    .hint("remove it")
            }
            Lint::UnusedOpen => {
                warning(Code::UnusedOpen, "nothing of the module opened here is used".into())
                    .hint("remove it")
            }
            Lint::UnknownAttribute { name, like } => {
                let d = warning(
                    Code::UnknownAttribute,
                    format!("there is no attribute {name}: it does nothing"),
                );
                match like {
                    Some(like) => d.hint(format!("did you mean {like}?")),
                    None => d,
                }
            }
            Lint::UnknownSchedule { name, like } => {
                let d = warning(
                    Code::UnknownAttribute,
                    format!("there is no schedule {name}: the attribute does nothing"),
                );
                match like {
                    Some(like) => d.hint(format!("did you mean {like}?")),
                    None => d.hint(schedules()),
                }
            }
            Lint::ScheduleArguments => warning(
                Code::UnknownAttribute,
                "schedule has one name in parentheses; without it, it does nothing".into(),
            )
            .hint(schedules()),
            Lint::AttributeNotYet { name } => warning(
                Code::AttributeWithoutEffect,
                format!("{name} is not there yet, and does nothing"),
            ),
            Lint::AttributeArguments { name } => warning(
                Code::AttributeWithoutEffect,
                format!("what is in parentheses does nothing: {name} is the same without it"),
            ),
            Lint::AttributeWithoutEffect { name } => warning(
                Code::AttributeWithoutEffect,
                format!("the attribute {name} has no effect in this compiler"),
            ),
        }
    }
}

/// What may be asked for.
fn schedules() -> String {
    format!("there are {}", Forced::ALL.map(Forced::name).join(", "))
}

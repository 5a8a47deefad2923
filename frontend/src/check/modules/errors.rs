//! What can be wrong with modules and module types.

use crate::diag::{Code, Diagnostic};
use futc_typed::name::Name;
use futc_typed::span::Span;

/// What is wrong, or worth a warning. Texts of types are in source syntax; names of members of a module have
/// those of the modules they are in before them.
pub(crate) enum ModuleError {
    /// There is no module type of this name.
    UnknownModuleType { name: Name },
    /// A name is specified twice.
    SpecifiedTwice { name: Name, first: Span },
    /// A name is defined twice.
    DefinedTwice { name: Name, first: Span },
    /// The type of a parametric module is included.
    IncludesParametric,
    /// An include hides what was specified before, there.
    HidesSpecified { what: &'static str, name: Name, hidden: Option<Span> },
    /// The type of a parametric module is refined.
    RefinesParametric,
    /// A refinement is of a type that is not there.
    RefinesMissing { shown: String },
    /// A refinement is of a type that is not abstract.
    RefinesKnown { shown: String },
    /// A refinement has other parameters than the abstract type.
    RefinesParameters { shown: String },
    /// A parameter of a refinement takes less than that of the abstract type.
    RefinesNarrower { shown: String, param: Name },
    /// A refinement holds functions, and the abstract type does not.
    RefinesWithFunctions { shown: String },
    /// A module should be parametric and is not.
    NotParametric,
    /// A module is parametric and should not be.
    Parametric,
    /// A member should be a parametric module and is none.
    MemberNotParametric { shown: String },
    /// A member is a parametric module and should be none.
    MemberParametric { shown: String },
    /// A type is missing.
    MissingType { shown: String },
    /// A module is missing.
    MissingModule { shown: String },
    /// A value is missing, which is specified there with this type.
    MissingValue { shown: String, name: Name, ty: String, specified: Span },
    /// A type is another than is asked for.
    OtherType {
        have: String,
        want: String,
        defined: Span,
        specified: Option<Span>,
        why: Option<Misfit>,
    },
    /// A type cannot be made abstract: a parameter of it is no size.
    NotAbstractable { shown: String, param: Name, defined: Span },
    /// A value of one size is to be of a type that stands for arrays of any size.
    ForgetsSize { shown: String, specified: Span },
    /// A built-in operator is not defined at the type that is asked for.
    OperatorNotDefined { name: Name, ty: String, specified: Span },
    /// A value is of another type than is asked for.
    OtherValue { shown: String, have: String, want: String, defined: Span, specified: Span },
    /// An entry point is declared inside of a module.
    NestedEntry { name: Name },
    /// A definition was refused, and nothing said why.
    Unexplained { name: Name },
    /// The module of intrinsics is used as a module.
    UsesIntrinsics,
    /// A module is applied that is not parametric.
    AppliesStructure,
}

/// Why a type cannot be what an abstract one stands for.
pub(crate) enum Misfit {
    /// Its parameters are others.
    Parameters,
    /// Its values may be functions.
    Functions,
    /// Its values may be arrays of different sizes.
    Sizes,
}

impl ModuleError {
    /// The diagnostic, of what is at `span`.
    pub(crate) fn at(self, span: Span) -> Diagnostic {
        use ModuleError as E;
        let error = |code, message: String| Diagnostic::error(code, span, message);
        match self {
            E::UnknownModuleType { name } => {
                error(Code::UnknownModuleType, format!("there is no module type {name} here"))
            }
            E::SpecifiedTwice { name, first } => error(
                Code::DuplicateDefinition,
                format!("{name} is specified twice in one module type"),
            )
            .label(first, "first here"),
            E::DefinedTwice { name, first } => {
                error(Code::DuplicateDefinition, format!("{name} is defined twice in one module"))
                    .label(first, "first here")
            }
            E::IncludesParametric => error(
                Code::ParametricModuleType,
                "the type of a parametric module cannot be included".into(),
            ),
            E::HidesSpecified { what, name, hidden } => {
                let d = Diagnostic::warning(
                    Code::HiddenByInclude,
                    span,
                    format!("this include hides the {what} {name}, which was specified before"),
                )
                .at(format!("{name} is specified here again"))
                .hint(
                    "if the two are meant to be one, give the one to the other with a refinement, \
                     as in include S with t = t",
                );
                match hidden {
                    Some(hidden) => d.label(hidden, "what is hidden"),
                    None => d,
                }
            }
            E::RefinesParametric => error(
                Code::ParametricModuleType,
                "the type of a parametric module cannot be refined".into(),
            ),
            E::RefinesMissing { shown } => {
                error(Code::UnknownType, format!("the module type has no type {shown}"))
            }
            E::RefinesKnown { shown } => error(
                Code::TypeNotAbstract,
                format!(
                    "the type {shown} is not abstract in the module type, so it cannot be refined"
                ),
            ),
            E::RefinesParameters { shown } => error(
                Code::TypeArgumentCount,
                format!("the type {shown} has other parameters in the module type"),
            ),
            E::RefinesNarrower { shown, param } => error(
                Code::LiftednessMismatch,
                format!(
                    "the parameter {param} of {shown} takes fewer types than in the module type"
                ),
            ),
            E::RefinesWithFunctions { shown } => error(
                Code::LiftednessMismatch,
                format!("the type {shown} is declared not to hold functions"),
            ),
            E::NotParametric => error(
                Code::ModuleMismatch,
                "the module is not parametric, but its type is that of a parametric module".into(),
            ),
            E::Parametric => {
                error(Code::ModuleMismatch, "the module is parametric, but its type is not".into())
                    .hint("apply the parametric module to an argument first")
            }
            E::MemberNotParametric { shown } => error(
                Code::ModuleMismatch,
                format!("the module {shown} should be parametric and is not"),
            ),
            E::MemberParametric { shown } => error(
                Code::ModuleMismatch,
                format!("the module {shown} is parametric and should not be"),
            ),
            E::MissingType { shown } => error(
                Code::MissingType,
                format!("the module has no type {shown}, which the module type asks for"),
            ),
            E::MissingModule { shown } => error(
                Code::MissingModule,
                format!("the module has no module {shown}, which the module type asks for"),
            ),
            E::MissingValue { shown, name, ty, specified } => error(
                Code::MissingValue,
                format!("the module has no value {shown}, which the module type asks for"),
            )
            .label(specified, format!("val {name} {ty}")),
            E::OtherType { have, want, defined, specified, why } => {
                let mut d = error(
                    Code::ModuleTypeMismatch,
                    format!("the module has {have}, but the module type asks for {want}"),
                )
                .label(defined, "defined here");
                if let Some(specified) = specified {
                    d = d.label(specified, "specified here");
                }
                match why {
                    None => d,
                    Some(Misfit::Parameters) => {
                        d.hint("the parameters must be of the same number and kinds")
                    }
                    Some(Misfit::Functions) => d.hint(
                        "values of this type may be functions; declare it with type^ in the module \
                         type",
                    ),
                    Some(Misfit::Sizes) => d.hint(
                        "values of this type may be arrays of different sizes; declare it with type~ \
                         in the module type",
                    ),
                }
            }
            E::NotAbstractable { shown, param, defined } => error(
                Code::ModuleTypeMismatch,
                format!(
                    "the type {shown} cannot be abstract: its parameter {param} is not the size of \
                     an array in it"
                ),
            )
            .label(defined, "defined here"),
            E::ForgetsSize { shown, specified } => error(
                Code::ModuleValueMismatch,
                format!(
                    "the value {shown} has arrays of one size, but by the module type it is of an \
                     abstract type that stands for arrays of any size"
                ),
            )
            .label(specified, "specified here")
            .hint("make it a function with a parameter of type ()"),
            E::OperatorNotDefined { name, ty, specified } => error(
                Code::ModuleValueMismatch,
                format!("the built-in operator {name} is not defined at this type"),
            )
            .label(specified, format!("val {name} {ty}")),
            E::OtherValue { shown, have, want, defined, specified } => error(
                Code::ModuleValueMismatch,
                format!(
                    "the module has val {shown} {have}, but the module type asks for val {shown} \
                     {want}"
                ),
            )
            .label(defined, format!("val {shown} {have}"))
            .label(specified, format!("val {shown} {want}")),
            E::NestedEntry { name } => error(
                Code::NestedEntry,
                "an entry point cannot be declared inside a module".into(),
            )
            .hint(format!(
                "declare it with def, and add entry {name} = M.{name} at the top of the file"
            )),
            E::Unexplained { name } => {
                error(Code::InternalError, format!("{name} is refused, but futc does not know why"))
            }
            E::UsesIntrinsics => error(
                Code::IntrinsicsModule,
                "the module intrinsics cannot be used in a module expression".into(),
            ),
            E::AppliesStructure => error(
                Code::ModuleNotParametric,
                "this module is applied, but is not parametric".into(),
            ),
        }
    }
}

//! What is wrong with expressions and patterns, beyond types that differ.

use crate::diag::{Code, Diagnostic};
use futc_typed::name::Name;
use futc_typed::span::Span;

/// What is wrong, or worth a warning. Texts of types are in source syntax, names have their modules before
/// them.
pub(crate) enum ExpError {
    /// An argument that is the size of a result is no size expression.
    ArgumentIsNoSize,
    /// What is applied is no function; its name, if it has one, its type and the first argument.
    NotAFunction { name: Option<String>, ty: String, argument: Span },
    /// More arguments than a function takes; where it stands, and its type.
    TooManyArguments {
        name: Option<String>,
        takes: usize,
        given: usize,
        function: Span,
        ty: String,
    },
    /// What is no array is to be indexed, say.
    NotAnArray { done: &'static str, shown: String },
    /// An index has more dimensions than the array.
    TooManyIndexes { rank: usize, given: usize, shown: String },
    /// A name is bound twice; `of_parameter` if by parameters.
    BoundTwice { name: Name, what: &'static str, first: Span, of_parameter: bool },
    /// A loop without an initial value, and a pattern that is none.
    NoInitialValue,
    /// A field, there, of a record is updated whose other fields are not known.
    RecordNotKnown { field: Span },
    /// A name that begins with an underscore is used.
    UnderscoreUsed { name: Name },
    /// There is no module or value of this name.
    UnknownModuleOrValue { name: Name },
    /// A module stands where a value must.
    ModuleAsValue { shown: String },
    /// There is no value of this name; another name is like it.
    UnknownValue { shown: String, like: Option<String> },
    /// An operator that makes derivatives.
    NoDerivatives { name: Name },
    /// An expression in brackets that is no size.
    NotASize,
    /// A record pattern for what is no record.
    RecordPattern { shown: String },
    /// A type has no such field.
    UnknownField { name: Name, shown: String },
    /// A field is matched twice.
    FieldMatchedTwice { name: Name },
    /// A field is defined twice.
    FieldTwice { name: Name },
    /// A pattern lacks a field of this type.
    MissingField { name: Name, shown: String },
    /// A constructor has another number of components.
    ConstructorArity { name: Name, takes: usize, given: usize },
    /// A type has no such constructor.
    UnknownConstructor { name: Name, shown: String },
}

impl ExpError {
    /// The diagnostic, of what is at `span`.
    pub(crate) fn at(self, span: Span) -> Diagnostic {
        use ExpError as E;
        let error = |code, message: String| Diagnostic::error(code, span, message);
        match self {
            E::ArgumentIsNoSize => Diagnostic::warning(
                Code::SizeExpressionBind,
                span,
                "this argument is the size of the result, but cannot be one: it binds or updates \
                 something, so the size is taken for unknown",
            )
            .hint("give the argument a name with let, and apply the function to the name"),
            E::NotAFunction { name, ty, argument } => {
                let name = name.unwrap_or_else(|| "this".into());
                error(
                    Code::NotAFunction,
                    format!(
                        "{name} is applied to an argument, but has type {ty}: it is no function"
                    ),
                )
                .label(argument, "this is its argument")
            }
            E::TooManyArguments { name, takes, given, function, ty } => {
                let name = name.unwrap_or_else(|| "a function".into());
                let takes = match takes {
                    1 => "1 argument".to_owned(),
                    n => format!("{n} arguments"),
                };
                error(
                    Code::TooManyArguments,
                    format!("too many arguments: {name} takes {takes} and is given {given}"),
                )
                .at("this is one too many")
                .label(function, format!("this has type {ty}"))
            }
            E::NotAnArray { done, shown } => error(
                Code::NotAnArray,
                format!("only an array can be {done}, but this has type {shown}"),
            )
            .at(format!("this has type {shown}")),
            E::TooManyIndexes { rank, given, shown } => error(
                Code::NotAnArray,
                format!(
                    "an array of {rank} {} is indexed in {given}",
                    if rank == 1 { "dimension" } else { "dimensions" }
                ),
            )
            .at(format!("this has type {shown}")),
            E::BoundTwice { name, what, first, of_parameter } => error(
                if of_parameter { Code::DuplicateParameter } else { Code::DuplicateName },
                format!("the {what} {name} is bound twice"),
            )
            .at("bound again here")
            .label(first, "also bound here")
            .hint("give one of them another name, or write _ where the value is not used"),
            E::NoInitialValue => error(
                Code::LoopWithoutInitialValue,
                "this loop needs an initial value: its pattern is not made of names".into(),
            ),
            E::RecordNotKnown { field } => error(
                Code::RecordTypeNotKnown,
                "the type of the record updated here is not known yet".into(),
            )
            .label(field, "this field is updated")
            .hint(
                "write its type where it is bound, as in (r : {x: i32}), since an update must know \
                 all fields",
            ),
            E::UnderscoreUsed { name } => error(
                Code::UnderscoreUse,
                format!("{name} cannot be used: its name starts with an underscore"),
            )
            .hint("such names say that a value is not used; rename it where it is bound"),
            E::UnknownModuleOrValue { name } => {
                error(Code::UnknownName, format!("there is no module or value {name} here"))
            }
            E::ModuleAsValue { shown } => {
                error(Code::UnknownName, format!("{shown} is a module, and no value"))
            }
            E::UnknownValue { shown, like } => {
                let d = error(Code::UnknownName, format!("there is no value named {shown} here"));
                match like {
                    Some(like) => d.hint(format!("did you mean {like}?")),
                    None => d,
                }
            }
            E::NoDerivatives { name } => error(
                Code::NotImplemented,
                format!("{name} is not there: automatic differentiation is not there yet"),
            )
            .hint("write the derivative as a function of its own"),
            E::NotASize => error(
                Code::NotASize,
                "an expression that binds or updates something is no size".into(),
            ),
            E::RecordPattern { shown } => {
                error(Code::TypeMismatch, format!("a record pattern cannot match type {shown}"))
            }
            E::UnknownField { name, shown } => {
                error(Code::UnknownField, format!("there is no field {name} in type {shown}"))
            }
            E::FieldMatchedTwice { name } => {
                error(Code::DuplicateField, format!("the field {name} is matched twice"))
            }
            E::FieldTwice { name } => {
                error(Code::DuplicateField, format!("the field {name} is defined twice"))
            }
            E::MissingField { name, shown } => error(
                Code::MissingField,
                format!("the pattern lacks the field {name} of type {shown}"),
            ),
            E::ConstructorArity { name, takes, given } => error(
                Code::ConstructorArity,
                format!(
                    "the constructor #{name} has {takes} component{}, but {given} {} matched",
                    if takes == 1 { "" } else { "s" },
                    if given == 1 { "is" } else { "are" }
                ),
            ),
            E::UnknownConstructor { name, shown } => error(
                Code::UnknownConstructor,
                format!("there is no constructor #{name} in {shown}"),
            ),
        }
    }
}

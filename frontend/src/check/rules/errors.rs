//! What breaks the rules.

use crate::diag::{Code, Diagnostic};
use futc_typed::name::Name;
use futc_typed::span::Span;

/// What is wrong, or worth a warning. Texts of types are in source syntax. Where a size comes from is added by
/// who reports it.
pub(crate) enum RuleError {
    /// No array has a size in brackets.
    UnusedSize { size: Name, place: &'static str },
    /// A loop changes a size that something outside of it has.
    LoopVariantEscape { size: Name },
    /// A loop parameter is of a size that the loop's body makes.
    SizeFromLoopBody { size: Name },
    /// A parameter would mention a size that a function makes at each application.
    ExistentialParam { shown: String, size: Name },
    /// A parameter is of a size that is bound inside of another parameter, there.
    HiddenInParameter { shown: String, size: Name, bound: Span },
    /// A result is of a size that is bound inside of a parameter, there.
    HiddenFromResult { shown: String, size: Name, bound: Span },
    /// A constant has a size parameter, and its value an unknown size.
    PolymorphicConstant { name: Name, size: Name, exists: Name },
    /// A parameter in the type of a definition is of a size that nobody knows.
    UnknownParam { name: Name, size: Name, shown: String },
    /// A size is needed before it is known.
    TooEarly { size: Name, what: String, shown: String },
    /// Nothing says what a size is, of something of this type.
    AmbiguousSize { size: String, what: String, shown: String },
    /// Nothing says what a size is that a variable is bound to.
    AmbiguousBinding { name: String },
    /// Values that no case matches; the first ones, and whether there are more.
    Unmatched { missing: Vec<String>, more: bool },
    /// A case that is never reached.
    UnreachableCase,
    /// A pattern that does not match this value, where it must match all.
    Refutable { place: &'static str, missing: String },
    /// Patterns too many to be looked at.
    MatchTooLarge,
    /// A definition calls itself and yields functions.
    RecursionYieldsFunctions { name: String, shown: String },
    /// A recursive application lacks arguments, and the definition, there, takes functions.
    RecursionNotSaturated { definition: Span },
    /// A definition that takes functions, there, uses itself other than by an application.
    RecursionNotApplied { definition: Span },
    /// A recursive application passes another function on than it was given.
    RecursionChangesFunction { definition: Span },
}

impl RuleError {
    /// The diagnostic, of what is at `span`.
    pub(crate) fn at(self, span: Span) -> Diagnostic {
        use RuleError as E;
        let error = |code, message: String| Diagnostic::error(code, span, message);
        match self {
            E::UnusedSize { size, place } => error(
                Code::UnusedSize,
                format!("the size {size} is not the size of any array in the {place}"),
            )
            .hint(
                "a size is read from an array that has it; a function has no size to be read. Bind an \
                 ordinary variable of type i64 instead",
            ),
            E::LoopVariantEscape { size } => error(
                Code::LoopVariantEscape,
                format!(
                    "the size {size} of this loop parameter changes from one iteration to the next, \
                     but the size of something defined outside of the loop depends on it"
                ),
            )
            .hint(
                "write down the sizes of what the loop uses from outside, or coerce it inside of the \
                 loop, as in e :> [n]t",
            ),
            E::SizeFromLoopBody { size } => error(
                Code::CausalityCheck,
                format!(
                    "the loop parameter must have the size {size}, which comes into being only \
                     inside the loop body"
                ),
            )
            .hint("coerce the loop parameter inside of the body, as in e :> [n]t"),
            E::ExistentialParam { shown, size } => error(
                Code::ExistentialParamRet,
                format!(
                    "a parameter here would have type {shown}, where the size {size} exists only \
                     once another function has been applied"
                ),
            )
            .hint(
                "pass the array on rather than composing functions: xs |> f |> g, or g (f xs), in \
                 place of f >-> g",
            ),
            E::HiddenInParameter { shown, size, bound } => error(
                Code::InaccessibleSize,
                format!(
                    "this parameter has type {shown}, but the size {size} cannot be told by who \
                     applies the function: it is part of another parameter"
                ),
            )
            .label(bound, format!("{size} is bound here, inside of a pattern"))
            .hint(format!("make {size} a parameter of its own")),
            E::HiddenFromResult { shown, size, bound } => error(
                Code::InaccessibleSize,
                format!(
                    "the result has type {shown}, but the size {size} cannot be told by who applies \
                     the function: it is part of a parameter"
                ),
            )
            .label(bound, format!("{size} is bound here, inside of a pattern"))
            .hint(format!("make {size} a parameter of its own")),
            E::PolymorphicConstant { name, size, exists } => error(
                Code::SizePolymorphicValue,
                format!(
                    "{name} is no function, has the size parameter {size}, and its value has the \
                     unknown size {exists}: that would be another value for each size"
                ),
            )
            .hint("make it a function with a parameter of type ()"),
            E::UnknownParam { name, size, shown } => error(
                Code::UnknownParamDef,
                format!(
                    "the unknown size {size} would be that of a parameter in the type of {name}: \
                     nobody could make an argument of that size for {shown}"
                ),
            )
            .hint(
                "take an array of any size, and coerce it inside of the function: \
                 \\(xs: []t) -> let ys = xs :> [n]t in …",
            ),
            E::TooEarly { size, what, shown } => error(
                Code::CausalityCheck,
                format!("the size {size} is needed {what}, of type {shown}, before it is known"),
            )
            .hint(
                "bind the expression that makes the size with let, before the expression that needs \
                 it",
            ),
            E::AmbiguousSize { size, what, shown } => error(
                Code::AmbiguousSize,
                format!(
                    "the size {size} is ambiguous: it is needed {what}, of type {shown}, and nothing \
                     says what it is"
                ),
            )
            .hint("say it with a type, as in (e : [10]t), or \\(xs: [10]t) -> … for a parameter"),
            E::AmbiguousBinding { name } => error(
                Code::AmbiguousSize,
                format!("the size {name} is ambiguous: nothing says what it is"),
            )
            .hint("give the bound expression a type with sizes, as in e : [0][2]t"),
            E::Unmatched { missing, more } => {
                let (be, more) = match (missing.len(), more) {
                    (1, false) => ("this value is", ""),
                    (_, false) => ("these values are", ""),
                    (_, true) => ("these values are", ", ..."),
                };
                let shown = missing.join(", ");
                let d = error(
                    Code::UnmatchedCases,
                    format!("unmatched cases: {be} not matched by any case: {shown}{more}"),
                );
                match missing.first() {
                    Some(first) => d.hint(format!(
                        "add a case for each, such as case {first} -> ..., or case _ -> ... for all"
                    )),
                    None => d,
                }
            }
            E::UnreachableCase => Diagnostic::warning(
                Code::UnreachableCase,
                span,
                "this case is never reached: earlier cases match all that it matches",
            ),
            E::Refutable { place, missing } => error(
                Code::RefutablePattern,
                format!("a refutable pattern cannot be {place}: this does not match {missing}"),
            )
            .hint("only match can tell values apart: match x case p -> ... case _ -> ..."),
            E::MatchTooLarge => error(
                Code::MatchTooLarge,
                "whether these patterns match every value cannot be told: they are too many or too \
                 large"
                    .into(),
            )
            .hint("this is a limit of the compiler; split the match into several, one in another"),
            E::RecursionYieldsFunctions { name, shown } => error(
                Code::RecursionNotFirstOrder,
                format!(
                    "{name} calls itself, so its result must be first-order, but it has type {shown}"
                ),
            )
            .hint("give it the parameters of the function it returns as further parameters"),
            E::RecursionNotSaturated { definition } => error(
                Code::RecursionNotSaturated,
                "a recursive application with a higher-order parameter must be fully saturated: not \
                 all arguments are given"
                    .into(),
            )
            .label(definition, "this has a higher-order parameter")
            .hint("give all arguments at once"),
            E::RecursionNotApplied { definition } => error(
                Code::RecursionNotSaturated,
                "a recursive function with a higher-order parameter cannot be used here except in an \
                 application to all its arguments"
                    .into(),
            )
            .label(definition, "this has a higher-order parameter")
            .hint("apply it, as in \\x -> f x"),
            E::RecursionChangesFunction { definition } => error(
                Code::RecursionChangesFunction,
                "a recursive application must pass its higher-order parameters unchanged".into(),
            )
            .label(definition, "this has a higher-order parameter")
            .hint("pass the parameter itself here; what varies must not be a function"),
        }
    }
}

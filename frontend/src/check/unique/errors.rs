//! What is said of consumption and aliases.

use super::memory::MemoryName;
use super::state::Use;
use crate::diag::{Code, Diagnostic};
use futc_typed::name::Name;
use futc_typed::span::Span;
use std::fmt;

/// How a function does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Misfit {
    /// It consumes what it must not consume.
    Consumes,
    /// Its result may alias something and must not.
    Aliases,
}

/// How memory is spoken of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Called {
    /// It has a name.
    Named(MemoryName),
    /// It is the result of this function.
    ResultOf(MemoryName),
    /// It has no name.
    Unnamed,
}

impl Called {
    /// By a name, if there is one.
    pub(super) fn of(name: Option<MemoryName>) -> Called {
        name.map_or(Called::Unnamed, Called::Named)
    }
}

impl fmt::Display for Called {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Called::Named(path) => write!(f, "`{path}`"),
            Called::ResultOf(path) => write!(f, "the result of `{path}`"),
            Called::Unnamed => f.write_str("this value"),
        }
    }
}

/// A variable aliases something because of what it is bound to, there.
pub(super) struct Step {
    pub(super) name: Name,
    pub(super) of: Called,
    pub(super) bound: Span,
}

/// An alias: what to call it, how it came to its memory, and the call whose result that is, if components of
/// it may be one.
pub(super) struct Aliased {
    pub(super) name: Option<MemoryName>,
    pub(super) trail: Vec<Step>,
    pub(super) shared: Option<Span>,
}

impl Aliased {
    /// How it is spoken of.
    pub(super) fn called(&self) -> Called {
        Called::of(self.name.clone())
    }
}

/// Why memory may not be consumed.
pub(super) enum WhyKept {
    /// It is that of a parameter without `*`.
    Param,
    /// It is that of a loop's parameter without `*`.
    LoopParam,
    /// It may be a constant.
    MaybeConstant,
    /// It is a constant.
    Constant,
    /// It is bound outside of a function.
    OutsideFunction,
    /// It is bound outside of a loop.
    OutsideLoop,
    /// It is used by a size.
    InSize,
}

/// A loop's parameter that is consumed, and an alias of its next value.
pub(super) struct LoopParam {
    /// What the parameter is called.
    pub(super) param: Option<Called>,
    /// Where it is consumed, if that is known, or where it is bound.
    pub(super) consumed: Option<Span>,
    pub(super) declared: Option<Span>,
    pub(super) next: Aliased,
}

/// What is wrong, or worth a warning.
pub(super) enum UniqueError {
    /// A parameter with `*` is not consumed.
    NeverConsumed { name: Option<Name> },
    /// Something is used of which the memory is consumed there, under the name of `gone`; `same` if that is
    /// how it is used.
    UseAfterConsume { used: Aliased, gone: Aliased, same: bool, how: Use, consumed: Span },
    /// Something is consumed that may not be: what its memory is called if it is something else, and why.
    NotConsumable { what: Aliased, of: Option<Called>, why: Option<(WhyKept, Span)> },
    /// What is written into an array may be a part of it; its text, if it is short.
    UpdateAliasesSource { what: Aliased, array: Span, text: Option<String> },
    /// Two components of what is consumed may be one.
    SelfAliasing { what: Aliased },
    /// A call consumes an argument and has it by another way, there.
    AliasedArgument { what: Aliased, other: Span },
    /// An expression that yields a function consumes something, there; `argument` if it is an argument.
    ContainsConsumption { consumed: Span, argument: bool },
    /// A function does not fit; `argument` if where it is given to another one.
    Misfit { how: Misfit, argument: bool },
    /// A result that is declared unique aliases what may not be consumed.
    ReturnAliased { what: Aliased, of: Called, why: Option<(WhyKept, Span)> },
    /// Two components of a result may be one, and one of them is unique.
    UniqueReturnAliased { what: Aliased },
    /// A result may be a constant, which is used there.
    AliasesConstant { what: Aliased, of: Called, used: Option<Span> },
    /// The type of a constant is unique.
    UniqueConstant,
    /// The next value of a consumed parameter is not the loop's to consume.
    LoopParamAliases(LoopParam),
    /// The next values of two parameters may be one, and the first is consumed.
    LoopParamsAlias(LoopParam),
    /// The next values of two parameters may be one, and the second is consumed.
    AliasesReturned(LoopParam),
}

impl UniqueError {
    /// The diagnostic, of what is at `span`.
    pub(super) fn at(self, span: Span) -> Diagnostic {
        use UniqueError as E;
        let error = |code, message: String| Diagnostic::error(code, span, message);
        match self {
            E::NeverConsumed { name } => {
                let what = match name {
                    Some(name) => format!("the parameter {name}"),
                    None => "this parameter".to_owned(),
                };
                Diagnostic::warning(
                    Code::UnusedUniqueness,
                    span,
                    format!("{what} is marked with *, but the function never consumes it"),
                )
                .hint("leave out the *, so that callers may go on using what they pass")
            }
            E::UseAfterConsume { used: a, gone: by, same, how, consumed } => {
                let (used, gone) = (a.called(), by.called());
                let through = if same || used == gone {
                    "it was consumed".to_owned()
                } else {
                    format!("it may share memory with {gone}, which was consumed")
                };
                let d = match how {
                    Use::Whole(_) => {
                        error(Code::UseAfterConsume, format!("{used} is used here, but {through}"))
                            .at("used here, after it was consumed")
                            .label(consumed, format!("{gone} is consumed here"))
                    }
                    Use::Held(_) => error(
                        Code::UseAfterConsume,
                        format!("{used} is still needed when {gone} is consumed"),
                    )
                    .at("needed until the whole is evaluated")
                    .label(consumed, format!("{gone} is consumed here, before that")),
                    Use::InLoop(_) => error(
                        Code::UseAfterConsume,
                        format!(
                            "{used} is used here, in a loop, but {through}: it is the loop's \
                             initial value"
                        ),
                    )
                    .at("used in every round")
                    .label(consumed, format!("the loop consumes {gone} at the start")),
                };
                let d = trail(trail(d, &a), &by);
                copied(shared(d, &a), "consume a copy instead", &by)
            }
            E::NotConsumable { what, of, why } => {
                let name = what.called();
                let message = match &of {
                    Some(of) => format!(
                        "{name} is consumed here, but it may share memory with {of}, which is not \
                         consumable"
                    ),
                    None => format!("{name} is consumed here, but it is not consumable"),
                };
                let d = error(Code::NotConsumable, message).at("consumed here");
                let d = trail(kept(d, &why, &of.unwrap_or(name)), &what);
                let d = match why {
                    Some((WhyKept::Param, _)) => d.hint(
                        "if the function may use up its argument, mark the parameter's type with \
                         `*`",
                    ),
                    Some((WhyKept::LoopParam, _)) => {
                        d.hint("mark the type of the loop's parameter with `*`")
                    }
                    _ => d,
                };
                copied(d, "consume a copy instead", &what)
            }
            E::UpdateAliasesSource { what, array, text } => {
                let d = error(
                    Code::UpdateAliasesSource,
                    format!(
                        "the value written may share memory with the array that it is written to, \
                         {}",
                        what.called()
                    ),
                )
                .at("may be part of the array")
                .label(array, "this array is updated in place");
                let plain = |b: u8| b.is_ascii_alphanumeric() || b"_'.[]".contains(&b);
                let d = trail(d, &what);
                match text {
                    Some(text) if text.bytes().all(plain) => {
                        d.hint(format!("write a copy: `copy {text}`"))
                    }
                    Some(text) => d.hint(format!("write a copy: `copy ({text})`")),
                    None => d.hint("write a copy of the value, made with `copy`"),
                }
            }
            E::SelfAliasing { what } => {
                let d = error(
                    Code::SelfAliasingArg,
                    format!(
                        "this is consumed, but two of its components may share memory: both hold {}",
                        what.called()
                    ),
                )
                .at("consumed, and not free of aliases within");
                copied(shared(trail(d, &what), &what), "let one of them be a copy", &what)
            }
            E::AliasedArgument { what, other } => {
                let d = error(
                    Code::UseAfterConsume,
                    format!(
                        "{} is consumed by this call, which also has it by another way",
                        what.called()
                    ),
                )
                .at("consumed by the call")
                .label(other, "this may share memory with it");
                copied(trail(d, &what), "consume a copy instead", &what)
            }
            E::ContainsConsumption { consumed, argument } => {
                let (code, what) = match argument {
                    true => (Code::ConsumingArgument, "this argument"),
                    false => (Code::ContainsConsumption, "the value of this expression"),
                };
                let d = error(
                    code,
                    format!(
                        "{what} is or holds a function, so the expression must not consume anything"
                    ),
                )
                .at("this yields a function");
                let d = if consumed == span { d } else { d.label(consumed, "consumed here") };
                d.hint(
                    "the function may be applied more than once: let it work on a copy, or give it \
                     all its arguments at once",
                )
            }
            E::Misfit { how: Misfit::Consumes, argument: true } => error(
                Code::ConsumingArgument,
                "this function consumes its argument, and is passed where one is expected that \
                 does not"
                    .into(),
            )
            .at("consumes its argument")
            .hint(
                "let it work on a copy of its argument, or mark the parameter of the function type \
                 that is expected with *",
            ),
            E::Misfit { how: Misfit::Consumes, argument: false } => error(
                Code::UnifyConsumingParam,
                "this function consumes its argument, but its type is to say that it does not"
                    .into(),
            )
            .at("consumes its argument")
            .hint("mark the parameter with * in the type as well: `*[]i32 -> i32`"),
            E::Misfit { how: Misfit::Aliases, .. } => error(
                Code::ResultNotUnique,
                "the result of this function may alias something, where a function is expected \
                 whose result is unique"
                    .into(),
            )
            .at("its result is not unique")
            .hint("let the function return a copy, and mark its result type with *"),
            E::ReturnAliased { what, of, why } => {
                let d = error(
                    Code::ReturnAliased,
                    format!(
                        "the result is declared unique, but may share memory with {of}, which is \
                         not consumable"
                    ),
                )
                .at("the result");
                copied(trail(kept(d, &why, &of), &what), "return a copy", &what)
            }
            E::UniqueReturnAliased { what } => {
                let d = error(
                    Code::UniqueReturnAliased,
                    format!(
                        "two components of the result may share memory, {}, and one is unique",
                        what.called()
                    ),
                )
                .at("the result");
                copied(shared(trail(d, &what), &what), "let one of them be a copy", &what)
            }
            E::AliasesConstant { what, of, used } => {
                let d = error(
                    Code::AliasFreeVariable,
                    format!(
                        "the function's result may share memory with the top-level constant {of}"
                    ),
                )
                .at("the result");
                let d = match used {
                    Some(used) if used != span => d.label(used, "the constant is used here"),
                    _ => d,
                };
                let d = trail(d, &what);
                match of {
                    Called::Named(path) => d.hint(format!("return a copy: `copy {path}`")),
                    Called::ResultOf(_) | Called::Unnamed => {
                        d.hint("return a copy, made with `copy`")
                    }
                }
            }
            E::UniqueConstant => error(
                Code::UniqueConstant,
                "a top-level constant is shared by all who use it, so its type cannot be unique"
                    .into(),
            )
            .hint("leave out the `*`"),
            E::LoopParamAliases(p) => {
                let (name, of) = (p.param(), p.next.called());
                p.explain(
                    error(
                        Code::ConsumingLoopParamAliases,
                        format!(
                            "the loop parameter {name} is consumed in every round, but its next \
                             value may share memory with {of}, which is not the loop's to consume"
                        ),
                    )
                    .at("the next value"),
                )
            }
            E::LoopParamsAlias(p) => {
                let (name, of) = (p.param(), p.next.called());
                p.explain(
                    error(
                        Code::LoopParameterAliasesOther,
                        format!(
                            "the next value of the loop parameter {name} may share memory with \
                             that of another one, which is consumed: both hold {of}"
                        ),
                    )
                    .at("the next values"),
                )
            }
            E::AliasesReturned(p) => {
                let (name, of) = (p.param(), p.next.called());
                p.explain(
                    error(
                        Code::AliasesPreviouslyReturned,
                        format!(
                            "the loop parameter {name} is consumed in every round, but its next \
                             value may share memory with that of a parameter before it: both hold \
                             {of}"
                        ),
                    )
                    .at("the next values"),
                )
            }
        }
    }
}

impl LoopParam {
    fn param(&self) -> String {
        self.param.as_ref().map_or_else(|| "of this loop".to_owned(), Called::to_string)
    }

    fn explain(&self, d: Diagnostic) -> Diagnostic {
        let d = match (self.consumed, self.declared) {
            (Some(at), _) => d.label(at, "consumed here"),
            (None, Some(at)) => d.label(at, "the parameter is consumed"),
            (None, None) => d,
        };
        copied(trail(d, &self.next), "go on with a copy", &self.next)
    }
}

/// Shows how a variable came to its memory, from binding to binding.
fn trail(mut d: Diagnostic, what: &Aliased) -> Diagnostic {
    for Step { name, of, bound } in &what.trail {
        if d.labels.iter().any(|(span, text)| span == bound && !text.is_empty()) {
            continue;
        }
        let text = if matches!(of, Called::Named(MemoryName(parts)) if parts.as_slice() == [*name])
        {
            format!("the new {of} aliases the old one because of this")
        } else {
            format!("`{name}` aliases {of} because of this")
        };
        d = d.label(*bound, text);
    }
    d
}

fn shared(d: Diagnostic, what: &Aliased) -> Diagnostic {
    match what.shared {
        Some(call) => d.label(
            call,
            "the components of this result may share memory, as its type does not say that they \
             are unique",
        ),
        None => d,
    }
}

/// The hint `todo`, as a copy of what can be copied.
fn copied(d: Diagnostic, todo: &str, what: &Aliased) -> Diagnostic {
    match &what.name {
        Some(name) => d.hint(format!("{todo}: `copy {name}`")),
        None => d.hint(format!("{todo}, made with `copy`")),
    }
}

/// Says why memory may not be consumed here.
fn kept(d: Diagnostic, why: &Option<(WhyKept, Span)>, name: &Called) -> Diagnostic {
    let Some((why, at)) = why else { return d };
    let text = match why {
        WhyKept::Param => {
            format!("{name} is a parameter without `*`: the caller may go on using it")
        }
        WhyKept::LoopParam => {
            format!("the type of the loop parameter {name} is written without `*`")
        }
        WhyKept::MaybeConstant => format!("{name} may be a constant, shared by all who use it"),
        WhyKept::Constant => format!("{name} is a constant, shared by all who use it"),
        WhyKept::OutsideFunction => format!(
            "{name} is bound outside of this function, which may be applied any number of times"
        ),
        WhyKept::OutsideLoop => {
            format!("{name} is bound outside of this loop, which may go round any number of times")
        }
        WhyKept::InSize => format!("{name} is used by this size, which cannot consume"),
    };
    d.label(*at, text)
}

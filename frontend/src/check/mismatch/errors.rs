//! What is said of equations that fail.

use crate::diag::{Code, Diagnostic};
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use futc_typed::span::Span;

/// How two types, or two sizes, do not agree. `plain` is the sentence that tells both types, and texts of
/// types and sizes are in source syntax.
pub(super) enum MismatchError {
    /// It ends a look at a definition, after which there is another one, and is never shown.
    Unsaid,
    /// The types have different shapes: in which part, and what may be missing.
    Types { plain: String, difference: Option<String>, advice: Option<Advice> },
    /// They differ in these sizes first; the type it could be coerced to, if there is one.
    Sizes { plain: String, sizes: (String, String), coerced: Option<String> },
    /// These sizes differ, of types that are not known any more.
    SizesAlone { sizes: (String, String) },
    /// A type has a size, of this name, that is another one at each application.
    Anonymous { plain: String, size: Name, ty: String },
    /// A type mentions a name, or a type parameter if `param`, out of its scope; where that begins.
    Scope { plain: String, name: Name, param: bool, bound: Option<Span> },
}

/// What may be missing in an expression.
pub(super) enum Advice {
    /// A number has a point, and should have this integer type.
    NoPoint(PrimType),
    /// It is a function, and this many arguments are missing.
    Arguments(usize),
    /// A tuple should be a record with these fields.
    Fields(Vec<Name>),
    /// A number should be converted; its text.
    Convert { to: PrimType, from: PrimType, text: Option<String> },
}

/// The two types, as they are told beside the message. `pattern` if it is one for values of the type found.
pub(super) enum Sides {
    /// Each in a line of its own, as they are long.
    Apart { expected: String, found: String, pattern: bool },
    /// The one that is found, in words.
    Found { noun: String, pattern: bool },
}

impl MismatchError {
    /// The diagnostic, of what is at `span`.
    pub(super) fn at(self, span: Span) -> Diagnostic {
        use MismatchError as E;
        let error = |code, message: String| Diagnostic::error(code, span, message);
        match self {
            E::Unsaid => error(Code::TypeMismatch, String::new()),
            E::Types { plain, difference, advice } => {
                let d = error(Code::TypeMismatch, plain);
                // Advice on the whole says more than what differs first.
                match (advice, difference) {
                    (Some(advice), _) => d.hint(advice.text()),
                    (None, Some(difference)) => d.hint(difference),
                    (None, None) => d,
                }
            }
            E::Sizes { plain, sizes: (m, n), coerced } => {
                let d = error(
                    Code::SizeMismatch,
                    format!("{plain}: the sizes {m} and {n} are not the same"),
                );
                match coerced {
                    Some(ty) => d.hint(format!(
                        "if they are equal whenever the program runs, say so with a size coercion, \
                         which checks it: e :> {ty}"
                    )),
                    None => d,
                }
            }
            E::SizesAlone { sizes: (m, n) } => error(
                Code::SizeMismatch,
                format!("the sizes {m} and {n} must be the same here, and cannot be shown to be"),
            )
            .hint(
                "if they are equal whenever the program runs, say so with a size coercion, which \
                 checks it: e :> [n]t",
            ),
            E::Anonymous { plain, size, ty } => error(
                Code::AnonymousSizeInstance,
                format!(
                    "{plain}; the size {size} is another one at each application, and so {ty} \
                     cannot be one type for all of them"
                ),
            )
            .hint(
                "a function given to another one must return arrays of one size: bind the size \
                 with let before the function, or coerce the result, as in e :> [n]t",
            ),
            E::Scope { plain, name, param, bound } => {
                let what = if param { "type parameter" } else { "name" };
                let d = error(
                    Code::ScopeViolation,
                    format!(
                        "{plain}; the {what} {name} would escape its scope into the type of \
                         something defined outside of it"
                    ),
                );
                let d = match bound {
                    Some(at) => d.label(at, format!("the scope of the {what} {name} begins here")),
                    None => d,
                };
                if param {
                    d.hint(
                        "write down the types of the parameters to see which one is not what you \
                         mean",
                    )
                } else {
                    d.hint(format!(
                        "give what is defined outside a size of its own, as with a size parameter \
                         [n], and coerce it where it is used: e :> [{name}]t"
                    ))
                }
            }
        }
    }
}

impl Advice {
    fn text(self) -> String {
        match self {
            Advice::NoPoint(to) => format!(
                "a number with a point is a float; for an integer leave out the point, or round \
                 it, as in {}.f64",
                to.name()
            ),
            Advice::Arguments(1) => "this is a function that still waits for an argument".into(),
            Advice::Arguments(n) => {
                format!("this is a function that still waits for {n} arguments")
            }
            Advice::Fields(names) => {
                let fields: Vec<String> = names.iter().map(|n| format!("{n} = …")).collect();
                format!("a tuple is no record with named fields; write {{{}}}", fields.join(", "))
            }
            Advice::Convert { to, from, text } => {
                let f = format!("{}.{}", to.name(), from.name());
                let atom = |c: char| c.is_alphanumeric() || "_.'".contains(c);
                match text {
                    Some(text) if text.chars().all(atom) => {
                        format!("numbers are not converted by themselves; write {f} {text}")
                    }
                    Some(text) => {
                        format!("numbers are not converted by themselves; write {f} ({text})")
                    }
                    None => format!("numbers are not converted by themselves; apply {f} to it"),
                }
            }
        }
    }
}

impl Sides {
    /// Adds them to a message.
    pub(super) fn told(self, d: Diagnostic) -> Diagnostic {
        match self {
            Sides::Apart { expected, found, pattern } => {
                let (one, other) = if pattern {
                    ("of the value", "of the pattern")
                } else {
                    ("expected", "found")
                };
                d.at("this is not of the type expected")
                    .hint(format!("type {one}: {expected}"))
                    .hint(format!("type {other}: {found}"))
            }
            Sides::Found { noun, pattern: true } => d.at(format!("this is for {noun}")),
            Sides::Found { noun, pattern: false } => d.at(format!("this has {noun}")),
        }
    }
}

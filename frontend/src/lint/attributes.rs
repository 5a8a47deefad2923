//! Warnings of attributes that do nothing.

use crate::diag::Diagnostic;
use crate::syntax::ast::Attr;
use futc_typed::name::Name;
use futc_typed::span::Span;

/// Those with an effect on an expression or a definition.
const KNOWN: &[&str] = &[
    "trace",
    "opaque",
    "blank",
    "scratch",
    "inline",
    "noinline",
    "sequential",
    "unroll",
    "unsafe",
    "warn",
];

/// Those that other compilers of the language know.
const WITHOUT_EFFECT: &[&str] = &[
    "break",
    "doc",
    "flattening",
    "incremental_flattening",
    "param",
    "sequential_inner",
    "sequential_outer",
    "true_dep",
];

/// What there is to say of an attribute.
pub fn warning(attr: &Attr) -> Option<Diagnostic> {
    let (name, args, span) = match attr {
        Attr::Name(name) => (name.name, &[][..], name.span),
        Attr::Comp(name, args, span) => (name.name, &args[..], *span),
        Attr::Int(n, span) => return Some(unknown(&n.to_string(), *span)),
    };
    match name.as_str() {
        "trace" => None,
        "warn" if !args.iter().any(|arg| is_name(arg, "safety_checks")) => {
            Some(unknown("warn", span).hint("did you mean warn(safety_checks)?"))
        }
        "warn" => None,
        "param" => Some(without_effect("param is not there yet, and does nothing", span)),
        known if KNOWN.contains(&known) => match args.is_empty() {
            true => None,
            false => Some(without_effect(
                &format!("what is in parentheses does nothing: {known} is the same without it"),
                span,
            )),
        },
        known if WITHOUT_EFFECT.contains(&known) => Some(without_effect(
            &format!("the attribute {known} has no effect in this compiler"),
            span,
        )),
        other => Some(suggest(unknown(other, span), name)),
    }
}

fn is_name(attr: &Attr, text: &str) -> bool {
    matches!(attr, Attr::Name(name) if name.name.as_str() == text)
}

fn unknown(name: &str, span: Span) -> Diagnostic {
    Diagnostic::warning(
        "unknown-attribute",
        span,
        format!("there is no attribute {name}: it does nothing"),
    )
}

fn without_effect(message: &str, span: Span) -> Diagnostic {
    Diagnostic::warning("attribute-without-effect", span, message)
}

fn suggest(d: Diagnostic, name: Name) -> Diagnostic {
    let all = KNOWN.iter().chain(WITHOUT_EFFECT).copied();
    match crate::check::types::alike::closest_text(name.as_str(), all) {
        Some(like) => d.hint(format!("did you mean {like}?")),
        None => d,
    }
}

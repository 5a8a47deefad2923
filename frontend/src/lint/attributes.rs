//! Warnings of attributes that do nothing.

use crate::check::types::alike::closest_text;
use crate::diag::Diagnostic;
use crate::lint::errors::Lint;
use crate::syntax::ast::Attr;
use futc_typed::forced::{Forced, SCHEDULE};
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
    SCHEDULE,
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
        Attr::Int(n, span) => {
            return Some(Lint::UnknownAttribute { name: n.to_string(), like: None }.at(*span));
        }
    };
    match name.as_str() {
        "trace" => None,
        "warn" if !args.iter().any(|arg| is_name(arg, "safety_checks")) => {
            let like = Some("warn(safety_checks)");
            Some(Lint::UnknownAttribute { name: "warn".into(), like }.at(span))
        }
        "warn" => None,
        SCHEDULE => schedule(args, span),
        "param" => Some(Lint::AttributeNotYet { name: "param" }.at(span)),
        known if KNOWN.contains(&known) => {
            (!args.is_empty()).then(|| Lint::AttributeArguments { name: known }.at(span))
        }
        known if WITHOUT_EFFECT.contains(&known) => {
            Some(Lint::AttributeWithoutEffect { name: known }.at(span))
        }
        _ => Some(unknown(name, span)),
    }
}

/// What there is to say of a schedule's arguments.
fn schedule(args: &[Attr], span: Span) -> Option<Diagnostic> {
    let [Attr::Name(how)] = args else { return Some(Lint::ScheduleArguments.at(span)) };
    match Forced::named(how.name.as_str()) {
        Some(_) => None,
        None => {
            let like = closest_text(how.name.as_str(), Forced::ALL.map(Forced::name).into_iter());
            Some(Lint::UnknownSchedule { name: how.name.to_string(), like }.at(how.span))
        }
    }
}

fn is_name(attr: &Attr, text: &str) -> bool {
    matches!(attr, Attr::Name(name) if name.name.as_str() == text)
}

/// The warning about an attribute that nobody knows.
fn unknown(name: Name, span: Span) -> Diagnostic {
    let all = KNOWN.iter().chain(WITHOUT_EFFECT).copied();
    let like = closest_text(name.as_str(), all);
    Lint::UnknownAttribute { name: name.to_string(), like }.at(span)
}

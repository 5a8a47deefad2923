//! Warnings of names that nothing uses, and of names that hide a size.
//!
//! A name that begins with `_` is meant to be unused. Definitions that others may use are never
//! called unused, whether or not something does use them.

use crate::check::types::env::Env;
use crate::diag::Diagnostic;
use crate::lint::errors::{Lint, Unused};
use crate::lint::scopes::{Closed, Found, Hidden, Kind, Namespace};
use crate::syntax::ast::{Dec, DecKind, ModExp};

/// The warnings about what was found.
pub fn names(found: &Found) -> Vec<Diagnostic> {
    let mut out: Vec<Diagnostic> = found.closed.iter().filter_map(unused_name).collect();
    out.extend(found.hidden.iter().filter_map(hidden_size));
    out
}

fn unused_name(closed: &Closed) -> Option<Diagnostic> {
    let name = closed.name.name;
    let span = closed.name.span;
    // A name without a place was not written by anyone.
    if closed.used || name.as_str().starts_with('_') || span.start == span.end {
        return None;
    }
    let what = match closed.kind {
        Kind::Local => Unused::Local,
        Kind::Field => Unused::Field,
        Kind::Updated => Unused::Updated,
        Kind::Param => Unused::Param,
        Kind::TypeParam => Unused::TypeParam,
        Kind::ModParam => Unused::ModParam,
        Kind::LocalDef => Unused::LocalDef,
        // A size that is the size of nothing is an error.
        Kind::Size | Kind::Public => return None,
    };
    Some(Lint::Unused { name, what }.at(span))
}

fn hidden_size(hidden: &Hidden) -> Option<Diagnostic> {
    let name = hidden.inner.name;
    if hidden.outer_kind != Kind::Size || name.as_str().starts_with('_') {
        return None;
    }
    match hidden.inner_kind {
        Kind::Local | Kind::Field | Kind::Param | Kind::Size => {}
        Kind::Updated | Kind::TypeParam | Kind::ModParam | Kind::LocalDef | Kind::Public => {
            return None;
        }
    }
    Some(Lint::HidesSize { name, size: hidden.outer.span }.at(hidden.inner.span))
}

/// The warning about `dec` if it is an `import "file"` and nothing that the file provides is
/// mentioned. `found` is what the file of `dec` says, `provided` what the import brings.
pub fn import(dec: &Dec, found: &Found, provided: &Env) -> Option<Diagnostic> {
    let mut kind = &dec.kind;
    while let DecKind::Local(inner) = kind {
        kind = &inner.kind;
    }
    let DecKind::Import(import) = kind else { return None };
    let unused = || Lint::UnusedImport { path: import.path.clone() }.at(import.span);
    (!mentioned(found, provided)).then(unused)
}

/// Whether something that `provided` has may be used.
fn mentioned(found: &Found, provided: &Env) -> bool {
    let free = |space, name| found.free.contains(&(space, name));
    provided.values.keys().any(|n| free(Namespace::Value, *n))
        || provided.modules.keys().any(|n| free(Namespace::Value, *n))
        || provided.types.keys().any(|n| free(Namespace::Type, *n))
        || provided.mod_types.keys().any(|n| free(Namespace::ModType, *n))
}

/// The module of a `local open`. Without `local`, its names are for others too.
pub fn opened(dec: &Dec) -> Option<&ModExp> {
    let DecKind::Local(inner) = &dec.kind else { return None };
    match &inner.kind {
        DecKind::Open(module) => Some(module),
        DecKind::Local(_) => opened(inner),
        _ => None,
    }
}

/// The warning about a `local open` of which nothing is mentioned.
pub fn open(module: &ModExp, found: &Found, provided: &Env) -> Option<Diagnostic> {
    (!mentioned(found, provided)).then(|| Lint::UnusedOpen.at(module.span))
}

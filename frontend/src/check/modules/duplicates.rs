//! Names defined twice in one module.

use super::errors::ModuleError;
use crate::diag::Diagnostic;
use crate::syntax::ast::{DecKind, Ident};
use futc_typed::name::Name;
use futc_typed::span::Span;
use std::collections::HashMap;

/// Reports names defined twice in one sequence of declarations, given by [`name_space`] and
/// [`name_of`].
pub fn duplicates(names: impl Iterator<Item = (NameSpace, Ident)>) -> Vec<Diagnostic> {
    let mut seen: HashMap<(NameSpace, Name), Span> = HashMap::new();
    let mut out = Vec::new();
    for (space, name) in names {
        if let Some(first) = seen.insert((space, name.name), name.span) {
            out.push(ModuleError::DefinedTwice { name: name.name, first }.at(name.span));
        }
    }
    out
}

/// The name spaces in which one name has one meaning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NameSpace {
    /// Values and modules.
    Values,
    /// Types.
    Types,
    /// Module types.
    ModTypes,
}

/// The name space of what a declaration defines, if that is one name that others see.
pub fn name_space(dec: &DecKind) -> Option<NameSpace> {
    match dec {
        DecKind::Val(_) | DecKind::Mod(_) => Some(NameSpace::Values),
        DecKind::Type(_) => Some(NameSpace::Types),
        DecKind::ModType(_) => Some(NameSpace::ModTypes),
        DecKind::Open(_) | DecKind::Import(_) | DecKind::Local(_) => None,
    }
}

/// The one name that a declaration defines, if it does.
pub fn name_of(dec: &DecKind) -> Option<Ident> {
    match dec {
        DecKind::Val(bind) => Some(bind.name),
        DecKind::Mod(bind) => Some(bind.name),
        DecKind::Type(bind) => Some(bind.name),
        DecKind::ModType(bind) => Some(bind.name),
        DecKind::Local(dec) => name_of(&dec.kind),
        DecKind::Open(_) | DecKind::Import(_) => None,
    }
}

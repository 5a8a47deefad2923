//! What could be written at a place.

use super::names::{Module, Names, Scope, SymbolId, SymbolKind};
use super::{notes, scope_at, symbol};
use crate::db::{Db, SourceFile};
use futc_typed::name::Name;
use std::collections::HashSet;
use std::sync::Arc;

/// Something that could be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    /// The text.
    pub label: String,
    /// What it is; `None` is the field of a record.
    pub kind: Option<SymbolKind>,
    /// What it stands for, if it is bound somewhere.
    pub symbol: Option<SymbolId>,
    /// Its type, if that is at hand.
    pub detail: Option<String>,
}

/// What could be written at byte `at`, where part of it may stand already: names in scope; behind
/// a dot, the names of a module or the fields of a record.
pub fn complete(db: &dyn Db, file: SourceFile, at: u32) -> Vec<Completion> {
    let Ok(text) = file.text(db) else { return Vec::new() };
    let before = text.get(..at as usize).unwrap_or("");
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '\'' || c == '.';
    let start = before.rfind(|c| !is_part(c)).map_or(0, |i| i + char_len(before, i));
    let chain = &before[start..];
    let scope = scope_at(db, file, at);
    let Some((path, _)) = chain.rsplit_once('.') else {
        // A number is being written.
        if chain.starts_with(|c: char| c.is_ascii_digit()) {
            return Vec::new();
        }
        return in_scope(&scope);
    };
    members(db, &scope, path)
}

fn char_len(text: &str, at: usize) -> usize {
    text[at..].chars().next().map_or(1, char::len_utf8)
}

fn in_scope(scope: &Scope) -> Vec<Completion> {
    let mut out = Vec::new();
    let mut seen = HashSet::new();
    for (name, id, kind) in scope.locals.iter().rev() {
        if seen.insert((kind.space(), *name)) {
            out.push(item(*name, *kind, *id));
        }
    }
    for names in scope.layers.iter().rev() {
        all(names, &mut |name, kind, id| {
            if seen.insert((kind.space(), name)) {
                out.push(item(name, kind, id));
            }
        });
    }
    out
}

fn item(name: Name, kind: SymbolKind, id: SymbolId) -> Completion {
    let label = name.as_str().to_owned();
    Completion { label, kind: Some(kind), symbol: Some(id), detail: None }
}

fn all(names: &Names, f: &mut impl FnMut(Name, SymbolKind, SymbolId)) {
    // An operator is not begun by letters, and is written before one could ask.
    let named = |name: &Name| name.as_str().starts_with(|c: char| c.is_alphabetic() || c == '_');
    for (name, id) in names.values.iter().filter(|(n, _)| named(n)) {
        f(*name, SymbolKind::Value, *id);
    }
    for (name, (id, _)) in &names.modules {
        f(*name, SymbolKind::Module, *id);
    }
    for (name, id) in &names.types {
        f(*name, SymbolKind::Type, *id);
    }
    for (name, (id, _)) in &names.mod_types {
        f(*name, SymbolKind::ModuleType, *id);
    }
}

/// What can follow `path.`
fn members(db: &dyn Db, scope: &Scope, path: &str) -> Vec<Completion> {
    let mut parts = path.split('.').map(Name::new);
    let Some(first) = parts.next() else { return Vec::new() };
    let local = scope.locals.iter().rev().find(|(n, _, k)| *n == first && k.space() == 0);
    let mut module: Option<Arc<Names>> = None;
    let mut value = local.map(|(_, id, _)| *id);
    if value.is_none() {
        for names in scope.layers.iter().rev() {
            if let Some((_, Module::Structure(inner))) = names.modules.get(&first) {
                module = Some(inner.clone());
                break;
            }
            if let Some(id) = names.values.get(&first) {
                value = Some(*id);
                break;
            }
        }
    }
    let mut fields = Vec::new();
    for part in parts {
        match &module {
            Some(names) if value.is_none() => {
                if let Some((_, Module::Structure(inner))) = names.modules.get(&part) {
                    module = Some(inner.clone());
                } else if let Some(id) = names.values.get(&part) {
                    value = Some(*id);
                } else {
                    return Vec::new();
                }
            }
            _ => fields.push(part),
        }
    }
    if let Some(id) = value {
        return record_fields(db, id, &fields).unwrap_or_default();
    }
    let mut out = Vec::new();
    if let Some(names) = module {
        all(&names, &mut |name, kind, id| out.push(item(name, kind, id)));
    }
    out
}

/// The fields of a variable's record, or of a record in that.
fn record_fields(db: &dyn Db, id: SymbolId, path: &[Name]) -> Option<Vec<Completion>> {
    let symbol = symbol(db, id)?;
    let notes = notes(db, id.file, symbol.span.start);
    let note = notes.iter().rev().find(|n| n.span == symbol.span)?;
    let mut fields = &note.fields;
    for part in path {
        fields = &fields.iter().find(|field| field.name == *part)?.fields;
    }
    let items = fields.iter().map(|field| Completion {
        label: field.name.as_str().to_owned(),
        kind: None,
        symbol: None,
        detail: Some(field.text.to_string()),
    });
    Some(items.collect())
}

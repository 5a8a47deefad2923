//! The semantic index: what stands at a place of a program, where it is bound, where else it
//! stands, and what could stand there. For `futc query` and the language server.
//!
//! Names are resolved from syntax trees alone ([`resolve`]), types are what the checker notes
//! when it is asked to ([`types`]); both work in files with errors. All positions are byte offsets
//! in whole files.

mod complete;
mod names;
mod resolve;
mod types;

pub use complete::{Completion, complete};
pub use names::{
    FileIndex, Functor, Module, Names, Occurrence, Scope, Symbol, SymbolId, SymbolKind,
};
pub use types::{Field, Note, NoteKind, notes, types_at};

use crate::db::{Db, SourceFile, import_closure, imports, syntax_tree};
use crate::world::{PRELUDE, PRELUDE_ROOT, is_prelude};
use futc_typed::span::Span;
use resolve::{Imports, Question};
use std::sync::Arc;

/// The names of a file.
#[salsa::tracked(returns(clone))]
pub fn index(db: &dyn Db, file: SourceFile) -> Arc<FileIndex> {
    let tree = syntax_tree(db, file);
    let (prelude, imports) = surroundings(db, file);
    Arc::new(resolve::resolve(file, tree, prelude, &imports))
}

/// What a file provides to importers, apart from [`index`], so that edits inside of definitions
/// do not reach those.
#[salsa::tracked(returns(clone))]
pub fn exports(db: &dyn Db, file: SourceFile) -> Arc<Names> {
    index(db, file).exports.clone()
}

/// What can be named at a byte of a file.
pub fn scope_at(db: &dyn Db, file: SourceFile, at: u32) -> Scope {
    let tree = syntax_tree(db, file);
    let (prelude, imports) = surroundings(db, file);
    resolve::scope_at(file, tree, prelude, &imports, at)
}

fn surroundings(db: &dyn Db, file: SourceFile) -> (Option<Arc<Names>>, Imports) {
    let prelude = (!is_prelude(&file.path(db)) && !PRELUDE.is_empty())
        .then(|| exports(db, db.source(PRELUDE_ROOT)));
    let mut found = Imports::new();
    for (written, target) in imports(db, file).iter() {
        // Imports that form a cycle provide nothing.
        if *target != file && !import_closure(db, *target).contains(&file) {
            found.insert(written.clone(), (*target, exports(db, *target)));
        }
    }
    (prelude, found)
}

/// What a symbol is.
pub fn symbol(db: &dyn Db, id: SymbolId) -> Option<Symbol> {
    index(db, id.file).symbols.get(id.index as usize).cloned()
}

/// The name at a byte of a file: the one that covers it, else the one that ends there.
pub fn occurrence_at(db: &dyn Db, file: SourceFile, at: u32) -> Option<Occurrence> {
    let index = index(db, file);
    let near = index.occurrences.iter().filter(|o| o.span.start <= at && at <= o.span.end);
    // A name that is bound again where it stands is listed twice; the use is what is meant.
    near.min_by_key(|o| (at == o.span.end, o.span.end - o.span.start, o.binds)).copied()
}

/// The file whose name stands in the string of an import at a byte.
pub fn import_at(db: &dyn Db, file: SourceFile, at: u32) -> Option<SourceFile> {
    let index = index(db, file);
    let found = index.imports.iter().find(|(span, _)| span.start <= at && at <= span.end);
    found.map(|(_, target)| *target)
}

/// Where a symbol stands in `files`, its binding included.
pub fn references(
    db: &dyn Db,
    files: &[SourceFile],
    target: SymbolId,
) -> Vec<(SourceFile, Occurrence)> {
    let mut out = Vec::new();
    for file in files {
        let index = index(db, *file);
        out.extend(index.occurrences.iter().filter(|o| o.target == target).map(|o| (*file, *o)));
    }
    out
}

/// Why a symbol cannot be given a new name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RenameError {
    /// It belongs to the prelude.
    #[error("{0} is defined in the prelude, which cannot be changed")]
    Prelude(String),
    /// The new name is none.
    #[error("{0} is not a name: a name has letters, digits, _ and ', and is no keyword")]
    NotAName(String),
    /// It is no plain name.
    #[error("{0} is an operator; only names can be changed")]
    Operator(String),
    /// A module type and a module must agree on it.
    #[error("{0} is given by a module type as well as by a module; they would no longer agree")]
    Tied(String),
    /// The new name means something at a place where the old one stands, or the other way round.
    #[error("{name} already means something else here")]
    Clash {
        /// The new name.
        name: String,
        /// Where.
        span: Span,
    },
}

/// The changes that give a symbol a new name: what to put where.
///
/// # Errors
///
/// If names would change their meanings by that, or the symbol cannot be renamed at all.
pub fn rename(
    db: &dyn Db,
    files: &[SourceFile],
    target: SymbolId,
    new: &str,
) -> Result<Vec<(SourceFile, Span, String)>, RenameError> {
    let Some(symbol) = symbol(db, target) else { return Ok(Vec::new()) };
    let old = symbol.name.as_str();
    if is_prelude(&target.file.path(db)) {
        return Err(RenameError::Prelude(old.to_owned()));
    }
    if !is_name(old) {
        return Err(RenameError::Operator(old.to_owned()));
    }
    if !is_name(new) {
        return Err(RenameError::NotAName(new.to_owned()));
    }
    if files.iter().any(|file| index(db, *file).tied.contains(&target)) {
        return Err(RenameError::Tied(old.to_owned()));
    }
    let new_name = futc_typed::name::Name::new(new);
    let space = symbol.kind.space();
    let mut edits = Vec::new();
    for file in files {
        let index = index(db, *file);
        // What the new name means where the old one stands must not be hidden, nor hide; and the
        // other way round.
        let mut asked = Vec::new();
        for o in &index.occurrences {
            if o.target == target {
                let text = if o.pun { format!("{old} = {new}") } else { new.to_owned() };
                edits.push((*file, o.span, text));
                asked.push((o.span, new_name));
            } else if !o.binds
                && self::symbol(db, o.target)
                    .is_some_and(|other| other.name == new_name && other.kind.space() == space)
            {
                asked.push((o.span, symbol.name));
            }
        }
        if old == new || asked.is_empty() {
            continue;
        }
        let questions =
            asked.iter().map(|(span, name)| Question { at: span.end, name: *name, space });
        let (prelude, imports) = surroundings(db, *file);
        let tree = syntax_tree(db, *file);
        let meanings = resolve::meanings(*file, tree, prelude, &imports, questions.collect());
        for ((span, name), meaning) in asked.into_iter().zip(meanings) {
            let clash = match name == new_name {
                true => meaning.is_some_and(|other| other != target),
                false => meaning == Some(target),
            };
            if clash {
                return Err(RenameError::Clash { name: new.to_owned(), span });
            }
        }
    }
    edits.sort_by_key(|(file, span, _)| (file.id(db), span.start));
    edits.dedup();
    Ok(edits)
}

/// Whether a text is a name.
fn is_name(text: &str) -> bool {
    use crate::syntax::lexer::{TokenKind, lex};
    let (tokens, _) = lex(futc_typed::span::FileId(0), text);
    tokens.len() == 2
        && tokens[0].kind == TokenKind::Ident
        && tokens[0].end as usize == text.len()
        && tokens[0].start == 0
}

//! Files and programs checked as a whole.

use crate::check::types::edit::{Edit, apply_edits};
use crate::check::types::env::Env;
use crate::db::check::{CheckedDec, check_dec};
use crate::db::declaration::{Declaration, declaration_of, declarations, duplicate_definitions};
use crate::db::input::{Db, SourceFile};
use crate::db::prelude;
use crate::db::syntax::{
    chunk_starts, files_in_order, has_errors, in_order, syntax_errors, unreadable,
};
use crate::diag::{Code, Diagnostic, Severity};
use crate::reach::{globals_of_def, reachable_from_entries};
use crate::world::is_prelude;
use futc_typed::name::Name;
use futc_typed::program::{Def, DefId, Opaque, Program};
use futc_typed::span::{FileId, Span};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// A checked file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckedFile {
    /// Definitions, each after those it uses.
    pub defs: Vec<Arc<Def>>,
    /// Abstract types.
    pub opaques: Vec<Arc<Opaque>>,
    /// What there is to say, beside syntax errors.
    pub diagnostics: Vec<Diagnostic>,
    /// What AUTOMAP inserted.
    pub elaborations: Vec<Edit>,
    /// What there is to say further if the file is a program's root.
    pub main_diagnostics: Vec<Diagnostic>,
}

/// Checks a file.
#[salsa::tracked(returns(clone))]
pub fn check_file(db: &dyn Db, file: SourceFile) -> Arc<CheckedFile> {
    let mut out = CheckedFile {
        defs: Vec::new(),
        opaques: Vec::new(),
        diagnostics: Vec::new(),
        elaborations: Vec::new(),
        main_diagnostics: Vec::new(),
    };
    for dec in declarations(db, file) {
        let checked = check_dec(db, *dec);
        out.defs.extend(checked.defs.iter().cloned());
        out.opaques.extend(checked.opaques.iter().cloned());
        out.diagnostics.extend(checked.diagnostics.iter().cloned());
        out.elaborations.extend(checked.elaborations.iter().cloned());
        out.main_diagnostics.extend(checked.main_diagnostics.iter().cloned());
    }
    out.diagnostics.extend(duplicate_definitions(db, file).iter().cloned());
    if has_errors(syntax_errors(db, file)) {
        // Much of it would only be consequences.
        out.diagnostics.clear();
        out.main_diagnostics.clear();
    }
    out.diagnostics = tidy(db, file, out.diagnostics);
    Arc::new(out)
}

/// A declaration, checked after those before it in its file.
pub fn checked<'db>(db: &'db dyn Db, dec: Declaration<'db>) -> &'db CheckedDec {
    let _ = crate::db::check_file(db, dec.file(db));
    check_dec(db, dec)
}

/// Diagnostics in the order of the source, each once: the body of a parametric module is
/// elaborated several times.
fn tidy(db: &dyn Db, file: SourceFile, mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut seen = HashSet::new();
    diagnostics.retain(|d| {
        // What differs elsewhere too, as in two values that do not match one module type, is told
        // apart by the other spans.
        let spans: Vec<Span> = d.labels.iter().map(|(span, _)| *span).collect();
        seen.insert((d.code, spans))
    });
    in_order(db, file, &mut diagnostics);
    diagnostics
}

/// The text of a file with everything that AUTOMAP inserted written out.
pub fn elaborated(db: &dyn Db, file: SourceFile) -> Result<String, String> {
    let text = file.text(db).clone()?;
    let whole = Span::new(file.id(db), 0, text.len() as u32);
    let starts = chunk_starts(db, file);
    let checked = check_file(db, file);
    let edits = checked.elaborations.iter().filter_map(|edit| {
        let start = starts.get(&edit.span.file)?;
        Some(Edit { span: edit.span.moved_to(whole.file, *start), text: edit.text.clone() })
    });
    let mut edits: Vec<Edit> = edits.collect();
    edits.sort_by_key(|edit| edit.span);
    // The body of a parametric module is elaborated several times.
    edits.dedup_by_key(|edit| edit.span);
    Ok(apply_edits(&text, whole, &edits))
}

/// The typed program of a root file, with all definitions but those of the prelude that it does not use. Only the
/// root's entry points are entry points.
#[salsa::tracked(returns(clone))]
pub fn program(db: &dyn Db, root: SourceFile) -> Arc<Program> {
    let mut program = Program::default();
    let files = files_in_order(db, root);
    let own = files.iter().filter(|file| is_own(db, **file, root));
    let mut used = Vec::new();
    for def in own.clone().flat_map(|file| check_file(db, *file).defs.clone()) {
        globals_of_def(&def, &mut |id| used.push(id));
    }
    program.defs = prelude_definitions(db, used);
    for file in own {
        let checked = check_file(db, *file);
        program.opaques.extend(checked.opaques.iter().cloned());
        for def in &checked.defs {
            if def.entry.is_some() && *file != root {
                program.defs.push(Arc::new(Def { entry: None, ..def.as_ref().clone() }));
            } else {
                program.defs.push(def.clone());
            }
        }
    }
    Arc::new(program)
}

/// The definitions of the prelude among those with the ids `wanted`, and all that these use in turn: each after those it uses.
fn prelude_definitions(db: &dyn Db, mut wanted: Vec<DefId>) -> Vec<Arc<Def>> {
    let chunks = prelude::chunk_set(db);
    let mut seen: HashSet<DefId> = HashSet::new();
    while let Some(id) = wanted.pop() {
        if !chunks.contains(&id.file) || !seen.insert(id) {
            continue;
        }
        let Some(dec) = declaration_of(db, id.file) else { continue };
        if let Some(def) = check_dec(db, dec).defs.iter().find(|def| def.id == id) {
            globals_of_def(def, &mut |used| wanted.push(used));
        }
    }
    let files: HashSet<FileId> = seen.iter().map(|id| id.file).collect();
    let mut out = Vec::with_capacity(seen.len());
    for file in files_in_order(db, prelude::root(db)).iter() {
        for dec in declarations(db, *file) {
            let inner = || dec.inner(db).iter().any(|(chunk, _)| files.contains(chunk));
            if files.contains(&dec.chunk(db)) || inner() {
                let defs = check_dec(db, *dec).defs.iter();
                out.extend(defs.filter(|def| seen.contains(&def.id)).cloned());
            }
        }
    }
    out
}

/// As [`program`], with only the definitions that entry points need.
#[salsa::tracked(returns(clone))]
pub fn reachable_program(db: &dyn Db, root: SourceFile) -> Arc<Program> {
    Arc::new(reachable_from_entries(&program(db, root)))
}

/// Whether a file of a program is looked at as a whole: of the prelude, only what is used is looked at.
fn is_own(db: &dyn Db, file: SourceFile, root: SourceFile) -> bool {
    !is_prelude(&file.path(db)) || is_prelude(&root.path(db))
}

/// What there is to say about a root file and all it imports.
#[salsa::tracked(returns(clone))]
pub fn diagnostics(db: &dyn Db, root: SourceFile) -> Arc<Vec<Diagnostic>> {
    let mut out = Vec::new();
    for file in files_in_order(db, root).iter().filter(|file| is_own(db, **file, root)) {
        // A file that cannot be read is reported where it is imported.
        if *file == root || unreadable(db, *file).is_none() {
            out.extend(syntax_errors(db, *file).iter().cloned());
        }
        let checked = check_file(db, *file);
        out.extend(checked.diagnostics.iter().cloned());
        if *file == root {
            out.extend(checked.main_diagnostics.iter().cloned());
        }
    }
    if out.iter().any(|d| d.severity == Severity::Error && d.code != Code::InternalError) {
        out.retain(|d| d.code != Code::InternalError);
    }
    Arc::new(out)
}

/// The values a file provides, sorted by name; for tools and tests.
pub fn provided_names(env: &Env) -> BTreeMap<&'static str, Name> {
    env.values.keys().map(|n| (n.as_str(), *n)).collect()
}

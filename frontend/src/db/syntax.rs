//! Files as syntax: parsed, with chunks and where they are, and what imports what.

use crate::db::errors::FileError;
use crate::db::input::{Db, SourceFile};
use crate::diag::{Diagnostic, Severity};
use crate::lines::{LineTable, Lines};
use crate::syntax::ast;
use crate::syntax::ast::{DecKind, Import, ModExp, ModExpKind};
use crate::syntax::parser::{Chunk, ParsedDec, parse_chunks, parse_file, reparse_chunks};
use crate::world::{PRELUDE, PRELUDE_ROOT, import_path};
use futc_typed::span::{FileId, Span};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A parsed file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    /// The documentation comment at its head.
    pub doc: Option<String>,
    /// The declarations in order; not those inside of modules.
    pub decs: Vec<ParsedDec>,
    /// The chunks inside of these, and those of which nothing but errors came.
    pub inner: Vec<Chunk>,
    /// Syntax errors.
    pub diagnostics: Vec<Diagnostic>,
}

/// The declarations of a file, and where they are.
#[salsa::tracked(returns(ref), no_eq)]
pub fn parse(db: &dyn Db, file: SourceFile) -> Parsed {
    let id = file.id(db);
    let text = match file.text(db) {
        Ok(text) => text,
        Err(why) => {
            return Parsed {
                doc: None,
                decs: Vec::new(),
                inner: Vec::new(),
                diagnostics: vec![
                    FileError::Unreadable { path: file.path(db), why: why.clone() }
                        .at(Span::new(id, 0, 0)),
                ],
            };
        }
    };
    let last = db.last_parse(id);
    let number = &mut |key| db.chunk(key);
    let parsed = Arc::new(match &last {
        Some((text_then, parsed)) => reparse_chunks(id, (parsed, text_then), text, number),
        None => parse_chunks(id, text, number),
    });
    db.keep_parse(id, text.clone(), parsed.clone());
    Parsed {
        doc: parsed.doc.clone(),
        decs: parsed.decs().cloned().collect(),
        inner: parsed.inner(),
        diagnostics: parsed.diagnostics(),
    }
}

/// The syntax errors of a file, apart from [`parse`], which is another after every edit.
#[salsa::tracked(returns(ref))]
pub fn syntax_errors(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    parse(db, file).diagnostics.clone()
}

/// The syntax tree of a file as a whole, with spans relative to the file. Kept for the files that
/// were asked about last, as editors ask about one several times between two edits.
#[salsa::tracked(returns(ref), no_eq, lru = 8)]
pub fn syntax_tree(db: &dyn Db, file: SourceFile) -> ast::File {
    let text = file.text(db).as_ref().map_or("", |text| text.as_ref());
    parse_file(file.id(db), text).0
}

/// Where the chunks of a file are: its declarations in order, then the others.
#[salsa::tracked(returns(ref))]
pub fn chunks(db: &dyn Db, file: SourceFile) -> Vec<Chunk> {
    let parsed = parse(db, file);
    parsed.decs.iter().map(|dec| dec.chunk).chain(parsed.inner.iter().copied()).collect()
}

/// The innermost chunk that holds a byte of a file, or ends there. Spans of what stands there are
/// relative to it. Between chunks there is none.
pub fn chunk_at(db: &dyn Db, file: SourceFile, byte: u32) -> Option<Chunk> {
    let holds = |chunk: &&Chunk| chunk.start <= byte && byte <= chunk.end;
    chunks(db, file).iter().filter(holds).max_by_key(|chunk| chunk.start).copied()
}

/// The file that a span is in, and the span relative to that file. `None` if its declaration is
/// no longer there, or it is of no file at all.
pub fn absolute(db: &dyn Db, span: Span) -> Option<(SourceFile, Span)> {
    let file = db.file_of(span.file)?;
    let id = file.id(db);
    if id == span.file {
        return Some((file, span));
    }
    let start = *chunk_starts(db, file).get(&span.file)?;
    Some((file, span.moved_to(id, start)))
}

/// Where each chunk of a file begins.
#[salsa::tracked(returns(ref))]
pub(super) fn chunk_starts(db: &dyn Db, file: SourceFile) -> HashMap<FileId, u32> {
    chunks(db, file).iter().map(|chunk| (chunk.id, chunk.start)).collect()
}

/// Why a file cannot be read, if so. Apart from the text, which importers must not depend on.
#[salsa::tracked(returns(clone))]
pub fn unreadable(db: &dyn Db, file: SourceFile) -> Option<String> {
    file.text(db).as_ref().err().cloned()
}

/// The files a file imports: paths as written, in order, each once. The prelude, which every file
/// opens, is not among them.
#[salsa::tracked(returns(clone))]
pub fn imports(db: &dyn Db, file: SourceFile) -> Arc<Vec<(String, SourceFile)>> {
    let path = file.path(db);
    let mut seen = HashSet::new();
    let mut out = Vec::new();
    for dec in &parse(db, file).decs {
        imports_of_dec(&dec.tree.kind, &mut |import| {
            if seen.insert(import.path.clone()) {
                out.push((import.path.clone(), db.source(&import_path(&path, &import.path))));
            }
        });
    }
    Arc::new(out)
}

/// Calls `f` with every import in a declaration.
pub fn imports_of_dec(dec: &DecKind, f: &mut impl FnMut(&Import)) {
    match dec {
        DecKind::Val(_) | DecKind::Type(_) | DecKind::ModType(_) => {}
        DecKind::Mod(bind) => imports_of_mod(&bind.body, f),
        DecKind::Open(me) => imports_of_mod(me, f),
        DecKind::Import(import) => f(import),
        DecKind::Local(dec) => imports_of_dec(&dec.kind, f),
    }
}

fn imports_of_mod(me: &ModExp, f: &mut impl FnMut(&Import)) {
    match &me.kind {
        ModExpKind::Var(_) => {}
        ModExpKind::Parens(me) | ModExpKind::Ascript(me, _) | ModExpKind::Lambda(_, _, me) => {
            imports_of_mod(me, f);
        }
        ModExpKind::Import(import) => f(import),
        ModExpKind::Decs(decs) => decs.iter().for_each(|dec| imports_of_dec(&dec.kind, f)),
        ModExpKind::Apply(a, b) => {
            imports_of_mod(a, f);
            imports_of_mod(b, f);
        }
    }
}

/// All that a file imports, directly or not; itself only if the imports form a cycle.
#[salsa::tracked(returns(clone))]
pub fn import_closure(db: &dyn Db, file: SourceFile) -> Arc<HashSet<SourceFile>> {
    // Walked by hand and not by recursive queries, for which a cycle would be an error.
    let mut seen = HashSet::new();
    let mut todo = vec![file];
    while let Some(next) = todo.pop() {
        for (_, target) in imports(db, next).iter() {
            if seen.insert(*target) {
                todo.push(*target);
            }
        }
    }
    Arc::new(seen)
}

/// The prelude, the files that `root` imports, and `root`: each after those it imports.
#[salsa::tracked(returns(clone))]
pub fn files_in_order(db: &dyn Db, root: SourceFile) -> Arc<Vec<SourceFile>> {
    let mut out = Vec::new();
    let mut seen = HashSet::new();
    let starts = if PRELUDE.is_empty() { vec![root] } else { vec![db.source(PRELUDE_ROOT), root] };
    for start in starts {
        if !seen.insert(start) {
            continue;
        }
        // Depth first, with an explicit stack of files and how far their imports are done.
        let mut stack = vec![(start, imports(db, start), 0)];
        while let Some((file, targets, next)) = stack.pop() {
            match targets.get(next) {
                Some((_, target)) => {
                    let target = *target;
                    stack.push((file, targets, next + 1));
                    if seen.insert(target) {
                        stack.push((target, imports(db, target), 0));
                    }
                }
                None => out.push(file),
            }
        }
    }
    Arc::new(out)
}

/// Sorts what is said of a file by the places it speaks of.
pub fn in_order(db: &dyn Db, file: SourceFile, diagnostics: &mut [Diagnostic]) {
    if diagnostics.is_empty() {
        return;
    }
    let starts = chunk_starts(db, file);
    diagnostics.sort_by_key(|d| {
        let (span, _) = d.labels.first()?;
        let start = starts.get(&span.file).copied().unwrap_or(0);
        Some((start + span.start, start + span.end))
    });
}

/// Whether a program is refused.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}

/// Where the lines of a file begin.
#[salsa::tracked(returns(clone))]
pub fn line_table(db: &dyn Db, file: SourceFile) -> Arc<LineTable> {
    let text = file.text(db).as_ref().map_or("", |text| text.as_ref());
    Arc::new(LineTable::new(file.path(db), text))
}

/// Positions in a root file and all it imports, for use in queries: what depends on them is
/// computed again only if lines have moved.
pub fn lines(db: &dyn Db, root: SourceFile) -> Lines {
    let files = files_in_order(db, root);
    let mut tables = HashMap::new();
    for file in files.iter() {
        let table = line_table(db, *file);
        tables.insert(file.id(db), (table.clone(), 0));
        for chunk in chunks(db, *file) {
            tables.insert(chunk.id, (table.clone(), chunk.start));
        }
    }
    Lines { tables }
}

/// The file that the prelude is opened from.
pub fn prelude_root(db: &dyn Db) -> SourceFile {
    db.source(PRELUDE_ROOT)
}

/// Runs `query`, which may use a clone of the database; `None` if that was cancelled because a
/// text is to be set.
pub fn cancellable<T>(query: impl FnOnce() -> T) -> Option<T> {
    salsa::Cancelled::catch(std::panic::AssertUnwindSafe(query)).ok()
}

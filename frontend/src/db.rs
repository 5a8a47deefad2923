//! The front end as queries.
//!
//! Inputs are the texts of files ([`SourceFile`]). Queries about a file, on top of those about its
//! declarations ([`crate::declaration`], which says what is checked again after which edit):
//!
//! - [`imports`]: the files it imports, without positions, so that most edits leave it as it is;
//! - [`import_closure`]: all that these import in turn, by which cycles are found;
//! - [`check_file`]: definitions and diagnostics of all declarations;
//! - [`file_env`]: what the file provides to importers, which an edit that changes no type leaves
//!   as it is;
//! - [`program`] and [`diagnostics`]: of a root file and all it imports.
//!
//! # Positions
//!
//! Spans are relative to chunks (see [`crate::syntax::parser::Chunk`]): [`Span::file`] names a
//! declaration, or the file itself in what is said of it as a whole. [`absolute`] gives the file
//! and the place in it, [`chunk_at`] and [`declaration_at`] lead from a place in a file to the
//! declaration that stands there, and [`SourceTexts`] and [`Lines`] show spans to people. A
//! definition's and an abstract type's id name the chunk too, see [`Db::file_of`].
//!
//! # Cancellation
//!
//! A text can be set only when no other handle of the database is at work. [`CompilerDb::set_text`]
//! therefore tells queries that run in other threads to stop, and waits until their handles are
//! dropped. They stop by unwinding, at the next query they call, which is at the next declaration
//! at the latest; [`cancellable`] turns that into a result. A thread that answers requests clones
//! the database, runs one query in [`cancellable`], and drops the clone.

use crate::check::automap::elaborate::{Edit, apply_edits};
use crate::check::env::{Env, Space};
use crate::declaration::{Binds, dec_env, duplicate_definitions, imports_of_dec, outline};
use crate::diag::{Diagnostic, INTERNAL_ERROR, Severity, Sources};
use crate::lines::{LineTable, Lines};
use crate::reach::reachable_from_entries;
use crate::syntax::ast;
use crate::syntax::parser::{Chunk, ChunkKey, ChunkedFile, parse_file};
use crate::world::{self, PRELUDE, PRELUDE_ROOT, World, import_path, is_prelude};
use futc_typed::name::Name;
use futc_typed::program::{Def, Opaque, Program};
use futc_typed::span::{FileId, Locate, Place, Span};
use salsa::{Durability, Setter};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

pub use crate::declaration::{
    CheckedDec, Declaration, Parsed, ParsedDec, check_dec, checked, declarations, parse,
};

#[allow(missing_docs, reason = "salsa makes functions without documentation")]
mod input {
    use futc_typed::span::FileId;
    use std::sync::Arc;

    /// A source file.
    #[salsa::input]
    pub struct SourceFile {
        /// Its canonical path.
        #[returns(clone)]
        pub path: Arc<str>,
        /// Its number.
        #[returns(copy)]
        pub id: FileId,
        /// Its text, or why it cannot be read.
        #[returns(ref)]
        pub text: Result<Arc<str>, String>,
    }
}
pub use input::SourceFile;

/// What queries need beside salsa: files by path.
#[salsa::db]
pub trait Db: salsa::Database {
    /// The file at a canonical path, read when first asked for.
    fn source(&self, path: &str) -> SourceFile;

    /// The number of a chunk: the same whenever it is asked for.
    fn chunk(&self, key: ChunkKey) -> FileId;

    /// The file that a number stands for or that the chunk is of.
    fn file_of(&self, id: FileId) -> Option<SourceFile>;

    /// The text of a file that was parsed last, and what that gave: of which what an edit leaves is
    /// taken over. It must decide nothing but how long parsing takes.
    fn last_parse(&self, file: FileId) -> Option<(Arc<str>, Arc<ChunkedFile>)>;

    /// Sets what [`Db::last_parse`] returns.
    fn keep_parse(&self, file: FileId, text: Arc<str>, parsed: Arc<ChunkedFile>);
}

/// The database.
#[salsa::db]
#[derive(Clone)]
pub struct CompilerDb {
    storage: salsa::Storage<Self>,
    world: Arc<dyn World>,
    files: Arc<Mutex<Files>>,
}

#[derive(Default)]
struct Files {
    by_path: HashMap<Arc<str>, SourceFile>,
    /// Files and chunks of files by their numbers.
    by_id: Vec<SourceFile>,
    chunks: HashMap<ChunkKey, FileId>,
    parsed: HashMap<FileId, (Arc<str>, Arc<ChunkedFile>)>,
}

#[salsa::db]
impl salsa::Database for CompilerDb {}

#[salsa::db]
impl Db for CompilerDb {
    fn source(&self, path: &str) -> SourceFile {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = files.by_path.get(path) {
            return *file;
        }
        let text = self.read(path);
        let id = FileId(files.by_id.len() as u32);
        let path: Arc<str> = Arc::from(path);
        let durability = if is_prelude(&path) { Durability::HIGH } else { Durability::LOW };
        let file = SourceFile::builder(path.clone(), id, text).durability(durability).new(self);
        files.by_path.insert(path, file);
        files.by_id.push(file);
        file
    }

    fn chunk(&self, key: ChunkKey) -> FileId {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = files.chunks.get(&key) {
            return *id;
        }
        let id = FileId(files.by_id.len() as u32);
        // A chunk is always of a file.
        if let Some(file) = files.by_id.get(key.parent.0 as usize).copied() {
            files.by_id.push(file);
            files.chunks.insert(key, id);
        }
        id
    }

    fn file_of(&self, id: FileId) -> Option<SourceFile> {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.by_id.get(id.0 as usize).copied()
    }

    fn last_parse(&self, file: FileId) -> Option<(Arc<str>, Arc<ChunkedFile>)> {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.parsed.get(&file).cloned()
    }

    fn keep_parse(&self, file: FileId, text: Arc<str>, parsed: Arc<ChunkedFile>) {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.parsed.insert(file, (text, parsed));
    }
}

impl CompilerDb {
    /// A database over a world.
    pub fn new(world: Arc<dyn World>) -> CompilerDb {
        CompilerDb::with_events(world, None)
    }

    /// As [`CompilerDb::new`], and tells `events` what salsa does.
    pub fn with_events(
        world: Arc<dyn World>,
        events: Option<Box<dyn Fn(salsa::Event) + Send + Sync + 'static>>,
    ) -> CompilerDb {
        let db = CompilerDb {
            storage: salsa::Storage::new(events),
            world,
            files: Arc::new(Mutex::new(Files::default())),
        };
        // So that the prelude's files have the same numbers in every run.
        for (path, _) in PRELUDE {
            db.source(path);
        }
        db
    }

    fn read(&self, path: &str) -> Result<Arc<str>, String> {
        if is_prelude(path) {
            let found = PRELUDE.iter().find(|(p, _)| *p == path);
            return found
                .map(|(_, text)| Arc::from(*text))
                .ok_or_else(|| "the prelude has no such file".to_owned());
        }
        self.world.read(path).map(Arc::from)
    }

    /// Says that a file's text has changed; false if it has not.
    pub fn set_text(&mut self, path: &str, text: &str) -> bool {
        let file = self.source(path);
        let text: Arc<str> = Arc::from(text);
        if file.text(self).as_ref().is_ok_and(|old| *old == text) {
            return false;
        }
        let _old = file.set_text(self).to(Ok(text));
        true
    }

    /// Reads a file again, if it has been read before; whether it has changed.
    pub fn refresh(&mut self, path: &str) -> bool {
        let file = self.source(path);
        match self.read(path) {
            Ok(text) => self.set_text(path, &text),
            Err(why) => {
                if file.text(self).as_ref().err() == Some(&why) {
                    return false;
                }
                let _old = file.set_text(self).to(Err(why));
                true
            }
        }
    }

    /// The files read so far, to show diagnostics with. Parses those that have not been.
    pub fn sources(&self) -> SourceTexts {
        let files: Vec<SourceFile> = {
            let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
            files.by_path.values().copied().collect()
        };
        let mut out = SourceTexts { files: HashMap::new(), chunks: HashMap::new() };
        for file in files {
            let id = file.id(self);
            let text = file.text(self).clone().unwrap_or_default();
            out.files.insert(id, (file.path(self), text));
            for chunk in chunks(self, file) {
                out.chunks.insert(chunk.id, (id, chunk.start));
            }
        }
        out
    }
}

/// Paths and texts of files at one moment, and where their chunks are.
#[derive(Clone)]
pub struct SourceTexts {
    files: HashMap<FileId, (Arc<str>, Arc<str>)>,
    chunks: HashMap<FileId, (FileId, u32)>,
}

impl SourceTexts {
    /// What is at a place, in one of the files.
    pub fn find(&self, place: &Place) -> Option<Span> {
        let (id, (path, text)) = self.files.iter().find(|(_, (p, _))| **p == *place.file)?;
        let table = LineTable::new(path.clone(), text);
        let start = table.offset(text, place.first.0, place.first.1)?;
        let last = table.offset(text, place.last.0, place.last.1)?;
        let wide = text.get(last as usize..)?.chars().next().map_or(0, char::len_utf8);
        Some(Span::new(*id, start, last + wide as u32))
    }
}

impl Sources for SourceTexts {
    fn name(&self, file: FileId) -> Option<&str> {
        self.files.get(&file).map(|(path, _)| path.as_ref())
    }

    fn text(&self, file: FileId) -> Option<&str> {
        self.files.get(&file).map(|(_, text)| text.as_ref())
    }

    fn absolute(&self, span: Span) -> Span {
        match self.chunks.get(&span.file) {
            Some((file, start)) => span.moved_to(*file, *start),
            None => span,
        }
    }
}

impl Locate for SourceTexts {
    fn locate(&self, span: Span) -> String {
        crate::diag::locate(self, span)
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

/// The declaration that holds a byte of a file, or ends there; and the byte's place in it. It is
/// one of the file itself: of what is inside of a module, the module.
pub fn declaration_at<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    byte: u32,
) -> Option<(Declaration<'db>, u32)> {
    let decs = &parse(db, file).decs;
    let after = decs.partition_point(|dec| dec.chunk.start <= byte);
    let chunk = decs.get(after.checked_sub(1)?)?.chunk;
    if byte > chunk.end {
        return None;
    }
    Some((outline(db, file).by_chunk(chunk.id)?, byte - chunk.start))
}

/// The declaration that a chunk is or is inside of, if its file still has it.
pub fn declaration_of<'db>(db: &'db dyn Db, chunk: FileId) -> Option<Declaration<'db>> {
    let file = db.file_of(chunk)?;
    let start = *chunk_starts(db, file).get(&chunk)?;
    // An empty declaration may end where the next begins; the next is meant.
    declaration_at(db, file, start).map(|(dec, _)| dec)
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
fn chunk_starts(db: &dyn Db, file: SourceFile) -> HashMap<FileId, u32> {
    chunks(db, file).iter().map(|chunk| (chunk.id, chunk.start)).collect()
}

/// Runs `query`, which may use a clone of the database; `None` if that was cancelled because a
/// text is to be set.
pub fn cancellable<T>(query: impl FnOnce() -> T) -> Option<T> {
    salsa::Cancelled::catch(std::panic::AssertUnwindSafe(query)).ok()
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

/// What a file provides to those that import it.
#[salsa::tracked(returns(clone))]
pub fn file_env(db: &dyn Db, file: SourceFile) -> Arc<Env> {
    let mut out = Env::default();
    for dec in declarations(db, file) {
        // Also of those that are not handed on: later ones use them, and are to find them checked.
        let env = &dec_env(db, *dec).env;
        let head = dec.head(db);
        if head.local {
            continue;
        }
        match head.binds {
            Binds::Value(name) => match env.values.get(&name.name) {
                Some(value) => out.bind_value(name.name, value.clone()),
                None => out.break_name(Space::Value, name.name),
            },
            Binds::Module(name) => match env.modules.get(&name.name) {
                Some(module) => out.bind_module(name.name, module.clone()),
                None => out.break_name(Space::Value, name.name),
            },
            Binds::Type(_) | Binds::ModType(_) | Binds::Opened => out.open(env),
            Binds::Imported => {}
        }
    }
    Arc::new(out)
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

/// The typed program of a root file, with all definitions. Only the root's entry points are
/// entry points.
#[salsa::tracked(returns(clone))]
pub fn program(db: &dyn Db, root: SourceFile) -> Arc<Program> {
    let mut program = Program::default();
    for file in files_in_order(db, root).iter() {
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

/// As [`program`], with only the definitions that entry points need.
#[salsa::tracked(returns(clone))]
pub fn reachable_program(db: &dyn Db, root: SourceFile) -> Arc<Program> {
    Arc::new(reachable_from_entries(&program(db, root)))
}

/// What there is to say about a root file and all it imports.
#[salsa::tracked(returns(clone))]
pub fn diagnostics(db: &dyn Db, root: SourceFile) -> Arc<Vec<Diagnostic>> {
    let mut out = Vec::new();
    for file in files_in_order(db, root).iter() {
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
    if out.iter().any(|d| d.severity == Severity::Error && d.code != INTERNAL_ERROR) {
        out.retain(|d| d.code != INTERNAL_ERROR);
    }
    Arc::new(out)
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

/// Whether a program is refused.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}

/// The values a file provides, sorted by name; for tools and tests.
pub fn provided_names(env: &Env) -> BTreeMap<&'static str, Name> {
    env.values.keys().map(|n| (n.as_str(), *n)).collect()
}

/// The file that the prelude is opened from.
pub fn prelude_root(db: &dyn Db) -> SourceFile {
    db.source(world::PRELUDE_ROOT)
}

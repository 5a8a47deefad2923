//! The front end as queries.
//!
//! Inputs are the texts of files ([`SourceFile`]). Queries, each per file:
//!
//! - [`parse`]: the syntax tree;
//! - [`imports`]: the files it imports, without positions, so that most edits leave it as it is;
//! - [`import_closure`]: all that these import in turn, by which cycles are found;
//! - [`check_file`]: definitions and environment. Reads what imports provide and nothing else of
//!   them, so an edit in a file that is not imported rechecks nothing here;
//! - [`file_env`]: what the file provides to importers, apart from [`check_file`], so that a
//!   change which leaves that as it is (and moves nothing) stops there;
//! - [`program`] and [`diagnostics`]: of a root file and all it imports.
//!
//! A file is the unit because declarations are checked in order, each in the scope of those
//! before it.

use crate::check::automap::elaborate::{Edit, apply_edits};
use crate::check::env::{Elab, Env};
use crate::check::intrinsic::initial_env;
use crate::check::module::check_decs;
use crate::diag::{Diagnostic, Severity, Sources};
use crate::lines::{LineTable, Lines};
use crate::reach::reachable_from_entries;
use crate::syntax::ast::{self, Dec, DecKind, Import, ModExp, ModExpKind};
use crate::syntax::parser::parse_file;
use crate::world::{self, PRELUDE, PRELUDE_ROOT, World, import_path, is_prelude};
use futc_typed::name::Name;
use futc_typed::program::{Def, Opaque, Program, TypeId};
use futc_typed::span::{FileId, Locate, Span};
use salsa::{Durability, Setter};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

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
    /// Kept apart from the inputs so that spans can be shown without a query.
    by_id: Vec<Arc<SourceText>>,
}

struct SourceText {
    path: Arc<str>,
    text: Arc<str>,
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
        files.by_id.push(Arc::new(SourceText {
            path: path.clone(),
            text: text.clone().unwrap_or_else(|_| Arc::from("")),
        }));
        let durability = if is_prelude(&path) { Durability::HIGH } else { Durability::LOW };
        let file = SourceFile::builder(path.clone(), id, text).durability(durability).new(self);
        files.by_path.insert(path, file);
        file
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

    /// Says that a file's text has changed.
    pub fn set_text(&mut self, path: &str, text: &str) {
        let file = self.source(path);
        let text: Arc<str> = Arc::from(text);
        if file.text(self).as_ref().is_ok_and(|old| *old == text) {
            return;
        }
        let id = file.id(self);
        {
            let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(slot) = files.by_id.get_mut(id.0 as usize) {
                *slot = Arc::new(SourceText { path: slot.path.clone(), text: text.clone() });
            }
        }
        let _old = file.set_text(self).to(Ok(text));
    }

    /// Reads a file again, if it has been read before.
    pub fn refresh(&mut self, path: &str) {
        let file = self.source(path);
        match self.read(path) {
            Ok(text) => self.set_text(path, &text),
            Err(why) => {
                if file.text(self).as_ref().err() != Some(&why) {
                    let _old = file.set_text(self).to(Err(why));
                }
            }
        }
    }

    /// The files read so far, to show diagnostics with.
    pub fn sources(&self) -> SourceTexts {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        SourceTexts { files: files.by_id.clone() }
    }
}

/// Paths and texts of files at one moment.
#[derive(Clone)]
pub struct SourceTexts {
    files: Vec<Arc<SourceText>>,
}

impl Sources for SourceTexts {
    fn name(&self, file: FileId) -> Option<&str> {
        self.files.get(file.0 as usize).map(|f| f.path.as_ref())
    }

    fn text(&self, file: FileId) -> Option<&str> {
        self.files.get(file.0 as usize).map(|f| f.text.as_ref())
    }
}

impl Locate for SourceTexts {
    fn locate(&self, span: Span) -> String {
        crate::diag::locate(self, span)
    }
}

/// A parsed file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    /// The tree.
    pub tree: ast::File,
    /// Syntax errors.
    pub diagnostics: Vec<Diagnostic>,
}

/// The syntax tree of a file.
#[salsa::tracked(returns(clone))]
pub fn parse(db: &dyn Db, file: SourceFile) -> Arc<Parsed> {
    let id = file.id(db);
    Arc::new(match file.text(db) {
        Ok(text) => {
            let (tree, diagnostics) = parse_file(id, text);
            Parsed { tree, diagnostics }
        }
        Err(why) => Parsed {
            tree: ast::File { doc: None, decs: Vec::new() },
            diagnostics: vec![Diagnostic::error(
                "file-not-found",
                Span::new(id, 0, 0),
                format!("{} cannot be read: {why}", file.path(db)),
            )],
        },
    })
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
    let parsed = parse(db, file);
    let path = file.path(db);
    let mut seen = HashSet::new();
    let mut out = Vec::new();
    imports_of_decs(&parsed.tree.decs, &mut |import| {
        if seen.insert(import.path.clone()) {
            out.push((import.path.clone(), db.source(&import_path(&path, &import.path))));
        }
    });
    Arc::new(out)
}

fn imports_of_decs(decs: &[Dec], f: &mut impl FnMut(&Import)) {
    for dec in decs {
        imports_of_dec(&dec.kind, f);
    }
}

fn imports_of_dec(dec: &DecKind, f: &mut impl FnMut(&Import)) {
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
        ModExpKind::Decs(decs) => imports_of_decs(decs, f),
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

/// A checked file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckedFile {
    /// What it provides.
    pub env: Arc<Env>,
    /// Definitions, each after those it uses.
    pub defs: Vec<Arc<Def>>,
    /// Abstract types.
    pub opaques: Vec<Arc<Opaque>>,
    /// Abstract types, also those it imports.
    pub types: Arc<AbstractTypes>,
    /// What there is to say, beside syntax errors.
    pub diagnostics: Vec<Diagnostic>,
    /// What AUTOMAP inserted, in the order of the source.
    pub elaborations: Vec<Edit>,
    /// What there is to say further if the file is a program's root.
    pub main_diagnostics: Vec<Diagnostic>,
}

/// What a file provides to those that import it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Provided {
    /// Names.
    pub env: Arc<Env>,
    /// Abstract types.
    pub types: Arc<AbstractTypes>,
}

/// What is known of abstract types everywhere.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AbstractTypes {
    /// Their names.
    pub names: HashMap<TypeId, Name>,
    /// What they may hold; those not in it are unlifted.
    pub liftedness: HashMap<TypeId, ast::Liftedness>,
}

impl AbstractTypes {
    fn add_to(&self, cx: &mut Elab) {
        cx.type_names.extend(self.names.iter().map(|(k, v)| (*k, *v)));
        cx.type_liftedness.extend(self.liftedness.iter().map(|(k, v)| (*k, *v)));
    }
}

/// What a file provides to those that import it.
#[salsa::tracked(returns(clone))]
pub fn file_env(db: &dyn Db, file: SourceFile) -> Provided {
    let checked = check_file(db, file);
    Provided { env: checked.env.clone(), types: checked.types.clone() }
}

/// Checks a file.
#[salsa::tracked(returns(clone))]
pub fn check_file(db: &dyn Db, file: SourceFile) -> Arc<CheckedFile> {
    let parsed = parse(db, file);
    let id = file.id(db);
    let mut cx = Elab::new(id);
    cx.prelude = is_prelude(&file.path(db));
    if let Ok(text) = file.text(db) {
        cx.text = text.clone();
    }
    let mut scope = initial_env().clone();
    if !cx.prelude && !PRELUDE.is_empty() {
        let prelude = file_env(db, db.source(PRELUDE_ROOT));
        scope.open(&prelude.env);
        cx.prelude_env = Some(prelude.env.clone());
        prelude.types.add_to(&mut cx);
    }
    for (written, target) in imports(db, file).iter() {
        let span = import_span(&parsed.tree, written).unwrap_or(Span::new(id, 0, 0));
        if *target == file || import_closure(db, *target).contains(&file) {
            cx.report(Diagnostic::error(
                "import-cycle",
                span,
                format!("the import of {} leads back to this file", target.path(db)),
            ));
            continue;
        }
        if let Some(why) = unreadable(db, *target) {
            cx.report(Diagnostic::error(
                "file-not-found",
                span,
                format!("the file {} cannot be read: {why}", target.path(db)),
            ));
            continue;
        }
        let provided = file_env(db, *target);
        provided.types.add_to(&mut cx);
        cx.imports.insert(written.clone(), provided.env);
    }
    let env = check_decs(&mut cx, scope, &parsed.tree.decs);
    let broken_syntax = parsed.diagnostics.iter().any(|d| d.severity == Severity::Error);
    let diagnostics = if broken_syntax { Vec::new() } else { tidy(cx.diagnostics) };
    let mut elaborations = cx.elaborations;
    elaborations.sort_by_key(|e| e.span);
    // The body of a parametric module is elaborated several times.
    elaborations.dedup_by_key(|e| e.span);
    Arc::new(CheckedFile {
        elaborations,
        env: Arc::new(env),
        defs: cx.defs,
        opaques: cx.opaques,
        types: Arc::new(AbstractTypes { names: cx.type_names, liftedness: cx.type_liftedness }),
        diagnostics,
        main_diagnostics: if broken_syntax { Vec::new() } else { cx.main_diagnostics },
    })
}

/// The text of a file with everything that AUTOMAP inserted written out.
pub fn elaborated(db: &dyn Db, file: SourceFile) -> Result<String, String> {
    let text = file.text(db).clone()?;
    let whole = Span::new(file.id(db), 0, text.len() as u32);
    Ok(apply_edits(&text, whole, &check_file(db, file).elaborations))
}

fn import_span(tree: &ast::File, written: &str) -> Option<Span> {
    let mut span = None;
    imports_of_decs(&tree.decs, &mut |import| {
        if import.path == written && span.is_none() {
            span = Some(import.span);
        }
    });
    span
}

/// Diagnostics in the order of the source, each once: the body of a parametric module is
/// elaborated several times.
fn tidy(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut seen = HashSet::new();
    diagnostics.retain(|d| seen.insert((d.code, d.labels.first().map(|(span, _)| *span))));
    diagnostics
        .sort_by_key(|d| d.labels.first().map(|(span, _)| (span.file, span.start, span.end)));
    diagnostics
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
            out.extend(parse(db, *file).diagnostics.iter().cloned());
        }
        let checked = check_file(db, *file);
        out.extend(checked.diagnostics.iter().cloned());
        if *file == root {
            out.extend(checked.main_diagnostics.iter().cloned());
        }
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
    Lines { tables: files.iter().map(|f| (f.id(db), line_table(db, *f))).collect() }
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

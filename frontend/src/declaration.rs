//! Declarations as queries: the unit in which a file is checked.
//!
//! - [`parse`]: a file's declarations, with spans relative to their chunks ([`chunks`]), and where
//!   the chunks are. Runs whenever the text changes: it is fast, and nothing but [`declarations`]
//!   and queries about positions depend on it.
//! - [`declarations`]: the same as tracked structs. One that has not changed stays equal, wherever
//!   it has moved.
//! - [`outline`]: which declaration binds which name, as far as that can be seen without checking.
//!   Depends on what declarations are called, not on what is in them.
//! - [`mentions`]: the names that stand in a declaration's text, whatever they mean there.
//! - `names_at`: which declaration the names in scope behind an `open` or `import` come from.
//! - [`sources`]: which earlier declarations of the file the names that a declaration mentions come
//!   from.
//! - [`check_dec`]: elaborates a declaration in a scope that holds just the names it mentions. Of
//!   other declarations it reads [`dec_env`], what they bring into scope, and of those that bring
//!   many names (`open`, `import`) one name at a time, by [`provided_value`] and its kin.
//!
//! So an edit in the body of a function rechecks that function; one that changes its type rechecks
//! also what mentions its name; one that adds or removes a declaration rechecks what mentions that
//! name. There is no chain of environments from one declaration to the next: what names mean is
//! looked up, not handed on, so that nothing is copied.
//!
//! Declarations use earlier ones, whose queries therefore call one another as deep as a file is
//! long, if one asks for the last first. [`crate::db::check_file`] asks in order, and salsa looks
//! at what it asked for in the same order; what wants a single declaration checked goes through
//! [`checked`], which does that first.
//!
//! A module with what is in it is one declaration, as is a parametric module: an edit in one of
//! its functions rechecks all of it, but not what uses it, because the functions in it are chunks
//! of their own and their numbers, places and types stay.
//!
//! [`chunks`]: crate::syntax::parser::Chunk

use crate::check::automap::elaborate::Edit;
use crate::check::env::Space as ScopeSpace;
use crate::check::env::{Elab, Env, ModBinding, ModTypeBinding, TypeBinding, ValueBinding};
use crate::check::intrinsic::initial_env;
use crate::check::module::{self, NameSpace};
use crate::check::typeexp::closest;
use crate::db::{Db, SourceFile, file_env, import_closure, unreadable};
use crate::diag::Diagnostic;
use crate::index::Note;
use crate::syntax::ast::{Dec, DecKind, Ident, Import, ModExp, ModExpKind};
use crate::syntax::lexer::{TokenKind, lex};
use crate::syntax::parser::{Chunk, parse_chunks, reparse_chunks};

pub use crate::syntax::parser::ParsedDec;
use crate::world::{PRELUDE, PRELUDE_ROOT, import_path, is_prelude};
use futc_typed::name::Name;
use futc_typed::program::{Def, Opaque};
use futc_typed::span::{FileId, Span};
use rpds::HashTrieMapSync;
use std::collections::{BTreeSet, HashMap};
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
                diagnostics: vec![Diagnostic::error(
                    "file-not-found",
                    Span::new(id, 0, 0),
                    format!("{} cannot be read: {why}", file.path(db)),
                )],
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

#[allow(missing_docs, reason = "salsa makes functions without documentation")]
mod tracked {
    use super::{Dec, FileId, Head, SourceFile};
    use std::sync::Arc;

    /// A declaration of a file that is not inside another.
    #[salsa::tracked]
    pub struct Declaration<'db> {
        /// Its file.
        #[returns(copy)]
        pub file: SourceFile,
        /// The chunk that it is.
        #[returns(copy)]
        pub chunk: FileId,
        /// What it is called.
        #[tracked]
        #[returns(copy)]
        pub head: Head,
        /// Its tree, without the documentation comment before it.
        #[tracked]
        #[returns(ref)]
        pub tree: Arc<Dec>,
        /// Its text, to which its spans are relative.
        #[tracked]
        #[returns(ref)]
        pub text: Arc<str>,
        /// Where in the text the chunks inside of it begin.
        #[tracked]
        #[returns(ref)]
        pub inner: Arc<[(FileId, u32)]>,
        /// The documentation comment before it.
        #[tracked]
        #[returns(ref)]
        pub doc: Option<Arc<str>>,
    }
}
pub use tracked::Declaration;

/// What can be said of a declaration without looking into it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Head {
    /// What names it binds.
    pub binds: Binds,
    /// It is `local`.
    pub local: bool,
}

/// The names that a declaration binds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binds {
    /// `def`, `let` and `entry`
    Value(Ident),
    /// `type`
    Type(Ident),
    /// `module`
    Module(Ident),
    /// `module type`
    ModType(Ident),
    /// `open`: those of a module.
    Opened,
    /// `import`: those of a file, which are not handed on.
    Imported,
}

impl Binds {
    /// The name, if it is one.
    pub fn name(self) -> Option<Ident> {
        match self {
            Binds::Value(name) | Binds::Type(name) | Binds::Module(name) | Binds::ModType(name) => {
                Some(name)
            }
            Binds::Opened | Binds::Imported => None,
        }
    }

    /// What a name means behind the declaration: in these spaces, what this declaration says.
    fn spaces(self) -> &'static [Space] {
        match self {
            Binds::Value(_) | Binds::Module(_) => &[Space::Value, Space::Module],
            Binds::Type(_) => &[Space::Type],
            Binds::ModType(_) => &[Space::ModType],
            Binds::Opened | Binds::Imported => &[],
        }
    }
}

fn head(dec: &Dec) -> Head {
    let mut kind = &dec.kind;
    let mut local = false;
    while let DecKind::Local(inner) = kind {
        local = true;
        kind = &inner.kind;
    }
    let binds = match kind {
        DecKind::Val(bind) => Binds::Value(bind.name),
        DecKind::Type(bind) => Binds::Type(bind.name),
        DecKind::Mod(bind) => Binds::Module(bind.name),
        DecKind::ModType(bind) => Binds::ModType(bind.name),
        DecKind::Open(_) | DecKind::Local(_) => Binds::Opened,
        DecKind::Import(_) => Binds::Imported,
    };
    Head { binds, local }
}

/// The declarations of a file, in order.
#[salsa::tracked(returns(ref))]
pub fn declarations<'db>(db: &'db dyn Db, file: SourceFile) -> Vec<Declaration<'db>> {
    let make = |dec: &ParsedDec| {
        let ParsedDec { chunk, tree, doc, text, inner } = dec.clone();
        Declaration::new(db, file, chunk.id, head(&tree), tree, text, inner, doc)
    };
    parse(db, file).decs.iter().map(make).collect()
}

/// Kinds of what names mean. A value and a module of one name hide each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Space {
    /// Values and functions.
    Value,
    /// Modules.
    Module,
    /// Types.
    Type,
    /// Module types.
    ModType,
}

impl Space {
    /// The name space of scopes that it is a part of.
    fn of_scope(self) -> ScopeSpace {
        match self {
            Space::Value | Space::Module => ScopeSpace::Value,
            Space::Type => ScopeSpace::Type,
            Space::ModType => ScopeSpace::ModType,
        }
    }
}

const SPACES: [Space; 4] = [Space::Value, Space::Module, Space::Type, Space::ModType];

/// Which declarations of a file bind which names.
#[derive(Clone, PartialEq, Eq, salsa::SalsaValue)]
pub struct Outline<'db> {
    /// The declarations in order.
    pub decs: Vec<Declaration<'db>>,
    /// Where in the list a declaration is.
    index: HashMap<FileId, u32>,
    /// Where the names are that are bound singly.
    names: HashMap<Name, Vec<(Space, u32)>>,
    /// Where many are bound at once.
    opens: Vec<u32>,
}

impl<'db> Outline<'db> {
    /// The declaration that is a chunk.
    pub fn by_chunk(&self, chunk: FileId) -> Option<Declaration<'db>> {
        self.dec(*self.index.get(&chunk)?)
    }

    fn dec(&self, index: u32) -> Option<Declaration<'db>> {
        self.decs.get(index as usize).copied()
    }

    /// The last `open` or `import` before a declaration.
    fn open_before(&self, index: u32) -> Option<u32> {
        let after = self.opens.partition_point(|at| *at < index);
        self.opens.get(after.checked_sub(1)?).copied()
    }
}

/// Which declarations of a file bind which names.
#[salsa::tracked(returns(ref))]
pub fn outline<'db>(db: &'db dyn Db, file: SourceFile) -> Outline<'db> {
    let decs = declarations(db, file).clone();
    let mut index = HashMap::with_capacity(decs.len());
    let mut names: HashMap<Name, Vec<(Space, u32)>> = HashMap::with_capacity(decs.len());
    let mut opens = Vec::new();
    for (at, dec) in (0u32..).zip(&decs) {
        index.insert(dec.chunk(db), at);
        let binds = dec.head(db).binds;
        match binds.name() {
            Some(name) => {
                let places = names.entry(name.name).or_default();
                places.extend(binds.spaces().iter().map(|space| (*space, at)));
            }
            None => opens.push(at),
        }
    }
    Outline { decs, index, names, opens }
}

/// Names that a file's declarations define twice.
#[salsa::tracked(returns(ref))]
pub fn duplicate_definitions(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let heads = declarations(db, file).iter().map(|dec| dec.head(db)).filter(|head| !head.local);
    module::duplicates(heads.filter_map(|head| {
        let space = match head.binds {
            Binds::Value(_) | Binds::Module(_) => NameSpace::Values,
            Binds::Type(_) => NameSpace::Types,
            Binds::ModType(_) => NameSpace::ModTypes,
            Binds::Opened | Binds::Imported => return None,
        };
        Some((space, head.binds.name()?))
    }))
}

/// The names in a declaration's text, each once, in the order of their text.
///
/// They are taken from its tokens, not from its tree: fields and local variables are among them,
/// which costs nothing but a dependency on a declaration of the same name.
#[salsa::tracked(returns(ref))]
pub fn mentions<'db>(db: &'db dyn Db, dec: Declaration<'db>) -> Vec<Name> {
    let text = dec.text(db);
    let (tokens, _) = lex(dec.chunk(db), text);
    let mut words: Vec<&str> = Vec::with_capacity(tokens.len() / 2);
    for token in tokens {
        let word = token.text(text);
        match token.kind {
            TokenKind::Ident
            | TokenKind::Op
            | TokenKind::Star
            | TokenKind::Minus
            | TokenKind::Bang
            | TokenKind::Less
            | TokenKind::Hat
            | TokenKind::Pipe
            | TokenKind::Equals => words.push(word),
            // What follows the module is looked up inside it.
            TokenKind::QualOp => words.extend(word.split('.').next()),
            _ => {}
        }
    }
    words.sort_unstable();
    words.dedup();
    words.into_iter().map(Name::new).collect()
}

/// The declarations that a name comes from, by space.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Providers([Option<FileId>; 4]);

/// The names bound in a file up to and including an `open` or `import`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct NamesAt {
    names: HashTrieMapSync<Name, Providers>,
    /// One of the modules opened or files imported was refused: names may be missing.
    incomplete: bool,
}

#[salsa::tracked(returns(ref))]
fn names_at<'db>(db: &'db dyn Db, open: Declaration<'db>) -> NamesAt {
    let outline = outline(db, open.file(db));
    let Some(&here) = outline.index.get(&open.chunk(db)) else {
        return NamesAt { names: HashTrieMapSync::new_sync(), incomplete: false };
    };
    let before = outline.open_before(here);
    let NamesAt { mut names, incomplete } = match before.and_then(|at| outline.dec(at)) {
        Some(before) => names_at(db, before).clone(),
        None => NamesAt { names: HashTrieMapSync::new_sync(), incomplete: false },
    };
    let mut bind = |space: Space, name: Name, chunk: FileId| {
        let mut providers = names.get(&name).copied().unwrap_or_default();
        if let Some(slot) = providers.0.get_mut(space as usize) {
            *slot = Some(chunk);
        }
        names.insert_mut(name, providers);
    };
    for at in before.map_or(0, |at| at + 1)..here {
        let Some(dec) = outline.dec(at) else { continue };
        let binds = dec.head(db).binds;
        if let Some(name) = binds.name() {
            binds.spaces().iter().for_each(|space| bind(*space, name.name, dec.chunk(db)));
        }
    }
    for (space, name) in provided_names(db, open) {
        bind(*space, *name, open.chunk(db));
    }
    NamesAt { names, incomplete: incomplete || dec_env(db, open).env.incomplete }
}

/// Whether names may be missing before a declaration, because a module opened or a file imported
/// there was refused. Apart from [`check_dec`], which must not depend on the outline.
#[salsa::tracked(returns(copy))]
fn incomplete_before<'db>(db: &'db dyn Db, dec: Declaration<'db>) -> bool {
    let outline = outline(db, dec.file(db));
    let here = outline.index.get(&dec.chunk(db));
    let open = here.and_then(|here| outline.open_before(*here)).and_then(|at| outline.dec(at));
    open.is_some_and(|open| names_at(db, open).incomplete)
}

/// The names that a declaration brings into scope.
#[salsa::tracked(returns(ref))]
fn provided_names<'db>(db: &'db dyn Db, dec: Declaration<'db>) -> Vec<(Space, Name)> {
    let env = &dec_env(db, dec).env;
    let mut out = Vec::new();
    out.extend(env.values.keys().map(|name| (Space::Value, *name)));
    out.extend(env.modules.keys().map(|name| (Space::Module, *name)));
    out.extend(env.types.keys().map(|name| (Space::Type, *name)));
    out.extend(env.mod_types.keys().map(|name| (Space::ModType, *name)));
    for space in SPACES {
        let broken = env
            .broken
            .iter()
            .filter(|(s, name)| *s == space.of_scope() && env.is_broken(*s, *name));
        out.extend(broken.map(|(_, name)| (space, *name)));
    }
    out
}

/// Where the meaning of a name comes from: an earlier declaration of the file.
#[derive(Clone, Copy, PartialEq, Eq, salsa::SalsaValue)]
pub struct Source<'db> {
    /// The name.
    pub name: Name,
    /// What it is looked up as.
    pub space: Space,
    /// What binds it.
    pub dec: Declaration<'db>,
}

/// Where the names that a declaration mentions come from. Those that are not listed are local to
/// it, or come from the prelude, or from nowhere.
#[salsa::tracked(returns(ref))]
pub fn sources<'db>(db: &'db dyn Db, dec: Declaration<'db>) -> Vec<Source<'db>> {
    sources_of(db, dec, mentions(db, dec).iter().copied())
}

fn sources_of<'db>(
    db: &'db dyn Db,
    dec: Declaration<'db>,
    names: impl Iterator<Item = Name>,
) -> Vec<Source<'db>> {
    let outline = outline(db, dec.file(db));
    let Some(&here) = outline.index.get(&dec.chunk(db)) else { return Vec::new() };
    let open = outline.open_before(here);
    let opened = open.and_then(|at| outline.dec(at)).map(|open| names_at(db, open));
    let first = open.map_or(0, |at| at + 1);
    let mut out = Vec::new();
    for name in names {
        let single = outline.names.get(&name);
        let providers = opened.and_then(|names| names.names.get(&name));
        if single.is_none() && providers.is_none() {
            continue;
        }
        for space in SPACES {
            let mut near = single.into_iter().flatten().rev();
            let near = near.find(|(s, at)| *s == space && (first..here).contains(at));
            let source = match near {
                Some((_, at)) => outline.dec(*at),
                None => providers
                    .and_then(|p| p.0.get(space as usize).copied().flatten())
                    .and_then(|chunk| outline.by_chunk(chunk)),
            };
            out.extend(source.map(|dec| Source { name, space, dec }));
        }
    }
    out
}

/// A checked declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckedDec {
    /// What it brings into scope.
    pub env: Arc<Env>,
    /// Definitions, each after those it uses.
    pub defs: Vec<Arc<Def>>,
    /// Abstract types.
    pub opaques: Vec<Arc<Opaque>>,
    /// What there is to say.
    pub diagnostics: Vec<Diagnostic>,
    /// What AUTOMAP inserted.
    pub elaborations: Vec<Edit>,
    /// What there is to say further if the file is a program's root.
    pub main_diagnostics: Vec<Diagnostic>,
}

/// What a declaration brings into scope.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecEnv {
    /// Names.
    pub env: Arc<Env>,
}

/// What a declaration brings into scope, apart from the rest of [`check_dec`].
#[salsa::tracked(returns(ref))]
pub fn dec_env<'db>(db: &'db dyn Db, dec: Declaration<'db>) -> DecEnv {
    DecEnv { env: check_dec(db, dec).env.clone() }
}

/// The name spaces in which a name that a declaration brings into scope means nothing, because its
/// definition was refused.
#[salsa::tracked(returns(ref))]
fn provided_broken<'db>(
    db: &'db dyn Db,
    dec: Declaration<'db>,
    name: NameKey<'db>,
) -> Vec<ScopeSpace> {
    let env = &dec_env(db, dec).env;
    let spaces = [ScopeSpace::Value, ScopeSpace::Type, ScopeSpace::ModType];
    spaces.into_iter().filter(|space| env.is_broken(*space, name.name(db))).collect()
}

/// What a value name means that an `open` or `import` brings into scope.
#[salsa::tracked(returns(ref))]
fn provided_value<'db>(
    db: &'db dyn Db,
    dec: Declaration<'db>,
    name: NameKey<'db>,
) -> Option<ValueBinding> {
    dec_env(db, dec).env.values.get(&name.name(db)).cloned()
}

/// As [`provided_value`], of modules.
#[salsa::tracked(returns(ref))]
fn provided_module<'db>(
    db: &'db dyn Db,
    dec: Declaration<'db>,
    name: NameKey<'db>,
) -> Option<ModBinding> {
    dec_env(db, dec).env.modules.get(&name.name(db)).cloned()
}

/// As [`provided_value`], of types.
#[salsa::tracked(returns(ref))]
fn provided_type<'db>(
    db: &'db dyn Db,
    dec: Declaration<'db>,
    name: NameKey<'db>,
) -> Option<TypeBinding> {
    dec_env(db, dec).env.types.get(&name.name(db)).cloned()
}

/// As [`provided_value`], of module types.
#[salsa::tracked(returns(ref))]
fn provided_mod_type<'db>(
    db: &'db dyn Db,
    dec: Declaration<'db>,
    name: NameKey<'db>,
) -> Option<Arc<ModTypeBinding>> {
    dec_env(db, dec).env.mod_types.get(&name.name(db)).cloned()
}

#[allow(missing_docs, reason = "salsa makes functions without documentation")]
mod interned {
    use futc_typed::name::Name;

    /// A name as salsa wants it for a key.
    #[salsa::interned]
    pub struct NameKey<'db> {
        /// The name.
        #[returns(copy)]
        pub name: Name,
    }
}
use interned::NameKey;

/// What is in scope at the beginning of a file.
#[salsa::tracked(returns(clone))]
pub fn base_env(db: &dyn Db, file: SourceFile) -> Arc<Env> {
    if is_prelude(&file.path(db)) || PRELUDE.is_empty() {
        return Arc::new(initial_env().clone());
    }
    prelude_env(db)
}

/// What is in scope at the beginning of every file outside of the prelude.
#[salsa::tracked(returns(clone))]
fn prelude_env(db: &dyn Db) -> Arc<Env> {
    let mut env = initial_env().clone();
    env.open(&file_env(db, db.source(PRELUDE_ROOT)));
    Arc::new(env)
}

/// Checks a declaration.
#[salsa::tracked(returns(ref))]
pub fn check_dec<'db>(db: &'db dyn Db, dec: Declaration<'db>) -> CheckedDec {
    let checked = check_in(db, dec, mentions(db, dec), sources(db, dec));
    let unknown = unknown_names(db, dec, &checked.diagnostics);
    if unknown.is_empty() {
        return checked;
    }
    // The scope holds what is mentioned, so that nothing could be found that is like what is not
    // there. Once more, with the likeliest.
    let visible = visible_names(db, dec);
    let mut names = mentions(db, dec).clone();
    for name in unknown {
        for space in SPACES {
            let candidates = visible.iter().filter(|(s, _)| *s == space).map(|(_, name)| *name);
            names.extend(closest(name, candidates));
        }
    }
    names.sort_unstable_by_key(|name| name.as_str());
    names.dedup();
    if names.len() == mentions(db, dec).len() {
        return checked;
    }
    check_in(db, dec, &names, &sources_of(db, dec, names.iter().copied()))
}

/// The names that diagnostics point at and say are unknown.
fn unknown_names<'db>(
    db: &'db dyn Db,
    dec: Declaration<'db>,
    diagnostics: &[Diagnostic],
) -> BTreeSet<Name> {
    let mut out = BTreeSet::new();
    for d in diagnostics.iter().filter(|d| d.code.starts_with("unknown-")) {
        let Some((span, _)) = d.labels.first() else { continue };
        let start = match dec.inner(db).iter().find(|(chunk, _)| *chunk == span.file) {
            Some((_, start)) => *start,
            None if span.file == dec.chunk(db) => 0,
            None => continue,
        };
        let span = span.moved_to(span.file, start);
        let text = dec.text(db).get(span.start as usize..span.end as usize);
        out.extend(text.unwrap_or("").split('.').map(Name::new));
    }
    out
}

/// Every name in scope before a declaration.
fn visible_names<'db>(db: &'db dyn Db, dec: Declaration<'db>) -> Vec<(Space, Name)> {
    let mut out = Vec::new();
    let base = base_env(db, dec.file(db));
    out.extend(base.values.keys().map(|name| (Space::Value, *name)));
    out.extend(base.modules.keys().map(|name| (Space::Module, *name)));
    out.extend(base.types.keys().map(|name| (Space::Type, *name)));
    out.extend(base.mod_types.keys().map(|name| (Space::ModType, *name)));
    let outline = outline(db, dec.file(db));
    let Some(&here) = outline.index.get(&dec.chunk(db)) else { return out };
    for (name, places) in &outline.names {
        let before = places.iter().filter(|(_, at)| *at < here);
        out.extend(before.map(|(space, _)| (*space, *name)));
    }
    if let Some(open) = outline.open_before(here).and_then(|at| outline.dec(at)) {
        for (name, providers) in names_at(db, open).names.iter() {
            let spaces = SPACES.iter().zip(providers.0).filter(|(_, p)| p.is_some());
            out.extend(spaces.map(|(space, _)| (*space, *name)));
        }
    }
    out
}

/// Checks a declaration in the scope that has just `names`.
fn check_in<'db>(
    db: &'db dyn Db,
    dec: Declaration<'db>,
    names: &[Name],
    sources: &[Source<'db>],
) -> CheckedDec {
    let (cx, env) = elaborate(db, dec, names, sources, None);
    CheckedDec {
        env,
        defs: cx.defs,
        opaques: cx.opaques,
        diagnostics: cx.diagnostics,
        elaborations: cx.elaborations,
        main_diagnostics: cx.main_diagnostics,
    }
}

/// What the checker notes of types in a declaration. Only editors ask for that.
#[salsa::tracked(returns(ref))]
pub fn notes<'db>(db: &'db dyn Db, dec: Declaration<'db>) -> Vec<Note> {
    let (names, sources) = (mentions(db, dec), sources(db, dec));
    elaborate(db, dec, names, sources, Some(Vec::new())).0.notes.unwrap_or_default()
}

/// Checks a declaration, noting types if there is a list for them.
fn elaborate<'db>(
    db: &'db dyn Db,
    dec: Declaration<'db>,
    names: &[Name],
    sources: &[Source<'db>],
    notes: Option<Vec<Note>>,
) -> (Elab, Arc<Env>) {
    let file = dec.file(db);
    let mut cx = Elab::new(dec.chunk(db));
    cx.notes = notes;
    cx.prelude = is_prelude(&file.path(db));
    cx.text = dec.text(db).clone();
    cx.inner = dec.inner(db).clone();
    if !cx.prelude && !PRELUDE.is_empty() {
        cx.prelude_env = Some(file_env(db, db.source(PRELUDE_ROOT)));
    }
    let mut scope = Env::default();
    let base = base_env(db, file);
    for name in names {
        if let Some(value) = base.values.get(name) {
            scope.values.insert(*name, value.clone());
        }
        if let Some(module) = base.modules.get(name) {
            scope.modules.insert(*name, module.clone());
        }
        if let Some(ty) = base.types.get(name) {
            scope.types.insert(*name, ty.clone());
        }
        if let Some(mod_type) = base.mod_types.get(name) {
            scope.mod_types.insert(*name, mod_type.clone());
        }
    }
    scope.incomplete = incomplete_before(db, dec);
    for source in sources {
        bind(db, &mut scope, source);
    }
    resolve_imports(db, &mut cx, dec);
    let env = module::check_dec(&mut cx, scope, dec.tree(db));
    (cx, env)
}

/// Puts into `scope` what an earlier declaration says a name means, or that it means nothing.
fn bind<'db>(db: &'db dyn Db, scope: &mut Env, source: &Source<'db>) {
    let Source { name, space, dec } = *source;
    let many = dec.head(db).binds.name().is_none();
    let key = || NameKey::new(db, name);
    match space {
        Space::Value => {
            let value = match many {
                true => provided_value(db, dec, key()).as_ref(),
                false => dec_env(db, dec).env.values.get(&name),
            };
            match value {
                Some(value) => scope.values.insert(name, value.clone()),
                None => scope.values.remove(&name),
            };
        }
        Space::Module => {
            let module = match many {
                true => provided_module(db, dec, key()).as_ref(),
                false => dec_env(db, dec).env.modules.get(&name),
            };
            match module {
                Some(module) => scope.modules.insert(name, module.clone()),
                None => scope.modules.remove(&name),
            };
        }
        Space::Type => {
            let ty = match many {
                true => provided_type(db, dec, key()).as_ref(),
                false => dec_env(db, dec).env.types.get(&name),
            };
            match ty {
                Some(ty) => scope.types.insert(name, ty.clone()),
                None => scope.types.remove(&name),
            };
        }
        Space::ModType => {
            let mod_type = match many {
                true => provided_mod_type(db, dec, key()).as_ref(),
                false => dec_env(db, dec).env.mod_types.get(&name),
            };
            match mod_type {
                Some(mod_type) => scope.mod_types.insert(name, mod_type.clone()),
                None => scope.mod_types.remove(&name),
            };
        }
    }
    let broken = match many {
        true => provided_broken(db, dec, key()).contains(&space.of_scope()),
        false => dec_env(db, dec).env.is_broken(space.of_scope(), name),
    };
    if broken {
        scope.broken.insert((space.of_scope(), name));
    }
}

/// Finds what the imports in a declaration provide.
fn resolve_imports<'db>(db: &'db dyn Db, cx: &mut Elab, dec: Declaration<'db>) {
    let file = dec.file(db);
    imports_of_dec(&dec.tree(db).kind, &mut |import| {
        if cx.imports.contains_key(&import.path) {
            return;
        }
        let target = db.source(&import_path(&file.path(db), &import.path));
        if target == file || import_closure(db, target).contains(&file) {
            cx.report(Diagnostic::error(
                "import-cycle",
                import.span,
                format!("the import of {} leads back to this file", target.path(db)),
            ));
        } else if let Some(why) = unreadable(db, target) {
            cx.report(Diagnostic::error(
                "file-not-found",
                import.span,
                format!("the file {} cannot be read: {why}", target.path(db)),
            ));
        } else {
            Arc::make_mut(&mut cx.imports).insert(import.path.clone(), file_env(db, target));
        }
    });
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

/// A declaration, checked after those before it in its file.
pub fn checked<'db>(db: &'db dyn Db, dec: Declaration<'db>) -> &'db CheckedDec {
    let _ = crate::db::check_file(db, dec.file(db));
    check_dec(db, dec)
}

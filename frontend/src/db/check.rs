//! Declarations checked: each in a scope that holds just the names it mentions ([`crate::db`] says what is
//! checked again after which edit).
//!
//! One file, since its queries are one recursion: what a declaration brings into scope depends on its check,
//! which depends on where the names it mentions come from, which depends on what earlier declarations, and
//! files that are imported, bring into scope.

use crate::check::modules::intrinsic::initial_env;
use crate::check::modules::module;
use crate::check::types::alike::closest;
use crate::check::types::edit::{Edit, FROM_PRELUDE};
use crate::check::types::elab::Elab;
use crate::check::types::env::{
    Env, ModBinding, ModTypeBinding, Namespace, TypeBinding, ValueBinding,
};
use crate::check::types::note::Note;
use crate::db::declaration::{
    Binds, Declaration, Mentions, NAME_KINDS, NameKind, Source, declarations, mentions, outline,
};
use crate::db::errors::FileError;
use crate::db::input::{Db, SourceFile};
use crate::db::prelude::{self, opened_file};
use crate::db::syntax::{import_closure, imports_of_dec, unreadable};
use crate::diag::Diagnostic;
use crate::world::{PRELUDE, import_path, is_prelude};
use futc_typed::name::Name;
use futc_typed::program::{Def, Opaque};
use futc_typed::span::FileId;
use rpds::HashTrieMapSync;
use std::collections::BTreeSet;
use std::sync::Arc;

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

/// Checks a declaration.
#[salsa::tracked(returns(ref))]
pub fn check_dec<'db>(db: &'db dyn Db, dec: Declaration<'db>) -> CheckedDec {
    let mentioned = mentions(db, dec);
    let checked = check_in(db, dec, mentioned, sources(db, dec));
    let unknown = unknown_names(db, dec, &checked.diagnostics);
    if unknown.is_empty() {
        return checked;
    }
    // The scope holds what is mentioned, so that nothing could be found that is like what is not
    // there. Once more, with the likeliest, and with modules that stand where only values can.
    let visible = visible_names(db, dec);
    let mut names = mentioned.names.clone();
    let left_out = unknown.iter().any(|name| {
        !mentioned.qualifiers.contains(name) && visible.contains(&(NameKind::Module, *name))
    });
    for name in unknown {
        for space in NAME_KINDS {
            let candidates = visible.iter().filter(|(s, _)| *s == space).map(|(_, name)| *name);
            names.extend(closest(name, candidates));
        }
    }
    names.sort_unstable_by_key(|name| name.as_str());
    names.dedup();
    if names.len() == mentioned.names.len() && !left_out {
        return checked;
    }
    let sources = sources_of(db, dec, names.iter().copied());
    check_in(db, dec, &Mentions { qualifiers: names.clone(), names }, &sources)
}

/// What a declaration brings into scope, apart from the rest of [`check_dec`].
#[salsa::tracked(returns(ref))]
pub fn dec_env<'db>(db: &'db dyn Db, dec: Declaration<'db>) -> DecEnv {
    DecEnv { env: check_dec(db, dec).env.clone() }
}

/// Checks a declaration in the scope that has just what is mentioned.
fn check_in<'db>(
    db: &'db dyn Db,
    dec: Declaration<'db>,
    mentioned: &Mentions,
    sources: &[Source<'db>],
) -> CheckedDec {
    let (cx, env) = elaborate(db, dec, mentioned, sources, None);
    CheckedDec {
        env,
        defs: cx.defs,
        opaques: cx.opaques,
        diagnostics: cx.diagnostics,
        elaborations: cx.elaborations,
        main_diagnostics: cx.main_diagnostics,
    }
}

/// Checks a declaration, noting types if there is a list for them.
fn elaborate<'db>(
    db: &'db dyn Db,
    dec: Declaration<'db>,
    mentioned: &Mentions,
    sources: &[Source<'db>],
    notes: Option<Vec<Note>>,
) -> (Elab, Arc<Env>) {
    let file = dec.file(db);
    let mut cx = Elab::new(dec.chunk(db));
    cx.notes = notes;
    cx.prelude = is_prelude(&file.path(db));
    cx.text = dec.text(db).clone();
    cx.inner = dec.inner(db).clone();
    let mut scope = Env::default();
    let base = initial_env();
    for name in &mentioned.names {
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
    let incomplete = incomplete_before(db, dec);
    if !cx.prelude && !PRELUDE.is_empty() {
        cx.prelude_env = Some(for_automap(db));
        cx.prelude_chunks = prelude::chunk_set(db);
        // Types have the names of modules, which are large: they are not checked for a type. Where names may be missing, nothing
        // is said of those that are unknown, so that they would not be checked for a second time.
        let wanted = |source: &Source<'db>| match source.dec.head(db).binds {
            Binds::Module(_) => incomplete || mentioned.qualifiers.contains(&source.name),
            _ => true,
        };
        let origins = prelude::origins(db, prelude::root(db), mentioned.names.iter().copied());
        origins.iter().filter(|s| wanted(s)).for_each(|source| bind(db, &mut scope, source));
    }
    scope.incomplete = incomplete;
    for source in sources {
        bind(db, &mut scope, source);
    }
    resolve_imports(db, &mut cx, dec);
    let env = module::check_dec(&mut cx, scope, dec.tree(db));
    (cx, env)
}

/// Puts into `scope` what an earlier declaration says a name means, or that it means nothing.
pub(crate) fn bind<'db>(db: &'db dyn Db, scope: &mut Env, source: &Source<'db>) {
    let Source { name, space, dec } = *source;
    if let Some(file) = opened_file(db, dec) {
        let origins = prelude::origins(db, file, std::iter::once(name));
        origins.iter().filter(|s| s.space == space).for_each(|origin| bind(db, scope, origin));
        return;
    }
    let many = dec.head(db).binds.name().is_none();
    let key = || NameKey::new(db, name);
    match space {
        NameKind::Value => {
            let value = match many {
                true => provided_value(db, dec, key()).as_ref(),
                false => dec_env(db, dec).env.values.get(&name),
            };
            match value {
                Some(value) => scope.values.insert(name, value.clone()),
                None => scope.values.remove(&name),
            };
        }
        NameKind::Module => {
            let module = match many {
                true => provided_module(db, dec, key()).as_ref(),
                false => dec_env(db, dec).env.modules.get(&name),
            };
            match module {
                Some(module) => scope.modules.insert(name, module.clone()),
                None => scope.modules.remove(&name),
            };
        }
        NameKind::Type => {
            let ty = match many {
                true => provided_type(db, dec, key()).as_ref(),
                false => dec_env(db, dec).env.types.get(&name),
            };
            match ty {
                Some(ty) => scope.types.insert(name, ty.clone()),
                None => scope.types.remove(&name),
            };
        }
        NameKind::ModType => {
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

/// The part of the prelude that AUTOMAP knows by name.
#[salsa::tracked(returns(clone))]
fn for_automap(db: &dyn Db) -> Arc<Env> {
    let mut env = Env::default();
    for source in
        prelude::origins(db, prelude::root(db), FROM_PRELUDE.iter().map(|name| Name::new(name)))
    {
        bind(db, &mut env, &source);
    }
    Arc::new(env)
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
            cx.report(FileError::ImportCycle { path: target.path(db) }.at(import.span));
        } else if let Some(why) = unreadable(db, target) {
            cx.report(FileError::ImportUnreadable { path: target.path(db), why }.at(import.span));
        } else {
            Arc::make_mut(&mut cx.imports).insert(import.path.clone(), file_env(db, target));
        }
    });
}

/// The names that diagnostics point at and say are unknown.
fn unknown_names<'db>(
    db: &'db dyn Db,
    dec: Declaration<'db>,
    diagnostics: &[Diagnostic],
) -> BTreeSet<Name> {
    let mut out = BTreeSet::new();
    for d in diagnostics.iter().filter(|d| d.code.is_unknown_name()) {
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
fn visible_names<'db>(db: &'db dyn Db, dec: Declaration<'db>) -> Vec<(NameKind, Name)> {
    let mut out = Vec::new();
    let base = initial_env();
    out.extend(base.values.keys().map(|name| (NameKind::Value, *name)));
    out.extend(base.modules.keys().map(|name| (NameKind::Module, *name)));
    out.extend(base.types.keys().map(|name| (NameKind::Type, *name)));
    out.extend(base.mod_types.keys().map(|name| (NameKind::ModType, *name)));
    if !is_prelude(&dec.file(db).path(db)) && !PRELUDE.is_empty() {
        out.extend(prelude::names(db, prelude::root(db)));
    }
    let outline = outline(db, dec.file(db));
    let Some(&here) = outline.index.get(&dec.chunk(db)) else { return out };
    for (name, places) in &outline.names {
        let before = places.iter().filter(|(_, at)| *at < here);
        out.extend(before.map(|(space, _)| (*space, *name)));
    }
    if let Some(open) = outline.open_before(here).and_then(|at| outline.dec(at)) {
        for (name, providers) in names_at(db, open).names.iter() {
            let spaces = NAME_KINDS.iter().zip(providers.0).filter(|(_, p)| p.is_some());
            out.extend(spaces.map(|(space, _)| (*space, *name)));
        }
    }
    out
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
    let mut bind = |space: NameKind, name: Name, chunk: FileId| {
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
    // Nothing is missing of what the prelude's files open of each other.
    let missing = || opened_file(db, open).is_none() && dec_env(db, open).env.incomplete;
    NamesAt { names, incomplete: incomplete || missing() }
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
fn provided_names<'db>(db: &'db dyn Db, dec: Declaration<'db>) -> Vec<(NameKind, Name)> {
    if let Some(file) = opened_file(db, dec) {
        return prelude::names(db, file);
    }
    let env = &dec_env(db, dec).env;
    let mut out = Vec::new();
    out.extend(env.values.keys().map(|name| (NameKind::Value, *name)));
    out.extend(env.modules.keys().map(|name| (NameKind::Module, *name)));
    out.extend(env.types.keys().map(|name| (NameKind::Type, *name)));
    out.extend(env.mod_types.keys().map(|name| (NameKind::ModType, *name)));
    for space in NAME_KINDS {
        let broken = env
            .broken
            .iter()
            .filter(|(s, name)| *s == space.of_scope() && env.is_broken(*s, *name));
        out.extend(broken.map(|(_, name)| (space, *name)));
    }
    out
}

/// Where the names that a declaration mentions come from. Those that are not listed are local to
/// it, or come from the prelude, or from nowhere.
#[salsa::tracked(returns(ref))]
pub fn sources<'db>(db: &'db dyn Db, dec: Declaration<'db>) -> Vec<Source<'db>> {
    sources_of(db, dec, mentions(db, dec).names.iter().copied())
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
        for space in NAME_KINDS {
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

/// The name spaces in which a name that a declaration brings into scope means nothing, because its
/// definition was refused.
#[salsa::tracked(returns(ref))]
fn provided_broken<'db>(
    db: &'db dyn Db,
    dec: Declaration<'db>,
    name: NameKey<'db>,
) -> Vec<Namespace> {
    let env = &dec_env(db, dec).env;
    let spaces = [Namespace::Value, Namespace::Type, Namespace::ModType];
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

/// What the checker notes of types in a declaration. Only editors ask for that.
#[salsa::tracked(returns(ref))]
pub fn notes<'db>(db: &'db dyn Db, dec: Declaration<'db>) -> Vec<Note> {
    let (mentioned, sources) = (mentions(db, dec), sources(db, dec));
    elaborate(db, dec, mentioned, sources, Some(Vec::new())).0.notes.unwrap_or_default()
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
                None => out.break_name(Namespace::Value, name.name),
            },
            Binds::Module(name) => match env.modules.get(&name.name) {
                Some(module) => out.bind_module(name.name, module.clone()),
                None => out.break_name(Namespace::Value, name.name),
            },
            Binds::Type(_) | Binds::ModType(_) | Binds::Opened => out.open(env),
            Binds::Imported => {}
        }
    }
    Arc::new(out)
}

//! The prelude by name: which declaration of which of its files a name comes from, as far as can be seen
//! without checking any.
//!
//! A program uses few of the prelude's names, and checking all takes longer than checking and optimising
//! most programs. So of the prelude just those declarations are checked that are asked for. Other files that
//! a program imports are checked as a whole, since what is wrong with them is to be said; that nothing is wrong
//! with the prelude is a test's business (`tests/prelude_types.rs`).

use crate::db::declaration::{
    Binds, Declaration, NAME_KINDS, NameKind, Source, declarations, outline,
};
use crate::db::input::{Db, SourceFile};
use crate::db::syntax::chunks;
use crate::syntax::ast::{DecKind, ModExpKind};
use crate::world::{PRELUDE, PRELUDE_ROOT, import_path, is_prelude};
use futc_typed::name::Name;
use futc_typed::span::FileId;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The declarations that a name comes from, by space: files and chunks.
pub(super) type Origins = [Option<(SourceFile, FileId)>; 4];

/// What the names mean that a file of the prelude hands on.
#[salsa::tracked(returns(ref))]
pub(super) fn exported(db: &dyn Db, file: SourceFile) -> HashMap<Name, Origins> {
    let mut out: HashMap<Name, Origins> = HashMap::new();
    for dec in declarations(db, file).iter().filter(|dec| !dec.head(db).local) {
        let binds = dec.head(db).binds;
        match (binds.name(), opened_file(db, *dec)) {
            (Some(name), _) => {
                let origins = out.entry(name.name).or_default();
                for space in binds.spaces() {
                    origins[*space as usize] = Some((file, dec.chunk(db)));
                }
            }
            (None, Some(opened)) => {
                for (name, there) in exported(db, opened) {
                    let here = out.entry(*name).or_default();
                    let found = here.iter_mut().zip(there).filter(|(_, origin)| origin.is_some());
                    found.for_each(|(slot, origin)| *slot = *origin);
                }
            }
            (None, None) => {}
        }
    }
    out
}

/// The file of the prelude whose names a declaration of the prelude brings into scope.
pub(super) fn opened_file<'db>(db: &'db dyn Db, dec: Declaration<'db>) -> Option<SourceFile> {
    if dec.head(db).binds != Binds::Opened {
        return None;
    }
    let importer = dec.file(db).path(db);
    if !is_prelude(&importer) {
        return None;
    }
    let mut kind = &dec.tree(db).kind;
    while let DecKind::Local(inner) = kind {
        kind = &inner.kind;
    }
    match kind {
        DecKind::Open(opened) => match &opened.kind {
            ModExpKind::Import(import) => Some(db.source(&import_path(&importer, &import.path))),
            _ => None,
        },
        _ => None,
    }
}

/// Where `names` come from that a file of the prelude hands on; those that it does not are left out.
pub(super) fn origins<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    names: impl Iterator<Item = Name>,
) -> Vec<Source<'db>> {
    let exported = exported(db, file);
    let mut out = Vec::new();
    for name in names {
        let Some(origins) = exported.get(&name) else { continue };
        for (space, origin) in NAME_KINDS.into_iter().zip(origins) {
            let dec = origin.and_then(|(file, chunk)| outline(db, file).by_chunk(chunk));
            out.extend(dec.map(|dec| Source { name, space, dec }));
        }
    }
    out
}

/// The names that a file of the prelude hands on, sorted.
pub(super) fn names(db: &dyn Db, file: SourceFile) -> Vec<(NameKind, Name)> {
    let mut out = Vec::new();
    for (name, origins) in exported(db, file) {
        let spaces = NAME_KINDS.into_iter().zip(origins).filter(|(_, origin)| origin.is_some());
        out.extend(spaces.map(|(space, _)| (space, *name)));
    }
    out.sort_unstable_by_key(|(space, name)| (*space, name.as_str()));
    out
}

/// The prelude, which every file outside of it opens.
pub(super) fn root(db: &dyn Db) -> SourceFile {
    db.source(PRELUDE_ROOT)
}

/// The chunks of the prelude's files.
#[salsa::tracked(returns(clone))]
pub(super) fn chunk_set(db: &dyn Db) -> Arc<HashSet<FileId>> {
    let files = PRELUDE.iter().map(|(path, _)| db.source(path));
    Arc::new(files.flat_map(|file| chunks(db, file).iter().map(|chunk| chunk.id)).collect())
}

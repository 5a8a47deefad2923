//! The database: files, their texts, and the numbers of chunks.

use crate::db::input::{Db, SourceFile};
use crate::db::syntax::chunks;
use crate::diag::Sources;
use crate::lines::LineTable;
use crate::syntax::parser::{ChunkKey, ChunkedFile};
use crate::world::{PRELUDE, World, is_prelude};
use futc_typed::span::{FileId, Locate, SourceRange, Span};
use salsa::{Durability, Setter};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

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
    pub fn find(&self, place: &SourceRange) -> Option<Span> {
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

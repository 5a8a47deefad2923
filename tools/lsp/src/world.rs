//! Files: where the compiler's own texts are put so that an editor can open them.

use futc_frontend::explain::pages;
use futc_frontend::world::{PRELUDE, is_prelude};
use lsp_types::Url;
use std::path::{Path, PathBuf};

/// Copies of the prelude and of the pages about diagnostics, which exist nowhere else as files.
#[derive(Clone, Debug)]
pub struct Library {
    folder: Option<PathBuf>,
}

impl Library {
    /// Writes what is not there yet below the user's cache folder. Where that cannot be done,
    /// there is no going to definitions in the prelude; everything else works.
    pub fn write() -> Library {
        let base = std::env::var_os("XDG_CACHE_HOME")
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
            .or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache")))
            .unwrap_or_else(std::env::temp_dir);
        let folder = base.join("futc").join(env!("CARGO_PKG_VERSION"));
        let files = PRELUDE
            .iter()
            .map(|(path, text)| (path.trim_start_matches('/').to_owned(), *text))
            .chain(pages().iter().map(|p| (format!("errors/{}.md", p.code), p.text)));
        for (path, text) in files {
            let path = folder.join(path);
            if std::fs::read(&path).is_ok_and(|old| old == text.as_bytes()) {
                continue;
            }
            let written = match path.parent() {
                Some(parent) => std::fs::create_dir_all(parent).and_then(|()| replace(&path, text)),
                None => replace(&path, text),
            };
            if written.is_err() {
                return Library { folder: None };
            }
        }
        Library { folder: Some(folder) }
    }

    /// The page about a diagnostic.
    pub fn page(&self, code: &str) -> Option<Url> {
        let path = self.folder.as_ref()?.join("errors").join(format!("{code}.md"));
        pages().iter().any(|p| p.code == code).then(|| Url::from_file_path(path).ok()).flatten()
    }

    /// Where an editor finds a file of the database.
    pub fn url(&self, path: &str) -> Option<Url> {
        if is_prelude(path) {
            let path = self.folder.as_ref()?.join(path.trim_start_matches('/'));
            return Url::from_file_path(path).ok();
        }
        Url::from_file_path(path).ok()
    }

    /// The database's path of what an editor has opened.
    pub fn path(&self, url: &Url) -> Option<String> {
        let path = url.to_file_path().ok()?;
        if let Some(inside) = self.folder.as_ref().and_then(|f| path.strip_prefix(f).ok()) {
            return Some(format!("/{}", inside.to_str()?));
        }
        Some(path.to_str()?.to_owned())
    }
}

/// Puts a whole file in place at once: another server may be reading it.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let new = path.with_extension(format!("new{}", std::process::id()));
    std::fs::write(&new, text)?;
    std::fs::rename(&new, path)
}

/// The programs of a workspace.
#[derive(Debug, Default)]
pub struct Programs {
    /// Their files.
    pub files: Vec<PathBuf>,
    /// There are more, which are not listed.
    pub cut: bool,
}

/// At most so many files are listed, that a search stays short.
pub const MOST_PROGRAMS: usize = 5_000;

/// All `.fut` files below these folders, and of files that are open but not below them, those in
/// their own.
pub fn programs_of<'a>(folders: &[PathBuf], open: impl Iterator<Item = &'a String>) -> Programs {
    /// A home folder may be a workspace by mistake.
    const MOST_FOLDERS: usize = 20_000;
    let mut todo: Vec<(PathBuf, bool)> = folders.iter().map(|f| (f.clone(), true)).collect();
    for path in open.filter(|path| !is_prelude(path)) {
        if let Some(own) = Path::new(path).parent()
            && !todo.iter().any(|(folder, deep)| own == folder || *deep && own.starts_with(folder))
        {
            todo.push((own.to_owned(), false));
        }
    }
    let mut out = Programs::default();
    let mut seen = 0;
    while let Some((folder, deep)) = todo.pop() {
        seen += 1;
        if seen > MOST_FOLDERS {
            out.cut = true;
            return out;
        }
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            // Links could lead around in circles.
            if hidden || entry.file_type().is_ok_and(|t| t.is_symlink()) {
                continue;
            }
            if path.is_dir() {
                if deep {
                    todo.push((path, true));
                }
            } else if path.extension().is_some_and(|e| e == "fut") {
                if out.files.len() >= MOST_PROGRAMS {
                    out.cut = true;
                    return out;
                }
                out.files.push(path);
            }
        }
    }
    out
}

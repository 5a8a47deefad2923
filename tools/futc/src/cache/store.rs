//! Entries as files in sixteen folders, none of which becomes larger than a sixteenth of the whole may.
//!
//! The folder of an entry is the first digit of its key, so entries spread evenly. An entry is a magic
//! word, the SHA-256 of its contents, and its contents. When it is read, its file's time becomes now; when
//! a folder is too large, the files with the oldest times go. Only folders that this process has stored
//! something in are looked at, and only when it ends, as that means to list them.

use super::key::Key;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeSet;
use std::fs::{self, DirBuilder, File};
use std::io::Write as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// How many folders there are: one for each hexadecimal digit.
const FOLDERS: u64 = 16;
/// The last digit is the version of this format.
const MAGIC: &[u8; 8] = b"futcobj1";
/// Of bytes, magic word and hash.
const HEADER: usize = MAGIC.len() + 32;
/// Begins the names of files that are being written.
const UNFINISHED: &str = "new-";
/// Files that are being written for longer than this were left by a process that was ended.
const LEFT: Duration = Duration::from_secs(3600);

/// Entries in a folder.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    /// Bytes that all entries together may have.
    size: u64,
    /// Folders that something was stored in.
    grown: Mutex<BTreeSet<String>>,
}

impl Store {
    /// In this folder, which need not be there.
    pub fn new(folder: PathBuf, size: u64) -> Store {
        Store { folder, size, grown: Mutex::default() }
    }

    fn place(&self, key: &Key) -> (String, PathBuf) {
        let (first, rest) = key.as_str().split_at(1);
        (first.to_owned(), self.folder.join(first).join(rest))
    }

    /// What is stored under a key.
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let (_, path) = self.place(key);
        let mut file = fs::read(&path).ok()?;
        let (header, contents) = file.split_at_checked(HEADER)?;
        if *header != *self::header(contents) {
            return None;
        }
        // That it was used matters only when something has to go.
        if let Ok(file) = File::options().append(true).open(&path) {
            let _ = file.set_modified(SystemTime::now());
        }
        file.drain(..HEADER);
        Some(file)
    }

    /// Stores something, if it can be.
    pub fn put(&self, key: &Key, contents: &[u8]) {
        if (contents.len() + HEADER) as u64 > self.size / FOLDERS {
            return;
        }
        let (name, path) = self.place(key);
        if write(&path, contents).is_some()
            && let Ok(mut grown) = self.grown.lock()
        {
            grown.insert(name);
        }
    }
}

/// Only the user's own code is run, so nobody else may write here.
fn write(path: &Path, contents: &[u8]) -> Option<()> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let folder = path.parent()?;
    DirBuilder::new().recursive(true).mode(0o700).create(folder).ok()?;
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let unfinished = folder.join(format!("{UNFINISHED}{}-{number}", std::process::id()));
    let written = File::create(&unfinished)
        .and_then(|mut file| {
            file.write_all(&header(contents))?;
            file.write_all(contents)
        })
        .and_then(|()| fs::rename(&unfinished, path));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written.ok()
}

fn header(contents: &[u8]) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend_from_slice(&Sha256::digest(contents));
    header
}

impl Drop for Store {
    fn drop(&mut self) {
        let grown = match self.grown.get_mut() {
            Ok(grown) => std::mem::take(grown),
            Err(_) => return,
        };
        for name in grown {
            shrink(&self.folder.join(name), self.size / FOLDERS);
        }
    }
}

/// Removes the oldest files until the others have at most `size` bytes together.
fn shrink(folder: &Path, size: u64) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let now = SystemTime::now();
    let (mut files, mut total) = (Vec::new(), 0);
    for entry in entries.flatten() {
        let Ok(metadata) = entry.metadata() else { continue };
        let used = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            if now.duration_since(used).is_ok_and(|age| age > LEFT) {
                let _ = fs::remove_file(entry.path());
            }
        } else if metadata.is_file() {
            total += metadata.len();
            files.push((used, metadata.len(), entry.path()));
        }
    }
    files.sort();
    for (_, len, path) in files {
        if total <= size {
            return;
        }
        // Another process may have been quicker.
        let _ = fs::remove_file(path);
        total -= len;
    }
}

#[cfg(test)]
mod tests {
    use super::super::key::Hasher;
    use super::*;
    use futc_testing::files::Scratch;

    fn key(text: &str) -> Key {
        let mut hasher = Hasher::new("test");
        hasher.part(text.as_bytes());
        hasher.finish()
    }

    fn files(folder: &Path) -> Vec<PathBuf> {
        let mut out = Vec::new();
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.path() {
                path if path.is_dir() => out.extend(files(&path)),
                path => out.push(path),
            }
        }
        out
    }

    #[test]
    fn what_is_stored_is_found_and_what_is_damaged_is_not() {
        let scratch = Scratch::new("futc-test-").expect("scratch");
        let store = Store::new(scratch.path().join("a/b"), 1 << 20);
        assert_eq!(store.get(&key("x")), None);
        store.put(&key("x"), b"contents");
        assert_eq!(store.get(&key("x")).as_deref(), Some(&b"contents"[..]));
        assert_eq!(store.get(&key("y")), None);
        let file = files(scratch.path()).pop().expect("one file");
        let whole = fs::read(&file).expect("there");
        for len in 0..whole.len() {
            fs::write(&file, &whole[..len]).expect("written");
            assert_eq!(store.get(&key("x")), None, "{len}");
        }
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            fs::write(&file, &changed).expect("written");
            assert_eq!(store.get(&key("x")), None, "{at}");
        }
        store.put(&key("x"), b"contents");
        assert_eq!(store.get(&key("x")).as_deref(), Some(&b"contents"[..]));
    }

    #[test]
    fn what_was_used_least_recently_goes() {
        let scratch = Scratch::new("futc-test-").expect("scratch");
        let folder = scratch.path().to_owned();
        let put = |name: &str, age: u64| {
            let path = folder.join(name);
            fs::write(&path, [0; 100]).expect("written");
            let file = File::options().append(true).open(path).expect("there");
            let then = SystemTime::now() - Duration::from_secs(age);
            file.set_modified(then).expect("set");
        };
        for (name, age) in [("a", 30), ("b", 10), ("c", 20), ("new-1-1", 5000), ("new-2-2", 1)] {
            put(name, age);
        }
        shrink(&folder, 250);
        let mut left: Vec<_> =
            files(&folder).iter().filter_map(|p| p.file_name().map(|n| n.to_owned())).collect();
        left.sort();
        assert_eq!(left, ["b", "c", "new-2-2"]);
    }

    #[test]
    fn a_store_stays_small() {
        let scratch = Scratch::new("futc-test-").expect("scratch");
        let size = 64 << 10;
        for round in 0..10 {
            let store = Store::new(scratch.path().to_owned(), size);
            for i in 0..40 {
                store.put(&key(&format!("{round}.{i}")), &[1; 1000]);
            }
            store.put(&key(&format!("large {round}")), &vec![1; size as usize / 8]);
        }
        let left = files(scratch.path());
        let total: u64 = left.iter().map(|f| fs::metadata(f).map_or(0, |m| m.len())).sum();
        assert!(total <= size, "{total}");
        assert!(left.len() > 30, "{}", left.len());
    }

    #[test]
    fn nothing_happens_where_nothing_can_be_written() {
        let scratch = Scratch::new("futc-test-").expect("scratch");
        let file = scratch.path().join("file");
        fs::write(&file, "").expect("written");
        let store = Store::new(file.join("below"), 1 << 20);
        store.put(&key("x"), b"contents");
        assert_eq!(store.get(&key("x")), None);
    }
}

//! Files that are written, whole or not at all; and temporary folders.

use crate::ending::{self, Temporary};
use std::fs::{File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};

/// An error of `tempfile` without the path of the temporary file, which means nothing to a user.
fn plain(e: &io::Error) -> io::Error {
    let text = e.to_string();
    io::Error::new(e.kind(), text.split(" at path ").next().unwrap_or(&text).to_owned())
}

/// A temporary folder, removed when it is dropped.
#[derive(Debug)]
pub struct Scratch {
    dir: tempfile::TempDir,
    /// After the folder, so that it is known as long as it is there.
    _known: Temporary,
}

impl Scratch {
    /// A new one, whose name begins so.
    pub fn new(prefix: &str) -> Result<Scratch, String> {
        let make = || tempfile::Builder::new().prefix(prefix).tempdir();
        let (dir, known) = ending::temporary(make, tempfile::TempDir::path).map_err(|e| {
            let place = std::env::temp_dir();
            let why = plain(&e);
            let said = if std::env::var_os("TMPDIR").is_some() { " (named by TMPDIR)" } else { "" };
            format!("cannot make a temporary folder in {}{said}: {why}", place.display())
        })?;
        Ok(Scratch { dir, _known: known })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }
}

/// Who may do what with a file that was not there before, as far as the user allows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Read and write it.
    Data,
    /// Also run it.
    Program,
}

/// Puts these bytes into a file, whole: they are written to a file beside it, which then takes its
/// place. If that fails, what was there before is there still. Links are followed; who may do what
/// with the file stays as it is, but a program can be run. What is no file, such as a pipe or a
/// terminal, is written to.
pub fn write(path: &Path, bytes: &[u8], kind: Kind) -> io::Result<()> {
    let old = match std::fs::metadata(path) {
        Ok(old) => {
            // What may not be written to is not replaced either.
            let mut there = File::options().write(true).open(path)?;
            if !old.is_file() {
                return there.write_all(bytes).and_then(|()| there.flush());
            }
            Some(old)
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => None,
        Err(e) => return Err(e),
    };
    let path = behind_links(path)?;
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mode = match kind {
        Kind::Data => 0o666,
        Kind::Program => 0o777,
    };
    let make = || {
        tempfile::Builder::new()
            .prefix(".futc-")
            .permissions(Permissions::from_mode(mode))
            .tempfile_in(folder)
    };
    let (mut beside, _known) =
        ending::temporary(make, tempfile::NamedTempFile::path).map_err(|e| plain(&e))?;
    fill(&mut beside, bytes, old.as_ref(), kind)?;
    beside.persist(&path).map(drop).map_err(|e| e.error)
}

fn fill(
    beside: &mut tempfile::NamedTempFile,
    bytes: &[u8],
    old: Option<&std::fs::Metadata>,
    kind: Kind,
) -> io::Result<()> {
    beside.as_file_mut().write_all(bytes)?;
    if let Some(old) = old {
        // Only the superuser can give files away; a file of one's own is right as it is.
        let _ = chown(beside.path(), Some(old.uid()), Some(old.gid()));
        let readers = (old.mode() & 0o444) >> 2;
        let mode = match kind {
            Kind::Data => old.mode(),
            Kind::Program => old.mode() | readers,
        };
        beside.as_file().set_permissions(Permissions::from_mode(mode & 0o7777))?;
        // Some file systems find out only now that there is no room.
        beside.as_file().sync_all()?;
    }
    Ok(())
}

/// What a path leads to, there or not.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    /// As many as Linux follows.
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match std::fs::symlink_metadata(&path) {
            Ok(found) if found.is_symlink() => {
                let to = std::fs::read_link(&path)?;
                path = path.parent().unwrap_or(Path::new("")).join(to);
            }
            _ => return Ok(path),
        }
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

/// Whether two paths lead to one file.
pub fn same(a: &Path, b: &Path) -> bool {
    match (std::fs::metadata(a), std::fs::metadata(b)) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("there").mode() & 0o7777
    }

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).expect("there").flatten();
        let mut names: Vec<String> =
            names.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_is_replaced_keeps_its_mode_and_links_stay_links() {
        let folder = Scratch::new("futc-test-").expect("scratch");
        let (file, link) = (folder.path().join("a.fut"), folder.path().join("b.fut"));
        fs::write(&file, "old").expect("fine");
        fs::set_permissions(&file, Permissions::from_mode(0o640)).expect("fine");
        std::os::unix::fs::symlink("a.fut", &link).expect("fine");
        write(&link, b"new", Kind::Data).expect("fine");
        assert_eq!(fs::read(&file).expect("there"), b"new");
        assert_eq!(mode(&file), 0o640);
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        write(&file, b"run", Kind::Program).expect("fine");
        assert_eq!(mode(&file), 0o750);
        assert!(same(&file, &link));
        assert_eq!(names(folder.path()), ["a.fut", "b.fut"]);
    }

    #[test]
    fn links_to_nothing_yet_are_followed() {
        let folder = Scratch::new("futc-test-").expect("scratch");
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("new", &link).expect("fine");
        write(&link, b"text", Kind::Data).expect("fine");
        assert_eq!(fs::read(folder.path().join("new")).expect("there"), b"text");
        std::os::unix::fs::symlink("round", folder.path().join("round")).expect("fine");
        assert!(write(&folder.path().join("round"), b"", Kind::Data).is_err());
    }

    #[test]
    fn devices_are_written_to_and_stay() {
        assert!(write(Path::new("/dev/full"), b"text", Kind::Data).is_err());
        write(Path::new("/dev/null"), b"text", Kind::Data).expect("fine");
        assert!(!fs::metadata("/dev/null").expect("there").is_file());
    }

    #[test]
    fn failures_leave_nothing_behind() {
        let folder = Scratch::new("futc-test-").expect("scratch");
        let inside = folder.path().join("folder");
        fs::create_dir(&inside).expect("fine");
        assert!(write(&inside, b"text", Kind::Data).is_err(), "it is a folder");
        assert!(write(&inside.join("no/file"), b"text", Kind::Data).is_err());
        assert_eq!(names(folder.path()), ["folder"]);
    }
}

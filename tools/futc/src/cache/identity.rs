//! Which compiler this is, and which linker: programs made by others are none of its own.

use std::ffi::OsStr;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The compiler: its sources (build.rs) and the file it was started from, in which LLVM and MLIR are. Either
/// may stay the same while code generation changes.
pub fn compiler() -> &'static str {
    static IDENTITY: LazyLock<String> = LazyLock::new(|| {
        let executable = std::env::current_exe().map(|path| file(&path)).unwrap_or_default();
        format!("{}\n{executable}", env!("FUTC_SOURCES"))
    });
    &IDENTITY
}

/// The C compiler that links, and what it and the linker are told by variables.
pub fn linker() -> String {
    let said = |name: &str| std::env::var_os(name).unwrap_or_default();
    let (named, path) = (said("CC"), said("LD_RUN_PATH"));
    format!("{}\n{}\n{}", named.display(), path.display(), file_of(&futc_mlir::linker()))
}

/// A command, and what changes when its file does.
fn file_of(name: &OsStr) -> String {
    let found = if Path::new(name).components().count() > 1 {
        Some(PathBuf::from(name))
    } else {
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let mut places = std::env::split_paths(&folders).map(|folder| folder.join(name));
        places.find(|place| place.is_file())
    };
    format!("{}\n{}", name.display(), found.map(|path| file(&path)).unwrap_or_default())
}

/// What changes when a file does.
fn file(path: &Path) -> String {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let of = |m: Metadata| format!("{} {}.{:09}", m.len(), m.mtime(), m.mtime_nsec());
    format!("{} {}", path.display(), std::fs::metadata(&path).map(of).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_part_of_the_identity() {
        assert_eq!(compiler(), compiler());
        assert_eq!(compiler().lines().count(), 2);
        assert!(compiler().lines().all(|line| !line.is_empty()));
    }
}

//! What objects are linked to, which the cache keeps (docs/cache.md).

use crate::cache::{Cache, Hasher};
use crate::exit::Failure;
use crate::output::write_file;
use futc_testing::files::{Kind, Scratch};
use std::path::{Path, PathBuf};

/// The bytes of what `link` makes of these objects. It gets their files, a folder for others, and the file to make. `hasher`
/// has seen all else that they depend on.
pub fn linked(
    cache: &Cache,
    mut hasher: Hasher,
    objects: &[Vec<u8>],
    link: impl FnOnce(Vec<PathBuf>, &Path, &Path) -> Result<(), Failure>,
) -> Result<Vec<u8>, Failure> {
    objects.iter().for_each(|o| hasher.part(o));
    let key = hasher.finish();
    if let Some(linked) = cache.get(&key) {
        return Ok(linked);
    }
    let dir = Scratch::new("futc-").map_err(Failure::new)?;
    let mut files = Vec::new();
    for object in objects {
        let file = dir.path().join(format!("program{}.o", files.len()));
        write_file(&file, object, Kind::Data)?;
        files.push(file);
    }
    let to = dir.path().join("linked");
    link(files, dir.path(), &to)?;
    let linked = std::fs::read(&to).map_err(|e| Failure::new(format!("{}: {e}", to.display())))?;
    cache.put(&key, &linked);
    Ok(linked)
}

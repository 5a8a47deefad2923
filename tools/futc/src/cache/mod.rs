//! The cache of compiled code (docs/cache.md).
//!
//! It is content-addressed: an entry is found by a [`Key`], the hash of everything that its contents
//! depend on, so an entry is never out of date, and two processes that store one at the same time store
//! the same. Files are written beside their place and renamed, nothing is locked. What cannot be read,
//! is cut off or was changed is as if it were not there; what cannot be written is left out. The cache
//! never makes a compilation fail, and says nothing.

mod codec;
mod identity;
mod key;
mod store;

pub use codec::{decode, encode};
pub use identity::linker;
pub use key::{Hasher, Key};

use crate::exit::Failure;
use std::path::PathBuf;
use store::Store;

/// Says how large the cache may become.
const SIZE: &str = "FUTC_CACHE_SIZE";
/// How large it may become unless that is said.
const DEFAULT_SIZE: u64 = 1 << 30;

/// The cache, which may be switched off.
#[derive(Debug)]
pub struct Cache {
    store: Option<Store>,
}

impl Cache {
    /// The user's cache: `futc` in the folder that `XDG_CACHE_HOME` names, or else in `~/.cache`.
    pub fn open(switched_off: bool) -> Result<Cache, Failure> {
        let size = match std::env::var(SIZE) {
            Ok(text) => bytes(&text).ok_or_else(|| {
                Failure::usage(format!("{SIZE}: '{text}' is no size such as 500M or 2G, nor 0"))
            })?,
            Err(std::env::VarError::NotPresent) => DEFAULT_SIZE,
            Err(e) => return Err(Failure::usage(format!("{SIZE}: {e}"))),
        };
        let folder = if switched_off || size == 0 { None } else { folder() };
        Ok(Cache { store: folder.map(|folder| Store::new(folder, size)) })
    }

    /// Whether there is one.
    pub fn is_on(&self) -> bool {
        self.store.is_some()
    }

    /// What is stored under a key.
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        self.store.as_ref()?.get(key)
    }

    /// Stores something, which may displace what was used least recently.
    pub fn put(&self, key: &Key, contents: &[u8]) {
        if let Some(store) = &self.store {
            store.put(key, contents);
        }
    }
}

/// Relative folders are not the user's (XDG base directory specification).
fn folder() -> Option<PathBuf> {
    let of = |name| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let parent = of("XDG_CACHE_HOME").or_else(|| of("HOME").map(|home| home.join(".cache")))?;
    Some(parent.join("futc"))
}

/// A number of bytes, or of units of them.
fn bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let (number, shift) = match text.char_indices().last()? {
        (at, 'k' | 'K') => (&text[..at], 10),
        (at, 'm' | 'M') => (&text[..at], 20),
        (at, 'g' | 'G') => (&text[..at], 30),
        _ => (text, 0),
    };
    number.parse::<u64>().ok()?.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn sizes_have_units() {
        for (text, size) in [
            ("0", Some(0)),
            ("100", Some(100)),
            ("8k", Some(8 << 10)),
            (" 500M ", Some(500 << 20)),
            ("2G", Some(2 << 30)),
            ("", None),
            ("G", None),
            ("-1", None),
            ("1T", None),
            ("99999999999999G", None),
        ] {
            assert_eq!(bytes(text), size, "{text}");
        }
    }
}

//! Keys: hashes of all that something depends on.

use super::identity;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// Says of what an entry is made. Hexadecimal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Key(String);

impl Key {
    /// As a name of a file.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Makes keys of parts. Every part is hashed with its length, so that no two lists of parts are one.
#[derive(Clone)]
pub struct Hasher(Sha256);

impl Hasher {
    /// Begins with what every entry depends on, the compiler, and with what kind of thing it is.
    pub fn new(kind: &str) -> Hasher {
        let mut hasher = Hasher(Sha256::new());
        hasher.part(identity::compiler().as_bytes());
        hasher.part(kind.as_bytes());
        hasher
    }

    /// Adds a part.
    pub fn part(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    /// The key.
    pub fn finish(self) -> Key {
        let mut text = String::new();
        for byte in self.0.finalize() {
            let _ = write!(text, "{byte:02x}");
        }
        Key(text)
    }
}

#[cfg(test)]
mod tests {
    use super::Hasher;

    fn key(kind: &str, parts: &[&str]) -> String {
        let mut hasher = Hasher::new(kind);
        parts.iter().for_each(|p| hasher.part(p.as_bytes()));
        hasher.finish().as_str().to_owned()
    }

    #[test]
    fn keys_tell_parts_apart() {
        assert_eq!(key("a", &["b", "c"]), key("a", &["b", "c"]));
        assert_ne!(key("a", &["b", "c"]), key("a", &["bc", ""]));
        assert_ne!(key("a", &["b", "c"]), key("a", &["b"]));
        assert_ne!(key("a", &["b"]), key("ab", &[]));
        assert_eq!(key("a", &[]).len(), 64);
    }
}

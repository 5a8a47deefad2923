//! Interned names. One interner serves the whole process, so a [`Name`] is a word that can be
//! copied, compared and hashed without a database at hand.

use lasso::{Spur, ThreadedRodeo};
use std::fmt;
use std::sync::LazyLock;

static INTERNER: LazyLock<ThreadedRodeo> = LazyLock::new(ThreadedRodeo::new);

/// An interned string. Ordering is that of interning, not of the alphabet; use
/// [`Name::as_str`] where the order can be seen by users.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(Spur);

impl Name {
    /// Interns `text`.
    pub fn new(text: &str) -> Name {
        Name(INTERNER.get_or_intern(text))
    }

    /// The interned text.
    pub fn as_str(self) -> &'static str {
        // The interner is a static and never frees a string.
        INTERNER.resolve(&self.0)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name::new(text)
    }
}

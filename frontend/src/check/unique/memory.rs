//! What users call memory.

use futc_typed::name::Name;
use std::fmt;

/// A variable and the fields of a component of it, or a name with its modules: what users call memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct MemoryName(pub(super) Vec<Name>);

impl MemoryName {
    /// Of a name as written, maybe with modules before it.
    pub(super) fn written(text: &str) -> MemoryName {
        MemoryName(text.split('.').map(Name::new).collect())
    }

    /// Whether it is a variable of this name, or a component of one.
    pub(super) fn is_of(&self, name: Name) -> bool {
        self.0.first() == Some(&name)
    }
}

impl fmt::Display for MemoryName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, name) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(".")?;
            }
            f.write_str(name.as_str())?;
        }
        Ok(())
    }
}

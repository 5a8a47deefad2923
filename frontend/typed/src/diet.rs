//! Which components of a value a type marks `*` (guide, "In-place Updates").

use crate::name::Name;
use std::sync::Arc;

/// Which components of a value are marked `*`: of a parameter, those that are consumed; of a
/// result, those that alias nothing.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Diet {
    /// None.
    #[default]
    Observe,
    /// All.
    Consume,
    /// Some: fields of a record, or constructors of a sum and in these the numbered payload. What
    /// is not named is not marked.
    Parts(Arc<[(Name, Diet)]>),
}

impl Diet {
    /// Whether anything is marked.
    pub fn any(&self) -> bool {
        match self {
            Diet::Observe => false,
            Diet::Consume => true,
            Diet::Parts(parts) => parts.iter().any(|(_, d)| d.any()),
        }
    }

    /// What is marked in the component `name`.
    pub fn part(&self, name: Name) -> &Diet {
        match self {
            Diet::Parts(parts) => {
                parts.iter().find(|(n, _)| *n == name).map_or(&Diet::Observe, |(_, d)| d)
            }
            whole => whole,
        }
    }

    /// The diet of a whole from those of its components; each comes with whether it may hold
    /// anything that could alias at all.
    pub fn of_parts(parts: Vec<(Name, Diet, bool)>) -> Diet {
        let mut relevant = parts.iter().filter(|(_, _, aliases)| *aliases).peekable();
        if relevant.peek().is_some() && relevant.all(|(_, d, _)| *d == Diet::Consume) {
            return Diet::Consume;
        }
        let marked: Arc<[(Name, Diet)]> =
            parts.into_iter().filter(|(_, d, _)| d.any()).map(|(n, d, _)| (n, d)).collect();
        if marked.is_empty() { Diet::Observe } else { Diet::Parts(marked) }
    }
}

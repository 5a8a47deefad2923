//! Which components of a value a type marks `*` (guide, "In-place Updates").

use crate::name::Name;
use crate::types::Type;
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

    /// Whether some component of `ty` that could alias something is marked here and not in
    /// `other`.
    pub fn exceeds(&self, other: &Diet, ty: &Type) -> bool {
        match (self, other) {
            (Diet::Observe, _) | (_, Diet::Consume) => false,
            (Diet::Consume, Diet::Observe) => ty.aliases(),
            (Diet::Consume | Diet::Parts(_), _) => match ty {
                Type::Record(fields) => {
                    fields.iter().any(|(n, t)| self.part(*n).exceeds(other.part(*n), t))
                }
                Type::Sum(constrs) => constrs.iter().any(|(c, ts)| {
                    let (mine, theirs) = (self.part(*c), other.part(*c));
                    ts.iter().enumerate().any(|(i, t)| {
                        let i = Name::new(&i.to_string());
                        mine.part(i).exceeds(theirs.part(i), t)
                    })
                }),
                // Nothing else is marked in part.
                Type::Prim(_)
                | Type::Array { .. }
                | Type::Arrow(_)
                | Type::Param(_)
                | Type::Opaque(..) => self.any() && !other.any() && ty.aliases(),
            },
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

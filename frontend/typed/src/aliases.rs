//! What of a value can share memory with another, by its type.

use crate::diet::Diet;
use crate::name::Name;
use crate::shared::Seen;
use crate::types::Type;

impl Type {
    /// Whether a value of the type can share memory with another: whether it holds more than
    /// scalars. Of an unknown type it is assumed.
    pub fn aliases(&self) -> bool {
        fn aliases(ty: &Type, seen: &mut Seen) -> bool {
            if seen.again(ty, 0) {
                // Had it been so, the walk would have ended there.
                return false;
            }
            match ty {
                Type::Prim(_) => false,
                Type::Array { .. } | Type::Arrow(_) | Type::Param(_) | Type::Opaque(..) => true,
                Type::Record(fields) => fields.iter().any(|(_, t)| aliases(t, seen)),
                Type::Sum(constrs) => {
                    constrs.iter().flat_map(|(_, ts)| ts).any(|t| aliases(t, seen))
                }
            }
        }
        aliases(self, &mut Seen::default())
    }
}

impl Diet {
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
}

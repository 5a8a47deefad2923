//! What can be told of a type in one number or bit.

/// What can be told of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Facts {
    /// Something in it is still to be found out.
    pub(crate) open: bool,
    /// There are sizes in it, or binders of sizes.
    pub(crate) sized: bool,
    /// How many parts a value consists of: scalars, arrays and functions; of a sum type, the
    /// payloads of all constructors.
    pub(crate) parts: u64,
    /// The most parts of what functions in it take or give.
    pub(crate) most: u64,
}

/// Larger numbers of parts are not told exactly.
const MANY: u64 = 1 << 33;

impl Facts {
    pub(crate) const LEAF: Facts = Facts { open: false, sized: false, parts: 1, most: 0 };

    /// How many parts a value consists of, or one that functions in it take or give.
    pub(crate) fn extent(self) -> u64 {
        self.parts.max(self.most)
    }

    /// Of a type of which both are components.
    pub(crate) fn and(self, other: Facts) -> Facts {
        Facts {
            open: self.open || other.open,
            sized: self.sized || other.sized,
            parts: (self.parts + other.parts).min(MANY),
            most: self.most.max(other.most),
        }
    }

    /// Of a type that is one part, but has this within.
    pub(crate) fn within(self) -> Facts {
        Facts { parts: 1, most: self.extent(), ..self }
    }
}

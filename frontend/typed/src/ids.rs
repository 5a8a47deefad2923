//! What stands for variables, definitions and abstract types.

use crate::name::Name;
use crate::span::FileId;

/// A local: a variable, a function parameter, a size or a type parameter. Unique within its
/// top-level definition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId {
    /// The name in the source, for readable output only.
    pub name: Name,
    /// What tells it from others of that name.
    pub tag: u32,
}

/// A top-level definition: the `index`-th made while checking `file`. The front end checks each
/// declaration of a file as a chunk of its own, so that numbers do not depend on other
/// declarations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DefId {
    /// The chunk where it was made; for a module parameter's use, the one that applied it.
    pub file: FileId,
    /// Number within the chunk.
    pub index: u32,
    /// The name in the source, after those of the modules it is in; for messages only.
    pub name: Name,
}

/// An abstract type: the `index`-th made while checking `file`. What users need to be told of it
/// and what it may hold are part of it, so that both are at hand wherever it is seen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TypeId {
    /// The chunk where it was made.
    pub file: FileId,
    /// Number within the chunk.
    pub index: u32,
    /// The name in the source, for readable output only.
    pub name: Name,
    /// What values of it may hold.
    pub liftedness: Liftedness,
}

/// Liftedness of a type or type parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Liftedness {
    /// `'t`
    Unlifted,
    /// `'~t`: may hold unknown sizes.
    SizeLifted,
    /// `'^t`: may hold functions.
    Lifted,
}

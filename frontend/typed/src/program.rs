//! The typed, elaborated program.

use crate::name::Name;
use crate::span::Span;
use crate::types::Type;
use std::sync::Arc;

pub use crate::ids::{DefId, TypeId, VarId};
pub use crate::types::{
    Attr, Case, DimIndex, Exp, ExpKind, FunDef, Inst, Loop, LoopForm, Param, Pat, PatKind, RangeEnd,
};

/// A whole program: the file asked for, and all it imports.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// Every definition, each after those it uses; recursion is not possible but through
    /// [`Def::recursive`].
    pub defs: Vec<Arc<Def>>,
    /// Every abstract type.
    pub opaques: Vec<Arc<Opaque>>,
}

/// An abstract type and what it stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opaque {
    /// Its id.
    pub id: TypeId,
    /// Its name with module path, such as `M.t`.
    pub name: Name,
    /// Its parameters: sizes and types.
    pub params: Vec<VarId>,
    /// The representation, over `params`; may hold further opaque types.
    pub rep: Type,
}

/// A top-level value or function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Def {
    /// Its id.
    pub id: DefId,
    /// Its name with module path, such as `f32.sum`.
    pub name: Name,
    /// The definition; with no parameters it is a constant.
    pub fun: FunDef,
    /// It calls itself.
    pub recursive: bool,
    /// Present on entry points.
    pub entry: Option<Entry>,
    /// Attributes, outermost first.
    pub attrs: Vec<Attr>,
    /// The whole definition in the source.
    pub span: Span,
}

/// An entry point (guide, "Entry Points"). Parameters and results in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The external name.
    pub name: Name,
    /// One per parameter.
    pub params: Vec<EntryParam>,
    /// The result, of the type the definition returns.
    pub result: EntryType,
}

/// A parameter of an entry point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryParam {
    /// The name, or `_` if the pattern has none.
    pub name: Name,
    /// The type.
    pub ty: EntryType,
}

/// A type as the outside sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryType {
    /// The type expression as written, if it was.
    pub written: Option<String>,
    /// Consumed parameter, or unaliased result.
    pub unique: bool,
    /// The type.
    pub ty: Type,
}

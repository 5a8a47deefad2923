//! The contract between front end and mid-end: names, spans, types and the typed, elaborated
//! program.
//!
//! Nothing here knows how a program was parsed or checked. In a typed program
//!
//! 1. modules are gone: every value definition is a [`program::Def`] with its own id, and each
//!    application of a parametric module has produced its own definitions;
//! 2. names are resolved: a use is a local [`program::VarId`], a global [`program::DefId`] or an
//!    intrinsic;
//! 3. every expression carries its type, and every array type its sizes;
//! 4. every use of a polymorphic value says how it was instantiated;
//! 5. existential sizes are bound by the node that brings them into being.

mod aliases;
pub mod diet;
pub mod forced;
pub mod half;
pub mod ids;
pub mod intrinsics;
pub mod name;
pub mod prim;
pub mod program;
pub mod shared;
pub mod span;
pub mod types;

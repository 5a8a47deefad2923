//! The Core IR: first-order, in A-normal form, arrays of primitive types only.
//!
//! One syntax serves three levels, told apart by [`Level`] and enforced by the verifier:
//!
//! | level | array operators | memory |
//! | --- | --- | --- |
//! | `soacs` | [`Soac`] | none |
//! | `seg` | [`SegOp`] over explicit index spaces, and plain loops | none |
//! | `mem` | as `seg` | every array has a [`MemBind`]; [`Exp::Alloc`], [`Exp::Retain`], [`Exp::Release`] |
//!
//! Properties that hold at every level:
//!
//! 1. every array dimension is a variable or constant in scope; the sizes a pattern needs and
//!    nobody knows before are bound by that same pattern, *before* the arrays that mention them
//!    (the existential context of the size-inference chapter);
//! 2. every variable is bound once in a whole function, and tags are unique in a whole program;
//! 3. a check is an [`Exp::Assert`] that yields a certificate; the statements that rely on it
//!    list it in [`Stm::certs`], which is what lets checks move and merge;
//! 4. integers have no sign, operators do.

mod attr;
pub mod builder;
mod effects;
pub mod eval;
pub mod interface;
mod lex;
mod linear;
mod lmad;
mod mentions;
mod op;
mod op_names;
pub mod parse;
mod parse_error;
mod prim;
pub mod print;
mod ranges;
mod schedule;
mod syntax;
pub mod traverse;
mod types;
pub mod typing;
pub mod varmap;
pub mod verify;

pub use attr::StmAttr;
pub use builder::{Builder, NameSource};
pub use effects::{Class, Effects};
pub use futc_typed::forced::Forced;
pub use linear::{Defs, Poly};
pub use mentions::Mentions;
pub use op::{BinOp, CmpOp, ConvOp, MathFn, UnOp};
pub use prim::{FloatType, IntType, Prim};
pub use ranges::Ranges;
pub use schedule::{PageStreams, PastCaches, Schedule, Strategy, Tile};
pub use syntax::*;
pub use types::{Const, Lmad, LmadDim, MemBind, MemSpace, Size64, SubExp, Type, Var};

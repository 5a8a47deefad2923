//! Inference for expressions: Hindley–Milner with sizes.
//!
//! Before: an [`ast::Exp`](crate::syntax::ast::Exp) and the names in scope; after: a typed expression, whose
//! types still hold unknowns until `finish` has put in what was found out. One walk, [`terms`], of which the
//! other files are parts, so that their methods call each other:
//!
//! | file | what it does |
//! | --- | --- |
//! | `terms` | each kind of expression |
//! | `names` | names used as values, and type expressions |
//! | `apply` | applications |
//! | `pattern`, `binders` | patterns |
//! | `function` | functions and generalisation |
//! | `control` | branches and loops |
//! | `index` | arrays |
//! | `constant` | the types of constants at their uses |
//!
//! It imports inference, the reporting of mismatches and the rules.

pub(crate) mod apply;
pub(crate) mod binders;
pub(crate) mod constant;
pub(crate) mod control;
mod errors;
pub(crate) mod function;
pub(crate) mod index;
pub(crate) mod names;
pub(crate) mod pattern;
pub(crate) mod terms;

//! Inference without expressions: unknown types and sizes, equations between them, names in scope, and how
//! types with unknowns are shown.
//!
//! | file | what it does |
//! | --- | --- |
//! | `checker` | the state of checking one definition |
//! | `unknown`, `metas`, `zonk`, `open`, `facts` | unknowns, and what is known of them |
//! | `demand`, `require` | what is asked of types besides their shape |
//! | `unify`, `equal`, `choice` | equations; sum types that are the same but for sizes |
//! | `size` | sizes as terms, and when two are the same |
//! | `scope`, `unscope` | names, and types seen from outside of their scope |
//! | `extent` | the limit of what a value may consist of |
//! | `literal`, `placeholder`, `note` | literals; types noted for editors |
//! | `errors` | what is said of types that do not meet a demand, or are too large |
//! | [`show`] | types in source syntax |
//!
//! It imports types and environments, and reports nothing about equations that fail: it notes why they do,
//! for `mismatch`.

pub(crate) mod checker;
pub(crate) mod choice;
pub(crate) mod demand;
pub(crate) mod equal;
mod errors;
pub(crate) mod extent;
pub(crate) mod facts;
pub(crate) mod literal;
pub(crate) mod metas;
pub(crate) mod note;
pub(crate) mod open;
pub(crate) mod placeholder;
pub(crate) mod require;
pub(crate) mod scope;
pub mod show;
pub(crate) mod show_ast;
pub(crate) mod size;
pub(crate) mod unify;
pub(crate) mod unknown;
pub(crate) mod unscope;
pub(crate) mod zonk;

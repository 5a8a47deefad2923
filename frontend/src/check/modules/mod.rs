//! Declarations and modules: the uppermost layer of the checker, which calls `definition` for values and sizes.
//!
//! | file | what it does |
//! | --- | --- |
//! | [`typebind`] | type abbreviations, and type expressions outside of terms |
//! | [`signature`] | module types |
//! | [`ascribe`] | matching modules with module types |
//! | [`duplicates`] | names defined twice |
//! | [`entry`] | entry points |
//! | `errors` | what can be wrong with modules |
//! | [`module`] | declarations and module expressions |
//! | [`intrinsic`] | the environment that everything starts from |

pub mod ascribe;
pub mod duplicates;
pub mod entry;
mod errors;
pub mod intrinsic;
pub mod module;
pub mod signature;
pub mod typebind;

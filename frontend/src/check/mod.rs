//! Modules, types and terms: from syntax trees to the typed program.
//!
//! | file | what it does |
//! | --- | --- |
//! | [`env`] | what names mean, and the state of elaborating one file |
//! | `intrinsic` | the environment that everything starts from |
//! | `module` | declarations and module expressions |
//! | `signature` | module types |
//! | `ascribe` | matching modules with module types |
//! | [`matching`] | whether a value has the type a specification asks for |
//! | [`entry`] | entry points |
//! | `typebind` | type abbreviations, and type expressions outside of terms |
//! | [`typeexp`] | type expressions to types |
//! | [`subst`] | substitution in types and sizes |
//! | [`show`] | types in source syntax |
//! | [`automap`] | maps and reps inserted where ranks differ |
//! | [`terms`] | expressions; its header lists the files that belong to it |
//! | `unique` | uniqueness and aliasing, of a finished definition |
//! | [`print`] | the typed program as text |
//! | [`verify`] | whether a typed program is well-formed |
//!
//! The module half calls the term half through two functions of `terms`:
//!
//! - `check_val_bind(cx: &mut Elab, env: &Env, path: &str, id: DefId, vb: &ast::ValBind,
//!   attrs: &[ast::Attr], span: Span) -> Option<Checked>` checks a top-level definition. `path` is the module path with
//!   its dot, such as `M.`, or empty.
//! - `check_size(cx: &mut Elab, env: &Env, locals: &[(Name, VarId, Type)], exp: &ast::Exp)
//!   -> Option<Size>` reads a size in a type outside of every term: in a type abbreviation or a
//!   module type. `locals` are size parameters and parameters' names, innermost last.

mod apply;
pub mod ascribe;
pub mod automap;
mod binders;
mod blame;
mod causality;
mod choice;
mod control;
mod coverage;
mod demand;
mod difference;
pub mod entry;
pub mod env;
mod extent;
mod finish;
mod function;
mod index;
pub mod intrinsic;
mod literal;
pub mod matching;
mod metas;
pub mod module;
mod note;
mod pattern;
pub mod print;
mod recursion;
mod scope;
pub mod show;
mod show_ast;
pub mod signature;
mod size;
mod size_rules;
pub mod subst;
pub mod terms;
pub mod typebind;
pub mod typeexp;
mod unify;
mod unique;
pub mod verify;
mod why;
mod zonk;

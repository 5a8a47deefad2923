//! Modules, types and terms: from syntax trees to the typed program.
//!
//! | file | what it does |
//! | --- | --- |
//! | [`env`] | what names mean, and the state of elaborating one file |
//! | [`subst`] | substitution in types and sizes |
//! | [`typeexp`] | type expressions to types |
//!
//! The module half calls the term half through two functions of `terms`:
//!
//! - `check_val_bind(cx: &mut Elab, env: &Env, path: &str, id: DefId, vb: &ast::ValBind,
//!   attrs: &[ast::Attr], span: Span) -> Option<(Arc<Scheme>, FunDef, bool)>` checks a top-level
//!   definition; the last component says whether it calls itself. `path` is the module path with
//!   its dot, such as `M.`, or empty.
//! - `check_size(cx: &mut Elab, env: &Env, locals: &[(Name, VarId, Type)], exp: &ast::Exp)
//!   -> Option<Size>` reads a size in a type outside of every term: in a type abbreviation or a
//!   module type. `locals` are size parameters and parameters' names, innermost last.

pub mod env;
pub mod subst;
pub mod typeexp;

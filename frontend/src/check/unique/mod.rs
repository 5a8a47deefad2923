//! Uniqueness and aliasing (guide, "In-place Updates"): a pass of its own over a finished
//! definition.
//!
//! Every expression yields a [`value::Value`]: for each component the origins of the memory it may
//! hold. Consuming a value marks its origins as consumed, and nothing that has one of them may be
//! used on any path that follows. So an alias and what it aliases are consumed together, whichever
//! of them is named.
//!
//! | file | what it does |
//! | --- | --- |
//! | `value` | origins, aliases of components |
//! | `state` | what is bound, what is consumed; consumption and use |
//! | `walk` | expressions and patterns |
//! | `call` | applications |
//! | `function` | parameters and results of functions |
//! | `once` | which parameters a function applies once |
//! | `repeat` | loops |
//! | `fits` | functions given where functions are expected |
//! | `report`, `errors` | diagnostics: what they are about, and what they say |
//!
//! What a function's result aliases is told by its type alone: everything given for parameters
//! that are not consumed, and what the function itself holds, but for what is marked `*` in the
//! result. If the result type of a definition is not written, what of it is free of aliases is
//! found out, and becomes part of its type. Constants are what no function gives out, but those that
//! are defined without parameters: of these it is part of their [`Conduct`], and nobody may consume
//! what they give.
//!
//! Note [Applied once]. A function given part of its arguments, and among them one that it
//! consumes, such as `scatter (replicate n 0) is`, holds what is consumed when it is applied. So it
//! can be applied once. Such a function has an origin of its own, which its application consumes:
//! another one is a use after that, and one inside of another function or of a loop is one of
//! memory from outside. It may be given to a parameter that is known to be applied once at most, as
//! `|>` does, which consumes the origin too. Nothing in types says so: it is part of the
//! [`Conduct`] of definitions, as is whether a result is such a function.
//!
//! Cost: linear in the definition times the size of the sets of origins, which grow only where
//! values of several names may come together.

mod call;
mod errors;
mod fits;
mod function;
mod memory;
mod once;
mod repeat;
mod report;
mod state;
mod value;
mod walk;

use crate::check::types::elab::Elab;
use crate::check::types::env::Conduct;
use crate::diag::Diagnostic;
use futc_typed::program::{DefId, FunDef};
use futc_typed::span::Span;
use futc_typed::types::Type;
use std::collections::HashMap;
use std::sync::Arc;

/// What there is to say of a definition, and what is known of it. `conducts` is what is known of
/// those that it uses.
pub(super) fn check(
    fun: &FunDef,
    cx: &Elab,
    conducts: &HashMap<DefId, Arc<Conduct>>,
) -> (Vec<Diagnostic>, Conduct) {
    let mut walker = state::Walker::new(cx, conducts);
    let conduct = walker.definition(fun);
    (walker.diagnostics, conduct)
}

/// What there is to say if a type that is written hides that a function consumes its argument.
pub(super) fn misfit(given: &Type, wanted: &Type, span: Span) -> Option<Diagnostic> {
    match fits::misfit(given, wanted) {
        Some(how @ errors::Misfit::Consumes) => {
            Some(errors::UniqueError::Misfit { how, argument: false }.at(span))
        }
        // What is unique in a result may not be in the type yet.
        Some(errors::Misfit::Aliases) | None => None,
    }
}

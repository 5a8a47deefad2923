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
//! | `repeat` | loops |
//! | `fits` | functions given where functions are expected |
//! | `report` | diagnostics |
//!
//! What a function's result aliases is told by its type alone: everything given for parameters
//! that are not consumed, and what the function itself holds, but for what is marked `*` in the
//! result. If the result type of a definition is not written, what of it is free of aliases is
//! found out, and becomes part of its type.
//!
//! Cost: linear in the definition times the size of the sets of origins, which grow only where
//! values of several names may come together.

mod call;
mod fits;
mod function;
mod repeat;
mod report;
mod state;
mod value;
mod walk;

use crate::check::env::Elab;
use crate::diag::Diagnostic;
use futc_typed::diet::Diet;
use futc_typed::program::FunDef;
use futc_typed::span::Span;
use futc_typed::types::Type;

/// What there is to say of a definition, and what of its result is free of aliases.
pub(super) fn check(fun: &FunDef, cx: &Elab) -> (Vec<Diagnostic>, Diet) {
    let mut walker = state::Walker::new(cx);
    let ret = walker.definition(fun);
    (walker.diagnostics, ret)
}

/// What there is to say if a type that is written hides that a function consumes its argument.
pub(super) fn misfit(given: &Type, wanted: &Type, span: Span) -> Option<Diagnostic> {
    match fits::misfit(given, wanted) {
        Some(found @ fits::Misfit::Consumes) => Some(report::misfit(found, span, false)),
        // What is unique in a result may not be in the type yet.
        Some(fits::Misfit::Aliases) | None => None,
    }
}

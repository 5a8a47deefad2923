//! Functions where functions are expected.
//!
//! A function that consumes its argument fits only where that is expected, and one whose result
//! may alias something does not fit where a fresh result is. What is known of a function beyond
//! its type is taken into account.

use super::errors::{Misfit, UniqueError};
use super::state::Walker;
use super::value::{Leaf, Signature, Value};
use futc_typed::diet::Diet;
use futc_typed::shared::step;
use futc_typed::span::Span;
use futc_typed::types::{Arrow, Type};
use std::collections::HashSet;
use std::sync::Arc;

/// Whether a type is or holds a function.
pub(super) fn has_function(ty: &Type) -> bool {
    step();
    match ty {
        Type::Prim(_) | Type::Array { .. } | Type::Param(_) | Type::Opaque(..) => false,
        Type::Record(fields) => fields.iter().any(|(_, t)| has_function(t)),
        Type::Sum(constrs) => constrs.iter().any(|(_, ts)| ts.iter().any(has_function)),
        Type::Arrow(_) => true,
    }
}

/// How a value of type `given` does not fit where one of type `wanted` is expected. The types are
/// equal but for what is marked `*`.
pub(super) fn misfit(given: &Type, wanted: &Type) -> Option<Misfit> {
    find(given, wanted, &mut Fits::default())
}

/// The pairs of places that have been found to fit.
type Fits = HashSet<(usize, usize)>;

fn find(given: &Type, wanted: &Type, fits: &mut Fits) -> Option<Misfit> {
    match (given, wanted) {
        (Type::Arrow(given), Type::Arrow(wanted)) => arrow(given, wanted, None, fits),
        (Type::Record(a), Type::Record(b)) => {
            a.iter().zip(b.iter()).find_map(|((_, t), (_, u))| find(t, u, fits))
        }
        (Type::Sum(a), Type::Sum(b)) => a
            .iter()
            .zip(b.iter())
            .flat_map(|((_, ts), (_, us))| ts.iter().zip(us))
            .find_map(|(t, u)| find(t, u, fits)),
        _ => None,
    }
}

fn arrow(
    given: &Arc<Arrow>,
    wanted: &Arc<Arrow>,
    known: Option<&Signature>,
    fits: &mut Fits,
) -> Option<Misfit> {
    step();
    if known.is_none() {
        let pair = (Arc::as_ptr(given).addr(), Arc::as_ptr(wanted).addr());
        if pair.0 == pair.1 || !fits.insert(pair) {
            // Had they not fitted, the walk would have ended there.
            return None;
        }
    }
    if given.consumes.exceeds(&wanted.consumes, &wanted.param) {
        return Some(Misfit::Consumes);
    }
    if let Some(misfit) = find(&wanted.param, &given.param, fits) {
        return Some(misfit);
    }
    let unique: &Diet = match known {
        Some(s) if s.arity == 1 => &s.ret,
        Some(_) | None => &given.unique_ret,
    };
    if wanted.unique_ret.exceeds(unique, &wanted.ret) {
        return Some(Misfit::Aliases);
    }
    match (&given.ret, &wanted.ret, known) {
        (Type::Arrow(g), Type::Arrow(w), Some(s)) if s.arity > 1 => {
            arrow(g, w, Some(&s.after(1)), fits)
        }
        (g, w, _) => find(g, w, fits),
    }
}

impl Walker<'_> {
    /// A value goes where one of type `wanted` is expected; `argument` if to a parameter.
    pub(super) fn flows(
        &mut self,
        given: &Type,
        value: Option<&Value>,
        wanted: &Type,
        span: Span,
        argument: bool,
    ) {
        if !has_function(wanted) {
            return;
        }
        let found = match (given, wanted, value) {
            (
                Type::Arrow(given),
                Type::Arrow(wanted),
                Some(Value::Leaf(Leaf { signature: Some(s), .. })),
            ) => arrow(given, wanted, Some(s), &mut Fits::default()),
            _ => misfit(given, wanted),
        };
        if let Some(how) = found {
            self.diagnostics.push(UniqueError::Misfit { how, argument }.at(span));
        }
    }
}

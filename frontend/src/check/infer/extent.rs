//! The limit of how many parts a value may consist of.
//!
//! A record is the values of its fields, those of its fields' fields, and so on, each of which is a
//! variable of its own in the program that is made. Types are graphs in which `(t, t)` has one `t`,
//! so that sixty lines can name a type of 2^60 parts; no program can hold such a value.

use crate::check::infer::checker::Checker;
use crate::check::infer::errors::DemandError;
use crate::check::infer::facts::Facts;
use crate::check::infer::metas::Metas;
use crate::check::types::elab::Elab;
use crate::diag::Diagnostic;
use futc_typed::span::Span;
use futc_typed::types::Type;

/// How many parts a value may have.
const MAX_COMPONENTS: u64 = 10_000;

/// Refuses a type of which no value can be made.
pub(crate) fn check_extent(cx: &mut Elab, ty: &Type, span: Span) -> bool {
    let metas = Metas::new(span.file);
    too_large(metas.facts(ty), span).map(|d| cx.report(d)).is_none()
}

fn too_large(facts: Facts, span: Span) -> Option<Diagnostic> {
    let parts = facts.extent();
    if parts <= MAX_COMPONENTS {
        return None;
    }
    Some(DemandError::TooLarge { parts, most: MAX_COMPONENTS }.at(span))
}

impl Checker<'_> {
    /// As [`check_extent`], of a type still to be found out.
    pub(crate) fn fits_in(&mut self, ty: &Type, span: Span) -> bool {
        if let Type::Prim(_) = ty {
            return true;
        }
        match too_large(self.metas.facts(ty), span) {
            Some(d) => {
                // What is made of it is too large as well.
                if !std::mem::replace(&mut self.too_large, true) {
                    self.report(d);
                }
                false
            }
            None => true,
        }
    }
}

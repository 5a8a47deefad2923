//! Sum types that are the same but for sizes, settled at the end of a definition.

use crate::check::infer::checker::{Checker, Choice};
use crate::check::infer::choice::{Constrs, Sum};
use crate::check::mismatch::role::Why;
use futc_typed::span::Span;
use futc_typed::types::Type;

impl Checker<'_> {
    /// Finds out what the sum types of choices and of their branches are.
    pub(crate) fn settle_choices(&mut self) {
        let choices = std::mem::take(&mut self.choices);
        // What one choice tells may be what another one lacks.
        for _ in 0..=choices.len() {
            let mut changed = false;
            for Choice { branch, whole, span } in &choices {
                match (self.sum(branch), self.sum(whole)) {
                    (Some(Sum::Open(v, own)), Some(Sum::Open(w, others))) => {
                        changed |= self.add_constrs(v, &own, &others);
                        changed |= self.add_constrs(w, &others, &own);
                    }
                    (Some(Sum::Open(_, own)), Some(Sum::Closed(known))) => {
                        self.close(branch, &own, &known, *span);
                        changed = true;
                    }
                    (Some(Sum::Closed(known)), Some(Sum::Open(_, own))) => {
                        self.close(whole, &own, &known, *span);
                        changed = true;
                    }
                    _ => {}
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Makes an unknown sum type with the constructors `own` one like `known`.
    fn close(&mut self, open: &Type, own: &Constrs, known: &Type, span: Span) {
        let shape = self.freshen(known, false);
        if !self.expect(span, &shape, open, &Why::Branch("choice", span)) {
            return;
        }
        let (Type::Sum(theirs), Type::Sum(known)) = (&shape, known) else { return };
        self.any_sizes(own, theirs, known);
    }
}

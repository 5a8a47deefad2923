//! What rounds of a loop over elements ask of their order.

use crate::ir::traverse::{Binders, Visit, free_in_exp, free_in_stm, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{AssertKind, Exp, LoopForm, Param, Stm, Var};

/// Looks for what a map of a loop would do in another order, to no good.
///
/// Reads from arrays at indexes that are made of the round and of what is the element's in all rounds: a map goes along memory there, and
/// a loop across. Where that depends on what an element carries, too, no order is known. And checks that are not the same for all elements, as
/// the first round in which one fails is reported.
pub(super) struct Along {
    known: VarMap<From>,
    found: bool,
    /// Not all elements come here in all rounds.
    divergent: bool,
}

/// What a value is made of.
#[derive(Clone, Copy, Default)]
struct From {
    /// What all elements have in a round.
    round: bool,
    /// What an element has in all rounds.
    element: bool,
    /// What it carries from round to round.
    carried: bool,
}

impl Along {
    /// In the loop of an element, which the map gives these elements, and which carries those of arrays in these parameters.
    pub(super) fn in_rounds(elements: &[Param], carried: &VarSet, rounds: &Stm) -> bool {
        let Exp::Loop { params, form, body, .. } = &rounds.exp else { return false };
        let none = From::default();
        let mut known = VarMap::default();
        known.extend(elements.iter().map(|p| (p.var, From { element: true, ..none })));
        known.extend(params.iter().map(|p| {
            let carried = carried.contains(&p.var);
            (p.var, From { carried, round: !carried, ..none })
        }));
        if let LoopForm::For { var, .. } = form {
            known.insert(*var, From { round: true, ..none });
        }
        let mut along = Along { known, found: false, divergent: false };
        along.body(body);
        along.found
    }

    fn of(&self, free: impl IntoIterator<Item = Var>) -> From {
        let known = free.into_iter().filter_map(|v| self.known.get(&v));
        known.fold(From::default(), |a, b| From {
            round: a.round || b.round,
            element: a.element || b.element,
            carried: a.carried || b.carried,
        })
    }
}

impl Visit for Along {
    fn stm(&mut self, s: &Stm) {
        let from = self.of(free_in_stm(s));
        match &s.exp {
            Exp::Index { .. } => self.found |= from.round && from.element && !from.carried,
            Exp::Assert { kind, .. } => {
                let at_will = !matches!(kind, AssertKind::Kept | AssertKind::Size);
                let same = !self.divergent && !from.element && !from.carried;
                self.found |= !at_will || !same;
            }
            _ => {}
        }
        // What is bound inside may be made of all that goes in.
        let mut inside = Binders::default();
        inside.stm(s);
        self.known.extend(inside.0.iter().map(|v| (*v, from)));
        let decides = match &s.exp {
            Exp::Match { .. } | Exp::Loop { .. } => self.of(free_in_exp(&s.exp)),
            Exp::Soac(soac) => self.of(soac.width().var()),
            _ => From::default(),
        };
        let outside = self.divergent;
        self.divergent |= decides.element || decides.carried;
        walk::stm(self, s);
        self.divergent = outside;
    }
}

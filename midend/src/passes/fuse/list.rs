//! The statements of one body while combinators in it are merged.

use crate::ir::traverse::free_in_stm;
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{Exp, Stm, SubExp, Var};

/// The statements of one body while they are merged.
pub(super) struct List {
    pub(super) slots: Vec<Option<Stm>>,
    /// Where each result of a combinator is bound.
    pub(super) bound: VarMap<usize>,
    /// Where it is used; `END` for the result of the body.
    uses: VarMap<Vec<usize>>,
}

/// The result of the body, as a place where something is used.
const END: usize = usize::MAX;

impl List {
    pub(super) fn new(stms: Vec<Stm>, result: &[SubExp]) -> List {
        let mut list = List {
            slots: Vec::with_capacity(stms.len()),
            bound: VarMap::default(),
            uses: VarMap::default(),
        };
        for (i, s) in stms.iter().enumerate() {
            if matches!(s.exp, Exp::Soac(_)) {
                list.bound.extend(s.pat.iter().map(|p| (p.var, i)));
            }
        }
        for (i, s) in stms.iter().enumerate() {
            for v in free_in_stm(s) {
                list.used(v, i);
            }
        }
        for v in result.iter().filter_map(|x| x.var()) {
            list.used(v, END);
        }
        list.slots = stms.into_iter().map(Some).collect();
        list
    }

    fn used(&mut self, v: Var, at: usize) {
        if self.bound.contains_key(&v) {
            self.uses.entry(v).or_default().push(at);
        }
    }

    pub(super) fn uses_of<'a>(&'a self, s: &'a Stm) -> impl Iterator<Item = (Var, usize)> + 'a {
        s.pat
            .iter()
            .flat_map(|p| self.uses.get(&p.var).into_iter().flatten().map(move |&at| (p.var, at)))
    }

    pub(super) fn stm(&self, at: usize) -> Option<&Stm> {
        self.slots.get(at)?.as_ref()
    }

    /// What stood at `from` is now part of what stands at `to`.
    pub(super) fn moved(&mut self, from: usize, to: usize, merged: Stm) {
        for v in free_in_stm(&merged) {
            if let Some(us) = self.uses.get_mut(&v) {
                us.retain(|&u| u != from);
                if !us.contains(&to) {
                    us.push(to);
                }
            }
        }
        // What the merged statement binds it no longer uses.
        for p in &merged.pat {
            self.bound.insert(p.var, to);
            if let Some(us) = self.uses.get_mut(&p.var) {
                us.retain(|&u| u != to);
            }
        }
        if let Some(slot) = self.slots.get_mut(from) {
            *slot = None;
        }
        if let Some(slot) = self.slots.get_mut(to) {
            *slot = Some(merged);
        }
    }

    /// Puts the statements from `from` on in another order, given as what stood where.
    pub(super) fn rearrange(&mut self, from: usize, order: &[usize]) {
        let moved: Vec<Option<Stm>> =
            order.iter().map(|old| self.slots.get_mut(*old).and_then(Option::take)).collect();
        let new = places(from, order);
        let now = |at: usize| at.checked_sub(from).and_then(|i| new.get(i)).copied().unwrap_or(at);
        // Each variable once, though it is mentioned often.
        let mut seen: VarSet = VarSet::default();
        for s in moved.iter().flatten() {
            for v in free_in_stm(s) {
                if seen.insert(v)
                    && let Some(us) = self.uses.get_mut(&v)
                {
                    us.iter_mut().for_each(|at| *at = now(*at));
                }
            }
            for p in &s.pat {
                if let Some(at) = self.bound.get_mut(&p.var) {
                    *at = now(*at);
                }
            }
        }
        for (slot, s) in self.slots.iter_mut().skip(from).zip(moved) {
            *slot = s;
        }
    }
}

/// Where each of the statements from `from` on is now, if they stand in this order.
pub(super) fn places(from: usize, order: &[usize]) -> Vec<usize> {
    let mut new = vec![0; order.len()];
    for (i, old) in order.iter().enumerate() {
        if let Some(place) = old.checked_sub(from).and_then(|at| new.get_mut(at)) {
            *place = from + i;
        }
    }
    new
}

//! What can be said of the constraints without a solver.
//!
//! Rule 1 decides: an application that must have a map has no rep. What is then left falls into
//! components that share no variable. In a component the number of maps at an application may be
//! `1 + a + b`; it is at least 1. If all numbers can be as small as they are at least, that is the
//! minimal elaboration, and the only one: any other has more somewhere and less nowhere. Only the
//! other components are for the solver.

use super::constraints::Application;
use super::ranks::{Rank, RankVar, Ranks};
use std::collections::{BTreeMap, HashMap};

/// Constraints that share variables among each other, and with no others.
#[derive(Debug, Default)]
pub(super) struct Component {
    /// Expressions that are zero.
    pub(super) equations: Vec<Rank>,
    /// For each application that is not decided, its number and its maps and reps.
    pub(super) open: Vec<(usize, Rank, Rank)>,
}

/// Applies Rule 1 until nothing more comes of it.
pub(super) fn propagate(ranks: &mut Ranks, applications: &[Application]) {
    let none = Rank::default();
    loop {
        ranks.settle();
        let mut changed = false;
        for a in applications {
            let (maps, reps) = (ranks.resolve(&a.maps), ranks.resolve(&a.reps));
            for (here, there) in [(&maps, &reps), (&reps, &maps)] {
                // Variables are not negative, and neither are their factors here.
                if here.constant > 0 && !there.is_zero() {
                    ranks.equal(there, &none);
                    changed = true;
                }
            }
            if ranks.contradiction {
                return;
            }
        }
        if !changed {
            return;
        }
    }
}

/// The components that are for the solver. The others are decided in `ranks`.
pub(super) fn components(ranks: &mut Ranks, applications: &[Application]) -> Vec<Component> {
    let mut components = split(ranks, applications);
    components.retain(|component| {
        let decided = ranks.attempt(&component.equations, |ranks| {
            for (_, maps, reps) in &component.open {
                for amount in [maps, reps] {
                    ranks.equal(amount, &Rank::constant(amount.constant));
                }
            }
        });
        !decided
    });
    components
}

fn split(ranks: &Ranks, applications: &[Application]) -> Vec<Component> {
    let mut groups = Groups::default();
    let equations: Vec<Rank> = ranks.pending.iter().map(|d| ranks.resolve(d)).collect();
    let mut open = Vec::new();
    for (i, a) in applications.iter().enumerate() {
        let (maps, reps) = (ranks.resolve(&a.maps), ranks.resolve(&a.reps));
        if maps.value().is_none() || reps.value().is_none() {
            open.push((i, maps, reps));
        }
    }
    for d in &equations {
        groups.join(d.terms.iter().map(|(v, _)| *v));
    }
    for (_, maps, reps) in &open {
        groups.join(maps.terms.iter().chain(&reps.terms).map(|(v, _)| *v));
    }
    let mut components: BTreeMap<RankVar, Component> = BTreeMap::new();
    for d in equations {
        if let Some((v, _)) = d.terms.first() {
            components.entry(groups.root(*v)).or_default().equations.push(d);
        }
    }
    for (i, maps, reps) in open {
        if let Some((v, _)) = maps.terms.first().or_else(|| reps.terms.first()) {
            components.entry(groups.root(*v)).or_default().open.push((i, maps, reps));
        }
    }
    components.into_values().filter(|c| !c.open.is_empty()).collect()
}

/// Which variables belong together.
#[derive(Default)]
struct Groups {
    parent: HashMap<RankVar, RankVar>,
}

impl Groups {
    fn root(&mut self, v: RankVar) -> RankVar {
        let mut root = v;
        while let Some(parent) = self.parent.get(&root) {
            root = *parent;
        }
        let mut v = v;
        while let Some(parent) = self.parent.get(&v).copied()
            && parent != root
        {
            self.parent.insert(v, root);
            v = parent;
        }
        root
    }

    fn join(&mut self, vars: impl Iterator<Item = RankVar>) {
        let mut first = None;
        for v in vars {
            let root = self.root(v);
            match first {
                None => first = Some(root),
                Some(f) if f != root => {
                    self.parent.insert(root, f);
                }
                Some(_) => {}
            }
        }
    }
}

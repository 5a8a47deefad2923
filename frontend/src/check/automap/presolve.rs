//! What can be said of the constraints without a solver.
//!
//! Rule 1 decides: an application that must have a map has no rep. What is then left falls into
//! components that share no variable. In a component the number of maps at an application may be
//! `1 + a + b`; it is at least 1. If all numbers can be as small as they are at least, that is the
//! minimal elaboration, and the only one: any other has more somewhere and less nowhere. Where that
//! contradicts equations, meeting each of them in the cheapest way is tried. Only components in
//! which neither is certain to be minimal are for the solver.

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
        let decided = decided
            || cheapest(component).is_some_and(|values| {
                ranks.attempt(&component.equations, |ranks| {
                    for (v, value) in values {
                        ranks.equal(&Rank::var(v), &Rank::constant(value));
                    }
                })
            });
        !decided
    });
    components
}

/// Each equation that asks for something, `b + c = a + 2`, is met by the one variable that costs
/// least, `b = 2`. That this is the minimum, and the only one, is shown by prices: what meeting an
/// equation by one costs is its price, and a variable that takes part in several equations must
/// cost more than they pay for it together (linear duality and complementary slackness). Where
/// that does not hold there is no result.
fn cheapest(component: &Component) -> Option<BTreeMap<RankVar, i64>> {
    let mut cost: BTreeMap<RankVar, i64> = BTreeMap::new();
    for (v, _) in component.equations.iter().flat_map(|d| &d.terms) {
        cost.insert(*v, 0);
    }
    for (_, maps, reps) in &component.open {
        for (v, c) in maps.terms.iter().chain(&reps.terms) {
            *cost.entry(*v).or_default() += c;
        }
    }
    let mut left = cost.clone();
    let mut values: BTreeMap<RankVar, i64> = BTreeMap::new();
    for d in component.equations.iter().filter(|d| d.constant != 0) {
        let sign = -d.constant.signum();
        let able = d.terms.iter().filter(|(_, c)| c * sign == 1);
        let (v, price) = able.filter_map(|(v, _)| Some((v, *cost.get(v)?))).min_by_key(|m| m.1)?;
        if values.insert(*v, d.constant.abs()).is_some() {
            return None;
        }
        for (v, c) in &d.terms {
            *left.get_mut(v)? -= price * c * sign;
        }
    }
    let certain = left.iter().all(|(v, left)| match values.get(v) {
        Some(_) => *left == 0,
        None => *left > 0,
    });
    let at = |rank: &Rank| {
        let terms = rank.terms.iter().map(|(v, c)| c * values.get(v).copied().unwrap_or(0));
        rank.constant + terms.sum::<i64>()
    };
    let allowed = component.open.iter().all(|(_, maps, reps)| at(maps) == 0 || at(reps) == 0);
    if !certain || !allowed || component.equations.iter().any(|d| at(d) != 0) {
        return None;
    }
    Some(cost.into_keys().map(|v| (v, values.get(&v).copied().unwrap_or(0))).collect())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn component(equations: Vec<Rank>, open: &[(&Rank, &Rank)]) -> Component {
        let open = open.iter().enumerate().map(|(i, (m, r))| (i, (*m).clone(), (*r).clone()));
        Component { equations, open: open.collect() }
    }

    #[test]
    fn the_cheapest_way_to_meet_an_equation_is_taken_if_it_is_the_only_one() {
        let var = |i| Rank::var(RankVar(i));
        let [m, r, a] = [0, 1, 2].map(var);
        let one = Rank::constant(1);
        // M + 1 = R + a, where a costs two maps elsewhere.
        let equation = m.plus(1, &one).plus(-1, &r).plus(-1, &a);
        let none = Rank::default();
        let dear = component(vec![equation.clone()], &[(&m, &r), (&a, &none), (&a, &none)]);
        let values = cheapest(&dear);
        assert_eq!(
            values,
            Some(BTreeMap::from([(RankVar(0), 0), (RankVar(1), 1), (RankVar(2), 0)]))
        );
        // Where a costs as much as R, there are two ways.
        assert_eq!(cheapest(&component(vec![equation], &[(&m, &r), (&a, &none)])), None);
    }
}

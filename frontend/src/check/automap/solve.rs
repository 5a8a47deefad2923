//! The integer programme for what the presolver left.
//!
//! The sum of all maps and reps is least. Rule 1 is made linear by a switch `b` for each
//! application, 0 or 1, and a bound that no rank reaches: `M ≤ b · bound`, `R ≤ (1 - b) · bound`.
//!
//! Whether the solution is the only one is asked of the solver as well. Another solution of the
//! same sum has less somewhere, so for each quantity that is not zero a programme is solved in
//! which it is less, and those before it are not: these cases exclude each other and leave nothing
//! out. Applied again to what is found, this enumerates the minimal solutions.

use super::presolve::Component;
use super::ranks::{Rank, RankVar};
use good_lp::{
    Expression, ProblemVariables, ResolutionError, Solution, SolverModel, Variable, constraint,
    microlp, variable,
};
use std::collections::{BTreeSet, HashMap};

/// More variables than this are not given to the solver: it could take unbearably long.
pub(super) const MAX_VARIABLES: usize = 400;

/// As many minimal solutions are looked for.
pub(super) const MAX_SOLUTIONS: usize = 4;

/// Why there is no solution.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// No insertion makes the ranks fit.
    Infeasible,
    /// There are this many variables, which is more than [`MAX_VARIABLES`].
    TooLarge(usize),
}

/// Values of the variables of a component.
pub(super) type Values = HashMap<RankVar, i64>;

/// The minimal solutions of a component that differ in what they insert: at least one, and at
/// most [`MAX_SOLUTIONS`].
pub(super) fn minimal(component: &Component) -> Result<Vec<Values>, Failure> {
    let programme = Programme::new(component);
    if programme.vars.len() > MAX_VARIABLES {
        return Err(Failure::TooLarge(programme.vars.len()));
    }
    let first = programme.solve(&Bounds::default(), None)?;
    let total = programme.total(&first);
    let mut found = Vec::new();
    let mut todo = vec![(Bounds::default(), first)];
    while let Some((bounds, values)) = todo.pop() {
        let amounts: Vec<i64> = programme.quantities.iter().map(|q| value(q, &values)).collect();
        found.push(values);
        if found.len() + todo.len() >= MAX_SOLUTIONS {
            found.extend(todo.into_iter().map(|(_, values)| values));
            break;
        }
        let mut others = Vec::new();
        for (i, amount) in amounts.iter().enumerate() {
            if *amount == 0 {
                continue;
            }
            let mut less = bounds.clone();
            less.least.extend(amounts.iter().take(i).copied().enumerate().filter(|(_, a)| *a > 0));
            less.most.push((i, amount - 1));
            match programme.solve(&less, Some(total)) {
                Ok(values) => others.push((less, values)),
                Err(Failure::Infeasible) => {}
                Err(failure) => return Err(failure),
            }
        }
        others.reverse();
        todo.extend(others);
    }
    found.truncate(MAX_SOLUTIONS);
    Ok(found)
}

/// The value of an expression.
pub(super) fn value(rank: &Rank, values: &Values) -> i64 {
    let terms = rank.terms.iter().map(|(v, c)| c * values.get(v).copied().unwrap_or(0));
    rank.constant + terms.sum::<i64>()
}

/// Bounds on quantities, by number.
#[derive(Clone, Default)]
struct Bounds {
    least: Vec<(usize, i64)>,
    most: Vec<(usize, i64)>,
}

struct Programme<'c> {
    component: &'c Component,
    vars: Vec<RankVar>,
    /// The maps and reps, two for each application.
    quantities: Vec<&'c Rank>,
    /// No variable need be larger.
    bound: i64,
}

impl<'c> Programme<'c> {
    fn new(component: &'c Component) -> Programme<'c> {
        let quantities: Vec<&Rank> =
            component.open.iter().flat_map(|(_, maps, reps)| [maps, reps]).collect();
        let all = || component.equations.iter().chain(quantities.iter().copied());
        let vars: BTreeSet<RankVar> = all().flat_map(|r| &r.terms).map(|(v, _)| *v).collect();
        let bound = all().map(|r| r.constant.abs()).sum::<i64>() + 2;
        Programme { component, vars: vars.into_iter().collect(), quantities, bound }
    }

    fn total(&self, values: &Values) -> i64 {
        self.quantities.iter().map(|q| value(q, values)).sum()
    }

    fn solve(&self, bounds: &Bounds, total: Option<i64>) -> Result<Values, Failure> {
        let mut problem = ProblemVariables::new();
        let bound = self.bound as f64;
        let vars: HashMap<RankVar, Variable> = self
            .vars
            .iter()
            .map(|v| (*v, problem.add(variable().integer().min(0).max(bound))))
            .collect();
        let switches: Vec<Variable> =
            self.component.open.iter().map(|_| problem.add(variable().binary())).collect();
        let linear = |rank: &Rank| -> Expression {
            let terms = rank.terms.iter().filter_map(|(v, c)| Some((*c as f64) * *vars.get(v)?));
            terms.sum::<Expression>() + rank.constant as f64
        };
        let objective: Expression = self.quantities.iter().map(|q| linear(q)).sum();
        let mut model = problem.minimise(objective.clone()).using(microlp);
        for d in &self.component.equations {
            model = model.with(constraint!(linear(d) == 0.0));
        }
        for ((_, maps, reps), switch) in self.component.open.iter().zip(&switches) {
            model = model.with(constraint!(linear(maps) <= bound * *switch));
            model = model.with(constraint!(linear(reps) <= bound - bound * *switch));
        }
        for (i, least) in &bounds.least {
            if let Some(q) = self.quantities.get(*i) {
                model = model.with(constraint!(linear(q) >= *least as f64));
            }
        }
        for (i, most) in &bounds.most {
            if let Some(q) = self.quantities.get(*i) {
                model = model.with(constraint!(linear(q) <= *most as f64));
            }
        }
        if let Some(total) = total {
            model = model.with(constraint!(objective <= total as f64));
        }
        match model.solve() {
            Ok(solution) => {
                // Integers, up to the solver's tolerance.
                Ok(vars.iter().map(|(v, x)| (*v, solution.value(*x).round() as i64)).collect())
            }
            Err(ResolutionError::Infeasible) => Err(Failure::Infeasible),
            Err(_) => Err(Failure::TooLarge(self.vars.len())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `M₁ + 1 + a = R₁ + 2` and `M₂ + 1 = R₂ + M₁`: the sum of a length of a matrix.
    #[test]
    fn both_minimal_solutions_of_sum_of_length() {
        let var = |i| Rank::var(RankVar(i));
        let [m1, r1, m2, r2, a] = [0, 1, 2, 3, 4].map(var);
        let one = Rank::constant(1);
        let component = Component {
            equations: vec![
                m1.plus(1, &a).plus(-1, &r1).plus(-1, &one),
                m2.plus(1, &one).plus(-1, &r2).plus(-1, &m1),
            ],
            open: vec![(0, m1.clone(), r1.clone()), (1, m2.clone(), r2.clone())],
        };
        let inserted = minimal(&component).map(|solutions| {
            let amounts = |s| [&m1, &r1, &m2, &r2].map(|q| value(q, s));
            let mut inserted: Vec<[i64; 4]> = solutions.iter().map(amounts).collect();
            inserted.sort_unstable();
            inserted
        });
        assert_eq!(inserted, Ok(vec![[0, 0, 0, 1], [1, 0, 0, 0]]));
    }

    #[test]
    fn no_solution_is_infeasible() {
        let m = Rank::var(RankVar(0));
        let r = Rank::var(RankVar(1));
        // M = R + 1 and R = M + 1.
        let one = Rank::constant(1);
        let component = Component {
            equations: vec![m.plus(-1, &r).plus(-1, &one), r.plus(-1, &m).plus(-1, &one)],
            open: vec![(0, m, r)],
        };
        assert_eq!(minimal(&component), Err(Failure::Infeasible));
    }
}

//! What is known of a program around the reductions that are split.

use super::main_piece::{Limit, Main};
use super::rims::Shapes;
use crate::analysis::places::Places;
use crate::ir::traverse::{Visit, free_in_stm, walk};
use crate::ir::varmap::VarSet;
use crate::ir::{Exp, Poly, Program, SegLevel, SegSpace, Stm, Var};

/// A program around its reductions.
pub(super) struct Surroundings {
    /// What differs from point to point of an operation.
    varying: VarSet,
    /// Where arrays lie.
    pub(super) places: Places,
    /// What shapes they have.
    pub(super) shapes: Shapes,
}

impl Surroundings {
    pub(super) fn of_program(program: &Program) -> Surroundings {
        let mut varying = Varying::default();
        Visit::body(&mut varying, &program.consts);
        program.funs.iter().for_each(|f| Visit::fun(&mut varying, f));
        Surroundings {
            varying: varying.vars,
            places: Places::of_program(program),
            shapes: Shapes::of_program(program),
        }
    }

    /// Whether the pieces of an operation's rows are others for each point of what is around it; `before` is
    /// what is computed for each row.
    pub(super) fn vary(&self, main: &Main, space: &SegSpace, before: &[Stm]) -> bool {
        let mut own: VarSet = space.dims.iter().map(|d| d.0).collect();
        let varies = |v: &Var, own: &VarSet| self.varying.contains(v) && !own.contains(v);
        for s in before {
            if free_in_stm(s).iter().all(|v| !varies(v, &own)) {
                own.extend(s.pat.iter().map(|p| p.var));
            }
        }
        let of = |p: &Poly| p.vars().iter().any(|v| varies(v, &own));
        let limits = main.limits.iter().any(|l| match l {
            Limit::From(p) | Limit::Before(p) | Limit::Apart(p) | Limit::Side(p) => of(p),
        });
        let by_row = main.by_row.iter().flat_map(|r| &r.conds);
        let mut conds = main.holds.iter().chain(by_row);
        limits || main.ends.iter().any(of) || conds.any(|(v, _)| varies(v, &own))
    }
}

/// The variables that differ from point to point of an operation.
#[derive(Default)]
struct Varying {
    vars: VarSet,
    /// How many operations are around.
    depth: usize,
}

impl Visit for Varying {
    fn stm(&mut self, s: &Stm) {
        if self.depth > 0 && free_in_stm(s).iter().any(|v| self.vars.contains(v)) {
            self.vars.extend(s.pat.iter().map(|p| p.var));
        }
        // Tasks are points that do not go side by side in lanes.
        let op = match &s.exp {
            Exp::Seg(op) if op.level != SegLevel::Tasks => op,
            _ => return walk::stm(self, s),
        };
        self.vars.extend(op.space.dims.iter().map(|d| d.0));
        self.depth += 1;
        walk::stm(self, s);
        self.depth -= 1;
    }
}

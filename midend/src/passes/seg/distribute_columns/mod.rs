//! Loop distribution of maps over columns: what is done to each column in steps is done to all columns step by step.
//!
//! ```text
//! segmap seq (i < m) {                        S = segscan seq (i < m, j < n) op [0] (+) { x = xss[j, i] … }
//!   s = segscan seq (j < n) op [0] (+) {      T = rearrange S (1, 0)
//!     x = xss[j, i] … }                       D = segmap seq (j < n, i < m) {
//!   d = segmap seq (j < n) {            →       x = xss[j, i]   t = T[j, i]
//!     x = xss[j, i]   t = s[j]                  in (return x - t) }
//!     in (return x - t) }                     C = concat(0, [D, xss[0 :+ k, 0 :+ m]], n + k)
//!   c = concat(0, [d, xss[0 :+ k, i]], n + k) rearrange C (1, 0)
//!   in (return c) }
//! ```
//!
//! Every element of a column is in another row, so that of what a processor fetches for it nothing else is used before it is gone.
//! All columns at once read what lies together, by vectors. What it costs are arrays of all steps. So a map is taken if all that its
//! steps read by two indexes is read down columns, a step reads such, one yields an array, and columns are not known to be short:
//! short ones go by lanes, with what a column has in registers. A version as before is for few columns, and for steps that make much more of
//! a column than is read and yielded of it.
//!
//! Steps are maps, reductions and scans of scalars over one dimension, without loops inside; concatenations and parts of columns; replicated values;
//! and scalar code between them. Checks in steps must not depend on the column, so that what fails first is the same. At level `seg`, for one thread,
//! before scans are interchanged and maps reordered. Linear.

mod steps;

use super::outside_kernels;
use crate::ir::traverse::{Renamer, Rewrite, Visit, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    Body, Builder, Const, Exp, Level, Mentions, NameSource, Param, PatElem, Program, Stm, SubExp,
    Type, Var,
};
use steps::{StepResult, Steps, steps};

/// Fewer columns go one by one.
const FEW: i64 = 16;

/// Distributes maps over columns.
pub fn distribute_columns(mut prog: Program) -> Program {
    if prog.level == Level::Seg {
        let mut known = Known::default();
        known.body(&prog.consts);
        prog.funs.iter().for_each(|f| known.fun(f));
        let mentions = Mentions::of_program(&prog);
        let transposed = known.transposed.iter().filter(|(v, n)| **n == mentions.count(**v));
        let transposed = transposed.map(|(v, _)| *v).collect();
        let mut b = Builder::new(NameSource::new(prog.next_tag));
        list(&mut prog.consts.stms, &known.types, &transposed, &mut b);
        for f in &mut prog.funs {
            list(&mut f.body.stms, &known.types, &transposed, &mut b);
        }
        prog.next_tag = b.names.next_tag();
    }
    prog
}

/// Types of arrays, and how often each is transposed.
#[derive(Default)]
struct Known {
    types: VarMap<Type>,
    transposed: VarMap<usize>,
}

impl Visit for Known {
    fn param(&mut self, p: &Param) {
        self.types.insert(p.var, p.ty.clone());
    }

    fn pat_elem(&mut self, p: &PatElem) {
        self.types.insert(p.var, p.ty.clone());
    }

    fn exp(&mut self, e: &Exp) {
        if let Exp::Rearrange { array, perm } = e
            && *perm == [1, 0]
        {
            *self.transposed.entry(*array).or_default() += 1;
        }
        walk::exp(self, e);
    }
}

/// The maps of a list; of some arrays it is known that they are only read transposed.
fn list(stms: &mut Vec<Stm>, types: &VarMap<Type>, transposed: &VarSet, b: &mut Builder) {
    for mut stm in std::mem::take(stms) {
        outside_kernels(&mut stm.exp, &mut |inner| list(inner, types, transposed, b));
        let steps = steps(&stm, types, &mut b.names);
        match steps.and_then(|steps| versions(&stm, steps, transposed, b)) {
            Some(made) => stms.extend(made),
            None => stms.push(stm),
        }
    }
}

/// The map step by step, or as it was, as sizes say. Who only transposes the results is handed transposed ones.
fn versions(stm: &Stm, steps: Steps, transposed: &VarSet, b: &mut Builder) -> Option<Vec<Stm>> {
    b.loc = stm.loc;
    b.begin();
    let pays = pays(&steps, b);
    if pays == SubExp::bool(false) {
        b.end();
        return None;
    }
    let turns = |p: &PatElem| p.ty.rank() == 2 && transposed.contains(&p.var);
    let turned = |p: &PatElem| {
        let mut p = p.clone();
        if let (true, Type::Array { shape, .. }) = (turns(&p), &mut p.ty) {
            shape.reverse();
        }
        p
    };
    let named = |p: &PatElem, b: &mut Builder| PatElem::new(b.names.like(p.var), p.ty.clone());
    let view = |p: PatElem, array: Var| Stm {
        loc: stm.loc,
        ..Stm::new(vec![p], Exp::Rearrange { array, perm: vec![1, 0] })
    };

    let mut by_steps = Body { stms: steps.stms, result: Vec::new() };
    for (p, result) in stm.pat.iter().zip(&steps.results) {
        let x = match *result {
            StepResult::Matrix(array) if !turns(p) => {
                let columns = named(p, b);
                let var = columns.var;
                by_steps.stms.push(view(columns, array));
                var
            }
            StepResult::Matrix(var) | StepResult::Scalars(var) => var,
        };
        by_steps.result.push(x.into());
    }

    let mut before = stm.clone();
    Renamer::new(&mut b.names).stm(&mut before);
    let pat = before.pat.clone();
    let mut default = Body { stms: vec![before], result: Vec::new() };
    for (p, own) in stm.pat.iter().zip(pat) {
        let mut var = own.var;
        if turns(p) {
            let rows = named(&turned(p), b);
            var = rows.var;
            default.stms.push(view(rows, own.var));
        }
        default.result.push(var.into());
    }

    let mut pat = Vec::with_capacity(stm.pat.len());
    let mut views = Vec::new();
    for p in &stm.pat {
        if turns(p) {
            let rows = named(&turned(p), b);
            views.push(view(p.clone(), rows.var));
            pat.push(rows);
        } else {
            pat.push(p.clone());
        }
    }
    let cases = vec![(Const::Bool(true), by_steps)];
    b.bind(pat, Exp::Match { scrutinee: pays, cases, default });
    let mut all = b.end();
    all.append(&mut views);
    Some(all)
}

/// Whether there are columns enough, and steps make no more than some times of what they read and yield.
fn pays(steps: &Steps, b: &mut Builder) -> SubExp {
    let mut pays = b.le(SubExp::i64(FEW), steps.width);
    let mut most = SubExp::i64(1);
    let bounds = distinct(&steps.bounds);
    for n in &bounds {
        most = b.add(most, *n);
    }
    for n in distinct(&steps.made).into_iter().filter(|n| !bounds.contains(n)) {
        let fits = b.le(n, most);
        pays = b.and(pays, fits);
    }
    pays
}

fn distinct(sizes: &[SubExp]) -> Vec<SubExp> {
    let mut all = Vec::new();
    for n in sizes {
        if !all.contains(n) {
            all.push(*n);
        }
    }
    all
}

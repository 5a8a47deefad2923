//! Copies of what a loop carries, in each round, to one before the loop.
//!
//! ```text
//! loop (a = x) for i < n {                       x' = copy x
//!   c = copy a                                   loop (a = x') for i < n {
//!   d = update c[i] with …                 →       d = update a[i] with …
//!   in d }                                         in d }
//! ```
//!
//! Source needs the copy where a type does not say that the loop may consume its parameter. It may if nothing uses the parameter
//! once its copy is changed, and what a round yields is of its own making: no array from outside, and no other result. Without a
//! round, the loop yields the copy before it.
//!
//! Works at level `soacs`, before `copy-elim`, which removes the copy before the loop if its array is used no more.
//! Cost: linear for each loop with such a copy.

use super::copy_elim::copied;
use crate::analysis::alias::{Aliases, Calls};
use crate::ir::traverse::{Rewrite, Subst, Visit, free_in_body, free_in_stm, rewrite, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{Body, Exp, Level, NameSource, Param, PatElem, Program, Stm, SubExp, Type};

/// Moves such copies out of loops.
pub fn hoist_copies(mut program: Program) -> Program {
    if program.level != Level::Soacs {
        return program;
    }
    // What one loop begins with may be what another one carries.
    loop {
        let params = Candidates::of(&program);
        if params.is_empty() {
            return program;
        }
        let mut hoist = Hoist { params, names: NameSource::new(program.next_tag) };
        hoist.body(&mut program.consts);
        for f in &mut program.funs {
            hoist.body(&mut f.body);
        }
        program.next_tag = hoist.names.next_tag();
    }
}

/// Finds parameters of loops whose copies may stand before them.
struct Candidates<'p> {
    calls: Calls<'p>,
    arrays: VarMap<Type>,
    found: VarSet,
}

impl<'p> Candidates<'p> {
    fn of(program: &'p Program) -> VarSet {
        let mut c = Candidates {
            calls: Calls::of(program),
            arrays: VarMap::default(),
            found: VarSet::default(),
        };
        program.globals.iter().for_each(|g| c.pat_elem(g));
        c.body(&program.consts);
        program.funs.iter().for_each(|f| c.fun(f));
        c.found
    }

    /// Whether the loop may consume its parameter `p`, of which a round yields `result`.
    fn may_consume(&self, p: &Param, result: SubExp, params: &[Param], body: &Body) -> bool {
        let Some((at, copy)) = body.stms.iter().enumerate().find_map(|(at, s)| {
            let [q] = s.pat.as_slice() else { return None };
            (copied(&s.exp) == Some(p.var)).then_some((at, q.var))
        }) else {
            return false;
        };
        let others = params.iter().filter(|q| q.var != p.var).map(|q| (q.var, &q.ty));
        let free = free_in_body(body);
        let outside = free.iter().filter_map(|v| Some((*v, self.arrays.get(v)?)));
        let mut aliases = Aliases::of_body(body, p, others.chain(outside), &self.calls);
        let (Some(own), Some(of_copy)) = (aliases.id(p.var), aliases.id(copy)) else {
            return false;
        };
        if own == of_copy || aliases.consumed(p.var) || !aliases.consumed(copy) {
            return false;
        }
        // From where on the copy may be another than the parameter.
        let mut changes = None;
        for (k, s) in body.stms.iter().enumerate().filter(|(k, _)| *k != at) {
            let mut uses = |id| free_in_stm(s).iter().any(|v| aliases.id(*v) == Some(id));
            if changes.is_none() && uses(of_copy) {
                changes = Some(k);
            }
            if changes.is_some() && uses(own) {
                return false;
            }
        }
        let id = |aliases: &mut Aliases, x: SubExp| x.var().and_then(|v| aliases.id(v));
        // The round may yield what it was in another place.
        if body.result.iter().any(|x| id(&mut aliases, *x) == Some(own)) {
            return false;
        }
        let Some(of_result) = id(&mut aliases, result) else { return false };
        let SubExp::Var(yielded) = result else { return false };
        let same = body.result.iter().filter(|x| id(&mut aliases, **x) == Some(of_result)).count();
        same == 1 && !aliases.class(yielded).foreign
    }
}

impl Visit for Candidates<'_> {
    fn param(&mut self, p: &Param) {
        if p.ty.rank() > 0 {
            self.arrays.insert(p.var, p.ty.clone());
        }
    }

    fn pat_elem(&mut self, p: &PatElem) {
        if p.ty.rank() > 0 {
            self.arrays.insert(p.var, p.ty.clone());
        }
    }

    fn stm(&mut self, s: &Stm) {
        walk::stm(self, s);
        let Exp::Loop { params, init: _, form: _, body } = &s.exp else { return };
        for (p, result) in params.iter().zip(&body.result) {
            if p.ty.rank() > 0 && self.may_consume(p, *result, params, body) {
                self.found.insert(p.var);
            }
        }
    }
}

/// Puts copies before the loops.
struct Hoist {
    params: VarSet,
    names: NameSource,
}

impl Rewrite for Hoist {
    fn stms(&mut self, stms: &mut Vec<Stm>) {
        rewrite::stms(self, stms);
        let mut out = Vec::with_capacity(stms.len());
        for mut s in std::mem::take(stms) {
            let loc = s.loc;
            if let Exp::Loop { params, init, form: _, body } = &mut s.exp {
                let mut sizes: Subst =
                    params.iter().map(|p| p.var).zip(init.iter().copied()).collect();
                for (p, x) in params.iter().zip(init) {
                    let (SubExp::Var(array), true) = (*x, self.params.contains(&p.var)) else {
                        continue;
                    };
                    let copy = self.names.like(p.var);
                    let pat = PatElem::new(copy, sizes.in_type(&p.ty));
                    out.push(Stm { loc, ..Stm::new(vec![pat], Exp::Copy(array)) });
                    *x = SubExp::Var(copy);
                    // Another copy stays one.
                    let first = body.stms.iter_mut().find(|s| copied(&s.exp) == Some(p.var));
                    if let Some(s) = first {
                        s.exp = Exp::SubExp(SubExp::Var(p.var));
                    }
                }
            }
            out.push(s);
        }
        *stms = out;
    }
}

//! Scalar replacement of small arrays: in bodies, a scalar for each element in place of an array of few.
//!
//! ```text
//! xs = [a, b, c]                                  s0 = 0 + a
//! s = reduce(3, [xs], op [0] +)            →      s1 = s0 + b
//! y = xs[1]                                       s = s1 + c
//! in s * y                                        in s * b
//! ```
//!
//! One walk, which knows the elements of small arrays as scalars as far as they have names
//! (`elements`, `state`), folds constants on its way, and
//!
//! * reads an element by its name;
//! * puts combinators over few rows (`unroll`), and loops of few rounds that index small arrays, or short rows
//!   in memory, by their counter, as straight code;
//! * lets loops and branches hand on scalars (`control`).
//!
//! What makes an array stays where it was, or becomes a literal of its scalars, so that whatever needs
//! the array itself has it; if nothing does, it is dead code. When it pays is said in `worth`.
//!
//! Refused: arrays indexed by what is not known, with whatever makes them as arrays; sizes that only the run
//! knows; arrays without elements; combinators with loops of unknown length or calls inside. Scalars hold
//! under the certificates that the array held under, an index out of bounds is left as it is, and a
//! combinator's checks are copied with it: no check is lost.
//!
//! The cost is linear in the size of what comes out, times how deep it is nested; a loop some of whose
//! arrays turn out to be needed is walked once more for each time that this is found.

use self::control::{Carried, Way};
use self::state::State;
use self::unroll::Made;
use self::worth::{Budget, Frequency};
use super::dead_code::{in_body, tracing};
use super::loops::{rounds as loop_rounds, size};
use crate::ir::eval;
use crate::ir::varmap::{FastSet, VarSet};
use crate::ir::{
    Body, Const, DimIndex, Exp, Fun, Lambda, Level, LoopForm, PatElem, Program, Reduction, Soac,
    Stm, SubExp, Type, Var,
};
use futc_typed::name::Name;

mod control;
mod elements;
mod fold;
mod limits;
mod state;
#[cfg(test)]
mod tests;
mod unroll;
mod worth;

/// A loop in so many others whose arrays are tried is not tried.
const TRIES: u32 = 3;

/// Replaces small arrays by scalars.
pub fn scalar_replacement(mut program: Program) -> Program {
    if program.level != Level::Soacs {
        return program;
    }
    let statements = program.funs.iter().map(|f| size(&f.body.stms)).sum();
    let traces = tracing(&program);
    let mut s = Scalars {
        state: State::new(program.next_tag),
        traces,
        place: Frequency::Once,
        unrolling: false,
        tries: 0,
        budget: Budget::of(statements),
    };
    s.constants(&mut program);
    for f in &mut program.funs {
        s.fun(f);
    }
    program.next_tag = s.state.names.next_tag();
    program
}

/// What the results of a body are for.
#[derive(Clone, Copy)]
enum Yields<'u> {
    /// They go where those of the expression around go.
    Results,
    /// The next round takes them, or the next point of a reduction.
    Rounds,
    /// A branch binds them, and these are used in the body around it.
    Branch(&'u [PatElem], &'u VarSet),
}

struct Scalars {
    state: State,
    /// Functions that do more than yield results.
    traces: FastSet<Name>,
    place: Frequency,
    /// The statements are those of straight code that was decided on.
    unrolling: bool,
    tries: u32,
    budget: Budget,
}

impl Scalars {
    /// Globals whose elements are constants are known to all functions.
    fn constants(&mut self, program: &mut Program) {
        let lists =
            self.inside(&mut program.consts, (Frequency::Once, Yields::Results), |s, _, result| {
                result.iter().map(|x| s.state.list(x.var()?).cloned()).collect::<Vec<_>>()
            });
        self.state.know(&program.globals);
        for (g, list) in program.globals.iter().zip(lists) {
            if let Some(list) = list
                && list.is_constant()
                && list.certs.is_empty()
            {
                self.state.learn(g.var, list);
            }
        }
    }

    fn fun(&mut self, f: &mut Fun) {
        self.state.know_params(&f.params);
        // What has neither large parameters nor results is called for many points, if it is not inlined.
        let of_scalars = |ty: &Type| ty.rank() == 0 || worth::is_carried(ty);
        let little = f.entry.is_none()
            && f.params.iter().all(|p| of_scalars(&p.ty))
            && f.results.iter().all(|p| of_scalars(&p.ty));
        let place = if little { Frequency::Rounds } else { Frequency::Once };
        self.inside(&mut f.body, (place, Yields::Results), |_, _, _| ());
    }

    /// Walks a body, and asks something before what was learnt inside is forgotten.
    fn inside<T>(
        &mut self,
        body: &mut Body,
        (place, by): (Frequency, Yields<'_>),
        ask: impl FnOnce(&mut Self, &mut Vec<Stm>, &mut Vec<SubExp>) -> T,
    ) -> T {
        let mark = self.state.mark();
        let outer = std::mem::replace(&mut self.place, place);
        let ambient = self.state.enter_body();
        let mut out = Vec::with_capacity(body.stms.len());
        let mut used = worth::used(&body.stms);
        match by {
            Yields::Results => {}
            Yields::Rounds => used.extend(body.result.iter().filter_map(|x| x.var())),
            Yields::Branch(pat, around) => {
                let is_used = |p: &PatElem| around.contains(&p.var) && worth::is_carried(&p.ty);
                let results = body.result.iter().zip(pat).filter(|(_, p)| is_used(p));
                used.extend(results.filter_map(|(x, _)| x.var()));
            }
        }
        self.stms(std::mem::take(&mut body.stms), &used, &mut out);
        for x in &mut body.result {
            *x = self.state.value(*x);
        }
        let answer = ask(self, &mut out, &mut body.result);
        body.stms = out;
        self.state.forget(mark);
        self.state.leave(ambient);
        self.place = outer;
        answer
    }

    fn stms(&mut self, stms: Vec<Stm>, used: &VarSet, out: &mut Vec<Stm>) {
        for s in stms {
            self.stm(s, used, out);
        }
    }

    fn stm(&mut self, mut s: Stm, used: &VarSet, out: &mut Vec<Stm>) {
        self.state.rewrite(&mut s);
        self.state.know(&s.pat);
        if let Some(c) = eval::scalar(&s.exp, SubExp::constant) {
            s.exp = Exp::SubExp(SubExp::Const(c));
        }
        match &s.exp {
            Exp::Match { .. } => return self.branch(s, used, out),
            Exp::Loop { .. } => return self.rounds(s, out),
            Exp::Soac(_) => return self.combinator(s, used, out),
            _ => {}
        }
        let [p] = s.pat.as_slice() else { return out.push(s) };
        if let Exp::Assert { cond: SubExp::Const(Const::Bool(true)), .. } = s.exp {
            return self.state.holds(p.var);
        }
        self.read_parts(&s, out);
        if let Some(list) = self.state.made(&s.exp) {
            let list = list.under(&s.certs);
            match (p.ty.rank(), list.elems.as_slice()) {
                (0, [x]) => {
                    s.exp = Exp::SubExp(*x);
                    s.certs = list.certs;
                }
                _ => self.state.learn(p.var, list),
            }
        }
        if let (Exp::SubExp(x), Type::Prim(_)) = (&s.exp, &p.ty)
            && self.state.all_hold(&s.certs)
        {
            return self.state.replace(p.var, *x);
        }
        out.push(s);
    }

    /// Arrays beside a list of which a larger one is put together are read, and are lists as well; so is what
    /// gets another element at a place that is known.
    fn read_parts(&mut self, s: &Stm, out: &mut Vec<Stm>) {
        if let Exp::Update { array, dims, value: _ } = &s.exp
            && s.pat.iter().all(|p| worth::is_carried(&p.ty))
            && dims.iter().all(|d| matches!(d, DimIndex::Fix(SubExp::Const(_))))
        {
            self.state.elements(*array, s, out);
            return;
        }
        let parts: Vec<Var> = match &s.exp {
            Exp::Concat { arrays, .. } => arrays.clone(),
            Exp::ArrayLit { elems, row: Type::Array { .. } } => {
                elems.iter().filter_map(|x| x.var()).collect()
            }
            _ => return,
        };
        let whole = s.pat.iter().all(|p| worth::small(&p.ty));
        if whole && parts.iter().any(|&v| self.state.list(v).is_some()) {
            for v in parts {
                self.state.elements(v, s, out);
            }
        }
    }

    /// Statements in the place of one, whose results they are.
    fn splice(&mut self, stm: &Stm, mut body: Body, out: &mut Vec<Stm>) {
        for s in &mut body.stms {
            s.certs.extend(&stm.certs);
        }
        let used = worth::used(&body.stms);
        let ambient = self.state.enter(&stm.certs);
        self.stms(body.stms, &used, out);
        self.state.leave(ambient);
        for (p, x) in stm.pat.iter().zip(body.result) {
            self.state.name(p.clone(), x, stm, out);
        }
    }

    fn branch(&mut self, mut s: Stm, used: &VarSet, out: &mut Vec<Stm>) {
        let Exp::Match { scrutinee, cases, default } = &mut s.exp else { return };
        let taken = match scrutinee {
            SubExp::Const(c) => Some(cases.iter().position(|(d, _)| d == c)),
            SubExp::Var(_) => None,
        };
        let (default, mut cases) = (std::mem::take(default), std::mem::take(cases));
        match taken {
            Some(Some(i)) => return self.splice(&s, cases.swap_remove(i).1, out),
            Some(None) => return self.splice(&s, default, out),
            None => {}
        }
        let scrutinee = *scrutinee;
        let (wanted, bodies): (Vec<Const>, Vec<Body>) = cases.into_iter().unzip();
        let place = self.place;
        let mut ways: Vec<Way> = Vec::with_capacity(bodies.len() + 1);
        for mut body in bodies.into_iter().chain([default]) {
            let yields = Yields::Branch(&s.pat, used);
            let lists = self.inside(&mut body, (place, yields), |s, _, result| {
                result.iter().map(|x| s.state.list(x.var()?).cloned()).collect()
            });
            ways.push(Way { body, lists });
        }
        let (pat, after) = control::join(&mut self.state, &s, &mut ways);
        let mut bodies = ways.into_iter().map(|w| w.body);
        let cases = wanted.into_iter().zip(bodies.by_ref()).collect();
        let Some(default) = bodies.next() else { return };
        self.state.know(&pat);
        let like = Stm { loc: s.loc, ..Stm::new(s.pat.clone(), Exp::SubExp(scrutinee)) };
        out.push(Stm { pat, exp: Exp::Match { scrutinee, cases, default }, ..s });
        for (p, list) in after {
            self.state.build(p, list, &like, out);
        }
    }

    fn rounds(&mut self, mut s: Stm, out: &mut Vec<Stm>) {
        let (place, unrolling) = (self.place, self.unrolling);
        if worth::is_unrolled(&s.exp, place, unrolling, &self.state, &mut self.budget)
            && let Some(body) = loop_rounds(&s.exp, &mut self.state.names)
        {
            self.unrolling = true;
            self.splice(&s, body, out);
            self.unrolling = unrolling;
            return;
        }
        let mut chosen = control::candidates(&s);
        if self.tries < TRIES {
            self.tries += 1;
            while chosen.contains(&true) {
                match self.carry(&s, &chosen, out) {
                    Ok(()) => {
                        self.tries -= 1;
                        return;
                    }
                    // Fewer each time.
                    Err(left) => chosen = left,
                }
            }
            self.tries -= 1;
        }
        if let Exp::Loop { params, form, body, .. } = &mut s.exp {
            self.state.know_params(params);
            let place = self.in_rounds(form);
            self.inside(body, (place, Yields::Rounds), |_, _, _| ());
        }
        out.push(s);
    }

    /// Where the body of a loop stands.
    fn in_rounds(&mut self, form: &LoopForm) -> Frequency {
        if let LoopForm::For { var, ty, bound: _ } = form {
            let p = PatElem::new(*var, Type::Prim(crate::ir::Prim::Int(*ty)));
            self.state.know(&[p]);
        }
        if self.place == Frequency::Once { Frequency::Rounds } else { self.place }
    }

    /// The loop with scalars for the parameters chosen; or those of them that are left, if that does not work.
    fn carry(&mut self, s: &Stm, chosen: &[bool], out: &mut Vec<Stm>) -> Result<(), Vec<bool>> {
        let Exp::Loop { params, form, body, .. } = &s.exp else { return Err(Vec::new()) };
        let mark = self.state.mark();
        let mut before = Vec::new();
        let Some(carried) = control::enter(&mut self.state, s, chosen, &mut before) else {
            self.state.forget(mark);
            return Err(Vec::new());
        };
        self.state.know_params(params);
        self.state.know_params(&carried.params);
        let place = self.in_rounds(form);
        let inner = self.state.mark();
        let (mut body, budget) = (body.clone(), self.budget.clone());
        let results = self.carried_body(s, &carried, &mut body, place);
        self.state.forget(inner);
        let left = match results {
            Ok(()) => carried.vanished(s, &body),
            Err(left) => left,
        };
        if left != chosen {
            self.state.forget(mark);
            self.budget = budget;
            return Err(left);
        }
        out.append(&mut before);
        carried.leave(&mut self.state, s, form.clone(), body, out);
        Ok(())
    }

    fn carried_body(
        &mut self,
        s: &Stm,
        carried: &Carried,
        body: &mut Body,
        place: Frequency,
    ) -> Result<(), Vec<bool>> {
        let mut arrays = Vec::new();
        carried.arrays(&mut self.state, s, &mut arrays);
        self.inside(body, (place, Yields::Rounds), |this, out, result| {
            *result = carried.results(&mut this.state, result, s, out)?;
            Ok::<(), Vec<bool>>(())
        })?;
        arrays.append(&mut body.stms);
        body.stms = arrays;
        in_body(body, &self.traces);
        Ok(())
    }

    fn combinator(&mut self, mut s: Stm, used: &VarSet, out: &mut Vec<Stm>) {
        let (place, unrolling) = (self.place, self.unrolling);
        let rows = worth::rows_to_unroll(&s, used, place, unrolling, &self.state, &mut self.budget);
        if let Some(rows) = rows
            && let Some((stms, made)) = unroll::rounds(&s, rows, &mut self.state.names)
        {
            self.unrolling = true;
            let ambient = self.state.enter(&s.certs);
            self.stms(stms, &VarSet::default(), out);
            self.state.leave(ambient);
            self.unrolling = unrolling;
            return self.collect(&s, made, out);
        }
        self.unrolling = false;
        if let Some(chosen) = fold::candidates(&s)
            && self.fold(&s, &chosen, out).is_some()
        {
            self.unrolling = unrolling;
            return;
        }
        if let Exp::Soac(soac) = &mut s.exp {
            match soac {
                Soac::Screma { lambda, scans, reduces, .. } => {
                    self.lambda(lambda);
                    scans.iter_mut().chain(reduces).for_each(|r| self.operator(r));
                }
                Soac::Hist { ops, lambda, .. } => {
                    ops.iter_mut().for_each(|h| self.operator(&mut h.op));
                    self.lambda(lambda);
                }
                Soac::Scatter { lambda, .. } => self.lambda(lambda),
            }
        }
        self.unrolling = unrolling;
        out.push(s);
    }

    /// The combinator with scalars for the results chosen, if what is inside needs no arrays then.
    fn fold(&mut self, s: &Stm, chosen: &[bool], out: &mut Vec<Stm>) -> Option<()> {
        let (mark, budget) = (self.state.mark(), self.budget.clone());
        let mut before = Vec::new();
        let folded = self.folded(s, chosen, &mut before);
        let Some((mut stm, after)) = folded else {
            self.state.forget(mark);
            self.budget = budget;
            return None;
        };
        out.append(&mut before);
        self.state.know(&stm.pat);
        stm.certs.clone_from(&s.certs);
        out.push(stm);
        for (p, list) in after {
            self.state.build(p, list, &control::like(s), out);
        }
        Some(())
    }

    fn folded(
        &mut self,
        s: &Stm,
        chosen: &[bool],
        before: &mut Vec<Stm>,
    ) -> Option<(Stm, control::Made)> {
        let (mut s, like) = (s.clone(), control::like(s));
        let Exp::Soac(Soac::Screma { lambda, scans, reduces, .. }) = &mut s.exp else {
            return None;
        };
        let places = fold::places(scans, reduces);
        for (r, places) in reduces.iter_mut().zip(places) {
            let chosen = chosen.get(places)?;
            r.neutral = fold::neutral(&mut self.state, r, chosen, &like, before)?;
            self.folded_lambda(&mut r.op, chosen, true, &like)?;
        }
        scans.iter_mut().for_each(|r| self.operator(r));
        self.folded_lambda(lambda, chosen, false, &like)?;
        let (pat, after) = fold::leave(&mut self.state, &s.pat, chosen)?;
        Some((Stm { pat, ..s }, after))
    }

    /// A lambda that yields scalars for what is chosen, and takes such, if it is an operator.
    fn folded_lambda(
        &mut self,
        l: &mut Lambda,
        chosen: &[bool],
        operator: bool,
        like: &Stm,
    ) -> Option<()> {
        let arrays = match operator {
            true => fold::open(&mut self.state, l, chosen)?,
            false => Vec::new(),
        };
        let mark = self.state.mark();
        self.state.know_params(&l.params);
        let mut made = Vec::new();
        for (p, list) in arrays.iter().cloned() {
            self.state.build(p, list, like, &mut made);
        }
        let Lambda { body, ret, .. } = l;
        let closed = self.inside(body, (Frequency::Points, Yields::Rounds), |s, out, results| {
            fold::close(&mut s.state, (results, ret), chosen, like, out)
        });
        self.state.forget(mark);
        closed?;
        if operator {
            made.append(&mut body.stms);
            body.stms = made;
            in_body(body, &self.traces);
            // The statements that make the arrays are left if something needs them.
            let needed = |v| body.stms.iter().any(|s| s.pat.iter().any(|p| p.var == v));
            if arrays.iter().any(|(p, _)| needed(p.var)) {
                return None;
            }
        }
        Some(())
    }

    fn operator(&mut self, r: &mut Reduction) {
        self.lambda(&mut r.op);
    }

    fn lambda(&mut self, l: &mut Lambda) {
        self.state.know_params(&l.params);
        self.inside(&mut l.body, (Frequency::Points, Yields::Results), |_, _, _| ());
    }

    /// Binds the results of a combinator that has become straight code.
    fn collect(&mut self, s: &Stm, made: Vec<Made>, out: &mut Vec<Stm>) {
        for (p, made) in s.pat.iter().zip(made) {
            let rows = match made {
                Made::One(x) => {
                    self.state.name(p.clone(), x, s, out);
                    continue;
                }
                Made::Rows(rows) => rows,
            };
            let rows: Vec<SubExp> = rows.into_iter().map(|x| self.state.value(x)).collect();
            let (row, like) = (p.ty.row(), Stm { certs: Vec::new(), ..s.clone() });
            let lists: Option<Vec<_>> = match row {
                Type::Prim(_) => None,
                _ => rows.iter().map(|x| self.state.elements(x.var()?, &like, out)).collect(),
            };
            let list = match (&row, lists) {
                (Type::Prim(elem), _) => {
                    let shape = vec![rows.len()];
                    elements::List::new(rows.clone(), shape, *elem, s.certs.clone())
                }
                (row, Some(lists)) => row
                    .elem()
                    .and_then(|elem| elements::rows_of(&lists, elem))
                    .map(|list| list.under(&s.certs)),
                _ => None,
            };
            match list {
                Some(list) => self.state.build(p.clone(), list, &like, out),
                None => {
                    let exp = Exp::ArrayLit { elems: rows, row };
                    out.push(Stm { pat: vec![p.clone()], exp, ..s.clone() });
                }
            }
        }
    }
}

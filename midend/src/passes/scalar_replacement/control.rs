//! Loops and branches that hand on scalars in place of small arrays.
//!
//! ```text
//! a = loop (a = init) for i < n {            a0, a1 = loop (a0 = x0, a1 = x1) for i < n {
//!   s = a[0]                                   b = a0 + a1
//!   t = a[1]                            →      in (a1, b)
//!   b = s + t                                }
//!   in [t, b]                                a = [a0, a1]
//! }
//! ```

use super::elements::List;
use super::state::State;
use super::worth::is_carried;
use crate::ir::{Body, Exp, LoopForm, Param, PatElem, Stm, SubExp, Type};

/// Arrays, with the scalars that they are made of.
pub(super) type Made = Vec<(PatElem, List)>;

/// A loop, of which some parameters become scalars.
pub(super) struct Carried {
    /// The parameters that do.
    chosen: Vec<bool>,
    /// The scalars inside that stand for each of them.
    inside: Vec<Option<List>>,
    /// The parameters that are left, with the new ones, and their first values.
    pub(super) params: Vec<Param>,
    pub(super) init: Vec<SubExp>,
}

/// The parameters of a loop that may become scalars.
pub(super) fn candidates(stm: &Stm) -> Vec<bool> {
    let Exp::Loop { params, .. } = &stm.exp else { return Vec::new() };
    params.iter().zip(&stm.pat).map(|(p, q)| is_carried(&p.ty) && is_carried(&q.ty)).collect()
}

/// Begins such a loop: reads first values before it, and makes the arrays anew at the beginning of its
/// body, where nothing needs them if all goes well.
pub(super) fn enter(
    state: &mut State,
    stm: &Stm,
    chosen: &[bool],
    before: &mut Vec<Stm>,
) -> Option<Carried> {
    let Exp::Loop { params, init, .. } = &stm.exp else { return None };
    let mut carried = Carried {
        chosen: chosen.to_vec(),
        inside: Vec::new(),
        params: Vec::new(),
        init: Vec::new(),
    };
    for ((p, &x), &chosen) in params.iter().zip(init).zip(chosen) {
        if !chosen {
            carried.params.push(p.clone());
            carried.init.push(x);
            carried.inside.push(None);
            continue;
        }
        let first = state.elements(x.var()?, stm, before)?;
        carried.init.extend(state.settled(&first, stm, before));
        let inside = state.fresh(p.var, &p.ty)?;
        let ty = Type::Prim(inside.elem);
        carried
            .params
            .extend(inside.elems.iter().filter_map(|x| x.var()).map(|v| Param::new(v, ty.clone())));
        carried.inside.push(Some(inside));
    }
    Some(carried)
}

impl Carried {
    /// The arrays, at the beginning of the body.
    pub(super) fn arrays(&self, state: &mut State, stm: &Stm, out: &mut Vec<Stm>) {
        let Exp::Loop { params, .. } = &stm.exp else { return };
        let like = like(stm);
        for (p, list) in params.iter().zip(&self.inside) {
            if let Some(list) = list {
                state.build(PatElem::new(p.var, p.ty.clone()), list.clone(), &like, out);
            }
        }
    }

    /// The results of the body, or which parameters have a result that is no list.
    pub(super) fn results(
        &self,
        state: &mut State,
        results: &[SubExp],
        like: &Stm,
        out: &mut Vec<Stm>,
    ) -> Result<Vec<SubExp>, Vec<bool>> {
        let lists: Vec<Option<List>> =
            results.iter().map(|x| x.var().and_then(|v| state.list(v)).cloned()).collect();
        let fine = |i: usize| lists.get(i).is_some_and(Option::is_some);
        let left: Vec<bool> = self.chosen.iter().enumerate().map(|(i, &c)| c && fine(i)).collect();
        if left != self.chosen {
            return Err(left);
        }
        let mut all = Vec::new();
        for ((x, list), chosen) in results.iter().zip(&lists).zip(&self.chosen) {
            match list {
                Some(list) if *chosen => all.extend(state.settled(list, like, out)),
                _ => all.push(*x),
            }
        }
        Ok(all)
    }

    /// Which of the parameters nothing in the body needs as arrays.
    pub(super) fn vanished(&self, stm: &Stm, body: &Body) -> Vec<bool> {
        let Exp::Loop { params, .. } = &stm.exp else { return Vec::new() };
        // The statements that make the arrays are left if something needs them.
        let bound: Vec<_> = body.stms.iter().flat_map(|s| s.pat.iter().map(|p| p.var)).collect();
        params.iter().zip(&self.chosen).map(|(p, c)| *c && !bound.contains(&p.var)).collect()
    }

    /// The loop, and behind it the arrays that it used to yield.
    pub(super) fn leave(
        self,
        state: &mut State,
        stm: &Stm,
        form: LoopForm,
        body: Body,
        out: &mut Vec<Stm>,
    ) {
        let mut pat = Vec::new();
        let mut after = Vec::new();
        for (p, list) in stm.pat.iter().zip(&self.inside) {
            let outside = match list {
                Some(_) => state.fresh(p.var, &p.ty),
                None => None,
            };
            match outside {
                Some(list) => {
                    let ty = Type::Prim(list.elem);
                    let vars = list.elems.iter().filter_map(|x| x.var());
                    pat.extend(vars.map(|v| PatElem::new(v, ty.clone())));
                    after.push((p.clone(), list));
                }
                None => pat.push(p.clone()),
            }
        }
        state.know(&pat);
        let exp = Exp::Loop { params: self.params, init: self.init, form, body };
        out.push(Stm { pat, exp, ..stm.clone() });
        for (p, list) in after {
            state.build(p, list, &like(stm), out);
        }
    }
}

/// A statement with the position of this one.
pub(super) fn like(stm: &Stm) -> Stm {
    let nothing = Exp::SubExp(SubExp::i64(0));
    Stm { loc: stm.loc, ..Stm::new(stm.pat.clone(), nothing) }
}

/// One way of a branch, with the lists that its results are.
pub(super) struct Way {
    pub(super) body: Body,
    pub(super) lists: Vec<Option<List>>,
}

/// Makes the ways of a branch yield scalars where one of them makes a list. Yields what the branch binds
/// then, and the arrays to be made behind it.
pub(super) fn join(state: &mut State, stm: &Stm, ways: &mut [Way]) -> (Vec<PatElem>, Made) {
    let (mut pat, mut after) = (Vec::new(), Vec::new());
    let mut results: Vec<Vec<SubExp>> = vec![Vec::new(); ways.len()];
    let like = like(stm);
    for (i, p) in stm.pat.iter().enumerate() {
        let lists = match is_carried(&p.ty)
            && ways.iter().any(|w| matches!(w.lists.get(i), Some(Some(_))))
        {
            true => lists_of(state, ways, i, &like),
            false => None,
        };
        let outside = lists.and_then(|lists| Some((lists, state.fresh(p.var, &p.ty)?)));
        match outside {
            Some((lists, list)) => {
                for (into, list) in results.iter_mut().zip(lists) {
                    into.extend(list);
                }
                let ty = Type::Prim(list.elem);
                let vars = list.elems.iter().filter_map(|x| x.var());
                pat.extend(vars.map(|v| PatElem::new(v, ty.clone())));
                after.push((p.clone(), list));
            }
            None => {
                for (into, way) in results.iter_mut().zip(&*ways) {
                    into.extend(way.body.result.get(i));
                }
                pat.push(p.clone());
            }
        }
    }
    for (way, result) in ways.iter_mut().zip(results) {
        way.body.result = result;
    }
    (pat, after)
}

/// The elements of a result, way by way.
fn lists_of(state: &mut State, ways: &mut [Way], i: usize, like: &Stm) -> Option<Vec<Vec<SubExp>>> {
    let mut all = Vec::with_capacity(ways.len());
    for way in ways {
        let mark = state.mark();
        let list = match way.lists.get(i)? {
            Some(list) => Some(list.clone()),
            None => match way.body.result.get(i)?.var() {
                Some(v) => state.elements(v, like, &mut way.body.stms),
                None => None,
            },
        };
        let elems = list.map(|list| state.settled(&list, like, &mut way.body.stms));
        state.forget(mark);
        all.push(elems?);
    }
    Some(all)
}

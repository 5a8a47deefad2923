//! Reductions of small arrays as reductions of scalars.
//!
//! ```text
//! a = redomap(n, [xs], \x { y = x * x              a0, a1 = redomap(n, [xs], \x { y = x * x
//!                           t = [x, y]                                            in (x, y) },
//!                           in t },           →        op [0, 0] \b0 b1 c0 c1 { s = b0 + c0
//!             op [z] \b c { s = map2 (+) b c                                    t = b1 + c1
//!                           in s })                                             in (s, t) })
//!                                                  a = [a0, a1]
//! ```
//!
//! So what is folded up is in registers, and lanes take elements as they take those of any reduction. Scans stay, as
//! arrays are what they yield.

use super::control::{Made, like};
use super::elements::List;
use super::state::State;
use super::worth::is_folded;
use crate::ir::{Exp, Lambda, Param, PatElem, Reduction, Soac, Stm, SubExp, Type};
use std::ops::Range;

/// Which results of a combinator are small arrays that it folds up; nothing if none is.
pub(super) fn candidates(stm: &Stm) -> Option<Vec<bool>> {
    let Exp::Soac(Soac::Screma { lambda, scans, reduces, .. }) = &stm.exp else { return None };
    let before: usize = scans.iter().map(|r| r.neutral.len()).sum();
    let folded: usize = reduces.iter().map(|r| r.neutral.len()).sum();
    let among = |i: usize| (before..before + folded).contains(&i);
    let chosen: Vec<bool> =
        lambda.ret.iter().enumerate().map(|(i, ty)| among(i) && is_folded(ty, lambda, i)).collect();
    chosen.contains(&true).then_some(chosen)
}

/// The places of a reduction's results among those of its combinator.
pub(super) fn places(scans: &[Reduction], reduces: &[Reduction]) -> Vec<Range<usize>> {
    let mut from = scans.iter().map(|r| r.neutral.len()).sum();
    let mut all = Vec::with_capacity(reduces.len());
    for r in reduces {
        all.push(from..from + r.neutral.len());
        from += r.neutral.len();
    }
    all
}

/// The neutral elements, scalars for what is chosen.
pub(super) fn neutral(
    state: &mut State,
    r: &Reduction,
    chosen: &[bool],
    stm: &Stm,
    before: &mut Vec<Stm>,
) -> Option<Vec<SubExp>> {
    let mut all = Vec::new();
    for (x, chosen) in r.neutral.iter().zip(chosen) {
        match chosen {
            true => {
                let list = state.elements(x.var()?, stm, before)?;
                all.extend(state.settled(&list, stm, before));
            }
            false => all.push(*x),
        }
    }
    Some(all)
}

/// Gives an operator scalars as parameters, and yields the arrays that they stand for.
pub(super) fn open(state: &mut State, op: &mut Lambda, chosen: &[bool]) -> Option<Made> {
    let mut arrays = Vec::new();
    let mut params = Vec::new();
    for (p, chosen) in op.params.drain(..).zip(chosen.iter().chain(chosen)) {
        if !chosen {
            params.push(p);
            continue;
        }
        let list = state.fresh(p.var, &p.ty)?;
        let ty = Type::Prim(list.elem);
        params.extend(scalars(&list).map(|v| Param::new(v, ty.clone())));
        arrays.push((PatElem::new(p.var, p.ty), list));
    }
    op.params = params;
    Some(arrays)
}

/// Scalars in place of the results that are chosen, which are read if they have no names; and their types.
pub(super) fn close(
    state: &mut State,
    (results, types): (&mut Vec<SubExp>, &mut Vec<Type>),
    chosen: &[bool],
    stm: &Stm,
    out: &mut Vec<Stm>,
) -> Option<()> {
    let (mut all, mut all_types) = (Vec::new(), Vec::new());
    for ((x, ty), chosen) in results.iter().zip(types.iter()).zip(chosen) {
        if !chosen {
            all.push(*x);
            all_types.push(ty.clone());
            continue;
        }
        let list = state.elements(x.var()?, &like(stm), out)?;
        all_types.extend(list.elems.iter().map(|_| Type::Prim(list.elem)));
        all.extend(state.settled(&list, &like(stm), out));
    }
    (*results, *types) = (all, all_types);
    Some(())
}

/// What the combinator binds, and the arrays to be made behind it.
pub(super) fn leave(
    state: &mut State,
    pat: &[PatElem],
    chosen: &[bool],
) -> Option<(Vec<PatElem>, Made)> {
    let (mut bound, mut after) = (Vec::new(), Vec::new());
    for (p, chosen) in pat.iter().zip(chosen) {
        if !chosen {
            bound.push(p.clone());
            continue;
        }
        let list = state.fresh(p.var, &p.ty)?;
        let ty = Type::Prim(list.elem);
        bound.extend(scalars(&list).map(|v| PatElem::new(v, ty.clone())));
        after.push((p.clone(), list));
    }
    Some((bound, after))
}

fn scalars(list: &List) -> impl Iterator<Item = crate::ir::Var> {
    list.elems.iter().filter_map(|x| x.var())
}

//! Transposed results of maps, as maps over transposed inputs.
//!
//! ```text
//! ys = map(n, [xss], \xs -> map(m, [xs], f))        xst = rearrange(xss, [1, 0])
//! yst = rearrange(ys, [1, 0])                  →    yst = map(m, [xst], \xs -> map(n, [xs], f))
//! zs = map(m, [yst], g)                             zs = map(m, [yst], g)
//! ```
//!
//! So the maps become neighbours, and fuse. The inputs are views, of which no copy is made. What is transposed is used
//! there only, and then by a combinator of the same body; plain results keep their form. What is transposed
//! on the way to inputs goes the same way, so that of a chain of maps and transpositions at most one stays at its end.
//!
//! Stays: nests that may fail or write, or whose elements are no scalars.
//!
//! The map is made where the one before stood, so that nothing is read later than before. Cost: linear in the program.

use super::maps::plain_map;
use super::split::split;
use crate::ir::traverse::free_in_body;
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    Body, Class, Effects, Exp, Lambda, Mentions, NameSource, Param, PatElem, Soac, Stm, SubExp,
    Type, Var,
};

/// Longer chains are cut.
const LONGEST: usize = 100;

/// Moves transpositions from results of nests to inputs in a list of statements.
pub(super) fn to_inputs(stms: &mut Vec<Stm>, mentions: &Mentions, names: &mut NameSource) {
    if stms.iter().any(|s| transposition(s).is_some()) {
        Views { mentions, names }.list(stms);
    }
}

struct Views<'a> {
    mentions: &'a Mentions,
    names: &'a mut NameSource,
}

/// The statements of a body, each with what has to stand before it now.
struct List {
    slots: Vec<Vec<Stm>>,
    bound: VarMap<usize>,
    /// What has got more readers than were counted.
    shared: VarSet,
}

impl List {
    /// What binds `v`, and where, if that is all it binds.
    fn binder(&self, v: Var) -> Option<(usize, &Stm)> {
        let at = *self.bound.get(&v)?;
        let s = self.slots.get(at)?.last()?;
        matches!(s.pat.as_slice(), [p] if p.var == v).then_some((at, s))
    }
}

/// What is transposed, if that is all the statement does.
fn transposition(s: &Stm) -> Option<Var> {
    match &s.exp {
        Exp::Rearrange { array, perm }
            if *perm == [1, 0] && s.certs.is_empty() && s.attrs.is_empty() =>
        {
            Some(*array)
        }
        _ => None,
    }
}

impl Views<'_> {
    fn list(&mut self, stms: &mut Vec<Stm>) {
        let mut bound = VarMap::default();
        let mut read = VarSet::default();
        for (i, s) in stms.iter().enumerate() {
            bound.extend(s.pat.iter().map(|p| (p.var, i)));
            if let Exp::Soac(c) = &s.exp {
                read.extend(c.inputs());
            }
        }
        let slots = std::mem::take(stms).into_iter().map(|s| vec![s]).collect();
        let mut list = List { slots, bound, shared: VarSet::default() };
        for at in (0..list.slots.len()).rev() {
            let Some((array, p)) = list
                .slots
                .get(at)
                .and_then(|slot| slot.last())
                .and_then(|s| Some((transposition(s)?, s.pat.first()?.clone())))
            else {
                continue;
            };
            // One that goes is worth it, too.
            let wanted = (read.contains(&p.var) && self.mentions.count(p.var) == 1)
                || self.undoes(&mut list, array);
            if wanted
                && self.transpose_nest(&mut list, array, p, 0)
                && let Some(slot) = list.slots.get_mut(at)
            {
                slot.pop();
            }
        }
        *stms = list.slots.into_iter().flatten().collect();
    }

    /// Whether the nest that yields `array` reads at least as many transposed arrays as others, so that there
    /// are fewer transpositions if it is transposed itself. Makes a nest of a map that is nearly one ([`split`]).
    fn undoes(&mut self, list: &mut List, array: Var) -> bool {
        let Some((at, s)) = list.binder(array) else { return false };
        if nest(s).is_some() {
            return self.reads_transposed(list, s);
        }
        let Some(two) = split(s, self.names) else { return false };
        let undoes =
            two.last().is_some_and(|s| nest(s).is_some() && self.reads_transposed(list, s));
        if undoes && let Some(slot) = list.slots.get_mut(at) {
            slot.pop();
            for s in &two {
                if let Exp::Soac(map) = &s.exp {
                    list.shared.extend(map.inputs());
                }
            }
            slot.extend(two);
        }
        undoes
    }

    fn reads_transposed(&self, list: &List, map: &Stm) -> bool {
        let Some((_, arrays, rows)) = plain_map(map) else { return false };
        let is_transposed =
            |v: Var| list.binder(v).is_some_and(|(_, s)| transposition(s).is_some());
        let read = arrays.iter().zip(&rows.params).filter(|(_, p)| p.ty.rank() > 0);
        let (transposed, others): (Vec<_>, Vec<_>) = read.partition(|(v, _)| is_transposed(**v));
        !transposed.is_empty() && transposed.len() >= others.len()
    }

    /// Makes the nest that yields `array` yield it transposed, as `p`, if that is right. The only thing that reads it is
    /// a transposition, which has to go then.
    fn transpose_nest(&mut self, list: &mut List, array: Var, p: PatElem, depth: usize) -> bool {
        if depth > LONGEST || self.mentions.count(array) != 1 || list.shared.contains(&array) {
            return false;
        }
        let Some((at, s)) = list.binder(array) else { return false };
        let Some(made) = nest(s).and_then(|n| n.transposed(s, self.names)) else {
            return false;
        };
        let Transposed { views, mut map } = made;
        let mut before = Vec::with_capacity(views.len());
        let mut inputs = VarMap::default();
        for (view, of) in views {
            // Of what is transposed, and so on.
            let again = list.binder(of).and_then(|(i, s)| Some((i, transposition(s)?)));
            match again {
                Some((i, whole)) => {
                    inputs.insert(view.var, whole);
                    if self.mentions.count(of) > 1 || list.shared.contains(&of) {
                        // The transposition stays for others, and reads this as well.
                        list.shared.insert(whole);
                    } else if let Some(slot) = list.slots.get_mut(i) {
                        slot.pop();
                    }
                }
                _ if self.transpose_nest(list, of, view.clone(), depth + 1) => {}
                _ => before.push(Stm {
                    schedule: None,
                    exp: Exp::Rearrange { array: of, perm: vec![1, 0] },
                    pat: vec![view],
                    certs: Vec::new(),
                    attrs: Vec::new(),
                    loc: map.loc,
                }),
            }
        }
        if let Exp::Soac(Soac::Screma { inputs: given, .. }) = &mut map.exp {
            for v in given {
                *v = inputs.get(v).copied().unwrap_or(*v);
            }
        }
        list.bound.insert(p.var, at);
        map.pat = vec![p];
        before.push(map);
        if let Some(slot) = list.slots.get_mut(at) {
            slot.pop();
            slot.append(&mut before);
        }
        true
    }
}

/// A map of maps of scalars.
struct Nest<'a> {
    outer: (SubExp, &'a [Var], &'a Lambda),
    inner: (SubExp, &'a [Var], &'a Lambda, &'a Stm),
}

/// What a nest becomes: the views of inputs that it needs, and what they are of.
struct Transposed {
    views: Vec<(PatElem, Var)>,
    map: Stm,
}

fn nest(s: &Stm) -> Option<Nest<'_>> {
    let outer = plain_map(s)?;
    let [row] = outer.2.body.stms.as_slice() else { return None };
    let (width, inputs, lambda) = plain_map(row)?;
    let yields = matches!(outer.2.body.result.as_slice(), [x] if row.pat.iter().any(|p| SubExp::Var(p.var) == *x));
    let scalar = |t: &Type| matches!(t, Type::Prim(_));
    let scalars = lambda.params.iter().map(|p| &p.ty).chain(&lambda.ret).all(scalar)
        && straight(&lambda.body);
    let bound = |x: SubExp| outer.2.params.iter().any(|p| SubExp::Var(p.var) == x);
    let varies = bound(width) || row.certs.iter().any(|c| bound((*c).into()));
    (yields && Effects::of(row).is_none() && scalars && !varies)
        .then_some(Nest { outer, inner: (width, inputs, lambda, row) })
}

/// Scalars are made of scalars, and of elements of arrays that all elements read.
fn straight(b: &Body) -> bool {
    b.stms.iter().all(|s| match &s.exp {
        Exp::Match { cases, default, .. } => {
            cases.iter().all(|(_, b)| straight(b)) && straight(default)
        }
        Exp::SubExp(_) => true,
        e => e.class() == Class::Scalar,
    } && s.pat.iter().all(|p| matches!(p.ty, Type::Prim(_))))
}

impl Nest<'_> {
    fn transposed(&self, s: &Stm, names: &mut NameSource) -> Option<Transposed> {
        let (n, arrays, rows) = self.outer;
        let (m, row_inputs, elem, inner_stm) = self.inner;
        let mut views = Vec::new();
        let mut outer: (Vec<Var>, Vec<Param>) = Default::default();
        let mut inner: (Vec<Var>, Vec<Param>) = Default::default();
        for (input, p) in row_inputs.iter().zip(&elem.params) {
            match rows.params.iter().position(|q| q.var == *input) {
                Some(i) => {
                    let of = *arrays.get(i)?;
                    let view = PatElem::new(names.fresh("tr"), p.ty.outer(n).outer(m));
                    outer.0.push(view.var);
                    let mut column = rows.params.get(i)?.clone();
                    column.var = names.fresh("column");
                    column.ty = p.ty.outer(n);
                    inner.0.push(column.var);
                    inner.1.push(p.clone());
                    outer.1.push(column);
                    views.push((view, of));
                }
                // The same for all rows.
                None => {
                    outer.0.push(*input);
                    outer.1.push(p.clone());
                }
            }
        }
        let free = free_in_body(&elem.body);
        for (input, q) in arrays.iter().zip(&rows.params) {
            if free.contains(&q.var) {
                // One for each row; a row as a whole is something else.
                if q.ty.rank() > 0 {
                    return None;
                }
                inner.0.push(*input);
                inner.1.push(q.clone());
            }
        }
        if views.is_empty() || inner.0.is_empty() {
            return None;
        }
        let map = |width, (inputs, params): (Vec<Var>, Vec<Param>), body, ret| {
            let lambda = Lambda { params, body, ret };
            Exp::Soac(Soac::Screma {
                width,
                inputs,
                lambda,
                scans: Vec::new(),
                reduces: Vec::new(),
            })
        };
        let ty = elem.ret.first()?.outer(n);
        let made = PatElem::new(names.fresh("column"), ty.clone());
        let result = vec![made.var.into()];
        let mut certs = s.certs.clone();
        certs.extend(inner_stm.certs.iter().filter(|c| !s.certs.contains(c)));
        let stm = Stm {
            pat: vec![made],
            exp: map(n, inner, elem.body.clone(), elem.ret.clone()),
            certs: certs.clone(),
            ..inner_stm.clone()
        };
        let exp = map(m, outer, Body { stms: vec![stm], result }, vec![ty]);
        Some(Transposed { views, map: Stm { exp, certs, ..s.clone() } })
    }
}

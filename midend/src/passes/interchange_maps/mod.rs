//! Loops whose rounds map the same elements, each of them alone, as maps of loops: the interchange of a loop with the map inside of it.
//!
//! ```text
//! ys = loop (a = xs) for i < n {                   ys = map (\x ->
//!   c = cs[i]                                        y = loop (p = x) for i < n {
//!   b = map (\p w -> p * c + w) a ws       →           c = cs[i]
//!   in b }                                             q = p * c + w
//!                                                      in q }
//!                                                    in y) xs ws
//! ```
//!
//! Elements stay in registers from round to round, instead of being stored and read again; threads and kernels begin once, and
//! what makes the first elements or reads the last ones can be fused with the map. Maps of maps go along, dimension by dimension.
//!
//! What a round computes beside its maps, every element computes for itself, so it must be cheap, and is read from arrays only where all elements
//! read the same. No failures, which would be met in another order; nothing of one element that is made of others. Stays:
//! what does not go by lanes as a map of a loop, as maps alone may ([`expected_lanes`]); elements that are different ones in each round, as
//! then a map goes along memory and a loop across; few elements of a constant number, which are scalars later; loops in maps, whose lanes are
//! the points of these.
//!
//! Works at level `soacs`, before fusion. Cost: linear in the program, times the rank of what is mapped and the depth of loops.

mod along;
mod element;

use crate::analysis::lanes::expected_lanes;
use crate::ir::traverse::{Binders, Subst, Visit, any_exp, for_each_block_mut, rename_exp, walk};
use crate::ir::varmap::VarSet;
use crate::ir::{
    Body, Class, DimIndex, Exp, KernelBody, KernelResult, Lambda, Level, NameSource, Param,
    PatElem, Program, Soac, Stm, SubExp, Type, Var,
};
use along::Along;
use element::Element;

/// So many elements of a constant number stay in the loop.
const FEW: i64 = 16;

/// Takes maps out of loops.
pub fn interchange_maps(mut program: Program) -> Program {
    if program.level != Level::Soacs {
        return program;
    }
    let mut iotas = Iotas::default();
    iotas.body(&program.consts);
    program.funs.iter().for_each(|f| iotas.fun(f));
    let mut names = NameSource::new(program.next_tag);
    stms(&mut program.consts.stms, &iotas, &mut names);
    for f in &mut program.funs {
        stms(&mut f.body.stms, &iotas, &mut names);
    }
    program.next_tag = names.next_tag();
    program
}

/// Arrays of the numbers from 0 on.
#[derive(Default)]
struct Iotas(VarSet);

impl Visit for Iotas {
    fn stm(&mut self, s: &Stm) {
        let (zero, one) = (SubExp::i64(0), SubExp::i64(1));
        if matches!(&s.exp, Exp::Iota { start, stride, .. } if (*start, *stride) == (zero, one)) {
            self.0.extend(s.pat.iter().map(|p| p.var));
        }
        walk::stm(self, s);
    }
}

/// Those of a list, inner loops first, outside of combinators.
fn stms(list: &mut Vec<Stm>, iotas: &Iotas, names: &mut NameSource) {
    for mut s in std::mem::take(list) {
        if !matches!(s.exp, Exp::Soac(_)) {
            for_each_block_mut(&mut s.exp, &mut |b| stms(b, iotas, names));
        }
        match interchanged(&s, iotas, names) {
            Some(made) => list.extend(made),
            None => list.push(s),
        }
    }
}

/// A loop as a map of a loop, and what comes before it.
fn interchanged(s: &Stm, iotas: &Iotas, names: &mut NameSource) -> Option<Vec<Stm>> {
    let Exp::Loop { params, init, form, body } = &s.exp else { return None };
    let array = |p: &Param| p.ty.rank() > 0;
    let width = *params.iter().find(|p| array(p))?.ty.shape().first()?;
    let along = |p: &Param| !array(p) || p.ty.shape().first() == Some(&width);
    let few = matches!(width, SubExp::Const(n) if n.as_int()? <= FEW);
    if !params.iter().all(along) || few || !s.attrs.is_empty() || !s.certs.is_empty() {
        return None;
    }
    // Scalars go through all rounds before the map does: what fails or ends first would be another.
    let checks = any_exp(|v| v.exp(&s.exp), |e| e.class() == Class::Check);
    if checks && !params.iter().all(array) {
        return None;
    }
    let mut bound = Binders::default();
    bound.exp(&s.exp);
    let mut e = Element {
        width,
        bound: bound.0,
        arrays: VarSet::default(),
        of: Subst::new(),
        inputs: Vec::new(),
        before: Vec::new(),
        stms: Vec::new(),
        beside: 0,
        iotas: &iotas.0,
        indexes: VarSet::default(),
        names,
    };
    if width.var().is_some_and(|v| e.bound.contains(&v)) {
        return None;
    }
    let mut inner = Vec::with_capacity(params.len());
    let mut first = Vec::with_capacity(params.len());
    for (p, x) in params.iter().zip(init) {
        let (p, x) = match array(p) {
            true => (e.carried(p), e.element(x.var()?, &p.ty.row())?),
            false => (p.clone(), *x),
        };
        inner.push(p);
        first.push(x);
    }
    body.stms.iter().try_for_each(|s| e.stm(s))?;
    let result = params.iter().zip(&body.result).map(|(p, x)| e.result(*x, &p.ty));
    let result = result.collect::<Option<_>>()?;
    let carried = params.iter().zip(&inner).filter(|(p, _)| array(p)).map(|(_, q)| q.var);
    let carried: VarSet = carried.collect();
    let Element { inputs, before, stms, names, .. } = e;
    let pat: Vec<PatElem> = s.pat.iter().zip(&inner).map(|(q, p)| like(q, &p.ty, names)).collect();
    let body = Body { stms, result };
    let rounds = Exp::Loop { params: inner, init: first, form: form.clone(), body };
    let rounds = Stm { pat: pat.clone(), exp: rounds, ..s.clone() };
    let (arrays, elements): (Vec<Var>, Vec<Param>) = inputs.into_iter().unzip();
    let is_array = |q: &&PatElem| matches!(q.ty, Type::Array { .. });
    let outer: Vec<PatElem> = s.pat.iter().filter(is_array).cloned().collect();
    let results = pat.iter().zip(&s.pat).filter(|(_, q)| is_array(q));
    let results: Vec<PatElem> = results.map(|(p, _)| p.clone()).collect();
    if Along::in_rounds(&elements, &carried, &rounds) {
        return None;
    }
    let scalar = results.iter().all(|p| p.ty.rank() == 0);
    let op = (arrays.as_slice(), elements.as_slice(), results.as_slice());
    let stms = match scalar {
        true => goes_by_lanes(op, &rounds, names).then(|| vec![rounds])?,
        false => interchanged(&rounds, iotas, names)?,
    };
    let mut made = before;
    if outer.len() < s.pat.len() {
        made.push(scalars(s, names));
    }
    let ret: Vec<Type> = results.iter().map(|p| p.ty.clone()).collect();
    let result = results.iter().map(|p| p.var.into()).collect();
    let lambda = Lambda { params: elements, body: Body { stms, result }, ret };
    let (scans, reduces) = (Vec::new(), Vec::new());
    let map = Soac::Screma { width, inputs: arrays, lambda, scans, reduces };
    made.push(Stm { pat: outer, exp: Exp::Soac(map), ..s.clone() });
    Some(made)
}

fn like(p: &PatElem, ty: &Type, names: &mut NameSource) -> PatElem {
    PatElem::new(names.like(p.var), ty.clone())
}

/// The loop again for the scalars that it yields.
fn scalars(s: &Stm, names: &mut NameSource) -> Stm {
    let Exp::Loop { params, init, form, body } = &s.exp else { return s.clone() };
    let scalar = |ty: &Type| ty.rank() == 0;
    let kept: Vec<bool> = params.iter().map(|p| scalar(&p.ty)).collect();
    fn only<T: Clone>(list: &[T], kept: &[bool]) -> Vec<T> {
        list.iter().zip(kept).filter(|(_, k)| **k).map(|(x, _)| x.clone()).collect()
    }
    let stms = body.stms.iter().filter(|s| s.pat.iter().all(|p| scalar(&p.ty)));
    let body = Body { stms: stms.cloned().collect(), result: only(&body.result, &kept) };
    let (params, init) = (only(params, &kept), only(init, &kept));
    let exp = Exp::Loop { params, init, form: form.clone(), body };
    Stm { pat: only(&s.pat, &kept), exp: rename_exp(&exp, names), ..s.clone() }
}

/// Whether the map of a loop, given its inputs with the parameters for them and its results, is worth it by lanes.
fn goes_by_lanes(
    (arrays, elements, results): (&[Var], &[Param], &[PatElem]),
    rounds: &Stm,
    names: &mut NameSource,
) -> bool {
    let point = names.fresh("i");
    let read = arrays.iter().zip(elements).map(|(array, p)| {
        let exp = Exp::Index { array: *array, dims: vec![DimIndex::Fix(point.into())] };
        Stm::new(vec![PatElem::new(p.var, p.ty.clone())], exp)
    });
    let body = KernelBody {
        stms: read.chain([rounds.clone()]).collect(),
        results: results.iter().map(|p| KernelResult::Return(p.var.into())).collect(),
        types: results.iter().map(|p| p.ty.clone()).collect(),
    };
    expected_lanes(point, &body, true).is_some()
}

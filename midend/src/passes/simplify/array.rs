//! Rules about making and reshaping arrays.

use super::{Outcome, Rule, Simplifier};
use crate::ir::{Exp, Prim, Stm, SubExp, Type};

pub(super) const RULES: &[Rule] = &[
    ("of_name", of_name),
    ("replicate", replicate),
    ("reshape", reshape),
    ("rearrange", rearrange),
    ("concat", concat),
    ("literal", literal),
];

/// Of another name that holds under certificates.
fn of_name(s: &mut Simplifier, stm: &mut Stm, _: &mut Vec<Stm>) -> Outcome {
    let (Exp::Reshape { array, .. } | Exp::Rearrange { array, .. }) = &mut stm.exp else {
        return Outcome::Kept;
    };
    match s.renamed(*array) {
        Some((w, certs)) => {
            *array = w;
            stm.certs.extend(certs);
            Outcome::Changed
        }
        None => Outcome::Kept,
    }
}

/// Around nothing; around another one.
fn replicate(s: &mut Simplifier, stm: &mut Stm, _: &mut Vec<Stm>) -> Outcome {
    let Exp::Replicate { shape, value } = &stm.exp else { return Outcome::Kept };
    let SubExp::Var(v) = *value else {
        if shape.is_empty() {
            stm.exp = Exp::SubExp(*value);
            return Outcome::Changed;
        }
        return Outcome::Kept;
    };
    if shape.is_empty() {
        stm.exp = if s.is_array(*value) { Exp::Copy(v) } else { Exp::SubExp(*value) };
        return Outcome::Changed;
    }
    if let Some((Exp::Replicate { shape: inner, value: x }, certs)) = s.def(v) {
        let (x, shape) = (*x, shape.iter().chain(inner).copied().collect());
        if !s.is_array(x) || x.var().is_some_and(|x| s.stays(x)) {
            stm.exp = Exp::Replicate { shape, value: x };
            stm.certs.extend(certs);
            return Outcome::Changed;
        }
    }
    Outcome::Kept
}

/// To the same shape; of a reshape; of a replicate.
fn reshape(s: &mut Simplifier, stm: &mut Stm, _: &mut Vec<Stm>) -> Outcome {
    let Exp::Reshape { array, shape } = &stm.exp else { return Outcome::Kept };
    let array = *array;
    if s.types.get(&array).map(Type::shape) == Some(shape) {
        stm.exp = Exp::SubExp(array.into());
        return Outcome::Changed;
    }
    match s.def(array) {
        Some((Exp::Reshape { array, .. }, certs)) => {
            stm.exp = Exp::Reshape { array: *array, shape: shape.clone() };
            stm.certs.extend(certs);
            Outcome::Changed
        }
        Some((Exp::Replicate { value, .. }, certs)) if !s.is_array(*value) => {
            stm.exp = Exp::Replicate { shape: shape.clone(), value: *value };
            stm.certs.extend(certs);
            Outcome::Changed
        }
        _ => Outcome::Kept,
    }
}

/// By the identity; of a rearranged array; of a replicated scalar.
fn rearrange(s: &mut Simplifier, stm: &mut Stm, _: &mut Vec<Stm>) -> Outcome {
    let Exp::Rearrange { array, perm } = &stm.exp else { return Outcome::Kept };
    if perm.is_sorted() {
        stm.exp = Exp::SubExp((*array).into());
        return Outcome::Changed;
    }
    match s.def(*array) {
        Some((Exp::Rearrange { array, perm: first }, certs)) if first.len() == perm.len() => {
            let perm = perm.iter().filter_map(|&i| first.get(i).copied()).collect();
            stm.exp = Exp::Rearrange { array: *array, perm };
            stm.certs.extend(certs);
            Outcome::Changed
        }
        Some((Exp::Replicate { shape, value }, certs))
            if shape.len() == perm.len() && !s.is_array(*value) =>
        {
            let shape = perm.iter().filter_map(|&i| shape.get(i).copied()).collect();
            stm.exp = Exp::Replicate { shape, value: *value };
            stm.certs.extend(certs);
            Outcome::Changed
        }
        _ => Outcome::Kept,
    }
}

/// Of one array; with empty ones; of concatenated ones.
fn concat(s: &mut Simplifier, stm: &mut Stm, _: &mut Vec<Stm>) -> Outcome {
    let Exp::Concat { dim, arrays, size } = &stm.exp else { return Outcome::Kept };
    if let [one] = arrays.as_slice() {
        stm.exp = Exp::Copy(*one);
        return Outcome::Changed;
    }
    let (dim, size, arrays) = (*dim, *size, arrays.clone());
    let mut flat = Vec::with_capacity(arrays.len());
    let mut certs = Vec::new();
    let mut changed = false;
    for (i, &v) in arrays.iter().enumerate() {
        let empty = s.shape(v).get(dim) == Some(&SubExp::i64(0));
        if empty && (i + 1 < arrays.len() || !flat.is_empty()) {
            changed = true;
            continue;
        }
        if let Some((Exp::Concat { dim: d, arrays: inner, .. }, under)) = s.def(v)
            && *d == dim
        {
            let inner = inner.clone();
            if inner.iter().all(|&w| s.stays(w)) {
                flat.extend(inner);
                certs.extend(under);
                changed = true;
                continue;
            }
        }
        flat.push(v);
    }
    if !changed {
        return Outcome::Kept;
    }
    stm.exp = Exp::Concat { dim, arrays: flat, size };
    stm.certs.extend(certs);
    Outcome::Changed
}

/// Of equal elements.
fn literal(_: &mut Simplifier, stm: &mut Stm, _: &mut Vec<Stm>) -> Outcome {
    let Exp::ArrayLit { elems, row: Type::Prim(Prim::Bool | Prim::Int(_) | Prim::Float(_)) } =
        &stm.exp
    else {
        return Outcome::Kept;
    };
    match elems.as_slice() {
        [x, rest @ ..] if !rest.is_empty() && rest.iter().all(|y| y == x) => {
            let shape = vec![SubExp::i64(elems.len() as i64)];
            stm.exp = Exp::Replicate { shape, value: *x };
            Outcome::Changed
        }
        _ => Outcome::Kept,
    }
}

//! Rules about making and reshaping arrays.

use super::simplifier::{Outcome, Rule, Simplifier};
use crate::ir::{Const, Exp, Prim, Stm, SubExp, Type, Var};

pub(super) const RULES: &[Rule] = &[
    ("of_name", of_name),
    ("replicate", replicate),
    ("reshape", reshape),
    ("rearrange", rearrange),
    ("concat", concat),
    ("literal", literal),
    ("table", table),
];

/// Literals of rows with as many elements are tables: data of the program. Smaller ones may end up in
/// registers, row by row.
const TABLE: usize = 64;

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

/// To the same shape; of a reshape; of a replicate; of a concatenation whose size is said in another way.
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
        Some((Exp::Concat { dim: 0, arrays, .. }, certs)) => {
            // Of more dimensions, one without elements would let the first differ.
            let ([size], 1) = (shape.as_slice(), s.shape(array).len()) else {
                return Outcome::Kept;
            };
            let (size, arrays) = (*size, arrays.clone());
            if !arrays.iter().all(|v| s.stays(*v)) {
                return Outcome::Kept;
            }
            stm.exp = Exp::Concat { dim: 0, arrays, size };
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

/// Of rows of constants: the flat literal, reshaped.
fn table(s: &mut Simplifier, stm: &mut Stm, out: &mut Vec<Stm>) -> Outcome {
    let Exp::ArrayLit { elems, row: Type::Array { elem, shape } } = &stm.exp else {
        return Outcome::Kept;
    };
    let mut whole = vec![SubExp::i64(elems.len() as i64)];
    whole.extend(shape);
    let mut flat = Vec::new();
    let mut certs = Vec::new();
    for x in elems {
        let Some(under) = x.var().and_then(|v| constants(s, v, &mut flat)) else {
            return Outcome::Kept;
        };
        certs.extend(under);
    }
    if flat.len() < TABLE {
        return Outcome::Kept;
    }
    let literal = Exp::ArrayLit { elems: flat, row: Type::Prim(*elem) };
    let SubExp::Var(array) = s.emit("table", literal, stm, out) else { return Outcome::Kept };
    stm.exp = Exp::Reshape { array, shape: whole };
    stm.certs.extend(certs);
    Outcome::Changed
}

/// Appends the elements of an array in row-major order, if it is made of constants, and yields the
/// certificates it holds under.
fn constants(s: &Simplifier, v: Var, flat: &mut Vec<SubExp>) -> Option<Vec<Var>> {
    let (def, mut certs) = s.def(v)?;
    match def {
        Exp::ArrayLit { elems, row: Type::Prim(_) } => {
            if elems.iter().any(|x| x.var().is_some()) {
                return None;
            }
            flat.extend(elems);
        }
        Exp::Replicate { shape, value: value @ SubExp::Const(_) } => {
            let count = shape.iter().try_fold(1usize, |count, n| match n {
                SubExp::Const(Const::I64(n)) => count.checked_mul(usize::try_from(*n).ok()?),
                _ => None,
            })?;
            // What is long and the same throughout is no table.
            if count > TABLE {
                return None;
            }
            flat.extend(std::iter::repeat_n(*value, count));
        }
        Exp::Reshape { array, .. } => certs.extend(constants(s, *array, flat)?),
        _ => return None,
    }
    Some(certs)
}

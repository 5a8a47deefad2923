//! Rules about indexing: reading from an array by what the array is made of.

use super::simplifier::{Outcome, Rule, Simplifier};
use crate::ir::{BinOp, Const, ConvOp, DimIndex, Exp, IntType, Stm, SubExp, Var};

pub(super) const RULES: &[Rule] = &[
    ("of_name", of_name),
    ("whole", whole),
    ("of_iota", of_iota),
    ("of_replicate", of_replicate),
    ("of_scratch", of_scratch),
    ("of_rearrange", of_rearrange),
    ("of_slice", of_slice),
    ("of_reshape", of_reshape),
    ("of_rows", of_rows),
    ("of_update", of_update),
];

/// The fixed indexes, if there is no slice.
fn fixed(dims: &[DimIndex]) -> Option<Vec<SubExp>> {
    dims.iter()
        .map(|d| match d {
            DimIndex::Fix(i) => Some(*i),
            DimIndex::Slice { .. } => None,
        })
        .collect()
}

fn is_whole(dims: &[DimIndex], shape: &[SubExp]) -> bool {
    dims.len() == shape.len()
        && dims.iter().zip(shape).all(|(d, &n)| match d {
            DimIndex::Fix(_) => false,
            DimIndex::Slice { start, n: m, stride } => {
                *start == SubExp::i64(0)
                    && *m == n
                    && (*stride == SubExp::i64(1) || n == SubExp::i64(1))
            }
        })
}

/// What an `index` indexes, with the definition of the array.
fn indexed<'a>(s: &'a Simplifier, stm: &Stm) -> Option<(Var, Vec<DimIndex>, &'a Exp, Vec<Var>)> {
    let Exp::Index { array, dims } = &stm.exp else { return None };
    let (def, certs) = s.def(*array)?;
    Some((*array, dims.clone(), def, certs))
}

fn become_(stm: &mut Stm, exp: Exp, certs: Vec<Var>) -> Outcome {
    stm.exp = exp;
    stm.certs.extend(certs);
    Outcome::Changed
}

/// `a[0:n]` is `a`; an update of all of it is a copy of the value.
fn whole(s: &mut Simplifier, stm: &mut Stm, _: &mut Vec<Stm>) -> Outcome {
    match &stm.exp {
        Exp::Index { array, dims } if is_whole(dims, &s.shape(*array)) => {
            let exp = Exp::SubExp(SubExp::Var(*array));
            become_(stm, exp, Vec::new())
        }
        Exp::Update { array, dims, value: SubExp::Var(v) } if is_whole(dims, &s.shape(*array)) => {
            let exp = Exp::Copy(*v);
            become_(stm, exp, Vec::new())
        }
        _ => Outcome::Kept,
    }
}

/// Of another name that holds under certificates.
fn of_name(s: &mut Simplifier, stm: &mut Stm, _: &mut Vec<Stm>) -> Outcome {
    let Exp::Index { array, .. } = &mut stm.exp else { return Outcome::Kept };
    match s.renamed(*array) {
        Some((w, certs)) => {
            *array = w;
            stm.certs.extend(certs);
            Outcome::Changed
        }
        None => Outcome::Kept,
    }
}

/// `iota(n, s, d)[i]` is `s + i * d`, a slice of it another iota.
fn of_iota(s: &mut Simplifier, stm: &mut Stm, out: &mut Vec<Stm>) -> Outcome {
    let Some((_, dims, &Exp::Iota { start, stride, ty, .. }, certs)) = indexed(s, stm) else {
        return Outcome::Kept;
    };
    let narrow = |s: &mut Simplifier, x: SubExp, out: &mut Vec<Stm>| {
        s.emit("i", Exp::ConvOp(ConvOp::SExt(IntType::I64, ty), x), stm, out)
    };
    match dims.as_slice() {
        [DimIndex::Fix(i)] => {
            let i = narrow(s, *i, out);
            let d = s.emit("i", Exp::BinOp(BinOp::Mul(ty), i, stride), stm, out);
            become_(stm, Exp::BinOp(BinOp::Add(ty), d, start), certs)
        }
        [DimIndex::Slice { start: from, n, stride: by }] => {
            // A view of a whole iota costs less than a new one, if the old one stays. It mostly
            // goes: what is left of it are its slices.
            let from = narrow(s, *from, out);
            let by = narrow(s, *by, out);
            let d = s.emit("i", Exp::BinOp(BinOp::Mul(ty), from, stride), stm, out);
            let start = s.emit("i", Exp::BinOp(BinOp::Add(ty), d, start), stm, out);
            let stride = s.emit("i", Exp::BinOp(BinOp::Mul(ty), by, stride), stm, out);
            become_(stm, Exp::Iota { n: *n, start, stride, ty }, certs)
        }
        _ => Outcome::Kept,
    }
}

/// `replicate(n, x)[i]` is `x`.
fn of_replicate(s: &mut Simplifier, stm: &mut Stm, _: &mut Vec<Stm>) -> Outcome {
    let Some((array, dims, Exp::Replicate { shape, value }, certs)) = indexed(s, stm) else {
        return Outcome::Kept;
    };
    let (value, k) = (*value, shape.len());
    if dims.len() < k || fixed(&dims[..k]).is_none() {
        return Outcome::Kept;
    }
    let rest = &dims[k..];
    match value {
        SubExp::Var(v) if !rest.is_empty() => {
            // A scalar read, or a view of what nobody changes.
            if s.stays(v) && (fixed(rest).is_some() || s.may_alias(array)) {
                become_(stm, Exp::Index { array: v, dims: rest.to_vec() }, certs)
            } else {
                Outcome::Kept
            }
        }
        _ if rest.is_empty() => become_(stm, Exp::SubExp(value), certs),
        SubExp::Var(_) | SubExp::Const(_) => Outcome::Kept,
    }
}

/// An element of an array without elements is any value: nobody uses it, but nothing should read memory that was never
/// written.
fn of_scratch(s: &mut Simplifier, stm: &mut Stm, _: &mut Vec<Stm>) -> Outcome {
    let Some((_, dims, &Exp::Scratch { elem, .. }, certs)) = indexed(s, stm) else {
        return Outcome::Kept;
    };
    match fixed(&dims) {
        Some(_) => become_(stm, Exp::SubExp(Const::zero(elem).into()), certs),
        None => Outcome::Kept,
    }
}

/// Indexing a transposed array, unless the slices left would change their order.
fn of_rearrange(s: &mut Simplifier, stm: &mut Stm, _: &mut Vec<Stm>) -> Outcome {
    let Some((_, dims, Exp::Rearrange { array, perm }, certs)) = indexed(s, stm) else {
        return Outcome::Kept;
    };
    let slices: Vec<usize> = perm
        .iter()
        .zip(&dims)
        .filter(|(_, d)| matches!(d, DimIndex::Slice { .. }))
        .map(|(p, _)| *p)
        .collect();
    if !slices.is_sorted() || perm.len() != dims.len() {
        return Outcome::Kept;
    }
    let mut inner = dims.clone();
    for (&p, d) in perm.iter().zip(&dims) {
        inner[p] = *d;
    }
    let array = *array;
    become_(stm, Exp::Index { array, dims: inner }, certs)
}

/// Slices of slices.
fn of_slice(s: &mut Simplifier, stm: &mut Stm, out: &mut Vec<Stm>) -> Outcome {
    let Some((_, dims, Exp::Index { array, dims: outer }, certs)) = indexed(s, stm) else {
        return Outcome::Kept;
    };
    let (array, outer) = (*array, outer.clone());
    let mut dims = dims.into_iter();
    let mut both = Vec::with_capacity(outer.len());
    for d in outer {
        both.push(match d {
            DimIndex::Fix(i) => DimIndex::Fix(i),
            DimIndex::Slice { start, n: _, stride } => match dims.next() {
                Some(DimIndex::Fix(i)) => {
                    let by = s.mul(i, stride, stm, out);
                    DimIndex::Fix(s.add(by, start, stm, out))
                }
                Some(DimIndex::Slice { start: from, n, stride: by }) => {
                    let offset = s.mul(from, stride, stm, out);
                    let start = s.add(offset, start, stm, out);
                    DimIndex::Slice { start, n, stride: s.mul(by, stride, stm, out) }
                }
                None => return Outcome::Kept,
            },
        });
    }
    become_(stm, Exp::Index { array, dims: both }, certs)
}

/// An element of a reshaped array, where no division is needed to find it.
fn of_reshape(s: &mut Simplifier, stm: &mut Stm, out: &mut Vec<Stm>) -> Outcome {
    let Some((_, dims, Exp::Reshape { array, shape }, certs)) = indexed(s, stm) else {
        return Outcome::Kept;
    };
    let (array, shape) = (*array, shape.clone());
    let old = s.shape(array);
    // Another name for the outer size only.
    if old.len() == shape.len() && old.get(1..) == shape.get(1..) {
        return become_(stm, Exp::Index { array, dims }, certs);
    }
    let (Some(at), [_]) = (fixed(&dims), old.as_slice()) else { return Outcome::Kept };
    let mut flat = SubExp::i64(0);
    for (i, n) in at.iter().zip(&shape) {
        let rows = s.mul(flat, *n, stm, out);
        flat = s.add(rows, *i, stm, out);
    }
    become_(stm, Exp::Index { array, dims: vec![DimIndex::Fix(flat)] }, certs)
}

/// An element of a copy or of a literal.
fn of_rows(s: &mut Simplifier, stm: &mut Stm, _: &mut Vec<Stm>) -> Outcome {
    let Some((_, dims, def, certs)) = indexed(s, stm) else { return Outcome::Kept };
    let Some(at) = fixed(&dims) else { return Outcome::Kept };
    match def {
        &Exp::Copy(v) => {
            if !s.stays(v) {
                return Outcome::Kept;
            }
            return become_(stm, Exp::Index { array: v, dims }, certs);
        }
        Exp::ArrayLit { elems, .. } => {
            if let Some(SubExp::Const(Const::I64(i))) = at.first()
                && let Ok(i) = usize::try_from(*i)
                && let Some(&x) = elems.get(i)
            {
                if dims.len() == 1 {
                    return become_(stm, Exp::SubExp(x), certs);
                }
                if let SubExp::Var(array) = x
                    && s.stays(array)
                {
                    let dims = dims[1..].to_vec();
                    return become_(stm, Exp::Index { array, dims }, certs);
                }
            }
        }
        _ => {}
    }
    Outcome::Kept
}

/// The element just written.
fn of_update(s: &mut Simplifier, stm: &mut Stm, _: &mut Vec<Stm>) -> Outcome {
    let Some((_, dims, Exp::Update { dims: written, value, .. }, certs)) = indexed(s, stm) else {
        return Outcome::Kept;
    };
    if fixed(&dims).is_some() && dims == *written {
        let value = *value;
        return become_(stm, Exp::SubExp(value), certs);
    }
    Outcome::Kept
}

//! Small arrays as lists of scalars: which list an expression makes of others.

use super::limits::{MOST_CONSTANTS, MOST_ELEMENTS};
use crate::ir::{Const, DimIndex, Exp, IntType, Prim, SubExp, Type, Var};

/// An array as its elements.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct List {
    /// In row-major order; at least one.
    pub(super) elems: Vec<SubExp>,
    /// Outermost first; the product is the number of elements. Empty for a scalar.
    pub(super) shape: Vec<usize>,
    /// The type of an element.
    pub(super) elem: Prim,
    /// What must hold first.
    pub(super) certs: Vec<Var>,
}

impl List {
    /// If it is not too long, under these certificates besides its own.
    pub(super) fn new(
        elems: Vec<SubExp>,
        shape: Vec<usize>,
        elem: Prim,
        certs: Vec<Var>,
    ) -> Option<List> {
        let fits = elems.len() <= MOST_ELEMENTS
            || elems.len() <= MOST_CONSTANTS && elems.iter().all(|x| x.var().is_none());
        let whole = !elems.is_empty() && elems.len() == shape.iter().product::<usize>();
        (fits && whole).then_some(List { elems, shape, elem, certs })
    }

    /// Whether all elements are known when the program is compiled.
    pub(super) fn is_constant(&self) -> bool {
        self.elems.iter().all(|x| x.var().is_none())
    }

    /// The same under more certificates.
    pub(super) fn under(mut self, certs: &[Var]) -> List {
        for c in certs {
            if !self.certs.contains(c) {
                self.certs.push(*c);
            }
        }
        self
    }

    /// What is selected of it.
    fn select(&self, dims: &[DimIndex]) -> Option<List> {
        let (places, shape) = places(&self.shape, dims)?;
        let elems = places.iter().map(|&i| self.elems.get(i).copied()).collect::<Option<_>>()?;
        List::new(elems, shape, self.elem, self.certs.clone())
    }

    /// With what `dims` selects replaced.
    fn update(&self, dims: &[DimIndex], value: &List) -> Option<List> {
        let (places, _) = places(&self.shape, dims)?;
        if places.len() != value.elems.len() {
            return None;
        }
        let mut new = self.clone();
        for (&i, x) in places.iter().zip(&value.elems) {
            *new.elems.get_mut(i)? = *x;
        }
        Some(new.under(&value.certs))
    }

    fn rearrange(&self, perm: &[usize]) -> Option<List> {
        let shape: Vec<usize> =
            perm.iter().map(|&d| self.shape.get(d).copied()).collect::<Option<_>>()?;
        let mut strides = vec![1; self.shape.len()];
        for d in (1..self.shape.len()).rev() {
            strides[d - 1] = strides[d] * self.shape[d];
        }
        let mut places = vec![0];
        for (&d, &n) in perm.iter().zip(&shape) {
            places = places
                .iter()
                .flat_map(|at| (0..n).map(move |i| (at, i)))
                .map(|(at, i)| at + i * strides[d])
                .collect();
        }
        let elems = places.iter().map(|&i| self.elems.get(i).copied()).collect::<Option<_>>()?;
        List::new(elems, shape, self.elem, self.certs.clone())
    }
}

/// The shape of an array that is small enough to be a list.
pub(super) fn small_shape(ty: &Type) -> Option<Vec<usize>> {
    let shape: Vec<usize> = ty.shape().iter().map(|&n| count(n)).collect::<Option<_>>()?;
    let all = shape.iter().try_fold(1usize, |all, n| all.checked_mul(*n))?;
    (!shape.is_empty() && (1..=MOST_CONSTANTS).contains(&all)).then_some(shape)
}

/// A constant number.
pub(super) fn count(x: SubExp) -> Option<usize> {
    usize::try_from(integer(x)?).ok()
}

fn integer(x: SubExp) -> Option<i64> {
    match x {
        SubExp::Const(Const::I64(n)) => Some(n),
        SubExp::Const(_) | SubExp::Var(_) => None,
    }
}

/// The places that constant indexes select, all of them inside, and the shape that is left.
fn places(shape: &[usize], dims: &[DimIndex]) -> Option<(Vec<usize>, Vec<usize>)> {
    if shape.len() != dims.len() {
        return None;
    }
    let (mut at, mut left) = (vec![0], Vec::new());
    for (&size, d) in shape.iter().zip(dims) {
        let inside = |i: i64| usize::try_from(i).ok().filter(|i| *i < size);
        let along: Vec<usize> = match *d {
            DimIndex::Fix(i) => vec![inside(integer(i)?)?],
            DimIndex::Slice { start, n, stride } => {
                let (start, n, stride) = (integer(start)?, count(n)?, integer(stride)?);
                if n > size {
                    return None;
                }
                left.push(n);
                (0..n as i64)
                    .map(|k| inside(start.checked_add(k.checked_mul(stride)?)?))
                    .collect::<Option<_>>()?
            }
        };
        at = at.iter().flat_map(|a| along.iter().map(move |i| a * size + i)).collect();
    }
    Some((at, left))
}

/// The list that an expression makes, if it is known of what it is made of.
pub(super) fn made(
    exp: &Exp,
    known: &dyn Fn(Var) -> Option<List>,
    scalar: &dyn Fn(SubExp) -> Option<Prim>,
) -> Option<List> {
    let value = |x: SubExp| match scalar(x) {
        Some(elem) => List::new(vec![x], Vec::new(), elem, Vec::new()),
        None => known(x.var()?),
    };
    match exp {
        Exp::SubExp(SubExp::Var(v)) | Exp::Copy(v) => known(*v),
        Exp::ArrayLit { elems, row } => {
            let rows = elems.iter().map(|&x| value(x)).collect::<Option<Vec<_>>>()?;
            rows_of(&rows, row.elem()?)
        }
        Exp::Replicate { shape, value: x } => {
            let x = value(*x)?;
            let mut whole: Vec<usize> = shape.iter().map(|&n| count(n)).collect::<Option<_>>()?;
            let times = whole.iter().try_fold(1usize, |all, n| all.checked_mul(*n))?;
            if times > MOST_CONSTANTS {
                return None;
            }
            whole.extend(&x.shape);
            let elems = (0..times).flat_map(|_| x.elems.iter().copied()).collect();
            List::new(elems, whole, x.elem, x.certs)
        }
        Exp::Iota { n, start: SubExp::Const(start), stride: SubExp::Const(stride), ty } => {
            iota(count(*n)?, start.as_int()?, stride.as_int()?, *ty)
        }
        Exp::Index { array, dims } => known(*array)?.select(dims),
        Exp::Update { array, dims, value: x } => known(*array)?.update(dims, &value(*x)?),
        Exp::Reshape { array, shape } => {
            let list = known(*array)?;
            let shape = shape.iter().map(|&n| count(n)).collect::<Option<_>>()?;
            List::new(list.elems, shape, list.elem, list.certs)
        }
        Exp::Rearrange { array, perm } => known(*array)?.rearrange(perm),
        Exp::Concat { dim, arrays, size: _ } => {
            let parts = arrays.iter().map(|&v| known(v)).collect::<Option<Vec<_>>>()?;
            concat(*dim, &parts)
        }
        _ => None,
    }
}

/// These, one after the other, as the rows of an array.
pub(super) fn rows_of(rows: &[List], elem: Prim) -> Option<List> {
    let mut shape = vec![rows.len()];
    shape.extend(&rows.first()?.shape);
    let elems = rows.iter().flat_map(|r| r.elems.iter().copied()).collect();
    let list = List::new(elems, shape, elem, Vec::new())?;
    Some(rows.iter().fold(list, |list, r| list.under(&r.certs)))
}

fn iota(n: usize, start: i64, stride: i64, ty: IntType) -> Option<List> {
    if n > MOST_CONSTANTS {
        return None;
    }
    let at = |i: usize| Const::int(ty, start.wrapping_add((i as i64).wrapping_mul(stride)));
    let elems = (0..n).map(|i| SubExp::Const(at(i))).collect();
    List::new(elems, vec![n], Prim::Int(ty), Vec::new())
}

fn concat(dim: usize, parts: &[List]) -> Option<List> {
    let first = parts.first()?;
    let mut shape = first.shape.clone();
    *shape.get_mut(dim)? = parts.iter().map(|p| p.shape.get(dim).copied()).sum::<Option<_>>()?;
    let outer: usize = shape[..dim].iter().product();
    let mut elems = Vec::new();
    for i in 0..outer {
        for p in parts {
            let run: usize = p.shape[dim..].iter().product();
            elems.extend(p.elems.get(i * run..(i + 1) * run)?);
        }
    }
    let list = List::new(elems, shape, first.elem, Vec::new())?;
    Some(parts.iter().fold(list, |list, p| list.under(&p.certs)))
}

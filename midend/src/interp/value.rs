//! Values: scalars, and arrays as strided views of shared buffers.

use crate::ir::{Const, Prim, SubExp, Type};
use std::fmt;
use std::rc::Rc;

/// A value at run time.
#[derive(Clone, Debug, Default)]
pub enum Value {
    /// A certificate, a block, or what a variable holds whose value has been moved on.
    #[default]
    Unit,
    /// A scalar.
    Scalar(Const),
    /// An array.
    Array(Rc<Array>),
}

/// An array: elements at `offset + Σ index·stride` of a buffer that others may share.
#[derive(Clone, Debug)]
pub struct Array {
    elem: Prim,
    shape: Vec<i64>,
    /// In elements.
    strides: Vec<i64>,
    offset: i64,
    data: Rc<Vec<u8>>,
}

impl Value {
    /// An `i64`.
    pub fn i64(x: i64) -> Value {
        Value::Scalar(Const::I64(x))
    }

    /// An array of these elements in row-major order.
    pub fn array(elem: Prim, shape: Vec<i64>, elements: impl IntoIterator<Item = Const>) -> Value {
        let mut data = Vec::new();
        for c in elements {
            push(&mut data, c);
        }
        Value::Array(Rc::new(Array::dense(elem, shape, data)))
    }

    /// Element type. Of a unit, `bool`.
    pub fn elem(&self) -> Prim {
        match self {
            Value::Unit => Prim::Bool,
            Value::Scalar(c) => c.prim(),
            Value::Array(a) => a.elem,
        }
    }

    /// The shape; empty for a scalar.
    pub fn shape(&self) -> &[i64] {
        match self {
            Value::Unit | Value::Scalar(_) => &[],
            Value::Array(a) => &a.shape,
        }
    }

    /// The type, with constant sizes.
    pub fn ty(&self) -> Type {
        Type::array(self.elem(), self.shape().iter().map(|&n| SubExp::i64(n)).collect())
    }

    /// The elements in row-major order.
    pub fn elements(&self) -> Vec<Const> {
        match self {
            Value::Unit => Vec::new(),
            Value::Scalar(c) => vec![*c],
            Value::Array(a) => {
                let mut out = Vec::with_capacity(a.len() as usize);
                a.for_each(|at| out.push(load(a.elem, &a.data, at)));
                out
            }
        }
    }

    /// The elements in row-major order, as bytes in memory (little-endian).
    pub fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.append_to(&mut out);
        out
    }

    /// Appends the elements to a buffer.
    pub(super) fn append_to(&self, out: &mut Vec<u8>) {
        match self {
            Value::Unit => {}
            Value::Scalar(c) => push(out, *c),
            Value::Array(a) => a.append_to(out),
        }
    }
}

impl PartialEq for Value {
    /// Same type and same bits.
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Unit, Value::Unit) => true,
            (Value::Scalar(a), Value::Scalar(b)) => a == b,
            (Value::Array(a), Value::Array(b)) => {
                a.elem == b.elem && a.shape == b.shape && self.bytes() == other.bytes()
            }
            (Value::Unit | Value::Scalar(_) | Value::Array(_), _) => false,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn go(
            f: &mut fmt::Formatter<'_>,
            xs: &mut dyn Iterator<Item = Const>,
            shape: &[i64],
        ) -> fmt::Result {
            let Some((&n, inner)) = shape.split_first() else {
                return match xs.next() {
                    Some(Const::I64(x)) => write!(f, "{x}i64"),
                    Some(c) => c.fmt(f),
                    None => Ok(()),
                };
            };
            f.write_str("[")?;
            for i in 0..n {
                if i > 0 {
                    f.write_str(", ")?;
                }
                go(f, xs, inner)?;
            }
            f.write_str("]")
        }
        match self {
            Value::Unit => f.write_str("()"),
            Value::Scalar(_) | Value::Array(_) => {
                go(f, &mut self.elements().into_iter(), self.shape())
            }
        }
    }
}

/// Appends a constant's bytes.
pub(super) fn push(out: &mut Vec<u8>, c: Const) {
    let bits = c.bits();
    match c.prim().bytes() {
        1 => out.push(bits as u8),
        2 => out.extend_from_slice(&(bits as u16).to_le_bytes()),
        4 => out.extend_from_slice(&(bits as u32).to_le_bytes()),
        _ => out.extend_from_slice(&bits.to_le_bytes()),
    }
}

/// The element at an index that is known to be in the buffer.
fn load(elem: Prim, data: &[u8], at: i64) -> Const {
    let size = elem.bytes() as usize;
    let start = at as usize * size;
    let mut bits = [0u8; 8];
    bits[..size].copy_from_slice(&data[start..start + size]);
    Const::from_bits(elem, u64::from_le_bytes(bits))
}

fn store(data: &mut [u8], at: i64, c: Const) {
    let size = c.prim().bytes() as usize;
    let start = at as usize * size;
    data[start..start + size].copy_from_slice(&c.bits().to_le_bytes()[..size]);
}

fn dense_strides(shape: &[i64]) -> Vec<i64> {
    let mut strides = vec![1; shape.len()];
    for i in (1..shape.len()).rev() {
        strides[i - 1] = strides[i] * shape[i];
    }
    strides
}

impl Array {
    /// A fresh array; `data` has as many elements as the shape says.
    pub(super) fn dense(elem: Prim, shape: Vec<i64>, data: Vec<u8>) -> Array {
        let strides = dense_strides(&shape);
        Array { elem, shape, strides, offset: 0, data: Rc::new(data) }
    }

    /// Element type.
    pub fn elem(&self) -> Prim {
        self.elem
    }

    /// The shape.
    pub fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// Number of elements.
    pub fn len(&self) -> i64 {
        self.shape.iter().product()
    }

    /// Has it none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn is_dense(&self) -> bool {
        let mut want = 1;
        self.shape.iter().zip(&self.strides).rev().all(|(&n, &s)| {
            let ok = s == want || n <= 1;
            want *= n;
            ok
        })
    }

    /// Calls `f` with the place of every element in row-major order.
    fn for_each(&self, mut f: impl FnMut(i64)) {
        fn go(shape: &[i64], strides: &[i64], at: i64, f: &mut impl FnMut(i64)) {
            match (shape.split_first(), strides.split_first()) {
                (Some((&n, shape)), Some((&s, strides))) => {
                    for i in 0..n {
                        go(shape, strides, at + i * s, f);
                    }
                }
                _ => f(at),
            }
        }
        go(&self.shape, &self.strides, self.offset, &mut f);
    }

    fn append_to(&self, out: &mut Vec<u8>) {
        let size = self.elem.bytes() as usize;
        if self.is_empty() {
            return;
        }
        if self.is_dense() {
            let start = self.offset as usize * size;
            out.extend_from_slice(&self.data[start..start + self.len() as usize * size]);
        } else {
            self.for_each(|at| {
                let start = at as usize * size;
                out.extend_from_slice(&self.data[start..start + size]);
            });
        }
    }

    /// The same elements, in a buffer of their own.
    pub(super) fn copied(&self) -> Array {
        let mut data = Vec::with_capacity((self.len() * self.elem.bytes()).max(0) as usize);
        self.append_to(&mut data);
        Array::dense(self.elem, self.shape.clone(), data)
    }

    /// The place of an element, if its indexes are in bounds.
    pub(super) fn place(&self, at: &[i64]) -> Option<i64> {
        let mut place = self.offset;
        for ((&i, &n), &s) in at.iter().zip(&self.shape).zip(&self.strides) {
            if i < 0 || i >= n {
                return None;
            }
            place += i * s;
        }
        Some(place)
    }

    /// The element at a place.
    pub(super) fn at(&self, place: i64) -> Const {
        load(self.elem, &self.data, place)
    }

    /// What lies at the outer indexes `at`, which are in bounds, as a view.
    pub(super) fn row(&self, at: &[i64]) -> Option<Value> {
        let place = self.place(at)?;
        if at.len() == self.shape.len() {
            return Some(Value::Scalar(self.at(place)));
        }
        Some(Value::Array(Rc::new(Array {
            elem: self.elem,
            shape: self.shape[at.len()..].to_vec(),
            strides: self.strides[at.len()..].to_vec(),
            offset: place,
            data: Rc::clone(&self.data),
        })))
    }

    /// Row `i` of the outer dimension, which is in bounds.
    pub(super) fn outer_row(&self, i: i64) -> Value {
        let place = self.offset + i * self.strides[0];
        if self.shape.len() == 1 {
            return Value::Scalar(self.at(place));
        }
        Value::Array(Rc::new(Array {
            elem: self.elem,
            shape: self.shape[1..].to_vec(),
            strides: self.strides[1..].to_vec(),
            offset: place,
            data: Rc::clone(&self.data),
        }))
    }

    /// A view: of each dimension either one index, or start, number and distance. None if out of
    /// bounds.
    pub(super) fn slice(&self, dims: &[(i64, Option<(i64, i64)>)]) -> Option<Array> {
        let mut offset = self.offset;
        let (mut shape, mut strides) = (Vec::new(), Vec::new());
        for ((&(start, range), &n), &s) in dims.iter().zip(&self.shape).zip(&self.strides) {
            let inside = |i: i64| i >= 0 && i < n;
            match range {
                None => {
                    if !inside(start) {
                        return None;
                    }
                    offset += start * s;
                }
                Some((count, stride)) => {
                    if count < 0 {
                        return None;
                    }
                    if count > 0 {
                        let last = stride.checked_mul(count - 1)?.checked_add(start)?;
                        if !inside(start) || !inside(last) {
                            return None;
                        }
                        offset += start * s;
                    }
                    shape.push(count);
                    strides.push(s * stride);
                }
            }
        }
        Some(Array { elem: self.elem, shape, strides, offset, data: Rc::clone(&self.data) })
    }

    /// A view of a one-dimensional array by sizes and strides. None if out of bounds.
    pub(super) fn flat(&self, offset: i64, dims: &[(i64, i64)]) -> Option<Array> {
        let n = *self.shape.first()?;
        let (mut low, mut high) = (offset, offset);
        for &(count, stride) in dims {
            if count < 0 {
                return None;
            }
            let span = (count - 1).max(0).checked_mul(stride)?;
            if span < 0 { low += span } else { high += span }
        }
        let empty = dims.iter().any(|d| d.0 == 0);
        if !empty && (low < 0 || high >= n) {
            return None;
        }
        let s = self.strides[0];
        Some(Array {
            elem: self.elem,
            shape: dims.iter().map(|d| d.0).collect(),
            strides: dims.iter().map(|d| d.1 * s).collect(),
            offset: self.offset + offset * s,
            data: Rc::clone(&self.data),
        })
    }

    /// Dimension `i` of the result is dimension `perm[i]`.
    pub(super) fn rearranged(&self, perm: &[usize]) -> Option<Array> {
        let pick =
            |xs: &[i64]| perm.iter().map(|&i| xs.get(i).copied()).collect::<Option<Vec<_>>>();
        Some(Array {
            elem: self.elem,
            shape: pick(&self.shape)?,
            strides: pick(&self.strides)?,
            offset: self.offset,
            data: Rc::clone(&self.data),
        })
    }

    /// Under another shape with as many elements.
    pub(super) fn reshaped(&self, shape: Vec<i64>) -> Option<Array> {
        if shape.iter().any(|&n| n < 0) || shape.iter().product::<i64>() != self.len() {
            return None;
        }
        let mut a = if self.is_dense() { self.clone() } else { self.copied() };
        a.strides = dense_strides(&shape);
        a.shape = shape;
        Some(a)
    }

    /// To be written in place: nothing else sees the buffer afterwards.
    pub(super) fn unshare(this: &mut Rc<Array>) -> &mut Array {
        let alone = Rc::get_mut(this).is_some_and(|a| Rc::get_mut(&mut a.data).is_some());
        if !alone {
            *this = Rc::new(this.copied());
        }
        // Either it was alone or the copy is: neither clones.
        Rc::make_mut(this)
    }

    /// Writes a scalar or an array of the row's shape at outer indexes in bounds. The buffer is
    /// not shared.
    pub(super) fn write(&mut self, place: i64, dims: usize, value: &Value) {
        let data = Rc::make_mut(&mut self.data);
        match value {
            Value::Unit => {}
            Value::Scalar(c) => store(data, place, *c),
            Value::Array(a) => {
                let target = Places {
                    shape: &self.shape[dims..],
                    strides: &self.strides[dims..],
                    at: place,
                };
                write_all(data, target, a);
            }
        }
    }

    /// Writes an array where the view `target`, made from this one, lies.
    pub(super) fn write_view(&mut self, target: &Layout, value: &Value) {
        let data = Rc::make_mut(&mut self.data);
        match value {
            Value::Unit => {}
            Value::Scalar(c) => store(data, target.offset, *c),
            Value::Array(a) => {
                let places =
                    Places { shape: &target.shape, strides: &target.strides, at: target.offset };
                write_all(data, places, a);
            }
        }
    }

    /// Where a view lies, without its hold on the buffer.
    pub(super) fn into_layout(self) -> Layout {
        Layout { shape: self.shape, strides: self.strides, offset: self.offset }
    }
}

/// Where a view lies.
pub(super) struct Layout {
    pub(super) shape: Vec<i64>,
    strides: Vec<i64>,
    offset: i64,
}

struct Places<'a> {
    shape: &'a [i64],
    strides: &'a [i64],
    at: i64,
}

/// Element by element, in row-major order on both sides.
fn write_all(data: &mut [u8], to: Places<'_>, from: &Array) {
    fn go(
        data: &mut [u8],
        size: usize,
        shape: &[i64],
        (to, to_at): (&[i64], i64),
        (from, from_at): (&[i64], i64),
        source: &[u8],
    ) {
        let (Some((&n, shape)), [t, to @ ..], [f, from @ ..]) = (shape.split_first(), to, from)
        else {
            let (t, f) = (to_at as usize * size, from_at as usize * size);
            data[t..t + size].copy_from_slice(&source[f..f + size]);
            return;
        };
        if shape.is_empty() && *t == 1 && *f == 1 {
            let (t, f, len) = (to_at as usize * size, from_at as usize * size, n as usize * size);
            if n > 0 {
                data[t..t + len].copy_from_slice(&source[f..f + len]);
            }
            return;
        }
        for i in 0..n {
            go(data, size, shape, (to, to_at + i * t), (from, from_at + i * f), source);
        }
    }
    let size = from.elem.bytes() as usize;
    go(data, size, to.shape, (to.strides, to.at), (&from.strides, from.offset), &from.data);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iota(shape: &[i64]) -> Rc<Array> {
        let n: i64 = shape.iter().product();
        match Value::array(Prim::I64, shape.to_vec(), (0..n).map(Const::I64)) {
            Value::Array(a) => a,
            Value::Unit | Value::Scalar(_) => unreachable!("an array was made"),
        }
    }

    fn ints(a: Array) -> Vec<i64> {
        Value::Array(Rc::new(a)).elements().iter().filter_map(|c| c.as_int()).collect()
    }

    #[test]
    fn views_share_and_writes_do_not() {
        let a = iota(&[3, 4]);
        let t = a.rearranged(&[1, 0]).map(ints);
        assert_eq!(t, Some(vec![0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11]));
        let s = a.slice(&[(2, Some((2, -2))), (1, None)]);
        assert_eq!(s.map(ints), Some(vec![9, 1]));
        assert!(a.slice(&[(0, Some((4, 1))), (1, None)]).is_none());
        let mut b = Rc::clone(&a);
        let place = b.place(&[1]).unwrap_or(0);
        Array::unshare(&mut b).write(place, 1, &Value::Array(iota(&[4])));
        assert_eq!(ints((*b).clone())[4..8], [0, 1, 2, 3]);
        assert_eq!(ints((*a).clone())[4..8], [4, 5, 6, 7]);
    }

    #[test]
    fn reshapes_of_views_copy() {
        let t = iota(&[2, 3]).rearranged(&[1, 0]).and_then(|t| t.reshaped(vec![6]));
        assert_eq!(t.map(ints), Some(vec![0, 3, 1, 4, 2, 5]));
        assert!(iota(&[2, 3]).reshaped(vec![5]).is_none());
    }

    #[test]
    fn flat_views() {
        let a = iota(&[10]);
        assert_eq!(a.flat(1, &[(2, 4), (2, 1)]).map(ints), Some(vec![1, 2, 5, 6]));
        assert!(a.flat(1, &[(3, 4), (2, 1)]).is_none());
    }
}

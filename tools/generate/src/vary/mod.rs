//! Inputs for entry points of any program: those it is tested with, changed, and fresh ones.
//!
//! Programs of [`crate::make`] get arguments that suit them. Here nothing is assumed of a program but
//! the types of its entry points: integers are sizes and indexes as often as not, so they become
//! negative, zero, one more than there is, and as large as their type allows; arrays become empty,
//! short and odd; floats become infinite and NaN.
//!
//! - [`signature`]: what an entry point takes, and which sizes must be equal;
//! - [`elements`]: numbers, likely and unlikely ones;
//! - [`kinds`]: what a failure is about, read off its message;
//! - [`levels`]: whether what failed is still needed by a program that has been optimised.

pub mod elements;
mod hand_on;
pub mod kinds;
pub mod levels;
pub mod signature;
#[cfg(test)]
mod tests;

use crate::random::Random;
use crate::values::{Data, Value};
use elements::{Mood, edge, fresh};
use futc_testing::value::element_bytes;
use signature::{Signature, Size};
use std::collections::HashMap;

/// Elements of one array.
const MOST_ELEMENTS: u64 = 2048;
/// Sizes of fresh arrays.
const SIZES: [u64; 12] = [0, 1, 1, 2, 3, 3, 4, 5, 7, 8, 13, 33];

/// Arguments of an entry point.
#[derive(Clone, PartialEq, Debug)]
pub struct Input {
    /// The values, one a leaf.
    pub values: Vec<Data>,
    /// Sizes that must be equal are not, on purpose.
    pub disagrees: bool,
    /// There are infinities, NaN or numbers close to overflow among the floats, so that sums depend
    /// on the order of their terms altogether.
    pub edge_floats: bool,
}

/// So many inputs for an entry point, of which arguments that fit it are known.
pub fn inputs(s: &Signature, known: &[Vec<Data>], r: &mut Random, n: usize) -> Vec<Input> {
    let known: Vec<Vec<Data>> = known.iter().filter_map(|k| fitted(s, k)).collect();
    let mut out: Vec<Input> = Vec::new();
    let mut first = known.first().cloned();
    // Entry points with few values to choose from yield the same again and again.
    for _ in 0..4 * n {
        if out.len() == n {
            break;
        }
        let input = match first.take() {
            Some(values) => Input { values, disagrees: false, edge_floats: false },
            None => one(s, &known, r),
        };
        if out.iter().all(|o| o.values != input.values) {
            out.push(input);
        }
    }
    out
}

fn one(s: &Signature, known: &[Vec<Data>], r: &mut Random) -> Input {
    let mut m = Making { s, r, edge_floats: false, disagrees: false };
    let values = match known.len() {
        0 => m.fresh(),
        n if m.r.one_in(4) || n == 0 => m.fresh(),
        n => {
            let i = m.r.below(n);
            let mut values = known[i].clone();
            for _ in 0..1 + m.r.below(3) {
                m.change(&mut values);
            }
            values
        }
    };
    Input { values, disagrees: m.disagrees, edge_floats: m.edge_floats }
}

/// Known arguments, if they are of the types wanted; long arrays are cut.
fn fitted(s: &Signature, known: &[Data]) -> Option<Vec<Data>> {
    if known.len() != s.params.len() {
        return None;
    }
    let mut values = Vec::new();
    for (value, param) in known.iter().zip(&s.params) {
        let value = value.retyped(param.prim).filter(|v| v.shape.len() == param.dims.len())?;
        values.push(value);
    }
    while let Some(long) = values.iter().position(|v| v.count() as u64 > MOST_ELEMENTS) {
        let shape = &values[long].shape;
        let classes = s.params[long].dims.iter().zip(shape);
        let (class, n) = classes
            .filter_map(|(d, n)| match d {
                Size::Class(c) => Some((*c, *n)),
                Size::Fixed(_) => None,
            })
            .max_by_key(|x| x.1)?;
        resize(s, &mut values, class, n / 2, &mut Random::new(0));
    }
    Some(values)
}

struct Making<'a> {
    s: &'a Signature,
    r: &'a mut Random,
    edge_floats: bool,
    disagrees: bool,
}

impl Making<'_> {
    fn fresh(&mut self) -> Vec<Data> {
        let mut sizes: HashMap<usize, u64> = HashMap::new();
        let mut values = Vec::new();
        let negative = self.r.one_in(6);
        for p in &self.s.params {
            let mut shape = Vec::new();
            for d in &p.dims {
                shape.push(match d {
                    Size::Fixed(n) => *n,
                    Size::Class(c) => *sizes.entry(*c).or_insert_with(|| self.r.of(SIZES)),
                });
            }
            let count = shape.iter().product::<u64>();
            let mood = if negative { Mood::Any } else { Mood::Likely };
            let likely = sizes.values().copied().max().unwrap_or(8);
            let bits: Vec<u64> = (0..count).map(|_| fresh(p.prim, mood, likely, self.r)).collect();
            values.push(Value::new(p.prim, shape, bits).0);
        }
        for (i, p) in self.s.params.iter().enumerate() {
            if let Some(Size::Class(c)) = p.value {
                // A size that is an argument, too; of no array, it may be anything.
                let n = sizes.get(&c).copied();
                let n = n.unwrap_or_else(|| fresh(p.prim, Mood::Any, 8, self.r));
                sizes.insert(c, n);
                values[i] = Value::new(p.prim, Vec::new(), [n]).0;
            }
        }
        if self.r.one_in(3) {
            self.change(&mut values);
        }
        values
    }

    /// One change.
    fn change(&mut self, values: &mut [Data]) {
        let classes = self.s.classes();
        let scalars: Vec<usize> =
            (0..values.len()).filter(|i| values[*i].shape.is_empty()).collect();
        let arrays: Vec<usize> = (0..values.len()).filter(|i| values[*i].count() > 0).collect();
        match self.r.below(10) {
            0..=2 if !classes.is_empty() => {
                let Some(&class) = self.r.pick(&classes) else { return };
                let now = size_of(self.s, values, class).unwrap_or(0);
                let n = match self.r.below(6) {
                    0 => 0,
                    1 => 1,
                    2 => now.saturating_sub(1),
                    3 => now + 1,
                    4 => now | 1,
                    _ => self.r.of(SIZES),
                };
                let before = values.to_vec();
                resize(self.s, values, class, n, self.r);
                if values.iter().any(|v| v.count() as u64 > 8 * MOST_ELEMENTS) {
                    values.clone_from_slice(&before);
                }
            }
            3 if self.r.one_in(3) => self.disagree(values),
            3..=6 if !scalars.is_empty() => {
                let Some(&i) = self.r.pick(&scalars) else { return };
                self.element(values, i, 0);
            }
            _ => {
                let Some(&i) = self.r.pick(&arrays) else { return };
                let count = values[i].count();
                let times = if self.r.one_in(8) { count } else { 1 + self.r.below(3) };
                for k in 0..times {
                    let at = if times == count { k } else { self.r.below(count) };
                    self.element(values, i, at);
                }
            }
        }
    }

    /// Another number in a place.
    fn element(&mut self, values: &mut [Data], i: usize, at: usize) {
        let lengths: Vec<u64> = values.iter().flat_map(|v| v.shape.iter().copied()).collect();
        let Some(v) = values.get_mut(i) else { return };
        let size = element_bytes(v.prim);
        let Some(place) = v.data.get_mut(at * size..(at + 1) * size) else { return };
        let old = place.iter().rev().fold(0u64, |n, b| (n << 8) | u64::from(*b));
        let (new, edge) = edge(v.prim, old, &lengths, self.r);
        self.edge_floats |= edge;
        place.copy_from_slice(&new.to_le_bytes()[..size]);
    }

    /// One array of another size than those it must agree with.
    fn disagree(&mut self, values: &mut [Data]) {
        let at: Vec<(usize, usize)> = (0..values.len())
            .flat_map(|i| (0..values[i].shape.len()).map(move |d| (i, d)))
            .collect();
        let Some(&(i, d)) = self.r.pick(&at) else { return };
        let mut shape = values[i].shape.clone();
        shape[d] = if self.r.one_in(2) { shape[d] + 1 } else { shape[d].saturating_sub(1) };
        values[i] = reshaped(&values[i], shape, self.r);
        self.disagrees = true;
    }
}

/// The size that a class has among these values.
fn size_of(s: &Signature, values: &[Data], class: usize) -> Option<u64> {
    let arrays = s.params.iter().zip(values);
    let mut dims = arrays.flat_map(|(p, v)| p.dims.iter().zip(&v.shape));
    dims.find(|(d, _)| **d == Size::Class(class)).map(|(_, n)| *n)
}

/// Gives a class of sizes another value; the arguments that are that size follow.
fn resize(s: &Signature, values: &mut [Data], class: usize, n: u64, r: &mut Random) {
    for (p, v) in s.params.iter().zip(values.iter_mut()) {
        let mut shape = v.shape.clone();
        for (d, size) in p.dims.iter().zip(&mut shape) {
            if *d == Size::Class(class) {
                *size = n;
            }
        }
        if shape != v.shape {
            *v = reshaped(v, shape, r);
        }
        if p.value == Some(Size::Class(class)) {
            *v = Value::new(p.prim, Vec::new(), [n]).0;
        }
    }
}

/// The elements under another shape: cut, or repeated.
fn reshaped(v: &Data, shape: Vec<u64>, r: &mut Random) -> Data {
    let size = element_bytes(v.prim);
    let count = shape.iter().product::<u64>();
    let mut data = Vec::new();
    for flat in 0..count {
        let (mut rest, mut from, mut stride) = (flat, 0, 1);
        for (new, old) in shape.iter().zip(&v.shape).rev() {
            from += (rest % new) % old.max(&1) * stride;
            rest /= new;
            stride *= old;
        }
        match v.data.get(from as usize * size..(from as usize + 1) * size) {
            Some(bytes) => data.extend_from_slice(bytes),
            None => {
                let bits = fresh(v.prim, Mood::Likely, 8, r);
                data.extend_from_slice(&bits.to_le_bytes()[..size]);
            }
        }
    }
    Data { prim: v.prim, suffixed: true, shape, data }
}

/// Smaller inputs that may show the same, the smallest first.
pub fn simpler(s: &Signature, input: &Input) -> Vec<Input> {
    let mut out = Vec::new();
    let with = |values| Input { values, ..input.clone() };
    for class in s.classes() {
        let Some(now) = size_of(s, &input.values, class) else { continue };
        for n in [0, 1, now / 2, now.saturating_sub(1)] {
            let mut values = input.values.clone();
            resize(s, &mut values, class, n, &mut Random::new(0));
            if n < now && values != input.values {
                out.push(with(values));
            }
        }
    }
    for (i, v) in input.values.iter().enumerate() {
        if v.data.iter().any(|b| *b != 0) && s.params[i].value.is_none() {
            let mut values = input.values.clone();
            values[i].data.fill(0);
            out.push(with(values));
        }
    }
    out
}

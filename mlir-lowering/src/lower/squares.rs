//! Copies that go across, in squares that registers hold.
//!
//! ```text
//! a b c d      a e c g      a e i m
//! e f g h  →   b f d h  →   b f j n       lanes change places with those one, two, four … further
//! i j k l      i m k o      c g k o       on, between rows as far apart
//! m n o p      j n l p      d h l p
//! ```
//!
//! Each square is read and written by vectors, so that an element costs a fraction of a load, a shuffle
//! and a store; one by one, or gathered, it costs several. Squares of small elements go in larger ones, as
//! wide as a line of the cache, so that lines are used up while they are there;
//! and along the result first, since a line that waits to be written is dearer than one that is read again. What is left at the ends goes in squares of four, and then element by element.
//! Arrays beyond the caches have their own way ([`super::panels`]).

use super::function::{Array, Function};
use crate::Error;
use crate::dialect::{Ix, Val};

type Result<T> = std::result::Result<T, Error>;

/// Lanes of the squares that what is left of larger ones goes by, if elements are no smaller than this.
const SMALL: i64 = 4;
const SMALL_FROM_BYTES: i64 = 4;

/// A copy that goes across.
struct Across<'c, 'a> {
    target: &'a Array<'c>,
    source: &'a Array<'c>,
    /// The dimensions along which the neighbours of the source and of the target lie.
    dims: (usize, usize),
    /// Where in the others.
    index: Vec<Ix<'c>>,
}

/// A rectangle in these two dimensions.
#[derive(Clone, Copy)]
struct Rectangle<'c> {
    first: [Ix<'c>; 2],
    shape: [Ix<'c>; 2],
}

impl<'c> Function<'c, '_, '_, '_> {
    /// Copies `source`, whose neighbours are along the first dimension, to `target`, whose neighbours are
    /// along the second, in squares of `size` elements each way, of which `side` each way are done together.
    /// `point` copies one element.
    pub fn copy_in_squares(
        &mut self,
        target: &Array<'c>,
        source: &Array<'c>,
        (a, b): (usize, usize),
        (size, side): (i64, i64),
        point: &mut dyn FnMut(&mut Self, &[Ix<'c>]) -> Result<()>,
    ) -> Result<()> {
        let shape = target.shape.clone();
        let (Some(n), Some(m)) = (shape.get(a).copied(), shape.get(b).copied()) else {
            return Err(Error::bug("squares of dimensions that are none"));
        };
        let others: Vec<usize> = (0..shape.len()).filter(|d| *d != a && *d != b).collect();
        let outer: Vec<Ix<'c>> = others.iter().filter_map(|d| shape.get(*d).copied()).collect();
        self.nest(&outer, &mut |f, at| {
            let mut index = vec![Ix::Const(0); shape.len()];
            for (d, i) in others.iter().zip(at) {
                index[*d] = *i;
            }
            let mut across = Across { target, source, dims: (a, b), index };
            let all = Rectangle { first: [Ix::Const(0); 2], shape: [n, m] };
            let [below, beside] = f.in_squares(&mut across, all, (size, side))?;
            let mut left = vec![beside];
            // Rows of few columns are all below.
            if size > SMALL && target.elem.bytes() >= SMALL_FROM_BYTES {
                left.extend(f.in_squares(&mut across, below, (SMALL, 1))?);
            } else {
                left.push(below);
            }
            for rest in left {
                f.nest(&rest.shape, &mut |f, at| {
                    let [i, j] = *at else { return Err(Error::bug("a rest")) };
                    across.index[a] = f.b.add(rest.first[0], i)?;
                    across.index[b] = f.b.add(rest.first[1], j)?;
                    point(f, &across.index)
                })?;
            }
            Ok(())
        })
    }

    /// Copies the whole squares of a rectangle; yields what lies below and beside them.
    fn in_squares(
        &mut self,
        across: &mut Across<'c, '_>,
        within: Rectangle<'c>,
        (size, side): (i64, i64),
    ) -> Result<[Rectangle<'c>; 2]> {
        let Rectangle { first: [top, start], shape: [n, m] } = within;
        let (squares_n, whole_n) = self.whole_squares(n, size)?;
        let (squares_m, whole_m) = self.whole_squares(m, size)?;
        self.each_block(squares_n, side, &mut |f, first_i, count_i| {
            f.each_block(squares_m, side, &mut |f, first_j, count_j| {
                f.nest(&[count_i, count_j], &mut |f, at| {
                    let [i, j] = *at else { return Err(Error::bug("a square")) };
                    let (i, j) = (f.b.add(first_i, i)?, f.b.add(first_j, j)?);
                    let (i, j) = (f.b.mul(i, Ix::Const(size))?, f.b.mul(j, Ix::Const(size))?);
                    let at = [f.b.add(top, i)?, f.b.add(start, j)?];
                    f.square(across, at, size)
                })
            })
        })?;
        let (below, beside) = (self.b.add(top, whole_n)?, self.b.add(start, whole_m)?);
        let (rest_n, rest_m) = (self.b.sub(n, whole_n)?, self.b.sub(m, whole_m)?);
        Ok([
            Rectangle { first: [below, start], shape: [rest_n, m] },
            Rectangle { first: [top, beside], shape: [whole_n, rest_m] },
        ])
    }

    /// Copies one square.
    fn square(
        &mut self,
        across: &mut Across<'c, '_>,
        [i, j]: [Ix<'c>; 2],
        size: i64,
    ) -> Result<()> {
        let Across { target, source, dims: (a, b), index } = across;
        let mut rows = Vec::with_capacity(usize::try_from(size).map_err(Error::bug)?);
        let vector = self.vector_type(target.elem, size)?;
        for row in 0..size {
            index[*a] = i;
            index[*b] = self.b.add(j, Ix::Const(row))?;
            let (from, at) = self.vectors_at(source, index)?;
            rows.push(self.load_vector(vector, from, &at)?);
        }
        for (row, value) in (0..size).zip(self.transposed(rows)?) {
            index[*a] = self.b.add(i, Ix::Const(row))?;
            index[*b] = j;
            let (to, at) = self.vectors_at(target, index)?;
            self.store_vector(to, &at, value)?;
        }
        Ok(())
    }

    /// How many whole squares there are along a dimension, and the elements that they hold.
    pub fn whole_squares(&mut self, n: Ix<'c>, size: i64) -> Result<(Ix<'c>, Ix<'c>)> {
        let squares = match n {
            Ix::Const(n) => Ix::Const(n.max(0) / size),
            Ix::Val(n) => {
                let size = self.b.i64(size)?;
                Ix::Val(self.b.divui(n, size)?)
            }
        };
        let whole = self.b.mul(squares, Ix::Const(size))?;
        Ok((squares, whole))
    }

    /// As many vectors as each has lanes, a power of two, with lanes and vectors changing places.
    pub fn transposed(&mut self, mut rows: Vec<Val<'c>>) -> Result<Vec<Val<'c>>> {
        let size = rows.len();
        let lanes = i64::try_from(size).map_err(Error::bug)?;
        let mut apart = 1;
        while apart < size {
            let far = i64::try_from(apart).map_err(Error::bug)?;
            for i in (0..size).filter(|i| i & apart == 0) {
                let (Some(upper), Some(lower)) = (rows.get(i), rows.get(i + apart)) else {
                    return Err(Error::bug("a row of a square"));
                };
                let of_upper = |lane: i64| lane & far == 0;
                let (upper, lower) = (
                    self.shuffle(
                        *upper,
                        *lower,
                        (0..lanes).map(|l| if of_upper(l) { l } else { lanes + l - far }),
                    )?,
                    self.shuffle(
                        *upper,
                        *lower,
                        (0..lanes).map(|l| if of_upper(l) { l + far } else { lanes + l }),
                    )?,
                );
                rows[i] = upper;
                rows[i + apart] = lower;
            }
            apart *= 2;
        }
        Ok(rows)
    }
}

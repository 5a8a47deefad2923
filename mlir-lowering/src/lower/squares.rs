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
//! and along the result first, since a line that waits to be written is dearer than one that is read again. What is left at the ends goes element by element.
//! Arrays beyond the caches have their own way ([`super::panels`]).

use super::function::{Array, Function};
use crate::Error;
use crate::dialect::{Ix, Val};

type Result<T> = std::result::Result<T, Error>;

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
            let (squares_n, whole_n) = f.whole_squares(n, size)?;
            let (squares_m, whole_m) = f.whole_squares(m, size)?;
            let mut square = |f: &mut Self, j: Ix<'c>, i: Ix<'c>| {
                let i = f.b.mul(i, Ix::Const(size))?;
                let j = f.b.mul(j, Ix::Const(size))?;
                let mut rows = Vec::with_capacity(usize::try_from(size).map_err(Error::bug)?);
                let vector = f.vector_type(target.elem, size)?;
                for row in 0..size {
                    index[a] = i;
                    index[b] = f.b.add(j, Ix::Const(row))?;
                    let (from, at) = f.vectors_at(source, &index)?;
                    rows.push(f.load_vector(vector, from, &at)?);
                }
                for (row, value) in (0..size).zip(f.transposed(rows)?) {
                    index[a] = f.b.add(i, Ix::Const(row))?;
                    index[b] = j;
                    let (to, at) = f.vectors_at(target, &index)?;
                    f.store_vector(to, &at, value)?;
                }
                Ok(())
            };
            f.each_block(squares_n, side, &mut |f, first_i, count_i| {
                f.each_block(squares_m, side, &mut |f, first_j, count_j| {
                    f.nest(&[count_i, count_j], &mut |f, at| {
                        let [i, j] = *at else { return Err(Error::bug("a square")) };
                        let (j, i) = (f.b.add(first_j, j)?, f.b.add(first_i, i)?);
                        square(f, j, i)
                    })
                })
            })?;
            // Below the squares, and beside them.
            let (rest_n, rest_m) = (f.b.sub(n, whole_n)?, f.b.sub(m, whole_m)?);
            for (first, shape) in [
                ((whole_n, Ix::Const(0)), [rest_n, m]),
                ((Ix::Const(0), whole_m), [whole_n, rest_m]),
            ] {
                f.nest(&shape, &mut |f, at| {
                    let [i, j] = *at else { return Err(Error::bug("a rest")) };
                    index[a] = f.b.add(first.0, i)?;
                    index[b] = f.b.add(first.1, j)?;
                    point(f, &index)
                })?;
            }
            Ok(())
        })
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

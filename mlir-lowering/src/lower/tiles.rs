//! Loop nests that go through memory in two directions at once: in tiles.
//!
//! A transposition reads along one dimension and writes along another. In row-major order, one of
//! the two touches a line of the cache for every element, and has lost it again when the next
//! element of that line is wanted. In tiles of a few lines each way, both sides use their lines up.
//! A matrix of one row or column needs none: it is walked along, and copied as it lies.

use super::function::{Array, Function};
use crate::Error;
use crate::dialect::{Ix, Predicate, Val};

type Result<T> = std::result::Result<T, Error>;

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// Loops over a shape in tiles of `size` points each way of two of its dimensions; any order of points
    /// must do.
    pub fn tiled_nest(
        &mut self,
        shape: &[Ix<'c>],
        (a, b): (usize, usize),
        size: i64,
        f: &mut dyn FnMut(&mut Self, &[Ix<'c>]) -> Result<()>,
    ) -> Result<()> {
        let (Some(n), Some(m)) = (shape.get(a).copied(), shape.get(b).copied()) else {
            return Err(Error::bug("tiles of dimensions that are none"));
        };
        let others: Vec<usize> = (0..shape.len()).filter(|d| *d != a && *d != b).collect();
        let outer: Vec<Ix<'c>> = others.iter().filter_map(|d| shape.get(*d).copied()).collect();
        self.nest(&outer, &mut |fun, at| {
            let mut point = vec![Ix::Const(0); shape.len()];
            for (d, i) in others.iter().zip(at) {
                point[*d] = *i;
            }
            let mut at_point = |fun: &mut Self, i: Ix<'c>, j: Ix<'c>| {
                point[a] = i;
                point[b] = j;
                f(fun, &point)
            };
            let tiles = fun.region(&[], |fun, _| {
                fun.each_block(n, size, &mut |fun, first_a, count_a| {
                    fun.each_block(m, size, &mut |fun, first_b, count_b| {
                        fun.nest(&[count_a, count_b], &mut |fun, at| {
                            let [i, j] = *at else { return Err(Error::bug("a tile")) };
                            let (i, j) = (fun.b.add(first_a, i)?, fun.b.add(first_b, j)?);
                            at_point(fun, i, j)
                        })
                    })
                })?;
                Ok(Vec::new())
            })?;
            let (one_row, one) = (fun.is_one(n)?, fun.is_one(m)?);
            let line = fun.b.ori(one_row, one)?;
            let along = fun.region(&[], |fun, _| {
                let points = fun.b.mul(n, m)?;
                let zero = fun.b.i64(0)?;
                fun.for_each(points, |fun, k| {
                    let k = fun.b.ix(k)?;
                    let (i, j) = (fun.b.select(one, k, zero)?, fun.b.select(one, zero, k)?);
                    at_point(fun, Ix::Val(i), Ix::Val(j))
                })?;
                Ok(Vec::new())
            })?;
            fun.b.scf_if(line, &[], along, tiles)?;
            Ok(())
        })
    }

    fn is_one(&mut self, n: Ix<'c>) -> Result<Val<'c>> {
        let (n, one) = (self.b.ix(n)?, self.b.i64(1)?);
        self.b.cmpi(Predicate::Eq, n, one)
    }

    /// When a copy to what is dense that goes across takes neighbours to neighbours after all, if that may be: where
    /// all strides are the same but those of dimensions of size 1, which nobody steps along.
    pub fn goes_along(
        &mut self,
        target: &Array<'c>,
        source: &Array<'c>,
    ) -> Result<Option<Val<'c>>> {
        let mut all = None;
        for ((n, to), from) in target.shape.iter().zip(&target.strides).zip(&source.strides) {
            let condition = match (*n, *to, *from) {
                (Ix::Const(1), ..) => continue,
                (Ix::Const(_), Ix::Const(to), Ix::Const(from)) if to != from => return Ok(None),
                (_, Ix::Const(to), Ix::Const(from)) if to == from => continue,
                (n, to, from) => {
                    let (to, from) = (self.b.ix(to)?, self.b.ix(from)?);
                    let same = self.b.cmpi(Predicate::Eq, to, from)?;
                    let one = self.is_one(n)?;
                    self.b.ori(same, one)?
                }
            };
            all = Some(match all {
                Some(before) => self.b.andi(before, condition)?,
                None => condition,
            });
        }
        Ok(all)
    }

    /// For each block of at most `size` out of `n`: its first element and how many there are.
    pub fn each_block(
        &mut self,
        n: Ix<'c>,
        size: i64,
        f: &mut dyn FnMut(&mut Self, Ix<'c>, Ix<'c>) -> Result<()>,
    ) -> Result<()> {
        let blocks = self.ceil_div(n, size)?;
        self.for_each(blocks, |fun, b| {
            let first = fun.b.mul(b, Ix::Const(size))?;
            let left = fun.b.sub(n, first)?;
            let count = fun.min(left, Ix::Const(size))?;
            f(fun, first, count)
        })
    }
}

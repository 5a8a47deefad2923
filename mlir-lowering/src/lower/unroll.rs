//! Loops over points that are checked, several points an iteration.
//!
//! ```text
//! for i < n:                              for k < n / 8:
//!   j = is[i]                               for l < 8: the body at 8k + l
//!   if !(j < m) fail             ⟶        for the rest: the body
//!   xs'[i] = xs[j]
//! ```
//!
//! Where a check may leave the loop, LLVM makes no vectors of it, and if it unrolls it at all, it asks
//! after each point whether that was the last one. A loop that always runs eight times is unrolled
//! without these questions, which take about as long as a short body.
//!
//! Points of a reduction that go so are reduced by themselves, from the neutral element on, and what they come to
//! is added to what there is. So what points wait for is an operation for each iteration, not for each point, and sums of
//! floats that are read by checked indexes take half the time.
//!
//! Which operations go so is said by schedules.

use super::function::Function;
use crate::Error;
use crate::dialect::{Ix, Val};

type Result<T> = std::result::Result<T, Error>;

impl<'c> Function<'c, '_, '_, '_> {
    /// `f` at the points of a body from zero on, so many in an iteration.
    pub fn for_each_point(
        &mut self,
        n: Ix<'c>,
        times: i64,
        f: &mut dyn FnMut(&mut Self, Ix<'c>) -> Result<()>,
    ) -> Result<()> {
        if times == 1 {
            return self.for_each(n, |fun, i| f(fun, i));
        }
        self.fold_points(n, times, &[], &mut |fun, i, _| f(fun, i).map(|()| Vec::new()), None)?;
        Ok(())
    }

    /// `f` at the points of a body from zero on, so many in an iteration, carrying values; those of an
    /// iteration by themselves, if it is said how.
    pub fn for_points_carrying(
        &mut self,
        n: Val<'c>,
        times: i64,
        init: &[Val<'c>],
        f: &mut Step<'_, 'c, Self>,
        apart: Option<Apart<'_, 'c, Self>>,
    ) -> Result<Vec<Val<'c>>> {
        match times {
            1 => self.for_carrying(n, init, |fun, i, carried| f(fun, Ix::Val(i), carried)),
            times => self.fold_points(Ix::Val(n), times, init, f, apart),
        }
    }

    /// As many points in one iteration.
    fn fold_points(
        &mut self,
        n: Ix<'c>,
        times: i64,
        init: &[Val<'c>],
        f: &mut Step<'_, 'c, Self>,
        mut apart: Option<Apart<'_, 'c, Self>>,
    ) -> Result<Vec<Val<'c>>> {
        let (n, by) = (self.b.ix(n)?, self.b.i64(times)?);
        // Signed, as a negative number of points is none.
        let count = self.b.divsi(n, by)?;
        let carried = self.for_carrying(count, init, |fun, k, carried| {
            let first = fun.b.mul(Ix::Val(k), Ix::Const(times))?;
            let start = apart.as_ref().map_or(carried, |apart| apart.neutral);
            let reached = fun.for_carrying(by, start, |fun, i, carried| {
                let i = fun.b.add(first, Ix::Val(i))?;
                f(fun, i, carried)
            })?;
            match &mut apart {
                None => Ok(reached),
                Some(apart) => (apart.join)(fun, carried, &reached),
            }
        })?;
        let done = self.b.mul(Ix::Val(count), Ix::Const(times))?;
        let rest = self.b.sub(Ix::Val(n), done)?;
        let rest = self.b.ix(rest)?;
        self.for_carrying(rest, &carried, |fun, i, carried| {
            let i = fun.b.add(done, Ix::Val(i))?;
            f(fun, i, carried)
        })
    }
}

/// What is done at a point, with what was carried to it; what it carries on.
pub type Step<'f, 'c, F> = dyn FnMut(&mut F, Ix<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>> + 'f;

/// How points of an iteration are reduced by themselves.
pub struct Apart<'f, 'c, F> {
    /// What they begin with.
    pub neutral: &'f [Val<'c>],
    /// What was carried, and what they have come to, in one.
    pub join: &'f mut Join<'f, 'c, F>,
}

/// Makes one of what two ranges have come to.
pub type Join<'f, 'c, F> = dyn FnMut(&mut F, &[Val<'c>], &[Val<'c>]) -> Result<Vec<Val<'c>>> + 'f;

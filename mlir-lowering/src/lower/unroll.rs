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
//! Rows of matrices and what else is inside of other points may be short, so that a second loop costs more
//! than the questions; they are left alone.

use super::function::{Function, Site};
use super::scan::is_straight;
use crate::Error;
use crate::dialect::{Ix, Val};
use futc_midend::ir::{Exp, KernelBody, KernelResult, SegSpace, Type};

type Result<T> = std::result::Result<T, Error>;

/// Bodies of fewer statements stand eight times, and those of so many at most four times.
const SMALL: usize = 9;
const MIDDLING: usize = 16;

/// How many points of a body an iteration should take, if not one. Branches are left alone: another
/// place of the same branch is no easier to foretell.
fn points_at_once(body: &KernelBody) -> Option<i64> {
    let scalars = body.types.iter().all(|ty| matches!(ty, Type::Prim(_)))
        && body.results.iter().all(|r| matches!(r, KernelResult::Return(_)));
    let checked = body.stms.iter().any(|s| matches!(s.exp, Exp::Assert { .. }));
    let flat = |s| is_straight(s) && !matches!(s.exp, Exp::Match { .. });
    if !scalars || !checked || !body.stms.iter().all(flat) {
        return None;
    }
    match body.stms.len() {
        ..SMALL => Some(8),
        SMALL..=MIDDLING => Some(4),
        _ => None,
    }
}

impl<'c> Function<'c, '_, '_, '_> {
    /// Whether the operation at hand is likely to have many points in its innermost dimension.
    pub fn runs_long(&self, space: &SegSpace) -> bool {
        let host = matches!(self.site, Site::Host(_)) && !self.m.has_kernels();
        host && self.depth == 1 && space.dims.len() == 1
    }

    /// `f` at the points of a body from zero on.
    pub fn for_each_point(
        &mut self,
        n: Ix<'c>,
        body: &KernelBody,
        f: &mut dyn FnMut(&mut Self, Ix<'c>) -> Result<()>,
    ) -> Result<()> {
        let Some(times) = points_at_once(body) else { return self.for_each(n, |fun, i| f(fun, i)) };
        self.fold_points(n, times, &[], &mut |fun, i, _| f(fun, i).map(|()| Vec::new()))?;
        Ok(())
    }

    /// `f` at the points of a body from zero on, carrying values.
    pub fn for_points_carrying(
        &mut self,
        n: Val<'c>,
        body: &KernelBody,
        init: &[Val<'c>],
        f: &mut Step<'_, 'c, Self>,
    ) -> Result<Vec<Val<'c>>> {
        match points_at_once(body) {
            Some(times) => self.fold_points(Ix::Val(n), times, init, f),
            None => self.for_carrying(n, init, |fun, i, carried| f(fun, Ix::Val(i), carried)),
        }
    }

    /// As many points in one iteration.
    fn fold_points(
        &mut self,
        n: Ix<'c>,
        times: i64,
        init: &[Val<'c>],
        f: &mut Step<'_, 'c, Self>,
    ) -> Result<Vec<Val<'c>>> {
        let (n, by) = (self.b.ix(n)?, self.b.i64(times)?);
        // Signed, as a negative number of points is none.
        let count = self.b.divsi(n, by)?;
        let carried = self.for_carrying(count, init, |fun, k, carried| {
            let first = fun.b.mul(Ix::Val(k), Ix::Const(times))?;
            fun.for_carrying(by, carried, |fun, i, carried| {
                let i = fun.b.add(first, Ix::Val(i))?;
                f(fun, i, carried)
            })
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

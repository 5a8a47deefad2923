//! What is known in the peeled subranges before and behind the main one, which often are single points.
//!
//! ```text
//! lo = min n 1, hi = max lo (n - 1)
//! segmap (i < lo)           eq(i, 0) holds
//! segmap (lo <= i < hi)     eq(i, 0) does not, nor does eq(i, n - 1)
//! segmap (hi <= i < n)      eq(i, 0) does not, eq(i, n - 1) holds
//! ```
//!
//! That is so if limits are as they seem, which needs all that they are made of to be small. Where that is asked when the map
//! runs, the last subrange is the whole range if not, and nothing is known of it. But the size of an array that lies in memory is
//! small.

use super::main_piece::{Limit, Main};
use crate::ir::traverse::{Visit, free_in_stm, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    Defs, MemBind, Param, PatElem, Poly, Program, SegSpace, Size64, Stm, SubExp, Type, Var,
};

/// What is known before the main subrange and behind it, where that is `certain` to be if all that limits are made of is small.
pub(super) fn in_rims(main: &Main, certain: bool, defs: &Defs) -> (VarMap<SubExp>, VarMap<SubExp>) {
    let (mut first, mut last) = (VarMap::default(), VarMap::default());
    // A main subrange that leaves out points inside may begin behind them.
    let whole = main.limits.iter().all(|l| matches!(l, Limit::From(_) | Limit::Before(_)));
    // One that is known when it runs to be none leaves all behind it.
    let stays = main.ends.is_empty() && main.holds.is_empty();
    // Rows without a main subrange have none beside it, either.
    for (v, wanted) in main.by_row.iter().flat_map(|row| &row.conds) {
        first.insert(*v, SubExp::bool(*wanted));
        last.insert(*v, SubExp::bool(*wanted));
    }
    for d in &main.decided {
        // Whether this limit alone is where the main subrange begins, or ends.
        let alone = whole
            && main.limits.iter().all(|l| match (l, &d.limit) {
                (Limit::From(p), Limit::From(q)) | (Limit::Before(p), Limit::Before(q)) => {
                    defs.equal(p, q)
                }
                _ => true,
            });
        match (&d.limit, d.beyond.filter(|_| alone)) {
            (Limit::From(_), beyond) => {
                last.insert(d.var, d.within);
                first.extend(beyond.map(|x| (d.var, x)));
            }
            (Limit::Before(_), beyond) => {
                last.extend(beyond.filter(|_| stays).map(|x| (d.var, x)));
            }
            (Limit::Apart(_) | Limit::Side(_), _) => {}
        }
    }
    // There is nothing before the main subrange if something is large.
    (first, if certain { last } else { VarMap::default() })
}

/// The shapes of the arrays of a program that lie in memory, with all of their elements.
#[derive(Default)]
pub(super) struct Shapes(VarMap<Vec<SubExp>>);

impl Shapes {
    pub(super) fn of_program(program: &Program) -> Shapes {
        let mut shapes = Shapes::default();
        Visit::body(&mut shapes, &program.consts);
        program.funs.iter().for_each(|f| Visit::fun(&mut shapes, f));
        shapes
    }

    fn add(&mut self, v: Var, ty: &Type, mem: Option<&MemBind>) {
        let apart = |s: &Size64| Poly::of(s).as_const() != Some(0);
        if mem.is_some_and(|m| m.lmad.dims.iter().all(|d| apart(&d.stride))) {
            self.0.insert(v, ty.shape().to_vec());
        }
    }

    /// The sizes of arrays that an operation over some dimensions reads, if these have points at all: addresses have 47 bits, so
    /// they are less than 2^47. Of an array with several dimensions, the
    /// other ones must not be zero.
    pub(super) fn small(&self, stm: &Stm, space: &SegSpace) -> VarSet {
        let positive = |x: &SubExp| match x {
            SubExp::Const(c) => c.as_int().is_some_and(|c| c > 0),
            SubExp::Var(_) => space.dims.iter().any(|d| d.1 == *x),
        };
        let mut small = VarSet::default();
        for shape in free_in_stm(stm).iter().filter_map(|v| self.0.get(v)) {
            let unknown = || shape.iter().filter(|x| !positive(x));
            for x in shape {
                if unknown().all(|other| other == x)
                    && unknown().count() <= 1
                    && let SubExp::Var(v) = x
                {
                    small.insert(*v);
                }
            }
        }
        small
    }
}

impl Visit for Shapes {
    fn param(&mut self, p: &Param) {
        self.add(p.var, &p.ty, p.mem.as_ref());
        walk::param(self, p);
    }

    fn pat_elem(&mut self, p: &PatElem) {
        self.add(p.var, &p.ty, p.mem.as_ref());
        walk::pat_elem(self, p);
    }
}

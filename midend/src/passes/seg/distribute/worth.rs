//! Which reductions leave the operations around them.

use crate::analysis::contraction::{Contraction, contraction, scalar_code};
use crate::analysis::lanes::expected_lanes;
use crate::ir::traverse::for_each_block;
use crate::ir::{
    Const, DimIndex, Exp, KernelBody, Reduction, SegKind, SegLevel, SegOp, SegSpace, Stm, SubExp,
    Type,
};

/// Below this many multiplications of constant number, a product stays where it is.
const LEAST: i64 = 8192;
/// Of what every point has by itself, dimensions of a smaller constant size stay.
const SHORT: i64 = 8;
/// As do two of them of fewer elements.
const SMALL: i64 = 256;
/// Straight code of at least so many statements is vectorised by itself: a reduction before it leaves the operation.
const MUCH: usize = 40;

/// A reduction as it would be outside: over the dimensions of what is around it, too.
pub struct Whole<'w> {
    /// All dimensions.
    pub space: &'w SegSpace,
    /// Those that are its own.
    pub own: usize,
    /// What it reduces by.
    pub ops: &'w [Reduction],
    /// What it reduces.
    pub body: &'w KernelBody,
}

impl Whole<'_> {
    /// Whether it is a contraction, and large enough.
    pub fn is_product(&self) -> bool {
        let Some(c) = contraction(self.space, self.ops, self.body) else { return false };
        let sizes: Vec<i64> = self.sizes(&c).collect();
        sizes.len() < 3 || multiplied(&sizes) >= LEAST
    }

    /// As [`Whole::is_product`], of a reduction that is somewhere in the code of a point: it would
    /// be walked by itself, if it did not leave, and goes better so if it is small.
    pub fn is_wide_product(&self) -> bool {
        let Some(c) = contraction(self.space, self.ops, self.body) else { return false };
        let sizes: Vec<i64> = self.sizes(&c).collect();
        let least = match sizes.len() {
            0 | 1 => 1,
            2 => SMALL,
            _ => LEAST,
        };
        sizes.iter().all(|n| *n >= SHORT) && multiplied(&sizes) >= least
    }

    /// Whether it goes down the columns of an array whose rows the innermost dimension around goes
    /// along, and of nothing along its rows.
    pub fn is_column(&self) -> bool {
        let dims = &self.space.dims;
        let [.., column, depth] = dims.as_slice() else { return false };
        let long = [column, depth].iter().all(|(_, n)| constant(*n).is_none_or(|n| n >= SHORT));
        if self.own != 1 || !long || !self.body.stms.iter().all(scalar_code) {
            return false;
        }
        let (column, depth) = (DimIndex::Fix(column.0.into()), DimIndex::Fix(depth.0.into()));
        let along = |next: DimIndex, other: DimIndex| {
            self.body.stms.iter().any(|s| match &s.exp {
                Exp::Index { dims, .. } => {
                    dims.split_last().is_some_and(|(l, ds)| *l == next && ds.contains(&other))
                }
                _ => false,
            })
        };
        along(column, depth) && !along(depth, column)
    }

    /// The constant sizes among those of a contraction.
    fn sizes(&self, c: &Contraction<'_>) -> impl Iterator<Item = i64> {
        [c.row, c.column, c.depth].into_iter().filter_map(|d| constant(self.space.dims.get(d)?.1))
    }
}

fn constant(x: SubExp) -> Option<i64> {
    match x {
        SubExp::Const(Const::I64(n)) => Some(n),
        SubExp::Const(_) | SubExp::Var(_) => None,
    }
}

fn multiplied(sizes: &[i64]) -> i64 {
    sizes.iter().fold(1, |n, m| n.saturating_mul(*m))
}

/// Whether reductions down columns should leave an operation: in a map that is computed
/// by lanes, vectors go along its rows already. They do not pay if a function follows, which is as good
/// by itself.
pub fn wants_columns_outside(op: &SegOp) -> bool {
    let reduces = |s: &Stm| matches!(s.exp, Exp::Seg(SegOp { kind: SegKind::Red(_), .. }));
    match op {
        SegOp { space, kind: SegKind::Map, body, .. } => {
            body.stms.iter().any(reduces)
                && space.dims.last().is_some_and(|(i, _)| {
                    expected_lanes(*i, body, true).is_none_or(|l| l.functions > 0)
                })
        }
        SegOp { kind: SegKind::Red(_) | SegKind::Scan(_), .. } => true,
        SegOp { kind: SegKind::Hist(_), .. } => false,
    }
}

/// The only loop of a map, if that is a reduction and much straight code comes after it.
pub fn before_much(op: &SegOp) -> Option<usize> {
    let SegOp { level: SegLevel::Seq, kind: SegKind::Map, body, .. } = op else { return None };
    let at = body.stms.iter().position(|s| matches!(s.exp, Exp::Seg(_)))?;
    let (before, rest) = body.stms.split_at_checked(at)?;
    let (_, after) = rest.split_first()?;
    (straight(before).is_some() && straight(after)? >= MUCH).then_some(at)
}

/// How many statements of scalar code there are; nothing if there is other code.
fn straight(stms: &[Stm]) -> Option<usize> {
    stms.iter().try_fold(0, |n, s| {
        let scalars = s.pat.iter().all(|p| matches!(p.ty, Type::Prim(_)));
        let mut below = Some(0);
        match &s.exp {
            Exp::Match { .. } if scalars => for_each_block(&s.exp, &mut |b| {
                below = below.zip(straight(b)).map(|(n, m)| n + m);
            }),
            _ if !scalar_code(s) => return None,
            _ => {}
        }
        Some(n + 1 + below?)
    })
}

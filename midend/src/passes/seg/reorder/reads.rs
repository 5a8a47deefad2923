//! Which maps over two dimensions read across.

use crate::analysis::bodies::returns;
use crate::ir::traverse::{for_each_block, free_in_stm};
use crate::ir::varmap::VarSet;
use crate::ir::{
    BinOp, DimIndex, Exp, IntType, KernelBody, Loc, PatElem, Poly, SegKind, SegLevel, SegOp,
    SegSpace, Stm, SubExp, Type, Var,
};

const I64: IntType = IntType::I64;

/// Fewer points than this along either dimension are not worth it, if their number is known.
const FEW: i64 = 8;

/// A reduction of more points is none of a window.
const MOST_OF_WINDOW: i64 = 32;

/// A matrix that is another one's transposition.
pub(super) fn view(p: PatElem, turned: Var, loc: Option<Loc>) -> Stm {
    Stm { loc, ..Stm::new(vec![p], Exp::Rearrange { array: turned, perm: vec![1, 0] }) }
}

/// Whether a map of scalars over two dimensions reads across, asks nothing of the outer dimension, and something of the inner one
/// unless its result is `wanted` by columns.
pub(super) fn across(space: &SegSpace, body: &KernelBody, wanted: bool) -> bool {
    let reads = reads(space, body);
    reads.is_some_and(|r| r.across > 0 && (wanted || r.questions > 0))
}

/// How often the body of an operation on scalars over two dimensions reads neighbours for neighbours along the outer one.
/// None if something else stands in the way of its dimensions changing places.
pub(in crate::passes::seg) fn reads_across(space: &SegSpace, body: &KernelBody) -> Option<usize> {
    reads(space, body).map(|r| r.across)
}

fn reads(space: &SegSpace, body: &KernelBody) -> Option<Reads> {
    let [(i, m), (j, n)] = space.dims.as_slice() else { return None };
    let few = |n: &SubExp| Poly::leaf(*n).as_const().is_some_and(|n| n < FEW);
    let scalars = body.types.iter().all(|t| matches!(t, Type::Prim(_)));
    if few(m) || few(n) || !scalars || !returns(body) {
        return None;
    }
    let mut reads = Reads {
        outer: *i,
        with_outer: VarSet::from_iter([*i]),
        with_inner: VarSet::from_iter([*j]),
        across: 0,
        questions: 0,
        other: false,
    };
    reads.look(&body.stms);
    (!reads.other).then_some(reads)
}

/// Whether an operation is a reduction of few points, as many everywhere.
fn is_window(op: &SegOp) -> bool {
    let points = op.space.dims.iter().try_fold(1_i64, |all, (_, n)| {
        let n = Poly::leaf(*n).as_const()?;
        all.checked_mul(n)
    });
    op.level == SegLevel::Seq
        && matches!(op.kind, SegKind::Red(_))
        && points.is_some_and(|n| n <= MOST_OF_WINDOW)
}

/// How a body reads arrays, and what it asks.
struct Reads {
    /// The index of the outer dimension.
    outer: Var,
    /// What depends on the outer index, and on the inner one.
    with_outer: VarSet,
    with_inner: VarSet,
    /// Reads of neighbours for neighbours along the outer dimension, which are none along the inner one.
    across: usize,
    /// Checks, branches and bounded indexes that depend on the inner index.
    questions: usize,
    /// Whether there is anything that stands in the way.
    other: bool,
}

impl Reads {
    fn look(&mut self, stms: &[Stm]) {
        for s in stms {
            let of = |x: &SubExp, set: &VarSet| x.var().is_some_and(|v| set.contains(&v));
            match &s.exp {
                Exp::Index { array: _, dims } if dims.len() > 1 => {
                    let last = match dims.last() {
                        Some(DimIndex::Fix(x)) => *x,
                        _ => return self.other = true,
                    };
                    let before = dims.iter().rev().skip(1).any(|d| match d {
                        DimIndex::Fix(x) => of(x, &self.with_inner),
                        DimIndex::Slice { .. } => true,
                    });
                    if of(&last, &self.with_inner) {
                        self.other = true;
                    } else if before && last == SubExp::Var(self.outer) {
                        self.across += 1;
                    }
                }
                Exp::Assert { cond: x, .. } | Exp::Match { scrutinee: x, .. } => {
                    self.other |= of(x, &self.with_outer);
                    self.questions += usize::from(of(x, &self.with_inner));
                }
                // Where an index that is bounded or goes round comes to is the same for a row, too.
                Exp::BinOp(
                    BinOp::SMin(I64) | BinOp::SMax(I64) | BinOp::SMod(I64) | BinOp::SRem(I64),
                    x,
                    y,
                ) => {
                    let any = |set: &VarSet| of(x, set) || of(y, set);
                    let asks = any(&self.with_inner) && !any(&self.with_outer);
                    self.questions += usize::from(asks);
                }
                // A window, which the other order goes over by lanes.
                Exp::Seg(op) if is_window(op) => self.questions += 1,
                // What may go on for ever or fail inside stays where it is.
                Exp::Loop { .. } | Exp::Seg(_) | Exp::Call { .. } => self.other = true,
                _ => {}
            }
            let free = free_in_stm(s);
            for set in [&mut self.with_outer, &mut self.with_inner] {
                if free.iter().any(|v| set.contains(v)) {
                    set.extend(s.pat.iter().map(|p| p.var));
                }
            }
            for_each_block(&s.exp, &mut |inner| self.look(inner));
        }
    }
}

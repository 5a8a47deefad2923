//! Maps that read across go along what they read.
//!
//! ```text
//! segmap seq (i < m, j < n) {             zs = segmap seq (j < n, i < m) {
//!   c = eq(j, 0)                            c = eq(j, 0)
//!   z = if c { in 0 } else {          →     z = if c { in 0 } else {
//!     x = xss[j - 1, i] … }                   x = xss[j - 1, i] … }
//!   in (return z) }                         in (return z) }
//!                                         rearrange zs (1, 0)
//! ```
//!
//! Neighbouring points of such a map read what lies rows apart, and ask the same of their index as all points of its
//! column do, one by one. With the dimensions the other way round a row of points reads neighbours, and what they ask has one
//! answer for all of them. Who reads the result reads it across instead, or has it transposed, which moves elements by
//! squares and is no more than was to be done.
//!
//! Taken are maps of scalars, or of what is reduced of windows of a constant size, whose reads are all across, or the same for one dimension, and whose branches and checks depend on
//! one dimension alone, the inner one, so that what fails first does so in either order. Bodies without branches, checks and
//! bounded indexes go by tiles as they are ([`crate::passes::schedule`]), unless all that reads the result are lanes of vectors, each of which reads a row, as then
//! they read neighbours, or the result is transposed. So are maps of concatenations of such: see [`concatenated`]. At level `seg`, for one thread. Linear, but for the analysis of lanes.

mod concatenated;

use super::outside_kernels;
use crate::analysis::bodies::returns;
use crate::analysis::lanes::expected_lanes;
use crate::ir::traverse::{Visit, for_each_block, free_in_stm, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    BinOp, Builder, DimIndex, Exp, IntType, KernelBody, Level, Loc, Mentions, NameSource, PatElem,
    Poly, Program, SegKind, SegLevel, SegOp, SegSpace, Stm, SubExp, Type, Var,
};

const I64: IntType = IntType::I64;

/// Fewer points than this along either dimension are not worth it, if their number is known.
const FEW: i64 = 8;

/// A reduction of more points is none of a window.
const MOST_OF_WINDOW: i64 = 32;

/// Reorders the dimensions of maps that read across.
pub fn reorder(mut prog: Program) -> Program {
    if prog.level == Level::Seg {
        let mut readers = Readers::default();
        readers.body(&prog.consts);
        prog.funs.iter().for_each(|f| readers.fun(f));
        let mentions = Mentions::of_program(&prog);
        let across = readers.across.into_iter().filter(|(z, n)| *n == mentions.count(*z));
        let across: VarSet = across.map(|(z, _)| z).collect();
        let mut b = Builder::new(NameSource::new(prog.next_tag));
        stms(&mut prog.consts.stms, &across, &mut b);
        for f in &mut prog.funs {
            stms(&mut f.body.stms, &across, &mut b);
        }
        prog.next_tag = b.names.next_tag();
    }
    prog
}

/// How often each array is read by lanes of which each reads a row, or transposed.
#[derive(Default)]
struct Readers {
    /// The index of the lanes around.
    lane: Option<Var>,
    across: VarMap<usize>,
}

impl Visit for Readers {
    fn exp(&mut self, e: &Exp) {
        let outside = self.lane;
        match e {
            Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body })
                if outside.is_none() =>
            {
                self.lane = space
                    .dims
                    .last()
                    .map(|(i, _)| *i)
                    .filter(|i| expected_lanes(*i, body, true).is_some());
            }
            Exp::Index { array, dims } => {
                if let [DimIndex::Fix(SubExp::Var(i)), DimIndex::Fix(j)] = dims.as_slice()
                    && Some(*i) == outside
                    && *j != SubExp::Var(*i)
                {
                    *self.across.entry(*array).or_default() += 1;
                }
            }
            Exp::Rearrange { array, perm } if *perm == [1, 0] => {
                *self.across.entry(*array).or_default() += 1;
            }
            _ => {}
        }
        walk::exp(self, e);
        self.lane = outside;
    }
}

/// The maps of a list; of some arrays it is known that they are only read across.
fn stms(list: &mut Vec<Stm>, columns: &VarSet, b: &mut Builder) {
    for mut stm in std::mem::take(list) {
        outside_kernels(&mut stm.exp, &mut |inner| stms(inner, columns, b));
        let wanted = !stm.pat.is_empty() && stm.pat.iter().all(|p| columns.contains(&p.var));
        match &mut stm.exp {
            Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body })
                if across(space, body, wanted) =>
            {
                space.dims.reverse();
                turn(stm, b, list);
            }
            Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body })
                if concatenated::is_concatenated(space, body) =>
            {
                concatenated::by_rows(stm, b, list);
            }
            _ => list.push(stm),
        }
    }
}

/// The map, whose dimensions have changed places, and views of its results.
fn turn(mut stm: Stm, b: &mut Builder, list: &mut Vec<Stm>) {
    let mut views = Vec::with_capacity(stm.pat.len());
    for p in &mut stm.pat {
        let turned = b.names.like(p.var);
        let view = PatElem::new(p.var, p.ty.clone());
        let mut shape = p.ty.shape().to_vec();
        shape.reverse();
        if let Some(elem) = p.ty.elem() {
            p.ty = Type::array(elem, shape);
        }
        p.var = turned;
        views.push(self::view(view, turned, stm.loc));
    }
    list.push(stm);
    list.append(&mut views);
}

/// A matrix that is another one's transposition.
fn view(p: PatElem, turned: Var, loc: Option<Loc>) -> Stm {
    Stm { loc, ..Stm::new(vec![p], Exp::Rearrange { array: turned, perm: vec![1, 0] }) }
}

/// Whether a map of scalars over two dimensions reads across, asks nothing of the outer dimension, and something of the inner one
/// unless its result is `wanted` by columns.
fn across(space: &SegSpace, body: &KernelBody, wanted: bool) -> bool {
    let [(i, m), (j, n)] = space.dims.as_slice() else { return false };
    let few = |n: &SubExp| Poly::leaf(*n).as_const().is_some_and(|n| n < FEW);
    let scalars = body.types.iter().all(|t| matches!(t, Type::Prim(_)));
    if few(m) || few(n) || !scalars || !returns(body) {
        return false;
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
    reads.across > 0 && (wanted || reads.questions > 0) && !reads.other
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

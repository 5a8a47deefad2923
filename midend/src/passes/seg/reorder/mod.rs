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
//! they read neighbours, or the result is transposed. Otherwise such bodies are left to [`transpose_operands`](super::transpose_operands). At level `seg`, for one thread. Linear, but for the analysis of lanes.

pub(super) mod reads;

use super::outside_kernels;
use crate::analysis::lanes::expected_lanes;
use crate::ir::traverse::{Visit, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    Builder, DimIndex, Exp, Level, Mentions, NameSource, PatElem, Program, SegKind, SegLevel,
    SegOp, Stm, SubExp, Type, Var,
};
use reads::{across, view};

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

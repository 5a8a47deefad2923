//! Operands of straight maps that are read across.

use crate::analysis::bodies::{is_straight, returns};
use crate::ir::traverse::{Rewrite, Visit, free_in_stm, rewrite, walk};
use crate::ir::varmap::VarSet;
use crate::ir::{BinOp, CmpOp, DimIndex, Exp, SegKind, SegLevel, SegOp, Stm, SubExp, Type, Var};

/// More operands than this are not copied.
const MOST: usize = 3;

/// What depends on the innermost index of a map and on the others, and which arrays it reads how.
pub(super) struct Reads {
    with_others: VarSet,
    with_innermost: VarSet,
    /// Conditions that hold at few points: equalities, and what holds with others.
    rare: VarSet,
    /// Arrays that are read across at more than few points, and the dimension that neighbouring points go along.
    pub(super) across: Vec<(Var, usize)>,
}

/// How a straight map of scalars reads arrays, if it reads some across.
pub(super) fn reads(op: &SegOp) -> Option<Reads> {
    let (SegLevel::Seq, SegKind::Map, [others @ .., (j, _)]) =
        (op.level, &op.kind, op.space.dims.as_slice())
    else {
        return None;
    };
    let scalars = op.body.types.iter().all(|t| matches!(t, Type::Prim(_)));
    if !scalars || !returns(&op.body) || !op.body.stms.iter().all(is_straight) {
        return None;
    }
    let mut reads = Reads {
        with_others: others.iter().map(|(i, _)| *i).collect(),
        with_innermost: VarSet::from_iter([*j]),
        rare: VarSet::default(),
        across: Vec::new(),
    };
    reads.kernel_body(&op.body);
    (1..=MOST).contains(&reads.across.len()).then_some(reads)
}

impl Reads {
    /// The dimension along which neighbouring points read, if that alone depends on the innermost index, and on no other, and
    /// the last one is another, which depends on others.
    fn is_across(&self, dims: &[DimIndex]) -> Option<usize> {
        let depends = |d: &DimIndex, set: &VarSet| match d {
            DimIndex::Fix(x) => x.var().is_some_and(|v| set.contains(&v)),
            DimIndex::Slice { .. } => false,
        };
        let (last, before) = dims.split_last()?;
        let along = before.iter().position(|d| depends(d, &self.with_innermost))?;
        let alone = |(at, d): (usize, &DimIndex)| at == along || !depends(d, &self.with_innermost);
        (dims.iter().all(|d| matches!(d, DimIndex::Fix(_)))
            && !dims.get(along).is_some_and(|d| depends(d, &self.with_others))
            && dims.iter().enumerate().all(alone)
            && depends(last, &self.with_others))
        .then_some(along)
    }

    /// Reads a transposed array instead of one that is read across.
    pub(super) fn put(&self, op: &mut SegOp, (array, along): (Var, usize), transposed: Var) {
        Put { reads: self, array, along, transposed }.kernel_body(&mut op.body);
    }
}

impl Visit for Reads {
    fn stm(&mut self, s: &Stm) {
        if let Exp::Index { array, dims } = &s.exp
            && let Some(along) = self.is_across(dims)
            && self.across.iter().all(|(v, _)| v != array)
        {
            self.across.push((*array, along));
        }
        self.note_rare(s);
        match &s.exp {
            Exp::Match { scrutinee: SubExp::Var(c), cases: _, default }
                if self.rare.contains(c) =>
            {
                self.body(default);
            }
            _ => walk::stm(self, s),
        }
        let free = free_in_stm(s);
        for set in [&mut self.with_others, &mut self.with_innermost] {
            if free.iter().any(|v| set.contains(v)) {
                set.extend(s.pat.iter().map(|p| p.var));
            }
        }
    }
}

impl Reads {
    fn note_rare(&mut self, s: &Stm) {
        let of = |x: &SubExp| x.var().is_some_and(|v| self.rare.contains(&v));
        let rare = match &s.exp {
            Exp::CmpOp(CmpOp::Eq(_), ..) => true,
            Exp::BinOp(BinOp::LogAnd, x, y) => of(x) || of(y),
            Exp::BinOp(BinOp::LogOr, x, y) => of(x) && of(y),
            _ => false,
        };
        if rare {
            self.rare.extend(s.pat.iter().map(|p| p.var));
        }
    }
}

struct Put<'a> {
    reads: &'a Reads,
    array: Var,
    along: usize,
    transposed: Var,
}

impl Rewrite for Put<'_> {
    fn exp(&mut self, e: &mut Exp) {
        if let Exp::Index { array, dims } = e
            && *array == self.array
            && self.reads.is_across(dims) == Some(self.along)
        {
            *array = self.transposed;
            let along = dims.remove(self.along);
            dims.push(along);
        }
        rewrite::exp(self, e);
    }
}

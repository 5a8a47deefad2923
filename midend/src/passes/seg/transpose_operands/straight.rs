//! Operands of straight maps that are read across.

use crate::analysis::bodies::{is_straight, returns};
use crate::ir::traverse::{Rewrite, Visit, free_in_stm, rewrite, walk};
use crate::ir::varmap::VarSet;
use crate::ir::{DimIndex, Exp, SegKind, SegLevel, SegOp, Stm, SubExp, Type, Var};

/// More operands than this are not copied.
const MOST: usize = 3;

/// What depends on the innermost two indexes of a map, and which arrays it reads how.
pub(super) struct Reads {
    with_row: VarSet,
    with_column: VarSet,
    /// Arrays that are read across.
    pub(super) across: Vec<Var>,
}

/// How a straight map of scalars reads matrices along its innermost two dimensions, if it reads some across.
pub(super) fn reads(op: &SegOp) -> Option<Reads> {
    let (SegLevel::Seq, SegKind::Map, [.., (i, _), (j, _)]) =
        (op.level, &op.kind, op.space.dims.as_slice())
    else {
        return None;
    };
    let scalars = op.body.types.iter().all(|t| matches!(t, Type::Prim(_)));
    if !scalars || !returns(&op.body) || !op.body.stms.iter().all(is_straight) {
        return None;
    }
    let mut reads = Reads {
        with_row: VarSet::from_iter([*i]),
        with_column: VarSet::from_iter([*j]),
        across: Vec::new(),
    };
    reads.kernel_body(&op.body);
    (1..=MOST).contains(&reads.across.len()).then_some(reads)
}

impl Reads {
    /// Whether an element is read in the row that the inner index says and the column that the outer one says, of a matrix that neither says.
    fn is_across(&self, dims: &[DimIndex]) -> bool {
        let [batch @ .., DimIndex::Fix(x), DimIndex::Fix(y)] = dims else { return false };
        let of = |x: &SubExp, set: &VarSet| x.var().is_some_and(|v| set.contains(&v));
        let same = |d: &DimIndex| match d {
            DimIndex::Fix(x) => !of(x, &self.with_column) && !of(x, &self.with_row),
            DimIndex::Slice { .. } => false,
        };
        batch.iter().all(same)
            && of(x, &self.with_column)
            && !of(x, &self.with_row)
            && of(y, &self.with_row)
            && !of(y, &self.with_column)
    }

    /// Reads a transposed array instead of one that is read across.
    pub(super) fn put(&self, op: &mut SegOp, array: Var, transposed: Var) {
        Put { reads: self, array, transposed }.kernel_body(&mut op.body);
    }
}

impl Visit for Reads {
    fn stm(&mut self, s: &Stm) {
        if let Exp::Index { array, dims } = &s.exp
            && self.is_across(dims)
            && !self.across.contains(array)
        {
            self.across.push(*array);
        }
        walk::stm(self, s);
        let free = free_in_stm(s);
        for set in [&mut self.with_row, &mut self.with_column] {
            if free.iter().any(|v| set.contains(v)) {
                set.extend(s.pat.iter().map(|p| p.var));
            }
        }
    }
}

struct Put<'a> {
    reads: &'a Reads,
    array: Var,
    transposed: Var,
}

impl Rewrite for Put<'_> {
    fn exp(&mut self, e: &mut Exp) {
        if let Exp::Index { array, dims } = e
            && *array == self.array
            && self.reads.is_across(dims)
        {
            *array = self.transposed;
            let rows = dims.len().saturating_sub(2);
            dims.get_mut(rows..).unwrap_or_default().reverse();
        }
        rewrite::exp(self, e);
    }
}

//! Loops each of whose rounds updates a matrix by its row and column of the round.

use crate::ir::traverse::{Visit, walk};
use crate::ir::{
    BinOp, Body, CmpOp, DimIndex, Exp, IntType, KernelResult, LoopForm, MathFn, Prim, SegKind,
    SegLevel, SegOp, Stm, StmAttr, SubExp, Type, Var,
};

/// Statements of an element's round, of which there are some forty copies.
pub(super) const MOST: usize = 24;

/// A loop each of whose rounds updates a matrix by one of its rows and columns.
pub(super) struct Update {
    /// The matrix that a round begins with, its element type and shape.
    pub matrix: Var,
    pub elem: Prim,
    pub shape: [SubExp; 2],
    /// What it is at first.
    pub init: SubExp,
    /// The round.
    pub counter: Var,
    pub rounds: SubExp,
    /// The row and column of an element, what is done there, and what comes out.
    pub point: [Var; 2],
    pub stms: Vec<Stm>,
    pub result: SubExp,
    pub uses: Uses,
    /// If a round leaves alone what is not behind the pivot's row: that is not part of what is done at an element.
    pub trailing: Option<Trailing>,
}

/// What the round of an element asks for.
#[derive(Clone, Copy, Default)]
pub(super) struct Uses {
    /// The element of its row that is in the pivot's column.
    pub column: bool,
    /// Whether its row comes before or after the pivot's.
    pub row_order: bool,
    /// And its column.
    pub column_order: bool,
}

/// Which element of the matrix is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Read {
    Own,
    /// Of its row, in the pivot's column.
    Column,
    /// Of its column, in the pivot's row.
    Row,
    Pivot,
}

/// What a round leaves alone.
#[derive(Clone)]
pub(super) struct Trailing {
    pub columns: Columns,
    /// What an element behind the pivot's row becomes that is in the pivot's column, if that is not what all columns do.
    pub column: Option<Formula>,
}

/// The columns that a round updates, behind the pivot's row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Columns {
    All,
    FromPivot,
    BehindPivot,
}

impl Columns {
    /// Where they begin, from the pivot's on, if they do not begin with the first.
    pub fn first(self) -> Option<i64> {
        match self {
            Columns::All => None,
            Columns::FromPivot => Some(0),
            Columns::BehindPivot => Some(1),
        }
    }
}

/// How a value is computed.
#[derive(Clone)]
pub(super) struct Formula {
    pub stms: Vec<Stm>,
    pub result: SubExp,
}

impl Update {
    /// The update that a loop is made of, if a round goes through the whole matrix.
    pub fn of(stm: &Stm) -> Option<Update> {
        let Exp::Loop { params, init, form, body: Body { stms, result } } = &stm.exp else {
            return None;
        };
        let ([p], [init], [s], [made]) =
            (params.as_slice(), init.as_slice(), stms.as_slice(), result.as_slice())
        else {
            return None;
        };
        let LoopForm::For { var, ty: IntType::I64, bound } = form else { return None };
        let Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body }) = &s.exp
        else {
            return None;
        };
        let ([(i, n), (j, m)], [KernelResult::Return(value)]) =
            (space.dims.as_slice(), body.results.as_slice())
        else {
            return None;
        };
        let (Type::Array { elem, shape }, [element]) = (&p.ty, body.types.as_slice()) else {
            return None;
        };
        let whole = shape.as_slice() == [*n, *m]
            && *element == Type::Prim(*elem)
            && s.pat.iter().any(|q| SubExp::Var(q.var) == *made);
        // What attributes and certificates say of all rounds need not hold of blocks of them.
        if !whole || !stm.attrs.is_empty() || !s.attrs.is_empty() || !s.certs.is_empty() {
            return None;
        }
        let update = Update {
            matrix: p.var,
            elem: *elem,
            shape: [*n, *m],
            init: *init,
            counter: *var,
            rounds: *bound,
            point: [*i, *j],
            stms: body.stms.clone(),
            result: *value,
            uses: Uses::default(),
            trailing: None,
        };
        let mut asks =
            Asks { update: &update, uses: Uses::default(), stms: 0, row: false, fits: true };
        body.stms.iter().for_each(|s| asks.stm(s));
        let Asks { uses, stms, row, fits, .. } = asks;
        // Where nothing is read of the pivot's row or column, each round is a map of its own.
        let pays = stms <= MOST && row && uses.column;
        (fits && pays && *value != SubExp::Var(*var)).then_some(Update { uses, ..update })
    }

    /// Which element of the matrix an expression reads, if it is one that may be read.
    pub fn read(&self, exp: &Exp) -> Option<Read> {
        let Exp::Index { array, dims } = exp else { return None };
        let ([DimIndex::Fix(a), DimIndex::Fix(b)], true) = (dims.as_slice(), *array == self.matrix)
        else {
            return None;
        };
        let ([i, j], k) = (self.point.map(SubExp::Var), SubExp::Var(self.counter));
        match (*a == i, *a == k, *b == j, *b == k) {
            (true, _, true, _) => Some(Read::Own),
            (true, _, _, true) => Some(Read::Column),
            (_, true, true, _) => Some(Read::Row),
            (_, true, _, true) => Some(Read::Pivot),
            _ => None,
        }
    }

    /// Whether a comparison is of the row (0) or column (1) of an element with the pivot's, which of the operands the pivot's is.
    pub fn order(&self, exp: &Exp) -> Option<(usize, bool)> {
        let Exp::CmpOp(op, x, y) = exp else { return None };
        let i64s = matches!(
            op,
            CmpOp::Eq(Prim::Int(IntType::I64))
                | CmpOp::SLt(IntType::I64)
                | CmpOp::SLe(IntType::I64)
        );
        let k = SubExp::Var(self.counter);
        let other = if *x == k { *y } else { *x };
        let at = self.point.iter().position(|v| SubExp::Var(*v) == other)?;
        (i64s && (*x == k || *y == k)).then_some((at, *x == k))
    }
}

/// Whether an expression is arithmetic on scalars. What takes long does not wait for memory, and copies of it would be long.
pub(super) fn is_arithmetic(exp: &Exp) -> bool {
    // Functions, whose versions for vectors have other last bits.
    let calls = |op: &BinOp| matches!(op, BinOp::FPow(_) | BinOp::FMod(_) | BinOp::Pow(_));
    matches!(
        exp,
        Exp::SubExp(_)
            | Exp::UnOp(..)
            | Exp::CmpOp(..)
            | Exp::ConvOp(..)
            | Exp::Math(
                MathFn::Sqrt
                    | MathFn::Fma
                    | MathFn::Mad
                    | MathFn::CopySign
                    | MathFn::IsNan
                    | MathFn::IsInf
                    | MathFn::Popc
                    | MathFn::Clz
                    | MathFn::Ctz,
                ..
            )
    ) || matches!(exp, Exp::BinOp(op, ..) if !calls(op))
}

/// Goes through the round of an element.
struct Asks<'u> {
    update: &'u Update,
    uses: Uses,
    stms: usize,
    row: bool,
    fits: bool,
}

impl Visit for Asks<'_> {
    fn var(&mut self, var: &Var) {
        self.fits &= *var != self.update.matrix && *var != self.update.counter;
    }

    fn stm(&mut self, s: &Stm) {
        self.stms += 1;
        // Copies of what has no checks stand behind the same conditions.
        self.fits &= s.attrs.iter().all(|a| *a == StmAttr::Unsafe);
        self.fits &= s.pat.iter().all(|p| matches!(p.ty, Type::Prim(_)));
        if let Some(read) = self.update.read(&s.exp) {
            self.uses.column |= read == Read::Column;
            self.row |= read == Read::Row;
            s.certs.iter().for_each(|c| self.var(c));
        } else if let Some((at, _)) = self.update.order(&s.exp) {
            self.uses.row_order |= at == 0;
            self.uses.column_order |= at == 1;
        } else {
            self.fits &=
                is_arithmetic(&s.exp) || matches!(s.exp, Exp::Index { .. } | Exp::Match { .. });
            walk::stm(self, s);
        }
    }
}

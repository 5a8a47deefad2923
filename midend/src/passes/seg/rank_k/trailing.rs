//! Loops each of whose rounds updates what is behind its row, in slices: factorisation into triangles as it is written with views.
//!
//! ```text
//! loop (d = a) for k < n {
//!   segmap (i' < n - k - 1) {                     an element behind row k is, in column k,
//!     f = d[i' + k + 1, k] / d[k, k]                v / p
//!     segmap (j' < n - k - 1) {             ⟶     and behind column k,
//!       d[i' + k + 1, j' + k + 1]                   x - v / p * y
//!         - f * d[k, j' + k + 1] } }              others stay as they are
//!   … update d[k + 1 :, k] with …
//!   … update d[k + 1 :, k + 1 :] with … }
//! ```
//!
//! Rounds may consist of one map or of one after the other, update the pivot's column or not, and go through all columns, through those
//! from the pivot's on or through those behind it. What they compute is rewritten as [`Update`] has it: by the row and column of the element
//! in the matrix, of reads of the matrix that the round begins with.

use super::find::{Columns, Formula, MOST, Read, Trailing, Update, Uses, is_arithmetic};
use crate::ir::traverse::free_in_stm;
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    BinOp, CmpOp, Defs, DimIndex, Exp, IntType, KernelBody, KernelResult, LoopForm, NameSource,
    PatElem, Poly, Prim, SegKind, SegLevel, SegOp, Stm, StmAttr, SubExp, Type, Var,
};

const I64: IntType = IntType::I64;
/// Constants below this do not make sums of indexes overflow.
const SMALL: u64 = 1 << 40;

/// The update that a loop is made of, if it is one of these.
pub(super) fn trailing(stm: &Stm, defs: &Defs, names: &mut NameSource) -> Option<Update> {
    let Exp::Loop { params, init, form, body } = &stm.exp else { return None };
    let ([p], [init]) = (params.as_slice(), init.as_slice()) else { return None };
    let LoopForm::For { var: k, ty: I64, bound } = form else { return None };
    let Type::Array { elem, shape } = &p.ty else { return None };
    let ([n, m], true) = (shape.as_slice(), stm.attrs.is_empty()) else { return None };
    let point = ["i", "j"].map(|v| names.fresh(v));
    let mut round = Round {
        defs,
        k: *k,
        shape: [*n, *m],
        matrix: p.var,
        point,
        outside: Point::default(),
        current: p.var,
        versions: [(p.var, Version::default())].into_iter().collect(),
        made: VarMap::default(),
        column: None,
        trailing: None,
    };
    body.stms.iter().try_for_each(|s| round.stm(s, names))?;
    let (columns, Formula { stms, result }) = round.trailing?;
    if body.result != [SubExp::Var(round.current)] {
        return None;
    }
    let update = Update {
        matrix: p.var,
        elem: *elem,
        shape: [*n, *m],
        init: *init,
        counter: *k,
        rounds: *bound,
        point,
        stms,
        result,
        uses: Uses::default(),
        trailing: Some(Trailing { columns, column: round.column }),
    };
    let reads = |read| update.stms.iter().any(|s| update.read(&s.exp) == Some(read));
    let column = update.trailing.iter().filter_map(|t| t.column.as_ref());
    let sizes = column.map(|f| f.stms.len()).chain([update.stms.len()]);
    let pays = reads(Read::Column) && reads(Read::Row) && sizes.max() <= Some(MOST);
    pays.then_some(update)
}

/// A matrix as a round has it.
#[derive(Clone, Copy, Default)]
struct Version {
    /// The pivot's column is updated.
    column: bool,
    /// What is behind the pivot's row is, in which columns.
    trailing: Option<Columns>,
}

/// What a map of a round makes.
enum Made {
    Column(Formula),
    Trailing(Columns, Formula),
}

/// Goes through a round.
struct Round<'d> {
    defs: &'d Defs,
    k: Var,
    shape: [SubExp; 2],
    /// The matrix that the round begins with.
    matrix: Var,
    point: [Var; 2],
    /// What is computed for all elements.
    outside: Point,
    /// The matrix that updates have made, and all before it.
    current: Var,
    versions: VarMap<Version>,
    made: VarMap<Made>,
    column: Option<Formula>,
    trailing: Option<(Columns, Formula)>,
}

/// A point of a map, or what is around maps.
#[derive(Clone, Default)]
struct Point {
    row: Option<Var>,
    column: Option<(Var, Columns)>,
    /// What is computed there.
    stms: Vec<Stm>,
    /// Certificates of what holds in all rounds that there are pivots for.
    hold: VarSet,
}

impl Round<'_> {
    fn stm(&mut self, s: &Stm, names: &mut NameSource) -> Option<()> {
        if !self.outside.is_plain(s) {
            return None;
        }
        match (&s.exp, s.pat.as_slice()) {
            // To sizes that are the same.
            (Exp::Reshape { array, shape }, [p]) => {
                let made = self.made.remove(array)?;
                let same = match (&made, shape.as_slice()) {
                    (Made::Column(_), [n]) => self.behind(*n),
                    (Made::Trailing(columns, _), [n, m]) => {
                        self.behind(*n) && self.columns(*m) == Some(*columns)
                    }
                    _ => false,
                };
                same.then(|| self.made.insert(p.var, made))?;
            }
            (Exp::Seg(op), pat) => self.map(pat, op, names)?,
            (Exp::Update { array, dims, value }, [p]) => {
                let version = self.update(*array, dims, *value)?;
                self.versions.insert(p.var, version);
                self.current = p.var;
            }
            _ => {
                let mut outside = std::mem::take(&mut self.outside);
                self.scalar(s, &mut outside)?;
                self.outside = outside;
            }
        }
        Some(())
    }

    /// A map over the rows behind the pivot's, and what it makes.
    fn map(&mut self, pat: &[PatElem], op: &SegOp, names: &mut NameSource) -> Option<()> {
        let SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body } = op else {
            return None;
        };
        let (&(row, rows), inner) = space.dims.split_first()?;
        if !self.behind(rows) {
            return None;
        }
        let mut point = Point { row: Some(row), ..self.outside.clone() };
        point.bind(row, self.point[0], (self.k, 1), names);
        match inner {
            [] => {
                let last = body.stms.last().filter(|s| matches!(s.exp, Exp::Seg(_)));
                let before = body.stms.len() - usize::from(last.is_some());
                body.stms.iter().take(before).try_for_each(|s| self.scalar(s, &mut point))?;
                for (p, result) in pat.iter().zip(&body.results) {
                    let KernelResult::Return(x) = *result else { return None };
                    let made = match (last, x) {
                        (Some(Stm { pat, exp: Exp::Seg(op), .. }), SubExp::Var(v))
                            if pat.iter().any(|q| q.var == v) =>
                        {
                            self.row(pat, op, point.clone(), names)?
                        }
                        _ => Made::Column(needed(&point.stms, x)),
                    };
                    self.made.insert(p.var, made);
                }
            }
            [column] => {
                let [p] = pat else { return None };
                let made = self.along(*column, body, point, names)?;
                self.made.insert(p.var, made);
            }
            _ => return None,
        }
        Some(())
    }

    /// A map along a row.
    fn row(
        &self,
        pat: &[PatElem],
        op: &SegOp,
        point: Point,
        names: &mut NameSource,
    ) -> Option<Made> {
        let SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body } = op else {
            return None;
        };
        let ([column], [_]) = (space.dims.as_slice(), pat) else { return None };
        self.along(*column, body, point, names)
    }

    fn along(
        &self,
        (column, size): (Var, SubExp),
        body: &KernelBody,
        mut point: Point,
        names: &mut NameSource,
    ) -> Option<Made> {
        let columns = self.columns(size)?;
        point.column = Some((column, columns));
        let all = self.point[1];
        match columns.first() {
            Some(more) => point.bind(column, all, (self.k, more), names),
            None => {
                let same = Exp::SubExp(all.into());
                point.stms.push(Stm::new(vec![PatElem::new(column, Type::I64)], same));
            }
        }
        body.stms.iter().try_for_each(|s| self.scalar(s, &mut point))?;
        let [KernelResult::Return(x)] = body.results.as_slice() else { return None };
        Some(Made::Trailing(columns, needed(&point.stms, *x)))
    }

    /// Puts what a map has made where it belongs; what the matrix is then.
    fn update(&mut self, array: Var, dims: &[DimIndex], value: SubExp) -> Option<Version> {
        let mut version = *self.versions.get(&array).filter(|_| array == self.current)?;
        let one = SubExp::i64(1);
        let [DimIndex::Slice { start, n, stride }, column] = dims else { return None };
        if self.behind_pivot(*start) != Some(1) || !self.behind(*n) || *stride != one {
            return None;
        }
        match (self.made.get(&value.var()?)?, column) {
            (Made::Column(formula), DimIndex::Fix(j)) => {
                let of_pivot = self.behind_pivot(*j) == Some(0) && !version.column;
                of_pivot.then(|| self.column = Some(formula.clone()))?;
                version.column = true;
            }
            (&Made::Trailing(columns, ref formula), DimIndex::Slice { start, n, stride }) => {
                let from = match columns.first() {
                    None => *start == SubExp::i64(0),
                    more => self.behind_pivot(*start) == more,
                };
                let fits = from && *stride == one && self.columns(*n) == Some(columns);
                if !fits || version.trailing.is_some() {
                    return None;
                }
                self.trailing = Some((columns, formula.clone()));
                version.trailing = Some(columns);
            }
            _ => return None,
        }
        // Of two updates of the column, one would undo the other.
        let twice = version.column && version.trailing.is_some_and(|c| c != Columns::BehindPivot);
        (!twice).then_some(version)
    }

    /// Adds a statement on scalars, of which reads of the matrix become those that [`Update::read`] knows.
    fn scalar(&self, s: &Stm, at: &mut Point) -> Option<()> {
        if !at.is_plain(s) {
            return None;
        }
        let exp = match &s.exp {
            Exp::Assert { cond, .. } => {
                let holds = self.is_true(*cond, at);
                return holds.then(|| at.hold.extend(s.pat.iter().map(|p| p.var)));
            }
            Exp::Index { array, dims } => self.read(*array, dims, at)?,
            exp if is_arithmetic(exp) && !exp.is_partial() => exp.clone(),
            _ => return None,
        };
        at.stms.push(Stm { exp, certs: Vec::new(), attrs: Vec::new(), ..s.clone() });
        Some(())
    }

    fn read(&self, array: Var, dims: &[DimIndex], at: &mut Point) -> Option<Exp> {
        if let (Some(Made::Column(formula)), [DimIndex::Fix(i)]) = (self.made.get(&array), dims) {
            let own = self.defs.equal(&Poly::leaf(*i), &Poly::var(at.row?));
            return own.then(|| at.value(formula));
        }
        let version = self.versions.get(&array)?;
        let [DimIndex::Fix(i), DimIndex::Fix(j)] = dims else { return None };
        let [row, column] = self.point;
        let row = match self.behind_pivot(*i) {
            Some(0) => self.k,
            _ => (self.distance(*i, at.row?) == Some(1)).then_some(row)?,
        };
        let column = match (self.behind_pivot(*j), at.column) {
            (Some(0), _) => self.k,
            (_, Some((here, columns))) => {
                let own = match columns.first() {
                    None => self.defs.equal(&Poly::leaf(*j), &Poly::var(here)),
                    more => self.distance(*j, here) == more,
                };
                own.then_some(column)?
            }
            _ => return None,
        };
        // Rows behind the pivot's change.
        if row != self.k {
            let changed = |columns| column != self.k || columns != Columns::BehindPivot;
            if version.trailing.is_some_and(changed) {
                return None;
            }
            if version.column && column == self.k {
                return self.column.as_ref().map(|formula| at.value(formula));
            }
            // Elements of columns from the pivot's on may be of that column.
            if version.column && at.column.is_some_and(|(_, c)| c != Columns::BehindPivot) {
                return None;
            }
        }
        let dims = vec![DimIndex::Fix(row.into()), DimIndex::Fix(column.into())];
        Some(Exp::Index { array: self.matrix, dims })
    }

    /// How far behind the pivot an index is, if that is known.
    fn behind_pivot(&self, i: SubExp) -> Option<i64> {
        self.defs.expand(&Poly::leaf(i).sub(&Poly::var(self.k))).as_const()
    }

    /// The same of an index and one that a point counts from the pivot on.
    fn distance(&self, i: SubExp, point: Var) -> Option<i64> {
        let counted = Poly::var(self.k).add(&Poly::var(point));
        self.defs.expand(&Poly::leaf(i).sub(&counted)).as_const()
    }

    /// Whether so many rows are those behind the pivot's.
    fn behind(&self, rows: SubExp) -> bool {
        self.fewer(self.shape[0], rows) == Some(1)
    }

    /// Which columns so many are.
    fn columns(&self, size: SubExp) -> Option<Columns> {
        let all = self.shape[1];
        match self.fewer(all, size) {
            Some(0) => Some(Columns::FromPivot),
            Some(1) => Some(Columns::BehindPivot),
            _ => {
                let all = self.defs.equal(&Poly::leaf(all), &Poly::leaf(size));
                all.then_some(Columns::All)
            }
        }
    }

    /// How many fewer a number is than those from the pivot on.
    fn fewer(&self, all: SubExp, size: SubExp) -> Option<i64> {
        let from_pivot = Poly::leaf(all).sub(&Poly::var(self.k));
        self.defs.expand(&from_pivot.sub(&Poly::leaf(size))).as_const()
    }

    /// Whether a condition holds at all points of rounds in which the matrix has a pivot.
    fn is_true(&self, cond: SubExp, at: &Point) -> bool {
        let SubExp::Var(v) = cond else { return cond == SubExp::bool(true) };
        let made = at.stms.iter().find(|s| s.pat.iter().any(|p| p.var == v));
        match made.map(|s| &s.exp) {
            Some(Exp::BinOp(BinOp::LogOr, x, y)) => self.is_true(*x, at) || self.is_true(*y, at),
            Some(Exp::BinOp(BinOp::LogAnd, x, y)) => self.is_true(*x, at) && self.is_true(*y, at),
            Some(Exp::CmpOp(CmpOp::Eq(Prim::Int(I64)), x, y)) => {
                self.defs.equal(&Poly::leaf(*x), &Poly::leaf(*y))
            }
            Some(Exp::CmpOp(CmpOp::SLe(I64), x, y)) => self.exceeds(*y, *x, 0, at),
            Some(Exp::CmpOp(CmpOp::SLt(I64), x, y)) => self.exceeds(*y, *x, 1, at),
            _ => false,
        }
    }

    /// Whether a number is a sum of indexes, sizes of the matrix and little more, which does not overflow.
    fn is_small(&self, x: SubExp, at: &Point) -> bool {
        let column = at.column.map(|c| c.0);
        let sizes = self.shape.iter().flat_map(|n| self.defs.expand(&Poly::leaf(*n)).vars());
        let indexes = [Some(self.k), at.row, column].into_iter().flatten();
        let known: Vec<Var> = indexes.chain(sizes).collect();
        let sum = self.defs.expand(&Poly::leaf(x));
        sum.monomials().all(|(factors, times)| {
            times.unsigned_abs() < SMALL
                && match factors {
                    [] => true,
                    [v] => known.contains(v) && times.unsigned_abs() <= 2,
                    _ => false,
                }
        })
    }

    /// Whether `x - y` is at least a number: it is so far from something of which it is known how much it is at least.
    fn exceeds(&self, x: SubExp, y: SubExp, least: i64, at: &Point) -> bool {
        if ![x, y].iter().all(|x| self.is_small(*x, at)) {
            return false;
        }
        let distance = Poly::leaf(x).sub(&Poly::leaf(y));
        let k = Poly::var(self.k);
        let [n, m] = self.shape.map(Poly::leaf);
        let mut known = vec![(Poly::default(), 0), (k.clone(), 0)];
        known.extend([&n, &m].map(|n| (n.sub(&k), 1)));
        let mut count = |i: Var, n: &Poly, from_pivot: Option<i64>| {
            let i = Poly::var(i);
            known.push((i.clone(), 0));
            known.push((k.add(&i), 0));
            known.push(match from_pivot {
                None => (n.sub(&i), 1),
                Some(more) => (n.sub(&k).sub(&i), 1 + more),
            });
        };
        if let Some(row) = at.row {
            count(row, &n, Some(1));
        }
        if let Some((column, columns)) = at.column {
            count(column, &m, columns.first());
        }
        known.iter().any(|(part, at_least)| {
            let rest = self.defs.expand(&distance.sub(part)).as_const();
            rest.and_then(|r| r.checked_add(*at_least)).is_some_and(|sum| sum >= least)
        })
    }
}

impl Point {
    /// Whether what a statement relies on holds, and nothing is asked of how it is done.
    fn is_plain(&self, s: &Stm) -> bool {
        s.certs.iter().all(|c| self.hold.contains(c))
            && s.attrs.iter().all(|a| *a == StmAttr::Unsafe)
    }

    /// Computes what a map counts from the row or column of an element in the matrix: that less the pivot's and some more.
    fn bind(
        &mut self,
        counted: Var,
        whole: Var,
        (pivot, more): (Var, i64),
        names: &mut NameSource,
    ) {
        let from = names.fresh("from");
        let sum = Exp::BinOp(BinOp::Add(I64), pivot.into(), SubExp::i64(more));
        let rest = Exp::BinOp(BinOp::Sub(I64), whole.into(), from.into());
        self.stms.push(Stm::new(vec![PatElem::new(from, Type::I64)], sum));
        self.stms.push(Stm::new(vec![PatElem::new(counted, Type::I64)], rest));
    }

    /// The value of a formula, whose statements stand here then.
    fn value(&mut self, formula: &Formula) -> Exp {
        for s in &formula.stms {
            if !self.stms.iter().any(|t| t.pat == s.pat) {
                self.stms.push(s.clone());
            }
        }
        Exp::SubExp(formula.result)
    }
}

/// What a value needs of the statements before it.
fn needed(stms: &[Stm], result: SubExp) -> Formula {
    let mut used: VarSet = result.var().into_iter().collect();
    let mut kept: Vec<Stm> = Vec::new();
    for s in stms.iter().rev() {
        if s.pat.iter().any(|p| used.contains(&p.var)) {
            used.extend(free_in_stm(s));
            kept.push(s.clone());
        }
    }
    kept.reverse();
    Formula { stms: kept, result }
}

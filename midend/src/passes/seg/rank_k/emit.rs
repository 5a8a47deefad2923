//! The loop over blocks of rounds, and what is left.

use super::find::{Columns, Formula, Read, Trailing, Update};
use crate::ir::traverse::{Renamer, Rewrite, Subst, rewrite};
use crate::ir::{
    Body, Builder, CmpOp, Const, DimIndex, Exp, IntType, KernelBody, KernelResult, LoopForm,
    NameSource, PatElem, Prim, SegKind, SegLevel, SegOp, SegSpace, Stm, SubExp, Type, Var,
};

/// How many rounds go at a time, and where.
#[derive(Clone, Copy)]
pub(super) struct Blocks {
    /// So many at a time.
    pub rounds: i64,
    /// Matrices with fewer rows or columns go by single rounds.
    pub least: i64,
    /// Columns go in strips that take about so much memory for each row.
    pub strip_bytes: i64,
}

/// The statements that a loop becomes: how many blocks of rounds there are, these, and the loop as it was, for the rounds that are left.
pub(super) fn blocked(stm: &Stm, update: &Update, by: Blocks, names: &mut NameSource) -> Vec<Stm> {
    let mut b = Builder::new(std::mem::replace(names, NameSource::new(0)));
    b.loc = stm.loc;
    b.certs.clone_from(&stm.certs);
    let [n, m] = update.shape;
    // Reads of pivots may stand behind conditions that only hold inside of the matrix.
    let least = b.min(n, m);
    let rounds = b.min(update.rounds, least);
    // What is behind the pivot gets smaller from round to round.
    let few = by.least * if update.trailing.is_some() { 2 } else { 1 };
    let large = b.le(SubExp::i64(few), least);
    let rounds = b.choose(large, rounds, SubExp::i64(0));
    let blocks = b.quot(rounds, SubExp::i64(by.rounds));
    let done = b.mul(blocks, SubExp::i64(by.rounds));

    let ty = array(update.elem, &update.shape);
    let param = b.param("matrix", ty.clone());
    let block = b.fresh("block", Type::I64);
    let matrix = param.var;
    let body = b.body(|b| vec![one_block(b, update, by, (matrix, block)).into()]);
    let form = LoopForm::For { var: block, ty: IntType::I64, bound: blocks };
    // A copy can be overwritten in all rounds. What is updated in slices can be anyway.
    let own = match update.init.var() {
        Some(first) if update.trailing.is_none() => {
            b.emit_as("matrix", ty.clone(), Exp::Copy(first)).into()
        }
        _ => update.init,
    };
    let exp = Exp::Loop { params: vec![param], init: vec![own], form, body };
    let after = b.emit_as("matrix", ty, exp);

    let left = b.sub(update.rounds, done);
    let mut rest = stm.clone();
    if let Exp::Loop { init, form, body, .. } = &mut rest.exp {
        *init = vec![after.into()];
        let counter = b.fresh("k", Type::I64);
        *form = LoopForm::For { var: counter, ty: IntType::I64, bound: left };
        let k = b.body(|b| vec![b.add(counter.into(), done)]);
        let mut stms = k.stms;
        let mut subst: Subst = k.result.iter().map(|k| (update.counter, *k)).collect();
        subst.body(body);
        stms.append(&mut body.stms);
        body.stms = stms;
    }
    b.push(rest);
    let out = b.end();
    *names = b.names;
    out
}

/// What stands for a read of the matrix.
#[derive(Clone, Copy)]
enum Value {
    Is(SubExp),
    At(Var, [SubExp; 2]),
}

/// Where and when an element's round is done, and what it reads.
struct Round {
    point: [SubExp; 2],
    counter: SubExp,
    own: Value,
    column: Value,
    row: Value,
    pivot: Value,
    place: Place,
}

/// Where an element is.
#[derive(Clone, Copy)]
enum Place {
    Anywhere,
    /// In none of the pivots' rows and columns, of which this is the first.
    Outside(SubExp),
    /// Behind the pivot's row and column, or wherever rounds update a row.
    Behind,
    /// Behind the pivot's row, in its column.
    Below,
}

/// The matrix after a block of rounds.
fn one_block(b: &mut Builder, update: &Update, by: Blocks, (matrix, block): (Var, Var)) -> Var {
    let [n, m] = update.shape;
    let (elem, width) = (update.elem, SubExp::i64(by.rounds));
    let first = b.mul(block.into(), width);
    let rounds: Vec<SubExp> = (0..by.rounds).map(|t| b.add(first, SubExp::i64(t))).collect();
    // Rows and columns before these stay as they are.
    let behind = b.add(first, width);
    let zero = SubExp::i64(0);
    let (from, pivots_from) = match update.trailing.as_ref().map(|t| t.columns) {
        None => ([zero; 2], zero),
        Some(Columns::All) => ([behind, zero], zero),
        Some(Columns::FromPivot | Columns::BehindPivot) => ([behind; 2], first),
    };
    let (rows_after, rows) = pivot_rows(b, update, matrix, (first, width), pivots_from);
    let (columns, after) = pivot_columns(b, update, (matrix, rows), &rounds, from[0]);
    let chain = |b: &mut Builder, of: Var, i: SubExp, [row, j]: [SubExp; 2], place| {
        let mut x = SubExp::from(b.index("x", of, &[row, j]));
        for ((t, k), column) in (0..).zip(&rounds).zip(&columns) {
            let v = b.index("v", *column, &[i]);
            let t = SubExp::i64(t);
            let round = Round {
                point: [row, j],
                counter: *k,
                own: Value::Is(x),
                column: Value::Is(v.into()),
                row: rows.at(b, t, j),
                pivot: rows.at(b, t, *k),
                place,
            };
            x = round.emit(b, update);
        }
        vec![x]
    };
    let slice = |start, n| DimIndex::Slice { start, n, stride: SubExp::i64(1) };
    let ty = array(elem, &update.shape);
    let mut out = matrix;
    let put = |b: &mut Builder, out: &mut Var, dims: [DimIndex; 2], value: Var| {
        let exp = Exp::Update { array: *out, dims: dims.into(), value: value.into() };
        *out = b.emit_as("matrix", ty.clone(), exp);
    };
    let below = b.sub(n, from[0]);
    for (j, column) in rounds.iter().zip(after) {
        put(b, &mut out, [slice(from[0], below), DimIndex::Fix(*j)], column);
    }
    let columns_after = update.uses.column_order.then(|| {
        map(b, "columns", &[n, width], &[elem], |b, at| {
            let j = b.add(first, at[1]);
            chain(b, matrix, at[0], [at[0], j], Place::Anywhere)
        })
    });
    let place = if update.trailing.is_some() { Place::Behind } else { Place::Outside(first) };
    out =
        in_strips(b, update, by, (out, from), |b, current, i, at| chain(b, current, i, at, place));
    for columns in columns_after.into_iter().flatten() {
        put(b, &mut out, [slice(zero, n), slice(first, width)], columns);
    }
    if update.uses.row_order || update.trailing.is_some() {
        let all = b.sub(m, pivots_from);
        put(b, &mut out, [slice(first, width), slice(pivots_from, all)], rows_after);
    }
    out
}

/// A map over a matrix from a row and a column on, of which `point` may read its own element, in strips of columns, so that a strip of the
/// pivots' rows stays in the first cache. What is left of a last strip of less than half is part of the one before.
/// `point` gets the index of the map's row besides that of the matrix' row and column.
fn in_strips(
    b: &mut Builder,
    update: &Update,
    by: Blocks,
    (matrix, from): (Var, [SubExp; 2]),
    point: impl FnOnce(&mut Builder, Var, SubExp, [SubExp; 2]) -> Vec<SubExp>,
) -> Var {
    let [n, m] = update.shape;
    let ty = array(update.elem, &update.shape);
    let columns = by.strip_bytes / update.elem.bytes().max(1);
    let [rows, all] = [b.sub(n, from[0]), b.sub(m, from[1])];
    let half = b.add(all, SubExp::i64(columns / 2));
    let strips = b.quot(half, SubExp::i64(columns));
    let strips = b.max(strips, SubExp::i64(1));
    let last = b.sub(strips, SubExp::i64(1));
    let param = b.param("matrix", ty.clone());
    let (current, strip) = (param.var, b.fresh("strip", Type::I64));
    let slice = |start, n| DimIndex::Slice { start, n, stride: SubExp::i64(1) };
    let body = b.body(|b| {
        let distance = b.mul(strip.into(), SubExp::i64(columns));
        let start = b.add(from[1], distance);
        let rest = b.sub(m, start);
        let is_last = b.eq(strip.into(), last);
        let width = b.choose(is_last, rest, SubExp::i64(columns));
        let made = map(b, "strip", &[rows, width], &[update.elem], |b, at| {
            let i = b.add(from[0], at[0]);
            let j = b.add(start, at[1]);
            point(b, current, at[0], [i, j])
        });
        let dims = vec![slice(from[0], rows), slice(start, width)];
        made.into_iter().fold(vec![current.into()], |_, made| {
            let exp = Exp::Update { array: current, dims: dims.clone(), value: made.into() };
            vec![b.emit_as("matrix", ty.clone(), exp).into()]
        })
    });
    let form = LoopForm::For { var: strip, ty: IntType::I64, bound: strips };
    let exp = Exp::Loop { params: vec![param], init: vec![matrix.into()], form, body };
    b.emit_as("matrix", ty.clone(), exp)
}

/// The pivots' rows before their own rounds, from a column on.
#[derive(Clone, Copy)]
struct Pivots {
    rows: Var,
    from: SubExp,
}

impl Pivots {
    /// The element of a row in a column of the matrix.
    fn at(self, b: &mut Builder, row: SubExp, column: SubExp) -> Value {
        Value::At(self.rows, [row, b.sub(column, self.from)])
    }
}

/// The pivots' rows after the rounds of a block, from a column on, and each before its own round.
fn pivot_rows(
    b: &mut Builder,
    update: &Update,
    matrix: Var,
    (first, width): (SubExp, SubExp),
    from: SubExp,
) -> (Var, Pivots) {
    let m = b.sub(update.shape[1], from);
    let shape = [width, m];
    let ty = array(update.elem, &shape);
    let rows = [first, from].into_iter().zip(shape);
    let dims =
        rows.map(|(start, n)| DimIndex::Slice { start, n, stride: SubExp::i64(1) }).collect();
    let view = b.emit_as("pivots", ty.clone(), Exp::Index { array: matrix, dims });
    let before = b.emit_as("pivots", ty.clone(), Exp::Copy(view));
    let scratch = Exp::Scratch { elem: update.elem, shape: shape.to_vec() };
    let scratch = b.emit_as("rows", ty.clone(), scratch);
    let [pivots, before_own] = ["pivots", "rows"].map(|name| b.param(name, ty.clone()));
    let t = b.fresh("t", Type::I64);
    let body = b.body(|b| {
        let row = vec![DimIndex::Fix(t.into()), DimIndex::full(m)];
        let view = Exp::Index { array: pivots.var, dims: row.clone() };
        let view = b.emit_as("row", array(update.elem, &[m]), view);
        let kept = Exp::Update { array: before_own.var, dims: row, value: view.into() };
        let kept = b.emit_as("rows", ty.clone(), kept);
        let k = b.add(first, t.into());
        let next = map(b, "pivots", &shape, &[update.elem], |b, at| {
            let s = at[0];
            let point = [b.add(first, s), b.add(from, at[1])];
            let [now, kept] = [pivots.var, kept].map(|rows| Pivots { rows, from });
            let round = Round {
                point,
                counter: k,
                own: now.at(b, s, point[1]),
                column: now.at(b, s, k),
                row: kept.at(b, t.into(), point[1]),
                pivot: kept.at(b, t.into(), k),
                place: Place::Anywhere,
            };
            vec![round.emit(b, update)]
        });
        next.into_iter().chain([kept]).map(SubExp::from).collect()
    });
    let pat: Vec<PatElem> = ["pivots", "rows"].map(|name| b.pat(name, ty.clone())).into();
    let [after, rows] = [pat.first(), pat.last()].map(|p| p.map_or(view, |p| p.var));
    let form = LoopForm::For { var: t, ty: IntType::I64, bound: width };
    let init = vec![before.into(), scratch.into()];
    b.bind(pat, Exp::Loop { params: vec![pivots, before_own], init, form, body });
    (after, Pivots { rows, from })
}

/// By round, the elements of the pivot's column before it, from a row on; and where rounds leave what is not behind the pivot, all columns after
/// all rounds, if some of them are not part of what all columns do.
fn pivot_columns(
    b: &mut Builder,
    update: &Update,
    (matrix, rows): (Var, Pivots),
    rounds: &[SubExp],
    from: SubExp,
) -> (Vec<Var>, Vec<Var>) {
    let apart = update.trailing.as_ref().is_some_and(|t| t.columns != Columns::All);
    let sets = if apart { 2 } else { 1 };
    let elems = vec![update.elem; sets * rounds.len()];
    let n = b.sub(update.shape[0], from);
    let place = if update.trailing.is_some() { Place::Behind } else { Place::Anywhere };
    let mut before = map(b, "column", &[n], &elems, |b, at| {
        let i = b.add(from, at[0]);
        let mut of_row: Vec<SubExp> =
            rounds.iter().map(|j| b.index("c", matrix, &[i, *j]).into()).collect();
        let mut after = Vec::new();
        for ((t, k), round_of) in rounds.iter().enumerate().zip(0..) {
            let Some(column) = of_row.get(t).copied() else { continue };
            let round_of = SubExp::i64(round_of);
            let round = |b: &mut Builder, j: SubExp, own, place| Round {
                point: [i, j],
                counter: *k,
                own: Value::Is(own),
                column: Value::Is(column),
                row: rows.at(b, round_of, j),
                pivot: rows.at(b, round_of, *k),
                place,
            };
            if apart {
                after.push(round(b, *k, column, Place::Below).emit(b, update));
            }
            // Those before are not read any more.
            for (j, x) in rounds.iter().zip(&mut of_row).skip(t + 1) {
                *x = round(b, *j, *x, place).emit(b, update);
            }
        }
        of_row.extend(after);
        of_row
    });
    let after = before.split_off(rounds.len().min(before.len()));
    (before, after)
}

impl Round {
    /// Emits a copy of what is done, and yields the element.
    fn emit(&self, b: &mut Builder, update: &Update) -> SubExp {
        let all = (update.stms.as_slice(), update.result);
        match (&update.trailing, self.place) {
            (None, _) | (Some(_), Place::Behind | Place::Outside(_)) => self.copy(b, update, all),
            (Some(t), Place::Below) => self.below(b, update, t),
            (Some(t), Place::Anywhere) => self.anywhere(b, update, t),
        }
    }

    /// In the pivot's column, behind its row.
    fn below(&self, b: &mut Builder, update: &Update, trailing: &Trailing) -> SubExp {
        match (&trailing.column, trailing.columns) {
            (Some(Formula { stms, result }), _) => self.copy(b, update, (stms, *result)),
            (None, Columns::BehindPivot) => self.own(b),
            (None, _) => self.copy(b, update, (&update.stms, update.result)),
        }
    }

    /// All that may be done anywhere is computed, as nothing of it fails, and chosen from.
    fn anywhere(&self, b: &mut Builder, update: &Update, trailing: &Trailing) -> SubExp {
        let ([i, j], k) = (self.point, self.counter);
        let own = self.own(b);
        let mut x = self.copy(b, update, (&update.stms, update.result));
        let inside = match trailing.columns {
            Columns::All => SubExp::bool(true),
            Columns::FromPivot => b.le(k, j),
            Columns::BehindPivot => b.lt(k, j),
        };
        x = select(b, update.elem, inside, x, own);
        if let Some(Formula { stms, result }) = &trailing.column {
            let at = b.eq(j, k);
            let column = self.copy(b, update, (stms, *result));
            x = select(b, update.elem, at, column, x);
        }
        let behind = b.lt(k, i);
        select(b, update.elem, behind, x, own)
    }

    fn own(&self, b: &mut Builder) -> SubExp {
        match self.own {
            Value::Is(x) => x,
            Value::At(array, at) => b.index("x", array, &at).into(),
        }
    }

    fn copy(&self, b: &mut Builder, update: &Update, (stms, x): (&[Stm], SubExp)) -> SubExp {
        let mut body = Body { stms: stms.to_vec(), result: vec![x] };
        Reads { update, round: self }.body(&mut body);
        let mut subst = Subst::new();
        subst.insert(update.counter, self.counter);
        for (v, x) in update.point.into_iter().zip(self.point) {
            subst.insert(v, x);
        }
        Renamer::with(&mut b.names, subst).body(&mut body);
        b.push_all(body.stms);
        body.result.pop().unwrap_or(x)
    }
}

/// One of two elements at hand.
fn select(b: &mut Builder, elem: Prim, cond: SubExp, yes: SubExp, no: SubExp) -> SubExp {
    if let SubExp::Const(Const::Bool(c)) = cond {
        return if c { yes } else { no };
    }
    let one = |x| Body { stms: Vec::new(), result: vec![x] };
    let cases = vec![(Const::Bool(true), one(yes))];
    let exp = Exp::Match { scrutinee: cond, cases, default: one(no) };
    b.emit_as("x", Type::Prim(elem), exp).into()
}

/// Puts what stands for reads of the matrix in their place, and what comparisons with pivots come to.
struct Reads<'r> {
    update: &'r Update,
    round: &'r Round,
}

impl Rewrite for Reads<'_> {
    fn stm(&mut self, s: &mut Stm) {
        let round = self.round;
        if let Some(read) = self.update.read(&s.exp) {
            let value = match read {
                Read::Own => round.own,
                Read::Column => round.column,
                Read::Row => round.row,
                Read::Pivot => round.pivot,
            };
            s.exp = match value {
                Value::Is(x) => Exp::SubExp(x),
                Value::At(array, at) => {
                    Exp::Index { array, dims: at.into_iter().map(DimIndex::Fix).collect() }
                }
            };
        } else if let (Some((at, pivot_first)), Place::Outside(first)) =
            (self.update.order(&s.exp), round.place)
            && let Some(x) = round.point.get(at).copied()
        {
            s.exp = match &s.exp {
                Exp::CmpOp(CmpOp::Eq(_), ..) => Exp::SubExp(Const::Bool(false).into()),
                _ if pivot_first => Exp::CmpOp(CmpOp::SLt(IntType::I64), first, x),
                _ => Exp::CmpOp(CmpOp::SLt(IntType::I64), x, first),
            };
        }
        rewrite::stm(self, s);
    }
}

fn array(elem: Prim, shape: &[SubExp]) -> Type {
    Type::Array { elem, shape: shape.to_vec() }
}

/// A map by this thread that yields a scalar of each type at each point.
fn map(
    b: &mut Builder,
    name: &str,
    shape: &[SubExp],
    elems: &[Prim],
    point: impl FnOnce(&mut Builder, &[SubExp]) -> Vec<SubExp>,
) -> Vec<Var> {
    let dims: Vec<(Var, SubExp)> = shape.iter().map(|n| (b.fresh("i", Type::I64), *n)).collect();
    let at: Vec<SubExp> = dims.iter().map(|(v, _)| (*v).into()).collect();
    let Body { stms, result } = b.body(|b| point(b, &at));
    let body = KernelBody {
        stms,
        results: result.into_iter().map(KernelResult::Return).collect(),
        types: elems.iter().map(|e| Type::Prim(*e)).collect(),
    };
    let op = SegOp { level: SegLevel::Seq, space: SegSpace { dims }, kind: SegKind::Map, body };
    let pat: Vec<PatElem> = elems.iter().map(|e| b.pat(name, array(*e, shape))).collect();
    let vars = pat.iter().map(|p| p.var).collect();
    b.bind(pat, Exp::Seg(op));
    vars
}

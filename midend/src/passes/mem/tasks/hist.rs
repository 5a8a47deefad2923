//! Histograms without segments: every task has destinations of its own, which are put together in order.
//!
//! ```text
//! let h @ d = seghist seq (i < n)        if tasks ≤ 1 { … as before … } else {
//!   into [k] [d] op { … }           →      segmap tasks (t < tasks) {
//!                                            own @ all → {t·k; (k, 1)} = replicate [k] neutral
//!                                            seghist seq (j < len) into [k] [own] op { i = j + lo … }
//!                                          }
//!                                          if few { loop d for t < tasks do segmap seq (b < k) { op d[b] all[t, b] } }
//!                                          else { segmap tasks (r < ranges) { … the same of d[lo :+ len] … } }
//!                                        }
//! ```
//!
//! There are so few tasks that making and putting together their destinations takes little beside what the elements
//! take that are put into them. They are put together in the order of tasks, rows that lie side by side by
//! vectors, in ranges of buckets that stay in the first cache while all tasks' go by. Where the operators are exact, there are a few
//! tasks for each thread, and one thread alone needs no destinations of its own.

use super::cutter::{Cut, is_exact, over, tasks};
use super::grain::Grain;
use super::space::{self, Chunks, I64, Independent, Least, Wanted};
use super::versions::Alone;
use super::work::Estimate;
use crate::ir::traverse::{Renamer, Rewrite};
use crate::ir::{
    Body, Builder, Const, DimIndex, Exp, HistOp, KernelBody, KernelResult, Lmad, LoopForm, MemBind,
    MemSpace, Param, PatElem, Poly, Prim, SegKind, SegLevel, SegOp, SegSpace, Size64, Stm, SubExp,
    Type, Var,
};

/// Tasks for each thread where any number comes to the same, as every one has destinations.
const TASKS_OF_WORKER: i64 = 4;
/// How often what the destinations of a task take goes into what its elements take, by estimates: most elements take less.
const WORTH: i64 = 8;
/// Picoseconds to make a destination and to put it together with others.
const DESTINATION: i64 = 500;
/// More destinations are taken for so many, so that products fit a word.
const MOST_DESTINATIONS: i64 = 1 << 40;
/// Elements of a range of destinations that one thread puts together at a time: less than the first cache has.
const RANGE: i64 = 1 << 12;
/// Elements of all destinations that one thread puts together in a few microseconds.
const FEW_ELEMENTS: i64 = 1 << 16;
/// The same in tests, which have few.
const FEW_IN_TESTS: i64 = 8;

/// The destinations of one operator in all tasks: an array with a row for each task.
struct Own {
    elem: Prim,
    block: Var,
    shape: Vec<SubExp>,
    all: PatElem,
}

impl Cut {
    pub(super) fn histogram(&mut self, s: &Stm, op: &SegOp, ops: &[HistOp]) -> Option<Vec<Stm>> {
        let (_, n) = *op.space.dims.first()?;
        s.pat.iter().map(|p| p.ty.elem()).collect::<Option<Vec<Prim>>>()?;
        let shapes: Vec<&[SubExp]> =
            ops.iter().flat_map(|h| h.dests.iter().map(move |_| h.shape.as_slice())).collect();
        let scalars = s.pat.iter().zip(&shapes).all(|(p, shape)| p.ty.rank() == shape.len());
        if !scalars || shapes.len() != s.pat.len() {
            return None;
        }
        let b = &mut self.b;
        b.loc = s.loc;
        b.begin();
        let estimate = Estimate::of(op, 1, self.grain, b);
        let mut buckets = SubExp::i64(0);
        for shape in &shapes {
            let size = b.product(shape);
            buckets = b.add(buckets, size);
        }
        let buckets = b.min(buckets, SubExp::i64(MOST_DESTINATIONS));
        let exact = self.grain == Grain::Estimated && ops.iter().all(|h| is_exact(&h.op.op));
        let cost = b.mul(buckets, SubExp::i64(WORTH * DESTINATION));
        let of_point = b.max(estimate.of_point, SubExp::i64(1));
        let least = b.quot(cost, of_point);
        let least = b.max(least, SubExp::i64(1));
        let space = Independent::row(n);
        let Some(tasks) = space::tasks_of(&space.sizes, estimate, b) else {
            b.end();
            return None;
        };
        let wanted = Wanted { tasks, several: false };
        let wanted =
            if exact { space::for_workers(wanted, Some(TASKS_OF_WORKER), b) } else { wanted };
        let chunks = space.chunks(wanted, Least::points(least), 1, b)?;
        let one = b.le(chunks.count, SubExp::i64(1));
        self.versions(s, (one, Alone::AnySize), |cut, s| {
            cut.histogram_in_tasks(s, op, ops, &chunks)
        })?;
        Some(self.b.end())
    }

    fn histogram_in_tasks(
        &mut self,
        s: &Stm,
        op: &SegOp,
        ops: &[HistOp],
        chunks: &Chunks,
    ) -> Option<Vec<SubExp>> {
        let b = &mut self.b;
        let elems: Vec<Prim> = s.pat.iter().map(|p| p.ty.elem()).collect::<Option<Vec<Prim>>>()?;
        let shapes: Vec<&[SubExp]> =
            ops.iter().flat_map(|h| h.dests.iter().map(move |_| h.shape.as_slice())).collect();
        let own: Vec<Own> =
            (elems.iter().zip(&shapes)).map(|(e, s)| own(*e, s, chunks.count, b)).collect();
        b.begin();
        let t = b.names.fresh("task");
        let ranges = chunks.ranges(t, b);
        let mut rows = own.iter().zip(ops.iter().flat_map(|h| &h.op.neutral)).map(|(own, x)| {
            let row = own.row(t, b);
            let exp = Exp::Replicate { shape: own.shape.clone(), value: *x };
            b.push(Stm { loc: s.loc, ..Stm::new(vec![row.clone()], exp) });
            row
        });
        let rows: Vec<PatElem> = rows.by_ref().collect();
        let mut part = over(op.clone(), &ranges, &self.places, b);
        let mut next = rows.iter().map(|p| p.var);
        if let SegKind::Hist(ops) = &mut part.kind {
            for dest in ops.iter_mut().flat_map(|h| &mut h.dests) {
                *dest = next.next()?;
            }
        }
        let pat = b.renamed(&rows);
        b.push(Stm { pat, exp: Exp::Seg(part), schedule: None, ..s.clone() });
        let body = KernelBody { stms: b.end(), results: Vec::new(), types: Vec::new() };
        b.push(tasks(Vec::new(), t, chunks.count, body, s));
        let (mut at, mut result) = (0, Vec::new());
        for h in ops {
            let end = at + h.dests.len();
            let places = s.pat.get(at..end)?;
            let own = own.get(at..end)?;
            let b = &mut self.b;
            let pat = b.renamed(places);
            result.extend(results(&pat));
            let most = if self.grain == Grain::Smallest { FEW_IN_TESTS } else { FEW_ELEMENTS };
            let few = is_few(own, chunks.count, most, b);
            let rows = row_by_row((s, places), h, own, chunks.count, b);
            let rows = version(s, places, rows, b);
            let default = self.in_ranges((s, places), h, own, chunks.count)?;
            let cases = vec![(Const::Bool(true), rows)];
            let exp = Exp::Match { scrutinee: few, cases, default };
            let b = &mut self.b;
            b.push(Stm { loc: s.loc, ..Stm::new(pat, exp) });
            at = end;
        }
        Some(result)
    }

    /// What the tasks' destinations and the given ones come to, in the places of these: in tasks, each of which has a range of
    /// buckets.
    fn in_ranges(
        &mut self,
        (s, places): (&Stm, &[PatElem]),
        h: &HistOp,
        own: &[Own],
        count: SubExp,
    ) -> Option<Body> {
        let (n, inner) = h.shape.split_first()?;
        let most = if self.grain == Grain::Smallest { 2 } else { RANGE };
        let b = &mut self.b;
        b.begin();
        let of_first = b.product(inner);
        let of_first = b.max(of_first, SubExp::i64(1));
        let length = b.quot(SubExp::i64(most), of_first);
        let length = b.max(length, SubExp::i64(1));
        let wanted = Wanted { tasks: space::quotient_up(*n, length, b), several: false };
        let chunks = Independent::row(*n).chunks(wanted, Least::one(), 1, b)?;
        b.begin();
        let t = b.names.fresh("range");
        let ranges = chunks.ranges(t, b);
        let [range] = *ranges.as_slice() else { return None };
        let mut h = h.clone();
        *h.shape.first_mut()? = range.len;
        let part = DimIndex::Slice { start: range.first, n: range.len, stride: SubExp::i64(1) };
        let dims: Vec<DimIndex> =
            std::iter::once(part).chain(inner.iter().map(|n| DimIndex::full(*n))).collect();
        let mut parts = b.renamed(places);
        for (p, dest) in parts.iter_mut().zip(&mut h.dests) {
            space::narrow(p, &ranges);
            let p = b.renamed(std::slice::from_ref(p)).pop()?;
            let view = Exp::Index { array: std::mem::replace(dest, p.var), dims: dims.clone() };
            b.push(Stm { loc: s.loc, ..Stm::new(vec![p], view) });
        }
        let of_tasks: Vec<DimIndex> = std::iter::once(DimIndex::full(count)).chain(dims).collect();
        let mut own_parts = Vec::with_capacity(own.len());
        for own in own {
            let mem = own.all.mem.as_ref()?;
            let lmad = mem.lmad.slice(&of_tasks);
            let shape: Vec<SubExp> =
                std::iter::once(count).chain(h.shape.iter().copied()).collect();
            let all = PatElem::in_mem(
                b.names.fresh("own"),
                Type::array(own.elem, shape),
                MemBind { block: mem.block, lmad },
            );
            let view = Exp::Index { array: own.all.var, dims: of_tasks.clone() };
            b.push(Stm { loc: s.loc, ..Stm::new(vec![all.clone()], view) });
            own_parts.push(Own { elem: own.elem, block: own.block, shape: h.shape.clone(), all });
        }
        let rows = row_by_row((s, &parts), &h, &own_parts, count, b);
        b.push(Stm { pat: parts, exp: rows, schedule: None, ..s.clone() });
        let body = KernelBody { stms: b.end(), results: Vec::new(), types: Vec::new() };
        b.push(tasks(Vec::new(), t, chunks.count, body, s));
        // The same arrays, which have been written.
        let whole = b.renamed(places);
        let result = results(&whole);
        for (p, elem) in whole.into_iter().zip(own) {
            let shape = p.ty.shape().to_vec();
            b.push(Stm {
                loc: s.loc,
                ..Stm::new(vec![p], Exp::Scratch { elem: elem.elem, shape })
            });
        }
        Some(Body { stms: b.end(), result })
    }
}

/// Room for the destinations of all tasks.
fn own(elem: Prim, shape: &[SubExp], tasks: SubExp, b: &mut Builder) -> Own {
    let block = b.names.fresh("mem");
    let whole: Vec<SubExp> = std::iter::once(tasks).chain(shape.iter().copied()).collect();
    let room = PatElem { var: block, ty: Type::Mem(MemSpace::Host), mem: None };
    let bytes: Size64 = Size64::bytes(elem, &whole);
    b.push(Stm::new(vec![room], Exp::Alloc { bytes, space: MemSpace::Host }));
    let lmad = Lmad::row_major(&whole);
    let ty = Type::array(elem, whole.clone());
    let var = b.names.fresh("own");
    let all = PatElem::in_mem(var, ty, MemBind { block, lmad });
    b.push(Stm::new(vec![all.clone()], Exp::Scratch { elem, shape: whole }));
    Own { elem, block, shape: shape.to_vec(), all }
}

impl Own {
    /// The destination of a task.
    fn row(&self, t: Var, b: &mut Builder) -> PatElem {
        let size = self.shape.iter().fold(Poly::constant(1), |p, n| p.mul(&Poly::leaf(*n)));
        let lmad = Lmad::row_major_at(&size.mul(&Poly::var(t)), &self.shape);
        let ty = Type::array(self.elem, self.shape.clone());
        PatElem::in_mem(b.names.fresh("own"), ty, MemBind { block: self.block, lmad })
    }
}

fn results(pat: &[PatElem]) -> Vec<SubExp> {
    pat.iter().map(|p| p.var.into()).collect()
}

/// A body of one statement in place of `s`, with these results.
fn version(s: &Stm, places: &[PatElem], exp: Exp, b: &mut Builder) -> Body {
    let pat = b.renamed(places);
    let result = results(&pat);
    Body { stms: vec![Stm { pat, exp, schedule: None, ..s.clone() }], result }
}

/// Whether all destinations are no more elements than one thread puts together.
fn is_few(own: &[Own], tasks: SubExp, most: i64, b: &mut Builder) -> SubExp {
    let mut all = SubExp::i64(0);
    for own in own {
        let buckets = b.product(&own.shape);
        let buckets = b.min(buckets, SubExp::i64(MOST_DESTINATIONS));
        all = b.add(all, buckets);
    }
    let all = b.mul(all, tasks);
    b.le(all, SubExp::i64(most))
}

/// Elements of destinations, by the indexes of a space, and of a task among those of all.
fn elements(
    arrays: &[(Var, Prim)],
    vars: &[Var],
    at: Option<Var>,
    dims: &[(Var, SubExp)],
) -> Vec<Stm> {
    let fixed: Vec<DimIndex> =
        (at.into_iter().chain(dims.iter().map(|d| d.0))).map(|i| DimIndex::Fix(i.into())).collect();
    (arrays.iter().zip(vars))
        .map(|((array, elem), v)| {
            let element = Exp::Index { array: *array, dims: fixed.clone() };
            Stm::new(vec![PatElem::new(*v, Type::Prim(*elem))], element)
        })
        .collect()
}

/// What the tasks' destinations and the given ones come to, in the places of these: task by task, where rows are put together by
/// vectors.
fn row_by_row(
    (s, places): (&Stm, &[PatElem]),
    h: &HistOp,
    own: &[Own],
    tasks: SubExp,
    b: &mut Builder,
) -> Exp {
    let dims: Vec<(Var, SubExp)> = h.shape.iter().map(|n| (b.names.fresh("i"), *n)).collect();
    let t = b.names.fresh("task");
    let params: Vec<Param> = (b.renamed(places).into_iter())
        .map(|p| Param { mem: p.mem, ..Param::new(p.var, p.ty) })
        .collect();
    let mut op = h.op.op.clone();
    Renamer::new(&mut b.names).lambda(&mut op);
    let vars: Vec<Var> = op.params.iter().map(|p| p.var).collect();
    let (acc, values) = vars.split_at(own.len());
    let before: Vec<_> = params.iter().zip(own).map(|(p, own)| (p.var, own.elem)).collect();
    let of_task: Vec<_> = own.iter().map(|own| (own.all.var, own.elem)).collect();
    let mut stms = elements(&before, acc, None, &dims);
    stms.extend(elements(&of_task, values, Some(t), &dims));
    stms.extend(op.body.stms);
    let results = op.body.result.into_iter().map(KernelResult::Return).collect();
    let body = KernelBody { stms, results, types: op.ret };
    let space = SegSpace { dims };
    let map = SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body };
    let body = version(s, places, Exp::Seg(map), b);
    let init = h.dests.iter().map(|v| SubExp::from(*v)).collect();
    Exp::Loop { params, init, form: LoopForm::For { var: t, ty: I64, bound: tasks }, body }
}

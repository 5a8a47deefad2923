//! Histograms without segments: every task has destinations of its own, which are put together in order.
//!
//! ```text
//! let h @ d = seghist seq (i < n)        if tasks ≤ 1 { … as before … } else {
//!   into [k] [d] op { … }           →      segmap tasks (t < tasks) {
//!                                            own @ all → {t·k; (k, 1)} = replicate [k] neutral
//!                                            seghist seq (j < len) into [k] [own] op { i = j + lo … }
//!                                          }
//!                                          if small { loop d for t < tasks do segmap seq (b < k) { op d[b] all[t, b] } }
//!                                          else { segmap seq (b < k) { loop x = d[b] for t < tasks do op x all[t, b] } }
//!                                        }
//! ```
//!
//! There are so few tasks that making and putting together their destinations takes little beside what the elements
//! take that are put into them. They are put together in the order of tasks either way: rows that lie side by side go by vectors, but
//! the given destinations are read and written for each task. Where the operators are exact, there are a few tasks for each
//! thread, and one thread alone needs no destinations of its own.

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
/// Bytes of destinations that stay in the second cache.
const IN_CACHE: i64 = 256 << 10;

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
            let pat = b.renamed(places);
            result.extend(results(&pat));
            let small = is_small(own, b);
            let rows = row_by_row((s, places), h, own, chunks.count, b);
            let rows = version(s, places, rows, b);
            let buckets = bucket_by_bucket(h, own, chunks.count, b);
            let default = version(s, places, buckets, b);
            let cases = vec![(Const::Bool(true), rows)];
            let exp = Exp::Match { scrutinee: small, cases, default };
            b.push(Stm { loc: s.loc, ..Stm::new(pat, exp) });
            at = end;
        }
        Some(result)
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

/// Whether the given destinations stay in the second cache while those of all tasks go by.
fn is_small(own: &[Own], b: &mut Builder) -> SubExp {
    let mut bytes = SubExp::i64(0);
    for own in own {
        let buckets = b.product(&own.shape);
        let buckets = b.min(buckets, SubExp::i64(MOST_DESTINATIONS));
        let size = own.elem.bytes();
        let here = b.mul(buckets, SubExp::i64(size));
        bytes = b.add(bytes, here);
    }
    b.le(bytes, SubExp::i64(IN_CACHE))
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

/// The same, bucket by bucket.
fn bucket_by_bucket(h: &HistOp, own: &[Own], tasks: SubExp, b: &mut Builder) -> Exp {
    let dims: Vec<(Var, SubExp)> = h.shape.iter().map(|n| (b.names.fresh("i"), *n)).collect();
    let before: Vec<_> = h.dests.iter().zip(own).map(|(v, own)| (*v, own.elem)).collect();
    let of_task: Vec<_> = own.iter().map(|own| (own.all.var, own.elem)).collect();
    let first: Vec<Var> = own.iter().map(|_| b.names.fresh("x")).collect();
    let mut stms = elements(&before, &first, None, &dims);
    let t = b.names.fresh("task");
    let mut op = h.op.op.clone();
    Renamer::new(&mut b.names).lambda(&mut op);
    let (acc, values) = op.params.split_at(own.len());
    let vars: Vec<Var> = values.iter().map(|p| p.var).collect();
    let mut inside = elements(&of_task, &vars, Some(t), &dims);
    inside.extend(op.body.stms);
    let params: Vec<Param> = acc.to_vec();
    let pat: Vec<PatElem> =
        params.iter().map(|p| PatElem::new(b.names.like(p.var), p.ty.clone())).collect();
    let results = pat.iter().map(|p| KernelResult::Return(p.var.into())).collect();
    let types = pat.iter().map(|p| p.ty.clone()).collect();
    let init = first.into_iter().map(SubExp::from).collect();
    let form = LoopForm::For { var: t, ty: I64, bound: tasks };
    let body = Body { stms: inside, result: op.body.result };
    stms.push(Stm::new(pat, Exp::Loop { params, init, form, body }));
    Exp::Seg(SegOp {
        level: SegLevel::Seq,
        space: SegSpace { dims },
        kind: SegKind::Map,
        body: KernelBody { stms, results, types },
    })
}

//! Filters and partitions, which are loops by then ([`crate::passes::seg::compact`]): every task compacts a range into
//! buffers of its own, and copies these to where the tasks before it end.
//!
//! ```text
//! (c, out) = loop (c = 0, out = buffer)      if tasks ≤ 1 { … as before … } else {
//!   for i < n {                                ends = segmap tasks (t < tasks) {
//!   …                                            lo = t · size;  len = min(size, n − lo)
//!   out' = update out[c] with x            →     (k, own) = loop (c = 0, own = scratch) for j < len { i = j + lo … }
//!   in (c + f, out')                             start = prefix(k) (+)
//! }                                              out[start :+ k] = own[0 :+ k]
//!                                                in (return start + k)
//!                                              }
//!                                              c = ends[tasks − 1]
//!                                            }
//! ```
//!
//! What is stored at `c` though it is not kept is overwritten by what comes next: in the output itself another task would
//! have written there. One thread alone has no use for them. A range fits the second cache, so that its buffers cost little. Places are counts, or what is left
//! of the index when counts are taken from it. What else is accumulated, as by scans of what is filtered, is known before tasks
//! begin ([`super::sums`]).

use super::cutter::{Cut, block, tasks, value_of_tasks};
use super::grain::Grain;
use super::space;
use super::versions::Alone;
use super::work::Estimate;
use crate::analysis::bodies::reads_from_anywhere;
use crate::analysis::filters::{Filter, Place};
use crate::analysis::sums::Counted;
use crate::ir::{
    Builder, DimIndex, Exp, KernelBody, KernelResult, Lmad, LoopForm, MemBind, PatElem, Prim,
    Reduction, Size64, Stm, SubExp, Type, Var,
};

/// Bytes of the buffers of a task at most: a part of a second cache.
const RANGE_BYTES: i64 = 128 << 10;
/// Picoseconds that moving a byte takes, at least. Filters that take no more for each of an element's bytes have been seen to take 0.7 to
/// 1.8 of one thread's time with two, the more elements are kept, and 0.6 to 1.2 if they take more.
const CHEAP_BYTE: i64 = 200;
/// Counts that the runtime has room for in a prefix.
const MOST_COUNTS: usize = 32;

/// Whether elements are read where sums say: from everywhere, and from what other threads have written, so that the search for
/// neighbours in graphs by two threads takes up to twice as long.
fn follows_sums(f: &Filter<'_>) -> bool {
    let Some(sums) = &f.sums else { return false };
    let next = sums.all.iter().filter_map(|s| f.rounds.body.result.get(s.at)?.var()).collect();
    reads_from_anywhere(&f.rounds.body.stms, next)
}

/// Bytes of an element of each output.
fn bytes(f: &Filter<'_>) -> i64 {
    f.outputs.iter().map(|o| o.elem.bytes()).sum()
}

/// Whether a filter takes little besides moving elements, which memory limits whoever does it. Two threads that do it twice, as
/// their buffers are copied, take up to twice as long as one.
fn is_copying(f: &Filter<'_>, estimate: Estimate) -> bool {
    let of_round = match estimate.of_point {
        SubExp::Const(c) => c.as_int(),
        SubExp::Var(_) => None,
    };
    f.sums.is_none() && of_round.is_some_and(|c| c <= CHEAP_BYTE * bytes(f))
}

impl Cut {
    /// A filter in tasks, if it may be worth that.
    pub(super) fn filter(&mut self, s: &Stm) -> Option<Vec<Stm>> {
        let filter = Filter::find(s, &self.scratch).filter(|f| f.counts.len() <= MOST_COUNTS)?;
        if follows_sums(&filter) {
            return None;
        }
        let Counted { index, n, body, .. } = filter.rounds;
        let (wanted, estimate) = self.begin_loop(s, (index, n), body)?;
        let threads = if is_copying(&filter, estimate) { 2 } else { 1 };
        let single = space::alone((wanted, threads), &mut self.b);
        self.versions(s, (single, Alone::AnySize), |cut, s| {
            let b = &mut cut.b;
            let most = match cut.grain {
                Grain::Smallest => i64::MAX,
                Grain::Estimated => RANGE_BYTES / bytes(&filter).max(1),
            };
            let size = space::quotient_up(n, wanted, b);
            let size = b.min(size, SubExp::i64(most));
            let size = b.max(size, SubExp::i64(1));
            let count = space::quotient_up(n, size, b);
            Some(cut.compact_in_tasks(s, &filter, size, count))
        })?;
        Some(self.b.end())
    }

    /// The tasks; what the loop comes to.
    fn compact_in_tasks(
        &mut self,
        s: &Stm,
        f: &Filter<'_>,
        size: SubExp,
        count: SubExp,
    ) -> Vec<SubExp> {
        let rounds = f.rounds;
        let sums = f.sums.as_ref().map(|sums| self.sums_before_tasks(s, sums, (size, count)));
        let b = &mut self.b;
        // Where tasks end.
        let ends: Vec<PatElem> = (f.counts.iter())
            .map(|_| value_of_tasks("ends", Prim::Int(space::I64), count, b))
            .collect();
        b.begin();
        let t = b.names.fresh("task");
        let first = b.mul(t.into(), size);
        let rest = b.sub(rounds.n, first);
        let len = b.min(size, rest);
        let mut init = rounds.init.to_vec();
        if let (Some(all), Some(sums)) = (&f.sums, &sums) {
            let starts: Vec<SubExp> =
                sums.before.iter().map(|v| b.index("start", *v, &[t.into()]).into()).collect();
            all.begin_with(&starts, &mut init);
        }
        let made = own_loop(f, init, (first, len), size, b);
        let kept: Vec<(Var, SubExp)> =
            f.counts.iter().map(|c| (rounds.params[c.at].var, made[c.at].var.into())).collect();
        let ops = kept.iter().map(|_| sum(b)).collect();
        let pat: Vec<PatElem> = kept.iter().map(|_| b.pat("start", Type::I64)).collect();
        let starts: Vec<(Var, SubExp)> =
            pat.iter().zip(&kept).map(|(p, (count, _))| (*count, p.var.into())).collect();
        let values = kept.iter().map(|k| k.1).collect();
        b.push(Stm { loc: s.loc, ..Stm::new(pat, Exp::Prefix { ops, values }) });
        for o in &f.outputs {
            let (own, to) = (&made[o.at], &rounds.params[o.at]);
            let (Some(own_mem), Some(to_mem)) = (&own.mem, &to.mem) else { continue };
            let start = place_at(&o.place, &starts, first, b);
            let len = place_at(&o.place, &kept, len, b);
            let slice = |start| DimIndex::Slice { start, n: len, stride: SubExp::i64(1) };
            let view = |from: SubExp, var: Var, mem: &MemBind| {
                let lmad = mem.lmad.slice(&[slice(from)]);
                let ty = Type::array(o.elem, vec![len]);
                PatElem::in_mem(var, ty, MemBind { block: mem.block, lmad })
            };
            let all = view(SubExp::i64(0), b.names.like(own.var), own_mem);
            let array = all.var;
            let exp = Exp::Index { array: own.var, dims: vec![slice(SubExp::i64(0))] };
            b.push(Stm { loc: s.loc, ..Stm::new(vec![all], exp) });
            let piece = view(start, b.names.like(to.var), to_mem);
            b.push(Stm { loc: s.loc, ..Stm::new(vec![piece], Exp::Copy(array)) });
        }
        let results = (starts.iter().zip(&kept))
            .map(|((_, start), (_, kept))| KernelResult::Return(b.add(*start, *kept)))
            .collect();
        let body = KernelBody { stms: b.end(), results, types: vec![Type::I64; ends.len()] };
        b.push(tasks(ends.clone(), t, count, body, s));
        let last = b.sub(count, SubExp::i64(1));
        let mut result = rounds.init.to_vec();
        if let (Some(all), Some(sums)) = (&f.sums, &sums) {
            all.begin_with(&sums.whole, &mut result);
        }
        for (c, end) in f.counts.iter().zip(&ends) {
            result[c.at] = b.index("kept", end.var, &[last]).into();
        }
        result
    }
}

/// The loop over a range, into arrays of its own; what it binds.
fn own_loop(
    f: &Filter<'_>,
    mut init: Vec<SubExp>,
    (first, len): (SubExp, SubExp),
    size: SubExp,
    b: &mut Builder,
) -> Vec<PatElem> {
    let Counted { index, params, body, .. } = f.rounds;
    let (mut params, mut body) = (params.to_vec(), body.clone());
    for o in &f.outputs {
        let block = block(&Size64::bytes(o.elem, &[size]), b);
        let mem = MemBind { block, lmad: Lmad::row_major(&[len]) };
        let ty = Type::array(o.elem, vec![len]);
        let own = PatElem::in_mem(b.fresh("own", ty.clone()), ty.clone(), mem.clone());
        init[o.at] = own.var.into();
        let exp = Exp::Scratch { elem: o.elem, shape: vec![len] };
        b.push(Stm { loc: b.loc, ..Stm::new(vec![own], exp) });
        params[o.at].ty = ty.clone();
        params[o.at].mem = Some(mem.clone());
        for p in &mut body.stms[o.update].pat {
            (p.ty, p.mem) = (ty.clone(), Some(mem.clone()));
        }
    }
    // Places are in the range.
    let j = b.names.like(index);
    for at in &f.distances {
        if let Exp::BinOp(_, x, _) = &mut body.stms[*at].exp
            && *x == index.into()
        {
            *x = j.into();
        }
    }
    body.stms.insert(0, Stm::index_in_whole(index, j, first));
    let pat: Vec<PatElem> = (params.iter())
        .map(|p| PatElem { var: b.names.like(p.var), ty: p.ty.clone(), mem: p.mem.clone() })
        .collect();
    let form = LoopForm::For { var: j, ty: space::I64, bound: len };
    b.push(Stm { loc: b.loc, ..Stm::new(pat.clone(), Exp::Loop { params, init, form, body }) });
    pat
}

/// Sums of counts.
fn sum(b: &mut Builder) -> Reduction {
    let op = b.lambda(&[("x", Type::I64), ("y", Type::I64)], |b, args| {
        args.iter().copied().reduce(|x, y| b.add(x, y)).into_iter().collect()
    });
    Reduction { op, neutral: vec![SubExp::i64(0)], commutative: true }
}

/// The place where counts have these values, and the index has its own.
fn place_at(place: &Place, counts: &[(Var, SubExp)], index: SubExp, b: &mut Builder) -> SubExp {
    let value = |c: Var| counts.iter().find(|(v, _)| *v == c).map_or(SubExp::i64(0), |c| c.1);
    let whole = place.count.map_or(index, value);
    place.less.iter().fold(whole, |at, c| b.sub(at, value(*c)))
}

//! Histograms whose operators work on arrays, as a map over chunks, each of which has destinations of its own, and what these come
//! to together.
//!
//! ```text
//! let h = hist (map2 op) into [k] d (map f xs)    →    let h = if n is worth several tasks {
//!                                                        let parts = map (\lo -> hist (map2 op) into [k] (replicate k ne)
//!                                                                                     (map f xs[lo :+ len]))
//!                                                                        [0, chunk, …]
//!                                                        in map (\b -> loop row = d[b] for t < chunks do
//!                                                                        map2 op row parts[t, b]) (iota k)
//!                                                      } else { hist (map2 op) into [k] d (map f xs) }
//! ```
//!
//! A chunk has eight elements at least for each row of its destinations: what these cost is little beside what is put into them.
//!
//! Stays: what has scalar operators only, which `cut-tasks` cuts; a few elements whose operators are so long that tasks share each
//! of them. Which it is, sizes say when the program runs.

use super::super::mem::{Grain, Range, is_exact, quotient_up};
use super::elements::{combine, over_chunks, own};
use super::{Chunk, LEAST_IN_TESTS};
use crate::ir::builder::full_index;
use crate::ir::traverse::{Renamer, Rewrite};
use crate::ir::{
    Body, Builder, Const, DimIndex, Exp, HistOp, IntType, Lambda, LoopForm, Param, PatElem, Soac,
    Stm, SubExp, Type, Var,
};
use std::slice;

/// Elements of a chunk for each row of its destinations, at least.
const ELEMENTS_OF_ROW: i64 = 8;

/// A histogram.
struct Hist<'s> {
    stm: &'s Stm,
    width: SubExp,
    inputs: &'s [Var],
    ops: &'s [HistOp],
    lambda: &'s Lambda,
}

impl Chunk {
    pub(super) fn histogram(&mut self, s: &Stm) -> Option<Vec<Stm>> {
        let Exp::Soac(Soac::Hist { width, inputs, ops, lambda }) = &s.exp else { return None };
        let hist = Hist { stm: s, width: *width, inputs, ops, lambda };
        if !ops.iter().any(|h| h.op.op.ret.iter().any(|t| t.rank() > 0)) {
            return None;
        }
        self.b.loc = s.loc;
        self.b.begin();
        let least = hist.least(self.grain, &mut self.b);
        let mut functions = vec![lambda];
        functions.extend(ops.iter().map(|h| &h.op.op));
        let exact = ops.iter().all(|h| is_exact(&h.op.op));
        let Some((wanted, worth)) = self.worth(*width, &functions, least, exact) else {
            self.b.end();
            return None;
        };
        let b = &mut self.b;
        let chunked = b.body(|b| {
            let size = quotient_up(*width, wanted, b);
            let size = b.max(size, least);
            hist.in_chunks(size, b)
        });
        let mut whole = s.clone();
        Renamer::new(&mut b.names).stm(&mut whole);
        let result = whole.pat.iter().map(|p| p.var.into()).collect();
        let default = Body { stms: vec![whole], result };
        let cases = vec![(Const::Bool(true), chunked)];
        let exp = Exp::Match { scrutinee: worth, cases, default };
        b.push(Stm { loc: s.loc, ..Stm::new(s.pat.clone(), exp) });
        Some(b.end())
    }
}

impl Hist<'_> {
    /// Elements of a chunk, at least.
    fn least(&self, grain: Grain, b: &mut Builder) -> SubExp {
        if grain == Grain::Smallest {
            return SubExp::i64(LEAST_IN_TESTS);
        }
        let mut rows = SubExp::i64(0);
        for h in self.ops {
            let all = b.product(&h.shape);
            rows = b.add(rows, all);
        }
        let least = b.mul(rows, SubExp::i64(ELEMENTS_OF_ROW));
        b.max(least, SubExp::i64(1))
    }

    /// Emits what chunks of so many elements come to, and what that is together.
    fn in_chunks(&self, size: SubExp, b: &mut Builder) -> Vec<SubExp> {
        let n = self.width;
        let types: Vec<Type> = self.stm.pat.iter().map(|p| p.ty.clone()).collect();
        let part = |range: Range, b: &mut Builder| self.part(range.first, range.len, b);
        let (count, parts) = over_chunks(n, size, &types, self.stm, b, part);
        let mut parts = parts.into_iter();
        let mut results = Vec::with_capacity(types.len());
        for h in self.ops {
            let parts: Vec<Var> = parts.by_ref().take(h.dests.len()).collect();
            results.extend(together(h, &parts, count, &mut Vec::new(), b));
        }
        results
    }

    /// Emits the histogram of a range of elements, from neutral elements on.
    fn part(&self, first: SubExp, len: SubExp, b: &mut Builder) -> Vec<SubExp> {
        let mut inputs = Vec::with_capacity(self.inputs.len());
        for input in self.inputs {
            let shape = b.ty((*input).into()).shape().to_vec();
            let mut dims = full_index(&shape, &[first]);
            if let Some(outer) = dims.first_mut() {
                *outer = DimIndex::Slice { start: first, n: len, stride: SubExp::i64(1) };
            }
            inputs.push(b.emit("xs", Exp::Index { array: *input, dims }));
        }
        let mut ops = self.ops.to_vec();
        for h in &mut ops {
            for (dest, neutral) in h.dests.iter_mut().zip(&h.op.neutral) {
                let rows = Exp::Replicate { shape: h.shape.clone(), value: *neutral };
                *dest = b.emit("own", rows);
            }
        }
        let lambda = self.lambda.clone();
        let mut exp = Exp::Soac(Soac::Hist { width: len, inputs, ops, lambda });
        Renamer::new(&mut b.names).exp(&mut exp);
        let pat: Vec<PatElem> = self.stm.pat.iter().map(|p| b.pat("part", p.ty.clone())).collect();
        b.bind(pat.clone(), exp);
        pat.iter().map(|p| p.var.into()).collect()
    }
}

/// Emits what destinations and those of all chunks come to, from an index on.
fn together(
    h: &HistOp,
    parts: &[Var],
    count: SubExp,
    at: &mut Vec<SubExp>,
    b: &mut Builder,
) -> Vec<SubExp> {
    let Some(n) = h.shape.get(at.len()) else {
        let rows = h.dests.iter().map(|d| SubExp::from(b.index("row", *d, at))).collect::<Vec<_>>();
        let init = rows.into_iter().map(|x| own(x, b)).collect();
        let types = &h.op.op.ret;
        let params: Vec<Param> = types.iter().map(|t| b.param("acc", t.clone())).collect();
        let t = b.fresh("t", Type::I64);
        let body = b.body(|b| {
            let of_chunk: Vec<SubExp> = [t.into()].into_iter().chain(at.iter().copied()).collect();
            let rows = parts.iter().map(|p| b.index("part", *p, &of_chunk).into());
            let rows: Vec<SubExp> = rows.collect();
            let accs: Vec<SubExp> = params.iter().map(|p| p.var.into()).collect();
            combine(slice::from_ref(&h.op), &accs, &rows, b)
        });
        let pat: Vec<PatElem> = types.iter().map(|t| b.pat("row", t.clone())).collect();
        let result = pat.iter().map(|p| p.var.into()).collect();
        let form = LoopForm::For { var: t, ty: IntType::I64, bound: count };
        b.bind(pat, Exp::Loop { params, init, form, body });
        return result;
    };
    let all = Exp::Iota { n: *n, start: SubExp::i64(0), stride: SubExp::i64(1), ty: IntType::I64 };
    let all = b.emit("buckets", all);
    let i = b.param("b", Type::I64);
    at.push(i.var.into());
    let body = b.body(|b| together(h, parts, count, at, b));
    at.pop();
    let inner = h.shape.iter().skip(at.len() + 1).rev();
    let ret: Vec<Type> = (h.op.op.ret.iter())
        .map(|t| inner.clone().fold(t.clone(), |row, n| row.outer(*n)))
        .collect();
    let pat: Vec<PatElem> = ret.iter().map(|t| b.pat("whole", t.outer(*n))).collect();
    let map = Soac::Screma {
        width: *n,
        inputs: vec![all],
        lambda: Lambda { params: vec![i], body, ret },
        scans: Vec::new(),
        reduces: Vec::new(),
    };
    b.bind(pat.clone(), Exp::Soac(map));
    pat.iter().map(|p| p.var.into()).collect()
}

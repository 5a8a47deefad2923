//! Combinators whose operators work on arrays, as loops.
//!
//! ```text
//! reduce (\a x -> op a x) ne xss        loop acc = copy ne for i < n do op acc xss[i]
//! scan                                  … and out with [i] = acc
//! hist, scatter of rows                 loop dest for i < n do if in bounds then update else dest
//! ```
//!
//! Scans, reductions and maps of one combinator share one loop. The neutral element is copied, so
//! that the accumulator is an array of its own. What an operator may have handed on is copied when the loop has ended: it may be
//! a row of an array that is still there, and whoever has the result may consume it.

use super::Lowerer;
use super::soac::num_results;
use crate::ir::builder::full_index;
use crate::ir::{Body, Class, Exp, HistOp, Lambda, PatElem, Reduction, Stm, SubExp, Type, Var};

/// Whether a result of an operator is an array that it may not have made.
fn hands_on(op: &Lambda, k: usize) -> bool {
    if !matches!(op.ret.get(k), Some(Type::Array { .. })) {
        return false;
    }
    let made = |s: &Stm| {
        matches!(
            s.exp.class(),
            Class::Fresh | Class::Unspecified | Class::InPlace | Class::Combinator
        )
    };
    let result = op.body.result.get(k).and_then(|x| x.var());
    let maker = op.body.stms.iter().find(|s| s.pat.iter().any(|p| Some(p.var) == result));
    !maker.is_some_and(made)
}

impl Lowerer {
    pub(super) fn screma_loop(
        &mut self,
        pat: Vec<PatElem>,
        width: SubExp,
        inputs: &[Var],
        lambda: Lambda,
        scans: Vec<Reduction>,
        reduces: Vec<Reduction>,
    ) {
        let (n_scan, n_red) = (num_results(&scans), num_results(&reduces));
        let folded = n_scan + n_red;
        // Carried: accumulators of scans and reductions, then arrays of scans and maps.
        let mut carried: Vec<(SubExp, Type)> = Vec::new();
        for r in scans.iter().chain(&reduces) {
            for (ne, ty) in r.neutral.iter().zip(&r.op.ret) {
                carried.push((self.own(*ne), ty.clone()));
            }
        }
        let collected: Vec<Type> = lambda.ret[..n_scan]
            .iter()
            .chain(&lambda.ret[folded..])
            .map(|t| t.outer(width))
            .collect();
        for t in &collected {
            carried.push((self.scratch(t), t.clone()));
        }
        // The pattern has the scanned arrays first; the loop, the accumulators, of which those of
        // the scans are not wanted.
        let mut loop_pat: Vec<PatElem> =
            scans.iter().flat_map(|r| r.op.ret.clone()).map(|t| self.b.pat("last", t)).collect();
        // What may be an array of others, and the name of its copy.
        let mut copies: Vec<(Var, PatElem)> = Vec::new();
        let handed_on =
            reduces.iter().flat_map(|r| (0..r.op.ret.len()).map(|k| hands_on(&r.op, k)));
        for (p, handed_on) in pat[n_scan..folded].iter().zip(handed_on) {
            if handed_on {
                let last = self.b.pat("last", p.ty.clone());
                copies.push((last.var, p.clone()));
                loop_pat.push(last);
            } else {
                loop_pat.push(p.clone());
            }
        }
        loop_pat.extend(pat[..n_scan].iter().cloned());
        loop_pat.extend(pat[folded..].iter().cloned());

        self.for_loop(loop_pat, width, carried, |l, i, vars| {
            l.read_rows(i, inputs, &lambda.params);
            l.stms(lambda.body.stms);
            let xs = lambda.body.result;
            let (accs, arrays) = vars.split_at(folded);
            let mut next = Vec::with_capacity(vars.len());
            let mut at = 0;
            for r in scans.into_iter().chain(reduces) {
                let k = r.op.ret.len();
                let args: Vec<SubExp> = accs[at..at + k]
                    .iter()
                    .map(|v| SubExp::Var(*v))
                    .chain(xs[at..at + k].iter().copied())
                    .collect();
                next.extend(l.apply_op(r.op, &args));
                at += k;
            }
            let collect: Vec<SubExp> =
                next[..n_scan].iter().chain(&xs[folded..]).copied().collect();
            for (array, value) in arrays.iter().zip(collect) {
                next.push(l.update(*array, &[i.into()], value).into());
            }
            next
        });
        for (last, p) in copies {
            self.b.bind(vec![p], Exp::Copy(last));
        }
    }

    /// The operand, as an array that nobody else holds.
    fn own(&mut self, x: SubExp) -> SubExp {
        match x {
            SubExp::Var(v) if matches!(self.b.ty(x), Type::Array { .. }) => {
                self.b.emit("acc", Exp::Copy(v)).into()
            }
            SubExp::Var(_) | SubExp::Const(_) => x,
        }
    }

    fn scratch(&mut self, ty: &Type) -> SubExp {
        match ty {
            Type::Array { elem, shape } => {
                self.b.emit("out", Exp::Scratch { elem: *elem, shape: shape.clone() }).into()
            }
            Type::Prim(_) | Type::Cert | Type::Mem(_) => SubExp::i64(0),
        }
    }

    /// `array with [at] = value`, `at` being the outer indexes.
    fn update(&mut self, array: Var, at: &[SubExp], value: SubExp) -> Var {
        let shape = self.b.ty(array.into()).shape().to_vec();
        self.b.emit("out", Exp::Update { array, dims: full_index(&shape, at), value })
    }

    pub(super) fn hist_loop(
        &mut self,
        pat: Vec<PatElem>,
        width: SubExp,
        inputs: &[Var],
        ops: Vec<HistOp>,
        lambda: Lambda,
    ) {
        let carried = ops
            .iter()
            .flat_map(|h| &h.dests)
            .map(|d| ((*d).into(), self.b.ty((*d).into())))
            .collect();
        self.for_loop(pat, width, carried, |l, i, vars| {
            l.read_rows(i, inputs, &lambda.params);
            l.stms(lambda.body.stms);
            let result = lambda.body.result;
            let (mut at, mut values) = result.split_at(ops.iter().map(|h| h.shape.len()).sum());
            let mut dests = vars;
            let mut next = Vec::with_capacity(vars.len());
            for h in ops {
                let (index, at_rest) = at.split_at(h.shape.len());
                let (value, value_rest) = values.split_at(h.dests.len());
                let (dest, dest_rest) = dests.split_at(h.dests.len());
                (at, values, dests) = (at_rest, value_rest, dest_rest);
                let shape = h.shape;
                let op = h.op.op;
                next.extend(l.if_in_bounds(index, &shape, dest, |l| {
                    let mut args: Vec<SubExp> =
                        dest.iter().map(|d| l.b.index("old", *d, index).into()).collect();
                    args.extend(value);
                    let new = l.apply_op(op, &args);
                    dest.iter().zip(new).map(|(d, x)| l.update(*d, index, x).into()).collect()
                }));
            }
            next
        });
    }

    pub(super) fn scatter_loop(
        &mut self,
        pat: Vec<PatElem>,
        width: SubExp,
        inputs: &[Var],
        dests: &[(usize, Var)],
        lambda: Lambda,
    ) {
        let carried = dests.iter().map(|(_, d)| ((*d).into(), self.b.ty((*d).into()))).collect();
        self.for_loop(pat, width, carried, |l, i, vars| {
            l.read_rows(i, inputs, &lambda.params);
            l.stms(lambda.body.stms);
            let result = lambda.body.result;
            let (mut at, values) = result.split_at(dests.iter().map(|d| d.0).sum());
            let mut next = Vec::with_capacity(vars.len());
            for (((rank, _), value), dest) in dests.iter().zip(values).zip(vars) {
                let (index, rest) = at.split_at(*rank);
                at = rest;
                let shape = l.b.ty((*dest).into()).shape().to_vec();
                next.extend(l.if_in_bounds(index, &shape, &[*dest], |l| {
                    vec![l.update(*dest, index, *value).into()]
                }));
            }
            next
        });
    }

    /// `if index is in bounds then f() else dests`.
    fn if_in_bounds(
        &mut self,
        index: &[SubExp],
        shape: &[SubExp],
        dests: &[Var],
        f: impl FnOnce(&mut Lowerer) -> Vec<SubExp>,
    ) -> Vec<SubExp> {
        let ok = self.in_bounds(index, shape);
        self.b.begin();
        let result = f(self);
        let yes = Body { stms: self.b.end(), result };
        let no = Body { stms: Vec::new(), result: dests.iter().map(|d| SubExp::Var(*d)).collect() };
        let pat: Vec<PatElem> = dests
            .iter()
            .map(|d| {
                let ty = self.b.ty((*d).into());
                self.b.pat("dest", ty)
            })
            .collect();
        let vars = pat.iter().map(|p| p.var.into()).collect();
        self.b.bind(pat, Exp::if_then_else(ok, yes, no));
        vars
    }
}

//! Combinators and segmented operations.

use super::Verifier;
use crate::ir::traverse::{Visit, walk};
use crate::ir::typing::in_shape;
use crate::ir::*;

impl Verifier<'_> {
    pub(super) fn lambda(&mut self, l: &Lambda, want: &[Type], what: &str) {
        let mark = self.scope.len();
        if l.params.len() != want.len() {
            let n = want.len();
            self.error(format!("the {what} has {} parameters of {n}", l.params.len()));
        }
        for (p, t) in l.params.iter().zip(want) {
            self.param(p);
            if !self.same_type(&p.ty, t) {
                self.error(format!("parameter {} has type {}, gets {t}", p.var, p.ty));
            }
        }
        for p in l.params.iter().skip(want.len()) {
            self.param(p);
        }
        for t in &l.ret {
            self.check_type(t);
        }
        // A parameter belongs to the lambda: it may be consumed.
        let log = self.consumed_log.len();
        self.body(&l.body, |v, b| v.are(&b.result, &l.ret, "result"));
        let own: Vec<Var> =
            l.params.iter().map(|p| p.var).filter(|p| self.consumed.contains(p)).collect();
        self.repeated(log, mark);
        for v in own {
            self.mark_consumed(v);
        }
        self.leave(mark);
    }

    pub(super) fn are(&mut self, xs: &[SubExp], types: &[Type], what: &str) {
        if xs.len() != types.len() {
            self.error(format!("{} {what}s where {} are wanted", xs.len(), types.len()));
        }
        for (&x, t) in xs.iter().zip(types) {
            self.operand(x, t);
        }
    }

    pub(super) fn reduction(&mut self, r: &Reduction) {
        let ret = r.op.ret.clone();
        self.are(&r.neutral, &ret, "neutral element");
        let twice: Vec<Type> = ret.iter().chain(&ret).cloned().collect();
        self.lambda(&r.op, &twice, "operator");
    }

    pub(super) fn hist_ops(&mut self, ops: &[HistOp], segments: &[SubExp], results: &[Type]) {
        let n_index: usize = ops.iter().map(|h| h.shape.len()).sum();
        let (index, values) = results.split_at(n_index.min(results.len()));
        if index.iter().any(|t| *t != Type::I64) {
            self.error("the indexes of a histogram are of type i64");
        }
        let mut values = values.iter();
        for h in ops {
            self.sizes(&h.shape);
            self.reduction(&h.op);
            if h.dests.len() != h.op.op.ret.len() {
                self.error("a histogram has as many destinations as its operator has results");
            }
            for (d, t) in h.dests.iter().zip(&h.op.op.ret) {
                let whole = in_shape(segments, &in_shape(&h.shape, t));
                self.operand(SubExp::Var(*d), &whole);
                match values.next() {
                    Some(v) if self.same_type(v, t) => {}
                    Some(v) => self.error(format!("{v} is put into a histogram of {t}")),
                    None => self.error("a histogram has no value"),
                }
            }
        }
        if values.next().is_some() {
            self.error("a value for no histogram");
        }
    }

    pub(super) fn rows(&mut self, width: SubExp, inputs: &[Var]) -> Vec<Type> {
        self.operand(width, &Type::I64);
        let mut rows = Vec::with_capacity(inputs.len());
        for &v in inputs {
            let Some((elem, shape)) = self.array(v) else {
                rows.push(Type::I64);
                continue;
            };
            if !self.same_size(shape[0], width) {
                self.error(format!("input {v} has {} rows, not {width}", shape[0]));
            }
            rows.push(Type::array(elem, shape[1..].to_vec()));
        }
        rows
    }

    pub(super) fn soac(&mut self, s: &Soac) {
        match s {
            Soac::Screma { width, inputs, lambda, scans, reduces } => {
                let rows = self.rows(*width, inputs);
                self.lambda(lambda, &rows, "lambda");
                let mut given = lambda.ret.iter();
                for r in scans.iter().chain(reduces) {
                    self.reduction(r);
                    for t in &r.op.ret {
                        match given.next() {
                            Some(g) if self.same_type(g, t) => {}
                            Some(g) => self.error(format!("an operator on {t} gets {g}")),
                            None => self.error("an operator gets nothing"),
                        }
                    }
                }
            }
            Soac::Hist { width, inputs, ops, lambda } => {
                let rows = self.rows(*width, inputs);
                self.lambda(lambda, &rows, "lambda");
                self.hist_ops(ops, &[], &lambda.ret);
            }
            Soac::Scatter { width, inputs, dests, lambda } => {
                let rows = self.rows(*width, inputs);
                self.lambda(lambda, &rows, "lambda");
                let n_index: usize = dests.iter().map(|d| d.0).sum();
                if lambda.ret.len() != n_index + dests.len() {
                    self.error("a scatter's lambda yields its indexes and values");
                    return;
                }
                let (index, values) = lambda.ret.split_at(n_index);
                if index.iter().any(|t| *t != Type::I64) {
                    self.error("the indexes of a scatter are of type i64");
                }
                for ((rank, d), value) in dests.iter().zip(values) {
                    let Some((elem, shape)) = self.array(*d) else { continue };
                    if *rank == 0 || *rank > shape.len() {
                        self.error(format!("{rank} indexes into {d}"));
                        continue;
                    }
                    let row = Type::array(elem, shape[*rank..].to_vec());
                    if !self.same_type(value, &row) {
                        self.error(format!("{value} is scattered into {d}, whose rows are {row}"));
                    }
                }
            }
        }
    }

    pub(super) fn seg(&mut self, s: &SegOp) {
        let SegOp { level, space, kind, body } = s;
        let outside = self.runs;
        match outside.may_hold(*level) {
            Some(inside) => self.runs = inside,
            None => self.error(format!("an operation of level {level} in code of level {outside}")),
        }
        if space.dims.is_empty() && *kind != SegKind::Map {
            self.error("an index space without dimensions");
        }
        if *level == SegLevel::Tasks {
            self.prefixes(s);
        }
        let mark = self.scope.len();
        for (_, n) in &space.dims {
            self.operand(*n, &Type::I64);
        }
        for (v, _) in &space.dims {
            self.bind(*v, &Type::I64);
        }
        let log = self.consumed_log.len();
        let inner = self.scope.len();
        self.at_points(space, |v| v.stms(&body.stms));
        if body.results.len() != body.types.len() {
            self.error("a segmented body has as many types as results");
        }
        for t in &body.types {
            self.check_type(t);
        }
        for (r, t) in body.results.iter().zip(&body.types) {
            match r {
                KernelResult::Return(x) => {
                    self.operand(*x, t);
                }
                KernelResult::Write { dest, writes } => {
                    self.operand(SubExp::Var(*dest), t);
                    for (at, x) in writes {
                        self.sizes(at);
                        if at.len() > t.rank() {
                            self.error(format!("{} indexes into {dest}", at.len()));
                            continue;
                        }
                        if let Some(elem) = t.elem() {
                            let row = Type::array(elem, t.shape()[at.len()..].to_vec());
                            self.operand(*x, &row);
                        }
                    }
                }
            }
        }
        self.repeated(log, mark);
        self.leave(inner);
        let whole: Vec<SubExp> = space.dims.iter().map(|d| d.1).collect();
        let segments = &whole[..whole.len().saturating_sub(1)];
        match kind {
            SegKind::Map => {}
            SegKind::Red(ops) | SegKind::Scan(ops) => {
                let mut given = body.types.iter();
                for r in ops {
                    self.reduction(r);
                    for t in &r.op.ret {
                        match given.next() {
                            Some(g) if self.same_type(g, t) => {}
                            Some(g) => self.error(format!("an operator on {t} gets {g}")),
                            None => self.error("an operator gets nothing"),
                        }
                    }
                }
            }
            SegKind::Hist(ops) => self.hist_ops(ops, segments, &body.types),
        }
        self.runs = outside;
        self.leave(mark);
    }

    /// Tasks ask for what those before them come to once, where they stand, or not at all.
    fn prefixes(&mut self, s: &SegOp) {
        struct Count(usize);
        impl Visit for Count {
            fn exp(&mut self, e: &Exp) {
                self.0 += usize::from(matches!(e, Exp::Prefix { .. }));
                if !matches!(e, Exp::Seg(SegOp { level: SegLevel::Tasks, .. })) {
                    walk::exp(self, e);
                }
            }
        }
        let mut all = Count(0);
        all.kernel_body(&s.body);
        let own = s.body.stms.iter().filter(|s| matches!(s.exp, Exp::Prefix { .. })).count();
        let simple = s.kind == SegKind::Map && s.space.dims.len() == 1;
        if all.0 > own || own > 1 || (own > 0 && !simple) {
            self.error("a prefix is a statement of its own of a map of tasks, and the only one");
        }
    }
}

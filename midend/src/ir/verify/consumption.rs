//! Consumption: what may share elements with what, and what is gone.

use super::Verifier;
use crate::ir::typing::TypeEnv;
use crate::ir::*;

impl Verifier<'_> {
    pub(super) fn not_consumed(&mut self, v: Var) {
        if self.consumed.is_empty() || !matches!(self.type_of(v), Some(Type::Array { .. })) {
            return;
        }
        let gone = match self.aliases.get(&v) {
            Some(vs) => vs.iter().copied().find(|a| self.consumed.contains(a)),
            None => self.consumed.contains(&v).then_some(v),
        };
        if let Some(a) = gone {
            let message = if a == v {
                format!("{v} is used after it was consumed")
            } else {
                format!("{v} is used after {a}, which it may share elements with, was consumed")
            };
            self.error(message);
        }
    }

    /// The variables whose elements `v` may share, itself among them.
    pub(super) fn sharing(&self, v: Var) -> Vec<Var> {
        match self.aliases.get(&v) {
            Some(vs) => vs.clone(),
            None => vec![v],
        }
    }

    pub(super) fn consume_var(&mut self, v: Var) {
        for a in self.sharing(v) {
            self.mark_consumed(a);
        }
        self.mark_consumed(v);
    }

    pub(super) fn consume(&mut self, e: &Exp) {
        if self.level() == Level::Mem {
            return;
        }
        match e {
            Exp::Update { array, .. } | Exp::FlatUpdate { array, .. } => self.consume_var(*array),
            Exp::Soac(Soac::Scatter { dests, .. }) => {
                for (_, d) in dests {
                    self.consume_var(*d);
                }
            }
            Exp::Soac(Soac::Hist { ops, .. }) | Exp::Seg(SegOp::Hist { ops, .. }) => {
                for d in ops.iter().flat_map(|h| &h.dests) {
                    self.consume_var(*d);
                }
            }
            Exp::Seg(
                SegOp::Map { body, .. } | SegOp::Red { body, .. } | SegOp::Scan { body, .. },
            ) => {
                for r in &body.results {
                    match r {
                        KernelResult::Return(_) => {}
                        KernelResult::Write { dest, writes: _ } => self.consume_var(*dest),
                    }
                }
            }
            Exp::Loop { params, init, .. } => {
                for (p, x) in params.iter().zip(init) {
                    if self.consumed.contains(&p.var)
                        && let SubExp::Var(v) = x
                    {
                        self.consume_var(*v);
                    }
                }
            }
            Exp::Soac(Soac::Screma { inputs, lambda, .. }) => {
                for (p, v) in lambda.params.iter().zip(inputs) {
                    if self.consumed.contains(&p.var) {
                        self.consume_var(*v);
                    }
                }
            }
            Exp::Call { fun, args } => {
                if let Some(f) = self.funs.get(fun).copied() {
                    for (p, x) in f.params.iter().zip(args) {
                        if p.unique
                            && let SubExp::Var(v) = x
                            && matches!(p.ty, Type::Array { .. })
                        {
                            self.consume_var(*v);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// What the arrays of a pattern may share elements with. Results of calls are taken to be
    /// their own: nothing in the program says otherwise.
    pub(super) fn alias(&mut self, e: &Exp, pat: &[PatElem]) {
        let of = |v: &Self, x: SubExp| match x {
            SubExp::Var(x) if v.type_of(x).is_some_and(|t| t.rank() > 0) => v.sharing(x),
            SubExp::Var(_) | SubExp::Const(_) => Vec::new(),
        };
        let shared: Vec<Vec<Var>> = match e {
            Exp::SubExp(x) | Exp::Opaque(x) | Exp::Trace(x) => vec![of(self, *x)],
            Exp::Index { array, .. }
            | Exp::FlatIndex { array, .. }
            | Exp::Reshape { array, .. }
            | Exp::Rearrange { array, .. } => vec![of(self, SubExp::Var(*array))],
            Exp::Match { cases, default, .. } => (0..pat.len())
                .map(|i| {
                    let bodies = cases.iter().map(|c| &c.1).chain([default]);
                    bodies
                        .filter_map(|b| b.result.get(i))
                        .flat_map(|&x| of(self, x))
                        .filter(|v| self.in_scope.contains_key(v))
                        // What one branch consumed, another may yield; the result replaces it.
                        .filter(|v| !self.consumed.contains(v))
                        .collect()
                })
                .collect(),
            Exp::Loop { params, init, body, .. } => params
                .iter()
                .zip(init)
                .zip(&body.result)
                .map(|((p, &x), &r)| {
                    // The body's result, followed through parameters to what they started as.
                    let mut out: Vec<Var> = Vec::new();
                    for v in of(self, r) {
                        if let Some(i) = params.iter().position(|q| q.var == v) {
                            out.extend(init.get(i).into_iter().flat_map(|&x| of(self, x)));
                        } else if self.in_scope.contains_key(&v) {
                            out.push(v);
                        }
                    }
                    if !self.consumed.contains(&p.var) {
                        out.extend(of(self, x));
                    }
                    out.retain(|v| !self.consumed.contains(v));
                    out
                })
                .collect(),
            _ => return,
        };
        for (p, mut shared) in pat.iter().zip(shared) {
            if p.ty.rank() > 0 && !shared.is_empty() {
                shared.push(p.var);
                shared.sort_unstable();
                shared.dedup();
                self.aliases.insert(p.var, shared);
            }
        }
    }

    /// Takes back what was consumed since the log had this length.
    pub(super) fn unconsume(&mut self, log: usize) -> Vec<Var> {
        let since = self.consumed_log.split_off(log);
        for v in &since {
            self.consumed.remove(v);
        }
        since
    }

    pub(super) fn mark_consumed(&mut self, v: Var) {
        if self.consumed.insert(v) {
            self.consumed_log.push(v);
        }
    }

    /// Nothing bound before `mark` may have been consumed since the log had this length: the code
    /// between runs many times, or more than once.
    pub(super) fn repeated(&mut self, log: usize, mark: usize) {
        for v in self.unconsume(log) {
            if self.in_scope.get(&v).is_some_and(|&at| at < mark) {
                self.error(format!("{v} is consumed by code that may run many times"));
            }
        }
    }
}

//! Consumption: what may share elements with what, and what is gone.

use super::Verifier;
use crate::ir::typing::TypeEnv;
use crate::ir::varmap::VarMap;
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
        for a in self.sharing(v).into_iter().chain([v]) {
            self.spread(a, |v| &v.origins);
            self.spread(a, |v| &v.parts);
        }
    }

    /// Marks `a` and all that it leads to.
    fn spread(&mut self, a: Var, next: impl Fn(&Self) -> &VarMap<Vec<Var>>) {
        let mut work = vec![a];
        while let Some(a) = work.pop() {
            self.mark_consumed(a);
            if let Some(more) = next(self).get(&a) {
                work.extend(more);
            }
        }
    }

    pub(super) fn consume(&mut self, e: &Exp) {
        if self.level() == Level::Mem {
            return;
        }
        for array in e.overwrites() {
            self.consume_var(array);
        }
        match e {
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
        let mut shared: Vec<Vec<Var>> = match e {
            e if e.shares().is_some() => e.shares().map(|x| of(self, x)).into_iter().collect(),
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
        let apart = match e {
            Exp::Loop { params, init, body, .. } => self.apart(params, init, body),
            _ => Vec::new(),
        };
        for group in apart {
            let member = |i: &usize| group.contains(i);
            let mut pool: Vec<Var> =
                (0..shared.len()).filter(member).flat_map(|i| shared[i].clone()).collect();
            pool.sort_unstable();
            pool.dedup();
            for (i, p) in pat.iter().enumerate().filter(|(i, _)| member(i)) {
                for o in &pool {
                    self.parts.entry(*o).or_default().push(p.var);
                }
                self.origins.insert(p.var, pool.clone());
                shared[i].clear();
            }
        }
        for (p, mut shared) in pat.iter().zip(shared) {
            if p.ty.rank() > 0 && !shared.is_empty() {
                shared.push(p.var);
                shared.sort_unstable();
                shared.dedup();
                self.aliases.insert(p.var, shared);
            }
        }
    }

    /// Which results of a loop share no elements with one another, whatever they are made of: each
    /// parameter becomes one of them at most, as when two arrays change places in every round, and
    /// they start apart. In groups of those that may become one another, of two at least.
    fn apart(&self, params: &[Param], init: &[SubExp], body: &Body) -> Vec<Vec<usize>> {
        let of = |x: &SubExp| match x {
            SubExp::Var(x) if self.type_of(*x).is_some_and(|t| t.rank() > 0) => self.sharing(*x),
            SubExp::Var(_) | SubExp::Const(_) => Vec::new(),
        };
        let becomes: Vec<Vec<Var>> = body.result.iter().map(of).collect();
        let mut apart: Vec<bool> = becomes.iter().map(|vs| !vs.is_empty()).collect();
        let starts: Vec<Vec<Var>> = init.iter().map(of).collect();
        let param = |v: &Var| params.iter().position(|p| p.var == *v);
        for sets in [&becomes, &starts] {
            let mut owner: VarMap<usize> = VarMap::default();
            for (i, v) in sets.iter().enumerate().flat_map(|(i, vs)| vs.iter().map(move |v| (i, v)))
            {
                let other = *owner.entry(*v).or_insert(i);
                if other != i {
                    for k in [i, other] {
                        apart.get_mut(k).into_iter().for_each(|a| *a = false);
                    }
                }
            }
        }
        for (a, vs) in apart.iter_mut().zip(&becomes) {
            *a &= vs.iter().all(|v| param(v).is_some() || !self.in_scope.contains_key(v));
        }
        // What another may be that is not apart from the rest.
        loop {
            let stays = |i: usize| apart.get(i).copied().unwrap_or_default();
            let next: Vec<bool> = becomes
                .iter()
                .enumerate()
                .map(|(i, vs)| stays(i) && vs.iter().filter_map(param).all(stays))
                .collect();
            if next == apart {
                break;
            }
            apart = next;
        }
        // Each starts as a group of its own, named by its least member.
        let mut group: Vec<usize> = (0..becomes.len()).collect();
        for (i, vs) in becomes.iter().enumerate().filter(|(i, _)| apart[*i]) {
            for j in vs.iter().filter_map(param) {
                let (from, to) = (group[i].max(group[j]), group[i].min(group[j]));
                group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
            }
        }
        (0..becomes.len())
            .map(|first| (0..becomes.len()).filter(|&i| apart[i] && group[i] == first).collect())
            .filter(|members: &Vec<usize>| members.len() > 1)
            .collect()
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

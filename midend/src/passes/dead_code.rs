//! Dead code: statements, results of branches, loops and combinators, functions and constants
//! that nobody needs.
//!
//! Before: `let a = x + 1  let b = x * 2  in b`. After: `let b = x * 2  in b`.
//!
//! An assertion lives by its certificate: where no live statement relies on it, it goes, unless it
//! has the attribute [`AssertKind::Kept`], or is the check of a size ([`AssertKind::Size`]) in a body that is live for
//! another reason: what relies on a size may name it without naming an array. What writes to the outside (`trace`, and whatever contains it) stays.
//!
//! One backward walk; a loop some of whose results are unused costs one more look at the
//! statements of its body. Results of calls are not pruned.

use crate::ir::traverse::{Visit, free_in_stm, walk};
use crate::ir::varmap::{FastMap, FastSet, VarMap, VarSet};
use crate::ir::*;
use futc_typed::name::Name;

/// Removes what is dead, before level mem: there blocks live as places say, too.
pub fn dead_code(mut program: Program) -> Program {
    if program.level == Level::Mem {
        return program;
    }
    live_functions(&mut program);
    let traces = tracing(&program);
    let mut d = Dead { used: VarSet::default(), traces: &traces };
    for f in &mut program.funs {
        d.fun(f);
    }
    d.globals(&mut program);
    program
}

/// Removes what is dead in a body of which all results are wanted. Calls of `traces` stay.
pub(super) fn in_body(body: &mut Body, traces: &FastSet<Name>) {
    Dead { used: VarSet::default(), traces }.body(body);
}

/// Removes functions that no entry point reaches. A program without entry points keeps all.
fn live_functions(program: &mut Program) {
    if !program.funs.iter().any(Fun::is_root) {
        return;
    }
    let at: FastMap<Name, usize> =
        program.funs.iter().enumerate().map(|(i, f)| (f.name, i)).collect();
    let mut live = vec![false; program.funs.len()];
    let mut calls = Calls::default();
    calls.body(&program.consts);
    let mut todo: Vec<usize> = calls.0.iter().filter_map(|n| at.get(n).copied()).collect();
    todo.extend((0..live.len()).filter(|&i| program.funs[i].is_root()));
    while let Some(i) = todo.pop() {
        if !std::mem::replace(&mut live[i], true) {
            let mut calls = Calls::default();
            calls.body(&program.funs[i].body);
            todo.extend(calls.0.iter().filter_map(|n| at.get(n).copied()));
        }
    }
    let mut keep = live.iter();
    program.funs.retain(|_| keep.next().copied().unwrap_or(true));
}

/// The functions called, in order, with repetition.
#[derive(Default)]
pub(super) struct Calls(pub(super) Vec<Name>);

impl Visit for Calls {
    fn exp(&mut self, e: &Exp) {
        if let Exp::Call { fun, .. } = e {
            self.0.push(*fun);
        }
        walk::exp(self, e);
    }
}

/// Functions whose calls write to the outside, or assert in their own right.
pub(crate) fn tracing(program: &Program) -> FastSet<Name> {
    struct Finds(bool);
    impl Visit for Finds {
        fn stm(&mut self, s: &Stm) {
            self.0 |= is_kept(s) || matches!(s.exp, Exp::Trace(_));
            walk::stm(self, s);
        }
    }
    let mut callers: FastMap<Name, Vec<Name>> = FastMap::default();
    let mut todo = Vec::new();
    for f in &program.funs {
        let mut calls = Calls::default();
        calls.body(&f.body);
        for c in calls.0 {
            callers.entry(c).or_default().push(f.name);
        }
        let mut finds = Finds(false);
        finds.body(&f.body);
        let elsewhere = matches!(&f.linkage, Linkage::Imported(i) if i.has_effects);
        if finds.0 || elsewhere {
            todo.push(f.name);
        }
    }
    let mut out = FastSet::default();
    while let Some(f) = todo.pop() {
        if out.insert(f) {
            todo.extend(callers.get(&f).into_iter().flatten().copied());
        }
    }
    out
}

struct Dead<'t> {
    used: VarSet,
    traces: &'t FastSet<Name>,
}

fn is_kept(s: &Stm) -> bool {
    s.is_assert(AssertKind::Kept)
}

fn is_size_check(s: &Stm) -> bool {
    s.is_assert(AssertKind::Size)
}

struct Effect<'d>(&'d FastSet<Name>, bool);
impl Visit for Effect<'_> {
    fn stm(&mut self, s: &Stm) {
        self.1 |= is_kept(s);
        self.exp(&s.exp);
    }
    fn exp(&mut self, e: &Exp) {
        match e {
            Exp::Trace(_) | Exp::Prefix { .. } | Exp::Retain(_) | Exp::Release(_) => self.1 = true,
            Exp::Call { fun, .. } => self.1 |= self.0.contains(fun),
            _ => {}
        }
        if !self.1 {
            walk::exp(self, e);
        }
    }
}

struct Use<'d>(&'d mut VarSet);
impl Visit for Use<'_> {
    fn var(&mut self, v: &Var) {
        self.0.insert(*v);
    }
    // Bodies are walked backwards by the pass itself.
    fn stms(&mut self, _: &Vec<Stm>) {}
}

impl Dead<'_> {
    fn subexp(&mut self, x: SubExp) {
        if let SubExp::Var(v) = x {
            self.used.insert(v);
        }
    }

    fn is_used(&self, v: Var) -> bool {
        self.used.contains(&v)
    }

    fn fun(&mut self, f: &mut Fun) {
        self.body(&mut f.body);
        Use(&mut self.used).fun(f);
    }

    /// Globals that no function uses go, then what only they needed.
    fn globals(&mut self, p: &mut Program) {
        for g in p.globals.iter().rev() {
            if self.used.contains(&g.var) {
                Use(&mut self.used).ty(&g.ty);
            }
        }
        let keep: Vec<bool> = p.globals.iter().map(|g| self.is_used(g.var)).collect();
        retain(&mut p.globals, &keep);
        retain(&mut p.consts.result, &keep);
        self.body(&mut p.consts);
    }

    fn body(&mut self, b: &mut Body) {
        for &x in &b.result {
            self.subexp(x);
        }
        self.stms(&mut b.stms);
    }

    fn stms(&mut self, stms: &mut Vec<Stm>) {
        let mut kept = Vec::with_capacity(stms.len());
        while let Some(mut s) = stms.pop() {
            let needed = s.pat.iter().any(|p| self.used.contains(&p.var));
            if !needed && !self.has_effect(&s) {
                continue;
            }
            self.stm(&mut s);
            kept.push(s);
        }
        kept.reverse();
        *stms = kept;
    }

    fn has_effect(&self, s: &Stm) -> bool {
        if is_size_check(s) {
            return true;
        }
        let mut effect = Effect(self.traces, false);
        effect.stm(s);
        effect.1
    }

    fn stm(&mut self, s: &mut Stm) {
        // Types may mention other names of the pattern.
        for p in s.pat.iter().rev() {
            if self.used.contains(&p.var) || matches!(s.exp, Exp::Call { .. }) {
                Use(&mut self.used).ty(&p.ty);
            }
        }
        self.prune(s);
        for p in &s.pat {
            Use(&mut self.used).pat_elem(p);
        }
        self.blocks(&mut s.exp);
        Use(&mut self.used).exp(&s.exp);
        self.used.extend(s.certs.iter().copied());
    }

    /// Drops unused results, where the expression can do without.
    fn prune(&mut self, s: &mut Stm) {
        let keep: Vec<bool> = s.pat.iter().map(|p| self.used.contains(&p.var)).collect();
        if keep.iter().all(|&k| k) {
            return;
        }
        match &mut s.exp {
            Exp::Match { scrutinee: _, cases, default } => {
                for b in cases.iter_mut().map(|c| &mut c.1).chain([default]) {
                    retain(&mut b.result, &keep);
                }
                retain(&mut s.pat, &keep);
            }
            Exp::Loop { params, init, form, body } => {
                let keep = needed_params(&keep, params, form, body);
                retain(params, &keep);
                retain(init, &keep);
                retain(&mut body.result, &keep);
                retain(&mut s.pat, &keep);
                for p in s.pat.iter().rev() {
                    Use(&mut self.used).ty(&p.ty);
                }
            }
            Exp::Soac(Soac::Screma { lambda, scans, reduces, .. }) => {
                let mut wanted = Vec::with_capacity(keep.len());
                for ops in [scans, reduces] {
                    ops.retain(|r| {
                        let from = wanted.len();
                        let n = r.op.ret.len();
                        let any = keep[from..from + n].iter().any(|&k| k);
                        wanted.extend(std::iter::repeat_n(any, n));
                        any
                    });
                }
                wanted.extend_from_slice(&keep[wanted.len()..]);
                retain(&mut s.pat, &wanted);
                retain(&mut lambda.body.result, &wanted);
                retain(&mut lambda.ret, &wanted);
            }
            Exp::Seg(SegOp { kind: SegKind::Map, body, .. })
                if body.results.iter().all(|r| matches!(r, KernelResult::Return(_))) =>
            {
                retain(&mut s.pat, &keep);
                retain(&mut body.results, &keep);
                retain(&mut body.types, &keep);
            }
            Exp::Seg(SegOp { kind: SegKind::Red(ops) | SegKind::Scan(ops), body, .. }) => {
                // What the operators combine is one result, and stays.
                let combined: usize = ops.iter().map(|r| r.op.ret.len()).sum();
                let keep: Vec<bool> =
                    keep.iter().enumerate().map(|(i, k)| *k || i < combined).collect();
                if body.results.iter().all(|r| matches!(r, KernelResult::Return(_))) {
                    retain(&mut s.pat, &keep);
                    retain(&mut body.results, &keep);
                    retain(&mut body.types, &keep);
                }
            }
            _ => {}
        }
    }

    fn lambda(&mut self, l: &mut Lambda) {
        self.body(&mut l.body);
    }

    fn kernel_body(&mut self, b: &mut KernelBody) {
        for r in &b.results {
            match r {
                KernelResult::Return(x) => self.subexp(*x),
                KernelResult::Write { dest, writes } => {
                    self.used.insert(*dest);
                    for (at, x) in writes {
                        at.iter().for_each(|i| self.subexp(*i));
                        self.subexp(*x);
                    }
                }
            }
        }
        self.stms(&mut b.stms);
    }

    fn blocks(&mut self, e: &mut Exp) {
        match e {
            Exp::Match { scrutinee: _, cases, default } => {
                for (_, b) in cases {
                    self.body(b);
                }
                self.body(default);
            }
            Exp::Loop { body, .. } => self.body(body),
            Exp::Soac(Soac::Screma { inputs, lambda, scans, reduces, .. }) => {
                for r in scans.iter_mut().chain(reduces) {
                    self.lambda(&mut r.op);
                }
                self.lambda(lambda);
                self.inputs(inputs, lambda);
            }
            Exp::Soac(Soac::Hist { inputs, ops, lambda, .. }) => {
                for h in ops {
                    self.lambda(&mut h.op.op);
                }
                self.lambda(lambda);
                self.inputs(inputs, lambda);
            }
            Exp::Soac(Soac::Scatter { inputs, lambda, .. }) => {
                self.lambda(lambda);
                self.inputs(inputs, lambda);
            }
            Exp::Seg(s) => match s {
                SegOp { kind: SegKind::Map, body, .. } => self.kernel_body(body),
                SegOp { kind: SegKind::Red(ops) | SegKind::Scan(ops), body, .. } => {
                    for r in ops {
                        self.lambda(&mut r.op);
                    }
                    self.kernel_body(body);
                }
                SegOp { kind: SegKind::Hist(ops), body, .. } => {
                    for h in ops {
                        self.lambda(&mut h.op.op);
                    }
                    self.kernel_body(body);
                }
            },
            _ => {}
        }
    }

    /// Inputs whose rows nobody looks at.
    fn inputs(&mut self, inputs: &mut Vec<Var>, lambda: &mut Lambda) {
        let keep: Vec<bool> = lambda.params.iter().map(|p| self.used.contains(&p.var)).collect();
        retain(inputs, &keep);
        retain(&mut lambda.params, &keep);
    }
}

/// Keeps the elements with `true`.
pub(super) fn retain<T>(xs: &mut Vec<T>, keep: &[bool]) {
    let mut keep = keep.iter();
    xs.retain(|_| keep.next().copied().unwrap_or(true));
}

/// Which parameters of a loop are needed: those whose last value is wanted, and those on whose
/// values these depend.
fn needed_params(wanted: &[bool], params: &[Param], form: &LoopForm, body: &Body) -> Vec<bool> {
    let mut by: VarMap<usize> = VarMap::default();
    let frees: Vec<Vec<Var>> = body.stms.iter().map(free_in_stm).collect();
    for (i, s) in body.stms.iter().enumerate() {
        by.extend(s.pat.iter().map(|p| (p.var, i)));
    }
    let index: VarMap<usize> = params.iter().enumerate().map(|(i, p)| (p.var, i)).collect();
    let mut keep = vec![false; params.len()];
    let mut seen = vec![false; body.stms.len()];
    let mut todo: Vec<Var> = Vec::new();
    let mut need: Vec<usize> = (0..params.len()).filter(|&i| wanted[i]).collect();
    if let LoopForm::While { cond } = form {
        need.extend(index.get(cond));
    }
    // What these need stays, whether or not their results are wanted.
    for (i, s) in body.stms.iter().enumerate() {
        if is_size_check(s) || may_trace(s) {
            seen[i] = true;
            todo.extend(frees[i].iter().copied());
        }
    }
    loop {
        while let Some(v) = todo.pop() {
            if let Some(&i) = index.get(&v) {
                need.push(i);
            } else if let Some(&i) = by.get(&v)
                && !std::mem::replace(&mut seen[i], true)
            {
                todo.extend(frees[i].iter().copied());
            }
        }
        let Some(i) = need.pop() else { break };
        if !std::mem::replace(&mut keep[i], true) {
            todo.extend(body.result.get(i).and_then(|x| x.var()));
            todo.extend(params[i].ty.shape().iter().filter_map(|x| x.var()));
        }
    }
    keep
}

/// Calls count, whatever is called.
fn may_trace(s: &Stm) -> bool {
    struct Finds(bool);
    impl Visit for Finds {
        fn stm(&mut self, s: &Stm) {
            self.0 |= is_kept(s) || matches!(s.exp, Exp::Trace(_) | Exp::Call { .. });
            if !self.0 {
                walk::stm(self, s);
            }
        }
    }
    let mut finds = Finds(false);
    finds.stm(s);
    finds.0
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, pass};
    use super::dead_code;
    use crate::ir::traverse::free_in_fun;

    #[test]
    fn statements_and_results() {
        check(
            dead_code,
            "fun f (x_1: i64, c_2: bool) : (r_3: i64) {
               let a_4: i64 = add.i64(x_1, 1)
               let (b_5: i64, d_6: i64) = if c_2 { let e_7: i64 = mul.i64(x_1, 2) in (e_7, x_1) }
                 else { in (3, 4) }
               in d_6 }",
            "fun f (x_1: i64, c_2: bool) : (r_3: i64) {
               let d_6: i64 = if c_2 { in x_1 } else { in 4 }
               in d_6 }",
        );
    }

    #[test]
    fn loop_parameters_that_feed_only_themselves() {
        check(
            dead_code,
            "fun f (x_1: i64) : (r_3: i64) {
               let (b_5: i64, d_6: i64) = loop (p_7: i64 = 0, q_8: i64 = 1) for i_9: i64 < x_1 {
                 let p1_10: i64 = add.i64(p_7, q_8)
                 let q1_11: i64 = add.i64(q_8, 2)
                 in (p1_10, q1_11) }
               in d_6 }",
            "fun f (x_1: i64) : (r_3: i64) {
               let d_6: i64 = loop (q_8: i64 = 1) for i_9: i64 < x_1 {
                 let q1_11: i64 = add.i64(q_8, 2)
                 in q1_11 }
               in d_6 }",
        );
    }

    #[test]
    fn unused_assertions_go_and_traces_stay() {
        check(
            dead_code,
            "fun f (x_1: i64, c_2: bool) : (r_3: i64) {
               let e_4: cert = assert(c_2, \"no\")
               let a_5: i64 = <e_4> add.i64(x_1, 1)
               let t_6: i64 = trace(x_1)
               in x_1 }",
            "fun f (x_1: i64, c_2: bool) : (r_3: i64) {
               let t_6: i64 = trace(x_1)
               in x_1 }",
        );
    }

    #[test]
    fn assertions_to_be_kept() {
        let text = "fun f (x_1: i64, c_2: bool) : (r_3: i64) {
               let u_7: i64 = loop (p_8: i64 = 0) for i_9: i64 < x_1 { let e_4: cert = assert keep(c_2, \"no\") in p_8 }
               in x_1 }";
        let want = "fun f (x_1: i64, c_2: bool) : (r_3: i64) {
               let () = loop () for i_9: i64 < x_1 { let e_4: cert = assert keep(c_2, \"no\") in () }
               in x_1 }";
        check(dead_code, text, want);
    }

    #[test]
    fn results_and_inputs_of_combinators() {
        check(
            dead_code,
            "fun f (n_1: i64, xs_2: [n_1]i32, ys_3: [n_1]i32) : (r_4: i32) {
               let (s_5: i32, t_6: i32, m_7: [n_1]i32) = redomap(n_1, [xs_2, ys_3],
                 \\(x_8: i32, y_9: i32) : (i32, i32, i32) { in (x_8, y_9, y_9) },
                 op [0i32] \\(a_10: i32, b_11: i32) : (i32) { let c_12: i32 = add.i32(a_10, b_11) in c_12 },
                 op [1i32] \\(a_13: i32, b_14: i32) : (i32) { let c_15: i32 = mul.i32(a_13, b_14) in c_15 })
               in s_5 }",
            "fun f (n_1: i64, xs_2: [n_1]i32, ys_3: [n_1]i32) : (r_4: i32) {
               let s_5: i32 = reduce(n_1, [xs_2], \\(x_8: i32) id,
                 op [0i32] \\(a_10: i32, b_11: i32) : (i32) { let c_12: i32 = add.i32(a_10, b_11) in c_12 })
               in s_5 }",
        );
    }

    #[test]
    fn globals_nobody_uses() {
        let p = pass(
            dead_code,
            "global (a_1: i64, b_2: i64) = { let c_3: i64 = add.i64(1, 2) in (c_3, 4) }
             fun f (x_5: i64) : (r_6: i64) { let y_7: i64 = add.i64(x_5, b_2) in y_7 }",
        );
        assert_eq!(p.globals.len(), 1);
        assert!(p.consts.stms.is_empty());
        assert_eq!(free_in_fun(&p.funs[0]).len(), 1);
    }
}

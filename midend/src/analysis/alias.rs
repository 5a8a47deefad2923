//! Which arrays may share memory, and which of them are consumed: one linear walk over a program,
//! insensitive to the order of statements.
//!
//! Arrays that may share memory *while their values are still wanted* fall into one class. An
//! update consumes the class of its array; its result begins a new class, for nothing of the old
//! one may be used any more. A loop whose body consumes a parameter likewise separates what goes
//! in from what comes out, unless the body yields something from outside itself.
//!
//! Results of calls are taken to share memory with every argument that is not consumed and has the
//! same element type. That is more than [`crate::ir::verify`] assumes, and safe.
//!
//! What a variable unknown to the analysis (made later) is asked about is answered with the worst.

use crate::ir::traverse::{Visit, walk};
use crate::ir::varmap::{FastMap, VarMap};
use crate::ir::{
    Body, Exp, Fun, HistOp, KernelResult, Lambda, Param, PatElem, Program, Reduction, SegKind,
    SegOp, Soac, Stm, SubExp, Type, Var,
};
use futc_typed::name::Name;

/// What is known of a class.
#[derive(Clone, Copy, Debug, Default)]
pub struct Class {
    /// Some member is consumed somewhere.
    pub consumed: bool,
    /// Some member is (part of) the result of a function.
    pub escapes: bool,
    /// Some member is a parameter that the caller keeps, or a global: it must never be consumed
    /// nor given away as if it were fresh.
    pub foreign: bool,
    /// Some member is what a round of a loop hands to the next one, which consumes it. That is another class where the
    /// round makes it anew; what is made an alias of it would be consumed, too.
    pub carried: bool,
    /// When the first of its members was bound, counted along the walk.
    pub since: u32,
}

impl Class {
    /// Whether another array may become an alias of a member: nothing that shares its memory is consumed, in this round
    /// of a loop or the next one, nor given away as fresh.
    pub fn may_be_shared(&self) -> bool {
        !self.consumed && !self.carried && !self.escapes
    }

    const WORST: Class =
        Class { consumed: true, escapes: true, foreign: true, carried: true, since: 0 };
}

/// The classes of a program's arrays.
#[derive(Default)]
pub struct Aliases {
    slot: VarMap<u32>,
    parent: Vec<u32>,
    class: Vec<Class>,
}

/// The functions of a program, for what calls of them consume.
#[derive(Clone)]
pub struct Calls<'p>(FastMap<Name, &'p Fun>);

impl<'p> Calls<'p> {
    /// Of a program.
    pub fn of(p: &'p Program) -> Calls<'p> {
        Calls(p.funs.iter().map(|f| (f.name, f)).collect())
    }
}

impl Aliases {
    /// Of a whole program at level `soacs` or `seg`.
    pub fn of_program(p: &Program) -> Aliases {
        let mut walker = Walker { a: Aliases::default(), calls: &Calls::of(p) };
        walker.body(&p.consts);
        for (g, x) in p.globals.iter().zip(&p.consts.result) {
            walker.a.add(g.var, &g.ty);
            walker.a.mark(g.var, |c| c.foreign = true);
            if let SubExp::Var(x) = x {
                walker.a.union(g.var, *x);
            }
        }
        for f in &p.funs {
            walker.fun(f);
        }
        walker.a
    }

    /// Of the body of a loop alone: as if it were a function that may consume `own`, and not the arrays from `outside`.
    pub fn of_body<'t>(
        b: &Body,
        own: &Param,
        outside: impl Iterator<Item = (Var, &'t Type)>,
        calls: &Calls<'_>,
    ) -> Aliases {
        let mut walker = Walker { a: Aliases::default(), calls };
        for (v, ty) in outside {
            walker.a.add(v, ty);
            walker.a.mark(v, |c| c.foreign = true);
        }
        walker.param(own);
        walker.body(b);
        walker.a
    }

    fn add(&mut self, v: Var, ty: &Type) {
        if ty.rank() > 0 {
            let i = self.parent.len() as u32;
            if *self.slot.entry(v).or_insert(i) == i {
                self.parent.push(i);
                self.class.push(Class { since: i, ..Class::default() });
            }
        }
    }

    fn root(&mut self, v: Var) -> Option<u32> {
        let mut i = *self.slot.get(&v)?;
        while self.parent[i as usize] != i {
            let up = self.parent[self.parent[i as usize] as usize];
            self.parent[i as usize] = up;
            i = up;
        }
        Some(i)
    }

    /// A number that two arrays have in common exactly if they are in one class.
    pub fn id(&mut self, v: Var) -> Option<u32> {
        self.root(v)
    }

    /// What is known of the class of `v`, which is an array.
    pub fn class(&mut self, v: Var) -> Class {
        self.root(v).map_or(Class::WORST, |i| self.class[i as usize])
    }

    /// Whether `v` or anything sharing its memory is consumed anywhere.
    pub fn consumed(&mut self, v: Var) -> bool {
        self.class(v).consumed
    }

    fn mark(&mut self, v: Var, f: impl FnOnce(&mut Class)) {
        if let Some(i) = self.root(v) {
            f(&mut self.class[i as usize]);
        }
    }

    /// From now on the two may share memory. Nothing happens if one is no array.
    pub fn union(&mut self, v: Var, w: Var) {
        let (Some(i), Some(j)) = (self.root(v), self.root(w)) else { return };
        if i == j {
            return;
        }
        let (a, b) = (self.class[i as usize], self.class[j as usize]);
        // The elder stays root: paths are halved on the way, which is enough.
        let (up, down) = if a.since <= b.since { (i, j) } else { (j, i) };
        self.parent[down as usize] = up;
        self.class[up as usize] = Class {
            consumed: a.consumed || b.consumed,
            escapes: a.escapes || b.escapes,
            foreign: a.foreign || b.foreign,
            carried: a.carried || b.carried,
            since: a.since.min(b.since),
        };
    }

    /// How many arrays were bound before now: comparable with [`Class::since`].
    fn now(&self) -> u32 {
        self.parent.len() as u32
    }

    /// When `v` itself was bound.
    pub fn bound_at(&self, v: Var) -> Option<u32> {
        self.slot.get(&v).copied()
    }
}

struct Walker<'p> {
    a: Aliases,
    calls: &'p Calls<'p>,
}

impl Walker<'_> {
    fn consume(&mut self, v: Var) {
        self.a.mark(v, |c| c.consumed = true);
    }

    fn share(&mut self, v: Var, x: SubExp) {
        if let SubExp::Var(w) = x {
            self.a.union(v, w);
        }
    }

    fn share_first(&mut self, pat: &[PatElem], v: Var) {
        if let Some(p) = pat.first() {
            self.a.union(p.var, v);
        }
    }

    /// Accumulators, elements, neutral elements and results of an operator over arrays may all be
    /// one.
    fn operator(&mut self, r: &Reduction, elems: &[SubExp], results: &[PatElem]) {
        let n = r.neutral.len();
        for i in 0..n {
            let Some(acc) = r.op.params.get(i) else { continue };
            if acc.ty.rank() == 0 {
                continue;
            }
            if let Some(x) = r.op.params.get(n + i) {
                self.a.union(acc.var, x.var);
            }
            let rest = [r.neutral.get(i), r.op.body.result.get(i), elems.get(i)];
            for x in rest.into_iter().flatten() {
                self.share(acc.var, *x);
            }
            if let Some(p) = results.get(i) {
                self.a.union(acc.var, p.var);
            }
        }
    }

    fn rows(&mut self, l: &Lambda, inputs: &[Var]) {
        for (p, v) in l.params.iter().zip(inputs) {
            self.a.union(p.var, *v);
        }
    }

    fn hist(&mut self, ops: &[HistOp]) {
        for h in ops {
            self.operator(&h.op, &[], &[]);
        }
    }

    fn segmented(&mut self, s: &SegOp) {
        if let SegKind::Hist(ops) = &s.kind {
            return self.hist(ops);
        }
        let elems: Vec<SubExp> = s
            .body
            .results
            .iter()
            .map(|r| match r {
                KernelResult::Return(x) => *x,
                KernelResult::Write { dest, writes: _ } => SubExp::Var(*dest),
            })
            .collect();
        let mut from = 0;
        for r in s.kind.reductions() {
            self.operator(r, elems.get(from..).unwrap_or_default(), &[]);
            from += r.neutral.len();
        }
    }

    /// What results share, given which parameters the body consumes.
    fn loop_results(&mut self, s: &Stm, consumed: &[bool], start: u32) {
        let Exp::Loop { params, init, form: _, body } = &s.exp else { return };
        let carried = params.iter().zip(init).zip(&body.result).zip(&s.pat).zip(consumed);
        for ((((p, x), r), q), &consumed) in carried {
            let SubExp::Var(r) = r else { continue };
            self.a.union(q.var, *r);
            if !consumed {
                self.share(q.var, *x);
                self.a.union(p.var, *r);
                continue;
            }
            self.a.mark(*r, |c| c.carried = true);
            if self.a.class(*r).since < start {
                // The next round consumes something that has other names outside, or is another
                // parameter.
                self.a.union(p.var, *r);
            }
        }
    }

    fn after(&mut self, s: &Stm) {
        let pat = s.pat.as_slice();
        if let Some(SubExp::Var(v)) = s.exp.shares() {
            self.share_first(pat, v);
        }
        for array in s.exp.overwrites() {
            self.consume(array);
        }
        match &s.exp {
            Exp::Match { scrutinee: _, cases, default } => {
                for b in cases.iter().map(|c| &c.1).chain([default]) {
                    for (p, x) in pat.iter().zip(&b.result) {
                        self.share(p.var, *x);
                    }
                }
            }
            Exp::Call { fun, args } => {
                let Some(f) = self.calls.0.get(fun).copied() else { return };
                for (p, x) in f.params.iter().zip(args) {
                    let (SubExp::Var(v), Type::Array { elem, .. }) = (x, &p.ty) else { continue };
                    if p.unique {
                        self.consume(*v);
                        continue;
                    }
                    for q in pat {
                        if q.ty.rank() > 0 && q.ty.elem() == Some(*elem) {
                            self.a.union(q.var, *v);
                        }
                    }
                }
            }
            Exp::Soac(Soac::Screma { lambda, scans, reduces, .. }) => {
                let mut from = 0;
                for (r, reduced) in
                    scans.iter().map(|r| (r, false)).chain(reduces.iter().map(|r| (r, true)))
                {
                    let elems = lambda.body.result.get(from..).unwrap_or_default();
                    let results = pat.get(from..).filter(|_| reduced).unwrap_or_default();
                    self.operator(r, elems, results);
                    from += r.neutral.len();
                }
            }
            Exp::Soac(Soac::Hist { ops, .. }) => self.hist(ops),
            Exp::Seg(op) => self.segmented(op),
            // The results of a loop depend on what the body does; all else makes what is new.
            _ => {}
        }
    }
}

impl Visit for Walker<'_> {
    fn param(&mut self, p: &Param) {
        self.a.add(p.var, &p.ty);
    }

    fn pat_elem(&mut self, p: &PatElem) {
        self.a.add(p.var, &p.ty);
    }

    fn stm(&mut self, s: &Stm) {
        match &s.exp {
            Exp::Loop { params, init, form: _, body } => {
                for (p, x) in params.iter().zip(init) {
                    self.param(p);
                    self.share(p.var, *x);
                }
                // Parameters are inside, yet shared by all rounds. What they start as may have been
                // consumed under another name; whether the rounds consume it is asked.
                let start = self.a.now();
                let mut before: Vec<bool> = Vec::with_capacity(params.len());
                for p in params {
                    before.push(self.a.consumed(p.var));
                }
                for p in params {
                    self.a.mark(p.var, |c| c.consumed = false);
                }
                self.body(body);
                let mut inside: Vec<bool> = Vec::with_capacity(params.len());
                for p in params {
                    inside.push(self.a.consumed(p.var));
                }
                for (p, before) in params.iter().zip(before) {
                    if before {
                        self.a.mark(p.var, |c| c.consumed = true);
                    }
                }
                for p in &s.pat {
                    self.pat_elem(p);
                }
                return self.loop_results(s, &inside, start);
            }
            Exp::Soac(
                Soac::Screma { inputs, lambda, .. }
                | Soac::Hist { inputs, lambda, .. }
                | Soac::Scatter { inputs, lambda, .. },
            ) => {
                for p in &lambda.params {
                    self.param(p);
                }
                self.rows(lambda, inputs);
                walk::stm(self, s);
            }
            _ => walk::stm(self, s),
        }
        self.after(s);
    }

    fn fun(&mut self, f: &Fun) {
        for p in &f.params {
            self.param(p);
            if !p.unique {
                self.a.mark(p.var, |c| c.foreign = true);
            }
        }
        self.body(&f.body);
        for x in &f.body.result {
            if let SubExp::Var(v) = x {
                self.a.mark(*v, |c| c.escapes = true);
            }
        }
    }
}

/// What `s` and everything inside it consumes, by the names used there.
pub fn consumed_by(s: &Stm, consumes: &dyn Fn(Name) -> Vec<bool>) -> Vec<Var> {
    struct Consumed<'f> {
        out: Vec<Var>,
        consumes: &'f dyn Fn(Name) -> Vec<bool>,
    }
    impl Visit for Consumed<'_> {
        fn stms(&mut self, s: &Vec<Stm>) {
            walk::stms(self, s);
        }
        fn exp(&mut self, e: &Exp) {
            match e {
                Exp::Call { fun, args } => {
                    let unique = (self.consumes)(*fun);
                    let vars = args.iter().zip(unique).filter(|(_, u)| *u);
                    self.out.extend(vars.filter_map(|(x, _)| x.var()));
                }
                e => self.out.extend(e.overwrites()),
            }
            walk::exp(self, e);
        }
    }
    let mut c = Consumed { out: Vec::new(), consumes };
    c.stm(s);
    c.out
}

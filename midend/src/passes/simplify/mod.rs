//! Simplification: small named rules applied until none applies, or a bound is met.
//!
//! Before: `let a = x + 0  let b = iota(n)[a]  in b`. After: `in x`.
//!
//! A round walks the program once, in the order of scopes, with the definitions met so far. What a
//! statement is found to be another name for is put in its place from there on; every other
//! finding is a rule in one of the tables of [`RULES`]. A round is followed by [`dead_code`], since
//! many rules leave dead code behind or wait for it to go. Every rule makes the program smaller or
//! moves it towards a normal form, so the rounds end; they are bounded all the same. A round costs
//! time linear in the size of the program.
//!
//! Certificates: a rule that looks through a definition takes over its certificates, so no check
//! is lost. A value bound under certificates is never replaced by the value without them.
//!
//! Consumption: a rule that would read an array later than its definition did asks [`Aliases`]
//! whether the array may be consumed at all. Views are always looked through: whoever may use the
//! view may use the array.
//!
//! | file | rules about |
//! | --- | --- |
//! | `scalar` | arithmetic, comparisons, conversions |
//! | `facts` | signs and bounds of scalars |
//! | `index` | indexing, slices, updates |
//! | `array` | making and reshaping arrays |
//! | `control` | branches and loops |
//! | `soac` | array combinators |
//!
//! Works at levels `soacs` and `seg`; at `mem` it does nothing.

use super::dead_code::dead_code;
use crate::analysis::alias::Aliases;
use crate::ir::traverse::{Rewrite, Subst, rewrite};
use crate::ir::typing::TypeEnv;
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::*;

mod array;
mod control;
mod facts;
mod index;
mod scalar;
mod soac;
#[cfg(test)]
mod tests;

/// More rounds than this are not made.
const ROUNDS: usize = 12;

/// Simplifies the program.
pub fn simplify(mut program: Program) -> Program {
    if program.level == Level::Mem {
        return program;
    }
    // Functions that the last round left as they were need no other.
    let mut settled = vec![false; program.funs.len()];
    let mut consts_settled = false;
    for _ in 0..ROUNDS {
        let mut s = Simplifier::new(&program);
        if !consts_settled {
            s.body(&mut program.consts);
            consts_settled = !std::mem::take(&mut s.changed);
        }
        s.globals(&mut program);
        let mut changed = !consts_settled;
        for (f, settled) in program.funs.iter_mut().zip(&mut settled) {
            if !*settled {
                s.fun(f);
                *settled = !std::mem::take(&mut s.changed);
                changed |= !*settled;
            }
        }
        program.next_tag = s.names.next_tag();
        let mut left = program.funs.iter().map(|f| f.name).zip(settled).collect::<Vec<_>>();
        program = dead_code(program);
        if !changed {
            break;
        }
        // Dead functions are gone; those left are in the same order.
        let mut kept = program.funs.iter().map(|f| f.name).peekable();
        left.retain(|(n, _)| kept.next_if_eq(n).is_some());
        settled = left.into_iter().map(|(_, s)| s).collect();
    }
    program
}

/// What a variable was bound to.
#[derive(Clone, Debug)]
struct Def {
    exp: Exp,
    certs: Vec<Var>,
}

/// What a rule did to a statement.
enum Outcome {
    /// Nothing.
    Kept,
    /// It is another now; statements before it may have been emitted.
    Changed,
    /// It is gone; what stands for its pattern has been seen to.
    Gone,
}

/// A rule with its name.
type Rule = (&'static str, fn(&mut Simplifier, &mut Stm, &mut Vec<Stm>) -> Outcome);

/// The book of rules, by the kind of expression they are about.
const RULES: [&[Rule]; 5] =
    [scalar::RULES, index::RULES, array::RULES, control::RULES, soac::RULES];

/// Where in [`RULES`] the rules about `e` are.
fn kind(e: &Exp) -> Option<usize> {
    match e.class() {
        Class::Scalar => Some(0),
        Class::Element | Class::InPlace => Some(1),
        Class::View => {
            Some(if matches!(e, Exp::Index { .. } | Exp::FlatIndex { .. }) { 1 } else { 2 })
        }
        Class::Fresh => Some(2),
        Class::Branch | Class::Loop => Some(3),
        Class::Combinator => Some(4),
        Class::Name | Class::Unspecified | Class::Check | Class::Hidden | Class::Trace => None,
        Class::Call | Class::Block => None,
    }
}

struct Simplifier {
    names: NameSource,
    types: VarMap<Type>,
    defs: VarMap<Def>,
    subst: Subst,
    aliases: Aliases,
    /// Certificates of what is evidently true.
    trivial: VarSet,
    facts: facts::Facts,
    changed: bool,
}

impl TypeEnv for Simplifier {
    fn type_of(&self, v: Var) -> Option<&Type> {
        self.types.get(&v)
    }
}

impl Simplifier {
    fn new(p: &Program) -> Simplifier {
        Simplifier {
            names: NameSource::new(p.next_tag),
            types: VarMap::default(),
            defs: VarMap::default(),
            subst: Subst::new(),
            aliases: Aliases::of_program(p),
            trivial: VarSet::default(),
            facts: facts::Facts::default(),
            changed: false,
        }
    }

    /// Functions know constants by value.
    fn globals(&mut self, p: &mut Program) {
        for (g, x) in p.globals.iter_mut().zip(&p.consts.result) {
            self.pat_elem(g);
            if let SubExp::Const(c) = x {
                self.subst.insert(g.var, *c);
            }
        }
    }

    /// The definition of a variable, through other names for it, with all certificates met.
    fn def(&self, mut v: Var) -> Option<(&Exp, Vec<Var>)> {
        let mut certs: Vec<Var> = Vec::new();
        loop {
            let d = self.defs.get(&v)?;
            certs.extend(&d.certs);
            match d.exp {
                Exp::SubExp(SubExp::Var(w)) => v = w,
                _ => return Some((&d.exp, certs)),
            }
        }
    }

    /// What `v` is another name for, and under which certificates.
    fn renamed(&self, v: Var) -> Option<(Var, Vec<Var>)> {
        match self.defs.get(&v)? {
            Def { exp: Exp::SubExp(SubExp::Var(w)), certs } => Some((*w, certs.clone())),
            _ => None,
        }
    }

    /// The definition of an operand that was bound under no certificate.
    fn plain(&self, x: SubExp) -> Option<&Exp> {
        let d = self.defs.get(&x.var()?)?;
        d.certs.is_empty().then_some(&d.exp)
    }

    fn shape(&self, v: Var) -> Vec<SubExp> {
        self.types.get(&v).map_or(Vec::new(), |t| t.shape().to_vec())
    }

    fn is_array(&self, x: SubExp) -> bool {
        x.var().is_some_and(|v| self.types.get(&v).is_some_and(|t| t.rank() > 0))
    }

    /// The array may be read later than where it is read now.
    fn stays(&mut self, v: Var) -> bool {
        !self.aliases.consumed(v)
    }

    /// Nobody can tell whether the array is fresh.
    fn may_alias(&mut self, v: Var) -> bool {
        let c = self.aliases.class(v);
        !c.consumed && !c.escapes
    }

    /// Binds a new statement, or yields what it comes to.
    fn emit(&mut self, base: &str, exp: Exp, like: &Stm, out: &mut Vec<Stm>) -> SubExp {
        let exp = match scalar::step(self, &exp) {
            Some((e, certs)) if certs.is_empty() => e,
            _ => exp,
        };
        if let Exp::SubExp(x) = exp {
            return x;
        }
        let ty = match typing::exp_types(&exp, self) {
            Ok(mut ts) => ts.pop().unwrap_or(Type::I64),
            Err(_) => Type::I64,
        };
        let var = self.names.fresh(base);
        let stm = Stm {
            schedule: None,
            pat: vec![PatElem::new(var, ty.clone())],
            exp,
            certs: Vec::new(),
            attrs: Vec::new(),
            loc: like.loc,
        };
        self.types.insert(var, ty);
        self.define(&stm);
        out.push(stm);
        var.into()
    }

    /// `x + y` at `i64`.
    fn add(&mut self, x: SubExp, y: SubExp, like: &Stm, out: &mut Vec<Stm>) -> SubExp {
        self.emit("i", Exp::BinOp(BinOp::Add(IntType::I64), x, y), like, out)
    }

    /// `x * y` at `i64`.
    fn mul(&mut self, x: SubExp, y: SubExp, like: &Stm, out: &mut Vec<Stm>) -> SubExp {
        self.emit("i", Exp::BinOp(BinOp::Mul(IntType::I64), x, y), like, out)
    }

    /// From now on `p` is `x`, which holds only under `certs`.
    fn name(&mut self, p: PatElem, x: SubExp, like: &Stm, out: &mut Vec<Stm>) {
        if like.certs.is_empty() {
            self.subst.insert(p.var, x);
            if let SubExp::Var(w) = x {
                self.aliases.union(p.var, w);
            }
        } else {
            let stm = Stm {
                schedule: None,
                pat: vec![p],
                exp: Exp::SubExp(x),
                certs: like.certs.clone(),
                attrs: Vec::new(),
                loc: like.loc,
            };
            self.define(&stm);
            out.push(stm);
        }
    }

    /// Remembers what is small enough to be looked through.
    fn define(&mut self, s: &Stm) {
        let [p] = s.pat.as_slice() else { return };
        match &s.exp {
            Exp::Match { .. }
            | Exp::Loop { .. }
            | Exp::Call { .. }
            | Exp::Soac(_)
            | Exp::Seg(_)
            | Exp::Alloc { .. }
            | Exp::Retain(_)
            | Exp::Release(_)
            | Exp::Opaque(_)
            | Exp::Trace(_) => {}
            exp => {
                self.defs.insert(p.var, Def { exp: exp.clone(), certs: s.certs.clone() });
            }
        }
    }

    fn certs(&mut self, certs: &mut Vec<Var>) {
        for c in certs.iter_mut() {
            self.var(c);
        }
        let mut seen = 0;
        while seen < certs.len() {
            if self.trivial.contains(&certs[seen]) || certs[..seen].contains(&certs[seen]) {
                certs.remove(seen);
            } else {
                seen += 1;
            }
        }
    }

    fn simplify_stm(&mut self, mut s: Stm, out: &mut Vec<Stm>) {
        self.certs(&mut s.certs);
        match &s.exp {
            Exp::Loop { .. } => self.changed |= control::before_loop(self, &mut s, out),
            Exp::Soac(_) => self.changed |= soac::before(self, &mut s),
            Exp::Seg(op) => self.facts.space(op),
            _ => {}
        }
        self.exp(&mut s.exp);
        for p in &mut s.pat {
            self.pat_elem(p);
        }
        let mut budget = 16;
        'again: while budget > 0 {
            budget -= 1;
            let Some(kind) = kind(&s.exp) else { break };
            for (_, rule) in RULES[kind] {
                match rule(self, &mut s, out) {
                    Outcome::Kept => {}
                    Outcome::Changed => {
                        self.changed = true;
                        self.certs(&mut s.certs);
                        continue 'again;
                    }
                    Outcome::Gone => {
                        self.changed = true;
                        return;
                    }
                }
            }
            break;
        }
        match (&s.exp, s.pat.as_slice()) {
            (Exp::SubExp(x), [p]) if s.certs.is_empty() => {
                let (p, x) = (p.clone(), *x);
                self.name(p, x, &s, out);
                self.changed = true;
                return;
            }
            (Exp::Assert { cond: SubExp::Const(Const::Bool(true)), .. }, [p]) => {
                self.trivial.insert(p.var);
                self.changed = true;
                return;
            }
            _ => {}
        }
        self.define(&s);
        out.push(s);
    }
}

impl Rewrite for Simplifier {
    fn var(&mut self, v: &mut Var) {
        if let Some(SubExp::Var(w)) = self.subst.get(*v) {
            *v = w;
        }
    }

    fn subexp(&mut self, x: &mut SubExp) {
        *x = self.subst.lookup(*x);
    }

    fn param(&mut self, p: &mut Param) {
        rewrite::param(self, p);
        self.types.insert(p.var, p.ty.clone());
    }

    fn pat_elem(&mut self, p: &mut PatElem) {
        rewrite::pat_elem(self, p);
        self.types.insert(p.var, p.ty.clone());
    }

    fn exp(&mut self, e: &mut Exp) {
        if let Exp::Loop { form: LoopForm::For { var, ty, bound }, .. } = e {
            self.types.insert(*var, Type::Prim(Prim::Int(*ty)));
            let bound = self.subst.lookup(*bound);
            self.facts.below(*var, bound);
        }
        if let Exp::Match { scrutinee, cases, default } = e {
            self.subexp(scrutinee);
            if let [(Const::Bool(wanted), yes)] = cases.as_mut_slice() {
                for (body, value) in [(yes, *wanted), (default, !*wanted)] {
                    let mark = self.facts.mark();
                    self.assume(*scrutinee, value);
                    self.body(body);
                    self.facts.forget(mark);
                }
                return;
            }
        }
        rewrite::exp(self, e);
    }

    fn stms(&mut self, s: &mut Vec<Stm>) {
        let mut out = Vec::with_capacity(s.len());
        for stm in std::mem::take(s) {
            self.simplify_stm(stm, &mut out);
        }
        *s = out;
    }

    fn fun(&mut self, f: &mut Fun) {
        for p in &f.params {
            self.facts.sizes(&p.ty);
        }
        rewrite::fun(self, f);
    }
}

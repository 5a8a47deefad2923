//! Which parameters a function applies once at most.
//! See Note [Applied once] in the header of this folder.
//!
//! A parameter is applied once if its name stands for what is applied, to all the arguments that it
//! ever gets, or for an argument of a function that applies it once in its turn; on every path one
//! time at most; and not where things are evaluated any number of times, in a function or a loop.

use super::state::Bound;
use super::value::Value;
use crate::check::types::env::Conduct;
use futc_typed::program::{
    DefId, DimIndex, Exp, ExpKind, FunDef, LoopForm, PatKind, RangeEnd, VarId,
};
use futc_typed::types::Type;
use std::collections::HashMap;
use std::sync::Arc;

/// How a variable is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Uses {
    None,
    /// It is applied once at most, to so many arguments.
    Once(usize),
    /// Otherwise.
    Many,
}

impl Uses {
    /// One after the other.
    fn and(self, other: Uses) -> Uses {
        match (self, other) {
            (Uses::None, uses) | (uses, Uses::None) => uses,
            _ => Uses::Many,
        }
    }

    /// One or the other.
    fn or(self, other: Uses) -> Uses {
        if self == other { self } else { self.and(other) }
    }

    /// Any number of times.
    fn repeated(self) -> Uses {
        if self == Uses::None { self } else { Uses::Many }
    }
}

/// What is known of functions that may be applied.
struct Applicable<'t> {
    conducts: &'t HashMap<DefId, Arc<Conduct>>,
    vars: &'t HashMap<VarId, Bound>,
}

/// For each parameter that is a function applied once at most, to how many arguments. `vars` are
/// the variables around and inside.
pub(super) fn applied_once(
    fun: &FunDef,
    conducts: &HashMap<DefId, Arc<Conduct>>,
    vars: &HashMap<VarId, Bound>,
) -> Vec<Option<usize>> {
    let known = Applicable { conducts, vars };
    let once = fun.params.iter().map(|p| match (&p.pat.kind, &p.pat.ty) {
        (PatKind::Var(v), Type::Arrow(_)) => match known.uses(&fun.body, *v) {
            Uses::Once(count) => Some(count),
            Uses::None | Uses::Many => None,
        },
        _ => None,
    });
    once.collect()
}

impl Applicable<'_> {
    /// How many arguments the `i`-th parameter of a function gets, once; if it is given `count`
    /// arguments here.
    fn once(&self, fun: &Exp, i: usize, count: usize) -> Option<usize> {
        match &fun.kind {
            ExpKind::Global(id, _) => {
                let conduct = self.conducts.get(id)?;
                (count >= conduct.arity).then(|| conduct.once.get(i).copied().flatten())?
            }
            ExpKind::Var(v, _) => {
                let Value::Leaf(leaf) = &self.vars.get(v)?.value else { return None };
                let signature = leaf.signature.as_ref()?;
                (count >= signature.arity).then(|| signature.once.get(i).copied().flatten())?
            }
            _ => None,
        }
    }

    fn all<'e>(&self, es: impl IntoIterator<Item = &'e Exp>, v: VarId) -> Uses {
        es.into_iter().fold(Uses::None, |uses, e| uses.and(self.uses(e, v)))
    }

    fn uses(&self, e: &Exp, v: VarId) -> Uses {
        match &e.kind {
            ExpKind::Var(w, _) if *w == v => Uses::Many,
            ExpKind::Lit(_)
            | ExpKind::String(_)
            | ExpKind::Hole
            | ExpKind::Intrinsic(..)
            | ExpKind::Global(..)
            | ExpKind::Var(..) => Uses::None,
            ExpKind::App { fun, args, .. } => {
                let is_it = |e: &Exp| matches!(&e.kind, ExpKind::Var(w, _) if *w == v);
                let applied = match is_it(fun) {
                    true => Uses::Once(args.len()),
                    false => self.uses(fun, v),
                };
                args.iter().enumerate().fold(applied, |uses, (i, arg)| {
                    let passed = is_it(arg).then(|| self.once(fun, i, args.len())).flatten();
                    uses.and(passed.map_or_else(|| self.uses(arg, v), Uses::Once))
                })
            }
            ExpKind::Record(fields) => self.all(fields.iter().map(|(_, e)| e), v),
            ExpKind::ArrayLit(es) | ExpKind::Constr(_, es) => self.all(es, v),
            ExpKind::Project(e, _) | ExpKind::Coerce(e) | ExpKind::Attr(_, e) => self.uses(e, v),
            ExpKind::Index(array, index) => self.uses(array, v).and(self.dims(index, v)),
            ExpKind::Update { array, index, value } => {
                self.all([&**array, &**value], v).and(self.dims(index, v))
            }
            ExpKind::RecordUpdate { record, value, .. } => self.all([&**record, &**value], v),
            ExpKind::Range { start, second, end } => {
                let (RangeEnd::Inclusive(end) | RangeEnd::UpTo(end) | RangeEnd::DownTo(end)) = end;
                self.all(
                    [Some(start), second.as_ref(), Some(end)].into_iter().flatten().map(|e| &**e),
                    v,
                )
            }
            ExpKind::Lambda(fun) => self.uses(&fun.body, v).repeated(),
            ExpKind::And(a, b) | ExpKind::Or(a, b) => self.all([&**a, &**b], v),
            ExpKind::If { cond, then, otherwise, .. } => {
                self.uses(cond, v).and(self.uses(then, v).or(self.uses(otherwise, v)))
            }
            ExpKind::Match { scrutinee, cases, .. } => {
                let paths = cases.iter().map(|c| self.uses(&c.body, v));
                self.uses(scrutinee, v).and(paths.fold(Uses::None, Uses::or))
            }
            ExpKind::Let { rhs, body, .. } => self.all([&**rhs, &**body], v),
            ExpKind::LetFun { fun, body, .. } => {
                self.uses(&fun.body, v).repeated().and(self.uses(body, v))
            }
            ExpKind::Loop(l) => {
                let repeated = match &l.form {
                    LoopForm::While(cond) => self.all([cond, &l.body], v).repeated(),
                    LoopForm::For(_, outer) | LoopForm::ForIn(_, outer) => {
                        self.uses(outer, v).and(self.uses(&l.body, v).repeated())
                    }
                };
                self.uses(&l.init, v).and(repeated)
            }
            ExpKind::Assert { cond, body, .. } => self.all([&**cond, &**body], v),
        }
    }

    fn dims(&self, index: &[DimIndex], v: VarId) -> Uses {
        index.iter().fold(Uses::None, |uses, i| {
            uses.and(match i {
                DimIndex::Fix(e) => self.uses(e, v),
                DimIndex::Slice { start, end, stride } => {
                    self.all([start, end, stride].into_iter().flatten().map(|e| &**e), v)
                }
            })
        })
    }
}

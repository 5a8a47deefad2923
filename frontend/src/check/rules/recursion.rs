//! What a definition that calls itself must keep to, so that its functions can be specialised away
//! (today's reference, "Recursive functions"): its result holds no functions, and where it has
//! parameters that may, every use of it in itself is an application to all its arguments, in which
//! those parameters are passed on as they came.

use super::errors::RuleError;
use crate::check::infer::checker::Checker;
use crate::diag::Diagnostic;
use crate::syntax::ast::Liftedness;
use futc_typed::program::{
    DefId, DimIndex, Exp, ExpKind, FunDef, LoopForm, Param, Pat, PatKind, RangeEnd,
};
use futc_typed::span::Span;
use futc_typed::types::{Type, TypeArg};

impl Checker<'_> {
    /// Checks a finished definition that calls itself.
    pub(crate) fn restricted_recursion(&mut self, id: DefId, fun: &FunDef, name: Span) {
        // A type parameter that only the recursion would determine says nothing.
        if !matches!(fun.ret, Type::Param(_)) && self.holds_functions(&fun.ret) {
            let shown = self.show(&fun.ret);
            let name_text = self.text(name).to_owned();
            self.report(RuleError::RecursionYieldsFunctions { name: name_text, shown }.at(name));
        }
        let functional: Vec<bool> =
            fun.params.iter().map(|p| self.holds_functions(&p.pat.ty)).collect();
        if !functional.contains(&true) {
            return;
        }
        let mut calls = Calls { id, params: &fun.params, functional, name, found: Vec::new() };
        calls.exp(&fun.body);
        for d in calls.found {
            self.report(d);
        }
    }

    fn text(&self, span: Span) -> &str {
        let text = self.cx.text_of(span.file);
        text.get(span.start as usize..span.end as usize).unwrap_or("this definition")
    }

    fn holds_functions(&self, ty: &Type) -> bool {
        match ty {
            Type::Prim(_) | Type::Array { .. } => false,
            Type::Arrow(_) => true,
            Type::Record(fields) => fields.iter().any(|(_, t)| self.holds_functions(t)),
            Type::Sum(cs) => cs.iter().flat_map(|(_, ts)| ts).any(|t| self.holds_functions(t)),
            Type::Param(v) => self.rigid.get(v) == Some(&Liftedness::Lifted),
            Type::Opaque(id, args) => {
                id.liftedness == Liftedness::Lifted
                    || args.iter().any(|arg| match arg {
                        TypeArg::Size(_) => false,
                        TypeArg::Type(t) => self.holds_functions(t),
                    })
            }
        }
    }
}

/// The uses of a definition in itself.
struct Calls<'p> {
    id: DefId,
    params: &'p [Param],
    /// Which parameters may hold functions.
    functional: Vec<bool>,
    name: Span,
    found: Vec<Diagnostic>,
}

impl Calls<'_> {
    fn application(&mut self, span: Span, args: &[Exp]) {
        if args.len() < self.params.len() {
            let error = RuleError::RecursionNotSaturated { definition: self.name };
            return self.found.push(error.at(span));
        }
        for ((p, functional), arg) in self.params.iter().zip(self.functional.clone()).zip(args) {
            if functional && !passes_on(&p.pat, arg) {
                let error = RuleError::RecursionChangesFunction { definition: self.name };
                self.found.push(error.at(arg.span));
            }
        }
    }

    fn exps<'e>(&mut self, es: impl IntoIterator<Item = &'e Exp>) {
        es.into_iter().for_each(|e| self.exp(e));
    }

    fn dims(&mut self, index: &[DimIndex]) {
        for i in index {
            match i {
                DimIndex::Fix(e) => self.exp(e),
                DimIndex::Slice { start, end, stride } => {
                    self.exps([start, end, stride].into_iter().flatten().map(Box::as_ref));
                }
            }
        }
    }

    fn exp(&mut self, e: &Exp) {
        match &e.kind {
            ExpKind::Lit(_)
            | ExpKind::String(_)
            | ExpKind::Hole
            | ExpKind::Var(..)
            | ExpKind::Intrinsic(..) => {}
            ExpKind::Global(id, _) => {
                if *id == self.id {
                    let error = RuleError::RecursionNotApplied { definition: self.name };
                    self.found.push(error.at(e.span));
                }
            }
            ExpKind::App { fun, args, .. } => {
                if matches!(&fun.kind, ExpKind::Global(id, _) if *id == self.id) {
                    self.application(e.span, args);
                } else {
                    self.exp(fun);
                }
                self.exps(args);
            }
            ExpKind::Record(fields) => self.exps(fields.iter().map(|(_, e)| e)),
            ExpKind::ArrayLit(es) | ExpKind::Constr(_, es) => self.exps(es),
            ExpKind::Project(e, _) | ExpKind::Coerce(e) | ExpKind::Attr(_, e) => self.exp(e),
            ExpKind::Index(a, index) => {
                self.exp(a);
                self.dims(index);
            }
            ExpKind::Update { array, index, value } => {
                self.exp(array);
                self.dims(index);
                self.exp(value);
            }
            ExpKind::RecordUpdate { record, value, .. } => {
                self.exp(record);
                self.exp(value);
            }
            ExpKind::Range { start, second, end } => {
                self.exp(start);
                self.exps(second.iter().map(Box::as_ref));
                let (RangeEnd::Inclusive(end) | RangeEnd::UpTo(end) | RangeEnd::DownTo(end)) = end;
                self.exp(end);
            }
            ExpKind::Lambda(f) => self.exp(&f.body),
            ExpKind::And(a, b) | ExpKind::Or(a, b) => {
                self.exp(a);
                self.exp(b);
            }
            ExpKind::Let { rhs, body, .. } => {
                self.exp(rhs);
                self.exp(body);
            }
            ExpKind::LetFun { fun, body, .. } => {
                self.exp(&fun.body);
                self.exp(body);
            }
            ExpKind::If { cond, then, otherwise, .. } => {
                self.exp(cond);
                self.exp(then);
                self.exp(otherwise);
            }
            ExpKind::Match { scrutinee, cases, .. } => {
                self.exp(scrutinee);
                self.exps(cases.iter().map(|c| &c.body));
            }
            ExpKind::Loop(l) => {
                self.exp(&l.init);
                match &l.form {
                    LoopForm::For(_, e) | LoopForm::ForIn(_, e) | LoopForm::While(e) => self.exp(e),
                }
                self.exp(&l.body);
            }
            ExpKind::Assert { cond, body, .. } => {
                self.exp(cond);
                self.exp(body);
            }
        }
    }
}

/// Whether an argument is the parameter itself.
fn passes_on(param: &Pat, arg: &Exp) -> bool {
    match (&param.kind, &arg.kind) {
        (_, ExpKind::Attr(_, arg)) => passes_on(param, arg),
        (PatKind::Var(v), ExpKind::Var(w, _)) => v == w,
        (PatKind::Record(ps), ExpKind::Record(es)) => {
            ps.len() == es.len()
                && ps.iter().all(|(n, p)| {
                    es.iter().find(|(m, _)| m == n).is_some_and(|(_, e)| passes_on(p, e))
                })
        }
        _ => false,
    }
}

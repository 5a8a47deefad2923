//! Puts in what inference found out, and binds sizes.
//!
//! Before: typed expressions whose types hold metavariables, whose literals are placeholders, and
//! whose sizes may mention any variable of the definition. After: no metavariables; every variable
//! in a size is in scope where it is mentioned, is bound there (by an application, a branch, a
//! match, a loop, a `let`), or has given way to [`Size::Unknown`].
//!
//! The walk follows evaluation, so a size that an application brings into being is in scope in
//! all that comes after it, up to the end of the enclosing body. An instantiation may mention
//! sizes bound by the arguments it is applied to. A size bound inside of a `let`, a branch, a
//! function or a loop body is not visible after it; if the type still mentions it, the next node
//! that can bind sizes does so.
//!
//! Cost: linear in the program and the graphs of its types, each part of which is looked at once
//! for the sizes that are in scope.

use super::errors::FinishError;
use super::scope::{Scope, Walk};
use crate::check::exps::pattern::literal_pattern;
use crate::check::infer::checker::Checker;
use crate::check::infer::placeholder::literal_index;
use crate::check::infer::unknown::{Constraint, PrimSet, is_meta};
use crate::check::types::sizes::within;
use crate::check::types::subst::{size_vars, size_vars_of_type};
use futc_typed::prim::PrimType;
use futc_typed::program::{
    DimIndex, Exp, ExpKind, FunDef, Inst, LoopForm, Pat, PatKind, RangeEnd, VarId,
};
use futc_typed::shared::{Memo, Seen};
use futc_typed::span::Span;
use futc_typed::types::{Arrow, Size, Type, TypeArg};
use std::sync::Arc;

impl Checker<'_> {
    /// Looks again at the size equations put off.
    pub(crate) fn settle_deferred(&mut self) {
        for _ in 0..4 {
            let deferred = std::mem::take(&mut self.deferred);
            if deferred.is_empty() {
                return;
            }
            for (a, b, span) in deferred {
                self.unify_span = span;
                let (a, b) = (self.metas.zonk_size(&a), self.metas.zonk_size(&b));
                if !self.unify_size(&a, &b) {
                    self.sizes_differ_at(span, &a, &b);
                }
            }
        }
        for (a, b, span) in std::mem::take(&mut self.deferred) {
            self.sizes_differ_at(span, &a, &b);
        }
    }

    /// Gives types of which only the kind is known, as those of literals, their defaults; tells
    /// which primitive types these could have been, and which they are.
    pub(crate) fn default_constrained(&mut self, ty: &Type) -> Vec<(PrimSet, PrimType)> {
        let ty = self.metas.zonk(ty);
        let mut open = Vec::new();
        crate::check::infer::open::open_types(&ty, &mut open);
        let mut chosen = Vec::new();
        for v in open {
            let constraint = self.metas.constraint(v);
            if constraint != Constraint::Any {
                let ty = self.default_meta(v);
                if let (Constraint::Prims(set), Type::Prim(p)) = (constraint, ty) {
                    chosen.push((set, p));
                }
            }
        }
        chosen
    }

    fn default_meta(&mut self, v: VarId) -> Type {
        let origin = self.metas.origin(v);
        let ty = match self.metas.constraint(v) {
            Constraint::Any => {
                if let Some(at) = self.metas.demand(v).equality {
                    self.ambiguous(at, "can be any type whose values can be compared");
                }
                Type::unit()
            }
            Constraint::Prims(set) => Type::Prim(set.default()),
            Constraint::Record(mut fields) => {
                fields.sort_by(|a, b| futc_typed::types::field_order(a.0, b.0));
                let names: Vec<&str> = fields.iter().map(|(n, _)| n.as_str()).collect();
                let what = plural("the field", &names);
                self.ambiguous(origin, &format!("can be any record with {what}"));
                Type::Record(fields.into())
            }
            Constraint::Sum(mut constrs) => {
                constrs.sort_by(|a, b| a.0.as_str().cmp(b.0.as_str()));
                let names: Vec<String> = constrs.iter().map(|(n, _)| format!("#{n}")).collect();
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let what = plural("the constructor", &names);
                self.ambiguous(origin, &format!("can be any sum type with {what}"));
                Type::Sum(constrs.into())
            }
        };
        self.metas.set_type(v, ty.clone());
        ty
    }

    fn ambiguous(&mut self, span: Span, what: &str) {
        if self.failed {
            // An error may be what kept the type from being known.
            return;
        }
        self.report(FinishError::AmbiguousType { what: what.to_owned() }.at(span));
    }

    /// Finishes a definition.
    pub(crate) fn finish_function(&mut self, f: &mut FunDef) {
        let mut scope = Scope::of(f.type_params.clone(), f.size_params.len());
        self.fun(f, &mut scope);
    }

    /// Finishes the type of a scheme.
    pub(crate) fn finish_scheme(&mut self, ty: &Type, f: &FunDef) -> Type {
        let mut scope = Scope::default();
        f.size_params.iter().chain(&f.ret_sizes).for_each(|v| scope.bind(*v));
        self.ty(ty, &mut scope)
    }

    /// Finishes a size that stands outside of every term.
    pub(crate) fn finish_size(&mut self, size: &Size) -> Size {
        let mut scope = Scope::default();
        size_vars(&self.metas.zonk_size(size), &mut |v| scope.bind(v));
        self.size(size, &mut scope)
    }

    fn fun(&mut self, f: &mut FunDef, scope: &mut Scope) {
        let mark = scope.mark();
        f.size_params.iter().for_each(|v| scope.bind(*v));
        for p in &mut f.params {
            self.pat(&mut p.pat, scope);
            self.irrefutable(&p.pat, "a parameter");
        }
        self.finish_exp(&mut f.body, scope);
        scope.undo(mark);
        f.size_params.iter().chain(&f.ret_sizes).for_each(|v| scope.bind(*v));
        f.params.iter().filter_map(|p| p.name).for_each(|v| scope.bind(v));
        f.ret = self.ty(&f.ret, scope);
        scope.undo(mark);
    }

    /// The variables of a type that nothing has bound.
    fn unbound(&self, ty: &Type, scope: &mut Scope) -> Vec<VarId> {
        let mut free = Vec::new();
        if self.metas.is_bare(ty) {
            return free;
        }
        self.free(&self.metas.zonk(ty), &mut Seen::default(), &mut |v| {
            if !scope.set.contains(&v) && !free.contains(&v) {
                free.push(v);
            }
        });
        free
    }

    /// Variables that a value of the type could bind: those that are a whole dimension.
    fn free(&self, ty: &Type, seen: &mut Seen, f: &mut dyn FnMut(VarId)) {
        if seen.again(ty, 0) {
            return;
        }
        let size = |s: &Size, f: &mut dyn FnMut(VarId)| {
            if let Size::Var(v) = s
                && !is_meta(*v)
                && !self.let_sizes.contains_key(v)
            {
                f(*v);
            }
        };
        match ty {
            Type::Prim(_) | Type::Param(_) | Type::Arrow(_) => {}
            Type::Array { size: s, elem } => {
                size(s, f);
                self.free(elem, seen, f);
            }
            Type::Record(fields) => fields.iter().for_each(|(_, t)| self.free(t, seen, f)),
            Type::Sum(cs) => {
                cs.iter().flat_map(|(_, ts)| ts).for_each(|t| self.free(t, seen, f));
            }
            Type::Opaque(_, args) => {
                for arg in args.iter() {
                    match arg {
                        TypeArg::Size(s) => size(s, f),
                        TypeArg::Type(t) => self.free(t, seen, f),
                    }
                }
            }
        }
    }

    fn ty(&mut self, ty: &Type, scope: &mut Scope) -> Type {
        if let Type::Prim(_) = ty {
            return ty.clone();
        }
        let bare = self.metas.is_bare(ty);
        let ty = self.metas.zonk(ty);
        if bare {
            return ty;
        }
        let mut walk = Walk { memo: Memo::default(), outside: scope.mark() };
        self.put(&ty, scope, &mut walk).unwrap_or(ty)
    }

    /// What becomes of a type, if it does not stay as it is.
    fn put(&mut self, ty: &Type, scope: &mut Scope, walk: &mut Walk) -> Option<Type> {
        let within = within(&scope.order);
        if let Some(new) = walk.memo.get(ty, within) {
            return new;
        }
        // Under an arrow that binds sizes each walk has a scope of its own, and in a size
        // expression less is followed.
        let lasting = scope.nesting == 0 && scope.mark() == walk.outside;
        if lasting && let Some(new) = scope.kept.get(ty, scope.number()) {
            return new.clone();
        }
        let said = self.cx.diagnostics.len();
        let new = self.put_parts(ty, scope, walk);
        walk.memo.put(ty, within, &new);
        // What there is to say of a type is said for each of its uses.
        if lasting && !walk.memo.is_short() && self.cx.diagnostics.len() == said {
            scope.kept.put(ty, scope.number(), new.clone());
        }
        new
    }

    fn put_parts(&mut self, ty: &Type, scope: &mut Scope, walk: &mut Walk) -> Option<Type> {
        match ty {
            Type::Prim(_) => None,
            Type::Array { size, elem } => {
                let new_size = self.size(size, scope);
                let new_elem = self.put(elem, scope, walk);
                if new_elem.is_none() && new_size == *size {
                    return None;
                }
                let elem = new_elem.map_or_else(|| elem.clone(), Arc::new);
                Some(Type::Array { size: new_size, elem })
            }
            Type::Record(fields) => {
                let new = self.put_all(fields.iter().map(|(_, t)| t), scope, walk)?;
                Some(Type::Record(fields.iter().map(|(n, _)| *n).zip(new).collect()))
            }
            Type::Sum(constrs) => {
                let mut changed = false;
                let mut all = Vec::with_capacity(constrs.len());
                for (n, ts) in constrs.iter() {
                    let new = self.put_all(ts.iter(), scope, walk);
                    changed |= new.is_some();
                    all.push((*n, new.unwrap_or_else(|| ts.clone())));
                }
                changed.then(|| Type::Sum(all.into()))
            }
            Type::Arrow(a) => {
                let param = self.put(&a.param, scope, walk);
                let mark = scope.mark();
                a.name.iter().chain(&a.ret_sizes).for_each(|v| scope.bind(*v));
                let ret = self.put(&a.ret, scope, walk);
                scope.undo(mark);
                let name = a.name.filter(|name| {
                    let mut mentioned = false;
                    let ret = ret.as_ref().unwrap_or(&a.ret);
                    size_vars_of_type(ret, &mut |v| mentioned |= v == *name);
                    mentioned
                });
                if param.is_none() && ret.is_none() && name == a.name {
                    return None;
                }
                Some(Type::Arrow(Arc::new(Arrow {
                    name,
                    param: param.unwrap_or_else(|| a.param.clone()),
                    consumes: a.consumes.clone(),
                    ret_sizes: a.ret_sizes.clone(),
                    ret: ret.unwrap_or_else(|| a.ret.clone()),
                    unique_ret: a.unique_ret.clone(),
                })))
            }
            Type::Opaque(id, args) => {
                let mut changed = false;
                let mut all = Vec::with_capacity(args.len());
                for arg in args.iter() {
                    all.push(match arg {
                        TypeArg::Size(s) => {
                            let new = self.size(s, scope);
                            changed |= new != *s;
                            TypeArg::Size(new)
                        }
                        TypeArg::Type(t) => {
                            let new = self.put(t, scope, walk);
                            changed |= new.is_some();
                            TypeArg::Type(new.unwrap_or_else(|| t.clone()))
                        }
                    });
                }
                changed.then(|| Type::Opaque(*id, all.into()))
            }
            Type::Param(v) if is_meta(*v) => {
                let known = match self.metas.head(ty) {
                    Type::Param(w) if is_meta(w) => self.default_meta(w),
                    known => known,
                };
                Some(self.ty(&known, scope))
            }
            Type::Param(_) => None,
        }
    }

    fn put_all<'t>(
        &mut self,
        types: impl Iterator<Item = &'t Type>,
        scope: &mut Scope,
        walk: &mut Walk,
    ) -> Option<Vec<Type>> {
        let mut changed = false;
        let new = types
            .map(|t| match self.put(t, scope, walk) {
                Some(t) => {
                    changed = true;
                    t
                }
                None => t.clone(),
            })
            .collect();
        changed.then_some(new)
    }

    fn size(&mut self, size: &Size, scope: &mut Scope) -> Size {
        let size = self.metas.zonk_size(size);
        match &size {
            Size::Const(_) | Size::Global(_) | Size::Unknown => return size,
            Size::Var(v) if scope.set.contains(v) => return size,
            Size::Var(_) | Size::Exp(_) => {}
        }
        let kept = |v: VarId| scope.set.contains(&v);
        match self.expressed(&size, &kept) {
            Some(Size::Exp(_)) if scope.nesting > 1 => Size::Unknown,
            Some(Size::Exp(e)) => {
                let mut e = e.as_ref().clone();
                scope.nesting += 1;
                self.finish_exp(&mut e, scope);
                scope.nesting -= 1;
                crate::check::types::subst::exp_to_size(e)
            }
            Some(size) => size,
            None => Size::Unknown,
        }
    }

    fn inst(&mut self, inst: &mut Inst, scope: &mut Scope) {
        for t in &mut inst.types {
            *t = self.ty(t, scope);
        }
        for s in &mut inst.sizes {
            *s = self.size(s, scope);
        }
    }

    fn exps<'e>(&mut self, es: impl IntoIterator<Item = &'e mut Exp>, scope: &mut Scope) {
        for e in es {
            self.finish_exp(e, scope);
        }
    }

    /// The type of a node that can bind sizes, with those it binds.
    fn binding_type(&mut self, ty: &Type, scope: &mut Scope) -> (Type, Vec<VarId>) {
        let sizes = self.unbound(ty, scope);
        sizes.iter().for_each(|v| scope.bind(*v));
        (self.ty(ty, scope), sizes)
    }

    fn finish_exp(&mut self, e: &mut Exp, scope: &mut Scope) {
        self.finish_parts(e, scope);
        if !self.failed {
            // What was not known when the expression was checked may have made its type larger.
            self.fits_in(&e.ty, e.span);
        }
    }

    fn finish_parts(&mut self, e: &mut Exp, scope: &mut Scope) {
        if let Some(index) = literal_index(e) {
            let ty = self.ty(&e.ty, scope);
            let value = self.literal_value(index, &ty);
            *e = Exp { kind: ExpKind::Lit(value), ty, span: e.span };
            return;
        }
        match &mut e.kind {
            ExpKind::Lit(_) | ExpKind::String(_) | ExpKind::Hole => {}
            ExpKind::Var(_, inst) | ExpKind::Intrinsic(_, inst) => self.inst(inst, scope),
            ExpKind::Global(id, inst) => {
                if Some(*id) == self.own_id {
                    // Parameters that generalisation added stay the same in a recursive call;
                    // sizes are read from the arguments.
                    let known = inst.types.len();
                    inst.types.extend(scope.own_types.iter().skip(known).map(|v| Type::Param(*v)));
                    inst.sizes.resize(scope.own_sizes, Size::Unknown);
                }
                self.inst(inst, scope);
            }
            ExpKind::Record(fields) => self.exps(fields.iter_mut().map(|(_, e)| e), scope),
            ExpKind::ArrayLit(es) | ExpKind::Constr(_, es) => self.exps(es, scope),
            ExpKind::Project(e, _) | ExpKind::Coerce(e) | ExpKind::Attr(_, e) => {
                self.finish_exp(e, scope);
            }
            ExpKind::Index(a, index) => {
                self.finish_exp(a, scope);
                self.dims(index, scope);
            }
            ExpKind::Update { array, index, value } => {
                self.finish_exp(array, scope);
                self.dims(index, scope);
                self.finish_exp(value, scope);
            }
            ExpKind::RecordUpdate { record, value, .. } => {
                self.finish_exp(record, scope);
                self.finish_exp(value, scope);
            }
            ExpKind::Range { start, second, end } => {
                self.finish_exp(start, scope);
                self.exps(second.iter_mut().map(|e| &mut **e), scope);
                match end {
                    RangeEnd::Inclusive(e) | RangeEnd::UpTo(e) | RangeEnd::DownTo(e) => {
                        self.finish_exp(e, scope);
                    }
                }
            }
            ExpKind::Lambda(f) => self.fun(Arc::make_mut(f), scope),
            ExpKind::App { fun, args, sizes } => {
                self.exps(args.iter_mut(), scope);
                self.finish_exp(fun, scope);
                let (ty, bound) = self.binding_type(&e.ty, scope);
                *sizes = bound;
                e.ty = ty;
                return;
            }
            ExpKind::And(a, b) | ExpKind::Or(a, b) => {
                self.finish_exp(a, scope);
                let mark = scope.mark();
                self.finish_exp(b, scope);
                scope.undo(mark);
            }
            ExpKind::Let { sizes, pat, rhs, body } => {
                self.finish_exp(rhs, scope);
                let mark = scope.mark();
                sizes.iter().for_each(|v| scope.bind(*v));
                for v in self.unbound(&pat.ty, scope) {
                    scope.bind(v);
                    sizes.push(v);
                }
                self.pat(pat, scope);
                self.irrefutable(pat, "a let");
                self.finish_exp(body, scope);
                e.ty = self.ty(&e.ty, scope);
                scope.undo(mark);
                return;
            }
            ExpKind::LetFun { fun, body, .. } => {
                self.fun(Arc::make_mut(fun), scope);
                let mark = scope.mark();
                self.finish_exp(body, scope);
                e.ty = self.ty(&e.ty, scope);
                scope.undo(mark);
                return;
            }
            ExpKind::If { cond, then, otherwise, sizes } => {
                self.finish_exp(cond, scope);
                let mark = scope.mark();
                self.finish_exp(then, scope);
                scope.undo(mark);
                self.finish_exp(otherwise, scope);
                scope.undo(mark);
                let (ty, bound) = self.binding_type(&e.ty, scope);
                *sizes = bound;
                e.ty = ty;
                return;
            }
            ExpKind::Match { scrutinee, cases, sizes } => {
                self.finish_exp(scrutinee, scope);
                let mark = scope.mark();
                for case in cases.iter_mut() {
                    self.pat(&mut case.pat, scope);
                    self.finish_exp(&mut case.body, scope);
                    scope.undo(mark);
                }
                self.exhaustive(scrutinee.span, cases);
                let (ty, bound) = self.binding_type(&e.ty, scope);
                *sizes = bound;
                e.ty = ty;
                return;
            }
            ExpKind::Loop(l) => {
                self.finish_exp(&mut l.init, scope);
                match &mut l.form {
                    LoopForm::For(_, bound) => self.finish_exp(bound, scope),
                    LoopForm::ForIn(_, array) => self.finish_exp(array, scope),
                    LoopForm::While(_) => {}
                }
                let mark = scope.mark();
                l.sizes.iter().for_each(|v| scope.bind(*v));
                for v in self.unbound(&l.pat.ty, scope) {
                    scope.bind(v);
                    l.sizes.push(v);
                }
                self.pat(&mut l.pat, scope);
                self.irrefutable(&l.pat, "the parameter of a loop");
                match &mut l.form {
                    LoopForm::For(v, _) => scope.bind(*v),
                    LoopForm::ForIn(p, _) => {
                        self.pat(p, scope);
                        self.irrefutable(p, "the elements of a loop");
                    }
                    LoopForm::While(cond) => self.finish_exp(cond, scope),
                }
                self.finish_exp(&mut l.body, scope);
                scope.undo(mark);
                let (ty, bound) = self.binding_type(&e.ty, scope);
                l.result_sizes = bound;
                e.ty = ty;
                return;
            }
            ExpKind::Assert { cond, body, .. } => {
                self.finish_exp(cond, scope);
                self.finish_exp(body, scope);
            }
        }
        e.ty = self.ty(&e.ty, scope);
    }

    fn dims(&mut self, index: &mut [DimIndex], scope: &mut Scope) {
        for i in index {
            match i {
                DimIndex::Fix(e) => self.finish_exp(e, scope),
                DimIndex::Slice { start, end, stride } => {
                    for e in [start, end, stride].into_iter().flatten() {
                        self.finish_exp(e, scope);
                    }
                }
            }
        }
    }

    /// Finishes a pattern and brings its variables into scope.
    fn pat(&mut self, p: &mut Pat, scope: &mut Scope) {
        p.ty = self.ty(&p.ty, scope);
        if !self.failed {
            self.fits_in(&p.ty, p.span);
        }
        if let Some(index) = literal_pattern(p) {
            p.kind = PatKind::Lit(self.literal_value(index, &p.ty));
            return;
        }
        match &mut p.kind {
            PatKind::Wild | PatKind::Lit(_) => {}
            PatKind::Var(v) => scope.bind(*v),
            PatKind::Record(fields) => {
                for (_, p) in fields {
                    self.pat(p, scope);
                }
            }
            PatKind::Constr(_, ps) => {
                for p in ps {
                    self.pat(p, scope);
                }
            }
        }
    }
}

fn plural(what: &str, names: &[&str]) -> String {
    format!("{what}{} {}", if names.len() == 1 { "" } else { "s" }, names.join(", "))
}

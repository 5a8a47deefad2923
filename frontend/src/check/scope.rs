//! Names inside a definition, and type expressions there.

use super::automap;
use super::env::{Elab, Env, ModBinding, Scheme, Space, ValueBinding};
use super::metas::within;
use super::subst::Subst;
use super::terms::Checker;
use super::typeexp::{self, Place, Resolved, SizeScope, closest};
use super::why::{Why, path};
use crate::diag::Diagnostic;
use crate::syntax::ast::{self, Ident, Liftedness};
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use futc_typed::program::{Exp, ExpKind, Inst, VarId};
use futc_typed::shared::{Memo, Seen};
use futc_typed::span::Span;
use futc_typed::types::{Size, Type, TypeArg};
use std::collections::HashMap;
use std::sync::Arc;

/// What a name inside a definition means.
#[derive(Clone, Debug)]
pub(super) enum Local {
    /// A variable of one type.
    Mono(VarId, Type),
    /// A polymorphic function.
    Poly(VarId, Arc<Scheme>),
    /// A value of a module opened here, or the definition itself.
    Binding(ValueBinding),
}

/// A value found by name, with fields still to be projected from it.
enum Found<'n> {
    Local(Local, &'n [Ident]),
    Value(ValueBinding, &'n [Ident]),
    UnknownModule(Ident),
    /// The name of a module.
    Module,
    /// A parametric module, where one with definitions in it is needed.
    Parametric(Ident),
    Unknown(Option<Name>),
    /// Its definition was refused.
    Broken,
}

impl Checker<'_> {
    /// Where the scope stands, to come back to.
    pub(super) fn mark(&self) -> (usize, usize) {
        (self.trail.len(), self.local_types.len())
    }

    /// Ends the scope of all names since `mark`.
    pub(super) fn undo(&mut self, mark: (usize, usize)) {
        while self.trail.len() > mark.0 {
            if let Some(name) = self.trail.pop()
                && let Some(stack) = self.locals.get_mut(&name)
            {
                stack.pop();
            }
        }
        self.local_types.truncate(mark.1);
    }

    pub(super) fn push_local(&mut self, name: Name, local: Local) {
        self.locals.entry(name).or_default().push(local);
        self.trail.push(name);
    }

    pub(super) fn local(&self, name: Name) -> Option<&Local> {
        self.locals.get(&name).and_then(|stack| stack.last())
    }

    fn scope_env(&self) -> &Env {
        match self.opened.last() {
            Some(env) => env,
            None => self.env,
        }
    }

    /// The built-in or defined meaning of an unqualified operator, if it is not a local.
    pub(super) fn lookup_binding(&self, name: &ast::QualName) -> Option<ValueBinding> {
        if name.quals.is_empty() {
            return match self.local(name.name.name) {
                Some(Local::Binding(b)) => Some(b.clone()),
                Some(_) => None,
                None => self.scope_env().values.get(&name.name.name).cloned(),
            };
        }
        match self.find(name, &mut Vec::new()) {
            FoundOwned::Value(b) => Some(b),
            FoundOwned::Other => None,
        }
    }

    fn find(&self, name: &ast::QualName, parts: &mut Vec<Ident>) -> FoundOwned {
        *parts = name.quals.iter().copied().chain([name.name]).collect();
        match self.resolve(parts) {
            Found::Value(b, []) => FoundOwned::Value(b),
            _ => FoundOwned::Other,
        }
    }

    fn resolve<'n>(&self, parts: &'n [Ident]) -> Found<'n> {
        let Some((first, rest)) = parts.split_first() else { return Found::Unknown(None) };
        if let ([name], Some(prelude)) = (rest, &self.cx.prelude_env)
            && first.name.as_str() == automap::elaborate::PRELUDE
            && let Some(binding) = prelude.values.get(&name.name)
        {
            return Found::Value(binding.clone(), &[]);
        }
        if let Some(local) = self.local(first.name) {
            return Found::Local(local.clone(), rest);
        }
        let mut env = self.scope_env();
        let mut parts = parts;
        while let Some((first, rest)) = parts.split_first() {
            if !rest.is_empty() {
                if let Some(ModBinding::Structure(inner)) = env.modules.get(&first.name) {
                    env = inner;
                    parts = rest;
                    continue;
                }
                return match env.values.get(&first.name) {
                    Some(b) => Found::Value(b.clone(), rest),
                    None if env.is_broken(Space::Value, first.name) => Found::Broken,
                    None if env.modules.contains_key(&first.name) => Found::Parametric(*first),
                    None => Found::UnknownModule(*first),
                };
            }
            return match env.values.get(&first.name) {
                Some(b) => Found::Value(b.clone(), rest),
                None if env.is_broken(Space::Value, first.name) => Found::Broken,
                None if env.modules.contains_key(&first.name) => Found::Module,
                None => Found::Unknown(closest(first.name, env.values.keys().copied())),
            };
        }
        Found::Unknown(None)
    }

    /// A name used as a value, with what is projected from it.
    pub(super) fn variable(&mut self, name: &ast::QualName) -> Exp {
        let parts: Vec<Ident> = name.quals.iter().copied().chain([name.name]).collect();
        let found = self.resolve(&parts);
        if let Found::Local(_, rest) | Found::Value(_, rest) = &found
            && let Some(used) = parts.len().checked_sub(rest.len() + 1)
            && let Some(used) = parts.get(used).copied()
            && used.name.as_str().starts_with('_')
        {
            self.report(
                Diagnostic::error(
                    "underscore-use",
                    used.span,
                    format!("{} cannot be used: its name starts with an underscore", used.name),
                )
                .hint("such names say that a value is not used; rename it where it is bound"),
            );
        }
        let (first, rest) = match found {
            Found::Local(local, rest) => (self.use_local(local, name.span), rest),
            Found::Value(binding, rest) => (self.use_binding(&binding, name.span), rest),
            Found::Broken => return self.wrong(name.span),
            Found::UnknownModule(part) => {
                let message = format!("there is no module or value {} here", part.name);
                self.error("unknown-name", part.span, message);
                return self.wrong(name.span);
            }
            Found::Module => {
                let message = format!("{} is a module, and no value", path(name));
                self.error("unknown-name", name.span, message);
                return self.wrong(name.span);
            }
            Found::Parametric(part) => {
                let mut cx = self.lend();
                super::module::parametric(&mut cx, part.span);
                self.cx = cx;
                return self.wrong(name.span);
            }
            Found::Unknown(like) => {
                let text = name.name.name;
                if name.quals.is_empty() && matches!(text.as_str(), "&&" | "||") {
                    return self.logical_function(text, name.span);
                }
                if name.quals.is_empty() && DERIVATIVES.contains(&text.as_str()) {
                    self.report(
                        Diagnostic::error(
                            "not-implemented",
                            name.span,
                            format!(
                                "{text} is not there: automatic differentiation is not there yet"
                            ),
                        )
                        .hint("write the derivative as a function of its own"),
                    );
                    return self.wrong(name.span);
                }
                let mut d = Diagnostic::error(
                    "unknown-name",
                    name.span,
                    format!("there is no value named {} here", path(name)),
                );
                if let Some(like) = like {
                    d = d.hint(format!("did you mean {like}?"));
                }
                self.report(d);
                return self.wrong(name.span);
            }
        };
        let rest: Vec<Ident> = rest.to_vec();
        rest.into_iter().fold(first, |e, field| {
            let span = Span { end: field.span.end, ..e.span };
            self.project(e, field, span)
        })
    }

    fn use_local(&mut self, local: Local, span: Span) -> Exp {
        match local {
            Local::Mono(v, _) | Local::Poly(v, _) if self.unknown.contains(&v) => self.wrong(span),
            Local::Mono(v, ty) => Exp { kind: ExpKind::Var(v, Inst::default()), ty, span },
            Local::Poly(v, scheme) => {
                let (ty, inst) = self.instantiate(&scheme);
                Exp { kind: ExpKind::Var(v, inst), ty, span }
            }
            Local::Binding(b) => {
                if let ValueBinding::Def { id, .. } = &b
                    && Some(*id) == self.own_id
                {
                    self.recursive = true;
                }
                self.use_binding(&b, span)
            }
        }
    }

    /// `M.(e)`
    pub(super) fn opened_in(
        &mut self,
        module: &ast::QualName,
        e: &ast::Exp,
        hint: Option<&Type>,
    ) -> Exp {
        let path: Vec<Name> =
            module.quals.iter().chain([&module.name]).map(|part| part.name).collect();
        let Some(inner) = self.scope_env().module(&path) else {
            let mut cx = self.lend();
            let parts: Vec<Ident> = module.quals.iter().copied().chain([module.name]).collect();
            super::module::module_not_found(&mut cx, self.scope_env(), &parts);
            self.cx = cx;
            return self.wrong(e.span);
        };
        let values: Vec<(Name, ValueBinding)> =
            inner.values.iter().map(|(n, b)| (*n, b.clone())).collect();
        let mut env = self.scope_env().clone();
        env.open(inner);
        let mark = self.mark();
        // The module's values hide locals too.
        for (name, binding) in values {
            if self.local(name).is_some() {
                self.push_local(name, Local::Binding(binding));
            }
        }
        self.opened.push(Arc::new(env));
        let result = self.exp_with(e, hint);
        self.opened.pop();
        self.undo(mark);
        result
    }

    /// Reads a type expression, also with the existential sizes written in it left open.
    pub(super) fn open_type(&mut self, te: &ast::TypeExp) -> Option<(Resolved, Type)> {
        let opened = self.opened.last().cloned();
        let env: &Env = match &opened {
            Some(env) => env,
            None => self.env,
        };
        let mut cx = self.lend();
        let mut scope = TypeScope { checker: self, binds: Vec::new() };
        let resolved = typeexp::resolve_type(&mut cx, env, &mut scope, te);
        self.cx = cx;
        let Some(resolved) = resolved else {
            self.failed = true;
            return None;
        };
        if !self.fits_in(&resolved.ty, te.span) {
            return None;
        }
        let mut open = Subst::default();
        for v in &resolved.sizes {
            open.sizes.insert(*v, self.metas.fresh_size());
        }
        let ty = open.ty(&resolved.ty);
        Some((resolved, ty))
    }

    fn lend(&mut self) -> Elab {
        let file = self.cx.file;
        std::mem::replace(&mut self.cx, Elab::new(file))
    }

    /// The size that an expression in brackets denotes.
    pub(super) fn size_of_ast(&mut self, e: &ast::Exp) -> Option<Size> {
        let typed = self.check_prim(e, PrimType::I64, &Why::Size);
        if self.failed {
            return None;
        }
        let size = self.exp_size(&typed);
        if size.is_none() {
            self.error(
                "not-a-size",
                e.span,
                "an expression that binds or updates something is no size",
            );
        }
        size
    }

    /// The type as seen from outside of where the variables that `keep` refuses are bound: sizes
    /// that mention such a variable are expressed without it, or become sizes of their own.
    pub(super) fn unscope(&mut self, ty: &Type, keep: &dyn Fn(VarId) -> bool) -> Type {
        self.unscope_noting(ty, keep).0
    }

    /// As [`Checker::unscope`], telling the sizes made.
    pub(super) fn unscope_noting(
        &mut self,
        ty: &Type,
        keep: &dyn Fn(VarId) -> bool,
    ) -> (Type, Vec<VarId>) {
        let ty = self.metas.zonk(ty);
        if !self.metas.facts(&ty).sized {
            return (ty, Vec::new());
        }
        let mut made = HashMap::new();
        self.name_lost(&ty, keep, &[], &mut made);
        let ty = self.unscope_type(&ty, keep, &mut Vec::new(), &mut made, &mut Memo::default());
        let mut new: Vec<VarId> = made.into_values().collect();
        new.sort_by_key(|v| v.tag);
        (ty, new)
    }

    /// What cannot be said outside gets a new name where it is a whole dimension; compound sizes
    /// may then use that name: `([k]t, [n - k]t)`.
    fn name_lost(
        &mut self,
        ty: &Type,
        keep: &dyn Fn(VarId) -> bool,
        inside: &[VarId],
        made: &mut HashMap<String, VarId>,
    ) {
        let kept = |v: VarId| super::metas::is_meta(v) || inside.contains(&v) || keep(v);
        let mut lost: Vec<Size> = Vec::new();
        dimensions(ty, &mut |s| {
            if self.expressed(s, &kept).is_none() && !lost.contains(s) {
                lost.push(s.clone());
            }
        });
        // Parts before what they are parts of.
        lost.sort_by_key(|s| {
            let compound = matches!(s, Size::Exp(_));
            (compound, if compound { self.size_key(s).len() } else { 0 })
        });
        for size in lost {
            let key = self.size_key(&size);
            let new: Vec<VarId> = made.values().copied().collect();
            let known = |v: VarId| kept(v) || new.contains(&v);
            let smaller = self.replace_parts(&size, made);
            if self.expressed(&smaller, &known).is_none() {
                let new = self.lost_size(&size);
                made.insert(key, new);
            }
        }
    }

    fn unscope_type(
        &mut self,
        ty: &Type,
        keep: &dyn Fn(VarId) -> bool,
        inside: &mut Vec<VarId>,
        made: &mut HashMap<String, VarId>,
        memo: &mut Memo<Type>,
    ) -> Type {
        // Outside of arrows with sizes of their own, a part becomes the same wherever it is.
        let within = (made.len() as u64) << 32 | within(inside);
        if let Some(new) = memo.get(ty, within) {
            return new;
        }
        let before = self.made_sizes;
        let new = self.unscope_parts(ty, keep, inside, made, memo);
        if self.made_sizes == before {
            memo.put(ty, within, &new);
        }
        new
    }

    fn unscope_parts(
        &mut self,
        ty: &Type,
        keep: &dyn Fn(VarId) -> bool,
        inside: &mut Vec<VarId>,
        made: &mut HashMap<String, VarId>,
        memo: &mut Memo<Type>,
    ) -> Type {
        match ty {
            Type::Prim(_) | Type::Param(_) => ty.clone(),
            Type::Array { size, elem } => {
                let size = self.unscope_size(size, keep, inside, made);
                self.unscope_type(elem, keep, inside, made, memo).array(size)
            }
            Type::Record(fields) => Type::Record(
                fields
                    .iter()
                    .map(|(n, t)| (*n, self.unscope_type(t, keep, inside, made, memo)))
                    .collect(),
            ),
            Type::Sum(cs) => Type::Sum(
                cs.iter()
                    .map(|(n, ts)| {
                        let ts = ts.iter().map(|t| self.unscope_type(t, keep, inside, made, memo));
                        (*n, ts.collect())
                    })
                    .collect(),
            ),
            Type::Arrow(a) => {
                let param = self.unscope_type(&a.param, keep, inside, made, memo);
                let depth = inside.len();
                inside.extend(a.name.iter().chain(&a.ret_sizes));
                // What only the result has is existential there.
                let outer: Vec<String> = made.keys().cloned().collect();
                self.name_lost(&a.ret, keep, inside, made);
                let ret = self.unscope_type(&a.ret, keep, inside, made, memo);
                inside.truncate(depth);
                let mut new = (**a).clone();
                new.param = param;
                new.ret = ret;
                let before = new.ret_sizes.len();
                made.retain(|key, v| {
                    let known = outer.contains(key);
                    if !known {
                        new.ret_sizes.push(*v);
                    }
                    known
                });
                if let Some(added) = new.ret_sizes.get_mut(before..) {
                    added.sort_by_key(|v| v.tag);
                }
                Type::Arrow(Arc::new(new))
            }
            Type::Opaque(id, args) => Type::Opaque(
                *id,
                args.iter()
                    .map(|arg| match arg {
                        TypeArg::Size(s) => TypeArg::Size(self.unscope_size(s, keep, inside, made)),
                        TypeArg::Type(t) => {
                            TypeArg::Type(self.unscope_type(t, keep, inside, made, memo))
                        }
                    })
                    .collect(),
            ),
        }
    }

    fn unscope_size(
        &mut self,
        size: &Size,
        keep: &dyn Fn(VarId) -> bool,
        inside: &[VarId],
        made: &mut HashMap<String, VarId>,
    ) -> Size {
        let kept = |v: VarId| super::metas::is_meta(v) || inside.contains(&v) || keep(v);
        if let Some(size) = self.expressed(size, &kept) {
            return size;
        }
        let new: Vec<VarId> = made.values().copied().collect();
        let known = |v: VarId| kept(v) || new.contains(&v);
        if let Some(size) = self.expressed(&self.replace_parts(size, made), &known) {
            return size;
        }
        let v = self.lost_size(size);
        made.insert(self.size_key(size), v);
        Size::Var(v)
    }

    /// The size without variables that `kept` refuses, looking through `let`s, if that can be.
    pub(super) fn expressed(&self, size: &Size, kept: &dyn Fn(VarId) -> bool) -> Option<Size> {
        let mut size = size.clone();
        for _ in 0..64 {
            let mut subst = super::subst::Subst::default();
            let mut stuck = false;
            super::subst::size_vars(&size, &mut |v| {
                if !kept(v) {
                    match self.let_sizes.get(&v) {
                        Some(s) => {
                            subst.sizes.insert(v, self.metas.zonk_size(s));
                        }
                        None => stuck = true,
                    }
                }
            });
            if stuck {
                return None;
            }
            if subst.is_empty() {
                return Some(size);
            }
            size = subst.size(&size);
            if super::size::too_large(&size) {
                return None;
            }
        }
        None
    }
}

/// Calls `f` with every size outside of arrows.
pub(super) fn dimensions(ty: &Type, f: &mut dyn FnMut(&Size)) {
    dimensions_seen(ty, &mut Seen::default(), f);
}

fn dimensions_seen(ty: &Type, seen: &mut Seen, f: &mut dyn FnMut(&Size)) {
    if seen.again(ty, 0) {
        return;
    }
    match ty {
        Type::Prim(_) | Type::Param(_) | Type::Arrow(_) => {}
        Type::Array { size, elem } => {
            f(size);
            dimensions_seen(elem, seen, f);
        }
        Type::Record(fields) => fields.iter().for_each(|(_, t)| dimensions_seen(t, seen, f)),
        Type::Sum(cs) => cs.iter().flat_map(|(_, ts)| ts).for_each(|t| dimensions_seen(t, seen, f)),
        Type::Opaque(_, args) => {
            for arg in args.iter() {
                match arg {
                    TypeArg::Size(s) => f(s),
                    TypeArg::Type(t) => dimensions_seen(t, seen, f),
                }
            }
        }
    }
}

/// What the reference compiler provides for derivatives.
const DERIVATIVES: &[&str] =
    &["jvp", "jvp2", "vjp", "vjp2", "jmp", "jmp2", "mjp", "mjp2", "with_vjp", "with_vjp_tape"];

enum FoundOwned {
    Value(ValueBinding),
    Other,
}

/// The checker as the surroundings of a type expression.
struct TypeScope<'c, 'a> {
    checker: &'c mut Checker<'a>,
    binds: Vec<(usize, usize)>,
}

impl SizeScope for TypeScope<'_, '_> {
    fn size(&mut self, cx: &mut Elab, _env: &Env, exp: &ast::Exp) -> Option<Size> {
        std::mem::swap(cx, &mut self.checker.cx);
        let failed = std::mem::replace(&mut self.checker.failed, false);
        let size = self.checker.size_of_ast(exp);
        self.checker.failed |= failed;
        std::mem::swap(cx, &mut self.checker.cx);
        size
    }

    fn anonymous(&mut self, _cx: &mut Elab, _span: Span, _place: Place) -> Option<Size> {
        Some(self.checker.metas.fresh_size())
    }

    fn type_param(&self, name: Name) -> Option<(Liftedness, VarId)> {
        self.checker.local_types.iter().rev().find(|(n, _, _)| *n == name).map(|(_, l, v)| (*l, *v))
    }

    fn bind(&mut self, name: Ident, var: VarId, ty: &Type) {
        self.binds.push(self.checker.mark());
        self.checker.push_local(name.name, Local::Mono(var, ty.clone()));
    }

    fn unbind(&mut self) {
        if let Some(mark) = self.binds.pop() {
            self.checker.undo(mark);
        }
    }
}

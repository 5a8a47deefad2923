//! Functions: lambdas, local functions and top-level definitions; generalisation.
//!
//! Sizes of a result that come into being in the body, or that mention what only the body can
//! see, become existential. What is left open in the types of parameters becomes a parameter of
//! the definition: unknown types become type parameters, unknown sizes size parameters.

use super::env::{Conduct, Scheme, ValueBinding};
use super::metas::{Binder, Constraint, PrimSet, is_meta};
use super::pattern::{Marks, simple_var};
use super::scope::Local;
use super::subst::{Subst, size_vars};
use super::terms::{Checked, Checker, OwnName};
use super::why::{Matched, Why, tail};
use crate::diag::{Diagnostic, Severity};
use crate::syntax::ast::{self, Liftedness};
use futc_typed::diet::Diet;
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use futc_typed::program::{DefId, Exp, ExpKind, FunDef, Inst, Param, VarId};
use futc_typed::shared::Seen;
use futc_typed::span::Span;
use futc_typed::types::{Size, Type, TypeArg};
use std::sync::Arc;

/// A checked function before generalisation.
struct Function {
    type_params: Vec<(Liftedness, VarId)>,
    size_params: Vec<VarId>,
    params: Vec<Param>,
    ret_sizes: Vec<VarId>,
    ret: Type,
    unique_ret: Option<Diet>,
    body: Exp,
}

/// The parts of a function as written.
pub(super) struct Written<'e> {
    pub(super) name: Option<ast::Ident>,
    pub(super) type_params: &'e [ast::TypeParam],
    pub(super) params: &'e [ast::Pat],
    pub(super) ret: Option<&'e ast::TypeExp>,
    pub(super) body: &'e ast::Exp,
}

/// Where a function is defined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    TopLevel,
    Local,
}

impl Checker<'_> {
    /// `\x y : t -> body`
    pub(super) fn lambda(
        &mut self,
        params: &[ast::Pat],
        ret: Option<&ast::TypeExp>,
        body: &ast::Exp,
        hint: Option<&Type>,
        span: Span,
    ) -> Exp {
        self.distinct_params(&[], params);
        let mark = self.mark();
        let start = self.cx.fresh_var(Name::new("lambda")).tag;
        let mut hint = hint.map(|h| self.metas.head(h));
        let mut typed = Vec::with_capacity(params.len());
        for p in params {
            let ty = match &hint {
                Some(Type::Arrow(a)) => a.param.clone(),
                _ => self.metas.fresh_type(),
            };
            let param = self.param(p, &ty).0;
            hint = match &hint {
                Some(Type::Arrow(a)) if a.ret_sizes.is_empty() => {
                    let ret = match (a.name, param.name) {
                        (Some(old), Some(new)) => {
                            let mut subst = Subst::default();
                            subst.sizes.insert(old, Size::Var(new));
                            Some(subst.ty(&self.metas.zonk(&a.ret)))
                        }
                        (Some(_), None) => None,
                        (None, _) => Some(a.ret.clone()),
                    };
                    ret.map(|r| self.metas.head(&r))
                }
                _ => None,
            };
            typed.push(param);
        }
        let declared = ret.and_then(|te| self.open_type(te));
        let unique_ret = declared.as_ref().map(|(t, _)| t.diet.clone());
        let (written_body, ret_at) = (body, ret.map(|te| te.span));
        let body = match &declared {
            Some((_, open)) => self.exp_with(body, Some(open)),
            None => self.exp_with(body, hint.as_ref()),
        };
        let ret = match declared {
            // `?[n].[n]t` is `[]t` here: the body may say which size it is.
            Some((_, open)) => {
                let at = tail(written_body).span;
                self.expect(at, &open, &body.ty, &Why::Result(None, ret_at));
                open
            }
            None => body.ty.clone(),
        };
        self.undo(mark);
        let (ret, ret_sizes) = self.hide_locals(&ret, &typed, Some(start));
        let ty = self.function_type(&typed, &ret_sizes, &ret, unique_ret.as_ref());
        let fun = FunDef {
            type_params: Vec::new(),
            size_params: Vec::new(),
            params: typed,
            ret_sizes,
            ret,
            unique_ret,
            body,
        };
        Exp { kind: ExpKind::Lambda(Arc::new(fun)), ty, span }
    }

    fn param(&mut self, p: &ast::Pat, ty: &Type) -> (Param, Marks) {
        let mut marks = Marks::default();
        let pat = self.pattern_marked(p, ty, Matched::Parameter, &mut marks);
        let name = simple_var(&pat);
        (Param { pat, name, consumes: marks.consumes.clone() }, marks)
    }

    /// The result type as seen from outside of a function: variables made since `start` (since
    /// the first parameter, if it is not given) become existential sizes, but for parameters.
    pub(super) fn hide_locals(
        &mut self,
        ret: &Type,
        params: &[Param],
        start: Option<u32>,
    ) -> (Type, Vec<VarId>) {
        let names: Vec<VarId> = params.iter().filter_map(|p| p.name).collect();
        let start = start.or_else(|| names.iter().map(|v| v.tag).min()).unwrap_or(0);
        self.unscope_noting(ret, &|v| v.tag < start || names.contains(&v))
    }

    /// `let f x y = rhs in body`
    #[allow(clippy::too_many_arguments, reason = "they are the parts of the syntax node")]
    pub(super) fn let_fun(
        &mut self,
        name: ast::Ident,
        type_params: &[ast::TypeParam],
        params: &[ast::Pat],
        ret: Option<&ast::TypeExp>,
        rhs: &ast::Exp,
        body: &ast::Exp,
        hint: Option<&Type>,
        span: Span,
    ) -> Exp {
        let written = Written { name: Some(name), type_params, params, ret, body: rhs };
        let said = self.cx.errors();
        let start = self.cx.fresh_var(Name::new("let")).tag;
        let fun = self.function(&written, None);
        let (scheme, fun) = self.generalise(fun, Extent::Local);
        self.check_sizes(&written, name, &scheme, &fun, start);
        self.note_function(name.span, &scheme);
        let v = self.cx.fresh_var(name.name);
        if self.cx.errors() > said {
            self.unknown.insert(v);
        }
        let mark = self.mark();
        let local = if scheme.type_params.is_empty() && scheme.size_params.is_empty() {
            Local::Mono(v, scheme.ty.clone())
        } else {
            Local::Poly(v, Arc::new(scheme))
        };
        self.push_local(name.name, local);
        let body = self.exp_with(body, hint);
        self.undo(mark);
        let ty = self.unscope(&body.ty, &|w| w != v);
        let kind = ExpKind::LetFun { name: v, fun: Arc::new(fun), body: Box::new(body) };
        Exp { kind, ty, span }
    }

    /// Checks a function, leaving its metavariables one level deeper than they are outside.
    fn function(&mut self, written: &Written<'_>, own: Option<(DefId, &ast::ValBind)>) -> Function {
        self.distinct_params(written.type_params, written.params);
        let mark = self.mark();
        let start = self.cx.fresh_var(Name::new("function")).tag;
        self.metas.level += 1;
        let mut type_params = Vec::new();
        let mut size_params = Vec::new();
        for p in written.type_params {
            match p {
                ast::TypeParam::Size(n) => {
                    size_params.push(self.bind_size_name(*n));
                }
                ast::TypeParam::Type(l, n) => {
                    let v = self.cx.fresh_var(n.name);
                    self.metas.bound(v, Binder::Name(n.span));
                    self.local_types.push((n.name, *l, v));
                    self.rigid.insert(v, *l);
                    type_params.push((*l, v));
                }
            }
        }
        let mut params = Vec::with_capacity(written.params.len());
        let mut annotated = true;
        for p in written.params {
            let ty = self.metas.fresh_type();
            let (param, marks) = self.param(p, &ty);
            annotated &= marks.annotated == Diet::Consume;
            params.push(param);
        }
        let declared = written.ret.and_then(|te| self.open_type(te));
        let mut own_result = None;
        // A parameter of the same name hides the function.
        if let Some((id, vb)) = own
            && !params.is_empty()
            && self.locals.get(&vb.name.name).is_none_or(Vec::is_empty)
        {
            let (ret, unique) = match &declared {
                Some((t, open)) => (open.clone(), Some(t.diet.clone())),
                None => {
                    let t = self.metas.fresh_type();
                    own_result = Some(t.clone());
                    (t, None)
                }
            };
            let scheme = self.own_scheme(
                &type_params,
                &size_params,
                &params,
                annotated,
                &ret,
                unique.as_ref(),
            );
            let span = vb.name.span;
            let (scheme, conduct) = (Arc::new(scheme), Arc::default());
            let binding = ValueBinding::Def { id, scheme, span, conduct };
            self.push_local(vb.name.name, Local::Binding(binding));
            self.own_id = Some(id);
        }
        let body = match &declared {
            Some((_, open)) => self.exp_with(written.body, Some(open)),
            None => self.exp(written.body),
        };
        self.undo(mark);
        if self.stopped {
            self.metas.level -= 1;
            let (ret, ret_sizes, unique_ret) = (body.ty.clone(), Vec::new(), None);
            return Function { type_params, size_params, params, ret_sizes, ret, unique_ret, body };
        }
        let names: Vec<VarId> =
            params.iter().filter_map(|p| p.name).chain(size_params.iter().copied()).collect();
        self.check_params(&params, &size_params, start);
        let keep = |v: VarId| v.tag < start || names.contains(&v);
        let (ret, unique_ret) = match declared {
            Some((t, open)) => {
                self.check_result(&t.ty, written.ret, &names, start);
                self.close_sums(&body.ty, &open);
                let actual = self.unscope(&body.ty, &keep);
                let why = Why::Result(written.name, written.ret.map(|te| te.span));
                self.expect(tail(written.body).span, &open, &actual, &why);
                (open, Some(t.diet))
            }
            None => (body.ty.clone(), None),
        };
        let (ret, ret_sizes) = self.unscope_noting(&ret, &keep);
        if let Some(own) = own_result
            && self.recursive
        {
            let shape = self.freshen(&ret, false);
            self.expect(tail(written.body).span, &own, &shape, &Why::Recursion);
        }
        self.metas.level -= 1;
        Function { type_params, size_params, params, ret_sizes, ret, unique_ret, body }
    }

    /// The type at which a definition may call itself: any sizes where the parameters have types
    /// written, but the same types.
    fn own_scheme(
        &mut self,
        type_params: &[(Liftedness, VarId)],
        size_params: &[VarId],
        params: &[Param],
        annotated: bool,
        ret: &Type,
        unique: Option<&Diet>,
    ) -> Scheme {
        let mut sizes = size_params.to_vec();
        if annotated {
            for p in params {
                open_sizes(&self.metas.zonk(&p.pat.ty), &mut sizes);
            }
        }
        // What the result leaves open is anything, at each call.
        let ret = self.metas.zonk(ret);
        let mut open = Vec::new();
        open_sizes(&ret, &mut open);
        open.retain(|v| !sizes.contains(v));
        let mut subst = Subst::default();
        let mut exists: Vec<VarId> = Vec::new();
        for v in open {
            let new = self.cx.fresh_var(v.name);
            subst.sizes.insert(v, Size::Var(new));
            exists.push(new);
        }
        let ret = subst.ty(&ret);
        let ty = self.function_type(params, &exists, &ret, unique);
        Scheme { type_params: type_params.to_vec(), size_params: sizes, ty }
    }

    /// Whether a type parameter can be made of a type not yet known.
    fn generalisable(&self, v: VarId) -> bool {
        self.metas.constraint(v) == Constraint::Any && self.metas.demand(v).equality.is_none()
    }

    /// Makes parameters of what is left open: of sizes, and in a top-level definition of types too.
    fn generalise(&mut self, f: Function, extent: Extent) -> (Scheme, FunDef) {
        let Function { mut type_params, mut size_params, params, ret_sizes, ret, unique_ret, body } =
            f;
        let mut types: Vec<Type> = params.iter().map(|p| p.pat.ty.clone()).collect();
        types.push(ret.clone());
        for ty in &types {
            let mut metas = Vec::new();
            open_types(&self.metas.zonk(ty), &mut metas);
            for v in metas {
                if !self.generalisable(v) {
                    self.metas.keep(v);
                }
            }
        }
        for ty in types {
            let ty = self.metas.zonk(&ty);
            let mut sizes = Vec::new();
            let mut metas = Vec::new();
            open_sizes(&ty, &mut sizes);
            open_types(&ty, &mut metas);
            for v in sizes {
                if is_meta(v)
                    && self.metas.size_level(v) > self.metas.level
                    && self.metas.size_head(&Size::Var(v)) == Size::Var(v)
                {
                    let new = self.cx.fresh_var(v.name);
                    self.metas.set_size(v, Size::Var(new));
                    size_params.push(new);
                }
            }
            for v in metas {
                if extent == Extent::TopLevel
                    && self.metas.type_level(v) > self.metas.level
                    && self.metas.as_meta(&Type::Param(v)) == Some(v)
                    && self.generalisable(v)
                {
                    let new = self.cx.fresh_var(Name::new("t"));
                    let limit = self.metas.demand(v).limit;
                    self.metas.set_type(v, Type::Param(new));
                    self.rigid.insert(new, limit);
                    type_params.push((limit, new));
                }
            }
        }
        let ret = self.metas.zonk(&ret);
        let ty = self.function_type(&params, &ret_sizes, &ret, unique_ret.as_ref());
        let scheme =
            Scheme { type_params: type_params.clone(), size_params: size_params.clone(), ty };
        let type_params = type_params.into_iter().map(|(_, v)| v).collect();
        (scheme, FunDef { type_params, size_params, params, ret_sizes, ret, unique_ret, body })
    }

    /// Checks a top-level definition.
    pub(super) fn top_level(
        &mut self,
        id: DefId,
        vb: &ast::ValBind,
        own: OwnName,
    ) -> Option<Checked> {
        let written = Written {
            name: Some(vb.name),
            type_params: &vb.type_params,
            params: &vb.params,
            ret: vb.ret.as_ref(),
            body: &vb.body,
        };
        let own = (own == OwnName::Itself).then_some((id, vb));
        let fun = self.function(&written, own);
        if self.stopped {
            return None;
        }
        self.settle_choices();
        // Overloading is settled by the definition alone.
        self.settle_deferred();
        let mut types: Vec<Type> = fun.params.iter().map(|p| p.pat.ty.clone()).collect();
        types.push(fun.ret.clone());
        let defaulted: Vec<_> = types.iter().flat_map(|t| self.default_constrained(t)).collect();
        let constant = fun.params.is_empty();
        let (mut scheme, mut fun) = self.generalise(fun, Extent::TopLevel);
        self.check_sizes(&written, vb.name, &scheme, &fun, 0);
        self.note_function(vb.name.span, &scheme);
        if self.failed {
            // What is missing would only be reported once more.
            return None;
        }
        self.check_causality(&fun);
        if self.failed {
            return None;
        }
        self.finish_function(&mut fun);
        scheme.ty = self.finish_scheme(&scheme.ty, &fun);
        if constant && !fun.ret_sizes.is_empty() {
            scheme.ty = self.constant_sizes(id, &fun, &scheme.ty);
        }
        if self.recursive && !self.failed {
            self.restricted_recursion(id, &fun, vb.name.span);
        }
        if self.failed {
            return None;
        }
        for (from, to) in defaulted {
            self.defaulted_type(vb, from, to);
        }
        let entry = vb.entry || vb.name.name.as_str() == "main";
        let conduct = self.uniqueness(&mut scheme.ty, &fun, entry);
        Some((Arc::new(scheme), fun, self.recursive, Arc::new(conduct)))
    }

    /// Warns that a type which others see was not said.
    fn defaulted_type(&mut self, vb: &ast::ValBind, from: PrimSet, to: PrimType) {
        if self.cx.applying {
            return;
        }
        let name = vb.name.name;
        let advice = if vb.params.is_empty() {
            format!("say which type is meant, as in def {name}: {to} = …")
        } else {
            format!("say which type is meant, as in def {name} (x: {to}) … : {to} = …")
        };
        self.cx.warn(
            Diagnostic::warning(
                "defaulted-type",
                vb.name.span,
                format!(
                    "the type of {name} is ambiguous: it has {} in it that nothing determines, and \
                     {to} is taken",
                    from.describe()
                ),
            )
            .hint(advice),
        );
    }

    /// Checks uniqueness, and puts what was found out of the result into the type.
    fn uniqueness(&mut self, ty: &mut Type, fun: &FunDef, entry: bool) -> Conduct {
        let (mut wrong, conduct) = super::unique::check(fun, &self.cx, &self.conducts);
        for (given, wanted, span) in std::mem::take(&mut self.ascribed) {
            wrong.extend(super::unique::misfit(
                &self.metas.zonk(&given),
                &self.metas.zonk(&wanted),
                span,
            ));
        }
        // The body of a parametric module was checked by itself. But what it is applied to may have
        // functions in it that are not what their types say.
        if !self.cx.applying || self.conducts.values().any(|c| c.gives_once || c.gives_constant) {
            for d in wrong {
                match d.severity {
                    Severity::Error => self.cx.report(d),
                    // Of an entry point, `*` speaks to callers outside of the language.
                    Severity::Warning if entry || self.cx.applying => {}
                    Severity::Warning => self.cx.warn(d),
                }
            }
        }
        if fun.unique_ret.is_none() && conduct.fresh.any() {
            *ty = with_unique_result(ty, fun.params.len(), &conduct.fresh);
        }
        conduct
    }

    /// The type of a constant seen from elsewhere: sizes that only its value tells are written as
    /// lengths of parts of it.
    fn constant_sizes(&mut self, id: DefId, fun: &FunDef, ty: &Type) -> Type {
        self.told_by_value(id, &fun.ret, &fun.ret_sizes, ty)
    }

    /// The type at which a constant is used. A specification, `val xs : []i32`, may leave its sizes
    /// to its value.
    pub(super) fn sizes_of_itself(&mut self, id: DefId, ty: Type) -> Type {
        let mut sizes = Vec::new();
        let named = self.name_unknown(&ty, &mut sizes);
        if sizes.is_empty() {
            return ty;
        }
        self.told_by_value(id, &named, &sizes, &named)
    }

    /// The type with names for its unknown sizes, other than those in functions.
    fn name_unknown(&mut self, ty: &Type, sizes: &mut Vec<VarId>) -> Type {
        match ty {
            Type::Array { size, elem } => {
                let size = match size {
                    Size::Unknown => {
                        let v = self.cx.fresh_var(Name::new("n"));
                        sizes.push(v);
                        Size::Var(v)
                    }
                    size => size.clone(),
                };
                Type::Array { size, elem: Arc::new(self.name_unknown(elem, sizes)) }
            }
            Type::Record(fields) => {
                let named = fields.iter().map(|(n, t)| (*n, self.name_unknown(t, sizes)));
                Type::Record(named.collect())
            }
            Type::Prim(_) | Type::Param(_) | Type::Sum(_) | Type::Arrow(_) | Type::Opaque(..) => {
                ty.clone()
            }
        }
    }

    /// `ty` with lengths of parts of the constant, which is of type `whole`, for `sizes`.
    fn told_by_value(&mut self, id: DefId, whole: &Type, sizes: &[VarId], ty: &Type) -> Type {
        let nowhere = Span::new(self.cx.file, 0, 0);
        let kind = ExpKind::Global(id, Inst::default());
        let whole = Exp { kind, ty: whole.clone(), span: nowhere };
        let mut subst = Subst::default();
        witness(&whole, sizes, &mut subst);
        for v in sizes {
            subst.sizes.entry(*v).or_insert(Size::Unknown);
        }
        // The types inside the witnesses mention the sizes themselves; nobody needs them there.
        let mut hide = Subst::default();
        for v in sizes {
            hide.sizes.insert(*v, Size::Unknown);
        }
        for size in subst.sizes.values_mut() {
            *size = hide.size(size);
        }
        subst.ty(ty)
    }
}

/// The type of a function of `count` parameters with `unique` marked in its result.
pub(super) fn with_unique_result(ty: &Type, count: usize, unique: &Diet) -> Type {
    match ty {
        Type::Arrow(a) if count > 0 => {
            let mut a = a.as_ref().clone();
            if count == 1 {
                a.unique_ret = unique.clone();
            } else {
                a.ret = with_unique_result(&a.ret, count - 1, unique);
            }
            Type::Arrow(Arc::new(a))
        }
        ty => ty.clone(),
    }
}

/// Finds, for each of `sizes`, an expression of that value over `e`.
fn witness(e: &Exp, sizes: &[VarId], found: &mut Subst) {
    let span = e.span;
    match &e.ty {
        Type::Array { size, elem } => {
            if let Size::Var(v) = size
                && sizes.contains(v)
            {
                found.sizes.entry(*v).or_insert_with(|| length(e, size, elem));
            }
            if let Type::Array { size: inner, elem: row } = &**elem {
                // The outer dimension of the transposed array is the inner one of this.
                let ty = Type::Array {
                    size: inner.clone(),
                    elem: Arc::new(Type::Array { size: size.clone(), elem: row.clone() }),
                };
                let inst =
                    Inst { types: vec![(**row).clone()], sizes: vec![size.clone(), inner.clone()] };
                if let Size::Var(v) = inner
                    && sizes.contains(v)
                {
                    let e = intrinsic("transpose", inst, e.clone(), ty);
                    let elem = Type::Array { size: size.clone(), elem: row.clone() };
                    found.sizes.entry(*v).or_insert_with(|| length(&e, inner, &elem));
                }
            }
        }
        Type::Record(fields) => {
            for (n, t) in fields.iter() {
                let kind = ExpKind::Project(Box::new(e.clone()), *n);
                witness(&Exp { kind, ty: t.clone(), span }, sizes, found);
            }
        }
        _ => {}
    }
}

fn length(e: &Exp, size: &Size, elem: &Type) -> Size {
    let inst = Inst { types: vec![elem.clone()], sizes: vec![size.clone()] };
    Size::Exp(Arc::new(intrinsic("length", inst, e.clone(), Type::Prim(PrimType::I64))))
}

fn intrinsic(name: &str, inst: Inst, arg: Exp, ty: Type) -> Exp {
    let span = arg.span;
    let fun = Exp {
        kind: ExpKind::Intrinsic(Name::new(name), inst),
        ty: super::terms::arrow(arg.ty.clone(), ty.clone()),
        span,
    };
    Exp { kind: ExpKind::App { fun: Box::new(fun), args: vec![arg], sizes: Vec::new() }, ty, span }
}

/// The unknown sizes in a type, in order.
fn open_sizes(ty: &Type, out: &mut Vec<VarId>) {
    open_sizes_seen(ty, &mut Seen::default(), out);
}

fn open_sizes_seen(ty: &Type, seen: &mut Seen, out: &mut Vec<VarId>) {
    if seen.again(ty, 0) {
        return;
    }
    let add = |s: &Size, out: &mut Vec<VarId>| {
        size_vars(s, &mut |v| {
            if is_meta(v) && !out.contains(&v) {
                out.push(v);
            }
        });
    };
    match ty {
        Type::Prim(_) | Type::Param(_) => {}
        Type::Array { size, elem } => {
            add(size, out);
            open_sizes_seen(elem, seen, out);
        }
        Type::Record(fields) => fields.iter().for_each(|(_, t)| open_sizes_seen(t, seen, out)),
        Type::Sum(cs) => {
            cs.iter().flat_map(|(_, ts)| ts).for_each(|t| open_sizes_seen(t, seen, out))
        }
        Type::Arrow(a) => {
            open_sizes_seen(&a.param, seen, out);
            open_sizes_seen(&a.ret, seen, out);
        }
        Type::Opaque(_, args) => {
            for arg in args.iter() {
                match arg {
                    TypeArg::Size(s) => add(s, out),
                    TypeArg::Type(t) => open_sizes_seen(t, seen, out),
                }
            }
        }
    }
}

/// The unknown types in a type, in order.
pub(super) fn open_types(ty: &Type, out: &mut Vec<VarId>) {
    open_types_seen(ty, &mut Seen::default(), out);
}

fn open_types_seen(ty: &Type, seen: &mut Seen, out: &mut Vec<VarId>) {
    if seen.again(ty, 0) {
        return;
    }
    match ty {
        Type::Prim(_) => {}
        Type::Param(v) => {
            if is_meta(*v) && !out.contains(v) {
                out.push(*v);
            }
        }
        Type::Array { elem, .. } => open_types_seen(elem, seen, out),
        Type::Record(fields) => fields.iter().for_each(|(_, t)| open_types_seen(t, seen, out)),
        Type::Sum(cs) => {
            cs.iter().flat_map(|(_, ts)| ts).for_each(|t| open_types_seen(t, seen, out))
        }
        Type::Arrow(a) => {
            open_types_seen(&a.param, seen, out);
            open_types_seen(&a.ret, seen, out);
        }
        Type::Opaque(_, args) => {
            for arg in args.iter() {
                if let TypeArg::Type(t) = arg {
                    open_types_seen(t, seen, out);
                }
            }
        }
    }
}

//! Functions: lambdas, local functions, and what a top-level definition begins as; generalisation.
//!
//! Sizes of a result that come into being in the body, or that mention what only the body can
//! see, become existential. What is left open in the types of parameters becomes a parameter of
//! the definition: unknown types become type parameters, unknown sizes size parameters.

use crate::check::exps::pattern::{Marks, simple_var};
use crate::check::infer::checker::{Checker, Local};
use crate::check::infer::open::{open_sizes, open_types};
use crate::check::infer::unknown::{Binder, Constraint, is_meta};
use crate::check::mismatch::role::{Matched, Why, tail};
use crate::check::rules::sizes::Written;
use crate::check::types::env::{Scheme, ValueBinding};
use crate::check::types::subst::Subst;
use crate::syntax::ast::{self, Liftedness};
use futc_typed::diet::Diet;
use futc_typed::name::Name;
use futc_typed::program::{DefId, Exp, ExpKind, FunDef, Param, VarId};
use futc_typed::span::Span;
use futc_typed::types::{Size, Type};
use std::sync::Arc;

/// A checked function before generalisation.
pub(crate) struct Function {
    pub(crate) type_params: Vec<(Liftedness, VarId)>,
    pub(crate) size_params: Vec<VarId>,
    pub(crate) params: Vec<Param>,
    pub(crate) ret_sizes: Vec<VarId>,
    pub(crate) ret: Type,
    pub(crate) unique_ret: Option<Diet>,
    pub(crate) body: Exp,
}

/// Where a function is defined.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    TopLevel,
    Local,
}

impl Checker<'_> {
    /// `\x y : t -> body`
    pub(crate) fn lambda(
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
    pub(crate) fn hide_locals(
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
    pub(crate) fn let_fun(
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
    pub(crate) fn function(
        &mut self,
        written: &Written<'_>,
        own: Option<(DefId, &ast::ValBind)>,
    ) -> Function {
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
    pub(crate) fn generalise(&mut self, f: Function, extent: Extent) -> (Scheme, FunDef) {
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
}

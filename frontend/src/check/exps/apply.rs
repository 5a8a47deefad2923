//! Applications, operators and sections.
//!
//! The arguments that are functions written in place are checked last, when the types of their
//! parameters are likely to be known. A parameter that has a name makes its argument a size of the
//! result: the argument itself if it is a size, else a new one.

use super::errors::ExpError;
use crate::check::infer::checker::{Checker, SizeSource};
use crate::check::mismatch::role::{Application, Head, Side, Why, path, tail};
use crate::check::types::arrow::arrow;
use crate::check::types::env::ValueBinding;
use crate::check::types::subst::{Subst, size_vars_of_type};
use crate::syntax::ast;
use futc_typed::diet::Diet;
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use futc_typed::program::{Exp, ExpKind, FunDef, Inst, Param, Pat, PatKind, VarId};
use futc_typed::span::Span;
use futc_typed::types::{Arrow, Size, Type};
use std::sync::Arc;

/// An argument: to be checked, or checked already.
pub(crate) enum Arg<'e> {
    Ast(&'e ast::Exp),
    Typed(Exp),
}

impl Arg<'_> {
    fn span(&self) -> Span {
        match self {
            Arg::Ast(e) => e.span,
            Arg::Typed(e) => e.span,
        }
    }
}

/// Whether an expression is a function written in place.
fn is_function(e: &ast::Exp) -> bool {
    use ast::ExpKind as K;
    match &e.kind {
        K::Lambda { .. }
        | K::SectionLeft(..)
        | K::SectionRight(..)
        | K::SectionProject(_)
        | K::SectionIndex(_) => true,
        K::Parens(e) | K::Attr(_, e) | K::QualParens(_, e) => is_function(e),
        _ => false,
    }
}

/// An argument waiting for others to be checked.
struct Waiting<'e> {
    position: usize,
    exp: &'e ast::Exp,
    param: Type,
}

impl Checker<'_> {
    /// `f x y`
    pub(crate) fn application(&mut self, e: &ast::Exp) -> Exp {
        let mut args = Vec::new();
        let mut fun = e;
        while let ast::ExpKind::Apply(f, x) = &fun.kind {
            args.push(Arg::Ast(x));
            fun = f;
        }
        args.reverse();
        let first = match args.first() {
            Some(Arg::Ast(first)) => Some(*first),
            _ => None,
        };
        let head = Head::applied(fun, first);
        let fun = self.exp(fun);
        self.apply(fun, head, args, e.span)
    }

    /// Applies a function to arguments.
    pub(crate) fn apply(
        &mut self,
        fun: Exp,
        head: Head<'_>,
        args: Vec<Arg<'_>>,
        span: Span,
    ) -> Exp {
        let mut ty = fun.ty.clone();
        let mut app = Application::new(head, fun);
        let count = args.len();
        let mut typed: Vec<Option<Exp>> = Vec::with_capacity(count);
        let mut waiting: Vec<Waiting<'_>> = Vec::new();
        for (position, arg) in args.into_iter().enumerate() {
            let mut head = self.metas.head(&ty);
            if !matches!(head, Type::Arrow(_)) && !waiting.is_empty() {
                self.settle(&mut waiting, &mut typed, &mut app);
                head = self.metas.head(&ty);
            }
            if self.metas.as_meta(&head).is_some() {
                let (a, b) = (self.metas.fresh_type(), self.metas.fresh_type());
                let f = arrow(a, b);
                if self.try_unify(&head, &f) {
                    head = self.metas.head(&ty);
                } else if self.violated(app.fun.span) {
                    return self.wrong(span);
                }
            }
            let Type::Arrow(a) = head else {
                self.not_a_function(&app, position, count, arg.span());
                return self.wrong(span);
            };
            let (ret, name) = self.open_result(&a, app.fun.span);
            let param = a.param.clone();
            match arg {
                Arg::Ast(e) if is_function(e) && name.is_none() => {
                    waiting.push(Waiting { position, exp: e, param });
                    typed.push(None);
                }
                arg => {
                    let (x, fits) = match arg {
                        Arg::Ast(e) => self.argument(e, &param, &app, position),
                        Arg::Typed(x) => {
                            let why = Why::Argument(&app, position);
                            let fits = self.expect(x.span, &param, &x.ty, &why);
                            (x, fits)
                        }
                    };
                    app.failed |= !fits;
                    self.settle_by(&mut app, x.span);
                    if let Some(v) = name {
                        let size = match self.exp_size(&x) {
                            Some(s) => s,
                            None => {
                                self.warn_of_binding(x.span, v, &ret);
                                let name = a.name.map_or(Name::new("k"), |v| v.name);
                                Size::Var(self.new_size(name, x.span, SizeSource::Argument))
                            }
                        };
                        self.metas.set_size(v, size);
                    }
                    typed.push(Some(x));
                }
            }
            ty = ret;
        }
        self.settle(&mut waiting, &mut typed, &mut app);
        let args = typed.into_iter().flatten().collect();
        if app.failed && app.generic() {
            // Nor is the type of the result what was meant.
            ty = self.metas.fresh_type();
        }
        if !self.fits_in(&ty, span) {
            return self.wrong(span);
        }
        let kind = ExpKind::App { fun: Box::new(app.fun), args, sizes: Vec::new() };
        if !self.unnamed.is_empty() {
            self.check_arrow_params(&ty, span);
            self.sizes_made(&ty, span);
            ty = self.rebind(&ty);
        }
        Exp { kind, ty, span }
    }

    /// Warns that sizes of the result cannot speak of an argument, which stands at `span` for `v`.
    fn warn_of_binding(&mut self, span: Span, v: VarId, ret: &Type) {
        let mut mentioned = false;
        size_vars_of_type(&self.metas.zonk(ret), &mut |w| mentioned |= w == v);
        if mentioned {
            self.cx.warn(ExpError::ArgumentIsNoSize.at(span));
        }
    }

    /// A function that results from an application has sizes of its own for each time it is
    /// applied.
    fn rebind(&mut self, ty: &Type) -> Type {
        if self.unnamed.is_empty() {
            return ty.clone();
        }
        let Type::Arrow(_) = self.metas.head(ty) else { return ty.clone() };
        let unnamed = std::mem::take(&mut self.unnamed);
        let ty = self.unscope(ty, &|v| !unnamed.contains(&v));
        self.unnamed = unnamed;
        ty
    }

    fn argument(
        &mut self,
        e: &ast::Exp,
        param: &Type,
        app: &Application<'_>,
        position: usize,
    ) -> (Exp, bool) {
        let (said, errors) = (self.cx.diagnostics.len(), self.cx.errors());
        self.check_arrow_sizes(param, e.span);
        let hint = self.rebind(param);
        let typed = self.exp_with(e, Some(&hint));
        // What the argument's own parameters say may have made more of the type known.
        let param = self.rebind(param);
        if self.cx.errors() > errors && is_function(e) {
            self.explain_parameters(said, e, app, position);
            // That the whole does not fit either need not be said.
            self.unify_span = e.span;
            let fits = self.try_unify(&param, &typed.ty);
            self.violation = None;
            return (typed, fits);
        }
        let why = Why::Argument(app, position);
        let fits = self.expect(tail(e).span, &param, &typed.ty, &why);
        if !fits {
            self.label_variable(e);
        }
        (typed, fits)
    }

    fn settle(
        &mut self,
        waiting: &mut Vec<Waiting<'_>>,
        typed: &mut [Option<Exp>],
        app: &mut Application<'_>,
    ) {
        for w in waiting.drain(..) {
            // What another argument does not fit may not be what this one is to fit.
            let unknown = (app.failed && app.generic()).then(|| self.metas.fresh_type());
            let param = unknown.unwrap_or(w.param);
            let (x, fits) = self.argument(w.exp, &param, app, w.position);
            app.failed |= !fits;
            self.settle_by(app, x.span);
            if let Some(slot) = typed.get_mut(w.position) {
                *slot = Some(x);
            }
        }
    }

    /// The result of an arrow, its existential sizes made new ones, and the size that stands for
    /// the argument, if the result mentions it.
    fn open_result(&mut self, a: &Arrow, span: Span) -> (Type, Option<VarId>) {
        if a.name.is_none() && a.ret_sizes.is_empty() {
            return (a.ret.clone(), None);
        }
        let mut subst = Subst::default();
        let name = a.name.map(|v| {
            let m = self.metas.fresh_size_var();
            subst.sizes.insert(v, Size::Var(m));
            m
        });
        for v in &a.ret_sizes {
            let new = self.new_size(v.name, span, SizeSource::Result);
            subst.sizes.insert(*v, Size::Var(new));
        }
        // What is known must be put in first, or binders could hide behind metavariables.
        (subst.ty(&self.metas.zonk(&a.ret)), name)
    }

    fn not_a_function(&mut self, app: &Application<'_>, position: usize, count: usize, at: Span) {
        let fun = &app.fun;
        let ty = self.show(&fun.ty);
        let name = app.head.name.map(path);
        let d = if position == 0 {
            ExpError::NotAFunction { name, ty, argument: at }.at(fun.span)
        } else {
            let (takes, given, function) = (position, count, fun.span);
            ExpError::TooManyArguments { name, takes, given, function, ty }.at(at)
        };
        let d = self.defined_at(d, app);
        self.report(d);
    }

    /// `-e` and `!e`
    pub(crate) fn unary(&mut self, op: &str, e: &ast::Exp, span: Span) -> Exp {
        let over = futc_typed::intrinsics::UNARY
            .iter()
            .find(|(n, _)| *n == op)
            .map_or(futc_typed::intrinsics::Over::Num, |(_, over)| *over);
        let ty = self.operand_type(over);
        let sign = if op == "neg" { "-" } else { op };
        let x = self.check(e, &ty, &Why::Operand(sign, Side::Only, None));
        let inst = Inst { types: vec![ty.clone()], sizes: Vec::new() };
        let fun = Exp {
            kind: ExpKind::Intrinsic(Name::new(op), inst),
            ty: arrow(ty.clone(), ty.clone()),
            span,
        };
        let kind = ExpKind::App { fun: Box::new(fun), args: vec![x], sizes: Vec::new() };
        Exp { kind, ty, span }
    }

    /// Whether a name is `&&` or `||` and not redefined.
    fn logical(&self, op: &ast::QualName) -> Option<Name> {
        let name = op.name.name;
        if !op.quals.is_empty() || !matches!(name.as_str(), "&&" | "||") {
            return None;
        }
        if self.locals.get(&name).is_some_and(|s| !s.is_empty()) {
            return None;
        }
        match self.lookup_binding(op) {
            None | Some(ValueBinding::Operator { .. }) => Some(name),
            Some(_) => None,
        }
    }

    /// `lhs op rhs`
    pub(crate) fn binary(
        &mut self,
        op: &ast::QualName,
        lhs: &ast::Exp,
        rhs: &ast::Exp,
        span: Span,
    ) -> Exp {
        if let Some(name) = self.logical(op) {
            let side = |side| Why::Operand(name.as_str(), side, None);
            let lhs = Box::new(self.check_prim(lhs, PrimType::Bool, &side(Side::Left)));
            let rhs = Box::new(self.check_prim(rhs, PrimType::Bool, &side(Side::Right)));
            return logical_exp(name, lhs, rhs, span);
        }
        if let Some(b @ ValueBinding::Operator { .. }) = self.lookup_binding(op) {
            // The common case, without the detour over function types.
            let fun = self.use_binding(&b, op.span);
            let Type::Arrow(outer) = &fun.ty else { return self.wrong(span) };
            let Type::Arrow(inner) = &outer.ret else {
                let head = Head::operator(op);
                return self.apply(fun, head, vec![Arg::Ast(lhs), Arg::Ast(rhs)], span);
            };
            let (param, ret) = (outer.param.clone(), inner.ret.clone());
            let sign = op.name.name.as_str();
            let said = self.cx.errors();
            let x = self.check(lhs, &param, &Why::Operand(sign, Side::Left, None));
            let left = (tail(lhs).span, x.ty.clone());
            let y = self.check(rhs, &param, &Why::Operand(sign, Side::Right, Some(left)));
            // What is wrong with an operand need not be said of the result too.
            let wrong = self.cx.errors() > said && self.metas.as_meta(&ret).is_some();
            let ret = if wrong { self.metas.fresh_type() } else { ret };
            let kind = ExpKind::App { fun: Box::new(fun), args: vec![x, y], sizes: Vec::new() };
            return Exp { kind, ty: ret, span };
        }
        let fun = self.variable(op);
        self.apply(fun, Head::operator(op), vec![Arg::Ast(lhs), Arg::Ast(rhs)], span)
    }

    /// `(&&)` and `(||)` as values.
    pub(crate) fn logical_function(&mut self, op: Name, span: Span) -> Exp {
        let ty = Type::Prim(PrimType::Bool);
        let (px, x) = self.fresh_param("x", &ty, span);
        let (py, y) = self.fresh_param("y", &ty, span);
        let body = logical_exp(op, Box::new(x), Box::new(y), span);
        self.made_lambda(vec![px, py], body, span)
    }

    /// A parameter of a function made here, and a use of it.
    pub(crate) fn fresh_param(&mut self, name: &str, ty: &Type, span: Span) -> (Param, Exp) {
        let v = self.cx.fresh_var(Name::new(name));
        let pat = Pat { kind: PatKind::Var(v), ty: ty.clone(), span };
        let param = Param { pat, name: Some(v), consumes: Diet::Observe };
        (param, Exp { kind: ExpKind::Var(v, Inst::default()), ty: ty.clone(), span })
    }

    /// A lambda made here. Sizes of the body's type that mention the parameters become
    /// existential unless they are a parameter.
    pub(crate) fn made_lambda(&mut self, params: Vec<Param>, body: Exp, span: Span) -> Exp {
        let ret = self.metas.zonk(&body.ty);
        let (ret, ret_sizes) = self.hide_locals(&ret, &params, None);
        let ty = self.function_type(&params, &ret_sizes, &ret, None);
        let fun = FunDef {
            type_params: Vec::new(),
            size_params: Vec::new(),
            params,
            ret_sizes,
            ret,
            unique_ret: None,
            body,
        };
        Exp { kind: ExpKind::Lambda(Arc::new(fun)), ty, span }
    }

    /// `(x op)`
    pub(crate) fn section_left(&mut self, op: &ast::QualName, x: &ast::Exp, span: Span) -> Exp {
        if let Some(name) = self.logical(op) {
            let ty = Type::Prim(PrimType::Bool);
            let why = Why::Operand(name.as_str(), Side::Left, None);
            let operand = self.check_prim(x, PrimType::Bool, &why);
            let (pat, used) = self.fresh_param("x", &ty, span);
            let (param, y) = self.fresh_param("y", &ty, span);
            let body = logical_exp(name, Box::new(used), Box::new(y), span);
            let lambda = self.made_lambda(vec![param], body, span);
            return let_exp(pat.pat, operand, lambda, span);
        }
        let fun = self.variable(op);
        self.apply(fun, Head::operator(op), vec![Arg::Ast(x)], span)
    }

    /// `(op y)`
    pub(crate) fn section_right(
        &mut self,
        op: &ast::QualName,
        y: &ast::Exp,
        hint: Option<&Type>,
        span: Span,
    ) -> Exp {
        let operand = self.exp(y);
        let ty = operand.ty.clone();
        // What costs nothing need not be evaluated first.
        let trivial = crate::check::infer::placeholder::literal_index(&operand).is_some()
            || matches!(operand.kind, ExpKind::Var(..) | ExpKind::Global(..));
        let (bound, y) = if trivial {
            (None, operand.clone())
        } else {
            let (bound, y) = self.fresh_param("y", &ty, span);
            (Some(bound), y)
        };
        let bound_name = bound.as_ref().and_then(|b| b.name);
        if let (Some(v), Some(size)) = (bound_name, self.exp_size(&operand)) {
            self.let_sizes.insert(v, size);
        }
        let xt = self.param_hint(hint);
        let (mut param, x) = self.fresh_param("x", &xt, span);
        let body = match self.logical(op) {
            Some(name) => {
                let bool_ty = Type::Prim(PrimType::Bool);
                let why = |side| Why::Operand(name.as_str(), side, None);
                self.expect(y.span, &bool_ty, &ty, &why(Side::Right));
                self.expect(span, &bool_ty, &xt, &why(Side::Left));
                logical_exp(name, Box::new(x), Box::new(y), span)
            }
            None => {
                let fun = self.variable(op);
                if let Type::Arrow(a) = self.metas.head(&fun.ty) {
                    param.consumes = a.consumes.clone();
                }
                self.apply(fun, Head::operator(op), vec![Arg::Typed(x), Arg::Typed(y)], span)
            }
        };
        let lambda = self.made_lambda(vec![param], body, span);
        let Some(bound) = bound else { return lambda };
        let ty = self.unscope(&lambda.ty, &|v| Some(v) != bound_name);
        let e = let_exp(bound.pat, operand, lambda, span);
        Exp { ty, ..e }
    }

    /// The type of the parameter of a function expected here.
    pub(crate) fn param_hint(&mut self, hint: Option<&Type>) -> Type {
        if let Some(h) = hint
            && let Type::Arrow(a) = self.metas.head(h)
        {
            return a.param.clone();
        }
        self.metas.fresh_type()
    }

    /// `(.a.b)`
    pub(crate) fn section_project(
        &mut self,
        fields: &[ast::Ident],
        hint: Option<&Type>,
        span: Span,
    ) -> Exp {
        let ty = self.param_hint(hint);
        let (param, x) = self.fresh_param("x", &ty, span);
        let body = fields.iter().fold(x, |e, f| self.project(e, *f, span));
        self.made_lambda(vec![param], body, span)
    }

    /// `(.[i, j])`
    pub(crate) fn section_index(
        &mut self,
        index: &[ast::DimIndex],
        hint: Option<&Type>,
        span: Span,
    ) -> Exp {
        let ty = self.param_hint(hint);
        let (param, x) = self.fresh_param("x", &ty, span);
        let body = self.index(x, index, span);
        self.made_lambda(vec![param], body, span)
    }

    /// Whether a type is an array's, or not known yet.
    pub(crate) fn may_be_array(&self, ty: &Type) -> bool {
        let head = self.metas.head(ty);
        matches!(head, Type::Array { .. }) || self.metas.as_meta(&head).is_some()
    }

    /// A type that must be an array's, with its size and element type; `done` says what is done
    /// with it.
    pub(crate) fn expect_array(
        &mut self,
        ty: &Type,
        span: Span,
        done: &'static str,
    ) -> Option<(Size, Type)> {
        match self.metas.head(ty) {
            Type::Array { size, elem } => Some((size, (*elem).clone())),
            t if self.metas.as_meta(&t).is_some() => {
                let elem = self.fresh_element(span);
                let size = self.metas.fresh_size();
                let array = elem.clone().array(size.clone());
                if self.expect(span, &array, &t, &Why::Part) { Some((size, elem)) } else { None }
            }
            t => {
                let shown = self.show(&t);
                self.report(ExpError::NotAnArray { done, shown }.at(span));
                None
            }
        }
    }
}

fn logical_exp(op: Name, x: Box<Exp>, y: Box<Exp>, span: Span) -> Exp {
    let kind = if op.as_str() == "&&" { ExpKind::And(x, y) } else { ExpKind::Or(x, y) };
    Exp { kind, ty: Type::Prim(PrimType::Bool), span }
}

/// `let pat = rhs in body`
pub(crate) fn let_exp(pat: Pat, rhs: Exp, body: Exp, span: Span) -> Exp {
    let ty = body.ty.clone();
    let kind = ExpKind::Let { sizes: Vec::new(), pat, rhs: Box::new(rhs), body: Box::new(body) };
    Exp { kind, ty, span }
}

impl Checker<'_> {
    /// The type of a function, curried; names are kept where something after them mentions them.
    pub(crate) fn function_type(
        &self,
        params: &[Param],
        ret_sizes: &[VarId],
        ret: &Type,
        unique_ret: Option<&Diet>,
    ) -> Type {
        let mut mentioned = std::collections::HashSet::new();
        let mut ty = self.metas.zonk(ret);
        crate::check::types::subst::size_vars_of_type(&ty, &mut |v| {
            mentioned.insert(v);
        });
        let mut sizes = ret_sizes.to_vec();
        let mut unique = unique_ret.cloned().unwrap_or_default();
        for p in params.iter().rev() {
            let param = self.metas.zonk(&p.pat.ty);
            let name = p.name.filter(|v| mentioned.contains(v));
            crate::check::types::subst::size_vars_of_type(&param, &mut |v| {
                mentioned.insert(v);
            });
            ty = Type::Arrow(Arc::new(Arrow {
                name,
                param,
                consumes: p.consumes.clone(),
                ret_sizes: std::mem::take(&mut sizes),
                ret: ty,
                unique_ret: std::mem::take(&mut unique),
            }));
        }
        ty
    }
}

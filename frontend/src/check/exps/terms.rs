//! Inference for expressions: what each kind of expression is.
//!
//! Arguments that are functions written in place are looked at after the other arguments, so that the types
//! and sizes of their parameters are known by then.

use super::errors::ExpError;
use crate::check::infer::checker::Checker;
use crate::check::infer::demand::{Demand, DemandReason};
use crate::check::infer::unknown::Constraint;
use crate::check::mismatch::role::{Matched, Why, tail};
use crate::check::types::arrow::arrow;
use crate::check::types::attribute::attribute;
use crate::check::types::env::{Scheme, ValueBinding};
use crate::check::types::note::NoteKind;
use crate::check::types::sizes::witnessed;
use crate::check::types::subst::Subst;
use crate::syntax::ast::{self, Liftedness};
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use futc_typed::program::{Exp, ExpKind, Inst, VarId};
use futc_typed::span::Span;
use futc_typed::types::{Size, Type, field_order};
use std::sync::Arc;

impl<'a> Checker<'a> {
    /// Infers the type of an expression.
    pub(crate) fn exp(&mut self, e: &ast::Exp) -> Exp {
        self.exp_with(e, None)
    }

    /// Infers, with a type to go by that is only a hint.
    pub(crate) fn exp_with(&mut self, e: &ast::Exp, hint: Option<&Type>) -> Exp {
        let typed = self.exp_unnoted(e, hint);
        self.note(e.span, NoteKind::Expression, &typed.ty);
        typed
    }

    fn exp_unnoted(&mut self, e: &ast::Exp, hint: Option<&Type>) -> Exp {
        use ast::ExpKind as K;
        let span = e.span;
        if self.stopped {
            return self.wrong(span);
        }
        self.metas.here = span;
        match &e.kind {
            K::Lit(literal) => self.literal(literal, span),
            K::String(bytes) => {
                let ty = Type::Prim(PrimType::U8).array(Size::Const(bytes.len() as i64));
                Exp { kind: ExpKind::String(Arc::from(bytes.as_slice())), ty, span }
            }
            K::Var(name) => self.variable(name),
            K::Parens(inner) => self.exp_with(inner, hint),
            K::QualParens(module, inner) => self.opened_in(module, inner, hint),
            K::Tuple(es) => {
                let hints = hint.map(|h| self.metas.head(h));
                let hints = hints.as_ref().and_then(Type::as_tuple);
                let mut fields = Vec::with_capacity(es.len());
                for (i, e) in es.iter().enumerate() {
                    let hint = hints.as_ref().and_then(|h| h.get(i).copied());
                    fields.push((Name::new(&i.to_string()), self.exp_with(e, hint)));
                }
                self.record(fields, span)
            }
            K::Record(written) => self.record_literal(written, span),
            K::Array(es) => self.array_literal(es, span),
            K::Project(e, field) => {
                let e = self.exp(e);
                self.project(e, *field, span)
            }
            K::Index(a, index) => {
                let a = self.exp(a);
                self.index(a, index, span)
            }
            K::Range { start, second, kind, end } => {
                self.range(start, second.as_deref(), *kind, end, span)
            }
            K::Constr(name, payload) => {
                let payload: Vec<Exp> = payload.iter().map(|e| self.exp(e)).collect();
                let types = payload.iter().map(|e| e.ty.clone()).collect();
                let constraint = Constraint::Sum(vec![(name.name, types)]);
                let ty = self.metas.fresh(constraint);
                Exp { kind: ExpKind::Constr(name.name, payload), ty, span }
            }
            K::Apply(..) => self.application(e),
            K::BinOp { op, lhs, rhs } => self.binary(op, lhs, rhs, span),
            K::Negate(e) => match negated(e) {
                Some(literal) => self.literal(&literal, span),
                None => self.unary("neg", e, span),
            },
            K::Not(e) => self.unary("!", e, span),
            K::Lambda { params, ret, body } => self.lambda(params, ret.as_ref(), body, hint, span),
            K::SectionLeft(op, x) => self.section_left(op, x, span),
            K::SectionRight(op, y) => self.section_right(op, y, hint, span),
            K::SectionProject(fields) => self.section_project(fields, hint, span),
            K::SectionIndex(index) => self.section_index(index, hint, span),
            K::Ascript(e, te) => match self.open_type(te) {
                Some((_, t)) => {
                    let inner = self.exp_with(e, Some(&t));
                    self.expect(tail(e).span, &t, &inner.ty, &Why::Ascription(te.span));
                    self.ascribed.push((inner.ty.clone(), t.clone(), e.span));
                    Exp { ty: t, ..inner }
                }
                None => self.exp(e),
            },
            K::Coerce(e, te) => self.coerce(e, te, span),
            K::Let { sizes, pat, rhs, body } => self.let_pat(sizes, pat, rhs, body, hint, span),
            K::LetFun { name, type_params, params, ret, rhs, body } => {
                self.let_fun(*name, type_params, params, ret.as_ref(), rhs, body, hint, span)
            }
            K::LetWith { name, path, rhs, body } => {
                self.let_with(*name, path, rhs, body, hint, span)
            }
            K::Update { exp, path, value } => {
                let target = self.exp(exp);
                self.update(target, path, value, span)
            }
            K::If(cond, then, otherwise) => self.if_exp(cond, then, otherwise, hint, span),
            K::Match(e, cases) => self.match_exp(e, cases, hint, span),
            K::Loop(l) => self.loop_exp(l, span),
            K::Assert(cond, body) => {
                let text: Arc<str> = Arc::from(crate::check::infer::show_ast::exp(cond).as_str());
                let cond =
                    Box::new(self.check_prim(cond, PrimType::Bool, &Why::Condition("assert")));
                let body = Box::new(self.exp_with(body, hint));
                let ty = body.ty.clone();
                Exp { kind: ExpKind::Assert { cond, body, text }, ty, span }
            }
            K::Attr(attr, e) => {
                let inner = Box::new(self.exp_with(e, hint));
                let ty = inner.ty.clone();
                Exp { kind: ExpKind::Attr(attribute(attr), inner), ty, span }
            }
            K::Hole => Exp { kind: ExpKind::Hole, ty: self.metas.fresh_type(), span },
            K::Error => self.wrong(span),
        }
    }

    /// A record or tuple from its fields, in the order of the source.
    pub(crate) fn record(&mut self, fields: Vec<(Name, Exp)>, span: Span) -> Exp {
        let mut types: Vec<(Name, Type)> = fields.iter().map(|(n, e)| (*n, e.ty.clone())).collect();
        types.sort_by(|a, b| field_order(a.0, b.0));
        if let Some(w) = types.windows(2).find(|w| matches!(w, [a, b] if a.0 == b.0))
            && let Some((name, _)) = w.first()
        {
            let name = *name;
            self.report(ExpError::FieldTwice { name }.at(span));
        }
        // A record of the one field 0 is no tuple, yet it is a record.
        let ty = Type::Record(types.into());
        if !self.fits_in(&ty, span) {
            return self.wrong(span);
        }
        Exp { kind: ExpKind::Record(fields), ty, span }
    }

    fn record_literal(&mut self, written: &[ast::RecordField], span: Span) -> Exp {
        let mut fields = Vec::with_capacity(written.len());
        for field in written {
            match field {
                ast::RecordField::Explicit(name, e) => fields.push((name.name, self.exp(e))),
                ast::RecordField::Implicit(name) => {
                    fields.push((name.name.name, self.variable(name)));
                }
            }
        }
        self.record(fields, span)
    }

    fn array_literal(&mut self, es: &[ast::Exp], span: Span) -> Exp {
        let n = Size::Const(es.len() as i64);
        let mut typed = Vec::with_capacity(es.len());
        let mut elem: Option<Type> = None;
        let first = es.first().map_or(span, |e| e.span);
        for e in es {
            let x = match &elem {
                Some(t) => {
                    let t = t.clone();
                    self.check(e, &t, &Why::Element(first))
                }
                None => self.exp(e),
            };
            if elem.is_none() {
                let element = Demand::limit(Liftedness::Unlifted, DemandReason::Element, e.span);
                self.require(&x.ty, element, e.span);
                elem = Some(x.ty.clone());
            }
            typed.push(x);
        }
        let elem = elem.unwrap_or_else(|| self.fresh_element(span));
        Exp { kind: ExpKind::ArrayLit(typed), ty: elem.array(n), span }
    }

    /// `e.field`
    pub(crate) fn project(&mut self, e: Exp, field: ast::Ident, span: Span) -> Exp {
        let name = field.name;
        let ty = match self.metas.head(&e.ty) {
            Type::Record(fields) => fields.iter().find(|(n, _)| *n == name).map(|(_, t)| t.clone()),
            Type::Param(_) if self.metas.as_meta(&e.ty).is_some() => {
                let t = self.metas.fresh_type();
                let partial = self.metas.fresh(Constraint::Record(vec![(name, t.clone())]));
                if self.unify(&partial, &e.ty) { Some(t) } else { None }
            }
            _ => None,
        };
        match ty {
            Some(ty) => Exp { kind: ExpKind::Project(Box::new(e), name), ty, span },
            None => {
                let shown = self.show(&e.ty);
                self.report(ExpError::UnknownField { name, shown }.at(field.span));
                self.wrong(span)
            }
        }
    }

    fn coerce(&mut self, e: &ast::Exp, te: &ast::TypeExp, span: Span) -> Exp {
        let Some((_, t)) = self.open_type(te) else {
            return self.exp(e);
        };
        let inner = self.exp_with(e, Some(&t));
        // Sizes left open in the target are those of the operand; the others may differ.
        let target = self.freshen(&t, true);
        self.expect(tail(e).span, &target, &inner.ty, &Why::Ascription(te.span));
        Exp { kind: ExpKind::Coerce(Box::new(inner)), ty: t, span }
    }

    fn let_pat(
        &mut self,
        sizes: &[ast::Ident],
        pat: &ast::Pat,
        rhs: &ast::Exp,
        body: &ast::Exp,
        hint: Option<&Type>,
        span: Span,
    ) -> Exp {
        let value = tail(rhs).span;
        let said = self.cx.errors();
        let rhs = self.exp(rhs);
        let unknown = self.cx.errors() > said && self.metas.as_meta(&rhs.ty).is_some();
        self.distinct_names(sizes, pat);
        let matched = Matched::Bound(value);
        let mark = self.mark();
        let outer_bound = std::mem::take(&mut self.bound);
        let mut size_vars = Vec::with_capacity(sizes.len());
        let mut open = Subst::default();
        for size in sizes {
            let v = self.bind_size_name(*size);
            // Equal to whatever size the bound value has there.
            let known = self.metas.fresh_size();
            open.sizes.insert(v, known.clone());
            size_vars.push((v, known));
        }
        let typed_pat = if sizes.is_empty() {
            self.pattern(pat, &rhs.ty, matched)
        } else {
            // The pattern's own type has the sizes bound here; the value's type fits it.
            let shape = self.metas.fresh_type();
            let p = self.pattern(pat, &shape, matched);
            let opened = open.ty(&self.metas.zonk(&p.ty));
            let why = Why::Pattern(Matched::Bound(value));
            self.expect(pat.span, &rhs.ty, &opened, &why);
            p
        };
        for ((v, known), size) in size_vars.iter().zip(sizes) {
            if !witnessed(&self.metas.zonk(&typed_pat.ty), *v) {
                self.unused_size(*size, "pattern");
            }
            let known = self.metas.zonk_size(known);
            if known != Size::Var(*v) {
                self.let_sizes.insert(*v, known);
            }
        }
        let mut bound = std::mem::replace(&mut self.bound, outer_bound);
        if unknown {
            self.unknown.extend(bound.iter().copied());
        }
        if let Some(v) = crate::check::exps::pattern::simple_var(&typed_pat)
            && self.may_be_i64(&typed_pat.ty)
            && let Some(size) = self.exp_size(&rhs)
        {
            self.let_sizes.insert(v, size);
        }
        let body = self.exp_with(body, hint);
        self.undo(mark);
        let size_vars: Vec<VarId> = size_vars.into_iter().map(|(v, _)| v).collect();
        bound.extend(&size_vars);
        let ty = self.unscope(&body.ty, &|v| !bound.contains(&v));
        let kind = ExpKind::Let {
            sizes: size_vars,
            pat: typed_pat,
            rhs: Box::new(rhs),
            body: Box::new(body),
        };
        Exp { kind, ty, span }
    }

    /// Whether a type is `i64` or may turn out to be.
    fn may_be_i64(&self, ty: &Type) -> bool {
        match self.metas.as_meta(ty) {
            None => self.metas.head(ty) == Type::Prim(PrimType::I64),
            Some(v) => match self.metas.constraint(v) {
                Constraint::Any => true,
                Constraint::Prims(set) => set.has(PrimType::I64),
                Constraint::Record(_) | Constraint::Sum(_) => false,
            },
        }
    }

    /// A use of a value.
    pub(crate) fn use_binding(&mut self, binding: &ValueBinding, span: Span) -> Exp {
        match binding {
            ValueBinding::Def { id, scheme, conduct, .. } => {
                if conduct.matters() {
                    self.conducts.insert(*id, conduct.clone());
                }
                let (ty, inst) = self.instantiate(scheme);
                let ty = match inst == Inst::default() {
                    true => self.sizes_of_itself(*id, ty),
                    false => ty,
                };
                Exp { kind: ExpKind::Global(*id, inst), ty, span }
            }
            ValueBinding::Intrinsic { name, scheme } => {
                let (ty, inst) = self.instantiate(scheme);
                Exp { kind: ExpKind::Intrinsic(*name, inst), ty, span }
            }
            ValueBinding::Operator { name, over, compares } => {
                let t = self.operand_type(*over);
                let unary = futc_typed::intrinsics::UNARY.iter().any(|(n, _)| *n == name.as_str());
                let inst = Inst { types: vec![t.clone()], sizes: Vec::new() };
                let result = if *compares { Type::Prim(PrimType::Bool) } else { t.clone() };
                let ty = if unary { arrow(t, result) } else { arrow(t.clone(), arrow(t, result)) };
                Exp { kind: ExpKind::Intrinsic(*name, inst), ty, span }
            }
        }
    }

    /// The type of an operand of a built-in operator.
    pub(crate) fn operand_type(&mut self, over: futc_typed::intrinsics::Over) -> Type {
        use futc_typed::intrinsics::Over;
        match over {
            Over::Any => {
                let ty = self.metas.fresh_type();
                let demand = Demand::equality(self.metas.here);
                self.demand(&ty, demand);
                ty
            }
            Over::Int | Over::Num | Over::IntBool | Over::Prim => self.fresh_prims(|p| over.has(p)),
        }
    }

    /// A type not yet known, of elements of an array.
    pub(crate) fn fresh_element(&mut self, span: Span) -> Type {
        let ty = self.metas.fresh_type();
        self.demand(&ty, Demand::limit(Liftedness::Unlifted, DemandReason::Element, span));
        ty
    }

    /// A fresh instance of a polymorphic type.
    pub(crate) fn instantiate(&mut self, scheme: &Scheme) -> (Type, Inst) {
        let mut subst = Subst::default();
        let mut inst = Inst::default();
        for (liftedness, v) in &scheme.type_params {
            let t = self.metas.fresh_type();
            let demand = Demand::limit(*liftedness, DemandReason::Param(v.name), self.metas.here);
            self.demand(&t, demand);
            inst.types.push(t.clone());
            subst.types.insert(*v, t);
        }
        for v in &scheme.size_params {
            let s = self.metas.fresh_size();
            inst.sizes.push(s.clone());
            subst.sizes.insert(*v, s);
        }
        (subst.instantiate(&mut self.cx, &scheme.ty), inst)
    }
}

/// A number with a minus: the minus belongs to it, so that it can be the least of its type.
fn negated(e: &ast::Exp) -> Option<ast::Literal> {
    let ast::ExpKind::Lit(literal) = &e.kind else { return None };
    let mut literal = literal.clone();
    match &mut literal {
        ast::Literal::Int { negative, .. } | ast::Literal::Float { negative, .. } => {
            *negative = true;
            Some(literal)
        }
        ast::Literal::Bool(_) | ast::Literal::Char(_) => None,
    }
}

impl Checker<'_> {
    /// Checks an expression that must be of some type.
    pub(crate) fn check(&mut self, e: &ast::Exp, expected: &Type, why: &Why<'_>) -> Exp {
        let typed = self.exp_with(e, Some(expected));
        if !self.expect(tail(e).span, expected, &typed.ty, why) {
            self.label_variable(e);
        }
        typed
    }

    /// Checks an expression that must be of a primitive type.
    pub(crate) fn check_prim(&mut self, e: &ast::Exp, p: PrimType, why: &Why<'_>) -> Exp {
        self.check(e, &Type::Prim(p), why)
    }
}

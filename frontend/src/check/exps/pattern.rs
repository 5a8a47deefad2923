//! Patterns: what they bind, at which types.

use super::errors::ExpError;
use crate::check::infer::checker::{Checker, Local};
use crate::check::infer::unknown::{Binder, Constraint, Holder};
use crate::check::mismatch::role::{Matched, Why};
use crate::check::types::note::NoteKind;
use crate::check::types::subst::size_vars_of_type;
use crate::syntax::ast;
use futc_typed::diet::Diet;
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use futc_typed::program::{Pat, PatKind, VarId};
use futc_typed::types::{Type, field_order};

/// The variable that a pattern consists of.
pub(crate) fn simple_var(pat: &Pat) -> Option<VarId> {
    match &pat.kind {
        PatKind::Var(v) => Some(*v),
        _ => None,
    }
}

/// What the types written in a pattern say.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Marks {
    /// What is marked `*`.
    pub(crate) consumes: Diet,
    /// What has a type.
    pub(crate) annotated: Diet,
}

impl Marks {
    /// Those of a record from those of its fields.
    fn of_parts(parts: Vec<(Name, Marks)>) -> Marks {
        let diet = |part: fn(&Marks) -> &Diet| {
            Diet::of_parts(parts.iter().map(|(n, m)| (*n, part(m).clone(), true)).collect())
        };
        // Of the unit there is nothing that could be left without a type.
        let annotated = if parts.is_empty() { Diet::Consume } else { diet(|m| &m.annotated) };
        Marks { consumes: diet(|m| &m.consumes), annotated }
    }
}

const LITERAL: &str = "$literal";

/// A literal in a pattern whose value awaits its type.
pub(crate) fn literal_pattern(pat: &Pat) -> Option<usize> {
    match &pat.kind {
        PatKind::Constr(name, args) if name.as_str() == LITERAL => match args.as_slice() {
            [Pat { kind: PatKind::Constr(index, _), .. }] => index.as_str().parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

impl Checker<'_> {
    /// Checks a pattern against the type of what it matches, binding its variables.
    pub(crate) fn pattern(&mut self, pat: &ast::Pat, ty: &Type, matched: Matched) -> Pat {
        self.pattern_marked(pat, ty, matched, &mut Marks::default())
    }

    /// As [`Checker::pattern`], telling what the types in it say.
    pub(crate) fn pattern_marked(
        &mut self,
        pat: &ast::Pat,
        ty: &Type,
        matched: Matched,
        marks: &mut Marks,
    ) -> Pat {
        use ast::PatKind as K;
        let span = pat.span;
        let why = Why::Pattern(matched);
        self.metas.here = span;
        match &pat.kind {
            K::Var(name) => {
                let v = self.bind_var(*name, ty);
                self.note(name.span, NoteKind::Variable, ty);
                Pat { kind: PatKind::Var(v), ty: ty.clone(), span }
            }
            K::Wild => Pat { kind: PatKind::Wild, ty: ty.clone(), span },
            K::Parens(p) => self.pattern_marked(p, ty, matched, marks),
            K::Attr(_, p) => self.pattern_marked(p, ty, matched, marks),
            K::Tuple(ps) => {
                let types = self.tuple_types(ps.len(), ty, span, &why);
                let mut fields = Vec::with_capacity(ps.len());
                let mut all = Vec::with_capacity(ps.len());
                for (i, (p, t)) in ps.iter().zip(&types).enumerate() {
                    let mut inner = Marks::default();
                    let name = Name::new(&i.to_string());
                    fields.push((name, self.pattern_marked(p, t, matched, &mut inner)));
                    all.push((name, inner));
                }
                *marks = Marks::of_parts(all);
                let ty = Type::Record(fields.iter().map(|(n, p)| (*n, p.ty.clone())).collect());
                Pat { kind: PatKind::Record(fields), ty, span }
            }
            K::Record(fields) => self.record_pattern(fields, ty, span, matched, marks),
            K::Ascript(p, te) => {
                // `?[n].[n]t` is `[]t` here.
                let Some((t, written)) = self.open_type(te) else {
                    let from = self.bound.len();
                    let pat = self.pattern_marked(p, ty, matched, marks);
                    self.unknown.extend(self.bound.iter().skip(from).copied());
                    return pat;
                };
                if matches!(matched, Matched::Parameter) {
                    let metas = &mut self.metas;
                    size_vars_of_type(&written, &mut |v| metas.held_by(v, Holder::Parameter));
                }
                self.expect(span, ty, &written, &why);
                *marks = Marks { consumes: t.diet, annotated: Diet::Consume };
                self.pattern_marked(p, &written, matched, &mut Marks::default())
            }
            K::Lit(literal) => {
                let t = self.literal_type(literal);
                self.expect(span, ty, &t, &why);
                let index = self.literals.len();
                self.literals.push((literal.clone(), span));
                let inner = Pat {
                    kind: PatKind::Constr(Name::new(&index.to_string()), Vec::new()),
                    ty: t.clone(),
                    span,
                };
                Pat { kind: PatKind::Constr(Name::new(LITERAL), vec![inner]), ty: t, span }
            }
            K::Constr(name, ps) => {
                let types = self.payload_types(*name, ps.len(), ty, span, &why);
                let ps = ps.iter().zip(&types).map(|(p, t)| self.pattern(p, t, matched)).collect();
                Pat { kind: PatKind::Constr(name.name, ps), ty: ty.clone(), span }
            }
            K::Error => {
                self.failed = true;
                Pat { kind: PatKind::Wild, ty: ty.clone(), span }
            }
        }
    }

    pub(crate) fn bind_var(&mut self, name: ast::Ident, ty: &Type) -> VarId {
        let v = self.cx.fresh_var(name.name);
        self.bound.push(v);
        self.metas.bound(v, Binder::Name(name.span));
        self.push_local(name.name, Local::Mono(v, ty.clone()));
        v
    }

    /// Brings a size written in brackets into scope.
    pub(crate) fn bind_size_name(&mut self, name: ast::Ident) -> VarId {
        let v = self.cx.fresh_var(name.name);
        self.metas.bound(v, Binder::Name(name.span));
        self.push_local(name.name, Local::Mono(v, Type::Prim(PrimType::I64)));
        v
    }

    fn tuple_types(&mut self, n: usize, ty: &Type, span: ast::Span, why: &Why<'_>) -> Vec<Type> {
        if let Type::Record(fields) = self.metas.head(ty)
            && fields.len() == n
            && fields.iter().enumerate().all(|(i, (f, _))| f.as_str() == i.to_string())
        {
            return fields.iter().map(|(_, t)| t.clone()).collect();
        }
        let types: Vec<Type> = (0..n).map(|_| self.metas.fresh_type()).collect();
        let fields = types.iter().enumerate().map(|(i, t)| (Name::new(&i.to_string()), t.clone()));
        let tuple = Type::Record(fields.collect());
        self.expect(span, ty, &tuple, why);
        types
    }

    fn record_pattern(
        &mut self,
        written: &[(ast::Ident, Option<ast::Pat>)],
        ty: &Type,
        span: ast::Span,
        matched: Matched,
        marks: &mut Marks,
    ) -> Pat {
        if self.metas.as_meta(ty).is_some() {
            let mut fields: Vec<(Name, Type)> =
                written.iter().map(|(n, _)| (n.name, self.metas.fresh_type())).collect();
            fields.sort_by(|a, b| field_order(a.0, b.0));
            let record = Type::Record(fields.into());
            self.expect(span, ty, &record, &Why::Pattern(matched));
        }
        let Type::Record(types) = self.metas.head(ty) else {
            self.report(ExpError::RecordPattern { shown: self.show(ty) }.at(span));
            return Pat { kind: PatKind::Wild, ty: ty.clone(), span };
        };
        let mut fields: Vec<(Name, Pat)> = Vec::with_capacity(types.len());
        let mut all = Vec::with_capacity(written.len());
        for (name, p) in written {
            let Some((_, t)) = types.iter().find(|(n, _)| *n == name.name) else {
                let shown = self.show(ty);
                self.report(ExpError::UnknownField { name: name.name, shown }.at(name.span));
                continue;
            };
            let mut inner = Marks::default();
            let p = match p {
                Some(p) => self.pattern_marked(p, t, matched, &mut inner),
                None => {
                    let v = self.bind_var(*name, t);
                    self.note(name.span, NoteKind::Variable, t);
                    Pat { kind: PatKind::Var(v), ty: t.clone(), span: name.span }
                }
            };
            all.push((name.name, inner));
            if fields.iter().any(|(n, _)| *n == name.name) {
                self.report(ExpError::FieldMatchedTwice { name: name.name }.at(name.span));
                continue;
            }
            fields.push((name.name, p));
        }
        for (n, t) in types.iter() {
            if !fields.iter().any(|(m, _)| m == n) {
                self.report(ExpError::MissingField { name: *n, shown: self.show(t) }.at(span));
            }
        }
        *marks = Marks::of_parts(all);
        fields.sort_by(|a, b| field_order(a.0, b.0));
        let ty = Type::Record(fields.iter().map(|(n, p)| (*n, p.ty.clone())).collect());
        Pat { kind: PatKind::Record(fields), ty, span }
    }

    fn payload_types(
        &mut self,
        name: ast::Ident,
        n: usize,
        ty: &Type,
        span: ast::Span,
        why: &Why<'_>,
    ) -> Vec<Type> {
        match self.metas.head(ty) {
            Type::Sum(constrs) => match constrs.iter().find(|(c, _)| *c == name.name) {
                Some((_, types)) if types.len() == n => types.clone(),
                Some((_, types)) => {
                    let (takes, given) = (types.len(), n);
                    let error = ExpError::ConstructorArity { name: name.name, takes, given };
                    self.report(error.at(span));
                    (0..n).map(|_| self.metas.fresh_type()).collect()
                }
                None => {
                    let shown = self.show(ty);
                    let error = ExpError::UnknownConstructor { name: name.name, shown };
                    self.report(error.at(name.span));
                    (0..n).map(|_| self.metas.fresh_type()).collect()
                }
            },
            _ => {
                let types: Vec<Type> = (0..n).map(|_| self.metas.fresh_type()).collect();
                let constraint = Constraint::Sum(vec![(name.name, types.clone())]);
                let sum = self.metas.fresh(constraint);
                self.expect(span, ty, &sum, why);
                types
            }
        }
    }
}

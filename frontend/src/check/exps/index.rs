//! Indexing, slices, ranges and updates.
//!
//! A slice `[i:j]` with stride 1 has size `j - i`, and `j` alone if `i` is 0 or left out; of
//! other slices only `[::-1]` and `[i:j:-1]` have a size to be told. A range has one if its
//! stride is 1 and its type `i64`.

use super::errors::ExpError;
use crate::check::infer::checker::{Checker, SizeSource};
use crate::check::mismatch::role::Why;
use crate::syntax::ast;
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use futc_typed::program::{DimIndex, Exp, ExpKind, Inst, Pat, PatKind, RangeEnd};
use futc_typed::span::Span;
use futc_typed::types::{Size, Type};

impl Checker<'_> {
    /// `a[i, j:k]`
    pub(crate) fn index(&mut self, a: Exp, index: &[ast::DimIndex], span: Span) -> Exp {
        let Some((index, ty, _)) = self.indices(&a.ty, index, a.span) else {
            return self.wrong(span);
        };
        Exp { kind: ExpKind::Index(Box::new(a), index), ty, span }
    }

    /// Checks indices of an array of type `ty`; with the type of what they select, and how many
    /// of its dimensions are slices.
    fn indices(
        &mut self,
        ty: &Type,
        index: &[ast::DimIndex],
        span: Span,
    ) -> Option<(Vec<DimIndex>, Type, usize)> {
        let mut rest = ty.clone();
        let mut kept: Vec<Size> = Vec::new();
        let mut typed = Vec::with_capacity(index.len());
        for (d, i) in index.iter().enumerate() {
            if d > 0 && !self.may_be_array(&rest) {
                let (rank, given, shown) = (d, index.len(), self.show(ty));
                self.report(ExpError::TooManyIndexes { rank, given, shown }.at(span));
                return None;
            }
            let (size, elem) = self.expect_array(&rest, span, "indexed")?;
            match i {
                ast::DimIndex::Fix(e) => {
                    let t = self.fresh_prims(PrimType::is_int);
                    typed.push(DimIndex::Fix(self.check(e, &t, &Why::Index)));
                }
                ast::DimIndex::Slice { start, end, stride, .. } => {
                    let mut part = |e: &Option<Box<ast::Exp>>| {
                        e.as_ref().map(|e| Box::new(self.check_prim(e, PrimType::I64, &Why::Index)))
                    };
                    let (start, end, stride) = (part(start), part(end), part(stride));
                    kept.push(self.slice_size(
                        &size,
                        start.as_deref(),
                        end.as_deref(),
                        stride.as_deref(),
                        span,
                    ));
                    typed.push(DimIndex::Slice { start, end, stride });
                }
            }
            rest = elem;
        }
        let slices = kept.len();
        let ty = kept.into_iter().rev().fold(rest, |t, s| t.array(s));
        Some((typed, ty, slices))
    }

    fn slice_size(
        &mut self,
        whole: &Size,
        start: Option<&Exp>,
        end: Option<&Exp>,
        stride: Option<&Exp>,
        span: Span,
    ) -> Size {
        let size = |e: Option<&Exp>| e.map(|e| self.exp_size(e));
        let plain = |e: Option<&Exp>| e.map(|e| self.exp_size(e).map(|s| self.simplified(s)));
        let (start, end, stride) = (plain(start), size(end), plain(stride));
        let known = match (start, end, stride) {
            (None | Some(Some(Size::Const(0))), None, None | Some(Some(Size::Const(1)))) => {
                Some(whole.clone())
            }
            (None | Some(Some(Size::Const(0))), Some(end), None | Some(Some(Size::Const(1)))) => {
                end
            }
            (Some(Some(start)), None, None | Some(Some(Size::Const(1)))) => {
                let whole = self.metas.zonk_size(whole);
                Some(self.size_op("-", &whole, &start))
            }
            (Some(Some(start)), Some(Some(end)), None | Some(Some(Size::Const(1)))) => {
                Some(self.size_op("-", &end, &start))
            }
            (None, None, Some(Some(Size::Const(-1)))) => Some(whole.clone()),
            (Some(Some(start)), Some(Some(end)), Some(Some(Size::Const(-1)))) => {
                Some(self.size_op("-", &start, &end))
            }
            _ => None,
        };
        match known {
            Some(Size::Unknown) | None => {
                Size::Var(self.new_size(Name::new("k"), span, SizeSource::Slice))
            }
            Some(size) => size,
        }
    }

    /// `start..second...end` and its kin.
    pub(crate) fn range(
        &mut self,
        start: &ast::Exp,
        second: Option<&ast::Exp>,
        kind: ast::RangeKind,
        end: &ast::Exp,
        span: Span,
    ) -> Exp {
        let t = self.fresh_prims(PrimType::is_int);
        let why = Why::Bound(Some(start.span));
        let start = Box::new(self.check(start, &t, &Why::Bound(None)));
        let second = second.map(|e| Box::new(self.check(e, &t, &why)));
        let end = Box::new(self.check(end, &t, &why));
        let mut known = None;
        // The type of the bounds may be found out only later: then the size is known less well.
        if self.metas.head(&t) == Type::Prim(PrimType::I64) {
            let s = self.exp_size(&start).map(|s| self.simplified(s));
            let step = second.as_ref().map(|e| self.exp_size(e).map(|s| self.simplified(s)));
            let e = self.exp_size(&end);
            known = match (s, step, kind, e) {
                (
                    Some(Size::Const(0)),
                    None | Some(Some(Size::Const(1))),
                    ast::RangeKind::UpTo,
                    Some(e),
                ) => Some(e),
                (Some(s), None, ast::RangeKind::UpTo, Some(e)) => Some(self.size_op("-", &e, &s)),
                (Some(s), None, ast::RangeKind::Inclusive, Some(e)) => {
                    let less = self.size_op("-", &e, &s);
                    Some(self.size_op("+", &less, &Size::Const(1)))
                }
                (
                    Some(Size::Const(1)),
                    Some(Some(Size::Const(2))),
                    ast::RangeKind::Inclusive,
                    Some(e),
                ) => Some(e),
                _ => None,
            };
        }
        let size = match known {
            Some(Size::Unknown) | None => {
                Size::Var(self.new_size(Name::new("k"), span, SizeSource::Range))
            }
            Some(size) => size,
        };
        let end = match kind {
            ast::RangeKind::Inclusive => RangeEnd::Inclusive(end),
            ast::RangeKind::UpTo => RangeEnd::UpTo(end),
            ast::RangeKind::DownTo => RangeEnd::DownTo(end),
        };
        Exp { kind: ExpKind::Range { start, second, end }, ty: t.array(size), span }
    }

    /// `e with path = value`
    pub(crate) fn update(
        &mut self,
        target: Exp,
        path: &[ast::UpdateStep],
        value: &ast::Exp,
        span: Span,
    ) -> Exp {
        let Some((step, rest)) = path.split_first() else { return target };
        match step {
            ast::UpdateStep::Index(index, at) => {
                let ty = target.ty.clone();
                let Some((index, part, slices)) = self.indices(&ty, index, *at) else {
                    return self.wrong(span);
                };
                if rest.is_empty() {
                    let value = self.update_value(value, &part, slices);
                    let kind =
                        ExpKind::Update { array: Box::new(target), index, value: Box::new(value) };
                    return Exp { kind, ty, span };
                }
                // `a with [i].f = v` is `a with [i] = (a[i] with f = v)`, `a` evaluated once.
                let (bind, array) = self.shared(target, span);
                let old = Exp {
                    kind: ExpKind::Index(Box::new(array.clone()), index.clone()),
                    ty: part.clone(),
                    span: *at,
                };
                let new = self.update(old, rest, value, span);
                self.expect(span, &part, &new.ty, &Why::Part);
                let kind = ExpKind::Update { array: Box::new(array), index, value: Box::new(new) };
                let updated = Exp { kind, ty, span };
                match bind {
                    Some((pat, rhs)) => crate::check::exps::apply::let_exp(pat, rhs, updated, span),
                    None => updated,
                }
            }
            ast::UpdateStep::Field(_) => {
                let fields: Vec<ast::Ident> = path
                    .iter()
                    .map_while(|s| match s {
                        ast::UpdateStep::Field(f) => Some(*f),
                        ast::UpdateStep::Index(..) => None,
                    })
                    .collect();
                let rest = path.get(fields.len()..).unwrap_or_default();
                let (bind, record) =
                    if rest.is_empty() { (None, target) } else { self.shared(target, span) };
                let mut old = record.clone();
                for f in &fields {
                    if self.metas.as_meta(&old.ty).is_some() {
                        if self.failed {
                            // An error may be what kept it from being known.
                            return self.wrong(span);
                        }
                        // The other fields, which the result also has, are not known.
                        self.report(ExpError::RecordNotKnown { field: f.span }.at(old.span));
                        return self.wrong(span);
                    }
                    old = self.project(old, *f, span);
                }
                let new = if rest.is_empty() {
                    let t = self.freshen(&old.ty, false);
                    self.check(value, &t, &Why::Update)
                } else {
                    self.update(old, rest, value, span)
                };
                let ty = replace_field(&self.metas.zonk(&record.ty), &fields, &new.ty);
                let kind = ExpKind::RecordUpdate {
                    record: Box::new(record),
                    path: fields.iter().map(|f| f.name).collect(),
                    value: Box::new(new),
                };
                let updated = Exp { kind, ty, span };
                match bind {
                    Some((pat, rhs)) => crate::check::exps::apply::let_exp(pat, rhs, updated, span),
                    None => updated,
                }
            }
        }
    }

    /// The value put in place of a part of type `part`, the first `slices` dimensions of which are
    /// those of slices: these are compared as the program runs.
    fn update_value(&mut self, value: &ast::Exp, part: &Type, slices: usize) -> Exp {
        let mut rest = part.clone();
        let mut open = Vec::with_capacity(slices);
        for _ in 0..slices {
            if let Type::Array { elem, .. } = self.metas.head(&rest) {
                open.push(self.metas.fresh_size());
                rest = (*elem).clone();
            }
        }
        let shape = open.into_iter().rev().fold(rest, |t, s| t.array(s));
        let v = self.check(value, &shape, &Why::Update);
        let (mut a, mut b) = (part.clone(), v.ty.clone());
        for _ in 0..slices {
            let (Type::Array { size: m, elem: x }, Type::Array { size: n, elem: y }) =
                (self.metas.head(&a), self.metas.head(&b))
            else {
                break;
            };
            if !self.same_size(&m, &n) {
                let span = v.span;
                return Exp { kind: ExpKind::Coerce(Box::new(v)), ty: part.clone(), span };
            }
            (a, b) = ((*x).clone(), (*y).clone());
        }
        v
    }

    /// An expression to be used twice: a variable as it is, another one bound to a name.
    fn shared(&mut self, e: Exp, span: Span) -> (Option<(Pat, Exp)>, Exp) {
        if matches!(e.kind, ExpKind::Var(..) | ExpKind::Global(..)) {
            return (None, e);
        }
        let v = self.cx.fresh_var(Name::new("a"));
        let ty = e.ty.clone();
        let pat = Pat { kind: PatKind::Var(v), ty: ty.clone(), span };
        (Some((pat, e)), Exp { kind: ExpKind::Var(v, Inst::default()), ty, span })
    }

    /// `let a[i] = v in body`
    pub(crate) fn let_with(
        &mut self,
        name: ast::Ident,
        path: &[ast::UpdateStep],
        value: &ast::Exp,
        body: &ast::Exp,
        hint: Option<&Type>,
        span: Span,
    ) -> Exp {
        let qual = ast::QualName { quals: Vec::new(), name, span: name.span };
        let target = self.variable(&qual);
        let whole = name.span.to(value.span);
        let updated = self.update(target, path, value, whole);
        let mark = self.mark();
        let v = self.bind_var(name, &updated.ty);
        let body = self.exp_with(body, hint);
        self.undo(mark);
        let ty = self.unscope(&body.ty, &|w| w != v);
        let pat = Pat { kind: PatKind::Var(v), ty: updated.ty.clone(), span: name.span };
        let e = crate::check::exps::apply::let_exp(pat, updated, body, span);
        Exp { ty, ..e }
    }
}

/// The record type with the field at `path` given another type.
fn replace_field(ty: &Type, path: &[ast::Ident], new: &Type) -> Type {
    let Some((first, rest)) = path.split_first() else { return new.clone() };
    match ty {
        Type::Record(fields) => Type::Record(
            fields
                .iter()
                .map(|(n, t)| {
                    let t = if *n == first.name { replace_field(t, rest, new) } else { t.clone() };
                    (*n, t)
                })
                .collect(),
        ),
        _ => ty.clone(),
    }
}

//! Whether every size is known when it is needed (guide, "Causality restriction").
//!
//! Before: a checked definition whose sizes may mention any size that comes into being in it.
//! After: a size that an instance of a polymorphic value, an empty array, a constructor, a hole or
//! a function's parameter needs comes into being earlier in the order of evaluation; and no size
//! is left open there. Arguments come before the function applied to them, the last one first;
//! operands of an operator come from left to right.
//!
//! Cost: linear in the program and the graphs of its types, each part of which is looked at once
//! where no branch or function ends in between.

use super::errors::RuleError;
use crate::check::infer::checker::Checker;
use crate::check::infer::unknown::{Binder, is_meta};
use crate::check::types::sizes::{free_sizes, new_free_sizes};
use crate::check::types::subst::size_vars;
use crate::diag::Diagnostic;
use futc_typed::program::{
    DimIndex, Exp, ExpKind, FunDef, LoopForm, Pat, PatKind, RangeEnd, VarId,
};
use futc_typed::shared::Lasting;
use futc_typed::span::Span;
use futc_typed::types::{Size, Type};
use std::collections::HashSet;

/// The sizes known so far, in the order in which they became so.
#[derive(Default)]
struct KnownSizes {
    set: HashSet<VarId>,
    order: Vec<VarId>,
    /// The types that have been looked at, with what for: what is known stays so up to
    /// [`KnownSizes::undo`].
    kept: Lasting<()>,
}

/// Looked at to make its sizes known.
const MADE: u64 = 0;
/// Needed, and all known.
const NEEDED: u64 = 1;
/// As [`NEEDED`], but for sizes that only an application makes.
const INSTANCE: u64 = 2;

impl KnownSizes {
    fn add(&mut self, v: VarId) {
        if self.set.insert(v) {
            self.order.push(v);
        }
    }

    fn mark(&self) -> usize {
        self.order.len()
    }

    fn undo(&mut self, mark: usize) {
        if mark < self.order.len() {
            self.kept.clear();
        }
        for v in self.order.drain(mark.min(self.order.len())..) {
            self.set.remove(&v);
        }
    }
}

type Checked = Result<(), Box<Diagnostic>>;

impl Checker<'_> {
    /// Reports the first size of a definition that is needed before it is known.
    pub(crate) fn check_causality(&mut self, fun: &FunDef) {
        let mut known = KnownSizes::default();
        if let Err(d) = self.causal_fun(fun, &mut known) {
            self.report(*d);
        }
    }

    fn causal_fun(&self, fun: &FunDef, known: &mut KnownSizes) -> Checked {
        let mark = known.mark();
        fun.size_params.iter().for_each(|v| known.add(*v));
        for p in &fun.params {
            self.now_known(&p.pat.ty, known);
            self.bind_pattern(&p.pat, known);
        }
        let result = self.causal(&fun.body, known);
        known.undo(mark);
        result
    }

    fn now_known(&self, ty: &Type, known: &mut KnownSizes) {
        if !self.metas.is_bare(ty) {
            let mut kept = std::mem::take(&mut known.kept);
            new_free_sizes(&self.metas.zonk(ty), &mut kept, MADE, &mut |v| known.add(v));
            known.kept = kept;
        }
    }

    fn bind_pattern(&self, pat: &Pat, known: &mut KnownSizes) {
        self.now_known(&pat.ty, known);
        match &pat.kind {
            PatKind::Wild | PatKind::Lit(_) => {}
            PatKind::Var(v) => known.add(*v),
            PatKind::Record(fields) => {
                fields.iter().for_each(|(_, p)| self.bind_pattern(p, known));
            }
            PatKind::Constr(_, ps) => ps.iter().for_each(|p| self.bind_pattern(p, known)),
        }
    }

    fn causal(&self, e: &Exp, known: &mut KnownSizes) -> Checked {
        match &e.kind {
            ExpKind::Lit(_) | ExpKind::String(_) => return Ok(()),
            ExpKind::Var(..) | ExpKind::Global(..) | ExpKind::Intrinsic(..) => {
                let what = match self.source_text(e.span) {
                    Some(name) => format!("for the instance of {name} used here"),
                    None => "for this".to_owned(),
                };
                return self.need(&e.ty, &what, e.span, known, true);
            }
            ExpKind::Hole => return self.need(&e.ty, "for this hole", e.span, known, false),
            ExpKind::ArrayLit(es) if es.is_empty() => {
                return self.need(&e.ty, "for this empty array", e.span, known, false);
            }
            ExpKind::Constr(name, es) => {
                self.all(es, known)?;
                let what = format!("for the constructor #{name}");
                return self.need(&e.ty, &what, e.span, known, false);
            }
            ExpKind::ArrayLit(es) => self.all(es, known)?,
            ExpKind::Record(fields) => {
                fields.iter().try_for_each(|(_, e)| self.causal(e, known))?;
            }
            ExpKind::Attr(_, inner) => {
                if crate::check::infer::placeholder::literal_index(e).is_none() {
                    self.causal(inner, known)?;
                }
            }
            ExpKind::Project(inner, _) => self.causal(inner, known)?,
            ExpKind::Coerce(inner) => {
                self.causal(inner, known)?;
                self.told(&inner.ty, "what is coerced here", inner.span)?;
            }
            ExpKind::Index(a, index) => {
                self.causal(a, known)?;
                self.causal_dims(index, known)?;
            }
            ExpKind::Update { array, index, value } => {
                self.causal(array, known)?;
                self.causal_dims(index, known)?;
                self.causal(value, known)?;
            }
            ExpKind::RecordUpdate { record, value, .. } => {
                self.causal(record, known)?;
                self.causal(value, known)?;
            }
            ExpKind::Range { start, second, end } => {
                let (RangeEnd::Inclusive(end) | RangeEnd::UpTo(end) | RangeEnd::DownTo(end)) = end;
                self.causal(start, known)?;
                second.iter().try_for_each(|e| self.causal(e, known))?;
                self.causal(end, known)?;
            }
            ExpKind::Lambda(f) => {
                for p in &f.params {
                    let what = "for the parameter of this function";
                    self.need(&p.pat.ty, what, p.pat.span, known, false)?;
                }
                return self.causal_fun(f, known);
            }
            ExpKind::App { fun, args, .. } => {
                let infix = args.first().is_some_and(|x| x.span.end <= fun.span.start);
                if infix && args.len() == 1 {
                    // A section is one value, of an operator at one type.
                    self.need(&fun.ty, "for this operator section", e.span, known, true)?;
                }
                if infix {
                    self.all(args, known)?;
                } else {
                    args.iter().rev().try_for_each(|x| self.causal(x, known))?;
                }
                self.causal(fun, known)?;
            }
            ExpKind::And(a, b) | ExpKind::Or(a, b) => {
                self.causal(a, known)?;
                self.causal(b, known)?;
            }
            ExpKind::Let { sizes, pat, rhs, body } => {
                self.causal(rhs, known)?;
                for v in sizes {
                    if let Some(size) = self.let_sizes.get(v) {
                        self.told_size(size, v.name.as_str(), pat.span)?;
                    }
                    known.add(*v);
                }
                self.told(&pat.ty, "this pattern", pat.span)?;
                self.bind_pattern(pat, known);
                self.causal(body, known)?;
            }
            ExpKind::LetFun { fun, body, .. } => {
                self.causal_fun(fun, known)?;
                self.causal(body, known)?;
            }
            ExpKind::If { cond, then, otherwise, .. } => {
                self.causal(cond, known)?;
                self.separately(then, known)?;
                self.separately(otherwise, known)?;
            }
            ExpKind::Match { scrutinee, cases, .. } => {
                self.causal(scrutinee, known)?;
                for case in cases {
                    let mark = known.mark();
                    self.bind_pattern(&case.pat, known);
                    self.causal(&case.body, known)?;
                    known.undo(mark);
                }
            }
            ExpKind::Loop(l) => {
                self.causal(&l.init, known)?;
                match &l.form {
                    LoopForm::For(_, e) | LoopForm::ForIn(_, e) => self.causal(e, known)?,
                    LoopForm::While(_) => {}
                }
                let mark = known.mark();
                l.sizes.iter().for_each(|v| known.add(*v));
                self.bind_pattern(&l.pat, known);
                match &l.form {
                    LoopForm::For(v, _) => known.add(*v),
                    LoopForm::ForIn(p, _) => self.bind_pattern(p, known),
                    LoopForm::While(cond) => self.causal(cond, known)?,
                }
                self.causal(&l.body, known)?;
                known.undo(mark);
            }
            ExpKind::Assert { cond, body, .. } => {
                self.causal(cond, known)?;
                self.causal(body, known)?;
            }
        }
        self.now_known(&e.ty, known);
        Ok(())
    }

    fn all(&self, es: &[Exp], known: &mut KnownSizes) -> Checked {
        es.iter().try_for_each(|e| self.causal(e, known))
    }

    /// A branch: what becomes known in it is not so after it.
    fn separately(&self, e: &Exp, known: &mut KnownSizes) -> Checked {
        let mark = known.mark();
        let result = self.causal(e, known);
        known.undo(mark);
        result
    }

    fn causal_dims(&self, index: &[DimIndex], known: &mut KnownSizes) -> Checked {
        for i in index {
            match i {
                DimIndex::Fix(e) => self.causal(e, known)?,
                DimIndex::Slice { start, end, stride } => {
                    for e in [start, end, stride].into_iter().flatten() {
                        self.causal(e, known)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Fails unless all sizes in a type are known, or at least told by something. An `instance` may
    /// have sizes that only its application makes.
    fn need(
        &self,
        ty: &Type,
        what: &str,
        span: Span,
        known: &mut KnownSizes,
        instance: bool,
    ) -> Checked {
        if self.metas.is_bare(ty) {
            return Ok(());
        }
        let ty = self.metas.zonk(ty);
        let mut missing = None;
        let mut open = None;
        // If one of them is not known, this is the last type that is looked at.
        let mut kept = std::mem::take(&mut known.kept);
        let what_for = if instance { INSTANCE } else { NEEDED };
        new_free_sizes(&ty, &mut kept, what_for, &mut |v| {
            if is_meta(v) {
                open = open.or(Some(v));
            } else if missing.is_none() && !(instance && self.made_by_application(v)) {
                missing = self.lacks(v, known, 64);
            }
        });
        known.kept = kept;
        if let Some(v) = missing {
            return Err(Box::new(self.too_early(v, &ty, what, span)));
        }
        match open {
            Some(v) => Err(Box::new(self.ambiguous_size(v, &ty, what, span))),
            None => Ok(()),
        }
    }

    /// Whether a size comes into being by applying a function to other functions.
    fn made_by_application(&self, v: VarId) -> bool {
        self.unnamed.contains(&v) || self.made_by_arguments.contains(&v)
    }

    /// The size that is not known yet, where `v` is or depends on one.
    fn lacks(&self, v: VarId, known: &KnownSizes, fuel: u32) -> Option<VarId> {
        if fuel == 0
            || known.set.contains(&v)
            || matches!(self.metas.binder(v), Some(Binder::Name(_)))
        {
            return None;
        }
        match self.let_sizes.get(&v) {
            Some(size) => {
                let mut missing = None;
                size_vars(&self.metas.zonk_size(size), &mut |w| {
                    if missing.is_none() && !is_meta(w) {
                        missing = self.lacks(w, known, fuel - 1);
                    }
                });
                missing
            }
            None => Some(v),
        }
    }

    /// Fails if a size in a type is not told by anything.
    fn told(&self, ty: &Type, what: &str, span: Span) -> Checked {
        let ty = self.metas.zonk(ty);
        let mut open = None;
        free_sizes(&ty, &mut Vec::new(), &mut |v| {
            if is_meta(v) {
                open = open.or(Some(v));
            }
        });
        match open {
            Some(v) => Err(Box::new(self.ambiguous_size(v, &ty, &format!("for {what}"), span))),
            None => Ok(()),
        }
    }

    fn told_size(&self, size: &Size, name: &str, span: Span) -> Checked {
        if !self.size_open(size) {
            return Ok(());
        }
        let name = name.to_owned();
        Err(Box::new(RuleError::AmbiguousBinding { name }.at(span)))
    }

    fn too_early(&self, v: VarId, ty: &Type, what: &str, span: Span) -> Diagnostic {
        let (what, shown) = (what.to_owned(), self.show(ty));
        let d = RuleError::TooEarly { size: v.name, what, shown }.at(span);
        self.label_sources(d, &Size::Var(v))
    }

    fn ambiguous_size(&self, v: VarId, ty: &Type, what: &str, span: Span) -> Diagnostic {
        let mut show = self.shower();
        let (shown, size) = (show.type_text(ty), show.size_text(&Size::Var(v)));
        RuleError::AmbiguousSize { size, what: what.to_owned(), shown }.at(span)
    }
}

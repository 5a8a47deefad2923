//! Branches and loops.
//!
//! Branches of different sizes make a new size. A loop is a function applied again and again:
//! each size of its parameter is first unknown; what the body makes of it tells whether it stays
//! what it was at the start or varies. A size that only follows another one's initial value
//! varies if that one does.

use super::errors::ExpError;
use crate::check::exps::pattern::Marks;
use crate::check::infer::checker::{Checker, SizeSource};
use crate::check::infer::demand::{Demand, DemandReason};
use crate::check::infer::unknown::{Holder, is_meta};
use crate::check::mismatch::role::{Matched, Why, tail};
use crate::check::types::note::NoteKind;
use crate::check::types::sizes::witnessed;
use crate::check::types::subst::Subst;
use crate::syntax::ast::{self, Liftedness};
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use futc_typed::program::{Case, Exp, ExpKind, Loop, LoopForm, VarId};
use futc_typed::span::Span;
use futc_typed::types::{Size, Type};
use std::collections::HashSet;

/// What a loop's body makes of a size of the parameter.
enum Change {
    /// Something new.
    Fresh,
    /// The initial size.
    Same,
    /// The size that another one, of the same initial size, has now.
    Copies(VarId),
}

impl Checker<'_> {
    /// `if cond then a else b`
    pub(crate) fn if_exp(
        &mut self,
        cond: &ast::Exp,
        then: &ast::Exp,
        otherwise: &ast::Exp,
        hint: Option<&Type>,
        span: Span,
    ) -> Exp {
        let cond = Box::new(self.check_prim(cond, PrimType::Bool, &Why::Condition("if")));
        let (first, second) = (tail(then).span, tail(otherwise).span);
        let then = Box::new(self.exp_with(then, hint));
        let otherwise = Box::new(self.exp_with(otherwise, hint));
        let why = Why::Branch("if", first);
        let ty = self.join_branches(second, &then.ty, &otherwise.ty, &why);
        self.require(&ty, Demand::limit(Liftedness::SizeLifted, DemandReason::Branch, span), span);
        Exp { kind: ExpKind::If { cond, then, otherwise, sizes: Vec::new() }, ty, span }
    }

    fn join_branches(&mut self, span: Span, a: &Type, b: &Type, why: &Why<'_>) -> Type {
        self.unify_span = span;
        match self.join(a, b) {
            Some(ty) => ty,
            None if self.violated(span) => a.clone(),
            None => {
                let d = self.mismatch(span, a, b, why);
                self.report(d);
                a.clone()
            }
        }
    }

    /// `match e case p -> …`
    pub(crate) fn match_exp(
        &mut self,
        e: &ast::Exp,
        cases: &[ast::Case],
        hint: Option<&Type>,
        span: Span,
    ) -> Exp {
        let scrutinee = Box::new(self.exp(e));
        let first = cases.first().map_or(span, |c| tail(&c.body).span);
        let why = Why::Branch("match", first);
        let mut typed: Vec<Case> = Vec::with_capacity(cases.len());
        let mut ty: Option<Type> = None;
        for case in cases {
            self.distinct_names(&[], &case.pat);
            let mark = self.mark();
            let outer = std::mem::take(&mut self.bound);
            let pat = self.pattern(&case.pat, &scrutinee.ty, Matched::Scrutinee(e.span));
            let bound: HashSet<VarId> =
                std::mem::replace(&mut self.bound, outer).into_iter().collect();
            let body = self.exp_with(&case.body, hint);
            self.undo(mark);
            let case_ty = self.unscope(&body.ty, &|v| !bound.contains(&v));
            ty = Some(match ty {
                None => case_ty,
                Some(t) => self.join_branches(tail(&case.body).span, &t, &case_ty, &why),
            });
            typed.push(Case { pat, body });
        }
        let ty = ty.unwrap_or_else(|| self.metas.fresh_type());
        self.require(&ty, Demand::limit(Liftedness::SizeLifted, DemandReason::Branch, span), span);
        Exp { kind: ExpKind::Match { scrutinee, cases: typed, sizes: Vec::new() }, ty, span }
    }

    /// `loop p = init for … do body`
    pub(crate) fn loop_exp(&mut self, l: &ast::Loop, span: Span) -> Exp {
        let init = match &l.init {
            Some(e) => self.exp(e),
            None => match pattern_exp(&l.pat) {
                Some(e) => self.exp(&e),
                None => {
                    self.report(ExpError::NoInitialValue.at(l.pat.span));
                    self.wrong(l.pat.span)
                }
            },
        };
        // What the form mentions is evaluated outside of the parameter's scope, but for `while`.
        let outer_form = match &l.form {
            ast::LoopForm::For(i, bound) => {
                let t = self.fresh_prims(PrimType::is_int);
                let bound = self.check(bound, &t, &Why::Bound(None));
                OuterForm::For(*i, bound)
            }
            ast::LoopForm::ForIn(p, array) => {
                let array = self.exp(array);
                let elem = match self.expect_array(&array.ty, array.span, "gone through by a loop")
                {
                    Some((_, elem)) => elem,
                    None => self.metas.fresh_type(),
                };
                OuterForm::ForIn(p, array, elem)
            }
            ast::LoopForm::While(cond) => OuterForm::While(cond),
        };
        let whole = Demand::limit(Liftedness::SizeLifted, DemandReason::Loop, l.pat.span);
        self.require(&init.ty, whole, init.span);
        self.distinct_names(&l.sizes, &l.pat);
        if let ast::LoopForm::ForIn(p, _) = &l.form {
            self.distinct_names(&[], p);
        }
        let mut initial: Vec<(VarId, Size)> = Vec::new();
        let loop_ty = self.freshen_noting(&init.ty, &mut |v, s| initial.push((v, s)));
        let mark = self.mark();
        let start = self.cx.fresh_var(Name::new("loop")).tag;
        let mut variant: Vec<VarId> = Vec::new();
        for size in &l.sizes {
            variant.push(self.bind_size_name(*size));
        }
        // The sizes of the parameter may be among the variables of its pattern, and nothing later.
        for (v, _) in &initial {
            self.metas.set_birth(*v, u32::MAX);
            self.metas.held_by(*v, Holder::Loop);
        }
        let mut marks = Marks::default();
        let start_at = l.init.as_ref().map_or(l.pat.span, |e| tail(e).span);
        let matched = Matched::Loop(start_at);
        let pat = self.pattern_marked(&l.pat, &loop_ty, matched, &mut marks);
        let clock = self.metas.clock.max(start);
        for (v, _) in &initial {
            self.metas.set_birth(*v, clock);
            if let Size::Var(w) = self.metas.size_head(&Size::Var(*v))
                && is_meta(w)
            {
                self.metas.set_birth(w, clock);
            }
        }
        for (v, size) in variant.iter().zip(&l.sizes) {
            if !witnessed(&self.metas.zonk(&pat.ty), *v) {
                self.unused_size(*size, "pattern");
            }
        }
        let form = match outer_form {
            OuterForm::For(i, bound) => {
                self.note(i.span, NoteKind::Variable, &bound.ty);
                LoopForm::For(self.bind_var(i, &bound.ty), bound)
            }
            OuterForm::ForIn(p, array, elem) => {
                let matched = Matched::Elements(array.span);
                LoopForm::ForIn(self.pattern(p, &elem, matched), array)
            }
            OuterForm::While(cond) => {
                let why = Why::Condition("while");
                LoopForm::While(self.check_prim(cond, PrimType::Bool, &why))
            }
        };
        let body = self.exp(&l.body);
        self.undo(mark);

        // The types agree but for sizes.
        let (fresh_pat, fresh_body) = (self.freshen(&pat.ty, false), self.freshen(&body.ty, false));
        let body_at = tail(&l.body).span;
        self.expect(body_at, &fresh_pat, &fresh_body, &Why::LoopBody(l.pat.span));
        self.classify(&pat.ty, &body.ty, &initial, &mut variant, (start, clock), l.pat.span);

        // The body's result is a parameter of the next iteration, and so is the initial value.
        let body_why = Why::LoopBody(l.pat.span);
        let start_why = Why::LoopStart(l.pat.span);
        for (src, ty, why) in [(body_at, &body.ty, body_why), (start_at, &init.ty, start_why)] {
            let mut open = Subst::default();
            for v in &variant {
                open.sizes.insert(*v, self.metas.fresh_size());
            }
            let expected = open.ty(&self.metas.zonk(&pat.ty));
            self.expect(src, &expected, ty, &why);
        }
        let mut result = Subst::default();
        for v in &variant {
            let new = self.new_size(v.name, span, SizeSource::Loop);
            result.sizes.insert(*v, Size::Var(new));
        }
        let ty = result.ty(&self.metas.zonk(&pat.ty));
        let ty = self.unscope(&ty, &|v| v.tag < start || result_var(&result, v));
        let kind = ExpKind::Loop(Box::new(Loop {
            sizes: variant,
            pat,
            consumes: marks.consumes,
            annotated: marks.annotated,
            init,
            form,
            body,
            result_sizes: Vec::new(),
        }));
        Exp { kind, ty, span }
    }

    /// Finds which of the sizes in `initial`, unknown so far, vary; these get names of their own,
    /// which are added to `variant`. The others become what they are at the start.
    fn classify(
        &mut self,
        pat: &Type,
        body: &Type,
        initial: &[(VarId, Size)],
        variant: &mut Vec<VarId>,
        (start, clock): (u32, u32),
        span: Span,
    ) {
        let mut pairs = Vec::new();
        self.size_pairs(pat, body, &mut pairs);
        // An annotation may have put another unknown in place of the one made here.
        let initial: Vec<(VarId, Size)> = initial
            .iter()
            .map(|(v, s)| match self.metas.size_head(&Size::Var(*v)) {
                Size::Var(w) if is_meta(w) => (w, s.clone()),
                _ => (*v, s.clone()),
            })
            .collect();
        let initial_of = |v: VarId| initial.iter().find(|(w, _)| *w == v).map(|(_, s)| s.clone());
        let mut changes: Vec<(VarId, Change)> = Vec::new();
        for (p, b) in pairs {
            let (p, b) = (self.metas.zonk_size(&p), self.metas.zonk_size(&b));
            let Size::Var(v) = p else { continue };
            let Some(first) = initial_of(v) else { continue };
            if b == p {
                continue;
            }
            let change = if self.same_size(&b, &first) {
                Change::Same
            } else {
                match &b {
                    Size::Var(u) if initial_of(*u).is_some_and(|s| self.same_size(&s, &first)) => {
                        Change::Copies(*u)
                    }
                    // What is not known yet may still turn out to be the same.
                    Size::Var(u)
                        if is_meta(*u)
                            && initial_of(*u).is_none()
                            && self.metas.set_size(*u, first.clone()) =>
                    {
                        Change::Same
                    }
                    _ => Change::Fresh,
                }
            };
            changes.push((v, change));
        }
        let mut varies: HashSet<VarId> =
            changes.iter().filter(|(_, c)| matches!(c, Change::Fresh)).map(|(v, _)| *v).collect();
        loop {
            let before = varies.len();
            for (v, c) in &changes {
                if let Change::Copies(u) = c
                    && varies.contains(u)
                {
                    varies.insert(*v);
                }
            }
            if varies.len() == before {
                break;
            }
        }
        for (v, first) in &initial {
            if varies.contains(v) {
                let name = match first {
                    Size::Var(w) if !is_meta(*w) => w.name,
                    _ => Name::new("k"),
                };
                let new = self.cx.fresh_var(name);
                if self.metas.size_birth(*v) < start {
                    // Something from outside of the loop has a size made of this one.
                    self.loop_variant_escape(new, span);
                }
                self.metas.set_size(*v, Size::Var(new));
                variant.push(new);
            }
        }
        for (v, first) in &initial {
            // Those bound by now were told by the pattern or by uses in the body. What the body
            // alone knows cannot be the size of what comes in.
            if self.metas.size_head(&Size::Var(*v)) == Size::Var(*v) {
                self.metas.set_size(*v, first.clone());
            } else if let Size::Var(w) = self.metas.size_head(&Size::Var(*v))
                && !is_meta(w)
                && w.tag >= start
                && !variant.contains(&w)
                && !self.let_sizes.contains_key(&w)
            {
                if w.tag > clock {
                    self.size_from_loop_body(w, span);
                }
                variant.push(w);
            }
        }
    }
}

/// A loop's form with what is evaluated before the loop begins.
enum OuterForm<'e> {
    For(ast::Ident, Exp),
    ForIn(&'e ast::Pat, Exp, Type),
    While(&'e ast::Exp),
}

fn result_var(result: &Subst, v: VarId) -> bool {
    result.sizes.values().any(|s| *s == Size::Var(v))
}

/// The expression that a pattern of names looks like.
fn pattern_exp(pat: &ast::Pat) -> Option<ast::Exp> {
    let span = pat.span;
    let variable = |name: ast::Ident| ast::QualName { quals: Vec::new(), name, span: name.span };
    let kind = match &pat.kind {
        ast::PatKind::Var(name) => ast::ExpKind::Var(variable(*name)),
        ast::PatKind::Parens(p) => return pattern_exp(p),
        ast::PatKind::Attr(_, p) => return pattern_exp(p),
        ast::PatKind::Ascript(p, _) => return pattern_exp(p),
        ast::PatKind::Tuple(ps) => {
            ast::ExpKind::Tuple(ps.iter().map(pattern_exp).collect::<Option<_>>()?)
        }
        ast::PatKind::Record(fields) => ast::ExpKind::Record(
            fields
                .iter()
                .map(|(n, p)| match p {
                    None => Some(ast::RecordField::Implicit(variable(*n))),
                    Some(p) => Some(ast::RecordField::Explicit(*n, pattern_exp(p)?)),
                })
                .collect::<Option<_>>()?,
        ),
        ast::PatKind::Wild
        | ast::PatKind::Lit(_)
        | ast::PatKind::Constr(..)
        | ast::PatKind::Error => return None,
    };
    Some(ast::Exp { kind, span })
}

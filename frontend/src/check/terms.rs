//! Inference for expressions: Hindley–Milner with sizes.
//!
//! Before: an [`ast::Exp`] or [`ast::ValBind`] and the names in scope; after: typed expressions,
//! whose types still hold metavariables until `finish` has put in what was found out. One walk:
//! arguments that are functions written in place are looked at after the other arguments, so that
//! the types and sizes of their parameters are known by then.
//!
//! What each file does: `metas` unknowns, `unify` equations, `size` sizes as terms, `scope` names,
//! `blame` what types differ in, `why` why they must not, `size_rules` and `causality` what else
//! sizes obey, `apply` applications, `pattern` patterns, `function` functions and generalisation,
//! `control` branches and loops, `index` arrays, `finish` the final types and where sizes are
//! bound, `extent` the limit of what a value may consist of.

use super::automap;
use super::blame::{Blame, SizeSource};
use super::choice::Choice;
use super::demand::{Demand, Place, Violation};
use super::env::{Conduct, Elab, Env, Scheme, ValueBinding};
use super::metas::{Constraint, Metas, PrimSet};
use super::scope::Local;
use super::show::Show;
use super::subst::{Subst, size_vars_of_type};
use super::typeexp::witnessed;
use super::why::{Matched, Why, tail};
use crate::diag::{Diagnostic, Severity};
use crate::index::NoteKind;
use crate::syntax::ast::{self, Liftedness};
use futc_typed::diet::Diet;
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use futc_typed::program::{Attr, DefId, Exp, ExpKind, FunDef, Inst, VarId};
use futc_typed::span::Span;
use futc_typed::types::{Arrow, Size, Type, field_order};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A checked definition: its type, what is left of it, whether it calls itself, and what else is
/// known of it.
pub type Checked = (Arc<Scheme>, FunDef, bool, Arc<Conduct>);

/// Checks a top-level definition.
pub fn check_val_bind(
    cx: &mut Elab,
    env: &Env,
    path: &str,
    id: DefId,
    vb: &ast::ValBind,
    attrs: &[ast::Attr],
    span: Span,
) -> Option<Checked> {
    // Neither the path nor attributes bear on types.
    let _ = (path, attrs, span);
    let name = vb.name.name;
    let known = env.values.contains_key(&name) || env.modules.contains_key(&name);
    if !known || vb.params.is_empty() {
        return check_meaning(cx, env, id, vb, OwnName::Itself);
    }
    let (mark, edits) = (cx.mark(), cx.elaborations.len());
    let notes = cx.notes.as_ref().map_or(0, Vec::len);
    let forget = |cx: &mut Elab| {
        cx.back_to(mark);
        cx.elaborations.truncate(edits);
        cx.notes.iter_mut().for_each(|all| all.truncate(notes));
    };
    let result = check_meaning(cx, env, id, vb, OwnName::Earlier);
    if result.is_some() {
        return result;
    }
    forget(cx);
    let result = check_meaning(cx, env, id, vb, OwnName::Itself);
    if result.as_ref().is_some_and(|(_, _, recursive, _)| *recursive) {
        return result;
    }
    // Its types may be right, and nothing but how it calls itself wrong.
    let said = cx.diagnostics.iter().skip(mark.0).filter(|d| d.severity == Severity::Error);
    let codes: Vec<&str> = said.map(|d| d.code).collect();
    if !codes.is_empty() && codes.iter().all(|code| code.starts_with("recursion-")) {
        return result;
    }
    forget(cx);
    check_meaning(cx, env, id, vb, OwnName::Earlier)
}

/// What the name of a definition means in its own body. See Note [Own names].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OwnName {
    /// What it meant before.
    Earlier,
    /// The definition.
    Itself,
}

// Note [Own names]
//
// The guide has no recursion: a definition mentions what stands before it, so that
//
//     def (<=) (a: pair) (b: pair) = a.0 < b.0 || (a.0 == b.0 && a.1 <= b.1)
//     def map f m = map (\(k, v) -> (k, f v)) m
//     def f64 (x: f64) = {raw = i64.f64 (x f64.* 65536)}
//
// define an operator, a function and a conversion out of those of the same name, as libraries do.
// Today's reference lets a function call itself. So a name that means something already keeps that
// meaning in the definition that hides it; the definition calls itself if the name is new, or if
// only so its types are right.

/// Checks a definition, with maps and reps inserted if it needs them.
fn check_meaning(
    cx: &mut Elab,
    env: &Env,
    id: DefId,
    vb: &ast::ValBind,
    own: OwnName,
) -> Option<Checked> {
    let mark = cx.mark();
    let automap = cx.prelude_env.is_some();
    let (result, stopped) = check_once(cx, env, id, vb, own, automap);
    if !stopped {
        return result;
    }
    cx.back_to(mark);
    let as_written = vb;
    let outcome = automap::elaborate(cx, env, vb, own);
    cx.back_to(mark);
    match outcome {
        automap::Outcome::Nothing => check_once(cx, env, id, vb, own, false).0,
        automap::Outcome::Elaborated { as_is, named } => {
            let notes = cx.notes.as_ref().map_or(0, Vec::len);
            let forget = |cx: &mut Elab| {
                cx.back_to(mark);
                cx.notes.iter_mut().for_each(|all| all.truncate(notes));
            };
            let automap::Elaborated { mut vb, mut edits } = as_is;
            let mut result = check_once(cx, env, id, &vb, own, false).0;
            let untimely =
                |cx: &Elab| cx.diagnostics.iter().skip(mark.0).any(|d| d.code == "causality-check");
            if untimely(cx)
                && let Some(named) = named
            {
                // What is repeated as often as an array is long waits until that is known.
                forget(cx);
                result = check_once(cx, env, id, &named.vb, own, false).0;
                if result.is_some() {
                    automap::Elaborated { vb, edits } = named;
                } else {
                    forget(cx);
                    result = check_once(cx, env, id, &vb, own, false).0;
                }
            }
            if result.as_ref().is_some_and(|(scheme, fun, ..)| repeats_at_will(&vb, scheme, fun)) {
                cx.back_to(mark);
                return check_once(cx, env, id, as_written, own, false).0;
            }
            automap::explain(cx, mark.0, &edits);
            cx.elaborations.extend(edits);
            result
        }
        automap::Outcome::Refused(diagnostic) => {
            if cx.notes.is_some() {
                // An editor wants to know what is known all the same.
                check_once(cx, env, id, vb, own, false);
                cx.back_to(mark);
            }
            cx.report(diagnostic);
            None
        }
    }
}

/// Whether a definition with inserted reps repeats something as often as its caller likes: then it
/// is not what was meant. `vb` is the definition with the reps.
fn repeats_at_will(vb: &ast::ValBind, scheme: &Scheme, fun: &FunDef) -> bool {
    let mut told = Vec::new();
    fun.params.iter().for_each(|p| size_vars_of_type(&p.pat.ty, &mut |v| told.push(v)));
    let written = |v: &VarId| {
        vb.type_params.iter().any(|p| matches!(p, ast::TypeParam::Size(n) if n.name == v.name))
    };
    scheme.size_params.iter().any(|v| !told.contains(v) && !written(v))
}

/// Checks a definition as it stands. If `stop`, an error that may be due to ranks ends it, and the
/// second result is true.
fn check_once(
    cx: &mut Elab,
    env: &Env,
    id: DefId,
    vb: &ast::ValBind,
    own: OwnName,
    stop: bool,
) -> (Option<Checked>, bool) {
    let mut checker = Checker::new(cx, env);
    checker.stop = stop;
    let result = checker.top_level(id, vb, own);
    let stopped = checker.stopped;
    if !stopped {
        checker.write_notes();
    }
    checker.give_back(cx);
    (result, stopped)
}

/// Reads a size in a type outside of every term. `locals` are size parameters and parameters'
/// names, innermost last.
pub fn check_size(
    cx: &mut Elab,
    env: &Env,
    locals: &[(Name, VarId, Type)],
    exp: &ast::Exp,
) -> Option<Size> {
    let mut checker = Checker::new(cx, env);
    for (name, var, ty) in locals {
        checker.push_local(*name, Local::Mono(*var, ty.clone()));
    }
    let size = checker.size_of_ast(exp);
    let size = size.map(|s| checker.finish_size(&s)).filter(|_| !checker.failed);
    checker.give_back(cx);
    size
}

/// The state of checking one definition.
pub(super) struct Checker<'a> {
    pub(super) cx: Elab,
    pub(super) env: &'a Env,
    /// Environments with modules opened locally, innermost last.
    pub(super) opened: Vec<Arc<Env>>,
    pub(super) metas: Metas,
    pub(super) locals: HashMap<Name, Vec<Local>>,
    /// Names pushed to `locals`, in order.
    pub(super) trail: Vec<Name>,
    pub(super) local_types: Vec<(Name, Liftedness, VarId)>,
    /// Variables bound to what is itself a size.
    pub(super) let_sizes: HashMap<VarId, Size>,
    /// Literals, whose values await their types.
    pub(super) literals: Vec<(ast::Literal, Span)>,
    /// Size equations to look at again in the end.
    pub(super) deferred: Vec<(Size, Size, Span)>,
    /// Sum types that are the same but for sizes.
    pub(super) choices: Vec<Choice>,
    /// Sizes that stood under the binder of an arrow before it was unified with another type.
    pub(super) unnamed: HashSet<VarId>,
    /// What types differed in when the last unification failed, if something is known of it.
    pub(super) blame: Option<Blame>,
    /// Where sizes came into being.
    pub(super) size_sources: HashMap<VarId, (Span, SizeSource)>,
    /// Such sizes that an application of the function made.
    pub(super) made_by_arguments: HashSet<VarId>,
    /// Sizes that differ are no failure of unification.
    pub(super) sizes_may_differ: bool,
    /// Where the current equation comes from.
    pub(super) unify_span: Span,
    /// What has been made equal by it.
    pub(super) equal: super::unify::Equal,
    /// How many sizes have been given names because they were lost.
    pub(super) made_sizes: usize,
    /// Variables of which an error has kept the type from being known: they may be used in any way.
    pub(super) unknown: HashSet<VarId>,
    /// Variables bound by patterns since someone began to collect them.
    pub(super) bound: Vec<VarId>,
    /// What is known of the definitions used, beyond their types.
    pub(super) conducts: HashMap<DefId, Arc<Conduct>>,
    /// Types ascribed to expressions: the expression's own, and what is written.
    pub(super) ascribed: Vec<(Type, Type, Span)>,
    /// An error was reported.
    pub(super) failed: bool,
    /// An error that may be due to ranks ends the check.
    pub(super) stop: bool,
    /// It did.
    pub(super) stopped: bool,
    /// The definition itself, while it is checked.
    pub(super) own_id: Option<DefId>,
    pub(super) recursive: bool,
    /// What type parameters in scope may hold.
    pub(super) rigid: HashMap<VarId, Liftedness>,
    /// A type was found too large.
    pub(super) too_large: bool,
    /// Why the last unification failed, if not because two types differ.
    pub(super) violation: Option<Violation>,
    /// Demands on types are not looked at.
    pub(super) demands_ignored: bool,
    /// Types at places, if they are to be noted.
    pub(super) noted: Option<Vec<super::note::Noted>>,
}

/// `a -> b`
pub(super) fn arrow(param: Type, ret: Type) -> Type {
    Type::Arrow(Arc::new(Arrow {
        name: None,
        param,
        consumes: Diet::Observe,
        ret_sizes: Vec::new(),
        ret,
        unique_ret: Diet::Observe,
    }))
}

fn literal_attr() -> Name {
    Name::new("$literal")
}

/// The number of the literal that `e` is a placeholder for.
pub(super) fn literal_index(e: &Exp) -> Option<usize> {
    match &e.kind {
        ExpKind::Attr(Attr::Comp(name, args), _) if *name == literal_attr() => match args[..] {
            [Attr::Int(i)] => usize::try_from(i).ok(),
            _ => None,
        },
        _ => None,
    }
}

impl<'a> Checker<'a> {
    fn new(cx: &mut Elab, env: &'a Env) -> Checker<'a> {
        let file = cx.file;
        // The body of a parametric module is noted where it is checked by itself.
        let noted = (cx.notes.is_some() && !cx.applying).then(Vec::new);
        Checker {
            cx: std::mem::replace(cx, Elab::new(file)),
            env,
            opened: Vec::new(),
            metas: Metas::new(file),
            locals: HashMap::new(),
            trail: Vec::new(),
            local_types: Vec::new(),
            let_sizes: HashMap::new(),
            literals: Vec::new(),
            deferred: Vec::new(),
            choices: Vec::new(),
            unnamed: HashSet::new(),
            blame: None,
            size_sources: HashMap::new(),
            made_by_arguments: HashSet::new(),
            sizes_may_differ: false,
            unify_span: Span::new(file, 0, 0),
            equal: super::unify::Equal::default(),
            made_sizes: 0,
            unknown: HashSet::new(),
            bound: Vec::new(),
            conducts: HashMap::new(),
            ascribed: Vec::new(),
            failed: false,
            stop: false,
            stopped: false,
            own_id: None,
            recursive: false,
            rigid: HashMap::new(),
            too_large: false,
            violation: None,
            demands_ignored: false,
            noted,
        }
    }

    fn give_back(self, cx: &mut Elab) {
        *cx = self.cx;
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.failed = true;
        self.stopped |= self.stop && automap::may_be_rank_error(diagnostic.code);
        self.cx.report(diagnostic);
    }

    pub(super) fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    /// The type for people to read.
    pub(super) fn show(&self, ty: &Type) -> String {
        self.shower().type_text(&self.metas.zonk(ty))
    }

    /// Two types for people to compare: different variables of one name look different.
    pub(super) fn show_both(&self, a: &Type, b: &Type) -> (String, String) {
        let mut show = self.shower();
        (show.type_text(&self.metas.zonk(a)), show.type_text(&self.metas.zonk(b)))
    }

    pub(super) fn shower(&self) -> Show<'_> {
        Show::default().with_unknowns(&self.metas, &self.literals).with_env(self.env)
    }

    /// What stands for an expression that is wrong; it fits everywhere.
    pub(super) fn wrong(&mut self, span: Span) -> Exp {
        self.failed = true;
        Exp { kind: ExpKind::Hole, ty: self.metas.fresh_type(), span }
    }

    pub(super) fn literal(&mut self, literal: &ast::Literal, span: Span) -> Exp {
        let ty = self.literal_type(literal);
        let index = self.literals.len() as i64;
        self.literals.push((literal.clone(), span));
        let attr = Attr::Comp(literal_attr(), vec![Attr::Int(index)]);
        let hole = Exp { kind: ExpKind::Hole, ty: ty.clone(), span };
        Exp { kind: ExpKind::Attr(attr, Box::new(hole)), ty, span }
    }

    /// The type of a literal, as far as it says.
    pub(super) fn literal_type(&mut self, literal: &ast::Literal) -> Type {
        match literal {
            ast::Literal::Int { suffix: Some(p), .. }
            | ast::Literal::Float { suffix: Some(p), .. } => Type::Prim(*p),
            ast::Literal::Int { .. } => self.fresh_prims(|t| t.is_int() || t.is_float()),
            ast::Literal::Char(_) => self.fresh_prims(|t| t.is_int() || t.is_float()),
            ast::Literal::Float { .. } => self.fresh_prims(PrimType::is_float),
            ast::Literal::Bool(_) => Type::Prim(PrimType::Bool),
        }
    }

    /// One of the primitive types admitted by `f`.
    pub(super) fn fresh_prims(&mut self, f: impl Fn(PrimType) -> bool) -> Type {
        self.metas.fresh(Constraint::Prims(PrimSet::of(f)))
    }

    /// Infers the type of an expression.
    pub(super) fn exp(&mut self, e: &ast::Exp) -> Exp {
        self.exp_with(e, None)
    }

    /// Infers, with a type to go by that is only a hint.
    pub(super) fn exp_with(&mut self, e: &ast::Exp, hint: Option<&Type>) -> Exp {
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
                let text: Arc<str> = Arc::from(super::show_ast::exp(cond).as_str());
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
    pub(super) fn record(&mut self, fields: Vec<(Name, Exp)>, span: Span) -> Exp {
        let mut types: Vec<(Name, Type)> = fields.iter().map(|(n, e)| (*n, e.ty.clone())).collect();
        types.sort_by(|a, b| field_order(a.0, b.0));
        if let Some(w) = types.windows(2).find(|w| matches!(w, [a, b] if a.0 == b.0))
            && let Some((name, _)) = w.first()
        {
            let message = format!("the field {name} is defined twice");
            self.error("duplicate-field", span, message);
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
                let element = Demand::limit(Liftedness::Unlifted, Place::Element, e.span);
                self.require(&x.ty, element, e.span);
                elem = Some(x.ty.clone());
            }
            typed.push(x);
        }
        let elem = elem.unwrap_or_else(|| self.fresh_element(span));
        Exp { kind: ExpKind::ArrayLit(typed), ty: elem.array(n), span }
    }

    /// `e.field`
    pub(super) fn project(&mut self, e: Exp, field: ast::Ident, span: Span) -> Exp {
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
                let message = format!("there is no field {name} in type {}", self.show(&e.ty));
                self.error("unknown-field", field.span, message);
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
        if let Some(v) = super::pattern::simple_var(&typed_pat)
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
    pub(super) fn use_binding(&mut self, binding: &ValueBinding, span: Span) -> Exp {
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
    pub(super) fn operand_type(&mut self, over: futc_typed::intrinsics::Over) -> Type {
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
    pub(super) fn fresh_element(&mut self, span: Span) -> Type {
        let ty = self.metas.fresh_type();
        self.demand(&ty, Demand::limit(Liftedness::Unlifted, Place::Element, span));
        ty
    }

    /// A fresh instance of a polymorphic type.
    pub(super) fn instantiate(&mut self, scheme: &Scheme) -> (Type, Inst) {
        let mut subst = Subst::default();
        let mut inst = Inst::default();
        for (liftedness, v) in &scheme.type_params {
            let t = self.metas.fresh_type();
            let demand = Demand::limit(*liftedness, Place::Param(v.name), self.metas.here);
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

/// An attribute without its positions.
pub fn attribute(attr: &ast::Attr) -> Attr {
    match attr {
        ast::Attr::Name(n) => Attr::Name(n.name),
        ast::Attr::Int(i, _) => Attr::Int(*i),
        ast::Attr::Comp(n, args, _) => Attr::Comp(n.name, args.iter().map(attribute).collect()),
    }
}

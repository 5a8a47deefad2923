//! Equations of what is expected and what is found, and what is said if they fail.
//!
//! The message names both sides, as in "the 2nd argument of f should have type i32, but has type bool", and
//! labels say where the expectation comes from: the definition of `f`, another argument that has settled a
//! type parameter, a type as written, the other branch. Unification notes what it failed on ([`Blame`]).

use crate::check::infer::checker::{Blame, Checker, Local};
use crate::check::infer::unknown::{Binder, Constraint, PrimSet, is_meta};
use crate::check::mismatch::errors::{Advice, MismatchError, Sides};
use crate::check::mismatch::role::{
    Application, Knowledge, Matched, Shown, Why, instance, is_inserted, ordinal, path,
};
use crate::check::types::env::{Scheme, ValueBinding};
use crate::check::types::subst::size_vars_of_type;
use crate::diag::{Code, Diagnostic};
use crate::syntax::ast;
use crate::syntax::ast::ExpKind as K;
use futc_typed::prim::PrimType;
use futc_typed::program::{Inst, VarId};
use futc_typed::span::Span;
use futc_typed::types::{Size, Type, TypeArg};

/// Types whose texts are longer together are not told in one sentence.
const LONG: usize = 110;

/// Of types whose texts are longer together it is said in which part they differ.
const SHORT: usize = 40;

impl Checker<'_> {
    /// Unifies, or reports that something of type `actual` is where `expected` must be.
    pub(crate) fn expect(
        &mut self,
        span: Span,
        expected: &Type,
        actual: &Type,
        why: &Why<'_>,
    ) -> bool {
        self.unify_span = span;
        if self.try_unify(expected, actual) {
            return true;
        }
        if self.violated(span) {
            self.count_parameters(expected, actual, why);
            self.unify_regardless(expected, actual);
            return false;
        }
        let d = self.mismatch(span, expected, actual, why);
        self.report(d);
        false
    }

    /// Says of a function given to another one, about which there is a message, that it takes more
    /// arguments than it is given.
    fn count_parameters(&mut self, expected: &Type, actual: &Type, why: &Why<'_>) {
        let Why::Argument(app, _) = why else { return };
        let Some(name) = app.head.name else { return };
        let count = |ty: &Type| parameters(&self.metas.zonk(ty)).len();
        let (given, takes) = (count(expected), count(actual));
        if given == 0 || takes <= given {
            return;
        }
        let name = path(name);
        let wider = match (name.as_str(), takes) {
            ("map", 2..=5) => format!("; map{takes} takes as many arrays"),
            _ => String::new(),
        };
        let arguments =
            if given == 1 { "1 argument".to_owned() } else { format!("{given} arguments") };
        if let Some(d) = self.cx.diagnostics.last_mut() {
            d.hints.insert(
                0,
                format!(
                    "{name} applies the function to {arguments}, and this one takes {takes}{wider}"
                ),
            );
        }
    }

    /// Says where the variable is bound that the last message is about, if `e` is one.
    pub(crate) fn label_variable(&mut self, e: &ast::Exp) {
        let K::Var(name) = &e.kind else { return };
        if !name.quals.is_empty() {
            return;
        }
        let Some(Local::Mono(v, _)) = self.local(name.name.name) else { return };
        let Some(Binder::Name(at)) = self.metas.binder(*v) else { return };
        if let Some(d) = self.cx.diagnostics.last_mut()
            && d.labels.first().is_some_and(|(span, _)| *span == e.span)
            && d.labels.iter().all(|(span, _)| *span != at)
        {
            d.labels.push((at, format!("{} is bound here", name.name.name)));
        }
    }

    /// Says of the parameters of a function written in place why they must be of other types:
    /// because of what it is an argument of. `from` is the first message that may be about them.
    pub(crate) fn explain_parameters(
        &mut self,
        from: usize,
        e: &ast::Exp,
        a: &Application<'_>,
        position: usize,
    ) {
        let params = match &e.kind {
            K::Parens(e) | K::Attr(_, e) => return self.explain_parameters(from, e, a, position),
            K::Lambda { params, .. } => params,
            _ => return,
        };
        for i in from..self.cx.diagnostics.len() {
            let Some(d) = self.cx.diagnostics.get(i) else { continue };
            let Some(at) = d.labels.first().map(|(span, _)| *span) else { continue };
            let about = |p: &ast::Pat| {
                p.span.file == at.file && p.span.start <= at.start && at.end <= p.span.end
            };
            if d.code == Code::TypeMismatch && params.iter().any(about) {
                let d = self.function_reasons(d.clone(), a, position);
                if let Some(slot) = self.cx.diagnostics.get_mut(i) {
                    *slot = d;
                }
            }
        }
    }

    /// What to say when something of type `actual` is where `expected` must be.
    pub(crate) fn mismatch(
        &mut self,
        span: Span,
        expected: &Type,
        actual: &Type,
        why: &Why<'_>,
    ) -> Diagnostic {
        let blame = self.blame.take();
        if self.stop && matches!(blame, None | Some(Blame::Shapes)) {
            // It ends this look at the definition, and is said after another if it holds there.
            return MismatchError::Unsaid.at(span);
        }
        let (e, a) = self.show_both(expected, actual);
        let among = |ty: &Type| match self.metas.constraint(self.metas.as_meta(ty)?) {
            Constraint::Prims(set) => Some(set.describe()),
            Constraint::Any | Constraint::Record(_) | Constraint::Sum(_) => None,
        };
        let (e_among, a_among) = (among(expected), among(actual));
        let (e, a) = (Shown { text: e, among: e_among }, Shown { text: a, among: a_among });
        let together = e.text.len() + a.text.len();
        let long = together > LONG;
        // Of elements of short types it is plain to see.
        let difference = self
            .difference(expected, actual)
            .filter(|d| together > SHORT || !d.starts_with("they differ at the elements:"));
        let plain = match &difference {
            Some(difference) if long => {
                format!("{} has the wrong type: {difference}", why.subject())
            }
            _ => why.sentence(&e, &a),
        };
        let d = match blame {
            None | Some(Blame::Shapes) => {
                let advice = match why {
                    Why::Pattern(Matched::Bound(at)) => self.advice(*at, actual, expected),
                    Why::Pattern(_) => None,
                    _ => self.advice(span, expected, actual),
                };
                let difference = difference.filter(|_| !long);
                MismatchError::Types { plain, difference, advice }.at(span)
            }
            Some(Blame::Sizes(x, y)) => {
                let coerced = match why {
                    Why::Pattern(Matched::Parameter | Matched::Elements(_)) => None,
                    Why::Pattern(_) => Some(actual),
                    _ => Some(expected),
                };
                self.sizes_mismatch(span, plain, expected, actual, coerced, (&x, &y))
            }
            Some(Blame::Scope(v)) => self.scope_violation(span, v, &plain),
            Some(Blame::Anonymous(v, ty)) => self.anonymous_size(span, v, &ty, &plain),
        };
        let pattern = matches!(why, Why::Pattern(_));
        let sides = match long {
            true => Sides::Apart { expected: e.text.clone(), found: a.text, pattern },
            false => Sides::Found { noun: a.noun(), pattern },
        };
        self.reasons(sides.told(d), &e, why)
    }

    /// Says where the expected type, `e`, comes from.
    fn reasons(&self, d: Diagnostic, e: &Shown, why: &Why<'_>) -> Diagnostic {
        let has = |d: Diagnostic, span: Span, what: &str| {
            let text = match e.text.len() > LONG {
                true => what.to_owned(),
                false => format!("{what} has {}", e.noun()),
            };
            d.label(span, text)
        };
        match why {
            Why::Argument(a, position) => self.function_reasons(d, a, *position),
            Why::Operand(_, _, Some((span, ty))) => {
                let ty = self.show(ty);
                d.label(*span, format!("this has type {ty}"))
            }
            Why::Result(_, Some(span)) => d.label(*span, "the type of the result is written here"),
            Why::Ascription(span) => d.label(*span, "the type that it should have"),
            Why::Element(first) => has(d, *first, "the first element"),
            Why::Bound(Some(first)) => has(d, *first, "the first bound"),
            Why::LoopBody(pat) | Why::LoopStart(pat) => has(d, *pat, "the loop parameter"),
            Why::Branch(_, first) => has(d, *first, "the first branch"),
            Why::Pattern(matched) => match matched {
                Matched::Parameter => d,
                Matched::Bound(at) | Matched::Scrutinee(at) | Matched::Loop(at) => {
                    has(d, *at, "this")
                }
                Matched::Elements(at) => d.label(*at, "the array is this"),
            },
            Why::Operand(_, _, None)
            | Why::Result(_, None)
            | Why::Condition(_)
            | Why::Index
            | Why::Bound(None)
            | Why::Update
            | Why::Recursion
            | Why::Size
            | Why::Part => d,
        }
    }

    /// Says where the function is defined, what type it has, and which other arguments have
    /// settled the parameters of its type.
    fn function_reasons(
        &self,
        mut d: Diagnostic,
        a: &Application<'_>,
        position: usize,
    ) -> Diagnostic {
        let Some(name) = a.head.name else { return d };
        let shown = path(name);
        let (scheme, at) = match self.meaning(name) {
            Some(Meaning::Known(scheme, at)) => (scheme, at),
            Some(Meaning::Variable(ty, at)) => {
                let ty = self.show(&ty);
                return match at {
                    Some(at) => d.label(at, format!("{shown} is bound here, with type {ty}")),
                    None => d.hint(format!("{shown} has type {ty}")),
                };
            }
            None => return d,
        };
        let params = parameters(&scheme.ty);
        if let (Some(param), Some(inst)) = (params.get(position), instance(&a.fun)) {
            for (text, from) in self.settled_by(&scheme, inst, param, a) {
                d = d.label(from, text);
            }
        }
        if is_inserted(name) {
            return d;
        }
        let mut show = self.shower();
        let whole = show.scheme(&scheme);
        match at {
            Some(at) => {
                let text = match params.get(position) {
                    Some(param) if whole.len() > LONG => {
                        let param = show.type_text(param);
                        format!(
                            "{shown} is defined here; its {} parameter has type {param}",
                            ordinal(position)
                        )
                    }
                    _ => format!("{shown} {whole}"),
                };
                d.label(at, text)
            }
            None => d.hint(format!("the type is {shown} {whole}")),
        }
    }

    /// Says where the function is defined, unless that is the prelude.
    pub(crate) fn defined_at(&self, d: Diagnostic, a: &Application<'_>) -> Diagnostic {
        let Some(name) = a.head.name else { return d };
        match self.meaning(name) {
            Some(Meaning::Known(_, Some(at)) | Meaning::Variable(_, Some(at))) => {
                d.label(at, format!("{} is defined here", path(name)))
            }
            _ => d,
        }
    }

    /// Notes what the argument at `span` has made known of the function's type.
    pub(crate) fn settle_by(&self, app: &mut Application<'_>, span: Span) {
        let Some(inst) = instance(&app.fun) else { return };
        let types = inst.types.iter().map(|t| match self.metas.as_meta(t) {
            None => Knowledge::All,
            Some(v) if self.metas.constraint(v) == Constraint::Any => Knowledge::Nothing,
            Some(_) => Knowledge::Some,
        });
        let sizes = inst.sizes.iter().map(|s| match self.metas.size_head(s) {
            Size::Var(v) if is_meta(v) => Knowledge::Nothing,
            _ => Knowledge::All,
        });
        let now: Vec<Knowledge> = types.chain(sizes).collect();
        app.settled.resize(now.len(), (Knowledge::Nothing, None));
        for ((known, by), now) in app.settled.iter_mut().zip(now) {
            if now > *known {
                (*known, *by) = (now, Some(span));
            }
        }
    }

    /// For each parameter of the function's type that the argument's type `param` mentions, what
    /// it is and which argument has made that known.
    fn settled_by(
        &self,
        scheme: &Scheme,
        inst: &Inst,
        param: &Type,
        a: &Application<'_>,
    ) -> Vec<(String, Span)> {
        let mut out = Vec::new();
        let (mut types, mut sizes) = (Vec::new(), Vec::new());
        mentioned_types(param, &mut |v| types.push(v));
        size_vars_of_type(param, &mut |v| sizes.push(v));
        let mut by = a.settled.iter().map(|(_, by)| *by);
        for ((_, v), ty) in scheme.type_params.iter().zip(&inst.types) {
            if let Some(Some(at)) = by.next()
                && types.contains(v)
            {
                out.push((format!("by this argument, {} is {}", v.name, self.show(ty)), at));
            }
        }
        for (v, size) in scheme.size_params.iter().zip(&inst.sizes) {
            if let Some(Some(at)) = by.next()
                && sizes.contains(v)
            {
                let size = self.shower().size_text(&self.metas.zonk_size(size));
                if size == v.name.as_str() {
                    continue;
                }
                out.push((format!("by this argument, the size {} is {size}", v.name), at));
            }
        }
        out
    }

    /// What a name means, that is applied.
    fn meaning(&self, name: &ast::QualName) -> Option<Meaning> {
        if name.quals.is_empty()
            && let Some(local) = self.local(name.name.name)
        {
            return match local {
                Local::Mono(v, ty) => {
                    let at = match self.metas.binder(*v) {
                        Some(Binder::Name(span)) => Some(span),
                        Some(Binder::Arrow) | None => None,
                    };
                    Some(Meaning::Variable(ty.clone(), at))
                }
                Local::Poly(_, scheme) => Some(Meaning::Known((**scheme).clone(), None)),
                Local::Binding(b) => self.binding_meaning(b),
            };
        }
        self.lookup_binding(name).and_then(|b| self.binding_meaning(&b))
    }

    fn binding_meaning(&self, binding: &ValueBinding) -> Option<Meaning> {
        match binding {
            ValueBinding::Def { id, scheme, span, .. } => {
                // What the prelude is made of is nothing that users have written.
                let prelude = self.cx.prelude_chunks.contains(&id.file);
                Some(Meaning::Known((**scheme).clone(), (!prelude).then_some(*span)))
            }
            ValueBinding::Intrinsic { scheme, .. } => {
                Some(Meaning::Known((**scheme).clone(), None))
            }
            ValueBinding::Operator { .. } => None,
        }
    }

    /// What may be missing in the expression at `span`.
    fn advice(&self, span: Span, expected: &Type, actual: &Type) -> Option<Advice> {
        let numeric = |t: PrimType| t.is_int() || t.is_float();
        match (self.metas.head(expected), self.metas.head(actual)) {
            (Type::Prim(to), Type::Prim(from)) if numeric(to) && numeric(from) => {
                let text = self.source_text(span).map(|text| text.to_owned());
                Some(Advice::Convert { to, from, text })
            }
            (Type::Prim(to), Type::Param(_)) if to.is_int() => {
                match self.metas.constraint(self.metas.as_meta(actual)?) {
                    Constraint::Prims(set) if set == PrimSet::of(PrimType::is_float) => {
                        Some(Advice::NoPoint(to))
                    }
                    _ => None,
                }
            }
            (e, Type::Arrow(_)) if !matches!(e, Type::Arrow(_)) => {
                Some(Advice::Arguments(parameters(&self.metas.zonk(actual)).len()))
            }
            (Type::Record(fields), Type::Record(given)) => {
                let tuple = |t: &Type| t.as_tuple().is_some();
                let alike = fields.len() == given.len() && !fields.is_empty();
                (alike && tuple(actual) && !tuple(expected))
                    .then(|| Advice::Fields(fields.iter().map(|(n, _)| *n).collect()))
            }
            _ => None,
        }
    }
}

/// What a name means that is applied.
enum Meaning {
    /// Something of this polymorphic type, defined there.
    Known(Scheme, Option<Span>),
    /// A variable, bound there.
    Variable(Type, Option<Span>),
}

/// The types of the parameters of a function.
fn parameters(ty: &Type) -> Vec<Type> {
    let mut out = Vec::new();
    let mut ty = ty;
    while let Type::Arrow(a) = ty {
        out.push(a.param.clone());
        ty = &a.ret;
    }
    out
}

fn mentioned_types(ty: &Type, f: &mut dyn FnMut(VarId)) {
    match ty {
        Type::Prim(_) => {}
        Type::Param(v) => f(*v),
        Type::Array { elem, .. } => mentioned_types(elem, f),
        Type::Record(fields) => fields.iter().for_each(|(_, t)| mentioned_types(t, f)),
        Type::Sum(cs) => cs.iter().flat_map(|(_, ts)| ts).for_each(|t| mentioned_types(t, f)),
        Type::Arrow(a) => {
            mentioned_types(&a.param, f);
            mentioned_types(&a.ret, f);
        }
        Type::Opaque(_, args) => {
            for arg in args.iter() {
                if let TypeArg::Type(t) = arg {
                    mentioned_types(t, f);
                }
            }
        }
    }
}

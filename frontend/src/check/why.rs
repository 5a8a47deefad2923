//! Why something must be of some type, in words, for messages about types that differ.
//!
//! Whoever compares two types says what for ([`Why`]). The message then names both sides, as in
//! "the 2nd argument of f should have type i32, but has type bool", and labels say where the
//! expectation comes from: the definition of `f`, another argument that has settled a type
//! parameter, a type as written, the other branch.

use super::automap::elaborate::PRELUDE;
use super::blame::Blame;
use super::env::{Env, ModBinding, Scheme, ValueBinding};
use super::metas::{Binder, Constraint, PrimSet, is_meta};
use super::scope::Local;
use super::subst::size_vars_of_type;
use super::terms::Checker;
use crate::diag::Diagnostic;
use crate::syntax::ast::{self, ExpKind as K};
use futc_typed::prim::PrimType;
use futc_typed::program::{DefId, Exp, ExpKind, Inst, VarId};
use futc_typed::span::Span;
use futc_typed::types::{Size, Type, TypeArg};

/// Types whose texts are longer together are not told in one sentence.
const LONG: usize = 110;

/// Of types whose texts are longer together it is said in which part they differ.
const SHORT: usize = 40;

/// What an expression is for that must be of some type.
#[derive(Clone, Debug)]
pub(super) enum Why<'e> {
    /// An argument of a function.
    Argument(&'e Application<'e>, usize),
    /// The operand of a built-in operator; the other one has this type there.
    Operand(&'e str, Side, Option<(Span, Type)>),
    /// What is tested, by `if`, `while`, `assert`.
    Condition(&'static str),
    /// The result of a function with the type written there.
    Result(Option<ast::Ident>, Option<Span>),
    /// `e : t` or `e :> t`, with the type there.
    Ascription(Span),
    /// An element of an array; the first is there.
    Element(Span),
    /// An index, or a bound of a slice.
    Index,
    /// A bound of a range or of a loop; the first is there.
    Bound(Option<Span>),
    /// The new value of a part of an array or a record.
    Update,
    /// The next value of a loop parameter, which is there.
    LoopBody(Span),
    /// The first value of a loop parameter, which is there.
    LoopStart(Span),
    /// A branch of an `if` or a case of a `match`; the first is there.
    Branch(&'static str, Span),
    /// A pattern, of what is given there.
    Pattern(Matched),
    /// A recursive use of a definition.
    Recursion,
    /// A size in brackets.
    Size,
    /// A part of something that is replaced.
    Part,
}

/// Which operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Left,
    Right,
    Only,
}

/// What a pattern is matched with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Matched {
    /// An argument of the function.
    Parameter,
    /// The value bound by `let`.
    Bound(Span),
    /// What `match` looks at.
    Scrutinee(Span),
    /// The value of a loop parameter.
    Loop(Span),
    /// The elements of the array that a loop goes through.
    Elements(Span),
}

/// A function being applied, as far as messages speak of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head<'e> {
    /// Its name, if it has one.
    pub(super) name: Option<&'e ast::QualName>,
    /// It stands between its arguments.
    pub(super) infix: bool,
    /// It is a `map` that AUTOMAP has inserted, of this.
    pub(super) mapped: Option<Mapped<'e>>,
}

/// What an inserted `map` is of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mapped<'e> {
    name: &'e ast::QualName,
    /// How many arguments it has been given before it is mapped.
    given: usize,
}

impl<'e> Mapped<'e> {
    /// What the first argument of an inserted `map` says it is of.
    fn of(fun: &'e ast::Exp) -> Option<Mapped<'e>> {
        match &fun.kind {
            K::Parens(e) | K::Attr(_, e) => Mapped::of(e),
            K::Var(name) if !is_inserted(name) => Some(Mapped { name, given: 0 }),
            K::Apply(f, x) => match &f.kind {
                K::Var(name) if is_inserted(name) => Mapped::of(x),
                _ => {
                    let inner = Mapped::of(f)?;
                    let given = inner.given + usize::from(!inserted_head(f));
                    Some(Mapped { given, ..inner })
                }
            },
            _ => None,
        }
    }

    /// The argument of the map at `position` as an argument of what it is of.
    fn role(&self, position: usize) -> String {
        let at = (self.given + position).saturating_sub(1);
        let name = self.name.name.name.as_str();
        let operator = !name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let name = path(self.name);
        match (operator, at) {
            (true, 0) => format!("the left operand of {name}"),
            (true, 1) => format!("the right operand of {name}"),
            _ => format!("the {} argument of {name}", ordinal(at)),
        }
    }
}

/// Whether AUTOMAP has inserted a name.
fn is_inserted(name: &ast::QualName) -> bool {
    name.quals.first().is_some_and(|q| q.name.as_str() == PRELUDE)
}

fn inserted_head(e: &ast::Exp) -> bool {
    matches!(&e.kind, K::Var(name) if is_inserted(name))
}

impl<'e> Head<'e> {
    /// That of `f` in `f x`.
    pub(super) fn of(fun: &'e ast::Exp) -> Head<'e> {
        match &fun.kind {
            K::Var(name) => Head { name: Some(name), infix: false, mapped: None },
            K::Parens(e) | K::Attr(_, e) => Head::of(e),
            _ => Head { name: None, infix: false, mapped: None },
        }
    }

    /// That of `f` in `f x …`.
    pub(super) fn applied(fun: &'e ast::Exp, first: Option<&'e ast::Exp>) -> Head<'e> {
        let mapped = match (inserted_head(fun), first) {
            (true, Some(first)) => Mapped::of(first),
            _ => None,
        };
        Head { mapped, ..Head::of(fun) }
    }

    /// That of an operator between its operands.
    pub(super) fn operator(name: &'e ast::QualName) -> Head<'e> {
        Head { name: Some(name), infix: true, mapped: None }
    }
}

/// An application on its way.
#[derive(Debug)]
pub(super) struct Application<'e> {
    pub(super) head: Head<'e>,
    pub(super) fun: Exp,
    /// How much is known of each parameter of the function's type, and which argument has made it
    /// known: types, then sizes.
    settled: Vec<(Knowledge, Option<Span>)>,
    /// An argument does not fit.
    pub(super) failed: bool,
}

/// How much is known of a type or a size.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Knowledge {
    Nothing,
    Some,
    All,
}

impl<'e> Application<'e> {
    /// Of no arguments yet.
    pub(super) fn new(head: Head<'e>, fun: Exp) -> Application<'e> {
        Application { head, fun, settled: Vec::new(), failed: false }
    }

    /// Whether the type of the result depends on the arguments.
    pub(super) fn generic(&self) -> bool {
        instance(&self.fun).is_some_and(|inst| !inst.types.is_empty())
    }
}

/// The expression whose value that of `e` is.
pub(super) fn tail(e: &ast::Exp) -> &ast::Exp {
    match &e.kind {
        K::Let { body, .. } | K::LetFun { body, .. } | K::LetWith { body, .. } => tail(body),
        K::Assert(_, body) | K::Attr(_, body) => tail(body),
        _ => e,
    }
}

/// `1st`, `2nd` and so on, of a position from 0.
pub(super) fn ordinal(position: usize) -> String {
    let n = position + 1;
    let ending = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

impl Why<'_> {
    /// What has a type that it should not have.
    fn subject(&self) -> String {
        match self {
            Why::Argument(a, position)
                if *position > 0
                    && let Some(mapped) = &a.head.mapped =>
            {
                mapped.role(*position)
            }
            Why::Argument(a, position) => match (a.head.name, a.head.infix) {
                (Some(name), true) => {
                    let side = if *position == 0 { "left" } else { "right" };
                    format!("the {side} operand of {}", path(name))
                }
                (Some(name), false) => {
                    format!("the {} argument of {}", ordinal(*position), path(name))
                }
                (None, _) => format!("the {} argument of this function", ordinal(*position)),
            },
            Why::Operand(op, side, _) => match side {
                Side::Left => format!("the left operand of {op}"),
                Side::Right => format!("the right operand of {op}"),
                Side::Only => format!("the operand of {op}"),
            },
            Why::Condition(what) => format!("the condition of {what}"),
            Why::Result(Some(name), _) => format!("the result of {}", name.name),
            Why::Result(None, _) => "the result of this function".into(),
            Why::Ascription(_) => "this expression".into(),
            Why::Element(_) => "this element of the array".into(),
            Why::Index => "an index".into(),
            Why::Bound(_) => "this bound".into(),
            Why::Update => "the new value".into(),
            Why::LoopBody(_) => "the value of the loop body".into(),
            Why::LoopStart(_) => "the initial value of the loop".into(),
            Why::Branch(..) => "this branch".into(),
            Why::Pattern(Matched::Parameter) => "this parameter".into(),
            Why::Pattern(_) => "this pattern".into(),
            Why::Recursion => "the result of this function, by its own use of it,".into(),
            Why::Size => "a size".into(),
            Why::Part => "this part".into(),
        }
    }

    /// The sentence that tells the two types, `e` expected and `a` found.
    fn sentence(&self, e: &Shown, a: &Shown) -> String {
        if let Why::Branch(what, _) = self {
            let (e, a) = (&e.text, &a.text);
            return format!("the branches of this {what} have different types: {e} and {a}");
        }
        let (e, a) = (e.noun(), a.noun());
        match self {
            Why::Operand(op, _, Some(_)) => format!(
                "the operands of {op} must have one type, but the left one has {e} and the \
                 right one {a}"
            ),
            Why::Element(_) => format!(
                "the elements of an array must have one type, but the first has {e} and this \
                 one {a}"
            ),
            Why::LoopBody(_) => format!(
                "the loop body must make the next value of the loop parameter, of {e}, but \
                 has {a}"
            ),
            Why::Pattern(matched) => {
                let subject = self.subject();
                let what = match matched {
                    Matched::Parameter => "what the function is applied to",
                    Matched::Bound(_) => "the value bound to it",
                    Matched::Scrutinee(_) => "what is matched",
                    Matched::Loop(_) => "the value of the loop parameter",
                    Matched::Elements(_) => "an element of the array",
                };
                format!("{subject} is for {a}, but {what} has {e}")
            }
            _ => format!("{} should have {e}, but has {a}", self.subject()),
        }
    }
}

/// A type in words.
struct Shown {
    text: String,
    /// Which types it may be, where only that is known.
    among: Option<String>,
}

impl Shown {
    fn noun(&self) -> String {
        match &self.among {
            Some(among) => among.clone(),
            None => format!("type {}", self.text),
        }
    }
}

/// A name with its modules, as written.
pub(super) fn path(name: &ast::QualName) -> String {
    let parts = name.quals.iter().chain([&name.name]).map(|p| p.name.as_str());
    // What AUTOMAP has inserted is spelled as users would.
    parts.filter(|p| *p != PRELUDE).collect::<Vec<_>>().join(".")
}

impl Checker<'_> {
    /// Unifies, or reports that something of type `actual` is where `expected` must be.
    pub(super) fn expect(
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

    /// Checks an expression that must be of some type.
    pub(super) fn check(&mut self, e: &ast::Exp, expected: &Type, why: &Why<'_>) -> Exp {
        let typed = self.exp_with(e, Some(expected));
        if !self.expect(tail(e).span, expected, &typed.ty, why) {
            self.label_variable(e);
        }
        typed
    }

    /// Checks an expression that must be of a primitive type.
    pub(super) fn check_prim(&mut self, e: &ast::Exp, p: PrimType, why: &Why<'_>) -> Exp {
        self.check(e, &Type::Prim(p), why)
    }

    /// Says where the variable is bound that the last message is about, if `e` is one.
    pub(super) fn label_variable(&mut self, e: &ast::Exp) {
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
    pub(super) fn explain_parameters(
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
            if d.code == "type-mismatch" && params.iter().any(about) {
                let d = self.function_reasons(d.clone(), a, position);
                if let Some(slot) = self.cx.diagnostics.get_mut(i) {
                    *slot = d;
                }
            }
        }
    }

    /// What to say when something of type `actual` is where `expected` must be.
    pub(super) fn mismatch(
        &mut self,
        span: Span,
        expected: &Type,
        actual: &Type,
        why: &Why<'_>,
    ) -> Diagnostic {
        let blame = self.blame.take();
        if self.stop && matches!(blame, None | Some(Blame::Shapes)) {
            // It ends this look at the definition, and is said after another if it holds there.
            return Diagnostic::error("type-mismatch", span, "");
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
                let mut d = Diagnostic::error("type-mismatch", span, plain);
                if let Some(difference) = difference.filter(|_| !long) {
                    d = d.hint(difference);
                }
                let named = d.hints.len();
                let advice = match why {
                    Why::Pattern(Matched::Bound(at)) => self.advice(*at, actual, expected),
                    Why::Pattern(_) => None,
                    _ => self.advice(span, expected, actual),
                };
                match advice {
                    // Advice on the whole says more than what differs first.
                    Some(hint) => {
                        d.hints.truncate(named.saturating_sub(1));
                        d.hint(hint)
                    }
                    None => d,
                }
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
        let d = if long {
            let d = d.at("this is not of the type expected");
            let (expected, found) = match why {
                Why::Pattern(_) => ("of the value", "of the pattern"),
                _ => ("expected", "found"),
            };
            d.hint(format!("type {expected}: {}", e.text)).hint(format!("type {found}: {}", a.text))
        } else {
            match why {
                Why::Pattern(_) => d.at(format!("this is for {}", a.noun())),
                _ => d.at(format!("this has {}", a.noun())),
            }
        };
        self.reasons(d, &e, why)
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
    pub(super) fn defined_at(&self, d: Diagnostic, a: &Application<'_>) -> Diagnostic {
        let Some(name) = a.head.name else { return d };
        match self.meaning(name) {
            Some(Meaning::Known(_, Some(at)) | Meaning::Variable(_, Some(at))) => {
                d.label(at, format!("{} is defined here", path(name)))
            }
            _ => d,
        }
    }

    /// Notes what the argument at `span` has made known of the function's type.
    pub(super) fn settle_by(&self, app: &mut Application<'_>, span: Span) {
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
                let prelude = self.cx.prelude_env.as_ref().is_some_and(|p| defines(p, *id));
                Some(Meaning::Known((**scheme).clone(), (!prelude).then_some(*span)))
            }
            ValueBinding::Intrinsic { scheme, .. } => {
                Some(Meaning::Known((**scheme).clone(), None))
            }
            ValueBinding::Operator { .. } => None,
        }
    }

    /// What may be missing in the expression at `span`.
    fn advice(&self, span: Span, expected: &Type, actual: &Type) -> Option<String> {
        let numeric = |t: PrimType| t.is_int() || t.is_float();
        let (to, from) = match (self.metas.head(expected), self.metas.head(actual)) {
            (Type::Prim(to), Type::Prim(from)) => (to, from),
            (Type::Prim(to), Type::Param(_)) if to.is_int() => {
                return match self.metas.constraint(self.metas.as_meta(actual)?) {
                    Constraint::Prims(set) if set == PrimSet::of(PrimType::is_float) => {
                        Some(format!(
                            "a number with a point is a float; for an integer leave out the \
                             point, or round it, as in {}.f64",
                            to.name()
                        ))
                    }
                    _ => None,
                };
            }
            (e, Type::Arrow(_)) if !matches!(e, Type::Arrow(_)) => {
                let missing = parameters(&self.metas.zonk(actual)).len();
                return Some(match missing {
                    1 => "this is a function that still waits for an argument".to_owned(),
                    n => format!("this is a function that still waits for {n} arguments"),
                });
            }
            (Type::Record(fields), Type::Record(given)) => {
                let tuple = |t: &Type| t.as_tuple().is_some();
                if fields.len() == given.len()
                    && !fields.is_empty()
                    && tuple(actual)
                    && !tuple(expected)
                {
                    let names: Vec<String> =
                        fields.iter().map(|(n, _)| format!("{n} = …")).collect();
                    return Some(format!(
                        "a tuple is no record with named fields; write {{{}}}",
                        names.join(", ")
                    ));
                }
                return None;
            }
            _ => return None,
        };
        if !numeric(to) || !numeric(from) {
            return None;
        }
        let f = format!("{}.{}", to.name(), from.name());
        Some(match self.source_text(span) {
            Some(text) if text.chars().all(|c| c.is_alphanumeric() || "_.'".contains(c)) => {
                format!("numbers are not converted by themselves; write {f} {text}")
            }
            Some(text) => format!("numbers are not converted by themselves; write {f} ({text})"),
            None => format!("numbers are not converted by themselves; apply {f} to it"),
        })
    }
}

/// What a name means that is applied.
enum Meaning {
    /// Something of this polymorphic type, defined there.
    Known(Scheme, Option<Span>),
    /// A variable, bound there.
    Variable(Type, Option<Span>),
}

/// Whether a definition can be seen in an environment or the modules in it.
fn defines(env: &Env, id: DefId) -> bool {
    let here = |b: &ValueBinding| matches!(b, ValueBinding::Def { id: other, .. } if *other == id);
    env.values.values().any(here)
        || env.modules.values().any(|m| match m {
            ModBinding::Structure(inner) => defines(inner, id),
            ModBinding::Functor(_) => false,
        })
}

/// The instance at which a function is used.
fn instance(fun: &Exp) -> Option<&Inst> {
    match &fun.kind {
        ExpKind::Global(_, inst) | ExpKind::Intrinsic(_, inst) | ExpKind::Var(_, inst) => {
            Some(inst)
        }
        _ => None,
    }
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

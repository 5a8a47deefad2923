//! The definition with its maps and reps in place: as a tree, and as changes to the source text.
//!
//! ```text
//! f x y      M₁ = 1, R₂ = 1     map2 f x (rep y)
//! f x y      M₂ = 1             map (f x) y
//! x + y      M₁ = 2, R₂ = 1     map2 (map2 (+)) x (rep y)
//! (+ y)      M = 1              (flip (map2 (+)) y)
//! x |> f     M = 1              x |> map f
//! f >-> g    M = 1              f >-> map g
//! -x         M = 1              map (\x -> -x) x
//! ```
//!
//! What is repeated is so as often as another argument is long. If that is known only once the
//! argument is there, as of `filter p xs + 1`, the definition is elaborated a second way, in which
//! arguments are evaluated first: `let a1' = filter p xs in map2 (+) a1' (rep 1)`.
//!
//! Mapping a function of which `n` arguments are still missing maps over all of them, so it takes
//! `map2` to `map5`, or a zip where there are more. What is inserted stands for the prelude's
//! functions whatever their names mean where it is inserted; spans are those of what was written.

use super::constraints::{Pipe, Site};
use crate::check::types::edit::{Edit, FROM_PRELUDE, PRELUDE, apply_edits};
use crate::syntax::ast::{
    Case, DimIndex, Exp, ExpKind, Ident, Loop, LoopForm, Pat, PatKind, QualName, RecordField,
    UpdateStep, ValBind,
};
use futc_typed::name::Name;
use futc_typed::span::{FileId, Span};
use std::collections::HashMap;

/// What is inserted at an application.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Insertion {
    pub(super) maps: i64,
    pub(super) reps: i64,
    /// How many arguments the applied function still takes, this one among them.
    pub(super) arity: usize,
}

/// What elaborates definitions.
pub(super) struct Elaborator<'a> {
    pub(super) table: &'a HashMap<Site, Insertion>,
    pub(super) pipes: &'a HashMap<Site, Pipe>,
    /// The chunk whose text is at hand.
    pub(super) file: FileId,
    pub(super) text: &'a str,
    /// Changes to that chunk, in order, none inside of another.
    pub(super) edits: Vec<Edit>,
    /// What is computed beside something repeated gets a name first.
    pub(super) named: bool,
    /// How many names have been given.
    pub(super) names: usize,
}

/// A part of what replaces an expression.
struct Replacement {
    exp: Exp,
    text: String,
    /// It needs no parentheses to be an argument.
    atom: bool,
}

impl Replacement {
    fn argument(self) -> Replacement {
        if self.atom {
            return self;
        }
        let span = self.exp.span;
        let exp = Exp { kind: ExpKind::Parens(Box::new(self.exp)), span };
        Replacement { exp, text: format!("({})", self.text), atom: true }
    }

    fn apply(self, x: Replacement, span: Span) -> Replacement {
        let (f, x) = (self, x.argument());
        Replacement {
            exp: Exp { kind: ExpKind::Apply(Box::new(f.exp), Box::new(x.exp)), span },
            text: format!("{} {}", f.text, x.text),
            atom: false,
        }
    }
}

/// A function of the prelude, one of [`FROM_PRELUDE`].
fn prelude(name: &str, span: Span) -> Replacement {
    debug_assert!(FROM_PRELUDE.contains(&name), "{name}");
    let ident = |name| Ident { name: Name::new(name), span };
    let qual = QualName { quals: vec![ident(PRELUDE)], name: ident(name), span };
    Replacement { exp: Exp { kind: ExpKind::Var(qual), span }, text: name.to_owned(), atom: true }
}

fn variable(name: &str, span: Span) -> Exp {
    let name = Ident { name: Name::new(name), span };
    Exp { kind: ExpKind::Var(QualName { quals: Vec::new(), name, span }), span }
}

fn pattern(name: &str, span: Span) -> Pat {
    Pat { kind: PatKind::Var(Ident { name: Name::new(name), span }), span }
}

/// The operator as a function.
fn operator(op: &QualName) -> Replacement {
    let names = op.quals.iter().chain([&op.name]).map(|part| part.name.as_str());
    let text = names.collect::<Vec<_>>().join(".");
    let word = op.name.name.as_str().starts_with(|c: char| c.is_alphabetic() || c == '_');
    let exp = Exp { kind: ExpKind::Var(op.clone()), span: op.span };
    Replacement { exp, text: if word { text } else { format!("({text})") }, atom: true }
}

fn reps(mut x: Replacement, count: i64) -> Replacement {
    for _ in 0..count {
        let span = x.exp.span;
        x = prelude("rep", span).apply(x, span);
    }
    x
}

/// The function mapped `count` times over its `arity` arguments.
fn maps(mut f: Replacement, count: i64, arity: usize) -> Replacement {
    for _ in 0..count {
        let span = f.exp.span;
        f = match arity {
            0 | 1 => prelude("map", span).apply(f, span),
            2 => prelude("map2", span).apply(f, span),
            3 => prelude("map3", span).apply(f, span),
            4 => prelude("map4", span).apply(f, span),
            5 => prelude("map5", span).apply(f, span),
            _ => map_zipped(f, arity),
        };
    }
    f
}

/// `\a1 a2 … -> map (\(a1, (a2, …)) -> f a1 a2 …) (zip a1 (zip a2 …))`
fn map_zipped(f: Replacement, arity: usize) -> Replacement {
    let span = f.exp.span;
    let names: Vec<String> = (1..=arity).map(|i| format!("a{i}'")).collect();
    let at = |kind| Exp { kind, span };
    let name = |n: &String| Replacement { exp: variable(n, span), text: n.clone(), atom: true };
    let mut reversed = names.iter().rev();
    let last = reversed.next().map(String::as_str).unwrap_or_default();
    let mut tuple = (pattern(last, span), last.to_owned());
    let mut zipped = Replacement { exp: variable(last, span), text: last.to_owned(), atom: true };
    for n in reversed {
        let pair = vec![pattern(n, span), tuple.0];
        tuple = (Pat { kind: PatKind::Tuple(pair), span }, format!("({n}, {})", tuple.1));
        zipped = prelude("zip", span).apply(name(n), span).apply(zipped, span);
    }
    let call = names.iter().fold(f.argument(), |f, n| f.apply(name(n), span));
    let row = Replacement {
        text: format!("\\{} -> {}", tuple.1, call.text),
        exp: at(ExpKind::Lambda { params: vec![tuple.0], ret: None, body: Box::new(call.exp) }),
        atom: false,
    };
    let body = prelude("map", span).apply(row, span).apply(zipped, span);
    let params = names.iter().map(|n| pattern(n, span)).collect();
    Replacement {
        text: format!("\\{} -> {}", names.join(" "), body.text),
        exp: at(ExpKind::Lambda { params, ret: None, body: Box::new(body.exp) }),
        atom: false,
    }
}

/// Whether an expression needs no parentheses to be an argument.
fn is_atom(e: &Exp) -> bool {
    match &e.kind {
        ExpKind::Lit(_)
        | ExpKind::String(_)
        | ExpKind::Var(_)
        | ExpKind::Parens(_)
        | ExpKind::QualParens(..)
        | ExpKind::Tuple(_)
        | ExpKind::Record(_)
        | ExpKind::Array(_)
        | ExpKind::Project(..)
        | ExpKind::Index(..)
        | ExpKind::SectionLeft(..)
        | ExpKind::SectionRight(..)
        | ExpKind::SectionProject(_)
        | ExpKind::SectionIndex(_)
        | ExpKind::Hole => true,
        ExpKind::Constr(_, payload) => payload.is_empty(),
        ExpKind::Range { .. }
        | ExpKind::Apply(..)
        | ExpKind::BinOp { .. }
        | ExpKind::Negate(_)
        | ExpKind::Not(_)
        | ExpKind::Lambda { .. }
        | ExpKind::Ascript(..)
        | ExpKind::Coerce(..)
        | ExpKind::Let { .. }
        | ExpKind::LetFun { .. }
        | ExpKind::LetWith { .. }
        | ExpKind::Update { .. }
        | ExpKind::If(..)
        | ExpKind::Match(..)
        | ExpKind::Loop(_)
        | ExpKind::Assert(..)
        | ExpKind::Attr(..)
        | ExpKind::Error => false,
    }
}

/// Whether an expression makes a value, rather than naming one.
fn computes(e: &Exp) -> bool {
    match &e.kind {
        ExpKind::Parens(e) | ExpKind::Attr(_, e) | ExpKind::Ascript(e, _) => computes(e),
        ExpKind::Apply(..)
        | ExpKind::BinOp { .. }
        | ExpKind::Negate(_)
        | ExpKind::Not(_)
        | ExpKind::QualParens(..)
        | ExpKind::Range { .. }
        | ExpKind::Index(..)
        | ExpKind::Coerce(..)
        | ExpKind::Let { .. }
        | ExpKind::LetFun { .. }
        | ExpKind::LetWith { .. }
        | ExpKind::Update { .. }
        | ExpKind::If(..)
        | ExpKind::Match(..)
        | ExpKind::Loop(_)
        | ExpKind::Assert(..) => true,
        ExpKind::Lit(_)
        | ExpKind::String(_)
        | ExpKind::Var(_)
        | ExpKind::Tuple(_)
        | ExpKind::Record(_)
        | ExpKind::Array(_)
        | ExpKind::Project(..)
        | ExpKind::Constr(..)
        | ExpKind::Lambda { .. }
        | ExpKind::SectionLeft(..)
        | ExpKind::SectionRight(..)
        | ExpKind::SectionProject(_)
        | ExpKind::SectionIndex(_)
        | ExpKind::Hole
        | ExpKind::Error => false,
    }
}

/// What names stand for, in order.
type Named = Vec<(String, Replacement)>;

/// `let name = part in … body`
fn bind(named: Named, body: Replacement, span: Span) -> Replacement {
    named.into_iter().rev().fold(body, |body, (name, part)| {
        let kind = ExpKind::Let {
            sizes: Vec::new(),
            pat: pattern(&name, part.exp.span),
            rhs: Box::new(part.exp),
            body: Box::new(body.exp),
        };
        let text = format!("let {name} = {} in {}", part.text, body.text);
        Replacement { exp: Exp { kind, span }, text, atom: false }
    })
}

impl Elaborator<'_> {
    /// An argument of what may have others that are repeated; it gets a name if it is computed.
    fn beside(&mut self, e: &Exp, part: Replacement, named: &mut Named) -> Replacement {
        if !self.named || !computes(e) {
            return part;
        }
        let name = loop {
            self.names += 1;
            let name = format!("a{}'", self.names);
            if !self.text.contains(&name) {
                break name;
            }
        };
        let span = part.exp.span;
        named.push((name.clone(), part));
        Replacement { exp: variable(&name, span), text: name, atom: true }
    }

    /// The definition with what `table` says inserted.
    pub(super) fn definition(&mut self, vb: &ValBind) -> ValBind {
        // Named one by one, so that the body is not copied to be replaced.
        let ValBind { entry, name, type_params, params, ret, body } = vb;
        ValBind {
            entry: *entry,
            name: *name,
            type_params: type_params.clone(),
            params: params.clone(),
            ret: ret.clone(),
            body: self.exp(body),
        }
    }

    /// An expression, elaborated, with its text.
    fn part(&mut self, e: &Exp) -> Replacement {
        let before = self.edits.len();
        let exp = self.exp(e);
        let edits = self.edits.split_off(before.min(self.edits.len()));
        let text = if e.span.file == self.file {
            apply_edits(self.text, e.span, &edits)
        } else {
            String::new()
        };
        Replacement { exp, text, atom: is_atom(e) }
    }

    fn replace(&mut self, e: &Exp, by: Replacement) -> Exp {
        if e.span.file == self.file {
            self.edits.push(Edit { span: e.span, text: by.text });
        }
        by.exp
    }

    fn at(&self, e: &Exp, nth: u8) -> Insertion {
        let nothing = Insertion { maps: 0, reps: 0, arity: 0 };
        self.table.get(&Site::new(e, nth)).copied().unwrap_or(nothing)
    }

    fn boxed(&mut self, e: &Exp) -> Box<Exp> {
        Box::new(self.exp(e))
    }

    fn optional(&mut self, e: Option<&Exp>) -> Option<Box<Exp>> {
        e.map(|e| self.boxed(e))
    }

    fn all(&mut self, es: &[Exp]) -> Vec<Exp> {
        es.iter().map(|e| self.exp(e)).collect()
    }

    #[allow(clippy::too_many_lines, reason = "one case for each form of expression")]
    fn exp(&mut self, e: &Exp) -> Exp {
        use ExpKind as K;
        let kind = match &e.kind {
            K::Lit(_) | K::String(_) | K::Var(_) | K::SectionProject(_) | K::Hole | K::Error => {
                e.kind.clone()
            }
            K::Parens(x) => K::Parens(self.boxed(x)),
            K::QualParens(m, x) => K::QualParens(m.clone(), self.boxed(x)),
            K::Tuple(es) => K::Tuple(self.all(es)),
            K::Array(es) => K::Array(self.all(es)),
            K::Record(fields) => K::Record(
                fields
                    .iter()
                    .map(|field| match field {
                        RecordField::Explicit(n, x) => RecordField::Explicit(*n, self.exp(x)),
                        RecordField::Implicit(_) => field.clone(),
                    })
                    .collect(),
            ),
            K::Project(x, field) => K::Project(self.boxed(x), *field),
            K::Index(a, index) => K::Index(self.boxed(a), self.index(index)),
            K::Range { start, second, kind, end } => K::Range {
                start: self.boxed(start),
                second: self.optional(second.as_deref()),
                kind: *kind,
                end: self.boxed(end),
            },
            K::Constr(name, payload) => K::Constr(*name, self.all(payload)),
            K::Apply(..) => return self.application(e),
            K::BinOp { op, lhs, rhs } => return self.binary(e, op, lhs, rhs),
            K::Negate(x) | K::Not(x) => return self.unary(e, x),
            K::Lambda { params, ret, body } => {
                K::Lambda { params: params.clone(), ret: ret.clone(), body: self.boxed(body) }
            }
            K::SectionLeft(op, x) => {
                let here = self.at(e, 0);
                if here.maps > 0 {
                    let fun = maps(operator(op), here.maps, here.arity);
                    let section = fun.apply(self.part(x), e.span).argument();
                    return self.replace(e, section);
                }
                if here.reps > 0 {
                    let x = reps(self.part(x), here.reps);
                    let text = format!("({} {})", x.text, infix(op));
                    let exp = Exp { kind: K::SectionLeft(op.clone(), Box::new(x.exp)), ..*e };
                    return self.replace(e, Replacement { exp, text, atom: true });
                }
                K::SectionLeft(op.clone(), self.boxed(x))
            }
            K::SectionRight(op, y) => {
                let here = self.at(e, 0);
                if here.maps > 0 {
                    let fun = maps(operator(op), here.maps, here.arity);
                    let fun = prelude("flip", op.span).apply(fun, op.span);
                    let section = fun.apply(self.part(y), e.span).argument();
                    return self.replace(e, section);
                }
                if here.reps > 0 {
                    let y = reps(self.part(y), here.reps);
                    let text = format!("({} {})", infix(op), y.text);
                    let exp = Exp { kind: K::SectionRight(op.clone(), Box::new(y.exp)), ..*e };
                    return self.replace(e, Replacement { exp, text, atom: true });
                }
                K::SectionRight(op.clone(), self.boxed(y))
            }
            K::SectionIndex(index) => K::SectionIndex(self.index(index)),
            K::Ascript(x, te) => K::Ascript(self.boxed(x), te.clone()),
            K::Coerce(x, te) => K::Coerce(self.boxed(x), te.clone()),
            K::Let { sizes, pat, rhs, body } => K::Let {
                sizes: sizes.clone(),
                pat: pat.clone(),
                rhs: self.boxed(rhs),
                body: self.boxed(body),
            },
            K::LetFun { name, type_params, params, ret, rhs, body } => K::LetFun {
                name: *name,
                type_params: type_params.clone(),
                params: params.clone(),
                ret: ret.clone(),
                rhs: self.boxed(rhs),
                body: self.boxed(body),
            },
            K::LetWith { name, path, rhs, body } => K::LetWith {
                name: *name,
                path: self.path(path),
                rhs: self.boxed(rhs),
                body: self.boxed(body),
            },
            K::Update { exp, path, value } => {
                K::Update { exp: self.boxed(exp), path: self.path(path), value: self.boxed(value) }
            }
            K::If(c, t, f) => K::If(self.boxed(c), self.boxed(t), self.boxed(f)),
            K::Match(x, cases) => {
                let x = self.boxed(x);
                let cases = cases.iter().map(|c| Case {
                    pat: c.pat.clone(),
                    body: self.exp(&c.body),
                    span: c.span,
                });
                K::Match(x, cases.collect())
            }
            K::Loop(l) => K::Loop(Box::new(Loop {
                sizes: l.sizes.clone(),
                pat: l.pat.clone(),
                init: l.init.as_ref().map(|x| self.exp(x)),
                form: match &l.form {
                    LoopForm::For(i, bound) => LoopForm::For(*i, self.exp(bound)),
                    LoopForm::ForIn(p, array) => LoopForm::ForIn(p.clone(), self.exp(array)),
                    LoopForm::While(cond) => LoopForm::While(self.exp(cond)),
                },
                body: self.exp(&l.body),
            })),
            K::Assert(c, x) => K::Assert(self.boxed(c), self.boxed(x)),
            K::Attr(attr, x) => K::Attr(attr.clone(), self.boxed(x)),
        };
        Exp { kind, span: e.span }
    }

    fn index(&mut self, index: &[DimIndex]) -> Vec<DimIndex> {
        index
            .iter()
            .map(|dim| match dim {
                DimIndex::Fix(x) => DimIndex::Fix(self.exp(x)),
                DimIndex::Slice { start, end, stride, span } => DimIndex::Slice {
                    start: self.optional(start.as_deref()),
                    end: self.optional(end.as_deref()),
                    stride: self.optional(stride.as_deref()),
                    span: *span,
                },
            })
            .collect()
    }

    fn path(&mut self, path: &[UpdateStep]) -> Vec<UpdateStep> {
        path.iter()
            .map(|step| match step {
                UpdateStep::Index(index, span) => UpdateStep::Index(self.index(index), *span),
                UpdateStep::Field(_) => step.clone(),
            })
            .collect()
    }

    fn application(&mut self, e: &Exp) -> Exp {
        let mut chain = Vec::new();
        let mut head = e;
        while let ExpKind::Apply(f, x) = &head.kind {
            chain.push((head, &**x));
            head = f;
        }
        chain.reverse();
        let site = |node| self.table.contains_key(&Site::new(node, 0));
        if !chain.iter().any(|(node, _)| site(node)) {
            let fun = self.exp(head);
            return chain.into_iter().fold(fun, |f, (node, x)| {
                let kind = ExpKind::Apply(Box::new(f), self.boxed(x));
                Exp { kind, span: node.span }
            });
        }
        let repeats = chain.iter().any(|(node, _)| self.at(node, 0).reps > 0);
        let mut named = Named::new();
        let mut fun = self.part(head);
        for (node, x) in chain {
            let here = self.at(node, 0);
            let part = match self.part(x) {
                part if here.reps > 0 => reps(part, here.reps),
                part if repeats => self.beside(x, part, &mut named),
                part => part,
            };
            fun = maps(fun, here.maps, here.arity).argument_head().apply(part, node.span);
        }
        let fun = bind(named, fun, e.span);
        self.replace(e, fun)
    }

    fn binary(&mut self, e: &Exp, op: &QualName, lhs: &Exp, rhs: &Exp) -> Exp {
        let (first, second) = (self.at(e, 0), self.at(e, 1));
        let site = Site::new(e, 0);
        if first.maps == 0 && first.reps == 0 && second.maps == 0 && second.reps == 0 {
            let kind =
                ExpKind::BinOp { op: op.clone(), lhs: self.boxed(lhs), rhs: self.boxed(rhs) };
            return Exp { kind, span: e.span };
        }
        let (mut x, mut y) = (self.part(lhs), self.part(rhs));
        let mut named = Named::new();
        if !self.pipes.contains_key(&site) {
            if second.reps > 0 && first.reps == 0 {
                x = self.beside(lhs, x, &mut named);
            } else if first.reps > 0 && second.reps == 0 {
                y = self.beside(rhs, y, &mut named);
            }
        }
        let by = match self.pipes.get(&site) {
            Some(Pipe::Right) => {
                infix_part(op, reps(x, first.reps), maps(y, first.maps, first.arity), e.span)
            }
            Some(Pipe::Left) => {
                infix_part(op, maps(x, first.maps, first.arity), reps(y, first.reps), e.span)
            }
            Some(Pipe::Then) => {
                for _ in 0..first.reps {
                    x = infix_part(op, x, prelude("rep", op.span), e.span).argument();
                }
                infix_part(op, x, maps(y, first.maps, first.arity), e.span)
            }
            Some(Pipe::After) => {
                for _ in 0..first.reps {
                    y = infix_part(op, prelude("rep", op.span), y, e.span).argument();
                }
                infix_part(op, maps(x, first.maps, first.arity), y, e.span)
            }
            None if first.maps == 0 && second.maps == 0 => {
                infix_part(op, reps(x, first.reps), reps(y, second.reps), e.span)
            }
            None => {
                let fun = maps(operator(op), first.maps, first.arity);
                let fun = fun.argument_head().apply(reps(x, first.reps), e.span);
                let fun = maps(fun, second.maps, second.arity);
                fun.argument_head().apply(reps(y, second.reps), e.span)
            }
        };
        let by = bind(named, by, e.span);
        self.replace(e, by)
    }

    fn unary(&mut self, e: &Exp, x: &Exp) -> Exp {
        let negates = matches!(e.kind, ExpKind::Negate(_));
        let wrap = if negates { ExpKind::Negate } else { ExpKind::Not };
        let here = self.at(e, 0);
        if here.maps == 0 {
            return Exp { kind: wrap(self.boxed(x)), span: e.span };
        }
        let body = Exp { kind: wrap(Box::new(variable("x", e.span))), span: e.span };
        let params = vec![pattern("x", e.span)];
        let kind = ExpKind::Lambda { params, ret: None, body: Box::new(body) };
        let text = if negates { "\\x -> -x" } else { "\\x -> !x" }.to_owned();
        let fun = Replacement { exp: Exp { kind, span: e.span }, text, atom: false };
        let by = maps(fun, here.maps, 1).apply(self.part(x), e.span);
        self.replace(e, by)
    }
}

impl Replacement {
    /// As the head of an application: an application can be one, anything else that is no atom
    /// cannot.
    fn argument_head(self) -> Replacement {
        if matches!(self.exp.kind, ExpKind::Apply(..)) { self } else { self.argument() }
    }
}

/// The operator between its operands.
fn infix(op: &QualName) -> String {
    let names = op.quals.iter().chain([&op.name]).map(|part| part.name.as_str());
    let text = names.collect::<Vec<_>>().join(".");
    if op.name.name.as_str().starts_with(|c: char| c.is_alphabetic() || c == '_') {
        format!("`{text}`")
    } else {
        text
    }
}

fn infix_part(op: &QualName, x: Replacement, y: Replacement, span: Span) -> Replacement {
    let text = format!("{} {} {}", x.text, infix(op), y.text);
    let kind = ExpKind::BinOp { op: op.clone(), lhs: Box::new(x.exp), rhs: Box::new(y.exp) };
    Replacement { exp: Exp { kind, span }, text, atom: false }
}

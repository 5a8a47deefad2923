//! What an expression is for that must be of some type, in words.
//!
//! Whoever compares two types says what for ([`Why`]).

use crate::check::types::edit::PRELUDE;
use crate::syntax::ast;
use crate::syntax::ast::ExpKind as K;
use futc_typed::program::{Exp, ExpKind, Inst};
use futc_typed::span::Span;
use futc_typed::types::Type;

/// What an expression is for that must be of some type.
#[derive(Clone, Debug)]
pub(crate) enum Why<'e> {
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
pub(crate) enum Side {
    Left,
    Right,
    Only,
}

/// What a pattern is matched with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Matched {
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
pub(crate) struct Head<'e> {
    /// Its name, if it has one.
    pub(crate) name: Option<&'e ast::QualName>,
    /// It stands between its arguments.
    pub(crate) infix: bool,
    /// It is a `map` that AUTOMAP has inserted, of this.
    pub(crate) mapped: Option<Mapped<'e>>,
}

/// What an inserted `map` is of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mapped<'e> {
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
pub(crate) fn is_inserted(name: &ast::QualName) -> bool {
    name.quals.first().is_some_and(|q| q.name.as_str() == PRELUDE)
}

fn inserted_head(e: &ast::Exp) -> bool {
    matches!(&e.kind, K::Var(name) if is_inserted(name))
}

impl<'e> Head<'e> {
    /// That of `f` in `f x`.
    pub(crate) fn of(fun: &'e ast::Exp) -> Head<'e> {
        match &fun.kind {
            K::Var(name) => Head { name: Some(name), infix: false, mapped: None },
            K::Parens(e) | K::Attr(_, e) => Head::of(e),
            _ => Head { name: None, infix: false, mapped: None },
        }
    }

    /// That of `f` in `f x …`.
    pub(crate) fn applied(fun: &'e ast::Exp, first: Option<&'e ast::Exp>) -> Head<'e> {
        let mapped = match (inserted_head(fun), first) {
            (true, Some(first)) => Mapped::of(first),
            _ => None,
        };
        Head { mapped, ..Head::of(fun) }
    }

    /// That of an operator between its operands.
    pub(crate) fn operator(name: &'e ast::QualName) -> Head<'e> {
        Head { name: Some(name), infix: true, mapped: None }
    }
}

/// An application on its way.
#[derive(Debug)]
pub(crate) struct Application<'e> {
    pub(crate) head: Head<'e>,
    pub(crate) fun: Exp,
    /// How much is known of each parameter of the function's type, and which argument has made it
    /// known: types, then sizes.
    pub(crate) settled: Vec<(Knowledge, Option<Span>)>,
    /// An argument does not fit.
    pub(crate) failed: bool,
}

/// How much is known of a type or a size.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Knowledge {
    Nothing,
    Some,
    All,
}

impl<'e> Application<'e> {
    /// Of no arguments yet.
    pub(crate) fn new(head: Head<'e>, fun: Exp) -> Application<'e> {
        Application { head, fun, settled: Vec::new(), failed: false }
    }

    /// Whether the type of the result depends on the arguments.
    pub(crate) fn generic(&self) -> bool {
        instance(&self.fun).is_some_and(|inst| !inst.types.is_empty())
    }
}

/// The expression whose value that of `e` is.
pub(crate) fn tail(e: &ast::Exp) -> &ast::Exp {
    match &e.kind {
        K::Let { body, .. } | K::LetFun { body, .. } | K::LetWith { body, .. } => tail(body),
        K::Assert(_, body) | K::Attr(_, body) => tail(body),
        _ => e,
    }
}

/// `1st`, `2nd` and so on, of a position from 0.
pub(crate) fn ordinal(position: usize) -> String {
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

/// The instance at which a function is used.
pub(crate) fn instance(fun: &Exp) -> Option<&Inst> {
    match &fun.kind {
        ExpKind::Global(_, inst) | ExpKind::Intrinsic(_, inst) | ExpKind::Var(_, inst) => {
            Some(inst)
        }
        _ => None,
    }
}

/// A name with its modules, as written.
pub(crate) fn path(name: &ast::QualName) -> String {
    let parts = name.quals.iter().chain([&name.name]).map(|p| p.name.as_str());
    // What AUTOMAP has inserted is spelled as users would.
    parts.filter(|p| *p != PRELUDE).collect::<Vec<_>>().join(".")
}

impl Why<'_> {
    /// What has a type that it should not have.
    pub(crate) fn subject(&self) -> String {
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
    pub(crate) fn sentence(&self, e: &Shown, a: &Shown) -> String {
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
pub(crate) struct Shown {
    pub(crate) text: String,
    /// Which types it may be, where only that is known.
    pub(crate) among: Option<String>,
}

impl Shown {
    pub(crate) fn noun(&self) -> String {
        match &self.among {
            Some(among) => among.clone(),
            None => format!("type {}", self.text),
        }
    }
}

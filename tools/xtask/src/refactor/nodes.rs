//! A walk over the syntax tree: the parts of expressions, patterns and types, in the order of the text.

use futc_frontend::syntax::ast::{
    Case, Dec, DecKind, DimIndex, Exp, ExpKind, LoopForm, ModExp, ModExpKind, Pat, PatKind,
    RecordField, SizeExp, Span, TypeArg, TypeExp, TypeExpKind, UpdateStep, ValBind,
};

/// Bytes of a text.
pub type Place = (u32, u32);

/// The bytes of a span.
pub fn place(span: Span) -> Place {
    (span.start, span.end)
}

/// What a walk meets.
#[derive(Clone, Copy)]
pub enum Node<'t> {
    Exp(&'t Exp),
    Pat(&'t Pat),
    Type(&'t TypeExp),
}

/// Calls `enter` for a node and for all inside of it; what is inside of a node for which it says no is left out.
pub fn walk<'t>(node: Node<'t>, enter: &mut dyn FnMut(Node<'t>) -> bool) {
    if enter(node) {
        parts(node, &mut |part| walk(part, enter));
    }
}

/// As [`walk`], of expressions only: patterns and types are passed over, with the sizes in them.
pub fn walk_exps<'t>(exp: &'t Exp, enter: &mut dyn FnMut(&'t Exp) -> bool) {
    walk(Node::Exp(exp), &mut |node| match node {
        Node::Exp(e) => enter(e),
        Node::Pat(_) | Node::Type(_) => false,
    });
}

/// Calls `f` for the parts of a node.
pub fn parts<'t>(node: Node<'t>, f: &mut dyn FnMut(Node<'t>)) {
    match node {
        Node::Exp(e) => parts_of_exp(e, f),
        Node::Pat(p) => parts_of_pat(p, f),
        Node::Type(t) => parts_of_type(t, f),
    }
}

fn parts_of_exp<'t>(exp: &'t Exp, f: &mut dyn FnMut(Node<'t>)) {
    use Node::{Exp as E, Pat as P, Type as T};
    match &exp.kind {
        ExpKind::Lit(_)
        | ExpKind::String(_)
        | ExpKind::Var(_)
        | ExpKind::SectionProject(_)
        | ExpKind::Hole
        | ExpKind::Error => {}
        ExpKind::Parens(e)
        | ExpKind::QualParens(_, e)
        | ExpKind::Project(e, _)
        | ExpKind::Negate(e)
        | ExpKind::Not(e)
        | ExpKind::SectionLeft(_, e)
        | ExpKind::SectionRight(_, e)
        | ExpKind::Attr(_, e) => f(E(e)),
        ExpKind::Tuple(es) | ExpKind::Array(es) | ExpKind::Constr(_, es) => {
            es.iter().for_each(|e| f(E(e)));
        }
        ExpKind::Record(fields) => {
            for field in fields {
                if let RecordField::Explicit(_, e) = field {
                    f(E(e));
                }
            }
        }
        ExpKind::Index(e, dims) => {
            f(E(e));
            parts_of_dims(dims, f);
        }
        ExpKind::SectionIndex(dims) => parts_of_dims(dims, f),
        ExpKind::Range { start, second, end, .. } => {
            f(E(start));
            second.iter().for_each(|e| f(E(e)));
            f(E(end));
        }
        ExpKind::Apply(a, b) | ExpKind::BinOp { lhs: a, rhs: b, .. } | ExpKind::Assert(a, b) => {
            f(E(a));
            f(E(b));
        }
        ExpKind::Lambda { params, ret, body } => {
            params.iter().for_each(|p| f(P(p)));
            ret.iter().for_each(|t| f(T(t)));
            f(E(body));
        }
        ExpKind::Ascript(e, t) | ExpKind::Coerce(e, t) => {
            f(E(e));
            f(T(t));
        }
        ExpKind::Let { pat, rhs, body, .. } => {
            f(P(pat));
            f(E(rhs));
            f(E(body));
        }
        ExpKind::LetFun { params, ret, rhs, body, .. } => {
            params.iter().for_each(|p| f(P(p)));
            ret.iter().for_each(|t| f(T(t)));
            f(E(rhs));
            f(E(body));
        }
        ExpKind::LetWith { path, rhs, body, .. } => {
            parts_of_path(path, f);
            f(E(rhs));
            f(E(body));
        }
        ExpKind::Update { exp, path, value } => {
            f(E(exp));
            parts_of_path(path, f);
            f(E(value));
        }
        ExpKind::If(a, b, c) => [a, b, c].into_iter().for_each(|e| f(E(e))),
        ExpKind::Match(e, cases) => {
            f(E(e));
            for Case { pat, body, .. } in cases {
                f(P(pat));
                f(E(body));
            }
        }
        ExpKind::Loop(l) => {
            f(P(&l.pat));
            l.init.iter().for_each(|e| f(E(e)));
            match &l.form {
                LoopForm::For(_, e) | LoopForm::While(e) => f(E(e)),
                LoopForm::ForIn(p, e) => {
                    f(P(p));
                    f(E(e));
                }
            }
            f(E(&l.body));
        }
    }
}

fn parts_of_dims<'t>(dims: &'t [DimIndex], f: &mut dyn FnMut(Node<'t>)) {
    for dim in dims {
        match dim {
            DimIndex::Fix(e) => f(Node::Exp(e)),
            DimIndex::Slice { start, end, stride, .. } => {
                [start, end, stride].into_iter().flatten().for_each(|e| f(Node::Exp(e)));
            }
        }
    }
}

fn parts_of_path<'t>(path: &'t [UpdateStep], f: &mut dyn FnMut(Node<'t>)) {
    for step in path {
        if let UpdateStep::Index(dims, _) = step {
            parts_of_dims(dims, f);
        }
    }
}

fn parts_of_pat<'t>(pat: &'t Pat, f: &mut dyn FnMut(Node<'t>)) {
    match &pat.kind {
        PatKind::Var(_) | PatKind::Wild | PatKind::Lit(_) | PatKind::Error => {}
        PatKind::Parens(p) | PatKind::Attr(_, p) => f(Node::Pat(p)),
        PatKind::Tuple(ps) | PatKind::Constr(_, ps) => ps.iter().for_each(|p| f(Node::Pat(p))),
        PatKind::Record(fields) => {
            fields.iter().filter_map(|(_, p)| p.as_ref()).for_each(|p| f(Node::Pat(p)));
        }
        PatKind::Ascript(p, t) => {
            f(Node::Pat(p));
            f(Node::Type(t));
        }
    }
}

fn parts_of_type<'t>(ty: &'t TypeExp, f: &mut dyn FnMut(Node<'t>)) {
    let size = |s: &'t SizeExp, f: &mut dyn FnMut(Node<'t>)| {
        if let SizeExp::Exp(e) = s {
            f(Node::Exp(e));
        }
    };
    match &ty.kind {
        TypeExpKind::Var(_) | TypeExpKind::Error => {}
        TypeExpKind::Parens(t) | TypeExpKind::Unique(t) | TypeExpKind::Exists(_, t) => {
            f(Node::Type(t));
        }
        TypeExpKind::Tuple(ts) => ts.iter().for_each(|t| f(Node::Type(t))),
        TypeExpKind::Record(fields) => fields.iter().for_each(|(_, t)| f(Node::Type(t))),
        TypeExpKind::Array(s, t) => {
            size(s, f);
            f(Node::Type(t));
        }
        TypeExpKind::Apply(t, arg) => {
            f(Node::Type(t));
            match &**arg {
                TypeArg::Size(s) => size(s, f),
                TypeArg::Type(t) => f(Node::Type(t)),
            }
        }
        TypeExpKind::Arrow(_, a, b) => {
            f(Node::Type(a));
            f(Node::Type(b));
        }
        TypeExpKind::Sum(constrs) => {
            constrs.iter().flat_map(|(_, ts)| ts).for_each(|t| f(Node::Type(t)));
        }
    }
}

/// A function and its arguments, of however many applications.
pub fn applied(exp: &Exp) -> (&Exp, Vec<&Exp>) {
    let (mut head, mut args) = (exp, Vec::new());
    while let ExpKind::Apply(fun, arg) = &head.kind {
        args.push(&**arg);
        head = fun;
    }
    args.reverse();
    (head, args)
}

/// The name of a variable that has none of a module before it.
pub fn plain_name(exp: &Exp) -> Option<&'static str> {
    match &exp.kind {
        ExpKind::Var(q) if q.quals.is_empty() => Some(q.name.name.as_str()),
        _ => None,
    }
}

/// The modules around a definition.
#[derive(Clone, Default)]
pub struct Around {
    pub modules: Vec<&'static str>,
    /// Whether one of them has parameters.
    pub parametric: bool,
}

/// A definition of a value, and where it stands.
pub struct Definition<'t> {
    pub value: &'t ValBind,
    /// Where another definition can be put before it.
    pub before: u32,
    pub around: Around,
}

/// The definitions of values in declarations, and in modules among them. `before` is where a declaration could be put
/// before the first.
pub fn definitions<'t>(
    decs: &'t [Dec],
    before: u32,
    around: &Around,
    f: &mut dyn FnMut(Definition<'t>),
) {
    let mut before = before;
    for dec in decs {
        let mut kind = &dec.kind;
        while let DecKind::Local(inner) = kind {
            kind = &inner.kind;
        }
        match kind {
            DecKind::Val(value) => f(Definition { value, before, around: around.clone() }),
            DecKind::Mod(m) => {
                let mut inner = around.clone();
                inner.modules.push(m.name.name.as_str());
                inner.parametric |= !m.params.is_empty();
                definitions_of_module(&m.body, &inner, f);
            }
            DecKind::Type(_)
            | DecKind::ModType(_)
            | DecKind::Open(_)
            | DecKind::Import(_)
            | DecKind::Local(_) => {}
        }
        before = dec.span.end;
    }
}

fn definitions_of_module<'t>(
    module: &'t ModExp,
    around: &Around,
    f: &mut dyn FnMut(Definition<'t>),
) {
    match &module.kind {
        ModExpKind::Decs(decs) => definitions(decs, module.span.start + 1, around, f),
        ModExpKind::Parens(m) | ModExpKind::Ascript(m, _) => definitions_of_module(m, around, f),
        ModExpKind::Var(_)
        | ModExpKind::Import(_)
        | ModExpKind::Apply(..)
        | ModExpKind::Lambda(..) => {}
    }
}

//! Tokens and syntax trees as text, for `--emit=tokens` and `--emit=ast`.
//!
//! A tree is a nested list, `(apply (var f) (int 1))`: on one line where it fits, else with its
//! parts indented below. Only what was written shows, without positions, so that the output of a
//! reformatted program stays the same.

use super::ast::{
    Attr, Case, Dec, DecKind, DimIndex, Exp, ExpKind, File, Ident, Liftedness, Literal, LoopForm,
    ModExp, ModExpKind, ModParam, ModTypeExp, ModTypeExpKind, Pat, PatKind, QualName, RangeKind,
    RecordField, SizeExp, Spec, SpecKind, TypeArg, TypeBind, TypeExp, TypeExpKind, TypeParam,
    UpdateStep,
};
use super::lexer::Token;
use futc_typed::prim::PrimType;
use std::fmt::Write;

/// Nested lists stay on one line up to this width.
const WIDTH: usize = 100;

/// One token per line: its bytes, kind and text.
pub fn print_tokens(tokens: &[Token], text: &str) -> String {
    let mut out = String::new();
    for token in tokens {
        // A `String` cannot fail to be written to.
        let _ =
            writeln!(out, "{}..{} {:?} {:?}", token.start, token.end, token.kind, token.text(text));
    }
    out
}

/// A file as nested lists, one declaration after the other.
pub fn print_ast(file: &File) -> String {
    let mut out = String::new();
    if let Some(doc) = &file.doc {
        leaf(format!("doc {doc:?}")).write(&mut out, 0);
        out.push('\n');
    }
    for d in &file.decs {
        dec(d).write(&mut out, 0);
        out.push('\n');
    }
    out
}

/// A list: its head and its parts. Without parts it is an atom.
struct Node {
    head: String,
    parts: Vec<Node>,
    /// Characters on one line.
    width: usize,
}

impl Node {
    fn write(&self, out: &mut String, indent: usize) {
        if self.parts.is_empty() {
            out.push_str(&self.head);
            return;
        }
        let flat = indent + self.width <= WIDTH;
        out.push('(');
        out.push_str(&self.head);
        for part in &self.parts {
            if flat {
                out.push(' ');
                // All of it fits, so its parts do.
                part.write(out, 0);
            } else {
                // Very deep trees would be mostly spaces.
                let indent = (indent + 2).min(WIDTH);
                out.push('\n');
                out.extend(std::iter::repeat_n(' ', indent));
                part.write(out, indent);
            }
        }
        out.push(')');
    }
}

fn node(head: impl Into<String>, parts: Vec<Node>) -> Node {
    let head = head.into();
    let width = head.chars().count() + 2 + parts.iter().map(|p| p.width + 1).sum::<usize>();
    Node { head, parts, width }
}

fn leaf(head: impl Into<String>) -> Node {
    node(head, Vec::new())
}

fn atom(kind: &str, text: impl std::fmt::Display) -> Node {
    node(kind, vec![leaf(text.to_string())])
}

fn dec(d: &Dec) -> Node {
    let mut parts = Vec::new();
    parts.extend(d.doc.as_ref().map(|doc| atom("doc", format!("{doc:?}"))));
    parts.extend(d.attrs.iter().map(attr));
    let head = match &d.kind {
        DecKind::Val(v) => {
            parts.push(name(v.name));
            parts.extend(v.type_params.iter().map(type_param));
            parts.extend(v.params.iter().map(pat));
            parts.extend(v.ret.as_ref().map(|t| node(":", vec![ty(t)])));
            parts.push(exp(&v.body));
            if v.entry { "entry" } else { "def" }
        }
        DecKind::Type(t) => {
            parts.extend(type_bind(t));
            lifted("type", t.liftedness)
        }
        DecKind::ModType(m) => {
            parts.push(name(m.name));
            parts.push(mod_type(&m.ty));
            "module-type"
        }
        DecKind::Mod(m) => {
            parts.push(name(m.name));
            parts.extend(m.params.iter().map(mod_param));
            parts.extend(m.ascription.as_ref().map(|s| node(":", vec![mod_type(s)])));
            parts.push(mod_exp(&m.body));
            "module"
        }
        DecKind::Open(m) => {
            parts.push(mod_exp(m));
            "open"
        }
        DecKind::Import(i) => {
            parts.push(leaf(format!("{:?}", i.path)));
            "import"
        }
        DecKind::Local(d) => {
            parts.push(dec(d));
            "local"
        }
    };
    node(head, parts)
}

fn lifted(word: &'static str, liftedness: Liftedness) -> &'static str {
    match (word, liftedness) {
        (_, Liftedness::Unlifted) => word,
        (_, Liftedness::SizeLifted) => "type~",
        (_, Liftedness::Lifted) => "type^",
    }
}

fn type_bind(t: &TypeBind) -> Vec<Node> {
    let mut parts = vec![name(t.name)];
    parts.extend(t.params.iter().map(type_param));
    parts.push(ty(&t.ty));
    parts
}

fn name(i: Ident) -> Node {
    leaf(i.name.as_str())
}

fn qual_text(q: &QualName) -> String {
    let mut text = String::new();
    for qual in &q.quals {
        text.push_str(qual.name.as_str());
        text.push('.');
    }
    text.push_str(q.name.name.as_str());
    text
}

fn type_param(p: &TypeParam) -> Node {
    match p {
        TypeParam::Size(n) => leaf(format!("[{}]", n.name)),
        TypeParam::Type(Liftedness::Unlifted, n) => leaf(format!("'{}", n.name)),
        TypeParam::Type(Liftedness::SizeLifted, n) => leaf(format!("'~{}", n.name)),
        TypeParam::Type(Liftedness::Lifted, n) => leaf(format!("'^{}", n.name)),
    }
}

fn attr(a: &Attr) -> Node {
    fn text(a: &Attr) -> String {
        match a {
            Attr::Name(n) => n.name.as_str().to_owned(),
            Attr::Int(i, _) => i.to_string(),
            Attr::Comp(n, args, _) => {
                let args: Vec<String> = args.iter().map(text).collect();
                format!("{}({})", n.name, args.join(", "))
            }
        }
    }
    leaf(format!("#[{}]", text(a)))
}

fn mod_param(p: &ModParam) -> Node {
    node("param", vec![name(p.name), mod_type(&p.ty)])
}

fn mod_exp(m: &ModExp) -> Node {
    match &m.kind {
        ModExpKind::Var(q) => leaf(qual_text(q)),
        ModExpKind::Parens(m) => node("parens", vec![mod_exp(m)]),
        ModExpKind::Import(i) => atom("import", format!("{:?}", i.path)),
        ModExpKind::Decs(decs) => node("decs", decs.iter().map(dec).collect()),
        ModExpKind::Apply(f, x) => node("apply", vec![mod_exp(f), mod_exp(x)]),
        ModExpKind::Ascript(m, s) => node(":", vec![mod_exp(m), mod_type(s)]),
        ModExpKind::Lambda(p, s, body) => {
            let mut parts = vec![mod_param(p)];
            parts.extend(s.as_ref().map(|s| node(":", vec![mod_type(s)])));
            parts.push(mod_exp(body));
            node("lambda", parts)
        }
    }
}

fn mod_type(m: &ModTypeExp) -> Node {
    match &m.kind {
        ModTypeExpKind::Var(q) => leaf(qual_text(q)),
        ModTypeExpKind::Parens(m) => node("parens", vec![mod_type(m)]),
        ModTypeExpKind::Specs(specs) => node("specs", specs.iter().map(spec).collect()),
        ModTypeExpKind::With(m, r) => {
            let mut parts = vec![mod_type(m), leaf(qual_text(&r.name))];
            parts.extend(r.params.iter().map(type_param));
            parts.push(ty(&r.ty));
            node("with", parts)
        }
        ModTypeExpKind::Arrow(n, p, r) => {
            let mut parts: Vec<Node> = n.iter().map(|n| name(*n)).collect();
            parts.extend([mod_type(p), mod_type(r)]);
            node("->", parts)
        }
    }
}

fn spec(s: &Spec) -> Node {
    let mut parts = Vec::new();
    parts.extend(s.doc.as_ref().map(|doc| atom("doc", format!("{doc:?}"))));
    parts.extend(s.attrs.iter().map(attr));
    let head = match &s.kind {
        SpecKind::Val { name: n, type_params, ty: t } => {
            parts.push(name(*n));
            parts.extend(type_params.iter().map(type_param));
            parts.push(ty(t));
            "val"
        }
        SpecKind::TypeAbbr(t) => {
            parts.extend(type_bind(t));
            lifted("type", t.liftedness)
        }
        SpecKind::Type { liftedness, name: n, params } => {
            parts.push(name(*n));
            parts.extend(params.iter().map(type_param));
            lifted("type", *liftedness)
        }
        SpecKind::Mod(n, s) => {
            parts.extend([name(*n), mod_type(s)]);
            "module"
        }
        SpecKind::Include(s) => {
            parts.push(mod_type(s));
            "include"
        }
    };
    node(head, parts)
}

fn ty(t: &TypeExp) -> Node {
    match &t.kind {
        TypeExpKind::Var(q) => leaf(qual_text(q)),
        TypeExpKind::Parens(t) => node("parens", vec![ty(t)]),
        TypeExpKind::Tuple(ts) => node("tuple", ts.iter().map(ty).collect()),
        TypeExpKind::Record(fields) => {
            let field = |(n, t): &(Ident, TypeExp)| node(n.name.as_str(), vec![ty(t)]);
            node("record", fields.iter().map(field).collect())
        }
        TypeExpKind::Array(n, t) => node("array", vec![size(n), ty(t)]),
        TypeExpKind::Unique(t) => node("*", vec![ty(t)]),
        TypeExpKind::Apply(t, arg) => {
            let arg = match &**arg {
                TypeArg::Size(n) => size(n),
                TypeArg::Type(t) => ty(t),
            };
            node("apply", vec![ty(t), arg])
        }
        TypeExpKind::Arrow(n, p, r) => {
            let mut parts: Vec<Node> = n.iter().map(|n| name(*n)).collect();
            parts.extend([ty(p), ty(r)]);
            node("->", parts)
        }
        TypeExpKind::Sum(clauses) => {
            let clause = |(n, ts): &(Ident, Vec<TypeExp>)| {
                node(format!("#{}", n.name), ts.iter().map(ty).collect())
            };
            node("sum", clauses.iter().map(clause).collect())
        }
        TypeExpKind::Exists(sizes, t) => {
            let mut parts: Vec<Node> = sizes.iter().map(|n| name(*n)).collect();
            parts.push(ty(t));
            node("exists", parts)
        }
        TypeExpKind::Error => leaf("<error>"),
    }
}

fn size(n: &SizeExp) -> Node {
    match n {
        SizeExp::Any(_) => leaf("[]"),
        SizeExp::Exp(e) => node("size", vec![exp(e)]),
    }
}

fn pat(p: &Pat) -> Node {
    match &p.kind {
        PatKind::Var(n) => atom("bind", n.name),
        PatKind::Wild => leaf("_"),
        PatKind::Parens(p) => node("parens", vec![pat(p)]),
        PatKind::Tuple(ps) => node("tuple", ps.iter().map(pat).collect()),
        PatKind::Record(fields) => {
            let field =
                |(n, p): &(Ident, Option<Pat>)| node(n.name.as_str(), p.iter().map(pat).collect());
            node("record", fields.iter().map(field).collect())
        }
        PatKind::Ascript(p, t) => node(":", vec![pat(p), ty(t)]),
        PatKind::Lit(l) => literal(l),
        PatKind::Constr(n, ps) => node(format!("#{}", n.name), ps.iter().map(pat).collect()),
        PatKind::Attr(a, p) => node("attr", vec![attr(a), pat(p)]),
        PatKind::Error => leaf("<error>"),
    }
}

fn literal(l: &Literal) -> Node {
    let sign = |negative: &bool| if *negative { "-" } else { "" };
    let suffix = |t: &Option<PrimType>| t.map_or("", PrimType::name);
    match l {
        Literal::Int { negative, digits, suffix: t, .. } => {
            leaf(format!("{}{digits}{}", sign(negative), suffix(t)))
        }
        Literal::Float { negative, text, suffix: t } => {
            atom("float", format!("{}{text}{}", sign(negative), suffix(t)))
        }
        Literal::Bool(b) => leaf(b.to_string()),
        Literal::Char(c) => leaf(format!("{c:?}")),
    }
}

fn exp(e: &Exp) -> Node {
    match &e.kind {
        ExpKind::Lit(l) => literal(l),
        ExpKind::String(s) => leaf(format!("{:?}", String::from_utf8_lossy(s))),
        ExpKind::Var(q) => atom("var", qual_text(q)),
        ExpKind::Parens(e) => node("parens", vec![exp(e)]),
        ExpKind::QualParens(q, e) => node("open", vec![leaf(qual_text(q)), exp(e)]),
        ExpKind::Tuple(es) => node("tuple", es.iter().map(exp).collect()),
        ExpKind::Record(fields) => {
            let field = |f: &RecordField| match f {
                RecordField::Explicit(n, e) => node(n.name.as_str(), vec![exp(e)]),
                RecordField::Implicit(q) => leaf(qual_text(q)),
            };
            node("record", fields.iter().map(field).collect())
        }
        ExpKind::Array(es) => node("array", es.iter().map(exp).collect()),
        ExpKind::Project(e, f) => node("project", vec![exp(e), name(*f)]),
        ExpKind::Index(e, dims) => {
            let mut parts = vec![exp(e)];
            parts.extend(dims.iter().map(dim));
            node("index", parts)
        }
        ExpKind::Range { start, second, kind, end } => {
            let mut parts = vec![exp(start)];
            parts.extend(second.iter().map(|e| exp(e)));
            parts.push(exp(end));
            let kind = match kind {
                RangeKind::Inclusive => "...",
                RangeKind::UpTo => "..<",
                RangeKind::DownTo => "..>",
            };
            node(kind, parts)
        }
        ExpKind::Constr(n, es) => node(format!("#{}", n.name), es.iter().map(exp).collect()),
        ExpKind::Apply(f, x) => {
            // An application of several arguments is one list.
            let mut args = vec![exp(x)];
            let mut f = f;
            while let ExpKind::Apply(g, y) = &f.kind {
                args.push(exp(y));
                f = g;
            }
            args.push(exp(f));
            args.reverse();
            node("apply", args)
        }
        ExpKind::BinOp { op, lhs, rhs } => node(qual_text(op), vec![exp(lhs), exp(rhs)]),
        ExpKind::Negate(e) => node("negate", vec![exp(e)]),
        ExpKind::Not(e) => node("not", vec![exp(e)]),
        ExpKind::Lambda { params, ret, body } => {
            let mut parts: Vec<Node> = params.iter().map(pat).collect();
            parts.extend(ret.as_ref().map(|t| node(":", vec![ty(t)])));
            parts.push(exp(body));
            node("lambda", parts)
        }
        ExpKind::SectionLeft(op, e) => node("section", vec![exp(e), leaf(qual_text(op))]),
        ExpKind::SectionRight(op, e) => node("section", vec![leaf(qual_text(op)), exp(e)]),
        ExpKind::SectionProject(fields) => {
            node("section", fields.iter().map(|f| leaf(format!(".{}", f.name))).collect())
        }
        ExpKind::SectionIndex(dims) => {
            node("section", vec![node("index", dims.iter().map(dim).collect())])
        }
        ExpKind::Ascript(e, t) => node(":", vec![exp(e), ty(t)]),
        ExpKind::Coerce(e, t) => node(":>", vec![exp(e), ty(t)]),
        ExpKind::Let { sizes, pat: p, rhs, body } => {
            let mut parts: Vec<Node> =
                sizes.iter().map(|n| leaf(format!("[{}]", n.name))).collect();
            parts.extend([pat(p), exp(rhs), exp(body)]);
            node("let", parts)
        }
        ExpKind::LetFun { name: n, type_params, params, ret, rhs, body } => {
            let mut parts = vec![name(*n)];
            parts.extend(type_params.iter().map(type_param));
            parts.extend(params.iter().map(pat));
            parts.extend(ret.as_ref().map(|t| node(":", vec![ty(t)])));
            parts.extend([exp(rhs), exp(body)]);
            node("let-fun", parts)
        }
        ExpKind::LetWith { name: n, path, rhs, body } => {
            node("let-with", vec![name(*n), steps(path), exp(rhs), exp(body)])
        }
        ExpKind::Update { exp: e, path, value } => {
            node("with", vec![exp(e), steps(path), exp(value)])
        }
        ExpKind::If(c, t, f) => node("if", vec![exp(c), exp(t), exp(f)]),
        ExpKind::Match(e, cases) => {
            let mut parts = vec![exp(e)];
            parts.extend(
                cases.iter().map(|Case { pat: p, body, .. }| node("case", vec![pat(p), exp(body)])),
            );
            node("match", parts)
        }
        ExpKind::Loop(l) => {
            let mut parts: Vec<Node> =
                l.sizes.iter().map(|n| leaf(format!("[{}]", n.name))).collect();
            parts.push(pat(&l.pat));
            parts.extend(l.init.iter().map(exp));
            parts.push(match &l.form {
                LoopForm::For(n, e) => node("for", vec![name(*n), exp(e)]),
                LoopForm::ForIn(p, e) => node("for-in", vec![pat(p), exp(e)]),
                LoopForm::While(e) => node("while", vec![exp(e)]),
            });
            parts.push(exp(&l.body));
            node("loop", parts)
        }
        ExpKind::Assert(c, e) => node("assert", vec![exp(c), exp(e)]),
        ExpKind::Attr(a, e) => node("attr", vec![attr(a), exp(e)]),
        ExpKind::Hole => leaf("???"),
        ExpKind::Error => leaf("<error>"),
    }
}

fn steps(path: &[UpdateStep]) -> Node {
    let step = |step: &UpdateStep| match step {
        UpdateStep::Index(dims, _) => node("index", dims.iter().map(dim).collect()),
        UpdateStep::Field(f) => leaf(format!(".{}", f.name)),
    };
    node("path", path.iter().map(step).collect())
}

fn dim(d: &DimIndex) -> Node {
    let bound = |e: &Option<Box<Exp>>| e.as_ref().map_or_else(|| leaf("_"), |e| exp(e));
    match d {
        DimIndex::Fix(e) => exp(e),
        DimIndex::Slice { start, end, stride, .. } => {
            node("slice", vec![bound(start), bound(end), bound(stride)])
        }
    }
}

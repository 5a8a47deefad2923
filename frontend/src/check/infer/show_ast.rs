//! Expressions as they were written, more or less, on one line: for the messages of `assert`.

use crate::check::types::edit::PRELUDE;
use crate::syntax::ast::{DimIndex, Exp, ExpKind, Literal, QualName, RangeKind};

/// The text of an expression. Long constructs are abridged.
pub(crate) fn exp(e: &Exp) -> String {
    match &e.kind {
        ExpKind::Lit(l) => literal(l),
        ExpKind::String(s) => format!("{:?}", String::from_utf8_lossy(s)),
        ExpKind::Var(name) => {
            let text = qual(name);
            if name.name.name.as_str().starts_with(|c: char| c.is_alphabetic() || c == '_') {
                text
            } else {
                format!("({text})")
            }
        }
        ExpKind::Parens(e) => format!("({})", exp(e)),
        ExpKind::QualParens(m, e) => format!("{}.({})", qual(m), exp(e)),
        ExpKind::Tuple(es) => format!("({})", all(es)),
        ExpKind::Array(es) => format!("[{}]", all(es)),
        ExpKind::Project(e, f) => format!("{}.{}", exp(e), f.name),
        ExpKind::Index(a, index) => format!("{}[{}]", exp(a), dims(index)),
        ExpKind::Range { start, second, kind, end } => {
            let second = second.as_ref().map_or_else(String::new, |e| format!("..{}", exp(e)));
            let dots = match kind {
                RangeKind::Inclusive => "...",
                RangeKind::UpTo => "..<",
                RangeKind::DownTo => "..>",
            };
            format!("{}{second}{dots}{}", exp(start), exp(end))
        }
        ExpKind::Constr(c, es) => {
            let es: String = es.iter().map(|e| format!(" {}", exp(e))).collect();
            format!("#{}{es}", c.name)
        }
        ExpKind::Apply(f, x) => format!("{} {}", exp(f), exp(x)),
        ExpKind::BinOp { op, lhs, rhs } => {
            let name = op.name.name.as_str();
            let op = qual(op);
            if name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
                format!("{} `{op}` {}", exp(lhs), exp(rhs))
            } else {
                format!("{} {op} {}", exp(lhs), exp(rhs))
            }
        }
        ExpKind::Negate(e) => format!("-{}", exp(e)),
        ExpKind::Not(e) => format!("!{}", exp(e)),
        ExpKind::SectionLeft(op, e) => format!("({} {})", exp(e), qual(op)),
        ExpKind::SectionRight(op, e) => format!("({} {})", qual(op), exp(e)),
        ExpKind::SectionProject(fields) => {
            let fields: String = fields.iter().map(|f| format!(".{}", f.name)).collect();
            format!("({fields})")
        }
        ExpKind::SectionIndex(index) => format!("(.[{}])", dims(index)),
        ExpKind::If(c, t, f) => format!("if {} then {} else {}", exp(c), exp(t), exp(f)),
        ExpKind::Ascript(e, _) | ExpKind::Coerce(e, _) | ExpKind::Attr(_, e) => exp(e),
        ExpKind::Lambda { body, .. } => format!("(\\… -> {})", exp(body)),
        ExpKind::Let { body, .. }
        | ExpKind::LetFun { body, .. }
        | ExpKind::LetWith { body, .. } => format!("let … in {}", exp(body)),
        ExpKind::Assert(c, e) => format!("assert {} {}", exp(c), exp(e)),
        ExpKind::Hole => "???".into(),
        ExpKind::Record(_) => "{…}".into(),
        ExpKind::Update { exp: e, .. } => format!("{} with …", exp(e)),
        ExpKind::Match(e, _) => format!("match {} …", exp(e)),
        ExpKind::Loop(_) => "loop …".into(),
        ExpKind::Error => String::new(),
    }
}

fn all(es: &[Exp]) -> String {
    es.iter().map(exp).collect::<Vec<_>>().join(", ")
}

fn dims(index: &[DimIndex]) -> String {
    let part = |e: &Option<Box<Exp>>| e.as_ref().map_or_else(String::new, |e| exp(e));
    let dims: Vec<String> = index
        .iter()
        .map(|i| match i {
            DimIndex::Fix(e) => exp(e),
            DimIndex::Slice { start, end, stride, .. } => {
                let stride = stride.as_ref().map_or_else(String::new, |e| format!(":{}", exp(e)));
                format!("{}:{}{stride}", part(start), part(end))
            }
        })
        .collect();
    dims.join(", ")
}

fn qual(name: &QualName) -> String {
    let parts = name.quals.iter().chain([&name.name]).map(|p| p.name.as_str());
    parts.filter(|p| *p != PRELUDE).collect::<Vec<_>>().join(".")
}

/// A literal as it was written.
pub fn literal(l: &Literal) -> String {
    match l {
        Literal::Int { negative, digits, suffix, .. } => {
            let suffix = suffix.map_or("", futc_typed::prim::PrimType::name);
            format!("{}{digits}{suffix}", if *negative { "-" } else { "" })
        }
        Literal::Float { negative, text, suffix } => {
            let suffix = suffix.map_or("", futc_typed::prim::PrimType::name);
            format!("{}{text}{suffix}", if *negative { "-" } else { "" })
        }
        Literal::Bool(b) => b.to_string(),
        Literal::Char(c) => format!("{c:?}"),
    }
}

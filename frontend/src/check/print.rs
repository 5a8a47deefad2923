//! Types and the typed program as text, in Futhark-like syntax.
//!
//! What the source leaves out is put in: instantiations as `f{t}[n]`, sizes that an expression
//! binds as `?[k].e`. A variable whose name another one of the same definition has too gets its
//! number, as in `x_12`; to this end the first variable of a name that is met keeps it plain.

use futc_typed::diet::Diet;
use futc_typed::name::Name;
use futc_typed::program::{
    Attr, Case, Def, DimIndex, Exp, ExpKind, FunDef, Inst, Loop, LoopForm, Pat, PatKind, Program,
    RangeEnd, VarId,
};
use futc_typed::types::{Arrow, Size, Type, TypeArg};
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write;

/// Prints the types and terms of one definition.
#[derive(Debug, Default)]
pub struct TypePrinter {
    names: RefCell<HashMap<Name, Vec<u32>>>,
}

/// A whole program as text.
pub fn program(p: &Program) -> String {
    let mut out = String::new();
    for opaque in &p.opaques {
        let printer = TypePrinter::default();
        let params: Vec<String> = opaque.params.iter().map(|v| printer.var(*v)).collect();
        let rep = printer.ty(&opaque.rep);
        let _ = writeln!(out, "type {}{} = {rep}", opaque.name, list(&params, " ", " "));
    }
    if !p.opaques.is_empty() {
        out.push('\n');
    }
    for def in &p.defs {
        out.push_str(&definition(def));
        out.push('\n');
    }
    out
}

fn list(parts: &[String], before: &str, between: &str) -> String {
    if parts.is_empty() { String::new() } else { format!("{before}{}", parts.join(between)) }
}

/// A definition as text, ending in a line break.
pub fn definition(def: &Def) -> String {
    let printer = TypePrinter::default();
    let mut out = String::new();
    for attr in &def.attrs {
        let _ = writeln!(out, "#[{}]", attribute(attr));
    }
    let keyword = if def.entry.is_some() { "entry" } else { "def" };
    let _ = write!(out, "{keyword} {}", def.name);
    out.push_str(&printer.head(&def.fun));
    out.push_str(" =\n  ");
    printer.exp(&def.fun.body, 1, &mut out);
    out.push('\n');
    out
}

fn attribute(attr: &Attr) -> String {
    match attr {
        Attr::Name(n) => n.to_string(),
        Attr::Int(i) => i.to_string(),
        Attr::Comp(n, args) => {
            let args: Vec<String> = args.iter().map(attribute).collect();
            format!("{n}({})", args.join(", "))
        }
    }
}

/// How tightly an expression is bound: 0 needs no parentheses anywhere, 1 as an operand, 2 as a
/// part of a larger expression.
fn looseness(e: &Exp) -> u8 {
    match &e.kind {
        ExpKind::Lit(_)
        | ExpKind::String(_)
        | ExpKind::Var(..)
        | ExpKind::Global(..)
        | ExpKind::Intrinsic(..)
        | ExpKind::Record(_)
        | ExpKind::ArrayLit(_)
        | ExpKind::Hole
        | ExpKind::Project(..)
        | ExpKind::Index(..) => 0,
        ExpKind::Constr(_, args) if args.is_empty() => 0,
        ExpKind::App { sizes, .. } if !sizes.is_empty() => 2,
        ExpKind::Constr(..) | ExpKind::App { .. } => 1,
        ExpKind::Update { .. }
        | ExpKind::RecordUpdate { .. }
        | ExpKind::Range { .. }
        | ExpKind::Lambda(_)
        | ExpKind::And(..)
        | ExpKind::Or(..)
        | ExpKind::Let { .. }
        | ExpKind::LetFun { .. }
        | ExpKind::If { .. }
        | ExpKind::Match { .. }
        | ExpKind::Loop(_)
        | ExpKind::Assert { .. }
        | ExpKind::Coerce(_)
        | ExpKind::Attr(..) => 2,
    }
}

impl TypePrinter {
    /// A variable.
    pub fn var(&self, v: VarId) -> String {
        let mut names = self.names.borrow_mut();
        let tags = names.entry(v.name).or_default();
        let position = tags.iter().position(|t| *t == v.tag).unwrap_or_else(|| {
            tags.push(v.tag);
            tags.len() - 1
        });
        if position == 0 { v.name.to_string() } else { format!("{}_{position}", v.name) }
    }

    /// A size, without brackets.
    pub fn size(&self, size: &Size) -> String {
        match size {
            Size::Const(n) => n.to_string(),
            Size::Var(v) => self.var(*v),
            Size::Global(d) => global(d),
            Size::Exp(e) => {
                let mut out = String::new();
                self.exp(e, 0, &mut out);
                out
            }
            Size::Unknown => String::new(),
        }
    }

    fn sizes(&self, sizes: &[VarId]) -> String {
        sizes.iter().map(|v| format!("[{}]", self.var(*v))).collect()
    }

    /// A type.
    pub fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Prim(p) => p.to_string(),
            Type::Array { size, elem } => format!("[{}]{}", self.size(size), self.atom(elem)),
            Type::Record(fields) => match ty.as_tuple() {
                Some(parts) => {
                    let parts: Vec<String> = parts.into_iter().map(|t| self.ty(t)).collect();
                    format!("({})", parts.join(", "))
                }
                None => {
                    let fields: Vec<String> =
                        fields.iter().map(|(n, t)| format!("{n}: {}", self.ty(t))).collect();
                    format!("{{{}}}", fields.join(", "))
                }
            },
            Type::Sum(constrs) => {
                let constrs: Vec<String> = constrs
                    .iter()
                    .map(|(n, ts)| {
                        let ts: String = ts.iter().map(|t| format!(" {}", self.atom(t))).collect();
                        format!("#{n}{ts}")
                    })
                    .collect();
                constrs.join(" | ")
            }
            Type::Arrow(a) => self.arrow(a),
            Type::Param(v) => self.var(*v),
            Type::Opaque(id, args) => {
                let args: String = args
                    .iter()
                    .map(|arg| match arg {
                        TypeArg::Size(s) => format!(" [{}]", self.size(s)),
                        TypeArg::Type(t) => format!(" {}", self.atom(t)),
                    })
                    .collect();
                format!("@type{}.{}{args}", id.file.0, id.index)
            }
        }
    }

    /// A type as a part of another one.
    fn atom(&self, ty: &Type) -> String {
        match ty {
            Type::Sum(_) | Type::Arrow(_) => format!("({})", self.ty(ty)),
            Type::Opaque(_, args) if !args.is_empty() => format!("({})", self.ty(ty)),
            _ => self.ty(ty),
        }
    }

    /// A type with what is marked `*` in it.
    fn marked(&self, ty: &Type, diet: &Diet) -> String {
        match (diet, ty) {
            (Diet::Observe, _) => self.ty(ty),
            (Diet::Parts(_), Type::Record(fields)) => {
                let tuple = ty.as_tuple().is_some();
                let parts: Vec<String> = fields
                    .iter()
                    .map(|(n, t)| {
                        let t = self.marked(t, diet.part(*n));
                        if tuple { t } else { format!("{n}: {t}") }
                    })
                    .collect();
                let (open, close) = if tuple { ('(', ')') } else { ('{', '}') };
                format!("{open}{}{close}", parts.join(", "))
            }
            _ => format!("*{}", self.ty(ty)),
        }
    }

    fn arrow(&self, a: &Arrow) -> String {
        let param = match (&a.param, a.name) {
            (t, Some(v)) => format!("({}: {})", self.var(v), self.marked(t, &a.consumes)),
            (Type::Arrow(_) | Type::Sum(_), None) => {
                let star = if a.consumes == Diet::Consume { "*" } else { "" };
                format!("{star}({})", self.ty(&a.param))
            }
            (t, None) => self.marked(t, &a.consumes),
        };
        let exists = if a.ret_sizes.is_empty() {
            String::new()
        } else {
            format!("?{}.", self.sizes(&a.ret_sizes))
        };
        format!("{param} -> {exists}{}", self.marked(&a.ret, &a.unique_ret))
    }

    /// Parameters and result of a function.
    fn head(&self, f: &FunDef) -> String {
        let mut out = String::new();
        for v in &f.size_params {
            let _ = write!(out, " [{}]", self.var(*v));
        }
        for v in &f.type_params {
            let _ = write!(out, " '{}", self.var(*v));
        }
        for p in &f.params {
            let pat = self.pat(&p.pat);
            let _ = write!(out, " ({pat}: {})", self.marked(&p.pat.ty, &p.consumes));
        }
        let exists = if f.ret_sizes.is_empty() {
            String::new()
        } else {
            format!("?{}.", self.sizes(&f.ret_sizes))
        };
        let _ = write!(
            out,
            " : {exists}{}",
            self.marked(&f.ret, f.unique_ret.as_ref().unwrap_or(&Diet::Observe))
        );
        out
    }

    fn pat(&self, p: &Pat) -> String {
        match &p.kind {
            PatKind::Wild => "_".into(),
            PatKind::Var(v) => self.var(*v),
            PatKind::Record(fields) => {
                if p.ty.as_tuple().is_some() {
                    let ps: Vec<String> = fields.iter().map(|(_, p)| self.pat(p)).collect();
                    return format!("({})", ps.join(", "));
                }
                let ps: Vec<String> =
                    fields.iter().map(|(n, p)| format!("{n} = {}", self.pat(p))).collect();
                format!("{{{}}}", ps.join(", "))
            }
            PatKind::Constr(n, ps) => {
                let ps: String = ps
                    .iter()
                    .map(|p| match &p.kind {
                        PatKind::Constr(_, qs) if !qs.is_empty() => format!(" ({})", self.pat(p)),
                        _ => format!(" {}", self.pat(p)),
                    })
                    .collect();
                format!("#{n}{ps}")
            }
            PatKind::Lit(x) => x.to_string(),
        }
    }

    fn inst(&self, inst: &Inst) -> String {
        let mut out = String::new();
        if !inst.types.is_empty() {
            let types: Vec<String> = inst.types.iter().map(|t| self.ty(t)).collect();
            let _ = write!(out, "{{{}}}", types.join(", "));
        }
        for s in &inst.sizes {
            let _ = write!(out, "[{}]", self.size(s));
        }
        out
    }

    /// An expression as a part of another one, in parentheses if looser than `limit`.
    fn part(&self, e: &Exp, limit: u8, depth: usize, out: &mut String) {
        if looseness(e) > limit {
            out.push('(');
            self.exp(e, depth, out);
            out.push(')');
        } else {
            self.exp(e, depth, out);
        }
    }

    fn many<'e>(&self, es: impl Iterator<Item = &'e Exp>, depth: usize, out: &mut String) {
        for (i, e) in es.enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            self.exp(e, depth, out);
        }
    }

    fn line(depth: usize, out: &mut String) {
        out.push('\n');
        for _ in 0..depth {
            out.push_str("  ");
        }
    }

    fn exists(&self, sizes: &[VarId], out: &mut String) {
        if !sizes.is_empty() {
            let _ = write!(out, "?{}.", self.sizes(sizes));
        }
    }

    fn dims(&self, index: &[DimIndex], depth: usize, out: &mut String) {
        out.push('[');
        for (i, d) in index.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            match d {
                DimIndex::Fix(e) => self.exp(e, depth, out),
                DimIndex::Slice { start, end, stride } => {
                    if let Some(e) = start {
                        self.part(e, 1, depth, out);
                    }
                    out.push(':');
                    if let Some(e) = end {
                        self.part(e, 1, depth, out);
                    }
                    if let Some(e) = stride {
                        out.push(':');
                        self.part(e, 1, depth, out);
                    }
                }
            }
        }
        out.push(']');
    }

    /// An expression; `depth` is the indentation of its further lines.
    pub fn exp(&self, e: &Exp, depth: usize, out: &mut String) {
        match &e.kind {
            ExpKind::Lit(x) => {
                let _ = write!(out, "{x}");
            }
            ExpKind::String(s) => {
                let _ = write!(out, "{:?}", String::from_utf8_lossy(s));
            }
            ExpKind::Var(v, inst) => {
                out.push_str(&self.var(*v));
                out.push_str(&self.inst(inst));
            }
            ExpKind::Global(d, inst) => {
                out.push_str(&global(d));
                out.push_str(&self.inst(inst));
            }
            ExpKind::Intrinsic(n, inst) => {
                let _ = write!(out, "intrinsics.{n}{}", self.inst(inst));
            }
            ExpKind::Record(fields) => {
                if e.ty.as_tuple().is_some() {
                    out.push('(');
                    self.many(fields.iter().map(|(_, e)| e), depth, out);
                    out.push(')');
                } else {
                    out.push('{');
                    for (i, (n, e)) in fields.iter().enumerate() {
                        if i > 0 {
                            out.push_str(", ");
                        }
                        let _ = write!(out, "{n} = ");
                        self.exp(e, depth, out);
                    }
                    out.push('}');
                }
            }
            ExpKind::ArrayLit(es) => {
                out.push('[');
                self.many(es.iter(), depth, out);
                out.push(']');
                if es.is_empty() {
                    let _ = write!(out, " : {}", self.ty(&e.ty));
                }
            }
            ExpKind::Project(e, n) => {
                self.part(e, 0, depth, out);
                let _ = write!(out, ".{n}");
            }
            ExpKind::Constr(n, es) => {
                let _ = write!(out, "#{n}");
                for e in es {
                    out.push(' ');
                    self.part(e, 0, depth, out);
                }
            }
            ExpKind::Index(a, index) => {
                self.part(a, 0, depth, out);
                self.dims(index, depth, out);
            }
            ExpKind::Update { array, index, value } => {
                self.part(array, 1, depth, out);
                out.push_str(" with ");
                self.dims(index, depth, out);
                out.push_str(" = ");
                self.part(value, 1, depth, out);
            }
            ExpKind::RecordUpdate { record, path, value } => {
                self.part(record, 1, depth, out);
                let path: Vec<&str> = path.iter().map(|n| n.as_str()).collect();
                let _ = write!(out, " with {} = ", path.join("."));
                self.part(value, 1, depth, out);
            }
            ExpKind::Range { start, second, end } => {
                self.part(start, 1, depth, out);
                if let Some(e) = second {
                    out.push_str("..");
                    self.part(e, 1, depth, out);
                }
                let (dots, end) = match end {
                    RangeEnd::Inclusive(e) => ("...", e),
                    RangeEnd::UpTo(e) => ("..<", e),
                    RangeEnd::DownTo(e) => ("..>", e),
                };
                out.push_str(dots);
                self.part(end, 1, depth, out);
            }
            ExpKind::Lambda(f) => {
                let _ = write!(out, "\\{} ->", self.head(f).trim_start());
                Self::line(depth + 1, out);
                self.exp(&f.body, depth + 1, out);
            }
            ExpKind::App { fun, args, sizes } => self.app(fun, args, sizes, depth, out),
            ExpKind::And(a, b) => self.infix(a, "&&", b, depth, out),
            ExpKind::Or(a, b) => self.infix(a, "||", b, depth, out),
            ExpKind::Let { sizes, pat, rhs, body } => {
                out.push_str("let ");
                if !sizes.is_empty() {
                    let _ = write!(out, "{} ", self.sizes(sizes));
                }
                let _ = write!(out, "{}: {} = ", self.pat(pat), self.ty(&pat.ty));
                self.exp(rhs, depth + 1, out);
                Self::line(depth, out);
                out.push_str("in ");
                self.exp(body, depth, out);
            }
            ExpKind::LetFun { name, fun, body } => {
                let _ = write!(out, "let {}{} =", self.var(*name), self.head(fun));
                Self::line(depth + 1, out);
                self.exp(&fun.body, depth + 1, out);
                Self::line(depth, out);
                out.push_str("in ");
                self.exp(body, depth, out);
            }
            ExpKind::If { cond, then, otherwise, sizes } => {
                self.exists(sizes, out);
                out.push_str("if ");
                self.exp(cond, depth + 1, out);
                Self::line(depth, out);
                out.push_str("then ");
                self.exp(then, depth + 1, out);
                Self::line(depth, out);
                out.push_str("else ");
                self.exp(otherwise, depth + 1, out);
            }
            ExpKind::Match { scrutinee, cases, sizes } => {
                self.exists(sizes, out);
                out.push_str("match ");
                self.exp(scrutinee, depth + 1, out);
                for Case { pat, body } in cases {
                    Self::line(depth, out);
                    let _ = write!(out, "case {} -> ", self.pat(pat));
                    self.exp(body, depth + 1, out);
                }
            }
            ExpKind::Loop(l) => self.loop_exp(l, depth, out),
            ExpKind::Assert { cond, body, .. } => {
                out.push_str("assert ");
                self.part(cond, 0, depth, out);
                out.push(' ');
                self.part(body, 0, depth, out);
            }
            ExpKind::Coerce(inner) => {
                self.part(inner, 1, depth, out);
                let _ = write!(out, " :> {}", self.ty(&e.ty));
            }
            ExpKind::Attr(attr, e) => {
                let _ = write!(out, "#[{}] ", attribute(attr));
                self.exp(e, depth, out);
            }
            ExpKind::Hole => out.push_str("???"),
        }
    }

    fn infix(&self, a: &Exp, op: &str, b: &Exp, depth: usize, out: &mut String) {
        let part = |e: &Exp, out: &mut String| {
            let operator = matches!(&e.kind, ExpKind::App { fun, .. }
                if matches!(&fun.kind, ExpKind::Intrinsic(n, _) if is_operator(*n)));
            self.part(e, u8::from(!operator), depth, out);
        };
        part(a, out);
        let _ = write!(out, " {op} ");
        part(b, out);
    }

    fn app(&self, fun: &Exp, args: &[Exp], sizes: &[VarId], depth: usize, out: &mut String) {
        self.exists(sizes, out);
        if let (ExpKind::Intrinsic(op, _), [a, b]) = (&fun.kind, args)
            && is_operator(*op)
        {
            self.infix(a, op.as_str(), b, depth, out);
            return;
        }
        self.part(fun, 0, depth, out);
        for a in args {
            out.push(' ');
            self.part(a, 0, depth, out);
        }
    }

    fn loop_exp(&self, l: &Loop, depth: usize, out: &mut String) {
        self.exists(&l.result_sizes, out);
        out.push_str("loop ");
        if !l.sizes.is_empty() {
            let _ = write!(out, "{} ", self.sizes(&l.sizes));
        }
        let _ = write!(out, "{}: {} = ", self.pat(&l.pat), self.ty(&l.pat.ty));
        self.exp(&l.init, depth + 1, out);
        match &l.form {
            LoopForm::For(v, bound) => {
                let _ = write!(out, " for {} < ", self.var(*v));
                self.exp(bound, depth + 1, out);
            }
            LoopForm::ForIn(p, array) => {
                let _ = write!(out, " for {} in ", self.pat(p));
                self.exp(array, depth + 1, out);
            }
            LoopForm::While(cond) => {
                out.push_str(" while ");
                self.exp(cond, depth + 1, out);
            }
        }
        out.push_str(" do");
        Self::line(depth + 1, out);
        self.exp(&l.body, depth + 1, out);
    }
}

fn is_operator(n: Name) -> bool {
    !n.as_str().starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '!')
        || n.as_str() == "!="
}

fn global(d: &futc_typed::program::DefId) -> String {
    format!("@{}.{}", d.file.0, d.index)
}

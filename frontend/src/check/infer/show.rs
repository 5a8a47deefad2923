//! Types in source syntax, for diagnostics and for editors.

use crate::check::infer::metas::Metas;
use crate::check::infer::placeholder::literal_index;
use crate::check::infer::show_ast;
use crate::check::infer::unknown::{Constraint, is_meta};
use crate::check::types::env::{Env, ModBinding, Scheme, TypeBinding, TypeParamKind, ValueBinding};
use crate::syntax::ast::{Liftedness, Literal};
use futc_typed::diet::Diet;
use futc_typed::name::Name;
use futc_typed::prim::PrimValue;
use futc_typed::program::{DefId, Exp, ExpKind, TypeId, VarId};
use futc_typed::span::Span;
use futc_typed::types::{Size, Type, TypeArg};
use std::collections::HashMap;
use std::fmt::Write;

/// How long the text of a type may become before parts of it are left out.
const MAX_TEXT: usize = 4_000;

/// Shows types; distinct variables of one name are told apart by ticks.
#[derive(Default)]
pub struct Show<'a> {
    literals: &'a [(Literal, Span)],
    env: Option<&'a Env>,
    metas: Option<&'a Metas>,
    names: HashMap<VarId, String>,
    taken: HashMap<Name, usize>,
}

impl<'a> Show<'a> {
    /// With what is known of types still to be found, and the literals among them, which sizes may
    /// mention.
    pub(crate) fn with_unknowns(
        self,
        metas: &'a Metas,
        literals: &'a [(Literal, Span)],
    ) -> Show<'a> {
        Show { metas: Some(metas), literals, ..self }
    }

    /// With the names of top-level values, which sizes may mention.
    pub(crate) fn with_env(self, env: &'a Env) -> Show<'a> {
        Show { env: Some(env), ..self }
    }

    /// `[n] 'a : [n]a -> a`, as in a specification.
    pub fn scheme(&mut self, scheme: &Scheme) -> String {
        let mut out = String::new();
        for v in &scheme.size_params {
            let _ = write!(out, "[{}] ", self.var(*v));
        }
        for (liftedness, v) in &scheme.type_params {
            let _ = write!(out, "{}{} ", mark(*liftedness), self.var(*v));
        }
        out.push_str(": ");
        self.ty(&mut out, &scheme.ty, Level::Whole);
        out
    }

    /// `type~ t 'a [n] = [n]a`, as in a declaration; an abstract type has no right-hand side.
    pub fn type_binding(&mut self, name: &str, binding: &TypeBinding) -> String {
        let mut out = declaration(name, binding.liftedness);
        for (kind, v) in &binding.params {
            let text = self.var(*v).to_owned();
            let _ = match kind {
                TypeParamKind::Size => write!(out, " [{text}]"),
                TypeParamKind::Type(l) => write!(out, " {}{text}", mark(*l)),
            };
        }
        let own = match &binding.ty {
            Type::Opaque(id, args) => {
                let type_name = self.opaque(*id);
                let last = type_name.rsplit('.').next().unwrap_or(type_name);
                last == name.rsplit('.').next().unwrap_or(name)
                    && args.len() == binding.params.len()
                    && args.iter().zip(&binding.params).all(|(arg, (_, v))| match arg {
                        TypeArg::Size(s) => *s == Size::Var(*v),
                        TypeArg::Type(t) => *t == Type::Param(*v),
                    })
            }
            _ => false,
        };
        if own {
            return out;
        }
        out.push_str(" = ");
        if !binding.sizes.is_empty() {
            out.push('?');
            for v in &binding.sizes {
                let text = self.var(*v).to_owned();
                let _ = write!(out, "[{text}]");
            }
            out.push('.');
        }
        self.ty(&mut out, &binding.ty, Level::Whole);
        out
    }

    /// A type.
    pub fn type_text(&mut self, ty: &Type) -> String {
        let mut out = String::new();
        self.ty(&mut out, ty, Level::Whole);
        out
    }

    /// A size.
    pub fn size_text(&mut self, size: &Size) -> String {
        let mut out = String::new();
        self.size(&mut out, size);
        out
    }

    fn var(&mut self, v: VarId) -> &str {
        let taken = &mut self.taken;
        self.names.entry(v).or_insert_with(|| {
            let n = taken.entry(v.name).or_insert(0);
            let text = format!("{}{}", v.name, "'".repeat(*n));
            *n += 1;
            text
        })
    }

    fn opaque(&self, id: TypeId) -> &'static str {
        id.name.as_str()
    }

    /// A type with what is marked `*` in it.
    fn marked(&mut self, out: &mut String, ty: &Type, diet: &Diet, level: Level) {
        match (diet, ty) {
            (Diet::Observe, _) => self.ty(out, ty, level),
            (Diet::Parts(_), Type::Record(_)) => self.record(out, ty, diet),
            (Diet::Consume | Diet::Parts(_), _) => {
                out.push('*');
                self.ty(out, ty, level);
            }
        }
    }

    fn record(&mut self, out: &mut String, ty: &Type, diet: &Diet) {
        let Type::Record(fields) = ty else { return };
        let tuple = ty.as_tuple().is_some();
        out.push(if tuple { '(' } else { '{' });
        for (i, (n, t)) in fields.iter().enumerate() {
            out.push_str(if i > 0 { ", " } else { "" });
            if !tuple {
                let _ = write!(out, "{n}: ");
            }
            self.marked(out, t, diet.part(*n), Level::Whole);
        }
        out.push(if tuple { ')' } else { '}' });
    }

    fn ty(&mut self, out: &mut String, ty: &Type, level: Level) {
        if out.len() > MAX_TEXT {
            // What is shared is shown each time, so that the text can be of any length.
            out.push('…');
            return;
        }
        match ty {
            Type::Prim(p) => out.push_str(p.name()),
            Type::Param(v) => match self.metas {
                Some(metas) if is_meta(*v) => self.unknown(out, *v, metas, level),
                _ => {
                    let text = self.var(*v).to_owned();
                    out.push_str(&text);
                }
            },
            Type::Array { size, elem } => {
                out.push('[');
                self.size(out, size);
                out.push(']');
                self.ty(out, elem, Level::Atom);
            }
            Type::Record(_) => self.record(out, ty, &Diet::Observe),
            Type::Sum(constrs) => self.sum(out, constrs, level, ""),
            Type::Arrow(arrow) => {
                let parens = level != Level::Whole;
                if parens {
                    out.push('(');
                }
                match arrow.name {
                    Some(v) => {
                        let name = self.var(v).to_owned();
                        let _ = write!(out, "({name}: ");
                        self.marked(out, &arrow.param, &arrow.consumes, Level::Whole);
                        out.push(')');
                    }
                    None => {
                        self.marked(out, &arrow.param, &arrow.consumes, Level::Param);
                    }
                }
                out.push_str(" -> ");
                if !arrow.ret_sizes.is_empty() {
                    out.push('?');
                    for v in &arrow.ret_sizes {
                        let text = self.var(*v).to_owned();
                        let _ = write!(out, "[{text}]");
                    }
                    out.push('.');
                }
                self.marked(out, &arrow.ret, &arrow.unique_ret, Level::Whole);
                if parens {
                    out.push(')');
                }
            }
            Type::Opaque(id, args) => {
                let parens = level == Level::Atom && !args.is_empty();
                if parens {
                    out.push('(');
                }
                out.push_str(self.opaque(*id));
                for arg in args.iter() {
                    out.push(' ');
                    match arg {
                        TypeArg::Size(s) => {
                            out.push('[');
                            self.size(out, s);
                            out.push(']');
                        }
                        TypeArg::Type(t) => self.ty(out, t, Level::Atom),
                    }
                }
                if parens {
                    out.push(')');
                }
            }
        }
    }

    fn sum(&mut self, out: &mut String, constrs: &[(Name, Vec<Type>)], level: Level, end: &str) {
        let parens = level != Level::Whole;
        if parens {
            out.push('(');
        }
        for (i, (n, ts)) in constrs.iter().enumerate() {
            let _ = write!(out, "{}#{n}", if i > 0 { " | " } else { "" });
            for t in ts {
                out.push(' ');
                self.ty(out, t, Level::Atom);
            }
        }
        out.push_str(end);
        if parens {
            out.push(')');
        }
    }

    /// A type still to be found: what is known of it.
    fn unknown(&mut self, out: &mut String, v: VarId, metas: &Metas, level: Level) {
        match metas.constraint(v) {
            Constraint::Any => {
                let text = self.var(v).to_owned();
                out.push_str(&text);
            }
            Constraint::Prims(set) => out.push_str(set.name()),
            Constraint::Record(mut fields) => {
                fields.sort_by(|a, b| futc_typed::types::field_order(a.0, b.0));
                out.push('{');
                for (n, t) in &fields {
                    let _ = write!(out, "{n}: ");
                    self.ty(out, &metas.zonk(t), Level::Whole);
                    out.push_str(", ");
                }
                out.push_str("...}");
            }
            Constraint::Sum(constrs) => {
                let known: Vec<(Name, Vec<Type>)> = constrs
                    .iter()
                    .map(|(n, ts)| (*n, ts.iter().map(|t| metas.zonk(t)).collect()))
                    .collect();
                self.sum(out, &known, level, " | ...");
            }
        }
    }

    fn size(&mut self, out: &mut String, size: &Size) {
        match size {
            Size::Const(c) => {
                let _ = write!(out, "{c}");
            }
            Size::Var(v) => {
                let text = self.var(*v).to_owned();
                out.push_str(&text);
            }
            Size::Global(d) => out.push_str(&self.global(*d)),
            Size::Exp(e) => self.exp(out, e, false),
            Size::Unknown => {}
        }
    }

    fn global(&self, d: DefId) -> String {
        let path = self.env.and_then(|env| path_of(env, d));
        path.unwrap_or_else(|| d.name.to_string())
    }

    /// The expressions that stand in sizes; others are shown as dots.
    fn exp(&mut self, out: &mut String, e: &Exp, atom: bool) {
        match &e.kind {
            ExpKind::Lit(PrimValue::I64(c)) => {
                let _ = write!(out, "{c}");
            }
            ExpKind::Lit(v) => {
                let _ = write!(out, "{v}");
            }
            ExpKind::Var(v, _) => {
                let text = self.var(*v).to_owned();
                out.push_str(&text);
            }
            ExpKind::Global(d, _) => out.push_str(&self.global(*d)),
            ExpKind::Intrinsic(n, _) => out.push_str(n.as_str()),
            ExpKind::Project(e, n) => {
                self.exp(out, e, true);
                let _ = write!(out, ".{n}");
            }
            ExpKind::App { fun, args, .. } => {
                if atom {
                    out.push('(');
                }
                match (&fun.kind, args.as_slice()) {
                    (ExpKind::Intrinsic(op, _), [a, b])
                        if !op.as_str().starts_with(|c: char| c.is_alphanumeric()) =>
                    {
                        self.exp(out, a, true);
                        let _ = write!(out, " {op} ");
                        self.exp(out, b, true);
                    }
                    _ => {
                        self.exp(out, fun, true);
                        for a in args {
                            out.push(' ');
                            self.exp(out, a, true);
                        }
                    }
                }
                if atom {
                    out.push(')');
                }
            }
            ExpKind::Attr(_, inner) => match literal_index(e).and_then(|i| self.literals.get(i)) {
                Some((literal, _)) => out.push_str(&show_ast::literal(literal)),
                None => self.exp(out, inner, atom),
            },
            _ => out.push_str("..."),
        }
    }
}

/// How a value is reached in a scope, by the shortest way.
fn path_of(env: &Env, d: DefId) -> Option<String> {
    let is_it = |v: &ValueBinding| matches!(v, ValueBinding::Def { id, .. } if *id == d);
    let here = env.values.iter().filter(|(_, v)| is_it(v)).map(|(name, _)| name.to_string());
    let inside = env.modules.iter().filter_map(|(name, module)| match module {
        ModBinding::Structure(inner) => path_of(inner, d).map(|path| format!("{name}.{path}")),
        ModBinding::Functor(_) => None,
    });
    here.chain(inside).min_by(|a, b| (a.len(), a).cmp(&(b.len(), b)))
}

fn mark(liftedness: Liftedness) -> &'static str {
    match liftedness {
        Liftedness::Unlifted => "'",
        Liftedness::SizeLifted => "'~",
        Liftedness::Lifted => "'^",
    }
}

/// `type~ t`
fn declaration(name: &str, liftedness: Liftedness) -> String {
    let word = match liftedness {
        Liftedness::Unlifted => "type",
        Liftedness::SizeLifted => "type~",
        Liftedness::Lifted => "type^",
    };
    format!("{word} {name}")
}

/// The declaration of an abstract type with parameters of these kinds.
pub fn abstract_declaration(
    name: &str,
    liftedness: Liftedness,
    params: &[TypeParamKind],
) -> String {
    let mut out = declaration(name, liftedness);
    for (kind, letter) in params.iter().zip(('a'..='z').cycle()) {
        let _ = match kind {
            TypeParamKind::Size => write!(out, " [{letter}]"),
            TypeParamKind::Type(l) => write!(out, " {}{letter}", mark(*l)),
        };
    }
    out
}

/// What may stand without parentheses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    /// Anything.
    Whole,
    /// Left of an arrow.
    Param,
    /// An element or an argument.
    Atom,
}

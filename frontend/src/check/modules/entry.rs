//! Entry points: which definitions can be one, and how the outside sees them.

use crate::check::types::elab::Elab;
use crate::check::types::env::Scheme;
use crate::check::types::subst::size_vars_of_type;
use crate::diag::{Code, Diagnostic};
use crate::syntax::ast::{self, Liftedness, PatKind, TypeExp, TypeExpKind};
use futc_typed::diet::Diet;
use futc_typed::name::Name;
use futc_typed::program::{Entry, EntryParam, EntryType, FunDef, VarId};
use futc_typed::span::Span;
use futc_typed::types::{Size, Type, TypeArg};
use std::collections::HashSet;

/// Why a definition cannot be an entry point.
enum EntryError {
    /// It is polymorphic.
    Polymorphic,
    /// It takes a function.
    TakesFunction,
    /// It returns a function.
    ReturnsFunction,
    /// No array that it takes is of this size.
    UntoldSize { size: Name },
    /// Its caller would choose this size of its result.
    SizeOfCaller { size: Name },
}

impl EntryError {
    /// The diagnostic about the entry point `name`, of what is at `span`.
    fn at(self, name: Name, span: Span) -> Diagnostic {
        let (code, message, hint) = match self {
            EntryError::Polymorphic => (
                Code::PolymorphicEntry,
                format!("the entry point {name} is polymorphic"),
                "define an entry point for each type it is to be used at",
            ),
            EntryError::TakesFunction => (
                Code::HigherOrderEntry,
                format!("the entry point {name} takes a function"),
                "values of functions cannot come from outside; use a sum type to say which",
            ),
            EntryError::ReturnsFunction => (
                Code::HigherOrderEntry,
                format!("the entry point {name} returns a function"),
                "values of functions cannot go outside",
            ),
            EntryError::UntoldSize { size } => (
                Code::NonconstructiveEntry,
                format!(
                    "the size {size} of the entry point {name} is not the size of any array it takes"
                ),
                "sizes of entry points are read from the arrays they take",
            ),
            EntryError::SizeOfCaller { size } => (
                Code::SizePolymorphicEntry,
                format!(
                    "the size {size} of the result of the entry point {name} is its caller's choice"
                ),
                "make the size an ordinary parameter",
            ),
        };
        Diagnostic::error(code, span, message).hint(hint)
    }
}

/// What the outside sees of a definition, or why it cannot be an entry point.
pub fn entry(
    cx: &Elab,
    vb: &ast::ValBind,
    scheme: &Scheme,
    fun: &FunDef,
) -> Result<Entry, Vec<Diagnostic>> {
    let mut wrong = Vec::new();
    let name = vb.name.name;
    let mut refuse = |span: Span, error: EntryError| wrong.push(error.at(name, span));
    if !scheme.type_params.is_empty() {
        refuse(vb.name.span, EntryError::Polymorphic);
    }
    let mut params = Vec::new();
    let mut result = &scheme.ty;
    let mut last_unique = false;
    let mut written_params = vb.params.iter();
    let mut written_result = vb.ret.as_ref();
    let mut witnessed: HashSet<VarId> = HashSet::new();
    while let Type::Arrow(arrow) = result {
        let pat = written_params.next();
        // A result written as a function type goes on with its parameters.
        let (pat_name, written) = match pat {
            Some(pat) => (pattern_name(pat), pattern_type(pat)),
            None => match written_result.map(without_parens) {
                Some(TypeExp { kind: TypeExpKind::Arrow(n, param, ret), .. }) => {
                    written_result = Some(ret);
                    (n.map(|n| n.name), Some(param.as_ref()))
                }
                _ => {
                    written_result = None;
                    (None, None)
                }
            },
        };
        if functional(&arrow.param) {
            refuse(pat.map_or(vb.name.span, |p| p.span), EntryError::TakesFunction);
        }
        sizes_of_arrays(&arrow.param, &mut witnessed);
        if arrow.name.is_some() && arrow.param == Type::Prim(futc_typed::prim::PrimType::I64) {
            witnessed.extend(arrow.name);
        }
        params.push(EntryParam {
            name: pat_name.or(arrow.name.map(|v| v.name)).unwrap_or_else(|| Name::new("_")),
            ty: EntryType {
                written: written.map(|te| text(cx, te)),
                unique: arrow.consumes.any(),
                ty: arrow.param.clone(),
            },
        });
        last_unique = arrow.unique_ret == Diet::Consume;
        witnessed.extend(arrow.ret_sizes.iter().copied());
        result = &arrow.ret;
    }
    if functional(result) {
        refuse(vb.name.span, EntryError::ReturnsFunction);
    }
    let mut in_result = HashSet::new();
    sizes_of_arrays(result, &mut in_result);
    let mut mentioned = HashSet::new();
    for param in &params {
        size_vars_of_type(&param.ty.ty, &mut |v| {
            mentioned.insert(v);
        });
    }
    for v in &scheme.size_params {
        if mentioned.contains(v) && !witnessed.contains(v) {
            refuse(vb.name.span, EntryError::UntoldSize { size: v.name });
        } else if in_result.contains(v) && !witnessed.contains(v) {
            refuse(vb.name.span, EntryError::SizeOfCaller { size: v.name });
        }
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let ty = if params.len() == fun.params.len() { fun.ret.clone() } else { result.clone() };
    Ok(Entry {
        name,
        params,
        result: EntryType {
            written: written_result.map(|te| text(cx, te)),
            // What was found out of a result that is not written is no promise to the outside.
            unique: written_result.is_some_and(starred) || (last_unique && vb.ret.is_some()),
            ty,
        },
    })
}

fn without_parens(te: &TypeExp) -> &TypeExp {
    match &te.kind {
        TypeExpKind::Parens(te) => without_parens(te),
        _ => te,
    }
}

fn starred(te: &TypeExp) -> bool {
    matches!(without_parens(te).kind, TypeExpKind::Unique(_))
}

/// The type as written, without `*`, with single blanks.
fn text(cx: &Elab, te: &TypeExp) -> String {
    let te = without_parens(te);
    if let TypeExpKind::Unique(te) = &te.kind {
        return text(cx, te);
    }
    let range = te.span.start as usize..te.span.end as usize;
    let written = cx.text_of(te.span.file).get(range).unwrap_or_default();
    let mut out = String::with_capacity(written.len());
    for line in written.lines() {
        let code = line.split("--").next().unwrap_or_default();
        for word in code.split_whitespace() {
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(word);
        }
    }
    out
}

fn pattern_name(pat: &ast::Pat) -> Option<Name> {
    match &pat.kind {
        PatKind::Var(id) => Some(id.name),
        PatKind::Parens(p) | PatKind::Ascript(p, _) | PatKind::Attr(_, p) => pattern_name(p),
        PatKind::Wild
        | PatKind::Tuple(_)
        | PatKind::Record(_)
        | PatKind::Lit(_)
        | PatKind::Constr(..)
        | PatKind::Error => None,
    }
}

fn pattern_type(pat: &ast::Pat) -> Option<&TypeExp> {
    match &pat.kind {
        PatKind::Ascript(_, te) => Some(te),
        PatKind::Parens(p) | PatKind::Attr(_, p) => pattern_type(p),
        PatKind::Var(_)
        | PatKind::Wild
        | PatKind::Tuple(_)
        | PatKind::Record(_)
        | PatKind::Lit(_)
        | PatKind::Constr(..)
        | PatKind::Error => None,
    }
}

fn functional(ty: &Type) -> bool {
    match ty {
        Type::Prim(_) | Type::Param(_) => false,
        Type::Array { elem, .. } => functional(elem),
        Type::Record(fields) => fields.iter().any(|(_, t)| functional(t)),
        Type::Sum(constrs) => constrs.iter().any(|(_, ts)| ts.iter().any(functional)),
        Type::Arrow(_) => true,
        Type::Opaque(id, args) => {
            id.liftedness == Liftedness::Lifted
                || args.iter().any(|a| match a {
                    TypeArg::Size(_) => false,
                    TypeArg::Type(t) => functional(t),
                })
        }
    }
}

fn sizes_of_arrays(ty: &Type, out: &mut HashSet<VarId>) {
    match ty {
        Type::Prim(_) | Type::Param(_) | Type::Arrow(_) => {}
        Type::Array { size, elem } => {
            if let Size::Var(v) = size {
                out.insert(*v);
            }
            sizes_of_arrays(elem, out);
        }
        Type::Record(fields) => fields.iter().for_each(|(_, t)| sizes_of_arrays(t, out)),
        Type::Sum(constrs) => {
            constrs.iter().flat_map(|(_, ts)| ts).for_each(|t| sizes_of_arrays(t, out));
        }
        Type::Opaque(_, args) => {
            for a in args.iter() {
                match a {
                    TypeArg::Size(Size::Var(v)) => {
                        out.insert(*v);
                    }
                    // An abstract type need not have a value of its argument in it.
                    TypeArg::Size(_) | TypeArg::Type(_) => {}
                }
            }
        }
    }
}

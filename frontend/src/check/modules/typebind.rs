//! Type abbreviations, and type expressions outside of terms.
//!
//! Outside of terms there is nothing to infer a size from, so `[]` is an existential size in an
//! abbreviation, and refused left of an arrow in a specification.

use crate::check::definition::check_size;
use crate::check::infer::extent::check_extent;
use crate::check::types::elab::Elab;
use crate::check::types::env::{Env, Scheme, TypeBinding, TypeParamKind};
use crate::check::types::sizes::witnessed;
use crate::check::types::subst::size_vars_of_type;
use crate::check::types::typeexp::{DimPosition, SizeScope, resolve_type};
use crate::diag::{Code, Diagnostic};
use crate::syntax::ast::{self, Ident, Liftedness, TypeParam};
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use futc_typed::program::VarId;
use futc_typed::span::Span;
use futc_typed::types::{Size, Type};
use std::collections::HashSet;

/// What is wrong with a type abbreviation or a specification.
enum TypeBindError {
    /// `[]` left of an arrow in a specification.
    AnonymousParam,
    /// Two parameters of one name.
    NamedTwice { name: Name },
    /// It holds more than it is declared to hold.
    Lifted { name: Name, needs: Liftedness },
    /// A size parameter that the type does not mention.
    UnusedSize { name: Name },
    /// `[]` that is the size of no array outside of functions.
    AnonymousUntold,
}

impl TypeBindError {
    /// The diagnostic, of what is at `span`.
    fn at(self, span: Span) -> Diagnostic {
        let error = |code, message: String| Diagnostic::error(code, span, message);
        match self {
            TypeBindError::AnonymousParam => error(
                Code::AnonymousSizeInSpec,
                "a size left of an arrow in a specification must have a name".into(),
            )
            .hint("name it as a size parameter, as in val f [n] : [n]i32 -> i32"),
            TypeBindError::NamedTwice { name } => {
                error(Code::DuplicateParameter, format!("the parameter {name} is named twice"))
            }
            TypeBindError::Lifted { name, needs } => {
                let (what, word) = match needs {
                    Liftedness::Lifted => ("functions", "type^"),
                    Liftedness::SizeLifted | Liftedness::Unlifted => {
                        ("arrays of unknown size", "type~")
                    }
                };
                error(
                    Code::LiftednessMismatch,
                    format!("the type {name} may hold {what} and is not declared so"),
                )
                .hint(format!("declare it with {word}"))
            }
            TypeBindError::UnusedSize { name } => error(
                Code::UnusedSizeParameter,
                format!("the size parameter {name} is not used in the type"),
            ),
            TypeBindError::AnonymousUntold => error(
                Code::AnonymousNonconstructive,
                "this type has an anonymous size that is not the size of any array in it, outside \
                 of function types"
                    .into(),
            )
            .hint(
                "a function does not tell the sizes it works on: make the size a parameter of the \
                 type, as in type^ t [n] = [n]bool -> bool",
            ),
        }
    }
}

/// What becomes of `[]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Anonymous {
    /// An existential size of the whole.
    Existential,
    /// A specification: refused in parameters, unknown in constants.
    Spec,
}

/// The scope of a type expression outside of terms.
struct DeclScope {
    locals: Vec<(Name, VarId, Type)>,
    types: Vec<(Name, Liftedness, VarId)>,
    anonymous: Anonymous,
    existentials: Vec<VarId>,
}

impl SizeScope for DeclScope {
    fn size(&mut self, cx: &mut Elab, env: &Env, exp: &ast::Exp) -> Option<Size> {
        check_size(cx, env, &self.locals, exp)
    }

    fn anonymous(&mut self, cx: &mut Elab, span: Span, place: DimPosition) -> Option<Size> {
        match (self.anonymous, place) {
            (Anonymous::Existential, _) => {
                let v = cx.fresh_var(Name::new("d"));
                self.existentials.push(v);
                Some(Size::Var(v))
            }
            (Anonymous::Spec, DimPosition::Outer) => Some(Size::Unknown),
            (Anonymous::Spec, DimPosition::ArrowParam) => {
                cx.report(TypeBindError::AnonymousParam.at(span));
                None
            }
        }
    }

    fn type_param(&self, name: Name) -> Option<(Liftedness, VarId)> {
        self.types.iter().rev().find(|(n, _, _)| *n == name).map(|(_, l, v)| (*l, *v))
    }

    fn bind(&mut self, name: Ident, var: VarId, ty: &Type) {
        self.locals.push((name.name, var, ty.clone()));
    }

    fn unbind(&mut self) {
        self.locals.pop();
    }
}

impl DeclScope {
    /// A scope with parameters in it, which must be distinct; also returns them in order.
    fn new(
        cx: &mut Elab,
        params: &[TypeParam],
        anonymous: Anonymous,
    ) -> (DeclScope, Vec<(TypeParamKind, VarId)>) {
        let mut scope = DeclScope {
            locals: Vec::new(),
            types: Vec::new(),
            anonymous,
            existentials: Vec::new(),
        };
        let params = type_params(cx, params);
        for (kind, v) in &params {
            match kind {
                TypeParamKind::Size => {
                    scope.locals.push((v.name, *v, Type::Prim(PrimType::I64)));
                }
                TypeParamKind::Type(l) => scope.types.push((v.name, *l, *v)),
            }
        }
        (scope, params)
    }
}

/// Variables for parameters; reports those that occur twice.
pub fn type_params(cx: &mut Elab, params: &[TypeParam]) -> Vec<(TypeParamKind, VarId)> {
    let mut seen = HashSet::new();
    params
        .iter()
        .map(|p| {
            let (ident, kind) = match p {
                TypeParam::Size(id) => (id, TypeParamKind::Size),
                TypeParam::Type(l, id) => (id, TypeParamKind::Type(*l)),
            };
            if !seen.insert((ident.name, kind == TypeParamKind::Size)) {
                cx.report(TypeBindError::NamedTwice { name: ident.name }.at(ident.span));
            }
            (kind, cx.fresh_var(ident.name))
        })
        .collect()
}

/// `type t 'a [n] = te`
pub fn type_bind(
    cx: &mut Elab,
    env: &Env,
    bind: &ast::TypeBind,
    span: Span,
) -> Option<TypeBinding> {
    let binding = abbreviation(cx, env, &bind.params, &bind.ty, bind.liftedness, span)?;
    let needs = if binding.1 > bind.liftedness {
        Some(binding.1)
    } else if !binding.0.sizes.is_empty() && bind.liftedness == Liftedness::Unlifted {
        Some(Liftedness::SizeLifted)
    } else {
        None
    };
    if let Some(needs) = needs {
        cx.report(TypeBindError::Lifted { name: bind.name.name, needs }.at(bind.ty.span));
        return None;
    }
    Some(binding.0)
}

/// An abbreviation whatever its liftedness, and the liftedness of its right-hand side.
pub fn abbreviation(
    cx: &mut Elab,
    env: &Env,
    params: &[TypeParam],
    te: &ast::TypeExp,
    liftedness: Liftedness,
    span: Span,
) -> Option<(TypeBinding, Liftedness)> {
    let (mut scope, vars) = DeclScope::new(cx, params, Anonymous::Existential);
    let resolved = resolve_type(cx, env, &mut scope, te)?;
    let mut used = HashSet::new();
    size_vars_of_type(&resolved.ty, &mut |v| {
        used.insert(v);
    });
    for (kind, v) in &vars {
        if *kind == TypeParamKind::Size && !used.contains(v) {
            cx.report(TypeBindError::UnusedSize { name: v.name }.at(span));
            return None;
        }
    }
    for v in &scope.existentials {
        if !witnessed(&resolved.ty, *v) {
            cx.report(TypeBindError::AnonymousUntold.at(te.span));
            return None;
        }
    }
    let mut sizes = resolved.sizes;
    sizes.extend(scope.existentials);
    Some((
        TypeBinding { liftedness, params: vars, sizes, ty: resolved.ty, span },
        resolved.liftedness,
    ))
}

/// The type of `val x 'a [n] : te`.
pub fn spec_scheme(
    cx: &mut Elab,
    env: &Env,
    params: &[TypeParam],
    te: &ast::TypeExp,
) -> Option<Scheme> {
    let (mut scope, vars) = DeclScope::new(cx, params, Anonymous::Spec);
    let resolved = resolve_type(cx, env, &mut scope, te)?;
    if !check_extent(cx, &resolved.ty, te.span) {
        return None;
    }
    let mut scheme = Scheme { type_params: Vec::new(), size_params: Vec::new(), ty: resolved.ty };
    for (kind, v) in vars {
        match kind {
            TypeParamKind::Size => scheme.size_params.push(v),
            TypeParamKind::Type(l) => scheme.type_params.push((l, v)),
        }
    }
    // A constant of existential size, `val x : ?[n].[n]i32`, has a size of its own.
    if !resolved.sizes.is_empty() {
        let mut subst = crate::check::types::subst::Subst::default();
        subst.sizes.extend(resolved.sizes.iter().map(|v| (*v, Size::Unknown)));
        scheme.ty = subst.ty(&scheme.ty);
    }
    Some(scheme)
}

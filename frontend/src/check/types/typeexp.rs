//! Type expressions to types.
//!
//! Before: an [`ast::TypeExp`]; after: a [`Type`] in which names are resolved, abbreviations are
//! applied and every dimension is a [`Size`].
//!
//! Where dimensions come from is not known here: in a parameter `[]` makes a size parameter, in a
//! result an existential size, in an expression something to be inferred. So the caller passes a
//! [`SizeScope`], which also knows the local names that sizes may mention. One case is decided
//! here: `[]` and `?[n].` in the result of an arrow bind the size at that arrow.

use super::errors::TypeError;
use crate::check::types::alike::closest;
use crate::check::types::elab::Elab;
use crate::check::types::env::{Env, Namespace, TypeParamKind};
use crate::check::types::lookup::module_not_found;
use crate::check::types::sizes::witnessed;
use crate::check::types::subst::{Subst, size_vars};
use crate::syntax::ast::{self, Ident, Liftedness, SizeExp, TypeExpKind};
use futc_typed::diet::Diet;
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use futc_typed::program::VarId;
use futc_typed::span::Span;
use futc_typed::types::{Arrow, Size, Type, TypeArg, field_order};
use std::collections::HashSet;
use std::sync::Arc;

/// How many constructors a sum type may have: a value says in one byte which it is of.
const MAX_CONSTRUCTORS: usize = 256;

/// Where an anonymous dimension stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DimPosition {
    /// Outside of every arrow, as in `x: []i32`.
    Outer,
    /// In a parameter of a function type, as in `f: []i32 -> i32`.
    ArrowParam,
}

/// What a type expression's surroundings know about sizes and local types.
pub trait SizeScope {
    /// The size written `[exp]`. Reports and returns `None` if it is not one.
    fn size(&mut self, cx: &mut Elab, env: &Env, exp: &ast::Exp) -> Option<Size>;

    /// The size written `[]`, or one that an abbreviation leaves open. Reports and returns
    /// `None` where there may be none.
    fn anonymous(&mut self, cx: &mut Elab, span: Span, place: DimPosition) -> Option<Size>;

    /// A type parameter in scope.
    fn type_param(&self, name: Name) -> Option<(Liftedness, VarId)>;

    /// Brings the name of a parameter of a function type, or an existential size, into scope.
    fn bind(&mut self, name: Ident, var: VarId, ty: &Type);

    /// Ends the scope of the name bound last.
    fn unbind(&mut self);
}

/// What a type expression stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resolved {
    /// The type.
    pub ty: Type,
    /// What is marked `*`.
    pub diet: Diet,
    /// Existential sizes written at the outside, `?[n].t`, outermost first.
    pub sizes: Vec<VarId>,
    /// What the type may hold.
    pub liftedness: Liftedness,
}

/// Reads a type expression. Errors are reported; then there is no result.
pub fn resolve_type(
    cx: &mut Elab,
    env: &Env,
    scope: &mut dyn SizeScope,
    te: &ast::TypeExp,
) -> Option<Resolved> {
    let mut resolver = Resolver {
        cx,
        env,
        scope,
        place: DimPosition::Outer,
        result: None,
        sizes: Vec::new(),
        mentioned: HashSet::new(),
        chain: Vec::new(),
    };
    let part = resolver.part(te)?;
    let sizes = resolver.sizes;
    for v in &sizes {
        if !witnessed(&part.ty, *v) {
            resolver.cx.report(TypeError::UnusedExistential { name: v.name }.at(te.span));
            return None;
        }
    }
    Some(Resolved { ty: part.ty, diet: part.diet, sizes, liftedness: part.liftedness })
}

struct Elaborated {
    ty: Type,
    diet: Diet,
    liftedness: Liftedness,
}

struct Resolver<'a> {
    cx: &'a mut Elab,
    env: &'a Env,
    scope: &'a mut dyn SizeScope,
    place: DimPosition,
    /// Existential sizes of the arrow whose result this is, if it is one.
    result: Option<Vec<VarId>>,
    /// Existential sizes written outside of arrows.
    sizes: Vec<VarId>,
    /// Variables in sizes seen so far, to find which parameter names matter.
    mentioned: HashSet<VarId>,
    /// Names of parameters of the function types around.
    chain: Vec<Name>,
}

impl Resolver<'_> {
    fn error<T>(&mut self, span: Span, error: TypeError) -> Option<T> {
        self.cx.report(error.at(span));
        None
    }

    fn part(&mut self, te: &ast::TypeExp) -> Option<Elaborated> {
        match &te.kind {
            TypeExpKind::Parens(te) => self.part(te),
            TypeExpKind::Error => None,
            TypeExpKind::Var(_) | TypeExpKind::Apply(..) => self.application(te),
            TypeExpKind::Unique(te) => {
                let (whole, part) = (te, self.part(te)?);
                if !part.ty.aliases() && !self.cx.applying {
                    self.cx.warn(TypeError::NothingToConsume.at(whole.span));
                }
                let diet = if part.ty.aliases() { Diet::Consume } else { Diet::Observe };
                Some(Elaborated { diet, ..part })
            }
            TypeExpKind::Tuple(parts) => {
                let mut fields = Vec::with_capacity(parts.len());
                let mut diets = Vec::with_capacity(parts.len());
                let mut liftedness = Liftedness::Unlifted;
                // Later components are still looked at when one is wrong.
                let parts: Vec<Option<Elaborated>> = parts.iter().map(|te| self.part(te)).collect();
                for (i, part) in parts.into_iter().enumerate() {
                    let part = part?;
                    liftedness = liftedness.max(part.liftedness);
                    diets.push((Name::new(&i.to_string()), part.diet, part.ty.aliases()));
                    fields.push(part.ty);
                }
                Some(Elaborated {
                    ty: Type::tuple(fields),
                    diet: Diet::of_parts(diets),
                    liftedness,
                })
            }
            TypeExpKind::Record(fields) => self.record(fields),
            TypeExpKind::Sum(constrs) => self.sum(constrs),
            TypeExpKind::Array(size, elem) => {
                let size = self.size(size);
                let elem_part = self.part(elem)?;
                if elem_part.liftedness != Liftedness::Unlifted {
                    return self.error(elem.span, TypeError::LiftedElement);
                }
                let diet = if elem_part.diet.any() { Diet::Consume } else { Diet::Observe };
                Some(Elaborated {
                    ty: elem_part.ty.array(size?),
                    diet,
                    liftedness: Liftedness::Unlifted,
                })
            }
            TypeExpKind::Arrow(name, param, ret) => self.arrow(*name, param, ret),
            TypeExpKind::Exists(names, te) => self.exists(names, te),
        }
    }

    fn record(&mut self, written: &[(Ident, ast::TypeExp)]) -> Option<Elaborated> {
        let mut fields: Vec<(Name, Type)> = Vec::with_capacity(written.len());
        let mut diets = Vec::with_capacity(written.len());
        let mut seen = HashSet::new();
        let mut liftedness = Liftedness::Unlifted;
        let mut ok = true;
        for (name, te) in written {
            if !seen.insert(name.name) {
                ok = false;
                self.error::<()>(name.span, TypeError::FieldTwice { name: name.name });
            }
            match self.part(te) {
                Some(part) => {
                    liftedness = liftedness.max(part.liftedness);
                    diets.push((name.name, part.diet, part.ty.aliases()));
                    fields.push((name.name, part.ty));
                }
                None => ok = false,
            }
        }
        fields.sort_by(|a, b| field_order(a.0, b.0));
        ok.then(|| Elaborated {
            ty: Type::Record(fields.into()),
            diet: Diet::of_parts(diets),
            liftedness,
        })
    }

    fn sum(&mut self, written: &[(Ident, Vec<ast::TypeExp>)]) -> Option<Elaborated> {
        if written.len() > MAX_CONSTRUCTORS
            && let Some((name, _)) = written.get(MAX_CONSTRUCTORS)
        {
            return self
                .error(name.span, TypeError::TooManyConstructors { most: MAX_CONSTRUCTORS });
        }
        let mut constrs: Vec<(Name, Vec<Type>)> = Vec::with_capacity(written.len());
        let mut diets = Vec::with_capacity(written.len());
        let mut seen = HashSet::new();
        let mut liftedness = Liftedness::Unlifted;
        let mut ok = true;
        for (name, payload) in written {
            if !seen.insert(name.name) {
                ok = false;
                self.error::<()>(name.span, TypeError::ConstructorTwice { name: name.name });
            }
            let mut types = Vec::with_capacity(payload.len());
            let mut marks = Vec::with_capacity(payload.len());
            for (i, te) in payload.iter().enumerate() {
                match self.part(te) {
                    Some(part) => {
                        liftedness = liftedness.max(part.liftedness);
                        marks.push((Name::new(&i.to_string()), part.diet, part.ty.aliases()));
                        types.push(part.ty);
                    }
                    None => ok = false,
                }
            }
            diets.push((name.name, Diet::of_parts(marks), types.iter().any(Type::aliases)));
            constrs.push((name.name, types));
        }
        constrs.sort_by(|a, b| a.0.as_str().cmp(b.0.as_str()));
        ok.then(|| Elaborated {
            ty: Type::Sum(constrs.into()),
            diet: Diet::of_parts(diets),
            liftedness,
        })
    }

    fn arrow(
        &mut self,
        name: Option<Ident>,
        param: &ast::TypeExp,
        ret: &ast::TypeExp,
    ) -> Option<Elaborated> {
        let outer_place = std::mem::replace(&mut self.place, DimPosition::ArrowParam);
        let outer_result = self.result.take();
        let param_part = self.part(param);
        // The result of a parameter's arrow was restored to `None` by the callee; ours begins.
        self.result = Some(Vec::new());
        let depth = self.chain.len();
        if let Some(n) = name.filter(|n| n.name.as_str() != "_") {
            if self.chain.contains(&n.name) {
                self.error::<()>(n.span, TypeError::ParameterTwice { name: n.name });
            }
            self.chain.push(n.name);
        }
        let named = name.filter(|n| n.name.as_str() != "_").map(|n| {
            let var = self.cx.fresh_var(n.name);
            let unit = Type::unit();
            let ty = param_part.as_ref().map_or(&unit, |p| &p.ty);
            self.scope.bind(n, var, ty);
            var
        });
        let ret_part = self.part(ret);
        self.chain.truncate(depth);
        if named.is_some() {
            self.scope.unbind();
        }
        let ret_sizes = self.result.take().unwrap_or_default();
        self.place = outer_place;
        self.result = outer_result;
        let (param_part, ret_part) = (param_part?, ret_part?);
        for v in &ret_sizes {
            if !witnessed(&ret_part.ty, *v) {
                let d = TypeError::UnusedExistential { name: v.name }.at(ret.span);
                self.cx.report(d);
                return None;
            }
        }
        let arrow = Arrow {
            name: named.filter(|v| self.mentioned.contains(v)),
            param: param_part.ty,
            consumes: param_part.diet,
            ret_sizes,
            ret: ret_part.ty,
            unique_ret: ret_part.diet,
        };
        Some(Elaborated {
            ty: Type::Arrow(Arc::new(arrow)),
            diet: Diet::Observe,
            liftedness: Liftedness::Lifted,
        })
    }

    fn exists(&mut self, names: &[Ident], te: &ast::TypeExp) -> Option<Elaborated> {
        let i64_type = Type::Prim(PrimType::I64);
        let vars: Vec<VarId> = names
            .iter()
            .map(|n| {
                let var = self.cx.fresh_var(n.name);
                self.scope.bind(*n, var, &i64_type);
                var
            })
            .collect();
        let part = self.part(te);
        vars.iter().for_each(|_| self.scope.unbind());
        let part = part?;
        if let Some(sizes) = &mut self.result {
            sizes.extend(vars);
        } else if self.place == DimPosition::Outer {
            self.sizes.extend(vars);
        } else {
            // In a parameter of a function type it is what `[]` is there.
            let mut subst = Subst::default();
            for v in vars {
                let size = self.scope.anonymous(self.cx, te.span, self.place)?;
                subst.sizes.insert(v, size);
            }
            return Some(Elaborated {
                ty: subst.ty(&part.ty),
                liftedness: part.liftedness.max(Liftedness::SizeLifted),
                ..part
            });
        }
        Some(Elaborated { liftedness: part.liftedness.max(Liftedness::SizeLifted), ..part })
    }

    fn anonymous(&mut self, span: Span) -> Option<Size> {
        match &mut self.result {
            Some(sizes) => {
                let var = self.cx.fresh_var(Name::new("d"));
                sizes.push(var);
                Some(Size::Var(var))
            }
            None => self.scope.anonymous(self.cx, span, self.place),
        }
    }

    fn size(&mut self, size: &SizeExp) -> Option<Size> {
        match size {
            SizeExp::Any(span) => self.anonymous(*span),
            SizeExp::Exp(e) => {
                let size = self.scope.size(self.cx, self.env, e)?;
                size_vars(&size, &mut |v| {
                    self.mentioned.insert(v);
                });
                Some(size)
            }
        }
    }

    /// A name, applied to arguments or not.
    fn application(&mut self, te: &ast::TypeExp) -> Option<Elaborated> {
        let mut args: Vec<(&ast::TypeArg, Span)> = Vec::new();
        let mut head = te;
        let name = loop {
            match &head.kind {
                TypeExpKind::Apply(f, arg) => {
                    args.push((arg, te.span));
                    head = f;
                }
                TypeExpKind::Parens(f) => head = f,
                TypeExpKind::Var(name) => break name,
                TypeExpKind::Error => return None,
                _ => {
                    return self.error(head.span, TypeError::NotApplicable);
                }
            }
        };
        args.reverse();
        if name.quals.is_empty()
            && let Some((liftedness, var)) = self.scope.type_param(name.name.name)
        {
            if !args.is_empty() {
                return self.error(te.span, TypeError::ParameterApplied { name: name.name.name });
            }
            return Some(Elaborated { ty: Type::Param(var), diet: Diet::Observe, liftedness });
        }
        let quals: Vec<Name> = name.quals.iter().map(|q| q.name).collect();
        let env = self.env;
        let Some(binding) = env.module(&quals).and_then(|m| m.types.get(&name.name.name)) else {
            unknown_type(self.cx, env, name);
            return None;
        };
        if binding.params.len() != args.len() {
            let (takes, given) = (binding.params.len(), args.len());
            return self
                .error(te.span, TypeError::ArgumentCount { name: name.name.name, takes, given });
        }
        let mut subst = Subst::default();
        let mut ok = true;
        let mut liftedness = binding.liftedness;
        for ((kind, param), (arg, span)) in binding.params.iter().zip(args) {
            // What the type itself may hold, its arguments may. And what they hold, it holds, if it
            // is known to have no array of it.
            let kind = match kind {
                TypeParamKind::Size => TypeParamKind::Size,
                TypeParamKind::Type(_) if plain_part(&binding.ty, *param) => {
                    TypeParamKind::Type(Liftedness::Lifted)
                }
                TypeParamKind::Type(l) => TypeParamKind::Type((*l).max(binding.liftedness)),
            };
            let holds = self.argument(&mut subst, kind, *param, arg, span);
            ok &= holds.is_some();
            liftedness = liftedness.max(holds.unwrap_or(Liftedness::Unlifted));
        }
        for v in &binding.sizes {
            let size = self.anonymous(te.span);
            ok &= size.is_some();
            if let Some(size) = size {
                subst.sizes.insert(*v, size);
            }
        }
        if !ok {
            return None;
        }
        let ty = match &binding.ty {
            Type::Prim(p) => Type::Prim(*p),
            body => subst.instantiate(self.cx, body),
        };
        Some(Elaborated { ty, diet: Diet::Observe, liftedness })
    }

    /// Puts an argument for a parameter; what of the argument is to be asked of the whole.
    fn argument(
        &mut self,
        subst: &mut Subst,
        kind: TypeParamKind,
        param: VarId,
        arg: &ast::TypeArg,
        span: Span,
    ) -> Option<Liftedness> {
        match (kind, arg) {
            (TypeParamKind::Size, ast::TypeArg::Size(size)) => {
                let size = self.size(size)?;
                subst.sizes.insert(param, size);
                Some(Liftedness::Unlifted)
            }
            (TypeParamKind::Type(liftedness), ast::TypeArg::Type(te)) => {
                let part = self.part(te)?;
                if part.liftedness > liftedness {
                    let (param, holds) = (param.name, part.liftedness);
                    return self.error(te.span, TypeError::LiftedArgument { param, holds });
                }
                subst.types.insert(param, part.ty);
                Some(part.liftedness)
            }
            (TypeParamKind::Size, ast::TypeArg::Type(te)) => {
                self.error(te.span, TypeError::TypeForSize { param: param.name })
            }
            (TypeParamKind::Type(_), ast::TypeArg::Size(_)) => {
                self.error(span, TypeError::SizeForType { param: param.name })
            }
        }
    }
}

/// Whether every value of a type parameter in a value of type `ty` is a part of it that may be
/// anything: no element of an array, and nothing given to another type, of which that is not known.
fn plain_part(ty: &Type, param: VarId) -> bool {
    match ty {
        Type::Prim(_) | Type::Param(_) => true,
        Type::Arrow(a) => plain_part(&a.param, param) && plain_part(&a.ret, param),
        Type::Array { elem, .. } => !mentions(elem, param),
        Type::Record(fields) => fields.iter().all(|(_, t)| plain_part(t, param)),
        Type::Sum(constrs) => constrs.iter().all(|(_, ts)| ts.iter().all(|t| plain_part(t, param))),
        Type::Opaque(..) => !mentions(ty, param),
    }
}

fn mentions(ty: &Type, param: VarId) -> bool {
    match ty {
        Type::Prim(_) => false,
        Type::Param(v) => *v == param,
        Type::Array { elem, .. } => mentions(elem, param),
        Type::Record(fields) => fields.iter().any(|(_, t)| mentions(t, param)),
        Type::Sum(constrs) => constrs.iter().any(|(_, ts)| ts.iter().any(|t| mentions(t, param))),
        Type::Arrow(a) => mentions(&a.param, param) || mentions(&a.ret, param),
        Type::Opaque(_, args) => {
            args.iter().any(|arg| matches!(arg, TypeArg::Type(t) if mentions(t, param)))
        }
    }
}

/// Reports a type name that is not there: the module that is missing, or a like name. Says nothing
/// of what was refused where it is defined.
fn unknown_type(cx: &mut Elab, env: &Env, name: &ast::QualName) {
    let quals: Vec<Name> = name.quals.iter().map(|q| q.name).collect();
    let Some(module) = env.module(&quals) else {
        return module_not_found(cx, env, &name.quals);
    };
    if module.is_broken(Namespace::Type, name.name.name) {
        return;
    }
    let mut path = String::new();
    for q in &name.quals {
        path.push_str(q.name.as_str());
        path.push('.');
    }
    let like = closest(name.name.name, module.types.keys().copied());
    let shown = format!("{path}{}", name.name.name);
    cx.report(TypeError::UnknownType { shown, like }.at(name.span));
}

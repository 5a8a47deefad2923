//! Module types: from [`ast::ModTypeExp`] to [`ModTypeBinding`].
//!
//! A signature is an environment in which abstract types are [`Type::Opaque`] with ids of their
//! own. Whoever uses it more than once renames these ids and those of its values first
//! ([`instantiate`]), so that two parameters of one signature do not share their types.
//!
//! Cost: linear in the specifications; a reference to a named signature is free, an instance
//! linear in the signature.

use super::errors::ModuleError;
use crate::check::modules::typebind::{abbreviation, spec_scheme, type_bind, type_params};
use crate::check::types::elab::Elab;
use crate::check::types::env::{
    AbstractType, Env, Functor, FunctorBody, ModBinding, ModTypeBinding, Namespace, Scheme,
    TypeBinding, TypeFun, TypeParamKind, ValueBinding,
};
use crate::check::types::lookup::module_not_found;
use crate::check::types::subst::Subst;
use crate::syntax::ast::{self, Liftedness, ModTypeExp, ModTypeExpKind, Spec, SpecKind};
use futc_typed::name::Name;
use futc_typed::span::Span;
use futc_typed::types::{Type, TypeArg};
use std::collections::HashMap;
use std::sync::Arc;

/// Reads a module type.
pub fn eval_mod_type(cx: &mut Elab, env: &Env, mt: &ModTypeExp) -> Option<Arc<ModTypeBinding>> {
    match &mt.kind {
        ModTypeExpKind::Parens(mt) => eval_mod_type(cx, env, mt),
        ModTypeExpKind::Var(name) => {
            let quals: Vec<Name> = name.quals.iter().map(|q| q.name).collect();
            match env.module(&quals).map(|m| (m, m.mod_types.get(&name.name.name))) {
                Some((_, Some(binding))) => Some(binding.clone()),
                Some((m, None)) => {
                    if !m.is_broken(Namespace::ModType, name.name.name) {
                        cx.report(
                            ModuleError::UnknownModuleType { name: name.name.name }.at(name.span),
                        );
                    }
                    None
                }
                None => {
                    module_not_found(cx, env, &name.quals);
                    None
                }
            }
        }
        ModTypeExpKind::Specs(specs) => eval_specs(cx, env, specs),
        ModTypeExpKind::With(mt, refinement) => eval_with(cx, env, mt, refinement),
        ModTypeExpKind::Arrow(param, param_type, result) => {
            let param_type = eval_mod_type(cx, env, param_type)?;
            let param = param.map(|p| p.name);
            if !cx.applying {
                // So that errors in the result show here.
                let mut scope = env.clone();
                if let Some(p) = param {
                    let instance = abstract_module(cx, &param_type);
                    scope.bind_module(p, instance);
                }
                eval_mod_type(cx, &scope, result)?;
            }
            Some(Arc::new(ModTypeBinding::Functor {
                param,
                param_type,
                scope: Arc::new(env.clone()),
                result: Arc::new(result.as_ref().clone()),
            }))
        }
    }
}

fn eval_specs(cx: &mut Elab, env: &Env, specs: &[Spec]) -> Option<Arc<ModTypeBinding>> {
    let mut scope = env.clone();
    let mut sig = Signature::default();
    let mut seen: HashMap<(bool, Name), Span> = HashMap::new();
    let mut ok = true;
    for spec in specs {
        let key = match &spec.kind {
            SpecKind::Val { name, .. } | SpecKind::Mod(name, _) => Some((false, *name)),
            SpecKind::TypeAbbr(bind) => Some((true, bind.name)),
            SpecKind::Type { name, .. } => Some((true, *name)),
            SpecKind::Include(_) => None,
        };
        if let Some((is_type, name)) = key
            && let Some(first) = seen.insert((is_type, name.name), name.span)
        {
            cx.report(ModuleError::SpecifiedTwice { name: name.name, first }.at(name.span));
            ok = false;
        }
        let read = match &spec.kind {
            SpecKind::Val { name, type_params, ty } => spec_scheme(cx, &scope, type_params, ty)
                .map(|scheme| {
                    let binding = ValueBinding::Def {
                        id: cx.fresh_def(name.name),
                        scheme: Arc::new(scheme),
                        span: spec.span,
                        conduct: Arc::default(),
                    };
                    scope.bind_value(name.name, binding.clone());
                    sig.env.bind_value(name.name, binding);
                }),
            SpecKind::TypeAbbr(bind) => type_bind(cx, &scope, bind, spec.span).map(|binding| {
                scope.types.insert(bind.name.name, binding.clone());
                sig.env.types.insert(bind.name.name, binding);
            }),
            SpecKind::Type { liftedness, name, params } => {
                let binding = sig.abstract_type(cx, *liftedness, name.name, params, spec.span);
                scope.types.insert(name.name, binding.clone());
                sig.env.types.insert(name.name, binding);
                Some(())
            }
            SpecKind::Mod(name, mt) => eval_mod_type(cx, &scope, mt).map(|mt| {
                let (types, module) = mod_spec(cx, &mt);
                for mut t in types {
                    t.path.insert(0, name.name);
                    sig.abstract_types.push(t);
                }
                scope.bind_module(name.name, module.clone());
                sig.env.bind_module(name.name, module);
            }),
            SpecKind::Include(mt) => {
                eval_mod_type(cx, &scope, mt).and_then(|included| match included.as_ref() {
                    ModTypeBinding::Signature { abstract_types, env } => {
                        let (types, included) = instantiate(cx, abstract_types, env);
                        hidden_by_include(cx, &sig.env, &included, mt.span);
                        sig.abstract_types.extend(types);
                        scope.open(&included);
                        sig.env.open(&included);
                        Some(())
                    }
                    ModTypeBinding::Functor { .. } => {
                        cx.report(ModuleError::IncludesParametric.at(mt.span));
                        None
                    }
                })
            }
        };
        ok &= read.is_some();
    }
    ok.then(|| {
        Arc::new(ModTypeBinding::Signature {
            abstract_types: sig.abstract_types,
            env: Arc::new(sig.env),
        })
    })
}

/// Warns of what an `include` hides that was specified before.
fn hidden_by_include(cx: &mut Elab, before: &Env, included: &Env, span: Span) {
    if cx.applying {
        return;
    }
    let types = included.types.keys().filter(|n| before.types.contains_key(n));
    let values = included.values.keys().filter(|n| before.values.contains_key(n));
    let modules = included.modules.keys().filter(|n| before.modules.contains_key(n));
    let mut hidden: Vec<(&'static str, Name, Option<Span>)> = Vec::new();
    hidden.extend(types.map(|n| ("type", *n, before.types.get(n).map(|t| t.span))));
    hidden.extend(values.map(|n| {
        let at = match before.values.get(n) {
            Some(ValueBinding::Def { span, .. }) => Some(*span),
            _ => None,
        };
        ("value", *n, at)
    }));
    hidden.extend(modules.map(|n| ("module", *n, None)));
    hidden.sort_by_key(|(_, n, _)| n.as_str());
    for (what, name, hidden) in hidden {
        cx.warn(ModuleError::HidesSpecified { what, name, hidden }.at(span));
    }
}

#[derive(Default)]
struct Signature {
    abstract_types: Vec<AbstractType>,
    env: Env,
}

impl Signature {
    fn abstract_type(
        &mut self,
        cx: &mut Elab,
        liftedness: Liftedness,
        name: Name,
        params: &[ast::TypeParam],
        span: Span,
    ) -> TypeBinding {
        let params = type_params(cx, params);
        let id = cx.fresh_type(name, liftedness);
        self.abstract_types.push(AbstractType {
            id,
            path: vec![name],
            liftedness,
            params: params.iter().map(|(k, _)| *k).collect(),
        });
        let ty = opaque(id, &params);
        TypeBinding { liftedness, params, sizes: Vec::new(), ty, span }
    }
}

/// An abstract type applied to its own parameters.
pub fn opaque(
    id: futc_typed::program::TypeId,
    params: &[(TypeParamKind, futc_typed::program::VarId)],
) -> Type {
    let args = params
        .iter()
        .map(|(kind, v)| match kind {
            TypeParamKind::Size => TypeArg::Size(futc_typed::types::Size::Var(*v)),
            TypeParamKind::Type(_) => TypeArg::Type(Type::Param(*v)),
        })
        .collect();
    Type::Opaque(id, args)
}

/// What a module specification puts in scope: its abstract types, with paths from inside, and
/// the module.
fn mod_spec(cx: &mut Elab, mt: &ModTypeBinding) -> (Vec<AbstractType>, ModBinding) {
    match mt {
        ModTypeBinding::Signature { abstract_types, env } => {
            let (types, env) = instantiate(cx, abstract_types, env);
            (types, ModBinding::Structure(Arc::new(env)))
        }
        ModTypeBinding::Functor { .. } => (Vec::new(), abstract_module(cx, mt)),
    }
}

/// A module of which nothing is known but its type.
pub fn abstract_module(cx: &mut Elab, mt: &ModTypeBinding) -> ModBinding {
    match mt {
        ModTypeBinding::Signature { abstract_types, env } => {
            ModBinding::Structure(Arc::new(instantiate(cx, abstract_types, env).1))
        }
        ModTypeBinding::Functor { param, param_type, scope, result } => {
            ModBinding::Functor(Arc::new(Functor {
                scope: scope.clone(),
                param: *param,
                param_type: param_type.clone(),
                ascription: Some(result.clone()),
                body: FunctorBody::Abstract,
                sound: true,
            }))
        }
    }
}

/// A copy of a signature with its own abstract types and values.
pub fn instantiate(
    cx: &mut Elab,
    abstract_types: &[AbstractType],
    env: &Env,
) -> (Vec<AbstractType>, Env) {
    let mut subst = Subst::default();
    let types = abstract_types
        .iter()
        .map(|t| {
            let id = cx.fresh_type(t.id.name, t.liftedness);
            let params: Vec<_> =
                t.params.iter().map(|kind| (*kind, cx.fresh_var(Name::new("p")))).collect();
            let body = opaque(id, &params);
            subst.opaques.insert(t.id, TypeFun { params, sizes: Vec::new(), body });
            AbstractType { id, ..t.clone() }
        })
        .collect();
    rename_values(cx, env, &mut subst);
    (types, subst_env(cx, &subst, env, &mut HashMap::new()))
}

/// Gives every value of a signature a new id.
fn rename_values(cx: &mut Elab, env: &Env, subst: &mut Subst) {
    for value in env.values.values() {
        if let ValueBinding::Def { id, .. } = value {
            subst.globals.insert(*id, cx.fresh_def(id.name));
        }
    }
    for module in env.modules.values() {
        if let ModBinding::Structure(env) = module {
            rename_values(cx, env, subst);
        }
    }
}

/// Environments already substituted in, by address: scopes of functors share their outer ones.
pub type Memo = HashMap<*const Env, Arc<Env>>;

/// Substitutes in everything an environment holds.
pub fn subst_env(cx: &mut Elab, subst: &Subst, env: &Env, memo: &mut Memo) -> Env {
    let mut out = Env {
        mod_types: env.mod_types.clone(),
        broken: env.broken.clone(),
        incomplete: env.incomplete,
        ..Env::default()
    };
    for (name, value) in &env.values {
        let value = match value {
            ValueBinding::Def { id, scheme, span, conduct } => ValueBinding::Def {
                id: *subst.globals.get(id).unwrap_or(id),
                scheme: subst_scheme(cx, subst, scheme),
                span: *span,
                conduct: conduct.clone(),
            },
            ValueBinding::Intrinsic { .. } | ValueBinding::Operator { .. } => value.clone(),
        };
        out.values.insert(*name, value);
    }
    for (name, ty) in &env.types {
        out.types.insert(*name, subst.type_binding(cx, ty));
    }
    for (name, module) in &env.modules {
        let module = subst_module(cx, subst, module, memo);
        out.modules.insert(*name, module);
    }
    for (name, mt) in &env.mod_types {
        out.mod_types.insert(*name, subst_mod_type(cx, subst, mt, memo));
    }
    out
}

fn subst_scheme(cx: &mut Elab, subst: &Subst, scheme: &Arc<Scheme>) -> Arc<Scheme> {
    if let Type::Prim(_) = scheme.ty { scheme.clone() } else { Arc::new(subst.scheme(cx, scheme)) }
}

fn shared_env(cx: &mut Elab, subst: &Subst, env: &Arc<Env>, memo: &mut Memo) -> Arc<Env> {
    if let Some(done) = memo.get(&Arc::as_ptr(env)) {
        return done.clone();
    }
    let done = Arc::new(subst_env(cx, subst, env, memo));
    memo.insert(Arc::as_ptr(env), done.clone());
    done
}

fn subst_module(cx: &mut Elab, subst: &Subst, module: &ModBinding, memo: &mut Memo) -> ModBinding {
    match module {
        ModBinding::Structure(env) => ModBinding::Structure(shared_env(cx, subst, env, memo)),
        ModBinding::Functor(f) => ModBinding::Functor(subst_functor(cx, subst, f, memo)),
    }
}

/// Substitutes in what a parametric module holds.
pub fn subst_functor(cx: &mut Elab, subst: &Subst, f: &Functor, memo: &mut Memo) -> Arc<Functor> {
    let body = match &f.body {
        FunctorBody::Source(me, imports) => FunctorBody::Source(me.clone(), imports.clone()),
        FunctorBody::Abstract => FunctorBody::Abstract,
        FunctorBody::Other(f, unseal) => {
            FunctorBody::Other(subst_functor(cx, subst, f, memo), unseal.clone())
        }
    };
    Arc::new(Functor {
        scope: shared_env(cx, subst, &f.scope, memo),
        param: f.param,
        param_type: subst_mod_type(cx, subst, &f.param_type, memo),
        ascription: f.ascription.clone(),
        body,
        sound: f.sound,
    })
}

/// Substitutes in what a module type holds.
pub fn subst_mod_type(
    cx: &mut Elab,
    subst: &Subst,
    mt: &ModTypeBinding,
    memo: &mut Memo,
) -> Arc<ModTypeBinding> {
    Arc::new(match mt {
        ModTypeBinding::Signature { abstract_types, env } => ModTypeBinding::Signature {
            abstract_types: abstract_types.clone(),
            env: shared_env(cx, subst, env, memo),
        },
        ModTypeBinding::Functor { param, param_type, scope, result } => ModTypeBinding::Functor {
            param: *param,
            param_type: subst_mod_type(cx, subst, param_type, memo),
            scope: shared_env(cx, subst, scope, memo),
            result: result.clone(),
        },
    })
}

/// `S with t 'a = te`
fn eval_with(
    cx: &mut Elab,
    env: &Env,
    mt: &ModTypeExp,
    refinement: &ast::TypeRefinement,
) -> Option<Arc<ModTypeBinding>> {
    let binding = eval_mod_type(cx, env, mt)?;
    let span = refinement.name.span;
    let ModTypeBinding::Signature { abstract_types, env: sig_env } = binding.as_ref() else {
        cx.report(ModuleError::RefinesParametric.at(mt.span));
        return None;
    };
    let shown = qualified(&refinement.name);
    let mut path: Vec<Name> = refinement.name.quals.iter().map(|q| q.name).collect();
    let declared = sig_env.module(&path).and_then(|m| m.types.get(&refinement.name.name.name));
    path.push(refinement.name.name.name);
    let Some(declared) = declared else {
        cx.report(ModuleError::RefinesMissing { shown }.at(span));
        return None;
    };
    let Type::Opaque(id, _) = &declared.ty else {
        cx.report(ModuleError::RefinesKnown { shown }.at(span));
        return None;
    };
    let Some(which) = abstract_types.iter().find(|t| t.id == *id) else {
        cx.report(ModuleError::RefinesKnown { shown }.at(span));
        return None;
    };
    let (mut new, _) =
        abbreviation(cx, env, &refinement.params, &refinement.ty, which.liftedness, span)?;
    if !same_kinds(&new.params, &which.params) {
        cx.report(ModuleError::RefinesParameters { shown }.at(span));
        return None;
    }
    for ((kind, v), declared) in new.params.iter().zip(&which.params) {
        if let (TypeParamKind::Type(is), TypeParamKind::Type(wanted)) = (kind, declared)
            && is < wanted
        {
            cx.report(ModuleError::RefinesNarrower { shown, param: v.name }.at(span));
            return None;
        }
    }
    if contains_arrow(&new.ty) && which.liftedness != Liftedness::Lifted {
        cx.report(ModuleError::RefinesWithFunctions { shown }.at(span));
        return None;
    }
    new.liftedness = which.liftedness;
    let mut subst = Subst::default();
    subst.opaques.insert(
        *id,
        TypeFun { params: new.params.clone(), sizes: new.sizes.clone(), body: new.ty.clone() },
    );
    let refined = subst_env(cx, &subst, sig_env, &mut HashMap::new());
    Some(Arc::new(ModTypeBinding::Signature {
        abstract_types: abstract_types.iter().filter(|t| t.id != *id).cloned().collect(),
        env: Arc::new(refined),
    }))
}

fn qualified(name: &ast::QualName) -> String {
    let mut text = String::new();
    for q in &name.quals {
        text.push_str(q.name.as_str());
        text.push('.');
    }
    text.push_str(name.name.name.as_str());
    text
}

/// Whether parameters are of the kinds wanted, liftedness aside.
pub fn same_kinds(
    params: &[(TypeParamKind, futc_typed::program::VarId)],
    kinds: &[TypeParamKind],
) -> bool {
    params.len() == kinds.len()
        && params.iter().zip(kinds).all(|((a, _), b)| match (a, b) {
            (TypeParamKind::Size, TypeParamKind::Size) => true,
            (TypeParamKind::Type(_), TypeParamKind::Type(_)) => true,
            (TypeParamKind::Size, TypeParamKind::Type(_))
            | (TypeParamKind::Type(_), TypeParamKind::Size) => false,
        })
}

/// Whether a function type is written in a type.
fn contains_arrow(ty: &Type) -> bool {
    match ty {
        Type::Prim(_) | Type::Param(_) => false,
        Type::Array { elem, .. } => contains_arrow(elem),
        Type::Record(fields) => fields.iter().any(|(_, t)| contains_arrow(t)),
        Type::Sum(constrs) => constrs.iter().any(|(_, ts)| ts.iter().any(contains_arrow)),
        Type::Arrow(_) => true,
        Type::Opaque(_, args) => args.iter().any(|a| match a {
            TypeArg::Size(_) => false,
            TypeArg::Type(t) => contains_arrow(t),
        }),
    }
}

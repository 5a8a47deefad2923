//! Declarations and module expressions.
//!
//! Modules are elaborated away: what is left of a structure is the definitions in it
//! ([`Elab::defs`]) and the environment that finds them. A parametric module is checked where it
//! stands, applied to a module of which nothing but the parameter's type is known, and what that
//! makes is thrown away; each application elaborates its body again. That costs time linear in
//! the body per application, and gives definitions in which types are known.

use super::errors::ModuleError;
use crate::check::definition::check_val_bind;
use crate::check::modules::ascribe::{Owed, Seal, ascribe};
use crate::check::modules::duplicates::{duplicates, name_of, name_space};
use crate::check::modules::entry;
use crate::check::modules::signature::{abstract_module, eval_mod_type, subst_env};
use crate::check::modules::typebind::type_bind;
use crate::check::types::attribute::attribute;
use crate::check::types::elab::Elab;
use crate::check::types::env::{
    Env, Functor, FunctorBody, ModBinding, ModTypeBinding, Namespace, TypeFun, ValueBinding,
};
use crate::check::types::lookup::{module_not_found, parametric};
use crate::check::types::subst::Subst;
use crate::syntax::ast::{self, Dec, DecKind, ModExp, ModExpKind, ModParam, ModTypeExp};
use futc_typed::forced::SCHEDULE;
use futc_typed::name::Name;
use futc_typed::program::{Attr, Def, Exp, ExpKind, TypeId};
use futc_typed::span::Span;
use std::collections::HashMap;
use std::sync::Arc;

/// Where declarations stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    /// In a file.
    File,
    /// In a module.
    Module,
}

/// Elaborates a declaration of a file. `scope` is what is in scope before it, as far as the
/// declaration mentions it. Returns what it brings into scope; whether the file provides that to
/// others is not asked here.
pub fn check_dec(cx: &mut Elab, scope: Env, dec: &Dec) -> Arc<Env> {
    let mut dec = dec;
    while let DecKind::Local(inner) = &dec.kind {
        // Attributes may stand before `local` or after it.
        dec = inner;
    }
    if let DecKind::Import(import) = &dec.kind {
        let missing = || Arc::new(Env { incomplete: true, ..Env::default() });
        return import_env(cx, import).unwrap_or_else(missing);
    }
    let mut walk = Decs { scope, out: Env::default(), level: Level::File };
    walk.dec(cx, dec, &dec.kind, "", false);
    Arc::new(walk.out)
}

/// A sequence of declarations on its way.
struct Decs {
    /// What is in scope.
    scope: Env,
    /// What the module provides.
    out: Env,
    level: Level,
}

impl Decs {
    fn decs(&mut self, cx: &mut Elab, decs: &[Dec], path: &str) {
        let names =
            decs.iter().filter_map(|dec| Some((name_space(&dec.kind)?, name_of(&dec.kind)?)));
        cx.diagnostics.extend(duplicates(names));
        for dec in decs {
            self.dec(cx, dec, &dec.kind, path, false);
        }
    }

    fn dec(&mut self, cx: &mut Elab, dec: &Dec, kind: &DecKind, path: &str, local: bool) {
        match kind {
            DecKind::Val(vb) => self.value(cx, dec, vb, path, local),
            DecKind::Type(bind) => match type_bind(cx, &self.scope, bind, dec.span) {
                Some(binding) => {
                    self.scope.types.insert(bind.name.name, binding.clone());
                    if !local {
                        self.out.types.insert(bind.name.name, binding);
                    }
                }
                None => {
                    self.broken(Namespace::Type, bind.name.name, local);
                }
            },
            DecKind::ModType(bind) => match eval_mod_type(cx, &self.scope, &bind.ty) {
                Some(binding) => {
                    self.scope.mod_types.insert(bind.name.name, binding.clone());
                    if !local {
                        self.out.mod_types.insert(bind.name.name, binding);
                    }
                }
                None => {
                    self.broken(Namespace::ModType, bind.name.name, local);
                }
            },
            DecKind::Mod(bind) => {
                let inner = format!("{path}{}.", bind.name.name);
                let module = if bind.params.is_empty() {
                    match &bind.ascription {
                        Some(mt) => ascription(cx, &self.scope, &bind.body, mt, &inner),
                        None => eval_mod(cx, &self.scope, &bind.body, &inner),
                    }
                } else {
                    functor(
                        cx,
                        &self.scope,
                        &bind.params,
                        bind.ascription.as_ref(),
                        &bind.body,
                        &inner,
                    )
                };
                match module {
                    Some(module) => {
                        self.scope.bind_module(bind.name.name, module.clone());
                        if !local {
                            self.out.bind_module(bind.name.name, module);
                        }
                    }
                    None => {
                        self.broken(Namespace::Value, bind.name.name, local);
                    }
                }
            }
            DecKind::Open(me) => match eval_mod(cx, &self.scope, me, path) {
                Some(module) => self.open(cx, &module, me.span, local),
                None => {
                    self.scope.incomplete = true;
                    self.out.incomplete |= !local;
                }
            },
            DecKind::Import(import) => match import_env(cx, import) {
                Some(env) => self.scope.open(&env),
                None => self.scope.incomplete = true,
            },
            DecKind::Local(inner) => {
                // Attributes may stand before `local` or after it.
                self.dec(cx, inner, &inner.kind, path, true);
            }
        }
    }

    fn open(&mut self, cx: &mut Elab, module: &ModBinding, span: Span, local: bool) {
        match module {
            ModBinding::Structure(env) => {
                self.scope.open(env);
                if !local {
                    self.out.open(env);
                }
            }
            ModBinding::Functor(_) => parametric(cx, span),
        }
    }

    /// Notes that a definition was refused.
    fn broken(&mut self, space: Namespace, name: Name, local: bool) {
        self.scope.break_name(space, name);
        if !local {
            self.out.break_name(space, name);
        }
    }

    fn value(&mut self, cx: &mut Elab, dec: &Dec, vb: &ast::ValBind, path: &str, local: bool) {
        if vb.entry && self.level == Level::Module {
            cx.report(ModuleError::NestedEntry { name: vb.name.name }.at(dec.span));
        }
        let full_name = Name::new(&format!("{path}{}", vb.name.name));
        let id = cx.fresh_def(full_name);
        let before = cx.errors();
        let checked = check_val_bind(cx, &self.scope, path, id, vb, &dec.attrs, dec.span);
        let Some((scheme, mut fun, recursive, conduct)) = checked else {
            if cx.errors() == before {
                // Shown if nothing else is: what it mentions may be what is wrong.
                cx.report(ModuleError::Unexplained { name: vb.name.name }.at(vb.name.span));
            }
            self.broken(Namespace::Value, vb.name.name, local);
            return;
        };
        // How operations are to be gone through is said of those of the body.
        for attr in dec.attrs.iter().map(attribute) {
            if matches!(&attr, Attr::Comp(name, _) if name.as_str() == SCHEDULE) {
                let (ty, span) = (fun.body.ty.clone(), fun.body.span);
                fun.body = Exp { kind: ExpKind::Attr(attr, Box::new(fun.body)), ty, span };
            }
        }
        let is_main = vb.name.name.as_str() == "main";
        let entry = if self.level == Level::File && (vb.entry || is_main) {
            match entry::entry(cx, vb, &scheme, &fun) {
                Ok(entry) => Some(entry),
                Err(diagnostics) => {
                    if vb.entry {
                        cx.diagnostics.extend(diagnostics);
                    } else {
                        cx.main_diagnostics.extend(diagnostics);
                    }
                    None
                }
            }
        } else {
            None
        };
        cx.defs.push(Arc::new(Def {
            id,
            name: full_name,
            fun,
            recursive,
            entry,
            attrs: dec.attrs.iter().map(attribute).collect(),
            span: dec.span,
        }));
        let binding = ValueBinding::Def { id, scheme, span: vb.name.span, conduct };
        self.scope.bind_value(vb.name.name, binding.clone());
        if !local {
            self.out.bind_value(vb.name.name, binding);
        }
    }
}

fn import_env(cx: &mut Elab, import: &ast::Import) -> Option<Arc<Env>> {
    // An import that cannot be read has been reported where imports are resolved.
    cx.imports.get(&import.path).cloned()
}

/// Elaborates a module expression. `path` is the module path of what it defines, with its dot.
pub fn eval_mod(cx: &mut Elab, env: &Env, me: &ModExp, path: &str) -> Option<ModBinding> {
    match &me.kind {
        ModExpKind::Parens(me) => eval_mod(cx, env, me, path),
        ModExpKind::Var(name) => {
            if name.quals.is_empty() && name.name.name.as_str() == "intrinsics" && !cx.prelude {
                cx.report(ModuleError::UsesIntrinsics.at(me.span));
                return None;
            }
            let quals: Vec<Name> = name.quals.iter().map(|q| q.name).collect();
            match env.module(&quals).and_then(|m| m.modules.get(&name.name.name)) {
                Some(module) => Some(module.clone()),
                None => {
                    let mut path = name.quals.clone();
                    path.push(name.name);
                    module_not_found(cx, env, &path);
                    None
                }
            }
        }
        ModExpKind::Import(import) => import_env(cx, import).map(ModBinding::Structure),
        ModExpKind::Decs(decs) => {
            let mut walk = Decs { scope: env.clone(), out: Env::default(), level: Level::Module };
            walk.decs(cx, decs, path);
            Some(ModBinding::Structure(Arc::new(walk.out)))
        }
        ModExpKind::Apply(f, arg) => {
            let f_value = eval_mod(cx, env, f, path);
            let ModBinding::Functor(functor) = f_value? else {
                cx.report(ModuleError::AppliesStructure.at(f.span));
                return None;
            };
            let arg_path = match functor.param {
                Some(p) => format!("{path}{p}."),
                None => path.to_owned(),
            };
            let argument = eval_mod(cx, env, arg, &arg_path)?;
            apply_functor(cx, &functor, &argument, path, arg.span)
        }
        ModExpKind::Ascript(me, mt) => ascription(cx, env, me, mt, path),
        ModExpKind::Lambda(param, mt, body) => {
            functor(cx, env, std::slice::from_ref(param), mt.as_deref(), body, path)
        }
    }
}

fn ascription(
    cx: &mut Elab,
    env: &Env,
    me: &ModExp,
    mt: &ModTypeExp,
    path: &str,
) -> Option<ModBinding> {
    // Both sides are looked at even if one is wrong.
    let module = eval_mod(cx, env, me, path);
    let mt = eval_mod_type(cx, env, mt);
    matched(cx, &module?, mt?.as_ref(), Seal::Opaque(path), me.span, &HashMap::new())
}

/// Makes a parametric module, and checks its body unless that has been done.
fn functor(
    cx: &mut Elab,
    env: &Env,
    params: &[ModParam],
    mt: Option<&ModTypeExp>,
    body: &ModExp,
    path: &str,
) -> Option<ModBinding> {
    let (param, rest) = params.split_first()?;
    let param_type = eval_mod_type(cx, env, &param.ty)?;
    let (ascription, body) = if rest.is_empty() {
        (mt.map(|mt| Arc::new(mt.clone())), body.clone())
    } else {
        (None, curried(rest, mt, body))
    };
    let mut functor = Functor {
        scope: Arc::new(env.clone()),
        param: Some(param.name.name),
        param_type,
        ascription,
        body: FunctorBody::Source(Arc::new(body), cx.imports.clone()),
        sound: !cx.said,
    };
    if !cx.applying {
        let before = cx.errors();
        let (defs, opaques) = (cx.defs.len(), cx.opaques.len());
        let argument = abstract_module(cx, &functor.param_type);
        let result = apply_matched(cx, &functor, argument, path, param.span);
        cx.defs.truncate(defs);
        cx.opaques.truncate(opaques);
        functor.sound = result.is_some() && cx.errors() == before;
    }
    Some(ModBinding::Functor(Arc::new(functor)))
}

/// The body of a functor of several parameters: a lambda over all but the first.
fn curried(params: &[ModParam], mt: Option<&ModTypeExp>, body: &ModExp) -> ModExp {
    let mut result = body.clone();
    let mut mt = mt.map(|mt| Box::new(mt.clone()));
    for param in params.iter().rev() {
        let span = param.span.to(result.span);
        result =
            ModExp { kind: ModExpKind::Lambda(param.clone(), mt.take(), Box::new(result)), span };
    }
    result
}

/// Applies a parametric module; `span` is the argument's.
pub fn apply_functor(
    cx: &mut Elab,
    functor: &Functor,
    argument: &ModBinding,
    path: &str,
    span: Span,
) -> Option<ModBinding> {
    let param_type = functor.param_type.clone();
    let argument = matched(cx, argument, &param_type, Seal::Open, span, &HashMap::new())?;
    let applying = std::mem::replace(&mut cx.applying, true);
    let said = cx.said;
    cx.said |= !functor.sound;
    let before = cx.errors();
    let result = apply_matched(cx, functor, argument, path, span);
    if !functor.sound {
        // What is wrong has been said where the functor is defined.
        cx.diagnostics.truncate(before);
    }
    cx.said = said;
    cx.applying = applying;
    result
}

/// Elaborates the body of a parametric module with an argument that has been matched.
fn apply_matched(
    cx: &mut Elab,
    functor: &Functor,
    argument: ModBinding,
    path: &str,
    span: Span,
) -> Option<ModBinding> {
    let mut scope = functor.scope.as_ref().clone();
    if let Some(p) = functor.param {
        scope.bind_module(p, argument.clone());
    }
    match &functor.body {
        FunctorBody::Abstract => {
            let mt = eval_mod_type(cx, &scope, functor.ascription.as_ref()?)?;
            Some(abstract_module(cx, &mt))
        }
        FunctorBody::Source(body, imports) => {
            let here = std::mem::replace(&mut cx.imports, imports.clone());
            let result = eval_mod(cx, &scope, body, path);
            cx.imports = here;
            match &functor.ascription {
                Some(mt) => {
                    let mt = eval_mod_type(cx, &scope, mt)?;
                    matched(cx, &result?, &mt, Seal::Opaque(path), body.span, &HashMap::new())
                }
                None => result,
            }
        }
        FunctorBody::Other(other, unseal) => {
            let subst = Subst { opaques: unseal.as_ref().clone(), ..Subst::default() };
            let argument = match argument {
                ModBinding::Structure(env) if !unseal.is_empty() => ModBinding::Structure(
                    Arc::new(subst_env(cx, &subst, &env, &mut HashMap::new())),
                ),
                argument => argument,
            };
            let result = apply_functor(cx, other, &argument, path, span)?;
            let mt = eval_mod_type(cx, &scope, functor.ascription.as_ref()?)?;
            matched(cx, &result, &mt, Seal::Opaque(path), span, unseal)
        }
    }
}

/// Matches a module with a module type, as [`ascribe`] does, and checks what it owes.
fn matched(
    cx: &mut Elab,
    module: &ModBinding,
    mt: &ModTypeBinding,
    seal: Seal,
    span: Span,
    unseal: &HashMap<TypeId, TypeFun>,
) -> Option<ModBinding> {
    let mut owed = Vec::new();
    let mut result = ascribe(cx, module, mt, seal, span, unseal, &mut owed);
    for Owed { functor, expect } in owed {
        if !fits(cx, &functor, &expect, span) {
            result = None;
        }
    }
    result
}

/// Whether a parametric module is of a type: applies it to a module of which nothing but the type
/// is known, and matches the result.
fn fits(cx: &mut Elab, have: &Functor, mt: &ModTypeBinding, span: Span) -> bool {
    let ModTypeBinding::Functor { param, param_type, scope, result } = mt else { return false };
    if cx.applying {
        // That has been checked before.
        return true;
    }
    let before = cx.errors();
    let (defs, opaques) = (cx.defs.len(), cx.opaques.len());
    let argument = abstract_module(cx, param_type);
    let fits = apply_functor(cx, have, &argument, "", span).is_some_and(|applied| {
        let mut scope = scope.as_ref().clone();
        if let Some(p) = param {
            scope.bind_module(*p, argument);
        }
        eval_mod_type(cx, &scope, result)
            .and_then(|mt| matched(cx, &applied, &mt, Seal::Open, span, &HashMap::new()))
            .is_some()
    });
    cx.defs.truncate(defs);
    cx.opaques.truncate(opaques);
    fits && cx.errors() == before
}

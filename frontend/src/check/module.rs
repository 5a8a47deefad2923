//! Declarations and module expressions.
//!
//! Modules are elaborated away: what is left of a structure is the definitions in it
//! ([`Elab::defs`]) and the environment that finds them. A parametric module is checked where it
//! stands, applied to a module of which nothing but the parameter's type is known, and what that
//! makes is thrown away; each application elaborates its body again. That costs time linear in
//! the body per application, and gives definitions in which types are known.

use crate::check::ascribe::{Seal, ascribe, ascribe_unsealed};
use crate::check::entry;
use crate::check::env::{
    Elab, Env, Functor, FunctorBody, ModBinding, Space, TypeBinding, ValueBinding,
};
use crate::check::signature::{abstract_module, eval_mod_type, subst_env};
use crate::check::subst::Subst;
use crate::check::terms;
use crate::check::typebind::type_bind;
use crate::check::typeexp::closest;
use crate::diag::{Diagnostic, INTERNAL_ERROR};
use crate::syntax::ast::{
    self, Attr, Dec, DecKind, Ident, ModExp, ModExpKind, ModParam, ModTypeExp,
};
use futc_typed::name::Name;
use futc_typed::program::{self, Def};
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
                    self.broken(Space::Type, bind.name.name, local);
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
                    self.broken(Space::ModType, bind.name.name, local);
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
                        self.broken(Space::Value, bind.name.name, local);
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
    fn broken(&mut self, space: Space, name: Name, local: bool) {
        self.scope.break_name(space, name);
        if !local {
            self.out.break_name(space, name);
        }
    }

    fn value(&mut self, cx: &mut Elab, dec: &Dec, vb: &ast::ValBind, path: &str, local: bool) {
        if vb.entry && self.level == Level::Module {
            cx.report(
                Diagnostic::error(
                    "nested-entry",
                    dec.span,
                    "an entry point cannot be declared inside a module",
                )
                .hint(format!(
                    "declare it with def, and add entry {0} = M.{0} at the top of the file",
                    vb.name.name
                )),
            );
        }
        let full_name = Name::new(&format!("{path}{}", vb.name.name));
        let id = cx.fresh_def(full_name);
        let before = cx.errors();
        let checked = terms::check_val_bind(cx, &self.scope, path, id, vb, &dec.attrs, dec.span);
        let Some((scheme, fun, recursive, conduct)) = checked else {
            if cx.errors() == before {
                // Shown if nothing else is: what it mentions may be what is wrong.
                cx.report(Diagnostic::error(
                    INTERNAL_ERROR,
                    vb.name.span,
                    format!("{} is refused, but futc does not know why", vb.name.name),
                ));
            }
            self.broken(Space::Value, vb.name.name, local);
            return;
        };
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

/// An attribute as the typed program has it.
pub fn attribute(attr: &Attr) -> program::Attr {
    match attr {
        Attr::Name(id) => program::Attr::Name(id.name),
        Attr::Int(i, _) => program::Attr::Int(*i),
        Attr::Comp(id, args, _) => {
            program::Attr::Comp(id.name, args.iter().map(attribute).collect())
        }
    }
}

/// Reports names defined twice in one sequence of declarations, given by [`name_space`] and
/// [`name_of`].
pub fn duplicates(names: impl Iterator<Item = (NameSpace, Ident)>) -> Vec<Diagnostic> {
    let mut seen: HashMap<(NameSpace, Name), Span> = HashMap::new();
    let mut out = Vec::new();
    for (space, name) in names {
        if let Some(first) = seen.insert((space, name.name), name.span) {
            out.push(
                Diagnostic::error(
                    "duplicate-definition",
                    name.span,
                    format!("{} is defined twice in one module", name.name),
                )
                .label(first, "first here"),
            );
        }
    }
    out
}

/// The name spaces in which one name has one meaning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NameSpace {
    /// Values and modules.
    Values,
    /// Types.
    Types,
    /// Module types.
    ModTypes,
}

/// The name space of what a declaration defines, if that is one name that others see.
pub fn name_space(dec: &DecKind) -> Option<NameSpace> {
    match dec {
        DecKind::Val(_) | DecKind::Mod(_) => Some(NameSpace::Values),
        DecKind::Type(_) => Some(NameSpace::Types),
        DecKind::ModType(_) => Some(NameSpace::ModTypes),
        DecKind::Open(_) | DecKind::Import(_) | DecKind::Local(_) => None,
    }
}

/// The one name that a declaration defines, if it does.
pub fn name_of(dec: &DecKind) -> Option<Ident> {
    match dec {
        DecKind::Val(bind) => Some(bind.name),
        DecKind::Mod(bind) => Some(bind.name),
        DecKind::Type(bind) => Some(bind.name),
        DecKind::ModType(bind) => Some(bind.name),
        DecKind::Local(dec) => name_of(&dec.kind),
        DecKind::Open(_) | DecKind::Import(_) => None,
    }
}

/// Reports the use of a parametric module that is not applied.
pub(super) fn parametric(cx: &mut Elab, span: Span) {
    cx.report(
        Diagnostic::error("module-is-parametric", span, "this module is parametric")
            .hint("apply it to an argument first"),
    );
}

/// Reports the first module of a path that is not there, or that is parametric.
pub fn module_not_found(cx: &mut Elab, env: &Env, quals: &[Ident]) {
    let mut here = env;
    for q in quals {
        match here.modules.get(&q.name) {
            Some(ModBinding::Structure(inner)) => here = inner,
            Some(ModBinding::Functor(_)) => return parametric(cx, q.span),
            None => {
                if here.values.contains_key(&q.name) {
                    let message = format!("{} is a value, and no module", q.name);
                    cx.report(Diagnostic::error("unknown-module", q.span, message));
                } else if !here.is_broken(Space::Value, q.name) {
                    let d = Diagnostic::error(
                        "unknown-module",
                        q.span,
                        format!("there is no module {} here", q.name),
                    );
                    cx.report(match closest(q.name, here.modules.keys().copied()) {
                        Some(like) => d.hint(format!("did you mean {like}?")),
                        None => d,
                    });
                }
                return;
            }
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
                cx.report(Diagnostic::error(
                    "intrinsics-module",
                    me.span,
                    "the module intrinsics cannot be used in a module expression",
                ));
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
                cx.report(Diagnostic::error(
                    "module-not-parametric",
                    f.span,
                    "this module is applied, but is not parametric",
                ));
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
    ascribe(cx, &module?, &mt?.as_ref().clone(), Seal::Opaque(path), me.span)
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
    let argument = ascribe(cx, argument, &param_type, Seal::Open, span)?;
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
                    ascribe(cx, &result?, &mt, Seal::Opaque(path), body.span)
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
            ascribe_unsealed(cx, &result, &mt, Seal::Opaque(path), span, unseal)
        }
    }
}

/// A type that is what it says, for the initial environment.
pub fn plain_type(ty: futc_typed::types::Type, span: Span) -> TypeBinding {
    TypeBinding {
        liftedness: ast::Liftedness::Unlifted,
        params: Vec::new(),
        sizes: Vec::new(),
        ty,
        span,
    }
}

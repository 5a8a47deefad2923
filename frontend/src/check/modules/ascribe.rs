//! Matching a module with a module type, `m : S`, and what then is visible of it.
//!
//! Two ways: [`Seal::Open`] for the argument of a parametric module, whose types stay known, and
//! [`Seal::Opaque`] for an ascription in the source, which makes the abstract types of the
//! signature new types; [`Elab::opaques`] records what they stand for.
//!
//! A value keeps its definition where the specified type differs in names only. Where it differs
//! otherwise, in the order of parameters, in being less polymorphic, in forgetting a size, a
//! definition is made that passes its parameters on, so that instances always fit the definition
//! they name.

use super::errors::{Misfit, ModuleError};
use crate::check::infer::show::{Show, abstract_declaration};
use crate::check::modules::signature::{opaque, same_kinds, subst_functor, subst_mod_type};
use crate::check::types::arrow::with_unique_result;
use crate::check::types::elab::Elab;
use crate::check::types::env::{
    Env, Functor, FunctorBody, ModBinding, ModTypeBinding, Namespace, Scheme, TypeBinding, TypeFun,
    TypeParamKind, ValueBinding,
};
use crate::check::types::matching::{Matched, match_schemes, same_type};
use crate::check::types::subst::{Subst, size_vars_of_type};
use crate::syntax::ast::Liftedness;
use futc_typed::intrinsics::Over;
use futc_typed::name::Name;
use futc_typed::program::{
    Def, DefId, Exp, ExpKind, FunDef, Inst, Opaque, Param, Pat, PatKind, TypeId, VarId,
};
use futc_typed::span::Span;
use futc_typed::types::{Arrow, Size, Type, TypeArg};
use std::collections::HashMap;
use std::sync::Arc;

/// What ascription hides.
#[derive(Clone, Copy, Debug)]
pub enum Seal<'a> {
    /// Only what the signature does not name.
    Open,
    /// Also what the abstract types are. Holds the module's path, for their names.
    Opaque(&'a str),
}

/// That a parametric module is of a type, which is left to be checked by applying it.
pub struct Owed {
    /// The parametric module.
    pub functor: Arc<Functor>,
    /// The type that it should have.
    pub expect: Arc<ModTypeBinding>,
}

/// Matches a module with a module type. `unseal` are abstract types of the module type that the module knows
/// as what they stand for. What parametric modules in it owe is added to `owed`, also if the rest does not
/// match.
pub fn ascribe(
    cx: &mut Elab,
    module: &ModBinding,
    mt: &ModTypeBinding,
    seal: Seal,
    span: Span,
    unseal: &HashMap<TypeId, TypeFun>,
    owed: &mut Vec<Owed>,
) -> Option<ModBinding> {
    match (module, mt) {
        (ModBinding::Structure(have), ModTypeBinding::Signature { abstract_types, env }) => {
            let mut matching = Matching {
                expect: Subst { opaques: unseal.clone(), ..Subst::default() },
                visible: Subst::default(),
                unseal: unseal.clone(),
                span,
                ok: true,
                types_ok: true,
                path: Vec::new(),
                owed: Vec::new(),
            };
            for t in abstract_types {
                matching.abstract_type(cx, have, t, seal);
            }
            if !matching.ok {
                return None;
            }
            matching.ids(have, env);
            let out = matching.env(cx, have, env, seal);
            owed.append(&mut matching.owed);
            matching.ok.then(|| ModBinding::Structure(Arc::new(out)))
        }
        (ModBinding::Functor(have), ModTypeBinding::Functor { .. }) => {
            let subst = Subst { opaques: unseal.clone(), ..Subst::default() };
            let expect = subst_mod_type(cx, &subst, mt, &mut HashMap::new());
            owed.push(Owed { functor: have.clone(), expect });
            seen_as(have, mt, Arc::new(unseal.clone())).map(ModBinding::Functor)
        }
        (ModBinding::Structure(_), ModTypeBinding::Functor { .. }) => {
            cx.report(ModuleError::NotParametric.at(span));
            None
        }
        (ModBinding::Functor(_), ModTypeBinding::Signature { .. }) => {
            cx.report(ModuleError::Parametric.at(span));
            None
        }
    }
}

/// A parametric module as its type shows it.
fn seen_as(
    have: &Arc<Functor>,
    mt: &ModTypeBinding,
    unseal: Arc<HashMap<TypeId, TypeFun>>,
) -> Option<Arc<Functor>> {
    let ModTypeBinding::Functor { param, param_type, scope, result } = mt else { return None };
    Some(Arc::new(Functor {
        scope: scope.clone(),
        param: *param,
        param_type: param_type.clone(),
        ascription: Some(result.clone()),
        body: FunctorBody::Other(have.clone(), unseal),
        sound: have.sound,
    }))
}

struct Matching {
    /// What the signature's types are in the module.
    expect: Subst,
    /// What they are seen as afterwards.
    visible: Subst,
    /// What the types made here stand for, and those that were made before and are not known to
    /// the module as such.
    unseal: HashMap<TypeId, TypeFun>,
    span: Span,
    ok: bool,
    /// The types match. Otherwise that of many a value does not, which is not worth saying.
    types_ok: bool,
    /// Modules inside the module, for messages.
    path: Vec<Name>,
    /// What parametric modules owe.
    owed: Vec<Owed>,
}

impl Matching {
    fn fail(&mut self, cx: &mut Elab, error: ModuleError) {
        self.ok = false;
        cx.report(error.at(self.span));
    }

    fn shown(&self, name: Name) -> String {
        let mut text = String::new();
        for m in &self.path {
            text.push_str(m.as_str());
            text.push('.');
        }
        text + name.as_str()
    }

    fn abstract_type(
        &mut self,
        cx: &mut Elab,
        have: &Env,
        t: &crate::check::types::env::AbstractType,
        seal: Seal,
    ) {
        let shown: Vec<&str> = t.path.iter().map(|n| n.as_str()).collect();
        let shown = shown.join(".");
        let Some((name, quals)) = t.path.split_last() else { return };
        let inside = have.module(quals);
        let Some(binding) = inside.and_then(|m| m.types.get(name)) else {
            if inside.is_some_and(|m| m.is_broken(Namespace::Type, *name)) {
                self.ok = false;
                return;
            }
            return self.fail(cx, ModuleError::MissingType { shown });
        };
        if !same_kinds(&binding.params, &t.params) || binding.liftedness > t.liftedness {
            let have = Show::default().type_binding(&shown, binding);
            let want = abstract_declaration(&shown, t.liftedness, &t.params);
            let why = if !same_kinds(&binding.params, &t.params) {
                Misfit::Parameters
            } else if binding.liftedness == Liftedness::Lifted {
                Misfit::Functions
            } else {
                Misfit::Sizes
            };
            let (defined, specified) = (binding.span, None);
            let why = Some(why);
            return self.fail(cx, ModuleError::OtherType { have, want, defined, specified, why });
        }
        for (kind, v) in &binding.params {
            if *kind == TypeParamKind::Size && !readable(&binding.ty, *v) {
                let (param, defined) = (v.name, binding.span);
                return self.fail(cx, ModuleError::NotAbstractable { shown, param, defined });
            }
        }
        let fun = TypeFun {
            params: binding.params.clone(),
            sizes: binding.sizes.clone(),
            body: binding.ty.clone(),
        };
        self.expect.opaques.insert(t.id, fun.clone());
        match seal {
            Seal::Open => {
                self.visible.opaques.insert(t.id, fun);
            }
            Seal::Opaque(path) => {
                let name = Name::new(&format!("{path}{shown}"));
                let id = cx.fresh_type(name, t.liftedness);
                let mut unknown = Subst::default();
                unknown.sizes.extend(binding.sizes.iter().map(|v| (*v, Size::Unknown)));
                cx.opaques.push(Arc::new(Opaque {
                    id,
                    name,
                    params: binding.params.iter().map(|(_, v)| *v).collect(),
                    rep: unknown.ty(&binding.ty),
                }));
                self.unseal.insert(id, fun);
                let body = opaque(id, &binding.params);
                let fun = TypeFun { params: binding.params.clone(), sizes: Vec::new(), body };
                self.visible.opaques.insert(t.id, fun);
            }
        }
    }

    /// Sizes in the signature that name its values are those of the module.
    fn ids(&mut self, have: &Env, want: &Env) {
        for (name, value) in &want.values {
            if let ValueBinding::Def { id, .. } = value
                && let Some(ValueBinding::Def { id: actual, .. }) = have.values.get(name)
            {
                self.expect.globals.insert(*id, *actual);
                self.visible.globals.insert(*id, *actual);
            }
        }
        for (name, module) in &want.modules {
            if let ModBinding::Structure(want) = module
                && let Some(ModBinding::Structure(have)) = have.modules.get(name)
            {
                self.ids(have, want);
            }
        }
    }

    /// Whether a type has, outside of functions, an abstract type that stands for something of
    /// existential size: only the result of a function can have such a size.
    fn forgets_size(&self, ty: &Type) -> bool {
        match ty {
            Type::Prim(_) | Type::Param(_) | Type::Arrow(_) => false,
            Type::Array { elem, .. } => self.forgets_size(elem),
            Type::Record(fields) => fields.iter().any(|(_, t)| self.forgets_size(t)),
            Type::Sum(cs) => cs.iter().flat_map(|(_, ts)| ts).any(|t| self.forgets_size(t)),
            Type::Opaque(id, args) => {
                self.expect.opaques.get(id).is_some_and(|fun| !fun.sizes.is_empty())
                    || args.iter().any(|arg| match arg {
                        TypeArg::Size(_) => false,
                        TypeArg::Type(t) => self.forgets_size(t),
                    })
            }
        }
    }

    fn env(&mut self, cx: &mut Elab, have: &Env, want: &Env, seal: Seal) -> Env {
        let mut out = Env::default();
        // In the order of the alphabet here too, which that of messages follows.
        let mut types: Vec<_> = want.types.iter().collect();
        types.sort_by_key(|(name, _)| name.as_str());
        for (name, spec) in types {
            let (expect, visible) = match seal {
                Seal::Open => {
                    let t = self.expect.type_binding(cx, spec);
                    (t.clone(), t)
                }
                Seal::Opaque(_) => {
                    (self.expect.type_binding(cx, spec), self.visible.type_binding(cx, spec))
                }
            };
            self.type_abbreviation(cx, have, *name, &expect);
            out.types.insert(*name, visible);
        }
        // In the order of the alphabet, since definitions may be made: that of interning is not
        // the same in every process.
        let mut values: Vec<_> = want.values.iter().collect();
        values.sort_by_key(|(name, _)| name.as_str());
        for (name, spec) in values {
            let ValueBinding::Def { scheme, span, .. } = spec else { continue };
            if self.forgets_size(&scheme.ty) {
                let (shown, specified) = (self.shown(*name), *span);
                self.fail(cx, ModuleError::ForgetsSize { shown, specified });
                continue;
            }
            let expect = self.expect.scheme(cx, scheme);
            let visible = match seal {
                Seal::Open => expect.clone(),
                Seal::Opaque(_) => self.visible.scheme(cx, scheme),
            };
            let path = match seal {
                Seal::Open => "",
                Seal::Opaque(path) => path,
            };
            if let Some(value) = self.value(cx, have, *name, &expect, visible, *span, path) {
                out.values.insert(*name, value);
            }
        }
        let mut modules: Vec<_> = want.modules.iter().collect();
        modules.sort_by_key(|(name, _)| name.as_str());
        for (name, spec) in modules {
            let Some(module) = have.modules.get(name) else {
                if have.is_broken(Namespace::Value, *name) {
                    self.ok = false;
                    continue;
                }
                let shown = self.shown(*name);
                self.fail(cx, ModuleError::MissingModule { shown });
                continue;
            };
            match (module, spec) {
                (ModBinding::Structure(have), ModBinding::Structure(want)) => {
                    self.path.push(*name);
                    let inner = self.env(cx, have, want, seal);
                    self.path.pop();
                    out.modules.insert(*name, ModBinding::Structure(Arc::new(inner)));
                }
                (ModBinding::Functor(have), ModBinding::Functor(want)) => {
                    let mut memo = HashMap::new();
                    let expect = functor_type(&subst_functor(cx, &self.expect, want, &mut memo));
                    let mut memo = HashMap::new();
                    let visible = functor_type(&subst_functor(cx, &self.visible, want, &mut memo));
                    let (Some(expect), Some(visible)) = (expect, visible) else { continue };
                    let unseal = Arc::new(self.unseal.clone());
                    self.owed.push(Owed { functor: have.clone(), expect: Arc::new(expect) });
                    match seen_as(have, &visible, unseal) {
                        Some(functor) => {
                            out.modules.insert(*name, ModBinding::Functor(functor));
                        }
                        None => self.ok = false,
                    }
                }
                (ModBinding::Structure(_), ModBinding::Functor(_)) => {
                    let shown = self.shown(*name);
                    self.fail(cx, ModuleError::MemberNotParametric { shown });
                }
                (ModBinding::Functor(_), ModBinding::Structure(_)) => {
                    let shown = self.shown(*name);
                    self.fail(cx, ModuleError::MemberParametric { shown });
                }
            }
        }
        out
    }

    fn type_abbreviation(&mut self, cx: &mut Elab, have: &Env, name: Name, expect: &TypeBinding) {
        let Some(binding) = have.types.get(&name) else {
            if have.is_broken(Namespace::Type, name) {
                self.ok = false;
                return;
            }
            let shown = self.shown(name);
            return self.fail(cx, ModuleError::MissingType { shown });
        };
        let mut fresh = Subst::default();
        let mut params = Vec::with_capacity(binding.params.len());
        for (kind, v) in &binding.params {
            let new = cx.fresh_var(v.name);
            match kind {
                TypeParamKind::Size => {
                    fresh.sizes.insert(*v, Size::Var(new));
                }
                TypeParamKind::Type(_) => {
                    fresh.types.insert(*v, Type::Param(new));
                }
            }
            params.push((*kind, new));
        }
        let mut sizes = Vec::with_capacity(binding.sizes.len());
        for v in &binding.sizes {
            let new = cx.fresh_var(v.name);
            fresh.sizes.insert(*v, Size::Var(new));
            sizes.push(new);
        }
        let ty = fresh.instantiate(cx, &binding.ty);
        let binding = TypeBinding { params, sizes, ty, ..*binding };
        let kinds: Vec<TypeParamKind> = expect.params.iter().map(|(k, _)| *k).collect();
        let mut pairs: Vec<(VarId, VarId)> = Vec::new();
        pairs.extend(binding.params.iter().map(|(_, v)| *v).zip(expect.params.iter().map(|p| p.1)));
        pairs.extend(binding.sizes.iter().copied().zip(expect.sizes.iter().copied()));
        if !same_kinds(&binding.params, &kinds)
            || binding.sizes.len() != expect.sizes.len()
            || !same_type(&binding.ty, &expect.ty, &pairs)
        {
            let shown = self.shown(name);
            let mut show = Show::default();
            let have = show.type_binding(&shown, &binding);
            let want = show.type_binding(&shown, expect);
            let (defined, specified) = (binding.span, Some(expect.span));
            self.fail(cx, ModuleError::OtherType { have, want, defined, specified, why: None });
            self.types_ok = false;
        }
    }

    #[allow(clippy::too_many_arguments, reason = "one call")]
    fn value(
        &mut self,
        cx: &mut Elab,
        have: &Env,
        name: Name,
        expect: &Scheme,
        visible: Scheme,
        spec_span: Span,
        path: &str,
    ) -> Option<ValueBinding> {
        let provided = match have.values.get(&name) {
            Some(v) => v,
            None => {
                if !have.is_broken(Namespace::Value, name) {
                    let (shown, ty) = (self.shown(name), Show::default().scheme(expect));
                    let specified = spec_span;
                    self.fail(cx, ModuleError::MissingValue { shown, name, ty, specified });
                }
                self.ok = false;
                return None;
            }
        };
        let mut conduct = Arc::default();
        let (head, matched, scheme) = match provided {
            ValueBinding::Def { id, scheme, span, conduct: known } => {
                conduct = known.clone();
                // What is unique in the result may be more than its type says.
                let found = match_fresh(cx, scheme, expect).or_else(|| {
                    let ty = with_unique_result(&scheme.ty, known.arity, &known.fresh);
                    match_fresh(cx, &Scheme { ty, ..scheme.as_ref().clone() }, expect)
                });
                match found {
                    Some(matched)
                        if matched.exact
                            && expect.size_params.len() == visible.size_params.len() =>
                    {
                        return Some(ValueBinding::Def {
                            id: *id,
                            scheme: Arc::new(visible),
                            span: *span,
                            conduct,
                        });
                    }
                    Some(matched) => (Head::Def(*id, *span), matched, scheme.clone()),
                    None => {
                        self.mismatch(cx, name, scheme, expect, *span, spec_span);
                        return None;
                    }
                }
            }
            ValueBinding::Intrinsic { name: intrinsic, scheme } => {
                match match_fresh(cx, scheme, expect) {
                    Some(matched) => (Head::Intrinsic(*intrinsic), matched, scheme.clone()),
                    None => {
                        self.mismatch(cx, name, scheme, expect, self.span, spec_span);
                        return None;
                    }
                }
            }
            ValueBinding::Operator { name: operator, over, compares } => {
                let at = operator_at(*over, *compares, &expect.ty);
                match at {
                    Some(scheme) => {
                        let Type::Arrow(arrow) = &scheme.ty else { return None };
                        let inst = Inst { types: vec![arrow.param.clone()], sizes: Vec::new() };
                        (
                            Head::Intrinsic(*operator),
                            Matched { inst, exact: false },
                            Arc::new(scheme),
                        )
                    }
                    None => {
                        let (ty, specified) = (Show::default().scheme(expect), spec_span);
                        self.fail(cx, ModuleError::OperatorNotDefined { name, ty, specified });
                        return None;
                    }
                }
            }
        };
        let extra = expect.size_params.len().saturating_sub(visible.size_params.len());
        let hidden: Vec<VarId> = expect.size_params.iter().rev().take(extra).copied().collect();
        let span = match head {
            Head::Def(_, span) => span,
            Head::Intrinsic(_) => self.span,
        };
        let full_name = Name::new(&format!("{path}{}", self.shown(name)));
        let id = pass_on(cx, full_name, head, &scheme, matched, &visible, &hidden, span);
        Some(ValueBinding::Def { id, scheme: Arc::new(visible), span, conduct })
    }

    fn mismatch(
        &mut self,
        cx: &mut Elab,
        name: Name,
        have: &Scheme,
        want: &Scheme,
        span: Span,
        spec_span: Span,
    ) {
        self.ok = false;
        if !self.types_ok {
            return;
        }
        let shown = self.shown(name);
        let mut show = Show::default();
        let (want, have) = (show.scheme(want), show.scheme(have));
        let (defined, specified) = (span, spec_span);
        self.fail(cx, ModuleError::OtherValue { shown, have, want, defined, specified });
    }
}

/// Matches, after telling the variables of the two apart: they may come from different
/// declarations, each of which counts its variables from nothing.
fn match_fresh(cx: &mut Elab, have: &Scheme, want: &Scheme) -> Option<Matched> {
    let params = want.type_params.iter().map(|(_, v)| v).chain(&want.size_params);
    params.for_each(|v| cx.skip_var(*v));
    size_vars_of_type(&want.ty, &mut |v| cx.skip_var(v));
    let have = Subst::fresh_scheme(cx, have);
    match_schemes(&have, want)
}

/// Whether a size parameter is the size of an array in a type.
fn readable(ty: &Type, v: VarId) -> bool {
    match ty {
        Type::Prim(_) | Type::Param(_) | Type::Arrow(_) => false,
        Type::Array { size, elem } => *size == Size::Var(v) || readable(elem, v),
        Type::Record(fields) => fields.iter().any(|(_, t)| readable(t, v)),
        Type::Sum(constrs) => constrs.iter().any(|(_, ts)| ts.iter().any(|t| readable(t, v))),
        Type::Opaque(_, args) => args.iter().any(|arg| match arg {
            TypeArg::Size(s) => *s == Size::Var(v),
            TypeArg::Type(t) => readable(t, v),
        }),
    }
}

/// The module type of an abstract functor in a signature.
fn functor_type(f: &Functor) -> Option<ModTypeBinding> {
    Some(ModTypeBinding::Functor {
        param: f.param,
        param_type: f.param_type.clone(),
        scope: f.scope.clone(),
        result: f.ascription.clone()?,
    })
}

/// The type of a built-in operator where `t -> t -> t` of one type `t` is asked for.
fn operator_at(over: Over, compares: bool, want: &Type) -> Option<Scheme> {
    let Type::Arrow(first) = want else { return None };
    let Type::Arrow(second) = &first.ret else { return None };
    let operand = &first.param;
    let defined = match operand {
        Type::Prim(p) => over.has(*p),
        Type::Array { .. } | Type::Record(_) | Type::Sum(_) | Type::Param(_) | Type::Opaque(..) => {
            over == Over::Any
        }
        Type::Arrow(_) => false,
    };
    let result =
        if compares { Type::Prim(futc_typed::prim::PrimType::Bool) } else { operand.clone() };
    (defined && second.param == *operand && second.ret == result).then(|| Scheme {
        type_params: Vec::new(),
        size_params: Vec::new(),
        ty: want.clone(),
    })
}

/// What a made definition passes its parameters on to.
#[derive(Clone, Copy)]
enum Head {
    Def(DefId, Span),
    Intrinsic(Name),
}

/// Makes a definition of type `visible` that is `head` at an instance.
#[allow(clippy::too_many_arguments, reason = "one call")]
fn pass_on(
    cx: &mut Elab,
    name: Name,
    head: Head,
    scheme: &Scheme,
    matched: Matched,
    visible: &Scheme,
    hidden: &[VarId],
    span: Span,
) -> DefId {
    // The definition's own parameters must be distinct from all else in this file.
    let mut own = Subst::default();
    let mut fun = FunDef {
        type_params: Vec::new(),
        size_params: Vec::new(),
        params: Vec::new(),
        ret_sizes: Vec::new(),
        ret: Type::unit(),
        unique_ret: None,
        body: Exp { kind: ExpKind::Hole, ty: Type::unit(), span },
    };
    for (_, v) in &visible.type_params {
        let new = cx.fresh_var(v.name);
        own.types.insert(*v, Type::Param(new));
        fun.type_params.push(new);
    }
    for v in &visible.size_params {
        let new = cx.fresh_var(v.name);
        own.sizes.insert(*v, Size::Var(new));
        fun.size_params.push(new);
    }
    own.sizes.extend(hidden.iter().map(|v| (*v, Size::Unknown)));
    let ty = own.instantiate(cx, &visible.ty);

    let inst = Inst {
        types: matched.inst.types.iter().map(|t| own.ty(t)).collect(),
        sizes: matched.inst.sizes.iter().map(|s| own.size(s)).collect(),
    };
    let mut at = Subst::default();
    at.types.extend(scheme.type_params.iter().map(|(_, v)| *v).zip(inst.types.iter().cloned()));
    at.sizes.extend(scheme.size_params.iter().copied().zip(inst.sizes.iter().cloned()));
    let head_ty = at.instantiate(cx, &scheme.ty);
    let head = Exp {
        kind: match head {
            Head::Def(id, _) => ExpKind::Global(id, inst),
            Head::Intrinsic(name) => ExpKind::Intrinsic(name, inst),
        },
        ty: head_ty.clone(),
        span,
    };

    let mut args = Vec::new();
    let mut want = ty;
    let mut have = head_ty;
    let mut sizes = Vec::new();
    while let Type::Arrow(arrow) = &want {
        let arrow: Arc<Arrow> = arrow.clone();
        let Type::Arrow(have_arrow) = &have else { break };
        let have_arrow = have_arrow.clone();
        let v = arrow.name.unwrap_or_else(|| cx.fresh_var(Name::new("x")));
        fun.params.push(Param {
            pat: Pat { kind: PatKind::Var(v), ty: arrow.param.clone(), span },
            name: arrow.name,
            consumes: arrow.consumes.clone(),
        });
        let arg = Exp { kind: ExpKind::Var(v, Inst::default()), ty: arrow.param.clone(), span };
        let mut ret = have_arrow.ret.clone();
        if let Some(n) = have_arrow.name {
            let mut dependent = Subst::default();
            dependent.sizes.insert(n, crate::check::types::subst::exp_to_size(arg.clone()));
            ret = dependent.ty(&ret);
        }
        args.push(arg);
        sizes.extend(have_arrow.ret_sizes.iter().copied());
        fun.ret_sizes.extend(arrow.ret_sizes.iter().copied());
        have = ret;
        fun.unique_ret = Some(arrow.unique_ret.clone());
        want = arrow.ret.clone();
    }
    fun.ret = want;
    fun.body = if args.is_empty() {
        head
    } else {
        Exp { kind: ExpKind::App { fun: Box::new(head), args, sizes }, ty: have, span }
    };
    let id = cx.fresh_def(name);
    cx.defs.push(Arc::new(Def {
        id,
        name,
        fun,
        recursive: false,
        entry: None,
        attrs: Vec::new(),
        span,
    }));
    id
}

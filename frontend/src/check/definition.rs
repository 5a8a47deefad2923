//! Definitions: inference, AUTOMAP where ranks differ, the rules, and uniqueness, in order.
//!
//! - [`check_val_bind`] checks a top-level definition.
//! - [`check_size`] reads a size in a type outside of every term: in a type abbreviation or a module type.

use crate::check::automap;
use crate::check::exps::function::Extent;
use crate::check::finish::errors::FinishError;
use crate::check::infer::checker::{Checker, Local};
use crate::check::infer::unknown::PrimSet;
use crate::check::rules::sizes::Written;
use crate::check::types::arrow::with_unique_result;
use crate::check::types::elab::Elab;
use crate::check::types::env::{Conduct, Env, Scheme};
use crate::check::types::own_name::OwnName;
use crate::check::types::subst::size_vars_of_type;
use crate::diag::{Code, Severity};
use crate::syntax::ast;
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use futc_typed::program::{DefId, FunDef, VarId};
use futc_typed::span::Span;
use futc_typed::types::{Size, Type};
use std::sync::Arc;

/// A checked definition: its type, what is left of it, whether it calls itself, and what else is
/// known of it.
pub type Checked = (Arc<Scheme>, FunDef, bool, Arc<Conduct>);

/// Checks a top-level definition.
pub fn check_val_bind(
    cx: &mut Elab,
    env: &Env,
    path: &str,
    id: DefId,
    vb: &ast::ValBind,
    attrs: &[ast::Attr],
    span: Span,
) -> Option<Checked> {
    // Neither the path nor attributes bear on types.
    let _ = (path, attrs, span);
    let name = vb.name.name;
    let known = env.values.contains_key(&name) || env.modules.contains_key(&name);
    if !known || vb.params.is_empty() {
        return check_meaning(cx, env, id, vb, OwnName::Itself);
    }
    let (mark, edits) = (cx.mark(), cx.elaborations.len());
    let notes = cx.notes.as_ref().map_or(0, Vec::len);
    let forget = |cx: &mut Elab| {
        cx.back_to(mark);
        cx.elaborations.truncate(edits);
        cx.notes.iter_mut().for_each(|all| all.truncate(notes));
    };
    let result = check_meaning(cx, env, id, vb, OwnName::Earlier);
    if result.is_some() {
        return result;
    }
    forget(cx);
    let result = check_meaning(cx, env, id, vb, OwnName::Itself);
    if result.as_ref().is_some_and(|(_, _, recursive, _)| *recursive) {
        return result;
    }
    // Its types may be right, and nothing but how it calls itself wrong.
    let said = cx.diagnostics.iter().skip(mark.0).filter(|d| d.severity == Severity::Error);
    let codes: Vec<Code> = said.map(|d| d.code).collect();
    if !codes.is_empty() && codes.iter().all(|code| code.is_about_recursion()) {
        return result;
    }
    forget(cx);
    check_meaning(cx, env, id, vb, OwnName::Earlier)
}

/// Checks a definition, with maps and reps inserted if it needs them.
fn check_meaning(
    cx: &mut Elab,
    env: &Env,
    id: DefId,
    vb: &ast::ValBind,
    own: OwnName,
) -> Option<Checked> {
    let mark = cx.mark();
    let automap = cx.prelude_env.is_some();
    let (result, stopped) = check_once(cx, env, id, vb, own, automap);
    if !stopped {
        return result;
    }
    cx.back_to(mark);
    let as_written = vb;
    let outcome = automap::elaborate(cx, env, vb, own);
    cx.back_to(mark);
    match outcome {
        automap::Outcome::Nothing => check_once(cx, env, id, vb, own, false).0,
        automap::Outcome::Elaborated { as_is, named } => {
            let notes = cx.notes.as_ref().map_or(0, Vec::len);
            let forget = |cx: &mut Elab| {
                cx.back_to(mark);
                cx.notes.iter_mut().for_each(|all| all.truncate(notes));
            };
            let automap::Elaborated { mut vb, mut edits } = as_is;
            let mut result = check_once(cx, env, id, &vb, own, false).0;
            let untimely = |cx: &Elab| {
                cx.diagnostics.iter().skip(mark.0).any(|d| d.code == Code::CausalityCheck)
            };
            if untimely(cx)
                && let Some(named) = named
            {
                // What is repeated as often as an array is long waits until that is known.
                forget(cx);
                result = check_once(cx, env, id, &named.vb, own, false).0;
                if result.is_some() {
                    automap::Elaborated { vb, edits } = named;
                } else {
                    forget(cx);
                    result = check_once(cx, env, id, &vb, own, false).0;
                }
            }
            if result.as_ref().is_some_and(|(scheme, fun, ..)| repeats_at_will(&vb, scheme, fun)) {
                cx.back_to(mark);
                return check_once(cx, env, id, as_written, own, false).0;
            }
            automap::explain(cx, mark.0, &edits);
            cx.elaborations.extend(edits);
            result
        }
        automap::Outcome::Refused(diagnostic) => {
            if cx.notes.is_some() {
                // An editor wants to know what is known all the same.
                check_once(cx, env, id, vb, own, false);
                cx.back_to(mark);
            }
            cx.report(diagnostic);
            None
        }
    }
}

/// Whether a definition with inserted reps repeats something as often as its caller likes: then it
/// is not what was meant. `vb` is the definition with the reps.
fn repeats_at_will(vb: &ast::ValBind, scheme: &Scheme, fun: &FunDef) -> bool {
    let mut told = Vec::new();
    fun.params.iter().for_each(|p| size_vars_of_type(&p.pat.ty, &mut |v| told.push(v)));
    let written = |v: &VarId| {
        vb.type_params.iter().any(|p| matches!(p, ast::TypeParam::Size(n) if n.name == v.name))
    };
    scheme.size_params.iter().any(|v| !told.contains(v) && !written(v))
}

/// Checks a definition as it stands. If `stop`, an error that may be due to ranks ends it, and the
/// second result is true.
fn check_once(
    cx: &mut Elab,
    env: &Env,
    id: DefId,
    vb: &ast::ValBind,
    own: OwnName,
    stop: bool,
) -> (Option<Checked>, bool) {
    let mut checker = Checker::new(cx, env);
    checker.stop = stop;
    let result = checker.top_level(id, vb, own);
    let stopped = checker.stopped;
    if !stopped {
        checker.write_notes();
    }
    checker.give_back(cx);
    (result, stopped)
}

/// Reads a size in a type outside of every term. `locals` are size parameters and parameters'
/// names, innermost last.
pub fn check_size(
    cx: &mut Elab,
    env: &Env,
    locals: &[(Name, VarId, Type)],
    exp: &ast::Exp,
) -> Option<Size> {
    let mut checker = Checker::new(cx, env);
    for (name, var, ty) in locals {
        checker.push_local(*name, Local::Mono(*var, ty.clone()));
    }
    let size = checker.size_of_ast(exp);
    let size = size.map(|s| checker.finish_size(&s)).filter(|_| !checker.failed);
    checker.give_back(cx);
    size
}

impl Checker<'_> {
    /// Checks a top-level definition.
    pub(crate) fn top_level(
        &mut self,
        id: DefId,
        vb: &ast::ValBind,
        own: OwnName,
    ) -> Option<Checked> {
        let written = Written {
            name: Some(vb.name),
            type_params: &vb.type_params,
            params: &vb.params,
            ret: vb.ret.as_ref(),
            body: &vb.body,
        };
        let own = (own == OwnName::Itself).then_some((id, vb));
        let fun = self.function(&written, own);
        if self.stopped {
            return None;
        }
        self.settle_choices();
        // Overloading is settled by the definition alone.
        self.settle_deferred();
        let mut types: Vec<Type> = fun.params.iter().map(|p| p.pat.ty.clone()).collect();
        types.push(fun.ret.clone());
        let defaulted: Vec<_> = types.iter().flat_map(|t| self.default_constrained(t)).collect();
        let constant = fun.params.is_empty();
        let (mut scheme, mut fun) = self.generalise(fun, Extent::TopLevel);
        self.check_sizes(&written, vb.name, &scheme, &fun, 0);
        self.note_function(vb.name.span, &scheme);
        if self.failed {
            // What is missing would only be reported once more.
            return None;
        }
        self.check_causality(&fun);
        if self.failed {
            return None;
        }
        self.finish_function(&mut fun);
        scheme.ty = self.finish_scheme(&scheme.ty, &fun);
        if constant && !fun.ret_sizes.is_empty() {
            scheme.ty = self.constant_sizes(id, &fun, &scheme.ty);
        }
        if self.recursive && !self.failed {
            self.restricted_recursion(id, &fun, vb.name.span);
        }
        if self.failed {
            return None;
        }
        for (from, to) in defaulted {
            self.defaulted_type(vb, from, to);
        }
        let entry = vb.entry || vb.name.name.as_str() == "main";
        let conduct = self.uniqueness(&mut scheme.ty, &fun, entry);
        Some((Arc::new(scheme), fun, self.recursive, Arc::new(conduct)))
    }

    /// Warns that a type which others see was not said.
    fn defaulted_type(&mut self, vb: &ast::ValBind, from: PrimSet, to: PrimType) {
        if self.cx.applying {
            return;
        }
        let name = vb.name.name;
        let constant = vb.params.is_empty();
        self.cx.warn(FinishError::Defaulted { name, constant, from, to }.at(vb.name.span));
    }

    /// Checks uniqueness, and puts what was found out of the result into the type.
    fn uniqueness(&mut self, ty: &mut Type, fun: &FunDef, entry: bool) -> Conduct {
        let (mut wrong, conduct) = crate::check::unique::check(fun, &self.cx, &self.conducts);
        for (given, wanted, span) in std::mem::take(&mut self.ascribed) {
            wrong.extend(crate::check::unique::misfit(
                &self.metas.zonk(&given),
                &self.metas.zonk(&wanted),
                span,
            ));
        }
        // The body of a parametric module was checked by itself. But what it is applied to may have
        // functions in it that are not what their types say.
        if !self.cx.applying || self.conducts.values().any(|c| c.gives_once || c.gives_constant) {
            for d in wrong {
                match d.severity {
                    Severity::Error => self.cx.report(d),
                    // Of an entry point, `*` speaks to callers outside of the language.
                    Severity::Warning if entry || self.cx.applying => {}
                    Severity::Warning => self.cx.warn(d),
                }
            }
        }
        if fun.unique_ret.is_none() && conduct.fresh.any() {
            *ty = with_unique_result(ty, fun.params.len(), &conduct.fresh);
        }
        conduct
    }
}

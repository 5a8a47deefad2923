//! Names used as values, modules opened in an expression, and type expressions inside of definitions.

use super::errors::ExpError;
use crate::check::infer::checker::{Checker, Local};
use crate::check::infer::scope::Found;
use crate::check::mismatch::role::{Why, path};
use crate::check::types::elab::Elab;
use crate::check::types::env::{Env, ValueBinding};
use crate::check::types::subst::Subst;
use crate::check::types::typeexp;
use crate::check::types::typeexp::{DimPosition, Resolved, SizeScope};
use crate::syntax::ast::{self, Ident, Liftedness};
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use futc_typed::program::{Exp, ExpKind, Inst, VarId};
use futc_typed::span::Span;
use futc_typed::types::{Size, Type};
use std::sync::Arc;

impl Checker<'_> {
    /// A name used as a value, with what is projected from it.
    pub(crate) fn variable(&mut self, name: &ast::QualName) -> Exp {
        let parts: Vec<Ident> = name.quals.iter().copied().chain([name.name]).collect();
        let found = self.resolve(&parts);
        if let Found::Local(_, rest) | Found::Value(_, rest) = &found
            && let Some(used) = parts.len().checked_sub(rest.len() + 1)
            && let Some(used) = parts.get(used).copied()
            && used.name.as_str().starts_with('_')
        {
            self.report(ExpError::UnderscoreUsed { name: used.name }.at(used.span));
        }
        let (first, rest) = match found {
            Found::Local(local, rest) => (self.use_local(local, name.span), rest),
            Found::Value(binding, rest) => (self.use_binding(&binding, name.span), rest),
            Found::Broken => return self.wrong(name.span),
            Found::UnknownModule(part) => {
                self.report(ExpError::UnknownModuleOrValue { name: part.name }.at(part.span));
                return self.wrong(name.span);
            }
            Found::Module => {
                self.report(ExpError::ModuleAsValue { shown: path(name) }.at(name.span));
                return self.wrong(name.span);
            }
            Found::Parametric(part) => {
                let mut cx = self.lend();
                crate::check::types::lookup::parametric(&mut cx, part.span);
                self.cx = cx;
                return self.wrong(name.span);
            }
            Found::Unknown(like) => {
                let text = name.name.name;
                if name.quals.is_empty() && matches!(text.as_str(), "&&" | "||") {
                    return self.logical_function(text, name.span);
                }
                if name.quals.is_empty() && DERIVATIVES.contains(&text.as_str()) {
                    self.report(ExpError::NoDerivatives { name: text }.at(name.span));
                    return self.wrong(name.span);
                }
                let shown = path(name);
                let module = shown.strip_suffix(text.as_str()).unwrap_or_default();
                let like = like.map(|like| format!("{module}{like}"));
                self.report(ExpError::UnknownValue { shown, like }.at(name.span));
                return self.wrong(name.span);
            }
        };
        let rest: Vec<Ident> = rest.to_vec();
        rest.into_iter().fold(first, |e, field| {
            let span = Span { end: field.span.end, ..e.span };
            self.project(e, field, span)
        })
    }

    fn use_local(&mut self, local: Local, span: Span) -> Exp {
        match local {
            Local::Mono(v, _) | Local::Poly(v, _) if self.unknown.contains(&v) => self.wrong(span),
            Local::Mono(v, ty) => Exp { kind: ExpKind::Var(v, Inst::default()), ty, span },
            Local::Poly(v, scheme) => {
                let (ty, inst) = self.instantiate(&scheme);
                Exp { kind: ExpKind::Var(v, inst), ty, span }
            }
            Local::Binding(b) => {
                if let ValueBinding::Def { id, .. } = &b
                    && Some(*id) == self.own_id
                {
                    self.recursive = true;
                }
                self.use_binding(&b, span)
            }
        }
    }

    /// `M.(e)`
    pub(crate) fn opened_in(
        &mut self,
        module: &ast::QualName,
        e: &ast::Exp,
        hint: Option<&Type>,
    ) -> Exp {
        let path: Vec<Name> =
            module.quals.iter().chain([&module.name]).map(|part| part.name).collect();
        let Some(inner) = self.scope_env().module(&path) else {
            let mut cx = self.lend();
            let parts: Vec<Ident> = module.quals.iter().copied().chain([module.name]).collect();
            crate::check::types::lookup::module_not_found(&mut cx, self.scope_env(), &parts);
            self.cx = cx;
            return self.wrong(e.span);
        };
        let values: Vec<(Name, ValueBinding)> =
            inner.values.iter().map(|(n, b)| (*n, b.clone())).collect();
        let mut env = self.scope_env().clone();
        env.open(inner);
        let mark = self.mark();
        // The module's values hide locals too.
        for (name, binding) in values {
            if self.local(name).is_some() {
                self.push_local(name, Local::Binding(binding));
            }
        }
        self.opened.push(Arc::new(env));
        let result = self.exp_with(e, hint);
        self.opened.pop();
        self.undo(mark);
        result
    }

    /// Reads a type expression, also with the existential sizes written in it left open.
    pub(crate) fn open_type(&mut self, te: &ast::TypeExp) -> Option<(Resolved, Type)> {
        let opened = self.opened.last().cloned();
        let env: &Env = match &opened {
            Some(env) => env,
            None => self.env,
        };
        let mut cx = self.lend();
        let mut scope = TypeScope { checker: self, binds: Vec::new() };
        let resolved = typeexp::resolve_type(&mut cx, env, &mut scope, te);
        self.cx = cx;
        let Some(resolved) = resolved else {
            self.failed = true;
            return None;
        };
        if !self.fits_in(&resolved.ty, te.span) {
            return None;
        }
        let mut open = Subst::default();
        for v in &resolved.sizes {
            open.sizes.insert(*v, self.metas.fresh_size());
        }
        let ty = open.ty(&resolved.ty);
        Some((resolved, ty))
    }

    fn lend(&mut self) -> Elab {
        let file = self.cx.file;
        std::mem::replace(&mut self.cx, Elab::new(file))
    }

    /// The size that an expression in brackets denotes.
    pub(crate) fn size_of_ast(&mut self, e: &ast::Exp) -> Option<Size> {
        let typed = self.check_prim(e, PrimType::I64, &Why::Size);
        if self.failed {
            return None;
        }
        let size = self.exp_size(&typed);
        if size.is_none() {
            self.report(ExpError::NotASize.at(e.span));
        }
        size
    }
}

/// What the reference compiler provides for derivatives.
const DERIVATIVES: &[&str] =
    &["jvp", "jvp2", "vjp", "vjp2", "jmp", "jmp2", "mjp", "mjp2", "with_vjp", "with_vjp_tape"];

/// The checker as the surroundings of a type expression.
struct TypeScope<'c, 'a> {
    checker: &'c mut Checker<'a>,
    binds: Vec<(usize, usize)>,
}

impl SizeScope for TypeScope<'_, '_> {
    fn size(&mut self, cx: &mut Elab, _env: &Env, exp: &ast::Exp) -> Option<Size> {
        std::mem::swap(cx, &mut self.checker.cx);
        let failed = std::mem::replace(&mut self.checker.failed, false);
        let size = self.checker.size_of_ast(exp);
        self.checker.failed |= failed;
        std::mem::swap(cx, &mut self.checker.cx);
        size
    }

    fn anonymous(&mut self, _cx: &mut Elab, _span: Span, _place: DimPosition) -> Option<Size> {
        Some(self.checker.metas.fresh_size())
    }

    fn type_param(&self, name: Name) -> Option<(Liftedness, VarId)> {
        self.checker.local_types.iter().rev().find(|(n, _, _)| *n == name).map(|(_, l, v)| (*l, *v))
    }

    fn bind(&mut self, name: Ident, var: VarId, ty: &Type) {
        self.binds.push(self.checker.mark());
        self.checker.push_local(name.name, Local::Mono(var, ty.clone()));
    }

    fn unbind(&mut self) {
        if let Some(mark) = self.binds.pop() {
            self.checker.undo(mark);
        }
    }
}

//! Rules about the sizes of functions and loops, other than that sizes agree: every size can be
//! read from something, can be told by who applies the function, and is there when it is needed.

use super::errors::RuleError;
use crate::check::infer::checker::{Checker, SizeSource};
use crate::check::infer::unknown::{Binder, is_meta};
use crate::check::types::env::Scheme;
use crate::check::types::sizes::{free_sizes, within, witnessed};
use crate::check::types::subst::{size_vars, size_vars_of_type};
use crate::syntax::ast;
use futc_typed::program::{FunDef, Param, VarId};
use futc_typed::shared::Seen;
use futc_typed::span::Span;
use futc_typed::types::{Size, Type, TypeArg};

impl Checker<'_> {
    /// Refuses a size in brackets that nothing has.
    pub(crate) fn unused_size(&mut self, size: ast::Ident, place: &'static str) {
        self.report(RuleError::UnusedSize { size: size.name, place }.at(size.span));
    }

    /// Refuses a loop that changes a size which something from outside of it has.
    pub(crate) fn loop_variant_escape(&mut self, size: VarId, span: Span) {
        self.report(RuleError::LoopVariantEscape { size: size.name }.at(span));
    }

    /// Refuses a loop parameter of a size that only the loop's body makes.
    pub(crate) fn size_from_loop_body(&mut self, size: VarId, span: Span) {
        let d = RuleError::SizeFromLoopBody { size: size.name }.at(span);
        self.report(self.label_sources(d, &Size::Var(size)));
    }

    /// Refuses an argument whose type would mention a size that an earlier argument, a function,
    /// makes anew at each application.
    pub(crate) fn check_arrow_sizes(&mut self, param: &Type, span: Span) {
        let ty = self.metas.zonk(param);
        if let Some(v) = self.arrow_size_in(&ty) {
            self.existential_param(v, &ty, span);
        }
    }

    /// Refuses a function whose own parameters would mention such a size.
    pub(crate) fn check_arrow_params(&mut self, ty: &Type, span: Span) {
        let mut ty = self.metas.zonk(ty);
        while let Type::Arrow(a) = &ty {
            if let Some(v) = self.arrow_size_in(&a.param) {
                return self.existential_param(v, &a.param.clone(), span);
            }
            ty = a.ret.clone();
        }
    }

    fn existential_param(&mut self, v: VarId, param: &Type, span: Span) {
        let shown = self.show(param);
        self.report(RuleError::ExistentialParam { shown, size: v.name }.at(span));
    }

    /// The sizes of an application's result that the functions given to it make have come into
    /// being.
    pub(crate) fn sizes_made(&mut self, ty: &Type, span: Span) {
        let mut made = Vec::new();
        crate::check::types::sizes::dimensions(&self.metas.zonk(ty), &mut |s| {
            size_vars(s, &mut |v| made.push(v));
        });
        for v in made {
            if self.metas.binder(v) == Some(Binder::Arrow) {
                self.metas.unbind(v);
                self.unnamed.remove(&v);
                self.made_by_arguments.insert(v);
                self.size_sources.insert(v, (span, SizeSource::Result));
            }
        }
    }

    /// Such a size in a type, outside of results of functions, where it can be existential.
    fn arrow_size_in(&self, ty: &Type) -> Option<VarId> {
        self.arrow_size_seen(ty, &mut Vec::new(), false, &mut Seen::default())
    }

    fn arrow_size_seen(
        &self,
        ty: &Type,
        inside: &mut Vec<VarId>,
        in_result: bool,
        seen: &mut Seen,
    ) -> Option<VarId> {
        if seen.again(ty, within(inside) * 2 + u64::from(in_result)) {
            // Had there been one, the walk would have ended there.
            return None;
        }
        let find = |s: &Size, inside: &[VarId]| {
            let mut found = None;
            size_vars(s, &mut |v| {
                if self.metas.binder(v) == Some(Binder::Arrow) && !inside.contains(&v) {
                    found = Some(v);
                }
            });
            found.filter(|_| !in_result)
        };
        match ty {
            Type::Prim(_) | Type::Param(_) => None,
            Type::Array { size, elem } => {
                find(size, inside).or_else(|| self.arrow_size_seen(elem, inside, in_result, seen))
            }
            Type::Record(fields) => {
                fields.iter().find_map(|(_, t)| self.arrow_size_seen(t, inside, in_result, seen))
            }
            Type::Sum(cs) => cs
                .iter()
                .flat_map(|(_, ts)| ts)
                .find_map(|t| self.arrow_size_seen(t, inside, in_result, seen)),
            Type::Arrow(a) => self.arrow_size_seen(&a.param, inside, false, seen).or_else(|| {
                let depth = inside.len();
                inside.extend(a.name.iter().chain(&a.ret_sizes));
                let found = self.arrow_size_seen(&a.ret, inside, true, seen);
                inside.truncate(depth);
                found
            }),
            Type::Opaque(_, args) => args.iter().find_map(|arg| match arg {
                TypeArg::Size(s) => find(s, inside),
                TypeArg::Type(t) => self.arrow_size_seen(t, inside, in_result, seen),
            }),
        }
    }

    /// Refuses parameters whose sizes no caller could tell: they mention variables taken out of
    /// another parameter by its pattern. `start` is before the first of them.
    pub(crate) fn check_params(&mut self, params: &[Param], size_params: &[VarId], start: u32) {
        let names: Vec<VarId> =
            params.iter().filter_map(|p| p.name).chain(size_params.iter().copied()).collect();
        for p in params {
            let ty = self.metas.zonk(&p.pat.ty);
            let mut hidden = None;
            free_sizes(&ty, &mut Vec::new(), &mut |v| {
                if v.tag >= start
                    && !names.contains(&v)
                    && let Some(Binder::Name(at)) = self.metas.binder(v)
                {
                    hidden = Some((v, at));
                }
            });
            if let Some((v, at)) = hidden {
                let shown = self.show(&ty);
                let error = RuleError::HiddenInParameter { shown, size: v.name, bound: at };
                self.report(error.at(p.pat.span));
            }
        }
    }

    /// Refuses a declared result whose sizes no caller could tell.
    pub(crate) fn check_result(
        &mut self,
        ty: &Type,
        written: Option<&ast::TypeExp>,
        names: &[VarId],
        start: u32,
    ) {
        let Some(te) = written else { return };
        let ty = self.metas.zonk(ty);
        let mut hidden = None;
        free_sizes(&ty, &mut Vec::new(), &mut |v| {
            if v.tag >= start
                && !names.contains(&v)
                && let Some(Binder::Name(at)) = self.metas.binder(v)
            {
                hidden = Some((v, at));
            }
        });
        if let Some((v, at)) = hidden {
            let shown = self.show(&ty);
            let error = RuleError::HiddenFromResult { shown, size: v.name, bound: at };
            self.report(error.at(te.span));
        }
    }

    /// Refuses size parameters that nothing has, and parameters of a size that nobody knows: one
    /// that came into being since `start`, in the function. Those from around it have one value.
    pub(crate) fn check_sizes(
        &mut self,
        written: &Written<'_>,
        name: ast::Ident,
        scheme: &Scheme,
        fun: &FunDef,
        start: u32,
    ) {
        if self.failed {
            return;
        }
        let mut mentioned = Vec::new();
        size_vars_of_type(&self.metas.zonk(&scheme.ty), &mut |v| mentioned.push(v));
        for p in written.type_params {
            if let ast::TypeParam::Size(n) = p
                && fun.size_params.iter().any(|v| v.name == n.name && !mentioned.contains(v))
            {
                self.unused_size(*n, "parameters");
            }
        }
        for p in &fun.params {
            let ty = self.metas.zonk(&p.pat.ty);
            let mut unknown = None;
            free_sizes(&ty, &mut Vec::new(), &mut |v| {
                if !is_meta(v)
                    && v.tag >= start
                    && self.metas.binder(v).is_none()
                    && !fun.size_params.contains(&v)
                    && self.size_sources.contains_key(&v)
                {
                    unknown = Some(v);
                }
            });
            if let Some(v) = unknown {
                self.unknown_param(name, v, &ty, p.pat.span);
            }
        }
        let ret = self.metas.zonk(&fun.ret);
        for v in &fun.ret_sizes {
            if !witnessed(&ret, *v) && in_function(&ret, *v) {
                self.unknown_param(name, *v, &ret, written.body.span);
                return;
            }
        }
        if fun.params.is_empty()
            && let (Some(size), Some(exists)) = (fun.size_params.first(), fun.ret_sizes.first())
        {
            let (size, of) = (size.name, Size::Var(*exists));
            let error =
                RuleError::PolymorphicConstant { name: name.name, size, exists: exists.name };
            self.report(self.label_sources(error.at(name.span), &of));
        }
    }

    fn unknown_param(&mut self, name: ast::Ident, v: VarId, ty: &Type, span: Span) {
        let shown = self.show(ty);
        let d = RuleError::UnknownParam { name: name.name, size: v.name, shown }.at(span);
        self.report(self.label_sources(d, &Size::Var(v)));
    }
}

/// Whether a size is mentioned in the type of a function that is part of a type.
fn in_function(ty: &Type, v: VarId) -> bool {
    match ty {
        Type::Prim(_) | Type::Param(_) => false,
        Type::Array { elem, .. } => in_function(elem, v),
        Type::Record(fields) => fields.iter().any(|(_, t)| in_function(t, v)),
        Type::Sum(cs) => cs.iter().flat_map(|(_, ts)| ts).any(|t| in_function(t, v)),
        Type::Arrow(_) => {
            let mut mentioned = false;
            free_sizes(ty, &mut Vec::new(), &mut |w| mentioned |= v == w);
            mentioned
        }
        Type::Opaque(_, args) => args.iter().any(|arg| match arg {
            TypeArg::Size(_) => false,
            TypeArg::Type(t) => in_function(t, v),
        }),
    }
}

/// The parts of a function as written.
pub(crate) struct Written<'e> {
    pub(crate) name: Option<ast::Ident>,
    pub(crate) type_params: &'e [ast::TypeParam],
    pub(crate) params: &'e [ast::Pat],
    pub(crate) ret: Option<&'e ast::TypeExp>,
    pub(crate) body: &'e ast::Exp,
}

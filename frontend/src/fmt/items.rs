//! Declarations, specifications, modules.

use super::Fmt;
use super::doc::Id;
use crate::syntax::ast::{
    Attr, Dec, DecKind, Exp, File, Import, ModExp, ModExpKind, ModParam, ModTypeExp,
    ModTypeExpKind, Pat, Spec, SpecKind, TypeBind, TypeExp, TypeParam, ValBind,
};
use crate::syntax::lexer::TokenKind;

impl Fmt<'_> {
    pub(super) fn file(&mut self, file: &File) -> Id {
        let mut parts = Vec::new();
        for (i, dec) in file.decs.iter().enumerate() {
            if i > 0 {
                self.between(&mut parts);
            }
            parts.push(self.lead());
            parts.push(self.dec(dec));
        }
        if !self.nth(0).lead.is_empty() {
            if !file.decs.is_empty() {
                self.between(&mut parts);
            }
            parts.push(self.lead());
        }
        self.cat(parts)
    }

    /// Attributes before a declaration or specification, each on the line where it was.
    fn item_attrs(&mut self, attrs: &[Attr], parts: &mut Vec<Id>) {
        for attr in attrs {
            parts.push(self.attr(attr));
            parts.push(if self.newline() { self.d.hard() } else { self.d.space() });
            parts.push(self.lead());
        }
    }

    pub(super) fn attr(&mut self, attr: &Attr) -> Id {
        // The deprecated `unsafe` is an attribute without brackets.
        if self.kind() == TokenKind::Ident {
            return self.tok();
        }
        let mut parts = vec![self.tok()];
        let end = match attr {
            Attr::Name(name) => name.span.end,
            Attr::Int(_, span) | Attr::Comp(_, _, span) => span.end,
        };
        parts.push(self.raw(end));
        parts.push(self.tok());
        self.cat(parts)
    }

    fn dec(&mut self, dec: &Dec) -> Id {
        self.deeper(dec.span.end, |f| {
            let mut parts = Vec::new();
            f.item_attrs(&dec.attrs, &mut parts);
            parts.push(f.dec_kind(&dec.kind));
            f.cat(parts)
        })
    }

    fn dec_kind(&mut self, dec: &DecKind) -> Id {
        match dec {
            DecKind::Val(bind) => self.val_bind(bind),
            DecKind::Type(bind) => self.type_bind(bind),
            DecKind::ModType(bind) => {
                let mut parts = vec![self.tok_space(), self.tok_space(), self.tok()];
                parts.push(self.space_tok());
                parts.push(self.space());
                parts.push(self.mod_type(&bind.ty));
                self.cat(parts)
            }
            DecKind::Mod(bind) => {
                let mut parts = vec![self.tok_space(), self.tok()];
                for param in &bind.params {
                    parts.push(self.space());
                    parts.push(self.mod_param(param));
                }
                if let Some(ty) = &bind.ascription {
                    parts.push(self.space_tok());
                    parts.push(self.space());
                    parts.push(self.mod_type(ty));
                }
                parts.push(self.space_tok());
                parts.push(self.space());
                parts.push(self.mod_exp(&bind.body));
                self.cat(parts)
            }
            DecKind::Open(module) => {
                let parts = vec![self.tok_space(), self.mod_exp(module)];
                self.cat(parts)
            }
            DecKind::Import(import) => self.import(import),
            DecKind::Local(dec) => {
                let mut parts = vec![self.tok()];
                parts.push(if self.newline() { self.d.hard() } else { self.d.space() });
                parts.push(self.lead());
                parts.push(self.dec(dec));
                self.cat(parts)
            }
        }
    }

    fn import(&mut self, _: &Import) -> Id {
        let parts = vec![self.tok_space(), self.tok()];
        self.cat(parts)
    }

    fn val_bind(&mut self, bind: &ValBind) -> Id {
        let keyword = self.tok_space();
        // `x + y` defines `+`.
        if let [lhs, rhs] = &bind.params[..]
            && lhs.span.start < bind.name.span.start
        {
            let mut head = vec![self.pat(lhs), self.space()];
            let operator_end = rhs.span.start;
            let mut op = Vec::new();
            while self.nth(0).start < operator_end {
                op.push(self.tok());
            }
            head.extend(op);
            head.push(self.space());
            head.push(self.pat(rhs));
            let head = self.cat(head);
            return self.function(keyword, head, &[], &[], bind.ret.as_ref(), &bind.body);
        }
        let name = self.binder(bind.name.span.end);
        let (type_params, params) = (&bind.type_params, &bind.params);
        self.function(keyword, name, type_params, params, bind.ret.as_ref(), &bind.body)
    }

    /// A name that is bound: also `(+)`.
    pub(super) fn binder(&mut self, end: u32) -> Id {
        if self.kind() != TokenKind::LParen {
            return self.tok();
        }
        let mut parts = vec![self.tok()];
        while self.kind() != TokenKind::RParen && self.nth(0).start <= end {
            parts.push(self.tok());
        }
        parts.push(self.tok());
        self.cat(parts)
    }

    /// `def f [n] (x: t) : u = body`, from behind the name on.
    pub(super) fn function(
        &mut self,
        keyword: Id,
        name: Id,
        type_params: &[TypeParam],
        params: &[Pat],
        ret: Option<&TypeExp>,
        body: &Exp,
    ) -> Id {
        let mut rest = Vec::new();
        self.type_params(type_params, &mut rest);
        if !rest.is_empty() {
            // The first space stands before the aligned part.
            rest.remove(0);
        }
        for param in params {
            if !rest.is_empty() {
                rest.push(self.d.line());
            }
            rest.push(self.pat(param));
        }
        let mut head = vec![keyword, name];
        if !rest.is_empty() {
            head.push(self.space());
            let rest = self.cat(rest);
            let rest = self.d.align_near(rest);
            head.push(self.d.nest(2, rest));
        }
        if let Some(ret) = ret {
            head.push(self.space_tok());
            head.push(self.space());
            let ty = self.type_exp(ret);
            head.push(self.d.align(ty));
        }
        head.push(self.space_tok());
        let head = self.cat(head);
        let head = self.d.group(head, false);
        let broken = self.newline();
        let line = self.d.line();
        let body = self.exp(body);
        let body = self.cat(vec![line, body]);
        let body = self.d.nest(2, body);
        let beside = self.d.group(body, broken);
        let below = self.d.group(body, true);
        self.d.headed(head, beside, below)
    }

    fn type_bind(&mut self, bind: &TypeBind) -> Id {
        let mut parts = vec![self.type_head(&bind.params)];
        parts.push(self.space_tok());
        let broken = self.newline();
        let ty = self.type_exp(&bind.ty);
        let line = self.d.line();
        let ty = self.cat(vec![line, ty]);
        let ty = self.d.nest(2, ty);
        parts.push(self.d.group(ty, broken));
        self.cat(parts)
    }

    /// `type^ t 'a`
    fn type_head(&mut self, params: &[TypeParam]) -> Id {
        let mut parts = vec![self.tok()];
        if matches!(self.kind(), TokenKind::Tilde | TokenKind::Hat) {
            parts.push(self.tok());
        }
        parts.push(self.space_tok());
        self.type_params(params, &mut parts);
        self.cat(parts)
    }

    fn mod_param(&mut self, param: &ModParam) -> Id {
        let mut parts = vec![self.tok(), self.tok(), self.tok_space()];
        parts.push(self.mod_type(&param.ty));
        parts.push(self.tok());
        self.cat(parts)
    }

    fn mod_exp(&mut self, module: &ModExp) -> Id {
        self.deeper(module.span.end, |f| f.mod_exp_here(module))
    }

    fn mod_exp_here(&mut self, module: &ModExp) -> Id {
        match &module.kind {
            ModExpKind::Var(name) => self.qual_name(name),
            ModExpKind::Parens(inner) => {
                let open = self.tok();
                let inner = self.mod_exp(inner);
                let inner = self.d.align(inner);
                let close = self.tok();
                self.cat(vec![open, inner, close])
            }
            ModExpKind::Import(import) => self.import(import),
            ModExpKind::Decs(decs) => self.block(decs.len(), |f, i| f.dec(&decs[i])),
            ModExpKind::Apply(..) => {
                let mut args = Vec::new();
                let mut head = module;
                while let ModExpKind::Apply(f, arg) = &head.kind {
                    args.push(arg);
                    head = f;
                }
                let mut parts = vec![self.mod_exp(head)];
                for arg in args.into_iter().rev() {
                    parts.push(self.space());
                    parts.push(self.mod_exp(arg));
                }
                self.cat(parts)
            }
            ModExpKind::Ascript(inner, ty) => {
                let mut parts = vec![self.mod_exp(inner), self.space_tok(), self.space()];
                parts.push(self.mod_type(ty));
                self.cat(parts)
            }
            ModExpKind::Lambda(param, ty, body) => {
                let mut parts = vec![self.tok(), self.mod_param(param)];
                if let Some(ty) = ty {
                    parts.push(self.space_tok());
                    parts.push(self.space());
                    parts.push(self.mod_type(ty));
                }
                parts.push(self.space_tok());
                parts.push(self.space());
                parts.push(self.mod_exp(body));
                self.cat(parts)
            }
        }
    }

    fn mod_type(&mut self, ty: &ModTypeExp) -> Id {
        self.deeper(ty.span.end, |f| f.mod_type_here(ty))
    }

    fn mod_type_here(&mut self, ty: &ModTypeExp) -> Id {
        match &ty.kind {
            ModTypeExpKind::Var(name) => self.qual_name(name),
            ModTypeExpKind::Parens(inner) => {
                let open = self.tok();
                let inner = self.mod_type(inner);
                let inner = self.d.align(inner);
                let close = self.tok();
                self.cat(vec![open, inner, close])
            }
            ModTypeExpKind::Specs(specs) => self.block(specs.len(), |f, i| f.spec(&specs[i])),
            ModTypeExpKind::With(..) => {
                let mut refinements = Vec::new();
                let mut base = ty;
                while let ModTypeExpKind::With(inner, refinement) = &base.kind {
                    refinements.push(refinement);
                    base = inner;
                }
                let base = self.mod_type(base);
                let mut parts = Vec::new();
                let mut broken = false;
                for refinement in refinements.into_iter().rev() {
                    broken |= self.newline();
                    parts.push(self.d.line());
                    parts.push(self.lead());
                    parts.push(self.tok_space());
                    parts.push(self.qual_name(&refinement.name));
                    self.type_params(&refinement.params, &mut parts);
                    parts.push(self.space_tok());
                    parts.push(self.space());
                    parts.push(self.type_exp(&refinement.ty));
                }
                let with = self.cat(parts);
                let with = self.d.nest(2, with);
                let with = self.d.group(with, broken);
                self.cat(vec![base, with])
            }
            ModTypeExpKind::Arrow(name, param, result) => {
                let mut parts = Vec::new();
                if name.is_some() {
                    parts.extend([self.tok(), self.tok(), self.tok_space()]);
                    parts.push(self.mod_type(param));
                    parts.push(self.tok());
                } else {
                    parts.push(self.mod_type(param));
                }
                parts.push(self.space_tok());
                parts.push(self.space());
                parts.push(self.mod_type(result));
                self.cat(parts)
            }
        }
    }

    fn spec(&mut self, spec: &Spec) -> Id {
        let mut parts = Vec::new();
        self.item_attrs(&spec.attrs, &mut parts);
        parts.push(self.spec_kind(&spec.kind));
        self.cat(parts)
    }

    fn spec_kind(&mut self, spec: &SpecKind) -> Id {
        match spec {
            SpecKind::Val { name, type_params, ty } => {
                let mut parts = vec![self.tok_space()];
                if self.kind() == TokenKind::Backtick {
                    let end = self.nth(2).end;
                    parts.push(self.glue(end));
                } else {
                    parts.push(self.binder(name.span.end));
                }
                self.type_params(type_params, &mut parts);
                parts.push(self.space_tok());
                let broken = self.newline();
                let line = self.d.line();
                let ty = self.type_exp(ty);
                let ty = self.cat(vec![line, ty]);
                let ty = self.d.nest(2, ty);
                parts.push(self.d.group(ty, broken));
                self.cat(parts)
            }
            SpecKind::TypeAbbr(bind) => self.type_bind(bind),
            SpecKind::Type { params, .. } => self.type_head(params),
            SpecKind::Mod(_, ty) => {
                let mut parts = vec![self.tok_space(), self.tok(), self.space_tok(), self.space()];
                parts.push(self.mod_type(ty));
                self.cat(parts)
            }
            SpecKind::Include(ty) => {
                let parts = vec![self.tok_space(), self.mod_type(ty)];
                self.cat(parts)
            }
        }
    }

    /// Items in braces, below each other unless they are one that was on the line.
    fn block(&mut self, count: usize, mut item: impl FnMut(&mut Self, usize) -> Id) -> Id {
        let open = self.tok();
        let mut parts = Vec::new();
        let mut broken = count > 1;
        for i in 0..count {
            if i == 0 {
                broken |= self.newline();
                parts.push(self.d.line());
            } else {
                self.between(&mut parts);
            }
            parts.push(self.lead());
            parts.push(item(self, i));
        }
        broken |= self.newline() && count > 0;
        if !self.nth(0).lead.is_empty() {
            if count > 0 {
                self.between(&mut parts);
            } else {
                parts.push(self.d.line());
            }
            parts.push(self.closing_comments());
        }
        let inner = self.cat(parts);
        let inner = self.d.nest(2, inner);
        let line = if count == 0 { self.d.soft() } else { self.d.line() };
        let close = self.tok();
        let all = self.cat(vec![open, inner, line, close]);
        self.d.group(all, broken)
    }

    /// The comments before a closing bracket, which belong to what is inside; the new line
    /// behind them is the bracket's.
    fn closing_comments(&mut self) -> Id {
        let at = self.at.min(self.toks.len() - 1);
        let lead = std::mem::take(&mut self.toks[at].lead);
        let mut parts = Vec::new();
        for (i, comment) in lead.iter().enumerate() {
            if i > 0 {
                parts.push(self.d.hard());
                if comment.blank {
                    parts.push(self.d.blank());
                }
            }
            parts.push(self.d.text(comment.text));
        }
        self.cat(parts)
    }
}

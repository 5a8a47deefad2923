//! Types, sizes, type parameters.

use super::Fmt;
use super::doc::Id;
use crate::syntax::ast::{Ident, QualName, SizeExp, TypeArg, TypeExp, TypeExpKind, TypeParam};
use crate::syntax::lexer::TokenKind;

impl Fmt<'_> {
    pub(super) fn qual_name(&mut self, name: &QualName) -> Id {
        self.glue(name.span.end)
    }

    /// `[n]`, with the bracket the next token.
    pub(super) fn size_binder(&mut self) -> Id {
        let parts = vec![self.tok(), self.tok(), self.tok()];
        self.cat(parts)
    }

    /// Each behind a space.
    pub(super) fn type_params(&mut self, params: &[TypeParam], parts: &mut Vec<Id>) {
        for param in params {
            parts.push(self.space());
            match param {
                TypeParam::Size(_) => parts.push(self.size_binder()),
                TypeParam::Type(_, name) => parts.push(self.glue(name.span.end)),
            }
        }
    }

    pub(super) fn size(&mut self, size: &SizeExp) -> Id {
        match size {
            SizeExp::Any(span) => self.glue(span.end),
            SizeExp::Exp(exp) => {
                let parts = vec![self.tok(), self.exp(exp), self.tok()];
                self.cat(parts)
            }
        }
    }

    pub(super) fn type_exp(&mut self, ty: &TypeExp) -> Id {
        match &ty.kind {
            TypeExpKind::Var(name) => self.qual_name(name),
            TypeExpKind::Parens(inner) => {
                let open = self.tok();
                let inner = self.type_exp(inner);
                let inner = self.d.align(inner);
                let close = self.close_parens();
                self.cat(vec![open, inner, close])
            }
            TypeExpKind::Tuple(items) => self.bracketed(items.len(), |f, i| f.type_exp(&items[i])),
            TypeExpKind::Record(fields) => self.bracketed(fields.len(), |f, i| {
                let parts = vec![f.tok(), f.tok_space(), f.type_exp(&fields[i].1)];
                f.cat(parts)
            }),
            TypeExpKind::Array(..) => {
                let mut parts = Vec::new();
                let mut ty = ty;
                while let TypeExpKind::Array(size, elem) = &ty.kind {
                    parts.push(self.size(size));
                    ty = elem;
                }
                parts.push(self.type_exp(ty));
                self.cat(parts)
            }
            TypeExpKind::Unique(inner) => {
                let mut parts = vec![self.tok()];
                // Two stars would be one operator.
                if matches!(inner.kind, TypeExpKind::Unique(_)) {
                    parts.push(self.space());
                }
                parts.push(self.type_exp(inner));
                self.cat(parts)
            }
            TypeExpKind::Apply(..) => {
                let mut args = Vec::new();
                let mut head = ty;
                while let TypeExpKind::Apply(f, arg) = &head.kind {
                    args.push(arg);
                    head = f;
                }
                let mut parts = vec![self.type_exp(head)];
                for arg in args.into_iter().rev() {
                    parts.push(self.d.line());
                    parts.push(match &**arg {
                        TypeArg::Size(size) => self.size(size),
                        TypeArg::Type(ty) => self.type_exp(ty),
                    });
                }
                let app = self.cat(parts);
                let app = self.d.nest(2, app);
                self.d.group(app, false)
            }
            TypeExpKind::Arrow(..) | TypeExpKind::Exists(..) => self.arrows(ty),
            TypeExpKind::Sum(clauses) => {
                let mut parts = Vec::new();
                let mut broken = false;
                for (i, (_, payload)) in clauses.iter().enumerate() {
                    if i > 0 {
                        broken |= self.newline();
                        parts.push(self.d.line());
                        parts.push(self.tok_space());
                        broken |= self.newline();
                    }
                    parts.push(self.constructor(payload));
                }
                let sum = self.cat(parts);
                let sum = self.d.align(sum);
                self.d.group(sum, broken)
            }
            TypeExpKind::Error => self.glue(ty.span.end),
        }
    }

    fn constructor(&mut self, payload: &[TypeExp]) -> Id {
        let mut parts = vec![self.tok()];
        for ty in payload {
            parts.push(self.space());
            parts.push(self.type_exp(ty));
        }
        self.cat(parts)
    }

    /// Arrows, with the quantifiers between them: broken, each line begins with its arrow.
    fn arrows(&mut self, ty: &TypeExp) -> Id {
        let mut parts = Vec::new();
        let mut broken = false;
        let mut ty = ty;
        loop {
            match &ty.kind {
                TypeExpKind::Exists(sizes, inner) => {
                    parts.push(self.tok());
                    for _ in sizes {
                        parts.push(self.size_binder());
                    }
                    parts.push(self.tok());
                    ty = inner;
                }
                TypeExpKind::Arrow(name, param, result) => {
                    parts.push(self.param(name.as_ref(), param));
                    broken |= self.newline();
                    parts.push(self.d.line());
                    parts.push(self.tok_space());
                    broken |= self.newline();
                    ty = result;
                }
                _ => break,
            }
        }
        parts.push(self.type_exp(ty));
        let arrows = self.cat(parts);
        let arrows = self.d.align(arrows);
        self.d.group(arrows, broken)
    }

    fn param(&mut self, name: Option<&Ident>, ty: &TypeExp) -> Id {
        if name.is_none() {
            return self.type_exp(ty);
        }
        let mut parts = vec![self.tok(), self.tok(), self.tok_space(), self.type_exp(ty)];
        parts.push(self.close_parens());
        self.cat(parts)
    }

    /// The closing parenthesis, without a comma before it.
    pub(super) fn close_parens(&mut self) -> Id {
        if self.kind() == TokenKind::Comma {
            self.skip();
        }
        self.tok()
    }
}

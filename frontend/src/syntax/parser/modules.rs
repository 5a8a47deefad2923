//! Modules and module types.

use super::Parser;
use crate::syntax::ast::{
    ModExp, ModExpKind, ModParam, ModTypeExp, ModTypeExpKind, Span, Spec, SpecKind, TypeBind,
    TypeRefinement,
};
use crate::syntax::lexer::TokenKind;

impl Parser<'_> {
    /// `(P: S)`
    pub(super) fn mod_param(&mut self) -> ModParam {
        let start = self.here();
        self.expect(TokenKind::LParen, "before the parameter of the module");
        let name = self.ident("the name of a module parameter");
        self.expect(TokenKind::Colon, "and the type of the module parameter");
        let ty = self.mod_type_exp();
        self.close(TokenKind::RParen, start, "`)` after the module parameter");
        ModParam { name, ty, span: self.since(start) }
    }

    /// A module with everything, ascription included.
    pub(super) fn mod_exp(&mut self) -> ModExp {
        self.nested(mod_error, |p| {
            let start = p.here();
            let mut module = match p.kind() {
                TokenKind::Backslash => {
                    p.bump();
                    let param = p.mod_param();
                    let ascription = p.eat(TokenKind::Colon).then(|| Box::new(p.mod_type_atom()));
                    p.expect(TokenKind::Arrow, "before the body of the module");
                    let body = Box::new(p.mod_exp());
                    let kind = ModExpKind::Lambda(param, ascription, body);
                    ModExp { kind, span: p.since(start) }
                }
                TokenKind::Import => {
                    let kind = ModExpKind::Import(p.import());
                    ModExp { kind, span: p.since(start) }
                }
                _ => {
                    let mut module = p.mod_atom();
                    while matches!(
                        p.kind(),
                        TokenKind::Ident | TokenKind::LParen | TokenKind::LBrace
                    ) {
                        let arg = p.mod_atom();
                        let kind = ModExpKind::Apply(Box::new(module), Box::new(arg));
                        module = ModExp { kind, span: p.since(start) };
                    }
                    module
                }
            };
            while p.eat(TokenKind::Colon) {
                let ty = p.mod_type_exp();
                let kind = ModExpKind::Ascript(Box::new(module), Box::new(ty));
                module = ModExp { kind, span: p.since(start) };
            }
            module
        })
    }

    fn mod_atom(&mut self) -> ModExp {
        let start = self.here();
        let kind = match self.kind() {
            TokenKind::Ident => ModExpKind::Var(self.qual_name("the name of a module")),
            TokenKind::LParen => {
                self.bump();
                let inner = self.mod_exp();
                self.close(TokenKind::RParen, start, "`)` after the module");
                ModExpKind::Parens(Box::new(inner))
            }
            TokenKind::LBrace => {
                self.bump();
                let decs = self.decs(TokenKind::RBrace);
                self.close(TokenKind::RBrace, start, "a declaration or `}`");
                ModExpKind::Decs(decs)
            }
            _ => {
                self.expected("a module");
                return mod_error(self.gap());
            }
        };
        ModExp { kind, span: self.since(start) }
    }

    /// A module type with everything: `with`, and arrows.
    pub(super) fn mod_type_exp(&mut self) -> ModTypeExp {
        self.nested(mod_type_error, |p| {
            let start = p.here();
            if p.at(TokenKind::LParen)
                && p.nth(1) == TokenKind::Ident
                && p.nth(2) == TokenKind::Colon
            {
                p.bump();
                let name = p.ident("the name of a module parameter");
                p.bump();
                let param = Box::new(p.mod_type_exp());
                p.close(TokenKind::RParen, start, "`)` after the module parameter");
                p.expect(TokenKind::Arrow, "after the module parameter");
                let result = Box::new(p.mod_type_exp());
                let kind = ModTypeExpKind::Arrow(Some(name), param, result);
                return ModTypeExp { kind, span: p.since(start) };
            }
            let mut ty = p.mod_type_atom();
            while p.eat(TokenKind::With) {
                let name = p.qual_name("the name of a type");
                let params = p.type_params();
                p.expect(TokenKind::Equals, "and a type");
                let refined = TypeRefinement { name, params, ty: p.type_exp() };
                let kind = ModTypeExpKind::With(Box::new(ty), Box::new(refined));
                ty = ModTypeExp { kind, span: p.since(start) };
            }
            if p.eat(TokenKind::Arrow) {
                let result = Box::new(p.mod_type_exp());
                let kind = ModTypeExpKind::Arrow(None, Box::new(ty), result);
                ty = ModTypeExp { kind, span: p.since(start) };
            }
            ty
        })
    }

    fn mod_type_atom(&mut self) -> ModTypeExp {
        let start = self.here();
        let kind = match self.kind() {
            TokenKind::Ident => ModTypeExpKind::Var(self.qual_name("the name of a module type")),
            TokenKind::LParen => {
                self.bump();
                let inner = self.mod_type_exp();
                self.close(TokenKind::RParen, start, "`)` after the module type");
                ModTypeExpKind::Parens(Box::new(inner))
            }
            TokenKind::LBrace => {
                self.bump();
                let specs = self.specs();
                self.close(TokenKind::RBrace, start, "a specification or `}`");
                ModTypeExpKind::Specs(specs)
            }
            _ => {
                self.expected("a module type");
                return mod_type_error(self.gap());
            }
        };
        ModTypeExp { kind, span: self.since(start) }
    }

    fn specs(&mut self) -> Vec<Spec> {
        let mut specs = Vec::new();
        loop {
            let mut doc = self.doc();
            let mut attrs = Vec::new();
            while self.at(TokenKind::HashBracket) {
                attrs.push(self.attribute());
                doc = doc.or_else(|| self.doc());
            }
            let start = self.here();
            let Some(kind) = self.spec() else { return specs };
            specs.push(Spec { kind, doc, attrs, span: self.since(start) });
        }
    }

    fn spec(&mut self) -> Option<SpecKind> {
        let kind = match self.kind() {
            TokenKind::Val => {
                self.bump();
                let name = if self.at(TokenKind::LParen)
                    && let Some(name) = self.binding_operator()
                {
                    name
                } else if self.infix_len().is_some() {
                    let (op, _) = self.infix();
                    self.check_binding_operator(&op);
                    op.name
                } else {
                    self.ident("the name of a value")
                };
                let type_params = self.type_params();
                self.expect(TokenKind::Colon, "and a type");
                SpecKind::Val { name, type_params, ty: self.type_exp() }
            }
            TokenKind::Type => {
                let liftedness = self.liftedness();
                let name = self.ident("the name of a type");
                let params = self.type_params();
                if self.eat(TokenKind::Equals) {
                    let ty = self.type_exp();
                    SpecKind::TypeAbbr(TypeBind { liftedness, name, params, ty })
                } else {
                    SpecKind::Type { liftedness, name, params }
                }
            }
            TokenKind::Module => {
                self.bump();
                let name = self.ident("the name of a module");
                self.expect(TokenKind::Colon, "and a module type");
                SpecKind::Mod(name, self.mod_type_exp())
            }
            TokenKind::Include => {
                self.bump();
                SpecKind::Include(self.mod_type_exp())
            }
            _ => return None,
        };
        Some(kind)
    }
}

/// Stands for a module that is missing; an error has been reported.
fn mod_error(span: Span) -> ModExp {
    ModExp { kind: ModExpKind::Decs(Vec::new()), span }
}

/// Stands for a module type that is missing; an error has been reported.
fn mod_type_error(span: Span) -> ModTypeExp {
    ModTypeExp { kind: ModTypeExpKind::Specs(Vec::new()), span }
}

//! Types, type parameters and sizes.

use super::Parser;
use crate::syntax::ast::{
    Ident, Liftedness, SizeExp, Span, TypeArg, TypeExp, TypeExpKind, TypeParam,
};
use crate::syntax::errors::SyntaxError;
use crate::syntax::lexer::TokenKind;

/// What stands to the left of `->`, or the quantifier before a type: wrapped around the rest.
enum Prefix {
    Arrow(Option<Ident>, TypeExp, Span),
    Exists(Vec<Ident>, Span),
}

impl Parser<'_> {
    /// A type with everything: arrows and quantifiers nest to the right without recursion.
    pub(super) fn type_exp(&mut self) -> TypeExp {
        self.nested(type_error, |p| {
            let mut prefixes = Vec::new();
            let mut ty = loop {
                let start = p.here();
                if p.eat(TokenKind::Question) {
                    let mut sizes = Vec::new();
                    while p.at(TokenKind::LBracket) {
                        sizes.push(p.size_binder());
                    }
                    if sizes.is_empty() {
                        p.expected("`[` and a size after `?`");
                    }
                    p.expect(TokenKind::Dot, "after the sizes");
                    prefixes.push(Prefix::Exists(sizes, start));
                    continue;
                }
                if p.at(TokenKind::LParen)
                    && p.nth(1) == TokenKind::Ident
                    && p.nth(2) == TokenKind::Colon
                {
                    p.bump();
                    let name = p.ident("a name");
                    p.bump();
                    let ty = p.type_exp();
                    p.close(TokenKind::RParen, start, "`)` after the parameter");
                    p.expect(TokenKind::Arrow, "after the named parameter");
                    prefixes.push(Prefix::Arrow(Some(name), ty, start));
                    continue;
                }
                let ty = p.type_term();
                if p.eat(TokenKind::Arrow) {
                    prefixes.push(Prefix::Arrow(None, ty, start));
                } else {
                    break ty;
                }
            };
            while let Some(prefix) = prefixes.pop() {
                let (kind, start) = match prefix {
                    Prefix::Arrow(name, param, start) => {
                        let kind = |ty| TypeExpKind::Arrow(name, Box::new(param), Box::new(ty));
                        let span = start.to(ty.span);
                        (kind(ty), span)
                    }
                    Prefix::Exists(sizes, start) => {
                        let span = start.to(ty.span);
                        (TypeExpKind::Exists(sizes, Box::new(ty)), span)
                    }
                };
                ty = TypeExp { kind, span: start };
            }
            ty
        })
    }

    /// A type without arrow: `*t`, a sum, or an application.
    pub(super) fn type_term(&mut self) -> TypeExp {
        self.nested(type_error, |p| {
            let start = p.here();
            match p.kind() {
                TokenKind::Star => {
                    p.bump();
                    let ty = p.type_term();
                    TypeExp { span: start.to(ty.span), kind: TypeExpKind::Unique(Box::new(ty)) }
                }
                TokenKind::Constructor => {
                    let mut clauses = Vec::new();
                    loop {
                        let name = p.constructor();
                        let mut payload = Vec::new();
                        while p.at_type_atom() {
                            payload.push(p.type_atom());
                        }
                        clauses.push((name, payload));
                        if !p.eat(TokenKind::Pipe) {
                            break;
                        }
                        if !p.at(TokenKind::Constructor) {
                            p.expected("a constructor after `|`");
                            break;
                        }
                    }
                    TypeExp { kind: TypeExpKind::Sum(clauses), span: p.since(start) }
                }
                _ => {
                    let mut ty = p.type_atom();
                    while p.at_type_atom() {
                        // Behind a type a bracket is always a size argument.
                        let arg = if p.at(TokenKind::LBracket) {
                            TypeArg::Size(p.size_exp())
                        } else {
                            TypeArg::Type(p.type_atom())
                        };
                        ty = TypeExp {
                            kind: TypeExpKind::Apply(Box::new(ty), Box::new(arg)),
                            span: p.since(start),
                        };
                    }
                    ty
                }
            }
        })
    }

    fn at_type_atom(&self) -> bool {
        matches!(
            self.kind(),
            TokenKind::Ident | TokenKind::LParen | TokenKind::LBrace | TokenKind::LBracket
        )
    }

    fn type_atom(&mut self) -> TypeExp {
        let start = self.here();
        let kind = match self.kind() {
            TokenKind::Ident => TypeExpKind::Var(self.qual_name("a type")),
            TokenKind::LBracket => {
                // `[n][m]t` without recursion.
                let mut dims = Vec::new();
                while self.at(TokenKind::LBracket) {
                    dims.push((self.here(), self.size_exp()));
                }
                let mut ty = self.type_term();
                while let Some((start, dim)) = dims.pop() {
                    let span = start.to(ty.span);
                    ty = TypeExp { kind: TypeExpKind::Array(dim, Box::new(ty)), span };
                }
                return ty;
            }
            TokenKind::LBrace => {
                self.bump();
                TypeExpKind::Record(self.separated(TokenKind::RBrace, start, |p| {
                    let name = match p.field_id() {
                        Some(name) => name,
                        None => p.ident_of(p.token()),
                    };
                    p.expect(TokenKind::Colon, "after the name of the field");
                    (name, p.type_exp())
                }))
            }
            TokenKind::LParen => {
                self.bump();
                let mut commas = false;
                let mut items = self.separated(TokenKind::RParen, start, |p| {
                    let ty = p.type_exp();
                    commas |= p.at(TokenKind::Comma);
                    ty
                });
                match items.pop() {
                    Some(only) if items.is_empty() => {
                        if commas {
                            let span = self.since(start);
                            self.error(span, SyntaxError::TupleOfOne);
                        }
                        TypeExpKind::Parens(Box::new(only))
                    }
                    last => {
                        items.extend(last);
                        TypeExpKind::Tuple(items)
                    }
                }
            }
            _ => {
                self.expected("a type");
                return type_error(self.gap());
            }
        };
        TypeExp { kind, span: self.since(start) }
    }

    /// `[n]`, `[n+1]`, `[]`, `[_]`
    pub(super) fn size_exp(&mut self) -> SizeExp {
        let open = self.here();
        self.bump();
        if self.at(TokenKind::Underscore) && self.nth(1) == TokenKind::RBracket {
            self.bump();
        }
        if self.eat(TokenKind::RBracket) {
            return SizeExp::Any(self.since(open));
        }
        let exp = self.exp();
        self.close(TokenKind::RBracket, open, "`]` after the size");
        SizeExp::Exp(Box::new(exp))
    }

    /// `[n] 't '~u '^v`
    pub(super) fn type_params(&mut self) -> Vec<TypeParam> {
        let mut params = Vec::new();
        loop {
            let liftedness = match self.kind() {
                TokenKind::LBracket => {
                    params.push(TypeParam::Size(self.size_binder()));
                    continue;
                }
                TokenKind::Apostrophe => Liftedness::Unlifted,
                TokenKind::ApostropheTilde => Liftedness::SizeLifted,
                TokenKind::ApostropheHat => Liftedness::Lifted,
                _ => return params,
            };
            self.bump();
            params.push(TypeParam::Type(liftedness, self.ident("the name of a type parameter")));
        }
    }
}

pub(super) fn type_error(span: Span) -> TypeExp {
    TypeExp { kind: TypeExpKind::Error, span }
}

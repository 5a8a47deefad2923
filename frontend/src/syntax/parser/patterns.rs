//! Patterns.

use super::Parser;
use crate::syntax::ast::{Ident, Literal, Pat, PatKind, Span, TypeParam};
use crate::syntax::errors::{LiteralError, SyntaxError};
use crate::syntax::lexer::TokenKind;
use crate::syntax::literal;

/// Where a pattern stands, which decides how its type ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PatternContext {
    /// In brackets, or before `=` or `in`: the type may have arrows.
    Free,
    /// Before `->`: it may not.
    Case,
}

impl Parser<'_> {
    /// A pattern with everything, ascription included.
    pub(super) fn pat(&mut self, place: PatternContext) -> Pat {
        self.nested(pat_error, |p| {
            let mut attrs = Vec::new();
            while p.at(TokenKind::HashBracket) {
                attrs.push((p.here(), p.attribute()));
            }
            let start = p.here();
            let mut pat = p.pat_constr();
            if p.eat(TokenKind::Colon) {
                let ty = match place {
                    PatternContext::Free => p.type_exp(),
                    PatternContext::Case => p.type_term(),
                };
                let kind = PatKind::Ascript(Box::new(pat), Box::new(ty));
                pat = Pat { kind, span: p.since(start) };
            }
            while let Some((start, attr)) = attrs.pop() {
                pat = Pat { kind: PatKind::Attr(attr, Box::new(pat)), span: p.since(start) };
            }
            pat
        })
    }

    /// A constructor with its payload, or a pattern without one.
    fn pat_constr(&mut self) -> Pat {
        let start = self.here();
        if !self.at(TokenKind::Constructor) {
            return self.pat_atom();
        }
        let name = self.constructor();
        let mut payload = Vec::new();
        while self.at_param() || self.at(TokenKind::Minus) {
            payload.push(self.pat_atom());
        }
        Pat { kind: PatKind::Constr(name, payload), span: self.since(start) }
    }

    /// Whether a parameter of a function can begin here.
    pub(super) fn at_param(&self) -> bool {
        matches!(
            self.kind(),
            TokenKind::Ident
                | TokenKind::Underscore
                | TokenKind::LParen
                | TokenKind::LBrace
                | TokenKind::Constructor
                | TokenKind::Char
                | TokenKind::True
                | TokenKind::False
                | TokenKind::Nat
                | TokenKind::Int
                | TokenKind::Float
        )
    }

    /// Parameters, as many as there are.
    pub(super) fn params(&mut self) -> Vec<Pat> {
        let mut params = Vec::new();
        while self.at_param() {
            params.push(self.pat_atom());
        }
        params
    }

    /// Parameters of a definition that has these type parameters. Type parameters among the others
    /// are a common slip: they are taken for what they are, so that nothing else is complained of.
    pub(super) fn params_after(&mut self, type_params: &mut Vec<TypeParam>) -> Vec<Pat> {
        let mut params = self.params();
        while !params.is_empty() && self.at_type_param() {
            let start = self.here();
            type_params.extend(self.type_params());
            let span = self.since(start);
            self.error(span, SyntaxError::ParametersLate);
            params.extend(self.params());
        }
        params
    }

    /// A pattern that needs no parentheses as a parameter.
    pub(super) fn pat_atom(&mut self) -> Pat {
        let start = self.here();
        let kind = match self.kind() {
            TokenKind::Ident => {
                let token = self.bump();
                PatKind::Var(self.ident_of(token))
            }
            TokenKind::Underscore => {
                self.bump();
                PatKind::Wild
            }
            TokenKind::Constructor => PatKind::Constr(self.constructor(), Vec::new()),
            TokenKind::LParen => {
                if let Some(op) = self.binding_operator() {
                    return Pat { kind: PatKind::Var(op), span: self.since(start) };
                }
                self.bump();
                let mut commas = false;
                let mut items = self.separated(TokenKind::RParen, start, |p| {
                    let pat = p.pat(PatternContext::Free);
                    commas |= p.at(TokenKind::Comma);
                    pat
                });
                match items.pop() {
                    Some(only) if items.is_empty() => {
                        if commas {
                            let span = self.since(start);
                            self.error(span, SyntaxError::TupleOfOne);
                        }
                        PatKind::Parens(Box::new(only))
                    }
                    last => {
                        items.extend(last);
                        PatKind::Tuple(items)
                    }
                }
            }
            TokenKind::LBrace => {
                self.bump();
                PatKind::Record(self.separated(TokenKind::RBrace, start, Parser::pat_field))
            }
            TokenKind::Minus => {
                self.bump();
                match self.kind() {
                    TokenKind::Nat | TokenKind::Int | TokenKind::Float => {
                        let literal = self.literal(true);
                        PatKind::Lit(literal)
                    }
                    _ => {
                        self.expected("a number after `-`");
                        PatKind::Error
                    }
                }
            }
            TokenKind::Nat
            | TokenKind::Int
            | TokenKind::Float
            | TokenKind::Char
            | TokenKind::True
            | TokenKind::False => PatKind::Lit(self.literal(false)),
            _ => {
                self.expected("a pattern");
                return pat_error(self.gap());
            }
        };
        Pat { kind, span: self.since(start) }
    }

    fn pat_field(&mut self) -> (Ident, Option<Pat>) {
        let start = self.here();
        let Some(name) = self.field_id() else {
            return (self.ident_of(self.token()), Some(pat_error(start)));
        };
        if self.eat(TokenKind::Equals) {
            return (name, Some(self.pat(PatternContext::Free)));
        }
        if self.eat(TokenKind::Colon) {
            let ty = self.type_exp();
            let var = Pat { kind: PatKind::Var(name), span: name.span };
            let kind = PatKind::Ascript(Box::new(var), Box::new(ty));
            return (name, Some(Pat { kind, span: self.since(start) }));
        }
        (name, None)
    }

    /// A literal other than a string, at one of its tokens.
    pub(super) fn literal(&mut self, negative: bool) -> Literal {
        let token = self.bump();
        let text = self.text_of(token);
        let result = match token.kind {
            TokenKind::True => Ok(Literal::Bool(true)),
            TokenKind::False => Ok(Literal::Bool(false)),
            TokenKind::Char => literal::character(text).map(Literal::Char),
            _ => literal::number(text),
        };
        match result {
            Ok(Literal::Int { digits, suffix, bits, .. }) => {
                Literal::Int { negative, digits, suffix, bits }
            }
            Ok(Literal::Float { text, suffix, .. }) => Literal::Float { negative, text, suffix },
            Ok(other) => other,
            Err(why) => {
                self.invalid_literal(self.span(token.start, token.end), why);
                let digits = "0".to_owned();
                Literal::Int { negative: false, digits, suffix: None, bits: false }
            }
        }
    }

    /// Reports a literal that is wrong in itself; this does not silence other errors.
    pub(super) fn invalid_literal(&mut self, span: Span, why: LiteralError) {
        if self.diagnostics.len() < crate::syntax::MAX_ERRORS {
            self.diagnostics.push(SyntaxError::Literal(why).at(span));
        }
    }
}

pub(super) fn pat_error(span: Span) -> Pat {
    Pat { kind: PatKind::Error, span }
}

//! Files and declarations.

use super::Parser;
use super::expressions::exp_error;
use crate::syntax::ast::{
    Attr, Dec, DecKind, File, Import, Liftedness, ModBind, ModTypeBind, PatKind, TypeBind, ValBind,
};
use crate::syntax::errors::SyntaxError;
use crate::syntax::lexer::TokenKind;
use crate::syntax::literal;
use futc_typed::name::Name;

impl Parser<'_> {
    pub(super) fn file(&mut self) -> File {
        let doc = self.file_doc();
        let decs = self.decs(TokenKind::Eof);
        File { doc, decs }
    }

    /// The comment at the head of the file; the first declaration may have one behind it.
    pub(super) fn file_doc(&mut self) -> Option<String> {
        if self.docs.first().is_none_or(|(before, _)| *before > 0) {
            return None;
        }
        let (_, token) = self.docs.remove(0);
        Some(doc_text(self.text_of(token)))
    }

    /// Declarations up to `end`, which is not read.
    pub(super) fn decs(&mut self, end: TokenKind) -> Vec<Dec> {
        let mut decs = Vec::new();
        while !self.at(end) && !self.at(TokenKind::Eof) {
            decs.extend(self.dec_and_gap(end));
        }
        decs
    }

    /// A declaration, if one stands here, and all up to where the next may begin.
    pub(super) fn dec_and_gap(&mut self, end: TokenKind) -> Option<Dec> {
        let before = self.pos;
        let outer = self.enter_chunk();
        let dec = self.dec();
        self.leave_chunk(outer);
        if self.at(end) || self.at_dec() {
            // An empty parse of something that looks like a declaration must not repeat.
            if self.pos == before {
                self.bump();
            }
        } else if !self.at(TokenKind::Eof) {
            let hint = self.at(TokenKind::Equals).then(|| {
                "names are not assigned to: `let` binds a name, and the body of a loop is the next \
                 value of its parameter; equality is `==`"
                    .to_owned()
            });
            self.expected_with("a declaration", hint);
            self.skip_to_dec(end);
        }
        dec
    }

    fn at_dec(&self) -> bool {
        matches!(
            self.kind(),
            TokenKind::Def
                | TokenKind::Let
                | TokenKind::Entry
                | TokenKind::Type
                | TokenKind::Module
                | TokenKind::Open
                | TokenKind::Import
                | TokenKind::Local
                | TokenKind::HashBracket
        )
    }

    /// Skips to the next declaration. `let`, `import` and attributes also stand inside of
    /// expressions, so they count only at the beginning of a line.
    fn skip_to_dec(&mut self, end: TokenKind) {
        let mut depth = 0_u32;
        while !self.at(TokenKind::Eof) {
            match self.kind() {
                TokenKind::Let | TokenKind::Import | TokenKind::HashBracket
                    if self.at_line_start() =>
                {
                    return;
                }
                TokenKind::LBrace => depth += 1,
                TokenKind::RBrace if end == TokenKind::RBrace && depth == 0 => return,
                TokenKind::RBrace => depth = depth.saturating_sub(1),
                TokenKind::Let | TokenKind::Import | TokenKind::HashBracket => {}
                _ if self.at_dec() => return,
                _ => {}
            }
            self.bump();
        }
    }

    fn at_line_start(&self) -> bool {
        let start = self.token().start as usize;
        start == 0 || self.text.as_bytes().get(start - 1) == Some(&b'\n')
    }

    /// The documentation comment before the current token.
    pub(super) fn doc(&self) -> Option<String> {
        let after = self.docs.partition_point(|(before, _)| *before <= self.pos);
        let (before, token) = self.docs.get(after.checked_sub(1)?)?;
        (*before == self.pos).then(|| doc_text(self.text_of(*token)))
    }

    fn dec(&mut self) -> Option<Dec> {
        self.nested(
            |_| None,
            |p| {
                let mut doc = p.doc();
                let mut attrs = Vec::new();
                while p.at(TokenKind::HashBracket) {
                    attrs.push(p.attribute());
                    doc = doc.or_else(|| p.doc());
                }
                p.dec_behind(doc, attrs)
            },
        )
    }

    fn dec_behind(&mut self, doc: Option<String>, attrs: Vec<Attr>) -> Option<Dec> {
        let start = self.here();
        let kind = match self.kind() {
            TokenKind::Def | TokenKind::Let | TokenKind::Entry => DecKind::Val(self.val_bind()),
            TokenKind::Type => DecKind::Type(self.type_bind()),
            TokenKind::Module => self.module_dec(),
            TokenKind::Open => {
                self.bump();
                DecKind::Open(self.mod_exp())
            }
            TokenKind::Import => DecKind::Import(self.import()),
            TokenKind::Local => {
                self.bump();
                DecKind::Local(Box::new(self.dec()?))
            }
            _ => {
                self.expected("a declaration");
                return None;
            }
        };
        Some(Dec { kind, doc, attrs, span: self.since(start) })
    }

    /// What a definition is called; at an operator or a word of the language, with how it can be written.
    fn name_of_definition(&mut self) -> super::Ident {
        const WHAT: &str = "the name of a definition";
        if self.at(TokenKind::Ident) {
            return self.ident(WHAT);
        }
        let text = self.text_of(self.token());
        let operator = self.at(TokenKind::Op).then(|| {
            format!(
                "write an operator between its operands, as in `def a {text} b`, or in parentheses, as in \
                 `def ({text}) a b`"
            )
        });
        let hint = operator.or_else(|| self.word_as_name());
        self.expected_with(WHAT, hint);
        super::Ident { name: Name::new("_"), span: self.gap() }
    }

    /// `import "file"`
    pub(super) fn import(&mut self) -> Import {
        self.bump();
        let span = self.here();
        if !self.at(TokenKind::String) {
            self.expected("the name of a file, in double quotes");
            return Import { path: String::new(), span: self.gap() };
        }
        let token = self.bump();
        let path = match literal::string(self.text_of(token)) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(why) => {
                self.invalid_literal(span, why);
                String::new()
            }
        };
        Import { path, span }
    }

    fn val_bind(&mut self) -> ValBind {
        let entry = self.bump().kind == TokenKind::Entry;
        let operator = self.at(TokenKind::LParen).then(|| self.binding_operator()).flatten();
        if operator.is_none() && self.at_param() {
            // `x + y` defines `+`; anything else begins with the name.
            let start = self.here();
            let plain = self.at(TokenKind::Ident);
            let first = if plain && !self.is_infix(1) && self.nth(1) != TokenKind::Backtick {
                None
            } else {
                Some(self.pat_atom())
            };
            if let Some(lhs) = first {
                if self.infix_len().is_some() {
                    let (op, _) = self.infix();
                    self.check_binding_operator(&op);
                    let rhs = if self.at_param() {
                        self.pat_atom()
                    } else {
                        self.expected("a parameter after the operator");
                        super::patterns::pat_error(self.gap())
                    };
                    let ret = self.eat(TokenKind::Colon).then(|| self.type_exp());
                    let body = self.bound();
                    let (type_params, params) = (Vec::new(), vec![lhs, rhs]);
                    return ValBind { entry, name: op.name, type_params, params, ret, body };
                }
                let span = self.since(start);
                let error = match lhs.kind {
                    PatKind::Tuple(_) | PatKind::Record(_) => SyntaxError::DeclaresParts,
                    _ => SyntaxError::DeclaresPattern,
                };
                self.error(span, error);
                let ret = self.eat(TokenKind::Colon).then(|| self.type_exp());
                let body = if self.at(TokenKind::Equals) { self.bound() } else { exp_error(span) };
                let name = super::Ident { name: Name::new("_"), span };
                let (type_params, params) = (Vec::new(), Vec::new());
                return ValBind { entry, name, type_params, params, ret, body };
            }
        }
        let name = match operator {
            Some(name) => name,
            None => self.name_of_definition(),
        };
        let mut type_params = self.type_params();
        let params = self.params_after(&mut type_params);
        let ret = self.eat(TokenKind::Colon).then(|| self.type_exp());
        let body = self.bound();
        ValBind { entry, name, type_params, params, ret, body }
    }

    /// `type`, `type~` or `type^`.
    pub(super) fn liftedness(&mut self) -> Liftedness {
        self.bump();
        if self.eat(TokenKind::Tilde) {
            Liftedness::SizeLifted
        } else if self.eat(TokenKind::Hat) {
            Liftedness::Lifted
        } else {
            Liftedness::Unlifted
        }
    }

    fn type_bind(&mut self) -> TypeBind {
        let liftedness = self.liftedness();
        let name = self.ident("the name of a type");
        let params = self.type_params();
        self.expect(TokenKind::Equals, "and a type");
        let ty = self.type_exp();
        TypeBind { liftedness, name, params, ty }
    }

    fn module_dec(&mut self) -> DecKind {
        self.bump();
        if self.eat(TokenKind::Type) {
            let name = self.ident("the name of a module type");
            self.expect(TokenKind::Equals, "and a module type");
            let ty = self.mod_type_exp();
            return DecKind::ModType(ModTypeBind { name, ty });
        }
        let name = self.ident("the name of a module");
        let mut params = Vec::new();
        while self.at(TokenKind::LParen) {
            params.push(self.mod_param());
        }
        let ascription = self.eat(TokenKind::Colon).then(|| self.mod_type_exp());
        self.expect(TokenKind::Equals, "and a module");
        let body = self.mod_exp();
        DecKind::Mod(ModBind { name, params, ascription, body })
    }
}

/// The text of a documentation comment, without what marks it as a comment.
fn doc_text(comment: &str) -> String {
    let mut text = String::with_capacity(comment.len());
    for (i, line) in comment.lines().enumerate() {
        let line = line.trim_start();
        let line = line.strip_prefix(if i == 0 { "-- |" } else { "--" }).unwrap_or(line);
        if i > 0 {
            text.push('\n');
        }
        text.push_str(line.strip_prefix(' ').unwrap_or(line).trim_end());
    }
    text
}

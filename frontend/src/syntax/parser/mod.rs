//! The parser: recursive descent over the tokens, with an operator stack for infix expressions.
//!
//! It always returns a tree. Where something is missing it reports what was expected, leaves an
//! `Error` node and goes on: inside brackets at the closing one, between declarations at the next
//! keyword that begins one. No place is reported twice, so one mistake gives one error.
//!
//! What nests to the right without bound in real programs (`let` after `let`, `else if`, operators,
//! arrows) is parsed in loops, what remains is recursion and bounded by [`MAX_DEPTH`]. Time and
//! space are linear in the number of tokens. Callers give a stack of at least 16 MiB, as the driver
//! does, for the deepest texts that are accepted.

mod chunk;
mod chunks;
mod declarations;
mod expressions;
mod modules;
mod operators;
mod patterns;
mod reparse;
mod types;

pub use chunk::{Chunk, ChunkKey, ChunkKind, ChunkedFile, ParsedDec};
pub use chunks::parse_chunks;
pub(crate) use operators::{associates_right, same_level};
pub use reparse::reparse_chunks;

use super::ast::{Attr, Exp, File, Ident, QualName, Span, TypeExp, TypeParam};
use super::lexer::{Token, TokenKind, lex_from};
use crate::diag::Diagnostic;
use crate::syntax::errors::SyntaxError;
use chunk::Chunks;
use futc_typed::name::Name;
use futc_typed::span::FileId;

/// How deeply constructs may nest. Later passes recurse over the tree as well.
pub const MAX_DEPTH: u32 = 2_000;

/// Parses a file.
pub fn parse_file(file: FileId, text: &str) -> (File, Vec<Diagnostic>) {
    let mut parser = Parser::new(file, text);
    let tree = parser.file();
    // Those of the lexer came first.
    parser.diagnostics.sort_by_key(|d| d.labels.first().map(|(span, _)| span.start));
    (tree, parser.diagnostics)
}

/// Parses a text that is one expression.
pub fn parse_exp(file: FileId, text: &str) -> (Exp, Vec<Diagnostic>) {
    let mut parser = Parser::new(file, text);
    let exp = parser.exp();
    parser.end("an operator or the end of the expression");
    (exp, parser.diagnostics)
}

/// Parses a text that is one type.
pub fn parse_type(file: FileId, text: &str) -> (TypeExp, Vec<Diagnostic>) {
    let mut parser = Parser::new(file, text);
    let ty = parser.type_exp();
    parser.end("the end of the type");
    (ty, parser.diagnostics)
}

/// Parses type parameters, a colon and a type, as in `'a [n] : [n]a -> i64`; this is how
/// [`futc_typed::intrinsics`] gives types.
pub fn parse_type_scheme(file: FileId, text: &str) -> ((Vec<TypeParam>, TypeExp), Vec<Diagnostic>) {
    let mut parser = Parser::new(file, text);
    let params = parser.type_params();
    parser.expect(TokenKind::Colon, "before the type");
    let ty = parser.type_exp();
    parser.end("the end of the type");
    ((params, ty), parser.diagnostics)
}

struct Parser<'a> {
    /// The file, or the chunk that is being parsed.
    file: FileId,
    /// Where it begins in the text.
    base: u32,
    /// How to make chunks, if that is asked for.
    chunks: Option<Chunks<'a>>,
    text: &'a str,
    /// Without comments; the last is [`TokenKind::Eof`].
    tokens: Vec<Token>,
    /// Documentation comments, each with the index of the token it stands before.
    docs: Vec<(usize, Token)>,
    pos: usize,
    depth: u32,
    /// Index of the token at which an error was reported last.
    reported: Option<usize>,
    diagnostics: Vec<Diagnostic>,
    /// So many of them the lexer found.
    lexical: usize,
}

impl<'a> Parser<'a> {
    fn new(file: FileId, text: &'a str) -> Parser<'a> {
        Parser::of_range(file, text, 0)
    }

    /// A parser of `text` from byte `from` on, where a token must begin.
    fn of_range(file: FileId, text: &'a str, from: usize) -> Parser<'a> {
        let (mut tokens, diagnostics) = lex_from(file, text, from);
        let mut docs = Vec::new();
        let mut kept = 0;
        tokens.retain(|token| match token.kind {
            TokenKind::Comment | TokenKind::Error => false,
            TokenKind::Doc => {
                docs.push((kept, *token));
                false
            }
            _ => {
                kept += 1;
                true
            }
        });
        Parser {
            file,
            base: 0,
            chunks: None,
            text,
            tokens,
            docs,
            pos: 0,
            depth: 0,
            reported: None,
            lexical: diagnostics.len(),
            diagnostics,
        }
    }

    // Looking.

    fn token(&self) -> Token {
        self.nth_token(0)
    }

    /// The token `ahead` of the current one; at the end, the last.
    fn nth_token(&self, ahead: usize) -> Token {
        let index = (self.pos + ahead).min(self.tokens.len() - 1);
        self.tokens[index]
    }

    fn kind(&self) -> TokenKind {
        self.token().kind
    }

    fn nth(&self, ahead: usize) -> TokenKind {
        self.nth_token(ahead).kind
    }

    fn at(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    fn text_of(&self, token: Token) -> &'a str {
        token.text(self.text)
    }

    /// Whether the current token follows the one before it without a space.
    fn adjacent(&self) -> bool {
        self.pos > 0 && self.tokens[self.pos - 1].end == self.token().start
    }

    /// Whether an indexing bracket stands here.
    fn at_index(&self) -> bool {
        self.at(TokenKind::LBracket) && self.adjacent()
    }

    // Moving.

    fn bump(&mut self) -> Token {
        let token = self.token();
        if token.kind != TokenKind::Eof {
            self.pos += 1;
        }
        token
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    // Where things stand.

    /// The bytes `start..end` of the text.
    fn span(&self, start: u32, end: u32) -> Span {
        Span::new(self.file, start.saturating_sub(self.base), end.saturating_sub(self.base))
    }

    fn here(&self) -> Span {
        let token = self.token();
        self.span(token.start, token.end)
    }

    /// From `start` to the end of the last token read.
    fn since(&self, start: Span) -> Span {
        let end = self.gap().end;
        Span::new(self.file, start.start, end.max(start.start))
    }

    /// Just behind the last token read: where something is missing.
    fn gap(&self) -> Span {
        let end = self.pos.checked_sub(1).map_or(0, |last| self.tokens[last].end);
        self.span(end, end)
    }

    // Complaining.

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.reported != Some(self.pos) && self.diagnostics.len() < super::MAX_ERRORS {
            self.diagnostics.push(diagnostic);
        }
        self.reported = Some(self.pos);
    }

    fn error(&mut self, span: Span, error: SyntaxError) {
        self.report(error.at(span));
    }

    /// What stands here, in words.
    fn found(&self) -> String {
        let token = self.token();
        let mut text = self.text_of(token);
        // A long literal is shown by its beginning.
        let cut = text.char_indices().nth(30).map(|(at, _)| at);
        let dots = if cut.is_some() { "…" } else { "" };
        text = &text[..cut.unwrap_or(text.len())];
        match token.kind {
            TokenKind::Ident => format!("the name `{text}`"),
            TokenKind::Constructor => format!("the constructor `{text}`"),
            TokenKind::Op | TokenKind::QualOp => format!("the operator `{text}`"),
            TokenKind::Nat | TokenKind::Int | TokenKind::Float => {
                format!("the number `{text}{dots}`")
            }
            TokenKind::Char => format!("the character {text}"),
            TokenKind::String => format!("the string {text}{dots}"),
            kind => kind.describe().to_owned(),
        }
    }

    /// Says that `what` was expected here.
    fn expected(&mut self, what: &str) {
        self.expected_with(what, None);
    }

    /// The same, and what may have been meant.
    fn expected_with(&mut self, what: &str, hint: Option<String>) {
        let (what, found) = (what.to_owned(), self.found());
        // The end of the file is far from where one looks; the last token is a better place.
        let span = if self.at(TokenKind::Eof) { self.gap() } else { self.here() };
        self.error(span, SyntaxError::Expected { what, found, opened: None, hint });
    }

    /// For who gave something a name that is a word of the language.
    fn word_as_name(&self) -> Option<String> {
        let text = self.text_of(self.token());
        let is_word =
            !self.at(TokenKind::Ident) && text.starts_with(|c: char| c.is_ascii_lowercase());
        is_word.then(|| {
            format!("`{text}` is a word of the language; write another name, as `{text}_`")
        })
    }

    /// Reads a token of this kind or says that it was expected: `` `in` after this binding ``.
    fn expect(&mut self, kind: TokenKind, place: &str) -> bool {
        if self.eat(kind) {
            return true;
        }
        let what = if place.is_empty() {
            kind.describe().to_owned()
        } else {
            format!("{} {place}", kind.describe())
        };
        self.expected(&what);
        false
    }

    /// Reads the keyword that must follow what begins at `start`, or says there that it is missing:
    /// where it was expected is often lines further on.
    fn expect_of(&mut self, kind: TokenKind, start: Span, what: &str, place: &str) -> bool {
        if self.eat(kind) {
            return true;
        }
        let keyword = kind.describe();
        let (what, place, found) = (what.to_owned(), place.to_owned(), self.found());
        let there = if self.at(TokenKind::Eof) { self.gap() } else { self.here() };
        self.error(start, SyntaxError::Lacks { what, keyword, place, found, there });
        false
    }

    /// Says that nothing more was expected, unless the text ends here.
    fn end(&mut self, what: &str) {
        if !self.at(TokenKind::Eof) {
            self.expected(what);
        }
    }

    // Going on after errors.

    /// Reads the bracket that closes what `open` opened. If something else is in the way, says
    /// so and skips to the closing bracket, but not into the next declaration.
    fn close(&mut self, kind: TokenKind, open: Span, what: &str) {
        if self.eat(kind) {
            return;
        }
        if self.reported != Some(self.pos) {
            let (what, found) = (what.to_owned(), self.found());
            let span = if self.at(TokenKind::Eof) { self.gap() } else { self.here() };
            self.error(span, SyntaxError::Expected { what, found, opened: Some(open), hint: None });
        }
        let mut depth = 0_u32;
        loop {
            match self.kind() {
                k if k == kind && depth == 0 => {
                    self.bump();
                    return;
                }
                TokenKind::Eof => return,
                k if starts_declaration(k) => return,
                TokenKind::In | TokenKind::Then | TokenKind::Else | TokenKind::Do if depth == 0 => {
                    return;
                }
                TokenKind::LParen
                | TokenKind::LBracket
                | TokenKind::LBrace
                | TokenKind::HashBracket => depth += 1,
                TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace => {
                    // A bracket of an outer level is not ours to eat.
                    if depth == 0 {
                        return;
                    }
                    depth -= 1;
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// Runs `parse` one level deeper, unless that is too deep: then everything is given up.
    fn nested<T>(
        &mut self,
        fallback: impl FnOnce(Span) -> T,
        parse: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if self.depth >= MAX_DEPTH {
            let span = self.here();
            self.error(span, SyntaxError::TooDeep { most: MAX_DEPTH });
            self.pos = self.tokens.len() - 1;
            self.reported = Some(self.pos);
            return fallback(span);
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    // What is everywhere.

    fn ident_of(&self, token: Token) -> Ident {
        Ident { name: Name::new(self.text_of(token)), span: self.span(token.start, token.end) }
    }

    /// A name; if there is none, `_` stands for it.
    fn ident(&mut self, what: &str) -> Ident {
        if self.at(TokenKind::Ident) {
            let token = self.bump();
            return self.ident_of(token);
        }
        self.expected(what);
        Ident { name: Name::new("_"), span: self.gap() }
    }

    /// The name of a field: a name or decimal digits.
    fn field_id(&mut self) -> Option<Ident> {
        if matches!(self.kind(), TokenKind::Ident | TokenKind::Nat) {
            let token = self.bump();
            return Some(self.ident_of(token));
        }
        let word = self.word_as_name();
        let is_word = word.is_some();
        self.expected_with("the name of a field", word);
        // A word of the language in the place of a name: what follows is as it should be.
        let named = matches!(self.nth(1), TokenKind::Colon | TokenKind::Equals);
        (named && is_word).then(|| {
            let token = self.bump();
            self.ident_of(token)
        })
    }

    /// A constructor; its name is without the `#`.
    fn constructor(&mut self) -> Ident {
        let token = self.bump();
        let text = self.text_of(token);
        let name = Name::new(text.strip_prefix('#').unwrap_or(text));
        Ident { name, span: self.span(token.start, token.end) }
    }

    /// `M.N.x`
    fn qual_name(&mut self, what: &str) -> QualName {
        let mut name = self.ident(what);
        let mut span = name.span;
        let mut quals = Vec::new();
        while self.at(TokenKind::Dot) && self.nth(1) == TokenKind::Ident {
            self.bump();
            quals.push(name);
            name = self.ident(what);
            span = span.to(name.span);
        }
        QualName { quals, name, span }
    }

    /// `[n]`
    fn size_binder(&mut self) -> Ident {
        let open = self.here();
        self.bump();
        let name = self.ident("the name of a size");
        self.close(TokenKind::RBracket, open, "`]` after the size");
        name
    }

    /// The attribute of `#[attr]`, brackets included.
    fn attribute(&mut self) -> Attr {
        let open = self.here();
        self.bump();
        let attr = self.attr_info();
        self.close(TokenKind::RBracket, open, "`]` after the attribute");
        attr
    }

    fn attr_info(&mut self) -> Attr {
        let start = self.here();
        match self.kind() {
            TokenKind::Nat | TokenKind::Int => {
                let token = self.bump();
                let value = match super::literal::number(self.text_of(token)) {
                    Ok(super::ast::Literal::Int { digits, suffix: None, .. }) => {
                        digits.parse().ok()
                    }
                    _ => None,
                };
                match value {
                    Some(value) => Attr::Int(value, start),
                    None => {
                        self.error(start, SyntaxError::AttributeNumber);
                        Attr::Int(0, start)
                    }
                }
            }
            _ => {
                let name = self.ident("the name of an attribute");
                if !self.at(TokenKind::LParen) {
                    return Attr::Name(name);
                }
                let args = self.nested(
                    |_| Vec::new(),
                    |p| {
                        let open = p.here();
                        p.bump();
                        p.separated(TokenKind::RParen, open, Parser::attr_info)
                    },
                );
                Attr::Comp(name, args, self.since(start))
            }
        }
    }

    /// Items with commas between, one allowed after the last, up to the closing bracket.
    fn separated<T>(
        &mut self,
        close: TokenKind,
        open: Span,
        mut item: impl FnMut(&mut Self) -> T,
    ) -> Vec<T> {
        let mut items = Vec::new();
        while !self.at(close) && !self.at(TokenKind::Eof) {
            let before = self.pos;
            items.push(item(self));
            if !self.eat(TokenKind::Comma) || self.pos == before {
                break;
            }
        }
        let what = match close {
            TokenKind::RParen => "`,` or `)`",
            TokenKind::RBrace => "`,` or `}`",
            _ => "`,` or `]`",
        };
        self.close(close, open, what);
        items
    }
}

/// Keywords that begin a declaration and nothing else, at which parsing can go on after an error.
fn starts_declaration(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Def
            | TokenKind::Entry
            | TokenKind::Type
            | TokenKind::Module
            | TokenKind::Open
            | TokenKind::Local
            | TokenKind::Val
            | TokenKind::Include
    )
}

//! Tokens: from text to a flat list of kinds and byte ranges (guide, "Identifiers and Keywords"
//! and "Primitive Types and Values").
//!
//! The lexer never fails: what it does not know becomes a [`TokenKind::Error`] token and a
//! diagnostic, and it goes on behind it. Comments are tokens too, because a formatter needs them;
//! white space is not. A token holds no text, so the list costs 12 bytes per token and one pass.
//!
//! Three rules depend on what stands before, as the grammar wants:
//! - digits behind a dot that follows a value are a field (`x.0.1`), never a float;
//! - `'a'` is a character but `'a` a type parameter;
//! - a name chain that runs into an operator without a space, `M.+`, is one qualified operator.

use crate::diag::Diagnostic;
use crate::lines::BYTE_ORDER_MARK;
use crate::syntax::errors::SyntaxError;
use futc_typed::span::{FileId, Span};

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the keywords and brackets are what their names say")]
pub enum TokenKind {
    /// A name that is no keyword.
    Ident,
    /// `#c`
    Constructor,
    /// Decimal digits without suffix: a number, or the name of a tuple field.
    Nat,
    /// Any other integer: hexadecimal, binary, or with a suffix.
    Int,
    /// A floating-point number.
    Float,
    /// `'c'`
    Char,
    /// `"text"`
    String,
    /// An operator of more than the characters below.
    Op,
    /// `M.+`
    QualOp,
    Star,
    Minus,
    Bang,
    Less,
    Hat,
    Pipe,
    /// `=`
    Equals,
    /// `->`
    Arrow,
    LParen,
    RParen,
    LBracket,
    RBracket,
    LBrace,
    RBrace,
    /// `#[`
    HashBracket,
    Comma,
    Underscore,
    Colon,
    /// `:>`
    ColonGreater,
    Backslash,
    Backtick,
    Tilde,
    /// `'`, `'~` and `'^` before a type parameter.
    Apostrophe,
    ApostropheTilde,
    ApostropheHat,
    Question,
    /// `???`
    Hole,
    Dot,
    /// `..`
    TwoDots,
    /// `...`
    ThreeDots,
    /// `..<`
    DotsLess,
    /// `..>`
    DotsGreater,
    True,
    False,
    If,
    Then,
    Else,
    Def,
    Let,
    Loop,
    In,
    Val,
    For,
    Do,
    With,
    Local,
    Open,
    Include,
    Import,
    Type,
    Entry,
    Module,
    While,
    Assert,
    Match,
    Case,
    /// A documentation comment: `-- |` and the comment lines that follow it.
    Doc,
    /// Any other line comment.
    Comment,
    /// What is no token; it has been reported.
    Error,
    /// The end of the text.
    Eof,
}

impl TokenKind {
    /// What a reader calls it; names and literals are described by the parser, with their text.
    pub fn describe(self) -> &'static str {
        match self {
            TokenKind::Ident => "a name",
            TokenKind::Constructor => "a constructor",
            TokenKind::Nat | TokenKind::Int | TokenKind::Float => "a number",
            TokenKind::Char => "a character",
            TokenKind::String => "a string",
            TokenKind::Op | TokenKind::QualOp => "an operator",
            TokenKind::Star => "`*`",
            TokenKind::Minus => "`-`",
            TokenKind::Bang => "`!`",
            TokenKind::Less => "`<`",
            TokenKind::Hat => "`^`",
            TokenKind::Pipe => "`|`",
            TokenKind::Equals => "`=`",
            TokenKind::Arrow => "`->`",
            TokenKind::LParen => "`(`",
            TokenKind::RParen => "`)`",
            TokenKind::LBracket => "`[`",
            TokenKind::RBracket => "`]`",
            TokenKind::LBrace => "`{`",
            TokenKind::RBrace => "`}`",
            TokenKind::HashBracket => "`#[`",
            TokenKind::Comma => "`,`",
            TokenKind::Underscore => "`_`",
            TokenKind::Colon => "`:`",
            TokenKind::ColonGreater => "`:>`",
            TokenKind::Backslash => "`\\`",
            TokenKind::Backtick => "`` ` ``",
            TokenKind::Tilde => "`~`",
            TokenKind::Apostrophe => "`'`",
            TokenKind::ApostropheTilde => "`'~`",
            TokenKind::ApostropheHat => "`'^`",
            TokenKind::Question => "`?`",
            TokenKind::Hole => "`???`",
            TokenKind::Dot => "`.`",
            TokenKind::TwoDots => "`..`",
            TokenKind::ThreeDots => "`...`",
            TokenKind::DotsLess => "`..<`",
            TokenKind::DotsGreater => "`..>`",
            TokenKind::True => "`true`",
            TokenKind::False => "`false`",
            TokenKind::If => "`if`",
            TokenKind::Then => "`then`",
            TokenKind::Else => "`else`",
            TokenKind::Def => "`def`",
            TokenKind::Let => "`let`",
            TokenKind::Loop => "`loop`",
            TokenKind::In => "`in`",
            TokenKind::Val => "`val`",
            TokenKind::For => "`for`",
            TokenKind::Do => "`do`",
            TokenKind::With => "`with`",
            TokenKind::Local => "`local`",
            TokenKind::Open => "`open`",
            TokenKind::Include => "`include`",
            TokenKind::Import => "`import`",
            TokenKind::Type => "`type`",
            TokenKind::Entry => "`entry`",
            TokenKind::Module => "`module`",
            TokenKind::While => "`while`",
            TokenKind::Assert => "`assert`",
            TokenKind::Match => "`match`",
            TokenKind::Case => "`case`",
            TokenKind::Doc => "a documentation comment",
            TokenKind::Comment => "a comment",
            TokenKind::Error => "something unreadable",
            TokenKind::Eof => "the end of the file",
        }
    }

    /// Whether a value may end with it, so that a dot behind it selects a field.
    fn ends_value(self) -> bool {
        matches!(
            self,
            TokenKind::Ident
                | TokenKind::Constructor
                | TokenKind::Nat
                | TokenKind::RParen
                | TokenKind::RBracket
                | TokenKind::RBrace
                | TokenKind::LParen
                | TokenKind::With
                | TokenKind::Dot
        )
    }
}

/// A token: what it is and which bytes it covers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Token {
    /// Its span.
    pub fn span(self, file: FileId) -> Span {
        Span::new(file, self.start, self.end)
    }

    /// Its text.
    pub fn text(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// The tokens of `text`, the last of which is [`TokenKind::Eof`], and what is wrong with it.
/// Texts of 4 GiB and more are refused: a position is 32 bits wide.
pub fn lex(file: FileId, text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    lex_from(file, text, 0)
}

/// As [`lex`], from byte `from` of `text` on; positions are those in all of `text`.
pub fn lex_from(file: FileId, text: &str, from: usize) -> (Vec<Token>, Vec<Diagnostic>) {
    if u32::try_from(text.len()).is_err() {
        let eof = Token { kind: TokenKind::Eof, start: 0, end: 0 };
        let refused = SyntaxError::FileTooLarge.at(Span::new(file, 0, 0));
        return (vec![eof], vec![refused]);
    }
    let mut lexer = Lexer {
        file,
        text,
        bytes: text.as_bytes(),
        // A byte order mark is no part of the program; positions are those in the text with it.
        at: if from == 0 && text.starts_with(BYTE_ORDER_MARK) {
            BYTE_ORDER_MARK.len_utf8()
        } else {
            from
        },
        tokens: Vec::with_capacity(text.len().saturating_sub(from) / 4 + 16),
        diagnostics: Vec::new(),
    };
    while lexer.next() {}
    lexer.push(TokenKind::Eof, text.len());
    (lexer.tokens, lexer.diagnostics)
}

/// A character of an operator behind its first.
pub(super) fn is_op(b: u8) -> bool {
    is_op_start(b) || b == b'.'
}

/// A first character of an operator.
pub(super) fn is_op_start(b: u8) -> bool {
    matches!(b, b'+' | b'-' | b'*' | b'/' | b'%' | b'=' | b'!' | b'>' | b'<' | b'|' | b'&' | b'^')
}

fn is_ident(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'\''
}

fn is_ident_start(b: u8) -> bool {
    b.is_ascii_alphabetic() || b == b'_'
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

impl Lexer<'_> {
    /// The byte `ahead` of the current one; 0 at the end.
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        self.tokens.push(Token { kind, start: start as u32, end: self.at as u32 });
    }

    /// A token of `len` bytes.
    fn fixed(&mut self, kind: TokenKind, len: usize) {
        let start = self.at;
        self.at += len;
        self.push(kind, start);
    }

    fn skip_while(&mut self, pred: impl Fn(u8) -> bool) {
        while self.at < self.bytes.len() && pred(self.bytes[self.at]) {
            self.at += 1;
        }
    }

    fn error(&mut self, start: usize, error: SyntaxError) {
        // A binary file would fill the screen.
        if self.diagnostics.len() < super::MAX_ERRORS {
            let span = Span::new(self.file, start as u32, self.at as u32);
            self.diagnostics.push(error.at(span));
        }
    }

    /// Reads one token or one stretch of white space; false at the end.
    fn next(&mut self) -> bool {
        let Some(&b) = self.bytes.get(self.at) else { return false };
        match b {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => {
                self.skip_while(|b| b.is_ascii_whitespace() || b == 0x0b);
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.name(),
            b'0'..=b'9' => self.number(),
            b'(' => self.fixed(TokenKind::LParen, 1),
            b')' => self.fixed(TokenKind::RParen, 1),
            b'[' => self.fixed(TokenKind::LBracket, 1),
            b']' => self.fixed(TokenKind::RBracket, 1),
            b'{' => self.fixed(TokenKind::LBrace, 1),
            b'}' => self.fixed(TokenKind::RBrace, 1),
            b',' => self.fixed(TokenKind::Comma, 1),
            b'\\' => self.fixed(TokenKind::Backslash, 1),
            b'`' => self.fixed(TokenKind::Backtick, 1),
            b'~' => self.fixed(TokenKind::Tilde, 1),
            b':' if self.peek(1) == b'>' => self.fixed(TokenKind::ColonGreater, 2),
            b':' => self.fixed(TokenKind::Colon, 1),
            b'?' if self.peek(1) == b'?' && self.peek(2) == b'?' => {
                self.fixed(TokenKind::Hole, 3);
            }
            b'?' => self.fixed(TokenKind::Question, 1),
            b'.' => self.dots(),
            b'#' if self.peek(1) == b'[' => self.fixed(TokenKind::HashBracket, 2),
            b'#' if is_ident_start(self.peek(1)) => {
                let start = self.at;
                self.at += 1;
                self.skip_while(is_ident);
                self.push(TokenKind::Constructor, start);
            }
            b'\'' => self.apostrophe(),
            b'"' => self.string(),
            b'-' if self.peek(1) == b'-' => self.comment(),
            _ if is_op_start(b) => self.operator(),
            _ => self.unknown(),
        }
        true
    }

    fn unknown(&mut self) {
        let start = self.at;
        let c = self.text[start..].chars().next().unwrap_or(' ');
        self.at += c.len_utf8();
        self.push(TokenKind::Error, start);
        self.error(start, SyntaxError::UnknownCharacter(c));
    }

    fn name(&mut self) {
        let start = self.at;
        self.skip_while(is_ident);
        // `M.N.+`: go on as long as names and dots follow each other and keep it only if an
        // operator is at the end.
        if self.peek(0) == b'.' {
            let end = self.at;
            while self.peek(0) == b'.' && is_ident_start(self.peek(1)) {
                self.at += 1;
                self.skip_while(is_ident);
            }
            if self.peek(0) == b'.' && is_op_start(self.peek(1)) && !self.is_comment(1) {
                self.at += 1;
                self.skip_while(is_op);
                self.push(TokenKind::QualOp, start);
                return;
            }
            self.at = end;
        }
        let kind = keyword(&self.bytes[start..self.at]);
        self.push(kind, start);
    }

    /// Whether a comment begins `ahead`.
    fn is_comment(&self, ahead: usize) -> bool {
        self.peek(ahead) == b'-' && self.peek(ahead + 1) == b'-'
    }

    fn operator(&mut self) {
        let start = self.at;
        self.skip_while(is_op);
        let kind = match &self.bytes[start..self.at] {
            b"*" => TokenKind::Star,
            b"-" => TokenKind::Minus,
            b"!" => TokenKind::Bang,
            b"<" => TokenKind::Less,
            b"^" => TokenKind::Hat,
            b"|" => TokenKind::Pipe,
            b"=" => TokenKind::Equals,
            b"->" => TokenKind::Arrow,
            _ => TokenKind::Op,
        };
        self.push(kind, start);
    }

    fn dots(&mut self) {
        match (self.peek(1), self.peek(2)) {
            (b'.', b'.') => self.fixed(TokenKind::ThreeDots, 3),
            (b'.', b'<') => self.fixed(TokenKind::DotsLess, 3),
            (b'.', b'>') => self.fixed(TokenKind::DotsGreater, 3),
            (b'.', _) => self.fixed(TokenKind::TwoDots, 2),
            (b'0'..=b'9', _) if !self.tokens.last().is_some_and(|t| t.kind.ends_value()) => {
                self.number();
            }
            _ => self.fixed(TokenKind::Dot, 1),
        }
    }

    fn number(&mut self) {
        let start = self.at;
        if self.tokens.last().is_some_and(|t| t.kind == TokenKind::Dot) {
            self.skip_while(|b| b.is_ascii_digit() || b == b'_');
            self.push(TokenKind::Nat, start);
            return;
        }
        let mut kind = TokenKind::Nat;
        if self.peek(0) == b'0' && matches!(self.peek(1), b'x' | b'X') {
            kind = TokenKind::Int;
            self.at += 2;
            self.skip_while(|b| b.is_ascii_hexdigit() || b == b'_');
            if self.peek(0) == b'.' && self.peek(1).is_ascii_hexdigit() {
                kind = TokenKind::Float;
                self.at += 1;
                self.skip_while(|b| b.is_ascii_hexdigit() || b == b'_');
                if matches!(self.peek(0), b'p' | b'P') {
                    self.exponent();
                }
            }
        } else if self.peek(0) == b'0' && matches!(self.peek(1), b'b' | b'B') {
            kind = TokenKind::Int;
            self.at += 2;
            self.skip_while(|b| matches!(b, b'0' | b'1' | b'_'));
        } else {
            self.skip_while(|b| b.is_ascii_digit() || b == b'_');
            if self.peek(0) == b'.' && self.peek(1).is_ascii_digit() {
                kind = TokenKind::Float;
                self.at += 1;
                self.skip_while(|b| b.is_ascii_digit() || b == b'_');
            }
            if matches!(self.peek(0), b'e' | b'E') && self.exponent() {
                kind = TokenKind::Float;
            }
        }
        // A suffix, or letters run into the number, which are refused when it is read.
        if is_ident(self.peek(0)) {
            self.skip_while(is_ident);
            if kind == TokenKind::Nat {
                kind = TokenKind::Int;
            }
        }
        self.push(kind, start);
    }

    /// Reads `e+12`, if that is what stands here.
    fn exponent(&mut self) -> bool {
        let sign = usize::from(matches!(self.peek(1), b'+' | b'-'));
        if !self.peek(1 + sign).is_ascii_digit() {
            return false;
        }
        self.at += 1 + sign;
        self.skip_while(|b| b.is_ascii_digit() || b == b'_');
        true
    }

    /// A character literal, or the quote before a type parameter.
    fn apostrophe(&mut self) {
        let start = self.at;
        let mut rest = self.text[start + 1..].chars();
        match rest.next() {
            Some('\\') => {
                let close = self.bytes[start + 2..]
                    .iter()
                    .take(16)
                    .position(|b| matches!(b, b'\'' | b'\n'))
                    // The quote in `'\''` is the character, not the end.
                    .map(|at| if at == 0 { 1 } else { at })
                    .filter(|at| self.bytes.get(start + 2 + at) == Some(&b'\''));
                match close {
                    Some(at) => self.fixed(TokenKind::Char, at + 3),
                    None => {
                        self.at += 1;
                        self.push(TokenKind::Error, start);
                        self.error(start, SyntaxError::UnterminatedCharacter);
                    }
                }
            }
            Some(c) if c != '\'' && c != '\n' && rest.next() == Some('\'') => {
                self.fixed(TokenKind::Char, 2 + c.len_utf8());
            }
            Some('~') => self.fixed(TokenKind::ApostropheTilde, 2),
            Some('^') => self.fixed(TokenKind::ApostropheHat, 2),
            _ => self.fixed(TokenKind::Apostrophe, 1),
        }
    }

    fn string(&mut self) {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek(0) {
                b'"' => {
                    self.at += 1;
                    self.push(TokenKind::String, start);
                    return;
                }
                b'\\' if self.at + 1 < self.bytes.len() && self.peek(1) != b'\n' => self.at += 2,
                b'\n' => break,
                _ if self.at >= self.bytes.len() => break,
                _ => self.at += 1,
            }
        }
        // A backslash may have been followed by the first byte of a longer character.
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
        // Still a string to the parser, so that one mistake is reported once.
        self.push(TokenKind::String, start);
        self.error(start, SyntaxError::UnterminatedString);
    }

    fn comment(&mut self) {
        let start = self.at;
        let doc = self.bytes[start..].starts_with(b"-- |");
        self.skip_while(|b| b != b'\n');
        if !doc {
            self.push(TokenKind::Comment, start);
            return;
        }
        // The comment lines that follow without an empty line between belong to it.
        loop {
            let end = self.at;
            if self.at < self.bytes.len() {
                self.at += 1;
            }
            self.skip_while(|b| matches!(b, b' ' | b'\t' | b'\r'));
            if self.is_comment(0) {
                self.skip_while(|b| b != b'\n');
            } else {
                self.at = end;
                break;
            }
        }
        self.push(TokenKind::Doc, start);
    }
}

fn keyword(text: &[u8]) -> TokenKind {
    match text {
        b"_" => TokenKind::Underscore,
        b"true" => TokenKind::True,
        b"false" => TokenKind::False,
        b"if" => TokenKind::If,
        b"then" => TokenKind::Then,
        b"else" => TokenKind::Else,
        b"def" => TokenKind::Def,
        b"let" => TokenKind::Let,
        b"loop" => TokenKind::Loop,
        b"in" => TokenKind::In,
        b"val" => TokenKind::Val,
        b"for" => TokenKind::For,
        b"do" => TokenKind::Do,
        b"with" => TokenKind::With,
        b"local" => TokenKind::Local,
        b"open" => TokenKind::Open,
        b"include" => TokenKind::Include,
        b"import" => TokenKind::Import,
        b"type" => TokenKind::Type,
        b"entry" => TokenKind::Entry,
        b"module" => TokenKind::Module,
        b"while" => TokenKind::While,
        b"assert" => TokenKind::Assert,
        b"match" => TokenKind::Match,
        b"case" => TokenKind::Case,
        _ => TokenKind::Ident,
    }
}

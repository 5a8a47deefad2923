//! The formatter: `futc fmt`.
//!
//! It walks the syntax tree for the structure and the tokens for the text: every token, and with
//! it its comments, is written once, in order, so nothing can be lost or invented. What the tree
//! does not keep apart is left out: commas before a closing bracket, and `in` before `let`. When
//! it is done it compares the tokens and comments of its output with those of its input; a
//! difference would be a defect of the formatter ([`FormatError::Defect`]) and gives no output.
//!
//! The style, in short: lines of at most 80 characters, indentation by two; what fits on a line
//! is put there, unless its author broke it at that construct's own places (behind `=`, `->` and
//! before operators, branches, elements), which is respected; bindings of a `let … in` below
//! each other; broken operators begin their lines, so pipelines have one step a line; broken
//! tuples, records and arrays begin their lines with the comma; arguments that do not fit are put
//! below each other. One empty line is kept where there are some. Comments keep their places:
//! behind a token on its line, or on lines of their own before one.

mod doc;
mod exps;
mod items;
mod patterns;
mod tokens;
mod types;

use crate::diag::Diagnostic;
use crate::syntax::lexer::{Token, TokenKind, lex};
use crate::syntax::parser::parse_file;
use doc::{Docs, Id};
use futc_typed::span::FileId;
use tokens::{Comment, Tok, attach};

/// How deeply expressions may nest, whatever makes them nest.
const MAX_DEPTH: u32 = 4_000;

/// Why a file is left as it is.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FormatError {
    /// It has these syntax errors.
    #[error("it has syntax errors")]
    Syntax(Vec<Diagnostic>),
    /// Its expressions nest too deeply.
    #[error(
        "its expressions nest too deeply for the formatter; give names to inner parts with `let` \
         or `def`"
    )]
    TooDeep,
    /// The output would not have been the same program.
    #[error(
        "its formatted text would not have meant the same; this is a defect of the formatter, \
         please report it"
    )]
    Defect,
}

/// A file's text in the standard layout.
///
/// # Errors
///
/// A file that cannot be parsed is not formatted, and what would change the program is not given
/// out: see [`FormatError`].
pub fn format_file(file: FileId, text: &str) -> Result<String, FormatError> {
    let (tree, errors) = parse_file(file, text);
    if !errors.is_empty() {
        return Err(FormatError::Syntax(errors));
    }
    let (tokens, _) = lex(file, text);
    let mut f =
        Fmt { toks: attach(&tokens, text), at: 0, d: Docs::new(), depth: 0, too_deep: false };
    let body = f.file(&tree);
    if f.too_deep {
        return Err(FormatError::TooDeep);
    }
    let complete = f.kind() == TokenKind::Eof;
    let out = f.d.layout(body);
    if complete && same_content(&tokens, text, &out) {
        return Ok(out);
    }
    Err(FormatError::Defect)
}

/// Whether `formatted` has the same tokens and comments, apart from those that the formatter
/// leaves out.
fn same_content(tokens: &[Token], text: &str, formatted: &str) -> bool {
    let (after, errors) = lex(FileId(0), formatted);
    errors.is_empty()
        && significant(tokens, text).eq(significant(&after, formatted))
        && comments(tokens, text).eq(comments(&after, formatted))
}

/// The texts of tokens, without comments and what may be left out.
fn significant<'a>(tokens: &'a [Token], text: &'a str) -> impl Iterator<Item = &'a str> {
    let code: Vec<&Token> = tokens.iter().filter(|t| !is_comment(t.kind)).collect();
    let mut out = Vec::with_capacity(code.len());
    for (i, token) in code.iter().enumerate() {
        let next = code.get(i + 1).map(|t| t.kind);
        let optional = match token.kind {
            TokenKind::Comma => next.is_some_and(closes),
            TokenKind::In => next == Some(TokenKind::Let),
            _ => false,
        };
        if !optional {
            out.push(token.text(text));
        }
    }
    out.into_iter()
}

fn comments<'a>(tokens: &'a [Token], text: &'a str) -> impl Iterator<Item = &'a str> {
    tokens.iter().filter(|t| is_comment(t.kind)).flat_map(|t| t.text(text).lines()).map(str::trim)
}

fn is_comment(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Comment | TokenKind::Doc)
}

fn closes(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace)
}

/// The tokens still to be written, and the documents made so far.
struct Fmt<'a> {
    toks: Vec<Tok<'a>>,
    at: usize,
    d: Docs<'a>,
    depth: u32,
    too_deep: bool,
}

impl<'a> Fmt<'a> {
    fn nth(&self, ahead: usize) -> &Tok<'a> {
        // The list ends with `Eof`, so it is never empty.
        &self.toks[(self.at + ahead).min(self.toks.len() - 1)]
    }

    fn kind(&self) -> TokenKind {
        self.nth(0).kind
    }

    /// Whether the author put the next token on a new line.
    fn newline(&self) -> bool {
        self.nth(0).newline
    }

    /// Whether an empty line stands before the next token and its comments.
    fn blank(&self) -> bool {
        let tok = self.nth(0);
        tok.lead.first().map_or(tok.blank, |comment| comment.blank)
    }

    fn comment_lines(&mut self, lead: Vec<Comment<'a>>, blank: bool) -> Id {
        let mut parts = Vec::new();
        for (i, comment) in lead.iter().enumerate() {
            parts.push(self.d.fresh());
            if comment.blank && i > 0 {
                parts.push(self.d.blank());
            }
            parts.push(self.d.text(comment.text));
        }
        parts.push(self.d.fresh());
        if blank {
            parts.push(self.d.blank());
        }
        self.d.cat(parts)
    }

    /// The comments before the next token, so that they do not break what that token begins.
    fn lead(&mut self) -> Id {
        let at = self.at.min(self.toks.len() - 1);
        let lead = std::mem::take(&mut self.toks[at].lead);
        if lead.is_empty() {
            return self.d.nil();
        }
        let blank = self.toks[at].blank;
        self.comment_lines(lead, blank)
    }

    /// The next token, with its comments.
    fn tok(&mut self) -> Id {
        let lead = self.lead();
        let at = self.at.min(self.toks.len() - 1);
        let (text, trail) = (self.toks[at].text, self.toks[at].trail);
        if self.toks[at].kind != TokenKind::Eof {
            self.at += 1;
        }
        let text = self.d.text(text);
        let mut parts = vec![lead, text];
        if let Some(comment) = trail {
            parts.push(self.d.suffix(comment));
        }
        if parts.len() == 2 && !self.d.is_hard(lead) {
            return text;
        }
        self.d.cat(parts)
    }

    /// The next token and a space.
    fn tok_space(&mut self) -> Id {
        let tok = self.tok();
        let space = self.d.space();
        self.d.cat(vec![tok, space])
    }

    /// A space and the next token.
    fn space_tok(&mut self) -> Id {
        let space = self.d.space();
        let tok = self.tok();
        self.d.cat(vec![space, tok])
    }

    /// Leaves the next token out, but not its comments.
    fn skip(&mut self) {
        let at = self.at;
        if at + 1 >= self.toks.len() {
            return;
        }
        self.at += 1;
        let mut lead = std::mem::take(&mut self.toks[at].lead);
        lead.extend(self.toks[at].trail.take().map(|text| Comment { text, blank: false }));
        let newline = self.toks[at].newline;
        let blank = self.toks[at].blank;
        let next = &mut self.toks[at + 1];
        next.newline |= newline;
        if next.lead.is_empty() && lead.is_empty() {
            next.blank |= blank;
        }
        lead.append(&mut next.lead);
        next.lead = lead;
    }

    /// The tokens up to the byte `end` with nothing between them.
    fn glue(&mut self, end: u32) -> Id {
        let mut parts = Vec::new();
        while self.nth(0).end <= end && self.kind() != TokenKind::Eof {
            parts.push(self.tok());
        }
        self.d.cat(parts)
    }

    /// The tokens up to the byte `end`, with one space where there was white space.
    fn raw(&mut self, end: u32) -> Id {
        let mut parts = Vec::new();
        while self.nth(0).end <= end && self.kind() != TokenKind::Eof {
            if !parts.is_empty() && self.nth(0).space {
                parts.push(self.d.space());
            }
            parts.push(self.tok());
        }
        self.d.cat(parts)
    }

    fn space(&mut self) -> Id {
        self.d.space()
    }

    fn cat(&mut self, parts: Vec<Id>) -> Id {
        self.d.cat(parts)
    }

    /// Between two items below each other: a new line, and an empty one if there was one.
    fn between(&mut self, parts: &mut Vec<Id>) {
        parts.push(self.d.hard());
        if self.blank() {
            parts.push(self.d.blank());
        }
    }

    /// Items in brackets with commas between: on one line, or each on its own, beginning with
    /// the comma. The opening bracket is the next token.
    fn bracketed(&mut self, count: usize, mut item: impl FnMut(&mut Self, usize) -> Id) -> Id {
        let open = self.tok();
        if count == 0 {
            let close = self.tok();
            return self.cat(vec![open, close]);
        }
        let spaced = self.d.soft_space();
        let mut parts = vec![open, spaced];
        let mut broken = false;
        for i in 0..count {
            if i > 0 {
                broken |= self.newline();
                parts.push(self.d.soft());
                parts.push(self.tok_space());
                broken |= self.newline();
            }
            let item = item(self, i);
            parts.push(self.d.align(item));
        }
        if self.kind() == TokenKind::Comma {
            self.skip();
        }
        if count > 1 {
            broken |= self.newline();
        }
        parts.push(self.d.soft());
        parts.push(self.tok());
        let content = self.cat(parts);
        let group = self.d.group(content, broken);
        self.d.align(group)
    }
}

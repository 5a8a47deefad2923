//! Tokens with what stands between them: comments, and whether lines were broken or left empty.

use crate::syntax::lexer::{Token, TokenKind};

/// A comment on a line of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comment<'a> {
    pub(super) text: &'a str,
    /// An empty line stands before it.
    pub(super) blank: bool,
}

/// A token and what belongs to it.
#[derive(Debug)]
pub(super) struct Tok<'a> {
    pub(super) kind: TokenKind,
    pub(super) text: &'a str,
    pub(super) start: u32,
    pub(super) end: u32,
    /// Comments before it, each on a line of its own.
    pub(super) lead: Vec<Comment<'a>>,
    /// Directly before it, behind those comments, an empty line stands.
    pub(super) blank: bool,
    /// It does not stand on the line of the token before it.
    pub(super) newline: bool,
    /// White space or a comment stands before it.
    pub(super) space: bool,
    /// A comment behind it on its line.
    pub(super) trail: Option<&'a str>,
}

/// Puts every comment to the token it belongs to: one behind a token on the same line to that
/// one, all others to the token they stand before.
pub(super) fn attach<'a>(tokens: &[Token], text: &'a str) -> Vec<Tok<'a>> {
    let mut toks: Vec<Tok<'a>> = Vec::with_capacity(tokens.len());
    let mut lead = Vec::new();
    let mut last_end = 0;
    let mut newline = false;
    for token in tokens {
        let gap = text.get(last_end..token.start as usize).unwrap_or("");
        let breaks = gap.bytes().filter(|b| *b == b'\n').count();
        let blank = breaks > 1;
        newline |= breaks > 0;
        if matches!(token.kind, TokenKind::Comment | TokenKind::Doc) {
            let mut blank = blank;
            let mut lines = token.text(text).lines();
            if !newline
                && let Some(last) = toks.last_mut()
                && last.trail.is_none()
            {
                last.trail = lines.next().map(str::trim_end);
            }
            for line in lines {
                lead.push(Comment { text: line.trim(), blank });
                blank = false;
            }
            // Whatever follows a comment is on another line.
            newline = true;
        } else {
            toks.push(Tok {
                kind: token.kind,
                text: token.text(text),
                start: token.start,
                end: token.end,
                lead: std::mem::take(&mut lead),
                blank,
                newline,
                space: newline || !gap.is_empty(),
                trail: None,
            });
            newline = false;
        }
        last_end = token.end as usize;
    }
    // `a, -- about a`: lines will begin with the comma, so the comment goes before it.
    for at in 1..toks.len() {
        if separates(toks[at].kind)
            && !toks[at].newline
            && toks[at].lead.is_empty()
            && toks[at - 1].trail.is_none()
        {
            toks[at - 1].trail = toks[at].trail.take();
            if toks[at - 1].trail.is_some() {
                toks[at].newline = true;
            }
        }
    }
    toks
}

/// Whether broken lines begin with such a token.
fn separates(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Comma
            | TokenKind::Op
            | TokenKind::QualOp
            | TokenKind::Star
            | TokenKind::Less
            | TokenKind::Pipe
    )
}

//! Tokens of the IR's text form.

use super::parse_error::ParseError;

/// A token.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    /// A word: letters, digits, `_`, `'` and `.`.
    Ident(String),
    /// What stands in back quotes, with the word that follows at once (`_12`).
    Ticked(String, String),
    /// A number with its suffix.
    Number(String),
    /// Text in double quotes, escapes resolved.
    Text(String),
    /// Anything else.
    Punct(&'static str),
    /// The end.
    End,
}

/// A token with its line and column, from 1.
#[derive(Clone, Debug)]
pub(super) struct Spanned {
    pub token: Token,
    pub line: u32,
    pub column: u32,
}

const PUNCT: &[&str] = &[
    "->", ":+", "#[", "(", ")", "[", "]", "{", "}", "<", ">", ",", ";", ":", "=", "@", "*", "+",
    "-", "\\",
];

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '\'' | '.')
}

/// Splits the text. Comments run from `//` or `--` to the end of the line.
pub(super) fn lex(text: &str) -> Result<Vec<Spanned>, ParseError> {
    let mut out = Vec::new();
    let mut rest = text;
    let (mut line, mut line_start) = (1u32, 0usize);
    loop {
        let here = text.len() - rest.len();
        let Some(c) = rest.chars().next() else { break };
        if c == '\n' {
            line += 1;
            line_start = here + 1;
            rest = &rest[1..];
            continue;
        }
        if c.is_whitespace() {
            rest = &rest[c.len_utf8()..];
            continue;
        }
        if rest.starts_with("//") || rest.starts_with("--") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
            continue;
        }
        let column = (here - line_start + 1) as u32;
        let error = |message: &str| ParseError { line, column, message: message.to_string() };
        let (token, len) = if c.is_ascii_digit()
            || (c == '-' && rest[1..].starts_with(|d: char| d.is_ascii_digit()))
        {
            let len = number_len(rest);
            (Token::Number(rest[..len].to_string()), len)
        } else if is_word(c) {
            let len = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            (Token::Ident(rest[..len].to_string()), len)
        } else if c == '`' {
            let end = rest[1..].find('`').ok_or_else(|| error("unclosed back quote"))? + 1;
            let tail = &rest[end + 1..];
            let tail = &tail[..tail.find(|c| !is_word(c)).unwrap_or(tail.len())];
            (Token::Ticked(rest[1..end].to_string(), tail.to_string()), end + 1 + tail.len())
        } else if c == '"' {
            text_token(rest).ok_or_else(|| error("malformed text"))?
        } else {
            let p = PUNCT
                .iter()
                .find(|p| rest.starts_with(**p))
                .ok_or_else(|| error(&format!("unexpected `{c}`")))?;
            (Token::Punct(p), p.len())
        };
        out.push(Spanned { token, line, column });
        rest = &rest[len..];
    }
    let column = (text.len() - line_start + 1) as u32;
    out.push(Spanned { token: Token::End, line, column });
    Ok(out)
}

/// The length of a number with its suffix. A sign belongs to it where an exponent begins.
fn number_len(s: &str) -> usize {
    let b = s.as_bytes();
    let mut i = usize::from(b[0] == b'-');
    let hex = s[i..].starts_with("0x");
    while i < b.len() {
        let exponent = !hex
            && matches!(b[i], b'+' | b'-')
            && i > 0
            && b[i - 1] == b'e'
            && b.get(i + 1).is_some_and(u8::is_ascii_digit);
        if !(b[i].is_ascii_alphanumeric() || b[i] == b'.' || exponent) {
            break;
        }
        i += 1;
    }
    i
}

fn text_token(s: &str) -> Option<(Token, usize)> {
    let mut out = String::new();
    let mut chars = s.char_indices().skip(1);
    while let Some((i, c)) = chars.next() {
        match c {
            '"' => return Some((Token::Text(out), i + 1)),
            '\\' => match chars.next()?.1 {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                'u' => {
                    let mut code = 0u32;
                    if chars.next()?.1 != '{' {
                        return None;
                    }
                    loop {
                        match chars.next()?.1 {
                            '}' => break,
                            d => code = code.checked_mul(16)?.checked_add(d.to_digit(16)?)?,
                        }
                    }
                    out.push(char::from_u32(code)?);
                }
                c => out.push(c),
            },
            c => out.push(c),
        }
    }
    None
}

//! The names that types, entry points, fields and variants have in C. They are those of the reference
//! compiler, so that programs written for its libraries compile with ours.
//!
//! ```text
//! []f32                         f32_1d
//! t, m.t                        opaque_t, opaque_m_t
//! (i32, []f32)                  opaque_tup2_i32_arr1d_f32
//! [](i64, i64)                  opaque_arr1d_tup2_i64_i64
//! {a: i32, b: t}                opaque_rec__a_i32__b_t
//! ()                            opaque_unit
//! #foo i32 | #bar               opaque_ and the MD5 of the text
//! ```
//!
//! What names of definitions, fields and variants have besides letters, digits and underscores is encoded as
//! the Glasgow Haskell Compiler encodes symbols: `x'` is `xzq`.

use super::md5::md5;
use futc_midend::ir::{ExtKind, ExtType};

/// What stands behind `futhark_`, `futhark_free_` and so on for a type that is not one of scalars.
pub fn of_type(ty: &ExtType) -> String {
    match &ty.kind {
        ExtKind::Transparent { prim, rank } => format!("{prim}_{rank}d"),
        ExtKind::Opaque { .. } => format!("opaque_{}", opaque(&ty.name)),
    }
}

fn opaque(name: &str) -> String {
    let mut parser = Parser { rest: name };
    match parser.ty() {
        Some(readable) if parser.rest.is_empty() && is_identifier(&readable) => readable,
        _ if is_identifier(name) => name.to_owned(),
        _ => md5(name.as_bytes()),
    }
}

fn is_identifier(name: &str) -> bool {
    let first = name.chars().next();
    first.is_some_and(|c| c.is_ascii_alphabetic()) && name.chars().all(is_letter)
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// A name behind something that begins an identifier.
pub fn of_part(name: &str) -> String {
    if name.chars().all(is_letter) { name.to_owned() } else { encode(name) }
}

/// A name of the source as an identifier.
pub fn escape(name: &str) -> String {
    if is_identifier(name) { name.to_owned() } else { encode(name) }
}

fn encode(name: &str) -> String {
    let mut out = String::new();
    for (i, c) in name.chars().enumerate() {
        if i == 0 && c.is_ascii_digit() {
            out += &by_number(c);
            continue;
        }
        let code = match c {
            '(' => "ZL",
            ')' => "ZR",
            '[' => "ZM",
            ']' => "ZN",
            ':' => "ZC",
            'Z' => "ZZ",
            'z' => "zz",
            '&' => "za",
            '|' => "zb",
            '^' => "zc",
            '$' => "zd",
            '=' => "ze",
            '>' => "zg",
            '#' => "zh",
            '.' => "zi",
            '<' => "zl",
            '-' => "zm",
            '!' => "zn",
            '+' => "zp",
            '\'' => "zq",
            '\\' => "zr",
            '/' => "zs",
            '*' => "zt",
            '%' => "zv",
            c if is_letter(c) => {
                out.push(c);
                continue;
            }
            c => {
                out += &by_number(c);
                continue;
            }
        };
        out += code;
    }
    out
}

fn by_number(c: char) -> String {
    let digits = format!("{:x}U", u32::from(c));
    let zero = if digits.starts_with(|d: char| d.is_ascii_digit()) { "" } else { "0" };
    format!("z{zero}{digits}")
}

/// Reads a type and says it in words.
struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn eat(&mut self, token: &str) -> bool {
        match self.rest.trim_start().strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn atom(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_start();
        let end = text.find(['[', ']', '{', '}', '(', ')', ',', '.', ':']).unwrap_or(text.len());
        let (atom, rest) = text.split_at(end);
        self.rest = rest;
        let atom = atom.trim_end();
        (!atom.is_empty()).then_some(atom)
    }

    fn ty(&mut self) -> Option<String> {
        let mut rank = 0;
        while self.eat("[]") {
            rank += 1;
        }
        if rank > 0 {
            return Some(format!("arr{rank}d_{}", self.ty()?));
        }
        if self.eat("(") {
            let parts = self.list(")", Parser::ty)?;
            return Some(match parts.len() {
                0 => "unit".to_owned(),
                n => format!("tup{n}_{}", parts.join("_")),
            });
        }
        if self.eat("{") {
            let parts = self.list("}", |p| {
                let name = p.atom()?;
                if p.eat(":") { Some(format!("{name}_{}", p.ty()?)) } else { None }
            })?;
            return Some(format!("rec__{}", parts.join("__")));
        }
        let name = self.atom()?;
        if self.rest.starts_with('.') && self.eat(".") {
            return Some(format!("{name}_{}", self.atom()?));
        }
        Some(name.to_owned())
    }

    fn list(
        &mut self,
        end: &str,
        mut one: impl FnMut(&mut Self) -> Option<String>,
    ) -> Option<Vec<String>> {
        let mut parts = Vec::new();
        while !self.eat(end) {
            if !parts.is_empty() && !self.eat(",") {
                return None;
            }
            parts.push(one(self)?);
        }
        Some(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_named_as_the_reference_compiler_names_them() {
        let names = [
            ("t", "t"),
            ("()", "unit"),
            ("m.t", "m_t"),
            ("(i32, []f32)", "tup2_i32_arr1d_f32"),
            ("[][](i64, i64)", "arr2d_tup2_i64_i64"),
            ("(i32, (f32, f32))", "tup2_i32_tup2_f32_f32"),
            ("{a: i32, b: [](t, m.u)}", "rec__a_i32__b_arr1d_tup2_t_m_u"),
        ];
        for (name, want) in names {
            assert_eq!(opaque(name), want);
        }
        assert_eq!(opaque("#a | #b"), md5(b"#a | #b"));
    }

    #[test]
    fn names_become_identifiers() {
        assert_eq!(escape("main"), "main");
        assert_eq!(escape("x'"), "xzq");
        assert_eq!(escape("_f"), "_f");
        assert_eq!(escape("ünz'"), "z0fcUnzzzq");
        assert_eq!(of_part("0"), "0");
        assert_eq!(of_part("a'"), "azq");
    }
}
